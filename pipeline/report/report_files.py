"""The files that an audit publishes besides its tables."""

from __future__ import annotations

from collections.abc import Mapping

from ..run.audit import Audit
from .exports import as_json, as_openmetrics, as_sarif
from .page import page_of

__all__ = ["texts_of"]


def texts_of(audit: Audit, tables: str, teams: Mapping[str, str] = {}) -> dict[str, str]:
    """Return the texts of findings.json, findings.sarif, metrics.txt and report.html, by these
    names. `tables` is the folder of the audit's tables.
    """
    return {
        "findings.json": as_json(audit, teams),
        "findings.sarif": as_sarif(audit),
        "metrics.txt": as_openmetrics(audit, teams),
        "report.html": page_of(tables, audit, teams),
    }
