"""`kproto decode`: every kind of input, every kind of answer."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import OffsetCommitKey, OffsetCommitValue, Policy, decode
from kproto.tools.main import main

from .conftest import CAPTURES, Run
from .test_main import one_line

JAVA = CAPTURES / "java-sticky.hex"
BROKEN = CAPTURES / "kafkajs.hex"
SARAMA = "000000000001000473656c66ffffffff"  # its first subscription
SUBSCRIPTION = "ConsumerProtocolSubscription"
NOTE = """// not built in
{ "type": "data", "name": "Note", "validVersions": "0-1", "flexibleVersions": "none", "fields": [
  { "name": "Text", "type": "string", "versions": "0+" },
  { "name": "Stars", "type": "int8", "versions": "1+" } ] }
"""


def seen(stdout: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stdout.splitlines()]


def found(stdout: bytes) -> list[dict[str, Any]]:
    """The same without where they stood."""
    place = {"source", "line", "column"}
    return [{key: one[key] for key in one if key not in place} for one in seen(stdout)]


def test_json(kproto: Run) -> None:
    done = kproto("decode", JAVA, "--json")
    (one,) = seen(done.stdout)
    assert (one["name"], one["version"], one["schemaVersion"]) == (SUBSCRIPTION, 3, 3)
    assert one["message"]["topics"] == ["orders", "t"]
    assert one["message"]["rackId"] == "rack-a"
    assert (one["remainder"], one["deviations"], one["error"]) == ("", [], None)
    assert not done.stderr


def test_json_of_what_is_refused(kproto: Run) -> None:
    done = kproto("decode", BROKEN, "--json", status=1)
    (one,) = seen(done.stdout)
    assert one["message"] is None
    assert one["error"]["kind"] == "truncated"
    assert "truncated at byte 18 in owned_partitions" in one_line(done.stderr)


def test_of_many_that_are_refused_the_first_are_told(kproto: Run, tmp_path: Path) -> None:
    path = tmp_path / "refused.txt"
    path.write_text(BROKEN.read_text().strip().replace("\n", "") + "\n")
    path.write_text(path.read_text() * 100)
    done = kproto("decode", str(path), "--json", status=1)
    assert [one["error"]["kind"] for one in seen(done.stdout)] == ["truncated"] * 100
    lines = done.stderr.decode().splitlines()
    assert sum("message 20 of 100" in line for line in lines) == 1
    assert "80 more messages" in lines[-1]
    assert not any("message 21 of 100" in line for line in lines)


def test_a_tree_elsewhere(kproto: Run) -> None:
    text = kproto("decode", JAVA).stdout.decode()
    assert text.startswith(f"{SUBSCRIPTION} version 3")
    assert "StickyAssignorUserData v1" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_what_was_read_is_shown_before_what_failed(kproto: Run) -> None:
    done = kproto("decode", BROKEN, status=1)
    text = done.stdout.decode()
    assert '"orders"' in text
    assert "truncated at byte 18 in owned_partitions" in text
    assert "--body 0" in text  # what to do next
    assert "truncated" in one_line(done.stderr)


@pytest.mark.parametrize(
    "text",
    [
        SARAMA,
        SARAMA.upper(),
        "0x" + SARAMA,
        " ".join(SARAMA[i : i + 2] for i in range(0, 32, 2)),
        ":".join(SARAMA[i : i + 2] for i in range(0, 32, 2)),
        " ".join("0x" + SARAMA[i : i + 2] for i in range(0, 32, 2)),
        f"{SARAMA[:9]} {SARAMA[9:]}\n",
    ],
)
def test_hex_in_any_spacing(kproto: Run, tmp_path: Path, text: str) -> None:
    (one,) = found(kproto("decode", text, "--json").stdout)
    assert one["message"] == {"topics": ["self"], "userData": None}
    assert found(kproto("decode", "--json", stdin=text.encode()).stdout) == [one]
    (tmp_path / "x.hex").write_text(text, encoding="ascii")
    assert found(kproto("decode", tmp_path / "x.hex", "--json").stdout) == [one]


def test_raw_bytes(kproto: Run, tmp_path: Path) -> None:
    raw = bytes.fromhex(SARAMA)
    (tmp_path / "x.bin").write_bytes(raw)
    (one,) = found(kproto("decode", "-", "--json", stdin=raw).stdout)
    assert one["message"] == {"topics": ["self"], "userData": None}
    assert found(kproto("decode", "--json", tmp_path / "x.bin").stdout) == [one]
    assert found(kproto("decode", "--json", "--format", "raw", stdin=raw).stdout) == [one]


def test_a_name_that_is_hex(kproto: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`cafe` is hex, unless it is said, or has a `/` in it."""
    monkeypatch.chdir(tmp_path)
    Path("cafe").write_text(SARAMA, encoding="ascii")
    cls = ["--as", SUBSCRIPTION, "--json"]
    assert seen(kproto("decode", "cafe", *cls, status=1).stdout)[0]["version"] == -13570
    for arguments in (["./cafe"], ["--file", "cafe"]):
        assert seen(kproto("decode", *arguments, *cls).stdout)[0]["version"] == 0


@pytest.mark.parametrize(
    "text",
    [
        repr(bytes.fromhex(SARAMA)),
        str(list(bytes.fromhex(SARAMA))),
        b64encode(bytes.fromhex(SARAMA)).decode(),
        f"<Buffer {bytes.fromhex(SARAMA).hex(' ')}>",
        f"DEBUG joining with {bytes.fromhex(SARAMA)!r}",
    ],
)
def test_other_forms_as_the_input_itself(kproto: Run, text: str) -> None:
    (one,) = seen(kproto("decode", text, "--json").stdout)
    assert one["message"] == {"topics": ["self"], "userData": None}


def test_several_messages(kproto: Run) -> None:
    text = f"{SARAMA}\n\n{SARAMA[:20]}\n"
    done = kproto("decode", "--json", "--as", SUBSCRIPTION, stdin=text.encode(), status=1)
    assert [one["error"] is None for one in seen(done.stdout)] == [True, False]
    named, refused = done.stderr.decode().splitlines()
    assert "messages could also end elsewhere" in named, (
        "one that does not decode may be two, or a part"
    )
    assert "line 3" in refused


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "line"),
    [
        ([], b"", 2, "standard input is empty"),
        (["-"], b" \n", 2, "standard input is empty"),
        ([""], b"", 2, "INPUT is empty"),
        (["/"], b"", 2, "'/' cannot be read: Is a directory"),
        (["no-such-file"], b"", 2, "'no-such-file' is neither hex nor a file"),
        (["capture20261121"], b"", 2, "neither hex nor a file"),
        (["./no/such"], b"", 2, "neither hex nor a file"),
        (["--file", "cafe"], b"", 2, "'cafe' cannot be read: No such file"),
        (["--hex", "hello"], b"", 1, "'h' is no hex digit"),
        (["a bc"], b"", 1, "3 hex digits, an odd number"),
        ([], b"Just a few words of text.\n", 1, "no bytes were found in this text"),
        (["--format", "runes", "00"], b"", 2, "no text form is called 'runes'"),
        (["--max-bytes", "15", SARAMA], b"", 1, "too large: 16 bytes"),
        (["--max-bytes", "15"], SARAMA.encode(), 1, "limit is 15"),
        (["--max-bytes", "1K", "/dev/zero"], b"", 1, "too large"),
        (["--as", "Subscriptoin", "00"], b"", 2, "there is no message 'Subscriptoin'"),
        (["--as", SUBSCRIPTION, "--reader-version", "9", "00"], b"", 2, "reader_version 9"),
        (["--body", "0", "00"], b"", 2, "--body needs --as"),
        (["--definitions", "no-such", "00"], b"", 2, "no-such: No such file"),
        ([b"\xff\xfe"], b"", 2, r"'\udcff\udcfe' is neither hex nor a file"),
    ],
)
def test_what_cannot_be_read_is_one_line(
    kproto: Run, arguments: list[str], stdin: bytes, status: int, line: str
) -> None:
    done = kproto("decode", *arguments, stdin=stdin, status=status)
    assert line in one_line(done.stderr)
    assert not done.stdout


def test_one_byte(kproto: Run) -> None:
    done = kproto("decode", "00", status=1)
    assert "truncated at byte 0 in version: int16 of 2 bytes, 1 left" in one_line(done.stderr)


def test_a_negative_version(kproto: Run) -> None:
    done = kproto("decode", "--as", SUBSCRIPTION, "ffff00000000ffffffff", status=1)
    assert "version -1" in one_line(done.stderr)


def test_a_future_version(kproto: Run) -> None:
    data = "0064" + SARAMA[4:] + "00000000 ffffffff ffff" + "abcd"
    (one,) = seen(kproto("decode", "--json", data.replace(" ", "")).stdout)
    assert (one["version"], one["schemaVersion"], one["remainder"]) == (100, 3, "abcd")
    assert [deviation["code"] for deviation in one["deviations"]] == ["KP020", "KP021"]
    (one,) = seen(kproto("decode", "--json", "--reader-version", "0", "--as", SUBSCRIPTION,
                         data.replace(" ", "")).stdout)  # fmt: skip
    assert one["schemaVersion"] == 0


@pytest.mark.parametrize("body_version", [0, 1, 3, 7, -1, 40000])
@pytest.mark.parametrize("option", ["--body-version", "--body"])
def test_a_body_version_is_judged_as_by_the_library(
    kproto: Run, option: str, body_version: int
) -> None:
    data = bytes.fromhex(SARAMA)[2:]
    found = decode(data, SUBSCRIPTION, policy=Policy.LENIENT, body_version=body_version)
    status = 0 if found.complete else 1
    given = ["--as", SUBSCRIPTION, f"{option}={body_version}", "--json", data.hex()]
    (shown,) = seen(kproto("decode", *given, status=status).stdout)
    assert (shown["version"], shown["schemaVersion"]) == (found.version, found.schema_version)
    assert (shown["error"] is None) is found.complete
    codes = [deviation.code for deviation in found.deviations]
    assert [deviation["code"] for deviation in shown["deviations"]] == codes


@pytest.mark.parametrize(
    ("policy", "data", "status"),
    [
        ("kafka", SARAMA + "01", 0),
        ("strict", SARAMA + "01", 1),
        ("strict", SARAMA, 0),
        ("lenient", SARAMA[:20], 0),
        ("kafka", SARAMA[:20], 1),
    ],
)
def test_the_policy_decides_the_status(kproto: Run, policy: str, data: str, status: int) -> None:
    arguments = ["--as", SUBSCRIPTION, "--policy", policy, data]
    kproto("decode", *arguments, status=status)
    kproto("decode", "--json", *arguments, status=status)


def test_rivals_are_named(kproto: Run) -> None:
    empty = "000000000000ffffffff"
    assert "ConsumerProtocolAssignment" in kproto("decode", empty).stdout.decode()
    done = kproto("decode", "--json", empty)
    assert "--as ConsumerProtocolAssignment" in one_line(done.stderr)
    done = kproto("decode", "--json", empty, "--as", "consumerprotocolassignment")
    assert seen(done.stdout)[0]["name"] == "ConsumerProtocolAssignment"
    assert not done.stderr


def test_a_body_without_its_version(kproto: Run) -> None:
    done = kproto("decode", "--json", "--as", SUBSCRIPTION, "--body", "0", SARAMA[4:])
    assert seen(done.stdout)[0]["message"] == {"topics": ["self"], "userData": None}


def test_a_layout_without_a_version_is_read_as_what_fits(kproto: Run) -> None:
    sticky = "00000001 0001 74 00000001 00000005"
    for data, version in ((sticky, 0), (sticky + "00000007", 1)):
        done = kproto("decode", "--json", "--as", "StickyAssignorUserData", data)
        assert seen(done.stdout)[0]["version"] == version


def test_definitions_that_are_not_built_in(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "Note.json"
    file.write_text(NOTE, encoding="utf-8")
    note = ["decode", "--json", "--definitions", str(file), "--body", "1", "0002 6869 05"]
    for arguments in (note, [*note, "--as", "Note"]):
        (one,) = seen(kproto(*arguments).stdout)
        assert one["message"] == {"text": "hi", "stars": 5}
    file.write_text("{}", encoding="utf-8")
    assert "Note.json" in one_line(kproto(*note, status=2).stderr)


def test_a_name_cannot_act_on_the_terminal(kproto: Run) -> None:
    name = "\x1b[2J\u202e\x9b[bold]\x7f\udcff".encode(errors="surrogateescape")
    data = b"\0\0\0\0\0\1" + len(name).to_bytes(2, "big") + name + b"\xff\xff\xff\xff"
    for arguments in (["--json"], [], ["--color", "always"], ["--color", "never"]):
        done = kproto("decode", data.hex(), *arguments)
        text = (done.stdout + done.stderr).decode()
        assert "\x1b[2J" not in text
        assert not {"\u202e", "\x9b", "\x7f"} & set(text)
    assert "␛[2J" in kproto("decode", data.hex()).stdout.decode()


def test_an_output_that_knows_ascii_alone(kproto: Run) -> None:
    name = "日本".encode()
    data = b"\0\0\0\0\0\1" + len(name).to_bytes(2, "big") + name + b"\xff\xff\xff\xff"
    done = kproto("decode", data.hex(), PYTHONIOENCODING="ascii")
    assert r'"\u65e5\u672c"' in done.stdout.decode("ascii")


def test_colour_where_it_is_asked_for(kproto: Run) -> None:
    coloured = kproto("decode", "--color", "always", JAVA, COLUMNS="140").stdout.decode()
    assert "\x1b[" in coloured
    assert (
        "6f 72 64 65" in coloured.replace("\x1b", "\x1b").replace("m ", " ") or "orders" in coloured
    )
    assert "\x1b" not in kproto("decode", "--color", "never", JAVA).stdout.decode()


def test_what_was_decoded_can_be_encoded(kproto: Run) -> None:
    (one,) = seen(kproto("decode", JAVA, "--json").stdout)
    done = kproto(
        *("encode", "--as", one["name"], "--version", str(one["version"])),
        stdin=json.dumps(one["message"]).encode(),
    )
    assert done.stdout.decode() == JAVA.read_text(encoding="ascii").strip() + "\n"


def test_a_file_that_resembles_no_message(kproto: Run, tmp_path: Path) -> None:
    picture = tmp_path / "chart.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3)
    said = b"the bytes resemble no built-in message; they begin like a PNG picture"
    done = kproto("decode", picture, status=1)
    assert done.stdout.startswith(b"no message") and said in done.stdout
    assert b"Consumer" not in done.stdout + done.stderr
    (line,) = seen(kproto("decode", "--json", picture, status=1).stdout)
    assert line["name"] is line["version"] is line["message"] is None
    assert line["error"]["explanation"].encode() == said
    assert said in kproto("lint", picture, status=1).stderr
    assert said in kproto("decode", "--field", "topics", picture, status=1).stderr
    kproto("decode", "--policy", "lenient", picture)
    named = kproto("decode", "--as", SUBSCRIPTION, picture, status=1)
    assert named.stdout.startswith(SUBSCRIPTION.encode())


def as_console_consumer(data: bytes) -> str:
    """What Bytes.toString of Java prints."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02X}" for byte in data
    )


def test_a_key_tells_what_the_value_beside_it_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As the console consumer prints them, alone and between other lines."""
    key = OffsetCommitKey(group="g", topic="orders", partition=3).to_bytes(0)
    # Bytes.toString prints what ASCII has as it is: the last byte is a blank.
    value = OffsetCommitValue(offset=22, metadata="", commit_timestamp=1558004728864).to_bytes(3)
    line = "\t".join(map(as_console_consumer, (key, value)))
    for text in (line, f"{line}\n{line}\nProcessed a total of 2 messages\n", f"INFO x\n{line}\n"):
        (tmp_path / "records.txt").write_text(text)
        main(["decode", "--json", str(tmp_path / "records.txt")])
        captured = capsys.readouterr()
        reports = [json.loads(report) for report in captured.out.splitlines()]
        names = [report["name"] for report in reports]
        assert names == ["OffsetCommitKey", "OffsetCommitValue"] * (len(names) // 2) != []
        assert not any("rivals" in report for report in reports)
        assert not any(report["remainder"] or report["error"] for report in reports)
        assert "no message at all" not in captured.err


def test_blanks_behind_a_message_that_was_copied_are_not_its_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    value = OffsetCommitValue(offset=22, metadata="", commit_timestamp=1558004728865).to_bytes(3)
    (tmp_path / "value.txt").write_text(as_console_consumer(value) + "  \n")
    main(["decode", "--json", "--as", "OffsetCommitValue", str(tmp_path / "value.txt")])
    (report,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (report["remainder"], report["message"]["commitTimestamp"]) == ("", 1558004728865)
