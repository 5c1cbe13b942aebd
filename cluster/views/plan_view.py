"""The way of a group to another protocol, as a page to follow."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...inspector.views import theme
from ...inspector.views.escaping import escaped
from ...inspector.views.theme import Glyphs, HangingIndent, glyphs_for
from ..plan import Plan, Step

_ANSWERS = {"yes": theme.ADDED, "no": theme.FAILED, "perhaps": theme.WARN}


class PlanView:
    """A `Plan`: clients, what blocks, steps with their checks, the way back."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        plan = self._plan
        yield Text(f"{_shown(plan.group, glyphs)}: the way to {plan.goal}", theme.TITLE)
        if plan.clients:
            yield Text("\nclients", theme.TITLE)
        for each in plan.clients:
            head = Text(f"  {each.answer}  ", _ANSWERS[each.answer])
            body = f"{', '.join(each.members[:6])}: {each.says}"
            yield HangingIndent(head, Text(_shown(body, glyphs)))
        if plan.blockers:
            yield Text("\nfirst", theme.TITLE)
        for blocker in plan.blockers:
            yield HangingIndent(
                Text(f"  {glyphs.failed} ", theme.FAILED), Text(_shown(blocker, glyphs))
            )
        for title, steps in (("steps", plan.steps), ("the way back", plan.back)):
            if steps:
                yield Text(f"\n{title}", theme.TITLE)
            yield from _steps(steps, glyphs)
        if plan.notes:
            yield Text()
        for note in plan.notes:
            yield HangingIndent(Text(f"{glyphs.dot} ", theme.QUIET), Text(note, theme.QUIET))


def _steps(steps: tuple[Step, ...], glyphs: Glyphs) -> Iterator[HangingIndent]:
    for number, step in enumerate(steps, 1):
        yield HangingIndent(Text(f"  {number}. ", theme.TITLE), Text(_shown(step.do, glyphs)))
        for label, text in (("check", step.check), ("shows", step.expect)):
            if text:
                head = Text(f"     {label}  ", theme.QUIET)
                yield HangingIndent(head, Text(_shown(text, glyphs)))


def _shown(text: str, glyphs: Glyphs) -> str:
    return escaped(text, ascii_only=glyphs.ascii_only).replace('\\"', '"')
