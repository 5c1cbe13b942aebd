"""Reports by others about these clients (`clients.reports`): asked again, and compared.

A report that is not confirmed stays in the table, with the reason why the measurement differs. The
matrix keeps the answers, its page shows what differs, and a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ....clients.reports import reports
from ...subject import Subject
from ..questions import answered, asked


class Answer(NamedTuple):
    """A client's answer to the question of a report."""

    about: str
    client: str
    """The testee's name."""
    said: str

    @property
    def borne_out(self) -> bool:
        """Whether the answer confirms the report."""
        return re.match(reports()[self.about].answers, self.said, re.DOTALL) is not None


def answers_of(subject: Subject, name: str) -> list[Answer]:
    """Return a testee's answers to all reports about it."""
    return [
        Answer(
            report.about,
            name,
            answered(subject, asked(report.question, report.message, report.version)),
        )
        for report in reports().values()
        if name in report.readers
    ]


def contradicted(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers that differ from the table: a report not confirmed without a reason, or
    confirmed despite one.
    """
    return [
        answer for answer in answers if answer.borne_out == bool(reports()[answer.about].differs)
    ]
