"""The broker's assignors beside those of kafka-group-coordinator, on a million partitions.

    python -m tests.benchmarks.bench_broker_assignors [--quick] [--check] [--turns N]
        [--seconds N] [--only NAME]

Both sides take turns in one process on the same group, and their results are compared by checksum.
The time is that of the process's processors, so Java's garbage collector counts as Python's does;
after a turn to warm up, the least time of each side counts. A case that has used up its seconds
takes no further turn, and its rows say how many it took.

A row whose results differ says so. `simple` has one: 56 partitions of a member come into one bucket
of a HashMap, which becomes a tree, and our order of such a bucket is another (`java_order`), so
that another of the member's partitions goes to the one that joins.

Two kinds of rows print one more number. `uniform` asks which partitions have an owner; a
coordinator has a map of owners, which it changes record by record, so each side has its own at hand
(`BrokerGroup.owned`; Java's GroupSpecImpl is given one). The ratio counts `assign` alone; the
second ratio adds the making of the map to the time of both. Our `range` computes a member's target
when it is first read; the second number is the time to assign and to read the targets of all
members.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from kproto.fuzz.building import JavaUnavailable, compile_java, fetch_jars
from kproto.fuzz.oracles.java import load_jpype, locate
from kproto.rebalance.broker_assignors import (
    BROKER_ASSIGNORS,
    BrokerGroup,
    BrokerMember,
    StreamsMember,
    Subtopology,
    Targets,
    Tasks,
    assign_simple,
    assign_tasks,
)
from kproto.rebalance.java_order import string_hash, uuid_hash

HELPER = Path(__file__).with_name("java") / "CoordinatorGroups.java"
POM = Path(__file__).parent.parent / "broker" / "pom.xml"
ASSIGN: Mapping[str, Callable[[BrokerGroup], Targets]] = {
    **BROKER_ASSIGNORS,
    "simple": assign_simple,
}
LIMIT = 2.0
"""At most so many times Java's time."""
STEPS = 3


class Side(Protocol):
    """A group on one side; a step keeps the assignment as the members' targets."""

    def prepare(self, members: Sequence[str]) -> None: ...
    def assign(self) -> object: ...
    def checksum(self) -> int: ...
    def step(self) -> object: ...


class Shape(NamedTuple):
    """A group: topics with their sizes, and what each member subscribes to."""

    topics: Mapping[UUID, int]
    wanted: Mapping[str, frozenset[UUID]]


class Consumers:
    """A consumer or share group, on our side."""

    def __init__(self, assignor: str, shape: Shape) -> None:
        self._assign, self._shape = ASSIGN[assignor], shape
        self._targets: dict[str, dict[UUID, frozenset[int]]] = {}
        self._next: Targets = {}

    def prepare(self, members: Sequence[str]) -> None:
        wanted = self._shape.wanted
        group = {m: BrokerMember(wanted[m], None, self._targets.get(m, {})) for m in members}
        self._group = BrokerGroup(group, self._shape.topics)

    def invert(self) -> None:
        """Make a new group and compute its map of owners; all else the next turn computes."""
        self._group = BrokerGroup(self._group.members, self._group.topics)
        _ = self._group.owned

    def assign(self) -> None:
        self._next = self._assign(self._group)

    def checksum(self) -> int:
        return sum(
            _sum(31 * _signed(string_hash(member)) + _signed(uuid_hash(topic)), partitions)
            for member, target in self._next.items()
            for topic, partitions in target.items()
        )

    def assign_and_read(self) -> None:
        self.assign()
        for target in self._next.values():
            target.items()

    def step(self) -> None:
        # Sorted on both sides: the order in which colliding keys go into Java's maps counts.
        self._targets = {
            member: {
                topic: frozenset(sorted(target[topic])) for topic in sorted(target, key=_java_order)
            }
            for member, target in self._next.items()
        }


def _java_order(topic: UUID) -> tuple[int, int]:
    return _signed(topic.int >> 64, 64), _signed(topic.int & (1 << 64) - 1, 64)


class Streams:
    """A streams group, on our side: members of ten to a process."""

    def __init__(
        self, topology: Mapping[str, Subtopology], processes: Mapping[str, str], replicas: int
    ) -> None:
        self._topology, self._processes, self._replicas = topology, processes, replicas
        self._next: dict[str, Tasks] = {}
        self._targets: dict[str, Tasks] = {}

    def prepare(self, members: Sequence[str]) -> None:
        self._members = {
            member: StreamsMember(
                self._processes[member],
                *(
                    _by_subtopology(tasks)
                    for tasks in self._targets.get(member, Tasks(set(), set()))
                ),
            )
            for member in members
        }

    def assign(self) -> None:
        self._next = assign_tasks(self._members, self._topology, self._replicas)

    def checksum(self) -> int:
        return sum(
            factor * (task.partition + 1) * owner
            for member, tasks in self._next.items()
            for factor, kind in zip((1, 7), tasks, strict=True)
            for task in kind
            for owner in [31 * _signed(string_hash(member)) + _signed(string_hash(task[0]))]
        )

    def step(self) -> None:
        self._targets = self._next


def _by_subtopology(tasks: Collection[tuple[str, int]]) -> dict[str, set[int]]:
    parts: dict[str, set[int]] = {}
    for name, partition in tasks:
        parts.setdefault(name, set()).add(partition)
    return parts


def _sum(owner: int, partitions: Collection[int]) -> int:
    return owner * (sum(partitions) + len(partitions))


def _signed(number: int, bits: int = 32) -> int:
    return number - (1 << bits) if number >> bits - 1 else number


class Case(NamedTuple):
    """A group on both sides, and its members.

    `invert` makes each side's map of owners. Before a turn `refresh` forgets what our side has
    computed. `read` is what else to measure."""

    name: str
    members: Sequence[str]
    sides: Mapping[str, Side]
    invert: Mapping[str, Callable[[], object]] = {}
    refresh: Callable[[], object] = lambda: None
    read: Callable[[], object] | None = None


class Java:
    """Makes groups of the coordinator's classes. Raises JavaUnavailable."""

    def __init__(self) -> None:
        jars = fetch_jars(POM.read_bytes())
        helper = compile_java(HELPER.read_bytes(), HELPER.stem, jars)
        jpype = load_jpype()
        callbacks = list(gc.callbacks)
        jpype.startJVM(
            str(locate().jvm),
            "-Xmx4g",
            "-XX:+UseSerialGC",
            "-Xrs",
            classpath=[str(helper), str(jars / "*")],
            convertStrings=False,
        )
        gc.callbacks[:] = callbacks  # JPype would have Java collect whenever Python does
        self._jpype = jpype
        self._class: Callable[[str], Any] = jpype.JClass

    def consumers(self, assignor: str, shape: Shape) -> Any:
        ids = [
            _signed(half, 64)
            for topic in shape.topics
            for half in (topic.int >> 64, topic.int & (1 << 64) - 1)
        ]
        place = {topic: number for number, topic in enumerate(shape.topics)}
        alike = len(set(shape.wanted.values())) == 1
        return self._class("CoordinatorGroups$Modern")(
            assignor, alike, self._jpype.JLong[:](ids),
            self._jpype.JInt[:](list(shape.topics.values())), list(shape.wanted),
            [self._jpype.JInt[:]([place[topic] for topic in names])
             for names in shape.wanted.values()],
        )  # fmt: skip

    def streams(
        self, topology: Mapping[str, Subtopology], processes: Mapping[str, str], replicas: int
    ) -> Any:
        sizes = self._jpype.JInt[:]([part.partitions for part in topology.values()])
        return self._class("CoordinatorGroups$Streams")(
            list(topology), sizes, list(processes), list(processes.values()), replicas
        )


def cases(java: Java, quick: bool) -> Mapping[str, Callable[[], Case]]:
    scale = 10 if quick else 1
    rng = Random(4)  # noqa: S311
    members = [f"consumer-{number}-{rng.getrandbits(128):032x}" for number in range(2000)]

    def consumers(name: str, assignor: str, alike: bool) -> Case:
        count = 500 if alike else 200
        size = 1_000_000 // count // scale
        topics = {UUID(int=rng.getrandbits(128)): size for _ in range(count)}
        every = frozenset(topics)
        wanted = {
            member: every if alike else frozenset(rng.sample(list(topics), count // 2))
            for member in members
        }
        shape = Shape(topics, wanted)
        ours, theirs = Consumers(assignor, shape), java.consumers(assignor, shape)
        sides = {"kproto": ours, "Java": theirs}
        invert = {side: each.invert for side, each in sides.items() if assignor == "uniform"}
        read = ours.assign_and_read if assignor == "range" else None
        return Case(name, members, sides, invert, ours.invert, read)

    def streams(name: str, replicas: int) -> Case:
        topology = {f"{number}": Subtopology(10_000 // scale, True) for number in range(100)}
        processes = {member: f"p-{number // 10}" for number, member in enumerate(members)}
        ours = Streams(topology, processes, replicas)
        theirs = java.streams(topology, processes, replicas)
        return Case(name, members, {"kproto": ours, "Java": theirs})

    return {
        "uniform": lambda: consumers("uniform", "uniform", True),
        "uniform-mixed": lambda: consumers("uniform, unequal", "uniform", False),
        "range": lambda: consumers("range", "range", True),
        "range-mixed": lambda: consumers("range, unequal", "range", False),
        "simple": lambda: consumers("simple", "simple", True),
        "simple-mixed": lambda: consumers("simple, unequal", "simple", False),
        "sticky": lambda: streams("sticky tasks", 0),
        "sticky-standby": lambda: streams("sticky tasks, 1 standby", 1),
    }


class Row(NamedTuple):
    """The least seconds of each side for one step, over so many turns after the first, and what was
    measured beside them."""

    step: str
    least: Mapping[str, float]
    turns: int
    beside: str


def measure(case: Case, turns: int, seconds: float) -> Iterator[Row]:
    """Yield a row for each step of the group, until the time is up: a turn that has begun is
    finished, and a step without a measured turn is left out."""
    steps = {
        "first": case.members,
        "one leaves": case.members[1:],
        "one joins": case.members,
    }
    end = monotonic() + seconds
    for step, members in steps.items():
        for side in case.sides.values():
            side.prepare(members)
        times: list[Mapping[str, float]] = []
        while len(times) <= turns and monotonic() < end:
            case.refresh()
            times.append({name: _seconds(side.assign) for name, side in case.sides.items()})
        if len(times) < 2:
            return
        sums = {int(side.checksum()) % (1 << 64) for side in case.sides.values()}
        measured = times[1:]
        least = {name: min(each[name] for each in measured) for name in case.sides}
        beside = ""
        if case.invert:
            ours, java = (
                least[side] + min(_seconds(invert) for _ in times)
                for side, invert in case.invert.items()
            )
            beside = f"; {ours / java:.2f} with the maps of owners"
        if case.read:
            case.refresh()
            beside = f"; {_seconds(case.read) * 1e3:.0f} ms with all of it read"
        if len(sums) > 1:
            beside += ", results differ"
        for side in case.sides.values():
            side.step()
        yield Row(step, least, len(measured), beside)


def _seconds(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a tenth of the partitions")
    parser.add_argument("--check", action="store_true", help="status 1 if the limit is missed")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30, help="a case's time limit")
    parser.add_argument("--only", action="append", help="a case, several times if need be")
    options = parser.parse_args(arguments)
    try:
        java = Java()
    except JavaUnavailable as reason:
        print(f"Not measured: {reason}")
        return int(options.check)
    print(f"{'least ms':<33}{'kproto':>8}{'Java':>8}{'ratio':>8}", flush=True)
    met = True
    for name, make in cases(java, options.quick).items():
        if options.only and name not in options.only:
            continue
        case, rows = make(), 0
        for rows, row in enumerate(measure(case, options.turns, options.seconds), 1):  # noqa: B007
            ratio = row.least["kproto"] / row.least["Java"]
            met &= ratio <= LIMIT
            numbers = "".join(f"{row.least[side] * 1e3:8.0f}" for side in case.sides)
            verdict = "met" if ratio <= LIMIT else "missed"
            cut = f", time limit after {row.turns} turns" if row.turns < options.turns else ""
            notes = verdict + cut + row.beside
            print(f"{case.name:<22}{row.step:<11}{numbers}{ratio:8.2f}  {notes}", flush=True)
        if rows < STEPS:
            met = False
            print(f"{case.name:<22}stopped by the time limit of {options.seconds:g} s", flush=True)
    return int(options.check and not met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
