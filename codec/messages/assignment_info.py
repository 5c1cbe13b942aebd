"""AssignmentInfo, generated from schemas/AssignmentInfo.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field as _field

from ..framing import Framing
from ..message import Codec, MessagePart, VersionedMessage
from ..utf8 import decode_modified, decode_utf16, encode_modified, encode_utf16
from ..versions import VersionRange
from ..wire import MAX_ELEMENTS, OddBytes, OddValue, fixed, packed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_i = packed("i")
_pack_ii = packed("ii")
_pack_iii = packed("iii")
_pack_iq = packed("iq")
_pack_iu_h = packed("iH")
_pack_u_h = packed("H")
_unpack_i = fixed("i")
_unpack_ii = fixed("ii")
_unpack_iii = fixed("iii")
_unpack_iiu_i = fixed("iiI")
_unpack_iq = fixed("iq")
_unpack_iu_h = fixed("iH")
_unpack_iu_i = fixed("iI")
_unpack_u_h = fixed("H")
_unpack_u_i = fixed("I")


class AssignmentInfo(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """AssignmentInfo, versions 1-11."""

    NAME = "AssignmentInfo"
    VERSIONS = VersionRange(1, 11)
    LATEST = 11
    API_KEY = None
    FRAMING = Framing("version32", "refuse")

    class TaskId(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskId of AssignmentInfo, versions 1-11."""

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
        """TopicPartition of AssignmentInfo, versions 1-11."""

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
        """StandbyTask of AssignmentInfo, versions 1-11."""

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
        """IndexedTopic of AssignmentInfo, versions 5-11."""

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
        """HostPartition of AssignmentInfo, versions 2-11."""

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
        """HostPartitions of AssignmentInfo, versions 2-11."""

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


def _read_v1(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, active_tasks_count = _unpack_iu_i(data, pos)
    pos += 8
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    if pos > len(data):
        raise OddBytes
    return AssignmentInfo(
        version=version, active_tasks=active_tasks, standby_tasks=standby_tasks
    ), pos


def _write_v1(message: AssignmentInfo, parts: list[bytes]) -> None:
    if message.version != 1:
        raise OddValue
    add = parts.append
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
    if type(message.version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_ii(message.version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))


def _read_v2(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, active_tasks_count = _unpack_iu_i(data, pos)
    pos += 8
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            (topic_2_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_2_size
            topic_2 = decode_modified(data[pos:end])
            pos = end
            (partition_4,) = _unpack_i(data, pos)
            pos += 4
            partitions_2_list.append(_HostPartition(topic=topic_2, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
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
    add = parts.append
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
    if type(message.version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_ii(message.version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic_index != 0:
                raise OddValue
            topic_raw_2 = encode_modified(partitions_item_2.topic)
            add(_pack_u_h(len(topic_raw_2)))
            add(topic_raw_2)
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item_2.partition))


def _read_v3(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            (topic_2_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_2_size
            topic_2 = decode_modified(data[pos:end])
            pos = end
            (partition_4,) = _unpack_i(data, pos)
            pos += 4
            partitions_2_list.append(_HostPartition(topic=topic_2, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
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
    add = parts.append
    if message.topics != ():
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic_index != 0:
                raise OddValue
            topic_raw_2 = encode_modified(partitions_item_2.topic)
            add(_pack_u_h(len(topic_raw_2)))
            add(topic_raw_2)
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item_2.partition))


def _read_v4(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            (topic_2_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_2_size
            topic_2 = decode_modified(data[pos:end])
            pos = end
            (partition_4,) = _unpack_i(data, pos)
            pos += 4
            partitions_2_list.append(_HostPartition(topic=topic_2, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (error_code,) = _unpack_i(data, pos)
    pos += 4
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
    add = parts.append
    if message.topics != ():
        raise OddValue
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic_index != 0:
                raise OddValue
            topic_raw_2 = encode_modified(partitions_item_2.topic)
            add(_pack_u_h(len(topic_raw_2)))
            add(topic_raw_2)
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item_2.partition))
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_i(message.error_code))


def _read_v5(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (error_code,) = _unpack_i(data, pos)
    pos += 4
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
    add = parts.append
    if message.standby_partitions_by_host != ():
        raise OddValue
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_i(message.error_code))


def _read_v6(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (standby_partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    standby_partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(standby_partitions_by_host_count):
        (host_2_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_2_size
        host_2 = decode_modified(data[pos:end])
        pos = end
        port_2, partitions_3_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_3_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_3_list: list[_HostPartition] = []
        for _ in range(partitions_3_count):
            topic_index_2, partition_5 = _unpack_ii(data, pos)
            pos += 8
            partitions_3_list.append(
                _HostPartition(topic_index=topic_index_2, partition=partition_5)
            )
        partitions_3 = tuple(partitions_3_list)
        standby_partitions_by_host_list.append(
            _HostPartitions(host=host_2, port=port_2, partitions=partitions_3)
        )
    standby_partitions_by_host = tuple(standby_partitions_by_host_list)
    (error_code,) = _unpack_i(data, pos)
    pos += 4
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
    add = parts.append
    if message.next_rebalance_ms != 9223372036854775807:
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    standby_partitions_by_host = message.standby_partitions_by_host
    if type(standby_partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_partitions_by_host)))
    for standby_partitions_by_host_item in standby_partitions_by_host:
        if type(standby_partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw_2 = encode_modified(standby_partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw_2)))
        add(host_raw_2)
        if type(standby_partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_3 = standby_partitions_by_host_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        add(_pack_ii(standby_partitions_by_host_item.port, len(partitions_3)))
        for partitions_item_3 in partitions_3:
            if type(partitions_item_3) is not _HostPartition:
                raise OddValue
            if partitions_item_3.topic != "":
                raise OddValue
            if type(partitions_item_3.topic_index) is bool:
                raise OddValue
            if type(partitions_item_3.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_3.topic_index, partitions_item_3.partition))
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_i(message.error_code))


def _read_v7(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (standby_partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    standby_partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(standby_partitions_by_host_count):
        (host_2_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_2_size
        host_2 = decode_modified(data[pos:end])
        pos = end
        port_2, partitions_3_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_3_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_3_list: list[_HostPartition] = []
        for _ in range(partitions_3_count):
            topic_index_2, partition_5 = _unpack_ii(data, pos)
            pos += 8
            partitions_3_list.append(
                _HostPartition(topic_index=topic_index_2, partition=partition_5)
            )
        partitions_3 = tuple(partitions_3_list)
        standby_partitions_by_host_list.append(
            _HostPartitions(host=host_2, port=port_2, partitions=partitions_3)
        )
    standby_partitions_by_host = tuple(standby_partitions_by_host_list)
    error_code, next_rebalance_ms = _unpack_iq(data, pos)
    pos += 12
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
    add = parts.append
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    standby_partitions_by_host = message.standby_partitions_by_host
    if type(standby_partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_partitions_by_host)))
    for standby_partitions_by_host_item in standby_partitions_by_host:
        if type(standby_partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw_2 = encode_modified(standby_partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw_2)))
        add(host_raw_2)
        if type(standby_partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_3 = standby_partitions_by_host_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        add(_pack_ii(standby_partitions_by_host_item.port, len(partitions_3)))
        for partitions_item_3 in partitions_3:
            if type(partitions_item_3) is not _HostPartition:
                raise OddValue
            if partitions_item_3.topic != "":
                raise OddValue
            if type(partitions_item_3.topic_index) is bool:
                raise OddValue
            if type(partitions_item_3.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_3.topic_index, partitions_item_3.partition))
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.next_rebalance_ms) is bool:
        raise OddValue
    add(_pack_iq(message.error_code, message.next_rebalance_ms))


def _read_v8(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (standby_partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    standby_partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(standby_partitions_by_host_count):
        (host_2_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_2_size
        host_2 = decode_modified(data[pos:end])
        pos = end
        port_2, partitions_3_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_3_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_3_list: list[_HostPartition] = []
        for _ in range(partitions_3_count):
            topic_index_2, partition_5 = _unpack_ii(data, pos)
            pos += 8
            partitions_3_list.append(
                _HostPartition(topic_index=topic_index_2, partition=partition_5)
            )
        partitions_3 = tuple(partitions_3_list)
        standby_partitions_by_host_list.append(
            _HostPartitions(host=host_2, port=port_2, partitions=partitions_3)
        )
    standby_partitions_by_host = tuple(standby_partitions_by_host_list)
    error_code, next_rebalance_ms = _unpack_iq(data, pos)
    pos += 12
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
    add = parts.append
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    standby_partitions_by_host = message.standby_partitions_by_host
    if type(standby_partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_partitions_by_host)))
    for standby_partitions_by_host_item in standby_partitions_by_host:
        if type(standby_partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw_2 = encode_modified(standby_partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw_2)))
        add(host_raw_2)
        if type(standby_partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_3 = standby_partitions_by_host_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        add(_pack_ii(standby_partitions_by_host_item.port, len(partitions_3)))
        for partitions_item_3 in partitions_3:
            if type(partitions_item_3) is not _HostPartition:
                raise OddValue
            if partitions_item_3.topic != "":
                raise OddValue
            if type(partitions_item_3.topic_index) is bool:
                raise OddValue
            if type(partitions_item_3.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_3.topic_index, partitions_item_3.partition))
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.next_rebalance_ms) is bool:
        raise OddValue
    add(_pack_iq(message.error_code, message.next_rebalance_ms))


def _read_v9(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        active_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        task = _TaskId(topic_group_id=topic_group_id_2, partition=partition_2)
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (standby_partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    standby_partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(standby_partitions_by_host_count):
        (host_2_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_2_size
        host_2 = decode_modified(data[pos:end])
        pos = end
        port_2, partitions_3_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_3_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_3_list: list[_HostPartition] = []
        for _ in range(partitions_3_count):
            topic_index_2, partition_5 = _unpack_ii(data, pos)
            pos += 8
            partitions_3_list.append(
                _HostPartition(topic_index=topic_index_2, partition=partition_5)
            )
        partitions_3 = tuple(partitions_3_list)
        standby_partitions_by_host_list.append(
            _HostPartitions(host=host_2, port=port_2, partitions=partitions_3)
        )
    standby_partitions_by_host = tuple(standby_partitions_by_host_list)
    error_code, next_rebalance_ms = _unpack_iq(data, pos)
    pos += 12
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
    add = parts.append
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if active_tasks_item.named_topology != "":
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(active_tasks_item.topic_group_id, active_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if task.named_topology != "":
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_iii(task.topic_group_id, task.partition, len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    standby_partitions_by_host = message.standby_partitions_by_host
    if type(standby_partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_partitions_by_host)))
    for standby_partitions_by_host_item in standby_partitions_by_host:
        if type(standby_partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw_2 = encode_modified(standby_partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw_2)))
        add(host_raw_2)
        if type(standby_partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_3 = standby_partitions_by_host_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        add(_pack_ii(standby_partitions_by_host_item.port, len(partitions_3)))
        for partitions_item_3 in partitions_3:
            if type(partitions_item_3) is not _HostPartition:
                raise OddValue
            if partitions_item_3.topic != "":
                raise OddValue
            if type(partitions_item_3.topic_index) is bool:
                raise OddValue
            if type(partitions_item_3.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_3.topic_index, partitions_item_3.partition))
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.next_rebalance_ms) is bool:
        raise OddValue
    add(_pack_iq(message.error_code, message.next_rebalance_ms))


def _read_v10(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition, named_topology_size = _unpack_iii(data, pos)
        pos += 12
        if named_topology_size < 0:
            raise OddBytes
        end = pos + 2 * named_topology_size
        named_topology = decode_utf16(data[pos:end])
        pos = end
        active_tasks_list.append(
            _TaskId(
                topic_group_id=topic_group_id, partition=partition, named_topology=named_topology
            )
        )
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2, named_topology_2_size = _unpack_iii(data, pos)
        pos += 12
        if named_topology_2_size < 0:
            raise OddBytes
        end = pos + 2 * named_topology_2_size
        named_topology_2 = decode_utf16(data[pos:end])
        pos = end
        task = _TaskId(
            topic_group_id=topic_group_id_2, partition=partition_2, named_topology=named_topology_2
        )
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (standby_partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    standby_partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(standby_partitions_by_host_count):
        (host_2_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_2_size
        host_2 = decode_modified(data[pos:end])
        pos = end
        port_2, partitions_3_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_3_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_3_list: list[_HostPartition] = []
        for _ in range(partitions_3_count):
            topic_index_2, partition_5 = _unpack_ii(data, pos)
            pos += 8
            partitions_3_list.append(
                _HostPartition(topic_index=topic_index_2, partition=partition_5)
            )
        partitions_3 = tuple(partitions_3_list)
        standby_partitions_by_host_list.append(
            _HostPartitions(host=host_2, port=port_2, partitions=partitions_3)
        )
    standby_partitions_by_host = tuple(standby_partitions_by_host_list)
    error_code, next_rebalance_ms = _unpack_iq(data, pos)
    pos += 12
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
    add = parts.append
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        named_topology_raw = encode_utf16(active_tasks_item.named_topology)
        add(
            _pack_iii(
                active_tasks_item.topic_group_id,
                active_tasks_item.partition,
                len(named_topology_raw) // 2,
            )
        )
        add(named_topology_raw)
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        named_topology_raw_2 = encode_utf16(task.named_topology)
        add(_pack_iii(task.topic_group_id, task.partition, len(named_topology_raw_2) // 2))
        add(named_topology_raw_2)
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_i(len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    standby_partitions_by_host = message.standby_partitions_by_host
    if type(standby_partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_partitions_by_host)))
    for standby_partitions_by_host_item in standby_partitions_by_host:
        if type(standby_partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw_2 = encode_modified(standby_partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw_2)))
        add(host_raw_2)
        if type(standby_partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_3 = standby_partitions_by_host_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        add(_pack_ii(standby_partitions_by_host_item.port, len(partitions_3)))
        for partitions_item_3 in partitions_3:
            if type(partitions_item_3) is not _HostPartition:
                raise OddValue
            if partitions_item_3.topic != "":
                raise OddValue
            if type(partitions_item_3.topic_index) is bool:
                raise OddValue
            if type(partitions_item_3.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_3.topic_index, partitions_item_3.partition))
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.next_rebalance_ms) is bool:
        raise OddValue
    add(_pack_iq(message.error_code, message.next_rebalance_ms))


def _read_v11(data: bytes, pos: int) -> tuple[AssignmentInfo, int]:
    version, commonly_supported_version, active_tasks_count = _unpack_iiu_i(data, pos)
    pos += 12
    if active_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    active_tasks_list: list[_TaskId] = []
    for _ in range(active_tasks_count):
        topic_group_id, partition, named_topology_size = _unpack_iii(data, pos)
        pos += 12
        if named_topology_size < 0:
            raise OddBytes
        end = pos + 2 * named_topology_size
        named_topology = decode_utf16(data[pos:end])
        pos = end
        active_tasks_list.append(
            _TaskId(
                topic_group_id=topic_group_id, partition=partition, named_topology=named_topology
            )
        )
    active_tasks = tuple(active_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_StandbyTask] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2, named_topology_2_size = _unpack_iii(data, pos)
        pos += 12
        if named_topology_2_size < 0:
            raise OddBytes
        end = pos + 2 * named_topology_2_size
        named_topology_2 = decode_utf16(data[pos:end])
        pos = end
        task = _TaskId(
            topic_group_id=topic_group_id_2, partition=partition_2, named_topology=named_topology_2
        )
        (partitions_count,) = _unpack_u_i(data, pos)
        pos += 4
        if partitions_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_list: list[_TopicPartition] = []
        for _ in range(partitions_count):
            (topic_size,) = _unpack_u_h(data, pos)
            pos += 2
            end = pos + topic_size
            topic = decode_modified(data[pos:end])
            pos = end
            (partition_3,) = _unpack_i(data, pos)
            pos += 4
            partitions_list.append(_TopicPartition(topic=topic, partition=partition_3))
        partitions = tuple(partitions_list)
        standby_tasks_list.append(_StandbyTask(task=task, partitions=partitions))
    standby_tasks = tuple(standby_tasks_list)
    (topics_count,) = _unpack_u_i(data, pos)
    pos += 4
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[_IndexedTopic] = []
    for _ in range(topics_count):
        index, name_size = _unpack_iu_h(data, pos)
        pos += 6
        end = pos + name_size
        name = decode_modified(data[pos:end])
        pos = end
        topics_list.append(_IndexedTopic(index=index, name=name))
    topics = tuple(topics_list)
    (partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(partitions_by_host_count):
        (host_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_size
        host = decode_modified(data[pos:end])
        pos = end
        port, partitions_2_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_2_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_2_list: list[_HostPartition] = []
        for _ in range(partitions_2_count):
            topic_index, partition_4 = _unpack_ii(data, pos)
            pos += 8
            partitions_2_list.append(_HostPartition(topic_index=topic_index, partition=partition_4))
        partitions_2 = tuple(partitions_2_list)
        partitions_by_host_list.append(
            _HostPartitions(host=host, port=port, partitions=partitions_2)
        )
    partitions_by_host = tuple(partitions_by_host_list)
    (standby_partitions_by_host_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_partitions_by_host_count > MAX_ELEMENTS:
        raise OddBytes
    standby_partitions_by_host_list: list[_HostPartitions] = []
    for _ in range(standby_partitions_by_host_count):
        (host_2_size,) = _unpack_u_h(data, pos)
        pos += 2
        end = pos + host_2_size
        host_2 = decode_modified(data[pos:end])
        pos = end
        port_2, partitions_3_count = _unpack_iu_i(data, pos)
        pos += 8
        if partitions_3_count > MAX_ELEMENTS:
            raise OddBytes
        partitions_3_list: list[_HostPartition] = []
        for _ in range(partitions_3_count):
            topic_index_2, partition_5 = _unpack_ii(data, pos)
            pos += 8
            partitions_3_list.append(
                _HostPartition(topic_index=topic_index_2, partition=partition_5)
            )
        partitions_3 = tuple(partitions_3_list)
        standby_partitions_by_host_list.append(
            _HostPartitions(host=host_2, port=port_2, partitions=partitions_3)
        )
    standby_partitions_by_host = tuple(standby_partitions_by_host_list)
    error_code, next_rebalance_ms = _unpack_iq(data, pos)
    pos += 12
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
    add = parts.append
    if type(message.version) is bool:
        raise OddValue
    if type(message.commonly_supported_version) is bool:
        raise OddValue
    active_tasks = message.active_tasks
    if type(active_tasks) is not tuple:
        raise OddValue
    add(_pack_iii(message.version, message.commonly_supported_version, len(active_tasks)))
    for active_tasks_item in active_tasks:
        if type(active_tasks_item) is not _TaskId:
            raise OddValue
        if type(active_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(active_tasks_item.partition) is bool:
            raise OddValue
        named_topology_raw = encode_utf16(active_tasks_item.named_topology)
        add(
            _pack_iii(
                active_tasks_item.topic_group_id,
                active_tasks_item.partition,
                len(named_topology_raw) // 2,
            )
        )
        add(named_topology_raw)
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _StandbyTask:
            raise OddValue
        task = standby_tasks_item.task
        if type(task) is not _TaskId:
            raise OddValue
        if type(task.topic_group_id) is bool:
            raise OddValue
        if type(task.partition) is bool:
            raise OddValue
        named_topology_raw_2 = encode_utf16(task.named_topology)
        add(_pack_iii(task.topic_group_id, task.partition, len(named_topology_raw_2) // 2))
        add(named_topology_raw_2)
        partitions = standby_tasks_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_i(len(partitions)))
        for partitions_item in partitions:
            if type(partitions_item) is not _TopicPartition:
                raise OddValue
            topic_raw = encode_modified(partitions_item.topic)
            add(_pack_u_h(len(topic_raw)))
            add(topic_raw)
            if type(partitions_item.partition) is bool:
                raise OddValue
            add(_pack_i(partitions_item.partition))
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        if type(topics_item) is not _IndexedTopic:
            raise OddValue
        if type(topics_item.index) is bool:
            raise OddValue
        name_raw = encode_modified(topics_item.name)
        add(_pack_iu_h(topics_item.index, len(name_raw)))
        add(name_raw)
    partitions_by_host = message.partitions_by_host
    if type(partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(partitions_by_host)))
    for partitions_by_host_item in partitions_by_host:
        if type(partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw = encode_modified(partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw)))
        add(host_raw)
        if type(partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_2 = partitions_by_host_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_ii(partitions_by_host_item.port, len(partitions_2)))
        for partitions_item_2 in partitions_2:
            if type(partitions_item_2) is not _HostPartition:
                raise OddValue
            if partitions_item_2.topic != "":
                raise OddValue
            if type(partitions_item_2.topic_index) is bool:
                raise OddValue
            if type(partitions_item_2.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_2.topic_index, partitions_item_2.partition))
    standby_partitions_by_host = message.standby_partitions_by_host
    if type(standby_partitions_by_host) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_partitions_by_host)))
    for standby_partitions_by_host_item in standby_partitions_by_host:
        if type(standby_partitions_by_host_item) is not _HostPartitions:
            raise OddValue
        host_raw_2 = encode_modified(standby_partitions_by_host_item.host)
        add(_pack_u_h(len(host_raw_2)))
        add(host_raw_2)
        if type(standby_partitions_by_host_item.port) is bool:
            raise OddValue
        partitions_3 = standby_partitions_by_host_item.partitions
        if type(partitions_3) is not tuple:
            raise OddValue
        add(_pack_ii(standby_partitions_by_host_item.port, len(partitions_3)))
        for partitions_item_3 in partitions_3:
            if type(partitions_item_3) is not _HostPartition:
                raise OddValue
            if partitions_item_3.topic != "":
                raise OddValue
            if type(partitions_item_3.topic_index) is bool:
                raise OddValue
            if type(partitions_item_3.partition) is bool:
                raise OddValue
            add(_pack_ii(partitions_item_3.topic_index, partitions_item_3.partition))
    if type(message.error_code) is bool:
        raise OddValue
    if type(message.next_rebalance_ms) is bool:
        raise OddValue
    add(_pack_iq(message.error_code, message.next_rebalance_ms))


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
