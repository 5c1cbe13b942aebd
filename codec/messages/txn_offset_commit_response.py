"""TxnOffsetCommitResponse, generated from schemas/TxnOffsetCommitResponse.json; change that file and run `make generate`."""

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


class TxnOffsetCommitResponse(Message, frozen=True, kw_only=True, gc=False):
    """TxnOffsetCommitResponse, versions 0-6.

    Whether a transaction's offsets were taken, a verdict for each partition.

    Version 1 (KIP-219): throttled after the answer, not before it. Version 2 (KIP-320): as version
    1. Version 3 (KIP-447, KIP-482): errors of members, and flexible. Version 4 (KIP-890):
    TRANSACTION_ABORTABLE. Version 5 (KIP-890): as version 4. Version 6 (KIP-1319): topics by id.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-6; default 0.
        topics ([]TxnOffsetCommitResponseTopic): The verdicts, by topic. Versions 0-6; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-6; default ().
    """

    NAME = "TxnOffsetCommitResponse"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 28
    FRAMING = Framing("none", "refuse")

    class TxnOffsetCommitResponsePartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TxnOffsetCommitResponsePartition of TxnOffsetCommitResponse, versions 0-6.

        The verdicts, by partition.

        Attributes:
            partition_index (int32): The partition. Versions 0-6; default 0.
            error_code (int16): Why the offset was not taken; 0 if it was. Versions 0-6; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-6; default ().
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

    class TxnOffsetCommitResponseTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """TxnOffsetCommitResponseTopic of TxnOffsetCommitResponse, versions 0-6.

        The verdicts, by topic.

        Attributes:
            name (string): The topic's name. Versions 0-5; default ''; other versions leave it out.
            topic_id (uuid): The topic's id (KIP-516). Version 6; default UUID(int=0); other versions
                leave it out.
            partitions ([]TxnOffsetCommitResponsePartition): The verdicts, by partition. Versions 0-6;
                default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-6; default ().
        """

        name: str = ""
        topic_id: UUID = ZERO_UUID
        partitions: tuple[TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition, ...] = ()
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
                partitions: Iterable[
                    TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partitions: Iterable[
                    TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition
                ] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    topics: tuple[TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic, ...] = ()
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
            topics: Iterable[TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            topics: Iterable[TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TxnOffsetCommitResponsePartition = TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition
_TxnOffsetCommitResponseTopic = TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic


def _read_txn_offset_commit_response_partition_v0_2(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    return _TxnOffsetCommitResponsePartition(
        partition_index=partition_index, error_code=error_code
    ), pos


def _write_txn_offset_commit_response_partition_v0_2(
    item: _TxnOffsetCommitResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitResponsePartition:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)


def _read_txn_offset_commit_response_topic_v0_2(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitResponseTopic, int]:
    name, pos = read_string(data, pos)
    partitions, pos = read_array(data, pos, _read_txn_offset_commit_response_partition_v0_2)
    return _TxnOffsetCommitResponseTopic(name=name, partitions=partitions), pos


def _write_txn_offset_commit_response_topic_v0_2(
    item: _TxnOffsetCommitResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitResponseTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_array(item.partitions, parts, _write_txn_offset_commit_response_partition_v0_2)


def _read_v0_2(data: bytes, pos: int) -> tuple[TxnOffsetCommitResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_array(data, pos, _read_txn_offset_commit_response_topic_v0_2)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitResponse(throttle_time_ms=throttle_time_ms, topics=topics), pos


def _write_v0_2(message: TxnOffsetCommitResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.topics, parts, _write_txn_offset_commit_response_topic_v0_2)


def _read_txn_offset_commit_response_partition_v3_6(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitResponsePartition, int]:
    (partition_index,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _TxnOffsetCommitResponsePartition(
        partition_index=partition_index, error_code=error_code, unknown_tagged_fields=unknown
    ), pos


def _write_txn_offset_commit_response_partition_v3_6(
    item: _TxnOffsetCommitResponsePartition, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitResponsePartition:
        raise OddValue
    INT32.write(item.partition_index, parts)
    INT16.write(item.error_code, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_txn_offset_commit_response_topic_v3_5(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitResponseTopic, int]:
    name, pos = read_compact_string(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_txn_offset_commit_response_partition_v3_6)
    unknown, pos = read_unknown_tags(data, pos)
    return _TxnOffsetCommitResponseTopic(
        name=name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_txn_offset_commit_response_topic_v3_5(
    item: _TxnOffsetCommitResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitResponseTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_array(item.partitions, parts, _write_txn_offset_commit_response_partition_v3_6)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v3_5(data: bytes, pos: int) -> tuple[TxnOffsetCommitResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_txn_offset_commit_response_topic_v3_5)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_v3_5(message: TxnOffsetCommitResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.topics, parts, _write_txn_offset_commit_response_topic_v3_5)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_txn_offset_commit_response_topic_v6(
    data: bytes, pos: int
) -> tuple[_TxnOffsetCommitResponseTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = read_compact_array(data, pos, _read_txn_offset_commit_response_partition_v3_6)
    unknown, pos = read_unknown_tags(data, pos)
    return _TxnOffsetCommitResponseTopic(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_txn_offset_commit_response_topic_v6(
    item: _TxnOffsetCommitResponseTopic, parts: list[bytes]
) -> None:
    if type(item) is not _TxnOffsetCommitResponseTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_array(item.partitions, parts, _write_txn_offset_commit_response_partition_v3_6)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[TxnOffsetCommitResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_array(data, pos, _read_txn_offset_commit_response_topic_v6)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return TxnOffsetCommitResponse(
        throttle_time_ms=throttle_time_ms, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_v6(message: TxnOffsetCommitResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.topics, parts, _write_txn_offset_commit_response_topic_v6)
    write_unknown_tags(message.unknown_tagged_fields, parts)


TxnOffsetCommitResponse._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3_5, _write_v3_5),
    4: Codec(_read_v3_5, _write_v3_5),
    5: Codec(_read_v3_5, _write_v3_5),
    6: Codec(_read_v6, _write_v6),
}
