"""All messages that can be named: versions, what stands in front, what it is."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ..codec.framing import Framing
from ..codec.message import Message
from . import palette
from .hanging import Hanging

_TABLE_FROM = 90  # columns; below, what stands in front stands below the name

_IN_FRONT = {
    "none": "nothing",
    "version": "int16 version",
    "record-type": "int16 record type",
    "version32": "int32 version, a field",
}
_NEWER = {
    "refuse": "",
    "clamp": ", newer read as newest",
    "accept": ", newer accepted",
    "head": ", of newer ones the head",
}


class SchemaList:
    """One line a message class."""

    def __init__(self, classes: Iterable[type[Message]]) -> None:
        self._classes = classes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < _TABLE_FROM:
            for cls in self._classes:
                yield Text(cls.NAME, palette.TITLE).append(f"  {cls.VERSIONS}", palette.PLAIN)
                yield Hanging(Text("    "), Text(in_front(cls.FRAMING), palette.QUIET))
            return
        table = Table(box=None, pad_edge=False, header_style=palette.QUIET, padding=(0, 3, 0, 0))
        table.add_column("message", style=palette.TITLE, no_wrap=True)
        table.add_column("versions", no_wrap=True)
        table.add_column("in front", style=palette.QUIET)
        for cls in self._classes:
            table.add_row(cls.NAME, str(cls.VERSIONS), in_front(cls.FRAMING))
        yield table


def in_front(framing: Framing) -> str:
    """What stands in front of the fields, in words."""
    return _IN_FRONT[framing.kind] + _NEWER[framing.newer]
