"""The team of each group, by names and patterns of groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...wording import is_named

__all__ = ["Teams"]


class Teams(Mapping[str, str]):
    """The team of each group. A group that a pattern alone names, with `*` and `?`, is of the team
    of the longest pattern.

    >>> teams = Teams({"orders-*": "checkout", "orders-eu-*": "europe", "orders-eu-1": "billing"})
    >>> [teams.get(group) for group in ("orders-us", "orders-eu-2", "orders-eu-1", "users")]
    ['checkout', 'europe', 'billing', None]
    """

    def __init__(self, team_by_pattern: Mapping[str, str]) -> None:
        self._by_pattern = dict(team_by_pattern)
        self._longest_first = sorted(self._by_pattern, key=lambda name: (-len(name), name))
        self._known: dict[str, str | None] = {}

    def __getitem__(self, group: str) -> str:
        if group not in self._known:
            self._known[group] = self._team_of(group)
        team = self._known[group]
        if team is None:
            raise KeyError(group)
        return team

    def _team_of(self, group: str | None) -> str | None:
        if group is None:
            return None
        if group in self._by_pattern:
            return self._by_pattern[group]
        patterns = (name for name in self._longest_first if is_named(group, [name]))
        return next((self._by_pattern[name] for name in patterns), None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_pattern)

    def __len__(self) -> int:
        return len(self._by_pattern)

    @property
    def names(self) -> set[str]:
        """The names of the teams."""
        return set(self._by_pattern.values())

    def unused(self, groups: Iterable[str]) -> list[str]:
        """Return the names and patterns that none of these groups has."""
        names = set(groups)
        return sorted(
            pattern
            for pattern in self._by_pattern.keys() - names
            if not any(is_named(name, [pattern]) for name in names)
        )
