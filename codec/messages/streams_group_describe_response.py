"""StreamsGroupDescribeResponse, generated from schemas/StreamsGroupDescribeResponse.json; change that file and run `make generate`."""

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
_pack_h = packed("h")
_pack_i = packed("i")
_pack_ih = packed("ih")
_pack_ii = packed("ii")
_pack_iq = packed("iq")
_pack_numbers_i = pack_numbers("i")
_pack_u_h = packed("H")
_unpack_b = fixed("b")
_unpack_bool_u_b = fixed("?B")
_unpack_bu_b = fixed("bB")
_unpack_hu_b = fixed("hB")
_unpack_ib = fixed("ib")
_unpack_ihu_b = fixed("ihB")
_unpack_iib = fixed("iib")
_unpack_iqu_b = fixed("iqB")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_u_hu_b = fixed("HB")


class StreamsGroupDescribeResponse(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupDescribeResponse, versions 0-1."""

    NAME = "StreamsGroupDescribeResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 89
    FRAMING = Framing("none", "refuse")

    class KeyValue(MessagePart, frozen=True, kw_only=True, gc=False):
        """KeyValue of StreamsGroupDescribeResponse, versions 0-1."""

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
        """TopicInfo of StreamsGroupDescribeResponse, versions 0-1."""

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
        """Subtopology of StreamsGroupDescribeResponse, versions 0-1."""

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
        """Topology of StreamsGroupDescribeResponse, versions 0-1."""

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
        """Endpoint of StreamsGroupDescribeResponse, versions 0-1."""

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
        """TaskOffset of StreamsGroupDescribeResponse, versions 0-1."""

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
        """TaskIds of StreamsGroupDescribeResponse, versions 0-1."""

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
        """Assignment of StreamsGroupDescribeResponse, versions 0-1."""

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
        """Member of StreamsGroupDescribeResponse, versions 0-1."""

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
        """TopologyDescriptionNode of StreamsGroupDescribeResponse, versions 1."""

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
        """TopologyDescriptionSubtopology of StreamsGroupDescribeResponse, versions 1."""

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
        """TopologyDescriptionGlobalStore of StreamsGroupDescribeResponse, versions 1."""

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
        """TopologyDescription of StreamsGroupDescribeResponse, versions 1."""

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
        """DescribedGroup of StreamsGroupDescribeResponse, versions 0-1."""

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


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupDescribeResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_b(data, pos)
    pos += 5
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hu_b(data, pos)
        pos += 3
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
        (group_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_id_size > 127:
            group_id_size, pos = read_varint(data, pos - 1)
        if group_id_size < 1 or group_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_id_size - 1
        group_id = data[pos:end].decode()
        pos = end
        (group_state_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_state_size > 127:
            group_state_size, pos = read_varint(data, pos - 1)
        if group_state_size < 1 or group_state_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_state_size - 1
        group_state = data[pos:end].decode()
        pos = end
        group_epoch, assignment_epoch, topology_present = _unpack_iib(data, pos)
        pos += 9
        if topology_present < 0:
            topology = None
        else:
            epoch, subtopologies_count = _unpack_iu_b(data, pos)
            pos += 5
            if subtopologies_count > 127:
                subtopologies_count, pos = read_varint(data, pos - 1)
            if subtopologies_count < 1:
                subtopologies = None
            else:
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
                        partitions, replication_factor, topic_configs_count = _unpack_ihu_b(
                            data, pos
                        )
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
                                _KeyValue(
                                    key=key,
                                    value=value,
                                    unknown_tagged_fields=unknown_tagged_fields,
                                )
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
                        partitions_2, replication_factor_2, topic_configs_2_count = _unpack_ihu_b(
                            data, pos
                        )
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
                                    key=key_2,
                                    value=value_2,
                                    unknown_tagged_fields=unknown_tagged_fields_3,
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
                    (count_5,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
                    if count_5:
                        unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
                    subtopologies_list.append(
                        _Subtopology(
                            subtopology_id=subtopology_id,
                            source_topics=source_topics,
                            repartition_sink_topics=repartition_sink_topics,
                            state_changelog_topics=state_changelog_topics,
                            repartition_source_topics=repartition_source_topics,
                            unknown_tagged_fields=unknown_tagged_fields_5,
                        )
                    )
                subtopologies = tuple(subtopologies_list)
            (count_6,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
            if count_6:
                unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
            topology = _Topology(
                epoch=epoch,
                subtopologies=subtopologies,
                unknown_tagged_fields=unknown_tagged_fields_6,
            )
        (members_count,) = _unpack_u_b(data, pos)
        pos += 1
        if members_count > 127:
            members_count, pos = read_varint(data, pos - 1)
        members_count -= 1
        if not 0 <= members_count <= MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_Member] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_id_size > 127:
                member_id_size, pos = read_varint(data, pos - 1)
            if member_id_size < 1 or member_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + member_id_size - 1
            member_id = data[pos:end].decode()
            pos = end
            member_epoch, instance_id_size = _unpack_iu_b(data, pos)
            pos += 5
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
            (client_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_id_size > 127:
                client_id_size, pos = read_varint(data, pos - 1)
            if client_id_size < 1 or client_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_id_size - 1
            client_id = data[pos:end].decode()
            pos = end
            (client_host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_host_size > 127:
                client_host_size, pos = read_varint(data, pos - 1)
            if client_host_size < 1 or client_host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_host_size - 1
            client_host = data[pos:end].decode()
            pos = end
            topology_epoch, process_id_size = _unpack_iu_b(data, pos)
            pos += 5
            if process_id_size > 127:
                process_id_size, pos = read_varint(data, pos - 1)
            if process_id_size < 1 or process_id_size > MAX_STRING + 1:
                raise OddBytes
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
                port, count_7 = _unpack_u_hu_b(data, pos)
                pos += 3
                unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
                if count_7:
                    unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
                user_endpoint = _Endpoint(
                    host=host, port=port, unknown_tagged_fields=unknown_tagged_fields_7
                )
            (client_tags_count,) = _unpack_u_b(data, pos)
            pos += 1
            if client_tags_count > 127:
                client_tags_count, pos = read_varint(data, pos - 1)
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
                (count_8,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_8: tuple[RawTaggedField, ...] = ()
                if count_8:
                    unknown_tagged_fields_8, pos = read_tags(data, pos - 1)
                client_tags_list.append(
                    _KeyValue(
                        key=key_3, value=value_3, unknown_tagged_fields=unknown_tagged_fields_8
                    )
                )
            client_tags = tuple(client_tags_list)
            (task_offsets_count,) = _unpack_u_b(data, pos)
            pos += 1
            if task_offsets_count > 127:
                task_offsets_count, pos = read_varint(data, pos - 1)
            task_offsets_count -= 1
            if not 0 <= task_offsets_count <= MAX_ELEMENTS:
                raise OddBytes
            task_offsets_list: list[_TaskOffset] = []
            for _ in range(task_offsets_count):
                (subtopology_id_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_2_size > 127:
                    subtopology_id_2_size, pos = read_varint(data, pos - 1)
                if subtopology_id_2_size < 1 or subtopology_id_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_2_size - 1
                subtopology_id_2 = data[pos:end].decode()
                pos = end
                partition, offset, count_9 = _unpack_iqu_b(data, pos)
                pos += 13
                unknown_tagged_fields_9: tuple[RawTaggedField, ...] = ()
                if count_9:
                    unknown_tagged_fields_9, pos = read_tags(data, pos - 1)
                task_offsets_list.append(
                    _TaskOffset(
                        subtopology_id=subtopology_id_2,
                        partition=partition,
                        offset=offset,
                        unknown_tagged_fields=unknown_tagged_fields_9,
                    )
                )
            task_offsets = tuple(task_offsets_list)
            (task_end_offsets_count,) = _unpack_u_b(data, pos)
            pos += 1
            if task_end_offsets_count > 127:
                task_end_offsets_count, pos = read_varint(data, pos - 1)
            task_end_offsets_count -= 1
            if not 0 <= task_end_offsets_count <= MAX_ELEMENTS:
                raise OddBytes
            task_end_offsets_list: list[_TaskOffset] = []
            for _ in range(task_end_offsets_count):
                (subtopology_id_3_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_3_size > 127:
                    subtopology_id_3_size, pos = read_varint(data, pos - 1)
                if subtopology_id_3_size < 1 or subtopology_id_3_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_3_size - 1
                subtopology_id_3 = data[pos:end].decode()
                pos = end
                partition_2, offset_2, count_10 = _unpack_iqu_b(data, pos)
                pos += 13
                unknown_tagged_fields_10: tuple[RawTaggedField, ...] = ()
                if count_10:
                    unknown_tagged_fields_10, pos = read_tags(data, pos - 1)
                task_end_offsets_list.append(
                    _TaskOffset(
                        subtopology_id=subtopology_id_3,
                        partition=partition_2,
                        offset=offset_2,
                        unknown_tagged_fields=unknown_tagged_fields_10,
                    )
                )
            task_end_offsets = tuple(task_end_offsets_list)
            (active_tasks_count,) = _unpack_u_b(data, pos)
            pos += 1
            if active_tasks_count > 127:
                active_tasks_count, pos = read_varint(data, pos - 1)
            active_tasks_count -= 1
            if not 0 <= active_tasks_count <= MAX_ELEMENTS:
                raise OddBytes
            active_tasks_list: list[_TaskIds] = []
            for _ in range(active_tasks_count):
                (subtopology_id_4_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_4_size > 127:
                    subtopology_id_4_size, pos = read_varint(data, pos - 1)
                if subtopology_id_4_size < 1 or subtopology_id_4_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_4_size - 1
                subtopology_id_4 = data[pos:end].decode()
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
                (count_11,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_11: tuple[RawTaggedField, ...] = ()
                if count_11:
                    unknown_tagged_fields_11, pos = read_tags(data, pos - 1)
                active_tasks_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_4,
                        partitions=partitions_3,
                        unknown_tagged_fields=unknown_tagged_fields_11,
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
                (subtopology_id_5_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_5_size > 127:
                    subtopology_id_5_size, pos = read_varint(data, pos - 1)
                if subtopology_id_5_size < 1 or subtopology_id_5_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_5_size - 1
                subtopology_id_5 = data[pos:end].decode()
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
                (count_12,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_12: tuple[RawTaggedField, ...] = ()
                if count_12:
                    unknown_tagged_fields_12, pos = read_tags(data, pos - 1)
                standby_tasks_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_5,
                        partitions=partitions_4,
                        unknown_tagged_fields=unknown_tagged_fields_12,
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
                (subtopology_id_6_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_6_size > 127:
                    subtopology_id_6_size, pos = read_varint(data, pos - 1)
                if subtopology_id_6_size < 1 or subtopology_id_6_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_6_size - 1
                subtopology_id_6 = data[pos:end].decode()
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
                (count_13,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_13: tuple[RawTaggedField, ...] = ()
                if count_13:
                    unknown_tagged_fields_13, pos = read_tags(data, pos - 1)
                warmup_tasks_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_6,
                        partitions=partitions_5,
                        unknown_tagged_fields=unknown_tagged_fields_13,
                    )
                )
            warmup_tasks = tuple(warmup_tasks_list)
            (count_14,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_14: tuple[RawTaggedField, ...] = ()
            if count_14:
                unknown_tagged_fields_14, pos = read_tags(data, pos - 1)
            assignment = _Assignment(
                active_tasks=active_tasks,
                standby_tasks=standby_tasks,
                warmup_tasks=warmup_tasks,
                unknown_tagged_fields=unknown_tagged_fields_14,
            )
            (active_tasks_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if active_tasks_2_count > 127:
                active_tasks_2_count, pos = read_varint(data, pos - 1)
            active_tasks_2_count -= 1
            if not 0 <= active_tasks_2_count <= MAX_ELEMENTS:
                raise OddBytes
            active_tasks_2_list: list[_TaskIds] = []
            for _ in range(active_tasks_2_count):
                (subtopology_id_7_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_7_size > 127:
                    subtopology_id_7_size, pos = read_varint(data, pos - 1)
                if subtopology_id_7_size < 1 or subtopology_id_7_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_7_size - 1
                subtopology_id_7 = data[pos:end].decode()
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
                (count_15,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_15: tuple[RawTaggedField, ...] = ()
                if count_15:
                    unknown_tagged_fields_15, pos = read_tags(data, pos - 1)
                active_tasks_2_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_7,
                        partitions=partitions_6,
                        unknown_tagged_fields=unknown_tagged_fields_15,
                    )
                )
            active_tasks_2 = tuple(active_tasks_2_list)
            (standby_tasks_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if standby_tasks_2_count > 127:
                standby_tasks_2_count, pos = read_varint(data, pos - 1)
            standby_tasks_2_count -= 1
            if not 0 <= standby_tasks_2_count <= MAX_ELEMENTS:
                raise OddBytes
            standby_tasks_2_list: list[_TaskIds] = []
            for _ in range(standby_tasks_2_count):
                (subtopology_id_8_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_8_size > 127:
                    subtopology_id_8_size, pos = read_varint(data, pos - 1)
                if subtopology_id_8_size < 1 or subtopology_id_8_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_8_size - 1
                subtopology_id_8 = data[pos:end].decode()
                pos = end
                (partitions_7_count,) = _unpack_u_b(data, pos)
                pos += 1
                if partitions_7_count > 127:
                    partitions_7_count, pos = read_varint(data, pos - 1)
                partitions_7_count -= 1
                partitions_7 = (
                    _few_numbers_i[partitions_7_count]
                    if 0 <= partitions_7_count < 256
                    else _numbers_i[partitions_7_count]
                )(data, pos)
                pos += partitions_7_count * 4
                (count_16,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_16: tuple[RawTaggedField, ...] = ()
                if count_16:
                    unknown_tagged_fields_16, pos = read_tags(data, pos - 1)
                standby_tasks_2_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_8,
                        partitions=partitions_7,
                        unknown_tagged_fields=unknown_tagged_fields_16,
                    )
                )
            standby_tasks_2 = tuple(standby_tasks_2_list)
            (warmup_tasks_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if warmup_tasks_2_count > 127:
                warmup_tasks_2_count, pos = read_varint(data, pos - 1)
            warmup_tasks_2_count -= 1
            if not 0 <= warmup_tasks_2_count <= MAX_ELEMENTS:
                raise OddBytes
            warmup_tasks_2_list: list[_TaskIds] = []
            for _ in range(warmup_tasks_2_count):
                (subtopology_id_9_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_9_size > 127:
                    subtopology_id_9_size, pos = read_varint(data, pos - 1)
                if subtopology_id_9_size < 1 or subtopology_id_9_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_9_size - 1
                subtopology_id_9 = data[pos:end].decode()
                pos = end
                (partitions_8_count,) = _unpack_u_b(data, pos)
                pos += 1
                if partitions_8_count > 127:
                    partitions_8_count, pos = read_varint(data, pos - 1)
                partitions_8_count -= 1
                partitions_8 = (
                    _few_numbers_i[partitions_8_count]
                    if 0 <= partitions_8_count < 256
                    else _numbers_i[partitions_8_count]
                )(data, pos)
                pos += partitions_8_count * 4
                (count_17,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_17: tuple[RawTaggedField, ...] = ()
                if count_17:
                    unknown_tagged_fields_17, pos = read_tags(data, pos - 1)
                warmup_tasks_2_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_9,
                        partitions=partitions_8,
                        unknown_tagged_fields=unknown_tagged_fields_17,
                    )
                )
            warmup_tasks_2 = tuple(warmup_tasks_2_list)
            (count_18,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_18: tuple[RawTaggedField, ...] = ()
            if count_18:
                unknown_tagged_fields_18, pos = read_tags(data, pos - 1)
            target_assignment = _Assignment(
                active_tasks=active_tasks_2,
                standby_tasks=standby_tasks_2,
                warmup_tasks=warmup_tasks_2,
                unknown_tagged_fields=unknown_tagged_fields_18,
            )
            is_classic, count_19 = _unpack_bool_u_b(data, pos)
            pos += 2
            unknown_tagged_fields_19: tuple[RawTaggedField, ...] = ()
            if count_19:
                unknown_tagged_fields_19, pos = read_tags(data, pos - 1)
            members_list.append(
                _Member(
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
                    unknown_tagged_fields=unknown_tagged_fields_19,
                )
            )
        members = tuple(members_list)
        authorized_operations, count_20 = _unpack_iu_b(data, pos)
        pos += 5
        unknown_tagged_fields_20: tuple[RawTaggedField, ...] = ()
        if count_20:
            unknown_tagged_fields_20, pos = read_tags(data, pos - 1)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                error_message=error_message,
                group_id=group_id,
                group_state=group_state,
                group_epoch=group_epoch,
                assignment_epoch=assignment_epoch,
                topology=topology,
                members=members,
                authorized_operations=authorized_operations,
                unknown_tagged_fields=unknown_tagged_fields_20,
            )
        )
    groups = tuple(groups_list)
    (count_21,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_21: tuple[RawTaggedField, ...] = ()
    if count_21:
        unknown_tagged_fields_21, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms,
        groups=groups,
        unknown_tagged_fields=unknown_tagged_fields_21,
    ), pos


def _write_v0(message: StreamsGroupDescribeResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(message.throttle_time_ms))
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if groups_item.topology_description is not None:
            raise OddValue
        if groups_item.topology_description_status != 0:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        add(_pack_h(groups_item.error_code))
        error_message = groups_item.error_message
        if error_message is None:
            add(b"\x00")
        else:
            error_message_raw = error_message.encode()
            if len(error_message_raw) > MAX_STRING:
                raise OddValue
            error_message_size = len(error_message_raw) + 1
            add(
                VARINT[error_message_size]
                if error_message_size < 128
                else varint(error_message_size)
            )
            add(error_message_raw)
        group_id_raw = groups_item.group_id.encode()
        if len(group_id_raw) > MAX_STRING:
            raise OddValue
        group_id_size = len(group_id_raw) + 1
        add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
        add(group_id_raw)
        group_state_raw = groups_item.group_state.encode()
        if len(group_state_raw) > MAX_STRING:
            raise OddValue
        group_state_size = len(group_state_raw) + 1
        add(VARINT[group_state_size] if group_state_size < 128 else varint(group_state_size))
        add(group_state_raw)
        if type(groups_item.group_epoch) is bool:
            raise OddValue
        if type(groups_item.assignment_epoch) is bool:
            raise OddValue
        add(_pack_ii(groups_item.group_epoch, groups_item.assignment_epoch))
        topology = groups_item.topology
        if topology is None:
            add(b"\xff")
        else:
            add(b"\1")
            if type(topology) is not _Topology:
                raise OddValue
            if type(topology.epoch) is bool:
                raise OddValue
            add(_pack_i(topology.epoch))
            subtopologies = topology.subtopologies
            if subtopologies is None:
                add(b"\x00")
            else:
                if type(subtopologies) is not tuple:
                    raise OddValue
                subtopologies_size = len(subtopologies) + 1
                add(
                    VARINT[subtopologies_size]
                    if subtopologies_size < 128
                    else varint(subtopologies_size)
                )
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
                        raw_3 = repartition_sink_topics_item.encode()
                        if len(raw_3) > MAX_STRING:
                            raise OddValue
                        repartition_sink_topics_size_2 = len(raw_3) + 1
                        add(
                            VARINT[repartition_sink_topics_size_2]
                            if repartition_sink_topics_size_2 < 128
                            else varint(repartition_sink_topics_size_2)
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
                            add(
                                VARINT[value_size_2] if value_size_2 < 128 else varint(value_size_2)
                            )
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
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        members_size = len(members) + 1
        add(VARINT[members_size] if members_size < 128 else varint(members_size))
        for members_item in members:
            if type(members_item) is not _Member:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            if len(member_id_raw) > MAX_STRING:
                raise OddValue
            member_id_size = len(member_id_raw) + 1
            add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
            add(member_id_raw)
            if type(members_item.member_epoch) is bool:
                raise OddValue
            add(_pack_i(members_item.member_epoch))
            instance_id = members_item.instance_id
            if instance_id is None:
                add(b"\x00")
            else:
                instance_id_raw = instance_id.encode()
                if len(instance_id_raw) > MAX_STRING:
                    raise OddValue
                instance_id_size = len(instance_id_raw) + 1
                add(
                    VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size)
                )
                add(instance_id_raw)
            rack_id = members_item.rack_id
            if rack_id is None:
                add(b"\x00")
            else:
                rack_id_raw = rack_id.encode()
                if len(rack_id_raw) > MAX_STRING:
                    raise OddValue
                rack_id_size = len(rack_id_raw) + 1
                add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
                add(rack_id_raw)
            client_id_raw = members_item.client_id.encode()
            if len(client_id_raw) > MAX_STRING:
                raise OddValue
            client_id_size = len(client_id_raw) + 1
            add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
            add(client_id_raw)
            client_host_raw = members_item.client_host.encode()
            if len(client_host_raw) > MAX_STRING:
                raise OddValue
            client_host_size = len(client_host_raw) + 1
            add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
            add(client_host_raw)
            if type(members_item.topology_epoch) is bool:
                raise OddValue
            process_id_raw = members_item.process_id.encode()
            add(_pack_i(members_item.topology_epoch))
            if len(process_id_raw) > MAX_STRING:
                raise OddValue
            process_id_size = len(process_id_raw) + 1
            add(VARINT[process_id_size] if process_id_size < 128 else varint(process_id_size))
            add(process_id_raw)
            user_endpoint = members_item.user_endpoint
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
            client_tags = members_item.client_tags
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
            task_offsets = members_item.task_offsets
            if type(task_offsets) is not tuple:
                raise OddValue
            task_offsets_size = len(task_offsets) + 1
            add(VARINT[task_offsets_size] if task_offsets_size < 128 else varint(task_offsets_size))
            for task_offsets_item in task_offsets:
                if type(task_offsets_item) is not _TaskOffset:
                    raise OddValue
                subtopology_id_raw_2 = task_offsets_item.subtopology_id.encode()
                if len(subtopology_id_raw_2) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_2 = len(subtopology_id_raw_2) + 1
                add(
                    VARINT[subtopology_id_size_2]
                    if subtopology_id_size_2 < 128
                    else varint(subtopology_id_size_2)
                )
                add(subtopology_id_raw_2)
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
            task_end_offsets = members_item.task_end_offsets
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
                subtopology_id_raw_3 = task_end_offsets_item.subtopology_id.encode()
                if len(subtopology_id_raw_3) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_3 = len(subtopology_id_raw_3) + 1
                add(
                    VARINT[subtopology_id_size_3]
                    if subtopology_id_size_3 < 128
                    else varint(subtopology_id_size_3)
                )
                add(subtopology_id_raw_3)
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
            assignment = members_item.assignment
            if type(assignment) is not _Assignment:
                raise OddValue
            active_tasks = assignment.active_tasks
            if type(active_tasks) is not tuple:
                raise OddValue
            active_tasks_size = len(active_tasks) + 1
            add(VARINT[active_tasks_size] if active_tasks_size < 128 else varint(active_tasks_size))
            for active_tasks_item in active_tasks:
                if type(active_tasks_item) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_4 = active_tasks_item.subtopology_id.encode()
                if len(subtopology_id_raw_4) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_4 = len(subtopology_id_raw_4) + 1
                add(
                    VARINT[subtopology_id_size_4]
                    if subtopology_id_size_4 < 128
                    else varint(subtopology_id_size_4)
                )
                add(subtopology_id_raw_4)
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
            standby_tasks = assignment.standby_tasks
            if type(standby_tasks) is not tuple:
                raise OddValue
            standby_tasks_size = len(standby_tasks) + 1
            add(
                VARINT[standby_tasks_size]
                if standby_tasks_size < 128
                else varint(standby_tasks_size)
            )
            for standby_tasks_item in standby_tasks:
                if type(standby_tasks_item) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_5 = standby_tasks_item.subtopology_id.encode()
                if len(subtopology_id_raw_5) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_5 = len(subtopology_id_raw_5) + 1
                add(
                    VARINT[subtopology_id_size_5]
                    if subtopology_id_size_5 < 128
                    else varint(subtopology_id_size_5)
                )
                add(subtopology_id_raw_5)
                partitions_2 = standby_tasks_item.partitions
                if type(partitions_2) is not tuple:
                    raise OddValue
                partitions_size_2 = len(partitions_2) + 1
                add(
                    VARINT[partitions_size_2]
                    if partitions_size_2 < 128
                    else varint(partitions_size_2)
                )
                add(_pack_numbers_i[len(partitions_2)](*partitions_2))
                add(
                    write_tags([], standby_tasks_item.unknown_tagged_fields, ())
                    if standby_tasks_item.unknown_tagged_fields
                    else b"\0"
                )
            warmup_tasks = assignment.warmup_tasks
            if type(warmup_tasks) is not tuple:
                raise OddValue
            warmup_tasks_size = len(warmup_tasks) + 1
            add(VARINT[warmup_tasks_size] if warmup_tasks_size < 128 else varint(warmup_tasks_size))
            for warmup_tasks_item in warmup_tasks:
                if type(warmup_tasks_item) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_6 = warmup_tasks_item.subtopology_id.encode()
                if len(subtopology_id_raw_6) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_6 = len(subtopology_id_raw_6) + 1
                add(
                    VARINT[subtopology_id_size_6]
                    if subtopology_id_size_6 < 128
                    else varint(subtopology_id_size_6)
                )
                add(subtopology_id_raw_6)
                partitions_3 = warmup_tasks_item.partitions
                if type(partitions_3) is not tuple:
                    raise OddValue
                partitions_size_3 = len(partitions_3) + 1
                add(
                    VARINT[partitions_size_3]
                    if partitions_size_3 < 128
                    else varint(partitions_size_3)
                )
                add(_pack_numbers_i[len(partitions_3)](*partitions_3))
                add(
                    write_tags([], warmup_tasks_item.unknown_tagged_fields, ())
                    if warmup_tasks_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], assignment.unknown_tagged_fields, ())
                if assignment.unknown_tagged_fields
                else b"\0"
            )
            target_assignment = members_item.target_assignment
            if type(target_assignment) is not _Assignment:
                raise OddValue
            active_tasks_2 = target_assignment.active_tasks
            if type(active_tasks_2) is not tuple:
                raise OddValue
            active_tasks_size_2 = len(active_tasks_2) + 1
            add(
                VARINT[active_tasks_size_2]
                if active_tasks_size_2 < 128
                else varint(active_tasks_size_2)
            )
            for active_tasks_item_2 in active_tasks_2:
                if type(active_tasks_item_2) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_7 = active_tasks_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_7) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_7 = len(subtopology_id_raw_7) + 1
                add(
                    VARINT[subtopology_id_size_7]
                    if subtopology_id_size_7 < 128
                    else varint(subtopology_id_size_7)
                )
                add(subtopology_id_raw_7)
                partitions_4 = active_tasks_item_2.partitions
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
                    write_tags([], active_tasks_item_2.unknown_tagged_fields, ())
                    if active_tasks_item_2.unknown_tagged_fields
                    else b"\0"
                )
            standby_tasks_2 = target_assignment.standby_tasks
            if type(standby_tasks_2) is not tuple:
                raise OddValue
            standby_tasks_size_2 = len(standby_tasks_2) + 1
            add(
                VARINT[standby_tasks_size_2]
                if standby_tasks_size_2 < 128
                else varint(standby_tasks_size_2)
            )
            for standby_tasks_item_2 in standby_tasks_2:
                if type(standby_tasks_item_2) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_8 = standby_tasks_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_8) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_8 = len(subtopology_id_raw_8) + 1
                add(
                    VARINT[subtopology_id_size_8]
                    if subtopology_id_size_8 < 128
                    else varint(subtopology_id_size_8)
                )
                add(subtopology_id_raw_8)
                partitions_5 = standby_tasks_item_2.partitions
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
                    write_tags([], standby_tasks_item_2.unknown_tagged_fields, ())
                    if standby_tasks_item_2.unknown_tagged_fields
                    else b"\0"
                )
            warmup_tasks_2 = target_assignment.warmup_tasks
            if type(warmup_tasks_2) is not tuple:
                raise OddValue
            warmup_tasks_size_2 = len(warmup_tasks_2) + 1
            add(
                VARINT[warmup_tasks_size_2]
                if warmup_tasks_size_2 < 128
                else varint(warmup_tasks_size_2)
            )
            for warmup_tasks_item_2 in warmup_tasks_2:
                if type(warmup_tasks_item_2) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_9 = warmup_tasks_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_9) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_9 = len(subtopology_id_raw_9) + 1
                add(
                    VARINT[subtopology_id_size_9]
                    if subtopology_id_size_9 < 128
                    else varint(subtopology_id_size_9)
                )
                add(subtopology_id_raw_9)
                partitions_6 = warmup_tasks_item_2.partitions
                if type(partitions_6) is not tuple:
                    raise OddValue
                partitions_size_6 = len(partitions_6) + 1
                add(
                    VARINT[partitions_size_6]
                    if partitions_size_6 < 128
                    else varint(partitions_size_6)
                )
                add(_pack_numbers_i[len(partitions_6)](*partitions_6))
                add(
                    write_tags([], warmup_tasks_item_2.unknown_tagged_fields, ())
                    if warmup_tasks_item_2.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], target_assignment.unknown_tagged_fields, ())
                if target_assignment.unknown_tagged_fields
                else b"\0"
            )
            add(_pack_b(truth(members_item.is_classic)))
            add(
                write_tags([], members_item.unknown_tagged_fields, ())
                if members_item.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        add(
            write_tags([], groups_item.unknown_tagged_fields, ())
            if groups_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v1(data: bytes, pos: int) -> tuple[StreamsGroupDescribeResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_b(data, pos)
    pos += 5
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hu_b(data, pos)
        pos += 3
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
        (group_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_id_size > 127:
            group_id_size, pos = read_varint(data, pos - 1)
        if group_id_size < 1 or group_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_id_size - 1
        group_id = data[pos:end].decode()
        pos = end
        (group_state_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_state_size > 127:
            group_state_size, pos = read_varint(data, pos - 1)
        if group_state_size < 1 or group_state_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_state_size - 1
        group_state = data[pos:end].decode()
        pos = end
        group_epoch, assignment_epoch, topology_present = _unpack_iib(data, pos)
        pos += 9
        if topology_present < 0:
            topology = None
        else:
            epoch, subtopologies_count = _unpack_iu_b(data, pos)
            pos += 5
            if subtopologies_count > 127:
                subtopologies_count, pos = read_varint(data, pos - 1)
            if subtopologies_count < 1:
                subtopologies = None
            else:
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
                        partitions, replication_factor, topic_configs_count = _unpack_ihu_b(
                            data, pos
                        )
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
                                _KeyValue(
                                    key=key,
                                    value=value,
                                    unknown_tagged_fields=unknown_tagged_fields,
                                )
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
                        partitions_2, replication_factor_2, topic_configs_2_count = _unpack_ihu_b(
                            data, pos
                        )
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
                                    key=key_2,
                                    value=value_2,
                                    unknown_tagged_fields=unknown_tagged_fields_3,
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
                    (count_5,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
                    if count_5:
                        unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
                    subtopologies_list.append(
                        _Subtopology(
                            subtopology_id=subtopology_id,
                            source_topics=source_topics,
                            repartition_sink_topics=repartition_sink_topics,
                            state_changelog_topics=state_changelog_topics,
                            repartition_source_topics=repartition_source_topics,
                            unknown_tagged_fields=unknown_tagged_fields_5,
                        )
                    )
                subtopologies = tuple(subtopologies_list)
            (count_6,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
            if count_6:
                unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
            topology = _Topology(
                epoch=epoch,
                subtopologies=subtopologies,
                unknown_tagged_fields=unknown_tagged_fields_6,
            )
        (members_count,) = _unpack_u_b(data, pos)
        pos += 1
        if members_count > 127:
            members_count, pos = read_varint(data, pos - 1)
        members_count -= 1
        if not 0 <= members_count <= MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_Member] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_id_size > 127:
                member_id_size, pos = read_varint(data, pos - 1)
            if member_id_size < 1 or member_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + member_id_size - 1
            member_id = data[pos:end].decode()
            pos = end
            member_epoch, instance_id_size = _unpack_iu_b(data, pos)
            pos += 5
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
            (client_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_id_size > 127:
                client_id_size, pos = read_varint(data, pos - 1)
            if client_id_size < 1 or client_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_id_size - 1
            client_id = data[pos:end].decode()
            pos = end
            (client_host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_host_size > 127:
                client_host_size, pos = read_varint(data, pos - 1)
            if client_host_size < 1 or client_host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_host_size - 1
            client_host = data[pos:end].decode()
            pos = end
            topology_epoch, process_id_size = _unpack_iu_b(data, pos)
            pos += 5
            if process_id_size > 127:
                process_id_size, pos = read_varint(data, pos - 1)
            if process_id_size < 1 or process_id_size > MAX_STRING + 1:
                raise OddBytes
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
                port, count_7 = _unpack_u_hu_b(data, pos)
                pos += 3
                unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
                if count_7:
                    unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
                user_endpoint = _Endpoint(
                    host=host, port=port, unknown_tagged_fields=unknown_tagged_fields_7
                )
            (client_tags_count,) = _unpack_u_b(data, pos)
            pos += 1
            if client_tags_count > 127:
                client_tags_count, pos = read_varint(data, pos - 1)
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
                (count_8,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_8: tuple[RawTaggedField, ...] = ()
                if count_8:
                    unknown_tagged_fields_8, pos = read_tags(data, pos - 1)
                client_tags_list.append(
                    _KeyValue(
                        key=key_3, value=value_3, unknown_tagged_fields=unknown_tagged_fields_8
                    )
                )
            client_tags = tuple(client_tags_list)
            (task_offsets_count,) = _unpack_u_b(data, pos)
            pos += 1
            if task_offsets_count > 127:
                task_offsets_count, pos = read_varint(data, pos - 1)
            task_offsets_count -= 1
            if not 0 <= task_offsets_count <= MAX_ELEMENTS:
                raise OddBytes
            task_offsets_list: list[_TaskOffset] = []
            for _ in range(task_offsets_count):
                (subtopology_id_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_2_size > 127:
                    subtopology_id_2_size, pos = read_varint(data, pos - 1)
                if subtopology_id_2_size < 1 or subtopology_id_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_2_size - 1
                subtopology_id_2 = data[pos:end].decode()
                pos = end
                partition, offset, count_9 = _unpack_iqu_b(data, pos)
                pos += 13
                unknown_tagged_fields_9: tuple[RawTaggedField, ...] = ()
                if count_9:
                    unknown_tagged_fields_9, pos = read_tags(data, pos - 1)
                task_offsets_list.append(
                    _TaskOffset(
                        subtopology_id=subtopology_id_2,
                        partition=partition,
                        offset=offset,
                        unknown_tagged_fields=unknown_tagged_fields_9,
                    )
                )
            task_offsets = tuple(task_offsets_list)
            (task_end_offsets_count,) = _unpack_u_b(data, pos)
            pos += 1
            if task_end_offsets_count > 127:
                task_end_offsets_count, pos = read_varint(data, pos - 1)
            task_end_offsets_count -= 1
            if not 0 <= task_end_offsets_count <= MAX_ELEMENTS:
                raise OddBytes
            task_end_offsets_list: list[_TaskOffset] = []
            for _ in range(task_end_offsets_count):
                (subtopology_id_3_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_3_size > 127:
                    subtopology_id_3_size, pos = read_varint(data, pos - 1)
                if subtopology_id_3_size < 1 or subtopology_id_3_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_3_size - 1
                subtopology_id_3 = data[pos:end].decode()
                pos = end
                partition_2, offset_2, count_10 = _unpack_iqu_b(data, pos)
                pos += 13
                unknown_tagged_fields_10: tuple[RawTaggedField, ...] = ()
                if count_10:
                    unknown_tagged_fields_10, pos = read_tags(data, pos - 1)
                task_end_offsets_list.append(
                    _TaskOffset(
                        subtopology_id=subtopology_id_3,
                        partition=partition_2,
                        offset=offset_2,
                        unknown_tagged_fields=unknown_tagged_fields_10,
                    )
                )
            task_end_offsets = tuple(task_end_offsets_list)
            (active_tasks_count,) = _unpack_u_b(data, pos)
            pos += 1
            if active_tasks_count > 127:
                active_tasks_count, pos = read_varint(data, pos - 1)
            active_tasks_count -= 1
            if not 0 <= active_tasks_count <= MAX_ELEMENTS:
                raise OddBytes
            active_tasks_list: list[_TaskIds] = []
            for _ in range(active_tasks_count):
                (subtopology_id_4_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_4_size > 127:
                    subtopology_id_4_size, pos = read_varint(data, pos - 1)
                if subtopology_id_4_size < 1 or subtopology_id_4_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_4_size - 1
                subtopology_id_4 = data[pos:end].decode()
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
                (count_11,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_11: tuple[RawTaggedField, ...] = ()
                if count_11:
                    unknown_tagged_fields_11, pos = read_tags(data, pos - 1)
                active_tasks_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_4,
                        partitions=partitions_3,
                        unknown_tagged_fields=unknown_tagged_fields_11,
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
                (subtopology_id_5_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_5_size > 127:
                    subtopology_id_5_size, pos = read_varint(data, pos - 1)
                if subtopology_id_5_size < 1 or subtopology_id_5_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_5_size - 1
                subtopology_id_5 = data[pos:end].decode()
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
                (count_12,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_12: tuple[RawTaggedField, ...] = ()
                if count_12:
                    unknown_tagged_fields_12, pos = read_tags(data, pos - 1)
                standby_tasks_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_5,
                        partitions=partitions_4,
                        unknown_tagged_fields=unknown_tagged_fields_12,
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
                (subtopology_id_6_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_6_size > 127:
                    subtopology_id_6_size, pos = read_varint(data, pos - 1)
                if subtopology_id_6_size < 1 or subtopology_id_6_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_6_size - 1
                subtopology_id_6 = data[pos:end].decode()
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
                (count_13,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_13: tuple[RawTaggedField, ...] = ()
                if count_13:
                    unknown_tagged_fields_13, pos = read_tags(data, pos - 1)
                warmup_tasks_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_6,
                        partitions=partitions_5,
                        unknown_tagged_fields=unknown_tagged_fields_13,
                    )
                )
            warmup_tasks = tuple(warmup_tasks_list)
            (count_14,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_14: tuple[RawTaggedField, ...] = ()
            if count_14:
                unknown_tagged_fields_14, pos = read_tags(data, pos - 1)
            assignment = _Assignment(
                active_tasks=active_tasks,
                standby_tasks=standby_tasks,
                warmup_tasks=warmup_tasks,
                unknown_tagged_fields=unknown_tagged_fields_14,
            )
            (active_tasks_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if active_tasks_2_count > 127:
                active_tasks_2_count, pos = read_varint(data, pos - 1)
            active_tasks_2_count -= 1
            if not 0 <= active_tasks_2_count <= MAX_ELEMENTS:
                raise OddBytes
            active_tasks_2_list: list[_TaskIds] = []
            for _ in range(active_tasks_2_count):
                (subtopology_id_7_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_7_size > 127:
                    subtopology_id_7_size, pos = read_varint(data, pos - 1)
                if subtopology_id_7_size < 1 or subtopology_id_7_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_7_size - 1
                subtopology_id_7 = data[pos:end].decode()
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
                (count_15,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_15: tuple[RawTaggedField, ...] = ()
                if count_15:
                    unknown_tagged_fields_15, pos = read_tags(data, pos - 1)
                active_tasks_2_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_7,
                        partitions=partitions_6,
                        unknown_tagged_fields=unknown_tagged_fields_15,
                    )
                )
            active_tasks_2 = tuple(active_tasks_2_list)
            (standby_tasks_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if standby_tasks_2_count > 127:
                standby_tasks_2_count, pos = read_varint(data, pos - 1)
            standby_tasks_2_count -= 1
            if not 0 <= standby_tasks_2_count <= MAX_ELEMENTS:
                raise OddBytes
            standby_tasks_2_list: list[_TaskIds] = []
            for _ in range(standby_tasks_2_count):
                (subtopology_id_8_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_8_size > 127:
                    subtopology_id_8_size, pos = read_varint(data, pos - 1)
                if subtopology_id_8_size < 1 or subtopology_id_8_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_8_size - 1
                subtopology_id_8 = data[pos:end].decode()
                pos = end
                (partitions_7_count,) = _unpack_u_b(data, pos)
                pos += 1
                if partitions_7_count > 127:
                    partitions_7_count, pos = read_varint(data, pos - 1)
                partitions_7_count -= 1
                partitions_7 = (
                    _few_numbers_i[partitions_7_count]
                    if 0 <= partitions_7_count < 256
                    else _numbers_i[partitions_7_count]
                )(data, pos)
                pos += partitions_7_count * 4
                (count_16,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_16: tuple[RawTaggedField, ...] = ()
                if count_16:
                    unknown_tagged_fields_16, pos = read_tags(data, pos - 1)
                standby_tasks_2_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_8,
                        partitions=partitions_7,
                        unknown_tagged_fields=unknown_tagged_fields_16,
                    )
                )
            standby_tasks_2 = tuple(standby_tasks_2_list)
            (warmup_tasks_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if warmup_tasks_2_count > 127:
                warmup_tasks_2_count, pos = read_varint(data, pos - 1)
            warmup_tasks_2_count -= 1
            if not 0 <= warmup_tasks_2_count <= MAX_ELEMENTS:
                raise OddBytes
            warmup_tasks_2_list: list[_TaskIds] = []
            for _ in range(warmup_tasks_2_count):
                (subtopology_id_9_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_9_size > 127:
                    subtopology_id_9_size, pos = read_varint(data, pos - 1)
                if subtopology_id_9_size < 1 or subtopology_id_9_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_9_size - 1
                subtopology_id_9 = data[pos:end].decode()
                pos = end
                (partitions_8_count,) = _unpack_u_b(data, pos)
                pos += 1
                if partitions_8_count > 127:
                    partitions_8_count, pos = read_varint(data, pos - 1)
                partitions_8_count -= 1
                partitions_8 = (
                    _few_numbers_i[partitions_8_count]
                    if 0 <= partitions_8_count < 256
                    else _numbers_i[partitions_8_count]
                )(data, pos)
                pos += partitions_8_count * 4
                (count_17,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_17: tuple[RawTaggedField, ...] = ()
                if count_17:
                    unknown_tagged_fields_17, pos = read_tags(data, pos - 1)
                warmup_tasks_2_list.append(
                    _TaskIds(
                        subtopology_id=subtopology_id_9,
                        partitions=partitions_8,
                        unknown_tagged_fields=unknown_tagged_fields_17,
                    )
                )
            warmup_tasks_2 = tuple(warmup_tasks_2_list)
            (count_18,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_18: tuple[RawTaggedField, ...] = ()
            if count_18:
                unknown_tagged_fields_18, pos = read_tags(data, pos - 1)
            target_assignment = _Assignment(
                active_tasks=active_tasks_2,
                standby_tasks=standby_tasks_2,
                warmup_tasks=warmup_tasks_2,
                unknown_tagged_fields=unknown_tagged_fields_18,
            )
            is_classic, count_19 = _unpack_bool_u_b(data, pos)
            pos += 2
            unknown_tagged_fields_19: tuple[RawTaggedField, ...] = ()
            if count_19:
                unknown_tagged_fields_19, pos = read_tags(data, pos - 1)
            members_list.append(
                _Member(
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
                    unknown_tagged_fields=unknown_tagged_fields_19,
                )
            )
        members = tuple(members_list)
        authorized_operations, topology_description_present = _unpack_ib(data, pos)
        pos += 5
        if topology_description_present < 0:
            topology_description = None
        else:
            (subtopologies_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if subtopologies_2_count > 127:
                subtopologies_2_count, pos = read_varint(data, pos - 1)
            subtopologies_2_count -= 1
            if not 0 <= subtopologies_2_count <= MAX_ELEMENTS:
                raise OddBytes
            subtopologies_2_list: list[_TopologyDescriptionSubtopology] = []
            for _ in range(subtopologies_2_count):
                (subtopology_id_10_size,) = _unpack_u_b(data, pos)
                pos += 1
                if subtopology_id_10_size > 127:
                    subtopology_id_10_size, pos = read_varint(data, pos - 1)
                if subtopology_id_10_size < 1 or subtopology_id_10_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + subtopology_id_10_size - 1
                subtopology_id_10 = data[pos:end].decode()
                pos = end
                (nodes_count,) = _unpack_u_b(data, pos)
                pos += 1
                if nodes_count > 127:
                    nodes_count, pos = read_varint(data, pos - 1)
                nodes_count -= 1
                if not 0 <= nodes_count <= MAX_ELEMENTS:
                    raise OddBytes
                nodes_list: list[_TopologyDescriptionNode] = []
                for _ in range(nodes_count):
                    (name_3_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if name_3_size > 127:
                        name_3_size, pos = read_varint(data, pos - 1)
                    if name_3_size < 1 or name_3_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + name_3_size - 1
                    name_3 = data[pos:end].decode()
                    pos = end
                    node_type, source_topics_2_count = _unpack_bu_b(data, pos)
                    pos += 2
                    if source_topics_2_count > 127:
                        source_topics_2_count, pos = read_varint(data, pos - 1)
                    source_topics_2_count -= 1
                    if not 0 <= source_topics_2_count <= MAX_ELEMENTS:
                        raise OddBytes
                    source_topics_2_list: list[str] = []
                    for _ in range(source_topics_2_count):
                        (source_topics_2_item_size,) = _unpack_u_b(data, pos)
                        pos += 1
                        if source_topics_2_item_size > 127:
                            source_topics_2_item_size, pos = read_varint(data, pos - 1)
                        if (
                            source_topics_2_item_size < 1
                            or source_topics_2_item_size > MAX_STRING + 1
                        ):
                            raise OddBytes
                        end = pos + source_topics_2_item_size - 1
                        source_topics_2_list.append(data[pos:end].decode())
                        pos = end
                    source_topics_2 = tuple(source_topics_2_list)
                    (sink_topic_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if sink_topic_size > 127:
                        sink_topic_size, pos = read_varint(data, pos - 1)
                    if sink_topic_size < 1:
                        sink_topic = None
                    elif sink_topic_size > MAX_STRING + 1:
                        raise OddBytes
                    else:
                        end = pos + sink_topic_size - 1
                        sink_topic = data[pos:end].decode()
                        pos = end
                    (stores_count,) = _unpack_u_b(data, pos)
                    pos += 1
                    if stores_count > 127:
                        stores_count, pos = read_varint(data, pos - 1)
                    stores_count -= 1
                    if not 0 <= stores_count <= MAX_ELEMENTS:
                        raise OddBytes
                    stores_list: list[str] = []
                    for _ in range(stores_count):
                        (stores_item_size,) = _unpack_u_b(data, pos)
                        pos += 1
                        if stores_item_size > 127:
                            stores_item_size, pos = read_varint(data, pos - 1)
                        if stores_item_size < 1 or stores_item_size > MAX_STRING + 1:
                            raise OddBytes
                        end = pos + stores_item_size - 1
                        stores_list.append(data[pos:end].decode())
                        pos = end
                    stores = tuple(stores_list)
                    (successors_count,) = _unpack_u_b(data, pos)
                    pos += 1
                    if successors_count > 127:
                        successors_count, pos = read_varint(data, pos - 1)
                    successors_count -= 1
                    if not 0 <= successors_count <= MAX_ELEMENTS:
                        raise OddBytes
                    successors_list: list[str] = []
                    for _ in range(successors_count):
                        (successors_item_size,) = _unpack_u_b(data, pos)
                        pos += 1
                        if successors_item_size > 127:
                            successors_item_size, pos = read_varint(data, pos - 1)
                        if successors_item_size < 1 or successors_item_size > MAX_STRING + 1:
                            raise OddBytes
                        end = pos + successors_item_size - 1
                        successors_list.append(data[pos:end].decode())
                        pos = end
                    successors = tuple(successors_list)
                    (count_20,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields_20: tuple[RawTaggedField, ...] = ()
                    if count_20:
                        unknown_tagged_fields_20, pos = read_tags(data, pos - 1)
                    nodes_list.append(
                        _TopologyDescriptionNode(
                            name=name_3,
                            node_type=node_type,
                            source_topics=source_topics_2,
                            sink_topic=sink_topic,
                            stores=stores,
                            successors=successors,
                            unknown_tagged_fields=unknown_tagged_fields_20,
                        )
                    )
                nodes = tuple(nodes_list)
                (count_21,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_21: tuple[RawTaggedField, ...] = ()
                if count_21:
                    unknown_tagged_fields_21, pos = read_tags(data, pos - 1)
                subtopologies_2_list.append(
                    _TopologyDescriptionSubtopology(
                        subtopology_id=subtopology_id_10,
                        nodes=nodes,
                        unknown_tagged_fields=unknown_tagged_fields_21,
                    )
                )
            subtopologies_2 = tuple(subtopologies_2_list)
            (global_stores_count,) = _unpack_u_b(data, pos)
            pos += 1
            if global_stores_count > 127:
                global_stores_count, pos = read_varint(data, pos - 1)
            global_stores_count -= 1
            if not 0 <= global_stores_count <= MAX_ELEMENTS:
                raise OddBytes
            global_stores_list: list[_TopologyDescriptionGlobalStore] = []
            for _ in range(global_stores_count):
                (name_4_size,) = _unpack_u_b(data, pos)
                pos += 1
                if name_4_size > 127:
                    name_4_size, pos = read_varint(data, pos - 1)
                if name_4_size < 1 or name_4_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + name_4_size - 1
                name_4 = data[pos:end].decode()
                pos = end
                node_type_2, source_topics_3_count = _unpack_bu_b(data, pos)
                pos += 2
                if source_topics_3_count > 127:
                    source_topics_3_count, pos = read_varint(data, pos - 1)
                source_topics_3_count -= 1
                if not 0 <= source_topics_3_count <= MAX_ELEMENTS:
                    raise OddBytes
                source_topics_3_list: list[str] = []
                for _ in range(source_topics_3_count):
                    (source_topics_3_item_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if source_topics_3_item_size > 127:
                        source_topics_3_item_size, pos = read_varint(data, pos - 1)
                    if source_topics_3_item_size < 1 or source_topics_3_item_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + source_topics_3_item_size - 1
                    source_topics_3_list.append(data[pos:end].decode())
                    pos = end
                source_topics_3 = tuple(source_topics_3_list)
                (sink_topic_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if sink_topic_2_size > 127:
                    sink_topic_2_size, pos = read_varint(data, pos - 1)
                if sink_topic_2_size < 1:
                    sink_topic_2 = None
                elif sink_topic_2_size > MAX_STRING + 1:
                    raise OddBytes
                else:
                    end = pos + sink_topic_2_size - 1
                    sink_topic_2 = data[pos:end].decode()
                    pos = end
                (stores_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if stores_2_count > 127:
                    stores_2_count, pos = read_varint(data, pos - 1)
                stores_2_count -= 1
                if not 0 <= stores_2_count <= MAX_ELEMENTS:
                    raise OddBytes
                stores_2_list: list[str] = []
                for _ in range(stores_2_count):
                    (stores_2_item_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if stores_2_item_size > 127:
                        stores_2_item_size, pos = read_varint(data, pos - 1)
                    if stores_2_item_size < 1 or stores_2_item_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + stores_2_item_size - 1
                    stores_2_list.append(data[pos:end].decode())
                    pos = end
                stores_2 = tuple(stores_2_list)
                (successors_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if successors_2_count > 127:
                    successors_2_count, pos = read_varint(data, pos - 1)
                successors_2_count -= 1
                if not 0 <= successors_2_count <= MAX_ELEMENTS:
                    raise OddBytes
                successors_2_list: list[str] = []
                for _ in range(successors_2_count):
                    (successors_2_item_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if successors_2_item_size > 127:
                        successors_2_item_size, pos = read_varint(data, pos - 1)
                    if successors_2_item_size < 1 or successors_2_item_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + successors_2_item_size - 1
                    successors_2_list.append(data[pos:end].decode())
                    pos = end
                successors_2 = tuple(successors_2_list)
                (count_22,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_22: tuple[RawTaggedField, ...] = ()
                if count_22:
                    unknown_tagged_fields_22, pos = read_tags(data, pos - 1)
                source = _TopologyDescriptionNode(
                    name=name_4,
                    node_type=node_type_2,
                    source_topics=source_topics_3,
                    sink_topic=sink_topic_2,
                    stores=stores_2,
                    successors=successors_2,
                    unknown_tagged_fields=unknown_tagged_fields_22,
                )
                (name_5_size,) = _unpack_u_b(data, pos)
                pos += 1
                if name_5_size > 127:
                    name_5_size, pos = read_varint(data, pos - 1)
                if name_5_size < 1 or name_5_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + name_5_size - 1
                name_5 = data[pos:end].decode()
                pos = end
                node_type_3, source_topics_4_count = _unpack_bu_b(data, pos)
                pos += 2
                if source_topics_4_count > 127:
                    source_topics_4_count, pos = read_varint(data, pos - 1)
                source_topics_4_count -= 1
                if not 0 <= source_topics_4_count <= MAX_ELEMENTS:
                    raise OddBytes
                source_topics_4_list: list[str] = []
                for _ in range(source_topics_4_count):
                    (source_topics_4_item_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if source_topics_4_item_size > 127:
                        source_topics_4_item_size, pos = read_varint(data, pos - 1)
                    if source_topics_4_item_size < 1 or source_topics_4_item_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + source_topics_4_item_size - 1
                    source_topics_4_list.append(data[pos:end].decode())
                    pos = end
                source_topics_4 = tuple(source_topics_4_list)
                (sink_topic_3_size,) = _unpack_u_b(data, pos)
                pos += 1
                if sink_topic_3_size > 127:
                    sink_topic_3_size, pos = read_varint(data, pos - 1)
                if sink_topic_3_size < 1:
                    sink_topic_3 = None
                elif sink_topic_3_size > MAX_STRING + 1:
                    raise OddBytes
                else:
                    end = pos + sink_topic_3_size - 1
                    sink_topic_3 = data[pos:end].decode()
                    pos = end
                (stores_3_count,) = _unpack_u_b(data, pos)
                pos += 1
                if stores_3_count > 127:
                    stores_3_count, pos = read_varint(data, pos - 1)
                stores_3_count -= 1
                if not 0 <= stores_3_count <= MAX_ELEMENTS:
                    raise OddBytes
                stores_3_list: list[str] = []
                for _ in range(stores_3_count):
                    (stores_3_item_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if stores_3_item_size > 127:
                        stores_3_item_size, pos = read_varint(data, pos - 1)
                    if stores_3_item_size < 1 or stores_3_item_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + stores_3_item_size - 1
                    stores_3_list.append(data[pos:end].decode())
                    pos = end
                stores_3 = tuple(stores_3_list)
                (successors_3_count,) = _unpack_u_b(data, pos)
                pos += 1
                if successors_3_count > 127:
                    successors_3_count, pos = read_varint(data, pos - 1)
                successors_3_count -= 1
                if not 0 <= successors_3_count <= MAX_ELEMENTS:
                    raise OddBytes
                successors_3_list: list[str] = []
                for _ in range(successors_3_count):
                    (successors_3_item_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if successors_3_item_size > 127:
                        successors_3_item_size, pos = read_varint(data, pos - 1)
                    if successors_3_item_size < 1 or successors_3_item_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + successors_3_item_size - 1
                    successors_3_list.append(data[pos:end].decode())
                    pos = end
                successors_3 = tuple(successors_3_list)
                (count_23,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_23: tuple[RawTaggedField, ...] = ()
                if count_23:
                    unknown_tagged_fields_23, pos = read_tags(data, pos - 1)
                processor = _TopologyDescriptionNode(
                    name=name_5,
                    node_type=node_type_3,
                    source_topics=source_topics_4,
                    sink_topic=sink_topic_3,
                    stores=stores_3,
                    successors=successors_3,
                    unknown_tagged_fields=unknown_tagged_fields_23,
                )
                (count_24,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_24: tuple[RawTaggedField, ...] = ()
                if count_24:
                    unknown_tagged_fields_24, pos = read_tags(data, pos - 1)
                global_stores_list.append(
                    _TopologyDescriptionGlobalStore(
                        source=source,
                        processor=processor,
                        unknown_tagged_fields=unknown_tagged_fields_24,
                    )
                )
            global_stores = tuple(global_stores_list)
            (count_25,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_25: tuple[RawTaggedField, ...] = ()
            if count_25:
                unknown_tagged_fields_25, pos = read_tags(data, pos - 1)
            topology_description = _TopologyDescription(
                subtopologies=subtopologies_2,
                global_stores=global_stores,
                unknown_tagged_fields=unknown_tagged_fields_25,
            )
        topology_description_status, assignor_name_size = _unpack_bu_b(data, pos)
        pos += 2
        if assignor_name_size > 127:
            assignor_name_size, pos = read_varint(data, pos - 1)
        if assignor_name_size < 1:
            assignor_name = None
        elif assignor_name_size > MAX_STRING + 1:
            raise OddBytes
        else:
            end = pos + assignor_name_size - 1
            assignor_name = data[pos:end].decode()
            pos = end
        (count_26,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_26: tuple[RawTaggedField, ...] = ()
        if count_26:
            unknown_tagged_fields_26, pos = read_tags(data, pos - 1)
        groups_list.append(
            _DescribedGroup(
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
                unknown_tagged_fields=unknown_tagged_fields_26,
            )
        )
    groups = tuple(groups_list)
    (count_27,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_27: tuple[RawTaggedField, ...] = ()
    if count_27:
        unknown_tagged_fields_27, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms,
        groups=groups,
        unknown_tagged_fields=unknown_tagged_fields_27,
    ), pos


def _write_v1(message: StreamsGroupDescribeResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(message.throttle_time_ms))
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        add(_pack_h(groups_item.error_code))
        error_message = groups_item.error_message
        if error_message is None:
            add(b"\x00")
        else:
            error_message_raw = error_message.encode()
            if len(error_message_raw) > MAX_STRING:
                raise OddValue
            error_message_size = len(error_message_raw) + 1
            add(
                VARINT[error_message_size]
                if error_message_size < 128
                else varint(error_message_size)
            )
            add(error_message_raw)
        group_id_raw = groups_item.group_id.encode()
        if len(group_id_raw) > MAX_STRING:
            raise OddValue
        group_id_size = len(group_id_raw) + 1
        add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
        add(group_id_raw)
        group_state_raw = groups_item.group_state.encode()
        if len(group_state_raw) > MAX_STRING:
            raise OddValue
        group_state_size = len(group_state_raw) + 1
        add(VARINT[group_state_size] if group_state_size < 128 else varint(group_state_size))
        add(group_state_raw)
        if type(groups_item.group_epoch) is bool:
            raise OddValue
        if type(groups_item.assignment_epoch) is bool:
            raise OddValue
        add(_pack_ii(groups_item.group_epoch, groups_item.assignment_epoch))
        topology = groups_item.topology
        if topology is None:
            add(b"\xff")
        else:
            add(b"\1")
            if type(topology) is not _Topology:
                raise OddValue
            if type(topology.epoch) is bool:
                raise OddValue
            add(_pack_i(topology.epoch))
            subtopologies = topology.subtopologies
            if subtopologies is None:
                add(b"\x00")
            else:
                if type(subtopologies) is not tuple:
                    raise OddValue
                subtopologies_size = len(subtopologies) + 1
                add(
                    VARINT[subtopologies_size]
                    if subtopologies_size < 128
                    else varint(subtopologies_size)
                )
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
                        raw_3 = repartition_sink_topics_item.encode()
                        if len(raw_3) > MAX_STRING:
                            raise OddValue
                        repartition_sink_topics_size_2 = len(raw_3) + 1
                        add(
                            VARINT[repartition_sink_topics_size_2]
                            if repartition_sink_topics_size_2 < 128
                            else varint(repartition_sink_topics_size_2)
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
                            add(
                                VARINT[value_size_2] if value_size_2 < 128 else varint(value_size_2)
                            )
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
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        members_size = len(members) + 1
        add(VARINT[members_size] if members_size < 128 else varint(members_size))
        for members_item in members:
            if type(members_item) is not _Member:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            if len(member_id_raw) > MAX_STRING:
                raise OddValue
            member_id_size = len(member_id_raw) + 1
            add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
            add(member_id_raw)
            if type(members_item.member_epoch) is bool:
                raise OddValue
            add(_pack_i(members_item.member_epoch))
            instance_id = members_item.instance_id
            if instance_id is None:
                add(b"\x00")
            else:
                instance_id_raw = instance_id.encode()
                if len(instance_id_raw) > MAX_STRING:
                    raise OddValue
                instance_id_size = len(instance_id_raw) + 1
                add(
                    VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size)
                )
                add(instance_id_raw)
            rack_id = members_item.rack_id
            if rack_id is None:
                add(b"\x00")
            else:
                rack_id_raw = rack_id.encode()
                if len(rack_id_raw) > MAX_STRING:
                    raise OddValue
                rack_id_size = len(rack_id_raw) + 1
                add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
                add(rack_id_raw)
            client_id_raw = members_item.client_id.encode()
            if len(client_id_raw) > MAX_STRING:
                raise OddValue
            client_id_size = len(client_id_raw) + 1
            add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
            add(client_id_raw)
            client_host_raw = members_item.client_host.encode()
            if len(client_host_raw) > MAX_STRING:
                raise OddValue
            client_host_size = len(client_host_raw) + 1
            add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
            add(client_host_raw)
            if type(members_item.topology_epoch) is bool:
                raise OddValue
            process_id_raw = members_item.process_id.encode()
            add(_pack_i(members_item.topology_epoch))
            if len(process_id_raw) > MAX_STRING:
                raise OddValue
            process_id_size = len(process_id_raw) + 1
            add(VARINT[process_id_size] if process_id_size < 128 else varint(process_id_size))
            add(process_id_raw)
            user_endpoint = members_item.user_endpoint
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
            client_tags = members_item.client_tags
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
            task_offsets = members_item.task_offsets
            if type(task_offsets) is not tuple:
                raise OddValue
            task_offsets_size = len(task_offsets) + 1
            add(VARINT[task_offsets_size] if task_offsets_size < 128 else varint(task_offsets_size))
            for task_offsets_item in task_offsets:
                if type(task_offsets_item) is not _TaskOffset:
                    raise OddValue
                subtopology_id_raw_2 = task_offsets_item.subtopology_id.encode()
                if len(subtopology_id_raw_2) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_2 = len(subtopology_id_raw_2) + 1
                add(
                    VARINT[subtopology_id_size_2]
                    if subtopology_id_size_2 < 128
                    else varint(subtopology_id_size_2)
                )
                add(subtopology_id_raw_2)
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
            task_end_offsets = members_item.task_end_offsets
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
                subtopology_id_raw_3 = task_end_offsets_item.subtopology_id.encode()
                if len(subtopology_id_raw_3) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_3 = len(subtopology_id_raw_3) + 1
                add(
                    VARINT[subtopology_id_size_3]
                    if subtopology_id_size_3 < 128
                    else varint(subtopology_id_size_3)
                )
                add(subtopology_id_raw_3)
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
            assignment = members_item.assignment
            if type(assignment) is not _Assignment:
                raise OddValue
            active_tasks = assignment.active_tasks
            if type(active_tasks) is not tuple:
                raise OddValue
            active_tasks_size = len(active_tasks) + 1
            add(VARINT[active_tasks_size] if active_tasks_size < 128 else varint(active_tasks_size))
            for active_tasks_item in active_tasks:
                if type(active_tasks_item) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_4 = active_tasks_item.subtopology_id.encode()
                if len(subtopology_id_raw_4) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_4 = len(subtopology_id_raw_4) + 1
                add(
                    VARINT[subtopology_id_size_4]
                    if subtopology_id_size_4 < 128
                    else varint(subtopology_id_size_4)
                )
                add(subtopology_id_raw_4)
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
            standby_tasks = assignment.standby_tasks
            if type(standby_tasks) is not tuple:
                raise OddValue
            standby_tasks_size = len(standby_tasks) + 1
            add(
                VARINT[standby_tasks_size]
                if standby_tasks_size < 128
                else varint(standby_tasks_size)
            )
            for standby_tasks_item in standby_tasks:
                if type(standby_tasks_item) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_5 = standby_tasks_item.subtopology_id.encode()
                if len(subtopology_id_raw_5) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_5 = len(subtopology_id_raw_5) + 1
                add(
                    VARINT[subtopology_id_size_5]
                    if subtopology_id_size_5 < 128
                    else varint(subtopology_id_size_5)
                )
                add(subtopology_id_raw_5)
                partitions_2 = standby_tasks_item.partitions
                if type(partitions_2) is not tuple:
                    raise OddValue
                partitions_size_2 = len(partitions_2) + 1
                add(
                    VARINT[partitions_size_2]
                    if partitions_size_2 < 128
                    else varint(partitions_size_2)
                )
                add(_pack_numbers_i[len(partitions_2)](*partitions_2))
                add(
                    write_tags([], standby_tasks_item.unknown_tagged_fields, ())
                    if standby_tasks_item.unknown_tagged_fields
                    else b"\0"
                )
            warmup_tasks = assignment.warmup_tasks
            if type(warmup_tasks) is not tuple:
                raise OddValue
            warmup_tasks_size = len(warmup_tasks) + 1
            add(VARINT[warmup_tasks_size] if warmup_tasks_size < 128 else varint(warmup_tasks_size))
            for warmup_tasks_item in warmup_tasks:
                if type(warmup_tasks_item) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_6 = warmup_tasks_item.subtopology_id.encode()
                if len(subtopology_id_raw_6) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_6 = len(subtopology_id_raw_6) + 1
                add(
                    VARINT[subtopology_id_size_6]
                    if subtopology_id_size_6 < 128
                    else varint(subtopology_id_size_6)
                )
                add(subtopology_id_raw_6)
                partitions_3 = warmup_tasks_item.partitions
                if type(partitions_3) is not tuple:
                    raise OddValue
                partitions_size_3 = len(partitions_3) + 1
                add(
                    VARINT[partitions_size_3]
                    if partitions_size_3 < 128
                    else varint(partitions_size_3)
                )
                add(_pack_numbers_i[len(partitions_3)](*partitions_3))
                add(
                    write_tags([], warmup_tasks_item.unknown_tagged_fields, ())
                    if warmup_tasks_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], assignment.unknown_tagged_fields, ())
                if assignment.unknown_tagged_fields
                else b"\0"
            )
            target_assignment = members_item.target_assignment
            if type(target_assignment) is not _Assignment:
                raise OddValue
            active_tasks_2 = target_assignment.active_tasks
            if type(active_tasks_2) is not tuple:
                raise OddValue
            active_tasks_size_2 = len(active_tasks_2) + 1
            add(
                VARINT[active_tasks_size_2]
                if active_tasks_size_2 < 128
                else varint(active_tasks_size_2)
            )
            for active_tasks_item_2 in active_tasks_2:
                if type(active_tasks_item_2) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_7 = active_tasks_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_7) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_7 = len(subtopology_id_raw_7) + 1
                add(
                    VARINT[subtopology_id_size_7]
                    if subtopology_id_size_7 < 128
                    else varint(subtopology_id_size_7)
                )
                add(subtopology_id_raw_7)
                partitions_4 = active_tasks_item_2.partitions
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
                    write_tags([], active_tasks_item_2.unknown_tagged_fields, ())
                    if active_tasks_item_2.unknown_tagged_fields
                    else b"\0"
                )
            standby_tasks_2 = target_assignment.standby_tasks
            if type(standby_tasks_2) is not tuple:
                raise OddValue
            standby_tasks_size_2 = len(standby_tasks_2) + 1
            add(
                VARINT[standby_tasks_size_2]
                if standby_tasks_size_2 < 128
                else varint(standby_tasks_size_2)
            )
            for standby_tasks_item_2 in standby_tasks_2:
                if type(standby_tasks_item_2) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_8 = standby_tasks_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_8) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_8 = len(subtopology_id_raw_8) + 1
                add(
                    VARINT[subtopology_id_size_8]
                    if subtopology_id_size_8 < 128
                    else varint(subtopology_id_size_8)
                )
                add(subtopology_id_raw_8)
                partitions_5 = standby_tasks_item_2.partitions
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
                    write_tags([], standby_tasks_item_2.unknown_tagged_fields, ())
                    if standby_tasks_item_2.unknown_tagged_fields
                    else b"\0"
                )
            warmup_tasks_2 = target_assignment.warmup_tasks
            if type(warmup_tasks_2) is not tuple:
                raise OddValue
            warmup_tasks_size_2 = len(warmup_tasks_2) + 1
            add(
                VARINT[warmup_tasks_size_2]
                if warmup_tasks_size_2 < 128
                else varint(warmup_tasks_size_2)
            )
            for warmup_tasks_item_2 in warmup_tasks_2:
                if type(warmup_tasks_item_2) is not _TaskIds:
                    raise OddValue
                subtopology_id_raw_9 = warmup_tasks_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_9) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_9 = len(subtopology_id_raw_9) + 1
                add(
                    VARINT[subtopology_id_size_9]
                    if subtopology_id_size_9 < 128
                    else varint(subtopology_id_size_9)
                )
                add(subtopology_id_raw_9)
                partitions_6 = warmup_tasks_item_2.partitions
                if type(partitions_6) is not tuple:
                    raise OddValue
                partitions_size_6 = len(partitions_6) + 1
                add(
                    VARINT[partitions_size_6]
                    if partitions_size_6 < 128
                    else varint(partitions_size_6)
                )
                add(_pack_numbers_i[len(partitions_6)](*partitions_6))
                add(
                    write_tags([], warmup_tasks_item_2.unknown_tagged_fields, ())
                    if warmup_tasks_item_2.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], target_assignment.unknown_tagged_fields, ())
                if target_assignment.unknown_tagged_fields
                else b"\0"
            )
            add(_pack_b(truth(members_item.is_classic)))
            add(
                write_tags([], members_item.unknown_tagged_fields, ())
                if members_item.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        topology_description = groups_item.topology_description
        if topology_description is None:
            add(b"\xff")
        else:
            add(b"\1")
            if type(topology_description) is not _TopologyDescription:
                raise OddValue
            subtopologies_2 = topology_description.subtopologies
            if type(subtopologies_2) is not tuple:
                raise OddValue
            subtopologies_size_2 = len(subtopologies_2) + 1
            add(
                VARINT[subtopologies_size_2]
                if subtopologies_size_2 < 128
                else varint(subtopologies_size_2)
            )
            for subtopologies_item_2 in subtopologies_2:
                if type(subtopologies_item_2) is not _TopologyDescriptionSubtopology:
                    raise OddValue
                subtopology_id_raw_10 = subtopologies_item_2.subtopology_id.encode()
                if len(subtopology_id_raw_10) > MAX_STRING:
                    raise OddValue
                subtopology_id_size_10 = len(subtopology_id_raw_10) + 1
                add(
                    VARINT[subtopology_id_size_10]
                    if subtopology_id_size_10 < 128
                    else varint(subtopology_id_size_10)
                )
                add(subtopology_id_raw_10)
                nodes = subtopologies_item_2.nodes
                if type(nodes) is not tuple:
                    raise OddValue
                nodes_size = len(nodes) + 1
                add(VARINT[nodes_size] if nodes_size < 128 else varint(nodes_size))
                for nodes_item in nodes:
                    if type(nodes_item) is not _TopologyDescriptionNode:
                        raise OddValue
                    name_raw_3 = nodes_item.name.encode()
                    if len(name_raw_3) > MAX_STRING:
                        raise OddValue
                    name_size_3 = len(name_raw_3) + 1
                    add(VARINT[name_size_3] if name_size_3 < 128 else varint(name_size_3))
                    add(name_raw_3)
                    if type(nodes_item.node_type) is bool:
                        raise OddValue
                    source_topics_2 = nodes_item.source_topics
                    if type(source_topics_2) is not tuple:
                        raise OddValue
                    add(_pack_b(nodes_item.node_type))
                    source_topics_size_3 = len(source_topics_2) + 1
                    add(
                        VARINT[source_topics_size_3]
                        if source_topics_size_3 < 128
                        else varint(source_topics_size_3)
                    )
                    for source_topics_item_2 in source_topics_2:
                        raw_4 = source_topics_item_2.encode()
                        if len(raw_4) > MAX_STRING:
                            raise OddValue
                        source_topics_size_4 = len(raw_4) + 1
                        add(
                            VARINT[source_topics_size_4]
                            if source_topics_size_4 < 128
                            else varint(source_topics_size_4)
                        )
                        add(raw_4)
                    sink_topic = nodes_item.sink_topic
                    if sink_topic is None:
                        add(b"\x00")
                    else:
                        sink_topic_raw = sink_topic.encode()
                        if len(sink_topic_raw) > MAX_STRING:
                            raise OddValue
                        sink_topic_size = len(sink_topic_raw) + 1
                        add(
                            VARINT[sink_topic_size]
                            if sink_topic_size < 128
                            else varint(sink_topic_size)
                        )
                        add(sink_topic_raw)
                    stores = nodes_item.stores
                    if type(stores) is not tuple:
                        raise OddValue
                    stores_size = len(stores) + 1
                    add(VARINT[stores_size] if stores_size < 128 else varint(stores_size))
                    for stores_item in stores:
                        raw_5 = stores_item.encode()
                        if len(raw_5) > MAX_STRING:
                            raise OddValue
                        stores_size_2 = len(raw_5) + 1
                        add(VARINT[stores_size_2] if stores_size_2 < 128 else varint(stores_size_2))
                        add(raw_5)
                    successors = nodes_item.successors
                    if type(successors) is not tuple:
                        raise OddValue
                    successors_size = len(successors) + 1
                    add(
                        VARINT[successors_size]
                        if successors_size < 128
                        else varint(successors_size)
                    )
                    for successors_item in successors:
                        raw_6 = successors_item.encode()
                        if len(raw_6) > MAX_STRING:
                            raise OddValue
                        successors_size_2 = len(raw_6) + 1
                        add(
                            VARINT[successors_size_2]
                            if successors_size_2 < 128
                            else varint(successors_size_2)
                        )
                        add(raw_6)
                    add(
                        write_tags([], nodes_item.unknown_tagged_fields, ())
                        if nodes_item.unknown_tagged_fields
                        else b"\0"
                    )
                add(
                    write_tags([], subtopologies_item_2.unknown_tagged_fields, ())
                    if subtopologies_item_2.unknown_tagged_fields
                    else b"\0"
                )
            global_stores = topology_description.global_stores
            if type(global_stores) is not tuple:
                raise OddValue
            global_stores_size = len(global_stores) + 1
            add(
                VARINT[global_stores_size]
                if global_stores_size < 128
                else varint(global_stores_size)
            )
            for global_stores_item in global_stores:
                if type(global_stores_item) is not _TopologyDescriptionGlobalStore:
                    raise OddValue
                source = global_stores_item.source
                if type(source) is not _TopologyDescriptionNode:
                    raise OddValue
                name_raw_4 = source.name.encode()
                if len(name_raw_4) > MAX_STRING:
                    raise OddValue
                name_size_4 = len(name_raw_4) + 1
                add(VARINT[name_size_4] if name_size_4 < 128 else varint(name_size_4))
                add(name_raw_4)
                if type(source.node_type) is bool:
                    raise OddValue
                source_topics_3 = source.source_topics
                if type(source_topics_3) is not tuple:
                    raise OddValue
                add(_pack_b(source.node_type))
                source_topics_size_5 = len(source_topics_3) + 1
                add(
                    VARINT[source_topics_size_5]
                    if source_topics_size_5 < 128
                    else varint(source_topics_size_5)
                )
                for source_topics_item_3 in source_topics_3:
                    raw_7 = source_topics_item_3.encode()
                    if len(raw_7) > MAX_STRING:
                        raise OddValue
                    source_topics_size_6 = len(raw_7) + 1
                    add(
                        VARINT[source_topics_size_6]
                        if source_topics_size_6 < 128
                        else varint(source_topics_size_6)
                    )
                    add(raw_7)
                sink_topic_2 = source.sink_topic
                if sink_topic_2 is None:
                    add(b"\x00")
                else:
                    sink_topic_raw_2 = sink_topic_2.encode()
                    if len(sink_topic_raw_2) > MAX_STRING:
                        raise OddValue
                    sink_topic_size_2 = len(sink_topic_raw_2) + 1
                    add(
                        VARINT[sink_topic_size_2]
                        if sink_topic_size_2 < 128
                        else varint(sink_topic_size_2)
                    )
                    add(sink_topic_raw_2)
                stores_2 = source.stores
                if type(stores_2) is not tuple:
                    raise OddValue
                stores_size_3 = len(stores_2) + 1
                add(VARINT[stores_size_3] if stores_size_3 < 128 else varint(stores_size_3))
                for stores_item_2 in stores_2:
                    raw_8 = stores_item_2.encode()
                    if len(raw_8) > MAX_STRING:
                        raise OddValue
                    stores_size_4 = len(raw_8) + 1
                    add(VARINT[stores_size_4] if stores_size_4 < 128 else varint(stores_size_4))
                    add(raw_8)
                successors_2 = source.successors
                if type(successors_2) is not tuple:
                    raise OddValue
                successors_size_3 = len(successors_2) + 1
                add(
                    VARINT[successors_size_3]
                    if successors_size_3 < 128
                    else varint(successors_size_3)
                )
                for successors_item_2 in successors_2:
                    raw_9 = successors_item_2.encode()
                    if len(raw_9) > MAX_STRING:
                        raise OddValue
                    successors_size_4 = len(raw_9) + 1
                    add(
                        VARINT[successors_size_4]
                        if successors_size_4 < 128
                        else varint(successors_size_4)
                    )
                    add(raw_9)
                add(
                    write_tags([], source.unknown_tagged_fields, ())
                    if source.unknown_tagged_fields
                    else b"\0"
                )
                processor = global_stores_item.processor
                if type(processor) is not _TopologyDescriptionNode:
                    raise OddValue
                name_raw_5 = processor.name.encode()
                if len(name_raw_5) > MAX_STRING:
                    raise OddValue
                name_size_5 = len(name_raw_5) + 1
                add(VARINT[name_size_5] if name_size_5 < 128 else varint(name_size_5))
                add(name_raw_5)
                if type(processor.node_type) is bool:
                    raise OddValue
                source_topics_4 = processor.source_topics
                if type(source_topics_4) is not tuple:
                    raise OddValue
                add(_pack_b(processor.node_type))
                source_topics_size_7 = len(source_topics_4) + 1
                add(
                    VARINT[source_topics_size_7]
                    if source_topics_size_7 < 128
                    else varint(source_topics_size_7)
                )
                for source_topics_item_4 in source_topics_4:
                    raw_10 = source_topics_item_4.encode()
                    if len(raw_10) > MAX_STRING:
                        raise OddValue
                    source_topics_size_8 = len(raw_10) + 1
                    add(
                        VARINT[source_topics_size_8]
                        if source_topics_size_8 < 128
                        else varint(source_topics_size_8)
                    )
                    add(raw_10)
                sink_topic_3 = processor.sink_topic
                if sink_topic_3 is None:
                    add(b"\x00")
                else:
                    sink_topic_raw_3 = sink_topic_3.encode()
                    if len(sink_topic_raw_3) > MAX_STRING:
                        raise OddValue
                    sink_topic_size_3 = len(sink_topic_raw_3) + 1
                    add(
                        VARINT[sink_topic_size_3]
                        if sink_topic_size_3 < 128
                        else varint(sink_topic_size_3)
                    )
                    add(sink_topic_raw_3)
                stores_3 = processor.stores
                if type(stores_3) is not tuple:
                    raise OddValue
                stores_size_5 = len(stores_3) + 1
                add(VARINT[stores_size_5] if stores_size_5 < 128 else varint(stores_size_5))
                for stores_item_3 in stores_3:
                    raw_11 = stores_item_3.encode()
                    if len(raw_11) > MAX_STRING:
                        raise OddValue
                    stores_size_6 = len(raw_11) + 1
                    add(VARINT[stores_size_6] if stores_size_6 < 128 else varint(stores_size_6))
                    add(raw_11)
                successors_3 = processor.successors
                if type(successors_3) is not tuple:
                    raise OddValue
                successors_size_5 = len(successors_3) + 1
                add(
                    VARINT[successors_size_5]
                    if successors_size_5 < 128
                    else varint(successors_size_5)
                )
                for successors_item_3 in successors_3:
                    raw_12 = successors_item_3.encode()
                    if len(raw_12) > MAX_STRING:
                        raise OddValue
                    successors_size_6 = len(raw_12) + 1
                    add(
                        VARINT[successors_size_6]
                        if successors_size_6 < 128
                        else varint(successors_size_6)
                    )
                    add(raw_12)
                add(
                    write_tags([], processor.unknown_tagged_fields, ())
                    if processor.unknown_tagged_fields
                    else b"\0"
                )
                add(
                    write_tags([], global_stores_item.unknown_tagged_fields, ())
                    if global_stores_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], topology_description.unknown_tagged_fields, ())
                if topology_description.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.topology_description_status) is bool:
            raise OddValue
        add(_pack_b(groups_item.topology_description_status))
        assignor_name = groups_item.assignor_name
        if assignor_name is None:
            add(b"\x00")
        else:
            assignor_name_raw = assignor_name.encode()
            if len(assignor_name_raw) > MAX_STRING:
                raise OddValue
            assignor_name_size = len(assignor_name_raw) + 1
            add(
                VARINT[assignor_name_size]
                if assignor_name_size < 128
                else varint(assignor_name_size)
            )
            add(assignor_name_raw)
        add(
            write_tags([], groups_item.unknown_tagged_fields, ())
            if groups_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupDescribeResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
