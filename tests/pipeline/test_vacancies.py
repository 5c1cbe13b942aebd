"""When nobody was in a group, and what that tells of offsets that went back or forward: of classic
groups and of those whose broker assigns, deleted ones among them."""

from __future__ import annotations

from itertools import cycle

import pytest

from kproto.pipeline.audit.vacancies import Vacancies, vacant_in_all
from tests.pipeline.drawn_broker_groups import BrokerGroup
from tests.pipeline.drawn_groups import DAY, HOUR, MINUTE, START, DrawnGroup, Sizes, seeded

KINDS = (DrawnGroup, BrokerGroup)
LEFT = START + HOUR


def stopped_group(kind: type[DrawnGroup]) -> DrawnGroup:
    """A group of three that has read two partitions for an hour, and has left."""
    group = kind(seeded("vacant"), Sizes(3, 2, 10_000, HOUR))
    group.begin()
    group.read([0, 1], START, LEFT - 1000)
    group.empty(LEFT)
    return group


def go_on(group: DrawnGroup, at: int, *first: int) -> str:
    """Let the members come back and read on from an offset, or from one each; return what is said
    of the offsets."""
    group.fill(at)
    for partition, offset in zip((0, 1), cycle(first or [None])):
        group.read([partition], at + 1000, at + HOUR, rate=0.01, first=offset)
    group.judged_at = at + HOUR
    findings = group.findings()
    names = ("offset-rewound", "offset-skipped")
    return " ".join(findings[name].explanation for name in names if name in findings)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_deleted", [False, True])
@pytest.mark.parametrize("has_tombstones", [False, True])
def test_offsets_that_expired(
    kind: type[DrawnGroup], is_deleted: bool, has_tombstones: bool
) -> None:
    """With the tombstones of the offsets, of the group, and once both are compacted away."""
    group = stopped_group(kind)
    if has_tombstones:
        for partition in (0, 1):
            group.commit(partition, LEFT + 7 * DAY, -1)
    if is_deleted:
        group.delete(LEFT + 7 * DAY)
    text = go_on(group, LEFT + 9 * DAY, 100)
    assert "had expired while the group was empty" in text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_deleted", [False, True])
@pytest.mark.parametrize("has_tombstones", [False, True])
@pytest.mark.parametrize("skipped", [0, 64_000])
def test_offsets_that_expired_and_are_reset_to_the_end(
    kind: type[DrawnGroup], is_deleted: bool, has_tombstones: bool, skipped: int
) -> None:
    """Without tombstones it may have read all of that since it came back."""
    group = stopped_group(kind)
    first = [group.position(partition) + skipped for partition in (0, 1)]
    if has_tombstones:
        for partition in (0, 1):
            group.commit(partition, LEFT + 7 * DAY, -1)
    if is_deleted:
        group.delete(LEFT + 7 * DAY)
    text = go_on(group, LEFT + 9 * DAY, *first)
    is_found = "with auto.offset.reset=latest up to 128,0" in text
    assert is_found == (has_tombstones and bool(skipped))
    assert is_found == bool(text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_group_that_a_tool_deleted(kind: type[DrawnGroup]) -> None:
    """Nothing expires within a minute."""
    group = stopped_group(kind)
    for partition in (0, 1):
        group.commit(partition, LEFT + MINUTE, -1)
    group.delete(LEFT + MINUTE)
    text = go_on(group, LEFT + 2 * MINUTE, 100)
    assert "they had been deleted before" in text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_deleted", [False, True])
@pytest.mark.parametrize(("offset", "words"), [(100, "they were set while"), (10**6, "not read")])
def test_offsets_that_were_set(
    kind: type[DrawnGroup], is_deleted: bool, offset: int, words: str
) -> None:
    """By a tool, while the group was empty, or before it was there again."""
    group = stopped_group(kind)
    if is_deleted:
        group.delete(LEFT + MINUTE)
    for partition in (0, 1):
        group.commit(partition, LEFT + 2 * MINUTE, offset)
    assert words in go_on(group, LEFT + 3 * MINUTE)


def test_a_group_that_is_converted_has_members_all_along() -> None:
    classic, consumer = Vacancies(), Vacancies()
    classic.note(0, has_members=True)
    classic.note(100, has_members=False)
    consumer.note(100, has_members=True)
    assert not vacant_in_all([classic, consumer])
    consumer.note(300, has_members=False)
    assert [*vacant_in_all([classic, consumer])] == [(300, None)]
    classic.note(400, has_members=True)
    assert [*vacant_in_all([classic, consumer])] == [(300, 400)]


def test_an_empty_group_that_is_converted() -> None:
    classic, consumer = Vacancies(), Vacancies()
    classic.note(0, has_members=True)
    classic.note(100, has_members=False)
    assert [*vacant_in_all([classic, consumer])] == [(100, None)]
    consumer.note(200, has_members=True)
    assert [*vacant_in_all([classic, consumer])] == [(100, 200)]
