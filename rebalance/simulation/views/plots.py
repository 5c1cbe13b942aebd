"""Pictures of runs: ownership over time, throughput, records behind. Needs matplotlib (`plot`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..measures.intervals import stretches
from ..scenarios.runs import Run
from ..world.event_log import Record
from .bars import COLOURS, names_of

NOBODY, TWO = "#d0d4d9", "#c0392b"
_SMOOTHED = 4  # samples
_LINES = ("-", "--", ":", "-.")  # equal runs lie on each other


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
    _throughput(axes[1], {"": run})
    _behind(axes[2], {"": run})
    axes[2].set_xlabel("seconds")
    figure.suptitle(f"{run.scenario.name}: {run.scenario.summary}", fontsize=10, x=0.01, ha="left")
    _save(figure, path)


def plot_runs(runs: Mapping[str, Run], path: str) -> None:
    """Draw several runs: throughput and records behind, a line per run."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(2, 1, figsize=(10, 5.6), sharex=True)
    _throughput(axes[0], runs)
    _behind(axes[1], runs)
    axes[1].set_xlabel("seconds")
    axes[0].legend(frameon=False, fontsize=9, ncols=4, loc="lower left", bbox_to_anchor=(0, 1))
    summaries = {run.scenario.summary for run in runs.values()}
    if len(summaries) == 1:
        figure.suptitle(summaries.pop(), fontsize=10, x=0.01, ha="left")
    _save(figure, path)


def _pyplot() -> Any:
    import matplotlib as mpl  # late: an extra

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kproto"  # the same picture twice is the same file
    from matplotlib import pyplot  # late: it takes the backend that is set by now

    return pyplot


def _save(figure: Any, path: str) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=144, metadata={"Date": None} if path.endswith(".svg") else None)
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
        if len(stretch.owners) > 1:
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


def _name_members(axes: Any, names: Sequence[str], record: Record) -> None:
    from matplotlib.patches import Patch  # late: an extra

    patches = [
        Patch(color=COLOURS[index % len(COLOURS)], label=name)
        for index, name in enumerate(names[:12])
    ]
    patches.append(Patch(color=NOBODY, label="nobody"))
    if any(len(stretch.owners) > 1 for stretch in stretches(record)):
        patches.append(Patch(color=TWO, label="two believe to own"))
    axes.legend(
        handles=patches, fontsize=8, frameon=False, ncols=len(patches),
        loc="lower left", bbox_to_anchor=(0, 1),
    )  # fmt: skip


def _throughput(axes: Any, runs: Mapping[str, Run]) -> None:
    for index, (name, run) in enumerate(runs.items()):
        samples = run.record.samples
        pairs = list(zip(samples, samples[_SMOOTHED:], strict=False))
        seconds = [after.at_ms / 1000 for _, after in pairs]
        rates = [(b.processed - a.processed) / (b.at_ms - a.at_ms) * 1000 for a, b in pairs]
        axes.plot(seconds, rates, label=name, **_line(index))
    axes.set_ylabel("records a second", fontsize=8)
    axes.set_ylim(bottom=0)
    _plain(axes)


def _behind(axes: Any, runs: Mapping[str, Run]) -> None:
    for index, (name, run) in enumerate(runs.items()):
        seconds = [sample.at_ms / 1000 for sample in run.record.samples]
        behind = [sample.behind for sample in run.record.samples]
        axes.plot(seconds, behind, label=name, **_line(index))
    axes.set_ylabel("records behind", fontsize=8)
    axes.set_ylim(bottom=0)
    _plain(axes)


def _line(index: int) -> dict[str, Any]:
    return {
        "color": COLOURS[index % len(COLOURS)],
        "linestyle": _LINES[index % len(_LINES)],
        "linewidth": 1.5,
    }


def _plain(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.margins(x=0.01)
