"""A run for a person to read, as JSON and back, as JUnit XML, as SARIF, and its failures as
vectors for tests in the client's own language.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from xml.etree import ElementTree as Xml

import msgspec
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...codec import EncodeError
from ...escaping import escaped, prose
from ...inspector.shapes import checks as shapes
from ...inspector.shapes.junit import add_case, add_outcome, junit_document, xml_text
from ...inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ...inspector.shapes.shape import json_text
from ...inspector.views.theme import HangingIndent
from ..guarantees.cases import Case, write
from ..guarantees.causes import told
from ..guarantees.table import BY_ID, Guarantee, Scope
from .results import (
    ConformanceRun,
    Example,
    Expected,
    Result,
    Status,
    exit_status,
    ids_of,
    status_of,
    status_of_all,
)

MARKS = {
    Status.HELD: ("✓", "green"),
    Status.BROKEN: ("✗", "bold red"),
    Status.EXPECTED: ("~", "yellow"),
    Status.UNEXPECTED_PASS: ("!", "bold magenta"),
    Status.INCOMPLETE: ("◔", "yellow"),
    Status.NOT_JUDGED: ("·", "dim"),
}
_HEX_SHOWN = 120  # characters
_UNEXPECTED = "holds, though it is expected to be broken"


class Report:
    """A run, with what was expected of it. A `rich` renderable."""

    def __init__(self, run: ConformanceRun, expectations: Sequence[Expected] = ()) -> None:
        self._run = run
        self._expectations = expectations

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in self._parts(console):
            if isinstance(part, Text) and not part.no_wrap:
                yield HangingIndent(Text(), part)
            else:
                yield part

    def _parts(self, console: Console) -> RenderResult:
        run = self._run
        digest = f" ({run.digest})" if run.digest else ""
        facts = f"{run.inputs:,} inputs{digest} of {len(run.names)} messages", f"seed {run.seed}"
        about = " · ".join(["", *facts, f"{run.seconds:.1f} s"])
        yield Text.assemble((escaped(f"{run.client} {run.release}"), "bold"), (about, "dim"))
        for scope in Scope:
            rows = [row for row in run.by_guarantee() if row[0].scope is scope]
            if rows:
                yield Text()
                yield self._title(scope, rows)
                for guarantee, results in rows:
                    yield from self._row(guarantee, results)
        yield from self._end(console)

    def _title(self, scope: Scope, rows: list[tuple[Guarantee, list[Result]]]) -> Text:
        statuses = [status_of_all(results, self._expectations) for _, results in rows]
        count, known = map(statuses.count, (Status.BROKEN, Status.EXPECTED))
        nothing = "nothing new is broken" if known else "nothing broken"
        verdict = f"{count} of {len(rows)} broken" if count else nothing
        verdict += f", {known} known" if known else ""
        if not self._run.has_verdicts(scope):
            verdict = "nothing judged"
        return Text.assemble((scope.value, "bold"), f": {verdict}")

    def _row(self, guarantee: Guarantee, results: list[Result]) -> RenderResult:
        status = status_of_all(results, self._expectations)
        mark, style = MARKS[status]
        passes, checks = (
            sum(result.passes for result in results),
            sum(result.checks for result in results),
        )
        counts = f"{passes:,} of {checks:,}" if checks else status.value
        yield Text.assemble(
            (f" {mark} ", style), f"{guarantee.title:<28}", (f"{counts:>16}{_more(results)}", "dim")
        )
        for why in _reasons(results) if not checks else ():
            yield _indented(prose(why), "dim")
        example = self._run.worst(guarantee.id)
        if status in (Status.BROKEN, Status.EXPECTED) and example is not None:
            yield _indented(guarantee.statement, "italic")
            yield from _example(example)
            yield _indented(_advice(guarantee, example))
        if status is Status.UNEXPECTED_PASS:
            yield _indented("it is in the file of expected failures, and holds", "magenta")

    def _end(self, console: Console) -> RenderResult:
        run = self._run
        if run.failures or run.skipped or run.remarks or not run.has_verdicts(Scope.REQUIRED):
            yield Text()
        for how, count in sorted(run.failures.items()):
            yield Text(f"no answer, {count} times: {how}")
        if run.skipped:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(run.skipped.items()))
            yield Text(
                f"not asked, or not to the end: {sum(run.skipped.values()):,} inputs ({kinds})"
            )
        for remark in run.remarks:
            yield Text(f"note: {remark}")
        if self._is_required and not run.has_verdicts(Scope.REQUIRED):
            yield Text("nothing required was judged: no API for it, or no time")
        if run.latency:
            times = ", ".join(f"{name} {_time(took)}" for name, took in run.latency.items())
            yield Text(f"an answer took: {times}", "dim")
        yield Text(_DENOMINATOR, "dim")
        if run.incomplete:
            whole = not console.is_terminal  # for programs that look for the line
            yield _line(f"incomplete: {run.incomplete}", "yellow", is_whole=whole)
        yield Text(self._marks(), "dim")
        for line in self._levels():
            yield Text(prose(line), "bold")

    @property
    def _is_required(self) -> bool:
        """Whether the run is about a guarantee that is required."""
        return any(result.guarantee.scope is Scope.REQUIRED for result in self._run.results)

    def _marks(self) -> str:
        """Return a line that explains each mark in front of a row."""
        statuses = {
            status_of_all(results, self._expectations) for _, results in self._run.by_guarantee()
        }
        marks = (
            f"{MARKS[status][0]} {_MEANING[status]}" for status in Status if status in statuses
        )
        return f"marks: {', '.join(marks)}"

    def _levels(self) -> Iterator[str]:
        """Yield what is broken at which level, and which exit status follows from it."""
        run = self._run
        if self._is_required and not run.has_verdicts(Scope.REQUIRED):
            yield "nothing required was judged"
        passes = self._ids(Status.UNEXPECTED_PASS, *Scope)
        if passes:
            yield f"kept now, so remove it from the baseline: {', '.join(passes)}"
        for scope in (Scope.REQUIRED, Scope.RECOMMENDED):
            known = self._ids(Status.EXPECTED, scope)
            ids = ", ".join(map(self._with_cause, self._ids(Status.BROKEN, scope)))
            nothing = "nothing new" if known else "nothing"
            in_baseline = f"; in the baseline: {', '.join(known)}" if known else ""
            yield f"{scope.value} and broken: {ids or nothing}{in_baseline}"
        plain, strict = (
            exit_status(run, self._expectations, recommended=is_strict)
            for is_strict in (False, True)
        )
        ends = "with --recommended, too" if plain == strict else f"with --recommended: {strict}"
        yield f"exit status {plain} ({ends})"

    def _ids(self, status: Status, *scopes: Scope) -> list[str]:
        return ids_of(self._run, self._expectations, status, *scopes)

    def _with_cause(self, guarantee_id: str) -> str:
        example = self._run.worst(guarantee_id)
        cause = example.follows if example is not None else ""
        return f"{guarantee_id} (follows from {cause})" if cause else guarantee_id


_MEANING = {
    Status.HELD: "kept",
    Status.BROKEN: "broken",
    Status.EXPECTED: "broken and in the baseline",
    Status.UNEXPECTED_PASS: "kept and in the baseline",
    Status.INCOMPLETE: "kept so far",
    Status.NOT_JUDGED: "not judged",
}


def _line(text: str, style: str, *, is_whole: bool) -> Text:
    """Return a text that stays on one line, however long, if it is to be whole."""
    return Text(prose(text), style, no_wrap=is_whole, overflow="ignore" if is_whole else "fold")


def _reasons(results: list[Result]) -> list[str]:
    """Return why a guarantee was not judged; of messages with different reasons, which is whose."""
    names: dict[str, list[str]] = {}
    for result in results:
        if result.why:
            names.setdefault(result.why, []).append(result.name)
    if len(names) == 1:
        return list(names)
    return [f"{', '.join(of_messages)}: {why}" for why, of_messages in names.items()]


_DENOMINATOR = "the numbers: inputs that passed, of the applicable inputs that were answered"


def _more(results: list[Result]) -> str:
    """Return how many more inputs have to do with a guarantee, in words; "" if none has."""
    counts = {
        "not asked": sum(result.omissions for result in results),
        "unsupported": sum(result.unsupported for result in results),
        "without an answer": sum(result.unanswered for result in results),
    }
    parts = [f"{count:,} {words}" for words, count in counts.items() if count]
    return f", {', '.join(parts)}" if parts else ""


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"


def _example(example: Example) -> RenderResult:
    case = example.case
    yield _indented(prose(example.complaint))
    data = case.data.hex()
    if len(data) > _HEX_SHOWN:
        data = f"{data[:_HEX_SHOWN]}... ({len(case.data)} bytes)"
    body = "" if case.version is None else f" version {case.version}"
    question = data if case.value is None else "a value, to be written"
    where = f"{case.kind}, {_place(case.origin)}" if case.origin else case.kind
    line = f"{case.name}{body} {question} (input {case.id}: {escaped(where)})"
    yield _indented(line, "dim")


def _advice(guarantee: Guarantee, example: Example) -> str:
    if example.follows:
        return told(guarantee.id, example.follows)
    return f"to keep it: {example.advice or guarantee.fix}"


def _place(origin: str) -> str:
    """Return where in the repository an input is kept, FILE:LINE for a line of a file."""
    return f"tests/vectors/{origin}" if ".jsonl:" in origin else origin


def _indented(text: str, style: str = "") -> HangingIndent:
    return HangingIndent(_INDENT, Text(text, style))


_INDENT = Text(" " * 6)


_LONGEST = 1000
"""Characters of an answer that are kept."""


def run_shape(run: ConformanceRun, expectations: Sequence[Expected] = ()) -> shapes.Run:
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
        results=[_judged_shape(result, expectations) for result in run.results],
    )


def _judged_shape(result: Result, expectations: Sequence[Expected]) -> shapes.Judged:
    return shapes.Judged(
        guarantee=result.guarantee.id,
        title=result.guarantee.title,
        scope=result.guarantee.scope.value,
        message=result.name,
        status=status_of(result, expectations).value,
        passes=result.passes,
        violations=result.violations,
        omissions=result.omissions,
        unsupported=result.unsupported,
        unanswered=result.unanswered,
        why=result.why,
        examples=[_example_shape(example) for example in result.examples],
        sample=None if result.sample is None else _example_shape(result.sample),
    )


def _example_shape(example: Example) -> shapes.Example:
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
        advice=example.advice,
        follows=example.follows,
    )


def run_from_json(obj: Mapping[str, Any]) -> ConformanceRun:
    """Return the run of a JSON object as `run_shape` prints it, whatever else is in it; earlier
    files have `client` for `library`. Raises ValueError for anything else."""
    try:
        values = {"library": obj.get("client"), **obj}
        keys = values.keys() & set(shapes.Run.__struct_encode_fields__)
        shape = msgspec.convert({key: values[key] for key in keys}, shapes.Run)
        results = [_read_result(shape_of_result) for shape_of_result in shape.results]
    except (KeyError, AttributeError, ValueError) as error:
        raise ValueError(f"not a run of kproto conform: {error!r}") from None
    return ConformanceRun(
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


def _read_result(shape: shapes.Judged) -> Result:
    return Result(
        BY_ID[shape.guarantee],
        shape.message,
        shape.passes,
        shape.violations,
        [_read_example(shape.message, example) for example in shape.examples],
        None if shape.sample is None else _read_example(shape.message, shape.sample),
        shape.omissions,
        shape.unsupported,
        shape.unanswered,
        why=shape.why,
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
    if example.input:  # a saved matrix has long values cut; the id is that of the whole
        vars(case)["id"] = example.input
    return Example(case, example.complaint, example.answer, example.advice, example.follows)


_Outcome = Literal["failure", "skipped"]


def to_junit(run: ConformanceRun, expectations: Sequence[Expected] = ()) -> str:
    """Return the document. A recommended guarantee that is broken is skipped, with the reason: a CI
    that counts it as a failure can ask for that with `--recommended`.
    """
    root = Xml.Element("testsuites", name=xml_text(f"kproto conform: {run.client} {run.release}"))
    for scope in Scope:
        results = [
            result
            for result in run.results
            if result.guarantee.scope is scope and (result.checks or result.omissions)
        ]
        if results:
            _suite(root, scope, results, expectations)
    for guarantee, results in run.by_guarantee():
        if status_of_all(results, expectations) is Status.UNEXPECTED_PASS:
            suite = Xml.SubElement(root, "testsuite", name="expected failures", tests="1")
            suite.set("failures", "1")
            _junit_case(suite, guarantee.title, "any message", "failure", _UNEXPECTED)
    if run.incomplete:
        suite = Xml.SubElement(root, "testsuite", name="incomplete", tests="1", skipped="1")
        _junit_case(suite, "every input is asked", "any message", "skipped", run.incomplete)
    return junit_document(root)


def _suite(
    root: Xml.Element, scope: Scope, results: list[Result], expectations: Sequence[Expected]
) -> None:
    suite = Xml.SubElement(root, "testsuite", name=scope.value, tests=str(len(results)))
    counts: dict[_Outcome, int] = {"failure": 0, "skipped": 0}
    for result in results:
        how = _how(scope, status_of(result, expectations))
        if how:
            counts[how] += 1
        _junit_case(suite, result.guarantee.title, result.name, how, _junit_text(result))
    suite.set("failures", str(counts["failure"]))
    suite.set("skipped", str(counts["skipped"]))


def _how(scope: Scope, status: Status) -> _Outcome | None:
    if status is Status.BROKEN:
        return "failure" if scope is Scope.REQUIRED else "skipped"
    if status is Status.UNEXPECTED_PASS:
        return "failure"
    return "skipped" if status in (Status.EXPECTED, Status.INCOMPLETE) else None


def _junit_text(result: Result) -> str:
    if result.omissions and not result.violations:
        return f"incomplete: {result.checks:,} inputs judged, {result.omissions:,} not asked"
    if not result.examples:
        return _UNEXPECTED
    example = result.examples[0]
    return f"{example.complaint}\n{example.case}\ninput {example.case.id}{_cause(result)}"


def _cause(result: Result) -> str:
    return f"\n{told(result.guarantee.id, result.follows)}" if result.follows else ""


def _junit_case(suite: Xml.Element, title: str, name: str, how: _Outcome | None, why: str) -> None:
    case = add_case(suite, name, title)
    if how:
        first, _, rest = why.partition("\n")
        add_outcome(case, how, first, rest)


def to_vectors(run: ConformanceRun) -> str:
    """Return the inputs that broke a guarantee as lines of JSON, each with what Apache Kafka makes
    of it. The keys are those of tests/vectors.
    """
    vectors = (
        {"guarantee": result.guarantee.title, "input": example.case.id, "name": result.name,
         "kind": example.case.kind, **_expected(example.case), "complaint": example.complaint,
         "answer": example.answer}
        for result in run.results
        for example in result.examples
    )  # fmt: skip
    return "".join(f"{json.dumps(vector)}\n" for vector in vectors)


def _expected(case: Case) -> dict[str, Any]:
    """Return the question of a case, and the answer that Apache Kafka gives."""
    if case.value is not None:
        data = _bytes_of(case)
        answer = {"accept": data is not None, "hex": None if data is None else data.hex()}
        return {"op": "encode", "version": case.version, "json": case.value, **answer}
    truth = case.truth
    body = {} if case.version is None else {"bodyVersion": case.version}
    question = {"op": "decode", "hex": case.data.hex(), **body, "accept": truth.accept}
    if not truth.accept:
        return question
    return {**question, "version": truth.version, "schema_version": truth.schema_version,
            "left": truth.left, "json": truth.value}  # fmt: skip


def _bytes_of(case: Case) -> bytes | None:
    """Return the bytes of the value of a case; None if it does not fit."""
    assert case.version is not None and case.value is not None
    if case.version not in case.message.VERSIONS:
        return None
    try:
        return write(case.message.from_json(case.value, case.version), case.version)
    except EncodeError:
        return None


_LEVELS = {Scope.REQUIRED: "error", Scope.RECOMMENDED: "warning", Scope.OWN: "error"}
_SHOWN = (Status.BROKEN, Status.UNEXPECTED_PASS, Status.INCOMPLETE)


def to_sarif(run: ConformanceRun, expectations: Sequence[Expected] = ()) -> str:
    """Return the document. What was not asked is a result of the kind "open", at no level; the run
    says whether it asked everything.
    """
    rules = [_sarif_rule(guarantee) for guarantee, _ in run.by_guarantee()]
    invocation: dict[str, Any] = {"executionSuccessful": not run.incomplete}
    if run.incomplete:
        message = {"text": f"incomplete: {run.incomplete}"}
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": message}]
    log = sarif_log(
        rules,
        list(_sarif_results(run, expectations)),
        tool="kproto conform",
        run_keys={"invocations": [invocation]},
    )
    return json_text(log)


def _sarif_rule(guarantee: Guarantee) -> SarifRule:
    return SarifRule(
        guarantee.id,
        guarantee.name,
        description=guarantee.statement,
        help=f"{guarantee.fix} ({guarantee.source})",
        level=_LEVELS[guarantee.scope],
    )


def _sarif_results(run: ConformanceRun, expectations: Sequence[Expected]) -> Iterator[SarifResult]:
    for result in run.results:
        status = status_of(result, expectations)
        if status in _SHOWN:
            yield _sarif_result(run, result, status)


def _sarif_result(run: ConformanceRun, result: Result, status: Status) -> SarifResult:
    guarantee, name = result.guarantee, result.name
    return SarifResult(
        guarantee.id,
        "none" if status is Status.INCOMPLETE else _LEVELS[guarantee.scope],
        _sarif_text(result, status),
        {"logicalLocations": [{"fullyQualifiedName": f"{run.client}.{name}", "name": name}]},
        f"{guarantee.id} {name}",
        {"status": status.value, "passes": result.passes, "violations": result.violations,
         "omissions": result.omissions, "inputs": [example.case.id for example in result.examples]},
        kind="open" if status is Status.INCOMPLETE else "",
    )  # fmt: skip


def _sarif_text(result: Result, status: Status) -> str:
    if status is Status.INCOMPLETE:
        return f"incomplete: {result.checks:,} inputs judged, {result.omissions:,} not asked"
    if status is Status.UNEXPECTED_PASS:
        return _UNEXPECTED
    example = result.examples[0]
    return (
        f"{result.guarantee.statement} {example.complaint}. Input {example.case.id}: "
        f"{example.case}{_cause(result)}"
    )
