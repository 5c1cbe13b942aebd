"""The patches of docs/findings/patches, without a run of them: `make patches` tries each."""

from __future__ import annotations

import re

import pytest

from kproto.fuzz.clients import NAMES
from tests.clients.patched_clients import LANGUAGES
from tests.clients.run_patches import PATCHES, Patch, read_table

FINDINGS = PATCHES.parent
TABLE = read_table()


def page_of(finding: str) -> str:
    return (FINDINGS / f"{finding}.md").read_text("utf-8")


def paths_in(text: str) -> set[str]:
    return set(re.findall(r"(?m)^\+\+\+ b/(.+)$", text))


@pytest.mark.parametrize("patch", TABLE.patch, ids=lambda patch: patch.name)
def test_a_patch_is_a_report(patch: Patch) -> None:
    text = (PATCHES / f"{patch.name}.patch").read_text("utf-8")
    package = TABLE.packages[patch.package]
    subject, _, body = text.partition("---\n")[0].partition("\n")
    assert re.fullmatch(r"Subject: .{10,72}", subject)
    assert package.name in " ".join(body.split()) and "license" in body.lower()
    assert set(patch.tests) < paths_in(text), "the tests, and the change"
    assert package.language in LANGUAGES and patch.adapter in NAMES
    added = [line for line in text.splitlines() if line.startswith("+") and line.endswith(" ")]
    assert not added, "spaces at the end of a line"


@pytest.mark.parametrize("patch", TABLE.patch, ids=lambda patch: patch.name)
def test_the_pages_name_their_patches(patch: Patch) -> None:
    for finding in patch.findings:
        assert f"(patches/{patch.name}.patch)" in page_of(finding)
    pages = "".join(page_of(finding) for finding in patch.findings)
    for ask in patch.asks[:1]:  # others are more of the same class
        assert ask.question.partition("{x")[0][:24] in pages


def test_every_finding_has_a_patch_or_a_reason() -> None:
    pages = {page.stem for page in FINDINGS.glob("[a-z]*.md")}
    mended = {finding for patch in TABLE.patch for finding in patch.findings}
    assert pages == mended | {row.finding for row in TABLE.unmended}
    for row in TABLE.unmended:
        library, release = row.client.split(" and ")[0].rsplit(" ", 1)
        assert release in page_of(row.finding) and library.split()[0] in page_of(row.finding)
        assert row.why.endswith(".")


def test_the_page_has_every_row() -> None:
    assert {file.stem for file in PATCHES.glob("*.patch")} == {patch.name for patch in TABLE.patch}
    text = (PATCHES / "README.md").read_text("utf-8")
    for patch in TABLE.patch:
        assert f"| [{patch.name}]({patch.name}.patch) |" in text and patch.left in text
        assert patch.promise in text
    for row in TABLE.unmended:
        assert f"| [{row.finding}](../{row.finding}.md) | {row.client} | {row.why} |" in text
