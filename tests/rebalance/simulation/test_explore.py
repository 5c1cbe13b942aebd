"""`make explore` writes what it finds into a file, says how to play it back, and that shows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis.stateful import initialize

from kproto.rebalance.simulation import explore
from tests.rebalance.simulation.explore import (
    REPLAY,
    Findings,
    draw,
    history_of,
    main,
    walk,
)
from tests.rebalance.simulation.fate import Fate
from tests.rebalance.simulation.history import Course, History, Wrong, play_back, read_history
from tests.rebalance.simulation.known_bugs import KNOWN_BUGS

IMPATIENT = "impatient-leader"


class Impatient(Fate):
    """A group in which something is wrong."""

    @initialize()
    def begin(self) -> None:
        self.drawn = {"explored": IMPATIENT}
        self.course = Course(KNOWN_BUGS[IMPATIENT].setup)


@pytest.mark.parametrize("name", [IMPATIENT, "draft-429"])
def test_what_exploring_finds_is_played_back(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (found, *_) = explore(KNOWN_BUGS[name].setup, stop_at_first=True).findings
    played_back(Findings(tmp_path), history_of(name, found), capsys)


def test_what_drawing_finds_is_played_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = draw(1, 100, Impatient)
    assert drawn.found is not None
    assert drawn.found.what.startswith("disjoint: ")
    played_back(Findings(tmp_path), drawn.found, capsys)


def test_nothing_can_be_left_out_of_what_was_found() -> None:
    found = draw(1, 100, Impatient).found
    assert found is not None
    for at in range(len(found.moves)):
        less = replace(found, moves=found.moves[:at] + found.moves[at + 1 :])
        with pytest.raises((Wrong, ValueError)) as raised:
            play_back(less, KNOWN_BUGS[IMPATIENT].setup)
        assert not str(raised.value).startswith("disjoint")


def played_back(findings: Findings, history: History, capsys: pytest.CaptureFixture[str]) -> None:
    findings.add("found", history)
    command = capsys.readouterr().out.splitlines()[-1]
    path = findings.folder / "found.json"
    assert command.endswith(f"{REPLAY} {path}")
    assert main(["--replay", str(path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in said[: len(history.moves)]] == list(history.moves)
    assert said[-1] in (f"wrong: {history.what}", "wrong: the group goes round in a circle")


def test_where_nothing_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "made.json"
    History({"explored": "restarted"}, ("start a", "start b")).write(path)
    assert main(["--replay", str(path)]) == 1  # they have not joined yet
    assert main(["--minutes", "0", "--replay", str(FOUND)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing is wrong"


FOUND = Path(__file__).parent / "found" / "closed-and-disconnected.json"


def test_a_move_that_cannot_happen_is_named() -> None:
    history = read_history(FOUND)
    course = Course(KNOWN_BUGS[IMPATIENT].setup)
    with pytest.raises(ValueError, match='after 0 moves "answer a" cannot happen'):
        course.go_by_name("answer a")
    with pytest.raises(ValueError, match="cannot happen"):
        play_back(history, KNOWN_BUGS[IMPATIENT].setup)


def test_a_seed_draws_the_same_again() -> None:
    assert draw(7, 20) == draw(7, 20)
    assert walk(7, 20) == walk(7, 20) != walk(8, 20)
