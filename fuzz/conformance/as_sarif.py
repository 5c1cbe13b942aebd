"""A run as SARIF: a rule for each guarantee, a result for each that is broken or was not asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ...inspector.shapes.shape import json_text
from ..guarantees.table import Guarantee, Scope
from .expected_failures import Expected, Status, status_of
from .results import Result, Run

_LEVELS = {Scope.REQUIRED: "error", Scope.RECOMMENDED: "warning", Scope.OWN: "error"}
_SHOWN = (Status.BROKEN, Status.UNEXPECTED_PASS, Status.INCOMPLETE)


def to_sarif(run: Run, expected: Sequence[Expected] = ()) -> str:
    """Return the document. What was not asked is a result of the kind "open", at no level; the run
    says whether it asked everything.
    """
    rules = [_rule(guarantee) for guarantee, _ in run.by_guarantee()]
    invocation: dict[str, Any] = {"executionSuccessful": not run.incomplete}
    if run.incomplete:
        message = {"text": f"incomplete: {run.incomplete}"}
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": message}]
    log = sarif_log(
        rules,
        list(_results(run, expected)),
        tool="kproto conform",
        run_keys={"invocations": [invocation]},
    )
    return json_text(log)


def _rule(guarantee: Guarantee) -> SarifRule:
    return SarifRule(
        guarantee.id,
        guarantee.name,
        description=guarantee.statement,
        help=guarantee.source,
        level=_LEVELS[guarantee.scope],
    )


def _results(run: Run, expected: Sequence[Expected]) -> Iterator[SarifResult]:
    for result in run.results:
        status = status_of(result, expected)
        if status in _SHOWN:
            yield _result(run, result, status)


def _result(run: Run, result: Result, status: Status) -> SarifResult:
    guarantee, name = result.guarantee, result.name
    return SarifResult(
        guarantee.id,
        "none" if status is Status.INCOMPLETE else _LEVELS[guarantee.scope],
        _text(result, status),
        {"logicalLocations": [{"fullyQualifiedName": f"{run.client}.{name}", "name": name}]},
        f"{guarantee.id} {name}",
        {"status": status.value, "passes": result.passes, "violations": result.violations,
         "omissions": result.omissions, "inputs": [example.case.id for example in result.examples]},
        kind="open" if status is Status.INCOMPLETE else "",
    )  # fmt: skip


def _text(result: Result, status: Status) -> str:
    if status is Status.INCOMPLETE:
        return f"incomplete: {result.judged:,} inputs judged, {result.omissions:,} not asked"
    if status is Status.UNEXPECTED_PASS:
        return "holds, though it is expected to be broken"
    example = result.examples[0]
    return (
        f"{result.guarantee.statement} {example.complaint}. Input {example.case.id}: {example.case}"
    )
