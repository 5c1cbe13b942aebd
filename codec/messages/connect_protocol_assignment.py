"""ConnectProtocolAssignment, generated from schemas/ConnectProtocolAssignment.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, VersionedMessage
from ..wire.primitives import (
    INT16,
    INT32,
    INT64,
    OddBytes,
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
    """ConnectProtocolAssignment, versions 0-2.

    What the leader of a Connect group gives a worker, inside SyncGroup; also what a worker says that
    it runs, inside its metadata. Kafka has no definition of it: its classes ConnectProtocol and
    IncrementalCooperativeConnectProtocol write it by hand.

    Version 0: eager. Version 1 (KIP-415): incremental; what to stop, and a delay.
    Version 2 (KIP-507): the same bytes; requests between workers are signed.

    Any newer version is read as the newest known. In versions 1 and 2 the message may end before any
    of its last three fields.

    Attributes:
        error (int16): 0: none; 1: read the configurations to the end and join again. Versions 0-2;
            default 0.
        leader (string): The member id of the leader. Versions 0-2; default ''.
        leader_url (string): Where the leader's REST interface is reached. Versions 0-2; default ''.
        config_offset (int64): How far the configurations were read for this assignment. Versions 0-2;
            default 0.
        assignment ([]ConnectorTasks): The connectors and tasks to start. Versions 0-2; may be null in
            versions 1-2; default (); the message may end before it in versions 1-2.
        revoked ([]ConnectorTasks): The connectors and tasks to stop; null if none (KIP-415). Versions
            1-2; may be null; default None; the message may end before it in versions 1-2; other
            versions cannot hold it.
        delay (int32): When to rejoin, in milliseconds from now; 0 for no need (KIP-415). Versions
            1-2; default 0; the message may end before it in versions 1-2; other versions cannot hold
            it.
    """

    NAME = "ConnectProtocolAssignment"
    VERSIONS = VersionRange(0, 2)
    LATEST = 2
    API_KEY = None
    FRAMING = Framing("version", "accept")

    class ConnectorTasks(MessagePart, frozen=True, kw_only=True, gc=False):
        """ConnectorTasks of ConnectProtocolAssignment, versions 0-2.

        Work of one connector.

        Attributes:
            connector (string): The connector's name. Versions 0-2; default ''.
            tasks ([]int32): The numbers of its tasks; -1 stands for the connector itself. Versions
                0-2; default ().
        """

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
    (error,), pos = INT16.unpack(data, pos), pos + 2
    leader, pos = read_string(data, pos)
    leader_url, pos = read_string(data, pos)
    (config_offset,), pos = INT64.unpack(data, pos), pos + 8
    assignment, pos = read_array(data, pos, _read_connector_tasks_v0_2)
    if pos > len(data):
        raise OddBytes
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
    (error,), pos = INT16.unpack(data, pos), pos + 2
    leader, pos = read_string(data, pos)
    leader_url, pos = read_string(data, pos)
    (config_offset,), pos = INT64.unpack(data, pos), pos + 8
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
    (delay,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
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
