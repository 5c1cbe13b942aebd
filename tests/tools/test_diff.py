"""`kproto diff`: what it takes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from .conftest import CAPTURES, Run
from .test_main import one_line

JAVA, BROKEN = CAPTURES / "java-sticky.hex", CAPTURES / "kafkajs.hex"
EMPTY, OTHER = "000100000001000161ffffffff00000000", "000100000001000162ffffffff00000000"


def test_the_same(kproto: Run) -> None:
    done = kproto("diff", JAVA, JAVA)
    assert done.stdout.decode().endswith("the same bytes\n")
    assert json.loads(kproto("diff", "--json", JAVA, JAVA).stdout)["differences"] == []


def test_a_difference(kproto: Run) -> None:
    text = kproto("diff", EMPTY, OTHER, status=1).stdout.decode()
    assert '"a"' in text
    assert text.endswith("2 differences\n")
    made = json.loads(kproto("diff", "--json", EMPTY, OTHER, status=1).stdout)
    assert [one["path"] for one in made["differences"]] == ["topics[0]", "topics[0]"]


@pytest.mark.parametrize("cut_first", [False, True])
def test_both_are_of_the_type_that_both_can_be(kproto: Run, *, cut_first: bool) -> None:
    """The cut one by itself could be a subscription, too."""
    whole = "0001000000010001740000000100000000ffffffff"
    pair = (whole[:-8], whole) if cut_first else (whole, whole[:-8])
    made = json.loads(kproto("diff", "--json", *pair, status=1).stdout)
    names = {made[side]["name"] for side in "ab"}
    assert names == {"ConsumerProtocolAssignment"}
    changes = [(one["path"], one["change"]) for one in made["differences"]]
    assert changes == [("user_data", "missing")]


def test_a_file_with_standard_input(kproto: Run) -> None:
    done = kproto("diff", JAVA, "-", stdin=JAVA.read_bytes())
    assert b"the same bytes" in done.stdout


def test_several_messages(kproto: Run, tmp_path: Path) -> None:
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text(f"{EMPTY}\n{OTHER}\n", encoding="ascii")
    b.write_text(f"{EMPTY}\n{EMPTY}\n{EMPTY}\n", encoding="ascii")
    done = kproto("diff", a, b, "--format", "hex-lines", "--json", status=1)
    assert [json.loads(line)["same"] for line in done.stdout.splitlines()] == [True, False]
    assert "only B has a message 3" in one_line(done.stderr)


def test_captures_frame_by_frame(kproto: Run) -> None:
    frames = CAPTURES / "loopback.pcap"
    lines = [
        json.loads(line) for line in kproto("diff", "--json", frames, frames).stdout.splitlines()
    ]
    names = [line["a"]["name"] for line in lines]
    assert names[:2] == ["RequestHeader", "ApiVersionsRequest"]
    assert {"JoinGroupRequest", "SyncGroupResponse"} < set(names)
    assert all(line["same"] for line in lines)
    done = kproto("diff", JAVA, frames, status=1)
    assert "only B has a message 2" in done.stderr.decode()


def test_bytes_that_are_no_message(kproto: Run) -> None:
    """Whatever cannot be read is compared as far as it can."""
    for left, right in (("ff", "fe"), ("00", "0000"), (str(JAVA), str(BROKEN))):
        assert kproto("diff", left, right, status=1).stdout


@pytest.mark.parametrize(
    ("arguments", "about"),
    [
        ([], "A, B"),
        (["00"], "B"),
        (["-", "-"], "standard input"),
        (["00", "no-such-file.hex"], "neither hex nor a file"),
        (["00", "01", "--as", "Nope"], "no message 'Nope'"),
        (["00", "01", "--body", "1"], "--body needs --as"),
    ],
)
def test_wrong_use(kproto: Run, arguments: list[str], about: str) -> None:
    assert about in one_line(kproto("diff", *arguments, status=2).stderr)


def test_a_picture_for_a_bug_report(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "diff.svg"
    done = kproto("diff", JAVA, BROKEN, "--redact", "--svg", file, status=1)
    assert not done.stdout
    shown = "".join(ET.parse(file).getroot().itertext())  # noqa: S314  # our own
    assert "<topic-1>" in shown
    assert "orders" not in shown
