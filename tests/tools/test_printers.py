"""What real programs print of fresh messages is read right: `make printers`, which draws a hundred.

`make slow` draws a few. A program that this machine does not have is skipped. KPROTO_SEED draws
other messages.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .conftest import run
from .packet_printers import PACKET_PRINTERS, Sent, converse
from .printers import PRINTERS, Drawn, Printed, draw

pytestmark = pytest.mark.slow

MESSAGES = int(os.environ.get("KPROTO_MESSAGES", "4"))
IN_A_CONNECTION = 4


def require(programs: tuple[str, ...]) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def fault_of(printed: Printed, path: Path) -> str:
    """What is wrong with what is read in a print; "" for nothing."""
    path.write_bytes(printed.text)
    fault = fault_in(printed, path)
    # The numbers of Lua are those of C as well: both are named.
    other = OTHER_FORM.search(run("decode", "--json", path).notes) if fault else None
    return fault_in(printed, path, "--format", other[1]) if other else fault


OTHER_FORM = re.compile(r"it could also be: --format (lua)\b")


def fault_in(printed: Printed, path: Path, *options: str) -> str:
    drawn = printed.drawn
    answer = run("decode", "--json", *options, path)
    if printed.says:
        return "" if printed.says in answer.notes else f"not said to be ambiguous: {answer.notes}"
    if len(answer.lines) != 1:
        return f"{len(answer.lines)} messages: {answer.notes}"
    [line] = answer.lines
    name = drawn.message.NAME
    if line["name"] != name:
        if not is_tie(answer.notes, name):
            return f"{line['name']}: {answer.notes}"
        [line] = run("decode", "--json", *options, "--as", name, path).lines
    if printed.cut:
        return "" if "cut" in answer.notes or "missing" in answer.notes else "not said to be cut"
    if line["message"] != drawn.message.to_json(drawn.version) or line["remainder"]:
        return f"other bytes: {line}"
    linted = run("lint", "--json", *options, path).lines
    names = {entry["name"] for entry in linted if not entry["path"]}
    return "" if names <= {answer.lines[0]["name"]} else f"lint reads {names}"


def is_tie(notes: str, name: str) -> bool:
    return any(name in note.partition("it could also be")[2] for note in notes.splitlines())


def drawn_messages(rng: Random, number: int) -> list[Drawn]:
    return [draw(rng) for _ in range(number)]


@pytest.mark.parametrize("name", PRINTERS)
def test_prints_of_a_message_are_read(name: str, rng: Random, tmp_path: Path) -> None:
    # Each program prints all messages at once, so none shrinks.
    printer = PRINTERS[name]
    require(printer.programs)
    folder = tmp_path / "folder"
    folder.mkdir()
    faults = [
        (printed.style, fault, printed.drawn.data.hex())
        for printed in printer.print(drawn_messages(rng, MESSAGES), folder)
        if (fault := fault_of(printed, tmp_path / "printed.txt"))
    ]
    assert not faults


def bodies(sent: list[Sent]) -> list[Any]:
    return [(one.direction, one.body.NAME, one.body.to_json(one.version)) for one in sent]


@pytest.mark.parametrize("name", PACKET_PRINTERS)
def test_prints_of_packets_are_read(name: str, rng: Random, tmp_path: Path) -> None:
    # Each program prints whole connections, so nothing shrinks.
    require((name,))
    faults = []
    for _ in range(-(-MESSAGES // IN_A_CONNECTION)):
        sent = converse(rng, drawn_messages(rng, IN_A_CONNECTION))
        for printed in PACKET_PRINTERS[name](sent, tmp_path, rng):
            path = tmp_path / "printed.txt"
            path.write_bytes(printed.text)
            answer = run("decode", "--json", path)
            read = [
                (line["direction"], line["body"]["name"], line["body"]["message"])
                for line in answer.lines
                if line.get("body")
            ]
            if read != bodies(sent):
                faults.append((printed.style, [body[:2] for body in read], answer.notes))
    assert not faults
