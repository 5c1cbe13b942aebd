"""What the processing side of every member does, whatever its group protocol: it polls, reads, and
runs the listener's callbacks.
"""

from __future__ import annotations

from ...assignments import Partition
from .callbacks import Work
from .error_codes import ErrorCode
from .member_state import AnyMemberTurn, Call, ReadRecords, SetTimer, Timer

# -- conditions


def idle(turn: AnyMemberTurn) -> bool:
    """Return whether no callback runs and no batch is being processed."""
    return not turn.state.calling and not turn.state.busy


def processing_hangs(turn: AnyMemberTurn) -> bool:
    """Return whether a batch or a callback takes that long. In a poll that waits nothing is
    overdue.
    """
    return not idle(turn)


def owns_something(turn: AnyMemberTurn) -> bool:
    """Return whether there are partitions to read from."""
    return idle(turn) and bool(turn.state.owned)


def without_error(turn: AnyMemberTurn) -> bool:
    """Return whether the answer has no error."""
    return turn.error == ErrorCode.NONE


# -- reactions


def read(turn: AnyMemberTurn) -> None:
    """Hand out records; a cooperative member does so while it rebalances, too."""
    turn.change(busy=True)
    turn.act(ReadRecords(turn.state.owned))
    restart_poll_timer(turn)


def wait(turn: AnyMemberTurn) -> None:
    """Restart the poll timer; there is nothing to read."""
    restart_poll_timer(turn)


def read_nothing(turn: AnyMemberTurn) -> None:
    """End a poll that returned no records: there is nothing to commit."""
    turn.change(busy=False)


# -- parts


def restart_poll_timer(turn: AnyMemberTurn) -> None:
    """Give the application its time to the next poll."""
    turn.act(SetTimer(Timer.POLL, turn.settings.max_poll_interval_ms))


def call_listener(turn: AnyMemberTurn, work: Work, partitions: frozenset[Partition]) -> None:
    """Run a callback; where a listener has no onPartitionsLost, its onPartitionsRevoked."""
    falls_back = work is Work.LOST and not turn.settings.listens_to_lost
    turn.act(Call(Work.REVOKED if falls_back else work, partitions))
    turn.change(calling=True)
