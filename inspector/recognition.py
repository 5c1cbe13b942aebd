"""Tell what some bytes are: a message, or frames, which are requests and responses.

Every command and the library ask here, so that they see the same in the same bytes. A `Recogniser`
is kept for the bytes of one source: the response to a request that it has seen is read as such.

Bytes are frames where the int32 in front of them is the size of the rest, where they begin like a
request and are one to the last byte, or where they answer an earlier request. A response names
neither its API nor its version, so that of a response alone the ones that it fits are tried. They
are ranked by the text that is read, and the others are named (`RecognisedFrame.rivals`).

Modules of `capture` are imported late: most bytes are messages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from .. import capture
from ..codec.messages import message_class
from ..codec.messages.programs import PROGRAMS
from ..codec.read.decoding import Policy, decode
from ..codec.read.shape import Shapes, shape_of, shapes_of
from .candidates import (
    EACH_WITH_USER_DATA,
    LOOKED_INTO,
    MEMBERSHIP,
    beginning_of,
    is_newer_record,
    is_without_user_data,
    newer_record,
    text_read,
    with_one_user_data,
)
from .identification import Earlier, Examined, examine, marker, may_lack_bytes, verdict
from .nested_bytes import (
    ASSIGNMENT,
    METADATA,
    NOTHING,
    Around,
    open_inside,
    remark_on_version,
    wrong_place,
)

if TYPE_CHECKING:
    from ..capture.frames.frame import Frame

_HEADER = Struct(">hhih")  # API key, API version, correlation id, length of the client id
_SIZE = 4
_LEAST = 10  # bytes of the shortest frame: size, correlation id, an error code
_UNDECODED = ("FetchResponse", "SaslAuthenticateResponse")  # as `capture.frames.api_keys` has it
_KEYS = 128  # Kafka has fewer APIs
_VERSIONS = 64
_LARGEST = 1 << 16  # bytes of a response that is read in every version of every API
_LONGEST_FRAME = 100 << 20
_MOST_FRAMES = 10_000  # behind each other
_MOST_TOLD = 500  # of them, before they are read
_MOST_PENDING = 10_000  # requests without a response
_HIGHEST_ERROR = 200
_LONGEST_THROTTLE = 1 << 24  # milliseconds
_NO_API = "a frame: the size in front is right. It is a response of no API that is known here"


DOUBT = "it may be no message at all: it has no text, and nothing in front names a field"


class RecognisedFrame(msgspec.Struct, frozen=True):
    """A frame, and what is known of the group. `rivals` are the other responses that the bytes may
    be ("SyncGroup 3 to 5"); `guessed`: the API was found out from the bytes alone."""

    frame: Frame
    around: Around = NOTHING
    guessed: bool = False
    rivals: tuple[str, ...] = ()

    def parts(self, policy: Policy = Policy.KAFKA) -> tuple[Examined, ...]:
        """Return header and body, as far as they were read."""
        return tuple(
            Examined(part, *verdict(part, policy, body_version=part.version), ())
            for part in (self.frame.header, self.frame.body)
            if part is not None
        )

    @property
    def remark(self) -> str:
        """What a person should know about how the frame was recognised."""
        frame = self.frame
        if frame.direction == "request":
            return "read as a request, header and body; --as NAME reads it as a message"
        if frame.api_key is None:
            return frame.reason
        if not self.guessed:
            return f"read as the response to the {frame.api} request before it"
        also = f"; it may also be of {', '.join(self.rivals)}" if self.rivals else ""
        return (
            f"read as a response without its request, of {frame.api} {frame.api_version}{also}: "
            f"--as response --api-key {frame.api} --api-version {frame.api_version}"
        )


class Recognised(msgspec.Struct, frozen=True):
    """What some bytes are: a message, or frames behind each other. One of the two is there.
    `remark` says how the bytes had to be changed to be read, or what they may be besides."""

    message: Examined | None
    frames: tuple[RecognisedFrame, ...] = ()
    remark: str = ""

    def parts(self, policy: Policy = Policy.KAFKA) -> tuple[tuple[Examined, Around], ...]:
        """Return the message, or the headers and bodies of the frames."""
        if self.message is not None:
            return ((self.message, NOTHING),)
        return tuple((part, frame.around) for frame in self.frames for part in frame.parts(policy))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remark, and those of the frames, each once."""
        remarks = (self.remark, *(frame.remark for frame in self.frames))
        return tuple(filter(None, dict.fromkeys(remarks)))


_LEAST_GROUP = 36  # bytes of a group with one member, as Redpanda stores it


def _of_redpanda(data: bytes) -> bytes | None:
    if len(data) < _LEAST_GROUP or data[0]:
        return None
    return capture.as_kafka_value(data)


def _key_of_redpanda(data: bytes) -> bytes | None:
    if data[1:4] != bytes(3):
        return None
    return capture.as_kafka_key(data)


_OF_PACKET = "a packet: what is in front of the data of TCP is left out here"
_LEAST_PACKET = 40  # bytes of the headers of IP and TCP
_IP = (b"\x45", b"\x60", b"\x08\x00\x45", b"\x86\xdd\x60")  # what IP packets begin with


def tcp_payload(data: bytes) -> bytes:
    """Return the data of TCP in a packet with all its headers; none for other bytes."""
    if len(data) < _LEAST_PACKET or not any(mark in data[:_LEAST_PACKET] for mark in _IP):
        return b""
    segment = capture.find_segment(data)
    return b"" if segment is None or segment[1].missing else segment[1].data


def _misplaced(examined: Examined, expected: Collection[str]) -> str:
    """What is said of an assignment where metadata belongs, and of metadata where an assignment
    does; "" where the bytes may be what belongs there."""
    name = examined.decoded.message_class.NAME
    is_wrong = examined.is_clean and expected in (_METADATA, _ASSIGNMENTS) and name not in expected
    if not is_wrong or name not in (*_METADATA, *_ASSIGNMENTS):
        return ""
    return wrong_place(METADATA if expected == _METADATA else ASSIGNMENT)


def _in_doubt(examined: Examined, *, is_inside: bool, is_told: bool) -> Recognised:
    """The reading of bytes of which no label and no text says what they are; `is_told`: the text in
    front of them does."""
    decoded = examined.decoded
    is_small = len(decoded.data) <= LOOKED_INTO
    has_text = not is_small or text_read(decoded.fields) > 0
    is_bare = decoded.message_class.FRAMING.kind == "none" and not has_text
    if examined.identified and not is_told and (is_inside or is_bare):
        return Recognised(replace(examined, doubt=DOUBT), remark=DOUBT)
    return Recognised(examined, remark=_may_be_marker(decoded.data) or may_lack_bytes(decoded))


def _is_strange(examined: Examined) -> bool:
    """Whether no text in a message says what it is, or the message is in doubt."""
    if not examined.identified or examined.doubt:
        return True
    is_large = len(examined.decoded.data) > LOOKED_INTO
    return not examined.is_likely and not is_large and not text_read(examined.decoded.fields)


def _may_be_marker(data: bytes) -> str:
    marker_text = marker(data)
    return f"they may also be, {marker_text}" if marker_text else ""


def is_of_known_writer(data: bytes) -> bool:
    """Return whether bytes are a key or value in another broker's layout or of a newer version, or
    in a layout that programs are known to write by mistake."""
    layouts = (_of_redpanda, _key_of_redpanda, with_one_user_data)
    if any(layout(data) is not None for layout in layouts) or newer_record(data) is not None:
        return True
    return data[:1] == b"\0" and is_without_user_data(
        decode(data, message_class(_ASSIGNMENTS[0]), policy=Policy.LENIENT)
    )


def _from_latin_1(data: bytes) -> bytes | None:
    if b"\xc2" not in data and b"\xc3" not in data:
        return None
    return _from_characters(data, "latin-1")


def _from_windows(data: bytes) -> bytes | None:
    if b"\xc2" not in data and b"\xc3" not in data and b"\xe2" not in data:
        return None
    return _from_characters(data, "cp1252")


def _from_characters(data: bytes, charset: str) -> bytes | None:
    return None if len(data) > _LARGEST else capture.from_characters(data, charset)


def _from_escapes(data: bytes) -> bytes | None:
    """The bytes of which a program wrote those that are no UTF-8 as escapes."""
    return capture.unescaped(data) if b"\\x" in data else None


def _without_dots(data: bytes) -> bytes | None:
    return data[: -len(_DOTS)] if data.endswith(_DOTS) else None


_DOTS = b"..."
_REPAIRS: tuple[tuple[Callable[[bytes], bytes | None], str], ...] = (
    (
        _of_redpanda,
        "written by Redpanda, which stores an int16 in front of each member; it is left out here",
    ),
    (
        _key_of_redpanda,
        "written by Redpanda: a key with its size in front, little-endian, which is left out here",
    ),
    (with_one_user_data, EACH_WITH_USER_DATA),
    (_from_latin_1, "the bytes were taken for Latin-1 and written as UTF-8; this is undone here"),
    (
        _from_windows,
        "the bytes were taken for Windows-1252 and written as UTF-8; this is undone here",
    ),
    (
        _from_escapes,
        "bytes were written as escapes, as Python's backslashreplace does; this is undone here",
    ),
    (_without_dots, "kafka-python 2 and aiokafka log three dots behind each value; left out here"),
)
_OF_LAYOUTS = (with_one_user_data,)
"""What says itself that the bytes are a message, whatever its user data is."""
_OF_CHARACTERS = (_from_latin_1, _from_windows, _from_escapes)


_MOST_STRANGE, _BYTES_OF_STRANGE = 200, 250
_MOST_GUESSES = 200
_MOST_BYTES = 1 << 16
"""Of messages that are remembered, since logs repeat themselves: of long ones few, whose trees of
fields are large."""


T = TypeVar("T")


class BoundedCache(Generic[T]):
    """A cache that holds entries of `most` bytes at most, and none of more than `longest`; beyond
    that it drops the oldest."""

    _ENTRY = 512  # bytes that Python needs itself

    def __init__(self, most: int = 16 << 20, longest: int = 64 << 10) -> None:
        self._most = most
        self._longest = longest
        self._entries: dict[Any, tuple[T, int]] = {}
        self.size = 0
        """The bytes of all entries."""

    def get(self, key: Any) -> T | None:
        """Return the value of a key; None where it is not kept."""
        entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def keep(self, key: Any, size: int, value: T) -> T:
        """Keep a value of some size, that of its key included, and return it."""
        size += self._ENTRY
        if size <= self._longest:
            self._entries[key] = value, size
            self.size += size
            while self.size > self._most:
                self.size -= self._entries.pop(next(iter(self._entries)))[1]
        return value


class Repeated(Generic[T]):
    """What was made of the last objects. A `Recogniser` returns the same object for the same bytes,
    and then nothing is made anew."""

    _MOST = 64

    def __init__(self) -> None:
        self._entries: dict[int, tuple[object, T]] = {}

    def of(self, source: object, make: Callable[[], T]) -> T:
        """Return what `make` returned for the same object, or returns now."""
        entry = self._entries.get(id(source))
        if entry is None:
            entry = self._entries[id(source)] = source, make()
            if len(self._entries) > self._MOST:
                del self._entries[next(iter(self._entries))]
        return entry[1]


def _reads_more(repaired: Examined, plain: Examined) -> bool:
    """Whether bytes that were taken for characters explain more where that is undone: lengths in
    front of text count the one or the other."""
    if not plain.is_likely:
        return repaired.is_likely or (repaired.is_certain and not plain.is_certain)
    return repaired.is_likely and text_read(repaired.decoded.fields) > text_read(
        plain.decoded.fields
    )


class Recogniser:
    """Recognises the bytes of one source, in their order."""

    def __init__(self, policy: Policy = Policy.KAFKA) -> None:
        self._policy = policy
        self._recognised = BoundedCache[Recognised](_MOST_BYTES, _MOST_BYTES)
        self._pending: dict[int, tuple[int, int]] = {}
        self._surroundings: Any = None
        self._guesses = Counter[str]()
        self._likeliest = BoundedCache[tuple[int, int, tuple[str, ...]]](_MOST_BYTES, _MOST_BYTES)
        self._earlier = Earlier()
        self.messages = self.strange = self.size = 0
        """The messages of which others were not the same, those of them that are in doubt or have
        no text, and the bytes of all."""

    def recognise(
        self, data: bytes, label: str = "", *, is_inside: bool = False, is_cut: bool = False
    ) -> Recognised:
        """Return what the bytes are. `label` is the text in front of them, which may name the field
        that they were in; `is_inside`: they were found in the middle of a text, where most of what
        is like bytes is no message; `is_cut`: a program is known to have cut them."""
        expected = expected_by(label)
        place = data, expected, is_inside, is_cut
        recognised = None if self._pending else self._recognised.get(place)
        if recognised is None:
            recognised = self._recognise(data, expected, is_inside=is_inside, is_cut=is_cut)
            self._count(data, recognised)
            if recognised.message is not None and not self._pending:
                self._recognised.keep(place, len(data), recognised)
        return recognised

    def _count(self, data: bytes, recognised: Recognised) -> None:
        self.messages += 1
        self.size += len(data)
        if recognised.message is not None:
            self.strange += _is_strange(recognised.message)
        else:
            self.strange += all(
                frame.guessed and _is_without_text(frame) for frame in recognised.frames
            )

    @property
    def is_at_a_loss(self) -> bool:
        """Whether so many of the messages are in doubt, or have no text, that the bytes are
        hardly those of a group: to find that out takes far longer than to read one."""
        return self.strange > _MOST_STRANGE + self.size // _BYTES_OF_STRANGE

    def _recognise(
        self, data: bytes, expected: tuple[str, ...], *, is_inside: bool, is_cut: bool
    ) -> Recognised:
        pieces = _framed(data) if len(data) >= _LEAST else []
        are_whole = bool(pieces) and _size_of(pieces[0]) == len(pieces[0])
        if are_whole and (frames := self._frames(pieces)):
            is_chance = is_inside and all(map(_is_without_text, frames))
            return Recognised(None, frames, remark=DOUBT if is_chance else "")
        examined = examine(
            data, policy=self._policy, expected=expected, is_cut=is_cut, earlier=self._earlier
        )
        if not examined.is_clean:
            rival = self._otherwise(data, examined, expected) or self._in_packet(data)
            if rival is not None:
                return rival
        if is_of_key_or_value(expected) and marker(data):
            unread = replace(examined, identified=False, rivals=(), equals=(), refused=False)
            return Recognised(unread)
        is_named = is_of_key_or_value(expected) and examined.decoded.message_class.NAME in expected
        is_told = names_a_field(expected) or (is_named and examined.is_clean)
        is_likely = examined.is_likely or (is_cut and examined.has_text)
        is_likely = is_likely and (is_told or not is_inside or len(data) >= _LEAST)
        if is_likely or (examined.is_certain and (is_told or not is_inside)):
            remark = (
                remark_on_version(examined.decoded) if is_newer_record(examined.decoded) else ""
            )
            if not remark:
                remark = _misplaced(examined, expected) or may_lack_bytes(examined.decoded)
                examined = replace(examined, remark=remark) if remark else examined
            return Recognised(examined, remark=remark)
        frames = self._frames(pieces) if pieces else ()
        if not frames and (frame := self._unsized(data)):
            frames = (frame,)
        if frames:
            return Recognised(None, frames)
        return _in_doubt(examined, is_inside=is_inside, is_told=is_told)

    def _otherwise(
        self, data: bytes, plain_reading: Examined, expected: Collection[str]
    ) -> Recognised | None:
        """What bytes are that another program has stored in its own layout, or damaged in a way
        that can be undone."""
        for repair, remark in _REPAIRS:
            plain = repair(data)
            if plain is None:
                continue
            examined = examine(plain, policy=self._policy, expected=expected)
            is_enough = (repair in _OF_LAYOUTS and examined.is_likely) or (
                repair in _OF_CHARACTERS and _reads_more(examined, plain_reading)
            )
            if examined.is_clean or is_enough:
                return Recognised(replace(examined, repair=remark), remark=remark)
        return None

    def _in_packet(self, data: bytes) -> Recognised | None:
        """The frames in a packet with all its headers; None for any other bytes."""
        payload = tcp_payload(data)
        pieces = _framed(payload) if payload else []
        frames = self._frames(pieces) if pieces else ()
        return Recognised(None, frames, remark=_OF_PACKET) if frames else None

    # -- frames with their size in front

    def _frames(self, pieces: list[bytes]) -> tuple[RecognisedFrame, ...]:
        """The frames; none where one of several cannot be told."""
        frames = []
        for piece in pieces:
            frame = self._frame(piece) or self._of_no_api(piece)
            if frame is None:
                return ()
            frames.append(self._remembered(frame))
        return tuple(frames)

    def are_known(self, pieces: Collection[bytes]) -> bool:
        """Return whether all of the frames are requests, or responses of an API."""
        for piece in pieces:
            frame = self._frame(piece)
            if frame is None or frame.frame.api_key is None:
                return False
            self._remembered(frame)
        return True

    def _frame(self, data: bytes) -> RecognisedFrame | None:
        """The request, or the response of an API, that the bytes are."""
        is_cut = _size_of(data) != len(data)
        response = self._response(data, _SIZE)
        if response is not None and (is_cut or is_read(response)):
            return RecognisedFrame(response)
        if may_be_request(data, _SIZE):
            request = capture.decode_request(data, sized=True)
            if _is_request(request, is_cut=is_cut):
                return RecognisedFrame(request)
        return None if is_cut else self._guess(data)

    def _of_no_api(self, data: bytes) -> RecognisedFrame | None:
        """The whole frame that the bytes may be, if they are no message."""
        if _size_of(data) != len(data) or examine(data, earlier=self._earlier).is_likely:
            return None
        response = capture.unmatched_response(data, _SIZE, len(data), _NO_API)
        return RecognisedFrame(response, guessed=True)

    def _guess(self, data: bytes) -> RecognisedFrame | None:
        """The likeliest response; after many, one of the APIs that those were of: to try them all
        takes a thousand times as long as to read a response."""
        is_narrow = self._guesses.total() >= _MOST_GUESSES
        guess = self._guess_among(self._guesses if is_narrow else None, data)
        if guess is not None and not is_narrow and guess.frame.body is not None:
            self._guesses[guess.frame.body.message_class.NAME] += 1
        return guess

    def _guess_among(self, names: Collection[str] | None, data: bytes) -> RecognisedFrame | None:
        """The likeliest response of these names, or of all. It is the same for any correlation
        id."""
        place = names is None, data[:_SIZE], data[2 * _SIZE :]
        likeliest = self._likeliest.get(place)
        if likeliest is None:
            guess = _guessed(data, names)
            if guess is None:
                return None
            frame = guess.frame
            assert frame.api_key is not None
            assert frame.api_version is not None
            likeliest = frame.api_key, frame.api_version, guess.rivals
            self._likeliest.keep(place, len(data), likeliest)
            return guess
        api_key, version, rivals = likeliest
        response = capture.decode_response(data, api_key, version, sized=True)
        return RecognisedFrame(response, guessed=True, rivals=rivals)

    # -- without

    def _unsized(self, data: bytes) -> RecognisedFrame | None:
        if len(data) < _LEAST:
            return None
        response = self._response(data, 0)
        if response is not None and is_read(response):
            return self._remembered(RecognisedFrame(response))
        if may_be_request(data, 0):
            request = capture.decode_request(data, sized=False)
            if _is_request(request, is_cut=False):
                return self._remembered(RecognisedFrame(request))
        guess = _guessed(data)
        return guess if guess is not None and _text_of(guess.frame) else None

    # -- what earlier frames say

    def _response(self, data: bytes, start: int) -> Frame | None:
        api = self._pending.get(int.from_bytes(data[start : start + 4], "big", signed=True))
        if api is None:
            return None
        return capture.decode_response(data, *api, sized=start > 0)

    def _remembered(self, recognised: RecognisedFrame) -> RecognisedFrame:
        """The frame with what is known of its group; what it says is remembered."""
        frame = recognised.frame
        if self._surroundings is None:
            from .group_context import Surroundings

            self._surroundings = Surroundings()
        if frame.direction == "request" and frame.correlation_id is not None:
            if len(self._pending) >= _MOST_PENDING:
                self._pending.clear()
            if frame.api_key is not None and frame.api_version is not None:
                self._pending[frame.correlation_id] = frame.api_key, frame.api_version
        elif frame.correlation_id is not None:
            self._pending.pop(frame.correlation_id, None)
        return replace(recognised, around=self._surroundings.around(frame))


def recognise(data: bytes, label: str = "", *, policy: Policy = Policy.KAFKA) -> Recognised:
    """Return what the bytes are (see the module)."""
    return Recogniser(policy).recognise(data, label)


# -- the front of frames


def _size_of(data: bytes) -> int:
    """The size of the whole frame that the int32 in front of it says, itself included."""
    return int.from_bytes(data[:_SIZE], "big") + _SIZE  # of one below 0 it is too large


def _framed(data: bytes) -> list[bytes]:
    """The frames that follow each other, each with its size in front; the last one may be cut if it
    begins like a request. None where the bytes are anything else."""
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        size = _size_of(data[at : at + _SIZE])
        if not _LEAST <= size <= _LONGEST_FRAME or len(pieces) == _MOST_FRAMES:
            return []
        piece = data[at : at + size]
        if len(piece) < size and not may_be_request(piece, _SIZE):
            return []
        pieces.append(piece)
        at += size
    return pieces


def frame_end(data: bytes) -> int | None:
    """Return where the frame ends that begins with the first byte, if its size is in front."""
    size = _size_of(data)
    return size if _LEAST <= size <= len(data) else None


def are_frames(data: bytes) -> int:
    """Return how many frames, each with its size in front, the bytes are to the last one; 0 where
    one of the first ones cannot be told."""
    pieces = _framed(data) if len(data) >= _LEAST else []
    if not pieces or _size_of(pieces[-1]) != len(pieces[-1]):
        return 0
    return len(pieces) if Recogniser().are_known(pieces[:_MOST_TOLD]) else 0


def may_be_request(data: bytes, start: int) -> bool:
    """Return whether a request header may begin at a position: API key, version and client id
    agree."""
    if len(data) < start + _HEADER.size:
        return False
    key, version, _, length = _HEADER.unpack_from(data, start)
    start += _HEADER.size
    client_id = data[start : start + max(length, 0)]
    return (
        0 <= key < _KEYS
        and 0 <= version < _VERSIONS
        and length >= -1
        and len(client_id) == max(length, 0)
        and _is_readable(client_id)
    )


def _is_readable(name: bytes) -> bool:
    try:
        return name.decode().isprintable()
    except UnicodeDecodeError:
        return False


def _is_request(frame: Frame, *, is_cut: bool) -> bool:
    """Whether header and body are read to the last byte, or up to the cut; where the size is in
    front, a client's name is enough."""
    header, body = frame.header, frame.body
    if header is None or not header.complete:
        return False
    has_name = header.message is not None and bool(header.message.client_id)
    is_sized = frame.data[:_SIZE] == (frame.size - _SIZE).to_bytes(_SIZE, "big")
    has_id = frame.correlation_id is not None and frame.correlation_id >= 0
    if body is not None and is_read(frame):
        return True
    if is_cut:
        return body is not None and has_name and has_id and beginning_of(body) is not None
    return is_sized and has_name and has_id and (body is not None or frame.foreign)


def is_read(frame: Frame) -> bool:
    """Return whether the body is read to its last byte."""
    body = frame.body
    return body is not None and body.complete and not body.remainder and not frame.reason


# -- responses without their requests


def _guessed(data: bytes, names: Collection[str] | None = None) -> RecognisedFrame | None:
    """The likeliest of the responses that the bytes may be, of all or of these names; None where
    they are none."""
    rated = sorted(_responses(data, names), key=_rating)
    if not rated:
        return None
    best = rated[0]
    versions: dict[str, list[int]] = {}
    for frame in rated:
        if frame.api_version is not None:
            versions.setdefault(frame.api, []).append(frame.api_version)
    own = versions[best.api]
    own.remove(best.api_version)  # type: ignore[arg-type]
    rivals = [f"{api} {_ranges(numbers)}" for api, numbers in versions.items() if numbers]
    return RecognisedFrame(best, guessed=True, rivals=tuple(rivals))


def _responses(data: bytes, names: Collection[str] | None) -> Iterator[Frame]:
    """The responses that the bytes are to the last one, with no deviation but of the values."""
    if len(data) > _LARGEST:
        return
    chosen = tuple(name for name in _RESPONSES if names is None or name in names)
    for name in _responses_of_its_length(data, chosen):
        (_, _, api_key), _, versions, _, _ = PROGRAMS[name]
        assert api_key is not None
        for version, _, _ in versions:
            frame = capture.decode_response(data, api_key, version)
            body = frame.body
            if body is not None and is_read(frame):
                classes = {deviation.class_ for deviation in body.deviations}
                if classes <= {"style", "content"}:
                    yield frame


def _rating(frame: Frame) -> tuple[int, ...]:
    """How likely a response is: the smaller, the likelier. Deviations and unlikely numbers come
    last; then text, the APIs of a group's members, payloads that can be opened and newer versions
    come first."""
    assert frame.api_key is not None
    assert frame.api_version is not None
    body = _body(frame)
    return (
        len(body.deviations),
        not _has_likely_numbers(body.fields),
        -_text_of(frame),
        frame.api_key not in MEMBERSHIP,
        -len(open_inside(body)),
        -frame.api_version,
    )


def _body(frame: Frame) -> Any:
    assert frame.body is not None
    return frame.body


def _text_of(frame: Frame) -> int:
    """Characters of printable text in a body, and in the messages in it."""
    body = _body(frame)
    parts = (payload.decoded for payload in open_inside(body))
    return text_read(body.fields) + sum(text_read(part.fields) for part in parts if part)


def _has_likely_numbers(nodes: Collection[Any]) -> bool:
    """Whether error codes are codes, and times are no longer than a broker says."""
    for node in nodes:
        if node.name == "error_code" and not -1 <= node.value <= _HIGHEST_ERROR:
            return False
        if node.name == "throttle_time_ms" and not 0 <= node.value <= _LONGEST_THROTTLE:
            return False
        if isinstance(node.value, str) and not node.value.isprintable():
            return False
        if not _has_likely_numbers(node.children):
            return False
    return True


_RESPONSES = tuple(
    name for name in PROGRAMS if name.endswith("Response") and name not in _UNDECODED
)


def _responses_of_its_length(data: bytes, names: tuple[str, ...]) -> Iterator[str]:
    """Those of the names of responses that end, in some version, where `data` does.

    Their shapes tell, which import no message class and decode nothing.
    """
    header = shape_of("ResponseHeader")
    starts = {
        end
        for start in (0, _SIZE)
        for version in (0, 1)
        if (end := header.end(version, data, start)[1]) is not None
    }
    shapes = _shapes_of_responses(names)
    numbers = {number for at in starts for number in shapes.whole(data[at:])}
    for number in sorted(numbers):
        yield names[number]


@lru_cache(maxsize=64)
def _shapes_of_responses(names: tuple[str, ...]) -> Shapes:
    return shapes_of((name, [row[0] for row in PROGRAMS[name][2]]) for name in names)


def _is_without_text(recognised: RecognisedFrame) -> bool:
    """Whether a frame is a response that was guessed from its size alone."""
    frame = recognised.frame
    return recognised.guessed and (frame.body is None or not _text_of(frame))


def _ranges(versions: list[int]) -> str:
    first, last = min(versions), max(versions)
    return f"{first}" if first == last else f"{first} to {last}"


# -- which messages a field holds, by the name that programs print in front of its bytes
#
#     metadata=[0, 1, …]          JoinGroupRequestProtocol(name='range', metadata=
#     "memberAssignment": "AAM…"  SyncGroupRequestAssignment(memberId=…, assignment=
#     members[0].subscription     MemberAssignment:[0 0 …]        Key: b'\x00\x02…'
#
# The name nearest to the bytes decides. Names that say nothing (`data`, `bytes`, `buffer`) are
# passed over, so that `"memberMetadata": {"type": "Buffer", "data":` is known too.

_METADATA = ("ConsumerProtocolSubscription", "ConnectProtocolMetadata")
_ASSIGNMENTS = ("ConsumerProtocolAssignment", "ConnectProtocolAssignment")
_OF_KEYS = tuple(name for name in PROGRAMS if name.endswith("Key"))
_OF_VALUES = tuple(name for name in PROGRAMS if name.endswith("Value"))
_USER_DATA = (
    "StickyAssignorUserData", "CooperativeStickyUserData", "SubscriptionInfoData",
    "AssignmentInfo", "StreamJoinSubscriptionUserData", "StreamJoinAssignmentUserData",
)  # fmt: skip

# By the name in lower case, without what is between its words.
_BY_NAME = {
    **{name.lower(): (name,) for name in (*_OF_KEYS, *_OF_VALUES, *_USER_DATA)},
    **dict.fromkeys(("metadata", "subscription", "protocolsubscription"), _METADATA),
    **dict.fromkeys(("membermetadata", "protocolmetadata", "groupprotocolmetadata"), _METADATA),
    **dict.fromkeys(("consumerprotocolsubscription", "joingrouprequestprotocol"), _METADATA),
    **dict.fromkeys(("memberassignment", "assignment", "groupassignment"), _ASSIGNMENTS),
    **dict.fromkeys(("consumerprotocolassignment", "syncgrouprequestassignment"), _ASSIGNMENTS),
    **dict.fromkeys(("syncgroupresponse", "assignmentdata", "assignmentbytes"), _ASSIGNMENTS),
    **dict.fromkeys(("key", "recordkey", "rawkey", "keyhex", "keybytes", "keybase64"), _OF_KEYS),
    **dict.fromkeys(("value", "recordvalue", "rawvalue", "payload", "valuehex"), _OF_VALUES),
    **dict.fromkeys(("valuebytes", "valuebase64"), _OF_VALUES),
    **dict.fromkeys(("userdata", "subscriptionuserdata", "assignmentuserdata"), _USER_DATA),
}
# What says of bytes only that they are bytes.
_SILENT = frozenset(
    "data bytes buffer type raw hex base64 byte uint8array list array b body content of binary "
    "new char uint8 u8 from fromhex unhexlify decode b64decode bytestring string str".split()
)
# kafka-python and aiokafka call the assignments of SyncGroup so.
_MISNAMED = "membermetadata"
_SYNC_GROUP = r"(?:SyncGroupRequest|group_assignment)(?!.*JoinGroup)"
_PASSED_OVER = 4  # names that say nothing, at most
_WORD = r"[A-Za-z][A-Za-z0-9_.-]*"
_BETWEEN_WORDS = str.maketrans("", "", "_.-")


@lru_cache(maxsize=256)
def expected_by(label: str) -> tuple[str, ...]:
    """Return the names of the messages that the field holds whose name ends a text; none where it
    names no such field."""
    words = re.findall(_WORD, label[-_LOOKED_AT:]) if label else []
    for word in words[: -_PASSED_OVER - 2 : -1]:
        plain = word.translate(_BETWEEN_WORDS).lower()
        last = word.lower().rpartition(".")[2].replace("_", "").replace("-", "")
        for name in (plain, last):
            if name in _BY_NAME:
                is_misnamed = name == _MISNAMED and re.search(_SYNC_GROUP, label) is not None
                return _ASSIGNMENTS if is_misnamed else _BY_NAME[name]
        if last not in _SILENT:
            return ()
    return ()


_LOOKED_AT = 200  # characters


def names_a_field(expected: tuple[str, ...]) -> bool:
    """Return whether the name is that of a field of a message: anything may be called key or
    value."""
    return bool(expected) and not is_of_key_or_value(expected)


def is_of_key_or_value(expected: tuple[str, ...]) -> bool:
    """Return whether the name is that of a record's key or value."""
    return expected in (_OF_KEYS, _OF_VALUES)
