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
    from .examined import Examined as Examined
    from .examined import examine as examine
    from .identification import Candidate as Candidate
    from .identification import identify as identify
    from .inspection import Inspection as Inspection
    from .json_report import report as report
    from .opening import Opened as Opened
    from .opening import open_inside as open_inside
    from .schema_list import SchemaList as SchemaList
    from .schema_tables import SchemaTables as SchemaTables

_HOME = {
    "Candidate": "identification",
    "Examined": "examined",
    "Inspection": "inspection",
    "Opened": "opening",
    "SchemaList": "schema_list",
    "SchemaTables": "schema_tables",
    "examine": "examined",
    "identify": "identification",
    "open_inside": "opening",
    "report": "json_report",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(_HOME)
