"""Lag, as it is judged over a window of commits, and consumers that run by the clock.

How far a group is behind says little: one that reads a million records a second is a million behind
and well. What counts is whether it goes on, and how long it would take at its own pace. Records
that came within the last minutes do not count, where the source says which those are. Without the
ends of partitions there is no lag, and only what went back can be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from ..findings import Basis, Severity, Sign
from ..group_end import CommitSeen, GroupEnd
from ..rule import CandidateRows, EndRule
from .candidates import paused, rewound, waiting

_MS = 1000.0
_SHOWN = 20

Thresholds = Mapping[str, float]


def _behind(end: GroupEnd) -> list[CommitSeen]:
    """Return the partitions where records wait, the furthest behind first; of equal ones in their
    order, whatever order they were read in.
    """
    commits = [commit for commit in end.commits if commit.waits]
    return sorted(commits, key=lambda commit: (-(commit.lag or 0), commit.topic, commit.partition))


def _silent(commit: CommitSeen, now: int, thresholds: Thresholds) -> bool:
    """Return whether a partition has not been committed for longer than it ever was before."""
    usual = max(thresholds["intervals"] * commit.interval_ms, 2 * commit.longest_gap_ms)
    return now - commit.last > max(thresholds["seconds"] * _MS, usual)


def _stalled_here(commit: CommitSeen, now: int, thresholds: Thresholds) -> bool:
    """Return whether the same offset was committed again and again, and still is. Who has read all
    does that too: what came after it was shut down is nothing that it does not get past.
    """
    since = commit.last if commit.same_since is None else commit.same_since
    lasted = commit.last - since
    if commit.same_commits < thresholds["commits"] or lasted < thresholds["seconds"] * _MS:
        return False
    interval = lasted / max(commit.same_commits - 1, 1)
    return now - commit.last <= max(thresholds["seconds"] * _MS, thresholds["intervals"] * interval)


def _stopped(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [commit for commit in _behind(end) if _silent(commit, end.now, thresholds)]
    if not commits:
        return
    since = max(commit.last for commit in commits)
    # A group without members was left behind, or is started now and then.
    severity = Severity.WARNING if end.members == 0 else Severity.ERROR
    yield _sign(
        end,
        commits,
        f"has not committed for {_long(end.now - since)}",
        since=since,
        severity=severity,
    )


def _stalled(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [commit for commit in _behind(end) if _stalled_here(commit, end.now, thresholds)]
    if commits:
        since = min(commit.same_since or commit.last for commit in commits)
        yield _sign(
            end, commits, f"commits the same offset for {_long(end.now - since)}", since=since
        )


def _falling_behind(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [
        commit
        for commit in _behind(end)
        if (commit.lag or 0) >= thresholds["records"]
        and _takes_long(commit, thresholds)
        # Of those that do not go on at all, the rules above speak.
        and not _silent(commit, end.now, thresholds)
        and not _stalled_here(commit, end.now, thresholds)
    ]
    if not commits:
        return
    paces = [commit.pace for commit in commits]
    lag, pace = sum(commit.lag or 0 for commit in commits), sum(paces)
    takes = lag / pace if pace else None
    hopeless = takes is None or takes >= thresholds["hopeless"]
    prospect = (
        f"would take {_long(takes * _MS)}" if takes is not None else "has no pace to catch up"
    )
    yield _sign(
        end,
        commits,
        f"{prospect}, at {pace:,.1f} records a second",
        severity=Severity.ERROR if hopeless else Severity.WARNING,
        more={"records_a_second": round(pace, 3), "seconds_behind": takes and round(takes)},
    )


def _takes_long(commit: CommitSeen, thresholds: Thresholds) -> bool:
    """Return whether the lag is more than can have come between two runs."""
    limit = max(thresholds["seconds"], 2 * commit.longest_gap_ms / _MS)
    return (commit.lag or 0) > commit.pace * limit


def _rewound(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [
        (commit, *commit.rewound)
        for commit in end.commits
        if commit.rewound is not None
        and commit.rewound[1] - commit.rewound[2] >= thresholds["records"]
        # Once it is where it was before, it is over, and stands in the table `lag`.
        and (
            (commit.committed_offset or 0) < commit.rewound[1]
            or _back_and_forth(commit, thresholds)
        )
    ]
    if not commits:
        return
    commits.sort(key=lambda row: (row[3] - row[2], row[0].topic, row[0].partition))
    commit, _, high, low = commits[0]
    again = sum(high - low for _, _, high, low in commits)
    often = f" ({commit.rewinds:,} times)" if commit.rewinds > 1 else ""
    yield Sign(
        "",
        f"{_count(commits)} went back, {_name(commit)} from {high:,} to {low:,}{often}: {again:,} "
        "records are read again",
        {
            "since": max(row[1] for row in commits),
            "partitions": [
                {"partition": _name(commit), "at": at, "from": high, "to": low}
                for commit, at, high, low in commits[:_SHOWN]
            ],
            "partitions_in_all": len(commits),
            "records_again": again,
        },
    )


def _back_and_forth(commit: CommitSeen, thresholds: Thresholds) -> bool:
    """Return whether two commit one partition: offsets went back in many of the commits, and did so
    lately, as such things go there.
    """
    if commit.rewound is None or commit.rewinds < max(thresholds["times"], 1):
        return False
    usual = (commit.last - commit.first) / commit.rewinds
    lately = commit.last - commit.rewound[0] <= thresholds["times"] * usual
    return lately and commit.rewinds >= thresholds["share"] * commit.commits


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
            f"{_count(commits)} committed in bursts, with up to {_long(longest)} in between",
            {"longest_gap_ms": longest, "partitions_in_all": len(commits), "since": first},
        )


def _sign(
    end: GroupEnd,
    found: Sequence[CommitSeen],
    what: str,
    *,
    since: int | None = None,
    severity: Severity | None = None,
    more: Mapping[str, Any] = {},
) -> Sign:
    lag = sum(commit.lag or 0 for commit in found)
    worst = found[0]
    return Sign(
        "",
        f"{_count(found)}, {lag:,} records behind, {_name(worst)} the most ({worst.lag:,}): {what}",
        {
            "lag": lag,
            "partitions_in_all": len(found),
            "partitions": [
                {
                    "partition": _name(commit),
                    "lag": commit.lag,
                    "committed_offset": commit.committed_offset,
                    "last_commit": commit.last,
                }
                for commit in found[:_SHOWN]
            ],
            "members": end.members,
            **more,
            **({} if since is None else {"since": since}),
        },
        severity,
    )


def _name(commit: CommitSeen) -> str:
    return f"{commit.topic}-{commit.partition}"


def _count(found: Sequence[object]) -> str:
    return "1 partition" if len(found) == 1 else f"{len(found):,} partitions"


def _long(milliseconds: float) -> str:
    return str(timedelta(seconds=int(milliseconds / _MS)))


_YOUNG = "A lag of records that came within five minutes is none, if the source says which did."


def _rule(
    id_: str,
    title: str,
    severity: Severity,
    find: Callable[[GroupEnd, Thresholds], Iterator[Sign]],
    thresholds: Thresholds,
    *,
    candidates: CandidateRows = waiting,
    basis: Basis = Basis.OBSERVED,
    **texts: str,
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
        _stopped,
        {"seconds": 600, "intervals": 10},
        meaning="The group does not read these partitions any more, and their lag grows.",
        predicate=(
            "A partition with a lag was not committed for `seconds`, nor for `intervals` times its "
            "usual interval between two commits, nor for twice its longest pause. A warning if the "
            "group is known to have no members. " + _YOUNG
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
            "interval between them. " + _YOUNG
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
            "At its rate so far, the group would need long to read what waits now, and more "
            "records arrive."
        ),
        predicate=(
            "A lag of `records` or more that would take `seconds` at the rate of all commits that "
            "are known, and more than twice the longest pause between them, if the partition is "
            "neither stopped (`intervals`) nor stalled (`commits`); an error if it would take "
            "`hopeless` seconds. " + _YOUNG
        ),
        next_action="Add members, up to the number of partitions; find out what takes long.",
    ),
    _rule(
        "offset-rewound",
        "Committed offsets went back",
        Severity.WARNING,
        _rewound,
        {"records": 10, "times": 3, "share": 0.05},
        candidates=rewound,
        meaning=(
            "Records are processed again: somebody has reset the group, two members commit one "
            "partition, or the topic was created again."
        ),
        predicate=(
            "A committed offset is `records` or more below the previous one, and the group has not "
            "reached that one again; or it has, and offsets went back `times` times, in a `share` "
            "of the commits, and not longer ago than `times` times their usual interval."
        ),
        next_action="If nobody reset it: look for a second consumer with this group's name.",
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
            "longest interval was `times` the average one."
        ),
        next_action="None, if that is intended.",
    ),
)
