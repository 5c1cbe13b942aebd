"""A program behind the line protocol as a `Subject`: asked, measured, restarted, and given up
on.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from ...guarantees.properties import MEMORY_ALLOWED, MEMORY_FACTOR
from ...subject import Cost, Failed, Failure, JsonObject, ReadAnswer, Unsupported, WriteAnswer
from .limits import Limits, Memory, reserves_more
from .line_protocol import Again, Hello, Lie, hello, lie, question, read_answer, reply, write_answer
from .process import Fell, Late, TesteeProcess

A = TypeVar("A")

_ADDRESSES_ALLOWED = 4 * MEMORY_ALLOWED
"""Growth of the address space that is ignored, since it is reserved in strides."""

_STARTS = 3
_CONFIRMATIONS = 3
_SLOW = 0.5  # seconds, from which an answer is measured again
_BEHIND = "behind an answer:"


class NoTestee(Exception):
    """The command cannot be started, or never says hello; the message says why."""


class Remote:
    """The testee of a command.

    The run sets `kind`: the sort of input that comes next. Whatever the testee does becomes an
    answer; after the last allowed failure on a kind, and when time is up, it is not asked.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self.command = tuple(command)
        self.limits = limits
        self.kind = ""
        self.failures: Counter[tuple[str, Failure]] = Counter()
        self.restarts = -1
        self.remarks: list[str] = []
        self._bound_addresses = not reserves_more(self.command)
        self._deadline = time.monotonic() + limits.run_seconds
        self._process: TesteeProcess | None = None
        self._number = 0
        self._innocent = False
        self._asked = ""
        self._costs: dict[tuple[str, bytes, int | None], Cost] = {}
        self._reads: dict[tuple[str, bytes, int | None], ReadAnswer] = {}
        self._confirmations = _CONFIRMATIONS
        self.hello = self._first_hello()

    # -- as a subject

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`). An answer is remembered, since several guarantees ask the
        same. A failure that the question before has caused is not: the next to ask gets an answer.
        """
        key = (name, data, version)
        if key in self._reads:
            return self._reads[key]
        answer = self._unsupported(name, "decode") or self._read(key)
        if not self._innocent:
            self._reads[key] = answer
        return answer

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`)."""
        unsupported = self._unsupported(name, "encode")
        if unsupported is not None:
            return unsupported
        return self._ask(write_answer, "encode", name=name, version=version, value=value)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back (see `Subject`)."""
        unsupported = self._unsupported(name, "rewrite")
        if unsupported is not None:
            return unsupported
        return self._ask(write_answer, "rewrite", name=name, version=version, hex=data)

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the cost of reading bytes (see `Subject`). A high cost is measured again in a
        fresh process.
        """
        key = (name, data, version)
        cost = self._costs.get(key)
        if cost is None or not (self._dear(cost, len(data)) and self._confirmations):
            return cost
        self._confirmations -= 1
        self._restart()
        self._read((name, b"", version))  # whatever a runtime does at its first question
        self._read(key)
        again = self._costs.get(key)
        if again is not None:
            cost = Cost(min(cost.seconds, again.seconds), _least(cost.memory, again.memory))
            self._costs[key] = cost
        return cost

    def _unsupported(self, name: str, op: str) -> Unsupported | None:
        known = name in self.hello.names and op in self.hello.ops
        return None if known else Unsupported(f"no {op} of {name}")

    def _dear(self, cost: Cost, size: int) -> bool:
        return cost.seconds > _SLOW or (
            cost.memory is not None and cost.memory > MEMORY_ALLOWED + MEMORY_FACTOR * size
        )

    def _read(self, key: tuple[str, bytes, int | None]) -> ReadAnswer:
        name, data, version = key
        before = self._memory()
        start = time.perf_counter()
        answer = self._ask(read_answer, "decode", name=name, version=version, hex=data)
        seconds = time.perf_counter() - start
        if not isinstance(answer, Failed):
            self._costs[key] = Cost(seconds, _grown(before, self._memory()))
        return answer

    def _memory(self) -> Memory | None:
        process = self._process
        if process is None:
            return None
        found = process.memory
        if found is None or process.bound_addresses:
            return found
        return found._replace(address_peak=0)

    # -- the process

    def _ask(self, read: Callable[[JsonObject], A], op: str, **fields: object) -> A | Failed:
        self._innocent = False
        if self.given_up(self.kind):
            return Failed(Failure.SKIPPED, "it failed too often on inputs of this kind")
        left = self._deadline - time.monotonic()
        if left <= 0:
            return Failed(Failure.SKIPPED, "time was up")
        try:
            process = self._process or self._start(min(self.limits.start_seconds, left))
            return read(self._said(process, op, min(self.limits.reply_seconds, left), **fields))
        except Lie as error:
            return lie(error)
        except Fell as end:
            if end.how is Failure.HANG and self.out_of_time:  # it was given less than others
                self.close()
                return Failed(Failure.SKIPPED, "time was up")
            return self._fell(end)
        finally:
            self._asked = self.kind

    def _said(
        self, process: TesteeProcess, op: str, seconds: float, **fields: object
    ) -> JsonObject:
        self._number += 1
        line, rest = process.ask(question(self._number, op, **fields), seconds)
        try:
            said = reply(line, self._number)
        except Again as error:
            raise Late(Failure.LIE, str(error)) from None
        except Lie as error:  # nobody knows what its next line will be about
            raise Fell(Failure.LIE, str(error)) from None
        if rest:
            raise Fell(Failure.LIE, f"more than one line to one question: {rest[:60]!r}")
        return said

    def _fell(self, end: Fell) -> Failed:
        self._innocent = isinstance(end, Late)
        if self._innocent and not any(remark.startswith(_BEHIND) for remark in self.remarks):
            self.remarks.append(f"{_BEHIND} {end}")  # of no question, so no guarantee shows it
        self.failures[self._asked if self._innocent else self.kind, end.how] += 1
        self.close()
        return Failed(end.how, str(end))

    def given_up(self, kind: str) -> bool:
        """Return whether the testee failed so often on a kind that it is not asked any more."""
        failed = sum(count for (known, _), count in self.failures.items() if known == kind)
        return failed >= self.limits.failures_of_a_kind

    @property
    def out_of_time(self) -> bool:
        """Whether the run's time is up."""
        return time.monotonic() >= self._deadline

    def _start(self, seconds: float) -> TesteeProcess:
        """Return a fresh process that has said hello. Raises `Fell`, `Lie`, OSError."""
        self.restarts += 1
        process = TesteeProcess(self.command, self.limits, bound_addresses=self._bound_addresses)
        self._process = process
        self._number = 0
        self.hello = hello(self._said(process, "hello", seconds))
        process.settle()
        return process

    def _restart(self) -> None:
        self.close()
        left = self._deadline - time.monotonic()
        try:
            self._start(max(0.0, min(self.limits.start_seconds, left)))
        except (Fell, Lie):
            self.close()

    def _first_hello(self) -> Hello:
        reason = ""
        for _ in range(_STARTS):
            try:
                self._start(self.limits.start_seconds)
                return self.hello
            except OSError as error:
                raise NoTestee(f"{self.command[0]!r}: {error.strerror or error}") from None
            except (Fell, Lie) as error:
                reason = str(error)
                self.close()
                self._lift_addresses(error)
        raise NoTestee(f"{self.command[0]!r} does not say hello: {reason}")

    def _lift_addresses(self, error: Fell | Lie) -> None:
        """Stop bounding the address space of a runtime that dies at its start: it may reserve more
        than it uses.
        """
        died = isinstance(error, Fell) and error.how in (Failure.CRASH, Failure.MEMORY)
        if died and self._bound_addresses:
            self._bound_addresses = False
            self.remarks.append(
                "it does not start under a limit of its address space: resident memory is watched"
            )

    def close(self) -> None:
        """End the testee's process; the next question starts another."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _grown(before: Memory | None, after: Memory | None) -> int | None:
    if before is None or after is None:
        return None
    resident = after.resident_peak - before.resident_peak
    addresses = after.address_peak - before.address_peak
    return addresses if addresses > _ADDRESSES_ALLOWED else resident


def _least(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else min(one, other)
