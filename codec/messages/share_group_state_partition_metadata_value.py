"""ShareGroupStatePartitionMetadataValue, generated from schemas/ShareGroupStatePartitionMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
from ..uuids import ZERO_UUID, uuid_of
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
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_numbers_i = pack_numbers("i")
_pack_uuid = packed("16s")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ShareGroupStatePartitionMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupStatePartitionMetadataValue, versions 0."""

    NAME = "ShareGroupStatePartitionMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 15
    FRAMING = Framing("version", "refuse")

    class TopicPartitionsInfo(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitionsInfo of ShareGroupStatePartitionMetadataValue, versions 0."""

        topic_id: UUID = ZERO_UUID
        topic_name: str = ""
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
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class TopicInfo(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicInfo of ShareGroupStatePartitionMetadataValue, versions 0."""

        topic_id: UUID = ZERO_UUID
        topic_name: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    initializing_topics: tuple[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo, ...] = ()
    initialized_topics: tuple[ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo, ...] = ()
    deleting_topics: tuple[ShareGroupStatePartitionMetadataValue.TopicInfo, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = (
        "initializing_topics",
        "initialized_topics",
        "deleting_topics",
        "unknown_tagged_fields",
    )

    def __post_init__(self) -> None:
        if (
            type(self.initializing_topics) is not tuple
            or type(self.initialized_topics) is not tuple
            or type(self.deleting_topics) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            initializing_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            initialized_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            deleting_topics: Iterable[ShareGroupStatePartitionMetadataValue.TopicInfo] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            initializing_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            initialized_topics: Iterable[
                ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo
            ] = ...,
            deleting_topics: Iterable[ShareGroupStatePartitionMetadataValue.TopicInfo] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicInfo = ShareGroupStatePartitionMetadataValue.TopicInfo
_TopicPartitionsInfo = ShareGroupStatePartitionMetadataValue.TopicPartitionsInfo


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupStatePartitionMetadataValue, int]:
    (initializing_topics_count,) = _unpack_u_b(data, pos)
    pos += 1
    if initializing_topics_count > 127:
        initializing_topics_count, pos = read_varint(data, pos - 1)
    initializing_topics_count -= 1
    if not 0 <= initializing_topics_count <= MAX_ELEMENTS:
        raise OddBytes
    initializing_topics_list: list[_TopicPartitionsInfo] = []
    for _ in range(initializing_topics_count):
        topic_id_raw, topic_name_size = _unpack_uuid_u_b(data, pos)
        pos += 17
        topic_id = uuid_of(topic_id_raw)
        if topic_name_size > 127:
            topic_name_size, pos = read_varint(data, pos - 1)
        if topic_name_size < 1 or topic_name_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + topic_name_size - 1
        topic_name = data[pos:end].decode()
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
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        initializing_topics_list.append(
            _TopicPartitionsInfo(
                topic_id=topic_id,
                topic_name=topic_name,
                partitions=partitions,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    initializing_topics = tuple(initializing_topics_list)
    (initialized_topics_count,) = _unpack_u_b(data, pos)
    pos += 1
    if initialized_topics_count > 127:
        initialized_topics_count, pos = read_varint(data, pos - 1)
    initialized_topics_count -= 1
    if not 0 <= initialized_topics_count <= MAX_ELEMENTS:
        raise OddBytes
    initialized_topics_list: list[_TopicPartitionsInfo] = []
    for _ in range(initialized_topics_count):
        topic_id_2_raw, topic_name_2_size = _unpack_uuid_u_b(data, pos)
        pos += 17
        topic_id_2 = uuid_of(topic_id_2_raw)
        if topic_name_2_size > 127:
            topic_name_2_size, pos = read_varint(data, pos - 1)
        if topic_name_2_size < 1 or topic_name_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + topic_name_2_size - 1
        topic_name_2 = data[pos:end].decode()
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
        (count_2,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
        if count_2:
            unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
        initialized_topics_list.append(
            _TopicPartitionsInfo(
                topic_id=topic_id_2,
                topic_name=topic_name_2,
                partitions=partitions_2,
                unknown_tagged_fields=unknown_tagged_fields_2,
            )
        )
    initialized_topics = tuple(initialized_topics_list)
    (deleting_topics_count,) = _unpack_u_b(data, pos)
    pos += 1
    if deleting_topics_count > 127:
        deleting_topics_count, pos = read_varint(data, pos - 1)
    deleting_topics_count -= 1
    if not 0 <= deleting_topics_count <= MAX_ELEMENTS:
        raise OddBytes
    deleting_topics_list: list[_TopicInfo] = []
    for _ in range(deleting_topics_count):
        topic_id_3_raw, topic_name_3_size = _unpack_uuid_u_b(data, pos)
        pos += 17
        topic_id_3 = uuid_of(topic_id_3_raw)
        if topic_name_3_size > 127:
            topic_name_3_size, pos = read_varint(data, pos - 1)
        if topic_name_3_size < 1 or topic_name_3_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + topic_name_3_size - 1
        topic_name_3 = data[pos:end].decode()
        pos = end
        (count_3,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
        if count_3:
            unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
        deleting_topics_list.append(
            _TopicInfo(
                topic_id=topic_id_3,
                topic_name=topic_name_3,
                unknown_tagged_fields=unknown_tagged_fields_3,
            )
        )
    deleting_topics = tuple(deleting_topics_list)
    (count_4,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
    if count_4:
        unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ShareGroupStatePartitionMetadataValue(
        initializing_topics=initializing_topics,
        initialized_topics=initialized_topics,
        deleting_topics=deleting_topics,
        unknown_tagged_fields=unknown_tagged_fields_4,
    ), pos


def _write_v0(message: ShareGroupStatePartitionMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    initializing_topics = message.initializing_topics
    if type(initializing_topics) is not tuple:
        raise OddValue
    initializing_topics_size = len(initializing_topics) + 1
    add(
        VARINT[initializing_topics_size]
        if initializing_topics_size < 128
        else varint(initializing_topics_size)
    )
    for initializing_topics_item in initializing_topics:
        if type(initializing_topics_item) is not _TopicPartitionsInfo:
            raise OddValue
        topic_name_raw = initializing_topics_item.topic_name.encode()
        add(_pack_uuid(initializing_topics_item.topic_id.bytes))
        if len(topic_name_raw) > MAX_STRING:
            raise OddValue
        topic_name_size = len(topic_name_raw) + 1
        add(VARINT[topic_name_size] if topic_name_size < 128 else varint(topic_name_size))
        add(topic_name_raw)
        partitions = initializing_topics_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        partitions_size = len(partitions) + 1
        add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
        add(_pack_numbers_i[len(partitions)](*partitions))
        add(
            write_tags([], initializing_topics_item.unknown_tagged_fields, ())
            if initializing_topics_item.unknown_tagged_fields
            else b"\0"
        )
    initialized_topics = message.initialized_topics
    if type(initialized_topics) is not tuple:
        raise OddValue
    initialized_topics_size = len(initialized_topics) + 1
    add(
        VARINT[initialized_topics_size]
        if initialized_topics_size < 128
        else varint(initialized_topics_size)
    )
    for initialized_topics_item in initialized_topics:
        if type(initialized_topics_item) is not _TopicPartitionsInfo:
            raise OddValue
        topic_name_raw_2 = initialized_topics_item.topic_name.encode()
        add(_pack_uuid(initialized_topics_item.topic_id.bytes))
        if len(topic_name_raw_2) > MAX_STRING:
            raise OddValue
        topic_name_size_2 = len(topic_name_raw_2) + 1
        add(VARINT[topic_name_size_2] if topic_name_size_2 < 128 else varint(topic_name_size_2))
        add(topic_name_raw_2)
        partitions_2 = initialized_topics_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        partitions_size_2 = len(partitions_2) + 1
        add(VARINT[partitions_size_2] if partitions_size_2 < 128 else varint(partitions_size_2))
        add(_pack_numbers_i[len(partitions_2)](*partitions_2))
        add(
            write_tags([], initialized_topics_item.unknown_tagged_fields, ())
            if initialized_topics_item.unknown_tagged_fields
            else b"\0"
        )
    deleting_topics = message.deleting_topics
    if type(deleting_topics) is not tuple:
        raise OddValue
    deleting_topics_size = len(deleting_topics) + 1
    add(
        VARINT[deleting_topics_size] if deleting_topics_size < 128 else varint(deleting_topics_size)
    )
    for deleting_topics_item in deleting_topics:
        if type(deleting_topics_item) is not _TopicInfo:
            raise OddValue
        topic_name_raw_3 = deleting_topics_item.topic_name.encode()
        add(_pack_uuid(deleting_topics_item.topic_id.bytes))
        if len(topic_name_raw_3) > MAX_STRING:
            raise OddValue
        topic_name_size_3 = len(topic_name_raw_3) + 1
        add(VARINT[topic_name_size_3] if topic_name_size_3 < 128 else varint(topic_name_size_3))
        add(topic_name_raw_3)
        add(
            write_tags([], deleting_topics_item.unknown_tagged_fields, ())
            if deleting_topics_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ShareGroupStatePartitionMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupStatePartitionMetadataValue._by_header = {
    0: _read_v0,
}
ShareGroupStatePartitionMetadataValue._headers = {
    0: b"\x00\x00",
}
