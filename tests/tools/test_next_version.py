"""A field at the end of the subscription, in a version 4, needs its definition and `make generate`.

Both are done to a copy of the tree; then the commands read, judge, simulate and audit messages of
that version.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tree_copy import TreeCopy

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


def with_next_version(folder: Path) -> TreeCopy:
    """A copy of the tree with the field."""
    copy = TreeCopy(folder)
    for name in MESSAGES:
        file = copy.packages / "schemas" / f"{name}.json"
        text = file.read_text("utf-8").replace('"validVersions": "0-3"', '"validVersions": "0-4"')
        if name == MESSAGES[0]:
            fields, end, rest = text.rpartition("\n  ]\n}")
            text = f"{fields},\n    {FIELD}{end}{rest}"
        file.write_text(text, "utf-8")
    copy.run("kproto.codec.generate", copy.packages / "codec" / "messages")
    return copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> TreeCopy:
    return with_next_version(tmp_path_factory.mktemp("next"))


def test_decode_and_lint(copy: TreeCopy) -> None:
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


def test_simulate_and_audit(copy: TreeCopy) -> None:
    scenario, capture = copy.folder / "newest.toml", copy.folder / "newest.pcap"
    scenario.write_text(SCENARIO, "utf-8")
    copy.run("kproto", "simulate", scenario, "--capture", capture)
    story = copy.run("kproto", "decode", capture, "--json")
    assert '"slotCount": -1' in story or '"slotCount":-1' in story
    out = copy.folder / "audit"
    copy.run("kproto", "audit", capture, "--out", out)
    assert (out / "report.html").exists()


@pytest.mark.slow
def test_conform(copy: TreeCopy) -> None:
    found = copy.run("kproto", "conform", "--adapter", "kproto", "--time", "3m")
    assert "required and broken: nothing" in " ".join(found.split())
