"""Groups that have stopped: a partition that is no longer read, a rebalance that does not end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....history.finding_sentences import duration_text
from ....inspector.shapes.shape import iso_time
from ....wording import counted
from ..findings import Basis, NamedCause, Severity, Sign
from ..group_end import CommitSeen, GroupEnd
from ..rebalances import Takeover
from ..rule import EndRule
from .candidates import silent
from .lag import MAY_BE_A_MARK

_MS = 1000.0
_REBALANCING = ("preparing", "completing", "assigning", "reconciling")


def _stuck_partition(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    owners = end.owner
    if not owners:
        return
    regular = [commit for commit in end.commits if commit.commits >= thresholds["commits"]]
    latest = max((commit.last for commit in regular), default=0)
    for commit in regular:
        silence = _silence(commit, latest, thresholds)
        if silence is None or (commit.topic, commit.partition) not in owners:
            continue
        lag = commit.lag
        if lag is not None and not commit.waits:
            continue  # there is nothing to read, or not for long
        owner = owners[commit.topic, commit.partition]
        lag_text = f", {counted(lag, 'record')} behind" if lag is not None else ""
        lag_text += f", which {MAY_BE_A_MARK}" * (lag == 1)
        takeover = end.takeovers.get((commit.topic, commit.partition))
        held_ms = latest if takeover is None else latest - takeover.at
        blamed, takeover_text, cause = owner, "", None
        evidence: Mapping[str, object] = {}
        if takeover is not None and takeover.at > commit.last and held_ms < silence / 2:
            blamed = takeover.member_id
            takeover_text, evidence, cause = _takeover(takeover, owner)
        yield Sign(
            f"{commit.topic}-{commit.partition}",
            f"{commit.topic}-{commit.partition} of {blamed} was committed "
            f"{counted(commit.commits, 'time')}, "
            f"and not for {duration_text(silence / _MS)} while the group's others went on{lag_text}"
            f"{takeover_text}",
            {
                "topic": commit.topic,
                "partition": commit.partition,
                "member_id": blamed,
                "since": commit.last,
                "commits": commit.commits,
                "lag": lag,
                **evidence,
            },
            *_severity_and_basis(lag),
            cause,
        )


def _severity_and_basis(lag: int | None) -> tuple[Severity, Basis]:
    """Return how bad a silence is, and how that is known: one record may be a mark."""
    if lag is None or lag == 1:
        return (Severity.WARNING if lag is None else Severity.INFO), Basis.INFERRED
    return Severity.ERROR, Basis.OBSERVED


def _takeover(
    takeover: Takeover, owner: str
) -> tuple[str, Mapping[str, object], NamedCause | None]:
    """Return what to say of a partition whose owner went silent and lost it: in words, as evidence,
    and the cause. Who has it now has just begun."""
    at = iso_time(takeover.at)
    evidence: dict[str, object] = {"taken_over_by": owner, "at": takeover.at}
    session_text = ""
    if takeover.session_ms >= 0:
        evidence["session_timeout_s"] = session = takeover.session_ms / _MS
        session_text = f"; its session timeout is {duration_text(session)}"
    if not takeover.has_left:
        return f"; {owner} has it since {at}, and is not to blame", evidence, None
    cause = NamedCause(
        "session-expired",
        "likely",
        f"{takeover.name} fell silent and was removed{session_text}",
    )
    text = f"; that owner is gone, {owner} has it since {at} and is not to blame"
    return text, evidence, cause


def _silence(commit: CommitSeen, latest: int, thresholds: Mapping[str, float]) -> float | None:
    """Return for how long a partition has not been committed, in milliseconds up to the latest
    commit of the group; None where that is no sign.
    """
    if commit.committed_offset is None:
        return None
    pace = (commit.last - commit.first) / max(commit.commits - 1, 1)
    # One that is read in bursts is silent in between.
    limit = max(thresholds["seconds"] * _MS, thresholds["paces"] * pace, 2 * commit.usual_gap_ms)
    silence = latest - commit.last
    return silence if silence > limit else None


def _stuck_rebalance(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    state = end.state
    if state is None or not state.state.lower().startswith(_REBALANCING):
        return
    members = end.step.members if end.step is not None else ()
    limit = max([member.rebalance_timeout for member in members] or [0])
    limit = max(limit, int(thresholds["seconds"] * _MS))
    long = state.unstable_ms > limit
    # It began after the last generation, and after what members committed at last.
    recorded = [end.step.place.timestamp] if end.step is not None else []
    began = max([*recorded, *(commit.last for commit in end.commits)], default=end.now)
    yield Sign(
        "",
        f"the broker says {state.state}"
        + (
            f" for {duration_text(state.unstable_ms / _MS)} at least"
            if state.unstable_ms >= _MS
            else " at this moment; whether it lasts, --for 400s shows"
        ),
        {
            "state": state.state,
            "unstable_ms": state.unstable_ms,
            "since": min(began, end.now - state.unstable_ms),
        },
        Severity.ERROR if long else Severity.INFO,
        Basis.OBSERVED,
    )


RULES = (
    EndRule(
        id="stuck-partition",
        title="A partition is not committed any more",
        severity=Severity.WARNING,
        basis=Basis.INFERRED,
        meaning="Its records wait while the member looks alive: a record that cannot be processed, "
        "a thread that hangs, a partition that was paused and never resumed.",
        source="KIP-62: a heartbeat of its own keeps a member that makes no progress",
        predicate=(
            "A partition that a member owns was committed at least `commits` times, then not for "
            "`seconds` and for `paces` times its usual interval, while another partition of the "
            "group was. If end offsets are known: an error with a lag (of records that came within "
            "five minutes there is none; info where it is one record, which may be the mark of a "
            "transaction), no finding without one."
        ),
        next_action="Look at what this member does with the record after the committed offset.",
        find=_stuck_partition,
        inputs=("history", "commits"),
        thresholds={"commits": 10, "seconds": 300, "paces": 20},
        candidates=silent,
    ),
    EndRule(
        id="stuck-rebalance",
        title="A rebalance does not end",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "No member of the group reads. The topic has no trace of it: a record is written only "
            "when the leader has assigned."
        ),
        source="GroupMetadataManager: a record is appended in SyncGroup",
        predicate=(
            "The broker reports that the group is rebalancing: info; an error if it did so for "
            "longer than the largest rebalance timeout of the members, and `seconds`."
        ),
        next_action=(
            "Look for the member that does not rejoin: if its poll loop hangs, its heartbeats "
            "continue, and all members wait for it until the rebalance timeout."
        ),
        find=_stuck_rebalance,
        inputs=("states",),
        thresholds={"seconds": 300},
    ),
)
