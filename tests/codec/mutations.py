"""Ways to break bytes that were valid, so that they stay nearly valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

# Lengths, counts and varints at which readers differ.
EDGES = tuple(
    map(
        bytes.fromhex,
        "00 01 7f 80 ff 8000 8001 80ff ffff fffe 7fff 8080808000 8080808010 ffffffff0f ffffffff7f "
        "8080808080 808080808001 ffffffff fffffffe 80000000 7fffffff 00000000 00008000 "
        "eda080 eda0 edbfbf c080 f4908080 e080 f0 ff7f".split(),
    )
)


def _overwritten(rng: Random, data: bytes) -> bytes:
    edge, at = rng.choice(EDGES), rng.randrange(len(data) + 1)
    return data[:at] + edge + data[at + len(edge) :]


def _inserted(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(EDGES) + data[at:]


def _cut_out(rng: Random, data: bytes) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 5) :]


def _flipped(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _nudged(rng: Random, data: bytes) -> bytes:
    """One byte more or less by one: most often a length."""
    changed = bytearray(data)
    if changed:
        at = rng.randrange(len(changed))
        changed[at] = (changed[at] + rng.choice((1, -1))) % 256
    return bytes(changed)


MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (
    lambda rng, data: data[: rng.randrange(len(data) + 1)],
    lambda rng, data: data + rng.randbytes(rng.randrange(1, 9)),
    lambda rng, data: data,
    lambda rng, data: rng.randbytes(rng.randrange(40)),
    _overwritten,
    _overwritten,
    _inserted,
    _cut_out,
    _flipped,
    _nudged,
)


def mutated(rng: Random, data: bytes) -> bytes:
    """The data, broken in one way, now and then in two."""
    data = rng.choice(MUTATIONS)(rng, data)
    return rng.choice(MUTATIONS)(rng, data) if rng.random() < 0.2 else data
