"""Writes fuzz/corpus anew: `python -m tests.fuzz.build_corpus [TARGET...] [--from DIR]`.

What ships is few and small: of other people's bytes (tests/vectors) and of what campaigns kept
(`--from`, a corpus folder), those that together reach all that they reach.
"""

from __future__ import annotations

import json
import struct
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kproto.capture import FORMS
from kproto.codec.runtime.registry import built_in_names
from kproto.fuzz.defined import defined
from kproto.fuzz.minimisation import minimised_corpus
from kproto.fuzz.mutators.messages import ReadableMessages, is_plain, split
from kproto.fuzz.seeds import SHIPPED
from kproto.fuzz.targets import NAMES, load
from kproto.schemas import text

VECTORS = Path(__file__).parent.parent / "vectors"
_REMARK = "inputs that reach all that is reached; written by tests/fuzz/build_corpus.py"
_LONGEST = 400  # bytes of a message that ships
_MOST = 160  # inputs of a target
_SHIPPED_BYTES = 1500  # of one input


def write_hex(file: Path, inputs: list[bytes], remark: str) -> None:
    """Write inputs to a file, one per line, below a comment."""
    lines = [f"# {remark}", *(data.hex() for data in inputs)]
    file.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--from", dest="corpus", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    for name in arguments.targets or NAMES:
        if name == "java-agreement":
            continue  # what decoder-agreement has; and Java is slow to trace
        inputs = set(_of_vectors(name))
        if arguments.corpus is not None and (arguments.corpus / name).is_dir():
            inputs |= {file.read_bytes() for file in (arguments.corpus / name).iterdir()}
        target = load(name)
        if isinstance(target.form, ReadableMessages):
            inputs = set(filter(is_plain, inputs))  # those that are not are its changes
        longest = min(target.max_len, _SHIPPED_BYTES)
        kept = minimised_corpus(name, target.check, [one for one in inputs if len(one) <= longest])
        kept = kept[:: 1 + len(kept) // _MOST]
        write_hex(arguments.out / f"{name}.hex", kept, _REMARK)
        print(f"{name}: {len(kept)} of {len(inputs)}", file=sys.stderr, flush=True)


def _of_vectors(name: str) -> Iterator[bytes]:
    special = {
        "frames": _frames, "captures": _captures, "text-forms": _texts,
        "future-definitions": _futures, "hostile-definitions": _definitions,
    }  # fmt: skip
    if name in special:
        yield from special[name]()
        return
    family = getattr(load(name).form, "names", built_in_names())
    for data in _messages():
        route, _ = split(data)
        if route is not None and route.cls.NAME in family and len(data) <= _LONGEST:
            yield data
    if name == "user-data":  # itself, without a head
        yield from (
            payload for route, payload in map(split, _messages()) if "UserData" in str(route)
        )


def _messages() -> Iterator[bytes]:
    for line in _lines("consumer-protocol.jsonl"):
        yield line["name"].encode() + b"\n" + bytes.fromhex(line["hex"])
    for file in ("group-messages.jsonl", "group-messages-broken.jsonl"):
        for line in _lines(file):
            head = b"%s %d\n" % (line["name"].encode(), line["version"])
            yield head + bytes.fromhex(line["hex"])
    yield from defined(built_in_names())


def _frames() -> Iterator[bytes]:
    for line in _lines("captures/frames.jsonl"):
        frame = bytes.fromhex(line["frame_hex"])
        if len(frame) <= _LONGEST:
            request = line["direction"] == "request"
            head = b"response %d %d" % (line["api_key"], line["api_version"])
            yield (b"request" if request else head) + b"\n" + frame


def _captures() -> Iterator[bytes]:
    capture = (VECTORS / "captures/loopback.pcap").read_bytes()
    at, packets = 24, []
    while at < len(capture):
        (size,) = struct.unpack_from("<I", capture, at + 8)
        packets.append(capture[at : at + 16 + size])
        at += 16 + size
    for start in range(0, len(packets) - 6, 6):
        yield capture[:24] + b"".join(packets[start : start + 12])
    for folder in ("offsets-topic", "offsets-topic-compressed"):
        for file in sorted((VECTORS / "captures" / folder).rglob("*.log")):
            log = file.read_bytes()
            at = 0
            while at + 12 < len(log):
                (size,) = struct.unpack_from(">I", log, at + 8)
                yield log[at : at + 12 + size]
                at += 12 + size


def _texts() -> Iterator[bytes]:
    for form in FORMS:
        for data in (bytes(range(20)), b"\0\1\0\0\0\1\0\1a\xff\xff\xff\xff"):
            yield form.write(data).encode("utf-8", "surrogateescape")
    yield b"2026-11-21 10:00:00 joined with \\x00\\x01\\x00\\x00\\x00\\x00\\xff\\xff\\xff\\xff"


def _futures() -> Iterator[bytes]:
    for number, line in enumerate(_lines("consumer-protocol.jsonl")):
        data = bytes.fromhex(line["hex"])
        if len(data) <= 100:
            plan = bytes([2, number % 16, 0, (number // 16) % 16, 1])
            yield line["name"].encode() + b"\n" + plan + data


def _definitions() -> Iterator[bytes]:
    for name in built_in_names():
        definition = text(name).encode()
        if len(definition) <= 2048:
            yield definition
    small = {"type": "data", "name": "Made", "validVersions": "0-1", "flexibleVersions": "1+"}
    for kind in ("int32", "string", "[]int64", "bytes", "uuid", "float64", "bool", "records"):
        field = {"name": "One", "type": kind, "versions": "0+"}
        tagged = {"name": "Two", "type": kind, "versions": "1+", "tag": 0, "taggedVersions": "1+"}
        yield json.dumps(small | {"fields": [field, tagged]}).encode()
    inner = {"name": "In", "type": "int8", "versions": "0+"}
    struct_ = {"name": "One", "type": "[]Part", "versions": "0+", "fields": [inner]}
    yield json.dumps(small | {"fields": [struct_]}).encode()


def _lines(file: str) -> Iterator[dict[str, Any]]:
    with (VECTORS / file).open() as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main()
