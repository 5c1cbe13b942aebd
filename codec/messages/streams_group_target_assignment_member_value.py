"""StreamsGroupTargetAssignmentMemberValue, generated from schemas/StreamsGroupTargetAssignmentMemberValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
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
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_numbers_i = pack_numbers("i")
_unpack_u_b = fixed("B")


class StreamsGroupTargetAssignmentMemberValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """StreamsGroupTargetAssignmentMemberValue, versions 0."""

    NAME = "StreamsGroupTargetAssignmentMemberValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 21
    FRAMING = Framing("version", "refuse")

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupTargetAssignmentMemberValue, versions 0."""

        subtopology_id: str = ""
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
                subtopology_id: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    active_tasks: tuple[StreamsGroupTargetAssignmentMemberValue.TaskIds, ...] = ()
    standby_tasks: tuple[StreamsGroupTargetAssignmentMemberValue.TaskIds, ...] = ()
    warmup_tasks: tuple[StreamsGroupTargetAssignmentMemberValue.TaskIds, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("active_tasks", "standby_tasks", "warmup_tasks", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.active_tasks) is not tuple
            or type(self.standby_tasks) is not tuple
            or type(self.warmup_tasks) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            active_tasks: Iterable[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
            standby_tasks: Iterable[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
            warmup_tasks: Iterable[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            active_tasks: Iterable[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
            standby_tasks: Iterable[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
            warmup_tasks: Iterable[StreamsGroupTargetAssignmentMemberValue.TaskIds] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TaskIds = StreamsGroupTargetAssignmentMemberValue.TaskIds


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    (active_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if active_tasks_count > 127:
        active_tasks_count, pos = read_varint(data, pos - 1)
    active_tasks_count -= 1
    if not 0 <= active_tasks_count <= MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskIds] = []
    for _ in range(active_tasks_count):
        (subtopology_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_size > 127:
            subtopology_id_size, pos = read_varint(data, pos - 1)
        if subtopology_id_size < 1 or subtopology_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_size - 1
        subtopology_id = data[pos:end].decode()
        pos = end
        (partitions_count,) = _unpack_u_b(data, pos)
        pos += 1
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
        active_tasks_list.append(
            _TaskIds(
                subtopology_id=subtopology_id,
                partitions=partitions,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if standby_tasks_count > 127:
        standby_tasks_count, pos = read_varint(data, pos - 1)
    standby_tasks_count -= 1
    if not 0 <= standby_tasks_count <= MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskIds] = []
    for _ in range(standby_tasks_count):
        (subtopology_id_2_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_2_size > 127:
            subtopology_id_2_size, pos = read_varint(data, pos - 1)
        if subtopology_id_2_size < 1 or subtopology_id_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_2_size - 1
        subtopology_id_2 = data[pos:end].decode()
        pos = end
        (partitions_2_count,) = _unpack_u_b(data, pos)
        pos += 1
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
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        standby_tasks_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_2,
                partitions=partitions_2,
                unknown_tagged_fields=unknown_tagged_fields_2,
            )
        )
    standby_tasks = tuple(standby_tasks_list)
    (warmup_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, pos = read_varint(data, pos - 1)
    warmup_tasks_count -= 1
    if not 0 <= warmup_tasks_count <= MAX_ELEMENTS:
        raise OddBytes
    warmup_tasks_list: list[_TaskIds] = []
    for _ in range(warmup_tasks_count):
        (subtopology_id_3_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_3_size > 127:
            subtopology_id_3_size, pos = read_varint(data, pos - 1)
        if subtopology_id_3_size < 1 or subtopology_id_3_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_3_size - 1
        subtopology_id_3 = data[pos:end].decode()
        pos = end
        (partitions_3_count,) = _unpack_u_b(data, pos)
        pos += 1
        if partitions_3_count > 127:
            partitions_3_count, pos = read_varint(data, pos - 1)
        partitions_3_count -= 1
        partitions_3 = (
            _few_numbers_i[partitions_3_count]
            if 0 <= partitions_3_count < 256
            else _numbers_i[partitions_3_count]
        )(data, pos)
        pos += partitions_3_count * 4
        (count_3,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
        if count_3:
            unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
        warmup_tasks_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_3,
                partitions=partitions_3,
                unknown_tagged_fields=unknown_tagged_fields_3,
            )
        )
    warmup_tasks = tuple(warmup_tasks_list)
    (count_4,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
    if count_4:
        unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupTargetAssignmentMemberValue(
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        unknown_tagged_fields=unknown_tagged_fields_4,
    ), pos


def _write_v0(message: StreamsGroupTargetAssignmentMemberValue, parts: list[bytes]) -> None:
    add = parts.append
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    active_tasks_size = len(active_tasks) + 1
    add(VARINT[active_tasks_size] if active_tasks_size < 128 else varint(active_tasks_size))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskIds:
            raise OddValue
        subtopology_id_raw = active_tasks_item.subtopology_id.encode()
        if len(subtopology_id_raw) > MAX_STRING:
            raise OddValue
        subtopology_id_size = len(subtopology_id_raw) + 1
        add(
            VARINT[subtopology_id_size]
            if subtopology_id_size < 128
            else varint(subtopology_id_size)
        )
        add(subtopology_id_raw)
        partitions = active_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        partitions_size = len(partitions) + 1
        add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
        add(_pack_numbers_i[len(partitions)](*partitions))
        add(
            write_tags([], active_tasks_item.unknown_tagged_fields, ())
            if active_tasks_item.unknown_tagged_fields
            else b"\0"
        )
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    standby_tasks_size = len(standby_tasks) + 1
    add(VARINT[standby_tasks_size] if standby_tasks_size < 128 else varint(standby_tasks_size))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskIds:
            raise OddValue
        subtopology_id_raw_2 = standby_tasks_item.subtopology_id.encode()
        if len(subtopology_id_raw_2) > MAX_STRING:
            raise OddValue
        subtopology_id_size_2 = len(subtopology_id_raw_2) + 1
        add(
            VARINT[subtopology_id_size_2]
            if subtopology_id_size_2 < 128
            else varint(subtopology_id_size_2)
        )
        add(subtopology_id_raw_2)
        partitions_2 = standby_tasks_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        partitions_size_2 = len(partitions_2) + 1
        add(VARINT[partitions_size_2] if partitions_size_2 < 128 else varint(partitions_size_2))
        add(_pack_numbers_i[len(partitions_2)](*partitions_2))
        add(
            write_tags([], standby_tasks_item.unknown_tagged_fields, ())
            if standby_tasks_item.unknown_tagged_fields
            else b"\0"
        )
    warmup_tasks = message.warmup_tasks
    if type(warmup_tasks) is not tuple:
        raise OddValue
    warmup_tasks_size = len(warmup_tasks) + 1
    add(VARINT[warmup_tasks_size] if warmup_tasks_size < 128 else varint(warmup_tasks_size))
    for warmup_tasks_item in warmup_tasks:
        if type(warmup_tasks_item) is not _TaskIds:
            raise OddValue
        subtopology_id_raw_3 = warmup_tasks_item.subtopology_id.encode()
        if len(subtopology_id_raw_3) > MAX_STRING:
            raise OddValue
        subtopology_id_size_3 = len(subtopology_id_raw_3) + 1
        add(
            VARINT[subtopology_id_size_3]
            if subtopology_id_size_3 < 128
            else varint(subtopology_id_size_3)
        )
        add(subtopology_id_raw_3)
        partitions_3 = warmup_tasks_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        partitions_size_3 = len(partitions_3) + 1
        add(VARINT[partitions_size_3] if partitions_size_3 < 128 else varint(partitions_size_3))
        add(_pack_numbers_i[len(partitions_3)](*partitions_3))
        add(
            write_tags([], warmup_tasks_item.unknown_tagged_fields, ())
            if warmup_tasks_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupTargetAssignmentMemberValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupTargetAssignmentMemberValue._by_header = {
    0: _read_v0,
}
StreamsGroupTargetAssignmentMemberValue._headers = {
    0: b"\x00\x00",
}
