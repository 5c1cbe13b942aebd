"""The rules of groups whose broker assigns: of consumers (KIP-848), share (932), Streams (1071).

A heartbeat leaves out what has not changed.
"""

from __future__ import annotations

from typing import Any

from .events import Event
from .frame_events import JOINS
from .groups import Cause, EventChange, Group, HistoryMember
from .ownership import NONE, Parts

__all__ = ["broker_assigned_change"]

_THROWN_OUT = {25, 82, 110}  # UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID, FENCED_MEMBER_EPOCH


def broker_assigned_change(group: Group, event: Event, when: float) -> EventChange:
    """Bring a group up to date with an event, and return what that changes."""
    match event.kind:
        case "joins" | "reports-it-owns" | "heard":
            return _reports(group, event, when)
        case "leaves":
            return _leaves(group, event, when)
        case "epoch" | "is-given" | "answered":
            return _is_told(group, event, when)
        case "heartbeat-refused":
            return _refused(group, event, when)
        case _:
            return EventChange()


def _reports(group: Group, event: Event, when: float) -> EventChange:
    if not event.member:
        return EventChange(news=frozenset({"joins"}))
    is_known = event.member in group.members
    member = group.member(event.member)
    news: set[str] = set()
    says = event.fields["says"]
    member.instance_id = says.get("instance_id") or member.instance_id
    member.rebalance_ms = says.get("rebalance_timeout_ms", member.rebalance_ms)
    if event.generation == JOINS:
        news.add("joins again" if is_known and member.epoch > 0 else "joins")
        _note_join(group, member, when)
    if "subscribed_topic_names" in says:
        topics = tuple(sorted(says["subscribed_topic_names"]))
        has_changed = member.subscribed is not None and topics != member.subscribed
        if has_changed and event.generation != JOINS:
            news.add("subscribes")
            group.begin(when, Cause("subscription-changed", member))
        member.subscribed = topics
    return _owns(group, member, event.fields["owns"], news, when)


def _note_join(group: Group, member: HistoryMember, when: float) -> None:
    if member.epoch != JOINS:
        group.begin(when, Cause("member-joined", member))
    back = [id_ for id_, away in group.away.items() if away.instance_id == member.instance_id]
    for id_ in back:
        del group.away[id_]
    member.epoch = JOINS
    member.target = None


def _leaves(group: Group, event: Event, when: float) -> EventChange:
    member = group.members.get(event.member) or HistoryMember(event.member, event.client)
    releases = group.remove(event.member, when)
    if event.fields["for_now"]:  # its parts are kept for it until its session ends
        group.away[member.member_id] = member
        return EventChange(news=frozenset({"leaves for now"}), releases=releases)
    if group.members:
        group.begin(when, Cause("member-left", member))
    else:
        group.finish(when)
    return EventChange(news=frozenset({"leaves"}), releases=releases)


def _owns(
    group: Group, member: HistoryMember, owned: Parts | None, news: set[str], when: float
) -> EventChange:
    target = member.target or NONE
    if owned is None or owned == member.owned == target:
        return EventChange(news=frozenset(news))
    new, releases = owned - member.owned, member.owned - owned
    if new or releases:
        news.add("owns")
    member.owned = owned
    idle = group.give(member, owned | (target & group.ownership.of(member.member_id)), when)
    waited = None
    if member.target is not None and owned == member.target:
        waited = None if member.asked_back is None else when - member.asked_back
        member.asked_back = None
        if new or releases:
            news.add("acknowledged")
    _settle(group, when)
    return EventChange(
        news=frozenset(news), parts=owned, new=new, releases=releases,
        waited=waited if releases else None, idle=idle,
    )  # fmt: skip


def _refused(group: Group, event: Event, when: float) -> EventChange:
    member = group.members.get(event.member)
    if member is None or event.fields["error"] not in _THROWN_OUT:
        return EventChange()
    losses = group.remove(member.member_id, when)
    if group.members:
        group.begin(when, Cause("member-fenced", member))
    return EventChange(news=frozenset({"fenced"}), losses=losses)


def _is_told(group: Group, event: Event, when: float) -> EventChange:
    member = group.members.get(event.member)
    epoch = event.generation
    if epoch < 0 or member is None:  # it has left, and this answers a heartbeat from before
        return EventChange()
    news: set[str] = set()
    if epoch != member.epoch:
        news.add("epoch")
        if epoch > group.generation and group.rebalance is None:
            for cause in _unseen(group):
                group.begin(when, cause)
    member.epoch = epoch
    group.reached(epoch, when)
    change = _is_given(group, member, event.fields, news, when)
    _settle(group, when)
    return change


def _unseen(group: Group) -> list[Cause]:
    """What may have raised the epoch though no member has said anything: members that went away
    and were not heard of since."""
    silent = [member for member in group.members.values() if member.closed]
    absent = [*group.away.values(), *silent]
    group.away.clear()
    causes = [Cause("session-expired", member, certain=False) for member in absent]
    return causes or [Cause("unknown", evidence="the epoch rose")]


def _is_given(
    group: Group, member: HistoryMember, fields: Any, news: set[str], when: float
) -> EventChange:
    spares = _note_spares(member, fields, news)
    target, status = fields["target"], fields["status"]
    if target is None or (target == member.target and "epoch" not in news):
        return EventChange(news=frozenset(news), parts=member.target or NONE,
                      spares=spares, status=status)  # fmt: skip
    previous = member.owned if member.target is None else member.target
    news.add("assigned")
    member.target = target
    back = member.owned - target
    member.asked_back = when if back else None
    silent = _silent_owners(group, member, target, when)
    if group.kind == "share":
        member.owned = target
    idle = group.give(member, member.owned | target, when)
    return EventChange(
        news=frozenset(news), parts=target, new=target - previous, back=back, out=silent,
        idle=idle, spares=spares, status=status,
    )  # fmt: skip


def _silent_owners(
    group: Group, member: HistoryMember, target: Parts, when: float
) -> tuple[HistoryMember, ...]:
    """Remove the members whose parts go to another member without a word of theirs: outside of
    share groups the broker has removed them before."""
    if group.kind == "share":
        return ()
    silent = [
        owner
        for owner in group.members.values()
        if owner is not member and owner.closed is not None and owner.owned & target
    ]
    for owner in silent:
        group.remove(owner.member_id, owner.closed or when)
        group.begin(when, Cause("session-expired", owner, certain=False))
    return tuple(silent)


def _settle(group: Group, when: float) -> None:
    """End the rebalance if all members are in the newest epoch, and own what they should."""
    if group.rebalance is None or group.generation < group.rebalance.needs:
        return
    present = [member for member in group.members.values() if member.closed is None]
    if present and all(
        member.epoch == group.generation and member.owned == (member.target or NONE)
        for member in present
    ):
        group.finish(when)


def _note_spares(member: HistoryMember, fields: Any, news: set[str]) -> tuple[Parts, Parts]:
    """Note the spare tasks of a Streams member, and what the broker says of the group."""
    status, standby, warmup = fields["status"], fields["standby"], fields["warmup"]
    if status and status != member.status:
        news.add("status")
    member.status = status
    spares = (member.spares[0] if standby is None else standby,
              member.spares[1] if warmup is None else warmup)  # fmt: skip
    if spares != member.spares:
        news.add("assigned")
    member.spares = spares
    return spares
