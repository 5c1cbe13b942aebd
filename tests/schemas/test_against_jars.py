"""The built-in definitions say what Kafka's own say, field by field; only the prose is ours."""

from __future__ import annotations

import json
import re
import zipfile
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from kproto import schemas
from kproto.codec import KAFKA_RELEASE, built_in_names
from kproto.codec.definitions import JAR_FOLDER
from kproto.codec.dialect import spec
from kproto.codec.runtime.registry import built_in_spec
from kproto.fuzz.oracles.java import locate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kproto.codec.dialect.spec import Field, Spec, Struct
    from kproto.fuzz.oracles.java import JavaOracle

# What Kafka's classes read and write without a definition, or nobody but this project.
WITHOUT_ORIGINAL = {
    "AssignmentInfo",
    "ConnectProtocolAssignment",
    "ConnectProtocolMetadata",
    "ConsumerProtocolAssignmentDraft429",
    "CooperativeStickyUserData",
    "StickyAssignorUserData",
    "StreamJoinAssignmentUserData",
    "StreamJoinSubscriptionUserData",
}
REFERENCE_JARS = re.compile(
    rf"(kafka-clients|kafka-group-coordinator)-{re.escape(KAFKA_RELEASE)}|kafka-streams-.*"
)
OUR_OWN = ("about", "optional", "encoding")
API_KEYS = {
    1,  # of what holds the records
    2,
    3,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    17,
    18,
    22,
    25,
    26,
    28,
    32,
    36,
    68,
    69,
    76,
    77,
    88,
    89,
    90,
}

Originals = dict[str, "dict[str, Any]"]


@pytest.fixture(scope="module")
def originals(java_oracle: JavaOracle, extra_jars: list[Path]) -> Originals:
    """Kafka's definitions by name."""
    found: Originals = {}
    for jar in (*locate().jars, *extra_jars):
        if REFERENCE_JARS.fullmatch(jar.stem):
            with zipfile.ZipFile(jar) as archive:
                for path in archive.namelist():
                    if path.startswith(JAR_FOLDER) and path.endswith(".json"):
                        definition = schemas.loads(archive.read(path).decode())
                        found[definition["name"]] = definition
    return found


def described(definition: Spec) -> list[str]:
    """One line for each fact, prose and the keys of this project's own left out."""
    facts = (definition.type, definition.api_key, definition.versions, definition.flexible)
    lines = ["{}: type {}, api key {}, versions {}, flexible {}".format(definition.name, *facts)]
    lines += [f"  {_field(field)}" for field in definition.fields]
    for struct in sorted(definition.structs.values(), key=lambda struct: struct.name):
        lines += _struct(struct)
    return lines


def _struct(struct: Struct) -> Iterator[str]:
    yield f"  struct {struct.name}, versions {struct.versions}"
    yield from (f"    {_field(field)}" for field in struct.fields)


def _field(field: Field) -> str:
    facts = {
        key: value for key, value in msgspec.structs.asdict(field).items() if key not in OUR_OWN
    }
    return ", ".join(f"{key} {value}" for key, value in facts.items())


def with_original() -> list[str]:
    return sorted(set(built_in_names()) - WITHOUT_ORIGINAL)


@pytest.mark.parametrize("name", with_original())
def test_definition_is_kafka_s(name: str, originals: Originals) -> None:
    theirs = described(spec.parse(originals[name], source=f"Kafka's {name}"))
    ours = described(built_in_spec(name))
    difference = "\n".join(unified_diff(theirs, ours, "Kafka's", "ours", n=1, lineterm=""))
    assert not difference, f"\n{difference}"


@pytest.mark.parametrize("name", with_original())
def test_zero_copy_is_kafka_s(name: str, originals: Originals) -> None:
    """A hint for Java's generator, which the codec does not keep."""
    ours = schemas.loads(built_in_spec(name).text)
    assert sorted(_zero_copy(ours)) == sorted(_zero_copy(originals[name]))


def _zero_copy(definition: dict[str, Any]) -> Iterator[str]:
    for field in definition.get("fields", []):
        if field.get("zeroCopy"):
            yield field["name"]
        yield from _zero_copy(field)
    for struct in definition.get("commonStructs", []):
        yield from _zero_copy(struct)


def test_the_family_is_whole(originals: Originals) -> None:
    """Nothing of Kafka's groups is missing: its requests, the offsets topic, Streams, consumers."""
    family = {
        name
        for name, definition in originals.items()
        if definition["type"] in ("header", "coordinator-key", "coordinator-value")
        or (definition["type"] in ("request", "response") and definition["apiKey"] in API_KEYS)
        or name.startswith("ConsumerProtocol")
        or name == "SubscriptionInfoData"
    }
    assert family == set(with_original())


def test_what_has_no_original_really_has_none(originals: Originals) -> None:
    assert not WITHOUT_ORIGINAL & originals.keys()
    assert set(built_in_names()) >= WITHOUT_ORIGINAL


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("OffsetCommitValue", '"taggedVersions": "4+"', '"taggedVersions": "4"'),
        ("OffsetCommitValue", '"default": -1', '"default": 0'),
        ("OffsetCommitValue", '"ignorable": true', '"ignorable": false'),
        ("OffsetCommitValue", '"versions": "1"', '"versions": "1-2"'),
        ("GroupMetadataValue", '"nullableVersions": "0+"', '"nullableVersions": "1+"'),
        ("GroupMetadataValue", '"name": "generation"', '"name": "epoch"'),
        ("GroupMetadataValue", '"type": "bytes"', '"type": "string"'),
        ("JoinGroupRequest", '"mapKey": true', '"mapKey": false'),
        ("JoinGroupRequest", '"entityType": "groupId"', '"entityType": "topicName"'),
        ("RequestHeader", '"flexibleVersions": "none"', '"flexibleVersions": "2+"'),
    ],
)
def test_a_difference_is_seen(name: str, before: str, after: str, originals: Originals) -> None:
    """The comparison itself: one fact changed changes the description."""
    text = json.dumps(originals[name])
    assert before in text
    changed = spec.parse(text.replace(before, after, 1))
    assert described(changed) != described(built_in_spec(name))
