"""Every definition teaches: what the message and its fields are for, what each version brought."""

from __future__ import annotations

import json
import re
import zipfile
from typing import TYPE_CHECKING, Any

from kproto import schemas
from kproto.codec import built_in_names
from kproto.codec.definitions import JAR_FOLDER
from kproto.fuzz.oracles.java import locate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kproto.fuzz.oracles.java import JavaOracle

WIDTH = 100
LICENCE_WORDS = ("license", "licensed", "copyright", "warranties", "notice file", "apache software")
SENTENCE = re.compile(r"[A-Z0-9-].*\.", re.DOTALL)


def head(name: str) -> str:
    """The comment in front of the definition, as one text."""
    lines = schemas.text(name).partition("{")[0].splitlines()
    assert all(line.startswith("//") for line in lines)
    return " ".join(line.removeprefix("//").strip() for line in lines)


def parts(definition: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field and every struct of its own, under a name that finds it."""
    for field in definition.get("fields", []):
        yield field["name"], field
        yield from ((f"{field['name']}.{name}", inner) for name, inner in parts(field))
    for struct in definition.get("commonStructs", []):
        yield struct["name"], struct
        yield from ((f"{struct['name']}.{name}", inner) for name, inner in parts(struct))


def abouts(definition: dict[str, Any]) -> list[str]:
    return [part.get("about", "") for _, part in parts(definition)]


def test_definition_says_what_it_is_for() -> None:
    for name in built_in_names():
        assert len(head(name).split()) >= 8, name
        assert SENTENCE.fullmatch(head(name)), name


def test_every_field_says_what_it_is_for() -> None:
    for name in built_in_names():
        for path, part in parts(schemas.loads(schemas.text(name))):
            about = part.get("about", "")
            assert SENTENCE.fullmatch(about), (name, path, about)
            assert about.rstrip(".").lower() != part["name"].lower(), (name, path)


def test_every_version_is_explained() -> None:
    """The head names each version above the lowest, alone or within "Versions 2 and 3"."""
    for name in built_in_names():
        lowest, _, highest = schemas.loads(schemas.text(name))["validVersions"].partition("-")
        named: set[int] = set()
        for text in re.findall(r"[Vv]ersions? (\d+(?: (?:and|to) \d+)*)", head(name)):
            numbers = [int(number) for number in re.findall(r"\d+", text)]
            named |= set(range(min(numbers), max(numbers) + 1))
        assert set(range(int(lowest) + 1, int(highest or lowest) + 1)) <= named, name


def test_no_licence_text_and_no_long_line() -> None:
    for name in built_in_names():
        text = schemas.text(name)
        assert not [word for word in LICENCE_WORDS if word in text.lower()], name
        assert not [line for line in text.splitlines() if len(line) > WIDTH], name


def test_prose_is_our_own(java_oracle: JavaOracle, extra_jars: list[Path]) -> None:
    """No sentence that teaches something is Kafka's: what is alike is a name with an article."""
    theirs: set[str] = set()
    for jar in (*locate().jars, *extra_jars):
        with zipfile.ZipFile(jar) as archive:
            for path in archive.namelist():
                if path.startswith(JAR_FOLDER) and path.endswith(".json"):
                    definition = schemas.loads(archive.read(path).decode())
                    theirs |= {about.lower().rstrip(".") for about in abouts(definition)}
    assert len(theirs) > 500
    ours = {
        about.lower().rstrip(".")
        for name in built_in_names()
        for about in abouts(schemas.loads(schemas.text(name)))
    }
    alike = sorted(about for about in ours & theirs if len(about.split()) > 3)
    assert not alike, json.dumps(alike, indent=1)
