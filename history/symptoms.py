"""What a group looks like that a known fault of a client or a broker has hit.

Each symptom says what the facts show, not why: `known_faults` compares it with the releases. Other
causes leave most of these traces, too; they are the symptom's rivals.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from .group_facts import GroupFacts
from .reasons import RETURN_MS
from .rebalances import LogRebalance
from .timeline import Fact

__all__ = ["SYMPTOMS", "Symptom"]

_AT_ONCE_MS = 1_000.0
_REPEATED = 3
"""Times from which something is a pattern."""
_STUCK_MS = 360_000.0
"""Longer than the usual max.poll.interval.ms, which bounds the join phase."""
_LONG_MS = 1_000.0
"""How long a rebalance is under way before a session that ends belongs to it."""


class Symptom(NamedTuple):
    """A symptom: `text` says of `{who}` what is seen, `rivals` are the causes with the same traces,
    `look` finds the facts that show it. `is_of_broker`: it shows a fault of the coordinator."""

    text: str
    rivals: tuple[str, ...]
    look: Callable[[GroupFacts], Sequence[Fact]]
    is_of_broker: bool = False


def _departures(view: GroupFacts) -> set[str]:
    return {
        fact.member for fact in view.facts("leaves", "member-removed", "member-fenced")
        if fact.member
    }  # fmt: skip


def _joins(view: GroupFacts) -> list[Fact]:
    """The joins of new members that the coordinator or its frames tell."""
    return [
        fact for fact in view.facts("joins")
        if fact.side != "client" and fact.member and not fact.fields.get("replaces")
    ]  # fmt: skip


def _phase(rebalance: LogRebalance) -> float | None:
    """How long members joined, in milliseconds."""
    if rebalance.began is None or rebalance.joined is None:
        return None
    return rebalance.joined - rebalance.began


def _thrown_out(view: GroupFacts) -> list[Fact]:
    """Clients that joined again although nothing tells that their earlier members went, in rounds
    that waited for nobody."""
    if not any((phase := _phase(rebalance)) is not None and phase < _AT_ONCE_MS
               for rebalance in view.rebalances[1:]):  # fmt: skip
        return []
    departures = _departures(view)
    latest: dict[str, str] = {}
    returns: list[Fact] = []
    for fact in _joins(view):
        client = fact.client_id
        earlier = latest.get(client)
        if client and earlier not in (None, fact.member) and earlier not in departures:
            returns.append(fact)
        latest[client] = fact.member
    counts = Counter(fact.client_id for fact in returns)
    repeated = [fact for fact in returns if counts[fact.client_id] >= 2]
    return repeated if len(repeated) >= _REPEATED else []


def _open_phases(view: GroupFacts) -> Iterator[tuple[LogRebalance, float]]:
    """Each rebalance that the coordinator tells, with the time until which it was under way."""
    ends = [*(later.began for later in view.rebalances[1:]), None]
    for rebalance, end in zip(view.rebalances, ends, strict=False):
        if rebalance.is_broker and rebalance.began is not None and not rebalance.is_empty:
            yield rebalance, view.end if end is None else end


def _facts_of(view: GroupFacts, rebalance: LogRebalance) -> list[Fact]:
    return [
        fact for fact in view.facts("rebalance-began", "stabilized")
        if fact.generation == rebalance.generation and fact.side == "broker"
    ]  # fmt: skip


def _join_stuck(view: GroupFacts) -> list[Fact]:
    return [
        fact
        for rebalance, end in _open_phases(view)
        if rebalance.began is not None and (rebalance.joined or end) - rebalance.began > _STUCK_MS
        for fact in _facts_of(view, rebalance)
    ]


def _sync_stuck(view: GroupFacts) -> list[Fact]:
    return [
        fact
        for rebalance, end in _open_phases(view)
        if rebalance.is_classic and rebalance.joined is not None and rebalance.ended is None
        and end - rebalance.joined > _STUCK_MS
        for fact in _facts_of(view, rebalance)
    ]  # fmt: skip


def _static_before_assignment(view: GroupFacts) -> list[Fact]:
    """Restarts of static members for which the coordinator says that the group waited for its
    assignment, or tells so by its lines before and after, as brokers before 2.5 do."""
    waits = [
        (rebalance.joined, rebalance.ended)
        for rebalance in view.rebalances
        if rebalance.is_broker and rebalance.joined is not None and rebalance.ended is not None
    ]
    return [
        fact for fact in view.facts("joins")
        if fact.fields.get("replaces")
        and ("CompletingRebalance" in fact.fields.values()
             or (fact.side == "broker"
                 and any(begin < fact.order < end for begin, end in waits)))
    ]  # fmt: skip


def _joins_pile_up(view: GroupFacts) -> list[Fact]:
    """Three members and more of one client that joined within one join phase, and of which most
    were never heard of again. Brokers before 2.8 tell of the first of them that it joined, and of
    all that their sessions ended at one moment, after a phase in which the group waited."""
    expired = _expired(view)
    lost = {fact.member for fact in expired} | {
        fact.member for fact in view.facts("member-removed")
        if fact.fields.get("cause") == "join-abandoned"
    }  # fmt: skip
    by_client: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in _joins(view):
        if fact.member in lost:
            by_client[fact.client_id].append(fact)
    piles = {client: ghosts for client, ghosts in by_client.items()
             if client and _is_pile(ghosts, RETURN_MS)}  # fmt: skip
    waits = [rebalance.joined for rebalance in view.rebalances
             if rebalance.joined is not None and (_phase(rebalance) or 0.0) > _LONG_MS]  # fmt: skip
    at_once: defaultdict[tuple[str, int], list[Fact]] = defaultdict(list)
    for fact in expired:
        number = bisect_left(waits, fact.order)
        if number and fact.client_id:
            at_once[fact.client_id, number].append(fact)
    for (client, _), ghosts in at_once.items():
        if _is_pile(ghosts, _LONG_MS):
            piles.setdefault(client, ghosts)
    return [fact for ghosts in piles.values() for fact in ghosts]


def _is_pile(ghosts: Sequence[Fact], milliseconds: float) -> bool:
    return len(ghosts) >= _REPEATED and ghosts[-1].order - ghosts[0].order < milliseconds


_OUT = frozenset({"UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_MEMBER_EPOCH"})


def _never_rejoins(view: GroupFacts) -> list[Fact]:
    """Clients that learned that they are out, or lost their coordinator, went on, and did not join
    again while others did."""
    signs = []
    by_client: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in view.timeline.facts:
        if fact.side == "client" and fact.client and fact.family != "around":
            by_client[fact.client].append(fact)
    removed = {fact.client_id for fact in _expired(view)}
    for client, facts in by_client.items():
        places = [at for at, fact in enumerate(facts) if fact.event in _BACK]
        absent = facts[places[-1] + 1 if places else 0 :]
        out = next(
            (fact for fact in absent
             if (fact.event == "coordinator-lost" and client in removed)
             or fact.fields.get("error") in _OUT),
            None,
        )  # fmt: skip
        if out is not None and view.end - out.order > _AWAY_MS:
            signs += [fact for fact in absent if fact.order >= out.order][:2]
    return signs


_BACK = frozenset({"joins", "joined", "assigned", "member-state", "leaves", "closed", "epoch",
                   "member-id-given", "partitions-assigned", "process-ended"})  # fmt: skip
_AWAY_MS = 60_000.0


def _expired(view: GroupFacts) -> list[Fact]:
    return [
        fact for fact in view.facts("member-removed", "member-fenced")
        if fact.fields.get("cause") == "session-expired"
    ]  # fmt: skip


def _came_back(view: GroupFacts, fact: Fact) -> bool:
    """Whether the client joined again, and no line tells that its process started anew."""
    own = [
        later for later in view.of_client(fact.client_id, fact.order, fact.order + RETURN_MS)
        if later.order > fact.order
    ]  # fmt: skip
    back = [later for later in own if later.event in ("joins", "joined")
            and later.member != fact.member]  # fmt: skip
    started = any(later.event == "process-started" for later in own)
    return bool(back) and not started


def _lost_in_rebalance(view: GroupFacts) -> list[Fact]:
    phases = sorted(
        ((rebalance.began or 0.0, rebalance.ended or end) for rebalance, end in _open_phases(view)),
    )
    return [
        fact for fact in _expired(view)
        if any(
            fact.order <= end
            for _, end in _phases_before(phases, fact.order - _LONG_MS)
        ) and _came_back(view, fact)
    ]  # fmt: skip


def _phases_before(
    phases: Sequence[tuple[float, float]], time: float
) -> Sequence[tuple[float, float]]:
    """The last two rebalances that began before a time: one follows the other."""
    place = bisect_left(phases, (time, 0.0))
    return phases[max(0, place - 2) : place]


def _heartbeats_stop(view: GroupFacts) -> list[Fact]:
    return [fact for fact in _expired(view) if _came_back(view, fact)]


def _cooperative_rounds(view: GroupFacts) -> list[Fact]:
    """Second rounds that follow second rounds, or rounds that a member missed again and again."""
    longest, run = 0, 0
    for rebalance in view.rebalances:
        is_second = any(cause.cause == "cooperative-second-round" for cause in rebalance.causes)
        run = run + 1 if is_second else 0
        longest = max(longest, run)
    missed = [
        fact for fact in view.facts("sync-refused")
        if fact.fields.get("error") == "REBALANCE_IN_PROGRESS"
    ]  # fmt: skip
    if longest < _REPEATED and (len(missed) < _REPEATED or not longest):
        return []
    return missed or [
        fact for fact in view.facts("wants-to-join", "rebalance-began")
        if fact.fields.get("cause") == "cooperative-second-round"
        or "revoke partitions" in str(fact.fields.get("reason", ""))
    ]  # fmt: skip


def _assignment_refused(view: GroupFacts) -> list[Fact]:
    return [
        fact for fact in view.timeline.facts
        if any("COOPERATIVE protocol" in str(fact.fields.get(key, ""))
               for key in ("reason", "detail"))
    ]  # fmt: skip


def _lost_by_commit(view: GroupFacts) -> list[Fact]:
    """A commit that was refused for its generation, at once followed by the loss of all
    partitions, of a member that the coordinator had not removed."""
    removed = {fact.member for fact in _expired(view)}
    signs = []
    for fact in view.facts("commit-refused"):
        if fact.fields.get("error") != "ILLEGAL_GENERATION" or fact.member in removed:
            continue
        losses = [
            loss for loss in view.of_client(fact.client_id, fact.order, fact.order + 5_000)
            if loss.event == "partitions-lost" and loss.client == fact.client
        ]  # fmt: skip
        signs += [fact, *losses] if losses else []
    return signs


def _poll_timeout(view: GroupFacts) -> list[Fact]:
    return view.facts("poll-timeout")


def _first_id_abandoned(view: GroupFacts) -> list[Fact]:
    """A member id that was given out and never used, whose client got another one at once, and for
    which the join phase waited."""
    given = _joins(view)
    by_member = {join.member: join for join in reversed(given)}
    signs = []
    for fact in view.facts("member-removed"):
        if fact.fields.get("cause") != "join-abandoned":
            continue
        first = by_member.get(fact.member)
        twin = first and next(
            (join for join in view.of_client(
                first.client_id, first.order, first.order + _AT_ONCE_MS)
             if join.member != first.member and by_member.get(join.member) is join),
            None,
        )  # fmt: skip
        if first and twin:
            signs += [first, twin, fact]
    return signs


def _rejoin_loop(view: GroupFacts) -> list[Fact]:
    """A client that is refused soon after each of its joins."""
    signs: defaultdict[str, list[Fact]] = defaultdict(list)
    by_client: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in view.timeline.facts:
        if fact.side != "broker" and fact.client:
            by_client[fact.client].append(fact)
    for client, facts in by_client.items():
        for earlier, fact in pairwise(facts):
            is_refused = fact.fields.get("error") in _OUT and fact.event != "commit-refused"
            is_joining = earlier.event in ("joins", "joined", "wants-to-join", "assigned")
            if is_refused and is_joining and fact.order - earlier.order < 5_000:
                signs[client].append(fact)
    return [fact for facts in signs.values() if len(facts) >= _REPEATED for fact in facts]


def _connect_rounds(view: GroupFacts) -> list[Fact]:
    """Rebalances of Connect in a row that no worker's coming or going explains."""
    facts = view.facts("connect-assigned")
    if not facts or view.facts("config-changed"):  # each change of a configuration is a rebalance
        return []
    quiet = [
        rebalance for rebalance in view.rebalances
        if not any(cause.cause in ("member-joined", "member-left", "session-expired")
                   for cause in rebalance.causes)
    ]  # fmt: skip
    times = sorted(rebalance.began for rebalance in quiet if rebalance.began is not None)
    rounds = max(
        (bisect_left(times, start + 60_000) - at for at, start in enumerate(times)), default=0
    )
    return facts if rounds > _REPEATED else []


SYMPTOMS: Mapping[str, Symptom] = MappingProxyType({
    "thrown-out-at-once": Symptom(
        "{who} joined again and again, in rounds that waited for nobody and threw the others out",
        ("rebalance-timeout", "crash-loop"), _thrown_out, True),
    "join-stuck": Symptom(
        "a join phase did not end for minutes, longer than any member may take",
        ("rebalance-timeout",), _join_stuck, True),
    "sync-stuck": Symptom(
        "members joined, no assignment came for minutes, and the coordinator removed nobody",
        ("leader-fails", "unreadable-subscription"), _sync_stuck, True),
    "static-join-before-assignment": Symptom(
        "the static member {who} came back between join and assignment",
        ("static-member-came-back", "instance-id-used-twice"), _static_before_assignment, True),
    "joins-pile-up": Symptom(
        "{who} left several members behind that nobody was behind",
        ("crash-loop", "session-expired"), _joins_pile_up, True),
    "session-lost-in-rebalance": Symptom(
        "{who} lost its session while the group was rebalancing, and came back",
        ("process-stood-still", "network-cut"), _lost_in_rebalance),
    "heartbeats-stop": Symptom(
        "the heartbeats of {who} stopped for a session, and it came back without a new start",
        ("process-stood-still", "network-cut"), _heartbeats_stop),
    "never-rejoins": Symptom(
        "{who} learned that it is out of the group, or lost its coordinator, and did not join "
        "again",
        ("process-died", "process-stood-still"), _never_rejoins),
    "cooperative-rounds": Symptom(
        "second rounds of the cooperative protocol followed one another",
        ("metadata-flapping", "subscription-changed"), _cooperative_rounds),
    "assignment-refused": Symptom(
        "the leader's own check refused its cooperative assignment",
        ("leader-fails",), _assignment_refused),
    "lost-by-own-commit": Symptom(
        "{who} gave up all its partitions after a commit that was refused for its generation",
        ("session-expired", "rebalance-timeout"), _lost_by_commit),
    "poll-timeout": Symptom(
        "{who} was taken as not polling in time",
        ("poll-timeout-exceeded",), _poll_timeout),
    "first-id-abandoned": Symptom(
        "{who} was given two member ids at once and used the second alone, so the group waited for "
        "the first",
        ("process-died", "session-expired"), _first_id_abandoned),
    "rejoin-loop": Symptom(
        "{who} was refused soon after each of its joins",
        ("session-expired", "poll-timeout-exceeded"), _rejoin_loop),
    "connect-rounds": Symptom(
        "Connect rebalanced again and again although no worker came or went",
        ("connect-config-behind", "two-clusters-in-one-group"), _connect_rounds),
})  # fmt: skip
"""The symptoms of known faults, by the words that `kproto.clients.faults` uses."""
