"""Time: what is due when. Ties are settled by the order in which things were put down."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class Agenda:
    """A clock in milliseconds that jumps from one thing to the next."""

    def __init__(self) -> None:
        self.now = 0.0
        self._line: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._timers: dict[object, int] = {}

    def at(self, when: float, do: Callable[[], None]) -> int:
        """Put something down; the number identifies it."""
        number = next(self._order)
        heapq.heappush(self._line, (max(when, self.now), number, do))
        return number

    def after(self, delay: float, do: Callable[[], None]) -> int:
        """Return the same, so many milliseconds from now."""
        return self.at(self.now + delay, do)

    def timer(self, key: object, delay: float | None, do: Callable[[], None]) -> None:
        """One of a kind: setting it again replaces it, None stops it."""
        if delay is None:
            self._timers.pop(key, None)
            return

        def ring() -> None:
            if self._timers.get(key) == number:
                del self._timers[key]
                do()

        number = self.after(delay, ring)
        self._timers[key] = number

    def stop_timers(self, belongs: Callable[[object], bool]) -> None:
        """Stop those whose key belongs to somebody."""
        for key in [key for key in self._timers if belongs(key)]:
            del self._timers[key]

    def run(self, until: float) -> None:
        """Do what is due, up to a time."""
        while self._line and self._line[0][0] <= until:
            self.now, _, do = heapq.heappop(self._line)
            do()
        self.now = until
