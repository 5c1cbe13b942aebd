"""`kproto lint`: what is found, how it is told, and how the call ends."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription, GroupMetadataValue
from kproto.codec.read.deviations import CODES

from .conftest import CAPTURES, Run
from .test_main import one_line

CLEAN = ConsumerProtocolSubscription(topics=["a", "b"]).to_bytes(3).hex()
KAFKA_JS = CAPTURES / "kafkajs.hex"
LIBRDKAFKA = "000300000001000473656c660000000000000000ffffffff0000"


def lines(kproto: Run, *arguments: str | Path, status: int = 1) -> list[dict[str, Any]]:
    done = kproto("lint", "--json", *arguments, status=status)
    return [json.loads(line) for line in done.stdout.splitlines()]


def codes(found: list[dict[str, Any]]) -> set[str]:
    return {finding["code"] for one in found for finding in one["findings"]}


# -- text


def test_clean(kproto: Run) -> None:
    writers, total = kproto("lint", CLEAN).stdout.decode().splitlines()
    assert writers.startswith("1 message without findings could have been written by kafka-clients")
    assert total == "1 message, no findings"


def test_who_could_have_written_messages_without_findings(kproto: Run) -> None:
    """They are counted by who could have written them, the most first."""
    capture = CAPTURES / "three-clients.pcap"
    text = kproto("lint", str(capture), status=1).stdout.decode()
    told = re.findall(
        r"^(\d+) messages? without findings could have been written by (.*)$", text, re.MULTILINE
    )
    clean = Counter(
        " ".join(found["couldBe"]) for found in lines(kproto, str(capture)) if not found["findings"]
    )
    assert [int(count) for count, _ in told] == sorted(clean.values(), reverse=True)


def test_what_kafkajs_sent(kproto: Run) -> None:
    text = kproto("lint", KAFKA_JS, status=1).stdout.decode().splitlines()
    assert text[0].endswith("kafkajs.hex: ConsumerProtocolSubscription version 1")
    assert text[1].startswith("  KP040 error  ") and text[2].startswith("  KP061 note  ")
    assert text[3] == "  could have been written by kafka-go Reader, kafkajs (before 2.2.2)"
    assert text[4] == "2 findings (1 error, 1 note) in 1 of 1 message"


def test_nobody_writes_that(kproto: Run) -> None:
    text = kproto("lint", CLEAN + "00", status=1).stdout.decode()
    assert "KP021 warning" in text and "no client that was measured writes this" in text


def test_what_is_captured_is_shown_not_obeyed(kproto: Run) -> None:
    twice = ConsumerProtocolSubscription(topics=["\x1b[31m\u202e", "\x1b[31m\u202e"]).to_bytes(0)
    text = kproto("lint", twice.hex(), status=1).stdout.decode()
    assert "\x1b" not in text and "\u202e" not in text


def test_the_same_bytes_are_told_of_once(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{LIBRDKAFKA}\n\n{LIBRDKAFKA}\n\n{LIBRDKAFKA}\n", encoding="ascii")
    text = kproto("lint", file, status=1).stdout.decode()
    assert text.count("KP062") == 1 and "\n4 more in bytes that were reported above" in text
    assert "6 findings (6 notes) in 3 of 3 messages" in text


def test_the_level_that_fails(kproto: Run) -> None:
    """All findings are printed; the worse ones of them make the status."""
    notes = kproto("lint", LIBRDKAFKA, status=1).stdout
    for level, status in {"error": 0, "warning": 0, "note": 1, "never": 0}.items():
        assert kproto("lint", LIBRDKAFKA, "--fail-on", level, status=status).stdout == notes
    kproto("lint", KAFKA_JS, "--fail-on", "error", status=1)
    kproto("lint", KAFKA_JS, "--fail-on", "never", status=0)
    kproto("lint", KAFKA_JS, "--fail-on", "never", "--readers", "java", status=1)


# -- what readers would do


def test_what_readers_would_do(kproto: Run) -> None:
    text = kproto("lint", KAFKA_JS, "--readers", "sarama,java-4.4", status=1).stdout.decode()
    assert "  readers, measured with these very bytes\n" in text
    assert re.search(r"sarama +Sarama 1\.61\.1 takes what Kafka refuses: as", text)
    assert re.search(r"java-4\.4 +kafka-clients .* refuses it: SchemaException", text)
    assert text.endswith("; 1 message that a named client refuses, misreads or does not survive\n")


def test_what_all_readers_would_do_is_no_failure(kproto: Run) -> None:
    fields = "000300000001000161ffffffff00000001000161000000010000000000000007ffff"
    text = kproto("lint", fields, "--readers", "all", status=0).stdout.decode()
    shown = re.search(
        r"\n  (\d+) of \d+ readers read it, (\d+) of them without showing all fields;", text
    )
    assert shown is not None and int(shown[2]) == text.count(" reads it: shows no ") < int(shown[1])
    end = "1 message that some client refuses, misreads or does not survive (this counts for the "
    assert f"1 message, no findings; {end}exit status where clients are named: --readers " in text
    text = kproto("lint", fields, "--readers", "java", status=0).stdout.decode()
    assert text.endswith("1 message, no findings; no client refuses or misreads any\n")


def test_clean_bytes_that_a_reader_refuses(kproto: Run) -> None:
    """Version 3, which kafka-go's DescribeGroups has never read."""
    clean = "000300000001000161ffffffff00000000ffffffffffff"
    kproto("lint", clean, "--readers", "java-2.4", status=0)
    (found,) = lines(kproto, clean, "--readers", "kafka-go-describe")
    (reader,) = found["readers"]
    assert found["findings"] == [] and reader["outcome"] == "refuses it" and reader["nearest"]


def test_readers_of_other_messages_are_not_asked(kproto: Run) -> None:
    text = kproto(
        "lint", "0002000167", "--as", "GroupMetadataKey", "--readers", "librdkafka", status=0
    ).stdout.decode()
    assert text == "1 message, no findings; none of these readers reads such a message\n"


def test_who_cannot_read_it_comes_first(kproto: Run) -> None:
    """A question about all clients is no failure of the bytes."""
    clean = "0001000000010005656d61696cffffffff00000000"
    text = kproto("lint", clean, "--readers", "all", status=0).stdout.decode()
    assert kproto("lint", clean, "--readers").stdout.decode() == text
    verdict = r"^  (\d+) of (\d+) readers read it; these refuse it: (.+)$"
    number = re.search(verdict, text, re.MULTILINE)
    assert number is not None and number[3] == "kafka-go-reader"
    assert int(number[1]) == int(number[2]) - 1 > 20
    assert text.index("kafka-go-reader    ") < text.index("aiokafka    ")
    kproto("lint", clean, "--readers", "java-2.4,kafka-go-reader", status=1)
    kproto("lint", clean, "--readers", "all,java-2.4", status=0)
    kproto("lint", clean, "--readers", "all,kafka-go", status=1)


def test_who_cannot_read_it_comes_before_the_findings(kproto: Run) -> None:
    text = kproto("lint", KAFKA_JS, "--readers", "all", status=1).stdout.decode()
    heading, verdict, *rest = text.splitlines()
    assert heading.startswith(str(KAFKA_JS)) and " readers read it; these refuse it: " in verdict
    assert rest[0].startswith("  KP040 error")


def test_readers_that_there_are_not(kproto: Run) -> None:
    done = kproto("lint", CLEAN, "--readers", "nobody", status=2)
    assert b"no reader 'nobody' was measured; there are: aiokafka, " in done.stderr
    swallowed = kproto("lint", "--readers", CLEAN, status=2)
    assert b"an INPUT goes in front of --readers" in swallowed.stderr
    for nobody in ("", " , "):
        kproto("lint", CLEAN, "--readers", nobody, status=2)
    kproto("lint", CLEAN, "--readers", "all", "--output", "sarif", status=2)


# -- what it takes


def test_several_inputs_and_a_pipe(kproto: Run) -> None:
    found = lines(kproto, LIBRDKAFKA, KAFKA_JS)
    hexes, file = (one["source"] for one in found)
    assert LIBRDKAFKA.startswith(hexes.removesuffix("...")) and file == str(KAFKA_JS)
    piped = kproto("lint", "--json", stdin=LIBRDKAFKA.encode(), status=1)
    assert json.loads(piped.stdout)["source"] == "standard input"


@pytest.mark.parametrize("how", ["--json", "--output=sarif"])
def test_hex_that_is_longer_than_the_name_of_a_file(kproto: Run, how: str) -> None:
    names = [f"topic-{number:03}" for number in range(300, 0, -1)]
    data = ConsumerProtocolSubscription(topics=names).to_bytes(0).hex()
    assert b"KP060" in kproto("lint", data, how, status=1).stdout


def test_what_is_too_large_to_be_searched_is_said(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "large.bin"
    names = [f"{number:07}" for number in range(300_000)]
    file.write_bytes(ConsumerProtocolSubscription(topics=names).to_bytes(0))
    done = kproto("lint", file, status=1)
    assert b"message too large to be searched for what deviates (1 time" in done.stderr


def test_a_name_and_a_version(kproto: Run) -> None:
    data = ConsumerProtocolSubscription(topics=["b", "a"]).to_body(1).hex()
    (found,) = lines(kproto, data, "--as", "ConsumerProtocolSubscription", "--body", "1")
    assert found["version"] == 1 and codes([found]) == {"KP060"}


@pytest.mark.parametrize("name", ["loopback.pcap", "frames.jsonl", "offsets-topic"])
def test_captures(kproto: Run, name: str) -> None:
    """Down to the members' user data; each place is said."""
    done = kproto("lint", "--json", CAPTURES / name, status=1)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"KP060", "KP061", "KP062"} <= codes(found)
    assert all(one["place"] for one in found)
    assert any(one["path"] for one in found)
    assert b" read" in done.stderr


def test_a_folder_of_all_sorts(kproto: Run, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one.hex").write_text(LIBRDKAFKA, encoding="ascii")
    (tmp_path / "two.bin").write_bytes(bytes.fromhex(LIBRDKAFKA))
    (tmp_path / "notes.md").write_text("Nothing here.", encoding="ascii")
    done = kproto("lint", "--json", tmp_path, status=1)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(one["source"]).name for one in found] == ["two.bin", "one.hex"]
    assert b"skipped: file: no bytes were found in this text (1 time; first: " in done.stderr


def test_what_never_ends_in_a_folder(kproto: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a-pipe")
    (tmp_path / "b-zeros").symlink_to("/dev/zero")
    (tmp_path / "c-gone").symlink_to("nowhere")
    (tmp_path / "d-round").symlink_to(tmp_path)
    (tmp_path / "one.hex").write_text(LIBRDKAFKA, encoding="ascii")
    done = kproto("lint", "--json", tmp_path, status=1)
    assert len(done.stdout.splitlines()) == 1
    assert b"file: no regular file (3 times; first: " in done.stderr
    assert b"Is a directory" in kproto("lint", "/", status=2).stderr


def test_a_folder_of_nothing(kproto: Run, tmp_path: Path) -> None:
    kproto("lint", tmp_path, status=1)


@pytest.mark.parametrize(
    "arguments",
    [["no-such-file"], [CLEAN, "--as", "Nothing"], [CLEAN, "--select", "XX"], ["--level", "x"],
     [CLEAN, "--baseline", "no-such-file"], [CLEAN, "--json", "--output", "sarif"]],
)  # fmt: skip
def test_wrong_use(kproto: Run, arguments: list[str]) -> None:
    one_line(kproto("lint", *arguments, status=2).stderr)


# -- what counts


def test_levels_and_selections(kproto: Run) -> None:
    assert codes(lines(kproto, KAFKA_JS)) == {"KP040", "KP061"}
    assert codes(lines(kproto, KAFKA_JS, "--level", "error")) == {"KP040"}
    assert codes(lines(kproto, KAFKA_JS, "--ignore", "KP04")) == {"KP061"}
    assert codes(lines(kproto, KAFKA_JS, "--select", "KP061,KP062")) == {"KP061"}
    assert (
        codes(lines(kproto, KAFKA_JS, "--select", "KP061", "--level", "error", status=0)) == set()
    )
    assert codes(lines(kproto, LIBRDKAFKA, "--level", "warning", status=0)) == set()


def test_a_baseline(kproto: Run, tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    done = kproto("lint", KAFKA_JS, "--write-baseline", baseline)
    assert done.stdout == b"" and b"2 findings written to " in done.stderr
    known = json.loads(baseline.read_bytes())["findings"]
    assert {one["code"] for one in known} == {"KP040", "KP061"}
    done = kproto("lint", KAFKA_JS, "--baseline", baseline)
    assert b"2 in the baseline" in done.stdout
    # The same bytes elsewhere, written otherwise and inside of others, are known as well.
    raw = tmp_path / "raw.bin"
    raw.write_bytes(bytes.fromhex(KAFKA_JS.read_text(encoding="ascii")))
    kproto("lint", raw, "--baseline", baseline)
    member = GroupMetadataValue.MemberMetadata(subscription=raw.read_bytes())
    group = GroupMetadataValue(protocol_type="consumer", members=[member]).to_bytes(3).hex()
    kproto("lint", group, "--baseline", baseline)
    kproto("lint", KAFKA_JS, LIBRDKAFKA, "--baseline", baseline, status=1)


def test_a_baseline_of_nothing(kproto: Run, tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    kproto("lint", CLEAN, "--write-baseline", baseline)
    assert json.loads(baseline.read_bytes()) == {"findings": []}
    kproto("lint", KAFKA_JS, "--baseline", baseline, status=1)


def test_a_file_that_is_no_baseline(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text("[1]", encoding="ascii")
    line = one_line(kproto("lint", CLEAN, "--baseline", file, status=3).stderr)
    assert "--baseline" in line and "cannot be read" in line


# -- for programs


def test_the_fingerprint(kproto: Run) -> None:
    (found,) = lines(kproto, LIBRDKAFKA)
    assert found["couldBe"] == ["librdkafka 2.2 and newer"]
    assert found["ruledOut"]["librdkafka 1.6 to 2.1"] == "writes version 1, not 3"
    (clean,) = lines(kproto, CLEAN, status=0)  # which has one as well
    assert "kafka-clients 3.4 and newer" in clean["couldBe"] and clean["findings"] == []


def test_sarif(kproto: Run, tmp_path: Path) -> None:
    """Checked against the schema of SARIF 2.1.0 when it was written; here the parts that count."""
    raw = tmp_path / "a file.bin"
    raw.write_bytes(bytes.fromhex(LIBRDKAFKA))
    done = kproto("lint", "--output", "sarif", raw, KAFKA_JS, KAFKA_JS, status=1)
    log = json.loads(done.stdout)
    assert log["version"] == "2.1.0" and "sarif-schema-2.1.0" in log["$schema"]
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"] and result["level"] in ("error", "warning", "note")
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["region"].keys() == {"byteOffset"}
        assert 0 <= place["artifactLocation"]["index"] < len(run["artifacts"])
        assert place["artifactLocation"]["uri"] in {raw.as_uri(), KAFKA_JS.as_uri()}
    by_code = {result["ruleId"]: result for result in run["results"]}
    assert by_code["KP040"]["occurrenceCount"] == 2
    assert by_code["KP062"]["occurrenceCount"] == 1
    # In a file of nothing else an offset is one of the file; elsewhere one of the message in it.
    whole = by_code["KP062"]["locations"][0]["physicalLocation"]["artifactLocation"]["index"]
    assert run["artifacts"][whole] == {"location": {"uri": raw.as_uri()}}
    inner = by_code["KP040"]["locations"][0]["physicalLocation"]["artifactLocation"]["index"]
    parent = run["artifacts"][run["artifacts"][inner]["parentIndex"]]
    assert parent == {"location": {"uri": KAFKA_JS.as_uri()}}


def test_sarif_of_nothing(kproto: Run) -> None:
    log = json.loads(kproto("lint", "--output", "sarif", CLEAN).stdout)
    assert log["runs"][0]["results"] == []
