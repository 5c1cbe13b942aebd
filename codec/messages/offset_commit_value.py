"""OffsetCommitValue, generated from schemas/OffsetCommitValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, RawTaggedField, VersionedMessage
from ..tags import read_raw_tag, write_tags
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import (
    MAX_STRING,
    MAX_TAGS,
    VARINT,
    OddBytes,
    OddValue,
    fixed,
    pack_strings,
    packed,
    read_varint,
    strings,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_q = packed("q")
_pack_qh_string_q = pack_strings("qh", "q")
_pack_qh_string_qq = pack_strings("qh", "qq")
_pack_qi = packed("qi")
_pack_qih_string_q = pack_strings("qih", "q")
_pack_uuid = packed("16s")
_string_q = strings("q")
_string_qq = strings("qq")
_unpack_qiu_b = fixed("qiB")
_unpack_qiu_h = fixed("qiH")
_unpack_qu_b = fixed("qB")
_unpack_qu_h = fixed("qH")
_unpack_uuid = fixed("16s")


class OffsetCommitValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """OffsetCommitValue, versions 0-4."""

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
    offset, metadata_size = _unpack_qu_h(data, pos)
    pos += 10
    raw, commit_timestamp = _string_q[metadata_size](data, pos)
    pos += metadata_size + 8
    metadata = raw.decode()
    return OffsetCommitValue(
        offset=offset, metadata=metadata, commit_timestamp=commit_timestamp
    ), pos


def _write_v0_2(message: OffsetCommitValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.offset) is bool:
        raise OddValue
    metadata_raw = message.metadata.encode()
    if type(message.commit_timestamp) is bool:
        raise OddValue
    add(
        _pack_qh_string_q[len(metadata_raw)](
            message.offset, len(metadata_raw), metadata_raw, message.commit_timestamp
        )
    )
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    offset, metadata_size = _unpack_qu_h(data, pos)
    pos += 10
    raw, commit_timestamp, expire_timestamp = _string_qq[metadata_size](data, pos)
    pos += metadata_size + 16
    metadata = raw.decode()
    return OffsetCommitValue(
        offset=offset,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
        expire_timestamp=expire_timestamp,
    ), pos


def _write_v1(message: OffsetCommitValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.offset) is bool:
        raise OddValue
    metadata_raw = message.metadata.encode()
    if type(message.commit_timestamp) is bool:
        raise OddValue
    if type(message.expire_timestamp) is bool:
        raise OddValue
    add(
        _pack_qh_string_qq[len(metadata_raw)](
            message.offset,
            len(metadata_raw),
            metadata_raw,
            message.commit_timestamp,
            message.expire_timestamp,
        )
    )
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    offset, leader_epoch, metadata_size = _unpack_qiu_h(data, pos)
    pos += 14
    raw, commit_timestamp = _string_q[metadata_size](data, pos)
    pos += metadata_size + 8
    metadata = raw.decode()
    return OffsetCommitValue(
        offset=offset,
        leader_epoch=leader_epoch,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
    ), pos


def _write_v3(message: OffsetCommitValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.offset) is bool:
        raise OddValue
    if type(message.leader_epoch) is bool:
        raise OddValue
    metadata_raw = message.metadata.encode()
    if type(message.commit_timestamp) is bool:
        raise OddValue
    add(
        _pack_qih_string_q[len(metadata_raw)](
            message.offset,
            message.leader_epoch,
            len(metadata_raw),
            metadata_raw,
            message.commit_timestamp,
        )
    )
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[OffsetCommitValue, int]:
    offset, leader_epoch, metadata_size = _unpack_qiu_b(data, pos)
    pos += 13
    if metadata_size > 127:
        metadata_size, pos = read_varint(data, pos - 1)
    if metadata_size < 1 or metadata_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + metadata_size - 1
    metadata = data[pos:end].decode()
    pos = end
    commit_timestamp, count = _unpack_qu_b(data, pos)
    pos += 9
    topic_id: UUID = ZERO_UUID
    unknown: list[RawTaggedField] = []
    if count > 127:
        count, pos = read_varint(data, pos - 1)
        if not 0 <= count <= MAX_TAGS:
            raise OddBytes
    for _ in range(count):
        tag = data[pos]
        pos += 1
        if tag > 127:
            tag, pos = read_varint(data, pos - 1)
        if tag == 0:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            (topic_id_raw,) = _unpack_uuid(data, pos)
            pos += 16
            topic_id = uuid_of(topic_id_raw)
        else:
            known, pos = read_raw_tag(data, pos, tag)
            unknown.append(known)
    if pos > len(data):
        raise OddBytes
    return OffsetCommitValue(
        offset=offset,
        leader_epoch=leader_epoch,
        metadata=metadata,
        commit_timestamp=commit_timestamp,
        topic_id=topic_id,
        unknown_tagged_fields=tuple(unknown),
    ), pos


def _write_v4(message: OffsetCommitValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.offset) is bool:
        raise OddValue
    if type(message.leader_epoch) is bool:
        raise OddValue
    metadata_raw = message.metadata.encode()
    add(_pack_qi(message.offset, message.leader_epoch))
    if len(metadata_raw) > MAX_STRING:
        raise OddValue
    metadata_size = len(metadata_raw) + 1
    add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
    add(metadata_raw)
    if type(message.commit_timestamp) is bool:
        raise OddValue
    add(_pack_q(message.commit_timestamp))
    fields: list[tuple[int, bytes]] = []
    topic_id = message.topic_id
    if topic_id != ZERO_UUID:
        tagged: list[bytes] = []
        add = tagged.append
        add(_pack_uuid(topic_id.bytes))
        fields.append((0, b"".join(tagged)))
        add = parts.append
    add(write_tags(fields, message.unknown_tagged_fields, (0,)))


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
