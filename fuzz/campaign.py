"""A campaign: one round of each target after the other, as many at once as there are jobs.

Within a time, the known inputs of all targets are replayed first; what is left of the time is
shared among the targets, and the time that a target needs to begin is part of its share. When the
time is over, so is the campaign: a target whose share would be shorter than it needs says so. A
campaign that was stopped, however that happened, goes on from its state.

    OUT/state.json               the settings and the progress
    OUT/corpus/TARGET/           inputs that reached something new (or --corpus DIR)
    OUT/findings/, *.sarif, ...  see `findings`
    OUT/run/                     job files, logs and shared status of the workers

A distributed campaign has its pieces carried out elsewhere. A piece is a target under a seed of its
own, for a while, beginning with the corpus at that time: a small campaign in a temporary folder.
Rounds follow each other, so that all pieces of a round begin with what those of the last one have
reached. The caller provides the function that carries pieces out: it gets a function and jobs, all
bytes, and returns the results. A piece that is done twice brings the same inputs and findings, and
those count once.
"""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

import msgspec

from ..files import write_file
from . import seeds
from .engines import default_engine
from .engines.job import REPLAY, Job
from .engines.processes import Worker, judge
from .findings import FindingKind, FuzzFinding, Store
from .minimisation import minimised_finding
from .targets import Missing, form_of, invariant, reserves

_FILE = "state.json"


class CampaignSettings(msgspec.Struct, frozen=True):
    """The settings of a campaign. `seconds` is the time of the whole campaign, `runs` the
    executions of each target; `timeout` seconds and `memory` bytes are what one input may take.
    """

    targets: tuple[str, ...]
    engine: str
    seed: int
    seconds: float = 0.0
    runs: int = 0
    jobs: int = 1
    timeout: float = 10.0
    memory: int = 2 << 30


class Progressed(msgspec.Struct):
    """The progress of one target; `left` is why it was left out, if it was."""

    target: str
    invariant: str = ""
    executions: int = 0
    seconds: float = 0.0
    coverage: int = 0
    corpus: int = 0
    slowest: float = 0.0
    history: list[int] = []
    """Coverage over time, for the picture."""
    replayed: int = 0
    """How many of the executions ran inputs that were known before."""
    short: str = ""
    """Why nothing new was looked for; "" if it was."""
    running: bool = False
    done: bool = False
    left: str = ""
    rounds: int = 0

    @property
    def name(self) -> str:
        """The name that is shown: of a target elsewhere, the last part of its module's name."""
        return self.target.rpartition(".")[2].replace("_", "-")


class State(msgspec.Struct):
    """The settings of a campaign, and the progress of each target."""

    settings: CampaignSettings
    targets: dict[str, Progressed]
    spent: float = 0.0
    """The seconds that the campaign has taken so far."""

    @classmethod
    def new(cls, settings: CampaignSettings) -> State:
        """Return the state before anything is done."""
        return cls(settings, {name: Progressed(name) for name in settings.targets})

    @classmethod
    def load(cls, out: Path) -> State:
        """Return the state that an earlier campaign left. Raises OSError or ValueError if there is
        none.
        """
        return msgspec.json.decode((out / _FILE).read_bytes(), type=cls)

    def save(self, out: Path) -> None:
        """Replace the file in one step: a reader finds either the old or the new one."""
        write_file(out / _FILE, msgspec.json.format(msgspec.json.encode(self)))


_TICK = 0.1
SAVED = 10.0  # seconds: as much is lost where the campaign itself is killed
_HISTORY = 240  # points of coverage that are kept
_RESTARTS = 20  # of one target in one campaign, after hangs and crashes
TRIES = 16  # to make a hang smaller; each costs its timeout
_NEEDED, _NEEDED_BY_JVM = 4.0, 15.0  # seconds, below which a target does not get to search


class Campaign:
    """A campaign to `run`; `state` and `store` hold its progress and findings at every moment."""

    def __init__(self, state: State, out: Path, corpus: Path | None = None) -> None:
        self.state = state
        self.out = out
        self.corpus = corpus or out / "corpus"
        self.store = Store(out)
        self.running: list[Worker] = []
        self._before: dict[str, tuple[int, float]] = {}
        self._restarts: dict[str, int] = {}
        self._deadly: dict[str, set[bytes]] = {}
        self._saved = 0.0
        self._began = time.monotonic()
        self._before_now = state.spent
        self._replaying: set[str] = set()
        (out / "run").mkdir(parents=True, exist_ok=True)

    @property
    def settings(self) -> CampaignSettings:
        """The settings that the campaign was started with."""
        return self.state.settings

    def run(self, tick: Callable[[], None]) -> None:
        """Run until all targets are done; `tick` is called several times a second.

        KeyboardInterrupt ends it in order: nothing that was found is lost, and a campaign made from
        the saved state goes on.
        """
        self._began = time.monotonic()
        with self._in_order():
            if self.settings.seconds and len(self.settings.targets) > 1:
                self._replaying = {name for name in self.state.targets if self._unseen(name)}
                self._all(list(self._replaying_in_order()), tick)
            waiting = [target for target in self.state.targets.values() if not target.done]
            self._all(waiting, tick)
            for target in waiting:
                target.done = True

    def _unseen(self, name: str) -> bool:
        """Return whether the known inputs of a target are still to be replayed. The start of a JVM
        takes the time of many other targets: it is not started twice.
        """
        target = self.state.targets[name]
        return not (target.done or target.rounds or reserves(name))

    def _replaying_in_order(self) -> Iterator[Progressed]:
        return (self.state.targets[name] for name in self.state.targets if name in self._replaying)

    def _all(self, waiting: list[Progressed], tick: Callable[[], None]) -> None:
        """Run a round of each of these targets, until the time is over."""
        waiting = list(waiting)
        while (waiting or self.running) and self._time_left() > 0:
            while waiting and len(self.running) < self.settings.jobs:
                self._begin_if_it_pays(waiting.pop(0), len(waiting))
            time.sleep(_TICK)
            for worker in list(self.running):
                self._look_at(worker)
            if time.monotonic() - self._saved > SAVED:
                self._save()
            tick()
        for target in waiting:
            target.short = target.short or "the time was over before its turn"

    def _time_left(self) -> float:
        """Return the seconds that are left of the campaign's time."""
        settings = self.settings
        return settings.seconds - self._spent() if settings.seconds else float("inf")

    def _spent(self) -> float:
        return self._before_now + time.monotonic() - self._began

    def _begin_if_it_pays(self, progress: Progressed, waiting: int) -> None:
        """Begin a target, unless there is less time for it than it needs; `waiting` come after."""
        if progress.target in self._replaying:
            self._begin(progress, self._time_left())
            return
        if not self.settings.seconds:
            self._begin(progress, 0.0)
            return
        needed = _NEEDED_BY_JVM if reserves(progress.target) else _NEEDED
        left, jobs = self._time_left(), self.settings.jobs
        rounds = max(1, min(int(left / needed), ceil((waiting + 1) / jobs)))
        share = left / rounds
        if share < needed and (self.running or waiting):  # the last one takes what is left
            progress.short = f"its share of {share:.1f} s is less than the {needed:.0f} s it needs"
        else:
            self._begin(progress, share)

    @contextmanager
    def _in_order(self) -> Iterator[None]:
        try:
            yield
        finally:
            for worker in self.running:
                worker.stop()
                self._collect(worker)
                worker.close()
            self.running.clear()
            for target in self.state.targets.values():
                target.running = False
            self.state.spent = self._spent()
            self._save()

    # -- one worker

    def _begin(self, progress: Progressed, share: float) -> None:
        """Start a worker on a target; `share` is the seconds that it has, where it has a time."""
        name, settings = progress.target, self.settings
        progress.invariant = invariant(name)
        progress.running = True
        self._before[name] = (progress.executions, progress.seconds)
        corpus = self.corpus / name
        corpus.mkdir(parents=True, exist_ok=True)
        own = self.out / "run" / "seeds" / name
        deadly = self._deadly.setdefault(name, set())
        seeds.unpack([data for data in seeds.seeds(name) if data not in deadly], own)
        path = self.out / "run" / f"{name}-{progress.rounds}.json"
        job = Job(
            target=name,
            engine=REPLAY if name in self._replaying else settings.engine,
            seed=self._seed(name, progress.rounds),
            corpus=corpus,
            seeds=own,
            status=path.with_suffix(".status"),
            findings=path.with_suffix(".found"),
            runs=max(1, settings.runs - progress.executions) if settings.runs else 0,
            seconds=max(1.0, share) if settings.seconds else 0.0,
            memory=0 if reserves(name) else settings.memory,
        )
        progress.rounds += 1
        worker = Worker(job, path, timeout=settings.timeout, memory=settings.memory)
        self.running.append(worker)

    def _seed(self, name: str, number: int) -> int:
        """Return the seed of a round of a target: never 0, which libFuzzer takes for any."""
        return (self.settings.seed + crc32(f"{name} {number}".encode())) % (1 << 31) or 1

    def _look_at(self, worker: Worker) -> None:
        self._collect(worker)
        if worker.ended():
            self._end(worker, worker.outcome())
        elif (finding := worker.watch()) is not None:
            self._end(worker, finding)

    def _collect(self, worker: Worker) -> None:
        progress = self.state.targets[worker.job.target]
        executions, seconds = self._before[progress.target]
        progress.executions = executions + worker.progress.executions
        progress.seconds = seconds + time.monotonic() - worker.began
        progress.slowest = max(progress.slowest, worker.progress.slowest)
        coverage, corpus = worker.coverage()
        progress.coverage = max(progress.coverage, coverage)
        progress.corpus = max(progress.corpus, corpus)
        progress.history.append(progress.coverage)
        if len(progress.history) > _HISTORY:
            progress.history[:] = progress.history[::2]
        new = [finding for finding in worker.findings() if self.store.add(finding)]
        if new:
            self._save()

    def _end(self, worker: Worker, finding: FuzzFinding | None) -> None:
        self.running.remove(worker)
        self._collect(worker)
        progress = self.state.targets[worker.job.target]
        progress.left = worker.missing()
        progress.running = False
        worker.close()
        if finding is not None:
            self._add_from_outside(finding)
            self._leave_out(finding)
            self._restarts[progress.target] = self._restarts.get(progress.target, 0) + 1
            share = worker.job.seconds - (time.monotonic() - worker.began)
            if self._has_more(progress, share):
                self._begin(progress, share)
                return
        if progress.target in self._replaying:
            self._replaying.discard(progress.target)
            progress.replayed = progress.executions
            progress.done = bool(progress.left)
        else:
            progress.done = True
        self._save()

    def _leave_out(self, finding: FuzzFinding) -> None:
        """Leave the input that ended a worker out of those that the next one begins with."""
        self._deadly[finding.target].add(finding.input)
        for folder in (self.out / "run" / "seeds", self.corpus):
            (folder / finding.target / seeds.digest(finding.input)).unlink(missing_ok=True)

    def _has_more(self, progress: Progressed, left: float) -> bool:
        """Return whether a target goes on after its worker has ended. A replay of known inputs does
        not: the input that ended it would end it again.
        """
        if progress.target in self._replaying:
            return False
        if not self.settings.runs:
            return left > 1.0
        is_hopeless = self._restarts[progress.target] > _RESTARTS
        return progress.executions < self.settings.runs and not is_hopeless

    def _add_from_outside(self, outcome: FuzzFinding) -> None:
        """Add a hang or a crash: no worker can minimise it, so each try is a process."""
        killed = outcome.kind is FindingKind.CRASH and "status -9" in outcome.message
        seconds = self.settings.timeout
        with suppress(Missing):  # its judge is missing now: the finding is kept
            doubtful = (
                killed or outcome.kind is FindingKind.HANG
            )  # somebody else ended it, or slowed it down
            if doubtful and not judge(outcome.target, outcome.input, seconds=seconds):
                return
        new = outcome.key not in {finding.key for finding in self.store}
        self.store.add(outcome)
        if new and outcome.kind is not FindingKind.MEMORY:
            alone = partial(judge, outcome.target, seconds=seconds)
            form = form_of(outcome.target)
            tries = int(min(TRIES, max(0.0, self._time_left()) / seconds))
            self.store.add(minimised_finding(outcome, form, alone, tries=tries))
        self._save()

    def _save(self) -> None:
        self._saved = time.monotonic()
        self._check_disk()
        self.state.spent = self._spent()
        self.state.save(self.out)
        ran = [
            target for target in self.state.targets.values() if target.rounds and not target.left
        ]
        self.store.report([(target.target, target.invariant, target.seconds) for target in ran])

    def _check_disk(self) -> None:
        """Raise OSError where inputs could not be kept: libFuzzer says nothing of that."""
        if not hasattr(os, "statvfs"):
            return
        for folder in (self.out, self.corpus):
            if folder.exists() and os.statvfs(folder).f_bavail == 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


__all__ = ["Carry", "DistributedCampaign", "carry_out"]

Carry: TypeAlias = Callable[[Callable[[bytes], bytes], Sequence[bytes]], Iterable[bytes]]
"""Calls the function for each piece, on any machine; returns the results in any order."""

ROUND_SECONDS = 60.0
ROUND_RUNS = 100_000
MOST_CORPUS = 4 << 20
"""Bytes of inputs that are sent with a piece, and back; small inputs go first."""


class _Piece(msgspec.Struct, frozen=True):
    settings: CampaignSettings
    corpus: tuple[bytes, ...]


class _Brought(msgspec.Struct, frozen=True):
    progressed: Progressed
    inputs: tuple[bytes, ...]
    findings: tuple[FuzzFinding, ...]


def carry_out(order: bytes) -> bytes:
    """Carry out a piece, on whatever machine this is, and return its result."""
    piece = msgspec.msgpack.decode(order, type=_Piece)
    (target,) = piece.settings.targets
    settings = msgspec.structs.replace(piece.settings, engine=_engine(piece.settings.engine))
    with tempfile.TemporaryDirectory(prefix="kproto-fuzz-") as folder:
        corpus = Path(folder, "corpus")
        seeds.unpack(list(piece.corpus), corpus / target)
        campaign = Campaign(State.new(settings), Path(folder, "out"), corpus)
        campaign.run(lambda: None)
        reached = _inputs(corpus / target, set(piece.corpus))
        brought = _Brought(campaign.state.targets[target], reached, tuple(campaign.store))
    return msgspec.msgpack.encode(brought)


def _engine(preferred: str) -> str:
    """Return the engine that is asked for, if it is installed here; else the best one that is."""
    return preferred if find_spec(preferred) is not None else default_engine()


def _inputs(folder: Path, earlier: set[bytes]) -> tuple[bytes, ...]:
    """Return as many inputs of a corpus as may be sent."""
    files = sorted(folder.iterdir(), key=lambda file: (file.stat().st_size, file.name))
    inputs, size = [], 0
    for file in files:
        data = file.read_bytes()
        size += len(data)
        if size > MOST_CORPUS:
            break
        if data not in earlier:
            inputs.append(data)
    return tuple(inputs)


class DistributedCampaign(Campaign):
    """A campaign whose pieces are carried out elsewhere, `settings.jobs` at once."""

    def __init__(self, state: State, out: Path, carry: Carry, corpus: Path | None = None) -> None:
        super().__init__(state, out, corpus)
        self._carry = carry

    def run(self, tick: Callable[[], None]) -> None:
        """Run until all targets are done; `tick` is called after each piece that is merged."""
        with self._in_order():
            while pieces := [piece for target in self._open() for piece in self._pieces(target)]:
                orders = [msgspec.msgpack.encode(piece) for piece in pieces]
                for answer in self._carry(carry_out, orders):
                    self._merge(msgspec.msgpack.decode(answer, type=_Brought))
                    tick()

    def _open(self) -> list[Progressed]:
        """Return the targets that are not done."""
        for target in self.state.targets.values():
            target.running = False
            target.done |= self._left(target) <= 0
        return [target for target in self.state.targets.values() if not target.done]

    def _left(self, progress: Progressed) -> float:
        """Return what is left of a target's runs, or of its seconds on one of the jobs."""
        if self.settings.runs:
            return self.settings.runs - progress.executions
        return (
            self.settings.seconds * self.settings.jobs / len(self.settings.targets)
            - progress.seconds
        )

    def _pieces(self, progress: Progressed) -> Iterable[_Piece]:
        """Yield the pieces of one target and round, as many as there are jobs for it."""
        count = max(1, self.settings.jobs // len(self.settings.targets))
        share = self._left(progress) / count
        folder = self.corpus / progress.target
        folder.mkdir(parents=True, exist_ok=True)
        corpus = _inputs(folder, set())
        progress.running = True
        for _ in range(count):
            yield _Piece(
                msgspec.structs.replace(
                    self.settings,
                    targets=(progress.target,),
                    seed=self._seed(progress.target, progress.rounds),
                    seconds=0.0 if self.settings.runs else max(1.0, min(share, ROUND_SECONDS)),
                    runs=max(1, int(min(share, ROUND_RUNS))) if self.settings.runs else 0,
                    jobs=1,
                ),
                corpus,
            )
            progress.rounds += 1

    def _merge(self, brought: _Brought) -> None:
        came = brought.progressed
        progress = self.state.targets[came.target]
        seeds.unpack(list(brought.inputs), self.corpus / progress.target)
        progress.invariant = came.invariant
        progress.executions += came.executions
        progress.seconds += came.seconds
        progress.slowest = max(progress.slowest, came.slowest)
        progress.coverage = max(progress.coverage, came.coverage)
        progress.history.append(progress.coverage)
        progress.corpus = sum(1 for _ in (self.corpus / progress.target).iterdir())
        progress.left = came.left
        progress.done = bool(came.left)
        for finding in brought.findings:
            self.store.add(finding)
        self._save()
