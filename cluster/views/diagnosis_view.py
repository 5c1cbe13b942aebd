"""What is wrong with a group, in sentences: first what its own records tell, since when and why,
then what one look at it shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.text import Text

from ...escaping import escaped
from ...history.finding_sentences import (
    clock_time,
    duration_text,
    finding_sentences,
    short_ids,
    since_text,
)
from ...inspector.diagnose.levels import LEVELS
from ...inspector.shapes.checks import AuditFinding
from ...inspector.shapes.group_shapes import Group, GroupHistory, Remark
from ...inspector.views import theme
from ...inspector.views.summary_line import Brief
from ...inspector.views.theme import Glyphs, HangingIndent
from ...wording import counted, some_of
from .listing_view import LEVEL_STYLES
from .member_names import ClientNames

__all__ = ["closing_text", "diagnosis_lines", "history_line"]

_FINDING_LEVELS = {"critical": "error", "error": "error", "warning": "warning", "info": "note"}
_STORM = "rebalance-storm"
_OF_A_STORM = frozenset({"flapping-member", "slow-poll", "static-ping-pong"})
"""Rules whose findings are part of a storm that goes on, and say the same of one member."""
_NAMES = 4  # members in one remark
_CLIENT_AND_HOST = re.compile(r"(?<![\w./-])([\w.-]+)/((?:\d{1,3}\.){3}\d{1,3}|[\da-f]*:[\da-f:]+)")


def diagnosis_lines(
    group: Group, level: str, brief: Brief, glyphs: Glyphs, *, full: bool
) -> Iterator[HangingIndent]:
    """Yield what is wrong with a group, down to a level, the worst first; one line where nothing
    is."""
    history = group.history
    findings = () if history is None else history.findings
    remarks = [remark for remark in group.remarks if _is_visible(remark, level)]
    visible = [finding for finding in findings if _is_shown(finding, level)]
    is_calm = True
    for rank in LEVELS:
        of_level = [finding for finding in visible if _level(finding) == rank]
        for finding, companions in _folded(of_level, visible):
            is_calm = is_calm and finding.cause == "rolling-restart"
            yield _finding(finding, companions, group, glyphs, full=full)
        for remark, names in _by_text(group, remarks, rank):
            is_calm = False
            yield _remark(remark, names, brief, glyphs)
    if history is None:
        return
    if not history.problem:
        yield HangingIndent(
            Text(f"{glyphs.dot} ", theme.QUIET), Text(_closing(history, is_calm=is_calm))
        )
    for finding in history.findings:
        if finding.status == "over" and finding not in visible and finding.severity != "info":
            yield _finding(finding, (), group, glyphs, full=full)


def _closing(history: GroupHistory, *, is_calm: bool) -> str:
    """Return what was asked, and whether that was all."""
    text = _coverage(history)
    if not is_calm:
        return text
    if not history.undecided:
        return f"nothing is wrong: {text}"
    undecided = "; ".join(history.undecided)
    return f"nothing wrong is seen so far: {text}. Too early to tell: {undecided}"


def _is_visible(remark: Remark, level: str) -> bool:
    """Return whether a remark is visible: of notes, those on style (KP061 and so on) are for the
    level of notes alone."""
    is_style = remark.code.startswith("KP")
    return _counts(remark.level, level) or (level == "warning" and not is_style)


def _is_shown(finding: AuditFinding, level: str) -> bool:
    """Return whether a finding is visible: restarts of members are, from warnings on, so that who
    looks for trouble sees what is none."""
    is_restart = finding.rule == "members-restarted" and level == "warning"
    return is_restart or _counts(_level(finding), level)


def _counts(level: str, least: str) -> bool:
    return LEVELS.index(level) <= LEVELS.index(least)


def _level(finding: AuditFinding) -> str:
    """What is over is visible as a note is."""
    return _FINDING_LEVELS[finding.severity] if finding.status == "open" else "note"


def _folded(
    findings: Sequence[AuditFinding], visible: Sequence[AuditFinding]
) -> Iterator[tuple[AuditFinding, Sequence[AuditFinding]]]:
    """Yield each finding with those that say the same of its members: those about members that
    make a storm come with the storm, several about one member with the first of them."""
    parts = [finding for finding in visible if finding.rule in _OF_A_STORM]
    storm = next((finding for finding in visible if finding.rule == _STORM), None)
    for finding in findings:
        if finding is storm and finding.status == "open":
            yield finding, parts
        elif finding not in parts:
            yield finding, ()
        elif storm is None or storm.status != "open":
            similar = [part for part in parts if _about(part) == _about(finding)]
            if similar[0] is finding:
                yield finding, similar[1:]


def _about(finding: AuditFinding) -> tuple[object, ...]:
    return finding.evidence.get("who"), finding.cause, finding.status


def _finding(
    finding: AuditFinding,
    companions: Sequence[AuditFinding],
    group: Group,
    glyphs: Glyphs,
    *,
    full: bool,
) -> HangingIndent:
    level = _level(finding)
    sign = {"error": glyphs.failed, "warning": glyphs.warn}.get(level, glyphs.dot)
    head = Text(f"{sign} ", LEVEL_STYLES[level])
    body = Text.assemble((f"{finding.rule}  ", LEVEL_STYLES[level]))
    if finding.evidence.get("state") is None:  # of a rebalance that goes on, the text says it
        body.append(f"{_since(finding)}: ", theme.TITLE)
    sentences = finding_sentences(finding.explanation, finding.cause, finding.certainty)
    text = sentences.text
    if companions:
        rules = dict.fromkeys(companion.rule for companion in companions)
        text += f" With it: {', '.join(rules)}."
    body.append(_plain(text if full else short_ids(_without_hosts(text, group)), glyphs))
    if finding.next_action and finding.status == "open":
        body.append(_plain(f" First: {finding.next_action}", glyphs), theme.TITLE)
    return HangingIndent(head, body)


def _since(finding: AuditFinding) -> str:
    first, last, moment = map(_time, (finding.first_seen, finding.last_seen, finding.judged_at))
    return since_text(first, last, moment, is_open=finding.status == "open")


def closing_text(group: Group) -> str:
    """Return what the records of a group tell when a watch of it ends: the worst that goes on, and
    why; "" where they were not read."""
    history = group.history
    if history is None or history.problem:
        return ""
    worst = next(
        (
            finding
            for finding in history.findings
            if finding.status == "open" and finding.severity != "info"
        ),
        None,
    )
    if worst is None:
        return f"its records tell of nothing wrong that goes on ({_coverage(history)})"
    sentences = finding_sentences(worst.explanation, worst.cause, worst.certainty)
    text = short_ids(_without_hosts(sentences.text, group))
    first = f" First: {worst.next_action}" if worst.next_action else ""
    return f"{worst.rule} {_since(worst)}: {text}{first}"


def _without_hosts(text: str, group: Group) -> str:
    """Return the text without the hosts of members that have a client id of their own, whether they
    are in the group now or not."""
    clients = Counter(member.client_id for member in group.members)
    hosts: dict[str, set[str]] = {}
    for client, host in _CLIENT_AND_HOST.findall(text):
        hosts.setdefault(client, set()).add(host)
    for member in group.members:
        hosts.setdefault(member.client_id, set()).add(member.host)
    for client, its_hosts in hosts.items():
        if client and clients[client] <= 1 and len(its_hosts) == 1:
            text = text.replace(f"{client}/{its_hosts.pop()}", client)
    return text


def _time(text: str | None) -> int:
    return 0 if text is None else int(datetime.fromisoformat(text).timestamp() * 1000)


def _coverage(history: GroupHistory) -> str:
    """Return what of the history was read, in words."""
    moment = int(history.until * 1000)
    reach = duration_text(history.until - history.since)
    number = f"{counted(history.rebalances, 'rebalance')} in the last {reach}"
    if not history.whole:
        number += " (the newest records alone were read)"
    if history.last_rebalance is None:
        return number if history.rebalances else f"no rebalance in the last {reach}"
    return f"{number}, the last at {clock_time(int(history.last_rebalance * 1000), moment)}"


def history_line(history: GroupHistory, glyphs: Glyphs) -> HangingIndent:
    """Return what of the group's records was read, or why they were not."""
    if history.problem:
        head = Text(f"{glyphs.warn} ", theme.WARN)
        return HangingIndent(head, Text(_plain(history.problem, glyphs), theme.WARN))
    text = (
        f"its history: {counted(history.records, 'record')} of the group "
        f"since {clock_time(int(history.since * 1000), int(history.until * 1000))} (--since)"
    )
    return HangingIndent(Text(f"{glyphs.dot} ", theme.QUIET), Text(text, theme.QUIET))


def _by_text(
    group: Group, remarks: Sequence[Remark], level: str
) -> Iterator[tuple[Remark, list[str]]]:
    """Yield each distinct remark of a level once, with the names of the members that it is
    about."""
    names = ClientNames(group.members).of(group.members)
    remarks_by_text: dict[tuple[str, str], list[Remark]] = {}
    for remark in remarks:
        if remark.level == level:
            remarks_by_text.setdefault((remark.code, remark.text), []).append(remark)
    for similar in remarks_by_text.values():
        member_names = [names.get(remark.who, remark.who) for remark in similar if remark.who]
        yield similar[0], list(dict.fromkeys(member_names))


def _remark(remark: Remark, names: list[str], brief: Brief, glyphs: Glyphs) -> HangingIndent:
    sign = {"error": glyphs.failed, "warning": glyphs.warn}.get(remark.level, glyphs.dot)
    head = Text(f"{sign} ", LEVEL_STYLES[remark.level])
    body = Text.assemble((f"{remark.code}  ", LEVEL_STYLES[remark.level]))
    if names:
        first = some_of([brief.text(name, "client_id") for name in names], _NAMES)
        body.append(f"{first}: ", theme.TITLE)
    body.append(_plain(remark.text, glyphs))
    if remark.next_action:
        body.append(_plain(f". First: {remark.next_action}", glyphs), theme.TITLE)
    return HangingIndent(head, body)


def _plain(text: str, glyphs: Glyphs) -> str:
    return escaped(text, ascii_only=glyphs.ascii_only)
