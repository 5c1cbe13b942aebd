"""A member's requests: JoinGroup with its metadata, SyncGroup, Heartbeat and LeaveGroup."""

from __future__ import annotations

from collections.abc import Mapping

from ....codec.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    SyncGroupRequest,
)
from .client_formats import MemberMetadata
from .member_state import NO_GENERATION, MemberState, Send
from .settings import MemberSettings, Mistake

CONSUMER = "consumer"
GROUP_ID = "group"


def join_request(settings: MemberSettings, state: MemberState) -> Send:
    """Return JoinGroup, with the member's metadata for each of its assignors."""
    protocol = JoinGroupRequest.JoinGroupRequestProtocol
    request = JoinGroupRequest(
        group_id=GROUP_ID,
        session_timeout_ms=settings.session_timeout_ms,
        rebalance_timeout_ms=settings.max_poll_interval_ms,
        member_id=state.member_id,
        group_instance_id=settings.group_instance_id,
        protocol_type=CONSUMER,
        protocols=[
            protocol(name=assignor.name, metadata=_metadata(settings, state, assignor.name))
            for assignor in settings.assignors
        ],
    )
    return Send(request, settings.join_version)


def sync_request(
    settings: MemberSettings, answer: JoinGroupResponse, shares: Mapping[str, bytes]
) -> Send:
    """Return SyncGroup for the generation of JoinGroup's answer; `shares` are the leader's."""
    entry = SyncGroupRequest.SyncGroupRequestAssignment
    request = SyncGroupRequest(
        group_id=GROUP_ID,
        generation_id=answer.generation_id,
        member_id=answer.member_id,
        group_instance_id=settings.group_instance_id,
        protocol_type=CONSUMER,
        protocol_name=answer.protocol_name,
        assignments=[
            entry(member_id=member_id, assignment=data) for member_id, data in shares.items()
        ],
    )
    return Send(request, settings.sync_version)


def heartbeat_request(settings: MemberSettings, state: MemberState) -> Send:
    """Return Heartbeat for the generation that the member has joined."""
    request = HeartbeatRequest(
        group_id=GROUP_ID,
        generation_id=state.generation,
        member_id=state.member_id,
        group_instance_id=settings.group_instance_id,
    )
    return Send(request, 4)


def leave_request(state: MemberState, reason: str) -> Send:
    """Return LeaveGroup of a dynamic member, with the reason that a broker logs (KIP-800)."""
    identity = LeaveGroupRequest.MemberIdentity
    leaves = identity(member_id=state.member_id, group_instance_id=None, reason=reason)
    return Send(LeaveGroupRequest(group_id=GROUP_ID, members=[leaves]), 5)


def _metadata(settings: MemberSettings, state: MemberState, name: str) -> bytes:
    hides = Mistake.HIDES_GENERATION in settings.mistakes
    memory = None if hides else dict(state.memories).get(name)
    metadata = MemberMetadata(
        topics=state.subscribed,
        user_data=settings.assignor(name).subscription_user_data(state.subscribed, memory),
        owned=state.owned,
        generation=NO_GENERATION if hides else state.generation,
        rack=settings.rack,
    )
    return settings.dialect.write_metadata(metadata)
