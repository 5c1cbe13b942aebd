"""Whose application did not poll in time: how long it took, against which limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..capture.whole_numbers import whole_number
from ..wording import times
from .group_facts import (
    GroupCause,
    GroupFacts,
    cause_of,
    evidence_of,
    lines_of,
    name_of,
    names_of,
    triggered,
)
from .reasons import AT_ONCE_MS, RETURN_MS, LikelyCause
from .timeline import Fact, client_of

__all__ = [
    "as_cause",
    "is_of_poll_timeout",
    "is_of_running_program",
    "is_unstated",
    "longest_between_polls",
    "poll_causes",
    "says_poll_timeout",
    "without_return",
]

_LIMIT = "max.poll.interval.ms"


def poll_causes(view: GroupFacts) -> Iterator[GroupCause]:
    """Yield the members whose poll took too long: certain by their own line or by the reason that
    they gave, else as likely as a quick return makes it."""
    facts, stated = view.facts("poll-timeout"), _stated(view)
    if facts or stated:
        yield _slow_polls(view, facts, stated)
    else:
        yield from _quick_returns(view)


def _stated(view: GroupFacts) -> list[LikelyCause]:
    """The members that left because of it by what they or the coordinator say."""
    return [
        *(cause for cause in triggered(view, "poll-timeout-exceeded") if cause.is_certain),
        *(
            as_cause(fact, "poll-timeout-exceeded")
            for fact in filter(says_poll_timeout, view.facts("leaves"))
        ),
    ]


def longest_between_polls(view: GroupFacts) -> int | None:
    """Return how many milliseconds passed between two polls, of those that took too long; None
    where nothing shows that a member came back."""
    facts = view.facts("poll-timeout")
    longest = _longest(view, facts, _limit(view, facts, _stated(view)))
    return longest.at_least if longest.is_to_return else None


def says_poll_timeout(fact: Fact) -> bool:
    """Return whether a member gave a poll that took too long as the reason of its leave."""
    return "poll timeout" in str(fact.fields.get("reason", ""))


def as_cause(fact: Fact, word: str) -> LikelyCause:
    """Return a fact as the certain cause of a rebalance."""
    return LikelyCause(word, True, fact.member, fact.client, (), tuple(fact.lines))


def _slow_polls(
    view: GroupFacts, facts: Sequence[Fact], stated: Sequence[LikelyCause]
) -> GroupCause:
    moments = {fact.member or (fact.speaker, fact.order) for fact in facts}
    number = max(len({cause.member for cause in stated}), len(moments))
    limit = _limit(view, facts, stated)
    text = f"{names_of([*stated, *facts])} did not poll within {_LIMIT}"
    if limit:
        text += f" ({limit:,} ms)"
    longest = _longest(view, facts, limit)
    between = f"{longest}; " if longest.at_least else ""
    if number:
        names = {*map(name_of, stated), *map(name_of, facts)}
        who = "they" if len(names) > 1 else "it"
        text += f", {times(number)}: {between}{who} left the group"
        text += _return(view, facts, "after the last time" if number > 1 else "")
    clients = {item.client_id for item in facts} | {item.client for item in stated}
    is_librdkafka = {view.programs.of(client) for client in clients} == {"librdkafka"}
    return cause_of(
        "poll-timeout-exceeded",
        text + ".",
        facts,
        next_step=_remedy(longest, is_librdkafka) if limit or facts else "",
        evidence=lines_of(facts) or evidence_of(stated),
    )


class _Longest(NamedTuple):
    """The longest time between two polls, at least, in milliseconds: to the member's return, by its
    own lines or by others; or, where nothing shows that, to the line that was written when the
    limit had passed."""

    at_least: int | None = None
    is_to_return: bool = False
    until: str = ""
    """What others than its own lines show of its return."""

    def __str__(self) -> str:
        passed = f"{self.at_least:,} ms passed"
        if self.until:
            return f"up to about {passed} from a poll until {self.until}"
        return f"{'at least' if self.is_to_return else 'more than'} {passed} between two polls"


def _remedy(longest: _Longest, is_librdkafka: bool) -> str:
    """What to do where the limit that passed is known, or the client's log is at hand. The poll of
    librdkafka returns one message: max.poll.records, of its share consumers, changes nothing."""
    above = ""
    if longest.is_to_return:
        above = f" above {longest.at_least:,} ms" + " with headroom" * bool(longest.until)
    elif longest.at_least:
        above = " above the whole pause (the coordinator's log shows when the member joined again)"
    if is_librdkafka:
        return f"Raise {_LIMIT}{above}, or process records outside the polling thread."
    return (
        f"Raise {_LIMIT}{above} or lower max.poll.records; or process records outside the "
        "polling thread."
    )


def _return(view: GroupFacts, facts: Sequence[Fact], when: str) -> str:
    """What the lines show of members after their last poll that took too long."""
    leaves = filter(says_poll_timeout, view.facts("leaves"))
    last = {fact.speaker: fact.order for fact in (*leaves, *facts)}
    back = {
        fact.speaker for fact in view.facts(*_MEMBERSHIP)
        if fact.order > last.get(fact.speaker, fact.order)
    }  # fmt: skip
    if last.keys() <= back:
        return " and came back later"
    return f"{_NO_RETURN} {when}".rstrip() if not back else ""


_NO_RETURN = "; no line that kproto knows shows a return"


def without_return(summary: str) -> str:
    """Return the summary of a cause without the words that no line shows a return. The records of
    the group show every join, so that an audit of records and logs leaves these words out."""
    head, words, _ = summary.partition(_NO_RETURN)
    return f"{head}." if words else summary


_MEMBERSHIP = ("joins", "joined", "assigned", "partitions-assigned", "position")


def _limit(view: GroupFacts, facts: Sequence[Fact], stated: Sequence[LikelyCause]) -> int | None:
    """The limit that passed: as the line has it, else as the client printed it at its start."""
    texts = [fact.fields.get("limit_ms") for fact in facts]
    clients = [fact.client for fact in facts] + [cause.client for cause in stated]
    texts += [view.settings(client).get(_LIMIT) for client in clients]
    limits = (whole_number(str(text or "")) for text in texts)
    return next((limit for limit in limits if limit is not None), None)


def _longest(view: GroupFacts, facts: Sequence[Fact], limit: int | None) -> _Longest:
    """How long an application stayed away, from the poll before until the member came back. Java's
    line that says by how much is written at its return, librdkafka's when the limit has passed."""
    if limit is None:
        return _Longest()
    returns, lines = [], []
    for fact in facts:
        over = int(fact.fields.get("over_ms", 0))
        back, until = _back(view, fact)
        if over and fact.family == "java":
            returns.append(_Longest(limit + over, True))
        elif back is not None:
            away = limit + over + round(back - fact.order)
            returns.append(_Longest(away, True, until))
        elif over:
            lines.append(_Longest(limit + over))
    return max(returns or lines, default=_Longest())


def _back(view: GroupFacts, fact: Fact) -> tuple[float | None, str]:
    """When a member whose poll took too long came back, and what that is where others than its own
    lines tell: its coordinator's, or the records of the group."""
    own = [
        later.order for later in view.facts("joins", "partitions-lost", "commit-refused")
        if later.side == "client" and later.speaker == fact.speaker
        and (later.event == "joins" or fact.family != "librdkafka")
    ]  # fmt: skip
    client = fact.client_id
    requests = [
        later.order for later in view.facts("joins")
        if client and later.side != "client" and later.client_id == client
    ]  # fmt: skip
    rounds = [
        moment for rebalance in view.rebalances for cause in rebalance.causes
        if client and cause.cause == "member-joined" and cause.client == client
        and (moment := rebalance.began or rebalance.ended)
    ]  # fmt: skip
    for moments, until in (
        (own, ""),
        (requests, "it asked to join the group again"),
        (rounds, "it was in the group again"),
    ):
        after = [moment for moment in moments if 0 < moment - fact.order < RETURN_MS]
        if after:
            return min(after), until
    return None, ""


def is_unstated(fact: Fact) -> bool:
    """Return whether a member that left gave no reason."""
    return str(fact.fields.get("reason", "")) in ("", "not provided")


def _has_limit(view: GroupFacts, leave: Fact) -> bool:
    return view.programs.can_have(leave.client_id, "poll-timeout-exceeded")


def is_of_running_program(view: GroupFacts, leave: Fact) -> bool:
    """Return whether a client that tells of its leave, and gives no reason, goes on: a poll may
    have taken too long, of which some clients print nothing."""
    if leave.side != "client" or not is_unstated(leave) or not _has_limit(view, leave):
        return False
    own = [
        fact for fact in view.facts("joins", "joined", "commit-refused", *_BETWEEN)
        if fact.side == "client" and fact.client_id == leave.client_id
        and 0 < fact.order - leave.order < RETURN_MS
    ]  # fmt: skip
    return bool(own) and own[0].event not in _BETWEEN


def is_of_poll_timeout(view: GroupFacts, leave: Fact) -> bool:
    """Return whether a client tells at the moment of its leave that its application did not poll in
    time."""
    return any(
        fact.speaker == leave.speaker and abs(fact.order - leave.order) < AT_ONCE_MS
        for fact in view.facts("poll-timeout")
    )


_BETWEEN = ("closed", "process-started", "process-ended")


def _quick_returns(view: GroupFacts) -> Iterator[GroupCause]:
    """Members that left without a reason and whose client joined again, while others stayed: old
    brokers and other clients than Java's give no reason when a poll took too long."""
    if triggered(view, "poll-timeout-exceeded"):
        return
    joins = [
        (rebalance.began or 0.0, cause)
        for rebalance in view.rebalances for cause in rebalance.causes
        if cause.cause == "member-joined"
    ]  # fmt: skip
    clients = {cause.client for _, cause in joins} - {""}
    back = [fact for fact in view.facts("leaves") if is_of_running_program(view, fact)]
    for fact in view.facts("leaves"):
        client = fact.client_id
        is_open = client and fact.side != "client" and is_unstated(fact)
        if not is_open or not _has_limit(view, fact):
            continue
        if any(
            cause.client == client and cause.member != fact.member
            and -1_000 < began - fact.order < RETURN_MS
            for began, cause in joins
        ):  # fmt: skip
            back.append(fact)
    if back and len({client_of(fact.member) for fact in back}) < max(2, len(clients)):
        text = f"{names_of(back)} left without a reason and joined again, {times(len(back))}."
        yield cause_of(
            "poll-timeout-exceeded", text, back, certain=False,
            rivals=("member-left", "rolling-restart", "crash-loop"),
            next_step="The client's own log decides: a poll that took too long, or a restart.",
        )  # fmt: skip
