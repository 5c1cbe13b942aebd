"""Whole groups under a hostile fate: Hypothesis chooses what happens, and the checks hold.

Members join, leave, hang, come back stale, are upgraded and lose connections; the coordinator
fails over, topics grow. In the end the faults stop, and the group has to come to rest.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.rebalance.simulation.history import Course, History, Wrong, hostile

WAYS = (
    ("range", "first bounce", "first bounce"),
    ("cooperative", "older", "cooperative"),
    ("sticky", "sticky", "sticky"),
    ("first bounce", "second bounce", "second bounce"),
)
"""What each place is started with, one after the other."""


class Fate(RuleBasedStateMachine):
    """Moves of the model, chosen freely."""

    course: Course | None = None
    drawn: dict[str, Any]
    wrong = False

    @initialize(path=st.sampled_from(WAYS), static=st.lists(st.booleans(), min_size=3, max_size=3))
    def begin(self, path: tuple[str, ...], static: list[bool]) -> None:
        self.drawn = {"path": path, "static": static}
        self.course = Course(hostile(path, static))

    def move(self, choice: int, *, fault: bool) -> None:
        course = self.course
        assert course is not None
        moves = [move for move in course.model.moves(course.group) if move.fault == fault]
        if moves:
            try:
                course.go(moves[choice % len(moves)])
            except Wrong as wrong:
                self.failed(History(self.drawn, tuple(course.moves), str(wrong)))
                raise

    @rule(choices=st.lists(st.integers(0, 50), min_size=1, max_size=25))
    def something_happens(self, choices: list[int]) -> None:
        for choice in choices:
            self.move(choice, fault=False)

    @rule(choice=st.integers(0, 50))
    def something_goes_wrong(self, choice: int) -> None:
        self.move(choice, fault=True)

    def teardown(self) -> None:
        """No more faults, and nobody intervenes: the group comes to rest."""
        if self.course is None or self.wrong:
            return
        moves = tuple(self.course.moves)
        try:
            self.course.rest()
        except Wrong as wrong:
            self.failed(History(self.drawn, moves, str(wrong)))
            raise

    def failed(self, history: History) -> None:
        """Called with what was found, once for every example that fails."""
        self.wrong = True
