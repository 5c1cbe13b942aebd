"""`kproto`: finds the sub-command, and turns whatever ends it into one line and an exit status.

| status | what it says                                                                    |
|--------|---------------------------------------------------------------------------------|
| 0      | decoded under the policy, whatever the deviations; or done as asked              |
| 1      | bytes or values were refused; a finding; the result could not be written         |
| 2      | wrong use: an option, a name, a file that is not there                           |
| 130    | interrupted (Ctrl-C); 141: the reader of the output went away; as shells have it |

A sub-command is a module with `SUMMARY`, `configure(parser)` and `run(arguments)`; only the one
that is asked for is imported.
"""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

from .failures import REFUSED, WRONG_USE, Failure, say

COMMANDS = {
    "decode": "show what bytes are, field by field",
    "encode": "write a message from its JSON as hex",
    "compat": "tell whether one definition may follow another",
    "schemas": "list the message definitions, or show the fields of one",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's) and return its exit status."""
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except (Failure, KeyboardInterrupt, MemoryError, OSError, RecursionError) as end:
        line, status = _last_words(end)
    _end(line)
    return status


def _last_words(end: BaseException) -> tuple[str, int]:
    match end:
        case Failure():
            return str(end), end.status
        case KeyboardInterrupt():
            return "interrupted", 130
        case BrokenPipeError():
            return "the reader of the output has gone", 141
        case OSError():  # reading has its own words for what goes wrong
            return f"cannot write the result: {end.strerror or end}", REFUSED
        case RecursionError():
            return "refused: nested too deeply", REFUSED
        case _:
            return "out of memory; --max-bytes bounds the input", REFUSED


def _run(given: list[str]) -> int:
    if sys.stdout is None:
        raise Failure("there is no output to write to")
    if isinstance(sys.stdout, TextIOWrapper):  # a name that its encoding lacks is no reason to fail
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _command(given)
    except SystemExit as done:  # argparse has printed its help
        status = int(done.code or 0)
    sys.stdout.flush()  # while somebody can still be told that it failed
    return status


def _command(given: list[str]) -> int:
    if not given or given[0] not in COMMANDS:
        return _no_command(given)
    name, *rest = given
    command = import_module(f".{name}", __package__)
    parser = _parser(prog=f"kproto {name}", description=command.__doc__)
    command.configure(parser)
    status: int = command.run(parser.parse_intermixed_args(rest))
    return status


def _no_command(given: list[str]) -> int:
    parser = _parser(prog="kproto", description="The workbench for the bytes of Kafka consumers.")
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("command", nargs="?", help=SUPPRESS)
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    lines += ["", "kproto COMMAND --help says more about each."]
    parser.epilog = "\n".join(["commands:", *lines])
    parser.usage = "kproto [--help] [--version] COMMAND ..."
    chosen, others = parser.parse_known_args(given)
    if chosen.version:
        from importlib.metadata import version

        print(f"kproto {version('kproto')}")
        return 0
    if chosen.command is not None:
        parser.error(f"there is no command {chosen.command!r}; there are: {', '.join(COMMANDS)}")
    if others:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    parser.print_help()
    return 0


class _Parser(ArgumentParser):
    """One line for wrong use, where argparse would print the usage too, and no silent failure."""

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message} (see {self.prog} --help)", WRONG_USE)

    def print_help(self, file: Any = None) -> None:
        """As argparse does, but where it cannot be written that is said."""
        print(self.format_help(), end="", file=file)


def _parser(*, prog: str, description: str | None) -> ArgumentParser:
    return _Parser(
        prog=prog,
        description=description,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _end(line: str) -> None:
    """Say why, after what was written so far; nothing is written after this."""
    try:
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        _drop_output()
    with suppress(AttributeError, OSError, ValueError):  # nobody listens
        say(line)


def _drop_output() -> None:
    """Point stdout at nothing, so that Python does not complain again when it closes it."""
    with suppress(AttributeError, OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
