"""The sum of a partition's commits, as the compiled core adds it up (`codec/native/src/sums.rs`),
and what it says for rules.

It is used where there is no core, and where one group alone is looked at.

The numbers are int64, and wrap as these do. Times are in microseconds; -1 is what is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from .group_end import CommitSeen, DeletedCommit
from .vacancies import Vacancy, how_rewound, how_skipped, vacant_before

__all__ = [
    "DAY",
    "LIMITS",
    "PAUSE_MS",
    "REWIND",
    "STRETCH",
    "CommitSum",
    "Limits",
    "commit_seen",
    "deleted_commit",
]

_LARGEST = (1 << 63) - 1
_NUMBERS = (
    "committed_offset", "first", "last", "commits", "first_offset", "highest_offset",
    "same_since", "same_commits", "longest_gap_ms", "pauses", "rewinds", "rewound_at",
    "rewound_from", "rewound_to", "second_gap_ms", "known_offset", "known_at", "first_known",
    "first_known_at", "rewound_gap_ms", "rewound_deleted", "again", "jump_at", "jump_from",
    "jump_to", "recent_at", "recent_offset", "before_at", "before_offset", "day_at", "day_offset",
    "day_commits", "day_rewinds", "eve_at", "eve_offset", "eve_commits", "eve_rewinds",
    "jump_gap_ms", "jump_deleted",
)  # fmt: skip
"""In the order of the core."""


class Limits(NamedTuple):
    """From which gap on a pause is one, by how much an offset has to fall, and for how long the
    first commit of a stretch is kept; gaps in milliseconds, the others in microseconds."""

    pause_ms: int
    rewind: int
    stretch: int
    day: int


PAUSE_MS = 600_000
REWIND = 10
STRETCH = 600_000_000
"""Microseconds: the pace of now is reckoned from the first commit of the last stretch, or of the
one before."""
DAY = 86_400_000_000
LIMITS = Limits(PAUSE_MS, REWIND, STRETCH, DAY)


def _wrapped(number: int) -> int:
    return (number + _LARGEST + 1) % (1 << 64) - _LARGEST - 1


def _saturated(number: int) -> int:
    return max(min(number, _LARGEST), -_LARGEST - 1)


def _gap_ms(earlier: int, later: int) -> int:
    """Return the time between two commits; 0 where one is not known."""
    return max(later - earlier, 0) // 1000 if earlier >= 0 and later >= 0 else 0


class CommitSum:
    """The sum of one commit, or of several."""

    __slots__ = (*_NUMBERS, "before")

    def __init__(self) -> None:
        self.committed_offset = -1
        self.first = -1
        self.last = -1
        self.commits = 0
        self.first_offset = -1
        self.highest_offset = -1
        self.same_since = -1
        self.same_commits = 0
        self.longest_gap_ms = 0
        self.pauses = 0
        self.rewinds = 0
        self.rewound_at = -1
        self.rewound_from = -1
        self.rewound_to = -1
        self.second_gap_ms = 0
        self.known_offset = -1
        self.known_at = -1
        self.first_known = -1
        self.first_known_at = -1
        self.rewound_gap_ms = 0
        self.rewound_deleted = 0
        self.again = 0
        self.jump_at = -1
        self.jump_from = -1
        self.jump_to = -1
        self.recent_at = -1
        self.recent_offset = -1
        self.before_at = -1
        self.before_offset = -1
        self.day_at = -1
        self.day_offset = -1
        self.day_commits = 0
        self.day_rewinds = 0
        self.eve_at = -1
        self.eve_offset = -1
        self.eve_commits = 0
        self.eve_rewinds = 0
        self.jump_gap_ms = 0
        self.jump_deleted = 0
        self.before = -1
        """The last time of what was added last."""

    @classmethod
    def of_commit(cls, offset: int, time: int) -> Self:
        """Return the sum of one commit."""
        new = cls()
        new.committed_offset = new.first_offset = new.highest_offset = offset
        new.first = new.last = new.same_since = new.before = time
        new.same_commits = 1
        if offset >= 0:
            new.commits = 1
            new.known_offset = new.first_known = offset
            new.known_at = new.first_known_at = time
            if time >= 0:
                new.recent_at = new.day_at = time
                new.recent_offset = new.day_offset = offset
                new.day_commits = 1
        return new

    @classmethod
    def of_numbers(cls, *numbers: int) -> Self:
        """Return the sum with these numbers."""
        new = cls()
        for name, number in zip(_NUMBERS, numbers, strict=True):
            setattr(new, name, number)
        new.before = new.last
        return new

    def numbers(self) -> list[int]:
        """Return the numbers in their order."""
        return [getattr(self, name) for name in _NUMBERS]

    def add(self, part: CommitSum, limits: Limits) -> None:
        """Add what comes next."""
        self._add_gap(part, limits)
        self._add_same(part)
        rewinds = self._add_steps(part, limits)
        self._add_stretches(part, limits)
        self._add_days(part, rewinds, limits)
        if self.first < 0 or 0 <= part.first < self.first:
            self.first = max(part.first, -1)
        self.last = max(self.last, part.last)
        self.commits = _wrapped(self.commits + part.commits)
        self.highest_offset = max(self.highest_offset, part.highest_offset)
        self.committed_offset = part.committed_offset
        if part.first_known >= 0:
            self.known_offset, self.known_at = part.known_offset, part.known_at
            if self.first_known < 0:
                self.first_known, self.first_known_at = part.first_known, part.first_known_at
        self.before = part.before

    def _add_gap(self, part: CommitSum, limits: Limits) -> None:
        between = _gap_ms(self.before, part.first)
        for gap in (part.longest_gap_ms, part.second_gap_ms, between):
            if gap > self.longest_gap_ms:
                self.second_gap_ms, self.longest_gap_ms = self.longest_gap_ms, gap
            else:
                self.second_gap_ms = max(self.second_gap_ms, gap)
        self.pauses = _wrapped(self.pauses + part.pauses + (between >= limits.pause_ms))

    def _add_same(self, part: CommitSum) -> None:
        """Since when, and how often, the last offset was committed again."""
        if (
            part.first_offset == self.committed_offset == part.committed_offset
            and part.same_commits == part.commits
            and part.first_offset >= 0
        ):
            self.same_commits = _wrapped(self.same_commits + part.same_commits)
        else:
            self.same_since, self.same_commits = part.same_since, part.same_commits

    def _add_steps(self, part: CommitSum, limits: Limits) -> int:
        """Add the steps back and forth between the last offset that was not deleted and the next
        ones, and return how many of them went back."""
        is_step = self.known_offset >= 0 and part.first_known >= 0
        step = part.first_known - self.known_offset
        is_here = is_step and step <= -limits.rewind
        gap = _gap_ms(self.known_at, part.first_known_at)
        is_deleted = int(self.committed_offset < 0 or part.first_offset < 0)
        if part.rewinds > 0:
            self.rewound_at, self.rewound_from = part.rewound_at, part.rewound_from
            self.rewound_to = part.rewound_to
            self.rewound_gap_ms = part.rewound_gap_ms
            self.rewound_deleted = part.rewound_deleted
        elif is_here:
            self.rewound_at, self.rewound_from = part.first_known_at, self.known_offset
            self.rewound_to = part.first_known
            self.rewound_gap_ms, self.rewound_deleted = gap, is_deleted
        self.again = _wrapped(self.again + (-step if is_here else 0) + part.again)
        if is_step and step > 0 and step >= self._jump():
            self.jump_at, self.jump_from = part.first_known_at, self.known_offset
            self.jump_to = part.first_known
            self.jump_gap_ms, self.jump_deleted = gap, is_deleted
        if part.jump_to >= 0 and part._jump() >= self._jump():
            self.jump_at, self.jump_from = part.jump_at, part.jump_from
            self.jump_to = part.jump_to
            self.jump_gap_ms, self.jump_deleted = part.jump_gap_ms, part.jump_deleted
        rewinds = part.rewinds + is_here
        self.rewinds = _wrapped(self.rewinds + rewinds)
        return rewinds

    def _jump(self) -> int:
        """Return by how much the offset rose most at once."""
        return _saturated(self.jump_to - self.jump_from)

    def _add_stretches(self, part: CommitSum, limits: Limits) -> None:
        if part.recent_at < 0:
            return
        if part.before_at < 0:
            if not _is_one(self.recent_at, part.recent_at, limits.stretch):
                self.before_at, self.before_offset = self.recent_at, self.recent_offset
                self.recent_at, self.recent_offset = part.recent_at, part.recent_offset
            return
        is_first = part.before_at == part.first_known_at
        if is_first and _is_one(self.recent_at, part.before_at, limits.stretch):
            self.before_at, self.before_offset = self.recent_at, self.recent_offset
        else:
            self.before_at, self.before_offset = part.before_at, part.before_offset
        self.recent_at, self.recent_offset = part.recent_at, part.recent_offset

    def _add_days(self, part: CommitSum, rewinds: int, limits: Limits) -> None:
        """As `_add_stretches`, with the commits from the first one of a day on, and of them those
        that went back; `rewinds` are those of the part and of the step to it."""
        if self.day_at >= 0:
            self.day_commits = _wrapped(self.day_commits + part.commits)
            self.day_rewinds = _wrapped(self.day_rewinds + rewinds)
        if self.eve_at >= 0:
            self.eve_commits = _wrapped(self.eve_commits + part.commits)
            self.eve_rewinds = _wrapped(self.eve_rewinds + rewinds)
        if part.day_at < 0:
            return
        joins_first = part.eve_at == part.first_known_at and _is_one(
            self.day_at, part.eve_at, limits.day
        )
        if part.eve_at >= 0 and not joins_first:
            self.eve_at, self.eve_offset = part.eve_at, part.eve_offset
            self.eve_commits, self.eve_rewinds = part.eve_commits, part.eve_rewinds
        elif part.eve_at >= 0 or not _is_one(self.day_at, part.day_at, limits.day):
            self.eve_at, self.eve_offset = self.day_at, self.day_offset
            self.eve_commits, self.eve_rewinds = self.day_commits, self.day_rewinds
        else:
            return
        self.day_at, self.day_offset = part.day_at, part.day_offset
        self.day_commits, self.day_rewinds = part.day_commits, part.day_rewinds


def _is_one(left: int, right: int, length: int) -> bool:
    """Return whether two times are in one stretch by the clock."""
    return left >= 0 and left // length == right // length


# -- what a sum says, for rules

_SPAN_US = 300_000_000
"""Over how long a pace is reckoned at least."""
_BURST, _GAPS = 3, 4
"""Where usual gaps are longer than so many average intervals, commits come in bursts, and a pace is
reckoned over at least so many of these gaps."""


def commit_seen(  # noqa: PLR0913  # all but three by name
    topic: str,
    partition: int,
    commits: CommitSum,
    *,
    end: int | None = None,
    end_before: int | None = None,
    start: int | None = None,
    is_subscribed: bool | None = None,
    vacancies: Sequence[Vacancy] = (),
) -> CommitSeen:
    """Return the commits of a partition as rules are given them: what `groups.commit_sums` and
    `groups.commits_seen` make of many partitions at once."""
    is_eve = commits.eve_at >= 0
    rewound = _step(commits.rewound_at, commits.rewound_from, commits.rewound_to)
    jump = _step(commits.jump_at, commits.jump_from, commits.jump_to)
    pace = _pace(commits)
    skipped_how = jump and how_skipped(
        jump, commits.jump_gap_ms, bool(commits.jump_deleted), pace, vacancies
    )
    return CommitSeen(
        topic,
        partition,
        _known(commits.committed_offset),
        commits.first // 1000,
        commits.last // 1000,
        commits.commits,
        end,
        first_offset=_known(commits.first_offset),
        highest_offset=_known(commits.highest_offset),
        same_since=None if commits.same_since < 0 else commits.same_since // 1000,
        same_commits=commits.same_commits,
        longest_gap_ms=commits.longest_gap_ms,
        pauses=commits.pauses,
        rewinds=commits.rewinds,
        usual_gap_ms=_usual_gap(commits),
        records_a_second=pace,
        lately_commits=commits.eve_commits if is_eve else commits.commits,
        lately_rewinds=commits.eve_rewinds if is_eve else commits.rewinds,
        records_again=commits.again,
        start=start,
        end_before=end_before,
        is_subscribed=is_subscribed,
        rewound=rewound,
        rewound_how=rewound
        and how_rewound(
            rewound[0], commits.rewound_gap_ms, bool(commits.rewound_deleted), vacancies
        ),
        skipped=jump if skipped_how else None,
        skipped_how=skipped_how,
    )


def deleted_commit(
    topic: str, partition: int, commits: CommitSum, vacancies: Sequence[Vacancy]
) -> DeletedCommit:
    """Return the last commit of a partition, which was deleted."""
    last = None if commits.known_at < 0 else commits.known_at // 1000
    deleted_at = commits.last // 1000
    vacant_ms = vacant_before(deleted_at, last, vacancies)
    offset = _known(commits.known_offset)
    return DeletedCommit(topic, partition, offset, last, deleted_at, vacant_ms)


def _known(number: int) -> int | None:
    return None if number < 0 else number


def _step(at: int, start: int, end: int) -> tuple[int, int, int] | None:
    return None if at < 0 else (at // 1000, start, end)


def _usual_gap(commits: CommitSum) -> int:
    """Return the longest gap that happened twice: an outage does not make the next one usual. Where
    the longest takes half of all the time, nothing tells whether it is."""
    span = (commits.known_at - commits.first) // 1000
    longest = commits.longest_gap_ms
    return longest if 2 * longest >= span else commits.second_gap_ms


def _pace(commits: CommitSum) -> float | None:
    """Return how many records are read a second now, from the first commit of the last stretch that
    is long enough for the usual gaps, else of the longest one; None where there is none. After a
    commit that went back it is reckoned from that one on."""
    usual_gap = _usual_gap(commits) * 1000
    interval = (commits.known_at - commits.first) // max(commits.commits - 1, 1)
    least_span = max(_GAPS * usual_gap if usual_gap > _BURST * interval else 0, _SPAN_US)
    pace: float | None = None
    for begin, base in (
        (commits.recent_at, commits.recent_offset),
        (commits.before_at, commits.before_offset),
        (commits.day_at, commits.day_offset),
        (commits.eve_at, commits.eve_offset),
        (commits.first_known_at, commits.first_known),
    ):
        is_after = commits.rewound_at > begin
        span = commits.known_at - (commits.rewound_at if is_after else begin)
        if begin < 0 or span <= 0:
            continue
        read = commits.known_offset - (commits.rewound_to if is_after else base)
        pace = max(read, 0) * 1e6 / span
        if span >= least_span:
            break
    return pace
