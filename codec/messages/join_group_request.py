"""JoinGroupRequest, generated from schemas/JoinGroupRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, MessagePart, RawTaggedField
from ..tags import read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
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
_pack__string_h = pack_strings("", "h")
_pack__string_i = pack_strings("", "i")
_pack_h_string = pack_strings("h")
_pack_h_string_i = pack_strings("h", "i")
_pack_h_string_ih = pack_strings("h", "ih")
_pack_h_string_iih = pack_strings("h", "iih")
_pack_ii = packed("ii")
_short_string_i = short_strings("i")
_short_string_iiu_h = short_strings("iiH")
_short_string_iu_h = short_strings("iH")
_short_string_u_i = short_strings("I")
_string_h = strings("h")
_string_u_h = strings("H")
_string_u_i = strings("I")
_unpack_iiu_b = fixed("iiB")
_unpack_u_b = fixed("B")


class JoinGroupRequest(Message, frozen=True, kw_only=True, gc=False):
    """JoinGroupRequest, versions 0-9."""

    NAME = "JoinGroupRequest"
    VERSIONS = VersionRange(0, 9)
    LATEST = 9
    API_KEY = 11
    FRAMING = Framing("none", "refuse")

    class JoinGroupRequestProtocol(MessagePart, frozen=True, kw_only=True, gc=False):
        """JoinGroupRequestProtocol of JoinGroupRequest, versions 0-9."""

        name: str = ""
        metadata: bytes = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)
        _blobs = ("metadata",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple or type(self.metadata) is not bytes:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                metadata: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                metadata: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    session_timeout_ms: int = 0
    rebalance_timeout_ms: int = -1
    member_id: str = ""
    group_instance_id: str | None = None
    protocol_type: str = ""
    protocols: tuple[JoinGroupRequest.JoinGroupRequestProtocol, ...] = ()
    reason: str | None = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("protocols", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.protocols) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            session_timeout_ms: int = ...,
            rebalance_timeout_ms: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str = ...,
            protocols: Iterable[JoinGroupRequest.JoinGroupRequestProtocol] = ...,
            reason: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            session_timeout_ms: int = ...,
            rebalance_timeout_ms: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str = ...,
            protocols: Iterable[JoinGroupRequest.JoinGroupRequestProtocol] = ...,
            reason: str | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_JoinGroupRequestProtocol = JoinGroupRequest.JoinGroupRequestProtocol


def _read_v0(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, session_timeout_ms, member_id_size = _short_string_iu_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 8
    group_id = raw.decode()
    raw, protocol_type_size = _string_u_h[member_id_size](data, pos)
    pos += member_id_size + 2
    member_id = raw.decode()
    raw, protocols_count = _string_u_i[protocol_type_size](data, pos)
    pos += protocol_type_size + 4
    protocol_type = raw.decode()
    if protocols_count > MAX_ELEMENTS:
        raise OddBytes
    protocols_list: list[_JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        name_size = data[pos + 1]
        high, raw, metadata_size = _short_string_i[name_size](data, pos)
        if high:
            raise OddBytes
        pos += name_size + 6
        name = raw.decode()
        if metadata_size < 0:
            raise OddBytes
        end = pos + metadata_size
        metadata = data[pos:end]
        pos = end
        protocols_list.append(_JoinGroupRequestProtocol(name=name, metadata=metadata))
    protocols = tuple(protocols_list)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        member_id=member_id,
        protocol_type=protocol_type,
        protocols=protocols,
    ), pos


def _write_v0(message: JoinGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.group_instance_id is not None:
        raise OddValue
    group_id_raw = message.group_id.encode()
    if type(message.session_timeout_ms) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(
        _pack_h_string_ih[len(group_id_raw)](
            len(group_id_raw), group_id_raw, message.session_timeout_ms, len(member_id_raw)
        )
    )
    protocol_type_raw = message.protocol_type.encode()
    add(_pack__string_h[len(member_id_raw)](member_id_raw, len(protocol_type_raw)))
    protocols = message.protocols
    if type(protocols) is not tuple:
        raise OddValue
    add(_pack__string_i[len(protocol_type_raw)](protocol_type_raw, len(protocols)))
    for protocols_item in protocols:
        if type(protocols_item) is not _JoinGroupRequestProtocol:
            raise OddValue
        name_raw = protocols_item.name.encode()
        add(_pack_h_string_i[len(name_raw)](len(name_raw), name_raw, len(protocols_item.metadata)))
        add(protocols_item.metadata)
        if protocols_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1_4(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, session_timeout_ms, rebalance_timeout_ms, member_id_size = _short_string_iiu_h[
        group_id_size
    ](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 12
    group_id = raw.decode()
    raw, protocol_type_size = _string_u_h[member_id_size](data, pos)
    pos += member_id_size + 2
    member_id = raw.decode()
    raw, protocols_count = _string_u_i[protocol_type_size](data, pos)
    pos += protocol_type_size + 4
    protocol_type = raw.decode()
    if protocols_count > MAX_ELEMENTS:
        raise OddBytes
    protocols_list: list[_JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        name_size = data[pos + 1]
        high, raw, metadata_size = _short_string_i[name_size](data, pos)
        if high:
            raise OddBytes
        pos += name_size + 6
        name = raw.decode()
        if metadata_size < 0:
            raise OddBytes
        end = pos + metadata_size
        metadata = data[pos:end]
        pos = end
        protocols_list.append(_JoinGroupRequestProtocol(name=name, metadata=metadata))
    protocols = tuple(protocols_list)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        protocol_type=protocol_type,
        protocols=protocols,
    ), pos


def _write_v1_4(message: JoinGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.group_instance_id is not None:
        raise OddValue
    group_id_raw = message.group_id.encode()
    if type(message.session_timeout_ms) is bool:
        raise OddValue
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(
        _pack_h_string_iih[len(group_id_raw)](
            len(group_id_raw),
            group_id_raw,
            message.session_timeout_ms,
            message.rebalance_timeout_ms,
            len(member_id_raw),
        )
    )
    protocol_type_raw = message.protocol_type.encode()
    add(_pack__string_h[len(member_id_raw)](member_id_raw, len(protocol_type_raw)))
    protocols = message.protocols
    if type(protocols) is not tuple:
        raise OddValue
    add(_pack__string_i[len(protocol_type_raw)](protocol_type_raw, len(protocols)))
    for protocols_item in protocols:
        if type(protocols_item) is not _JoinGroupRequestProtocol:
            raise OddValue
        name_raw = protocols_item.name.encode()
        add(_pack_h_string_i[len(name_raw)](len(name_raw), name_raw, len(protocols_item.metadata)))
        add(protocols_item.metadata)
        if protocols_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v5(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, session_timeout_ms, rebalance_timeout_ms, member_id_size = _short_string_iiu_h[
        group_id_size
    ](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 12
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
    protocol_type_size = data[pos + 1]
    high, raw, protocols_count = _short_string_u_i[protocol_type_size](data, pos)
    if high:
        raise OddBytes
    pos += protocol_type_size + 6
    protocol_type = raw.decode()
    if protocols_count > MAX_ELEMENTS:
        raise OddBytes
    protocols_list: list[_JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        name_size = data[pos + 1]
        high, raw, metadata_size = _short_string_i[name_size](data, pos)
        if high:
            raise OddBytes
        pos += name_size + 6
        name = raw.decode()
        if metadata_size < 0:
            raise OddBytes
        end = pos + metadata_size
        metadata = data[pos:end]
        pos = end
        protocols_list.append(_JoinGroupRequestProtocol(name=name, metadata=metadata))
    protocols = tuple(protocols_list)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocols=protocols,
    ), pos


def _write_v5(message: JoinGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if type(message.session_timeout_ms) is bool:
        raise OddValue
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(
        _pack_h_string_iih[len(group_id_raw)](
            len(group_id_raw),
            group_id_raw,
            message.session_timeout_ms,
            message.rebalance_timeout_ms,
            len(member_id_raw),
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
    protocol_type_raw = message.protocol_type.encode()
    protocols = message.protocols
    if type(protocols) is not tuple:
        raise OddValue
    add(
        _pack_h_string_i[len(protocol_type_raw)](
            len(protocol_type_raw), protocol_type_raw, len(protocols)
        )
    )
    for protocols_item in protocols:
        if type(protocols_item) is not _JoinGroupRequestProtocol:
            raise OddValue
        name_raw = protocols_item.name.encode()
        add(_pack_h_string_i[len(name_raw)](len(name_raw), name_raw, len(protocols_item.metadata)))
        add(protocols_item.metadata)
        if protocols_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v6_7(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    session_timeout_ms, rebalance_timeout_ms, member_id_size = _unpack_iiu_b(data, pos)
    pos += 9
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
    (protocol_type_size,) = _unpack_u_b(data, pos)
    pos += 1
    if protocol_type_size > 127:
        protocol_type_size, pos = read_varint(data, pos - 1)
    if protocol_type_size < 1 or protocol_type_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + protocol_type_size - 1
    protocol_type = data[pos:end].decode()
    pos = end
    (protocols_count,) = _unpack_u_b(data, pos)
    pos += 1
    if protocols_count > 127:
        protocols_count, pos = read_varint(data, pos - 1)
    protocols_count -= 1
    if not 0 <= protocols_count <= MAX_ELEMENTS:
        raise OddBytes
    protocols_list: list[_JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        (name_size,) = _unpack_u_b(data, pos)
        pos += 1
        if name_size > 127:
            name_size, pos = read_varint(data, pos - 1)
        if name_size < 1 or name_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + name_size - 1
        name = data[pos:end].decode()
        pos = end
        (metadata_size,) = _unpack_u_b(data, pos)
        pos += 1
        if metadata_size > 127:
            metadata_size, pos = read_varint(data, pos - 1)
        if metadata_size < 1:
            raise OddBytes
        end = pos + metadata_size - 1
        metadata = data[pos:end]
        pos = end
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        protocols_list.append(
            _JoinGroupRequestProtocol(
                name=name, metadata=metadata, unknown_tagged_fields=unknown_tagged_fields
            )
        )
    protocols = tuple(protocols_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocols=protocols,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v6_7(message: JoinGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    if type(message.session_timeout_ms) is bool:
        raise OddValue
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(_pack_ii(message.session_timeout_ms, message.rebalance_timeout_ms))
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
    protocol_type_raw = message.protocol_type.encode()
    if len(protocol_type_raw) > MAX_STRING:
        raise OddValue
    protocol_type_size = len(protocol_type_raw) + 1
    add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
    add(protocol_type_raw)
    protocols = message.protocols
    if type(protocols) is not tuple:
        raise OddValue
    protocols_size = len(protocols) + 1
    add(VARINT[protocols_size] if protocols_size < 128 else varint(protocols_size))
    for protocols_item in protocols:
        if type(protocols_item) is not _JoinGroupRequestProtocol:
            raise OddValue
        name_raw = protocols_item.name.encode()
        if len(name_raw) > MAX_STRING:
            raise OddValue
        name_size = len(name_raw) + 1
        add(VARINT[name_size] if name_size < 128 else varint(name_size))
        add(name_raw)
        metadata_size = len(protocols_item.metadata) + 1
        add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
        add(protocols_item.metadata)
        add(
            write_tags([], protocols_item.unknown_tagged_fields, ())
            if protocols_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v8_9(data: bytes, pos: int) -> tuple[JoinGroupRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    session_timeout_ms, rebalance_timeout_ms, member_id_size = _unpack_iiu_b(data, pos)
    pos += 9
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
    (protocol_type_size,) = _unpack_u_b(data, pos)
    pos += 1
    if protocol_type_size > 127:
        protocol_type_size, pos = read_varint(data, pos - 1)
    if protocol_type_size < 1 or protocol_type_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + protocol_type_size - 1
    protocol_type = data[pos:end].decode()
    pos = end
    (protocols_count,) = _unpack_u_b(data, pos)
    pos += 1
    if protocols_count > 127:
        protocols_count, pos = read_varint(data, pos - 1)
    protocols_count -= 1
    if not 0 <= protocols_count <= MAX_ELEMENTS:
        raise OddBytes
    protocols_list: list[_JoinGroupRequestProtocol] = []
    for _ in range(protocols_count):
        (name_size,) = _unpack_u_b(data, pos)
        pos += 1
        if name_size > 127:
            name_size, pos = read_varint(data, pos - 1)
        if name_size < 1 or name_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + name_size - 1
        name = data[pos:end].decode()
        pos = end
        (metadata_size,) = _unpack_u_b(data, pos)
        pos += 1
        if metadata_size > 127:
            metadata_size, pos = read_varint(data, pos - 1)
        if metadata_size < 1:
            raise OddBytes
        end = pos + metadata_size - 1
        metadata = data[pos:end]
        pos = end
        (count,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
        if count:
            unknown_tagged_fields, pos = read_tags(data, pos - 1)
        protocols_list.append(
            _JoinGroupRequestProtocol(
                name=name, metadata=metadata, unknown_tagged_fields=unknown_tagged_fields
            )
        )
    protocols = tuple(protocols_list)
    (reason_size,) = _unpack_u_b(data, pos)
    pos += 1
    if reason_size > 127:
        reason_size, pos = read_varint(data, pos - 1)
    if reason_size < 1:
        reason = None
    elif reason_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + reason_size - 1
        reason = data[pos:end].decode()
        pos = end
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=session_timeout_ms,
        rebalance_timeout_ms=rebalance_timeout_ms,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocols=protocols,
        reason=reason,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v8_9(message: JoinGroupRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    if type(message.session_timeout_ms) is bool:
        raise OddValue
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    member_id_raw = message.member_id.encode()
    add(_pack_ii(message.session_timeout_ms, message.rebalance_timeout_ms))
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
    protocol_type_raw = message.protocol_type.encode()
    if len(protocol_type_raw) > MAX_STRING:
        raise OddValue
    protocol_type_size = len(protocol_type_raw) + 1
    add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
    add(protocol_type_raw)
    protocols = message.protocols
    if type(protocols) is not tuple:
        raise OddValue
    protocols_size = len(protocols) + 1
    add(VARINT[protocols_size] if protocols_size < 128 else varint(protocols_size))
    for protocols_item in protocols:
        if type(protocols_item) is not _JoinGroupRequestProtocol:
            raise OddValue
        name_raw = protocols_item.name.encode()
        if len(name_raw) > MAX_STRING:
            raise OddValue
        name_size = len(name_raw) + 1
        add(VARINT[name_size] if name_size < 128 else varint(name_size))
        add(name_raw)
        metadata_size = len(protocols_item.metadata) + 1
        add(VARINT[metadata_size] if metadata_size < 128 else varint(metadata_size))
        add(protocols_item.metadata)
        add(
            write_tags([], protocols_item.unknown_tagged_fields, ())
            if protocols_item.unknown_tagged_fields
            else b"\0"
        )
    reason = message.reason
    if reason is None:
        add(b"\x00")
    else:
        reason_raw = reason.encode()
        if len(reason_raw) > MAX_STRING:
            raise OddValue
        reason_size = len(reason_raw) + 1
        add(VARINT[reason_size] if reason_size < 128 else varint(reason_size))
        add(reason_raw)
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


JoinGroupRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_4, _write_v1_4),
    2: Codec(_read_v1_4, _write_v1_4),
    3: Codec(_read_v1_4, _write_v1_4),
    4: Codec(_read_v1_4, _write_v1_4),
    5: Codec(_read_v5, _write_v5),
    6: Codec(_read_v6_7, _write_v6_7),
    7: Codec(_read_v6_7, _write_v6_7),
    8: Codec(_read_v8_9, _write_v8_9),
    9: Codec(_read_v8_9, _write_v8_9),
}
