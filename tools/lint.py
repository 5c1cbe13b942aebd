"""Run `kproto lint`: judge the messages of every INPUT."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import asdict, replace

from ..capture.summary import Summary
from ..codec.read.deviations import CODES
from ..escaping import escaped
from ..inspector.diagnose.fingerprints import without_names
from ..inspector.diagnose.levels import LEVELS
from ..inspector.diagnose.lint import Finding, Judged, judge
from ..inspector.nested_bytes import NOT_JUDGED, is_large
from ..inspector.shapes.decoded import Linted, LintFinding
from ..wording import counted, some_of
from . import lint_readers
from .input.lint_items import Item, items
from .lint_readers import Readers
from .lint_sarif import Sarif
from .options.baseline import KnownFinding, read_baseline, write_baseline
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json, print_json_document
from .output.terminal import lines_for_people

if TYPE_CHECKING:
    from ..clients.readers import Prediction


_NAMED = 6  # clients of a fingerprint
_OF_A_CUT = ("KP014", "KP080")  # what a tool that cut the bytes is to blame for
_SETS_OF_WRITERS = 10  # of messages without findings; --json has the writers of each
_REMEMBERED = 100_000  # findings, so that each is reported once


def run(arguments: Namespace) -> int:
    """Judge every message; return 1 if something was found, 3 if an input is damaged."""
    summary = Summary()
    if arguments.readers is not None and (arguments.output == "sarif" or arguments.write_baseline):
        raise Failure("--readers goes with text and --json", WRONG_USE)
    tally = _Tally(arguments)
    report = _report(arguments, tally.readers)
    with lines_for_people(arguments.pager) if arguments.output == "table" else nullcontext():
        _judge_all(arguments, summary, tally, report)
    if arguments.write_baseline is not None:
        write_baseline(arguments.write_baseline, tally.known)
    if not summary.complete or len(summary.read) > 1 or "messages" not in summary.read:
        say(str(summary))
    if summary.damaged:
        return NOT_DONE
    fails = arguments.write_baseline is None and tally.has_findings_from(arguments.fail_on)
    wrong = fails or tally.readers.refused or summary.refused
    return REFUSED if wrong or not summary.read else 0


def _judge_all(arguments: Namespace, summary: Summary, tally: _Tally, report: _Report) -> None:
    """Report every message."""
    for item in items(arguments, summary):
        for verdict in judge(item.decoded, item.around, item.equals):
            if is_large(verdict.decoded):
                where = ", ".join(part for part in (item.source, item.place, verdict.path) if part)
                summary.skip(
                    f"message {NOT_JUDGED}", where, len(verdict.decoded.data), refused=True
                )
            findings = tally.count(item, verdict)
            if arguments.redact:
                findings = tuple(map(_without_quotes, findings))
            report.take(item, _shown(verdict, hides=arguments.redact), findings)
    report.end(tally)


def _shown(verdict: Judged, *, hides: bool) -> Judged:
    """Return what is said of a message; why a client did not write it names its assignor."""
    return verdict._replace(fingerprint=without_names(verdict.fingerprint)) if hides else verdict


def _without_quotes(finding: Finding) -> Finding:
    """Return the finding with the explanation of its code, which quotes nothing."""
    if finding.class_ == "evolution":
        return finding
    return replace(finding, explanation=CODES[finding.code].explanation)


class _Tally:
    """The options that decide which findings count, and the numbers of those that did."""

    def __init__(self, arguments: Namespace) -> None:
        self._select: tuple[str, ...] = arguments.select
        self._ignore: tuple[str, ...] = arguments.ignore
        self._levels = LEVELS[: LEVELS.index(arguments.level) + 1]
        self._baseline = frozenset[str]()
        if arguments.baseline is not None:
            self._baseline = read_baseline(arguments.baseline)
        self._keeps = arguments.write_baseline is not None
        self.readers = Readers(
            arguments.readers, redact=arguments.redact, has_input=bool(arguments.input)
        )
        self.known: dict[str, KnownFinding] = {}
        self.levels: Counter[str] = Counter()
        self.messages = 0
        self.odd = 0
        self.left_out = 0

    def count(self, item: Item, verdict: Judged) -> tuple[Finding, ...]:
        """Return the findings of a message that count."""
        findings = tuple(
            finding
            for finding in verdict.findings
            if self._counts(finding) and not (item.is_cut and finding.code in _OF_A_CUT)
        )
        new = tuple(
            finding for finding in findings if verdict.identity(finding) not in self._baseline
        )
        self.messages += 1
        self.odd += bool(new)
        self.left_out += len(findings) - len(new)
        self.levels.update(finding.level for finding in new)
        if self._keeps:
            for finding in findings:
                name = verdict.decoded.message_class.NAME
                key = verdict.identity(finding)
                self.known[key] = KnownFinding(key, finding.code, name, finding.path, item.source)
        return new

    def _counts(self, finding: Finding) -> bool:
        if finding.level not in self._levels or finding.code.startswith(self._ignore or "-"):
            return False
        return not self._select or finding.code.startswith(self._select)

    def has_findings_from(self, lowest: str) -> bool:
        """Return whether there are findings of this level or a worse one; none are of "never"."""
        failing = LEVELS[: LEVELS.index(lowest) + 1] if lowest in LEVELS else ()
        return any(self.levels[level] for level in failing)

    def __str__(self) -> str:
        levels = ", ".join(
            counted(self.levels[level], level) for level in LEVELS if self.levels[level]
        )
        total = counted(self.levels.total(), "finding")
        findings = f"{total} ({levels})" if levels else "no findings"
        line = f"{findings} in {self.odd:,} of {counted(self.messages, 'message')}"
        if not levels:
            line = f"{counted(self.messages, 'message')}, no findings"
        line += str(self.readers)
        return f"{line}; {self.left_out:,} in the baseline" if self.left_out else line


# -- reports


class _Text:
    """A report with a paragraph for each message with findings; the same bytes are reported
    once. Of the others it says together who could have written them."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._reported: set[str] = set()
        self._repeated = 0
        self._writers_of_others: Counter[tuple[str, ...]] = Counter()

    def take(self, item: Item, verdict: Judged, findings: tuple[Finding, ...]) -> None:
        new = [finding for finding in findings if verdict.identity(finding) not in self._reported]
        self._repeated += len(findings) - len(new)
        predictions = self._readers.of(verdict)
        if not new and not self._readers.new(predictions):
            if not findings:
                self._writers_of_others[verdict.fingerprint.in_short] += 1
            return
        if len(self._reported) < _REMEMBERED:
            self._reported.update(verdict.identity(finding) for finding in new)
        paragraph = [
            _heading(item, verdict),
            *lint_readers.summary_lines(predictions),
            *map(_line, new),
            *_writers(verdict),
            *lint_readers.evidence_lines(predictions),
        ]
        print("\n".join(paragraph))

    def end(self, tally: _Tally) -> None:
        if self._repeated:
            print(
                f"{self._repeated:,} more in bytes that were reported above; --json has all of them"
            )
        for could, count in self._writers_of_others.most_common(_SETS_OF_WRITERS):
            if could:
                messages = f"{counted(count, 'message')} without findings"
                print(f"{messages} could have been written by {some_of(could, _NAMED)}")
        print(tally)


def _heading(item: Item, verdict: Judged) -> str:
    reading = verdict.decoded
    version = "" if reading.version is None else f" version {reading.version}"
    title = f"{reading.message_class.NAME}{version}"
    where = (item.source, item.place, verdict.path, title)
    return ": ".join(escaped(part) for part in where if part)


def _line(finding: Finding) -> str:
    often = f", {finding.count:,} times" if finding.count > 1 else ""
    place = f"{finding.path} at byte" if finding.path else "at byte"
    explanation = escaped(finding.explanation)
    return f"  {finding.code} {finding.level:7}  {explanation}; {place} {finding.offset}{often}"


def _writers(verdict: Judged) -> Iterable[str]:
    could = verdict.fingerprint.in_short
    if could:
        yield f"  could have been written by {some_of(could, _NAMED)}"
    elif verdict.fingerprint.ruled_out and verdict.decoded.complete:
        yield "  no client that was measured writes this"


class _Json:
    """A report with a line for each message that has findings, or whose writer is recognised."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def take(self, item: Item, verdict: Judged, findings: tuple[Finding, ...]) -> None:
        if findings or verdict.fingerprint.could or verdict.fingerprint.ruled_out:
            predictions = self._readers.of(verdict) if self._readers else ()
            print_json(_linted(item, verdict, findings, predictions))

    def end(self, tally: _Tally) -> None:
        say(str(tally))


def _linted(
    item: Item,
    verdict: Judged,
    findings: tuple[Finding, ...],
    predictions: tuple[Prediction, ...],
) -> Linted:
    return Linted(
        source=item.source,
        place=item.place,
        path=verdict.path,
        start=verdict.start,
        name=verdict.decoded.message_class.NAME,
        version=verdict.decoded.version,
        findings=[
            LintFinding(**asdict(finding), id=verdict.identity(finding)) for finding in findings
        ],
        could_be=verdict.fingerprint.could,
        ruled_out=verdict.fingerprint.ruled_out,
        readers=[*map(lint_readers.reader_shape, predictions)],
    )


class _Sarif:
    """A report as a SARIF log, which is printed at the end."""

    def __init__(self) -> None:
        self._log = Sarif()

    def take(self, item: Item, verdict: Judged, findings: tuple[Finding, ...]) -> None:
        for finding in findings:
            self._log.add(item, verdict, finding)

    def end(self, tally: _Tally) -> None:
        print_json_document(self._log.document())
        if self._log.left_out:
            say(f"{self._log.left_out:,} findings more than one log takes; --json has all of them")
        say(str(tally))


class _Nothing:
    """No report, for a call that writes a baseline."""

    def take(self, item: Item, verdict: Judged, findings: tuple[Finding, ...]) -> None:
        """Print nothing for a message."""

    def end(self, tally: _Tally) -> None:
        """Print nothing for a message."""


_Report: TypeAlias = _Text | _Json | _Sarif | _Nothing


def _report(arguments: Namespace, readers: Readers) -> _Report:
    if arguments.write_baseline is not None:
        return _Nothing()
    if arguments.output == "sarif":
        return _Sarif()
    return _Json(readers) if arguments.json else _Text(readers)
