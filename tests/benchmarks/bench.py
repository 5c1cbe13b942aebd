"""The run: who is there, do they agree, how long do they take, is that what was promised."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from . import report, start
from .agreement import DisagreementError, check
from .peers import Peer, contestants
from .shapes import SHAPES, SMALL, Shape
from .targets import START, TARGETS, decode, encode
from .timing import Times, alternate


class Turns(NamedTuple):
    """How often each contestant's turn comes: of calls, and of processes."""

    calls: int
    processes: int


FULL = Turns(calls=200, processes=40)
QUICK = Turns(calls=40, processes=8)

WIDTH = 100  # columns; a narrower table would cut its numbers


def run(arguments: Sequence[str]) -> int:
    """Measure and print; the exit status."""
    options = _options(arguments)
    turns = QUICK if options.quick else FULL
    peers, left_out = contestants()
    for peer in peers:
        for name, reason in peer.absent_from.items():
            left_out.append(f"{peer.name} are left out of {name}: {reason}")
    results: dict[str, Times] = {}
    try:
        for shape in SHAPES:
            _progress(f"{shape.name}: {shape.about}")
            results |= _measure(peers, shape, turns.calls)
    except DisagreementError as error:
        _progress(f"This would be no comparison: {error}")
        return 1
    _progress("start of the command and of the core")
    processes, reasons = start.contestants(SMALL.messages[0])
    results[START] = alternate(processes, turns.processes, length=0)
    left_out += reasons
    console = Console()
    console.width = max(console.width, WIDTH)
    report.show(console, peers, results)
    for line in left_out:
        print(line)
    if options.json:
        text = json.dumps(report.as_json(peers, results, left_out), indent=2)
        options.json.write_text(text + "\n", encoding="utf-8")
    return int(options.check and not all(target.met(results) for target in TARGETS))


def _measure(peers: Sequence[Peer], shape: Shape, turns: int) -> dict[str, Times]:
    there = [peer for peer in peers if shape.name not in peer.absent_from]
    for peer in there:
        check(peer, shape)
    messages = [message.to_bytes() for message in shape.messages]
    reads = {peer.name: peer.decoding(messages) for peer in there}
    writes = {peer.name: peer.encoding(messages) for peer in there}
    return {
        decode(shape.name): alternate(reads, turns, calls=len(messages)),
        encode(shape.name): alternate(writes, turns, calls=len(messages)),
    }


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python tests/benchmarks",
        description="kproto's speed beside its peers', in one process, taking turns.",
    )
    parser.add_argument(
        "--quick", action="store_true", help="about half a minute instead of two or three"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="exit status 1 if a target is missed, or could not be measured",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the results there, too")
    options = parser.parse_args(arguments)
    if options.json:
        try:
            options.json.touch()  # better now than after minutes
        except OSError as error:
            parser.error(f"{options.json} cannot be written: {error.strerror}")
    return options


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
