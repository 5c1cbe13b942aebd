"""A migration on a terminal or a page (a table, what stops each group, and plans), and as SARIF;
with the clients that could have written the bytes which stop a group.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ...escaping import cut, escaped
from ...inspector.diagnose.fingerprints import fingerprint
from ...inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ...inspector.views import theme
from ...rebalance.migration import (
    EXPLANATIONS,
    ClassicGroup,
    Plan,
    Readiness,
    Reason,
    Settings,
    StatedClient,
    plan_to_consumer,
    running,
    told_apart,
)

_STYLES = {
    "ready": Style(color=theme.colour(theme.ADDED_COLOUR)),
    "blocked": theme.FAILED,
    "unknown": Style(color=theme.colour(theme.WARN_COLOUR)),
}
_ASSUMED = (
    "the broker's settings are not known: a 4.3 broker's defaults are assumed (--set tells others)"
)
_NAME = 60
_HEX = 64


class MigrationView:
    """A renderable of rich. `in_full` adds each group's plan, made with the `clients` that a user
    names."""

    def __init__(
        self,
        fleet: Sequence[tuple[ClassicGroup, Readiness]],
        *,
        in_full: bool = False,
        clients: Sequence[StatedClient] = (),
    ) -> None:
        self._fleet = fleet
        self._in_full = in_full
        self._clients = clients

    def __rich__(self) -> RenderableType:
        return Group(*self._parts())

    def _parts(self) -> Iterator[RenderableType]:
        yield self._table()
        for group, readiness in self._fleet:
            if readiness.reasons or readiness.later or self._in_full:
                yield from _story(group, readiness)
            if self._in_full:
                members = told_apart(running(group), self._clients)
                yield from _plan(plan_to_consumer(group, readiness, members))
        counts: Counter[str] = Counter(readiness.verdict for _, readiness in self._fleet)
        counts_line = ", ".join(f"{counts[name]:,} {name}" for name in _STYLES if counts[name])
        noun = "group" if len(self._fleet) == 1 else "groups"
        yield Text(f"\n{len(self._fleet):,} {noun}: {counts_line}")
        if not self._in_full and len(self._fleet) > 0:
            yield Text("--group ID shows a group's plan step by step, and the way back", "dim")
        if any(group.settings == Settings() for group, _ in self._fleet):
            yield Text(_ASSUMED, "dim")

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
        table.add_column("group", overflow="fold", min_width=12)
        table.add_column("verdict")
        table.add_column("error", overflow="fold")
        table.add_column("members", justify="right")
        table.add_column("protocol", overflow="fold")
        table.add_column("by whom", overflow="fold", ratio=1)
        for group, readiness in sorted(self._fleet, key=_urgency):
            blamed = [
                _client(group, reason.member_id) for reason in readiness.reasons if reason.member_id
            ]
            table.add_row(
                Text(_name(readiness.group_id)),
                Text(readiness.verdict, _STYLES[readiness.verdict]),
                Text(readiness.error or "?"),
                Text("?" if group.members is None else f"{len(group.members):,}"),
                Text(_name(group.protocol_selected() or "")),
                Text(", ".join(map(_name, dict.fromkeys(blamed)))),
            )
        return table


def _urgency(group_and_readiness: tuple[ClassicGroup, Readiness]) -> int:
    return ["blocked", "unknown", "ready"].index(group_and_readiness[1].verdict)


def _story(group: ClassicGroup, readiness: Readiness) -> Iterator[RenderableType]:
    state = "" if group.state is None else f" ({_name(group.state)})"
    yield Text(f"\n{_name(readiness.group_id)}: {readiness.verdict}{state}", "bold")
    for reason in readiness.reasons:
        yield from _reason(group, reason)
    for reason in readiness.later:
        yield from _reason(group, reason, "later: ")


def _reason(group: ClassicGroup, reason: Reason, prefix: str = "") -> Iterator[RenderableType]:
    member = f"{_name(_member_name(group, reason.member_id))}: " if reason.member_id else ""
    at = f" ({escaped(reason.path)})" if reason.path else ""
    yield _indented(f"{prefix}{member}{escaped(reason.explanation)}{at}", 2)
    facts = {
        "bytes": cut(reason.data.hex(), _HEX),
        "answer": reason.error or "",
        "do": reason.remedy,
    }
    for name, fact in facts.items():
        if fact:
            yield _labelled(name, fact, "" if name == "do" else "dim")


def _plan(plan: Plan) -> Iterator[RenderableType]:
    steps = [step.do for step in plan.steps]
    first = [] if steps else [*plan.blockers, *plan.untried]
    yield _indented(f"plan: to group.protocol={plan.goal}", 2, "bold")
    for number, text in enumerate([*first, *steps], 1):
        yield _labelled(f"{number}.", escaped(text), "")
    for title, sentences in (
        ("what changes", plan.changes),
        ("the way back", tuple(step.do for step in plan.back)),
        ("from where on there is none", (plan.no_return,)),
        ("clients", plan.notes),
    ):
        if not any(sentences):
            continue
        yield _indented(title, 2, "bold")
        for sentence in sentences:
            yield _labelled("-", escaped(sentence), "")


def _labelled(label: str, text: str, style: str) -> RenderableType:
    row = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    row.add_column(width=6 if len(label) > 2 else 2)
    row.add_column(overflow="fold", ratio=1)
    row.add_row(Text(label, style), Text(text, style))
    return Padding(row, (0, 0, 0, 4))


def _indented(text: str, cells: int, style: str = "") -> RenderableType:
    return Padding(Text(text, style), (0, 0, 0, cells))


def _client(group: ClassicGroup, member_id: str) -> str:
    """Return a member's client id; its member id where the source does not tell."""
    members = {member.member_id: member for member in group.members or ()}
    return members[member_id].client_id or member_id


def _member_name(group: ClassicGroup, member_id: str) -> str:
    """Return a member's id, and its instance id where it has one."""
    for member in group.members or ():
        if member.member_id == member_id and member.instance_id is not None:
            return f"{member_id} ({member.instance_id})"
    return member_id


def _name(text: str) -> str:
    return cut(escaped(text), _NAME)


_LATER = {"rejoin-fails", "downgrade-fails", "classic-members-refused", "static-restart-refused"}


def sarif_of(readinesses: Iterable[Readiness]) -> dict[str, Any]:
    """Return the SARIF log of what was found, a result for each reason."""
    rules = [
        SarifRule(
            code,
            explanation.title,
            help=explanation.remedy,
            level=_level(code),
            tags=(explanation.error or "later",),
        )
        for code, explanation in EXPLANATIONS.items()
    ]
    results = [result for readiness in readinesses for result in _results(readiness)]
    return sarif_log(rules, results)


def _level(code: str) -> str:
    if code in _LATER:
        return "warning"
    return "note" if EXPLANATIONS[code].error is None else "error"


def _results(readiness: Readiness) -> Iterator[SarifResult]:
    for reason in (*readiness.reasons, *readiness.later):
        yield _result(readiness.group_id, reason)


def _result(group_id: str, reason: Reason) -> SarifResult:
    name = "/".join(part for part in (group_id, reason.member_id) if part)
    identity = f"{group_id}\0{reason.member_id}\0{reason.what}\0{reason.path}"
    place = {"name": name, "fullyQualifiedName": f"{name}:{reason.path}" if reason.path else name}
    about = f"member {reason.member_id}: " if reason.member_id else ""
    return SarifResult(
        reason.what,
        _level(reason.what),
        f"group {group_id}: {about}{reason.explanation}. {reason.remedy}",
        {"logicalLocations": [place]},
        hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        {"error": reason.error or "", "bytes": reason.data.hex()},
    )


_SELECTED = re.compile(r"protocols\[(.*?)\]")
_MOST_WRITERS = 4


def with_writers(readiness: Readiness) -> Readiness:
    """Return the readiness with the names of clients in its explanations."""
    return replace(
        readiness,
        reasons=tuple(map(_explained, readiness.reasons)),
        later=tuple(map(_explained, readiness.later)),
    )


def _explained(reason: Reason) -> Reason:
    if not reason.data:
        return reason
    match = _SELECTED.match(reason.path)
    could = fingerprint(reason.data, match.group(1) if match else None).in_short
    if not could:
        return reason
    more = f" and {len(could) - _MOST_WRITERS} more" if len(could) > _MOST_WRITERS else ""
    explanation = (
        f"{reason.explanation}; could have been written by {', '.join(could[:_MOST_WRITERS])}{more}"
    )
    return reason._replace(explanation=explanation)
