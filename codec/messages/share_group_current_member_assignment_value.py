"""ShareGroupCurrentMemberAssignmentValue, generated from schemas/ShareGroupCurrentMemberAssignmentValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
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
_pack_iib = packed("iib")
_pack_numbers_i = pack_numbers("i")
_pack_uuid = packed("16s")
_unpack_iibu_b = fixed("iibB")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ShareGroupCurrentMemberAssignmentValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupCurrentMemberAssignmentValue, versions 0."""

    NAME = "ShareGroupCurrentMemberAssignmentValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 14
    FRAMING = Framing("version", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ShareGroupCurrentMemberAssignmentValue, versions 0."""

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

    member_epoch: int = 0
    previous_member_epoch: int = 0
    state: int = 0
    assigned_partitions: tuple[ShareGroupCurrentMemberAssignmentValue.TopicPartitions, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("assigned_partitions", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.assigned_partitions) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            member_epoch: int = ...,
            previous_member_epoch: int = ...,
            state: int = ...,
            assigned_partitions: Iterable[
                ShareGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            member_epoch: int = ...,
            previous_member_epoch: int = ...,
            state: int = ...,
            assigned_partitions: Iterable[
                ShareGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicPartitions = ShareGroupCurrentMemberAssignmentValue.TopicPartitions


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupCurrentMemberAssignmentValue, int]:
    member_epoch, previous_member_epoch, state, assigned_partitions_count = _unpack_iibu_b(
        data, pos
    )
    pos += 10
    if assigned_partitions_count > 127:
        assigned_partitions_count, pos = read_varint(data, pos - 1)
    assigned_partitions_count -= 1
    if not 0 <= assigned_partitions_count <= MAX_ELEMENTS:
        raise OddBytes
    assigned_partitions_list: list[_TopicPartitions] = []
    for _ in range(assigned_partitions_count):
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
        assigned_partitions_list.append(
            _TopicPartitions(
                topic_id=topic_id,
                partitions=partitions,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    assigned_partitions = tuple(assigned_partitions_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ShareGroupCurrentMemberAssignmentValue(
        member_epoch=member_epoch,
        previous_member_epoch=previous_member_epoch,
        state=state,
        assigned_partitions=assigned_partitions,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v0(message: ShareGroupCurrentMemberAssignmentValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.member_epoch) is bool:
        raise OddValue
    if type(message.previous_member_epoch) is bool:
        raise OddValue
    if type(message.state) is bool:
        raise OddValue
    assigned_partitions = message.assigned_partitions
    if type(assigned_partitions) is not tuple:
        raise OddValue
    add(_pack_iib(message.member_epoch, message.previous_member_epoch, message.state))
    assigned_partitions_size = len(assigned_partitions) + 1
    add(
        VARINT[assigned_partitions_size]
        if assigned_partitions_size < 128
        else varint(assigned_partitions_size)
    )
    for assigned_partitions_item in assigned_partitions:
        if type(assigned_partitions_item) is not _TopicPartitions:
            raise OddValue
        partitions = assigned_partitions_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_uuid(assigned_partitions_item.topic_id.bytes))
        partitions_size = len(partitions) + 1
        add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
        add(_pack_numbers_i[len(partitions)](*partitions))
        add(
            write_tags([], assigned_partitions_item.unknown_tagged_fields, ())
            if assigned_partitions_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ShareGroupCurrentMemberAssignmentValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupCurrentMemberAssignmentValue._by_header = {
    0: _read_v0,
}
ShareGroupCurrentMemberAssignmentValue._headers = {
    0: b"\x00\x00",
}
