"""`kproto group --from` and `kproto migrate` with the output of another tool."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kproto.tools.main import main

Run = Callable[..., tuple[int, str, str]]
VECTORS = Path(__file__).parent.parent / "vectors"
OUTPUTS = VECTORS / "tool_outputs"
NAMELESS = (
    "TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n"
    "orders          0          1               2               1    m-1          /h    m\n"
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command, and returns its status and what it prints."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return run


def test_a_list_of_groups(run: Run) -> None:
    status, out, _ = run("group", "--json", "--from", str(OUTPUTS / "kaf.txt"))
    assert status == 0
    groups = {row["group"]: row for row in map(json.loads, out.splitlines())}
    assert groups["two teams"]["memberCount"] == 2
    assert groups["two teams"]["worst"] == "warning"
    assert groups["kcat group"]["kind"] == "classic"


def test_one_group_as_json(run: Run) -> None:
    status, out, _ = run("group", "payments", "--json", "--from", str(VECTORS / "reports/cg.txt"))
    group = json.loads(out)
    assert status == 0
    assert (group["group"], group["state"], group["lag"]) == ("payments", "", 194)
    assert [row["members"] for row in group["partitions"]][1] == []
    assert [remark["code"] for remark in group["remarks"]] == ["nobody-has"]


def test_names_are_hidden(run: Run) -> None:
    source = str(OUTPUTS / "kafka-consumer-groups-2.3.1.txt")
    status, out, _ = run("group", "mixed", "--redact", "--json", "--from", source)
    assert status == 0
    assert "two-applications" in out
    assert not any(name in out for name in ("billing", "mailer", "payments", "orders", "127.0"))


def test_a_group_without_a_name_has_any(run: Run, tmp_path: Path) -> None:
    """kafka-consumer-groups before 2.3 prints none."""
    source = tmp_path / "out.txt"
    source.write_text(NAMELESS)
    status, out, _ = run("group", "mine", "--json", "--from", str(source))
    assert (status, json.loads(out)["group"]) == (0, "mine")
    source.write_text(f"{NAMELESS}\nConsumer group 'other' has no active members.\n")
    status, _, err = run("group", "mine", "--json", "--from", str(source))
    assert status == 2
    assert "'other'" in err


def test_what_needs_bytes_is_refused(run: Run) -> None:
    source = str(OUTPUTS / "kafka-consumer-groups-3.7.2.txt")
    for option in (["--plan", "consumer"], ["--what-if", "join=1"]):
        status, _, err = run("group", "mixed", *option, "--from", source)
        assert status == 3
        assert f"{option[0]} needs members' bytes" in err


def test_what_is_not_known_of_a_migration_is_said(run: Run) -> None:
    source = str(OUTPUTS / "kafka-consumer-groups-3.7.2.txt")
    status, out, _ = run("migrate", "--json", source)
    groups = {row["group"]: row for row in map(json.loads, out.splitlines())}
    assert status in (0, 1)
    assert groups["static"]["verdict"] == "unknown"
    assert "none-such" not in groups


def test_a_file_of_anything_else_is_refused(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "notes.txt"
    source.write_text("the group was stuck again\n")
    status, _, err = run("group", "--from", str(source))
    assert status == 3
    assert "kafka-consumer-groups" in err


def test_a_story_counts_rows_that_are_not_understood_and_no_members_that_none_lists(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "members.txt").write_text(
        "GROUP  CONSUMER-ID  HOST  CLIENT-ID  #PARTITIONS  ASSIGNMENT\n"
        "g  c-1  /h  c  1  t(0)\ng  c-2  /h  c  1  t(0\n"
    )
    (tmp_path / "kaf.txt").write_text(
        "Group ID:        k\nState:           Stable\nProtocol:        range\n"
        "Protocol Type:   consumer\nOffsets:\n  t:\n"
        "    Partition  Group Offset  High Watermark  Lag     Metadata\n"
        "    ---------  ------------  --------------  ---     --------\n"
        "    0          985686126     985686176       50\n"
    )
    main(["story", "--json", *map(str, tmp_path.glob("*.txt"))])
    story = json.loads(capsys.readouterr().out)
    assert [entry["lines"] for entry in story["unread"]] == [1]
    looks = {group["group"]: group["looks"][0]["members"] for group in story["groups"]}
    assert looks == {"g": 1, "k": None}
