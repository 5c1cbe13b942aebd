"""The workflows of the documents: actionlint reads them; the steps of a client's run as scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "docs" / "ci" / "kproto-client.yml"
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
CLIENT = """
from struct import error, unpack_from

class DecodeError(Exception):
    pass

def decode(data):
    try:
        version, count = unpack_from(">hi", data)
        if version < 0 or not 0 <= count <= len(data):
            raise DecodeError("version or count")
        at, topics = 6, []
        for _ in range(count):
            (size,) = unpack_from(">h", data, at)
            if not 0 <= size <= len(data) - at - 2:
                raise DecodeError("topic")
            topics.append(data[at + 2 : at + 2 + size].decode(errors="replace"))
            at += 2 + size
        (size,) = unpack_from(">i", data, at)
        if size > len(data) - at - 4:
            raise DecodeError("user data")
    except error as reason:
        raise DecodeError(str(reason)) from None
    FAULT
    return {"topics": topics}
"""
ADAPTER = """
import my_client

ERRORS = my_client.DecodeError
NAMES = ["ConsumerProtocolSubscription"]

def decode(name, data):
    return my_client.decode(data)
"""


@pytest.mark.slow
def test_actionlint_has_nothing_to_say() -> None:
    own, go = shutil.which("actionlint"), shutil.which("go")
    if own is None and go is None:
        pytest.skip("neither actionlint nor Go is here")
    words = [own] if own else [str(go), "run", ACTIONLINT]
    files = sorted(FILE.parent.glob("*.yml"))
    done = subprocess.run(
        [*words, "-no-color", *files], capture_output=True, text=True, check=False
    )
    if "dial tcp" in done.stderr or "lookup" in done.stderr:
        pytest.skip("actionlint cannot be fetched")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def run_step(folder: Path, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
    yaml = pytest.importorskip("yaml")
    job: dict[str, Any] = yaml.safe_load(FILE.read_text())["jobs"]["guarantees"]
    assert set(inputs) <= set(job["env"])
    shutil.rmtree(folder / "kproto-fuzz", ignore_errors=True)  # CI begins in a fresh checkout
    (step,) = (step for step in job["steps"] if step.get("name") == name)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = dict.fromkeys(job["env"], "") | {"CLIENT_VERSION": "1.0", "FUZZ_TIME": "6s"} | inputs
    return subprocess.run(
        [shutil.which("bash") or "bash", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder, env=os.environ | given | {"PATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_known_findings_are_not_counted_and_one_that_passes_again_is(tmp_path: Path) -> None:
    name, known = "The client under a fuzzer", tmp_path / "known" / "1.0" / "fuzz.json"
    (tmp_path / "my_adapter.py").write_text(ADAPTER)
    client = tmp_path / "my_client.py"
    client.write_text(CLIENT.replace("FAULT", "{}['x'] if len(topics) == 2 else 0"))
    assert run_step(tmp_path, name, ADAPTER="my_adapter").returncode == 1

    command = str(Path(sys.executable).with_name("kproto"))
    known.parent.mkdir(parents=True)
    words = [command, "fuzz", "client", "my_adapter", "--time", "6s", "--out", "first"]
    subprocess.run([*words, "--write-baseline", str(known)], cwd=tmp_path, check=True)
    assert any("KeyError" in fault["title"] for fault in json.loads(known.read_text())["findings"])
    client.write_text("# a line more\n" + client.read_text())
    done = run_step(tmp_path, name, ADAPTER="my_adapter", BASELINE="known")
    assert done.returncode == 0, done.stderr

    client.write_text(CLIENT.replace("FAULT", ""))
    done = run_step(tmp_path, name, ADAPTER="my_adapter", BASELINE="known")
    assert done.returncode == 1
    assert "passes again, remove it from the baseline: client-my_adapter: KeyError" in done.stderr
