"""`MessageJudge`, which decides between forms of a text by how well the messages in it decode.

`capture` reads texts and calls a judge; what a message is, `inspector` knows. They meet here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..capture.chunks import CLEAN
from ..codec.messages import message_class
from ..codec.read.decoding import Decoded, Policy, decode, older_body
from ..codec.runtime.message import Message
from .candidates import (
    LOOKED_INTO,
    MOST_COMMON,
    candidate_names,
    is_plausible,
    message_ends,
    readings,
)
from .recognition import are_frames, frame_end, is_of_known_writer, tcp_payload

_REMEMBERED = 4096
# The weight of a byte, by the class of the worst deviation of its message.
_BY_CLASS = {"": CLEAN, "style": CLEAN, "content": 3, "evolution": 3, "encoding": 2}
_MISLABELLED = 2  # the body is whole in an older version: KP040
_LEFT_OVER = 1  # more bytes follow than the version has: as if two messages were glued
_RARELY_MET = 1  # bytes are another message by accident more often than one of the protocol
_NOT_LABELLED = 1  # a layout without a label reads almost anything


class MessageJudge:
    """A judge of bytes as built-in messages, or as the one that `--as` names."""

    def __init__(
        self, message_class: type[Message] | None = None, body_version: int | None = None
    ) -> None:
        self._wanted = message_class
        self._body_version = body_version
        self._known: dict[bytes, int] = {}

    def weigh(self, data: bytes) -> int:
        """Return how much of `data` decoding explains, from 0 to `CLEAN` for each byte."""
        if data not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            weight = max(map(self._weight, self._readings(data)), default=0)
            weight = max(weight, self._weight_of_frames(data))
            of_other = (CLEAN - 1) * len(data)
            is_judged = weight >= of_other or self._wanted is not None
            if not is_judged and (is_of_known_writer(data) or are_frames(tcp_payload(data))):
                weight = of_other
            self._known[data] = weight
        return self._known[data]

    def ends(self, data: bytes) -> Iterable[int]:
        """Return the positions where a message that begins with the first byte may end."""
        if self._wanted is None:
            end = frame_end(data)
            return message_ends(data) | ({end} if end else set())
        return (
            len(data) - len(reading.remainder)
            for reading in self._readings(data)
            if reading.complete
        )

    def describe(self, data: bytes) -> tuple[str, int]:
        """Return the name of the message that `data` is most likely, and the number of its
        deviations."""
        best = max(self._readings(data), key=self._weight, default=None)
        if best is None:
            return "", 0
        return best.message_class.NAME, len(list(_classes(best)))

    def _weight_of_frames(self, data: bytes) -> int:
        if self._wanted is not None:
            return 0
        number = are_frames(data)
        # Frames may follow each other, but a line for each is likelier.
        return len(data) * (CLEAN - (number > 1) if number else 0)

    def _weight(self, reading: Decoded[Any]) -> int:
        size = len(reading.data)
        if not reading.complete:
            return _MISLABELLED * size if older_body(reading) is not None else 0
        read = size - len(reading.remainder)
        if reading.remainder and reading.version == reading.schema_version:
            return _LEFT_OVER * read
        is_bare = reading.message_class.FRAMING.kind == "none"
        if self._wanted is None and (is_bare or not _is_plausible(reading)):
            return _NOT_LABELLED * read
        weight = min(_BY_CLASS[class_] for class_ in _classes(reading))
        is_usual = self._wanted is not None or reading.message_class.NAME in MOST_COMMON
        return (weight if is_usual else weight - _RARELY_MET) * read

    def _readings(self, data: bytes) -> Iterator[Decoded[Any]]:
        message_type = self._wanted
        if message_type is None:
            for name in candidate_names(data).likely:
                yield from (reading for _, reading in readings(data, message_class(name)))
        elif self._body_version is None and message_type.FRAMING.kind != "none":
            yield decode(data, message_type, policy=Policy.LENIENT)
        else:
            versions = (
                message_type.VERSIONS if self._body_version is None else (self._body_version,)
            )
            for version in versions:
                yield decode(data, message_type, policy=Policy.LENIENT, body_version=version)


def _is_plausible(reading: Decoded[Any]) -> bool:
    is_usual = reading.message_class.NAME in MOST_COMMON
    return is_usual or len(reading.data) > LOOKED_INTO or is_plausible(reading.fields)


def _classes(reading: Decoded[Any]) -> Iterator[str]:
    yield ""
    if len(reading.data) <= LOOKED_INTO:  # finding deviations costs many times the input
        yield from (deviation.class_ for deviation in reading.deviations)
