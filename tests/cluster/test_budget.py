"""A hostile broker is held to the timeout, and to a budget of connections and bytes."""

from __future__ import annotations

import itertools
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from kproto.cluster import admin
from kproto.cluster.transport import Link
from kproto.codec import FindCoordinatorResponse, Message, MetadataRequest, MetadataResponse
from kproto.tools.main import main
from tests.cluster.brokers import FakeBroker, framed, listening, read_frame
from tests.cluster.groups import Groups, group, member

TIMEOUT = 2.0
SLACK = 12.0  # of a busy machine; without a bound it is a minute
MANY = 20_000


class Crowd(Groups):
    """A broker that names many others, which lead all there is."""

    def __init__(self, *groups: Any) -> None:
        super().__init__(*groups)
        self.answers["ConsumerGroupDescribe"] = self.describe_consumers
        self._of_one = self.answers["Metadata"]
        self.answers["Metadata"] = self._of_many
        self._brokers: tuple[Any, ...] = ()
        self._partitions: tuple[Any, ...] = ()
        self._of_many(MetadataRequest(topics=()), 9)

    def _of_many(self, request: Any, version: int) -> Message:
        said: Any = self._of_one(request, version)
        cls = MetadataResponse
        part = cls.MetadataResponsePartition
        self._brokers = self._brokers or tuple(
            cls.MetadataResponseBroker(
                node_id=2 + number, host=f"127.{number >> 8 & 127}.{number & 255}.9", port=9
            )
            for number in range(MANY)
        )
        self._partitions = self._partitions or tuple(
            part(partition_index=n, leader_id=2 + n) for n in range(MANY)
        )
        topics = tuple(
            topic.replace(partitions=self._partitions, error_code=0) for topic in said.topics
        )
        answer: Message = said.replace(brokers=(*said.brokers, *self._brokers), topics=topics)
        return answer


@pytest.fixture(autouse=True, scope="module")
def imported() -> None:
    """What a first call imports takes seconds on a busy machine."""
    with listening(Groups(group("payments", member("a")))) as address:
        main(["group", "payments", "--bootstrap-server", address, "--plan", "consumer"])


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The addresses that were connected to, and how many at a time."""
    seen: dict[str, Any] = {"addresses": [], "now": 0, "most": 0}
    connect = Link._connect

    async def counted(self: Link) -> Any:
        seen["addresses"].append(self.address)
        seen["now"] += 1
        seen["most"] = max(seen["most"], seen["now"])
        try:
            return await connect(self)
        finally:
            seen["now"] -= 1

    monkeypatch.setattr(Link, "_connect", counted)
    return seen


def run(*words: str) -> tuple[int, float]:
    start = time.monotonic()
    status = main(["group", *words, "--timeout", f"{TIMEOUT}s"])
    return status, time.monotonic() - start


@pytest.mark.parametrize("name", [[], ["payments"], ["payments", "--plan", "consumer"]], ids=len)
def test_thousands_of_brokers_are_not_connected_to(
    name: list[str], opened: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(Crowd(group("payments", member("a")))) as address:
        status, seconds = run(*name, "--bootstrap-server", address)
    assert seconds < TIMEOUT + SLACK, seconds
    assert status in (0, 2, 3)
    assert len(set(opened["addresses"])) <= admin.MOST_BROKERS + 1
    assert opened["most"] <= admin._OPENED_AT_ONCE
    assert "Traceback" not in capsys.readouterr().err


def test_one_group_needs_its_coordinator_and_the_leaders_of_its_partitions(
    opened: dict[str, Any],
) -> None:
    class Two(Groups):
        pass

    broker = Two(group("payments", member("a")))
    broker.topics["other"] = 3
    with listening(broker) as address:
        assert run("payments", "--bootstrap-server", address)[0] == 0
    assert {port for _, port in opened["addresses"]} == {broker.port}


def _drip(line: socket.socket) -> None:
    read_frame(line)
    for byte in itertools.cycle(b"\0\0\1\0"):
        line.sendall(bytes([byte]))
        time.sleep(0.05)


def _endless(line: socket.socket) -> None:
    read_frame(line)
    line.sendall((1 << 20).to_bytes(4, "big"))
    while True:
        line.sendall(bytes(1 << 16))


def _huge(line: socket.socket) -> None:
    read_frame(line)
    line.sendall((0x7FFFFFF0).to_bytes(4, "big"))
    time.sleep(TIMEOUT)


def _mute(line: socket.socket) -> None:
    time.sleep(4 * TIMEOUT)


@pytest.mark.parametrize("serve", [_drip, _endless, _huge, _mute])
def test_answers_that_never_end(
    serve: Callable[[socket.socket], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(serve) as address:
        status, seconds = run("payments", "--bootstrap-server", address)
    assert status == 3 and seconds < TIMEOUT + SLACK
    assert capsys.readouterr().err.count("\n") == 1


def test_a_large_answer_is_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    broker = FakeBroker({})

    def serve(line: socket.socket) -> None:
        first = read_frame(line)
        version = int.from_bytes(first[6:8], "big")
        answer = broker._api_versions(None, version)
        line.sendall(framed(answer, version, int.from_bytes(first[8:12], "big")))
        read_frame(line)
        line.sendall((99 << 20).to_bytes(4, "big"))
        time.sleep(TIMEOUT)

    with listening(serve) as address:
        status, seconds = run("payments", "--bootstrap-server", address)
    assert status == 3 and seconds < TIMEOUT + SLACK
    assert "at most 16,777,216 are read" in capsys.readouterr().err


def test_coordinators_that_send_elsewhere_forever() -> None:
    """Each look says another coordinator, which says that it is none."""
    broker = Groups(group("payments", member("a")))
    numbers = itertools.count(2)

    def elsewhere(request: Any, version: int) -> Message:
        cls = FindCoordinatorResponse
        number = next(numbers)
        keys = getattr(request, "coordinator_keys", ()) or (request.key,)
        entries = tuple(
            cls.Coordinator(key=key, node_id=number, host="127.0.0.1", port=broker.port)
            for key in keys
        )
        return cls(coordinators=entries)

    def not_here(request: Any, version: int) -> Message:
        said: Any = broker._describe(request, version)
        answer: Message = said.replace(
            groups=tuple(each.replace(error_code=16) for each in said.groups)
        )
        return answer

    broker.answers["FindCoordinator"] = elsewhere
    broker.answers["DescribeGroups"] = not_here
    with listening(broker) as address:
        status, seconds = run("payments", "--bootstrap-server", address)
    assert status == 3 and seconds < TIMEOUT + SLACK


def _with_ctrl_c() -> None:
    """What runs in the background has it switched off, and so have its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_at_once() -> None:
    connected = threading.Event()

    def mute(line: socket.socket) -> None:
        connected.set()
        line.recv(1 << 16)
        time.sleep(30)

    with listening(mute) as address:
        words = ["group", "payments", "--bootstrap-server", address, "--timeout", "100s"]
        process = subprocess.Popen(
            [sys.executable, "-m", "kproto", *words], stderr=subprocess.PIPE,
            preexec_fn=_with_ctrl_c,  # noqa: PLW1509  # nothing else runs that forks
        )  # fmt: skip
        assert connected.wait(60)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=90)
    assert time.monotonic() - start < SLACK
    assert process.returncode == 130 and b"interrupted" in error


def test_a_topic_with_a_control_character_is_no_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nor a key of the scenario that the change is simulated with."""
    name = 'a"\n[defaults]\nassignor = "os:abort"\x7f\x1b'
    broker = Groups(group("payments", member("a", topics=(name,))))
    broker.topics[name] = 3
    with listening(broker) as address:
        where = ["--bootstrap-server", address]
        status = main(["group", "payments", *where, "--what-if", "members=3"])
    shown = capsys.readouterr()
    assert status in (0, 2), shown.err
    assert "Traceback" not in shown.err and "\x1b" not in shown.out + shown.err
