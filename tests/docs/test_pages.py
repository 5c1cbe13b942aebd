"""What the pages show is what happens: every block of the site is run.

KPROTO_WRITE_GOLDEN=1 writes what commands print now into the pages, where nothing is left out.
"""

from __future__ import annotations

import os
import re
import shlex
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kproto.codec import built_in_names
from kproto.inspector.shapes import SHAPES, json_schema
from kproto.tools.main import COMMANDS, command_parser

from .pages import DOCS, LEFT_OUT, PAGES, SHELL, Block, Command, Runner, blocks, commands, fits

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

ELSEWHERE = {"findings", "matrix"}
"""Folders whose pages have tests of their own."""
TESTED_ELSEWHERE = {"reference/audit.md", "reference/conform.md"}
"""Pages whose Python needs more than a page says, with tests of their own."""


def name_of(page: Path) -> str:
    return str(page.relative_to(DOCS))


RUN = [page for page in PAGES if page.parent.name not in ELSEWHERE]
SLOW = {
    "how-to/bytes-in-my-log.md",
    "how-to/fuzz-your-decoder.md",
    "how-to/lag-on-one-partition.md",
    "how-to/move-to-the-next-protocol.md",
    "how-to/one-consumer-gets-nothing.md",
    "how-to/rebalances-for-ever.md",
    "how-to/running-group.md",
    "how-to/schema-exception.md",
    "how-to/upgrade-to-cooperative.md",
    "reference/commands.md",
    "tutorials/first-audit.md",
    "tutorials/packet-capture.md",
    "tutorials/your-own-client.md",
}
"""Pages whose commands take some seconds of processor."""


def marked(page: Path) -> ParameterSet:
    name = name_of(page)
    return pytest.param(page, id=name, marks=[pytest.mark.slow] * (name in SLOW))


@pytest.mark.parametrize("page", [marked(page) for page in RUN])
def test_a_page(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    runner = Runner(tmp_path)
    changes: list[tuple[Command, list[str]]] = []
    for block in blocks(text):
        if block.file:
            runner.write(block)
        elif block.language == "console":
            for command in commands(block):
                changes += run(runner, command)
        elif block.language == "pycon":
            runner.doctest(block.body)
        elif block.language == "python" and name_of(page) not in TESTED_ELSEWHERE:
            runner.python(block.body)
    if changes and os.environ.get("KPROTO_WRITE_GOLDEN") == "1":
        page.write_text(with_changes(text, changes), encoding="utf-8")
    else:
        for command, printed in changes:
            assert "\n".join(command.shown) == "\n".join(printed), command.line


def run(runner: Runner, command: Command) -> list[tuple[Command, list[str]]]:
    """Runs a command; returns it with what it printed, where the page shows something else."""
    if not command.shown and not writes(command.line):
        check_arguments(command.line)
        return []
    printed, status = runner.printed(command.line)
    assert status == command.status, f"{command.line} ends with {status}"
    return [] if fits(command.shown, printed) else [(command, printed)]


def writes(line: str) -> bool:
    """Whether blocks below may need what the command writes."""
    return ">" in line and line.startswith("kproto decode")


def check_arguments(line: str) -> None:
    """The parser takes the command line, whose sources and programs need not be there."""
    words = shlex.split(line, comments=True)
    assert words[0] == "kproto", line
    if words[1] in COMMANDS and not SHELL & set(line):
        command, parser = command_parser(words[1])
        parse = getattr(command, "parse", None)
        assert parse(parser, words[2:]) if parse else parser.parse_args(words[2:])


def with_changes(text: str, changes: list[tuple[Command, list[str]]]) -> str:
    for command, printed in reversed(changes):
        assert not any(LEFT_OUT in line for line in command.shown), command.line
        shown = "".join(f"{line}\n" for line in printed)
        text = text[: command.start] + shown + text[command.end :]
    return text


def test_what_is_left_out_is_told_from_what_is_wrong() -> None:
    printed = ["first", "second 1.5 s", "third"]
    assert fits(printed, printed)
    assert fits(["first", LEFT_OUT], printed) and fits([LEFT_OUT, "third"], printed)
    assert fits([f"fi{LEFT_OUT}", f"second {LEFT_OUT} s", "third"], printed)
    assert not fits(["first"], printed) and not fits(["first", LEFT_OUT, "fourth"], printed)
    assert not fits(["first", "third", LEFT_OUT], printed)


VERDICT = re.compile(r"\b(?:passed|failed|broken|exit status)\b|[✓✗]")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_verdict_is_left_out(page: Path) -> None:
    """A line with a verdict shows it, and a judge's report is shown to its last line."""
    for block in blocks(page.read_text("utf-8")):
        for command in commands(block) if block.language == "console" else ():
            for line in command.shown:
                _, dots, after = line.partition(LEFT_OUT)
                verdict = VERDICT.search(after) if dots else None
                assert verdict is None, f"{command.line}: {line}"
            judges = ("kproto conform -- ", "python3 -m pytest")
            if command.line.startswith(judges):
                assert command.shown[-1:] != [LEFT_OUT], command.line


def test_blocks_are_found() -> None:
    text = (
        "<!-- exit status 1, 0 -->\n```console\n$ kproto a\nb\n$ kproto c\n```\n"
        "<!-- not run: why -->\n```python\nx\n```\n"
        "```{code-block} toml\n:caption: f.toml\n\na = 1\n```\n"
    )
    first, second = blocks(text)
    assert [(one.line, one.shown, one.status) for one in commands(first)] == [
        ("kproto a", ["b"], 1),
        ("kproto c", [], 0),
    ]
    assert second == Block("toml", "a = 1\n", text.index("a = 1"), "f.toml")
    [changed] = [one for one in commands(first) if one.shown]
    assert "\nnew\n$ kproto c" in with_changes(text, [(changed, ["new"])])


def test_most_pages_show_something() -> None:
    """Were blocks not found any more, all of this would pass."""
    counted = sum(
        bool(command.shown)
        for page in RUN
        for block in blocks(page.read_text("utf-8"))
        if block.language == "console"
        for command in commands(block)
    )
    assert counted > 40


SYMPTOMS = [page for page in PAGES if page.parent.name == "how-to" and page.name != "index.md"]


def test_each_symptom_is_one_click_from_the_first_page() -> None:
    assert len(SYMPTOMS) >= 6
    for first, folder in (
        (DOCS / "index.md", "how-to"),
        (DOCS.parent / "README.md", "docs/how-to"),
        (DOCS / "how-to" / "index.md", "."),
    ):
        text = first.read_text("utf-8")
        for page in SYMPTOMS:
            assert f"]({folder}/{page.name})".replace("./", "") in text, (first, page)


ROOT = DOCS.parent
ARCHITECTURE = (DOCS / "project" / "architecture.md").read_text("utf-8")


def test_the_architecture_lists_every_inner_room() -> None:
    rows = re.findall(r"^\| `(\w+)/` \| (`.*) \|$", ARCHITECTURE, re.MULTILINE)
    listed = {room: sorted(re.findall(r"`(\w+)`", names)) for room, names in rows}
    rooms = {path.parent.name for path in ROOT.glob("*/py.typed")} - {"package", "schemas"}
    inner = {
        room: sorted(p.parent.name for p in (ROOT / room).glob("*/__init__.py")) for room in rooms
    }
    assert listed == {room: names for room, names in inner.items() if names}


def test_the_architecture_says_where_each_name_is_defined() -> None:
    _, _, table = ARCHITECTURE.partition("## Where is it?")
    rows = re.findall(r"^\| [^|`]* \| (`[^|]*`[^|]*) \| (.*)\|$", table, re.MULTILINE)
    assert len(rows) >= 10
    for places, names in rows:
        paths = [ROOT / path for path in re.findall(r"`([\w/.]+)`", places) if "NAME" not in path]
        assert all(path.exists() for path in paths), places
        texts = [path.read_text("utf-8") for path in paths if path.suffix == ".py"]
        for name in re.findall(r"`(\w+)`", names):
            defined = rf"^(?:def |class )?{name}\b(?:\(|:| =)"
            assert any(re.search(defined, text, re.MULTILINE) for text in texts), name


def test_links_of_the_readme_lead_somewhere() -> None:
    text = (DOCS.parent / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)#]+)", text)
    assert len(links) > 15
    for link in links:
        assert "://" in link or (DOCS.parent / link).exists(), link


def test_links_between_pages_lead_to_files_of_a_clone() -> None:
    """What is made when the documentation is built is not there where a code host shows a page."""
    ignored = (DOCS.parent / ".gitignore").read_text("utf-8").split()
    for page in DOCS.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
            if "://" not in link:
                file = (page.parent / link).resolve().relative_to(DOCS.parent)
                assert (DOCS.parent / file).exists(), (page, link)
                assert not {str(file), f"/{file}"} & set(ignored), (page, link)


def test_every_message_has_a_page() -> None:
    shown = re.findall(
        r"<!-- made: messages (.*) -->",
        "".join(page.read_text("utf-8") for page in (DOCS / "reference" / "messages").glob("*.md")),
    )
    patterns = " ".join(shown).split()
    for name in built_in_names():
        assert sum(fnmatchcase(name, pattern) for pattern in patterns) == 1, name


def test_every_object_of_every_json_output_has_a_table() -> None:
    text = (DOCS / "reference" / "json.md").read_text("utf-8")
    shown = {
        word for words in re.findall(r"<!-- made: json (.*) -->", text) for word in words.split()
    }
    for name in SHAPES:
        assert {name, *json_schema(name)["$defs"]} <= shown, name


@pytest.mark.parametrize("page", [*(DOCS / "reference" / "api").glob("*.md")], ids=name_of)
def test_every_name_of_the_api_is_there(page: Path) -> None:
    made = re.findall(r"<!-- made: api (.*) -->", page.read_text("utf-8"))
    assert made or page.stem == "index"
    for words in made:
        module, *names = words.split()
        for name in names:
            assert hasattr(import_module(module), name), f"{module} has no {name}"


def test_every_command_has_a_section() -> None:
    text = (DOCS / "reference" / "commands.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"\n## kproto {name}\n" in text
        assert f"\n<!-- made: command {name} -->\n" in text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_has_a_text(page: Path) -> None:
    """A code host shows the text of a link alone; the site would fill in the title of the page."""
    assert "[](" not in page.read_text(encoding="utf-8")
