"""--settings: the forms that settings are read from, and what the commands say of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kproto.cluster.errors import ConfigError
from kproto.tools.input.client_settings import settings_in
from kproto.tools.main import main

VECTORS = Path(__file__).parents[1] / "vectors"
LOGS = VECTORS / "logs"
RUNNING = VECTORS / "captures" / "running-group.jsonl"

JAVA = """[2026-11-25 23:31:03,881] INFO AdminClientConfig values:
	client.id = admin
	request.timeout.ms = 30000
 (org.apache.kafka.clients.admin.AdminClientConfig)
[2026-11-25 23:31:03,881] INFO ConsumerConfig values:
	auto.offset.reset = latest
	client.id = c1
	group.id = orders
	group.instance.id = null
	heartbeat.interval.ms = 3000
	partition.assignment.strategy = [class org.apache.kafka.clients.consumer.RangeAssignor, \
class org.apache.kafka.clients.consumer.CooperativeStickyAssignor]
	sasl.jaas.config = [hidden]
	session.timeout.ms = 45000
 (org.apache.kafka.clients.consumer.ConsumerConfig)
[2026-11-25 23:31:04,001] INFO Kafka version: 3.9.1 (org.apache.kafka.common.utils.AppInfoParser)
"""
LIBRDKAFKA = """\
%7|1700000000.100|INIT|c1#consumer-1| [thrd:app]: librdkafka v2.16.0 (0x21000ff) c1#consumer-1 \
initialized (builtin.features gzip, debug 0x42000)
%7|1700000000.100|CONF|c1#consumer-1| [thrd:app]: Client configuration:
%7|1700000000.100|CONF|c1#consumer-1| [thrd:app]:   client.id = c1
%7|1700000000.100|CONF|c1#consumer-1| [thrd:app]:   group.id = orders
%7|1700000000.100|CONF|c1#consumer-1| [thrd:app]:   session.timeout.ms = 6000
%7|1700000000.200|CGRPJOIN|c1#consumer-1| [thrd:main]: Group "orders": join-state init
"""
FORMS = [
    ("java", JAVA, "kafka-clients 3.9.1",
     {"session.timeout.ms": "45000", "partition.assignment.strategy": "range,cooperative-sticky"}),
    ("librdkafka", LIBRDKAFKA, "librdkafka 2.16.0", {"session.timeout.ms": "6000"}),
    ("json", '{"group.id": "orders", "enable.auto.commit": false, "session.timeout.ms": 6000}',
     "probably librdkafka", {"enable.auto.commit": "false", "session.timeout.ms": "6000"}),
    ("librdkafka's json", '{"group.id": "orders", "sasl.mechanisms": "PLAIN"}', "librdkafka", {}),
    ("kafkajs", '{"brokers": ["b"], "consumer": {"groupId": "orders", "fromBeginning": true}}',
     "a client that is not known", {"auto.offset.reset": "earliest"}),
    ("python", '{"group_id": "orders", "max_poll_interval_ms": 9}', "a client that is not known",
     {"max.poll.interval.ms": "9"}),
    ("properties", "group.id=orders\n# x\nsession.timeout.ms : 6000\n", "probably kafka-clients",
     {"session.timeout.ms": "6000"}),
    ("java's properties", "group.id=orders\nkey.deserializer=x.Y\n", "kafka-clients", {}),
    ("spring",
     "spring.kafka.consumer.group-id=orders\nspring.kafka.consumer.auto-offset-reset=none",
     "kafka-clients", {"auto.offset.reset": "none"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "label", "values"), [row[1:] for row in FORMS],
                         ids=[row[0] for row in FORMS])  # fmt: skip
def test_each_form(text: str, label: str, values: dict[str, str]) -> None:
    (settings,) = settings_in(text.encode(), "f")
    assert (settings.label, settings.group) == (label, "orders")
    assert values.items() <= settings.values.items()


ADMIN = JAVA[: JAVA.index("[2026-11-25 23:31:03,881] INFO ConsumerConfig")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [(ADMIN, "AdminClientConfig are no consumer's"), ("{", "no JSON"), ("hello", "key=value"),
     ("acks=all", "no setting"), ("", "no setting")],
)  # fmt: skip
def test_what_is_no_settings_of_a_consumer(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        settings_in(text.encode(), "f")


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_a_look_at_a_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"group.id": "g-mixed", "partition.assignment.strategy": "sticky", "password": "s3"}'
    file = f"confluent-kafka:2.16.1={written(tmp_path, 'c.json', text)}"
    assert main(["group", "g-mixed", "--from", str(RUNNING), "--settings", file, "--json"]) == 0
    (judgement,) = json.loads(capsys.readouterr().out)["clientSettings"]
    assert (judgement["code"], judgement["client"]) == ("assignors", "librdkafka 2.16.1")
    assert judgement["whatHappened"] == "the group uses range"
    assert main(["group", "g-mixed", "--from", str(RUNNING), "--settings", file]) == 0
    out = capsys.readouterr().out
    assert "INCONSISTENT_GROUP_PROTOCOL" in out
    assert "s3" not in out


@pytest.mark.parametrize(
    ("text", "words"),
    [('{"group.id": "g-mixd"}', "did you mean 'g-mixd'"), ("nonsense", "what is read")],
)
def test_settings_of_another_group(
    tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, "c.json", text)
    assert main(["group", "g-mixed", "--from", str(RUNNING), "--settings", file]) == 2
    assert words in capsys.readouterr().err


def test_a_story_judges_the_settings_that_its_logs_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = LOGS / "slow-poll"
    assert main(["story", str(folder), "--json"]) == 0
    (group,) = json.loads(capsys.readouterr().out)["groups"]
    (polls,) = [j for j in group["clientSettings"] if j["code"] == "slow-polls"]
    assert (polls["value"], polls["level"], polls["certainty"]) == ("4000", "warning", "certain")
    assert polls["source"].startswith("c2")
    assert polls["client"].startswith("kafka-clients 4")
    assert polls["evidence"]


def audited(
    folder: Path, *options: str, report: str = "clickhouse.jsonl.gz"
) -> list[dict[str, Any]]:
    source = str(VECTORS / "reports" / report)
    assert main(["audit", source, "--out", str(folder), "--fail-on", "never", *options]) == 0
    findings: list[dict[str, Any]] = json.loads((folder / "findings.json").read_text())["findings"]
    return [finding for finding in findings if finding["code"] == "client-setting"]


def test_an_audit_judges_settings_by_the_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audited(tmp_path / "without") == []
    assert "client-setting: needs the settings of clients (--settings FILE" in " ".join(
        capsys.readouterr().out.split()
    )
    findings = json.loads((tmp_path / "without" / "findings.json").read_text())["findings"]
    name = next(finding["group"] for finding in findings if finding["group"])
    text = json.dumps({"group.id": name, "session.timeout.ms": 12_345, "debug": "cgrp"})
    file = f"librdkafka:2.16.1={written(tmp_path, 'c.json', text)}"
    (finding,) = audited(tmp_path / "with", "--settings", file)
    assert finding["evidence"]["code"] == "not-what-runs"
    assert "12345" in finding["explanation"]
    assert finding["severity"] == "warning"


def test_an_audit_of_another_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "c.json", '{"group.id": "nobody", "debug": "cgrp"}')
    main(["audit", str(VECTORS / "reports" / "clickhouse.jsonl.gz"), "--out",
          str(tmp_path / "out"), "--settings", file])  # fmt: skip
    assert "no group 'nobody'" in capsys.readouterr().err
    nameless = written(tmp_path, "n.json", '{"session.timeout.ms": 1, "debug": "cgrp"}')
    main(["audit", str(VECTORS / "reports" / "clickhouse.jsonl.gz"), "--out",
          str(tmp_path / "out"), "--settings", nameless])  # fmt: skip
    assert "names no group.id: give --group NAME" in capsys.readouterr().err


@pytest.mark.parametrize("reset", ["latest", "earliest"])
def test_what_an_expired_offset_makes_of_a_setting(
    reset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The group was empty for a day and a half: its commits tell no interval of a client."""
    pytest.importorskip("pyarrow")
    file = written(tmp_path, "app.properties", f"group.id=nightly\nauto.offset.reset={reset}\n")
    (finding,) = audited(tmp_path / "out", "--settings", file, "--json", report="expire.jsonl")
    capsys.readouterr()
    assert (finding["evidence"]["code"], finding["evidence"]["value"]) == ("offset-reset", reset)
    assert "they had expired while the group was empty" in finding["explanation"]
    assert finding["severity"] == {"latest": "warning", "earliest": "info"}[reset]
