"""StreamsGroupTargetAssignmentMemberValue, generated from schemas/StreamsGroupTargetAssignmentMemberValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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


class StreamsGroupTargetAssignmentMemberValue(
    VersionedMessage, frozen=True, kw_only=True, gc=False
):
    """StreamsGroupTargetAssignmentMemberValue, versions 0.

    The tasks that one member of a Streams group is to have in the end (KIP-1071).

    Attributes:
        active_tasks ([]TaskIds): The tasks to process. Version 0; default ().
        standby_tasks ([]TaskIds): The tasks whose state to keep as a spare. Version 0; default ().
        warmup_tasks ([]TaskIds): The tasks whose state to build up, to take over later. Version 0;
            default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "StreamsGroupTargetAssignmentMemberValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 21
    FRAMING = Framing("version", "refuse")

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupTargetAssignmentMemberValue, versions 0.

        Tasks of one sub-topology.

        Attributes:
            subtopology_id (string): The sub-topology. Version 0; default ''.
            partitions ([]int32): The partitions; each is one task. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

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


def _read_task_ids_v0(data: bytes, pos: int) -> tuple[_TaskIds, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TaskIds(
        subtopology_id=subtopology_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_task_ids_v0(item: _TaskIds, parts: list[bytes]) -> None:
    if type(item) is not _TaskIds:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    active_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0)
    standby_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0)
    warmup_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupTargetAssignmentMemberValue(
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: StreamsGroupTargetAssignmentMemberValue, parts: list[bytes]) -> None:
    write_compact_array(message.active_tasks, parts, _write_task_ids_v0)
    write_compact_array(message.standby_tasks, parts, _write_task_ids_v0)
    write_compact_array(message.warmup_tasks, parts, _write_task_ids_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupTargetAssignmentMemberValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupTargetAssignmentMemberValue._by_header = {
    0: _read_v0,
}
StreamsGroupTargetAssignmentMemberValue._headers = {
    0: b"\x00\x00",
}
