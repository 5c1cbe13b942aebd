"""A field at the end of the subscription, in a version 4, needs its definition and `make generate`.

Both are done to a copy of the tree; then the commands read, judge, simulate and audit messages of
that version.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIELD = (
    '{ "name": "SlotCount", "type": "int32", "versions": "4+", "default": "-1", "ignorable": true,'
    ' "about": "How many partitions the member can take." }'
)
MESSAGES = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
NEWEST = bytes.fromhex(
    "0004 00000001 0001 61 ffffffff 00000001 0001 61 00000001 00000005 00000007 ffff 000000ff"
).hex()
SCENARIO = """
summary = "A member of the newest version, and one that comes and goes."
duration = 60
[topics]
orders = 6
[defaults]
assignor = "cooperative-sticky"
version = 4
[[members]]
name = "m1"
[[members]]
name = "m2"
start = 10
[[events]]
at = 40
do = "stop"
member = "m2"
"""


class Copy:
    """The packages of this tree in a folder, with the field."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        packages = folder / "kproto"
        skipped = shutil.ignore_patterns("__pycache__", "native")
        shutil.copytree(ROOT / "package", packages, ignore=skipped)
        for file in ROOT.glob("*/py.typed"):
            if file.parent.name != "package":
                shutil.copytree(file.parent, packages / file.parent.name, ignore=skipped)
        for name in MESSAGES:
            self._add_version(packages / "schemas" / f"{name}.json")
        self.run("kproto.codec.generate", packages / "codec" / "messages")

    def _add_version(self, file: Path) -> None:
        text = file.read_text("utf-8").replace('"validVersions": "0-3"', '"validVersions": "0-4"')
        if file.stem == MESSAGES[0]:
            fields, end, rest = text.rpartition("\n  ]\n}")
            text = f"{fields},\n    {FIELD}{end}{rest}"
        file.write_text(text, "utf-8")

    def run(self, module: str, *arguments: object, status: int = 0) -> str:
        """Run a module as `python -m` of the copy, with the programs of this environment, and
        return what it printed."""
        paths = os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")])
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        result = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=self.folder, env=os.environ | {"PYTHONPATH": paths, "PATH": programs},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert result.returncode == status, result.stdout + result.stderr
        return result.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("next"))


def test_decode_and_lint(copy: Copy) -> None:
    (line,) = copy.run("kproto", "decode", "--json", NEWEST).splitlines()
    shown = json.loads(line)
    assert (shown["version"], shown["message"]["slotCount"]) == (4, 255)
    assert shown["deviations"] == []
    cut = copy.run("kproto", "decode", "--json", NEWEST[:-8], status=1)
    assert '"KP040"' in cut  # complete in version 3
    assert "no findings" in copy.run("kproto", "lint", NEWEST)
    predicted = copy.run("kproto", "lint", "--readers", "java-4.4,kafka-protocol", NEWEST, status=1)
    java, crate = (
        next(line for line in predicted.splitlines() if line.split()[:1] == [name])
        for name in ("java-4.4", "kafka-protocol")
    )
    assert java.endswith("reads it") and "refuses it" in crate  # as they do with what is newer


def test_simulate_and_audit(copy: Copy) -> None:
    scenario, capture = copy.folder / "newest.toml", copy.folder / "newest.pcap"
    scenario.write_text(SCENARIO, "utf-8")
    copy.run("kproto", "simulate", scenario, "--capture", capture)
    story = copy.run("kproto", "decode", capture, "--json")
    assert '"slotCount": -1' in story or '"slotCount":-1' in story
    out = copy.folder / "audit"
    copy.run("kproto", "audit", capture, "--out", out)
    assert (out / "report.html").exists()


@pytest.mark.slow
def test_conform(copy: Copy) -> None:
    found = copy.run("kproto", "conform", "--testee", "kproto", "--time", "3m")
    assert "required and broken: none" in " ".join(found.split())
