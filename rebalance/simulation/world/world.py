"""The timed world: members and a coordinator over connections with delays, and an application that
processes records. The scenario and its seed decide everything.

Messages go over the connections as bytes and are read from bytes at the other end. A connection
keeps their order, and the broker takes its next request when the last one is answered.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from ....codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ShareGroupHeartbeatRequest,
    StreamsGroupHeartbeatRequest,
)
from ....codec.runtime.message import Message
from ...assignments import Partition, overlaps
from ..machines import coordinator, coordinator_state, member_state
from ..machines.callbacks import Work
from ..machines.commits import Commit
from ..machines.coordinator_state import (
    Asked,
    GroupPhase,
    GroupSettings,
    GroupState,
    Reply,
    SetGroupTimer,
)
from ..machines.error_codes import ErrorCode
from ..machines.member_state import (
    Call,
    Complain,
    Did,
    LeftOut,
    Read,
    Send,
    SetTimer,
    Timer,
)
from ..machines.settings import GroupProtocol, MemberSettings
from ..modern import broker
from ..modern.any_member import (
    MACHINES,
    AnyMember,
    Machine,
    member_rests,
    owned_truly,
    read_by,
    rests,
    tasks_held,
    to_rebuild,
)
from ..modern.broker import AnyGroup
from ..modern.group_state import ConsumerGroup
from ..modern.librdkafka import JoinState, join_states
from ..modern.member_state import ConsumerMemberState
from .event_log import Belief, LoggedEvent, Record, Sample, SentFrame
from .event_queue import EventQueue
from .workload import Load, Workload


@dataclass(frozen=True)
class Durations:
    """How long a member's callbacks take, in milliseconds: a fixed part and one per partition.

    Rebuilding local state is what onPartitionsAssigned costs for each partition that is added.
    """

    revoked_ms: float = 20.0
    assigned_ms: float = 20.0
    lost_ms: float = 20.0
    revoked_each_ms: float = 0.0
    assigned_each_ms: float = 0.0

    def of(self, call: Call) -> float:
        """Return the duration of one callback."""
        many = len(call.partitions)
        match call.work:
            case Work.ASSIGNED:
                return self.assigned_ms + many * self.assigned_each_ms
            case Work.LOST:
                return self.lost_ms
            case _:
                return self.revoked_ms + many * self.revoked_each_ms


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


@dataclass
class _Link:
    """A connection."""

    name: str
    open: bool = True
    correlation_id: int = 0
    requests: deque[tuple[Send, int, dict[Partition, float]]] = field(default_factory=deque)
    at_broker: tuple[Send, int, dict[Partition, float]] | None = None
    last_there: float = 0.0
    last_back: float = 0.0


@dataclass
class Process:
    """A running member, and its application."""

    name: str
    settings: MemberSettings
    durations: Durations
    state: AnyMember
    link: _Link
    positions: dict[Partition, float] = field(default_factory=dict)
    reading: dict[Partition, float] = field(default_factory=dict)
    batch_ms: float | None = None
    """How long each batch takes; None if that follows from the member's speed."""
    decoupled: bool = False
    """Whether batches are processed elsewhere, and polls go on meanwhile."""
    elsewhere_until: float = 0.0
    frozen: list[Callable[[], None]] | None = None
    """What happens once the process goes on; None while it runs."""
    last_poll: float = -1e9
    stopping: bool = False
    """Whether the application closes the consumer instead of its next poll."""
    alive: bool = True
    join_state: JoinState = JoinState.INIT
    """The state of a member of kind librdkafka."""

    @property
    def reads(self) -> frozenset[Partition]:
        """The partitions that the member reads."""
        return read_by(self.settings, self.state)

    @property
    def shares(self) -> bool:
        """Whether other members may read the same partitions."""
        return self.settings.group_protocol is GroupProtocol.SHARE

    @property
    def machine(self) -> Machine:
        """The machine of the member's protocol."""
        return MACHINES[self.settings.group_protocol]


class World:
    """A run in progress."""

    def __init__(self, conditions: Conditions, topics: dict[str, int]) -> None:
        self.conditions = conditions
        self.queue = EventQueue()
        self.record = Record()
        self.topics = dict(topics)
        self.workload = Workload(conditions.load)
        self.processes: dict[str, Process] = {}
        self.group: AnyGroup = GroupState()
        self.coordinator_up = True
        self.producing = False
        """Whether records are produced: from the moment on at which the group has started."""
        self._random = random.Random(conditions.seed)  # noqa: S311  # a simulation, no secret
        self._connections = 0
        self._states: dict[tuple[str, Partition], float] = {}
        """Since when a process of a streams group has, or builds, the state of a task."""
        self._beliefs: dict[tuple[str, Partition], Belief] = {}
        self._make_partitions()

    # -- what operators do

    def start(
        self, settings: MemberSettings, durations: Durations, *, decoupled: bool = False
    ) -> Process:
        """Start a process under the name of its client id."""
        name = settings.client_id
        link = self._connect(name)
        machine = MACHINES[settings.group_protocol]
        state = machine.start(settings, self.topics.items(), f"{name}-n{self._connections:02d}")
        process = Process(name, settings, durations, state, link, decoupled=decoupled)
        self.processes[name] = process
        self.record.shared |= process.shares
        self._note(name, "started", detail={"settings": _summary(settings)})
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
        self._note(name, "closing")
        self._tell(process, member_state.Closed())
        self._end_if_closed(process)

    def crash(self, name: str) -> None:
        """End a process without a word to the coordinator."""
        process = self.processes[name]
        self._note(name, "crashed")
        self._end(process)

    def freeze(self, name: str, for_ms: float) -> None:
        """Let the whole process stand still for a while: garbage collection, a suspended
        machine.
        """
        process = self.processes[name]
        process.frozen = []
        since = self.queue.now
        self._note(name, "frozen", detail={"forMs": for_ms})

        def thaw() -> None:
            held, process.frozen = process.frozen or [], None
            self.record.blocked.append((name, since, self.queue.now))
            if process.alive:
                self._note(name, "thawed")
                for do in held:
                    do()

        self.queue.after(for_ms, thaw)

    def disconnect(self, name: str) -> None:
        """Lose a connection, with what was under way on it."""
        process = self.processes[name]
        process.link.open = False
        process.link = self._connect(name)
        self._note(name, "connection lost")
        self._soon(process, member_state.ConnectionLost(), process.settings.retry_backoff_ms)

    def fail_over(self) -> None:
        """Let another broker take over."""
        self._note("coordinator", "failed")
        self.coordinator_up = False
        for process in self.processes.values():
            if process.alive:
                self.disconnect(process.name)

        def take_over() -> None:
            self.coordinator_up = True
            self._note("coordinator", "took over")
            self._inform(coordinator_state.FailedOver())
            for process in self.processes.values():
                self._take(process.link)

        self.queue.after(self.conditions.failover_ms, take_over)

    def change_topics(self, topics: dict[str, int]) -> None:
        """Create, delete or extend topics; members learn it with their next metadata."""
        self.topics = {name: count for name, count in topics.items() if count > 0}
        self._make_partitions()
        self._note("operator", "topics changed", detail={"topics": dict(self.topics)})
        for process in self.processes.values():
            if process.alive:
                event = member_state.MetadataChanged(tuple(self.topics.items()))
                self._soon(process, event, self._random.uniform(50, 500))
        self._inform(coordinator_state.TopicsChanged())

    def subscribe(self, name: str, topics: tuple[str, ...]) -> None:
        """Let a member's application subscribe to other topics."""
        self._note(name, "subscribed", detail={"topics": list(topics)})
        self._tell(self.processes[name], member_state.Subscribed(topics))

    def slow_down(self, name: str, batch_ms: float | None) -> None:
        """Let each batch take so long from now on; None: as long as follows from the member's
        speed.
        """
        self.processes[name].batch_ms = batch_ms
        self._note(name, "batches take", detail={"batchMs": batch_ms})

    def run(self, until_ms: float) -> Record:
        """Run up to a time, and end what the record holds open."""
        self._sample()
        self.queue.run(until_ms)
        for belief in self._beliefs.values():
            belief.until_ms = until_ms
        self.record.twice = self.workload.twice
        self.record.end_ms = until_ms
        return self.record

    # -- members

    def _tell(self, process: Process, event: Any) -> None:
        """Give a member an event, and do what it asks for."""
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
        before = process.state
        process.state, actions = process.machine.step(process.settings, before, event)
        self._note_changes(process, before)
        for action in actions:
            _DO[type(action)](self, process, action)
        if _claim(process.state) != _claim(before):
            self._check()
        if not self.producing:
            self._begin_production()
        if process.machine.wants_poll(process.settings, process.state):
            self._soon(process, member_state.Poll(), 0)
        elif process.state.owned and not process.state.calling and not process.state.busy:
            self._poll_later(process)

    def _soon(self, process: Process, event: Any, delay: float) -> None:
        self.queue.after(delay, lambda: self._tell(process, event))

    def _poll_later(self, process: Process) -> None:
        """Let the application poll again when a poll would find something."""
        linger = self.conditions.load.linger_of(len(self.processes))
        wait = max(0.0, process.last_poll + linger - self.queue.now)
        key = (process.name, "loop")
        self.queue.timer(key, wait, lambda: self._tell(process, member_state.Poll()))

    def _send(self, process: Process, action: Send) -> None:
        link = process.link
        link.correlation_id += 1
        if isinstance(action.message, Message):
            self._frame(
                link, process.name, True, action.version, link.correlation_id, action.message
            )
            self._note(process.name, _name(action.message), detail=_sizes(action.message))
        packet = (_over_the_wire(action), link.correlation_id, dict(process.positions))
        link.last_there = self._arrival(link.last_there)

        def arrive() -> None:
            if link.open:
                link.requests.append(packet)
                self._take(link)

        self.queue.at(link.last_there, arrive)
        self._end_if_closed(process)

    def _call(self, process: Process, action: Call) -> None:
        rebuilt = action.partitions
        if action.work is Work.ASSIGNED:
            built = self._built_states(process)
            rebuilt = to_rebuild(process.settings, built, rebuilt)
        takes = process.durations.of(action._replace(partitions=rebuilt))
        since = self.queue.now
        detail = {"ms": takes}
        self._note(process.name, str(action.work), action.partitions, detail)

        def end() -> None:
            if process.alive and process.frozen is None:
                self.record.blocked.append((process.name, since, self.queue.now))
            self._tell(process, member_state.CallbackReturned())
            self._end_if_closed(process)

        self.queue.after(takes, end)

    def _built_states(self, process: Process) -> frozenset[Partition]:
        """Return the tasks whose state is on the disk of a process, which began to build it long
        enough ago.
        """
        takes, now = process.durations.assigned_each_ms, self.queue.now
        here = process.settings.process_id
        return frozenset(
            task
            for (at, task), since in self._states.items()
            if at == here and since + takes <= now
        )

    def _did(self, process: Process, action: Did) -> None:
        self._note(process.name, action.what, action.partitions)

    def _read(self, process: Process, action: Read) -> None:
        now = self.queue.now
        if process.decoupled and now < process.elsewhere_until:
            self._soon(process, member_state.NothingRead(), 0)
            return
        if process.shares:
            process.positions = self.workload.shared_positions(process.positions)
        read = self.workload.available(process.positions, now)
        many = sum(read.values())
        if many < 1:
            self._soon(process, member_state.NothingRead(), 0)
            return
        if process.shares:
            self.workload.acquire(read)
        takes = process.batch_ms
        if takes is None:
            takes = many / self.conditions.load.capacity_per_second * 1000

        def end() -> None:
            if process.shares:
                self.workload.acknowledge(read, processed=process.alive)
            elif process.alive and process.frozen is None:
                self.workload.process(read, process.positions)
            self._tell(process, member_state.BatchProcessed())

        if process.decoupled:
            process.elsewhere_until = now + takes
            self.queue.after(takes, lambda: self.workload.process(read, process.positions))
            self._soon(process, member_state.NothingRead(), 0)
        else:
            self.queue.after(takes, end)

    def _set_timer(self, process: Process, action: SetTimer) -> None:
        event = (
            member_state.HeartbeatDue()
            if action.timer is Timer.HEARTBEAT
            else member_state.PollOverdue()
        )
        key = (process.name, action.timer)
        self.queue.timer(key, action.after_ms, lambda: self._tell(process, event))

    def _complain(self, process: Process, action: Complain) -> None:
        detail = {"about": action.complaint.member_id, "complaint": action.complaint.what}
        self._note(process.name, "complaint", detail=detail)

    def _left_out(self, process: Process, action: LeftOut) -> None:
        of = {entry.member_id: entry.client_id for entry in _entries(self.group)}
        names = ", ".join(of.get(member_id, member_id) for member_id in action.member_ids)
        what = f"the assignor of {process.name} returned no assignment for {names}"
        self._violation("left-out", what)

    def _end_if_closed(self, process: Process) -> None:
        if process.alive and process.state.is_closed:
            self._note(process.name, "stopped")
            self._end(process)

    def _end(self, process: Process) -> None:
        process.alive = False
        self._believe(process, frozenset())
        name = process.name
        self.queue.stop_timers(lambda key: isinstance(key, tuple) and key[0] == name)

    # -- connections and the coordinator

    def _connect(self, name: str) -> _Link:
        self._connections += 1
        return _Link(f"{name}#{self._connections}")

    def _arrival(self, last: float) -> float:
        """Return when the next message arrives: after some delay, and not before the one before
        it.
        """
        return max(last, self.queue.now + self._random.uniform(*self.conditions.latency_ms))

    def _take(self, link: _Link) -> None:
        """Let the broker take the next request of a connection, if it is free."""
        if link.at_broker is not None or not link.requests or not self.coordinator_up:
            return
        link.at_broker = link.requests.popleft()
        send, _, _ = link.at_broker
        client_id = link.name.split("#")[0]
        self._inform(Asked(link.name, client_id, send.version, send.message))

    def _inform(self, event: Any) -> None:
        before = self.group
        self.group, actions = broker.step(self.conditions.broker, self.topics, before, event)
        self._note_group(before, event)
        left_out = self._note_left_out(before, actions)
        if not self.producing:
            self._begin_production()
        for action in actions:
            match action:
                case Reply():
                    self._reply(action)
                case SetGroupTimer():
                    self._set_group_timer(action)
        if left_out or _entries(self.group) is not _entries(before):
            self._check()

    def _note_left_out(
        self, before: AnyGroup, actions: Iterable[coordinator_state.GroupAction]
    ) -> bool:
        """Mark the static members of a classic group that a generation was made without; return
        whether there are any.
        """
        if not isinstance(before, GroupState) or not isinstance(self.group, GroupState):
            return False
        left_out = coordinator.left_out(before, self.group, actions)
        for process in self.processes.values() if left_out else ():
            state = process.state
            if state.member_id in left_out and isinstance(state, member_state.MemberState):
                process.state = member_state.missed(state)
        return bool(left_out)

    def _reply(self, reply: Reply) -> None:
        process = self.processes[reply.connection.split("#")[0]]
        link = process.link
        if link.name != reply.connection or link.at_broker is None:
            return  # nobody listens there any more
        send, correlation_id, offsets = link.at_broker
        link.at_broker = None
        message = reply.message
        if isinstance(message, Message):
            self._frame(link, process.name, False, send.version, correlation_id, message)
            message = type(message).from_body(message.to_body(send.version), send.version)
        elif message.error_code == ErrorCode.NONE:
            self.workload.commit(offsets)
        else:
            name = ErrorCode(message.error_code).name
            self._note(process.name, "commit refused", detail={"error": name})
        link.last_back = self._arrival(link.last_back)

        def arrive() -> None:
            if link.open:
                self._tell(process, message)

        self.queue.at(link.last_back, arrive)
        self._take(link)

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

    # -- books

    def _begin_production(self) -> None:
        """Begin to produce once the group is stable and every member has its assignment, with its
        callbacks over: measures are of what happens then, not of the start.
        """
        if not rests(self.group):
            return
        states = [each.state for each in self.processes.values() if each.alive]
        settled = all(
            member_rests(state) and state.generation == self.group.generation
            for state in states
            if not state.has_failed
        )
        if settled and self._targets_are_owned():
            self.producing = True
            self.record.begin_ms = self.queue.now
            self.workload.begin(self.queue.now)

    def _targets_are_owned(self) -> bool:
        """Return whether members own what a coordinator of the consumer protocol gives them."""
        if isinstance(self.group, GroupState):
            return True
        processes = [process for process in self.processes.values() if process.alive]
        owned = sum(len(process.state.owned) for process in processes)
        return owned == sum(len(target) for _, target in self.group.targets)

    def _make_partitions(self) -> None:
        now = self.queue.now
        for topic, count in self.topics.items():
            for number in range(count):
                if (topic, number) not in self.workload.born:
                    self.workload.born[topic, number] = now or inf
                    self.record.partitions.append(((topic, number), now))

    def _note(
        self,
        who: str,
        what: str,
        partitions: Iterable[Partition] = (),
        detail: dict[str, Any] | None = None,
    ) -> None:
        ordered = tuple(sorted(partitions))
        self.record.note(LoggedEvent(self.queue.now, who, what, ordered, detail or {}))

    def _note_changes(self, process: Process, before: AnyMember) -> None:
        state = process.state
        for task in tasks_held(process.settings, state):
            self._states.setdefault((process.settings.process_id, task), self.queue.now)
        now, then = process.reads, read_by(process.settings, before)
        if now != then:
            self._believe(process, now)
            for partition in then - now:
                process.positions.pop(partition, None)
            for partition in now - then:
                process.positions[partition] = self.workload.committed.get(partition, 0.0)
        for phase in _phases(process, before):
            detail: dict[str, Any] = {"generation": state.generation}
            if state.has_failed:
                detail["reason"] = state.reason
            self._note(process.name, str(phase), detail=detail)
        if state.fallen and not before.fallen:
            self._note(process.name, "fell out of the group", then)

    def _note_group(self, before: AnyGroup, event: Any) -> None:
        group = self.group
        if type(group) is not type(before):
            kind = group.kind if isinstance(group, ConsumerGroup) else GroupProtocol.CLASSIC
            self._note("coordinator", "protocol", detail={"protocol": str(kind)})
        if group.generation != before.generation:
            detail = {"generation": group.generation} | _described(group)
            self._note("coordinator", "generation", detail=detail)
        elif group.phase is GroupPhase.PREPARING_REBALANCE is not before.phase:
            self._note("coordinator", "rebalance begins")
        if isinstance(group, ConsumerGroup):
            self._note_progress(group, before)
        if isinstance(event, coordinator_state.SessionExpired):
            self._note_expiry(event.member_id, before)

    def _note_progress(self, group: ConsumerGroup, before: AnyGroup) -> None:
        """Log a new target assignment, and the members that got to another epoch or assignment."""
        known = before if isinstance(before, ConsumerGroup) else ConsumerGroup()
        if group.assignment_epoch != known.assignment_epoch:
            self._note("coordinator", "target", detail={"generation": group.assignment_epoch})
        for member in group.members:
            old = known.member(member.member_id)
            if old is None or (old.epoch, old.progress) != (member.epoch, member.progress):
                detail = {"client": member.client_id, "epoch": member.epoch}
                state = {"state": member.progress.name.lower().replace("_", " ")}
                what = "member moved"
                self._note("coordinator", what, member.assigned_partitions, detail | state)

    def _note_expiry(self, member_id: str, before: AnyGroup) -> None:
        entry = _entry(before, member_id)
        if entry is None or _entry(self.group, member_id) is not None:
            return  # it asked for something just in time
        process = self.processes.get(entry.client_id)
        lives = process is not None and process.alive and process.state.member_id == member_id
        detail = {"client": entry.client_id, "member": member_id, "lives": lives}
        self._note("coordinator", "session expired", detail=detail)

    def _believe(self, process: Process, owned: frozenset[Partition]) -> None:
        """Record who believes to own what."""
        now, name = self.queue.now, process.name
        for key in [key for key in self._beliefs if key[0] == name and key[1] not in owned]:
            self._beliefs.pop(key).until_ms = now
        for partition in sorted(owned):
            if (name, partition) not in self._beliefs:
                belief = Belief(partition, name, now, now)
                self._beliefs[name, partition] = belief
                self.record.beliefs.append(belief)

    def _check(self) -> None:
        """Record a violation if ownership among the members of the current generation is not
        disjoint.
        """
        owned = {
            name: owned_truly(self.group, process.state)
            for name, process in self.processes.items()
            if process.alive and process.state.owned
        }
        for what in overlaps(owned):
            self._violation("disjoint", what)

    def _violation(self, check: str, what: str) -> None:
        if not any(what == seen for _, _, seen in self.record.violations):
            self.record.violations.append((self.queue.now, check, what))
            self._note("coordinator", "violation", detail={"check": check, "is": what})

    def _sample(self) -> None:
        now = self.queue.now
        there = [(topic, n) for topic, count in self.topics.items() for n in range(count)]
        read = {
            partition
            for process in self.processes.values()
            if process.alive and process.frozen is None and not process.state.calling
            for partition in process.reads
        }
        behind = self.workload.behind(there, now)
        paused = sum(partition not in read for partition in there)
        self.record.samples.append(Sample(now, self.workload.processed, behind, len(there), paused))
        self.queue.after(self.conditions.sample_ms, self._sample)

    def _frame(
        self, link: _Link, client_id: str, asks: bool, version: int, number: int, message: Message
    ) -> None:
        frame = SentFrame(self.queue.now, link.name, client_id, asks, version, number, message)
        self.record.frames.append(frame)


_DO: dict[type, Callable[[World, Process, Any], None]] = {
    Send: World._send,
    Call: World._call,
    Did: World._did,
    Read: World._read,
    SetTimer: World._set_timer,
    Complain: World._complain,
    LeftOut: World._left_out,
}


def _phases(process: Process, before: AnyMember) -> tuple[str, ...]:
    """Return the states that a member has come to in a step, under its client's names."""
    state = process.state
    if not process.settings.shows_join_states or not isinstance(state, ConsumerMemberState):
        return (state.phase,) if state.phase is not before.phase else ()
    passed = join_states(process.join_state, state)
    process.join_state = (process.join_state, *passed)[-1]
    return (*passed, *((state.phase,) if state.has_failed and not before.has_failed else ()))


def _claim(state: AnyMember) -> tuple[Any, ...]:
    """Return what decides about the partitions that a member owns for the group."""
    if isinstance(state, member_state.MemberState):
        return state.owned, state.owned_as, state.member_id, state.generation
    return state.owned, state.member_id, state.generation


def _entries(group: AnyGroup) -> tuple[Any, ...]:
    """Return what the coordinator knows of each member."""
    return group.entries if isinstance(group, GroupState) else group.members


def _over_the_wire(action: Send) -> Send:
    """Return a message written and read again, so that nothing but what the bytes hold gets
    across.
    """
    message = action.message
    if isinstance(message, Commit):
        return action
    body = message.to_body(action.version)
    return action._replace(message=type(message).from_body(body, action.version))


def _entry(group: AnyGroup, member_id: str) -> Any:
    """Return what the coordinator knows of a member, None if it knows none of that id."""
    if isinstance(group, ConsumerGroup):
        return group.member(member_id)
    return group.entry(member_id)


def _described(group: AnyGroup) -> dict[str, Any]:
    """Return the assignor and the members of a generation, as the log has them."""
    if isinstance(group, ConsumerGroup):
        members = [member.member_id for member in group.members]
        return {"protocol": str(group.kind), "members": members}
    return {
        "protocol": group.protocol,
        "members": [entry.member_id for entry in group.entries],
    }


def _name(message: Message) -> str:
    """Return the name of a request; a heartbeat that says nothing new is a Heartbeat."""
    name = type(message).__name__.removesuffix("Request")
    if isinstance(message, ConsumerGroupHeartbeatRequest):
        says = message.topic_partitions is not None or message.subscribed_topic_names is not None
    elif isinstance(message, ShareGroupHeartbeatRequest):
        says = message.subscribed_topic_names is not None
    elif isinstance(message, StreamsGroupHeartbeatRequest):
        says = message.active_tasks is not None
    else:
        return name
    return name if says or message.member_epoch < 0 else "Heartbeat"


def _sizes(message: Message) -> dict[str, Any]:
    """Return the bytes of members' metadata and assignments in a message."""
    found = {
        protocol.name: len(protocol.metadata) for protocol in getattr(message, "protocols", ())
    }
    shares = {
        entry.member_id: len(entry.assignment) for entry in getattr(message, "assignments", ())
    }
    return {
        key: value
        for key, value in (("metadataBytes", found), ("assignmentBytes", shares))
        if value
    }


def _summary(settings: MemberSettings) -> dict[str, Any]:
    if settings.group_protocol in (GroupProtocol.SHARE, GroupProtocol.STREAMS):
        return {"group protocol": str(settings.group_protocol)}
    if settings.group_protocol is GroupProtocol.CONSUMER:
        return {"group protocol": "consumer", "assignor": settings.remote_assignor or "default"}
    return {
        "assignors": [assignor.name for assignor in settings.assignors],
        "version": settings.version,
        "protocol": settings.protocol(None).name.lower(),
    }
