"""The summary on a terminal: the worst first, as many as fit a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...escaping import escaped
from ...rebalance.judgements import ONLY_LIVE
from ...wording import counted
from ..audit.inputs import INPUT_FACTS, how_to_give
from ..run.audit import Audit
from .names import NO_RECORDS, group_label

_Key: TypeAlias = tuple[str | None, str | None]

__all__ = ["Summary"]

MAX_GROUPS = 20
_STYLES = {"critical": "bold red", "error": "red", "warning": "yellow", "info": "dim"}


class Summary:
    """A renderable of rich: the summary of an audit."""

    def __init__(self, audit: Audit, teams: Mapping[str, str]) -> None:
        self._audit = audit
        self._teams = teams

    def __rich__(self) -> RenderableType:
        return Group(*self._parts())

    def _parts(self) -> Iterator[RenderableType]:
        audit = self._audit
        rows = audit.findings.to_pylist()
        loud = [row for row in rows if row["severity"] != "info"]
        worst: dict[_Key, list[dict[str, object]]] = {}
        for row in loud:
            worst.setdefault((row["cluster_id"], row["group_id"]), []).append(row)
        if worst:
            yield self._table(worst)
        left = len(worst) - MAX_GROUPS
        if left > 0:
            yield Text(f"and {counted(left, 'more group')}", style="dim")
        for row in rows:
            if row["group_id"] is None and row["severity"] == "info":
                yield Text(escaped(row["explanation"]), style="dim")
        yield Text(self._line(sum(group is not None for _, group in worst), rows))
        if not (audit.counts.read or audit.counts.damages or audit.current.num_rows):
            yield Text(NO_RECORDS)
        yield from (Text(line, style="dim") for line in _not_evaluated(audit.not_evaluated))
        if audit.current.num_rows:
            yield Text(_ONLY_LIVE, style="dim")

    def _table(self, worst: dict[_Key, list[dict[str, object]]]) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
        table.add_column("group", overflow="fold", min_width=12)
        table.add_column("severity")
        table.add_column("rule", overflow="fold")
        table.add_column("what", overflow="fold", ratio=1)
        clusters = len(set(self._audit.current.column("cluster_id").to_pylist())) > 1
        for (_, group), group_findings in list(worst.items())[:MAX_GROUPS]:
            name = group_label(group_findings[0], clusters=clusters, show=escaped)
            if group is not None and group in self._teams:
                name += escaped(f" ({self._teams[group]})")
            for row in group_findings[:3]:
                severity = str(row["severity"])
                over = " (over)" if row["status"] == "over" else ""
                table.add_row(
                    Text(name),
                    Text(severity + over, style=_STYLES[severity]),
                    Text(str(row["rule"])),
                    Text(escaped(_short(str(row["explanation"])))),
                )
                name = ""
            if first := str(group_findings[0]["next_action"] or ""):
                table.add_row("", "", "", Text(escaped(f"first: {first}"), style="bold"))
            if len(group_findings) > 3:
                table.add_row(
                    "", "", "", Text(f"and {len(group_findings) - 3:,} more", style="dim")
                )
        return table

    def _line(self, troubled: int, rows: list[dict[str, object]]) -> str:
        counts = self._audit.counts
        severities = Counter(str(row["severity"]) for row in rows)
        severity_counts = ", ".join(
            f"{severities[name]:,} {name}" for name in _STYLES if severities[name]
        )
        stretches = counted(counts.damages, "damaged stretch", "damaged stretches")
        damages = f", {stretches}" if counts.damages else ""
        quarantine_text = f", {counts.quarantined:,} quarantined" if counts.quarantined else ""
        return (
            f"{counted(self._audit.current.num_rows, 'group')}, {troubled:,} in trouble; findings: "
            f"{severity_counts or 'none'}; {counted(counts.read, 'record')} read"
            f"{quarantine_text}{damages}"
        )


_ONLY_LIVE = (
    f"only a look at the running group tells: {', '.join(ONLY_LIVE)}, its settings, --what-if and "
    "--plan: kproto group NAME --bootstrap-server HOST:PORT"
)


def _not_evaluated(lacks: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a line for all rules that lack the same, with how to give it."""
    by_inputs: dict[tuple[str, ...], list[str]] = {}
    for rule, inputs in lacks.items():
        by_inputs.setdefault(tuple(inputs), []).append(rule)
    for names, rules in by_inputs.items():
        whats = [INPUT_FACTS[name].what if name in INPUT_FACTS else name for name in names]
        hows = how_to_give([[name for name in names if ":" not in name]]).values()
        how = f" ({'; '.join(hows)})" if hows else ""
        yield f"not evaluated: {', '.join(rules)}: needs {'; '.join(whats)}{how}"


def _short(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:397]}..."
