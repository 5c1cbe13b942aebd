"""The findings of campaigns: made of an exception, stored with a test for each, and reported.

    OUT/findings/round-trip-1f0c9a.../input.bin        the minimal input
                                      original.bin     the first input that showed it
                                      finding.json     everything, for programs
                                      view.txt         the inspector's view of the input
                                      test_finding.py  fails as long as the finding is there
    OUT/findings.sarif, OUT/junit.xml

A folder is written as soon as a finding is made, and again when its input got smaller.
"""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Iterator, Sequence
from enum import Enum
from io import StringIO
from pathlib import Path, PurePath
from textwrap import wrap
from xml.etree import ElementTree as ET

import msgspec
from rich.console import Console

from ..codec import KprotoError
from ..files import read_bounded, write_file
from ..inspector import Inspection, examine
from ..inspector.shapes.junit import add_case, add_outcome, junit_document
from ..inspector.shapes.sarif import SarifResult, SarifRule, sarif_log
from ..inspector.shapes.shape import json_text
from .mutators.forms import frame_of
from .mutators.messages import split
from .targets import Breaches, Broken


class FindingKind(Enum):
    """What an input made happen."""

    BROKEN = "broken"
    """The invariant does not hold."""
    ERROR = "error"
    """An error was raised that is not documented."""
    HANG = "hang"
    """The input took longer than it may."""
    MEMORY = "memory"
    """The input took more memory than it may."""
    CRASH = "crash"
    """The process died."""
    FLOOD = "flood"
    """The process wrote more output than any answer can be."""


class FuzzFinding(msgspec.Struct, frozen=True):
    """A finding of a target.

    `where` is the place in the code, `guarantee` the id if one was checked; two findings are the
    same if these, the target and the error's type are equal. `input` is the first that showed it,
    `minimal` the smallest; `seed` and `execution` say when it was found.
    """

    target: str
    kind: FindingKind
    error: str
    where: str
    message: str
    input: bytes
    minimal: bytes
    guarantee: str = ""
    seed: int = 0
    execution: int = 0

    @property
    def key(self) -> str:
        """Twelve hex digits, equal for the same finding in every campaign."""
        identity = (self.target, self.kind.value, self.error, self.where, self.guarantee)
        return hashlib.sha256("\0".join(identity).encode()).hexdigest()[:12]

    @property
    def title(self) -> str:
        """The finding in one line."""
        at = f" at {self.where}" if self.where else ""
        return f"{self.target}: {self.error}{at}: {self.message}"[:300]


def of_exception(target: str, error: Exception, data: bytes) -> list[FuzzFinding]:
    """Return the findings for an exception that a target raised: one, but for `Breaches`."""
    errors = error.breaches if isinstance(error, Breaches) else [error]
    return [_finding(target, single, data) for single in errors]


def _finding(target: str, error: Exception, data: bytes) -> FuzzFinding:
    data = getattr(error, "data", None) or data
    kind = FindingKind.ERROR
    if isinstance(error, AssertionError):
        kind = FindingKind.BROKEN
    elif isinstance(error, MemoryError):
        kind = FindingKind.MEMORY
    name, place = type(error).__name__, None
    if isinstance(error, Broken):
        name, place = error.error or "Broken", error.place
    return FuzzFinding(
        target=target,
        kind=kind,
        error=name,
        where=_where(error) if place is None else place,
        message=" ".join(str(error).split())[:1000],
        input=data,
        minimal=data,
        guarantee=getattr(error, "guarantee", ""),
    )


def _where(error: Exception) -> str:
    """Return the innermost place in a room, and the line of the target that led there.

    Functions and lines, not paths: the same on every machine.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = []
    for frame in frames:
        path = PurePath(frame.filename)
        room = "/".join(path.parts[-3:]) if path.suffix == ".py" else path.name
        places.append((path.parent.name == "targets", f"{room}:{frame.lineno} {frame.name}"))
    target = [place for inside, place in places if inside][-1:]
    innermost = [place for _, place in places][-1:]
    return " < ".join(dict.fromkeys(innermost + target))


Ran = Sequence[tuple[str, str, float]]
"""The name, invariant and seconds of each target that ran."""


def sarif(findings: Sequence[FuzzFinding], targets: Ran) -> str:
    """Return SARIF with one run: a rule for each target, a result for each finding."""
    rules = [SarifRule(name, invariant) for name, invariant, _ in targets]
    return json_text(sarif_log(rules, list(map(_result, findings)), tool="kproto fuzz"))


def _result(finding: FuzzFinding) -> SarifResult:
    folder = f"findings/{finding.target}-{finding.key}"
    place = {"artifactLocation": {"uri": f"{folder}/input.bin"}}
    return SarifResult(
        finding.target,
        "error",
        finding.title,
        {"physicalLocation": place},
        finding.key,
        {"kind": finding.kind.value, "input": finding.minimal.hex()},
    )


def junit(findings: Sequence[FuzzFinding], targets: Ran) -> str:
    """Return JUnit XML: a test case for each target, and a failed one for each finding."""
    suite = ET.Element("testsuite", name="kproto fuzz")
    for name, invariant, seconds in targets:
        add_case(suite, "kproto.fuzz", name, seconds=seconds, output=invariant)
        for finding in findings:
            if finding.target == name:
                case = add_case(suite, f"kproto.fuzz.{name}", finding.key)
                details = _printable(f"{finding.message}\ninput: {finding.minimal.hex()}")
                add_outcome(case, "failure", _printable(finding.title), details, finding.error)
    suite.set("tests", str(len(targets) + len(findings)))
    suite.set("failures", str(len(findings)))
    ET.indent(suite)
    return junit_document(suite) + "\n"


def _printable(text: str) -> str:
    """Return the text with U+FFFD for each character that could hide or reorder others."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)


_WIDTH = 120


def view(data: bytes) -> str:
    """Return the view as text. A view never fails: an error of the inspector may be the finding
    itself.
    """
    out = StringIO()
    console = Console(file=out, width=_WIDTH, color_system=None, markup=False, emoji=False)
    try:
        _inspect(data, console)
    except (KprotoError, AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as no:
        console.print(f"the inspector fails here itself: {no!r:.300}")
    console.print(f"{len(data)} bytes: {data.hex()}", soft_wrap=True)
    return out.getvalue()


def _inspect(data: bytes, console: Console) -> None:
    route, payload = split(data)
    if route is not None:
        version = route.body_version
        title = route.cls.NAME + ("" if version is None else f", a body of version {version}")
        console.print(f"{title}:")
        console.print(Inspection(examine(payload, route.cls, body_version=version)))
        return
    frame, _ = frame_of(data)
    if frame is not None and frame.body is not None:
        body = frame.body
        console.print(f"a frame of {frame.api}, version {frame.api_version}; its body:")
        console.print(
            Inspection(examine(body.data, body.message_class, body_version=frame.api_version))
        )


FOLDER = "findings"


class Store:
    """The findings in a campaign's folder, by key."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._found: dict[str, FuzzFinding] = {}
        for file in sorted((out / FOLDER).glob("*/finding.json")):
            self._hold(load(file))

    def add(self, finding: FuzzFinding) -> bool:
        """Keep a finding; return whether it is new, or smaller than the one that was known."""
        earlier = self._found.get(finding.key)
        if earlier is not None and len(earlier.minimal) <= len(finding.minimal):
            return False
        self._hold(finding)
        self._write(finding)
        return True

    def of(self, target: str) -> list[FuzzFinding]:
        """Return the findings of one target."""
        return [finding for finding in self if finding.target == target]

    def folder(self, finding: FuzzFinding) -> Path:
        """Return the folder of a finding's files."""
        return self.out / FOLDER / f"{finding.target}-{finding.key}"

    def report(self, targets: Sequence[tuple[str, str, float]]) -> None:
        """Write SARIF and JUnit; `targets` are name, invariant and seconds of all that ran."""
        findings = list(self)
        write_file(self.out / "findings.sarif", sarif(findings, targets))
        write_file(self.out / "junit.xml", junit(findings, targets))

    def _hold(self, finding: FuzzFinding) -> None:
        self._found[finding.key] = finding

    def _write(self, finding: FuzzFinding) -> None:
        folder = self.folder(finding)
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / "input.bin", finding.minimal)
        write_file(folder / "original.bin", finding.input)
        write_file(folder / "test_finding.py", _test(finding))
        write_file(folder / "view.txt", f"{finding.title}\n\n{view(finding.minimal)}")
        write_file(folder / "finding.json", msgspec.json.format(msgspec.json.encode(finding)))

    def __iter__(self) -> Iterator[FuzzFinding]:
        return iter(sorted(self._found.values(), key=lambda finding: (finding.target, finding.key)))

    def __len__(self) -> int:
        return len(self._found)


def load(file: Path) -> FuzzFinding:
    """Return the finding of a `finding.json`. Raises ValueError if it holds none."""
    return msgspec.json.decode(read_bounded(file), type=FuzzFinding)


def _test(finding: FuzzFinding) -> str:
    name = re.sub(r"\W", "_", finding.target)
    lines = [finding.minimal[at : at + 36].hex() for at in range(0, len(finding.minimal), 36)]
    literal = "\n".join(f'    "{line}"' for line in lines) or '    ""'
    return f'''"""Found by kproto fuzz; fails until it is mended.

{_plain(finding.title)}
"""

from __future__ import annotations

from kproto.fuzz.engines.processes import replay

INPUT = bytes.fromhex(
{literal}
)


def test_{name}_{finding.key}() -> None:
    replay({json.dumps(finding.target)}, INPUT)
'''


def _plain(text: str) -> str:
    """Return the text as ASCII without quotes and backslashes, so that captured text never ends a
    docstring.
    """
    ascii_text = text.encode("ascii", "backslashreplace").decode()
    ascii_text = "".join(char if char.isprintable() else "?" for char in ascii_text)
    return "\n".join(_wrapped(ascii_text.replace("\\", "/").replace('"', "'")))


def _wrapped(text: str) -> list[str]:
    return wrap(text, 96)
