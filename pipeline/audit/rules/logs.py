"""What logs tell of a group, as findings. Which cause it is, the rules of the story decide
(`history.roots`), from the events of logs: here is how grave each cause is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....history.causes import Certainty
from ....history.verdict import HARMLESS
from ....inspector.shapes.shape import milliseconds
from ..findings import Basis, NamedCause, Severity, Sign
from ..group_end import GroupEnd
from ..rule import EndRule

__all__ = ["TOLD_BY_LOGS"]

_ERRORS = frozenset({
    "no-common-assignor", "unreadable-subscription", "leader-fails", "crash-loop",
    "two-clusters-in-one-group", "source-topic-missing", "connect-config-behind",
    "group-record-too-large", "offsets-partition-not-loadable", "instance-id-used-twice",
})  # fmt: skip
"""Causes by which members do not work until somebody mends it; others are warnings."""
_LINES = 5


def _causes(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    for cause in end.causes:
        if cause.cause in HARMLESS:
            continue
        certainty: Certainty = "certain" if cause.certain else "likely"
        lines = [f"{line.source}:{line.line}" for line in cause.evidence[:_LINES]]
        began = {"since": milliseconds(cause.first_seen)} if cause.first_seen else {}
        yield Sign(
            cause.cause,
            cause.summary.rstrip("."),
            {"rivals": list(cause.rivals), "lines": lines, **began},
            Severity.ERROR if cause.cause in _ERRORS else Severity.WARNING,
            Basis.OBSERVED if cause.certain else Basis.INFERRED,
            NamedCause(cause.cause, certainty, "", possible=tuple(cause.rivals)),
            until=milliseconds(cause.last_seen) if cause.last_seen else None,
            times=cause.count,
        )


TOLD_BY_LOGS = EndRule(
    id="told-by-logs",
    title="Trouble of the group, by its logs",
    severity=Severity.WARNING,
    basis=Basis.OBSERVED,
    meaning=(
        "The logs of brokers, clients and workers that are a source tell a trouble of the group, "
        "which records may not have: a refused join, a poll that came too late, a session that "
        "ended."
    ),
    source="the causes of the story: docs/reference/causes.md",
    predicate=(
        "A cause that `kproto story` decides from the same logs, and that is more than what a "
        "group does in a day; a finding for each cause, observed where a line proves it, else "
        "inferred."
    ),
    next_action="Read what kproto story tells of the same logs: it shows every line.",
    find=_causes,
    inputs=("logs",),
)
"""The rule that is asked where a source is a log."""
