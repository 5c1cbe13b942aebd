"""What real clients do otherwise than Apache Kafka, each time as a fault of a reader that is right
in all else: of `clients/readers.json`, which `make matrix` measures.

python -m tests.fuzz.mutants.by_difference     writes a section of docs/reference/faults.md
"""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kproto.clients.consequences import FAILS, READS_OTHERWISE, REFUSES, TAKES
from kproto.clients.readers import Reader, measured_readers
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.comparison import with_single_replacements
from kproto.fuzz.guarantees.properties import Broken
from kproto.fuzz.guarantees.subjects import GENERATED
from kproto.fuzz.subject import Failed, Failure, JsonObject, Read, ReadAnswer, Refused, Wrapped

from .hunt import JUDGED_BY
from .page import write_section

FOUND, RIGHT, MISSED = "found", "right", "missed"
_SHOWN_AS = "as "
"""The word before a value that a client read from bytes which Kafka refuses."""


class Difference(NamedTuple):
    """An answer of a client that differs from Apache Kafka's."""

    client: str
    case: Case
    answer: ReadAnswer

    def outcome(self) -> str:
        """Return whether a guarantee is broken by it; `RIGHT`: it is right for a reader that does
        not know the fields in which the bytes are wrong, or has another number of U+FFFD alone.
        """
        subject = _OneAnswer(self.case, self.answer)
        for guarantee in JUDGED_BY:
            try:
                guarantee.check(subject, self.case)
            except Broken:
                return FOUND
        if isinstance(self.answer, Read) and _same_text(self.case.truth.value, self.answer.value):
            return RIGHT
        older = (self.case.readable_as(version) for version in self.case.message.VERSIONS)
        return RIGHT if any(reading is not None for reading in older) else MISSED


def _same_text(value: JsonObject, second: JsonObject) -> bool:
    return with_single_replacements(value) == with_single_replacements(second)


class _OneAnswer(Wrapped):
    """Answers as Apache Kafka does, except for the bytes of one case."""

    def __init__(self, case: Case, answer: ReadAnswer) -> None:
        super().__init__(GENERATED)
        self._case = case
        self._answer = answer

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        if (name, data) == (self._case.name, self._case.data):
            return self._answer
        return super().decode(name, data, version)

    def cost(self, name: str, data: bytes, version: int | None = None) -> None:
        return None


def differences() -> Iterator[Difference]:
    """Yield the differences of all clients; answers whose text is cut short are left out."""
    measured = measured_readers()
    (java,) = (reader for reader in measured.readers if reader.name == "java")
    for reader in measured.readers:
        rows = zip(measured.inputs, java.does, reader.does, reader.said, strict=True)
        for item, in_java, does, words in rows:
            case = Case(item.message, item.data)
            answer = None if does == in_java else _answer(case, does, words)
            if answer is not None:
                yield Difference(reader.name, case, answer)


def _answer(case: Case, does: str, words: str) -> ReadAnswer | None:
    if does == REFUSES:
        return Refused(words)
    if does == FAILS:
        return Failed(Failure.CRASH, words)
    if does == TAKES and words.startswith(_SHOWN_AS):
        return _read(words.removeprefix(_SHOWN_AS))
    return _changed(case, words) if does == READS_OTHERWISE else None


def _read(text: str) -> Read | None:
    try:
        return Read(json.loads(text))
    except ValueError:  # it is cut
        return None


def _changed(case: Case, words: str) -> Read | None:
    """Return Kafka's value with the change that the words tell, as in "topics[0] is 1, not 2"."""
    changed = _CHANGED.fullmatch(words)
    if changed is None:
        return None
    value = copy.deepcopy(case.truth.value)
    *path, last = [int(key) if key.isdigit() else key for key in _KEY.findall(changed[1])]
    part: Any = value
    try:
        for key in path:
            part = part[key]
        part[last] = json.loads(changed[2])
    except (ValueError, LookupError):  # it is cut, or about the meaning of entries
        return None
    return Read(value)


_CHANGED = re.compile(r"([\w.\[\]]+) is (.*), not .*")
_KEY = re.compile(r"\w+")


_MATRIX = Path(__file__).parents[3] / "docs" / "matrix" / "matrix.json"
_TITLE = "What real clients do otherwise than Apache Kafka"
_ABOUT = """\
The inputs of `kproto lint --readers`, with what [each client](../clients.md) did: every answer that
is not Apache Kafka's is put into a reader that is right in all else. *Right*: the answer is right
for a reader that does not know the fields in which the bytes are wrong, or has another number of
U+FFFD in the place of bytes that are no UTF-8. *Cut*: the recorded answer is too long to be tried.
*Seconds* that `make matrix` needed to put all of its inputs to the client.

| client | otherwise | found | right | missed | cut | seconds |
|---|---:|---:|---:|---:|---:|---:|"""


def rows() -> Iterator[str]:
    """Yield the rows of the table, one a client."""
    counts: Counter[tuple[str, str]] = Counter()
    columns = json.loads(_MATRIX.read_text("utf-8"))["columns"]
    seconds = {column["name"]: column["seconds"] for column in columns}
    for difference in differences():
        counts[difference.client, difference.outcome()] += 1
    for reader in measured_readers().readers:
        otherwise = _otherwise(reader)
        cells = [counts[reader.name, outcome] for outcome in (FOUND, RIGHT, MISSED)]
        cells.append(otherwise - sum(cells))
        if otherwise:
            numbers = " | ".join(map(str, cells))
            yield f"| {reader.name} | {otherwise} | {numbers} | {seconds[reader.name]:.1f} |"


def _otherwise(reader: Reader) -> int:
    measured = measured_readers()
    (java,) = (row for row in measured.readers if row.name == "java")
    pairs = zip(java.does, reader.does, strict=True)
    return sum(second in _OTHERWISE and first != second for first, second in pairs)


_OTHERWISE = {REFUSES, FAILS, TAKES, READS_OTHERWISE}


if __name__ == "__main__":
    write_section(_TITLE, [_ABOUT, *rows()])
