"""Writes fuzz/conformance/matrix/captured.json anew: `python -m tests.fuzz.pick_captured`.

Of what each release of a client wrote under an assignor, as a member and as a leader, the longest
message is picked: it has the most in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kproto.capture import decode_request
from kproto.fuzz.conformance.matrix.matrix import MESSAGES
from kproto.fuzz.conformance.matrix.pairs import Captured

ROOT = Path(__file__).parents[2]
FILE = ROOT / "fuzz" / "conformance" / "matrix" / "captured.json"
_CAPTURES = ROOT / "tests" / "vectors" / "captures"
_SUBSCRIPTION, _ASSIGNMENT = MESSAGES
_JOIN, _SYNC = 11, 14
_ASSIGNORS = {"RoundRobinAssigner": "roundrobin"}  # KafkaJS's name for it
_CLIENT_ID = re.compile(r"(.+?)-(\d+\.\d+\.\d+)-")


def picked() -> list[Captured]:
    """Returns the longest message of each client, release, assignor and message, sorted."""
    found: dict[tuple[str, str, str, str], Captured] = {}
    for one in sorted(_sent(), key=lambda one: (len(one.hex), one.hex)):
        found[one[:4]] = one
    return sorted(found.values())


def text() -> str:
    """Returns the file: a line a message."""
    lines = ",\n".join(json.dumps(one) for one in picked())
    return f"[\n{lines}\n]\n"


def _sent() -> Iterator[Captured]:
    joined: dict[str, str] = {}
    for line in (_CAPTURES / "frames.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)
        if told["direction"] != "request" or told["api_key"] not in (_JOIN, _SYNC):
            continue
        writer, body = (
            _writer(told["client"]),
            decode_request(bytes.fromhex(told["frame_hex"])).body,
        )
        if writer is None or body is None or body.message is None:
            continue
        message = body.message
        if told["api_key"] == _JOIN and message.protocol_type == "consumer":
            offered = [each.name for each in message.protocols]
            joined[told["client"]] = offered[0] if len(offered) == 1 else ""
            for each in message.protocols:
                assignor = _ASSIGNORS.get(each.name, each.name)
                yield Captured(*writer, assignor, _SUBSCRIPTION, bytes(each.metadata).hex())
        if told["api_key"] == _SYNC and joined.get(told["client"]):
            assignor = _ASSIGNORS.get(joined[told["client"]], joined[told["client"]])
            for each in message.assignments:
                if each.assignment:
                    yield Captured(*writer, assignor, _ASSIGNMENT, bytes(each.assignment).hex())


def _writer(client_id: str) -> tuple[str, str] | None:
    """Returns the client and its release, which groups.json has or the client id says."""
    if client_id in _members():
        return _members()[client_id]
    said = _CLIENT_ID.match(client_id)
    return (said[1], said[2]) if said else None


@cache
def _members() -> dict[str, tuple[str, str]]:
    groups = json.loads((_CAPTURES / "groups.json").read_text("utf-8"))
    members = [member for group in groups.values() for member in group]
    return {member["client_id"]: (member["client"], member["version"]) for member in members}


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
