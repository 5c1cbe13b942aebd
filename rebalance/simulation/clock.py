"""The clock of a run, with the queue of what is due at which time. Ties are settled by the order of
insertion.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class Clock:
    """A clock in milliseconds that jumps from one scheduled call to the next."""

    def __init__(self) -> None:
        self.now = 0.0
        self._line: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._timers: dict[object, int] = {}

    def at(self, when: float, do: Callable[[], None]) -> int:
        """Schedule a call for a time; return the number that identifies it."""
        number = next(self._order)
        heapq.heappush(self._line, (max(when, self.now), number, do))
        return number

    def after(self, delay: float, do: Callable[[], None]) -> int:
        """Schedule a call after a delay in milliseconds; return the number that identifies it."""
        return self.at(self.now + delay, do)

    def timer(self, key: object, delay: float | None, do: Callable[[], None]) -> None:
        """Schedule a call under a key. Setting the key again replaces it, and None stops it."""
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
        """Stop the timers whose keys satisfy a condition."""
        for key in [key for key in self._timers if belongs(key)]:
            del self._timers[key]

    def run(self, until: float) -> None:
        """Make the calls that are due, up to a time."""
        while self._line and self._line[0][0] <= until:
            self.now, _, do = heapq.heappop(self._line)
            do()
        self.now = until
