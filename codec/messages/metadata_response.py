"""MetadataResponse, generated from schemas/MetadataResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_array,
    read_bool,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    read_uuid,
    required,
    write_array,
    write_bool,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class MetadataResponse(Message, frozen=True, kw_only=True, gc=False):
    """MetadataResponse, versions 0-13.

    Which brokers and topics there are: the place where names and ids of topics meet.

    Version 1: racks, the controller, internal topics. Version 2 (KIP-78): the cluster's id. Version
    3 (KIP-124): throttling. Version 4 (KIP-204): as version 3. Version 5 (KIP-112): replicas that
    are offline. Version 6 (KIP-219): throttled after the answer, not before it. Version 7 (KIP-320):
    leader epochs. Version 8 (KIP-430): authorized operations. Version 9 (KIP-482): flexible. Version
    10 (KIP-516): topic ids. Version 11 (KIP-700): a cluster's operations are told elsewhere. Version
    12 (KIP-516): topics that were asked for by id. Version 13: an error of the whole answer.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 3-13; default 0; other versions leave it out.
        brokers ([]MetadataResponseBroker): The brokers that are up. Versions 0-13; default ().
        cluster_id (string): The cluster's id; null if the broker does not know it. Versions 2-13; may
            be null; default None; other versions leave it out.
        controller_id (int32): The broker to send administrative requests to; -1 if not known.
            Versions 1-13; default -1; other versions leave it out.
        topics ([]MetadataResponseTopic): The topics that were asked about, or all. Versions 0-13;
            default ().
        cluster_authorized_operations (int32): What the asker may do with the cluster, a bit each;
            -2147483648 if not asked. Versions 8-10; default -2147483648; other versions cannot hold
            it.
        error_code (int16): What is wrong with the whole answer; 0 if nothing. Version 13; default 0;
            other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 9-13; default ().
    """

    NAME = "MetadataResponse"
    VERSIONS = VersionRange(0, 13)
    LATEST = 13
    API_KEY = 3
    FRAMING = Framing("none", "refuse")

    class MetadataResponseBroker(MessagePart, frozen=True, kw_only=True, gc=False):
        """MetadataResponseBroker of MetadataResponse, versions 0-13.

        The brokers that are up.

        Attributes:
            node_id (int32): The broker's id. Versions 0-13; default 0.
            host (string): The name that the broker advertises. Versions 0-13; default ''.
            port (int32): The port that the broker advertises. Versions 0-13; default 0.
            rack (string): The rack of the broker; null if not told. Versions 1-13; may be null;
                default None; other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 9-13; default ().
        """

        node_id: int = 0
        host: str = ""
        port: int = 0
        rack: str | None = None
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                node_id: int = ...,
                host: str = ...,
                port: int = ...,
                rack: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                node_id: int = ...,
                host: str = ...,
                port: int = ...,
                rack: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class MetadataResponsePartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """MetadataResponsePartition of MetadataResponse, versions 0-13.

        The partitions of the topic.

        Attributes:
            error_code (int16): What is wrong with the partition; 0 if nothing. Versions 0-13; default
                0.
            partition_index (int32): The partition. Versions 0-13; default 0.
            leader_id (int32): The broker that leads; -1 if none does. Versions 0-13; default 0.
            leader_epoch (int32): How often the leader has changed; -1 if not known (KIP-320).
                Versions 7-13; default -1; other versions leave it out.
            replica_nodes ([]int32): The brokers that hold a replica. Versions 0-13; default ().
            isr_nodes ([]int32): Those of them that keep up with the leader. Versions 0-13; default
                ().
            offline_replicas ([]int32): Those of them that are down (KIP-112). Versions 5-13; default
                (); other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 9-13; default ().
        """

        error_code: int = 0
        partition_index: int = 0
        leader_id: int = 0
        leader_epoch: int = -1
        replica_nodes: tuple[int, ...] = ()
        isr_nodes: tuple[int, ...] = ()
        offline_replicas: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("replica_nodes", "isr_nodes", "offline_replicas", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.replica_nodes) is not tuple
                or type(self.isr_nodes) is not tuple
                or type(self.offline_replicas) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                partition_index: int = ...,
                leader_id: int = ...,
                leader_epoch: int = ...,
                replica_nodes: Iterable[int] = ...,
                isr_nodes: Iterable[int] = ...,
                offline_replicas: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                partition_index: int = ...,
                leader_id: int = ...,
                leader_epoch: int = ...,
                replica_nodes: Iterable[int] = ...,
                isr_nodes: Iterable[int] = ...,
                offline_replicas: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class MetadataResponseTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """MetadataResponseTopic of MetadataResponse, versions 0-13.

        The topics that were asked about, or all.

        Attributes:
            error_code (int16): Why the topic is not described; 0 if it is. Versions 0-13; default 0.
            name (string): The topic's name; null where only its id is known. Versions 0-13; may be
                null in versions 12-13; default ''.
            topic_id (uuid): The topic's id (KIP-516); zero if it has none. Versions 10-13; default
                UUID(int=0); other versions leave it out.
            is_internal (bool): Whether Kafka keeps the topic for itself. Versions 1-13; default
                False; other versions leave it out.
            partitions ([]MetadataResponsePartition): The partitions of the topic. Versions 0-13;
                default ().
            topic_authorized_operations (int32): What the asker may do with the topic, a bit each;
                -2147483648 if not asked. Versions 8-13; default -2147483648; other versions cannot
                hold it.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 9-13; default ().
        """

        error_code: int = 0
        name: str | None = ""
        topic_id: UUID = ZERO_UUID
        is_internal: bool = False
        partitions: tuple[MetadataResponse.MetadataResponsePartition, ...] = ()
        topic_authorized_operations: int = -2147483648
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                name: str | None = ...,
                topic_id: UUID = ...,
                is_internal: bool = ...,
                partitions: Iterable[MetadataResponse.MetadataResponsePartition] = ...,
                topic_authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                name: str | None = ...,
                topic_id: UUID = ...,
                is_internal: bool = ...,
                partitions: Iterable[MetadataResponse.MetadataResponsePartition] = ...,
                topic_authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    brokers: tuple[MetadataResponse.MetadataResponseBroker, ...] = ()
    cluster_id: str | None = None
    controller_id: int = -1
    topics: tuple[MetadataResponse.MetadataResponseTopic, ...] = ()
    cluster_authorized_operations: int = -2147483648
    error_code: int = 0
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("brokers", "topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.brokers) is not tuple
            or type(self.topics) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            brokers: Iterable[MetadataResponse.MetadataResponseBroker] = ...,
            cluster_id: str | None = ...,
            controller_id: int = ...,
            topics: Iterable[MetadataResponse.MetadataResponseTopic] = ...,
            cluster_authorized_operations: int = ...,
            error_code: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            brokers: Iterable[MetadataResponse.MetadataResponseBroker] = ...,
            cluster_id: str | None = ...,
            controller_id: int = ...,
            topics: Iterable[MetadataResponse.MetadataResponseTopic] = ...,
            cluster_authorized_operations: int = ...,
            error_code: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MetadataResponseBroker = MetadataResponse.MetadataResponseBroker
_MetadataResponsePartition = MetadataResponse.MetadataResponsePartition
_MetadataResponseTopic = MetadataResponse.MetadataResponseTopic


def _read_metadata_response_broker_v0(data: bytes, pos: int) -> tuple[_MetadataResponseBroker, int]:
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    return _MetadataResponseBroker(node_id=node_id, host=host, port=port), pos


def _write_metadata_response_broker_v0(item: _MetadataResponseBroker, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseBroker:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.node_id, parts)
    write_string(item.host, parts)
    INT32.write(item.port, parts)


def _read_metadata_response_partition_v0_4(
    data: bytes, pos: int
) -> tuple[_MetadataResponsePartition, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (leader_id,), pos = INT32.unpack(data, pos), pos + 4
    replica_nodes, pos = INT32.read_array(data, pos)
    isr_nodes, pos = INT32.read_array(data, pos)
    return _MetadataResponsePartition(
        error_code=error_code,
        partition_index=partition_index,
        leader_id=leader_id,
        replica_nodes=replica_nodes,
        isr_nodes=isr_nodes,
    ), pos


def _write_metadata_response_partition_v0_4(
    item: _MetadataResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _MetadataResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    INT32.write(item.partition_index, parts)
    INT32.write(item.leader_id, parts)
    INT32.write_array(item.replica_nodes, parts)
    INT32.write_array(item.isr_nodes, parts)


def _read_metadata_response_topic_v0(data: bytes, pos: int) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_metadata_response_partition_v0_4)
    return _MetadataResponseTopic(error_code=error_code, name=name, partitions=partitions), pos


def _write_metadata_response_topic_v0(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    if item.topic_authorized_operations != -2147483648:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(required(item.name), parts)
    write_array(item.partitions, parts, _write_metadata_response_partition_v0_4)


def _read_v0(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v0)
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v0)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(brokers=brokers, topics=topics), pos


def _write_v0(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.brokers, parts, _write_metadata_response_broker_v0)
    write_array(message.topics, parts, _write_metadata_response_topic_v0)


def _read_metadata_response_broker_v1_8(
    data: bytes, pos: int
) -> tuple[_MetadataResponseBroker, int]:
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    rack, pos = read_nullable_string(data, pos)
    return _MetadataResponseBroker(node_id=node_id, host=host, port=port, rack=rack), pos


def _write_metadata_response_broker_v1_8(item: _MetadataResponseBroker, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseBroker:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.node_id, parts)
    write_string(item.host, parts)
    INT32.write(item.port, parts)
    write_nullable_string(item.rack, parts)


def _read_metadata_response_topic_v1_4(data: bytes, pos: int) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_string(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_array(data, pos, _read_metadata_response_partition_v0_4)
    return _MetadataResponseTopic(
        error_code=error_code, name=name, is_internal=is_internal, partitions=partitions
    ), pos


def _write_metadata_response_topic_v1_4(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    if item.topic_authorized_operations != -2147483648:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(required(item.name), parts)
    write_bool(item.is_internal, parts)
    write_array(item.partitions, parts, _write_metadata_response_partition_v0_4)


def _read_v1(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v1_8)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v1_4)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(brokers=brokers, controller_id=controller_id, topics=topics), pos


def _write_v1(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.brokers, parts, _write_metadata_response_broker_v1_8)
    INT32.write(message.controller_id, parts)
    write_array(message.topics, parts, _write_metadata_response_topic_v1_4)


def _read_v2(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v1_8)
    cluster_id, pos = read_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v1_4)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        brokers=brokers, cluster_id=cluster_id, controller_id=controller_id, topics=topics
    ), pos


def _write_v2(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.brokers, parts, _write_metadata_response_broker_v1_8)
    write_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_array(message.topics, parts, _write_metadata_response_topic_v1_4)


def _read_v3_4(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v1_8)
    cluster_id, pos = read_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v1_4)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
    ), pos


def _write_v3_4(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.brokers, parts, _write_metadata_response_broker_v1_8)
    write_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_array(message.topics, parts, _write_metadata_response_topic_v1_4)


def _read_metadata_response_partition_v5_6(
    data: bytes, pos: int
) -> tuple[_MetadataResponsePartition, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (leader_id,), pos = INT32.unpack(data, pos), pos + 4
    replica_nodes, pos = INT32.read_array(data, pos)
    isr_nodes, pos = INT32.read_array(data, pos)
    offline_replicas, pos = INT32.read_array(data, pos)
    return _MetadataResponsePartition(
        error_code=error_code,
        partition_index=partition_index,
        leader_id=leader_id,
        replica_nodes=replica_nodes,
        isr_nodes=isr_nodes,
        offline_replicas=offline_replicas,
    ), pos


def _write_metadata_response_partition_v5_6(
    item: _MetadataResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _MetadataResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    INT32.write(item.partition_index, parts)
    INT32.write(item.leader_id, parts)
    INT32.write_array(item.replica_nodes, parts)
    INT32.write_array(item.isr_nodes, parts)
    INT32.write_array(item.offline_replicas, parts)


def _read_metadata_response_topic_v5_6(data: bytes, pos: int) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_string(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_array(data, pos, _read_metadata_response_partition_v5_6)
    return _MetadataResponseTopic(
        error_code=error_code, name=name, is_internal=is_internal, partitions=partitions
    ), pos


def _write_metadata_response_topic_v5_6(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    if item.topic_authorized_operations != -2147483648:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(required(item.name), parts)
    write_bool(item.is_internal, parts)
    write_array(item.partitions, parts, _write_metadata_response_partition_v5_6)


def _read_v5_6(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v1_8)
    cluster_id, pos = read_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v5_6)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
    ), pos


def _write_v5_6(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.brokers, parts, _write_metadata_response_broker_v1_8)
    write_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_array(message.topics, parts, _write_metadata_response_topic_v5_6)


def _read_metadata_response_partition_v7_8(
    data: bytes, pos: int
) -> tuple[_MetadataResponsePartition, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (leader_id,), pos = INT32.unpack(data, pos), pos + 4
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    replica_nodes, pos = INT32.read_array(data, pos)
    isr_nodes, pos = INT32.read_array(data, pos)
    offline_replicas, pos = INT32.read_array(data, pos)
    return _MetadataResponsePartition(
        error_code=error_code,
        partition_index=partition_index,
        leader_id=leader_id,
        leader_epoch=leader_epoch,
        replica_nodes=replica_nodes,
        isr_nodes=isr_nodes,
        offline_replicas=offline_replicas,
    ), pos


def _write_metadata_response_partition_v7_8(
    item: _MetadataResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _MetadataResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    INT32.write(item.partition_index, parts)
    INT32.write(item.leader_id, parts)
    INT32.write(item.leader_epoch, parts)
    INT32.write_array(item.replica_nodes, parts)
    INT32.write_array(item.isr_nodes, parts)
    INT32.write_array(item.offline_replicas, parts)


def _read_metadata_response_topic_v7(data: bytes, pos: int) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_string(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_array(data, pos, _read_metadata_response_partition_v7_8)
    return _MetadataResponseTopic(
        error_code=error_code, name=name, is_internal=is_internal, partitions=partitions
    ), pos


def _write_metadata_response_topic_v7(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    if item.topic_authorized_operations != -2147483648:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(required(item.name), parts)
    write_bool(item.is_internal, parts)
    write_array(item.partitions, parts, _write_metadata_response_partition_v7_8)


def _read_v7(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v1_8)
    cluster_id, pos = read_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v7)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
    ), pos


def _write_v7(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.brokers, parts, _write_metadata_response_broker_v1_8)
    write_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_array(message.topics, parts, _write_metadata_response_topic_v7)


def _read_metadata_response_topic_v8(data: bytes, pos: int) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_string(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_array(data, pos, _read_metadata_response_partition_v7_8)
    (topic_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    return _MetadataResponseTopic(
        error_code=error_code,
        name=name,
        is_internal=is_internal,
        partitions=partitions,
        topic_authorized_operations=topic_authorized_operations,
    ), pos


def _write_metadata_response_topic_v8(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_string(required(item.name), parts)
    write_bool(item.is_internal, parts)
    write_array(item.partitions, parts, _write_metadata_response_partition_v7_8)
    INT32.write(item.topic_authorized_operations, parts)


def _read_v8(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_array(data, pos, _read_metadata_response_broker_v1_8)
    cluster_id, pos = read_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_metadata_response_topic_v8)
    (cluster_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
        cluster_authorized_operations=cluster_authorized_operations,
    ), pos


def _write_v8(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.brokers, parts, _write_metadata_response_broker_v1_8)
    write_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_array(message.topics, parts, _write_metadata_response_topic_v8)
    INT32.write(message.cluster_authorized_operations, parts)


def _read_metadata_response_broker_v9_13(
    data: bytes, pos: int
) -> tuple[_MetadataResponseBroker, int]:
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_compact_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    rack, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataResponseBroker(
        node_id=node_id, host=host, port=port, rack=rack, unknown_tagged_fields=unknown
    ), pos


def _write_metadata_response_broker_v9_13(
    item: _MetadataResponseBroker, parts: list[bytes]
) -> None:
    if type(item) is not _MetadataResponseBroker:
        raise OddValue
    INT32.write(item.node_id, parts)
    write_compact_string(item.host, parts)
    INT32.write(item.port, parts)
    write_compact_nullable_string(item.rack, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_metadata_response_partition_v9_13(
    data: bytes, pos: int
) -> tuple[_MetadataResponsePartition, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (leader_id,), pos = INT32.unpack(data, pos), pos + 4
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    replica_nodes, pos = INT32.read_compact_array(data, pos)
    isr_nodes, pos = INT32.read_compact_array(data, pos)
    offline_replicas, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataResponsePartition(
        error_code=error_code,
        partition_index=partition_index,
        leader_id=leader_id,
        leader_epoch=leader_epoch,
        replica_nodes=replica_nodes,
        isr_nodes=isr_nodes,
        offline_replicas=offline_replicas,
        unknown_tagged_fields=unknown,
    ), pos


def _write_metadata_response_partition_v9_13(
    item: _MetadataResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _MetadataResponsePartition:
        raise OddValue
    INT16.write(item.error_code, parts)
    INT32.write(item.partition_index, parts)
    INT32.write(item.leader_id, parts)
    INT32.write(item.leader_epoch, parts)
    INT32.write_compact_array(item.replica_nodes, parts)
    INT32.write_compact_array(item.isr_nodes, parts)
    INT32.write_compact_array(item.offline_replicas, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_metadata_response_topic_v9(data: bytes, pos: int) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_compact_string(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_metadata_response_partition_v9_13)
    (topic_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataResponseTopic(
        error_code=error_code,
        name=name,
        is_internal=is_internal,
        partitions=partitions,
        topic_authorized_operations=topic_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_metadata_response_topic_v9(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_string(required(item.name), parts)
    write_bool(item.is_internal, parts)
    write_compact_array(item.partitions, parts, _write_metadata_response_partition_v9_13)
    INT32.write(item.topic_authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v9(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_compact_array(data, pos, _read_metadata_response_broker_v9_13)
    cluster_id, pos = read_compact_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_metadata_response_topic_v9)
    (cluster_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
        cluster_authorized_operations=cluster_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v9(message: MetadataResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.brokers, parts, _write_metadata_response_broker_v9_13)
    write_compact_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_compact_array(message.topics, parts, _write_metadata_response_topic_v9)
    INT32.write(message.cluster_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_metadata_response_topic_v10_11(
    data: bytes, pos: int
) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_compact_string(data, pos)
    topic_id, pos = read_uuid(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_metadata_response_partition_v9_13)
    (topic_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataResponseTopic(
        error_code=error_code,
        name=name,
        topic_id=topic_id,
        is_internal=is_internal,
        partitions=partitions,
        topic_authorized_operations=topic_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_metadata_response_topic_v10_11(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_string(required(item.name), parts)
    write_uuid(item.topic_id, parts)
    write_bool(item.is_internal, parts)
    write_compact_array(item.partitions, parts, _write_metadata_response_partition_v9_13)
    INT32.write(item.topic_authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v10(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_compact_array(data, pos, _read_metadata_response_broker_v9_13)
    cluster_id, pos = read_compact_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_metadata_response_topic_v10_11)
    (cluster_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
        cluster_authorized_operations=cluster_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v10(message: MetadataResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.brokers, parts, _write_metadata_response_broker_v9_13)
    write_compact_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_compact_array(message.topics, parts, _write_metadata_response_topic_v10_11)
    INT32.write(message.cluster_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v11(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_compact_array(data, pos, _read_metadata_response_broker_v9_13)
    cluster_id, pos = read_compact_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_metadata_response_topic_v10_11)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v11(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.brokers, parts, _write_metadata_response_broker_v9_13)
    write_compact_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_compact_array(message.topics, parts, _write_metadata_response_topic_v10_11)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_metadata_response_topic_v12_13(
    data: bytes, pos: int
) -> tuple[_MetadataResponseTopic, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    name, pos = read_compact_nullable_string(data, pos)
    topic_id, pos = read_uuid(data, pos)
    is_internal, pos = read_bool(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_metadata_response_partition_v9_13)
    (topic_authorized_operations,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataResponseTopic(
        error_code=error_code,
        name=name,
        topic_id=topic_id,
        is_internal=is_internal,
        partitions=partitions,
        topic_authorized_operations=topic_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_metadata_response_topic_v12_13(item: _MetadataResponseTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataResponseTopic:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.name, parts)
    write_uuid(item.topic_id, parts)
    write_bool(item.is_internal, parts)
    write_compact_array(item.partitions, parts, _write_metadata_response_partition_v9_13)
    INT32.write(item.topic_authorized_operations, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v12(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_compact_array(data, pos, _read_metadata_response_broker_v9_13)
    cluster_id, pos = read_compact_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_metadata_response_topic_v12_13)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v12(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.brokers, parts, _write_metadata_response_broker_v9_13)
    write_compact_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_compact_array(message.topics, parts, _write_metadata_response_topic_v12_13)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v13(data: bytes, pos: int) -> tuple[MetadataResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    brokers, pos = read_compact_array(data, pos, _read_metadata_response_broker_v9_13)
    cluster_id, pos = read_compact_nullable_string(data, pos)
    (controller_id,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_metadata_response_topic_v12_13)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataResponse(
        throttle_time_ms=throttle_time_ms,
        brokers=brokers,
        cluster_id=cluster_id,
        controller_id=controller_id,
        topics=topics,
        error_code=error_code,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v13(message: MetadataResponse, parts: list[bytes]) -> None:
    if message.cluster_authorized_operations != -2147483648:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.brokers, parts, _write_metadata_response_broker_v9_13)
    write_compact_nullable_string(message.cluster_id, parts)
    INT32.write(message.controller_id, parts)
    write_compact_array(message.topics, parts, _write_metadata_response_topic_v12_13)
    INT16.write(message.error_code, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


MetadataResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3_4, _write_v3_4),
    4: Codec(_read_v3_4, _write_v3_4),
    5: Codec(_read_v5_6, _write_v5_6),
    6: Codec(_read_v5_6, _write_v5_6),
    7: Codec(_read_v7, _write_v7),
    8: Codec(_read_v8, _write_v8),
    9: Codec(_read_v9, _write_v9),
    10: Codec(_read_v10, _write_v10),
    11: Codec(_read_v11, _write_v11),
    12: Codec(_read_v12, _write_v12),
    13: Codec(_read_v13, _write_v13),
}
