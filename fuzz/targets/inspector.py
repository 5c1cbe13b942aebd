"""What the room `inspector` shows of any bytes, and what it opens inside them."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

from rich.console import Console

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Decoded,
    Policy,
    decode,
)
from ...inspector import Inspection, Opened, examine, open_inside, report
from ...inspector.shapes.shape import json_line
from ..mutators.messages import MESSAGES, Messages, split
from . import Broken
from .reading import FAMILIES

_WIDTHS = (40, 100, 160)
_ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


class Inspector:
    """Any bytes can be inspected: every view is drawn in every width, captured text never controls
    the terminal, and the report is JSON that agrees with the view.
    """

    FORMS = {"": MESSAGES}

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head; one without is identified first."""
        route, payload = split(data)
        cls, version = (None, None) if route is None else route
        examined = examine(payload, cls, policy=Policy.KAFKA, body_version=version)
        width = _WIDTHS[len(payload) % len(_WIDTHS)]
        for with_hex in (True, False):
            screen = StringIO()
            Console(file=screen, width=width, color_system=None, markup=False, emoji=False).print(
                Inspection(examined, with_hex=with_hex)
            )
            _check_shown(screen.getvalue(), width)
        printed_report = json.loads(json_line(report(examined)))
        if (printed_report["error"] is None) != examined.decoded.complete:
            raise Broken("the report has another verdict")
        remainder = payload if printed_report["name"] is None else examined.decoded.remainder
        if bytes.fromhex(printed_report["remainder"]) != remainder:
            raise Broken("the report has another remainder")


def _check_shown(text: str, width: int) -> None:
    acts = _ACTS.search(text)
    if acts is not None:
        raise Broken(f"{acts[0]!r} goes to the terminal")
    longest = max(map(len, text.splitlines()), default=0)
    if longest > width:
        raise Broken(f"a line of {longest} characters where there are {width} columns")


class UserData:
    """Any user data is opened or left as bytes: no error is raised, what was opened lies within its
    field byte for byte, and rebalancing takes from it what can be read or nothing.
    """

    FORMS = {"": Messages((*FAMILIES["consumer"], *FAMILIES["requests"]))}

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head; one without is user data itself."""
        route, payload = split(data)
        if route is not None:
            version = route.body_version
            reading = decode(payload, route.cls, policy=Policy.LENIENT, body_version=version)
            _check_opened(reading, open_inside(reading))
            return
        for cls in (ConsumerProtocolSubscription, ConsumerProtocolAssignment):
            outer: Decoded[Any] = decode(cls(user_data=data).to_bytes(), cls)
            if outer.message is None or outer.message.user_data != data:
                raise Broken("user data is not given back as it was put in")
            _check_opened(outer, open_inside(outer))


def _check_opened(outer: Decoded[Any], inside: tuple[Opened, ...]) -> None:
    for inner in inside:
        if inner.decoded is None:
            continue
        data = inner.decoded.data
        if outer.data[inner.start : inner.start + len(data)] != data:
            raise Broken(f"what is inside {inner.path} is not at byte {inner.start}")
        _check_opened(inner.decoded, inner.opened)
