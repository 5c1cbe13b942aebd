"""A run as the shape that `kproto conform --json` prints, and back: what is kept and compared with
other runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ...inspector.shapes import checks as shapes
from ..guarantees.cases import Case
from ..guarantees.table import BY_ID
from .expected_failures import Expected, status_of
from .results import Example, Result, Run

_LONGEST = 1000
"""Characters of an answer that are kept."""


def run_shape(run: Run, expected: Sequence[Expected] = ()) -> shapes.Run:
    """Return the run as it is printed."""
    return shapes.Run(
        library=run.client,
        release=run.release,
        command=run.command,
        seed=run.seed,
        names=run.names,
        inputs=run.inputs,
        digest=run.digest,
        seconds=round(run.seconds, 3),
        incomplete=run.incomplete,
        omissions=run.omissions,
        remedy=run.remedy,
        unmeasured=run.unmeasured,
        latency=run.latency,
        skipped=run.skipped,
        failures=run.failures,
        remarks=run.remarks,
        results=[_judged(result, expected) for result in run.results],
    )


def _judged(result: Result, expected: Sequence[Expected]) -> shapes.Judged:
    return shapes.Judged(
        guarantee=result.guarantee.id,
        title=result.guarantee.title,
        scope=result.guarantee.scope.value,
        message=result.name,
        status=status_of(result, expected).value,
        passes=result.passes,
        violations=result.violations,
        omissions=result.omissions,
        unsupported=result.unsupported,
        why=result.why,
        examples=[_example(example) for example in result.examples],
        sample=None if result.sample is None else _example(result.sample),
    )


def _example(example: Example) -> shapes.Example:
    case = example.case
    return shapes.Example(
        input=case.id,
        hex=case.data.hex(),
        version=case.version,
        value=case.value,
        kind=case.kind,
        origin=case.origin,
        complaint=example.complaint,
        answer=example.answer[:_LONGEST],
    )


def run_from_json(obj: Mapping[str, Any]) -> Run:
    """Return the run of a JSON object as `run_shape` prints it, whatever else is in it; earlier
    files have `client` for `library`. Raises ValueError for anything else."""
    try:
        values = {"library": obj.get("client"), **obj}
        keys = values.keys() & set(shapes.Run.__struct_encode_fields__)
        shape = msgspec.convert({key: values[key] for key in keys}, shapes.Run)
        results = [_read_result(judged) for judged in shape.results]
    except (KeyError, AttributeError, ValueError) as error:
        raise ValueError(f"not a run of kproto conform: {error!r}") from None
    return Run(
        client=shape.library,
        release=shape.release,
        command=shape.command,
        seed=shape.seed,
        names=shape.names,
        results=results,
        inputs=shape.inputs,
        seconds=shape.seconds,
        skipped=shape.skipped,
        failures=shape.failures,
        remarks=shape.remarks,
        digest=shape.digest,
        omissions=shape.omissions,
        remedy=shape.remedy,
        unmeasured=shape.unmeasured,
        latency=shape.latency,
    )


def _read_result(judged: shapes.Judged) -> Result:
    return Result(
        BY_ID[judged.guarantee],
        judged.message,
        judged.passes,
        judged.violations,
        [_read_example(judged.message, example) for example in judged.examples],
        None if judged.sample is None else _read_example(judged.message, judged.sample),
        judged.omissions,
        judged.unsupported,
        why=judged.why,
    )


def _read_example(name: str, example: shapes.Example) -> Example:
    case = Case(
        name,
        bytes.fromhex(example.hex),
        example.version,
        example.kind,
        example.origin,
        value=example.value,
    )
    return Example(case, example.complaint, example.answer)
