"""Who owned what over time, as a picture: a column a record, a row a partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

__all__ = ["MAX_STEPS", "Assigned", "Picture", "picture"]

MAX_STEPS = 48
MAX_ROWS = 48
MAX_OWNERS = 20
_COLORS = 10
_CELL, _ROW, _LABEL, _TOP, _LEAST = 16, 14, 150, 18, 640


class Assigned(NamedTuple):
    """A record: its generation, its time, and the owner of each partition."""

    generation: int | None
    time: datetime | None
    owners: Mapping[str, str]


class OwnedStretch(NamedTuple):
    """A stretch of records in which one member owned a partition: a rectangle. `color` is a number
    from 0, None for nobody.
    """

    x: float
    y: float
    width: float
    height: float
    color: int | None
    title: str


class Label(NamedTuple):
    """A text and where it is drawn."""

    x: float
    y: float
    text: str


class Picture(NamedTuple):
    """What the template draws. `owners` are the names with their colors; the
    numbers `…_left_out` are of those that did not fit."""

    width: float
    height: float
    runs: tuple[OwnedStretch, ...]
    rows: tuple[Label, ...]
    times: tuple[Label, ...]
    owners: tuple[tuple[str, int], ...]
    owners_left_out: int
    rows_left_out: int
    steps_left_out: int


def picture(records: Sequence[Assigned]) -> Picture | None:
    """Return the picture of who owned what in the last records; None where nobody owned
    anything.
    """
    last_records = list(records[-MAX_STEPS:])
    partitions = sorted(
        {partition for record in last_records for partition in record.owners}, key=_natural
    )
    if not partitions:
        return None
    rows_shown = partitions[:MAX_ROWS]
    owners = sorted(
        {owner for record in last_records for owner in record.owners.values()}, key=_natural
    )
    colors = {owner: number % _COLORS for number, owner in enumerate(owners)}
    cell = max(_CELL, (_LEAST - _LABEL) / len(last_records))
    runs = [
        run
        for number, partition in enumerate(rows_shown)
        for run in _runs(partition, _TOP + number * _ROW, last_records, colors, cell)
    ]
    return Picture(
        width=_LABEL + cell * len(last_records),
        height=_TOP + _ROW * len(rows_shown) + 4,
        runs=tuple(runs),
        rows=tuple(
            Label(_LABEL - 6, _TOP + number * _ROW + 10, partition)
            for number, partition in enumerate(rows_shown)
        ),
        times=tuple(_times(last_records, cell)),
        owners=tuple(colors.items())[:MAX_OWNERS],
        owners_left_out=max(len(colors) - MAX_OWNERS, 0),
        rows_left_out=len(partitions) - len(rows_shown),
        steps_left_out=len(records) - len(last_records),
    )


def _runs(
    partition: str, y: float, records: Sequence[Assigned], colors: Mapping[str, int], cell: float
) -> list[OwnedStretch]:
    owners = [(number, record.owners.get(partition)) for number, record in enumerate(records)]
    runs = []
    for owner, stretch in groupby(owners, key=lambda pair: pair[1]):
        numbers = [number for number, _ in stretch]
        first, last = records[numbers[0]], records[numbers[-1]]
        title = (
            f"{partition}: {owner or 'nobody'}, generation {first.generation}"
            f"{f' to {last.generation}' if last is not first else ''}, from {_clock(first.time)}"
        )
        runs.append(
            OwnedStretch(
                _LABEL + numbers[0] * cell,
                y,
                len(numbers) * cell - 1,
                _ROW - 2,
                colors[owner] if owner is not None else None,
                title,
            )
        )
    return runs


def _times(records: Sequence[Assigned], cell: float) -> list[Label]:
    """Return labels for as many generations as fit without overlap."""
    step = max(round(44 / cell), 1)
    return [
        Label(_LABEL + number * cell, 11, f"{record.generation}")
        for number, record in enumerate(records)
        if number % step == 0
    ]


def _clock(time: datetime | None) -> str:
    return "an unknown time" if time is None else time.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _natural(name: str) -> tuple[str, int, str]:
    head, _, tail = name.rpartition("-")
    return (head, int(tail), "") if tail.isdecimal() and tail.isascii() else (name, -1, name)
