"""A group without time: which moves are possible, and what each leads to.

The host and its machines are those of the timed world. Instead of clocks there is choice: every
order in which requests are taken, answers arrive and timers run out is a path. A timer that runs
out on a member that lives is a fault, and faults are counted; on one that does not, it is a matter
of time.

Heartbeats that would change nothing are left out, and so is processing: a member is always in a
poll, unless it hangs in a batch. What depends on the group protocol is in `protocols`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ...assignments import Partition
from ..host import MACHINES, Host, Link, Process, owned_truly
from ..machines.coordinator_state import (
    FailedOver,
    GroupSettings,
    PendingExpired,
    Reply,
    SessionExpired,
    TopicsChanged,
)
from ..machines.member_state import (
    Call,
    CallbackReturned,
    Closed,
    ConnectionLost,
    Did,
    HeartbeatDue,
    MetadataChanged,
    NothingRead,
    Poll,
    PollOverdue,
    Send,
)
from ..machines.settings import GroupProtocol, MemberSettings
from .protocols import (
    NAMES,
    PROTOCOLS,
    ExploredMember,
    ExploredProtocol,
    Move,
    Snapshot,
    new_client_id,
)


@dataclass(frozen=True)
class Setup:
    """The members, topics and faults that a group may go through."""

    builds: tuple[tuple[MemberSettings, ...], ...]
    """For each place the settings it is started with, one after the other: after a crash or a stop
    the next one is started, while there is one. All are of one group protocol, classic or consumer.
    """
    topics: tuple[tuple[str, int], ...]
    faults: int = 0
    """How many faults may happen."""
    stops: int = 0
    """How often a member may be closed properly."""
    growth: tuple[tuple[tuple[str, int], ...], ...] = ()
    """The topics after each change, one after the other."""
    victims: frozenset[int] | None = None
    """The places that faults of a member may hit; None means all."""
    one_by_one: bool = False
    """Whether a process is started only while all others are at rest."""
    kinds: frozenset[str] = frozenset(
        {"crash", "hang", "expire", "disconnect", "fail over", "time out"}
    )
    """The faults that may happen."""
    every_order: bool = False
    """Whether a new member id may sort anywhere among the ids in use, as those of brokers do: they
    are random. If not, ids sort by place, and a later id of a place after an earlier one.
    """
    settled: int = 0
    """How many of the first members are in the group and at rest when it begins."""
    broker: GroupSettings | None = None
    """The broker's settings; None: those that the protocol is explored with."""

    @property
    def protocol(self) -> ExploredProtocol:
        """The rules of the members' group protocol."""
        return PROTOCOLS[self.builds[0][0].group_protocol if self.builds else GroupProtocol.CLASSIC]


class Transition(NamedTuple):
    """The group after a move, and what members did on the way, by place."""

    group: Snapshot
    deeds: tuple[tuple[int, str], ...]


def begin(setup: Setup) -> Snapshot:
    """Return the group of a setup before any process runs but those that are settled."""
    places = len(setup.builds)
    group = Snapshot((None,) * places, setup.protocol.new_group, setup.topics, (0,) * places, 0, 0)
    model = Model(replace(setup, growth=()))
    for place in range(setup.settled):
        move: Move | None = Move("start", place)
        while move is not None:
            group = model.apply(group, move).group
            moves = (move for move in model.moves(group) if move.kind != "start")
            move = next(moves, None)
    return group._replace(faults=setup.faults, stops=setup.stops)


class Model:
    """The moves that are possible in a setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.protocol = setup.protocol
        self.broker = setup.broker or setup.protocol.broker

    def settings(self, group: Snapshot, place: int) -> MemberSettings:
        """Return the settings of the process that runs at a place."""
        return self.setup.builds[place][group.starts[place] - 1]

    def trial(self, group: Snapshot) -> Trial:
        """Return the host of a move that begins with this group."""
        return Trial(self, group)

    # -- what may happen

    def moves(self, group: Snapshot) -> Iterator[Move]:
        """Yield the moves that are possible in a group."""
        for place, process in enumerate(group.processes):
            if process is not None:
                yield from self._of_process(group, place, process)
            elif self._may_start(group, place):
                yield Move("start", place)
        for kind, member_id in self.protocol.timers_of_the_gone(group):
            yield Move(kind, member_id=member_id)
        if group.growths < len(self.setup.growth):
            yield Move("topics change", group.growths)
        if group.faults:
            yield from self._faults(group)

    def _may_start(self, group: Snapshot, place: int) -> bool:
        if group.starts[place] >= len(self.setup.builds[place]):
            return False
        return not self.setup.one_by_one or self.protocol.rests(group)

    def _of_process(self, group: Snapshot, place: int, process: ExploredMember) -> Iterator[Move]:
        state, link = process
        settings = self.settings(group, place)
        if link.requests and not link.is_busy:
            yield from self._requests(group, place, link.requests[0])
        if link.answers:
            yield Move("answer", place)
        if state.calling:
            yield Move("callback", place)
        if state.busy:
            yield Move("resume", place)
        elif MACHINES[settings.group_protocol].wants_poll(settings, state):
            yield Move("poll", place)
        if self.protocol.may_beat(group, process) and self._heartbeat_tells(group, place):
            yield Move("heartbeat", place)
        if self.protocol.reads_metadata(state) and dict(state.topics) != dict(group.topics):
            yield Move("metadata", place)
        if group.stops and not (state.calling or state.busy) and self.protocol.may_stop(state):
            yield Move("stop", place)
        if self.protocol.may_restart(state) and group.starts[place] < len(self.setup.builds[place]):
            yield Move("restart", place)

    def _requests(self, group: Snapshot, place: int, request: Send) -> Iterator[Move]:
        """Yield the ways in which the coordinator can take a request."""
        if self.setup.every_order and self.protocol.asks_for_an_id(request):
            for rank in range(len(self.protocol.ids(group)) + 1):
                yield Move("request", place, rank=rank)
        else:
            yield Move("request", place)

    def _heartbeat_tells(self, group: Snapshot, place: int) -> bool:
        """Return whether a heartbeat would change the coordinator or bring the member news."""
        if self.protocol.heartbeat_always_tells:
            return True
        trial = self.trial(group)
        process = trial.process(place)
        trial.tell(process, HeartbeatDue())
        if not process.link.requests:
            return False
        trial.take(process)
        answer = process.link.answers[-1]
        news = answer.error_code or answer.assignment is not None
        is_changed = trial.group != group.coordinator
        return bool(is_changed or news or answer.member_epoch != process.state.generation)

    def _faults(self, group: Snapshot) -> Iterator[Move]:
        kinds = self.setup.kinds
        for place, process in enumerate(group.processes):
            if process is None or not self._may_hit(place):
                continue
            state, link = process
            if "crash" in kinds and self.protocol.may_crash(state):
                yield Move("crash", place, fault=True)
            if "hang" in kinds and self.protocol.may_hang(state):
                yield Move("hang", place, fault=True)
            if "disconnect" in kinds and (link.requests or link.answers):
                yield Move("disconnect", place, fault=True)
        for kind, fault, member_id in self.protocol.faults_of_the_coordinator(group):
            if kind in kinds:
                yield Move(fault, member_id=member_id, fault=True)

    def _may_hit(self, place: int) -> bool:
        return self.setup.victims is None or place in self.setup.victims

    # -- what it leads to

    def apply(self, group: Snapshot, move: Move) -> Transition:
        """Return the group after a move."""
        trial = self.trial(group)
        if move.fault:
            trial.faults -= 1
        _MOVES[move.kind](trial, move)
        return Transition(trial.value(), tuple(trial.deeds))


class Trial(Host):
    """The host during one move: it begins with a snapshot, and ends as another."""

    def __init__(self, model: Model, group: Snapshot) -> None:
        super().__init__(model.broker, dict(group.topics), group.coordinator)
        self.setup = model.setup
        self.protocol = model.protocol
        self.starts = group.starts
        self.faults, self.stops, self.growths = group.faults, group.stops, group.growths
        self.deeds: list[tuple[int, str]] = []
        self._first = group.processes
        for place, process in enumerate(group.processes):
            if process is not None:
                name = NAMES[place]
                self.processes[name] = Process(name, model.settings(group, place), *process)

    def value(self) -> Snapshot:
        """Return the group as it is now, without closed processes that have nothing left to say."""
        return Snapshot(
            tuple(map(self._member, NAMES, self._first)),
            self.group,
            tuple(self.topics.items()),
            self.starts,
            self.faults,
            self.stops,
            self.growths,
        )

    def _member(self, name: str, first: ExploredMember | None) -> ExploredMember | None:
        """Return the member that runs under a name now: the value of before the move if that has
        not changed it, so that its key is found without a comparison.
        """
        process: Process | None = self.processes.get(name)
        if process is None or self.protocol.is_gone(process.state, process.link):
            return None
        if first is not None and process.state is first.state and process.link is first.link:
            return first
        return ExploredMember(process.state, process.link)

    def process(self, place: int) -> Process:
        """Return the process at a place."""
        process: Process = self.processes[NAMES[place]]
        return process

    def tell(self, process: Process, event: Any) -> None:
        """Give a member an event; its requests wait to be taken."""
        for action in self.step_member(process, event):
            if isinstance(action, Send):
                requests = (*process.link.requests, action)
                process.link = process.link._replace(requests=requests)
            if isinstance(action, Call | Did | Send):
                self.deeds.append((NAMES.index(process.name), _words(action)))

    def inform(self, event: Any) -> None:
        """Give the coordinator an event; its answers wait to be received."""
        for action in self.step_coordinator(event):
            if isinstance(action, Reply) and (request := self.end_request(action)):
                process, _ = request
                answers = (*process.link.answers, action.message)
                process.link = process.link._replace(answers=answers)

    def take(self, process: Process, client_id: str | None = None) -> None:
        """Let the coordinator take the oldest request of a member."""
        request = self.take_request(process, client_id)
        assert request is not None
        self.inform(request)

    def start(self, move: Move) -> None:
        """Start the next process of a place."""
        place, name = move.place, NAMES[move.place]
        settings = self.setup.builds[place][self.starts[place]]
        link = Link(self.starts[place] * 100)  # as no connection before
        self.starts = tuple(n + (i == place) for i, n in enumerate(self.starts))
        state = MACHINES[settings.group_protocol].start(
            settings, self.topics.items(), f"{name}-{self.starts[place]:02d}"
        )
        self.processes[name] = Process(name, settings, state, link)

    def request(self, move: Move) -> None:
        """Let the coordinator take a request, and give the member an id of the move's rank."""
        name = NAMES[move.place]
        if move.rank is None:
            self.take(self.process(move.place))
        else:
            client_id = new_client_id(self.protocol.ids(self.value()), move.rank, name)
            self.take(self.process(move.place), client_id)

    def answer(self, move: Move) -> None:
        """Let a member receive an answer."""
        process = self.process(move.place)
        answer, *answers = process.link.answers
        process.link = process.link._replace(answers=tuple(answers))
        self.tell(process, answer)

    def heartbeat(self, move: Move) -> None:
        """Let a member send a heartbeat; a classic coordinator takes it in the same move."""
        process = self.process(move.place)
        self.tell(process, HeartbeatDue())
        if self.protocol.heartbeat_always_tells:
            self.take(process)

    def stop(self, move: Move) -> None:
        """Let an application close its consumer."""
        self.stops -= 1
        self.tell(self.process(move.place), Closed())

    def crash(self, move: Move) -> None:
        """End a process, with what is under way on its connection."""
        del self.processes[NAMES[move.place]]

    def hang(self, move: Move) -> None:
        """Let a batch, or a callback that runs, take so long that a poll is overdue."""
        process = self.process(move.place)
        if not process.state.calling:
            process.state = process.state._replace(busy=True)
        self.tell(process, PollOverdue())

    def disconnect(self, process: Process) -> None:
        """Lose a connection, with what is under way on it."""
        process.link = Link(process.link.number + 1)
        self.tell(process, ConnectionLost())

    def fail_over(self) -> None:
        """Let another coordinator take over."""
        self.inform(FailedOver())
        for process in self.processes.values():
            self.disconnect(process)

    def change_topics(self) -> None:
        """Let topics change as the setup says."""
        self.topics = dict(self.setup.growth[self.growths])
        self.growths += 1
        self.inform(TopicsChanged())


def _telling(event: Callable[[Trial], Any]) -> Callable[[Trial, Move], None]:
    """Return the move that gives a member an event."""
    return lambda trial, move: trial.tell(trial.process(move.place), event(trial))


_MOVES: Mapping[str, Callable[[Trial, Move], None]] = MappingProxyType(
    {
        "start": Trial.start,
        "restart": Trial.start,
        "request": Trial.request,
        "answer": Trial.answer,
        "heartbeat": Trial.heartbeat,
        "poll": _telling(lambda _: Poll()),
        "callback": _telling(lambda _: CallbackReturned()),
        "resume": _telling(lambda _: NothingRead()),
        "metadata": _telling(lambda trial: MetadataChanged(tuple(trial.topics.items()))),
        "stop": Trial.stop,
        "crash": Trial.crash,
        "hang": Trial.hang,
        "disconnect": lambda trial, move: trial.disconnect(trial.process(move.place)),
        "session expires": lambda trial, move: trial.inform(SessionExpired(move.member_id)),
        "pending expires": lambda trial, move: trial.inform(PendingExpired(move.member_id)),
        "time out": lambda trial, move: trial.inform(
            trial.protocol.timeout(trial.group, move.member_id)
        ),
        "fail over": lambda trial, _: trial.fail_over(),
        "topics change": lambda trial, _: trial.change_topics(),
    }
)


def truly_owned(group: Snapshot) -> dict[str, frozenset[Partition]]:
    """Return what the members of the coordinator's current generation own, by name."""
    states = {
        name: process.state
        for name, process in zip(NAMES, group.processes, strict=False)
        if process is not None
    }
    return owned_truly(group.coordinator, states)


def _words(action: Call | Did | Send) -> str:
    match action:
        case Call():
            partitions = ", ".join(f"{topic}-{n}" for topic, n in sorted(action.partitions))
            return f"{action.work} {partitions or 'nothing'}"
        case Did():
            return action.what
        case Send():
            return type(action.message).__name__.removesuffix("Request")
