"""Recorded logs taken apart: files left out and in any order, lines missing and doubled, clocks
that differ. What is told of them happened, whatever is missing."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.inspector.shapes.story_shapes import GroupStory
from tests.capture.logs.recorded import SCENARIOS, logs, read, truth
from tests.history.test_story_of_logs import ALSO_TRUE, ORDINARY, later

_FAMILIES = {"java", "kafka-go", "kafka-python", "librdkafka", "kafkajs", "sarama"}
_WHOLE = [
    name for name in SCENARIOS
    if truth(name)["kind"] == "classic"
    and {client["family"] for client in truth(name)["clients"]} <= _FAMILIES
]  # fmt: skip


class Facts(NamedTuple):
    """What happened in the group of a scenario: ids of members and generations."""

    group: str
    clients: frozenset[str]
    members: Mapping[int, frozenset[str]]
    shares: Mapping[tuple[int, str], frozenset[str]]
    left: frozenset[str]
    causes: frozenset[str]


def _facts(scenario: str) -> Facts:
    happened = truth(scenario)
    (group,) = happened["groups"]
    generations = [part for part in happened["generations"] if part["group"] == group]
    shares = {
        (event["generation"], member): frozenset(parts)
        for event in happened["events"] if event["what"] == "leader assigns"
        for member, parts in event["assignment"].items()
    }  # fmt: skip
    left = {event.get("member") for event in happened["events"] if event["what"] == "leaves"}
    ids = frozenset().union(*(part["members"] for part in generations))
    return Facts(
        group,
        frozenset(client["member"] for client in happened["clients"]),
        {part["generation"]: frozenset(part["members"]) for part in generations},
        shares,
        ids if None in left else frozenset(left),  # by an administrator, who names instances
        frozenset(cause.replace(" ", "-") for cause in happened["causes"])
        | ORDINARY
        | ALSO_TRUE.get(scenario, set())
        | {"static-member-came-back"},
    )


def _damaged(text: str, draw: random.Random, part_missing: float, part_doubled: float) -> str:
    lines = []
    for line in text.splitlines(keepends=True):
        if draw.random() >= part_missing:
            lines.append(line)
            if draw.random() < part_doubled:
                lines.append(line)
    return "".join(lines)


def _check(story: GroupStory, facts: Facts) -> None:
    """Nothing is told that did not happen."""
    ids = frozenset().union(*facts.members.values())
    for event in story.events:
        if event.event == "joined" and event.generation is not None:
            assert event.generation in facts.members
            assert event.member is None or event.member in facts.members[event.generation]
        if event.event == "leaves" and event.member is not None:
            assert event.member in facts.left
        for member, shares in (event.assignment or {}).items():
            parts = frozenset(
                f"{topic}-{number}" for topic, numbers in shares.items() for number in numbers
            )
            if event.generation is None:  # no line tells of which it is
                assert parts in [facts.shares.get((part, member)) for part in facts.members]
                continue
            assert parts == facts.shares.get((event.generation, member)), (member, event.generation)
    for rebalance in story.rebalances:
        if rebalance.members:
            assert rebalance.generation in facts.members
            assert rebalance.members <= len(facts.members[rebalance.generation])
        for cause in rebalance.causes:
            assert cause.cause != "member-joined" or cause.member in ids | {None}
            if cause.cause == "member-left" and cause.certain and cause.member:
                assert cause.member in facts.left
    assert {cause.cause for cause in story.causes if cause.certain} <= facts.causes


def _story(files: Mapping[str, str], group: str) -> GroupStory | None:
    sources = [LogSource(name, read(text)) for name, text in files.items()]
    return next((story for story in tell(sources).groups if story.group == group), None)


def _take_apart(data: st.DataObject) -> None:
    scenario = data.draw(st.sampled_from(_WHOLE))
    facts = _facts(scenario)
    everything = {name: text for name, text in logs(scenario).items() if ".debug" not in name}
    names = data.draw(st.lists(st.sampled_from(sorted(everything)), min_size=1, unique=True))
    draw = random.Random(data.draw(st.integers(0, 2**16)))  # noqa: S311
    missing = data.draw(st.sampled_from([0.0, 0.02, 0.3, 0.8]))
    doubled = data.draw(st.sampled_from([0.0, 0.2]))
    files = {name: _damaged(everything[name], draw, missing, doubled) for name in names}
    story = _story(files, facts.group)
    if story is not None:
        _check(story, facts)
    turned = _story(dict(sorted(files.items(), reverse=True)), facts.group)
    assert (story is None) == (turned is None)
    if story is not None and turned is not None:
        assert turned.rebalances == story.rebalances
        assert _causes(turned) == _causes(story)


def _causes(story: GroupStory) -> Any:
    return {(cause.cause, cause.certain, frozenset(cause.rivals)) for cause in story.causes}


_FREE = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=10, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_whatever_is_missing_nothing_is_made_up(data: st.DataObject) -> None:
    _take_apart(data)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_whatever_is_missing_nothing_is_made_up_at_length(data: st.DataObject) -> None:
    _take_apart(data)


_DATED = [name for name in _WHOLE if re.match(r"\[\d{4}", logs(name)["broker.log"])]


@pytest.mark.slow
@pytest.mark.parametrize("scenario", _DATED)
@settings(max_examples=10, deadline=None, suppress_health_check=_FREE)
@given(data=st.data())
def test_a_clock_that_is_wrong_changes_no_cause(scenario: str, data: st.DataObject) -> None:
    """Of one Java client, beside the coordinator's log and the others."""
    files = {name: text for name, text in logs(scenario).items() if ".debug" not in name}
    movable = sorted(
        name for name in files if files[name].startswith("[2") and "broker" not in name
    )
    if not movable:
        return
    name = data.draw(st.sampled_from(movable))
    seconds = data.draw(st.sampled_from([3600, -18_000, 19_800]) | st.floats(-90, 90))
    group = _facts(scenario).group
    straight = _story(files, group)
    wrong = _story({**files, name: later(files[name], seconds)}, group)
    assert straight is not None
    assert wrong is not None
    assert _causes(wrong) == _causes(straight)
    assert [
        (rebalance.generation, [cause.cause for cause in rebalance.causes])
        for rebalance in wrong.rebalances
    ] == [
        (rebalance.generation, [cause.cause for cause in rebalance.causes])
        for rebalance in straight.rebalances
    ]
