"""The files of an audit beside its tables."""

from __future__ import annotations

from collections.abc import Mapping

from ..driver.run import Audit
from ..segment_files import filesystem
from .exports import as_json, as_openmetrics, as_sarif
from .page import page_of

__all__ = ["write_files"]


def write_files(uri: str, audit: Audit, teams: Mapping[str, str]) -> str:
    """Write findings.json, findings.sarif, metrics.txt and report.html; gives the first."""
    store, path = filesystem(uri)
    text = as_json(audit, teams)
    for name, content in (
        ("findings.json", text),
        ("findings.sarif", as_sarif(audit)),
        ("metrics.txt", as_openmetrics(audit, teams)),
        ("report.html", page_of(uri, audit, teams)),
    ):
        with store.open_output_stream(f"{path}/{name}") as out:
            out.write(content.encode("utf-8", "backslashreplace"))
    return text
