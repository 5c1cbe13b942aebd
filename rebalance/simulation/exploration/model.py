"""A whole group as one value, without time: which moves are possible, and what each leads to.

The machines are those of the timed world. Instead of clocks there is choice: every order in which
requests are taken, answers arrive and timers run out is a path. A timer that runs out on a member
that lives is a fault, and faults are counted; on one that does not, it is a matter of time.

Heartbeats that are answered without error change nothing and are left out; the others are asked and
answered in one move, and the answer waits to be received. Processing is left out as well: a member
is always in a poll, unless it hangs in a batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from ....codec.messages import JoinGroupRequest, LeaveGroupRequest
from ...assignments import Partition
from ..machines import coordinator, coordinator_state, member, member_state
from ..machines.coordinator_state import Asked, GroupPhase, GroupSettings, GroupState, Reply
from ..machines.member_state import Call, Did, MemberState, Phase, Send
from ..machines.settings import MemberSettings

BROKER = GroupSettings(initial_rebalance_delay_ms=1)  # not 0: the first rebalance waits a while
_ENDING = (Phase.LEAVING, Phase.CLOSED, Phase.FAILED)
"""The phases of members that no event around them changes any more."""


@dataclass(frozen=True)
class Setup:
    """The members, topics and faults that a group may go through."""

    builds: tuple[tuple[MemberSettings, ...], ...]
    """For each place the settings it is started with, one after the other: after a crash or a stop
    the next one is started, while there is one.
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
    """Whether a new member id may sort anywhere among those that are known, as those of brokers do:
    they are random. If not, ids sort by place, and a later id of a place after an earlier one.
    """


class Link(NamedTuple):
    """A member's connection to the coordinator, which answers in order."""

    number: int = 0
    requests: tuple[Send, ...] = ()
    waiting: bool = False
    """Whether the oldest request has been taken and is not answered yet."""
    answers: tuple[Any, ...] = ()


class Process(NamedTuple):
    """A running member and its connection."""

    state: MemberState
    link: Link = Link()


class Group(NamedTuple):
    """The state of a whole group: its processes, coordinator and topics, and how much may still
    happen.
    """

    processes: tuple[Process | None, ...]
    coordinator: GroupState
    topics: tuple[tuple[str, int], ...]
    started: tuple[int, ...]
    """How many processes each place has had."""
    faults: int
    """How many faults may still happen."""
    stops: int
    growths: int = 0


GroupT = TypeVar("GroupT")


class Move(NamedTuple):
    """Something that happens; `fault` if it need not."""

    kind: str
    place: int = -1
    member_id: str = ""
    fault: bool = False
    rank: int | None = None
    """How many ids sort before the one that the request is given; None if ids sort by place."""

    def __str__(self) -> str:
        where = f" {'abcdefghij'[self.place]}" if self.place >= 0 else ""
        rank = "" if self.rank is None else f" to be {self.rank}"
        return f"{self.kind}{where}{' ' + self.member_id if self.member_id else ''}{rank}"


class Transition(NamedTuple, Generic[GroupT]):
    """The group after a move, and what was seen on the way: callbacks and requests, by place."""

    group: GroupT
    seen: tuple[tuple[int, str], ...]


def begin(setup: Setup) -> Group:
    """Return the group of a setup before any process runs."""
    places = len(setup.builds)
    return Group(
        (None,) * places, GroupState(), setup.topics, (0,) * places, setup.faults, setup.stops
    )


class Model:
    """The moves that are possible in a setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def settings(self, group: Group, place: int) -> MemberSettings:
        """Return the settings of the process that runs at a place."""
        return self.setup.builds[place][group.started[place] - 1]

    # -- what may happen

    def moves(self, group: Group) -> Iterator[Move]:
        """Yield the moves that are possible in a group."""
        for place, process in enumerate(group.processes):
            if process is None:
                if self._may_start(group, place):
                    yield Move("start", place)
            else:
                yield from self._of_process(group, place, process)
        yield from self._of_coordinator(group)
        if group.growths < len(self.setup.growth):
            yield Move("topics change", group.growths)
        if group.faults:
            yield from self._faults(group)

    def _may_start(self, group: Group, place: int) -> bool:
        if group.started[place] >= len(self.setup.builds[place]):
            return False
        return not self.setup.one_by_one or _rests(group)

    def _of_process(self, group: Group, place: int, process: Process) -> Iterator[Move]:
        state, link = process
        if link.requests and not link.waiting:
            yield from self._taken(group, place, link.requests[0])
        if link.answers:
            yield Move("answer", place)
        if state.calling:
            yield Move("callback", place)
        if state.busy:
            yield Move("resume", place)
        elif member.wants_poll(self.settings(group, place), state):
            yield Move("poll", place)
        if self._heartbeat_tells(group, place, process):
            yield Move("heartbeat", place)
        if state.phase not in _ENDING:
            yield from self._told(group, place, state)
        if state.phase is Phase.FAILED and group.started[place] < len(self.setup.builds[place]):
            yield Move("restart", place)

    def _taken(self, group: Group, place: int, request: Send) -> Iterator[Move]:
        """Yield the ways in which the coordinator can take a request."""
        if self.setup.every_order and _asks_for_an_id(request):
            for rank in range(len(_ids(group)) + 1):
                yield Move("request", place, rank=rank)
        else:
            yield Move("request", place)

    def _told(self, group: Group, place: int, state: MemberState) -> Iterator[Move]:
        """Yield the events of a member that come from elsewhere than the coordinator."""
        if dict(state.topics) != dict(group.topics):
            yield Move("metadata", place)
        if group.stops and not state.calling and not state.busy:
            yield Move("stop", place)

    def _heartbeat_tells(self, group: Group, place: int, process: Process) -> bool:
        state, link = process
        beats = state.phase is Phase.STABLE or (
            state.phase is Phase.PREPARING_REBALANCE and state.calling
        )
        beats = beats and state.generation != member_state.NO_GENERATION
        if not beats or state.asked_in is not None or link.requests or link.waiting:
            return False
        known = group.coordinator
        if known.entry(state.member_id) is None or known.generation != state.generation:
            return True
        rebalances = known.phase is GroupPhase.PREPARING_REBALANCE
        return rebalances and state.phase is Phase.STABLE and not state.rejoin

    def _of_coordinator(self, group: Group) -> Iterator[Move]:
        """Yield timers that run out on members that are gone."""
        known, living = group.coordinator, _living(group)
        for entry in known.entries:
            if entry.member_id not in living and entry.joining is None and entry.syncing is None:
                yield Move("session expires", member_id=entry.member_id)
        for member_id in sorted(known.pending - living):
            yield Move("pending expires", member_id=member_id)
        awaited = _awaited(known)
        missed = bool(awaited) and not awaited & living and _times_out(known)
        if known.opening or missed:
            yield Move("time out")

    def _faults(self, group: Group) -> Iterator[Move]:
        kinds, known, living = self.setup.kinds, group.coordinator, _living(group)
        for place, process in enumerate(group.processes):
            if process is None or not self._may_hit(place):
                continue
            state = process.state
            if "crash" in kinds and state.phase is not Phase.FAILED:
                yield Move("crash", place, fault=True)
            if (
                "hang" in kinds
                and state.phase is Phase.STABLE
                and not (state.busy or state.calling)
            ):
                yield Move("hang", place, fault=True)
            if "disconnect" in kinds and _in_use(process.link):
                yield Move("disconnect", place, fault=True)
        for entry in known.entries:
            if (
                "expire" in kinds
                and entry.member_id in living
                and entry.joining is entry.syncing is None
            ):
                yield Move("session expires", member_id=entry.member_id, fault=True)
        if "fail over" in kinds:
            yield Move("fail over", fault=True)
        if "time out" in kinds and _awaited(known) & living and _times_out(known):
            yield Move("time out", fault=True)

    def _may_hit(self, place: int) -> bool:
        return self.setup.victims is None or place in self.setup.victims

    # -- what it leads to

    def apply(self, group: Group, move: Move) -> Transition[Group]:
        """Return the group after a move."""
        seen: list[tuple[int, str]] = []
        if move.fault:
            group = group._replace(faults=group.faults - 1)
        after = _APPLY[move.kind](self, group, move, seen)
        return Transition(after, tuple(seen))

    def _tell(self, group: Group, place: int, event: Any, seen: list[tuple[int, str]]) -> Group:
        """Give a member an event."""
        process = group.processes[place]
        assert process is not None
        state, actions = member.step(self.settings(group, place), process.state, event)
        link = process.link
        sent = tuple(action for action in actions if isinstance(action, Send))
        seen += [
            (place, _words(action)) for action in actions if isinstance(action, Call | Did | Send)
        ]
        if sent:
            link = link._replace(requests=link.requests + sent)
        return _put(group, place, Process(state, link))

    def _inform(self, group: Group, event: Any) -> Group:
        """Give the coordinator an event; its answers go into the links."""
        before = group.coordinator
        known, actions = coordinator.step(BROKER, before, event)
        group = group._replace(coordinator=known)
        left_out = coordinator.left_out(before, known, actions)
        for place, process in enumerate(group.processes if left_out else ()):
            if process is not None and process.state.member_id in left_out:
                group = _put(
                    group, place, process._replace(state=member_state.missed(process.state))
                )
        for action in actions:
            if isinstance(action, Reply):
                place, number = _place(action.connection)
                process = group.processes[place]
                if process is None or process.link.number != number:
                    continue  # nobody listens at that connection any longer
                link = process.link
                link = link._replace(
                    requests=link.requests[1:],
                    waiting=False,
                    answers=(*link.answers, action.message),
                )
                group = _put(group, place, process._replace(link=link))
        return group

    def _start(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        place = move.place
        settings = self.setup.builds[place][group.started[place]]
        started = tuple(n + (i == place) for i, n in enumerate(group.started))
        state = member_state.start(settings, group.topics)
        number = group.started[place] * 100  # as no connection before
        return _put(group._replace(started=started), place, Process(state, Link(number)))

    def _request(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        process = group.processes[move.place]
        assert process is not None
        link = process.link
        group = _put(group, move.place, process._replace(link=link._replace(waiting=True)))
        name = "abcdefghij"[move.place]
        request = link.requests[0]
        client_id = name if move.rank is None else _key_of(group, move.rank) + name
        asked = Asked(f"{name}#{link.number}", client_id, request.version, request.message)
        group = self._inform(group, asked)
        return self._end_of_closed(group, move.place)

    def _answer(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        process = group.processes[move.place]
        assert process is not None
        link = process.link
        rest = process._replace(link=link._replace(answers=link.answers[1:]))
        return self._tell(_put(group, move.place, rest), move.place, link.answers[0], seen)

    def _heartbeat(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        group = self._tell(group, move.place, member_state.HeartbeatDue(), seen)
        return self._request(group, move, seen)

    def _poll(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return self._tell(group, move.place, member_state.Poll(), seen)

    def _callback(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        group = self._tell(group, move.place, member_state.CallbackReturned(), seen)
        return self._end_of_closed(group, move.place)

    def _resume(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return self._tell(group, move.place, member_state.NothingRead(), seen)

    def _metadata(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return self._tell(group, move.place, member_state.MetadataChanged(group.topics), seen)

    def _stop(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        group = group._replace(stops=group.stops - 1)
        group = self._tell(group, move.place, member_state.Closed(), seen)
        return self._end_of_closed(group, move.place)

    def _end_of_closed(self, group: Group, place: int) -> Group:
        """Remove a closed process once its LeaveGroup has gone out, or was lost with its
        connection: nobody sends it again.
        """
        process = group.processes[place]
        if process is None or process.state.phase is not Phase.CLOSED:
            return group
        leaves = [
            request
            for request in process.link.requests
            if isinstance(request.message, LeaveGroupRequest)
        ]
        return group if leaves and not process.link.waiting else _put(group, place, None)

    def _crash(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return _put(group, move.place, None)

    def _hang(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        process = group.processes[move.place]
        assert process is not None
        busy = process._replace(state=process.state._replace(busy=True))
        return self._tell(
            _put(group, move.place, busy), move.place, member_state.PollOverdue(), seen
        )

    def _disconnect(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        process = group.processes[move.place]
        assert process is not None
        group = _put(group, move.place, process._replace(link=Link(process.link.number + 1)))
        group = self._tell(group, move.place, member_state.ConnectionLost(), seen)
        return self._end_of_closed(group, move.place)

    def _session_expires(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return self._inform(group, coordinator_state.SessionExpired(move.member_id))

    def _pending_expires(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return self._inform(group, coordinator_state.PendingExpired(move.member_id))

    def _time_out(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        joins = group.coordinator.phase is GroupPhase.PREPARING_REBALANCE
        event = coordinator_state.JoinTimedOut() if joins else coordinator_state.SyncTimedOut()
        return self._inform(group, event)

    def _fail_over(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        group = self._inform(group, coordinator_state.FailedOver())
        for place, process in enumerate(group.processes):
            if process is not None:
                group = self._disconnect(group, Move("disconnect", place), seen)
        return group

    def _topics_change(self, group: Group, move: Move, seen: list[tuple[int, str]]) -> Group:
        return group._replace(topics=self.setup.growth[group.growths], growths=group.growths + 1)

    # -- what is true of it

    def truly_owned(self, group: Group) -> dict[str, frozenset[Partition]]:
        """Return what the members that hold the coordinator's current generation own, by name."""
        known = group.coordinator
        return {
            "abcdefghij"[place]: member_state.owned_truly(process.state)
            for place, process in enumerate(group.processes)
            if process is not None
            and process.state.generation == known.generation
            and known.entry(process.state.member_id) is not None
        }


_APPLY = {
    "start": Model._start,
    "restart": Model._start,
    "request": Model._request,
    "answer": Model._answer,
    "heartbeat": Model._heartbeat,
    "poll": Model._poll,
    "callback": Model._callback,
    "resume": Model._resume,
    "metadata": Model._metadata,
    "stop": Model._stop,
    "crash": Model._crash,
    "hang": Model._hang,
    "disconnect": Model._disconnect,
    "session expires": Model._session_expires,
    "pending expires": Model._pending_expires,
    "time out": Model._time_out,
    "fail over": Model._fail_over,
    "topics change": Model._topics_change,
}


def _put(group: Group, place: int, process: Process | None) -> Group:
    processes = group.processes
    return group._replace(processes=(*processes[:place], process, *processes[place + 1 :]))


def _place(connection: str) -> tuple[int, int]:
    name, number = connection.split("#")
    return "abcdefghij".index(name), int(number)


def _asks_for_an_id(request: Send) -> bool:
    return isinstance(request.message, JoinGroupRequest) and not request.message.member_id


def _ids(group: Group) -> list[str]:
    """Return the member ids that the coordinator knows or a process has, in order."""
    found = {entry.member_id for entry in group.coordinator.entries} | group.coordinator.pending
    return sorted((found | _living(group)) - {""})


_KEY_DIGITS = 8


def _key_of(group: Group, rank: int) -> str:
    """Return the beginning of an id that so many ids sort before."""
    keys = [-1, *(int(member_id[:_KEY_DIGITS], 16) for member_id in _ids(group)), 16**_KEY_DIGITS]
    between = (keys[rank] + keys[rank + 1]) // 2
    assert keys[rank] < between < keys[rank + 1], "no room between two ids"
    return f"{between:0{_KEY_DIGITS}x}"


def _in_use(link: Link) -> bool:
    return bool(link.requests or link.waiting or link.answers)


def _living(group: Group) -> frozenset[str]:
    """Return the member ids that a process has, or is about to be given."""
    found = set()
    for process in group.processes:
        if process is not None and process.state.phase not in (Phase.FAILED, Phase.CLOSED):
            found.add(process.state.member_id)
            found |= {getattr(answer, "member_id", "") for answer in process.link.answers}
            found |= {
                getattr(request.message, "member_id", "") for request in process.link.requests
            }
    return frozenset(found)


def _rests(group: Group) -> bool:
    states = [process.state for process in group.processes if process is not None]
    quiet = all(
        state.phase is Phase.STABLE and not (state.calling or state.rejoin) for state in states
    )
    known = group.coordinator
    settled = known.phase is GroupPhase.STABLE and not known.pending
    return quiet and all(state.share is None for state in states) and (settled or not known.entries)


def _awaited(known: GroupState) -> frozenset[str]:
    """Return the members that the rebalance waits for; the first one of a group waits for time
    alone.
    """
    if known.phase is GroupPhase.PREPARING_REBALANCE and not known.opening:
        missing = frozenset(entry.member_id for entry in known.entries if entry.joining is None)
        return missing | known.pending
    if known.phase is GroupPhase.COMPLETING_REBALANCE:
        return frozenset(entry.member_id for entry in known.entries if not entry.synced)
    return frozenset()


def _times_out(known: GroupState) -> bool:
    """Return whether a rebalance that takes too long changes anything: while no member has joined
    and all are static, the coordinator waits until their sessions expire.
    """
    if known.phase is not GroupPhase.PREPARING_REBALANCE or not known.entries:
        return True
    return any(entry.joining is not None or entry.instance_id is None for entry in known.entries)


def _words(action: Call | Did | Send) -> str:
    match action:
        case Call():
            return f"{action.work} {_listed(action.partitions)}".rstrip()
        case Did():
            return action.what
        case Send():
            return type(action.message).__name__.removesuffix("Request")


def _listed(partitions: frozenset[Partition]) -> str:
    return ", ".join(f"{topic}-{number}" for topic, number in sorted(partitions)) or "nothing"
