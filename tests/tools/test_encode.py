"""`kproto encode`: JSON in Kafka's form, as Java writes it, to the bytes that Java writes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture.text import read
from kproto.codec import (
    ConsumerGroupMemberMetadataValue,
    ConsumerProtocolSubscription,
    OffsetCommitKey,
    RawTaggedField,
    decode,
    message_class,
)

from ..capture.written import messages as drawn_messages
from .conftest import Run, each_a_process
from .test_main import one_line
from .test_terminal import on_terminal

SUBSCRIPTION = "ConsumerProtocolSubscription"
JSON = '{"topics": ["a"]}'
LATEST = ConsumerProtocolSubscription.LATEST
NEWEST = f"{ConsumerProtocolSubscription(topics=['a']).to_bytes(LATEST).hex()}\n".encode()
VECTORS = Path(__file__).parents[1] / "vectors" / "consumer-protocol.jsonl"


def test_what_java_wrote(kproto: Run, tmp_path: Path) -> None:
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    valid = [vector for vector in map(json.loads, lines) if vector["kind"] == "valid"]
    for vector in valid[::20]:
        file = tmp_path / "message.json"
        file.write_text(json.dumps(vector["json"]), encoding="utf-8")
        chosen = ["--as", vector["name"], "--version", str(vector["version"])]
        assert kproto("encode", *chosen, file).stdout.decode().strip() == vector["hex"]


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_and_the_newest_version(kproto: Run, arguments: list[str]) -> None:
    done = kproto("encode", "--as", SUBSCRIPTION.lower(), *arguments, stdin=b'{"topics": ["a"]}')
    assert done.stdout == NEWEST


@pytest.mark.parametrize(
    "arguments",
    [
        [SUBSCRIPTION, JSON],
        [JSON, "subscription"],
        ["--as", SUBSCRIPTION, JSON],
        [SUBSCRIPTION, "--version", str(LATEST), JSON],
        [SUBSCRIPTION],
        [SUBSCRIPTION, "-"],
        [SUBSCRIPTION, "FILE"],
        ["FILE", SUBSCRIPTION],
    ],
)
def test_a_name_and_its_json_in_any_order(
    kproto: Run, tmp_path: Path, arguments: list[str]
) -> None:
    file = tmp_path / "message.json"
    file.write_text(JSON)
    words = [file if word == "FILE" else word for word in arguments]
    written = kproto("encode", *words, stdin=JSON.encode()).stdout
    assert written == NEWEST


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([JSON], "as in kproto encode ConsumerProtocolSubscription"),
        (["Subscripton", JSON], "did you mean"),
        ([SUBSCRIPTION, "nothing.json"], "No such file"),
        ([SUBSCRIPTION, JSON, JSON], "one JSON object"),
        (["GroupMetadataKey", SUBSCRIPTION], "one message's name"),
    ],
)
def test_other_first_tries_say_the_right_form(kproto: Run, arguments: list[str], line: str) -> None:
    assert line in one_line(kproto("encode", *arguments, status=2).stderr)


def test_what_has_nothing_in_front(kproto: Run) -> None:
    done = kproto("encode", "--as", "CooperativeStickyUserData", stdin=b'{"generation": 5}')
    assert done.stdout == b"00000005\n"


@pytest.mark.parametrize(
    ("stdin", "line"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "not a JSON object"),
        (b'{"topics": [], "topics": ["a"]}', '"topics" occurs twice'),
        (b'{"topic": []}', 'unknown key "topic"'),
        (b'{"topics": [1]}', "topics[0]"),
        (b'{"topics": ["\\ud800"]}', "topics[0]"),
        (b'{"topics": null}', "topics: null is not allowed"),
        (b'{"generationId": 2147483648}', "generationId: 2147483648 is out of range"),
        (b'{"userData": "%%"}', "userData"),
        (b'{"topics": [null]}', "topics[0]: null is not"),
        (b'{"topics": true}', "topics: true is not a list"),
        (b'{"ownedPartitions": [{"partitions": {}}]}', "ownedPartitions[0].partitions: {}"),
        (b'{"topics": ["' + b"x" * 32768 + b'"]}', "topics[0]"),
    ],
)
def test_what_is_refused_is_one_line(kproto: Run, stdin: bytes, line: str) -> None:
    done = kproto("encode", "--as", SUBSCRIPTION, stdin=stdin, status=1)
    assert line in one_line(done.stderr)
    assert not done.stdout


@pytest.mark.parametrize(
    "form", ["hex", "base64", "raw", "c-array", "go", "java", "python", "rust"]
)
@pytest.mark.parametrize("size", [1, 11, 12, 13, 400])
def test_every_form_can_be_read_again(kproto: Run, form: str, size: int) -> None:
    stdin = json.dumps({"topics": ["t" * size], "generationId": 7}).encode()
    text = kproto("encode", "--as", SUBSCRIPTION, "--output", form, stdin=stdin).stdout
    (chunk,) = read(text, format={"c-array": "c"}.get(form, form)).chunks
    plain = kproto("encode", "--as", SUBSCRIPTION, stdin=stdin).stdout.decode()
    assert chunk.data.hex() == plain.strip()
    assert bytes.fromhex("00000000 00000007 ffff") in chunk.data


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_a_compiler_takes_the_array(kproto: Run, tmp_path: Path) -> None:
    stdin = b'{"topics": ["orders"]}'
    main = "int main(void) { fwrite(consumer_protocol_subscription, 1, sizeof consumer_protocol_subscription, stdout); return 0; }"  # noqa: E501
    array = kproto(
        "encode", "--as", SUBSCRIPTION, "--output", "c-array", stdin=stdin
    ).stdout.decode()
    source, program = tmp_path / "array.c", tmp_path / "array"
    source.write_text(f"#include <stdio.h>\n{array}\n{main}\n", encoding="utf-8")
    subprocess.run(["cc", "-Wall", "-Werror", source, "-o", program], check=True)  # noqa: S607
    written = subprocess.run([program], check=True, capture_output=True).stdout
    assert written == kproto("encode", "--as", SUBSCRIPTION, "--output", "raw", stdin=stdin).stdout


def test_raw_bytes_only_where_no_terminal_is() -> None:
    text = on_terminal("encode", "--as", SUBSCRIPTION, "--output", "raw", "no-such.json", status=2)
    assert "--output raw is for a file or a pipe, not for a terminal" in " ".join(text.split())


def test_the_version_that_stands_in_the_message(kproto: Run) -> None:
    stdin = b'{"version": 7, "latestSupportedVersion": 11, "processId": "AAAAAAAAAAAAAAAAAAAAAQ"}'
    chosen = ["encode", "--as", "SubscriptionInfoData"]
    data = bytes.fromhex(kproto(*chosen, stdin=stdin).stdout.decode())
    assert decode(data, message_class("SubscriptionInfoData")).version == 7
    done = kproto(*chosen, "--version", "6", stdin=stdin, status=1)
    assert "version: the message says 7, and is to be written as 6" in one_line(done.stderr)


@each_a_process
@given(drawn=st.lists(drawn_messages(), min_size=1, max_size=16))
def test_what_decode_prints_is_encoded_again(drawn: list[bytes], kproto: Run) -> None:
    """Messages of all kinds: newer versions, bytes behind the fields, tags that nobody knows."""
    messages = [
        *drawn,
        b"\0\x64" + ConsumerProtocolSubscription(topics=["a"]).to_bytes(3)[2:] + b"new",
        ConsumerProtocolSubscription(topics=["a"]).to_bytes(0) + b"\1\2",
        OffsetCommitKey(group="g", topic="t", partition=3).to_bytes(),
        ConsumerGroupMemberMetadataValue(
            subscribed_topic_names=["t"],
            unknown_tagged_fields=[RawTaggedField(tag=77, data=b"\1")],
        ).to_bytes(),
    ]
    asked = ["decode", "--json", "--format", "hex-lines"]
    lines = kproto(*asked, stdin="\n".join(each.hex() for each in messages).encode())
    done = kproto("encode", stdin=lines.stdout)
    assert done.stdout.decode().split() == [each.hex() for each in messages]
    assert not done.stderr
    (first, *_) = lines.stdout.splitlines()
    assert kproto("encode", "--as", json.loads(first)["name"], stdin=first).stdout.decode() == (
        messages[0].hex() + "\n"
    )


def test_fields_that_had_no_version_in_front(kproto: Run) -> None:
    body = "0000000100016100000000"
    chosen = ["--as", SUBSCRIPTION, "--body", "0"]
    line = kproto("decode", "--json", *chosen, body).stdout
    assert kproto("encode", stdin=line).stdout.decode().strip() == body


def test_a_line_that_was_refused_is_said_and_the_others_are_written(kproto: Run) -> None:
    good, bad = "000000000000ffffffff", "00000000000000"
    lines = [
        *kproto("decode", "--json", "--as", SUBSCRIPTION, bad, status=1).stdout.splitlines(),
        *kproto("decode", "--json", "--as", SUBSCRIPTION, good).stdout.splitlines(),
    ]
    done = kproto("encode", stdin=b"\n".join(lines), status=1)
    assert done.stdout.decode().strip() == good
    assert "line 1: ConsumerProtocolSubscription refused: message: null" in one_line(done.stderr)


@pytest.mark.parametrize(
    ("stdin", "status", "about"),
    [
        (b'{"topics": []}', 2, "the message's name is missing, as in kproto encode Consumer"),
        (b'{"name": "Nope", "schemaVersion": 0, "message": {}}', 2, "there is no message 'Nope'"),
        (b'{"name": "GroupMetadataKey", "schemaVersion": 9, "message": {}}', 1, "no version 9"),
        (b'{"name": "GroupMetadataKey", "schemaVersion": 0, "message": {}, "remainder": 1}', 1,
         "remainder: no hex digits"),
        (b'{"name": "GroupMetadataKey", "schemaVersion": 0, "message": {}, '  # noqa: ISC004
         b'"unknownTaggedFields": [1]}', 1, "unknownTaggedFields"),
        (b"{}\n{}\n", 2, "name is missing"),
        (b"{}\n{\n", 1, "not JSON"),
    ],
)  # fmt: skip
def test_lines_that_cannot_be_encoded(kproto: Run, stdin: bytes, status: int, about: str) -> None:
    assert about in one_line(kproto("encode", stdin=stdin, status=status).stderr)


def test_versions_that_there_are_not(kproto: Run) -> None:
    for version in ("4", "-1"):
        done = kproto("encode", "--as", SUBSCRIPTION, "--version", version, stdin=b"{}", status=2)
        assert f"no version {version}" in one_line(done.stderr)


def test_files_that_there_are_not(kproto: Run) -> None:
    done = kproto("encode", "--as", SUBSCRIPTION, "no-such.json", status=2)
    assert "'no-such.json' cannot be read: No such file" in one_line(done.stderr)


def test_a_version_to_come_has_a_way_to_its_bytes(kproto: Run) -> None:
    words = ("--version", "9", "{}")
    done = kproto("encode", SUBSCRIPTION, *words, status=2)
    assert "no version 9; it has 0-3. Bytes of versions to come: kproto.fuzz" in one_line(
        done.stderr
    )
    done = kproto("encode", "OffsetCommitValue", *words, status=2)  # nobody reads newer ones
    assert "to come" not in one_line(done.stderr)
