"""StreamsGroupCurrentMemberAssignmentValue, generated from schemas/StreamsGroupCurrentMemberAssignmentValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import Tags, read_tags, read_unknown_tags, write_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    INT32,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_string,
    write_compact_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupCurrentMemberAssignmentValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """StreamsGroupCurrentMemberAssignmentValue, versions 0.

    How far one member of a Streams group is on its way to the target (KIP-1071): the tasks that it
    has, and those that it still has to give back before others can have them.

    Attributes:
        member_epoch (int32): The epoch that the member has reached. Version 0; default 0.
        previous_member_epoch (int32): The epoch before that, for a member whose answer was lost.
            Version 0; default 0.
        state (int8): What the member has to do next. Version 0; default 0.
        active_tasks ([]TaskIds): The tasks that it processes. Version 0; default ().
        standby_tasks ([]TaskIds): The tasks whose state it keeps as a spare. Version 0; default ().
        warmup_tasks ([]TaskIds): The tasks whose state it builds up. Version 0; default ().
        active_tasks_pending_revocation ([]TaskIds): Active tasks that it has to give back. Version 0;
            default ().
        standby_tasks_pending_revocation ([]TaskIds): Standby tasks that it has to give back. Version
            0; default ().
        warmup_tasks_pending_revocation ([]TaskIds): Warm-up tasks that it has to give back. Version
            0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "StreamsGroupCurrentMemberAssignmentValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 22
    FRAMING = Framing("version", "refuse")

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupCurrentMemberAssignmentValue, versions 0.

        Tasks of one sub-topology.

        Attributes:
            subtopology_id (string): The sub-topology. Version 0; default ''.
            partitions ([]int32): The partitions; each is one task. Version 0; default ().
            assignment_epochs ([]int32): In which epoch it got each of them; null if not kept. Version
                0; may be null; default (); tag 0 in version 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

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


_TAGS_task_ids_v0: Tags = {
    0: ("assignment_epochs", INT32.read_compact_nullable_array),
}


def _read_task_ids_v0(data: bytes, pos: int) -> tuple[_TaskIds, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    tagged, unknown, pos = read_tags(data, pos, _TAGS_task_ids_v0, ())
    read = _TaskIds(
        subtopology_id=subtopology_id, partitions=partitions, unknown_tagged_fields=unknown
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_task_ids_v0(item: _TaskIds, parts: list[bytes]) -> None:
    if type(item) is not _TaskIds:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    tags: dict[int, list[bytes]] = {}
    if item.assignment_epochs != ():
        INT32.write_compact_nullable_array(item.assignment_epochs, tags.setdefault(0, []))
    write_tags(tags, item.unknown_tagged_fields, parts, (0,))


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (previous_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (state,), pos = INT8.unpack(data, pos), pos + 1
    active_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0)
    standby_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0)
    warmup_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0)
    active_tasks_pending_revocation, pos = read_compact_array(data, pos, _read_task_ids_v0)
    standby_tasks_pending_revocation, pos = read_compact_array(data, pos, _read_task_ids_v0)
    warmup_tasks_pending_revocation, pos = read_compact_array(data, pos, _read_task_ids_v0)
    unknown, pos = read_unknown_tags(data, pos)
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
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: StreamsGroupCurrentMemberAssignmentValue, parts: list[bytes]) -> None:
    INT32.write(message.member_epoch, parts)
    INT32.write(message.previous_member_epoch, parts)
    INT8.write(message.state, parts)
    write_compact_array(message.active_tasks, parts, _write_task_ids_v0)
    write_compact_array(message.standby_tasks, parts, _write_task_ids_v0)
    write_compact_array(message.warmup_tasks, parts, _write_task_ids_v0)
    write_compact_array(message.active_tasks_pending_revocation, parts, _write_task_ids_v0)
    write_compact_array(message.standby_tasks_pending_revocation, parts, _write_task_ids_v0)
    write_compact_array(message.warmup_tasks_pending_revocation, parts, _write_task_ids_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupCurrentMemberAssignmentValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupCurrentMemberAssignmentValue._by_header = {
    0: _read_v0,
}
StreamsGroupCurrentMemberAssignmentValue._headers = {
    0: b"\x00\x00",
}
