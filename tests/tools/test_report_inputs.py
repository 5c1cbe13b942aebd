"""Inputs from public reports: each gets the answer that `tests/vectors/reports/README.md` says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from kproto.tools.input.capture_files import find_capture

from .conftest import Run
from .test_one_entrance import either_status, names_of, read_by_library

REPORTS = Path(__file__).parents[1] / "vectors" / "reports"
SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
JOIN = ["RequestHeader", "JoinGroupRequest"]
GROUP = ["GroupMetadataKey", "GroupMetadataValue"]
COMMIT = ["OffsetCommitKey", "OffsetCommitValue"]
TABLES = ("form_netty.txt", "py_hexdump.txt", "form_gdb_x.txt")
JOINED = ["ResponseHeader", "JoinGroupResponse"]


class Row(NamedTuple):
    """What is read in a file: the `names` of messages, in their order; the codes of deviations in
    them; what the command `says` on either stream, and what it does not say; its status."""

    file: str
    names: Sequence[str | None]
    codes: set[str] = set()  # noqa: RUF012  # it is not changed
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    status: int = 0


ROWS = [
    Row("join_v1.hex", JOIN, says=("request", "refuse JoinGroup 0 and 1")),
    Row("jgresp.frame", JOINED, says=("response", "JoinGroup 5"), never=("LeaveGroup",)),
    Row("java.log", [SUBSCRIPTION] * 4 + [ASSIGNMENT] * 2),
    Row("td.txt", ["RequestHeader", "HeartbeatRequest"], status=1),
    Row("ts_x.txt", [*JOIN, *JOINED]),
    Row("ts_yaml.txt", [*JOIN, *JOINED]),
    Row("y.txt", JOIN),
    Row("kp_cut.log", [SUBSCRIPTION] * 2, says=("kafka-python 2", "tcpdump -s 0"), status=1),
    Row("kjsfilt.log", [], says=("KAFKAJS_DEBUG_PROTOCOL_BUFFERS=1",), status=1),
    Row(
        "braedon.log",
        [None],
        says=("transaction marker (COMMIT)",),
        never=("may be a part of a message", "like bytes"),
    ),
    Row("sparkcut.txt", [], says=("show(truncate=False)",), status=1),
    Row(
        "kvt.txt", ["OffsetCommitKey", "OffsetCommitValue", "OffsetCommitKey"], says=("tombstone",)
    ),
    Row("ccbytes.txt", [*GROUP, *COMMIT, "OffsetCommitKey"], says=("tombstone",)),
    Row("ws_c3.txt", [SUBSCRIPTION]),
    *(Row(file, [SUBSCRIPTION]) for file in TABLES),
    Row("form_catv.txt", [SUBSCRIPTION], says=("cat -v",)),
    Row("form_utf8damaged.txt", [None], says=("read as text", "4 bytes"), status=1),
    Row("smart_py.txt", [SUBSCRIPTION]),
    Row("d1.txt", [], says=("no bytes",), status=1),
    Row("stg.hex", ["GroupMetadataValue"], says=("v12", "KIP-268"), never=("Sarama", "kafka-go")),
    Row("st_12.hex", [SUBSCRIPTION], says=("kafka-streams", "v12"), never=("KP073", "Sarama")),
    Row(
        "conn3.hex",
        ["ConnectProtocolMetadata"],
        {"KP020", "KP021"},
        says=("Connect workers",),
        never=("Sarama",),
    ),
    Row("pl284.hex", [ASSIGNMENT], says=("@platformatic/kafka",), never=("429",), status=1),
    Row("z617.hex", [ASSIGNMENT], {"KP080"}, says=("zilla", "kafka_ex"), never=("by kafka-",)),
    Row("ov_streams1.hex", ["OffsetCommitValue"], says=("partition time", "2024-05-03T08:02:33")),
    Row("ov_pc.hex", ["OffsetCommitValue"], says=("Parallel Consumer", "+0 to +11")),
    Row("rp2.hex", ["GroupMetadataValue"], {"KP061"}, says=("Redpanda",), never=("KP080",)),
    Row("rp.jsonl", GROUP, {"KP061"}, says=("Redpanda",), never=("not all of it decodes",)),
    Row("cc_new.jsonl", [*GROUP, *COMMIT, "OffsetCommitKey"], says=("tombstone",)),
    Row("fmt_json.txt", GROUP),
    Row("cc_old.txt", [*COMMIT, *COMMIT, "GroupMetadataKey"], says=("no bytes of members",)),
    Row("fmt_offsets.txt", [*COMMIT, *COMMIT]),
    Row("fmt_group.txt", ["GroupMetadataKey"], says=("no bytes of members",)),
    Row("dl_new.txt", [*GROUP, *COMMIT, "OffsetCommitKey"], says=("tombstone",)),
    Row("dump_new.txt", [*GROUP, *COMMIT]),
    Row(
        "dl_old.txt",
        ["GroupMetadataKey", "OffsetCommitKey", "OffsetCommitKey"],
        says=("no bytes of members", "offset=42", "tombstone"),
    ),
    Row("dump_old.txt", ["GroupMetadataKey", "OffsetCommitKey"], says=("offset=54",)),
]


def test_records_that_a_formatter_prints_on_one_line(kproto: Run, tmp_path: Path) -> None:
    """The formatters of Kafka 4.3 end no line, as `make printers` has found."""
    pytest.importorskip("pyarrow")
    for name in ("groups.jsonl", "groups.txt"):
        path = tmp_path / name
        path.write_bytes((REPORTS / "cc_new.jsonl").read_bytes().replace(b"\n", b""))
        shown = lines(kproto("decode", "--json", path).stdout)
        assert [part for line in shown for part in names_of(line)] == [*GROUP, *COMMIT, COMMIT[0]]
        done = kproto("audit", path, "--out", tmp_path / f"{name}-out", "--json")
        assert json.loads(done.stdout)["records"]["read"] == 3
        judged = lines(kproto("migrate", "--json", path).stdout)
        assert [line["group"] for line in judged] == ["billing"]


def lines(stdout: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in stdout.splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row.file for row in ROWS])
def test_a_report_is_read(row: Row, kproto: Run) -> None:
    path = REPORTS / row.file
    done = kproto("decode", "--json", path, status=row.status)
    made = lines(done.stdout)
    assert [name for line in made for name in names_of(line)] == row.names
    shown = kproto("decode", path, status=row.status).stdout + done.stderr
    text = " ".join(shown.decode().split())
    assert all(words in text for words in row.says), text
    assert not any(words in text for words in row.never), text
    linted = lines(either_status(kproto, "lint", "--json", path).encode())
    assert {line["name"] for line in linted if not line["path"]} <= set(row.names)
    if find_capture(str(path), "file", None, 1 << 20) is None:  # captures are not compared
        compared = lines(either_status(kproto, "diff", "--json", path, path).encode())
        sides = [tuple(line[side]["name"] for side in "ab") for line in compared]  # type: ignore[index]
        assert sides == [(name, name) for name in row.names]
        assert read_by_library(path) in (None, row.names)
    codes = {finding["code"] for line in linted for finding in line["findings"]}  # type: ignore[attr-defined]
    assert row.status or codes == row.codes


@pytest.mark.parametrize(
    ("file", "read"),
    [("cc_new.jsonl", 3), ("cc_old.txt", 2), ("dl_new.txt", 3), ("dl_old.txt", 1), ("kvt.txt", 2)],
)
def test_an_audit_takes_records_that_a_tool_has_printed(
    file: str, read: int, kproto: Run, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    lacks_members = file in ("cc_old.txt", "dl_old.txt")  # the tool prints no bytes of members
    done = kproto(
        "audit", REPORTS / file, "--out", tmp_path / "out", "--json", status=3 * lacks_members
    )
    records = json.loads(done.stdout)["records"]
    assert (records["read"], records["written"]) == (read, read)


@pytest.mark.parametrize(
    ("file", "verdict"),
    [("cc_new.jsonl", "ready"), ("dump_new.txt", "ready"), ("ccbytes.txt", "ready"),
     ("fmt_group.txt", "unknown"), ("dl_old.txt", "unknown")],
)  # fmt: skip
def test_a_migration_is_judged_by_records_that_a_tool_has_printed(
    file: str, verdict: str, kproto: Run
) -> None:
    done = kproto("migrate", "--json", REPORTS / file, status=3 * (verdict != "ready"))
    assert [line["verdict"] for line in lines(done.stdout)] == [verdict]
    assert (b"no bytes of members" in done.stderr) == (verdict != "ready")
