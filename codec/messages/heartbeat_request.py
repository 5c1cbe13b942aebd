"""HeartbeatRequest, generated from schemas/HeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, RawTaggedField
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_STRING,
    VARINT,
    OddBytes,
    OddValue,
    fixed,
    pack_strings,
    packed,
    read_varint,
    short_strings,
    strings,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack__string = pack_strings("")
_pack_h_string = pack_strings("h")
_pack_h_string_ih = pack_strings("h", "ih")
_pack_i = packed("i")
_short_string_iu_h = short_strings("iH")
_string = strings("")
_string_h = strings("h")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")


class HeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """HeartbeatRequest, versions 0-4."""

    NAME = "HeartbeatRequest"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 12
    FRAMING = Framing("none", "refuse")

    group_id: str = ""
    generation_id: int = 0
    member_id: str = ""
    group_instance_id: str | None = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[HeartbeatRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, generation_id, member_id_size = _short_string_iu_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 8
    group_id = raw.decode()
    (raw,) = _string[member_id_size](data, pos)
    pos += member_id_size
    member_id = raw.decode()
    return HeartbeatRequest(
        group_id=group_id, generation_id=generation_id, member_id=member_id
    ), pos


def _write_v0_2(message: HeartbeatRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.group_instance_id is not None:
        raise OddValue
    group_id_raw = message.group_id.encode()
    if type(message.generation_id) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(
        _pack_h_string_ih[len(group_id_raw)](
            len(group_id_raw), group_id_raw, message.generation_id, len(member_id_raw)
        )
    )
    add(_pack__string[len(member_id_raw)](member_id_raw))
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[HeartbeatRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, generation_id, member_id_size = _short_string_iu_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 8
    group_id = raw.decode()
    raw, group_instance_id_size = _string_h[member_id_size](data, pos)
    pos += member_id_size + 2
    member_id = raw.decode()
    if group_instance_id_size < 0:
        group_instance_id = None
    else:
        end = pos + group_instance_id_size
        group_instance_id = data[pos:end].decode()
        pos = end
    if pos > len(data):
        raise OddBytes
    return HeartbeatRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
    ), pos


def _write_v3(message: HeartbeatRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if type(message.generation_id) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(
        _pack_h_string_ih[len(group_id_raw)](
            len(group_id_raw), group_id_raw, message.generation_id, len(member_id_raw)
        )
    )
    add(_pack__string[len(member_id_raw)](member_id_raw))
    group_instance_id = message.group_instance_id
    if group_instance_id is None:
        add(b"\xff\xff")
    else:
        group_instance_id_raw = group_instance_id.encode()
        add(
            _pack_h_string[len(group_instance_id_raw)](
                len(group_instance_id_raw), group_instance_id_raw
            )
        )
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[HeartbeatRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    generation_id, member_id_size = _unpack_iu_b(data, pos)
    pos += 5
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    (group_instance_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_instance_id_size > 127:
        group_instance_id_size, pos = read_varint(data, pos - 1)
    if group_instance_id_size < 1:
        group_instance_id = None
    elif group_instance_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + group_instance_id_size - 1
        group_instance_id = data[pos:end].decode()
        pos = end
    (count,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
    if count:
        unknown_tagged_fields, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return HeartbeatRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        unknown_tagged_fields=unknown_tagged_fields,
    ), pos


def _write_v4(message: HeartbeatRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    if type(message.generation_id) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(_pack_i(message.generation_id))
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    group_instance_id = message.group_instance_id
    if group_instance_id is None:
        add(b"\x00")
    else:
        group_instance_id_raw = group_instance_id.encode()
        if len(group_instance_id_raw) > MAX_STRING:
            raise OddValue
        group_instance_id_size = len(group_instance_id_raw) + 1
        add(
            VARINT[group_instance_id_size]
            if group_instance_id_size < 128
            else varint(group_instance_id_size)
        )
        add(group_instance_id_raw)
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


HeartbeatRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
