"""The commits of groups as rules are given them: made of rows of the table `lag` for the groups
that a rule looks at, which are few."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..audit import CommitSeen, EndRule, candidate_rows
from ..columnar.arrays import column

__all__ = ["CommitsSeen"]

_TIMES = ("first_commit_timestamp", "last_commit_timestamp")
_SEEN = (
    "topic", "partition", "committed_offset", *_TIMES, "commits", "end_offset", "first_offset",
    "highest_offset", "same_since", "same_commits", "longest_gap_ms", "pauses", "rewinds",
    "usual_gap_ms", "records_a_second", "lately_commits", "lately_rewinds", "records_again",
    "start_offset",
    "end_before", "is_subscribed",
)  # fmt: skip
"""The columns of `lag` in the order of the fields of `CommitSeen`, up to the last rewind."""


class CommitsSeen:
    """The commits of all groups in rows of the table `lag`."""

    def __init__(self, lags: pa.Table) -> None:
        has_times = pc.and_(*(lags.column(name).is_valid() for name in _TIMES))
        self._lags = lags.filter(has_times)
        groups = column(self._lags, "group_id").dictionary_encode()
        self._codes = groups.indices.to_numpy()
        self.groups: Sequence[str] = groups.dictionary.to_pylist()
        """The groups that have committed, in the order of their first rows."""
        self._numbers = {name: code for code, name in enumerate(self.groups)}

    def of(self, group_id: str) -> Sequence[CommitSeen]:
        """Return the commits of a group by partition, in the order of the rows."""
        number = self._numbers.get(group_id)
        return () if number is None else _OfGroup(self, number)

    def places(self, group_id: str) -> set[tuple[str, int]]:
        """Return the partitions that a group has committed; this takes less time than `of`."""
        number = self._numbers.get(group_id)
        if number is None:
            return set()
        start, end = self._bounds[number : number + 2]
        topics, partitions = self._names
        return {(topics[row], partitions[row]) for row in self._order[start:end].tolist()}

    @cached_property
    def _names(self) -> list[list[Any]]:
        return [column(self._lags, name).to_pylist() for name in ("topic", "partition")]

    def asked(self, rules: Iterable[EndRule]) -> Callable[[str], list[EndRule]]:
        """Return a function that returns those of the rules that may find something in a group."""
        chosen = [(rule, self._candidates(rule)) for rule in rules]
        return lambda group_id: [
            rule for rule, groups in chosen if groups is None or group_id in groups
        ]

    def _candidates(self, rule: EndRule) -> set[str] | None:
        """Return the groups in which the rule may find something; None for all of them."""
        rows = candidate_rows(rule, self._lags)
        if rows is None:
            return None
        codes = np.unique(self._codes[pc.fill_null(rows, False).to_numpy()])
        return {self.groups[code] for code in codes.tolist()}

    def made(self, number: int) -> list[CommitSeen]:
        """Return the commits of the group with that number."""
        start, end = self._bounds[number : number + 2]
        return [CommitSeen(*self._fields(row)) for row in self._order[start:end].tolist()]

    def _fields(self, row: int) -> Iterator[Any]:
        return (values[row] for values in self._columns)

    @cached_property
    def _order(self) -> Any:
        """The numbers of the rows, group by group."""
        return np.argsort(self._codes, kind="stable")

    @cached_property
    def _bounds(self) -> list[int]:
        """Where the rows of each group begin in their order, and the last ones end."""
        counts = np.bincount(self._codes, minlength=len(self._numbers))
        return [0, *np.cumsum(counts).tolist()]

    @cached_property
    def _columns(self) -> list[list[Any]]:
        """The fields of `CommitSeen`, each for all rows."""
        plain = [_milliseconds(column(self._lags, name)).to_pylist() for name in _SEEN]
        steps = (
            values
            for fact in ("rewound", "skipped")
            for values in (
                _steps(self._lags, fact), column(self._lags, f"{fact}_how").to_pylist(),
            )
        )  # fmt: skip
        return [*plain, *steps]


class _OfGroup(Sequence[CommitSeen]):
    """The commits of a group, which are made when somebody looks at them."""

    def __init__(self, all_commits: CommitsSeen, number: int) -> None:
        self._seen = all_commits
        self._number = number

    @cached_property
    def _commits(self) -> list[CommitSeen]:
        return self._seen.made(self._number)

    def __getitem__(self, place: Any) -> Any:
        return self._commits[place]

    def __iter__(self) -> Iterator[CommitSeen]:
        return iter(self._commits)

    def __len__(self) -> int:
        return len(self._commits)


def _steps(lags: pa.Table, fact: str) -> list[tuple[int, int, int] | None]:
    """Return time and offsets of the last rewind of each row, or of its longest step forward."""
    at = _milliseconds(column(lags, f"{fact}_at"))
    if at.null_count == len(at):  # nearly always
        return [None] * len(at)
    offsets = (column(lags, name).to_pylist() for name in (f"{fact}_from", f"{fact}_to"))
    return [
        None if step[0] is None else step for step in zip(at.to_pylist(), *offsets, strict=True)
    ]


def _milliseconds(values: pa.Array) -> pa.Array:
    """Return times as milliseconds since 1970, and other values as they are."""
    if not pa.types.is_timestamp(values.type):
        return values
    return pc.divide(values.cast(pa.int64()), 1000)
