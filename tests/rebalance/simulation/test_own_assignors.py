"""Somebody's own assignor may do anything: it is refused, or judged, and never ends in a crash."""

from __future__ import annotations

from typing import Any

import pytest

from kproto.codec import ConsumerProtocolAssignment
from kproto.rebalance import RebalanceProtocol
from kproto.rebalance.simulation import Overrides, Run, ScenarioError, read_scenario, run
from kproto.rebalance.simulation.scenarios.assignors import AssignorFailed

ONE_MEMBER = """\
duration = 20
[topics]
t = 2
[[members]]
"""
Entry = ConsumerProtocolAssignment.TopicPartition


class Everything:
    """All there is, to each."""

    name: Any = "own"
    protocols: Any = (RebalanceProtocol.EAGER,)

    def subscription_user_data(self, topics: Any, memory: Any) -> Any:
        return None

    def assign(self, members: Any, topics: Any, racks: Any = None) -> Any:
        return {one.member_id: self.share(topics) for one in members}

    def share(self, topics: Any) -> Any:
        return ConsumerProtocolAssignment(
            assigned_partitions=[Entry(topic=t, partitions=range(n)) for t, n in topics.items()]
        )

    def on_assignment(self, assignment: Any, generation: Any) -> Any:
        return None


class NumberForAName(Everything):
    name = 5


class EscapesInTheName(Everything):
    name = "\x1b[31m"


class TooLongAName(Everything):
    name = "x" * 2**15


class NoProtocols(Everything):
    protocols = None


class WordsForProtocols(Everything):
    protocols = ("eager",)


class NoData(Everything):
    def subscription_user_data(self, topics: Any, memory: Any) -> Any:
        return 10**12  # bytes(10**12) would ask for a terabyte


class NoAssignment(Everything):
    def share(self, topics: Any) -> Any:
        return 3


class NotToBeWritten(Everything):
    def share(self, topics: Any) -> Any:
        return ConsumerProtocolAssignment(
            assigned_partitions=[Entry(topic="t", partitions=[2**40])]
        )


class EndsTheProcess(Everything):
    def assign(self, members: Any, topics: Any, racks: Any = None) -> Any:
        raise SystemExit(0)


class NothingAtAll(Everything):
    def assign(self, members: Any, topics: Any, racks: Any = None) -> Any:
        return None


class Nobody(Everything):
    def assign(self, members: Any, topics: Any, racks: Any = None) -> Any:
        return {}


class AList(Everything):
    def assign(self, members: Any, topics: Any, racks: Any = None) -> Any:
        return [self.share(topics) for _ in members]


class WhatDoesNotExist(Everything):
    def share(self, topics: Any) -> Any:
        return ConsumerProtocolAssignment(
            assigned_partitions=[Entry(topic="t", partitions=[0, 1, 9])]
        )


def played(own: type[Everything]) -> Run:
    word = f"{own.__module__}:{own.__name__}"
    return run(read_scenario(ONE_MEMBER, "own", overrides=Overrides(assignor=word)))


def test_a_sound_one() -> None:
    assert played(Everything).as_expected


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (NumberForAName, "its name is no text"),
        (EscapesInTheName, "its name is no text"),
        (TooLongAName, "its name has to have"),
        (NoProtocols, "its protocols have to be"),
        (WordsForProtocols, "its protocols have to be"),
    ],
)
def test_what_is_no_assignor_is_refused(own: type[Everything], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        played(own)


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (NoData, "subscription_user_data: TypeError"),
        (NoAssignment, "assign: TypeError: .* gets int"),
        (NotToBeWritten, "assign: EncodeError"),
        (AList, "assign: TypeError: it returned list, not a mapping"),
        (EndsTheProcess, "assign: SystemExit"),
    ],
)
def test_what_goes_wrong_in_it_is_said(own: type[Everything], why: str) -> None:
    with pytest.raises(AssignorFailed, match=why):
        played(own)


def test_a_partition_that_does_not_exist_is_found() -> None:
    assert [name for name, _ in played(WhatDoesNotExist).findings] == ["validity"]


@pytest.mark.parametrize("own", [NothingAtAll, Nobody])
def test_members_that_it_leaves_out_are_named(own: type[Everything]) -> None:
    found = dict(played(own).findings)
    assert found["left-out"] == "the assignor of a returned no assignment for a"
    assert "all-owned" in found
