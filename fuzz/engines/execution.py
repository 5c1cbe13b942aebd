"""The execution of a target: counts, watches for the end, and turns exceptions into findings.

libFuzzer ends its process at the first exception. Here it never sees one: a finding is written
down, minimised, and the search goes on.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sized
from contextlib import suppress
from typing import Any, NoReturn

import msgspec

from ..findings import FuzzFinding, of_exception
from ..minimisation import minimised_finding
from ..targets import Target
from .job import Job, SharedStatus

_LOOK = 0xF  # at the clock, the status and the parent, once in so many executions
_LEAST = 1.0  # seconds of a job that are left for executions, however long it took to begin
_FOR_ONE = 0.1  # of the job's time, at most, to make one finding small
_SLOW = 0.05  # seconds; a shorter execution is not reported
_SAMPLED = 64  # of the inputs that get a quick check, one in so many is judged as well
_SAMPLED_MOST = 1 << 14
_SHARE = 0.2  # of the time, at most, goes to judging the sample


class Execution:
    """The callable that engines drive: `execution(data)` never raises for what a target does.

    `began` (of `time.monotonic`) is when the job's time did: to load a target may take longer than
    it is given in a short campaign.
    """

    def __init__(self, target: Target, job: Job, began: float) -> None:
        self._target = target
        self._job = job
        self._began = began
        self._status = SharedStatus(job.status)
        self._batched = target.batched() if target.batched is not None else None
        self._check: Callable[[bytes], object] = self._batched or target.check
        self._judged: set[bytes] = set()
        self._shapes: bytearray | None = None
        self._unjudged: list[bytes] = []
        self._sample_mask = 0  # the first inputs are the known ones: all are judged
        self._judging = 0.0
        self._executions = 0
        self._findings: set[str] = set()
        self._look_mask = 0 if target.slow else _LOOK
        self._end = float("inf")
        self._enough = float("inf")
        self._slowest = 0.0
        self._looked = time.monotonic()
        self._parent = os.getppid()

    def __call__(self, data: bytes) -> None:
        """Run the target once; end the process after the last time."""
        number = self._executions = self._executions + 1
        self._status.begin(data, number)
        try:
            value = self._check(data)
            if value is not None and self._shapes is not None:
                note_shape(value, self._shapes)  # type: ignore[arg-type]  # of the quick check
        except Exception as error:  # noqa: BLE001  # whatever it is, it is a finding
            self._report(error, data)
        if self._shapes is not None and not number & self._sample_mask:
            self._unjudged.append(data)
        if number == self._job.runs:
            self.finish()
        if not number & self._look_mask:
            self._look()

    def watch_quickly(self, shapes: bytearray) -> None:
        """Have the target's quick check look at each input; `judge` is called for inputs of the
        corpus. Counts of `shapes` rise for the shapes of values that are read: else an input that
        is refused takes the place of a longer one that is read, since it takes the same branches
        up to there.
        """
        if self._target.quick is not None:
            self._check = self._target.quick
            self._shapes = shapes

    def judge(self, data: bytes) -> None:
        """Judge an input of the corpus, which has reached something new, if it was not yet; and the
        sample of the inputs since the last call. The engine calls this where nothing is counted.
        """
        if data and data not in self._judged:
            self._judged.add(data)
            self._unjudged.append(data)
        if not self._unjudged:
            return
        began = time.monotonic()
        for waiting in self._unjudged:
            self._status.begin(waiting, self._executions)
            try:
                self._target.check(waiting)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is a finding
                self._report(error, waiting)
        self._unjudged.clear()
        self._sample_mask = self._sample_mask or _SAMPLED - 1
        now = time.monotonic()
        self._judging += now - began
        if self._job.runs or self._sample_mask >= _SAMPLED_MOST:
            return  # by number alone, so that it can be repeated
        if self._judging > _SHARE * (now - self._began):
            self._sample_mask = 2 * self._sample_mask + 1
        elif self._sample_mask > _SAMPLED - 1:
            self._sample_mask //= 2

    def warm(self, data: bytes) -> None:
        """Run the target without counting or reporting."""
        self._status.begin(data, self._executions)
        with suppress(Exception):  # it will be met again
            self._target.check(data)

    def start(self) -> None:
        """Begin the time of the executions."""
        if self._job.seconds:
            self._end = max(self._began + self._job.seconds, time.monotonic() + _LEAST)

    def finish(self) -> NoReturn:
        """End the process at once: libFuzzer and Hypothesis would go on."""
        if self._shapes is not None:
            self.judge(b"")
        if self._batched is not None:
            try:
                self._batched.finish()
            except Exception as error:  # noqa: BLE001
                self._report(error, b"")
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(0)

    def _look(self) -> None:
        time_now = time.monotonic()
        if self._target.slow and time_now - self._looked > max(self._slowest, _SLOW):
            self._slowest = time_now - self._looked
            self._status.slow(self._slowest)
        self._looked = time_now
        orphaned = os.getppid() != self._parent  # nobody is there to take what is found
        if time_now > self._end or self._status.is_stopping or orphaned:
            self.finish()

    def _report(self, error: Exception, data: bytes) -> None:
        for finding in of_exception(self._target.name, error, data):
            if finding.key not in self._findings:
                self._findings.add(finding.key)
                self._keep(finding)

    def _keep(self, finding: FuzzFinding) -> None:
        finding = msgspec.structs.replace(finding, seed=self._job.seed, execution=self._executions)
        self._tell(finding)  # now: making it small may hang
        if self._job.seconds:
            self._enough = min(self._end, time.monotonic() + self._job.seconds * _FOR_ONE)
        small = minimised_finding(finding, self._target.form, self._findings_of)
        if small.minimal != finding.input:
            self._tell(small)

    def _findings_of(self, data: bytes) -> list[FuzzFinding]:
        self._status.begin(data, self._executions)
        if time.monotonic() > self._enough:
            return []  # as small as there was time for
        try:
            self._target.check(data)
        except Exception as error:  # noqa: BLE001
            return of_exception(self._target.name, error, data)
        return []

    def _tell(self, finding: FuzzFinding) -> None:
        with self._job.findings.open("ab") as file:
            file.write(msgspec.json.encode(finding) + b"\n")


SHAPES = 1 << 11
"""The number of counts of shapes: of eight versions, sixteen fields and sixteen sizes."""
_NULL, _NEGATIVE = 15, 14


def note_shape(value: Mapping[str, Any], shapes: bytearray) -> None:
    """Count the size of each field of a value that was read, under its version."""
    version = value.get("version")
    first = min(version, 7) << 8 if type(version) is int and version > 0 else 0
    for key, item in value.items():
        if item is None:
            size = _NULL
        elif type(item) is int:
            size = _NEGATIVE if item < 0 else min(item.bit_length(), 13)
        elif isinstance(item, Sized):
            size = min(len(item).bit_length(), 13)
        else:
            continue
        shapes[first | (hash(key) & 15) << 4 | size] = 1


def replay(target: Target, execution: Execution, job: Job) -> None:
    """Run every input of the job once, the short ones first; the execution ends the process.

    A campaign begins with this on all its targets: a known input that breaks one shows within
    seconds, however short the share of each target is.
    """
    execution.start()
    files = [file for folder in (job.seeds, job.corpus) for file in folder.iterdir()]
    for file in sorted(files, key=lambda file: (file.stat().st_size, file.name)):
        execution(file.read_bytes())
    execution.finish()
