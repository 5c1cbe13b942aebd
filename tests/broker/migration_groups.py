"""Classic groups on a real broker whose bytes are chosen, and a new-protocol member that joins.

Members are connections that send JoinGroup and SyncGroup themselves, so that any bytes can be in
them, as a client of any age and any quality would have them.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from typing import Any

from kproto.codec.messages import (
    ConsumerGroupHeartbeatRequest,
    DescribeGroupsRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    SyncGroupRequest,
)
from tests.broker.wire import Wire

PATIENCE = 4.0
"""Seconds after which a request counts as one that is never answered."""
SESSION_MS = 60_000


@dataclass(frozen=True)
class Planned:
    """A member to be: its protocols by name, and what the leader assigns to it."""

    protocols: tuple[tuple[str, bytes], ...]
    assignment: bytes = b""
    instance_id: str | None = None


@dataclass(frozen=True)
class Plan:
    """A group to be. `ending` is the state it is left in: Stable, CompletingRebalance, Empty, or
    PreparingRebalance; the last member joins a group that is stable already if `late`.
    """

    members: tuple[Planned, ...]
    protocol_type: str = "consumer"
    ending: str = "Stable"
    late: bool = False
    joins_topics: tuple[str, ...] = ("orders",)
    assignor: str | None = None
    """The server-side assignor that the new member asks for."""


@dataclass(frozen=True)
class Outcome:
    """The group as the broker described it before, the errors of the new member's first heartbeat,
    of each classic member's rejoin and of the new member's leave."""

    line: dict[str, Any]
    error: int
    message: str | None
    rejoins: Mapping[str, int | None]
    leave: int | None


def await_coordinators(bootstrap: str) -> None:
    """Wait until the broker serves every partition of its offsets topic, which this creates."""
    groups = [f"warm-{number}" for number in range(64)]
    with closing(Wire(bootstrap, "warming")) as wire:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if wire.find_coordinator(groups[0]):  # it creates no topic before it knows itself
                time.sleep(0.1)
                continue
            wire.send(DescribeGroupsRequest(groups=groups), 0)
            if not any(seen.error_code for seen in wire.receive(10).groups):
                return
            time.sleep(0.1)
    raise AssertionError("the broker's coordinators do not start")


class Course:
    """One group on its way."""

    def __init__(self, bootstrap: str, plan: Plan, name: str) -> None:
        self.name = name
        self._plan = plan
        self._stack = ExitStack()
        self._bootstrap = bootstrap
        self._wires = [self._wire(f"{name}-{index}") for index in range(len(plan.members))]
        self._ids = [""] * len(plan.members)
        self._generation = -1
        self._leader = 0
        self._selected: str | None = None
        self._synced = False

    def _wire(self, client_id: str) -> Wire:
        return self._stack.enter_context(closing(Wire(self._bootstrap, client_id)))

    def run(self, told: Mapping[str, Any], *, rejoin: bool, leave: bool) -> Outcome:
        """Make the group, let the new member join, and then the classic members rejoin or the new
        one leave."""
        with self._stack:
            self._make()
            line = self._describe() | dict(told)
            if self._plan.assignor is not None:
                wanted = {"group.remote.assignor": self._plan.assignor}
                line["settings"] = line["settings"] | wanted
            new = self._wire("new")
            member_id = str(uuid.uuid4())
            answer = self._beat(new, member_id, 0, self._plan.joins_topics)
            joined = answer.error_code == 0 and self._plan.ending != "Empty"
            rejoins = self._rejoin() if joined and rejoin else {}
            left = self._beat(new, member_id, -1, None).error_code if joined and leave else None
            return Outcome(line, answer.error_code, answer.error_message, rejoins, left)

    # -- the classic group

    def _make(self) -> None:
        members = range(len(self._plan.members))
        if self._plan.ending == "PreparingRebalance" and not self._plan.late:
            for index in members:
                self._join(index)
            time.sleep(0.05)
            return
        first = members[:-1] if self._plan.late else members
        self._rebalance(first)
        if self._plan.late:
            self._join(members[-1])
            time.sleep(0.05)
        elif self._plan.ending == "Empty" and self._generation > 0:
            self._leave(members)

    def _join(self, index: int) -> None:
        planned = self._plan.members[index]
        protocol = JoinGroupRequest.JoinGroupRequestProtocol
        request = JoinGroupRequest(
            group_id=self.name,
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=SESSION_MS,
            member_id=self._ids[index],
            group_instance_id=planned.instance_id,
            protocol_type=self._plan.protocol_type,
            protocols=[protocol(name=name, metadata=data) for name, data in planned.protocols],
        )
        self._wires[index].send(request, 5 if planned.instance_id is not None else 3)

    def _rebalance(self, members: Sequence[int]) -> None:
        for index in members:
            self._join(index)
        for index in members:
            with suppress(TimeoutError):
                answer = self._wires[index].receive(PATIENCE if self._generation < 0 else 0.5)
                assert answer.error_code == 0, answer
                self._ids[index] = answer.member_id
                self._generation = answer.generation_id
                self._selected = answer.protocol_name
                if answer.leader == answer.member_id:
                    self._leader = index
        if self._generation > 0 and self._plan.ending != "CompletingRebalance":
            self._sync(members)

    def _sync(self, members: Sequence[int]) -> None:
        share = SyncGroupRequest.SyncGroupRequestAssignment
        shares = [
            share(member_id=self._ids[index], assignment=self._plan.members[index].assignment)
            for index in members
        ]
        for index in members:
            request = SyncGroupRequest(
                group_id=self.name,
                generation_id=self._generation,
                member_id=self._ids[index],
                group_instance_id=self._plan.members[index].instance_id,
                assignments=shares if index == self._leader else [],
            )
            self._wires[index].send(request, 3)
        for index in members:
            answer = self._wires[index].receive(10)
            assert answer.error_code == 0, answer
        self._synced = True

    def _leave(self, members: Sequence[int]) -> None:
        for index in members:
            request = LeaveGroupRequest(group_id=self.name, member_id=self._ids[index])
            self._wires[index].send(request, 1)
            assert self._wires[index].receive(10).error_code == 0

    def _describe(self) -> dict[str, Any]:
        asking = self._wire("describing")
        seen = None
        while seen is None or seen.group_state == "Dead":  # its first record is not committed yet
            asking.send(DescribeGroupsRequest(groups=[self.name]), 5)
            (seen,) = asking.receive(10).groups
        line: dict[str, Any] = {
            "group": self.name,
            "protocolType": seen.protocol_type,
            "state": seen.group_state,
            "members": [self._member(member) for member in seen.members],
        }
        if self._selected is not None and seen.group_state != "Empty":
            line["protocol"] = self._selected
        return line

    def _member(self, seen: Any) -> dict[str, Any]:
        index = int(seen.client_id.rpartition("-")[2])
        planned = self._plan.members[index]
        self._ids[index] = seen.member_id
        assigned = planned.assignment if self._synced and self._generation_has(index) else b""
        return {
            "member": seen.member_id,
            "instance": planned.instance_id,
            "protocols": [
                {"name": name, "metadata": data.hex()} for name, data in planned.protocols
            ],
            "assignment": assigned.hex(),
        }

    def _generation_has(self, index: int) -> bool:
        return not (self._plan.late and index == len(self._plan.members) - 1)

    # -- the next protocol

    def _beat(self, wire: Wire, member_id: str, epoch: int, topics: tuple[str, ...] | None) -> Any:
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.name, member_id=member_id, member_epoch=epoch
        )
        if epoch == 0:
            request = request.replace(
                rebalance_timeout_ms=SESSION_MS,
                subscribed_topic_names=topics,
                topic_partitions=[],
                server_assignor=self._plan.assignor,
            )
        wire.send(request, 1)
        return wire.receive(20)

    def _rejoin(self) -> dict[str, int | None]:
        errors: dict[str, int | None] = {}
        for index, wire in enumerate(self._wires):
            if self._plan.ending != "Stable" or self._plan.late:
                continue
            self._join(index)
            try:
                errors[self._ids[index]] = wire.receive(PATIENCE).error_code
            except TimeoutError:
                errors[self._ids[index]] = None
        return errors


def as_line(outcome: Outcome) -> str:
    """Return what is known of the group as a line for `kproto migrate`."""
    return json.dumps(outcome.line)


def with_defect(plan: Plan, index: int, **changes: Any) -> Plan:
    """Return the plan with a member changed."""
    members = list(plan.members)
    members[index] = replace(members[index], **changes)
    return replace(plan, members=tuple(members))
