"""Who could have written the bytes that stop a group."""

from __future__ import annotations

import re
from dataclasses import replace

from ...inspector.diagnose.fingerprints import fingerprint
from ...rebalance.migration import Judgement, Reason

_SELECTED = re.compile(r"protocols\[(.*?)\]")
_MOST = 4


def with_writers(judgement: Judgement) -> Judgement:
    """Return the judgement with the names of clients in its explanations."""
    return replace(
        judgement,
        reasons=tuple(map(_explained, judgement.reasons)),
        later=tuple(map(_explained, judgement.later)),
    )


def _explained(reason: Reason) -> Reason:
    if not reason.data:
        return reason
    found = _SELECTED.match(reason.path)
    could = fingerprint(reason.data, found.group(1) if found else None).in_short
    if not could:
        return reason
    more = f" and {len(could) - _MOST} more" if len(could) > _MOST else ""
    told = f"{reason.explanation}; could have been written by {', '.join(could[:_MOST])}{more}"
    return reason._replace(explanation=told)
