"""The join states of librdkafka for a member of a consumer group, under the names in its debug log.

A simulated member does what Java's does; librdkafka tells the same course by other states. It takes
a target up as soon as it has come, while Java waits for a poll; it has no state of its own for an
acknowledgement that is due; and a first target that is empty leaves it in `init`.
"""

from __future__ import annotations

from enum import StrEnum

from ..machines.callbacks import Work
from .member_state import ConsumerMemberState, MemberPhase


class JoinState(StrEnum):
    """The states that a member of a consumer group (KIP-848) can be in."""

    INIT = "init"
    """The member is about to join, or has been given nothing yet."""
    WAIT_ASSIGN_CALL = "wait-assign-call"
    """The application is told of new partitions, and has to call assign."""
    WAIT_UNASSIGN_CALL = "wait-unassign-call"
    """The application is told what is revoked or lost, and has to call unassign."""
    WAIT_UNASSIGN_TO_COMPLETE = "wait-unassign-to-complete"
    """All partitions are given up: fetching ends, and offsets are committed."""
    WAIT_INCR_UNASSIGN_TO_COMPLETE = "wait-incr-unassign-to-complete"
    """Some partitions are given up."""
    STEADY = "steady"
    """The member has its assignment."""


_OUT = frozenset({MemberPhase.UNSUBSCRIBED, MemberPhase.JOINING, MemberPhase.FENCED,
                  MemberPhase.STALE, MemberPhase.PREPARE_LEAVING})  # fmt: skip


def join_states(last: JoinState, state: ConsumerMemberState) -> tuple[JoinState, ...]:
    """Return the join states that follow the last one, up to that of a member's state. What Java
    does without a state of its own is passed in no time.
    """
    state_now = _join_state(last, state)
    if state_now is last:
        return ()
    if last is not JoinState.WAIT_UNASSIGN_CALL:
        return (state_now,)
    if state_now is JoinState.INIT:
        return JoinState.WAIT_UNASSIGN_TO_COMPLETE, state_now
    return JoinState.WAIT_INCR_UNASSIGN_TO_COMPLETE, state_now


def _join_state(last: JoinState, state: ConsumerMemberState) -> JoinState:
    due = {task.work for task in state.tasks}
    if due & {Work.REVOKED, Work.LOST}:
        return JoinState.WAIT_UNASSIGN_CALL
    if state.phase in _OUT:
        return JoinState.INIT
    target = state.owned if state.target is None else state.target
    given_nothing = last is JoinState.INIT and not target and not state.owned
    if given_nothing or state.phase is MemberPhase.FATAL:
        return last
    if Work.ASSIGNED in due:
        return JoinState.WAIT_ASSIGN_CALL
    if state.phase is MemberPhase.RECONCILING and target != state.owned:
        revokes = bool(state.owned - target)
        return JoinState.WAIT_UNASSIGN_CALL if revokes else JoinState.WAIT_ASSIGN_CALL
    return JoinState.STEADY
