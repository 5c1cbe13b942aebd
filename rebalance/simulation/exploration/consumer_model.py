"""A whole group of the consumer protocol (KIP-848) as one value, without time.

As in `model` there is choice instead of clocks: every order in which requests are taken, answers
arrive and timers run out is a path, and a timer that runs out on a member that lives is a fault. A
heartbeat that would change nothing, neither here nor there, is left out, and so is processing. The
coordinator that takes over after a fail-over knows what the records of its predecessor say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ....codec.messages import ConsumerGroupHeartbeatResponse
from ...assignments import Partition
from ..machines import member_state as events
from ..machines.coordinator_state import (
    Asked,
    FailedOver,
    GroupSettings,
    GroupTimer,
    MemberTimedOut,
    Reply,
    SessionExpired,
    TopicsChanged,
)
from ..machines.member_state import Call, Send
from ..machines.settings import MemberSettings
from ..modern import broker, member, member_state
from ..modern.any_member import owned_truly
from ..modern.group_state import ConsumerGroup, MemberProgress
from ..modern.member_state import ConsumerMemberState, MemberPhase
from .model import Move, Transition

BROKER = GroupSettings(assignment_interval_ms=0)
_NAMES = "abcdefghij"
_ENDING = (MemberPhase.PREPARE_LEAVING, MemberPhase.UNSUBSCRIBED, MemberPhase.FATAL)


@dataclass(frozen=True)
class ConsumerSetup:
    """The members, topics and faults that a group may go through."""

    builds: tuple[tuple[MemberSettings, ...], ...]
    """For each place the settings it is started with, one after the other."""
    topics: tuple[tuple[str, int], ...]
    faults: int = 0
    """How many faults may happen."""
    stops: int = 0
    """How often a member may be closed properly."""
    growth: tuple[tuple[tuple[str, int], ...], ...] = ()
    """The topics after each change, one after the other."""
    kinds: frozenset[str] = frozenset(
        {"crash", "hang", "expire", "disconnect", "fail over", "time out"}
    )
    """The faults that may happen."""
    broker: GroupSettings = BROKER
    settled: int = 0
    """How many of the first members are in the group and at rest when it begins."""


class ConsumerProcess(NamedTuple):
    """A running member and its connection, which answers in order."""

    state: ConsumerMemberState
    requests: tuple[Any, ...] = ()
    answers: tuple[Any, ...] = ()


class ConsumerGroupWorld(NamedTuple):
    """The state of a whole group, and how much may still happen."""

    processes: tuple[ConsumerProcess | None, ...]
    coordinator: ConsumerGroup
    topics: tuple[tuple[str, int], ...]
    started: tuple[int, ...]
    """How many processes each place has had."""
    faults: int
    stops: int
    growths: int = 0


def begin(setup: ConsumerSetup) -> ConsumerGroupWorld:
    """Return the group of a setup before any process runs but those that are settled."""
    places = len(setup.builds)
    group = ConsumerGroupWorld((None,) * places, ConsumerGroup(), setup.topics, (0,) * places, 0, 0)
    model = ConsumerModel(replace(setup, growth=()))
    for place in range(setup.settled):
        move: Move | None = Move("start", place)
        while move is not None:
            group = model.apply(group, move).group
            move = next(
                (candidate for candidate in model.moves(group) if candidate.kind != "start"), None
            )
    return group._replace(faults=setup.faults, stops=setup.stops)


def _telling(event: Callable[[ConsumerGroupWorld], Any]) -> Callable[..., ConsumerGroupWorld]:
    """Return the method that gives a member an event."""

    def tell(
        model: ConsumerModel, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        return model._tell(group, move.place, event(group), seen)

    return tell


class ConsumerModel:
    """The moves that are possible in a setup."""

    def __init__(self, setup: ConsumerSetup) -> None:
        self.setup = setup

    def settings(self, group: ConsumerGroupWorld, place: int) -> MemberSettings:
        """Return the settings of the process that runs at a place."""
        return self.setup.builds[place][group.started[place] - 1]

    # -- what may happen

    def moves(self, group: ConsumerGroupWorld) -> Iterator[Move]:
        """Yield the moves that are possible in a group."""
        for place, process in enumerate(group.processes):
            if process is not None:
                yield from self._of_process(group, place, process)
            elif group.started[place] < len(self.setup.builds[place]):
                yield Move("start", place)
        for known in group.coordinator.members:
            if known.member_id not in _living(group):
                yield Move("session expires", member_id=known.member_id)
        if group.growths < len(self.setup.growth):
            yield Move("topics change", group.growths)
        if group.faults:
            yield from self._faults(group)

    def _of_process(
        self, group: ConsumerGroupWorld, place: int, process: ConsumerProcess
    ) -> Iterator[Move]:
        state = process.state
        if process.requests:
            yield Move("request", place)
        if process.answers:
            yield Move("answer", place)
        if state.calling:
            yield Move("callback", place)
        if state.busy:
            yield Move("resume", place)
        elif member.wants_poll(self.settings(group, place), state):
            yield Move("poll", place)
        if self._heartbeat_tells(group, place, process):
            yield Move("heartbeat", place)
        if dict(state.topics) != dict(group.topics) and not state.closing:
            yield Move("metadata", place)
        if group.stops and not (state.calling or state.busy) and state.phase not in _ENDING:
            yield Move("stop", place)

    def _heartbeat_tells(
        self, group: ConsumerGroupWorld, place: int, process: ConsumerProcess
    ) -> bool:
        """Return whether a heartbeat would change the coordinator or bring the member news."""
        if process.state.in_flight or process.requests or process.answers:
            return False
        sent = self._tell(group, place, events.HeartbeatDue(), [])
        after = sent.processes[place]
        if after is None or not after.requests:
            return False
        told = self._take(sent, place)
        answered = told.processes[place]
        assert answered is not None
        answer = answered.answers[-1]
        news = answer.error_code or answer.assignment is not None
        return bool(
            told.coordinator != group.coordinator
            or news
            or answer.member_epoch != process.state.epoch
        )

    def _faults(self, group: ConsumerGroupWorld) -> Iterator[Move]:
        kinds = self.setup.kinds
        for place, process in enumerate(group.processes):
            if process is None:
                continue
            state = process.state
            if "crash" in kinds:
                yield Move("crash", place, fault=True)
            hangs = state.phase not in (*_ENDING, MemberPhase.STALE, MemberPhase.FENCED)
            if "hang" in kinds and hangs and not state.busy:
                yield Move("hang", place, fault=True)
            if "disconnect" in kinds and (process.requests or process.answers):
                yield Move("disconnect", place, fault=True)
        if "fail over" in kinds:
            yield Move("fail over", fault=True)
        yield from self._timers(group)

    def _timers(self, group: ConsumerGroupWorld) -> Iterator[Move]:
        """Yield the timers that may run out on members that live."""
        living = _living(group)
        for known in group.coordinator.members:
            if known.member_id not in living:
                continue
            if "expire" in self.setup.kinds:
                yield Move("session expires", member_id=known.member_id, fault=True)
            revokes = known.progress is MemberProgress.UNREVOKED_PARTITIONS
            if "time out" in self.setup.kinds and revokes:
                yield Move("time out", member_id=known.member_id, fault=True)

    # -- what it leads to

    def apply(self, group: ConsumerGroupWorld, move: Move) -> Transition[ConsumerGroupWorld]:
        """Return the group after a move."""
        seen: list[tuple[int, str]] = []
        if move.fault:
            group = group._replace(faults=group.faults - 1)
        after = _APPLY[move.kind](self, group, move, seen)
        return Transition(_without_closed(after), tuple(seen))

    def _tell(
        self, group: ConsumerGroupWorld, place: int, event: Any, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        """Give a member an event; its requests wait to be taken."""
        process = group.processes[place]
        assert process is not None
        state, actions = member.step(self.settings(group, place), process.state, event)
        requests = list(process.requests)
        for action in actions:
            if isinstance(action, Send):
                requests.append(action.message)
            elif isinstance(action, Call):
                seen.append((place, str(action.work)))
        return _put(group, place, process._replace(state=state, requests=tuple(requests)))

    def _take(self, group: ConsumerGroupWorld, place: int) -> ConsumerGroupWorld:
        """Let the coordinator answer the oldest request of a member."""
        process = group.processes[place]
        assert process is not None
        asked = Asked(_NAMES[place], _NAMES[place], 1, process.requests[0])
        after, replies = self._inform(group, asked)
        answers = (*process.answers, *replies)
        return _put(after, place, process._replace(requests=process.requests[1:], answers=answers))

    def _inform(
        self, group: ConsumerGroupWorld, event: Any
    ) -> tuple[ConsumerGroupWorld, list[ConsumerGroupHeartbeatResponse]]:
        coordinator, actions = broker.step(
            self.setup.broker, dict(group.topics), group.coordinator, event
        )
        assert isinstance(coordinator, ConsumerGroup)
        replies = [action.message for action in actions if isinstance(action, Reply)]
        return group._replace(coordinator=coordinator), replies  # type: ignore[return-value]

    def _start(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        place = move.place
        count = group.started[place] + 1
        started = (*group.started[:place], count, *group.started[place + 1 :])
        group = group._replace(started=started)
        state = member_state.start(
            self.settings(group, place), group.topics, f"{_NAMES[place]}-{count:02d}"
        )
        return _put(group, place, ConsumerProcess(state))

    def _request(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        return self._take(group, move.place)

    def _answer(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        process = group.processes[move.place]
        assert process is not None
        rest = process._replace(answers=process.answers[1:])
        return self._tell(_put(group, move.place, rest), move.place, process.answers[0], seen)

    _heartbeat = _telling(lambda _: events.HeartbeatDue())
    _poll = _telling(lambda _: events.Poll())
    _callback = _telling(lambda _: events.CallbackReturned())
    _resume = _telling(lambda _: events.NothingRead())
    _metadata = _telling(lambda group: events.MetadataChanged(group.topics))

    def _stop(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        group = group._replace(stops=group.stops - 1)
        return self._tell(group, move.place, events.Closed(), seen)

    def _crash(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        return _put(group, move.place, None)

    def _hang(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        process = group.processes[move.place]
        assert process is not None
        hung = process.state if process.state.calling else process.state._replace(busy=True)
        group = _put(group, move.place, process._replace(state=hung))
        return self._tell(group, move.place, events.PollOverdue(), seen)

    def _disconnect(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        process = group.processes[move.place]
        assert process is not None
        group = _put(group, move.place, process._replace(requests=(), answers=()))
        return self._tell(group, move.place, events.ConnectionLost(), seen)

    def _session_expires(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        return self._inform(group, SessionExpired(move.member_id))[0]

    def _time_out(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        event = MemberTimedOut(GroupTimer.MEMBER_REBALANCE, move.member_id)
        return self._inform(group, event)[0]

    def _fail_over(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        group = self._inform(group, FailedOver())[0]
        for place, process in enumerate(group.processes):
            if process is not None:
                group = self._disconnect(group, Move("disconnect", place), seen)
        return group

    def _topics_change(
        self, group: ConsumerGroupWorld, move: Move, seen: list[tuple[int, str]]
    ) -> ConsumerGroupWorld:
        topics = self.setup.growth[group.growths]
        group = group._replace(topics=topics, growths=group.growths + 1)
        return self._inform(group, TopicsChanged())[0]

    # -- what is true of it

    def truly_owned(self, group: ConsumerGroupWorld) -> dict[str, frozenset[Partition]]:
        """Return what members own whose commits the coordinator takes, by name."""
        return {
            _NAMES[place]: owned_truly(group.coordinator, process.state)
            for place, process in enumerate(group.processes)
            if process is not None
        }


_APPLY: Mapping[str, Callable[..., ConsumerGroupWorld]] = MappingProxyType(
    {
        "start": ConsumerModel._start,
        "request": ConsumerModel._request,
        "answer": ConsumerModel._answer,
        "heartbeat": ConsumerModel._heartbeat,
        "poll": ConsumerModel._poll,
        "callback": ConsumerModel._callback,
        "resume": ConsumerModel._resume,
        "metadata": ConsumerModel._metadata,
        "stop": ConsumerModel._stop,
        "crash": ConsumerModel._crash,
        "hang": ConsumerModel._hang,
        "disconnect": ConsumerModel._disconnect,
        "session expires": ConsumerModel._session_expires,
        "time out": ConsumerModel._time_out,
        "fail over": ConsumerModel._fail_over,
        "topics change": ConsumerModel._topics_change,
    }
)


def _put(
    group: ConsumerGroupWorld, place: int, process: ConsumerProcess | None
) -> ConsumerGroupWorld:
    processes = group.processes
    return group._replace(processes=(*processes[:place], process, *processes[place + 1 :]))


def _without_closed(group: ConsumerGroupWorld) -> ConsumerGroupWorld:
    """Remove processes that are closed, once their last heartbeat was taken, or was lost."""
    for place, process in enumerate(group.processes):
        if process is not None and process.state.is_closed and not process.requests:
            group = _put(group, place, None)
    return group


def _living(group: ConsumerGroupWorld) -> frozenset[str]:
    """Return the ids of members that go on sending heartbeats, or are about to leave."""
    silent = (MemberPhase.FATAL, MemberPhase.UNSUBSCRIBED, MemberPhase.STALE)
    return frozenset(
        process.state.member_id
        for process in group.processes
        if process is not None and (process.state.phase not in silent or process.requests)
    )


# -- checks


def disjoint(model: ConsumerModel, group: ConsumerGroupWorld) -> Iterator[str]:
    """Yield partitions of which two members own and may commit."""
    seen: dict[Partition, str] = {}
    for name, owned in model.truly_owned(group).items():
        for partition in sorted(owned):
            if partition in seen:
                topic, number = partition
                yield f"{topic}-{number} belongs to {seen[partition]} and to {name}"
            seen[partition] = name


def assigned_once(model: ConsumerModel, group: ConsumerGroupWorld) -> Iterator[str]:
    """Yield partitions that the coordinator has assigned to two members, or assigned to one before
    another has given them back.
    """
    seen: dict[Partition, str] = {}
    for known in group.coordinator.members:
        for partition, _ in (*known.assigned, *known.revoking):
            if partition in seen:
                topic, number = partition
                yield f"{topic}-{number} is assigned to {seen[partition]} and to {known.member_id}"
            seen[partition] = known.member_id


def at_rest(model: ConsumerModel, group: ConsumerGroupWorld) -> Iterator[str]:
    """Yield what keeps a group from rest."""
    coordinator = group.coordinator
    if coordinator.members and coordinator.phase != "stable":
        yield f"the group is {coordinator.phase}, and nothing happens any more"
    for place, process in enumerate(group.processes):
        state = None if process is None else process.state
        if state is not None and not (state.has_failed or state.phase is MemberPhase.STABLE):
            yield f"{_NAMES[place]} is {state.phase}, and nothing happens any more"


def all_owned(model: ConsumerModel, group: ConsumerGroupWorld) -> Iterator[str]:
    """Yield partitions that a running member subscribes to and none owns."""
    running = [
        process.state
        for process in group.processes
        if process is not None and not process.state.has_failed
    ]
    wanted = {topic for state in running for topic in state.subscribed}
    owned = frozenset[Partition]().union(*(state.owned for state in running))
    for topic, count in group.topics:
        for number in range(count if topic in wanted else 0):
            if (topic, number) not in owned:
                yield f"{topic}-{number} belongs to nobody"


def nobody_failed(model: ConsumerModel, group: ConsumerGroupWorld) -> Iterator[str]:
    """Yield members that were refused for good."""
    for place, process in enumerate(group.processes):
        if process is not None and process.state.has_failed:
            yield f"{_NAMES[place]} has failed: {process.state.reason}"


ConsumerCheck = Callable[[ConsumerModel, ConsumerGroupWorld], Iterator[str]]

CONSUMER_STATE_CHECKS: Mapping[str, ConsumerCheck] = MappingProxyType(
    {"disjoint": disjoint, "assigned-once": assigned_once}
)
"""The checks of every state, by name."""

CONSUMER_END_CHECKS: Mapping[str, ConsumerCheck] = MappingProxyType(
    {"at-rest": at_rest, "all-owned": all_owned, "nobody-failed": nobody_failed}
)
"""The checks of states in which nothing happens any more, by name."""
