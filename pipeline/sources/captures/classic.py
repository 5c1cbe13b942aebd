"""Classic groups, as their coordinator's answers show them.

The answer to the leader's JoinGroup lists a generation's members with what each told the leader,
and the leader's SyncGroup what each is given. Once anybody's SyncGroup is answered, that is in
force, and the coordinator has written a record (GroupCoordinator, `storeGroup`). Besides, it writes
one when the last member leaves, and when a static member is replaced within a generation (KIP-345).
A member whose session expires goes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ....capture.summary import Summary
from ....codec import GroupMetadataKey, GroupMetadataValue
from .calls import NOT_KNOWN, Call, Fact

__all__ = ["ClassicGroups"]

_UUID = re.compile(r"-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")


class _Person(NamedTuple):
    """The fields that a member sends when it joins."""

    client_id: str
    host: str
    rebalance_timeout: int
    session_timeout: int


class _Member(NamedTuple):
    instance_id: str | None
    metadata: bytes


@dataclass
class _Generation:
    """A generation, as its leader was told of it."""

    number: int
    protocol_type: str
    protocol: str | None
    leader: str
    since: int
    members: dict[str, _Member]
    shares: dict[str, bytes] = field(default_factory=dict)
    assigned: Call | None = None
    """The SyncGroup with the shares."""
    written: bool = False


@dataclass
class _Group:
    now: _Generation | None = None
    people: dict[str, _Person] = field(default_factory=dict)
    statics: dict[str, _Person] = field(default_factory=dict)
    """The static members, by instance id."""
    joining: set[int] = field(default_factory=set)
    """Frames of the JoinGroups that wait for an answer."""


class ClassicGroups:
    """All classic groups of a capture."""

    def __init__(self, source: str, summary: Summary) -> None:
        self._source = source
        self._summary = summary
        self._groups: dict[str, _Group] = {}
        self._takers: dict[tuple[str, bool], Callable[[_Group, Call], Iterator[Fact]]] = {
            ("JoinGroup", False): self._joins,
            ("JoinGroup", True): self._joined,
            ("SyncGroup", False): self._assigns,
            ("SyncGroup", True): self._synced,
            ("LeaveGroup", True): self._left,
        }

    def take(self, call: Call) -> Iterator[Fact]:
        """Yield the facts that the coordinator writes after this call."""
        take = self._takers.get(call.key)
        if take is not None:
            yield from take(self._groups.setdefault(call.request.group_id, _Group()), call)

    def end(self) -> None:
        """Count the joins and assignments that no later frame has completed, at the end."""
        for group in self._groups.values():
            self._abandon(group.now)

    def _joins(self, group: _Group, call: Call) -> Iterator[Fact]:
        group.joining.add(call.number)
        yield from ()

    def _joined(self, group: _Group, call: Call) -> Iterator[Fact]:
        group.joining.discard(call.number)
        if call.refused:
            return
        request, answer = call.request, call.answer
        timeout = request.rebalance_timeout_ms
        person = _Person(call.client_id, call.host, timeout, request.session_timeout_ms)
        group.people[answer.member_id] = person
        if request.group_instance_id is not None:
            group.statics[request.group_instance_id] = person
        now = group.now
        if now is not None and now.number == answer.generation_id and now.written:
            if (old := _carrier(now, request.group_instance_id)) not in {None, answer.member_id}:
                yield self._replaced(group, now, old, call)
                return
            if now.members.keys() == {member.member_id for member in answer.members}:
                return  # told again
        if answer.members:
            self._follow(group, _generation(call))
        elif now is not None and now.number != answer.generation_id:
            self._follow(group, None)  # until its leader is told who is in it

    def _follow(self, group: _Group, generation: _Generation | None) -> None:
        now, group.now = group.now, generation
        if now is not None and (generation is None or now.number != generation.number):
            self._abandon(now)
        if generation is not None:
            there = generation.members.keys() & group.people.keys()
            group.people = {member_id: group.people[member_id] for member_id in there}

    def _replaced(self, group: _Group, now: _Generation, old: str, call: Call) -> Fact:
        """A static member comes back under another id, and is given what it had."""
        new = call.answer.member_id
        offered = {protocol.name: protocol.metadata for protocol in call.request.protocols}
        before = now.members[old]
        member = before._replace(metadata=offered.get(now.protocol or "", before.metadata))
        ids = {member_id: new if member_id == old else member_id for member_id in now.members}
        now.members = {ids[member_id]: seen for member_id, seen in now.members.items()} | {
            new: member
        }
        now.shares = {
            ids.get(member_id, member_id): share for member_id, share in now.shares.items()
        }
        now.leader = ids.get(now.leader, now.leader)
        return self._fact(group, now, call)

    def _assigns(self, group: _Group, call: Call) -> Iterator[Fact]:
        now, request = group.now, call.request
        if now is not None and now.number == request.generation_id:
            if now.leader == request.member_id and not now.written:
                now.shares = {
                    assignment.member_id: assignment.assignment
                    for assignment in request.assignments
                }
                now.assigned = call
        elif request.assignments:
            self._summary.skip(
                "assignment of a generation of which the capture does not tell who is in it",
                f"{self._source}, frame {call.number:,}",
                expected=True,
            )
        yield from ()

    def _synced(self, group: _Group, call: Call) -> Iterator[Fact]:
        """Whoever is answered first: the assignment is in force."""
        now = group.now
        if call.refused or now is None or now.number != call.request.generation_id:
            return
        if now.assigned is not None and not now.written:
            now.written = True
            yield self._fact(group, now, now.assigned)

    def _left(self, group: _Group, call: Call) -> Iterator[Fact]:
        now = group.now
        if call.refused or now is None or not now.members:
            return
        for member_id in _leaving(call, now):
            now.members.pop(member_id, None)
        if now.members or group.joining:
            return
        self._abandon(now)
        empty = _Generation(
            now.number + 1,
            now.protocol_type,
            None,
            "",
            NOT_KNOWN if call.time is None else call.time,
            {},
        )
        group.now, empty.written = empty, True
        yield self._fact(group, empty, call)

    def _abandon(self, generation: _Generation | None) -> None:
        if generation is not None and not generation.written:
            self._summary.note("generations without an assignment")

    def _fact(self, group: _Group, now: _Generation, call: Call) -> Fact:
        members = []
        for member_id, seen in now.members.items():
            who = _who(group, member_id, seen.instance_id)
            members.append(
                GroupMetadataValue.MemberMetadata(
                    member_id=member_id,
                    group_instance_id=seen.instance_id,
                    client_id=who.client_id,
                    client_host=who.host,
                    rebalance_timeout=who.rebalance_timeout,
                    session_timeout=who.session_timeout,
                    subscription=seen.metadata,
                    assignment=now.shares.get(member_id, b""),
                )
            )
        value = GroupMetadataValue(
            protocol_type=now.protocol_type,
            generation=now.number,
            protocol=now.protocol,
            leader=now.leader or None,
            current_state_timestamp=now.since,
            members=members,
        )
        return Fact(call.number, call.time, GroupMetadataKey(group=call.request.group_id), value)


def _generation(call: Call) -> _Generation:
    answer = call.answer
    return _Generation(
        answer.generation_id,
        answer.protocol_type or call.request.protocol_type,
        answer.protocol_name,
        answer.leader,
        NOT_KNOWN if call.answered is None else call.answered,
        {
            member.member_id: _Member(member.group_instance_id, member.metadata)
            for member in answer.members
        },
    )


def _carrier(now: _Generation, instance_id: str | None) -> str | None:
    """Return the id of the member that has an instance id."""
    if instance_id is None:
        return None
    return next(
        (member_id for member_id, seen in now.members.items() if seen.instance_id == instance_id),
        None,
    )


def _leaving(call: Call, now: _Generation) -> Iterator[str]:
    """Return the ids of the members that leave. Up to version 2 there is one; later, each has its
    own answer, and a static member may be named by its instance id alone (KIP-345).
    """
    if not call.request.members:
        yield call.request.member_id
        return
    stays = {
        (member.member_id, member.group_instance_id)
        for member in call.answer.members
        if member.error_code
    }
    for member in call.request.members:
        if (member.member_id, member.group_instance_id) not in stays:
            yield member.member_id or _carrier(now, member.group_instance_id) or ""


def _who(group: _Group, member_id: str, instance_id: str | None) -> _Person:
    """A member whose JoinGroup is not in the capture has the client id that its member id begins
    with, which brokers make of it and a UUID; a static one is who it was before."""
    known = group.people.get(member_id)
    if known is None and instance_id is not None:
        known = group.statics.get(instance_id)
    if known is not None:
        return known
    client_id = _UUID.sub("", member_id) if instance_id is None else ""
    return _Person(client_id, "", NOT_KNOWN, NOT_KNOWN)
