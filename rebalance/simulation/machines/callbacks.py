"""What a member's processing side does around a rebalance, in order: KIP-429's timelines.

A row is a situation, and in it what is done one after the other: callbacks of the listener, with
the partitions they are called with, and calls of the assignor. Only listener callbacks take time.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ...assignments import Partition


class Work(StrEnum):
    """One thing that the processing side does."""

    LOST = "onPartitionsLost"
    REVOKED = "onPartitionsRevoked"
    ASSIGNED = "onPartitionsAssigned"
    USER_DATA = "subscriptionUserData"
    JOIN = "JoinGroup"
    ON_ASSIGNMENT = "onAssignment"
    LEAVE = "LeaveGroup"


LISTENER = frozenset({Work.LOST, Work.REVOKED, Work.ASSIGNED})
"""Callbacks of the application, which take the time that the application takes."""


class With(StrEnum):
    """Which partitions a listener is called with."""

    NONE = ""
    OWNED = "all that is owned"
    UNSUBSCRIBED = "owned, but no longer subscribed"
    VANISHED = "owned, but no longer there"
    TAKEN = "owned, but not assigned again"
    ALL_ASSIGNED = "all that is assigned"
    ADDED = "assigned, but not owned before"


class Line(NamedTuple):
    """A line of a timeline."""

    work: Work
    partitions: With = With.NONE
    even_if_empty: bool = True


class Situation(StrEnum):
    """What a member is about to do."""

    FALLEN_OUT = "joining after falling out of the group"
    EAGER_JOIN = "joining, eager"
    COOPERATIVE_JOIN = "joining, cooperative"
    AGAIN = "joining again before the last join came to its end"
    EAGER_ASSIGNED = "assignment received, eager"
    COOPERATIVE_ASSIGNED = "assignment received, cooperative"
    VANISHED = "topic metadata changed, cooperative"
    LEAVING = "leaving"
    LEAVING_FALLEN = "leaving after falling out of the group, or during a rebalance"


_SEND = (Line(Work.USER_DATA), Line(Work.JOIN))

TIMELINES: Mapping[Situation, tuple[Line, ...]] = MappingProxyType(
    {
        Situation.FALLEN_OUT: (Line(Work.LOST, With.OWNED, even_if_empty=False), *_SEND),
        Situation.EAGER_JOIN: (Line(Work.REVOKED, With.OWNED), *_SEND),
        Situation.COOPERATIVE_JOIN: (
            Line(Work.REVOKED, With.UNSUBSCRIBED, even_if_empty=False),
            *_SEND,
        ),
        Situation.AGAIN: _SEND,
        Situation.EAGER_ASSIGNED: (
            Line(Work.ON_ASSIGNMENT),
            Line(Work.ASSIGNED, With.ALL_ASSIGNED),
        ),
        Situation.COOPERATIVE_ASSIGNED: (
            Line(Work.REVOKED, With.TAKEN, even_if_empty=False),
            Line(Work.ON_ASSIGNMENT),
            Line(Work.ASSIGNED, With.ADDED),
        ),
        Situation.VANISHED: (Line(Work.LOST, With.VANISHED, even_if_empty=False),),
        Situation.LEAVING: (Line(Work.REVOKED, With.OWNED, even_if_empty=False), Line(Work.LEAVE)),
        Situation.LEAVING_FALLEN: (
            Line(Work.LOST, With.OWNED, even_if_empty=False),
            Line(Work.LEAVE),
        ),
    }
)


class Task(NamedTuple):
    """A line with the partitions at hand."""

    work: Work
    partitions: frozenset[Partition] = frozenset()


def plan(situation: Situation, sets: Mapping[With, frozenset[Partition]]) -> tuple[Task, ...]:
    """Return the timeline of a situation with its partitions; callbacks without any are left out
    where they are not wanted.
    """
    nobody: frozenset[Partition] = frozenset()
    return tuple(
        Task(line.work, sets.get(line.partitions, nobody))
        for line in TIMELINES[situation]
        if line.even_if_empty or sets.get(line.partitions)
    )
