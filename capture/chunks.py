"""What is read out of a text: chunks of bytes, their places, and what was skipped and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from .errors import CaptureError

__all__ = [
    "CLEAN",
    "MAX_BYTES",
    "Chunk",
    "Content",
    "DumpedGroup",
    "DumpedMember",
    "DumpedRecord",
    "Judge",
    "Places",
    "Reading",
    "Skipped",
    "Tally",
    "check_size",
    "first_not_allowed",
]

MAX_BYTES = 100 * 1024 * 1024
"""The most bytes that one message may have, unless the caller says otherwise."""

_LABEL = 80


class Chunk(NamedTuple):
    """Bytes that were found in a text.

    `line` and `column` count from 1, in characters. `label` is the text before them on their line
    (for a dump: the line above it). `cut` is the number of bytes that the tool left out; None where
    it left out some and did not say how many. `remark` says what a person should know about how the
    bytes were read. `context` is more of the text before them than the label, where that says more
    of the field that they are in. `spare` is the number of bytes at the end that may be no part of
    the message: the tool prints whole words, or they are blanks at the end of a line.
    """

    data: bytes
    format: str
    line: int = 1
    column: int = 1
    label: str = ""
    cut: int | None = 0
    remark: str = ""
    context: str = ""
    spare: int = 0


class Judge(Protocol):
    """Decides between forms that fit a text, by the messages in it, which this package does not
    know."""

    def weigh(self, data: bytes) -> int:
        """Return how much of `data` decoding explains, from 0 to `CLEAN` for each byte."""

    def ends(self, data: bytes) -> Iterable[int]:
        """Return the positions where a message that begins with the first byte may end."""

    def describe(self, data: bytes) -> tuple[str, int]:
        """Return the name of what `data` is most likely, and the number of its deviations."""


CLEAN = 4
"""The weight, in `Judge.weigh`, of each byte of a message that decodes without a deviation."""


class DumpedMember(NamedTuple):
    """A member as a tool prints it that leaves out its bytes; `protocols` are names."""

    member_id: str
    instance_id: str | None
    client_id: str
    client_host: str
    protocols: tuple[str, ...]


class DumpedGroup(NamedTuple):
    """A group's record as a tool prints it that leaves out the bytes of the members; a field is
    empty, or None, where the tool does not print it."""

    state: str
    generation: int | None
    protocol_type: str
    protocol: str
    members: tuple[DumpedMember, ...]

    def __str__(self) -> str:
        parts = [
            self.state,
            "" if self.generation is None else f"generation {self.generation}",
            f"{self.protocol_type or 'no protocol type'} {self.protocol}".strip(),
            "; ".join(map(_of_member, self.members)) or "no members",
        ]
        return ", ".join(filter(None, parts))


def _of_member(member: DumpedMember) -> str:
    about = [member.instance_id or "", member.client_id, member.client_host, *member.protocols]
    listed = ", ".join(filter(None, about))
    return f"{member.member_id} ({listed})" if listed else member.member_id


class DumpedRecord(NamedTuple):
    """A record of the offsets topic that one of Kafka's tools printed as JSON.

    The tool has decoded it, so the bytes are gone: `key_type` is the record type,
    `key` and `value` are the messages in Kafka's JSON form, `value_version` the
    version of the value. A tombstone has the value None. `offset` and `timestamp`
    (milliseconds) are None where the tool did not print them. `missing` says what the tool did
    not print of the value, which is None then; `group` is what it did print of a group.
    """

    key_type: int
    key: dict[str, Any]
    value_version: int | None
    value: dict[str, Any] | None
    line: int = 1
    offset: int | None = None
    timestamp: int | None = None
    missing: str = ""
    group: DumpedGroup | None = None


class Skipped(NamedTuple):
    """Something that was skipped: the reason, how often, and on which line first."""

    reason: str
    times: int
    line: int


class Tally:
    """Counts what is skipped, by reason."""

    def __init__(self) -> None:
        self._reasons: dict[str, tuple[int, int]] = {}

    def add(self, reason: str, line: int, times: int = 1) -> None:
        earlier, first_line = self._reasons.get(reason, (0, line))
        self._reasons[reason] = (earlier + times, first_line)

    def __iter__(self) -> Iterator[Skipped]:
        for reason, (times, line) in self._reasons.items():
            yield Skipped(reason, times, line)


class Reading(NamedTuple):
    """Everything that was found in a text, in its order.

    `format` is the form that the whole text was read in; `candidates` are the names of the other
    forms that fit it and give other bytes, with `format` itself where its messages may end
    elsewhere too.
    """

    chunks: tuple[Chunk, ...]
    format: str
    candidates: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    records: tuple[DumpedRecord, ...] = ()

    @property
    def items(self) -> list[Chunk | DumpedRecord]:
        """The records and the chunks by their lines, a record before its parts."""
        return sorted((*self.records, *self.chunks), key=lambda item: item.line)


class Content(NamedTuple):
    """What one form reads in a text. `rest` is the place of the first text that it cannot use.

    `rows` are those of a dump without offsets, which would prove that it is one; `padding` is the
    number of bytes that a tool may have added to the last row of a message.
    """

    chunks: Sequence[Chunk]
    rest: tuple[int, int] | None = None
    records: Sequence[DumpedRecord] = ()
    skipped: tuple[Skipped, ...] = ()
    rows: Sequence[Chunk] = ()
    padding: int = 0

    @property
    def data(self) -> list[bytes]:
        """The bytes of the chunks."""
        return [chunk.data for chunk in self.chunks]


MOST_LEFT_OUT = 1 << 16
"""Bytes of a message that its text may leave out, at most, because they repeat those before."""


def check_size(size: int, max_bytes: int, line: int | None = None) -> None:
    """Raise CaptureError for a message of more than `max_bytes`, before memory is allocated for
    it."""
    if size > max_bytes:
        raise CaptureError(
            f"a message of {size:,} bytes or more; the limit is {max_bytes:,} (--max-bytes)",
            line=line,
            too_large=True,
        )


def first_not_allowed(
    text: str, allowed: str, line: int, column: int
) -> tuple[str, int, int] | None:
    """Return the first character of `text` that is not allowed, and its place, or None.

    `line` and `column` are those of the text's first character.
    """
    rest = text.lstrip(allowed)
    if not rest:
        return None
    at = len(text) - len(rest)
    start = text.rfind("\n", 0, at) + 1
    inset = column - 1 if start == 0 else 0
    return rest[0], line + text.count("\n", 0, at), at - start + 1 + inset


class Places:
    """Finds line and column of positions in a text, which are asked for in ascending order.

    Each part of the text is searched once, so a line of megabytes with a thousand positions takes
    no longer than one with a single position.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 1
        self._start = 0
        self._end = text.find("\n") % (len(text) + 1)

    def at(self, position: int) -> tuple[int, int]:
        if position > self._end:
            self._line += self._text.count("\n", self._end, position)
            self._start = self._text.rindex("\n", self._end, position) + 1
            self._end = self._text.find("\n", position) % (len(self._text) + 1)
        return self._line, position - self._start + 1

    def label(self, position: int, start: int = 0) -> str:
        """Return the label of `position`: the text before it on its line, from `start` on."""
        self.at(position)
        return label(self._text[max(self._start, start, position - _LABEL) : position])


def label(text: str) -> str:
    """Return the label of bytes, made of the text before them."""
    return text[-_LABEL:].strip().rstrip("=:,([{\"'` ").lstrip(")]}\"'`,; ")
