"""One definition after another: each rule with the smallest change that it is about."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from kproto import schemas
from kproto.codec import Policy, compile_definition, decode
from kproto.codec.counterexample import find_counterexample, sample
from kproto.codec.dialect import spec
from kproto.codec.dialect.evolution import RULES, Change, compare
from kproto.codec.dialect.spec import Spec
from kproto.codec.runtime.registry import spec_of

Edit = Callable[[dict[str, Any]], object]


def subscription() -> dict[str, Any]:
    text = schemas.text("ConsumerProtocolSubscription")
    parsed: dict[str, Any] = schemas.loads(text)
    return parsed


def edited(definition: dict[str, Any], *edits: Edit) -> Spec:
    changed = copy.deepcopy(definition)
    for edit in edits:
        edit(changed)
    return spec.parse(changed)


def fourth_version(definition: dict[str, Any]) -> None:
    definition["validVersions"] = "0-4"


def field(name: str, type_: str = "int32", versions: str = "4+") -> dict[str, Any]:
    return {"name": name, "type": type_, "versions": versions}


def fields(definition: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = definition["fields"]
    return found


def told(old: Spec, new: Spec) -> set[tuple[str, str]]:
    return {(change.rule, change.path) for change in compare(old, new)}


LEGAL_CLAMPED: dict[str, list[Edit]] = {
    "nothing": [],
    "a field at the end": [fourth_version, lambda d: fields(d).append(field("New"))],
    "a version that adds nothing": [fourth_version],
    "an array of structs at the end": [
        fourth_version,
        lambda d: fields(d).append(
            {**field("New", "[]Thing"), "fields": [field("Inner", "string")]}
        ),
    ],
}


@pytest.mark.parametrize("name", LEGAL_CLAMPED)
def test_what_may_follow_a_clamped_message(name: str) -> None:
    old = spec.parse(subscription())
    changes = compare(old, edited(subscription(), *LEGAL_CLAMPED[name]))
    assert [change.rule for change in changes] == ["version-added"] * (name != "nothing")


def test_a_new_version_is_told_with_what_it_adds() -> None:
    new = edited(subscription(), fourth_version, lambda d: fields(d).append(field("New")))
    (change,) = compare(spec.parse(subscription()), new)
    assert (change.rule, change.version, change.breaks) == ("version-added", 4, False)
    assert change.detail == "version 4 is new, with New (int32)"


def test_an_unstable_version_is_not_published_yet() -> None:
    """KIP-848 and KIP-932 grew in versions that were marked so."""
    unstable = copy.deepcopy(REQUEST) | {"latestVersionUnstable": True}
    for version, rule, breaks in (("2+", "unstable", False), ("1+", "added", True)):
        new = edited(unstable, lambda d, at=version: fields(d).append(field("New", versions=at)))  # type: ignore[misc]
        changes = compare(spec.parse(unstable), new)
        assert (changes[0].rule, changes[0].breaks) == (rule, breaks)


def test_an_unstable_version_may_go_again() -> None:
    unstable = copy.deepcopy(REQUEST) | {"latestVersionUnstable": True}
    for versions, rules in (
        ("0-1", ["unstable"]),
        ("0", ["newest-version-dropped", "unstable"]),
    ):
        new = edited(unstable, lambda d, kept=versions: d.update(validVersions=kept))  # type: ignore[misc]
        assert [change.rule for change in compare(spec.parse(unstable), new)] == rules


BROKEN_CLAMPED: dict[str, tuple[list[Edit], list[Change]]] = {
    "put in between": (
        [fourth_version, lambda d: fields(d).insert(1, field("New"))],
        [Change("inserted", "New", 4, "int32 was added", reader=3)],
    ),
    "put into a struct": (
        [fourth_version, lambda d: fields(d)[2]["fields"].append(field("New"))],
        [Change("inserted", "OwnedPartitions.New", 4, "int32 was added", reader=3)],
    ),
    "removed": (
        [lambda d: fields(d).pop(1)],
        [Change("removed", "UserData", 0, "bytes was removed")],
    ),
    "removed in the new version": (
        [fourth_version, lambda d: fields(d)[3].update(versions="2-3")],
        [Change("removed", "GenerationId", 4, "int32 was removed", reader=3)],
    ),
    "reordered": (
        [lambda d: fields(d).insert(0, fields(d).pop(1))],
        [
            Change(
                "reordered", "", version, f"Topics, UserData{rest} became UserData, Topics{rest}"
            )
            for version, rest in enumerate(
                [
                    "",
                    ", OwnedPartitions",
                    ", OwnedPartitions, GenerationId",
                    ", OwnedPartitions, GenerationId, RackId",
                ]
            )
        ],
    ),
    "retyped": (
        [lambda d: fields(d)[3].update(type="int64")],
        [Change("retyped", "GenerationId", 2, "int32 became int64")],
    ),
    "retyped inside": (
        [lambda d: fields(d)[2]["fields"][1].update(type="[]int64")],
        [Change("retyped", "OwnedPartitions.Partitions", 1, "[]int32 became []int64")],
    ),
    "not nullable any more": (
        [lambda d: [fields(d)[1].pop("nullableVersions"), fields(d)[1].pop("default")]],
        [Change("nullability", "UserData", 0, "is no longer nullable")],
    ),
    "not nullable in the new version": (
        [
            fourth_version,
            lambda d: [fields(d)[1].update(nullableVersions="0-3"), fields(d)[1].pop("default")],
        ],
        [Change("nullability", "UserData", 4, "is no longer nullable", reader=3)],
    ),
    "nullable for readers that know it as not": (
        [fourth_version, lambda d: fields(d)[0].update(nullableVersions="4+")],
        [Change("null-for-old-readers", "Topics", 4, "became nullable", reader=3)],
    ),
    "a field in a published version": (
        [lambda d: fields(d).append(field("New", versions="3+"))],
        [Change("added", "New", 3, "int32 was added")],
    ),
    "a version dropped": (
        [lambda d: d.update(validVersions="1-3")],
        [Change("version-dropped", "", 0, "version 0 was dropped; there are 1-3")],
    ),
    "flexible": (
        [fourth_version, lambda d: d.update(flexibleVersions="4+")],
        [
            Change("flexible", "", 4, "version 4 is flexible", reader=3),
            *(
                Change("retyped", name, 4, f"{type_} became {type_} compact", reader=3)
                for name, type_ in (
                    ("OwnedPartitions", "[]TopicPartition"),
                    ("RackId", "string"),
                    ("Topics", "[]string"),
                    ("UserData", "bytes"),
                )
            ),
        ],
    ),
    "framing": (
        [lambda d: d.update(newerVersions="refuse")],
        [Change("framing", "", None, "version (clamp) became version (refuse)")],
    ),
}


@pytest.mark.parametrize("name", BROKEN_CLAMPED)
def test_what_breaks_a_clamped_message(name: str) -> None:
    edits, expected = BROKEN_CLAMPED[name]
    changes = compare(spec.parse(subscription()), edited(subscription(), *edits))
    assert [change for change in changes if change.breaks] == expected


REQUEST: dict[str, Any] = {
    "type": "request",
    "name": "Ask",
    "apiKey": 7,
    "validVersions": "0-2",
    "flexibleVersions": "1+",
    "fields": [
        field("Name", "string", "0+"),
        field("Size", "int32", "0+"),
        {
            "name": "Extra",
            "type": "string",
            "versions": "1+",
            "taggedVersions": "1+",
            "tag": 0,
            "ignorable": True,
        },
    ],
}

NEGOTIATED: dict[str, tuple[list[Edit], list[Change]]] = {
    "nothing": ([], []),
    "a new version": (
        [
            lambda d: d.update(validVersions="0-3"),
            lambda d: fields(d).insert(0, field("New", versions="3+")),
        ],
        [Change("version-added", "", 3, "version 3 is new, with New (int32)")],
    ),
    "an old version goes": (
        [lambda d: d.update(validVersions="1-2")],
        [Change("old-version-dropped", "", 0, "version 0 was dropped; there are 1-2")],
    ),
    "every version goes": (
        [lambda d: d.update(validVersions="none")],
        [
            Change("old-version-dropped", "", at, f"version {at} was dropped; there are none")
            for at in range(3)
        ],
    ),
    "the newest version goes": (
        [lambda d: d.update(validVersions="0-1")],
        [Change("newest-version-dropped", "", 2, "version 2 was dropped; there are 0-1")],
    ),
    "a number becomes unsigned": (
        [lambda d: fields(d)[1].update(type="uint32")],
        [Change("retyped", "Size", 0, "int32 became uint32")],
    ),
    "another API key": (
        [lambda d: d.update(apiKey=8)],
        [Change("api-key", "", None, "7 became 8")],
    ),
    "a published version becomes flexible": (
        [lambda d: d.update(flexibleVersions="0+")],
        [
            Change("retyped", "", 0, "version 0 became flexible"),
            Change("retyped", "Name", 0, "string became string compact"),
        ],
    ),
    "a published version is flexible no longer": (
        [lambda d: d.update(flexibleVersions="2+"), lambda d: fields(d).pop(2)],
        [
            Change("retyped", "", 1, "version 1 was flexible"),
            Change("retyped", "Name", 1, "string compact became string"),
            Change("tag-removed", "Extra", 1, "tag 0"),
        ],
    ),
    "renamed": (
        [lambda d: fields(d)[1].update(name="Length")],
        [Change("renamed", "Size", 0, "Size became Length")],
    ),
    "renamed and nullable": (
        [lambda d: fields(d)[0].update(name="Title", nullableVersions="0+")],
        [
            Change("nullability", "Title", 0, "became nullable"),
            Change("renamed", "Name", 0, "Name became Title"),
        ],
    ),
    "a tag is retyped": (
        [lambda d: fields(d)[2].update(type="int32")],
        [
            Change("tag-changed", "Extra", 1, "tag 0: string compact became int32"),
            Change("default", "Extra", None, "'' became 0"),
        ],
    ),
    "a tag goes": (
        [lambda d: fields(d).pop(2)],
        [Change("tag-removed", "Extra", 1, "tag 0")],
    ),
    "a tag comes": (
        [
            lambda d: fields(d).append(
                {
                    "name": "More",
                    "type": "int32",
                    "versions": "2+",
                    "taggedVersions": "2+",
                    "tag": 1,
                    "ignorable": True,
                }
            )
        ],
        [Change("tag-added", "More", 2, "tag 1")],
    ),
    "another default": (
        [lambda d: fields(d)[1].update(default=5)],
        [Change("default", "Size", None, "0 became 5")],
    ),
    "one for another of a different type": (
        [lambda d: fields(d).__setitem__(1, field("Length", "int64", "0+"))],
        [
            Change("added", "Length", 0, "int64 was added"),
            Change("removed", "Size", 0, "int32 was removed"),
        ],
    ),
}


@pytest.mark.parametrize("name", NEGOTIATED)
def test_what_may_follow_a_negotiated_message(name: str) -> None:
    edits, expected = NEGOTIATED[name]
    assert list(compare(spec.parse(REQUEST), edited(REQUEST, *edits))) == expected


def test_defaults_inside_a_struct_are_compared() -> None:
    edit: Edit = lambda d: fields(d)[2]["fields"][0].update(default="x")  # noqa: E731
    found = told(spec.parse(subscription()), edited(subscription(), edit))
    assert ("default", "TopicPartition.Topic") in found


def test_encodings_and_missing_ends_are_told_apart() -> None:
    plain = {
        "type": "data",
        "name": "Tail",
        "validVersions": "0",
        "fields": [field("Text", "string", "0+")],
    }
    other = edited(plain, lambda d: fields(d)[0].update(encoding="modified-utf-8"))
    (change,) = compare(spec.parse(plain), other)
    assert (change.rule, change.detail) == ("retyped", "string became string modified-utf-8")
    ends = edited(plain, lambda d: fields(d)[0].update(optionalVersions="0+"))
    assert told(spec.parse(plain), ends) == {("retyped", "Text")}


def test_breaks_come_first_and_every_rule_is_explained() -> None:
    new = edited(
        REQUEST,
        lambda d: d.update(validVersions="1-2", apiKey=8),
        lambda d: fields(d)[1].update(name="Length"),
    )
    changes = compare(spec.parse(REQUEST), new)
    assert [change.breaks for change in changes] == [True, False, False]
    assert all(RULES[change.rule].text for change in changes)
    assert isinstance(changes[0], Change)


# -- bytes that show it


def rewritten(definition: dict[str, Any], *edits: Edit) -> dict[str, Any]:
    changed = copy.deepcopy(definition)
    for edit in edits:
        edit(changed)
    return changed


@pytest.mark.parametrize(
    ("definition", "edits"),
    [
        *((subscription(), edits) for edits, _ in BROKEN_CLAMPED.values()),
        *((REQUEST, edits) for edits, _ in NEGOTIATED.values()),
    ],
    ids=[*BROKEN_CLAMPED, *(f"negotiated: {name}" for name in NEGOTIATED)],
)
def test_every_break_has_a_counterexample(definition: dict[str, Any], edits: list[Edit]) -> None:
    """What is called a break is one: bytes of one side go wrong on the other.

    But for one: a clamped field that a new version makes non-nullable is read by all who know it;
    it is the next version's null that they could not take back.
    """
    old = compile_definition(definition)
    new = compile_definition(rewritten(definition, *edits))
    for change in compare(spec.parse(definition), edited(definition, *edits)):
        kept_for_later = change.rule == "nullability" and change.reader is not None
        if change.breaks and change.version is not None and not kept_for_later:
            shown = find_counterexample(change, old, new)
            assert shown is not None, change
            assert shown.data and shown.outcome


def test_a_bool_is_another_value_than_the_number_that_equals_it() -> None:
    definition = REQUEST | {"fields": [field("Flag", "bool", "0+")]}
    old = compile_definition(definition)
    new = compile_definition(
        rewritten(definition, lambda d: fields(d)[0].update(type="int8")),
    )
    shown = find_counterexample(Change("retyped", "Flag", 0, ""), old, new)
    assert shown is not None
    assert shown.outcome == "flag: written True, read 1"


@pytest.mark.parametrize("name", LEGAL_CLAMPED)
def test_what_is_legal_has_no_counterexample(name: str) -> None:
    """Whatever change is asked about: each side reads what the other wrote, as it was meant."""
    old = compile_definition(subscription())
    new = compile_definition(rewritten(subscription(), *LEGAL_CLAMPED[name]))
    for version in old.VERSIONS:
        assert find_counterexample(Change("retyped", "", version, ""), old, new) is None
    for version in new.VERSIONS:
        for reader in range(version + 1):
            change = Change("inserted", "", version, "", reader=reader)
            assert find_counterexample(change, old, new) is None


def test_what_is_about_no_version_has_no_counterexample() -> None:
    one = compile_definition(subscription())
    assert find_counterexample(Change("default", "", None, ""), one, one) is None
    assert find_counterexample(Change("framing", "", None, ""), one, one) is None


FRAMED: dict[str, tuple[str, list[Edit]]] = {
    "nothing in front": (
        "ConsumerProtocolSubscription",
        [lambda d: d.update(framing="none"), lambda d: d.pop("newerVersions")],
    ),
    "newer ones refused": (
        "ConsumerProtocolSubscription", [lambda d: d.update(newerVersions="refuse")]
    ),
    "newer ones read": (
        "LegacyOffsetCommitValue",
        [lambda d: d.update(framing="version", newerVersions="clamp")],
    ),
    "another record type": ("OffsetCommitKey", [lambda d: d.update(apiKey=77)]),
    "no head of newer ones": ("SubscriptionInfoData", [lambda d: d.pop("newerVersions")]),
    "something in front": ("CooperativeStickyUserData", [lambda d: d.update(framing="version")]),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMED)
def test_whole_messages_show_what_stands_in_front(name: str) -> None:
    message, edits = FRAMED[name]
    definition = schemas.loads(schemas.text(message))
    old, new = compile_definition(definition), compile_definition(rewritten(definition, *edits))
    rules = {"framing", "api-key"}
    (change,) = (c for c in compare(spec_of(old), spec_of(new)) if c.rule in rules)
    shown = find_counterexample(change, old, new)
    assert shown is not None
    assert shown.framed and shown.counterpart is not None
    sides = {"old": old, "new": new}
    writer = sides.pop(shown.writer)
    (reader,) = sides.values()
    own = shown.version if writer.FRAMING.kind == "none" else None
    assert decode(shown.data, writer, body_version=own).complete  # its own side reads it
    foreign = shown.version if reader.FRAMING.kind == "none" else None
    seen = decode(shown.data, reader, body_version=foreign, policy=Policy.LENIENT)
    assert seen.error is not None or seen.remainder


def test_messages_without_a_version_in_common_have_no_counterexample() -> None:
    definition = schemas.loads(schemas.text("OffsetCommitKey"))
    one = compile_definition(definition)
    none = compile_definition(definition | {"apiKey": 9, "validVersions": "none", "fields": []})
    assert find_counterexample(Change("api-key", "", None, ""), one, none) is None


def test_the_other_side_s_bytes_stand_beside() -> None:
    """The pair: what was written, and what the reader would write for the same."""
    retyped: Edit = lambda d: fields(d)[3].update(type="int64")  # noqa: E731
    old = compile_definition(subscription())
    new = compile_definition(rewritten(subscription(), retyped))
    (change,) = (c for c in compare(spec_of(old), spec_of(new)) if c.version == 2)
    shown = find_counterexample(change, old, new)
    assert shown is not None and shown.counterpart is not None
    assert new.from_body(shown.counterpart, 2).to_body(2) == shown.counterpart
    assert old.from_body(shown.data, 2).to_body(2) == shown.data


def test_a_message_that_one_side_cannot_write_has_no_counterexample() -> None:
    """A struct that is never null has no message in which it is."""
    definition = {
        "type": "data",
        "name": "Outer",
        "validVersions": "0",
        "flexibleVersions": "none",
        "fields": [{**field("Inner", "Thing", "0+"), "fields": [field("Size", "int32", "0+")]}],
    }
    one = compile_definition(definition)
    assert find_counterexample(Change("nullability", "Inner", 0, ""), one, one) is None


@pytest.mark.parametrize("version", [1, 5, 11])
def test_samples_carry_the_version_that_stands_inside(version: int) -> None:
    made = sample(compile_definition(schemas.text("SubscriptionInfoData")), version)
    assert made.to_body(version)[:4] == version.to_bytes(4, "big")
    made = sample(compile_definition(schemas.text("AssignmentInfo")), version)
    assert made.to_body(version)[:4] == version.to_bytes(4, "big")
