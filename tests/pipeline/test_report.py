"""What people read of an audit, where fleets are large and names say little."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from kproto.codec import GroupMetadataKey, GroupMetadataValue, OffsetCommitKey, OffsetCommitValue
from kproto.pipeline.audit import MemberSeen
from kproto.pipeline.report import page as page_module
from kproto.pipeline.report.exports import as_openmetrics, as_sarif
from kproto.pipeline.report.names import member_names
from kproto.pipeline.report.page import page_of, texts_of
from kproto.pipeline.report.terminal import Summary
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination
from tests.pipeline.audit_groups import member, written

Record = tuple[bytes, bytes]
TRUNCATED = bytes.fromhex("0003000000010001")
"""A subscription that ends within a topic's name: a Java leader fails with it."""


def generation(group: str, number: int, *members: MemberSeen) -> Record:
    """The record of a generation."""
    value = GroupMetadataValue(
        protocol_type="consumer",
        generation=number,
        protocol="range",
        leader=members[0].member_id,
        current_state_timestamp=1_700_000_000_000 + 60_000 * number,
        members=[written(one) for one in members],
    )
    return GroupMetadataKey(group=group).to_bytes(), value.to_bytes()


def audited(folder: Path, records: Sequence[Record]) -> Audit:
    """The audit of a table of these records, published in `out` of the folder."""
    columns = {
        "key": [key for key, _ in records],
        "value": [value for _, value in records],
        "partition": [0] * len(records),
        "offset": range(len(records)),
    }
    pq.write_table(pa.table(columns), folder / "records.parquet")
    destination = Destination.new(str(folder / "out"), replace=False)
    units = units_of(str(folder / "records.parquet"))
    return run_audit(units, destination, Options(cluster_id="c"), make_texts=texts_of)


def summary(audit: Audit, teams: Mapping[str, str] = {}) -> str:
    """What the terminal shows."""
    said = StringIO()
    Console(width=120, file=said).print(Summary(audit, teams))
    return said.getvalue()


# -- who owned what


def rows(*members: str) -> list[dict[str, Any]]:
    """Rows of a record: "CLIENT@HOST#ID", or "INSTANCE=CLIENT@HOST#ID" of a static member."""
    found = []
    for one in members:
        named, _, member_id = one.partition("#")
        client, _, host = named.rpartition("@")
        instance, _, client = client.rpartition("=")
        found.append(
            {
                "member_id": member_id,
                "client_id": client,
                "client_host": host,
                "group_instance_id": instance or None,
            }
        )
    return found


@pytest.mark.parametrize(
    ("records", "names"),
    [
        ([rows("a@h#1"), rows("a@h#2")], ["a", "a"]),
        ([rows("x=a@h#1", "y=a@h#2")], ["x", "y"]),
        ([rows("@h#1")], ["1"]),
        ([rows("a@h#1", "a@i#2", "b@h#3")], ["a h", "a i", "b"]),
        ([rows("a@h#1", "a@i#2"), rows("a@h#3", "a@i#2")], ["a h", "a i", "a h"]),
        ([rows("a@h#1"), rows("a@h#1", "a@i#2")], ["a h", "a i"]),
        (
            [rows("a@h#a-00000001", "a@h#a-00000002", "a@i#a-00000003")],
            ["a h …00000001", "a h …00000002", "a i"],
        ),
        ([rows("a@h#1-00000000", "a@h#2-00000000")], ["a h 1-00000000", "a h 2-00000000"]),
        ([rows("a h@x#1", "a@h#2", "a@i#3")], ["a h x …1", "a h …2", "a i"]),
    ],
)
def test_names_of_members(records: list[list[dict[str, Any]]], names: list[str]) -> None:
    """Two of one record never have the same; who joins anew keeps a name that says enough."""
    found = member_names(records)
    assert list(found.values()) == names
    for record in records:
        assert len({found[row["member_id"]] for row in record}) == len(record)


def test_members_of_one_client_id_swap_partitions(tmp_path: Path) -> None:
    """Two of librdkafka, on one host, as they are by default."""
    ids = ("rdkafka-5f0a1b2c-aaaaaaaa", "rdkafka-5f0a1b2c-bbbbbbbb")
    given = [["t-0", "t-1"], ["t-2", "t-3"]]
    records = [
        generation(
            "app",
            number,
            member(ids[0], given[number % 2], client="rdkafka"),
            member(ids[1], given[1 - number % 2], client="rdkafka"),
        )
        for number in range(1, 5)
    ]
    page = page_of(str(tmp_path / "out"), audited(tmp_path, records), {})
    stretches = re.findall(r'<rect[^>]* class="c(\d)"><title>(t-\d): (.*?), generation', page)
    assert len(stretches) == 4 * 4
    for partition in range(4):
        owners = [who for _, name, who in stretches if name == f"t-{partition}"]
        assert len(set(owners)) == 2
        assert owners[0] == owners[2] != owners[1] == owners[3]
        assert all("rdkafka /10.0.0.1 …" in who for who in owners)
    assert len({color for color, *_ in stretches}) == 2


# -- many groups in trouble


def troubled(names: Iterable[str]) -> list[Record]:
    """Groups with a member that the leader cannot read."""
    return [
        generation(name, 1, member(f"{name}-a"), member(f"{name}-b", metadata=TRUNCATED))
        for name in names
    ]


def sections(page: str) -> dict[str, str]:
    """The section of each group that has one."""
    parts = page.partition('id="others"')[0].split('<details class="group"')[1:]
    return {re.findall(r"<summary>(\S+) ", part)[0]: part for part in parts}


def found_in_others(page: str) -> dict[str, list[str]]:
    """What was found in each of the other groups."""
    found: dict[str, list[str]] = {}
    for name, said in re.findall(
        r"<tr[^>]*><td>(\S+)<td>([^<]*)<td>", page.partition('id="others"')[2]
    ):
        found.setdefault(name, []).append(said)
    return found


def test_every_group_in_trouble_is_in_the_page(tmp_path: Path) -> None:
    names = {f"g{number}" for number in range(page_module.MAX_SECTIONS + 20)}
    healthy = [generation(f"ok{number}", 1, member("m")) for number in range(5)]
    audit = audited(tmp_path, [*troubled(names), *healthy])
    page = (tmp_path / "out" / "report.html").read_text()
    found, others = sections(page), found_in_others(page)
    assert f'names">g0, g1, g10 and {len(names) - 3} more</span>' in page
    assert 'class="cards rebalances"' in page and 'data-is="since the one before"' in page
    assert len(found) == page_module.MAX_SECTIONS
    assert not found.keys() & others.keys()
    assert found.keys() | others.keys() == names
    for finding in audit.findings.to_pylist():
        if finding["group_id"] in found:
            assert finding["explanation"].partition(" ")[0] in found[finding["group_id"]]
        elif finding["group_id"] is not None and finding["severity"] != "info":
            assert html.escape(finding["explanation"], quote=False) in others[finding["group_id"]]
    assert all("Update the client that wrote it" in section for section in found.values())
    assert all("<pre>" in section for section in found.values())
    assert page.partition('id="others"')[2].count("Update the client that wrote it") == 1
    linked = re.findall(r'<a href="#(g\d+)">', page)
    assert len(linked) == len(set(linked)) == len(names)
    assert all(f' id="{place}"' in page for place in linked)
    assert "Left out here" not in page


@pytest.mark.slow
def test_a_fleet_in_trouble_is_a_page_of_three_megabytes(tmp_path: Path) -> None:
    names = [f"team-{number % 40}.service-{number}" for number in range(5_000)]
    audited(tmp_path, troubled(names))
    page = (tmp_path / "out" / "report.html").read_text()
    assert len(sections(page)) + len(found_in_others(page)) == len(names)
    assert len(page.encode()) < 3_000_000


def test_what_a_page_has_no_place_for_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MAX_SECTIONS", 3)
    monkeypatch.setattr(page_module, "MAX_BRIEF", 10)
    audit = audited(tmp_path, troubled(f"g{number}" for number in range(20)))
    page = page_of(str(tmp_path / "out"), audit, {})
    each = sum(
        row["group_id"] == "g0" and row["severity"] != "info" for row in audit.findings.to_pylist()
    )
    shown = 3 + 10 // each
    assert len(sections(page)) == 3
    assert 3 + len(found_in_others(page)) == shown < 20
    assert f"{20 - shown} more groups with a finding at warning or above" in page
    assert "findings.json" in page


def test_groups_with_remarks_alone_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MAX_SECTIONS", 1)
    audit = audited(tmp_path, troubled(f"g{number}" for number in range(4)))
    rows = [
        row | ({} if row["group_id"] in {None, "g0"} else {"severity": "info"})
        for row in audit.findings.to_pylist()
    ]
    mild = audit._replace(findings=pa.Table.from_pylist(rows, audit.findings.schema))
    page = page_of(str(tmp_path / "out"), mild, {})
    remarked = {row["group_id"] for row in rows} - {None} - sections(page).keys()
    assert not found_in_others(page)
    assert f"{len(remarked)} groups whose findings are remarks" in page


# -- the group with the empty name


@pytest.fixture
def nameless(tmp_path: Path) -> Audit:
    """Kafka takes commits of a group whose name is empty; here it has a member too."""
    key = OffsetCommitKey(group="", topic="t", partition=0).to_bytes()
    value = OffsetCommitValue(offset=1, metadata="", commit_timestamp=1_700_000_000_000)
    return audited(tmp_path, [*troubled([""]), (key, value.to_bytes())])


def test_the_empty_name_is_not_the_fleet(nameless: Audit, tmp_path: Path) -> None:
    said = summary(nameless, {"": "payments"})
    assert '"" (payments)' in said
    assert "(fleet)" not in said
    assert "1 group, 1 in trouble" in said
    page = (tmp_path / "out" / "report.html").read_text()
    assert '<a href="#g0">&#34;&#34;</a>' in page
    assert "<summary>&#34;&#34; " in page
    results = json.loads(as_sarif(nameless))["runs"][0]["results"]
    names = {one["locations"][0]["logicalLocations"][0]["name"] for one in results}
    assert names == {'""', "(fleet)"}


def test_metrics_of_the_fleet_have_no_group(nameless: Audit) -> None:
    """An empty label is none to who reads metrics, so that the group needs another."""
    lines = as_openmetrics(nameless, {"": "payments"}).splitlines()
    found = [line for line in lines if line.startswith("kproto_findings{")]
    fleet = [line for line in found if 'rule="old-protocol"' in line]
    assert len(fleet) == 1
    assert "group=" not in fleet[0]
    others = [line for line in found if line not in fleet]
    assert others
    assert all('{group="\\"\\"",' in line for line in others)
    assert all('team="payments"' in line for line in others)
    assert any(line.startswith('kproto_group_score{group="\\"\\"",team=') for line in lines)


# -- nothing at all


def test_a_topic_without_a_record_is_said(tmp_path: Path) -> None:
    segment = tmp_path / "__consumer_offsets-0" / f"{0:020}.log"
    segment.parent.mkdir()
    segment.touch()
    out = tmp_path / "out"
    destination = Destination.new(str(out), replace=False)
    audit = run_audit(units_of(str(tmp_path)), destination, Options(), make_texts=texts_of)
    for said in (summary(audit), (out / "report.html").read_text()):
        assert "no group has joined or committed anything yet" in said


@pytest.mark.parametrize(
    ("again", "estimate", "text"),
    [(None, None, "0"), (1200, None, "1,200"), (0, 35, "at most 35"), (7, 35, "7 and at most 35")],
)
def test_how_often_records_were_read_twice_is_said(
    again: int | None, estimate: int | None, text: str
) -> None:
    row = {"generation": 3, "moves": [{"handover": "eager"}, {"handover": None}]}
    cost = {"records_again_sum": again, "records_again_at_most_sum": estimate}
    shown = page_module._shown_rebalance(row, {3: cost})
    assert shown["read_twice"] == text
    assert shown["handovers"] == "1 given back with all others, 1 newly assigned"
    assert not page_module._shown_rebalance(row, {})["read_twice"]


@pytest.mark.parametrize(("rules", "words"), [(1, "1 rule,"), (2, "2 rules,")])
def test_rules_that_were_not_evaluated_are_counted(rules: int, words: str, tmp_path: Path) -> None:
    audit = audited(tmp_path, [generation("g", 1, member("a", ["t-0"]))])
    some = dict(list(audit.not_evaluated.items())[:rules])
    page = page_of(str(tmp_path / "out"), audit._replace(not_evaluated=some), {})
    assert f"Not evaluated: {words}" in page


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("assignment", "ConsumerProtocolAssignment"),
        ("subscription", "ConsumerProtocolSubscription"),
    ],
)
def test_bytes_of_a_finding_are_read_as_the_message_that_it_names(field: str, name: str) -> None:
    """An assignment with user data can be read as a subscription, too."""
    data = "00000000000100066f72646572730000000200000002000000030000000401020304"
    evidence = json.dumps({"hex": data, "field": field})
    row = {"evidence": evidence, "explanation": "", "cause": None, "certainty": None, "rule": ""}
    assert f"{name} version 0" in page_module._shown_finding(row, {})["view"]
