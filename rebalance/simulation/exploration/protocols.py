"""A whole group as one value, the moves that change it, and what differs between the group
protocols: when heartbeats, timers and faults change something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ....codec.messages import JoinGroupRequest, LeaveGroupRequest
from ..host import AnyMember, Link
from ..machines import member_state
from ..machines.coordinator_state import (
    GroupPhase,
    GroupSettings,
    GroupState,
    GroupTimer,
    JoinTimedOut,
    MemberTimedOut,
    SyncTimedOut,
)
from ..machines.member_state import Phase, Send
from ..machines.settings import GroupProtocol
from ..modern.broker import AnyGroup
from ..modern.group_state import ConsumerGroup, MemberProgress
from ..modern.member_state import MemberPhase

NAMES = "abcdefghij"
"""The names of the places."""


class ExploredMember(NamedTuple):
    """A running member and its connection."""

    state: AnyMember
    link: Link = Link()


class Snapshot(NamedTuple):
    """The state of a whole group: its processes, coordinator and topics, and how much may still
    happen.
    """

    processes: tuple[ExploredMember | None, ...]
    coordinator: AnyGroup
    topics: tuple[tuple[str, int], ...]
    starts: tuple[int, ...]
    """How many processes each place has had."""
    faults: int
    """How many faults may still happen."""
    stops: int
    growths: int = 0


class Move(NamedTuple):
    """Something that happens; `fault` if it need not."""

    kind: str
    place: int = -1
    member_id: str = ""
    fault: bool = False
    rank: int | None = None
    """How many ids sort before the one that the request is given; None if ids sort by place."""

    def __str__(self) -> str:
        where = f" {NAMES[self.place]}" if self.place >= 0 else ""
        rank = "" if self.rank is None else f" to be {self.rank}"
        return f"{self.kind}{where}{' ' + self.member_id if self.member_id else ''}{rank}"


class ClassicExploration:
    """The classic protocol: which moves its machines' states make possible."""

    broker = GroupSettings(initial_rebalance_delay_ms=1)  # not 0: the first rebalance waits a while
    new_group = GroupState()
    heartbeat_always_tells = True
    """Whether every heartbeat that `may_beat` lets through changes something, so that it is sent
    and taken in one move.
    """
    _ending = (Phase.LEAVING, Phase.CLOSED, Phase.FAILED)

    def may_beat(self, group: Snapshot, process: ExploredMember) -> bool:
        """Return whether a heartbeat that is due now would not be answered without error."""
        state, link = process
        assert isinstance(state, member_state.MemberState)
        is_joining = state.phase is Phase.PREPARING_REBALANCE and state.calling
        beats = state.phase is Phase.STABLE or is_joining
        beats = beats and state.generation != member_state.NO_GENERATION
        if not beats or state.asked_in is not None or link.requests:
            return False
        coordinator = _classic(group)
        if coordinator.entry(state.member_id) is None or coordinator.generation != state.generation:
            return True
        rebalances = coordinator.phase is GroupPhase.PREPARING_REBALANCE
        return rebalances and state.phase is Phase.STABLE and not state.rejoin

    def reads_metadata(self, state: Any) -> bool:
        """Return whether news of topics still mean something to a member."""
        return state.phase not in self._ending

    def may_stop(self, state: Any) -> bool:
        """Return whether a member that is idle can be closed."""
        return state.phase not in self._ending

    def may_restart(self, state: Any) -> bool:
        """Return whether an operator starts the next process although this one still runs, since it
        was refused for good.
        """
        return bool(state.phase is Phase.FAILED)

    def may_crash(self, state: Any) -> bool:
        """Return whether a crash would change anything."""
        return state.phase is not Phase.FAILED

    def may_hang(self, state: Any) -> bool:
        """Return whether a member can miss its next poll: in a rebalance it waits in one."""
        return state.phase is Phase.STABLE and not (state.busy or state.calling)

    def is_gone(self, state: Any, link: Link) -> bool:
        """Return whether a member is closed and its LeaveGroup was taken, or was lost with its
        connection: nobody sends it again.
        """
        if state.phase is not Phase.CLOSED:
            return False
        leaves = any(isinstance(request.message, LeaveGroupRequest) for request in link.requests)
        return link.is_busy or not leaves

    def asks_for_an_id(self, request: Send) -> bool:
        """Return whether the coordinator will give the member an id."""
        return isinstance(request.message, JoinGroupRequest) and not request.message.member_id

    def ids(self, group: Snapshot) -> list[str]:
        """Return the member ids in use, in order."""
        coordinator = _classic(group)
        ids = {entry.member_id for entry in coordinator.entries} | coordinator.pending
        return sorted((ids | _living(group)) - {""})

    def rests(self, group: Snapshot) -> bool:
        """Return whether the group is stable or empty, and no member has anything to do."""
        states: list[Any] = [process.state for process in group.processes if process is not None]
        is_quiet = all(
            state.phase is Phase.STABLE and not (state.calling or state.rejoin) for state in states
        )
        coordinator = _classic(group)
        is_stable = coordinator.phase is GroupPhase.STABLE and not coordinator.pending
        is_done = is_stable or not coordinator.entries
        return is_quiet and all(state.share is None for state in states) and is_done

    def timers_of_the_gone(self, group: Snapshot) -> Iterator[tuple[str, str]]:
        """Yield the timers that run out on members that are gone: the move, and the member's id."""
        coordinator, living = _classic(group), _living(group)
        for entry in coordinator.entries:
            if entry.member_id not in living and entry.joining is entry.syncing is None:
                yield "session expires", entry.member_id
        for member_id in sorted(coordinator.pending - living):
            yield "pending expires", member_id
        awaited = _awaited(coordinator)
        is_missed = bool(awaited) and not awaited & living and _times_out(coordinator)
        if coordinator.opening or is_missed:
            yield "time out", ""

    def faults_of_the_coordinator(self, group: Snapshot) -> Iterator[tuple[str, str, str]]:
        """Yield failovers, and timers that run out on members that live: the kind of fault, the
        move, and the member's id.
        """
        coordinator, living = _classic(group), _living(group)
        for entry in coordinator.entries:
            if entry.member_id in living and entry.joining is entry.syncing is None:
                yield "expire", "session expires", entry.member_id
        yield "fail over", "fail over", ""
        if _awaited(coordinator) & living and _times_out(coordinator):
            yield "time out", "time out", ""

    def timeout(self, group: AnyGroup, member_id: str) -> Any:
        """Return the event of a rebalance that takes too long."""
        joins = group.phase is GroupPhase.PREPARING_REBALANCE
        return JoinTimedOut() if joins else SyncTimedOut()


class ConsumerExploration:
    """The consumer protocol (KIP-848): which moves its machines' states make possible."""

    broker = GroupSettings(assignment_interval_ms=0)
    new_group = ConsumerGroup()
    heartbeat_always_tells = False
    _ending = (MemberPhase.PREPARE_LEAVING, MemberPhase.UNSUBSCRIBED, MemberPhase.FATAL)

    def may_beat(self, group: Snapshot, process: ExploredMember) -> bool:
        """Return whether no other heartbeat is under way."""
        link, state = process.link, process.state
        return not (state.in_flight or link.requests or link.answers)  # type: ignore[union-attr]

    def reads_metadata(self, state: Any) -> bool:
        """Return whether the application has not closed the member."""
        return not state.closing

    def may_stop(self, state: Any) -> bool:
        """Return whether a member that is idle can be closed."""
        return state.phase not in self._ending

    def may_hang(self, state: Any) -> bool:
        """Return whether a batch or a callback can last until a poll is overdue."""
        is_out = state.phase in (*self._ending, MemberPhase.STALE, MemberPhase.FENCED)
        return not is_out and not state.busy

    def may_restart(self, state: Any) -> bool:
        """Return False: a process is started where none runs."""
        return False

    def may_crash(self, state: Any) -> bool:
        """Return True: a crash always changes something."""
        return True

    def asks_for_an_id(self, request: Send) -> bool:
        """Return False: members make their ids themselves."""
        return False

    def ids(self, group: Snapshot) -> list[str]:
        """Return the member ids in use, in order."""
        return sorted(member.member_id for member in _modern(group).members)

    def rests(self, group: Snapshot) -> bool:
        """Return whether the group is stable or empty, and every member is stable."""
        states = (process.state for process in group.processes if process is not None)
        is_done = group.coordinator.phase in ("stable", "empty")
        return is_done and all(state.phase is MemberPhase.STABLE for state in states)

    def is_gone(self, state: Any, link: Link) -> bool:
        """Return whether a member is closed, and its last heartbeat was taken or lost."""
        return state.is_closed and not link.requests

    def timers_of_the_gone(self, group: Snapshot) -> Iterator[tuple[str, str]]:
        """Yield the sessions of members that are gone, as the move and the member's id."""
        living = _beating(group)
        for member in _modern(group).members:
            if member.member_id not in living:
                yield "session expires", member.member_id

    def faults_of_the_coordinator(self, group: Snapshot) -> Iterator[tuple[str, str, str]]:
        """Yield failovers, and timers that run out on members that live: the kind of fault, the
        move, and the member's id.
        """
        yield "fail over", "fail over", ""
        living = _beating(group)
        for member in _modern(group).members:
            if member.member_id in living:
                yield "expire", "session expires", member.member_id
                if member.progress is MemberProgress.UNREVOKED_PARTITIONS:
                    yield "time out", "time out", member.member_id

    def timeout(self, group: AnyGroup, member_id: str) -> Any:
        """Return the event of a member that takes too long to give partitions back."""
        return MemberTimedOut(GroupTimer.MEMBER_REBALANCE, member_id)


ExploredProtocol: TypeAlias = ClassicExploration | ConsumerExploration

PROTOCOLS: Mapping[GroupProtocol, ExploredProtocol] = MappingProxyType(
    {
        GroupProtocol.CLASSIC: ClassicExploration(),
        GroupProtocol.CONSUMER: ConsumerExploration(),
    }
)
"""The group protocols that can be explored."""


# -- parts


def _classic(group: Snapshot) -> GroupState:
    assert isinstance(group.coordinator, GroupState)
    return group.coordinator


def _modern(group: Snapshot) -> ConsumerGroup:
    assert isinstance(group.coordinator, ConsumerGroup)
    return group.coordinator


def _living(group: Snapshot) -> frozenset[str]:
    """Return the ids of classic members that a process has, or is about to be given."""
    ids = set()
    for process in group.processes:
        if process is not None and process.state.phase not in (Phase.FAILED, Phase.CLOSED):
            messages = (request.message for request in process.link.requests)
            ids.add(process.state.member_id)
            ids |= {
                getattr(message, "member_id", "") for message in (*process.link.answers, *messages)
            }
    return frozenset(ids)


def _beating(group: Snapshot) -> frozenset[str]:
    """Return the ids of members that go on sending heartbeats, or are about to leave."""
    silent = (MemberPhase.FATAL, MemberPhase.UNSUBSCRIBED, MemberPhase.STALE)
    return frozenset(
        process.state.member_id
        for process in group.processes
        if process is not None and (process.state.phase not in silent or process.link.requests)
    )


def _awaited(coordinator: GroupState) -> frozenset[str]:
    """Return the members that the rebalance waits for; the first one of a group waits for time
    alone.
    """
    entries = coordinator.entries
    if coordinator.phase is GroupPhase.PREPARING_REBALANCE and not coordinator.opening:
        missing = frozenset(entry.member_id for entry in entries if entry.joining is None)
        return missing | coordinator.pending
    if coordinator.phase is GroupPhase.COMPLETING_REBALANCE:
        return frozenset(entry.member_id for entry in entries if not entry.synced)
    return frozenset()


def _times_out(coordinator: GroupState) -> bool:
    """Return whether a rebalance that takes too long changes anything: while no member has joined
    and all are static, the coordinator waits until their sessions expire.
    """
    entries = coordinator.entries
    if coordinator.phase is not GroupPhase.PREPARING_REBALANCE or not entries:
        return True
    return any(entry.joining is not None or entry.instance_id is None for entry in entries)


_KEY_DIGITS = 8


def new_client_id(ids: Iterable[str], rank: int, name: str) -> str:
    """Return a client id from which a coordinator makes a member id that `rank` ids sort before."""
    keys = [-1, *(int(member_id[:_KEY_DIGITS], 16) for member_id in ids), 16**_KEY_DIGITS]
    between = (keys[rank] + keys[rank + 1]) // 2
    assert keys[rank] < between < keys[rank + 1], "no room between two ids"
    return f"{between:0{_KEY_DIGITS}x}{name}"
