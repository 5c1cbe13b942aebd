"""Java's orders of strings and hash maps, where Kafka's result depends on them.

Kafka's assignors walk hash maps keyed by member ids and topic names. Java does not promise that
order, but it is the same in every release since Java 8, and it decides who gets the larger share
and the order of an assignment's topics. Assigning as Java does means walking in the same order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TypeVar
from uuid import UUID

KeyT = TypeVar("KeyT")

_SMALLEST_TABLE = 16


def string_order(text: str) -> bytes:
    """Return a sort key that orders like `String.compareTo`: by UTF-16 code units, not by code
    points.
    """
    return text.encode("utf-16-be", "surrogatepass")


@lru_cache(1 << 14)
def string_hash(text: str) -> int:
    """Return `String.hashCode` as an unsigned 32-bit number. It is kept, as Java's strings keep
    theirs: a group's members come again and again."""
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
    return sized_for(_SMALLEST_TABLE, entries)


def bucket(hash_code: int, size: int) -> int:
    """Return the bucket in which a `HashMap` of `size` buckets keeps a key."""
    return (hash_code ^ hash_code >> 16) & size - 1


def hash_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in the order in which a `HashMap` iterates over them, inserted as they
    come here.

    A bucket keeps the order of insertion until it is made a tree, for nine keys or more. For that,
    member ids have to be chosen, or a share group to have hundreds of thousands of partitions; the
    order of such a bucket is not followed any further.
    """
    return sized_order(list(keys), string_hash)


def int_hash(number: int) -> int:
    """Return `Integer.hashCode` as an unsigned 32-bit number."""
    return number & 0xFFFFFFFF


def uuid_hash(uuid: UUID) -> int:
    """Return the hash code of Kafka's `Uuid` as an unsigned 32-bit number."""
    folded = (uuid.int >> 64) ^ (uuid.int & 0xFFFFFFFFFFFFFFFF)
    return (folded >> 32 ^ folded) & 0xFFFFFFFF


def sized_order(
    keys: Collection[KeyT], hash_code: Callable[[KeyT], int], size: int | None = None
) -> list[KeyT]:
    """Return distinct keys in the order of a `HashMap` of `size` buckets; by default of one that
    grew by itself."""
    return _by_bucket(keys, hash_code, table_size(len(keys)) if size is None else size)


def sized_for(capacity: int, entries: int) -> int:
    """Return the number of buckets of a `HashMap` that was made with this capacity, and grew where
    its entries needed that."""
    size = 1 << max(capacity - 1, 0).bit_length()
    while entries > size * 3 // 4:
        size *= 2
    return size


def presized_order(keys: Collection[KeyT], hash_code: Callable[[KeyT], int]) -> list[KeyT]:
    """Return distinct keys in the order of a `HashSet` that was made of a collection."""
    capacity = max(len(keys) * 4 // 3 + 1, _SMALLEST_TABLE)
    return _by_bucket(keys, hash_code, sized_for(capacity, len(keys)))


def presized_int_order(numbers: Collection[int]) -> list[int]:
    """Return distinct numbers in the order of a `HashSet` that was made of a collection. Of a set
    the smallest went in first."""
    if len(numbers) < 2:
        return [*numbers]
    capacity = max(len(numbers) * 4 // 3 + 1, _SMALLEST_TABLE)
    if isinstance(numbers, AbstractSet):
        numbers = sorted(numbers)
    return sized_int_order(numbers, sized_for(capacity, len(numbers)))


def sized_int_order(numbers: Collection[int], size: int) -> list[int]:
    """Return distinct numbers in the order of a `HashMap` of `size` buckets."""
    least, most = min(numbers, default=0), max(numbers, default=0)
    if least < 0 or most >> 16:
        return _by_bucket(numbers, int_hash, size)
    if most - least < size:  # no two of them collide
        ascending = sorted(numbers)
        first = bisect_left(ascending, least - least % size + size)
        return ascending[first:] + ascending[:first]
    return sorted(numbers, key=(size - 1).__and__)


def _by_bucket(keys: Iterable[KeyT], hash_code: Callable[[KeyT], int], size: int) -> list[KeyT]:
    return sorted(keys, key=lambda key: bucket(hash_code(key), size))
