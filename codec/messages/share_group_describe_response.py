"""ShareGroupDescribeResponse, generated from schemas/ShareGroupDescribeResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import field as _field

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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


class ShareGroupDescribeResponse(Message, frozen=True, kw_only=True, gc=False):
    """ShareGroupDescribeResponse, versions 1.

    What the broker knows about share groups (KIP-932).

    Version 0 was of an early release and is not read any more.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Version 1; default 0.
        groups ([]DescribedGroup): The groups that were asked for. Version 1; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 1; default ().
    """

    NAME = "ShareGroupDescribeResponse"
    VERSIONS = VersionRange(1, 1)
    LATEST = 1
    API_KEY = 77
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ShareGroupDescribeResponse, versions 1.

        Partitions of one topic.

        Attributes:
            topic_id (uuid): The topic's id (KIP-516). Version 1; default UUID(int=0).
            topic_name (string): The topic's name. Version 1; default ''.
            partitions ([]int32): The partitions of the topic. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 1; default ().
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
        """Assignment of ShareGroupDescribeResponse, versions 1.

        What one member reads.

        Attributes:
            topic_partitions ([]TopicPartitions): The partitions, by topic. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 1; default ().
        """

        topic_partitions: tuple[ShareGroupDescribeResponse.TopicPartitions, ...] = ()
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
                topic_partitions: Iterable[ShareGroupDescribeResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_partitions: Iterable[ShareGroupDescribeResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Member(MessagePart, frozen=True, kw_only=True, gc=False):
        """Member of ShareGroupDescribeResponse, versions 1.

        The members of the group.

        Attributes:
            member_id (string): The member's id. Version 1; default ''.
            rack_id (string): The rack that the member runs in; null if not told. Version 1; may be
                null; default None.
            member_epoch (int32): The epoch that the member has reached. Version 1; default 0.
            client_id (string): What the client calls itself. Version 1; default ''.
            client_host (string): The address that it connects from. Version 1; default ''.
            subscribed_topic_names ([]string): The topics that it wants. Version 1; default ().
            assignment (Assignment): What the member reads. Version 1; default Assignment().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 1; default ().
        """

        member_id: str = ""
        rack_id: str | None = None
        member_epoch: int = 0
        client_id: str = ""
        client_host: str = ""
        subscribed_topic_names: tuple[str, ...] = ()
        assignment: ShareGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
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
                rack_id: str | None = ...,
                member_epoch: int = ...,
                client_id: str = ...,
                client_host: str = ...,
                subscribed_topic_names: Iterable[str] = ...,
                assignment: ShareGroupDescribeResponse.Assignment = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                rack_id: str | None = ...,
                member_epoch: int = ...,
                client_id: str = ...,
                client_host: str = ...,
                subscribed_topic_names: Iterable[str] = ...,
                assignment: ShareGroupDescribeResponse.Assignment = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribedGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroup of ShareGroupDescribeResponse, versions 1.

        The groups that were asked for.

        Attributes:
            error_code (int16): Why this group could not be described; 0 if it could. Version 1;
                default 0.
            error_message (string): The same in words; null if there is nothing to say. Version 1; may
                be null; default None.
            group_id (string): The group's id. Version 1; default ''.
            group_state (string): Empty, Stable or Dead. Version 1; default ''.
            group_epoch (int32): Grows with every change of members or topics. Version 1; default 0.
            assignment_epoch (int32): The group epoch that the assignment was made for. Version 1;
                default 0.
            assignor_name (string): The broker's assignor that was used. Version 1; default ''.
            members ([]Member): The members of the group. Version 1; default ().
            authorized_operations (int32): What the asker may do with the group, a bit each;
                -2147483648 if not asked. Version 1; default -2147483648.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 1; default ().
        """

        error_code: int = 0
        error_message: str | None = None
        group_id: str = ""
        group_state: str = ""
        group_epoch: int = 0
        assignment_epoch: int = 0
        assignor_name: str = ""
        members: tuple[ShareGroupDescribeResponse.Member, ...] = ()
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
                members: Iterable[ShareGroupDescribeResponse.Member] = ...,
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
                members: Iterable[ShareGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    groups: tuple[ShareGroupDescribeResponse.DescribedGroup, ...] = ()
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
            groups: Iterable[ShareGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[ShareGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Assignment = ShareGroupDescribeResponse.Assignment
_DescribedGroup = ShareGroupDescribeResponse.DescribedGroup
_Member = ShareGroupDescribeResponse.Member
_TopicPartitions = ShareGroupDescribeResponse.TopicPartitions
_DEFAULT_Assignment: ShareGroupDescribeResponse.Assignment = ShareGroupDescribeResponse.Assignment()


def _read_topic_partitions_v1(data: bytes, pos: int) -> tuple[_TopicPartitions, int]:
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


def _write_topic_partitions_v1(item: _TopicPartitions, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartitions:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_string(item.topic_name, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_assignment_v1(data: bytes, pos: int) -> tuple[_Assignment, int]:
    topic_partitions, pos = read_compact_array(data, pos, _read_topic_partitions_v1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Assignment(topic_partitions=topic_partitions, unknown_tagged_fields=unknown), pos


def _write_assignment_v1(item: _Assignment, parts: list[bytes]) -> None:
    if type(item) is not _Assignment:
        raise OddValue
    write_compact_array(item.topic_partitions, parts, _write_topic_partitions_v1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_member_v1(data: bytes, pos: int) -> tuple[_Member, int]:
    member_id, pos = read_compact_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    subscribed_topic_names, pos = read_compact_array(data, pos, read_compact_string)
    assignment, pos = _read_assignment_v1(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _Member(
        member_id=member_id,
        rack_id=rack_id,
        member_epoch=member_epoch,
        client_id=client_id,
        client_host=client_host,
        subscribed_topic_names=subscribed_topic_names,
        assignment=assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_v1(item: _Member, parts: list[bytes]) -> None:
    if type(item) is not _Member:
        raise OddValue
    write_compact_string(item.member_id, parts)
    write_compact_nullable_string(item.rack_id, parts)
    INT32.write(item.member_epoch, parts)
    write_compact_string(item.client_id, parts)
    write_compact_string(item.client_host, parts)
    write_compact_array(item.subscribed_topic_names, parts, write_compact_string)
    _write_assignment_v1(item.assignment, parts)
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


def _read_v1(data: bytes, pos: int) -> tuple[ShareGroupDescribeResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v1)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v1(message: ShareGroupDescribeResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v1)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupDescribeResponse._codecs = {
    1: Codec(_read_v1, _write_v1),
}
