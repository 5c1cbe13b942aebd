"""A migration on a terminal or a page (a table, what stops each group, and plans), and as SARIF;
with the clients that could have written the bytes which stop a group.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import replace as with_fields
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ...escaping import cut, escaped
from ...inspector.diagnose.fingerprints import fingerprint
from ...inspector.shapes.group_shapes import Migration
from ...inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ...inspector.shapes.shape import iso_time
from ...inspector.views import theme
from ...inspector.views.fitting import Fitting
from ...inspector.views.summary_line import moment
from ...pages import render
from ...pages.filters import Filters
from ...rebalance.migration import (
    EXPLANATIONS,
    NO_ERROR,
    Answer,
    ClassicGroup,
    Plan,
    Readiness,
    Reason,
    StatedClient,
    answer_of_all,
    note_of_away,
    plan_to_consumer,
    running,
    told_apart,
    what_keeps,
)
from ...wording import counted, some_of

_STYLES = {
    "ready": Style(color=theme.colour(theme.ADDED_COLOUR)),
    "blocked": theme.FAILED,
    "unknown": Style(color=theme.colour(theme.WARN_COLOUR)),
}
_ORDER = ("blocked", "unknown", "ready")
ASSUMED = (
    "the broker's settings are not known: a 4.3 broker's defaults are assumed (--set tells others)"
)
ORDER = (
    "of one heading the group to move first stands first; those whose members come and go, and "
    "then those whose clients do not have the protocol, are last"
)
_NAME = 60
_HEX = 64


class JudgedGroup(NamedTuple):
    """A group, what happens when it is to move, and its plan."""

    group: ClassicGroup
    readiness: Readiness
    plan: Plan

    def to_shape(self, rank: int) -> Migration:
        """Return the group as `kproto migrate --json` prints it, with its place among all."""
        group, readiness = self.group, self.readiness
        return Migration(
            group=readiness.group_id,
            verdict=readiness.verdict,
            rank=rank,
            error=readiness.error,
            reasons=[reason.to_shape() for reason in readiness.reasons],
            later=[reason.to_shape() for reason in readiness.later],
            assignor=group.protocol_selected(),
            member_count=None if group.members is None else len(group.members),
            clients=self.plan.clients,
            client_answer=answer_of_all(self.plan.clients),
            unrest=group.unrest,
            next=group.unrest or _first_of(self.plan),
            away=tuple(group.away),
            state=group.state_now,
            empty_since=_time(group.emptied and group.emptied.since),
            judged_as_of=_time(group.emptied and group.emptied.as_of),
        )


def _time(milliseconds: int | None) -> str | None:
    return None if milliseconds is None else iso_time(milliseconds)


def moved_shape(name: str, kind: str) -> Migration:
    """Return a group of another kind than classic ones, as `kproto migrate --json` prints it."""
    return Migration(
        group=name,
        verdict="moved",
        rank=None,
        error=None,
        reasons=[],
        later=[],
        assignor=None,
        member_count=None,
        clients=(),
        client_answer=None,
        unrest="",
        next=f"Nothing: it is a {kind} group, which the broker divides.",
    )


def plan_of(
    group: ClassicGroup,
    readiness: Readiness,
    clients: Sequence[StatedClient],
    *,
    counts_moves: bool,
) -> Plan:
    """Return the plan of a group, made with the `clients` that a user names. Counting the moves
    divides all partitions of the broker: for the plans that are shown."""
    subject = group if counts_moves else replace(group, topics=None)
    plan = plan_to_consumer(subject, readiness, told_apart(running(group), clients))
    return with_fields(plan, notes=(*note_of_away(group.away), *plan.notes))


_OF_CLIENTS: Mapping[Answer, str] = {
    "no": "without the protocol",
    "unknown": "ask",
    "upgrade": "check releases",
    "yes": "with the protocol",
}


def clients_of(entry: JudgedGroup) -> str:
    """Return the client libraries of a group's members as their bytes tell, with what that means
    where the broker takes the group; "" where there is no member."""
    names = ", ".join(
        dict.fromkeys(
            _LIBRARY.sub(_with_release, part.could_be[0])
            if len(part.could_be) == 1
            else "clients unknown"
            for part in entry.plan.clients
        )
    )
    answer = _answer_of_ready(entry)
    return f"{names}: {_OF_CLIENTS[answer]}" if names and answer else names


_LIBRARY = re.compile(r" \((.*)\)$")


def _with_release(match: re.Match[str]) -> str:
    release = match[1].replace(" and newer", "+")
    return f" {release}" if release[-1].isdigit() or release[-1] == "+" else ""


def _answer_of_ready(entry: JudgedGroup) -> Answer | None:
    return answer_of_all(entry.plan.clients) if entry.readiness.verdict == "ready" else None


_FIRST_TO_MOVE = ("ready", "unknown", "blocked")
_FIRST_CLIENTS: tuple[Answer | None, ...] = ("yes", None, "upgrade", "unknown", "no")


def in_order(fleet: Iterable[JudgedGroup]) -> list[JudgedGroup]:
    """Return the groups in the order in which to move them: what needs least is first. Those that
    cannot move yet stand together by what is to be done, what is for the most groups first."""
    groups = list(fleet)
    counts = Counter(map(_heading_of, groups))

    def place(entry: JudgedGroup) -> tuple[object, ...]:
        verdict, action = heading = _heading_of(entry)
        work = () if verdict == "ready" else (-counts[heading], action)
        return (_FIRST_TO_MOVE.index(verdict), *work, *_place(entry))

    return sorted(groups, key=place)


def _place(entry: JudgedGroup) -> tuple[object, ...]:
    group, readiness = entry.group, entry.readiness
    return (
        bool(what_keeps(group)),
        _waits_for_clients(entry),
        bool(group.unrest or group.away),
        _FIRST_CLIENTS.index(_answer_of_ready(entry)),
        len(readiness.later),
        len(readiness.reasons),
        len(group.members or ()),
        readiness.group_id,
    )


class Section(NamedTuple):
    """The groups for which the same is to be done."""

    action: str
    groups: Sequence[JudgedGroup]

    @property
    def verdict(self) -> str:
        """The verdict that all of them have."""
        return self.groups[0].readiness.verdict


_NOTHING = {
    False: "The coordinator takes them. What is known of their clients is beside each.",
    True: "The coordinator takes them, but something fails later.",
}


def _of_ready(entry: JudgedGroup) -> str:
    kind = what_keeps(entry.group)
    return EXPLANATIONS[kind].remedy if kind else _NOTHING[bool(entry.readiness.later)]


def _waits_for_clients(entry: JudgedGroup) -> bool:
    return _answer_of_ready(entry) == "no"


def _heading_of(entry: JudgedGroup) -> tuple[str, str]:
    """Return the verdict on a group, and what is to be done first."""
    reasons = entry.readiness.reasons
    action = reasons[0].remedy or reasons[0].explanation if reasons else _of_ready(entry)
    return entry.readiness.verdict, action


def by_action(fleet: Sequence[JudgedGroup]) -> list[Section]:
    """Return the groups by what is to be done first: blocked ones before unknown and ready ones,
    and what is to be done for the most groups first."""
    sections: dict[tuple[str, str], list[JudgedGroup]] = {}
    for entry in fleet:
        sections.setdefault(_heading_of(entry), []).append(entry)
    keys = sorted(sections, key=lambda key: (_ORDER.index(key[0]), -len(sections[key])))
    return [Section(key[1], sections[key]) for key in keys]


def counts_of(fleet: Sequence[JudgedGroup]) -> str:
    """Return how many groups there are of each verdict, in words."""
    counts = Counter[str](entry.readiness.verdict for entry in fleet)
    waiting = sum(map(_waits_for_clients, fleet))
    verdicts = ", ".join(
        f"{counts[name]:,} {name}{_of_waiting(waiting, counts[name]) if name == 'ready' else ''}"
        for name in _STYLES if counts[name]
    )  # fmt: skip
    return f"{counted(len(fleet), 'group')}: {verdicts}"


def _of_waiting(number: int, ready: int) -> str:
    """Return how many of the ready groups wait for other clients, in words; "" for none."""
    if not number:
        return ""
    of_them = "" if number == ready else f"{number:,} of them "
    return f" ({of_them}not before {'its' if number == 1 else 'their'} clients are replaced)"


def empty_of(fleet: Sequence[JudgedGroup], *, can_look_back: bool) -> str:
    """Return how many groups have no members now, and what that means for the verdicts; "" where
    all have some. `can_look_back` says that the source has their earlier members, too."""
    before = sum(entry.group.emptied is not None for entry in fleet)
    now = sum(bool(entry.group.is_empty) for entry in fleet)
    parts = []
    if before:
        number = counted(before, "group is", "groups are")
        parts.append(f"{number} empty now: judged as of a moment with members (times in UTC)")
    if now:
        number = counted(now, "group is", "groups are")
        hint = "; --with-members judges each as it was before" if can_look_back else ""
        parts.append(f"{number} empty now, and the coordinator takes any empty group{hint}")
    return "; ".join(parts)


_COUNTED: Mapping[Answer, str] = {
    "no": "without the protocol",
    "unknown": "unknown",
    "upgrade": "depending on the release",
    "yes": "with the protocol",
}


def client_counts_of(fleet: Sequence[JudgedGroup]) -> str:
    """Return how many groups that the broker takes there are by what their clients can do, in
    words; "" where none has a member."""
    counts = Counter(_answer_of_ready(entry) for entry in fleet)
    parts = ", ".join(
        f"{counts[answer]:,} {words}" for answer, words in _COUNTED.items() if counts[answer]
    )
    return parts and f"ready groups by their clients: {parts}"


class MigrationView:
    """A renderable of rich: what is to be done, and for which groups; each with its reasons, and
    with its plan where plans are asked for."""

    def __init__(
        self, fleet: Sequence[JudgedGroup], notes: Sequence[str] = (), *, has_plans: bool
    ) -> None:
        """`notes` say which groups have moved already, and how many are empty."""
        self._fleet = fleet
        self._notes = notes
        self._has_plans = has_plans

    def __rich__(self) -> RenderableType:
        return Group(*self._parts())

    def _parts(self) -> Iterator[RenderableType]:
        yield Text(counts_of(self._fleet), "bold")
        for note in self._notes:
            yield Text(escaped(note))
        if by_clients := client_counts_of(self._fleet):
            yield Text(by_clients, "dim")
        if len(self._fleet) > 1:
            yield Text(ORDER, "dim")
        for section in by_action(self._fleet):
            count = counted(len(section.groups), "group")
            yield Text(f"\n{section.verdict}, {count}: ", _STYLES[section.verdict]).append(
                section.action, "default"
            )
            yield from _groups(section, has_plans=self._has_plans)
        if not self._has_plans:
            yield Text("\n--group ID shows a group's plan step by step, and the way back", "dim")
        if is_assumed(self._fleet):
            yield Text(ASSUMED, "dim")


def migration_page(fleet: Sequence[JudgedGroup], notes: Sequence[str] = ()) -> str:
    """Return what the view shows as a page of HTML; `notes` say which groups have moved already,
    and how many are empty."""
    sections = by_action(fleet)
    return render(
        "migration.html.jinja",
        title=f"Can these groups move? {counts_of(fleet)}",
        notes=notes,
        by_clients=client_counts_of(fleet),
        is_assumed=is_assumed(fleet),
        assumed=ASSUMED,
        filters=Filters(_labels(entry) for entry in fleet),
        sections=[
            {
                "verdict": section.verdict,
                "action": section.action,
                "count": counted(len(section.groups), "group"),
                "labels": _all_labels(section.groups),
                "groups": [_on_page(entry, section.action) for entry in section.groups],
            }
            for section in sections
        ],
    )


def _on_page(entry: JudgedGroup, action: str) -> dict[str, Any]:
    return {
        "name": entry.readiness.group_id,
        "labels": _labels(entry),
        "facts": list(filter(None, facts_of(entry))),
        "reasons": [
            {
                "text": prefix + sentence_of(entry.group, reason),
                "data": cut(reason.data.hex(), _HEX),
                "remedy": "" if reason.remedy == action else reason.remedy,
            }
            for reason, prefix in _reasons(entry)
        ],
        "unrest": entry.group.unrest,
        "steps": steps_of(entry.plan),
        "parts": parts_of(entry.plan),
    }


def _labels(entry: JudgedGroup) -> dict[str, list[str]]:
    """Return what a group is filtered by on the page."""
    group = entry.group
    facts = {
        "verdict": entry.readiness.verdict,
        "assignor": group.protocol_selected(),
        "state": group.state_now,
        "clients": clients_of(entry),
        "now": group.unrest.partition(":")[0],
    }
    return {kind: [_name(name)] for kind, name in facts.items() if name}


def _all_labels(groups: Iterable[JudgedGroup]) -> dict[str, list[str]]:
    labels: dict[str, list[str]] = {}
    for entry in groups:
        for kind, names in _labels(entry).items():
            labels.setdefault(kind, []).extend(names)
    return {kind: sorted(set(names)) for kind, names in labels.items()}


def is_assumed(fleet: Sequence[JudgedGroup]) -> bool:
    """Return whether a broker's defaults stand for the settings of a group."""
    return not all(entry.group.settings.are_told for entry in fleet)


def _groups(section: Section, *, has_plans: bool) -> Iterator[RenderableType]:
    """The groups of a section in their order: a row each where no more is to be said, else one by
    one."""
    for says_more, run in groupby(section.groups, lambda group: has_plans or _says_more(group)):
        entries = [*run]
        if not says_more:
            yield Fitting(_table(entries), [_indented(_heading(entry), 2) for entry in entries])
            continue
        for entry in entries:
            yield Text()
            yield _indented(_heading(entry), 2)
            if entry.group.unrest:
                yield _labelled("now", escaped(entry.group.unrest), "")
            for reason, prefix in _reasons(entry):
                yield from _reason(entry.group, reason, prefix, section.action)
            if has_plans:
                yield from _plan(entry.plan)


def _says_more(entry: JudgedGroup) -> bool:
    return bool(_reasons(entry) or entry.group.unrest)


def _reasons(entry: JudgedGroup) -> list[tuple[Reason, str]]:
    readiness = entry.readiness
    return [
        *((reason, "") for reason in readiness.reasons),
        *((reason, "later: ") for reason in readiness.later),
    ]


def facts_of(entry: JudgedGroup) -> list[str]:
    """Return what is told beside a group's name: its assignor, members, state, clients, the error
    that the first new member gets, and whether its members come and go."""
    group, error = entry.group, entry.readiness.error
    return [
        _name(group.protocol_selected() or ""),
        "" if group.members is None else counted(len(group.members), "member"),
        _state_of(group),
        clients_of(entry),
        "" if error in (None, NO_ERROR) else str(error),
        group.unrest.partition(":")[0],
        f"{counted(len(group.away), 'member')} away" if group.away else "",
    ]


def _state_of(group: ClassicGroup) -> str:
    """Return a group's state now, and the moment that it is judged as of if that is an earlier
    one."""
    if group.emptied is None:
        return _name(group.state or "")
    state, since, as_of = group.emptied
    since_day, since_time = moment(since)[:10], moment(since)[:19]
    told = f"{state} since {since_time}" if since_time else state
    as_of_time = moment(as_of)[:19].removeprefix(f"{since_day} ")
    return f"{told}, judged as of {as_of_time or 'when it had members'}"


def _heading(entry: JudgedGroup) -> Text:
    heading = Text(_name(entry.readiness.group_id), "bold")
    return heading.append("".join(f"  {fact}" for fact in facts_of(entry) if fact), "not bold dim")


def _table(groups: Sequence[JudgedGroup]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(overflow="fold", min_width=12)
    rows = [facts_of(entry) for entry in groups]
    columns = [number for number in range(len(rows[0])) if any(row[number] for row in rows)]
    for _ in columns:
        table.add_column(overflow="fold")
    for entry, facts in zip(groups, rows, strict=True):
        name = Text(f"  {_name(entry.readiness.group_id)}")
        table.add_row(name, *(Text(facts[number]) for number in columns))
    return table


def _reason(
    group: ClassicGroup, reason: Reason, prefix: str, action: str
) -> Iterator[RenderableType]:
    yield _indented(Text(prefix + sentence_of(group, reason)), 4)
    facts = {
        "bytes": cut(reason.data.hex(), _HEX),
        "do": "" if reason.remedy == action else reason.remedy,
    }
    for name, fact in facts.items():
        if fact:
            yield _labelled(name, fact, "" if name == "do" else "dim")


def sentence_of(group: ClassicGroup, reason: Reason) -> str:
    """Return a reason in a sentence: the member, what is wrong, and where in its bytes."""
    member = f"{_name(_member_name(group, reason.member_id))}: " if reason.member_id else ""
    at = f" ({escaped(reason.path)})" if reason.path else ""
    return f"{member}{escaped(reason.explanation)}{at}"


def _plan(plan: Plan) -> Iterator[RenderableType]:
    title = f"plan: to group.protocol={plan.goal}"
    if not plan.steps and plan.blockers:
        title = f"no plan to group.protocol={plan.goal} as long as:"
    yield _indented(Text(title, "bold"), 4)
    for number, text in enumerate(steps_of(plan), 1):
        yield _labelled(f"{number}.", escaped(text), "")
    for title, sentences in parts_of(plan):
        yield _indented(Text(title, "bold"), 4)
        for sentence in sentences:
            yield _labelled("-", escaped(sentence), "")


def steps_of(plan: Plan) -> list[str]:
    """Return what is to be done, step by step: before the first one releases of clients are looked
    up. Where there is no step, what comes before one."""
    return [*_before_the_steps(plan), *(step.do for step in plan.steps)]


def _before_the_steps(plan: Plan) -> list[str]:
    if not plan.steps:
        return [*plan.blockers, *plan.untried]
    older = [part for part in plan.clients if part.answer == "upgrade"]
    return [f"{', '.join(part.members)}: {part.says}" for part in older]


def _first_of(plan: Plan) -> str:
    """Return what comes before the first step, of all members that it is for, else that step."""
    return "; ".join(_before_the_steps(plan)) or next((step.do for step in plan.steps), "")


def parts_of(plan: Plan) -> list[tuple[str, tuple[str, ...]]]:
    """Return what a plan says besides its steps, each part under its title."""
    parts = [
        ("what changes", plan.changes),
        ("the way back", tuple(step.do for step in plan.back)),
        ("from where on there is none", (plan.no_return,)),
        ("clients", plan.notes),
    ]
    return [(title, sentences) for title, sentences in parts if any(sentences)]


def _labelled(label: str, text: str, style: str) -> RenderableType:
    row = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    row.add_column(width=6 if len(label) > 2 else 2)
    row.add_column(overflow="fold", ratio=1)
    row.add_row(Text(label, style), Text(text, style))
    return Padding(row, (0, 0, 0, 6))


def _indented(text: Text, cells: int) -> RenderableType:
    return Padding(text, (0, 0, 0, cells))


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
    writers = some_of(could, _MOST_WRITERS)
    return reason._replace(
        explanation=f"{reason.explanation}; could have been written by {writers}"
    )
