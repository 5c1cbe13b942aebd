"""What is wrong with a group over the whole time, or was done to it, by all its facts.

Each rule looks for one thing and says what shows it. A cause is certain where a line proves it;
else it is likely, with the causes that would leave the same lines, and what would decide.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

from ..wording import times
from .causes import CAUSES
from .connect_causes import connect_causes
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
from .known_faults import KnownFaults
from .polls import (
    as_cause,
    is_of_poll_timeout,
    is_of_running_program,
    is_unstated,
    poll_causes,
)
from .reasons import RETURN_MS, LikelyCause, cause_of_reason, coordinator_cause
from .restarts import Restart, judged
from .sessions import session_causes
from .timeline import Fact

__all__ = ["GroupCause", "causes_of_group"]


# -- rules


def _commits(view: GroupFacts) -> Iterator[GroupCause]:
    refusals = [fact for fact in view.facts("commit-refused") if not _is_passing(fact)]
    if not refusals:
        return
    text = (
        f"Commits of {names_of(refusals)} were refused: records that were processed since the "
        "commit before, if any, are read again."
    )
    yield cause_of("commit-failed", text, refusals)


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


def _refusals(view: GroupFacts) -> Iterator[GroupCause]:
    refusals = view.errors("INCONSISTENT_GROUP_PROTOCOL")
    if refusals:
        text = (
            f"{names_of(refusals)} {was(refusals)} refused: no assignor, or no protocol type, in "
            "common with the members that are there."
        )
        offers = _offers(view)
        yield cause_of("no-common-assignor", text + offers, refusals)
    yield from _large_records(view)
    missing = view.facts("topics-missing")
    if missing:
        text = f"A source topic of {names_of(missing)} is missing: it gets no tasks without it."
        yield cause_of("source-topic-missing", text, missing)
    unreadable = view.facts("unreadable-subscription")
    if unreadable:
        of_clients = [fact for fact in unreadable if fact.side == "client"]
        reader = f"The leader, {names_of(of_clients)}," if of_clients else "The coordinator"
        text = f"{reader} cannot read the subscription of some member."
        yield cause_of("unreadable-subscription", text, unreadable)
    left_out = view.facts("left-out")
    if left_out:
        text = f"The leader gave nothing to {names_of(left_out)}: it left these members out."
        yield cause_of(
            "unreadable-subscription", text, left_out, certain=False, rivals=("leader-fails",)
        )


def _offers(view: GroupFacts) -> str:
    """Who offers which protocols, where frames show it."""
    by_client = {
        name_of(fact): fact.fields["offers"]
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
"""The bytes of a batch besides the value of its record: the header, key, sizes."""


def _large_records(view: GroupFacts) -> Iterator[GroupCause]:
    """SyncGroup that fails on the broker, of a group whose record is larger than a batch may be."""
    failures = [
        fact for fact in view.facts("sync-refused")
        if fact.fields.get("error") == "UNKNOWN_SERVER_ERROR"
    ]  # fmt: skip
    stated = view.facts("record-too-large")
    if stated:
        text = "The coordinator could not write the group's record: it is too large for a batch."
        yield cause_of("group-record-too-large", text, stated)
        return
    if not failures:
        yield from _not_stored(view)
        return
    size = max(int(fact.fields.get("record_bytes", 0)) for fact in failures)
    text = f"The coordinator answers SyncGroup with UNKNOWN_SERVER_ERROR, {times(len(failures))}."
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
    yield cause_of("group-record-too-large", text, failures, certain=False, rivals=rivals)


def _not_stored(view: GroupFacts) -> Iterator[GroupCause]:
    """A coordinator that began a rebalance since it could not write an assignment."""
    causes = [cause for cause in triggered(view, "group-record-too-large") if not cause.is_certain]
    by_error = [cause for cause in causes if "coordinator-moved" not in cause.rivals]
    if by_error:
        text = (
            "The coordinator could not store what the leader assigned, "
            f"{times(len(by_error))} (UNKNOWN_SERVER_ERROR): the group's record is larger than "
            "max.message.bytes of the offsets topic allows. Lines of its log beside these tell "
            "the limit (Failed to write a batch …)."
        )
        yield cause_of(
            "group-record-too-large", text, certain=False, rivals=by_error[0].rivals,
            evidence=evidence_of(by_error),
        )  # fmt: skip
    elif causes:
        text = (
            "The coordinator could not store what the leader assigned, "
            f"{times(len(causes))}: the group's record is too large, or its partition of the "
            "offsets topic has too few replicas in sync, or another leader by now."
        )
        yield cause_of(
            "group-record-too-large", text, certain=False, rivals=causes[0].rivals,
            evidence=evidence_of(causes),
            next_step="Read the coordinator's log beside these lines: RecordTooLargeException, "
            "Shrinking ISR, NotEnoughReplicas, or a new leader of the partition decides it.",
        )  # fmt: skip


def _instances(view: GroupFacts) -> Iterator[GroupCause]:
    fenced = [
        fact for fact in view.facts("member-fenced", "join-refused", "heartbeat-refused")
        if fact.fields.get("error") in ("FENCED_INSTANCE_ID", "UNRELEASED_INSTANCE_ID")
        or "operation" in fact.fields or "current" in fact.fields
    ]  # fmt: skip
    if not fenced:
        return
    # A late request of a member whose session has ended may be of the process that joined anew.
    removed = {fact.member: fact.order for fact in view.facts("member-removed")}
    is_proved = any(
        _proves_displacement(fact) and not removed.get(fact.member, fact.order) < fact.order
        for fact in fenced
    )
    instances = list(dict.fromkeys(fact.instance for fact in fenced if fact.instance))
    subject = f"The instance id {', '.join(instances)}" if instances else "A group.instance.id"
    text = f"{subject} was used by two members: the earlier one was fenced."
    yield cause_of("instance-id-used-twice", text, fenced, certain=is_proved)


def _proves_displacement(fact: Fact) -> bool:
    """A heartbeat or commit of the earlier member, refused after the other has joined."""
    if fact.side == "frames":
        return fact.event in ("heartbeat-refused", "commit-refused")
    operation = str(fact.fields.get("operation", "")).lower()
    return fact.side == "broker" and operation in ("heartbeat", "offset-commit", "commit-offsets")


def _static_returns(view: GroupFacts) -> Iterator[GroupCause]:
    back = [fact for fact in view.facts("joins") if fact.fields.get("replaces")]
    if back and not view.errors("FENCED_INSTANCE_ID"):
        text = (
            f"The static member {names_of(back)} came back within its session, {times(len(back))}."
        )
        yield cause_of("static-member-came-back", text, back)
    expired = {
        fact.member: fact for fact in view.facts("member-removed")
        if fact.fields.get("cause") == "session-expired"
    }  # fmt: skip
    yield from _captured_returns(view)
    joins: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in view.facts("joins"):
        joins[fact.instance].append(fact)
    for member, fact in expired.items():
        instance = view.instance_of(member)
        own = joins[instance] if instance else []
        at = bisect_right(own, fact.order, key=attrgetter("order"))
        if at < len(own):
            text = f"The static member {own[at].instance} came back after its session had ended."
            yield cause_of("static-member-came-back-too-late", text, [fact, own[at]])


def _captured_returns(view: GroupFacts) -> Iterator[GroupCause]:
    """By frames, or the clients' own logs: an instance id under another member id, in the same
    generation or in a later one. Clients alone do not tell whether its session had ended then."""
    if view.has_broker or view.errors("FENCED_INSTANCE_ID"):
        return
    latest: dict[str, Fact] = {}
    for fact in view.facts("joined"):
        if not fact.instance or not fact.member:
            continue
        earlier = latest.get(fact.instance)
        is_new = earlier is not None and earlier.member != fact.member
        if earlier is not None and is_new and _is_restarted(view, earlier, fact):
            is_same = earlier.generation == fact.generation
            word = "static-member-came-back" if is_same else "static-member-came-back-too-late"
            when = "within its session" if is_same else "after its session had ended"
            text = f"The static member {fact.instance} came back {when}."
            if is_same or fact.side == "frames":
                yield cause_of(word, text, [earlier, fact])
            else:
                text = f"The static member {fact.instance} came back in a later generation."
                yield cause_of(
                    word, text, [earlier, fact], certain=False, rivals=("static-member-came-back",)
                )
        latest[fact.instance] = fact


def _is_restarted(view: GroupFacts, earlier: Fact, fact: Fact) -> bool:
    """Whether another process may be behind an instance id, as far as clients' logs tell: one that
    was removed joins again, under another member id, without a new start."""
    return (
        fact.side == "frames"
        or fact.sources.isdisjoint(earlier.sources)
        or any(
            end.client == fact.client and earlier.order < end.order <= fact.order
            for end in view.facts("closed", "process-started", "process-ended")
        )
    )


def _was_member(view: GroupFacts, fact: Fact) -> bool:
    """Whether a client was in the group before a moment: one that joins first may ask a broker that
    has not heard yet that it is the coordinator of a new group."""
    return any(
        earlier.speaker == fact.speaker and earlier.order < fact.order
        for earlier in view.facts("joined", "assigned", "partitions-assigned", "heartbeat-refused")
    )


def _coordinators(view: GroupFacts) -> Iterator[GroupCause]:
    loaded = view.facts("group-loaded")
    unloaded = view.facts("group-unloaded")
    if loaded and any(fact.order > view.timeline.facts[0].order for fact in loaded):
        word = coordinator_cause([*loaded, *unloaded])
        text = "The group was loaded anew: its coordinator was restarted, or moved to this broker."
        if word == "coordinator-moved":
            text = "The group was loaded anew: its coordinator moved to another broker."
        yield cause_of(word, text, [*loaded, *unloaded])
        return
    losses = [
        fact for fact in view.facts("coordinator-lost")
        if "NOT_COORDINATOR" in str(fact.fields.get("detail", "")) and _was_member(view, fact)
    ]  # fmt: skip
    loading = view.errors("COORDINATOR_LOAD_IN_PROGRESS")
    if losses or loading:
        news = "found it loading the group" if loading else "was told that another broker is it"
        text = f"{names_of([*losses, *loading])} lost the coordinator: {news}."
        yield cause_of(
            "coordinator-restarted", text, [*losses, *loading], certain=False,
            rivals=("coordinator-moved",),
        )  # fmt: skip


def _leaders(view: GroupFacts) -> Iterator[GroupCause]:
    """Rounds that were joined and got no assignment, after which the leader was gone."""
    leader = ""
    failures: list[LikelyCause] = []
    for rebalance, later in zip(view.rebalances, view.rebalances[1:], strict=False):
        leader = rebalance.leader or leader
        is_left_open = (
            rebalance.is_classic and rebalance.joined is not None and rebalance.ended is None
        )
        if is_left_open and not rebalance.is_empty:
            departures = [cause for cause in later.causes if cause.cause in _DEPARTURES]
            failures += [cause for cause in departures if cause.member == leader]
    if failures:
        text = (
            f"The leader {names_of(failures)} joined, sent no assignment, and was gone, "
            f"{times(len(failures))}."
        )
        yield cause_of(
            "leader-fails", text, certain=False, rivals=("unreadable-subscription",),
            evidence=evidence_of(failures),
        )  # fmt: skip


_DEPARTURES = frozenset(
    {"member-left", "session-expired", "sync-not-sent", "poll-timeout-exceeded"}
)


def _timeouts(view: GroupFacts) -> Iterator[GroupCause]:
    for word, form in _OF_TRIGGERS.items():
        causes = [
            cause for cause in triggered(view, word)
            if word == "connect-config-changed" or not view.programs.is_worker(cause.client)
        ]  # fmt: skip
        causes = [cause for cause in causes if cause.is_certain] or causes
        if causes:
            names = (
                names_of(causes)
                if any(cause.member or cause.client for cause in causes)
                else "the group"
            )
            certain = causes[0].is_certain
            probably = "" if certain else "probably "
            text = form.format(who=names, times=times(len(causes)), probably=probably)
            yield cause_of(
                word, text, certain=certain,
                rivals=causes[0].rivals or None, evidence=evidence_of(causes),
            )  # fmt: skip


_TOPICS = re.compile(r"\(+version\d*: \{(.*?)\}\)", re.DOTALL)
_TOPIC = re.compile(r"([^\s,{}=]+)=(\[[^\]]*\]|\d+)")
_RETURNS = 2
"""So often what a member sees of topics is what it saw before the last change."""
_CHANGES = 5
"""So many changes in `RETURN_MS` are suspect, where no line tells what changed."""


def _flapping(view: GroupFacts) -> Iterator[GroupCause]:
    """Topics that come and go: a client names what it sees, a coordinator only that it changed."""
    changes: defaultdict[str, list[tuple[Fact, frozenset[tuple[str, str]]]]] = defaultdict(list)
    for fact in view.facts("metadata-changed"):
        detail = str(fact.fields.get("detail", ""))
        topics = [frozenset(_TOPIC.findall(text)) for text in _TOPICS.findall(f"({detail}")]
        if len(topics) == 2:  # what it saw, and what it sees
            changes[fact.client_id].append((fact, topics[1]))
    for client, own in changes.items():
        topics = [state for _, state in own]
        returns = sum(
            state == earlier and state != between
            for earlier, between, state in zip(topics, topics[1:], topics[2:], strict=False)
        )
        if returns >= _RETURNS:
            text = (
                f"{client or 'A client'} sees topics or partitions come and go: they changed "
                f"{times(len(own))}, to and fro."
            )
            yield cause_of("metadata-flapping", text, [fact for fact, _ in own])
            return
    if not changes:
        yield from _frequent_changes(view)


def _frequent_changes(view: GroupFacts) -> Iterator[GroupCause]:
    changes = [
        rebalance for rebalance in view.rebalances
        if any(cause.cause == "metadata-changed" for cause in rebalance.causes)
    ]  # fmt: skip
    begins = [rebalance.began or rebalance.joined or 0.0 for rebalance in changes]
    is_often = any(
        later - earlier < RETURN_MS
        for earlier, later in zip(begins, begins[_CHANGES - 1 :], strict=False)
    )
    if is_often:
        text = f"The topics or partitions of the group changed {times(len(changes))}."
        evidence = evidence_of([cause for rebalance in changes for cause in rebalance.causes])
        yield cause_of(
            "metadata-flapping", text, certain=False, rivals=("metadata-changed",),
            evidence=evidence,
        )  # fmt: skip


_OF_TRIGGERS = {
    "rebalance-timeout": "{who} did not join within the rebalance timeout, {times}: the others "
    "waited.",
    "slow-revoke-callback": "{who} kept partitions longer than the rebalance timeout allows, "
    "{times}.",
    "sync-not-sent": "{who} joined, and sent no SyncGroup in time, {times}.",
    "removed-by-admin": "An administrator removed {who}, {times}.",
    "metadata-changed": "The topics or partitions that the group subscribes to changed, {times}.",
    "subscription-changed": "{who} subscribed to other topics, {times}.",
    "connect-config-changed": "The configuration of connectors or tasks changed, {times}: each "
    "change is a rebalance of Connect.",
    "cooperative-second-round": "Partitions were {probably}revoked in a first round and given "
    "in a second one, {times}, as the cooperative protocol does.",
    "probing-rebalance": "Streams looked whether a warm-up was done, {times}: no trouble.",
    "leader-rejoined": "The leader {who} joined again by itself, {times}.",
    "migration": "The protocol of the group was converted, {times}.",
}


_AT_ONCE_MS = 1.0


def _clients_beside(view: GroupFacts, start: Fact) -> int:
    """How many clients wrote into the log of a start that names none."""
    clients = {
        fact.client_id for fact in view.timeline.facts
        if fact.side == "client" and fact.client_id and fact.sources & start.sources
    }  # fmt: skip
    return 1 if start.client else max(1, len(clients))


def _starts(view: GroupFacts) -> Iterator[GroupCause]:
    """The same client again and again, or every client once."""
    starts: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in view.facts("process-started"):
        own = starts[f"{fact.client} in {fact.lines[0].source}".strip()]
        if own and fact.fields.get("topics") != own[0].fields.get("topics"):
            continue  # the topics of its pattern are others now
        if not own or not fact.time_text or fact.order - own[-1].order > _AT_ONCE_MS:
            own.append(fact)  # else a collector has doubled the line
    looping = {
        client: facts for client, facts in starts.items()
        if len(facts) >= 3 * _clients_beside(view, facts[0])
    }  # fmt: skip
    for client, facts in looping.items():
        who = client if facts[0].client else f"The process {client}"
        text = f"{who} started {len(facts)} times."
        yield cause_of("crash-loop", text, facts, certain=False, rivals=("rolling-restart",))
    if looping:
        return
    by_facts = [] if view.restarts and not view.has_broker else [*_restarts_in_turn(view)]
    yield from by_facts or _returns(view)


_ARRIVALS = ("joins", "joined")


def _restarts_in_turn(view: GroupFacts) -> Iterator[GroupCause]:
    """Clients that left in order and came back as new members, one after the other, by the log of
    the coordinator, else by frames, else by the clients' own logs. A session that ended, or a poll
    that took too long, is no restart."""
    stays: defaultdict[str, list[Fact]] = defaultdict(list)
    facts = view.facts(*_ARRIVALS, "leaves", "member-removed", "member-fenced")
    sides = {fact.side for fact in facts}
    witness = next((side for side in ("broker", "frames", "client") if side in sides), "")
    for fact in facts:
        client = fact.client_id or fact.instance
        if client and fact.member and fact.side == witness:
            stays[client].append(fact)
    pairs = [(client, pair) for client, own in stays.items() for pair in _restarts(view, own)]
    pairs.sort(key=lambda pair: pair[1][1].order)
    numbers = {
        id(fact): at for at, fact in enumerate(
            sorted((fact for _, pair in pairs for fact in pair), key=attrgetter("order"))
        )
    }  # fmt: skip
    joined = sum(any(fact.event in _ARRIVALS for fact in own) for own in stays.values())
    restarts = [
        Restart(client, name_of(leave), back.member, leave.order, numbers[id(leave)], back.order,
                numbers[id(back)], joined)
        for client, (leave, back) in pairs
    ]  # fmt: skip
    once = len({client for client, _ in pairs}) == len(pairs)
    restarted = judged(restarts, int(once), have_left=True)
    if restarted is None or restarted.word != "rolling-restart":
        return
    leaves = [leave for _, (leave, _) in pairs]
    rivals = CAUSES["rolling-restart"].rivals
    rivals += ("poll-timeout-exceeded",) if any(map(is_unstated, leaves)) else ()
    yield cause_of("rolling-restart", restarted.summary, leaves, certain=False, rivals=rivals)


def _restarts(view: GroupFacts, own: Iterable[Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Yield when a client left in order, and came back as a new member, up to its first other end;
    nothing of an id that several members have at a time."""
    found: list[tuple[Fact, Fact]] = []
    present, leave = "", None
    for fact in sorted(own, key=attrgetter("order")):
        if fact.event not in _ARRIVALS:
            if present not in ("", fact.member):
                continue  # a late line about the member before
            if not _leaves_in_order(view, fact):
                break
            present, leave = "", fact
        elif fact.member != present:
            if present:
                return
            if leave is not None and leave.member != fact.member:
                found.append((leave, fact))
            present, leave = fact.member, None
    yield from found


def _returns(view: GroupFacts) -> Iterator[GroupCause]:
    """Members that came back, by lists of members."""
    restarted = judged(view.restarts_by_lists)
    if restarted is None:
        return
    members = {restart.member_id for restart in restarted.restarts}
    joins = {
        cause.member: cause.evidence for cause in reversed(triggered(view, "member-joined"))
    }  # fmt: skip
    for fact in view.facts("assigned", "joins"):
        if fact.side == "records" and fact.member in members:
            joins.setdefault(fact.member, tuple(fact.lines))
    is_rolling = restarted.word == "rolling-restart"
    lines = (joins.get(restart.member_id, ()) for restart in restarted.restarts)
    yield cause_of(
        "rolling-restart" if is_rolling else "member-joined", restarted.summary, certain=False,
        rivals=restarted.rivals, evidence=tuple(chain.from_iterable(lines)),
    )  # fmt: skip


def _leaves_in_order(view: GroupFacts, fact: Fact) -> bool:
    """Whether a member left, and neither states another cause nor goes on to run."""
    if fact.event != "leaves" or cause_of_reason(str(fact.fields.get("reason", ""))) is not None:
        return False
    is_late = is_of_poll_timeout(view, fact) or is_of_running_program(view, fact)
    return fact.side != "client" or not is_late


def _scaling(view: GroupFacts) -> Iterator[GroupCause]:
    """Kubernetes says that it replaced, added or removed processes."""
    scaled = view.facts("autoscaled")
    if scaled:
        text = f"An autoscaler changed the number of processes: {scaled[0].fields['reason']}."
        yield cause_of("autoscaling", text, scaled)
    ends = [
        fact for fact in view.facts("process-ended")
        if fact.family == "around" and str(fact.fields.get("reason", "")).startswith("Killing")
    ]  # fmt: skip
    if len({fact.client for fact in ends}) >= 2 and not scaled:
        text = f"The processes of {names_of(ends)} were stopped one after the other."
        yield cause_of("rolling-restart", text, ends)


def _ordinary(view: GroupFacts) -> Iterator[GroupCause]:
    """Members that come and go: nothing is wrong by that alone."""
    leaves = [
        as_cause(fact, "member-left") for fact in view.facts("leaves")
        if fact.side == "client" and cause_of_reason(str(fact.fields.get("reason", ""))) is None
        and not is_of_running_program(view, fact) and not is_of_poll_timeout(view, fact)
    ]  # fmt: skip
    joins = [] if view.restarts_by_lists else triggered(view, "member-joined")
    left = triggered(view, "member-left") + leaves
    unsure = [cause for cause in left if not cause.is_certain]
    unstated = [cause for cause in unsure if "session-expired" not in cause.rivals]
    gone = [cause for cause in unsure if cause not in unstated]
    for text, causes in (
        ("{who} joined: each start of a member is a rebalance.", joins),
        ("{who} left the group in order.", [cause for cause in left if cause.is_certain]),
        ("{who} left the group and gave no reason.", unstated),
        (
            f"{{who}} left, or {was(gone)} removed: the leader's next list does without.",
            gone,
        ),
    ):
        if causes:
            yield cause_of(
                causes[0].cause, text.format(who=names_of(causes)),
                certain=all(cause.is_certain for cause in causes),
                rivals=causes[0].rivals or None, evidence=evidence_of(causes),
                next_step="Nothing is to be done for this alone.",
            )  # fmt: skip


_Rules: TypeAlias = tuple[Callable[[GroupFacts], Iterable[GroupCause]], ...]

_OF_MEMBERS: _Rules = (_refusals, poll_causes, session_causes)
_OF_GROUPS: _Rules = (
    _coordinators, _commits, _instances, _leaders, _flapping, _timeouts, connect_causes,
    _static_returns, _scaling, _starts, _ordinary,
)  # fmt: skip


def causes_of_group(view: GroupFacts) -> tuple[GroupCause, ...]:
    """Return what the facts say is wrong with a group."""
    faults = KnownFaults(view)
    causes = [cause for rule in _OF_MEMBERS for cause in rule(view)]
    causes += faults.causes()
    causes += [cause for rule in _OF_GROUPS for cause in rule(view)]
    return faults.completed(causes)
