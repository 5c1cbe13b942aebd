"""The workflow of a nightly audit: its step runs as a script; what was accepted fails no more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import CAPTURES

FILE = Path(__file__).parents[2] / "docs" / "ci" / "kproto-audit.yml"


def test_it_fails_for_what_is_new_and_not_for_what_was_accepted(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(FILE.read_text("utf-8"))["jobs"]["audit"]["steps"]
    (script,) = (step["run"] for step in steps if step.get("name") == "Audit")
    bin_folder = tmp_path / "kproto" / "bin"
    bin_folder.mkdir(parents=True)
    (bin_folder / "kproto").symlink_to(Path(sys.executable).parent / "kproto")
    given = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "outputs")}
    topic = f"prod={CAPTURES / 'offsets-topic'}"

    def status(*sources: str) -> int:
        words = [shutil.which("bash") or "bash", "-e", "-o", "pipefail", "-c", script]
        done = subprocess.run(
            words,
            cwd=tmp_path,
            env=os.environ | given | {"SOURCES": " ".join(sources)},
            capture_output=True,
            check=False,
        )
        assert (tmp_path / "outputs").read_text().endswith(f"status={done.returncode}\n")
        return done.returncode

    assert status(topic) == 1
    assert {file.name for file in (tmp_path / "audit").iterdir()} >= {
        "findings.sarif",
        "report.html",
    }
    assert "<testsuite" in (tmp_path / "kproto-audit.xml").read_text("utf-8")
    (tmp_path / "found.jsonl").rename(tmp_path / "known.jsonl")
    assert status(topic) == 0
    assert status(topic, "dr=kafka://127.0.0.1:1") == 3
