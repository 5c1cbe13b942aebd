"""Logs as a source of an audit, beside records or alone."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kproto.codec import GroupMetadataKey
from kproto.pipeline.audit.rules import RULES
from kproto.pipeline.groups.options import Options
from kproto.pipeline.run.hadoop import HadoopUnit
from kproto.tools.audit import _with_logs as with_logs
from kproto.tools.input.log_sources import read_logs
from kproto.tools.main import main
from tests.capture.logs.recorded import logs
from tests.inspector.samples import VECTORS
from tests.pipeline.audit_groups import member, record
from tests.pipeline.kafka_log import Entry, Logged, write_segments
from tests.pipeline.test_group_diagnosis import value_of

TOPIC = str(VECTORS / "captures" / "offsets-topic")


def written(scenario: str, folder: Path) -> list[str]:
    """The logs of a scenario as files."""
    paths = []
    for name, text in logs(scenario).items():
        paths.append(folder / name)
        paths[-1].write_text(text)
    return [str(path) for path in paths]


def audit(sources: list[str], folder: Path) -> Any:
    assert main(["audit", *sources, "--out", str(folder / "out"), "--fail-on", "never"]) == 0
    return json.loads((folder / "out" / "findings.json").read_text())


def test_causes_that_logs_alone_tell_are_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = audit(written("slow-poll", tmp_path), tmp_path)
    of_logs = {
        finding["cause"]: finding
        for finding in found["findings"] if finding["code"] == "told-by-logs"
    }  # fmt: skip
    assert of_logs.keys() == {"poll-timeout-exceeded", "commit-failed", "sync-not-sent"}
    slow = of_logs["poll-timeout-exceeded"]
    assert (slow["group"], slow["certainty"], slow["basis"]) == (
        "orders-slow", "certain", "observed",
    )  # fmt: skip
    assert slow["evidence"]["lines"]
    assert "client-setting" in {finding["code"] for finding in found["findings"]}
    lacks = found["notEvaluated"]
    assert lacks["rebalance-storm"] == ["history"]
    assert not {"told-by-logs", "client-setting"} & lacks.keys()
    assert {rule for rule in RULES if "history" in RULES[rule].inputs} <= lacks.keys()
    printed = " ".join(capsys.readouterr().out.split())
    assert "there is no record" not in printed and "needs the groups' records (audit the" in printed


def test_what_a_line_does_not_prove_is_inferred_with_rivals(tmp_path: Path) -> None:
    """Of a folder of logs."""
    folder = tmp_path / "logs"
    folder.mkdir()
    written("crash", folder)
    found = audit([str(folder)], tmp_path)
    (died,) = [finding for finding in found["findings"] if finding["cause"] == "process-died"]
    assert (died["certainty"], died["basis"]) == ("likely", "inferred")
    assert "network-cut" in died["evidence"]["rivals"]


def test_a_group_that_starts_and_ends_in_order_has_no_finding(tmp_path: Path) -> None:
    found = audit(written("normal-start", tmp_path), tmp_path)
    assert found["findings"] == [] and found["groups"] == 1


def test_logs_beside_records(tmp_path: Path) -> None:
    alone = audit([TOPIC], tmp_path)
    assert main([
        "audit", TOPIC, *written("crash", tmp_path), "--out", str(tmp_path / "both"),
        "--fail-on", "never",
    ]) == 0  # fmt: skip
    both = json.loads((tmp_path / "both" / "findings.json").read_text())
    new = [finding for finding in both["findings"] if finding["group"] == "orders-crash"]
    assert {"told-by-logs"} <= {finding["code"] for finding in new}
    rest = {finding["id"] for finding in both["findings"] if finding not in new}
    assert rest == {finding["id"] for finding in alone["findings"]}
    lacks = {rule: names for rule, names in alone["notEvaluated"].items() if names != ["settings"]}
    assert both["notEvaluated"] == lacks


def test_a_log_is_read_up_to_where_it_cannot_be_unpacked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log,) = (
        path for path in written("slow-poll", tmp_path) if "broker" in Path(path).name
    )  # fmt: skip
    packed = tmp_path / "broker.log.gz"
    packed.write_bytes(gzip.compress(Path(log).read_bytes() + bytes(8 << 20)))  # a bomb behind it
    out = tmp_path / "out"
    assert main(["audit", str(packed), "--out", str(out), "--fail-on", "never"]) == 3
    said = capsys.readouterr()
    reason = f"not read to its end: {packed}: the gzip stream unpacks to more than 100 times"
    assert reason in said.err and reason in " ".join(said.out.split())
    assert reason in (out / "report.html").read_text()
    assert json.loads((out / "findings.json").read_text())["groups"] == 1


def test_records_that_unpack_to_too_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = b'{"key":"00010001670001740000000000","value":null,"partition":0,"offset":1,"x":"%s"}\n'
    packed = tmp_path / "records.jsonl.gz"
    packed.write_bytes(gzip.compress(line % (b"0" * 4_000) * 1_500))
    out = str(tmp_path / "out")
    assert main(["audit", str(packed), "--out", out, "--fail-on", "never"]) == 3
    assert "1 could not be read" in capsys.readouterr().out


def test_a_group_that_no_log_tells_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = written("crash", tmp_path)
    out = str(tmp_path / "out")
    assert main(["audit", *sources, "--group", "orders-crush", "--out", out]) != 0
    assert "did you mean 'orders-crash'" in capsys.readouterr().err


_REFUSED = (
    "[2026-11-28 10:{0:02}:{1:02},000] INFO [Consumer clientId=c, groupId=pay] Failing "
    "OffsetCommit request since the consumer is not part of an active group (x)\n"
)
_LATER = (
    "[2026-11-28 11:00:00,000] INFO [Consumer clientId=c, groupId=pay] (Re-)joining group (x)\n"
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moments=st.lists(st.integers(0, 3599), min_size=1, max_size=12, unique=True).map(sorted))
def test_a_finding_of_logs_has_the_times_of_all_its_lines(
    tmp_path: Path, moments: list[int]
) -> None:
    log = tmp_path / "app.log"
    lines = [_REFUSED.format(*divmod(at, 60)) for at in moments]
    log.write_text("".join(lines) + _LATER)
    found = audit([str(log)], Path(mkdtemp(dir=tmp_path)))
    (refused,) = [row for row in found["findings"] if row["cause"] == "commit-failed"]
    first, last = (
        "2026-11-28T10:{:02}:{:02}.000Z".format(*divmod(at, 60)) for at in (moments[0], moments[-1])
    )
    assert (refused["firstSeen"], refused["lastSeen"]) == (first, last)
    assert refused["count"] == len(moments)


# -- lines that name a client and no group

_LIMIT_S = 6
_STAYS = [(60 + number * 120, 120 + number * 120) for number in range(12)]
"""When a member comes and goes, in seconds: it stays longer than its limits."""


def _records(folder: Path, *groups: str) -> str:
    """A topic with groups in which the client slow comes and goes."""
    other, slow = (
        member(f"{client}#1", [topic], timeout=_LIMIT_S * 1000)
        for client, topic in (("other", "t-0"), ("slow", "t-1"))
    )
    steps, generation = [record(1, other, seconds=0)], 1
    for came, went in _STAYS:
        steps.append(record(generation + 1, other, slow, seconds=came))
        steps.append(record(generation + 2, other, seconds=went))
        generation += 2
    rows = [
        Entry(step.place.timestamp, GroupMetadataKey(group=group).to_bytes(), value_of(step))
        for step in steps
        for group in groups
    ]
    write_segments(folder / "topic", 0, [Logged(at, row) for at, row in enumerate(rows)], 0)
    return str(folder / "topic")


def _log_of_slow(folder: Path) -> str:
    """The log of that member, as librdkafka writes it: no line names the group."""
    began = record(1, seconds=0).place.timestamp / 1000
    log = folder / "slow.log"
    log.write_text("".join(
        f"%4|{began + came + _LIMIT_S:.3f}|MAXPOLL|slow#consumer-1| [thrd:main]: Application "
        f"maximum poll interval ({_LIMIT_S}000ms) exceeded by {97 + came % 7}ms (adjust "
        "max.poll.interval.ms for long-running message processing): leaving group\n"
        for came, _ in _STAYS
    ))  # fmt: skip
    return str(log)


def _told(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    return " ".join((captured.out + captured.err).split())


_ASKED = "the log of a member or of the broker tells which"


def test_lines_that_name_a_client_alone_are_of_the_group_that_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in the story of the same sources."""
    topic, log = _records(tmp_path, "pay"), _log_of_slow(tmp_path)
    (unknown,) = (
        row for row in audit([topic], tmp_path)["findings"] if row["code"] == "rebalance-storm"
    )
    assert unknown["cause"] == "unknown"
    assert _ASKED in _told(capsys)
    both = audit([topic, log, "--replace"], tmp_path)["findings"]
    causes = {row["code"]: (row["cause"], row["certainty"]) for row in both}
    proven = ("poll-timeout-exceeded", "certain")
    assert causes["rebalance-storm"] == causes["told-by-logs"] == proven
    assert {row["group"] for row in both if row["cause"] == proven[0]} == {"pay"}
    assert not [row for row in both if "shows a return" in row["explanation"]]
    (storm,) = (row["evidence"] for row in both if row["code"] == "rebalance-storm")
    assert storm["joins"] == [{"who": "slow/10.0.0.1", "times": len(_STAYS)}]
    told = _told(capsys)
    assert _ASKED not in told and "no line of" not in told
    main(["story", topic, log])
    assert "slow did not poll within max.poll.interval.ms (6,000 ms), 12 times" in _told(capsys)


def test_lines_of_a_client_that_several_groups_have_are_of_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topic, log = _records(tmp_path, "pay", "ship"), _log_of_slow(tmp_path)
    found = audit([topic, log], tmp_path)["findings"]
    assert not {"told-by-logs"} & {row["code"] for row in found}
    told = _told(capsys)
    why = "lines of slow that name no group are not used: the groups pay, ship have a client"
    assert _ASKED in told and why in told
    main(["story", topic, log])
    assert "slow did not poll" not in _told(capsys).split("events of members")[0]


def test_a_log_of_no_group_of_the_audit_is_said_to_be_unused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topic, log = _records(tmp_path, "pay"), _log_of_slow(tmp_path)
    other = tmp_path / "other.log"
    other.write_text(Path(log).read_text().replace("slow#", "fast#"))
    audit([topic, str(other)], tmp_path)
    told, remark = _told(capsys), f"no line of {other} is of a group of this audit"
    assert _ASKED in told and remark in told
    assert remark in (tmp_path / "out" / "report.html").read_text()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["remarks"] == [remark]
    audit([topic, str(other), "--replace", "--redact"], tmp_path)
    assert "other.log" not in _told(capsys)


def test_logs_alone_that_name_no_group_are_no_fleet_without_trouble(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, out = _log_of_slow(tmp_path), str(tmp_path / "out")
    assert main(["audit", log, "--out", out]) == 3
    told = _told(capsys)
    assert f"{log}: no line names a group and tells what happened in it. Give" in told
    assert f"kproto story {log}" in told and "there is no record" not in told
    assert not Path(out).exists()


def test_a_file_without_a_known_line_is_said_to_be_no_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its name, beside records, and in a folder of logs."""
    topic, folder, out = _records(tmp_path, "pay"), tmp_path / "logs", str(tmp_path / "out")
    folder.mkdir()
    log, events = _log_of_slow(folder), folder / "events.log"
    events.write_text('{"event": "assigned", "partitions": ["orders-3"]}\n' * 9)
    assert main(["audit", str(events), "--out", out]) == 3
    assert "a log with a line of a broker or client that is known" in _told(capsys)
    assert main(["audit", topic, log, str(events), "--out", out]) == 3
    assert f"{events}: skipped: there is no batch of records in it" in _told(capsys)
    found = audit([topic, str(folder), "--replace"], tmp_path)
    assert "told-by-logs" in {row["code"] for row in found["findings"]}
    assert f"skipped {events}: no line is of a broker or client" in _told(capsys)
    audit([topic, str(folder), "--replace", "--redact"], tmp_path)
    assert "events.log" not in _told(capsys)


def test_records_that_spark_alone_reads_do_not_tell_the_groups_of_clients(tmp_path: Path) -> None:
    """It is said, and nothing is read in this process."""
    logs, units = (
        read_logs([_log_of_slow(tmp_path)]),
        [HadoopUnit("s3a://b", ("s3a://b/0.log",), 1)],
    )
    options = with_logs(Options(), logs, units, by_spark=True)
    assert not options.logs and "Spark alone" in options.remarks[-1]
