"""`kproto migrate`: its sources, its forms of output, and its exit status."""

from __future__ import annotations

import csv
import gzip
import json
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from kproto.inspector.shapes.group_shapes import ClientSupport
from kproto.rebalance.migration import NO_ERROR, ClassicGroup, Plan, Readiness
from kproto.tools.output.migration import JudgedGroup, MigrationView, in_order

from .conftest import Run
from .test_main import one_line

CAPTURES = Path(__file__).parent.parent / "vectors" / "captures"
OFFSETS = CAPTURES / "offsets-topic"
V1_LABEL_ON_V0_BODY = "00010000000100066f7264657273ffffffff"
COUNT_TOO_LARGE = "00000000000500066f7264657273ffffffff"
ORDERS = "00000000000100066f7264657273ffffffff"
USER_DATA = "00000000000100066f726465727300000001000000000000000101"
BROKEN: dict[str, Any] = {
    "group": "broken",
    "protocolType": "consumer",
    "state": "Stable",
    "protocol": "range",
    "members": [
        {
            "member": "m-1",
            "protocols": [{"name": "range", "metadata": V1_LABEL_ON_V0_BODY}],
            "assignment": "",
        }
    ],
}


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def test_json_lines_are_answered_line_by_line(kproto: Run, tmp_path: Path) -> None:
    source = tmp_path / "groups.jsonl"
    empty = {"group": "empty", "protocolType": "connect", "state": "Empty", "members": []}
    source.write_text(f"{json.dumps(BROKEN)}\n\n{json.dumps(empty)}\n", encoding="utf-8")
    second, first = lines(kproto("migrate", source, "--json", status=1).stdout)
    assert first.keys() == {
        "group", "verdict", "rank", "error", "reasons", "later",
        "assignor", "memberCount", "clients", "clientAnswer", "unrest", "next", "away",
        "state", "emptySince", "judgedAsOf",
    }  # fmt: skip
    assert (first["verdict"], first["error"]) == ("blocked", "GROUP_ID_NOT_FOUND")
    (reason,) = first["reasons"]
    assert reason.keys() == {"member", "code", "path", "explanation", "remedy"}
    assert (reason["member"], reason["path"]) == ("m-1", "protocols[range].owned_partitions")
    assert "kafka-go" in reason["explanation"]
    assert second == {
        "group": "empty", "verdict": "ready", "rank": 1, "error": "NONE",
        "reasons": [], "later": [], "assignor": None, "memberCount": 0,
        "clients": [], "clientAnswer": None, "unrest": "", "next": second["next"], "away": [],
        "state": "Empty", "emptySince": None, "judgedAsOf": None,
    }  # fmt: skip
    assert second["next"].startswith("the protocol type is 'connect', not the embedded consumer")
    assert "Leave the group as it is" in second["next"]


@pytest.mark.parametrize(
    ("client", "answer", "beside", "step"),
    [  # what clients have: the table of docs/how-to/move-to-the-next-protocol.md
        ("", "unknown", "clients unknown: ask", "m-1: client library unknown"),
        (
            "kafka-python:3.0.12",
            "no",
            "kafka-python 3.0.12: without the protocol",
            "m-1: kafka-python",
        ),
        ("sarama", "no", "sarama: without the protocol", "m-1: sarama has no"),
        ("librdkafka:2.10", "upgrade", "librdkafka 2.10: check releases", "m-1: librdkafka has"),
        (
            "librdkafka:2.16.1",
            "yes",
            "librdkafka 2.16.1: with the protocol",
            "Take out of the members' configuration",
        ),
    ],
)
def test_a_group_is_ready_by_the_broker_and_its_clients_are_told_beside_it(
    kproto: Run, client: str, answer: str, beside: str, step: str
) -> None:
    protocols = [{"name": "range", "metadata": ORDERS}]
    group = BROKEN | {"members": [{"member": "m-1", "assignment": "", "protocols": protocols}]}
    stated = ["--member-client", f"m-*={client}"] if client else []
    words, stdin = ["migrate", "-", *stated], json.dumps(group).encode()
    (judged,) = lines(kproto(*words, "--json", stdin=stdin).stdout)
    assert (judged["verdict"], judged["error"], judged["reasons"]) == ("ready", "NONE", [])
    assert (judged["assignor"], judged["memberCount"]) == ("range", 1)
    (support,) = judged["clients"]
    assert (judged["clientAnswer"], support["answer"], support["members"]) == (
        answer, answer, ["m-1"]
    )  # fmt: skip
    assert judged["next"].startswith(step)
    list_, plan = (kproto(*words, *more, stdin=stdin) for more in ([], ["--group", "broken"]))
    assert f"  {beside}\n" in list_.stdout.decode()
    text = " ".join(plan.stdout.decode().split())
    assert f"1. {step}" in text
    assert ("no plan to group.protocol=consumer as long as: 1." in text) == (
        answer in ("no", "unknown")
    )
    header, row = csv.reader(
        kproto(*words, "--output", "csv", stdin=stdin).stdout.decode().splitlines()
    )
    cells = dict(zip(header, row, strict=True))
    assert (cells["clientAnswer"], cells["next"]) == (answer, judged["next"])
    assert json.loads(cells["clients"]) == judged["clients"]
    redacted = kproto(*words, "--json", "--redact", stdin=stdin).stdout
    assert b"m-1" not in redacted and b'"<member-1>"' in redacted


def test_a_group_that_the_broker_refuses_is_told_with_the_error_and_its_clients(
    kproto: Run,
) -> None:
    told = kproto("migrate", "-", stdin=json.dumps(BROKEN).encode(), status=1).stdout.decode()
    assert "  clients unknown  GROUP_ID_NOT_FOUND" in told


@pytest.mark.parametrize(
    "stated",
    [
        {"old-*": "librdkafka:2.10", "java-*": "kafka-clients:3.9"},  # both: upgrade first
        {"old-*": "sarama", "java-*": "kafka-python:3.0.12"},  # both: without the protocol
        {"old-*": "librdkafka:2.16.1"},  # the others: unknown
    ],
)
def test_what_comes_next_names_all_members_that_it_is_for(
    kproto: Run, stated: dict[str, str]
) -> None:
    names = ["old-1", "old-2", "java-1", "java-2"]
    protocols = [{"name": "range", "metadata": ORDERS}]
    members = [{"member": name, "assignment": "", "protocols": protocols} for name in names]
    words = [f"--member-client={pattern}={client}" for pattern, client in stated.items()]
    stdin = json.dumps(BROKEN | {"members": members}).encode()
    (judged,) = lines(kproto("migrate", "-", "--json", *words, stdin=stdin).stdout)
    told = [part for part in judged["clients"] if part["answer"] != "yes"]
    assert {name for part in told for name in part["members"]} <= set(
        judged["next"].replace(":", ",").replace(";", ",").replace(" ", "").split(",")
    )


def test_standard_input_and_all_ready(kproto: Run) -> None:
    line = json.dumps({"group": "g", "members": []}).encode()
    assert lines(kproto("migrate", "-", "--json", stdin=line).stdout)[0]["verdict"] == "ready"


def test_an_offsets_topic_of_empty_groups_is_ready(kproto: Run) -> None:
    done = kproto("migrate", OFFSETS, "--json")
    assert {judged["verdict"] for judged in lines(done.stdout)} == {"ready", "moved"}


def test_groups_of_an_offsets_topic_when_they_last_had_members(kproto: Run) -> None:
    done = kproto("migrate", OFFSETS, "--with-members", "--json", status=1)
    blocked = {
        judged["group"]: judged["reasons"][0]["code"]
        for judged in lines(done.stdout)
        if judged["verdict"] == "blocked"
    }
    assert blocked["coop-java+ck"] == "custom-assignor"  # librdkafka leads
    assert blocked["sarama.sticky"] == "custom-assignor"
    assert blocked["kafkago.range"] == "malformed-subscription"
    assert blocked["streams.two"] == "streams-assignor"
    assert blocked["connect-eager"] == "not-a-consumer-group"
    assert blocked.keys().isdisjoint({"java.sticky", "franz.sticky", "aio.sticky", "kp.sticky"})


def test_a_setting_of_the_command_line(kproto: Run) -> None:
    off = ("--set", "group.consumer.migration.policy=disabled")
    done = kproto("migrate", OFFSETS, "--with-members", "--json", *off, status=1)
    assert {judged["verdict"] for judged in lines(done.stdout)} == {"blocked", "moved"}


def test_settings_and_topics_of_the_command_line_complete_json_lines(kproto: Run) -> None:
    share = "00000000000100066f72646572730000000100000000ffffffff"
    members = [
        {"member": name, "protocols": [{"name": "range", "metadata": ORDERS}], "assignment": share}
        for name in "ab"
    ]
    line = BROKEN | {"members": members}
    stdin = json.dumps(line).encode()
    (judged,) = lines(kproto("migrate", "-", "--json", stdin=stdin, status=1).stdout)
    assert judged["verdict"] == "unknown"
    topics = ("--topics", "orders=6")
    (judged,) = lines(kproto("migrate", "-", "--json", *topics, stdin=stdin, status=1).stdout)
    assert judged["reasons"][0]["code"] == "partition-assigned-twice"
    off = ("--set", "group.consumer.migration.policy=disabled")
    (judged,) = lines(kproto("migrate", "-", "--json", *off, stdin=stdin, status=1).stdout)
    assert judged["reasons"][0]["code"] == "upgrade-disabled"
    own = {"settings": {"group.consumer.migration.policy": "upgrade"}}
    stdin = json.dumps(line | own).encode()
    (judged,) = lines(kproto("migrate", "-", "--json", *off, stdin=stdin, status=1).stdout)
    assert judged["reasons"][0]["code"] == "not-told"


def test_packets_tell_all_protocols_of_a_member(kproto: Run) -> None:
    done = kproto("migrate", CAPTURES / "three-clients.pcap", "--with-members", "--json")
    (judged,) = lines(done.stdout)
    assert judged["verdict"] == "ready"


def test_the_bytes_of_one_member(kproto: Run) -> None:
    (judged,) = lines(kproto("migrate", V1_LABEL_ON_V0_BODY, "--json", status=1).stdout)
    assert judged["error"] == "GROUP_ID_NOT_FOUND"
    (judged,) = lines(kproto("migrate", COUNT_TOO_LARGE, "--json", status=1).stdout)
    assert judged["error"] == "UNKNOWN_SERVER_ERROR"
    (judged,) = lines(kproto("migrate", ORDERS, "--json", status=1).stdout)
    assert judged["verdict"] == "unknown"  # an assignment belongs to it
    (judged,) = lines(kproto("migrate", USER_DATA, "--json", status=1).stdout)
    assert judged["reasons"][0]["code"] == "custom-assignor"


def test_a_table_and_the_plan_of_one_group(kproto: Run) -> None:
    done = kproto("migrate", OFFSETS, "--with-members", status=1)
    text = done.stdout.decode()
    assert (
        "88 groups: 62 ready (4 of them not before their clients are replaced), 26 blocked" in text
    )
    assert "88 groups are empty now: judged as of a moment with members" in text
    assert "Stable" not in text
    (counts,) = re.findall(r"^ready groups by their clients: (.*)$", text, re.MULTILINE)
    parts = [int(part.split()[0]) for part in counts.split(", ")]
    assert len(parts) > 1 and sum(parts) == 62
    assert "what changes" not in text
    done = kproto("migrate", OFFSETS, "--with-members", "--group", "franz.sticky")
    assert "what changes" in done.stdout.decode()


def test_a_page(kproto: Run, tmp_path: Path) -> None:
    page = tmp_path / "fleet.html"
    kproto("migrate", OFFSETS, "--with-members", "--html", page, status=1)
    text = page.read_text(encoding="utf-8")
    assert "coop-java+ck" in text
    assert "group.protocol=classic" in text


def test_sarif_has_a_result_for_each_reason(kproto: Run) -> None:
    done = kproto("migrate", OFFSETS, "--with-members", "--output", "sarif", status=1)
    (log,) = json.loads(done.stdout)["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    found = {(rules[result["ruleIndex"]], result["ruleId"]) for result in log["results"]}
    assert all(by_index == by_id for by_index, by_id in found)
    for result in log["results"]:  # a code host refuses a log with a result that has no file
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert ("custom-assignor", "custom-assignor") in found


def test_groups_that_are_empty_now_are_counted(kproto: Run) -> None:
    told = "88 groups are empty now, and the coordinator takes any empty group; --with-members"
    view = kproto("migrate", OFFSETS)
    assert told in " ".join(view.stdout.decode().split())
    assert b"empty now" not in view.stderr
    assert told in kproto("migrate", OFFSETS, "--json").stderr.decode()


@pytest.mark.parametrize("client", ["ck", "franz", "aio", "sarama"])
def test_an_empty_group_is_not_judged_by_who_left_last(kproto: Run, client: str) -> None:
    """In its second generation, the fullest, each had a member of kafka-go, whose bytes no
    coordinator reads; that one left first."""
    words = ["migrate", OFFSETS, "--with-members", "--group", f"leader-{client}+kafkago"]
    (judged,) = lines(kproto(*words, "--json", status=1).stdout)
    assert (judged["verdict"], judged["error"]) == ("blocked", "GROUP_ID_NOT_FOUND")
    assert [reason["code"] for reason in judged["reasons"]] == ["malformed-subscription"]
    assert judged["reasons"][0]["member"].startswith("kafka-go-")
    assert (judged["state"], judged["memberCount"]) == ("Empty", 2)
    assert judged["judgedAsOf"] < judged["emptySince"]


def test_a_group_says_since_when_it_is_empty_and_as_of_when_it_is_judged(
    kproto: Run, tmp_path: Path
) -> None:
    words = ["migrate", OFFSETS, "--with-members", "--group", "leader-ck+kafkago"]
    text = " ".join(kproto(*words, status=1).stdout.decode().split())
    state = "Empty since 2026-11-21 05:20:23, judged as of 05:20:16"
    assert f"leader-ck+kafkago range 2 members {state}" in text
    kproto(*words, "--html", tmp_path / "page", status=1)
    page = (tmp_path / "page").read_text(encoding="utf-8")
    assert state in page and "1 group is empty now" in page


def test_a_shutdown_is_judged_by_every_leader_that_it_had(kproto: Run) -> None:
    """Java led the whole group, and librdkafka, whose assignments have user data, when it was
    alone: a restart of one member after another comes to that, too."""
    group = ["--group", "coop-java+ck"]
    (judged,) = lines(
        kproto("migrate", OFFSETS, "--with-members", *group, "--json", status=1).stdout
    )
    assert (judged["memberCount"], judged["reasons"][0]["code"]) == (1, "custom-assignor")
    (judged,) = lines(
        kproto(
            "migrate", OFFSETS, "--with-members", "--group", "mixed.all.roundrobin", "--json",
            status=1,
        ).stdout
    )  # fmt: skip
    assert (judged["memberCount"], judged["reasons"][0]["code"]) == (7, "malformed-subscription")


@pytest.mark.parametrize(
    ("group", "said", "goal"),
    [
        ("connect-eager", "Connect stays classic", "no plan to group.protocol=consumer"),
        ("streams.two", "its last members were of Kafka Streams", "group.protocol=streams"),
    ],
)
def test_an_empty_group_of_others_than_consumers_is_left_to_them(
    kproto: Run, group: str, said: str, goal: str
) -> None:
    words = ["migrate", OFFSETS, "--group", group]
    (judged,) = lines(kproto(*words, "--json").stdout)
    assert judged["verdict"] == "ready"
    assert re.search("Leave the (group as it is|application classic)", judged["next"])
    assert said in judged["next"] and "group.protocol=consumer" not in judged["next"]
    text = " ".join(kproto(*words).stdout.decode().split())
    assert "ready, 1 group: Leave the " in text and goal in text
    assert "Start the members with group.protocol=consumer" not in text
    ranks = {judged["group"]: judged["rank"] for judged in lines(kproto(
        "migrate", OFFSETS, "--json").stdout)}  # fmt: skip
    assert ranks[group] > ranks["java.sticky"]


def test_records_that_are_compressed(kproto: Run, tmp_path: Path) -> None:
    records = CAPTURES.parent / "reports" / "expire.jsonl"
    packed = tmp_path / "records.jsonl.gz"
    packed.write_bytes(gzip.compress(records.read_bytes()))
    assert kproto("migrate", packed).stdout == kproto("migrate", records).stdout
    packed.write_bytes(packed.read_bytes()[:200])
    assert b"compressed with gzip, and damaged" in kproto("migrate", packed, status=3).stderr


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        (["no-such-file"], 2, "no-such-file"),
        (["kafka://127.0.0.1:1"], 3, "127.0.0.1:1 cannot be reached"),
        (["kafka://"], 2, "no broker is named"),
        ([str(OFFSETS), "--group", "nobody"], 2, "nobody"),
        ([str(OFFSETS), "--set", "group.consumer.max.size=0"], 2, "group.consumer.max.size"),
        ([str(OFFSETS), "--set", "policy"], 2, "NAME=VALUE"),
        ([str(OFFSETS), "--set", "policy=disabled"], 2, "group.consumer.migration.policy"),
        ([str(OFFSETS), "--topics", "orders=x"], 2, "TOPIC=NUMBER"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    kproto: Run, given: list[str], status: int, said: str
) -> None:
    done = kproto("migrate", *given, "--json", status=status)
    assert said in one_line(done.stderr)


def test_a_line_that_is_wrong_is_reported_and_the_others_are_judged(kproto: Run) -> None:
    stdin = b'{"group": "a", "members": []}\n{"group": 7}\n{"group": "b", "members": []}\n'
    done = kproto("migrate", "-", "--json", stdin=stdin, status=1)
    assert [judged["group"] for judged in lines(done.stdout)] == ["a", "b"]
    assert "line 2" in one_line(done.stderr)


def test_a_log_is_called_one(kproto: Run, tmp_path: Path) -> None:
    source = tmp_path / "app.log"
    line = "[2024-03-01 10:00:00,000] INFO [Consumer clientId=c, groupId=g] (Re-)joining group\n"
    source.write_text(line * 100, encoding="utf-8")
    text = one_line(kproto("migrate", source, status=2).stderr)
    assert "is a log" in text and f"kproto story {source}" in text


@pytest.mark.parametrize("text", ["# A document\n\nwith lines\n", "7\n" * 100, "group,state\n"])
def test_a_text_of_another_kind_is_one_error(kproto: Run, text: str) -> None:
    said = one_line(kproto("migrate", "-", stdin=text.encode(), status=2).stderr)
    assert "has no group in it" in said and "kproto help migrate" in said


def test_groups_stand_in_the_order_in_which_to_move_them(kproto: Run) -> None:
    protocols = [{"name": "range", "metadata": ORDERS}]
    member = {"assignment": "", "protocols": protocols}

    def group(name: str, *members: str) -> dict[str, Any]:
        return BROKEN | {"group": name, "members": [{"member": id_} | member for id_ in members]}

    groups = [
        BROKEN,
        group("large", "new-1", "new-2"),
        group("a-python", "py-1"),
        group("unknown", "x-1"),
        group("small", "new-3"),
    ]
    given = "new-*=librdkafka:2.16.1", "py-*=kafka-python:3.0.12"
    stated = [word for text in given for word in ("--member-client", text)]
    stdin = "\n".join(map(json.dumps, groups)).encode()
    judged = lines(kproto("migrate", "-", *stated, "--json", stdin=stdin, status=1).stdout)
    names = ["small", "large", "unknown", "a-python", "broken"]
    assert [(group["group"], group["rank"]) for group in judged] == [
        (name, rank) for rank, name in enumerate(names, 1)
    ]
    table = kproto("migrate", "-", *stated, "--output", "csv", stdin=stdin, status=1).stdout
    assert [row["group"] for row in csv.DictReader(table.decode().splitlines())] == names
    view = kproto("migrate", "-", *stated, stdin=stdin, status=1).stdout.decode()
    places = [view.index(f"  {name}  ") for name in names[:4]]
    assert places == sorted(places)


def test_a_group_whose_clients_lack_the_protocol_waits_for_them(kproto: Run) -> None:
    """Even behind one whose members come and go, which can move as it is."""
    member = {"assignment": "", "protocols": [{"name": "range", "metadata": ORDERS}]}
    groups = [
        BROKEN | {"group": name, "members": [{"member": f"{name}-1"} | member]}
        for name in ("a-python", "rust")
    ]
    stated = ["--member-client=a-*=kafka-python:3.0.12", "--member-client=rust*=librdkafka:2.16.1"]
    stdin = "\n".join(map(json.dumps, groups)).encode()
    told = kproto("migrate", "-", *stated, stdin=stdin).stdout.decode()
    waits = "not before its clients are replaced"
    assert told.startswith(f"2 groups: 2 ready (1 of them {waits})\n")
    alone = kproto("migrate", "-", *stated, "--group=a-*", stdin=stdin).stdout.decode()
    assert alone.startswith(f"1 group: 1 ready ({waits})\n")
    assert waits not in kproto("migrate", "-", *stated, "--group=rust", stdin=stdin).stdout.decode()

    def entry(name: str, answer: str, unrest: str) -> JudgedGroup:
        group = ClassicGroup(name, "consumer", "Stable", unrest=unrest)
        client = ClientSupport(("m-1",), ("x",), answer, "")
        return JudgedGroup(
            group,
            Readiness(name, "ready", NO_ERROR, (), ()),
            Plan(name, "consumer", clients=(client,)),
        )

    fleet = [entry("a", "no", ""), entry("b", "yes", "its members come and go")]
    assert [entry.readiness.group_id for entry in in_order(fleet)] == ["b", "a"]
    console = Console(record=True, width=100)
    with console.capture() as captured:
        console.print(MigrationView(in_order(fleet), has_plans=False))
    view = captured.get()
    assert view.index("\n  b ") < view.index("\n  a ")


def test_blocked_groups_of_one_remedy_stand_together(kproto: Run) -> None:
    judged = lines(kproto("migrate", OFFSETS, "--with-members", "--json", status=1).stdout)
    blocked = [group for group in judged if group["verdict"] == "blocked"]
    remedies = [group["reasons"][0]["remedy"] for group in blocked]
    runs = [remedy for remedy, _ in groupby(remedies)]
    assert len(runs) == len(set(runs)) > 1
    assert [remedies.count(remedy) for remedy in runs] == sorted(
        map(remedies.count, runs), reverse=True
    )


def test_of_many_lines_that_are_no_group_the_first_are_shown(kproto: Run) -> None:
    run = kproto("migrate", "-", stdin=b'{"group": 7}\n' * 100, status=1)
    assert run.stderr.count(b"Expected") == 5
    assert b"95 more lines that are no group" in run.stderr


def test_no_source_needs_more_than_the_light_installation() -> None:
    light = (
        "import sys; sys.modules |= dict.fromkeys(('pyarrow', 'numpy', 'pyspark', 'jpype'));"
        "from kproto.tools.main import main; sys.exit(main())"
    )
    for source in ("three-clients.pcap", "offsets-topic", "frames.jsonl"):
        command = [sys.executable, "-c", light, "migrate", "--json", str(CAPTURES / source)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert lines(done.stdout), done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("output", ["json", "csv", "sarif"])
@pytest.mark.parametrize("option", ["--html", "--svg"])
def test_a_page_or_picture_is_of_the_view(
    kproto: Run, output: str, option: str, tmp_path: Path
) -> None:
    words = ["migrate", "-", option, str(tmp_path / "page"), "--output", output]
    run = kproto(*words, stdin=json.dumps(BROKEN).encode(), status=2)
    assert f"and {option} exclude each other" in run.stderr.decode()


def test_what_is_said_of_a_file_is_no_credential(kproto: Run, tmp_path: Path) -> None:
    (tmp_path / "passwd").write_text("{hello\n")
    run = kproto("migrate", str(tmp_path / "passwd"), status=1)
    assert "passwd, line 1: " in run.stderr.decode() and "[hidden]" not in run.stderr.decode()
