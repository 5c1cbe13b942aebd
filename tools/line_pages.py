"""What one line of a log means, as an object and as sentences for people."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from ..capture.logs.event import LogEvent
from ..escaping import escaped
from ..history.causes import CAUSES
from ..history.line_meanings import MEANINGS, causes_of_line, plain_meaning
from ..inspector.shapes.checks import ExplainedLine
from ..inspector.views.redaction import Redaction

__all__ = ["line_sentences", "line_shape", "plain_lines"]


def line_shape(event: LogEvent, redaction: Redaction | None = None) -> ExplainedLine:
    """Return what a line means; with a `redaction`, with stand-ins for its names."""
    causes = [cause for cause in causes_of_line(event) if cause.cause in CAUSES]
    line = ExplainedLine(
        event=event.event,
        program=event.family,
        group=event.group or None,
        member=event.member or None,
        client=event.client or None,
        generation=event.generation if event.generation >= 0 else None,
        cause=causes[0].cause if causes else None,
        certain=not causes or causes[0].is_certain,
        rivals=causes[0].rivals if causes else (),
        meaning=MEANINGS.get(event.event, ""),
    )
    return line if redaction is None else _redacted(line, redaction)


def plain_lines(text: str) -> list[ExplainedLine]:
    """Return what a line means that is no event of a group's story; nothing of any other text."""
    meaning = plain_meaning(text)
    return [_PLAIN_LINE(meaning=meaning)] if meaning else []


_PLAIN_LINE = partial(
    ExplainedLine,
    event="",
    program="",
    group=None,
    member=None,
    client=None,
    generation=None,
    cause=None,
)


def _redacted(line: ExplainedLine, redaction: Redaction) -> ExplainedLine:
    names = {
        field: getattr(line, field) and redaction.name(getattr(line, field), field).strip('"')
        for field in ("group", "client", "member")
    }
    return replace(line, **names)


def line_sentences(line: ExplainedLine) -> Iterator[str]:
    """Yield who wrote a line about whom, what it means, and the cause that it shows."""
    about = [
        f"{name} {escaped(str(value))}"
        for name, value in (
            ("group", line.group), ("client", line.client), ("member", line.member),
            ("generation", line.generation),
        )
        if value is not None
    ]  # fmt: skip
    if line.event:
        yield "; ".join([f"A line of {line.program}: {line.event}", *about])
    if line.meaning:
        yield line.meaning
    if line.cause is not None:
        facts = CAUSES[line.cause]
        verb = "It shows" if line.certain else "It probably shows"
        alternatives = f" Or: {', '.join(line.rivals)}." if line.rivals else ""
        yield f"{verb} {line.cause}: {facts.what}.{alternatives} {facts.advice}".strip()
