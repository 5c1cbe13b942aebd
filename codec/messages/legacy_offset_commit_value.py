"""LegacyOffsetCommitValue, generated from schemas/LegacyOffsetCommitValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import INT64, OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class LegacyOffsetCommitValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """LegacyOffsetCommitValue, versions 0.

    The value under a key of record type 0: a committed offset in its oldest form, laid out as
    version 0 of OffsetCommitValue is.

    Attributes:
        offset (int64): The offset of the next record to read. Version 0; default 0.
        metadata (string): A note of the client's own; usually empty. Version 0; default ''.
        commit_timestamp (int64): When it was committed; milliseconds since 1970. Version 0; default
            0.
    """

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
    (offset,), pos = INT64.unpack(data, pos), pos + 8
    metadata, pos = read_string(data, pos)
    (commit_timestamp,), pos = INT64.unpack(data, pos), pos + 8
    if pos > len(data):
        raise OddBytes
    return LegacyOffsetCommitValue(
        offset=offset, metadata=metadata, commit_timestamp=commit_timestamp
    ), pos


def _write_v0(message: LegacyOffsetCommitValue, parts: list[bytes]) -> None:
    INT64.write(message.offset, parts)
    write_string(message.metadata, parts)
    INT64.write(message.commit_timestamp, parts)


LegacyOffsetCommitValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
LegacyOffsetCommitValue._by_header = {
    0: _read_v0,
}
LegacyOffsetCommitValue._headers = {
    0: b"\x00\x00",
}
