"""Faults that a commit of a real client mended: each is the reader or writer as it was before, in
the words of the codec here. `whose` names the commit, or the report that led to it.
"""

from __future__ import annotations

import base64

from kproto.fuzz.subject import JsonObject

from .codec import ASSIGNMENT, Codec, CodecError, Fault

# -- Sarama


class NothingBehindEmptyOwned(Codec):
    def subscription(self, version: int) -> JsonObject:
        here = self.pos
        value = super().subscription(version)
        if not value["ownedPartitions"]:
            self.pos = here
            value = super().subscription(min(version, 1))
        return value


class WritesNoNewFields(Codec):
    def put_subscription(self, version: int, value: JsonObject) -> list[bytes]:
        return super().put_subscription(0, value)


class RefusesANullRack(Codec):
    def nullable_string(self) -> str | None:
        return self.string()


class DiesOfNoBytes(Codec):
    def label(self) -> int:
        if not self.data:
            raise IndexError("index out of range [0] with length 0")
        return super().label()


# -- franz-go


class ReadsCutTopicsAsEmpty(Codec):
    def subscription(self, version: int) -> JsonObject:
        try:
            return super().subscription(version)
        except CodecError:
            if version == 1:
                raise
            self.pos = 2
            topics = [self.rest() for _ in range(min(self.int32(), 4))]
            return {
                "topics": topics, "userData": None, "ownedPartitions": [], "generationId": -1,
                "rackId": None,
            }  # fmt: skip

    def rest(self) -> str:
        try:
            return self.string()
        except CodecError:
            return ""


class ReusesTheEntriesBefore(Codec):
    def entries(self) -> list[JsonObject]:
        entries = super().entries()
        earlier: list[JsonObject] = getattr(self, "earlier", [])
        self.earlier = entries
        for entry, old in zip(entries, earlier, strict=False):
            if not entry["partitions"]:
                entry["partitions"] = old["partitions"]
        return entries


# -- Java


class RefusesNullUserData(Codec):
    def blob(self) -> bytes | None:
        blob = super().blob()
        if blob is None:
            raise CodecError("Error reading field 'user_data'")
        return blob


class WritesOwnedUnderVersion0(Codec):
    def put_subscription(self, version: int, value: JsonObject) -> list[bytes]:
        return super().put_subscription(version or 1, value)


# -- JavaScript


class WritesNoUserDataForNull(Codec):
    def put_blob(self, blob: str | None) -> bytes:
        return b"" if blob is None else super().put_blob(blob)


class ReadsALengthInUserData(Codec):
    def assignment(self, version: int) -> JsonObject:
        value = super().assignment(version)
        blob = value["userData"]
        if blob:
            size = blob[0] >> 1
            if size > len(blob) - 1:
                raise CodecError(f"{size} bytes")
            value["userData"] = blob[1 : 1 + size]
        return value


class KeysOfAnObject(Codec):
    def entries(self) -> list[JsonObject]:
        entries = super().entries()
        numbers = [entry for entry in entries if entry["topic"].isascii() and is_index(entry)]
        others = [entry for entry in entries if entry not in numbers]
        return sorted(numbers, key=lambda entry: int(entry["topic"])) + others


def is_index(entry: JsonObject) -> bool:
    topic: str = entry["topic"]
    return topic.isdigit() and str(int(topic)) == topic


# -- Erlang, Elixir, Ruby, C, Python


class AssignmentHasNoUserData(Codec):
    def assignment(self, version: int) -> JsonObject:
        return {"assignedPartitions": self.entries(), "userData": None}

    def put_assignment(self, value: JsonObject) -> list[bytes]:
        return super().put_assignment(value)[:1]


class UserDataInEachEntry(Codec):
    def assignment(self, version: int) -> JsonObject:
        entries = self.array(lambda: {**self.entry(), "userData": self.blob()})
        blobs = [entry.pop("userData") for entry in entries]
        return {"assignedPartitions": entries, "userData": blobs[-1] if blobs else None}

    def put_assignment(self, value: JsonObject) -> list[bytes]:
        blob = self.put_blob(value["userData"])
        entries = [self.put_entry(entry) + blob for entry in value["assignedPartitions"]]
        return [self.put_array(entries)]


class UserDataBehindAnInt16(Codec):
    def blob(self) -> bytes | None:
        size = self.int16()
        return None if size < 0 else self.take(size)

    def put_blob(self, blob: str | None) -> bytes:
        raw = base64.b64decode(blob or "")
        return self.put_int16(-1 if blob is None else len(raw)) + raw


class OnePartitionATopic(Codec):
    def entry(self) -> JsonObject:
        return {"topic": self.string(), "partitions": [self.partition()]}

    def put_entry(self, entry: JsonObject) -> bytes:
        return self.put_string(entry["topic"]) + self.put_int32(entry["partitions"][0])


class DiesOfAnEmptyName(Codec):
    def string(self) -> str:
        name = super().string()
        if not name:
            raise IndexError("a string of no bytes")
        return name


class FailsWithNothingAssigned(Codec):
    def assignment(self, version: int) -> JsonObject:
        value = super().assignment(version)
        value["assignedPartitions"][0]  # which is not there
        return value


class LabelsAssignmentsVersion1(Codec):
    def write(self, name: str, version: int, value: JsonObject) -> bytes:
        written = super().write(name, version, value)
        return b"\0\1" + written[2:] if name == ASSIGNMENT else written


class WritesNoVersion(Codec):
    def write(self, name: str, version: int, value: JsonObject) -> bytes:
        return super().write(name, version, value)[2:]


FIXES: tuple[Fault, ...] = (
    Fault(
        NothingBehindEmptyOwned, "reads nothing behind owned partitions that are empty",
        "Sarama e9bd1b89",
    ),
    Fault(WritesNoNewFields, "writes no field that version 0 lacks", "Sarama e9bd1b89"),
    Fault(RefusesANullRack, "refuses a null rack", "Sarama d2368dca"),
    Fault(DiesOfNoBytes, "dies of empty bytes", "Sarama #2111, librdkafka #603, KafkaJS #550"),
    Fault(ReadsCutTopicsAsEmpty, "topics that are cut off are empty names", "franz-go b66ec1f3"),
    Fault(
        ReusesTheEntriesBefore, "an empty list has the partitions of the message before",
        "of the kind of franz-go 71ff297d",
    ),
    Fault(RefusesNullUserData, "refuses null user data", "KAFKA-2695"),
    Fault(WritesOwnedUnderVersion0, "writes owned partitions under version 0", "KAFKA-10647"),
    Fault(WritesNoUserDataForNull, "leaves out user data that is null", "platformatic #284"),
    Fault(
        ReadsALengthInUserData, "reads the first byte of user data as its length",
        "platformatic #281",
    ),
    Fault(KeysOfAnObject, "topics that are numbers come first, by number", "KafkaJS"),
    Fault(AssignmentHasNoUserData, "an assignment has no user data", "kafka_protocol #4"),
    Fault(
        UserDataInEachEntry, "an assignment has user data after each of its topics",
        "kafka_ex #161, zilla #617",
    ),
    Fault(
        UserDataBehindAnInt16, "the length of user data has two bytes",
        "kafka-tools #71, ruby-kafka #164",
    ),
    Fault(OnePartitionATopic, "a topic has one partition, and no list", "kafka-tools #71"),
    Fault(DiesOfAnEmptyName, "dies of an empty name", "librdkafka 93d58c84"),
    Fault(FailsWithNothingAssigned, "fails where nothing is assigned", "brod 639a40f"),
    Fault(LabelsAssignmentsVersion1, "assignments are written as version 1", "sarama-cluster #211"),
    Fault(WritesNoVersion, "writes no version", "kafka-protocol #128"),
)  # fmt: skip
