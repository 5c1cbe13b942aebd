"""Runs as tables for a terminal, one or several side by side: costs, and who owns what when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ....inspector.shapes.checks import Measures
from ....inspector.views.fitting import Fitting
from ...assignments import Partition
from ..measures import TITLES
from ..scenarios.scenario import Run

COMPARED = ("paused_partition_seconds", "settling_seconds", "record_delay_ms", "moves", "requests")
"""The measures by which protocols are compared."""

ALWAYS = ("rebalances", "paused_partition_seconds", "moves", "imbalance", "spread_numbers")
"""The measures that are shown even if all values are zero."""


def comparison(columns: Mapping[str, Measures], fields: Sequence[str] | None = None) -> Fitting:
    """Return a table with a line per measure and a column per run. The best value of a line is bold
    if values differ. `fields` are the measures to show; without it those that say something.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in columns:
        table.add_column(Text(name), justify="right", overflow="fold")
    for field in fields or shown_fields(columns):
        title, values = TITLES[field], [getattr(column, field) for column in columns.values()]
        numbers = [value for value in values if value is not None]
        best = min(numbers) if len(set(numbers)) > 1 else None
        cells = [_cell(value, bold=best is not None and value == best) for value in values]
        table.add_row(title, *cells)
    return Fitting(table)


def shown_fields(columns: Mapping[str, Measures]) -> list[str]:
    """Return the measures that are worth a line: those that say something for any of the runs."""
    return [
        field
        for field in TITLES
        if field in ALWAYS or any(getattr(column, field) for column in columns.values())
    ]


def metrics_table(metrics: Mapping[str, Mapping[str, float]]) -> Fitting:
    """Return KIP-429's metrics, a column per member."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in metrics:
        table.add_column(name, justify="right")
    for field in next(iter(metrics.values()), {}):
        table.add_row(field, *(f"{values[field]:,g}" for values in metrics.values()))
    return Fitting(table)


def _cell(value: int | float | None, *, bold: bool) -> Text:
    if value is None:
        return Text("-")
    return Text(f"{value:,}" if isinstance(value, int) else f"{value:,.1f}", "bold" if bold else "")


def owners(run: Run, at_ms: float) -> dict[str, list[Partition]]:
    """Return what each member owned at a time, in order; members that own nothing are missing."""
    owned: dict[str, list[Partition]] = defaultdict(list)
    for belief in run.record.beliefs:
        if belief.since_ms <= at_ms < belief.until_ms:
            owned[belief.member].append(belief.partition)
    return {name: sorted(owned[name]) for name in sorted(owned)}


def owners_tables(runs: Mapping[str, Run]) -> Iterator[Fitting]:
    """Yield a table for each time at which the scenario looks. What a member did not own at the
    time before is bold.
    """
    times = sorted({at_ms for run in runs.values() for at_ms in run.scenario.owners_at_ms})
    previous: dict[str, dict[str, list[Partition]]] = {}
    for at_ms in times:
        owners_now = {title: owners(run, at_ms) for title, run in runs.items()}
        yield _owner_table(f"Who owns what after {at_ms / 1000:g} s", owners_now, previous)
        previous = owners_now


def _owner_table(
    title: str,
    columns: Mapping[str, Mapping[str, Sequence[Partition]]],
    previous: Mapping[str, Mapping[str, Sequence[Partition]]],
) -> Fitting:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(Text(name), overflow="fold")
    for member in sorted({member for column in columns.values() for member in column}):
        cells = []
        for name, column in columns.items():
            mine = column.get(member, ())
            old_partitions = previous.get(name, {}).get(member, mine if not previous else ())
            cells.append(_owner_cell(mine, set(old_partitions)))
        table.add_row(member, *cells)
    return Fitting(table)


def _owner_cell(mine: Sequence[Partition], old_partitions: set[Partition]) -> Text:
    if not mine:
        return Text("nothing")
    cell = Text()
    for index, (topics, numbers) in enumerate(_by_topic(mine)):
        cell.append("; " if index else "")
        cell.append(f"{' and '.join(topics)} ")
        for place, number in enumerate(numbers):
            new = any((topic, number) not in old_partitions for topic in topics)
            cell.append(" " if place else "")
            cell.append(str(number), "bold" if new else "")
    return cell


def _by_topic(mine: Sequence[Partition]) -> Iterator[tuple[list[str], list[int]]]:
    """Yield numbers with the topics of which they are owned; topics with the same numbers are
    together, as in a join.
    """
    numbers = {topic: [number for _, number in group] for topic, group in _groups(sorted(mine))}
    listed: set[str] = set()
    for topic, own in numbers.items():
        if topic not in listed:
            topics = [name for name, theirs in numbers.items() if theirs == own]
            listed.update(topics)
            yield topics, own


def _groups(mine: Iterable[Partition]) -> Iterator[tuple[str, list[Partition]]]:
    for topic, group in groupby(mine, key=lambda partition: partition[0]):
        yield topic, list(group)
