"""Java's `HashSet`, as far as its order of iteration goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from ..java_order import sized_order, table_size

T = TypeVar("T")


class JavaSet(Generic[T]):
    """A set that is iterated in the order of a `HashSet`, whose table grows and never shrinks.
    Iteration goes over the elements that are there when it begins."""

    def __init__(self, hash_code: Callable[[T], int]) -> None:
        self._hash_code = hash_code
        self._elements: dict[T, None] = {}
        self._most = 0

    def __len__(self) -> int:
        return len(self._elements)

    def __contains__(self, element: object) -> bool:
        return element in self._elements

    def __iter__(self) -> Iterator[T]:
        size = table_size(self._most)
        return iter(sized_order(self._elements, self._hash_code, size))

    def add(self, element: T) -> None:
        """Add an element, once."""
        self._elements[element] = None
        self._most = max(self._most, len(self._elements))

    def remove(self, element: T) -> None:
        """Take an element out."""
        del self._elements[element]
