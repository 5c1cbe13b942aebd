"""StreamsGroupHeartbeatResponse, generated from schemas/StreamsGroupHeartbeatResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field as _field

from ..framing import Framing
from ..message import Codec, Message, MessagePart, RawTaggedField
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
    packed,
    read_varint,
    truth,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_b = packed("b")
_pack_bi = packed("bi")
_pack_i = packed("i")
_pack_ih = packed("ih")
_pack_iiii = packed("iiii")
_pack_iiiq = packed("iiiq")
_pack_numbers_i = pack_numbers("i")
_pack_u_h = packed("H")
_unpack_bool_iu_b = fixed("?iB")
_unpack_bu_b = fixed("bB")
_unpack_ihu_b = fixed("ihB")
_unpack_iiiiu_b = fixed("iiiiB")
_unpack_iiiqu_b = fixed("iiiqB")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_u_hu_b = fixed("HB")


class StreamsGroupHeartbeatResponse(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupHeartbeatResponse, versions 0-1."""

    NAME = "StreamsGroupHeartbeatResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 88
    FRAMING = Framing("none", "refuse")

    class Status(MessagePart, frozen=True, kw_only=True, gc=False):
        """Status of StreamsGroupHeartbeatResponse, versions 0-1."""

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
        """TaskIds of StreamsGroupHeartbeatResponse, versions 0-1."""

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
        """Endpoint of StreamsGroupHeartbeatResponse, versions 0-1."""

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
        """TopicPartition of StreamsGroupHeartbeatResponse, versions 0-1."""

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
        """EndpointToPartitions of StreamsGroupHeartbeatResponse, versions 0-1."""

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


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
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
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    (
        member_epoch,
        heartbeat_interval_ms,
        acceptable_recovery_lag_legacy,
        task_offset_interval_ms,
        status_count,
    ) = _unpack_iiiiu_b(data, pos)
    pos += 17
    if status_count > 127:
        status_count, pos = read_varint(data, pos - 1)
    if status_count < 1:
        status = None
    else:
        status_count -= 1
        if not 0 <= status_count <= MAX_ELEMENTS:
            raise OddBytes
        status_list: list[_Status] = []
        for _ in range(status_count):
            status_code, status_detail_size = _unpack_bu_b(data, pos)
            pos += 2
            if status_detail_size > 127:
                status_detail_size, pos = read_varint(data, pos - 1)
            if status_detail_size < 1 or status_detail_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + status_detail_size - 1
            status_detail = data[pos:end].decode()
            pos = end
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            status_list.append(
                _Status(
                    status_code=status_code,
                    status_detail=status_detail,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        status = tuple(status_list)
    (active_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if active_tasks_count > 127:
        active_tasks_count, pos = read_varint(data, pos - 1)
    if active_tasks_count < 1:
        active_tasks = None
    else:
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
            (count_2,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
            if count_2:
                unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
            active_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id,
                    partitions=partitions,
                    unknown_tagged_fields=unknown_tagged_fields_2,
                )
            )
        active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if standby_tasks_count > 127:
        standby_tasks_count, pos = read_varint(data, pos - 1)
    if standby_tasks_count < 1:
        standby_tasks = None
    else:
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
            (count_3,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
            if count_3:
                unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
            standby_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_2,
                    partitions=partitions_2,
                    unknown_tagged_fields=unknown_tagged_fields_3,
                )
            )
        standby_tasks = tuple(standby_tasks_list)
    (warmup_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, pos = read_varint(data, pos - 1)
    if warmup_tasks_count < 1:
        warmup_tasks = None
    else:
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
            (count_4,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
            if count_4:
                unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
            warmup_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_3,
                    partitions=partitions_3,
                    unknown_tagged_fields=unknown_tagged_fields_4,
                )
            )
        warmup_tasks = tuple(warmup_tasks_list)
    endpoint_information_epoch, partitions_by_user_endpoint_count = _unpack_iu_b(data, pos)
    pos += 5
    if partitions_by_user_endpoint_count > 127:
        partitions_by_user_endpoint_count, pos = read_varint(data, pos - 1)
    if partitions_by_user_endpoint_count < 1:
        partitions_by_user_endpoint = None
    else:
        partitions_by_user_endpoint_count -= 1
        if not 0 <= partitions_by_user_endpoint_count <= MAX_ELEMENTS:
            raise OddBytes
        partitions_by_user_endpoint_list: list[_EndpointToPartitions] = []
        for _ in range(partitions_by_user_endpoint_count):
            (host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if host_size > 127:
                host_size, pos = read_varint(data, pos - 1)
            if host_size < 1 or host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + host_size - 1
            host = data[pos:end].decode()
            pos = end
            port, count_5 = _unpack_u_hu_b(data, pos)
            pos += 3
            unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
            if count_5:
                unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
            user_endpoint = _Endpoint(
                host=host, port=port, unknown_tagged_fields=unknown_tagged_fields_5
            )
            (active_partitions_count,) = _unpack_u_b(data, pos)
            pos += 1
            if active_partitions_count > 127:
                active_partitions_count, pos = read_varint(data, pos - 1)
            active_partitions_count -= 1
            if not 0 <= active_partitions_count <= MAX_ELEMENTS:
                raise OddBytes
            active_partitions_list: list[_TopicPartition] = []
            for _ in range(active_partitions_count):
                (topic_size,) = _unpack_u_b(data, pos)
                pos += 1
                if topic_size > 127:
                    topic_size, pos = read_varint(data, pos - 1)
                if topic_size < 1 or topic_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_size - 1
                topic = data[pos:end].decode()
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
                (count_6,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
                if count_6:
                    unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
                active_partitions_list.append(
                    _TopicPartition(
                        topic=topic,
                        partitions=partitions_4,
                        unknown_tagged_fields=unknown_tagged_fields_6,
                    )
                )
            active_partitions = tuple(active_partitions_list)
            (standby_partitions_count,) = _unpack_u_b(data, pos)
            pos += 1
            if standby_partitions_count > 127:
                standby_partitions_count, pos = read_varint(data, pos - 1)
            standby_partitions_count -= 1
            if not 0 <= standby_partitions_count <= MAX_ELEMENTS:
                raise OddBytes
            standby_partitions_list: list[_TopicPartition] = []
            for _ in range(standby_partitions_count):
                (topic_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if topic_2_size > 127:
                    topic_2_size, pos = read_varint(data, pos - 1)
                if topic_2_size < 1 or topic_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_2_size - 1
                topic_2 = data[pos:end].decode()
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
                (count_7,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
                if count_7:
                    unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
                standby_partitions_list.append(
                    _TopicPartition(
                        topic=topic_2,
                        partitions=partitions_5,
                        unknown_tagged_fields=unknown_tagged_fields_7,
                    )
                )
            standby_partitions = tuple(standby_partitions_list)
            (count_8,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_8: tuple[RawTaggedField, ...] = ()
            if count_8:
                unknown_tagged_fields_8, pos = read_tags(data, pos - 1)
            partitions_by_user_endpoint_list.append(
                _EndpointToPartitions(
                    user_endpoint=user_endpoint,
                    active_partitions=active_partitions,
                    standby_partitions=standby_partitions,
                    unknown_tagged_fields=unknown_tagged_fields_8,
                )
            )
        partitions_by_user_endpoint = tuple(partitions_by_user_endpoint_list)
    (count_9,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_9: tuple[RawTaggedField, ...] = ()
    if count_9:
        unknown_tagged_fields_9, pos = read_tags(data, pos - 1)
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
        unknown_tagged_fields=unknown_tagged_fields_9,
    ), pos


def _write_v0(message: StreamsGroupHeartbeatResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.topology_description_required is not False:
        raise OddValue
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
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    if type(message.member_epoch) is bool:
        raise OddValue
    if type(message.heartbeat_interval_ms) is bool:
        raise OddValue
    if type(message.acceptable_recovery_lag_legacy) is bool:
        raise OddValue
    if type(message.task_offset_interval_ms) is bool:
        raise OddValue
    add(
        _pack_iiii(
            message.member_epoch,
            message.heartbeat_interval_ms,
            message.acceptable_recovery_lag_legacy,
            message.task_offset_interval_ms,
        )
    )
    status = message.status
    if status is None:
        add(b"\x00")
    else:
        if type(status) is not tuple:
            raise OddValue
        status_size = len(status) + 1
        add(VARINT[status_size] if status_size < 128 else varint(status_size))
        for status_item in status:
            if type(status_item) is not _Status:
                raise OddValue
            if type(status_item.status_code) is bool:
                raise OddValue
            status_detail_raw = status_item.status_detail.encode()
            add(_pack_b(status_item.status_code))
            if len(status_detail_raw) > MAX_STRING:
                raise OddValue
            status_detail_size = len(status_detail_raw) + 1
            add(
                VARINT[status_detail_size]
                if status_detail_size < 128
                else varint(status_detail_size)
            )
            add(status_detail_raw)
            add(
                write_tags([], status_item.unknown_tagged_fields, ())
                if status_item.unknown_tagged_fields
                else b"\0"
            )
    active_tasks = message.active_tasks
    if active_tasks is None:
        add(b"\x00")
    else:
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
    if standby_tasks is None:
        add(b"\x00")
    else:
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
    if warmup_tasks is None:
        add(b"\x00")
    else:
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
    if type(message.endpoint_information_epoch) is bool:
        raise OddValue
    add(_pack_i(message.endpoint_information_epoch))
    partitions_by_user_endpoint = message.partitions_by_user_endpoint
    if partitions_by_user_endpoint is None:
        add(b"\x00")
    else:
        if type(partitions_by_user_endpoint) is not tuple:
            raise OddValue
        partitions_by_user_endpoint_size = len(partitions_by_user_endpoint) + 1
        add(
            VARINT[partitions_by_user_endpoint_size]
            if partitions_by_user_endpoint_size < 128
            else varint(partitions_by_user_endpoint_size)
        )
        for partitions_by_user_endpoint_item in partitions_by_user_endpoint:
            if type(partitions_by_user_endpoint_item) is not _EndpointToPartitions:
                raise OddValue
            user_endpoint = partitions_by_user_endpoint_item.user_endpoint
            if type(user_endpoint) is not _Endpoint:
                raise OddValue
            host_raw = user_endpoint.host.encode()
            if len(host_raw) > MAX_STRING:
                raise OddValue
            host_size = len(host_raw) + 1
            add(VARINT[host_size] if host_size < 128 else varint(host_size))
            add(host_raw)
            if type(user_endpoint.port) is bool:
                raise OddValue
            add(_pack_u_h(user_endpoint.port))
            add(
                write_tags([], user_endpoint.unknown_tagged_fields, ())
                if user_endpoint.unknown_tagged_fields
                else b"\0"
            )
            active_partitions = partitions_by_user_endpoint_item.active_partitions
            if type(active_partitions) is not tuple:
                raise OddValue
            active_partitions_size = len(active_partitions) + 1
            add(
                VARINT[active_partitions_size]
                if active_partitions_size < 128
                else varint(active_partitions_size)
            )
            for active_partitions_item in active_partitions:
                if type(active_partitions_item) is not _TopicPartition:
                    raise OddValue
                topic_raw = active_partitions_item.topic.encode()
                if len(topic_raw) > MAX_STRING:
                    raise OddValue
                topic_size = len(topic_raw) + 1
                add(VARINT[topic_size] if topic_size < 128 else varint(topic_size))
                add(topic_raw)
                partitions_4 = active_partitions_item.partitions
                if type(partitions_4) is not tuple:
                    raise OddValue
                partitions_size_4 = len(partitions_4) + 1
                add(
                    VARINT[partitions_size_4]
                    if partitions_size_4 < 128
                    else varint(partitions_size_4)
                )
                add(_pack_numbers_i[len(partitions_4)](*partitions_4))
                add(
                    write_tags([], active_partitions_item.unknown_tagged_fields, ())
                    if active_partitions_item.unknown_tagged_fields
                    else b"\0"
                )
            standby_partitions = partitions_by_user_endpoint_item.standby_partitions
            if type(standby_partitions) is not tuple:
                raise OddValue
            standby_partitions_size = len(standby_partitions) + 1
            add(
                VARINT[standby_partitions_size]
                if standby_partitions_size < 128
                else varint(standby_partitions_size)
            )
            for standby_partitions_item in standby_partitions:
                if type(standby_partitions_item) is not _TopicPartition:
                    raise OddValue
                topic_raw_2 = standby_partitions_item.topic.encode()
                if len(topic_raw_2) > MAX_STRING:
                    raise OddValue
                topic_size_2 = len(topic_raw_2) + 1
                add(VARINT[topic_size_2] if topic_size_2 < 128 else varint(topic_size_2))
                add(topic_raw_2)
                partitions_5 = standby_partitions_item.partitions
                if type(partitions_5) is not tuple:
                    raise OddValue
                partitions_size_5 = len(partitions_5) + 1
                add(
                    VARINT[partitions_size_5]
                    if partitions_size_5 < 128
                    else varint(partitions_size_5)
                )
                add(_pack_numbers_i[len(partitions_5)](*partitions_5))
                add(
                    write_tags([], standby_partitions_item.unknown_tagged_fields, ())
                    if standby_partitions_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], partitions_by_user_endpoint_item.unknown_tagged_fields, ())
                if partitions_by_user_endpoint_item.unknown_tagged_fields
                else b"\0"
            )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v1(data: bytes, pos: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
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
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    (
        member_epoch,
        heartbeat_interval_ms,
        task_offset_interval_ms,
        acceptable_recovery_lag,
        status_count,
    ) = _unpack_iiiqu_b(data, pos)
    pos += 21
    if status_count > 127:
        status_count, pos = read_varint(data, pos - 1)
    if status_count < 1:
        status = None
    else:
        status_count -= 1
        if not 0 <= status_count <= MAX_ELEMENTS:
            raise OddBytes
        status_list: list[_Status] = []
        for _ in range(status_count):
            status_code, status_detail_size = _unpack_bu_b(data, pos)
            pos += 2
            if status_detail_size > 127:
                status_detail_size, pos = read_varint(data, pos - 1)
            if status_detail_size < 1 or status_detail_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + status_detail_size - 1
            status_detail = data[pos:end].decode()
            pos = end
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            status_list.append(
                _Status(
                    status_code=status_code,
                    status_detail=status_detail,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        status = tuple(status_list)
    (active_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if active_tasks_count > 127:
        active_tasks_count, pos = read_varint(data, pos - 1)
    if active_tasks_count < 1:
        active_tasks = None
    else:
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
            (count_2,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
            if count_2:
                unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
            active_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id,
                    partitions=partitions,
                    unknown_tagged_fields=unknown_tagged_fields_2,
                )
            )
        active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if standby_tasks_count > 127:
        standby_tasks_count, pos = read_varint(data, pos - 1)
    if standby_tasks_count < 1:
        standby_tasks = None
    else:
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
            (count_3,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
            if count_3:
                unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
            standby_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_2,
                    partitions=partitions_2,
                    unknown_tagged_fields=unknown_tagged_fields_3,
                )
            )
        standby_tasks = tuple(standby_tasks_list)
    (warmup_tasks_count,) = _unpack_u_b(data, pos)
    pos += 1
    if warmup_tasks_count > 127:
        warmup_tasks_count, pos = read_varint(data, pos - 1)
    if warmup_tasks_count < 1:
        warmup_tasks = None
    else:
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
            (count_4,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
            if count_4:
                unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
            warmup_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_3,
                    partitions=partitions_3,
                    unknown_tagged_fields=unknown_tagged_fields_4,
                )
            )
        warmup_tasks = tuple(warmup_tasks_list)
    topology_description_required, endpoint_information_epoch, partitions_by_user_endpoint_count = (
        _unpack_bool_iu_b(data, pos)
    )
    pos += 6
    if partitions_by_user_endpoint_count > 127:
        partitions_by_user_endpoint_count, pos = read_varint(data, pos - 1)
    if partitions_by_user_endpoint_count < 1:
        partitions_by_user_endpoint = None
    else:
        partitions_by_user_endpoint_count -= 1
        if not 0 <= partitions_by_user_endpoint_count <= MAX_ELEMENTS:
            raise OddBytes
        partitions_by_user_endpoint_list: list[_EndpointToPartitions] = []
        for _ in range(partitions_by_user_endpoint_count):
            (host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if host_size > 127:
                host_size, pos = read_varint(data, pos - 1)
            if host_size < 1 or host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + host_size - 1
            host = data[pos:end].decode()
            pos = end
            port, count_5 = _unpack_u_hu_b(data, pos)
            pos += 3
            unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
            if count_5:
                unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
            user_endpoint = _Endpoint(
                host=host, port=port, unknown_tagged_fields=unknown_tagged_fields_5
            )
            (active_partitions_count,) = _unpack_u_b(data, pos)
            pos += 1
            if active_partitions_count > 127:
                active_partitions_count, pos = read_varint(data, pos - 1)
            active_partitions_count -= 1
            if not 0 <= active_partitions_count <= MAX_ELEMENTS:
                raise OddBytes
            active_partitions_list: list[_TopicPartition] = []
            for _ in range(active_partitions_count):
                (topic_size,) = _unpack_u_b(data, pos)
                pos += 1
                if topic_size > 127:
                    topic_size, pos = read_varint(data, pos - 1)
                if topic_size < 1 or topic_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_size - 1
                topic = data[pos:end].decode()
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
                (count_6,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
                if count_6:
                    unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
                active_partitions_list.append(
                    _TopicPartition(
                        topic=topic,
                        partitions=partitions_4,
                        unknown_tagged_fields=unknown_tagged_fields_6,
                    )
                )
            active_partitions = tuple(active_partitions_list)
            (standby_partitions_count,) = _unpack_u_b(data, pos)
            pos += 1
            if standby_partitions_count > 127:
                standby_partitions_count, pos = read_varint(data, pos - 1)
            standby_partitions_count -= 1
            if not 0 <= standby_partitions_count <= MAX_ELEMENTS:
                raise OddBytes
            standby_partitions_list: list[_TopicPartition] = []
            for _ in range(standby_partitions_count):
                (topic_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if topic_2_size > 127:
                    topic_2_size, pos = read_varint(data, pos - 1)
                if topic_2_size < 1 or topic_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_2_size - 1
                topic_2 = data[pos:end].decode()
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
                (count_7,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
                if count_7:
                    unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
                standby_partitions_list.append(
                    _TopicPartition(
                        topic=topic_2,
                        partitions=partitions_5,
                        unknown_tagged_fields=unknown_tagged_fields_7,
                    )
                )
            standby_partitions = tuple(standby_partitions_list)
            (count_8,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_8: tuple[RawTaggedField, ...] = ()
            if count_8:
                unknown_tagged_fields_8, pos = read_tags(data, pos - 1)
            partitions_by_user_endpoint_list.append(
                _EndpointToPartitions(
                    user_endpoint=user_endpoint,
                    active_partitions=active_partitions,
                    standby_partitions=standby_partitions,
                    unknown_tagged_fields=unknown_tagged_fields_8,
                )
            )
        partitions_by_user_endpoint = tuple(partitions_by_user_endpoint_list)
    (count_9,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_9: tuple[RawTaggedField, ...] = ()
    if count_9:
        unknown_tagged_fields_9, pos = read_tags(data, pos - 1)
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
        unknown_tagged_fields=unknown_tagged_fields_9,
    ), pos


def _write_v1(message: StreamsGroupHeartbeatResponse, parts: list[bytes]) -> None:
    add = parts.append
    if message.acceptable_recovery_lag_legacy != 0:
        raise OddValue
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
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    if type(message.member_epoch) is bool:
        raise OddValue
    if type(message.heartbeat_interval_ms) is bool:
        raise OddValue
    if type(message.task_offset_interval_ms) is bool:
        raise OddValue
    if type(message.acceptable_recovery_lag) is bool:
        raise OddValue
    add(
        _pack_iiiq(
            message.member_epoch,
            message.heartbeat_interval_ms,
            message.task_offset_interval_ms,
            message.acceptable_recovery_lag,
        )
    )
    status = message.status
    if status is None:
        add(b"\x00")
    else:
        if type(status) is not tuple:
            raise OddValue
        status_size = len(status) + 1
        add(VARINT[status_size] if status_size < 128 else varint(status_size))
        for status_item in status:
            if type(status_item) is not _Status:
                raise OddValue
            if type(status_item.status_code) is bool:
                raise OddValue
            status_detail_raw = status_item.status_detail.encode()
            add(_pack_b(status_item.status_code))
            if len(status_detail_raw) > MAX_STRING:
                raise OddValue
            status_detail_size = len(status_detail_raw) + 1
            add(
                VARINT[status_detail_size]
                if status_detail_size < 128
                else varint(status_detail_size)
            )
            add(status_detail_raw)
            add(
                write_tags([], status_item.unknown_tagged_fields, ())
                if status_item.unknown_tagged_fields
                else b"\0"
            )
    active_tasks = message.active_tasks
    if active_tasks is None:
        add(b"\x00")
    else:
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
    if standby_tasks is None:
        add(b"\x00")
    else:
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
    if warmup_tasks is None:
        add(b"\x00")
    else:
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
    if type(message.endpoint_information_epoch) is bool:
        raise OddValue
    add(_pack_bi(truth(message.topology_description_required), message.endpoint_information_epoch))
    partitions_by_user_endpoint = message.partitions_by_user_endpoint
    if partitions_by_user_endpoint is None:
        add(b"\x00")
    else:
        if type(partitions_by_user_endpoint) is not tuple:
            raise OddValue
        partitions_by_user_endpoint_size = len(partitions_by_user_endpoint) + 1
        add(
            VARINT[partitions_by_user_endpoint_size]
            if partitions_by_user_endpoint_size < 128
            else varint(partitions_by_user_endpoint_size)
        )
        for partitions_by_user_endpoint_item in partitions_by_user_endpoint:
            if type(partitions_by_user_endpoint_item) is not _EndpointToPartitions:
                raise OddValue
            user_endpoint = partitions_by_user_endpoint_item.user_endpoint
            if type(user_endpoint) is not _Endpoint:
                raise OddValue
            host_raw = user_endpoint.host.encode()
            if len(host_raw) > MAX_STRING:
                raise OddValue
            host_size = len(host_raw) + 1
            add(VARINT[host_size] if host_size < 128 else varint(host_size))
            add(host_raw)
            if type(user_endpoint.port) is bool:
                raise OddValue
            add(_pack_u_h(user_endpoint.port))
            add(
                write_tags([], user_endpoint.unknown_tagged_fields, ())
                if user_endpoint.unknown_tagged_fields
                else b"\0"
            )
            active_partitions = partitions_by_user_endpoint_item.active_partitions
            if type(active_partitions) is not tuple:
                raise OddValue
            active_partitions_size = len(active_partitions) + 1
            add(
                VARINT[active_partitions_size]
                if active_partitions_size < 128
                else varint(active_partitions_size)
            )
            for active_partitions_item in active_partitions:
                if type(active_partitions_item) is not _TopicPartition:
                    raise OddValue
                topic_raw = active_partitions_item.topic.encode()
                if len(topic_raw) > MAX_STRING:
                    raise OddValue
                topic_size = len(topic_raw) + 1
                add(VARINT[topic_size] if topic_size < 128 else varint(topic_size))
                add(topic_raw)
                partitions_4 = active_partitions_item.partitions
                if type(partitions_4) is not tuple:
                    raise OddValue
                partitions_size_4 = len(partitions_4) + 1
                add(
                    VARINT[partitions_size_4]
                    if partitions_size_4 < 128
                    else varint(partitions_size_4)
                )
                add(_pack_numbers_i[len(partitions_4)](*partitions_4))
                add(
                    write_tags([], active_partitions_item.unknown_tagged_fields, ())
                    if active_partitions_item.unknown_tagged_fields
                    else b"\0"
                )
            standby_partitions = partitions_by_user_endpoint_item.standby_partitions
            if type(standby_partitions) is not tuple:
                raise OddValue
            standby_partitions_size = len(standby_partitions) + 1
            add(
                VARINT[standby_partitions_size]
                if standby_partitions_size < 128
                else varint(standby_partitions_size)
            )
            for standby_partitions_item in standby_partitions:
                if type(standby_partitions_item) is not _TopicPartition:
                    raise OddValue
                topic_raw_2 = standby_partitions_item.topic.encode()
                if len(topic_raw_2) > MAX_STRING:
                    raise OddValue
                topic_size_2 = len(topic_raw_2) + 1
                add(VARINT[topic_size_2] if topic_size_2 < 128 else varint(topic_size_2))
                add(topic_raw_2)
                partitions_5 = standby_partitions_item.partitions
                if type(partitions_5) is not tuple:
                    raise OddValue
                partitions_size_5 = len(partitions_5) + 1
                add(
                    VARINT[partitions_size_5]
                    if partitions_size_5 < 128
                    else varint(partitions_size_5)
                )
                add(_pack_numbers_i[len(partitions_5)](*partitions_5))
                add(
                    write_tags([], standby_partitions_item.unknown_tagged_fields, ())
                    if standby_partitions_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], partitions_by_user_endpoint_item.unknown_tagged_fields, ())
                if partitions_by_user_endpoint_item.unknown_tagged_fields
                else b"\0"
            )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupHeartbeatResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
