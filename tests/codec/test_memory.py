"""Memory and time of decoding, whatever the bytes: both go with the input's size.

The bounds are those of the README: 40 times the input for the consumer protocol, 64 + 8 times the
fields of the widest struct for any other definition, and 16 KiB besides.
"""

from __future__ import annotations

import gc
import struct
import time
import tracemalloc
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    Message,
    Policy,
    VersionedMessage,
    compile_definition,
    decode,
    message_class,
)
from kproto.codec.runtime.registry import spec_of
from kproto.codec.wire.primitives import varint

# Measuring coverage, too, would take most of the time; other tests reach all that these reach.
pytestmark = pytest.mark.no_cover

SLACK = 16 << 10
SMALL, LARGE = 1_000, 12_000
Make = Callable[[int], bytes]  # about so many bytes


def repeated(unit: bytes, before: str = "", after: str = "") -> Make:
    """An array of equal elements behind `before`, which ends in its int32 count; then `after`."""

    def make(size: int) -> bytes:
        count = max(1, size // len(unit))
        return (
            bytes.fromhex(before) + struct.pack(">i", count) + unit * count + bytes.fromhex(after)
        )

    return make


def compact(unit: bytes, after: bytes = b"") -> Make:
    """The same for flexible versions."""

    def make(size: int) -> bytes:
        count = max(1, size // len(unit))
        return varint(count + 1) + unit * count + after

    return make


def plus(make: Make, tail: bytes) -> Make:
    return lambda size: make(size) + tail


def ascending(size: int) -> bytes:
    """Topics that all differ, of one character each but for a number: nothing can be shared."""
    names = [struct.pack(">h", 4) + f"ж{n % 100:02}".encode() for n in range(size // 6)]
    return struct.pack(">i", len(names)) + b"".join(names)


# -- the consumer protocol: subscriptions of version 3

END = "ffffffff 00000000 00000000 ffff"
OWNED = "0003 00000000 ffffffff"
SUBSCRIPTIONS: dict[str, Make] = {
    "empty strings": repeated(b"\0\0", "0003", END),
    "short strings": repeated(b"\0\1a", "0003", END),
    "non-Latin strings": repeated(b"\0\2\xd0\xb6", "0003", END),
    "astral strings": repeated(b"\0\4\xf0\x9d\x84\x9e", "0003", END),
    "different strings": lambda size: b"\0\3" + ascending(size) + bytes.fromhex(END),
    "invalid UTF-8": repeated(b"\0\1\xff", "0003", END),
    "invalid UTF-8, long": lambda size: b"\0\3"
    + struct.pack(">i", -(-size // 32767))
    + (b"\x7f\xff" + b"\xff" * 32767) * -(-size // 32767)
    + bytes.fromhex(END),
    "surrogates": repeated(b"\0\3\xed\xa0\x80", "0003", END),
    "empty structs": repeated(b"\0\0\0\0\0\0", OWNED, "00000000 ffff"),
    "tiny arrays": repeated(b"\0\0\0\0\0\1\0\1\0\0", OWNED, "00000000 ffff"),
    "structs with names": repeated(b"\0\2\xd0\xb6\0\0\0\0", OWNED, "00000000 ffff"),
    "structs with bad names": repeated(b"\0\1\xff\0\0\0\0", OWNED, "00000000 ffff"),
    "numbers": lambda size: bytes.fromhex(OWNED + "00000001 0000")
    + struct.pack(">i", min(size // 4, 1_000_000))
    + b"\x10\0\0\0" * min(size // 4, 1_000_000)
    + bytes.fromhex("00000000 ffff"),
    "user data": lambda size: bytes.fromhex("0003 00000000") + struct.pack(">i", size) + b"u" * size
    + bytes.fromhex("00000000 00000000 ffff"),
    "a remainder": plus(lambda size: bytes.fromhex("0003 00000000" + END), b"") ,
    "a long remainder": lambda size: bytes.fromhex("0003 00000000" + END) + b"x" * size,
    "a newer version": repeated(b"\0\2\xd0\xb6", "7fff", END + "00"),
    "a huge count": lambda size: bytes.fromhex("0003 7fffffff") + b"\0" * size,
    "a count that fits": lambda size: struct.pack(">hi", 3, size) + b"\0" * size,
    "a huge length": lambda size: bytes.fromhex("0003 00000000 7fffffff") + b"\0" * size,
    "huge counts inside": repeated(b"\0\0\0\0\0\0", OWNED, "00000000 7fff"),
    "an error at the end": repeated(b"\0\2\xd0\xb6", "0003", END[:-2]),
    "an error at the end of structs": repeated(b"\0\2\xd0\xb6\0\0\0\1\0\1\0\0", OWNED, "00"),
    "an error at the end of bad strings": repeated(b"\0\1\xff", "0003", "ffff"),
    "negative length at the end": repeated(b"\0\2\xd0\xb6", "0003", END[:-4] + "8000"),
}  # fmt: skip
ASSIGNMENTS: dict[str, Make] = {
    "empty structs": repeated(b"\0\0\0\0\0\0", "0003", "ffffffff"),
    "tiny arrays": repeated(b"\0\0\0\0\0\1\0\1\0\0", "0003", "ffffffff"),
    "names": repeated(b"\0\2\xd0\xb6\0\0\0\0", "0003", "ffffffff"),
    "bad names": repeated(b"\0\1\xff\0\0\0\0", "0003", "ffffffff"),
    "an error at the end": repeated(b"\0\2\xd0\xb6\0\0\0\1\0\1\0\0", "0003", "7f"),
}

# -- other definitions


def flexible(name: str, *fields: tuple[str, str], **more: Any) -> type[Message]:
    made = [{"name": f"F{n}", "type": t, "versions": v, **more} for n, (t, v) in enumerate(fields)]
    return compile_definition(
        {"type": "data", "name": name, "validVersions": "0-1", "flexibleVersions": "0+",
         "fields": [{"name": "Items", "type": "[]Item", "versions": "0+", "fields": made}]}
    )  # fmt: skip


def arrays(name: str, type_: str) -> type[Message]:
    return compile_definition(
        {"type": "data", "name": name, "validVersions": "0-1", "flexibleVersions": "0+",
         "fields": [{"name": "Items", "type": type_, "versions": "0+"}]}
    )  # fmt: skip


def hollow(width: int) -> type[Message]:
    """Elements of one byte that hold structs of which this version has nothing."""
    void = [{"name": f"V{n}", "type": "int8", "versions": "1+"} for n in range(width)]
    item = [{"name": f"F{n}", "type": "Void", "versions": "0+"} for n in range(width)]
    return compile_definition(
        {"type": "data", "name": "Hollow", "validVersions": "0-1",
         "fields": [{"name": "Items", "type": "[]Item", "versions": "0+"}],
         "commonStructs": [
             {"name": "Void", "versions": "0+", "fields": void},
             {"name": "Item", "versions": "0+", "fields": [
                 {"name": "Number", "type": "int8", "versions": "0+"}, *item]}]}
    )  # fmt: skip


LATE = [("int32", "1+")] * 20
OTHERS: dict[str, tuple[type[Message], Make]] = {
    "elements of tags alone": (flexible("Tags", ("int8", "1+")), compact(b"\0", b"\0")),
    "wide elements of tags alone": (flexible("Wide", *LATE), compact(b"\0", b"\0")),
    "wide elements, an error at the end": (flexible("Wide2", *LATE), compact(b"\0", b"")),
    "tagged fields absent": (
        flexible("Tagged", *[("string", "0+")] * 3),
        compact(b"\2\xff\2\xff\2\xff\0", b"\0"),
    ),
    "compact strings": (arrays("Texts", "[]string"), compact(b"\1", b"\0")),
    "compact non-Latin strings": (arrays("Texts2", "[]string"), compact(b"\3\xd0\xb6", b"\0")),
    "compact invalid strings": (arrays("Texts3", "[]string"), compact(b"\2\xff", b"\0")),
    "compact bytes": (arrays("Blobs", "[]bytes"), compact(b"\3ab", b"\0")),
    "small numbers": (arrays("Bytes", "[]int8"), compact(b"\x80", b"\0")),
    "truths": (arrays("Flags", "[]bool"), compact(b"\x07", b"\0")),
    "uuids": (arrays("Ids", "[]uuid"), compact(b"\x10" * 16, b"\0")),
    "unknown tags": (arrays("Empty", "[]int8"), lambda size: b"\1" + varint(min(size // 5, 10_000))
                     + b"\x88\x01\2ab" * min(size // 5, 10_000)),
    "unknown tags in elements": (flexible("Tags2"), compact(b"\2\x88\x01\1a\x89\x01\1b", b"\0")),
    "tiny unknown tags in elements": (flexible("Tags3"), compact(b"\2\1\0\2\0", b"\0")),
    "one bad string each": (flexible("Texts4", ("[]string", "0+")), compact(b"\2\2\xff\0", b"\0")),
    "nullable structs": (
        compile_definition(
            {"type": "data", "name": "Maybe", "validVersions": "0", "flexibleVersions": "0+",
             "fields": [{"name": "Items", "type": "[]Item", "versions": "0+", "fields": [
                 {"name": "Inner", "type": "Inner", "versions": "0+", "nullableVersions": "0+",
                  "fields": [{"name": "N", "type": "int8", "versions": "0+"}]}]}]}),
        compact(b"\1\x80\0\0", b"\0"),
    ),
    "hollow structs": (hollow(10), repeated(b"\0")),
    "wide hollow structs": (hollow(25), repeated(b"\0")),
    "group metadata": (
        message_class("GroupMetadataValue"),
        repeated(b"\0\0" * 3 + b"\0" * 16, "0000 00000000 ffff ffff"),
    ),
}  # fmt: skip


def widest(cls: type[Message]) -> int:
    spec = spec_of(cls)
    return max(len(spec.fields), *(len(struct.fields) for struct in spec.structs.values()), 0)


def peak(read: Callable[[], object]) -> int:
    """The most that was held at once, results included."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        try:
            kept: object = read()
        except DecodeError as error:
            kept = error
        _, most = tracemalloc.get_traced_memory()
        del kept
        return most - before
    finally:
        tracemalloc.stop()


def readers(
    cls: type[Message], data: bytes, version: int | None
) -> dict[str, Callable[[], object]]:
    reads: dict[str, Callable[[], object]] = {
        policy.name: partial(decode, data, cls, policy=policy, body_version=version)
        for policy in Policy
    }
    if version is None:
        assert issubclass(cls, VersionedMessage)
        reads["from_bytes"] = lambda: cls.from_bytes(data)
        reads["from_body"] = lambda: cls.from_body(data[2:], 3)
    else:
        reads["from_body"] = lambda: cls.from_body(data, version)
    return reads


CASES = [
    *((f"subscription: {name}", ConsumerProtocolSubscription, make, None)
      for name, make in SUBSCRIPTIONS.items()),
    *((f"assignment: {name}", ConsumerProtocolAssignment, make, None)
      for name, make in ASSIGNMENTS.items()),
    *((name, cls, make, 0) for name, (cls, make) in OTHERS.items()),
]  # fmt: skip


@cache
def _warm(cls: type[Message]) -> None:
    """What a class needs once, whatever it reads, is no part of a message's memory."""
    for version in cls.VERSIONS:
        decode(b"\xff" * 64, cls, policy=Policy.LENIENT, body_version=version)


@pytest.mark.parametrize("size", [SMALL, pytest.param(LARGE, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "cls", "make", "version"), CASES, ids=[case[0] for case in CASES])
def test_memory(name: str, cls: type[Message], make: Make, version: int | None, size: int) -> None:
    for way, read in readers(cls, make(size), version).items():
        check(cls, make(size), version, way, read)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "way", "size"),
    [
        ("non-Latin strings", "from_bytes", 3_000_000),
        ("an error at the end", "from_bytes", 300_000),
        ("an error at the end of bad strings", "LENIENT", 300_000),
        ("invalid UTF-8, long", "STRICT", 3_000_000),
        ("user data", "KAFKA", 3_000_000),
        ("a huge count", "LENIENT", 3_000_000),
        ("a long remainder", "LENIENT", 3_000_000),
        ("numbers", "KAFKA", 3_000_000),
    ],
)
def test_memory_of_large_inputs(name: str, way: str, size: int) -> None:
    cls, data = ConsumerProtocolSubscription, SUBSCRIPTIONS[name](size)
    check(cls, data, None, way, readers(cls, data, None)[way])


def check(
    cls: type[Message], data: bytes, version: int | None, way: str, read: Callable[[], object]
) -> None:
    _warm(cls)
    times = 40 if version is None else 64 + 8 * widest(cls)
    allowed = times * len(data) + SLACK
    used = peak(read)
    if used > allowed:  # the thread that hands this process its tests was perhaps measured, too
        used = peak(read)
    assert used <= allowed, f"{way}: {used / len(data):.1f} times {len(data)} bytes"


# -- time


@pytest.mark.timing
@pytest.mark.parametrize(("name", "cls", "make", "version"), CASES, ids=[case[0] for case in CASES])
def test_time_is_linear(name: str, cls: type[Message], make: Make, version: int | None) -> None:
    """Eight times the bytes take less than sixteen times as long: generous, for shared machines."""
    small, large = make(8_000), make(64_000)
    once = fastest(lambda: decode(small, cls, policy=Policy.LENIENT, body_version=version))
    eight = fastest(lambda: decode(large, cls, policy=Policy.LENIENT, body_version=version))
    assert eight < 16 * max(once, 0.001), (once, eight)


@pytest.mark.timing
@pytest.mark.parametrize("make", SUBSCRIPTIONS.values(), ids=SUBSCRIPTIONS)
def test_time_of_what_is_computed_when_asked_for_is_linear(make: Make) -> None:
    def examine(data: bytes) -> object:
        return decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT).deviations

    small, large = make(1_000), make(8_000)
    once, eight = fastest(lambda: examine(small)), fastest(lambda: examine(large))
    assert eight < 16 * max(once, 0.002), (once, eight)


def fastest(run: Callable[[], object]) -> float:
    """Of this process alone, whoever shares the machine, and without the collector, as `timeit`
    does it: how long that takes, all the tests before decide."""
    times = []
    gc.disable()
    try:
        for _ in range(3):
            started = time.process_time()
            run()
            times.append(time.process_time() - started)
    finally:
        gc.enable()
    return min(times)


# -- caches


def test_nothing_that_was_captured_stays() -> None:
    """Sizes and counts are keys of tables; the tables are bounded, whatever is read."""
    for count in range(2_000):  # warm: every size that is kept
        _pass_through(count)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for count in range(2_000, 6_000, 3):
            _pass_through(count)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < SLACK


def _pass_through(count: int) -> None:
    partitions = struct.pack(">i", count) + bytes(4 * count)
    data = bytes.fromhex("0003 00000001 0000") + partitions + b"\xff" * 4
    assert ConsumerProtocolAssignment.from_bytes(data).to_bytes() == data
