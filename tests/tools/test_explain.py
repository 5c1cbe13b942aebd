"""`kproto explain`: the pages of codes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kproto.clients.error_pages import error_pages, errors_in
from kproto.codec.dialect.evolution import RULES as CHANGES
from kproto.codec.read.deviations import CODES
from kproto.fuzz.guarantees.table import GUARANTEES
from kproto.history.causes import CAUSES
from kproto.history.line_meanings import MEANINGS
from kproto.history.symptoms import SYMPTOMS
from kproto.pipeline.audit import RULES
from kproto.pipeline.audit.rules import RULES_OF_LOGS
from kproto.rebalance.client_settings import RULES as SETTING_RULES
from kproto.rebalance.judgements import JUDGEMENTS
from kproto.rebalance.migration import EXPLANATIONS
from kproto.rebalance.shares import OF_SHARES
from kproto.tools.main import main

from .conftest import Run
from .test_main import one_line


def test_a_page(kproto: Run) -> None:
    text = kproto("explain", "KP007").stdout.decode()
    assert text.startswith("KP007: A bool that is neither 0 nor 1")
    for title in ("What it is", "What it means for a running group", "Who writes it"):
        assert f"\n{title}\n" in text
    assert all(len(line) <= 88 for line in text.splitlines())


def test_several_pages_in_any_case(kproto: Run) -> None:
    text = kproto("explain", "kp040", "KP061").stdout.decode()
    assert "KP040: " in text and "KP061: " in text and "kafka-go #1156" in text


ALL_RULES = {**RULES, **{rule.id: rule for rule in RULES_OF_LOGS}}


def test_all_codes_are_listed(kproto: Run) -> None:
    lines = kproto("explain").stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == [*CODES, *ALL_RULES]
    assert [line.split()[2] for line in lines] == [
        *(row.class_ for row in CODES.values()),
        *(rule.severity for rule in ALL_RULES.values()),
    ]


def test_json(kproto: Run) -> None:
    found = [json.loads(line) for line in kproto("explain", "--json").stdout.splitlines()]
    assert [one["code"] for one in found] == [*CODES, *ALL_RULES]
    assert found[0].keys() == {
        *("code", "class", "level", "title", "what", "group", "writers", "action", "see", "prints"),
    }


def test_what_a_client_prints(kproto: Run) -> None:
    """An error that a user has searched for, whole or in part, leads to the code."""
    for text in (
        "There are insufficient bytes available to read assignment from the sync-group response",
        "%3|1|LOG| python: rdbuf.c:834: rd_slice_init_full: Assertion `r == 0' failed.",
        "sync assignment parse failed",
    ):
        pages = [json.loads(line) for line in kproto("explain", "--json", text).stdout.splitlines()]
        assert "KP015" in [page.get("code") for page in pages], text
    printed = kproto("explain", "KP015").stdout.decode()
    assert "What clients print" in printed and "IllegalStateException" in printed


def test_a_rule_of_the_audit(kproto: Run) -> None:
    text = kproto("explain", "rebalance-storm").stdout.decode()
    assert text.startswith("rebalance-storm: The group rebalances without end\nerror\n")
    assert (
        "Thresholds (audit --threshold): generations 10, seconds 600, rejoins 5, repeated 10, "
        "rounds 20." in " ".join(text.split())
    )
    assert "\nWhat to do first\n" in text


def test_every_word_that_is_printed_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        *(name for row in GUARANTEES for name in (row.id, row.title, row.title.lower())),
        *(row.code for row in (*JUDGEMENTS, *OF_SHARES)), *CAUSES, *EXPLANATIONS, *SYMPTOMS,
        *(row.code for row in SETTING_RULES), *CHANGES, *MEANINGS, *ALL_RULES,
    ]  # fmt: skip
    for word in dict.fromkeys(words):
        assert main(["explain", word]) == 0, word
        text = capsys.readouterr().out
        assert "\nWhat it " in text, word


@pytest.mark.parametrize(
    ("text", "said"),
    [("Resetting generation and member id due to: consumer pro-actively leaving the group",
      "joins next as a new member"),
     ("[Consumer clientId=c, groupId=g] Giving away all assigned partitions as lost since",
      "without a commit"),
     ("INFO:kafka.coordinator.consumer:Updated partition assignment: []", "nothing to read"),
     ("Setting offset for partition orders-0 to the committed offset FetchPosition{offset=32}",
      "begins to read"),
     ("CURRENT-OFFSET", "has committed"), ("lag", "to the partition's end"),
     ("Warning: Consumer group 'g' is rebalancing.", "A rebalance is going on"),
     ("rebalance timeout", "rebalance-timeout: "), ("PreparingRebalance", "waits for all members"),
     ("stable", "have their assignment"), ("max.poll.interval.ms", "slow-polls"),
     ("generation", "counts up with every rebalance"), ("cooperative-sticky", "An assignor: "),
     ("blocked", "kproto migrate: "), ("StickyAssignorUserData", "kproto schemas Sticky"),
     ("KAFKA-21117", "partition-not-loadable: "), ("REQTMOUT", "ConnectionLost: ")],
)  # fmt: skip
def test_what_stands_in_logs_and_tools_is_explained(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", text]) == 0
    assert said in " ".join(capsys.readouterr().out.split())
    assert main(["explain", text, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_a_guarantee_and_a_remark(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("G10", "g10-truncated", "truncated"):
        assert main(["explain", word]) == 0
        assert capsys.readouterr().out.startswith("G10-truncated: Bytes that end before")
    assert main(["explain", "idle-member"]) == 0
    assert "while others have several\nwarning\n" in capsys.readouterr().out


@pytest.mark.parametrize("way", ["pipe", "-", "file", "gzip"])
def test_a_text_is_read_from_a_pipe_or_a_file(kproto: Run, tmp_path: Path, way: str) -> None:
    trace = (
        b"Exception in thread main org.apache.kafka.clients.consumer.CommitFailedException: Offset "
        b"commit cannot be completed since the consumer is not part of an active group\n"
        b"\tat ConsumerCoordinator.java:1151\n"
    )
    file = tmp_path / "trace.txt"
    file.write_bytes(gzip.compress(trace) if way == "gzip" else trace)
    word = {"pipe": [], "-": ["-"]}.get(way, [file])
    text = kproto("explain", *word, stdin=file.read_bytes()).stdout.decode()
    assert text.startswith("CommitFailedException: ")


@pytest.mark.parametrize("stdin", ["none", "closed", "not readable"])
def test_without_standard_input_the_codes_are_listed(
    stdin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "stdin").open("w") as file:
        if stdin == "closed":
            file.close()
        monkeypatch.setattr("sys.stdin", None if stdin == "none" else file)
        assert main(["explain"]) == 0
    assert capsys.readouterr().out.startswith("KP001 ")


def test_a_long_log_is_for_the_story(kproto: Run) -> None:
    line = (
        b"[GroupCoordinator 1]: Member c3-1 in group pay has failed, removing it from the group\n"
    )
    done = kproto("explain", stdin=line * 100)
    assert done.stdout.count(b"A line of broker") == 8
    assert "kproto story FILE" in one_line(done.stderr)
    assert kproto("explain", stdin=b"KP007\n").stdout == kproto("explain", "KP007").stdout
    one_line(kproto("explain", "-", status=2).stderr)


def test_a_code_that_there_is_not(kproto: Run) -> None:
    line = one_line(kproto("explain", "KP999", status=2).stderr)
    assert "KP999" in line


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("KP04", "KP040"),
        ("kp40", "KP040"),
        ("7", "KP007"),
        ("KP-061", "KP061"),
        ("KPO40", "KP040"),
        ("rebalance-strom", "rebalance-storm"),
        ("idle-mem", "idle-member"),
        ("G1", "G10-"),
        ("leader-rejoind", "leader-rejoined"),
    ],
)
def test_a_wrong_code_gets_suggestions(kproto: Run, wrong: str, meant: str) -> None:
    line = one_line(kproto("explain", wrong, status=2).stderr)
    assert f"there is no code {wrong!r}; did you mean " in line and meant in line


@pytest.mark.parametrize("client", ["sarama", "Sarama", "franz-go", "java"])
def test_a_client_is_no_code(kproto: Run, client: str) -> None:
    line = one_line(kproto("explain", client, status=2).stderr)
    assert f"{client!r} is a client" in line and f"lint --readers {client.lower()} FILE" in line


@pytest.mark.parametrize("wrong", ["", "[x", "qqqqqqqq"])
def test_nothing_like_it_is_suggested(kproto: Run, wrong: str) -> None:
    assert "did you mean" not in one_line(kproto("explain", wrong, status=2).stderr)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("The group member's supported protocols are incompatible", "INCONSISTENT_GROUP_PROTOCOL"),
        ("Error reading field 'version'", "SchemaException"),
        ("used version: 5; latest supported version: 4", "VersionProbing"),
        ("Attempt to heartbeat failed since group is rebalancing", "REBALANCE_IN_PROGRESS"),
        ("UNKNOWN_SERVER_ERROR", "UNKNOWN_SERVER_ERROR"),
        ("SyncGroup failed: The coordinator is not aware of this member.", "UNKNOWN_MEMBER_ID"),
        ("JoinGroup failed: Broker: Inconsistent group protocol", "INCONSISTENT_GROUP_PROTOCOL"),
        (("%4|1795650144.609|MAXPOLL|m2#consumer-1| [thrd:main]: Application maximum poll interval "
         "(8000ms) exceeded by 342ms: leaving group"), "PollTimeout"),
        # As ConsumerCoordinator, KafkaConsumer and DistributedHerder have them, librdkafka's
        # rdkafka.c, Sarama's errors.go, and kafka-python.
        ("java.lang.IllegalStateException: Coordinator selected invalid assignment protocol: range",
         "AssignmentProtocolUnknown"),
        ("AssertionError: Coordinator selected invalid assignment protocol: range",
         "AssignmentProtocolUnknown"),
        ("Timeout of 60000ms expired before successfully committing offsets", "CommitTimeout"),
        # In both, the producer's alone.
        ("Failed to update metadata after 60000 ms.", "ProducerMetadataTimeout"),
        ("kafka.errors.KafkaTimeoutError: Failed to update metadata after 60.0 secs.",
         "ProducerMetadataTimeout"),
        ("Request cannot be completed because a rebalance is expected", "RebalanceNeededException"),
        (("Cannot complete request momentarily due to stale configuration (typically caused by a "
         "concurrent config change)"), "RebalanceNeededException"),
        ("Local: Erroneous state", "ConsumerClosed"),
        ("kafka: tried to use a consumer group that was closed", "ConsumerClosed"),
        ("Messages are rejected since there are fewer in-sync replicas than required.",
         "NOT_ENOUGH_REPLICAS"),
        ("Local: All broker connections are down", "ConnectionLost"),
        ("kafka: client has run out of available brokers to talk to", "ConnectionLost"),
        (("Fetch position FetchPosition{offset=100} is out of range for partition orders-0, "
         "resetting offset"), "OFFSET_OUT_OF_RANGE"),
    ],
)  # fmt: skip
def test_the_text_of_an_error(kproto: Run, text: str, error: str) -> None:
    done = kproto("explain", text)
    assert f"{error}: " in done.stdout.decode()
    lines = [json.loads(line) for line in kproto("explain", text, "--json").stdout.splitlines()]
    assert error in [line.get("error") for line in lines]


def test_a_line_of_a_log(kproto: Run, tmp_path: Path) -> None:
    line = "[GroupCoordinator 1]: Member c3-1 in group pay has failed, removing it from the group"
    text = kproto("explain", line).stdout.decode()
    assert text.startswith("A line of broker: member-removed; group pay; member c3-1")
    assert "It shows session-expired" in text
    assert text.rstrip().endswith("and why: kproto story LOG --group pay")
    file = tmp_path / "app 1.log"
    file.write_text(line)
    text = kproto("explain", file).stdout.decode()
    assert text.rstrip().endswith(f"kproto story '{file}' --group pay")
    assert str(file) not in kproto("explain", "--redact", file).stdout.decode()


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Member c3-1 in group pay has failed, removing it from the group",
         "A line of broker: member-removed; group pay; member c3-1"),
        ("Request joining group due to: group is already rebalancing",
         "A line of java: heartbeat-refused"),
        ("Current config state offset 5 does not match group assignment 12. Forcing rebalance.",
         "A line of java: connect-offsets-differ"),
        # ConsumerCoordinator's; kafka-python's has the group where this one has "at generation".
        (("Finished assignment for group at generation 5: "
          "{consumer-1=Assignment(partitions=[orders-0])}"),
         "A line of java: leader-assigns; generation 5"),
    ],
)  # fmt: skip
def test_a_message_without_what_stands_before_it(
    capsys: pytest.CaptureFixture[str], message: str, told: str
) -> None:
    assert main(["explain", message]) == 0
    text = capsys.readouterr().out
    assert text.startswith(told)
    assert "unnamed" not in text


def test_errors_have_causes_of_the_closed_set() -> None:
    for page in error_pages().values():
        assert set(page.causes) <= set(CAUSES)
        assert page.texts and page.first
        assert errors_in(page.name)[0] == page
        for text in page.texts:
            assert page in errors_in(f"2026-11-25 WARN {text} (and more)")


def test_text_of_something_else(kproto: Run) -> None:
    done = kproto("explain", "connection reset by peer", status=2)
    assert "no error of a consumer group" in done.stderr.decode()


@pytest.mark.parametrize(
    "wrapping",
    [
        "{}",
        "2026-11-25T23:33:49.123456789Z stdout F {}",
        "broker-1  | {}",
        "Nov 25 23:33:49 host kafka[7]: {}",
        '{{"log":"{}\\n","stream":"stdout","time":"2026-11-25T23:33:49Z"}}',
        '{{"@timestamp":"2026-11-25T23:33:49Z","message":"{}"}}',
    ],
)
def test_a_line_is_explained_in_whatever_stands_around_it(
    capsys: pytest.CaptureFixture[str], wrapping: str
) -> None:
    """What it means, and the cause that the reason in it shows."""
    line = (
        "[2026-11-25 23:33:39,434] INFO [GroupCoordinator 1]: Preparing to rebalance group pay in "
        "state PreparingRebalance with old generation 7 (__consumer_offsets-3) (reason: Removing "
        "member c2-07b5fb16-bdfb-45d5-8f6a-ccc8343424b9 on LeaveGroup; client reason: consumer "
        "poll timeout has expired.) (kafka.coordinator.group.GroupCoordinator)"
    )
    assert main(["explain", wrapping.format(line)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("A line of broker: rebalance-began; group pay; generation 8")
    assert "A rebalance begins; the reason names its first cause alone." in text
    assert "It shows poll-timeout-exceeded" in text


def test_a_known_fault_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "kafka-8653"]) == 0
    text = capsys.readouterr().out
    assert "a known fault of kafka-broker (from 2.3.0 to before 2.3.1)" in text
    assert "https://issues.apache.org/jira/browse/KAFKA-8653" in text


@pytest.mark.parametrize("text", ["error code 27", "27"])
def test_a_code_alone_is_an_error(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", text]) == 0
    assert capsys.readouterr().out.startswith("REBALANCE_IN_PROGRESS")


@pytest.mark.parametrize(("phrase", "code"), [("version 0", "KP040"), ("bytes after", "KP021")])
def test_words_of_a_page_lead_to_it(
    phrase: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", phrase]) == 2
    said = capsys.readouterr().err
    assert "kproto explain KP" in said and code in said
