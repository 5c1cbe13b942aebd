"""Foretell a coordinator's answer to the first new-protocol member of a classic group.

The checks come in the order of Apache Kafka 4.3.1 (GroupCoordinatorService, GroupMetadataManager,
ConsumerGroup.fromClassicGroup, the server-side assignors): the broker answers with the error of the
first one that fails. All that would fail is listed, so that it can be mended at once; and so is
what fails after an upgrade that succeeded: rejoins of classic members, and the way back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    ErrorKind,
    VersionedMessage,
)
from ...wording import counted
from ..java_order import hash_order
from .described_group import ClassicGroup, ClassicMember, Policy
from .reasons import NO_ERROR, Reason, static_restarts

Verdict: TypeAlias = Literal["ready", "blocked", "unknown"]

MessageT = TypeVar("MessageT", bound=VersionedMessage)

_CONSUMER = "consumer"
STREAMS_ASSIGNOR = "stream"
"""The assignor of Kafka Streams."""
_VERSION_BYTES = 2


@dataclass(frozen=True, slots=True)
class Readiness:
    """What happens when a member with `group.protocol=consumer` joins the group.

    `error` is the name of the error in the heartbeat's response, or "NONE"; None where the verdict
    is unknown. `reasons` begin with the one that the broker finds first, and end with what is not
    known. `later` is what fails after an upgrade that succeeded.
    """

    group_id: str
    verdict: Verdict
    error: str | None
    reasons: tuple[Reason, ...]
    later: tuple[Reason, ...]


def judge(group: ClassicGroup) -> Readiness:
    """Return what a 4.3 coordinator answers when the first new-protocol member joins the group."""
    reasons = reasons_of(group)
    errors = [reason.error for reason in reasons if reason.error is not None]
    verdict: Verdict = "blocked" if errors else "unknown" if reasons else "ready"
    error = errors[0] if errors else None if reasons else NO_ERROR
    return Readiness(group.group_id, verdict, error, reasons, tuple(what_fails_later(group)))


def reasons_of(group: ClassicGroup) -> tuple[Reason, ...]:
    """Return the reasons of the readiness, in its order."""
    return tuple(sorted(_reasons(group), key=lambda reason: reason.error is None))


def _reasons(group: ClassicGroup) -> Iterator[Reason]:
    yield from _request_refused(group)
    if group.is_empty:
        return
    if group.is_empty is None:
        text = "neither state nor members are known: an empty group converts under any policy"
        yield Reason("", "not-told", "", text)
        return
    yield from _upgrade_refused(group)
    if group.members is None:
        yield Reason("", "not-told", "", "the members are not known")
    elif group.protocol_type in {None, _CONSUMER}:
        reasons = member_reasons(group)
        if group.is_withheld:
            text = f"its state is {group.state}: what members subscribe to is not known"
            yield Reason("", "rebalancing", "", text)
            reasons = (reason for reason in reasons if reason.what != "not-told")
        yield from reasons


def what_keeps(group: ClassicGroup) -> str:
    """Return the kind of reason to leave an empty group to the clients that it had, although the
    coordinator takes whoever comes first; "" for none."""
    if not group.is_empty:
        return ""
    if group.protocol_type not in {None, "", _CONSUMER}:
        return "not-a-consumer-group"
    return "streams-assignor" if group.last_selected == STREAMS_ASSIGNOR else ""


def _request_refused(group: ClassicGroup) -> Iterator[Reason]:
    settings = group.settings
    if not settings.next_protocol:
        text = "the broker serves classic groups alone, and refuses ConsumerGroupHeartbeat"
        yield Reason("", "protocol-disabled", "", text)
    if settings.assignor not in settings.assignors:
        names = ", ".join(settings.assignors)
        text = f"ServerAssignor {settings.assignor} is not supported; the broker has {names}"
        yield Reason("", "assignor-not-known", "", text)


def _upgrade_refused(group: ClassicGroup) -> Iterator[Reason]:
    settings = group.settings
    if not settings.policy.upgrades:
        text = f"online upgrade is disabled: group.consumer.migration.policy is {settings.policy}"
        yield Reason("", "upgrade-disabled", "", text)
    if group.protocol_type is None:
        yield Reason("", "not-told", "", "the protocol type is not known")
    elif group.protocol_type != _CONSUMER:
        yield other_type(group)
    if group.members is not None and len(group.members) > settings.max_size:
        number = counted(len(group.members), "member")
        text = f"{number}; group.consumer.max.size is {settings.max_size}"
        yield Reason("", "group-too-large", "", text)


def other_type(group: ClassicGroup) -> Reason:
    """Return that the members of a group are no consumers."""
    text = f"the protocol type is {group.protocol_type!r}, not the embedded consumer protocol"
    return Reason("", "not-a-consumer-group", "", text)


# -- the members


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
        text = f"all {group.settings.max_size} places of group.consumer.max.size are taken"
        yield Reason("", "group-full", "", text)
    for entry in converted:
        yield from _out_of_range(group, entry)


def is_plain_member(assignment: bytes, subscription: bytes) -> bool:
    """Return whether the coordinator reads both without complaint, as it does of most members. Then
    only the other members and the broker's topics may keep the group.
    """
    share = read_embedded(assignment, ConsumerProtocolAssignment) if assignment else None
    return (
        not isinstance(share, Unreadable)
        and not (share is not None and share.user_data)
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
        text = f"its assignment has user data ({len(read.user_data):,} bytes)"
        kind = "streams-assignor" if selected == STREAMS_ASSIGNOR else "custom-assignor"
        yield Reason(member.member_id, kind, "assignment.user_data", text, data)
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
        text = "it waits in the first rebalance, which has not selected a protocol yet"
        yield Reason(member.member_id, "no-protocol-selected", "protocols", text)
        return None
    path = f"protocols[{selected}]"
    listed = member.listed(selected)
    if listed is None:
        text = f"it does not list {selected!r}, the selected protocol"
        yield Reason(member.member_id, "protocol-not-listed", "protocols", text)
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
    text = f"its {noun} cannot be read: {read.reason}"
    return Reason(member.member_id, kind, where, text, data)


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
    text = f"it is assigned {partition}, and so is {owner}"
    if group.topics is None:
        unknown = f"{text}; that fails if the broker still has the topic, which is not known"
        return Reason(member.member_id, "not-told", "assignment.assigned_partitions", unknown)
    path = "assignment.assigned_partitions"
    return Reason(member.member_id, "partition-assigned-twice", path, text)


def _out_of_range(group: ClassicGroup, converted: Converted) -> Iterator[Reason]:
    """`uniform` keeps what members have, and so stumbles over what does not exist."""
    topics, assignor = group.topics, group.settings.assignor
    if topics is None or assignor == "range":
        return
    for topic, partitions in converted.share.items():
        count = topics.get(topic)
        if count is None or topic not in converted.topics:
            continue
        strange = sorted(number for number in partitions if not 0 <= number < count)
        if not strange:
            continue
        text = f"it is assigned {topic}-{strange[0]}, and {topic} has {count} partitions"
        cause = "partition-out-of-range"
        if assignor != "uniform":
            text += f"; what {assignor} makes of that is not known"
            cause = "not-told"
        yield Reason(converted.member.member_id, cause, "assignment.assigned_partitions", text)


# -- after an upgrade


def what_fails_later(group: ClassicGroup) -> Iterator[Reason]:
    """Yield what fails after the upgrade although the upgrade itself does not."""
    if group.settings.policy is Policy.DISABLED and group.is_empty:
        text = "classic members get INCONSISTENT_GROUP_PROTOCOL once a new member is in the group"
        yield Reason("", "classic-members-refused", "", text)
    if group.is_empty or group.protocol_type != "consumer":
        return
    selected = group.protocol_selected()
    for member in group.members or ():
        yield from _rejoin(member, selected)
    if group.settings.policy.downgrades:
        yield from _downgrade(group, selected)
    if selected != STREAMS_ASSIGNOR:
        yield from static_restarts(member.instance_id for member in group.members or ())


def _rejoin(member: ClassicMember, selected: str | None) -> Iterator[Reason]:
    """A consumer group's coordinator reads the first protocol of each JoinGroup, none other."""
    first = next(iter(member.protocols or ()), None)
    if first is None or first.metadata is None or first.name == selected:
        return
    read = read_embedded(first.metadata, ConsumerProtocolSubscription)
    if isinstance(read, Unreadable):
        text = f"every JoinGroup of it gets UNKNOWN_SERVER_ERROR: {read.reason}"
        path = f"protocols[{first.name}].{read.path}"
        yield Reason(member.member_id, "rejoin-fails", path, text, first.metadata)


def _downgrade(group: ClassicGroup, selected: str | None) -> Iterator[Reason]:
    """The protocol of the classic group is selected anew, and its bytes were not looked at."""
    anew = _select(group.members or ())
    if anew is None or anew == selected:
        return
    for member in group.members or ():
        listed = member.listed(anew)
        if listed is None or listed.metadata is None:
            continue
        error = _downgrade_error(listed.metadata)
        if error is not None:
            text = f"the last new member's leave gets {error}, and it stays in the group"
            path = f"protocols[{anew}]"
            yield Reason(member.member_id, "downgrade-fails", path, text, listed.metadata)


def _downgrade_error(metadata: bytes) -> str | None:
    """Reads a version, and the fields of version 0 under any label; a malformed body passes."""
    if len(metadata) < _VERSION_BYTES or metadata[0] >= 0x80:
        return "GROUP_ID_NOT_FOUND"
    read = read_embedded(
        bytes(_VERSION_BYTES) + metadata[_VERSION_BYTES:], ConsumerProtocolSubscription
    )
    return "UNKNOWN_SERVER_ERROR" if isinstance(read, Unreadable) and not read.expected else None


def _select(members: tuple[ClassicMember, ...]) -> str | None:
    """Return the protocol that most members prefer of those that all of them list; None where that
    is not known. Of equals, Java takes the first in a hash map of their names."""
    listed = [[protocol.name for protocol in member.protocols or ()] for member in members]
    common = set(listed[0]).intersection(*listed[1:]) if listed else set()
    if not common:
        return None
    if len(common) == 1:
        return common.pop()
    votes = Counter(next(name for name in names if name in common) for names in listed)
    return max(hash_order(votes), key=votes.__getitem__)


# -- the embedded consumer protocol, as the coordinator reads it
#
# It catches one exception, SchemaException, which its reader makes of an underflow in a field of
# fixed width and of a version below 0. Everything else that goes wrong leaves it as an exception
# that it does not expect.

_TEXT_LENGTH = 2
_BYTES_LENGTH = 4


class Unreadable(NamedTuple):
    """Why the coordinator cannot read bytes, and whether it expects that."""

    expected: bool
    """Whether it answers that the protocol is malformed, rather than UNKNOWN_SERVER_ERROR."""
    path: str
    reason: str


def read_embedded(data: bytes, cls: type[MessageT]) -> MessageT | Unreadable:
    """Return the message in `data`, or why a 4.3 coordinator fails to read it."""
    try:
        return cls.from_bytes(data)
    except DecodeError as error:
        return Unreadable(_is_schema_exception(error, len(data)), error.path, str(error))


def _is_schema_exception(error: DecodeError, size: int) -> bool:
    if error.kind is ErrorKind.UNSUPPORTED_VERSION:
        return True
    return error.kind is ErrorKind.TRUNCATED and size - error.offset < _prefix(error.path)


def _prefix(path: str) -> int:
    """Return how many bytes at the path are read with a check for underflow; what follows the
    length of a string or of bytes is read without one."""
    name = path.rpartition(".")[2]
    if name == "user_data":
        return _BYTES_LENGTH
    if name in {"topic", "rack_id"} or name.startswith("topics["):
        return _TEXT_LENGTH
    return _BYTES_LENGTH  # a number or a count: whenever it is truncated, it is so itself
