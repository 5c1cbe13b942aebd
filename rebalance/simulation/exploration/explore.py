"""Exploration of every state that a group can reach, and what is wrong in any of them.

Each state is kept once, by its signature, and counted. Safety is checked in every state. Liveness
is checked on the graph of the moves that are no faults: once faults stop, every path has to end,
and to end well. So a cycle is a livelock, and an end in which something is wrong a deadlock.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .group_checks import END_CHECKS, STATE_CHECKS, GroupCheck
from .model import Model, Setup, begin
from .snapshot import Move, Snapshot
from .state_keys import Keys


@dataclass(frozen=True)
class ExplorationFinding:
    """A check that failed, what was wrong, and the moves that lead there."""

    check: str
    what: str
    moves: tuple[Move, ...]
    cycle: tuple[Move, ...] = ()
    """For a livelock: the moves that lead back to the state where they begin."""


@dataclass(frozen=True)
class Explored:
    """The result of an exploration: counts of what was seen, and the findings."""

    states: int
    """How many distinct states were seen."""
    moves: int
    complete: bool
    """Whether every state was visited: none is left, and no bound of depth cut any off."""
    ends: int
    """States in which nothing more happens, without a further fault."""
    rebalances: int
    """The most rebalances that follow the last fault on any path; -1 if that was not computed."""
    findings: tuple[ExplorationFinding, ...] = field(default=())


class _Graph:
    """The states seen, as numbers; the move that led to each; and the moves without faults."""

    def __init__(self) -> None:
        self.index: dict[object, int] = {}
        self.parent = array("q")
        self.by: list[Move | None] = []
        self.generation = array("q")
        self.next: list[list[int]] = []

    def add(self, key: object, parent: int, by: Move | None, generation: int) -> int:
        number = len(self.by)
        self.index[key] = number
        self.parent.append(parent)
        self.by.append(by)
        self.generation.append(generation)
        self.next.append([])
        return number

    def path(self, number: int) -> tuple[Move, ...]:
        """Return the moves from the beginning to a state."""
        moves = []
        while (by := self.by[number]) is not None:
            moves.append(by)
            number = self.parent[number]
        return tuple(reversed(moves))


def explore(setup: Setup, *, most: int | None = None, stop_at_first: bool = False) -> Explored:
    """Return what exploring a setup breadth first has shown; `most` bounds the number of states."""
    model, keys, first = Model(setup), Keys(setup), begin(setup)
    graph = _Graph()
    line: deque[tuple[int, Snapshot]] = deque([(graph.add(keys.of(first), -1, None, 0), first)])
    findings: dict[str, ExplorationFinding] = {}
    moves = ends = 0
    while line and (most is None or len(graph.by) < most):
        number, group = line.popleft()
        goes_on = False
        for move in model.moves(group):
            moves += 1
            changed = model.apply(group, move).group
            key = keys.of(changed)
            target = graph.index.get(key)
            if target is None:
                target = graph.add(key, number, move, changed.coordinator.generation)
                line.append((target, changed))
                _judge(STATE_CHECKS, changed, graph, target, findings)
            if not move.fault and move.kind not in OWN_WILL:
                goes_on = True
                graph.next[number].append(target)
        if not goes_on:
            ends += 1
            _judge(END_CHECKS, group, graph, number, findings)
        if findings and stop_at_first:
            break
    complete = not line
    longest = -1
    if complete:
        cycle, longest = _longest(graph)
        if cycle:
            findings["liveness"] = _livelock(model, keys, graph, cycle, first)
    return Explored(len(graph.by), moves, complete, ends, longest, tuple(findings.values()))


OWN_WILL = frozenset({"stop", "restart", "topics change"})
"""Moves that people make; a group has to end well whether they make them or not."""


def _judge(
    checks: Mapping[str, GroupCheck],
    group: Snapshot,
    graph: _Graph,
    number: int,
    findings: dict[str, ExplorationFinding],
) -> None:
    for name, check in checks.items():
        if name not in findings:
            for fault in check(group):
                findings[name] = ExplorationFinding(name, fault, graph.path(number))
                break


def _longest(graph: _Graph) -> tuple[list[int], int]:
    """Return a cycle of moves without faults, if there is one; else the most rebalances on any
    path.
    """
    colour = bytearray(len(graph.next))  # 1: on the path, 2: done
    most = array("q", bytes(8 * len(graph.next)))
    for root in range(len(graph.next)):
        if colour[root]:
            continue
        path = [(root, iter(graph.next[root]))]
        colour[root] = 1
        while path:
            number, rest = path[-1]
            for target in rest:
                if colour[target] == 1:
                    on_path = [state for state, _ in path]
                    return [*on_path[on_path.index(target) :], target], -1
                if not colour[target]:
                    colour[target] = 1
                    path.append((target, iter(graph.next[target])))
                    break
            else:
                colour[number] = 2
                path.pop()
                grown = [
                    most[target] + (graph.generation[target] > graph.generation[number])
                    for target in graph.next[number]
                ]
                most[number] = max(grown, default=0)
    return [], max(most, default=0)


def _livelock(
    model: Model, keys: Keys, graph: _Graph, cycle: Sequence[int], first: Snapshot
) -> ExplorationFinding:
    """Return the finding of a livelock; goes there once more, to name the moves of the cycle."""
    group = first
    path = graph.path(cycle[0])
    for move in path:
        group = model.apply(group, move).group
    round_trip = []
    for number in cycle[1:]:
        for move in model.moves(group):
            if move.fault or move.kind in OWN_WILL:
                continue
            changed = model.apply(group, move).group
            if graph.index[keys.of(changed)] == number:
                round_trip.append(move)
                group = changed
                break
    return ExplorationFinding(
        "liveness", "the group goes round in a circle for ever", path, tuple(round_trip)
    )
