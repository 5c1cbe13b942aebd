"""What proves why a rebalance began: the reasons that coordinators and members state, and what is
left open where a member states none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from .causes import CAUSES
from .programs import Programs
from .timeline import Fact, Line, client_of

__all__ = [
    "AT_ONCE_MS", "RETURN_MS", "WHY_OUT", "Departures", "LikelyCause", "cause_of_fact",
    "cause_of_reason",
    "causes_of_reason", "coordinator_cause", "delay_of", "doubted", "of_connect_assignment",
    "of_departure", "second_round_last",
]  # fmt: skip


RETURN_MS = 600_000.0
"""How long a client may be away and still be said to come back."""
WHY_OUT = (
    "process-stood-still", "network-cut", "rebalance-timeout", "sync-not-sent", "removed-by-admin",
)  # fmt: skip
"""Why a coordinator may have removed a member that learns of it later."""
AT_ONCE_MS = 10_000.0
"""How soon after its poll limit has passed a member leaves."""
_NOT_STATED = ("", "not provided")


class LikelyCause(NamedTuple):
    """A cause (a word of `CAUSES`), with the lines that show it. Where not `is_certain`,
    `rivals` are the causes that would leave the same lines."""

    cause: str
    is_certain: bool = True
    member: str = ""
    client: str = ""
    rivals: tuple[str, ...] = ()
    evidence: tuple[Line, ...] = ()


def doubted(cause: LikelyCause) -> LikelyCause:
    """Return a cause that some rebalance had, of which it is not sure that it is this one."""
    rivals = cause.rivals or CAUSES[cause.cause].rivals or ("unknown",)
    return cause._replace(is_certain=False, rivals=rivals)


def second_round_last(cause: LikelyCause) -> LikelyCause:
    """Return a cause that is likely a second round with its rivals in front of that, for where
    another explanation is nearer."""
    if cause.is_certain or cause.cause != "cooperative-second-round" or not cause.rivals:
        return cause
    first, *others = cause.rivals
    return cause._replace(cause=first, rivals=(*others, cause.cause))


def _likely(word: str, *rivals: str) -> tuple[str, bool, tuple[str, ...]]:
    return word, False, rivals or CAUSES[word].rivals


def _certain(word: str) -> tuple[str, bool, tuple[str, ...]]:
    return word, True, ()


_CLIENT_REASONS = (
    ("consumer poll timeout has expired", _certain("poll-timeout-exceeded")),
    ("max poll interval", _certain("poll-timeout-exceeded")),
    ("removed by an admin", _certain("removed-by-admin")),
    ("cached metadata has changed", _certain("metadata-changed")),
    # By its application, or by a topic that its pattern now has.
    ("subscription has changed", _likely("subscription-changed", "metadata-changed")),
    ("need to revoke partitions", _certain("cooperative-second-round")),
    # franz-go, to its application's log.
    ("after revoking what we lost from a rebalance", _certain("cooperative-second-round")),
    ("noticed some topics have new partitions", _certain("metadata-changed")),
    ("partitions on topics another member is consuming have changed", _certain("metadata-changed")),
    ("there are more topics to consume", _likely("metadata-changed", "subscription-changed")),
    ("triggered followup rebalance scheduled for 0", _certain("cooperative-second-round")),
    ("triggered followup rebalance", _certain("probing-rebalance")),
    ("CoordinatorLoadInProgressException", _likely("coordinator-restarted", "coordinator-moved")),
    ("coordinator is loading", _likely("coordinator-restarted", "coordinator-moved")),
)
"""What a client gives as its reason, and what that proves."""

_REASONS = (
    # 2.1 and 2.2 end with the member.
    (r"adding new member (?P<member>.+?)(?: with group instance ?id |$)",
     _certain("member-joined")),
    (r"removing member (?P<member>.+?) on heartbeat expiration", _certain("session-expired")),
    (r"removing member (?P<member>.+?) on LeaveGroup", _certain("member-left")),
    (r"explicit `?LeaveGroup`? request for \((?P<member>.*)\) members", _certain("member-left")),
    (r"removing (?:\w+\(|\[)(?P<member>.*?)[)\]] on pending sync request expiration",
     _certain("sync-not-sent")),
    # With the cooperative protocol a second round is the same line: what a member owns has changed.
    (r"leader (?P<member>.+?) re-joining group during", _likely("cooperative-second-round",
     "leader-rejoined", "metadata-changed", "subscription-changed")),
    (r"updating metadata for static member (?P<member>.+?)(?: with instance id |$)",
     _certain("static-member-came-back")),
    (r"selectedProtocol will change because static member (?P<member>.+?)(?: with instance id |$)",
     _certain("static-member-came-back")),
    (r"updating metadata for member (?P<member>.+?) during", _likely("cooperative-second-round",
     "subscription-changed", "metadata-changed")),
    # To 2.5, of the leader as well.
    (r"updating metadata for member (?P<member>\S+)$", _likely("cooperative-second-round",
     "leader-rejoined", "subscription-changed", "metadata-changed")),
    (r"new member (?P<member>.+?) joined", _certain("member-joined")),
    # Of a replica that is missing, or of another leader, Java's coordinator names other errors.
    ((r"error UNKNOWN_SERVER_ERROR when storing group assignment ?during SyncGroup "
     r"\(member: (?P<member>.+?)\)"), _likely("group-record-too-large", "broker-fault")),
    # Too large, too few replicas in sync, or the partition has another leader by now.
    (r"error when storing group assignment during SyncGroup \(member: (?P<member>.+?)\)",
     _likely("group-record-too-large", "coordinator-moved", "broker-fault")),
)  # fmt: skip
_REASONS_COMPILED = tuple((re.compile(text, re.IGNORECASE), cause) for text, cause in _REASONS)
_CLIENT_REASON = re.compile(
    r"client reason: (?P<reason>.*?)\)?\.?\s*(?:\([\w.$]+\)\s*)?(?:\[[\w #-]+\]\s*)?$", re.DOTALL
)
"""At the end of a line its logger and its thread may follow."""


def cause_of_reason(text: str) -> tuple[str, bool, tuple[str, ...]] | None:
    """Return what a client's reason proves, None where it proves nothing."""
    return next((cause for phrase, cause in _CLIENT_REASONS if phrase in text), None)


def _of_another_reason(
    proof: tuple[str, bool, tuple[str, ...]],
) -> tuple[str, bool, tuple[str, ...]]:
    """Return what a line proves whose client states a reason that is not known: Java's states it of
    a second round."""
    cause = second_round_last(LikelyCause(proof[0], proof[1], rivals=proof[2]))
    return cause.cause, cause.is_certain, cause.rivals


def causes_of_reason(reason: str, lines: Iterable[Line]) -> list[LikelyCause]:
    """Return the causes that the reason of a coordinator's rebalance names."""
    evidence = tuple(lines)
    for expression, proof in _REASONS_COMPILED:
        match = expression.search(reason)
        if match is None:
            continue
        stated = _CLIENT_REASON.search(reason)
        is_by_client = stated is not None and proof[0] != "member-joined"
        of_client = cause_of_reason(stated["reason"]) if stated and is_by_client else None
        is_other = of_client is None and stated and stated["reason"] not in _NOT_STATED
        of_line = _of_another_reason(proof) if is_other else proof
        word, is_certain, rivals = of_client or of_line
        members = [member for member in match["member"].split(", ") if member]
        if not members:  # an administrator's tool names instance ids, and no members
            return [
                LikelyCause("removed-by-admin", False, rivals=("member-left",), evidence=evidence)
            ]
        return [
            LikelyCause(word, is_certain, member, client_of(member), rivals, evidence)
            for member in members
        ]
    return []


def of_departure(fact: Fact) -> LikelyCause:
    """Return a member's leave as a cause: what its reason proves, else that it left."""
    stated = cause_of_reason(str(fact.fields.get("reason", "")))
    word, is_certain, rivals = stated or _certain("member-left")
    return cause_of_fact(fact, word, is_certain, rivals)


_DELAY = re.compile(r"\bdelay=(\d{1,18})\b")
_REVOKED = re.compile(r"\brevoked(?:ConnectorIds|TaskIds)=\[[^\]]")


def delay_of(fact: Fact) -> int:
    """Return for how many milliseconds an assignment of Connect holds work back."""
    match = _DELAY.search(str(fact.fields.get("detail", "")))
    return int(match[1]) if match else 0


def of_connect_assignment(fact: Fact) -> LikelyCause | None:
    """Return why a worker joins again after an assignment: what it gives back, another one gets in
    a second round, and what is held back is given out after the delay."""
    if _REVOKED.search(str(fact.fields.get("detail", ""))):
        return cause_of_fact(fact, "cooperative-second-round")
    return cause_of_fact(fact, "connect-delayed-rebalance") if delay_of(fact) else None


def cause_of_fact(
    fact: Fact, word: str, is_certain: bool = True, rivals: tuple[str, ...] = ()
) -> LikelyCause:
    """Return a fact as a cause, of the member that it names."""
    client = fact.client_id or fact.instance
    return LikelyCause(word, is_certain, fact.member, client, rivals, tuple(fact.lines))


def coordinator_cause(facts: Iterable[Fact]) -> str:
    """Return why a group was loaded, by the brokers that loaded and unloaded it; "" if none did."""
    brokers: dict[str, set[object]] = {"group-loaded": set(), "group-unloaded": set()}
    for fact in facts:
        if fact.event in brokers:
            brokers[fact.event].add(fact.fields.get("broker"))
    loaded, unloaded = brokers.values()
    if not loaded:
        return ""
    has_moved = unloaded and len((loaded | unloaded) - {None}) > 1
    return "coordinator-moved" if has_moved else "coordinator-restarted"


class Departures:
    """What a group's facts tell of members that left without a reason: that their applications did
    not poll in time, that they were closed, or that they came back, which leaves both open."""

    def __init__(self, facts: Iterable[Fact], programs: Programs) -> None:
        self._programs = programs
        self._leaves: dict[str, list[Fact]] = {}
        self._told: list[Fact] = []
        self._nameless: list[Fact] = []
        """Leaves of clients whose logs, cut as they are, do not name the member."""
        for fact in facts:
            if fact.event == "leaves" and fact.member:
                self._leaves.setdefault(fact.member, []).append(fact)
            elif fact.event == "leaves":
                self._nameless.append(fact)
            elif fact.event in ("poll-timeout", "closed"):
                self._told.append(fact)

    def judged(self, cause: LikelyCause) -> LikelyCause:
        """Return a cause: where it is that a member left, as far as that is why."""
        if cause.cause != "member-left" or not cause.is_certain or not cause.member:
            return cause
        leaves = self._leaves.get(cause.member, [])
        # Where the broker assigns, a member that comes back has the id that it had.
        leaves = [fact for fact in leaves if {*fact.lines} & {*cause.evidence}] or [*leaves]
        reasons = [str(fact.fields.get("reason", "")) for fact in leaves]
        reasons += [match["reason"] for line in cause.evidence
                    if (match := _CLIENT_REASON.search(line.text))]  # fmt: skip
        stated = [reason for reason in reasons if reason not in _NOT_STATED]
        if stated:
            word, is_certain, rivals = cause_of_reason(stated[0]) or _certain("member-left")
            return cause._replace(cause=word, is_certain=is_certain, rivals=rivals)
        leaves += [
            fact for fact in self._nameless
            if fact.client and any(
                fact.client == leave.client_id and abs(fact.order - leave.order) < AT_ONCE_MS
                for leave in leaves
            )
        ]  # fmt: skip
        beside = [fact for leave in leaves for fact in self._beside(leave)]
        for fact in beside:
            if fact.event == "poll-timeout":
                evidence = (*fact.lines, *cause.evidence)
                return cause._replace(cause="poll-timeout-exceeded", evidence=evidence)
        if beside:
            return cause
        others = () if "not provided" in reasons else ("removed-by-admin",)
        possible = tuple(
            word for word in ("poll-timeout-exceeded", *others)
            if self._programs.can_have(cause.client, word)
        )  # fmt: skip
        if "poll-timeout-exceeded" in possible and self._is_mostly_late(cause.client):
            rivals = ("member-left", *possible[1:])
            return cause._replace(cause=possible[0], is_certain=False, rivals=rivals)
        return cause._replace(is_certain=not possible, rivals=possible)

    def _beside(self, leave: Fact) -> list[Fact]:
        """What a member's own log, if it tells of its leave, tells at that moment."""
        if not (leave.side == "client" or leave.fields.get("is_own")):
            return []
        return [
            fact for fact in self._told
            if fact.client == leave.client_id and abs(fact.order - leave.order) < AT_ONCE_MS
        ]  # fmt: skip

    def _is_mostly_late(self, client: str) -> bool:
        """Whether most of a client's leaves are because it did not poll: its own log has a line
        for these, and none that would tell which leaves of the coordinator's log they are."""
        return bool(client) and 2 * self._timeouts[client] > self._departed[client]

    @cached_property
    def _timeouts(self) -> Counter[str]:
        moments = {
            (fact.client, fact.order) for fact in self._told if fact.event == "poll-timeout"
        }  # a line that a collector has doubled is one
        return Counter(client for client, _ in moments)

    @cached_property
    def _departed(self) -> Counter[str]:
        return Counter(fact.client_id for facts in self._leaves.values() for fact in facts)
