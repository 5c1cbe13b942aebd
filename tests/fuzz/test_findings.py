"""docs/findings: every command on a page does what the page says, where the client can be had."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser
from pathlib import Path
from typing import NamedTuple

import pytest

from kproto.escaping import prose
from kproto.fuzz.clients import NAMES
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.tools.commands import conform
from kproto.tools.conform import question

from .client_remotes import PATIENT, parameters, remote_of

FOLDER = Path(__file__).parents[2] / "docs" / "findings"
PAGES = sorted(FOLDER.glob("[!R]*.md"))
LONG = """"'"$(printf 'x%.0s' $(seq 32768))"'\""""
"""How a page has the shell write a long name in JSON."""
REPEATED = re.compile(r"\$\(printf '(\w+)%\.0s' \$\(seq (\d+)\)\)")
"""How it has the shell write one in hex."""


class Shown(NamedTuple):
    arguments: tuple[str, ...]
    answer: str

    @property
    def adapter(self) -> str:
        return self.arguments[self.arguments.index("--adapter") + 1]


def shown(page: Path) -> list[Shown]:
    """The questions to clients; what a page asks of kproto itself or of a broker is none."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for asked, answer in re.findall(r"^(\$ kproto conform .*)\n(.*)$", block, re.MULTILINE):
            plain = asked.replace(LONG, f'"{"x" * 32_768}"')
            words = shlex.split(REPEATED.sub(lambda m: m[1] * int(m[2]), plain))
            found.append(Shown(tuple(words[2:]), answer))
    return found


EVERY = sorted({one for page in PAGES for one in shown(page)})


def test_every_page_is_listed_and_says_what_it_has_to() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    assert len(PAGES) >= 10
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", index)) == {page.name for page in PAGES}
    for page in PAGES:
        text = page.read_text("utf-8")
        assert re.search(r"^Found in: .*\d+\.\d+", text, re.MULTILINE), page
        (severity,) = re.findall(r"^Severity: (high|medium|low): ", text, re.MULTILINE)
        assert "\nWho can reach it: " in text and "\nReleases seen: " in text, page
        (known,) = re.findall(r"^Public issue: (none was found)?", text, re.MULTILINE)
        assert known or "/issues/" in text or "/pull/" in text, page
        row = f"[{text.splitlines()[0].removeprefix('# ')}]({page.name}) | "
        (line,) = [line for line in index.splitlines() if row in line]
        assert line.endswith(f" | {severity} | {'no' if known else 'yes'} |"), page
        assert text.count("```console") >= 2 and shown(page)
        assert {one.adapter for one in shown(page)} <= set(NAMES)


def test_every_page_ends_with_a_text_to_send() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        _, _, send = text.partition("\n## To send\n\n```text\n")
        title, _, body = send.removesuffix("\n```\n").partition("\n\n")
        assert title and len(title) < 110 and "\n" not in title, page
        seen = text.partition("\nReleases seen: ")[2].partition("\n\n")[0]
        releases = re.findall(r"\d+\.\d+\.\d+", seen)
        assert any(release in body for release in releases), page
        asked = {one.arguments[one.arguments.index("--ask") + 1] for one in shown(page)}
        short = {data for data in asked if re.fullmatch("[0-9a-f]{8,80}", data)}
        written = "".join(body.split())
        assert not short or any(data[4:] in written for data in short), page
        assert "Expected: " in body or "Fix: " in body, page


ENDLESS = "hang: no reply in time"
"""What a page says of a reader that takes memory for as long as it is let: that may end first."""
IMPATIENT = PATIENT._replace(reply_seconds=2)


@pytest.mark.parametrize("name", parameters(sorted({one.adapter for one in EVERY})))
def test_the_client_does_what_the_pages_say(name: str) -> None:
    own = [one for one in EVERY if one.adapter == name]
    endless = [one for one in own if one.answer.endswith(ENDLESS)]
    for limits, some in (
        (IMPATIENT, endless),
        (PATIENT, [one for one in own if one not in endless]),
    ):
        for one, said in zip(some, answers(name, limits, some), strict=True):
            line = re.sub(r"memory: .*", ENDLESS, said) if one in endless else said
            assert line.startswith(one.answer.removesuffix("...")), one.arguments


def answers(name: str, limits: ProcessLimits, some: list[Shown]) -> list[str]:
    """What it prints."""
    if not some:
        return []
    parser = ArgumentParser()
    conform.configure(parser)
    with remote_of(name, limits) as remote:
        client = f"{remote.hello.client} {remote.hello.release}"
        asked = [question(conform.parse(parser, list(one.arguments[1:]))) for one in some]
        said = [prose(f"{client} {ask(remote)}") for ask in asked]
    return [re.sub(r"0x[0-9a-f]{8,}", "0x...", line) for line in said]
