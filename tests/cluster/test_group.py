"""`kproto group` and its Python face, against a fake broker: lists, one group, files, redaction."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from kproto.cluster import describe_group, describe_group_async, list_groups
from kproto.cluster.errors import MOST_PROBLEMS
from kproto.cluster.saved import lines_of, read_saved
from kproto.codec import ConsumerGroupHeartbeatResponse, ConsumerProtocolSubscription
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Groups, group, member

# A kafka-go Reader's subscription: version 1 on a version 0 body, which Java as leader refuses.
RELABELLED = bytes.fromhex("0001000000010006") + b"orders" + b"\xff\xff\xff\xff"
JAVA = ConsumerProtocolSubscription(topics=["orders"]).to_bytes(version=3)
ESCAPE = "a\x1b[2J\u202eb"


def owning(generation: int, *partitions: int) -> bytes:
    entry = ConsumerProtocolSubscription.TopicPartition(topic="orders", partitions=partitions)
    return ConsumerProtocolSubscription(
        topics=["orders"], owned_partitions=[entry], generation_id=generation
    ).to_bytes(version=3)


def described(*members: Any, name: str = "payments", **more: Any) -> Any:
    with listening(Groups(group(name, *members, **more))) as address:
        return describe_group(name, address, {})


def codes(found: Any) -> dict[str, str]:
    return {remark.code: f"{remark.who} {remark.text}" for remark in found.remarks}


def test_replicas_of_the_groups_partition_that_are_not_in_sync() -> None:
    broker = Groups(group("payments", member("a")))
    broker.topics["__consumer_offsets"] = 50
    broker.replicas, broker.in_sync = (1, 2, 3), (1,)
    with listening(broker) as address:
        (problem,) = [
            problem for problem in describe_group("payments", address, {}).problems
            if "in sync" in problem
        ]  # fmt: skip
    assert problem.startswith("partition 13 of __consumer_offsets, which holds the group, has 1 of")


ALL_OF_IT: dict[str, tuple[int, ...]] = {"orders": (0, 1, 2, 3, 4, 5)}


@pytest.mark.parametrize("more", [(), ("--full",), ("--redact",)])
def test_a_state_that_a_broker_made_up_is_shown_and_not_obeyed(
    more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(Groups(group("payments", member("a"), state=ESCAPE))) as address:
        assert main(["group", "payments", "--bootstrap-server", address, *more]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\u202e" not in out
    assert "[2J" in out


def test_a_group_in_order() -> None:
    found = described(member("a", assigned=ALL_OF_IT))
    (a,) = found.members
    assert (a.client_id, a.host, a.version, a.topics) == ("a", "10.0.0.1", 3, ("orders",))
    assert a.assigned == ALL_OF_IT and a.partitions == 6
    assert a.could_be and all(name.startswith(("kafka", "franz", "plat")) for name in a.could_be)
    assert found.lag == 120
    assert [each.lag for each in found.partitions] == [60, 60, None, None, None, None]
    assert codes(found).keys() == {"no-commit"}


def test_what_is_wrong_between_members() -> None:
    found = codes(
        described(
            member("a", assigned={"orders": (0, 1)}, metadata=owning(7, 0, 1)),
            member("b", assigned={"orders": (1, 2), "other": (0,)}, metadata=owning(7, 1, 2)),
            member("c", metadata=owning(6, 2)),
        )
    )
    assert "orders-3, orders-4, orders-5" in found["nobody-has"]
    assert found["assigned-twice"] == "b-1 orders-1 is assigned to 2 members"
    assert found["claims-contradict"].startswith("b-1 2 members claim orders-1 in one generation")
    assert found["stale-claim"].startswith("c-1 claims orders-2 from an older generation")
    assert "other" in found["not-subscribed"]


def test_a_member_that_could_not_lead() -> None:
    """With a kafka-go Reader in the group a Java leader fails with SchemaException, as measured."""
    found = described(
        member("java", assigned=ALL_OF_IT),
        member("go", metadata=RELABELLED),
    )
    assert "kafka-go Reader" in found.members[0].could_be
    said = [
        f"{remark.who} {remark.text}" for remark in found.remarks if remark.code == "cannot-lead"
    ]
    java = "if it is kafka-clients (3.4 and newer), that cannot read the subscription of go"
    go = "if it is kafka-go Reader, that cannot read the subscription of java"
    assert said == [f"go-1 could not lead: {go}", f"java-1 could not lead: {java}"]
    assert "KP040" in codes(found)


def test_a_member_without_metadata() -> None:
    assert "KP015" in codes(described(member("a", metadata=b"")))


def test_asynchronous_code() -> None:
    with listening(Groups(group("payments", member("a")))) as address:
        found = asyncio.run(describe_group_async("payments", address, {}))
    assert found.group_id == "payments"


@pytest.mark.parametrize(
    "versions",
    [
        {},
        # Apache Kafka 0.11: ListGroups without states, FindCoordinator and OffsetFetch one by one.
        {
            "ApiVersions": 1,
            "DescribeGroups": 1,
            "FindCoordinator": 1,
            "ListGroups": 1,
            "ListOffsets": 2,
            "Metadata": 4,
            "OffsetFetch": 3,
        },
    ],
    ids=["newest", "0.11"],
)
def test_brokers_of_any_age(versions: dict[str, int]) -> None:
    broker = Groups(group("payments", member("a", assigned=ALL_OF_IT)), versions=versions)
    with listening(broker) as address:
        found = describe_group("payments", address, {})
        listing = list_groups(address, {})
    assert (found.lag, found.state) == (120, "Stable")
    (row,) = listing.groups
    assert (row.group_id, row.kind, row.state) == ("payments", "classic", "Stable")
    assert (row.members, row.lag, row.worst) == (1, 120, "")
    assert listing.complete and not listing.problems


@pytest.mark.parametrize(
    ("start", "lag", "code"), [(0, 120, None), (40, 120, None), (90, 20, "below-the-start")]
)
def test_what_is_deleted_does_not_wait(start: int, lag: int, code: str | None) -> None:
    """Two partitions are committed at 40, and end at 100."""
    broker = Groups(group("payments", member("a", assigned=ALL_OF_IT)))
    broker.start = start
    with listening(broker) as address:
        described = describe_group("payments", address, {})
        (row,) = list_groups(address, {}).groups
    assert (described.lag, row.lag) == (lag, lag)
    assert ("below-the-start" in codes(described)) == (code is not None)
    assert {partition.start for partition in described.partitions} == {start, None}


@pytest.mark.parametrize(("younger", "end_before"), [(40, 40), (70, 70), (-1, 100)])
def test_where_partitions_ended_before(younger: int, end_before: int, tmp_path: Path) -> None:
    broker = Groups(group("payments", member("a", assigned=ALL_OF_IT)))
    broker.younger = younger
    file = tmp_path / "payments.jsonl"
    lines: list[bytes] = []
    with listening(broker) as address:
        described = describe_group(
            "payments", address, {}, recorder=lambda *answer: lines.append(lines_of(*answer))
        )
    file.write_bytes(b"".join(lines))
    with file.open("rb") as stream:
        saved = read_saved(stream, file.name).describe("payments")
    for look in (described, saved):
        rows = {row.partition: row.end_before for row in look.partitions}
        assert rows == {0: end_before, 1: end_before} | dict.fromkeys(range(2, 6))


def test_two_looks_tell_rates() -> None:
    with listening(Groups(group("payments", member("a", assigned=ALL_OF_IT)))) as address:
        described = describe_group("payments", address, {}, apart=0.05)
    rates = [(row.arrivals_a_second, row.commits_a_second) for row in described.partitions]
    assert rates[:2] == [(0.0, 0.0)] * 2
    assert all(arrivals == 0.0 and pace is None for arrivals, pace in rates[2:])


# -- the command


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["group", *arguments]) == 0
    return capsys.readouterr().out


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    broker = Groups(
        group("b-group", member("a", assigned=ALL_OF_IT)),
        group("a-group", member("a"), member("b"), state="PreparingRebalance"),
        group("broken", member("go", metadata=RELABELLED), state="Empty"),
    )
    with listening(broker) as address:
        text = shown(capsys, "--bootstrap-server", address)
        by_members = shown(capsys, "--bootstrap-server", address, "--sort", "members", "--json")
        chosen = shown(capsys, "--bootstrap-server", address, "--group", "a-*", "--json")
        assert main(["group", "--bootstrap-server", address, "--group", "a-grup"]) == 2
        assert "did you mean 'a-group'" in capsys.readouterr().err
        assert main(["group", "a-*", "--bootstrap-server", address]) == 2
        assert "--group 'a-*' lists the groups of a pattern" in capsys.readouterr().err
        judged = shown(capsys, "--bootstrap-server", address, "--history")
        worst = shown(capsys, "--bootstrap-server", address, "--history", "--sort", "remark")
        assert "3 groups, by name (--sort remark: the worst first)" in judged
        assert worst.splitlines()[1].startswith("broken") and worst.splitlines()[4] == "3 groups"
    lines = text.splitlines()
    assert lines[0].split() == ["group", "kind", "state", "protocol", "members", "lag", "remark"]
    assert lines[1].split() == ["a-group", "classic", "PreparingRebalance", "range", "2", "120"]
    assert lines[3].split()[:6] == ["broken", "classic", "Empty", "range", "1", "120"]
    assert "the version promises fields that are missing" in lines[3]
    assert lines[4] == "3 groups"
    rows = [json.loads(line) for line in by_members.splitlines()]
    assert [row["group"] for row in rows] == ["a-group", "b-group", "broken"]
    assert [json.loads(line)["group"] for line in chosen.splitlines()] == ["a-group"]


def test_captured_names_are_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """On a terminal, in the list, and in a page."""
    evil = member(ESCAPE, topics=(ESCAPE,), assigned={ESCAPE: (0,)})
    page = tmp_path / "page.html"
    with listening(Groups(group(ESCAPE, evil))) as address:
        texts = [
            shown(capsys, ESCAPE, "--bootstrap-server", address),
            shown(capsys, ESCAPE, "--bootstrap-server", address, "--json"),
            shown(capsys, "--bootstrap-server", address),
        ]
        shown(capsys, ESCAPE, "--bootstrap-server", address, "--html", str(page))
    for text in (*texts, page.read_text()):
        assert "\x1b" not in text and "\u202e" not in text
        assert "[2J" in text


def test_what_is_saved_is_read_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = str(tmp_path / "saved.jsonl")
    broker = Groups(group("payments", member("go", metadata=RELABELLED, assigned=ALL_OF_IT)))
    with listening(broker) as address:
        options = ("--bootstrap-server", address, "--no-history", "--save", file)
        live = shown(capsys, "payments", *options)
    again = shown(capsys, "payments", "--from", file)
    assert again.replace("(1)", "") == live.replace("(1)", "")
    assert "payments" in shown(capsys, "--from", file)
    assert main(["decode", file]) == 0
    assert "payments" in capsys.readouterr().out
    assert main(["lint", file]) == 1
    assert "KP040" in capsys.readouterr().out


@pytest.mark.parametrize("options", [("--redact",), ("--redact-key", "KEY")])
def test_what_is_saved_redacted_is_the_same_diagnosis(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "KEY").write_bytes(bytes(range(32)))
    options = tuple(word.replace("KEY", str(tmp_path / "KEY")) for word in options)
    file, name = str(tmp_path / "saved"), ""
    broker = Groups(
        group("secret", member("secret-go", metadata=RELABELLED, assigned=ALL_OF_IT), member("b"))
    )
    with listening(broker) as address:
        live = (*options, "--bootstrap-server", address)
        for view in ([], ["--json"], ["--full", "--level", "note"]):
            text = shown(capsys, "secret", *live, "--save", file, *view)
            kept = Path(file).read_text()
            name = json.loads(kept)["redactedGroup"]["group"]
            assert "secret" not in kept and name.startswith("<group-")
            assert shown(capsys, name, "--from", file, *view) == text
            assert shown(capsys, "--from", file, *view) == text  # the only group there is
            assert shown(capsys, name.strip("<>"), "--from", file, *view, *options) == text
        for future in ("--what-if=join=1", "--plan=consumer"):
            assert main(["group", name, "--from", file, future]) == 3
            assert "needs members' bytes" in capsys.readouterr().err
        out = str(tmp_path / "audit")
        for words in (["migrate", file], ["story", file], ["audit", file, "--out", out]):
            assert main(words) in (2, 3)
            assert "only kproto group --from FILE reads it" in capsys.readouterr().err
        rows = shown(capsys, *live, "--json", "--save", file)
        assert shown(capsys, "--from", file, "--json") == rows


def test_a_running_cluster_migrates_as_what_was_saved_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broker = Groups(
        group("a-group", member("a", assigned=ALL_OF_IT)),
        group("b-group", member("go", metadata=RELABELLED)),
    )
    broker.answers["ConsumerGroupHeartbeat"] = lambda *_: ConsumerGroupHeartbeatResponse()
    saved = str(tmp_path / "answers.jsonl")
    with listening(broker) as address:
        assert main(["group", "--bootstrap-server", address, "--save", saved]) == 0
        capsys.readouterr()
        assert main(["migrate", f"kafka://{address}", "--json"]) == 1
        of_cluster = capsys.readouterr().out
    assert main(["migrate", saved, "--json"]) == 1
    assert capsys.readouterr().out == of_cluster
    verdicts = {(row["group"], row["verdict"]) for row in map(json.loads, of_cluster.splitlines())}
    assert verdicts == {("a-group", "ready"), ("b-group", "blocked")}


def test_names_are_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    members = (
        member("secret-client", ("secret-topic",), {"secret-topic": (0,)}),
        member("secret-go", metadata=RELABELLED),
    )
    with listening(Groups(group("secret-group", *members))) as address:
        for options in ((), ("--json",), ("--full",)):
            text = shown(
                capsys, "secret-group", "--bootstrap-server", address, "--redact", *options
            )
            assert "secret" not in text and "orders" not in text and "10.0.0.1" not in text
            assert "<group-1>" in text and "<client-1>" in text and "<topic-1>" in text
        text = shown(capsys, "--bootstrap-server", address, "--redact", "--json")
        assert "secret" not in text and "127.0.0.1" not in text


def test_a_setting_that_nobody_knows_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config = tmp_path / "c.properties"
    config.write_text("saslmechanism=PLAIN\n")
    with listening(Groups(group("payments"))) as address:
        assert main(["group", "--bootstrap-server", address, "--command-config", str(config)]) == 0
    assert "saslmechanism is no setting" in capsys.readouterr().err


def test_many_problems_are_counted() -> None:
    names = tuple(f"t{number:03}" for number in range(500))
    with listening(Groups(group("payments", member("a", ("orders", *names))))) as address:
        *told, rest = describe_group("payments", address, {}).problems
    assert len(told) == MOST_PROBLEMS and all("'t0" in problem for problem in told)
    assert rest == f"{len(names) - MOST_PROBLEMS} more problems like these"


def test_a_member_without_a_partition_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """kafka-python lists a topic of which a member has no partition."""
    members = [member(f"m-{number}", assigned={"orders": (number,)}) for number in range(6)]
    idle = member("spare", assigned={"orders": ()})
    with listening(Groups(group("payments", *members, idle))) as address:
        command = ["group", "payments", "--bootstrap-server", address, "--no-history"]
        assert main(command) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "1 of 7 members has nothing (spare): there are 6 partitions. First: Stop" in text
    assert "has orders 0" in text and text.count("has nothing") == 2
    assert "has orders topic" not in text
