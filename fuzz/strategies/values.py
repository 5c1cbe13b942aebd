"""Strategies for values of the dialect's types, with weight on the edges at which readers differ,
and for the user data of every assignor.

Each is made once: to make one anew for every draw takes longer than the draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from ...codec import (
    CooperativeStickyUserData,
    StickyAssignorUserData,
    StreamJoinAssignmentUserData,
    StreamJoinSubscriptionUserData,
    SubscriptionInfoData,
)
from ...codec.dialect.spec import INTEGER_RANGES

T = TypeVar("T")

_INT32 = -(2**31), 2**31 - 1
_RACKS = ("r", "", "rack-1", "use1-az1", " r ", "é")
_TOPICS = (
    "t", "orders", "payments", "a.b_c-d", "__consumer_offsets", "__proto__", "日本", "é" * 9,
    "\ufeffa", "e\u0301",  # a byte order mark, a character in two parts: libraries change both
)  # fmt: skip

# One oddity each, then several together. The name that is composed and decomposed is one text for
# readers that normalize.
_ODD_LISTS = (
    [""], ["t", "t"], ["z", "a"], ["12345"], ["\u8ba2\u5355"], ["\u0637\u0644\u0628"],
    ["\U0001f6d2"], ["\u00e9", "e\u0301"], ["\ufeffa"],
    ["\u0637\u0644\u0628", "12345"], ["12345", "\u0637\u0644\u0628"],
    ["e\u0301", "\u00e9", "12345"], ["\u0637\u0644\u0628", "\u00e9", "e\u0301"],
    ["\u8ba2\u5355", "\U0001f6d2", "12345", "\u0637\u0644\u0628"],
)  # fmt: skip

_FEW = 4  # topics

_TEXT = st.characters(exclude_categories=["Cs"])  # a lone surrogate is no text on any wire


def snapped(
    values: st.SearchStrategy[int], edges: Sequence[int], drawn_as_they_come: int
) -> st.SearchStrategy[int]:
    """Return a strategy for these values, and the edges: each has one share, and values as they
    come so many. A value far enough from zero becomes the edge, so that a failure which does not
    need the edge shrinks to the least value, as if there were none.
    """
    ends = st.sampled_from([None] * drawn_as_they_come + list(edges))
    return st.tuples(ends, values).map(lambda pair: _snap(*pair))


def _snap(edge: int | None, value: int) -> int:
    if edge is None:
        return value
    is_far = value <= max(edge, -_FAR) if edge < 0 else value >= min(edge, _FAR)
    return edge if is_far else value


_FAR = 500


@cache
def topic_names() -> st.SearchStrategy[str]:
    """Return a strategy for names as topics have them, and now and then any text."""
    return st.sampled_from(_TOPICS) | texts()


@cache
def texts() -> st.SearchStrategy[str]:
    """Return a strategy for any text that UTF-8 can hold, with NUL and the highest planes."""
    return st.text(_TEXT, max_size=20) | st.sampled_from(["", "\0", "𝄞", "\ufffd", "x" * 130])


@cache
def topic_lists(*, few: int = _FEW) -> st.SearchStrategy[list[str]]:
    """Return a strategy for lists of topics: a few, now and then with a long name, of other
    scripts, or with up to 300 names.
    """
    return one_of_shares(
        (14, st.integers(0, few).map(lambda count: list(_TOPICS[:count]))),
        (18, st.lists(topic_names(), max_size=few)),
        (28, snapped(st.integers(1, 32_767), _NAME_BYTES, 1).map(lambda size: ["x" * size])),
        (5, st.integers(0, 300).map(lambda count: [f"t{number}" for number in range(count)])),
        (35, st.sampled_from(_ODD_LISTS).map(list)),
    )


_NAME_BYTES = (249, 249, 250, 250, 513, *[32_767] * 3)
"""The longest name of a topic has 249 bytes, that of a string on the wire 32,767; of 513 librdkafka
dies.
"""


@cache
def partition_lists(*, min_size: int = 0) -> st.SearchStrategy[list[int]]:
    """Return a strategy for lists of partitions: few, now and then up to 3,000. Half of them count
    from 0, as most consumers' do.
    """
    ranges = st.integers(min_size, 6).map(lambda count: [*range(count)])
    small = st.lists(st.integers(0, 12), min_size=min_size, max_size=6)
    edgy = snapped(st.integers(*_INT32), (*_INT32, _INT32[1], -1, -1), 2)
    any_int32 = st.lists(edgy, min_size=min_size, max_size=6)
    many = st.tuples(st.integers(min_size, 3000), _COSTLY).map(lambda pair: [*range(pair[0])])
    return one_of_shares((10, ranges), (5, small), (11, any_int32), (4, many))


@cache
def entry_lists(*, canonical: bool = False) -> st.SearchStrategy[list[tuple[str, list[int]]]]:
    """Return a strategy for lists of topics with partitions: most of them a list of `topic_lists`
    in which every topic has the same partitions, a third of these and all long ones partition 0
    alone. `canonical` entries have partitions.
    """
    partitions = partition_lists(min_size=int(canonical))
    entries = st.lists(
        st.tuples(topic_names(), partitions),
        max_size=3,
        unique_by=(lambda entry: entry[0]) if canonical else None,
    )
    alike = st.tuples(topic_lists(few=3), one_of_shares((1, st.just([0])), (2, partitions))).map(
        lambda pair: [(topic, pair[1] if len(pair[0]) <= _FEW else [0]) for topic in pair[0]]
    )
    return one_of_shares((10, alike), (1, entries))


_COSTLY = st.tuples(*[st.booleans()] * 12)
"""Drawn for nothing: what took more choices is larger for Hypothesis, so that a partition of 301 is
shown as one number and not as a list of 302.
"""


def one_of_shares(*shares: tuple[int, st.SearchStrategy[T]]) -> st.SearchStrategy[T]:
    """Return a strategy for values of these strategies, each with its share. Values shrink to those
    of the first. Hypothesis also takes up the simplest variant of what it has drawn, so in a
    message the shares of all but the first are about half of these.
    """
    numbered = tuple(strategy for share, strategy in shares for _ in range(share))
    return _numbered(st.sampled_from(range(len(numbered))), numbered)


@st.composite
def _numbered(
    draw: st.DrawFn, number: st.SearchStrategy[int], strategies: Sequence[st.SearchStrategy[T]]
) -> T:
    """Draw from the strategy of that number. `st.one_of` takes a repeated strategy once, and
    `st.integers` draws one number in three at its lowest.
    """
    return draw(strategies[draw(number)])


@cache
def generations() -> st.SearchStrategy[int]:
    """Return a strategy for generations: mostly small, now and then any int32."""
    return one_of_shares((3, st.integers(-2, 12)), (1, st.integers(*_INT32)))


@cache
def racks() -> st.SearchStrategy[str | None]:
    """Return a strategy for racks, and null: short ones, now and then any text, or a long one."""
    return one_of_shares(
        (6, st.none()),
        (10, st.sampled_from(_RACKS)),
        (1, texts()),
        (3, st.integers(1, 32_767).map(lambda size: "r" * size)),
    )


@cache
def blobs() -> st.SearchStrategy[bytes]:
    """Return a strategy for a few bytes; now and then more than one byte of a varint can count."""
    return st.binary(max_size=20) | st.sampled_from([b"", b"\0", bytes(130)])


@cache
def integers(base: str) -> st.SearchStrategy[int]:
    """Return a strategy for numbers of an integer type of the dialect."""
    lowest, highest = INTEGER_RANGES[base][0], INTEGER_RANGES[base][-1]
    near_zero = st.integers(max(lowest, -2), 100)
    return near_zero | st.integers(lowest, highest) | st.sampled_from([lowest, highest])


@cache
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


_GENERATIONS = generations()


def user_data(*, assignors: tuple[str, ...] | None = None) -> st.SearchStrategy[bytes]:
    """Return a strategy for the user data of these assignors (default: of all, and bytes that mean
    nothing).

    The names are "sticky", "cooperative-sticky", "stream-join", "streams" and "opaque".
    """
    strategies = (
        _BY_ASSIGNOR
        if assignors is None
        else {assignor: _BY_ASSIGNOR[assignor] for assignor in assignors}
    )
    return st.one_of(*strategies.values())


@cache
def sized_blobs() -> st.SearchStrategy[bytes]:
    """Return a strategy for zeros, up to 64 KiB of them, around lengths that take a byte more."""
    sizes = snapped(st.integers(1, 1 << 16), _BLOB_BYTES, 1)
    return sizes.map(bytes)


_BLOB_BYTES = (0, 127, 128, 256, 4_096, 32_767, *[1 << 16] * 2)


def _sticky() -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda previous, generation, version: StickyAssignorUserData(
            previous_assignment=[
                StickyAssignorUserData.TopicPartition(topic=topic, partitions=partitions)
                for topic, partitions in previous
            ],
            generation=generation,
        ).to_body(version),
        entry_lists(),
        _GENERATIONS,
        st.sampled_from([1, 0]),
    )


def _cooperative() -> st.SearchStrategy[bytes]:
    return _GENERATIONS.map(
        lambda generation: CooperativeStickyUserData(generation=generation).to_body(0)
    )


def _stream_join() -> st.SearchStrategy[bytes]:
    numbers = st.lists(st.integers(0, 9), max_size=4, unique=True)
    member = st.builds(
        lambda partition_numbers, epoch: StreamJoinSubscriptionUserData(
            partition_numbers=sorted(partition_numbers), epoch=epoch
        ).to_bytes(),
        numbers,
        _GENERATIONS,
    )
    leader = _GENERATIONS.map(
        lambda generation: StreamJoinAssignmentUserData(epoch=generation).to_bytes()
    )
    return member | leader


def _streams() -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda version, process: SubscriptionInfoData(
            version=version, latest_supported_version=11, process_id=process
        ).to_bytes(version),
        st.sampled_from([7, 8, 9, 10, 11]),
        st.uuids(),
    )


_BY_ASSIGNOR: dict[str, st.SearchStrategy[bytes]] = {
    "opaque": st.binary(max_size=12),
    "cooperative-sticky": _cooperative(),
    "sticky": _sticky(),
    "stream-join": _stream_join(),
    "streams": _streams(),
}
