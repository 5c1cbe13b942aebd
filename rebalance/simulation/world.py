"""The timed world: members and a coordinator over connections with delays, and an application that
processes records. The scenario and its seed decide everything.

It is the host's scheduler with a clock. Messages go over the connections as bytes and are read from
bytes at the other end. A connection keeps their order, and the broker takes its next request when
the last one is answered.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from ...codec.runtime.message import Message
from ..assignments import Partition
from .application import Durations, Load, TimedProcess, Workload
from .bookkeeping import Bookkeeper
from .host import MACHINES, Host, Link, is_settled
from .machines import coordinator_state, member_state
from .machines.callbacks import Work
from .machines.coordinator_state import ErrorCode, GroupSettings, GroupState, Reply, SetGroupTimer
from .machines.member_state import Call, Complain, Did, LeftOut, ReadRecords, Send, SetTimer, Timer
from .machines.settings import MemberSettings
from .modern.tasks import tasks_to_rebuild
from .run_log import Clock, RunRecord, SentFrame


@dataclass(frozen=True)
class Conditions:
    """The broker's settings, the load, delays and the seed of a run."""

    broker: GroupSettings = field(default_factory=GroupSettings)
    load: Load = field(default_factory=Load)
    latency_ms: tuple[float, float] = (1.0, 4.0)
    failover_ms: float = 500.0
    """How long a group has no coordinator after one fails."""
    sample_ms: float = 250.0
    seed: int = 0


class _Packet(NamedTuple):
    """A request on its way, and the offsets that a commit stores."""

    message: Any
    version: int
    correlation_id: int
    offsets: dict[Partition, float]


class World(Host):
    """A run in progress."""

    processes: dict[str, TimedProcess]

    def __init__(self, conditions: Conditions, topics: dict[str, int]) -> None:
        super().__init__(conditions.broker, dict(topics), GroupState())
        self.conditions = conditions
        self.queue = Clock()
        self.workload = Workload(conditions.load)
        self.books = Bookkeeper(self, self.queue, self.workload)
        self.coordinator_up = True
        self._random = random.Random(conditions.seed)  # noqa: S311  # a simulation, no secret
        self._connections = 0
        self._make_partitions()

    @property
    def record(self) -> RunRecord:
        """The log of the run."""
        return self.books.record

    # -- what operators do

    def start(
        self, settings: MemberSettings, durations: Durations, *, decoupled: bool = False
    ) -> TimedProcess:
        """Start a process under the name of its client id."""
        name = settings.client_id
        number = self._next_connection()
        state = MACHINES[settings.group_protocol].start(
            settings, self.topics.items(), f"{name}-n{number:02d}"
        )
        process = TimedProcess(name, settings, state, Link(number), durations, decoupled=decoupled)
        self.processes[name] = process
        self.books.note_start(process)
        self._tell(process, member_state.Poll())
        return process

    def stop(self, name: str) -> None:
        """Close a consumer properly, once its application is free."""
        process = self.processes[name]
        if process.state.calling or process.state.busy or process.frozen is not None:
            process.stopping = (
                True  # at its next poll: an application that is always busy stops, too
            )
            return
        process.stopping = False
        self.books.note(name, "closing")
        self._tell(process, member_state.Closed())
        self._end_if_closed(process)

    def crash(self, name: str) -> None:
        """End a process; it sends nothing more."""
        process = self.processes[name]
        self.books.note(name, "crashed")
        self._end(process)

    def freeze(self, name: str, for_ms: float) -> None:
        """Let the whole process stand still for a while: garbage collection, a suspended
        machine.
        """
        process = self.processes[name]
        process.frozen = []
        since = self.queue.now
        self.books.note(name, "frozen", detail={"forMs": for_ms})

        def thaw() -> None:
            delayed, process.frozen = process.frozen or [], None
            self.books.note_blocked(name, since)
            if process.alive:
                self.books.note(name, "thawed")
                for do in delayed:
                    do()

        self.queue.after(for_ms, thaw)

    def disconnect(self, name: str) -> None:
        """Lose a connection, with what was under way on it."""
        process = self.processes[name]
        process.connect(self._next_connection())
        self.books.note(name, "connection lost")
        self._soon(process, member_state.ConnectionLost(), process.settings.retry_backoff_ms)

    def fail_over(self) -> None:
        """Let another broker take over."""
        self.books.note("coordinator", "failed")
        self.coordinator_up = False
        for process in self.processes.values():
            if process.alive:
                self.disconnect(process.name)

        def take_over() -> None:
            self.coordinator_up = True
            self.books.note("coordinator", "took over")
            self._inform(coordinator_state.FailedOver())
            for process in self.processes.values():
                self._take(process)

        self.queue.after(self.conditions.failover_ms, take_over)

    def change_topics(self, topics: dict[str, int]) -> None:
        """Create, delete or extend topics; members learn it with their next metadata."""
        self.topics = {name: count for name, count in topics.items() if count > 0}
        self._make_partitions()
        self.books.note("operator", "topics changed", detail={"topics": dict(self.topics)})
        for process in self.processes.values():
            if process.alive:
                event = member_state.MetadataChanged(tuple(self.topics.items()))
                self._soon(process, event, self._random.uniform(50, 500))
        self._inform(coordinator_state.TopicsChanged())

    def subscribe(self, name: str, topics: tuple[str, ...]) -> None:
        """Let a member's application subscribe to other topics."""
        self.books.note(name, "subscribed", detail={"topics": list(topics)})
        self._tell(self.processes[name], member_state.Subscribed(topics))

    def slow_down(self, name: str, batch_ms: float | None) -> None:
        """Let each batch take so long from now on; None: as long as follows from the member's
        speed.
        """
        self.processes[name].batch_ms = batch_ms
        self.books.note(name, "batches take", detail={"batchMs": batch_ms})

    def run(self, until_ms: float) -> RunRecord:
        """Run up to a time, and end what the record holds open."""
        self._sample()
        self.queue.run(until_ms, lambda: len(self.record.partitions))
        return self.books.close(until_ms)

    # -- members

    def _tell(self, process: TimedProcess, event: Any) -> None:
        """Give a member an event, and carry out its actions."""
        if not process.alive:
            return
        if process.frozen is not None:
            process.frozen.append(lambda: self._tell(process, event))
            return
        if isinstance(event, member_state.Poll):
            if process.stopping and not (process.state.calling or process.state.busy):
                self.stop(process.name)
                return
            process.last_poll = self.queue.now
        previous = process.state
        actions = self.step_member(process, event)
        self.books.note_member(process, previous)
        for action in actions:
            _DO[type(action)](self, process, action)
        self.books.check_member(process, previous)
        self._begin_production()
        if process.wants_poll:
            self._soon(process, member_state.Poll(), 0)
        elif process.state.owned and not process.state.calling and not process.state.busy:
            self._poll_later(process)

    def _soon(self, process: TimedProcess, event: Any, delay: float) -> None:
        self.queue.after(delay, lambda: self._tell(process, event))

    def _poll_later(self, process: TimedProcess) -> None:
        """Let the application poll again when a poll would find something."""
        linger = self.conditions.load.linger_of(len(self.processes))
        wait = max(0.0, process.last_poll + linger - self.queue.now)
        key = (process.name, "loop")
        self.queue.timer(key, wait, lambda: self._tell(process, member_state.Poll()))

    def _send(self, process: TimedProcess, action: Send) -> None:
        process.correlation_id += 1
        number, message = process.correlation_id, action.message
        if isinstance(message, Message):
            self._log_frame(process, True, action.version, number, message)
            self.books.note_request(process.name, message)
            message = _over_the_wire(message, action.version)
        packet = _Packet(message, action.version, number, dict(process.positions))
        connection = process.link.number
        to_broker, to_member = process.last_arrivals
        to_broker = self._arrival(to_broker)
        process.last_arrivals = to_broker, to_member

        def arrive() -> None:
            if process.link.number == connection:
                requests = (*process.link.requests, packet)
                process.link = process.link._replace(requests=requests)
                self._take(process)

        self.queue.at(to_broker, arrive)
        self._end_if_closed(process)

    def _call(self, process: TimedProcess, action: Call) -> None:
        partitions = action.partitions
        if action.work is Work.ASSIGNED:
            built_tasks = self.books.built_tasks(process)
            partitions = tasks_to_rebuild(process.settings, built_tasks, partitions)
        duration = process.durations.of(action.work, len(partitions))
        since = self.queue.now
        self.books.note(process.name, str(action.work), action.partitions, {"ms": duration})

        def end() -> None:
            if process.alive and process.frozen is None:
                self.books.note_blocked(process.name, since)
            self._tell(process, member_state.CallbackReturned())
            self._end_if_closed(process)

        self.queue.after(duration, end)

    def _did(self, process: TimedProcess, action: Did) -> None:
        self.books.note(process.name, action.what, action.partitions)

    def _read(self, process: TimedProcess, action: ReadRecords) -> None:
        at_ms = self.queue.now
        if process.decoupled and at_ms < process.elsewhere_until:
            self._soon(process, member_state.NothingRead(), 0)
            return
        if process.shares:
            process.positions = self.workload.shared_positions(process.positions)
        batch = self.workload.available(process.positions, at_ms)
        size = sum(batch.values())
        if size < 1:
            self._soon(process, member_state.NothingRead(), 0)
            return
        if process.shares:
            self.workload.acquire(batch)
        duration = process.batch_ms
        if duration is None:
            duration = size / self.conditions.load.capacity_per_second * 1000

        def end() -> None:
            if process.shares:
                self.workload.acknowledge(batch, processed=process.alive)
            elif process.alive and process.frozen is None:
                self.workload.process(batch, process.positions)
            self._tell(process, member_state.BatchProcessed())

        if process.decoupled:
            process.elsewhere_until = at_ms + duration
            self.queue.after(duration, lambda: self.workload.process(batch, process.positions))
            self._soon(process, member_state.NothingRead(), 0)
        else:
            self.queue.after(duration, end)

    def _set_timer(self, process: TimedProcess, action: SetTimer) -> None:
        event = (
            member_state.HeartbeatDue()
            if action.timer is Timer.HEARTBEAT
            else member_state.PollOverdue()
        )
        key = (process.name, action.timer)
        self.queue.timer(key, action.after_ms, lambda: self._tell(process, event))

    def _complain(self, process: TimedProcess, action: Complain) -> None:
        detail = {"about": action.complaint.member_id, "complaint": action.complaint.what}
        self.books.note(process.name, "complaint", detail=detail)

    def _left_out(self, process: TimedProcess, action: LeftOut) -> None:
        self.books.note_left_out(process.name, action.member_ids)

    def _end_if_closed(self, process: TimedProcess) -> None:
        if process.alive and process.state.is_closed:
            self.books.note(process.name, "stopped")
            self._end(process)

    def _end(self, process: TimedProcess) -> None:
        process.alive = False
        self.books.believe(process, frozenset())
        name = process.name
        self.queue.stop_timers(lambda key: isinstance(key, tuple) and key[0] == name)

    # -- connections and the coordinator

    def _next_connection(self) -> int:
        self._connections += 1
        return self._connections

    def _arrival(self, last: float) -> float:
        """Return when the next message arrives: after some delay, and not before the one before
        it.
        """
        return max(last, self.queue.now + self._random.uniform(*self.conditions.latency_ms))

    def _take(self, process: TimedProcess) -> None:
        """Let the broker take the next request of a connection, if it is free."""
        request = self.take_request(process) if self.coordinator_up else None
        if request is not None:
            self._inform(request)

    def _inform(self, event: Any) -> None:
        """Give the coordinator an event, and carry out its actions."""
        previous = self.group
        actions = self.step_coordinator(event)
        self.books.note_group(previous, event)
        self._begin_production()
        for action in actions:
            match action:
                case Reply():
                    self._reply(action)
                case SetGroupTimer():
                    self._set_group_timer(action)
        self.books.check_group(previous)

    def _reply(self, reply: Reply) -> None:
        listener = self.end_request(reply)
        if listener is None:
            return
        process, packet = listener
        message = reply.message
        if isinstance(message, Message):
            self._log_frame(process, False, packet.version, packet.correlation_id, message)
            message = _over_the_wire(message, packet.version)
        elif message.error_code == ErrorCode.NONE:
            self.workload.commit(packet.offsets)
        else:
            error = ErrorCode(message.error_code).name
            self.books.note(process.name, "commit refused", detail={"error": error})
        connection = process.link.number
        to_broker, to_member = process.last_arrivals
        to_member = self._arrival(to_member)
        process.last_arrivals = to_broker, to_member

        def arrive() -> None:
            if process.link.number == connection:
                self._tell(process, message)

        self.queue.at(to_member, arrive)
        self._take(process)

    def _set_group_timer(self, action: SetGroupTimer) -> None:
        kind = coordinator_state.GroupTimer
        events = {
            kind.SESSION: coordinator_state.SessionExpired(action.member_id),
            kind.PENDING: coordinator_state.PendingExpired(action.member_id),
            kind.JOIN: coordinator_state.JoinTimedOut(),
            kind.SYNC: coordinator_state.SyncTimedOut(),
            kind.ASSIGNMENT: coordinator_state.AssignmentDue(),
            kind.EXPRESSIONS: coordinator_state.ExpressionsDue(),
        }
        timed_out = coordinator_state.MemberTimedOut(action.timer, action.member_id)
        event = events.get(action.timer, timed_out)
        key = ("coordinator", action.timer, action.member_id)
        self.queue.timer(key, action.after_ms, lambda: self._ring(event))

    def _ring(self, event: Any) -> None:
        if self.coordinator_up:
            self._inform(event)

    def _log_frame(
        self, process: TimedProcess, asks: bool, version: int, number: int, message: Message
    ) -> None:
        at_ms, connection = self.queue.now, process.connection
        self.record.frames.append(
            SentFrame(at_ms, connection, process.name, asks, version, number, message)
        )

    # -- records

    def _begin_production(self) -> None:
        """Begin to produce once the group is stable and every member has its assignment, with its
        callbacks over: measures are of what happens then, not of the start.
        """
        if self.record.begin_ms is not None or self.group.phase != "stable":
            return
        states = [process.state for process in self.processes.values() if process.alive]
        settled = all(
            is_settled(state) and state.generation == self.group.generation
            for state in states
            if not state.has_failed
        )
        if settled and self._targets_are_owned():
            self.record.begin_ms = self.queue.now
            self.workload.begin(self.queue.now)

    def _targets_are_owned(self) -> bool:
        """Return whether members own their target assignments; True in a classic group."""
        if isinstance(self.group, GroupState):
            return True
        processes = [process for process in self.processes.values() if process.alive]
        owned = sum(len(process.state.owned) for process in processes)
        return owned == sum(len(target) for _, target in self.group.targets)

    def _make_partitions(self) -> None:
        at_ms = self.queue.now
        for topic, count in self.topics.items():
            for number in range(count):
                if (topic, number) not in self.workload.born:
                    self.workload.born[topic, number] = at_ms or inf
                    self.record.partitions.append(((topic, number), at_ms))

    def _sample(self) -> None:
        self.books.sample()
        self.queue.after(self.conditions.sample_ms, self._sample)


_DO: dict[type, Callable[[World, TimedProcess, Any], None]] = {
    Send: World._send,
    Call: World._call,
    Did: World._did,
    ReadRecords: World._read,
    SetTimer: World._set_timer,
    Complain: World._complain,
    LeftOut: World._left_out,
}


def _over_the_wire(message: Message, version: int) -> Message:
    """Return a message written and read again, so that nothing but what the bytes hold gets
    across.
    """
    return type(message).from_body(message.to_body(version), version)
