"""The recipe "Add a text form" of CONTRIBUTING.md, followed to the letter: one new module."""

from __future__ import annotations

import subprocess
import sys
from base64 import a85encode
from pathlib import Path

import pytest

# What somebody writes into capture/forms/ascii85.py.
ASCII85 = r'''
"""Ascii85, as Adobe and Python write it: `<~!!*-'"9eu7#RLhG$k3[W&.oNg~>`."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from ..chunks import Chunk, Content, Places, check_size
from ..errors import CaptureError
from ..form import Form, Hit, Signs

_WORD = re.compile(r"<~([!-uz\s]*+)~>")


class _Ascii85(Form):
    preference = 550
    marks = ("<~",)
    signs = Signs({b"<~": None})

    def may_begin(self, line: str) -> bool:
        return line.startswith("<~")

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        places = Places(text)
        chunks = []
        for match in _WORD.finditer(text):
            data = base64.a85decode(match[0], adobe=True)
            line, column = places.at(match.start())
            check_size(len(data), max_bytes, line)
            chunks.append(Chunk(data, self.name, line, column))
        if _WORD.sub("", text).strip():
            raise CaptureError("this is no Ascii85: <~...~>")
        return Content(chunks)

    def write(self, data: bytes) -> str:
        return base64.a85encode(data, adobe=True).decode()

    def find(self, line: str) -> Iterator[Hit]:
        for match in _WORD.finditer(line):
            yield Hit(*match.span(), base64.a85decode(match[0], adobe=True), self.name)


FORMS: tuple[Form, ...] = (_Ascii85("ascii85", "<~...~>: Ascii85 of Adobe and Python"),)
'''
# A subscription to the topic orders, and what Python prints of it.
MESSAGE = bytes.fromhex("00010000000100066f7264657273ffffffff00000000")
GOLDEN = a85encode(MESSAGE, adobe=True).decode()

# The package of forms, with another folder of modules.
EXTENDED = """
import io, sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
import kproto.capture
folder, *arguments = sys.argv[1:]
spec = PathFinder.find_spec("kproto.capture.forms", kproto.capture.__path__)
forms = sys.modules[spec.name] = module_from_spec(spec)
forms.__path__.append(folder)
spec.loader.exec_module(forms)
"""


def run(folder: Path, program: str, *arguments: str, text: str = "") -> str:
    """What a program prints whose package of forms has the modules of a folder as well."""
    command = [sys.executable, "-c", EXTENDED + program, str(folder), *arguments]
    process = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    assert process.returncode == 0, process.stderr.decode()
    return process.stdout.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ascii85.py").write_text(ASCII85)
    return tmp_path


READ = """
from kproto.capture import FORMS, read
from kproto.inspector.evidence import MessageJudge
assert [form.name for form in FORMS].count("ascii85") == 1
text = sys.stdin.buffer.read()
for judge in (None, MessageJudge()):
    reading = read(text, judge=judge)
    print(reading.format, *(chunk.data.hex() for chunk in reading.chunks), *reading.candidates)
"""


def test_a_text_is_read_without_the_name_of_its_form(folder: Path) -> None:
    text = f"{GOLDEN}\n{GOLDEN}\n"
    assert run(folder, READ, text=text) == f"ascii85 {MESSAGE.hex()} {MESSAGE.hex()}\n" * 2


SCAN = """
from kproto.capture import scan
log = scan(io.BytesIO(sys.stdin.buffer.read()))
print(*((chunk.format, chunk.line, chunk.label, chunk.data.hex()) for chunk in log), log.skipped)
"""


def test_the_middle_of_a_long_log_is_searched_for_it(folder: Path) -> None:
    quiet = "INFO Adding newly assigned partitions\n" * 20_000
    text = f"{quiet}DEBUG metadata={GOLDEN} of consumer 4\n{quiet}"
    chunk = ("ascii85", 20_001, "DEBUG metadata", MESSAGE.hex())
    assert run(folder, SCAN, text=text) == f"{chunk} ()\n"


COMMAND = """
from kproto.tools.main import main
main(arguments)
"""


def test_the_command_knows_its_name(folder: Path) -> None:
    arguments = ("decode", "--format", "ascii85", "--field", "topics", "-")
    assert "orders" in run(folder, COMMAND, *arguments, text=GOLDEN)


def test_a_module_without_forms_is_an_error(folder: Path) -> None:
    (folder / "unfinished.py").write_text("")
    with pytest.raises(AssertionError, match="unfinished' has no attribute 'FORMS'"):
        run(folder, READ, text=GOLDEN)
