"""Java's `PriorityQueue`: of equally heavy elements, the same one comes first as in Java."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Generic, TypeVar

T = TypeVar("T")


class JavaQueue(Generic[T]):
    """A binary heap whose order of equals is that of java.util.PriorityQueue. An element's weight
    is that at which it was added."""

    def __init__(self, weighted: Iterable[tuple[T, float]] = ()) -> None:
        self.heap: list[T] = []
        self._weights: list[float] = []
        for element, weight in weighted:
            self.add(element, weight)

    def __bool__(self) -> bool:
        return bool(self.heap)

    def add(self, element: T, weight: float) -> None:
        """Put an element in."""
        heap, weights = self.heap, self._weights
        place = len(heap)
        heap.append(element)
        weights.append(weight)
        while place > 0:
            parent = (place - 1) >> 1
            if weight >= weights[parent]:
                break
            heap[place], weights[place] = heap[parent], weights[parent]
            place = parent
        heap[place], weights[place] = element, weight

    def poll(self) -> T:
        """Take the lightest element out. Raises IndexError where there is none."""
        heap, weights = self.heap, self._weights
        first, last, weight = heap[0], heap.pop(), weights.pop()
        place, half = 0, len(heap) >> 1
        while place < half:
            child = 2 * place + 1
            if child + 1 < len(heap) and weights[child] > weights[child + 1]:
                child += 1
            if weight <= weights[child]:
                break
            heap[place], weights[place] = heap[child], weights[child]
            place = child
        if heap:
            heap[place], weights[place] = last, weight
        return first


def turns(elements: Sequence[T], counts: Sequence[int], sizes: Sequence[int]) -> Iterator[T]:
    """Yield who has least for its size, again and again, with one more each time.

    As soon as all have the same, they take turns: in an order that depends on their places in the
    heap alone.
    """
    load = {
        index: (count, size) for index, (count, size) in enumerate(zip(counts, sizes, strict=True))
    }
    queue = JavaQueue((index, count / size) for index, (count, size) in load.items())
    equal = len(set(sizes)) == 1
    for _ in repeat(None, max(counts) * len(counts) - sum(counts)) if equal else repeat(None):
        index = queue.poll()
        count, size = load[index]
        load[index] = count + 1, size
        queue.add(index, (count + 1) / size)
        yield elements[index]
    heap = [elements[index] for index in queue.heap]
    order, after = _round(len(heap))
    while True:
        yield from [heap[place] for place in order]
        heap = [heap[place] for place in after]


@lru_cache(16)
def _round(size: int) -> tuple[list[int], list[int]]:
    """Return the places of a heap of equals in the order in which they come first once each, and
    which of them are where afterwards."""
    queue = JavaQueue(zip(range(size), repeat(0)))
    order: list[int] = []
    for _ in range(size):
        order.append(queue.poll())
        queue.add(order[-1], 1)
    return order, queue.heap
