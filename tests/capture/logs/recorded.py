"""Recorded logs of groups, with what really happened (tests/vectors/logs)."""

from __future__ import annotations

import gzip
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

from kproto.capture.logs.event import LogEvent
from kproto.capture.logs.reader import LogReader

FOLDER = Path(__file__).parents[2] / "vectors" / "logs"
SCENARIOS = sorted(path.name for path in FOLDER.iterdir() if (path / "truth.json.gz").exists())


@cache
def text(name: str) -> str:
    """The text of a recorded file, such as `crash/broker.log`."""
    return gzip.decompress((FOLDER / f"{name}.gz").read_bytes()).decode()


@cache
def truth(scenario: str) -> Any:
    """What really happened."""
    return json.loads(text(f"{scenario}/truth.json"))


def logs(scenario: str) -> dict[str, str]:
    """The logs of a scenario by file name: `broker.log`, and those of clients."""
    return {
        path.name.removesuffix(".gz"): text(f"{scenario}/{path.name.removesuffix('.gz')}")
        for path in sorted((FOLDER / scenario).glob("*.log.gz"))
    }


@cache
def _events(log: str) -> tuple[LogEvent, ...]:
    return tuple(LogReader().read(io.BytesIO(log.encode())))


def read(log: str) -> list[LogEvent]:
    """The events of a log."""
    return list(_events(log))
