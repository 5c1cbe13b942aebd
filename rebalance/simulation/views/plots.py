"""Pictures of runs: ownership over time, throughput, records behind. Needs matplotlib (`plot`)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from ....files import write_file
from ..measures import measure, stretches
from ..run_log import RunRecord
from ..scenarios.scenario import Run
from .timeline import COLOURS, MARKS, names_of

NOBODY, TWO = "#d0d4d9", "#c0392b"
_SMOOTHED = 4  # samples
_PAUSED, _RATE, _BEHIND = "partitions paused", "records a second", "records behind"


def plot_run(run: Run, path: str) -> None:
    """Draw one run: who reads each partition, records a second, records behind.

    Raises ValueError if the path's suffix is not that of a picture.
    """
    pyplot = _pyplot()
    rows = len(run.record.partitions)
    height = min(9.0, 0.9 + rows * 0.22)
    figure, axes = pyplot.subplots(
        3, 1, figsize=(10, height + 3.4), sharex=True, height_ratios=[height, 1.5, 1.5]
    )
    _ownership(axes[0], run)
    _throughput(axes[1], run)
    axes[1].set_ylabel(_RATE, fontsize=8)
    _plot_lag(axes[2], run)
    axes[2].set_ylabel(_BEHIND, fontsize=8)
    for axis in axes:
        _events(axis, run)
    axes[2].set_xlabel(f"seconds      {_marks_in_words([run])}", fontsize=8)
    figure.suptitle(f"{run.scenario.name}: {run.scenario.summary}", fontsize=10, x=0.01, ha="left")
    _save(figure, path)


def plot_runs(runs: Mapping[str, Run], path: str) -> None:
    """Draw several runs, each in a row of its own with the same scales: how many partitions nobody
    can read, records a second, records behind. So no line lies on another one.
    """
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(
        len(runs), 3, figsize=(12, 1.0 + 1.5 * len(runs)), sharex=True, sharey="col", squeeze=False
    )
    for row, (name, run) in zip(axes, runs.items(), strict=True):
        for axis, draw in zip(row, (_paused, _throughput, _plot_lag), strict=True):
            draw(axis, run)
            _events(axis, run)
        row[0].set_ylabel(name, fontsize=9)
    for axis, title in zip(axes[0], (_PAUSED, _RATE, _BEHIND), strict=True):
        axis.set_title(title, fontsize=9, loc="left")
    for axis in axes[-1]:
        axis.set_xlabel("seconds", fontsize=8)
    summaries = {run.scenario.summary for run in runs.values()}
    figure.supxlabel(_marks_in_words(runs.values()), fontsize=8, x=0.01, ha="left")
    if len(summaries) == 1:
        figure.suptitle(summaries.pop(), fontsize=10, x=0.01, ha="left")
    _save(figure, path)


def plot_grid(runs: Mapping[str, Mapping[str, Run]], path: str) -> None:
    """Draw how many partitions nobody can read, over time: a column per scenario and a row per
    protocol, with what it cost above each.
    """
    pyplot = _pyplot()
    protocols = list(next(iter(runs.values())))
    figure, axes = pyplot.subplots(
        len(protocols), len(runs), figsize=(13, 1.2 + 1.5 * len(protocols)), sharex="col",
        sharey="col", squeeze=False,
    )  # fmt: skip
    for column, (scenario, row) in enumerate(runs.items()):
        for line, (protocol, run) in enumerate(row.items()):
            _cell_of_grid(axes[line][column], run)
            if column == 0:
                axes[line][column].set_ylabel(protocol, fontsize=10)
        axes[0][column].set_title(f"{scenario}\n", fontsize=10, loc="left")
        axes[-1][column].set_xlabel("seconds", fontsize=8)
    all_runs = [run for row in runs.values() for run in row.values()]
    figure.suptitle("Partitions that nobody can read", fontsize=11, x=0.01, ha="left")
    figure.supxlabel(_marks_in_words(all_runs), fontsize=8, x=0.01, ha="left")
    _save(figure, path)


def _cell_of_grid(axis: Any, run: Run) -> None:
    cost = measure(run)
    _paused(axis, run)
    _events(axis, run)
    caption = f"{cost.paused_partition_seconds:,.0f} partition-seconds, {cost.moves} moves\n"
    caption += f"{cost.settling_seconds:.0f} s to settle, {cost.requests} requests"
    axis.text(
        0.99, 0.97, caption, transform=axis.transAxes, fontsize=7.5, ha="right", va="top",
        bbox={"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 1},
    )  # fmt: skip
    axis.set_xlim(left=(run.record.begin_ms or 0) / 1000)
    axis.set_ylim(top=len(run.record.partitions) * 1.6)


def _pyplot() -> Any:
    import matplotlib as mpl  # late: an extra

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kproto"  # the same picture twice is the same file
    from matplotlib import pyplot  # late: it takes the backend that is set by now

    return pyplot


def _save(figure: Any, path: str) -> None:
    figure.tight_layout()
    form = os.path.splitext(path)[1].removeprefix(".").lower() or "png"  # noqa: PTH122
    picture = BytesIO()
    date = {"Date": None} if form == "svg" else None
    figure.savefig(picture, format=form, dpi=144, metadata=date)
    write_file(path, picture.getvalue())
    _pyplot().close(figure)


def _ownership(axes: Any, run: Run) -> None:
    record = run.record
    names, order = names_of(record), sorted(partition for partition, _ in record.partitions)
    row = {partition: number for number, partition in enumerate(order)}
    for stretch in stretches(record):
        colour = (
            COLOURS[names.index(stretch.owners[0]) % len(COLOURS)] if stretch.owners else NOBODY
        )
        faint = bool(stretch.owners) and not stretch.readers
        if stretch.is_contested:
            colour = TWO
        axes.broken_barh(
            [(stretch.since_ms / 1000, stretch.seconds)],
            (row[stretch.partition] - 0.42, 0.84),
            color=colour,
            alpha=0.45 if faint else 1.0,
            linewidth=0,
        )
    axes.set_yticks(range(len(order)), [f"{topic}-{number}" for topic, number in order], fontsize=7)
    axes.invert_yaxis()
    _plain(axes)
    _name_members(axes, names, record)


def _name_members(axes: Any, names: Sequence[str], record: RunRecord) -> None:
    from matplotlib.patches import Patch  # late: an extra

    patches = [
        Patch(color=COLOURS[index % len(COLOURS)], label=name)
        for index, name in enumerate(names[:12])
    ]
    patches.append(Patch(color=NOBODY, label="nobody"))
    if any(stretch.is_contested for stretch in stretches(record)):
        patches.append(Patch(color=TWO, label="two believe to own"))
    axes.legend(
        handles=patches, fontsize=8, frameon=False, ncols=len(patches),
        loc="lower left", bbox_to_anchor=(0, 1.03),
    )  # fmt: skip


def _paused(axes: Any, run: Run) -> None:
    samples = run.record.samples
    seconds = [sample.at_ms / 1000 for sample in samples]
    axes.fill_between(seconds, [sample.paused for sample in samples], color=TWO, linewidth=0)
    _from_zero(axes)


def _throughput(axes: Any, run: Run) -> None:
    samples = run.record.samples
    pairs = list(zip(samples, samples[_SMOOTHED:], strict=False))
    seconds = [later.at_ms / 1000 for _, later in pairs]
    rates = [(b.processed - a.processed) / (b.at_ms - a.at_ms) * 1000 for a, b in pairs]
    axes.plot(seconds, rates, color=COLOURS[0], linewidth=1.2)
    _from_zero(axes)


def _plot_lag(axes: Any, run: Run) -> None:
    seconds = [sample.at_ms / 1000 for sample in run.record.samples]
    lag = [sample.behind for sample in run.record.samples]
    axes.plot(seconds, lag, color=COLOURS[1], linewidth=1.2)
    _from_zero(axes)


def _from_zero(axes: Any) -> None:
    axes.set_ylim(bottom=0)
    _plain(axes)


def _events(axes: Any, run: Run) -> None:
    """Mark what was done to the group, with the signs of the timeline."""
    last = -1e9
    for at_ms, sign in _deeds(run.record):
        axes.axvline(at_ms / 1000, color="#98a2ab", linewidth=0.7, linestyle=":")
        if at_ms - last > run.record.end_ms / 60:
            last = at_ms
            axes.annotate(
                sign, (at_ms / 1000, 1), xycoords=("data", "axes fraction"), fontsize=7,
                ha="center", va="bottom", color="#5d666e",
            )  # fmt: skip


def _deeds(record: RunRecord) -> Iterator[tuple[float, str]]:
    for event in record.events:
        if event.what in MARKS and (event.at_ms > 0 or event.what != "started"):
            yield event.at_ms, MARKS[event.what][0]


def _marks_in_words(runs: Iterable[Run]) -> str:
    signs = {sign for run in runs for _, sign in _deeds(run.record)}
    return "   ".join(f"{sign} {meaning}" for sign, meaning in MARKS.values() if sign in signs)


def _plain(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.margins(x=0.01)
