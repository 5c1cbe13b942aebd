"""What a user of the library writes: it runs, and it passes `mypy --strict`, on the wheel alone."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import assert_type

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    ErrorKind,
    Message,
    Policy,
    compile_definition,
    decode,
    load_definitions,
)

sub = ConsumerProtocolSubscription(
    topics=["orders"],
    user_data=None,
    owned_partitions=[
        ConsumerProtocolSubscription.TopicPartition(topic="orders", partitions=[0, 1])
    ],
    generation_id=7,
    rack_id=None,
)
data = sub.to_bytes(version=2)
assert_type(data, bytes)
assert sub.to_bytes()[:2] == ConsumerProtocolSubscription.LATEST.to_bytes(2, "big")

sub = ConsumerProtocolSubscription.from_bytes(data)
assert_type(sub.topics, tuple[str, ...])
assert_type(sub.user_data, bytes | None)
assert_type(sub.owned_partitions[0].partitions, tuple[int, ...])
sub = sub.replace(generation_id=8)
assert_type(sub, ConsumerProtocolSubscription)
assert_type(sub.generation_id, int)

seen = decode(memoryview(data), ConsumerProtocolSubscription, policy=Policy.STRICT)
assert_type(seen.message, ConsumerProtocolSubscription | None)
assert_type(seen.version, int | None)
assert_type(seen.remainder, bytes)
assert seen.complete
assert seen.error is None
assert seen.to_bytes() == data
assert seen.with_message(sub) == sub.to_bytes(version=2)
assert decode(data, ConsumerProtocolSubscription, reader_version=1).schema_version == 1

assignment = ConsumerProtocolAssignment(
    assigned_partitions=[ConsumerProtocolAssignment.TopicPartition(topic="orders", partitions=[3])],
    user_data=b"\x00",
)
assert ConsumerProtocolAssignment.from_bytes(bytearray(assignment.to_bytes())) == assignment

broken = decode(data[:-1], ConsumerProtocolSubscription, policy=Policy.LENIENT)
assert_type(broken.error, DecodeError | None)
assert broken.error is not None
assert_type(broken.error.kind, ErrorKind)
assert broken.error.kind is ErrorKind.TRUNCATED
assert broken.message is None

DEFINITION = """
// A message that is not built in.
{ "type": "data", "name": "Note", "validVersions": "0-1", "flexibleVersions": "none",
  "fields": [
    { "name": "Text", "type": "string", "versions": "0+" },
    { "name": "Stars", "type": "int8", "versions": "1+", "default": "5", "ignorable": true }
  ] }
"""
Note = compile_definition(DEFINITION)
assert_type(Note, type[Message])
note = Note.from_json({"text": "hello"}, version=1)
body = note.to_body(version=1)
assert Note.from_body(body, version=1) == note
assert decode(body, Note, body_version=1).message == note

with tempfile.TemporaryDirectory() as folder:
    Path(folder, "Note.json").write_text(DEFINITION, encoding="utf-8")
    classes = load_definitions(folder)
assert_type(classes, dict[str, type[Message]])
assert compile_definition(json.loads(DEFINITION.split("\n", 2)[2])).NAME == "Note"

print(data.hex(), list(classes), body.hex(), json.dumps(note.to_json(version=1)))
