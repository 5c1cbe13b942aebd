"""The part of the matrix page about what others have reported of these clients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ....escaping import cut, escaped
from .pairs import SUBSCRIPTION
from .reported import NOT_ASKED, REPORTS, Answer, Report

_LONGEST_ANSWER = 200
"""Characters of a question and of an answer that are shown."""


def section(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the lines of the last part: reports that were not confirmed, and why; then all of
    them.
    """
    reports = len({answer.about for answer in answers})
    differing = [answer for answer in answers if not answer.borne_out]
    but = "All are as they say but for these:" if differing else "All are as they say."
    yield '<h2 id="reported">What others had reported</h2>'
    yield f"<p>{_REPORTS_ABOUT.format(reports=reports, answers=len(answers))} {but}</p>"
    yield from _reports(differing)
    for what, why in NOT_ASKED.items():
        yield f"<p>Not asked: {escape(what)}: {escape(why)}</p>"
    yield "<details><summary>all reports, with the answers</summary>"
    yield from _reports(answers)
    yield "</details>"


_REPORTS_ABOUT = (
    "Others have read these clients in their source, or run them. {reports} of their reports were "
    "put to the clients again, and there are {answers} answers."
)


def _reports(answers: Sequence[Answer]) -> Iterator[str]:
    for report in REPORTS:
        found = [answer for answer in answers if answer.about == report.about]
        if found:
            yield '<div class="evidence">'
            yield f"<p><b>{escape(report.about)}</b> <code>{escape(_command(report))}</code></p>"
            yield from map(_line, found)
            yield f"<p>{escape(report.differs)}</p></div>" if report.differs else "</div>"


def _line(answer: Answer) -> str:
    kind, mark = ("held", "✓") if answer.borne_out else ("expected", "≠")
    client, said = (
        escape(escaped(text)) for text in (answer.client, cut(answer.said, _LONGEST_ANSWER))
    )
    return f'<p><span class="{kind}">{mark}</span> {client} <code>{said}</code></p>'


def _command(report: Report) -> str:
    name = "" if report.message == SUBSCRIPTION else f" --as {report.message}"
    body = "" if report.version is None else f" --body {report.version}"
    return (
        f"kproto conform --testee NAME{name}{body} --ask '{cut(report.question, _LONGEST_ANSWER)}'"
    )
