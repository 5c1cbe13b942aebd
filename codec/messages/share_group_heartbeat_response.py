"""ShareGroupHeartbeatResponse, generated from schemas/ShareGroupHeartbeatResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

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
    read_nullable,
    read_uuid,
    write_compact_array,
    write_compact_nullable_string,
    write_nullable,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ShareGroupHeartbeatResponse(Message, frozen=True, kw_only=True, gc=False):
    """ShareGroupHeartbeatResponse, versions 1.

    What the broker has decided for a member of a share group (KIP-932).

    Version 0 was of an early release and is not read any more.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Version 1; default 0.
        error_code (int16): Why the heartbeat was refused; 0 if it was not. Version 1; default 0.
        error_message (string): The same in words; null if there is nothing to say. Version 1; may be
            null; default None.
        member_id (string): The member's id; null if it is known. Version 1; may be null; default
            None.
        member_epoch (int32): The epoch that the member has now. Version 1; default 0.
        heartbeat_interval_ms (int32): How long until the next heartbeat; milliseconds. Version 1;
            default 0.
        assignment (Assignment): What the member reads; null if not changed. Version 1; may be null;
            default None.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 1; default ().
    """

    NAME = "ShareGroupHeartbeatResponse"
    VERSIONS = VersionRange(1, 1)
    LATEST = 1
    API_KEY = 76
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ShareGroupHeartbeatResponse, versions 1.

        Partitions of one topic.

        Attributes:
            topic_id (uuid): The topic's id (KIP-516). Version 1; default UUID(int=0).
            partitions ([]int32): The partitions of the topic. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 1; default ().
        """

        topic_id: UUID = ZERO_UUID
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
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Assignment(MessagePart, frozen=True, kw_only=True, gc=False):
        """Assignment of ShareGroupHeartbeatResponse, versions 1.

        What the member reads; null if not changed.

        Attributes:
            topic_partitions ([]TopicPartitions): The partitions, by topic. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 1; default ().
        """

        topic_partitions: tuple[ShareGroupHeartbeatResponse.TopicPartitions, ...] = ()
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
                topic_partitions: Iterable[ShareGroupHeartbeatResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_partitions: Iterable[ShareGroupHeartbeatResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = None
    member_id: str | None = None
    member_epoch: int = 0
    heartbeat_interval_ms: int = 0
    assignment: ShareGroupHeartbeatResponse.Assignment | None = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            error_message: str | None = ...,
            member_id: str | None = ...,
            member_epoch: int = ...,
            heartbeat_interval_ms: int = ...,
            assignment: ShareGroupHeartbeatResponse.Assignment | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            error_message: str | None = ...,
            member_id: str | None = ...,
            member_epoch: int = ...,
            heartbeat_interval_ms: int = ...,
            assignment: ShareGroupHeartbeatResponse.Assignment | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Assignment = ShareGroupHeartbeatResponse.Assignment
_TopicPartitions = ShareGroupHeartbeatResponse.TopicPartitions


def _read_topic_partitions_v1(data: bytes, pos: int) -> tuple[_TopicPartitions, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartitions(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_topic_partitions_v1(item: _TopicPartitions, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartitions:
        raise OddValue
    write_uuid(item.topic_id, parts)
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


def _read_v1(data: bytes, pos: int) -> tuple[ShareGroupHeartbeatResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    member_id, pos = read_compact_nullable_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (heartbeat_interval_ms,), pos = INT32.unpack(data, pos), pos + 4
    assignment, pos = read_nullable(data, pos, _read_assignment_v1)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupHeartbeatResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        error_message=error_message,
        member_id=member_id,
        member_epoch=member_epoch,
        heartbeat_interval_ms=heartbeat_interval_ms,
        assignment=assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v1(message: ShareGroupHeartbeatResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_nullable_string(message.error_message, parts)
    write_compact_nullable_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    INT32.write(message.heartbeat_interval_ms, parts)
    write_nullable(message.assignment, parts, _write_assignment_v1)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupHeartbeatResponse._codecs = {
    1: Codec(_read_v1, _write_v1),
}
