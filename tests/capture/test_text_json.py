"""Messages that are written in the strings of JSON and of Python's lists."""

from __future__ import annotations

import io
import json
import string
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture.text import Chunk, read, scan
from kproto.capture.text.arrangements import values
from kproto.inspector.evidence import MessageJudge

from .written import messages

JUDGE = MessageJudge()
_PLAIN = string.ascii_letters + string.digits + "._-"


def escaped(data: bytes) -> str:
    return "".join(chr(byte) if chr(byte) in _PLAIN else f"\\x{byte:02x}" for byte in data)


WRITTEN: dict[str, Callable[[bytes], str]] = {
    "escapes": escaped,
    "octal": lambda data: "".join(f"\\{byte:03o}" for byte in data),
    "unicode": lambda data: "".join(f"\\u{byte:04x}" for byte in data),
    "Go %q": lambda data: f'"{escaped(data)}"',
    "Python": repr,
    "Rust": lambda data: f'b"{escaped(data)}"',
    "PostgreSQL": lambda data: f"\\x{data.hex()}",
}


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("depth", [1, 2, 3])
@given(sent=st.lists(messages(), min_size=1, max_size=8))
@settings(max_examples=5)
def test_a_log_of_json_lines_of_any_length(form: str, depth: int, sent: list[bytes]) -> None:
    lines = []
    for data in sent:
        text = WRITTEN[form](data)
        for _ in range(depth):
            text = json.dumps({"level": "DEBUG", "metadata": text})
        lines += [text, '{"level": "INFO", "msg": "polled \\"orders\\" from C:\\\\x"}']
    log = "\n".join(lines).encode()
    found = [item for item in scan(io.BytesIO(log), judge=JUDGE) if isinstance(item, Chunk)]
    assert [(chunk.data, chunk.line) for chunk in found] == [
        (data, 2 * number + 1) for number, data in enumerate(sent)
    ]


@pytest.mark.parametrize("form", ["escapes", "Go %q", "Python"])
@given(data=messages())
def test_words_around_bytes_in_a_string(form: str, data: bytes) -> None:
    words = {"msg": f"joined with {WRITTEN[form](data)} (consumer-1)", "level": "INFO"}
    (chunk,) = scan([json.dumps(words).encode()], judge=JUDGE)
    assert isinstance(chunk, Chunk)
    assert chunk.data == data
    column = json.dumps(words).index("with ") + len("with ") + 1
    assert chunk.column == column


@given(messages())
def test_words_in_front_of_the_bytes_of_a_string(data: bytes) -> None:
    (chunk,) = scan([json.dumps({"m": f"sent: {data.decode('latin-1')}"}).encode()], judge=JUDGE)
    assert isinstance(chunk, Chunk)
    assert chunk.data == data


def test_every_value_has_its_place_and_keys_are_none() -> None:
    text = '{"a":\n  ["x\\u0041", [1, 2, 3], -2.5e3, null],\n "b": \'it\\\'s\'}'
    assert [value[1:] for value in values(text)] == [
        ("xA", 2, 4, "a"), ("", 2, 15, "a"), ("it's", 3, 7, "a b"),
    ]  # fmt: skip
    assert values('{"a": "b"} and more') == []
    assert values("[" * 100_000) == []


@given(messages().filter(lambda data: len(data) > 40))
def test_a_value_that_is_like_bytes_and_does_not_decode_is_not_left_out(data: bytes) -> None:
    """The text is then a log, in which it is shown with what is wrong."""
    broken = data[:20] + b"\xff" * 20
    made = read(json.dumps([data.hex(), broken.hex()]).encode(), judge=JUDGE)
    assert [chunk.data for chunk in made.chunks] == [data, broken]


def test_a_list_that_is_torn_is_not_left_out() -> None:
    """Wrapped in the middle of a number, it is no list of JSON, and the other one is not all."""
    first, second = (
        bytes.fromhex(f"0001000000010001{name}ffffffff00000000") for name in ("6f", "70")
    )
    text = f"{list(first)}\n{list(second)}".replace("255, 255", "25\n5, 255", 1)
    made = read(text.encode(), judge=JUDGE)
    assert [chunk.data for chunk in made.chunks] == [first, second]
    torn = "{" + ", ".join(f"0x{byte:02x}" for byte in second).replace("0xff", "0\nxff") + "}"
    made = read(torn.encode(), judge=JUDGE)
    assert [chunk.data for chunk in made.chunks] == [second]
