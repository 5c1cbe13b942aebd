"""Numbers in a text are of any length, and of digits that only look like some: each number of what
programs have printed is replaced by one of those, and the command still ends with a status.

Python's `int` refuses more than 4,300 digits, and the raised two that `isdigit` takes for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.capture.form import Form
from kproto.capture.forms import FORMS
from kproto.codec import ConsumerProtocolSubscription
from tests.capture.logs.recorded import FOLDER, text

from .conftest import run

ODD = ("9" * 4_301, "9" * 25, "\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT THREE}")
TOOLS = sorted((FOLDER.parent / "tool_outputs").glob("*.txt"))
LOGS = {path.name: path.read_text() for path in sorted((FOLDER / "lines").glob("*.log"))} | {
    name: text(name)
    for name in (
        "connect-worker-killed/w1.log", "family-kafka-python/m1.debug.log", "forms/c1.gcp.json",
        "family-kafkajs/m1.debug.log", "family-sarama/m1.debug.log", "streams-classic/i1.log",
    )
}  # fmt: skip


def odd_lines(lines: list[str]) -> Iterator[str]:
    """Lines of each kind, with each number of theirs replaced."""
    for line in {re.sub(r"\d+|[0-9a-f]{8,}", "0", line): line for line in lines}.values():
        for number in re.finditer(r"\d+", line):
            yield from (line[: number.start()] + odd + line[number.end() :] for odd in ODD)


@pytest.mark.parametrize("name", LOGS)
def test_a_log_has_odd_numbers(name: str, tmp_path: Path) -> None:
    log = tmp_path / "odd.log"
    log.write_text("\n".join(odd_lines(LOGS[name].splitlines())))
    assert run("story", log).status in (0, 1)


@pytest.mark.parametrize("output", TOOLS, ids=lambda path: path.stem)
def test_the_output_of_a_tool_has_odd_numbers(output: Path, tmp_path: Path) -> None:
    printed, numbers = output.read_text(), re.compile(r"(?<![\w.])\d+(?![\w.])")
    for odd in ODD:
        log = tmp_path / "odd.txt"
        log.write_text(numbers.sub(odd, printed))
        assert run("story", log).status in (0, 1)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form_of_bytes_has_odd_numbers(form: Form, tmp_path: Path) -> None:
    written = form.write(ConsumerProtocolSubscription(topics=["orders"]).to_bytes())
    log = tmp_path / "odd.txt"
    log.write_text("\n".join([written, *odd_lines(written.splitlines())]), errors="surrogateescape")
    for words in (("decode", log), ("decode", "--format", form.name, log)):
        assert run(*words).status in (0, 1)
    log.write_text(f"{ODD[0]},{ODD[0]}\n")
    assert run("decode", "--format", form.name, log).status in (0, 1)
