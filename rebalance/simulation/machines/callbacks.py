"""What a member's processing side does around a rebalance, in order: KIP-429's timelines.

A row is a situation and its steps, one after the other: callbacks of the listener, with the
partitions they are called with, and calls of the assignor. Only listener callbacks take time.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ...assignments import Partition


class Work(StrEnum):
    """A step of the processing side."""

    LOST = "onPartitionsLost"
    """The listener's onPartitionsLost: partitions that the member no longer owns."""
    REVOKED = "onPartitionsRevoked"
    """The listener's onPartitionsRevoked: partitions that the member gives up."""
    ASSIGNED = "onPartitionsAssigned"
    """The listener's onPartitionsAssigned: partitions that the member gets."""
    USER_DATA = "subscriptionUserData"
    """The assignor's subscriptionUserData."""
    JOIN = "JoinGroup"
    """JoinGroup is sent."""
    ON_ASSIGNMENT = "onAssignment"
    """The assignor's onAssignment; what it is called with is owned from then on."""
    LEAVE = "LeaveGroup"
    """LeaveGroup is sent."""


LISTENER = frozenset({Work.LOST, Work.REVOKED, Work.ASSIGNED})
"""The listener's callbacks, which take the time that the application takes."""


class With(StrEnum):
    """The partitions that a listener is called with."""

    NONE = ""
    """No partitions: the step is not a listener callback."""
    OWNED = "all that is owned"
    """All partitions that the member owns."""
    UNSUBSCRIBED = "owned, but no longer subscribed"
    """Owned partitions of topics that it no longer subscribes to."""
    VANISHED = "owned, but no longer there"
    """Owned partitions that no longer exist."""
    TAKEN = "owned, but not assigned again"
    """Owned partitions that the new assignment does not contain."""
    ALL_ASSIGNED = "all that is assigned"
    """All partitions of the new assignment."""
    ADDED = "assigned, but not owned before"
    """Partitions of the new assignment that the member did not own."""


class CallbackLine(NamedTuple):
    """A step of a timeline, the partitions it is called with, and whether it runs without any."""

    work: Work
    partitions: With = With.NONE
    even_if_empty: bool = True


class Situation(StrEnum):
    """The occasion of a timeline."""

    FALLEN_OUT = "joining after falling out of the group"
    """The member joins after it fell out of the group."""
    EAGER_JOIN = "joining, eager"
    """An eager member joins."""
    COOPERATIVE_JOIN = "joining, cooperative"
    """A cooperative member joins."""
    AGAIN = "joining again before the last join came to its end"
    """The member joins again, as its last join had no result."""
    EAGER_ASSIGNED = "assignment received, eager"
    """An eager member receives its assignment."""
    COOPERATIVE_ASSIGNED = "assignment received, cooperative"
    """A cooperative member receives its assignment."""
    VANISHED = "topic metadata changed, cooperative"
    """A cooperative member learns that owned partitions no longer exist."""
    LEAVING = "leaving"
    """The member leaves a stable group."""
    LEAVING_FALLEN = "leaving after falling out of the group, or during a rebalance"
    """The member leaves after it fell out of the group, or during a rebalance."""


_SEND = (CallbackLine(Work.USER_DATA), CallbackLine(Work.JOIN))

TIMELINES: Mapping[Situation, tuple[CallbackLine, ...]] = MappingProxyType(
    {
        Situation.FALLEN_OUT: (CallbackLine(Work.LOST, With.OWNED, even_if_empty=False), *_SEND),
        Situation.EAGER_JOIN: (CallbackLine(Work.REVOKED, With.OWNED), *_SEND),
        Situation.COOPERATIVE_JOIN: (
            CallbackLine(Work.REVOKED, With.UNSUBSCRIBED, even_if_empty=False),
            *_SEND,
        ),
        Situation.AGAIN: _SEND,
        Situation.EAGER_ASSIGNED: (
            CallbackLine(Work.ON_ASSIGNMENT),
            CallbackLine(Work.ASSIGNED, With.ALL_ASSIGNED),
        ),
        Situation.COOPERATIVE_ASSIGNED: (
            CallbackLine(Work.REVOKED, With.TAKEN, even_if_empty=False),
            CallbackLine(Work.ON_ASSIGNMENT),
            CallbackLine(Work.ASSIGNED, With.ADDED),
        ),
        Situation.VANISHED: (CallbackLine(Work.LOST, With.VANISHED, even_if_empty=False),),
        Situation.LEAVING: (
            CallbackLine(Work.REVOKED, With.OWNED, even_if_empty=False),
            CallbackLine(Work.LEAVE),
        ),
        Situation.LEAVING_FALLEN: (
            CallbackLine(Work.LOST, With.OWNED, even_if_empty=False),
            CallbackLine(Work.LEAVE),
        ),
    }
)


class Task(NamedTuple):
    """A step with the partitions at hand."""

    work: Work
    partitions: frozenset[Partition] = frozenset()


def plan(situation: Situation, sets: Mapping[With, frozenset[Partition]]) -> tuple[Task, ...]:
    """Return the timeline of a situation with its partitions; callbacks that are not wanted without
    any are left out.
    """
    nobody: frozenset[Partition] = frozenset()
    return tuple(
        Task(line.work, sets.get(line.partitions, nobody))
        for line in TIMELINES[situation]
        if line.even_if_empty or sets.get(line.partitions)
    )
