"""SyncGroupResponse, generated from schemas/SyncGroupResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, RawTaggedField
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import MAX_STRING, VARINT, OddBytes, OddValue, fixed, packed, read_varint, varint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_hi = packed("hi")
_pack_ih = packed("ih")
_pack_ihi = packed("ihi")
_unpack_hi = fixed("hi")
_unpack_ihi = fixed("ihi")
_unpack_ihu_b = fixed("ihB")
_unpack_u_b = fixed("B")


class SyncGroupResponse(Message, frozen=True, kw_only=True, gc=False):
    """SyncGroupResponse, versions 0-5."""

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
    error_code, assignment_size = _unpack_hi(data, pos)
    pos += 6
    if assignment_size < 0:
        raise OddBytes
    end = pos + assignment_size
    assignment = data[pos:end]
    pos = end
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(error_code=error_code, assignment=assignment), pos


def _write_v0(message: SyncGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_hi(message.error_code, len(message.assignment)))
    add(message.assignment)
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1_3(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms, error_code, assignment_size = _unpack_ihi(data, pos)
    pos += 10
    if assignment_size < 0:
        raise OddBytes
    end = pos + assignment_size
    assignment = data[pos:end]
    pos = end
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(
        throttle_time_ms=throttle_time_ms, error_code=error_code, assignment=assignment
    ), pos


def _write_v1_3(message: SyncGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ihi(message.throttle_time_ms, message.error_code, len(message.assignment)))
    add(message.assignment)
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms, error_code, assignment_size = _unpack_ihu_b(data, pos)
    pos += 7
    if assignment_size > 127:
        assignment_size, pos = read_varint(data, pos - 1)
    if assignment_size < 1:
        raise OddBytes
    end = pos + assignment_size - 1
    assignment = data[pos:end]
    pos = end
    (count,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        assignment=assignment,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v4(message: SyncGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    assignment_size = len(message.assignment) + 1
    add(VARINT[assignment_size] if assignment_size < 128 else varint(assignment_size))
    add(message.assignment)
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v5(data: bytes, pos: int) -> tuple[SyncGroupResponse, int]:
    throttle_time_ms, error_code, protocol_type_size = _unpack_ihu_b(data, pos)
    pos += 7
    if protocol_type_size > 127:
        protocol_type_size, pos = read_varint(data, pos - 1)
    if protocol_type_size < 1:
        protocol_type = None
    elif protocol_type_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_type_size - 1
        protocol_type = data[pos:end].decode()
        pos = end
    (protocol_name_size,) = _unpack_u_b(data, pos)
    pos += 1
    if protocol_name_size > 127:
        protocol_name_size, pos = read_varint(data, pos - 1)
    if protocol_name_size < 1:
        protocol_name = None
    elif protocol_name_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_name_size - 1
        protocol_name = data[pos:end].decode()
        pos = end
    (assignment_size,) = _unpack_u_b(data, pos)
    pos += 1
    if assignment_size > 127:
        assignment_size, pos = read_varint(data, pos - 1)
    if assignment_size < 1:
        raise OddBytes
    end = pos + assignment_size - 1
    assignment = data[pos:end]
    pos = end
    (count,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return SyncGroupResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        assignment=assignment,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v5(message: SyncGroupResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_ih(message.throttle_time_ms, message.error_code))
    protocol_type = message.protocol_type
    if protocol_type is None:
        add(b"\x00")
    else:
        protocol_type_raw = protocol_type.encode()
        if len(protocol_type_raw) > MAX_STRING:
            raise OddValue
        protocol_type_size = len(protocol_type_raw) + 1
        add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
        add(protocol_type_raw)
    protocol_name = message.protocol_name
    if protocol_name is None:
        add(b"\x00")
    else:
        protocol_name_raw = protocol_name.encode()
        if len(protocol_name_raw) > MAX_STRING:
            raise OddValue
        protocol_name_size = len(protocol_name_raw) + 1
        add(VARINT[protocol_name_size] if protocol_name_size < 128 else varint(protocol_name_size))
        add(protocol_name_raw)
    assignment_size = len(message.assignment) + 1
    add(VARINT[assignment_size] if assignment_size < 128 else varint(assignment_size))
    add(message.assignment)
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


SyncGroupResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_3, _write_v1_3),
    2: Codec(_read_v1_3, _write_v1_3),
    3: Codec(_read_v1_3, _write_v1_3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
