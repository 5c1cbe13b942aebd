"""Run `kproto`: find the sub-command, and turn whatever ends it into one line and an exit status.

What a status means is in `output.failures.STATUSES`.

A sub-command is a module of `commands` with `configure(parser)`, and `parse(parser, given)` where
its arguments need another parser; and a module of the same name here with `run(arguments)`. Only
those of the command that is named are imported.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise

from .. import import_light
from . import output
from .output import interrupts
from .output.failures import (
    CLOSED_PIPE,
    NOT_DONE,
    REFUSED,
    WRONG_USE,
    Failure,
    hide_with,
    say,
    statuses_of,
)
from .output.terminal import terminal_columns, through_pager

TYPE_CHECKING = False  # importing typing takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import ModuleType
    from typing import Any, NoReturn

argparse._ = str  # type: ignore[attr-defined]  # English: looking for translations takes long

COMMANDS = {
    "decode": "show what bytes are, field by field",
    "encode": "write the bytes of a message from its JSON",
    "diff": "show two captures beside each other, what differs marked",
    "lint": "find what is wrong with bytes, and tell who could have written them",
    "explain": "say what a code, a cause, an error or a line of a log means",
    "compat": "check that a changed message definition is backward compatible",
    "fuzz": "fuzz kproto's own decoders, or a client's",
    "conform": "judge another program's decoder and encoder, guarantee by guarantee",
    "schemas": "list, search or draw the message definitions",
    "codegen": "write typed Python modules for message definitions",
    "completion": "print what a shell needs to complete these commands",
    "group": "list a cluster's groups, or say what is wrong with one, and show its members' bytes",
    "audit": "find the consumer groups in trouble, on a live broker or in an offsets topic",
    "migrate": "tell which groups can move to KIP-848's protocol, and what stops the others",
    "story": "tell what happened in groups, and why, from logs, captures and the offsets topic",
    "page": "write the page where one pastes: kproto in a browser, nothing installed",
    "simulate": "run a consumer group without a cluster: who owns what, and what it costs",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's) and return its exit status."""
    if arguments is not None:
        return _status(arguments)
    interrupts.end_at_once()  # the process is the command's own, to its end
    status = _status(sys.argv[1:])
    interrupts.ignore()
    return status


def _status(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except (Failure, KeyboardInterrupt, MemoryError, OSError, RecursionError) as end:
        line, status = _last_words(end)
    except Exception as end:
        if not interrupts.was_asked():
            raise
        line, status = _last_words(end)
    _end(line)
    return status


def _last_words(end: BaseException) -> tuple[str, int]:
    if interrupts.was_asked():  # which some libraries turn into another error
        end = KeyboardInterrupt()
    match end:
        case Failure():
            return str(end), end.status
        case KeyboardInterrupt():
            return interrupts.last_word()
        case BrokenPipeError():
            return "", CLOSED_PIPE
        case OSError():
            return _of_file(end), NOT_DONE
        case RecursionError():
            return "refused: nested too deeply", REFUSED
        case _:
            return "out of memory; --max-bytes bounds the input", REFUSED


def _of_file(error: OSError) -> str:
    """Return what a file is the reason of. Input and output files have words of their own: one with
    a name is the installation's, one without is the command's output.
    """
    why = error.strerror or str(error)
    return f"{error.filename}: {why}" if error.filename else f"cannot write the result: {why}"


def _run(words: list[str]) -> int:
    if sys.stdout is None:
        raise Failure("there is no output to write to", NOT_DONE)
    _check_engine()
    if isinstance(sys.stdout, TextIOWrapper):  # a name that its encoding lacks is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _command(words)
    except SystemExit as done:  # argparse has printed its help
        status = int(done.code or 0)
    sys.stdout.flush()  # while a failure can still be reported
    return status


def _check_engine() -> None:
    """Refuse a `KPROTO_ENGINE` that cannot be used, before a command imports the codec."""
    if os.environ.get("KPROTO_ENGINE"):
        try:
            import_module("kproto.codec.runtime.engine")
        except ImportError as error:
            raise Failure(str(error), WRONG_USE) from None


def _command(words: list[str]) -> int:
    hide_with(None)
    if words[:1] == ["help"]:
        if words[1:] and words[1] not in COMMANDS:
            top_parser(COMMANDS).error(_no_such_command(words[1]))
        words = [*words[1:2], "--help"]
    if not words or words[0] not in COMMANDS:
        return _no_command(words)
    name, *rest = words
    _import_msgspec()
    command, parser = command_parser(name)
    if os.environ.get("KPROTO_CONFIG") or any(word.startswith("--config") for word in rest):
        from .options.config_file import with_config  # late: few calls have a file

        rest = with_config(name, rest, COMMANDS, lambda other: command_parser(other)[1])
    if {"-h", "--help"} & set(rest):
        parser.pager = "never" if _has_no_pager(rest) else "auto"
    else:
        parser.usage = parser.prog  # the whole one takes long to make, and `Parser.error` has none
    parse = getattr(command, "parse", type(parser).parse_intermixed_args)
    arguments = parse(parser, rest)
    if getattr(arguments, "redact", False):
        hide_with(output.hiding(arguments))
    with interrupts.Raised():
        return _run_command(name, command, arguments)


def _has_no_pager(words: list[str]) -> bool:
    """Return whether `--pager never` is among the words of a call for help."""
    return "--pager=never" in words or ("--pager", "never") in pairwise(words)


def _import_msgspec() -> None:
    """Import msgspec without typing_extensions, of which it takes only what `typing` has as well:
    inspect, ast and tokenize come with it, and take a tenth of a short call.
    """
    if not {"msgspec", "typing_extensions"} & sys.modules.keys():
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # "there is none"
        try:
            import_light("msgspec", _LATE)
        finally:
            del sys.modules["typing_extensions"]


_LATE: dict[str, dict[str, object]] = {
    "decimal": {"Decimal": type("Decimal", (), {})},  # no shape has one
    "msgspec.inspect": {},
    "msgspec.msgpack": {},
    "msgspec.toml": {},
    "msgspec.yaml": {},
    "msgspec._json_schema": {"schema": None, "schema_components": None},
    # uuid asks for the system alone.
    **({"platform": {"system": lambda: os.uname().sysname}} if hasattr(os, "uname") else {}),
}
"""What msgspec imports, and few calls use."""


def _run_command(name: str, command: ModuleType, arguments: Namespace) -> int:
    """Import the module that runs a command, and run it. The package that it lacks is named with
    the extra that brings it.
    """
    try:
        status: int = import_module(f".{name}", __package__).run(arguments)
    except ImportError as error:
        if not hasattr(command, "EXTRA") or f"{error.name}.".startswith("kproto."):
            raise

        from ..extras import missing  # late: it reads the installed metadata

        line = missing(f"kproto {name}", error.name, command.EXTRA)
        raise Failure(str(error) if error.name is None else line, WRONG_USE) from None
    return status


def _no_command(words: list[str]) -> int:
    parser = top_parser(COMMANDS)
    chosen, rest = parser.parse_known_args(words)
    if chosen.version:
        engine = import_module("kproto.codec.runtime.engine")
        is_core = engine.ENGINE == "core"
        name = "compiled core" if is_core else f"Python engine: {engine.WHY_NOT}"
        print(f"kproto {import_module('kproto').__version__} ({name})")
        return 0
    command = next((word for word in words if word in COMMANDS), None)
    if command is not None and words[0].startswith("-"):
        _refuse_option_in_front(command, words)
    if chosen.command is not None:
        parser.error(_no_such_command(chosen.command))
    if rest:
        parser.error(f"{' '.join(rest)}: a command is missing in front of it")
    parser.print_help()
    return 0


def _no_such_command(name: str) -> str:
    return f"there is no command {name!r}{_did_you_mean(name, COMMANDS, lists_all=True)}"


def _refuse_option_in_front(command: str, words: list[str]) -> None:
    """Raise Failure for what is in front of a command, with the right order of its options."""
    _, parser = command_parser(command)
    options = parser._option_string_actions
    if words[0].partition("=")[0] in options:
        from shlex import join

        rest = list(words)
        rest.remove(command)
        line = join(["kproto", command, *rest])
        where = f"{words[0]} is an option of {command}, and goes behind it"
        raise Failure(f"{where}: {line}", WRONG_USE)
    parser.error(f"unrecognized arguments: {words[0]}")


def _did_you_mean(name: str, names: Iterable[str], *, lists_all: bool = False) -> str:
    from ..wording import did_you_mean  # late: only for an error

    return did_you_mean(name, names, lists_all=lists_all)


def _end(line: str) -> None:
    """Say why, after what was written so far; nothing is written after this."""
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        _drop_output()
    with suppress(AttributeError, OSError, ValueError):  # nobody listens
        if line:
            say(line)


def _drop_output() -> None:
    """Point stdout at nothing, so that Python does not complain again when it closes it."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
    except (AttributeError, OSError, ValueError):
        pass


_UNKNOWN_OPTION = r"^unrecognized arguments: (--?[^ =]+)"
_OF_KAFKAS_TOOL = {
    "--describe": "kproto group NAME describes a group",
    "--list": "kproto group lists all groups",
    "--members": "kproto group NAME shows the members, too",
    "--offsets": "kproto group NAME shows the offsets, too",
    "--all-groups": "kproto group lists all groups",
    "--reset-offsets": "kproto only reads",
    "--delete": "kproto only reads",
}
"""What to do in place of options of kafka-consumer-groups."""
_OTHER_NAMES = {
    "--format": "--output",
    "--csv": "--output csv",
    "--table": "--output table",
    "--bootstrap": "--bootstrap-server",
    "--bootstrap-servers": "--bootstrap-server",
    "--broker": "--bootstrap-server",
    "--brokers": "--bootstrap-server",
}
"""How options are called in other tools, and here."""
_MISSING = "the following arguments are required"
_NO_CHOICE = r"invalid choice: '([^']*)' \(choose from (.*)\)"


class Parser(ArgumentParser):
    """A parser that reports wrong use in one line, where argparse prints the usage too. `pager`
    is "never" where a long help does not go through the pager."""

    pager = "auto"
    _words: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words, and keep them for the message about one that is missing."""
        self._words = sys.argv[1:] if args is None else args
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message}{self._advice(message)} (see {self.prog} --help)", WRONG_USE)

    def _advice(self, message: str) -> str:
        """Return the option or value that was probably meant."""
        unknown = re.search(_UNKNOWN_OPTION, message)
        if unknown is not None:
            return self._meant(unknown[1])
        if message.startswith(_MISSING):  # argparse tells this first, of a misspelt one too
            names = (word.partition("=")[0] for word in self._words if word.startswith("--"))
            wrong = [name for name in names if name not in self._option_string_actions]
            return f"; {wrong[0]} is no option{self._meant(wrong[0])}" if wrong else ""
        choice = re.search(_NO_CHOICE, message)
        return "" if choice is None else _did_you_mean(choice[1], re.findall(r"[\w.-]+", choice[2]))

    def _meant(self, name: str) -> str:
        is_broker = _OTHER_NAMES.get(name, name) == "--bootstrap-server"
        if (
            is_broker
            and "--bootstrap-server" not in self._option_string_actions
            and "kafka://" in self.format_help()
        ):
            return "; a broker is a source: kafka://HOST:PORT"
        if self.prog.endswith(" group") and name in _OF_KAFKAS_TOOL:
            return f"; {_OF_KAFKAS_TOOL[name]}"
        own = _OTHER_NAMES.get(name, "")
        if own.partition(" ")[0] in self._option_string_actions:
            return f"; here it is {own}"
        return _did_you_mean(name, self._option_string_actions)

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike argparse, fail where it cannot be written."""
        text = self.format_help()
        with through_pager(self.pager):
            print(text, end="", file=file)


class _Formatter(RawDescriptionHelpFormatter):
    """Fills paragraphs in the terminal's width, and breaks no word."""

    def __init__(self, prog: str) -> None:
        width = terminal_columns() - 2
        super().__init__(prog, max_help_position=min(24, max(8, width // 4)), width=width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return str(_wrapping().wrapped_paragraphs(text, width))

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines: list[str] = _wrapping().in_lines(text, width)
        return lines

    def _format_usage(self, *arguments: Any) -> str:
        return str(_wrapping().wrapped_usage(super()._format_usage(*arguments), self._width))

    def format_help(self) -> str:
        """Return the help; what argparse leaves in one line, whatever its length, is wrapped."""
        return "\n".join(
            line
            if len(line) <= self._width
            else _wrapping().wrapped(line.replace(",", ", "), self._width)
            for line in super().format_help().split("\n")
        )


def _wrapping() -> Any:
    """Import what help alone needs of the output's modules."""
    return import_module(".output.wrapping", __package__)


def command_parser(name: str) -> tuple[Any, Parser]:
    """Return the module of a sub-command, which this imports, and the parser that it configured."""
    command = import_module(f".commands.{name}", __package__)
    parser = _parser(prog=f"kproto {name}", description=command.__doc__)
    command.configure(parser)
    parser.add_argument(
        "--config", metavar="FILE", help="defaults of options, in TOML; else that of $KPROTO_CONFIG"
    )
    statuses = "; ".join(f"{status} {why}" for status, why in statuses_of(name).items())
    parser.epilog = f"{parser.epilog or ''} exit status: {statuses}".strip()
    return command, parser


def top_parser(commands: Mapping[str, str]) -> Parser:
    """Return the parser of a line that does not begin with a sub-command."""
    parser = _parser(
        prog="kproto",
        description="Decode, check and simulate what Kafka consumers tell each other.",
    )
    parser.add_argument(
        "-V", "--version", action="store_true", help="print the version and the engine"
    )
    parser.add_argument("command", nargs="?", help=SUPPRESS)
    width = max(map(len, commands))
    lines = [f"  {name:{width}}  {summary}" for name, summary in commands.items()]
    lines += ["", "kproto COMMAND --help, or kproto help COMMAND, says more about each."]
    parser.epilog = "\n".join(["commands:", *lines])
    parser.usage = "kproto [--help] [--version] COMMAND ..."
    return parser


def _parser(*, prog: str, description: str | None) -> Parser:
    return Parser(
        prog=prog,
        description=description,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
