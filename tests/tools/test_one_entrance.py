"""`decode`, `decode --json`, `lint`, `diff`, `explain`, the page and the library see the same in
the same bytes. What `audit` sees is in test_same_in_audit.py."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Mapping
from contextlib import chdir
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import dpkt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kproto
from kproto.browser.answers import answer
from kproto.capture import FORMS, CaptureError, Form, read
from kproto.capture.frames.api_keys import apis
from kproto.capture.text import form_named
from kproto.codec import (
    GroupMetadataKey,
    GroupMetadataValue,
    Message,
    OffsetCommitKey,
    VersionedMessage,
    message_class,
)
from kproto.codec.read.deviations import REFUSALS
from kproto.codec.runtime.registry import built_in_names, spec_of
from kproto.inspector import recognise
from kproto.inspector.candidates import EACH_WITH_USER_DATA
from kproto.inspector.evidence import MessageJudge
from kproto.inspector.recognition import DOUBT, Recogniser

from ..capture.test_segments import batch
from ..capture.written import texts
from ..codec.values import random_message
from .conftest import Run, run
from .packet_printers import capture, converse
from .printers import draw

LEAST = 6  # bytes of a response: correlation id and error code
STORED = [name for name in built_in_names() if issubclass(message_class(name), VersionedMessage)]
FRAMED = sorted(key for key in apis() if apis()[key].request.VERSIONS)


class Input(NamedTuple):
    """Bytes, and the frame that they are: direction, API key and version; None for a message."""

    data: bytes
    frame: tuple[str, int, int] | None = None


def _is_flexible(cls: type[Message], version: int) -> bool:
    flexible = spec_of(cls).flexible
    return bool(flexible) and version >= flexible.lowest


def request(rng: Random) -> Input:
    key = rng.choice(FRAMED)
    cls = apis()[key].request
    version = rng.choice(list(cls.VERSIONS))
    client = rng.choice((b"rdkafka", b"consumer-billing-1", b"kafka-python-2.0.2"))
    header = struct.pack(">hhih", key, version, rng.randrange(5000), len(client)) + client
    tags = b"\0" * _is_flexible(cls, version)
    return Input(header + tags + _body(rng, cls, version), ("request", key, version))


def response(rng: Random) -> Input:
    key = rng.choice(FRAMED)
    cls = apis()[key].response
    version = rng.choice(list(cls.VERSIONS))
    tags = b"\0" * (key != 18 and _is_flexible(cls, version))
    header = struct.pack(">i", rng.randrange(5000)) + tags
    return Input(header + _body(rng, cls, version), ("response", key, version))


def _body(rng: Random, cls: type[Message], version: int) -> bytes:
    return random_message(rng, cls, version, unknown_tags=False).to_body(version)


def stored(rng: Random) -> Input:
    cls = message_class(rng.choice(STORED))
    version = rng.choice(list(cls.VERSIONS))
    message = random_message(rng, cls, version, unknown_tags=False)
    assert isinstance(message, VersionedMessage)
    return Input(message.to_bytes(version))


def sized(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


def usual(rng: Random) -> bytes:
    return draw(rng).data


def sent(rng: Random) -> list[bytes]:
    """A request and its response, each with its size."""
    return [part.data for part in converse(rng, [draw(rng)])[:2]]


def either(rng: Random) -> bytes:
    kinds = (stored, request, response)
    return usual(rng) if rng.random() < 0.5 else sized_frame(rng.choice(kinds)(rng))


def sized_frame(input_: Input) -> bytes:
    return input_.data if input_.frame is None else sized(input_.data)


def cut(rng: Random) -> bytes:
    data = either(rng)
    return data[: rng.randint(1, max(len(data) - 1, 1))]


Bytes = Callable[[Random], list[bytes]]
KINDS: Mapping[str, Bytes] = {
    "a message": lambda rng: [usual(rng)],
    "a stored message": lambda rng: [stored(rng).data],
    "a request": lambda rng: [sized(request(rng).data)],
    "a response": lambda rng: [sized(response(rng).data)],
    "a frame without its size": lambda rng: [rng.choice((request, response))(rng).data],
    "a request and its response": sent,
    "both as one": lambda rng: [b"".join(sent(rng))],
    "several": lambda rng: [either(rng) for _ in range(rng.randint(2, 4))],
    "cut": lambda rng: [cut(rng)],
    "read as UTF-8": lambda rng: [either(rng).decode("utf-8", "replace").encode()],
    "Latin-1 as UTF-8": lambda rng: [either(rng).decode("latin-1").encode()],
    "a packet": lambda rng: packets_of(capture(converse(rng, [draw(rng)])))[3:4],
    "no message": lambda rng: [rng.randbytes(rng.randint(1, 60))],
}
"""What bytes are."""


def packets_of(file: bytes) -> list[bytes]:
    return [bytes(packet) for _, packet in dpkt.pcap.Reader(BytesIO(file))]


def write(form: Form, parts: list[bytes]) -> bytes:
    """The bytes in a form; a form that cannot part them has them as one."""
    if form.name == "raw":
        return b"".join(parts)
    return "\n\n".join(map(form.write, parts)).encode("utf-8", "surrogateescape")


def text_of(kind: str, form: Form) -> Callable[[Random], bytes]:
    return lambda rng: write(form, KINDS[kind](rng))


def arranged(rng: Random) -> bytes:
    """Messages as people and tools put them into a text."""
    *_, last = islice(texts(rng, rng.randint(1, 3)), rng.randint(1, 400))
    return last.text.encode()


def segment(rng: Random) -> bytes:
    keys = [OffsetCommitKey(group="g", topic="t", partition=at).to_bytes() for at in range(3)]
    values = [rng.choice((None, stored(rng).data, usual(rng))) for _ in keys]
    return batch(0, values, keys=keys)


FILES: Mapping[str, Callable[[Random], bytes]] = {
    **{f"{kind}, {form.name}": text_of(kind, form) for kind in KINDS for form in FORMS},
    "arranged": arranged,
    "capture": lambda rng: capture(converse(rng, [draw(rng) for _ in range(3)])),
    "segment": segment,
}
"""Files by what is in them: every kind of bytes in every form, and captures."""

TESTS = Path(__file__).parents[1]
RECORDED = sorted(
    path
    for folder in ("vectors", "capture/golden")
    for path in (TESTS / folder).rglob("*")
    if path.is_file() and path.stat().st_size < 100_000
)
"""What tools have printed and recorded: packets, tables, logs, records, segments, captures."""


def names_of(line: dict[str, Any]) -> list[str]:
    return [part["name"] for part in parts_of(line)]


def parts_of(line: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of a line: a frame's header and body, a record's key and value, or itself."""
    for names in (("header", "body"), ("key", "value")):
        if names[0] in line:
            return [line[name] for name in names if line[name]]
    return [line]


class Part(NamedTuple):
    """What a command sees in a message."""

    name: str | None
    version: int | None
    error: tuple[int, str] | None = None


def part_of(line: dict[str, Any]) -> Part:
    error = line["error"]
    return Part(line["name"], line["version"], error and (error["offset"], error["path"]))


def classes_in(line: dict[str, Any]) -> set[tuple[str, str]]:
    """The codes of a message's deviations, and of those inside of it, with their classes."""
    classes = {(deviation["code"], deviation["class"]) for deviation in line["deviations"]}
    return classes.union(*map(classes_in, line.get("opened", ())))


def codes_in(line: dict[str, Any]) -> set[str]:
    return {code for code, _ in classes_in(line)}


def stops(line: dict[str, Any]) -> bool:
    """Whether reading stops in a message, or in one inside of it."""
    inside = line.get("opened", ())
    is_mistake = EACH_WITH_USER_DATA in (line["name"], line.get("note"))
    return line["error"] is not None or is_mistake or any(map(stops, inside))


OF_A_CAPTURE = r"(?:frame|record)s? read"


def assert_same(path: Path) -> None:
    """All commands see the same messages in a file, and the same deviations in them."""
    decoded, shown = run("decode", "--json", path), run("decode", path)
    lines = [part for line in decoded.lines for part in parts_of(line)]
    parts = [part_of(line) for line in lines]
    assert shown.status == decoded.status
    linted = run("lint", "--json", path).lines
    rest = iter(parts)
    outer = [(line["name"], line["version"]) for line in linted if not line["path"]]
    assert all(part in ((name, version) for name, version, _ in rest) for part in outer)
    sure = [line for line in lines if line["name"] and line.get("note") != DOUBT]  # as lint judges
    codes = {code for line in sure for code in codes_in(line)}
    judged = {finding["code"] for line in linted for finding in line["findings"]}
    if any(map(stops, lines)):  # lint has a code for that, unless a tool has cut the bytes
        codes, judged = codes - set(REFUSALS.values()), judged - set(REFUSALS.values())
    is_repaired = any(line.get("note") == EACH_WITH_USER_DATA for line in lines)
    assert is_repaired or codes == judged  # readers meet the bytes that are not repaired
    assert not codes - codes_explained(lines)
    if path.suffix not in (".gz", ".log"):  # what names decide is not in a paste
        assert [part_of(part) for line in of_page(path) for part in parts_of(line)] == parts
    compared = run("diff", "--json", path, path)
    for side in "ab":
        assert [part_of(line[side]) for line in compared.lines] == parts
    if not re.search(OF_A_CAPTURE, compared.notes):
        assert all(part.name is None or part.name in shown.text for part in parts)
        if path.suffix != ".gz":
            assert read_by_library(path) in (None, [part.name for part in parts])


def of_page(path: Path) -> list[Any]:
    """What the page shows of a file that is pasted: it calls this function, in a browser."""
    with chdir(path.parent):
        _, text, _, is_cut = answer(["decode", "--json", "-"], str(path.parent), str(path))
    assert not is_cut
    return [json.loads(line) for line in text.splitlines()]


def codes_explained(lines: list[dict[str, Any]]) -> set[str]:
    """The codes of deviations for which `explain` has a page, of the same class."""
    classes = {pair for line in lines if line["name"] for pair in classes_in(line)}
    if not classes:
        return set()
    pages = run("explain", "--json", *sorted({code for code, _ in classes})).lines
    return {page["code"] for page in pages if (page["code"], page["class"]) in classes}


def read_by_library(path: Path) -> list[str | None] | None:
    """What the library reads in a text, by the same judge as the command; None for records that a
    tool has decoded."""
    try:
        reading = read(path.read_bytes(), judge=MessageJudge())
    except CaptureError:
        return []
    if reading.records:
        return None
    recogniser = Recogniser()
    return [
        part.decoded.message_class.NAME if part.identified else None
        for chunk in reading.chunks
        for part, _ in recogniser.recognise(
            chunk.data,
            chunk.context or chunk.label,
            is_inside=reading.format == "log",
            is_cut=chunk.cut != 0,
        ).parts()
    ]


def assert_one_entrance(kind: str, seed: int, folder: Path) -> None:
    path = folder / f"{0:020}.log" if kind == "segment" else folder / "input"
    path.write_bytes(FILES[kind](Random(seed)))  # noqa: S311
    assert_same(path)


SEEDS = st.integers(0, 1 << 32)
EACH = 3  # files of a kind
SMALL = 5_000  # bytes of a file


@settings(max_examples=max(1, settings().max_examples // 3))
@given(kind=st.sampled_from(list(FILES)), seed=SEEDS)
def test_all_commands_see_the_same(kind: str, seed: int) -> None:
    with TemporaryDirectory() as folder:
        assert_one_entrance(kind, seed, Path(folder))


@pytest.mark.long
@pytest.mark.parametrize("kind", FILES)
def test_all_commands_see_the_same_in_every_kind(kind: str, rng: Random, tmp_path: Path) -> None:
    """Texts do not shrink: what fails is a seed."""
    for _ in range(EACH):
        assert_one_entrance(kind, rng.getrandbits(32), tmp_path)


@settings(max_examples=max(1, settings().max_examples // 8))
@given(path=st.sampled_from([path for path in RECORDED if path.stat().st_size < SMALL]))
def test_all_commands_see_the_same_in_what_was_recorded(path: Path) -> None:
    assert_same(path)


@pytest.mark.long
@pytest.mark.parametrize("path", RECORDED, ids=[str(path.relative_to(TESTS)) for path in RECORDED])
def test_all_commands_see_the_same_in_each_record(path: Path) -> None:
    assert_same(path)


@pytest.mark.parametrize("name", ["hex", "hexdump-C", "xxd", "wireshark"])
def test_a_dump_of_a_response_s_packet_shows_the_response(name: str, tmp_path: Path) -> None:
    sent = converse(Random(3), [draw(Random(3))])  # noqa: S311
    packet = packets_of(capture(sent))[-3]  # behind it, both sides close the connection
    path = tmp_path / "packet.txt"
    path.write_text(form_named(name).write(packet), encoding="ascii")
    (line,) = run("decode", "--json", path).lines
    assert names_of(line) == ["ResponseHeader", sent[-1].body.NAME]


def test_metadata_of_zero_bytes_are_a_deviation_everywhere(tmp_path: Path) -> None:
    member = GroupMetadataValue.MemberMetadata(
        member_id="m", client_id="c", client_host="/h", session_timeout=1, rebalance_timeout=1,
        subscription=b"", assignment=b"",
    )  # fmt: skip
    group = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol="range", leader="m", members=[member]
    )
    value, key = group.to_bytes(3), GroupMetadataKey(group="g").to_bytes()
    log, hexadecimal = tmp_path / f"{0:020}.log", tmp_path / "value.hex"
    log.write_bytes(batch(0, [value], keys=[key]))
    hexadecimal.write_text(value.hex(), encoding="ascii")
    for path in (log, hexadecimal):
        assert "KP015" in run("decode", "--json", path).text
        assert_same(path)


def of_seeds(make: Callable[[Random], Input]) -> st.SearchStrategy[Input]:
    return SEEDS.map(lambda seed: make(Random(seed)))  # noqa: S311


def either_status(kproto: Run, *arguments: str | Path) -> str:
    """The output of a command that ends with 0 or 1."""
    try:
        return kproto(*arguments).stdout.decode()
    except AssertionError:
        return kproto(*arguments, status=1).stdout.decode()


@given(made=of_seeds(request))
def test_a_request_with_its_size_is_one(made: Input) -> None:
    data = struct.pack(">i", len(made.data)) + made.data
    (found,) = recognise(data).frames
    frame = found.frame
    assert (frame.direction, frame.api_key, frame.api_version) == made.frame


@given(made=of_seeds(response))
def test_a_response_with_its_size_is_no_message(made: Input) -> None:
    assume(len(made.data) >= LEAST)
    data = struct.pack(">i", len(made.data)) + made.data
    (found,) = recognise(data).frames
    assert found.frame.direction == "response"


def test_the_function_for_a_prompt_reads_as_the_command_does() -> None:
    """`kproto.decode` of a text from a public report shows the first message, or frame."""
    tried = 0
    for path in sorted((Path(__file__).parents[1] / "vectors" / "reports").iterdir()):
        if path.suffix not in (".hex", ".txt", ".log"):
            continue
        lines = run("decode", "--json", path).lines
        names = [name for line in lines for name in names_of(line) if name]
        text = path.read_bytes().decode("utf-8", "replace")
        if names and "\ufffd" not in text:
            tried += 1
            shown = [part.decoded.message_class.NAME for part in kproto.decode(text).parts]
            assert shown == names[: len(shown)], path.name
    assert tried > 25
