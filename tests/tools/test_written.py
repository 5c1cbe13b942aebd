"""What is written is written whole: a full disk leaves the older file, and the error names it."""

from __future__ import annotations

import argparse
import resource
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kproto.codec.typed_module import MARK
from kproto.files import replacing, write_file
from kproto.tools.main import COMMANDS, command_parser, main
from kproto.tools.output.failures import Failure
from kproto.tools.output.written import write_output

from ..capture.test_segments import batch
from ..cluster.brokers import listening
from ..cluster.groups import Groups, group, member
from .conftest import CAPTURES, COMMAND, ENVIRONMENT
from .hostile import KEY, VALUE
from .test_main import one_line

JAVA = str(CAPTURES / "java-sticky.hex")
SCHEMA = Path(__file__).parents[2] / "schemas" / "ConsumerProtocolAssignment.json"
PCAP = str(CAPTURES / "three-clients.pcap")
WRITING = {
    ("decode", "--html"): [JAVA],
    ("decode", "--svg"): [JAVA],
    ("lint", "--write-baseline"): [str(CAPTURES / "kafkajs.hex")],
    ("group", "--save"): ["payments"],
    ("group", "--html"): ["payments"],
    ("group", "--svg"): ["payments"],
    ("simulate", "--html"): ["crash"],
    ("simulate", "--svg"): ["crash"],
    ("simulate", "--png"): ["crash"],
    ("simulate", "--capture"): ["crash"],
    ("story", "--html"): [PCAP],
    ("story", "--svg"): [PCAP],
    ("codegen", "--out"): [str(SCHEMA)],
}
# These write through `write_output`, or into a folder that is published as a whole: `--out` of an
# audit, of a campaign and of a matrix. The page goes into an empty folder.
ELSEWHERE = {
    ("conform", "--html"), ("conform", "--sarif"), ("conform", "--junit"), ("conform", "--out"),
    ("conform", "--vectors"), ("conform", "--write-baseline"), ("fuzz", "--write-baseline"),
    ("audit", "--out"), ("audit", "--write-baseline"), ("fuzz", "--out"), ("migrate", "--html"),
    ("migrate", "--svg"), ("encode", "--out"), ("diff", "--html"), ("diff", "--svg"),
    ("lint", "--html"), ("lint", "--svg"), ("schemas", "--svg"), ("schemas", "--html"),
    ("page", "--out"), ("audit", "--junit"),
}  # fmt: skip
NAMES = {"--html", "--svg", "--png", "--junit", "--capture", "--save", "--out",
         "--vectors", "--write-baseline"}  # fmt: skip


@contextmanager
def full_disk(size: int = 100) -> Iterator[None]:
    """No file becomes larger than this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def options_that_write() -> set[tuple[str, str]]:
    found = set()
    for command in COMMANDS:
        _, parser = command_parser(command)
        parsers = [parser]
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
        for inner in parsers:
            for action in inner._actions:
                writes = action.nargs != 0 and action.metavar != "FILE..."
                found |= {(command, name) for name in NAMES & {*action.option_strings} if writes}
    return found


def test_each_option_that_writes_is_here() -> None:
    assert options_that_write() <= WRITING.keys() | ELSEWHERE


@pytest.mark.parametrize(("command", "option"), WRITING)
def test_a_full_disk_leaves_the_older_file(
    command: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = option == "--out"
    suffix = {"--svg": "svg", "--png": "png", "--capture": "hex"}.get(option, "txt")
    path = tmp_path / "out" if folder else tmp_path / f"older.{suffix}"
    older = path / "consumer_protocol_assignment.py" if folder else path
    older.parent.mkdir(exist_ok=True)
    older.write_text(f"{MARK}\nolder" if folder else "older")
    content = older.read_bytes()
    words = [command, *WRITING[command, option], option, str(path)]
    with listening(Groups(group("payments", member("a")))) as address:
        words += ["--bootstrap-server", address] if command == "group" else []
        with full_disk():
            status = main(words)
    error = capsys.readouterr().err
    assert status == 3, error
    assert older.name in error and "too large" in error
    assert older.read_bytes() == content
    assert [path.name for path in older.parent.iterdir()] == [older.name]


TOPIC = str(CAPTURES / "offsets-topic")
NO_PLACE = {
    **WRITING,
    ("audit", "--out"): [TOPIC, "--fail-on", "never"],
    ("migrate", "--html"): [TOPIC],
    ("migrate", "--svg"): [TOPIC],
    ("diff", "--html"): [JAVA, JAVA],
}
MAKES_FOLDERS = {("audit", "--out"), ("codegen", "--out")}


@pytest.mark.parametrize(("command", "option"), NO_PLACE)
@pytest.mark.parametrize("place", ["missing/x.{}", "file/x.{}", "/sys/kproto-x.{}"])
def test_a_result_without_a_place_is_wrong_use_and_one_without_rights_is_not_done(
    place: str, command: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody makes a file or a folder in /sys, whatever user it is."""
    (tmp_path / "file").write_text("")
    suffix = {"--svg": "svg", "--png": "png", "--capture": "hex"}.get(option, "html")
    path = tmp_path / place.format(suffix)
    words = [command, *NO_PLACE[command, option], option, str(path)]
    with listening(Groups(group("payments", member("a")))) as address:
        words += ["--bootstrap-server", address] if command == "group" else []
        status = main(words)
    error = capsys.readouterr().err
    assert "unrecognized" not in error
    makes_it = place.startswith("missing") and (command, option) in MAKES_FOLDERS
    assert status == (0 if makes_it else 3 if place.startswith("/sys") else 2), error
    assert makes_it or path.parent.name in error or path.name in error


@pytest.mark.parametrize(("command", "words"), [("audit", [TOPIC]), ("page", [])])
def test_a_folder_that_is_used_already_is_wrong_use(
    command: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kproto.tools.page.import_module", lambda _: "kproto.pages")
    (tmp_path / "manifest.json").write_text("somebody's")
    (tmp_path / "findings").mkdir()
    assert main([command, *words, "--out", str(tmp_path)]) == 2
    assert (tmp_path / "manifest.json").read_text() == "somebody's"


def test_an_audit_on_a_full_disk_names_its_folder(tmp_path: Path) -> None:
    source, out = tmp_path / f"{0:020}.log", tmp_path / "out"
    source.write_bytes(batch(0, [VALUE], keys=[KEY]))
    with full_disk():
        words = [*COMMAND, "audit", str(source), "--out", str(out)]
        done = subprocess.run(words, capture_output=True, check=False, env=ENVIRONMENT)
    assert f"{out} cannot be written: File too large" in one_line(done.stderr)
    assert done.returncode == 3
    assert not out.exists() or not list(out.iterdir())


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "new"
    with replacing(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"


def test_mode_and_link_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("older")
    real.chmod(0o600)
    link.symlink_to(real)
    write_file(link, "newer")
    assert link.is_symlink() and real.read_text() == "newer"
    assert real.stat().st_mode & 0o777 == 0o600


def test_devices_are_written_as_they_are() -> None:
    write_file("/dev/null", "gone")
    with pytest.raises(Failure, match=r"/dev/full.*No space left") as failure:
        write_output("/dev/full", "x" * 100_000)
    assert failure.value.status == 3


def test_several_writers_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "shared"
    contents = [str(number) * 500_000 for number in range(5)]
    threads = [threading.Thread(target=write_file, args=(path, text)) for text in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() in contents
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    "words",
    [
        ["lint", JAVA, "--baseline", "/dev/zero"],
        ["decode", "00", "--config", "/dev/zero"],
        ["conform", "--from", "/dev/zero"],
        ["audit", TOPIC, "--out", "OUT", "--teams", "/dev/zero"],
        ["audit", TOPIC, "--out", "OUT", "--topics", "@/dev/zero"],
        ["group", "--command-config", "/dev/zero"],
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_a_file_without_an_end_is_not_read(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "out") if word == "OUT" else word for word in words]) in (2, 3)
    error = capsys.readouterr().err
    assert "/dev/zero" in error and "more than 100 MiB" in error
