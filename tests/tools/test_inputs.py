"""What INPUT may be: several files, compressed ones, logs of any length, pipes that go on."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import cramjam
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kproto.capture.compression import UnpackedFile, content_of, unpacked
from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    LeaveGroupRequest,
    RequestHeader,
)
from kproto.fuzz.strategies import assignments, subscriptions
from kproto.inspector.evidence import MessageJudge
from kproto.tools.input.inputs import InputMessage, join_hex, of_stream, of_text

from ..capture.written import message, messages
from .conftest import CAPTURES, COMMAND, ENVIRONMENT, Run, each_a_process
from .test_main import one_line

MAX_BYTES = 1 << 20
SUBSCRIPTION = ConsumerProtocolSubscription(topics=["orders"]).to_bytes()
ASSIGNMENT = ConsumerProtocolAssignment(assigned_partitions=[]).to_bytes()
JUDGE = MessageJudge()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all examples: each writes its files again."""
    return tmp_path_factory.mktemp("inputs")


def seen(stdout: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stdout.splitlines()]


def places(stdout: bytes) -> list[Any]:
    return [(one["source"], one.get("line"), one.get("column")) for one in seen(stdout)]


def log(messages: list[bytes], every: int = 3) -> tuple[bytes, list[int]]:
    """Lines of a log, and those of its lines that hold the messages."""
    lines, at = [], []
    for data in messages:
        lines += [f"12:00:00 INFO nothing to see {number}" for number in range(every)]
        at.append(len(lines) + 1)
        lines.append(f"12:00:00 DEBUG metadata={data!r} sent")
    return "\n".join([*lines, "12:00:01 INFO bye"]).encode() + b"\n", at


# -- several


@each_a_process
@given(data=messages())
def test_several_inputs_of_all_kinds(data: bytes, kproto: Run, folder: Path) -> None:
    text, lines = log([data, data])
    (folder / "app.log").write_bytes(text)
    (folder / "two.hex").write_text(f"{data.hex()}\n{data.hex()}\n", encoding="ascii")
    (folder / "one.bin").write_bytes(data)
    files = [str(folder / name) for name in ("app.log", "two.hex", "one.bin")]
    done = kproto("decode", "--json", *files)
    assert places(done.stdout) == [
        (files[0], lines[0], 25), (files[0], lines[1], 25),
        (files[1], 1, 1), (files[1], 2, 1),
        (files[2], None, None),
    ]  # fmt: skip
    shown = kproto("decode", *files).stdout.decode()
    assert "message 2 of 2, line 2, column 1" in shown
    assert "one.bin" in shown


@each_a_process
@given(data=messages())
def test_one_that_cannot_be_read_does_not_hide_the_others(
    data: bytes, kproto: Run, folder: Path
) -> None:
    (folder / "one.bin").write_bytes(data)
    files = [folder / "none.bin", folder / "one.bin", CAPTURES / "java-sticky.hex"]
    done = kproto("decode", "--json", *files, status=2)
    assert [one["source"] for one in seen(done.stdout)] == [str(files[1]), str(files[2])]
    assert b"none.bin" in done.stderr


@each_a_process
@given(data=messages())
def test_hex_that_a_shell_parted(data: bytes, kproto: Run) -> None:
    for words in (data.hex(" ").split(), [data.hex()[:11], data.hex()[11:]]):
        (one,) = seen(kproto("decode", "--json", *words).stdout)
        assert one["error"] is None
    assert len(seen(kproto("decode", "--json", data.hex(), data.hex()).stdout)) == 2
    assert join_hex(["a.bin", "0001"], None, None) == ["a.bin", "0001"]


def test_a_picture_is_of_one_thing(kproto: Run, tmp_path: Path) -> None:
    files = [CAPTURES / "loopback.pcap", CAPTURES / "java-sticky.hex"]
    done = kproto("decode", "--svg", tmp_path / "x.svg", *files, status=2)
    assert "one capture" in one_line(done.stderr)


# -- compressed


def zstd(data: bytes) -> bytes:
    return bytes(cramjam.zstd.compress(data))


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("zstd", zstd)])
@each_a_process
@given(data=messages())
def test_compressed_inputs_are_opened_and_named(
    data: bytes, kproto: Run, folder: Path, name: str, pack: Any
) -> None:
    text, lines = log([data])
    (plain,) = seen(kproto("decode", "--json", data.hex()).stdout)
    for inside, place in ((data, (None, None)), (text, (lines[0], 25)),
                          (data.hex().encode(), (1, 1))):  # fmt: skip
        (folder / "packed").write_bytes(pack(inside))
        done = kproto("decode", "--json", folder / "packed")
        (one,) = seen(done.stdout)
        assert (one["message"], one["compression"]) == (plain["message"], name)
        assert (one.get("line"), one.get("column")) == place
        assert f"{name}, opened".encode() in done.stderr
    (one,) = seen(kproto("decode", "--json", pack(data).hex()).stdout)
    assert (one["message"], one["compression"]) == (plain["message"], name)


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("zstd", zstd)])
def test_a_limit_takes_no_memory(name: str, pack: Any, tmp_path: Path) -> None:
    (tmp_path / "packed").write_bytes(pack(SUBSCRIPTION))
    tracemalloc.start()
    with (tmp_path / "packed").open("rb") as file:
        assert content_of(file, name, 1 << 30).read() == SUBSCRIPTION
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_compressed_captures_are_opened(kproto: Run, tmp_path: Path, pack: Any) -> None:
    capture = (CAPTURES / "three-clients.pcap").read_bytes()
    (tmp_path / "packed").write_bytes(pack(capture))
    assert len(seen(kproto("decode", "--json", tmp_path / "packed").stdout)) == len(
        seen(kproto("decode", "--json", CAPTURES / "three-clients.pcap").stdout)
    )


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("zstd", zstd)])
def test_what_breaks_off_is_said(
    rng: random.Random, kproto: Run, tmp_path: Path, name: str, pack: Any
) -> None:
    # One log, large enough to be compressed in blocks, for one process.
    packed = pack(log([message(rng) for _ in range(50)])[0])
    (tmp_path / "packed").write_bytes(packed[: len(packed) // 2])
    done = kproto("decode", "--json", tmp_path / "packed", status=3)
    assert f"packed: {name if name == 'zstd' else 'the gzip stream'}".encode() in done.stderr


@given(st.binary(max_size=3000), st.integers(1, 4000), st.integers(1, 3))
def test_gzip_of_any_bytes_in_any_parts(data: bytes, part: int, members: int) -> None:
    import io

    packed = gzip.compress(data) * members
    stream = content_of(io.BytesIO(packed), "gzip", MAX_BYTES)
    read = b""
    while more := stream.read1(part):
        read += more
    assert read == data * members
    assert isinstance(stream, io.BufferedReader)
    assert isinstance(stream.raw, UnpackedFile)
    assert not stream.raw.damage
    assert unpacked(packed, MAX_BYTES) == ("gzip", data * members)


@given(st.binary(max_size=100))
def test_bytes_that_only_begin_like_a_compression_stay_as_they_are(data: bytes) -> None:
    for magic in (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"):
        name, same = unpacked(magic + data, MAX_BYTES)
        assert not name
        assert same == magic + data


def test_gzip_of_more_messages_than_its_size_should_have(kproto: Run, tmp_path: Path) -> None:
    data = b"".join(line.hex().encode() + b"\n" for line in (SUBSCRIPTION, ASSIGNMENT)) * 2_000
    (tmp_path / "packed").write_bytes(gzip.compress(data))
    (tmp_path / "plain").write_bytes(data)
    done = kproto("decode", "--json", tmp_path / "packed", status=3)
    read = len(done.stdout.splitlines())
    assert f"packed: {read:,} messages were read and the rest was not".encode() in done.stderr
    assert 2_000 <= read < 3_000
    assert len(kproto("decode", "--json", tmp_path / "plain").stdout.splitlines()) == 4_000


@pytest.mark.parametrize("command", ["decode", "lint", "diff"])
def test_a_text_of_strange_messages_is_given_up(kproto: Run, tmp_path: Path, command: str) -> None:
    """They take a search each; --as says what they are, and then nothing is searched."""
    lines = b"".join(b"0001%08x\n" % number for number in range(1_000))
    (tmp_path / "lines").write_bytes(lines)
    files = [tmp_path / "lines"] * (1 + (command == "diff"))
    done = kproto(command, *files, status=3)
    last = done.stderr.splitlines()[-1]
    assert b"lines: the rest was not read, since 2" in last and b"--as" in last
    told = kproto("decode", "--json", *files[:1], "--as", "ConsumerProtocolAssignment", status=1)
    assert len(told.stdout.splitlines()) == 1_000


# -- logs


consumers = (
    st.one_of(subscriptions(), assignments())
    .map(lambda given: given.data)
    .filter(lambda data: len(data) >= 12)  # fewer bytes are no message in a log
)
FRONTS = ["metadata=0x{0}", "got b'{1}'", "bytes [{2}]", "<Buffer {2}>", "<<{3}>>", "p={4} ok"]


def written(front: str, data: bytes) -> str:
    return front.format(
        data.hex(),
        "".join(f"\\x{byte:02x}" for byte in data),
        data.hex(" "),
        ",".join(map(str, data)),
        "".join(f"%{byte:02x}" for byte in data),
    )


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(consumers, st.sampled_from(FRONTS), st.integers(0, 9)), min_size=1, max_size=9
    ),
    st.integers(1, 5000),
)
def test_messages_of_a_log_are_found_where_they_stand(
    items: list[tuple[bytes, str, int]], part: int
) -> None:
    """Whatever the blocks are in which it comes, every one is found, with line and column."""
    lines = ["INFO starting"]
    wanted = []
    for data, front, others in items:
        lines += ["INFO a line without anything"] * others
        lines.append(f"DEBUG {written(front, data)}")
        wanted.append((data, len(lines)))
    text = "\n".join([*lines, "INFO stopping"]).encode()
    found = list(of_stream("log", _InParts(text, part), "log", MAX_BYTES, lambda: JUDGE))
    assert [(each.data, each.line) for each in found] == wanted
    for each in found:
        assert each.line is not None
        assert each.column is not None
        assert lines[each.line - 1][each.column - 1 :][:1] in set("0b<%[") | set("0123456789abcdef")


class _InParts:
    """A pipe that gives so many bytes at once."""

    def __init__(self, data: bytes, part: int) -> None:
        self._data = data
        self._part = part

    def read1(self, size: int, /) -> bytes:
        return self.read(min(size, self._part))

    def read(self, size: int, /) -> bytes:
        data, self._data = self._data[:size], self._data[size:]
        return data


long_enough = messages().filter(lambda data: len(data) >= 12)


@settings(max_examples=max(1, settings().max_examples // 4))
@given(long_enough, long_enough)
def test_hex_among_prose_is_put_together_or_kept_apart(data: bytes, other: bytes) -> None:
    """Of messages that are long enough: shorter hex in a log may be anything."""
    for digits in (data.hex(), data.hex(" ")):
        rows = [digits[at : at + 48] for at in range(0, len(digits), 48)]
        text = "\n".join(["Hello,", "this is what we saw:", *rows, "and then", other.hex(), "Bye"])
        found = list(of_text("mail", text.encode(), None, MAX_BYTES, JUDGE))
        assert [each.data for each in found] == [data, other]
        assert [each.line for each in found] == [3, len(rows) + 4]


@each_a_process
@given(sent=st.lists(messages(), min_size=3, max_size=3))
def test_the_last_line_says_what_was_read_and_skipped(sent: list[bytes], kproto: Run) -> None:
    text, lines = log(sent)
    text += b"trace 4bf92f3577b34da6a3ce929d0e0e4736\n" * 2
    done = kproto("decode", "--json", stdin=text)
    assert [one["line"] for one in seen(done.stdout)] == lines
    said = done.stderr.decode().splitlines()[-1]
    number = text.count(b"\n")
    assert f"standard input: {number} lines, {len(text):,} bytes, 3 messages read" in said
    assert "hex of the length of an id or a digest (2 times; first: line 14)" in said


@each_a_process
@given(st.lists(messages(), min_size=3, max_size=3))
def test_the_first_finding_does_not_wait_for_the_end(sent: list[bytes]) -> None:
    """A pipe that goes on for ever: what is in it is shown as it comes."""
    with subprocess.Popen(
        [*COMMAND, "decode", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, data in enumerate(sent, start=1):
            process.stdin.write(f"DEBUG metadata={data!r}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert process.wait(timeout=600) == 0


MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other units elsewhere")
@pytest.mark.parametrize("form", ["log", "lines"])
def test_memory_does_not_grow_with_the_log(rng: random.Random, tmp_path: Path, form: str) -> None:
    # One large log, which would not shrink.
    peaks = []
    for size in (2, 20):
        path = tmp_path / f"{size}.log"
        text = log([message(rng)], every=4000)[0]
        if form == "lines":
            text = b"\n".join([b"000000000001000473656c66ffffffff"] * 20) + b"\n" + text
        path.write_bytes(text * (size * 1_000_000 // len(text)))
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, *COMMAND, "decode", "--json", path],
            capture_output=True, check=True, env=ENVIRONMENT,
        )  # fmt: skip
        peaks.append(int(done.stdout))
    assert peaks[1] < peaks[0] + 4096, "kilobytes"
    assert peaks[1] < 64 << 10


def test_a_line_without_an_end_is_passed_over(rng: random.Random, kproto: Run) -> None:
    text, _ = log([message(rng)])  # one large log, which would not shrink
    done = kproto("decode", "--json", stdin=text + b"x" * (20 << 20) + b"\n" + text)
    assert len(seen(done.stdout)) == 2
    assert b"a line of more than 16 MiB (1 time; first: line 6)" in done.stderr


def test_a_long_first_line_tells_what_the_others_are(kproto: Run, tmp_path: Path) -> None:
    text, lines = log([SUBSCRIPTION] * 5_000)
    (tmp_path / "log").write_bytes(b"x" * 100_000 + b"\n" + text)
    done = kproto("decode", "--json", tmp_path / "log")
    assert [one["line"] for one in seen(done.stdout)] == [line + 1 for line in lines]
    topics = [f"{number:06}" for number in range(5_000)]
    large = ConsumerProtocolSubscription(topics=topics).to_bytes()
    (tmp_path / "messages").write_text(f"{large.hex()}\n" * 4)
    done = kproto("decode", "--json", tmp_path / "messages")
    assert [one["message"]["topics"] for one in seen(done.stdout)] == [topics] * 4


# -- what is ambiguous


@each_a_process
@given(first=st.binary(min_size=20, max_size=20), second=st.binary(min_size=28, max_size=28))
def test_what_does_equally_well_is_named_in_json_too(
    first: bytes, second: bytes, kproto: Run
) -> None:
    rows = [b"\0\x09" + first, b"\0\x09" + second]
    text = "\n".join(row.hex() for row in rows)
    done = kproto("decode", "--json", "--policy", "lenient", stdin=text.encode())
    shown = seen(done.stdout)[0]
    assert shown["otherForms"]
    assert f"--format {shown['otherForms'][0]}".encode() in done.stderr


@each_a_process
@given(data=messages())
def test_half_a_byte_is_said(data: bytes, kproto: Run) -> None:
    done = kproto("decode", "--json", "--policy", "lenient", data.hex() + "7")
    assert b"cut in the middle of a byte: the last hex digit, '7', was left out" in done.stderr
    assert seen(done.stdout)[0]["error"] is None


def test_frames_on_lines_are_told_apart(kproto: Run) -> None:
    header = RequestHeader(request_api_key=13, request_api_version=0, correlation_id=1)
    frame = (header.to_body(1) + LeaveGroupRequest(group_id="g", member_id="m").to_body(0)).hex()
    text = f"{frame}\n{frame}\n"
    chosen = ["decode", "--json", "--as", "request"]
    done = kproto(*chosen, stdin=text.encode())
    assert [one["line"] for one in seen(done.stdout)] == [1, 2]
    assert not done.stderr


@each_a_process
@given(data=messages())
def test_redaction_hides_where_it_stood(data: bytes, kproto: Run, folder: Path) -> None:
    file = folder / "customer.log"
    file.write_text(f"host-7 sent metadata={data!r}\n" * 2, encoding="ascii")
    for more in (["--json"], [], ["--field", "user_data"]):
        text = kproto("decode", "--redact", file, *more).stdout.decode()
        assert "customer" not in text
        assert "host-7" not in text
        assert "<source-1>" in text


def test_a_place_for_a_person() -> None:
    one = InputMessage(b"", "app.log", 3, 7, "metadata", 2, 5)
    assert one.heading == "app.log, message 2 of 5, line 3, column 7 (metadata)"
    assert InputMessage(b"", "x").heading == ""
    assert InputMessage(b"", "x", alone=False).heading == "x"


@pytest.mark.parametrize("command", ["decode", "lint"])
def test_messages_that_are_refused_are_all_read(kproto: Run, tmp_path: Path, command: str) -> None:
    """Their topics say what they are: a broken client may have written thousands."""
    names = (f"t{number:03}".encode().hex() for number in range(500))
    (tmp_path / "lines").write_text("".join(f"0001000000010004{name}ffffffff\n" for name in names))
    done = kproto(command, "--json", tmp_path / "lines", status=1)
    assert len(done.stdout.splitlines()) == 500
