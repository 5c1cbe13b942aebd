"""SARIF 2.1.0, which code hosts and editors read: the frame of a log, and what all results share.

What a result is about differs from one report to the next, and comes from the caller: its message,
its locations and its properties. Nothing here is escaped, for JSON does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

__all__ = ["MAX_RESULTS", "SCHEMA", "sarif_log", "sarif_result", "sarif_rule"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MAX_RESULTS = 25_000
"""The results of a run that code hosts take at most."""

_FINGERPRINT = "kproto/v1"


def sarif_log(
    rules: Iterable[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    *,
    tool: str = "kproto",
    versioned: bool = True,
    schema: str = SCHEMA,
    before_results: Mapping[str, Any] | None = None,
    after_results: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a log of one run. `before_results` and `after_results` are more of the run's keys;
    `versioned` logs name the release of kproto that wrote them.
    """
    release = {"version": version("kproto")} if versioned else {}
    run = {
        "tool": {"driver": {"name": tool, **release, "rules": list(rules)}},
        **(before_results or {}),
        "results": results,
        **(after_results or {}),
    }
    return {"$schema": schema, "version": "2.1.0", "runs": [run]}


def sarif_rule(
    rule_id: str,
    title: str,
    *,
    description: str | None = None,
    help_text: str | None = None,
    level: str | None = None,
    tags: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a rule; what is None or empty is left out."""
    rule: dict[str, Any] = {"id": rule_id, "shortDescription": {"text": title}}
    if description is not None:
        rule["fullDescription"] = {"text": description}
    if help_text is not None:
        rule["help"] = {"text": help_text}
    if level is not None:
        rule["defaultConfiguration"] = {"level": level}
    if tags:
        rule["properties"] = {"tags": list(tags)}
    return rule


def sarif_result(  # noqa: PLR0913  # each is a key of SARIF
    rule_id: str,
    level: str,
    text: str,
    location: Mapping[str, Any],
    fingerprint: str,
    properties: Mapping[str, Any],
    *,
    rule_index: int | None = None,
    occurrences: int | None = None,
) -> dict[str, Any]:
    """Return a result at one location. The same finding has the same `fingerprint` in every run;
    `rule_index` is the number of its rule in the log.
    """
    result: dict[str, Any] = {"ruleId": rule_id}
    if rule_index is not None:
        result["ruleIndex"] = rule_index
    result |= {
        "level": level,
        "message": {"text": text},
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if occurrences is not None:
        result["occurrenceCount"] = occurrences
    result["properties"] = properties
    return result
