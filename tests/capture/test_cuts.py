"""Prints of bytes that a program has cut or damaged: what is left, and what makes it print all."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kproto.capture import CaptureError, read
from kproto.capture.cuts import hidden, without_mark
from kproto.inspector.evidence import MessageJudge

DATA = bytes.fromhex("000100000002000b696e766f696365732d6575000b696e766f696365732d6170ffffffff")
DECIMALS = [str(byte) for byte in DATA]
SIGNED = [str(byte - 256 if byte > 127 else byte) for byte in DATA]


class Print(NamedTuple):
    """A print of the first `size` bytes of DATA, of which `cut` are missing; what is said."""

    text: str
    size: int
    cut: int | None
    advice: str


PRINTS = {
    "Node's Buffer": Print(f"<Buffer {DATA[:20].hex(' ')} ... 16 more bytes>", 20, 16, "MAX_BYTES"),
    "Node's array": Print(
        f"Uint8Array(36) [\n  {', '.join(DECIMALS[:20])},\n  ... 16 more items\n]", 20, 16,
        "maxArrayLength",
    ),
    "Node's string": Print(
        r"'\x00\x01\x00\x00\x00\x02\x00\x0Binvoices-eu'... 16 more characters", 19, None,
        "maxStringLength",
    ),
    "Chrome": Print(f"Uint8Array(36) [{', '.join(DECIMALS[:20])}, \u2026]", 20, 16, "browser"),
    "Elixir": Print(f"<<{', '.join(DECIMALS[:20])}, ...>>", 20, None, "limit: :infinity"),
    "Delve": Print(
        f"[]uint8 len: 36, cap: 48, [{','.join(DECIMALS[:20])},...+16 more]", 20, 16,
        "max-array-values",
    ),
    "IntelliJ": Print(
        f"metadata = {{byte[36]@4711}} [{', '.join(SIGNED[:20])}, +16 more]", 20, 16, "IntelliJ"
    ),
    "gdb": Print(
        r'$1 = "\000\001\000\000\000\002\000\vinvoices-eu\000\vinv"...', 24, None,
        "set print elements 0",
    ),
    "gdb's array": Print(
        f"$2 = {{{', '.join(map(hex, DATA[:20]))}...}}", 20, None, "set print elements 0"
    ),
    "lldb": Print(
        r'(char *) $0 = 0x0000000100003f9c "\0\x01\0\0\0\x02\0\vinvoices-eu"...', 19, None,
        "memory read",
    ),
    "pandas": Print(
        r"0    b'\x00\x01\x00\x00\x00\x02\x00\x0binvoices-eu\x0...", 19, None, "max_colwidth"
    ),
    "aiokafka": Print(repr((DATA * 3)[:100] + b"..."), 100, None, "tcpdump -s 0"),
    "Wireshark": Print(f"Member Metadata: {DATA[:20].hex()}\u2026", 20, None, "tshark -T pdml"),
}  # fmt: skip


@pytest.mark.parametrize("name", PRINTS)
def test_a_cut_print_says_what_prints_all(name: str) -> None:
    text, size, cut, advice = PRINTS[name]
    (chunk,) = read(text.encode()).chunks
    assert (chunk.data[:19], len(chunk.data), chunk.cut) == (DATA[: min(size, 19)], size, cut)
    assert advice in chunk.remark
    assert "missing" in chunk.remark


def test_what_is_repeated_is_not_cut() -> None:
    (chunk,) = read(rb"""$1 = "\001\002", '\000' <repeats 11 times>, "\003abc" """).chunks
    assert (chunk.data, chunk.cut, chunk.remark) == (b"\1\2" + bytes(11) + b"\3abc", 0, "")


MARKS = (
    "...", "\u2026", " ...", "... (truncated)", "...[truncated]", " <truncated>", "[...]",
    "... (5 more bytes)", "\u2026(+5)", " [truncated 5 chars]",
)  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("front", ["", "metadata="])
def test_a_mark_behind_characters_is_no_part_of_the_message(front: str, mark: str) -> None:
    text = DATA[:-1].decode("latin-1")
    (chunk,) = read(f"{front}{text}{mark}\n".encode(), judge=MessageJudge()).chunks
    assert chunk.cut is None
    assert chunk.data.decode() == text


@pytest.mark.parametrize("text", ["payload (5)", "(truncated)b", "...a", "a.b", "a (b)"])
def test_other_words_are_no_mark(text: str) -> None:
    assert without_mark(text) == text


def test_padding_of_words_is_no_cut_of_the_tool() -> None:
    (chunk,) = read(b"0000000 0100 0000 0100 0600 726f 6564 7372 0041\n", format="hexdump").chunks
    assert chunk.cut is None
    assert "padding" in chunk.remark


HIDDEN = {
    '"memberMetadata":{"type":"Buffer","data":"[filtered]"}': "KAFKAJS_DEBUG_PROTOCOL_BUFFERS=1",
    "metadata=java.nio.HeapByteBuffer[pos=0 lim=43 cap=43]": "packet capture",
    "value: [B@6d06d69c": "Arrays.toString",
    "Metadata = System.Byte[]": "Convert.ToHexString",
    "(b'g', <memory at 0x7f2c1c0e5d00>)": "bytes(value).hex()",
    "[  0   1   0 ... 255 255 255]": "numpy",
    "array([ 0,  2,  0, ..., 255, 255, 255], dtype=uint8)": "numpy",
    "|[00 02 00 07 62 6...|": "truncate=False",
    "|  1|0001000000010006a...|": "truncate=False",
    "|  1|AAAAAAACAANhOTUAB...|": "truncate=False",
    r'"\u0000\u0001orders\ufffd\ufffd\ufffd\ufffd"': "4 or more are lost",
    "00000000000000000000.log": "a segment's file",
    "/var/lib/kafka/orders-0/00000000000000000042.index": "a segment's file",
    "Follow: tcp,ascii": "follow,tcp,raw",
}


@pytest.mark.parametrize("line", HIDDEN)
def test_what_stands_in_the_place_of_bytes_is_named(line: str) -> None:
    assert [HIDDEN[line] in text for text in hidden(line)] == [True]
    if "lost" not in HIDDEN[line]:
        with pytest.raises(CaptureError, match="no bytes"):
            read(line.encode())


def test_ordinary_lines_have_nothing_in_the_place_of_bytes() -> None:
    for line in (
        "waiting ... 3 left",
        "[1, 2, 3]",
        "int[] a = new int[4];",
        "caf\ufffd",
        "Dumping 00000000000000000000.log",
    ):
        assert not list(hidden(line))
