"""The line protocol of `kproto conform`, one JSON object per line: questions, replies, and the loop
of a testee in Python.

A testee is not trusted in anything: a reply that does not follow the protocol is a `Failed` with
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
"""The operations; a testee says which of them it has. `rewrite` is rarely there."""

_ERROR_NAME = re.compile(r"([A-Za-z_][\w.$]*): ")
_MAX_NAMES = 1000


class Hello(NamedTuple):
    """A testee's reply to the first question: what it is and what it knows."""

    client: str
    release: str
    names: frozenset[str]
    ops: frozenset[str]


class Lie(Exception):
    """A reply that the protocol does not allow; the text says why."""


class Again(Lie):
    """A second reply to a question that had one."""


def question(number: int, op: str, **fields: Any) -> bytes:
    """Return a question as one line. `hex` is given as bytes."""
    asked: JsonObject = {"id": number, "op": op}
    for key, value in fields.items():
        if value is not None:
            asked[key] = value.hex() if isinstance(value, bytes) else value
    return json.dumps(asked).encode() + b"\n"


def reply(line: bytes, number: int) -> JsonObject:
    """Return the object of a reply to the question of this number; they count from 1. Raises
    `Lie`.
    """
    try:
        said = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Lie(f"no JSON ({str(error)[:80]}): {_brief(line)}") from None
    if not isinstance(said, dict):
        raise Lie(f"no JSON object: {_brief(line)}")
    if type(said.get("id")) is not int or said["id"] != number:
        earlier = type(said.get("id")) is int and 0 < said["id"] < number
        wrong = Again if earlier else Lie
        raise wrong(f"the reply's id is {_brief(said.get('id'))}, the question's {number}")
    if not isinstance(said.get("ok"), bool):
        raise Lie(f'"ok" is {_brief(said.get("ok"))}, not true or false')
    return said


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def hello(said: JsonObject) -> Hello:
    """Return the reply to the first question. Raises `Lie`."""
    if not said["ok"]:
        raise Lie(f"refuses to say hello: {_brief(said.get('error'))}")
    if type(said.get("protocol")) is not int or said["protocol"] != PROTOCOL:
        raise Lie(f"speaks protocol {_brief(said.get('protocol'))}, not {PROTOCOL}")
    ops = _names(said, "ops")
    unknown = sorted(ops - {"hello", *OPS})
    if unknown:
        raise Lie(f"claims unknown operations: {_brief(unknown)}")
    client, release = (_text(said, key) for key in ("client", "release"))
    return Hello(client, release, _names(said, "names"), ops)


def _names(said: JsonObject, key: str) -> frozenset[str]:
    found = said.get(key)
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise Lie(f'"{key}" is {_brief(found)}, not a list of names')
    if len(found) > _MAX_NAMES:
        raise Lie(f'"{key}" has {len(found)} entries')
    return frozenset(found)


def _text(said: JsonObject, key: str) -> str:
    found = said.get(key)
    if not isinstance(found, str):
        raise Lie(f'"{key}" is {_brief(found)}, not a text')
    return found[:200]


def read_answer(said: JsonObject) -> ReadAnswer:
    """Return the reply to `decode`. Raises `Lie`."""
    if not said["ok"]:
        return _no(said)
    value = said.get("value")
    if not isinstance(value, dict):
        raise Lie(f'"value" is {_brief(value)}, not an object')
    version = said.get("version")
    if version is not None and type(version) is not int:
        raise Lie(f'"version" is {_brief(version)}, not a number')
    remainder = said.get("remainder")
    return Read(value, version, None if remainder is None else _bytes(said, "remainder"))


def write_answer(said: JsonObject) -> WriteAnswer:
    """Return the reply to `encode` or `rewrite`. Raises `Lie`."""
    return Written(_bytes(said, "hex")) if said["ok"] else _no(said)


def _no(said: JsonObject) -> Refused | Unsupported:
    if said.get("unsupported") is True:
        return Unsupported(str(said.get("error", "")))
    error = said.get("error")
    if not isinstance(error, str):
        raise Lie(f'"error" is {_brief(error)}, not a text')
    name = _ERROR_NAME.match(error)
    return Refused(error[:500], name[1] if name else None)


def _bytes(said: JsonObject, key: str) -> bytes:
    found = said.get(key)
    if isinstance(found, str):
        with suppress(ValueError):
            return bytes.fromhex(found)
    raise Lie(f'"{key}" is {_brief(found)}, not hex')


def lie(error: Lie) -> Failed:
    """Return a reply that breaks the protocol as an answer."""
    return Failed(Failure.LIE, str(error))


def _brief(value: object) -> str:
    text = repr(value)
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
        asked = json.loads(line)
        said = hello if asked["op"] == "hello" else _answer(subject, asked)
        print(json.dumps({"id": asked["id"], **said}), flush=True)  # noqa: T201


def _answer(subject: Subject, asked: dict[str, Any]) -> dict[str, Any]:
    name, version = asked["name"], asked.get("version")
    answer: ReadAnswer | WriteAnswer
    match asked["op"]:
        case "decode":
            answer = subject.decode(name, bytes.fromhex(asked["hex"]), version)
        case "encode":
            answer = subject.encode(name, asked["version"], asked["value"])
        case "rewrite":
            answer = subject.rewrite(name, bytes.fromhex(asked["hex"]), version)
        case other:
            answer = Unsupported(f"no op {other!r}")
    match answer:
        case Read(value, label, remainder):
            said: dict[str, Any] = {"ok": True, "value": value}
            if label is not None:
                said["version"] = label
            return said if remainder is None else {**said, "remainder": remainder.hex()}
        case Written(data):
            return {"ok": True, "hex": data.hex()}
        case Refused(reason, error):
            named = error is None or reason.startswith(f"{error}: ")
            return {"ok": False, "error": reason if named else f"{error}: {reason}"}
        case Unsupported(what):
            return {"ok": False, "unsupported": True, "error": what}
        case Failed(how, detail):  # what is no answer here is none there
            sys.exit(f"{how.value}: {detail}")
