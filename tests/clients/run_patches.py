"""Try the patches of docs/findings/patches: `make patches`, or `make patches ONLY=kafkajs-lengths`.

Each patch holds a change of a client and a test of it. The named release is fetched by the package
manager of its language. Then the test is put there, and has to fail; the change is put there, and
the test has to pass, as do the tests that the package ships. At last the kit asks the client: its
bytes of the finding have to be read as `patches.toml` says, and the guarantees that the finding
broke have to hold on more inputs than without the change, on all of them where `left` is empty.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import msgspec

from kproto.tools.main import main
from tests.clients.patched_clients import LANGUAGES, SCRATCH, Client

PATCHES = Path(__file__).parents[2] / "docs" / "findings" / "patches"
_MINUTES = 15


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question to the client, and the pattern of its answer once it is patched."""

    question: str
    answer: str
    message: str = "ConsumerProtocolSubscription"
    body: str = ""


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A release of a client, where its text comes from, and what it ships to test it."""

    name: str
    """The client and its release, as the pages name them."""
    language: str
    source: str
    """What the package manager calls the release."""
    license: str
    shipped: str = ""
    """The command that runs the shipped tests; "" if there are none."""
    about_shipped: str = ""


class Patch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row: a patch by its name, which is that of its file."""

    name: str
    package: str
    adapter: str
    findings: tuple[str, ...]
    """The pages that it mends."""
    tests: tuple[str, ...]
    """The files of the patch that are tests."""
    run: str
    """The command that runs these tests."""
    asks: tuple[Ask, ...]
    guarantees: tuple[str, ...] = ()
    message: str = ""
    """The message whose rows of the guarantees are meant; "" for both."""
    left: str = ""
    """Why inputs still break these guarantees."""
    promise: str = ""
    """What the client's users may have relied on, and lose."""


class Unmended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A client of a finding that has no patch, and why."""

    finding: str
    client: str
    why: str


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of `patches.toml`."""

    packages: dict[str, Package]
    patch: tuple[Patch, ...]
    unmended: tuple[Unmended, ...]


class Failure(Exception):
    """A step had another outcome than it has to have."""


class Broken(msgspec.Struct, frozen=True):
    """How many inputs break a guarantee, of those that are this message."""

    guarantee: str
    message: str
    without: int
    patched: int


class Outcome(msgspec.Struct, frozen=True):
    """What a run of a patch has shown; `text` is the patch that was tried."""

    text: str
    broken: tuple[Broken, ...]


def read_table() -> Table:
    """Return the table of patches."""
    return msgspec.toml.decode((PATCHES / "patches.toml").read_bytes(), type=Table)


def try_patch(patch: Patch, package: Package) -> Outcome:
    """Put a patch to the test. Raises `Failure`."""
    file = PATCHES / f"{patch.name}.patch"
    folder = SCRATCH / patch.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for ask in patch.asks:
        if re.search(ask.answer, answer := _ask(("--adapter", patch.adapter), ask)):
            raise Failure(f"answers without the change as it should with it: {answer}")
    client = LANGUAGES[package.language](package.source, folder)
    client.fetch()
    _apply(file, client.source, patch.tests, "--include")
    if _succeeds(patch.run, client):
        raise Failure("its test passes without the change")
    _apply(file, client.source, patch.tests, "--exclude")
    if not _succeeds(patch.run, client):
        raise Failure(f"its test fails with the change: {folder / 'output'}")
    if package.shipped and not _succeeds(package.shipped, client):
        raise Failure(f"a shipped test fails with the change: {folder / 'output'}")
    client.build(patch.adapter)
    adapter = ("--", *client.command(patch.adapter))
    for ask in patch.asks:
        if not re.search(ask.answer, answer := _ask(adapter, ask)):
            raise Failure(f"answers with the change: {answer}")
    return Outcome(file.read_text("utf-8"), tuple(_compare(patch, adapter)))


def _compare(patch: Patch, adapter: Sequence[str]) -> list[Broken]:
    """Return the inputs that break a guarantee without and with the change. Raises `Failure`."""
    broken: list[Broken] = []
    if not patch.guarantees:
        return broken
    counts_without = _count(("--adapter", patch.adapter), patch.guarantees)
    for key, count in _count(adapter, patch.guarantees).items():
        first = counts_without[key]
        if key[0] not in patch.guarantees or patch.message not in ("", key[1]) or not first + count:
            continue
        broken.append(Broken(*key, first, count))
        if count >= first or (count and not patch.left):
            raise Failure(
                f"{' '.join(key)}: {first} inputs break it without the change, {count} with it"
            )
    if not broken:
        raise Failure("the guarantees hold without the change, too")
    return broken


def _apply(file: Path, source: Path, tests: Iterable[str], option: str) -> None:
    selection = [f"{option}={test}" for test in tests]
    # A folder inside of a work tree is none of its own to git, which would apply nothing.
    ceiling = {**os.environ, "GIT_CEILING_DIRECTORIES": str(source.resolve().parent)}
    subprocess.run(
        [_path_of("git"), "apply", *selection, str(file)], cwd=source, env=ceiling, check=True
    )


def _path_of(program: str) -> str:
    path = shutil.which(program)
    assert path is not None, f"{program} is not installed"
    return path


def _succeeds(command: str, client: Client) -> bool:
    with (client.folder / "output").open("a") as output:
        output.write(f"\n== {command}\n")
        output.flush()
        process = subprocess.run(
            [_path_of("bash"), "-c", command],
            cwd=client.source,
            env={**os.environ, **client.environment()},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=_MINUTES * 60,
            check=False,
        )
    return process.returncode == 0


def _kproto(adapter: Sequence[str], *arguments: str) -> str:
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as complaints:
        try:
            status = main(["conform", *arguments, *adapter])
        except SystemExit as stopped:
            status = stopped.code if isinstance(stopped.code, int) else 2
    if status not in (0, 1, 3) or not output.getvalue():
        raise Failure(f"the kit does not run: {complaints.getvalue()[-400:]}")
    return output.getvalue()


def _ask(adapter: Sequence[str], ask: Ask) -> str:
    body = ("--body", ask.body) if ask.body else ()
    question = re.sub(r"\{x\*(\d+)\}", lambda times: "x" * int(times[1]), ask.question)
    return _kproto(adapter, "--ask", question, "--as", ask.message, *body)


def _count(adapter: Sequence[str], guarantees: Iterable[str]) -> Mapping[tuple[str, str], int]:
    """Return how many inputs break a guarantee, by the guarantee and the message."""
    chosen = [word for guarantee in guarantees for word in ("--guarantee", guarantee)]
    text = _kproto(adapter, "--json", "--time", "3m", "--give-up", "1", *chosen)
    rows = json.loads(text)["results"]
    return {(row["guarantee"], row["message"]): row["violations"] for row in rows}


def write_page(table: Table) -> None:
    """Write the page of all patches, once each was tried in this folder as it is."""
    outcomes = {}
    for patch in table.patch:
        file = SCRATCH / f"{patch.name}.json"
        if not file.exists():
            return
        outcome = msgspec.json.decode(file.read_bytes(), type=Outcome)
        if outcome.text != (PATCHES / f"{patch.name}.patch").read_text("utf-8"):
            return
        outcomes[patch.name] = outcome
    lines = [_HEAD]
    for patch in table.patch:
        package = table.packages[patch.package]
        pages = ", ".join(f"[{name}](../{name}.md)" for name in patch.findings)
        kit = "; ".join(
            f"{row.guarantee} {row.message.removeprefix('ConsumerProtocol')}: "
            f"{row.without} → {row.patched}"
            for row in outcomes[patch.name].broken
        )
        shipped = "pass" if package.shipped else "none"
        lines.append(f"| [{patch.name}]({patch.name}.patch) | {package.name} | {package.license} "
                     f"| {pages} | {shipped} | {kit or 'the questions of the page'} |")  # fmt: skip
    lines.append(_PROMISES)
    lines += [f"| {patch.name} | {patch.promise} |" for patch in table.patch if patch.promise]
    if any(patch.left for patch in table.patch):
        lines.append(_LEFT)
        lines += [f"| {patch.name} | {patch.left} |" for patch in table.patch if patch.left]
    lines.append(_SHIPPED)
    lines += [
        f"| {package.name} | {package.about_shipped} |" for package in table.packages.values()
    ]
    lines.append(_UNMENDED)
    lines += [f"| [{row.finding}](../{row.finding}.md) | {row.client} | {row.why} |"
              for row in table.unmended]  # fmt: skip
    (PATCHES / "README.md").write_text("\n".join(lines) + "\n", "utf-8")


_HEAD = """\
# Patches

A patch for a client of [a finding](../README.md), against the release that is named, with a test in
the client's own language and framework. Its head says what happens and who is hit, as a maintainer
would want to read it; the lines that it adds are ours, its lines of context are the client's, under
the license that is named.

`make patches` fetches each release with the package manager of its language, runs the test (which
fails), applies the patch, runs the test again (which passes) and the tests that the package ships,
and asks the kit before and after. `make patches ONLY=kafkajs-lengths` tries one. Once all were
tried, this page is written.

| patch | release | license | mends | shipped tests | inputs of the kit that break a guarantee |
|---|---|---|---|---|---|"""

_PROMISES = """
## What a patch takes away

| patch | what users may have relied on |
|---|---|"""

_LEFT = """
## What the kit still finds

Inputs that break the same guarantee for another reason than the finding's.

| patch | why |
|---|---|"""

_SHIPPED = """
## Tests that the packages ship

| release | what is run |
|---|---|"""

_UNMENDED = """
## Findings without a patch

| finding | client | why |
|---|---|---|"""


def run() -> int:
    """Try all patches, or those that are named; returns the number of failures."""
    parser = argparse.ArgumentParser(description="Try patches of other people's clients.")
    parser.add_argument("names", nargs="*")
    names = parser.parse_args().names
    table = read_table()
    if unknown := set(names) - {patch.name for patch in table.patch}:
        parser.error(f"there is no patch {', '.join(sorted(unknown))}")
    failures = 0
    for patch in table.patch:
        if names and patch.name not in names:
            continue
        started = time.monotonic()
        try:
            outcome = try_patch(patch, table.packages[patch.package])
            (SCRATCH / f"{patch.name}.json").write_bytes(msgspec.json.encode(outcome))
            report = "mended"
        except Failure as failure:
            failures += 1
            report = f"FAILED: {failure}"
        seconds = time.monotonic() - started
        print(f"{patch.name:34} {seconds:5.0f} s  {report}", flush=True)
    write_page(table)
    return failures


if __name__ == "__main__":
    sys.exit(run())
