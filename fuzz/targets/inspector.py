"""Any bytes can be inspected: every view is drawn in every width, captured text never controls the
terminal, and the report is JSON that agrees with the view.
"""

from __future__ import annotations

import json
import re
from io import StringIO

from rich.console import Console

from ...codec import Policy
from ...inspector import Inspection, examine, report
from ...inspector.shapes.shape import json_line
from ..mutators.heads import split
from ..mutators.messages import MESSAGES
from . import Broken

FORMS = {"": MESSAGES}

_WIDTHS = (40, 100, 160)
_ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def check(data: bytes) -> None:
    """Check an input with a head; one without is identified first."""
    route, payload = split(data)
    cls, version = (None, None) if route is None else route
    examined = examine(payload, cls, policy=Policy.KAFKA, body_version=version)
    width = _WIDTHS[len(payload) % len(_WIDTHS)]
    for with_hex in (True, False):
        drawn = StringIO()
        Console(file=drawn, width=width, color_system=None, markup=False, emoji=False).print(
            Inspection(examined, with_hex=with_hex)
        )
        _check_shown(drawn.getvalue(), width)
    printed = json.loads(json_line(report(examined)))
    if (printed["error"] is None) != examined.decoded.complete:
        raise Broken("the report has another verdict")
    if bytes.fromhex(printed["remainder"]) != examined.decoded.remainder:
        raise Broken("the report has another remainder")


def _check_shown(drawn: str, width: int) -> None:
    acts = _ACTS.search(drawn)
    if acts is not None:
        raise Broken(f"{acts[0]!r} goes to the terminal")
    longest = max(map(len, drawn.splitlines()), default=0)
    if longest > width:
        raise Broken(f"a line of {longest} characters where there are {width} columns")
