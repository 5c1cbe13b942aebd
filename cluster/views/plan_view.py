"""The way of a group to another protocol, as a page to follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...escaping import escaped
from ...inspector.shapes.group_shapes import ClientSupport, Plan, Step
from ...inspector.views import theme
from ...inspector.views.theme import Glyphs, HangingIndent, glyphs_for

_ANSWERS = {
    "yes": theme.ADDED,
    "upgrade": theme.WARN,
    "no": theme.FAILED,
    "unknown": theme.WARN,
}
_VERDICTS = {
    "ready": (theme.ADDED, "the broker takes members of the consumer protocol into this group"),
    "blocked": (theme.FAILED, "the first member of the consumer protocol would get {error}"),
    "unknown": (theme.WARN, "what decides is not known"),
}


class PlanView:
    """A `Plan`: clients, what blocks, steps with their checks, the way back."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        plan = self._plan
        yield Text(f"{_escaped(plan.group, glyphs)}: the way to {plan.goal}", theme.TITLE)
        if plan.verdict:
            style, says = _VERDICTS[plan.verdict]
            verdict = f"{plan.verdict}: {says.format(error=plan.error)}"
            yield Text(_escaped(verdict, glyphs), style)
        yield from _part("clients", [_client(support, glyphs) for support in plan.clients])
        mark = Text(f"  {glyphs.failed} ", theme.FAILED)
        yield from _part("first", _sentences(mark, plan.blockers, glyphs))
        dash = Text("  - ", theme.QUIET)
        yield from _part(
            "why not one member after the other", _sentences(dash, plan.reasons, glyphs)
        )
        yield from _part("steps", _steps(plan.steps, glyphs))
        yield from _part(
            "steps that kproto's tests did not try", _sentences(dash, plan.untried, glyphs)
        )
        yield from _part("the way back", _steps(plan.back, glyphs))
        yield from _part("what changes", _sentences(dash, plan.changes, glyphs))
        yield from _part("what fails later", _sentences(dash, plan.later, glyphs))
        last = (plan.no_return,) if plan.no_return else ()
        yield from _part("from where on there is no way back", _sentences(dash, last, glyphs))
        if plan.notes:
            yield Text()
        dot = Text(f"{glyphs.dot} ", theme.QUIET)
        for note in plan.notes:
            yield HangingIndent(dot, Text(_escaped(note, glyphs), theme.QUIET))


def _part(title: str, lines: Iterable[HangingIndent]) -> Iterator[Text | HangingIndent]:
    """Yield the lines under their title, nothing where there are none."""
    for number, line in enumerate(lines):
        if not number:
            yield Text(f"\n{title}", theme.TITLE)
        yield line


def _client(support: ClientSupport, glyphs: Glyphs) -> HangingIndent:
    body = f"{', '.join(support.members[:6])}: {support.says}"
    answer = Text(f"  {support.answer}  ", _ANSWERS[support.answer])
    return HangingIndent(answer, Text(_escaped(body, glyphs)))


def _sentences(head: Text, texts: Iterable[str], glyphs: Glyphs) -> Iterator[HangingIndent]:
    return (HangingIndent(head, Text(_escaped(text, glyphs))) for text in texts)


def _steps(steps: tuple[Step, ...], glyphs: Glyphs) -> Iterator[HangingIndent]:
    for number, step in enumerate(steps, 1):
        yield HangingIndent(Text(f"  {number}. ", theme.TITLE), Text(_escaped(step.do, glyphs)))
        for label, text in (("check", step.check), ("shows", step.expect)):
            if text:
                head = Text(f"     {label}  ", theme.QUIET)
                yield HangingIndent(head, Text(_escaped(text, glyphs)))


def _escaped(text: str, glyphs: Glyphs) -> str:
    return escaped(text, ascii_only=glyphs.ascii_only).replace('\\"', '"')
