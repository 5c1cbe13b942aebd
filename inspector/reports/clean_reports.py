"""Reports on messages without a deviation, which need no diagnostic reader, and the JSON of what is
inside of them.

Members write the same bytes many times, so what is inside of a message is opened once and cached.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw

from ...codec.json_form import json_converter
from ...codec.messages.consumer_protocol_assignment import ConsumerProtocolAssignment
from ...codec.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from ...codec.runtime.message import Message, VersionedMessage
from ..diagnose.clean_check import clean_check
from ..nested_bytes import (
    ASSIGNMENT,
    METADATA,
    NOTHING,
    Around,
    Payload,
    carries,
    field_of_message,
    has_many_parts,
    open_payload,
    payloads,
    remark_on_old,
)
from ..recognition import BoundedCache
from ..shapes import decoded as shapes
from ..shapes.shape import json_line
from .message_report import opened_report


class CleanReports:
    """Makes the reports on clean messages, and remembers what is inside of them."""

    def __init__(self) -> None:
        self._inside = BoundedCache[bytes]()

    def message(
        self, message: Message, version: int, data: bytes, around: Around = NOTHING
    ) -> shapes.Decoded | None:
        """Return the report on a message that the plain reader read from all of `data`, as
        `decoded_report` has it; None where it may have a deviation."""
        cls = type(message)
        if has_many_parts(message, len(data)) or not clean_check(cls, version)(message, data):
            return None
        return shapes.Decoded(
            name=cls.NAME,
            version=version,
            schema_version=version,
            message=json_converter(cls, version)(message),
            remainder="",
            deviations=[],
            error=None,
            opened=self._opened_in(message, around) if carries(cls.NAME) else [],
            note=remark_on_old(cls.NAME, version),
        )

    def _opened_in(self, message: Message, around: Around) -> list[Any]:
        return [
            raw_json(b'{"path":"%b",%b' % (path.encode(), text))
            for path, kind, content, here, _ in payloads(
                message.NAME, message, field_of_message, around
            )
            if (text := self.opened(kind, content, here))
        ]

    def opened(self, kind: str, content: bytes, around: Around) -> bytes:
        """Return the JSON of what is inside a member's bytes, from behind its path on; empty if
        nothing is known to be inside."""
        place = content, kind, around
        text = self._inside.get(place)
        if text is None:
            inside = _clean_inside(kind, content, around)
            if inside is None:
                result = open_payload(Payload("", kind, content, around))
                inside = None if result is None else opened_report(result)
            text = b"" if inside is None else behind_path(inside)
            self._inside.keep(place, len(content) + len(text), text)
        return text


def raw_json(text: bytes) -> Any:
    """Return JSON that is made already, in the place of an object."""
    return Raw(text)


def behind_path(inside: shapes.Inside) -> bytes:
    """Return the JSON of what is inside a field whose path is not known yet, from behind it on."""
    return json_line(inside).removeprefix(b'{"path":"",')


_OF_CONSUMERS: dict[str, type[VersionedMessage]] = {
    METADATA: ConsumerProtocolSubscription,
    ASSIGNMENT: ConsumerProtocolAssignment,
}


def _clean_inside(kind: str, content: bytes, around: Around) -> shapes.Inside | None:
    """The report on a subscription or assignment without user data and without a deviation, as
    `opened_report` has it; None for any other bytes."""
    cls = _OF_CONSUMERS.get(kind) if around.protocol_type == "consumer" else None
    if cls is None or len(content) < 2:
        return None
    version = content[0] << 8 | content[1]
    read = cls._plainly(version, content, 2)
    if read is None:
        return None
    message, end = read
    if end != len(content) or not clean_check(cls, version)(message, content):
        return None
    return shapes.Inside(
        path="",
        name=cls.NAME,
        version=version,
        message=json_converter(cls, version)(message),
        deviations=[],
        error=None,
        opened=[],
    )
