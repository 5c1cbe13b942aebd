"""A message in one line, for lists of many.

    topics orders, payments; owned partitions orders 0-3, payments 1; generation id 7

Fields at their default are left out. Partitions of a topic are written as ranges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment

from ...codec.dialect.layout import HEAD, Layout, Slot
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of
from ...escaping import escaped
from ..nested_bytes import Opened
from .display_tree import opened_text, value_text
from .inspection import title
from .theme import Glyphs, glyphs_for

if TYPE_CHECKING:
    from rich.console import Console

    from ..identification import Examined
    from ..shapes.shape import Shares
    from .redaction import Redaction

_ITEMS = 12  # elements of an array that are shown
_CHARACTERS = 60  # characters of a text that are shown
_UNSAID = ((), "", b"", None, -1)
_UNSAID_IF_ZERO = ("throttle_time_ms", "error_code", "session_lifetime_ms")
_SHORT = {  # names for the commonest messages
    "ConsumerProtocolSubscription": "subscription",
    "ConsumerProtocolAssignment": "assignment",
}


class Brief:
    """Writes messages in one line each. `full`: nothing is cut short. `redaction`: names and user
    data are hidden."""

    def __init__(
        self, glyphs: Glyphs, *, full: bool = False, redaction: Redaction | None = None
    ) -> None:
        self._glyphs = glyphs
        self._full = full
        self._redaction = redaction

    @property
    def hides_names(self) -> bool:
        """Whether a placeholder replaces each name."""
        return self._redaction is not None

    def message(self, message: Message, version: int | None, leave_out: Iterable[str] = ()) -> str:
        """Return the fields of `message` except `leave_out`; "" if all are at their default."""
        layout = layout_of(type(message), HEAD if version is None else version)
        return "; ".join(self._fields(message, layout, frozenset(leave_out)))

    def opened(self, inner: Opened) -> str:
        """Return the line of an opened payload and of those inside of it."""
        if self._redaction is not None and is_private(inner):
            return f"{inner.name}, hidden"
        words = opened_text(inner, self._glyphs)
        for name, short in _SHORT.items():
            words = words.replace(name, short, 1) if inner.name == name else words
        result = inner.decoded
        if result is not None and result.message is not None:
            paths = {again.path.partition(".")[0].partition("[")[0] for again in inner.opened}
            fields = self.message(result.message, result.schema_version, paths)
            words = f"{words}: {fields or 'nothing'}" if fields or not inner.opened else words
        for again in inner.opened:
            words += f"; {again.path.replace('_', ' ')} {self.opened(again)}"
        return words

    def text(self, value: str, field: str) -> str:
        """Return a name, in quotes only where it is ambiguous without. `field` is the field that it
        is a value of, which a placeholder is called after.
        """
        if self._redaction is not None:
            return self._redaction.name(value, field).strip('"') or '""'
        part = value if self._full else value[:_CHARACTERS]
        cut = "" if len(part) == len(value) else self._glyphs.ellipsis
        words = escaped(part, ascii_only=self._glyphs.ascii_only)
        return (
            f"{words}{cut}" if value and " " not in value and words == part else f'"{words}"{cut}'
        )

    def partitions(self, topic: str | UUID, partitions: Iterable[int]) -> str:
        """Return a topic and its partitions: `orders 0-3, 7`."""
        return f"{self.topic(topic)} {self._listed(list(runs(sorted(partitions))))}".rstrip()

    def shares(self, shares: Shares) -> str:
        """Return what a member has; kafka-python lists a topic of which it has none, too."""
        parts = (self.partitions(topic, numbers) for topic, numbers in shares.items() if numbers)
        return ", ".join(parts) or "nothing"

    def topic(self, topic: str | UUID) -> str:
        """Return the name of a topic, or its id where that alone is known."""
        if isinstance(topic, str):
            return self.text(topic, "topic")
        if self._redaction is not None:
            return self._redaction.hidden(topic)
        return f"topic {value_text(topic, self._glyphs, full=True)}"

    def listed(self, items: list[str]) -> str:
        """Return items in one line, the first ones if there are many."""
        return self._listed(items)

    # -- parts

    def _fields(self, item: Any, layout: Layout, leave_out: frozenset[str]) -> Iterator[str]:
        for slot in (*layout.slots, *layout.tagged):
            value = getattr(item, slot.field.snake)
            name = slot.field.snake
            if name in leave_out or value in _UNSAID or (not value and name in _UNSAID_IF_ZERO):
                continue
            yield f"{name.replace('_', ' ')} {self._value(value, slot)}"

    def _value(self, value: Any, slot: Slot) -> str:
        if slot.field.type.array:
            if slot.base in ("int8", "int16", "int32"):
                return self._listed(list(runs(value)))
            return self._listed([self._item(item, slot) for item in self._first(value)], len(value))
        return self._item(value, slot)

    def _item(self, value: Any, slot: Slot) -> str:
        if isinstance(value, str):
            return self.text(value, slot.field.snake)
        if slot.field.snake.endswith("timestamp"):
            return moment(value)
        if self._redaction is not None and isinstance(value, UUID | bytes):
            return self._redaction.hidden(value)
        if slot.element is None:
            return value_text(value, self._glyphs, full=self._full)
        names = [inner.field.snake for inner in slot.element.slots]
        if names == ["topic", "partitions"]:
            return self.partitions(value.topic, value.partitions)
        return f"({', '.join(self._fields(value, slot.element, frozenset()))})"

    def _first(self, values: Any) -> Any:
        return values if self._full else values[:_ITEMS]

    def _listed(self, items: list[str], of: int | None = None) -> str:
        part = self._first(items)
        more = (len(items) if of is None else of) - len(part)
        rest = [f"{self._glyphs.ellipsis} {more:,} more"] if more else []
        return ", ".join([*part, *rest])


def is_private(inner: Opened) -> bool:
    """Return whether a payload is user data, or bytes that are no message."""
    return inner.decoded is None or inner.path.endswith("user_data")


def moment(milliseconds: float | None) -> str:
    """Return a timestamp as date and time in UTC; "" for none, the number itself where it is out of
    range.
    """
    if milliseconds is None or milliseconds < 0:
        return ""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S.%f}"[:-3]
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds:.0f}"


def runs(numbers: Iterable[int]) -> Iterator[str]:
    """Yield ranges of consecutive numbers: `0-2` and `7` for 0, 1, 2, 7."""
    start = last = None
    for number in numbers:
        if last is not None and number == last + 1:
            last = number
            continue
        if start is not None:
            yield _run(start, last)
        start = last = number
    if start is not None:
        yield _run(start, last)


def _run(start: int, last: int | None) -> str:
    return f"{start}" if start == last else f"{start}-{last}"


def summary_line(
    console: Console, examined: Examined, redaction: Redaction | None
) -> list[Segment]:
    """Return a message as one line, for those behind the first of many; what is too long is cut."""
    glyphs = glyphs_for(console.encoding)
    result = examined.decoded
    parts = [title(examined, glyphs).plain, *dict.fromkeys(row.code for row in result.deviations)]
    if examined.refused:
        parts.append("refused")
    if examined.identified and result.message is not None:
        parts.append(
            Brief(glyphs, redaction=redaction).message(result.message, result.schema_version)
        )
    line = f"  {f' {glyphs.dot} '.join(filter(None, parts))}"
    width = console.width
    return [Segment(f"{line if cell_len(line) <= width else set_cell_size(line, width)}\n")]
