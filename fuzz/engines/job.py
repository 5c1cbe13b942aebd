"""The job of a worker: a JSON file, so that it can be repeated by hand.

python -m kproto.fuzz.engines.worker OUT/run/round-trip-0.json
"""

from __future__ import annotations

from pathlib import Path

import msgspec

MISSING = 69
"""The exit status of a worker whose target lacks its judge; its log says why."""


class Job(msgspec.Struct, frozen=True):
    """The work of one worker, which ends after `runs` executions or `seconds`, whichever is given.

    `corpus` is where inputs that reach something new are kept; `seeds` is a folder of more inputs
    to begin with. `memory` is an address-space limit in bytes, 0 for none.
    """

    target: str
    engine: str
    seed: int
    corpus: Path
    seeds: Path
    status: Path
    found: Path
    runs: int = 0
    seconds: float = 0.0
    memory: int = 0
    shared: bool = False  # other workers write to the same corpus

    def write(self, path: Path) -> None:
        """Write the job as a file."""
        path.write_bytes(msgspec.json.encode(self, enc_hook=str))

    @classmethod
    def read(cls, path: Path) -> Job:
        """Return the job of a file."""
        return msgspec.json.decode(path.read_bytes(), type=cls, dec_hook=_path)


def _path(kind: type[Path], text: str) -> Path:
    return kind(text)
