"""A codec of the consumer protocol as a client author writes it by hand, in small pieces.

It is right, and made so that a fault can be put into any one piece: see `faults`. Nothing here
comes from kproto's own readers.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from kproto.fuzz.guarantees.subjects import measured
from kproto.fuzz.subject import (
    Cost,
    Failed,
    Failure,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Subject,
    Unsupported,
    WriteAnswer,
    Written,
)

SUBSCRIPTION = "ConsumerProtocolSubscription"
ASSIGNMENT = "ConsumerProtocolAssignment"
LATEST = 3


class CodecError(Exception):
    """The one documented error."""


class Fault(NamedTuple):
    """One mutant, and what is wrong with it. `is_large`: only inputs show it that are larger than
    those of a campaign; `conform` asks some."""

    make: type[Any]
    what: str
    whose: str
    is_large: bool = False

    def subject(self) -> Subject:
        subject: Subject = self.make()
        return subject


class Codec:
    """Reads and writes subscriptions and assignments. A `Subject`, and one such for each message.

    The state of a reading is `data` and `pos`.
    """

    def __init__(self) -> None:
        self.data = b""
        self.pos = 0

    # -- as a subject

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        if name not in (SUBSCRIPTION, ASSIGNMENT):
            return Unsupported(name)
        try:
            label, value = self.read(name, data)
        except CodecError as error:
            return Refused(f"CodecError: {error}", "CodecError")
        except IndexError as error:  # which some fault lets out
            return Failed(Failure.CRASH, repr(error))
        return Read(to_json(value), label, self.remainder())

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        if name not in (SUBSCRIPTION, ASSIGNMENT):
            return Unsupported(name)
        try:
            return Written(self.write(name, version, value))
        except CodecError as error:
            return Refused(f"CodecError: {error}", "CodecError")

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        if name not in (SUBSCRIPTION, ASSIGNMENT):
            return Unsupported(name)
        try:
            label, value = self.read(name, data)
            known = min(label, LATEST)
            rest = self.remainder() or b""
            written = self.write(name, known, to_json(value))
            return Written(self.relabel(label, written) + rest)
        except CodecError as error:
            return Refused(f"CodecError: {error}", "CodecError")

    def relabel(self, label: int, written: bytes) -> bytes:
        return struct.pack(">h", label) + written[2:]

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        return measured(lambda: self.decode(name, data, version))

    # -- reading

    def read(self, name: str, data: bytes) -> tuple[int, JsonObject]:
        self.data, self.pos = data, 0
        label = self.label()
        fields = self.subscription if name == SUBSCRIPTION else self.assignment
        value = fields(self.clamped(label))
        return label, value

    def label(self) -> int:
        label = self.int16()
        if label < 0:
            raise CodecError(f"version {label}")
        return label

    def clamped(self, label: int) -> int:
        return min(label, LATEST)

    def remainder(self) -> bytes | None:
        return self.data[self.pos :]

    def subscription(self, version: int) -> JsonObject:
        value: JsonObject = {"topics": self.array(self.string), "userData": self.blob()}
        value["ownedPartitions"] = self.owned() if version >= 1 else []
        value["generationId"] = self.int32() if version >= 2 else self.no_generation()
        value["rackId"] = self.rack() if version >= 3 else None
        return value

    def assignment(self, version: int) -> JsonObject:
        return {"assignedPartitions": self.entries(), "userData": self.blob()}

    def no_generation(self) -> int:
        return -1

    def owned(self) -> list[JsonObject]:
        return self.entries()

    def rack(self) -> str | None:
        return self.nullable_string()

    def entries(self) -> list[JsonObject]:
        return self.array(self.entry)

    def entry(self) -> JsonObject:
        return {"topic": self.string(), "partitions": self.array(self.partition)}

    def partition(self) -> int:
        return self.int32()

    def array(self, element: Callable[[], Any]) -> list[Any]:
        count = self.int32()
        if count < 0:
            return self.null_array(count)
        if count > len(self.data) - self.pos:
            raise CodecError(f"{count} elements, {len(self.data) - self.pos} bytes")
        return [element() for _ in range(count)]

    def null_array(self, count: int) -> list[Any]:
        raise CodecError(f"an array of {count} elements")

    def string(self) -> str:
        size = self.size16()
        if size < 0:
            null: str = self.null_string(size)
            return null
        return self.text(self.take(size))

    def null_string(self, size: int) -> Any:
        raise CodecError(f"a string of {size} bytes")

    def nullable_string(self) -> str | None:
        size = self.size16()
        return None if size < 0 else self.text(self.take(size))

    def text(self, raw: bytes) -> str:
        text = raw.decode("utf-8", "replace")
        return java_text(raw) if "\ufffd" in text else text

    def blob(self) -> bytes | None:
        size = self.int32()
        return None if size < 0 else self.take(size)

    def size16(self) -> int:
        return self.int16()

    def int16(self) -> int:
        return int(struct.unpack(">h", self.take(2))[0])

    def int32(self) -> int:
        return int(struct.unpack(">i", self.take(4))[0])

    def take(self, size: int) -> bytes:
        end = self.pos + size
        if end > len(self.data):
            raise CodecError(f"{size} bytes wanted, {len(self.data) - self.pos} left")
        taken, self.pos = self.data[self.pos : end], end
        return taken

    # -- writing

    def write(self, name: str, version: int, value: JsonObject) -> bytes:
        if not 0 <= version <= LATEST:
            raise CodecError(f"version {version}")
        parts = [self.put_int16(self.written_label(version))]
        if name == ASSIGNMENT:
            parts += self.put_assignment(value)
        else:
            parts += self.put_subscription(version, value)
        return b"".join(parts)

    def written_label(self, version: int) -> int:
        return version

    def put_assignment(self, value: JsonObject) -> list[bytes]:
        return [self.put_entries(value["assignedPartitions"]), self.put_blob(value["userData"])]

    def put_subscription(self, version: int, value: JsonObject) -> list[bytes]:
        parts = [self.put_topics(value["topics"]), self.put_blob(value["userData"])]
        if version >= 1:
            parts.append(self.put_entries(value.get("ownedPartitions", [])))
        if version >= 2:
            parts.append(self.put_int32(value.get("generationId", -1)))
        if version >= 3:
            parts.append(self.put_nullable_string(value.get("rackId")))
        return parts

    def put_topics(self, topics: list[str]) -> bytes:
        return self.put_array([self.put_string(one) for one in topics])

    def put_entries(self, entries: list[JsonObject]) -> bytes:
        return self.put_array([self.put_entry(one) for one in entries])

    def put_entry(self, entry: JsonObject) -> bytes:
        numbers = [self.put_int32(one) for one in entry["partitions"]]
        return self.put_string(entry["topic"]) + self.put_array(numbers)

    def put_array(self, items: list[bytes]) -> bytes:
        return self.put_int32(len(items)) + b"".join(items)

    def put_string(self, text: str) -> bytes:
        raw = text.encode()
        return self.put_int16(len(raw)) + raw

    def put_nullable_string(self, text: str | None) -> bytes:
        return self.put_int16(-1) if text is None else self.put_string(text)

    def put_blob(self, blob: str | None) -> bytes:
        if blob is None:
            return self.put_int32(-1)
        raw = base64.b64decode(blob)
        return self.put_int32(len(raw)) + raw

    def put_int16(self, number: int) -> bytes:
        return pack(">h", number)

    def put_int32(self, number: int) -> bytes:
        return pack(">i", number)


def pack(form: str, number: int) -> bytes:
    try:
        return struct.pack(form, number)
    except struct.error as error:
        raise CodecError(str(error)) from None


def to_json(value: JsonObject) -> JsonObject:
    blob = value["userData"]
    text = base64.b64encode(blob).decode() if isinstance(blob, bytes) else blob
    return {**value, "userData": text}


def java_text(raw: bytes) -> str:
    """As Java replaces: one U+FFFD for each ill-formed sequence, by its longest legal front; a
    surrogate's three bytes are one sequence."""
    found, at = [], 0
    while at < len(raw):
        for size in (1, 2, 3, 4):
            try:
                found.append(raw[at : at + size].decode())
            except UnicodeDecodeError:
                continue
            break
        else:
            found.append("\ufffd")
            size = _bad(raw, at)
        at += size
    return "".join(found)


def _bad(raw: bytes, at: int) -> int:
    lead, follow = raw[at], raw[at + 1 : at + 4]
    wanted = 3 if 0xE0 <= lead <= 0xEF else 4 if 0xF0 <= lead <= 0xF4 else 2
    if lead < 0xC2 or lead > 0xF4:
        return 1
    size = 1
    for byte in follow[: wanted - 1]:
        low, high = _SECOND.get(lead, (0x80, 0xBF)) if size == 1 else (0x80, 0xBF)
        if not low <= byte <= high:
            break
        size += 1
    return size


_SECOND = {0xE0: (0xA0, 0xBF), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
