"""What somebody has in hand is pasted or dropped, and has the command's answer at the first try.

Of each kind the inputs that the tests have, in the page that a server gives and in the one that is
a file. Which commands are run, and in which order, is the page's choice; the heading shows what it
took the input for.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.browser.conftest import ROOT, SITE, ask
from tests.browser.devtools import Browser
from tests.browser.test_same_answers import (
    CAPTURES,
    GOLDEN,
    LOGS,
    OUTPUTS,
    RUNNING,
    SEGMENTS,
    command,
)

# The command leaves it to the end of its process to close some files.
pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

REPORTS = ROOT / "tests" / "vectors" / "reports"
HEX = [
    "00010000000100066f7264657273ffffffff",
    "00 01 00 00 00 01 00 06 6f 72 64 65 72 73 ff ff ff ff",
    "0x0001,0x0000,0x0001,0x0006,0x6f72,0x6465,0x7273,0xffff,0xffff",
    *(path.read_text(encoding="ascii") for path in sorted(REPORTS.glob("*.hex"))),
    *(path.read_text(encoding="ascii") for path in CAPTURES if path.suffix == ".hex"),
]
MESSAGES = [bytes.fromhex("".join(text.split())) for text in HEX if "x" not in text]
ERRORS = [
    "REBALANCE_IN_PROGRESS",
    "UNKNOWN_MEMBER_ID (25)",
    "25",
    "error code 22",
    "KP040",
    "org.apache.kafka.common.errors.InconsistentGroupProtocolException: The group member's",
    "org.apache.kafka.clients.consumer.CommitFailedException: Commit cannot be completed",
    "org.apache.kafka.common.protocol.types.SchemaException: Buffer underflow while parsing",
    "JoinGroup failed: Broker: Inconsistent group protocol",
    "kafka server: The provided member is not known in the current generation",
    "[27] Rebalance In Progress: the coordinator has begun rebalancing the group",
    "Attempt to heartbeat failed since group is rebalancing",
    """Exception in thread "main" org.apache.kafka.common.errors.FencedInstanceIdException: no
    \tat com.example.Shop.poll(Shop.java:12)
    \tat com.example.Shop.main(Shop.java:7)
    """,
]
LITERALS = ("go", "java", "node", "json")
DUMPS = ("xxd", "od", "hexdump", "tcpdump", "tshark", "socat", "follow", "gdb")


def named(folder: Path, *patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in folder.glob(pattern))


def printed(*tools: str) -> list[Path]:
    """What tools printed of one message, of which nothing is missing and no byte out of order."""
    unlike = {"xxd-e", "node-uint8array-cut"}
    paths = [path for path in GOLDEN if path.stem not in unlike]
    return [path for path in paths if re.split("[-.]", path.name)[0] in tools]


def pairs() -> Iterator[str]:
    """Lines of a log, with two messages."""
    for left, right in pairwise(MESSAGES):
        yield (
            f"2026-11-26 00:08:14,970 DEBUG sent metadata={left.hex()} of m1\n"
            f"2026-11-26 00:08:15,970 DEBUG sent metadata={base64.b64encode(right).decode()} of m2"
        )


class Kind(NamedTuple):
    """Inputs of a kind: texts are pasted, and files, too, if `is_pasted`. One of the headings
    stands above the answer."""

    inputs: list[Any]
    headings: tuple[str, ...]
    is_pasted: bool = False


MESSAGE, STORY, GROUP, MEANING = "The message", "What happened", "The group", "What it means"
KINDS = {
    "hex": Kind(HEX, (MESSAGE,)),
    "base64": Kind([base64.b64encode(data).decode() for data in MESSAGES], (MESSAGE,)),
    "literals": Kind(printed(*LITERALS), (MESSAGE,), is_pasted=True),
    "dumps": Kind(printed(*DUMPS), (MESSAGE, STORY, "messages"), is_pasted=True),
    "logs": Kind(
        [path for path in LOGS if ".pcap" not in path.name and "truth" not in path.name][::9],
        (STORY, MEANING),
        is_pasted=True,
    ),
    "captures": Kind(
        [
            *named(REPORTS, "incons.pcap", "bigsync.pcap.gz"),
            *(path for path in (*CAPTURES, *GOLDEN) if ".pcap" in path.name),
            *[path for path in LOGS if ".pcap" in path.name][::9],
        ],
        (STORY,),
    ),
    "segments": Kind(SEGMENTS, (STORY,)),
    "saved groups": Kind(
        [
            *named(REPORTS, "*.save", "preparing.jsonl"),
            *named(RUNNING, "*.jsonl"),
            ROOT / "tests/vectors/captures/running-group.jsonl",
        ],
        (GROUP, "groups"),
    ),
    "groups that tools print": Kind(
        [*(path for path in OUTPUTS if "kcat" not in path.name), *named(REPORTS, "cg*.txt")],
        (GROUP, "groups"),
        is_pasted=True,
    ),
    "console-consumer": Kind(
        named(REPORTS, "cc*", "fmt_*", "dl_*", "dump_*", "k21117.jsonl", "kjs1679.jsonl"),
        (STORY, "messages", MESSAGE),
        is_pasted=True,
    ),
    "several messages": Kind([*pairs()], ("messages",)),
    "errors": Kind(ERRORS, (MEANING,)),
}
REFUSED = {
    "no bytes": (b"nothing of that kind", "name the form with --format"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(200), "they begin like a PNG picture"),
    "an archive": (b"PK\x03\x04\x14\0" + bytes(200), "like a zip archive: unpack it"),
    "a table": (None, "print a value as hex to decode"),
    "a text that was damaged": (
        "0001 \ufffd\ufffd\ufffd\ufffd".encode() + b"\0\1\0\0\xef\xbf\xbd" * 3,
        "print them as hex where they come from",
    ),
    "xxd -e": ((ROOT / "tests/capture/golden/xxd-e.txt").read_bytes(), "xxd"),
}


@pytest.fixture(params=["served", "as a file"])
def door(request: pytest.FixtureRequest, loaded: Browser, as_file: Browser) -> Browser:
    """The page, in both of its forms, with nothing pasted."""
    is_served = request.param == "served"
    page = loaded if is_served else as_file
    if not is_served and not page.run("globalThis.kproto !== undefined"):
        page.open(f"file://{SITE}/kproto.html")
        page.wait("document.documentElement?.dataset.ready", 180)
    ask(page, "location.hash = '#view=read'; kproto.takeText('')")
    return page


def drop(page: Browser, name: str, data: bytes) -> None:
    content = f"Uint8Array.from(atob('{base64.b64encode(data).decode()}'), (c) => c.charCodeAt(0))"
    ask(page, f"kproto.take([new File([{content}], {json.dumps(name)})])")


def compare_runs(page: Browser, paste: bytes | None) -> None:
    """Run each command line of the answer here, and compare."""
    fields = "[words, answer.isCut, answer.status, answer.output, answer.messages, answer.page]"
    runs = page.run(f"kproto.runs().map(({{words, answer}}) => {fields})")
    assert runs
    for words, is_cut, status, output, messages, html in runs:
        line = [word.replace("/page.html", "page.html") for word in words]
        answer = status, output, messages.replace("/page.html", "page.html")
        expected = command(line, paste)
        if is_cut:  # after a whole line, as the page says
            assert output.endswith("}\n") and expected[1].startswith(output)
            assert len(output) > 15 << 20
        else:
            assert answer == expected
        if html:
            assert html == Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_at_the_first_try(
    door: Browser, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(kind.inputs) >= 10
    for entry in kind.inputs:
        data = entry.encode() if isinstance(entry, str) else entry.read_bytes()
        if isinstance(entry, str) or kind.is_pasted:
            text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
            Path("groups.txt").write_text(text, encoding="utf-8")
            ask(door, f"kproto.takeText({json.dumps(text)})")
            compare_runs(door, text.encode())
        else:
            Path(entry.name).write_bytes(data)
            drop(door, entry.name, data)
            compare_runs(door, None)
        heading = door.run("document.querySelector('#output h2')?.textContent ?? ''")
        assert heading.startswith(kind.headings) or heading.endswith(kind.headings), entry


@pytest.mark.parametrize(("data", "advice"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_what_to_do(
    door: Browser, data: bytes | None, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first sentence of the answer, once."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "dropped"
    if data is None:
        pq.write_table(pa.table({"value": MESSAGES}), path)
    else:
        path.write_bytes(data)
    drop(door, path.name, path.read_bytes())
    compare_runs(door, None)
    sentences = door.run(
        "[...document.querySelectorAll('#output .messages li')].map((line) => line.innerText)"
    )
    assert len(sentences) == 1
    assert advice in sentences[0]
