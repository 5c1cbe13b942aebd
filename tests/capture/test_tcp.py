"""A direction of a TCP connection: whatever happens to its segments, its bytes are in order."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from kproto.capture.packets.tcp import Hole, TcpStream

WRAP = 2**32
STARTS = st.one_of(
    st.sampled_from([0, 1, WRAP - 1, WRAP - 20, WRAP // 2]), st.integers(0, WRAP - 1)
)


class Sent(NamedTuple):
    """A segment: its place in the stream and its bytes."""

    at: int
    data: bytes


def joined(items: list[bytes | Hole]) -> bytes:
    """What came out, with "?" for each byte that is missing."""
    return b"".join(item if isinstance(item, bytes) else b"?" * item.size for item in items)


def receive(stream: TcpStream, start: int, segments: list[Sent]) -> list[bytes | Hole]:
    stream.begin((start - 1) % WRAP)
    found: list[bytes | Hole] = []
    for segment in segments:
        found += stream.segment((start + segment.at) % WRAP, segment.data)
    return found + stream.close()


@st.composite
def sent(draw: st.DrawFn) -> tuple[bytes, list[Sent]]:
    """A stream and segments that cover it: reordered, repeated, overlapping."""
    stream = draw(st.binary(min_size=1, max_size=200)).replace(b"?", b"!")
    cuts = sorted({0, len(stream), *draw(st.lists(st.integers(0, len(stream)), max_size=12))})
    pairs = list(pairwise(cuts))
    pairs += draw(st.lists(st.tuples(*[st.integers(0, len(stream))] * 2), max_size=8))
    segments = [Sent(min(a, b), stream[min(a, b) : max(a, b)]) for a, b in pairs]
    return stream, draw(st.permutations(segments))


@given(sent(), STARTS)
def test_any_order_with_repeats_and_overlaps_gives_the_stream(
    case: tuple[bytes, list[Sent]], start: int
) -> None:
    stream, segments = case
    reader = TcpStream()
    assert joined(receive(reader, start, segments)) == stream
    assert reader.repeated == sum(len(segment.data) for segment in segments) - len(stream)


@given(sent(), STARTS, st.data())
def test_what_is_lost_is_a_hole_of_its_size(
    case: tuple[bytes, list[Sent]], start: int, data: st.DataObject
) -> None:
    stream, segments = case
    kept = [segment for segment in segments if data.draw(st.booleans())]
    there = {at for segment in kept for at in range(segment.at, segment.at + len(segment.data))}
    end = max(there, default=-1) + 1
    expected = bytes(stream[at] if at in there else ord("?") for at in range(end))
    assert joined(receive(TcpStream(), start, kept)) == expected


@given(st.lists(st.tuples(st.integers(0, WRAP - 1), st.binary(max_size=50)), max_size=50))
def test_any_segments_come_out_once_and_are_all_accounted_for(
    segments: list[tuple[int, bytes]],
) -> None:
    stream = TcpStream(max_ahead=100, max_segments=4)
    found: list[bytes | Hole] = []
    for sequence, data in segments:
        found += stream.segment(sequence, data, missing=len(data) % 3)
        assert stream.held <= 100 + 5 * 160
    found += stream.close()
    given_ = sum(len(data) for _, data in segments)
    assert sum(len(item) for item in found if isinstance(item, bytes)) == (
        given_ - stream.repeated - stream.early
    )


def test_the_first_of_two_different_copies_counts() -> None:
    stream = TcpStream()
    stream.begin(99)
    assert stream.segment(105, b"later") == []
    assert stream.segment(103, b"XXXXXXXXX") == []
    assert joined(stream.segment(100, b"abc")) == b"abcXXlaterXX"


def test_a_hole_is_given_up_when_too_much_lies_behind_it() -> None:
    stream = TcpStream(max_ahead=1000)
    stream.begin(0)
    found: list[bytes | Hole] = []
    for number in range(300):
        found += stream.segment(101 + number * 10, bytes(10))
    assert found[0] == Hole(100)
    assert len(joined(found)) > 2000


def test_what_the_capture_cut_off_is_not_waited_for() -> None:
    stream = TcpStream()
    stream.begin(0)
    assert stream.segment(1, b"abc", missing=5) == [b"abc", Hole(5, cut=True)]
    assert stream.segment(9, b"d") == [b"d"]


def test_an_acknowledged_hole_is_known() -> None:
    stream = TcpStream()
    stream.begin(WRAP - 3)
    stream.segment(8, b"behind")
    assert stream.acknowledged_hole is None
    stream.acknowledged(7)
    assert stream.acknowledged_hole is None
    stream.acknowledged(14)
    assert stream.acknowledged_hole == 0
    assert stream.give_up() == [Hole(10), b"behind"]
    assert stream.acknowledged_hole is None


def test_the_end_shows_what_is_missing_before_it() -> None:
    stream = TcpStream()
    stream.begin(0)
    stream.segment(1, b"ab")
    stream.end(10)
    assert stream.close() == [Hole(7)]


def test_memory_is_bounded() -> None:
    stream = TcpStream(max_ahead=100_000, max_segments=100)
    stream.begin(0)
    tracemalloc.start()
    for number in range(20_000):
        stream.segment(2 + number * 1000, bytes(900))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400_000
