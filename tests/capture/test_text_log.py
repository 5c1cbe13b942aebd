"""Bytes in the middle of a log: what is found, and what is left alone."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture import Chunk, DumpedRecord, read, scan
from kproto.capture.text import prefilter

# A subscription of version 1 by kafka-python to one topic, and what surrounds one in logs.
MESSAGE = bytes.fromhex("0001000000010006 6f7264657273 ffffffff 00000000")
BUFFER = "<Buffer " + MESSAGE.hex(" ") + ">"

SPELLINGS = [
    (f"metadata={MESSAGE!r})", "python", "metadata"),
    (f"metadata=0x{MESSAGE.hex()}", "hex", "metadata"),
    (f"hex: {MESSAGE.hex().upper()}, next", "hex", "hex"),
    (f"bytes [{MESSAGE.hex(' ')}]", "hex", "bytes"),
    (f"bytes {MESSAGE.hex(':')}", "hex", "bytes"),
    (f'"subscription":"{base64.b64encode(MESSAGE).decode()}"', "base64", 'subscription'),
    (f"metadata: {BUFFER}, id: 3", "javascript", "metadata"),
    (f"data={[byte - 256 if byte > 127 else byte for byte in MESSAGE]}", "java", "data"),
    (f"data=[{' '.join(map(str, MESSAGE))}]", "go", "data"),
    ("data=[]byte{" + ", ".join(map(hex, MESSAGE)) + "} err=nil", "go", "data"),
    ('msg="' + "".join(f"\\x{byte:02x}" for byte in MESSAGE) + '"', "go", "msg"),
    ("got " + "".join(f"\\x{byte:02x}" for byte in MESSAGE) + " end", "escaped", "got"),
    ('{"msg":"got ' + repr(MESSAGE).replace("\\", "\\\\") + '"}', "python", "msg\":\"got"),
]  # fmt: skip

PROSE = [
    "the deadbeef was added to the cafe, 0xdeadbeef too",
    "member consumer-1-927e7f5a-22e4-4b18-849f-508b07e25b19 in group added",
    "trace 4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7",
    "commit da39a3ee5e6b4b0d3255bfef95601890afd80709 (HEAD)",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "fingerprint A9:99:3E:36:47:06:81:6A:BA:3E:25:71:78:50:C2:6C:9C:D0:D8:9D",
    "mac 00:1a:2b:3c:4d:5e at 2024-01-01 12:00:00,123 ts 1795238224491000000",
    "20240101120000123456789012345678",
    "partitions [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
    "isr=[3,1,2] replicas [1 2 3] offsets {0, 5}",
    "epochs [5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5]",
    "at org/apache/kafka/clients/consumer/internals/ConsumerCoordinator.java:1",
    "cluster id Vn2kEZ9rT7-CKBuXlJKd1g topic AbstractCoordinatorHeartbeatThread",
    "AAAAAAAAAAAAAAAAAAAAAAAAA! he screamed",
    "java.lang.Object@1b2c3d4 0x00007f3a2b4c5d6e",
    r'path "C:\\Users\\x\\temp" regex "\d+\.\d{3}"',
    "it's the users' data, don't 'quote' it",
    "2024 01 02 03 04 05 06 07 08 09 10 11",
    "load 10 20 30 40 50 60 70 80 90 10 20 30 40 50",
    "jwt eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
]


@pytest.mark.parametrize(("text", "form", "label"), SPELLINGS)
def test_a_message_in_a_line_is_found(text: str, form: str, label: str) -> None:
    log = f"INFO starting\n2024-01-01 12:00:00,123 DEBUG [main] {text}\nINFO stopping\n"
    (chunk,) = scan(log.encode().splitlines(keepends=True))
    assert isinstance(chunk, Chunk)
    assert (chunk.data, chunk.format, chunk.line, chunk.cut) == (MESSAGE, form, 2, 0)
    assert chunk.label.endswith(label)
    line = log.splitlines()[1]
    assert line[chunk.column - 1 :].startswith(text[text.index(line[chunk.column - 1 :][:3]) :][:3])


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_left_alone(line: str) -> None:
    assert list(scan([f"DEBUG {line}\n".encode(), f"{line}\n".encode()])) == []


def test_what_came_near_is_counted_with_its_reason() -> None:
    found = scan([f"{line}\n".encode() for line in PROSE])
    assert list(found) == []
    reasons = {skip.reason: (skip.times, skip.line) for skip in found.skipped}
    assert reasons["hex of the length of an id or a digest"] == (5, 3)
    assert found.lines == len(PROSE)


def test_several_on_a_line_with_columns_in_characters() -> None:
    line = f"é one={MESSAGE!r} two={BUFFER}"
    first, second = read(line.encode()).chunks
    assert (first.column, first.label) == (7, "é one")
    assert (second.column, second.label) == (line.index("<") + 1, "two")


def test_colours_do_not_hide_bytes() -> None:
    (chunk,) = read(f"\x1b[32mDEBUG\x1b[0m got \x1b[1m{MESSAGE.hex()}\x1b[0m".encode()).chunks
    assert chunk.data == MESSAGE


def test_a_dump_among_lines() -> None:
    rows = [
        f"{at:08x}  {MESSAGE[at : at + 8].hex(' ')}  {MESSAGE[at + 8 : at + 16].hex(' ')}  |.|"
        for at in range(0, 16, 16)
    ] + [f"00000010  {MESSAGE[16:].hex(' ')}  |.|"]
    log = "\n".join(["INFO hello", "sent this:", *rows, "INFO bye", *rows])
    first, second = scan(log.encode().splitlines(keepends=True))
    assert isinstance(first, Chunk)
    assert isinstance(second, Chunk)
    assert (first.data, first.line, first.label) == (MESSAGE, 3, "sent this")
    assert (second.data, second.line, second.label) == (MESSAGE, 6, "INFO bye")


def test_a_list_over_several_lines() -> None:
    items = ",\n  ".join(", ".join(map(str, MESSAGE[at : at + 8])) for at in range(0, 22, 8))
    log = f"DEBUG metadata: Uint8Array(22) [\n  {items}\n] and x={MESSAGE!r}\n"
    first, second = scan(log.encode().splitlines(keepends=True))
    assert isinstance(first, Chunk)
    assert isinstance(second, Chunk)
    assert (first.data, first.line, first.column) == (MESSAGE, 1, 17)
    assert first.label == "DEBUG metadata"
    assert (second.data, second.line) == (MESSAGE, 5)


def test_a_list_that_never_ends_hides_nothing() -> None:
    log = f"data [\n 1,\n 2,\nmetadata={MESSAGE!r}\n"
    (chunk,) = scan(log.encode().splitlines(keepends=True))
    assert isinstance(chunk, Chunk)
    assert (chunk.data, chunk.line) == (MESSAGE, 4)


def test_a_broken_record_and_a_broken_dump_are_said() -> None:
    log = [
        b'| offset: 1 key: {"type":"2","data":{}} payload: {"version":\n',
        b"00000000: 0001 0000 0001 0006  ........\n",
        b"00000018: 6f72 6465 7273 ffff  ........\n",
        f"x={MESSAGE!r}\n".encode(),
    ]
    found = scan(log)
    (chunk,) = found
    assert isinstance(chunk, Chunk)
    assert chunk.data == MESSAGE
    assert [skip.line for skip in found.skipped] == [1, 3]


def test_records_of_both_tools() -> None:
    member = base64.b64encode(MESSAGE).decode()
    value = f'{{"version":"3","data":{{"members":[{{"subscription":"{member}"}}]}}}}'
    dumped = (
        f'| offset: 7 CreateTime: 9 keySize: 1 key: {{"type":"2","data":{{}}}} payload: {value}'
    )
    consumed = f'{{"key":{{"type":2,"data":{{"group":"g"}}}},"value":{value}}}'
    items = list(scan([dumped.encode(), consumed.encode()]))
    records = [item for item in items if isinstance(item, DumpedRecord)]
    assert [(record.offset, record.timestamp) for record in records] == [(7, 9), (None, None)]
    assert [item.data for item in items if isinstance(item, Chunk)] == [MESSAGE, MESSAGE]


def test_a_log_is_read_as_it_comes() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"INFO nothing\n"
            yield f"DEBUG {BUFFER}\n".encode()

    found = scan(endless())
    assert [next(found) for _ in range(3)]
    assert found.lines == 6


def test_too_large_is_passed_over_and_said() -> None:
    found = scan([f"x={BUFFER}\n".encode(), b"x=b'\\x00\\x01\\x02\\x03'\n"], max_bytes=10)
    assert [item.data for item in found if isinstance(item, Chunk)] == [bytes(range(4))]
    assert "10" in found.skipped[0].reason


IDS = st.sampled_from([12, 16, 20, 28, 32, 48, 64]).flatmap(
    lambda size: st.binary(min_size=size, max_size=size)
)
AROUND = st.sampled_from(
    [("trace=", " x"), ('"id":"', '"'), ("", ""), ("(", ")"), ("[", "]"), ('fromhex("', '")'),
     ("a", "z"), ("\\\\x", ""), ("", "..."), ("sha256:", ","), ("/", "/")]
)  # fmt: skip


@given(st.lists(st.tuples(IDS, AROUND), min_size=1, max_size=8), st.binary(max_size=40))
def test_ids_are_counted_alike_whether_their_lines_are_looked_into_or_not(
    ids: list[tuple[bytes, tuple[str, str]]], data: bytes
) -> None:
    """Lines that the filter passes over for their ids are told of as others are."""
    rows = [f"INFO {front}{each.hex()}{behind}" for each, (front, behind) in ids]
    text = "\n".join([*rows, f"DEBUG {data!r} {data.hex()}", *rows]).encode()
    quick, thorough = (scan(io.BytesIO(text), thorough=each) for each in (False, True))
    assert list(quick) == list(thorough)
    assert sorted(quick.skipped) == sorted(thorough.skipped)


# What lines of logs are searched for, and what stands around it.
PIECES = [
    *prefilter.LITERALS,
    b"AAAAAAAAAAAAAAAAAAAAAA",
    b"00000000  00 01 ",
    b"00 ab:",
    b"1f, 0x",
    b"0123456789abcdef",
    b"89abcdef",
    b"\n",
    b"\r\n",
    b" ",
    b"[",
    b"{1, ",
    b"(",
    b"q",
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=40).map(b"".join))
def test_the_core_finds_the_same_lines_as_python(block: bytes) -> None:
    lines = prefilter.interesting_lines(block)
    line_ends = prefilter.line_ends(block, 3, len(block))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefilter, "SEARCH", None)
        patch.setattr(prefilter, "DIGITS", None)
        assert prefilter.interesting_lines(block) == lines
        assert prefilter.line_ends(block, 3, len(block)) == line_ends
