"""The pages of the site as blocks of code that can be run, and a runner for them."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from kproto.tools.main import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
LEFT_OUT = "…"
"""Stands for anything in a line, and for any lines where it is alone."""

SHELL = frozenset("|<>&;$`*?~")
"""What makes a command one for a shell."""

_BLOCK = re.compile(
    r"(?P<before><!-- not run: [^\n]+ -->\n)?"
    r"(?:<!-- exit status (?P<statuses>[\d, ]+) -->\n)?"
    r"^```(?P<kind>\{?[\w-]+\}?)(?P<rest>[^\n]*)\n(?P<body>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
_CAPTION = re.compile(r":caption: (\S+)\n\n")
_PYTHON = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n'
_KPROTO = _PYTHON.replace(
    '"$@"', "-c 'from kproto.tools.main import main; raise SystemExit(main())' \"$@\""
)


class Block(NamedTuple):
    """A block of a page: its language, its text, where that is, and the file that it is."""

    language: str
    body: str
    start: int
    file: str = ""
    statuses: tuple[int, ...] = ()
    """The exit statuses of its commands, from the comment in front of it: by default 0 each."""


class Command(NamedTuple):
    """A line of a console block and what the page shows below it."""

    line: str
    shown: list[str]
    start: int
    end: int
    """Where what is shown stands in the page."""
    status: int
    """With which it ends."""


def blocks(text: str) -> Iterator[Block]:
    """All blocks that are not set apart by a reason."""
    for found in _BLOCK.finditer(text):
        if found["before"]:
            continue
        body, start = found["body"], found.start("body")
        if found["kind"] != "{code-block}":
            statuses = tuple(map(int, (found["statuses"] or "").replace(",", " ").split()))
            yield Block(found["kind"], body, start, statuses=statuses)
        elif caption := _CAPTION.match(body):
            at = caption.end()
            yield Block(found["rest"].strip(), body[at:], start + at, caption[1])


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block."""
    statuses = iter(block.statuses)
    at = block.start
    line, shown, begin = "", list[str](), at
    for part in block.body.splitlines(keepends=True):
        if part.startswith("$ "):
            if line:
                yield Command(line, shown, begin, at, next(statuses, 0))
            line, shown, begin = part[2:].rstrip(), [], at + len(part)
        else:
            shown.append(part.rstrip())
        at += len(part)
    if line:
        yield Command(line, shown, begin, at, next(statuses, 0))
    assert not [*statuses], f"more exit statuses than commands: {block.body}"


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether the page shows what was printed, with what it leaves out."""
    parts = [
        r"(?:.*\n)*?" if line == LEFT_OUT else re.escape(line).replace(LEFT_OUT, ".*") + r"\n"
        for line in shown
    ]
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in printed)) is not None


class Runner:
    """Runs the blocks of a page in a folder of its own, as a reader would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tests", "docs"):
            (folder / name).symlink_to(ROOT / name)
        bin_folder = folder / ".bin"
        bin_folder.mkdir()
        for name, script in (("kproto", _KPROTO), ("python3", _PYTHON)):
            (bin_folder / name).write_text(script, encoding="utf-8")
            (bin_folder / name).chmod(0o755)
        path = os.pathsep.join((str(bin_folder), os.environ["PATH"]))
        # Bytecode is cached, but out of sight of a page that lists its folder.
        cache = str(folder.parent / "bytecode")
        self._environment = {**os.environ, "PATH": path, "PYTHONPYCACHEPREFIX": cache}
        self.names: dict[str, object] = {"__name__": "page"}

    def write(self, block: Block) -> None:
        """Write the file that a block is."""
        (self.folder / block.file).write_text(block.body, encoding="utf-8")

    def printed(self, line: str) -> tuple[list[str], int]:
        """What a command prints on standard output, and its exit status. `kproto` runs in this
        process where no shell is needed."""
        words = shlex.split(line, comments=True)
        if words[0] == "kproto" and not SHELL & set(line):
            return self._printed_here(words[1:])
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            check=False,
        )
        return [part.rstrip() for part in done.stdout.splitlines()], done.returncode

    def _printed_here(self, arguments: list[str]) -> tuple[list[str], int]:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with self._here(), redirect_stdout(out), redirect_stderr(io.StringIO()):
            status = main(arguments)
        return [part.rstrip() for part in out.buffer.getvalue().decode().splitlines()], status

    def python(self, text: str) -> None:
        """Run a block; those of a page share their names."""
        with self._here():
            exec(compile(text, "page", "exec"), self.names)  # noqa: S102  # our own page

    def doctest(self, text: str) -> None:
        """Run an interactive block. AssertionError where it shows something else."""
        test = doctest.DocTestParser().get_doctest(text, self.names, "page", None, 0)
        said: list[str] = []
        with self._here():
            failed = doctest.DocTestRunner(verbose=False).run(
                test, out=said.append, clear_globs=False
            )
        self.names |= test.globs
        assert failed.attempted and not failed.failed, "".join(said)

    @contextlib.contextmanager
    def _here(self) -> Iterator[None]:
        before, path = Path.cwd(), sys.path[:]
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        known = set(sys.modules)
        try:
            yield
        finally:
            os.chdir(before)
            sys.path[:] = path
            for name in set(sys.modules) - known:
                file = getattr(sys.modules[name], "__file__", None)
                if file and Path(file).parent == self.folder:
                    del sys.modules[name]
