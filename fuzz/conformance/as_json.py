"""A run as one JSON object, and back: what is kept and compared with other runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..guarantees.cases import Case
from ..guarantees.table import BY_ID
from .expected_failures import Expected, status_of
from .results import Example, Result, Run

_LONGEST = 1000
"""Characters of an answer that are kept."""


def to_json(run: Run, expected: Sequence[Expected] = ()) -> dict[str, Any]:
    """Return the run as JSON values."""
    return {
        "client": run.client,
        "release": run.release,
        "command": list(run.command),
        "seed": run.seed,
        "names": list(run.names),
        "inputs": run.inputs,
        "digest": run.digest,
        "seconds": round(run.seconds, 3),
        "skipped": run.skipped,
        "failures": run.failures,
        "remarks": run.remarks,
        "incomplete": run.incomplete,
        "left": run.left,
        "remedy": run.remedy,
        "unmeasured": run.unmeasured,
        "latency": run.latency,
        "results": [_result(result, expected) for result in run.results],
    }


def _result(result: Result, expected: Sequence[Expected]) -> dict[str, Any]:
    return {
        "guarantee": result.guarantee.id,
        "title": result.guarantee.title,
        "scope": result.guarantee.scope.value,
        "message": result.name,
        "status": status_of(result, expected).value,
        "held": result.held,
        "broken": result.broken,
        "unasked": result.unasked,
        "unsupported": result.unsupported,
        "why": result.why,
        "examples": [_example(example) for example in result.examples],
        "sample": None if result.sample is None else _example(result.sample),
    }


def _example(example: Example) -> dict[str, Any]:
    case = example.case
    return {
        "input": case.id,
        "hex": case.data.hex(),
        "version": case.version,
        "value": case.value,
        "kind": case.kind,
        "origin": case.origin,
        "complaint": example.complaint,
        "answer": example.answer[:_LONGEST],
    }


def from_json(obj: Mapping[str, Any]) -> Run:
    """Return the run that `to_json` wrote. Raises ValueError for anything else."""
    try:
        return Run(
            client=str(obj["client"]),
            release=str(obj["release"]),
            command=tuple(map(str, obj["command"])),
            seed=int(obj["seed"]),
            names=tuple(map(str, obj["names"])),
            results=[_read_result(result) for result in obj["results"]],
            inputs=int(obj["inputs"]),
            seconds=float(obj["seconds"]),
            skipped=dict(obj["skipped"]),
            failures=dict(obj["failures"]),
            remarks=[str(remark) for remark in obj["remarks"]],
            digest=str(obj.get("digest", "")),
            left=dict(obj.get("left", {})),
            remedy=str(obj.get("remedy", "")),
            unmeasured=[str(entry) for entry in obj.get("unmeasured", [])],
            latency=dict(obj.get("latency", {})),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a run of kproto conform: {error!r}") from None


def _read_result(obj: Mapping[str, Any]) -> Result:
    name = str(obj["message"])
    examples = [_read_example(name, example) for example in obj["examples"]]
    sample = obj.get("sample")
    return Result(
        BY_ID[obj["guarantee"]], name, int(obj["held"]), int(obj["broken"]), examples,
        None if sample is None else _read_example(name, sample),
        int(obj.get("unasked", 0)), int(obj.get("unsupported", 0)), why=str(obj.get("why", "")),
    )  # fmt: skip


def _read_example(name: str, obj: Mapping[str, Any]) -> Example:
    case = Case(
        name, bytes.fromhex(obj["hex"]), obj["version"], obj["kind"], obj["origin"],
        value=obj["value"],
    )  # fmt: skip
    return Example(case, str(obj["complaint"]), str(obj.get("answer", "")))
