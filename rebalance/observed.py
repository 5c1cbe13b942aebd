"""What happened in a group, in one form for all who know of it: a look at it, its history, and the
story that logs tell. Clients' settings are judged by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..clients.settings import ClientSettings
from ..history.causes import CAUSES
from ..history.group_facts import GroupCause, GroupFacts, names_of, triggered
from ..history.polls import longest_between_polls
from ..history.timeline import Line, client_of
from ..inspector.shapes.group_shapes import Group
from ..wording import counted, times

__all__ = ["Happening", "MemberTimeouts", "Observed", "observed_in_look", "observed_in_story"]


class Happening(NamedTuple):
    """What happened in a group, in words, and how often; `longest_ms` is how long it took at most,
    0 where that is not known; `clients` are the client ids that it happened to, none where nothing
    tells."""

    text: str
    times: int = 1
    longest_ms: int = 0
    clients: frozenset[str] = frozenset()
    evidence: tuple[str, ...] = ()
    is_certain: bool = True


class MemberTimeouts(NamedTuple):
    """What a member told the coordinator when it joined; -1 is what is not known."""

    client: str
    session_ms: int
    rebalance_ms: int


class Observed(NamedTuple):
    """What is known of a group. `happenings` are by words of `history.causes`, and by these:
    "out-of-range", "no-commit", "stalled", "rewound", "unreleased-instance"."""

    group: str
    kind: str = ""
    assignor: str = ""
    members: tuple[MemberTimeouts, ...] = ()
    happenings: Mapping[str, Happening] = MappingProxyType({})
    broker: Mapping[str, str] = MappingProxyType({})
    commit_interval_ms: float = 0.0

    def of(self, settings: ClientSettings, *words: str) -> Happening | None:
        """Return the first of these that happened to the client of the settings."""
        name = settings.client_id
        for word in words:
            happening = self.happenings.get(word)
            if happening is not None and (
                not name or not happening.clients or name in happening.clients
            ):
                return happening
        return None

    def members_of(self, settings: ClientSettings) -> Sequence[MemberTimeouts]:
        """Return the members that have the settings: those with their client id, where some do."""
        name = settings.client_id
        namesakes = [member for member in self.members if name and member.client == name]
        return namesakes or self.members


# -- a look at a group

_BY_REMARK = {
    "beyond-the-end": "out-of-range",
    "below-the-start": "out-of-range",
    "no-commit": "no-commit",
}


def observed_in_look(group: Group) -> Observed:
    """Return what one look at a group tells of what happened."""
    happenings: dict[str, Happening] = {}
    for remark in group.remarks:
        word = remark.cause or _BY_REMARK.get(remark.code, "")
        if word and word not in happenings:
            is_certain = remark.certainty != "likely"
            happenings[word] = Happening(remark.text, is_certain=is_certain)
    without = sum(row.offset is None for row in group.partitions if row.members and row.end)
    if without and all(row.offset is None for row in group.partitions):
        happenings["no-commit"] = Happening(
            f"nothing is committed for {counted(without, 'partition')}"
        )
    return Observed(
        group.group_id,
        group.kind,
        group.protocol if group.kind == "classic" else "",
        happenings=happenings,
        broker=group.settings,
    )


# -- a story

_OF_STORY = (
    "poll-timeout-exceeded", "session-expired", "no-common-assignor", "instance-id-used-twice",
    "static-member-came-back-too-late", "rolling-restart", "crash-loop", "commit-failed",
    "offsets-expired", "offsets-out-of-range",
)  # fmt: skip


def observed_in_story(view: GroupFacts, kind: str, causes: Sequence[GroupCause]) -> Observed:
    """Return what the lines of logs tell of what happened; `causes` are those of the group."""
    happenings = {
        word: happening for word in _OF_STORY if (happening := _happening(view, causes, word))
    }
    unreleased = view.errors("UNRELEASED_INSTANCE_ID")
    if unreleased:
        happenings["unreleased-instance"] = Happening(
            f"{names_of(unreleased)} was refused with UNRELEASED_INSTANCE_ID",
            len(unreleased),
            evidence=_texts(line for fact in unreleased for line in fact.lines),
        )
    timeouts = [
        MemberTimeouts(fact.client, -1, int(fact.fields["limit_ms"]))
        for fact in view.facts("poll-timeout")
        if "limit_ms" in fact.fields
    ]
    protocols = [
        str(fact.fields["protocol"])
        for fact in view.facts("joined", "leader-assigns", "assigned")
        if fact.fields.get("protocol")
    ]
    assignor = protocols[-1] if protocols and kind == "classic" else ""
    return Observed(view.timeline.group, kind, assignor, tuple(timeouts), happenings)


def _happening(view: GroupFacts, causes: Sequence[GroupCause], word: str) -> Happening | None:
    roots = [cause for cause in causes if cause.cause == word]
    single = triggered(view, word)
    if not roots and not single:
        return None
    polls = view.facts("poll-timeout") if word == "poll-timeout-exceeded" else []
    clients = {cause.client or client_of(cause.member) for cause in single}
    clients |= {fact.client or client_of(fact.member) for fact in polls}
    longest = longest_between_polls(view) if polls else None
    count = max(len(single), len(polls), 1)
    text = (
        roots[0].summary.rstrip(".")
        if roots
        else f"{names_of(single)}, {times(count)}: {CAUSES[word].what}"
    )
    lines = roots[0].evidence if roots else tuple(line for c in single for line in c.evidence)
    is_certain = any(root.is_certain for root in roots) or any(c.is_certain for c in single)
    return Happening(
        text, count, longest or 0, frozenset(clients - {""}), _texts(lines), is_certain
    )


_MOST_LINES = 3


def _texts(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{line.source}, line {line.line}" for line in lines))[:_MOST_LINES]
