"""SARIF 2.1.0, which code hosts and editors read: the one log of findings of all commands.

What a result is about differs from one command to the next: its text, its place and its properties
come from the caller. Nothing here is escaped, for JSON does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

__all__ = ["MAX_RESULTS", "SCHEMA", "SarifResult", "SarifRule", "file_uri", "sarif_log"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MAX_RESULTS = 25_000
"""The results of a run that code hosts take at most."""

_FINGERPRINTS = ("kproto/v1", "primaryLocationLineHash")
"""The names of a fingerprint: GitHub knows alerts again by the second alone, and would compute it
from a line of a file, which a finding about a group or about bytes does not have."""


class SarifRule(msgspec.Struct, frozen=True):
    """A rule that a result can name; what is empty is left out."""

    id: str
    title: str
    description: str = ""
    help: str = ""
    level: str = ""
    tags: tuple[str, ...] = ()

    def to_sarif(self) -> dict[str, Any]:
        """Return the rule as a `reportingDescriptor`."""
        keys: dict[str, Any] = {
            "id": self.id,
            "shortDescription": {"text": self.title},
            "fullDescription": self.description and {"text": self.description},
            "help": self.help and {"text": self.help},
            "defaultConfiguration": self.level and {"level": self.level},
            "properties": self.tags and {"tags": self.tags},
        }
        return {key: value for key, value in keys.items() if value}


class SarifResult(msgspec.Struct):
    """A result at one location. The same finding has the same `fingerprint` in every run; of kind
    "open" is what was not decided. `baseline_state` is what became of it since a baseline,
    `related` a place that may be another one in each run."""

    rule: str
    level: str
    text: str
    location: Mapping[str, Any]
    fingerprint: str
    properties: Mapping[str, Any]
    occurrences: int | None = None
    kind: str = ""
    baseline_state: str = ""
    related: Mapping[str, Any] | None = None

    def to_sarif(self, rule_index: int | None) -> dict[str, Any]:
        """Return the result; `rule_index` is the number of its rule in the log, if it is there."""
        keys = {
            "ruleId": self.rule,
            "ruleIndex": rule_index,
            "kind": self.kind or None,
            "baselineState": self.baseline_state or None,
            "level": self.level,
            "message": {"text": self.text},
            "locations": [_in_a_file(self.location)],
            "relatedLocations": None if self.related is None else [self.related],
            "partialFingerprints": dict.fromkeys(_FINGERPRINTS, self.fingerprint),
            "occurrenceCount": self.occurrences,
            "properties": self.properties,
        }
        return {key: value for key, value in keys.items() if value is not None}


def file_uri(name: str) -> str:
    """Return the URI of a file by its path, which may be relative."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _in_a_file(location: Mapping[str, Any]) -> dict[str, Any]:
    """Return a location with the URI of a file: code hosts refuse a whole log for one result that
    has none. Where a finding is in no file, such as one about a group, it is the logical name.
    """
    physical = location.get("physicalLocation", {})
    artifact = physical.get("artifactLocation", {})
    if "uri" not in artifact:
        logical = location["logicalLocations"][0]
        uri = quote(logical.get("fullyQualifiedName") or logical["name"], errors="replace")
        physical = {**physical, "artifactLocation": {**artifact, "uri": uri}}
    return {**location, "physicalLocation": physical}


def sarif_log(
    rules: Iterable[SarifRule],
    results: Iterable[SarifResult],
    tool: str = "kproto",
    run_keys: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a log of one run with the first `MAX_RESULTS` results; `run_keys` are more of the
    run's keys."""
    rules = list(rules)
    index = {rule.id: number for number, rule in enumerate(rules)}
    driver = {
        "name": tool,
        "version": version("kproto"),
        "rules": [rule.to_sarif() for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        **(run_keys or {}),
        "results": [
            result.to_sarif(index.get(result.rule)) for result in islice(results, MAX_RESULTS)
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
