"""The pages of findings that lie beside a matrix, for its summary."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

SEVERITIES = ("high", "medium", "low")
"""The severities of findings, the worst first."""


class FindingPage(NamedTuple):
    """A page about a defect of clients."""

    file: str
    """The name of the page's file."""
    title: str
    severity: str
    found_in: str
    """The clients and releases, in words."""
    testees: frozenset[str]
    """The testees that show the defect."""


def findings_in(folder: Path) -> list[FindingPage]:
    """Return the findings that have a page in a folder, the worst first; none if there is none."""
    pages = (_finding(file) for file in sorted(folder.glob("*.md")))
    findings = [finding for finding in pages if finding is not None]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def _finding(file: Path) -> FindingPage | None:
    page = file.read_text("utf-8")
    title = re.match(r"# (.+)\n", page)
    severity = re.search(rf"^Severity: ({'|'.join(SEVERITIES)}):", page, re.MULTILINE)
    found_in = re.search(r"^Found in: (.+?)\.?\n\n", page, re.MULTILINE | re.DOTALL)
    if title is None or severity is None or found_in is None:
        return None
    example = page.partition("\n## See for yourself\n")[2].partition("\n## ")[0]
    testees = frozenset(re.findall(r"--testee (\S+)", example))
    return FindingPage(file.name, title[1], severity[1], " ".join(found_in[1].split()), testees)
