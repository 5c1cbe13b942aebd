"""The progress of a campaign: a row per target, while it runs and when it is over."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from math import log10

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from .campaign import Campaign, Progressed

_BARS = " ▁▂▃▄▅▆▇█"
_ASCII_BARS = " .:-=+*#@"
_CURVE = 12  # columns of the coverage's curve
_BAR = 8  # columns of the longest bar
_EVERY = 15.0  # seconds between lines where nobody looks
_WIDE = 96  # columns from which there is room for the curves


class Progress:
    """Shows a live table on a terminal; prints a line now and then elsewhere."""

    def __init__(self, campaign: Campaign, console: Console) -> None:
        self._campaign = campaign
        self._console = console
        self._live: Live | None = None
        self._told = self._began = time.monotonic()

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live = Live(
                get_renderable=lambda: picture(self._campaign, self._console),
                console=self._console,
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tick(self) -> None:
        """Print a line if one is due; called several times a second."""
        time_now = time.monotonic()
        if self._live is None and time_now - self._told > _EVERY:
            self._told = time_now
            self._console.print(_line(self._campaign, time_now - self._began), soft_wrap=True)


def final_picture(
    campaign: Campaign, console: Console, known: Collection[str] = frozenset()
) -> None:
    """Print what the campaign did, and where its findings are; `known` are keys of those that are
    in a baseline."""
    console.print(picture(campaign, console))
    for finding in campaign.store:
        is_known = finding.key in known
        text = Text("✗ " if _unicode(console) else "x ", "bold red")
        if is_known:
            text = Text("~ ", "yellow")
        text.append(finding.title.encode("ascii", "backslashreplace").decode(), "default")
        text.append(" (in the baseline)" if is_known else "", "default")
        console.print(text, soft_wrap=True)
        console.print(Text(f"  {campaign.store.folder(finding)}", "dim"), soft_wrap=True)


def picture(campaign: Campaign, console: Console) -> RenderableType:
    """Return the table and the line below it."""
    rows = list(campaign.state.targets.values())
    fastest = max((_rate(row) for row in rows), default=0.0)
    table = Table(box=None, pad_edge=False, header_style="bold")
    wide = console.width >= _WIDE
    table.add_column("target", no_wrap=True)
    for name in ("executions", "a second", *([""] if wide else []), "coverage"):
        table.add_column(name, justify="left" if not name else "right", no_wrap=True)
    if wide:
        table.add_column("", no_wrap=True)
    for name in ("corpus", "findings"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*_row(row, campaign, fastest, wide, console))
    return Group(table, Text(_line(campaign, None), "bold"))


def _row(
    progress: Progressed, campaign: Campaign, fastest: float, wide: bool, console: Console
) -> list[RenderableType]:
    count = len(campaign.store.of(progress.target))
    if progress.left:
        return [Text(progress.name, "dim"), Text("left out", "dim")]
    style = "bold" if progress.running else ("default" if progress.rounds else "dim")
    unicode = _unicode(console)
    cells: list[RenderableType] = [Text(progress.name, style), f"{progress.executions:,}"]
    cells.append(f"{_rate(progress):,.0f}")
    if wide:
        cells.append(Text(_bar(_rate(progress), fastest, unicode), "cyan"))
    cells.append(f"{progress.coverage:,}" if progress.coverage else "-")
    if wide:
        cells.append(Text(_curve(progress.history, unicode), "green"))
    cells.append(f"{progress.corpus:,}" if progress.corpus else "-")
    cells.append(Text(str(count), "bold red" if count else "green"))
    return cells


def _line(campaign: Campaign, seconds: float | None) -> str:
    rows = campaign.state.targets.values()
    total = sum(row.executions for row in rows)
    corpus = sum(row.corpus for row in rows)
    busy = [row.name for row in rows if row.running]
    replayed = sum(row.replayed for row in rows)
    replays = f" ({replayed:,} of known inputs)" if replayed else ""
    line = f"{total:,} executions{replays}, corpus {corpus:,}, findings {len(campaign.store)}"
    if seconds is not None:
        line = f"{seconds:,.0f} s: {line}"
    return line + (f"; now {', '.join(busy)}" if busy else f"; seed {campaign.settings.seed}")


def _rate(progress: Progressed) -> float:
    return progress.executions / progress.seconds if progress.seconds else 0.0


def _bar(rate: float, fastest: float, unicode: bool) -> str:
    """Return a bar on a logarithmic scale: rates differ by a thousand times."""
    if rate < 1 or fastest < 1:
        return ""
    length = _BAR * log10(rate) / max(1.0, log10(fastest))
    columns = int(length)
    if not unicode:
        return "#" * columns
    return "█" * columns + " ▏▎▍▌▋▊▉"[int(8 * (length - columns))].strip()


def _curve(history: Sequence[int], unicode: bool) -> str:
    """Return coverage over time as a row of bars, from the first to the last."""
    if not history or not history[-1]:
        return ""
    points = [history[at * (len(history) - 1) // (_CURVE - 1)] for at in range(_CURVE)]
    bars = _BARS if unicode else _ASCII_BARS
    top = max(points)
    return "".join(bars[round(point / top * (len(bars) - 1))] for point in points)


def _unicode(console: Console) -> bool:
    return (console.encoding or "").lower().startswith("utf")
