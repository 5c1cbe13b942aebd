"""The rules of classic groups: JoinGroup, SyncGroup, Heartbeat, LeaveGroup.

The answer to the leader's JoinGroup lists a generation's members with what each told the leader,
and the leader's SyncGroup what each is given. Once anybody's SyncGroup is answered, that is in
force, and the coordinator has stored it (GroupCoordinator, `storeGroup`). Besides, it stores the
group when the last member leaves, and when a static member is replaced within a generation
(KIP-345). A member whose session expires goes unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from .calls import host_of
from .events import Event
from .groups import (
    MAX_MEMBERS,
    Cause,
    EventChange,
    Generation,
    Group,
    HistoryMember,
    Listed,
    Wait,
    WaitedFor,
)
from .ownership import Interval

__all__ = ["classic_change"]

_REBALANCE_IN_PROGRESS = 27
_THROWN_OUT = {22, 25, 82}  # ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID


def classic_change(group: Group, event: Event, when: float) -> EventChange:
    """Bring a group up to date with an event, and return what that changes."""
    rule = _RULES.get(event.kind)
    return EventChange() if rule is None else rule(group, event, when)


def _joins(group: Group, event: Event, when: float) -> EventChange:
    group.joining.add(event.place.number)
    fields = event.fields
    if not event.member:
        if not fields["asks_for_id"]:
            newcomer = HistoryMember("", event.client, instance_id=fields["instance_id"])
            group.begin(when, Cause("member-joined", newcomer, fields["reason"]))
            group.first_join = group.first_join or when
        return EventChange()
    is_known = event.member in group.members
    member = group.member(event.member)
    _note_identity(member, event)
    cause = "member-rejoined" if is_known else "member-joined"
    group.begin(when, Cause(cause, member, fields["reason"]))
    group.first_join = group.first_join or when
    group.joined[member.member_id] = when
    owned = group.ownership.of(member.member_id)
    claims = fields["owns"] & owned if is_known else fields["owns"]
    group.give(member, claims, when)
    return EventChange(releases=owned - claims)


def _note_identity(member: HistoryMember, event: Event) -> None:
    fields = event.fields
    member.instance_id = fields["instance_id"]
    member.session_ms = fields["session_ms"]
    member.rebalance_ms = fields["rebalance_ms"]
    member.client = event.client or member.client
    member.host = host_of(event.place.connection)


def _is_let_in(group: Group, event: Event, when: float) -> EventChange:
    group.joining.discard(event.request.number)
    member = group.member(event.member)
    if member.session_ms is None:  # its request was sent without an id
        _note_identity(member, event)
    member.epoch = event.generation
    wait, synced = None, group.synced
    if event.generation != group.generation:
        group.synced = set()
        group.generation_members = frozenset()
        wait = _wait(group, event.member, when)
        group.reached(event.generation, when)
    listed = event.fields["members"]
    out: list[HistoryMember] = []
    if listed:
        group.generation_members = frozenset(listed)
        out = [member for id_, member in group.members.items() if id_ not in listed]
        for absent in out:  # what was owned behind a closed connection was not consumed
            group.remove(absent.member_id, absent.closed or when)
        out = [replace(absent) for absent in out]
        new = group.generation_members - group.seen
        group.unseen |= set(islice(new, MAX_MEMBERS - len(group.unseen)))
        for id_ in listed:
            group.member(id_)
        _guess_cause(group, out, synced)
    record_cause = _note_generation(group, event, member)
    group.joined.pop(event.member, None)
    leave = group.leaving.pop(event.member, None)
    if leave is not None:
        _leaves(group, leave, when)
    return EventChange(record_cause, wait=wait, out=tuple(out))


def _note_generation(group: Group, event: Event, member: HistoryMember) -> Event | None:
    """Note the generation that a leader is told of; return the event, if the coordinator has stored
    that a static member came back within one that is in force."""
    fields, current = event.fields, group.current
    instance_id, listed = fields["instance_id"], fields["members"]
    if instance_id is not None:
        group.statics[instance_id] = member
    if current is not None and current.number == event.generation and current.in_force:
        old = current.carrier(instance_id)
        if old is not None and old != member.member_id:
            current.replace_static(old, member, fields["protocols"])
            return event
        if current.members.keys() == listed.keys():
            return None  # the leader is told again
    if listed:
        earlier = current.members if current is not None else {}
        group.current = Generation(
            event.generation,
            fields["protocol_type"],
            fields["protocol"],
            fields["leader"],
            event.time,
            {id_: Listed(_identity(group, id_, earlier), *entry) for id_, entry in listed.items()},
        )
    elif current is not None and current.number != event.generation:
        group.current = None  # until its leader is told who is in it
    return None


def _identity(group: Group, member_id: str, earlier: dict[str, Listed]) -> HistoryMember:
    """Return a member; as the generation before has it, if the latest join of it was not seen."""
    member = group.members.get(member_id) or HistoryMember(member_id)
    listed = earlier.get(member_id)
    return listed.member if member.session_ms is None and listed is not None else member


def _guess_cause(group: Group, out: list[HistoryMember], synced: set[str]) -> None:
    """Members that are out without a LeaveGroup explain a rebalance that nothing else does.
    `synced` are those that had their assignment in the generation before."""
    rebalance = group.rebalance
    if rebalance is None or not out:
        return
    if not any(cause.word in ("member-joined", "member-left") for cause in rebalance.causes):
        rebalance.causes[:0] = [
            Cause(_why_out(member, rebalance.start, member.member_id in synced), member,
                  certain=False)
            for member in out
        ]  # fmt: skip


def _why_out(member: HistoryMember, began: float, has_synced: bool) -> str:
    """Return why a member is probably out. The coordinator waits for a SyncGroup as long as the
    rebalance timeout (since Kafka 3.0, KAFKA-12890), which may be shorter than the session."""
    is_awaited = member.epoch >= 0 and not has_synced and member.heard is not None
    session_ms = member.session_ms or 0
    if is_awaited and began - (member.heard or 0.0) < session_ms:
        return "sync-not-sent"
    return "session-expired"


def _wait(group: Group, answered: str, when: float) -> Wait | None:
    """How long members were kept waiting for this generation, and for whom."""
    if group.first_join is None:
        return None
    joined = dict(group.joined)
    late = max(joined.items(), key=lambda join: join[1], default=None)
    missing = [
        WaitedFor(replace(member), None)
        for id_, member in group.expected.items()
        if id_ not in joined and id_ in group.members and id_ != answered
    ]
    last = missing
    if not missing and late is not None and late[0] in group.expected and len(joined) > 1:
        last = [WaitedFor(replace(group.members[late[0]]), late[1])]
    limits = [member.limit_ms for member in group.members.values() if member.limit_ms]
    start = group.first_join
    group.joined = {}
    group.first_join = None
    group.expected = dict(group.members)
    return Wait(Interval(start, when), tuple(last), max(limits, default=None))


def _assigns(group: Group, event: Event, when: float) -> EventChange:
    current = group.current
    if (
        current is not None
        and "shares" in event.fields
        and current.number == event.generation
        and current.leader == event.member
        and not current.in_force
    ):
        current.shares = event.fields["shares"]
        current.shared_by = event
    return EventChange()


def _assigned(group: Group, event: Event, when: float) -> EventChange:
    record_cause = None
    current = group.current
    if current is not None and current.number == event.generation and not current.in_force:
        record_cause = current.shared_by  # whoever is answered first: the assignment is in force
        current.in_force = record_cause is not None
    if not event.member:
        return EventChange(record_cause)
    member = group.member(event.member)
    old, parts = group.ownership.of(member.member_id), event.fields["owns"]
    idle = group.give(member, parts, when)
    group.synced.add(member.member_id)
    if group.rebalance is not None and group.rebalance.last == event.generation:
        group.rebalance.end = when
        present = {id_ for id_, member in group.members.items() if member.connection is not None}
        of_generation = group.generation_members & present if group.generation_members else present
        if of_generation <= group.synced:
            group.finish(when)
    return EventChange(record_cause, parts=parts, new=parts - old, releases=old - parts, idle=idle)


def _leaves(group: Group, event: Event, when: float) -> EventChange:
    """A member that waits for the answer to its JoinGroup leaves once that is there: a broker takes
    the requests of a connection one after the other."""
    if event.member in group.joined:
        group.leaving[event.member] = event
        return EventChange()
    member = group.members.get(event.member) or HistoryMember(event.member)
    releases = group.remove(event.member, when)
    if group.members:
        group.begin(when, Cause("member-left", member, event.fields["reason"]))
    else:
        group.finish(when)
    return EventChange(releases=releases)


def _left(group: Group, event: Event, when: float) -> EventChange:
    """When the last member has left, the coordinator stores a generation without members."""
    current = group.current
    if current is None or not current.members:
        return EventChange()
    for member_id, instance_id in event.fields["members"]:
        current.members.pop(member_id or current.carrier(instance_id) or "", None)
    if current.members or group.joining:
        return EventChange()
    group.current = Generation(
        current.number + 1, current.protocol_type, None, "", event.requested, {}, in_force=True
    )
    return EventChange(event)


def _note_refusal(group: Group, event: Event, when: float) -> EventChange:
    if event.kind == "join-refused":
        group.joining.discard(event.request.number)
    if not event.member or event.member not in group.members:
        return EventChange()
    code = event.fields["error"]
    if code == _REBALANCE_IN_PROGRESS and group.rebalance is None:
        group.begin(when, Cause("unknown", evidence="members were told to rejoin"))
    if code in _THROWN_OUT:
        return EventChange(losses=group.remove(event.member, when))
    return EventChange()


_RULES: dict[str, Callable[[Group, Event, float], EventChange]] = {
    "joins": _joins,
    "joined": _is_let_in,
    "join-refused": _note_refusal,
    "leader-assigns": _assigns,
    "heard": _assigns,
    "assigned": _assigned,
    "sync-refused": _note_refusal,
    "heartbeat-refused": _note_refusal,
    "leaves": _leaves,
    "left": _left,
    "leave-refused": _note_refusal,
}
