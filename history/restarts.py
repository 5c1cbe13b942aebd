"""Members that end and come back: one after the other, as a rolling restart does it, all at once,
or the same ones again and again. The story, the audit and `kproto group` judge it here, in one
table of words.

A member that joins takes the place of one of its name that is gone: its instance id, else its
client id, which several members may have. A classic group waits for its members, so that one that
was killed is gone from the list that has its successor first; where the broker assigns, its session
ends soon after. Lists of members show neither how a member ended nor that its process did.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from ..wording import times

__all__ = [
    "ListedMember", "MemberChange", "Occupancy", "Restart", "Restarted", "Restarts", "Vacancy",
    "judged",
]  # fmt: skip

_AWAY_MS = 3_600_000
"""For so long a member may be away and still come back; and so long after one restart the next one
of the same deployment may be."""
_SESSION_MS = 60_000
"""For so long a process that was killed may still be listed beside the one that replaces it, where
the broker assigns."""
_MOST = 1_000
"""Restarts and places that are remembered, the latest ones."""
_SHARE_AWAY = 4
"""One member of so many may be away at a time, as in a rolling update of Kubernetes."""


class ListedMember(NamedTuple):
    """A member of a list: its id, its name (instance id, else client id), and how long it has to be
    silent, or late, until it is removed, in milliseconds; 0 where that is not known."""

    member_id: str
    name: str
    timeout_ms: int = 0


class MemberChange(NamedTuple):
    """Who is gone and who is new in a list of members, at a time in milliseconds since 1970.

    `is_next`: no generation is missing before it. `waits`: it is of a group that waits for its
    members before there is a new list."""

    time: float
    left: Sequence[ListedMember]
    came: Sequence[ListedMember]
    is_next: bool = True
    waits: bool = True


class Restart(NamedTuple):
    """A member that ended and came back. `place` is the id of the member that had its place first,
    `member_id` the new one. It ended at a time and in a change (its number), and was back at
    another one, perhaps the same; `total` members were in the group then, or had just left it.

    `is_quick`: it had been there for less than any timeout, so it left the group, or was told to.
    `is_emptied`: nobody was in the group meanwhile. `is_in_order`: all changes are known meanwhile.
    """

    place: str
    name: str
    member_id: str
    left: float
    left_in: int
    back: float
    back_in: int
    total: int
    is_quick: bool = False
    is_emptied: bool = False
    is_in_order: bool = True


class Occupancy(NamedTuple):
    """A member that is there: the id of who had its place first, its name, since when (None: it was
    there in the first list), and its timeout."""

    place: str
    name: str
    since: float | None
    timeout_ms: int


class Vacancy(NamedTuple):
    """A place that a member left, at a time and in a change."""

    stay: Occupancy
    member_id: str
    left: float
    left_in: int


class Restarts:
    """The restarts in a group, change by change. What is kept grows with the members, and with
    `_MOST` at most beside them."""

    def __init__(self) -> None:
        self.latest: deque[Restart] = deque(maxlen=_MOST)
        self._number = 0
        self.begin()

    def begin(self) -> None:
        """Forget who is in the group: the next list is the first one."""
        self._is_first = True
        self._present: dict[str, Occupancy] = {}
        self._vacant: dict[str, deque[Vacancy]] = {}
        """The places that nobody has taken again, by name."""
        self._departures: deque[Vacancy] = deque()
        """All places that were free within the time that a member may be away."""
        self._free = 0
        self._ahead: dict[str, tuple[str, float]] = {}
        """Members that came while no place of their name was free, where the broker assigns."""
        self._emptied_in = self._gap_in = -1
        """The last changes after which nobody was in the group, or before which one is missing."""

    def take(self, change: MemberChange) -> None:
        """Take the next list of members."""
        self._number += 1
        self._forget(change.time)
        if not change.is_next:
            self._gap_in = self._number
        for member in change.left:
            self._leave(member, change)
        for member in change.came:
            since = None if self._is_first else change.time
            stay = Occupancy(member.member_id, member.name, since, member.timeout_ms)
            self._join(member.member_id, stay, change)
        if not self._present:
            self._emptied_in = self._number
        self._is_first = False

    def _forget(self, time: float) -> None:
        """Forget who is away for too long, or came too long ago to be there in advance."""
        departures = self._departures
        while departures and (time - departures[0].left > _AWAY_MS or len(departures) > _MOST):
            vacancy = departures.popleft()
            of_name = self._vacant.get(vacancy.stay.name)
            if of_name and of_name[0].member_id == vacancy.member_id:
                self._fill(vacancy.stay.name)
        while self._ahead:
            member_id, (_, since) = next(iter(self._ahead.items()))
            if time - since <= _SESSION_MS and len(self._ahead) <= _MOST:
                break
            del self._ahead[member_id]

    def _fill(self, name: str) -> Vacancy:
        of_name = self._vacant[name]
        vacancy = of_name.popleft()
        if not of_name:
            del self._vacant[name]
        self._free -= 1
        return vacancy

    def _leave(self, member: ListedMember, change: MemberChange) -> None:
        stay = self._present.pop(member.member_id, None)
        if stay is None:
            return
        self._ahead.pop(member.member_id, None)
        vacancy = Vacancy(stay, member.member_id, change.time, self._number)
        ahead = [
            (member_id, since) for member_id, (name, since) in self._ahead.items()
            if name == stay.name
        ]  # fmt: skip
        if ahead:
            member_id, since = ahead[0]
            del self._ahead[member_id]
            self._present[member_id] = self._present[member_id]._replace(place=stay.place)
            self._add(vacancy, member_id, since)
            return
        self._vacant.setdefault(stay.name, deque()).append(vacancy)
        self._departures.append(vacancy)
        self._free += 1

    def _join(self, member_id: str, stay: Occupancy, change: MemberChange) -> None:
        if stay.name in self._vacant:
            vacancy = self._fill(stay.name)
            self._present[member_id] = stay._replace(place=vacancy.stay.place)
            self._add(vacancy, member_id, change.time)
            return
        self._present[member_id] = stay
        if not change.waits and stay.since is not None:
            self._ahead[member_id] = stay.name, change.time

    def _add(self, vacancy: Vacancy, member_id: str, back: float) -> None:
        stay = vacancy.stay
        is_quick = stay.since is not None and vacancy.left - stay.since < stay.timeout_ms
        self.latest.append(
            Restart(
                stay.place, stay.name, member_id, vacancy.left, vacancy.left_in, back,
                self._number, len(self._present) + self._free - len(self._ahead), is_quick,
                vacancy.left_in <= self._emptied_in, self._gap_in < vacancy.left_in,
            )
        )  # fmt: skip


class _Kind(NamedTuple):
    """How members came back: in words, what that may be, and the causes that leave the same lists,
    the likeliest first."""

    order: str
    why: str
    rivals: tuple[str, ...]


IN_TURN, AT_ONCE, AGAIN, PART, APART = "in turn", "at once", "again", "part in turn", "apart"
_KINDS: Mapping[str, _Kind] = MappingProxyType({
    IN_TURN: _Kind(
        "one after the other", "probably {restarts}",
        ("session-expired", "poll-timeout-exceeded", "autoscaling"),
    ),
    AT_ONCE: _Kind(
        "all at once", "a deployment that stops all of them at once, or crashes",
        ("process-died", "session-expired", "poll-timeout-exceeded"),
    ),
    AGAIN: _Kind(
        "", "crashes or slow polls, for a deployment restarts each member equally often",
        ("crash-loop", "session-expired", "poll-timeout-exceeded"),
    ),
    PART: _Kind(
        "one after the other", "a deployment of these alone or one that goes on, or crashes",
        ("rolling-restart", "process-died", "session-expired", "poll-timeout-exceeded"),
    ),
    APART: _Kind(
        "", "a crash, a slow poll, or a deployment",
        ("process-died", "session-expired", "poll-timeout-exceeded", "autoscaling"),
    ),
})  # fmt: skip
"""The table of words."""
_NAMED = 4


class Restarted(NamedTuple):
    """The restarts of a group, judged: a kind of `_KINDS`, and so many members of so many. `rounds`
    is how often all of these came back; `is_going_on`: some did once more."""

    kind: str
    restarts: Sequence[Restart]
    members: int
    total: int
    rounds: int
    is_going_on: bool
    have_left: bool = False
    """Whether all of them are known to have left by LeaveGroup."""

    @property
    def word(self) -> str:
        """The cause: a word of `CAUSES`."""
        return "rolling-restart" if self.kind == IN_TURN else "unknown"

    @property
    def rivals(self) -> tuple[str, ...]:
        """The causes that leave the same lists: no session ended where all stays were shorter."""
        return tuple(
            word for word in _KINDS[self.kind].rivals
            if word != "session-expired" or not self.is_quick
        )  # fmt: skip

    @property
    def is_quick(self) -> bool:
        """Whether no session of theirs had time to end."""
        return all(restart.is_quick for restart in self.restarts)

    @property
    def event(self) -> str:
        """Who came back, how often, and in which order.

        >>> judged([Restart("a1", "a", "a2", 0, 1, 9, 2, 3)]).event
        'a (1 of 3 members) came back as a new member once'
        """
        share = f" ({self.members:,} of {self.total:,} members)" * (self.members < self.total)
        left = "left by LeaveGroup and " * self.have_left
        a_new = "a new member" if self.members == 1 else "new members"
        order = f", {self._order}" if self._order else ""
        return f"{self._names}{share} {left}came back as {a_new}{self._often}{order}"

    @property
    def why(self) -> str:
        """What that may be."""
        deployments = "a rolling restart" if self.rounds == 1 else f"{self.rounds} rolling restarts"
        return _KINDS[self.kind].why.format(restarts=deployments)

    @property
    def summary(self) -> str:
        """The event, and what that may be, as one sentence."""
        unknown = "" if self.kind == IN_TURN else "not known why: "
        return f"{self.event}: {unknown}{self.why}."

    @property
    def _names(self) -> str:
        names = list(dict.fromkeys(restart.name for restart in self.restarts))
        text = _listed(names)
        return text if len(names) == self.members else f"{self.members:,} members called {text}"

    @property
    def _order(self) -> str:
        """In which order they came back; a few at a time may be away in large groups."""
        is_apart = all(
            later.left_in >= earlier.back_in for earlier, later in pairwise(self.restarts)
        )
        order = _KINDS[self.kind].order
        return "a few at a time" if self.kind in (IN_TURN, PART) and not is_apart else order

    @property
    def _often(self) -> str:
        each = " each" if self.members > 1 else ""
        if self.kind != AGAIN:
            return f" {'at least ' * self.is_going_on}{times(self.rounds)}{each}"
        counts = Counter(restart.place for restart in self.restarts)
        ((place, most), *_) = counts.most_common(1)
        if len({*counts.values()}) == 1:
            return f" {times(most)}{each}"
        name = next(restart.name for restart in self.restarts if restart.place == place)
        return f", {name} most often, {times(most)}"


def _listed(names: list[str]) -> str:
    shown, hidden = names[:_NAMED], len(names) - _NAMED
    last = f"{hidden:,} more" if hidden > 0 else shown.pop() if len(shown) > 1 else ""
    return " and ".join(part for part in (", ".join(shown), last) if part)


def judged(
    restarts: Sequence[Restart], others: int = 0, *, have_left: bool = False
) -> Restarted | None:
    """Return what is known of restarts, in the order of the returns; None where there are none. So
    many `others` may have ended in another way."""
    if not restarts:
        return None
    members = len({restart.place for restart in restarts})
    total = max(members, *(restart.total for restart in restarts))
    rounds: list[list[Restart]] = []
    places: set[str] = set()
    for restart in restarts:
        if not rounds or restart.place in places:
            rounds.append([])
            places.clear()
        rounds[-1].append(restart)
        places.add(restart.place)
    whole = [own for own in rounds if len(own) == members]
    is_even = len(whole) >= max(1, len(rounds) - 1) and rounds[: len(whole)] == whole
    kind = _kind_of(whole, members, total - others) if is_even else AGAIN
    is_going_on = len(whole) < len(rounds)
    return Restarted(kind, restarts, members, total, len(whole), is_going_on, have_left)


def _kind_of(rounds: Sequence[Sequence[Restart]], members: int, total: int) -> str:
    if members < 2:
        return AGAIN if len(rounds) > 1 else APART
    if all(_is_in_turn(own, max(total // _SHARE_AWAY, 1)) for own in rounds):
        return IN_TURN if members >= total else PART
    return AT_ONCE if members >= total and all(map(_is_at_once, rounds)) else APART


def _is_at_once(restarts: Sequence[Restart]) -> bool:
    """Whether all were away before the first was back, as far as all changes are known."""
    last_left = max(restart.left_in for restart in restarts)
    first_back = min(restart.back_in for restart in restarts)
    return last_left <= first_back and all(restart.is_in_order for restart in restarts)


def _is_in_turn(restarts: Sequence[Restart], most: int) -> bool:
    """Whether they were away one after the other, at most so many at a time, and each soon after
    the one before."""
    if not all(restart.is_in_order and not restart.is_emptied for restart in restarts):
        return False
    soon = min(restart.left for restart in restarts) + _AWAY_MS
    away: list[int] = []  # a heap of the changes that bring back who is away
    for restart in sorted(restarts, key=attrgetter("left_in", "back_in")):
        while away and (away[0] < restart.left_in or restart.left_in == away[0] < restart.back_in):
            heappop(away)
        if len(away) >= most or restart.left > soon:
            return False
        heappush(away, restart.back_in)
        soon = max(soon, restart.back + _AWAY_MS)
    return True
