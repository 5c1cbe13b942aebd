"""A classic group that becomes a consumer group, and back (KIP-848's online migration)."""

from __future__ import annotations

from ....codec import ConsumerProtocolAssignment, DecodeError
from ...assignments import partitions_of
from ...group import Topics
from ..machines.coordinator_reactions import rebalance
from ..machines.coordinator_responses import join_refusal, sync_reply
from ..machines.coordinator_state import (
    Entry,
    GroupAction,
    GroupPhase,
    GroupSettings,
    GroupState,
    GroupTimer,
    GroupTurn,
    Reply,
    SetGroupTimer,
    choose,
)
from ..machines.error_codes import ErrorCode
from .coordinator import Refusal
from .group_state import ClassicMetadata, ConsumerGroup, ConsumerMember, in_epoch
from .targets import metadata_hash
from .translation import read_subscription, write_assignment


def call_back(group: GroupState) -> list[GroupAction]:
    """Return the answers to everybody who waits in a classic group: that the group rebalances."""
    found: list[GroupAction] = []
    for entry in group.entries:
        if entry.joining is not None:
            refusal = join_refusal(ErrorCode.REBALANCE_IN_PROGRESS, entry.member_id)
            found.append(Reply(entry.joining, refusal))
        if entry.syncing is not None:
            found.append(sync_reply(entry, group, ErrorCode.REBALANCE_IN_PROGRESS))
    return found


def without_waiting(group: GroupState) -> GroupState:
    """Return a classic group in which no request waits any more."""
    entries = (entry._replace(joining=None, syncing=None) for entry in group.entries)
    return group._replace(entries=tuple(entries))


def upgraded(
    settings: GroupSettings, topics: Topics, group: GroupState
) -> tuple[ConsumerGroup, list[GroupAction]]:
    """Return the consumer group of a classic one, and the timers to set. Raises Refusal."""
    if not settings.upgrades or len(group.entries) > settings.consumer_max_size:
        raise Refusal(ErrorCode.GROUP_ID_NOT_FOUND)
    members = tuple(_member(topics, group, entry) for entry in group.entries)
    made = ConsumerGroup(
        epoch=group.generation,
        metadata_hash=metadata_hash((topic for known in members for topic in known.topics), topics),
        assignment_epoch=group.generation,
        members=members,
        born=group.born,
    ).with_targets({member.member_id: member.assigned_partitions for member in members})
    timers: list[GroupAction] = [
        SetGroupTimer(GroupTimer.JOIN, "", None),
        SetGroupTimer(GroupTimer.SYNC, "", None),
    ]
    timers += [
        SetGroupTimer(GroupTimer.SESSION, entry.member_id, entry.session_timeout_ms)
        for entry in group.entries
    ]
    return made, timers


def _member(topics: Topics, group: GroupState, entry: Entry) -> ConsumerMember:
    share = _share(entry)
    partitions = {
        (topic, number)
        for topic, number in partitions_of(share.assigned_partitions)
        if topic in topics
    }
    subscription = read_subscription(entry.metadata(group.protocol))
    return ConsumerMember(
        entry.member_id,
        entry.client_id,
        entry.instance_id,
        subscription.rack_id,
        entry.rebalance_timeout_ms,
        tuple(sorted(set(subscription.topics))),
        None,
        ClassicMetadata(entry.session_timeout_ms, entry.protocols, entry.version),
        epoch=group.generation,
        previous_epoch=group.generation,
        assigned=in_epoch(partitions, group.generation),
    )


def _share(entry: Entry) -> ConsumerProtocolAssignment:
    if not entry.share:
        return ConsumerProtocolAssignment()
    try:
        share = ConsumerProtocolAssignment.from_bytes(entry.share)
    except DecodeError:
        raise Refusal(ErrorCode.GROUP_ID_NOT_FOUND) from None
    if share.user_data:
        raise Refusal(ErrorCode.GROUP_ID_NOT_FOUND)  # what is in it would be lost
    return share


def may_downgrade(settings: GroupSettings, group: ConsumerGroup, left: int) -> bool:
    """Return whether a consumer group converts back when so many members are left, all of them
    classic ones.
    """
    others = settings.downgrades and 0 < left <= settings.classic_max_size
    return others and left <= len(group.members)


def downgraded(
    settings: GroupSettings, group: ConsumerGroup, members: list[ConsumerMember], *, starts: bool
) -> tuple[GroupState, list[GroupAction]]:
    """Return the classic group of a consumer group that has these members left, which `starts` a
    rebalance unless a static member took another's place.
    """
    entries = tuple(_entry(group, member) for member in members)
    made = GroupState(
        GroupPhase.STABLE,
        group.epoch,
        choose(entries),
        entries[0].member_id,
        entries,
        born=group.born,
    )
    made = made._replace(stored=made._replace(stored=None, born=0))
    turn = GroupTurn(settings, made, None)
    turn.timer(GroupTimer.ASSIGNMENT, None)
    turn.timer(GroupTimer.EXPRESSIONS, None)
    for entry in entries:
        for timer in (GroupTimer.MEMBER_JOIN, GroupTimer.MEMBER_SYNC):
            turn.timer(timer, None, entry.member_id)
        turn.timer(GroupTimer.SESSION, entry.session_timeout_ms, entry.member_id)
    if starts:
        rebalance(turn)
    return turn.state, turn.actions


def _entry(group: ConsumerGroup, member: ConsumerMember) -> Entry:
    classic = member.classic
    assert classic is not None
    return Entry(
        member.member_id,
        member.instance_id,
        member.client_id,
        classic.session_timeout_ms,
        member.rebalance_timeout_ms,
        classic.protocols,
        classic.version,
        share=write_assignment(classic.protocols[0][1], group.target(member.member_id)),
        synced=True,
    )
