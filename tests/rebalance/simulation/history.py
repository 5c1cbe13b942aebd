"""A group going through moves, judged after each of them, and its history as a file.

A history names its group, and the moves as `Model` prints them. Playing it back takes the same
moves, lets the group come to rest and raises `Wrong` if a check fails:

    python -m tests.rebalance.simulation.explore --replay FILE
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kproto.rebalance.simulation import END_CHECKS, STATE_CHECKS, MemberSettings, Setup
from kproto.rebalance.simulation.exploration.explore import GroupCheck
from kproto.rebalance.simulation.exploration.model import Model, begin
from kproto.rebalance.simulation.exploration.protocols import Move, Snapshot
from kproto.rebalance.simulation.exploration.state_keys import Keys
from kproto.rebalance.simulation.machines.client_formats import Consumer
from kproto.rebalance.simulation.machines.coordinator_state import GroupPhase, GroupState
from kproto.rebalance.simulation.scenarios.assignors import CATALOGUE

TOPICS = (("t", 2), ("u", 1))
GROWTH = ((("t", 3), ("u", 1)), (("t", 3),), (("t", 3), ("u", 2)))
MOST_REBALANCES = 12  # after the last fault
MOST_MOVES = 600

BUILDS = {
    "range": (("range",), 0),
    "first bounce": (("range", "cooperative-sticky"), 3),
    "second bounce": (("cooperative-sticky",), 3),
    "cooperative": (("cooperative-sticky",), 3),
    "older": (("cooperative-sticky",), 1),
    "sticky": (("sticky",), 2),
}
"""What a process is started with: its assignors, and the version of its subscriptions."""


class Wrong(AssertionError):
    """A check has failed."""


@dataclass(frozen=True)
class History:
    """What happened to a group."""

    group: Mapping[str, Any]
    """Of members that `BUILDS` names: "path", "static"; one that is explored: "explored"."""
    moves: tuple[str, ...]
    what: str = ""
    """The check that fails, and what it says."""
    cycle: tuple[str, ...] = ()
    """Moves after which the group is where it was before them."""

    def write(self, path: Path) -> None:
        """Write it as JSON."""
        found = {"what": self.what, "group": self.group, "moves": self.moves, "cycle": self.cycle}
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def read_history(path: Path) -> History:
    """Return the history that `History.write` has written."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return History(found["group"], tuple(found["moves"]), found["what"], tuple(found["cycle"]))


def member(name: str, build: str, *, static: bool) -> MemberSettings:
    """Return the settings of a process."""
    assignors, version = BUILDS[build]
    return MemberSettings(
        name,
        tuple(CATALOGUE[assignor] for assignor in assignors),
        ("t", "u"),
        Consumer(version),
        version,
        group_instance_id=f"{name}-instance" if static else None,
    )


def hostile(path: Iterable[str], static: Iterable[bool]) -> Setup:
    """Return a group of three places to which anything can happen: each place is started with
    the builds of the path, one after the other."""
    path = tuple(path)
    builds = tuple(
        tuple(member(name, build, static=fixed) for build in path)
        for name, fixed in zip("abc", static, strict=True)
    )
    return Setup(builds, TOPICS, faults=6, stops=3, growth=GROWTH)


class Course:
    """A group under way."""

    def __init__(self, setup: Setup, say: Callable[[str], object] | None = None) -> None:
        self.model = Model(setup)
        self.say = say
        self.group = begin(setup)
        self.moves: list[str] = []
        self.returned_in: int | None = None
        """The generation in which a static member has last come back without a rebalance."""
        self.forgotten: set[str] = set()
        """The names of static members whose id a coordinator took along when it failed: the id was
        given in a rebalance that had not ended, so the next coordinator knows the one before."""

    def go(self, move: Move) -> None:
        """Make a move, and check the state that it leads to."""
        before = self.group
        self.moves.append(str(move))
        self.group, seen = self.model.apply(before, move)
        if self.say:
            self.say(f"{move}: {', '.join(what for _, what in seen)}".removesuffix(": "))
        if _returned(before, self.group):
            self.returned_in = self.group.coordinator.generation
        if move.kind == "fail over":
            self.forgotten |= _forgotten(self.group)
        self._check(STATE_CHECKS)

    def go_by_name(self, name: str) -> None:
        """Make the move that `Model` prints like that."""
        moves = {str(move): move for move in self.model.moves(self.group)}
        if name not in moves:
            raise ValueError(
                f'after {len(self.moves)} moves "{name}" cannot happen; what can: {list(moves)}'
            )
        self.go(moves[name])

    def rest(self) -> None:
        """No more faults, and nobody intervenes: the group has to come to rest.

        A static member that comes back gets the share of the process before it, and what that
        process had still to do is not done: what it was about to give up, and topics that grew
        meanwhile, belong to nobody before the next rebalance. Apache Kafka's brokers and consumers
        do the same (tests/broker/test_static_members.py).
        """
        self._settle()
        if self.returned_in == self.group.coordinator.generation:
            self._check({name: of for name, of in END_CHECKS.items() if name != "all-owned"})
            self._rebalance()
            self._settle()
        self.check_end()

    def check_end(self) -> None:
        """Check a state in which nothing happens any more.

        A member that has been forgotten is fenced, by Apache Kafka's brokers as well: somebody has
        to start it again.
        """
        self._check(END_CHECKS)

    def _settle(self) -> None:
        self.group = self.group._replace(faults=0, stops=0, growths=len(self.model.setup.growth))
        before = self.group.coordinator.generation
        for _ in range(MOST_MOVES):
            move = self.next_move()
            if move is None:
                break
            self.go(move)
        else:
            raise Wrong("the group never comes to rest")
        rebalances = self.group.coordinator.generation - before
        if rebalances > MOST_REBALANCES:
            raise Wrong(f"{rebalances} rebalances after the last fault")

    def next_move(self) -> Move | None:
        """Return the move that comes first on the way to rest."""
        return next(iter(self.model.moves(self.group)), None)

    def _rebalance(self) -> None:
        """One of the members expires, and comes again."""
        entries = getattr(self.group.coordinator, "entries", ())
        if entries:
            self.go(Move("session expires", member_id=entries[0].member_id))

    def _check(self, checks: Mapping[str, GroupCheck]) -> None:
        fenced = {f"{name} has failed: FENCED_INSTANCE_ID" for name in self.forgotten}
        for name, check in checks.items():
            for what in check(self.group):
                if what not in fenced:
                    raise Wrong(f"{name}: {what}")


def _forgotten(group: Snapshot) -> set[str]:
    """The names of members that the coordinator knows by their instance, but not by their id."""
    if not isinstance(group.coordinator, GroupState):
        return set()
    known = {
        entry.client_id: entry.member_id for entry in group.coordinator.entries if entry.instance_id
    }
    ids = {
        name: process.state.member_id
        for name, process in zip("abc", group.processes, strict=False)
        if process is not None
    }
    return {name for name, member_id in known.items() if ids.get(name) not in (None, "", member_id)}


def _returned(before: Snapshot, after: Snapshot) -> bool:
    """Whether the move brought a static member back without a rebalance."""
    known, now = before.coordinator, after.coordinator
    return (
        isinstance(known, GroupState)
        and isinstance(now, GroupState)
        and known.phase is now.phase is GroupPhase.STABLE
        and known.generation == now.generation
        and [entry.member_id for entry in known.entries]
        != [entry.member_id for entry in now.entries]
    )


def play_back(history: History, setup: Setup, say: Callable[[str], object] | None = None) -> None:
    """Take the moves of a history. Raises `Wrong` if a check fails on the way or at the end; `say`
    is called with each move and what it makes members do."""
    course = Course(setup, say)
    for name in history.moves:
        course.go_by_name(name)
    if history.cycle:
        _go_round(course, setup, history.cycle)
    elif "explored" in history.group:
        course.check_end()
    else:
        course.rest()


def _go_round(course: Course, setup: Setup, cycle: Iterable[str]) -> None:
    keys = Keys(setup)
    first = keys.of(course.group)
    for name in cycle:
        course.go_by_name(name)
    if keys.of(course.group) == first:
        raise Wrong("the group goes round in a circle")
