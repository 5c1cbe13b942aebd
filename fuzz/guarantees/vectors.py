"""Kafka's recorded answers, which ship with the package: the same lines as tests/vectors/*.jsonl.

python -m kproto.fuzz.guarantees.vectors tests/vectors     packs them again into vectors.zip
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from ...clients.reader_rules import RELEASES
from ...codec import message_class
from .cases import Case, Recorded

FILES = ("consumer-protocol.jsonl", "group-messages.jsonl", "group-messages-broken.jsonl")


@cache
def lines(file: str) -> tuple[dict[str, Any], ...]:
    """Return the lines of one file, parsed; tests/vectors/README.md says what is in them."""
    with resources.files(__package__).joinpath("vectors.zip").open("rb") as packed:
        text = zipfile.ZipFile(packed).read(file).decode()
    return tuple(json.loads(line) for line in text.splitlines())


def recorded_cases() -> Iterator[Case]:
    """Yield every vector as a case, with Kafka's answer, where that still holds."""
    for file in FILES:
        for number, line in enumerate(lines(file), start=1):
            case = _case(line, f"{file}:{number}")
            if not _is_outdated(case):
                yield case


def _is_outdated(case: Case) -> bool:
    """Return whether the bytes name a version that Kafka did not know when it answered, and the
    definition has one more by now.
    """
    newest = RELEASES["java"].newest
    if case.name not in RELEASES["java"].messages or newest >= case.message.LATEST:
        return False
    return case.truth.version is not None and case.truth.version > newest


def _case(line: dict[str, Any], origin: str) -> Case:
    data, version = bytes.fromhex(line["hex"]), None
    if "version" in line and not origin.startswith(FILES[0]):
        front, version = _front(line["name"], line["version"])
        data = front + data
    kind = line.get("kind", "valid")
    accept = line.get("accept", True)
    told = Recorded(accept, line.get("json"), line.get("left", 0 if accept else None))
    return Case(line["name"], data, version, kind, origin, told)


def _front(name: str, version: int) -> tuple[bytes, int | None]:
    """Return what is in front of a body, and the version to give if nothing is."""
    cls = message_class(name)
    if cls.FRAMING.kind == "version":
        return version.to_bytes(2, "big"), None
    if cls.FRAMING.kind == "record-type":
        assert cls.API_KEY is not None
        return cls.API_KEY.to_bytes(2, "big"), None
    return b"", version


def pack(folder: Path, into: Path) -> None:
    """Write the archive, the same bytes from the same lines."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in FILES:
            info = zipfile.ZipInfo(file)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, (folder / file).read_bytes())


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(__file__).parent / "vectors.zip")
