"""LegacyOffsetCommitKey, generated from schemas/LegacyOffsetCommitKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import INT32, OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class LegacyOffsetCommitKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """LegacyOffsetCommitKey, versions 0.

    The key of a committed offset, in its oldest form: record type 0. Brokers have long written
    record type 1 instead, which has the same layout.

    Attributes:
        group (string): The group that committed. Version 0; default ''.
        topic (string): The topic's name. Version 0; default ''.
        partition (int32): The partition's number. Version 0; default 0.
    """

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
    group, pos = read_string(data, pos)
    topic, pos = read_string(data, pos)
    (partition,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return LegacyOffsetCommitKey(group=group, topic=topic, partition=partition), pos


def _write_v0(message: LegacyOffsetCommitKey, parts: list[bytes]) -> None:
    write_string(message.group, parts)
    write_string(message.topic, parts)
    INT32.write(message.partition, parts)


LegacyOffsetCommitKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
LegacyOffsetCommitKey._by_header = {
    0: _read_v0,
}
LegacyOffsetCommitKey._headers = {
    0: b"\x00\x00",
}
