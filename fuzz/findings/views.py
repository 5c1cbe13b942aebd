"""The bytes of a finding for a person: the inspector's view, and the bytes in hex."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from ...codec import KprotoError
from ...inspector import Inspection, examine
from ..mutators.frames import frame_of
from ..mutators.heads import split

_WIDTH = 120


def view(data: bytes) -> str:
    """Return the view as text. A view never fails: an error of the inspector may be the finding
    itself.
    """
    out = StringIO()
    console = Console(file=out, width=_WIDTH, color_system=None, markup=False, emoji=False)
    try:
        _inspect(data, console)
    except (KprotoError, AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as no:
        console.print(f"the inspector fails here itself: {no!r:.300}")
    console.print(f"{len(data)} bytes: {data.hex()}", soft_wrap=True)
    return out.getvalue()


def _inspect(data: bytes, console: Console) -> None:
    route, payload = split(data)
    if route is not None:
        version = route.body_version
        what = route.cls.NAME + ("" if version is None else f", a body of version {version}")
        console.print(f"{what}:")
        console.print(Inspection(examine(payload, route.cls, body_version=version)))
        return
    frame, _ = frame_of(data)
    if frame is not None and frame.body is not None:
        body = frame.body
        console.print(f"a frame of {frame.api}, version {frame.api_version}; its body:")
        console.print(
            Inspection(examine(body.data, body.message_class, body_version=frame.api_version))
        )
