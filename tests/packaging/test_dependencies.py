"""Ranges in pyproject.toml, pins in constraints.txt, and no address of a registry anywhere."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.rooms import FOLDERS

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

PINS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]

# Lock files of the common tools: they carry addresses and hashes.
LOCKS = {
    "Cargo.lock",
    "Pipfile.lock",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pdm.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pylock.toml",
    "uv.lock",
    "yarn.lock",
}
HOST = re.compile(
    r"https?://[^\s/]*(?:artifact|crates|hosted|index|maven|mirror|nexus|npm|proxy|pypi|registry)"
)
INDEX_OPTION = re.compile(r"--(?:extra-)?index-url|--find-links|--trusted-host")


def requirements() -> list[Requirement]:
    """Each one once, however many lists name it."""
    project = PYPROJECT["project"]
    lists = [
        PYPROJECT["build-system"]["requires"],
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PYPROJECT["dependency-groups"].values(),
    ]
    entries = {entry for entries in lists for entry in entries if isinstance(entry, str)}
    found = [Requirement(entry) for entry in sorted(entries)]
    return [requirement for requirement in found if requirement.name != project["name"]]


def written_by_hand() -> Iterator[Path]:
    """The project's texts, without what tools have put into the tree."""
    for top in ROOT.iterdir():
        if not top.name.startswith(".") and top.name != "build":
            yield top
            yield from top.rglob("*")


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_a_requirement_is_a_range_with_its_pin_inside(requirement: Requirement) -> None:
    assert requirement.specifier
    assert all(part.operator != "==" for part in requirement.specifier)
    pins = [p for p in PINS if canonicalize_name(p.name) == canonicalize_name(requirement.name)]
    assert pins
    for pin in pins:
        (exact,) = pin.specifier
        assert requirement.specifier.contains(exact.version)


def test_pins_are_names_and_versions_alone() -> None:
    for pin in PINS:
        assert pin.url is None
        assert [part.operator for part in pin.specifier] == ["=="]


def test_no_registry_is_named() -> None:
    texts = {".cfg", ".ini", ".md", ".mk", ".toml", ".txt", ".yaml", ".yml"}
    found = []
    hidden = [ROOT / ".ci" / "run", ROOT / ".pre-commit-config.yaml", *ROOT.glob(".github/*/*")]
    for path in [*written_by_hand(), *hidden]:
        if path.is_file() and (path.suffix in texts or path.name in {"Makefile", "run"}):
            text = path.read_text(encoding="utf-8")
            found += [(path.name, hit) for hit in HOST.findall(text) + INDEX_OPTION.findall(text)]
    assert not found


def test_there_is_no_lock_file() -> None:
    """None that git would keep: cargo writes one beside the crate."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    kept = LOCKS - set(ignored)
    assert not [path for path in written_by_hand() if path.name in kept]


def test_a_room_is_called_as_its_folder() -> None:
    """All but the package itself: a folder of that name would hide what is installed."""
    rooms = {package: folder for package, folder in FOLDERS.items() if package != "kproto"}
    assert {package: package.removeprefix("kproto.") for package in rooms} == rooms
    assert FOLDERS["kproto"] != "kproto"
