"""Programs: what is committed is what the definitions say, and says where a message ends."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import Policy, built_in_names, decode, message_class
from kproto.codec.dialect.layout import ARRAY, OPTIONAL, program
from kproto.codec.dialect.spec import parse
from kproto.codec.messages.programs import PROGRAMS
from kproto.codec.read.shape import STEPS, PythonShape, Shape, shape_of, shapes_of
from kproto.codec.runtime import engine
from kproto.codec.runtime.registry import built_in_spec

VECTORS = Path(__file__).parents[1] / "vectors"
VALID = [json.loads(line) for line in (VECTORS / "group-messages.jsonl").read_text().splitlines()]
BY_VERSION: dict[tuple[str, int], list[str]] = defaultdict(list)
for _vector in VALID:
    BY_VERSION[_vector["name"], _vector["version"]].append(_vector["hex"])


def engines(name: str) -> list[Shape]:
    """The shape of a message by Python, and by the core where it is there."""
    rows = PROGRAMS[name]
    core = [] if engine.CORE is None else [engine.CORE.Shape(*rows[:4])]
    return [PythonShape(rows), *core]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", built_in_names())
def test_the_committed_programs_are_those_of_the_definitions(name: str) -> None:
    assert program(built_in_spec(name)) == PROGRAMS[name]
    cls = message_class(name)
    front, _, versions, _, classes = PROGRAMS[name]
    assert front == (cls.FRAMING.kind, cls.FRAMING.newer, cls.API_KEY)
    assert [number for number, _, _ in versions] == list(cls.VERSIONS)
    assert classes[0] == cls.__name__


@pytest.mark.no_cover
def test_what_java_wrote_ends_at_its_end() -> None:
    for vector in VALID:
        body = bytes.fromhex(vector["hex"])
        for shape in engines(vector["name"]):
            for tail in (b"", b"\x01\x02\x03"):
                assert shape.end(vector["version"], body + tail, 0) == (True, len(body)), vector


@pytest.mark.parametrize("name", built_in_names())
@given(data=st.data())
def test_a_message_ends_where_it_is_decoded_to(name: str, data: Any) -> None:
    """A walk fits just where decoding succeeds, but for text, of which it reads none; it stops
    where decoding does."""
    cls = message_class(name)
    if not cls.VERSIONS:
        return
    version = data.draw(st.sampled_from(list(cls.VERSIONS)))
    vectors = BY_VERSION[name, version]
    raw = data.draw(st.binary(max_size=80))
    if vectors:
        whole = bytes.fromhex(data.draw(st.sampled_from(vectors)))
        cut = data.draw(st.integers(0, len(whole)))
        raw = whole[:cut] + raw
    if cls.FRAMING.kind == "version32":
        raw = version.to_bytes(4, "big") + raw
    seen = decode(raw, cls, policy=Policy.LENIENT, body_version=version)
    for shape in engines(name):
        fits, end = shape.end(version, raw, 0)
        if seen.complete:
            assert (fits, end) == (True, len(raw) - len(seen.remainder))
        elif seen.error is not None and seen.error.kind.value not in {
            "deviation",
            "unsupported-version",
        }:
            assert (fits, end) == (False, seen.error.offset)


def test_a_version_that_there_is_not_fits_nothing() -> None:
    for shape in engines("ConsumerProtocolSubscription"):
        assert shape.end(9, b"\0" * 40, 2) == (False, 2)


def test_the_head_of_a_newer_version() -> None:
    for shape in engines("SubscriptionInfoData"):
        assert shape.end(-1, b"\0\0\0\x7f\0\0\0\x7f...", 0) == (True, 8)


def test_python_gives_up_on_long_arrays() -> None:
    shape = PythonShape(PROGRAMS["ConsumerProtocolSubscription"])
    data = (4 * STEPS).to_bytes(4, "big") + b"\0\0" * (4 * STEPS) + b"\xff\xff\xff\xff"
    assert shape.end(0, data, 0) == (True, None)


def test_python_gives_up_on_long_tag_sections() -> None:
    count = bytes([0x80 | 4 * STEPS & 0x7F, 4 * STEPS >> 7])
    data = b"\0" * 30 + count + b"\x7f\0" * (4 * STEPS)
    layout = (0, True, ((0, "int8", 0, 0),), (), (), (), 2)
    shape = PythonShape((("none", "refuse", None), (layout,), ((0, 0, None),), None, ("Tagged",)))
    assert shape.end(0, data, 29) == (True, None)


def one_field(slot: tuple[int, str, int, int], *, flexible: bool = False) -> list[Shape]:
    """A message of one field, by each engine; 7 is a tag of other versions."""
    layout = (0, flexible, (slot,), (), (7,), (), 1)
    rows = ("none", "refuse", None), (layout,), ((0, 0, None),), None, ("One",)
    core = [] if engine.CORE is None else [engine.CORE.Shape(*rows[:4])]
    return [PythonShape(rows), *core]


@pytest.mark.parametrize(
    ("base", "flags", "data", "end"),
    [
        ("string", OPTIONAL, b"", (True, 0)),
        ("modified-utf-8", 0, b"\xff\xfe..", (False, 0)),
        ("modified-utf-8", 0, b"\0\2..", (True, 4)),
        ("utf-16", 0, b"\0\0\0\2....", (True, 8)),
        ("utf-16", 0, b"\xff\xff\xff\xff", (True, 4)),
        ("int32", ARRAY, b"\0\0\0\2.......", (False, 8)),
    ],
)
def test_single_fields(base: str, flags: int, data: bytes, end: tuple[bool, int]) -> None:
    for shape in one_field((0, base, flags, 0)):
        assert shape.end(0, data, 0) == end


def test_a_tag_of_other_versions_is_refused_where_it_stands() -> None:
    for shape in one_field((0, "int8", 0, 0), flexible=True):
        assert shape.end(0, b"\0\2\1\0\7\0", 0) == (False, 4)


def test_python_walks_where_there_is_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kproto.codec.read.shape.CORE", None)
    shape_of.cache_clear()
    assert isinstance(shape_of("JoinGroupRequest"), PythonShape)
    shape_of.cache_clear()


def test_many_shapes_are_tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By each engine, and as one after another is tried."""
    rows = [(name, [row[0] for row in PROGRAMS[name][2]]) for name in built_in_names()]
    inputs = [b"", bytes(12), *(bytes.fromhex(vector["hex"]) for vector in VALID[::40])]
    found = []
    for core in dict.fromkeys((engine.CORE, None)):
        monkeypatch.setattr("kproto.codec.read.shape.CORE", core)
        shape_of.cache_clear()
        shapes = shapes_of(rows)
        found.append([shapes.whole(data) for data in inputs])
    shape_of.cache_clear()
    expected = [
        [
            number
            for number, (name, versions) in enumerate(rows)
            if any(
                shape_of(name).end(version, data, 0) == (True, len(data)) for version in versions
            )
        ]
        for data in inputs
    ]
    assert any(expected)
    assert all(numbers == expected for numbers in found)


def test_a_struct_may_have_the_name_of_its_message() -> None:
    read = parse(
        """{ "type": "data", "name": "Made", "validVersions": "0", "fields": [
        { "name": "Inner", "type": "Made", "versions": "0+", "fields": [
          { "name": "One", "type": "int8", "versions": "0+" } ] } ] }"""
    )
    _, layouts, _, _, classes = program(read)
    assert len(layouts) == len(classes) == 2


def test_a_shape_is_made_once() -> None:
    shape_of.cache_clear()
    first = shape_of("JoinGroupRequest")
    assert isinstance(first, PythonShape) == (engine.CORE is None)
    assert shape_of("JoinGroupRequest") is first
