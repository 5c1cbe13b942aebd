"""StreamsGroupHeartbeatRequest, generated from schemas/StreamsGroupHeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

_few_numbers_h = few_numbers("h")
_few_numbers_i = few_numbers("i")
_numbers_h = numbers("h")
_numbers_i = numbers("i")
_pack_b = packed("b")
_pack_i = packed("i")
_pack_ih = packed("ih")
_pack_ii = packed("ii")
_pack_iq = packed("iq")
_pack_numbers_h = pack_numbers("h")
_pack_numbers_i = pack_numbers("i")
_pack_u_h = packed("H")
_unpack_b = fixed("b")
_unpack_bool_u_b = fixed("?B")
_unpack_ib = fixed("ib")
_unpack_ihu_b = fixed("ihB")
_unpack_iiu_b = fixed("iiB")
_unpack_iqu_b = fixed("iqB")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_u_hu_b = fixed("HB")


class StreamsGroupHeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupHeartbeatRequest, versions 0-1."""

    NAME = "StreamsGroupHeartbeatRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 88
    FRAMING = Framing("none", "refuse")

    class KeyValue(MessagePart, frozen=True, kw_only=True, gc=False):
        """KeyValue of StreamsGroupHeartbeatRequest, versions 0-1."""

        key: str = ""
        value: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                key: str = ...,
                value: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                key: str = ...,
                value: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopicInfo(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicInfo of StreamsGroupHeartbeatRequest, versions 0-1."""

        name: str = ""
        partitions: int = 0
        replication_factor: int = 0
        topic_configs: tuple[StreamsGroupHeartbeatRequest.KeyValue, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("topic_configs", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.topic_configs) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                partitions: int = ...,
                replication_factor: int = ...,
                topic_configs: Iterable[StreamsGroupHeartbeatRequest.KeyValue] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partitions: int = ...,
                replication_factor: int = ...,
                topic_configs: Iterable[StreamsGroupHeartbeatRequest.KeyValue] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class CopartitionGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """CopartitionGroup of StreamsGroupHeartbeatRequest, versions 0-1."""

        source_topics: tuple[int, ...] = ()
        source_topic_regex: tuple[int, ...] = ()
        repartition_source_topics: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = (
            "source_topics",
            "source_topic_regex",
            "repartition_source_topics",
            "unknown_tagged_fields",
        )

        def __post_init__(self) -> None:
            if (
                type(self.source_topics) is not tuple
                or type(self.source_topic_regex) is not tuple
                or type(self.repartition_source_topics) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                source_topics: Iterable[int] = ...,
                source_topic_regex: Iterable[int] = ...,
                repartition_source_topics: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                source_topics: Iterable[int] = ...,
                source_topic_regex: Iterable[int] = ...,
                repartition_source_topics: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Subtopology(MessagePart, frozen=True, kw_only=True, gc=False):
        """Subtopology of StreamsGroupHeartbeatRequest, versions 0-1."""

        subtopology_id: str = ""
        source_topics: tuple[str, ...] = ()
        source_topic_regex: tuple[str, ...] = ()
        state_changelog_topics: tuple[StreamsGroupHeartbeatRequest.TopicInfo, ...] = ()
        repartition_sink_topics: tuple[str, ...] = ()
        repartition_source_topics: tuple[StreamsGroupHeartbeatRequest.TopicInfo, ...] = ()
        copartition_groups: tuple[StreamsGroupHeartbeatRequest.CopartitionGroup, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = (
            "source_topics",
            "source_topic_regex",
            "state_changelog_topics",
            "repartition_sink_topics",
            "repartition_source_topics",
            "copartition_groups",
            "unknown_tagged_fields",
        )

        def __post_init__(self) -> None:
            if (
                type(self.source_topics) is not tuple
                or type(self.source_topic_regex) is not tuple
                or type(self.state_changelog_topics) is not tuple
                or type(self.repartition_sink_topics) is not tuple
                or type(self.repartition_source_topics) is not tuple
                or type(self.copartition_groups) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                subtopology_id: str = ...,
                source_topics: Iterable[str] = ...,
                source_topic_regex: Iterable[str] = ...,
                state_changelog_topics: Iterable[StreamsGroupHeartbeatRequest.TopicInfo] = ...,
                repartition_sink_topics: Iterable[str] = ...,
                repartition_source_topics: Iterable[StreamsGroupHeartbeatRequest.TopicInfo] = ...,
                copartition_groups: Iterable[StreamsGroupHeartbeatRequest.CopartitionGroup] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                source_topics: Iterable[str] = ...,
                source_topic_regex: Iterable[str] = ...,
                state_changelog_topics: Iterable[StreamsGroupHeartbeatRequest.TopicInfo] = ...,
                repartition_sink_topics: Iterable[str] = ...,
                repartition_source_topics: Iterable[StreamsGroupHeartbeatRequest.TopicInfo] = ...,
                copartition_groups: Iterable[StreamsGroupHeartbeatRequest.CopartitionGroup] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Topology(MessagePart, frozen=True, kw_only=True, gc=False):
        """Topology of StreamsGroupHeartbeatRequest, versions 0-1."""

        epoch: int = 0
        subtopologies: tuple[StreamsGroupHeartbeatRequest.Subtopology, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("subtopologies", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.subtopologies) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                epoch: int = ...,
                subtopologies: Iterable[StreamsGroupHeartbeatRequest.Subtopology] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                epoch: int = ...,
                subtopologies: Iterable[StreamsGroupHeartbeatRequest.Subtopology] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupHeartbeatRequest, versions 0-1."""

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
        """Endpoint of StreamsGroupHeartbeatRequest, versions 0-1."""

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

    class TaskOffset(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskOffset of StreamsGroupHeartbeatRequest, versions 0-1."""

        subtopology_id: str = ""
        partition: int = 0
        offset: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                subtopology_id: str = ...,
                partition: int = ...,
                offset: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                partition: int = ...,
                offset: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    member_id: str = ""
    member_epoch: int = 0
    endpoint_information_epoch: int = 0
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    topology: StreamsGroupHeartbeatRequest.Topology | None = None
    active_tasks: tuple[StreamsGroupHeartbeatRequest.TaskIds, ...] | None = None
    standby_tasks: tuple[StreamsGroupHeartbeatRequest.TaskIds, ...] | None = None
    warmup_tasks: tuple[StreamsGroupHeartbeatRequest.TaskIds, ...] | None = None
    process_id: str | None = None
    user_endpoint: StreamsGroupHeartbeatRequest.Endpoint | None = None
    client_tags: tuple[StreamsGroupHeartbeatRequest.KeyValue, ...] | None = None
    task_offsets: tuple[StreamsGroupHeartbeatRequest.TaskOffset, ...] | None = None
    task_end_offsets: tuple[StreamsGroupHeartbeatRequest.TaskOffset, ...] | None = None
    shutdown_application: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = (
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "client_tags",
        "task_offsets",
        "task_end_offsets",
        "unknown_tagged_fields",
    )

    def __post_init__(self) -> None:
        if (
            (self.active_tasks is not None and type(self.active_tasks) is not tuple)
            or (self.standby_tasks is not None and type(self.standby_tasks) is not tuple)
            or (self.warmup_tasks is not None and type(self.warmup_tasks) is not tuple)
            or (self.client_tags is not None and type(self.client_tags) is not tuple)
            or (self.task_offsets is not None and type(self.task_offsets) is not tuple)
            or (self.task_end_offsets is not None and type(self.task_end_offsets) is not tuple)
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            endpoint_information_epoch: int = ...,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            rebalance_timeout_ms: int = ...,
            topology: StreamsGroupHeartbeatRequest.Topology | None = ...,
            active_tasks: Iterable[StreamsGroupHeartbeatRequest.TaskIds] | None = ...,
            standby_tasks: Iterable[StreamsGroupHeartbeatRequest.TaskIds] | None = ...,
            warmup_tasks: Iterable[StreamsGroupHeartbeatRequest.TaskIds] | None = ...,
            process_id: str | None = ...,
            user_endpoint: StreamsGroupHeartbeatRequest.Endpoint | None = ...,
            client_tags: Iterable[StreamsGroupHeartbeatRequest.KeyValue] | None = ...,
            task_offsets: Iterable[StreamsGroupHeartbeatRequest.TaskOffset] | None = ...,
            task_end_offsets: Iterable[StreamsGroupHeartbeatRequest.TaskOffset] | None = ...,
            shutdown_application: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            endpoint_information_epoch: int = ...,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            rebalance_timeout_ms: int = ...,
            topology: StreamsGroupHeartbeatRequest.Topology | None = ...,
            active_tasks: Iterable[StreamsGroupHeartbeatRequest.TaskIds] | None = ...,
            standby_tasks: Iterable[StreamsGroupHeartbeatRequest.TaskIds] | None = ...,
            warmup_tasks: Iterable[StreamsGroupHeartbeatRequest.TaskIds] | None = ...,
            process_id: str | None = ...,
            user_endpoint: StreamsGroupHeartbeatRequest.Endpoint | None = ...,
            client_tags: Iterable[StreamsGroupHeartbeatRequest.KeyValue] | None = ...,
            task_offsets: Iterable[StreamsGroupHeartbeatRequest.TaskOffset] | None = ...,
            task_end_offsets: Iterable[StreamsGroupHeartbeatRequest.TaskOffset] | None = ...,
            shutdown_application: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_CopartitionGroup = StreamsGroupHeartbeatRequest.CopartitionGroup
_Endpoint = StreamsGroupHeartbeatRequest.Endpoint
_KeyValue = StreamsGroupHeartbeatRequest.KeyValue
_Subtopology = StreamsGroupHeartbeatRequest.Subtopology
_TaskIds = StreamsGroupHeartbeatRequest.TaskIds
_TaskOffset = StreamsGroupHeartbeatRequest.TaskOffset
_TopicInfo = StreamsGroupHeartbeatRequest.TopicInfo
_Topology = StreamsGroupHeartbeatRequest.Topology


def _read_v0_1(data: bytes, pos: int) -> tuple[StreamsGroupHeartbeatRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
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
    member_epoch, endpoint_information_epoch, instance_id_size = _unpack_iiu_b(data, pos)
    pos += 9
    if instance_id_size > 127:
        instance_id_size, pos = read_varint(data, pos - 1)
    if instance_id_size < 1:
        instance_id = None
    elif instance_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + instance_id_size - 1
        instance_id = data[pos:end].decode()
        pos = end
    (rack_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if rack_id_size > 127:
        rack_id_size, pos = read_varint(data, pos - 1)
    if rack_id_size < 1:
        rack_id = None
    elif rack_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + rack_id_size - 1
        rack_id = data[pos:end].decode()
        pos = end
    rebalance_timeout_ms, topology_present = _unpack_ib(data, pos)
    pos += 5
    if topology_present < 0:
        topology = None
    else:
        epoch, subtopologies_count = _unpack_iu_b(data, pos)
        pos += 5
        if subtopologies_count > 127:
            subtopologies_count, pos = read_varint(data, pos - 1)
        subtopologies_count -= 1
        if not 0 <= subtopologies_count <= MAX_ELEMENTS:
            raise OddBytes
        subtopologies_list: list[_Subtopology] = []
        for _ in range(subtopologies_count):
            (subtopology_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopology_id_size > 127:
                subtopology_id_size, pos = read_varint(data, pos - 1)
            if subtopology_id_size < 1 or subtopology_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + subtopology_id_size - 1
            subtopology_id = data[pos:end].decode()
            pos = end
            (source_topics_count,) = _unpack_u_b(data, pos)
            pos += 1
            if source_topics_count > 127:
                source_topics_count, pos = read_varint(data, pos - 1)
            source_topics_count -= 1
            if not 0 <= source_topics_count <= MAX_ELEMENTS:
                raise OddBytes
            source_topics_list: list[str] = []
            for _ in range(source_topics_count):
                (source_topics_item_size,) = _unpack_u_b(data, pos)
                pos += 1
                if source_topics_item_size > 127:
                    source_topics_item_size, pos = read_varint(data, pos - 1)
                if source_topics_item_size < 1 or source_topics_item_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + source_topics_item_size - 1
                source_topics_list.append(data[pos:end].decode())
                pos = end
            source_topics = tuple(source_topics_list)
            (source_topic_regex_count,) = _unpack_u_b(data, pos)
            pos += 1
            if source_topic_regex_count > 127:
                source_topic_regex_count, pos = read_varint(data, pos - 1)
            source_topic_regex_count -= 1
            if not 0 <= source_topic_regex_count <= MAX_ELEMENTS:
                raise OddBytes
            source_topic_regex_list: list[str] = []
            for _ in range(source_topic_regex_count):
                (source_topic_regex_item_size,) = _unpack_u_b(data, pos)
                pos += 1
                if source_topic_regex_item_size > 127:
                    source_topic_regex_item_size, pos = read_varint(data, pos - 1)
                if (
                    source_topic_regex_item_size < 1
                    or source_topic_regex_item_size > MAX_STRING + 1
                ):
                    raise OddBytes
                end = pos + source_topic_regex_item_size - 1
                source_topic_regex_list.append(data[pos:end].decode())
                pos = end
            source_topic_regex = tuple(source_topic_regex_list)
            (state_changelog_topics_count,) = _unpack_u_b(data, pos)
            pos += 1
            if state_changelog_topics_count > 127:
                state_changelog_topics_count, pos = read_varint(data, pos - 1)
            state_changelog_topics_count -= 1
            if not 0 <= state_changelog_topics_count <= MAX_ELEMENTS:
                raise OddBytes
            state_changelog_topics_list: list[_TopicInfo] = []
            for _ in range(state_changelog_topics_count):
                (name_size,) = _unpack_u_b(data, pos)
                pos += 1
                if name_size > 127:
                    name_size, pos = read_varint(data, pos - 1)
                if name_size < 1 or name_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + name_size - 1
                name = data[pos:end].decode()
                pos = end
                partitions, replication_factor, topic_configs_count = _unpack_ihu_b(data, pos)
                pos += 7
                if topic_configs_count > 127:
                    topic_configs_count, pos = read_varint(data, pos - 1)
                topic_configs_count -= 1
                if not 0 <= topic_configs_count <= MAX_ELEMENTS:
                    raise OddBytes
                topic_configs_list: list[_KeyValue] = []
                for _ in range(topic_configs_count):
                    (key_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if key_size > 127:
                        key_size, pos = read_varint(data, pos - 1)
                    if key_size < 1 or key_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + key_size - 1
                    key = data[pos:end].decode()
                    pos = end
                    (value_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if value_size > 127:
                        value_size, pos = read_varint(data, pos - 1)
                    if value_size < 1 or value_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + value_size - 1
                    value = data[pos:end].decode()
                    pos = end
                    (count,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
                    if count:
                        unknown_tagged_fields, pos = read_tags(data, pos - 1)
                    topic_configs_list.append(
                        _KeyValue(key=key, value=value, unknown_tagged_fields=unknown_tagged_fields)
                    )
                topic_configs = tuple(topic_configs_list)
                (count_2,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
                if count_2:
                    unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
                state_changelog_topics_list.append(
                    _TopicInfo(
                        name=name,
                        partitions=partitions,
                        replication_factor=replication_factor,
                        topic_configs=topic_configs,
                        unknown_tagged_fields=unknown_tagged_fields_2,
                    )
                )
            state_changelog_topics = tuple(state_changelog_topics_list)
            (repartition_sink_topics_count,) = _unpack_u_b(data, pos)
            pos += 1
            if repartition_sink_topics_count > 127:
                repartition_sink_topics_count, pos = read_varint(data, pos - 1)
            repartition_sink_topics_count -= 1
            if not 0 <= repartition_sink_topics_count <= MAX_ELEMENTS:
                raise OddBytes
            repartition_sink_topics_list: list[str] = []
            for _ in range(repartition_sink_topics_count):
                (repartition_sink_topics_item_size,) = _unpack_u_b(data, pos)
                pos += 1
                if repartition_sink_topics_item_size > 127:
                    repartition_sink_topics_item_size, pos = read_varint(data, pos - 1)
                if (
                    repartition_sink_topics_item_size < 1
                    or repartition_sink_topics_item_size > MAX_STRING + 1
                ):
                    raise OddBytes
                end = pos + repartition_sink_topics_item_size - 1
                repartition_sink_topics_list.append(data[pos:end].decode())
                pos = end
            repartition_sink_topics = tuple(repartition_sink_topics_list)
            (repartition_source_topics_count,) = _unpack_u_b(data, pos)
            pos += 1
            if repartition_source_topics_count > 127:
                repartition_source_topics_count, pos = read_varint(data, pos - 1)
            repartition_source_topics_count -= 1
            if not 0 <= repartition_source_topics_count <= MAX_ELEMENTS:
                raise OddBytes
            repartition_source_topics_list: list[_TopicInfo] = []
            for _ in range(repartition_source_topics_count):
                (name_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if name_2_size > 127:
                    name_2_size, pos = read_varint(data, pos - 1)
                if name_2_size < 1 or name_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + name_2_size - 1
                name_2 = data[pos:end].decode()
                pos = end
                partitions_2, replication_factor_2, topic_configs_2_count = _unpack_ihu_b(data, pos)
                pos += 7
                if topic_configs_2_count > 127:
                    topic_configs_2_count, pos = read_varint(data, pos - 1)
                topic_configs_2_count -= 1
                if not 0 <= topic_configs_2_count <= MAX_ELEMENTS:
                    raise OddBytes
                topic_configs_2_list: list[_KeyValue] = []
                for _ in range(topic_configs_2_count):
                    (key_2_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if key_2_size > 127:
                        key_2_size, pos = read_varint(data, pos - 1)
                    if key_2_size < 1 or key_2_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + key_2_size - 1
                    key_2 = data[pos:end].decode()
                    pos = end
                    (value_2_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if value_2_size > 127:
                        value_2_size, pos = read_varint(data, pos - 1)
                    if value_2_size < 1 or value_2_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + value_2_size - 1
                    value_2 = data[pos:end].decode()
                    pos = end
                    (count_3,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
                    if count_3:
                        unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
                    topic_configs_2_list.append(
                        _KeyValue(
                            key=key_2, value=value_2, unknown_tagged_fields=unknown_tagged_fields_3
                        )
                    )
                topic_configs_2 = tuple(topic_configs_2_list)
                (count_4,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
                if count_4:
                    unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
                repartition_source_topics_list.append(
                    _TopicInfo(
                        name=name_2,
                        partitions=partitions_2,
                        replication_factor=replication_factor_2,
                        topic_configs=topic_configs_2,
                        unknown_tagged_fields=unknown_tagged_fields_4,
                    )
                )
            repartition_source_topics = tuple(repartition_source_topics_list)
            (copartition_groups_count,) = _unpack_u_b(data, pos)
            pos += 1
            if copartition_groups_count > 127:
                copartition_groups_count, pos = read_varint(data, pos - 1)
            copartition_groups_count -= 1
            if not 0 <= copartition_groups_count <= MAX_ELEMENTS:
                raise OddBytes
            copartition_groups_list: list[_CopartitionGroup] = []
            for _ in range(copartition_groups_count):
                (source_topics_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if source_topics_2_count > 127:
                    source_topics_2_count, pos = read_varint(data, pos - 1)
                source_topics_2_count -= 1
                source_topics_2 = (
                    _few_numbers_h[source_topics_2_count]
                    if 0 <= source_topics_2_count < 256
                    else _numbers_h[source_topics_2_count]
                )(data, pos)
                pos += source_topics_2_count * 2
                (source_topic_regex_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if source_topic_regex_2_count > 127:
                    source_topic_regex_2_count, pos = read_varint(data, pos - 1)
                source_topic_regex_2_count -= 1
                source_topic_regex_2 = (
                    _few_numbers_h[source_topic_regex_2_count]
                    if 0 <= source_topic_regex_2_count < 256
                    else _numbers_h[source_topic_regex_2_count]
                )(data, pos)
                pos += source_topic_regex_2_count * 2
                (repartition_source_topics_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if repartition_source_topics_2_count > 127:
                    repartition_source_topics_2_count, pos = read_varint(data, pos - 1)
                repartition_source_topics_2_count -= 1
                repartition_source_topics_2 = (
                    _few_numbers_h[repartition_source_topics_2_count]
                    if 0 <= repartition_source_topics_2_count < 256
                    else _numbers_h[repartition_source_topics_2_count]
                )(data, pos)
                pos += repartition_source_topics_2_count * 2
                (count_5,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
                if count_5:
                    unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
                copartition_groups_list.append(
                    _CopartitionGroup(
                        source_topics=source_topics_2,
                        source_topic_regex=source_topic_regex_2,
                        repartition_source_topics=repartition_source_topics_2,
                        unknown_tagged_fields=unknown_tagged_fields_5,
                    )
                )
            copartition_groups = tuple(copartition_groups_list)
            (count_6,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
            if count_6:
                unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
            subtopologies_list.append(
                _Subtopology(
                    subtopology_id=subtopology_id,
                    source_topics=source_topics,
                    source_topic_regex=source_topic_regex,
                    state_changelog_topics=state_changelog_topics,
                    repartition_sink_topics=repartition_sink_topics,
                    repartition_source_topics=repartition_source_topics,
                    copartition_groups=copartition_groups,
                    unknown_tagged_fields=unknown_tagged_fields_6,
                )
            )
        subtopologies = tuple(subtopologies_list)
        (count_7,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
        if count_7:
            unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
        topology = _Topology(
            epoch=epoch, subtopologies=subtopologies, unknown_tagged_fields=unknown_tagged_fields_7
        )
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
            (subtopology_id_2_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopology_id_2_size > 127:
                subtopology_id_2_size, pos = read_varint(data, pos - 1)
            if subtopology_id_2_size < 1 or subtopology_id_2_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + subtopology_id_2_size - 1
            subtopology_id_2 = data[pos:end].decode()
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
            (count_8,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_8: tuple[RawTaggedField, ...] = ()
            if count_8:
                unknown_tagged_fields_8, pos = read_tags(data, pos - 1)
            active_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_2,
                    partitions=partitions_3,
                    unknown_tagged_fields=unknown_tagged_fields_8,
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
            (subtopology_id_3_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopology_id_3_size > 127:
                subtopology_id_3_size, pos = read_varint(data, pos - 1)
            if subtopology_id_3_size < 1 or subtopology_id_3_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + subtopology_id_3_size - 1
            subtopology_id_3 = data[pos:end].decode()
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
            (count_9,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_9: tuple[RawTaggedField, ...] = ()
            if count_9:
                unknown_tagged_fields_9, pos = read_tags(data, pos - 1)
            standby_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_3,
                    partitions=partitions_4,
                    unknown_tagged_fields=unknown_tagged_fields_9,
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
            (subtopology_id_4_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopology_id_4_size > 127:
                subtopology_id_4_size, pos = read_varint(data, pos - 1)
            if subtopology_id_4_size < 1 or subtopology_id_4_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + subtopology_id_4_size - 1
            subtopology_id_4 = data[pos:end].decode()
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
            (count_10,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_10: tuple[RawTaggedField, ...] = ()
            if count_10:
                unknown_tagged_fields_10, pos = read_tags(data, pos - 1)
            warmup_tasks_list.append(
                _TaskIds(
                    subtopology_id=subtopology_id_4,
                    partitions=partitions_5,
                    unknown_tagged_fields=unknown_tagged_fields_10,
                )
            )
        warmup_tasks = tuple(warmup_tasks_list)
    (process_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if process_id_size > 127:
        process_id_size, pos = read_varint(data, pos - 1)
    if process_id_size < 1:
        process_id = None
    elif process_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + process_id_size - 1
        process_id = data[pos:end].decode()
        pos = end
    (user_endpoint_present,) = _unpack_b(data, pos)
    pos += 1
    if user_endpoint_present < 0:
        user_endpoint = None
    else:
        (host_size,) = _unpack_u_b(data, pos)
        pos += 1
        if host_size > 127:
            host_size, pos = read_varint(data, pos - 1)
        if host_size < 1 or host_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + host_size - 1
        host = data[pos:end].decode()
        pos = end
        port, count_11 = _unpack_u_hu_b(data, pos)
        pos += 3
        unknown_tagged_fields_11: tuple[RawTaggedField, ...] = ()
        if count_11:
            unknown_tagged_fields_11, pos = read_tags(data, pos - 1)
        user_endpoint = _Endpoint(
            host=host, port=port, unknown_tagged_fields=unknown_tagged_fields_11
        )
    (client_tags_count,) = _unpack_u_b(data, pos)
    pos += 1
    if client_tags_count > 127:
        client_tags_count, pos = read_varint(data, pos - 1)
    if client_tags_count < 1:
        client_tags = None
    else:
        client_tags_count -= 1
        if not 0 <= client_tags_count <= MAX_ELEMENTS:
            raise OddBytes
        client_tags_list: list[_KeyValue] = []
        for _ in range(client_tags_count):
            (key_3_size,) = _unpack_u_b(data, pos)
            pos += 1
            if key_3_size > 127:
                key_3_size, pos = read_varint(data, pos - 1)
            if key_3_size < 1 or key_3_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + key_3_size - 1
            key_3 = data[pos:end].decode()
            pos = end
            (value_3_size,) = _unpack_u_b(data, pos)
            pos += 1
            if value_3_size > 127:
                value_3_size, pos = read_varint(data, pos - 1)
            if value_3_size < 1 or value_3_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + value_3_size - 1
            value_3 = data[pos:end].decode()
            pos = end
            (count_12,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_12: tuple[RawTaggedField, ...] = ()
            if count_12:
                unknown_tagged_fields_12, pos = read_tags(data, pos - 1)
            client_tags_list.append(
                _KeyValue(key=key_3, value=value_3, unknown_tagged_fields=unknown_tagged_fields_12)
            )
        client_tags = tuple(client_tags_list)
    (task_offsets_count,) = _unpack_u_b(data, pos)
    pos += 1
    if task_offsets_count > 127:
        task_offsets_count, pos = read_varint(data, pos - 1)
    if task_offsets_count < 1:
        task_offsets = None
    else:
        task_offsets_count -= 1
        if not 0 <= task_offsets_count <= MAX_ELEMENTS:
            raise OddBytes
        task_offsets_list: list[_TaskOffset] = []
        for _ in range(task_offsets_count):
            (subtopology_id_5_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopology_id_5_size > 127:
                subtopology_id_5_size, pos = read_varint(data, pos - 1)
            if subtopology_id_5_size < 1 or subtopology_id_5_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + subtopology_id_5_size - 1
            subtopology_id_5 = data[pos:end].decode()
            pos = end
            partition, offset, count_13 = _unpack_iqu_b(data, pos)
            pos += 13
            unknown_tagged_fields_13: tuple[RawTaggedField, ...] = ()
            if count_13:
                unknown_tagged_fields_13, pos = read_tags(data, pos - 1)
            task_offsets_list.append(
                _TaskOffset(
                    subtopology_id=subtopology_id_5,
                    partition=partition,
                    offset=offset,
                    unknown_tagged_fields=unknown_tagged_fields_13,
                )
            )
        task_offsets = tuple(task_offsets_list)
    (task_end_offsets_count,) = _unpack_u_b(data, pos)
    pos += 1
    if task_end_offsets_count > 127:
        task_end_offsets_count, pos = read_varint(data, pos - 1)
    if task_end_offsets_count < 1:
        task_end_offsets = None
    else:
        task_end_offsets_count -= 1
        if not 0 <= task_end_offsets_count <= MAX_ELEMENTS:
            raise OddBytes
        task_end_offsets_list: list[_TaskOffset] = []
        for _ in range(task_end_offsets_count):
            (subtopology_id_6_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopology_id_6_size > 127:
                subtopology_id_6_size, pos = read_varint(data, pos - 1)
            if subtopology_id_6_size < 1 or subtopology_id_6_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + subtopology_id_6_size - 1
            subtopology_id_6 = data[pos:end].decode()
            pos = end
            partition_2, offset_2, count_14 = _unpack_iqu_b(data, pos)
            pos += 13
            unknown_tagged_fields_14: tuple[RawTaggedField, ...] = ()
            if count_14:
                unknown_tagged_fields_14, pos = read_tags(data, pos - 1)
            task_end_offsets_list.append(
                _TaskOffset(
                    subtopology_id=subtopology_id_6,
                    partition=partition_2,
                    offset=offset_2,
                    unknown_tagged_fields=unknown_tagged_fields_14,
                )
            )
        task_end_offsets = tuple(task_end_offsets_list)
    shutdown_application, count_15 = _unpack_bool_u_b(data, pos)
    pos += 2
    unknown_tagged_fields_15: tuple[RawTaggedField, ...] = ()
    if count_15:
        unknown_tagged_fields_15, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupHeartbeatRequest(
        group_id=group_id,
        member_id=member_id,
        member_epoch=member_epoch,
        endpoint_information_epoch=endpoint_information_epoch,
        instance_id=instance_id,
        rack_id=rack_id,
        rebalance_timeout_ms=rebalance_timeout_ms,
        topology=topology,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        process_id=process_id,
        user_endpoint=user_endpoint,
        client_tags=client_tags,
        task_offsets=task_offsets,
        task_end_offsets=task_end_offsets,
        shutdown_application=shutdown_application,
        unknown_tagged_fields=unknown_tagged_fields_15,
    ), pos


def _write_v0_1(message: StreamsGroupHeartbeatRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    if type(message.member_epoch) is bool:
        raise OddValue
    if type(message.endpoint_information_epoch) is bool:
        raise OddValue
    add(_pack_ii(message.member_epoch, message.endpoint_information_epoch))
    instance_id = message.instance_id
    if instance_id is None:
        add(b"\x00")
    else:
        instance_id_raw = instance_id.encode()
        if len(instance_id_raw) > MAX_STRING:
            raise OddValue
        instance_id_size = len(instance_id_raw) + 1
        add(VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size))
        add(instance_id_raw)
    rack_id = message.rack_id
    if rack_id is None:
        add(b"\x00")
    else:
        rack_id_raw = rack_id.encode()
        if len(rack_id_raw) > MAX_STRING:
            raise OddValue
        rack_id_size = len(rack_id_raw) + 1
        add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
        add(rack_id_raw)
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    add(_pack_i(message.rebalance_timeout_ms))
    topology = message.topology
    if topology is None:
        add(b"\xff")
    else:
        add(b"\1")
        if type(topology) is not _Topology:
            raise OddValue
        if type(topology.epoch) is bool:
            raise OddValue
        subtopologies = topology.subtopologies
        if type(subtopologies) is not tuple:
            raise OddValue
        add(_pack_i(topology.epoch))
        subtopologies_size = len(subtopologies) + 1
        add(VARINT[subtopologies_size] if subtopologies_size < 128 else varint(subtopologies_size))
        for subtopologies_item in subtopologies:
            if type(subtopologies_item) is not _Subtopology:
                raise OddValue
            subtopology_id_raw = subtopologies_item.subtopology_id.encode()
            if len(subtopology_id_raw) > MAX_STRING:
                raise OddValue
            subtopology_id_size = len(subtopology_id_raw) + 1
            add(
                VARINT[subtopology_id_size]
                if subtopology_id_size < 128
                else varint(subtopology_id_size)
            )
            add(subtopology_id_raw)
            source_topics = subtopologies_item.source_topics
            if type(source_topics) is not tuple:
                raise OddValue
            source_topics_size = len(source_topics) + 1
            add(
                VARINT[source_topics_size]
                if source_topics_size < 128
                else varint(source_topics_size)
            )
            for source_topics_item in source_topics:
                raw_2 = source_topics_item.encode()
                if len(raw_2) > MAX_STRING:
                    raise OddValue
                source_topics_size_2 = len(raw_2) + 1
                add(
                    VARINT[source_topics_size_2]
                    if source_topics_size_2 < 128
                    else varint(source_topics_size_2)
                )
                add(raw_2)
            source_topic_regex = subtopologies_item.source_topic_regex
            if type(source_topic_regex) is not tuple:
                raise OddValue
            source_topic_regex_size = len(source_topic_regex) + 1
            add(
                VARINT[source_topic_regex_size]
                if source_topic_regex_size < 128
                else varint(source_topic_regex_size)
            )
            for source_topic_regex_item in source_topic_regex:
                raw_3 = source_topic_regex_item.encode()
                if len(raw_3) > MAX_STRING:
                    raise OddValue
                source_topic_regex_size_2 = len(raw_3) + 1
                add(
                    VARINT[source_topic_regex_size_2]
                    if source_topic_regex_size_2 < 128
                    else varint(source_topic_regex_size_2)
                )
                add(raw_3)
            state_changelog_topics = subtopologies_item.state_changelog_topics
            if type(state_changelog_topics) is not tuple:
                raise OddValue
            state_changelog_topics_size = len(state_changelog_topics) + 1
            add(
                VARINT[state_changelog_topics_size]
                if state_changelog_topics_size < 128
                else varint(state_changelog_topics_size)
            )
            for state_changelog_topics_item in state_changelog_topics:
                if type(state_changelog_topics_item) is not _TopicInfo:
                    raise OddValue
                name_raw = state_changelog_topics_item.name.encode()
                if len(name_raw) > MAX_STRING:
                    raise OddValue
                name_size = len(name_raw) + 1
                add(VARINT[name_size] if name_size < 128 else varint(name_size))
                add(name_raw)
                if type(state_changelog_topics_item.partitions) is bool:
                    raise OddValue
                if type(state_changelog_topics_item.replication_factor) is bool:
                    raise OddValue
                topic_configs = state_changelog_topics_item.topic_configs
                if type(topic_configs) is not tuple:
                    raise OddValue
                add(
                    _pack_ih(
                        state_changelog_topics_item.partitions,
                        state_changelog_topics_item.replication_factor,
                    )
                )
                topic_configs_size = len(topic_configs) + 1
                add(
                    VARINT[topic_configs_size]
                    if topic_configs_size < 128
                    else varint(topic_configs_size)
                )
                for topic_configs_item in topic_configs:
                    if type(topic_configs_item) is not _KeyValue:
                        raise OddValue
                    key_raw = topic_configs_item.key.encode()
                    if len(key_raw) > MAX_STRING:
                        raise OddValue
                    key_size = len(key_raw) + 1
                    add(VARINT[key_size] if key_size < 128 else varint(key_size))
                    add(key_raw)
                    value_raw = topic_configs_item.value.encode()
                    if len(value_raw) > MAX_STRING:
                        raise OddValue
                    value_size = len(value_raw) + 1
                    add(VARINT[value_size] if value_size < 128 else varint(value_size))
                    add(value_raw)
                    add(
                        write_tags([], topic_configs_item.unknown_tagged_fields, ())
                        if topic_configs_item.unknown_tagged_fields
                        else b"\0"
                    )
                add(
                    write_tags([], state_changelog_topics_item.unknown_tagged_fields, ())
                    if state_changelog_topics_item.unknown_tagged_fields
                    else b"\0"
                )
            repartition_sink_topics = subtopologies_item.repartition_sink_topics
            if type(repartition_sink_topics) is not tuple:
                raise OddValue
            repartition_sink_topics_size = len(repartition_sink_topics) + 1
            add(
                VARINT[repartition_sink_topics_size]
                if repartition_sink_topics_size < 128
                else varint(repartition_sink_topics_size)
            )
            for repartition_sink_topics_item in repartition_sink_topics:
                raw_4 = repartition_sink_topics_item.encode()
                if len(raw_4) > MAX_STRING:
                    raise OddValue
                repartition_sink_topics_size_2 = len(raw_4) + 1
                add(
                    VARINT[repartition_sink_topics_size_2]
                    if repartition_sink_topics_size_2 < 128
                    else varint(repartition_sink_topics_size_2)
                )
                add(raw_4)
            repartition_source_topics = subtopologies_item.repartition_source_topics
            if type(repartition_source_topics) is not tuple:
                raise OddValue
            repartition_source_topics_size = len(repartition_source_topics) + 1
            add(
                VARINT[repartition_source_topics_size]
                if repartition_source_topics_size < 128
                else varint(repartition_source_topics_size)
            )
            for repartition_source_topics_item in repartition_source_topics:
                if type(repartition_source_topics_item) is not _TopicInfo:
                    raise OddValue
                name_raw_2 = repartition_source_topics_item.name.encode()
                if len(name_raw_2) > MAX_STRING:
                    raise OddValue
                name_size_2 = len(name_raw_2) + 1
                add(VARINT[name_size_2] if name_size_2 < 128 else varint(name_size_2))
                add(name_raw_2)
                if type(repartition_source_topics_item.partitions) is bool:
                    raise OddValue
                if type(repartition_source_topics_item.replication_factor) is bool:
                    raise OddValue
                topic_configs_2 = repartition_source_topics_item.topic_configs
                if type(topic_configs_2) is not tuple:
                    raise OddValue
                add(
                    _pack_ih(
                        repartition_source_topics_item.partitions,
                        repartition_source_topics_item.replication_factor,
                    )
                )
                topic_configs_size_2 = len(topic_configs_2) + 1
                add(
                    VARINT[topic_configs_size_2]
                    if topic_configs_size_2 < 128
                    else varint(topic_configs_size_2)
                )
                for topic_configs_item_2 in topic_configs_2:
                    if type(topic_configs_item_2) is not _KeyValue:
                        raise OddValue
                    key_raw_2 = topic_configs_item_2.key.encode()
                    if len(key_raw_2) > MAX_STRING:
                        raise OddValue
                    key_size_2 = len(key_raw_2) + 1
                    add(VARINT[key_size_2] if key_size_2 < 128 else varint(key_size_2))
                    add(key_raw_2)
                    value_raw_2 = topic_configs_item_2.value.encode()
                    if len(value_raw_2) > MAX_STRING:
                        raise OddValue
                    value_size_2 = len(value_raw_2) + 1
                    add(VARINT[value_size_2] if value_size_2 < 128 else varint(value_size_2))
                    add(value_raw_2)
                    add(
                        write_tags([], topic_configs_item_2.unknown_tagged_fields, ())
                        if topic_configs_item_2.unknown_tagged_fields
                        else b"\0"
                    )
                add(
                    write_tags([], repartition_source_topics_item.unknown_tagged_fields, ())
                    if repartition_source_topics_item.unknown_tagged_fields
                    else b"\0"
                )
            copartition_groups = subtopologies_item.copartition_groups
            if type(copartition_groups) is not tuple:
                raise OddValue
            copartition_groups_size = len(copartition_groups) + 1
            add(
                VARINT[copartition_groups_size]
                if copartition_groups_size < 128
                else varint(copartition_groups_size)
            )
            for copartition_groups_item in copartition_groups:
                if type(copartition_groups_item) is not _CopartitionGroup:
                    raise OddValue
                source_topics_2 = copartition_groups_item.source_topics
                if type(source_topics_2) is not tuple:
                    raise OddValue
                source_topics_size_3 = len(source_topics_2) + 1
                add(
                    VARINT[source_topics_size_3]
                    if source_topics_size_3 < 128
                    else varint(source_topics_size_3)
                )
                add(_pack_numbers_h[len(source_topics_2)](*source_topics_2))
                source_topic_regex_2 = copartition_groups_item.source_topic_regex
                if type(source_topic_regex_2) is not tuple:
                    raise OddValue
                source_topic_regex_size_3 = len(source_topic_regex_2) + 1
                add(
                    VARINT[source_topic_regex_size_3]
                    if source_topic_regex_size_3 < 128
                    else varint(source_topic_regex_size_3)
                )
                add(_pack_numbers_h[len(source_topic_regex_2)](*source_topic_regex_2))
                repartition_source_topics_2 = copartition_groups_item.repartition_source_topics
                if type(repartition_source_topics_2) is not tuple:
                    raise OddValue
                repartition_source_topics_size_2 = len(repartition_source_topics_2) + 1
                add(
                    VARINT[repartition_source_topics_size_2]
                    if repartition_source_topics_size_2 < 128
                    else varint(repartition_source_topics_size_2)
                )
                add(_pack_numbers_h[len(repartition_source_topics_2)](*repartition_source_topics_2))
                add(
                    write_tags([], copartition_groups_item.unknown_tagged_fields, ())
                    if copartition_groups_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], subtopologies_item.unknown_tagged_fields, ())
                if subtopologies_item.unknown_tagged_fields
                else b"\0"
            )
        add(
            write_tags([], topology.unknown_tagged_fields, ())
            if topology.unknown_tagged_fields
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
            subtopology_id_raw_2 = active_tasks_item.subtopology_id.encode()
            if len(subtopology_id_raw_2) > MAX_STRING:
                raise OddValue
            subtopology_id_size_2 = len(subtopology_id_raw_2) + 1
            add(
                VARINT[subtopology_id_size_2]
                if subtopology_id_size_2 < 128
                else varint(subtopology_id_size_2)
            )
            add(subtopology_id_raw_2)
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
            subtopology_id_raw_3 = standby_tasks_item.subtopology_id.encode()
            if len(subtopology_id_raw_3) > MAX_STRING:
                raise OddValue
            subtopology_id_size_3 = len(subtopology_id_raw_3) + 1
            add(
                VARINT[subtopology_id_size_3]
                if subtopology_id_size_3 < 128
                else varint(subtopology_id_size_3)
            )
            add(subtopology_id_raw_3)
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
            subtopology_id_raw_4 = warmup_tasks_item.subtopology_id.encode()
            if len(subtopology_id_raw_4) > MAX_STRING:
                raise OddValue
            subtopology_id_size_4 = len(subtopology_id_raw_4) + 1
            add(
                VARINT[subtopology_id_size_4]
                if subtopology_id_size_4 < 128
                else varint(subtopology_id_size_4)
            )
            add(subtopology_id_raw_4)
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
    process_id = message.process_id
    if process_id is None:
        add(b"\x00")
    else:
        process_id_raw = process_id.encode()
        if len(process_id_raw) > MAX_STRING:
            raise OddValue
        process_id_size = len(process_id_raw) + 1
        add(VARINT[process_id_size] if process_id_size < 128 else varint(process_id_size))
        add(process_id_raw)
    user_endpoint = message.user_endpoint
    if user_endpoint is None:
        add(b"\xff")
    else:
        add(b"\1")
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
    client_tags = message.client_tags
    if client_tags is None:
        add(b"\x00")
    else:
        if type(client_tags) is not tuple:
            raise OddValue
        client_tags_size = len(client_tags) + 1
        add(VARINT[client_tags_size] if client_tags_size < 128 else varint(client_tags_size))
        for client_tags_item in client_tags:
            if type(client_tags_item) is not _KeyValue:
                raise OddValue
            key_raw_3 = client_tags_item.key.encode()
            if len(key_raw_3) > MAX_STRING:
                raise OddValue
            key_size_3 = len(key_raw_3) + 1
            add(VARINT[key_size_3] if key_size_3 < 128 else varint(key_size_3))
            add(key_raw_3)
            value_raw_3 = client_tags_item.value.encode()
            if len(value_raw_3) > MAX_STRING:
                raise OddValue
            value_size_3 = len(value_raw_3) + 1
            add(VARINT[value_size_3] if value_size_3 < 128 else varint(value_size_3))
            add(value_raw_3)
            add(
                write_tags([], client_tags_item.unknown_tagged_fields, ())
                if client_tags_item.unknown_tagged_fields
                else b"\0"
            )
    task_offsets = message.task_offsets
    if task_offsets is None:
        add(b"\x00")
    else:
        if type(task_offsets) is not tuple:
            raise OddValue
        task_offsets_size = len(task_offsets) + 1
        add(VARINT[task_offsets_size] if task_offsets_size < 128 else varint(task_offsets_size))
        for task_offsets_item in task_offsets:
            if type(task_offsets_item) is not _TaskOffset:
                raise OddValue
            subtopology_id_raw_5 = task_offsets_item.subtopology_id.encode()
            if len(subtopology_id_raw_5) > MAX_STRING:
                raise OddValue
            subtopology_id_size_5 = len(subtopology_id_raw_5) + 1
            add(
                VARINT[subtopology_id_size_5]
                if subtopology_id_size_5 < 128
                else varint(subtopology_id_size_5)
            )
            add(subtopology_id_raw_5)
            if type(task_offsets_item.partition) is bool:
                raise OddValue
            if type(task_offsets_item.offset) is bool:
                raise OddValue
            add(_pack_iq(task_offsets_item.partition, task_offsets_item.offset))
            add(
                write_tags([], task_offsets_item.unknown_tagged_fields, ())
                if task_offsets_item.unknown_tagged_fields
                else b"\0"
            )
    task_end_offsets = message.task_end_offsets
    if task_end_offsets is None:
        add(b"\x00")
    else:
        if type(task_end_offsets) is not tuple:
            raise OddValue
        task_end_offsets_size = len(task_end_offsets) + 1
        add(
            VARINT[task_end_offsets_size]
            if task_end_offsets_size < 128
            else varint(task_end_offsets_size)
        )
        for task_end_offsets_item in task_end_offsets:
            if type(task_end_offsets_item) is not _TaskOffset:
                raise OddValue
            subtopology_id_raw_6 = task_end_offsets_item.subtopology_id.encode()
            if len(subtopology_id_raw_6) > MAX_STRING:
                raise OddValue
            subtopology_id_size_6 = len(subtopology_id_raw_6) + 1
            add(
                VARINT[subtopology_id_size_6]
                if subtopology_id_size_6 < 128
                else varint(subtopology_id_size_6)
            )
            add(subtopology_id_raw_6)
            if type(task_end_offsets_item.partition) is bool:
                raise OddValue
            if type(task_end_offsets_item.offset) is bool:
                raise OddValue
            add(_pack_iq(task_end_offsets_item.partition, task_end_offsets_item.offset))
            add(
                write_tags([], task_end_offsets_item.unknown_tagged_fields, ())
                if task_end_offsets_item.unknown_tagged_fields
                else b"\0"
            )
    add(_pack_b(truth(message.shutdown_application)))
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupHeartbeatRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
