"""A Java consumer whose LeaveGroup is lost with its connection: it ends, and nobody asks again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from struct import unpack

import pytest

from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import running_broker
from tests.broker.members import Members, members_of
from tests.conftest import do_without

_LEAVE_GROUP = 13


class Proxy:
    """Passes requests on, and hangs up instead of passing on a LeaveGroup."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.behind = 0
        self.leaves = 0
        """LeaveGroup requests that came."""

    def serve(self) -> None:
        """Serve until it is closed."""
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            broker = socket.create_connection(("127.0.0.1", self.behind))
            for do in (self._ask, self._answer):
                threading.Thread(target=do, args=(client, broker), daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _ask(self, client: socket.socket, broker: socket.socket) -> None:
        with client, broker, client.makefile("rb") as requests, suppress(OSError):  # as _answer
            while head := requests.read(4):
                data = requests.read(unpack(">i", head)[0])
                if unpack(">h", data[:2])[0] == _LEAVE_GROUP:
                    self.leaves += 1
                    break
                broker.sendall(head + data)
            for side in (client, broker):
                side.shutdown(socket.SHUT_RDWR)

    def _answer(self, client: socket.socket, broker: socket.socket) -> None:
        try:
            while data := broker.recv(65536):
                client.sendall(data)
        except OSError:
            return  # the other side has hung up


@contextmanager
def proxied() -> Iterator[Proxy]:
    proxy = Proxy()
    thread = threading.Thread(target=proxy.serve, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.close()
        thread.join(5)


@pytest.fixture
def lossy(tmp_path: Path) -> Iterator[tuple[Proxy, Members]]:
    """Consumers of a broker that is reached over the proxy alone."""
    with proxied() as proxy:
        settings = f"advertised.listeners=PLAIN://127.0.0.1:{proxy.port}\n"
        try:
            with running_broker(tmp_path, settings) as broker:
                proxy.behind = int(broker.bootstrap.split(":")[1])
                with members_of(broker, tmp_path / "members.log") as members:
                    yield proxy, members
        except JavaUnavailable as reason:
            do_without(reason)


def test_it_ends_and_its_session_expires(lossy: tuple[Proxy, Members]) -> None:
    proxy, members = lossy
    join = "group=lost topics=lost assignors=range session.timeout.ms=12000"
    joined = members.step("topic lost 2", f"join a {join}", f"join b {join}").owned
    while not all(joined.values()):  # a busy machine takes longer than a step
        joined = members.step().owned
    left = members.step("leave b")
    assert "closed" in [event.event for event in left.events if event.member == "b"]
    assert left.owned == {"a": ("lost-0",)}
    alone = members.step(quiet_ms=14_000)
    assert alone.owned == {"a": ("lost-0", "lost-1")}
    assert proxy.leaves == 1
