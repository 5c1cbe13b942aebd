"""Strings that are not UTF-8: Kafka Streams writes them with java.io.DataOutput.

Expected bytes are those of the Java specification (DataInput, "Modified UTF-8").
"""

from __future__ import annotations

from typing import Any

import construct
import pytest

from kproto.codec import (
    DecodeError,
    EncodeError,
    ErrorKind,
    Policy,
    compile_definition,
    construct_for,
    decode,
)
from kproto.codec.construct_schema import ConstructRefused

from .ways import by_decode, by_fast_reader


def made(encoding: str) -> Any:
    field = {"name": "Text", "type": "string", "versions": "0+", "encoding": encoding}
    return compile_definition(
        {"type": "data", "name": "Encoded", "validVersions": "0", "fields": [field]}
    )


MODIFIED, UTF16 = made("modified-utf-8"), made("utf-16")

WRITTEN = [
    (MODIFIED, "", "0000"),
    (MODIFIED, "a\x7f", "0002 617f"),
    (MODIFIED, "\0", "0002 c080"),
    (MODIFIED, "é߿", "0004 c3a9 dfbf"),
    (MODIFIED, "ࠀ日\uffff", "0009 e0a080 e697a5 efbfbf"),
    (MODIFIED, "𝄞", "0006 eda0b4 edb49e"),
    (MODIFIED, "\ud834", "0003 eda0b4"),
    (UTF16, "", "00000000"),
    (UTF16, "aж", "00000002 0061 0436"),
    (UTF16, "𝄞", "00000002 d834 dd1e"),
    (UTF16, "\udd1e", "00000001 dd1e"),
]


@pytest.mark.parametrize(("cls", "text", "written"), WRITTEN, ids=range(len(WRITTEN)))
def test_written_and_read(cls: Any, text: str, written: str) -> None:
    body = bytes.fromhex(written)
    assert cls(text=text).to_body(0) == body
    assert cls.from_body(body, 0) == cls(text=text)
    assert decode(body, cls, body_version=0, policy=Policy.STRICT).message == cls(text=text)
    assert by_fast_reader(cls, 0, body) == by_decode(cls, 0, body)
    assert construct_for(cls, 0).parse(body).text == text
    assert construct_for(cls, 0).build({"text": text}) == body


ODD = [
    (MODIFIED, "0001 00", "\0", "KP002"),  # Java reads a plain zero, and never writes one
    (MODIFIED, "0002 c181", "A", "KP002"),
    (MODIFIED, "0003 e08081", "\1", "KP002"),
    (UTF16, "ffffffff", "", "KP001"),
    (UTF16, "80000000", "", "KP001"),
]


@pytest.mark.parametrize(("cls", "given", "text", "code"), ODD, ids=range(len(ODD)))
def test_odd_but_read(cls: Any, given: str, text: str, code: str) -> None:
    body = bytes.fromhex(given)
    seen = decode(body, cls, body_version=0)
    assert seen.message == cls(text=text)
    assert [one.code for one in seen.deviations] == [code]
    assert construct_for(cls, 0).parse(body).text == text
    with pytest.raises(DecodeError, match=code):
        decode(body, cls, body_version=0, policy=Policy.STRICT)


REFUSED = [
    (MODIFIED, "", ErrorKind.TRUNCATED),
    (MODIFIED, "0002 61", ErrorKind.TRUNCATED),
    *(
        (MODIFIED, given, ErrorKind.DEVIATION)
        for given in ("0001 80", "0001 c2", "0002 c261", "0002 e0a0", "0003 e0a061", "0001 f0")
    ),
    (UTF16, "000000", ErrorKind.TRUNCATED),
    (UTF16, "00000002 0061 00", ErrorKind.TRUNCATED),
    (UTF16, "7fffffff 0061", ErrorKind.TRUNCATED),
]


@pytest.mark.parametrize(("cls", "given", "kind"), REFUSED, ids=range(len(REFUSED)))
def test_refused(cls: Any, given: str, kind: ErrorKind) -> None:
    body = bytes.fromhex(given)
    with pytest.raises(DecodeError) as refused:
        cls.from_body(body, 0)
    assert (refused.value.kind, refused.value.offset, refused.value.path) == (kind, 0, "text")
    assert by_fast_reader(cls, 0, body) is None
    with pytest.raises(ConstructRefused) as also:
        construct_for(cls, 0).parse(body)
    assert (also.value.kind, also.value.offset) == (kind, 0)


@pytest.mark.parametrize(
    ("cls", "value", "word"),
    [
        (MODIFIED, 5, "string"),
        (MODIFIED, None, "null"),
        (MODIFIED, "ж" * 32768, "65535"),
        (UTF16, b"raw", "string"),
        (UTF16, None, "null"),
    ],
    ids=range(5),
)
def test_what_cannot_be_written(cls: Any, value: Any, word: str) -> None:
    with pytest.raises(EncodeError, match=word) as refused:
        cls(text=value).to_body(0)
    assert refused.value.path == "text"
    with pytest.raises(construct.ConstructError) as also:
        construct_for(cls, 0).build({"text": value})
    assert value is None or type(value) is str or f"{value!r} is not a string" in str(also.value)


def test_the_longest() -> None:
    """Longer than Kafka's own strings: the length is a uint16, and not Kafka's class."""
    for cls in (MODIFIED, UTF16):
        message = cls(text="x" * 65535)
        assert cls.from_body(message.to_body(0), 0) == message


def test_what_is_too_long_for_bytes_has_a_json_form() -> None:
    text = "ж" * 32768
    assert MODIFIED(text=text).to_json(0) == {"text": text}


def test_another_trouble_beside_an_encoded_string() -> None:
    """A value that fits is passed over when what does not fit is looked for."""
    fields = [
        {"name": "One", "type": "string", "versions": "0+", "encoding": "modified-utf-8"},
        {"name": "Two", "type": "string", "versions": "0+", "encoding": "utf-16"},
        {"name": "Three", "type": "int8", "versions": "0+"},
    ]
    cls = compile_definition(
        {"type": "data", "name": "Mixed", "validVersions": "0", "fields": fields}
    )
    with pytest.raises(EncodeError, match="three"):
        cls(one="a", two="b", three=300).to_body(0)
