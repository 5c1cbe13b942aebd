"""ConsumerGroupHeartbeatResponse, generated from schemas/ConsumerGroupHeartbeatResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, Message, MessagePart, RawTaggedField
from ..tags import read_tags, write_tags
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
    VARINT,
    OddBytes,
    OddValue,
    few_numbers,
    fixed,
    numbers,
    pack_numbers,
    packed,
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_ih = packed("ih")
_pack_ii = packed("ii")
_pack_numbers_i = pack_numbers("i")
_pack_uuid = packed("16s")
_unpack_ihu_b = fixed("ihB")
_unpack_iib = fixed("iib")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ConsumerGroupHeartbeatResponse(Message, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupHeartbeatResponse, versions 0-1."""

    NAME = "ConsumerGroupHeartbeatResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 68
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ConsumerGroupHeartbeatResponse, versions 0-1."""

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
        """Assignment of ConsumerGroupHeartbeatResponse, versions 0-1."""

        topic_partitions: tuple[ConsumerGroupHeartbeatResponse.TopicPartitions, ...] = ()
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
                topic_partitions: Iterable[ConsumerGroupHeartbeatResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_partitions: Iterable[ConsumerGroupHeartbeatResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = None
    member_id: str | None = None
    member_epoch: int = 0
    heartbeat_interval_ms: int = 0
    assignment: ConsumerGroupHeartbeatResponse.Assignment | None = None
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
            assignment: ConsumerGroupHeartbeatResponse.Assignment | None = ...,
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
            assignment: ConsumerGroupHeartbeatResponse.Assignment | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Assignment = ConsumerGroupHeartbeatResponse.Assignment
_TopicPartitions = ConsumerGroupHeartbeatResponse.TopicPartitions


def _read_v0_1(data: bytes, pos: int) -> tuple[ConsumerGroupHeartbeatResponse, int]:
    throttle_time_ms, error_code, error_message_size = _unpack_ihu_b(data, pos)
    pos += 7
    if error_message_size > 127:
        error_message_size, pos = read_varint(data, pos - 1)
    if error_message_size < 1:
        error_message = None
    elif error_message_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + error_message_size - 1
        error_message = data[pos:end].decode()
        pos = end
    (member_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1:
        member_id = None
    elif member_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + member_id_size - 1
        member_id = data[pos:end].decode()
        pos = end
    member_epoch, heartbeat_interval_ms, assignment_present = _unpack_iib(data, pos)
    pos += 9
    if assignment_present < 0:
        assignment = None
    else:
        (topic_partitions_count,) = _unpack_u_b(data, pos)
        pos += 1
        if topic_partitions_count > 127:
            topic_partitions_count, pos = read_varint(data, pos - 1)
        topic_partitions_count -= 1
        if not 0 <= topic_partitions_count <= MAX_ELEMENTS:
            raise OddBytes
        topic_partitions_list: list[_TopicPartitions] = []
        for _ in range(topic_partitions_count):
            topic_id_raw, partitions_count = _unpack_uuid_u_b(data, pos)
            pos += 17
            topic_id = uuid_of(topic_id_raw)
            if partitions_count > 127:
                partitions_count, pos = read_varint(data, pos - 1)
            partitions_count -= 1
            partitions = (
                _few_numbers_i[partitions_count]
                if 0 <= partitions_count < 256
                else _numbers_i[partitions_count]
            )(data, pos)
            pos += partitions_count * 4
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            topic_partitions_list.append(
                _TopicPartitions(
                    topic_id=topic_id,
                    partitions=partitions,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        topic_partitions = tuple(topic_partitions_list)
        (count_2,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        assignment = _Assignment(
            topic_partitions=topic_partitions, unknown_tagged_fields=unknown_tagged_fields_2
        )
    (count_3,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
    if count_3:
        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupHeartbeatResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        error_message=error_message,
        member_id=member_id,
        member_epoch=member_epoch,
        heartbeat_interval_ms=heartbeat_interval_ms,
        assignment=assignment,
        unknown_tagged_fields=unknown_tagged_fields_3,
    ), pos


def _write_v0_1(message: ConsumerGroupHeartbeatResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    error_message = message.error_message
    if error_message is None:
        add(b"\x00")
    else:
        error_message_raw = error_message.encode()
        if len(error_message_raw) > MAX_STRING:
            raise OddValue
        error_message_size = len(error_message_raw) + 1
        add(VARINT[error_message_size] if error_message_size < 128 else varint(error_message_size))
        add(error_message_raw)
    member_id = message.member_id
    if member_id is None:
        add(b"\x00")
    else:
        member_id_raw = member_id.encode()
        if len(member_id_raw) > MAX_STRING:
            raise OddValue
        member_id_size = len(member_id_raw) + 1
        add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
        add(member_id_raw)
    if type(message.member_epoch) is bool:
        raise OddValue
    if type(message.heartbeat_interval_ms) is bool:
        raise OddValue
    add(_pack_ii(message.member_epoch, message.heartbeat_interval_ms))
    assignment = message.assignment
    if assignment is None:
        add(b"\xff")
    else:
        add(b"\1")
        if type(assignment) is not _Assignment:
            raise OddValue
        topic_partitions = assignment.topic_partitions
        if type(topic_partitions) is not tuple:
            raise OddValue
        topic_partitions_size = len(topic_partitions) + 1
        add(
            VARINT[topic_partitions_size]
            if topic_partitions_size < 128
            else varint(topic_partitions_size)
        )
        for topic_partitions_item in topic_partitions:
            if type(topic_partitions_item) is not _TopicPartitions:
                raise OddValue
            partitions = topic_partitions_item.partitions
            if type(partitions) is not tuple:
                raise OddValue
            add(_pack_uuid(topic_partitions_item.topic_id.bytes))
            partitions_size = len(partitions) + 1
            add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
            add(_pack_numbers_i[len(partitions)](*partitions))
            add(
                write_tags([], topic_partitions_item.unknown_tagged_fields, ())
                if topic_partitions_item.unknown_tagged_fields
                else b"\0"
            )
        add(
            write_tags([], assignment.unknown_tagged_fields, ())
            if assignment.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupHeartbeatResponse._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
