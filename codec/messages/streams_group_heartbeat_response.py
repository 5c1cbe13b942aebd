"""StreamsGroupHeartbeatResponse, generated from schemas/StreamsGroupHeartbeatResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field as _field

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    INT16,
    INT32,
    INT64,
    UINT16,
    OddBytes,
    OddValue,
    read_bool,
    read_compact_array,
    read_compact_nullable_array,
    read_compact_nullable_string,
    read_compact_string,
    write_bool,
    write_compact_array,
    write_compact_nullable_array,
    write_compact_nullable_string,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupHeartbeatResponse(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupHeartbeatResponse, versions 0-1.

    What a member of a Streams group is to do (KIP-1071): its epoch, its tasks where they have
    changed, and what is wrong with the group.

    Version 1: the recovery lag as int64; a request for the topology's description (KIP-1331); the
    status MISSING_CLIENT_TAGS (KAFKA-20744).

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-1; default 0.
        error_code (int16): Why it failed; 0 if it did not. Versions 0-1; default 0.
        error_message (string): The same in words; null if there is nothing to say. Versions 0-1; may
            be null; default None.
        member_id (string): The member's id. Versions 0-1; default ''.
        member_epoch (int32): The member's epoch from now on. Versions 0-1; default 0.
        heartbeat_interval_ms (int32): When to report again; milliseconds. Versions 0-1; default 0.
        acceptable_recovery_lag_legacy (int32): The same as AcceptableRecoveryLag, in version 0.
            Version 0; default 0; other versions cannot hold it.
        task_offset_interval_ms (int32): How often to report task offsets; milliseconds. Versions 0-1;
            default 0.
        acceptable_recovery_lag (int64): A spare so close to the end may take over; -1 if not known.
            Version 1; default -1; other versions leave it out.
        status ([]Status): What is wrong with the group; null if nothing has changed. Versions 0-1;
            may be null; default ().
        active_tasks ([]TaskIds): The tasks to process; null: as before. Versions 0-1; may be null;
            default None.
        standby_tasks ([]TaskIds): The tasks whose state to keep as a spare; null: as before. Versions
            0-1; may be null; default None.
        warmup_tasks ([]TaskIds): The tasks whose state to build up; null: as before. Versions 0-1;
            may be null; default None.
        topology_description_required (bool): Whether the broker asks for the topology's description.
            Version 1; default False; other versions cannot hold it.
        endpoint_information_epoch (int32): The version of the list of endpoints that follows.
            Versions 0-1; default 0.
        partitions_by_user_endpoint ([]EndpointToPartitions): Who holds what, for queries; null: as
            before. Versions 0-1; may be null; default None.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "StreamsGroupHeartbeatResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 88
    FRAMING = Framing("none", "refuse")

    class Status(MessagePart, frozen=True, kw_only=True, gc=False):
        """Status of StreamsGroupHeartbeatResponse, versions 0-1.

        One thing that is wrong.

        Attributes:
            status_code (int8): What it is, as a number. Versions 0-1; default 0.
            status_detail (string): The same in words. Versions 0-1; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        status_code: int = 0
        status_detail: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                status_code: int = ...,
                status_detail: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                status_code: int = ...,
                status_detail: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupHeartbeatResponse, versions 0-1.

        Tasks of one sub-topology.

        Attributes:
            subtopology_id (string): The sub-topology. Versions 0-1; default ''.
            partitions ([]int32): The partitions; each is one task. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
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

    class Endpoint(MessagePart, frozen=True, kw_only=True, gc=False):
        """Endpoint of StreamsGroupHeartbeatResponse, versions 0-1.

        Where a member answers interactive queries.

        Attributes:
            host (string): The host. Versions 0-1; default ''.
            port (uint16): The port. Versions 0-1; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        host: str = ""
        port: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                host: str = ...,
                port: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                host: str = ...,
                port: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of StreamsGroupHeartbeatResponse, versions 0-1.

        Partitions of one topic.

        Attributes:
            topic (string): The topic's name. Versions 0-1; default ''.
            partitions ([]int32): The numbers of its partitions. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        topic: str = ""
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
                topic: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class EndpointToPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """EndpointToPartitions of StreamsGroupHeartbeatResponse, versions 0-1.

        Who holds what, for queries; null: as before.

        Attributes:
            user_endpoint (Endpoint): Where to ask. Versions 0-1; default Endpoint().
            active_partitions ([]TopicPartition): What the tasks there process. Versions 0-1; default
                ().
            standby_partitions ([]TopicPartition): What the spares there follow. Versions 0-1; default
                ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        user_endpoint: StreamsGroupHeartbeatResponse.Endpoint = _field(
            default_factory=lambda: _DEFAULT_Endpoint
        )
        active_partitions: tuple[StreamsGroupHeartbeatResponse.TopicPartition, ...] = ()
        standby_partitions: tuple[StreamsGroupHeartbeatResponse.TopicPartition, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("active_partitions", "standby_partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.active_partitions) is not tuple
                or type(self.standby_partitions) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                user_endpoint: StreamsGroupHeartbeatResponse.Endpoint = ...,
                active_partitions: Iterable[StreamsGroupHeartbeatResponse.TopicPartition] = ...,
                standby_partitions: Iterable[StreamsGroupHeartbeatResponse.TopicPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                user_endpoint: StreamsGroupHeartbeatResponse.Endpoint = ...,
                active_partitions: Iterable[StreamsGroupHeartbeatResponse.TopicPartition] = ...,
                standby_partitions: Iterable[StreamsGroupHeartbeatResponse.TopicPartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = None
    member_id: str = ""
    member_epoch: int = 0
    heartbeat_interval_ms: int = 0
    acceptable_recovery_lag_legacy: int = 0
    task_offset_interval_ms: int = 0
    acceptable_recovery_lag: int = -1
    status: tuple[StreamsGroupHeartbeatResponse.Status, ...] | None = ()
    active_tasks: tuple[StreamsGroupHeartbeatResponse.TaskIds, ...] | None = None
    standby_tasks: tuple[StreamsGroupHeartbeatResponse.TaskIds, ...] | None = None
    warmup_tasks: tuple[StreamsGroupHeartbeatResponse.TaskIds, ...] | None = None
    topology_description_required: bool = False
    endpoint_information_epoch: int = 0
    partitions_by_user_endpoint: (
        tuple[StreamsGroupHeartbeatResponse.EndpointToPartitions, ...] | None
    ) = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = (
        "status",
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "partitions_by_user_endpoint",
        "unknown_tagged_fields",
    )

    def __post_init__(self) -> None:
        if (
            (self.status is not None and type(self.status) is not tuple)
            or (self.active_tasks is not None and type(self.active_tasks) is not tuple)
            or (self.standby_tasks is not None and type(self.standby_tasks) is not tuple)
            or (self.warmup_tasks is not None and type(self.warmup_tasks) is not tuple)
            or (
                self.partitions_by_user_endpoint is not None
                and type(self.partitions_by_user_endpoint) is not tuple
            )
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            error_message: str | None = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            heartbeat_interval_ms: int = ...,
            acceptable_recovery_lag_legacy: int = ...,
            task_offset_interval_ms: int = ...,
            acceptable_recovery_lag: int = ...,
            status: Iterable[StreamsGroupHeartbeatResponse.Status] | None = ...,
            active_tasks: Iterable[StreamsGroupHeartbeatResponse.TaskIds] | None = ...,
            standby_tasks: Iterable[StreamsGroupHeartbeatResponse.TaskIds] | None = ...,
            warmup_tasks: Iterable[StreamsGroupHeartbeatResponse.TaskIds] | None = ...,
            topology_description_required: bool = ...,
            endpoint_information_epoch: int = ...,
            partitions_by_user_endpoint: Iterable[
                StreamsGroupHeartbeatResponse.EndpointToPartitions
            ]
            | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            error_message: str | None = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            heartbeat_interval_ms: int = ...,
            acceptable_recovery_lag_legacy: int = ...,
            task_offset_interval_ms: int = ...,
            acceptable_recovery_lag: int = ...,
            status: Iterable[StreamsGroupHeartbeatResponse.Status] | None = ...,
            active_tasks: Iterable[StreamsGroupHeartbeatResponse.TaskIds] | None = ...,
            standby_tasks: Iterable[StreamsGroupHeartbeatResponse.TaskIds] | None = ...,
            warmup_tasks: Iterable[StreamsGroupHeartbeatResponse.TaskIds] | None = ...,
            topology_description_required: bool = ...,
            endpoint_information_epoch: int = ...,
            partitions_by_user_endpoint: Iterable[
                StreamsGroupHeartbeatResponse.EndpointToPartitions
            ]
            | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Endpoint = StreamsGroupHeartbeatResponse.Endpoint
_EndpointToPartitions = StreamsGroupHeartbeatResponse.EndpointToPartitions
_Status = StreamsGroupHeartbeatResponse.Status
_TaskIds = StreamsGroupHeartbeatResponse.TaskIds
_TopicPartition = StreamsGroupHeartbeatResponse.TopicPartition
_DEFAULT_Endpoint: StreamsGroupHeartbeatResponse.Endpoint = StreamsGroupHeartbeatResponse.Endpoint()


def _read_status_v0_1(data: bytes, pos: int) -> tuple[_Status, int]:
    (status_code,), pos = INT8.unpack(data, pos), pos + 1
    status_detail, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _Status(
        status_code=status_code, status_detail=status_detail, unknown_tagged_fields=unknown
    ), pos


def _write_status_v0_1(item: _Status, parts: list[bytes]) -> None:
    if type(item) is not _Status:
        raise OddValue
    INT8.write(item.status_code, parts)
    write_compact_string(item.status_detail, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_task_ids_v0_1(data: bytes, pos: int) -> tuple[_TaskIds, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TaskIds(
        subtopology_id=subtopology_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_task_ids_v0_1(item: _TaskIds, parts: list[bytes]) -> None:
    if type(item) is not _TaskIds:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_endpoint_v0_1(data: bytes, pos: int) -> tuple[_Endpoint, int]:
    host, pos = read_compact_string(data, pos)
    (port,), pos = UINT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _Endpoint(host=host, port=port, unknown_tagged_fields=unknown), pos


def _write_endpoint_v0_1(item: _Endpoint, parts: list[bytes]) -> None:
    if type(item) is not _Endpoint:
        raise OddValue
    write_compact_string(item.host, parts)
    UINT16.write(item.port, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topic_partition_v0_1(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartition(topic=topic, partitions=partitions, unknown_tagged_fields=unknown), pos


def _write_topic_partition_v0_1(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_compact_string(item.topic, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_endpoint_to_partitions_v0_1(data: bytes, pos: int) -> tuple[_EndpointToPartitions, int]:
    user_endpoint, pos = _read_endpoint_v0_1(data, pos)
    active_partitions, pos = read_compact_array(data, pos, _read_topic_partition_v0_1)
    standby_partitions, pos = read_compact_array(data, pos, _read_topic_partition_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _EndpointToPartitions(
        user_endpoint=user_endpoint,
        active_partitions=active_partitions,
        standby_partitions=standby_partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_endpoint_to_partitions_v0_1(item: _EndpointToPartitions, parts: list[bytes]) -> None:
    if type(item) is not _EndpointToPartitions:
        raise OddValue
    _write_endpoint_v0_1(item.user_endpoint, parts)
    write_compact_array(item.active_partitions, parts, _write_topic_partition_v0_1)
    write_compact_array(item.standby_partitions, parts, _write_topic_partition_v0_1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (heartbeat_interval_ms,), pos = INT32.unpack(data, pos), pos + 4
    (acceptable_recovery_lag_legacy,), pos = INT32.unpack(data, pos), pos + 4
    (task_offset_interval_ms,), pos = INT32.unpack(data, pos), pos + 4
    status, pos = read_compact_nullable_array(data, pos, _read_status_v0_1)
    active_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    standby_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    warmup_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    (endpoint_information_epoch,), pos = INT32.unpack(data, pos), pos + 4
    partitions_by_user_endpoint, pos = read_compact_nullable_array(
        data, pos, _read_endpoint_to_partitions_v0_1
    )
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupHeartbeatResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        error_message=error_message,
        member_id=member_id,
        member_epoch=member_epoch,
        heartbeat_interval_ms=heartbeat_interval_ms,
        acceptable_recovery_lag_legacy=acceptable_recovery_lag_legacy,
        task_offset_interval_ms=task_offset_interval_ms,
        status=status,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        endpoint_information_epoch=endpoint_information_epoch,
        partitions_by_user_endpoint=partitions_by_user_endpoint,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: StreamsGroupHeartbeatResponse, parts: list[bytes]) -> None:
    if message.topology_description_required is not False:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_nullable_string(message.error_message, parts)
    write_compact_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    INT32.write(message.heartbeat_interval_ms, parts)
    INT32.write(message.acceptable_recovery_lag_legacy, parts)
    INT32.write(message.task_offset_interval_ms, parts)
    write_compact_nullable_array(message.status, parts, _write_status_v0_1)
    write_compact_nullable_array(message.active_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_array(message.standby_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_array(message.warmup_tasks, parts, _write_task_ids_v0_1)
    INT32.write(message.endpoint_information_epoch, parts)
    write_compact_nullable_array(
        message.partitions_by_user_endpoint, parts, _write_endpoint_to_partitions_v0_1
    )
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v1(data: bytes, pos: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (heartbeat_interval_ms,), pos = INT32.unpack(data, pos), pos + 4
    (task_offset_interval_ms,), pos = INT32.unpack(data, pos), pos + 4
    (acceptable_recovery_lag,), pos = INT64.unpack(data, pos), pos + 8
    status, pos = read_compact_nullable_array(data, pos, _read_status_v0_1)
    active_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    standby_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    warmup_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    topology_description_required, pos = read_bool(data, pos)
    (endpoint_information_epoch,), pos = INT32.unpack(data, pos), pos + 4
    partitions_by_user_endpoint, pos = read_compact_nullable_array(
        data, pos, _read_endpoint_to_partitions_v0_1
    )
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupHeartbeatResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        error_message=error_message,
        member_id=member_id,
        member_epoch=member_epoch,
        heartbeat_interval_ms=heartbeat_interval_ms,
        task_offset_interval_ms=task_offset_interval_ms,
        acceptable_recovery_lag=acceptable_recovery_lag,
        status=status,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        topology_description_required=topology_description_required,
        endpoint_information_epoch=endpoint_information_epoch,
        partitions_by_user_endpoint=partitions_by_user_endpoint,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v1(message: StreamsGroupHeartbeatResponse, parts: list[bytes]) -> None:
    if message.acceptable_recovery_lag_legacy != 0:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_nullable_string(message.error_message, parts)
    write_compact_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    INT32.write(message.heartbeat_interval_ms, parts)
    INT32.write(message.task_offset_interval_ms, parts)
    INT64.write(message.acceptable_recovery_lag, parts)
    write_compact_nullable_array(message.status, parts, _write_status_v0_1)
    write_compact_nullable_array(message.active_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_array(message.standby_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_array(message.warmup_tasks, parts, _write_task_ids_v0_1)
    write_bool(message.topology_description_required, parts)
    INT32.write(message.endpoint_information_epoch, parts)
    write_compact_nullable_array(
        message.partitions_by_user_endpoint, parts, _write_endpoint_to_partitions_v0_1
    )
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupHeartbeatResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
