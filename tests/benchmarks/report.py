"""What was measured, for people and for programs."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from kproto.codec import ENGINE

from .peers import OURS, Peer
from .shapes import SHAPES
from .start import NOTHING
from .targets import START, TARGETS, Results, Target, decode, encode
from .timing import Times

VERDICTS = {True: "[green]met[/]", False: "[bold red]missed[/]", None: "[yellow]not measured[/]"}


def show(console: Console, peers: Sequence[Peer], results: Results) -> None:
    """Print a table for each direction, one for the command's start, and one for the targets."""
    for shape in SHAPES:
        console.print(f"{shape.name}: {shape.about}", highlight=False)
    console.print(f"{OURS} runs on its {ENGINE} engine.", highlight=False)
    for title, name in (("decode", decode), ("encode", encode)):
        console.print(_directions(title, [name(shape.name) for shape in SHAPES], peers, results))
    if START in results:
        console.print(_start(results[START]))
    console.print(_targets(results))


def _directions(
    title: str, measurements: Sequence[str], peers: Sequence[Peer], results: Results
) -> Table:
    table = _table(f"{title}: how many times our time the others take")
    for measurement in measurements:
        table.add_column(measurement.removeprefix(f"{title} "), justify="right")
    ours = (results[measurement].medians()[OURS] for measurement in measurements)
    table.add_row("us a message, ours", *(_number(seconds * 1e6) for seconds in ours), style="cyan")
    for peer in peers:
        ratios = (_ratio(results[measurement], peer.name) for measurement in measurements)
        style = "bold" if peer.name == OURS else ""
        table.add_row(f"{peer.name} {peer.release}", *ratios, style=style)
    return table


def _ratio(times: Times, peer: str) -> str:
    return _number(times.ratio(peer, OURS)) if peer in times else "-"


def _start(times: Times) -> Table:
    table = _table(
        "start: median ms of processor of a process, and how many times as long as nothing"
    )
    table.add_column("ms", justify="right")
    table.add_column("x", justify="right", style="cyan")
    for name, seconds in times.medians().items():
        table.add_row(name, _number(seconds * 1e3), _number(times.ratio(name, NOTHING)))
    return table


def _targets(results: Results) -> Table:
    table = _table("targets")
    table.add_column("")
    table.add_column("measured", justify="right")
    table.add_column("")
    for target in TARGETS:
        measured = target.measured(results)
        shown = "-" if measured is None else f"{measured:.2f}"
        table.add_row(target.measurement, _promise(target), shown, VERDICTS[target.met(results)])
    return table


def _table(title: str) -> Table:
    """A table whose first column is never cut."""
    table = Table(title=title, title_style="bold", title_justify="left")
    table.add_column("", no_wrap=True)
    return table


def _promise(target: Target) -> str:
    who = "" if target.ours == OURS else f"{target.ours}: "
    if target.peer is None:
        return f"{who}at most {target.limit:g} ms"
    if target.faster:
        return f"{who}at least {target.limit:g} times as fast as {target.peer}"
    return f"{who}at most {target.limit:g} times the time of {target.peer}"


def _number(value: float) -> str:
    """Three figures, which is what such a run can know."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def as_json(peers: Sequence[Peer], results: Results, left_out: Sequence[str]) -> dict[str, Any]:
    """Everything that is shown; times in seconds; `met` is null for what was not measured."""
    return {
        "python": platform.python_version(),
        "engine": ENGINE,
        "machine": platform.platform(),
        "releases": {peer.name: peer.release for peer in peers},
        "shapes": {shape.name: shape.about for shape in SHAPES},
        "seconds": {name: times.medians() for name, times in results.items()},
        "targets": [
            {**target._asdict(), "measured": target.measured(results), "met": target.met(results)}
            for target in TARGETS
        ],
        "left_out": list(left_out),
    }
