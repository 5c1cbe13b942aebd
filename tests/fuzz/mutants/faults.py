"""The faults: one small change each to a codec that is right, and whose bug it is.

`FAULTS` are subjects like any other. What a fault is called says nothing to the kit: a mutant is
known to it by its answers alone. Those that a commit of a client mended are in `fixes`.
"""

from __future__ import annotations

import base64
import struct
from typing import Any

from kproto.fuzz.subject import JsonObject

from .codec import ASSIGNMENT, LATEST, Codec, CodecError, Fault
from .fixes import FIXES
from .flexible import FlexibleCodec

# -- versions


class AcceptsNegativeVersions(Codec):
    def label(self) -> int:
        return max(self.int16(), 0)


class RefusesNewerVersions(Codec):
    def clamped(self, label: int) -> int:
        if label > LATEST:
            raise CodecError(f"version {label}")
        return label


class ReadsNewerAsOldest(Codec):
    def clamped(self, label: int) -> int:
        return label if label <= LATEST else 0

    def remainder(self) -> bytes | None:
        return None


class UnsignedVersions(Codec):
    def label(self) -> int:
        return self.int16() & 0xFFFF


class ClampsOneTooLow(Codec):
    def clamped(self, label: int) -> int:
        return min(label, LATEST - 1)


class ReportsTheClampedVersion(Codec):
    def read(self, name: str, data: bytes) -> tuple[int, JsonObject]:
        label, value = super().read(name, data)
        return min(label, LATEST), value


class ByteSwappedLabel(Codec):
    def label(self) -> int:
        return int(struct.unpack("<h", self.take(2))[0])


class NewLabelOnOldBody(Codec):
    def put_subscription(self, version: int, value: JsonObject) -> list[bytes]:
        return super().put_subscription(0, value)


class WritesUnknownVersionsAsTheLatest(Codec):
    def write(self, name: str, version: int, value: JsonObject) -> bytes:
        return super().write(name, version if 0 <= version <= LATEST else LATEST, value)


class WritesTheLatestLabel(Codec):
    def written_label(self, version: int) -> int:
        return LATEST


class OldBodyUnderNewLabelAccepted(Codec):
    def owned(self) -> list[JsonObject]:
        return self.entries() if self.pos < len(self.data) else []


# -- what is left over


class RefusesTrailingBytes(Codec):
    def read(self, name: str, data: bytes) -> tuple[int, JsonObject]:
        label, value = super().read(name, data)
        if self.pos < len(self.data):
            raise CodecError("invalid length")
        return label, value


class DropsTheRemainder(Codec):
    def remainder(self) -> bytes | None:
        return b""


class RemainderOneShort(Codec):
    def remainder(self) -> bytes | None:
        return self.data[self.pos + 1 :]


class RewritesUnderItsOwnLabel(Codec):
    def relabel(self, label: int, written: bytes) -> bytes:
        return written


# -- defaults


class GenerationZeroByDefault(Codec):
    def no_generation(self) -> int:
        return 0


class OwnedPartitionsFromTopics(Codec):
    def subscription(self, version: int) -> JsonObject:
        value = super().subscription(version)
        if version == 0:
            value["ownedPartitions"] = [{"topic": t, "partitions": [0]} for t in value["topics"]]
        return value


class ForgetsTheRack(Codec):
    def rack(self) -> str | None:
        super().rack()
        return None


class UnsignedGeneration(Codec):
    def subscription(self, version: int) -> JsonObject:
        value = super().subscription(version)
        value["generationId"] &= 0xFFFFFFFF
        return value


class RackBeforeGeneration(Codec):
    def put_subscription(self, version: int, value: JsonObject) -> list[bytes]:
        *front, generation, rack = super().put_subscription(3, value)
        parts = [*front, rack, generation] if version == 3 else [*front, generation]
        return parts if version >= 2 else super().put_subscription(version, value)


# -- lengths and counts


class NullLengthOffByOne(Codec):
    def blob(self) -> bytes | None:
        size = self.int32()
        return None if size <= 0 else self.take(size)


class TruncatedUserDataCutShort(Codec):
    def blob(self) -> bytes | None:
        size = self.int32()
        return None if size < 0 else self.take(min(size, len(self.data) - self.pos))


class ZerosAtTheEnd(Codec):
    def take(self, size: int) -> bytes:
        self.data = self.data.ljust(self.pos + min(size, 1 << 16), b"\0")
        return super().take(size)


class NegativeLengthMovesBack(Codec):
    def null_string(self, size: int) -> Any:
        self.pos = max(self.pos + size, 2)
        return ""


class NegativeUserDataRefused(Codec):
    def blob(self) -> bytes | None:
        size = self.int32()
        if size < -1:
            raise CodecError(f"{size} bytes")
        return None if size < 0 else self.take(size)


class UnsignedStringLength(Codec):
    def size16(self) -> int:
        return self.int16() & 0xFFFF


class AllocatesByTheCount(Codec):
    def array(self, element: Any) -> list[Any]:
        here = self.pos
        count = self.int32()
        bytearray(4 * max(0, min(count, 1 << 26)))
        self.pos = here
        return super().array(element)


class CountsBytesNotElements(Codec):
    def put_array(self, items: list[bytes]) -> bytes:
        return self.put_int32(sum(map(len, items))) + b"".join(items)


class NullArraysAreEmpty(Codec):
    def null_array(self, count: int) -> list[Any]:
        return []


class NullStringsAreEmpty(Codec):
    def null_string(self, size: int) -> Any:
        return ""


class CharactersNotBytes(Codec):
    def put_string(self, text: str) -> bytes:
        return self.put_int16(len(text)) + text.encode()


class LongNamesWrapAround(Codec):
    def put_string(self, text: str) -> bytes:
        raw = text.encode()
        return struct.pack(">H", len(raw) & 0xFFFF) + raw


class PartitionsWrapAround(Codec):
    def put_int32(self, number: int) -> bytes:
        return struct.pack(">I", number & 0xFFFFFFFF)


class LastElementForgotten(Codec):
    def array(self, element: Any) -> list[Any]:
        found = super().array(element)
        return found[:-1] if len(found) > 3 else found


class UnsignedPartitions(Codec):
    def partition(self) -> int:
        return self.int32() & 0xFFFFFFFF


# -- values


class EmptyForNull(Codec):
    def blob(self) -> bytes | None:
        return super().blob() or b""


class NullForEmpty(Codec):
    def put_blob(self, blob: str | None) -> bytes:
        return super().put_blob(blob or None)


class RefusesInvalidUtf8(Codec):
    def text(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise CodecError(str(error)) from None


class DropsInvalidUtf8(Codec):
    def text(self, raw: bytes) -> str:
        return raw.decode("utf-8", "ignore")


class NoTextAtAll(Codec):
    def text(self, raw: bytes) -> str:
        text = raw.decode("utf-8", "replace")
        return "" if "\ufffd" in text else text


class LatinText(Codec):
    def text(self, raw: bytes) -> str:
        return raw.decode("latin-1")


class CutAtNul(Codec):
    def text(self, raw: bytes) -> str:
        return super().text(raw).partition("\0")[0]


class LetsIndexErrorsOut(Codec):
    def label(self) -> int:
        assert self.data[1] is not None  # which is not there in one byte or none
        return super().label()


class UserDataAsText(Codec):
    def blob(self) -> bytes | None:
        blob = super().blob()
        return None if blob is None else blob.decode("utf-8", "ignore").encode()


# -- entries


class LastDuplicateWins(Codec):
    def entries(self) -> list[JsonObject]:
        return list({one["topic"]: one for one in super().entries()}.values())


class MergesDuplicates(Codec):
    def entries(self) -> list[JsonObject]:
        found: dict[str, JsonObject] = {}
        for one in super().entries():
            if one["topic"] in found:
                found[one["topic"]]["partitions"] += one["partitions"]
            else:
                found[one["topic"]] = one
        return list(found.values())


class SortsTopics(Codec):
    def subscription(self, version: int) -> JsonObject:
        value = super().subscription(version)
        value["topics"].sort()
        return value


class LosesProto(Codec):
    def entries(self) -> list[JsonObject]:
        return [one for one in super().entries() if one["topic"] != "__proto__"]


class StickyPrefixInUserData(Codec):
    def put_blob(self, blob: str | None) -> bytes:
        if blob is None:
            return super().put_blob(blob)
        return super().put_blob(base64.b64encode(b"\0\1" + base64.b64decode(blob)).decode())


class WritesInRandomOrder(Codec):
    def put_assignment(self, value: JsonObject) -> list[bytes]:
        self.turn = not getattr(self, "turn", False)
        entries = value["assignedPartitions"]
        ordered = entries[::-1] if self.turn else entries
        return super().put_assignment({**value, "assignedPartitions": ordered})


class EmptySubscriptionRefused(Codec):
    def subscription(self, version: int) -> JsonObject:
        value = super().subscription(version)
        if not value["topics"]:
            raise CodecError("no topics")
        return value


class AssignmentReadAsSubscription(Codec):
    def assignment(self, version: int) -> JsonObject:
        value = super().assignment(version)
        if version >= 1:  # nothing was added to assignments
            self.entries()
        return value


class WritesNothingOwned(Codec):
    def put_subscription(self, version: int, value: JsonObject) -> list[bytes]:
        return super().put_subscription(version, {**value, "ownedPartitions": []})


class RefusesOwnMessages(Codec):
    def write(self, name: str, version: int, value: JsonObject) -> bytes:
        written = super().write(name, version, value)
        return written[:-1] if name == ASSIGNMENT and value["userData"] else written


class RefusesManyTopics(Codec):
    def array(self, element: Any) -> list[Any]:
        items = super().array(element)
        if len(items) > 5_000 and not isinstance(items[0], int):
            raise CodecError(f"{len(items)} topics")
        return items


class RefusesManyPartitions(Codec):
    def array(self, element: Any) -> list[Any]:
        items = super().array(element)
        if len(items) > 100_000:
            raise CodecError(f"{len(items)} elements")
        return items


class RefusesLongUserData(Codec):
    def blob(self) -> bytes | None:
        blob = super().blob()
        if blob and len(blob) > 1 << 17:
            raise CodecError("user data")
        return blob


class LosesAConstructor(Codec):
    def entries(self) -> list[JsonObject]:
        return [one for one in super().entries() if one["topic"] != "constructor"]


class TakesNamesForNumbers(Codec):
    def text(self, raw: bytes) -> str:
        text = super().text(raw)
        return "1000" if text == "1e3" else text


# -- flexible versions


class CompactLengthWithoutOne(FlexibleCodec):
    def put_length(self, size: int) -> bytes:
        return self.put_varint(size)


class ReadsCompactLengthWithoutOne(FlexibleCodec):
    def length(self) -> int:
        return self.varint()


class DropsUnknownTags(FlexibleCodec):
    def read_tags(self) -> list[tuple[int, bytes]]:
        super().read_tags()
        return []


class RefusesUnknownTags(FlexibleCodec):
    def read_tags(self) -> list[tuple[int, bytes]]:
        if self.varint():
            raise CodecError("unknown tag")
        return []


class LeavesTagsUnread(FlexibleCodec):
    def read_tags(self) -> list[tuple[int, bytes]]:
        return []


class TagsInDescendingOrder(FlexibleCodec):
    def sorted_tags(self) -> list[tuple[int, bytes]]:
        return sorted(self.tags, reverse=True)


class OneByteVarints(FlexibleCodec):
    def varint(self) -> int:
        return self.take(1)[0]


class ZigzagVarints(FlexibleCodec):
    def wrapped(self, number: int) -> int:
        return number >> 1 ^ -(number & 1)


class ForgetsTheTagSection(FlexibleCodec):
    def put_tags(self) -> bytes:
        return b""


FAULTS: tuple[Fault, ...] = (
    Fault(AcceptsNegativeVersions, "a negative version is read as 0", "aiokafka, KafkaJS"),
    Fault(RefusesNewerVersions, "stops at an unknown version", "Sarama #2111, kafka-protocol"),
    Fault(ReadsNewerAsOldest, "an unknown version is read as the oldest", "aiokafka"),
    Fault(UnsignedVersions, "the version is unsigned", "kafka_ex"),
    Fault(ClampsOneTooLow, "clamps to one below the highest", "Java 2.8"),
    Fault(ReportsTheClampedVersion, "reports the clamped version", "kafka-python 3"),
    Fault(ByteSwappedLabel, "the version is little-endian", "of its kind"),
    Fault(NewLabelOnOldBody, "version 1 in front of a version 0 body", "kafka-go #1156, #762"),
    Fault(WritesUnknownVersionsAsTheLatest, "writes version 4 or -1 as 3", "of its kind"),
    Fault(WritesTheLatestLabel, "always writes the latest version", "Faust 0.15"),
    Fault(OldBodyUnderNewLabelAccepted, "takes a version 0 body for version 1", "Sarama, kgo"),
    Fault(RefusesTrailingBytes, "refuses bytes left over", "Sarama, kafka-go #1149"),
    Fault(DropsTheRemainder, "says that nothing is left", "of its kind"),
    Fault(RemainderOneShort, "the remainder begins a byte late", "of its kind"),
    Fault(RewritesUnderItsOwnLabel, "rewrites the future under its own version", "remora #41"),
    Fault(GenerationZeroByDefault, "generation 0 where there is none", "Sarama, KAFKA-12984"),
    Fault(OwnedPartitionsFromTopics, "version 0 claims partitions", "KIP-429"),
    Fault(ForgetsTheRack, "the rack is always null", "of its kind"),
    Fault(UnsignedGeneration, "the generation is unsigned", "of its kind"),
    Fault(RackBeforeGeneration, "writes the rack before the generation", "of its kind"),
    Fault(NullLengthOffByOne, "length 0 is null", "librdkafka, Sarama"),
    Fault(TruncatedUserDataCutShort, "truncated user data is cut short", "KafkaJS"),
    Fault(ZerosAtTheEnd, "invents zeros at the end", "kafka-go Client.JoinGroup"),
    Fault(NegativeLengthMovesBack, "a negative length moves back", "KafkaJS, platformatic"),
    Fault(NegativeUserDataRefused, "refuses user data of length -2", "kio"),
    Fault(UnsignedStringLength, "a string's length is unsigned", "of its kind"),
    Fault(AllocatesByTheCount, "allocates by the count", "KAFKA-14063, Burrow #560"),
    Fault(CountsBytesNotElements, "writes bytes as the count", "of its kind"),
    Fault(NullArraysAreEmpty, "null arrays are empty", "franz-go, KafkaJS"),
    Fault(NullStringsAreEmpty, "null strings are empty", "Sarama, librdkafka"),
    Fault(CharactersNotBytes, "a string's length in characters", "KafkaJS #463"),
    Fault(LongNamesWrapAround, "a name of 32,768 bytes is written corrupt", "kmsg, kafka-go"),
    Fault(PartitionsWrapAround, "numbers beyond int32 wrap around", "of its kind"),
    Fault(LastElementForgotten, "drops the last of many elements", "of its kind"),
    Fault(UnsignedPartitions, "partitions are unsigned", "of its kind"),
    Fault(EmptyForNull, "empty user data for null", "librdkafka #479, KAFKA-2695"),
    Fault(NullForEmpty, "writes empty user data as null", "platformatic"),
    Fault(RefusesInvalidUtf8, "refuses invalid UTF-8", "kafka-python, kio"),
    Fault(DropsInvalidUtf8, "drops what is no UTF-8", "of its kind"),
    Fault(NoTextAtAll, "a name that is no UTF-8 is empty", "of its kind"),
    Fault(LatinText, "names are Latin-1", "of its kind"),
    Fault(CutAtNul, "a name is cut at NUL", "librdkafka"),
    Fault(LetsIndexErrorsOut, "an undocumented error gets out", "KAFKA-20570"),
    Fault(UserDataAsText, "user data is taken for text", "kafka-python to_dict"),
    Fault(LastDuplicateWins, "the last entry of a topic wins", "Sarama, KafkaJS"),
    Fault(MergesDuplicates, "merges duplicate topics", "kafka-go"),
    Fault(SortsTopics, "shows topics sorted", "of its kind"),
    Fault(LosesProto, "loses a topic named __proto__", "KafkaJS"),
    Fault(StickyPrefixInUserData, "an int16 in front of user data", "kafka-python 3.0.12"),
    Fault(WritesInRandomOrder, "every other write in reverse", "of its kind"),
    Fault(EmptySubscriptionRefused, "refuses the empty subscription", "librdkafka"),
    Fault(AssignmentReadAsSubscription, "expects more in an assignment of version 1", "ruby-kafka"),
    Fault(WritesNothingOwned, "owned partitions are never written", "KafkaJS, kafka-go"),
    Fault(RefusesManyTopics, "refuses more than 5,000 topics", "of its kind", is_large=True),
    Fault(
        RefusesManyPartitions, "refuses more than 100,000 partitions", "krafka 0.28", is_large=True
    ),
    Fault(
        RefusesLongUserData, "refuses user data of 128 KiB and more", "of its kind", is_large=True
    ),
    Fault(LosesAConstructor, "loses a topic named constructor", "of its kind"),
    Fault(TakesNamesForNumbers, "reads the name 1e3 as 1000", "of its kind"),
    Fault(RefusesOwnMessages, "writes user data a byte short", "of its kind"),
    Fault(CompactLengthWithoutOne, "writes compact lengths without + 1", "KIP-482"),
    Fault(ReadsCompactLengthWithoutOne, "reads compact lengths without - 1", "KIP-482"),
    Fault(DropsUnknownTags, "drops unknown tags", "KIP-482"),
    Fault(RefusesUnknownTags, "refuses unknown tags", "KIP-482"),
    Fault(LeavesTagsUnread, "leaves the tag section unread", "KIP-482"),
    Fault(TagsInDescendingOrder, "writes tags in descending order", "KIP-482"),
    Fault(OneByteVarints, "varints of one byte", "KIP-482"),
    Fault(ZigzagVarints, "lengths are zigzag varints", "KIP-482"),
    Fault(ForgetsTheTagSection, "forgets the tag section", "KIP-482"),
    *FIXES,
)
