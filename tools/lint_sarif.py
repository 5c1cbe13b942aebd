"""Write findings as SARIF 2.1.0, which code hosts and editors read.

A message is an artifact nested in its file, and the region of a finding is an offset in its bytes,
which have no lines. A file that is nothing but the message is the artifact itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..inspector.diagnose.explanations import Page, pages
from ..inspector.diagnose.levels import level_of
from ..inspector.diagnose.lint import Finding, Judged
from ..inspector.shapes.sarif import MAX_RESULTS, SarifResult, SarifRule, file_uri, sarif_log
from .input.lint_items import Item


class Sarif:
    """Collects results; `document` is the log, and `left_out` says how many are not in it."""

    def __init__(self) -> None:
        self._pages = pages()
        self._artifacts: list[dict[str, Any]] = []
        self._places: dict[tuple[str, str], int] = {}
        self._results: dict[str, SarifResult] = {}
        self.left_out = 0

    def add(self, item: Item, verdict: Judged, finding: Finding) -> None:
        """Add a finding; a finding with the same identity is another occurrence of the first."""
        identity = verdict.identity(finding)
        result = self._results.get(identity)
        if result is not None:
            result.occurrences = (result.occurrences or 0) + 1
        elif len(self._results) < MAX_RESULTS:
            self._results[identity] = self._result(item, verdict, finding, identity)
        else:
            self.left_out += 1

    def document(self) -> dict[str, Any]:
        """Return the SARIF log as a JSON object."""
        return sarif_log(
            map(_rule, self._pages.values()),
            list(self._results.values()),
            run_keys={"columnKind": "unicodeCodePoints", "artifacts": self._artifacts},
        )

    def _result(self, item: Item, verdict: Judged, finding: Finding, identity: str) -> SarifResult:
        where = {"index": self._artifact(item), **_uri(item.source)}
        region = {"byteOffset": verdict.start + finding.offset}
        path = ".".join(part for part in (verdict.path, finding.path) if part)
        name = f"{verdict.decoded.message_class.NAME}.{finding.path}".rstrip(".")
        return SarifResult(
            finding.code,
            finding.level,
            finding.explanation,
            {
                "physicalLocation": {"artifactLocation": where, "region": region},
                "logicalLocations": [{"name": name, "fullyQualifiedName": path or name}],
            },
            identity,
            {"couldBe": list(verdict.fingerprint.could)},
            occurrences=1,
        )

    def _artifact(self, item: Item) -> int:
        file = self._place(item.source, "", {"location": _location(item.source)})
        if not item.place and _is_nothing_else(item):
            return file
        inner = {
            "parentIndex": file,
            "description": {"text": item.place or item.source},
            "length": len(item.decoded.data),
        }
        return self._place(item.source, item.place or "message", inner)

    def _place(self, source: str, place: str, artifact: dict[str, Any]) -> int:
        index = self._places.setdefault((source, place), len(self._artifacts))
        if index == len(self._artifacts):
            self._artifacts.append(artifact)
        return index


def _location(source: str) -> dict[str, Any]:
    return _uri(source) or {"description": {"text": source}}


def _uri(source: str) -> dict[str, str]:
    """Return the URI of a file; nothing for what is none."""
    if not os.path.exists(source):  # noqa: PTH110  # hex can be longer than a name can be
        return {}
    return {"uri": file_uri(source)}


def _is_nothing_else(item: Item) -> bool:
    try:
        return Path(item.source).stat().st_size == len(item.decoded.data)
    except (OSError, ValueError):
        return False


def _rule(page: Page) -> SarifRule:
    see = f"\n\nSee {', '.join(page.see)}." if page.see else ""
    return SarifRule(
        page.code,
        page.title,
        description=page.what,
        help=f"{page.group}\n\nWritten by: {page.writers}{see}",
        level=level_of(page.code, page.class_),
        tags=(page.class_,),
    )
