"""What holds for every form and for any bytes."""

from __future__ import annotations

import string
import time
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kproto.capture import FORMS, CaptureError, Chunk, Form, Reading, read, scan
from kproto.capture.chunks import MOST_LEFT_OUT
from kproto.capture.forms.base32 import is_base32
from kproto.capture.text import form_named

forms = st.sampled_from(FORMS)
HEX = set(string.hexdigits)
TEXT = {*range(0x20, 0x7F), *b"\t\r\n"}
FOUND_BY_BEGINNING = ("base32", "cat-v", "quoted-printable")
"""Without their name they are read where a message begins: most such texts are no bytes."""


def written(form: Form, data: bytes) -> bytes:
    return form.write(data).encode("utf-8", "surrogateescape")


def is_read(form: Form, data: bytes, chunks: Sequence[Chunk]) -> bool:
    """Whether chunks are one of these bytes, or, with a remark, one of others that cat -v shows by
    the same characters: `^^@` are two bytes in either of two ways."""
    if [chunk.data for chunk in chunks] == [data]:
        return True
    (chunk,) = chunks
    return (
        form.name == "cat-v" and bool(chunk.remark) and form.write(chunk.data) == form.write(data)
    )


@given(forms, st.binary(min_size=4, max_size=300))
@example(form_named("separate"), bytes(4))
@example(form_named("base32"), bytes(4))
@example(form_named("base32"), b"more")
def test_every_form_round_trips_by_its_name(form: Form, data: bytes) -> None:
    if form.name == "log":
        # What a program prints as bytes may be its own text: a text alone is no message.
        assume(not set(data) <= TEXT)
    assert is_read(form, data, read(written(form, data), format=form.name).chunks)


def test_a_log_of_texts_says_why_it_has_no_bytes() -> None:
    with pytest.raises(CaptureError, match=r"form log; a text, written as bytes \(line 1\); "):
        read(written(form_named("log"), b"    "), format="log")


@pytest.mark.parametrize(("dots", "is_cut"), [(3, True), (4, True), (5, False), (16, False)])
def test_many_dots_are_the_characters_of_bytes(dots: int, is_cut: bool) -> None:
    data = bytes(range(17))
    row = f"{data.hex(' ')} {'.' * dots}"
    for text in (row, f"12:00:00 DEBUG metadata={row}"):
        (chunk,) = read(text.encode()).chunks
        assert chunk.data == data
        assert (chunk.cut is None) == is_cut


@given(forms, st.binary(min_size=16, max_size=300))
@example(form_named("hex"), b"\xaa" * 18)
@example(form_named("base64"), bytes(18))
@example(form_named("separate"), b"\1" + bytes(15))
@example(form_named("quoted-printable"), b"\1" + bytes(15))
@example(form_named("base64"), b"\0\1\0\0 " + bytes(15))
@example(form_named("cat-v"), bytes(14) + b"\x1e@")
@example(form_named("cat-v"), bytes(6) + b"^\1" + bytes(8))
@example(form_named("format-hex"), bytes(16))
@example(form_named("format-hex"), b"a" + bytes(15))
@example(form_named("format-hex"), b"abcdefabcdefa" + bytes(3))
@example(form_named("format-hex"), b"abcdefabcdefabcd")
def test_every_form_is_told_apart_or_named(form: Form, data: bytes) -> None:
    if form.name in FOUND_BY_BEGINNING:
        data = b"\0\1\0\0" + data
    text = written(form, data)
    if form.name == "raw":
        # Raw bytes that are printable text are read as that text.
        assume(any(byte < 9 for byte in data))
    if form.name == "log":
        assume(not set(data) <= TEXT)  # as above
    if form.name.startswith("base64"):
        # Hex digits alone are hex, unless they begin as base64 of zeros would.
        assume(not set(text.decode()) - {"\n"} <= HEX or text.startswith(b"AA"))
        # Capitals alone are base32, where they begin as base32 of a message does.
        assume(not is_base32(text.decode()))
    reading = read(text)
    assert form.name in reading.candidates or is_read(form, data, reading.chunks)


printed = st.sampled_from([form.name for form in FORMS if form.name != "raw"])
alphabet = st.sampled_from("0123456789abcdefABx\\'\"`[]{}<>,:-+/= \n\r\t*.()|uU\u00e9\ufffd")
pieces = st.one_of(
    st.text(alphabet),
    st.sampled_from(
        ["<Buffer 00", "... 12 more bytes>", "... 3 more items", "(byte)", "0x", "b'", "\\x0",
         "00000000: ", "0000020", "\n*\n", '{"type":"Buffer","data":[', ' key: {"type":', '"0":0,',
         " payload: ", '{"key":{"', '"value":', "Uint8Array(9) [", "[]byte{", "new byte[] {",
         "7777777777777777", "fffffffffffffff0", "[Uint8Contents]: <", "\x1b[1m", "AAAA"]
    ),
)  # fmt: skip
hostile = st.one_of(
    st.binary(),
    st.lists(pieces, max_size=12).map(lambda parts: "".join(parts).encode()),
    st.builds(
        lambda form, data, at, extra: (
            written(form, data)[:at] + extra.encode() + written(form, data)[at:]
        ),
        forms, st.binary(min_size=1, max_size=60), st.integers(0, 200), pieces,
    ),
)  # fmt: skip


@given(hostile, st.none() | st.sampled_from([form.name for form in FORMS]))
def test_any_bytes_give_a_reading_or_the_one_error(data: bytes, form: str | None) -> None:
    try:
        reading = read(data, format=form, max_bytes=1000)
    except CaptureError:
        pass
    else:
        assert isinstance(reading, Reading)
        assert all(len(chunk.data) <= 1000 for chunk in reading.chunks)
        assert all(chunk.line >= 1 and chunk.column >= 1 for chunk in reading.chunks)


@given(st.lists(hostile, max_size=5))
def test_any_lines_can_be_scanned(lines: list[bytes]) -> None:
    assert all(item.line <= len(lines) for item in scan(lines, max_bytes=1000))


# What makes a careless pattern go back over a text, or start over at each character.
GRINDERS = [
    "[", "[1]", "{[", "'", '"\\"', "'\\'", "\\", "\\x00", "<Buffer 00 ", "00 01 ", "0001g", "AA-",
    "0000000 0001\n*\n", "0, 1, ", "[0, ", "\\u0000", "\n", " \n", '{"0":0,', '{"key":{"',
    "b'\\x00",
    "0x", "\\ufffd", "b'' ", "00:", "(byte)", "new byte[", "1 ", "[ ",
]  # fmt: skip


@pytest.mark.timing
@pytest.mark.parametrize("unit", GRINDERS)
def test_time_is_linear(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit))).encode()
        start = time.process_time()
        with suppress(CaptureError):
            read(text)
        return time.process_time() - start

    small, large = min(seconds(20_000) for _ in range(2)), seconds(160_000)
    assert large < 30 * small + 0.2, "eight times the text takes far more than eight times as long"


def test_what_a_text_leaves_out_is_bounded() -> None:
    """A few characters are no hundred megabytes."""
    row = "00000000  " + "00 " * 16 + "\n*\n"
    assert len(read(f"{row}00010010\n".encode()).chunks[0].data) == MOST_LEFT_OUT + 16
    numbers = "$1 = {{0, 0, 0, 0, 0, 1, 0, 1, 97, 0 <repeats {} times>, 2}}\n"
    (chunk,) = read(numbers.format(MOST_LEFT_OUT).encode()).chunks
    assert len(chunk.data) == MOST_LEFT_OUT + 10
    for text in (
        f"{row}0001f010\n",
        f"{row}05f00000\n",
        numbers.format(MOST_LEFT_OUT + 1),
        '$1 = "orders", \'\\000\' <repeats 65537 times>, "x"...\n',
    ):
        with pytest.raises(CaptureError):
            read(text.encode())
