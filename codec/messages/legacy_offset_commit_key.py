"""LegacyOffsetCommitKey, generated from schemas/LegacyOffsetCommitKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddBytes, OddValue, pack_strings, short_strings, strings

if TYPE_CHECKING:
    from typing import Self

_pack__string_i = pack_strings("", "i")
_pack_h_string_h = pack_strings("h", "h")
_short_string_u_h = short_strings("H")
_string_i = strings("i")


class LegacyOffsetCommitKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """LegacyOffsetCommitKey, versions 0."""

    NAME = "LegacyOffsetCommitKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 0
    FRAMING = Framing("record-type", "refuse")

    group: str = ""
    topic: str = ""
    partition: int = 0

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group: str = ...,
            topic: str = ...,
            partition: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group: str = ...,
            topic: str = ...,
            partition: int = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[LegacyOffsetCommitKey, int]:
    group_size = data[pos + 1]
    high, raw, topic_size = _short_string_u_h[group_size](data, pos)
    if high:
        raise OddBytes
    pos += group_size + 4
    group = raw.decode()
    raw, partition = _string_i[topic_size](data, pos)
    pos += topic_size + 4
    topic = raw.decode()
    return LegacyOffsetCommitKey(group=group, topic=topic, partition=partition), pos


def _write_v0(message: LegacyOffsetCommitKey, parts: list[bytes]) -> None:
    add = parts.append
    group_raw = message.group.encode()
    topic_raw = message.topic.encode()
    add(_pack_h_string_h[len(group_raw)](len(group_raw), group_raw, len(topic_raw)))
    if type(message.partition) is bool:
        raise OddValue
    add(_pack__string_i[len(topic_raw)](topic_raw, message.partition))


LegacyOffsetCommitKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
LegacyOffsetCommitKey._by_header = {
    0: _read_v0,
}
LegacyOffsetCommitKey._headers = {
    0: b"\x00\x00",
}
