"""ConnectProtocolAssignment, generated from schemas/ConnectProtocolAssignment.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, VersionedMessage
from ..versions import VersionRange
from ..wire import (
    INT16,
    INT32,
    INT64,
    OddValue,
    read_array,
    read_nullable_array,
    read_string,
    required,
    write_array,
    write_nullable_array,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


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


def _read_connector_tasks_v0_2(data: bytes, pos: int) -> tuple[_ConnectorTasks, int]:
    connector, pos = read_string(data, pos)
    tasks, pos = INT32.read_array(data, pos)
    return _ConnectorTasks(connector=connector, tasks=tasks), pos


def _write_connector_tasks_v0_2(item: _ConnectorTasks, parts: list[bytes]) -> None:
    if type(item) is not _ConnectorTasks:
        raise OddValue
    write_string(item.connector, parts)
    INT32.write_array(item.tasks, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ConnectProtocolAssignment, int]:
    error, pos = INT16.read(data, pos)
    leader, pos = read_string(data, pos)
    leader_url, pos = read_string(data, pos)
    config_offset, pos = INT64.read(data, pos)
    assignment, pos = read_array(data, pos, _read_connector_tasks_v0_2)
    return ConnectProtocolAssignment(
        error=error,
        leader=leader,
        leader_url=leader_url,
        config_offset=config_offset,
        assignment=assignment,
    ), pos


def _write_v0(message: ConnectProtocolAssignment, parts: list[bytes]) -> None:
    if message.revoked is not None:
        raise OddValue
    if message.delay != 0:
        raise OddValue
    INT16.write(message.error, parts)
    write_string(message.leader, parts)
    write_string(message.leader_url, parts)
    INT64.write(message.config_offset, parts)
    write_array(required(message.assignment), parts, _write_connector_tasks_v0_2)


def _read_v1_2(data: bytes, pos: int) -> tuple[ConnectProtocolAssignment, int]:
    error, pos = INT16.read(data, pos)
    leader, pos = read_string(data, pos)
    leader_url, pos = read_string(data, pos)
    config_offset, pos = INT64.read(data, pos)
    if pos == len(data):
        return ConnectProtocolAssignment(
            error=error, leader=leader, leader_url=leader_url, config_offset=config_offset
        ), pos
    assignment, pos = read_nullable_array(data, pos, _read_connector_tasks_v0_2)
    if pos == len(data):
        return ConnectProtocolAssignment(
            error=error,
            leader=leader,
            leader_url=leader_url,
            config_offset=config_offset,
            assignment=assignment,
        ), pos
    revoked, pos = read_nullable_array(data, pos, _read_connector_tasks_v0_2)
    if pos == len(data):
        return ConnectProtocolAssignment(
            error=error,
            leader=leader,
            leader_url=leader_url,
            config_offset=config_offset,
            assignment=assignment,
            revoked=revoked,
        ), pos
    delay, pos = INT32.read(data, pos)
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
    INT16.write(message.error, parts)
    write_string(message.leader, parts)
    write_string(message.leader_url, parts)
    INT64.write(message.config_offset, parts)
    write_nullable_array(message.assignment, parts, _write_connector_tasks_v0_2)
    write_nullable_array(message.revoked, parts, _write_connector_tasks_v0_2)
    INT32.write(message.delay, parts)


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
