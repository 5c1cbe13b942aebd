"""Distributed campaigns: pieces are carried out elsewhere, and their results are merged.

A piece is a target under a seed of its own, for a while, beginning with the corpus at that time: a
small campaign in a temporary folder. Rounds follow each other, so that all pieces of a round begin
with what those of the last one have reached. The caller provides the function that carries pieces
out: it gets a function and jobs, all bytes, and returns the results. A piece that is done twice
brings the same inputs and findings, and those count once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

import msgspec

from ..engines import default_engine
from ..findings import Finding
from . import seeds
from .campaign import Campaign
from .state import Progressed, Settings, State

__all__ = ["Carry", "DistributedCampaign", "carry_out"]

Carry: TypeAlias = Callable[[Callable[[bytes], bytes], Sequence[bytes]], Iterable[bytes]]
"""Calls the function for each piece, on any machine; returns the results in any order."""

ROUND_SECONDS = 60.0
ROUND_RUNS = 100_000
MOST_CORPUS = 4 << 20
"""Bytes of inputs that are sent with a piece, and back; small inputs go first."""


class _Piece(msgspec.Struct, frozen=True):
    settings: Settings
    corpus: tuple[bytes, ...]


class _Brought(msgspec.Struct, frozen=True):
    progressed: Progressed
    inputs: tuple[bytes, ...]
    findings: tuple[Finding, ...]


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


def _engine(asked: str) -> str:
    """Return the engine that is asked for, if it is installed here; else the best one that is."""
    return asked if find_spec(asked) is not None else default_engine()


def _inputs(folder: Path, known: set[bytes]) -> tuple[bytes, ...]:
    """Return as many inputs of a corpus as may be sent."""
    files = sorted(folder.iterdir(), key=lambda file: (file.stat().st_size, file.name))
    kept, size = [], 0
    for file in files:
        data = file.read_bytes()
        size += len(data)
        if size > MOST_CORPUS:
            break
        if data not in known:
            kept.append(data)
    return tuple(kept)


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
                for said in self._carry(carry_out, orders):
                    self._merge(msgspec.msgpack.decode(said, type=_Brought))
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
        for found in brought.findings:
            self.store.add(found)
        self._save()
