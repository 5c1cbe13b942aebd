"""Which clients a fleet has, and which known faults these have: the truth are recorded members of
twenty-one releases, and the releases that the faults' reports name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from kproto.capture import decode_record, read_segments
from kproto.clients.catalog import release_order, writers
from kproto.clients.faults import Fault, faults
from kproto.clients.settings import ClientSettings
from kproto.pipeline.audit import Place, Step, read_step
from kproto.pipeline.audit.findings import Severity
from kproto.pipeline.groups.client_faults import client_fault_rows, running_members
from kproto.pipeline.groups.options import Options
from kproto.pipeline.report.fleet_clients import client_sentences, fleet_clients
from kproto.pipeline.run import Audit
from kproto.rebalance.migration.members import read_stated_client
from kproto.tools.main import main
from tests.pipeline.audit_groups import member
from tests.pipeline.test_report import audited, generation

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
_NAMES = {"confluent-kafka": "librdkafka", "kafka-go": "kafka-go Reader"}
"""Names that the recording has for clients of the catalog."""


def recorded_steps() -> Iterator[tuple[str, Step]]:
    """The generations of the recorded groups."""
    for record in read_segments([CAPTURES / "offsets-topic"]):
        decoded = decode_record(record)
        if decoded.key is None or decoded.key.message_class.NAME != "GroupMetadataKey":
            continue
        if decoded.value is not None and decoded.key.message is not None:
            place = Place(record.source, record.partition or 0, record.offset, 0)
            yield decoded.key.message.group, read_step(place, decoded.value.data)


def test_no_fault_of_a_recorded_member_is_missed_or_made_up() -> None:
    """By its bytes alone: what all of its possible releases have it has, and what it has one of
    them may have."""
    recorded = json.loads((CAPTURES / "groups.json").read_text())
    truth = {
        (group, row["client_id"]): (row["client"].partition(" (")[0], row["version"])
        for group, rows in recorded.items()
        for row in rows
    }
    checked = set()
    for group, step in recorded_steps():
        for of_member in running_members(step, Options(), group):
            client = truth.get((group, of_member[0].name))
            if client is None or of_member[1] == "nothing":
                continue
            name, release = _NAMES.get(client[0], client[0]), client[1]
            has = {
                fault.name
                for fault in faults()
                if fault.is_of(name, step.protocol_type, step.protocol) and fault.is_in(release)
            }
            (row,) = client_fault_rows([of_member], step.protocol_type, step.protocol)
            assert row["known_by"] == "bytes"
            certain, possible = set(row["faults"]), set(row["possible_faults"])
            assert certain <= has <= certain | possible, (client, row)
            checked.add(client)
    assert len(checked) == 21, checked


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_releases_that_write_alike_share_a_fault_as_each_of_them_has_it(fault: Fault) -> None:
    numbers = {release for other in faults() for release in (other.since, *other.fixed)}
    numbers |= {writer.since for writer in writers()} | {"1.0.0", "2.7.2", "3.2.1", "9.9.9"}
    for writer in writers():
        if not fault.is_of(writer.name, fault.protocol_type, fault.protocol):
            continue
        own = [other.since for other in writers() if other.name == writer.name]
        later = [since for since in own if release_order(since) > release_order(writer.since)]
        end = min(later, key=release_order) if later else "99"
        has = {
            fault.is_in(release)
            for release in numbers
            if release
            and release_order(writer.since) <= release_order(release) < release_order(end)
        }
        share = fault.share(writer.name, writer.releases)
        assert share == "some" or has == {share == "all"}, (writer.label, has)
        if share == "some":
            assert True in has, writer.label


def _known_by(client_id: str, options: Options) -> tuple[Any, ...]:
    """What is said of a member with this client id, whose bytes many clients write."""
    record = generation("g", 1, member("m-1", client=client_id))
    step = read_step(Place("", 0, 0, 0), record[1])
    (row,) = client_fault_rows(running_members(step, options, "g"), "consumer", "range")
    return row["client"], row["known_by"], row["faults"]


def test_a_release_that_is_known() -> None:
    """By the user, by what the client printed beside its settings, or by its default client id."""
    by_id = _known_by("aiokafka-0.7.0", Options())
    assert by_id == ("aiokafka (0.7.0)", "client id", ["aiokafka #727"])
    printed = ClientSettings(
        "app.log", {"group.id": "g", "client.id": "billing"}, "kafka-clients", "2.6.0"
    )
    by_settings = _known_by("billing", Options(client_settings=(printed,)))
    assert by_settings == ("kafka-clients (2.6.0)", "settings", ["KAFKA-10134", "KAFKA-10793"])
    stated = read_stated_client("bill*=librdkafka:2.1.0")
    options = Options(client_settings=(printed,), member_clients=(stated,))
    faults_of_2_1_0 = ["librdkafka #4256", "librdkafka #4431", "librdkafka #5569"]
    assert _known_by("billing", options) == ("librdkafka (2.1.0)", "statement", faults_of_2_1_0)
    options = Options(member_clients=(read_stated_client("bill*=java"),))
    assert _known_by("billing", options)[:2] == ("kafka-clients (3.4 and newer)", "bytes")
    options = Options(member_clients=(read_stated_client("bill*=kafkajs"),))
    assert _known_by("billing", options) == ("kafkajs", "statement", ["KafkaJS #1720"])
    other = ClientSettings("x.log", {"group.id": "h", "client.id": "billing"}, "kafkajs", "2.2.4")
    assert _known_by("billing", Options(client_settings=(other,)))[1] == "bytes"


def _fleet(folder: Path) -> Audit:
    """A group that is not read, since nobody polls, and one without a trouble."""
    records = [
        generation("calm", 1, member("a-1", client="sarama-a")),
        generation("slow", 1, member("b-1", client="kafkajs-b")),
    ]
    audit = audited(folder, records)
    rows = [
        {
            **row,
            "client_faults": client_fault_rows([*_stated(row["group_id"])], "consumer", "range"),
        }
        for row in audit.current.to_pylist()
    ]
    current = type(audit.current).from_pylist(rows, audit.current.schema)
    finding = {
        "cluster_id": "c", "group_id": "slow", "finding_id": "1", "rule": "slow-poll",
        "severity": Severity.WARNING.value, "cause": "poll-timeout-exceeded", "rivals": [],
    }  # fmt: skip
    findings = type(audit.findings).from_pylist([finding], audit.findings.schema)
    return audit._replace(current=current, findings=findings)


def _stated(group: str) -> Iterator[tuple[Any, Any]]:
    clients = {"calm": "sarama (1.30.0)", "slow": "librdkafka (2.1.0)"}
    record = generation(group, 1, member("m-1", client="m"))
    step = read_step(Place("", 0, 0, 0), record[1])
    for of_member, _ in running_members(step, Options(), group):
        yield of_member._replace(could_be=(clients[group],)), "statement"


def test_a_fault_that_may_be_why_a_group_is_in_trouble_comes_first(tmp_path: Path) -> None:
    """What is found there is one of the causes that leave the traces of the fault's symptom."""
    clients = fleet_clients(_fleet(tmp_path), {"slow": "payments"})
    assert [client.client for client in clients] == ["librdkafka (2.1.0)", "sarama (1.30.0)"]
    (group,) = clients[0].groups
    assert (group.group, group.team, group.in_trouble) == ("slow", "payments", True)
    assert group.may_be_why == ["librdkafka #4256", "librdkafka #4431"]
    assert clients[0].update_to == ["librdkafka 2.3.0"]
    assert clients[1].groups[0].may_be_why == []
    sentence, rest = client_sentences(clients, 1)
    assert sentence == (
        "librdkafka (2.1.0), 1 member of slow: has librdkafka #4256, librdkafka #4431, librdkafka "
        "#5569; which may explain the trouble of slow; update to librdkafka 2.3.0, or "
        "later; no release mends librdkafka #5569"
    )
    assert rest == "1 more client with known faults, in the page"


def test_the_clients_of_a_fleet_in_all_that_an_audit_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [
        generation(
            "old",
            1,
            member("a-1", client="kafka-python-2.0.1"),
            member("a-2", client="consumer-old-1"),
        ),
        generation("said", 1, member("b-1", client="billing-1")),
    ]
    audited(tmp_path, records)
    out = tmp_path / "new"
    command = ["audit", str(tmp_path / "records.parquet"), "--out", str(out), "--cluster-id", "c"]
    assert main([*command, "--member-client", "billing-*=sarama:1.29.0"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "clients with known faults, the first to update first: kafka-python (2.0.1)" in said
    found = json.loads((out / "findings.json").read_text())["clients"]
    assert [(row["client"], row["knownBy"]) for row in found[:2]] == [
        ("kafka-python (2.0.1)", "client id"), ("sarama (1.29.0)", "statement"),
    ]  # fmt: skip
    assert found[0]["faults"][0]["name"] == "kafka-python #1985"
    assert found[0]["faults"][0]["isCertain"] and found[0]["updateTo"] == ["kafka-python 2.0.2"]
    page = (out / "report.html").read_text()
    assert "<h2>Clients, the first to update first</h2>" in page
    assert "The known faults of clients" in page and "kafka-python (2.0.1)" in page
    rows = {
        row["group_id"]: row["client_faults"] for row in pq.read_table(out / "current").to_pylist()
    }
    assert {row["client"]: row["members"] for row in rows["said"]} == {"sarama (1.29.0)": 1}
    assert main([*command, "--member-client", "x=nothing", "--replace"]) == 2
