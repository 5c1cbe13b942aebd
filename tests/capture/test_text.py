"""Text forms against what the tools themselves print."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

from kproto import capture
from kproto.capture import FORMS, CaptureError, read

GOLDEN = Path(__file__).parent / "golden"
QUIRKS = (GOLDEN / "quirks.bin").read_bytes()
REPEATS = (GOLDEN / "repeats.bin").read_bytes()

# file, bytes, form, the bytes that the tool left out
PRINTED = [
    ("xxd", QUIRKS, "xxd", 0),
    ("xxd-a", REPEATS, "xxd", 0),
    ("xxd-b", QUIRKS, "xxd-bits", 0),
    ("xxd-c8", QUIRKS, "xxd", 0),
    ("xxd-d", QUIRKS, "xxd", 0),
    ("xxd-g1", QUIRKS, "xxd", 0),
    ("xxd-g4", QUIRKS, "xxd", 0),
    ("xxd-i", QUIRKS, "c", 0),
    ("xxd-p", QUIRKS, "hex", 0),
    ("xxd-u", QUIRKS, "xxd", 0),
    ("base32", QUIRKS, "base32", 0),
    ("go-08b", QUIRKS, "separate", 0),
    ("perl-vd", QUIRKS, "separate", 0),
    ("perl-v02x", QUIRKS, "separate", 0),
    ("hexdump", REPEATS, "hexdump", 0),
    ("hexdump-C", REPEATS, "hexdump-C", 0),
    ("hexdump-b", REPEATS, "hexdump-b", 0),
    ("hexdump-d", REPEATS, "hexdump-d", 0),
    ("hexdump-o", REPEATS, "hexdump-o", 0),
    ("hexdump-odd", QUIRKS, "hexdump", 0),
    ("hexdump-x", REPEATS, "hexdump", 0),
    ("od", REPEATS, "od", 0),
    ("od-Ad", REPEATS, "od-tx1", 0),
    ("od-An", QUIRKS, "hex", 0),
    ("od-An-tu1", QUIRKS, "ints", 0),
    ("od-Ax", QUIRKS, "od-tx1", 0),
    ("od-b", REPEATS, "od-b", 0),
    ("od-big", QUIRKS, "od-x-big", 0),
    ("od-td1", QUIRKS, "od-td1", 0),
    ("od-td2", QUIRKS, "od-d", 0),
    ("od-tu1", REPEATS, "od-td1", 0),
    ("od-tx1", REPEATS, "od-tx1", 0),
    ("od-tx1z", QUIRKS, "od-tx1", 0),
    ("od-tx4", QUIRKS, "od-tx4", 0),
    ("od-tx8", QUIRKS, "od-tx8", 0),
    ("od-x", QUIRKS, "od-x", 0),
    *((f"gdb-{letter}b", QUIRKS, f"gdb-{letter}b", 0) for letter in "uotc"),
    ("gdb-db", QUIRKS, "gdb-ub", 0),
    ("gdb-xb", QUIRKS, "gdb", 0),
    ("gdb-xh", QUIRKS, "gdb-xh", 0),
    ("gdb-xw", QUIRKS, "gdb-xw", 0),
    ("gdb-indexes", QUIRKS, "items", 0),
    ("gdb-p-x", QUIRKS, "log", 0),
    ("gdb-repeats", REPEATS, "log", 0),
    ("gdb-string", b"\0\1\0\0\0\1\0\6orders\0\0\0\x18" + bytes(23), "log", 0),
    ("tshark-x", QUIRKS, "wireshark", 0),
    ("tcpdump-X", QUIRKS, "xxd", 0),
    ("base64", REPEATS, "base64", 0),
    ("base64-w0", QUIRKS, "base64", 0),
    ("java-tostring", QUIRKS, "java", 0),
    ("java-base64url", QUIRKS, "base64", 0),
    ("java-hexformat", QUIRKS, "hex", 0),
    ("go-v", QUIRKS, "go", 0),
    ("go-x", QUIRKS, "hex", 0),
    ("go-X", QUIRKS, "hex", 0),
    ("go-spaced-x", QUIRKS, "hex", 0),
    ("go-sharp-x", QUIRKS, "hex", 0),
    ("go-spaced-sharp-x", QUIRKS, "hex", 0),
    ("go-q", QUIRKS, "go", 0),
    ("go-sharp-v", QUIRKS, "go", 0),
    ("go-hexdump", QUIRKS, "hexdump-C", 0),
    ("node-buffer", QUIRKS, "javascript", 0),
    ("node-buffer-cut", REPEATS[:50], "javascript", 140),
    ("node-uint8array", QUIRKS, "javascript", 0),
    ("node-uint8array-cut", REPEATS[:100], "javascript", 90),
    ("node-int8array", QUIRKS, "javascript", 0),
    ("node-array", QUIRKS, "ints", 0),
    ("node-json", QUIRKS, "javascript", 0),
    ("node-json-array", QUIRKS, "javascript", 0),
    ("json-string", QUIRKS, "javascript", 0),
]

# Things in a text that is no message as a whole: found in it, with label and place.
EMBEDDED = [
    ("node-object", QUIRKS, "metadata", 2, 13),
    ("node-arraybuffer", QUIRKS, "", 2, 3),
    ("node-json-pretty", QUIRKS, "data", 5, 13),
    ("node-string", QUIRKS, "", 2, 3),
]


def printed(name: str) -> bytes:
    return (GOLDEN / f"{name}.txt").read_bytes()


@pytest.mark.parametrize(("name", "data", "form", "cut"), PRINTED)
def test_a_tools_output_is_read_without_its_name(
    name: str, data: bytes, form: str, cut: int
) -> None:
    reading = read(printed(name))
    assert [(chunk.data, chunk.cut) for chunk in reading.chunks] == [(data, cut)]
    assert reading.format == form or form in {"go", "javascript"}


FORMAT_HEX_7 = """
   Label: String (System.String) <2944BEC3>

          Offset Bytes                                           Ascii
                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F
          ------ ----------------------------------------------- -----
0000000000000000 00 01 00 00 00 02 00 05 62 65 20 62 65 00 06 6F  �   � �be be �o
0000000000000010 72 64 65 72 73 FF FF FF FF 00 00 00 00          rders����
"""
FORMAT_HEX_5 = """

           Path: C:\\Kafka\\subscription.bin

           00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F

00000000   00 01 00 00 00 02 00 05 62 65 20 62 65 00 06 6F  ........be be..o
00000010   72 64 65 72 73 FF FF FF FF 00 00 00 00           rdersÿÿÿÿ....
"""


@pytest.mark.parametrize("text", [FORMAT_HEX_7, FORMAT_HEX_5], ids=["7", "5.1"])
def test_powershells_dump_in_the_layout_of_its_documentation(text: str) -> None:
    """One blank before the characters of a full row, which may be blanks and look like hex."""
    reading = read(text.encode())
    data = "000100000002000562652062650006 6f7264657273ffffffff00000000"
    assert [chunk.data for chunk in reading.chunks] == [bytes.fromhex(data)]


def test_numbers_of_items_may_have_zeros_in_front() -> None:
    """gdb's `p/z` writes every number as wide as its type."""
    text = "\n".join(f"[{place:08}] = {byte:03}" for place, byte in enumerate(QUIRKS))
    assert [(one.format, one.data) for one in read(text.encode()).chunks] == [("items", QUIRKS)]


@pytest.mark.parametrize(("name", "data", "form", "cut"), PRINTED)
def test_a_tools_output_is_read_by_its_name(name: str, data: bytes, form: str, cut: int) -> None:
    reading = read(printed(name), format=form)
    assert [(chunk.data, chunk.cut) for chunk in reading.chunks] == [(data, cut)]
    assert reading.format == form
    assert not reading.candidates


@pytest.mark.parametrize(("name", "data", "label", "line", "column"), EMBEDDED)
def test_bytes_among_other_text_are_found_with_their_place(
    name: str, data: bytes, label: str, line: int, column: int
) -> None:
    (chunk,) = read(printed(name)).chunks
    assert (chunk.data, chunk.label, chunk.line, chunk.column) == (data, label, line, column)


@pytest.mark.parametrize(
    "command",
    ["xxd", "xxd -p", "xxd -a -c 5", "xxd -b", "hexdump -C", "hexdump", "hexdump -b", "od",
     "od -tx1", "od -tx1z", "od -b", "od -x", "od -tx8", "xxd -d", "od -Ax -td2", "od -td1",
     "base64", "base64 -w 0"],
)  # fmt: skip
def test_what_the_installed_tools_print_is_read(command: str, tmp_path: Path) -> None:
    words = command.split()
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    # A process prints each of these few sizes; one example for each is enough.
    chance = random.Random(command)  # noqa: S311 - not for secrets
    for size in (16, 17, 31, 33, 100, 555):
        data = chance.randbytes(size) + bytes(64) * (size % 2)
        path = tmp_path / "input.bin"
        path.write_bytes(data)
        output = subprocess.run([*words, path], check=True, capture_output=True).stdout
        reading = read(output)
        assert [chunk.data for chunk in reading.chunks] == [data], (size, reading.format)


def test_what_python_prints_is_read() -> None:
    for data in (
        QUIRKS,
        REPEATS,
        bytes(range(256)),
        b'it\'s "both"\x00' * 3,
        b"\0\\x7~\\\\x8g" * 3,
    ):
        for text in (repr(data), repr(bytearray(data)), f"bytes({list(data)})", ascii(data)):
            reading = read(text.encode())
            assert [chunk.data for chunk in reading.chunks] == [data], text


def test_what_node_prints_is_read() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    # One input, which Node prints in every way at once.
    data = random.Random(1).randbytes(48)  # noqa: S311 - not for secrets
    script = f"""const b = Buffer.from('{data.hex()}', 'hex'), u = require('util');
        console.log(JSON.stringify([b, new Uint8Array(b), [...b], b.toString('latin1')]
            .map(v => u.inspect(v)).concat(JSON.stringify(b.toString('latin1')))))"""
    output = subprocess.run([node, "-e", script], check=True, capture_output=True).stdout
    for text in json.loads(output):
        chunks = read(text.encode(), format="javascript").chunks
        assert [chunk.data for chunk in chunks] == [data], text


def test_dumped_records_and_what_the_tool_left_undecoded() -> None:
    reading = read(printed("kafka-dump-log"))
    assert reading.format == "kafka-dump-log"
    first, joined, *_, connect, tombstone = reading.records
    assert (first.offset, first.timestamp, first.line) == (0, 1795238224497, 2)
    assert (first.key_type, first.key) == (2, {"group": "smoke-kjs-2.1.0"})
    assert joined.value is not None
    assert joined.value["protocol"] == "RoundRobinAssigner"
    assert joined.value_version == 3
    assert connect.key == {"group": "connect-eager"}
    assert (tombstone.key_type, tombstone.value, tombstone.value_version) == (8, None, None)
    labels = [(chunk.label, chunk.data[:6]) for chunk in reading.chunks]
    assert labels[0] == ("members[0].subscription", b"\0\1\0\0\0\1")
    assert ("members[0].assignment", b"\0\0\0\0\0B") in labels
    assert not reading.skipped


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_form_is_described_and_found_by_its_names(form) -> None:  # type: ignore[no-untyped-def]
    assert form.about
    data = bytes(range(16))
    for name in (form.name, *form.aliases, form.name.upper()):
        text = form.write(data).encode("utf-8", "surrogateescape")
        assert read(text, format=name).format == form.name


@pytest.mark.parametrize(
    ("text", "form", "data", "cut"),
    [
        (r'"\x00\001\2A\n\"\\"', "c", b'\0\1\2A\n"\\', 0),
        ('"\\x00" "\\x01"\n    "A"', "c", b"\0\1A", 0),
        ('"\\x00\\x01" \\\n"\\x02\\x03"', "c", b"\0\1\2\3", 0),
        ('"\\u0000\\u00ff\\101"', "java", b"\0\xffA", 0),
        ("new byte[] { 0, (byte) 0xff, -1, 0x7f, 010 }", "java", b"\0\xff\xff\x7f\x08", 0),
        ('"\\u00e9é\\xe9"', "go", b"\xc3\xa9\xc3\xa9\xe9", 0),
        ("[3]byte{0, 0x1, 0o17}", "go", b"\0\1\x0f", 0),
        (r"'\x00\u00e9é\q'", "javascript", b"\0\xe9\xe9q", 0),
        ("`\\x00\\u{e9}`", "javascript", b"\0\xe9", 0),
        ("<Buffer >", "javascript", b"", 0),
        ("Uint8Array(5) [ 1, 2 ]", "javascript", b"\1\2", 3),
        ("(b'\\x00'\n b'\\x01')", "python", b"\0\1", 0),
        (r"\x00\x41 b\n", "escaped", b"\0A b\n", 0),
        ("0 -1 127", "ints", b"\0\xff\x7f", 0),
        ("00:01-02,03;04 0x5, 0x06", "hex", bytes(range(7)), 0),
        ("0X00ff", "hex", b"\0\xff", 0),
        ("0001ff...", "hex", b"\0\1\xff", None),
        ("0001f", "hex", b"\0\1", None),
        ("00 01 f", "hex", b"\0\1", None),
        ("AAE=", "base64", b"\0\1", 0),
        ("AAE", "base64url", b"\0\1", 0),
    ],
)
def test_spellings(text: str, form: str, data: bytes, cut: int | None) -> None:
    (chunk,) = read(text.encode(), format=form).chunks
    assert (chunk.data, chunk.cut) == (data, cut)


@pytest.mark.parametrize(
    ("text", "form", "says", "place"),
    [
        ("0001\n  00zz", "hex", "'z'", (2, 5)),
        ("00 1 02", "hex", "odd number", (1, None)),
        ("00 0x", "hex", "0x", (1, None)),
        ("AAE*", "base64", "'*'", (1, 4)),
        ("AAF=", "base64", "bits", (1, None)),
        ("A", "base64", "length", (1, None)),
        ("AA-_", "base64", "'-'", (1, 3)),
        (r'"\x41B"', "c", "split the literal", (1, None)),
        (r"b'\q'", "python", r"\q", (1, None)),
        ('"\u20ac"', "java", "U+20AC", (1, None)),
        ('"\ufffd\\x00"', "go", "lost", (1, None)),
        ("plain", "escaped", "no \\x escape", (1, 1)),
        ("1, 300", "ints", "numbers", (1, 1)),
        ("-1 200", "ints", "numbers", (1, 1)),
        ("00000000: 0001\n00000004: 0001", "xxd", "rows are missing", (2, None)),
        ("nothing", "xxd", "looks like this", (None, None)),
        ("", None, "empty", (None, None)),
        ("just a few words", None, "no bytes", (None, None)),
        ("00", "punched-cards", "hexdump-C", (None, None)),
    ],
)
def test_refusals_say_what_and_where(
    text: str, form: str | None, says: str, place: tuple[int | None, int | None]
) -> None:
    with pytest.raises(CaptureError, match=re.escape(says)) as caught:
        read(text.encode(), format=form)
    assert (caught.value.line, caught.value.column) == place


def test_several_messages() -> None:
    one, two = b"\0\1" + b"orders" * 3, b"\0\2" + b"payments" * 4
    blank = f"{one.hex()}\n\n{two.hex()}\n".encode()
    assert [chunk.data for chunk in read(blank).chunks] == [one, two]
    lines = f"{one.hex()}\n{two.hex()}\n".encode()
    reading = read(lines)
    assert [chunk.data for chunk in reading.chunks] == [one, two]
    assert [chunk.line for chunk in reading.chunks] == [1, 2]
    assert (reading.format, reading.candidates) == ("hex-lines", ("hex",))
    assert [chunk.data for chunk in read(lines, format="hex").chunks] == [one + two]
    literals = f"{one!r}\n{two!r}\n".encode()
    assert [chunk.data for chunk in read(literals).chunks] == [one, two]
    dumps = printed("xxd") + b"\n" + printed("xxd") + printed("xxd")
    assert [chunk.data for chunk in read(dumps).chunks] == [QUIRKS] * 3


def test_wrapped_hex_is_one_message() -> None:
    reading = read(printed("xxd-p"))
    assert (reading.format, len(reading.chunks), reading.candidates) == ("hex", 1, ())


def test_raw_bytes_and_other_encodings_of_text() -> None:
    assert read(QUIRKS).format == "raw"
    assert read(QUIRKS).chunks[0].data == QUIRKS
    assert read(b"plain text", format="raw").chunks[0].data == b"plain text"
    for encoding in ("utf-8-sig", "utf-16"):
        text = printed("xxd").decode().replace("\n", "\r\n").encode(encoding)
        assert [chunk.data for chunk in read(text).chunks] == [QUIRKS]


def test_the_last_offset_is_the_length() -> None:
    whole = printed("hexdump-odd")
    assert read(whole).chunks[0].data == QUIRKS
    without = whole.rsplit(b"\n", 2)[0]
    (chunk,) = read(without, format="hexdump").chunks
    assert chunk.data == QUIRKS + b"\0"
    assert chunk.cut is None, "a zero that may be padding is not passed off as data"


@pytest.mark.parametrize("form", [None, "od", "hexdump-C", "xxd"])
def test_a_star_does_not_allocate_what_it_claims(form: str | None) -> None:
    words = " ".join(["000001"] * 8)
    pairs = " ".join(["00 01 02 03 04 05 06 07"] * 2)
    text = {
        "od": f"0000000 {words}\n*\n7777777777777760\n",
        "xxd": f"00000000: {pairs}  ........\n*\nfffffff0: {pairs}\n",
    }.get(form or "od", f"00000000  {pairs}  |.|\n*\nfffffff0\n")
    with pytest.raises(CaptureError, match="max-bytes") as caught:
        read(text.encode(), format=form)
    assert caught.value.line == 3


def test_the_limit_is_the_callers() -> None:
    for form in FORMS:
        if form.name == "log":
            continue
        text = form.write(bytes(40)).encode()
        with pytest.raises(CaptureError, match="max-bytes"):
            read(text, format=form.name, max_bytes=39)
        assert len(read(text, format=form.name, max_bytes=40).chunks[0].data) == 40


def test_lines_that_a_tool_wrapped_and_lines_that_are_messages() -> None:
    long = bytes([0, 1]) + bytes(58)
    wrapped = read(f"{long[:30].hex()}\n{long[30:].hex()}\n".encode())
    assert (wrapped.format, wrapped.candidates) == ("hex", ("hex-lines",))
    alike = read(f"{long.hex()}\n{long.hex()}\n".encode())
    assert (alike.format, alike.candidates) == ("hex-lines", ("hex",))
    assert len(alike.chunks) == 2


def test_xxd_e_is_refused_rather_than_misread() -> None:
    for form in ("xxd", None):
        with pytest.raises(CaptureError, match="xxd -e"):
            read(printed("xxd-e"), format=form)


def test_one_bad_record_does_not_hide_the_others() -> None:
    good = printed("kafka-dump-log")
    bad = (
        b"| offset: 1 CreateTime: 1 keySize: 1 valueSize: 1 sequence: 0 headerKeys: [] "
        b"key: Unknown record type 99 at offset 1, skipping.\n"
        b'| offset: 2 key: {"type":"2","data":[]} payload: {"version":"3","data":{}}\n'
    )
    whole = read(good)
    for form in ("kafka-dump-log", None):
        reading = read(bad + good, format=form)
        assert len(reading.records) == len(whole.records)
        assert [chunk.data for chunk in reading.chunks] == [chunk.data for chunk in whole.chunks]
        assert [skip.line for skip in reading.skipped] == [1, 2]
        assert "type 99" in reading.skipped[0].reason


@pytest.mark.parametrize("data", [QUIRKS[:32], b"\0\1" + QUIRKS[:20], bytes(range(200, 216))])
def test_digits_in_the_quotes_of_other_people_s_text(data: bytes) -> None:
    digits, base64 = data.hex(), b64encode(data).decode()
    escapes = "".join(f"\\x{byte:02x}" for byte in data)
    for text in (
        f'"{digits}"', f"'{digits.upper()}',", f"X'{digits}'", f"\\x{digits}", f'"\\\\x{digits}"',
        f'"{base64}"', f"bytes.fromhex('{digits}')", f"Buffer.from('{digits}', 'hex')",
        f"Buffer.from({list(data)})", f'[]byte("{escapes}")', f'data := []byte("{escapes}")',
    ):  # fmt: skip
        assert [chunk.data for chunk in read(text.encode()).chunks] == [data], text


def test_several_messages_in_quotes() -> None:
    data = b"\0\1" + QUIRKS
    for digits in (data.hex(), b64encode(data).decode()):
        for text in (json.dumps([digits, digits]), f"'{digits}'\n'{digits}'\n"):
            assert [chunk.data for chunk in read(text.encode()).chunks] == [data, data], text


def test_a_literal_over_several_lines_is_one() -> None:
    rows = [repr(QUIRKS[at : at + 8]) for at in range(0, len(QUIRKS), 8)]
    text = "payload = (\n    " + "\n    ".join(rows) + "\n)\n"
    assert [chunk.data for chunk in read(text.encode()).chunks] == [QUIRKS]


def test_strings_in_which_bytes_look_like_code() -> None:
    """A `b'` or `[1]` inside of a string is its own bytes, not somebody else's literal."""
    for data in (b"\0 b'", b'\0[1]\xff"', b"\xff<Buffer 00>\\", b"\0{0x1}`'b\""):
        octal = "".join(
            chr(one) if 32 <= one < 127 and one not in b'\\"' else f"\\{one:03o}" for one in data
        )
        for form in ("c", "java"):
            (chunk,) = read(f'"{octal}"'.encode(), format=form).chunks
            assert chunk.data == data


def test_groups_are_atomic_and_not_possessive() -> None:
    """`(?:X)*+` loses matches in the `re` of CPython 3.11.2, Debian 12's: `(?>(?:X)*)` does not."""
    possessive = re.compile(r"(?<!\\)\)(?:[*+?]|\{\{?[0-9,]+\}?\})\+")
    rooms = Path(capture.__file__).parent.rglob("*.py")
    found = {file.name for file in rooms if possessive.search(file.read_text(encoding="utf-8"))}
    assert not found
