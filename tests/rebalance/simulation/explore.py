"""Explore groups: every order of moves in small ones, and fresh examples of `Fate` in larger ones.

python -m tests.rebalance.simulation.explore [--minutes N] [--seed N] [--out FOLDER]
python -m tests.rebalance.simulation.explore --replay FILE

A check that fails is a finding: a file with the moves that lead to it, and one line that says how
to play it back. The exit status is 1 if there is one.
"""

from __future__ import annotations

import random
import re
import sys
import time
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from kproto.rebalance.simulation import ExplorationFinding, MemberSettings, Setup, explore
from kproto.rebalance.simulation.exploration.explore import OWN_WILL
from kproto.rebalance.simulation.exploration.protocols import Move
from kproto.rebalance.simulation.machines.settings import GroupProtocol, Remedy
from kproto.rebalance.simulation.scenarios.assignors import CATALOGUE
from tests.rebalance.simulation.fate import WAYS, Fate
from tests.rebalance.simulation.history import (
    Course,
    History,
    Wrong,
    hostile,
    member,
    play_back,
    read_history,
)
from tests.rebalance.simulation.known_bugs import KNOWN_BUGS, SOUND

EXAMPLES = 2_000
"""Drawn from one seed, and as many walks; then comes the next one."""
STEPS = 25
REPLAY = ".venv/bin/python -m tests.rebalance.simulation.explore --replay"


class Whole(NamedTuple):
    """A group that is explored."""

    setup: Setup
    most: int | None = None
    """States to look at; None: all."""
    known: frozenset[str] = frozenset()
    """Checks that fail in Apache Kafka's groups as well."""


def small(*names: str, assignor: str, topics: tuple[tuple[str, int], ...], faults: int) -> Setup:
    """Return a group of dynamic members with one assignor, each started once."""
    subscribed = tuple(topic for topic, _ in topics)
    members = (MemberSettings(name, (CATALOGUE[assignor],), subscribed) for name in names)
    return Setup(tuple((settings,) for settings in members), topics, faults=faults)


def restarted(build: str, *static: bool, growth: bool = False) -> Setup:
    """Return a group of two: the first member is started twice, and may be closed once, crash once
    or lose its connection; or, with `growth`, the topic grows instead."""
    first, second = (
        replace(member(name, build, static=fixed), topics=("t",))
        for name, fixed in zip("ab", static, strict=True)
    )
    return Setup(
        ((first, first), (second,)),
        (("t", 2),),
        faults=0 if growth else 1,
        stops=1,
        growth=((("t", 3),),) if growth else (),
        kinds=frozenset({"crash", "disconnect"}),
    )


def consumers(
    settled: int,
    partitions: int = 2,
    *,
    kind: str = "",
    stops: int = 0,
    grows: bool = False,
) -> Setup:
    """Return a group of three members of the consumer protocol (KIP-848): so many are in it and at
    rest, and the others join at any time, while a fault of one kind may happen."""
    builds = tuple(
        (
            MemberSettings(
                name,
                (),
                ("t",),
                group_protocol=GroupProtocol.CONSUMER,
                remedies=frozenset(Remedy),
            ),
        )
        for name in "abc"
    )
    return Setup(
        builds,
        (("t", partitions),),
        faults=bool(kind),
        stops=stops,
        growth=((("t", partitions + 1),),) if grows else (),
        kinds=frozenset({kind} - {""}),
        settled=settled,
    )


_UNOWNED = frozenset({"all-owned"})  # a static member that comes back: see Course.rest
EXPLORED = (
    {
        "two members and two faults": Whole(SOUND),
        "ids in every order": Whole(replace(SOUND, faults=1, every_order=True)),
        "three members": Whole(
            small(*"abc", assignor="cooperative-sticky", topics=(("t", 2), ("u", 1)), faults=1),
            500_000,
        ),
        "restarted": Whole(restarted("cooperative", False, False)),
        "restarted and eager": Whole(restarted("range", False, False)),
        "static": Whole(restarted("cooperative", True, False), known=_UNOWNED),
        "static and eager": Whole(restarted("range", True, False)),
        "all static": Whole(restarted("cooperative", True, True), known=_UNOWNED),
        "growing": Whole(restarted("cooperative", False, False, growth=True)),
        "growing and eager": Whole(restarted("range", False, False, growth=True)),
        "growing and static": Whole(
            restarted("cooperative", True, True, growth=True), known=_UNOWNED
        ),
        "consumer protocol: one, two more join": Whole(consumers(1)),
        "consumer protocol: two, a third joins": Whole(consumers(2, 3)),
        "consumer protocol: a third joins, one stops": Whole(consumers(2, 3, stops=1)),
        "consumer protocol: a third joins, the topic grows": Whole(consumers(2, grows=True)),
    }
    | {
        f"consumer protocol: a third joins, one {what}": Whole(consumers(2, 3, kind=kind))
        for kind, what in (
            ("crash", "crash"),
            ("disconnect", "connection lost"),
            ("fail over", "failover"),
            ("time out", "rebalance timeout"),
        )
    }
    | {
        f"consumer protocol: a third joins, one {what}": Whole(consumers(2, kind=kind), 100_000)
        for kind, what in (("expire", "false expiry"), ("hang", "hang"))
    }
    | {f"without {name}": Whole(planted.sound) for name, planted in KNOWN_BUGS.items()}
)
"""The groups that are explored, by name."""


@dataclass
class Findings:
    """Findings, each in a file of its own."""

    folder: Path
    count: int = 0

    def add(self, name: str, history: History) -> None:
        """Write a finding, and say how to play it back."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.json"
        history.write(path)
        self.count += 1
        print(f"  found: {history.what}\n  play it back: {REPLAY} {path}", flush=True)


def explore_whole(name: str, whole: Whole, findings: Findings) -> None:
    """Explore a group, and say how many states it has."""
    since = time.monotonic()
    print(f"{name}: ", end="", flush=True)
    seen = explore(whole.setup, most=whole.most)
    extent = "complete" if seen.complete else "the first of more"
    seconds = time.monotonic() - since
    print(f"{seen.states:,} states, {seen.moves:,} moves, {extent}, {seconds:,.0f} s", flush=True)
    for finding in seen.findings:
        if finding.check not in whole.known:
            findings.add(
                f"{re.sub(r'[^a-z]+', '-', name)}-{finding.check}", history_of(name, finding)
            )


def history_of(name: str, finding: ExplorationFinding) -> History:
    """Return a finding of an exploration as a history."""
    return History(
        {"explored": name},
        tuple(map(str, finding.moves)),
        f"{finding.check}: {finding.what}",
        tuple(map(str, finding.cycle)),
    )


def setup_of(history: History) -> Setup:
    """Return the group of a history."""
    name = history.group.get("explored")
    if name is None:
        return hostile(history.group["path"], history.group["static"])
    return KNOWN_BUGS[name].setup if name in KNOWN_BUGS else EXPLORED[name].setup


class Drawn(NamedTuple):
    """What was drawn from a seed."""

    examples: int
    moves: int
    found: History | None
    """The first example that fails, without the moves that it can do without."""


def draw(number: int, examples: int, machine: type[Fate] = Fate) -> Drawn:
    """Draw examples of the state machine from a seed, until one fails."""
    ended: list[int] = []
    failed: list[History] = []

    class Counted(machine):  # type: ignore[misc, valid-type]  # a class that is a parameter
        def teardown(self) -> None:
            super().teardown()
            ended.append(len(self.course.moves) if self.course else 0)

        def failed(self, history: History) -> None:
            super().failed(history)
            failed.append(history)

    try:
        run_state_machine_as_test(seed(number)(Counted), settings=_settings(examples))
    except Wrong:
        return Drawn(len(ended), sum(ended), smallest(failed[0]))
    return Drawn(len(ended), sum(ended), None)


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        phases=[Phase.generate],  # moves are left out here, which takes seconds and not minutes
        derandomize=False,
        database=None,
        deadline=None,
        print_blob=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )


def walk(number: int, walks: int) -> Drawn:
    """Draw walks from a seed: longer than the state machine's examples, and with fewer moves that
    people make."""
    drawn = random.Random(number)  # noqa: S311
    moves = 0
    for ended in range(walks):
        path, static = drawn.choice(WAYS), [drawn.random() < 0.5 for _ in "abc"]
        course = Course(hostile(path, static))
        faults, length = drawn.choice([0.02, 0.05, 0.1, 0.2]), drawn.choice([40, 80, 150])
        try:
            while len(course.moves) < length and (move := _step(course, drawn, faults)):
                course.go(move)
            taken = len(course.moves)
            course.rest()
        except Wrong as wrong:
            group = {"path": path, "static": static}
            history = History(group, tuple(course.moves), str(wrong))
            return Drawn(ended + 1, moves + len(course.moves), smallest(history))
        moves += max(taken, len(course.moves))
    return Drawn(walks, moves, None)


def _step(course: Course, drawn: random.Random, faults: float) -> Move | None:
    moves = list(course.model.moves(course.group))
    wrong = [move for move in moves if move.fault]
    due = [move for move in moves if not move.fault]
    unasked = [move for move in due if move.kind not in OWN_WILL]
    if unasked and drawn.random() < 0.85:
        due = unasked
    choice = wrong if wrong and (not due or drawn.random() < faults) else due
    return drawn.choice(choice) if choice else None


def smallest(history: History) -> History:
    """Return a history without the moves that its failure can do without."""
    setup = setup_of(history)
    check = history.what.partition(":")[0]
    found, many = history, len(history.moves)
    while many:
        before, at = found, 0
        while at < len(found.moves):
            moves = found.moves[:at] + found.moves[at + many :]
            what = _failure(replace(found, moves=moves), setup)
            if what.partition(":")[0] == check:
                found = replace(found, moves=moves, what=what)
            else:
                at += many
        many = many // 2 if many > 1 or found == before else 1
    return found


def _failure(history: History, setup: Setup) -> str:
    """What is wrong at the end of a history, if its moves can happen at all."""
    try:
        play_back(history, setup)
    except Wrong as wrong:
        return str(wrong)
    except ValueError:
        return ""
    return ""


def draw_for(minutes: float, first: int, findings: Findings) -> None:
    """Draw from one seed after the other until the time is over."""
    end = time.monotonic() + minutes * 60
    examples = moves = 0
    number = first
    print(f"fresh examples for {minutes:g} minutes, from seed {first} on", flush=True)
    while time.monotonic() < end:
        for name, drawn in (
            ("examples", draw(number, EXAMPLES)),
            ("walks", walk(number, EXAMPLES)),
        ):
            examples, moves = examples + drawn.examples, moves + drawn.moves
            if drawn.found:
                findings.add(f"seed-{number}-{name}", drawn.found)
        print(f"seed {number}: so far {examples:,} examples, {moves:,} moves", flush=True)
        number += 1


def main(arguments: list[str] | None = None) -> int:
    """Explore, or play a finding back."""
    parser = ArgumentParser(prog="explore", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="draw for so long (10)")
    parser.add_argument("--seed", type=int, help="draw from this seed first (a random one)")
    parser.add_argument(
        "--out", type=Path, default=Path("build/explore"), help="put findings here (build/explore)"
    )
    parser.add_argument("--replay", type=Path, metavar="FILE", help="play a finding back")
    asked = parser.parse_args(arguments)
    if asked.replay:
        return replay(asked.replay)
    findings = Findings(asked.out)
    first = asked.seed if asked.seed is not None else random.SystemRandom().getrandbits(32)
    draw_for(asked.minutes, first, findings)
    for name, whole in EXPLORED.items():
        explore_whole(name, whole, findings)
    print(f"findings: {findings.count}" + (f", in {asked.out}" if findings.count else ""))
    return 1 if findings.count else 0


def replay(path: Path) -> int:
    """Play a finding back, and say move by move what the members do."""
    history = read_history(path)
    try:
        play_back(history, setup_of(history), say=print)
    except Wrong as wrong:
        print(f"wrong: {wrong}")
        return 1
    print("nothing is wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
