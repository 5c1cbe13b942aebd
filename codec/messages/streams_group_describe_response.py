"""StreamsGroupDescribeResponse, generated from schemas/StreamsGroupDescribeResponse.json; change that file and run `make generate`."""

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


class StreamsGroupDescribeResponse(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupDescribeResponse, versions 0-1.

    What the broker knows about Streams groups (KIP-1071).

    Version 1: the whole processing graph, where a plugin of the broker keeps it (KIP-1331); the
    assignor (KIP-1357).

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-1; default 0.
        groups ([]DescribedGroup): The groups that were asked for. Versions 0-1; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "StreamsGroupDescribeResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 89
    FRAMING = Framing("none", "refuse")

    class KeyValue(MessagePart, frozen=True, kw_only=True, gc=False):
        """KeyValue of StreamsGroupDescribeResponse, versions 0-1.

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
        """TopicInfo of StreamsGroupDescribeResponse, versions 0-1.

        A topic that the broker creates for the application.

        Attributes:
            name (string): The topic's name. Versions 0-1; default ''.
            partitions (int32): How many partitions it has. Versions 0-1; default 0.
            replication_factor (int16): How many replicas; 0 for the broker's default. Versions 0-1;
                default 0.
            topic_configs ([]KeyValue): The topic's configuration. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        name: str = ""
        partitions: int = 0
        replication_factor: int = 0
        topic_configs: tuple[StreamsGroupDescribeResponse.KeyValue, ...] = ()
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
                topic_configs: Iterable[StreamsGroupDescribeResponse.KeyValue] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partitions: int = ...,
                replication_factor: int = ...,
                topic_configs: Iterable[StreamsGroupDescribeResponse.KeyValue] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Subtopology(MessagePart, frozen=True, kw_only=True, gc=False):
        """Subtopology of StreamsGroupDescribeResponse, versions 0-1.

        The parts that share no state; null if not ready.

        Attributes:
            subtopology_id (string): The part's id. Versions 0-1; default ''.
            source_topics ([]string): The topics that it reads. Versions 0-1; default ().
            repartition_sink_topics ([]string): What it repartitions. Versions 0-1; default ().
            state_changelog_topics ([]TopicInfo): What backs up its state. Versions 0-1; default ().
            repartition_source_topics ([]TopicInfo): What it reads of that. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        subtopology_id: str = ""
        source_topics: tuple[str, ...] = ()
        repartition_sink_topics: tuple[str, ...] = ()
        state_changelog_topics: tuple[StreamsGroupDescribeResponse.TopicInfo, ...] = ()
        repartition_source_topics: tuple[StreamsGroupDescribeResponse.TopicInfo, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = (
            "source_topics",
            "repartition_sink_topics",
            "state_changelog_topics",
            "repartition_source_topics",
            "unknown_tagged_fields",
        )

        def __post_init__(self) -> None:
            if (
                type(self.source_topics) is not tuple
                or type(self.repartition_sink_topics) is not tuple
                or type(self.state_changelog_topics) is not tuple
                or type(self.repartition_source_topics) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                subtopology_id: str = ...,
                source_topics: Iterable[str] = ...,
                repartition_sink_topics: Iterable[str] = ...,
                state_changelog_topics: Iterable[StreamsGroupDescribeResponse.TopicInfo] = ...,
                repartition_source_topics: Iterable[StreamsGroupDescribeResponse.TopicInfo] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                source_topics: Iterable[str] = ...,
                repartition_sink_topics: Iterable[str] = ...,
                state_changelog_topics: Iterable[StreamsGroupDescribeResponse.TopicInfo] = ...,
                repartition_source_topics: Iterable[StreamsGroupDescribeResponse.TopicInfo] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Topology(MessagePart, frozen=True, kw_only=True, gc=False):
        """Topology of StreamsGroupDescribeResponse, versions 0-1.

        What the application computes; null with an error.

        Attributes:
            epoch (int32): The topology's own version. Versions 0-1; default 0.
            subtopologies ([]Subtopology): The parts that share no state; null if not ready. Versions
                0-1; may be null; default None.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        epoch: int = 0
        subtopologies: tuple[StreamsGroupDescribeResponse.Subtopology, ...] | None = None
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("subtopologies", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (self.subtopologies is not None and type(self.subtopologies) is not tuple) or type(
                self.unknown_tagged_fields
            ) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                epoch: int = ...,
                subtopologies: Iterable[StreamsGroupDescribeResponse.Subtopology] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                epoch: int = ...,
                subtopologies: Iterable[StreamsGroupDescribeResponse.Subtopology] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Endpoint(MessagePart, frozen=True, kw_only=True, gc=False):
        """Endpoint of StreamsGroupDescribeResponse, versions 0-1.

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
        """TaskOffset of StreamsGroupDescribeResponse, versions 0-1.

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

    class TaskIds(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskIds of StreamsGroupDescribeResponse, versions 0-1.

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

    class Assignment(MessagePart, frozen=True, kw_only=True, gc=False):
        """Assignment of StreamsGroupDescribeResponse, versions 0-1.

        The tasks that a member has, or is to have.

        Attributes:
            active_tasks ([]TaskIds): The tasks to process. Versions 0-1; default ().
            standby_tasks ([]TaskIds): The tasks whose state to keep as a spare. Versions 0-1; default
                ().
            warmup_tasks ([]TaskIds): The tasks whose state to build up. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        active_tasks: tuple[StreamsGroupDescribeResponse.TaskIds, ...] = ()
        standby_tasks: tuple[StreamsGroupDescribeResponse.TaskIds, ...] = ()
        warmup_tasks: tuple[StreamsGroupDescribeResponse.TaskIds, ...] = ()
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
                active_tasks: Iterable[StreamsGroupDescribeResponse.TaskIds] = ...,
                standby_tasks: Iterable[StreamsGroupDescribeResponse.TaskIds] = ...,
                warmup_tasks: Iterable[StreamsGroupDescribeResponse.TaskIds] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                active_tasks: Iterable[StreamsGroupDescribeResponse.TaskIds] = ...,
                standby_tasks: Iterable[StreamsGroupDescribeResponse.TaskIds] = ...,
                warmup_tasks: Iterable[StreamsGroupDescribeResponse.TaskIds] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Member(MessagePart, frozen=True, kw_only=True, gc=False):
        """Member of StreamsGroupDescribeResponse, versions 0-1.

        The members of the group.

        Attributes:
            member_id (string): The member's id. Versions 0-1; default ''.
            member_epoch (int32): The epoch that the member has reached. Versions 0-1; default 0.
            instance_id (string): The name of a static member; null if dynamic. Versions 0-1; may be
                null; default None.
            rack_id (string): The rack that the member runs in; null if not told. Versions 0-1; may be
                null; default None.
            client_id (string): What the member's client calls itself. Versions 0-1; default ''.
            client_host (string): The address that it connected from. Versions 0-1; default ''.
            topology_epoch (int32): The version of the topology that it runs. Versions 0-1; default 0.
            process_id (string): The process, which may run several members. Versions 0-1; default ''.
            user_endpoint (Endpoint): Where it answers queries; null if nowhere. Versions 0-1; may be
                null; default None.
            client_tags ([]KeyValue): Labels for rack-aware assignment (KIP-708). Versions 0-1;
                default ().
            task_offsets ([]TaskOffset): How far its spares have read, in sum. Versions 0-1; default
                ().
            task_end_offsets ([]TaskOffset): How far they could have read, in sum. Versions 0-1;
                default ().
            assignment (Assignment): The tasks that the member has. Versions 0-1; default
                Assignment().
            target_assignment (Assignment): The tasks that it is to have in the end. Versions 0-1;
                default Assignment().
            is_classic (bool): Whether it still speaks the classic protocol. Versions 0-1; default
                False.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        member_id: str = ""
        member_epoch: int = 0
        instance_id: str | None = None
        rack_id: str | None = None
        client_id: str = ""
        client_host: str = ""
        topology_epoch: int = 0
        process_id: str = ""
        user_endpoint: StreamsGroupDescribeResponse.Endpoint | None = None
        client_tags: tuple[StreamsGroupDescribeResponse.KeyValue, ...] = ()
        task_offsets: tuple[StreamsGroupDescribeResponse.TaskOffset, ...] = ()
        task_end_offsets: tuple[StreamsGroupDescribeResponse.TaskOffset, ...] = ()
        assignment: StreamsGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
        target_assignment: StreamsGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
        is_classic: bool = False
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("client_tags", "task_offsets", "task_end_offsets", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.client_tags) is not tuple
                or type(self.task_offsets) is not tuple
                or type(self.task_end_offsets) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                member_epoch: int = ...,
                instance_id: str | None = ...,
                rack_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                topology_epoch: int = ...,
                process_id: str = ...,
                user_endpoint: StreamsGroupDescribeResponse.Endpoint | None = ...,
                client_tags: Iterable[StreamsGroupDescribeResponse.KeyValue] = ...,
                task_offsets: Iterable[StreamsGroupDescribeResponse.TaskOffset] = ...,
                task_end_offsets: Iterable[StreamsGroupDescribeResponse.TaskOffset] = ...,
                assignment: StreamsGroupDescribeResponse.Assignment = ...,
                target_assignment: StreamsGroupDescribeResponse.Assignment = ...,
                is_classic: bool = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                member_epoch: int = ...,
                instance_id: str | None = ...,
                rack_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                topology_epoch: int = ...,
                process_id: str = ...,
                user_endpoint: StreamsGroupDescribeResponse.Endpoint | None = ...,
                client_tags: Iterable[StreamsGroupDescribeResponse.KeyValue] = ...,
                task_offsets: Iterable[StreamsGroupDescribeResponse.TaskOffset] = ...,
                task_end_offsets: Iterable[StreamsGroupDescribeResponse.TaskOffset] = ...,
                assignment: StreamsGroupDescribeResponse.Assignment = ...,
                target_assignment: StreamsGroupDescribeResponse.Assignment = ...,
                is_classic: bool = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopologyDescriptionNode(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopologyDescriptionNode of StreamsGroupDescribeResponse, versions 1.

        One node: where records come in, are worked on, or leave.

        Attributes:
            name (string): The node's name. Version 1; default ''.
            node_type (int8): 1: source, 2: processor, 3: sink. Version 1; default 0.
            source_topics ([]string): What a source reads; empty if by pattern. Version 1; default ().
            sink_topic (string): What a sink writes; null if chosen per record. Version 1; may be
                null; default None.
            stores ([]string): The state that a processor uses. Version 1; default ().
            successors ([]string): The names of the nodes behind it. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        name: str = ""
        node_type: int = 0
        source_topics: tuple[str, ...] = ()
        sink_topic: str | None = None
        stores: tuple[str, ...] = ()
        successors: tuple[str, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("source_topics", "stores", "successors", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.source_topics) is not tuple
                or type(self.stores) is not tuple
                or type(self.successors) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                node_type: int = ...,
                source_topics: Iterable[str] = ...,
                sink_topic: str | None = ...,
                stores: Iterable[str] = ...,
                successors: Iterable[str] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                node_type: int = ...,
                source_topics: Iterable[str] = ...,
                sink_topic: str | None = ...,
                stores: Iterable[str] = ...,
                successors: Iterable[str] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopologyDescriptionSubtopology(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopologyDescriptionSubtopology of StreamsGroupDescribeResponse, versions 1.

        One part of the graph.

        Attributes:
            subtopology_id (string): The part's id. Version 1; default ''.
            nodes ([]TopologyDescriptionNode): The nodes of the graph. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        subtopology_id: str = ""
        nodes: tuple[StreamsGroupDescribeResponse.TopologyDescriptionNode, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("nodes", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.nodes) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                subtopology_id: str = ...,
                nodes: Iterable[StreamsGroupDescribeResponse.TopologyDescriptionNode] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                nodes: Iterable[StreamsGroupDescribeResponse.TopologyDescriptionNode] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopologyDescriptionGlobalStore(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopologyDescriptionGlobalStore of StreamsGroupDescribeResponse, versions 1.

        State that every member holds as a whole.

        Attributes:
            source (TopologyDescriptionNode): Where its records come in. Version 1; default
                TopologyDescriptionNode().
            processor (TopologyDescriptionNode): What puts them into the store. Version 1; default
                TopologyDescriptionNode().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        source: StreamsGroupDescribeResponse.TopologyDescriptionNode = _field(
            default_factory=lambda: _DEFAULT_TopologyDescriptionNode
        )
        processor: StreamsGroupDescribeResponse.TopologyDescriptionNode = _field(
            default_factory=lambda: _DEFAULT_TopologyDescriptionNode
        )
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                source: StreamsGroupDescribeResponse.TopologyDescriptionNode = ...,
                processor: StreamsGroupDescribeResponse.TopologyDescriptionNode = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                source: StreamsGroupDescribeResponse.TopologyDescriptionNode = ...,
                processor: StreamsGroupDescribeResponse.TopologyDescriptionNode = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopologyDescription(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopologyDescription of StreamsGroupDescribeResponse, versions 1.

        The whole processing graph (KIP-1331).

        Attributes:
            subtopologies ([]TopologyDescriptionSubtopology): The parts that share no state. Version
                1; default ().
            global_stores ([]TopologyDescriptionGlobalStore): State that every member holds as a
                whole. Version 1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        subtopologies: tuple[StreamsGroupDescribeResponse.TopologyDescriptionSubtopology, ...] = ()
        global_stores: tuple[StreamsGroupDescribeResponse.TopologyDescriptionGlobalStore, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("subtopologies", "global_stores", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.subtopologies) is not tuple
                or type(self.global_stores) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                subtopologies: Iterable[
                    StreamsGroupDescribeResponse.TopologyDescriptionSubtopology
                ] = ...,
                global_stores: Iterable[
                    StreamsGroupDescribeResponse.TopologyDescriptionGlobalStore
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopologies: Iterable[
                    StreamsGroupDescribeResponse.TopologyDescriptionSubtopology
                ] = ...,
                global_stores: Iterable[
                    StreamsGroupDescribeResponse.TopologyDescriptionGlobalStore
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribedGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroup of StreamsGroupDescribeResponse, versions 0-1.

        The groups that were asked for.

        Attributes:
            error_code (int16): Why this group could not be described; 0 if it could. Versions 0-1;
                default 0.
            error_message (string): The same in words; null if there is nothing to say. Versions 0-1;
                may be null; default None.
            group_id (string): The group's id. Versions 0-1; default ''.
            group_state (string): Empty, NotReady, Assigning, Reconciling, Stable or Dead. Versions
                0-1; default ''.
            group_epoch (int32): Grows with every change of members or topology. Versions 0-1; default
                0.
            assignment_epoch (int32): The group epoch that the target assignment was made for.
                Versions 0-1; default 0.
            topology (Topology): What the application computes; null with an error. Versions 0-1; may
                be null; default None.
            members ([]Member): The members of the group. Versions 0-1; default ().
            authorized_operations (int32): What the asker may do: bit n stands for operation n.
                Versions 0-1; default -2147483648.
            topology_description (TopologyDescription): The processing graph; null unless the status
                is 3. Version 1; may be null; default None; other versions cannot hold it.
            topology_description_status (int8): 0: not asked for, 1: none, 2: error, 3: here. Version
                1; default 0; other versions cannot hold it.
            assignor_name (string): The assignor of the next assignment; null with an error. Version
                1; may be null; default None; other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        error_code: int = 0
        error_message: str | None = None
        group_id: str = ""
        group_state: str = ""
        group_epoch: int = 0
        assignment_epoch: int = 0
        topology: StreamsGroupDescribeResponse.Topology | None = None
        members: tuple[StreamsGroupDescribeResponse.Member, ...] = ()
        authorized_operations: int = -2147483648
        topology_description: StreamsGroupDescribeResponse.TopologyDescription | None = None
        topology_description_status: int = 0
        assignor_name: str | None = None
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("members", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                group_epoch: int = ...,
                assignment_epoch: int = ...,
                topology: StreamsGroupDescribeResponse.Topology | None = ...,
                members: Iterable[StreamsGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                topology_description: StreamsGroupDescribeResponse.TopologyDescription | None = ...,
                topology_description_status: int = ...,
                assignor_name: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                group_epoch: int = ...,
                assignment_epoch: int = ...,
                topology: StreamsGroupDescribeResponse.Topology | None = ...,
                members: Iterable[StreamsGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                topology_description: StreamsGroupDescribeResponse.TopologyDescription | None = ...,
                topology_description_status: int = ...,
                assignor_name: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    groups: tuple[StreamsGroupDescribeResponse.DescribedGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[StreamsGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[StreamsGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Assignment = StreamsGroupDescribeResponse.Assignment
_DescribedGroup = StreamsGroupDescribeResponse.DescribedGroup
_Endpoint = StreamsGroupDescribeResponse.Endpoint
_KeyValue = StreamsGroupDescribeResponse.KeyValue
_Member = StreamsGroupDescribeResponse.Member
_Subtopology = StreamsGroupDescribeResponse.Subtopology
_TaskIds = StreamsGroupDescribeResponse.TaskIds
_TaskOffset = StreamsGroupDescribeResponse.TaskOffset
_TopicInfo = StreamsGroupDescribeResponse.TopicInfo
_Topology = StreamsGroupDescribeResponse.Topology
_TopologyDescription = StreamsGroupDescribeResponse.TopologyDescription
_TopologyDescriptionGlobalStore = StreamsGroupDescribeResponse.TopologyDescriptionGlobalStore
_TopologyDescriptionNode = StreamsGroupDescribeResponse.TopologyDescriptionNode
_TopologyDescriptionSubtopology = StreamsGroupDescribeResponse.TopologyDescriptionSubtopology
_DEFAULT_Assignment: StreamsGroupDescribeResponse.Assignment = (
    StreamsGroupDescribeResponse.Assignment()
)
_DEFAULT_TopologyDescriptionNode: StreamsGroupDescribeResponse.TopologyDescriptionNode = (
    StreamsGroupDescribeResponse.TopologyDescriptionNode()
)


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


def _read_subtopology_v0_1(data: bytes, pos: int) -> tuple[_Subtopology, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    source_topics, pos = read_compact_array(data, pos, read_compact_string)
    repartition_sink_topics, pos = read_compact_array(data, pos, read_compact_string)
    state_changelog_topics, pos = read_compact_array(data, pos, _read_topic_info_v0_1)
    repartition_source_topics, pos = read_compact_array(data, pos, _read_topic_info_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Subtopology(
        subtopology_id=subtopology_id,
        source_topics=source_topics,
        repartition_sink_topics=repartition_sink_topics,
        state_changelog_topics=state_changelog_topics,
        repartition_source_topics=repartition_source_topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_subtopology_v0_1(item: _Subtopology, parts: list[bytes]) -> None:
    if type(item) is not _Subtopology:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    write_compact_array(item.source_topics, parts, write_compact_string)
    write_compact_array(item.repartition_sink_topics, parts, write_compact_string)
    write_compact_array(item.state_changelog_topics, parts, _write_topic_info_v0_1)
    write_compact_array(item.repartition_source_topics, parts, _write_topic_info_v0_1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topology_v0_1(data: bytes, pos: int) -> tuple[_Topology, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    subtopologies, pos = read_compact_nullable_array(data, pos, _read_subtopology_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Topology(epoch=epoch, subtopologies=subtopologies, unknown_tagged_fields=unknown), pos


def _write_topology_v0_1(item: _Topology, parts: list[bytes]) -> None:
    if type(item) is not _Topology:
        raise OddValue
    INT32.write(item.epoch, parts)
    write_compact_nullable_array(item.subtopologies, parts, _write_subtopology_v0_1)
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


def _read_assignment_v0_1(data: bytes, pos: int) -> tuple[_Assignment, int]:
    active_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0_1)
    standby_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0_1)
    warmup_tasks, pos = read_compact_array(data, pos, _read_task_ids_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    return _Assignment(
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        warmup_tasks=warmup_tasks,
        unknown_tagged_fields=unknown,
    ), pos


def _write_assignment_v0_1(item: _Assignment, parts: list[bytes]) -> None:
    if type(item) is not _Assignment:
        raise OddValue
    write_compact_array(item.active_tasks, parts, _write_task_ids_v0_1)
    write_compact_array(item.standby_tasks, parts, _write_task_ids_v0_1)
    write_compact_array(item.warmup_tasks, parts, _write_task_ids_v0_1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_member_v0_1(data: bytes, pos: int) -> tuple[_Member, int]:
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    client_id, pos = read_compact_string(data, pos)
    client_host, pos = read_compact_string(data, pos)
    (topology_epoch,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_compact_string(data, pos)
    user_endpoint, pos = read_nullable(data, pos, _read_endpoint_v0_1)
    client_tags, pos = read_compact_array(data, pos, _read_key_value_v0_1)
    task_offsets, pos = read_compact_array(data, pos, _read_task_offset_v0_1)
    task_end_offsets, pos = read_compact_array(data, pos, _read_task_offset_v0_1)
    assignment, pos = _read_assignment_v0_1(data, pos)
    target_assignment, pos = _read_assignment_v0_1(data, pos)
    is_classic, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _Member(
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=instance_id,
        rack_id=rack_id,
        client_id=client_id,
        client_host=client_host,
        topology_epoch=topology_epoch,
        process_id=process_id,
        user_endpoint=user_endpoint,
        client_tags=client_tags,
        task_offsets=task_offsets,
        task_end_offsets=task_end_offsets,
        assignment=assignment,
        target_assignment=target_assignment,
        is_classic=is_classic,
        unknown_tagged_fields=unknown,
    ), pos


def _write_member_v0_1(item: _Member, parts: list[bytes]) -> None:
    if type(item) is not _Member:
        raise OddValue
    write_compact_string(item.member_id, parts)
    INT32.write(item.member_epoch, parts)
    write_compact_nullable_string(item.instance_id, parts)
    write_compact_nullable_string(item.rack_id, parts)
    write_compact_string(item.client_id, parts)
    write_compact_string(item.client_host, parts)
    INT32.write(item.topology_epoch, parts)
    write_compact_string(item.process_id, parts)
    write_nullable(item.user_endpoint, parts, _write_endpoint_v0_1)
    write_compact_array(item.client_tags, parts, _write_key_value_v0_1)
    write_compact_array(item.task_offsets, parts, _write_task_offset_v0_1)
    write_compact_array(item.task_end_offsets, parts, _write_task_offset_v0_1)
    _write_assignment_v0_1(item.assignment, parts)
    _write_assignment_v0_1(item.target_assignment, parts)
    write_bool(item.is_classic, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_described_group_v0(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    (group_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (assignment_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topology, pos = read_nullable(data, pos, _read_topology_v0_1)
    members, pos = read_compact_array(data, pos, _read_member_v0_1)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroup(
        error_code=error_code,
        error_message=error_message,
        group_id=group_id,
        group_state=group_state,
        group_epoch=group_epoch,
        assignment_epoch=assignment_epoch,
        topology=topology,
        members=members,
        authorized_operations=authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_v0(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    if item.topology_description is not None:
        raise OddValue
    if item.topology_description_status != 0:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_compact_string(item.group_id, parts)
    write_compact_string(item.group_state, parts)
    INT32.write(item.group_epoch, parts)
    INT32.write(item.assignment_epoch, parts)
    write_nullable(item.topology, parts, _write_topology_v0_1)
    write_compact_array(item.members, parts, _write_member_v0_1)
    INT32.write(item.authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupDescribeResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: StreamsGroupDescribeResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_topology_description_node_v1(
    data: bytes, pos: int
) -> tuple[_TopologyDescriptionNode, int]:
    name, pos = read_compact_string(data, pos)
    (node_type,), pos = INT8.unpack(data, pos), pos + 1
    source_topics, pos = read_compact_array(data, pos, read_compact_string)
    sink_topic, pos = read_compact_nullable_string(data, pos)
    stores, pos = read_compact_array(data, pos, read_compact_string)
    successors, pos = read_compact_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopologyDescriptionNode(
        name=name,
        node_type=node_type,
        source_topics=source_topics,
        sink_topic=sink_topic,
        stores=stores,
        successors=successors,
        unknown_tagged_fields=unknown,
    ), pos


def _write_topology_description_node_v1(item: _TopologyDescriptionNode, parts: list[bytes]) -> None:
    if type(item) is not _TopologyDescriptionNode:
        raise OddValue
    write_compact_string(item.name, parts)
    INT8.write(item.node_type, parts)
    write_compact_array(item.source_topics, parts, write_compact_string)
    write_compact_nullable_string(item.sink_topic, parts)
    write_compact_array(item.stores, parts, write_compact_string)
    write_compact_array(item.successors, parts, write_compact_string)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topology_description_subtopology_v1(
    data: bytes, pos: int
) -> tuple[_TopologyDescriptionSubtopology, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    nodes, pos = read_compact_array(data, pos, _read_topology_description_node_v1)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopologyDescriptionSubtopology(
        subtopology_id=subtopology_id, nodes=nodes, unknown_tagged_fields=unknown
    ), pos


def _write_topology_description_subtopology_v1(
    item: _TopologyDescriptionSubtopology, parts: list[bytes]
) -> None:
    if type(item) is not _TopologyDescriptionSubtopology:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    write_compact_array(item.nodes, parts, _write_topology_description_node_v1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topology_description_global_store_v1(
    data: bytes, pos: int
) -> tuple[_TopologyDescriptionGlobalStore, int]:
    source, pos = _read_topology_description_node_v1(data, pos)
    processor, pos = _read_topology_description_node_v1(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopologyDescriptionGlobalStore(
        source=source, processor=processor, unknown_tagged_fields=unknown
    ), pos


def _write_topology_description_global_store_v1(
    item: _TopologyDescriptionGlobalStore, parts: list[bytes]
) -> None:
    if type(item) is not _TopologyDescriptionGlobalStore:
        raise OddValue
    _write_topology_description_node_v1(item.source, parts)
    _write_topology_description_node_v1(item.processor, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topology_description_v1(data: bytes, pos: int) -> tuple[_TopologyDescription, int]:
    subtopologies, pos = read_compact_array(data, pos, _read_topology_description_subtopology_v1)
    global_stores, pos = read_compact_array(data, pos, _read_topology_description_global_store_v1)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopologyDescription(
        subtopologies=subtopologies, global_stores=global_stores, unknown_tagged_fields=unknown
    ), pos


def _write_topology_description_v1(item: _TopologyDescription, parts: list[bytes]) -> None:
    if type(item) is not _TopologyDescription:
        raise OddValue
    write_compact_array(item.subtopologies, parts, _write_topology_description_subtopology_v1)
    write_compact_array(item.global_stores, parts, _write_topology_description_global_store_v1)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_described_group_v1(data: bytes, pos: int) -> tuple[_DescribedGroup, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    group_id, pos = read_compact_string(data, pos)
    group_state, pos = read_compact_string(data, pos)
    (group_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (assignment_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topology, pos = read_nullable(data, pos, _read_topology_v0_1)
    members, pos = read_compact_array(data, pos, _read_member_v0_1)
    (authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    topology_description, pos = read_nullable(data, pos, _read_topology_description_v1)
    (topology_description_status,), pos = INT8.unpack(data, pos), pos + 1
    assignor_name, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribedGroup(
        error_code=error_code,
        error_message=error_message,
        group_id=group_id,
        group_state=group_state,
        group_epoch=group_epoch,
        assignment_epoch=assignment_epoch,
        topology=topology,
        members=members,
        authorized_operations=authorized_operations,
        topology_description=topology_description,
        topology_description_status=topology_description_status,
        assignor_name=assignor_name,
        unknown_tagged_fields=unknown,
    ), pos


def _write_described_group_v1(item: _DescribedGroup, parts: list[bytes]) -> None:
    if type(item) is not _DescribedGroup:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_compact_string(item.group_id, parts)
    write_compact_string(item.group_state, parts)
    INT32.write(item.group_epoch, parts)
    INT32.write(item.assignment_epoch, parts)
    write_nullable(item.topology, parts, _write_topology_v0_1)
    write_compact_array(item.members, parts, _write_member_v0_1)
    INT32.write(item.authorized_operations, parts)
    write_nullable(item.topology_description, parts, _write_topology_description_v1)
    INT8.write(item.topology_description_status, parts)
    write_compact_nullable_string(item.assignor_name, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v1(data: bytes, pos: int) -> tuple[StreamsGroupDescribeResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    groups, pos = read_compact_array(data, pos, _read_described_group_v1)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms, groups=groups, unknown_tagged_fields=unknown
    ), pos


def _write_v1(message: StreamsGroupDescribeResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.groups, parts, _write_described_group_v1)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupDescribeResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
