"""After how many round trips `kproto group NAME` has its first answer: as many as its requests
depend on each other, whatever the kind of the group. A proxy in front of a real broker counts."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from struct import unpack
from threading import Lock, Thread

import pytest

from kproto.capture.frames.api_keys import API_NAMES
from kproto.fuzz.building import JavaUnavailable
from kproto.tools.main import main
from tests.broker.broker import running_broker
from tests.broker.members import Members, members_of
from tests.conftest import do_without

# Each needs what the one before it tells, but for those of one line.
CHAIN = (
    {"ApiVersions"},
    {"Metadata"},  # the brokers and the offsets topic
    {"FindCoordinator", "ListOffsets"},  # of the group; of its partition of the offsets topic
    {
        "DescribeGroups", "ConsumerGroupDescribe", "ShareGroupDescribe", "StreamsGroupDescribe",
        "OffsetFetch", "Fetch",
    },
    {"Metadata", "Fetch"},  # of the group's topics; the records before those of the first answer
    {"ListOffsets", "Fetch"},
)  # fmt: skip
DELAY_S = 0.2


class Counter:
    """Passes requests and answers on. An answer is held back for a moment, in which everything
    comes that does not wait for it: a request's turn is one more than that of the last answer that
    had been passed on before it came."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self.behind = 0
        self._lock = Lock()
        self.reset()

    def reset(self) -> None:
        """Begin to count."""
        self._answered = 0
        self.turns: dict[int, list[str]] = {}

    def serve(self) -> None:
        """Serve until it is closed."""
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            broker = socket.create_connection(("127.0.0.1", self.behind))
            turns: deque[int] = deque()
            for pass_on in (self._ask, self._answer):
                Thread(target=pass_on, args=(client, broker, turns), daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _ask(self, client: socket.socket, broker: socket.socket, turns: deque[int]) -> None:
        with client, broker, client.makefile("rb") as requests, suppress(OSError):
            while head := requests.read(4):
                data = requests.read(unpack(">i", head)[0])
                with self._lock:
                    if b"kproto" not in data[:20]:  # the client id of the group's members
                        turns.append(0)
                    else:
                        turns.append(self._answered + 1)
                        name = API_NAMES[unpack(">h", data[:2])[0]]
                        self.turns.setdefault(turns[-1], []).append(name)
                broker.sendall(head + data)
            for side in (client, broker):
                side.shutdown(socket.SHUT_RDWR)

    def _answer(self, client: socket.socket, broker: socket.socket, turns: deque[int]) -> None:
        with broker.makefile("rb") as answers, suppress(OSError):
            while head := answers.read(4):
                data = answers.read(unpack(">i", head)[0])
                time.sleep(DELAY_S)
                with self._lock:
                    self._answered = max(self._answered, turns.popleft())
                client.sendall(head + data)


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Counter, Members]]:
    """Consumers of a broker that is reached over the counter alone."""
    folder = tmp_path_factory.mktemp("counted")
    counter = Counter()
    thread = Thread(target=counter.serve, daemon=True)
    thread.start()
    settings = f"advertised.listeners=PLAIN://127.0.0.1:{counter.port}\n"
    try:
        with running_broker(folder, settings) as broker:
            counter.behind = int(broker.bootstrap.split(":")[1])
            with members_of(broker, folder / "members.log") as members:
                yield counter, members
    except JavaUnavailable as reason:
        do_without(reason)
    finally:
        counter.close()
        thread.join(5)


@pytest.mark.parametrize(
    "join",
    ["assignors=range", "group.protocol=consumer"],
    ids=["classic", "consumer"],
)
def test_the_first_answer_comes_as_soon_as_it_can(
    counted: tuple[Counter, Members], join: str, capsys: pytest.CaptureFixture[str]
) -> None:
    counter, members = counted
    group = join.partition("=")[2]
    joined = members.step(
        f"topic {group} 3", f"join {group} group={group} topics={group} {join}"
    ).owned
    while not joined.get(group):
        joined = members.step().owned
    counter.reset()
    assert main(["group", group, "--bootstrap-server", f"127.0.0.1:{counter.port}"]) == 0
    assert group in capsys.readouterr().out
    turns = [set(counter.turns[turn]) for turn in sorted(counter.turns)]
    assert len(turns) <= len(CHAIN), turns
    assert all(names <= allowed for names, allowed in zip(turns, CHAIN, strict=False)), turns
