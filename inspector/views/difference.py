"""Compare two messages field by field.

Elements of arrays are matched by name (a string, or the first field of a struct), so that another
topic at the beginning is one difference and not a hundred; without a name they are matched by
index. Fields are the same if their bytes are: the same value in another encoding is a difference.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator
from typing import NamedTuple

from .display_tree import DisplayTree, Line


class Pair(NamedTuple):
    """A field of both messages, or of one of them. `reordered`: the elements of both are in another
    order. `differs`: the bytes of the field differ, those of a field inside of it among them.
    `is_missing`: one side lacks the field, since it can be read no further."""

    left: Line | None
    right: Line | None
    children: tuple[Pair, ...]
    reordered: bool
    differs: bool
    is_missing: bool = False

    @property
    def line(self) -> Line:
        """The left line, or the right one where there is no left one."""
        line = self.left or self.right
        assert line is not None
        return line

    @property
    def change(self) -> str:
        """The kind of difference of the field itself: added, removed, missing, reordered, changed
        or same."""
        if self.is_missing:
            return "missing"
        if self.left is None:
            return "added"
        if self.right is None:
            return "removed"
        if self.reordered:
            return "reordered"
        have_children = bool(self.left.children and self.right.children)
        inside = have_children and any(child.differs for child in self.children)
        return "changed" if self.differs and not inside else "same"


def difference(left: DisplayTree, right: DisplayTree) -> tuple[Pair, ...]:
    """Return the fields of both messages in pairs, in the order of the left message's bytes."""
    ends = left.ends_early, right.ends_early
    return tuple(_Comparer(left.data, right.data).pairs(left.lines, right.lines, ends))


def changes(pairs: tuple[Pair, ...]) -> Iterator[Pair]:
    """Yield the pairs that differ themselves, not only in fields inside of them."""
    for pair in pairs:
        if pair.differs:
            if pair.change != "same":
                yield pair
            if pair.change in ("same", "reordered"):
                yield from changes(pair.children)


Ends = tuple[bool, bool]


def _is_cut(line: Line) -> bool:
    """Whether the reading ends inside of a field."""
    return line.state == "failed" or (line.node is not None and not line.node.complete)


class _Comparer:
    def __init__(self, left: bytes, right: bytes) -> None:
        self.left = left
        self.right = right

    def pairs(
        self, lefts: list[Line], rights: list[Line], ends: Ends = (False, False)
    ) -> list[Pair]:
        """`ends`: in which of the messages the reading ends before all of these lines."""
        named = {line.name for line in (*lefts, *rights) if _key(line) == line.name}
        aligned = _aligned(_keyed(lefts, named), _keyed(rights, named))
        return [self.pair(left, right, ends) for left, right in aligned]

    def pair(self, left: Line | None, right: Line | None, ends: Ends) -> Pair:
        if left is None or right is None:
            only = left or right
            assert only is not None
            is_missing = only.state == "failed"  # it says where the reading ends
            is_missing = is_missing or (ends[left is not None] and only.node is not None)
            inside = (
                self.pairs(only.children, [], ends) if left else self.pairs([], only.children, ends)
            )
            return Pair(left, right, tuple(inside), False, True, is_missing)
        cut = ends[0] and _is_cut(left), ends[1] and _is_cut(right)
        children = tuple(self.pairs(left.children, right.children, cut))
        reordered = _order(left, right) != _order(right, left)
        differs = self.bytes_of(left, self.left) != self.bytes_of(right, self.right)
        differs = differs or reordered or any(child.differs for child in children)
        is_missing = (left.state == "failed") != (right.state == "failed")
        return Pair(left, right, children, reordered, differs, is_missing)

    def bytes_of(self, line: Line, data: bytes) -> tuple[bytes, str]:
        return data[line.start : line.end], line.state


Keyed = dict[tuple[str, int], Line]


def _keyed(lines: list[Line], named: Collection[str] = ()) -> Keyed:
    """Sibling lines by key and number of occurrence. A line of one of the names in `named` is told
    by it: one side has a line of that name of which nothing else can be read."""
    met: Counter[str] = Counter()
    by_key: Keyed = {}
    for line in lines:
        key = line.name if line.name in named else _key(line)
        by_key[key, met[key]] = line
        met[key] += 1
    return by_key


def _key(line: Line) -> str:
    if not line.name.startswith("["):
        return line.name if line.state in ("field", "failed") else line.state
    first = line.children[0] if line.children else line
    if first.node is not None and isinstance(first.node.value, str):
        return f"{first.name if line.children else ''} {first.node.value}"
    return line.name


def _aligned(lefts: Keyed, rights: Keyed) -> Iterator[tuple[Line | None, Line | None]]:
    """Pairs in the left order; a line of the right side alone comes behind the one it follows."""
    waiting = deque(rights)
    for key, left in lefts.items():
        while waiting and waiting[0] not in lefts and key in rights:
            yield None, rights[waiting.popleft()]
        if waiting and waiting[0] == key:
            waiting.popleft()
        yield left, rights.get(key)
    yield from ((None, rights[key]) for key in waiting if key not in lefts)


def _order(line: Line, right: Line) -> list[tuple[str, int]]:
    """The keys of the elements that both have, in the order of `line`."""
    keys = _keyed(right.children)
    return [key for key in _keyed(line.children) if key in keys]
