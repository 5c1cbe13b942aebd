"""The line protocol of `kproto conform`, one JSON object per line: questions, replies, and the loop
of an adapter in Python.

An adapter is not trusted in anything: a reply that does not follow the protocol is a `Failed` with
`Failure.LIE`, which says what was wrong.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from .subject import (
    Failed,
    Failure,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Subject,
    Unsupported,
    WriteAnswer,
    Written,
)

PROTOCOL = 1
OPS = ("decode", "encode", "rewrite")
"""The operations; an adapter says which of them it has. `rewrite` is rarely there."""

_ERROR_NAME = re.compile(r"([A-Za-z_][\w.$]*): ")
_MAX_NAMES = 1000
KEPT = "the reply comes only as its standard input ends"


class Hello(NamedTuple):
    """An adapter's reply to the first question: what it is and what it knows."""

    client: str
    release: str
    names: frozenset[str]
    ops: frozenset[str]


class Lie(Exception):
    """A reply that the protocol does not allow; the text says why."""


class Again(Lie):
    """A second reply to a question that had one."""


class NotUtf8(Lie):
    """A reply that would be one if it were UTF-8."""


def question(number: int, op: str, **fields: Any) -> bytes:
    """Return a question as one line. `hex` is given as bytes."""
    fields_of_question: JsonObject = {"id": number, "op": op}
    for key, value in fields.items():
        if value is not None:
            fields_of_question[key] = value.hex() if isinstance(value, bytes) else value
    return json.dumps(fields_of_question).encode() + b"\n"


def reply(line: bytes, number: int) -> JsonObject:
    """Return the object of a reply to the question of this number; they count from 1. Raises
    `Lie`.
    """
    try:
        return _reply(line, line.decode(), number)
    except UnicodeDecodeError as error:
        _reply(line, line.decode(errors="replace"), number)
        raise NotUtf8(
            f"the reply is not UTF-8 (byte {error.start} of {_brief(line)}); write U+FFFD for "
            "what is no UTF-8 in a name, or what the client makes of it"
        ) from None


def _reply(line: bytes, text: str, number: int) -> JsonObject:
    try:
        answer = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Lie(f"no JSON ({str(error)[:80]}): {_brief(text)}; {_advice(text)}") from None
    if not isinstance(answer, dict):
        raise Lie(f"no JSON object: {_brief(line)}; reply with one object a line")
    if type(answer.get("id")) is not int or answer["id"] != number:
        earlier = type(answer.get("id")) is int and 0 < answer["id"] < number
        wrong = Again if earlier else Lie
        raise wrong(
            f"the reply's id is {_brief(answer.get('id'))}, the question's {number}; answer each "
            "question once, with its id"
        )
    if not isinstance(answer.get("ok"), bool):
        raise Lie(f'"ok" is {_given(answer, "ok")}, not true or false')
    return answer


def _advice(text: str) -> str:
    """Return what to change in the program that wrote a line that is no JSON."""
    if text.startswith("\ufeff"):
        return "begin without a byte order mark"
    if "\0" in text:
        return "write UTF-8, not UTF-16"
    if text.strip() in ("{", "["):
        return "write each reply on one line"
    if text.startswith("{"):
        return "write one object in JSON, and nothing beside it; all else goes to standard error"
    return "standard output is for replies alone, write all else to standard error"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def hello(answer: JsonObject) -> Hello:
    """Return the reply to the first question. Raises `Lie`."""
    if not answer["ok"]:
        raise Lie(f"refuses to say hello: {_brief(answer.get('error'))}")
    if type(answer.get("protocol")) is not int or answer["protocol"] != PROTOCOL:
        raise Lie(f"speaks protocol {_brief(answer.get('protocol'))}, not {PROTOCOL}")
    ops = _names(answer, "ops")
    unknown = sorted(ops - {"hello", *OPS})
    if unknown:
        raise Lie(f"claims unknown operations: {_brief(unknown)}")
    client, release = (_text(answer, key) for key in ("client", "release"))
    return Hello(client, release, _names(answer, "names"), ops)


def _names(answer: JsonObject, key: str) -> frozenset[str]:
    names = answer.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise Lie(f'"{key}" is {_given(answer, key)}, not a list of names')
    if len(names) > _MAX_NAMES:
        raise Lie(f'"{key}" has {len(names)} entries')
    return frozenset(names)


def _text(answer: JsonObject, key: str) -> str:
    text = answer.get(key)
    if not isinstance(text, str):
        raise Lie(f'"{key}" is {_given(answer, key)}, not a text')
    return text[:200]


def read_answer(answer: JsonObject) -> ReadAnswer:
    """Return the reply to `decode`. Raises `Lie`."""
    if not answer["ok"]:
        return _no(answer)
    value = answer.get("value")
    if not isinstance(value, dict):
        raise Lie(f'"value" is {_given(answer, "value")}, not an object; put the fields into it')
    version = answer.get("version")
    if version is not None and type(version) is not int:
        raise Lie(f'"version" is {_brief(version)}, not a number')
    remainder = answer.get("remainder")
    return Read(value, version, None if remainder is None else _bytes(answer, "remainder"))


def write_answer(answer: JsonObject) -> WriteAnswer:
    """Return the reply to `encode` or `rewrite`. Raises `Lie`."""
    return Written(_bytes(answer, "hex")) if answer["ok"] else _no(answer)


def _no(answer: JsonObject) -> Refused | Unsupported:
    if answer.get("unsupported") is True:
        return Unsupported(str(answer.get("error", "")))
    error = answer.get("error")
    if not isinstance(error, str):
        raise Lie(f'"error" is {_given(answer, "error")}, not a text')
    name = _ERROR_NAME.match(error)
    return Refused(error[:500], name[1] if name else None)


def _bytes(answer: JsonObject, key: str) -> bytes:
    digits = answer.get(key)
    if isinstance(digits, str):
        with suppress(ValueError):
            return bytes.fromhex(digits)
    raise Lie(f'"{key}" is {_given(answer, key)}, not hex')


def lie(error: Lie) -> Failed:
    """Return a reply that breaks the protocol as an answer. The text of a reply is the adapter's
    own, whatever the client has read.
    """
    how = Failure.ADAPTER if isinstance(error, NotUtf8) else Failure.LIE
    return Failed(how, str(error))


def _given(answer: JsonObject, key: str) -> str:
    """Return what a reply has under a key, or that it has nothing there, and which keys it has."""
    return _brief(answer[key]) if key in answer else f"absent (the keys are {_brief([*answer])})"


def _brief(value: object) -> str:
    """Return a value as a short text of JSON."""
    value = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 80 else f"{text[:70]}..."


def serve(
    subject: Subject, client: str, release: str, names: Iterable[str], ops: Iterable[str]
) -> None:
    """Answer questions until standard input ends."""
    hello = {
        "ok": True,
        "protocol": 1,
        "client": client,
        "release": release,
        "names": list(names),
        "ops": list(ops),
    }
    for line in sys.stdin:
        request = json.loads(line)
        response = hello if request["op"] == "hello" else _answer(subject, request)
        print(json.dumps({"id": request["id"], **response}), flush=True)  # noqa: T201


def _answer(subject: Subject, request: dict[str, Any]) -> dict[str, Any]:
    name, version = request["name"], request.get("version")
    answer: ReadAnswer | WriteAnswer
    match request["op"]:
        case "decode":
            answer = subject.decode(name, bytes.fromhex(request["hex"]), version)
        case "encode":
            answer = subject.encode(name, request["version"], request["value"])
        case "rewrite":
            answer = subject.rewrite(name, bytes.fromhex(request["hex"]), version)
        case other:
            answer = Unsupported(f"no op {other!r}")
    match answer:
        case Read(value, version_field, remainder):
            response: dict[str, Any] = {"ok": True, "value": value}
            if version_field is not None:
                response["version"] = version_field
            return response if remainder is None else {**response, "remainder": remainder.hex()}
        case Written(data):
            return {"ok": True, "hex": data.hex()}
        case Refused(reason, error):
            has_name = error is None or reason.startswith(f"{error}: ")
            return {"ok": False, "error": reason if has_name else f"{error}: {reason}"}
        case Unsupported(what):
            return {"ok": False, "unsupported": True, "error": what}
        case Failed(how, detail):  # no answer: this process ends, as the subject did
            sys.exit(f"{how.value}: {detail}")


def advice_for(how: Failure, detail: str) -> str:
    """Return what to change in an adapter that gives no answer; "" where its own words tell."""
    if how is Failure.CRASH and detail.startswith("ended with exit status 0"):
        return "answer line after line, until standard input ends"
    return _FLUSH if detail == KEPT else _CHANGES.get(how, "")


_FLUSH = "flush after each line, and answer each question before you read the next"
_CHANGES = {
    Failure.HANG: f"{_FLUSH}; what is slow needs --timeout",
    Failure.FLOOD: "answer in one line, and write logs to a file",
}
