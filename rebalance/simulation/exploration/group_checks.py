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
from ..machines.coordinator_state import GroupPhase
from ..machines.member_state import Phase
from .model import Group, Model


def disjoint(model: Model, group: Group) -> Iterator[str]:
    """Yield partitions that two members of the current generation own."""
    yield from overlaps(model.truly_owned(group))


def at_rest(model: Model, group: Group) -> Iterator[str]:
    """Yield what keeps a group from rest: it is not stable although it has members, or a member
    waits.
    """
    running = [process for process in group.processes if process is not None]
    joined = [process for process in running if process.state.phase is not Phase.FAILED]
    phase = group.coordinator.phase
    if joined and phase is not GroupPhase.STABLE:
        yield f"the group is {phase}, and nothing happens any more"
    for place, process in enumerate(group.processes):
        if process is not None and process.state.phase is not Phase.STABLE and process in joined:
            yield f"{'abcdefghij'[place]} is {process.state.phase}, and nothing happens any more"


def all_owned(model: Model, group: Group) -> Iterator[str]:
    """Yield partitions that a running member subscribes to and none owns."""
    counts = dict(group.topics)
    running = [
        process
        for process in group.processes
        if process is not None and process.state.phase is not Phase.FAILED
    ]
    wanted = {topic for process in running for topic in process.state.subscribed}
    owned = frozenset[Partition]().union(*(process.state.owned for process in running))
    for topic in sorted(wanted):
        for number in range(counts.get(topic, 0)):
            if (topic, number) not in owned:
                yield f"{topic}-{number} belongs to nobody"


def nobody_failed(model: Model, group: Group) -> Iterator[str]:
    """Yield members that were refused for good."""
    for place, process in enumerate(group.processes):
        if process is not None and process.state.phase is Phase.FAILED:
            yield f"{'abcdefghij'[place]} has failed: {process.state.reason}"


GroupCheck = Callable[[Model, Group], Iterator[str]]

STATE_CHECKS: Mapping[str, GroupCheck] = MappingProxyType({"disjoint": disjoint})
"""The checks of every state, by name."""

END_CHECKS: Mapping[str, GroupCheck] = MappingProxyType(
    {"at-rest": at_rest, "all-owned": all_owned, "nobody-failed": nobody_failed}
)
"""The checks of states in which nothing happens any more, by name."""
