"""Mutations without libFuzzer: raw ones, and a campaign of one process without an engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from kproto.fuzz.mutators import Form, mutator
from kproto.fuzz.mutators.splices import EDGES, MAX_SPLICED, Raw


def changed(form: Form, seeds: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Yield the seeds, then mutated ones without end: a campaign of one process without an
    engine.
    """
    rng = Random(seed)  # noqa: S311  # the same each time
    order = rng.sample(seeds, len(seeds))
    yield from order
    mutate = mutator(form, shaken(rng))
    while order:
        yield mutate(rng.choice(order), MAX_SPLICED, rng.getrandbits(32))


def shaken(rng: Random, tokens: Sequence[bytes] = EDGES) -> Raw:
    """Return raw mutations for engines without libFuzzer's: bits, bytes, edges, tokens, pieces."""

    def raw(data: bytes, max_size: int) -> bytes:
        at, until = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
        until = min(until, at + 16)
        changes = (
            lambda: data[:at] + rng.choice(EDGES) + data[at:],
            lambda: data[:at] + rng.choice(tokens) + data[until:],
            lambda: data[:at] + rng.randbytes(until - at) + data[until:],
            lambda: data[:at] + data[until:],
            lambda: data[:until] + data[at:until] + data[until:],
            lambda: data[:at] + _flipped(rng, data[at : at + 1]) + data[at + 1 :],
        )
        return rng.choice(changes)()[:max_size]

    return raw


def _flipped(rng: Random, byte: bytes) -> bytes:
    return bytes([byte[0] ^ 1 << rng.randrange(8)]) if byte else b"\1"
