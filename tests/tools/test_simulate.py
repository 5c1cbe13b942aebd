"""`kproto simulate`: scenarios, files, comparisons, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

OWN = """
from kproto.codec import ConsumerProtocolAssignment
from kproto.rebalance import ASSIGNORS, RebalanceProtocol


class Mine:
    name = "mine"
    protocols = (RebalanceProtocol.EAGER,)

    def subscription_user_data(self, topics, memory):
        return None

    def assign(self, members, topics, racks=None):
        return ASSIGNORS["roundrobin"].assign(members, topics)

    def on_assignment(self, assignment, generation):
        return None


class Greedy(Mine):
    def assign(self, members, topics, racks=None):
        everything = ASSIGNORS["roundrobin"].assign([next(iter(members))], topics)
        return {one.member_id: next(iter(everything.values())) for one in members}


class Broken(Mine):
    def assign(self, members, topics, racks=None):
        return 1 / 0
"""


def test_the_list(kproto: Run) -> None:
    shown = kproto("simulate", "--list").stdout.decode().splitlines()
    assert any(line.startswith("rolling-bounce ") for line in shown)
    assert all(line.endswith(".") for line in shown)


def test_a_run(kproto: Run) -> None:
    shown = kproto("simulate", "crash", "--steps", "--metrics").stdout.decode()
    assert shown.startswith("crash: A member dies")
    for word in ("orders-5", "session expired", "onPartitionsAssigned", "rebalance-total"):
        assert word in shown


def test_the_bytes_of_every_step(kproto: Run) -> None:
    shown = kproto("simulate", "upgrade-two-bounces", "--bytes").stdout.decode()
    assert "ConsumerProtocolSubscription version 0" in shown
    assert "ConsumerProtocolSubscription version 3" in shown
    assert "ConsumerProtocolAssignment" in shown


def test_events_for_programs(kproto: Run) -> None:
    lines = kproto("simulate", "crash", "--json", "--seed", "3").stdout.splitlines()
    *events, result = map(json.loads, lines)
    assert events[0]["event"] == "started"
    assert {"atMs", "actor", "event"} <= events[0].keys()
    assert result["asExpected"] is True
    owned = [number for shares in result["owned"].values() for number in shares["orders"]]
    assert sorted(owned) == [*range(6)]
    assert result["measures"]["detectionSeconds"] > 8


def test_what_a_planted_mistake_breaks_is_what_its_scenario_expects(kproto: Run) -> None:
    shown = kproto("simulate", "impatient-leader").stdout.decode()
    assert "✗ disjoint: " in shown
    shown = kproto("simulate", "impatient-leader", "--assignor", "range", status=1).stdout.decode()
    assert "not what the scenario expects" in shown


def test_side_by_side(kproto: Run) -> None:
    shown = kproto("simulate", "compare", "range", "cooperative-sticky").stdout.decode()
    for word in ("paused partition-seconds", "moves", "balance", "locality"):
        assert word in shown
    lines = kproto(
        "simulate", "compare", "session_timeout=6", "session_timeout=12,version=1", "crash",
        "--scenario", "crash", "--json",
    ).stdout.splitlines()  # fmt: skip
    took = [json.loads(line)["measures"]["detectionSeconds"] for line in lines]
    assert took[0] < took[2] < took[1]


@pytest.mark.slow
def test_protocols_side_by_side_as_a_page(kproto: Run, tmp_path: Path) -> None:
    path = tmp_path / "protocols.html"
    shown = kproto("simulate", "compare", "protocols", "--html", path).stdout.decode()
    for word in ("rolling-bounce: ", "crash: ", "cooperative", "mixed", "consumer"):
        assert word in shown
    assert path.read_text().count('<div class="bars">') == 16
    kproto("simulate", "compare", "protocols", "--capture", tmp_path / "x.pcap", status=2)


def test_a_page_has_every_message_opened(kproto: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    kproto("simulate", "crash", "--html", path)
    text = path.read_text()
    assert "JoinGroupRequest version 9" in text
    assert "owned_partitions" in text


def test_a_scenario_with_variants_prints_its_table(kproto: Run) -> None:
    shown = kproto("simulate", "kip-315").stdout.decode()
    assert "stream-join" in shown
    assert "numbers spread" in shown


def test_the_assignor_of_a_comparison_is_chosen(kproto: Run, tmp_path: Path) -> None:
    """No column bears a name that is not its own; and one run has a capture."""
    shown = kproto("simulate", "kip-315", "--assignor", "sticky", "--json").stdout.splitlines()
    assert json.loads(shown[0])["settings"]["assignors"] == ["sticky"]
    kproto("simulate", "kip-315", "--assignor", "range", "--capture", tmp_path / "x.hex")
    words = ("compare", "assignor=range", "version=1", "--assignor", "sticky", "--json")
    ranges, stickies = map(json.loads, kproto("simulate", *words).stdout.splitlines())
    assert ranges["measures"]["moves"] > stickies["measures"]["moves"]


def test_a_custom_assignor_is_judged_like_any_other(
    kproto: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    assert kproto("simulate", "crash", "--assignor", "own:Mine").stdout
    done = kproto("simulate", "crash", "--assignor", "own:Greedy", status=1)
    assert "✗ disjoint: " in done.stdout.decode()
    done = kproto("simulate", "--assignor", "own:Nobody", status=2)
    assert b"own:Nobody" in done.stderr
    done = kproto("simulate", "--assignor", "own:Broken", status=1)
    assert b"own:Broken: assign: ZeroDivisionError" in done.stderr


def test_an_assignor_in_the_current_folder_is_found(
    kproto: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the command is installed: no folder of the caller is on Python's path by itself."""
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    assert kproto("simulate", "crash", "--assignor", "own:Mine", PYTHONSAFEPATH="1").stdout


def test_what_is_found_is_said_side_by_side_too(kproto: Run) -> None:
    words = ("simulate", "compare", "impatient", "range", "--scenario", "impatient-leader")
    shown = kproto(*words).stdout.decode()
    assert "✗ impatient: disjoint: " in shown
    assert "✗ range" not in shown
    bad, good = map(json.loads, kproto(*words, "--json").stdout.splitlines())
    assert bad["findings"][0]["code"] == "disjoint"
    assert good["findings"] == []


def test_files(kproto: Run, tmp_path: Path) -> None:
    paths = {one: tmp_path / f"run.{one}" for one in ("html", "pcap", "hex", "svg")}
    kproto("simulate", "crash", "--html", paths["html"], "--capture", paths["pcap"])
    kproto("simulate", "crash", "--svg", paths["svg"], "--capture", paths["hex"])
    assert paths["html"].read_text().startswith("<!DOCTYPE html>")
    assert b"<svg" in paths["svg"].read_bytes()
    shown = kproto("decode", paths["hex"]).stdout.decode()
    assert "ConsumerProtocolSubscription version 3" in shown
    assert "ConsumerProtocolAssignment" in shown
    assert b"JoinGroup" in kproto("decode", paths["pcap"]).stdout


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (["nobody's"], 2, 'there is no scenario "nobody\'s"'),
        (["crash", "zombie"], 2, "one scenario at a time"),
        (["compare"], 2, "compare needs scenarios"),
        (["crash", "--assignor", "best"], 2, "there is no assignor 'best'"),
        (["crash", "--members", "0"], 2, "not a number from 1 to 1000"),
        (["crash", "--members", "1"], 1, "there is no member 'b'"),
        (["compare", "colour=red"], 2, "there is no key 'colour'"),
        (["crash", "--svg", "/nowhere/x.svg"], 2, "/nowhere/x.svg"),
        (["crash", "--svg", "x.doc"], 2, "x.doc"),
        (["/nowhere/x.toml"], 2, "/nowhere/x.toml"),
        (["kip-315", "--capture", "x.hex"], 2, "--capture takes a single run"),
    ],
)
def test_wrong_use(kproto: Run, arguments: list[str], status: int, why: str) -> None:
    done = kproto("simulate", *arguments, status=status)
    assert why in done.stderr.decode()


def test_a_file_with_an_error_is_refused_with_its_line(kproto: Run, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text("[topics]\nt = 2\n\n[[members]]\ncount = 2\nversion = 9\n")
    done = kproto("simulate", path, status=1)
    assert f"{path}, line 6: version: expected a whole number from 0 to 3" in done.stderr.decode()
    path.write_bytes(b"# x\n\xff")
    assert b"line 2: it is not UTF-8" in kproto("simulate", path, status=1).stderr
