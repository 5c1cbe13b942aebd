"""SubscriptionInfoData, generated from schemas/SubscriptionInfoData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, MessagePart, VersionedMessage
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import MAX_ELEMENTS, OddBytes, OddValue, fixed, pack_strings, packed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_b = packed("b")
_pack_bi = packed("bi")
_pack_bii = packed("bii")
_pack_h_string = pack_strings("h")
_pack_i = packed("i")
_pack_ii = packed("ii")
_pack_iiq = packed("iiq")
_pack_iiuuid_i = packed("ii16si")
_pack_iq = packed("iq")
_pack_iuuid_i = packed("i16si")
_unpack_b = fixed("b")
_unpack_bi = fixed("bi")
_unpack_biu_i = fixed("biI")
_unpack_i = fixed("i")
_unpack_ii = fixed("ii")
_unpack_iiqh = fixed("iiqh")
_unpack_iiuuid_i = fixed("ii16si")
_unpack_iiuuid_u_i = fixed("ii16sI")
_unpack_iq = fixed("iq")
_unpack_iu_i = fixed("iI")
_unpack_iuuid_u_i = fixed("i16sI")
_unpack_u_i = fixed("I")


class SubscriptionInfoData(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """SubscriptionInfoData, versions 1-11."""

    NAME = "SubscriptionInfoData"
    VERSIONS = VersionRange(1, 11)
    LATEST = 11
    API_KEY = None
    FRAMING = Framing("version32", "head")

    class TaskId(MessagePart, frozen=True, kw_only=True, gc=False):
        """TaskId of SubscriptionInfoData, versions 1-6."""

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
        """PartitionToOffsetSum of SubscriptionInfoData, versions 7-9."""

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
        """TaskOffsetSum of SubscriptionInfoData, versions 7-11."""

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
        """ClientTag of SubscriptionInfoData, versions 11."""

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


def _read_v1(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, process_id_raw, prev_tasks_count = _unpack_iuuid_u_i(data, pos)
    pos += 24
    process_id = uuid_of(process_id_raw)
    if prev_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    prev_tasks_list: list[_TaskId] = []
    for _ in range(prev_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        prev_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    prev_tasks = tuple(prev_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskId] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        standby_tasks_list.append(_TaskId(topic_group_id=topic_group_id_2, partition=partition_2))
    standby_tasks = tuple(standby_tasks_list)
    return SubscriptionInfoData(
        version=version, process_id=process_id, prev_tasks=prev_tasks, standby_tasks=standby_tasks
    ), pos


def _write_v1(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    if message.version != 1:
        raise OddValue
    add = parts.append
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
    if type(message.version) is bool:
        raise OddValue
    prev_tasks = message.prev_tasks
    if type(prev_tasks) is not tuple:
        raise OddValue
    add(_pack_iuuid_i(message.version, message.process_id.bytes, len(prev_tasks)))
    for prev_tasks_item in prev_tasks:
        if type(prev_tasks_item) is not _TaskId:
            raise OddValue
        if type(prev_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(prev_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(prev_tasks_item.topic_group_id, prev_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskId:
            raise OddValue
        if type(standby_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(standby_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(standby_tasks_item.topic_group_id, standby_tasks_item.partition))


def _read_v2(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, process_id_raw, prev_tasks_count = _unpack_iuuid_u_i(data, pos)
    pos += 24
    process_id = uuid_of(process_id_raw)
    if prev_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    prev_tasks_list: list[_TaskId] = []
    for _ in range(prev_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        prev_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    prev_tasks = tuple(prev_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskId] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        standby_tasks_list.append(_TaskId(topic_group_id=topic_group_id_2, partition=partition_2))
    standby_tasks = tuple(standby_tasks_list)
    (user_end_point_size,) = _unpack_i(data, pos)
    pos += 4
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
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
    add = parts.append
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
    if type(message.version) is bool:
        raise OddValue
    prev_tasks = message.prev_tasks
    if type(prev_tasks) is not tuple:
        raise OddValue
    add(_pack_iuuid_i(message.version, message.process_id.bytes, len(prev_tasks)))
    for prev_tasks_item in prev_tasks:
        if type(prev_tasks_item) is not _TaskId:
            raise OddValue
        if type(prev_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(prev_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(prev_tasks_item.topic_group_id, prev_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskId:
            raise OddValue
        if type(standby_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(standby_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(standby_tasks_item.topic_group_id, standby_tasks_item.partition))
    add(_pack_i(len(message.user_end_point)))
    add(message.user_end_point)


def _read_v3(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, prev_tasks_count = _unpack_iiuuid_u_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if prev_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    prev_tasks_list: list[_TaskId] = []
    for _ in range(prev_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        prev_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    prev_tasks = tuple(prev_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskId] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        standby_tasks_list.append(_TaskId(topic_group_id=topic_group_id_2, partition=partition_2))
    standby_tasks = tuple(standby_tasks_list)
    (user_end_point_size,) = _unpack_i(data, pos)
    pos += 4
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
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
    add = parts.append
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    prev_tasks = message.prev_tasks
    if type(prev_tasks) is not tuple:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(prev_tasks),
        )
    )
    for prev_tasks_item in prev_tasks:
        if type(prev_tasks_item) is not _TaskId:
            raise OddValue
        if type(prev_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(prev_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(prev_tasks_item.topic_group_id, prev_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskId:
            raise OddValue
        if type(standby_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(standby_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(standby_tasks_item.topic_group_id, standby_tasks_item.partition))
    add(_pack_i(len(message.user_end_point)))
    add(message.user_end_point)


def _read_v4(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, prev_tasks_count = _unpack_iiuuid_u_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if prev_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    prev_tasks_list: list[_TaskId] = []
    for _ in range(prev_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        prev_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    prev_tasks = tuple(prev_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskId] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        standby_tasks_list.append(_TaskId(topic_group_id=topic_group_id_2, partition=partition_2))
    standby_tasks = tuple(standby_tasks_list)
    (user_end_point_size,) = _unpack_i(data, pos)
    pos += 4
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
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
    add = parts.append
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    prev_tasks = message.prev_tasks
    if type(prev_tasks) is not tuple:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(prev_tasks),
        )
    )
    for prev_tasks_item in prev_tasks:
        if type(prev_tasks_item) is not _TaskId:
            raise OddValue
        if type(prev_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(prev_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(prev_tasks_item.topic_group_id, prev_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskId:
            raise OddValue
        if type(standby_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(standby_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(standby_tasks_item.topic_group_id, standby_tasks_item.partition))
    add(_pack_i(len(message.user_end_point)))
    add(message.user_end_point)


def _read_v5(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, prev_tasks_count = _unpack_iiuuid_u_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if prev_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    prev_tasks_list: list[_TaskId] = []
    for _ in range(prev_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        prev_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    prev_tasks = tuple(prev_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskId] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        standby_tasks_list.append(_TaskId(topic_group_id=topic_group_id_2, partition=partition_2))
    standby_tasks = tuple(standby_tasks_list)
    (user_end_point_size,) = _unpack_i(data, pos)
    pos += 4
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
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
    add = parts.append
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    prev_tasks = message.prev_tasks
    if type(prev_tasks) is not tuple:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(prev_tasks),
        )
    )
    for prev_tasks_item in prev_tasks:
        if type(prev_tasks_item) is not _TaskId:
            raise OddValue
        if type(prev_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(prev_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(prev_tasks_item.topic_group_id, prev_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskId:
            raise OddValue
        if type(standby_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(standby_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(standby_tasks_item.topic_group_id, standby_tasks_item.partition))
    add(_pack_i(len(message.user_end_point)))
    add(message.user_end_point)


def _read_v6(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, prev_tasks_count = _unpack_iiuuid_u_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if prev_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    prev_tasks_list: list[_TaskId] = []
    for _ in range(prev_tasks_count):
        topic_group_id, partition = _unpack_ii(data, pos)
        pos += 8
        prev_tasks_list.append(_TaskId(topic_group_id=topic_group_id, partition=partition))
    prev_tasks = tuple(prev_tasks_list)
    (standby_tasks_count,) = _unpack_u_i(data, pos)
    pos += 4
    if standby_tasks_count > MAX_ELEMENTS:
        raise OddBytes
    standby_tasks_list: list[_TaskId] = []
    for _ in range(standby_tasks_count):
        topic_group_id_2, partition_2 = _unpack_ii(data, pos)
        pos += 8
        standby_tasks_list.append(_TaskId(topic_group_id=topic_group_id_2, partition=partition_2))
    standby_tasks = tuple(standby_tasks_list)
    (user_end_point_size,) = _unpack_i(data, pos)
    pos += 4
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
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
    add = parts.append
    if message.task_offset_sums != ():
        raise OddValue
    if message.unique_field != 0:
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    prev_tasks = message.prev_tasks
    if type(prev_tasks) is not tuple:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(prev_tasks),
        )
    )
    for prev_tasks_item in prev_tasks:
        if type(prev_tasks_item) is not _TaskId:
            raise OddValue
        if type(prev_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(prev_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(prev_tasks_item.topic_group_id, prev_tasks_item.partition))
    standby_tasks = message.standby_tasks
    if type(standby_tasks) is not tuple:
        raise OddValue
    add(_pack_i(len(standby_tasks)))
    for standby_tasks_item in standby_tasks:
        if type(standby_tasks_item) is not _TaskId:
            raise OddValue
        if type(standby_tasks_item.topic_group_id) is bool:
            raise OddValue
        if type(standby_tasks_item.partition) is bool:
            raise OddValue
        add(_pack_ii(standby_tasks_item.topic_group_id, standby_tasks_item.partition))
    add(_pack_i(len(message.user_end_point)))
    add(message.user_end_point)


def _read_v7(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, user_end_point_size = _unpack_iiuuid_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
    (task_offset_sums_count,) = _unpack_u_i(data, pos)
    pos += 4
    if task_offset_sums_count > MAX_ELEMENTS:
        raise OddBytes
    task_offset_sums_list: list[_TaskOffsetSum] = []
    for _ in range(task_offset_sums_count):
        topic_group_id, partition_to_offset_sum_count = _unpack_iu_i(data, pos)
        pos += 8
        if partition_to_offset_sum_count > MAX_ELEMENTS:
            raise OddBytes
        partition_to_offset_sum_list: list[_PartitionToOffsetSum] = []
        for _ in range(partition_to_offset_sum_count):
            partition, offset_sum = _unpack_iq(data, pos)
            pos += 12
            partition_to_offset_sum_list.append(
                _PartitionToOffsetSum(partition=partition, offset_sum=offset_sum)
            )
        partition_to_offset_sum = tuple(partition_to_offset_sum_list)
        task_offset_sums_list.append(
            _TaskOffsetSum(
                topic_group_id=topic_group_id, partition_to_offset_sum=partition_to_offset_sum
            )
        )
    task_offset_sums = tuple(task_offset_sums_list)
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
    add = parts.append
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
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(message.user_end_point),
        )
    )
    add(message.user_end_point)
    task_offset_sums = message.task_offset_sums
    if type(task_offset_sums) is not tuple:
        raise OddValue
    add(_pack_i(len(task_offset_sums)))
    for task_offset_sums_item in task_offset_sums:
        if type(task_offset_sums_item) is not _TaskOffsetSum:
            raise OddValue
        if task_offset_sums_item.partition != 0:
            raise OddValue
        if task_offset_sums_item.offset_sum != 0:
            raise OddValue
        if task_offset_sums_item.named_topology != "":
            raise OddValue
        if type(task_offset_sums_item.topic_group_id) is bool:
            raise OddValue
        partition_to_offset_sum = task_offset_sums_item.partition_to_offset_sum
        if type(partition_to_offset_sum) is not tuple:
            raise OddValue
        add(_pack_ii(task_offset_sums_item.topic_group_id, len(partition_to_offset_sum)))
        for partition_to_offset_sum_item in partition_to_offset_sum:
            if type(partition_to_offset_sum_item) is not _PartitionToOffsetSum:
                raise OddValue
            if type(partition_to_offset_sum_item.partition) is bool:
                raise OddValue
            if type(partition_to_offset_sum_item.offset_sum) is bool:
                raise OddValue
            add(
                _pack_iq(
                    partition_to_offset_sum_item.partition, partition_to_offset_sum_item.offset_sum
                )
            )


def _read_v8(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, user_end_point_size = _unpack_iiuuid_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
    (task_offset_sums_count,) = _unpack_u_i(data, pos)
    pos += 4
    if task_offset_sums_count > MAX_ELEMENTS:
        raise OddBytes
    task_offset_sums_list: list[_TaskOffsetSum] = []
    for _ in range(task_offset_sums_count):
        topic_group_id, partition_to_offset_sum_count = _unpack_iu_i(data, pos)
        pos += 8
        if partition_to_offset_sum_count > MAX_ELEMENTS:
            raise OddBytes
        partition_to_offset_sum_list: list[_PartitionToOffsetSum] = []
        for _ in range(partition_to_offset_sum_count):
            partition, offset_sum = _unpack_iq(data, pos)
            pos += 12
            partition_to_offset_sum_list.append(
                _PartitionToOffsetSum(partition=partition, offset_sum=offset_sum)
            )
        partition_to_offset_sum = tuple(partition_to_offset_sum_list)
        task_offset_sums_list.append(
            _TaskOffsetSum(
                topic_group_id=topic_group_id, partition_to_offset_sum=partition_to_offset_sum
            )
        )
    task_offset_sums = tuple(task_offset_sums_list)
    (unique_field,) = _unpack_b(data, pos)
    pos += 1
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
    add = parts.append
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.error_code != 0:
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(message.user_end_point),
        )
    )
    add(message.user_end_point)
    task_offset_sums = message.task_offset_sums
    if type(task_offset_sums) is not tuple:
        raise OddValue
    add(_pack_i(len(task_offset_sums)))
    for task_offset_sums_item in task_offset_sums:
        if type(task_offset_sums_item) is not _TaskOffsetSum:
            raise OddValue
        if task_offset_sums_item.partition != 0:
            raise OddValue
        if task_offset_sums_item.offset_sum != 0:
            raise OddValue
        if task_offset_sums_item.named_topology != "":
            raise OddValue
        if type(task_offset_sums_item.topic_group_id) is bool:
            raise OddValue
        partition_to_offset_sum = task_offset_sums_item.partition_to_offset_sum
        if type(partition_to_offset_sum) is not tuple:
            raise OddValue
        add(_pack_ii(task_offset_sums_item.topic_group_id, len(partition_to_offset_sum)))
        for partition_to_offset_sum_item in partition_to_offset_sum:
            if type(partition_to_offset_sum_item) is not _PartitionToOffsetSum:
                raise OddValue
            if type(partition_to_offset_sum_item.partition) is bool:
                raise OddValue
            if type(partition_to_offset_sum_item.offset_sum) is bool:
                raise OddValue
            add(
                _pack_iq(
                    partition_to_offset_sum_item.partition, partition_to_offset_sum_item.offset_sum
                )
            )
    if type(message.unique_field) is bool:
        raise OddValue
    add(_pack_b(message.unique_field))


def _read_v9(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, user_end_point_size = _unpack_iiuuid_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
    (task_offset_sums_count,) = _unpack_u_i(data, pos)
    pos += 4
    if task_offset_sums_count > MAX_ELEMENTS:
        raise OddBytes
    task_offset_sums_list: list[_TaskOffsetSum] = []
    for _ in range(task_offset_sums_count):
        topic_group_id, partition_to_offset_sum_count = _unpack_iu_i(data, pos)
        pos += 8
        if partition_to_offset_sum_count > MAX_ELEMENTS:
            raise OddBytes
        partition_to_offset_sum_list: list[_PartitionToOffsetSum] = []
        for _ in range(partition_to_offset_sum_count):
            partition, offset_sum = _unpack_iq(data, pos)
            pos += 12
            partition_to_offset_sum_list.append(
                _PartitionToOffsetSum(partition=partition, offset_sum=offset_sum)
            )
        partition_to_offset_sum = tuple(partition_to_offset_sum_list)
        task_offset_sums_list.append(
            _TaskOffsetSum(
                topic_group_id=topic_group_id, partition_to_offset_sum=partition_to_offset_sum
            )
        )
    task_offset_sums = tuple(task_offset_sums_list)
    unique_field, error_code = _unpack_bi(data, pos)
    pos += 5
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
    add = parts.append
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(message.user_end_point),
        )
    )
    add(message.user_end_point)
    task_offset_sums = message.task_offset_sums
    if type(task_offset_sums) is not tuple:
        raise OddValue
    add(_pack_i(len(task_offset_sums)))
    for task_offset_sums_item in task_offset_sums:
        if type(task_offset_sums_item) is not _TaskOffsetSum:
            raise OddValue
        if task_offset_sums_item.partition != 0:
            raise OddValue
        if task_offset_sums_item.offset_sum != 0:
            raise OddValue
        if task_offset_sums_item.named_topology != "":
            raise OddValue
        if type(task_offset_sums_item.topic_group_id) is bool:
            raise OddValue
        partition_to_offset_sum = task_offset_sums_item.partition_to_offset_sum
        if type(partition_to_offset_sum) is not tuple:
            raise OddValue
        add(_pack_ii(task_offset_sums_item.topic_group_id, len(partition_to_offset_sum)))
        for partition_to_offset_sum_item in partition_to_offset_sum:
            if type(partition_to_offset_sum_item) is not _PartitionToOffsetSum:
                raise OddValue
            if type(partition_to_offset_sum_item.partition) is bool:
                raise OddValue
            if type(partition_to_offset_sum_item.offset_sum) is bool:
                raise OddValue
            add(
                _pack_iq(
                    partition_to_offset_sum_item.partition, partition_to_offset_sum_item.offset_sum
                )
            )
    if type(message.unique_field) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_bi(message.unique_field, message.error_code))


def _read_v10(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, user_end_point_size = _unpack_iiuuid_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
    (task_offset_sums_count,) = _unpack_u_i(data, pos)
    pos += 4
    if task_offset_sums_count > MAX_ELEMENTS:
        raise OddBytes
    task_offset_sums_list: list[_TaskOffsetSum] = []
    for _ in range(task_offset_sums_count):
        topic_group_id, partition, offset_sum, named_topology_size = _unpack_iiqh(data, pos)
        pos += 18
        if named_topology_size < 0:
            named_topology = None
        else:
            end = pos + named_topology_size
            named_topology = data[pos:end].decode()
            pos = end
        task_offset_sums_list.append(
            _TaskOffsetSum(
                topic_group_id=topic_group_id,
                partition=partition,
                offset_sum=offset_sum,
                named_topology=named_topology,
            )
        )
    task_offset_sums = tuple(task_offset_sums_list)
    unique_field, error_code = _unpack_bi(data, pos)
    pos += 5
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
    add = parts.append
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if message.client_tags != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(message.user_end_point),
        )
    )
    add(message.user_end_point)
    task_offset_sums = message.task_offset_sums
    if type(task_offset_sums) is not tuple:
        raise OddValue
    add(_pack_i(len(task_offset_sums)))
    for task_offset_sums_item in task_offset_sums:
        if type(task_offset_sums_item) is not _TaskOffsetSum:
            raise OddValue
        if task_offset_sums_item.partition_to_offset_sum != ():
            raise OddValue
        if type(task_offset_sums_item.topic_group_id) is bool:
            raise OddValue
        if type(task_offset_sums_item.partition) is bool:
            raise OddValue
        if type(task_offset_sums_item.offset_sum) is bool:
            raise OddValue
        add(
            _pack_iiq(
                task_offset_sums_item.topic_group_id,
                task_offset_sums_item.partition,
                task_offset_sums_item.offset_sum,
            )
        )
        named_topology = task_offset_sums_item.named_topology
        if named_topology is None:
            add(b"\xff\xff")
        else:
            named_topology_raw = named_topology.encode()
            add(
                _pack_h_string[len(named_topology_raw)](len(named_topology_raw), named_topology_raw)
            )
    if type(message.unique_field) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_bi(message.unique_field, message.error_code))


def _read_v11(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version, process_id_raw, user_end_point_size = _unpack_iiuuid_i(
        data, pos
    )
    pos += 28
    process_id = uuid_of(process_id_raw)
    if user_end_point_size < 0:
        raise OddBytes
    end = pos + user_end_point_size
    user_end_point = data[pos:end]
    pos = end
    (task_offset_sums_count,) = _unpack_u_i(data, pos)
    pos += 4
    if task_offset_sums_count > MAX_ELEMENTS:
        raise OddBytes
    task_offset_sums_list: list[_TaskOffsetSum] = []
    for _ in range(task_offset_sums_count):
        topic_group_id, partition, offset_sum, named_topology_size = _unpack_iiqh(data, pos)
        pos += 18
        if named_topology_size < 0:
            named_topology = None
        else:
            end = pos + named_topology_size
            named_topology = data[pos:end].decode()
            pos = end
        task_offset_sums_list.append(
            _TaskOffsetSum(
                topic_group_id=topic_group_id,
                partition=partition,
                offset_sum=offset_sum,
                named_topology=named_topology,
            )
        )
    task_offset_sums = tuple(task_offset_sums_list)
    unique_field, error_code, client_tags_count = _unpack_biu_i(data, pos)
    pos += 9
    if client_tags_count > MAX_ELEMENTS:
        raise OddBytes
    client_tags_list: list[_ClientTag] = []
    for _ in range(client_tags_count):
        (key_size,) = _unpack_i(data, pos)
        pos += 4
        if key_size < 0:
            raise OddBytes
        end = pos + key_size
        key = data[pos:end]
        pos = end
        (value_size,) = _unpack_i(data, pos)
        pos += 4
        if value_size < 0:
            raise OddBytes
        end = pos + value_size
        value = data[pos:end]
        pos = end
        client_tags_list.append(_ClientTag(key=key, value=value))
    client_tags = tuple(client_tags_list)
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
    add = parts.append
    if message.prev_tasks != ():
        raise OddValue
    if message.standby_tasks != ():
        raise OddValue
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    add(
        _pack_iiuuid_i(
            message.version,
            message.latest_supported_version,
            message.process_id.bytes,
            len(message.user_end_point),
        )
    )
    add(message.user_end_point)
    task_offset_sums = message.task_offset_sums
    if type(task_offset_sums) is not tuple:
        raise OddValue
    add(_pack_i(len(task_offset_sums)))
    for task_offset_sums_item in task_offset_sums:
        if type(task_offset_sums_item) is not _TaskOffsetSum:
            raise OddValue
        if task_offset_sums_item.partition_to_offset_sum != ():
            raise OddValue
        if type(task_offset_sums_item.topic_group_id) is bool:
            raise OddValue
        if type(task_offset_sums_item.partition) is bool:
            raise OddValue
        if type(task_offset_sums_item.offset_sum) is bool:
            raise OddValue
        add(
            _pack_iiq(
                task_offset_sums_item.topic_group_id,
                task_offset_sums_item.partition,
                task_offset_sums_item.offset_sum,
            )
        )
        named_topology = task_offset_sums_item.named_topology
        if named_topology is None:
            add(b"\xff\xff")
        else:
            named_topology_raw = named_topology.encode()
            add(
                _pack_h_string[len(named_topology_raw)](len(named_topology_raw), named_topology_raw)
            )
    if type(message.unique_field) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    client_tags = message.client_tags
    if type(client_tags) is not tuple:
        raise OddValue
    add(_pack_bii(message.unique_field, message.error_code, len(client_tags)))
    for client_tags_item in client_tags:
        if type(client_tags_item) is not _ClientTag:
            raise OddValue
        add(_pack_i(len(client_tags_item.key)))
        add(client_tags_item.key)
        add(_pack_i(len(client_tags_item.value)))
        add(client_tags_item.value)


def _read_head(data: bytes, pos: int) -> tuple[SubscriptionInfoData, int]:
    version, latest_supported_version = _unpack_ii(data, pos)
    pos += 8
    return SubscriptionInfoData(
        version=version, latest_supported_version=latest_supported_version
    ), pos


def _write_head(message: SubscriptionInfoData, parts: list[bytes]) -> None:
    add = parts.append
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
    if type(message.version) is bool:
        raise OddValue
    if type(message.latest_supported_version) is bool:
        raise OddValue
    add(_pack_ii(message.version, message.latest_supported_version))


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
