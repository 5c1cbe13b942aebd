"""Fresh groups, at every run others, that Apache Kafka's own assignors divide beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from kproto.rebalance import ASSIGNORS, CHECKS, Outcome, owners

from .groups import Group, Shares, as_written, flat, random_group
from .known_differences import KNOWN_DIFFERENCES, READ_CLAIM, KnownDifference

if TYPE_CHECKING:
    from random import Random

    from kproto.fuzz.oracles.java import Assignor, JavaOracle

GROUPS = 500  # of each assignor
LARGE = 20  # one in so many is large


def ours(group: Group, assignor: str) -> Shares:
    return flat(ASSIGNORS[assignor].assign(group.members, group.topics, group.racks))


def theirs(oracle: JavaOracle, group: Group, assignor: Assignor) -> Shares | None:
    from kproto.fuzz.oracles.java import JavaRefusal

    try:
        return as_written(oracle.assign(assignor, group.topics, group.racks, group.wire()))
    except JavaRefusal:
        return None


@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
def test_stateless_assignors_give_what_java_gives(
    assignor: Assignor, java_oracle: JavaOracle, rng: Random
) -> None:
    for number in range(GROUPS):
        group = random_group(rng, assignor, large=number % LARGE == 0)
        assert ours(group, assignor) == theirs(java_oracle, group, assignor), group


@pytest.mark.parametrize("assignor", ["sticky", "cooperative-sticky"])
def test_sticky_assignors_give_what_java_gives(
    assignor: Assignor, java_oracle: JavaOracle, rng: Random
) -> None:
    """Everywhere but where a known difference may be; there, results are valid and no worse."""
    verdicts: Counter[str] = Counter()
    for number in range(GROUPS):
        group = random_group(rng, assignor, large=number % LARGE == 0)
        mine, java = ours(group, assignor), theirs(java_oracle, group, assignor)
        if mine == java:
            verdicts["equal"] += 1
            continue
        assert any(known.applies(group, assignor) for known in KNOWN_DIFFERENCES), group
        verdicts["known"] += 1
        if java is not None and is_valid(group, java):
            assert_no_worse(group, assignor, mine, java)
    assert verdicts["equal"] > 10 * verdicts["known"]


def is_valid(group: Group, shares: Shares) -> bool:
    wants = {member.member_id: member.subscription.topics for member in group.members}
    return all(one[0] in wants[member_id] for member_id, hand in shares.items() for one in hand)


def assert_no_worse(group: Group, assignor: str, mine: Shares, java: Shares) -> None:
    assigned = ASSIGNORS[assignor].assign(group.members, group.topics, group.racks)
    outcome = Outcome(group.members, group.topics, assigned)
    assert not list(CHECKS["validity"](outcome))
    if assignor != "sticky":
        return  # what is withheld stands in no assignment, so sizes cannot be compared
    assert not list(CHECKS["balance"](outcome))
    if len({frozenset(member.subscription.topics) for member in group.members}) > 1:
        return  # where balance is found step by step, another start may end in another one
    assert sizes(mine) == sizes(java)
    before = owners(group.members, READ_CLAIM[assignor])
    assert moves(mine, before) <= moves(java, before)


def sizes(shares: Mapping[str, Sequence[object]]) -> list[int]:
    return sorted(map(len, shares.values()))


def moves(shares: Shares, before: Mapping[tuple[str, int], str]) -> int:
    now = {partition: member_id for member_id, hand in shares.items() for partition in hand}
    return sum(now.get(partition, owner) != owner for partition, owner in before.items())


@pytest.mark.parametrize("known", KNOWN_DIFFERENCES, ids=lambda known: known.name)
def test_a_known_difference_shows_in_its_witness(
    known: KnownDifference, java_oracle: JavaOracle
) -> None:
    """If Java's answer changes, the defect may be gone, and with it the difference."""
    assert known.applies(known.witness, "cooperative-sticky")
    assert theirs(java_oracle, known.witness, "cooperative-sticky") == known.java


@pytest.mark.parametrize("known", KNOWN_DIFFERENCES, ids=lambda known: known.name)
def test_a_witness_is_divided_by_the_rule(known: KnownDifference) -> None:
    assert ours(known.witness, "cooperative-sticky") == known.ours
