"""Bytes that the tests of this room share, all written by other people's programs.

`CLIENTS` are the first bytes that real consumers of one topic `self` sent; `CAPTURES` is member
metadata from a broker; `vectors()` is what Apache Kafka's own classes wrote and judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kproto.inspector.shapes.shape import json_line

VECTORS = Path(__file__).parents[1] / "vectors"
CAPTURES = {
    path.stem: bytes.fromhex(path.read_text(encoding="ascii"))
    for path in (VECTORS / "captures").glob("*.hex")
}
CLIENTS = {
    "kafka-go": "000100000001000473656c66ffffffff",
    "Sarama 2.0": "000000000001000473656c66ffffffff",
    "Sarama 2.6": "000100000001000473656c6600000004ffffffff00000000",
    "franz-go": "000300000001000473656c66000000040000000000000000ffffffffffff",
    "KafkaJS": "000000000001000473656c6600000000",
    "kafka-python 3": "000100000001000473656c660000000000000000",
    "librdkafka": "000300000001000473656c660000000000000000ffffffff0000",
}


def printed(shape: Any) -> Any:
    """A shape as the JSON that the command prints of it."""
    return json.loads(json_line(shape))


def vectors(file: str) -> Iterator[dict[str, Any]]:
    """The lines of one file of vectors."""
    for line in (VECTORS / file).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
