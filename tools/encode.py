"""Write a message from its JSON, in Kafka's form, as hex.

The JSON is that of `kproto decode --json` under "message": camelCase names, bytes in base64. A
field that is left out is at its default.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from ..codec.errors import EncodeError
from ..codec.message import Message, VersionedMessage
from . import inputs
from .failures import Failure
from .messages import add_definitions, find, load


def configure(parser: ArgumentParser) -> None:
    """The arguments of `kproto encode`."""
    parser.epilog = "exit status: 0 written; 1 the JSON or a value was refused; 2 wrong use"
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a file of JSON; - or none: standard input"
    )
    parser.add_argument(
        "--as", dest="name", metavar="NAME", required=True, help="the message to write"
    )
    parser.add_argument(
        "--version", metavar="N", type=int, help="in this version; default: the newest"
    )
    add_definitions(parser)


def run(arguments: Namespace) -> int:
    """Print one line of hex."""
    cls = find(arguments.name, load(arguments.definitions))
    where, text = inputs.read_file(arguments.file, inputs.MAX_BYTES)
    try:
        print(_bytes(cls, _parsed(where, text), arguments.version).hex())
    except EncodeError as error:
        raise Failure(f"{cls.NAME} refused: {error}") from None
    return 0


def _bytes(cls: type[Message], obj: Any, version: int | None) -> bytes:
    message = cls.from_json(obj, version)
    if isinstance(message, VersionedMessage):
        return message.to_bytes(version)
    return message.to_body(version)


def _parsed(where: str, text: bytes) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_without_twins)
    except ValueError as error:
        raise Failure(f"{where} is not JSON: {error}") from None


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that stands twice would be lost silently."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twin!r} stands twice in one object")
    return made
