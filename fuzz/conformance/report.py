"""A run for a person to read: required and recommended apart, what broke, and by which bytes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.text import Text

from ...escaping import escaped
from ..guarantees.table import Guarantee, Scope
from .expected_failures import Expected, Status, broken, exit_status, status_of_all
from .results import Example, Result, Run

MARKS = {
    Status.HELD: ("✓", "green"),
    Status.BROKEN: ("✗", "bold red"),
    Status.EXPECTED: ("~", "yellow"),
    Status.UNEXPECTED_PASS: ("!", "bold magenta"),
    Status.INCOMPLETE: ("◔", "yellow"),
    Status.NOT_JUDGED: ("·", "dim"),
}
_HEX_SHOWN = 120  # characters


class Report:
    """A run, with what was expected of it. A `rich` renderable."""

    def __init__(self, run: Run, expected: Sequence[Expected] = ()) -> None:
        self._run = run
        self._expected = expected

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
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
        yield from self._end()

    def _title(self, scope: Scope, rows: list[tuple[Guarantee, list[Result]]]) -> Text:
        statuses = [status_of_all(results, self._expected) for _, results in rows]
        count = sum(status is Status.BROKEN for status in statuses)
        said = f"{count} of {len(rows)} broken" if count else "nothing broken"
        if not self._run.judged(scope):
            said = "nothing judged"
        return Text.assemble((scope.value, "bold"), f": {said}")

    def _row(self, guarantee: Guarantee, results: list[Result]) -> RenderResult:
        status = status_of_all(results, self._expected)
        mark, style = MARKS[status]
        held, judged = (
            sum(result.passes for result in results),
            sum(result.judged for result in results),
        )
        counts = f"{held:,} of {judged:,}" if judged else status.value
        yield Text.assemble(
            (f" {mark} ", style), f"{guarantee.title:<28}", (f"{counts:>16}{_more(results)}", "dim")
        )
        for why in dict.fromkeys(result.why for result in results if result.why and not judged):
            yield _indented(escaped(why), "dim")
        example = self._run.worst(guarantee.id)
        if status in (Status.BROKEN, Status.EXPECTED) and example is not None:
            yield _indented(guarantee.statement, "italic")
            yield from _example(example)
        if status is Status.UNEXPECTED_PASS:
            yield _indented("it is in the file of expected failures, and holds", "magenta")

    def _end(self) -> RenderResult:
        run = self._run
        if run.failures or run.skipped or run.remarks or not run.judged(Scope.REQUIRED):
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
        if not run.judged(Scope.REQUIRED):
            yield Text("nothing required was judged: no API for it, or no time")
        if run.latency:
            shown = ", ".join(f"{name} {_time(took)}" for name, took in run.latency.items())
            yield Text(f"an answer took: {shown}", "dim")
        yield Text(_DENOMINATOR, "dim")
        if run.incomplete:
            yield _line(f"incomplete: {run.incomplete}", "yellow")
        yield _line(self._levels(), "bold")

    def _levels(self) -> str:
        """Return what is broken at which level, and which exit status follows from it."""
        run, expected = self._run, self._expected
        parts = [
            f"{scope.value} and broken: {', '.join(ids) or 'none'}"
            for scope in (Scope.REQUIRED, Scope.RECOMMENDED)
            for ids in [broken(run, expected, scope)]
        ]
        plain, strict = (exit_status(run, expected, recommended=each) for each in (False, True))
        ends = f"exit status {plain}, and {strict} with --recommended"
        return f"{'; '.join(parts)}; {ends}"


def _line(text: str, style: str) -> Text:
    """Return a text that stays on one line, however long."""
    return Text(escaped(text), style, no_wrap=True, overflow="ignore")


_DENOMINATOR = (
    "held of judged: of the inputs, those that a guarantee is about and that were answered; all "
    "others are about another"
)


def _more(results: list[Result]) -> str:
    """Return how many more inputs have to do with a guarantee, in words; "" if none has."""
    omissions, unsupported = (
        sum(result.omissions for result in results),
        sum(result.unsupported for result in results),
    )
    parts = [f"{omissions:,} not asked"] * bool(omissions)
    parts += [f"{unsupported:,} unsupported"] * bool(unsupported)
    return f", {', '.join(parts)}" if parts else ""


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"


def _example(example: Example) -> RenderResult:
    case = example.case
    yield _indented(escaped(example.complaint))
    data = case.data.hex()
    if len(data) > _HEX_SHOWN:
        data = f"{data[:_HEX_SHOWN]}... ({len(case.data)} bytes)"
    body = "" if case.version is None else f" version {case.version}"
    what = data if case.value is None else "a value, to be written"
    where = f"{case.kind}, {case.origin}" if case.origin else case.kind
    shown = f"{case.name}{body} {what} (input {case.id}: {escaped(where)})"
    yield _indented(shown, "dim")


def _indented(text: str, style: str = "") -> Padding:
    return Padding(Text(text, style, overflow="fold"), (0, 0, 0, 6), expand=False)
