"""Machines driven by tables.

A machine is a table of rules. A rule says in which phases it applies, to which event, under which
condition, what is done and which phase follows. The documentation's diagrams are drawn from the
same tables (`diagrams`), so names of conditions and of what is done are words that a reader sees.

A machine has no clock, thread or socket. A step takes a state and an event, and gives the next
state and the actions that the outside shall take; states are values, so that they can be compared,
kept and gone back to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar


class Turn:
    """One step under way: what it starts from, and what has come of it so far."""

    __slots__ = ("actions", "event", "settings", "state")

    def __init__(self, settings: Any, state: Any, event: Any) -> None:
        self.settings = settings
        self.state = state
        self.event = event
        self.actions: list[Any] = []

    def change(self, **fields: Any) -> None:
        """Replace fields of the state."""
        self.state = self.state._replace(**fields)

    def act(self, action: Any) -> None:
        """Ask the outside for something."""
        self.actions.append(action)


TurnT = TypeVar("TurnT", bound=Turn)


class Rule(NamedTuple, Generic[TurnT]):
    """One line of a table. The first that applies is the one that counts."""

    phases: tuple[StrEnum, ...]
    event: type
    do: Callable[[TurnT], None]
    to: tuple[StrEnum, ...] = ()
    """The phase that follows; none: the same. With several, `do` has chosen one of them."""
    when: Callable[[TurnT], bool] | None = None


class Table(Generic[TurnT]):
    """The rules of a machine, found by phase and event.

    An event for which there is no rule is nothing to the machine in that phase.
    """

    def __init__(self, rules: Iterable[Rule[TurnT]]) -> None:
        self.rules = tuple(rules)
        self._index: dict[tuple[StrEnum, type], list[Rule[TurnT]]] = {}
        for rule in self.rules:
            for phase in rule.phases:
                self._index.setdefault((phase, rule.event), []).append(rule)

    def apply(self, turn: TurnT, kind: type) -> None:
        """Take the step, if any rule applies."""
        for rule in self._index.get((turn.state.phase, kind), ()):
            if rule.when is None or rule.when(turn):
                rule.do(turn)
                if len(rule.to) == 1:
                    turn.change(phase=rule.to[0])
                elif rule.to and turn.state.phase not in rule.to:
                    raise AssertionError(f"{rule.do.__name__} led to {turn.state.phase}")
                return
