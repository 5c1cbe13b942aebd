"""Kafka Connect's group messages beside the classes that write them by hand, in all versions.

Connect has two readers and takes one by the name of the protocol, not by the version inside: the
eager one for "default", which writes version 0, the incremental one for the others. A version 0
here is what the eager one says, any other what the incremental one says.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    DecodeError,
    Policy,
    decode,
)

from ..codec.strategies import broken
from .java import Refused, attempt, from_buffer, text
from .verdicts import agreed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .java import FindClass

VERSIONS = (0, 1, 2)
NEWER = (3, 100, (1 << 15) - 1)
CONNECTOR = -1  # the task number that stands for the connector itself

Tasks = list[tuple[str, int]]


class Work(NamedTuple):
    """Connectors, and tasks by connector and number, as Connect lists them."""

    connectors: list[str]
    tasks: Tasks


NO_WORK = Work([], [])


class Assignment(NamedTuple):
    error: int
    leader: str
    leader_url: str
    offset: int
    assigned: Work
    revoked: Work
    delay: int


class Connect:
    """The classes of Kafka Connect, and the way from them to plain values."""

    def __init__(self, find: FindClass) -> None:
        distributed = "org.apache.kafka.connect.runtime.distributed"
        self.eager = find(f"{distributed}.ConnectProtocol")
        self.incremental = find(f"{distributed}.IncrementalCooperativeConnectProtocol")
        self.EagerAssignment = find(f"{distributed}.ConnectProtocol$Assignment")
        self.ExtendedAssignment = find(f"{distributed}.ExtendedAssignment")
        self.WorkerState = find(f"{distributed}.ConnectProtocol$WorkerState")
        self.ExtendedWorkerState = find(f"{distributed}.ExtendedWorkerState")
        self.TaskId = find("org.apache.kafka.connect.util.ConnectorTaskId")
        self.ArrayList = find("java.util.ArrayList")

    # -- into Java

    def work(self, work: Work) -> tuple[Any, Any]:
        tasks = [self.TaskId(connector, number) for connector, number in work.tasks]
        return self.ArrayList(work.connectors), self.ArrayList(tasks)

    def extended(self, version: int, value: Assignment) -> Any:
        work = (*self.work(value.assigned), *self.work(value.revoked))
        return self.ExtendedAssignment(version, *value[:4], *work, value.delay)

    def assignment(self, version: int, value: Assignment) -> bytes:
        if version == 0:
            made = self.EagerAssignment(*value[:4], *self.work(value.assigned))
            return from_buffer(self.eager.serializeAssignment(made))
        made = self.extended(version, value)
        return from_buffer(self.incremental.serializeAssignment(made, version == 2))

    def metadata(self, version: int, url: str, offset: int, held: Assignment | None) -> bytes:
        if version == 0:
            return from_buffer(self.eager.serializeMetadata(self.WorkerState(url, offset)))
        none = self.ExtendedAssignment.empty()
        allocation = none if held is None else self.extended(version, held)
        state = self.ExtendedWorkerState(url, offset, allocation)
        return from_buffer(self.incremental.serializeMetadata(state, version == 2))

    # -- out of Java

    def read_assignment(self, data: bytes) -> Any:
        return attempt(self._reader(data).deserializeAssignment, data)

    def read_metadata(self, data: bytes) -> Any:
        return attempt(self._reader(data).deserializeMetadata, data)

    def _reader(self, data: bytes) -> Any:
        return self.eager if data[:2] == b"\0\0" else self.incremental

    def assignment_in(self, found: Any) -> Assignment:
        revoked = NO_WORK
        delay = 0
        if isinstance(found, self.ExtendedAssignment):
            revoked = _work(found.revokedConnectors(), found.revokedTasks())
            delay = found.delay()
        assigned = _work(found.connectors(), found.tasks())
        leader, url = _text(found.leader()), _text(found.leaderUrl())
        return Assignment(found.error(), leader, url, found.offset(), assigned, revoked, delay)


def _work(connectors: Any, tasks: Any) -> Work:
    return Work(
        [_text(connector) for connector in connectors],
        [(_text(task.connector()), task.task()) for task in tasks],
    )


def _text(string: Any) -> str:
    found = text(string)
    assert found is not None
    return found


@pytest.fixture(scope="session")
def connect(streams_and_connect: FindClass) -> Connect:
    return Connect(streams_and_connect)


# -- our messages as plain values


def assignment_of(message: ConnectProtocolAssignment) -> Assignment:
    return Assignment(
        message.error,
        message.leader,
        message.leader_url,
        message.config_offset,
        _work_of(message.assignment or ()),
        _work_of(message.revoked or ()),
        message.delay,
    )


def _work_of(entries: Iterable[ConnectProtocolAssignment.ConnectorTasks]) -> Work:
    found = [(one.connector, number) for one in entries for number in one.tasks]
    return Work(
        [connector for connector, number in found if number == CONNECTOR],
        [(connector, number) for connector, number in found if number != CONNECTOR],
    )


# -- random values

int16 = st.integers(-(1 << 15), (1 << 15) - 1)
int32 = st.integers(-(1 << 31), (1 << 31) - 1)
int64 = st.integers(-(1 << 63), (1 << 63) - 1)
names = st.text(st.sampled_from("ab-é日𝄞\0"), max_size=6)
numbers = int32.filter(lambda number: number != CONNECTOR)
works = st.builds(
    Work, st.lists(names, max_size=3), st.lists(st.tuples(names, numbers), max_size=5)
)


def assignments(version: int) -> st.SearchStrategy[Assignment]:
    head = (int16, names, names, int64, works)
    if version == 0:
        return st.builds(Assignment, *head, st.just(NO_WORK), st.just(0))
    return st.builds(Assignment, *head, works, int32)


def unordered(value: Assignment) -> Assignment:
    """Connect groups by connector when it writes, so order and repetition do not last."""

    def sorted_work(work: Work) -> Work:
        return Work(sorted(set(work.connectors)), sorted(work.tasks))

    return value._replace(assigned=sorted_work(value.assigned), revoked=sorted_work(value.revoked))


# -- assignment


@pytest.mark.parametrize("version", VERSIONS)
@given(data=st.data())
def test_assignment_that_java_wrote(version: int, data: st.DataObject, connect: Connect) -> None:
    value = data.draw(assignments(version))
    raw = connect.assignment(version, value)
    seen = decode(raw, ConnectProtocolAssignment, policy=Policy.STRICT)
    assert seen.version == version
    assert seen.message is not None
    assert unordered(assignment_of(seen.message)) == unordered(value)
    assert seen.message.to_bytes(version) == raw


@pytest.mark.parametrize("version", [*VERSIONS, *NEWER])
@given(data=st.data())
def test_assignment_that_we_wrote(version: int, data: st.DataObject, connect: Connect) -> None:
    written_as = min(version, 2)
    value = data.draw(assignments(written_as))
    raw = message_of(value, written_as, data.draw(st.booleans())).to_bytes(written_as)
    raw = struct.pack(">h", version) + raw[2:]
    assert connect.assignment_in(connect.read_assignment(raw)) == value
    assert agree_on_assignment(connect, raw)


def message_of(value: Assignment, version: int, nulls: bool) -> ConnectProtocolAssignment:
    """Every connector and task on its own, which Connect never writes and always reads."""

    def entries(work: Work) -> list[ConnectProtocolAssignment.ConnectorTasks] | None:
        entry = ConnectProtocolAssignment.ConnectorTasks
        made = [entry(connector=connector, tasks=[CONNECTOR]) for connector in work.connectors]
        made += [entry(connector=connector, tasks=[number]) for connector, number in work.tasks]
        return made or (None if nulls and version else [])

    return ConnectProtocolAssignment(
        error=value.error,
        leader=value.leader,
        leader_url=value.leader_url,
        config_offset=value.offset,
        assignment=entries(value.assigned),
        revoked=entries(value.revoked) if version else None,
        delay=value.delay,
    )


@pytest.mark.parametrize("version", VERSIONS)
@given(data=st.data())
def test_broken_assignment(version: int, data: st.DataObject, connect: Connect) -> None:
    whole = message_of(data.draw(assignments(version)), version, nulls=False).to_bytes(version)
    agree_on_assignment(connect, data.draw(broken(whole)))


def agree_on_assignment(connect: Connect, raw: bytes) -> bool:
    """The same verdict and, where it is accepted, the same value. True if accepted."""
    java = connect.read_assignment(raw)
    message = agreed(java, ConnectProtocolAssignment.from_bytes, raw)
    if message is None:
        return False
    assert connect.assignment_in(java) == assignment_of(message), raw.hex()
    return True


HEAD = struct.pack(">hh1s", 0, 1, b"L") + struct.pack(">h1sq", 1, b"U", 9)
ONE = struct.pack(">ih1sii", 1, 1, b"c", 1, 0)
DELAY = struct.pack(">i", 7)


@pytest.mark.parametrize("version", [*VERSIONS, *NEWER])
def test_every_missing_tail_of_an_assignment(version: int, connect: Connect) -> None:
    """Since version 1 the message may end before any of its last three fields, not inside one."""
    parts = [HEAD, ONE] if version == 0 else [HEAD, ONE, ONE, DELAY]
    whole = struct.pack(">h", version) + b"".join(parts)
    accepted = [
        size for size in range(len(whole) + 1) if agree_on_assignment(connect, whole[:size])
    ]
    ends = [2 + sum(map(len, parts[:count])) for count in range(1, len(parts) + 1)]
    assert accepted == (ends[1:] if version == 0 else ends)


@pytest.mark.parametrize("version", VERSIONS)
def test_negative_and_large_counts(version: int, connect: Connect) -> None:
    """Any negative count is null: since version 1 that is no work at all, before it is refused."""
    head = struct.pack(">h", version) + HEAD
    for count in (-1, -2, -(1 << 31)):
        for tail in (b"", ONE, ONE + DELAY):
            raw = head + struct.pack(">i", count) + tail
            assert agree_on_assignment(connect, raw) == (version > 0)
        tasks = struct.pack(">ih1si", 1, 1, b"c", count)
        assert not agree_on_assignment(connect, head + tasks)
    for count in (2, 1_000, (1 << 31) - 1):
        assert not agree_on_assignment(connect, head + struct.pack(">i", count) + ONE[4:])


@pytest.mark.parametrize("version", [-1, -2, -(1 << 15)])
def test_negative_version(version: int, connect: Connect) -> None:
    raw = struct.pack(">h", version)
    assert not agree_on_assignment(connect, raw + HEAD + ONE + ONE + DELAY)
    assert not agree_on_metadata(connect, raw + b"\0\1u" + bytes(8))


# -- metadata


@pytest.mark.parametrize("version", VERSIONS)
@given(data=st.data())
def test_metadata_that_java_wrote(version: int, data: st.DataObject, connect: Connect) -> None:
    url, offset = data.draw(names), data.draw(int64)
    held = data.draw(st.none() | assignments(version)) if version else None
    raw = connect.metadata(version, url, offset, held)
    seen = decode(raw, ConnectProtocolMetadata, policy=Policy.STRICT)
    message = seen.message
    assert message is not None
    assert (seen.version, message.url, message.config_offset) == (version, url, offset)
    allocation = None if held is None else connect.assignment(version, held)
    assert message.allocation == allocation
    assert message.to_bytes(version) == raw


@pytest.mark.parametrize("version", [*VERSIONS, *NEWER])
@given(data=st.data())
def test_metadata_that_we_wrote(version: int, data: st.DataObject, connect: Connect) -> None:
    written_as = min(version, 2)
    held = None
    if version:
        value = data.draw(assignments(written_as))
        held = message_of(value, written_as, data.draw(st.booleans())).to_bytes(written_as)
    url, offset = data.draw(names), data.draw(int64)
    message = ConnectProtocolMetadata(url=url, config_offset=offset, allocation=held)
    assert agree_on_metadata(connect, struct.pack(">h", version) + message.to_body(written_as))


@pytest.mark.parametrize("version", VERSIONS)
@given(data=st.data())
def test_broken_metadata(version: int, data: st.DataObject, connect: Connect) -> None:
    held = data.draw(assignments(version)) if version else None
    whole = connect.metadata(version, data.draw(names), data.draw(int64), held)
    agree_on_metadata(connect, data.draw(broken(whole)))


def agree_on_metadata(connect: Connect, raw: bytes) -> bool:
    """The same verdict and, where it is accepted, the same value. True if accepted.

    Java opens the allocation at once and refuses the whole where it is broken; here it is a bytes
    field, which is opened by who wants it. So Java is asked for its verdict on the inside alone.
    """
    java = connect.read_metadata(raw)
    try:
        message = ConnectProtocolMetadata.from_bytes(raw)
    except DecodeError:
        message = None
    if message is None or message.allocation is None:
        agreed(java, ConnectProtocolMetadata.from_bytes, raw)
    else:
        inside = attempt(connect.incremental.deserializeAssignment, message.allocation)
        assert isinstance(java, Refused) == isinstance(inside, Refused), (raw.hex(), java)
    if message is None or isinstance(java, Refused):
        return False
    assert (text(java.url()), java.offset()) == (message.url, message.config_offset), raw.hex()
    return True


@pytest.mark.parametrize("version", [*VERSIONS, *NEWER])
def test_every_missing_tail_of_metadata(version: int, connect: Connect) -> None:
    head = struct.pack(">h", version) + b"\0\1u" + struct.pack(">q", 3)
    allocation = struct.pack(">h", 1) + HEAD + ONE
    whole = head + (struct.pack(">i", len(allocation)) + allocation if version else b"")
    sizes = range(len(whole) + 1)
    accepted = [size for size in sizes if agree_on_metadata(connect, whole[:size])]
    assert accepted == ([len(head), len(whole)] if version else [len(head)])


@pytest.mark.parametrize("size", [-1, -2, -(1 << 31)])
def test_any_negative_size_is_no_allocation(size: int, connect: Connect) -> None:
    raw = struct.pack(">h", 1) + b"\0\1u" + struct.pack(">qi", 3, size)
    assert agree_on_metadata(connect, raw)


@pytest.mark.parametrize("inside", ["", "0001", "0001000000014c", "ffff", "000100000000000000"])
def test_broken_allocation(inside: str, connect: Connect) -> None:
    """The one verdict that differs: Java refuses all of it, we give the bytes and refuse these."""
    broken = bytes.fromhex(inside)
    message = ConnectProtocolMetadata(url="u", config_offset=3, allocation=broken)
    assert isinstance(connect.read_metadata(message.to_bytes(1)), Refused)
    assert ConnectProtocolMetadata.from_bytes(message.to_bytes(1)) == message
    with pytest.raises(DecodeError):
        ConnectProtocolAssignment.from_bytes(broken)
