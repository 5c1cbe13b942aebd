"""What has changed since an earlier audit: `kproto audit --diff`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..pipeline.report.changes import change_of
from ..pipeline.report.names import group_name
from ..pipeline.tables.manifest import NoAudit, published
from .output.failures import WRONG_USE, Failure, say

if TYPE_CHECKING:
    from ..pipeline.run import Options
    from ..pipeline.run.audit import Audit

_COLUMNS = ["finding_id", "severity", "rule", "group_id", "explanation", "status"]


def findings_of(folder: str) -> dict[str, Any]:
    """Return all findings of an earlier audit, by id, whatever its --since was."""
    try:
        rows = published(folder, "findings", _COLUMNS).to_pylist()
    except NoAudit as error:
        raise Failure(f"--diff: {error}", WRONG_USE) from None
    return {row["finding_id"]: row for row in rows}


def say_difference(previous: Mapping[str, Any], audit: Audit, options: Options) -> None:
    """Print a line for each finding that has changed. A finding of a group that was not asked for
    now is not gone.
    """
    current = {row["finding_id"]: row for row in audit.findings.to_pylist()}
    changes = [(change_of(previous.get(key), row), row) for key, row in current.items()]
    changes += [
        ("gone", row)
        for finding_id, row in previous.items()
        if finding_id not in current and _is_in_scope(row, options)
    ]
    for word, row in changes:
        if word is not None:
            group = group_name(row["group_id"])
            say(f"{word}: {row['severity']} {row['rule']} {group}: {row['explanation']}")
    unchanged = sum(word is None for word, _ in changes)
    say(f"{unchanged:,} findings are as they were before")


def _is_in_scope(row: Mapping[str, Any], options: Options) -> bool:
    """Return whether a finding is of a group that was asked for; those of the fleet count only
    where all were.
    """
    group = row["group_id"]
    return not options.groups if group is None else options.wants(group)
