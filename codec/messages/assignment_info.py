"""AssignmentInfo, generated from schemas/AssignmentInfo.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field as _field

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, VersionedMessage
from ..wire.primitives import (
    INT32,
    INT64,
    OddBytes,
    OddValue,
    read_array,
    read_modified_utf8,
    read_utf16,
    write_array,
    write_modified_utf8,
    write_utf16,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class AssignmentInfo(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """AssignmentInfo, versions 1-11.

    The user data of an assignment under Kafka Streams' own assignor, protocol "stream": the tasks
    that the member gets, and who holds which partitions, for interactive queries. Its version is its
    first field, of 32 bits; a newer one is refused. Kafka has no definition of it: the class
    AssignmentInfo writes it by hand, with DataOutputStream, so text is not in plain UTF-8.

    Version 1: active and standby tasks. Version 2: the hosts and their partitions.
    Version 3 (KIP-268): the version that all members know. Version 4: an error.
    Version 5: each topic is named once, hosts refer to it by number.
    Version 6 (KIP-535): the hosts that keep spares. Version 7 (KIP-441): when to rebalance again.
    Versions 8 and 9: as version 7; the subscription changes, and both count together.
    Version 10: named topologies. Version 11 (KIP-708): as version 10; the subscription changes.

    Attributes:
        version (int32): The version of this message. Versions 1-11; default 0.
        commonly_supported_version (int32): The newest version that all members of the group know
            (KIP-268). Versions 3-11; default -1; other versions cannot hold it.
        active_tasks ([]TaskId): The tasks to process, one for each assigned partition. Versions 1-11;
            default ().
        standby_tasks ([]StandbyTask): The tasks whose state to keep as a spare. Versions 1-11;
            default ().
        topics ([]IndexedTopic): A number for each topic that the hosts below refer to. Versions 5-11;
            default (); other versions cannot hold it.
        partitions_by_host ([]HostPartitions): Where the active tasks run, and what they read.
            Versions 2-11; default (); other versions cannot hold it.
        standby_partitions_by_host ([]HostPartitions): Where spares of their state are kept (KIP-535).
            Versions 6-11; default (); other versions cannot hold it.
        error_code (int32): 0 none, 1 no source topics, 2 version unknown, 3 failed, 4 shut down.
            Versions 4-11; default 0; other versions cannot hold it.
        next_rebalance_ms (int64): When to rejoin, in milliseconds since 1970; the highest int64:
            never (KIP-441). Versions 7-11; default 9223372036854775807; other versions cannot hold
            it.
    """

    NAME = "AssignmentInfo"
    VERSIONS = VersionRange(1, 11)
    LATEST = 11
    API_KEY = None
    FRAMING = Framing("version32", "refuse")

    class TaskId(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskId of AssignmentInfo, versions 1-11.

        A task: one partition of one sub-topology.

        Attributes:
            topic_group_id (int32): The sub-topology's number. Versions 1-11; default 0.
            partition (int32): The partition's number. Versions 1-11; default 0.
            named_topology (string): The topology that it is of; empty if it has no name. Versions
                10-11; default ''; in utf-16; other versions cannot hold it.
        """

        topic_group_id: int = 0
        partition: int = 0
        named_topology: str = ""

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_group_id: int = ...,
                partition: int = ...,
                named_topology: str = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_group_id: int = ...,
                partition: int = ...,
                named_topology: str = ...,
            ) -> Self: ...

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of AssignmentInfo, versions 1-11.

        The partitions that the task reads.

        Attributes:
            topic (string): The topic's name. Versions 1-11; default ''; in modified-utf-8.
            partition (int32): The partition's number. Versions 1-11; default 0.
        """

        topic: str = ""
        partition: int = 0

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic: str = ...,
                partition: int = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                partition: int = ...,
            ) -> Self: ...

    class StandbyTask(MessagePart, frozen=True, kw_only=True, gc=False):
        """StandbyTask of AssignmentInfo, versions 1-11.

        The tasks whose state to keep as a spare.

        Attributes:
            task (TaskId): The task. Versions 1-11; default TaskId().
            partitions ([]TopicPartition): The partitions that the task reads. Versions 1-11; default
                ().
        """

        task: AssignmentInfo.TaskId = _field(default_factory=lambda: _DEFAULT_TaskId)
        partitions: tuple[AssignmentInfo.TopicPartition, ...] = ()

        _sequences = ("partitions",)

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                task: AssignmentInfo.TaskId = ...,
                partitions: Iterable[AssignmentInfo.TopicPartition] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                task: AssignmentInfo.TaskId = ...,
                partitions: Iterable[AssignmentInfo.TopicPartition] = ...,
            ) -> Self: ...

    class IndexedTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """IndexedTopic of AssignmentInfo, versions 5-11.

        A number for each topic that the hosts below refer to.

        Attributes:
            index (int32): The number. Versions 5-11; default 0.
            name (string): The topic's name. Versions 5-11; default ''; in modified-utf-8.
        """

        index: int = 0
        name: str = ""

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                index: int = ...,
                name: str = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                index: int = ...,
                name: str = ...,
            ) -> Self: ...

    class HostPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """HostPartition of AssignmentInfo, versions 2-11.

        The partitions.

        Attributes:
            topic (string): The topic's name. Versions 2-4; default ''; in modified-utf-8; other
                versions cannot hold it.
            topic_index (int32): The topic's number in the list of topics. Versions 5-11; default 0;
                other versions cannot hold it.
            partition (int32): The partition's number. Versions 2-11; default 0.
        """

        topic: str = ""
        topic_index: int = 0
        partition: int = 0

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic: str = ...,
                topic_index: int = ...,
                partition: int = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                topic_index: int = ...,
                partition: int = ...,
            ) -> Self: ...

    class HostPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """HostPartitions of AssignmentInfo, versions 2-11.

        The partitions of one host.

        Attributes:
            host (string): The host. Versions 2-11; default ''; in modified-utf-8.
            port (int32): The port. Versions 2-11; default 0.
            partitions ([]HostPartition): The partitions. Versions 2-11; default ().
        """

        host: str = ""
        port: int = 0
        partitions: tuple[AssignmentInfo.HostPartition, ...] = ()

        _sequences = ("partitions",)

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                host: str = ...,
                port: int = ...,
                partitions: Iterable[AssignmentInfo.HostPartition] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                host: str = ...,
                port: int = ...,
                partitions: Iterable[AssignmentInfo.HostPartition] = ...,
            ) -> Self: ...

    version: int = 0
    commonly_supported_version: int = -1
    active_tasks: tuple[AssignmentInfo.TaskId, ...] = ()
    standby_tasks: tuple[AssignmentInfo.StandbyTask, ...] = ()
    topics: tuple[AssignmentInfo.IndexedTopic, ...] = ()
    partitions_by_host: tuple[AssignmentInfo.HostPartitions, ...] = ()
    standby_partitions_by_host: tuple[AssignmentInfo.HostPartitions, ...] = ()
    error_code: int = 0
    next_rebalance_ms: int = 9223372036854775807

    _sequences = (
        "active_tasks",
        "standby_tasks",
        "topics",
        "partitions_by_host",
        "standby_partitions_by_host",
    )

    def __post_init__(self) -> None:
        if (
            type(self.active_tasks) is not tuple
            or type(self.standby_tasks) is not tuple
            or type(self.topics) is not tuple
            or type(self.partitions_by_host) is not tuple
            or type(self.standby_partitions_by_host) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            version: int = ...,
            commonly_supported_version: int = ...,
            active_tasks: Iterable[AssignmentInfo.TaskId] = ...,
            standby_tasks: Iterable[AssignmentInfo.StandbyTask] = ...,
            topics: Iterable[AssignmentInfo.IndexedTopic] = ...,
            partitions_by_host: Iterable[AssignmentInfo.HostPartitions] = ...,
            standby_partitions_by_host: Iterable[AssignmentInfo.HostPartitions] = ...,
            error_code: int = ...,
            next_rebalance_ms: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            version: int = ...,
            commonly_supported_version: int = ...,
            active_tasks: Iterable[AssignmentInfo.TaskId] = ...,
            standby_tasks: Iterable[AssignmentInfo.StandbyTask] = ...,
            topics: Iterable[AssignmentInfo.IndexedTopic] = ...,
            partitions_by_host: Iterable[AssignmentInfo.HostPartitions] = ...,
            standby_partitions_by_host: Iterable[AssignmentInfo.HostPartitions] = ...,
            error_code: int = ...,
            next_rebalance_ms: int = ...,
        ) -> Self: ...


_HostPartition = AssignmentInfo.HostPartition
_HostPartitions = AssignmentInfo.HostPartitions
_IndexedTopic = AssignmentInfo.IndexedTopic
_StandbyTask = AssignmentInfo.StandbyTask
_TaskId = AssignmentInfo.TaskId
_TopicPartition = AssignmentInfo.TopicPartition
_DEFAULT_TaskId: AssignmentInfo.TaskId = AssignmentInfo.TaskId()


def _read_task_id_v1_9(data: bytes, pos: int) -> tuple[_TaskId, int]:
    (topic_group_id,), pos = INT32.unpack(data, pos), pos + 4
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    return _TaskId(topic_group_id=topic_group_id, partition=partition), pos


def _write_task_id_v1_9(item: _TaskId, parts: list[bytes]) -> None:
    if type(item) is not _TaskId:
        raise OddValue
    if item.named_topology != "":
        raise OddValue
    INT32.write(item.topic_group_id, parts)
    INT32.write(item.partition, parts)


def _read_topic_partition_v1_11(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic, pos = read_modified_utf8(data, pos)
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    return _TopicPartition(topic=topic, partition=partition), pos


def _write_topic_partition_v1_11(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_modified_utf8(item.topic, parts)
    INT32.write(item.partition, parts)


def _read_standby_task_v1_9(data: bytes, pos: int) -> tuple[_StandbyTask, int]:
    task, pos = _read_task_id_v1_9(data, pos)
    partitions, pos = read_array(data, pos, _read_topic_partition_v1_11)
    return _StandbyTask(task=task, partitions=partitions), pos


def _write_standby_task_v1_9(item: _StandbyTask, parts: list[bytes]) -> None:
    if type(item) is not _StandbyTask:
        raise OddValue
    _write_task_id_v1_9(item.task, parts)
    write_array(item.partitions, parts, _write_topic_partition_v1_11)


def _read_v1(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version, active_tasks=active_tasks, standby_tasks=standby_tasks
    ), pos


def _write_v1(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 1:
        raise OddValue
    if message.commonly_supported_version != -1:
        raise OddValue
    if message.topics != ():
        raise OddValue
    if message.partitions_by_host != ():
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    INT32.write(message.version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)


def _read_host_partition_v2_4(data: bytes, pos: int) -> tuple[_HostPartition, int]:
    topic, pos = read_modified_utf8(data, pos)
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    return _HostPartition(topic=topic, partition=partition), pos


def _write_host_partition_v2_4(item: _HostPartition, parts: list[bytes]) -> None:
    if type(item) is not _HostPartition:
        raise OddValue
    if item.topic_index != 0:
        raise OddValue
    write_modified_utf8(item.topic, parts)
    INT32.write(item.partition, parts)


def _read_host_partitions_v2_4(data: bytes, pos: int) -> tuple[_HostPartitions, int]:
    host, pos = read_modified_utf8(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    partitions, pos = read_array(data, pos, _read_host_partition_v2_4)
    return _HostPartitions(host=host, port=port, partitions=partitions), pos


def _write_host_partitions_v2_4(item: _HostPartitions, parts: list[bytes]) -> None:
    if type(item) is not _HostPartitions:
        raise OddValue
    write_modified_utf8(item.host, parts)
    INT32.write(item.port, parts)
    write_array(item.partitions, parts, _write_host_partition_v2_4)


def _read_v2(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v2_4)
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        partitions_by_host=partitions_by_host,
    ), pos


def _write_v2(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 2:
        raise OddValue
    if message.commonly_supported_version != -1:
        raise OddValue
    if message.topics != ():
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    INT32.write(message.version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v2_4)


def _read_v3(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v2_4)
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        partitions_by_host=partitions_by_host,
    ), pos


def _write_v3(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 3:
        raise OddValue
    if message.topics != ():
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v2_4)


def _read_v4(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v2_4)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        partitions_by_host=partitions_by_host,
        error_code=error_code,
    ), pos


def _write_v4(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 4:
        raise OddValue
    if message.topics != ():
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v2_4)
    INT32.write(message.error_code, parts)


def _read_indexed_topic_v5_11(data: bytes, pos: int) -> tuple[_IndexedTopic, int]:
    (index,), pos = INT32.unpack(data, pos), pos + 4
    name, pos = read_modified_utf8(data, pos)
    return _IndexedTopic(index=index, name=name), pos


def _write_indexed_topic_v5_11(item: _IndexedTopic, parts: list[bytes]) -> None:
    if type(item) is not _IndexedTopic:
        raise OddValue
    INT32.write(item.index, parts)
    write_modified_utf8(item.name, parts)


def _read_host_partition_v5_11(data: bytes, pos: int) -> tuple[_HostPartition, int]:
    (topic_index,), pos = INT32.unpack(data, pos), pos + 4
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    return _HostPartition(topic_index=topic_index, partition=partition), pos


def _write_host_partition_v5_11(item: _HostPartition, parts: list[bytes]) -> None:
    if type(item) is not _HostPartition:
        raise OddValue
    if item.topic != "":
        raise OddValue
    INT32.write(item.topic_index, parts)
    INT32.write(item.partition, parts)


def _read_host_partitions_v5_11(data: bytes, pos: int) -> tuple[_HostPartitions, int]:
    host, pos = read_modified_utf8(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    partitions, pos = read_array(data, pos, _read_host_partition_v5_11)
    return _HostPartitions(host=host, port=port, partitions=partitions), pos


def _write_host_partitions_v5_11(item: _HostPartitions, parts: list[bytes]) -> None:
    if type(item) is not _HostPartitions:
        raise OddValue
    write_modified_utf8(item.host, parts)
    INT32.write(item.port, parts)
    write_array(item.partitions, parts, _write_host_partition_v5_11)


def _read_v5(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        error_code=error_code,
    ), pos


def _write_v5(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 5:
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)


def _read_v6(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    standby_partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        standby_partitions_by_host=standby_partitions_by_host,
        error_code=error_code,
    ), pos


def _write_v6(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 6:
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    write_array(message.standby_partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)


def _read_v7(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    standby_partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    (next_rebalance_ms,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        standby_partitions_by_host=standby_partitions_by_host,
        error_code=error_code,
        next_rebalance_ms=next_rebalance_ms,
    ), pos


def _write_v7(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 7:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    write_array(message.standby_partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)
    INT64.write(message.next_rebalance_ms, parts)


def _read_v8(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    standby_partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    (next_rebalance_ms,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        standby_partitions_by_host=standby_partitions_by_host,
        error_code=error_code,
        next_rebalance_ms=next_rebalance_ms,
    ), pos


def _write_v8(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 8:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    write_array(message.standby_partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)
    INT64.write(message.next_rebalance_ms, parts)


def _read_v9(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v1_9)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v1_9)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    standby_partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    (next_rebalance_ms,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        standby_partitions_by_host=standby_partitions_by_host,
        error_code=error_code,
        next_rebalance_ms=next_rebalance_ms,
    ), pos


def _write_v9(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 9:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v1_9)
    write_array(message.standby_tasks, parts, _write_standby_task_v1_9)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    write_array(message.standby_partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)
    INT64.write(message.next_rebalance_ms, parts)


def _read_task_id_v10_11(data: bytes, pos: int) -> tuple[_TaskId, int]:
    (topic_group_id,), pos = INT32.unpack(data, pos), pos + 4
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    named_topology, pos = read_utf16(data, pos)
    return _TaskId(
        topic_group_id=topic_group_id, partition=partition, named_topology=named_topology
    ), pos


def _write_task_id_v10_11(item: _TaskId, parts: list[bytes]) -> None:
    if type(item) is not _TaskId:
        raise OddValue
    INT32.write(item.topic_group_id, parts)
    INT32.write(item.partition, parts)
    write_utf16(item.named_topology, parts)


def _read_standby_task_v10_11(data: bytes, pos: int) -> tuple[_StandbyTask, int]:
    task, pos = _read_task_id_v10_11(data, pos)
    partitions, pos = read_array(data, pos, _read_topic_partition_v1_11)
    return _StandbyTask(task=task, partitions=partitions), pos


def _write_standby_task_v10_11(item: _StandbyTask, parts: list[bytes]) -> None:
    if type(item) is not _StandbyTask:
        raise OddValue
    _write_task_id_v10_11(item.task, parts)
    write_array(item.partitions, parts, _write_topic_partition_v1_11)


def _read_v10(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v10_11)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v10_11)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    standby_partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    (next_rebalance_ms,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        standby_partitions_by_host=standby_partitions_by_host,
        error_code=error_code,
        next_rebalance_ms=next_rebalance_ms,
    ), pos


def _write_v10(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 10:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v10_11)
    write_array(message.standby_tasks, parts, _write_standby_task_v10_11)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    write_array(message.standby_partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)
    INT64.write(message.next_rebalance_ms, parts)


def _read_v11(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (commonly_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    active_tasks, pos = read_array(data, pos, _read_task_id_v10_11)
    standby_tasks, pos = read_array(data, pos, _read_standby_task_v10_11)
    topics, pos = read_array(data, pos, _read_indexed_topic_v5_11)
    partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    standby_partitions_by_host, pos = read_array(data, pos, _read_host_partitions_v5_11)
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    (next_rebalance_ms,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version,
        commonly_supported_version=commonly_supported_version,
        active_tasks=active_tasks,
        standby_tasks=standby_tasks,
        topics=topics,
        partitions_by_host=partitions_by_host,
        standby_partitions_by_host=standby_partitions_by_host,
        error_code=error_code,
        next_rebalance_ms=next_rebalance_ms,
    ), pos


def _write_v11(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 11:
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.commonly_supported_version, parts)
    write_array(message.active_tasks, parts, _write_task_id_v10_11)
    write_array(message.standby_tasks, parts, _write_standby_task_v10_11)
    write_array(message.topics, parts, _write_indexed_topic_v5_11)
    write_array(message.partitions_by_host, parts, _write_host_partitions_v5_11)
    write_array(message.standby_partitions_by_host, parts, _write_host_partitions_v5_11)
    INT32.write(message.error_code, parts)
    INT64.write(message.next_rebalance_ms, parts)


AssignmentInfo._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6, _write_v6),
    7: Codec(_read_v7, _write_v7),
    8: Codec(_read_v8, _write_v8),
    9: Codec(_read_v9, _write_v9),
    10: Codec(_read_v10, _write_v10),
    11: Codec(_read_v11, _write_v11),
}
AssignmentInfo._by_header = {}
AssignmentInfo._headers = {}
