"""Programs for the compiled core: the layouts of a message class as rows of plain numbers.

The core is given no definition, only what each version has at which place of which class, and what
to call for whatever is not plain: the diagnostic reader, and the generated writer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import engine
from .built_in import spec_of
from .decoding import read
from .layout import HEAD, LATEST_FIELD, Layout, Slot, has_latest, layout, width
from .message import Message, RawTaggedField, VersionedMessage, as_bytes
from .uuids import uuid_of
from .versions import as_version


def program_of(cls: type[Message]) -> Any:
    """The core's program for a message class. Raises ValueError where the core cannot make its
    instances."""
    spec = spec_of(cls)
    rows = _Rows(cls)
    versions = [rows.version(number, layout(spec, number)) for number in spec.versions]
    head = rows.version(HEAD, layout(spec, HEAD)) if spec.framing.newer == "head" else None
    front = (spec.framing.kind, spec.framing.newer, spec.api_key or 0)
    fallback = (_reader(cls), _write, as_bytes)
    return engine.CORE.Program(
        front, rows.layouts, versions, head, rows.classes, _raw_tagged_field, uuid_of, fallback
    )


def _raw_tagged_field() -> RawTaggedField:
    return RawTaggedField(tag=0, data=b"")


def _reader(cls: type[Message]) -> Callable[[bytes, int | None], Message]:
    def read_again(data: Any, body_version: int | None) -> Message:
        version = None if body_version is None else as_version(body_version)
        return read(cls, as_bytes(data), version)

    return read_again


def _write(message: Message, version: Any, header: bool) -> bytes:
    if header:
        assert isinstance(message, VersionedMessage)
        return VersionedMessage.to_bytes(message, version)
    return Message.to_body(message, version)


class _Rows:
    """Layouts as rows of plain numbers, each distinct one once, and the classes they are of."""

    def __init__(self, cls: type[Message]) -> None:
        self.message_class = cls
        self.classes: list[type] = [cls]
        self.layouts: list[Any] = []
        self._numbers: dict[Layout, int] = {}

    def version(self, number: int, layout: Layout) -> tuple[int, int, int | None]:
        latest = None
        if self.message_class.FRAMING.newer == "head" and has_latest(layout):
            latest = self.message_class.__struct_fields__.index(LATEST_FIELD)
        return number, self._layout(layout), latest

    def _layout(self, layout: Layout) -> int:
        if layout not in self._numbers:
            row = self._row(layout)
            self._numbers[layout] = len(self.layouts)
            self.layouts.append(row)
        return self._numbers[layout]

    def _row(self, layout: Layout) -> Any:
        cls = self._class(layout)
        fields = {name: number for number, name in enumerate(cls.__struct_fields__)}
        return (
            self.classes.index(cls),
            layout.flexible,
            [self._slot(slot, fields) for slot in layout.slots],
            [(slot.field.tag, self._slot(slot, fields)) for slot in layout.tagged],
            list(layout.foreign_tags),
            [(fields[field.snake], field.ignorable) for field in layout.absent],
            width(layout) if layout.struct is not None else 1,
        )

    def _class(self, layout: Layout) -> Any:
        cls = self.message_class
        if layout.struct is not None:
            cls = getattr(self.message_class, layout.struct.class_name)
        if cls not in self.classes:
            self.classes.append(cls)
        return cls

    def _slot(self, slot: Slot, fields: dict[str, int]) -> Any:
        return (
            fields[slot.field.snake],
            slot.base,
            slot.field.type.array,
            slot.nullable,
            slot.compact,
            slot.optional,
            0 if slot.element is None else self._layout(slot.element),
        )
