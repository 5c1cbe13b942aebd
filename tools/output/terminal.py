"""The console that views are printed on, a terminal, a pipe or file, or a picture, and its options.

On a terminal the bytes are shown in hex next to the fields, in its width, and longer output goes
through the pager; elsewhere the fields alone, without colour, 100 columns wide. $COLUMNS is the
width of either. With `--color always` any output is treated as a terminal. NO_COLOR and FORCE_COLOR
are respected.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BytesIO, TextIOWrapper

from ... import import_light, inspector
from .. import output
from .failures import REFUSED, WRONG_USE, Failure, unreadable

TYPE_CHECKING = False  # `kproto --help` needs this module, and importing typing takes longer
if TYPE_CHECKING:
    from typing import IO, Any, NoReturn

    from rich.console import Console
    from rich.segment import Segment

    from ...inspector.views.redaction import Redaction


_ABOUT = {"csv": "; csv: a line for each", "sarif": "; sarif: one SARIF 2.1.0 log"}


class _Format(Action):
    """Stores the format of --output; --json is short for --output json."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        form = self.const or values
        earlier = getattr(namespace, self.dest, "table")
        if earlier not in {"table", form}:
            parser.error(f"{earlier} and {form} are two formats: ask for one of them")
        namespace.output = form
        namespace.json = namespace.output == "json"


def add_output(parser: ArgumentParser, json_is: str, *others: str) -> None:
    """Add the options --output and --json to the parser: the view for people (table), JSON lines,
    and `others`, which `arguments.output` names.
    """
    parser.set_defaults(json=False)
    formats = ("table", "json", *others)
    about = "".join(_ABOUT[name] for name in others)
    parser.add_argument(
        "--output", action=_Format, choices=formats, default="table",
        help=f"table: for people (the default); json: {json_is}{about}",
    )  # fmt: skip
    parser.add_argument(
        "--json", dest="output", action=_Format, nargs=0, const="json", help="--output json"
    )


def add_view(parser: ArgumentParser) -> None:
    """Add --color and --pager."""
    parser.add_argument(
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help="always: as on a terminal, in colour, wherever it goes; never: without colour",
    )
    add_pager(parser)


def add_pager(parser: ArgumentParser) -> None:
    """Add the option --pager to the parser."""
    parser.add_argument(
        "--pager",
        choices=["auto", "never"],
        default="auto",
        help="auto: long output on a terminal goes through $PAGER; never: it is printed directly",
    )


def add_export(parser: ArgumentParser) -> None:
    """Add --svg, --html and --redact, for bug reports."""
    export = parser.add_mutually_exclusive_group()
    export.add_argument("--svg", metavar="FILE", help="write the view into a picture instead")
    export.add_argument("--html", metavar="FILE", help="write the view into a page instead")
    add_redact(parser)


def add_redact(parser: ArgumentParser) -> None:
    """Add the option --redact to the parser."""
    parser.add_argument(
        "--redact",
        action="store_true",
        help="hide names, hosts and user data; lengths and structure stay",
    )
    parser.add_argument(
        "--redact-key",
        metavar="FILE",
        action=_Keyed,
        help="as --redact, with the same stand-in for the same name in every run with this key: a "
        "file of 16 bytes and more, such as head -c 32 /dev/urandom writes",
    )


class _Keyed(Action):
    """Keep the name of the key, which asks for --redact, too."""

    def __call__(
        self, _parser: object, namespace: Namespace, values: Any, _option: str | None = None
    ) -> None:
        namespace.redact, namespace.redact_key = True, values


def check_export(arguments: Namespace) -> None:
    """Raise Failure where a page or a picture is asked for beside another output than the view that
    they are of."""
    output = "--json" if arguments.json else f"--output {arguments.output}"
    for option in ("svg", "html"):
        if output != "--output table" and getattr(arguments, option, None):
            raise Failure(f"{output} and --{option} exclude each other", WRONG_USE)


def redaction_of(arguments: Namespace) -> Redaction | None:
    """Return the placeholders for this call, numbered or by a key; None without --redact."""
    if not arguments.redact:
        return None
    return _keyed(arguments.redact_key) if arguments.redact_key else inspector.Redaction()


def _keyed(key_file: str) -> Redaction:
    """Stand-ins that a key and the name decide: the same in every run with that key."""
    try:
        with open(key_file, "rb") as file:  # noqa: PTH123  # importing pathlib costs more
            key = file.read(_MOST_KEY_BYTES).strip()
    except OSError as error:
        raise unreadable(key_file, error, "--redact-key") from None
    if len(key) < _KEY_BYTES:
        line = f"{key_file}: a key has {_KEY_BYTES} bytes and more: head -c 32 /dev/urandom > FILE"
        raise Failure(line, WRONG_USE)
    return inspector.KeyedRedaction(key)


_KEY_BYTES = 16
_MOST_KEY_BYTES = 1 << 16


_LATE: dict[str, dict[str, object]] = {
    "ast": {"literal_eval": None},
    "inspect": {"isclass": lambda value: isinstance(value, type)},
    "pickle": {"dumps": None, "loads": None},
    "random": {"getrandbits": lambda bits: int.from_bytes(os.urandom(bits // 8), "big")},
    "rich._emoji_replace": {"_emoji_replace": None},
    "rich.markup": {"render": None},
}
"""What rich and dataclasses import, and few calls use."""

WIDTH = 100
_TRAILING = re.compile(r" +\n")
_HEIGHT = 25  # of no consequence here, but without one rich takes a dumb terminal's width for 80


@contextmanager
def screen(arguments: Namespace, *, is_short: bool = False) -> Iterator[Console]:
    """Yield the console that the views of this call are printed on; when the block ends, they are
    where they are to go. `is_short`: they probably fit on the terminal, and can wait for the end
    of the block."""
    file = getattr(arguments, "svg", None) or getattr(arguments, "html", None)
    if file is not None:
        with _exported(file, svg=bool(arguments.svg)) as recorder:
            yield recorder
    else:
        with paged_console(arguments, is_short=is_short) as view_console:
            yield view_console


@contextmanager
def paged_console(arguments: Namespace, *, is_short: bool = False) -> Iterator[Console]:
    """Yield the console of a terminal, a pipe or a file. Output that is longer than the terminal
    goes through the pager. `is_short` is as in `screen`."""
    with _paged(allowed=arguments.pager == "auto", is_short=is_short):
        yield console(arguments.color)


@contextmanager
def lines_for_people(pager: str, elsewhere: int = 10_000) -> Iterator[None]:
    """Run a block that prints lines for people: on a terminal they are wrapped at words, and long
    output goes through the `pager` ("auto" or "never"); `elsewhere` they have so many columns."""
    columns = output_columns(elsewhere)
    with through_pager(pager):
        unwrapped = sys.stdout
        sys.stdout = output.WrappingOutput(unwrapped, columns)
        try:
            yield
            sys.stdout.flush()
        finally:
            sys.stdout = unwrapped


def through_pager(pager: str) -> AbstractContextManager[None]:
    """Return a context whose output, if it is longer than the terminal, goes through the pager."""
    return _paged(allowed=pager == "auto", is_short=True)


def _paged(*, allowed: bool, is_short: bool) -> AbstractContextManager[None]:
    if not (allowed and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"):
        return nullcontext()
    return _paged_if_long() if is_short else output.paged()


@contextmanager
def _paged_if_long() -> Iterator[None]:
    """Run the block, then print its output, through the pager where it is longer than the terminal:
    a pager takes as long to start as a short view takes."""
    pages = BytesIO()
    view = PagedOutput(pages)
    try:
        with view.redirected():
            yield
    finally:
        text = pages.getvalue().decode(view.encoding)
        fits = text.count("\n") < _terminal_size().lines
        with nullcontext() if fits else output.paged():
            sys.stdout.write(text)


class PagedOutput(TextIOWrapper):
    """What the command prints while that is not the terminal itself, but is to end there."""

    def __init__(self, buffer: IO[bytes]) -> None:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        super().__init__(buffer, encoding, errors="backslashreplace", line_buffering=True)

    def isatty(self) -> bool:
        """Return True: views are as they are on the terminal."""
        return True

    @contextmanager
    def redirected(self) -> Iterator[None]:
        """Run the block with its output going here, and its remarks, where the terminal shows
        them."""
        out, err = sys.stdout, sys.stderr
        sys.stdout = self
        if err is not None and err.isatty():
            sys.stderr = self
        try:
            yield
            self.flush()
        finally:
            sys.stdout, sys.stderr = out, err


def shows_hex(arguments: Namespace) -> bool:
    """Return whether the bytes are shown in hex too: on a terminal, and in pictures."""
    exported = getattr(arguments, "svg", None) or getattr(arguments, "html", None)
    return bool(exported) or is_terminal(arguments.color)


@contextmanager
def _exported(file: str, *, svg: bool) -> Iterator[Console]:
    recorder = inspector.Recorder(for_phones=not svg)
    try:
        yield recorder
    except inspector.TooLong as error:
        raise Failure(f"too long for {file}: {error}; --field PATH shows a part", REFUSED) from None
    text = recorder.svg() if svg else recorder.html()
    output.write_output(file, text)


def is_terminal(color: str) -> bool:
    """Return whether output is shown as on a terminal."""
    return color == "always" or sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def console(color: str) -> Console:
    """Return a console for views, which takes nothing in captured text for markup."""
    terminal = is_terminal(color)
    coloured = terminal and color != "never"
    is_tty = sys.stdout.isatty()
    import_light("rich.console", _LATE)
    from rich.console import Console  # late: --json needs no terminal

    class ClosingConsole(Console):
        """A console that raises BrokenPipeError for a closed pipe, which `main` handles."""

        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

        def _render_buffer(self, buffer: Iterable[Segment]) -> str:
            text = super()._render_buffer(buffer)
            return text if coloured else _TRAILING.sub("\n", text)  # rich fills cells with blanks

    return ClosingConsole(
        force_terminal=terminal,
        color_system=("auto" if is_tty else "256") if coloured else None,
        no_color=False if color == "always" else None,
        width=output_columns(WIDTH),
        height=_HEIGHT,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        safe_box=True,
    )


def terminal_columns() -> int:
    """Return the width of the terminal: $COLUMNS, else what the terminal says, else 80. It is what
    `shutil.get_terminal_size` returns, but shutil takes milliseconds to import."""
    return _columns_of_environment() or _terminal_size().columns or 80


def _terminal_size() -> os.terminal_size:
    """Return the size of the terminal; 0 and 0 where there is none."""
    try:
        return os.get_terminal_size(sys.__stdout__.fileno())  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):  # closed, or no terminal
        return os.terminal_size((0, 0))


def output_columns(elsewhere: int) -> int:
    """Return the width of what people read: the terminal's; in a pipe or a file $COLUMNS, or
    `elsewhere`."""
    return terminal_columns() if sys.stdout.isatty() else _columns_of_environment() or elsewhere


def _columns_of_environment() -> int:
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdecimal() else 0
