"""How the findings of an audit differ from those that are known already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from .findings import Severity

__all__ = ["Changes", "Word", "change_of", "changes_since"]

Word: TypeAlias = Literal["new", "persisting"]


class Changes(NamedTuple):
    """What became of findings since a baseline: a word for each finding by its id, and the known
    findings that are no more."""

    words: Mapping[str, Word]
    gone: Sequence[Mapping[str, Any]]

    @property
    def counts(self) -> dict[str, int]:
        """How many findings are new, persisting and gone."""
        words = list(self.words.values())
        counts = {name: words.count(name) for name in ("new", "persisting")}
        return counts | {"gone": len(self.gone)}


def changes_since(
    baseline: Mapping[str, Mapping[str, Any]],
    rows: Iterable[Mapping[str, Any]],
    wants: Callable[[Mapping[str, Any]], bool],
) -> Changes:
    """Return what became of findings since a baseline, both as rows of `findings`. One that is
    worse, or open again, is new. A finding that is not wanted now, since its group or its cluster
    is not audited, is not gone.
    """
    words: dict[str, Word] = {}
    for row in rows:
        change = change_of(baseline.get(row["finding_id"]), row)
        words[row["finding_id"]] = "persisting" if change in {None, "over"} else "new"
    gone = [row for finding, row in baseline.items() if finding not in words and wants(row)]
    return Changes(words, gone)


def change_of(earlier: Mapping[str, Any] | None, row: Mapping[str, Any]) -> str | None:
    """Return how a finding has changed: "new", "worse" (its severity has risen), "again" (it is
    open again), "over", or None where nothing has changed. Both are rows of `findings` with the
    same id.
    """
    if earlier is None:
        return "new"
    if row["status"] != earlier["status"]:
        return "over" if row["status"] == "over" else "again"
    worse = Severity(row["severity"]).rank > Severity(earlier["severity"]).rank
    return "worse" if worse else None
