"""A Java consumer whose LeaveGroup is lost with its connection: it ends, and nobody asks again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.broker.members import Members
from tests.broker.proxy import Proxy, Turns, members_behind

_LEAVE_GROUP = 13


class LosesLeaves(Proxy):
    """Hangs up instead of passing on a LeaveGroup."""

    def __init__(self) -> None:
        super().__init__()
        self.leaves = 0
        """LeaveGroup requests that came."""

    def takes(self, request: bytes, turns: Turns) -> bool:
        """Count the LeaveGroup requests, and pass on all others."""
        is_leave = int.from_bytes(request[:2], "big") == _LEAVE_GROUP
        self.leaves += is_leave
        return not is_leave


@pytest.fixture
def lossy(tmp_path: Path) -> Iterator[tuple[LosesLeaves, Members]]:
    with members_behind(LosesLeaves(), tmp_path) as both:
        yield both


def test_it_ends_and_its_session_expires(lossy: tuple[LosesLeaves, Members]) -> None:
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
