"""Values that a log, a terminal or a mail has cut or broken, and bytes that were printed as
characters: what is there is read, and no more."""

from __future__ import annotations

import html
import json
import quopri
from base64 import b32encode, b64encode
from collections.abc import Callable
from pprint import pformat
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kproto.capture.chunks import DumpedRecord
from kproto.capture.text import CaptureError, Chunk, read
from kproto.codec import ConsumerProtocolAssignment as Assignment
from kproto.codec import ConsumerProtocolSubscription, GroupMetadataKey, OffsetCommitKey
from kproto.inspector.evidence import MessageJudge

FRONT = "2026-11-26 10:03:12,123 DEBUG [consumer-1] o.e.Foo - assignment="


def assignment(topic: str, partitions: list[int]) -> bytes:
    entry = Assignment.TopicPartition(topic=topic, partitions=partitions)
    return Assignment(assigned_partitions=[entry]).to_bytes(1)


few = settings(max_examples=8)
messages = st.builds(
    assignment,
    st.text("abcdefghijklmnopqrstuvwxyz.-_", min_size=12, max_size=30),
    st.lists(st.integers(0, 300), min_size=6, max_size=12, unique=True),
)


def chunks(text: str) -> tuple[Chunk, ...]:
    data = text.encode("utf-8", "surrogateescape")
    return read(data, judge=MessageJudge()).chunks


CUT: dict[str, Callable[[bytes], str]] = {
    "Go %v": lambda data: str(list(data)).replace(",", ""),
    "Java's Arrays": lambda data: str([byte - 256 * (byte > 127) for byte in data]),
    "JSON": lambda data: json.dumps(data.decode("latin-1")),
}


@pytest.mark.parametrize("form", CUT)
@pytest.mark.parametrize("end", ["", "... (truncated)", "\u2026"])
@few
@given(messages, st.data())
def test_the_beginning_of_a_value_is_read(
    form: str, end: str, data: bytes, draw: st.DataObject
) -> None:
    text = CUT[form](data)
    cut = text[: draw.draw(st.integers(len(text) * 2 // 3, len(text) - 2))]
    (chunk,) = chunks(f"{FRONT}{cut}{end}\n")
    assert data.startswith(chunk.data) and len(chunk.data) > len(data) // 3


@few
@given(messages)
def test_a_literal_of_each_line_is_one_value(data: bytes) -> None:
    text = pformat({"member_id": "consumer-1", "assignment": data}, width=40)
    (chunk,) = chunks(f"got: {text} in generation 5\n")
    assert chunk.data == data


@few
@given(st.lists(messages, min_size=2, max_size=4))
def test_literals_on_lines_of_their_own_stay_apart(data: list[bytes]) -> None:
    text = "\n".join(["what the members got:", *map(repr, data), "in generation 5"])
    assert [chunk.data for chunk in chunks(text)] == data


@few
@given(messages)
def test_a_line_that_a_terminal_has_broken_is_one(data: bytes) -> None:
    line = f"{FRONT}{data!r}, generation=5"
    text = "\n".join(line[at : at + 80] for at in range(0, len(line), 80))
    (chunk,) = chunks(f"{text}\n")
    assert (chunk.data, chunk.line) == (data, 1)


@few
@given(messages)
def test_bytes_that_are_printed_as_characters_end_where_they_decode(data: bytes) -> None:
    for text in (data.decode("latin-1"), data.decode("utf-8", "backslashreplace")):
        (chunk,) = chunks(f"joining\n{FRONT}{text}, generation=5\n")
        assert chunk.data in (data, text.encode()) and chunk.line == 2


@pytest.mark.parametrize("front", ["\ufeffgot ", "\x1b[32mDEBUG\x1b[0m ", "I see `data: "])
@few
@given(st.sampled_from(["orders", "payments", "größe"]), messages)
def test_words_are_no_bytes_of_a_message(front: str, group: str, data: bytes) -> None:
    key = GroupMetadataKey(group=group).to_bytes()
    for message in (key, data.decode("latin-1").encode()):
        (chunk,) = chunks(f"{front}{message.decode()}` in the log, what is that?\n")
        assert chunk.data == message


@few
@given(messages)
def test_names_of_characters_in_html_are_characters(data: bytes) -> None:
    page = f"<pre>{html.escape('got ' + data.decode('latin-1'))}</pre>\n"
    (chunk,) = chunks(page)
    assert chunk.data == data.decode("latin-1").encode()


@few
@given(messages, st.integers(min_value=0))
@example(assignment("_" * 27, list(range(10))), 40 - 13)
@example(assignment("_" * 12, list(range(10))), 33 - 13)
@example(assignment("_" * 27, list(range(6))), 0)
def test_the_beginning_of_a_message_is_found_behind_words(data: bytes, more: int) -> None:
    """Without a byte that is a line end a whole message may be there, as a mail would break it."""
    text = data[: 13 + more % (len(data) - 13)].rstrip(b"\r\n").decode("latin-1")
    found = chunks(f"joining\n{FRONT}{text}\nleft the group\n")
    if [chunk.data for chunk in found] != [text.encode()]:
        assert "\n" in text and all("line ends are left out" in chunk.remark for chunk in found)
    assert found[0].line == 2


@few
@given(messages)
def test_characters_that_are_no_utf_8_are_bytes(data: bytes) -> None:
    (chunk,) = chunks(f"{FRONT}{data.decode('utf-8', 'surrogateescape')!r}\n")
    assert chunk.data == data


SEPARATED: dict[str, Callable[[bytes], str]] = {
    "pairs, |": lambda data: data.hex("|"),
    "pairs, tab": lambda data: data.hex("\t"),
    "four digits": lambda data: data.hex("-", -2),
    "four digits, from the end": lambda data: data.hex(" ", 2),
    "eight digits": lambda data: data.hex("_", -4),
    "eight digits, from the end": lambda data: data.hex("_", 4),
}


# Each byte by itself. What decimal numbers could be, too, has to decode.
EACH: dict[str, Callable[[bytes], str]] = {
    "%08b": lambda data: " ".join(f"{byte:08b}" for byte in data),
    "Go %b": lambda data: f"[{' '.join(f'{byte:b}' for byte in data)}]",
    "Go %o": lambda data: f"[{' '.join(f'{byte:o}' for byte in data)}]",
    "Java's toHexString": lambda data: " ".join(f"{byte:x}" for byte in data),
    "numbers": lambda data: " ".join(map(str, data)),
    "numbers, commas": lambda data: ",".join(map(str, data)),
    "a list of hex()": lambda data: str([hex(byte) for byte in data]),
    "a list of %02x": lambda data: str([f"{byte:02x}" for byte in data]),
    "a list of bytes": lambda data: str([bytes([byte]) for byte in data]),
    "Perl %vd": lambda data: ".".join(map(str, data)),
    "Perl %v02x": lambda data: data.hex("."),
    "Delphi": lambda data: " ".join(f"${byte:02X}" for byte in data),
    "assembler": lambda data: " ".join(f"{byte:03X}h" for byte in data),
    "base32": lambda data: b32encode(data).decode(),
    "BigInteger": lambda data: f"{int.from_bytes(data):x}",
    r"Perl \x{}": lambda data: "".join(
        chr(byte) if 32 <= byte < 127 else f"\\x{{{byte:x}}}" for byte in data
    ),
    "backslashreplace": lambda data: f"got {data.decode('utf-8', 'backslashreplace')!r}",
}


@pytest.mark.parametrize("around", [FRONT + "{}\n", "ts,member,data\r\nnow,member,{}\r\n", "{}"])
@pytest.mark.parametrize("form", EACH)
@few
@given(st.builds(assignment, st.text("abcxyz-é", min_size=12, max_size=16), st.just([1, 2, 11])))
def test_bytes_that_are_written_each_by_itself_are_found(
    form: str, around: str, data: bytes
) -> None:
    text = EACH[form](data)
    if "," in text and "now," in around:
        text = f'"{text}"'
    (chunk,) = chunks(around.format(text))
    assert chunk.data == data


@pytest.mark.parametrize("around", [FRONT + "{}\n", "{}"])
@pytest.mark.parametrize("form", ["base32", "BigInteger"])
@pytest.mark.parametrize("number", range(1, 16))
def test_a_number_in_front_is_any_version_or_record_type(
    number: int, form: str, around: str
) -> None:
    """Newer ones than are known, too: clients read newer versions."""
    known = min(number, ConsumerProtocolSubscription.LATEST)
    data = number.to_bytes(2) + ConsumerProtocolSubscription(topics=["orders"]).to_bytes(known)[2:]
    (chunk,) = chunks(around.format(EACH[form](data)))
    assert chunk.data == data


def test_a_sequence_of_dna_is_not_base32() -> None:
    read = "AACACGTTAGCATCGATCGATTAGCAACTGCATCGAACGT"
    assert all(chunk.format != "base32" for chunk in chunks(FRONT + read))


ROWS = "payload: [\n{}\n]\nsent"  # as Node prints an array
AROUND: dict[str, Callable[[str], str]] = {
    "a mail": lambda text: text.replace("\n", "\n> "),
    "syslog": lambda text: text.replace("\n", "\nNov 26 10:03:12 host1 app[1234]: "),
    "docker compose": lambda text: text.replace("\n", "\nconsumer-1  | "),
    "a container": lambda text: text.replace("\n", "\n2026-11-26T10:03:12.123456789Z stdout F "),
}


@pytest.mark.parametrize("name", AROUND)
@few
@given(messages)
def test_rows_of_a_value_are_found_behind_what_is_in_front_of_each(name: str, data: bytes) -> None:
    rows = [", ".join(f"{byte:3}" for byte in data[at : at + 12]) for at in range(0, len(data), 12)]
    text = AROUND[name]("\n" + ROWS.format(",\n".join(rows)))[1:]
    (chunk,) = chunks(text + "\n")
    assert (chunk.data, chunk.label, chunk.line) == (data, "payload", 1)


@few
@given(messages)
def test_quotes_that_are_doubled_in_a_table_are_quotes(data: bytes) -> None:
    cell = json.dumps(data.decode("latin-1")).replace('"', '""')
    (chunk,) = chunks(f'ts,data\r\nnow,"at={cell}"\r\n')
    assert chunk.data == data


def records_of(text: str) -> tuple[DumpedRecord, ...]:
    return read(text.encode(), judge=MessageJudge()).records


def test_a_record_of_json_may_be_on_several_lines() -> None:
    key = {"type": 2, "data": {"group": "g"}}
    records = [{"key": key, "value": None}] * 2
    for indent in (None, 2):
        text = "\n".join(json.dumps(record, indent=indent) for record in records)
        for written in (text, json.dumps(records, indent=indent)):  # a record each, or an array
            assert [record.key for record in records_of(written)] == [{"group": "g"}] * 2


@pytest.mark.parametrize("name", ["it's", 'a"b', "'a'", "orders"])
def test_quotes_in_escapes_without_quotes_are_bytes(name: str) -> None:
    """As Kafka's Bytes.toString writes them."""
    data = OffsetCommitKey(group=name, topic="orders", partition=7).to_bytes()
    text = "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02X}" for byte in data)
    (chunk,) = chunks(f"2026-11-26 10:03:12,123 INFO key {text} was read\n")
    assert chunk.data == data


def test_the_end_of_a_message_is_no_letter_of_an_escape() -> None:
    key = OffsetCommitKey(group="a", topic="b", partition=0xA9).to_bytes()
    text = key.decode("utf-8", "backslashreplace")
    (chunk,) = chunks(json.dumps({"log": f"key={text}\n"}))
    assert chunk.data == key


@pytest.mark.parametrize("form", SEPARATED)
@few
@given(messages)
def test_groups_of_digits_among_words_are_bytes_if_they_decode(form: str, data: bytes) -> None:
    (chunk,) = chunks(f"got {SEPARATED[form](data)} from it\n")
    assert chunk.data == data
    with pytest.raises(CaptureError, match="no bytes"):
        chunks(f"got {SEPARATED['four digits'](data[::-1])} from it\n")


@few
@given(messages)
def test_docker_has_a_line_end_in_each_string(data: bytes) -> None:
    line = f"{FRONT}{data.decode('latin-1')}\n"
    (chunk,) = chunks(json.dumps({"log": line, "stream": "stdout"}) + "\n")
    assert chunk.data in (data, data.decode("latin-1").encode())


@pytest.mark.parametrize("write", [repr, "got {!r}\n".format, bytes.decode])
def test_dots_at_the_end_may_stand_for_more(write: Callable[[bytes], str]) -> None:
    key = GroupMetadataKey(group="a group...").to_bytes()
    (chunk,) = chunks(write(key))
    assert chunk.data.rstrip() == key and "cut off" in chunk.remark


@pytest.mark.parametrize("quote", "`'")
@few
@given(st.lists(st.integers(100, 300), min_size=3, max_size=9))
def test_quotes_around_words_and_a_string_are_no_string(quote: str, partitions: list[int]) -> None:
    r"""Ruby, Go and C print 7 as `\a`, which is the letter in JavaScript."""
    data = assignment("orders", [7, *partitions])
    body = repr(data.replace(b"\x07", b"<7>"))[2:-1].replace("<7>", r"\a")
    (chunk,) = chunks(f'I see {quote}got "{body}"{quote} in the log\n')
    assert chunk.data == data


with_line_ends = st.builds(
    assignment,
    st.text("abcxyz-", min_size=12, max_size=30),
    st.lists(st.sampled_from([10, 11, 34, 200, 266]), min_size=2, max_size=5),
)
CARRIERS: dict[str, Callable[[str], str]] = {
    "a mail": lambda text: "".join(f"> {row}\n" for row in text.split("\n")),
    "a diff": lambda text: "".join(f"+{row}\n" for row in text.split("\n")),
    "an indented block": lambda text: "".join(f"    {row}\n" for row in text.split("\n")),
    "syslog": lambda text: "".join(f"Nov 26 10:03:12 h1: {row}\n" for row in text.split("\n")),
    "a cell of CSV": lambda text: 'ts,data\r\nnow,"{}"\r\n'.format(text.replace('"', '""')),
    "PHP, in a log": lambda text: f'now DEBUG data: string({len(text)}) "{text}"\nnow DEBUG done\n',
}


@pytest.mark.parametrize("name", CARRIERS)
@few
@given(with_line_ends)
def test_what_carries_characters_puts_nothing_into_the_bytes(name: str, data: bytes) -> None:
    (chunk,) = chunks(CARRIERS[name](data.decode("latin-1")))
    assert chunk.data == data.decode("latin-1").encode()


@few
@given(st.integers(60, 80), st.lists(st.integers(200, 255), min_size=30, max_size=60))
def test_characters_that_a_mail_has_broken_are_one_message(
    width: int, partitions: list[int]
) -> None:
    data = assignment("payments", partitions)
    text = data.decode("latin-1")
    rows = "\n".join(text[at : at + width] for at in range(0, len(text), width))
    (chunk,) = chunks(f"got {rows}\n")
    assert chunk.data == text.encode()


def test_characters_that_do_not_decode_may_have_been_changed() -> None:
    data = assignment("payments", [3, 200])
    for text in (f"got {data.decode('ascii', 'ignore')}\n", f"got {data[:30]!r:.40}...00'\n"):
        (chunk,) = chunks(text)
        assert "changed or lost" in chunk.remark or "missing" in chunk.remark


@few
@given(with_line_ends, st.sampled_from([34, 39]))
def test_each_byte_of_a_list_has_the_quotes_that_it_needs(data: bytes, quote: int) -> None:
    data = data[:-4] + bytes([0, 0, 0, 1, quote])
    (chunk,) = chunks(f"{FRONT}{[bytes([byte]) for byte in data]}\n")
    assert chunk.data == data


@few
@given(messages, st.integers(40, 60))
def test_a_line_end_in_the_text_of_a_string_is_no_byte(data: bytes, width: int) -> None:
    text = "".join(chr(byte) if chr(byte).isalnum() else f"\\x{byte:02x}" for byte in data)
    at = text.index("\\x", width)  # escapes in front of it, too
    line = json.dumps({"assignment": f'"{text[:at]}\n{text[at:]}"'})
    (chunk,) = chunks(f"{line}\n")
    assert chunk.data == data


def test_the_rest_of_base64_is_on_the_next_line() -> None:
    data = assignment("payments-of-customers1", [3, 5])[:-4]  # three bytes each, a known layout
    rows = b64encode(data).decode(), b64encode(bytes(4)).decode()
    (chunk,) = chunks("member: consumer-1\nmemberAssignment: {}\n{}\n".format(*rows))
    assert chunk.data == data + bytes(4)


def of_assembler(data: bytes) -> str:
    rows = (data[at : at + 8] for at in range(0, len(data), 8))
    return "".join(f"\t.byte\t{','.join(map(hex, row))}\n" for row in rows)


ON_LINES: dict[str, Callable[[bytes], str]] = {
    "quoted-printable": lambda data: quopri.encodestring(data).decode().replace("\r", "=0D"),
    "an assembler": of_assembler,
    "MASM": lambda data: "db " + ", ".join(f"{byte:02x}h" for byte in data[:16])
    + "\ndb " + ", ".join(f"{byte:02x}h" for byte in data[16:]),
    "a number a line": lambda data: "".join(f"{byte}\n" for byte in data),
    "a signed number a line": lambda data: "\n".join(map(str, memoryview(data).cast("b"))),
}  # fmt: skip
ABOVE = ["", "got ", "generation 5\n", FRONT, f"Here it is:\n\n```\n{FRONT}"]


@pytest.mark.parametrize("name", ON_LINES)
@few
@given(with_line_ends, st.sampled_from(ABOVE), st.sampled_from(["", "\nBye\n"]))
@example(assignment("aaaaa-aaaaax", [11, 11]), "", "\nBye\n")
@example(assignment("aaaaa-aaaaax", [10, 10, 10]), "", "")
def test_bytes_on_lines_are_one_message(name: str, data: bytes, above: str, below: str) -> None:
    (chunk,) = chunks(f"{above}{ON_LINES[name](data)}\n{below}")
    assert chunk.data == data


def test_a_plus_of_percent_encoding_may_be_a_blank() -> None:
    data = OffsetCommitKey(group="a+b", topic="orders", partition=4).to_bytes()
    for sent in (quote(data, safe="+"), f"got {quote(data, safe='+')}\n"):
        (chunk,) = chunks(sent)
        assert chunk.data == data.replace(b"+", b" ") and "+ is read as a blank" in chunk.remark
    (chunk,) = chunks(f"got {quote(data)}\n")
    assert (chunk.data, chunk.remark) == (data, "")
