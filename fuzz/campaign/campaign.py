"""A campaign: one round of each target after the other, as many at once as there are jobs.

OUT/state.json               the settings and the progress
OUT/corpus/TARGET/           inputs that reached something new (or --corpus DIR)
OUT/findings/, *.sarif, …    see `findings.store`
OUT/run/                     job files, logs and shared status of the workers
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from zlib import crc32

from ..engines.isolated import judge
from ..engines.job import Job
from ..findings import Finding, Kind, Store
from ..minimisation import minimised_finding
from ..targets import Missing, form_of, invariant, reserves
from . import seeds
from .state import Progressed, Settings, State
from .worker import Worker

_TICK = 0.1
_SAVED = 10.0  # seconds: as much is lost where the campaign itself is killed
_HISTORY = 240  # points of coverage that are kept
_RESTARTS = 20  # of one target in one campaign, after hangs and crashes
_TRIES = 16  # to make a hang smaller; each costs its timeout


class Campaign:
    """A campaign to `run`; `state` and `store` hold its progress and findings at every moment."""

    def __init__(self, state: State, out: Path, corpus: Path | None = None) -> None:
        self.state = state
        self.out = out
        self.corpus = corpus or out / "corpus"
        self.store = Store(out)
        self._running: list[Worker] = []
        self._before: dict[str, tuple[int, float]] = {}
        self._restarts: dict[str, int] = {}
        self._saved = 0.0
        (out / "run").mkdir(parents=True, exist_ok=True)

    @property
    def settings(self) -> Settings:
        """The settings that the campaign was started with."""
        return self.state.settings

    def run(self, tick: Callable[[], None]) -> None:
        """Run until all targets are done; `tick` is called several times a second.

        KeyboardInterrupt ends it in order: nothing that was found is lost, and a campaign made from
        the saved state goes on.
        """
        with self._in_order():
            waiting = [target for target in self.state.targets.values() if not target.done]
            while waiting or self._running:
                while waiting and len(self._running) < self.settings.jobs:
                    self._begin(waiting.pop(0))
                time.sleep(_TICK)
                for worker in list(self._running):
                    self._look_at(worker)
                if time.monotonic() - self._saved > _SAVED:
                    self._save()
                tick()

    @contextmanager
    def _in_order(self) -> Iterator[None]:
        try:
            yield
        finally:
            for worker in self._running:
                worker.stop()
                self._collect(worker)
                worker.close()
            self._running.clear()
            for target in self.state.targets.values():
                target.running = False
            self._save()

    # -- one worker

    def _begin(self, progress: Progressed) -> None:
        name, settings = progress.target, self.settings
        progress.invariant = invariant(name)
        progress.running = True
        self._before[name] = (progress.executions, progress.seconds)
        corpus = self.corpus / name
        corpus.mkdir(parents=True, exist_ok=True)
        own = self.out / "run" / "seeds" / name
        seeds.unpack(seeds.seeds(name), own)
        path = self.out / "run" / f"{name}-{progress.rounds}.json"
        job = Job(
            target=name,
            engine=settings.engine,
            seed=self._seed(name, progress.rounds),
            corpus=corpus,
            seeds=own,
            status=path.with_suffix(".status"),
            found=path.with_suffix(".found"),
            runs=max(1, settings.runs - progress.executions) if settings.runs else 0,
            seconds=max(1.0, self._share() - progress.seconds) if settings.seconds else 0.0,
            memory=0 if reserves(name) else settings.memory,
        )
        progress.rounds += 1
        worker = Worker(job, path, timeout=settings.timeout, memory=settings.memory)
        self._running.append(worker)

    def _share(self) -> float:
        """Return the seconds of each target."""
        settings = self.settings
        return settings.seconds * min(settings.jobs, len(settings.targets)) / len(settings.targets)

    def _seed(self, name: str, number: int) -> int:
        """Return the seed of a round of a target: never 0, which libFuzzer takes for any."""
        return (self.settings.seed + crc32(f"{name} {number}".encode())) % (1 << 31) or 1

    def _look_at(self, worker: Worker) -> None:
        self._collect(worker)
        if worker.ended():
            self._end(worker, worker.outcome())
        elif (found := worker.watch()) is not None:
            self._end(worker, found)

    def _collect(self, worker: Worker) -> None:
        progress = self.state.targets[worker.job.target]
        executions, seconds = self._before[progress.target]
        progress.executions = executions + worker.seen.executions
        progress.seconds = seconds + time.monotonic() - worker.began
        progress.slowest = max(progress.slowest, worker.seen.slowest)
        coverage, corpus = worker.coverage()
        progress.coverage = max(progress.coverage, coverage)
        progress.corpus = max(progress.corpus, corpus)
        progress.history.append(progress.coverage)
        if len(progress.history) > _HISTORY:
            progress.history[:] = progress.history[::2]
        new = [found for found in worker.findings() if self.store.add(found)]
        if new:
            self._save()

    def _end(self, worker: Worker, found: Finding | None) -> None:
        self._running.remove(worker)
        self._collect(worker)
        progress = self.state.targets[worker.job.target]
        progress.left = worker.missing()
        progress.running = False
        worker.close()
        if found is not None:
            self._add_from_outside(found)
            self._restarts[progress.target] = self._restarts.get(progress.target, 0) + 1
            if self._has_more(progress):
                self._begin(progress)
                return
        progress.done = True
        self._save()

    def _has_more(self, progress: Progressed) -> bool:
        settings = self.settings
        if self._restarts[progress.target] > _RESTARTS:
            return False
        if settings.runs:
            return progress.executions < settings.runs
        return progress.seconds < self._share()

    def _add_from_outside(self, found: Finding) -> None:
        """Add a hang or a crash: no worker can minimise it, so each try is a process."""
        killed = found.kind is Kind.CRASH and "status -9" in found.message
        seconds = self.settings.timeout
        with suppress(Missing):  # its judge has gone: nobody can say that it is none
            if killed and judge(found.target, found.input, seconds=seconds) is None:
                return  # somebody else has ended the worker
        new = found.key not in {finding.key for finding in self.store}
        self.store.add(found)
        if new and found.kind is not Kind.MEMORY:
            alone = partial(judge, found.target, seconds=seconds)
            form = form_of(found.target)
            self.store.add(minimised_finding(found, form, alone, tries=_TRIES))
        self._save()

    def _save(self) -> None:
        self._saved = time.monotonic()
        self.state.save(self.out)
        ran = [
            target for target in self.state.targets.values() if target.rounds and not target.left
        ]
        self.store.report([(one.target, one.invariant, one.seconds) for one in ran])
