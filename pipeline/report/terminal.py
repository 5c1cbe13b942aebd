"""The summary on a terminal, in sentences: the worst group first, since when, what, why, and what
to do first; where the page is; what was skipped, and how to give it. With a baseline, what is new
comes first, and what is known has a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rich.console import Group, RenderableType
from rich.text import Text

from ...escaping import escaped, prose
from ...history.finding_sentences import finding_sentences, short_ids, since_text
from ...inspector.views.theme import HangingIndent
from ...rebalance.judgements import JUDGEMENTS, ONLY_LIVE
from ...wording import counted, some_of
from ..audit.changes import Changes
from ..audit.inputs import lines_of_skipped_rules
from ..run.audit import Audit
from .fleet_clients import client_sentences, fleet_clients
from .names import NO_RECORDS, as_of, group_label, several_clusters
from .unread import lost_clusters, unread_sentences

_Key: TypeAlias = tuple[str | None, str | None]
_Row: TypeAlias = Mapping[str, Any]
"""A row of the table `findings`."""

__all__ = ["Summary"]

MAX_GROUPS = 20
_LONGEST = 900  # characters of a finding
_MAX_LINES = 50  # of groups as before, of new remarks, and of findings that are gone
_MAX_CLIENTS = 3
_MAX_UNREAD = 8  # places where something could not be read
_MORE = 2  # findings of a group in sentences, beside its worst one
_NAMED = 5  # groups in one line
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
        self._has_several_clusters = several_clusters(
            audit.current.select(["cluster_id"]).to_pylist()
        )

    def __rich__(self) -> RenderableType:
        return Group(*self._parts())

    def _parts(self) -> Iterator[RenderableType]:
        audit = self._audit
        rows = audit.findings.to_pylist()
        by_group: dict[_Key, list[_Row]] = {}
        for row in rows:
            if row["severity"] != "info":
                by_group.setdefault((row["cluster_id"], row["group_id"]), []).append(row)
        groups = [group for group in by_group.values() if any(map(self._is_news, group))]
        for group_findings in groups[:MAX_GROUPS]:
            yield from self._group(group_findings)
        left = len(groups) - MAX_GROUPS
        if left > 0:
            yield Text(f"and {counted(left, 'more group')}, in the page", style="dim")
        if audit.changes is None:
            yield from self._remarks_about_the_fleet(rows)
            yield from self._restarts(rows)
        else:
            yield from self._since_the_baseline(audit.changes, rows, by_group.values())
        yield from self._clients()
        yield from self._lost_clusters()
        yield Text(self._line(rows))
        if when := as_of(audit.current):
            yield Text(f"all of this is as of {when}", "bold")
        if self._page:
            yield Text(f"the page: {escaped(self._page)}")
        if not (audit.counts.read or audit.counts.damages or audit.current.num_rows):
            yield Text(NO_RECORDS)
        yield from map(_item, self._remarks_about_the_audit())

    def _clients(self) -> Iterator[RenderableType]:
        """Yield which clients have known faults, if any."""
        lines = list(client_sentences(fleet_clients(self._audit, self._teams), _MAX_CLIENTS))
        if lines:
            yield Text("clients with known faults, the first to update first:")
            yield from (_indented(Text(prose(line))) for line in lines)

    def _lost_clusters(self) -> Iterator[RenderableType]:
        for cluster, reason in lost_clusters(self._audit).items():
            line = f"cluster {cluster} is not audited: {reason}"
            yield Text(prose(line), style="bold yellow")

    def _remarks_about_the_audit(self) -> Iterator[str]:
        """Yield what was not read or not asked, and how to give it."""
        audit = self._audit
        yield from map(prose, unread_sentences(audit, _MAX_UNREAD))
        yield from map(prose, audit.remarks)
        if names := self._undecided_groups():
            yield _A_LOG_DECIDES.format(groups=some_of(names, _MORE))
        for line in lines_of_skipped_rules(audit.not_evaluated):
            yield f"skipped {line}"
        if audit.current.num_rows:
            yield _ONLY_LIVE

    def _undecided_groups(self) -> list[str]:
        """Return the groups of which a finding that is shown has several possible causes, and no
        log tells."""
        return list(
            dict.fromkeys(
                self._name(row)
                for row in self._audit.findings.to_pylist()
                if row["severity"] != "info" and row["rivals"] and row["group_id"] is not None
                if row["group_id"] not in self._audit.logged
            )
        )

    def _is_news(self, row: _Row) -> bool:
        """Whether a finding is not in the baseline; without one all are news."""
        changes = self._audit.changes
        return changes is None or changes.words[row["finding_id"]] == "new"

    def _remarks_about_the_fleet(self, rows: Iterable[_Row]) -> Iterator[RenderableType]:
        for row in rows:
            if row["group_id"] is None and row["severity"] == "info":
                cluster = f"{row['cluster_id']}: " if self._has_several_clusters else ""
                yield Text(escaped(f"{cluster}{row['explanation']}"), style="dim")

    def _restarts(self, rows: Sequence[_Row]) -> Iterator[RenderableType]:
        """Yield in which groups members ended and came back: by a deployment, or not known why."""
        restarts = [row for row in rows if row["rule"] == "members-restarted"]
        for why, is_rolling in (("probably a rolling restart", True), ("not known why", False)):
            names = [
                self._name(row)
                for row in restarts
                if (row["cause"] == "rolling-restart") == is_rolling
            ]
            if names:
                yield Text(f"members came back ({why}): {some_of(names, _NAMED)}", style="dim")

    def _since_the_baseline(
        self, changes: Changes, rows: Iterable[_Row], groups: Iterable[Sequence[_Row]]
    ) -> Iterator[RenderableType]:
        """Yield a line for each group whose trouble is known, for each remark that is new and for
        each finding that is gone, and how many there are."""
        persisting = [group[0] for group in groups if not any(map(self._is_news, group))]
        remarks = [row for row in rows if row["severity"] == "info" and self._is_news(row)]
        for word, changed in (("as before", persisting), ("new", remarks), ("gone", changes.gone)):
            for row in changed[:_MAX_LINES]:
                yield self._in_a_line(word, row)
            if (left := len(changed) - _MAX_LINES) > 0:
                yield Text(f"{word}: {left:,} more, in the page", style="dim")
        counts = ", ".join(f"{count:,} {name}" for name, count in changes.counts.items())
        yield Text(f"since the baseline: {counts}{self._vanished(changes)}", style="bold")

    def _vanished(self, changes: Changes) -> str:
        """Return how many findings are gone because nothing is known of their groups any more."""
        groups = self._audit.current.select(["cluster_id", "group_id"]).to_pylist()
        known = {(row["cluster_id"], row["group_id"]) for row in groups}
        places = [(row["cluster_id"], row["group_id"]) for row in changes.gone if row["group_id"]]
        count = sum(place not in known for place in places)
        return f" ({count:,} of groups of which this source has no record)" if count else ""

    def _in_a_line(self, word: str, row: _Row) -> RenderableType:
        severity = str(row["severity"])
        return HangingIndent(
            Text(f"{word}: "),
            Text.assemble(
                (f"{severity} {row['rule']} ", _STYLES[severity]),
                self._name(row),
                ""
                if word == "as before"
                else f": {escaped(_short(short_ids(row['explanation'])))}",
            ),
        )

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
            counts = Counter(str(row["rule"]) for row in same)
            names = ", ".join(
                rule if number == 1 and rule != worst["rule"] else f"{number:,} more {rule}"
                for rule, number in counts.items()
            )
            yield _indented(Text(f"With it, of the same cause: {names}."))
        rest = [row for row in others if row not in same]
        for row in rest[:_MORE]:
            yield self._sentences(row)
        if len(rest) > _MORE:
            number = counted(len(rest) - _MORE, "more finding")
            yield _indented(Text(f"and {number}, in the page", style="dim"))
        yield Text()

    def _name(self, row: _Row) -> str:
        name = group_label(row, clusters=self._has_several_clusters, show=escaped)
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
        changes = self._audit.changes
        change = "" if changes is None else f"{changes.words[row['finding_id']]} "
        sentences = finding_sentences(str(row["explanation"]), row["cause"], row["certainty"])
        return _indented(
            Text.assemble(
                (f"{change}{severity} {row['rule']} ", _STYLES[severity]),
                (f"{since}: " if since else "", "bold"),
                escaped(_short(short_ids(sentences.text))),
            )
        )

    def _line(self, rows: list[_Row]) -> str:
        loud = [row for row in rows if row["severity"] != "info" and row["group_id"] is not None]
        troubled = {(row["cluster_id"], row["group_id"]) for row in loud}
        now = {(row["cluster_id"], row["group_id"]) for row in loud if row["status"] == "open"}
        were = f", {len(troubled - now):,} no longer" if troubled - now else ""
        counts = self._audit.counts
        severities = Counter(str(row["severity"]) for row in rows)
        severity_counts = ", ".join(
            f"{severities[name]:,} info" if name == "info" else counted(severities[name], name)
            for name in _STYLES
            if severities[name]
        )
        parts = counts.unread - len(lost_clusters(self._audit))
        unread = f", {parts:,} could not be read" if parts else ""
        return (
            f"{counted(self._audit.current.num_rows, 'group')}, {len(now):,} in trouble{were}; "
            f"findings: {severity_counts or 'none'}; {counted(counts.read, 'record')} read{unread}"
        )


def _indented(text: Text) -> RenderableType:
    return HangingIndent(Text("  "), text)


def _item(text: str) -> RenderableType:
    return HangingIndent(Text("- ", style="dim"), Text(text, style="dim"))


_A_LOG_DECIDES = (
    "several causes are possible for {groups}: the log of a member or of the broker tells which; "
    "give it beside the records: kproto audit SOURCE app.log --out DIR"
)
_ONLY_LIVE = (
    "kproto group NAME --bootstrap-server HOST:PORT asks the running group, and tells besides: its "
    "settings, what a change would do (--what-if), the steps to another protocol (--plan), and: "
    + "; ".join(
        row.title[:1].lower() + row.title[1:] for row in JUDGEMENTS if row.code in ONLY_LIVE
    )
)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
