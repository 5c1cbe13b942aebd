"""The matrix of many clients, its file, and the file of its verdicts, one for each release of
kproto.

It covers the two messages of the consumer protocol, which all clients have, so that columns can be
compared. A file holds a matrix: what was measured, of which releases, when.

What others have reported about these clients (`clients.reports`) is asked again. A report that is
not confirmed stays in the table, with the reason why the measurement differs. The matrix keeps the
answers, its page shows what differs, and a test compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from ....clients.reports import reports
from ...subject import JsonObject, Subject
from ..judging import answer_line, parse_question
from ..report import run_from_json, run_shape
from ..results import ConformanceRun, status_of_all
from .pairs import ASSIGNMENT, SUBSCRIPTION, Captured, CapturedReadings, Pair, Verdict

MESSAGES = (SUBSCRIPTION, ASSIGNMENT)
_LONGEST = 600
"""Characters of a client's answer, and of a string in a value, that are kept."""

ADDRESS = re.compile(r"0x[0-9a-f]{8,}")
"""Addresses in a client's answer, which differ from run to run."""


@dataclass
class Column:
    """A client and its run."""

    name: str
    """The adapter's name."""
    language: str
    run: ConformanceRun


@dataclass
class Matrix:
    """What was measured of all clients."""

    date: str
    """The date of the run: 2026-11-21."""
    release: str
    """The release of kproto."""
    seed: int
    columns: list[Column]
    left_out: dict[str, str] = field(default_factory=dict)
    """Adapters that were not available, and why."""
    pairs: list[Pair] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    """Answers to what others have reported of these clients."""
    digest: str = ""
    """The digest of the inputs of both messages."""
    older: dict[str, str] = field(default_factory=dict)
    """The dates of the columns that are those of an earlier matrix, by name; `left_out` says why,
    except of clients that were not asked for.
    """
    captured: list[CapturedReadings] = field(default_factory=list)
    """The verdict of each adapter on messages that real clients sent."""

    @property
    def not_asked(self) -> dict[str, list[str]]:
        """The clients that were not asked for this time, by the date of their columns."""
        clients: dict[str, list[str]] = {}
        for name, date in self.older.items():
            if name not in self.left_out:
                clients.setdefault(date, []).append(name)
        return clients

    @property
    def runs(self) -> list[ConformanceRun]:
        """The runs of the columns."""
        return [column.run for column in self.columns]


def to_text(matrix: Matrix) -> str:
    """Return the file: JSON with a line for each result, pair and answer, so that two can be
    compared.
    """
    head: JsonObject = {"date": matrix.date, "kproto": matrix.release, "seed": matrix.seed,
                        "digest": matrix.digest,
                        "leftOut": matrix.left_out, "older": matrix.older}  # fmt: skip
    columns = ",\n".join(map(_column, matrix.columns))
    pairs = ",\n".join(map(json.dumps, matrix.pairs))
    captured = ",\n".join(json.dumps(_short(_readings(reading))) for reading in matrix.captured)
    answers = ",\n".join(json.dumps(_short(list(answer))) for answer in matrix.answers)
    lists = {"columns": columns, "pairs": pairs, "captured": captured, "answers": answers}
    parts = [json.dumps(head)[:-1], *(f'"{key}": [\n{lists[key]}\n]' for key in lists)]
    return ",\n".join(parts) + "}\n"


def _column(column: Column) -> str:
    run = msgspec.to_builtins(run_shape(column.run))
    run["command"] = []  # a path of the machine that it ran on
    results = run.pop("results")
    head = {"name": column.name, "language": column.language, **run}
    lines = ",\n".join(f"  {json.dumps(_short(result))}" for result in results)
    return f'{json.dumps(head)[:-1]}, "results": [\n{lines}\n]}}'


def _readings(readings: CapturedReadings) -> JsonObject:
    readers = {name: list(verdict) for name, verdict in readings.readers.items()}
    return {**readings.captured._asdict(), "readers": readers}


def _short(value: Any, key: str = "") -> Any:
    """Return a result with long strings of values cut; its bytes are kept whole."""
    if isinstance(value, str) and key != "hex":
        value = ADDRESS.sub("0x...", value)
        if len(value) > _LONGEST:
            return f"{value[: _LONGEST - 30]}... ({len(value):,} characters)"
        return value
    if isinstance(value, list):
        return [_short(item, key) for item in value]
    if isinstance(value, dict):
        return {name: _short(item, name) for name, item in value.items()}
    return value


def from_text(text: str) -> Matrix:
    """Return the matrix of such a file. Raises ValueError for anything else."""
    try:
        obj = json.loads(text)
        return Matrix(
            date=str(obj["date"]),
            release=str(obj["kproto"]),
            seed=int(obj["seed"]),
            digest=str(obj.get("digest", "")),
            columns=[_read_column(column) for column in obj["columns"]],
            left_out=dict(obj["leftOut"]),
            older=dict(obj.get("older", {})),
            pairs=[Pair(*map(str, pair)) for pair in obj["pairs"]],
            captured=[_read_readings(reading) for reading in obj.get("captured", [])],
            answers=[
                _read_answer(*map(str, answer))
                for answer in obj["answers"]
                if answer[0] in reports()  # else an older file's, of a report that is gone
            ],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a matrix of kproto conform: {error!r}") from None


def _read_column(obj: Mapping[str, Any]) -> Column:
    return Column(str(obj["name"]), str(obj["language"]), run_from_json(obj))


def _read_answer(about: str, client: str, text: str) -> Answer:
    return Answer(reports()[about].about, client, text)


def _read_readings(obj: Mapping[str, Any]) -> CapturedReadings:
    message = Captured(*(str(obj[key]) for key in Captured._fields))
    readers = {str(name): Verdict(*map(str, parts)) for name, parts in obj["readers"].items()}
    return CapturedReadings(message, readers)


class Answer(NamedTuple):
    """A client's answer to the question of a report."""

    about: str
    client: str
    """The adapter's name."""
    text: str

    @property
    def borne_out(self) -> bool:
        """Whether the answer confirms the report."""
        return re.match(reports()[self.about].answers, self.text, re.DOTALL) is not None


def answers_of(subject: Subject, name: str) -> list[Answer]:
    """Return an adapter's answers to all reports about it."""
    return [
        Answer(
            report.about,
            name,
            answer_line(subject, parse_question(report.question, report.message, report.version)),
        )
        for report in reports().values()
        if name in report.readers
    ]


def history_file(matrix: Matrix) -> str:
    """Return the name of the file of a matrix: that of the release that measured it."""
    return f"{re.sub(r'[^0-9A-Za-z.+-]', '-', matrix.release)}.json"


def history_text(matrix: Matrix) -> str:
    """Return the file: JSON with a line a client, its release and the status of each guarantee."""
    columns = [
        {
            "name": column.name,
            "library": column.run.client,
            "release": column.run.release,
            "statuses": {
                guarantee.id: status_of_all(results, ()).value
                for guarantee, results in column.run.by_guarantee()
            },
        }
        for column in matrix.columns
    ]
    head = {"date": matrix.date, "kproto": matrix.release, "digest": matrix.digest}
    lines = ",\n".join(map(json.dumps, columns))
    return f'{json.dumps(head)[:-1]}, "columns": [\n{lines}\n]}}\n'
