"""Sums of the commits of a unit: rows of the table `lag`, and what `current` says of each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..audit import DeletedCommit
from ..audit.group_state import GroupFacts, GroupState
from ..audit.vacancies import Vacancy, how_rewound, how_skipped, vacant_before
from ..columnar.arrays import column
from ..tables.schemas import TABLES, made
from .options import Options, TopicFacts

__all__ = ["GroupFacts", "commit_sums", "deleted_commits", "lag_table"]

_MOST_TOPICS = 100


def lag_table(commits: pa.Table, groups: Mapping[str, GroupFacts], options: Options) -> pa.Table:
    """Return rows of the table `lag`. `groups` has the facts of those groups that have any."""
    rows = commits.filter(pc.is_valid(commits.column("committed_offset")))
    ends = _ends(rows, options)
    group_codes = column(rows, "group_id").dictionary_encode()
    facts = [groups.get(name, _NO_FACTS) for name in group_codes.dictionary.to_pylist()]
    counts = pa.array([fact.members for fact in facts], pa.int32())
    lately, usual_gap = _lately(rows), _usual_gap(rows)
    paces = _pace(rows, usual_gap)
    columns = {
        **{name: column(rows, name) for name in rows.column_names if name in _LAG_NAMES},
        "first_commit_timestamp": column(rows, "first"),
        "last_commit_timestamp": column(rows, "last"),
        "end_offset": ends.end,
        "end_before": ends.earlier,
        "start_offset": ends.start,
        "lag": _lags(ends, column(rows, "committed_offset")),
        "records_a_second": paces,
        "usual_gap_ms": pa.array(usual_gap),
        "records_again": column(rows, "again"),
        "lately_commits": lately[0],
        "lately_rewinds": lately[1],
        "rewound_how": _rewound_how(rows, group_codes.indices, facts),
        **_skipped_steps(rows, group_codes.indices, facts, paces),
        "is_subscribed": _is_subscribed(rows, group_codes.indices, facts),
        "members": counts.take(group_codes.indices),
    }
    return made("lag", rows.num_rows, columns)


def deleted_commits(
    commits: pa.Table, groups: Mapping[str, GroupState]
) -> dict[str, list[DeletedCommit]]:
    """Return for each group the commits that were deleted, and that none has followed."""
    is_deleted = pc.and_(commits.column("committed_offset").is_null(), _is_timed(commits))
    rows = commits.filter(is_deleted)
    if not rows.num_rows:
        return {}
    names = ("group_id", "topic", "partition", "known_offset", "known_at", "last")
    columns = (column(rows, name) for name in names)
    values = [
        (pc.divide(part.cast(pa.int64()), 1000) if pa.types.is_timestamp(part.type) else part)
        for part in columns
    ]
    of_groups: dict[str, list[DeletedCommit]] = {}
    vacancies_of: dict[str, Sequence[Vacancy]] = {}
    for group_id, *facts in zip(*(part.to_pylist() for part in values), strict=True):
        vacancies = vacancies_of.get(group_id)
        if vacancies is None:
            state = groups.get(group_id)
            vacancies = vacancies_of[group_id] = () if state is None else state.facts.vacancies
        commit = DeletedCommit(*facts)
        vacant_ms = vacant_before(commit.deleted_at, commit.last, vacancies)
        of_groups.setdefault(group_id, []).append(commit._replace(vacant_ms=vacant_ms))
    return of_groups


def _is_timed(commits: pa.Table) -> pa.Array:
    return column(commits, "last").is_valid()


_NO_FACTS = GroupFacts()
_SPAN_US = 300_000_000
"""Over how long a pace is reckoned at least."""
_BURST, _GAPS = 3, 4
"""Where usual gaps are longer than so many average intervals, commits come in bursts, and a pace is
reckoned over at least so many of these gaps."""


def _usual_gap(rows: pa.Table) -> Any:
    """Return the longest gap that happened twice: an outage does not make the next one usual. Where
    the longest takes half of all the time, nothing tells whether it is.
    """
    longest = _plain(rows, "longest_gap_ms")
    span = (_plain(rows, "known_at") - _plain(rows, "first")) // 1000
    return np.where(2 * longest >= span, longest, _plain(rows, "second_gap_ms"))


def _pace(rows: pa.Table, usual_gap: Any) -> pa.Array:
    """Return how many records are read a second now, from the first commit of the last stretch that
    is long enough for the usual gaps, else of the longest one; null where there is none.

    After a commit that went back it is reckoned from that one on.
    """
    span = _plain(rows, "known_at") - _plain(rows, "first")
    interval = span // np.maximum(_plain(rows, "commits") - 1, 1)
    in_bursts = usual_gap * 1000 > _BURST * interval
    least_span = np.maximum(np.where(in_bursts, _GAPS * usual_gap * 1000, 0), _SPAN_US)
    offset, known_at = _plain(rows, "known_offset"), _plain(rows, "known_at")
    rewound_at, rewound_to = _plain(rows, "rewound_at"), _plain(rows, "rewound_to")
    pace, is_found = np.full(rows.num_rows, np.nan), np.zeros(rows.num_rows, np.bool_)
    for at, where in _ANCHORS:
        begin = _plain(rows, at)
        is_after = (begin >= 0) & (rewound_at > begin)
        base = np.where(is_after, rewound_to, _plain(rows, where))
        span = known_at - np.where(is_after, rewound_at, begin)
        is_span = (begin >= 0) & (span > 0) & ~is_found  # the anchors are ever older
        rate = np.maximum(offset - base, 0) * 1e6 / np.where(is_span, span, 1)
        pace = np.where(is_span, rate, pace)
        is_found |= is_span & (span >= least_span)
    return pa.array(pace, pa.float64(), mask=np.isnan(pace))


_ANCHORS = (
    ("recent_at", "recent_offset"), ("before_at", "before_offset"),
    ("day_at", "day_offset"), ("eve_at", "eve_offset"), ("first_known_at", "first_known"),
)  # fmt: skip
"""The commits that a pace may be reckoned from, with the time of each."""


def _plain(rows: pa.Table, name: str) -> Any:
    """Return a column as integers; -1 for null."""
    return pc.fill_null(column(rows, name).cast(pa.int64()), -1).to_numpy()


def _lately(rows: pa.Table) -> tuple[pa.Array, pa.Array]:
    """Return the commits of the last day or two, and how many of them went back."""
    is_known = column(rows, "eve_at").is_valid()
    commits, rewinds = (
        pc.if_else(is_known, column(rows, f"eve_{name}"), column(rows, name))
        for name in ("commits", "rewinds")
    )
    return commits, rewinds


def _rewound_how(rows: pa.Table, codes: pa.Array, facts: Sequence[GroupFacts]) -> pa.Array:
    """Return why offsets went back, as far as deletions and the times without members tell."""
    at = column(rows, "rewound_at")
    if at.null_count == len(at):  # nearly always
        return pa.nulls(len(at), pa.string())
    fields = (
        pc.divide(at.cast(pa.int64()), 1000), column(rows, "rewound_gap_ms"),
        column(rows, "rewound_deleted"), codes,
    )  # fmt: skip
    values = zip(*(field.to_pylist() for field in fields), strict=True)
    return pa.array(
        [
            None if time is None else how_rewound(time, gap, bool(deleted), facts[code].vacancies)
            for time, gap, deleted, code in values
        ],
        pa.string(),
    )


def _skipped_steps(
    rows: pa.Table, codes: pa.Array, facts: Sequence[GroupFacts], paces: pa.Array
) -> dict[str, pa.Array]:
    """Return the longest step forward of each row by which records may have been skipped."""
    names = ("at", "from", "to")
    if not any(fact.vacancies for fact in facts):
        types = {"how": pa.string()}
        return {
            f"skipped_{name}": pa.nulls(rows.num_rows, types.get(name, pa.int64()))
            for name in (*names, "how")
        }
    steps = zip(
        (_plain(rows, "jump_at") // 1000).tolist(), _plain(rows, "jump_from").tolist(),
        _plain(rows, "jump_to").tolist(), strict=True,
    )  # fmt: skip
    columns = (_plain(rows, name).tolist() for name in ("jump_gap_ms", "jump_deleted"))
    values = zip(steps, *columns, paces.to_pylist(), codes.to_pylist(), strict=True)
    ways = pa.array(
        [
            how_skipped(step, gap, bool(deleted), pace, facts[code].vacancies)
            for step, gap, deleted, pace, code in values
        ],
        pa.string(),
    )
    is_skip = ways.is_valid()
    columns_of_step = {
        f"skipped_{name}": pc.if_else(is_skip, column(rows, f"jump_{name}"), None) for name in names
    }
    return {**columns_of_step, "skipped_how": ways}


def _is_subscribed(rows: pa.Table, codes: pa.Array, facts: Sequence[GroupFacts]) -> pa.Array:
    """Return whether members of each row's group subscribe to its topic."""
    if all(fact.topics is None for fact in facts):
        return pa.nulls(rows.num_rows, pa.bool_())
    topics = column(rows, "topic").dictionary_encode()
    names = topics.dictionary.to_pylist()
    pairs = codes.to_numpy().astype(np.int64) * max(len(names), 1) + topics.indices.to_numpy()
    unique, places = np.unique(pairs, return_inverse=True)
    answers = []
    for pair in unique.tolist():
        code, topic = divmod(pair, max(len(names), 1))
        subscribed = facts[code].topics
        answers.append(None if subscribed is None else names[topic] in subscribed)
    return pa.array(answers, pa.bool_()).take(pa.array(places))


_LAG_NAMES = frozenset(TABLES["lag"].names)


def commit_sums(commits: pa.Table, options: Options) -> dict[str, dict[str, Any]]:
    """Return for each group what `current` says of its commits. The lag is null where no end is
    known.
    """
    ends = _ends(commits, options)
    offsets = column(commits, "committed_offset")
    rows = pa.table(
        {
            "group_id": column(commits, "group_id"),
            "commits": column(commits, "commits"),
            "last_commit_timestamp": column(commits, "last").cast(pa.int64()),
            "committed_partitions": offsets,
            "lag": _lags(ends, offsets),
        }
    )
    starts = rows.group_by("group_id", use_threads=False).aggregate(
        [
            ("commits", "sum"),
            ("last_commit_timestamp", "max"),
            ("committed_partitions", "count"),
            ("lag", "sum"),
        ]
    )
    topics = _topics(commits.filter(offsets.is_valid()))
    return {
        group_id: {
            "commits": count,
            "last_commit_timestamp": last,
            "committed_partitions": partitions,
            "lag": lag,
            "topics": sorted(topics.get(group_id, ()))[:_MOST_TOPICS],
        }
        for group_id, count, last, partitions, lag in zip(
            *map(pa.ChunkedArray.to_pylist, starts.columns), strict=True
        )
    }


def _topics(commits: pa.Table) -> dict[str, list[str]]:
    """Return the topics that each group has committed."""
    pairs = commits.select(["group_id", "topic"]).group_by(["group_id", "topic"]).aggregate([])
    starts: dict[str, list[str]] = {}
    for group_id, topic in zip(*map(pa.ChunkedArray.to_pylist, pairs.columns), strict=True):
        starts.setdefault(group_id, []).append(topic)
    return starts


def _lags(ends: _Ends, committed: pa.Array) -> pa.Array:
    """Return how many records are between a committed offset and the end, where both are known.
    What was deleted before anybody read it does not wait.
    """
    position = pc.max_element_wise(committed, pc.coalesce(ends.start, committed), skip_nulls=False)
    return pc.max_element_wise(pc.subtract(ends.end, position), 0, skip_nulls=False)


class _Ends(NamedTuple):
    """Where the partition of each row ends, where it did some minutes before, and its start."""

    end: pa.Array
    earlier: pa.Array
    start: pa.Array


def _ends(rows: pa.Table, options: Options) -> _Ends:
    if not options.topics:
        return _Ends(*(pa.nulls(rows.num_rows, pa.int64()),) * 3)
    places = zip(*(column(rows, name).to_pylist() for name in ("topic", "partition")), strict=True)
    facts = [(options.topics.get(topic, _UNKNOWN), number) for topic, number in places]
    return _Ends(
        *(
            pa.array([getattr(known, name).get(number) for known, number in facts], pa.int64())
            for name in ("ends", "ends_before", "starts")
        )
    )


_UNKNOWN = TopicFacts(partitions=1)
"""A topic of which no end is known."""
