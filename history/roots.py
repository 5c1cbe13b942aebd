"""What is wrong with a group over the whole time, or was done to it, by all its facts.

Each rule looks for one thing and says what shows it. A cause is certain where a line proves it;
else it is likely, with the causes that would leave the same lines, and what would decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from .causes import CAUSES
from .rebalances import LikelyCause, LogRebalance, cause_of_reason
from .timeline import Fact, Line, Timeline, client_of

__all__ = ["GroupCause", "causes_of_group"]

MAX_EVIDENCE = 5
"""Lines that a cause shows."""


class GroupCause(NamedTuple):
    """A cause for a group: `summary` says in a sentence what happened, `next_step` what to look at
    or to change, or what would decide between it and its `rivals`."""

    cause: str
    is_certain: bool
    rivals: tuple[str, ...]
    summary: str
    next_step: str
    evidence: tuple[Line, ...]


class _View(NamedTuple):
    """A group's facts and rebalances, with what the rules ask of them."""

    timeline: Timeline
    rebalances: Sequence[LogRebalance]

    def facts(self, *events: str) -> list[Fact]:
        """The facts of some events, in order."""
        return [fact for fact in self.timeline.facts if fact.event in events]

    def errors(self, *errors: str) -> list[Fact]:
        """The refusals with some errors."""
        return [fact for fact in self.timeline.facts if fact.fields.get("error") in errors]

    @property
    def has_broker(self) -> bool:
        """Whether the coordinator's log is there."""
        return any(fact.side == "broker" for fact in self.timeline.facts)

    def settings(self, client: str) -> dict[str, str]:
        """The settings that a client printed last."""
        found: dict[str, str] = {}
        for fact in self.facts("settings"):
            if not client or fact.client in ("", client):
                found = fact.fields.get("settings", {})
        return found


def _name(fact_or_cause: Fact | LikelyCause) -> str:
    instance = getattr(fact_or_cause, "instance", "")
    return (
        instance
        or fact_or_cause.client
        or client_of(fact_or_cause.member)
        or fact_or_cause.member
        or "a member"
    )


def _names(items: Iterable[Fact | LikelyCause]) -> str:
    names = list(dict.fromkeys(_name(item) for item in items))
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _lines(facts: Iterable[Fact]) -> tuple[Line, ...]:
    lines = [line for fact in facts for line in fact.lines]
    return tuple(lines[:MAX_EVIDENCE])


def _cause(
    word: str,
    summary: str,
    facts: Iterable[Fact] = (),
    *,
    certain: bool = True,
    rivals: tuple[str, ...] | None = None,
    next_step: str = "",
    evidence: tuple[Line, ...] = (),
) -> GroupCause:
    others = () if certain else (CAUSES[word].rivals if rivals is None else rivals)
    step = next_step or CAUSES[word].advice
    return GroupCause(word, certain, others, summary, step, evidence or _lines(facts))


def _triggered(view: _View, *words: str) -> list[LikelyCause]:
    return [
        cause for rebalance in view.rebalances for cause in rebalance.causes if cause.cause in words
    ]


def _evidence(causes: Iterable[LikelyCause]) -> tuple[Line, ...]:
    return tuple(line for cause in causes for line in cause.evidence)[:MAX_EVIDENCE]


# -- rules


def _slow_polls(view: _View) -> Iterator[GroupCause]:
    facts = view.facts("poll-timeout")
    stated = [cause for cause in _triggered(view, "poll-timeout-exceeded") if cause.is_certain]
    stated += [
        _as_cause(fact, "poll-timeout-exceeded")
        for fact in view.facts("leaves")
        if "poll timeout" in str(fact.fields.get("reason", ""))
    ]
    if not facts and not stated:
        return
    members = {fact.member or fact.client or fact.lines[0].source for fact in facts}
    number = max(len({cause.member for cause in stated}), len(members))
    who = _names([*stated, *facts])
    limit = next(
        (value for fact in facts if (value := fact.fields.get("limit_ms") or _limit(view, fact))),
        None,
    )
    limit = limit or next(
        (value for cause in stated if (value := _limit_of(view, cause.client))), None
    )
    text = f"{who} did not poll within max.poll.interval.ms"
    if limit:
        text += f" ({int(limit):,} ms)"
    over = [int(fact.fields["over_ms"]) for fact in facts if "over_ms" in fact.fields]
    if over:
        text += f", by up to {max(over):,} ms"
    text += f", {_times(number)}: it left the group and came back later" if number else ""
    yield _cause(
        "poll-timeout-exceeded", text + ".", facts, evidence=_lines(facts) or _evidence(stated)
    )


def _quick_returns(view: _View) -> Iterator[GroupCause]:
    """Members that left without a reason and whose client joined again, while others stayed: old
    brokers and other clients than Java's give no reason when a poll took too long."""
    if view.facts("poll-timeout") or _triggered(view, "poll-timeout-exceeded"):
        return
    joins = [
        (rebalance.began or 0.0, cause)
        for rebalance in view.rebalances for cause in rebalance.causes
        if cause.cause == "member-joined"
    ]  # fmt: skip
    clients = {cause.client for _, cause in joins} - {""}
    back = []
    for fact in view.facts("leaves"):
        client = fact.client or client_of(fact.member, fact.instance)
        reason = str(fact.fields.get("reason", ""))
        if fact.side == "client" or not client or reason not in ("", "not provided"):
            continue
        if any(
            cause.client == client and cause.member != fact.member
            and -1_000 < began - fact.order < _RETURN_MS
            for began, cause in joins
        ):  # fmt: skip
            back.append(fact)
    if back and len({client_of(fact.member) for fact in back}) < max(2, len(clients)):
        text = f"{_names(back)} left without a reason and joined again, {_times(len(back))}."
        yield _cause(
            "poll-timeout-exceeded", text, back, certain=False,
            rivals=("member-left", "rolling-restart", "crash-loop"),
            next_step="The client's own log decides: a poll that took too long, or a restart.",
        )  # fmt: skip


_RETURN_MS = 600_000.0


def _limit(view: _View, fact: Fact) -> str | None:
    return _limit_of(view, fact.client)


def _limit_of(view: _View, client: str) -> str | None:
    return view.settings(client).get("max.poll.interval.ms")


def _as_cause(fact: Fact, word: str) -> LikelyCause:
    return LikelyCause(word, True, fact.member, fact.client, (), tuple(fact.lines))


def _sessions(view: _View) -> Iterator[GroupCause]:
    """Sessions that ended: why the coordinator heard nothing, as far as the client's log tells."""
    expired = [
        fact for fact in view.facts("member-removed", "member-fenced")
        if fact.fields.get("cause") == "session-expired"
    ]  # fmt: skip
    timed_out = view.facts("session-timed-out")
    if not expired and not timed_out:
        yield from _guessed_sessions(view)
        return
    count = len({fact.member for fact in expired})
    if expired:
        text = f"The session of {_names(expired)} ended without a heartbeat, {_times(count)}."
        yield _cause("session-expired", text, expired)
    else:
        text = f"{_names(timed_out)} heard nothing from the coordinator for a whole session."
        yield _cause("session-expired", text, timed_out, certain=False)
    yield from _silences(view, expired, timed_out)


def _guessed_sessions(view: _View) -> Iterator[GroupCause]:
    """Members that frames show as gone without a word."""
    causes = _triggered(view, "session-expired")
    if causes:
        text = f"{_names(causes)} was gone without leaving: its session probably ended."
        yield _cause("session-expired", text, certain=False, evidence=_evidence(causes))


def _silences(
    view: _View, expired: Sequence[Fact], timed_out: Sequence[Fact]
) -> Iterator[GroupCause]:
    verdicts: defaultdict[tuple[str, tuple[str, ...]], list[Fact]] = defaultdict(list)
    for fact in expired:
        verdicts[_silence(view, fact, timed_out)].append(fact)
    if not expired:
        for fact in timed_out:
            verdicts[_own_silence(view, fact)].append(fact)
    for (word, rivals), facts in verdicts.items():
        if word:
            yield _silence_cause(word, rivals, facts)


def _silence(view: _View, fact: Fact, timed_out: Sequence[Fact]) -> tuple[str, tuple[str, ...]]:
    """What a session that ended says of the client: by its own log, or by whether it came back."""
    client = fact.client or client_of(fact.member, fact.instance)
    if fact.instance or any(
        other.instance and fact.member.startswith(other.instance) for other in view.facts("joins")
    ):
        return "", ()  # a static member that is stopped in order says nothing, either
    own = [
        other for other in timed_out
        if (other.member == fact.member or (other.client == client and client))
        and abs(other.order - fact.order) < 600_000
    ]  # fmt: skip
    if own:
        if own[0].order - fact.order > 2_000:
            return "process-stood-still", ("network-cut",)
        return "network-cut", ("process-stood-still",)
    of_member = [
        other for other in view.timeline.facts
        if other.side == "client" and other.member == fact.member
        and fact.order - 1_000 < other.order
        and other.fields.get("error") == "UNKNOWN_MEMBER_ID"
    ]  # fmt: skip
    if of_member:
        return "process-stood-still", ("network-cut",)
    end = view.timeline.ends.get(client) if client else None
    end = end if end is not None else _end_of_member(view, fact.member)
    if end is not None and end < fact.order:
        return "process-died", ("network-cut",)
    return "process-died", ("process-stood-still", "network-cut")


def _end_of_member(view: _View, member: str) -> float | None:
    return max(
        (fact.order for fact in view.timeline.facts
         if fact.side == "client" and fact.member == member and member),
        default=None,
    )  # fmt: skip


def _own_silence(view: _View, fact: Fact) -> tuple[str, tuple[str, ...]]:
    """The client's log alone: a process that stood still is told at once that it is out."""
    at_once = any(
        other.fields.get("error") == "UNKNOWN_MEMBER_ID" and 0 <= other.order - fact.order < 2_000
        for other in view.timeline.facts
        if other.client == fact.client
    )
    if at_once:
        return "process-stood-still", ("network-cut",)
    return "network-cut", ("process-stood-still",)


_SILENCES = {
    "process-died": "{who} went silent without leaving: its process probably died",
    "process-stood-still": "{who} learned only later that its session had ended: its process "
    "probably "
    "stood still (a long garbage collection, a frozen machine)",
    "network-cut": "{who} noticed the lost session at its end and went on: its connection to the "
    "coordinator was probably cut",
}


def _silence_cause(word: str, rivals: tuple[str, ...], facts: list[Fact]) -> GroupCause:
    text = _SILENCES[word].format(who=_names(facts)) + "."
    return _cause(word, text, facts, certain=False, rivals=rivals)


def _commits(view: _View) -> Iterator[GroupCause]:
    refused = [fact for fact in view.facts("commit-refused") if not _is_passing(fact)]
    if not refused:
        return
    text = (
        f"Commits of {_names(refused)} were refused: what was processed since the commit "
        "before is read again."
    )
    yield _cause("commit-failed", text, refused)


def _is_passing(fact: Fact) -> bool:
    """Whether the same commit may be sent again, to the coordinator that is there then."""
    if fact.fields.get("error") in ("COORDINATOR_LOAD_IN_PROGRESS", "NOT_COORDINATOR"):
        return True
    texts = [str(fact.fields.get("detail", "")), *(line.text for line in fact.lines)]
    return any(word in text for word in _PASSING for text in texts)


_PASSING = (
    "RetriableCommitFailedException",
    "coordinator is loading",
    "not the correct coordinator",
    "RebalanceInProgress",
    "coordinator is not available",
)


def _refusals(view: _View) -> Iterator[GroupCause]:
    refused = view.errors("INCONSISTENT_GROUP_PROTOCOL")
    if refused:
        text = (
            f"{_names(refused)} was refused: it has no assignor, or no protocol type, in common "
            "with the members that are there."
        )
        offers = _offers(view)
        yield _cause("no-common-assignor", text + offers, refused)
    yield from _large_records(view)
    unreadable = view.facts("unreadable-subscription")
    if unreadable:
        text = f"The leader, {_names(unreadable)}, cannot read the subscription of some member."
        yield _cause("unreadable-subscription", text, unreadable)
    left_out = view.facts("left-out")
    if left_out:
        text = f"The leader gave nothing to {_names(left_out)}: it left these members out."
        yield _cause(
            "unreadable-subscription", text, left_out, certain=False, rivals=("leader-fails",)
        )


def _offers(view: _View) -> str:
    """Who offers which protocols, where frames show it."""
    by_client = {
        _name(fact): fact.fields["offers"]
        for fact in view.facts("joins")
        if "offers" in fact.fields
    }
    offers = [
        f"{client} offers {', '.join(names) or 'nothing'}" + (f" ({kind})" if kind else "")
        for client, (kind, names) in by_client.items()
    ]
    return f" {'; '.join(offers[:10])}." if offers else ""


MAX_MESSAGE_BYTES = 1_048_588
"""The default of max.message.bytes."""
_BATCH_BYTES = 100
"""What stands around the value of a record: the batch's header, key, sizes."""


def _large_records(view: _View) -> Iterator[GroupCause]:
    """SyncGroup that fails on the broker, of a group whose record is larger than a batch may be."""
    failed = [
        fact for fact in view.facts("sync-refused")
        if fact.fields.get("error") == "UNKNOWN_SERVER_ERROR"
    ]  # fmt: skip
    stated = view.facts("record-too-large")
    if stated:
        text = "The coordinator could not write the group's record: it is too large for a batch."
        yield _cause("group-record-too-large", text, stated)
        return
    if not failed:
        return
    size = max(int(fact.fields.get("record_bytes", 0)) for fact in failed)
    text = f"The coordinator answers SyncGroup with UNKNOWN_SERVER_ERROR, {_times(len(failed))}."
    over = size + _BATCH_BYTES - MAX_MESSAGE_BYTES
    if over > 0:
        text += (
            f" The group's record has {size:,} bytes: about {over:,} more than "
            f"max.message.bytes of "
            f"the offsets topic allows by default ({MAX_MESSAGE_BYTES:,})."
        )
    elif size:
        text += (
            f" The group's record has {size:,} bytes: it is too large if max.message.bytes of the "
            f"offsets topic was set below that (the default is {MAX_MESSAGE_BYTES:,})."
        )
    rivals = ("broker-fault",) if size else ("broker-fault", "offsets-partition-not-loadable")
    yield _cause("group-record-too-large", text, failed, certain=False, rivals=rivals)


def _instances(view: _View) -> Iterator[GroupCause]:
    fenced = [
        fact for fact in view.facts("member-fenced", "join-refused", "heartbeat-refused")
        if fact.fields.get("error") in ("FENCED_INSTANCE_ID", "UNRELEASED_INSTANCE_ID")
        or "operation" in fact.fields or "current" in fact.fields
    ]  # fmt: skip
    if not fenced:
        return
    is_proved = any(_proves_displacement(fact) for fact in fenced)
    instances = list(dict.fromkeys(fact.instance for fact in fenced if fact.instance))
    which = f"The instance id {', '.join(instances)}" if instances else "A group.instance.id"
    text = f"{which} was used by two members: the earlier one was fenced."
    yield _cause("instance-id-used-twice", text, fenced, certain=is_proved)


def _proves_displacement(fact: Fact) -> bool:
    """A heartbeat or commit of the earlier member, refused after the other has joined."""
    if fact.side == "frames":
        return fact.event in ("heartbeat-refused", "commit-refused")
    operation = str(fact.fields.get("operation", "")).lower()
    return fact.side == "broker" and operation in ("heartbeat", "offset-commit", "commit-offsets")


def _static_returns(view: _View) -> Iterator[GroupCause]:
    back = [fact for fact in view.facts("joins") if fact.fields.get("replaces")]
    if back and not view.errors("FENCED_INSTANCE_ID"):
        text = (
            f"The static member {_names(back)} came back within its session, {_times(len(back))}."
        )
        yield _cause("static-member-came-back", text, back)
    expired = {
        fact.member: fact for fact in view.facts("member-removed")
        if fact.fields.get("cause") == "session-expired"
    }  # fmt: skip
    yield from _captured_returns(view)
    for member, fact in expired.items():
        later = [
            other for other in view.facts("joins")
            if other.instance and member.startswith(other.instance) and other.order > fact.order
        ]  # fmt: skip
        if later:
            text = f"The static member {later[0].instance} came back after its session had ended."
            yield _cause("static-member-came-back-too-late", text, [fact, later[0]])


def _captured_returns(view: _View) -> Iterator[GroupCause]:
    """By frames: an instance id under another member id, in the same generation or in a later
    one."""
    if view.has_broker or view.errors("FENCED_INSTANCE_ID"):
        return
    latest: dict[str, Fact] = {}
    for fact in view.facts("joined"):
        if not fact.instance or fact.side != "frames":
            continue
        earlier = latest.get(fact.instance)
        if earlier is not None and earlier.member != fact.member:
            is_same = earlier.generation == fact.generation
            word = "static-member-came-back" if is_same else "static-member-came-back-too-late"
            when = "within its session" if is_same else "after its session had ended"
            text = f"The static member {fact.instance} came back {when}."
            yield _cause(word, text, [earlier, fact])
        latest[fact.instance] = fact


def _coordinators(view: _View) -> Iterator[GroupCause]:
    loaded = view.facts("group-loaded")
    unloaded = view.facts("group-unloaded")
    if loaded and any(fact.order > view.timeline.facts[0].order for fact in loaded):
        word = (
            "coordinator-moved"
            if unloaded and _other_broker(loaded, unloaded)
            else "coordinator-restarted"
        )
        text = (
            "The group was loaded anew: its coordinator was restarted, or moved to another broker."
        )
        yield _cause(word, text, [*loaded, *unloaded])
        return
    lost = [
        fact for fact in view.facts("coordinator-lost")
        if "NOT_COORDINATOR" in str(fact.fields.get("detail", ""))
    ]  # fmt: skip
    loading = view.errors("COORDINATOR_LOAD_IN_PROGRESS")
    if lost or loading:
        text = f"{_names([*lost, *loading])} lost the coordinator and found it loading the group."
        yield _cause(
            "coordinator-restarted", text, [*lost, *loading], certain=False,
            rivals=("coordinator-moved",),
        )  # fmt: skip


def _other_broker(loaded: Sequence[Fact], unloaded: Sequence[Fact]) -> bool:
    brokers = {fact.fields.get("broker") for fact in loaded} | {
        fact.fields.get("broker") for fact in unloaded
    }
    return len(brokers - {None}) > 1


def _leaders(view: _View) -> Iterator[GroupCause]:
    """Rounds that were joined and got no assignment, after which the leader was gone."""
    leader = ""
    failed: list[LikelyCause] = []
    for rebalance, later in zip(view.rebalances, view.rebalances[1:], strict=False):
        leader = rebalance.leader or leader
        is_left_open = (
            rebalance.is_classic and rebalance.joined is not None and rebalance.ended is None
        )
        if is_left_open and not rebalance.is_empty:
            gone = [cause for cause in later.causes if cause.cause in _DEPARTURES]
            failed += [cause for cause in gone if cause.member == leader]
    if failed:
        text = (
            f"The leader {_names(failed)} joined, sent no assignment, and was gone, "
            f"{_times(len(failed))}."
        )
        yield _cause(
            "leader-fails", text, certain=False, rivals=("unreadable-subscription",),
            evidence=_evidence(failed),
        )  # fmt: skip


_DEPARTURES = frozenset(
    {"member-left", "session-expired", "sync-not-sent", "poll-timeout-exceeded"}
)


def _timeouts(view: _View) -> Iterator[GroupCause]:
    for word, text in _OF_TRIGGERS.items():
        causes = [
            cause for cause in _triggered(view, word)
            if not (cause.client or cause.member).startswith("connect-")
        ]  # fmt: skip
        if causes:
            who = (
                _names(causes)
                if any(cause.member or cause.client for cause in causes)
                else "the group"
            )
            certain = all(cause.is_certain for cause in causes)
            yield _cause(
                word, text.format(who=who, times=_times(len(causes))), certain=certain,
                rivals=causes[0].rivals or None, evidence=_evidence(causes),
            )  # fmt: skip


_OF_TRIGGERS = {
    "rebalance-timeout": "{who} did not join within its rebalance timeout, {times}: the others "
    "waited for it.",
    "slow-revoke-callback": "{who} kept its partitions longer than its rebalance timeout "
    "allows, {times}.",
    "sync-not-sent": "{who} joined, and sent no SyncGroup in time, {times}.",
    "removed-by-admin": "{who} was removed by an administrator, {times}.",
    "metadata-changed": "The topics or partitions that the group subscribes to changed, {times}.",
    "subscription-changed": "{who} changed what it subscribes to, {times}.",
    "cooperative-second-round": "Partitions were revoked in a first round and given in a second "
    "one, {times}, as the cooperative protocol does.",
    "probing-rebalance": "Streams looked whether a warm-up was done, {times}: no trouble.",
    "leader-rejoined": "The leader {who} joined again by itself, {times}.",
    "migration": "The protocol of the group was converted, {times}.",
}


def _connect(view: _View) -> Iterator[GroupCause]:
    delayed = [
        fact for fact in view.facts("connect-assigned")
        if str(fact.fields.get("detail", "")).rpartition("delay=")[2].strip("} ") not in ("", "0")
    ]  # fmt: skip
    if delayed:
        text = (
            "Connect held back the tasks of a worker that was gone, for "
            "scheduled.rebalance.max.delay.ms."
        )
        yield _cause("connect-delayed-rebalance", text, delayed)
    differing = view.facts("connect-offsets-differ")
    if len(differing) >= 3:
        text = (
            f"Workers of the group read different config topics: {len(differing)} forced "
            "rebalances."
        )
        yield _cause("two-clusters-in-one-group", text, differing)
    behind = view.facts("connect-behind")
    if behind:
        text = "Connect's leader has not read the newest config and answers with an empty one."
        yield _cause("connect-config-behind", text, behind)


def _starts(view: _View) -> Iterator[GroupCause]:
    """The same client again and again, or every client once."""
    starts: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in view.facts("process-started"):
        starts[f"{fact.client} in {fact.lines[0].source}"].append(fact)
    looping = {client: facts for client, facts in starts.items() if len(facts) >= 3}
    for client, facts in looping.items():
        text = f"{client} started {len(facts)} times."
        yield _cause("crash-loop", text, facts, certain=False, rivals=("rolling-restart",))
    if looping:
        return
    joins: defaultdict[str, list[Fact]] = defaultdict(list)
    gone: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in view.facts("joins", "leaves", "member-removed", "member-fenced"):
        client = fact.client or client_of(fact.member, fact.instance) or fact.instance
        if client and fact.member and fact.side == "broker":
            (joins if fact.event == "joins" else gone)[client].append(fact)
    replaced = [
        client for client, facts in gone.items()
        if len({fact.member for fact in joins[client]}) == 2
        and any(join.order > facts[0].order for join in joins[client])
        and not any("poll timeout" in str(fact.fields.get("reason", "")) for fact in facts)
    ]  # fmt: skip
    if len(replaced) >= 2 and len(replaced) >= len(joins) - 1:
        facts = [fact for client in replaced for fact in gone[client][:1]]
        text = f"{len(replaced)} clients left and came back once each: a rolling restart."
        yield _cause("rolling-restart", text, facts, certain=False)


def _ordinary(view: _View) -> Iterator[GroupCause]:
    """Members that come and go: nothing is wrong by that alone."""
    said = [
        _as_cause(fact, "member-left") for fact in view.facts("leaves")
        if fact.side == "client" and cause_of_reason(str(fact.fields.get("reason", ""))) is None
    ]  # fmt: skip
    for word, text in (
        ("member-joined", "{who} joined: each start of a member is a rebalance."),
        ("member-left", "{who} left the group in order."),
    ):
        causes = _triggered(view, word) + (said if word == "member-left" else [])
        if causes:
            certain = all(cause.is_certain for cause in causes)
            yield _cause(
                word, text.format(who=_names(causes)), certain=certain,
                rivals=causes[0].rivals or None, evidence=_evidence(causes),
                next_step="Nothing is to be done for this alone.",
            )  # fmt: skip


_RULES: tuple[Callable[[_View], Iterable[GroupCause]], ...] = (
    _refusals, _slow_polls, _quick_returns, _sessions, _commits, _instances, _leaders, _timeouts,
    _connect, _coordinators, _static_returns, _starts, _ordinary,
)  # fmt: skip


def causes_of_group(
    timeline: Timeline, rebalances: Sequence[LogRebalance]
) -> tuple[GroupCause, ...]:
    """Return what the facts say is wrong with a group, what counts most first."""
    view = _View(timeline, rebalances)
    return tuple(cause for rule in _RULES for cause in rule(view))
