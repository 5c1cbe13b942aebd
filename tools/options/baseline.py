"""Read and write baselines: known findings, so that only new ones are reported.

    {"findings": [{"id", "code", "name", "path", "source"}, …]}

A finding is known by its `id` alone, which is made of the code, the path and the bytes of the
message: in another capture or text form the same bytes have the same id, and changed bytes another
one. The other keys are for people who read the file.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...files import read_bounded
from ...wording import counted
from ..output.failures import say, unreadable
from ..output.written import write_output


class KnownFinding(msgspec.Struct, frozen=True):
    """A known finding in a baseline."""

    id: str
    code: str
    name: str
    path: str
    source: str


class _Baseline(msgspec.Struct, frozen=True):
    findings: tuple[KnownFinding, ...]


def read_baseline(path: str) -> frozenset[str]:
    """Return the ids of the findings in a baseline."""
    try:
        baseline = msgspec.json.decode(read_bounded(path), type=_Baseline)
    except (OSError, ValueError) as error:  # msgspec's are ValueErrors, and so is a NUL in a path
        raise unreadable(repr(path), error, "--baseline") from None
    return frozenset(finding.id for finding in baseline.findings)


def write_baseline(path: str, findings: dict[str, KnownFinding]) -> None:
    """Write a baseline with a line for each finding, sorted, so that a later one differs by new
    lines."""
    ordered = sorted(
        findings.values(), key=lambda finding: (finding.source, finding.code, finding.id)
    )
    write_lines(path, ordered)


def write_lines(path: str, findings: Sequence[msgspec.Struct]) -> None:
    """Write findings that are sorted already, a line each."""
    lines = ",\n  ".join(msgspec.json.encode(finding).decode() for finding in findings)
    text = f'{{"findings": [\n  {lines}\n]}}\n' if findings else '{"findings": []}\n'
    write_output(path, text)
    say(f"{counted(len(findings), 'finding')} written to {path}")
