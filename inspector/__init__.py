"""Identify captured bytes, open what is inside of them, diagnose them, report and show the result.

>>> from kproto.inspector import identify
>>> best = identify(bytes.fromhex("000000000001000473656c66ffffffff"))[0]
>>> best.rank, best.name, best.version, best.reason
(1, 'ConsumerProtocolSubscription', 0, 'read to the last byte')

| module or package | what it does |
|---|---|
| `recognition` | tells whether some bytes are a message or frames, for every command |
| `identification` | tells which message some bytes are |
| `nested_bytes` | decodes the bytes that members put inside of a message |
| `diagnose` | findings with levels, and the clients that could have written bytes |
| `reports` | JSON objects and lines |
| `views` | `rich` renderables; `Inspection` is the view of a whole message |

A name is imported when it is first used, so that the command starts fast.
"""

from __future__ import annotations

from .. import late_names

TYPE_CHECKING = False  # importing typing takes longer than this
if TYPE_CHECKING:
    from .committed import committed_metadata as committed_metadata
    from .diagnose.explanations import Page as Page
    from .diagnose.explanations import pages as pages
    from .diagnose.fingerprints import Fingerprint as Fingerprint
    from .diagnose.fingerprints import fingerprint as fingerprint
    from .diagnose.lint import Finding as Finding
    from .diagnose.lint import Judged as Judged
    from .diagnose.lint import judge as judge
    from .evidence import MessageJudge as MessageJudge
    from .group_context import Surroundings as Surroundings
    from .identification import Candidate as Candidate
    from .identification import Examined as Examined
    from .identification import examine as examine
    from .identification import identify as identify
    from .nested_bytes import Around as Around
    from .nested_bytes import Opened as Opened
    from .nested_bytes import open_inside as open_inside
    from .recognition import Recognised as Recognised
    from .recognition import Recogniser as Recogniser
    from .recognition import recognise as recognise
    from .reports.frame_report import frame_report as frame_report
    from .reports.message_report import message_line as message_line
    from .reports.message_report import placed_line as placed_line
    from .reports.message_report import report as report
    from .reports.record_lines import RecordLines as RecordLines
    from .views.diff_json import diff_report as diff_report
    from .views.diff_view import DiffView as DiffView
    from .views.export import Recorder as Recorder
    from .views.export import TooLong as TooLong
    from .views.frame_view import FrameView as FrameView
    from .views.inspection import Inspection as Inspection
    from .views.inspection import heading_line as heading_line
    from .views.layout_diagram import LayoutDiagram as LayoutDiagram
    from .views.notebook import load_ipython_extension as load_ipython_extension
    from .views.notebook import unload_ipython_extension as unload_ipython_extension
    from .views.page_parts import PartStart as PartStart
    from .views.record_view import RecordView as RecordView
    from .views.redaction import KeyedRedaction as KeyedRedaction
    from .views.redaction import Redaction as Redaction
    from .views.redaction import redacted as redacted
    from .views.schema_tables import SchemaList as SchemaList
    from .views.schema_tables import SchemaSearch as SchemaSearch
    from .views.schema_tables import SchemaTables as SchemaTables
    from .views.summary_line import summary_line as summary_line

_HOME = {
    "Around": "nested_bytes",
    "Candidate": "identification",
    "DiffView": "views.diff_view",
    "Examined": "identification",
    "Finding": "diagnose.lint",
    "Fingerprint": "diagnose.fingerprints",
    "FrameView": "views.frame_view",
    "Inspection": "views.inspection",
    "Judged": "diagnose.lint",
    "LayoutDiagram": "views.layout_diagram",
    "MessageJudge": "evidence",
    "Opened": "nested_bytes",
    "Page": "diagnose.explanations",
    "PartStart": "views.page_parts",
    "Recognised": "recognition",
    "Recogniser": "recognition",
    "RecordLines": "reports.record_lines",
    "RecordView": "views.record_view",
    "Recorder": "views.export",
    "KeyedRedaction": "views.redaction",
    "Redaction": "views.redaction",
    "SchemaList": "views.schema_tables",
    "SchemaSearch": "views.schema_tables",
    "SchemaTables": "views.schema_tables",
    "Surroundings": "group_context",
    "TooLong": "views.export",
    "committed_metadata": "committed",
    "diff_report": "views.diff_json",
    "examine": "identification",
    "fingerprint": "diagnose.fingerprints",
    "frame_report": "reports.frame_report",
    "heading_line": "views.inspection",
    "identify": "identification",
    "judge": "diagnose.lint",
    "message_line": "reports.message_report",
    "placed_line": "reports.message_report",
    "load_ipython_extension": "views.notebook",
    "open_inside": "nested_bytes",
    "pages": "diagnose.explanations",
    "recognise": "recognition",
    "redacted": "views.redaction",
    "report": "reports.message_report",
    "summary_line": "views.summary_line",
    "unload_ipython_extension": "views.notebook",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
