"""Reports by others about clients, from reading or running them, as questions to these clients.

`reports.json` has an object for each report; see `Report`. In a question, "{long name}" is a name
of 32,768 bytes, which no int16 counts, and "{10,001 topics}" as many topics named "a".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import msgspec

from ..codec import ConsumerProtocolSubscription
from .catalog import table_bytes

_LONG = {"{long name}": "x" * 32_768, "{10,001 topics}": "0001 61" * 10_001}


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said to happen; no two reports say the same."""

    about: str
    readers: tuple[str, ...]
    """The readers that it is about."""
    question: str
    """Bytes in hex, or a value in Kafka's JSON form."""
    answers: str
    """A pattern of the answers that confirm the report."""
    message: str = ConsumerProtocolSubscription.NAME
    version: int | None = None
    """The version to write, or that of bytes with nothing in front."""
    differs: str = ""
    """Why the answers differ from the report; "" if they do not."""


@lru_cache(maxsize=1)
def reports() -> Mapping[str, Report]:
    """Return all reports, by what they are about."""
    table = table_bytes("reports.json")
    return {
        report.about: _expanded(report) for report in msgspec.json.decode(table, type=list[Report])
    }


def _expanded(report: Report) -> Report:
    question = report.question
    for name, text in _LONG.items():
        question = question.replace(name, text)
    return msgspec.structs.replace(report, question=question)


NOT_ASKED: Mapping[str, str] = MappingProxyType({
    "That one member's sticky user data fails Sarama's whole plan":
        "no leader's assignor runs here; that its reader fails is.",
    "Which version Sarama writes by which configured version":
        "it is asked for a version each time; the table of fingerprints has which it writes when.",
})  # fmt: skip
"""Reports that have no question, and why."""
