"""Members that would join a group, and where their ids would sort among the present ones.

Assignors divide in the order of ids: of a static member its group.instance.id, of another one its
member id, which the broker makes of client.id, "-" and a random UUID (in the consumer protocol the
whole id is random). What moves depends on ids that nobody knows before the members join.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from msgspec.structs import replace

from ..inspector.shapes.group_shapes import Member
from ..rebalance.java_order import string_order

_ORDERS = 120  # of ids that are tried, at most
_FEW = 8  # of large groups
_WORK = 200_000  # of orders times members and partitions, at most
_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})")


class Newcomers(NamedTuple):
    """The members that would join."""

    members: tuple[Member, ...]
    are_numbered: bool
    """Whether they are called as numbered members go on: c4 after c1, c2 and c3."""

    @property
    def names(self) -> str:
        """The first name and the last one."""
        first, last = self.members[0].client_id, self.members[-1].client_id
        return first if first == last else f"{first} to {last}"


class Orders(NamedTuple):
    """The new members with ids that sort in one place among the present ones, then in others."""

    members: tuple[tuple[Member, ...], ...]
    are_all: bool
    by_name: bool
    """Whether the first ids are those that the names of numbered members make."""


def newcomers(present: Sequence[Member], count: int, away: Collection[str] = ()) -> Newcomers:
    """Return members like the first one, without partitions; static ones where all are static. None
    has the name of a member that is `away`, and may come back."""
    names = [_name(member, is_static=_are_static(present)) for member in present]
    next_names = _next_names(names, count, away)
    invented = [f"{present[0].client_id}-new-{number}" for number in range(1, count + 1)]
    members = tuple(
        replace(
            present[0],
            member_id=name,
            client_id=name,
            instance_id=name if _are_static(present) else None,
            assigned={},
            owned={},
            target=None,
        )
        for name in next_names or invented
    )
    return Newcomers(members, bool(next_names))


def _are_static(members: Sequence[Member]) -> bool:
    return all(member.instance_id for member in members)


def _name(member: Member, *, is_static: bool) -> str:
    return (member.instance_id if is_static else None) or member.client_id


def _next_names(names: Sequence[str], count: int, away: Collection[str]) -> list[str]:
    """Return the names that come next, of two or more that are one word with different numbers."""
    matches = [match for name in names if (match := _NUMBERED.fullmatch(name))]
    stems = {match[1] for match in matches}
    numbers = {int(match[2]) for match in matches}
    if not count or len(names) < 2 or len(numbers) < len(names) or len(stems) != 1:
        return []
    stem, width = stems.pop(), min(len(match[2]) for match in matches)
    absent = (match for name in away if (match := _NUMBERED.fullmatch(name)))
    last = max(numbers | {int(match[2]) for match in absent if match[1] == stem})
    return [f"{stem}{number:0{width}}" for number in range(last + 1, last + count + 1)]


def orders(
    present: Sequence[Member], new: Newcomers, partitions: int, *, in_classic: bool
) -> Orders:
    """Return the new members with ids for each place among the present ones, or for many places
    where there are too many. The first ids are those of their names, where these are known and ids
    begin with them, else such as sort last."""
    count = len(new.members)
    is_static = any(member.instance_id for member in new.members)
    ids = sorted(
        (
            (member.instance_id if is_static else member.member_id) or ""
            for member in present
            if is_static or not member.instance_id  # assignors have static members first
        ),
        key=string_order,
    )
    most = max(_FEW, min(_ORDERS, _WORK // (len(present) + count + partitions)))
    are_all = comb(len(ids) + count, count) <= most
    places = _all_places(len(ids), count) if are_all else _some_places(len(ids), count, most)
    lined_up = [_members_at(new.members, chosen, ids) for chosen in places]
    by_name = new.are_numbered and (in_classic or is_static)
    if by_name:
        lined_up.insert(0, tuple(_with_own_id(member) for member in new.members))
    return Orders(tuple(lined_up), are_all, by_name)


def _all_places(last: int, count: int) -> list[tuple[int, ...]]:
    """Return how many present members may come before each new one."""
    return list(combinations_with_replacement(range(last, -1, -1), count))


def _some_places(last: int, count: int, most: int) -> list[tuple[int, ...]]:
    half = most // 2
    together = {(last * n // half,) * count for n in range(half + 1)}
    draw = random.Random(0)  # noqa: S311  # the same orders every time
    apart = {tuple(draw.choices(range(last + 1), k=count)) for _ in range(half - 1)}
    return sorted(together | apart, reverse=True)


def _members_at(
    members: Sequence[Member], places: Sequence[int], ids: Sequence[str]
) -> tuple[Member, ...]:
    """Return the members with ids right behind the present one before each."""
    return tuple(
        _with_id(member, f"{ids[place - 1] if place else ''}\0{number:04}")
        for number, (member, place) in enumerate(zip(members, places, strict=True))
    )


def _with_own_id(member: Member) -> Member:
    return member if member.instance_id else _with_id(member, f"{member.client_id}-")


def _with_id(member: Member, text: str) -> Member:
    if member.instance_id is None:
        return replace(member, member_id=text)
    return replace(member, instance_id=text)
