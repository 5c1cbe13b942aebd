"""A proxy in front of a broker, which the broker advertises: its members come over it alone."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from struct import unpack
from threading import Thread
from typing import TypeVar

from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import running_broker
from tests.broker.members import Members, members_of
from tests.conftest import do_without

Turns = deque[int]
"""Of one connection: a number for each request that is not answered yet."""


class Proxy:
    """Passes requests and answers on, frame by frame, as a subclass says."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.behind = 0

    def takes(self, request: bytes, turns: Turns) -> bool:
        """See a request, without its size; False hangs up instead of passing it on."""
        return True

    def answers(self, turns: Turns) -> None:
        """See an answer before it is passed on."""

    def serve(self) -> None:
        """Serve until it is closed."""
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            broker = socket.create_connection(("127.0.0.1", self.behind))
            turns: Turns = deque()
            for pass_on in (self._ask, self._answer):
                Thread(target=pass_on, args=(client, broker, turns), daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _ask(self, client: socket.socket, broker: socket.socket, turns: Turns) -> None:
        with client, broker, client.makefile("rb") as requests, suppress(OSError):  # as _answer
            while head := requests.read(4):
                data = requests.read(unpack(">i", head)[0])
                if not self.takes(data, turns):
                    break
                broker.sendall(head + data)
            for side in (client, broker):
                side.shutdown(socket.SHUT_RDWR)

    def _answer(self, client: socket.socket, broker: socket.socket, turns: Turns) -> None:
        with broker.makefile("rb") as answers, suppress(OSError):  # the other side has hung up
            while head := answers.read(4):
                data = answers.read(unpack(">i", head)[0])
                self.answers(turns)
                client.sendall(head + data)


P = TypeVar("P", bound=Proxy)


@contextmanager
def members_behind(proxy: P, folder: Path) -> Iterator[tuple[P, Members]]:
    """Consumers of a broker that is reached over the proxy alone; without Java the test is
    skipped."""
    thread = Thread(target=proxy.serve, daemon=True)
    thread.start()
    settings = f"advertised.listeners=PLAIN://127.0.0.1:{proxy.port}\n"
    try:
        with running_broker(folder, settings) as broker:
            proxy.behind = int(broker.bootstrap.split(":")[1])
            with members_of(broker, folder / "members.log") as members:
                yield proxy, members
    except JavaUnavailable as reason:
        do_without(reason)
    finally:
        proxy.close()
        thread.join(5)
