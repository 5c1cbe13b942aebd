"""Events between two looks at a group, such as two outputs of a tool show.

That members are others, or that a partition has another owner, proves a rebalance between the two,
not when it was and why: the event has the time of the second look, and `since` that of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from ..capture.logs.event import LogEvent
from ..capture.logs.layouts import Stamp
from ..inspector.shapes.group_shapes import Group, Member
from ..wording import some_of

__all__ = ["GroupLook", "events_of_looks"]

_NAMED = 5  # partitions in one sentence


class GroupLook(NamedTuple):
    """A group as it was at one moment. `line` is where its source shows it. `has_all_members`:
    the group had no others."""

    group: Group
    stamp: Stamp
    line: int
    tool: str = ""
    has_all_members: bool = False
    is_rebalancing: bool = False


def events_of_looks(looks: Iterable[GroupLook]) -> Iterator[LogEvent]:
    """Yield what was proved to have happened between the looks at one group, in order.

    Fields of all events: `since` (the time of the look before, in milliseconds, None if unknown),
    `since_line` (its line) and `evidence` (in words). `member-joined` has `earlier`, the member id
    that is gone, where a member with the same instance id or client id took its place, and
    `replaces` where it is by the instance id. `certain` is False where a member may have been there
    all the time, without a partition.
    """
    sequence = list(looks)
    for look in sequence[:1]:
        if look.is_rebalancing:
            yield _event("rebalance-began", look, look, f"the tool says {look.group.state}")
    for first, second in pairwise(sequence):
        yield from _between(first, second)


def _between(first: GroupLook, second: GroupLook) -> Iterator[LogEvent]:
    absent = _missing_in(second, first)
    new = _missing_in(first, second)
    replaced = _replaced(absent, new)
    yield from _departures(first, second, absent, replaced)
    yield from _arrivals(first, second, new, replaced)
    evidence = _evidence(first, second, absent, new, replaced)
    if evidence and second.group.members and not first.is_rebalancing:
        yield _event("rebalance-began", first, second, evidence)
    elif second.is_rebalancing and not first.is_rebalancing:
        yield _event("rebalance-began", first, second, f"the tool says {second.group.state}")
    if second.group.state == "Stable" and (first.is_rebalancing or evidence):
        yield _event("stabilized", first, second, "the group is Stable")


def _missing_in(look: GroupLook, second: GroupLook) -> dict[str, Member]:
    """Return the members of the second look that this one does not have."""
    ids = {member.member_id for member in look.group.members}
    return {
        member.member_id: member for member in second.group.members if member.member_id not in ids
    }


def _replaced(absent: Mapping[str, Member], new: Mapping[str, Member]) -> dict[str, Member]:
    """Return the static members that came back, by their new ids: each as it was before."""
    by_instance = {member.instance_id: member for member in absent.values() if member.instance_id}
    return {
        member_id: by_instance[member.instance_id]
        for member_id, member in new.items()
        if member.instance_id in by_instance
    }


def _departures(
    first: GroupLook,
    second: GroupLook,
    absent: Mapping[str, Member],
    replaced: Mapping[str, Member],
) -> Iterator[LogEvent]:
    back = {member.member_id for member in replaced.values()}
    for member_id, member in absent.items():
        if member_id in back:
            continue
        if second.has_all_members:
            text, is_certain = f"{_name(member)} is not there any more", True
        else:
            text, is_certain = f"{_name(member)} has no partition any more", False
        yield _event("member-left", first, second, text, member, certain=is_certain)


def _arrivals(
    first: GroupLook, second: GroupLook, new: Mapping[str, Member], replaced: Mapping[str, Member]
) -> Iterator[LogEvent]:
    clients = {member.client_id: member for member in _missing_in(second, first).values()}
    for member_id, member in new.items():
        fields: dict[str, Any] = {}
        earlier = replaced.get(member_id)
        if earlier is not None:
            fields = {"earlier": earlier.member_id, "replaces": True}
        elif member.client_id and member.client_id in clients:
            fields = {"earlier": clients[member.client_id].member_id}
        text = f"{_name(member)} is there under a new member id" if fields else (
            f"{_name(member)} was not there before"
        )  # fmt: skip
        is_certain = first.has_all_members or bool(fields)
        yield _event("member-joined", first, second, text, member, certain=is_certain, **fields)


def _evidence(
    first: GroupLook,
    second: GroupLook,
    absent: Mapping[str, Member],
    new: Mapping[str, Member],
    replaced: Mapping[str, Member],
) -> str:
    """Return what proves a rebalance between two looks, "" if nothing does. A static member that
    came back under a new id proves none."""
    ids = {earlier.member_id: member_id for member_id, earlier in replaced.items()}
    moved = _moved(first.group, second.group, ids)
    arrivals = [member for member_id, member in new.items() if member_id not in replaced]
    left = [member for member_id, member in absent.items() if member_id not in ids]
    parts = []
    if first.has_all_members and second.has_all_members and (arrivals or left):
        names = [f"new: {_names(arrivals)}"] if arrivals else []
        names += [f"gone: {_names(left)}"] if left else []
        parts.append(f"other members ({'; '.join(names)})")
    if moved:
        parts.append(f"other owners of {some_of(moved, _NAMED)}")
    epochs = [look.group.assigned_epoch for look in (first, second)]
    if None not in epochs and epochs[0] != epochs[1]:
        parts.append(f"target assignment of epoch {epochs[1]} after {epochs[0]}")
    return ", ".join(parts)


def _moved(first: Group, second: Group, ids: Mapping[str, str]) -> list[str]:
    """Return the partitions that had an owner and have another one."""
    if first.kind in ("share", "streams") or second.kind in ("share", "streams"):
        return []
    later = {(row.topic, row.partition): row.members for row in second.partitions}
    return [
        f"{row.topic}-{row.partition}"
        for row in first.partitions
        if row.members and later.get((row.topic, row.partition))
        and {ids.get(member, member) for member in row.members}
        != {*later[row.topic, row.partition]}
    ]  # fmt: skip


def _name(member: Member) -> str:
    return member.client_id or member.member_id


def _names(members: Iterable[Member]) -> str:
    return ", ".join(dict.fromkeys(map(_name, members)))


def _event(
    word: str,
    first: GroupLook,
    second: GroupLook,
    evidence: str,
    member: Member | None = None,
    *,
    certain: bool = True,
    **fields: Any,
) -> LogEvent:
    """Return an event; without a member it is of the group, whose newest epoch it has."""
    epoch = second.group.epoch if member is None else member.epoch
    values = {
        "since": first.stamp.milliseconds, "since_line": first.line, "evidence": evidence,
        "certain": certain, **fields,
    }  # fmt: skip
    return LogEvent(
        word,
        "broker",
        second.tool,
        second.line,
        second.stamp,
        second.group.group_id,
        second.group.kind if second.group.kind != "unknown" else "",
        member.member_id if member is not None else "",
        member.client_id if member is not None else "",
        (member.instance_id or "") if member is not None else "",
        -1 if epoch is None else epoch,
        MappingProxyType(values),
        evidence,
    )
