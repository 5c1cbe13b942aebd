"""A hand-written codec of one flexible message, HeartbeatRequest version 4 (KIP-482)."""

from __future__ import annotations

import struct

from kproto.fuzz.guarantees.subjects import measured
from kproto.fuzz.subject import (
    Cost,
    JsonObject,
    Read,
    ReadAnswer,
    Refused,
    Unsupported,
    WriteAnswer,
    Written,
)

from .codec import CodecError, java_text, pack

HEARTBEAT = "HeartbeatRequest"
VERSION = 4
MAX_VARINT = 5  # bytes


class FlexibleCodec:
    """Reads and writes compact strings, tags behind them. A `Subject`."""

    def __init__(self) -> None:
        self.data = b""
        self.pos = 0
        self.tags: list[tuple[int, bytes]] = []

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        if (name, version) != (HEARTBEAT, VERSION):
            return Unsupported(name)
        try:
            value = self.read(data)
        except CodecError as error:
            return Refused(f"CodecError: {error}", "CodecError")
        return Read(value, VERSION, self.data[self.pos :])

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        if (name, version) != (HEARTBEAT, VERSION):
            return Unsupported(name)
        self.tags = []
        try:
            return Written(self.write(value))
        except CodecError as error:
            return Refused(f"CodecError: {error}", "CodecError")

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        if (name, version) != (HEARTBEAT, VERSION):
            return Unsupported(name)
        try:
            value = self.read(data)
            return Written(self.write(value) + self.data[self.pos :])
        except CodecError as error:
            return Refused(f"CodecError: {error}", "CodecError")

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        return measured(lambda: self.decode(name, data, version))

    def read(self, data: bytes) -> JsonObject:
        self.data, self.pos = data, 0
        value: JsonObject = {"groupId": self.string()}
        value["generationId"] = struct.unpack(">i", self.take(4))[0]
        value["memberId"] = self.string()
        value["groupInstanceId"] = self.nullable_string()
        self.tags = self.read_tags()
        return value

    def string(self) -> str:
        text = self.nullable_string()
        if text is None:
            raise CodecError("null")
        return text

    def nullable_string(self) -> str | None:
        size = self.length()
        if size < 0:
            return None
        if size > 0x7FFF:
            raise CodecError(f"{size} bytes")
        return java_text(self.take(size))

    def length(self) -> int:
        return self.wrapped(self.varint() - 1)

    def varint(self) -> int:
        found = 0
        for number in range(MAX_VARINT):
            byte = self.take(1)[0]
            found |= (byte & 0x7F) << 7 * number
            if not byte & 0x80:
                return self.wrapped(found)
        raise CodecError("a varint of more than 5 bytes")

    def wrapped(self, number: int) -> int:
        return (number + (1 << 31)) % (1 << 32) - (1 << 31)

    def read_tags(self) -> list[tuple[int, bytes]]:
        count = self.varint()
        if count < 0:
            raise CodecError(f"{count} tags")
        found: list[tuple[int, bytes]] = []
        for _ in range(count):
            tag = self.varint()
            found.append((tag, self.take(self.varint())))
        return found

    def take(self, size: int) -> bytes:
        end = self.pos + size
        if size < 0 or end > len(self.data):
            raise CodecError(f"{size} bytes wanted")
        taken, self.pos = self.data[self.pos : end], end
        return taken

    def write(self, value: JsonObject) -> bytes:
        fixed = pack(">i", value["generationId"])
        member = self.put_string(value["memberId"])
        instance = self.put_nullable(value["groupInstanceId"])
        return self.put_string(value["groupId"]) + fixed + member + instance + self.put_tags()

    def put_string(self, text: str) -> bytes:
        raw = text.encode()
        if len(raw) > 0x7FFF:
            raise CodecError(f"{len(raw)} bytes")
        return self.put_length(len(raw)) + raw

    def put_nullable(self, text: str | None) -> bytes:
        return self.put_varint(0) if text is None else self.put_string(text)

    def put_length(self, size: int) -> bytes:
        return self.put_varint(size + 1)

    def put_varint(self, number: int) -> bytes:
        parts = bytearray()
        while number > 0x7F:
            parts.append(number & 0x7F | 0x80)
            number >>= 7
        return bytes([*parts, number])

    def put_tags(self) -> bytes:
        written = [
            self.put_varint(tag) + self.put_varint(len(data)) + data
            for tag, data in self.sorted_tags()
        ]
        return self.put_varint(len(written)) + b"".join(written)

    def sorted_tags(self) -> list[tuple[int, bytes]]:
        return sorted(self.tags)
