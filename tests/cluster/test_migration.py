"""Whether a described group can move to the next protocol: from a broker's answers, kept in a
file or asked now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import (
    ConsumerGroupHeartbeatResponse,
    ConsumerProtocolAssignment,
    ListGroupsResponse,
)
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Groups, group, member

RUNNING = Path(__file__).parent.parent / "vectors" / "captures" / "running-group.jsonl"
V1_LABEL_ON_V0_BODY = bytes.fromhex("00010000000100066f7264657273ffffffff")


def fleet() -> Groups:
    twice: dict[str, tuple[int, ...]] = {"orders": (0, 1)}
    with_user_data = ConsumerProtocolAssignment(user_data=b"\0\0\0\1").to_bytes(version=1)
    broker = Groups(
        group("fine", member("java", assigned=twice)),
        group("relabelled", member("go", metadata=V1_LABEL_ON_V0_BODY)),
        group("custom", member("sarama").replace(member_assignment=with_user_data)),
        group("doubled", member("a", assigned=twice), member("b", assigned=twice)),
        # Apache Kafka's coordinator describes such members without metadata.
        group(
            "rebalancing",
            member("c", metadata=b"").replace(member_assignment=b""),
            protocol="",
            state="PreparingRebalance",
        ),
        group("empty", protocol="", state="Empty"),
    )
    broker.answers["ConsumerGroupHeartbeat"] = lambda *_: ConsumerGroupHeartbeatResponse()
    return broker


def test_a_broker_without_the_protocol_takes_no_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with listening(Groups(group("fine", member("java")))) as address:
        assert main(["migrate", f"kafka://{address}", "--json"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["error"] == "UNSUPPORTED_VERSION"


def judged(
    capsys: pytest.CaptureFixture[str], file: Path, *options: str, status: int = 1
) -> dict[str, dict[str, Any]]:
    assert main(["migrate", str(file), "--json", *options]) == status
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return {line["group"]: line for line in lines}


def kept(file: Path) -> Path:
    with listening(fleet()) as address:
        assert main(["group", "--bootstrap-server", address, "--save", str(file), "--json"]) == 0
    return file


def test_kept_answers_are_judged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = kept(tmp_path / "answers.jsonl")
    capsys.readouterr()
    found = judged(capsys, file)
    assert {name: (line["verdict"], line["error"]) for name, line in found.items()} == {
        "fine": ("ready", "NONE"),
        "relabelled": ("blocked", "GROUP_ID_NOT_FOUND"),
        "custom": ("blocked", "GROUP_ID_NOT_FOUND"),
        "doubled": ("blocked", "UNKNOWN_SERVER_ERROR"),
        "rebalancing": ("unknown", None),
        "empty": ("ready", "NONE"),
    }
    assert found["relabelled"]["reasons"][0]["member"] == "go-1"
    assert "Stable" in found["rebalancing"]["reasons"][0]["remedy"]
    off = judged(capsys, file, "--set", "group.consumer.migration.policy=disabled")
    assert [name for name, line in off.items() if line["verdict"] == "ready"] == ["empty"]


def test_topics_that_were_not_asked_can_be_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = kept(tmp_path / "answers.jsonl")
    metadata = '"apiKey":3,'
    lines = [line for line in file.read_text().splitlines() if metadata not in line]
    file.write_text("\n".join(lines))
    capsys.readouterr()
    assert judged(capsys, file)["doubled"]["verdict"] == "unknown"
    assert judged(capsys, file, "--topics", "orders=6")["doubled"]["verdict"] == "blocked"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--plan", "consumer", "--what-if", "join=1"], "two views"),
        (["--set", "group.consumer.max.size=4"], "for --plan consumer"),
        (["--plan", "consumer", "--set", "max.size=4"], "'max.size' decides nothing"),
        (["--plan", "consumer", "--set", "group.consumer.max.size=0"], "numbers from 1"),
    ],
)
def test_options_that_say_nothing_are_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["group", "g-mixed", "--from", str(RUNNING), *options]) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1


def test_the_committed_capture_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", str(RUNNING), "--group", "g-mixed"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "1 group: 1 ready" in told and "g-mixed" in told
    assert "of 6 partitions leave their owner" in told  # Metadata has the partitions


def test_a_group_that_cannot_move_is_remarked_on_in_its_own_view_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = kept(tmp_path / "answers.jsonl")
    capsys.readouterr()
    for name, codes in {"custom": ["cannot-migrate"], "fine": [], "rebalancing": []}.items():
        assert main(["group", name, "--from", str(file), "--json"]) == 0
        remarks = json.loads(capsys.readouterr().out)["remarks"]
        found = [each for each in remarks if each["code"] == "cannot-migrate"]
        assert [each["code"] for each in found] == codes
        assert all(each["level"] == "note" for each in found)
    assert main(["group", "--from", str(file), "--json"]) == 0
    assert "cannot" not in capsys.readouterr().out


def test_groups_that_are_listed_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What may not be described is not known; what is no classic group is not judged."""
    listed = ListGroupsResponse.ListedGroup
    answer = ListGroupsResponse(
        groups=(
            listed(group_id="hidden", protocol_type="consumer", group_state="Stable"),
            listed(group_id="over", protocol_type="consumer", group_state="Empty"),
            listed(group_id="new", protocol_type="consumer", group_type="consumer"),
        )
    ).to_body(5)
    frame = b"\0\0\0\1" + b"\0" + answer  # correlation id, tagged fields
    known = {"conn": "b:1", "api_key": 16, "api_version": 5}
    lines = [known | {"direction": "response", "frame_hex": (len(frame).to_bytes(4) + frame).hex()}]
    file = tmp_path / "list.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    found = judged(capsys, file)
    assert {name: line["verdict"] for name, line in found.items()} == {
        "hidden": "unknown",
        "over": "ready",
        "new": "moved",
    }
    assert main(["migrate", str(file), "--group", "new"]) == 2
    already = "1 group is no classic one: the broker divides it already: 'new' (consumer)"
    assert already in capsys.readouterr().err
    assert main(["migrate", str(file), "--group", "new", "--redact"]) == 2
    assert "'new'" not in capsys.readouterr().err
    main(["migrate", str(file)])
    captured = capsys.readouterr()
    assert f"besides, {already}" in captured.out and already not in captured.err
