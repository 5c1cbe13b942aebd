"""GroupMetadataValue, generated from schemas/GroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
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

_pack__string_h = pack_strings("", "h")
_pack__string_ii = pack_strings("", "ii")
_pack__string_iii = pack_strings("", "iii")
_pack_h_string = pack_strings("h")
_pack_h_string_h = pack_strings("h", "h")
_pack_h_string_i = pack_strings("h", "i")
_pack_i = packed("i")
_pack_ii = packed("ii")
_pack_q = packed("q")
_pack_qi = packed("qi")
_short_string_h = short_strings("h")
_short_string_ih = short_strings("ih")
_short_string_u_h = short_strings("H")
_string_ii = strings("ii")
_string_iii = strings("iii")
_string_u_h = strings("H")
_unpack_h = fixed("h")
_unpack_i = fixed("i")
_unpack_iiu_b = fixed("iiB")
_unpack_iu_b = fixed("iB")
_unpack_qu_b = fixed("qB")
_unpack_qu_i = fixed("qI")
_unpack_u_b = fixed("B")
_unpack_u_i = fixed("I")


class GroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """GroupMetadataValue, versions 0-4."""

    NAME = "GroupMetadataValue"
    VERSIONS = VersionRange(0, 4)
    LATEST = 4
    API_KEY = 2
    FRAMING = Framing("version", "refuse")

    class MemberMetadata(MessagePart, frozen=True, kw_only=True, gc=False):
        """MemberMetadata of GroupMetadataValue, versions 0-4."""

        member_id: str = ""
        group_instance_id: str | None = None
        client_id: str = ""
        client_host: str = ""
        rebalance_timeout: int = -1
        session_timeout: int = 0
        subscription: bytes = b""
        assignment: bytes = b""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)
        _blobs = ("subscription", "assignment")

        def __post_init__(self) -> None:
            if (
                type(self.unknown_tagged_fields) is not tuple
                or type(self.subscription) is not bytes
                or type(self.assignment) is not bytes
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                rebalance_timeout: int = ...,
                session_timeout: int = ...,
                subscription: bytes = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                group_instance_id: str | None = ...,
                client_id: str = ...,
                client_host: str = ...,
                rebalance_timeout: int = ...,
                session_timeout: int = ...,
                subscription: bytes = ...,
                assignment: bytes = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    protocol_type: str = ""
    generation: int = 0
    protocol: str | None = ""
    leader: str | None = ""
    current_state_timestamp: int = -1
    members: tuple[GroupMetadataValue.MemberMetadata, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("members", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            protocol_type: str = ...,
            generation: int = ...,
            protocol: str | None = ...,
            leader: str | None = ...,
            current_state_timestamp: int = ...,
            members: Iterable[GroupMetadataValue.MemberMetadata] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            protocol_type: str = ...,
            generation: int = ...,
            protocol: str | None = ...,
            leader: str | None = ...,
            current_state_timestamp: int = ...,
            members: Iterable[GroupMetadataValue.MemberMetadata] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MemberMetadata = GroupMetadataValue.MemberMetadata


def _read_v0(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type_size = data[pos + 1]
    high, raw, generation, protocol_size = _short_string_ih[protocol_type_size](data, pos)
    if high:
        raise OddBytes
    pos += protocol_type_size + 8
    protocol_type = raw.decode()
    if protocol_size < 0:
        protocol = None
    else:
        end = pos + protocol_size
        protocol = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_h(data, pos)
    pos += 2
    if leader_size < 0:
        leader = None
    else:
        end = pos + leader_size
        leader = data[pos:end].decode()
        pos = end
    (members_count,) = _unpack_u_i(data, pos)
    pos += 4
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberMetadata] = []
    for _ in range(members_count):
        member_id_size = data[pos + 1]
        high, raw, client_id_size = _short_string_u_h[member_id_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_size + 4
        member_id = raw.decode()
        raw, client_host_size = _string_u_h[client_id_size](data, pos)
        pos += client_id_size + 2
        client_id = raw.decode()
        raw, session_timeout, subscription_size = _string_ii[client_host_size](data, pos)
        pos += client_host_size + 8
        client_host = raw.decode()
        if subscription_size < 0:
            raise OddBytes
        end = pos + subscription_size
        subscription = data[pos:end]
        pos = end
        (assignment_size,) = _unpack_i(data, pos)
        pos += 4
        if assignment_size < 0:
            raise OddBytes
        end = pos + assignment_size
        assignment = data[pos:end]
        pos = end
        members_list.append(
            _MemberMetadata(
                member_id=member_id,
                client_id=client_id,
                client_host=client_host,
                session_timeout=session_timeout,
                subscription=subscription,
                assignment=assignment,
            )
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        members=members,
    ), pos


def _write_v0(message: GroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    protocol_type_raw = message.protocol_type.encode()
    if type(message.generation) is bool:
        raise OddValue
    add(
        _pack_h_string_i[len(protocol_type_raw)](
            len(protocol_type_raw), protocol_type_raw, message.generation
        )
    )
    protocol = message.protocol
    if protocol is None:
        add(b"\xff\xff")
    else:
        protocol_raw = protocol.encode()
        add(_pack_h_string[len(protocol_raw)](len(protocol_raw), protocol_raw))
    leader = message.leader
    if leader is None:
        add(b"\xff\xff")
    else:
        leader_raw = leader.encode()
        add(_pack_h_string[len(leader_raw)](len(leader_raw), leader_raw))
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_i(len(members)))
    for members_item in members:
        if type(members_item) is not _MemberMetadata:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        client_id_raw = members_item.client_id.encode()
        add(
            _pack_h_string_h[len(member_id_raw)](
                len(member_id_raw), member_id_raw, len(client_id_raw)
            )
        )
        client_host_raw = members_item.client_host.encode()
        add(_pack__string_h[len(client_id_raw)](client_id_raw, len(client_host_raw)))
        if type(members_item.session_timeout) is bool:
            raise OddValue
        add(
            _pack__string_ii[len(client_host_raw)](
                client_host_raw, members_item.session_timeout, len(members_item.subscription)
            )
        )
        add(members_item.subscription)
        add(_pack_i(len(members_item.assignment)))
        add(members_item.assignment)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v1(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type_size = data[pos + 1]
    high, raw, generation, protocol_size = _short_string_ih[protocol_type_size](data, pos)
    if high:
        raise OddBytes
    pos += protocol_type_size + 8
    protocol_type = raw.decode()
    if protocol_size < 0:
        protocol = None
    else:
        end = pos + protocol_size
        protocol = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_h(data, pos)
    pos += 2
    if leader_size < 0:
        leader = None
    else:
        end = pos + leader_size
        leader = data[pos:end].decode()
        pos = end
    (members_count,) = _unpack_u_i(data, pos)
    pos += 4
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberMetadata] = []
    for _ in range(members_count):
        member_id_size = data[pos + 1]
        high, raw, client_id_size = _short_string_u_h[member_id_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_size + 4
        member_id = raw.decode()
        raw, client_host_size = _string_u_h[client_id_size](data, pos)
        pos += client_id_size + 2
        client_id = raw.decode()
        raw, rebalance_timeout, session_timeout, subscription_size = _string_iii[client_host_size](
            data, pos
        )
        pos += client_host_size + 12
        client_host = raw.decode()
        if subscription_size < 0:
            raise OddBytes
        end = pos + subscription_size
        subscription = data[pos:end]
        pos = end
        (assignment_size,) = _unpack_i(data, pos)
        pos += 4
        if assignment_size < 0:
            raise OddBytes
        end = pos + assignment_size
        assignment = data[pos:end]
        pos = end
        members_list.append(
            _MemberMetadata(
                member_id=member_id,
                client_id=client_id,
                client_host=client_host,
                rebalance_timeout=rebalance_timeout,
                session_timeout=session_timeout,
                subscription=subscription,
                assignment=assignment,
            )
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        members=members,
    ), pos


def _write_v1(message: GroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    protocol_type_raw = message.protocol_type.encode()
    if type(message.generation) is bool:
        raise OddValue
    add(
        _pack_h_string_i[len(protocol_type_raw)](
            len(protocol_type_raw), protocol_type_raw, message.generation
        )
    )
    protocol = message.protocol
    if protocol is None:
        add(b"\xff\xff")
    else:
        protocol_raw = protocol.encode()
        add(_pack_h_string[len(protocol_raw)](len(protocol_raw), protocol_raw))
    leader = message.leader
    if leader is None:
        add(b"\xff\xff")
    else:
        leader_raw = leader.encode()
        add(_pack_h_string[len(leader_raw)](len(leader_raw), leader_raw))
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_i(len(members)))
    for members_item in members:
        if type(members_item) is not _MemberMetadata:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        client_id_raw = members_item.client_id.encode()
        add(
            _pack_h_string_h[len(member_id_raw)](
                len(member_id_raw), member_id_raw, len(client_id_raw)
            )
        )
        client_host_raw = members_item.client_host.encode()
        add(_pack__string_h[len(client_id_raw)](client_id_raw, len(client_host_raw)))
        if type(members_item.rebalance_timeout) is bool:
            raise OddValue
        if type(members_item.session_timeout) is bool:
            raise OddValue
        add(
            _pack__string_iii[len(client_host_raw)](
                client_host_raw,
                members_item.rebalance_timeout,
                members_item.session_timeout,
                len(members_item.subscription),
            )
        )
        add(members_item.subscription)
        add(_pack_i(len(members_item.assignment)))
        add(members_item.assignment)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v2(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type_size = data[pos + 1]
    high, raw, generation, protocol_size = _short_string_ih[protocol_type_size](data, pos)
    if high:
        raise OddBytes
    pos += protocol_type_size + 8
    protocol_type = raw.decode()
    if protocol_size < 0:
        protocol = None
    else:
        end = pos + protocol_size
        protocol = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_h(data, pos)
    pos += 2
    if leader_size < 0:
        leader = None
    else:
        end = pos + leader_size
        leader = data[pos:end].decode()
        pos = end
    current_state_timestamp, members_count = _unpack_qu_i(data, pos)
    pos += 12
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberMetadata] = []
    for _ in range(members_count):
        member_id_size = data[pos + 1]
        high, raw, client_id_size = _short_string_u_h[member_id_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_size + 4
        member_id = raw.decode()
        raw, client_host_size = _string_u_h[client_id_size](data, pos)
        pos += client_id_size + 2
        client_id = raw.decode()
        raw, rebalance_timeout, session_timeout, subscription_size = _string_iii[client_host_size](
            data, pos
        )
        pos += client_host_size + 12
        client_host = raw.decode()
        if subscription_size < 0:
            raise OddBytes
        end = pos + subscription_size
        subscription = data[pos:end]
        pos = end
        (assignment_size,) = _unpack_i(data, pos)
        pos += 4
        if assignment_size < 0:
            raise OddBytes
        end = pos + assignment_size
        assignment = data[pos:end]
        pos = end
        members_list.append(
            _MemberMetadata(
                member_id=member_id,
                client_id=client_id,
                client_host=client_host,
                rebalance_timeout=rebalance_timeout,
                session_timeout=session_timeout,
                subscription=subscription,
                assignment=assignment,
            )
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        current_state_timestamp=current_state_timestamp,
        members=members,
    ), pos


def _write_v2(message: GroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    protocol_type_raw = message.protocol_type.encode()
    if type(message.generation) is bool:
        raise OddValue
    add(
        _pack_h_string_i[len(protocol_type_raw)](
            len(protocol_type_raw), protocol_type_raw, message.generation
        )
    )
    protocol = message.protocol
    if protocol is None:
        add(b"\xff\xff")
    else:
        protocol_raw = protocol.encode()
        add(_pack_h_string[len(protocol_raw)](len(protocol_raw), protocol_raw))
    leader = message.leader
    if leader is None:
        add(b"\xff\xff")
    else:
        leader_raw = leader.encode()
        add(_pack_h_string[len(leader_raw)](len(leader_raw), leader_raw))
    if type(message.current_state_timestamp) is bool:
        raise OddValue
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_qi(message.current_state_timestamp, len(members)))
    for members_item in members:
        if type(members_item) is not _MemberMetadata:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        client_id_raw = members_item.client_id.encode()
        add(
            _pack_h_string_h[len(member_id_raw)](
                len(member_id_raw), member_id_raw, len(client_id_raw)
            )
        )
        client_host_raw = members_item.client_host.encode()
        add(_pack__string_h[len(client_id_raw)](client_id_raw, len(client_host_raw)))
        if type(members_item.rebalance_timeout) is bool:
            raise OddValue
        if type(members_item.session_timeout) is bool:
            raise OddValue
        add(
            _pack__string_iii[len(client_host_raw)](
                client_host_raw,
                members_item.rebalance_timeout,
                members_item.session_timeout,
                len(members_item.subscription),
            )
        )
        add(members_item.subscription)
        add(_pack_i(len(members_item.assignment)))
        add(members_item.assignment)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    protocol_type_size = data[pos + 1]
    high, raw, generation, protocol_size = _short_string_ih[protocol_type_size](data, pos)
    if high:
        raise OddBytes
    pos += protocol_type_size + 8
    protocol_type = raw.decode()
    if protocol_size < 0:
        protocol = None
    else:
        end = pos + protocol_size
        protocol = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_h(data, pos)
    pos += 2
    if leader_size < 0:
        leader = None
    else:
        end = pos + leader_size
        leader = data[pos:end].decode()
        pos = end
    current_state_timestamp, members_count = _unpack_qu_i(data, pos)
    pos += 12
    if members_count > MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberMetadata] = []
    for _ in range(members_count):
        member_id_size = data[pos + 1]
        high, raw, group_instance_id_size = _short_string_h[member_id_size](data, pos)
        if high:
            raise OddBytes
        pos += member_id_size + 4
        member_id = raw.decode()
        if group_instance_id_size < 0:
            group_instance_id = None
        else:
            end = pos + group_instance_id_size
            group_instance_id = data[pos:end].decode()
            pos = end
        client_id_size = data[pos + 1]
        high, raw, client_host_size = _short_string_u_h[client_id_size](data, pos)
        if high:
            raise OddBytes
        pos += client_id_size + 4
        client_id = raw.decode()
        raw, rebalance_timeout, session_timeout, subscription_size = _string_iii[client_host_size](
            data, pos
        )
        pos += client_host_size + 12
        client_host = raw.decode()
        if subscription_size < 0:
            raise OddBytes
        end = pos + subscription_size
        subscription = data[pos:end]
        pos = end
        (assignment_size,) = _unpack_i(data, pos)
        pos += 4
        if assignment_size < 0:
            raise OddBytes
        end = pos + assignment_size
        assignment = data[pos:end]
        pos = end
        members_list.append(
            _MemberMetadata(
                member_id=member_id,
                group_instance_id=group_instance_id,
                client_id=client_id,
                client_host=client_host,
                rebalance_timeout=rebalance_timeout,
                session_timeout=session_timeout,
                subscription=subscription,
                assignment=assignment,
            )
        )
    members = tuple(members_list)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        current_state_timestamp=current_state_timestamp,
        members=members,
    ), pos


def _write_v3(message: GroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    protocol_type_raw = message.protocol_type.encode()
    if type(message.generation) is bool:
        raise OddValue
    add(
        _pack_h_string_i[len(protocol_type_raw)](
            len(protocol_type_raw), protocol_type_raw, message.generation
        )
    )
    protocol = message.protocol
    if protocol is None:
        add(b"\xff\xff")
    else:
        protocol_raw = protocol.encode()
        add(_pack_h_string[len(protocol_raw)](len(protocol_raw), protocol_raw))
    leader = message.leader
    if leader is None:
        add(b"\xff\xff")
    else:
        leader_raw = leader.encode()
        add(_pack_h_string[len(leader_raw)](len(leader_raw), leader_raw))
    if type(message.current_state_timestamp) is bool:
        raise OddValue
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_qi(message.current_state_timestamp, len(members)))
    for members_item in members:
        if type(members_item) is not _MemberMetadata:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        add(_pack_h_string[len(member_id_raw)](len(member_id_raw), member_id_raw))
        group_instance_id = members_item.group_instance_id
        if group_instance_id is None:
            add(b"\xff\xff")
        else:
            group_instance_id_raw = group_instance_id.encode()
            add(
                _pack_h_string[len(group_instance_id_raw)](
                    len(group_instance_id_raw), group_instance_id_raw
                )
            )
        client_id_raw = members_item.client_id.encode()
        client_host_raw = members_item.client_host.encode()
        add(
            _pack_h_string_h[len(client_id_raw)](
                len(client_id_raw), client_id_raw, len(client_host_raw)
            )
        )
        if type(members_item.rebalance_timeout) is bool:
            raise OddValue
        if type(members_item.session_timeout) is bool:
            raise OddValue
        add(
            _pack__string_iii[len(client_host_raw)](
                client_host_raw,
                members_item.rebalance_timeout,
                members_item.session_timeout,
                len(members_item.subscription),
            )
        )
        add(members_item.subscription)
        add(_pack_i(len(members_item.assignment)))
        add(members_item.assignment)
        if members_item.unknown_tagged_fields:
            raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v4(data: bytes, pos: int) -> tuple[GroupMetadataValue, int]:
    (protocol_type_size,) = _unpack_u_b(data, pos)
    pos += 1
    if protocol_type_size > 127:
        protocol_type_size, pos = read_varint(data, pos - 1)
    if protocol_type_size < 1 or protocol_type_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + protocol_type_size - 1
    protocol_type = data[pos:end].decode()
    pos = end
    generation, protocol_size = _unpack_iu_b(data, pos)
    pos += 5
    if protocol_size > 127:
        protocol_size, pos = read_varint(data, pos - 1)
    if protocol_size < 1:
        protocol = None
    elif protocol_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + protocol_size - 1
        protocol = data[pos:end].decode()
        pos = end
    (leader_size,) = _unpack_u_b(data, pos)
    pos += 1
    if leader_size > 127:
        leader_size, pos = read_varint(data, pos - 1)
    if leader_size < 1:
        leader = None
    elif leader_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + leader_size - 1
        leader = data[pos:end].decode()
        pos = end
    current_state_timestamp, members_count = _unpack_qu_b(data, pos)
    pos += 9
    if members_count > 127:
        members_count, pos = read_varint(data, pos - 1)
    members_count -= 1
    if not 0 <= members_count <= MAX_ELEMENTS:
        raise OddBytes
    members_list: list[_MemberMetadata] = []
    for _ in range(members_count):
        (member_id_size,) = _unpack_u_b(data, pos)
        pos += 1
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
        (client_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if client_id_size > 127:
            client_id_size, pos = read_varint(data, pos - 1)
        if client_id_size < 1 or client_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + client_id_size - 1
        client_id = data[pos:end].decode()
        pos = end
        (client_host_size,) = _unpack_u_b(data, pos)
        pos += 1
        if client_host_size > 127:
            client_host_size, pos = read_varint(data, pos - 1)
        if client_host_size < 1 or client_host_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + client_host_size - 1
        client_host = data[pos:end].decode()
        pos = end
        rebalance_timeout, session_timeout, subscription_size = _unpack_iiu_b(data, pos)
        pos += 9
        if subscription_size > 127:
            subscription_size, pos = read_varint(data, pos - 1)
        if subscription_size < 1:
            raise OddBytes
        end = pos + subscription_size - 1
        subscription = data[pos:end]
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
        members_list.append(
            _MemberMetadata(
                member_id=member_id,
                group_instance_id=group_instance_id,
                client_id=client_id,
                client_host=client_host,
                rebalance_timeout=rebalance_timeout,
                session_timeout=session_timeout,
                subscription=subscription,
                assignment=assignment,
                unknown_tagged_fields=unknown_tagged_fields,
            )
        )
    members = tuple(members_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return GroupMetadataValue(
        protocol_type=protocol_type,
        generation=generation,
        protocol=protocol,
        leader=leader,
        current_state_timestamp=current_state_timestamp,
        members=members,
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v4(message: GroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    protocol_type_raw = message.protocol_type.encode()
    if len(protocol_type_raw) > MAX_STRING:
        raise OddValue
    protocol_type_size = len(protocol_type_raw) + 1
    add(VARINT[protocol_type_size] if protocol_type_size < 128 else varint(protocol_type_size))
    add(protocol_type_raw)
    if type(message.generation) is bool:
        raise OddValue
    add(_pack_i(message.generation))
    protocol = message.protocol
    if protocol is None:
        add(b"\x00")
    else:
        protocol_raw = protocol.encode()
        if len(protocol_raw) > MAX_STRING:
            raise OddValue
        protocol_size = len(protocol_raw) + 1
        add(VARINT[protocol_size] if protocol_size < 128 else varint(protocol_size))
        add(protocol_raw)
    leader = message.leader
    if leader is None:
        add(b"\x00")
    else:
        leader_raw = leader.encode()
        if len(leader_raw) > MAX_STRING:
            raise OddValue
        leader_size = len(leader_raw) + 1
        add(VARINT[leader_size] if leader_size < 128 else varint(leader_size))
        add(leader_raw)
    if type(message.current_state_timestamp) is bool:
        raise OddValue
    members = message.members
    if type(members) is not tuple:
        raise OddValue
    add(_pack_q(message.current_state_timestamp))
    members_size = len(members) + 1
    add(VARINT[members_size] if members_size < 128 else varint(members_size))
    for members_item in members:
        if type(members_item) is not _MemberMetadata:
            raise OddValue
        member_id_raw = members_item.member_id.encode()
        if len(member_id_raw) > MAX_STRING:
            raise OddValue
        member_id_size = len(member_id_raw) + 1
        add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
        add(member_id_raw)
        group_instance_id = members_item.group_instance_id
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
        client_id_raw = members_item.client_id.encode()
        if len(client_id_raw) > MAX_STRING:
            raise OddValue
        client_id_size = len(client_id_raw) + 1
        add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
        add(client_id_raw)
        client_host_raw = members_item.client_host.encode()
        if len(client_host_raw) > MAX_STRING:
            raise OddValue
        client_host_size = len(client_host_raw) + 1
        add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
        add(client_host_raw)
        if type(members_item.rebalance_timeout) is bool:
            raise OddValue
        if type(members_item.session_timeout) is bool:
            raise OddValue
        add(_pack_ii(members_item.rebalance_timeout, members_item.session_timeout))
        subscription_size = len(members_item.subscription) + 1
        add(VARINT[subscription_size] if subscription_size < 128 else varint(subscription_size))
        add(members_item.subscription)
        assignment_size = len(members_item.assignment) + 1
        add(VARINT[assignment_size] if assignment_size < 128 else varint(assignment_size))
        add(members_item.assignment)
        add(
            write_tags([], members_item.unknown_tagged_fields, ())
            if members_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


GroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
GroupMetadataValue._by_header = {
    0: _read_v0,
    1: _read_v1,
    2: _read_v2,
    3: _read_v3,
    4: _read_v4,
}
GroupMetadataValue._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
    4: b"\x00\x04",
}
