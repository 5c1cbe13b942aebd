"""The inputs that a campaign begins with: the corpus that ships with the package, and messages made
from definitions.

`corpus/TARGET.hex` holds an input per line, found by campaigns and from other people's bytes,
minimised. `regressions/TARGET.hex` holds every input that ever was a finding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from ..files import write_file
from .defined import defined
from .mutators.messages import Messages, split
from .targets import form_of, of_client

_PACKAGE = Path(__file__).parent
SHIPPED = _PACKAGE / "corpus"
REGRESSIONS = _PACKAGE / "regressions"


def shipped(target: str) -> list[bytes]:
    """Return the inputs that come with the package, findings of the past first."""
    files = (folder / f"{target}.hex" for folder in (REGRESSIONS, SHIPPED))
    return [data for file in files if file.exists() for data in read_hex(file)]


def shipped_messages(names: Collection[str]) -> list[bytes]:
    """Return the inputs, of whichever target, that are one of these messages."""
    inputs = (data for target in _OF_MESSAGES for data in shipped(target))
    return [data for data in dict.fromkeys(inputs) if _name(data) in names]


_OF_MESSAGES = ("guarantees", "decode-consumer", "decode-user-data", "decode-requests")


def _name(data: bytes) -> str:
    route, _ = split(data)
    return "" if route is None else route.cls.NAME


def read_hex(file: Path) -> list[bytes]:
    """Return the inputs of a file, one per line; `#` begins a comment."""
    lines = (line.partition("#")[0].strip() for line in file.read_text().splitlines())
    return [bytes.fromhex(line) for line in lines if line]


def seeds(target: str) -> list[bytes]:
    """Return all inputs that a campaign on this target begins with: the shipped ones, and for
    messages without any those made from their definitions.
    """
    form = form_of(target)
    if not isinstance(form, Messages):
        return shipped(target)
    ready = shipped_messages(form.names) if of_client(target) else shipped(target)
    heads = {data[: form.head(data)] for data in ready}
    additions = (data for data in defined(form.names) if data[: form.head(data)] not in heads)
    return list(dict.fromkeys([*ready, *additions]))


def unpack(inputs: list[bytes], folder: Path) -> None:
    """Write each input to a file named by its digest, as libFuzzer does."""
    folder.mkdir(parents=True, exist_ok=True)
    for data in inputs:
        write_file(folder / digest(data), data)


def digest(data: bytes) -> str:
    """Return the name of an input's file, which is that of libFuzzer."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
