"""A whole audit: of what real clients left in a real topic, of damaged bytes, and its promises."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from aiokafka.record.memory_records import MemoryRecords

from kproto.codec import KprotoError
from kproto.pipeline.audit.changes import Changes, Word
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.report.exports import as_json, as_openmetrics, as_sarif
from kproto.pipeline.report.page import page_of
from kproto.pipeline.report.unread import unread_sentences
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import Destination, NotEmpty
from kproto.tools.main import main

HERE = Path(__file__).parent
METRICS = HERE.parents[1] / "docs" / "reference" / "audit.md"
CAPTURES = HERE.parent / "vectors" / "captures"
SOURCE = CAPTURES / "offsets-topic"
COPY = Path("__consumer_offsets-0") / "00000000000000000000.log"

Rows = Callable[[str], list[dict[str, Any]]]


def audit(source: Path, out: Path, options: Options | None = None) -> Audit:
    destination = Destination.new(str(out), replace=False)
    return run_audit(units_of(str(source)), destination, options or Options(cluster_id="c"))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Audit, Path]:
    out = tmp_path_factory.mktemp("audit")
    return audit(SOURCE, out), out


@pytest.fixture(scope="module")
def rows(done: tuple[Audit, Path]) -> Rows:
    return lambda table: pq.read_table(done[1] / table).to_pylist()


@pytest.fixture(scope="module")
def topic() -> dict[str, list[bytes]]:
    """The values of all classic groups' records, by group: read by aiokafka and cut by hand."""
    found = defaultdict(list)
    for segment in sorted(SOURCE.rglob("*.log")):
        batches = MemoryRecords(segment.read_bytes())
        while (batch := batches.next_batch()) is not None:
            for record in batch:
                if record.key[:2] == b"\x00\x02" and record.value is not None:
                    found[record.key[4:].decode()].append(record.value)
    return found


def test_every_group_and_member_of_the_topic_is_there(
    rows: Rows, topic: dict[str, list[bytes]]
) -> None:
    known = json.loads((CAPTURES / "groups.json").read_text())
    seen: dict[str, set[str]] = defaultdict(set)
    protocols: dict[str, set[str]] = defaultdict(set)
    for row in rows("members"):
        seen[row["group_id"]].add(row["client_id"])
        protocols[row["group_id"]].add(row["protocol"])
    assert topic.keys() <= {row["group_id"] for row in rows("current")}
    for group, members in known.items():
        values = b"".join(topic.get(group, []))
        here = {one["client_id"] for one in members if _as_string(one["client_id"]) in values}
        assert here <= seen[group]
        assert all(name.encode() in values for name in protocols[group] if name and values)


def test_what_is_not_visible_is_listed(rows: Rows) -> None:
    """Members of groups.json whose client id is in no record, and assignors that were not selected;
    those that were are assignors of the group's members."""
    clients: dict[str, set[str]] = defaultdict(set)
    protocols: dict[str, set[str]] = defaultdict(set)
    for row in rows("members"):
        clients[row["group_id"]].add(row["client_id"])
        protocols[row["group_id"]] |= {row["protocol"]} - {None}
    hidden = []
    for group, members in sorted(json.loads((CAPTURES / "groups.json").read_text()).items()):
        hidden += [
            f"{group}: member {one['client_id']}"
            for one in members
            if one["client_id"] not in clients[group]
        ]
        lists = {name for one in members for name in one["assignors"] or ()}
        hidden += [f"{group}: assignor {name}" for name in sorted(lists - protocols[group])]
        if lists and group != "connect-eager":  # whose protocol has a name of its own
            assert protocols[group] <= lists
    assert hidden == (HERE / "not-visible.txt").read_text("utf-8").splitlines()


def test_a_generation_is_one_row(rows: Rows) -> None:
    """Also where static members were replaced within it, as in java.static."""
    seen = [(row["group_id"], row["incarnation"], row["generation"]) for row in rows("groups")]
    assert len(seen) == len(set(seen))
    assert None not in {incarnation for _, incarnation, _ in seen}
    again = [row for row in rows("rebalances") if row["cause"] == "static-member-came-back"]
    assert {row["group_id"] for row in again} == {"java.static"}


def test_a_finding_says_what_history_it_saw(
    done: tuple[Audit, Path], topic: dict[str, list[bytes]]
) -> None:
    found = [row for row in done[0].findings.to_pylist() if row["rule"] == "unreadable-member"]
    assert found
    for row in found:
        records = json.loads(row["evidence"])["history"]["records"]
        assert records == len(topic[row["group_id"]])


def _as_string(text: str) -> bytes:
    """As it stands in such a value: a length of 16 bits, and the text."""
    return len(text).to_bytes(2, "big") + text.encode()


def test_the_healthy_groups_are_quiet(done: tuple[Audit, Path]) -> None:
    loud = {row["group_id"] for row in done[0].findings.to_pylist() if row["severity"] != "info"}
    healthy = set((HERE / "healthy-groups.txt").read_text("utf-8").split("\n")) - {""}
    every = set(done[0].current.column("group_id").to_pylist())
    assert healthy <= every
    assert not healthy & loud
    assert every - healthy == loud  # and the list leaves out no more than what is in trouble


def test_what_cannot_be_read_says_who_fails(done: tuple[Audit, Path]) -> None:
    """As it was on the broker: librdkafka leaves the member out, kafka-python and Java fail, and
    aiokafka, franz-go and Sarama cope."""
    found = {
        row["group_id"]: row
        for row in done[0].findings.to_pylist()
        if row["rule"] == "unreadable-member"
    }
    assert found["leader-ck+kafkago"]["severity"] == "error"
    assert "librdkafka" in found["leader-ck+kafkago"]["explanation"]
    assert "kafka-python" in found["mixed.all.roundrobin"]["explanation"]
    for leader in ("aio", "franz", "sarama"):
        assert found[f"leader-{leader}+kafkago"]["severity"] == "info"


def test_every_record_is_somewhere(done: tuple[Audit, Path], rows: Rows) -> None:
    counts = done[0].counts
    kept = [row for row in rows("quarantine") if row["level"] == "record"]
    assert counts.read == len(rows("records")) + len(kept) == 768
    assert not counts.damages


def test_the_balance_is_checked() -> None:
    with pytest.raises(KprotoError, match="no balance"):
        Counts(read=3, written=1, quarantined=1).check()


def test_tables_are_what_they_say(done: tuple[Audit, Path]) -> None:
    manifest = json.loads((done[1] / "manifest.json").read_text())
    assert manifest["tables"].keys() == TABLES.keys()
    for table, schema in TABLES.items():
        files = sorted(path.relative_to(done[1]).as_posix() for path in (done[1] / table).iterdir())
        assert files == sorted(one["file"] for one in manifest["tables"][table])
        assert files
        for one in manifest["tables"][table]:
            file = pq.ParquetFile(done[1] / one["file"])
            found = file.schema_arrow
            assert found.equals(schema)
            assert found.metadata == schema.metadata
            assert [each.metadata for each in found] == [each.metadata for each in schema]
            assert file.metadata.num_rows == one["rows"]
    assert not list(done[1].glob(".staging*"))


def test_rebalances_of_an_upgrade(rows: Rows) -> None:
    """Two librdkafka members under cooperative-sticky: what the second one gets is given back in
    one rebalance, and assigned in the next."""
    mine = [row for row in rows("rebalances") if row["group_id"] == "ck-2.0.2.coop"]
    assert [row["cause"] for row in mine][:3] == [
        "member-joined",
        "member-joined",
        "cooperative-second-round",
    ]
    handovers = {move["handover"] for row in mine[2:3] for move in row["moves"]}
    assert handovers == {"revoked"}
    assert all(row["sync_ms"] is not None and row["sync_ms"] >= 0 for row in mine)


def test_it_is_the_same_again(done: tuple[Audit, Path], tmp_path: Path) -> None:
    again = audit(SOURCE, tmp_path / "again")
    assert again.findings.equals(done[0].findings)
    assert again.current.equals(done[0].current)


def test_one_group_alone(tmp_path: Path) -> None:
    chosen = audit(SOURCE, tmp_path / "out", Options(cluster_id="c", groups=("leader-*",)))
    names = chosen.current.column("group_id").to_pylist()
    assert names
    assert all(name.startswith("leader-") for name in names)
    assert chosen.counts.not_wanted + chosen.counts.written == chosen.counts.read == 768


def test_a_second_run_is_refused_and_replaces_as_a_whole(tmp_path: Path) -> None:
    audit(SOURCE, tmp_path)
    with pytest.raises(NotEmpty, match="--replace"):
        Destination.new(str(tmp_path), replace=False)
    destination = Destination.new(str(tmp_path), replace=True)
    options = Options(cluster_id="c", groups=("ck.range",))
    assert run_audit(units_of(str(SOURCE)), destination, options).current.num_rows == 1
    assert pq.read_table(tmp_path / "current").num_rows == 1


def test_what_fails_publishes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr("kproto.pipeline.groups.group_audit.GroupAudit.judged", broken)
    with pytest.raises(OSError, match="the disk"):
        audit(SOURCE, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_noticed_though_a_thread_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", broken)
    with pytest.raises(OSError, match="no space left"):
        audit(SOURCE, tmp_path)
    assert not list(tmp_path.iterdir())


def _damaged(tmp_path: Path, change: Callable[[bytearray], object]) -> Path:
    data = bytearray((SOURCE / COPY).read_bytes())
    change(data)
    path = tmp_path / "topic" / COPY
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return tmp_path / "topic"


def test_a_torn_segment_is_audited_up_to_there(tmp_path: Path) -> None:
    def tear(data: bytearray) -> None:
        del data[-7:]

    found = audit(_damaged(tmp_path, tear), tmp_path / "out")
    assert 300 < found.counts.read < 327
    assert found.counts.damages == 1
    (sentence,) = unread_sentences(found, 3)
    assert sentence.startswith("1 segment ends inside a batch: a broker still writes to it")


def test_a_batch_whose_checksum_is_wrong_is_kept_in_quarantine(tmp_path: Path) -> None:
    def flip(data: bytearray) -> None:
        data[200] ^= 1

    found = audit(_damaged(tmp_path, flip), tmp_path / "out")
    kept = pq.read_table(tmp_path / "out" / "quarantine").to_pylist()
    (batch,) = [row for row in kept if row["level"] == "batch"]
    assert batch["data"]
    assert found.counts.read < 327
    (sentence,) = unread_sentences(found, 3)
    place = f"not read: {batch['source']}, partition 0, position {batch['position']}: "
    assert sentence == place + batch["reason"]
    page = page_of(str(tmp_path / "out"), found, {})
    assert batch["reason"] in page.partition("What could not be read")[2]


def test_what_could_not_be_read_for_one_reason_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "topic").mkdir()
    lines = [f'{{"key": "00", "offset": {offset}}}' for offset in range(40)]
    good = (SOURCE.parents[1] / "reports" / "expire.jsonl").read_text("utf-8")
    (tmp_path / "topic" / "records.jsonl").write_text("\n".join([*lines, good]), "utf-8")
    found = audit(tmp_path / "topic", tmp_path / "out")
    (sentence,) = unread_sentences(found, 3)
    assert sentence.endswith(
        ", offset 0, position 1, and 39 more like it: no record type in the key"
    )
    assert list(unread_sentences(found, 0)) == [
        "40 more could not be read: they are in the table quarantine"
    ]


def test_counts_and_ends_give_more_rules_and_the_lag(tmp_path: Path) -> None:
    topics = {"orders": TopicFacts(partitions=12, ends=dict.fromkeys(range(12), 1_000_000))}
    found = audit(SOURCE, tmp_path, Options(cluster_id="c", topics=topics))
    assert "unassigned-partition" not in found.not_evaluated
    lags = [row["lag"] for row in found.current.to_pylist() if row["commits"]]
    assert any(lag is not None and lag > 900_000 for lag in lags)
    assert pq.read_table(tmp_path / "topics").num_rows == 12


# -- what is made of it


def test_json_has_all_findings(done: tuple[Audit, Path]) -> None:
    said = json.loads(as_json(done[0], {"leader-ck+kafkago": "payments"}))
    assert len(said["findings"]) == done[0].findings.num_rows
    worst = next(one for one in said["findings"] if one["group"] is not None)
    assert (worst["team"], worst["severity"]) == ("payments", "error")
    assert worst["evidence"]["sourceOffset"] >= 0


def test_sarif_points_at_rules(done: tuple[Audit, Path]) -> None:
    (run,) = json.loads(as_sarif(done[0]))["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"note", "warning", "error"}
        (place,) = result["locations"]  # a code host refuses a log with a result that has no file
        assert place["physicalLocation"]["artifactLocation"]["uri"]
    places = [result["locations"][0] for result in run["results"]]
    (fleet,) = [place for place in places if place["logicalLocations"][0]["name"] == "(fleet)"]
    assert fleet["physicalLocation"]["artifactLocation"]["uri"] == "c/%28fleet%29"
    records = [place for result in run["results"] for place in result.get("relatedLocations", ())]
    assert all("uri" in place["physicalLocation"]["artifactLocation"] for place in records)
    assert records


def test_an_alert_is_the_same_wherever_its_record_is(
    done: tuple[Audit, Path], tmp_path: Path
) -> None:
    """A segment rolls over every night. GitHub knows an alert again by its rule, the path of its
    file and `primaryLocationLineHash`."""
    folder = tmp_path / "rolled"
    for number, segment in enumerate(sorted(SOURCE.rglob("*.log"))):
        (folder / segment.parent.name).mkdir(parents=True)
        shutil.copy(segment, folder / segment.parent.name / f"{number:020}.log")
    moved = audit(folder, tmp_path / "out")

    def alerts(audited: Audit) -> set[tuple[str, str, str]]:
        results = json.loads(as_sarif(audited))["runs"][0]["results"]
        return {
            (
                result["ruleId"],
                result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                result["partialFingerprints"]["primaryLocationLineHash"],
            )
            for result in results
        }

    assert len(alerts(done[0])) == done[0].findings.num_rows
    assert alerts(moved) == alerts(done[0])


def test_the_page_names_each_metric_and_its_labels(tmp_path: Path) -> None:
    topics = {"orders": TopicFacts(partitions=12, ends=dict.fromkeys(range(12), 99))}
    found = audit(SOURCE, tmp_path, Options(cluster_id="c", topics=topics))
    lags = pq.read_table(tmp_path / "lag")
    words: dict[str, Word] = dict.fromkeys(found.findings.column("finding_id").to_pylist(), "new")
    found = found._replace(changes=Changes(words, ()))
    teams = {row["group_id"]: "team" for row in found.current.to_pylist()}
    rows = re.findall(r"^\| (`kproto_.*?) \| (.*?) \|", METRICS.read_text("utf-8"), re.MULTILINE)
    documented = {
        name: {"cluster", *re.findall(r"`(\w+)`", labels)}
        for names, labels in rows for name in re.findall(r"`(\w+)`", names)
    }  # fmt: skip
    written: dict[str, set[str]] = {}
    for line in as_openmetrics(found, teams, lags, changes_by_group=True).splitlines():
        if not line.startswith("#"):
            labels = re.findall(r'[{,](\w+)="', line)
            written.setdefault(line.partition("{")[0], set()).update(labels)
    assert written == documented


def test_the_lag_of_partitions_is_told_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = '{"orders": {"partitions": 12, "ends": {"0": 999}}}'
    (tmp_path / "topics.json").write_text(topics)
    words = ["audit", str(SOURCE), "--topics", f"@{tmp_path / 'topics.json'}", "--replace"]
    for options, count in (([], 0), (["--partition-lag"], 1)):
        out = tmp_path / "out"
        assert main([*words, "--out", str(out), *options]) == 1
        lines = (out / "metrics.txt").read_text().splitlines()
        lags = [line for line in lines if line.startswith("kproto_partition_lag{")]
        assert bool(lags) == bool(count)
        assert all('topic="orders",partition="0",cluster="' in line for line in lags)
        rows = pq.read_table(out / "lag").to_pylist()
        values = [row["lag"] for row in rows if row["lag"] is not None]
        assert len(lags) == len(values) * count
    capsys.readouterr()


def test_openmetrics(done: tuple[Audit, Path]) -> None:
    lines = as_openmetrics(done[0], {"leader-ck+kafkago": 'a "b"\n'}).splitlines()
    assert lines[-1] == "# EOF"
    assert (
        'kproto_group_score{group="leader-ck+kafkago",team="a \\"b\\"\\n",cluster="c"} 25.25'
        in lines
    )
    assert len({line for line in lines if line.startswith("# TYPE")}) == 10
    times = {
        line.partition("{")[0]: float(line.split()[-1])
        for line in lines
        if "timestamp" in line and 'cluster="c"' in line
    }
    newest = times["kproto_newest_record_timestamp_seconds"]
    assert newest < times["kproto_audit_timestamp_seconds"] <= time.time()
    assert all('cluster="' in line for line in lines if not line.startswith("#"))


def test_the_report_shows_and_obeys_nothing(done: tuple[Audit, Path]) -> None:
    """A group's name is data, in whatever it comes."""
    hostile = "<script>x</script>\u202e\x1b[31m"

    rows = done[0].current.to_pylist()
    rows[0]["group_id"] = rows[0]["protocol"] = hostile
    page = page_of(str(done[1]), done[0]._replace(current=pa.Table.from_pylist(rows)), {})
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not {"\u202e", "\x1b"} & set(page)
    assert "http://" not in page
    assert "https://" not in page


def test_the_report_has_a_picture_and_the_next_action(done: tuple[Audit, Path]) -> None:
    page = page_of(str(done[1]), done[0], {})
    assert page.count("<svg") > 40
    assert "Update the client that wrote it" in page
    assert "truncated" in page
