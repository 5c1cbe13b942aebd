"""OffsetCommitValue, generated from schemas/OffsetCommitValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, RawTaggedField, VersionedMessage
from ..runtime.tags import Tags, read_tags, write_tags
from ..wire.primitives import (
    INT32,
    INT64,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_compact_string,
    read_string,
    read_uuid,
    write_compact_string,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class OffsetCommitValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """OffsetCommitValue, versions 0-4.

    A committed offset, as the broker stores it.

    Version 1: when it expires. Version 2 (KIP-211): the same without; offsets live while the group
    does. Version 3 (KIP-320): the leader epoch, by which a consumer notices that the log was cut.
    Version 4 (KIP-915): flexible. From there on only tagged fields are added, so that an older
    broker can read what a newer one wrote.

    Attributes:
        offset (int64): The offset of the next record to read. Versions 0-4; default 0.
        leader_epoch (int32): The leader epoch of the last record read; -1 if not known (KIP-320).
            Versions 3-4; default -1; other versions leave it out.
        metadata (string): A note of the client's own; usually empty. Versions 0-4; default ''.
        commit_timestamp (int64): When it was committed; milliseconds since 1970. Versions 0-4;
            default 0.
        expire_timestamp (int64): When it expires; -1 if by the broker's own rule. Version 1; default
            -1; other versions leave it out.
        topic_id (uuid): The topic's id; zero if not known. Version 4; default UUID(int=0); tag 0 in
            version 4; other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 4; default ().
    """

    NAME = "OffsetCommitValue"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 1
    FRAMING = Framing("version", "refuse")

    offset: int = 0
    leader_epoch: int = -1
    metadata: str = ""
    commit_timestamp: int = 0
    expire_timestamp: int = -1
    topic_id: UUID = ZERO_UUID
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            offset: int = ...,
            leader_epoch: int = ...,
            metadata: str = ...,
            commit_timestamp: int = ...,
            expire_timestamp: int = ...,
            topic_id: UUID = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            offset: int = ...,
            leader_epoch: int = ...,
            metadata: str = ...,
            commit_timestamp: int = ...,
            expire_timestamp: int = ...,
            topic_id: UUID = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    metadata, pos = read_string(data, pos)
    (commit_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return OffsetCommitValue(
        offset=offset, metadata=metadata, commit_timestamp=commit_timestamp
    ), pos


def _write_v0_2(message: OffsetCommitValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT64.write(message.offset, parts)
    write_string(message.metadata, parts)
    INT64.write(message.commit_timestamp, parts)


def _read_v1(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    metadata, pos = read_string(data, pos)
    (commit_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    (expire_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return OffsetCommitValue(
        offset=offset,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
        expire_timestamp=expire_timestamp,
    ), pos


def _write_v1(message: OffsetCommitValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT64.write(message.offset, parts)
    write_string(message.metadata, parts)
    INT64.write(message.commit_timestamp, parts)
    INT64.write(message.expire_timestamp, parts)


def _read_v3(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    metadata, pos = read_string(data, pos)
    (commit_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return OffsetCommitValue(
        offset=offset,
        leader_epoch=leader_epoch,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
    ), pos


def _write_v3(message: OffsetCommitValue, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT64.write(message.offset, parts)
    INT32.write(message.leader_epoch, parts)
    write_string(message.metadata, parts)
    INT64.write(message.commit_timestamp, parts)


_TAGS_v4: Tags = {
    0: ("topic_id", read_uuid),
}


def _read_v4(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    (leader_epoch,), pos = INT32.unpack(data, pos), pos + 4
    metadata, pos = read_compact_string(data, pos)
    (commit_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v4, ())
    if pos > len(data):
        raise OddBytes
    read = OffsetCommitValue(
        offset=offset,
        leader_epoch=leader_epoch,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v4(message: OffsetCommitValue, parts: list[bytes]) -> None:
    INT64.write(message.offset, parts)
    INT32.write(message.leader_epoch, parts)
    write_compact_string(message.metadata, parts)
    INT64.write(message.commit_timestamp, parts)
    tags: dict[int, list[bytes]] = {}
    if message.topic_id != ZERO_UUID:
        write_uuid(message.topic_id, tags.setdefault(0, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0,))


OffsetCommitValue._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
OffsetCommitValue._by_header = {
    0: _read_v0_2,
    1: _read_v1,
    2: _read_v0_2,
    3: _read_v3,
    4: _read_v4,
}
OffsetCommitValue._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
    4: b"\x00\x04",
}
