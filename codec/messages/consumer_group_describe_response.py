"""ConsumerGroupDescribeResponse, generated from schemas/ConsumerGroupDescribeResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import field as _field

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    INT16,
    INT32,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_uuid,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupDescribeResponse(Message, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupDescribeResponse, versions 0-1.

    What the broker knows about groups of the new consumer group protocol (KIP-848). While a group
    moves from the classic protocol to this one, members of both kinds are here.

    Version 1 (KIP-1099): of which kind a member is.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-1; default 0.
        groups ([]DescribedGroup): The groups that were asked for. Versions 0-1; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "ConsumerGroupDescribeResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 69
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ConsumerGroupDescribeResponse, versions 0-1.

        Partitions of one topic.

        Attributes:
            topic_id (uuid): The topic, by its id. Versions 0-1; default UUID(int=0).
            topic_name (string): The topic, by its name. Versions 0-1; default ''.
            partitions ([]int32): The numbers of its partitions. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        topic_id: UUID = ZERO_UUID
        topic_name: str = ""
        partitions: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Assignment(MessagePart, frozen=True, kw_only=True, gc=False):
        """Assignment of ConsumerGroupDescribeResponse, versions 0-1.

        What a member owns, or is to own.

        Attributes:
            topic_partitions ([]TopicPartitions): The partitions by topic. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        topic_partitions: tuple[ConsumerGroupDescribeResponse.TopicPartitions, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("topic_partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.topic_partitions) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_partitions: Iterable[ConsumerGroupDescribeResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_partitions: Iterable[ConsumerGroupDescribeResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Member(MessagePart, frozen=True, kw_only=True, gc=False):
        """Member of ConsumerGroupDescribeResponse, versions 0-1.

        The members of the group.

        Attributes:
            member_id (string): The member's id. Versions 0-1; default ''.
            instance_id (string): The name of a static member; null if dynamic. Versions 0-1; may be
                null; default None.
            rack_id (string): The rack that the member runs in; null if not told. Versions 0-1; may be
                null; default None.
            member_epoch (int32): The epoch that the member has reached. Versions 0-1; default 0.
            client_id (string): What the member's client calls itself. Versions 0-1; default ''.
            client_host (string): The address that it connected from. Versions 0-1; default ''.
            subscribed_topic_names ([]string): The topics that it subscribes to by name. Versions 0-1;
                default ().
            subscribed_topic_regex (string): The pattern it subscribes by; null if none. Versions 0-1;
                may be null; default None.
            assignment (Assignment): What the member owns. Versions 0-1; default Assignment().
            target_assignment (Assignment): What the member is to own in the end. Versions 0-1;
                default Assignment().
            member_type (int8): 0: classic protocol, 1: this one, -1: not known (KIP-1099). Version 1;
                default -1; other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        member_id: str = ""
        instance_id: str | None = None
        rack_id: str | None = None
        member_epoch: int = 0
        client_id: str = ""
        client_host: str = ""
        subscribed_topic_names: tuple[str, ...] = ()
        subscribed_topic_regex: str | None = None
        assignment: ConsumerGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
        target_assignment: ConsumerGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
        member_type: int = -1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("subscribed_topic_names", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.subscribed_topic_names) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                instance_id: str | None = ...,
                rack_id: str | None = ...,
                member_epoch: int = ...,
                client_id: str = ...,
                client_host: str = ...,
                subscribed_topic_names: Iterable[str] = ...,
                subscribed_topic_regex: str | None = ...,
                assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                target_assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                member_type: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                instance_id: str | None = ...,
                rack_id: str | None = ...,
                member_epoch: int = ...,
                client_id: str = ...,
                client_host: str = ...,
                subscribed_topic_names: Iterable[str] = ...,
                subscribed_topic_regex: str | None = ...,
                assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                target_assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                member_type: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribedGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroup of ConsumerGroupDescribeResponse, versions 0-1.

        The groups that were asked for.

        Attributes:
            error_code (int16): Why this group could not be described; 0 if it could. Versions 0-1;
                default 0.
            error_message (string): The same in words; null if there is nothing to say. Versions 0-1;
                may be null; default None.
            group_id (string): The group's id. Versions 0-1; default ''.
            group_state (string): Empty, Assigning, Reconciling, Stable or Dead. Versions 0-1; default
                ''.
            group_epoch (int32): Grows with every change of members or subscriptions. Versions 0-1;
                default 0.
            assignment_epoch (int32): The group epoch that the target assignment was made for.
                Versions 0-1; default 0.
            assignor_name (string): The assignor of the broker that is in use. Versions 0-1; default
                ''.
            members ([]Member): The members of the group. Versions 0-1; default ().
            authorized_operations (int32): What the asker may do: bit n stands for operation n.
                Versions 0-1; default -2147483648.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        error_code: int = 0
        error_message: str | None = None
        group_id: str = ""
        group_state: str = ""
        group_epoch: int = 0
        assignment_epoch: int = 0
        assignor_name: str = ""
        members: tuple[ConsumerGroupDescribeResponse.Member, ...] = ()
        authorized_operations: int = -2147483648
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("members", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                group_epoch: int = ...,
                assignment_epoch: int = ...,
                assignor_name: str = ...,
                members: Iterable[ConsumerGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                group_epoch: int = ...,
                assignment_epoch: int = ...,
                assignor_name: str = ...,
                members: Iterable[ConsumerGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    groups: tuple[ConsumerGroupDescribeResponse.DescribedGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[ConsumerGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[ConsumerGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Assignment = ConsumerGroupDescribeResponse.Assignment
_DescribedGroup = ConsumerGroupDescribeResponse.DescribedGroup
_Member = ConsumerGroupDescribeResponse.Member
_TopicPartitions = ConsumerGroupDescribeResponse.TopicPartitions
_DEFAULT_Assignment: ConsumerGroupDescribeResponse.Assignment = (
    ConsumerGroupDescribeResponse.Assignment()
)


def _read_topic_partitions_v0_1(data: bytes, pos: int) -> tuple[_TopicPartitions, int]:
    topic_id, pos = read_uuid(data, pos)
    topic_name, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartitions(
        topic_id=topic_id,
        topic_name=topic_name,
        partitions=partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_topic_partitions_v0_1(item: _TopicPartitions, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartitions:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_string(item.topic_name, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_assignment_v0_1(data: bytes, pos: int) -> tuple[_Assignment, int]:
    topic_partitions, pos = read_compact_array(data, pos, _read_topic_partitions_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Assignment(topic_partitions=topic_partitions, unknown_tagged_fields=unknown), pos


def _write_assignment_v0_1(item: _Assignment, parts: list[bytes]) -> None:
    if type(item) is not _Assignment:
        raise OddValue
    write_compact_array(item.topic_partitions, parts, _write_topic_partitions_v0_1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_member_v0(data: bytes, pos: int) -> tuple[_Member, int]:
    member_id, pos = read_compact_string(data, pos)
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    subscribed_topic_names, pos = read_compact_array(data, pos, read_compact_string)
    subscribed_topic_regex, pos = read_compact_nullable_string(data, pos)
    assignment, pos = _read_assignment_v0_1(data, pos)
    target_assignment, pos = _read_assignment_v0_1(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _Member(
        member_id=member_id,
        instance_id=instance_id,
        rack_id=rack_id,
        member_epoch=member_epoch,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        subscribed_topic_regex=subscribed_topic_regex,
        assignment=assignment,
        target_assignment=target_assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_v0(item: _Member, parts: list[bytes]) -> None:
    if type(item) is not _Member:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.instance_id, parts)
    write_compact_nullable_string(item.rack_id, parts)
    INT32.write(item.member_epoch, parts)
    write_compact_string(item.client_id, parts)
    write_compact_string(item.client_host, parts)
    write_compact_array(item.subscribed_topic_names, parts, write_compact_string)
    write_compact_nullable_string(item.subscribed_topic_regex, parts)
    _write_assignment_v0_1(item.assignment, parts)
    _write_assignment_v0_1(item.target_assignment, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_described_group_v0(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    (group_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (assignment_epoch,), pos = INT32.unpack(data, pos), pos + 4
    assignor_name, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_member_v0)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroup(
        error_code=error_code,
        error_message=error_message,
        group_id=group_id,
        group_state=group_state,
        group_epoch=group_epoch,
        assignment_epoch=assignment_epoch,
        assignor_name=assignor_name,
        members=members,
        authorized_operations=authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_v0(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_compact_string(item.group_id, parts)
    write_compact_string(item.group_state, parts)
    INT32.write(item.group_epoch, parts)
    INT32.write(item.assignment_epoch, parts)
    write_compact_string(item.assignor_name, parts)
    write_compact_array(item.members, parts, _write_member_v0)
    INT32.write(item.authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupDescribeResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: ConsumerGroupDescribeResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_member_v1(data: bytes, pos: int) -> tuple[_Member, int]:
    member_id, pos = read_compact_string(data, pos)
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    subscribed_topic_names, pos = read_compact_array(data, pos, read_compact_string)
    subscribed_topic_regex, pos = read_compact_nullable_string(data, pos)
    assignment, pos = _read_assignment_v0_1(data, pos)
    target_assignment, pos = _read_assignment_v0_1(data, pos)
    (member_type,), pos = INT8.unpack(data, pos), pos + 1
    unknown, pos = read_unknown_tags(data, pos)
    return _Member(
        member_id=member_id,
        instance_id=instance_id,
        rack_id=rack_id,
        member_epoch=member_epoch,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        subscribed_topic_regex=subscribed_topic_regex,
        assignment=assignment,
        target_assignment=target_assignment,
        member_type=member_type,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_v1(item: _Member, parts: list[bytes]) -> None:
    if type(item) is not _Member:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.instance_id, parts)
    write_compact_nullable_string(item.rack_id, parts)
    INT32.write(item.member_epoch, parts)
    write_compact_string(item.client_id, parts)
    write_compact_string(item.client_host, parts)
    write_compact_array(item.subscribed_topic_names, parts, write_compact_string)
    write_compact_nullable_string(item.subscribed_topic_regex, parts)
    _write_assignment_v0_1(item.assignment, parts)
    _write_assignment_v0_1(item.target_assignment, parts)
    INT8.write(item.member_type, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_described_group_v1(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    (group_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (assignment_epoch,), pos = INT32.unpack(data, pos), pos + 4
    assignor_name, pos = read_compact_string(data, pos)
    members, pos = read_compact_array(data, pos, _read_member_v1)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroup(
        error_code=error_code,
        error_message=error_message,
        group_id=group_id,
        group_state=group_state,
        group_epoch=group_epoch,
        assignment_epoch=assignment_epoch,
        assignor_name=assignor_name,
        members=members,
        authorized_operations=authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_v1(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_compact_string(item.group_id, parts)
    write_compact_string(item.group_state, parts)
    INT32.write(item.group_epoch, parts)
    INT32.write(item.assignment_epoch, parts)
    write_compact_string(item.assignor_name, parts)
    write_compact_array(item.members, parts, _write_member_v1)
    INT32.write(item.authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerGroupDescribeResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v1)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v1(message: ConsumerGroupDescribeResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v1)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ConsumerGroupDescribeResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
