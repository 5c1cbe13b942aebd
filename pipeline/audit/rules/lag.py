"""Lag, as it is judged over the commits of a group, and consumers that run by the clock.

How far a group is behind says little: one that reads a million records a second is a million behind
and well. What counts is whether it goes on, and how long it would take at its own pace. Records
that came within the last minutes do not count, where the source says which those are. Without the
ends of partitions there is no lag.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ....history.finding_sentences import duration_text
from ....rebalance.judgements import EARLIER_MS, seconds_behind
from ....wording import counted
from ..findings import Basis, Severity, Sign
from ..group_end import CommitSeen, DeletedCommit, GroupEnd
from ..rule import CandidateRows, EndRule
from .candidates import paused, waiting

_MS = 1000.0
_SHOWN = 20

Thresholds = Mapping[str, float]


def _lagging_commits(end: GroupEnd) -> list[CommitSeen]:
    """Return the partitions where records wait, the furthest behind first; of equal ones in their
    order, whatever order they were read in. What was committed for topics that nobody subscribes to
    any more is left over, and does not wait.
    """
    commits = [
        commit for commit in end.commits if commit.waits and commit.is_subscribed is not False
    ]
    return sorted(commits, key=lambda commit: (-(commit.lag or 0), commit.topic, commit.partition))


def _silent(commit: CommitSeen, moment: int, thresholds: Thresholds) -> bool:
    """Return whether a partition has not been committed for longer than is usual."""
    usual = max(thresholds["intervals"] * commit.interval_ms, 2 * commit.usual_gap_ms)
    return moment - commit.last > max(thresholds["seconds"] * _MS, usual)


def _stalled_here(commit: CommitSeen, moment: int, thresholds: Thresholds) -> bool:
    """Return whether the same offset was committed again and again, and still is. Who has read all
    does that too: what came after it was shut down is nothing that it does not get past.
    """
    since = commit.last if commit.same_since is None else commit.same_since
    lasted = commit.last - since
    if commit.same_commits < thresholds["commits"] or lasted < thresholds["seconds"] * _MS:
        return False
    interval = lasted / max(commit.same_commits - 1, 1)
    return moment - commit.last <= max(
        thresholds["seconds"] * _MS, thresholds["intervals"] * interval
    )


def _find_stopped(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [commit for commit in _lagging_commits(end) if _silent(commit, end.now, thresholds)]
    if not commits:
        return
    since = max(commit.last for commit in commits)
    # A group without members was left behind, or is started now and then.
    severity = Severity.WARNING if end.members == 0 else Severity.ERROR
    text = f"has not committed for {_long(end.now - since)}"
    yield _sign_unless_marks(end, commits, text, since, severity)


def _stalled(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [
        commit for commit in _lagging_commits(end) if _stalled_here(commit, end.now, thresholds)
    ]
    if not commits:
        return
    since = min(commit.same_since or commit.last for commit in commits)
    text = f"commits the same offset for {_long(end.now - since)}"
    yield _sign_unless_marks(end, commits, text, since)


def _sign_unless_marks(
    end: GroupEnd,
    commits: Sequence[CommitSeen],
    text: str,
    since: int,
    severity: Severity | None = None,
) -> Sign:
    """Return the sign, mild where no partition lacks more than one record."""
    if any((commit.lag or 0) > 1 for commit in commits):
        return _sign(end, commits, text, since=since, severity=severity)
    text += f"; one record each {MAY_BE_A_MARK}"
    return _sign(end, commits, text, since=since, severity=Severity.INFO, basis=Basis.INFERRED)


MAY_BE_A_MARK = "may be the mark at the end of a transaction, which nobody commits"


def _falling_behind(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [
        commit
        for commit in _lagging_commits(end)
        if (commit.lag or 0) >= thresholds["records"]
        and _takes_long(commit, thresholds)
        # Of those that do not go on at all, the rules above speak.
        and not _silent(commit, end.now, thresholds)
        and not _stalled_here(commit, end.now, thresholds)
    ]
    if not commits:
        return
    lag = sum(commit.lag or 0 for commit in commits)
    pace = sum(commit.records_a_second or 0 for commit in commits)
    arrivals = [commit.arrivals_a_second for commit in commits]
    arriving = None if None in arrivals else sum(rate or 0 for rate in arrivals)
    takes = seconds_behind(lag, pace, arriving or 0)
    hopeless = takes is None or takes >= thresholds["hopeless"]
    at = f"at {pace:,.1f} records a second"
    at += ", if nothing more arrives" if arriving is None else f", while {arriving:,.1f} arrive"
    prospect = f"would take {_long(takes * _MS)}" if takes is not None else "never catches up"
    since = min((_behind_since(commit, end.now) for commit in commits), default=end.now)
    if end.now - since >= EARLIER_MS:
        at += f"; it has been behind for about {_long(end.now - since)}"
    yield _sign(
        end,
        commits,
        f"{prospect}, {at}",
        since=since,
        severity=Severity.ERROR if hopeless else Severity.WARNING,
        more={
            "records_a_second": round(pace, 3),
            "arriving_a_second": None if arriving is None else round(arriving, 3),
            "seconds_behind": takes and round(takes),
        },
    )


def _behind_since(commit: CommitSeen, now: int) -> int:
    """Return since when a partition is behind, as far as that is known: since its next record
    arrived, at the rate of now, but not longer than it is read, or since its offset went back."""
    since = now
    if commit.arrivals_a_second:
        since = round(now - (commit.lag or 0) / commit.arrivals_a_second * _MS)
    if commit.rewound is not None and (commit.committed_offset or 0) < commit.rewound[1]:
        at = commit.rewound[0]
        since = at if since == now else max(since, at)
    return max(since, commit.first)


def _takes_long(commit: CommitSeen, thresholds: Thresholds) -> bool:
    """Return whether the lag is more than can have come between two runs. Without a pace nothing
    tells.
    """
    if commit.records_a_second is None:
        return False
    limit = max(thresholds["seconds"], 2 * commit.usual_gap_ms / _MS)
    return (commit.lag or 0) > commit.records_a_second * limit


def _scheduled(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [
        commit
        for commit in end.commits
        if commit.pauses >= thresholds["pauses"]
        and commit.longest_gap_ms >= thresholds["times"] * commit.interval_ms
    ]
    if commits:
        longest = max(commit.longest_gap_ms for commit in commits)
        first = min(commit.first for commit in commits)
        yield Sign(
            "",
            f"{count(commits)} committed in bursts, with up to {_long(longest)} in between",
            {"longest_gap_ms": longest, "partitions_in_all": len(commits), "since": first},
        )


def _sign(
    end: GroupEnd,
    commits: Sequence[CommitSeen],
    summary: str,
    *,
    since: int | None = None,
    severity: Severity | None = None,
    basis: Basis | None = None,
    more: Mapping[str, Any] = {},
) -> Sign:
    lag = sum(commit.lag or 0 for commit in commits)
    worst = commits[0]
    return Sign(
        "",
        f"{count(commits)}, {counted(lag, 'record')} behind, {name(worst)} the most "
        f"({worst.lag:,}): {summary}",
        {
            "lag": lag,
            "partitions_in_all": len(commits),
            "partitions": [
                {
                    "partition": name(commit),
                    "lag": commit.lag,
                    "committed_offset": commit.committed_offset,
                    "last_commit": commit.last,
                }
                for commit in commits[:_SHOWN]
            ],
            "members": end.members,
            **more,
            **({} if since is None else {"since": since}),
        },
        severity,
        basis,
    )


def name(commit: CommitSeen | DeletedCommit) -> str:
    """Return the name of a partition."""
    return f"{commit.topic}-{commit.partition}"


def count(rows: Collection[object]) -> str:
    """Return how many partitions these are, in words."""
    return counted(len(rows), "partition")


def _long(milliseconds: float) -> str:
    return duration_text(milliseconds / _MS)


_YOUNG = (
    "A lag of records that came within five minutes is none, if the source says which did; the "
    "table `lag` has it all the same."
)


def _rule(
    id_: str,
    title: str,
    severity: Severity,
    find: Callable[[GroupEnd, Thresholds], Iterator[Sign]],
    thresholds: Thresholds,
    *,
    candidates: CandidateRows = waiting,
    basis: Basis = Basis.OBSERVED,
    **texts: Any,
) -> EndRule:
    return EndRule(
        id=id_,
        title=title,
        severity=severity,
        basis=basis,
        find=find,
        thresholds=thresholds,
        inputs=("commits", "ends") if candidates is waiting else ("commits",),
        late=True,
        candidates=candidates,
        source="Burrow's evaluation of consumer lag over a window of commits",
        **texts,
    )


RULES = (
    _rule(
        "lag-stopped",
        "Nobody commits, and records wait",
        Severity.ERROR,
        _find_stopped,
        {"seconds": 600, "intervals": 10},
        meaning="The group does not read these partitions any more, and their lag grows.",
        predicate=(
            "A partition with a lag was not committed for `seconds`, nor for `intervals` times its "
            "average interval between two commits, nor for twice the longest that is usual (that "
            "happened twice, or takes half of all the time). A warning if the "
            "group is known to have no members; info if no partition lacks more than one record, "
            "which may be the mark of a transaction. " + _YOUNG
        ),
        next_action=(
            "Check whether the process runs; if it does, find out what its threads wait for."
        ),
    ),
    _rule(
        "lag-stalled",
        "The same offset is committed again and again, and records wait",
        Severity.ERROR,
        _stalled,
        {"commits": 5, "seconds": 300, "intervals": 10},
        meaning="The member polls and commits, but does not get past one record.",
        predicate=(
            "The last commits of a partition with a lag, `commits` or more over `seconds`, have "
            "one offset, and the latest is no older than `seconds`, or `intervals` times the "
            "interval between them. Info if no partition lacks more than one record, which may be "
            "the mark of a transaction. " + _YOUNG
        ),
        next_action=(
            "Look at the record at that offset: it cannot be processed, or the partition is paused."
        ),
    ),
    _rule(
        "lag-falling-behind",
        "The group does not keep up",
        Severity.WARNING,
        _falling_behind,
        {"records": 1000, "seconds": 600, "hopeless": 86_400, "intervals": 10, "commits": 5},
        basis=Basis.INFERRED,
        meaning=(
            "At its pace, the group would need long to read what waits now, and more "
            "records arrive."
        ),
        predicate=(
            "A lag of `records` or more that would take `seconds` at the pace of now (of the last "
            "five to twenty minutes, or of a day or two where commits come seldom), and more than "
            "twice the longest usual pause, if the partition is neither stopped (`lag-stopped`) "
            "nor stalled (`lag-stalled`). What arrives meanwhile counts, if it is known; an error "
            "if it would take `hopeless`, or if records arrive as fast as they are read (within "
            "1 %), or faster. One commit gives no pace. " + _YOUNG
        ),
        next_action=("Find out what takes long. Add members, up to the number of partitions."),
    ),
    _rule(
        "scheduled-consumer",
        "The group reads in bursts",
        Severity.INFO,
        _scheduled,
        {"pauses": 2, "times": 3},
        candidates=paused,
        basis=Basis.INFERRED,
        meaning=(
            "The consumer is started on a schedule, or its topic is written in bursts: neither "
            "silence nor a lag between two runs means trouble."
        ),
        predicate=(
            "There were `pauses` or more intervals of ten minutes without a commit, and the "
            "longest interval was `times` times the average one."
        ),
        next_action="None, if that is intended.",
    ),
)
