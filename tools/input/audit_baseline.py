"""Read and write the baseline of an audit: the findings that are known.

It is a JSON object, `{"findings": [{"id", "cluster", "group", "code", "severity", "status",
"explanation"}, …]}`. The findings.json of an audit has the same keys and more, and is one too; of
the folder of an audit the published table is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict, fields

from ...files import read_bounded
from ...inspector.shapes.checks import GoneFinding
from ...pipeline.tables.manifest import NoAudit, published
from ..options.baseline import write_lines
from ..output.failures import NOT_DONE, WRONG_USE, Failure, unreadable

_COLUMNS = list(GoneFinding.__struct_fields__)
_KEYS = {field.name: field.encode_name for field in fields(GoneFinding)}


class _Known(msgspec.Struct, rename=_KEYS):
    """A `GoneFinding` that may have more keys."""

    finding_id: str
    cluster_id: str
    group_id: str | None
    rule: str
    severity: Literal["info", "warning", "error", "critical"]
    status: Literal["open", "over"]
    explanation: str


class _Baseline(msgspec.Struct):
    findings: list[_Known]


def read_audit_baseline(place: str) -> dict[str, dict[str, Any]]:
    """Return the findings of a file, or of the audit in a folder, by their ids, whatever its
    --since was. Raises Failure."""
    if Path(place).is_file():
        return _in_file(place)
    if "://" not in place and not Path(place).exists():
        line = f"--baseline: there is no {place}; --write-baseline FILE writes one"
        raise Failure(line, WRONG_USE)
    try:
        rows = published(place, "findings", _COLUMNS).to_pylist()
    except NoAudit as error:
        raise Failure(f"--baseline: {error}", NOT_DONE) from None
    return {row["finding_id"]: row for row in rows}


def _in_file(path: str) -> dict[str, dict[str, Any]]:
    try:
        baseline = msgspec.json.decode(read_bounded(path), type=_Baseline)
    except (OSError, ValueError) as error:  # msgspec's are ValueErrors
        raise unreadable(repr(path), error, "--baseline") from None
    return {finding.finding_id: asdict(finding) for finding in baseline.findings}


def write_audit_baseline(path: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write the findings of an audit, a line each, in the order of their groups and rules."""
    findings = [GoneFinding(**{name: row[name] for name in _COLUMNS}) for row in rows]
    findings.sort(key=lambda finding: (finding.group_id or "", finding.rule, finding.finding_id))
    write_lines(path, findings)
