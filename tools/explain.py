"""Run `kproto explain`: print the page of a code, of an error, or what a log line proves."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from io import BytesIO
from textwrap import fill

from msgspec.structs import replace

from ..capture.frames.error_codes import ERROR_NAMES
from ..capture.logs.event import LogEvent
from ..capture.logs.reader import LogReader
from ..clients.error_pages import ErrorPage, errors_in
from ..clients.faults import Fault, faults
from ..escaping import escaped
from ..history.causes import CAUSES
from ..history.line_meanings import MEANINGS, causes_of_line
from ..history.symptoms import SYMPTOMS
from ..inspector.diagnose.explanations import Page
from ..inspector.diagnose.levels import level_of
from ..inspector.shapes.checks import (
    Explained,
    ExplainedCause,
    ExplainedError,
    ExplainedLine,
)
from ..inspector.views.redaction import Redaction
from ..rebalance.judgements import rule_of
from .output.failures import WRONG_USE, Failure
from .output.json_output import print_json
from .output.terminal import lines_for_people, redaction_of, terminal_columns

# Each gives its `pages()`; no code is in two of them.
_ROOMS = ("inspector.diagnose.explanations", "pipeline.audit.explanations")
_WIDEST = 88
_SUGGESTED = 4  # codes, for one that there is not
_WORD = 4  # letters of a word that is looked for
_INDENT = "    "
_ERRORS = 2  # that a text is explained by
_CODES = 2  # that are printed as pages; more are listed
_SHORTEST = 12  # characters of a text that is looked for


def run(arguments: Namespace) -> int:
    """Print the pages that were asked for, or the list."""
    all_pages = pages_by_code()
    if len(arguments.code) == 1 and _is_text(arguments.code[0], all_pages):
        return _explain_text(arguments.code[0], arguments)
    chosen = [_page(code, all_pages) for code in arguments.code] or list(all_pages.values())
    if arguments.json:
        for page in chosen:
            print_json(_shape(page))
        return 0
    with lines_for_people(arguments.pager):
        if arguments.code:
            print("\n\n".join("\n".join(_lines(page)) for page in chosen))
        else:
            print("\n".join(_listed(chosen)))
    return 0


def _filled(text: str, indent: str = "", rest: str = "") -> str:
    """Return a text in lines, as wide as the terminal and not too wide to read."""
    width = min(_WIDEST, terminal_columns()) if sys.stdout.isatty() else _WIDEST
    return fill(
        text, width, initial_indent=indent, subsequent_indent=rest or indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _listed(pages: list[Page]) -> Iterator[str]:
    wide = max(len(page.code) for page in pages)
    for page in pages:
        level = level_of(page.code, page.class_)
        yield f"{page.code:{wide}}  {level:8}  {page.class_:9}  {page.title}"


# -- errors and lines of logs


def _is_text(text: str, all_pages: dict[str, Page]) -> bool:
    """Whether it is no code: the name of an error, or words."""
    if text.upper() in all_pages or any(text.lower() == fault.name.lower() for fault in faults()):
        return False
    return bool(errors_in(text, ERROR_NAMES)) or len(text.split()) > 1


def _explain_text(text: str, arguments: Namespace) -> int:
    """Explain the errors that a text shows, the two that it shows best, and what a line proves."""
    errors = errors_in(text, ERROR_NAMES)[:_ERRORS]
    codes = _printed_for(text)
    redaction = redaction_of(arguments)
    lines = [
        _line_shape(event) if redaction is None else _redacted(_line_shape(event), redaction)
        for event in _events_of(text)
    ]
    if not errors and not lines and not codes:
        line = "no error of a consumer group, and no line of a log that is known"
        quoted = "<hidden>" if arguments.redact else f"{text!a}"
        raise Failure(f"{quoted}: {line}; kproto explain lists the codes", WRONG_USE)
    shapes = [*lines, *map(_error_shape, errors), *map(_shape, codes)]
    if arguments.json:
        for shape in shapes:
            print_json(shape)
    else:
        parts = ["\n".join(_line_lines(line)) for line in lines]
        parts += ["\n".join(_error_lines(error)) for error in errors]
        parts += _parts_of_codes(codes)
        with lines_for_people(arguments.pager):
            print("\n\n".join(parts))
    return 0


_UNNAMED = "unnamed"
_ORIGINS = (
    "[GroupCoordinator 1]: ",
    f"[Consumer clientId={_UNNAMED}, groupId={_UNNAMED}] ",
    f"[Worker clientId={_UNNAMED}, groupId={_UNNAMED}] ",
)
"""What stands before the messages of a broker and of Java's clients: people paste them without."""


def _events_of(text: str) -> list[LogEvent]:
    """Return the events of a text as it is, else as the message of whom it is one."""
    for origin in ("", *_ORIGINS):
        events = list(LogReader().read(BytesIO(f"{origin}{text}".encode())))
        if events:
            return [
                event._replace(
                    group=event.group.replace(_UNNAMED, ""),
                    client=event.client.replace(_UNNAMED, ""),
                )
                for event in events
            ]
    return []


def _printed_for(text: str) -> list[Page]:
    """Return the pages of the codes for which clients print a text."""
    words = " ".join(text.split()).lower()
    codes = [
        page
        for page in pages_by_code().values()
        if any(words in line.lower() or _after_client(line) in words for line in page.prints)
    ]
    return codes if len(words) >= _SHORTEST else []


def _parts_of_codes(codes: list[Page]) -> list[str]:
    if len(codes) <= _CODES:
        return ["\n".join(_lines(page)) for page in codes]
    head = "A client prints this where bytes have one of these deviations (kproto explain CODE):"
    return ["\n".join([head, *_listed(codes)])]


def _after_client(line: str) -> str:
    return line.partition(": ")[2].lower()


def _line_shape(event: LogEvent) -> ExplainedLine:
    causes = [cause for cause in causes_of_line(event) if cause.cause in CAUSES]
    return ExplainedLine(
        event=event.event,
        program=event.family,
        group=event.group or None,
        member=event.member or None,
        client=event.client or None,
        generation=event.generation if event.generation >= 0 else None,
        cause=causes[0].cause if causes else None,
        certain=not causes or causes[0].is_certain,
        rivals=causes[0].rivals if causes else (),
        meaning=MEANINGS.get(event.event, ""),
    )


def _redacted(line: ExplainedLine, redaction: Redaction) -> ExplainedLine:
    """Return what a line proves with stand-ins for its names."""
    names = {
        field: getattr(line, field) and redaction.name(getattr(line, field), field).strip('"')
        for field in ("group", "client", "member")
    }
    return replace(line, **names)


def _line_lines(line: ExplainedLine) -> Iterator[str]:
    about = [
        f"{name} {escaped(str(value))}"
        for name, value in (
            ("group", line.group), ("client", line.client), ("member", line.member),
            ("generation", line.generation),
        )
        if value is not None
    ]  # fmt: skip
    yield _filled("; ".join([f"A line of {line.program}: {line.event}", *about]))
    if line.meaning:
        yield _filled(line.meaning)
    if line.cause is not None:
        facts = CAUSES[line.cause]
        verb = "It shows" if line.certain else "It probably shows"
        others = f" Or: {', '.join(line.rivals)}." if line.rivals else ""
        text = f"{verb} {line.cause}: {facts.what}.{others} {facts.advice}"
        yield _filled(text.strip())


def _error_shape(error: ErrorPage) -> ExplainedError:
    return ExplainedError(
        error=error.name,
        title=error.title,
        what=error.what,
        group=error.group,
        apart=error.apart,
        first=error.first,
        causes=tuple(
            ExplainedCause(cause=word, what=CAUSES[word].what, proof=CAUSES[word].proof)
            for word in error.causes
            if word != "unknown"
        ),
    )


def _error_lines(error: ErrorPage) -> Iterator[str]:
    yield _filled(f"{error.name}: {error.title}")
    causes = [f"{word}: {CAUSES[word].what}" for word in error.causes if word != "unknown"]
    for title, texts in (
        ("What it is", [error.what]),
        ("What it means for a running group", [error.group]),
        ("What can be behind it", causes),
        ("How to tell", [error.apart]),
    ):
        if texts:
            yield f"\n{title}"
            for text in texts:
                yield _filled(text, _INDENT)
    yield "\nWhat to do first"
    yield _INDENT + error.first


def pages_by_code() -> dict[str, Page]:
    """Return the page of each code, by the code in capitals."""
    all_pages: dict[str, Page] = {}
    for room in _ROOMS:
        all_pages |= import_module(f"..{room}", __package__).pages()
    return {code.upper(): page for code, page in all_pages.items()}


def _page(code: str, all_pages: dict[str, Page]) -> Page:
    if code.upper() not in all_pages:
        rule = _rule_of_remark(code)
        if rule:
            return all_pages[rule.upper()]
        if code.lower() in CAUSES:
            return _page_of_cause(code.lower())
        fault = next((fault for fault in faults() if fault.name.lower() == code.lower()), None)
        if fault is not None:
            return _page_of_fault(fault)
        near = ", ".join(all_pages[name].code for name in _near(code.upper(), all_pages))
        advice = f"did you mean {near}? " if near else ""
        raise Failure(f"there is no code {code!r}; {advice}kproto explain lists all", WRONG_USE)
    return all_pages[code.upper()]


def _page_of_cause(word: str) -> Page:
    """Return the page of a cause that findings, remarks and stories name."""
    facts = CAUSES[word]
    rivals = f" It leaves the same traces as {', '.join(facts.rivals)}." if facts.rivals else ""
    in_records = f" In the offsets topic: {facts.in_records}." if facts.in_records else ""
    return Page(
        code=word,
        title=facts.what or "nothing shows why",
        class_="cause",
        what=f"Certain by: {facts.proof or 'nothing'}.{in_records}{rivals}",
        group="",
        writers="",
        action=facts.advice,
    )


def _page_of_fault(fault: Fault) -> Page:
    """Return the page of a known fault of a client or a broker."""
    symptom = SYMPTOMS[fault.symptom]
    newest = f"Update to {' or '.join(fault.fixed)}, or later." if fault.fixed else "It is open."
    return Page(
        code=fault.name,
        title=f"a known fault of {fault.program} ({fault.releases})",
        class_="cause",
        what=f"{fault.what[0].upper()}{fault.what[1:]}.",
        group=f"It looks so: {symptom.text.format(who='a member')}. "
        f"The same is left by {', '.join(symptom.rivals)}.",
        writers="",
        action=newest,
        see=(fault.report,),
    )


def _rule_of_remark(code: str) -> str:
    return rule_of(code)


def _near(code: str, all_pages: dict[str, Page]) -> list[str]:
    """The codes that begin like a wrong one, are spelled like it, or have its words in a title."""
    digits = re.fullmatch(r"(?:KP)?[\s_-]*0*(\d{1,3})", code)
    words = [word for word in re.split(r"\W+", code) if len(word) >= _WORD]
    ways = (
        [name for name in all_pages if code and name.startswith(code)],
        [name for name in all_pages if digits and name == f"KP{digits[1].zfill(3)}"],
        get_close_matches(code, all_pages, n=_SUGGESTED, cutoff=0.7),
        [name for name in all_pages if any(word in name for word in words)],
        [n for n, page in all_pages.items() if any(word in page.title.upper() for word in words)],
        get_close_matches(code, all_pages, n=_SUGGESTED, cutoff=0.5),
    )
    return next((way[:_SUGGESTED] for way in ways if way), [])


def _lines(page: Page) -> Iterator[str]:
    yield _filled(f"{page.code}: {page.title}")
    yield ", ".join(dict.fromkeys((page.class_, level_of(page.code, page.class_))))
    parts = (
        ("What it is", page.what),
        ("What it means for a running group", page.group),
        ("Who writes it", page.writers),
        ("What to do first", page.action),
        ("See", ", ".join(page.see)),
    )
    for title, text in parts:
        if text:
            yield f"\n{title}"
            yield _filled(text, _INDENT)
    if page.prints:
        yield "\nWhat clients print"
        for line in page.prints:
            yield _filled(line, _INDENT, 2 * _INDENT)


def _shape(page: Page) -> Explained:
    return Explained(**page._asdict(), level=level_of(page.code, page.class_))
