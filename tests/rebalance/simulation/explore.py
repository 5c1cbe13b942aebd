"""Explore groups: every order of moves in small ones, and fresh examples of `Fate` in larger ones.

python -m tests.rebalance.simulation.explore [--minutes N] [--seed N] [--out FOLDER]
python -m tests.rebalance.simulation.explore --replay FILE

A check that fails is a finding: a file with the moves that lead to it, and one line that says how
to play it back. The exit status is 1 if there is one.
"""

from __future__ import annotations

import random
import sys
import time
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, Verbosity, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from kproto.rebalance.simulation import PLANTED, Finding, MemberSettings, Setup, explore
from kproto.rebalance.simulation.catalogue import CATALOGUE
from kproto.rebalance.simulation.planted import SOUND
from tests.rebalance.simulation.fate import Fate
from tests.rebalance.simulation.history import (
    History,
    Wrong,
    hostile,
    member,
    play_back,
    read_history,
)

EXAMPLES = 2_000
"""Drawn from one seed; then comes the next one."""
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


_UNOWNED = frozenset({"all-owned"})  # a static member that comes back: see Course.rest
EXPLORED = {
    "two members and two faults": Whole(SOUND),
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
    "growing and static": Whole(restarted("cooperative", True, True, growth=True), known=_UNOWNED),
} | {f"without {name}": Whole(planted.sound) for name, planted in PLANTED.items()}
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
            findings.add(f"{name.replace(' ', '-')}-{finding.check}", history_of(name, finding))


def history_of(name: str, finding: Finding) -> History:
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
    return PLANTED[name].setup if name in PLANTED else EXPLORED[name].setup


class Drawn(NamedTuple):
    """What was drawn from a seed."""

    examples: int
    moves: int
    smallest: History | None
    """The smallest example that fails."""


def draw(number: int, examples: int, machine: type[Fate] = Fate) -> Drawn:
    """Draw examples from a seed, until one fails."""
    ended: list[int] = []
    failed: list[History] = []

    class Counted(machine):  # type: ignore[misc, valid-type]  # a class that is a parameter
        def teardown(self) -> None:
            super().teardown()
            ended.append(len(self.course.moves) if self.course else 0)

        def failed(self, history: History) -> None:
            super().failed(history)
            failed.append(history)

    with_seed = seed(number)(Counted)
    try:
        run_state_machine_as_test(with_seed, settings=_settings(examples))
    except Wrong:
        return Drawn(len(ended), sum(ended), failed[-1])
    return Drawn(len(ended), sum(ended), None)


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        derandomize=False,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )


def draw_for(minutes: float, first: int, findings: Findings) -> None:
    """Draw examples from one seed after the other until the time is over."""
    end = time.monotonic() + minutes * 60
    examples = moves = 0
    number = first
    print(f"fresh examples for {minutes:g} minutes, from seed {first} on", flush=True)
    while time.monotonic() < end:
        drawn = draw(number, EXAMPLES)
        examples, moves = examples + drawn.examples, moves + drawn.moves
        print(
            f"seed {number}: {drawn.examples:,} examples, {drawn.moves:,} moves; "
            f"so far {examples:,} and {moves:,}",
            flush=True,
        )
        if drawn.smallest:
            findings.add(f"seed-{number}", drawn.smallest)
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
    print(f"{findings.count} findings" + (f", in {asked.out}" if findings.count else ""))
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
