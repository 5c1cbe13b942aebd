"""The summary on a terminal, in sentences: the worst group first, since when, what, why, and what
to do first; where the page is; what was skipped, and how to give it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text

from ...escaping import escaped
from ...history.finding_sentences import finding_sentences, short_ids, since_text
from ...inspector.views.theme import HangingIndent
from ...rebalance.judgements import ONLY_LIVE
from ...wording import counted
from ..audit.inputs import INPUT_FACTS, how_to_give
from ..run.audit import Audit
from .names import NO_RECORDS, group_label

_Key: TypeAlias = tuple[str | None, str | None]
_Row: TypeAlias = Mapping[str, Any]
"""A row of the table `findings`."""

__all__ = ["Summary"]

MAX_GROUPS = 20
_LONGEST = 900  # characters of a finding
_MORE = 2  # findings of a group in sentences, beside its worst one
_STYLES = {"critical": "bold red", "error": "red", "warning": "yellow", "info": "dim"}


class Summary:
    """A renderable of rich: the summary of an audit. `page` is the file of its report; `today` a
    time (milliseconds since 1970) of whose day times have no date."""

    def __init__(
        self, audit: Audit, teams: Mapping[str, str], page: str = "", today: int | None = None
    ) -> None:
        self._audit = audit
        self._teams = teams
        self._page = page
        self._today = today

    def __rich__(self) -> RenderableType:
        return Group(*self._parts())

    def _parts(self) -> Iterator[RenderableType]:
        audit = self._audit
        rows = audit.findings.to_pylist()
        by_group: dict[_Key, list[_Row]] = {}
        for row in rows:
            if row["severity"] != "info":
                by_group.setdefault((row["cluster_id"], row["group_id"]), []).append(row)
        for group_findings in list(by_group.values())[:MAX_GROUPS]:
            yield from self._group(group_findings)
        left = len(by_group) - MAX_GROUPS
        if left > 0:
            yield Text(f"and {counted(left, 'more group')}, in the page", style="dim")
        for row in rows:
            if row["group_id"] is None and row["severity"] == "info":
                yield Text(escaped(row["explanation"]), style="dim")
        yield Text(self._line(sum(group is not None for _, group in by_group), rows))
        if self._page:
            yield Text(f"the page: {escaped(self._page)}")
        if not (audit.counts.read or audit.counts.damages or audit.current.num_rows):
            yield Text(NO_RECORDS)
        yield from map(_item, _skipped(audit.not_evaluated))
        if audit.current.num_rows:
            yield _item(_ONLY_LIVE)

    def _group(self, group_findings: Sequence[_Row]) -> Iterator[RenderableType]:
        """Yield the worst of a group in sentences, what to do first, and its other findings; those
        that have the same cause by their names alone."""
        worst, *others = group_findings
        yield Text.assemble((self._name(worst), "bold"))
        yield self._sentences(worst)
        if first := str(worst["next_action"] or ""):
            yield _indented(Text(escaped(f"First: {first}"), style="bold"))
        same = [row for row in others if row["cause"] and row["cause"] == worst["cause"]]
        if same:
            names = ", ".join(dict.fromkeys(str(row["rule"]) for row in same))
            yield _indented(Text(f"With it, of the same cause: {names}."))
        rest = [row for row in others if row not in same]
        for row in rest[:_MORE]:
            yield self._sentences(row)
        if len(rest) > _MORE:
            number = counted(len(rest) - _MORE, "more finding")
            yield _indented(Text(f"and {number}, in the page", style="dim"))
        yield Text()

    def _name(self, row: _Row) -> str:
        clusters = len(set(self._audit.current.column("cluster_id").to_pylist())) > 1
        name = group_label(row, clusters=clusters, show=escaped)
        group = row["group_id"]
        if group is not None and group in self._teams:
            name += escaped(f" ({self._teams[group]})")
        return name

    def _sentences(self, row: _Row) -> RenderableType:
        severity = str(row["severity"])
        times = [row[name] for name in ("first_seen", "last_seen", "judged_at")]
        since = ""
        if None not in times:
            first, last, moment = (int(time.timestamp() * 1000) for time in times)
            is_open = row["status"] == "open"
            since = since_text(first, last, moment, is_open=is_open, today=self._today)
        sentences = finding_sentences(
            str(row["explanation"]), row["cause"], row["certainty"], tuple(row["rivals"] or ())
        )
        return _indented(
            Text.assemble(
                (f"{severity} {row['rule']} ", _STYLES[severity]),
                (f"{since}: " if since else "", "bold"),
                escaped(_short(short_ids(sentences.text))),
            )
        )

    def _line(self, troubled: int, rows: list[_Row]) -> str:
        counts = self._audit.counts
        severities = Counter(str(row["severity"]) for row in rows)
        severity_counts = ", ".join(
            f"{severities[name]:,} info" if name == "info" else counted(severities[name], name)
            for name in _STYLES
            if severities[name]
        )
        stretches = counted(counts.damages, "damaged stretch", "damaged stretches")
        damages = f", {stretches}" if counts.damages else ""
        quarantine_text = f", {counts.quarantined:,} quarantined" if counts.quarantined else ""
        return (
            f"{counted(self._audit.current.num_rows, 'group')}, {troubled:,} in trouble; findings: "
            f"{severity_counts or 'none'}; {counted(counts.read, 'record')} read"
            f"{quarantine_text}{damages}"
        )


def _indented(text: Text) -> RenderableType:
    return HangingIndent(Text("  "), text)


def _item(text: str) -> RenderableType:
    return HangingIndent(Text("- ", style="dim"), Text(text, style="dim"))


_ONLY_LIVE = (
    f"only a look at the running group tells: {', '.join(ONLY_LIVE)}, its settings, --what-if and "
    "--plan: kproto group NAME --bootstrap-server HOST:PORT"
)


def _skipped(lacks: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a line for all rules that were skipped for the same reason, with how to give it."""
    by_inputs: dict[tuple[str, ...], list[str]] = {}
    for rule, inputs in lacks.items():
        by_inputs.setdefault(tuple(inputs), []).append(rule)
    for names, rules in by_inputs.items():
        whats = [INPUT_FACTS[name].what if name in INPUT_FACTS else name for name in names]
        hows = how_to_give([[name for name in names if ":" not in name]]).values()
        how = f" ({'; '.join(hows)})" if hows else ""
        yield f"skipped {', '.join(rules)}: needs {'; '.join(whats)}{how}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
