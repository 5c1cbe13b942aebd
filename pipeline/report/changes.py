"""How a finding differs from the same finding of an earlier audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..audit import Severity

__all__ = ["change_of"]


def change_of(known: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str | None:
    """Return how a finding has changed: "new", "worse" (its severity has risen), "again" (it is
    open again), "over", or None where nothing has changed. Both are rows of `findings` with the
    same id.
    """
    if known is None:
        return "new"
    if now["status"] != known["status"]:
        return "over" if now["status"] == "over" else "again"
    worse = Severity(now["severity"]).rank > Severity(known["severity"]).rank
    return "worse" if worse else None
