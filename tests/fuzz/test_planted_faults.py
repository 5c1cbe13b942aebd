"""`kproto conform` shows the faults of real clients at the documented level, and raises no alarm
for clients without one, on a busy machine either.

`make slow` plants a few of them; `make long` all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kproto.fuzz.clients import Unavailable, command
from kproto.tools.main import main

from ..docs.pages import blocks

ROOT = Path(__file__).parents[2]
ADAPTER = Path(__file__).parent / "planted" / "adapter.py"
REQUIRED, RECOMMENDED = "required", "recommended"


class Planted(NamedTuple):
    """A fault, whose it is, and a guarantee that it breaks, with that guarantee's scope."""

    fault: str
    whose: str
    breaks: str
    scope: str = REQUIRED


FAULTS = tuple(Planted(*row) for row in [
    # -- the version
    ("negative versions are 0", "aiokafka, franz-go, KafkaJS", "G07"),
    ("unsigned versions", "kafka_ex", "G07"),
    ("little-endian versions", "of its kind", "G03"),
    ("the version in one byte", "of its kind", "G04"),
    ("refuses newer versions", "Sarama, kafka-protocol", "G04"),
    ("newer versions as version 0", "aiokafka", "G04"),
    ("says the version that it reads", "kafka-python 3", "G22", RECOMMENDED),
    ("version 1 without its fields", "Sarama, kgo", "G26", RECOMMENDED),
    ("version 3 without its fields", "of its kind", "G26", RECOMMENDED),
    # -- what is behind the fields
    ("refuses bytes behind", "Sarama, kafka-go", "G06"),
    ("says that nothing is left", "of its kind", "G06"),
    # -- fields
    ("generation 0 by default", "Sarama, KAFKA-12984", "G05"),
    ("owns what it subscribes", "KIP-429", "G05"),
    ("forgets the rack", "clients before KIP-881", "G03"),
    ("unsigned generation", "of its kind", "G03"),
    ("the generation before what is owned", "of its kind", "G03"),
    ("an assignment has a generation", "ruby-kafka #164", "G03"),
    ("user data of the message before", "readers that are used again", "G03"),
    # -- lengths and counts
    ("negative length moves back", "KafkaJS, platformatic", "G01"),
    ("unsigned string lengths", "of its kind", "G03"),
    ("zeros behind the end", "kafka-go's Client", "G10"),
    ("counts of 16 bits", "of its kind", "G03"),
    ("counts of 8 bits", "of its kind", "G03"),
    ("at most 10000", "librdkafka", "G03"),
    ("allocates by the count", "kafka-go #1439, KAFKA-14063, Burrow", "G02"),
    ("spins over the count", "kafka-go's Client", "G01"),
    ("null arrays are empty", "franz-go, KafkaJS", "G24", RECOMMENDED),
    ("null arrays are None", "kafka-python, aiokafka, kio", "G24", RECOMMENDED),
    ("undocumented error for null arrays", "KAFKA-20570", "G01"),
    ("null strings are empty", "Sarama, librdkafka", "G24", RECOMMENDED),
    ("null strings are None", "kafka-python, aiokafka", "G24", RECOMMENDED),
    ("refuses the empty subscription", "librdkafka", "G03"),
    ("drops the last of many", "of its kind", "G03"),
    # -- user data
    ("user data is cut short", "KafkaJS", "G10"),
    ("user data of length 0 is null", "Sarama", "G20", RECOMMENDED),
    ("null user data is empty", "librdkafka", "G20", RECOMMENDED),
    ("user data is text", "kafka-python's to_dict", "G03"),
    ("user data ends at a zero", "C strings", "G03"),
    ("refuses length -2 of user data", "kio", "G24", RECOMMENDED),
    # -- names
    ("latin-1", "of its kind", "G03"),
    ("undocumented UnicodeDecodeError", "confluent-kafka", "G01"),
    ("refuses invalid UTF-8", "kafka-python, kio", "G25", RECOMMENDED),
    ("drops invalid UTF-8", "of its kind", "G25", RECOMMENDED),
    ("cut at NUL", "librdkafka", "G03"),
    ("strips white space", "of its kind", "G03"),
    ("strips line ends", "of its kind", "G03"),
    ("lower case", "of its kind", "G03"),
    ("normalises", "of its kind", "G03"),
    ("drops a byte order mark", "text decoders of browsers", "G03"),
    ("unescapes percent signs", "of its kind", "G03"),
    ("numbers are numbers", "JavaScript's keys", "G03"),
    ("names of at most 249 bytes", "readers that check topics", "G03"),
    ("names of at most 255 bytes", "buffers of 256 bytes", "G03"),
    ("aborts at 513 bytes", "confluent-kafka 2.16.1", "G01"),
    ("loses __proto__", "KafkaJS", "G03"),
    ("loses the topic null", "KafkaJS, kafka-go", "G03"),
    # -- entries
    ("the last of a topic wins", "Sarama, KafkaJS", "G04"),
    ("entries of a topic are merged", "kafka-go", "G21", RECOMMENDED),
    ("loses empty entries", "Java's writer", "G21", RECOMMENDED),
    ("partitions are a set", "of its kind", "G21", RECOMMENDED),
    ("unsigned partitions", "of its kind", "G06"),
    ("topics are sorted", "platformatic", "G21", RECOMMENDED),
    ("topics are a set", "of its kind", "G21", RECOMMENDED),
    # -- the process
    ("aborts at no bytes", "librdkafka", "G01"),
    ("dies after 700 answers", "what leaks descriptors", "G01"),
    ("prints what it does", "what logs to standard output", "G01"),
    ("keeps all that it was asked", "caches without an end", "G02"),
    ("looks for each in all", "KafkaJS, lists for sets", "G02"),
    ("sleeps over long ones", "of its kind", "G01"),
    # -- writing
    ("writes version 1 over the layout of 0", "kafka-go #1156, KafkaJS 2.1", "G11"),
    ("always writes version 3", "Faust", "G11"),
    ("writes nothing owned", "KafkaJS", "G11"),
    ("writes the generation 0", "Sarama", "G11"),
    ("writes the rack before the generation", "of its kind", "G11"),
    ("writes lengths in characters", "KafkaJS #463", "G11"),
    ("writes ASCII alone", "of its kind", "G01"),
    ("writes bytes for the count", "of its kind", "G11"),
    ("long names wrap around", "kmsg, kafka-go", "G13"),
    ("numbers wrap around", "of its kind", "G13"),
    ("an int16 in front of user data", "kafka-python 3.0.12", "G11"),
    ("writes empty for null", "KAFKA-2695, librdkafka #479", "G29", RECOMMENDED),
    ("writes null for empty", "platformatic", "G29", RECOMMENDED),
    ("writes a null rack as empty", "librdkafka", "G29", RECOMMENDED),
    ("writes in an order of its own", "Go's maps", "G30", RECOMMENDED),
])  # fmt: skip
SHORT = ("negative versions are 0", "drops invalid UTF-8", "aborts at no bytes")


def conform(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["conform", "--time", "10m", *words])
    return status, capsys.readouterr().out


def check(planted: Planted, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = ("--", sys.executable, str(ADAPTER), planted.fault)
    status, said = conform("--json", *program, capsys=capsys)
    assert planted.breaks in broken(json.loads(said))
    (folder / "run.json").write_text(said)
    strict, _ = conform("--recommended", "--from", str(folder / "run.json"), capsys=capsys)
    assert strict == 1
    assert status == (1 if planted.scope == REQUIRED else 0)


def broken(run: dict[str, Any]) -> set[str]:
    return {result["guarantee"] for result in run["results"] if result["violations"]}


def test_there_are_enough_and_each_is_in_the_adapter() -> None:
    text = ADAPTER.read_text()
    assert len({planted.fault for planted in FAULTS}) == len(FAULTS) >= 55
    assert all(f'"{planted.fault}"' in text for planted in FAULTS)
    assert {planted.fault for planted in FAULTS} >= set(SHORT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "planted",
    [planted for planted in FAULTS if planted.fault in SHORT],
    ids=lambda planted: planted.fault,
)
def test_a_few_are_shown(
    planted: Planted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(planted, tmp_path, capsys)


@pytest.mark.long
@pytest.mark.parametrize("planted", FAULTS, ids=lambda planted: planted.fault)
def test_every_one_is_shown_at_its_level(
    planted: Planted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(planted, tmp_path, capsys)


# -- clients without a fault


def written(page: str, folder: Path) -> dict[str, str]:
    """Write the files of a page, as they are where it ends, and return them by name; a block of
    Python that is no file is `adapter.py`.
    """
    found = {
        block.file or "adapter.py": block.body
        for block in blocks((ROOT / "docs" / page).read_text("utf-8"))
        if block.language == "python"
    }
    for name, body in found.items():
        (folder / name).write_text(body)
    return found


CLEAN = ("planted", "page", "tutorial", "kproto", "java")


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run that many loops that do nothing, each of which takes a processor."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def clean(which: str, folder: Path) -> tuple[str, ...]:
    match which:
        case "planted":
            return sys.executable, str(ADAPTER), ""
        case "page":
            assert written("reference/conform.md", folder).keys() == {"adapter.py"}
            return sys.executable, str(folder / "adapter.py")
        case "tutorial":
            assert "my_client.py" in written("tutorials/your-own-client.md", folder)
            return sys.executable, str(folder / "my_adapter.py")
        case _:
            try:
                return command(which)
            except Unavailable as reason:
                pytest.skip(str(reason))


@pytest.mark.long
@pytest.mark.parametrize("which", CLEAN)
def test_no_false_alarm_on_a_busy_machine(
    which: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with busy(4):
        status, said = conform("--json", "--", *clean(which, tmp_path), capsys=capsys)
    run = json.loads(said)
    assert (status, run["failures"]) == (0, {}), broken(run)
