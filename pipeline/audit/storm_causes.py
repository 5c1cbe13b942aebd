"""Why a group rebalances again and again: the cause of a storm, by what its last records show.

What the bytes say decides first: a timeout that is not set, config offsets of two Connect clusters,
an error of Streams. Then the most frequent trigger of the rebalances decides; and where members
came and went, how long they stayed. A crash, a leave and a poll limit look alike in the topic, so
such a cause is likely at best.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice, pairwise
from operator import attrgetter
from statistics import mean, median, pstdev
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...history.causes import CAUSES, Certainty
from ...history.finding_sentences import duration_text
from ...rebalance.frameworks import ConnectRound
from ...wording import counted
from .findings import Finding, NamedCause, blame, finding_id
from .group_end import CommitSeen
from .members import Identity, MemberSeen, who
from .round_facts import Round
from .window import RecordChange

if TYPE_CHECKING:
    from ...inspector.shapes.story_shapes import RootCause

__all__ = [
    "MOST_COMPARED",
    "MOST_KEPT",
    "Costs",
    "Stay",
    "Stays",
    "cause_of_stays",
    "clusters_apart",
    "no_costs",
    "poll_limit_cause",
    "stays_in",
    "storm_cause",
    "with_commits",
    "with_logs",
]

_MS = 1000.0
_ABOVE = 0.5  # a member may leave so much of its limit after the limit has passed
_REGULAR = 0.05  # of the mean: how far the times between starts of a clockwork may deviate
_SILENT = 0.8  # of a limit: a member that is slow commits nothing for at least so long
_ONE_BY_ONE = 0.2  # of a limit
_ONE_BY_ONE_MS = 60_000  # a restart takes at most so long, and the next begins within it
_REGULAR_COMMITS = 10  # commits of a partition, from which on its silence says something
_CAUSE = re.compile("; (?:probable )?cause ")
_SETS_APART = 3  # generations in which config offsets have to differ
_NAMED = 5
_FOLLOW_UPS = frozenset({"cooperative-second-round", "unknown"})
_OF_MEMBERS = frozenset({"member-joined", "member-left", "static-member-came-back"})


MOST_KEPT = 64
"""Stays and records that are kept to name a cause; how many there were is counted beside."""
MOST_COMPARED = 4 * MOST_KEPT
"""Stays of several members that are compared with each other."""


class Stay(NamedTuple):
    """How long a member id was in the group, in milliseconds since 1970; `limit` is its rebalance
    timeout, -1 if it joined without one; `session_ms` its session timeout, below 0 where no record
    has it, as in groups whose broker assigns. `is_replaced`: another id of the same identity came
    in the very record in which it was gone."""

    identity: Identity
    start: int
    end: int
    limit: int = 0
    session_ms: int = -1
    is_replaced: bool = False

    @property
    def milliseconds(self) -> int:
        """How long it lasted."""
        return self.end - self.start

    @property
    def is_at_limit(self) -> bool:
        """Whether it ended when the rebalance timeout had passed."""
        most = max(self.limit * _ABOVE, _MS)
        return self.limit > 0 and 0 <= self.milliseconds - self.limit <= most


class Stays:
    """The stays of a stretch or of a member: the last of them, and how many there were."""

    def __init__(self, last: tuple[Stay, ...] = (), count: int = 0, at_limit: int = 0) -> None:
        self.last = last
        self.count = count
        self.at_limit = at_limit
        """How many of all ended when the rebalance timeout had passed."""
        self._cause: NamedCause | None = None

    def plus(self, stay: Stay) -> Stays:
        """Return these stays and one more. These stay as they are, so that a cause can be found
        when it is asked for."""
        last = (*self.last[1 - MOST_KEPT :], stay)
        return Stays(last, self.count + 1, self.at_limit + stay.is_at_limit)

    @property
    def cause(self) -> NamedCause | None:
        """Why they ended; None where there are none."""
        if self._cause is None:
            self._cause = _cause_of_stays(self)
        return self._cause

    @property
    def names(self) -> str:
        """Who came most often of the last, and how many others did."""
        (most_frequent, _), *_ = Counter(stay.identity for stay in self.last).most_common(1)
        more = f" and {counted(self.others, 'other member')}" if self.others else ""
        return who(most_frequent) + more

    @property
    def others(self) -> int:
        """How many members there are among the last stays besides that one."""
        return len({stay.identity for stay in self.last}) - 1

    @property
    def in_turn(self) -> int:
        """How many members came and went as often as the most frequent of them, or once less."""
        counts = Counter(stay.identity for stay in self.last)
        most = max(counts.values(), default=0)
        return sum(count >= most - 1 for count in counts.values()) if most > 1 else 0


def storm_cause(rounds: Sequence[Round], stays: Stays, members: Sequence[MemberSeen]) -> NamedCause:
    """Return the cause of the rebalances between the first and the last of these records; `stays`
    are those that ended meanwhile, `members` those of the last record."""
    for find in _IN_ORDER:
        cause = find(rounds, stays, members)
        if cause is not None:
            triggers = dict(_triggers(rounds).most_common())
            return cause._replace(evidence={**cause.evidence, "triggers": triggers})
    return NamedCause("unknown", "likely", "the records do not tell why")


def _of_last(rounds: Sequence[Round], total: int) -> str:
    """Return how many of the rounds that are kept are counted; with "the last" where there may have
    been more before."""
    return f"the last {total}" if len(rounds) == MOST_KEPT else str(total)


def _triggers(rounds: Sequence[Round]) -> Counter[str]:
    return Counter(
        round_.cause for previous, round_ in pairwise(rounds)
        if round_.generation > previous.generation
    )  # fmt: skip


# -- what the bytes say


def _without_timeout(rounds: Sequence[Round], *_: object) -> NamedCause | None:
    clients = sorted({client for round_ in rounds for client in round_.facts.without_timeout})
    times = sum(bool(round_.facts.without_timeout) for round_ in rounds)
    if 2 * times < len(rounds):
        return None
    share = f"{times} of {_of_last(rounds, len(rounds))} generations"
    return _timeout_unset(clients[:_NAMED], share, {"clients": clients[:_NAMED]})


def _timeout_unset(names: Sequence[str], share: str, evidence: Mapping[str, Any]) -> NamedCause:
    return NamedCause(
        "rebalance-timeout-unset",
        "certain",
        f"{', '.join(names)} joined with a rebalance timeout of -1 in {share}",
        {**evidence, "rebalance_timeout_ms": -1},
    )


def _two_clusters(rounds: Sequence[Round], *_: object) -> NamedCause | None:
    return clusters_apart([round_.facts.connect for round_ in rounds], _SETS_APART)


def clusters_apart(rounds: Sequence[ConnectRound], fewest: int) -> NamedCause | None:
    """Return that Connect workers of two clusters are in one group, if their config offsets differ
    in so many generations; None where the worker that was behind caught up."""
    apart = [round_ for round_ in rounds if len(round_.offsets) > 1]
    together = sum(len(round_.workers) > 1 for round_ in rounds)
    if len(apart) < fewest or 2 * len(apart) < together:
        return None
    lowest = {min(connect.offsets) for connect in apart}
    if max(lowest) >= max(apart[0].offsets):
        return None  # the worker that was behind caught up
    offsets = {
        worker.url or worker.member_id: worker.config_offset
        for worker in apart[-1].workers
        if worker.config_offset is not None
    }
    listed = ", ".join(f"{url} has read to {offset}" for url, offset in sorted(offsets.items()))
    return NamedCause(
        "two-clusters-in-one-group",
        "certain",
        f"the workers' config offsets differ in {len(apart)} of {together} generations: {listed}",
        {"generations_that_differ": len(apart), "config_offsets": offsets},
    )


def _missing_source(rounds: Sequence[Round], *_: object) -> NamedCause | None:
    times = sum(round_.facts.streams.error_code == 1 for round_ in rounds)
    if 2 * times < len(rounds):
        return None
    return NamedCause(
        "source-topic-missing",
        "certain",
        f"error code 1 is in the assignments of {times} of {_of_last(rounds, len(rounds))} "
        "generations",
        {"error_code": 1, "generations_with_error": times},
    )


# -- what the most frequent trigger says


def _most_frequent(
    rounds: Sequence[Round], _: Stays, members: Sequence[MemberSeen]
) -> NamedCause | None:
    triggers = Counter(
        {word: times for word, times in _triggers(rounds).items() if word not in _FOLLOW_UPS}
    )
    if not triggers:
        return None
    of_topics = triggers["metadata-changed"] + triggers["subscription-changed"]
    if 2 * of_topics >= triggers.total():
        return _to_and_fro(rounds, triggers)
    word, times = triggers.most_common(1)[0]
    if word in _OF_MEMBERS or 2 * times < triggers.total():
        return None
    if word == "leader-rejoined":
        return _by_itself(members, times, _of_last(rounds, triggers.total()))
    return _BY_TRIGGER[word](rounds, times, triggers.total()) if word in _BY_TRIGGER else None


def _to_and_fro(rounds: Sequence[Round], triggers: Counter[str]) -> NamedCause:
    """Topics or partitions that change; what was there before comes again where they flap."""
    for field, certainty, what in _TO_AND_FRO:
        states = [getattr(round_.facts, field) for round_ in rounds]
        visits = [state for at, state in enumerate(states) if not at or states[at - 1] != state]
        returns = sum(state in visits[:at] for at, state in enumerate(visits))
        if returns > 1:
            at_least = "at least " if len(rounds) == MOST_KEPT else ""
            changed = set(visits[0]) ^ set(visits[1])
            first, second = (
                _as_text(entry for entry in state if entry in changed) for state in visits[:2]
            )
            return NamedCause(
                "metadata-flapping",
                certainty,
                f"{what} to and fro, {at_least}{len(visits) - 1} times: {first}; then {second}",
                {"changes": len(visits) - 1, "first": first, "then": second},
            )
    word = max(("metadata-changed", "subscription-changed"), key=lambda name: triggers[name])
    text = f"{triggers[word]} of {_of_last(rounds, triggers.total())} rebalances"
    return NamedCause(word, "certain", text)


_TO_AND_FRO: tuple[tuple[str, Certainty, str], ...] = (
    ("sizes", "certain", "the assigned partitions change"),
    ("metadata", "certain", "what the broker sees of the topics changes"),
    ("subscriptions", "likely", "the subscribed topics change"),
)
"""Facts of a round, how certain it is that they change, and how that is said."""


def _as_text(state: Iterable[tuple[str, Any]]) -> str:
    parts = [
        f"{name}: {', '.join(value) or 'nothing'}" if isinstance(value, tuple)
        else f"{value} of {name}"
        for name, value in state
    ][:_NAMED]  # fmt: skip
    return "; ".join(parts) or "nothing"


def _by_itself(members: Sequence[MemberSeen], times: int, total: str) -> NamedCause:
    """Nobody came or went, and the bytes are the same. A single member joins again because of what
    it sees of the topics; among several the leader alone can make the others follow."""
    names = ", ".join(sorted({who(member.identity) for member in members})[:_NAMED])
    unchanged = "nobody came or went, subscriptions and assignments stayed the same"
    if len(members) == 1:
        return NamedCause(
            "metadata-flapping",
            "likely",
            f"{names} joined again by itself in {times} of {total} rebalances; {unchanged}",
            {"members": [names]},
        )
    return NamedCause(
        "leader-rejoined",
        "likely",
        f"in {times} of {total} rebalances {unchanged}: the leader joined again by itself",
        {"members_in_all": len(members)},
    )


def _probing(rounds: Sequence[Round], times: int, total: int) -> NamedCause:
    plans = (round_.facts.streams.next_rebalance_ms for round_ in rounds)
    moments = [time for time in plans if time is not None]
    return NamedCause(
        "probing-rebalance",
        "certain",
        f"{times} of {_of_last(rounds, total)} rebalances came when the assignment had planned one "
        "(nextScheduledRebalance)",
        {"next_rebalance_at": moments[-1]} if moments else {},
    )


def _of_trigger(word: str) -> Callable[[Sequence[Round], int, int], NamedCause]:
    def cause(rounds: Sequence[Round], times: int, total: int) -> NamedCause:
        text = f"{times} of {_of_last(rounds, total)} rebalances"
        return NamedCause(word, "certain", text)

    return cause


_BY_TRIGGER: dict[str, Callable[[Sequence[Round], int, int], NamedCause]] = {
    "probing-rebalance": _probing,
    **{
        word: _of_trigger(word)
        for word in (
            "connect-delayed-rebalance",
            "protocol-changed",
            "rebalance-timeout-unset",
            "static-member-came-back-too-late",
        )
    },
}


# -- how long members stayed


def stays_in(change: RecordChange, since: int) -> Iterator[Stay]:
    """Yield the stays that a record ends, of members that came since then."""
    arrivals = {member.identity for member in change.came}
    for member, began in change.departures:
        if began is not None and began >= since:
            identity = member.identity
            limit = -1 if member.has_no_rebalance_timeout else member.rebalance_timeout
            session_ms = member.session_timeout
            yield Stay(identity, began, change.timestamp, limit, session_ms, identity in arrivals)


def _by_stays(_: Sequence[Round], stays: Stays, __: Sequence[MemberSeen]) -> NamedCause | None:
    return cause_of_stays(stays, stays.in_turn, [stays])


def cause_of_stays(
    all_stays: Stays, in_turn: int = 0, of_group: Iterable[Stays] = ()
) -> NamedCause | None:
    """Return why members came and went, by the last stays; None where none did both. `in_turn`
    members of the group came and went equally often, as a deployment makes them do that ends
    processes which do not close their consumers; `of_group` are the stays of some of these."""
    cause = all_stays.cause
    if cause is None or in_turn < 2:
        return cause
    cause = cause._replace(evidence={**cause.evidence, _IN_TURN: in_turn})
    if cause.word == _SLOW_POLL and _is_one_by_one(
        stay for stays in of_group for stay in stays.last
    ):
        return cause._replace(
            word="rolling-restart",
            text=f"{in_turn} members left one after the other, and each came back before the next "
            f"one left; {cause.text}",
            possible=(_SLOW_POLL, "crash-loop", "session-expired"),
        )
    if cause.word not in _LIKE_A_DEPLOYMENT:
        return cause
    if cause.word != "crash-loop":
        return cause._replace(possible=tuple(dict.fromkeys((*cause.rivals, "rolling-restart"))))
    rivals = [word for word in cause.rivals if word != "rolling-restart"]
    return cause._replace(
        word="rolling-restart",
        text=f"{in_turn} members were started again and again in turn, as deployments do it; "
        f"{cause.text}",
        possible=("crash-loop", *rivals),
    )


_LIKE_A_DEPLOYMENT = frozenset({"crash-loop", "session-expired", "unknown"})
_IN_TURN = "members_in_turn"
_SLOW_POLL = "poll-timeout-exceeded"


class _Absence(NamedTuple):
    """From when until when a member was away between two stays, in milliseconds since 1970."""

    start: int
    end: int
    identity: Identity

    def is_followed_by(self, later: _Absence, soon_ms: float) -> bool:
        """Whether the next member left so soon after this one had come back, and not before."""
        is_other = later.identity != self.identity
        return is_other and 0 <= later.start - self.end <= soon_ms


def _is_one_by_one(stays: Iterable[Stay]) -> bool:
    """Return whether most of the absences between these stays came one by one: a member came back
    before the next one left, within a minute each, or a fifth of their limit. Slow polls of several
    members overlap, or are far apart; where the limit is short, they are not farther than that."""
    of_identity: dict[Identity, list[Stay]] = defaultdict(list)
    soon_ms: float = _ONE_BY_ONE_MS
    for stay in islice(stays, MOST_COMPARED):
        of_identity[stay.identity].append(stay)
        soon_ms = min(soon_ms, max(stay.limit, 0) * _ONE_BY_ONE)
    absences = [
        _Absence(earlier.end, later.start, identity)
        for identity, of_member in of_identity.items()
        for earlier, later in pairwise(sorted(of_member, key=attrgetter("start")))
        if earlier.end <= later.start
    ]
    absences.sort(key=attrgetter("start"))
    in_order = {
        absence
        for pair in pairwise(absences)
        if pair[0].is_followed_by(pair[1], soon_ms)
        for absence in pair
        if absence.end - absence.start <= soon_ms
    }
    return len(in_order) > len(absences) / 2


def _cause_of_stays(all_stays: Stays) -> NamedCause | None:
    if not all_stays.count:
        return None
    stays = [*all_stays.last]
    at_limit = [stay for stay in stays if stay.is_at_limit]
    replaced = [stay for stay in stays if stay.is_replaced]
    name = all_stays.names
    seconds = [round(stay.milliseconds / _MS, 1) for stay in stays[-10:]]
    evidence = {"who": name, "stays": all_stays.count, "stays_s": seconds}
    sessions = [stay.session_ms for stay in stays if stay.session_ms >= 0]
    if sessions:
        evidence["session_timeout_s"] = round(max(sessions) / _MS, 1)
    many = len(stays) / 2
    unset = sum(stay.limit < 0 for stay in stays)
    if unset >= many:
        return _timeout_unset([name], f"{unset} of {counted(len(stays), 'stay')}", evidence)
    if len(at_limit) >= many:
        cause = poll_limit_cause(name, at_limit[-1].limit, counted(all_stays.at_limit, "stay"))
        return cause._replace(evidence={**evidence, **cause.evidence})
    static = [stay for stay in stays if stay.identity.instance_id is not None]
    if len(static) >= many > len(replaced) and sessions:
        return NamedCause(
            "static-member-came-back-too-late",
            "likely",
            f"{name} came back {counted(all_stays.count, 'time')} after its session timeout of "
            f"{_span(sessions)} had removed it",
            evidence,
        )
    return _of_dynamic_members(all_stays, sessions, evidence)


def _span(milliseconds: Sequence[int]) -> str:
    """Return a duration; the shortest and the longest where members differ."""
    ends = dict.fromkeys((min(milliseconds), max(milliseconds)))
    return " to ".join(duration_text(end / _MS) for end in ends)


def _of_dynamic_members(
    all_stays: Stays, sessions: Sequence[int], evidence: Mapping[str, Any]
) -> NamedCause:
    """Return what ended stays that are not all as long as the poll limit: where most are longer, it
    may have passed after some polls; where most are shorter than the session, that did not
    expire."""
    stays, name = [*all_stays.last], all_stays.names
    many = len(stays) / 2
    seconds = median(round(stay.milliseconds / _MS, 1) for stay in stays)
    may_expire = sum(stay.milliseconds < stay.session_ms for stay in stays) < many
    possible = ("session-expired",) if may_expire else ("rolling-restart",)
    if sum(stay.is_replaced for stay in stays) >= many:
        why = "the new process joined before the old one had left"
    elif sum(0 < stay.limit <= stay.milliseconds for stay in stays) >= many:
        return _undecided(all_stays, sessions if may_expire else (), evidence)
    elif not may_expire:
        why = f"most stays are shorter than the session timeout of {_span(sessions)}"
    elif _is_regular(stays):
        why = f"one starts every {_period(stays):.0f} s or so"
    elif not sessions:
        why = (
            f"{counted(all_stays.count, 'stay')}, of {seconds:g} s in the middle; no record has "
            "the session timeout"
        )
    else:
        return NamedCause(
            "session-expired",
            "likely",
            f"{name} came and went {counted(all_stays.count, 'time')} and stayed longer than its "
            f"session timeout of {_span(sessions)} each time, {seconds:g} s in the middle",
            evidence,
            (*_OF_EXPIRY, "crash-loop"),
        )
    starts = "start" if all_stays.others else "starts"
    text = f"{name} {starts} again and again: {why}"
    return NamedCause("crash-loop", "likely", text, evidence, possible)


_OF_EXPIRY = ("process-died", "process-stood-still", "network-cut")


def _undecided(stays: Stays, sessions: Sequence[int], evidence: Mapping[str, Any]) -> NamedCause:
    """Return that members which stay longer than their poll limit may have polled for a while and
    then no more, as well as ended: nothing in a record tells one from the other. There
    are no sessions where they did not expire, or no record has them."""
    limits = [stay.limit for stay in stays.last if stay.limit > 0]
    may_expire = bool(sessions)
    session = f" and the session timeout of {_span(sessions)}" if sessions else ""
    return NamedCause(
        "unknown",
        "likely",
        f"{stays.names} came and went {counted(stays.count, 'time')} and stayed longer than the "
        f"rebalance timeout of {_span(limits)} (in Java max.poll.interval.ms){session}: "
        "records do not tell whether a limit passed or the process ended",
        {**evidence, "rebalance_timeout_s": max(limits) / _MS},
        ("poll-timeout-exceeded", *("session-expired",) * may_expire, "crash-loop"),
    )


def poll_limit_cause(name: str, limit_ms: int, stays: str) -> NamedCause:
    """Return the cause of stays, so many in words, that ended when the rebalance timeout had
    passed."""
    return NamedCause(
        "poll-timeout-exceeded",
        "likely",
        f"{stays} of {name} ended, each after about "
        f"{duration_text(limit_ms / _MS)}, its rebalance timeout (in Java max.poll.interval.ms)",
        {"rebalance_timeout_s": limit_ms / _MS},
    )


Costs: TypeAlias = Callable[[str, int], Mapping[str, Any]]
"""Returns what the rebalances of a group did to its data from a moment on (in milliseconds since
1970), as evidence; {} where that is not known."""


def no_costs(_group_id: str, _since: int) -> Mapping[str, Any]:
    """Return that nothing is known of what rebalances did."""
    return {}


def with_logs(
    findings: Iterable[Finding], causes: Sequence[RootCause], latest_ms: int
) -> Iterator[Finding]:
    """Yield the findings as logs of the group, up to this time, leave them: a cause that a line
    proves about the same member takes the place of a guess that does not exclude it."""
    for finding in findings:
        guesses = (finding.cause, *finding.rivals) if finding.certainty == "likely" else ()
        proven = next((cause for cause in causes if _proves(cause, finding, guesses)), None)
        yield (
            finding
            if proven is None or latest_ms < finding.first_seen
            else _as_logged(finding, proven)
        )


def _proves(cause: RootCause, finding: Finding, guesses: Sequence[str | None]) -> bool:
    member, _, _ = str(finding.evidence.get("who", "")).removeprefix("instance ").partition("/")
    return cause.certain and cause.cause in guesses and member in cause.summary


def _as_logged(finding: Finding, proven: RootCause) -> Finding:
    lines = [f"{line.source}:{line.line}" for line in proven.evidence[:_NAMED]]
    cause = NamedCause(proven.cause, "certain", proven.summary.rstrip("."), {"lines": lines})
    return _with_cause(finding, cause, proven.next_step)


def with_commits(
    findings: Iterable[Finding], commits: Sequence[CommitSeen], costs: Costs = no_costs
) -> Iterator[Finding]:
    """Yield the findings as the group's commits leave them. A member whose poll limit passes does
    not commit meanwhile; where no partition was ever without a commit for so long, the members that
    left after that time were restarted."""
    findings = list(_in_one(list(findings)))
    if not any(
        finding.cause in _OF_SLOW_POLLS or finding.rule in COSTLY_RULES for finding in findings
    ):
        yield from findings  # the commits of few groups are looked at
        return
    regular = [commit for commit in commits if commit.commits >= _REGULAR_COMMITS]
    longest = max((commit.longest_gap_ms for commit in regular), default=0)
    latest = max((commit.last for commit in regular), default=0)
    is_one_by_one = any(_may_be_restarts(finding) for finding in findings)
    for finding in findings:
        limit = finding.evidence.get("rebalance_timeout_s", 0) * _MS
        is_refuted = (
            (finding.cause in _OF_SLOW_POLLS or _may_be_restarts(finding))
            and finding.certainty == "likely"
            and limit
            and regular
            and longest < limit * _SILENT
            and latest >= finding.first_seen
        )
        if (is_refuted or is_one_by_one) and finding.rule == "slow-poll":
            continue
        decided = _as_crash_loop(finding, longest) if is_refuted else finding
        is_costly = finding.rule in COSTLY_RULES
        decided = _with_deployments(decided)
        yield _with_costs(decided, commits, costs) if is_costly else decided


def _may_be_restarts(finding: Finding) -> bool:
    """Return whether restarts one by one are likelier than slow polls, which are not excluded."""
    return finding.cause == "rolling-restart" and _SLOW_POLL in finding.rivals


def _with_deployments(finding: Finding) -> Finding:
    """Return the finding with what to do where a deployment is behind it, if one may be."""
    if not _is_of_deployment(finding):
        return finding
    revised = copy(finding)
    otherwise = finding.next_action
    if "crash-loop" in finding.rivals:
        otherwise = CAUSES["crash-loop"].advice
    revised.next_action = f"{_CLOSE} {otherwise}"
    return revised


def _is_of_deployment(finding: Finding) -> bool:
    return _IN_TURN in finding.evidence and "rolling-restart" in (finding.cause, *finding.rivals)


def _in_one(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings, with one in place of those on members that came and went in turn."""
    in_turn = [
        finding for finding in findings
        if finding.rule == "flapping-member" and _is_of_deployment(finding)
    ]  # fmt: skip
    if len({finding.cause for finding in in_turn}) != 1 or len(in_turn) < 2:
        yield from findings
        return
    times = [finding.evidence["times"] for finding in in_turn]
    longest = max(in_turn, key=lambda finding: finding.evidence["seconds"])
    merged = copy(max(in_turn, key=lambda finding: (finding.status == "open", finding.count)))
    names = sorted(finding.evidence["who"] for finding in in_turn)
    often = str(min(times)) if min(times) == max(times) else f"{min(times)} to {max(times)}"
    event = (
        f"{_listed(names)} joined in turn, {often} times each, in "
        f"{duration_text(longest.evidence['seconds'])}"
    )
    cause = _CAUSE.search(merged.explanation)
    merged.explanation = event + merged.explanation[cause.start() :] if cause else event
    merged.finding_id = finding_id(merged.cluster_id, merged.group_id, merged.rule, _IN_TURN)
    merged.severity = max((finding.severity for finding in in_turn), key=attrgetter("rank"))
    merged.first_seen = min(finding.first_seen for finding in in_turn)
    merged.last_seen = max(finding.last_seen for finding in in_turn)
    merged.evidence = {**merged.evidence, "members": names}
    yield from (finding for finding in findings if finding not in in_turn)
    yield merged


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    if more > 0:
        return f"{', '.join(names[:_NAMED])} and {counted(more, 'other member')}"
    return f"{', '.join(names[:-1])} and {names[-1]}"


_CLOSE = (
    "If a deployment restarts the members one by one, close the consumer on SIGTERM: a member "
    "that leaves is not waited for until its session ends. Otherwise:"
)


_OF_SLOW_POLLS = frozenset({"poll-timeout-exceeded", "unknown"})

COSTLY_RULES = frozenset({"rebalance-storm", "flapping-member", "slow-poll", "static-ping-pong"})
"""Those about rebalances again and again, which have a cost."""


def _with_costs(finding: Finding, commits: Sequence[CommitSeen], costs: Costs) -> Finding:
    """Return the finding with what its rebalances did to the data, as far as commits tell. Where
    single commits are not known, as to a follower, their sums tell less."""
    sums = costs(finding.group_id or "", finding.first_seen)
    sums = sums or _costs_by_sums(commits, finding.first_seen)
    revised = copy(finding)
    revised.evidence = {**finding.evidence, **sums}
    revised.explanation += _in_words(sums)
    return revised


_OF_SUMS = "the sums of commits do not tell which rebalance cost what"


def _in_words(costs: Mapping[str, Any]) -> str:
    skips = costs.get("records_skipped", 0)
    texts = [text for text in (_read_again(costs),) if text]
    texts += [f"{counted(skips, 'record')} skipped"] * bool(skips)
    longest = costs.get("longest_without_commit_ms", 0) / _MS
    if longest:
        partition = (
            "a partition that was assigned anew"
            if "rebalances_with_cost" in costs
            else "a partition"
        )
        texts.append(f"{partition} without a commit for {longest:,.1f} s at most")
    return f"; its rebalances cost: {', '.join(texts)}" if texts else ""


def _read_again(costs: Mapping[str, Any]) -> str:
    """Return how many records were read twice: at least those by which commits went back, at most
    what may have been read and not committed besides."""
    least = costs.get("records_read_again") or 0
    estimate = costs.get("records_read_again_at_most") or 0
    is_of_sums = costs.get("not_known") == _OF_SUMS
    if least:
        most = f", at most {least + estimate:,}" if estimate else _ASK_AUDIT * is_of_sums
        return f"at least {counted(least, 'record')} read twice{most}"
    if estimate:
        return (
            f"at most {counted(estimate, 'record')} read twice that had been read and not "
            "committed (no commit went back: no record says how many at least)"
        )
    return f"perhaps records read twice{_ASK_AUDIT}" if is_of_sums else ""


_ASK_AUDIT = " (kproto audit says at most how many)"


def _costs_by_sums(commits: Sequence[CommitSeen], since: int) -> dict[str, Any]:
    regular = [commit for commit in commits if commit.commits > 1 and commit.last >= since]
    if not regular:
        return {"not_known": "no commits of this group: nothing tells what was read twice"}
    again = [
        commit.records_again
        for commit in commits
        if commit.records_again and commit.rewound is not None and commit.rewound[0] >= since
    ]
    return {
        "records_read_again": sum(again) or None,  # what was not committed leaves no trace
        "longest_without_commit_ms": max(commit.longest_gap_ms for commit in regular),
        "not_known": _OF_SUMS,
    }


def _as_crash_loop(finding: Finding, longest_gap_ms: int) -> Finding:
    is_in_turn = _IN_TURN in finding.evidence
    cause = NamedCause(
        "rolling-restart" if is_in_turn else "crash-loop",
        "likely",
        "members leave again and again, and no poll was slow: no partition was without a commit "
        f"for more than {longest_gap_ms / _MS:.0f} s",
        {"longest_time_without_commit_s": longest_gap_ms / _MS},
        (*("crash-loop",) * is_in_turn, "session-expired"),
    )
    return _with_cause(finding, cause)


def _with_cause(finding: Finding, cause: NamedCause, next_step: str = "") -> Finding:
    """Return the finding with another cause, and with what to do about it."""
    revised = copy(finding)
    revised.explanation = f"{_CAUSE.split(finding.explanation, maxsplit=1)[0]}; {cause.sentence}"
    revised.evidence = {**finding.evidence, **cause.evidence}
    blame(revised, "", cause)
    revised.next_action = next_step or revised.next_action
    return revised


def _starts(stays: Sequence[Stay]) -> Iterator[float]:
    """Yield the times between two starts of one identity, in seconds."""
    starts: dict[Identity, list[int]] = defaultdict(list)
    for stay in stays:
        starts[stay.identity].append(stay.start)
    for times in starts.values():
        yield from ((later - earlier) / _MS for earlier, later in pairwise(sorted(times)))


def _is_regular(stays: Sequence[Stay]) -> bool:
    periods = list(_starts(stays))
    return len(periods) > 1 and pstdev(periods) <= _REGULAR * mean(periods)


def _period(stays: Sequence[Stay]) -> float:
    return mean(_starts(stays))


_Find: TypeAlias = Callable[[Sequence[Round], Stays, Sequence[MemberSeen]], NamedCause | None]
_IN_ORDER: tuple[_Find, ...] = (
    _without_timeout,
    _two_clusters,
    _missing_source,
    _most_frequent,
    _by_stays,
)
