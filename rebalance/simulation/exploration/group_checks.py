"""Checks of a whole group, by name: in every state, and once nothing happens any more.

`disjoint`: among members that hold the coordinator's current generation ownership is disjoint. A
member holds it that joined it under an id that the coordinator knows, and what counts as owned is
what it was given under that id: a member that the group has gone on without believes to own more,
and its commits are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from ...assignments import Partition, overlaps
from ..modern.group_state import ConsumerGroup
from .model import truly_owned
from .snapshot import NAMES, ExploredMember, Snapshot

GroupCheck = Callable[[Snapshot], Iterator[str]]


def disjoint(group: Snapshot) -> Iterator[str]:
    """Yield partitions that two members of the current generation own."""
    yield from overlaps(truly_owned(group))


def assigned_once(group: Snapshot) -> Iterator[str]:
    """Yield partitions that the coordinator of the consumer protocol has assigned to two members,
    or to one before another has given them back.
    """
    members = group.coordinator.members if isinstance(group.coordinator, ConsumerGroup) else ()
    owners: dict[Partition, str] = {}
    for member in members:
        for (topic, number), _ in (*member.assigned, *member.revoking):
            if (topic, number) in owners:
                owner = owners[topic, number]
                yield f"{topic}-{number} is assigned to {owner} and to {member.member_id}"
            owners[topic, number] = member.member_id


def _running(group: Snapshot) -> Iterator[tuple[str, ExploredMember]]:
    """Yield the processes that were not refused for good, by name."""
    for name, process in zip(NAMES, group.processes, strict=False):
        if process is not None and not process.state.has_failed:
            yield name, process


def at_rest(group: Snapshot) -> Iterator[str]:
    """Yield what keeps a group from rest: it is not stable although it has members, or a member
    waits.
    """
    running, phase = dict(_running(group)), group.coordinator.phase
    if running and phase != "stable":
        yield f"the group is {phase}, and nothing happens any more"
    for name, process in running.items():
        if process.state.phase != "stable":
            yield f"{name} is {process.state.phase}, and nothing happens any more"


def all_owned(group: Snapshot) -> Iterator[str]:
    """Yield partitions that a running member subscribes to and none owns."""
    counts = dict(group.topics)
    states = [process.state for _, process in _running(group)]
    owned = frozenset[Partition]().union(*(state.owned for state in states))
    for topic in sorted({topic for state in states for topic in state.subscribed}):
        for number in range(counts.get(topic, 0)):
            if (topic, number) not in owned:
                yield f"{topic}-{number} belongs to nobody"


def nobody_failed(group: Snapshot) -> Iterator[str]:
    """Yield members that were refused for good."""
    for name, process in zip(NAMES, group.processes, strict=False):
        if process is not None and process.state.has_failed:
            yield f"{name} has failed: {process.state.reason}"


STATE_CHECKS: Mapping[str, GroupCheck] = MappingProxyType(
    {"disjoint": disjoint, "assigned-once": assigned_once}
)
"""The checks of every state, by name."""

END_CHECKS: Mapping[str, GroupCheck] = MappingProxyType(
    {"at-rest": at_rest, "all-owned": all_owned, "nobody-failed": nobody_failed}
)
"""The checks of states in which nothing happens any more, by name."""
