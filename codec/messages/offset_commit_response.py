"""OffsetCommitResponse, generated from schemas/OffsetCommitResponse.json; change that file and run `make generate`."""

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
    read_compact_array,
    read_compact_string,
    read_string,
    read_uuid,
    write_array,
    write_compact_array,
    write_compact_string,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class OffsetCommitResponse(Message, frozen=True, kw_only=True, gc=False):
    """OffsetCommitResponse, versions 2-10.

    Whether offsets were committed, a verdict for each partition.

    Version 3 (KIP-124): throttling. Version 4 (KIP-219): throttled after the answer, not before it.
    Versions 5 and 6: as version 4. Version 7 (KIP-345): a static member may be fenced. Version 8
    (KIP-482): flexible. Version 9 (KIP-848): errors of epochs. Version 10 (KIP-848): topics by id.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 3-10; default 0; other versions leave it out.
        topics ([]OffsetCommitResponseTopic): The verdicts, by topic. Versions 2-10; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 8-10; default ().
    """

    NAME = "OffsetCommitResponse"
    VERSIONS = VersionRange(2, 10)
    LATEST = 10
    API_KEY = 8
    FRAMING = Framing("none", "refuse")

    class OffsetCommitResponsePartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetCommitResponsePartition of OffsetCommitResponse, versions 2-10.

        The verdicts, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 2-10; default 0.
            error_code (int16): Why the offset was not committed; 0 if it was. Versions 2-10; default
                0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 8-10; default ().
        """

        partition_index: int = 0
        error_code: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                partition_index: int = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                partition_index: int = ...,
                error_code: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetCommitResponseTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetCommitResponseTopic of OffsetCommitResponse, versions 2-10.

        The verdicts, by topic.

        Attributes:
            name (string): The topic's name. Versions 2-9; default ''; other versions leave it out.
            topic_id (uuid): The topic's id (KIP-516). Version 10; default UUID(int=0); other versions
                leave it out.
            partitions ([]OffsetCommitResponsePartition): The verdicts, by partition. Versions 2-10;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 8-10; default ().
        """

        name: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[OffsetCommitResponse.OffsetCommitResponsePartition, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[OffsetCommitResponse.OffsetCommitResponsePartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[OffsetCommitResponse.OffsetCommitResponsePartition] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    topics: tuple[OffsetCommitResponse.OffsetCommitResponseTopic, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.topics) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[OffsetCommitResponse.OffsetCommitResponseTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[OffsetCommitResponse.OffsetCommitResponseTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_OffsetCommitResponsePartition = OffsetCommitResponse.OffsetCommitResponsePartition
_OffsetCommitResponseTopic = OffsetCommitResponse.OffsetCommitResponseTopic


def _read_offset_commit_response_partition_v2_7(
    data: bytes, pos: int
) -> tuple[_OffsetCommitResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    return _OffsetCommitResponsePartition(
        partition_index=partition_index, error_code=error_code
    ), pos


def _write_offset_commit_response_partition_v2_7(
    item: _OffsetCommitResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)


def _read_offset_commit_response_topic_v2_7(
    data: bytes, pos: int
) -> tuple[_OffsetCommitResponseTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_offset_commit_response_partition_v2_7)
    return _OffsetCommitResponseTopic(name=name, partitions=partitions), pos


def _write_offset_commit_response_topic_v2_7(
    item: _OffsetCommitResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitResponseTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_offset_commit_response_partition_v2_7)


def _read_v2(data: bytes, pos: int) -> tuple[OffsetCommitResponse, int]:
    topics, pos = read_array(data, pos, _read_offset_commit_response_topic_v2_7)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitResponse(topics=topics), pos


def _write_v2(message: OffsetCommitResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.topics, parts, _write_offset_commit_response_topic_v2_7)


def _read_v3_7(data: bytes, pos: int) -> tuple[OffsetCommitResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_offset_commit_response_topic_v2_7)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitResponse(throttle_time_ms=throttle_time_ms, topics=topics), pos


def _write_v3_7(message: OffsetCommitResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.topics, parts, _write_offset_commit_response_topic_v2_7)


def _read_offset_commit_response_partition_v8_10(
    data: bytes, pos: int
) -> tuple[_OffsetCommitResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetCommitResponsePartition(
        partition_index=partition_index, error_code=error_code, unknown_tagged_fields=unknown
    ), pos


def _write_offset_commit_response_partition_v8_10(
    item: _OffsetCommitResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitResponsePartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_commit_response_topic_v8_9(
    data: bytes, pos: int
) -> tuple[_OffsetCommitResponseTopic, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_commit_response_partition_v8_10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetCommitResponseTopic(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_commit_response_topic_v8_9(
    item: _OffsetCommitResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitResponseTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_offset_commit_response_partition_v8_10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v8_9(data: bytes, pos: int) -> tuple[OffsetCommitResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_offset_commit_response_topic_v8_9)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_v8_9(message: OffsetCommitResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.topics, parts, _write_offset_commit_response_topic_v8_9)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_commit_response_topic_v10(
    data: bytes, pos: int
) -> tuple[_OffsetCommitResponseTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_offset_commit_response_partition_v8_10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetCommitResponseTopic(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_offset_commit_response_topic_v10(
    item: _OffsetCommitResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetCommitResponseTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_offset_commit_response_partition_v8_10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v10(data: bytes, pos: int) -> tuple[OffsetCommitResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_offset_commit_response_topic_v10)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_v10(message: OffsetCommitResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.topics, parts, _write_offset_commit_response_topic_v10)
    write_unknown_tags(message.unknown_tagged_fields, parts)


OffsetCommitResponse._codecs = {
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3_7, _write_v3_7),
    4: Codec(_read_v3_7, _write_v3_7),
    5: Codec(_read_v3_7, _write_v3_7),
    6: Codec(_read_v3_7, _write_v3_7),
    7: Codec(_read_v3_7, _write_v3_7),
    8: Codec(_read_v8_9, _write_v8_9),
    9: Codec(_read_v8_9, _write_v8_9),
    10: Codec(_read_v10, _write_v10),
}
