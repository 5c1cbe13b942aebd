"""The execution of a target: counts, watches for the end, and turns exceptions into findings.

libFuzzer ends its process at the first exception. Here it never sees one: a finding is written
down, minimised, and the search goes on.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import msgspec

from ..findings import FuzzFinding, of_exception
from ..minimisation import minimised_finding
from ..targets import Target
from .job import Job, SharedStatus

_LOOK = 0xF  # at the clock, the status and the parent, once in so many executions
_LEAST = 1.0  # seconds of a job that are left for executions, however long it took to begin
_FOR_ONE = 0.1  # of the job's time, at most, to make one finding small
_SLOW = 0.05  # seconds; a shorter execution is not reported


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
        self._executions = 0
        self._known: set[str] = set()
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
            self._check(data)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is a finding
            self._report(error, data)
        if number == self._job.runs:
            self.finish()
        if not number & self._look_mask:
            self._look()

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
        finding = of_exception(self._target.name, error, data)
        if finding.key in self._known:
            return
        self._known.add(finding.key)
        finding = msgspec.structs.replace(finding, seed=self._job.seed, execution=self._executions)
        self._tell(finding)  # now: making it small may hang
        if self._job.seconds:
            self._enough = min(self._end, time.monotonic() + self._job.seconds * _FOR_ONE)
        small = minimised_finding(finding, self._target.form, self._judge)
        if small.minimal != finding.input:
            self._tell(small)

    def _judge(self, data: bytes) -> FuzzFinding | None:
        self._status.begin(data, self._executions)
        if time.monotonic() > self._enough:
            return None  # as small as there was time for
        try:
            self._target.check(data)
        except Exception as error:  # noqa: BLE001
            return of_exception(self._target.name, error, data)
        return None

    def _tell(self, finding: FuzzFinding) -> None:
        with self._job.findings.open("ab") as file:
            file.write(msgspec.json.encode(finding) + b"\n")


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
