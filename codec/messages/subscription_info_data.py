"""SubscriptionInfoData, generated from schemas/SubscriptionInfoData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, VersionedMessage
from ..wire.primitives import (
    INT8,
    INT32,
    INT64,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_array,
    read_bytes,
    read_nullable_string,
    read_uuid,
    write_array,
    write_bytes,
    write_nullable_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class SubscriptionInfoData(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """SubscriptionInfoData, versions 1-11.

    The user data of a subscription under Kafka Streams' own assignor, protocol "stream": which
    process it is, what it holds, how current that is. Its version is its first field, of 32 bits. A
    reader that meets a newer one takes the first two fields and ignores the rest: so the leader can
    answer in a version that both know (KIP-268).

    Version 1: the process and its tasks. Version 2: its endpoint for queries.
    Version 3 (KIP-268): the newest version that the member knows.
    Versions 4 to 6: as version 3; AssignmentInfo changes, and both count together.
    Version 7 (KIP-441): how far each task is, instead of plain lists.
    Version 8: a field that makes each subscription differ from the last.
    Version 9 (KIP-671): an error for the whole group.
    Version 10: named topologies; each task says all about itself. Version 11 (KIP-708): client tags.

    Attributes:
        version (int32): The version of this message. Versions 1-11; default 0.
        latest_supported_version (int32): The newest version that the member knows (KIP-268). Versions
            3-11; default -1; other versions cannot hold it.
        process_id (uuid): The process, which may run several members. Versions 1-11; default
            UUID(int=0).
        prev_tasks ([]TaskId): The tasks that it processed. Versions 1-6; default (); other versions
            cannot hold it.
        standby_tasks ([]TaskId): The tasks whose state it kept as a spare. Versions 1-6; default ();
            other versions cannot hold it.
        user_end_point (bytes): Where it answers queries, host:port; empty if nowhere. Versions 2-11;
            default b''; other versions cannot hold it.
        task_offset_sums ([]TaskOffsetSum): How far its state of each task is (KIP-441). Versions
            7-11; default (); other versions cannot hold it.
        unique_field (int8): A number that grows with each subscription. Versions 8-11; default 0;
            other versions cannot hold it.
        error_code (int32): 0, or 4 to ask all members to stop (KIP-671). Versions 9-11; default 0;
            other versions cannot hold it.
        client_tags ([]ClientTag): Labels for rack-aware assignment (KIP-708). Version 11; default ();
            other versions cannot hold it.
    """

    NAME = "SubscriptionInfoData"
    VERSIONS = VersionRange(1, 11)
    LATEST = 11
    API_KEY = None
    FRAMING = Framing("version32", "head")

    class TaskId(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskId of SubscriptionInfoData, versions 1-6.

        A task: one partition of one sub-topology.

        Attributes:
            topic_group_id (int32): The sub-topology's number. Versions 1-6; default 0.
            partition (int32): The partition's number. Versions 1-6; default 0.
        """

        topic_group_id: int = 0
        partition: int = 0

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_group_id: int = ...,
                partition: int = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_group_id: int = ...,
                partition: int = ...,
            ) -> Self: ...

    class PartitionToOffsetSum(MessagePart, frozen=True, kw_only=True, gc=False):
        """PartitionToOffsetSum of SubscriptionInfoData, versions 7-9.

        How far one task is.

        Attributes:
            partition (int32): The partition's number. Versions 7-9; default 0.
            offset_sum (int64): The sum of the offsets of its changelogs. Versions 7-9; default 0.
        """

        partition: int = 0
        offset_sum: int = 0

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition: int = ...,
                offset_sum: int = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition: int = ...,
                offset_sum: int = ...,
            ) -> Self: ...

    class TaskOffsetSum(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskOffsetSum of SubscriptionInfoData, versions 7-11.

        How far the tasks of one sub-topology are; since version 10 one task.

        Attributes:
            topic_group_id (int32): The sub-topology's number. Versions 7-11; default 0.
            partition (int32): The partition's number. Versions 10-11; default 0; other versions
                cannot hold it.
            offset_sum (int64): The sum of the offsets of its changelogs. Versions 10-11; default 0;
                other versions cannot hold it.
            named_topology (string): The topology that it is of; null if it has no name. Versions
                10-11; may be null; default ''; other versions cannot hold it.
            partition_to_offset_sum ([]PartitionToOffsetSum): The tasks of the sub-topology. Versions
                7-9; default (); other versions cannot hold it.
        """

        topic_group_id: int = 0
        partition: int = 0
        offset_sum: int = 0
        named_topology: str | None = ""
        partition_to_offset_sum: tuple[SubscriptionInfoData.PartitionToOffsetSum, ...] = ()

        _sequences = ("partition_to_offset_sum",)

        def __post_init__(self) -> None:
            if type(self.partition_to_offset_sum) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_group_id: int = ...,
                partition: int = ...,
                offset_sum: int = ...,
                named_topology: str | None = ...,
                partition_to_offset_sum: Iterable[SubscriptionInfoData.PartitionToOffsetSum] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_group_id: int = ...,
                partition: int = ...,
                offset_sum: int = ...,
                named_topology: str | None = ...,
                partition_to_offset_sum: Iterable[SubscriptionInfoData.PartitionToOffsetSum] = ...,
            ) -> Self: ...

    class ClientTag(MessagePart, frozen=True, kw_only=True, gc=False):
        """ClientTag of SubscriptionInfoData, versions 11.

        A label, as text in UTF-8.

        Attributes:
            key (bytes): The label's name. Version 11; default b''.
            value (bytes): The label's value. Version 11; default b''.
        """

        key: bytes = b""
        value: bytes = b""

        _blobs = ("key", "value")

        def __post_init__(self) -> None:
            if type(self.key) is not bytes or type(self.value) is not bytes:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                key: bytes = ...,
                value: bytes = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                key: bytes = ...,
                value: bytes = ...,
            ) -> Self: ...

    version: int = 0
    latest_supported_version: int = -1
    process_id: UUID = ZERO_UUID
    prev_tasks: tuple[SubscriptionInfoData.TaskId, ...] = ()
    standby_tasks: tuple[SubscriptionInfoData.TaskId, ...] = ()
    user_end_point: bytes = b""
    task_offset_sums: tuple[SubscriptionInfoData.TaskOffsetSum, ...] = ()
    unique_field: int = 0
    error_code: int = 0
    client_tags: tuple[SubscriptionInfoData.ClientTag, ...] = ()

    _sequences = ("prev_tasks", "standby_tasks", "task_offset_sums", "client_tags")
    _blobs = ("user_end_point",)

    def __post_init__(self) -> None:
        if (
            type(self.prev_tasks) is not tuple
            or type(self.standby_tasks) is not tuple
            or type(self.task_offset_sums) is not tuple
            or type(self.client_tags) is not tuple
            or type(self.user_end_point) is not bytes
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            version: int = ...,
            latest_supported_version: int = ...,
            process_id: UUID = ...,
            prev_tasks: Iterable[SubscriptionInfoData.TaskId] = ...,
            standby_tasks: Iterable[SubscriptionInfoData.TaskId] = ...,
            user_end_point: bytes = ...,
            task_offset_sums: Iterable[SubscriptionInfoData.TaskOffsetSum] = ...,
            unique_field: int = ...,
            error_code: int = ...,
            client_tags: Iterable[SubscriptionInfoData.ClientTag] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            version: int = ...,
            latest_supported_version: int = ...,
            process_id: UUID = ...,
            prev_tasks: Iterable[SubscriptionInfoData.TaskId] = ...,
            standby_tasks: Iterable[SubscriptionInfoData.TaskId] = ...,
            user_end_point: bytes = ...,
            task_offset_sums: Iterable[SubscriptionInfoData.TaskOffsetSum] = ...,
            unique_field: int = ...,
            error_code: int = ...,
            client_tags: Iterable[SubscriptionInfoData.ClientTag] = ...,
        ) -> Self: ...


_ClientTag = SubscriptionInfoData.ClientTag
_PartitionToOffsetSum = SubscriptionInfoData.PartitionToOffsetSum
_TaskId = SubscriptionInfoData.TaskId
_TaskOffsetSum = SubscriptionInfoData.TaskOffsetSum


def _read_head(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version, latest_supported_version=latest_supported_version
    ), pos


def _write_head(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.process_id != ZERO_UUID:
        raise OddValue
    if message.user_end_point != b"":
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)


def _read_task_id_v1_6(data: bytes, pos: int) -> tuple[_TaskId, int]:
    (topic_group_id,), pos = INT32.unpack(data, pos), pos + 4
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    return _TaskId(topic_group_id=topic_group_id, partition=partition), pos


def _write_task_id_v1_6(item: _TaskId, parts: list[bytes]) -> None:
    if type(item) is not _TaskId:
        raise OddValue
    INT32.write(item.topic_group_id, parts)
    INT32.write(item.partition, parts)


def _read_v1(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    prev_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    standby_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version, process_id=process_id, prev_tasks=prev_tasks, standby_tasks=standby_tasks
    ), pos


def _write_v1(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 1:
        raise OddValue
    if message.latest_supported_version != -1:
        raise OddValue
    if message.user_end_point != b"":
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    write_uuid(message.process_id, parts)
    write_array(message.prev_tasks, parts, _write_task_id_v1_6)
    write_array(message.standby_tasks, parts, _write_task_id_v1_6)


def _read_v2(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    prev_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    standby_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    user_end_point, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        process_id=process_id,
        prev_tasks=prev_tasks,
        standby_tasks=standby_tasks,
        user_end_point=user_end_point,
    ), pos


def _write_v2(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 2:
        raise OddValue
    if message.latest_supported_version != -1:
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    write_uuid(message.process_id, parts)
    write_array(message.prev_tasks, parts, _write_task_id_v1_6)
    write_array(message.standby_tasks, parts, _write_task_id_v1_6)
    write_bytes(message.user_end_point, parts)


def _read_v3(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    prev_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    standby_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    user_end_point, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        prev_tasks=prev_tasks,
        standby_tasks=standby_tasks,
        user_end_point=user_end_point,
    ), pos


def _write_v3(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 3:
        raise OddValue
    if message.latest_supported_version < 3:
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_array(message.prev_tasks, parts, _write_task_id_v1_6)
    write_array(message.standby_tasks, parts, _write_task_id_v1_6)
    write_bytes(message.user_end_point, parts)


def _read_v4(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    prev_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    standby_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    user_end_point, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        prev_tasks=prev_tasks,
        standby_tasks=standby_tasks,
        user_end_point=user_end_point,
    ), pos


def _write_v4(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 4:
        raise OddValue
    if message.latest_supported_version < 4:
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_array(message.prev_tasks, parts, _write_task_id_v1_6)
    write_array(message.standby_tasks, parts, _write_task_id_v1_6)
    write_bytes(message.user_end_point, parts)


def _read_v5(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    prev_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    standby_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    user_end_point, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        prev_tasks=prev_tasks,
        standby_tasks=standby_tasks,
        user_end_point=user_end_point,
    ), pos


def _write_v5(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 5:
        raise OddValue
    if message.latest_supported_version < 5:
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_array(message.prev_tasks, parts, _write_task_id_v1_6)
    write_array(message.standby_tasks, parts, _write_task_id_v1_6)
    write_bytes(message.user_end_point, parts)


def _read_v6(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    prev_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    standby_tasks, pos = read_array(data, pos, _read_task_id_v1_6)
    user_end_point, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        prev_tasks=prev_tasks,
        standby_tasks=standby_tasks,
        user_end_point=user_end_point,
    ), pos


def _write_v6(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 6:
        raise OddValue
    if message.latest_supported_version < 6:
        raise OddValue
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_array(message.prev_tasks, parts, _write_task_id_v1_6)
    write_array(message.standby_tasks, parts, _write_task_id_v1_6)
    write_bytes(message.user_end_point, parts)


def _read_partition_to_offset_sum_v7_9(data: bytes, pos: int) -> tuple[_PartitionToOffsetSum, int]:
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (offset_sum,), pos = INT64.unpack(data, pos), pos + 8
    return _PartitionToOffsetSum(partition=partition, offset_sum=offset_sum), pos


def _write_partition_to_offset_sum_v7_9(item: _PartitionToOffsetSum, parts: list[bytes]) -> None:
    if type(item) is not _PartitionToOffsetSum:
        raise OddValue
    INT32.write(item.partition, parts)
    INT64.write(item.offset_sum, parts)


def _read_task_offset_sum_v7_9(data: bytes, pos: int) -> tuple[_TaskOffsetSum, int]:
    (topic_group_id,), pos = INT32.unpack(data, pos), pos + 4
    partition_to_offset_sum, pos = read_array(data, pos, _read_partition_to_offset_sum_v7_9)
    return _TaskOffsetSum(
        topic_group_id=topic_group_id, partition_to_offset_sum=partition_to_offset_sum
    ), pos


def _write_task_offset_sum_v7_9(item: _TaskOffsetSum, parts: list[bytes]) -> None:
    if type(item) is not _TaskOffsetSum:
        raise OddValue
    if item.partition != 0:
        raise OddValue
    if item.offset_sum != 0:
        raise OddValue
    if item.named_topology != "":
        raise OddValue
    INT32.write(item.topic_group_id, parts)
    write_array(item.partition_to_offset_sum, parts, _write_partition_to_offset_sum_v7_9)


def _read_v7(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    user_end_point, pos = read_bytes(data, pos)
    task_offset_sums, pos = read_array(data, pos, _read_task_offset_sum_v7_9)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        user_end_point=user_end_point,
        task_offset_sums=task_offset_sums,
    ), pos


def _write_v7(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 7:
        raise OddValue
    if message.latest_supported_version < 7:
        raise OddValue
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_bytes(message.user_end_point, parts)
    write_array(message.task_offset_sums, parts, _write_task_offset_sum_v7_9)


def _read_v8(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    user_end_point, pos = read_bytes(data, pos)
    task_offset_sums, pos = read_array(data, pos, _read_task_offset_sum_v7_9)
    (unique_field,), pos = INT8.unpack(data, pos), pos + 1
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        user_end_point=user_end_point,
        task_offset_sums=task_offset_sums,
        unique_field=unique_field,
    ), pos


def _write_v8(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 8:
        raise OddValue
    if message.latest_supported_version < 8:
        raise OddValue
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_bytes(message.user_end_point, parts)
    write_array(message.task_offset_sums, parts, _write_task_offset_sum_v7_9)
    INT8.write(message.unique_field, parts)


def _read_v9(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    user_end_point, pos = read_bytes(data, pos)
    task_offset_sums, pos = read_array(data, pos, _read_task_offset_sum_v7_9)
    (unique_field,), pos = INT8.unpack(data, pos), pos + 1
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        user_end_point=user_end_point,
        task_offset_sums=task_offset_sums,
        unique_field=unique_field,
        error_code=error_code,
    ), pos


def _write_v9(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 9:
        raise OddValue
    if message.latest_supported_version < 9:
        raise OddValue
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_bytes(message.user_end_point, parts)
    write_array(message.task_offset_sums, parts, _write_task_offset_sum_v7_9)
    INT8.write(message.unique_field, parts)
    INT32.write(message.error_code, parts)


def _read_task_offset_sum_v10_11(data: bytes, pos: int) -> tuple[_TaskOffsetSum, int]:
    (topic_group_id,), pos = INT32.unpack(data, pos), pos + 4
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    (offset_sum,), pos = INT64.unpack(data, pos), pos + 8
    named_topology, pos = read_nullable_string(data, pos)
    return _TaskOffsetSum(
        topic_group_id=topic_group_id,
        partition=partition,
        offset_sum=offset_sum,
        named_topology=named_topology,
    ), pos


def _write_task_offset_sum_v10_11(item: _TaskOffsetSum, parts: list[bytes]) -> None:
    if type(item) is not _TaskOffsetSum:
        raise OddValue
    if item.partition_to_offset_sum != ():
        raise OddValue
    INT32.write(item.topic_group_id, parts)
    INT32.write(item.partition, parts)
    INT64.write(item.offset_sum, parts)
    write_nullable_string(item.named_topology, parts)


def _read_v10(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    user_end_point, pos = read_bytes(data, pos)
    task_offset_sums, pos = read_array(data, pos, _read_task_offset_sum_v10_11)
    (unique_field,), pos = INT8.unpack(data, pos), pos + 1
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        user_end_point=user_end_point,
        task_offset_sums=task_offset_sums,
        unique_field=unique_field,
        error_code=error_code,
    ), pos


def _write_v10(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 10:
        raise OddValue
    if message.latest_supported_version < 10:
        raise OddValue
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_bytes(message.user_end_point, parts)
    write_array(message.task_offset_sums, parts, _write_task_offset_sum_v10_11)
    INT8.write(message.unique_field, parts)
    INT32.write(message.error_code, parts)


def _read_client_tag_v11(data: bytes, pos: int) -> tuple[_ClientTag, int]:
    key, pos = read_bytes(data, pos)
    value, pos = read_bytes(data, pos)
    return _ClientTag(key=key, value=value), pos


def _write_client_tag_v11(item: _ClientTag, parts: list[bytes]) -> None:
    if type(item) is not _ClientTag:
        raise OddValue
    write_bytes(item.key, parts)
    write_bytes(item.value, parts)


def _read_v11(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    (version,), pos = INT32.unpack(data, pos), pos + 4
    (latest_supported_version,), pos = INT32.unpack(data, pos), pos + 4
    process_id, pos = read_uuid(data, pos)
    user_end_point, pos = read_bytes(data, pos)
    task_offset_sums, pos = read_array(data, pos, _read_task_offset_sum_v10_11)
    (unique_field,), pos = INT8.unpack(data, pos), pos + 1
    (error_code,), pos = INT32.unpack(data, pos), pos + 4
    client_tags, pos = read_array(data, pos, _read_client_tag_v11)
    if pos > len(data):
        raise OddBytes
    return SubscriptionInfoData(
        version=version,
        latest_supported_version=latest_supported_version,
        process_id=process_id,
        user_end_point=user_end_point,
        task_offset_sums=task_offset_sums,
        unique_field=unique_field,
        error_code=error_code,
        client_tags=client_tags,
    ), pos


def _write_v11(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 11:
        raise OddValue
    if message.latest_supported_version < 11:
        raise OddValue
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    INT32.write(message.version, parts)
    INT32.write(message.latest_supported_version, parts)
    write_uuid(message.process_id, parts)
    write_bytes(message.user_end_point, parts)
    write_array(message.task_offset_sums, parts, _write_task_offset_sum_v10_11)
    INT8.write(message.unique_field, parts)
    INT32.write(message.error_code, parts)
    write_array(message.client_tags, parts, _write_client_tag_v11)


SubscriptionInfoData._codecs = {
    -1: Codec(_read_head, _write_head),
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
SubscriptionInfoData._by_header = {}
SubscriptionInfoData._headers = {}
