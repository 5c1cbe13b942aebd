"""Why a coordinator heard nothing of a member for a whole session: its process died, it stood
still, or the network was cut. The client's own log decides, or other sources about its process.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter

from ..capture.whole_numbers import whole_number
from ..wording import times
from .group_facts import (
    GroupCause,
    GroupFacts,
    cause_of,
    evidence_of,
    name_of,
    names_of,
    triggered,
    was,
)
from .reasons import RETURN_MS, WHY_OUT, LikelyCause
from .timeline import Fact, Line, client_of

__all__ = ["session_causes"]


def session_causes(view: GroupFacts) -> Iterator[GroupCause]:
    """Sessions that ended: why the coordinator heard nothing, as far as the client's log tells."""
    expired = [
        fact for fact in view.facts("member-removed", "member-fenced")
        if fact.fields.get("cause") == "session-expired"
    ]  # fmt: skip
    timed_out = view.facts("session-timed-out")
    if not expired and not timed_out:
        yield from _guessed_sessions(view)
        return
    looping = _looping(view, expired)
    if looping:
        text = (
            f"{names_of(looping)} {'starts' if was(looping) == 'was' else 'start'} again and "
            "again: new members join before the sessions of those before have ended."
        )
        rivals = ("process-died", "process-stood-still", "network-cut")
        yield cause_of("crash-loop", text, looping, certain=False, rivals=rivals)
        expired = [fact for fact in expired if fact not in looping]
        if not expired and not timed_out:
            return
    count = len({fact.member for fact in expired})
    closed: list[Fact] = []
    late: list[Fact] = []
    silent: list[Fact] = []
    closings: set[int] = set()
    for fact in expired:
        own = _closings(view, fact)
        closings |= set(map(id, own))
        kind = closed if own else late if _ends_round(view, fact) else silent
        kind.append(fact)
    if expired:
        length = view.settings(expired[0].client_id).get("session.timeout.ms", "")
        session = whole_number(length)
        is_own = session is not None and expired[0].event == "member-removed"  # else the broker's
        limit = f" ({session:,} ms)" if is_own else ""
        text = (
            f"The session of {names_of(expired)}{limit} ended without a heartbeat, {times(count)}"
        )
        if closed:
            text += f": {names_of(closed)} {was(closed)} closed in order, without a LeaveGroup"
        step = ""
        if late:
            text += (
                f": {names_of(late)} had ended the heartbeats of a round, because the next one was "
                "under way, and did not join that in time"
            )
            step = _LATE
        signs = [*expired, *(fact for fact in view.facts("closed") if id(fact) in closings)]
        yield cause_of("session-expired", f"{text}.", signs, next_step=step)
    else:
        text = f"{names_of(timed_out)} heard nothing from the coordinator for a whole session."
        yield cause_of("session-expired", text, timed_out, certain=False)
    yield from _silences(view, silent, timed_out)


def _looping(view: GroupFacts, expired: Sequence[Fact]) -> list[Fact]:
    """The sessions of clients that ended while a rebalance was under way which a new member of the
    same client had begun, again and again; and the other sessions of these clients."""
    followed: Counter[str] = Counter()
    phases: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for rebalance in view.rebalances:
        for cause in rebalance.causes:
            if cause.cause == "member-joined" and rebalance.began and rebalance.joined:
                phases[cause.client].append((rebalance.began, rebalance.joined))
    silent = [
        fact for fact in expired
        if client_of(fact.member) and not _around(view, fact)[1] and not _closings(view, fact)
        and not _ends_round(view, fact) and _silence(view, fact)[0] == "process-died"
    ]  # fmt: skip
    for fact in silent:
        own = phases[fact.client_id]
        at = bisect_right(own, fact.order, key=itemgetter(0)) - 1
        followed[fact.client_id] += at >= 0 and fact.order <= own[at][1]
    return [fact for fact in silent if followed[fact.client_id] >= _REPEATED]


_REPEATED = 3
_LATE = (
    "Let the handlers of records end soon when a round ends, and let fetches wait less than a "
    "session (MaxWait of kafka-go): these clients send no heartbeats until they do."
)
_OF_ROUNDS = ("heartbeats-stopped", "session-ended", "joined", "assigned", "partitions-assigned")


def _ends_round(view: GroupFacts, fact: Fact) -> bool:
    """Whether the member's own log shows that it had ended its heartbeats because a rebalance was
    under way: kafka-go and Sarama join again when their readers have ended."""
    history = view.of_client(fact.client_id, until=fact.order) or view.of_member(fact.member)
    last = next(
        (past for past in reversed(history)
         if past.event in _OF_ROUNDS and past.side == "client" and past.order < fact.order),
        None,
    )  # fmt: skip
    return last is not None and last.event in ("heartbeats-stopped", "session-ended")


def _closings(view: GroupFacts, fact: Fact) -> list[Fact]:
    """Where the member's own log shows that it was closed before its session ended: static members,
    Streams, and consumers that are closed so send no LeaveGroup."""
    own = view.of_client(fact.client_id, fact.order - _CLOSED_MS, fact.order)
    return [
        close for close in own
        if close.event == "closed" and close.client and not _is_back(own, close, fact)
    ]  # fmt: skip


def _is_back(own: Sequence[Fact], closed: Fact, fact: Fact) -> bool:
    """Whether a client that was closed started again before the session of a member ended: it was
    the session of another one."""
    return any(
        other.event in ("process-started", "joined") and closed.order < other.order < fact.order
        for other in own
    )


_CLOSED_MS = 600_000.0


def _guessed_sessions(view: GroupFacts) -> Iterator[GroupCause]:
    """Members that frames, or the lists of leaders, show as gone without a word."""
    causes = triggered(view, "session-expired")
    if not causes:
        yield from _thrown_out(view)
        return
    closed = [cause for cause in causes if _is_closed_for_good(view, cause)]
    if closed:
        text = (
            f"{names_of(closed)} {was(closed)} closed in order, without a LeaveGroup, and gone "
            "later: the session ended, or somebody removed it."
        )
        yield cause_of(
            "member-left", text, certain=False, rivals=("session-expired", "removed-by-admin"),
            evidence=evidence_of(closed),
        )  # fmt: skip
    causes = [cause for cause in causes if cause not in closed]
    if not causes:
        return
    text = f"{names_of(causes)} {was(causes)} gone without leaving: the session probably ended."
    rivals = causes[0].rivals or None
    yield cause_of(
        "session-expired", text, certain=False, rivals=rivals, evidence=evidence_of(causes)
    )
    silent = [cause for cause in causes if _ends_before(view, cause)]
    if silent:
        text = (
            f"The log of {names_of(silent)} ends while it is in the group, without a close: "
            "probably the process died, or was killed."
        )
        yield cause_of(
            "process-died", text, certain=False,
            rivals=("process-stood-still", "network-cut", *_goodbye(silent)),
            evidence=(*_last_lines(view, silent), *evidence_of(silent)),
        )  # fmt: skip


def _thrown_out(view: GroupFacts) -> Iterator[GroupCause]:
    """Members that the coordinator did not know any more, where no other source tells why it had
    removed them."""
    facts: list[Fact] = []
    for fact in view.facts("heartbeat-refused", "join-refused", "wants-to-join"):
        is_told = any(
            earlier.speaker == fact.speaker and fact.order - earlier.order < _AT_ONCE_MS
            for earlier in facts[-_RECENT:]
        )
        if (
            fact.side == "client" and fact.fields.get("error") == "UNKNOWN_MEMBER_ID"
            and not fact.instance  # an administrator removes static members, too
            and not is_told
        ):  # fmt: skip
            facts.append(fact)
    if facts and not (view.has_broker or view.facts("poll-timeout")):
        text = (
            f"The coordinator had removed {names_of(facts)}, {times(len(facts))}, when it was "
            "heard again: its session had probably ended."
        )
        yield cause_of("session-expired", text, facts, certain=False, rivals=WHY_OUT)


_AT_ONCE_MS = 2_000.0
_RECENT = 20


def _is_closed_for_good(view: GroupFacts, cause: LikelyCause) -> bool:
    """Whether the client's own log shows that it was closed, and did not start again."""
    own = [
        fact.event for fact in view.of_client(cause.client)
        if fact.side == "client" and fact.client
    ]  # fmt: skip
    return "closed" in own and "joined" not in own[len(own) - own[::-1].index("closed") :]


def _goodbye(causes: Sequence[LikelyCause]) -> tuple[str, ...]:
    """A rival where a client might have left without a line about it."""
    return ("member-left",) if any("member-left" in cause.rivals for cause in causes) else ()


def _ends_before(view: GroupFacts, cause: LikelyCause) -> bool:
    """Whether the log of a client ends before a rebalance because of it, without a close."""
    end = view.timeline.ends.get(cause.client)
    times = [
        time
        for rebalance in view.rebalances if cause in rebalance.causes
        for time in (rebalance.began, rebalance.joined, rebalance.ended) if time is not None
    ]  # fmt: skip
    is_closed = any(
        fact.side == "client" and fact.event in ("closed", "leaves", "process-ended")
        for fact in view.of_client(cause.client)
    )
    return end is not None and bool(times) and end < max(times) and not is_closed


def _last_lines(view: GroupFacts, causes: Sequence[LikelyCause]) -> Iterator[Line]:
    for cause in causes:
        own = [fact for fact in view.of_client(cause.client) if fact.side == "client"]
        yield from own[-1].lines[:1]


def _silences(
    view: GroupFacts, expired: Sequence[Fact], timed_out: Sequence[Fact]
) -> Iterator[GroupCause]:
    verdicts: defaultdict[tuple[str, tuple[str, ...]], list[Fact]] = defaultdict(list)
    for fact in expired:
        word, beside = _around(view, fact)
        if beside:
            yield _beside_cause(word, fact, beside)
        else:
            verdicts[_silence(view, fact)].append(fact)
    if not expired and not view.facts("member-removed", "member-fenced"):
        for fact in timed_out:
            verdicts[_own_silence(view, fact)].append(fact)
    for (word, rivals), facts in verdicts.items():
        if word:
            yield _silence_cause(view, word, rivals, facts)


def _around(view: GroupFacts, fact: Fact) -> tuple[str, list[Fact]]:
    """What the sources around the logs show of a client whose session ended: that its process
    ended, or stood still, in the minutes before."""
    around = view.of_client(fact.client_id, fact.order - _BESIDE_MS, fact.order + 10_000)
    beside = [
        other for other in around
        if other.family == "around" and other.event in ("process-ended", "pause")
    ]  # fmt: skip
    ended = [other for other in beside if other.event == "process-ended"]
    return ("process-died", ended) if ended else ("process-stood-still", beside)


_BESIDE_MS = 300_000.0


def _silence(view: GroupFacts, fact: Fact) -> tuple[str, tuple[str, ...]]:
    """What a session that ended says of the client: by its own log, or by whether it came back."""
    client = fact.client_id
    around = view.of_client(client, fact.order - RETURN_MS, fact.order + RETURN_MS)
    own = [
        near for near in (*around, *view.of_member(fact.member))
        if near.event == "session-timed-out" and abs(near.order - fact.order) < RETURN_MS
    ]  # fmt: skip
    if own:
        if own[0].order - fact.order > 2_000:
            return "process-stood-still", ("network-cut",)
        return "network-cut", ("process-stood-still",)
    of_member = [
        near for near in view.of_member(fact.member)
        if fact.order - 1_000 < near.order
        and near.fields.get("error") == "UNKNOWN_MEMBER_ID"
    ]  # fmt: skip
    if of_member:
        return "process-stood-still", ("network-cut",)
    end = view.timeline.ends.get(client) if client else None
    end = end if end is not None else _end_of_member(view, fact.member)
    is_silent = _leaves_silently(view, fact)
    if end is not None and end < fact.order and not is_silent:
        return "process-died", ("network-cut",)
    return "process-died", ("process-stood-still", "network-cut", "member-left")


def _leaves_silently(view: GroupFacts, fact: Fact) -> bool:
    """Whether a member is one that sends no LeaveGroup when it is closed: a static one, or a
    consumer of Kafka Streams."""
    is_static = fact.instance or view.instance_of(fact.member)
    return bool(is_static) or "-StreamThread-" in (fact.client_id or fact.member)


def _end_of_member(view: GroupFacts, member: str) -> float | None:
    return max((fact.order for fact in view.of_member(member)), default=None)


def _own_silence(view: GroupFacts, fact: Fact) -> tuple[str, tuple[str, ...]]:
    """The client's log alone: a process that stood still is told at once that it is out."""
    at_once = any(
        error.speaker == fact.speaker and abs(error.order - fact.order) <= _AT_ONCE_MS
        for error in view.errors("UNKNOWN_MEMBER_ID")
    )
    if at_once:
        return "process-stood-still", ("network-cut",)
    return "network-cut", ("process-stood-still",)


def _beside_cause(word: str, fact: Fact, beside: list[Fact]) -> GroupCause:
    reason = str(beside[0].fields.get("reason", ""))
    if word == "process-died":
        text = f"The process of {name_of(fact)} ended: {reason}."
    else:
        length = max(float(pause.fields["pause_ms"]) for pause in beside)
        text = f"The process of {name_of(fact)} stood still for {length / 1000:.1f} s: {reason}."
    return cause_of(word, text, [*beside, fact])


_SILENCES = {
    "process-died": "{who} went silent without leaving: probably a process died, or was killed",
    "process-stood-still": "{who} learned only later that {its} session had ended: {its} process "
    "probably stood still (a long garbage collection, a frozen machine)",
    "network-cut": "{who} noticed the lost session at its end and went on: {its} connection to the "
    "coordinator was probably cut",
}


_BETWEEN_MESSAGES = {
    "kafkajs": " A message that takes longer than sessionTimeout does the same: KafkaJS sends "
    "heartbeats between messages, or where the handler calls heartbeat().",
    "ruby-kafka": " A message that takes longer than session_timeout does the same: ruby-kafka "
    "sends heartbeats between messages, or where the handler calls trigger_heartbeat.",
}
"""What a long message does in clients that send their heartbeats between messages."""


def _silence_cause(
    view: GroupFacts, word: str, rivals: tuple[str, ...], facts: list[Fact]
) -> GroupCause:
    its = "its" if len(set(map(name_of, facts))) == 1 else "their"
    text = _SILENCES[word].format(who=names_of(facts), its=its) + "."
    if word == "process-stood-still":
        programs = {view.programs.of(fact.client_id) for fact in facts}
        text += "".join(_BETWEEN_MESSAGES[name] for name in sorted(programs & {*_BETWEEN_MESSAGES}))
    if "member-left" in rivals:
        text += (
            " A member that is closed without leaving looks the same (static members, Streams, "
            "CloseOptions)."
        )
    return cause_of(word, text, facts, certain=False, rivals=rivals)
