"""ConnectProtocolAssignment, generated from schemas/ConnectProtocolAssignment.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, VersionedMessage
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    OddBytes,
    OddValue,
    few_numbers,
    fixed,
    numbers,
    pack_numbers,
    pack_strings,
    packed,
    short_strings,
    strings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack__string_q = pack_strings("", "q")
_pack_h_string_i = pack_strings("h", "i")
_pack_hh_string_h = pack_strings("hh", "h")
_pack_i = packed("i")
_pack_numbers_i = pack_numbers("i")
_short_string_u_i = short_strings("I")
_string_q = strings("q")
_string_qu_i = strings("qI")
_string_u_h = strings("H")
_unpack_hu_h = fixed("hH")
_unpack_i = fixed("i")


class ConnectProtocolAssignment(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConnectProtocolAssignment, versions 0-2."""

    NAME = "ConnectProtocolAssignment"
    VERSIONS = VersionRange(0, 2)
    LATEST = 2
    API_KEY = None
    FRAMING = Framing("version", "accept")

    class ConnectorTasks(MessagePart, frozen=True, kw_only=True, gc=False):
        """ConnectorTasks of ConnectProtocolAssignment, versions 0-2."""

        connector: str = ""
        tasks: tuple[int, ...] = ()

        _sequences = ("tasks",)

        def __post_init__(self) -> None:
            if type(self.tasks) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                connector: str = ...,
                tasks: Iterable[int] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                connector: str = ...,
                tasks: Iterable[int] = ...,
            ) -> Self: ...

    error: int = 0
    leader: str = ""
    leader_url: str = ""
    config_offset: int = 0
    assignment: tuple[ConnectProtocolAssignment.ConnectorTasks, ...] | None = ()
    revoked: tuple[ConnectProtocolAssignment.ConnectorTasks, ...] | None = None
    delay: int = 0

    _sequences = ("assignment", "revoked")

    def __post_init__(self) -> None:
        if (self.assignment is not None and type(self.assignment) is not tuple) or (
            self.revoked is not None and type(self.revoked) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            error: int = ...,
            leader: str = ...,
            leader_url: str = ...,
            config_offset: int = ...,
            assignment: Iterable[ConnectProtocolAssignment.ConnectorTasks] | None = ...,
            revoked: Iterable[ConnectProtocolAssignment.ConnectorTasks] | None = ...,
            delay: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            error: int = ...,
            leader: str = ...,
            leader_url: str = ...,
            config_offset: int = ...,
            assignment: Iterable[ConnectProtocolAssignment.ConnectorTasks] | None = ...,
            revoked: Iterable[ConnectProtocolAssignment.ConnectorTasks] | None = ...,
            delay: int = ...,
        ) -> Self: ...


_ConnectorTasks = ConnectProtocolAssignment.ConnectorTasks


def _read_v0(data: bytes, pos: int) -> tuple[ConnectProtocolAssignment, int]:
    error, leader_size = _unpack_hu_h(data, pos)
    pos += 4
    raw, leader_url_size = _string_u_h[leader_size](data, pos)
    pos += leader_size + 2
    leader = raw.decode()
    raw, config_offset, assignment_count = _string_qu_i[leader_url_size](data, pos)
    pos += leader_url_size + 12
    leader_url = raw.decode()
    if assignment_count > MAX_ELEMENTS:
        raise OddBytes
    assignment_list: list[_ConnectorTasks] = []
    for _ in range(assignment_count):
        connector_size = data[pos + 1]
        high, raw, tasks_count = _short_string_u_i[connector_size](data, pos)
        if high:
            raise OddBytes
        pos += connector_size + 6
        connector = raw.decode()
        tasks = (_few_numbers_i[tasks_count] if tasks_count < 256 else _numbers_i[tasks_count])(
            data, pos
        )
        pos += tasks_count * 4
        assignment_list.append(_ConnectorTasks(connector=connector, tasks=tasks))
    assignment = tuple(assignment_list)
    return ConnectProtocolAssignment(
        error=error,
        leader=leader,
        leader_url=leader_url,
        config_offset=config_offset,
        assignment=assignment,
    ), pos


def _write_v0(message: ConnectProtocolAssignment, parts: list[bytes]) -> None:
    add = parts.append
    if message.revoked is not None:
        raise OddValue
    if message.delay != 0:
        raise OddValue
    if type(message.error) is bool:
        raise OddValue
    leader_raw = message.leader.encode()
    leader_url_raw = message.leader_url.encode()
    add(
        _pack_hh_string_h[len(leader_raw)](
            message.error, len(leader_raw), leader_raw, len(leader_url_raw)
        )
    )
    if type(message.config_offset) is bool:
        raise OddValue
    add(_pack__string_q[len(leader_url_raw)](leader_url_raw, message.config_offset))
    assignment = message.assignment
    if assignment is None:
        raise OddValue
    if type(assignment) is not tuple:
        raise OddValue
    add(_pack_i(len(assignment)))
    for assignment_item in assignment:
        if type(assignment_item) is not _ConnectorTasks:
            raise OddValue
        connector_raw = assignment_item.connector.encode()
        tasks = assignment_item.tasks
        if type(tasks) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(connector_raw)](len(connector_raw), connector_raw, len(tasks)))
        add(_pack_numbers_i[len(tasks)](*tasks))


def _read_v1_2(data: bytes, pos: int) -> tuple[ConnectProtocolAssignment, int]:
    error, leader_size = _unpack_hu_h(data, pos)
    pos += 4
    raw, leader_url_size = _string_u_h[leader_size](data, pos)
    pos += leader_size + 2
    leader = raw.decode()
    raw, config_offset = _string_q[leader_url_size](data, pos)
    pos += leader_url_size + 8
    leader_url = raw.decode()
    if pos == len(data):
        assignment: tuple[_ConnectorTasks, ...] | None = ()
    else:
        (assignment_count,) = _unpack_i(data, pos)
        pos += 4
        if assignment_count < 0:
            assignment = None
        else:
            if assignment_count > MAX_ELEMENTS:
                raise OddBytes
            assignment_list: list[_ConnectorTasks] = []
            for _ in range(assignment_count):
                connector_size = data[pos + 1]
                high, raw, tasks_count = _short_string_u_i[connector_size](data, pos)
                if high:
                    raise OddBytes
                pos += connector_size + 6
                connector = raw.decode()
                tasks = (
                    _few_numbers_i[tasks_count] if tasks_count < 256 else _numbers_i[tasks_count]
                )(data, pos)
                pos += tasks_count * 4
                assignment_list.append(_ConnectorTasks(connector=connector, tasks=tasks))
            assignment = tuple(assignment_list)
    if pos == len(data):
        revoked: tuple[_ConnectorTasks, ...] | None = None
    else:
        (revoked_count,) = _unpack_i(data, pos)
        pos += 4
        if revoked_count < 0:
            revoked = None
        else:
            if revoked_count > MAX_ELEMENTS:
                raise OddBytes
            revoked_list: list[_ConnectorTasks] = []
            for _ in range(revoked_count):
                connector_2_size = data[pos + 1]
                high, raw, tasks_2_count = _short_string_u_i[connector_2_size](data, pos)
                if high:
                    raise OddBytes
                pos += connector_2_size + 6
                connector_2 = raw.decode()
                tasks_2 = (
                    _few_numbers_i[tasks_2_count]
                    if tasks_2_count < 256
                    else _numbers_i[tasks_2_count]
                )(data, pos)
                pos += tasks_2_count * 4
                revoked_list.append(_ConnectorTasks(connector=connector_2, tasks=tasks_2))
            revoked = tuple(revoked_list)
    if pos == len(data):
        delay: int = 0
    else:
        (delay,) = _unpack_i(data, pos)
        pos += 4
    return ConnectProtocolAssignment(
        error=error,
        leader=leader,
        leader_url=leader_url,
        config_offset=config_offset,
        assignment=assignment,
        revoked=revoked,
        delay=delay,
    ), pos


def _write_v1_2(message: ConnectProtocolAssignment, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.error) is bool:
        raise OddValue
    leader_raw = message.leader.encode()
    leader_url_raw = message.leader_url.encode()
    add(
        _pack_hh_string_h[len(leader_raw)](
            message.error, len(leader_raw), leader_raw, len(leader_url_raw)
        )
    )
    if type(message.config_offset) is bool:
        raise OddValue
    add(_pack__string_q[len(leader_url_raw)](leader_url_raw, message.config_offset))
    assignment = message.assignment
    if assignment is None:
        add(b"\xff\xff\xff\xff")
    else:
        if type(assignment) is not tuple:
            raise OddValue
        add(_pack_i(len(assignment)))
        for assignment_item in assignment:
            if type(assignment_item) is not _ConnectorTasks:
                raise OddValue
            connector_raw = assignment_item.connector.encode()
            tasks = assignment_item.tasks
            if type(tasks) is not tuple:
                raise OddValue
            add(_pack_h_string_i[len(connector_raw)](len(connector_raw), connector_raw, len(tasks)))
            add(_pack_numbers_i[len(tasks)](*tasks))
    revoked = message.revoked
    if revoked is None:
        add(b"\xff\xff\xff\xff")
    else:
        if type(revoked) is not tuple:
            raise OddValue
        add(_pack_i(len(revoked)))
        for revoked_item in revoked:
            if type(revoked_item) is not _ConnectorTasks:
                raise OddValue
            connector_raw_2 = revoked_item.connector.encode()
            tasks_2 = revoked_item.tasks
            if type(tasks_2) is not tuple:
                raise OddValue
            add(
                _pack_h_string_i[len(connector_raw_2)](
                    len(connector_raw_2), connector_raw_2, len(tasks_2)
                )
            )
            add(_pack_numbers_i[len(tasks_2)](*tasks_2))
    if type(message.delay) is bool:
        raise OddValue
    add(_pack_i(message.delay))


ConnectProtocolAssignment._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
}
ConnectProtocolAssignment._by_header = {
    0: _read_v0,
    1: _read_v1_2,
    2: _read_v1_2,
}
ConnectProtocolAssignment._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
}
