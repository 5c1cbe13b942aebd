"""StreamsGroupHeartbeatRequest, generated from schemas/StreamsGroupHeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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
    read_nullable,
    write_bool,
    write_compact_array,
    write_compact_nullable_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupHeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupHeartbeatRequest, versions 0-1.

    The one request of the Streams group protocol (KIP-1071): what ConsumerGroupHeartbeat is for
    consumers, for Kafka Streams. The broker assigns tasks, so it has to be told the topology. Null
    and -1 stand for "as before".

    Version 1 (KIP-1331): as version 0; it says that the member understands version 1 of the answer.

    Attributes:
        group_id (string): The group to join or to stay in (application.id). Versions 0-1; default ''.
        member_id (string): The member's id, a uuid as text, made by the member itself. Versions 0-1;
            default ''.
        member_epoch (int32): The epoch that the member has reached. Versions 0-1; default 0.
        endpoint_information_epoch (int32): The newest list of endpoints that the member has. Versions
            0-1; default 0.
        instance_id (string): The name of a static member; null if dynamic or as before. Versions 0-1;
            may be null; default None.
        rack_id (string): The rack that the member runs in; null if not told or as before. Versions
            0-1; may be null; default None.
        rebalance_timeout_ms (int32): How long it may take to give tasks back; -1: as before. Versions
            0-1; default -1.
        topology (Topology): What the application computes; null once it has joined. Versions 0-1; may
            be null; default None.
        active_tasks ([]TaskIds): The tasks that the member processes; null: as before. Versions 0-1;
            may be null; default None.
        standby_tasks ([]TaskIds): The tasks whose state it keeps as a spare; null: as before.
            Versions 0-1; may be null; default None.
        warmup_tasks ([]TaskIds): The tasks whose state it builds up to take over; null: as before.
            Versions 0-1; may be null; default None.
        process_id (string): The process, which may run several members; null: as before. Versions
            0-1; may be null; default None.
        user_endpoint (Endpoint): Where it answers interactive queries; null if nowhere or as before.
            Versions 0-1; may be null; default None.
        client_tags ([]KeyValue): Labels for rack-aware assignment (KIP-708); null: as before.
            Versions 0-1; may be null; default None.
        task_offsets ([]TaskOffset): How far its spares have read, in sum; null: as before. Versions
            0-1; may be null; default None.
        task_end_offsets ([]TaskOffset): How far they could have read, in sum; null: as before.
            Versions 0-1; may be null; default None.
        shutdown_application (bool): Whether all members of the group shall stop. Versions 0-1;
            default False.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "StreamsGroupHeartbeatRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 88
    FRAMING = Framing("none", "refuse")

    class KeyValue(MessagePart, frozen=True, kw_only=True, gc=False):
        """KeyValue of StreamsGroupHeartbeatRequest, versions 0-1.

        A key and its value.

        Attributes:
            key (string): The key. Versions 0-1; default ''.
            value (string): The value. Versions 0-1; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

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
        """TopicInfo of StreamsGroupHeartbeatRequest, versions 0-1.

        A topic that the broker creates for the application.

        Attributes:
            name (string): The topic's name. Versions 0-1; default ''.
            partitions (int32): How many partitions; 0 lets the broker choose. Versions 0-1; default
                0.
            replication_factor (int16): How many replicas; 0 for the broker's default. Versions 0-1;
                default 0.
            topic_configs ([]KeyValue): The topic's configuration. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

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
        """CopartitionGroup of StreamsGroupHeartbeatRequest, versions 0-1.

        Topics joined by partition number.

        Attributes:
            source_topics ([]int16): Positions, by name. Versions 0-1; default ().
            source_topic_regex ([]int16): By pattern. Versions 0-1; default ().
            repartition_source_topics ([]int16): Repartition. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

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
        """Subtopology of StreamsGroupHeartbeatRequest, versions 0-1.

        The parts that share no state with one another.

        Attributes:
            subtopology_id (string): The part's id, derived from the topology. Versions 0-1; default
                ''.
            source_topics ([]string): The topics that it reads, by name. Versions 0-1; default ().
            source_topic_regex ([]string): The topics that it reads, by pattern. Versions 0-1; default
                ().
            state_changelog_topics ([]TopicInfo): Topics that back up its state. Versions 0-1; default
                ().
            repartition_sink_topics ([]string): Repartition topics it writes. Versions 0-1; default
                ().
            repartition_source_topics ([]TopicInfo): Repartition topics it reads. Versions 0-1;
                default ().
            copartition_groups ([]CopartitionGroup): Topics joined by partition number. Versions 0-1;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

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
        """Topology of StreamsGroupHeartbeatRequest, versions 0-1.

        What the application computes; null once it has joined.

        Attributes:
            epoch (int32): The topology's own version; all members should have the same. Versions 0-1;
                default 0.
            subtopologies ([]Subtopology): The parts that share no state with one another. Versions
                0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

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
        """TaskIds of StreamsGroupHeartbeatRequest, versions 0-1.

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
        """Endpoint of StreamsGroupHeartbeatRequest, versions 0-1.

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

    class TaskOffset(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskOffset of StreamsGroupHeartbeatRequest, versions 0-1.

        How far one task is.

        Attributes:
            subtopology_id (string): The task's sub-topology. Versions 0-1; default ''.
            partition (int32): The task's partition. Versions 0-1; default 0.
            offset (int64): The sum over the task's changelogs. Versions 0-1; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

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


def _read_key_value_v0_1(data: bytes, pos: int) -> tuple[_KeyValue, int]:
    key, pos = read_compact_string(data, pos)
    value, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _KeyValue(key=key, value=value, unknown_tagged_fields=unknown), pos


def _write_key_value_v0_1(item: _KeyValue, parts: list[bytes]) -> None:
    if type(item) is not _KeyValue:
        raise OddValue
    write_compact_string(item.key, parts)
    write_compact_string(item.value, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topic_info_v0_1(data: bytes, pos: int) -> tuple[_TopicInfo, int]:
    name, pos = read_compact_string(data, pos)
    (partitions,), pos = INT32.unpack(data, pos), pos + 4
    (replication_factor,), pos = INT16.unpack(data, pos), pos + 2
    topic_configs, pos = read_compact_array(data, pos, _read_key_value_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicInfo(
        name=name,
        partitions=partitions,
        replication_factor=replication_factor,
        topic_configs=topic_configs,
        unknown_tagged_fields=unknown,
    ), pos


def _write_topic_info_v0_1(item: _TopicInfo, parts: list[bytes]) -> None:
    if type(item) is not _TopicInfo:
        raise OddValue
    write_compact_string(item.name, parts)
    INT32.write(item.partitions, parts)
    INT16.write(item.replication_factor, parts)
    write_compact_array(item.topic_configs, parts, _write_key_value_v0_1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_copartition_group_v0_1(data: bytes, pos: int) -> tuple[_CopartitionGroup, int]:
    source_topics, pos = INT16.read_compact_array(data, pos)
    source_topic_regex, pos = INT16.read_compact_array(data, pos)
    repartition_source_topics, pos = INT16.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _CopartitionGroup(
        source_topics=source_topics,
        source_topic_regex=source_topic_regex,
        repartition_source_topics=repartition_source_topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_copartition_group_v0_1(item: _CopartitionGroup, parts: list[bytes]) -> None:
    if type(item) is not _CopartitionGroup:
        raise OddValue
    INT16.write_compact_array(item.source_topics, parts)
    INT16.write_compact_array(item.source_topic_regex, parts)
    INT16.write_compact_array(item.repartition_source_topics, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_subtopology_v0_1(data: bytes, pos: int) -> tuple[_Subtopology, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    source_topics, pos = read_compact_array(data, pos, read_compact_string)
    source_topic_regex, pos = read_compact_array(data, pos, read_compact_string)
    state_changelog_topics, pos = read_compact_array(data, pos, _read_topic_info_v0_1)
    repartition_sink_topics, pos = read_compact_array(data, pos, read_compact_string)
    repartition_source_topics, pos = read_compact_array(data, pos, _read_topic_info_v0_1)
    copartition_groups, pos = read_compact_array(data, pos, _read_copartition_group_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Subtopology(
        subtopology_id=subtopology_id,
        source_topics=source_topics,
        source_topic_regex=source_topic_regex,
        state_changelog_topics=state_changelog_topics,
        repartition_sink_topics=repartition_sink_topics,
        repartition_source_topics=repartition_source_topics,
        copartition_groups=copartition_groups,
        unknown_tagged_fields=unknown,
    ), pos


def _write_subtopology_v0_1(item: _Subtopology, parts: list[bytes]) -> None:
    if type(item) is not _Subtopology:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    write_compact_array(item.source_topics, parts, write_compact_string)
    write_compact_array(item.source_topic_regex, parts, write_compact_string)
    write_compact_array(item.state_changelog_topics, parts, _write_topic_info_v0_1)
    write_compact_array(item.repartition_sink_topics, parts, write_compact_string)
    write_compact_array(item.repartition_source_topics, parts, _write_topic_info_v0_1)
    write_compact_array(item.copartition_groups, parts, _write_copartition_group_v0_1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topology_v0_1(data: bytes, pos: int) -> tuple[_Topology, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    subtopologies, pos = read_compact_array(data, pos, _read_subtopology_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Topology(epoch=epoch, subtopologies=subtopologies, unknown_tagged_fields=unknown), pos


def _write_topology_v0_1(item: _Topology, parts: list[bytes]) -> None:
    if type(item) is not _Topology:
        raise OddValue
    INT32.write(item.epoch, parts)
    write_compact_array(item.subtopologies, parts, _write_subtopology_v0_1)
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


def _read_task_offset_v0_1(data: bytes, pos: int) -> tuple[_TaskOffset, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    unknown, pos = read_unknown_tags(data, pos)
    return _TaskOffset(
        subtopology_id=subtopology_id,
        partition=partition,
        offset=offset,
        unknown_tagged_fields=unknown,
    ), pos


def _write_task_offset_v0_1(item: _TaskOffset, parts: list[bytes]) -> None:
    if type(item) is not _TaskOffset:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    INT32.write(item.partition, parts)
    INT64.write(item.offset, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0_1(data: bytes, pos: int) -> tuple[StreamsGroupHeartbeatRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (endpoint_information_epoch,), pos = INT32.unpack(data, pos), pos + 4
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    topology, pos = read_nullable(data, pos, _read_topology_v0_1)
    active_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    standby_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    warmup_tasks, pos = read_compact_nullable_array(data, pos, _read_task_ids_v0_1)
    process_id, pos = read_compact_nullable_string(data, pos)
    user_endpoint, pos = read_nullable(data, pos, _read_endpoint_v0_1)
    client_tags, pos = read_compact_nullable_array(data, pos, _read_key_value_v0_1)
    task_offsets, pos = read_compact_nullable_array(data, pos, _read_task_offset_v0_1)
    task_end_offsets, pos = read_compact_nullable_array(data, pos, _read_task_offset_v0_1)
    shutdown_application, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
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
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0_1(message: StreamsGroupHeartbeatRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    write_compact_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    INT32.write(message.endpoint_information_epoch, parts)
    write_compact_nullable_string(message.instance_id, parts)
    write_compact_nullable_string(message.rack_id, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_nullable(message.topology, parts, _write_topology_v0_1)
    write_compact_nullable_array(message.active_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_array(message.standby_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_array(message.warmup_tasks, parts, _write_task_ids_v0_1)
    write_compact_nullable_string(message.process_id, parts)
    write_nullable(message.user_endpoint, parts, _write_endpoint_v0_1)
    write_compact_nullable_array(message.client_tags, parts, _write_key_value_v0_1)
    write_compact_nullable_array(message.task_offsets, parts, _write_task_offset_v0_1)
    write_compact_nullable_array(message.task_end_offsets, parts, _write_task_offset_v0_1)
    write_bool(message.shutdown_application, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupHeartbeatRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
