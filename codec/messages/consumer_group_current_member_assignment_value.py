"""ConsumerGroupCurrentMemberAssignmentValue, generated from schemas/ConsumerGroupCurrentMemberAssignmentValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_raw_tag, read_tags, write_tags
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_TAGS,
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


class ConsumerGroupCurrentMemberAssignmentValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """ConsumerGroupCurrentMemberAssignmentValue, versions 0."""

    NAME = "ConsumerGroupCurrentMemberAssignmentValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 8
    FRAMING = Framing("version", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ConsumerGroupCurrentMemberAssignmentValue, versions 0."""

        topic_id: UUID = ZERO_UUID
        partitions: tuple[int, ...] = ()
        assignment_epochs: tuple[int, ...] | None = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "assignment_epochs", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.partitions) is not tuple
                or (
                    self.assignment_epochs is not None and type(self.assignment_epochs) is not tuple
                )
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                assignment_epochs: Iterable[int] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                assignment_epochs: Iterable[int] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    member_epoch: int = 0
    previous_member_epoch: int = 0
    state: int = 0
    assigned_partitions: tuple[ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions, ...] = ()
    partitions_pending_revocation: tuple[
        ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions, ...
    ] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("assigned_partitions", "partitions_pending_revocation", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.assigned_partitions) is not tuple
            or type(self.partitions_pending_revocation) is not tuple
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
                ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            partitions_pending_revocation: Iterable[
                ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions
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
                ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            partitions_pending_revocation: Iterable[
                ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicPartitions = ConsumerGroupCurrentMemberAssignmentValue.TopicPartitions


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
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
        assignment_epochs: tuple[int, ...] | None = ()
        unknown: list[RawTaggedField] = []
        if count > 127:
            count, pos = read_varint(data, pos - 1)
            if not 0 <= count <= MAX_TAGS:
                raise OddBytes
        for _ in range(count):
            tag = data[pos]
            pos += 1
            if tag > 127:
                tag, pos = read_varint(data, pos - 1)
            if tag == 0:
                pos += 1
                if data[pos - 1] > 127:
                    _, pos = read_varint(data, pos - 1)
                (assignment_epochs_count,) = _unpack_u_b(data, pos)
                pos += 1
                if assignment_epochs_count > 127:
                    assignment_epochs_count, pos = read_varint(data, pos - 1)
                if assignment_epochs_count < 1:
                    assignment_epochs = None
                else:
                    assignment_epochs_count -= 1
                    assignment_epochs = (
                        _few_numbers_i[assignment_epochs_count]
                        if 0 <= assignment_epochs_count < 256
                        else _numbers_i[assignment_epochs_count]
                    )(data, pos)
                    pos += assignment_epochs_count * 4
            else:
                known, pos = read_raw_tag(data, pos, tag)
                unknown.append(known)
        assigned_partitions_list.append(
            _TopicPartitions(
                topic_id=topic_id,
                partitions=partitions,
                assignment_epochs=assignment_epochs,
                unknown_tagged_fields=tuple(unknown),
            )
        )
    assigned_partitions = tuple(assigned_partitions_list)
    (partitions_pending_revocation_count,) = _unpack_u_b(data, pos)
    pos += 1
    if partitions_pending_revocation_count > 127:
        partitions_pending_revocation_count, pos = read_varint(data, pos - 1)
    partitions_pending_revocation_count -= 1
    if not 0 <= partitions_pending_revocation_count <= MAX_ELEMENTS:
        raise OddBytes
    partitions_pending_revocation_list: list[_TopicPartitions] = []
    for _ in range(partitions_pending_revocation_count):
        topic_id_2_raw, partitions_2_count = _unpack_uuid_u_b(data, pos)
        pos += 17
        topic_id_2 = uuid_of(topic_id_2_raw)
        if partitions_2_count > 127:
            partitions_2_count, pos = read_varint(data, pos - 1)
        partitions_2_count -= 1
        partitions_2 = (
            _few_numbers_i[partitions_2_count]
            if 0 <= partitions_2_count < 256
            else _numbers_i[partitions_2_count]
        )(data, pos)
        pos += partitions_2_count * 4
        (count_2,) = _unpack_u_b(data, pos)
        pos += 1
        assignment_epochs_2: tuple[int, ...] | None = ()
        unknown_2: list[RawTaggedField] = []
        if count_2 > 127:
            count_2, pos = read_varint(data, pos - 1)
            if not 0 <= count_2 <= MAX_TAGS:
                raise OddBytes
        for _ in range(count_2):
            tag = data[pos]
            pos += 1
            if tag > 127:
                tag, pos = read_varint(data, pos - 1)
            if tag == 0:
                pos += 1
                if data[pos - 1] > 127:
                    _, pos = read_varint(data, pos - 1)
                (assignment_epochs_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if assignment_epochs_2_count > 127:
                    assignment_epochs_2_count, pos = read_varint(data, pos - 1)
                if assignment_epochs_2_count < 1:
                    assignment_epochs_2 = None
                else:
                    assignment_epochs_2_count -= 1
                    assignment_epochs_2 = (
                        _few_numbers_i[assignment_epochs_2_count]
                        if 0 <= assignment_epochs_2_count < 256
                        else _numbers_i[assignment_epochs_2_count]
                    )(data, pos)
                    pos += assignment_epochs_2_count * 4
            else:
                known, pos = read_raw_tag(data, pos, tag)
                unknown_2.append(known)
        partitions_pending_revocation_list.append(
            _TopicPartitions(
                topic_id=topic_id_2,
                partitions=partitions_2,
                assignment_epochs=assignment_epochs_2,
                unknown_tagged_fields=tuple(unknown_2),
            )
        )
    partitions_pending_revocation = tuple(partitions_pending_revocation_list)
    (count_3,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
    if count_3:
        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=member_epoch,
        previous_member_epoch=previous_member_epoch,
        state=state,
        assigned_partitions=assigned_partitions,
        partitions_pending_revocation=partitions_pending_revocation,
        unknown_tagged_fields=unknown_tagged_fields_3,
    ), pos


def _write_v0(message: ConsumerGroupCurrentMemberAssignmentValue, parts: list[bytes]) -> None:
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
        fields: list[tuple[int, bytes]] = []
        assignment_epochs = assigned_partitions_item.assignment_epochs
        if assignment_epochs != ():
            tagged: list[bytes] = []
            add = tagged.append
            assignment_epochs_2 = assignment_epochs
            if assignment_epochs_2 is None:
                add(b"\x00")
            else:
                if type(assignment_epochs_2) is not tuple:
                    raise OddValue
                assignment_epochs_size = len(assignment_epochs_2) + 1
                add(
                    VARINT[assignment_epochs_size]
                    if assignment_epochs_size < 128
                    else varint(assignment_epochs_size)
                )
                add(_pack_numbers_i[len(assignment_epochs_2)](*assignment_epochs_2))
            fields.append((0, b"".join(tagged)))
            add = parts.append
        add(write_tags(fields, assigned_partitions_item.unknown_tagged_fields, (0,)))
    partitions_pending_revocation = message.partitions_pending_revocation
    if type(partitions_pending_revocation) is not tuple:
        raise OddValue
    partitions_pending_revocation_size = len(partitions_pending_revocation) + 1
    add(
        VARINT[partitions_pending_revocation_size]
        if partitions_pending_revocation_size < 128
        else varint(partitions_pending_revocation_size)
    )
    for partitions_pending_revocation_item in partitions_pending_revocation:
        if type(partitions_pending_revocation_item) is not _TopicPartitions:
            raise OddValue
        partitions_2 = partitions_pending_revocation_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_uuid(partitions_pending_revocation_item.topic_id.bytes))
        partitions_size_2 = len(partitions_2) + 1
        add(VARINT[partitions_size_2] if partitions_size_2 < 128 else varint(partitions_size_2))
        add(_pack_numbers_i[len(partitions_2)](*partitions_2))
        fields_2: list[tuple[int, bytes]] = []
        assignment_epochs_3 = partitions_pending_revocation_item.assignment_epochs
        if assignment_epochs_3 != ():
            tagged_2: list[bytes] = []
            add = tagged_2.append
            assignment_epochs_4 = assignment_epochs_3
            if assignment_epochs_4 is None:
                add(b"\x00")
            else:
                if type(assignment_epochs_4) is not tuple:
                    raise OddValue
                assignment_epochs_size_2 = len(assignment_epochs_4) + 1
                add(
                    VARINT[assignment_epochs_size_2]
                    if assignment_epochs_size_2 < 128
                    else varint(assignment_epochs_size_2)
                )
                add(_pack_numbers_i[len(assignment_epochs_4)](*assignment_epochs_4))
            fields_2.append((0, b"".join(tagged_2)))
            add = parts.append
        add(write_tags(fields_2, partitions_pending_revocation_item.unknown_tagged_fields, (0,)))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupCurrentMemberAssignmentValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupCurrentMemberAssignmentValue._by_header = {
    0: _read_v0,
}
ConsumerGroupCurrentMemberAssignmentValue._headers = {
    0: b"\x00\x00",
}
