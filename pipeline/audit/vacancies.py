"""When nobody was in a group, by its records."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

__all__ = [
    "EXPIRY_MS",
    "Vacancies",
    "Vacancy",
    "how_rewound",
    "how_skipped",
    "is_vacant",
    "vacant_before",
    "vacant_in_all",
]

Vacancy: TypeAlias = tuple[int, int | None]
"""From when to when nobody was there, in milliseconds since 1970; None: until now."""

_MOST = 16
_MS = 1000.0
EXPIRY_MS = 86_400_000
"""How long a group has to be without members to be likely that its offsets expired: brokers before
2.0 keep them for a day, others for a week."""
_LATER = 1 << 63


class Vacancies:
    """The last times in which the records of one kind, classic or of a group whose broker assigns,
    leave no members."""

    def __init__(self) -> None:
        self.began: int | None = None
        """The time of the first record of this kind."""
        self._over = deque[tuple[int, int]](maxlen=_MOST)
        self._since: int | None = None

    def note(self, moment: int, *, has_members: bool) -> None:
        """Note whether a record leaves members in the group."""
        if self.began is None:
            self.began = moment
        if has_members and self._since is not None:
            self._over.append((self._since, moment))
            self._since = None
        elif not has_members and self._since is None:
            self._since = moment

    def forget(self) -> None:
        """Take back that nobody is there: records are missing, and somebody may have been."""
        self._since = None

    def is_any_between(self, start: int, end: int) -> bool:
        """Return whether nobody was there at a time between these two, ends included."""
        return any(
            since <= end and (until is None or until >= start) for since, until in self.listed()
        )

    def listed(self) -> Sequence[Vacancy]:
        """Return them in order, the last one open where it lasts."""
        return [*self._over, *([] if self._since is None else [(self._since, None)])]


def vacant_in_all(kinds: Sequence[Vacancies]) -> Sequence[Vacancy]:
    """Return when nobody was in a group that has records of these kinds: a group that is converted
    leaves no members of its old kind, and had none of its new one before."""
    if len(kinds) < 2:
        return kinds[0].listed() if kinds else []
    first = min(kind.began or 0 for kind in kinds)
    common: list[Vacancy] = [(first, None)]
    for kind in kinds:
        vacancies: list[Vacancy] = [(first, kind.began), *kind.listed()]
        common = [
            (max(start, since), None if end == _LATER else end)
            for start, stop in common
            for since, until in vacancies
            if (end := min(_end(stop), _end(until))) > max(start, since)
        ]
    return common


def _end(time: int | None) -> int:
    return _LATER if time is None else time


def how_rewound(time: int, gap: int, is_deleted: bool, vacancies: Sequence[Vacancy]) -> str | None:
    """Return why an offset went back at a time, so many milliseconds after the commit before:
    "reset" while nobody was in the group, "expired", "deleted"; None where nothing tells."""
    if is_vacant(time, vacancies):
        return "reset"
    if vacant_before(time, time - gap, vacancies) >= EXPIRY_MS:
        return "expired"
    return "deleted" if is_deleted else None


_TIMES_AS_FAST = 3


def how_skipped(
    step: tuple[int, int, int],
    gap: int,
    is_deleted: bool,
    pace: float | None,
    vacancies: Sequence[Vacancy],
) -> str | None:
    """Return why an offset went forward in a step (when, from, to), so many milliseconds after the
    commit before: "reset" while nobody was in the group; "deleted" where the group found none when
    it came back after a day and more, and has come further since than it reads in three times that
    time; else None.
    """
    time, start, end = step
    if is_vacant(time, vacancies):
        return "reset"
    if not is_deleted or pace is None:
        return None
    returns = [
        until
        for since, until in vacancies
        if until is not None and time - gap <= until <= time and until - since >= EXPIRY_MS
    ]
    is_far = returns and end - start > _TIMES_AS_FAST * pace * (time - max(returns)) / _MS
    return "deleted" if is_far else None


def vacant_before(time: int, since: int | None, vacancies: Sequence[Vacancy]) -> int:
    """Return for how many milliseconds in a row nobody was in the group before a time, and since
    another one (None: at all)."""
    lengths = (
        min(time if end is None else end, time) - (start if since is None else max(start, since))
        for start, end in vacancies
    )
    return max((0, *lengths))


def is_vacant(time: int, vacancies: Sequence[Vacancy]) -> bool:
    """Return whether nobody was in the group at a time."""
    return any(start < time and (end is None or time < end) for start, end in vacancies)
