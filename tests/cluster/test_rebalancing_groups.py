"""Groups whose members' subscriptions are not there: brokers report them only of groups that are
Stable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import Message
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Groups, group, member

REPORTS = Path(__file__).parent.parent / "vectors" / "reports"
SAVED = {"slow1": REPORTS / "slow1.save", "payments": REPORTS / "preparing.jsonl"}
VIEWS = (
    ("--plan", "cooperative"),
    ("--plan", "consumer"),
    ("--what-if", "join=1"),
    ("--what-if", "protocol=consumer"),
    ("--what-if", "assignor=cooperative-sticky"),
    ("--what-if", "topic=payments.events:12"),
)
STATES = ("PreparingRebalance", "CompletingRebalance", "AwaitingSync")


@pytest.mark.parametrize("view", VIEWS, ids=" ".join)
@pytest.mark.parametrize("name", SAVED)
def test_what_needs_subscriptions_is_not_guessed(
    name: str, view: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["group", name, "--from", str(SAVED[name]), *view]) == 3
    printed = capsys.readouterr()
    assert not printed.out
    assert "is rebalancing (PreparingRebalance)" in printed.err and printed.err.count("\n") == 1


@pytest.mark.parametrize("name", SAVED)
def test_the_view_says_why_it_is_empty(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["group", name, "--from", str(SAVED[name])]) == 0
    assert "the group is rebalancing (PreparingRebalance)" in capsys.readouterr().out
    assert main(["group", name, "--from", str(SAVED[name]), "--json"]) == 0
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert "only while it is Stable" in problem


@pytest.mark.parametrize("name", SAVED)
def test_a_scenario_is_not_made_of_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(SAVED[name])]) == 3
    assert "is rebalancing" in capsys.readouterr().err


@pytest.mark.parametrize("name", SAVED)
def test_a_migration_is_not_judged(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", str(SAVED[name]), "--json"]) == 3
    line = json.loads(capsys.readouterr().out)
    assert (line["verdict"], line["error"]) == ("unknown", None)
    (reason,) = line["reasons"]
    assert reason["code"] == "rebalancing" and "Stable" in reason["remedy"]
    assert main(["migrate", str(SAVED[name]), "--group", name]) == 3
    page = capsys.readouterr().out
    assert "Restart" not in page and "the way back" not in page and "Ask again" in page


class Rebalances(Groups):
    """A broker that reports a group's subscriptions from its third description on."""

    def __init__(self, state: str, hidden: int) -> None:
        assigned: dict[str, tuple[int, ...]] = {"orders": (0, 1, 2, 3, 4, 5)}
        self._stable = group("g", member("java", assigned=assigned))
        self._hidden = hidden
        withheld = member("java", metadata=b"")
        super().__init__(group("g", withheld, protocol="", state=state))

    def _describe(self, request: Any, version: int) -> Message:
        self._hidden -= 1
        if self._hidden < 0:
            self.groups["g"] = self._stable
        return super()._describe(request, version)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("view", VIEWS[:4], ids=" ".join)
def test_a_group_is_awaited(
    view: tuple[str, str], state: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(Rebalances(state, hidden=2)) as address:
        assert main(["group", "g", "--bootstrap-server", address, *view, "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.out and not printed.err
    for line in map(json.loads, printed.out.splitlines()):
        assert line.get("assignor") != ""
        assert all(step["do"].rstrip() == step["do"] for step in line.get("steps", ()))


@pytest.mark.parametrize("view", VIEWS[:4], ids=" ".join)
def test_a_group_is_awaited_as_long_as_asked(
    view: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(Rebalances(STATES[0], hidden=10**6)) as address:
        assert (
            main(["group", "g", "--bootstrap-server", address, *view, "--timeout", "1500ms"]) == 3
        )
    printed = capsys.readouterr()
    assert not printed.out and printed.err.count("\n") == 1
    assert "is rebalancing" in printed.err and "--timeout" in printed.err
