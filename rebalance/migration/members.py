"""The members' bytes, member by member, in the order in which the coordinator converts them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ..java_order import hash_order
from .embedded import MessageT, Unreadable, read_embedded
from .group import ClassicGroup, ClassicMember
from .reasons import Reason

_STREAMS = "stream"
"""The assignor of Kafka Streams."""

Share: TypeAlias = Mapping[str, frozenset[int]]
"""Partition numbers by topic; of a topic that comes twice, the last entry counts."""


class Converted(NamedTuple):
    """A member that the coordinator could convert."""

    member: ClassicMember
    topics: frozenset[str]
    share: Share


def member_reasons(group: ClassicGroup) -> Iterator[Reason]:
    """Yield what is wrong with the members' bytes, in the broker's order."""
    converted: list[Converted] = []
    owners: dict[tuple[str, int], str] = {}
    for member in _in_broker_order(group):
        assignment = yield from _assignment(member, group.protocol_selected())
        subscription = yield from _subscription(group, member)
        if assignment is None:
            continue
        share = _share(assignment)
        yield from _assigned_twice(group, member, share, owners)
        if subscription is not None:
            converted.append(Converted(member, frozenset(subscription.topics), share))
    if len(group.members or ()) == group.settings.max_size:
        told = f"all {group.settings.max_size} places of group.consumer.max.size are taken"
        yield Reason("", "group-full", "", told)
    for known in converted:
        yield from _out_of_range(group, known)


def is_plain_member(assignment: bytes, subscription: bytes) -> bool:
    """Return whether the coordinator reads both without complaint, as it does of most members. Then
    only the other members and the broker's topics may keep the group.
    """
    given = read_embedded(assignment, ConsumerProtocolAssignment) if assignment else None
    return (
        not isinstance(given, Unreadable)
        and not (given is not None and given.user_data)
        and not isinstance(read_embedded(subscription, ConsumerProtocolSubscription), Unreadable)
    )


def converted_members(group: ClassicGroup) -> list[Converted] | None:
    """Return the members as the coordinator converts them; None where it cannot convert all."""
    converted = []
    for member in _in_broker_order(group):
        assignment = _returned(_assignment(member, group.protocol_selected()))
        subscription = _returned(_subscription(group, member))
        if assignment is None or subscription is None:
            return None
        share = _share(assignment)
        converted.append(Converted(member, frozenset(subscription.topics), share))
    return converted


def _returned(reading: Generator[Reason, None, MessageT | None]) -> MessageT | None:
    try:
        while True:
            next(reading)
    except StopIteration as end:
        read: MessageT | None = end.value
        return read


def _share(assignment: ConsumerProtocolAssignment) -> Share:
    return {topic.topic: frozenset(topic.partitions) for topic in assignment.assigned_partitions}


def _in_broker_order(group: ClassicGroup) -> list[ClassicMember]:
    """The coordinator keeps members in a hash map of their ids."""
    by_id = {member.member_id: member for member in group.members or ()}
    return [by_id[member_id] for member_id in hash_order(by_id)]


def _assignment(
    member: ClassicMember, selected: str | None
) -> Generator[Reason, None, ConsumerProtocolAssignment | None]:
    data = member.assignment
    if data is None:
        yield Reason(member.member_id, "not-told", "assignment", "its assignment is not known")
        return None
    if not data:
        return ConsumerProtocolAssignment()
    read = read_embedded(data, ConsumerProtocolAssignment)
    if isinstance(read, Unreadable):
        yield _unreadable(member, "assignment", "assignment", read, data)
        return None
    if read.user_data:
        told = f"its assignment has user data ({len(read.user_data):,} bytes)"
        kind = "streams-assignor" if selected == _STREAMS else "custom-assignor"
        yield Reason(member.member_id, kind, "assignment.user_data", told, data)
    return read


def _subscription(
    group: ClassicGroup, member: ClassicMember
) -> Generator[Reason, None, ConsumerProtocolSubscription | None]:
    selected = group.protocol_selected()
    if selected is None or member.protocols is None:
        missing = "the selected protocol is" if selected is None else "its protocols are"
        yield Reason(member.member_id, "not-told", "protocols", f"{missing} not known")
        return None
    if not selected:
        told = "it waits in the first rebalance, which has not selected a protocol yet"
        yield Reason(member.member_id, "no-protocol-selected", "protocols", told)
        return None
    path = f"protocols[{selected}]"
    listed = member.listed(selected)
    if listed is None:
        told = f"it does not list {selected!r}, the selected protocol"
        yield Reason(member.member_id, "protocol-not-listed", "protocols", told)
        return None
    if listed.metadata is None:
        yield Reason(member.member_id, "not-told", path, "its subscription is not known")
        return None
    read = read_embedded(listed.metadata, ConsumerProtocolSubscription)
    if isinstance(read, Unreadable):
        yield _unreadable(member, "subscription", path, read, listed.metadata)
        return None
    return read


def _unreadable(
    member: ClassicMember, noun: str, path: str, read: Unreadable, data: bytes
) -> Reason:
    kind = f"malformed-{noun}" if read.expected else f"unreadable-{noun}"
    where = f"{path}.{read.path}" if read.path else path
    told = f"its {noun} cannot be read: {read.reason}"
    return Reason(member.member_id, kind, where, told, data)


def _assigned_twice(
    group: ClassicGroup,
    member: ClassicMember,
    share: Share,
    owners: dict[tuple[str, int], str],
) -> Iterator[Reason]:
    for topic, partitions in share.items():
        if group.topics is not None and topic not in group.topics:
            continue  # the conversion drops topics that the broker does not know
        for partition in sorted(partitions):
            owner = owners.setdefault((topic, partition), member.member_id)
            if owner != member.member_id:
                yield _twice(group, member, owner, f"{topic}-{partition}")
                break


def _twice(group: ClassicGroup, member: ClassicMember, owner: str, partition: str) -> Reason:
    told = f"it is assigned {partition}, and so is {owner}"
    if group.topics is None:
        unknown = f"{told}; that fails if the broker still has the topic, which is not known"
        return Reason(member.member_id, "not-told", "assignment.assigned_partitions", unknown)
    path = "assignment.assigned_partitions"
    return Reason(member.member_id, "partition-assigned-twice", path, told)


def _out_of_range(group: ClassicGroup, known: Converted) -> Iterator[Reason]:
    """`uniform` keeps what members have, and so stumbles over what does not exist."""
    topics, assignor = group.topics, group.settings.assignor
    if topics is None or assignor == "range":
        return
    for topic, partitions in known.share.items():
        count = topics.get(topic)
        if count is None or topic not in known.topics:
            continue
        strange = sorted(number for number in partitions if not 0 <= number < count)
        if not strange:
            continue
        told = f"it is assigned {topic}-{strange[0]}, and {topic} has {count} partitions"
        what = "partition-out-of-range"
        if assignor != "uniform":
            told += f"; what {assignor} makes of that is not known"
            what = "not-told"
        yield Reason(known.member.member_id, what, "assignment.assigned_partitions", told)
