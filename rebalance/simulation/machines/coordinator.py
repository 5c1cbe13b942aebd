"""The group coordinator: Kafka's classic group on a broker, as a machine.

Requests go in with the connection they came over, and timers that ran out. Answers come out for
connections, at once or when all members have joined, and timers to set. The coordinator passes the
members' bytes on unread: it compares them for equality and nothing else.

The trap of static members: one that comes back under its group.instance.id gets its old assignment
at once while the choice of protocol stays the same, so a changed subscription is stored and nobody
sees it before the next rebalance (KIP-345).

This file holds the conditions and the table of rules; `coordinator_state` has what they are about,
`coordinator_reactions` what the rules do.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....codec.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    SyncGroupRequest,
)
from .coordinator_reactions import (
    accept_commit,
    admit_and_go_on,
    admit_and_rebalance,
    answer_again,
    begin_with_it,
    call_back,
    drop_who_has_not_synced,
    expire,
    forget_and_go_on,
    forget_pending,
    give_an_id,
    give_share,
    go_on_without_the_missing,
    hand_out,
    keep_waiting,
    let_go,
    let_nobody_go,
    note_life,
    refuse,
    replace_and_change_nothing,
    replace_and_go_on,
    replace_and_rebalance,
    take_over,
    take_over_an_empty_group,
    update_and_go_on,
    update_and_rebalance,
    wait_for_more,
)
from .coordinator_state import (
    Asked,
    Commit,
    Entry,
    ErrorCode,
    FailedOver,
    GroupAction,
    GroupEvent,
    GroupPhase,
    GroupSettings,
    GroupState,
    GroupTurn,
    JoinTimedOut,
    PendingExpired,
    Reply,
    SessionExpired,
    SyncTimedOut,
    choose,
    generation_of,
    leavers,
    protocols_of,
)
from .transitions import MachineRule, Table

_KNOWS_ID_REQUIRED = 4


def step(
    settings: GroupSettings, state: GroupState, event: GroupEvent
) -> tuple[GroupState, list[GroupAction]]:
    """Return the state after an event, and the actions for the outside to take."""
    turn = GroupTurn(settings, state, event)
    kind = type(event.message) if isinstance(event, Asked) else type(event)
    TABLE.apply(turn, kind)
    return turn.state, turn.actions


def left_out(
    previous: GroupState, group: GroupState, actions: Iterable[GroupAction]
) -> frozenset[str]:
    """Return the ids of members in a generation that this step made without their join: static
    members, which stay in the group with the metadata that they sent last.
    """
    if group.generation == previous.generation or not group.entries:
        return frozenset()
    replies = (action.message for action in actions if isinstance(action, Reply))
    ids = {reply.member_id for reply in replies if isinstance(reply, JoinGroupResponse)}
    return frozenset(entry.member_id for entry in group.entries) - ids


# -- conditions


def nobody_could_share_a_protocol(turn: GroupTurn) -> bool:
    """Return whether no assignor that the joining member lists is listed by all other members."""
    entries = [entry for entry in turn.state.entries if not _is_asking(turn, entry)]
    listed = {protocol.name for protocol in turn.request.protocols}
    for entry in entries:
        listed &= {name for name, _ in entry.protocols}
    return not listed


def first_join_without_an_id(turn: GroupTurn) -> bool:
    """Return whether a dynamic member joins without an id, in a version that can be given one."""
    request = turn.request
    can_take_one = turn.event.version >= _KNOWS_ID_REQUIRED
    return not request.member_id and request.group_instance_id is None and can_take_one


def new_member(turn: GroupTurn) -> bool:
    """Return whether the member has just got its id, or is a static one that is not in the
    group.
    """
    request = turn.request
    static = turn.state.static(request.group_instance_id)
    return request.member_id in turn.state.pending or (not request.member_id and static is None)


def static_member_returns(turn: GroupTurn) -> bool:
    """Return whether a known group.instance.id joins without a member id: another process of it."""
    return (
        not turn.request.member_id and turn.state.static(turn.request.group_instance_id) is not None
    )


def static_member_returns_to_the_same_protocol(turn: GroupTurn) -> bool:
    """Return whether a static member returns and the coordinator would choose the same assignor."""
    static = turn.state.static(turn.request.group_instance_id)
    if turn.request.member_id or static is None:
        return False
    listed = static._replace(protocols=protocols_of(turn.request))
    entries = [listed if entry is static else entry for entry in turn.state.entries]
    return choose(entries) == turn.state.protocol


def fenced(turn: GroupTurn) -> bool:
    """Return whether another process has the request's group.instance.id by now (KIP-345)."""
    static = turn.state.static(getattr(turn.request, "group_instance_id", None))
    return static is not None and static.member_id != turn.request.member_id


def unknown(turn: GroupTurn) -> bool:
    """Return whether no member has the id of the request."""
    return turn.state.entry(turn.request.member_id) is None


def of_another_generation(turn: GroupTurn) -> bool:
    """Return whether the request is from another generation than the group's."""
    request = turn.request
    generation = request.generation if isinstance(request, Commit) else request.generation_id
    return bool(generation != turn.state.generation)


def claims_are_of_another_generation(turn: GroupTurn) -> bool:
    """Return whether the broker looks into a joining member's subscription, and its generation is
    not the group's (KIP-792's rejected alternative).
    """
    if not turn.settings.checks_generation:
        return False
    generations = (generation_of(metadata) for _, metadata in protocols_of(turn.request))
    return any(0 <= generation != turn.state.generation for generation in generations)


def changes_nothing(turn: GroupTurn) -> bool:
    """Return whether the member lists what it listed before, so that its last answer still
    holds.
    """
    entry = turn.state.entry(turn.request.member_id)
    return entry is not None and entry.protocols == protocols_of(turn.request)


def follower_changes_nothing(turn: GroupTurn) -> bool:
    """Return whether the member changes nothing and does not lead. A leader's join starts a
    rebalance in any case: it may know of new partitions.
    """
    return changes_nothing(turn) and turn.request.member_id != turn.state.leader


def leader_asks(turn: GroupTurn) -> bool:
    """Return whether the request is the leader's, which brings everybody's assignment."""
    return bool(turn.request.member_id == turn.state.leader)


def more_have_come(turn: GroupTurn) -> bool:
    """Return whether members have joined since the wait of an opening group was last extended."""
    return turn.state.opening and turn.state.grew


def member_is_there(turn: GroupTurn) -> bool:
    """Return whether the member is still in the group and has no unanswered JoinGroup or
    SyncGroup.
    """
    entry = turn.state.entry(turn.event.member_id)
    return entry is not None and entry.joining is None and entry.syncing is None


def a_member_leaves(turn: GroupTurn) -> bool:
    """Return whether a leaving member has joined the group."""
    return any(turn.state.entry(member_id) is not None for member_id in leavers(turn))


def member_is_pending(turn: GroupTurn) -> bool:
    """Return whether the id was given out and its member has not come back with it."""
    return turn.event.member_id in turn.state.pending


def group_was_stored(turn: GroupTurn) -> bool:
    """Return whether the offsets topic has a generation of the group with members."""
    return turn.state.stored_state is not None and bool(turn.state.stored_state.entries)


def some_have_not_synced(turn: GroupTurn) -> bool:
    """Return whether a member of the generation has not sent SyncGroup."""
    return any(not entry.synced for entry in turn.state.entries)


def _is_asking(turn: GroupTurn, entry: Entry) -> bool:
    same_id = entry.member_id == turn.request.member_id
    instance = turn.request.group_instance_id
    return same_id or (instance is not None and entry.instance_id == instance)


# -- the table

_E, _P = (GroupPhase.EMPTY,), (GroupPhase.PREPARING_REBALANCE,)
_C, _S = (GroupPhase.COMPLETING_REBALANCE,), (GroupPhase.STABLE,)
_ANY = (*_E, *_P, *_C, *_S)
_GOES_ON = (*_P, *_C)
"""The group waits for other members, or all have joined."""
_LESS = (*_P, *_E)
"""Other members have to join again, or none is left."""
_ANYHOW = (*_P, *_C, *_E)
_UNKNOWN = refuse(ErrorCode.UNKNOWN_MEMBER_ID)
_FENCED = refuse(ErrorCode.FENCED_INSTANCE_ID)
_ILLEGAL = refuse(ErrorCode.ILLEGAL_GENERATION)
_REBALANCING = refuse(ErrorCode.REBALANCE_IN_PROGRESS)
_INCONSISTENT = refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
TABLE = Table[GroupTurn](
    (
        MachineRule(_ANY, JoinGroupRequest, _INCONSISTENT, (), nobody_could_share_a_protocol),
        MachineRule(_ANY, JoinGroupRequest, give_an_id, (), first_join_without_an_id),
        MachineRule(_E, JoinGroupRequest, begin_with_it, _GOES_ON, new_member),
        MachineRule((*_C, *_S), JoinGroupRequest, admit_and_rebalance, _P, new_member),
        MachineRule(_P, JoinGroupRequest, admit_and_go_on, _GOES_ON, new_member),
        MachineRule(
            _S,
            JoinGroupRequest,
            replace_and_change_nothing,
            _S,
            static_member_returns_to_the_same_protocol,
        ),
        MachineRule(
            (*_C, *_S), JoinGroupRequest, replace_and_rebalance, _GOES_ON, static_member_returns
        ),
        MachineRule(_P, JoinGroupRequest, replace_and_go_on, _GOES_ON, static_member_returns),
        MachineRule(_ANY, JoinGroupRequest, _FENCED, (), fenced),
        MachineRule(_ANY, JoinGroupRequest, _UNKNOWN, (), unknown),
        MachineRule(_ANY, JoinGroupRequest, _ILLEGAL, (), claims_are_of_another_generation),
        MachineRule(_P, JoinGroupRequest, update_and_go_on, _GOES_ON),
        MachineRule(_C, JoinGroupRequest, answer_again, _C, changes_nothing),
        MachineRule(_S, JoinGroupRequest, answer_again, _S, follower_changes_nothing),
        MachineRule((*_C, *_S), JoinGroupRequest, update_and_rebalance, _GOES_ON),
        MachineRule(_ANY, SyncGroupRequest, _FENCED, (), fenced),
        MachineRule(_ANY, SyncGroupRequest, _UNKNOWN, (), unknown),
        MachineRule(_ANY, SyncGroupRequest, _ILLEGAL, (), of_another_generation),
        MachineRule(_P, SyncGroupRequest, _REBALANCING),
        MachineRule(_C, SyncGroupRequest, hand_out, _S, leader_asks),
        MachineRule(_C, SyncGroupRequest, keep_waiting, _C),
        MachineRule(_S, SyncGroupRequest, give_share, _S),
        MachineRule(_ANY, HeartbeatRequest, _FENCED, (), fenced),
        MachineRule(_ANY, HeartbeatRequest, _UNKNOWN, (), unknown),
        MachineRule(_ANY, HeartbeatRequest, _ILLEGAL, (), of_another_generation),
        MachineRule(_P, HeartbeatRequest, call_back, _P),
        MachineRule((*_C, *_S), HeartbeatRequest, note_life),
        MachineRule(_ANY, Commit, _UNKNOWN, (), unknown),
        MachineRule(_ANY, Commit, _ILLEGAL, (), of_another_generation),
        MachineRule(_C, Commit, _REBALANCING),
        MachineRule((*_P, *_S), Commit, accept_commit),
        MachineRule((*_C, *_S), LeaveGroupRequest, let_go, _LESS, a_member_leaves),
        MachineRule(_P, LeaveGroupRequest, let_go, _ANYHOW),
        MachineRule((*_E, *_C, *_S), LeaveGroupRequest, let_nobody_go),
        MachineRule((*_C, *_S), SessionExpired, expire, _LESS, member_is_there),
        MachineRule(_P, SessionExpired, expire, _ANYHOW, member_is_there),
        MachineRule(_P, PendingExpired, forget_and_go_on, _ANYHOW, member_is_pending),
        MachineRule(_ANY, PendingExpired, forget_pending, (), member_is_pending),
        MachineRule(_P, JoinTimedOut, wait_for_more, _P, more_have_come),
        MachineRule(_P, JoinTimedOut, go_on_without_the_missing, _ANYHOW),
        MachineRule((*_C, *_S), SyncTimedOut, drop_who_has_not_synced, _LESS, some_have_not_synced),
        MachineRule(_ANY, FailedOver, take_over, _S, group_was_stored),
        MachineRule(_ANY, FailedOver, take_over_an_empty_group, _E),
    )
)
"""The coordinator's machine."""
