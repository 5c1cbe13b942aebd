"""Java's orders of strings and hash maps, where Kafka's result depends on them.

Kafka's assignors walk hash maps keyed by member ids and topic names. Java does not promise that
order, but it is the same in every release since Java 8, and it decides who gets the larger share
and the order of an assignment's topics. Assigning as Java does means walking in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable

_SMALLEST_TABLE = 16


def string_order(text: str) -> bytes:
    """Return a sort key that orders like `String.compareTo`: by UTF-16 code units, not by code
    points.
    """
    return text.encode("utf-16-be", "surrogatepass")


def string_hash(text: str) -> int:
    """Return `String.hashCode` as an unsigned 32-bit number."""
    units: Iterable[int]
    if text.isascii():
        units = text.encode("ascii")
    else:
        raw = string_order(text)
        units = (high << 8 | low for high, low in zip(raw[::2], raw[1::2], strict=True))
    total = 0
    for unit in units:
        total = (31 * total + unit) & 0xFFFFFFFF
    return total


def table_size(entries: int) -> int:
    """Return the number of buckets of a `HashMap` that grew by itself until it held so many
    entries.
    """
    size = _SMALLEST_TABLE
    while entries > size * 3 // 4:
        size *= 2
    return size


def bucket(hash_code: int, size: int) -> int:
    """Return the bucket in which a `HashMap` of `size` buckets keeps a key."""
    return (hash_code ^ hash_code >> 16) & size - 1


def hash_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in the order in which a `HashMap` iterates over them, inserted as they
    come here.

    A bucket keeps the order of insertion until eight keys collide in it, which takes names chosen
    for that; the order of such a bucket is not followed any further.
    """
    listed = list(keys)
    size = table_size(len(listed))
    return sorted(listed, key=lambda key: bucket(string_hash(key), size))
