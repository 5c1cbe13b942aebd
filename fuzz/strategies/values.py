"""Strategies for values of the dialect's types, with weight on the edges at which readers
differ.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ...codec.dialect.spec import INTEGER_RANGES

_TOPICS = (
    "t", "orders", "payments", "a.b_c-d", "__consumer_offsets", "__proto__", "日本", "é" * 9,
    "\ufeffa", "e\u0301",  # a byte order mark, a character in two parts: libraries change both
)  # fmt: skip

_TEXT = st.characters(exclude_categories=["Cs"])  # a lone surrogate is no text on any wire


def topic_names() -> st.SearchStrategy[str]:
    """Return a strategy for names as topics have them, and now and then any text."""
    return st.sampled_from(_TOPICS) | texts()


def texts() -> st.SearchStrategy[str]:
    """Return a strategy for any text that UTF-8 can hold, with NUL and the highest planes."""
    return st.text(_TEXT, max_size=20) | st.sampled_from(["", "\0", "𝄞", "\ufffd", "x" * 130])


def partition_numbers() -> st.SearchStrategy[int]:
    """Return a strategy for partition numbers: mostly small, now and then the ends of an int32."""
    return st.integers(0, 12) | st.sampled_from([-1, 255, 65_536, 2**31 - 1, -(2**31)])


def blobs() -> st.SearchStrategy[bytes]:
    """Return a strategy for a few bytes; now and then more than one byte of a varint can count."""
    return st.binary(max_size=20) | st.sampled_from([b"", b"\0", bytes(130)])


def integers(base: str) -> st.SearchStrategy[int]:
    """Return a strategy for numbers of an integer type of the dialect."""
    lowest, highest = INTEGER_RANGES[base][0], INTEGER_RANGES[base][-1]
    near_zero = st.integers(max(lowest, -2), 100)
    return near_zero | st.integers(lowest, highest) | st.sampled_from([lowest, highest])


def primitives(base: str) -> st.SearchStrategy[Any]:
    """Return a strategy for values of a primitive type, or of a string in one of the dialect's
    encodings.
    """
    if base in INTEGER_RANGES:
        return integers(base)
    return _OTHERS.get(base, texts())


_OTHERS: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    # Not -0.0: in a tagged field Java, too, drops its sign. Not NaN, which equals nothing.
    "float64": st.floats(allow_nan=False).map(lambda value: value + 0.0),
    "uuid": st.uuids(),
    "bytes": blobs(),
    "records": blobs(),
}
