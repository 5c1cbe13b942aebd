"""Members that take the place of another one of their client: a process that was started again.

Several members may have one client id at the same time. One that joins is the successor of one that
left before. A classic group waits for its members, so that one that was killed is gone from the
list that has its successor first; where the broker assigns, its session ends soon after.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from .reasons import LikelyCause
from .rebalances import LogRebalance

__all__ = ["Successors"]

_SESSION_MS = 60_000.0
"""For so long a process that was killed may still be listed beside the one that replaces it, where
the broker assigns."""


class Successors:
    """The joins of successors, by client, as the lists of members show them one after another."""

    def __init__(self, joins: Iterable[LikelyCause]) -> None:
        self.by_client: dict[str, list[LikelyCause]] = {}
        self._joins: dict[str, LikelyCause] = {}
        """The first join of each member that has a client id, by member id."""
        for cause in joins:
            if cause.client and not cause.is_certain:
                self._joins.setdefault(cause.member, cause)
        self._present: set[str] = set()
        self._vacant: Counter[str] = Counter()
        self._arrivals: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        """When members joined for which no place was free, by client."""

    @classmethod
    def of(cls, rebalances: Iterable[LogRebalance], joins: Iterable[LikelyCause]) -> Successors:
        """Return those of a group's rebalances."""
        successors = cls(joins)
        for rebalance in rebalances:
            successors._take(rebalance)
        return successors

    def _take(self, rebalance: LogRebalance) -> None:
        time = rebalance.ended or rebalance.began or 0.0
        present = self._members_after(rebalance)
        for member in sorted(self._present - present):
            self._leave(member, time, has_list=rebalance.is_whole)
        for member in sorted(present - self._present):
            self._join(member, time)
        self._present = present

    def _members_after(self, rebalance: LogRebalance) -> set[str]:
        if rebalance.is_whole or rebalance.is_empty:
            return rebalance.members & self._joins.keys()
        left = {cause.member for cause in rebalance.causes if cause.cause == "member-left"}
        came = {cause.member for cause in rebalance.causes if cause.cause == "member-joined"}
        return (self._present - left) | (came & self._joins.keys())

    def _leave(self, member: str, time: float, *, has_list: bool) -> None:
        client = self._joins[member].client
        arrivals = [] if has_list else self._arrivals[client]
        if arrivals and arrivals[-1][1] != member and time - arrivals[-1][0] <= _SESSION_MS:
            self._add(client, arrivals.pop()[1])
        else:
            self._vacant[client] += 1

    def _join(self, member: str, time: float) -> None:
        client = self._joins[member].client
        if self._vacant[client]:
            self._vacant[client] -= 1
            self._add(client, member)
        else:
            self._arrivals[client].append((time, member))

    def _add(self, client: str, member: str) -> None:
        self.by_client.setdefault(client, []).append(self._joins[member])
