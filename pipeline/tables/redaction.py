"""Hide names in what an audit publishes: in every table, finding and text made from them.

Each name of a cluster, group, topic, member, client, host, rack or file has a stand-in, the same in
every table and sentence. Bytes are left out. Verdicts, counts, times, offsets and the ids of
findings stay, so that a baseline fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...codec.read.deviations import CODES
from ...inspector.views.redaction import Redaction
from ...inspector.views.stand_ins import NamesToHide, hidden_evidence
from .publishing import Destination
from .schemas import TABLES
from .writing import WrittenFile

__all__ = ["HIDING", "AuditRedaction"]

_HIDDEN = "<hidden>"
_STAND_IN = re.compile(r"<group-[0-9a-f]+>")
_KINDS = {
    "cluster_id": "cluster", "source": "source", "group_id": "group", "topic": "topic",
    "topics": "topic", "regex": "topic", "topic_id": "uuid", "member_id": "member",
    "leader": "member", "joined": "member", "left": "member", "client_id": "client",
    "client_host": "host", "group_instance_id": "instance", "rack_id": "rack",
    "protocol": "protocol", "protocol_type": "protocol_type", "from_member": "member",
    "to_member": "member",
}  # fmt: skip
"""What a column of text, or a key of evidence, names."""
_SENTENCES = frozenset({"explanation", "subscription_error", "assignment_error"})
_UNREAD = frozenset({"commit_metadata", "reason"})
"""Texts that clients wrote, or that quote bytes which could not be read."""
_NAMING = {*_KINDS, "moves", "evidence"}
"""Columns with names in them."""
HIDING = frozenset({*_NAMING, *_SENTENCES, *_UNREAD})
"""Columns of text that are written anew; all others have words of kproto's own."""
_PUBLIC = {"unknown"}
"""What stands for a cluster that has no name."""


class AuditRedaction:
    """The stand-ins of one audit. `names` are names by what they name, which no table has: those
    that only logs tell."""

    def __init__(self, redaction: Redaction, names: Mapping[str, str] | None = None) -> None:
        self._names = NamesToHide(redaction)
        for name, kind in (names or {}).items():
            self._names.add(kind, [name])
        self._hide: Callable[[str], str] = str
        self.groups: set[str] = set()
        """The names of the groups in the tables, once these are written anew."""

    def redacted_files(
        self, files: Sequence[WrittenFile], destination: Destination
    ) -> list[WrittenFile]:
        """Write the staged tables anew with stand-ins, and return the files of these."""
        for table, schema in TABLES.items():
            columns = [name for name in schema.names if name in _NAMING]
            self._collect(destination.staged(files, table, columns))
        self._hide = self._names.hiding()
        with destination.writer() as writer:
            for file in files:
                if file.rows:
                    schema = TABLES[file.table]
                    rows = destination.staged([file], file.table, schema.names)
                    writer.write(file.table, self.redacted_table(rows))
            written = {file.table for file in writer.written()}
            for table in {file.table for file in files} - written:
                writer.write_empty(table)
            return writer.written()

    def redacted_table(self, rows: pa.Table) -> pa.Table:
        """Return rows of a table of `TABLES` with stand-ins for names, and without bytes."""
        columns = [self._column(name, rows) for name in rows.column_names]
        return pa.Table.from_arrays(columns, schema=rows.schema)

    def redacted_lines(self, lines: Iterable[str]) -> list[str]:
        """Return sentences with stand-ins for names."""
        return [self._hide(line) for line in lines]

    def redacted_gone(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a finding of a baseline that is no more. Its sentence may have names that nothing
        has any more; one of a baseline that has stand-ins is shown as it is."""
        if _STAND_IN.fullmatch(str(row["group_id"])):
            return dict(row)
        shown = {name: self._value(name, value) for name, value in row.items() if name in _KINDS}
        return {**row, **shown, "explanation": _HIDDEN}

    def redacted_groups(self, groups: Iterable[str]) -> list[str]:
        """Return the stand-ins of groups."""
        return [self._names.stand_in(group, "group") for group in groups]

    def redacted_teams(self, teams: Mapping[str, str]) -> dict[str, str]:
        """Return the teams of the groups in the tables, both by their stand-ins."""
        return {
            self._names.stand_in(group, "group"): self._names.stand_in(teams[group], "team")
            for group in self.groups
            if group in teams
        }

    def _collect(self, rows: pa.Table) -> None:
        """Add the names in these columns."""
        for column in rows.column_names:
            values = rows.column(column)
            is_text = pa.types.is_string(values.type)
            for value in (values.unique() if is_text else values).to_pylist():
                is_evidence = column == "evidence" and value
                for key, text in _texts_in(json.loads(value) if is_evidence else value, column):
                    if key in _KINDS and text not in _PUBLIC:
                        self._names.add(_KINDS[key], [text])
                        self.groups.update([text] if _KINDS[key] == "group" else ())

    def _column(self, name: str, rows: pa.Table) -> pa.ChunkedArray:
        column, kind = rows.column(name), rows.schema.field(name).type
        if pa.types.is_binary(kind):
            return pa.chunked_array([pa.nulls(rows.num_rows, kind)])
        if name == "explanation" and "code" in rows.column_names:  # of a deviation: it may quote
            return _mapped(rows.column("code"), kind, lambda code: CODES[code].explanation)
        return _mapped(column, kind, partial(self._value, name)) if name in HIDING else column

    def _value(self, key: str, value: Any) -> Any:
        match value:
            case dict():
                return {name: self._value(name, item) for name, item in value.items()}
            case list():
                return [self._value(key, item) for item in value]
            case str() if value and value not in _PUBLIC:
                return self._text(key, value)
        return value

    def _text(self, key: str, text: str) -> str:
        if key == "evidence":
            return json.dumps(hidden_evidence(json.loads(text), self._hide), sort_keys=True)
        if key in _SENTENCES:
            return self._hide(text)
        if key in _UNREAD:
            return _HIDDEN
        return self._names.stand_in(text, _KINDS[key]) if key in _KINDS else text


def _texts_in(value: Any, key: str) -> Iterator[tuple[str, str]]:
    """Yield each text in a value with the key that it is under."""
    match value:
        case str():
            yield key, value
        case dict():
            for name, item in value.items():
                yield from _texts_in(item, name)
        case list():
            for item in value:
                yield from _texts_in(item, key)
        case _:
            pass


def _mapped(
    column: pa.ChunkedArray, kind: pa.DataType, shown: Callable[[Any], Any]
) -> pa.ChunkedArray:
    """Return what a function makes of each value; of text it is asked once for each."""
    if not pa.types.is_string(column.type):
        return pa.chunked_array([pa.array(map(shown, column.to_pylist()), kind)])
    values = column.unique()
    return pc.take(pa.array(map(shown, values.to_pylist()), kind), pc.index_in(column, values))
