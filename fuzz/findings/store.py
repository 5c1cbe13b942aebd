"""Findings on disk: a folder each, and the reports over all of them.

    OUT/findings/round-trip-1f0c9a…/input.bin        the minimal input
                                    original.bin     the first input that showed it
                                    finding.json     everything, for programs
                                    view.txt         the inspector's view of the input
                                    test_finding.py  fails as long as the finding is there
    OUT/findings.sarif, OUT/junit.xml

A folder is written as soon as a finding is made, and again when its input got smaller.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap

import msgspec

from .finding import Finding
from .reports import junit, sarif
from .views import view

FOLDER = "findings"


class Store:
    """The findings in a campaign's folder, by key."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._found: dict[str, Finding] = {}
        for file in sorted((out / FOLDER).glob("*/finding.json")):
            self._hold(load(file))

    def add(self, finding: Finding) -> bool:
        """Keep a finding; return whether it is new, or smaller than the one that was known."""
        known = self._found.get(finding.key)
        if known is not None and len(known.minimal) <= len(finding.minimal):
            return False
        self._hold(finding)
        self._write(finding)
        return True

    def of(self, target: str) -> list[Finding]:
        """Return the findings of one target."""
        return [finding for finding in self if finding.target == target]

    def folder(self, finding: Finding) -> Path:
        """Return the folder of a finding's files."""
        return self.out / FOLDER / f"{finding.target}-{finding.key}"

    def report(self, targets: Sequence[tuple[str, str, float]]) -> None:
        """Write SARIF and JUnit; `targets` are name, invariant and seconds of all that ran."""
        found = list(self)
        (self.out / "findings.sarif").write_text(sarif(found, targets))
        (self.out / "junit.xml").write_text(junit(found, targets))

    def _hold(self, finding: Finding) -> None:
        self._found[finding.key] = finding

    def _write(self, finding: Finding) -> None:
        folder = self.folder(finding)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "input.bin").write_bytes(finding.minimal)
        (folder / "original.bin").write_bytes(finding.input)
        (folder / "test_finding.py").write_text(_test(finding))
        (folder / "view.txt").write_text(f"{finding.title}\n\n{view(finding.minimal)}")
        (folder / "finding.json").write_bytes(msgspec.json.format(msgspec.json.encode(finding)))

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._found.values(), key=lambda finding: (finding.target, finding.key)))

    def __len__(self) -> int:
        return len(self._found)


def load(file: Path) -> Finding:
    """Return the finding of a `finding.json`. Raises ValueError if it holds none."""
    return msgspec.json.decode(file.read_bytes(), type=Finding)


def _test(finding: Finding) -> str:
    name = re.sub(r"\W", "_", finding.target)
    lines = [finding.minimal[at : at + 36].hex() for at in range(0, len(finding.minimal), 36)]
    written = "\n".join(f'    "{line}"' for line in lines) or '    ""'
    return f'''"""Found by kproto fuzz; fails until it is mended.

{_plain(finding.title)}
"""

from __future__ import annotations

from kproto.fuzz.engines.isolated import replay

INPUT = bytes.fromhex(
{written}
)


def test_{name}_{finding.key}() -> None:
    replay("{finding.target}", INPUT)
'''


def _plain(text: str) -> str:
    """Return the text as ASCII without quotes and backslashes, so that captured text never ends a
    docstring.
    """
    shown = text.encode("ascii", "backslashreplace").decode()
    shown = "".join(char if char.isprintable() else "?" for char in shown)
    return "\n".join(_wrapped(shown.replace("\\", "/").replace('"', "'")))


def _wrapped(text: str) -> list[str]:
    return wrap(text, 96)
