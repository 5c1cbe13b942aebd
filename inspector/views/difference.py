"""Two messages field by field: which fields stand in both, and where they differ.

Elements of arrays are matched by what they are (a name, a struct's leading name), so that one more
topic in front is one difference and not a hundred; where there is no name, by index. A field is the
same if its bytes are: a value written in another way is a difference too.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import NamedTuple

from .display_tree import DisplayTree, Line


class Pair(NamedTuple):
    """A field of both messages, or of one. `reordered`: the elements are the same, their order is
    not. `differs`: it, or something in it."""

    left: Line | None
    right: Line | None
    children: tuple[Pair, ...]
    reordered: bool
    differs: bool

    @property
    def line(self) -> Line:
        """The one that there is, the left one of two."""
        line = self.left or self.right
        assert line is not None
        return line

    @property
    def change(self) -> str:
        """What became of the field itself: added, removed, reordered, changed; or same."""
        if self.left is None:
            return "added"
        if self.right is None:
            return "removed"
        if self.reordered:
            return "reordered"
        inside = bool(self.left.children and self.right.children)
        return "changed" if self.differs and not inside else "same"


def difference(left: DisplayTree, right: DisplayTree) -> tuple[Pair, ...]:
    """Return all fields of both, in the order of the left one's bytes."""
    return tuple(_Comparer(left.data, right.data).pairs(left.lines, right.lines))


def changes(pairs: tuple[Pair, ...]) -> Iterator[Pair]:
    """Yield those that differ by themselves, not by what is in them."""
    for pair in pairs:
        if pair.differs:
            if pair.change != "same":
                yield pair
            if pair.change in ("same", "reordered"):
                yield from changes(pair.children)


class _Comparer:
    def __init__(self, left: bytes, right: bytes) -> None:
        self.left = left
        self.right = right

    def pairs(self, lefts: list[Line], rights: list[Line]) -> list[Pair]:
        return [self.pair(left, right) for left, right in _aligned(_keyed(lefts), _keyed(rights))]

    def pair(self, left: Line | None, right: Line | None) -> Pair:
        if left is None or right is None:
            only = left or right
            assert only is not None
            inside = self.pairs(only.children, []) if left else self.pairs([], only.children)
            return Pair(left, right, tuple(inside), reordered=False, differs=True)
        children = tuple(self.pairs(left.children, right.children))
        reordered = _order(left, right) != _order(right, left)
        differs = reordered or any(child.differs for child in children)
        if not (left.children and right.children):
            differs = self.bytes_of(left, self.left) != self.bytes_of(right, self.right)
        return Pair(left, right, children, reordered, differs)

    def bytes_of(self, line: Line, data: bytes) -> tuple[bytes, str]:
        return data[line.start : line.end], line.state


Keyed = dict[tuple[str, int], Line]


def _keyed(lines: list[Line]) -> Keyed:
    """Siblings by what they are; the second of the same is another one."""
    met: Counter[str] = Counter()
    made: Keyed = {}
    for line in lines:
        key = _key(line)
        made[key, met[key]] = line
        met[key] += 1
    return made


def _key(line: Line) -> str:
    if not line.name.startswith("["):
        return line.state if line.state != "field" else line.name
    named = line.children[0] if line.children else line
    if named.node is not None and isinstance(named.node.value, str):
        return f"{named.name if line.children else ''} {named.node.value}"
    return line.name


def _aligned(lefts: Keyed, rights: Keyed) -> Iterator[tuple[Line | None, Line | None]]:
    """Pairs in the left order; what the right one alone has stands behind what it follows there."""
    waiting = deque(rights)
    for key, left in lefts.items():
        while waiting and waiting[0] not in lefts and key in rights:
            yield None, rights[waiting.popleft()]
        if waiting and waiting[0] == key:
            waiting.popleft()
        yield left, rights.get(key)
    yield from ((None, rights[key]) for key in waiting if key not in lefts)


def _order(line: Line, other: Line) -> list[tuple[str, int]]:
    """The keys of the elements that both have, as they stand in `line`."""
    both = _keyed(other.children)
    return [key for key in _keyed(line.children) if key in both]
