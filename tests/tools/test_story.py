"""`kproto story`: its sources, options, statuses, formats and redaction."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kproto.history.line_meanings import MEANINGS
from kproto.inspector.views.stand_ins import with_stand_ins
from kproto.tools.main import main
from tests.capture.logs.recorded import FOLDER, SCENARIOS, logs, text, truth
from tests.inspector.samples import VECTORS

CRASH = str(FOLDER / "crash" / "broker.log.gz")


def story(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """The story as JSON."""
    assert main(["story", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_folder_is_all_of_its_files(capsys: pytest.CaptureFixture[str]) -> None:
    told = story(capsys, str(FOLDER / "crash"))
    assert {clock["source"] for clock in told["clocks"]} >= {"broker.log.gz", "c1.log.gz"}
    (group,) = [group for group in told["groups"] if group["group"] == "orders-crash"]
    assert [cause["cause"] for cause in group["causes"]][:2] == ["session-expired", "process-died"]


def test_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kproto", "story", "-", "--json"],
        input=text("crash/broker.log").encode(), capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["groups"][0]["group"] == "orders-crash"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["no-such.log"], 2, "no such file"),
        ([CRASH, "--group", "orders-crush"], 2, "did you mean 'orders-crash'"),
        ([CRASH, "--zone", "Mars/Base"], 2, "--zone"),
        ([CRASH, "--since", "yesterday"], 2, "--since"),
        ([str(Path(__file__).parents[1] / "conftest.py")], 1, "no line is about a consumer group"),
    ],
)
def test_what_cannot_be_told(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["story", *arguments]) == status
    assert words in capsys.readouterr().err


def test_a_part_of_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    late = story(capsys, CRASH, "--since", "23:33:20")
    generations = [rebalance["generation"] for rebalance in late["groups"][0]["rebalances"]]
    assert generations == [3, 4, 5]
    last = story(capsys, CRASH, "--since", "3s")
    assert [r["generation"] for r in last["groups"][0]["rebalances"]] == [4, 5]
    early = story(capsys, CRASH, "--until", "2026-11-25T23:33:10")
    assert [r["generation"] for r in early["groups"][0]["rebalances"]] == [1]


def test_a_zone_moves_the_times(capsys: pytest.CaptureFixture[str]) -> None:
    there = story(capsys, CRASH, "--zone", "+02:00")
    assert there["clocks"][0]["zone"] == "stated"
    assert there["groups"][0]["events"][0]["time"] == "2026-11-25T21:33:01.181Z"


def test_a_client_alone(capsys: pytest.CaptureFixture[str]) -> None:
    told = story(capsys, str(FOLDER / "crash"), "--client", "c3", "--group", "orders-*")
    clients = {event["client"] for event in told["groups"][0]["events"]}
    assert clients == {"c3"}


@pytest.mark.parametrize(
    ("scenario", "form"),
    [
        pytest.param(
            scenario, ("--json", "--full")[at % 2], marks=[pytest.mark.slow] * bool(at % 3)
        )
        for at, scenario in enumerate(SCENARIOS)
    ],
)
def test_redaction_hides_every_name(
    scenario: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["story", str(FOLDER / scenario), form, "--redact"]) == 0
    out = capsys.readouterr().out
    facts = truth(scenario)
    names = {
        *facts["groups"],
        *(client["member"] for client in facts["clients"] if len(client["member"]) > 2),
    }
    names |= {event["member"] for event in facts["events"] if event.get("member")}
    assert [name for name in sorted(names) if name in out] == []


def test_the_same_name_has_the_same_stand_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["story", CRASH, "--json", "--redact"]) == 0
    told = json.loads(capsys.readouterr().out)
    (group,) = told["groups"]
    expired = next(cause for cause in group["causes"] if cause["cause"] == "session-expired")
    trigger = group["rebalances"][2]["causes"][0]
    assert trigger["client"] in expired["summary"]


def test_a_growing_log_is_followed(tmp_path: Path) -> None:
    """Each event within a second of its line, from a file that grows and from a pipe."""
    lines = text("crash/broker.log").splitlines(keepends=True)
    log = tmp_path / "server.log"
    log.write_text("".join(lines[:3]))
    with subprocess.Popen(
        [sys.executable, "-m", "kproto", "story", "--follow", str(log), "--json"],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        first = [json.loads(process.stdout.readline()) for _ in range(3)]
        assert [event["event"] for event in first] == ["joins", "joins", "rebalance-began"]
        with log.open("a") as file:
            file.write(lines[5])
        start = time.monotonic()
        event = json.loads(process.stdout.readline())
        assert (event["event"], event["generation"]) == ("stabilized", 1)
        assert time.monotonic() - start < 30  # a second where the machine is quiet
        process.terminate()


def test_a_pipe_ends_with_the_story() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kproto", "story", "--follow"],
        input=text("crash/broker.log"), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert re.search(r"orders-crash: c3-[0-9a-f-]{36} member-removed", done.stdout)
    assert "session-expired  The session of c3 ended" in done.stdout


def test_all_forms_together_are_one_group(capsys: pytest.CaptureFixture[str]) -> None:
    """The same log thirteen times, some without dates: each fact once."""
    told = story(capsys, str(FOLDER / "forms"))
    (group,) = [group for group in told["groups"] if group["group"] == "forms-app"]
    joined = [event for event in group["events"] if event["event"] == "joined"]
    assert len({(event["member"], event["generation"]) for event in joined}) == len(joined)


def test_a_damaged_archive_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "server.log.gz"
    broken.write_bytes(gzip.compress(logs("crash")["broker.log"].encode())[:-200])
    assert main(["story", str(broken), CRASH]) == 3
    captured = capsys.readouterr()
    assert "server.log.gz" in captured.err
    assert "orders-crash" in captured.out


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"]
)
def test_a_log_that_unpacks_to_too_much_is_left(
    pack: Callable[[bytes], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was read before is told."""
    bomb = tmp_path / "server.log"
    bomb.write_bytes(pack(logs("crash")["broker.log"].encode() + b"x\n" + bytes(40 << 20)))
    assert main(["story", str(bomb)]) == 3
    captured = capsys.readouterr()
    assert "stream unpacks to more than 100 times its size" in captured.err
    assert "orders-crash" in captured.out


def test_the_page_needs_no_network_and_obeys_nothing(tmp_path: Path) -> None:
    """What a log says is shown: markup in a name is text."""
    hostile = text("crash/broker.log").replace("orders-crash", "<script>x</script>\x1b[31m")
    (tmp_path / "server.log").write_text(hostile)
    page = tmp_path / "story.html"
    assert main(["story", str(tmp_path / "server.log"), "--html", str(page)]) == 0
    html = page.read_text()
    assert "default-src 'none'" in html
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "\x1b" not in html
    assert html.count('class="owns"') == 0  # a broker's log does not tell who has what


def test_the_page_draws_members_and_rebalances(tmp_path: Path) -> None:
    page = tmp_path / "story.html"
    assert (
        main(["story", str(FOLDER / "crash"), "--group", "orders-crash", "--html", str(page)]) == 0
    )
    html = page.read_text()
    assert html.count('class="there"') == 3
    assert html.count('class="owns"') >= 5
    assert html.count('<rect class="band') == 5
    assert "23:33:23.624 generation 3, 2 members" in html


def test_a_key_gives_the_same_stand_ins_in_every_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"0123456789abcdef")
    alone = story(capsys, CRASH, "--redact-key", str(key))
    both = story(capsys, str(FOLDER / "crash"), "--redact-key", str(key))
    groups = {group["group"] for group in both["groups"]}
    assert alone["groups"][0]["group"] in groups
    assert "crash" not in str(groups)
    key.write_bytes(b"fedcba9876543210")
    assert story(capsys, CRASH, "--redact-key", str(key))["groups"][0]["group"] not in groups


def test_a_key_that_is_no_secret_is_refused_in_plain_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key").write_bytes(b"key")
    assert main(["story", CRASH, "--redact-key", "key"]) == 2
    assert capsys.readouterr().err.startswith("kproto: key: a key has 16 bytes and more: ")


def test_outputs_of_tools_are_told_as_looks(capsys: pytest.CaptureFixture[str]) -> None:
    """What a tool prints is of its moment alone; beside a log it is one group."""
    tool = next(FOLDER.glob("crash/tool-*.txt*"))
    told = story(capsys, str(tool), CRASH)
    (group,) = [group for group in told["groups"] if group["group"] == "orders-crash"]
    assert group["rebalances"]
    assert group["looks"][0]["state"] in ("", "Stable")
    assert group["looks"][0]["members"] in (2, 3)
    assert main(["story", str(tool), "--redact", "--full"]) == 0
    assert "orders-crash" not in capsys.readouterr().out


def test_sources_that_tell_nothing_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with its reason; the others are told, however they are packed."""
    (tmp_path / "a.log").write_bytes(b"")
    (tmp_path / "b.log").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "c.log").write_text("nginx: start\n")
    (tmp_path / "d.txt").write_text(
        "GROUP   TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG\n"
    )
    broker = text("crash/broker.log").encode()
    (tmp_path / "e.log.bz2").write_bytes(bz2.compress(broker))
    (tmp_path / "f.log.xz").write_bytes(lzma.compress(text("crash/c1.log").encode()))
    (tmp_path / "g.log").write_bytes(text("crash/c2.log").encode("utf-16"))
    assert main(["story", str(tmp_path), "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        "kproto: d.txt: a table without a row",
        "kproto: b.log: binary, no text (logs may be compressed with gzip, bzip2 or xz)",
        "kproto: a.log: empty",
        "kproto: c.log: no line is about a consumer group",
    ]
    (group,) = json.loads(captured.out)["groups"]
    sources = {place["source"] for event in group["events"] for place in event["places"]}
    assert sources == {"e.log.bz2", "f.log.xz", "g.log"}


@pytest.mark.parametrize(
    "moment", ["20s", "20 s", "20 seconds ago", "20 sec back", "0.3333 minutes ago"]
)
def test_a_time_counts_back_from_the_newest_line(
    moment: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = story(capsys, CRASH, "--since", moment)
    assert [part["generation"] for part in told["groups"][0]["rebalances"]] == [3, 4, 5]


def test_lines_that_are_nearly_known_are_counted_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a release that is newer than this tree: also where nothing else is told."""
    log = tmp_path / "server.log"
    line = (
        "[2026-11-25 23:33:01,181] INFO [GroupCoordinator 1]: Group g regrouped its members (x.Y)"
    )
    log.write_text(f"{line}\n" * 42)
    assert main(["story", str(log), "--full"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("42 lines of server.log look like one about a group (broker)")
    assert "Group g regrouped its members" in out


_SECRETS = ("hunter2", "abcdef99", "pw123", "pw456", "eyJabc")
_WITH_SECRETS = """\
[2026-11-25 23:33:39,434] INFO [<consumer>] (Re-)joining group (x.Y)
[2026-11-25 23:33:40,434] INFO [<consumer>] Member \
zqclient-07b5fb16-bdfb-45d5-8f6a-ccc8343424b9 sending LeaveGroup request to coordinator \
zqhost:9092 (id: 2147483646 rack: null) due to password=hunter2 token=abcdef99 \
https://me:pw123@zqhost/ {"password":"pw456"} Authorization: Bearer eyJabc.def (x.Y)
[2026-11-25 23:33:41,434] INFO [<worker>] Joined group at \
generation 7 with protocol version 2 and got assignment: Assignment{error=0, \
leader='zqclient-2963b656-e4bb-49c8-9834-bf43b5920e9e', leaderUrl='http://zqhost/', offset=9, \
connectorIds=[], taskIds=[], revokedConnectorIds=[], revokedTaskIds=[], delay=8000} with \
rebalance delay: 8000 (x.Y)
[2026-11-25 23:33:49,434] INFO [<worker>] Joined group at \
generation 8 with protocol version 2 and got assignment: Assignment{error=0, \
leader='zqclient-2963b656-e4bb-49c8-9834-bf43b5920e9e', leaderUrl='http://zqhost/', offset=9, \
connectorIds=[zqconnector], taskIds=[zqconnector-0], revokedConnectorIds=[], revokedTaskIds=[], \
delay=0} with rebalance delay: 0 (x.Y)
"""
# In pieces: another test takes this file as one without a line about a group.
_ORIGINS = {
    "<consumer>": "Consumer " + "clientId=zqclient, groupId=zqgroup",
    "<worker>": "Worker " + "clientId=zqclient, groupId=zqgroup",
}


@pytest.mark.parametrize("form", [["--full"], ["--json"], ["--html"]])
@pytest.mark.parametrize("is_redacted", [False, True])
def test_no_output_has_credentials_and_a_redacted_one_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: list[str], is_redacted: bool
) -> None:
    log = tmp_path / "zqfile.log"
    lines = _WITH_SECRETS
    for origin, names in _ORIGINS.items():
        lines = lines.replace(origin, names)
    log.write_text(lines)
    page = tmp_path / "page.html"
    options = [*form, str(page)] if form == ["--html"] else form
    assert main(["story", str(log), *options, *(["--redact"] if is_redacted else [])]) == 0
    out = capsys.readouterr().out + (page.read_text() if page.exists() else "")
    assert "connect-delayed-rebalance" in out
    assert [secret for secret in _SECRETS if secret in out] == []
    assert ("zq" in out) != is_redacted
    if is_redacted:
        assert main(["story", str(log), "--group", "zqgruop", "--redact"]) == 2
        assert "zqgroup" not in capsys.readouterr().err


def test_an_output_of_a_tool_that_is_too_long_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = next(FOLDER.glob("crash/tool-*.txt*"))
    assert main(["story", str(tool)]) == 0
    capsys.readouterr()
    monkeypatch.setattr("kproto.tools.input.story_sources.MAX_BYTES", 600)
    assert main(["story", str(tool)]) == 3
    assert "600 bytes were read" in capsys.readouterr().err


def whole(name: str) -> str:
    """An expression for a name, that is no part of a longer word."""
    first, last = (re.match(r"\w", end) for end in (name[0], name[-1]))
    return ("(?<!\\w)" if first else "") + re.escape(name) + ("(?!\\w)" if last else "")


def test_names_are_hidden_as_an_expression_of_all_of_them_would() -> None:
    chance = random.Random(4)  # noqa: S311
    for _ in range(2_000):
        drawn = ["".join(chance.choices("ab_-. /é:", k=chance.randint(1, 4))) for _ in range(5)]
        names = sorted(set(drawn), key=lambda name: (-len(name), name))
        stand_ins = {name: f"<{number}>" for number, name in enumerate(names)}
        pattern = re.compile("|".join(map(whole, names)))
        sentence = "".join(chance.choices("ab_-. /é:", k=14))
        expected = pattern.sub(lambda match: stand_ins[match[0]], sentence)  # noqa: B023
        assert with_stand_ins(stand_ins)(sentence) == expected


# -- captures

KIP_848 = str(FOLDER.parent / "captures" / "kip-848.pcap.gz")
THREE_CLIENTS = str(FOLDER.parent / "captures" / "three-clients.pcap")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """What is printed, and what is said beside."""
    assert main(["story", *arguments]) == 0
    done = capsys.readouterr()
    return done.out, done.err


def test_a_capture_is_told_frame_by_frame(capsys: pytest.CaptureFixture[str]) -> None:
    text, remarks = printed(capsys, THREE_CLIENTS, "--full")
    assert max(map(len, text.splitlines())) <= 100
    story = [
        "no member here owned anything from 05:22:54.003 to 05:22:54.080 (77 ms)",
        "without an owner  clicks 0-3, orders 0-11, from 05:22:54.003 to 05:22:54.080 (77 ms)",
        "live.range  confluent-kafka-2.16.1-range-2 joins (JoinGroup 5, protocol type",
        "range  subscription v3: topics clicks, orders",
        "live.range  generation 1: confluent-kafka-2.16.1-range-2-87b4 leads, by range",
        "live.range  confluent-kafka-2.16.1-range-2-87b4 assigns in generation 1",
        "live.range  confluent-kafka-2.16.1-range-2-87b4 gets assignment v0: assigned",
        "is told REBALANCE_IN_PROGRESS",
    ]
    words = " ".join(text.split())
    place = 0
    for line in story:
        place = words.index(" ".join(line.split()), place)
    assert "routine frames, which are not in the story" in remarks


def test_a_group_and_a_time_of_a_capture(capsys: pytest.CaptureFixture[str]) -> None:
    choice = ("--group", "modern", "--since", "2026-11-22T15:44:50")
    text, _ = printed(capsys, KIP_848, "--full", *choice)
    frames = text.partition("\n  frames\n")[2]
    assert "15:44:50.430" in frames and "15:44:49" not in frames and "  coop  " not in text
    assert "twin-MJTo gets clicks 2-3, has clicks 0-3, orders 5 in all" in frames


def test_hosts_of_a_capture_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    assert "127.0.0.1" not in printed(capsys, KIP_848, "--full", "--group", "modern")[0]
    text, _ = printed(capsys, KIP_848, "--full", "--group", "modern", "--hosts")
    assert "between  127.0.0.1:" in text
    hidden, _ = printed(capsys, KIP_848, "--full", "--hosts", "--redact")
    assert "127.0.0.1" not in hidden and "twin" not in hidden and "between" in hidden


def test_a_ring_of_captures_is_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Connections go on from file to file, and the places are those of each file."""
    whole = story(capsys, THREE_CLIENTS)
    data = Path(THREE_CLIENTS).read_bytes()
    packets, at = [], 24
    while at < len(data):
        size = int.from_bytes(data[at + 8 : at + 12], "little")
        packets.append(data[at : at + 16 + size])
        at += 16 + size
    for number, part in enumerate((packets[40:], packets[:40])):
        (tmp_path / f"ring.pcap{number}").write_bytes(data[:24] + b"".join(part))
    ring = story(capsys, str(tmp_path))
    places = {place["source"] for event in ring["groups"][0]["events"] for place in event["places"]}
    assert places == {"ring.pcap0", "ring.pcap1"}
    assert [
        (event["time"], event["event"], event["member"]) for event in ring["groups"][0]["events"]
    ] == [
        (event["time"], event["event"], event["member"]) for event in whole["groups"][0]["events"]
    ]


def test_a_group_that_records_do_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    topic = str(FOLDER.parent / "captures" / "offsets-topic")
    assert main(["story", topic, "--group", "sarama.rang"]) == 2
    assert "did you mean 'sarama.range'" in capsys.readouterr().err


def test_a_file_on_standard_input_ends_what_is_followed(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(text("crash/broker.log"))
    with log.open() as file:
        done = subprocess.run(
            [sys.executable, "-m", "kproto", "story", "--follow"],
            stdin=file, capture_output=True, text=True, check=True, timeout=600,
        )  # fmt: skip
    assert "session-expired  The session of c3 ended" in done.stdout


STORING = (
    "2026-11-27 00:17:00.0{0} [group-coordinator-event-processor-1] INFO org.apache.kafka."
    "coordinator.group.GroupMetadataManager - [GroupCoordinator id=1 topic=__consumer_offsets "
    "partition=0] Preparing to rebalance group g in state PreparingRebalance with old generation "
    "{1} (reason: Error {2} when storing group assignmentduring SyncGroup (member: "
    "a-c1c76ce8-882e-4cdf-9fbc-6eae07f3b241).)\n"
)
"""A line of a broker of 4.3.1, as it is printed."""


@pytest.mark.parametrize(
    ("error", "is_too_large"),
    [("UNKNOWN_SERVER_ERROR", True), ("COORDINATOR_NOT_AVAILABLE", False)],
)
def test_an_assignment_that_is_too_large_to_be_stored(
    error: str, is_too_large: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a replica that is missing, or slow, the coordinator says so by other errors."""
    log = tmp_path / "broker.log"
    log.write_text("".join(STORING.format(83 + turn, turn, error) for turn in (1, 2)))
    (group,) = story(capsys, str(log))["groups"]
    causes = {cause["cause"]: cause for cause in group["causes"]}
    assert ("group-record-too-large" in causes) == is_too_large
    if is_too_large:
        cause = causes["group-record-too-large"]
        assert (cause["certain"], cause["rivals"]) == (False, ["broker-fault"])
        assert "twice" in cause["summary"] and len(cause["evidence"]) == 2


@pytest.mark.parametrize("magic", [b"PK\x03\x04", b"7z\xbc\xaf", b"\x28\xb5\x2f\xfd"])
def test_an_archive_is_said_to_be_one(
    magic: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "logs"
    path.write_bytes(magic + bytes(40))
    assert main(["story", str(path)]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"kproto: {path}: ") and ("unpack it" in line or "zstd -dc" in line)


def test_members_that_a_coordinator_has_loaded_are_no_story(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "server.log"
    log.write_text(
        "kafka-1  | [2026-05-02 09:40:31,450] INFO Loaded member MemberMetadata(memberId=app-1, "
        "groupInstanceId=None, clientId=app, clientHost=/172.18.0.45, sessionTimeoutMs=30000, "
        "rebalanceTimeoutMs=30000, supportedProtocols=List(range)) in group ingest with generation "
        "267680. (kafka.coordinator.group.GroupMetadata$)\n"
    )
    assert main(["story", str(log)]) == 1
    told = capsys.readouterr().err
    assert "no line tells what happened in a group" in told
    assert "kproto explain FILE" in told and "kproto decode FILE" in told


def test_what_a_source_without_any_time_tells_is_of_no_moment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The output of a tool says that the group is rebalancing, and not when."""
    (group,) = story(capsys, str(FOLDER / "family-kafkajs"))["groups"]
    undated, *dated = group["rebalances"]
    assert (undated["began"], undated["generation"]) == (None, -1)
    assert all(rebalance["began"].startswith("2026-11-25T23:4") for rebalance in dated)
    assert group["missingGenerations"] == []


def test_how_long_a_round_was_without_an_assignment_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Until the next one began: its leader could not read a member."""
    folder = str(FOLDER / "unreadable-member-stops-leader")
    (group,) = story(capsys, folder)["groups"]
    began = {one["generation"]: one["began"] for one in group["rebalances"]}
    assert (began[2][17:23], began[3][17:23]) == ("46.529", "47.278")
    assert main(["story", folder]) == 0
    assert "generation 2, 2 members, no assignment was seen in 749 ms" in capsys.readouterr().out


_ORIGIN = "[Consumer clientId=c-9, groupId=orders-app] "


@pytest.mark.parametrize("origin", [_ORIGIN, ""], ids=["whole", "copied without its origin"])
def test_a_lone_line_is_told_as_far_as_it_is_known(
    origin: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "app.log"
    log.write_text(
        f"{origin}Offset commit failed on partition orders-3 at offset 4711: The coordinator is "
        "not aware of this member.\n"
    )
    assert main(["story", str(log)]) == 0
    assert "commit-failed" in capsys.readouterr().out

    log.write_text(f"{origin}Notifying assignor about the new Assignment(partitions=[orders-0])\n")
    assert main(["story", str(log)]) == 1  # it tells nothing of a rebalance
    told = capsys.readouterr()
    assert told.out.startswith("app.log:1  ") and "What SyncGroup gave the member" in told.out
    assert ("orders-app" in told.out) == ("c-9" in told.out) == bool(origin)
    assert main(["story", "--redact", str(log)]) == 1
    hidden = capsys.readouterr().out
    assert "SyncGroup" in hidden and not re.search("orders|c-9|app.log", hidden)


def test_an_event_without_a_rebalance_is_told_with_its_meaning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "app.log"
    log.write_text(f"{_ORIGIN}Adding newly assigned partitions: [orders-0]\n")
    assert main(["story", str(log)]) == 0
    assert f"c-9: {MEANINGS['partitions-assigned']}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "capture", ["captures/three-clients.pcap", "captures/four-clients.pcap.gz",
                "reports/bigsync.pcap.gz"]
)  # fmt: skip
def test_captured_rebalances_are_in_the_order_of_time(
    capture: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["story", "--json", str(VECTORS / capture)]) == 0
    for group in json.loads(capsys.readouterr().out)["groups"]:
        times = [
            time for rebalance in group["rebalances"]
            if (time := rebalance["began"] or rebalance["ended"])
        ]  # fmt: skip
        assert times == sorted(times) and len(times) > 1
        joins = [
            (cause["cause"], cause["member"])
            for rebalance in group["rebalances"]
            for cause in rebalance["causes"]
            if cause["cause"] == "member-joined"
        ]
        assert len(joins) == len(set(joins))  # a member joins once, and then joins again
