"""`kproto compat`: what changed between two sets of definitions, and what that breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kproto import schemas
from kproto.codec import ConsumerProtocolSubscription, DecodeError, ErrorKind, decode
from kproto.fuzz.building import JavaUnavailable, fetch_jars
from kproto.fuzz.oracles.java import locate

from ..conftest import do_without
from .conftest import Run
from .test_main import one_line

SUBSCRIPTION = schemas.text("ConsumerProtocolSubscription")
OLDER_POM = Path(__file__).parents[1] / "schemas" / "pom.xml"


def inserted() -> dict[str, Any]:
    """A version 4 with a field in front of what older readers know."""
    definition: dict[str, Any] = schemas.loads(SUBSCRIPTION)
    definition["validVersions"] = "0-4"
    definition["fields"].insert(1, {"name": "New", "type": "int32", "versions": "4+"})
    return definition


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(SUBSCRIPTION, encoding="utf-8")
    new.write_text(json.dumps(inserted()), encoding="utf-8")
    return old, new


def test_the_same_twice(kproto: Run, pair: tuple[Path, Path]) -> None:
    done = kproto("compat", pair[0], pair[0])
    assert done.stdout == b"1 compared, 0 changes, 0 of them break somebody\n"


def test_a_break_comes_with_its_bytes(kproto: Run, pair: tuple[Path, Path]) -> None:
    done = kproto("compat", *pair, status=1)
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith("✗ ConsumerProtocolSubscription.New in version 4")
    assert "for readers of version 3" in lines[0]
    written, wanted = (line.rpartition(" ")[2] for line in lines[2:4])
    assert bytes.fromhex(written) != bytes.fromhex(wanted)
    assert "a reader of 3 makes of the former: count-exceeds-input" in lines[4]
    assert lines[-1] == "1 compared, 2 changes, 1 of them break somebody"


def test_a_field_at_the_end_of_a_new_version_breaks_nobody(kproto: Run, tmp_path: Path) -> None:
    definition = inserted()
    definition["fields"].append(definition["fields"].pop(1))
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(SUBSCRIPTION, encoding="utf-8")
    new.write_text(json.dumps(definition), encoding="utf-8")
    text = kproto("compat", old, new).stdout.decode()
    assert "version 4 is new, with New (int32)" in text


def test_the_bytes_break_a_reader_of_today(kproto: Run, pair: tuple[Path, Path]) -> None:
    lines = kproto("compat", "--json", *pair, status=1).stdout.splitlines()
    change, added = map(json.loads, lines)
    assert (added["code"], added["breaks"]) == ("version-added", False)
    assert (change["code"], change["breaks"], change["path"]) == ("inserted", True, "New")
    shown = change["witness"]
    data = shown["version"].to_bytes(2, "big") + bytes.fromhex(shown["hex"])
    with pytest.raises(DecodeError) as refused:
        decode(data, ConsumerProtocolSubscription)
    assert refused.value.kind is ErrorKind.COUNT_EXCEEDS_INPUT
    assert "count-exceeds-input" in shown["outcome"]


def test_messages_that_come_and_go_break_nothing(
    kproto: Run, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    both = tmp_path / "both"
    both.mkdir()
    for name in ("ConsumerProtocolSubscription", "JoinGroupRequest"):
        (both / f"{name}.json").write_text(schemas.text(name), encoding="utf-8")
    text = kproto("compat", pair[0], both).stdout.decode()
    assert "· JoinGroupRequest: only NEW has it" in text
    text = kproto("compat", both, pair[0]).stdout.decode()
    assert "· JoinGroupRequest: only OLD has it" in text


def test_what_is_built_in_and_not_asked_about_is_one_line(
    kproto: Run, pair: tuple[Path, Path]
) -> None:
    for sides in ((pair[0], "built-in"), ("built-in", pair[0])):
        first, last = kproto("compat", *sides).stdout.decode().splitlines()
        assert first.startswith("· 1") and first.endswith(" other messages of kproto: not compared")
        assert last == "1 compared, 0 changes, 0 of them break somebody"
        assert kproto("compat", "--json", *sides).stdout == b""


def test_two_files_are_compared_whatever_their_names(kproto: Run, tmp_path: Path) -> None:
    renamed = tmp_path / "renamed.json"
    changed = schemas.loads(SUBSCRIPTION) | {"name": "Renamed"}
    renamed.write_text(json.dumps(changed), encoding="utf-8")
    old = tmp_path / "old.json"
    old.write_text(SUBSCRIPTION, encoding="utf-8")
    assert b"1 compared" in kproto("compat", old, renamed).stdout


@pytest.mark.parametrize(
    ("text", "status", "said"), [("{", 1, "not a JSON definition"), (None, 2, "No such file")]
)
def test_what_cannot_be_read(
    text: str | None, status: int, said: str, kproto: Run, tmp_path: Path
) -> None:
    path = tmp_path / "broken.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert said in one_line(kproto("compat", path, path, status=status).stderr)


def test_a_release_of_kafka_breaks_nothing_of_the_one_before(kproto: Run) -> None:
    """4.3.1 to 4.4.0: what Kafka's own rules hold, ours do not call broken."""
    try:
        older = next(fetch_jars(OLDER_POM.read_bytes()).glob("kafka-clients-*.jar"))
        newer = next(jar for jar in locate().jars if jar.name.startswith("kafka-clients-"))
    except JavaUnavailable as reason:
        do_without(reason)
    assert older.name != newer.name
    text = kproto("compat", older, newer).stdout.decode()
    assert text.endswith("0 of them break somebody\n")
    assert int(text.splitlines()[-1].split()[0]) > 150
