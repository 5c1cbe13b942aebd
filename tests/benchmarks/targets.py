"""What the project promises about its speed, as ratios of one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .peers import CONSTRUCT, KAFKA_PYTHON_CODEC, KIO, OURS
from .start import INSPECTOR, JSON, NOTHING
from .timing import Times

Results = Mapping[str, Times]  # by measurement

START = "start"


def decode(shape: str) -> str:
    """The name of a measurement."""
    return f"decode {shape}"


def encode(shape: str) -> str:
    """The name of a measurement."""
    return f"encode {shape}"


class Target(NamedTuple):
    """`ours` beside `peer`: with `faster`, at least `limit` times as fast; otherwise, at most
    `limit` times its time."""

    measurement: str
    ours: str
    peer: str
    limit: float
    faster: bool

    def ratio(self, results: Results) -> float | None:
        """What was measured, in the target's own terms; None if it was not."""
        times = results.get(self.measurement)
        if times is None or self.ours not in times or self.peer not in times:
            return None
        pair = (self.peer, self.ours) if self.faster else (self.ours, self.peer)
        return times.ratio(*pair)

    def met(self, results: Results) -> bool | None:
        ratio = self.ratio(results)
        if ratio is None:
            return None
        return ratio >= self.limit if self.faster else ratio <= self.limit


def _faster(measurement: str, peer: str, limit: float) -> Target:
    return Target(measurement, OURS, peer, limit, faster=True)


def _within(measurement: str, peer: str, limit: float, ours: str = OURS) -> Target:
    return Target(measurement, ours, peer, limit, faster=False)


TARGETS = (
    *(_faster(decode(shape), CONSTRUCT, 25) for shape in ("S", "M", "L", "mixed")),
    _faster(decode("S"), KAFKA_PYTHON_CODEC, 2),
    _faster(decode("L"), KAFKA_PYTHON_CODEC, 6),
    _within(decode("S"), KIO, 2.8),
    _within(decode("M"), KIO, 2.0),
    _within(decode("L"), KIO, 1.5),
    _faster(encode("S"), KIO, 5),
    _faster(encode("M"), KIO, 6),
    _faster(encode("L"), KIO, 6),
    _within(START, NOTHING, 8, JSON),
    _within(START, NOTHING, 14, INSPECTOR),
)
