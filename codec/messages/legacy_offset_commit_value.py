"""LegacyOffsetCommitValue, generated from schemas/LegacyOffsetCommitValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddValue, fixed, pack_strings, strings

if TYPE_CHECKING:
    from typing import Self

_pack_qh_string_q = pack_strings("qh", "q")
_string_q = strings("q")
_unpack_qu_h = fixed("qH")


class LegacyOffsetCommitValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """LegacyOffsetCommitValue, versions 0."""

    NAME = "LegacyOffsetCommitValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 0
    FRAMING = Framing("version", "refuse")

    offset: int = 0
    metadata: str = ""
    commit_timestamp: int = 0

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            offset: int = ...,
            metadata: str = ...,
            commit_timestamp: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            offset: int = ...,
            metadata: str = ...,
            commit_timestamp: int = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[LegacyOffsetCommitValue, int]:
    offset, metadata_size = _unpack_qu_h(data, pos)
    pos += 10
    raw, commit_timestamp = _string_q[metadata_size](data, pos)
    pos += metadata_size + 8
    metadata = raw.decode()
    return LegacyOffsetCommitValue(
        offset=offset, metadata=metadata, commit_timestamp=commit_timestamp
    ), pos


def _write_v0(message: LegacyOffsetCommitValue, parts: list[bytes]) -> None:
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


LegacyOffsetCommitValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
LegacyOffsetCommitValue._by_header = {
    0: _read_v0,
}
LegacyOffsetCommitValue._headers = {
    0: b"\x00\x00",
}
