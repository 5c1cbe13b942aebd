"""The cost of runs as tables for a terminal: one run, or several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ....inspector.shapes.checks import Measures
from ..measures.measures import TITLES

COMPARED = ("paused_partition_seconds", "settling_seconds", "record_delay_ms", "moves", "requests")
"""The measures by which protocols are compared."""

ALWAYS = ("rebalances", "paused_partition_seconds", "moves", "imbalance", "spread_numbers")
"""The measures that are shown even if all values are zero."""


def comparison(columns: Mapping[str, Measures], fields: Sequence[str] | None = None) -> Table:
    """Return a table with a line per measure and a column per run. The best value of a line is bold
    if values differ. `fields` are the measures to show; without it those that say something.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for name in columns:
        table.add_column(Text(name), justify="right", overflow="fold")
    for field in fields or shown_fields(columns):
        title, values = TITLES[field], [getattr(column, field) for column in columns.values()]
        known = [value for value in values if value is not None]
        best = min(known) if len(set(known)) > 1 else None
        cells = [_cell(value, bold=best is not None and value == best) for value in values]
        table.add_row(title, *cells)
    return table


def shown_fields(columns: Mapping[str, Measures]) -> list[str]:
    """Return the measures that are worth a line: those that say something for any of the runs."""
    return [
        field
        for field in TITLES
        if field in ALWAYS or any(getattr(column, field) for column in columns.values())
    ]


def metrics_table(metrics: Mapping[str, Mapping[str, float]]) -> Table:
    """Return KIP-429's metrics, a column per member."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in metrics:
        table.add_column(name, justify="right")
    for field in next(iter(metrics.values()), {}):
        table.add_row(field, *(f"{values[field]:,g}" for values in metrics.values()))
    return table


def _cell(value: int | float | None, *, bold: bool) -> Text:
    if value is None:
        return Text("-")
    return Text(f"{value:,}" if isinstance(value, int) else f"{value:,.1f}", "bold" if bold else "")
