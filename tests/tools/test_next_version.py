"""A field at the end of the subscription, in one more version, needs its definition and
`make generate`.

Both are done to a copy of the tree; then the commands read, judge, simulate and audit messages of
that version.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kproto.codec import ConsumerProtocolSubscription
from tests.tree_copy import TreeCopy

LAST = ConsumerProtocolSubscription.LATEST
NEXT = LAST + 1
FIELD = (
    f'{{ "name": "SlotCount", "type": "int32", "versions": "{NEXT}+", "default": "-1", '
    '"ignorable": true, "about": "How many partitions the member can take." }'
)
MESSAGES = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
OWNED = ConsumerProtocolSubscription.TopicPartition(topic="a", partitions=(5,))
KNOWN = ConsumerProtocolSubscription(topics=["a"], owned_partitions=[OWNED], generation_id=7)
NEWEST = (NEXT.to_bytes(2, "big") + KNOWN.to_bytes(LAST)[2:] + b"\0\0\0\xff").hex()
SCENARIO = f"""
summary = "A member of the newest version, and one that comes and goes."
duration = 60
[topics]
orders = 6
[defaults]
assignor = "cooperative-sticky"
version = {NEXT}
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
        text = file.read_text("utf-8")
        text = text.replace(f'"validVersions": "0-{LAST}"', f'"validVersions": "0-{NEXT}"')
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
    assert (shown["version"], shown["message"]["slotCount"]) == (NEXT, 255)
    assert shown["deviations"] == []
    cut = copy.run("kproto", "decode", "--json", NEWEST[:-8], status=1)
    assert '"KP040"' in cut  # complete in the version before
    assert "no findings" in copy.run("kproto", "lint", NEWEST)
    predicted = copy.run("kproto", "lint", "--readers", "java-4.4,kafka-protocol", NEWEST, status=1)
    java, crate = (
        next(line for line in predicted.splitlines() if line.split()[:1] == [name])
        for name in ("java-4.4", "kafka-protocol")
    )
    assert java.endswith("reads it") and "refuses it" in crate  # as they do with what is newer
    older = copy.run("kproto", "lint", "--readers", "java-4.4", NEWEST[:-8], status=1)
    assert "takes what" not in older  # which is relative to the releases that were measured


def test_the_page_writes_it(copy: TreeCopy) -> None:
    (copy.folder / "page.py").write_text(
        "from kproto.browser.build import _versions as v\nprint(v())"
    )
    assert f"<option>{LAST}</option><option selected>{NEXT}</option>" in copy.run("page")


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
