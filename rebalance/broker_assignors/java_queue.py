"""Java's `PriorityQueue`: of elements that compare equal, the same one comes first as in Java."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class JavaQueue(Generic[T]):
    """A binary heap whose order of equals is that of java.util.PriorityQueue."""

    def __init__(self, weight: Callable[[T], float], elements: Iterable[T] = ()) -> None:
        self._weight = weight
        self._heap: list[T] = []
        for element in elements:
            self.add(element)

    def __bool__(self) -> bool:
        return bool(self._heap)

    def add(self, element: T) -> None:
        """Put an element in."""
        heap, weight = self._heap, self._weight(element)
        heap.append(element)
        place = len(heap) - 1
        while place > 0:
            parent = (place - 1) >> 1
            if weight >= self._weight(heap[parent]):
                break
            heap[place] = heap[parent]
            place = parent
        heap[place] = element

    def poll(self) -> T:
        """Take the lightest element out. Raises IndexError where there is none."""
        heap = self._heap
        first, last = heap[0], heap.pop()
        if heap:
            self._sink(last)
        return first

    def _sink(self, element: T) -> None:
        heap, weight = self._heap, self._weight(element)
        place, half = 0, len(heap) >> 1
        while place < half:
            child = 2 * place + 1
            if child + 1 < len(heap) and self._weight(heap[child]) > self._weight(heap[child + 1]):
                child += 1
            if weight <= self._weight(heap[child]):
                break
            heap[place] = heap[child]
            place = child
        heap[place] = element
