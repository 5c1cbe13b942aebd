"""What a campaign knows of itself, on disk at every moment: OUT/state.json.

A campaign that was stopped, however that happened, goes on from there.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

_FILE = "state.json"


class Settings(msgspec.Struct, frozen=True):
    """What was asked for. `seconds` is the time of the whole campaign, `runs` the executions of
    each target; `timeout` seconds and `memory` bytes are what one input may take."""

    targets: tuple[str, ...]
    engine: str
    seed: int
    seconds: float = 0.0
    runs: int = 0
    jobs: int = 1
    timeout: float = 10.0
    memory: int = 2 << 30


class Progressed(msgspec.Struct):
    """How far one target is; `left` is why it was left out, if it was."""

    target: str
    invariant: str = ""
    executions: int = 0
    seconds: float = 0.0
    coverage: int = 0
    corpus: int = 0
    slowest: float = 0.0
    history: list[int] = []
    """Coverage over time, for the picture."""
    running: bool = False
    done: bool = False
    left: str = ""
    rounds: int = 0

    @property
    def name(self) -> str:
        """How it is shown: a target that is somewhere else has its module's name."""
        return self.target.rpartition(".")[2].replace("_", "-")


class State(msgspec.Struct):
    """Settings and progress."""

    settings: Settings
    targets: dict[str, Progressed]

    @classmethod
    def new(cls, settings: Settings) -> State:
        """Nothing done yet."""
        return cls(settings, {name: Progressed(name) for name in settings.targets})

    @classmethod
    def load(cls, out: Path) -> State:
        """Return what an earlier campaign left. Raises OSError, ValueError where there is none."""
        return msgspec.json.decode((out / _FILE).read_bytes(), type=cls)

    def save(self, out: Path) -> None:
        """Replace the file in one step: whoever reads it finds one or the other."""
        beside = out / f"{_FILE}.new"
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(self)))
        beside.replace(out / _FILE)
