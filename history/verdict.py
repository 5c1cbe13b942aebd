"""The first sentence about a group: who or what makes it rebalance, or that nothing is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..wording import times
from .group_facts import WHY_SILENT, GroupCause, GroupFacts, names_of
from .ownership import Part
from .reasons import LikelyCause
from .timeline import client_of

__all__ = ["beside_causes", "verdict_of", "weighed"]

HARMLESS = frozenset({
    "member-joined", "member-left", "metadata-changed", "cooperative-second-round",
    "probing-rebalance", "static-member-came-back", "migration", "rolling-restart", "autoscaling",
    "coordinator-restarted", "coordinator-moved", "connect-config-changed",
})  # fmt: skip
"""Causes that are no trouble by themselves: what a group does in a day."""


def weighed(view: GroupFacts, causes: Sequence[GroupCause]) -> tuple[GroupCause, ...]:
    """Return the causes, the one of most rebalances first, with how many those are; behind a
    session that ended, why it did."""
    serious = [cause for cause in causes if not _is_harmless(cause)]
    if not serious:  # what explains the most, first
        return tuple(sorted(causes, key=lambda cause: cause.cause != "rolling-restart"))
    main = max(serious, key=lambda cause: _caused(view, cause.cause))
    number = _caused(view, main.cause)
    first = [main]
    if main.cause == "session-expired":
        first += [cause for cause in serious if cause.cause in WHY_SILENT][:1]
    rest = [cause for cause in causes if not any(cause is cause_told for cause_told in first)]
    if number > 1:
        share = _share(number, len(view.rebalances)).capitalize()
        first = [
            cause._replace(summary=f"{cause.summary} {share} are because of it.") for cause in first
        ]
    return (*first, *rest)


def _is_harmless(cause: GroupCause) -> bool:
    """Whether a cause is no trouble; restarts that may be crashes are."""
    return cause.cause in HARMLESS and not (
        cause.cause == "rolling-restart" and "crash-loop" in cause.rivals
    )


def verdict_of(view: GroupFacts, causes: Sequence[GroupCause]) -> str:
    """Return the sentence for causes that were weighed, "" where the sources tell of nothing. In
    front of it is who has nothing."""
    idle = _idle(view)
    if causes and not _is_harmless(causes[0]):
        main = next((cause for cause in causes[:2] if cause.cause in WHY_SILENT), causes[0])
        likely = "" if main.is_certain else _LIKELY
        return f"{idle}{likely}{main.summary}"
    unheard = _without_logs(view)
    open_question = _open_question(view, causes)
    if open_question:
        return f"{idle}{open_question}{unheard}"
    if not causes:
        return _of_rounds(view)
    has_clients = any(
        fact.side == "client" and fact.event not in ("release", "settings")
        for fact in view.timeline.facts
    )
    nothing = "Nothing else" if idle else "Nothing"
    ending = "is wrong" if has_clients and view.has_broker else "wrong is shown here"
    head = f"{idle}{nothing} {ending}"
    total = len(view.rebalances)
    number = f", {total:,} rebalances" if total > 1 else ""
    ordinary = [cause for cause in causes if cause.cause in ("member-joined", "member-left")]
    troubles = [cause for cause in causes if cause not in ordinary]
    texts = [_uncapitalized(cause.summary.rstrip(".")) for cause in (troubles or ordinary)[:2]]
    texts += _open_ends(view)
    return f"{head}{number}: {'; '.join(texts)}.{unheard}"


def _is_open_departure(cause: LikelyCause) -> bool:
    return cause.cause == "member-left" and "session-expired" in cause.rivals


def _is_open(cause: LikelyCause) -> bool:
    return cause.cause == "unknown" or (
        cause.cause == "leader-rejoined" and "connect-config-changed" in cause.rivals
    )


def _open_question(view: GroupFacts, causes: Iterable[GroupCause]) -> str:
    """The sentence about what the sources do not show: why rebalances began, or else, where members
    left, why those did, unless a rolling restart tells it."""
    departures: list[LikelyCause] = []
    number = 0
    for rebalance in view.rebalances:
        gone = [cause for cause in rebalance.causes if _is_open_departure(cause)]
        if len(gone) == len(rebalance.causes):
            departures += gone
        elif all(_is_open(cause) or cause in gone for cause in rebalance.causes):
            number += 1
    questions = [f"why {_share(number, len(view.rebalances))} began"] * bool(number)
    if departures and not any(cause.cause == "rolling-restart" for cause in causes):
        questions.append(f"why {names_of(departures)} left, {times(len(departures))}")
    return (
        f"Not decided: these sources do not show {', nor '.join(questions)}." if questions else ""
    )


_LIKELY = "Likely: "


def beside_causes(verdict: str, summaries: Iterable[str]) -> str:
    """Return what a verdict says besides the summaries of the causes behind it.

    >>> beside_causes("c reads nothing. Likely: b went silent.", ["b went silent."])
    'c reads nothing.'
    """
    ending = next((summary for summary in summaries if verdict.endswith(summary)), "")
    if not ending:
        return verdict
    # The last sentence leads to the cause.
    sentences, _, _ = verdict.removesuffix(ending).rpartition(". ")
    return f"{sentences}." if sentences else ""


def _of_rounds(view: GroupFacts) -> str:
    """What members of which no line names a generation, or a cause, tell of rebalances; and with
    which error their joins were refused."""
    refusals = [fact for fact in view.facts("join-refused") if fact.fields.get("error") in _RIGHTS]
    if refusals:
        return f"{names_of(refusals)} may not join: {refusals[0].fields['error']}."
    rounds = Counter(
        fact.client for fact in view.facts("joined", "session-ended")
        if fact.side == "client" and fact.client
    )  # fmt: skip
    client, number = max(rounds.items(), key=lambda entry: entry[1], default=("", 0))
    if number < 2:  # the first is its start
        return _of_given_partitions(view) or _of_open_round(view)
    return (
        f"Not decided: {client} was in {number:,} rounds of the group, and these sources do not "
        "show why they began."
    )


def _of_given_partitions(view: GroupFacts) -> str:
    """What containers and listeners tell of rebalances: partitions that are taken, and given."""
    revoked = view.facts("partitions-revoked", "partitions-lost")
    if view.rebalances or not revoked:
        return ""
    anew = [
        fact for fact in view.facts("partitions-assigned") if fact.order >= revoked[0].order
    ]  # fmt: skip
    deed = "gave up partitions and got some" if anew else "gave up partitions"
    return (
        f"Not decided: {names_of(anew or revoked)} {deed}, {times(len(anew or revoked))}; these "
        "sources do not show why the group rebalanced."
    )


def _of_open_round(view: GroupFacts) -> str:
    """What a member was told of a rebalance whose end no line shows."""
    answers = [
        fact for fact in view.errors("REBALANCE_IN_PROGRESS") if fact.event == "heartbeat-refused"
    ]  # fmt: skip
    if view.rebalances or not answers:
        return ""
    return (
        f"Not decided: the group was rebalancing when {names_of(answers)} asked, "
        f"{times(len(answers))}; these sources show neither why nor how it ended."
    )


_RIGHTS = frozenset({"GROUP_AUTHORIZATION_FAILED", "INVALID_GROUP_ID", "GROUP_MAX_SIZE_REACHED",
                     "INVALID_SESSION_TIMEOUT", "UNSUPPORTED_VERSION"})  # fmt: skip
_STAYS = frozenset({"joined", "assigned", "partitions-assigned"})
_STAYING = frozenset({"STABLE", "RECONCILING", "ACKNOWLEDGING"})
"""States of a member, where its broker assigns."""
_ENDS = frozenset({"leaves", "closed", "partitions-lost", "process-ended", "member-removed",
                   "member-fenced"})  # fmt: skip


def _present(view: GroupFacts) -> set[str]:
    """Return the clients that are members by what was told of them last."""
    is_member: dict[str, bool] = {}
    for fact in view.timeline.facts:
        if fact.client and fact.event in _STAYS | _ENDS:
            is_member[fact.client] = fact.event in _STAYS
        elif fact.client and fact.event == "member-state":
            is_member[fact.client] = fact.fields.get("state") in _STAYING
    return {client for client, stays in is_member.items() if stays}


def _idle(view: GroupFacts) -> str:
    """A sentence about the clients that are members, and were given nothing at last."""
    shares: dict[str, frozenset[Part]] = {}
    empty: dict[str, bool] = {}
    for fact in view.timeline.facts:
        partitions = fact.fields.get("partitions")
        if fact.side != "client" or not fact.client or partitions is None:
            continue
        earlier, share = shares.get(fact.client, frozenset()), frozenset(partitions)
        share = earlier | share if fact.event == "partitions-assigned" else earlier - share
        shares[fact.client] = share
        empty[fact.client] = not share and fact.event == "partitions-assigned"
    present = _present(view)
    names = [client for client, is_empty in empty.items() if is_empty and client in present]
    if not names:
        return ""
    reads, its = ("reads", "its") if len(names) == 1 else ("read", "their")
    return f"{_listed(names)} {reads} nothing: {its} last assignment has no partition. "


def _without_logs(view: GroupFacts) -> str:
    """A sentence about the members that only the logs of others name."""
    if view.has_broker or not view.timeline.ends:
        return ""
    members = {
        client_of(member)
        for fact in view.timeline.facts
        for member in (fact.member, *fact.fields.get("assignment", ()))
    }
    own = {client_of(fact.member) for fact in view.facts("joined") if fact.side == "client"}
    names = sorted(members - own - view.timeline.ends.keys() - {""})  # a static one's is its id
    were = "was" if len(names) == 1 else "were"
    return f" No log was given of {_listed(names)}, which {were} in the group." if names else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _open_ends(view: GroupFacts) -> list[str]:
    """Clients whose logs end while they are members, where no coordinator tells what became of
    them."""
    present = _present(view)
    names = [client for client in view.timeline.ends if client in present]
    if view.has_broker or not names:
        return []
    return [_OPEN_ENDS[len(names) > 1].format(names=_listed(names))]


_OPEN_ENDS = (
    (
        "the log of {names} ends while it is in the group: its process still runs, the log was cut "
        "there, or the process ended without a close"
    ),
    (
        "the logs of {names} end while they are in the group: their processes still run, the logs "
        "were cut there, or the processes ended without a close"
    ),
)
"""Of one client, and of several."""
_NAMED = 4


def _caused(view: GroupFacts, word: str) -> int:
    """How many rebalances a cause began, the next return of each of its members included."""
    away: set[str] = set()
    number = 0
    for rebalance in view.rebalances:
        is_because_of_it = False
        for cause in rebalance.causes:
            name = cause.client or cause.member
            is_return = cause.cause == "member-joined" and name in away
            is_because_of_it = is_because_of_it or is_return or cause.cause == word
            away.discard(name)
            if cause.cause == word:
                away.add(name)
        number += is_because_of_it
    return number


def _share(number: int, total: int) -> str:
    if number == total:
        return "the rebalance" if total == 1 else f"all {total:,} rebalances"
    return f"{number:,} of {total:,} rebalances"


def _uncapitalized(text: str) -> str:
    first, _, rest = text.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "Partitions") else text
