"""What surrounds the code says what is there: hooks, workflow, documents for contributors."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
WORKFLOWS = [*(ROOT / ".github" / "workflows").glob("*.yml"), *(ROOT / "docs" / "ci").glob("*.yml")]
PACKAGES = (ROOT / ".github" / "workflows" / "packages.yml").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md")]

WORDS_OF_TWO_MINUTES = 600
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
RELEASES = [
    text.rpartition(" ")[2]
    for text in PYPROJECT["project"]["classifiers"]
    if re.search(r":: 3\.\d+$", text)
]


def test_the_hooks_are_the_steps_of_make_check() -> None:
    [steps] = re.findall(r"^check: ([a-z ]+)", MAKEFILE, re.MULTILINE)
    assert re.findall(r"^ +entry: make (.*)$", HOOKS, re.MULTILINE) == steps.split()
    assert re.findall(r"^ *- repo: (.*)$", HOOKS, re.MULTILINE) == ["local"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned(workflow: Path) -> None:
    used = re.findall(r"uses: (\S+)", workflow.read_text(encoding="utf-8"))
    assert used
    assert not [one for one in used if not re.fullmatch(r"[\w/-]+@(v\d+|[0-9a-f]{40})", one)]


def test_wheels_are_built_and_tested_for_every_release_on_three_systems() -> None:
    built = [name.removesuffix("-*") for name in PYPROJECT["tool"]["cibuildwheel"]["build"]]
    assert built == [f"cp{release.replace('.', '')}" for release in RELEASES]
    [tested] = re.findall(r"^ +python: (\[.*\])$", PACKAGES, re.MULTILINE)
    assert tested == str(RELEASES).replace("'", '"')
    systems = re.findall(r"^ +system: \[(.*)\]$", PACKAGES, re.MULTILINE)
    assert systems == ["ubuntu-latest, macos-latest, windows-latest"] * 2


def test_the_workflow_installs_groups_that_exist() -> None:
    named = set(re.findall(r"--group (\w+)", PACKAGES + MAKEFILE))
    assert named
    assert named <= PYPROJECT["dependency-groups"].keys()


def test_the_notes_of_a_release_are_read_in_two_minutes() -> None:
    releases = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]
    for notes in releases:
        assert len(notes.split()) <= WORDS_OF_TWO_MINUTES, notes.partition("\n")[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_names_what_there_is(document: Path) -> None:
    code = re.findall(r"`([^`\n]+)`|^\$ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    texts = [one or other for one, other in code]
    made = [text.partition("#")[0].split()[1:] for text in texts if text.startswith("make ")]
    assert {name for names in made for name in names} <= TARGETS
    paths = [text for text in texts if re.fullmatch(r"[\w./]+/|[\w/]+\.\w+", text)]
    assert paths
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not [path for path in missing if "NAME" not in path]


def test_the_release_of_rust_that_the_core_needs_is_said_where_one_installs() -> None:
    crate = tomllib.loads((ROOT / "codec" / "native" / "Cargo.toml").read_text(encoding="utf-8"))
    release = crate["package"]["rust-version"]
    for name in ("README.md", "docs/start.md", "codec/runtime/engine.py"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.search(rf"cargo`?,? {re.escape(release)} or newer", text), name


ROOT_FILES = frozenset(
    """.dockerignore .editorconfig .gitignore .pre-commit-config.yaml .pre-commit-hooks.yaml
    CHANGELOG.md CONTRIBUTING.md Dockerfile LICENSE MANIFEST.in Makefile README.md SECURITY.md
    action.yml constraints.txt pyproject.toml setup.py""".split()
)


def test_nothing_else_lies_in_the_root() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a clone of the repository")
    files = subprocess.run(
        [git, "ls-files", ":(glob)*"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(files.stdout.split()) <= ROOT_FILES
