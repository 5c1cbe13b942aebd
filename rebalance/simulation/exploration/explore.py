"""Every state that a group can come into, and what is wrong in any of them.

States are kept once each, by their signature, and counted. Safety is checked in each of them.
Liveness is checked on the graph of the moves that are no faults: once faults stop, every path has
to end, and to end well. So a cycle is a livelock, and an end in which something is amiss a
deadlock or a dead end.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .group_checks import END_CHECKS, STATE_CHECKS
from .model import Group, Model, Move, Setup, begin
from .state_key import Signatures

StateCheck: TypeAlias = Callable[[Model, Group], Iterator[str]]


@dataclass(frozen=True)
class Finding:
    """What is wrong, and how one gets there."""

    check: str
    what: str
    moves: tuple[Move, ...]
    cycle: tuple[Move, ...] = ()
    """For a livelock: the moves that lead back to where they began."""


@dataclass(frozen=True)
class Explored:
    """What was seen."""

    states: int
    """Distinct ones."""
    moves: int
    complete: bool
    """Nothing is left to be looked at, and there was no bound of depth."""
    ends: int
    """States in which nothing more happens, without a further fault."""
    rebalances: int
    """The most that follow the last fault on any path; -1 where that was not looked at."""
    findings: tuple[Finding, ...] = field(default=())


class _Graph:
    """The states seen, as numbers; where each came from; and the moves without faults."""

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
        """The moves from the beginning."""
        moves = []
        while (by := self.by[number]) is not None:
            moves.append(by)
            number = self.parent[number]
        return tuple(reversed(moves))


def explore(setup: Setup, *, most: int | None = None, stop_at_first: bool = False) -> Explored:
    """Go everywhere, breadth first; with `most`, until so many states were seen."""
    model, signatures, graph = Model(setup), Signatures(), _Graph()
    first = begin(setup)
    line: deque[tuple[int, Group]] = deque([(graph.add(signatures.of(first), -1, None, 0), first)])
    findings: dict[str, Finding] = {}
    moves = ends = 0
    while line and (most is None or len(graph.by) < most):
        number, group = line.popleft()
        goes_on = False
        for move in model.moves(group):
            moves += 1
            after = model.apply(group, move).group
            key = signatures.of(after)
            known = graph.index.get(key)
            if known is None:
                known = graph.add(key, number, move, after.coordinator.generation)
                line.append((known, after))
                _judge(STATE_CHECKS, model, after, graph, known, findings)
            if not move.fault and move.kind not in OWN_WILL:
                goes_on = True
                graph.next[number].append(known)
        if not goes_on:
            ends += 1
            _judge(END_CHECKS, model, group, graph, number, findings)
        if findings and stop_at_first:
            break
    complete = not line
    longest = -1
    if complete:
        cycle, longest = _longest(graph)
        if cycle:
            findings["liveness"] = _livelock(model, signatures, graph, cycle, first)
    return Explored(len(graph.by), moves, complete, ends, longest, tuple(findings.values()))


OWN_WILL = frozenset({"stop", "restart", "topics change"})
"""What people do; a group has to be well whether they do it or not."""


def _judge(
    checks: Mapping[str, StateCheck],
    model: Model,
    group: Group,
    graph: _Graph,
    number: int,
    findings: dict[str, Finding],
) -> None:
    for name, check in checks.items():
        if name not in findings:
            for what in check(model, group):
                findings[name] = Finding(name, what, graph.path(number))
                break


def _longest(graph: _Graph) -> tuple[list[int], int]:
    """A cycle of moves without faults, if there is one; else the most rebalances on any path."""
    colour = bytearray(len(graph.next))  # 1: on the path, 2: done
    most = array("q", bytes(8 * len(graph.next)))
    for root in range(len(graph.next)):
        if colour[root]:
            continue
        path = [(root, iter(graph.next[root]))]
        colour[root] = 1
        while path:
            number, rest = path[-1]
            for after in rest:
                if colour[after] == 1:
                    on_path = [one for one, _ in path]
                    return [*on_path[on_path.index(after) :], after], -1
                if not colour[after]:
                    colour[after] = 1
                    path.append((after, iter(graph.next[after])))
                    break
            else:
                colour[number] = 2
                path.pop()
                grown = [
                    most[after] + (graph.generation[after] > graph.generation[number])
                    for after in graph.next[number]
                ]
                most[number] = max(grown, default=0)
    return [], max(most, default=0)


def _livelock(
    model: Model, signatures: Signatures, graph: _Graph, cycle: list[int], first: Group
) -> Finding:
    """Go there once more, to name the moves of the cycle."""
    group = first
    path = graph.path(cycle[0])
    for move in path:
        group = model.apply(group, move).group
    round_trip = []
    for number in cycle[1:]:
        for move in model.moves(group):
            if move.fault or move.kind in OWN_WILL:
                continue
            after = model.apply(group, move).group
            if graph.index[signatures.of(after)] == number:
                round_trip.append(move)
                group = after
                break
    return Finding("liveness", "the group goes round in a circle for ever", path, tuple(round_trip))
