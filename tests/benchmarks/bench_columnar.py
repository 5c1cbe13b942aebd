"""The columnar decoder alone, on one core: rows and bytes a second, with full columns out.

    python -m tests.benchmarks.bench_columnar [--rows N] [--check]

`--check` fails below 5 million S rows a second.
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

import pyarrow as pa

from kproto.codec import ConsumerProtocolSubscription
from kproto.pipeline.columnar import decode_column

from .shapes import SHAPES

LEAST = 5e6
TURNS = 7
BATCH_BYTES = 100_000_000


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    best = {}
    print(f"{'':8}{'rows/s':>14}{'MB/s':>9}   best of {TURNS}")
    for shape in SHAPES:
        messages = [message.to_bytes() for message in shape.messages]
        size = sum(map(len, messages)) // len(messages)
        rows = max(1, min(given.rows, BATCH_BYTES // size) // len(messages)) * len(messages)
        column = pa.array(messages * (rows // len(messages)), pa.binary())
        seconds = min(_time(column) for _ in range(TURNS))
        best[shape.name] = rows / seconds
        print(f"{shape.name:8}{rows / seconds:14,.0f}{rows * size / seconds / 1e6:9,.0f}")
    if given.check and best["S"] < LEAST:
        print(f"S: {best['S']:,.0f} rows a second, at least {LEAST:,.0f} are wanted")
        return 1
    return 0


def _time(column: pa.Array) -> float:
    start = perf_counter()
    decoded = decode_column(column, ConsumerProtocolSubscription)
    seconds = perf_counter() - start
    assert decoded.field("error_kind").null_count == len(column)
    return seconds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
