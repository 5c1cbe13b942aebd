"""The loop of a testee in Python: a question per line in, an answer per line out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from ..subject import Failed, Read, ReadAnswer, Refused, Subject, Unsupported, WriteAnswer, Written


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
