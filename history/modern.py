"""The rules of groups whose broker assigns: of consumers (KIP-848), share (932), Streams (1071).

A heartbeat leaves out what has not changed. The member epoch is 0 in the heartbeat with which a
member joins, -1 in the one with which it leaves, -2 where a static member means to come back.
"""

from __future__ import annotations

from typing import Any

from .groups import Cause, Change, Group, Member
from .ownership import NONE, Parts, parts_of
from .peers import Peer

__all__ = ["LEAVES", "LEAVES_FOR_NOW", "modern_change"]

JOINS, LEAVES, LEAVES_FOR_NOW = 0, -1, -2
_THROWN_OUT = {25, 82, 110}  # UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID, FENCED_MEMBER_EPOCH


def modern_change(group: Group, peer: Peer, direction: str, message: Any, when: float) -> Change:
    """Bring a group up to date with a heartbeat, and return what that changes."""
    if direction == "request":
        return _asks(group, peer, message, when)
    if message.error_code:
        return _refused(group, peer, message.error_code, when)
    return _answered(group, peer, message, when)


def _asks(group: Group, peer: Peer, message: Any, when: float) -> Change:
    epoch = message.member_epoch
    if epoch in (LEAVES, LEAVES_FOR_NOW):
        return _leaves(group, peer, message, when)
    if not message.member_id:
        return Change(None, frozenset({"joins"}))
    known = message.member_id in group.members
    member = group.member(message.member_id)
    what: set[str] = set()
    member.instance_id = getattr(message, "instance_id", None) or member.instance_id
    if getattr(message, "rebalance_timeout_ms", -1) >= 0:
        member.rebalance_ms = message.rebalance_timeout_ms
    if epoch == JOINS:
        what.add("joins again" if known and member.epoch > 0 else "joins")
        _note_join(group, member, when)
    topics = getattr(message, "subscribed_topic_names", None)
    if topics is not None:
        wanted = tuple(sorted(topics))
        if member.subscribed is not None and wanted != member.subscribed and epoch != JOINS:
            what.add("subscribes")
            group.begin(when, Cause("subscribed", member))
        member.subscribed = wanted
    return _reports(group, member, message, what, when)


def _note_join(group: Group, member: Member, when: float) -> None:
    if member.epoch != JOINS:
        group.begin(when, Cause("joined", member))
    back = [id_ for id_, each in group.away.items() if each.instance_id == member.instance_id]
    for id_ in back:
        del group.away[id_]
    member.epoch = JOINS
    member.target = None


def _leaves(group: Group, peer: Peer, message: Any, when: float) -> Change:
    epoch = message.member_epoch
    member = group.members.get(message.member_id) or Member(message.member_id, peer.client)
    gone = group.remove(message.member_id, when)
    leaves = "leaves" if epoch == LEAVES else "leaves for now"
    if epoch == LEAVES_FOR_NOW:  # its parts are kept for it until its session ends
        group.away[member.member_id] = member
    elif group.members:
        group.begin(when, Cause("left", member))
    else:
        group.finish(when)
    return Change(member, frozenset({leaves}), gone=gone)


def _reports(group: Group, member: Member, message: Any, what: set[str], when: float) -> Change:
    owned = _reported(group, message)
    if owned is None or owned == member.owned == (member.target or NONE):
        return Change(member, frozenset(what))
    new, gone = owned - member.owned, member.owned - owned
    if new or gone:
        what.add("owns")
    member.owned = owned
    idle = group.give(member, owned | ((member.target or NONE) & _given(group, member)), when)
    waited = None
    if member.target is not None and owned == member.target:
        waited = None if member.asked_back is None else when - member.asked_back
        member.asked_back = None
        if new or gone:
            what.add("acknowledged")
    _settle(group, when)
    return Change(
        member, frozenset(what), owned, new, gone, waited=waited if gone else None, idle=idle
    )


def _given(group: Group, member: Member) -> Parts:
    return group.ownership.of(member.member_id)


def _refused(group: Group, peer: Peer, code: int, when: float) -> Change:
    member = group.members.get(peer.member_id)
    if member is None or code not in _THROWN_OUT:
        return Change(member)
    lost = group.remove(member.member_id, when)
    if group.members:
        group.begin(when, Cause("fenced", member))
    return Change(member, frozenset({"fenced"}), lost=lost)


def _answered(group: Group, peer: Peer, message: Any, when: float) -> Change:
    if message.member_epoch < 0 or not peer.member_id:
        return Change()
    member = group.members.get(peer.member_id)
    if member is None:  # it has left, and this answers a heartbeat from before
        return Change()
    what: set[str] = set()
    if message.member_epoch != member.epoch:
        what.add("epoch")
        if message.member_epoch > group.generation and group.rebalance is None:
            for cause in _unseen(group):
                group.begin(when, cause)
    member.epoch = message.member_epoch
    group.reached(message.member_epoch)
    change = _assigns(group, member, message, what, when)
    _settle(group, when)
    return change


def _unseen(group: Group) -> list[Cause]:
    """What may have raised the epoch though no member has said anything: members that went away
    and were not heard of since."""
    gone = [*group.away.values(), *(each for each in group.members.values() if each.closed)]
    group.away.clear()
    return [Cause("expired", each, "", False) for each in gone] or [Cause("raised")]


def _assigns(group: Group, member: Member, message: Any, what: set[str], when: float) -> Change:
    spares, status = _streams_news(member, message, what)
    target = _target(group, message)
    if target is None or (target == member.target and "epoch" not in what):
        return Change(member, frozenset(what), parts=member.target or NONE,
                      spares=spares, status=status)  # fmt: skip
    before = member.owned if member.target is None else member.target
    what.add("assigned")
    member.target = target
    back = member.owned - target
    member.asked_back = when if back else None
    taken = _silent_owners(group, member, target, when)
    if group.kind == "share":
        member.owned = target
    idle = group.give(member, member.owned | target, when)
    return Change(
        member, frozenset(what), target, target - before, NONE, back, out=taken, idle=idle,
        spares=spares, status=status,
    )  # fmt: skip


def _silent_owners(group: Group, member: Member, target: Parts, when: float) -> tuple[Member, ...]:
    """Remove the members whose parts go to another member without a word of theirs: outside of
    share groups the broker has removed them before."""
    if group.kind == "share":
        return ()
    taken = [
        other
        for other in group.members.values()
        if other is not member and other.closed is not None and other.owned & target
    ]
    for other in taken:
        group.remove(other.member_id, other.closed or when)
        group.begin(when, Cause("expired", other, "", False))
    return tuple(taken)


def _settle(group: Group, when: float) -> None:
    """End the rebalance if all members are in the newest epoch, and own what they should."""
    if group.rebalance is None:
        return
    present = [each for each in group.members.values() if each.closed is None]
    done = group.generation >= group.rebalance.needs
    if (
        present
        and done
        and all(
            each.epoch == group.generation and each.owned == (each.target or NONE)
            for each in present
        )
    ):
        group.finish(when)


# -- parts of each protocol


def _reported(group: Group, message: Any) -> Parts | None:
    if group.kind == "streams":
        return _tasks(message.active_tasks)
    topics = getattr(message, "topic_partitions", None)
    return None if topics is None else _partitions(topics)


def _target(group: Group, message: Any) -> Parts | None:
    if group.kind == "streams":
        return _tasks(message.active_tasks)
    given = message.assignment
    return None if given is None else _partitions(given.topic_partitions)


def _streams_news(
    member: Member, message: Any, what: set[str]
) -> tuple[tuple[Parts, Parts], tuple[tuple[int, str], ...]]:
    """The spare tasks of a Streams member, and what the broker says of the group, where new."""
    status = tuple(
        (each.status_code, each.status_detail) for each in getattr(message, "status", None) or ()
    )
    if status and status != member.status:
        what.add("status")
    member.status = status
    standby = _tasks(getattr(message, "standby_tasks", None))
    warmup = _tasks(getattr(message, "warmup_tasks", None))
    spares = (member.spares[0] if standby is None else standby,
              member.spares[1] if warmup is None else warmup)  # fmt: skip
    if spares != member.spares:
        what.add("assigned")
    member.spares = spares
    return spares, status


def _partitions(topics: Any) -> Parts:
    return parts_of((topic.topic_id, topic.partitions) for topic in topics)


def _tasks(tasks: Any) -> Parts | None:
    if tasks is None:
        return None
    return parts_of((each.subtopology_id, each.partitions) for each in tasks)
