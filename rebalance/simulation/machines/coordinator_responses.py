"""The coordinator's answers: JoinGroup's, SyncGroup's, and the refusal of any request."""

from __future__ import annotations

from typing import Any

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
from .commits import CommitAnswer
from .coordinator_state import Entry, GroupState, Reply
from .error_codes import ErrorCode


def join_response(
    state: GroupState, entry: Entry, *, leader: str | None, to_leader: bool, skip: bool
) -> JoinGroupResponse:
    """Return JoinGroup's answer for one member; `to_leader` adds everybody's metadata, `skip` tells
    the leader to leave the assignment as it is (SkipAssignment).
    """
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
                member_id=entry.member_id,
                group_instance_id=entry.instance_id,
                metadata=entry.metadata(state.protocol),
            )
            for entry in state.entries
        ]
        if to_leader
        else [],
    )


def sync_reply(entry: Entry, state: GroupState, error: ErrorCode) -> Reply:
    """Return SyncGroup's answer for the member's waiting connection, with its assignment if `error`
    is NONE.
    """
    assert entry.syncing is not None
    share = entry.share if error is ErrorCode.NONE else b""
    message = SyncGroupResponse(
        error_code=error,
        protocol_type=None if error else "consumer",
        protocol_name=None if error else state.protocol,
        assignment=share,
    )
    return Reply(entry.syncing, message)


def refusal(asked: Any, error: ErrorCode, member_id: str = "") -> Message | CommitAnswer:
    """Return the answer that refuses a request; `member_id` is that of a JoinGroup answer, if it is
    not the request's.
    """
    match asked:
        case JoinGroupRequest():
            return join_refusal(error, member_id or asked.member_id)
        case SyncGroupRequest():
            return SyncGroupResponse(error_code=error)
        case HeartbeatRequest():
            return HeartbeatResponse(error_code=error)
        case LeaveGroupRequest():
            return LeaveGroupResponse(error_code=error)
        case _:
            return CommitAnswer(error)


def join_refusal(error: ErrorCode, member_id: str) -> JoinGroupResponse:
    """Return JoinGroup's answer that refuses."""
    return JoinGroupResponse(error_code=error, protocol_name="", leader="", member_id=member_id)
