"""Exploration of every state that a group can reach, and what is wrong in any of them.

Each state is kept once, by its signature, and counted. Safety is checked in every state. Liveness
is checked on the graph of the moves that are no faults: once faults stop, every path has to end,
and to end well. So a cycle is a livelock, and an end in which something is wrong a deadlock.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from .consumer_model import (
    CONSUMER_END_CHECKS,
    CONSUMER_STATE_CHECKS,
    ConsumerModel,
    ConsumerSetup,
)
from .consumer_model import begin as begin_consumers
from .consumer_state_key import ConsumerKeys
from .group_checks import END_CHECKS, STATE_CHECKS
from .model import Model, Move, Setup, begin
from .state_key import Signatures

StateCheck: TypeAlias = Callable[[Any, Any], Iterator[str]]


@dataclass(frozen=True)
class Finding:
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
    findings: tuple[Finding, ...] = field(default=())


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


class Space(NamedTuple):
    """What is explored: a model, the keys of its groups, where it begins, and its checks."""

    model: Any
    signatures: Any
    first: Any
    state_checks: Mapping[str, StateCheck]
    end_checks: Mapping[str, StateCheck]


def space_of(setup: Setup | ConsumerSetup) -> Space:
    """Return what is explored of a setup."""
    if isinstance(setup, ConsumerSetup):
        return Space(
            ConsumerModel(setup),
            ConsumerKeys(),
            begin_consumers(setup),
            CONSUMER_STATE_CHECKS,
            CONSUMER_END_CHECKS,
        )
    return Space(Model(setup), Signatures(), begin(setup), STATE_CHECKS, END_CHECKS)


def explore(
    setup: Setup | ConsumerSetup, *, most: int | None = None, stop_at_first: bool = False
) -> Explored:
    """Return what exploring a setup breadth first has shown; `most` bounds the number of states."""
    model, signatures, first, state_checks, end_checks = space_of(setup)
    graph = _Graph()
    line: deque[tuple[int, Any]] = deque([(graph.add(signatures.of(first), -1, None, 0), first)])
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
                _judge(state_checks, model, after, graph, known, findings)
            if not move.fault and move.kind not in OWN_WILL:
                goes_on = True
                graph.next[number].append(known)
        if not goes_on:
            ends += 1
            _judge(end_checks, model, group, graph, number, findings)
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
"""Moves that people make; a group has to end well whether they make them or not."""


def _judge(
    checks: Mapping[str, StateCheck],
    model: Any,
    group: Any,
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
            for after in rest:
                if colour[after] == 1:
                    on_path = [state for state, _ in path]
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


def _livelock(model: Any, signatures: Any, graph: _Graph, cycle: list[int], first: Any) -> Finding:
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
            after = model.apply(group, move).group
            if graph.index[signatures.of(after)] == number:
                round_trip.append(move)
                group = after
                break
    return Finding("liveness", "the group goes round in a circle for ever", path, tuple(round_trip))
