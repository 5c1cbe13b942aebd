"""With --redact no name of any input is in any output: random names, every kind of input."""

from __future__ import annotations

import gzip
import io
import json
import string
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    JoinGroupRequest,
    OffsetCommitKey,
    OffsetCommitValue,
    RequestHeader,
)
from kproto.tools.main import COMMANDS, command_parser, main

from ..capture.test_segments import batch
from ..capture.wires import ACK, BROKER, CLIENT, SYN, captured, ip_packet, sized
from ..cluster.brokers import listening
from ..cluster.groups import Groups, group, member


class Names(NamedTuple):
    """What must not be seen."""

    topic: str
    group: str
    member: str
    client: str
    rack: str
    host: str
    file: str
    folder: str
    label: str


# Long enough, and of letters that no word of the output has in this order.
names = st.lists(
    st.text(string.ascii_lowercase, min_size=6, max_size=12).map(lambda word: f"zq{word}x"),
    min_size=len(Names._fields), max_size=len(Names._fields), unique=True,
).map(lambda words: Names(*words))  # fmt: skip


def message(given: Names) -> bytes:
    return ConsumerProtocolSubscription(
        topics=[given.topic],
        user_data=given.host.encode(),
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic=given.topic, partitions=[0])
        ],
        rack_id=given.rack,
    ).to_bytes(3)


def join(given: Names) -> bytes:
    protocols = tuple(
        JoinGroupRequest.JoinGroupRequestProtocol(name=name, metadata=message(given))
        for name in ("range", given.label)  # an assignor of one's own
    )
    body = JoinGroupRequest(
        group_id=given.group, member_id=given.member, group_instance_id=given.host,
        protocol_type="consumer", protocols=protocols, session_timeout_ms=1,
        rebalance_timeout_ms=1,
    )  # fmt: skip
    header = RequestHeader(
        request_api_key=11, request_api_version=5, correlation_id=1, client_id=given.client
    )
    return header.to_body(1) + body.to_body(5)


def packets(given: Names) -> bytes:
    there, back = (CLIENT, BROKER), (BROKER, CLIENT)
    frame = sized(join(given))
    sent = [
        ip_packet(b"", 1000, ports=there, flags=SYN),
        ip_packet(b"", 5000, ports=back, flags=SYN | ACK, ack=1001),
        ip_packet(frame, 1001, ports=there, ack=5001),
        ip_packet(frame, 1001 + 2 * len(frame), ports=there, ack=5001),  # one is missing
    ]
    return captured(sent).getvalue()


def log(given: Names) -> bytes:
    data = message(given)
    lines = [
        f"12:00 INFO {given.host} started {given.label}",
        f"12:00 DEBUG {given.label} {given.host} metadata={data!r} of {given.group}",
        f"12:01 DEBUG {given.label}={data.hex()}7",
        f"12:01 WARN {given.label} {given.host} {bytes(range(200, 216)).hex()} {given.topic}",
    ]
    return ("\n".join(lines * 2) + "\n").encode()


def refused(given: Names) -> bytes:
    """A text that cannot be read, of words that may not be quoted either."""
    return f"{given.label} {given.host} [999, 1, {given.topic}]\n".encode()


def line_of_frame(given: Names) -> bytes:
    line = {"source": f"{given.host}:9092", "request": join(given).hex(), "client": given.client}
    return json.dumps(line).encode() + b"\n"


def segment(given: Names) -> bytes:
    """A segment of the offsets topic: a group with a member, and a commit, each with a tail."""
    member = GroupMetadataValue.MemberMetadata(
        member_id=given.member, client_id=given.client, client_host=f"/{given.host}",
        rebalance_timeout=1, session_timeout=1, subscription=message(given) + b"\1",
        assignment=b"",
    )  # fmt: skip
    value = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol="range", leader=given.member,
        current_state_timestamp=1, members=[member],
    )  # fmt: skip
    key = OffsetCommitKey(group=given.group, topic=given.topic, partition=0)
    commit = OffsetCommitValue(offset=1, metadata=given.label, commit_timestamp=1)
    values: list[bytes | None] = [value.to_bytes(3), commit.to_bytes(3) + given.host.encode()]
    return batch(0, values, keys=[GroupMetadataKey(group=given.group).to_bytes(), key.to_bytes()])


KINDS: dict[str, Callable[[Names], bytes]] = {
    "log": log,
    "hex": lambda given: message(given).hex().encode(),
    "cut hex": lambda given: message(given).hex()[:-9].encode(),
    "two": lambda given: f"{message(given).hex()},{message(given).hex()}".encode(),
    "numbered": lambda given: f"1. {message(given).hex()}\n2. {message(given).hex()}\n".encode(),
    "labelled": lambda given: f"{given.label}: {message(given).hex()}\n{given.host}: 00\n".encode(),
    "raw": message,
    "gzip": lambda given: gzip.compress(log(given)),
    "broken gzip": lambda given: gzip.compress(log(given))[:-9],
    "frame": lambda given: sized(join(given)),
    "frame in JSON lines": line_of_frame,
    "packets": packets,
    "cut packets": lambda given: packets(given)[:-7],
    "refused": refused,
    "segment": segment,
    "assignment": lambda given: ConsumerProtocolAssignment(
        assigned_partitions=[
            ConsumerProtocolAssignment.TopicPartition(topic=given.topic, partitions=[-1, -1])
        ],
        user_data=given.host.encode(),
    ).to_bytes(1),
}  # fmt: skip


FILE = "FILE"
OPTIONS = [[], ["--json"], ["--full"], ["--html"], ["--svg"], ["--field", "topics"],
           ["--as", "request"]]  # fmt: skip


LINT_OPTIONS = [
    [],
    ["--json"],
    ["--output", "sarif"],
    ["--readers", "all"],
    ["--json", "--readers", "all"],
    ["--write-baseline", FILE],
]
STORY_OPTIONS = [[], ["--json"], ["--full"], ["--html", FILE], ["--svg", FILE]]
DIFF_OPTIONS = [[], ["--json"], ["--full"], ["--html", FILE], ["--svg", FILE]]
GROUP_OPTIONS = [
    [],
    ["--json"],
    ["--full"],
    ["--html", FILE],
    ["--svg", FILE],
    ["--watch", "1s", "--for", "1s", "--json"],
    ["--watch", "1s", "--for", "1s"],
]
REFUSED = [["--save", FILE], ["--plan", "consumer"], ["--what-if", "members=3"]]
EXPORTING = {
    "--json",
    "--sarif",
    "--junit",
    "--html",
    "--svg",
    "--save",
    "--out",
    "--write-baseline",
    "--watch",
    "--plan",
    "--what-if",
    "--field",
    "--full",
    "--readers",
}


TRIED = {
    "decode": OPTIONS, "lint": LINT_OPTIONS, "diff": DIFF_OPTIONS, "story": STORY_OPTIONS,
    "group": [*GROUP_OPTIONS, *REFUSED, ["--output", "csv"]],
}  # fmt: skip


def test_every_way_out_is_tried() -> None:
    """Of each command that has --redact, by its own parser."""
    for command in COMMANDS:
        _, parser = command_parser(command)
        options = {name for action in parser._actions for name in action.option_strings}
        if "--redact" in options:
            tried = {word for words in TRIED[command] for word in words}
            assert options & EXPORTING <= tried, command
            formats = {
                form for action in parser._actions if "--output" in action.option_strings
                for form in action.choices or ()
            }  # fmt: skip
            assert formats - {"table", "json"} <= tried, command


def leaks(given: Names, command: str, words: list[str], options: list[str], folder: Path) -> None:
    """Run the command with each of its outputs; assert that no name is in any of it."""
    written = folder / "written"
    more = [str(written) if word == FILE else word for word in options]
    seen = ran([command, "--redact", *words, *more])
    if written.exists():
        seen += written.read_text(encoding="utf-8")
        written.unlink()
    leaked = [name for name in spellings(given) if name in seen]
    assert not leaked, (command, options, leaked, seen)


def java_log(given: Names) -> str:
    front = "[2026-11-25 23:33:{:02},000] INFO [GroupCoordinator id=1] "
    member = f"{given.member}-00000000-0000-0000-0000-000000000001"
    lines = [
        (
            f"Dynamic member with unknown member id joins group {given.group} in Empty state. "
            f"Created a new member id {member} and requesting the member to rejoin with this id."
        ),
        (
            f"Preparing to rebalance group {given.group} in state PreparingRebalance with old "
            f"generation 0 (reason: Adding new member {member} with group instance id "
            f"{given.host}; client reason: {given.label})."
        ),
        f"Stabilized group {given.group} generation 1 with 1 members.",
        f"Member {member} in group {given.group} has failed, removing it from the group.",
        f"Group {given.group} with generation 1 is now empty.",
    ]
    return "".join(front.format(number) + line + "\n" for number, line in enumerate(lines))


@settings(max_examples=2, deadline=None, phases=[Phase.generate])
@given(names)
def test_no_name_is_seen_in_a_story(given: Names) -> None:
    with TemporaryDirectory() as top:
        folder = Path(top) / given.folder
        folder.mkdir()
        (folder / f"{given.file}.log").write_text(java_log(given))
        (folder / f"{given.file}.pcap").write_bytes(packets(given))
        for path in folder.iterdir():
            for options in STORY_OPTIONS:
                leaks(given, "story", [str(path)], options, Path(top))


class Named(Groups):
    """A broker whose answers are full of names."""

    def __init__(self, given: Names) -> None:
        seen = member(given.member, topics=(given.topic,)).replace(client_id=given.client)
        super().__init__(group(given.group, seen, protocol=given.label))
        self.topics[given.topic] = 2


@settings(max_examples=1, deadline=None, phases=[Phase.generate])
@given(names)
def test_no_name_of_a_cluster_is_seen(given: Names) -> None:
    with TemporaryDirectory() as top, listening(Named(given)) as address:
        server = ["--bootstrap-server", address]
        for options in GROUP_OPTIONS:
            leaks(given, "group", [given.group, *server], options, Path(top))
        for options in ([], ["--json"], ["--html", FILE], ["--svg", FILE]):
            leaks(given, "group", server, options, Path(top))
        for options in REFUSED:
            leaks(given, "group", [given.group, *server], options, Path(top))
        saved = Path(top) / given.file
        ran(["group", given.group, *server, "--save", str(saved)])
        assert saved.exists()
        for options in GROUP_OPTIONS[:5]:
            leaks(given, "group", [given.group, "--from", str(saved)], options, Path(top))
        for words in (
            [f"{given.label}-none", *server],
            [f"{given.label}-none", "--from", str(saved)],
        ):
            leaks(given, "group", words, [], Path(top))


def ran(arguments: list[str]) -> str:
    """Everything that a call prints."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = streams
    try:
        main(arguments)
        for stream in streams:
            stream.flush()
    finally:
        sys.stdout, sys.stderr = kept
    return "".join(stream.buffer.getvalue().decode() for stream in streams)


def spellings(given: Names) -> Iterator[str]:
    """The names, and as they would be in hex or base64 of the bytes around them."""
    for name in given:
        yield name
        yield name.encode().hex()
        yield name.encode().hex(" ")
    yield "10.0.0."


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=3, deadline=None, phases=[Phase.generate])
@given(names)
def test_no_name_is_seen(kind: str, given: Names) -> None:
    with TemporaryDirectory() as top:
        folder = Path(top) / given.folder
        folder.mkdir()
        suffix = "log" if kind == "segment" else kind.partition(" ")[0]
        path = folder / f"{given.file}.{suffix}"
        path.write_bytes(KINDS[kind](given))
        picture = Path(top) / "picture"
        for options in OPTIONS:
            more = [*options, str(picture)] if options in (["--html"], ["--svg"]) else options
            seen = ran(["decode", "--redact", str(path), *more])
            if picture.exists():
                seen += picture.read_text(encoding="utf-8")
                picture.unlink()
            leaked = [name for name in spellings(given) if name in seen]
            assert not leaked, (options, leaked, seen)
        for options in LINT_OPTIONS:
            leaks(given, "lint", [str(path)], options, Path(top))
        for options in DIFF_OPTIONS:
            leaks(given, "diff", [str(path), str(path)], options, Path(top))
        deeper = folder / given.label / given.host
        deeper.mkdir(parents=True)
        (deeper / path.name).write_bytes(path.read_bytes())
        for options in LINT_OPTIONS[:4]:
            leaks(given, "lint", [top], options, Path(top))
        seen = ran(["decode", "--redact", str(folder / given.group)])
        assert not [name for name in spellings(given) if name in seen], seen
