"""The group coordinator: Kafka's classic group on a broker, as a machine.

Requests go in with the connection they came over, and timers that ran out. Answers come out for
connections, at once or when all members have come, and timers to set. Bytes of members are passed
on unread: all that is compared is whether they are equal.

The trap of static members: one that comes back under its group.instance.id gets its old share at
once while the choice of protocol stays the same, so a changed subscription is stored and nobody
sees it before the next rebalance (KIP-345).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from ....codec.messages import (
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from ....codec.runtime.message import Message
from .commits import Commit, CommitAnswer
from .error_codes import ErrorCode
from .transitions import Rule, Table, Turn

NO_GENERATION = -1
_KNOWS_ID_REQUIRED = 4
_KNOWS_SKIPPING = 9


class GroupPhase(StrEnum):
    """Kafka's names, without Dead: a group here is never deleted."""

    EMPTY = "empty"
    PREPARING_REBALANCE = "preparing rebalance"
    """Waits until all members have joined."""
    COMPLETING_REBALANCE = "completing rebalance"
    """Waits for the leader's assignments."""
    STABLE = "stable"


class Entry(NamedTuple):
    """A member, as the coordinator knows it."""

    member_id: str
    instance_id: str | None
    client_id: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    protocols: tuple[tuple[str, bytes], ...]
    version: int
    """Of its JoinGroup."""
    share: bytes = b""
    joining: str | None = None
    """The connection that waits for JoinGroup's answer."""
    syncing: str | None = None
    """The connection that waits for SyncGroup's answer."""
    synced: bool = False

    def metadata(self, name: str | None) -> bytes:
        """Return what it told the leader for this assignor."""
        return dict(self.protocols).get(name or "", b"")


class GroupState(NamedTuple):
    """All that the coordinator knows of the group."""

    phase: GroupPhase = GroupPhase.EMPTY
    generation: int = 0
    protocol: str | None = None
    leader: str | None = None
    entries: tuple[Entry, ...] = ()
    """In the order in which they joined."""
    pending: frozenset[str] = frozenset()
    """Ids that were given out and have not come back yet."""
    stored: GroupState | None = None
    """What a coordinator that takes over finds in the offsets topic."""
    born: int = 0
    """How many ids were given out."""
    opening: bool = False
    """The first rebalance of an empty group waits, so that many can join one generation."""
    grew: bool = False
    """Somebody came since that wait was last extended."""

    def entry(self, member_id: str | None) -> Entry | None:
        """Return the member of that id."""
        return next((one for one in self.entries if one.member_id == member_id), None)

    def static(self, instance_id: str | None) -> Entry | None:
        """Return the member of that instance id."""
        if instance_id is None:
            return None
        return next((one for one in self.entries if one.instance_id == instance_id), None)


class GroupSettings(NamedTuple):
    """The broker's own settings; milliseconds."""

    initial_rebalance_delay_ms: int = 3_000


# -- events


class Asked(NamedTuple):
    """A request, the version of its API, and the connection that it came over.

    The client's name becomes the beginning of its member id.
    """

    connection: str
    client_id: str
    version: int
    message: Message | Commit


class SessionExpired(NamedTuple):
    """session.timeout.ms without a sign of life, while nothing was asked by it."""

    member_id: str


class PendingExpired(NamedTuple):
    """An id was given out, and nobody has come back with it."""

    member_id: str


class JoinTimedOut(NamedTuple):
    """The largest rebalance timeout, or the initial delay, has passed since the rebalance began."""


class SyncTimedOut(NamedTuple):
    """The rebalance timeout has passed since all had joined."""


class FailedOver(NamedTuple):
    """Another broker takes over, with what was stored."""


GroupEvent: TypeAlias = (
    Asked | SessionExpired | PendingExpired | JoinTimedOut | SyncTimedOut | FailedOver
)


# -- actions


class Reply(NamedTuple):
    """An answer for a connection."""

    connection: str
    message: Message | CommitAnswer


class GroupTimer(StrEnum):
    """The coordinator's timers; the first two are kept by member id."""

    SESSION = "session"
    PENDING = "pending member"
    JOIN = "rebalance"
    SYNC = "synchronisation"


class SetGroupTimer(NamedTuple):
    """Let a timer run out in so many milliseconds, whatever it was set to; None stops it."""

    timer: GroupTimer
    member_id: str
    after_ms: int | None


GroupAction: TypeAlias = Reply | SetGroupTimer


class GroupTurn(Turn):
    """A step of the coordinator."""

    __slots__ = ()
    settings: GroupSettings
    state: GroupState
    event: Any
    actions: list[GroupAction]

    @property
    def asked(self) -> Any:
        """The request."""
        return self.event.message

    def answer(self, message: Message | CommitAnswer) -> None:
        """Answer the request at hand."""
        self.act(Reply(self.event.connection, message))

    def timer(self, timer: GroupTimer, after_ms: int | None, member_id: str = "") -> None:
        """Set or stop a timer."""
        self.act(SetGroupTimer(timer, member_id, after_ms))

    def put(self, entry: Entry) -> None:
        """Replace a member's entry, or add one."""
        known = self.state.entry(entry.member_id)
        entries = tuple(
            entry if one.member_id == entry.member_id else one for one in self.state.entries
        )
        self.change(entries=entries if known else (*entries, entry))


def step(
    settings: GroupSettings, state: GroupState, event: GroupEvent
) -> tuple[GroupState, list[GroupAction]]:
    """Return the state after an event, and what is to be done outside."""
    turn = GroupTurn(settings, state, event)
    kind = type(event.message) if isinstance(event, Asked) else type(event)
    TABLE.apply(turn, kind)
    return turn.state, turn.actions


def left_out(
    before: GroupState, after: GroupState, actions: Iterable[GroupAction]
) -> frozenset[str]:
    """Return the members of a generation that this step has made without their join: static ones,
    which stay in the group with what they said last.
    """
    if after.generation == before.generation or not after.entries:
        return frozenset()
    replies = (one.message for one in actions if isinstance(one, Reply))
    joined = {one.member_id for one in replies if isinstance(one, JoinGroupResponse)}
    return frozenset(one.member_id for one in after.entries) - joined


# -- conditions


def nobody_could_share_a_protocol(turn: GroupTurn) -> bool:
    """No assignor is listed by it and by everybody else."""
    others = [one for one in turn.state.entries if not _is_asking(turn, one)]
    listed = {one.name for one in turn.asked.protocols}
    for one in others:
        listed &= {name for name, _ in one.protocols}
    return not listed


def first_join_without_an_id(turn: GroupTurn) -> bool:
    """Return a dynamic member that does not have an id, and can take one."""
    asked = turn.asked
    known = turn.event.version >= _KNOWS_ID_REQUIRED
    return not asked.member_id and asked.group_instance_id is None and known


def new_member(turn: GroupTurn) -> bool:
    """It has just got its id, or is a static one that nobody knows."""
    asked = turn.asked
    static = turn.state.static(asked.group_instance_id)
    return asked.member_id in turn.state.pending or (not asked.member_id and static is None)


def static_member_returns(turn: GroupTurn) -> bool:
    """Without its id: another process under the same group.instance.id."""
    return not turn.asked.member_id and turn.state.static(turn.asked.group_instance_id) is not None


def static_member_returns_to_the_same_protocol(turn: GroupTurn) -> bool:
    """And the coordinator would choose as before."""
    static = turn.state.static(turn.asked.group_instance_id)
    if turn.asked.member_id or static is None:
        return False
    listed = static._replace(protocols=_protocols(turn.asked))
    entries = [listed if one is static else one for one in turn.state.entries]
    return choose(entries) == turn.state.protocol


def fenced(turn: GroupTurn) -> bool:
    """Another process has its group.instance.id now (KIP-345)."""
    static = turn.state.static(getattr(turn.asked, "group_instance_id", None))
    return static is not None and static.member_id != turn.asked.member_id


def unknown(turn: GroupTurn) -> bool:
    """No member has that id."""
    return turn.state.entry(turn.asked.member_id) is None


def of_another_generation(turn: GroupTurn) -> bool:
    """Return the group has gone on."""
    asked = turn.asked
    generation = asked.generation if isinstance(asked, Commit) else asked.generation_id
    return bool(generation != turn.state.generation)


def changes_nothing(turn: GroupTurn) -> bool:
    """It lists what it listed before, so that its last answer can be given again."""
    entry = turn.state.entry(turn.asked.member_id)
    return entry is not None and entry.protocols == _protocols(turn.asked)


def follower_changes_nothing(turn: GroupTurn) -> bool:
    """Return a leader's join starts a rebalance in any case: it may know of new partitions."""
    return changes_nothing(turn) and turn.asked.member_id != turn.state.leader


def leader_asks(turn: GroupTurn) -> bool:
    """Return the one that brings everybody's share."""
    return bool(turn.asked.member_id == turn.state.leader)


def more_have_come(turn: GroupTurn) -> bool:
    """While the group opens."""
    return turn.state.opening and turn.state.grew


def member_is_there(turn: GroupTurn) -> bool:
    """It has not left meanwhile, and nothing of it is being waited for."""
    entry = turn.state.entry(turn.event.member_id)
    return entry is not None and entry.joining is None and entry.syncing is None


def a_member_leaves(turn: GroupTurn) -> bool:
    """One that has joined."""
    return any(turn.state.entry(one) is not None for one in _leavers(turn))


def member_is_pending(turn: GroupTurn) -> bool:
    """Nobody has come with that id."""
    return turn.event.member_id in turn.state.pending


def group_was_stored(turn: GroupTurn) -> bool:
    """With members."""
    return turn.state.stored is not None and bool(turn.state.stored.entries)


def some_have_not_synced(turn: GroupTurn) -> bool:
    """Return the rebalance is not complete."""
    return any(not one.synced for one in turn.state.entries)


# -- what is done


def refuse(error: ErrorCode) -> Callable[[GroupTurn], None]:
    """Answer with an error."""

    def do(turn: GroupTurn) -> None:
        turn.answer(_refusal(turn.asked, error))

    do.__name__ = error.name
    do.__doc__ = f"Answer with {error.name}."
    return do


def give_an_id(turn: GroupTurn) -> None:
    """MEMBER_ID_REQUIRED (KIP-394): a retry of the join will not make a second member."""
    member_id = _new_id(turn)
    turn.change(pending=turn.state.pending | {member_id})
    turn.timer(GroupTimer.PENDING, turn.asked.session_timeout_ms, member_id)
    turn.answer(_refusal(turn.asked, ErrorCode.MEMBER_ID_REQUIRED, member_id))


def begin_with_it(turn: GroupTurn) -> None:
    """The first member; others that come within the initial delay join the same generation."""
    _admit(turn)
    delay = turn.settings.initial_rebalance_delay_ms
    turn.change(phase=GroupPhase.PREPARING_REBALANCE, opening=delay > 0)
    turn.timer(GroupTimer.JOIN, delay)
    _go_on_if_all_have_joined(turn)


def admit_and_rebalance(turn: GroupTurn) -> None:
    """A new member makes a new generation."""
    _admit(turn)
    rebalance(turn)


def admit_and_go_on(turn: GroupTurn) -> None:
    """A new member of the generation that is being made."""
    _admit(turn)
    turn.change(grew=turn.state.opening)
    _go_on_if_all_have_joined(turn)


def update_and_rebalance(turn: GroupTurn) -> None:
    """A known member comes with something new, or leads."""
    _update(turn)
    rebalance(turn)


def update_and_go_on(turn: GroupTurn) -> None:
    """A known member has come."""
    _update(turn)
    _go_on_if_all_have_joined(turn)


def replace_and_rebalance(turn: GroupTurn) -> None:
    """A static member has a new process, which lists something else."""
    _replace(turn)
    rebalance(turn)


def replace_and_go_on(turn: GroupTurn) -> None:
    """A static member has a new process; the old one is fenced."""
    _replace(turn)
    _go_on_if_all_have_joined(turn)


def replace_and_change_nothing(turn: GroupTurn) -> None:
    """It gets the share of the process before it. What it lists is stored, and seen by nobody.

    From version 9 on a leader is told that it leads and has to skip the assignment; before, it
    was told the id of its predecessor, so that it would not think it leads.
    """
    before = turn.state.leader
    entry = _replace(turn)
    turn.put(entry._replace(joining=None, synced=True))
    skips = turn.event.version >= _KNOWS_SKIPPING
    leads = turn.state.leader == entry.member_id
    turn.answer(
        _joined(
            turn.state,
            entry,
            leader=turn.state.leader if skips else before,
            to_leader=skips and leads,
            skip=skips and leads,
        )
    )
    _store(turn)


def answer_again(turn: GroupTurn) -> None:
    """It has not received the answer to its last join."""
    entry = turn.state.entry(turn.asked.member_id)
    assert entry is not None
    _alive(turn, entry)
    leads = entry.member_id == turn.state.leader
    turn.answer(_joined(turn.state, entry, leader=turn.state.leader, to_leader=leads, skip=False))


def rebalance(turn: GroupTurn) -> None:
    """A new generation: wait for all members, as long as the most patient of them allows."""
    for one in turn.state.entries:
        if one.syncing is not None:
            turn.act(_reply_sync(one, turn.state, ErrorCode.REBALANCE_IN_PROGRESS))
            turn.put(one._replace(syncing=None))
    turn.timer(GroupTimer.SYNC, None)
    turn.change(phase=GroupPhase.PREPARING_REBALANCE)
    turn.timer(GroupTimer.JOIN, max(one.rebalance_timeout_ms for one in turn.state.entries))
    _go_on_if_all_have_joined(turn)


def keep_waiting(turn: GroupTurn) -> None:
    """Until the leader has come."""
    entry = turn.state.entry(turn.asked.member_id)
    assert entry is not None
    turn.put(entry._replace(syncing=turn.event.connection, synced=True))


def hand_out(turn: GroupTurn) -> None:
    """The leader has come: store the shares, and answer all that wait."""
    keep_waiting(turn)
    shares = {one.member_id: one.assignment for one in turn.asked.assignments}
    entries = tuple(
        one._replace(share=shares.get(one.member_id, b"")) for one in turn.state.entries
    )
    turn.change(entries=entries, phase=GroupPhase.STABLE)
    for one in entries:
        if one.syncing is not None:
            turn.act(_reply_sync(one, turn.state, ErrorCode.NONE))
            turn.put(one._replace(syncing=None))
            _alive(turn, one)
    _store(turn)


def give_share(turn: GroupTurn) -> None:
    """The shares are there."""
    entry = turn.state.entry(turn.asked.member_id)
    assert entry is not None
    turn.put(entry._replace(synced=True))
    _alive(turn, entry)
    turn.act(_reply_sync(entry._replace(syncing=turn.event.connection), turn.state, ErrorCode.NONE))


def note_life(turn: GroupTurn) -> None:
    """Nothing is new."""
    _beat(turn, ErrorCode.NONE)


def call_back(turn: GroupTurn) -> None:
    """REBALANCE_IN_PROGRESS: come and join."""
    _beat(turn, ErrorCode.REBALANCE_IN_PROGRESS)


def accept_commit(turn: GroupTurn) -> None:
    """The offsets are stored."""
    turn.answer(CommitAnswer(ErrorCode.NONE))


def let_go(turn: GroupTurn) -> None:
    """Members leave by id; static ones too, where somebody else says so for them."""
    for member_id in _leavers(turn):
        turn.timer(GroupTimer.PENDING, None, member_id)
        turn.change(pending=turn.state.pending - {member_id})
        if turn.state.entry(member_id) is not None:
            _remove(turn, member_id)
    turn.answer(LeaveGroupResponse(error_code=ErrorCode.NONE))
    _after_removal(turn)


def let_nobody_go(turn: GroupTurn) -> None:
    """Whoever leaves is no member, or was about to become one."""
    for member_id in _leavers(turn):
        turn.timer(GroupTimer.PENDING, None, member_id)
        turn.change(pending=turn.state.pending - {member_id})
    turn.answer(LeaveGroupResponse(error_code=ErrorCode.NONE))


def expire(turn: GroupTurn) -> None:
    """It counts as dead."""
    _remove(turn, turn.event.member_id)
    _after_removal(turn)


def forget_pending(turn: GroupTurn) -> None:
    """Nobody waits for it any longer."""
    turn.change(pending=turn.state.pending - {turn.event.member_id})


def forget_and_go_on(turn: GroupTurn) -> None:
    """The others waited for it."""
    forget_pending(turn)
    _go_on_if_all_have_joined(turn)


def wait_for_more(turn: GroupTurn) -> None:
    """As long as somebody comes within the initial delay, wait for as long again."""
    turn.change(grew=False)
    turn.timer(GroupTimer.JOIN, turn.settings.initial_rebalance_delay_ms)


def go_on_without_the_missing(turn: GroupTurn) -> None:
    """Dynamic members that have not come are out. Static ones stay, with what they last said,
    until their session expires; while nobody at all has come, all wait on."""
    turn.change(opening=False, grew=False)
    _complete(turn)


def drop_who_has_not_synced(turn: GroupTurn) -> None:
    """They joined and then fell silent."""
    for one in turn.state.entries:
        if not one.synced:
            _remove(turn, one.member_id)
    _after_removal(turn)


def take_over(turn: GroupTurn) -> None:
    """The generation that was stored goes on; what was under way is forgotten."""
    stored = turn.state.stored
    assert stored is not None
    _stop_timers(turn)
    turn.change(
        **stored._asdict() | {"stored": stored, "born": turn.state.born, "pending": frozenset()}
    )
    for one in stored.entries:
        _alive(turn, one)


def take_over_an_empty_group(turn: GroupTurn) -> None:
    """Nothing was stored but, perhaps, the last generation."""
    _stop_timers(turn)
    last = turn.state.stored.generation if turn.state.stored else 0
    turn.change(
        phase=GroupPhase.EMPTY, generation=last, protocol=None, leader=None, entries=(),
        pending=frozenset(), opening=False, grew=False,
    )  # fmt: skip


def choose(entries: Iterable[Entry]) -> str | None:
    """Return the assignor that all list; each votes for the first of those in its own list."""
    lists = [[name for name, _ in one.protocols] for one in entries]
    if not lists:
        return None
    common = set(lists[0]).intersection(*lists)
    votes = Counter(next(name for name in listed if name in common) for listed in lists if common)
    return max(votes, key=votes.__getitem__, default=None)


# -- parts


def _leavers(turn: GroupTurn) -> list[str]:
    found = []
    for one in turn.asked.members:
        static = turn.state.static(one.group_instance_id)
        found.append(static.member_id if static and not one.member_id else one.member_id)
    return found


def _is_asking(turn: GroupTurn, entry: Entry) -> bool:
    same_id = entry.member_id == turn.asked.member_id
    instance = turn.asked.group_instance_id
    return same_id or (instance is not None and entry.instance_id == instance)


def _refusal(asked: Any, error: ErrorCode, member_id: str = "") -> Message | CommitAnswer:
    match asked:
        case JoinGroupRequest():
            return _no_join(error, member_id or asked.member_id)
        case SyncGroupRequest():
            return SyncGroupResponse(error_code=error)
        case HeartbeatRequest():
            return HeartbeatResponse(error_code=error)
        case LeaveGroupRequest():
            return LeaveGroupResponse(error_code=error)
        case _:
            return CommitAnswer(error)


def _no_join(error: ErrorCode, member_id: str) -> JoinGroupResponse:
    return JoinGroupResponse(error_code=error, protocol_name="", leader="", member_id=member_id)


def _protocols(asked: Any) -> tuple[tuple[str, bytes], ...]:
    return tuple((one.name, one.metadata) for one in asked.protocols)


def _new_id(turn: GroupTurn) -> str:
    turn.change(born=turn.state.born + 1)
    return f"{turn.event.client_id}-{turn.state.born:02d}"


def _admit(turn: GroupTurn) -> None:
    asked = turn.asked
    member_id = asked.member_id or _new_id(turn)
    turn.change(pending=turn.state.pending - {member_id})
    turn.timer(GroupTimer.PENDING, None, member_id)
    turn.put(_entry(turn, member_id))
    if turn.state.leader is None:
        turn.change(leader=member_id)


def _entry(turn: GroupTurn, member_id: str) -> Entry:
    asked = turn.asked
    return Entry(
        member_id,
        asked.group_instance_id,
        turn.event.client_id,
        asked.session_timeout_ms,
        asked.rebalance_timeout_ms,
        _protocols(asked),
        turn.event.version,
        joining=turn.event.connection,
    )


def _update(turn: GroupTurn) -> None:
    old = turn.state.entry(turn.asked.member_id)
    assert old is not None
    turn.put(_entry(turn, old.member_id)._replace(share=old.share))
    turn.timer(GroupTimer.SESSION, None, old.member_id)


def _replace(turn: GroupTurn) -> Entry:
    """The new process takes the place of the old one, whose requests are answered with a fence."""
    old = turn.state.static(turn.asked.group_instance_id)
    assert old is not None
    if old.joining is not None:
        turn.act(Reply(old.joining, _no_join(ErrorCode.FENCED_INSTANCE_ID, old.member_id)))
    if old.syncing is not None:
        turn.act(_reply_sync(old, turn.state, ErrorCode.FENCED_INSTANCE_ID))
    entry = _entry(turn, _new_id(turn))._replace(share=old.share)
    turn.change(
        entries=tuple(entry if one is old else one for one in turn.state.entries),
        leader=entry.member_id if turn.state.leader == old.member_id else turn.state.leader,
    )
    turn.timer(GroupTimer.SESSION, None, old.member_id)
    _alive(turn, entry)
    return entry


def _remove(turn: GroupTurn, member_id: str) -> None:
    gone = turn.state.entry(member_id)
    assert gone is not None
    if gone.joining is not None:
        turn.act(Reply(gone.joining, _no_join(ErrorCode.UNKNOWN_MEMBER_ID, member_id)))
    if gone.syncing is not None:
        turn.act(_reply_sync(gone, turn.state, ErrorCode.UNKNOWN_MEMBER_ID))
    turn.timer(GroupTimer.SESSION, None, member_id)
    rest = tuple(one for one in turn.state.entries if one.member_id != member_id)
    leader = turn.state.leader
    if leader == member_id:
        leader = rest[0].member_id if rest else None
    turn.change(entries=rest, leader=leader)


def _after_removal(turn: GroupTurn) -> None:
    phase = turn.state.phase
    if phase in (GroupPhase.STABLE, GroupPhase.COMPLETING_REBALANCE):
        if turn.state.entries:
            rebalance(turn)
        else:
            turn.timer(GroupTimer.SYNC, None)
            _complete(turn)
    elif phase is GroupPhase.PREPARING_REBALANCE:
        _go_on_if_all_have_joined(turn)


def _go_on_if_all_have_joined(turn: GroupTurn) -> None:
    if turn.state.opening:
        return
    if not turn.state.pending and all(one.joining is not None for one in turn.state.entries):
        _complete(turn)


def _complete(turn: GroupTurn) -> None:
    """Make the new generation of those who have come, and answer their JoinGroup."""
    for one in turn.state.entries:
        if one.joining is None and one.instance_id is None:
            _remove(turn, one.member_id)
    entries = turn.state.entries
    come = [one for one in entries if one.joining is not None]
    if entries and not come:
        turn.timer(GroupTimer.JOIN, max(one.rebalance_timeout_ms for one in entries))
        return
    turn.timer(GroupTimer.JOIN, None)
    turn.change(generation=turn.state.generation + 1, protocol=choose(entries))
    if not entries:
        turn.change(phase=GroupPhase.EMPTY, leader=None)
        _store(turn)
        return
    leader = turn.state.entry(turn.state.leader)
    if leader is None or leader.joining is None:
        turn.change(leader=come[0].member_id)
    turn.change(phase=GroupPhase.COMPLETING_REBALANCE)
    turn.timer(GroupTimer.SYNC, max(one.rebalance_timeout_ms for one in entries))
    for one in entries:
        _alive(turn, one)
        if one.joining is not None:
            _answer_join(turn, one)
    turn.change(
        entries=tuple(
            one._replace(joining=None, synced=False, share=b"") for one in turn.state.entries
        )
    )


def _answer_join(turn: GroupTurn, entry: Entry) -> None:
    assert entry.joining is not None
    leads = entry.member_id == turn.state.leader
    message = _joined(turn.state, entry, leader=turn.state.leader, to_leader=leads, skip=False)
    turn.act(Reply(entry.joining, message))


def _joined(
    state: GroupState, entry: Entry, *, leader: str | None, to_leader: bool, skip: bool
) -> JoinGroupResponse:
    member = JoinGroupResponse.JoinGroupResponseMember
    return JoinGroupResponse(
        error_code=ErrorCode.NONE,
        generation_id=state.generation,
        protocol_type="consumer",
        protocol_name=state.protocol or "",
        leader=leader or "",
        skip_assignment=skip,
        member_id=entry.member_id,
        members=[
            member(
                member_id=one.member_id,
                group_instance_id=one.instance_id,
                metadata=one.metadata(state.protocol),
            )
            for one in state.entries
        ]
        if to_leader
        else [],
    )


def _reply_sync(entry: Entry, state: GroupState, error: ErrorCode) -> Reply:
    assert entry.syncing is not None
    share = entry.share if error is ErrorCode.NONE else b""
    message = SyncGroupResponse(
        error_code=error,
        protocol_type=None if error else "consumer",
        protocol_name=None if error else state.protocol,
        assignment=share,
    )
    return Reply(entry.syncing, message)


def _beat(turn: GroupTurn, error: ErrorCode) -> None:
    entry = turn.state.entry(turn.asked.member_id)
    assert entry is not None
    _alive(turn, entry)
    turn.answer(HeartbeatResponse(error_code=error))


def _alive(turn: GroupTurn, entry: Entry) -> None:
    turn.timer(GroupTimer.SESSION, entry.session_timeout_ms, entry.member_id)


def _store(turn: GroupTurn) -> None:
    """Into the offsets topic: a generation with its shares, or that there is nobody."""
    entries = tuple(
        one._replace(joining=None, syncing=None, synced=True) for one in turn.state.entries
    )
    turn.change(
        stored=turn.state._replace(entries=entries, pending=frozenset(), stored=None, born=0)
    )


def _stop_timers(turn: GroupTurn) -> None:
    turn.timer(GroupTimer.JOIN, None)
    turn.timer(GroupTimer.SYNC, None)
    for one in turn.state.entries:
        turn.timer(GroupTimer.SESSION, None, one.member_id)
    for member_id in sorted(turn.state.pending):
        turn.timer(GroupTimer.PENDING, None, member_id)


_E, _P = (GroupPhase.EMPTY,), (GroupPhase.PREPARING_REBALANCE,)
_C, _S = (GroupPhase.COMPLETING_REBALANCE,), (GroupPhase.STABLE,)
_ANY = (*_E, *_P, *_C, *_S)
_GOES_ON = (*_P, *_C)
"""Waits for the others, or has all."""
_LESS = (*_P, *_E)
"""The others have to come, or there are none."""
_ANYHOW = (*_P, *_C, *_E)

_UNKNOWN = refuse(ErrorCode.UNKNOWN_MEMBER_ID)
_FENCED = refuse(ErrorCode.FENCED_INSTANCE_ID)
_ILLEGAL = refuse(ErrorCode.ILLEGAL_GENERATION)
_REBALANCING = refuse(ErrorCode.REBALANCE_IN_PROGRESS)
_INCONSISTENT = refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)

TABLE = Table[GroupTurn](
    (
        Rule(_ANY, JoinGroupRequest, _INCONSISTENT, (), nobody_could_share_a_protocol),
        Rule(_ANY, JoinGroupRequest, give_an_id, (), first_join_without_an_id),
        Rule(_E, JoinGroupRequest, begin_with_it, _GOES_ON, new_member),
        Rule((*_C, *_S), JoinGroupRequest, admit_and_rebalance, _P, new_member),
        Rule(_P, JoinGroupRequest, admit_and_go_on, _GOES_ON, new_member),
        Rule(
            _S,
            JoinGroupRequest,
            replace_and_change_nothing,
            _S,
            static_member_returns_to_the_same_protocol,
        ),
        Rule((*_C, *_S), JoinGroupRequest, replace_and_rebalance, _GOES_ON, static_member_returns),
        Rule(_P, JoinGroupRequest, replace_and_go_on, _GOES_ON, static_member_returns),
        Rule(_ANY, JoinGroupRequest, _FENCED, (), fenced),
        Rule(_ANY, JoinGroupRequest, _UNKNOWN, (), unknown),
        Rule(_P, JoinGroupRequest, update_and_go_on, _GOES_ON),
        Rule(_C, JoinGroupRequest, answer_again, _C, changes_nothing),
        Rule(_S, JoinGroupRequest, answer_again, _S, follower_changes_nothing),
        Rule((*_C, *_S), JoinGroupRequest, update_and_rebalance, _GOES_ON),
        Rule(_ANY, SyncGroupRequest, _FENCED, (), fenced),
        Rule(_ANY, SyncGroupRequest, _UNKNOWN, (), unknown),
        Rule(_ANY, SyncGroupRequest, _ILLEGAL, (), of_another_generation),
        Rule(_P, SyncGroupRequest, _REBALANCING),
        Rule(_C, SyncGroupRequest, hand_out, _S, leader_asks),
        Rule(_C, SyncGroupRequest, keep_waiting, _C),
        Rule(_S, SyncGroupRequest, give_share, _S),
        Rule(_ANY, HeartbeatRequest, _FENCED, (), fenced),
        Rule(_ANY, HeartbeatRequest, _UNKNOWN, (), unknown),
        Rule(_ANY, HeartbeatRequest, _ILLEGAL, (), of_another_generation),
        Rule(_P, HeartbeatRequest, call_back, _P),
        Rule((*_C, *_S), HeartbeatRequest, note_life),
        Rule(_ANY, Commit, _UNKNOWN, (), unknown),
        Rule(_ANY, Commit, _ILLEGAL, (), of_another_generation),
        Rule(_C, Commit, _REBALANCING),
        Rule((*_P, *_S), Commit, accept_commit),
        Rule((*_C, *_S), LeaveGroupRequest, let_go, _LESS, a_member_leaves),
        Rule(_P, LeaveGroupRequest, let_go, _ANYHOW),
        Rule((*_E, *_C, *_S), LeaveGroupRequest, let_nobody_go),
        Rule((*_C, *_S), SessionExpired, expire, _LESS, member_is_there),
        Rule(_P, SessionExpired, expire, _ANYHOW, member_is_there),
        Rule(_P, PendingExpired, forget_and_go_on, _ANYHOW, member_is_pending),
        Rule(_ANY, PendingExpired, forget_pending, (), member_is_pending),
        Rule(_P, JoinTimedOut, wait_for_more, _P, more_have_come),
        Rule(_P, JoinTimedOut, go_on_without_the_missing, _ANYHOW),
        Rule((*_C, *_S), SyncTimedOut, drop_who_has_not_synced, _LESS, some_have_not_synced),
        Rule(_ANY, FailedOver, take_over, _S, group_was_stored),
        Rule(_ANY, FailedOver, take_over_an_empty_group, _E),
    )
)
"""The coordinator's machine."""
