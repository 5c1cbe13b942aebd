"""The log of a run and how it is kept: what happened, who believed to own what, what was wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...codec.messages import (
    ConsumerGroupHeartbeatRequest,
    ShareGroupHeartbeatRequest,
    StreamsGroupHeartbeatRequest,
)
from ...codec.runtime.message import Message
from ..assignments import Partition, overlaps
from .application import TimedProcess, Workload
from .host import AnyMember, Host, owned_truly
from .machines.coordinator_state import GroupPhase, GroupState, SessionExpired
from .machines.member_state import MemberState
from .machines.settings import GroupProtocol, MemberSettings
from .modern.broker import AnyGroup
from .modern.group_state import ConsumerGroup
from .modern.member_state import ConsumerMemberState, join_states
from .modern.tasks import partitions_read, tasks_held
from .run_log import Belief, Clock, LoggedEvent, RunRecord, Sample


class Bookkeeper:
    """The log of a run, and what it takes to keep it."""

    def __init__(self, host: Host, clock: Clock, workload: Workload) -> None:
        self.record = RunRecord()
        self._host = host
        self._clock = clock
        self._workload = workload
        self._tasks: dict[tuple[str, Partition], float] = {}
        """Since when a process of a streams group has, or builds, the state of a task."""
        self._beliefs: dict[tuple[str, Partition], Belief] = {}

    def close(self, until_ms: float) -> RunRecord:
        """Return the record of a run that ends at this time."""
        for belief in self._beliefs.values():
            belief.until_ms = until_ms
        self.record.twice = self._workload.twice
        self.record.end_ms = until_ms
        return self.record

    def note(
        self,
        actor: str,
        kind: str,
        partitions: Iterable[Partition] = (),
        detail: dict[str, Any] | None = None,
    ) -> None:
        """Log an event; `actor` is a member, "coordinator" or "operator"."""
        ordered = tuple(sorted(partitions))
        self.record.events.append(LoggedEvent(self._clock.now, actor, kind, ordered, detail or {}))

    # -- members

    def note_start(self, process: TimedProcess) -> None:
        """Log that a process was started."""
        self.record.shared |= process.shares
        self.note(process.name, "started", detail={"settings": _summary(process.settings)})

    def note_blocked(self, name: str, since_ms: float) -> None:
        """Log that a process ran a callback, or stood still, until now."""
        self.record.blocked.append((name, since_ms, self._clock.now))

    def note_request(self, name: str, message: Message) -> None:
        """Log that a member has sent a request."""
        self.note(name, _request_name(message), detail=_sizes(message))

    def note_member(self, process: TimedProcess, previous: AnyMember) -> None:
        """Log what a step of a member has changed, and let it read from what it owns now."""
        state, settings = process.state, process.settings
        for task in tasks_held(settings, state):
            self._tasks.setdefault((settings.process_id, task), self._clock.now)
        partitions = partitions_read(settings, state)
        old_partitions = partitions_read(settings, previous)
        if partitions != old_partitions:
            self.believe(process, partitions)
            for partition in old_partitions - partitions:
                process.positions.pop(partition, None)
            for partition in partitions - old_partitions:
                process.positions[partition] = self._workload.committed.get(partition, 0.0)
        for phase in _phases(process, previous):
            detail: dict[str, Any] = {"generation": state.generation}
            if state.has_failed:
                detail["reason"] = state.reason
            self.note(process.name, str(phase), detail=detail)
        if state.fallen and not previous.fallen:
            self.note(process.name, "fell out of the group", old_partitions)

    def built_tasks(self, process: TimedProcess) -> frozenset[Partition]:
        """Return the tasks whose state is on the disk of a process, which began to build it long
        enough ago.
        """
        duration, process_id = process.durations.assigned_each_ms, process.settings.process_id
        return frozenset(
            task
            for (builder, task), since in self._tasks.items()
            if builder == process_id and since + duration <= self._clock.now
        )

    def believe(self, process: TimedProcess, owned: frozenset[Partition]) -> None:
        """Record who believes to own what."""
        at_ms, name = self._clock.now, process.name
        for key in [key for key in self._beliefs if key[0] == name and key[1] not in owned]:
            self._beliefs.pop(key).until_ms = at_ms
        for partition in sorted(owned):
            if (name, partition) not in self._beliefs:
                belief = Belief(partition, name, at_ms, at_ms)
                self._beliefs[name, partition] = belief
                self.record.beliefs.append(belief)

    # -- the coordinator

    def note_group(self, previous: AnyGroup, event: Any) -> None:
        """Log what a step of the coordinator has changed."""
        group = self._host.group
        if type(group) is not type(previous):
            kind = group.kind if isinstance(group, ConsumerGroup) else GroupProtocol.CLASSIC
            self.note("coordinator", "protocol", detail={"protocol": str(kind)})
        if group.generation != previous.generation:
            detail = {"generation": group.generation} | _generation(group)
            self.note("coordinator", "generation", detail=detail)
        elif group.phase is GroupPhase.PREPARING_REBALANCE is not previous.phase:
            self.note("coordinator", "rebalance begins")
        if isinstance(group, ConsumerGroup):
            self._note_progress(group, previous)
        if isinstance(event, SessionExpired):
            self._note_expiry(event.member_id, previous)

    def _note_progress(self, group: ConsumerGroup, previous: AnyGroup) -> None:
        """Log a new target assignment, and the members that got to another epoch or assignment."""
        old_group = previous if isinstance(previous, ConsumerGroup) else ConsumerGroup()
        if group.assignment_epoch != old_group.assignment_epoch:
            self.note("coordinator", "target", detail={"generation": group.assignment_epoch})
        for member in group.members:
            old = old_group.member(member.member_id)
            if old is None or (old.epoch, old.progress) != (member.epoch, member.progress):
                detail = {"client": member.client_id, "epoch": member.epoch}
                state = {"state": member.progress.name.lower().replace("_", " ")}
                event = "member moved"
                self.note("coordinator", event, member.assigned_partitions, detail | state)

    def _note_expiry(self, member_id: str, previous: AnyGroup) -> None:
        entry = _entry(previous, member_id)
        if entry is None or _entry(self._host.group, member_id) is not None:
            return  # it asked for something just in time
        process = self._host.processes.get(entry.client_id)
        lives = process is not None and process.alive and process.state.member_id == member_id
        detail = {"client": entry.client_id, "member": member_id, "lives": lives}
        self.note("coordinator", "session expired", detail=detail)

    # -- checks

    def check_member(self, process: TimedProcess, previous: AnyMember) -> None:
        """Check ownership if a step of a member decides about it."""
        if _claim(process.state) != _claim(previous):
            self._check_disjoint()

    def check_group(self, previous: AnyGroup) -> None:
        """Check ownership if a step of the coordinator decides about it."""
        if _entries(self._host.group) is not _entries(previous):
            self._check_disjoint()

    def _check_disjoint(self) -> None:
        """Record a violation if ownership among the members of the current generation is not
        disjoint.
        """
        states = {
            name: process.state
            for name, process in self._host.processes.items()
            if process.alive and process.state.owned
        }
        for sentence in overlaps(owned_truly(self._host.group, states)):
            self._violation("disjoint", sentence)

    def note_left_out(self, leader: str, member_ids: Iterable[str]) -> None:
        """Record that a leader's assignor returned nothing for some members."""
        clients = {entry.member_id: entry.client_id for entry in _entries(self._host.group)}
        names = ", ".join(clients.get(member_id, member_id) for member_id in member_ids)
        self._violation("left-out", f"the assignor of {leader} returned no assignment for {names}")

    def _violation(self, check: str, sentence: str) -> None:
        if not any(sentence == earlier for _, _, earlier in self.record.violations):
            self.record.violations.append((self._clock.now, check, sentence))
            self.note("coordinator", "violation", detail={"check": check, "is": sentence})

    # -- progress

    def sample(self) -> None:
        """Record how far processing is at this moment."""
        at_ms, host = self._clock.now, self._host
        partitions = [(topic, n) for topic, count in host.topics.items() for n in range(count)]
        readable = {
            partition
            for process in host.processes.values()
            if process.alive and process.frozen is None and not process.state.calling
            for partition in partitions_read(process.settings, process.state)
        }
        lag = self._workload.behind(partitions, at_ms)
        paused = sum(partition not in readable for partition in partitions)
        processed = self._workload.processed
        self.record.samples.append(Sample(at_ms, processed, lag, len(partitions), paused))


def _phases(process: TimedProcess, previous: AnyMember) -> tuple[str, ...]:
    """Return the states that a member has come to in a step, under its client's names."""
    state = process.state
    if not process.settings.shows_join_states or not isinstance(state, ConsumerMemberState):
        return (state.phase,) if state.phase is not previous.phase else ()
    states = join_states(process.join_state, state)
    process.join_state = (process.join_state, *states)[-1]
    return (*states, *((state.phase,) if state.has_failed and not previous.has_failed else ()))


def _claim(state: AnyMember) -> tuple[Any, ...]:
    """Return what decides about the partitions that a member owns for the group."""
    if isinstance(state, MemberState):
        return state.owned, state.owned_as, state.member_id, state.generation
    return state.owned, state.member_id, state.generation


def _entries(group: AnyGroup) -> tuple[Any, ...]:
    """Return what the coordinator knows of each member."""
    return group.entries if isinstance(group, GroupState) else group.members


def _entry(group: AnyGroup, member_id: str) -> Any:
    """Return what the coordinator knows of a member, None if it knows none of that id."""
    return group.member(member_id) if isinstance(group, ConsumerGroup) else group.entry(member_id)


def _generation(group: AnyGroup) -> dict[str, Any]:
    """Return the assignor and the members of a generation, as the log has them."""
    protocol = str(group.kind) if isinstance(group, ConsumerGroup) else group.protocol
    return {"protocol": protocol, "members": [entry.member_id for entry in _entries(group)]}


def _request_name(message: Message) -> str:
    """Return the name of a request; a heartbeat that says nothing new is a Heartbeat."""
    name = type(message).__name__.removesuffix("Request")
    if isinstance(message, ConsumerGroupHeartbeatRequest):
        has_news = (
            message.topic_partitions is not None or message.subscribed_topic_names is not None
        )
    elif isinstance(message, ShareGroupHeartbeatRequest):
        has_news = message.subscribed_topic_names is not None
    elif isinstance(message, StreamsGroupHeartbeatRequest):
        has_news = message.active_tasks is not None
    else:
        return name
    return name if has_news or message.member_epoch < 0 else "Heartbeat"


def _sizes(message: Message) -> dict[str, Any]:
    """Return the bytes of members' metadata and assignments in a message."""
    metadata = {
        protocol.name: len(protocol.metadata) for protocol in getattr(message, "protocols", ())
    }
    shares = {
        entry.member_id: len(entry.assignment) for entry in getattr(message, "assignments", ())
    }
    sizes = {"metadataBytes": metadata, "assignmentBytes": shares}
    return {key: value for key, value in sizes.items() if value}


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
