"""A baseline: findings that are known, so that only new ones are reported.

    {"findings": [{"id", "code", "name", "path", "source"}, …]}

A finding is known by `id` alone: the code, the path, and the very bytes of the message. Wherever
the same bytes turn up again, in another capture or written down otherwise, the finding is known;
where they changed, it is new. The rest is for whoever reads the file.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..output.failures import WRONG_USE, Failure


class Known(msgspec.Struct, frozen=True):
    """One finding of a baseline."""

    id: str
    code: str
    name: str
    path: str
    source: str


class _Baseline(msgspec.Struct, frozen=True):
    findings: tuple[Known, ...]


def read_baseline(path: str) -> frozenset[str]:
    """Return the ids in the file."""
    try:
        found = msgspec.json.decode(Path(path).read_bytes(), type=_Baseline)
    except (OSError, ValueError) as error:  # msgspec's are ValueErrors, and so is a NUL in a path
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{path!r} is no baseline that can be read: {reason}", WRONG_USE) from None
    return frozenset(known.id for known in found.findings)


def write_baseline(path: str, findings: dict[str, Known]) -> None:
    """One line a finding, in an order of its own, so that a later one differs by what is new."""
    ordered = sorted(findings.values(), key=lambda known: (known.source, known.code, known.id))
    lines = ",\n  ".join(msgspec.json.encode(known).decode() for known in ordered)
    text = f'{{"findings": [\n  {lines}\n]}}\n' if ordered else '{"findings": []}\n'
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{path!r} cannot be written: {reason}", WRONG_USE) from None
