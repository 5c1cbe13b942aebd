"""A client of a hundred lines with one fault at a time: `python adapter.py FAULT`, none for "".

It is on its own, as a client's repository has it: nothing here comes from kproto. Each fault stands
where such a client has it; `test_planted_faults` says whose it is.
"""

# mypy: ignore-errors
# ruff: noqa: C901, PLR0911, PLR0912, PLW0603
# A switch for each fault, where a client would have it, is what this file is for.

from __future__ import annotations

import base64
import json
import os
import struct
import sys
import time
import unicodedata

FAULT = sys.argv[1] if sys.argv[1:] else ""
SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
LATEST = 3
KEPT = []
LAST = {"userData": None}
ASKED = 0


class DecodeError(Exception):
    pass


class Input:
    def __init__(self, data):
        self.data, self.at = data, 0

    @property
    def left(self):
        return len(self.data) - self.at

    def take(self, size):
        if FAULT == "zeros behind the end" and size > self.left:
            taken, self.at = self.data[self.at :].ljust(min(size, 8), b"\0"), len(self.data)
            return taken
        if size < 0 or size > self.left:
            raise DecodeError(f"{size} bytes of {self.left}")
        taken = self.data[self.at : self.at + size]
        self.at += size
        return taken

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self, nullable=False):
        size = self.number(">H" if FAULT == "unsigned string lengths" else ">h")
        if size < 0:
            if nullable:
                return None
            if FAULT == "negative length moves back":
                self.at = max(0, self.at + size)
                return ""
            if FAULT == "null strings are empty":
                return ""
            if FAULT == "null strings are None":
                return None
            raise DecodeError(f"a string of {size} bytes")
        if FAULT == "aborts at 513 bytes" and size > 512:
            os.abort()
        if FAULT == "names of at most 249 bytes" and size > 249 and not nullable:
            raise DecodeError(f"a name of {size} bytes")
        if FAULT == "names of at most 255 bytes" and size > 255:
            return self.take(size)[:255].decode("utf-8", "replace")
        return self.decoded(self.take(size))

    def decoded(self, raw):
        if FAULT == "latin-1":
            return raw.decode("latin-1")
        if FAULT == "undocumented UnicodeDecodeError":
            return raw.decode()
        if FAULT == "refuses invalid UTF-8":
            try:
                return raw.decode()
            except UnicodeDecodeError as error:
                raise DecodeError(str(error)) from None
        if FAULT == "drops invalid UTF-8":
            return raw.decode("utf-8", "ignore")
        text = raw.decode("utf-8", "replace")
        if FAULT == "cut at NUL":
            return text.partition("\0")[0]
        if FAULT == "strips white space":
            return text.strip()
        if FAULT == "strips line ends":
            return text.rstrip("\r\n")
        if FAULT == "lower case":
            return text.lower()
        if FAULT == "normalises":
            return unicodedata.normalize("NFC", text)
        if FAULT == "drops a byte order mark":
            return text.removeprefix("\ufeff")
        if FAULT == "unescapes percent signs":
            return text.replace("%41", "A")
        if FAULT == "numbers are numbers" and text.isdecimal():
            return str(int(text))
        return text

    def array(self, element):
        count = self.number(">i")
        if FAULT == "counts of 16 bits":
            count = struct.unpack(">h", struct.pack(">i", count)[2:])[0]
        if FAULT == "counts of 8 bits":
            count = count & 0xFF if count >= 0 else count
        if FAULT == "allocates by the count" and count > 0:
            KEPT[:] = [bytearray(16 * count)]
        if FAULT == "at most 10000" and count > 10_000:
            raise DecodeError(f"{count} elements")
        if count < 0:
            if FAULT == "null arrays are empty":
                return []
            if FAULT == "null arrays are None":
                return None
            if FAULT == "undocumented error for null arrays":
                raise RuntimeError("non-nullable field was serialized as null")
            raise DecodeError(f"an array of {count}")
        if FAULT == "refuses the empty subscription" and count == 0:
            raise DecodeError("no topic")
        if FAULT == "spins over the count":
            found, number = [], 0
            while number < count:
                if self.left:
                    found.append(element())
                number += 1
            return found
        if FAULT != "negative length moves back" and count > self.left:
            raise DecodeError(f"{count} elements in {self.left} bytes")
        found = []
        for _ in range(count):
            item = element()
            if FAULT == "looks for each in all":
                found.count(item)
            found.append(item)
        if FAULT == "drops the last of many" and count > 20:
            found.pop()
        return found

    def blob(self):
        size = self.number(">i")
        if FAULT == "user data of length 0 is null" and size == 0:
            return None
        if FAULT == "refuses length -2 of user data" and size < -1:
            raise DecodeError(f"user data of {size} bytes")
        if size < 0:
            return b"" if FAULT == "null user data is empty" else None
        if FAULT == "user data is cut short":
            return self.take(min(size, self.left))
        raw = self.take(size)
        if FAULT == "user data is text":
            return raw.decode("utf-8", "replace").encode()
        if FAULT == "user data ends at a zero":
            return raw.rstrip(b"\0")
        return raw

    def partition(self):
        return self.number(">I" if FAULT == "unsigned partitions" else ">i")

    def entry(self):
        topic = self.text()
        return {"topic": topic, "partitions": self.array(self.partition)}

    def entries(self):
        found = self.array(self.entry)
        if not found:
            return found
        if FAULT == "the last of a topic wins":
            found = list({entry["topic"]: entry for entry in found}.values())
        if FAULT == "entries of a topic are merged":
            merged = {}
            for entry in found:
                merged.setdefault(entry["topic"], []).extend(entry["partitions"])
            found = [{"topic": topic, "partitions": each} for topic, each in merged.items()]
        if FAULT == "loses __proto__":
            found = [entry for entry in found if entry["topic"] != "__proto__"]
        if FAULT == "loses empty entries":
            found = [entry for entry in found if entry["partitions"]]
        if FAULT == "partitions are a set":
            for entry in found:
                entry["partitions"] = sorted(set(entry["partitions"]))
        return found


def decode(name, data):
    if FAULT == "aborts at no bytes" and not data:
        os.abort()
    if FAULT == "no bytes are an empty subscription" and not data:
        return answer(0, {"topics": [], "userData": None}, b"")
    given = Input(data)
    label = given.number("<h" if FAULT == "little-endian versions" else ">h")
    if FAULT == "unsigned versions":
        label &= 0xFFFF
    if FAULT == "the version in one byte":
        label &= 0xFF
    if label < 0:
        if FAULT != "negative versions are 0":
            raise DecodeError(f"version {label}")
        label = 0
    if FAULT == "refuses newer versions" and label > LATEST:
        raise DecodeError(f"version {label}")
    version = min(label, LATEST)
    if FAULT == "newer versions as version 0" and label > LATEST:
        version = 0
    if FAULT == "says the version that it reads":
        label = version
    value = subscription(given, version) if name == SUBSCRIPTION else assignment(given, label)
    rest = given.data[given.at :]
    if FAULT == "refuses bytes behind" and rest:
        raise DecodeError(f"{len(rest)} bytes left")
    if FAULT == "says that nothing is left":
        rest = b""
    if FAULT == "user data of the message before":
        if value["userData"] is None:
            value["userData"] = LAST["userData"]
        LAST["userData"] = value["userData"]
    if FAULT == "sleeps over long ones" and len(data) > 1000:
        time.sleep(30)
    return answer(label, value, rest)


def answer(label, value, rest):
    blob = value["userData"]
    value["userData"] = None if blob is None else base64.b64encode(blob).decode()
    return {"ok": True, "version": label, "value": value, "remainder": rest.hex()}


def subscription(given, version):
    value = {"topics": given.array(given.text), "userData": given.blob()}
    value |= {"ownedPartitions": [], "generationId": -1, "rackId": None}
    if FAULT == "topics are sorted" and value["topics"]:
        value["topics"].sort()
    if FAULT == "topics are a set" and value["topics"]:
        value["topics"] = list(dict.fromkeys(value["topics"]))
    if FAULT == "loses the topic null" and value["topics"]:
        value["topics"] = [topic for topic in value["topics"] if topic != "null"]
    if FAULT == "generation 0 by default":
        value["generationId"] = 0
    if FAULT == "version 1 without its fields" and version == 1 and not given.left:
        return value
    if FAULT == "version 3 without its fields" and not given.left:
        return value
    if FAULT == "the generation before what is owned" and version >= 2:
        value["generationId"] = given.number(">i")
        value["ownedPartitions"] = given.entries()
    else:
        if version >= 1:
            value["ownedPartitions"] = given.entries()
        if version >= 2:
            value["generationId"] = given.number(">I" if FAULT == "unsigned generation" else ">i")
    if version >= 3:
        value["rackId"] = given.text(nullable=True)
    if FAULT == "forgets the rack":
        value["rackId"] = None
    if FAULT == "owns what it subscribes" and not version:
        value["ownedPartitions"] = [{"topic": t, "partitions": [0]} for t in value["topics"]]
    return value


def assignment(given, label):
    value = {"assignedPartitions": given.entries(), "userData": given.blob()}
    if FAULT == "an assignment has a generation" and label >= 2:
        given.number(">i")
    return value


def put_text(text):
    if text is None:
        return struct.pack(">h", -1)
    raw = text.encode("ascii") if FAULT == "writes ASCII alone" else text.encode()
    size = len(text) if FAULT == "writes lengths in characters" else len(raw)
    if FAULT == "long names wrap around":
        return struct.pack(">H", size & 0xFFFF) + raw
    return packed(">h", size) + raw


def packed(form, number):
    try:
        return struct.pack(form, number)
    except struct.error as error:
        raise DecodeError(str(error)) from None


def put_array(items):
    count = sum(map(len, items)) if FAULT == "writes bytes for the count" else len(items)
    return struct.pack(">i", count) + b"".join(items)


def put_entries(entries):
    found = []
    for entry in entries:
        numbers = entry["partitions"]
        if FAULT == "numbers wrap around":
            numbers = [(n + 2**31) % 2**32 - 2**31 for n in numbers]
        each = [packed(">i", n) for n in numbers]
        found.append(put_text(entry["topic"]) + put_array(each))
    return put_array(found)


def put_blob(text):
    raw = None if text is None else base64.b64decode(text)
    if FAULT == "writes empty for null" and raw is None:
        raw = b""
    if FAULT == "writes null for empty" and raw == b"":
        raw = None
    if FAULT == "an int16 in front of user data" and raw:
        raw = b"\0\1" + raw
    return struct.pack(">i", -1) if raw is None else struct.pack(">i", len(raw)) + raw


def encode(name, version, value):
    if not 0 <= version <= LATEST:
        raise DecodeError(f"version {version}")
    label = {"always writes version 3": 3, "writes version 1 over the layout of 0": 1}.get(
        FAULT, version
    )
    out = struct.pack(">h", label)
    if name == ASSIGNMENT:
        return out + put_entries(value["assignedPartitions"]) + put_blob(value["userData"])
    topics = [put_text(topic) for topic in value["topics"]]
    if FAULT == "writes in an order of its own":
        topics = topics[ASKED % 2 :] + topics[: ASKED % 2]
    out += put_array(topics) + put_blob(value["userData"])
    owned = [] if FAULT == "writes nothing owned" else value.get("ownedPartitions", [])
    generation = packed(">i", value.get("generationId", -1))
    rack = put_text(value.get("rackId"))
    if FAULT == "writes the generation 0":
        generation = struct.pack(">i", max(0, value.get("generationId", -1)))
    if FAULT == "writes a null rack as empty" and value.get("rackId") is None:
        rack = put_text("")
    if version >= 1 and (label == version or FAULT == "always writes version 3"):
        out += put_entries(owned)
    if FAULT == "writes the rack before the generation" and version >= 3:
        return out + rack + generation
    return out + generation * (version >= 2) + rack * (version >= 3)


def said(question):
    global ASKED
    ASKED += 1
    if question["op"] == "hello":
        names = [SUBSCRIPTION, ASSIGNMENT]
        return {
            "ok": True, "protocol": 1, "client": "planted", "release": FAULT, "names": names,
            "ops": ["decode", "encode"],
        }  # fmt: skip
    if FAULT == "dies after 700 answers" and ASKED > 700:
        os._exit(9)
    if FAULT == "keeps all that it was asked":
        KEPT.append(bytearray(b"x" * (512 << 10)))
    if FAULT == "prints what it does" and ASKED == 50:
        print("decoding", flush=True)
    try:
        if question["op"] == "decode":
            return decode(question["name"], bytes.fromhex(question["hex"]))
        written = encode(question["name"], question["version"], question["value"])
        return {"ok": True, "hex": written.hex()}
    except DecodeError as error:
        return {"ok": False, "error": f"DecodeError: {error}"}


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps({"id": asked["id"], **said(asked)}), flush=True)
