"""Definitions: searched, drawn, and in narrow places."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from kproto import schemas
from kproto.codec import compile_definition, message_class
from kproto.codec.runtime.registry import built_in_names, spec_of
from kproto.inspector import LayoutDiagram, SchemaList, SchemaSearch, SchemaTables

from .samples import vectors
from .test_views import compare, rendered

DRAWN = [
    ("ConsumerProtocolSubscription", 3),
    ("OffsetCommitKey", 0),
    ("JoinGroupRequest", 9),
    ("ConsumerGroupHeartbeatResponse", 0),
    ("AssignmentInfo", 11),
]


@pytest.mark.parametrize(("name", "version"), DRAWN, ids=[name for name, _ in DRAWN])
def test_a_version_drawn(name: str, version: int) -> None:
    diagram = LayoutDiagram(message_class(name), version)
    compare(f"layout-{name}", rendered(diagram, 100))


def test_drawn_in_ascii() -> None:
    text = rendered(LayoutDiagram(message_class("ConsumerProtocolSubscription"), 3), 80, "ascii")
    assert text.isascii()
    assert "4 x count" in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_every_version_of_every_message_can_be_drawn(width: int) -> None:
    for name in built_in_names():
        cls = message_class(name)
        for version in (cls.VERSIONS.lowest, cls.LATEST) if cls.VERSIONS else ():
            text = rendered(LayoutDiagram(cls, version), width)
            assert all(cell_len(line) <= width for line in text.splitlines())


def test_tagged_fields_are_drawn() -> None:
    cls = compile_definition({
        "type": "data", "name": "Tagged", "validVersions": "0", "flexibleVersions": "0+",
        "fields": [{"name": "Late", "type": "int32", "versions": "0+", "taggedVersions": "0+",
                    "tag": 0}],
    })  # fmt: skip
    assert "tag 0: late" in rendered(LayoutDiagram(cls, 0), 80)


def test_the_least_number_of_bytes_is_one_that_java_writes() -> None:
    """Java's shortest message of a version is no shorter than the diagram says."""
    least: dict[tuple[str, int], int] = {}
    for vector in vectors("group-messages.jsonl"):
        key = vector["name"], vector["version"]
        size = len(vector["hex"]) // 2
        least[key] = min(size, least.get(key, size))
    for (name, version), size in list(least.items())[::5]:
        cls = message_class(name)
        first = rendered(LayoutDiagram(cls, version), 100).splitlines()[0]
        said = re.search(r"([\d,]+) bytes? at least", first)
        assert said is not None
        assert int(said[1]) - cls.FRAMING.header_bytes <= size


@pytest.mark.parametrize("width", [40, 60, 89])
def test_nothing_is_cut_in_a_narrow_place(width: int) -> None:
    cls = message_class("ConsumerProtocolSubscription")
    text = rendered(SchemaTables(cls), width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    flat = " ".join(text.split())
    assert "The generation in which the member got what it owns; -1 if in none (KIP-792)." in flat
    assert "owned_partitions []TopicPartition" in flat
    names = [message_class(name) for name in built_in_names()]
    listed = rendered(SchemaList(names), width)
    assert all(name in "".join(listed.split()) for name in built_in_names())
    compare(f"schema-{width}", text)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_word_of_a_definition_is_cut(width: int) -> None:
    """Every name, type and word of every built-in definition is there, whole."""
    for name in built_in_names():
        spec = spec_of(message_class(name))
        structs = (spec.fields, *(struct.fields for struct in spec.structs.values()))
        fields = [field for fields in structs for field in fields]
        words = {word for field in fields for word in (field.snake, *field.about.split())}
        shown = set(rendered(SchemaTables(message_class(name)), width).split())
        assert words <= shown, name
        types = {f"{field.type}" for field in fields}
        assert types <= {word.rstrip(",") for word in shown}, name


def test_no_word_of_a_drawing_is_cut_at_80_columns() -> None:
    """It says what it says where there is all the room that it wants, within its borders."""
    for name in built_in_names():
        cls = message_class(name)
        for version in cls.VERSIONS:
            wide, narrow = (
                rendered(LayoutDiagram(cls, version), width).splitlines() for width in (300, 80)
            )
            assert words_in(narrow) == words_in(wide), (name, version)
            ends = [line.rstrip()[-1] for line in narrow if "│" in line or "─" in line]
            assert set(ends) <= {"│", "┐", "┘"}


def words_in(lines: list[str]) -> list[str]:
    drawn = str.maketrans("", "", "┌─┐│└┘")
    return " ".join(lines).translate(drawn).split()


def test_fields_are_a_table_where_it_fits_and_a_list_where_not() -> None:
    heads = ["field", "type", "null", "default", "about"]
    subscription, group = map(message_class, ("ConsumerProtocolSubscription", "JoinGroupRequest"))
    for cls, width, fits in (
        (subscription, 80, True),
        (subscription, 72, False),
        (group, 80, False),
    ):
        lines = [line.split() for line in rendered(SchemaTables(cls), width).splitlines()]
        assert (heads in lines) == fits


def test_one_version_alone() -> None:
    text = rendered(SchemaTables(message_class("ConsumerProtocolSubscription"), 1), 100)
    assert text.count("version 1\n") == 1
    assert "version 2" not in text


# -- search


def found(word: str) -> SchemaSearch:
    cls = message_class("ConsumerProtocolSubscription")
    return SchemaSearch(word, [cls], {cls.NAME: ["Version 3 (KIP-881): the rack."]})


@pytest.mark.parametrize(
    ("word", "where"),
    [
        ("protocolsub", [""]),
        ("RACK", ["RackId", ""]),
        ("rack_id", ["RackId"]),
        ("owns at this moment", ["OwnedPartitions"]),
        ("kip-881", ["RackId", ""]),
        ("zzz", []),
    ],
)
def test_where_a_word_stands(word: str, where: list[str]) -> None:
    hits = found(word).hits.get("ConsumerProtocolSubscription", [])
    assert [hit.where for hit in hits] == where


def test_what_was_found_is_shown_with_its_versions() -> None:
    text = rendered(found("rack"), 100)
    assert "RackId 3+  The rack that the member runs in" in text
    assert "KIP-881" in text


def test_comments_are_paragraphs() -> None:
    text = '// one\n//\n// two\n// three\n{ "a": 1, // beside\n  // "above"\n "b//": 2 } /* not */'
    assert schemas.comments(text) == ["one", "two three", 'beside "above"']
