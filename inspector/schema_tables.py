"""The fields of one message: a table for each layout that its versions have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ..codec.built_in import layout_of, spec_of
from ..codec.layout import Layout, Slot
from ..codec.message import Message
from . import palette
from .hanging import Hanging
from .schema_list import in_front
from .shown import shown

_TABLE_FROM = 90  # columns; below, what a field is for stands below it


class SchemaTables:
    """Versions that are laid out alike share a table. `about` texts are those of the definition.

    `version`: only the table of that one.
    """

    def __init__(self, message_class: type[Message], version: int | None = None) -> None:
        self._class = message_class
        self._version = version

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cls = self._class
        about = spec_of(cls).about
        yield Text(f"{cls.NAME}  ", palette.TITLE).append(
            f"versions {cls.VERSIONS}, in front: {in_front(cls.FRAMING)}", palette.QUIET
        )
        if about:
            yield Text(shown(about))
        for layout, group in groupby(cls.VERSIONS, key=lambda version: layout_of(cls, version)):
            versions = list(group)
            if self._version is not None and self._version not in versions:
                continue
            yield Text()
            yield Text(_heading(versions, layout), palette.TITLE)
            if options.max_width >= _TABLE_FROM:
                yield _table(layout)
            else:
                yield from _list(layout)


def _heading(versions: list[int], layout: Layout) -> str:
    named = ", ".join(map(str, versions)) if len(versions) < 6 else f"{versions[0]}-{versions[-1]}"
    flexible = ", flexible (KIP-482)" if layout.flexible else ""
    return f"version{'s' * (len(versions) > 1)} {named}{flexible}"


def _table(layout: Layout) -> Table:
    table = Table(box=None, pad_edge=False, header_style=palette.QUIET, padding=(0, 2, 0, 0))
    table.add_column("field", no_wrap=True)
    table.add_column("type", no_wrap=True)
    table.add_column("null", no_wrap=True)
    table.add_column("default", no_wrap=True)
    table.add_column("about", style=palette.QUIET)
    for slot, depth in _slots(layout, 0):
        table.add_row(
            Text("  " * depth + _name(slot, layout)),
            _type(slot),
            "null" if slot.nullable else "",
            Text(_default(slot)),
            Text(shown(slot.field.about)),
        )
    return table


def _list(layout: Layout) -> Iterator[Text | Hanging]:
    """The same where there is no room for columns: what it is, below it what it is for."""
    for slot, depth in _slots(layout, 0):
        yield Hanging(Text("  " * depth), Text(f"{_name(slot, layout)}  ").append(_facts(slot)))
        if slot.field.about:
            yield Hanging(Text("  " * depth + "    "), Text(shown(slot.field.about), palette.QUIET))


def _facts(slot: Slot) -> str:
    facts = [_type(slot), "nullable" * slot.nullable]
    default = _default(slot)
    return ", ".join(filter(None, [*facts, default and f"default {default}"]))


def _name(slot: Slot, layout: Layout) -> str:
    tag = f" (tag {slot.field.tag})" if slot in layout.tagged else ""
    return slot.field.snake + tag


def _type(slot: Slot) -> str:
    return f"{'compact ' * slot.compact}{slot.field.type}"


def _slots(layout: Layout, depth: int) -> Iterator[tuple[Slot, int]]:
    for slot in (*layout.slots, *layout.tagged):
        yield slot, depth
        if slot.element is not None:
            yield from _slots(slot.element, depth + 1)


def _default(slot: Slot) -> str:
    """What a message holds that does not say; zero, empty and the like go without saying."""
    field = slot.field
    if field.default_is_null:
        return "null"
    return shown(str(field.default)) if field.default else ""
