"""Run `kproto explain`: print the page of a code, of an error, or what a log line proves."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from shlex import quote
from textwrap import fill

from ..capture.frames.error_codes import ERROR_NAMES
from ..capture.logs.event import LogEvent
from ..capture.logs.reader import LogReader
from ..clients.error_pages import ErrorPage, errors_in
from ..clients.readers import select_readers
from ..history.causes import CAUSES
from ..inspector.diagnose.explanations import Page
from ..inspector.diagnose.levels import level_of
from ..inspector.shapes.checks import Explained, ExplainedCause, ExplainedError, ExplainedLine
from .input.story_sources import open_source
from .line_pages import line_sentences, line_shape, plain_lines
from .output.failures import WRONG_USE, Failure, say
from .output.json_output import print_json
from .output.terminal import lines_for_people, output_columns, redaction_of
from .word_pages import page_of, page_of_plain_word, pages_by_code, words_about, words_like

_WIDEST = 88
_INDENT = "    "
_ERRORS = 2  # that a text is explained by
_LINES = 8  # of a log that are explained one by one
_MOST_BYTES = 1 << 20  # of a text
_CODES = 2  # that are printed as pages; more are listed
_SHORTEST = 12  # characters of a text that is looked for


def run(arguments: Namespace) -> int:
    """Print the pages that were asked for, or the list."""
    words = _words_given(arguments.code)
    if len(words) == 1 and words[0].isdecimal() and errors_in(f"error {words[0]}", ERROR_NAMES):
        words = [f"error {words[0]}"]  # as a person on call types it
    if len(words) == 1 and _is_text(words[0]):
        return _explain_text(words[0], arguments)
    chosen = [_page(word) for word in words] or list(pages_by_code().values())
    if arguments.json:
        for page in chosen:
            print_json(_shape(page))
        return 0
    with lines_for_people(arguments.pager):
        if words:
            print("\n\n".join("\n".join(_lines(page)) for page in chosen))
        else:
            print("\n".join(_listed(chosen)))
    return 0


def _words_given(words: list[str]) -> list[str]:
    """Return the words of the command line, or as one the text of what is piped in, of a file, or
    of "-".
    """
    if not words:
        text = _text_of("-") if _is_piped() else ""
        return [text] if text else []
    if len(words) > 1 or page_of(words[0]) is not None:
        return words
    hyphenated = "-".join(words[0].split())
    if hyphenated != words[0] and page_of(hyphenated) is not None:
        return [hyphenated]
    if words[0] == "-" or os.path.isfile(words[0]):  # noqa: PTH113  # importing pathlib costs more
        text = _text_of(words[0])
        if not text:
            raise Failure("nothing to explain: the input is empty", WRONG_USE)
        return [text]
    return words


def _is_piped() -> bool:
    """Whether standard input is there, can be read, and is no terminal."""
    stdin = sys.stdin
    is_there = stdin is not None and not stdin.closed and stdin.readable()
    return is_there and not stdin.isatty()


def _text_of(path: str) -> str:
    """Return the text of a file, compressed or not; "-" is standard input."""
    with open_source(path) as file:
        text = file.read(_MOST_BYTES + 1)
    if len(text) > _MOST_BYTES:
        say("only the first MiB is explained; kproto story FILE tells what happened in a log")
    return text[:_MOST_BYTES].decode(errors="replace").strip()


def _filled(text: str, indent: str = "", rest: str = "") -> str:
    """Return a text in lines, as wide as the output and not too wide to read."""
    width = min(_WIDEST, output_columns(_WIDEST))
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


def _is_text(text: str) -> bool:
    """Whether it is no word that has a page: the name of an error, or words."""
    if page_of(text) is not None:
        return False
    return bool(errors_in(text, ERROR_NAMES)) or len(text.split()) > 1


def _explain_text(text: str, arguments: Namespace) -> int:
    """Explain the errors that a text shows, the two that it shows best, and what a line proves."""
    errors = errors_in(text, ERROR_NAMES)[:_ERRORS]
    codes = _printed_for(text)
    events = _events_of(text)
    if len(events) > _LINES:
        say(f"the first {_LINES} of {len(events):,} lines; kproto story FILE tells what happened")
    redaction = redaction_of(arguments)
    lines = [line_shape(event, redaction) for event in events[:_LINES]]
    if not lines:
        lines = plain_lines(text)
    if not errors and not lines and not codes:
        line = "no error of a consumer group, and no line of a log that is known"
        quoted = "<hidden>" if arguments.redact else f"{_shortened(text)!a}"
        advice = "kproto explain lists the codes"
        if words := words_about(text):
            advice = f"kproto explain {words[0]} speaks of it"
            advice += f", and {', '.join(words[1:])}" if words[1:] else ""
        raise Failure(f"{quoted}: {line}; {advice}", WRONG_USE)
    shapes = [*lines, *map(_error_shape, errors), *map(_shape, codes)]
    if arguments.json:
        for shape in shapes:
            print_json(shape)
    else:
        parts = ["\n".join(map(_filled, line_sentences(line))) for line in lines]
        parts += ["\n".join(_error_lines(error)) for error in errors]
        parts += _parts_of_codes(codes)
        if not errors:  # whose pages end so
            parts += _story_of(lines, [] if arguments.redact else arguments.code)
        with lines_for_people(arguments.pager):
            print("\n\n".join(parts))
    return 0


def _story_of(lines: list[ExplainedLine], words: list[str]) -> list[str]:
    """Return what tells the story around lines: of the file that they are in, if one was given."""
    if not any(line.event for line in lines):
        return []
    is_file = len(words) == 1 and os.path.isfile(words[0])  # noqa: PTH113
    groups = {line.group for line in lines if line.group}
    options = [f"--group {quote(group)}" for group in groups] if len(groups) == 1 else []
    command = " ".join(["kproto story", quote(words[0]) if is_file else "LOG", *options])
    return [f"What happened before and after it, and why: {command}"]


def _shortened(text: str) -> str:
    line = text.partition("\n")[0]
    return line if line == text and len(line) <= _WIDEST else f"{line[:_WIDEST]}..."


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


def _page(word: str) -> Page:
    page = page_of(word) or page_of_plain_word(word)
    if page is None:
        if _is_client(word):
            line = f"{word!r} is a client, not a code: kproto lint --readers {word.lower()} FILE"
            raise Failure(f"{line} says what it does with bytes", WRONG_USE)
        near = ", ".join(words_like(word))
        advice = f"did you mean {near}? " if near else ""
        line = f"there is no code {word!r}; {advice}kproto explain lists the codes and rules"
        raise Failure(line, WRONG_USE)
    return page


def _is_client(word: str) -> bool:
    """Return whether `kproto lint --readers` takes a word as the name of a client."""
    with suppress(KeyError):
        return word.lower() != "all" and bool(select_readers([word.lower()]))
    return False


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
