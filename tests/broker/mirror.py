"""A simulated group whose requests a real broker is asked as well, move by move.

Members are simulated; what they send goes to the simulated coordinator and, with the broker's own
member ids, to a real one. After each move both have given the same answers, and the group has the
same phase, members and shares. A session that expires, and a rebalance that times out, take as
long as they really do.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from kproto.codec.messages import (
    DescribeGroupsRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    SyncGroupRequest,
    SyncGroupResponse,
)
from kproto.codec.runtime.message import Message
from kproto.rebalance.simulation import Setup
from kproto.rebalance.simulation.exploration.model import Model, Trial
from kproto.rebalance.simulation.exploration.protocols import Move, Snapshot
from kproto.rebalance.simulation.machines.coordinator_state import (
    Asked,
    FailedOver,
    GroupPhase,
    GroupState,
    JoinTimedOut,
    Reply,
)
from tests.broker.broker import Broker
from tests.broker.wire import Wire
from tests.rebalance.simulation.history import Course

OPENING_MS = 1_500
"""For how long a new group waits for more members, and again if more have come."""
SESSION_MS = 6_000
REBALANCE_MS = 25_000
ANSWER = 20.0
"""Seconds that an answer takes at most, beyond the timers that it waits for."""

_STATES = {
    GroupPhase.EMPTY: {"Empty", "Dead"},
    GroupPhase.PREPARING_REBALANCE: {"PreparingRebalance"},
    GroupPhase.COMPLETING_REBALANCE: {"CompletingRebalance"},
    GroupPhase.STABLE: {"Stable"},
}


class AnotherLeaderError(Exception):
    """The last leader is gone, and the broker has chosen another one than the simulation: the first
    one by the hashes of the ids, which are random. What follows cannot be compared."""


class _Watched(Model):
    """A model that keeps what its coordinator was told, and what came of it."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.told: list[tuple[Any, list[Any]]] = []

    def trial(self, group: Snapshot) -> Trial:
        return _WatchedTrial(self, group, self.told)


class _WatchedTrial(Trial):
    """The host of one move."""

    def __init__(self, model: Model, group: Snapshot, told: list[tuple[Any, list[Any]]]) -> None:
        super().__init__(model, group)
        self._told = told

    def step_coordinator(self, event: Any) -> list[Any]:
        actions = super().step_coordinator(event)
        self._told.append((event, actions))
        return actions


class Mirror(Course):
    """A group under way, on a real broker too."""

    def __init__(self, setup: Setup, broker: Broker, group_id: str) -> None:
        super().__init__(setup)
        self.model: _Watched = _Watched(setup)
        self._broker = broker
        self._group_id = group_id
        self._wires: dict[str, Wire] = {}
        self._real: dict[str, str] = {}
        """The broker's member ids, by the simulated ones."""
        self._beating: dict[str, str | None] = {}
        """Instance ids by the simulated ids of members whose sessions last."""
        self._leader = ""
        """Of the last generation, on both sides."""
        self._generation = 0
        """The broker's, which comes to it later where a timer has to run out."""
        self._ended = threading.Event()
        self._opened = 0.0
        """When the group began to wait for more members, or last went on waiting."""

    @property
    def coordinator(self) -> GroupState:
        """The simulated coordinator."""
        assert isinstance(self.group.coordinator, GroupState)
        return self.group.coordinator

    def go(self, move: Move) -> None:
        """Make the move on both sides, and compare them."""
        opening = self.coordinator.opening
        self.model.told.clear()
        super().go(move)
        entries = self.coordinator.entries
        self._beating = {entry.member_id: entry.instance_id for entry in entries}
        for event, actions in self.model.told:
            self._tell_broker(event, opening=opening)
            waits = not isinstance(event, Asked)
            replies = [action for action in actions if isinstance(action, Reply)]
            self._compare(replies, waits=waits)
        expires_next = any(move.kind == "pending expires" for move in self._due())
        if self.model.told and not (move.kind == "pending expires" and expires_next):
            self._compare_groups()
        self._generation = self.coordinator.generation
        if self.coordinator.opening and not opening:
            self._opened = time.monotonic()

    def _tell_broker(self, event: Any, *, opening: bool) -> None:
        match event:
            case Asked():
                assert isinstance(event.message, Message)
                wire = self._wire(event.connection, event.client_id)
                wire.send(self._for_broker(event.message), event.version)
            case JoinTimedOut() if opening:
                self._opened += OPENING_MS / 1000
                time.sleep(max(0.0, self._opened - time.monotonic()))
            case FailedOver():
                self._hang_up()
                self._broker.restart()
                _await_coordinator(self._broker.bootstrap, self._group_id)
            case _:
                pass  # a timer of the broker, which runs out by itself

    def next_move(self) -> Move | None:
        """Return the move that comes first on the way to rest: nothing keeps an id alive that was
        given and not used, so those expire first, all at once."""
        due = self._due()
        pending = (move for move in due if move.kind == "pending expires")
        return next(pending, due[0] if due else None)

    def _due(self) -> list[Move]:
        return list(self.model.moves(self.group))

    def _wire(self, connection: str, client_id: str) -> Wire:
        if connection not in self._wires:
            self._wires[connection] = Wire(self._broker.bootstrap, client_id)
        return self._wires[connection]

    # -- there

    def _for_broker(self, message: Message) -> Message:
        changed: dict[str, Any] = {"group_id": self._group_id}
        match message:
            case JoinGroupRequest():
                changed["session_timeout_ms"] = SESSION_MS
                changed["rebalance_timeout_ms"] = REBALANCE_MS
            case SyncGroupRequest():
                changed["assignments"] = [
                    share.replace(member_id=self._real.get(share.member_id, share.member_id))
                    for share in message.assignments
                ]
            case LeaveGroupRequest():
                changed["members"] = [
                    leaver.replace(member_id=self._real[leaver.member_id])
                    for leaver in message.members
                ]
            case _:
                pass
        member_id = getattr(message, "member_id", "")
        if member_id:
            changed["member_id"] = self._real[member_id]
        return message.replace(**changed)

    # -- and back

    def _compare(self, replies: list[Reply], *, waits: bool) -> None:
        timer = (SESSION_MS + REBALANCE_MS) / 1000 if waits else 0
        try:
            answers = [self._wires[reply.connection].receive(timer + ANSWER) for reply in replies]
        except TimeoutError as error:
            raise AssertionError(f"{self._so_far()}: no answer, instead of {replies}") from error
        for reply, answer in zip(replies, answers, strict=True):
            if isinstance(reply.message, JoinGroupResponse) and answer.member_id:
                self._real.setdefault(reply.message.member_id, answer.member_id)
        names = {real: simulated for simulated, real in self._real.items()}
        for reply, answer in zip(replies, answers, strict=True):
            self._compare_leaders(reply.message, answer, names)
            assert isinstance(reply.message, Message)
            real, simulated = _essence(answer, names), _essence(reply.message, {})
            if real != simulated:
                raise AssertionError(f"{self._so_far()}: {real} instead of {simulated}")

    def _compare_leaders(self, expected: Any, answer: Any, names: dict[str, str]) -> None:
        if not isinstance(expected, JoinGroupResponse) or expected.error_code:
            return
        elected = expected.leader != self._leader
        if elected and not answer.error_code and names.get(answer.leader) != expected.leader:
            raise AnotherLeaderError
        self._leader = expected.leader

    def _compare_groups(self) -> None:
        known = self.coordinator
        expected = (
            _STATES[known.phase],
            {
                (entry.client_id, entry.instance_id, self._real.get(entry.member_id))
                for entry in known.entries
            },
            {entry.share for entry in known.entries if known.phase is GroupPhase.STABLE},
        )
        end = time.monotonic() + (SESSION_MS + REBALANCE_MS) / 1000 + ANSWER
        seen: list[Any] = []
        while time.monotonic() < end:
            real = self._described()
            alike = real[0] in expected[0] and self._same_members(expected[1], real[1])
            if alike and real[2] == expected[2]:
                return
            if real not in seen:
                seen.append(real)
            time.sleep(0.05)
        raise AssertionError(f"{self._so_far()}: {seen} instead of {expected}")

    def _so_far(self) -> str:
        return " ; ".join(self.moves)

    def _same_members(
        self,
        expected: set[tuple[str, str | None, str | None]],
        real: set[tuple[str, str | None, str]],
    ) -> bool:
        """The id of a static member is known only once its join is answered."""
        told = set(self._real.values())
        known = {member if member[2] in told else (*member[:2], None) for member in real}
        return expected == known

    def _described(self) -> tuple[str, set[tuple[str, str | None, str]], set[bytes]]:
        wire = self._wire("describing", "describing")
        wire.send(DescribeGroupsRequest(groups=[self._group_id]), 5)
        (group,) = wire.receive(ANSWER).groups
        members = {
            (member.client_id, member.group_instance_id, member.member_id)
            for member in group.members
        }
        stable = group.group_state == "Stable"
        shares = {member.member_assignment for member in group.members if stable}
        return group.group_state, members, shares

    # -- sessions

    def beat(self) -> None:
        """Keep the sessions of all members alive that have not expired in the simulation."""
        while not self._ended.is_set():
            try:
                self._beat_on()
            except OSError:  # the broker is being restarted
                time.sleep(0.2)

    def _beat_on(self) -> None:
        with closing(Wire(self._broker.bootstrap, "beating")) as wire:
            while not self._ended.wait(0.2):
                for member_id, instance_id in list(self._beating.items()):
                    if member_id in self._real:
                        message = HeartbeatRequest(
                            group_id=self._group_id,
                            generation_id=self._generation,
                            member_id=self._real[member_id],
                            group_instance_id=instance_id,
                        )
                        wire.send(message, 4)
                        wire.receive(ANSWER)

    def end(self) -> None:
        """Close all connections."""
        self._ended.set()
        self._hang_up()

    def _hang_up(self) -> None:
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()


@contextmanager
def mirrored(setup: Setup, broker: Broker, group_id: str) -> Iterator[Mirror]:
    """Give a group that nobody is in yet, on both sides."""
    _await_coordinator(broker.bootstrap, group_id)
    mirror = Mirror(setup, broker, group_id)
    beats = threading.Thread(target=mirror.beat, daemon=True)
    beats.start()
    try:
        yield mirror
    finally:
        mirror.end()
        beats.join(10)


def _await_coordinator(bootstrap: str, group_id: str) -> None:
    """Wait until the broker coordinates the group."""
    wire = Wire(bootstrap, "waiting")
    end = time.monotonic() + 30
    while wire.find_coordinator(group_id) or _error(wire, group_id):
        assert time.monotonic() < end, "nobody coordinates the group"
        time.sleep(0.1)
    wire.close()


def _error(wire: Wire, group_id: str) -> int:
    wire.send(DescribeGroupsRequest(groups=[group_id]), 5)
    (group,) = wire.receive(ANSWER).groups
    return int(group.error_code) if group.group_state != "Dead" else 0


def _essence(message: Message, names: dict[str, str]) -> tuple[Any, ...]:
    """What has to be the same in an answer, with simulated member ids."""
    error = getattr(message, "error_code", 0)
    if error:
        return (type(message).NAME, error)
    match message:
        case JoinGroupResponse():
            members = {
                names.get(member.member_id, member.member_id): (
                    member.group_instance_id,
                    member.metadata,
                )
                for member in message.members
            }
            leader = names.get(message.leader, message.leader)
            return (
                type(message).NAME,
                message.generation_id,
                message.protocol_name,
                leader,
                message.skip_assignment,
                members,
            )
        case SyncGroupResponse():
            return (type(message).NAME, message.assignment)
        case _:
            return (type(message).NAME,)
