"""A program behind the line protocol as a `Subject`: asked, measured, restarted, and given up
on.
"""

from __future__ import annotations

import errno
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from ..contract import mistake_in
from ..guarantees.cases import Case
from ..guarantees.properties import MEMORY_ALLOWED, MEMORY_FACTOR
from ..line_protocol import (
    KEPT,
    Again,
    Hello,
    Lie,
    NotUtf8,
    advice_for,
    hello,
    lie,
    question,
    read_answer,
    reply,
    write_answer,
)
from ..subject import Cost, Failed, Failure, JsonObject, Read, ReadAnswer, Unsupported, WriteAnswer
from .process import (
    AdapterProcess,
    Fell,
    Late,
    ProcessLimits,
    ProcessMemory,
    ProcessorClock,
    reserves_more,
)

A = TypeVar("A")

_ADDRESSES_ALLOWED = 4 * MEMORY_ALLOWED
"""Growth of the address space that is ignored, since it is reserved in strides."""

_SPIKE = 4
"""Memory above so many times the allowed amount is reported without a second measurement."""
_STARTS = 3
_SOON = 2.0  # seconds, after which it is looked why there is no reply to hello
_TRIES = 3  # measurements of a high cost, of which the least counts
_CONFIRMED = 3  # high costs, from which on another is not measured again
_SLOW = 0.5  # seconds, from which an answer is measured again
_BEHIND = "behind an answer:"
TIME_UP = "the time was over"
_PERCENTILES = {"median": 0.5, "90%": 0.9, "99%": 0.99, "slowest": 1.0}


class NoAdapter(Exception):
    """The command cannot be started, or never says hello; the message says why."""


class Incident(NamedTuple):
    """An act of an adapter that breaks a guarantee whatever was asked: it died, for example."""

    guarantee: str
    """The guarantee's id."""
    case: Case
    """The question."""
    complaint: str
    advice: str = ""
    """What to change in the client; "" for what the guarantee says of it."""


class Took(NamedTuple):
    """The time that an answer took, in seconds."""

    seconds: float
    """Without those in which the adapter waited for a processor, as far as that is known."""
    used: float | None
    """Those in which it had a processor; None if that is not known."""


class Remote:
    """The adapter of a command; its time counts from `began`, of `time.monotonic`, or from now.

    The run sets `kind`: the sort of input that comes next, "" for one that is asked in any case.
    Whatever the adapter does becomes an answer; after the last allowed failure on a kind, and when
    time is up, it is not asked.
    """

    def __init__(
        self, command: Sequence[str], limits: ProcessLimits, *, began: float | None = None
    ) -> None:
        self.command = tuple(command)
        self.limits = limits
        self.kind = ""
        self.failures: Counter[tuple[str, Failure]] = Counter()
        self.restarts = -1
        self.remarks: list[str] = []
        self._absent_ops: frozenset[str] = frozenset()
        self.incidents: list[Incident] = []
        self._bound_addresses = not reserves_more(self.command)
        self._began = time.monotonic() if began is None else began
        self._deadline = self._began + limits.run_seconds
        self._process: AdapterProcess | None = None
        self._number = 0
        self._innocent = False
        self._asked = ""
        self._costs: dict[tuple[str, bytes, int | None], Cost] = {}
        self._reads: dict[tuple[str, bytes, int | None], ReadAnswer] = {}
        self._confirmed = 0
        self._recurring: set[Failure] = set()
        self._seconds: list[float] = []
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
        if isinstance(answer, Failed):
            answer = self._unless_once(key, answer)
        mistake = mistake_in(name, answer) if isinstance(answer, Read) else None
        if mistake is not None:
            answer = Failed(Failure.ADAPTER, mistake)
        if not (self._innocent or _not_asked(answer)):
            self._reads[key] = answer
        return answer

    def _unless_once(self, key: tuple[str, bytes, int | None], failure: Failed) -> ReadAnswer:
        """Return the answer of a fresh process, if it gives one: that it failed once is an
        incident, and the bytes are not the cause. A failure of a sort that came again is believed.
        """
        if _not_asked(failure) or self._innocent or failure.how in self._recurring:
            return failure
        answer = self._read(key)
        if isinstance(answer, Failed):
            self._recurring.add(failure.how)
            return failure
        return answer

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`)."""
        unsupported = self._unsupported(name, "encode")
        if unsupported is not None:
            return unsupported
        case = Case(name, b"", version, self.kind, value=value)
        return self._ask(write_answer, "encode", case, name=name, version=version, value=value)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back (see `Subject`)."""
        unsupported = self._unsupported(name, "rewrite")
        if unsupported is not None:
            return unsupported
        case = Case(name, data, version, self.kind)
        return self._ask(write_answer, "rewrite", case, name=name, version=version, hex=data)

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the cost of reading bytes (see `Subject`). A high cost is measured again in a
        fresh process, and the time that it waited for a processor is no part of it.
        """
        key = (name, data, version)
        cost = self._costs.get(key)
        for _ in range(_TRIES):
            if cost is None or not self._dear(cost, len(data)) or self._confirmed >= _CONFIRMED:
                return cost
            cost = self._costs[key] = self._least_cost(key, cost)
        self._confirmed += cost is not None and self._dear(cost, len(data))
        return cost

    def _least_cost(self, key: tuple[str, bytes, int | None], cost: Cost) -> Cost:
        """Return the cost of reading bytes in a fresh process, or what they have cost before if
        that is less.
        """
        self._restart()
        self._read((key[0], b"", key[2]))  # a runtime may take long for its first question
        clock = self._clock()
        if isinstance(self._read(key), Failed):
            return cost
        again = self._costs[key]
        waited = 0.0 if clock is None else clock.passed().waited
        return Cost(min(cost.seconds, again.seconds - waited), _least(cost.memory, again.memory))

    def measured(self, case: Case, seconds: float) -> Took | ReadAnswer:
        """Return the time that reading the bytes of a case takes, at most `seconds`; or the answer,
        if it is a failure.
        """
        if self._process is None:
            self._restart()
        clock = self._clock()
        start = time.perf_counter()
        answer = self._read((case.name, case.data, case.version), seconds)
        if isinstance(answer, Failed | Unsupported) or clock is None:
            return answer
        took = time.perf_counter() - start
        used, waited = clock.passed()
        return Took(max(0.0, took - waited), used)

    def again(self, case: Case) -> ReadAnswer:
        """Ask for the bytes of a case, whether they were asked for or not."""
        return self._read((case.name, case.data, case.version))

    @property
    def resident(self) -> int | None:
        """The adapter's resident memory in bytes; None if it is not known."""
        memory = None if self._process is None else self._process.memory
        return None if memory is None else memory.resident

    @property
    def watched(self) -> bool:
        """Whether the adapter takes memory as runtimes do that collect garbage when they like."""
        return not self._bound_addresses

    @property
    def seconds(self) -> float:
        """The seconds since the run began."""
        return time.monotonic() - self._began

    def latency(self) -> dict[str, float]:
        """Return percentiles of the seconds that answers took; {} if there were none."""
        ordered = sorted(self._seconds)
        last = len(ordered) - 1
        return {
            name: round(ordered[round(part * last)], 6)
            for name, part in _PERCENTILES.items()
            if ordered
        }

    def remedy(self, inputs: int, left: int) -> str:
        """Return what to do so that no input is left."""
        if not self.out_of_time:
            return "the failures have to be mended; --give-up 0 asks all the same" if left else ""
        done_inputs = max(1, inputs - left)
        needed = self.seconds * inputs / done_inputs
        return f"--time {max(1, round(1.5 * needed / 60))}m would do at this pace"

    def _clock(self) -> ProcessorClock | None:
        return None if self._process is None else self._process.clock()

    def _unsupported(self, name: str, op: str) -> Unsupported | None:
        if op in self._absent_ops:
            return Unsupported(f'"unsupported" to every {op}', is_claimed=False)
        if name in self.hello.names and op in self.hello.ops:
            return None
        lacks = op if op not in self.hello.ops else name
        return Unsupported(f"hello names no {lacks}", is_claimed=False)

    def _dear(self, cost: Cost, size: int) -> bool:
        return cost.seconds > _SLOW or (
            cost.memory is not None and cost.memory > MEMORY_ALLOWED + MEMORY_FACTOR * size
        )

    def _read(self, key: tuple[str, bytes, int | None], seconds: float | None = None) -> ReadAnswer:
        name, data, version = key
        case = Case(name, data, version, self.kind)
        memory = self._memory()
        start = time.perf_counter()
        answer = self._ask(
            read_answer, "decode", case, seconds, name=name, version=version, hex=data
        )
        took = time.perf_counter() - start
        if not isinstance(answer, Failed):
            self._seconds.append(took)
            self._costs[key] = Cost(took, _grown(memory, self._memory()))
            self._note_spike(case, self._costs[key].memory)
        return answer

    def _note_spike(self, case: Case, memory: int | None) -> None:
        """Note memory that is so far out of proportion that no collector of garbage explains it."""
        allowed = MEMORY_ALLOWED + MEMORY_FACTOR * len(case.data)
        if self._bound_addresses and memory is not None and memory > _SPIKE * allowed:
            took = f"took {memory >> 20} MiB for {len(case.data)} bytes"
            self.incidents.append(Incident("G02", case, took))

    def _memory(self) -> ProcessMemory | None:
        process = self._process
        if process is None:
            return None
        memory = process.memory
        if memory is None or process.bound_addresses:
            return memory
        return memory._replace(address_peak=0)

    # -- the process

    def _ask(
        self,
        read: Callable[[JsonObject], A],
        op: str,
        case: Case,
        seconds: float | None = None,
        **fields: object,
    ) -> A | Failed:
        self._innocent = False
        sort = f"{self.kind}, {_versions_of(case)}"
        if self.given_up(sort):
            limit = self.limits.failures_of_a_kind
            return Failed(
                Failure.SKIPPED, f"given up after {limit} failures on inputs of their kind"
            )
        left = self._deadline - time.monotonic()
        if left <= 0:
            return Failed(Failure.SKIPPED, TIME_UP)
        try:
            process = self._process or self._start_again(left)
            wait = min(seconds or self.limits.reply_seconds, left)
            return read(self._exchange(process, op, wait, **fields))
        except Lie as error:
            return lie(error)
        except Fell as end:
            if end.how is Failure.HANG and self.out_of_time:  # it was given less than others
                self.close()
                return Failed(Failure.SKIPPED, TIME_UP)
            return self._fell(end, op, case, sort)
        finally:
            self._asked = sort

    def _start_again(self, left: float) -> AdapterProcess:
        """Return a fresh process; a start that fails is tried again. Raises `Fell`, `Lie`."""
        for attempt in range(1, _STARTS + 1):
            try:
                return self._start(min(self.limits.start_seconds, left))
            except (Fell, Lie, OSError) as error:
                self.close()
                if attempt < _STARTS and not self.out_of_time:
                    continue
                if isinstance(error, OSError):
                    raise Fell(Failure.CRASH, f"it cannot be started again: {error}") from None
                raise
        raise AssertionError("the last attempt returns or raises")

    def _exchange(
        self, process: AdapterProcess, op: str, seconds: float, **fields: object
    ) -> JsonObject:
        self._number += 1
        return self._object(*process.ask(question(self._number, op, **fields), seconds))

    def _object(self, line: bytes, rest: bytes) -> JsonObject:
        """Return the object of a reply, where nothing came behind it. Raises `Fell`, `Lie`."""
        try:
            answer = reply(line, self._number)
        except NotUtf8:  # it is the reply to this question all the same
            raise
        except Again as error:
            raise Late(Failure.LIE, str(error)) from None
        except Lie as error:  # nobody knows what its next line will be about
            raise Fell(Failure.LIE, str(error)) from None
        if rest:
            more = rest[:60].decode("utf-8", "replace")
            why = f"more than one line to one question: {more!r}; answer each question once"
            raise Fell(Failure.LIE, why)
        return answer

    def _fell(self, end: Fell, op: str, case: Case, sort: str) -> Failed:
        self._innocent = isinstance(end, Late)
        if self._innocent and not any(remark.startswith(_BEHIND) for remark in self.remarks):
            self.remarks.append(f"{_BEHIND} {end}")  # of no question, so no guarantee shows it
        self.failures[self._asked if self._innocent else sort, end.how] += 1
        complaint = f"{end.how.value} ({op}): {end}"
        self.incidents.append(Incident("G01", case, complaint))
        if end.how is Failure.MEMORY:
            self.incidents.append(Incident("G02", case, complaint))
        self.close()
        return Failed(end.how, str(end))

    def given_up(self, sort: str) -> bool:
        """Return whether the adapter failed so often on a sort of inputs (a kind, and known, newer
        or negative versions) that it is asked no more of them.
        """
        if not self.kind:
            return False
        counts = (count for (of_sort, _), count in self.failures.items() if of_sort == sort)
        return 0 < self.limits.failures_of_a_kind <= sum(counts)

    @property
    def out_of_time(self) -> bool:
        """Whether the run's time is up."""
        return time.monotonic() >= self._deadline

    def _start(self, seconds: float) -> AdapterProcess:
        """Return a fresh process that has said hello. Raises `Fell`, `Lie`, OSError."""
        self.restarts += 1
        process = AdapterProcess(self.command, self.limits, bound_addresses=self._bound_addresses)
        self._process = process
        self._number = 0
        self._number += 1
        self.hello = hello(self._object(*self._ask_hello(process, seconds)))
        process.settle()
        return process

    def _ask_hello(self, process: AdapterProcess, seconds: float) -> tuple[bytes, bytes]:
        """Return the reply to hello, and what came behind it. Raises `Fell`."""
        line = question(self._number, "hello")
        start = time.monotonic()
        try:
            return process.ask_first(line, min(_SOON, seconds))
        except Fell as error:
            if not _is_hang(error) or seconds <= _SOON:
                raise
        keeps_it = self.restarts == 0 and self._answers_at_its_end(line)
        try:
            left = seconds - (time.monotonic() - start)
            return process.wait(_SOON if keeps_it else left)
        except Fell as error:
            if keeps_it and _is_hang(error):
                raise Fell(error.how, KEPT) from None
            raise

    def _answers_at_its_end(self, line: bytes) -> bool:
        """Return whether another process of the command replies at once as its input ends: then a
        reply may be waiting in a buffer.
        """
        process = AdapterProcess(self.command, self.limits, bound_addresses=self._bound_addresses)
        try:
            return b"{" in process.ask_last(line, _SOON)
        finally:
            process.close()

    def forget(self) -> None:
        """Forget the failures so far: those of a rehearsal are no part of the run."""
        self.failures.clear()
        self.incidents.clear()
        self.restarts = 0

    def leave_out(self, ops: Iterable[str]) -> None:
        """Ask for these operations no more, as if the adapter named none of them, and say so."""
        self._absent_ops = frozenset(ops)
        self._reads.clear()
        self.remarks += [
            f'it answers "unsupported" to every {op}: judged as a client without {op}'
            for op in sorted(self._absent_ops)
        ]

    def restart(self) -> None:
        """Go on with a fresh process, if one can be had."""
        self._restart()

    def _restart(self) -> None:
        self.close()
        left = self._deadline - time.monotonic()
        try:
            self._start(max(0.0, min(self.limits.start_seconds, left)))
        except (Fell, Lie):
            self.close()

    def _first_hello(self) -> Hello:
        for attempt in range(1, _STARTS + 1):
            try:
                self._start(self.limits.start_seconds)
            except OSError as error:
                raise NoAdapter(_not_started(self.command[0], error)) from error
            except (Fell, Lie) as error:
                self.close()
                self._lift_addresses(error)
                if attempt == _STARTS or _is_hang(error):
                    raise NoAdapter(self._no_hello(error)) from None
            else:
                break
        return self.hello

    def _no_hello(self, error: Fell | Lie) -> str:
        """Return why a program did not say hello, and what to change."""
        advice = ""
        if isinstance(error, Fell) and error.how is not Failure.LIE:
            by_hand = f"""echo '{{"id": 1, "op": "hello"}}' | {shlex.join(self.command)}"""
            advice = f"; {advice_for(error.how, str(error)) or f'try {by_hand}'}"
        return f"{self.command[0]!r} does not say hello: {error}{advice}"

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
        """End the adapter's process; the next question starts another."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _is_hang(error: Fell | Lie) -> bool:
    return isinstance(error, Fell) and error.how is Failure.HANG


def _not_started(program: str, error: OSError) -> str:
    """Return why a program was not started, and what to change."""
    advice = _NOT_STARTED.get(error.errno or 0, "")
    if Path(program).is_dir():
        return f"{program!r} is a folder, not a program"
    if error.errno == errno.ENOENT and Path(program).exists():
        return f"{program!r} names a program in its first line (#!) that is not there"
    return f"{program!r}: {error.strerror or error}{advice}"


_BY_ITS_INTERPRETER = "or start it by its interpreter, as in python3 adapter.py"
_NOT_STARTED = {
    errno.EACCES: f"; make it executable (chmod +x), {_BY_ITS_INTERPRETER}",
    errno.ENOEXEC: f"; begin it with a line such as #!/usr/bin/env python3, {_BY_ITS_INTERPRETER}",
}


def _not_asked(answer: ReadAnswer) -> bool:
    return isinstance(answer, Failed) and answer.how is Failure.SKIPPED


def _versions_of(case: Case) -> str:
    """Return the sort of version that a case is about: "known", "newer" or "negative"."""
    version = case.version
    if version is None and case.has_version and len(case.data) > 1:
        version = int.from_bytes(case.data[:2], "big", signed=True)
    if version is None or version in case.message.VERSIONS:
        return "known"
    return "newer" if version > 0 else "negative"


def _grown(start: ProcessMemory | None, end: ProcessMemory | None) -> int | None:
    if start is None or end is None:
        return None
    resident = end.resident_peak - start.resident_peak
    addresses = end.address_peak - start.address_peak
    return addresses if addresses > _ADDRESSES_ALLOWED else resident


def _least(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else min(first, second)
