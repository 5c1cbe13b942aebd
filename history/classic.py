"""The rules of classic groups: JoinGroup, SyncGroup, Heartbeat, LeaveGroup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ..capture.frames.frame import Frame
from ..inspector.open.opening import Opened
from .groups import MAX_MEMBERS, Cause, Change, Group, Member, Wait, WaitedFor
from .ownership import NONE, Interval, Parts, parts_of
from .peers import Peer

__all__ = ["classic_change"]

_REBALANCE_IN_PROGRESS, _MEMBER_ID_REQUIRED = 27, 79
_THROWN_OUT = {22, 25, 82}  # ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID
_ASKS_FOR_AN_ID = 4  # JoinGroup's version since which a member without an id is given one first


def classic_change(
    group: Group, peer: Peer, frame: Frame, opened: Sequence[Opened], when: float
) -> Change:
    """Bring a group up to date with a frame, and return what that changes."""
    assert frame.body is not None
    message: Any = frame.body.message
    match frame.api, frame.direction:
        case "JoinGroup", "request":
            return _joins(group, peer, frame, opened, when)
        case "JoinGroup", "response" if not message.error_code:
            return _joined(group, message, opened, when)
        case "SyncGroup", "response" if not message.error_code:
            return _gets(group, peer, opened, when)
        case "LeaveGroup", "request":
            return _leaves(group, message, when)
        case _, "response":
            return _told(group, peer, getattr(message, "error_code", 0), when)
        case _:
            return Change()


def _joins(group: Group, peer: Peer, frame: Frame, opened: Sequence[Opened], when: float) -> Change:
    assert frame.body is not None
    message: Any = frame.body.message
    version = frame.api_version or 0
    static = getattr(message, "group_instance_id", None)
    if not message.member_id:
        if version < _ASKS_FOR_AN_ID or static:
            newcomer = Member("", peer.client, instance_id=static)
            group.begin(when, Cause("joined", newcomer, message.reason or ""))
            group.first_join = group.first_join or when
        return Change()
    known = message.member_id in group.members
    member = group.member(message.member_id)
    member.instance_id = static
    member.session_ms = message.session_timeout_ms
    member.rebalance_ms = message.rebalance_timeout_ms
    if member.rebalance_ms < 0:
        member.rebalance_ms = member.session_ms
    group.begin(when, Cause("rejoined" if known else "joined", member, message.reason or ""))
    group.first_join = group.first_join or when
    group.joined[member.member_id] = when
    kept = _claimed(opened) & group.ownership.of(member.member_id) if known else _claimed(opened)
    gone = group.ownership.of(member.member_id) - kept
    group.give(member, kept, when)
    return Change(member, gone=gone)


def _joined(group: Group, message: Any, opened: Sequence[Opened], when: float) -> Change:
    member = group.member(message.member_id)
    member.epoch = message.generation_id
    wait = None
    if message.generation_id != group.generation:
        group.synced = set()
        group.generation_members = frozenset()
        wait = _wait(group, message.member_id, when)
        group.reached(message.generation_id)
    out: list[Member] = []
    if message.members:
        now = frozenset(each.member_id for each in message.members)
        group.generation_members = now
        out = [member for id_, member in group.members.items() if id_ not in now]
        for each in out:  # what was owned behind a closed connection was not consumed
            group.remove(each.member_id, each.closed or when)
        out = [replace(each) for each in out]
        group.unseen |= set(islice(now - group.seen, MAX_MEMBERS - len(group.unseen)))
        for id_ in now:
            group.member(id_)
        _guess_cause(group, out)
    return Change(member, wait=wait, out=tuple(out))


def _guess_cause(group: Group, out: list[Member]) -> None:
    """Members that are out without a LeaveGroup explain a rebalance that nothing else does."""
    rebalance = group.rebalance
    if rebalance is None or not out:
        return
    explained = [cause for cause in rebalance.causes if cause.what in ("joined", "left")]
    if not explained:
        rebalance.causes[:0] = [Cause("expired", each, "", False) for each in out]


def _wait(group: Group, answered: str, when: float) -> Wait | None:
    """How long members were kept waiting for this generation, and for whom."""
    if group.first_join is None:
        return None
    joined = dict(group.joined)
    late = max(joined.items(), key=lambda each: each[1], default=None)
    missing = [
        WaitedFor(replace(member), None)
        for id_, member in group.expected.items()
        if id_ not in joined and id_ in group.members and id_ != answered
    ]
    last = missing
    if not missing and late is not None and late[0] in group.expected and len(joined) > 1:
        last = [WaitedFor(replace(group.members[late[0]]), late[1])]
    limits = [member.rebalance_ms for member in group.members.values() if member.rebalance_ms]
    started = group.first_join
    group.joined = {}
    group.first_join = None
    group.expected = dict(group.members)
    return Wait(Interval(started, when), tuple(last), max(limits, default=None))


def _gets(group: Group, peer: Peer, opened: Sequence[Opened], when: float) -> Change:
    if not peer.member_id:
        return Change()
    member = group.member(peer.member_id)
    old = group.ownership.of(member.member_id)
    parts = _assigned(opened)
    idle = group.give(member, parts, when)
    group.synced.add(member.member_id)
    here = {id_ for id_, each in group.members.items() if each.connection is not None}
    of_generation = group.generation_members & here if group.generation_members else here
    if not group.joined and group.first_join is None and of_generation <= group.synced:
        group.finish(when)
    return Change(member, parts=parts, new=parts - old, gone=old - parts, idle=idle)


def _leaves(group: Group, message: Any, when: float) -> Change:
    ids = [(each.member_id, each.reason or "") for each in message.members]
    gone = NONE
    for id_, reason in ids or [(message.member_id, "")]:
        member = group.members.get(id_)
        gone |= group.remove(id_, when)
        if group.members:
            group.begin(when, Cause("left", member or Member(id_), reason))
    if not group.members:
        group.finish(when)
    return Change(gone=gone)


def _told(group: Group, peer: Peer, code: int, when: float) -> Change:
    if not peer.member_id or peer.member_id not in group.members:
        return Change()
    member = group.members[peer.member_id]
    if code == _REBALANCE_IN_PROGRESS and group.rebalance is None:
        group.begin(when, Cause("unseen"))
    if code in _THROWN_OUT:
        lost = group.remove(peer.member_id, when)
        return Change(member, lost=lost)
    return Change(member)


# -- what members wrote


def _claimed(opened: Sequence[Opened]) -> Parts:
    """The partitions that a subscription claims: none, where a member has revoked all of them."""
    for inner in opened:
        message = inner.decoded.message if inner.decoded is not None else None
        claims = getattr(message, "owned_partitions", None)
        if claims:
            return _parts(claims)
    return NONE


def _assigned(opened: Sequence[Opened]) -> Parts:
    for inner in opened:
        message = inner.decoded.message if inner.decoded is not None else None
        given = getattr(message, "assigned_partitions", None)
        if given is not None:
            return _parts(given)
    return NONE


def _parts(topics: Any) -> Parts:
    return parts_of((topic.topic, topic.partitions) for topic in topics)
