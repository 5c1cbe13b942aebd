"""StreamsGroupCurrentMemberAssignmentValue, generated from schemas/StreamsGroupCurrentMemberAssignmentValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_raw_tag, read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
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
_unpack_iibu_b = fixed("iibB")
_unpack_u_b = fixed("B")


class StreamsGroupCurrentMemberAssignmentValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """StreamsGroupCurrentMemberAssignmentValue, versions 0."""

    NAME = "StreamsGroupCurrentMemberAssignmentValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 22
    FRAMING = Framing("version", "refuse")

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupCurrentMemberAssignmentValue, versions 0."""

        subtopology_id: str = ""
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
                subtopology_id: str = ...,
                partitions: Iterable[int] = ...,
                assignment_epochs: Iterable[int] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                partitions: Iterable[int] = ...,
                assignment_epochs: Iterable[int] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    member_epoch: int = 0
    previous_member_epoch: int = 0
    state: int = 0
    active_tasks: tuple[StreamsGroupCurrentMemberAssignmentValue.TaskIds, ...] = ()
    standby_tasks: tuple[StreamsGroupCurrentMemberAssignmentValue.TaskIds, ...] = ()
    warmup_tasks: tuple[StreamsGroupCurrentMemberAssignmentValue.TaskIds, ...] = ()
    active_tasks_pending_revocation: tuple[
        StreamsGroupCurrentMemberAssignmentValue.TaskIds, ...
    ] = ()
    standby_tasks_pending_revocation: tuple[
        StreamsGroupCurrentMemberAssignmentValue.TaskIds, ...
    ] = ()
    warmup_tasks_pending_revocation: tuple[
        StreamsGroupCurrentMemberAssignmentValue.TaskIds, ...
    ] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = (
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "active_tasks_pending_revocation",
        "standby_tasks_pending_revocation",
        "warmup_tasks_pending_revocation",
        "unknown_tagged_fields",
    )

    def __post_init__(self) -> None:
        if (
            type(self.active_tasks) is not tuple
            or type(self.standby_tasks) is not tuple
            or type(self.warmup_tasks) is not tuple
            or type(self.active_tasks_pending_revocation) is not tuple
            or type(self.standby_tasks_pending_revocation) is not tuple
            or type(self.warmup_tasks_pending_revocation) is not tuple
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
            active_tasks: Iterable[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
            standby_tasks: Iterable[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
            warmup_tasks: Iterable[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
            active_tasks_pending_revocation: Iterable[
                StreamsGroupCurrentMemberAssignmentValue.TaskIds
            ] = ...,
            standby_tasks_pending_revocation: Iterable[
                StreamsGroupCurrentMemberAssignmentValue.TaskIds
            ] = ...,
            warmup_tasks_pending_revocation: Iterable[
                StreamsGroupCurrentMemberAssignmentValue.TaskIds
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            member_epoch: int = ...,
            previous_member_epoch: int = ...,
            state: int = ...,
            active_tasks: Iterable[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
            standby_tasks: Iterable[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
            warmup_tasks: Iterable[StreamsGroupCurrentMemberAssignmentValue.TaskIds] = ...,
            active_tasks_pending_revocation: Iterable[
                StreamsGroupCurrentMemberAssignmentValue.TaskIds
            ] = ...,
            standby_tasks_pending_revocation: Iterable[
                StreamsGroupCurrentMemberAssignmentValue.TaskIds
            ] = ...,
            warmup_tasks_pending_revocation: Iterable[
                StreamsGroupCurrentMemberAssignmentValue.TaskIds
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TaskIds = StreamsGroupCurrentMemberAssignmentValue.TaskIds


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    member_epoch, previous_member_epoch, state, active_tasks_count = _unpack_iibu_b(data, pos)
    pos += 10
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
        active_tasks_list.append(
            _TaskIds(
                subtopology_id=subtopology_id,
                partitions=partitions,
                assignment_epochs=assignment_epochs,
                unknown_tagged_fields=tuple(unknown),
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
        standby_tasks_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_2,
                partitions=partitions_2,
                assignment_epochs=assignment_epochs_2,
                unknown_tagged_fields=tuple(unknown_2),
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
        assignment_epochs_3: tuple[int, ...] | None = ()
        unknown_3: list[RawTaggedField] = []
        if count_3 > 127:
            count_3, pos = read_varint(data, pos - 1)
            if not 0 <= count_3 <= MAX_TAGS:
                raise OddBytes
        for _ in range(count_3):
            tag = data[pos]
            pos += 1
            if tag > 127:
                tag, pos = read_varint(data, pos - 1)
            if tag == 0:
                pos += 1
                if data[pos - 1] > 127:
                    _, pos = read_varint(data, pos - 1)
                (assignment_epochs_3_count,) = _unpack_u_b(data, pos)
                pos += 1
                if assignment_epochs_3_count > 127:
                    assignment_epochs_3_count, pos = read_varint(data, pos - 1)
                if assignment_epochs_3_count < 1:
                    assignment_epochs_3 = None
                else:
                    assignment_epochs_3_count -= 1
                    assignment_epochs_3 = (
                        _few_numbers_i[assignment_epochs_3_count]
                        if 0 <= assignment_epochs_3_count < 256
                        else _numbers_i[assignment_epochs_3_count]
                    )(data, pos)
                    pos += assignment_epochs_3_count * 4
            else:
                known, pos = read_raw_tag(data, pos, tag)
                unknown_3.append(known)
        warmup_tasks_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_3,
                partitions=partitions_3,
                assignment_epochs=assignment_epochs_3,
                unknown_tagged_fields=tuple(unknown_3),
            )
        )
    warmup_tasks = tuple(warmup_tasks_list)
    (active_tasks_pending_revocation_count,) = _unpack_u_b(data, pos)
    pos += 1
    if active_tasks_pending_revocation_count > 127:
        active_tasks_pending_revocation_count, pos = read_varint(data, pos - 1)
    active_tasks_pending_revocation_count -= 1
    if not 0 <= active_tasks_pending_revocation_count <= MAX_ELEMENTS:
        raise OddBytes
    active_tasks_pending_revocation_list: list[_TaskIds] = []
    for _ in range(active_tasks_pending_revocation_count):
        (subtopology_id_4_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_4_size > 127:
            subtopology_id_4_size, pos = read_varint(data, pos - 1)
        if subtopology_id_4_size < 1 or subtopology_id_4_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_4_size - 1
        subtopology_id_4 = data[pos:end].decode()
        pos = end
        (partitions_4_count,) = _unpack_u_b(data, pos)
        pos += 1
        if partitions_4_count > 127:
            partitions_4_count, pos = read_varint(data, pos - 1)
        partitions_4_count -= 1
        partitions_4 = (
            _few_numbers_i[partitions_4_count]
            if 0 <= partitions_4_count < 256
            else _numbers_i[partitions_4_count]
        )(data, pos)
        pos += partitions_4_count * 4
        (count_4,) = _unpack_u_b(data, pos)
        pos += 1
        assignment_epochs_4: tuple[int, ...] | None = ()
        unknown_4: list[RawTaggedField] = []
        if count_4 > 127:
            count_4, pos = read_varint(data, pos - 1)
            if not 0 <= count_4 <= MAX_TAGS:
                raise OddBytes
        for _ in range(count_4):
            tag = data[pos]
            pos += 1
            if tag > 127:
                tag, pos = read_varint(data, pos - 1)
            if tag == 0:
                pos += 1
                if data[pos - 1] > 127:
                    _, pos = read_varint(data, pos - 1)
                (assignment_epochs_4_count,) = _unpack_u_b(data, pos)
                pos += 1
                if assignment_epochs_4_count > 127:
                    assignment_epochs_4_count, pos = read_varint(data, pos - 1)
                if assignment_epochs_4_count < 1:
                    assignment_epochs_4 = None
                else:
                    assignment_epochs_4_count -= 1
                    assignment_epochs_4 = (
                        _few_numbers_i[assignment_epochs_4_count]
                        if 0 <= assignment_epochs_4_count < 256
                        else _numbers_i[assignment_epochs_4_count]
                    )(data, pos)
                    pos += assignment_epochs_4_count * 4
            else:
                known, pos = read_raw_tag(data, pos, tag)
                unknown_4.append(known)
        active_tasks_pending_revocation_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_4,
                partitions=partitions_4,
                assignment_epochs=assignment_epochs_4,
                unknown_tagged_fields=tuple(unknown_4),
            )
        )
    active_tasks_pending_revocation = tuple(active_tasks_pending_revocation_list)
    (standby_tasks_pending_revocation_count,) = _unpack_u_b(data, pos)
    pos += 1
    if standby_tasks_pending_revocation_count > 127:
        standby_tasks_pending_revocation_count, pos = read_varint(data, pos - 1)
    standby_tasks_pending_revocation_count -= 1
    if not 0 <= standby_tasks_pending_revocation_count <= MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_pending_revocation_list: list[_TaskIds] = []
    for _ in range(standby_tasks_pending_revocation_count):
        (subtopology_id_5_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_5_size > 127:
            subtopology_id_5_size, pos = read_varint(data, pos - 1)
        if subtopology_id_5_size < 1 or subtopology_id_5_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_5_size - 1
        subtopology_id_5 = data[pos:end].decode()
        pos = end
        (partitions_5_count,) = _unpack_u_b(data, pos)
        pos += 1
        if partitions_5_count > 127:
            partitions_5_count, pos = read_varint(data, pos - 1)
        partitions_5_count -= 1
        partitions_5 = (
            _few_numbers_i[partitions_5_count]
            if 0 <= partitions_5_count < 256
            else _numbers_i[partitions_5_count]
        )(data, pos)
        pos += partitions_5_count * 4
        (count_5,) = _unpack_u_b(data, pos)
        pos += 1
        assignment_epochs_5: tuple[int, ...] | None = ()
        unknown_5: list[RawTaggedField] = []
        if count_5 > 127:
            count_5, pos = read_varint(data, pos - 1)
            if not 0 <= count_5 <= MAX_TAGS:
                raise OddBytes
        for _ in range(count_5):
            tag = data[pos]
            pos += 1
            if tag > 127:
                tag, pos = read_varint(data, pos - 1)
            if tag == 0:
                pos += 1
                if data[pos - 1] > 127:
                    _, pos = read_varint(data, pos - 1)
                (assignment_epochs_5_count,) = _unpack_u_b(data, pos)
                pos += 1
                if assignment_epochs_5_count > 127:
                    assignment_epochs_5_count, pos = read_varint(data, pos - 1)
                if assignment_epochs_5_count < 1:
                    assignment_epochs_5 = None
                else:
                    assignment_epochs_5_count -= 1
                    assignment_epochs_5 = (
                        _few_numbers_i[assignment_epochs_5_count]
                        if 0 <= assignment_epochs_5_count < 256
                        else _numbers_i[assignment_epochs_5_count]
                    )(data, pos)
                    pos += assignment_epochs_5_count * 4
            else:
                known, pos = read_raw_tag(data, pos, tag)
                unknown_5.append(known)
        standby_tasks_pending_revocation_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_5,
                partitions=partitions_5,
                assignment_epochs=assignment_epochs_5,
                unknown_tagged_fields=tuple(unknown_5),
            )
        )
    standby_tasks_pending_revocation = tuple(standby_tasks_pending_revocation_list)
    (warmup_tasks_pending_revocation_count,) = _unpack_u_b(data, pos)
    pos += 1
    if warmup_tasks_pending_revocation_count > 127:
        warmup_tasks_pending_revocation_count, pos = read_varint(data, pos - 1)
    warmup_tasks_pending_revocation_count -= 1
    if not 0 <= warmup_tasks_pending_revocation_count <= MAX_ELEMENTS:
        raise OddBytes
    warmup_tasks_pending_revocation_list: list[_TaskIds] = []
    for _ in range(warmup_tasks_pending_revocation_count):
        (subtopology_id_6_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_6_size > 127:
            subtopology_id_6_size, pos = read_varint(data, pos - 1)
        if subtopology_id_6_size < 1 or subtopology_id_6_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_6_size - 1
        subtopology_id_6 = data[pos:end].decode()
        pos = end
        (partitions_6_count,) = _unpack_u_b(data, pos)
        pos += 1
        if partitions_6_count > 127:
            partitions_6_count, pos = read_varint(data, pos - 1)
        partitions_6_count -= 1
        partitions_6 = (
            _few_numbers_i[partitions_6_count]
            if 0 <= partitions_6_count < 256
            else _numbers_i[partitions_6_count]
        )(data, pos)
        pos += partitions_6_count * 4
        (count_6,) = _unpack_u_b(data, pos)
        pos += 1
        assignment_epochs_6: tuple[int, ...] | None = ()
        unknown_6: list[RawTaggedField] = []
        if count_6 > 127:
            count_6, pos = read_varint(data, pos - 1)
            if not 0 <= count_6 <= MAX_TAGS:
                raise OddBytes
        for _ in range(count_6):
            tag = data[pos]
            pos += 1
            if tag > 127:
                tag, pos = read_varint(data, pos - 1)
            if tag == 0:
                pos += 1
                if data[pos - 1] > 127:
                    _, pos = read_varint(data, pos - 1)
                (assignment_epochs_6_count,) = _unpack_u_b(data, pos)
                pos += 1
                if assignment_epochs_6_count > 127:
                    assignment_epochs_6_count, pos = read_varint(data, pos - 1)
                if assignment_epochs_6_count < 1:
                    assignment_epochs_6 = None
                else:
                    assignment_epochs_6_count -= 1
                    assignment_epochs_6 = (
                        _few_numbers_i[assignment_epochs_6_count]
                        if 0 <= assignment_epochs_6_count < 256
                        else _numbers_i[assignment_epochs_6_count]
                    )(data, pos)
                    pos += assignment_epochs_6_count * 4
            else:
                known, pos = read_raw_tag(data, pos, tag)
                unknown_6.append(known)
        warmup_tasks_pending_revocation_list.append(
            _TaskIds(
                subtopology_id=subtopology_id_6,
                partitions=partitions_6,
                assignment_epochs=assignment_epochs_6,
                unknown_tagged_fields=tuple(unknown_6),
            )
        )
    warmup_tasks_pending_revocation = tuple(warmup_tasks_pending_revocation_list)
    (count_7,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
    if count_7:
        unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupCurrentMemberAssignmentValue(
        member_epoch=member_epoch,
        previous_member_epoch=previous_member_epoch,
        state=state,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        active_tasks_pending_revocation=active_tasks_pending_revocation,
        standby_tasks_pending_revocation=standby_tasks_pending_revocation,
        warmup_tasks_pending_revocation=warmup_tasks_pending_revocation,
        unknown_tagged_fields=unknown_tagged_fields_7,
    ), pos


def _write_v0(message: StreamsGroupCurrentMemberAssignmentValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.member_epoch) is bool:
        raise OddValue
    if type(message.previous_member_epoch) is bool:
        raise OddValue
    if type(message.state) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iib(message.member_epoch, message.previous_member_epoch, message.state))
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
        fields: list[tuple[int, bytes]] = []
        assignment_epochs = active_tasks_item.assignment_epochs
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
        add(write_tags(fields, active_tasks_item.unknown_tagged_fields, (0,)))
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
        fields_2: list[tuple[int, bytes]] = []
        assignment_epochs_3 = standby_tasks_item.assignment_epochs
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
        add(write_tags(fields_2, standby_tasks_item.unknown_tagged_fields, (0,)))
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
        fields_3: list[tuple[int, bytes]] = []
        assignment_epochs_5 = warmup_tasks_item.assignment_epochs
        if assignment_epochs_5 != ():
            tagged_3: list[bytes] = []
            add = tagged_3.append
            assignment_epochs_6 = assignment_epochs_5
            if assignment_epochs_6 is None:
                add(b"\x00")
            else:
                if type(assignment_epochs_6) is not tuple:
                    raise OddValue
                assignment_epochs_size_3 = len(assignment_epochs_6) + 1
                add(
                    VARINT[assignment_epochs_size_3]
                    if assignment_epochs_size_3 < 128
                    else varint(assignment_epochs_size_3)
                )
                add(_pack_numbers_i[len(assignment_epochs_6)](*assignment_epochs_6))
            fields_3.append((0, b"".join(tagged_3)))
            add = parts.append
        add(write_tags(fields_3, warmup_tasks_item.unknown_tagged_fields, (0,)))
    active_tasks_pending_revocation = message.active_tasks_pending_revocation
    if type(active_tasks_pending_revocation) is not tuple:
        raise OddValue
    active_tasks_pending_revocation_size = len(active_tasks_pending_revocation) + 1
    add(
        VARINT[active_tasks_pending_revocation_size]
        if active_tasks_pending_revocation_size < 128
        else varint(active_tasks_pending_revocation_size)
    )
    for active_tasks_pending_revocation_item in active_tasks_pending_revocation:
        if type(active_tasks_pending_revocation_item) is not _TaskIds:
            raise OddValue
        subtopology_id_raw_4 = active_tasks_pending_revocation_item.subtopology_id.encode()
        if len(subtopology_id_raw_4) > MAX_STRING:
            raise OddValue
        subtopology_id_size_4 = len(subtopology_id_raw_4) + 1
        add(
            VARINT[subtopology_id_size_4]
            if subtopology_id_size_4 < 128
            else varint(subtopology_id_size_4)
        )
        add(subtopology_id_raw_4)
        partitions_4 = active_tasks_pending_revocation_item.partitions
        if type(partitions_4) is not tuple:
            raise OddValue
        partitions_size_4 = len(partitions_4) + 1
        add(VARINT[partitions_size_4] if partitions_size_4 < 128 else varint(partitions_size_4))
        add(_pack_numbers_i[len(partitions_4)](*partitions_4))
        fields_4: list[tuple[int, bytes]] = []
        assignment_epochs_7 = active_tasks_pending_revocation_item.assignment_epochs
        if assignment_epochs_7 != ():
            tagged_4: list[bytes] = []
            add = tagged_4.append
            assignment_epochs_8 = assignment_epochs_7
            if assignment_epochs_8 is None:
                add(b"\x00")
            else:
                if type(assignment_epochs_8) is not tuple:
                    raise OddValue
                assignment_epochs_size_4 = len(assignment_epochs_8) + 1
                add(
                    VARINT[assignment_epochs_size_4]
                    if assignment_epochs_size_4 < 128
                    else varint(assignment_epochs_size_4)
                )
                add(_pack_numbers_i[len(assignment_epochs_8)](*assignment_epochs_8))
            fields_4.append((0, b"".join(tagged_4)))
            add = parts.append
        add(write_tags(fields_4, active_tasks_pending_revocation_item.unknown_tagged_fields, (0,)))
    standby_tasks_pending_revocation = message.standby_tasks_pending_revocation
    if type(standby_tasks_pending_revocation) is not tuple:
        raise OddValue
    standby_tasks_pending_revocation_size = len(standby_tasks_pending_revocation) + 1
    add(
        VARINT[standby_tasks_pending_revocation_size]
        if standby_tasks_pending_revocation_size < 128
        else varint(standby_tasks_pending_revocation_size)
    )
    for standby_tasks_pending_revocation_item in standby_tasks_pending_revocation:
        if type(standby_tasks_pending_revocation_item) is not _TaskIds:
            raise OddValue
        subtopology_id_raw_5 = standby_tasks_pending_revocation_item.subtopology_id.encode()
        if len(subtopology_id_raw_5) > MAX_STRING:
            raise OddValue
        subtopology_id_size_5 = len(subtopology_id_raw_5) + 1
        add(
            VARINT[subtopology_id_size_5]
            if subtopology_id_size_5 < 128
            else varint(subtopology_id_size_5)
        )
        add(subtopology_id_raw_5)
        partitions_5 = standby_tasks_pending_revocation_item.partitions
        if type(partitions_5) is not tuple:
            raise OddValue
        partitions_size_5 = len(partitions_5) + 1
        add(VARINT[partitions_size_5] if partitions_size_5 < 128 else varint(partitions_size_5))
        add(_pack_numbers_i[len(partitions_5)](*partitions_5))
        fields_5: list[tuple[int, bytes]] = []
        assignment_epochs_9 = standby_tasks_pending_revocation_item.assignment_epochs
        if assignment_epochs_9 != ():
            tagged_5: list[bytes] = []
            add = tagged_5.append
            assignment_epochs_10 = assignment_epochs_9
            if assignment_epochs_10 is None:
                add(b"\x00")
            else:
                if type(assignment_epochs_10) is not tuple:
                    raise OddValue
                assignment_epochs_size_5 = len(assignment_epochs_10) + 1
                add(
                    VARINT[assignment_epochs_size_5]
                    if assignment_epochs_size_5 < 128
                    else varint(assignment_epochs_size_5)
                )
                add(_pack_numbers_i[len(assignment_epochs_10)](*assignment_epochs_10))
            fields_5.append((0, b"".join(tagged_5)))
            add = parts.append
        add(write_tags(fields_5, standby_tasks_pending_revocation_item.unknown_tagged_fields, (0,)))
    warmup_tasks_pending_revocation = message.warmup_tasks_pending_revocation
    if type(warmup_tasks_pending_revocation) is not tuple:
        raise OddValue
    warmup_tasks_pending_revocation_size = len(warmup_tasks_pending_revocation) + 1
    add(
        VARINT[warmup_tasks_pending_revocation_size]
        if warmup_tasks_pending_revocation_size < 128
        else varint(warmup_tasks_pending_revocation_size)
    )
    for warmup_tasks_pending_revocation_item in warmup_tasks_pending_revocation:
        if type(warmup_tasks_pending_revocation_item) is not _TaskIds:
            raise OddValue
        subtopology_id_raw_6 = warmup_tasks_pending_revocation_item.subtopology_id.encode()
        if len(subtopology_id_raw_6) > MAX_STRING:
            raise OddValue
        subtopology_id_size_6 = len(subtopology_id_raw_6) + 1
        add(
            VARINT[subtopology_id_size_6]
            if subtopology_id_size_6 < 128
            else varint(subtopology_id_size_6)
        )
        add(subtopology_id_raw_6)
        partitions_6 = warmup_tasks_pending_revocation_item.partitions
        if type(partitions_6) is not tuple:
            raise OddValue
        partitions_size_6 = len(partitions_6) + 1
        add(VARINT[partitions_size_6] if partitions_size_6 < 128 else varint(partitions_size_6))
        add(_pack_numbers_i[len(partitions_6)](*partitions_6))
        fields_6: list[tuple[int, bytes]] = []
        assignment_epochs_11 = warmup_tasks_pending_revocation_item.assignment_epochs
        if assignment_epochs_11 != ():
            tagged_6: list[bytes] = []
            add = tagged_6.append
            assignment_epochs_12 = assignment_epochs_11
            if assignment_epochs_12 is None:
                add(b"\x00")
            else:
                if type(assignment_epochs_12) is not tuple:
                    raise OddValue
                assignment_epochs_size_6 = len(assignment_epochs_12) + 1
                add(
                    VARINT[assignment_epochs_size_6]
                    if assignment_epochs_size_6 < 128
                    else varint(assignment_epochs_size_6)
                )
                add(_pack_numbers_i[len(assignment_epochs_12)](*assignment_epochs_12))
            fields_6.append((0, b"".join(tagged_6)))
            add = parts.append
        add(write_tags(fields_6, warmup_tasks_pending_revocation_item.unknown_tagged_fields, (0,)))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupCurrentMemberAssignmentValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupCurrentMemberAssignmentValue._by_header = {
    0: _read_v0,
}
StreamsGroupCurrentMemberAssignmentValue._headers = {
    0: b"\x00\x00",
}
