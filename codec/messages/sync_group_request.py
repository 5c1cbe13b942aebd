"""SyncGroupRequest, generated from schemas/SyncGroupRequest.json; change that file and run `make generate`."""

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
_pack__string_i = pack_strings("", "i")
_pack_h_string = pack_strings("h")
_pack_h_string_i = pack_strings("h", "i")
_pack_h_string_ih = pack_strings("h", "ih")
_pack_i = packed("i")
_short_string_i = short_strings("i")
_short_string_iu_h = short_strings("iH")
_string_h = strings("h")
_string_u_i = strings("I")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_u_i = fixed("I")


class SyncGroupRequest(Message, frozen=True, kw_only=True, gc=False):
    """SyncGroupRequest, versions 0-5."""

    NAME = "SyncGroupRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 14
    FRAMING = Framing("none", "refuse")

    class SyncGroupRequestAssignment(MessagePart, frozen=True, kw_only=True, gc=False):
        """SyncGroupRequestAssignment of SyncGroupRequest, versions 0-5."""

        member_id: str = ""
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
                member_id: str = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    generation_id: int = 0
    member_id: str = ""
    group_instance_id: str | None = None
    protocol_type: str | None = None
    protocol_name: str | None = None
    assignments: tuple[SyncGroupRequest.SyncGroupRequestAssignment, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("assignments", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.assignments) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            assignments: Iterable[SyncGroupRequest.SyncGroupRequestAssignment] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            generation_id: int = ...,
            member_id: str = ...,
            group_instance_id: str | None = ...,
            protocol_type: str | None = ...,
            protocol_name: str | None = ...,
            assignments: Iterable[SyncGroupRequest.SyncGroupRequestAssignment] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_SyncGroupRequestAssignment = SyncGroupRequest.SyncGroupRequestAssignment


def _read_v0_2(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
    group_id_size = data[pos + 1]
    high, raw, generation_id, member_id_size = _short_string_iu_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 8
    group_id = raw.decode()
    raw, assignments_count = _string_u_i[member_id_size](data, pos)
    pos += member_id_size + 4
    member_id = raw.decode()
    if assignments_count > MAX_ELEMENTS:
        raise OddBytes
    assignments_list: list[_SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        member_id_2_size = data[pos + 1]
        high, raw, assignment_size = _short_string_i[member_id_2_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_2_size + 6
        member_id_2 = raw.decode()
        if assignment_size < 0:
            raise OddBytes
        end = pos + assignment_size
        assignment = data[pos:end]
        pos = end
        assignments_list.append(
            _SyncGroupRequestAssignment(member_id=member_id_2, assignment=assignment)
        )
    assignments = tuple(assignments_list)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id, generation_id=generation_id, member_id=member_id, assignments=assignments
    ), pos


def _write_v0_2(message: SyncGroupRequest, parts: list[bytes]) -> None:
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
    assignments = message.assignments
    if type(assignments) is not tuple:
        raise OddValue
    add(_pack__string_i[len(member_id_raw)](member_id_raw, len(assignments)))
    for assignments_item in assignments:
        if type(assignments_item) is not _SyncGroupRequestAssignment:
            raise OddValue
        member_id_raw_2 = assignments_item.member_id.encode()
        add(
            _pack_h_string_i[len(member_id_raw_2)](
                len(member_id_raw_2), member_id_raw_2, len(assignments_item.assignment)
            )
        )
        add(assignments_item.assignment)
        if assignments_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
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
    (assignments_count,) = _unpack_u_i(data, pos)
    pos += 4
    if assignments_count > MAX_ELEMENTS:
        raise OddBytes
    assignments_list: list[_SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        member_id_2_size = data[pos + 1]
        high, raw, assignment_size = _short_string_i[member_id_2_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_2_size + 6
        member_id_2 = raw.decode()
        if assignment_size < 0:
            raise OddBytes
        end = pos + assignment_size
        assignment = data[pos:end]
        pos = end
        assignments_list.append(
            _SyncGroupRequestAssignment(member_id=member_id_2, assignment=assignment)
        )
    assignments = tuple(assignments_list)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        assignments=assignments,
    ), pos


def _write_v3(message: SyncGroupRequest, parts: list[bytes]) -> None:
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
    assignments = message.assignments
    if type(assignments) is not tuple:
        raise OddValue
    add(_pack_i(len(assignments)))
    for assignments_item in assignments:
        if type(assignments_item) is not _SyncGroupRequestAssignment:
            raise OddValue
        member_id_raw_2 = assignments_item.member_id.encode()
        add(
            _pack_h_string_i[len(member_id_raw_2)](
                len(member_id_raw_2), member_id_raw_2, len(assignments_item.assignment)
            )
        )
        add(assignments_item.assignment)
        if assignments_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
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
    (assignments_count,) = _unpack_u_b(data, pos)
    pos += 1
    if assignments_count > 127:
        assignments_count, pos = read_varint(data, pos - 1)
    assignments_count -= 1
    if not 0 <= assignments_count <= MAX_ELEMENTS:
        raise OddBytes
    assignments_list: list[_SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        (member_id_2_size,) = _unpack_u_b(data, pos)
        pos += 1
        if member_id_2_size > 127:
            member_id_2_size, pos = read_varint(data, pos - 1)
        if member_id_2_size < 1 or member_id_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + member_id_2_size - 1
        member_id_2 = data[pos:end].decode()
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
        assignments_list.append(
            _SyncGroupRequestAssignment(
                member_id=member_id_2,
                assignment=assignment,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    assignments = tuple(assignments_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        assignments=assignments,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v4(message: SyncGroupRequest, parts: list[bytes]) -> None:
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
    assignments = message.assignments
    if type(assignments) is not tuple:
        raise OddValue
    assignments_size = len(assignments) + 1
    add(VARINT[assignments_size] if assignments_size < 128 else varint(assignments_size))
    for assignments_item in assignments:
        if type(assignments_item) is not _SyncGroupRequestAssignment:
            raise OddValue
        member_id_raw_2 = assignments_item.member_id.encode()
        if len(member_id_raw_2) > MAX_STRING:
            raise OddValue
        member_id_size_2 = len(member_id_raw_2) + 1
        add(VARINT[member_id_size_2] if member_id_size_2 < 128 else varint(member_id_size_2))
        add(member_id_raw_2)
        assignment_size = len(assignments_item.assignment) + 1
        add(VARINT[assignment_size] if assignment_size < 128 else varint(assignment_size))
        add(assignments_item.assignment)
        add(
            write_tags([], assignments_item.unknown_tagged_fields, ())
            if assignments_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v5(data: bytes, pos: int) -> tuple[SyncGroupRequest, int]:
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
    (protocol_type_size,) = _unpack_u_b(data, pos)
    pos += 1
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
    (assignments_count,) = _unpack_u_b(data, pos)
    pos += 1
    if assignments_count > 127:
        assignments_count, pos = read_varint(data, pos - 1)
    assignments_count -= 1
    if not 0 <= assignments_count <= MAX_ELEMENTS:
        raise OddBytes
    assignments_list: list[_SyncGroupRequestAssignment] = []
    for _ in range(assignments_count):
        (member_id_2_size,) = _unpack_u_b(data, pos)
        pos += 1
        if member_id_2_size > 127:
            member_id_2_size, pos = read_varint(data, pos - 1)
        if member_id_2_size < 1 or member_id_2_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + member_id_2_size - 1
        member_id_2 = data[pos:end].decode()
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
        assignments_list.append(
            _SyncGroupRequestAssignment(
                member_id=member_id_2,
                assignment=assignment,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    assignments = tuple(assignments_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return SyncGroupRequest(
        group_id=group_id,
        generation_id=generation_id,
        member_id=member_id,
        group_instance_id=group_instance_id,
        protocol_type=protocol_type,
        protocol_name=protocol_name,
        assignments=assignments,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v5(message: SyncGroupRequest, parts: list[bytes]) -> None:
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
    assignments = message.assignments
    if type(assignments) is not tuple:
        raise OddValue
    assignments_size = len(assignments) + 1
    add(VARINT[assignments_size] if assignments_size < 128 else varint(assignments_size))
    for assignments_item in assignments:
        if type(assignments_item) is not _SyncGroupRequestAssignment:
            raise OddValue
        member_id_raw_2 = assignments_item.member_id.encode()
        if len(member_id_raw_2) > MAX_STRING:
            raise OddValue
        member_id_size_2 = len(member_id_raw_2) + 1
        add(VARINT[member_id_size_2] if member_id_size_2 < 128 else varint(member_id_size_2))
        add(member_id_raw_2)
        assignment_size = len(assignments_item.assignment) + 1
        add(VARINT[assignment_size] if assignment_size < 128 else varint(assignment_size))
        add(assignments_item.assignment)
        add(
            write_tags([], assignments_item.unknown_tagged_fields, ())
            if assignments_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


SyncGroupRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
