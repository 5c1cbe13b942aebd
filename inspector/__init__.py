"""What captured bytes are: finding out the type, opening what is inside, and the views.

>>> from kproto.inspector import identify
>>> best = identify(bytes.fromhex("000000000001000473656c66ffffffff"))[0]
>>> best.rank, best.name, best.version, best.reason
(1, 'ConsumerProtocolSubscription', 0, 'read to the last byte')

The views are `rich` renderables, one a file; `Inspection` is the whole. Nothing is imported before
it is used: the command starts fast because of that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diff_report import diff_report as diff_report
    from .diff_view import DiffView as DiffView
    from .examined import Examined as Examined
    from .examined import examine as examine
    from .explanations import Page as Page
    from .explanations import pages as pages
    from .fingerprints import Fingerprint as Fingerprint
    from .fingerprints import fingerprint as fingerprint
    from .frame_report import frame_report as frame_report
    from .identification import Candidate as Candidate
    from .identification import identify as identify
    from .inspection import Inspection as Inspection
    from .json_report import report as report
    from .judgement import Finding as Finding
    from .judgement import Judged as Judged
    from .judgement import judge as judge
    from .layout_diagram import LayoutDiagram as LayoutDiagram
    from .notebook import load_ipython_extension as load_ipython_extension
    from .notebook import unload_ipython_extension as unload_ipython_extension
    from .opening import Around as Around
    from .opening import Opened as Opened
    from .opening import open_inside as open_inside
    from .record_lines import RecordLines as RecordLines
    from .record_view import RecordView as RecordView
    from .redaction import Redaction as Redaction
    from .redaction import redacted as redacted
    from .schema_list import SchemaList as SchemaList
    from .schema_search import SchemaSearch as SchemaSearch
    from .schema_tables import SchemaTables as SchemaTables
    from .story import Story as Story
    from .surroundings import Surroundings as Surroundings

_HOME = {
    "Around": "opening",
    "Candidate": "identification",
    "DiffView": "diff_view",
    "Examined": "examined",
    "Finding": "judgement",
    "Fingerprint": "fingerprints",
    "Inspection": "inspection",
    "Judged": "judgement",
    "LayoutDiagram": "layout_diagram",
    "Opened": "opening",
    "Page": "explanations",
    "RecordLines": "record_lines",
    "RecordView": "record_view",
    "Redaction": "redaction",
    "SchemaList": "schema_list",
    "SchemaSearch": "schema_search",
    "SchemaTables": "schema_tables",
    "Story": "story",
    "Surroundings": "surroundings",
    "diff_report": "diff_report",
    "examine": "examined",
    "fingerprint": "fingerprints",
    "frame_report": "frame_report",
    "identify": "identification",
    "judge": "judgement",
    "load_ipython_extension": "notebook",
    "open_inside": "opening",
    "pages": "explanations",
    "redacted": "redaction",
    "report": "json_report",
    "unload_ipython_extension": "notebook",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(_HOME)
