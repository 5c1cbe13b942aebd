"""Exploration of every state that a group can reach, and what is wrong in any of them.

Each state is kept once, by its signature, and counted. Safety is checked in every state. Liveness
is checked on the graph of the moves that are no faults: once faults stop, every path has to end,
and to end well. So a cycle is a livelock, and an end in which something is wrong a deadlock.

Checks are of a whole group, by name: in every state, and once nothing happens any more. `disjoint`:
among members that hold the coordinator's current generation ownership is disjoint. A member holds
it that joined it under an id that the coordinator knows, and what counts as owned is what it was
assigned under that id: a member that the group has dropped believes to own more, and its commits
are refused.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ...assignments import Partition, overlaps
from ..modern.group_state import ConsumerGroup
from .model import Model, Setup, begin, truly_owned
from .protocols import NAMES, ExploredMember, Move, Snapshot
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


GroupCheck = Callable[[Snapshot], Iterator[str]]


def disjoint(group: Snapshot) -> Iterator[str]:
    """Yield partitions that two members of the current generation own."""
    yield from overlaps(truly_owned(group))


def assigned_once(group: Snapshot) -> Iterator[str]:
    """Yield partitions that the coordinator of the consumer protocol has assigned to two members,
    or to one before another has given them back.
    """
    members = group.coordinator.members if isinstance(group.coordinator, ConsumerGroup) else ()
    owners: dict[Partition, str] = {}
    for member in members:
        for (topic, number), _ in (*member.assigned, *member.revoking):
            if (topic, number) in owners:
                owner = owners[topic, number]
                yield f"{topic}-{number} is assigned to {owner} and to {member.member_id}"
            owners[topic, number] = member.member_id


def _running(group: Snapshot) -> Iterator[tuple[str, ExploredMember]]:
    """Yield the processes that were not refused for good, by name."""
    for name, process in zip(NAMES, group.processes, strict=False):
        if process is not None and not process.state.has_failed:
            yield name, process


def at_rest(group: Snapshot) -> Iterator[str]:
    """Yield what keeps a group from rest: it is not stable although it has members, or a member
    waits.
    """
    running, phase = dict(_running(group)), group.coordinator.phase
    if running and phase != "stable":
        yield f"the group is {phase}, and nothing happens any more"
    for name, process in running.items():
        if process.state.phase != "stable":
            yield f"{name} is {process.state.phase}, and nothing happens any more"


def all_owned(group: Snapshot) -> Iterator[str]:
    """Yield partitions that a running member subscribes to and none owns."""
    counts = dict(group.topics)
    states = [process.state for _, process in _running(group)]
    owned = frozenset[Partition]().union(*(state.owned for state in states))
    for topic in sorted({topic for state in states for topic in state.subscribed}):
        for number in range(counts.get(topic, 0)):
            if (topic, number) not in owned:
                yield f"{topic}-{number} belongs to nobody"


def nobody_failed(group: Snapshot) -> Iterator[str]:
    """Yield members that were refused for good."""
    for name, process in zip(NAMES, group.processes, strict=False):
        if process is not None and process.state.has_failed:
            yield f"{name} has failed: {process.state.reason}"


STATE_CHECKS: Mapping[str, GroupCheck] = MappingProxyType(
    {"disjoint": disjoint, "assigned-once": assigned_once}
)
"""The checks of every state, by name."""

END_CHECKS: Mapping[str, GroupCheck] = MappingProxyType(
    {"at-rest": at_rest, "all-owned": all_owned, "nobody-failed": nobody_failed}
)
"""The checks of states in which nothing happens any more, by name."""
