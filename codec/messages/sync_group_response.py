"""SyncGroupResponse, generated from schemas/SyncGroupResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_bytes,
    read_compact_bytes,
    read_compact_nullable_string,
    write_bytes,
    write_compact_bytes,
    write_compact_nullable_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class SyncGroupResponse(Message, frozen=True, kw_only=True, gc=False):
    """SyncGroupResponse, versions 0-5.

    A member's own assignment, as soon as the leader has sent it.

    Version 1 (KIP-124): the throttle time. Version 2 (KIP-219): throttling begins after the answer.
    Version 3 (KIP-345): static membership; the layout stays. Version 4 (KIP-482): flexible.
    Version 5 (KIP-559): the protocol.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds
            (KIP-124). Versions 1-5; default 0; other versions leave it out.
        error_code (int16): Why it failed; 0 if it did not. Versions 0-5; default 0.
        protocol_type (string): The kind of the group; null if not told (KIP-559). Version 5; may be
            null; default None; other versions leave it out.
        protocol_name (string): The assignor; null if not told (KIP-559). Version 5; may be null;
            default None; other versions leave it out.
        assignment (bytes): What the leader gave the member. Versions 0-5; default b''.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 4-5; default ().
    """

    NAME = "SyncGroupResponse"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 14
    FRAMING = Framing("none", "refuse")

    throttle_time_ms: int = 0
    error_code: int = 0
    protocol_type: str | None = None
    protocol_name: str | None = None
    assignment: bytes = b""
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)
    _blobs = ("assignment",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple or type(self.assignment) is not bytes:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            assignment: bytes = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            assignment: bytes = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    assignment, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(error_code=error_code, assignment=assignment), pos


def _write_v0(message: SyncGroupResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    write_bytes(message.assignment, parts)


def _read_v1_3(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    assignment, pos = read_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, assignment=assignment
    ), pos


def _write_v1_3(message: SyncGroupResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_bytes(message.assignment, parts)


def _read_v4(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    assignment, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        assignment=assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4(message: SyncGroupResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_bytes(message.assignment, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    protocol_type, pos = read_compact_nullable_string(data, pos)
    protocol_name, pos = read_compact_nullable_string(data, pos)
    assignment, pos = read_compact_bytes(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        assignment=assignment,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v5(message: SyncGroupResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_nullable_string(message.protocol_type, parts)
    write_compact_nullable_string(message.protocol_name, parts)
    write_compact_bytes(message.assignment, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


SyncGroupResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_3, _write_v1_3),
    2: Codec(_read_v1_3, _write_v1_3),
    3: Codec(_read_v1_3, _write_v1_3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
