"""State machines driven by tables.

A machine is a table of rules. A rule says in which phases it applies, to which event, under which
condition, what is done and which phase follows. The documentation's diagrams are drawn from the
same tables, so names of conditions and of what is done are words that a reader sees.

A machine has no clock, thread or socket. A step takes a state and an event, and returns the next
state and the actions for the outside to take; states are values, so that they can be compared, kept
and returned to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar


class Turn:
    """A step under way: the settings, state and event, and the actions so far."""

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
        """Add an action for the outside to take."""
        self.actions.append(action)


TurnT = TypeVar("TurnT", bound=Turn)


class MachineRule(NamedTuple, Generic[TurnT]):
    """A line of a table; the first one that applies is used."""

    phases: tuple[StrEnum, ...]
    event: type
    do: Callable[[TurnT], None]
    to: tuple[StrEnum, ...] = ()
    """The phases that may follow: one, or those of which `do` chooses; empty if the phase stays."""
    when: Callable[[TurnT], bool] | None = None


class Table(Generic[TurnT]):
    """The rules of a machine, found by phase and event.

    An event without a rule in the phase is ignored.
    """

    def __init__(self, rules: Iterable[MachineRule[TurnT]]) -> None:
        self.rules = tuple(rules)
        self._index: dict[tuple[StrEnum, type], list[MachineRule[TurnT]]] = {}
        for rule in self.rules:
            for phase in rule.phases:
                self._index.setdefault((phase, rule.event), []).append(rule)

    def apply(self, turn: TurnT, kind: type) -> None:
        """Apply the first rule that fits the step, if any."""
        for rule in self._index.get((turn.state.phase, kind), ()):
            if rule.when is None or rule.when(turn):
                rule.do(turn)
                if len(rule.to) == 1:
                    turn.change(phase=rule.to[0])
                elif rule.to and turn.state.phase not in rule.to:
                    raise AssertionError(f"{rule.do.__name__} led to {turn.state.phase}")
                return
