"""Who owns what at a moment, as a table: a line per member, a column per run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ...assignments import Partition
from ..scenarios.runs import Run


def owners(run: Run, at_ms: float) -> dict[str, list[Partition]]:
    """Return what each member owned at a time, in order; members that own nothing are missing."""
    owned: dict[str, list[Partition]] = defaultdict(list)
    for belief in run.record.beliefs:
        if belief.since_ms <= at_ms < belief.until_ms:
            owned[belief.member].append(belief.partition)
    return {name: sorted(owned[name]) for name in sorted(owned)}


def owners_tables(runs: Mapping[str, Run]) -> Iterator[Table]:
    """Yield a table for each time at which the scenario looks. What a member did not own at the
    time before is bold.
    """
    times = sorted({at_ms for run in runs.values() for at_ms in run.scenario.owners_at_ms})
    before: dict[str, dict[str, list[Partition]]] = {}
    for at_ms in times:
        now = {title: owners(run, at_ms) for title, run in runs.items()}
        yield _table(f"Who owns what after {at_ms / 1000:g} s", now, before)
        before = now


def _table(
    title: str,
    columns: Mapping[str, Mapping[str, Sequence[Partition]]],
    before: Mapping[str, Mapping[str, Sequence[Partition]]],
) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(Text(name), overflow="fold")
    for member in sorted({member for column in columns.values() for member in column}):
        cells = []
        for name, column in columns.items():
            mine = column.get(member, ())
            known = before.get(name, {}).get(member, mine if not before else ())
            cells.append(_cell(mine, set(known)))
        table.add_row(member, *cells)
    return table


def _cell(mine: Sequence[Partition], known: set[Partition]) -> Text:
    if not mine:
        return Text("nothing")
    cell = Text()
    for index, (topics, numbers) in enumerate(_by_topic(mine)):
        cell.append("; " if index else "")
        cell.append(f"{' and '.join(topics)} ")
        for place, number in enumerate(numbers):
            new = any((topic, number) not in known for topic in topics)
            cell.append(" " if place else "")
            cell.append(str(number), "bold" if new else "")
    return cell


def _by_topic(mine: Sequence[Partition]) -> Iterator[tuple[list[str], list[int]]]:
    """Yield numbers with the topics of which they are owned; topics with the same numbers are
    together, as in a join.
    """
    numbers = {topic: [number for _, number in group] for topic, group in _groups(sorted(mine))}
    done: set[str] = set()
    for topic, own in numbers.items():
        if topic not in done:
            same = [other for other, theirs in numbers.items() if theirs == own]
            done.update(same)
            yield same, own


def _groups(mine: Iterable[Partition]) -> Iterator[tuple[str, list[Partition]]]:
    for topic, group in groupby(mine, key=lambda partition: partition[0]):
        yield topic, list(group)
