"""After how many round trips `kproto group NAME` has its first answer: as many as its requests
depend on each other, whatever the kind of the group. A proxy in front of a real broker counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Lock

import pytest

from kproto.capture.frames.api_keys import API_NAMES
from kproto.tools.main import main
from tests.broker.members import Members
from tests.broker.proxy import Proxy, Turns, members_behind

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


class Counter(Proxy):
    """Holds each answer back for a moment, in which everything comes that does not wait for it: a
    request's turn is one more than that of the last answer that had been passed on before it came.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self.reset()

    def reset(self) -> None:
        """Begin to count."""
        self._answered = 0
        self.turns: dict[int, list[str]] = {}

    def takes(self, request: bytes, turns: Turns) -> bool:
        """Note the turn of a request of kproto; that of the group's members is 0."""
        with self._lock:
            if b"kproto" not in request[:20]:  # the client id
                turns.append(0)
            else:
                turns.append(self._answered + 1)
                name = API_NAMES[int.from_bytes(request[:2], "big")]
                self.turns.setdefault(turns[-1], []).append(name)
        return True

    def answers(self, turns: Turns) -> None:
        """Hold an answer back."""
        time.sleep(DELAY_S)
        with self._lock:
            self._answered = max(self._answered, turns.popleft())


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Counter, Members]]:
    with members_behind(Counter(), tmp_path_factory.mktemp("counted")) as both:
        yield both


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
