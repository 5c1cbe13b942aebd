"""Mutated messages through the compiled core, for a build with a sanitizer: `make sanitize`.

    python -m tests.codec.under_sanitizer [--inputs N] [--seed N]

All vectors and N changes of them are read by the core into objects, walked by shape, written again,
and read as Arrow columns, two hundred rows each. The sanitizer ends the process where the core
touches memory that is not its own; with PYTHONMALLOC=malloc every Python object is an allocation
that it knows. What the core gives is compared with itself only: `engine-agreement` compares it with
the other decoders.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pyarrow as pa

from kproto.codec import EncodeError, Message, message_class
from kproto.codec.read.shape import shape_of
from kproto.codec.runtime import engine
from kproto.codec.runtime.engine import bind
from kproto.pipeline.columnar import decode_column

VECTORS = Path(__file__).parents[1] / "vectors"
_ROWS = 200  # of a column
_LINE = 1_000_000  # inputs between two lines of progress
_ODD = bytes.fromhex("ff7f8000010002fffffffeffffffff7fffffff80000000c3ff")


def main() -> int:
    parser = ArgumentParser()
    parser.add_argument("--inputs", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if engine.CORE is None:
        print(f"no compiled core: {engine.WHY_NOT}", file=sys.stderr)
        return 2
    chance = random.Random(arguments.seed)  # noqa: S311
    messages, columns = _messages(), Columns()
    began, read = time.monotonic(), 0
    for count in range(1, arguments.inputs + 1):
        cls, version, body = chance.choice(messages)
        changed = _changed(body, chance)
        read += _through(cls, version, changed)
        columns.add(cls, version, changed)
        if count % _LINE == 0 or count == arguments.inputs:
            seconds = time.monotonic() - began
            line = f"{count:,} inputs, {read:,} of them read, {seconds:,.0f} s"
            held = f"{_resident()} MB resident, {sys.getrefcount(None):,} references to None"
            print(f"{line}, {held}", flush=True)
    return 0


def _resident() -> int:
    """Megabytes of this process in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


class Columns:
    """Bodies by message and version, decoded as columns where there are enough of them."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[Any, int], list[bytes]] = {}

    def add(self, cls: Any, version: int, body: bytes) -> None:
        if cls.FRAMING.kind == "version32":
            return
        waiting = self._waiting.setdefault((cls, version), [])
        waiting.append(body)
        if len(waiting) == _ROWS:
            column = decode_column(pa.array(waiting, pa.binary()), cls, (version,))
            column.validate(full=True)
            waiting.clear()


def _messages() -> list[tuple[Any, int, bytes]]:
    found = []
    for line in (VECTORS / "group-messages.jsonl").read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        cls, version = message_class(vector["name"]), vector["version"]
        bind(cls)
        body = bytes.fromhex(vector["hex"])
        assert _through(cls, version, body)
        found.append((cls, version, body))
    return found


def _through(cls: type[Message], version: int, data: bytes) -> bool:
    """Whether the core reads the bytes; what it reads, it can write and read again."""
    seen = cls._plainly(version, data, 0)
    fits, end = shape_of(cls.__name__).end(version, data, 0)
    if seen is None:
        return False
    message, stop = seen
    assert (fits, end) == (True, stop)
    try:
        body = message.to_body(version)
    except EncodeError:  # tags out of order are read, and not written
        return True
    again = cls._plainly(version, body, 0)
    assert again is not None and repr(again[0]) == repr(message)
    return True


def _changed(body: bytes, chance: random.Random) -> bytes:
    """A cut, or one to three places overwritten, taken out or put in."""
    data = bytearray(body)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        size = chance.choice((1, 1, 2, 4))
        odd = chance.randrange(len(_ODD) - 4)
        match chance.randrange(4):
            case 0:
                del data[at:]
            case 1:
                data[at : at + size] = _ODD[odd : odd + size]
            case 2:
                del data[at : at + size]
            case _:
                data[at:at] = _ODD[odd : odd + size]
    return bytes(data)


if __name__ == "__main__":
    sys.exit(main())
