"""The coordinator of a consumer group (KIP-848): what it does with heartbeats, leaves and timers.

A heartbeat does three things: it creates or updates the member, which may begin a new group epoch;
it makes a new target assignment where that is older than the group epoch; and it moves the member
towards its target (`targets`). All of it happens at once and is answered at once: no request
waits for other members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from ....codec.messages import ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse
from ....codec.runtime.message import Message
from ...assignments import Partition
from ...broker_assignors import UnassignableError
from ...group import Topics
from ..machines.coordinator_state import (
    Commit,
    CommitAnswer,
    CoordinatorTurn,
    ErrorCode,
    GroupSettings,
    GroupTimer,
)
from .group_state import (
    JOIN_EPOCH,
    STATIC_LEAVE_EPOCH,
    ConsumerGroup,
    ConsumerMember,
    Matching,
    MemberProgress,
)
from .regular_expressions import InvalidExpressionError, compile_expression, resolve
from .targets import (
    Aim,
    by_name,
    by_topic_id,
    make_targets,
    metadata_hash,
    preferred_assignor,
    reconciled,
)

_TIMERS = (GroupTimer.SESSION, GroupTimer.MEMBER_REBALANCE, GroupTimer.MEMBER_JOIN,
           GroupTimer.MEMBER_SYNC)  # fmt: skip
_MATCHING_MS = 1
"""How long the broker takes to match regular expressions against its topics."""
_MATCHES_LAST_MS = 10_000
"""How long the broker does not match again (REGEX_BATCH_REFRESH_MIN_INTERVAL_MS)."""


H = TypeVar("H", bound=Message)

Targets: TypeAlias = Mapping[str, frozenset[Partition]]
"""What each member is to have, by member id."""


class Refusal(Exception):
    """The request is answered with an error, and changes nothing."""

    def __init__(self, error: ErrorCode) -> None:
        super().__init__(error.name)
        self.error = error


class ConsumerTurn(CoordinatorTurn):
    """A step of the coordinator of a consumer group, which knows the broker's topics."""

    __slots__ = ("topics",)
    state: ConsumerGroup

    def __init__(
        self, settings: GroupSettings, topics: Topics, group: ConsumerGroup, event: Any
    ) -> None:
        super().__init__(settings, group, event)
        self.topics = topics

    def subscribed(self, member: ConsumerMember) -> frozenset[str]:
        """Return the topics that a member subscribes to and that exist."""
        return frozenset(topic for topic in self.state.subscription(member) if topic in self.topics)


# -- heartbeats


def heartbeat(turn: ConsumerTurn) -> None:
    """Answer a heartbeat that is no leave. Raises Refusal."""
    request: ConsumerGroupHeartbeatRequest = turn.request
    if (
        request.server_assignor is not None
        and request.server_assignor not in turn.settings.assignors
    ):
        raise Refusal(ErrorCode.UNSUPPORTED_ASSIGNOR)
    refuse_if_full(turn, request.member_id)
    reported = _reported(turn)
    member = _static(turn, reported) if request.instance_id is not None else dynamic(turn, reported)
    updated = _described(turn, member)
    updated = go_on(turn, member, updated, reported)
    turn.timer(GroupTimer.SESSION, turn.settings.consumer_session_timeout_ms, updated.member_id)
    full = (
        request.rebalance_timeout_ms != -1
        and (
            request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None
        )
        and reported is not None
    )
    tells = request.member_epoch == JOIN_EPOCH or full or updated.assigned != member.assigned
    turn.answer(heartbeat_response(ConsumerGroupHeartbeatResponse, turn, updated, tells=tells))


def go_on(
    turn: ConsumerTurn,
    previous: ConsumerMember,
    member: ConsumerMember,
    reported: frozenset[Partition] | None,
) -> ConsumerMember:
    """Return a member that was created or updated as it is after the group's epoch and target were
    brought up to date, and the member was moved towards its target. Raises Refusal.
    """
    names_changed = set(member.topics) != set(previous.topics)
    regex_changed = member.regex != previous.regex
    is_matched = _known_regex(turn, member) if regex_changed else False
    turn.state = turn.state.with_member(member).without_unused_regexes()
    _match_if_due(turn)
    update_epoch(turn, bump=names_changed or is_matched)
    update_target(turn, _targets)
    return reconcile(turn, member, reported, subscription_changed=names_changed or regex_changed)


def _known_regex(turn: ConsumerTurn, member: ConsumerMember) -> bool:
    """Return whether it is known what a member's new regular expression matches. Raises Refusal for
    one that no other member has and that RE2J does not read.
    """
    group = turn.state
    if member.regex and not group.subscribers(member.regex):
        try:
            compile_expression(member.regex)
        except InvalidExpressionError:
            raise Refusal(ErrorCode.INVALID_REGULAR_EXPRESSION) from None
    return not member.regex or any(
        resolved.expression == member.regex for resolved in group.resolved
    )


def _match_if_due(turn: ConsumerTurn) -> None:
    """Let regular expressions be matched, if one is new or topics have changed."""
    group = turn.state
    regexes = group.regexes()
    due = group.matches_are_stale or regexes != {resolved.expression for resolved in group.resolved}
    if regexes and due and group.matching is Matching.FREE:
        turn.state = group._replace(matching=Matching.UNDER_WAY)
        turn.timer(GroupTimer.EXPRESSIONS, _MATCHING_MS)


def match_expressions(turn: ConsumerTurn) -> None:
    """Match the regular expressions against the topics, after which they rest. Where that changes
    what the group subscribes to, a new epoch begins, and the next heartbeat makes its target.
    """
    group = turn.state
    if group.matching is not Matching.UNDER_WAY:
        turn.state = group._replace(matching=Matching.FREE)
        return
    matches = tuple(resolve(regex, turn.topics) for regex in sorted(group.regexes()))
    turn.state = group._replace(
        resolved=matches, matching=Matching.RESTS, matches_are_stale=False, refresh_due=True
    )
    update_epoch(turn, bump=False)
    turn.timer(GroupTimer.EXPRESSIONS, _MATCHES_LAST_MS)


def update_epoch(turn: ConsumerTurn, *, bump: bool) -> None:
    """Begin a new group epoch, if that is due or the topics have changed."""
    group = turn.state
    if not (bump or group.refresh_due):
        return
    topics_hash = metadata_hash(group.subscribed(), turn.topics)
    if bump or topics_hash != group.metadata_hash:
        group = group._replace(epoch=group.epoch + 1, metadata_hash=topics_hash)
    turn.state = group._replace(refresh_due=False)


def _targets(turn: ConsumerTurn) -> Targets:
    assignor = preferred_assignor(turn.state, turn.settings.assignors[0])
    return make_targets(turn.state, turn.topics, assignor)


def update_target(turn: ConsumerTurn, make: Callable[[ConsumerTurn], Targets]) -> None:
    """Make the target assignment, if that is due. Raises Refusal where it cannot be made."""
    group = turn.state
    if group.assignment_epoch >= group.epoch or group.assignment_waits:
        return
    try:
        targets = make(turn)
    except UnassignableError:
        raise Refusal(ErrorCode.UNKNOWN_SERVER_ERROR) from None
    interval = turn.settings.assignment_interval_ms
    turn.state = group.with_targets(targets)._replace(
        assignment_epoch=group.epoch, assignment_waits=interval > 0
    )
    if interval > 0:
        turn.timer(GroupTimer.ASSIGNMENT, interval)


def reconcile(
    turn: ConsumerTurn,
    member: ConsumerMember,
    reported: frozenset[Partition] | None,
    *,
    subscription_changed: bool,
) -> ConsumerMember:
    """Return the member after a move towards its target, and set the time it has for that."""
    group = turn.state
    if not subscription_changed and member.is_reconciled_to(group.assignment_epoch):
        return member
    changed = reconciled(
        member,
        Aim(
            group.assignment_epoch,
            group.target(member.member_id),
            turn.subscribed(member),
            subscription_changed,
            reported,
            group.owned(),
            turn.settings.gives_unreleased,
        ),
    )
    move(turn, member, changed)
    return changed


def move(turn: ConsumerTurn, previous: ConsumerMember, changed: ConsumerMember) -> None:
    """Store a member that has moved towards its target, and set the time it has to revoke."""
    if changed == previous:
        return
    turn.state = turn.state.with_member(changed)
    if changed.classic is None:
        revokes = changed.progress is MemberProgress.UNREVOKED_PARTITIONS
        timeout = changed.rebalance_timeout_ms if revokes else None
        turn.timer(GroupTimer.MEMBER_REBALANCE, timeout, changed.member_id)


def _reported(turn: ConsumerTurn) -> frozenset[Partition] | None:
    entries = turn.request.topic_partitions
    if entries is None:
        return None
    topics = {*turn.topics, *(topic for topic, _ in turn.state.owned())}
    return by_name({entry.topic_id: entry.partitions for entry in entries}, topics)


def dynamic(turn: ConsumerTurn, reported: frozenset[Partition] | None) -> ConsumerMember:
    """Return the member that asks, a new one if it joins. Raises Refusal."""
    request = turn.request
    member = turn.state.member(request.member_id)
    if member is None:
        if request.member_epoch != JOIN_EPOCH:
            raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
        member = ConsumerMember(request.member_id)
    _refuse_another_epoch(member, request.member_epoch, reported)
    return member


def _static(turn: ConsumerTurn, reported: frozenset[Partition] | None) -> ConsumerMember:
    request = turn.request
    member = turn.state.static(request.instance_id)
    if request.member_epoch == JOIN_EPOCH:
        if member is not None and member.classic is None and not member.has_left_for_now:
            raise Refusal(ErrorCode.UNRELEASED_INSTANCE_ID)
        return join_static(turn, request.member_id, member)
    if member is None:
        raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    refuse_if_fenced(member, request.member_id)
    _refuse_another_epoch(member, request.member_epoch, reported)
    return member


def join_static(turn: ConsumerTurn, member_id: str, old: ConsumerMember | None) -> ConsumerMember:
    """Return a static member that joins, in the place of the one that had its instance id."""
    if old is None:
        return ConsumerMember(member_id)
    new = old._replace(member_id=member_id, epoch=JOIN_EPOCH, previous_epoch=JOIN_EPOCH)
    target = turn.state.target(old.member_id)
    group = turn.state.without([old.member_id]).with_member(new)
    turn.state = group.with_targets(dict(group.targets) | {member_id: target})
    stop_timers(turn, old.member_id)
    return new


def _refuse_another_epoch(
    member: ConsumerMember, received: int, reported: frozenset[Partition] | None
) -> None:
    """Refuse a member of another epoch; that before its own is let pass if the member owns nothing
    that it should not: the answer with the new epoch may have been lost.
    """
    if received in (JOIN_EPOCH, member.epoch):
        return
    lost_an_answer = (
        received < member.epoch
        and received == member.previous_epoch
        and reported is not None
        and reported <= member.assigned_partitions
    )
    if not lost_an_answer:
        raise Refusal(ErrorCode.FENCED_MEMBER_EPOCH)


def _described(turn: ConsumerTurn, member: ConsumerMember) -> ConsumerMember:
    """Return the member with what the request says of it; what it leaves out is as before."""
    request, event = turn.request, turn.event
    fields = {
        "instance_id": request.instance_id,
        "rack": request.rack_id,
        "rebalance_timeout_ms": None
        if request.rebalance_timeout_ms == -1
        else request.rebalance_timeout_ms,
        "assignor": request.server_assignor,
        "topics": None
        if request.subscribed_topic_names is None
        else tuple(sorted(set(request.subscribed_topic_names))),
        "regex": request.subscribed_topic_regex,
    }
    changes = {name: value for name, value in fields.items() if value is not None}
    return member._replace(**changes, client_id=event.client_id, classic=None)


def heartbeat_response(
    kind: type[H], turn: ConsumerTurn, member: ConsumerMember, *, tells: bool
) -> H:
    """Return the response to a heartbeat, with the member's partitions if it `tells` them."""
    response: Any = kind
    entries = [
        response.TopicPartitions(topic_id=uuid, partitions=numbers)
        for uuid, numbers in by_topic_id(member.assigned_partitions).items()
    ]
    return response(  # type: ignore[no-any-return]
        member_id=member.member_id,
        member_epoch=member.epoch,
        heartbeat_interval_ms=turn.settings.consumer_heartbeat_interval_ms,
        assignment=response.Assignment(topic_partitions=entries) if tells else None,
    )


def refuse_if_full(turn: ConsumerTurn, member_id: str) -> None:
    """Refuse a new member of a group that has as many as it may have."""
    full = len(turn.state.members) >= turn.settings.consumer_max_size
    if full and turn.state.member(member_id) is None:
        raise Refusal(ErrorCode.GROUP_MAX_SIZE_REACHED)


def known_member(group: ConsumerGroup, member_id: str, instance_id: str | None) -> ConsumerMember:
    """Return the member that asks, a static one by its instance id. Raises Refusal if it is not
    known, or another member has its instance id.
    """
    member = group.member(member_id) if instance_id is None else group.static(instance_id)
    if member is None:
        raise Refusal(ErrorCode.UNKNOWN_MEMBER_ID)
    refuse_if_fenced(member, member_id)
    return member


def refuse_if_fenced(member: ConsumerMember, member_id: str) -> None:
    """Refuse a member whose instance id another member has by now."""
    if member.member_id != member_id:
        raise Refusal(ErrorCode.FENCED_INSTANCE_ID)


# -- leaving, expiring


def leave(turn: ConsumerTurn) -> list[str]:
    """Answer a leave; return the ids of the members to remove. Raises Refusal."""
    request: ConsumerGroupHeartbeatRequest = turn.request
    member = known_member(turn.state, request.member_id, request.instance_id)
    leavers = [member.member_id]
    if request.instance_id is not None and request.member_epoch == STATIC_LEAVE_EPOCH:
        turn.state = turn.state.with_member(_left_for_now(member))
        leavers = []
    turn.answer(
        ConsumerGroupHeartbeatResponse(
            member_id=member.member_id, member_epoch=request.member_epoch
        )
    )
    return leavers


def _left_for_now(member: ConsumerMember) -> ConsumerMember:
    """Return a static member that left and may come back: it keeps what it is assigned, counted as
    assigned in epoch 0 to whoever comes back.
    """
    partitions = tuple((partition, 0) for partition, _ in member.assigned)
    return member._replace(epoch=STATIC_LEAVE_EPOCH, assigned=partitions, revoking=())


def remove(turn: ConsumerTurn, member_ids: list[str]) -> None:
    """Remove members, which begins a new epoch; the next heartbeat makes its target."""
    group = turn.state.without(member_ids).without_unused_regexes()
    turn.state = group._replace(
        epoch=group.epoch + 1, metadata_hash=metadata_hash(group.subscribed(), turn.topics)
    )
    for member_id in member_ids:
        stop_timers(turn, member_id)


def stop_timers(turn: ConsumerTurn, member_id: str) -> None:
    """Stop the timers of a member."""
    for timer in _TIMERS:
        turn.timer(timer, None, member_id)


def has_timed_out(member: ConsumerMember, timer: GroupTimer) -> bool:
    """Return whether a timer that ran out still says something about a member."""
    if timer is not GroupTimer.MEMBER_REBALANCE:
        return True
    revokes = member.progress is MemberProgress.UNREVOKED_PARTITIONS
    return revokes and not member.has_left_for_now


def take_over(turn: ConsumerTurn) -> None:
    """Go on with what the records have: set the timers anew, and look at the topics."""
    turn.state = turn.state.recovered()
    for member in turn.state.members:
        classic = member.classic
        session = (
            turn.settings.consumer_session_timeout_ms
            if classic is None
            else classic.session_timeout_ms
        )
        turn.timer(GroupTimer.SESSION, session, member.member_id)
        if classic is None and member.progress is MemberProgress.UNREVOKED_PARTITIONS:
            turn.timer(GroupTimer.MEMBER_REBALANCE, member.rebalance_timeout_ms, member.member_id)
    topics_changed(turn)


def topics_changed(turn: ConsumerTurn) -> None:
    """Let the next heartbeat look at the topics."""
    turn.change(refresh_due=True, matches_are_stale=bool(turn.state.resolved))


# -- commits


def commit(turn: ConsumerTurn) -> None:
    """Judge a commit: the member's epoch has to be the current one, or one in which it had the
    partitions already.
    """
    request: Commit = turn.request
    turn.answer(CommitAnswer(commit_error(turn.state, request)))


def commit_error(group: ConsumerGroup, request: Commit) -> ErrorCode:
    """Return the error by which a commit is answered."""
    member = group.member(request.member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if request.generation == member.epoch:
        return ErrorCode.NONE
    stale = ErrorCode.STALE_MEMBER_EPOCH if member.classic is None else ErrorCode.ILLEGAL_GENERATION
    if request.generation > member.epoch:
        return stale
    since = dict(member.assigned) | dict(member.revoking)
    has_them = all(
        since.get(partition, request.generation + 1) <= request.generation
        for partition in request.partitions
    )
    return ErrorCode.NONE if has_them and request.partitions else stale
