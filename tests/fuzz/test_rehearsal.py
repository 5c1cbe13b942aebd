"""What is wrong in every ordinary answer in one way is the adapter's; what is wrong in some is the
client's, and so is every fault of a decoder.
"""

from __future__ import annotations

import random
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import pytest

from kproto.fuzz.guarantees.subjects import GENERATED, Generated
from kproto.fuzz.rehearsal import rehearse
from kproto.fuzz.subject import (
    CONSUMER_PROTOCOL,
    JsonObject,
    Read,
    ReadAnswer,
    Subject,
    Wrapped,
    WriteAnswer,
    Written,
)

from .mutants.codec import Codec, Fault
from .mutants.faults import FAULTS

Form = Callable[[bytes], str]

FORMS: dict[str, tuple[Form, str]] = {
    "hex": (bytes.hex, "the hex of the text"),
    "hex in upper case": (lambda data: data.hex().upper(), "the hex of the text"),
    "hex with spaces": (lambda data: data.hex(" "), "the hex of the text"),
    "hex with 0x": (lambda data: "0x" + data.hex(), "the hex of the text"),
    "hex with 0x for each": (lambda data: ", ".join(map(hex, data)), "the hex of the text"),
    "hex in C": (lambda data: "".join(f"\\x{byte:02x}" for byte in data), "the hex of the text"),
    "escapes of JSON": (lambda data: "".join(f"\\u{byte:04x}" for byte in data), "the hex of"),
    "Node's Buffer": (lambda data: f"<Buffer {data.hex(' ')}>", "the hex of the text"),
    "percent signs": (lambda data: "".join(f"%{byte:02X}" for byte in data), "the hex of the text"),
    "base64": (lambda data: b64encode(data).decode(), "the base64 of the text"),
    "base64 without its end": (lambda data: b64encode(data).decode().rstrip("="), "the base64"),
    "base64 for addresses": (lambda data: urlsafe_b64encode(data).decode(), "the base64"),
    "base64 of hex": (lambda data: b64encode(data.hex().encode()).decode(), "base64 of the hex"),
    "Go's bytes": (lambda data: f"[{' '.join(map(str, data))}]", "the numbers of the bytes"),
    "Java's bytes": (lambda data: str(list(data)), "the numbers of the bytes of the text"),
    "JavaScript's bytes": (lambda data: ",".join(map(str, data)), "the numbers of the bytes"),
    "Erlang's bytes": (lambda data: f"<<{','.join(map(str, data))}>>", "the numbers of the bytes"),
    "entities": (lambda data: "".join(f"&#{byte};" for byte in data), "the numbers of the bytes"),
    "octal": (lambda data: "".join(f"\\{byte:03o}" for byte in data), "octal numbers"),
    "bits": (lambda data: " ".join(f"{byte:08b}" for byte in data), "the bits of the text"),
    "Python's bytes": (repr, "in quotes or brackets"),
    "JSON in JSON": (lambda data: f'"{data.decode()}"', "in quotes or brackets"),
    "an Option": (lambda data: f'Some("{data.decode()}")', "in quotes or brackets"),
    "an Optional": (lambda data: f"Optional[{data.decode()}]", "in quotes or brackets"),
    "a class": (lambda data: f"Topic(name='{data.decode()}')", "in quotes or brackets"),
    "a symbol in quotes": (lambda data: f':"{data.decode()}"', "in quotes or brackets"),
    "a symbol": (lambda data: f":{data.decode()}", "in quotes or brackets"),
    "Java's array": (lambda data: f"[B@{hash(data) & 0xFFFFFFF:x}", "the class or address"),
    "Python's object": (lambda data: f"<m.Topic object at {id(data):#x}>", "the class or address"),
    "Ruby's object": (lambda data: f"#<Topic:{id(data):#018x}>", "class or address of an object"),
    "JavaScript's object": (lambda data: "[object Object]", "class or address of an object"),
    "Go's pointer": (lambda data: f"0xc{id(data):09x}", "class or address of an object"),
    "Perl's reference": (lambda data: "SCALAR(0x55d0c8a4)", "class or address of an object"),
    "Lua's table": (lambda data: "table: 0x55d0c8a4", "class or address of an object"),
    "the other case": (lambda data: data.decode().swapcase(), "each letter in the other case"),
    "backwards": (lambda data: data.decode()[::-1], "in reverse order"),
    "wide characters": (lambda data: data.decode().encode("utf-16-le").decode(), "with a NUL"),
    "UTF-16": (lambda data: data.decode("utf-16-be"), "the text read as UTF-16"),
    "as EBCDIC": (lambda data: data.decode("cp037"), "read as EBCDIC"),
}  # fmt: skip

OF_BYTES: dict[str, tuple[Form, str]] = {
    "hex": (bytes.hex, "the hex of the bytes"),
    "base64 twice": (
        lambda data: b64encode(b64encode(data)).decode(),
        "the base64 of the base64 of the bytes",
    ),
    "base64 of hex": (lambda data: b64encode(data.hex().encode()).decode(), "base64 of the hex"),
    "base64 of numbers": (lambda data: b64encode(str(list(data)).encode()).decode(), "numbers of"),
    "base64 of what Python prints": (
        lambda data: b64encode(repr(data).encode()).decode(),
        "quotes",
    ),
}
TEXT_FIELDS = ("topics", "ownedPartitions", "assignedPartitions", "rackId")


class Showing(Wrapped):
    """A reader whose adapter shows some fields in another form."""

    def __init__(self, fields: tuple[str, ...], form: Form) -> None:
        super().__init__(GENERATED)
        self._fields, self._form = fields, form

    def note(self, answer: Any) -> Any:
        if not isinstance(answer, Read):
            return answer
        value = {
            key: self._shown(key, item) if key in self._fields else item
            for key, item in answer.value.items()
        }
        return answer._replace(value=value)

    def _shown(self, key: str, item: Any) -> Any:
        match item:
            case list():
                return [self._shown(key, one) for one in item]
            case dict():
                return {**item, "topic": self._shown(key, item["topic"])}
            case str():
                return self._form(b64decode(item) if key == "userData" else item.encode())
            case _:
                return item


def mistake_of(subject: Subject) -> str | None:
    return rehearse(subject, CONSUMER_PROTOCOL)


@pytest.mark.parametrize("name", FORMS)
def test_names_in_another_form_are_the_adapters_mistake(name: str) -> None:
    form, words = FORMS[name]
    fields = random.Random(name).sample(TEXT_FIELDS, 2)  # noqa: S311
    mistake = mistake_of(Showing(tuple(fields), form))
    assert mistake is not None
    assert words in mistake and mistake.endswith("; give the text itself")
    assert any(mistake.startswith(field) for field in fields)


@pytest.mark.parametrize("name", OF_BYTES)
def test_bytes_in_another_form_are_the_adapters_mistake(name: str) -> None:
    form, words = OF_BYTES[name]
    mistake = mistake_of(Showing(("userData",), form))
    assert mistake is not None
    assert mistake.startswith("userData is ")
    assert words in mistake and mistake.endswith("; give its base64")


@pytest.mark.parametrize("form", [*FORMS.values()], ids=list(FORMS))
def test_a_form_of_some_names_alone_is_no_mistake_of_the_adapter(form: tuple[Form, str]) -> None:
    """As of a client that prints a name, or folds its case, where it is not as others are."""
    names = [b"Orders-b", b"payments", b"EU", b"Clicks_of.2024"]
    kept = random.Random(form[1]).choice(names[1:])  # noqa: S311
    shown = Showing(("topics",), lambda data: data.decode() if data == kept else form[0](data))
    assert mistake_of(shown) is None


OF_CLIENTS: tuple[Callable[[str], str], ...] = (
    str.lower, str.upper, "{}\0".format, "{:.1}".format, "eu.{}".format
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(OF_CLIENTS)))
def test_what_a_client_may_make_of_names_is_no_mistake_of_the_adapter(number: int) -> None:
    change = OF_CLIENTS[number]
    assert mistake_of(Showing(TEXT_FIELDS, lambda data: change(data.decode()))) is None


@pytest.mark.parametrize("text", ["null", "None", "nil", "undefined", "NULL", "(nil)", "<null>"])
def test_null_as_a_text_is_the_adapters_mistake(text: str) -> None:
    class Adapter(Generated):
        def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
            answer = super().decode(name, data, version)
            if isinstance(answer, Read) and answer.value.get("rackId", "") is None:
                answer.value["rackId"] = text
            return answer

    mistake = mistake_of(Adapter())
    assert mistake is not None and "rackId is null as a text" in mistake and "give null" in mistake


class Writing(Wrapped):
    """A writer whose adapter gives other bytes, or takes another value."""

    def __init__(
        self,
        change: Callable[[bytes], bytes] = lambda data: data,
        take: Callable[[JsonObject], JsonObject] = lambda value: value,
    ) -> None:
        super().__init__(GENERATED)
        self._change, self._take = change, take

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        answer = super().encode(name, version, self._take(value))
        return Written(self._change(answer.data)) if isinstance(answer, Written) else answer


def with_base64_as_bytes(value: JsonObject) -> JsonObject:
    text = value["userData"]
    return {**value, "userData": None if text is None else b64encode(text.encode()).decode()}


def test_what_is_written_in_another_form_is_the_adapters_mistake() -> None:
    assert "encode gives the hex of" in (mistake_of(Writing(lambda d: d.hex().encode())) or "")
    assert "encode gives the base64" in (mistake_of(Writing(b64encode)) or "")
    assert "decode the base64 first" in (mistake_of(Writing(take=with_base64_as_bytes)) or "")


def test_a_remainder_of_what_was_read_is_the_adapters_mistake() -> None:
    class Adapter(Generated):
        def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
            answer = super().decode(name, data, version)
            if isinstance(answer, Read):
                left = len(answer.remainder or b"")
                return answer._replace(remainder=data[: len(data) - left])
            return answer

    assert "give what is left" in (mistake_of(Adapter()) or "")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.make.__name__)
def test_a_fault_of_a_client_is_no_mistake_of_its_adapter(fault: Fault) -> None:
    assert mistake_of(fault.subject()) is None


def test_nothing_is_wrong_where_nothing_is() -> None:
    assert mistake_of(Codec()) is mistake_of(GENERATED) is None
