"""The evidence of a finding, as people read it: times in UTC, durations with their unit, lists and
tables in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...inspector.shapes.shape import iso_time
from ..audit.findings import TIMES

__all__ = ["evidence_texts"]

_BYTES = frozenset({"hex", "value_hex"})  # the page shows them in a view of their own
_IN_SECONDS = {"_ms": 1000, "_s": 1}


def evidence_texts(evidence: Mapping[str, Any]) -> dict[str, str]:
    """Return evidence by name, as a person reads it.

    >>> evidence_texts({"since": 0, "limit_ms": 5000, "stays_s": [1, 2.5], "triggers": {"a": 3}})
    {'since': '1970-01-01T00:00:00.000Z', 'limit': '5 s', 'stays': '1 s, 2.5 s', 'triggers': 'a: 3'}
    """
    return dict(
        _name_and_text(name, value) for name, value in evidence.items() if name not in _BYTES
    )


def _name_and_text(name: str, value: Any) -> tuple[str, str]:
    for ending, in_seconds in _IN_SECONDS.items():
        if name.endswith(ending):
            return name.removesuffix(ending).replace("_", " "), _text(value, name, in_seconds)
    return name.replace("_", " "), _text(value, name)


def _text(value: Any, name: str, in_seconds: int = 0) -> str:
    if isinstance(value, dict):
        return ", ".join(": ".join(_name_and_text(key, item)) for key, item in value.items())
    if isinstance(value, list):
        between = "; " if value and isinstance(value[0], dict) else ", "
        return between.join(_text(item, name, in_seconds) for item in value) or "none"
    if value is None or isinstance(value, bool | str):
        return _WORDS.get(value, str(value))
    if name in TIMES:
        return iso_time(value)
    return f"{value / in_seconds:g} s" if in_seconds else f"{value:,}"


_WORDS: dict[Any, str] = {None: "not known", True: "yes", False: "no"}
