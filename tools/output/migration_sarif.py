"""What stops a migration, as SARIF 2.1.0."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from ...inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ...rebalance.migration import EXPLANATIONS, Judgement, Reason

_LATER = {"rejoin-fails", "downgrade-fails", "classic-members-refused"}


def sarif_of(judgements: Iterable[Judgement]) -> dict[str, Any]:
    """Return the SARIF log of what was found, a result for each reason."""
    rules = [
        SarifRule(
            what,
            explanation.title,
            help=explanation.remedy,
            level=_level(what),
            tags=(explanation.error or "later",),
        )
        for what, explanation in EXPLANATIONS.items()
    ]
    results = [result for judgement in judgements for result in _results(judgement)]
    return sarif_log(rules, results)


def _level(what: str) -> str:
    if what in _LATER:
        return "warning"
    return "note" if EXPLANATIONS[what].error is None else "error"


def _results(judgement: Judgement) -> Iterator[SarifResult]:
    for reason in (*judgement.reasons, *judgement.later):
        yield _result(judgement.group_id, reason)


def _result(group_id: str, reason: Reason) -> SarifResult:
    name = "/".join(part for part in (group_id, reason.member_id) if part)
    identity = f"{group_id}\0{reason.member_id}\0{reason.what}\0{reason.path}"
    place = {"name": name, "fullyQualifiedName": f"{name}:{reason.path}" if reason.path else name}
    about = f"member {reason.member_id}: " if reason.member_id else ""
    return SarifResult(
        reason.what,
        _level(reason.what),
        f"group {group_id}: {about}{reason.explanation}. {reason.remedy}",
        {"logicalLocations": [place]},
        hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        {"error": reason.error or "", "bytes": reason.data.hex()},
    )
