"""What the project promises about its speed, as ratios of one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from .peers import CONSTRUCT, JAVA, KAFKA_PYTHON_CODEC, KIO, MSGPACK, OURS
from .start import CORE, HELP, INSPECTOR, JSON, NOTHING
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
    `limit` times its time. Without a peer, `ours` takes at most `limit` milliseconds."""

    measurement: str
    ours: str
    peer: str | None
    limit: float
    faster: bool

    def measured(self, results: Results) -> float | None:
        """What was measured, in the target's own terms; None if it was not."""
        times = results.get(self.measurement)
        if times is None or self.ours not in times:
            return None
        if self.peer is None:
            return times.medians()[self.ours] * 1e3
        if self.peer not in times:
            return None
        pair = (self.peer, self.ours) if self.faster else (self.ours, self.peer)
        return times.ratio(*pair)

    def met(self, results: Results) -> bool | None:
        measured = self.measured(results)
        if measured is None:
            return None
        return measured >= self.limit if self.faster else measured <= self.limit


def _faster(name: Callable[[str], str], peer: str, **limits: float) -> Iterator[Target]:
    for shape, limit in limits.items():
        yield Target(name(shape), OURS, peer, limit, faster=True)


def _within(name: Callable[[str], str], peer: str, **limits: float) -> Iterator[Target]:
    for shape, limit in limits.items():
        yield Target(name(shape), OURS, peer, limit, faster=False)


TARGETS = (
    *_faster(decode, KIO, T=2, S=2.5, M=3, L=3.5, W=1.5),
    *_faster(decode, JAVA, S=1, M=3, L=9),
    *_within(decode, MSGPACK, T=1, S=1, M=1, L=1, W=1, D=1, mixed=1),
    *_faster(decode, KAFKA_PYTHON_CODEC, S=2, L=6),
    *_faster(decode, CONSTRUCT, S=25, M=25, L=25, mixed=25),
    *_faster(encode, KIO, T=40, S=60, M=80, L=90, W=50),
    *_within(encode, MSGPACK, T=1.2, S=1.2, M=1.2, L=1.2, W=1.2, D=1.2, mixed=1.2),
    Target(START, HELP, NOTHING, 2.5, faster=False),
    Target(START, JSON, NOTHING, 4.5, faster=False),
    Target(START, INSPECTOR, NOTHING, 7, faster=False),
    Target(START, CORE, None, 3, faster=False),
)
