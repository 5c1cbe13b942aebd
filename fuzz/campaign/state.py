"""The state of a campaign: its settings and progress, in OUT/state.json.

A campaign that was stopped, however that happened, goes on from there.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

_FILE = "state.json"


class Settings(msgspec.Struct, frozen=True):
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

    settings: Settings
    targets: dict[str, Progressed]
    spent: float = 0.0
    """The seconds that the campaign has taken so far."""

    @classmethod
    def new(cls, settings: Settings) -> State:
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
        new = out / f"{_FILE}.new"
        new.write_bytes(msgspec.json.format(msgspec.json.encode(self)))
        new.replace(out / _FILE)
