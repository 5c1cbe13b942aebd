"""Parse the command line with argparse, with one line for wrong use."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

from .output.failures import WRONG_USE, Failure


class Parser(ArgumentParser):
    """A parser that reports wrong use in one line, where argparse prints the usage too."""

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message} (see {self.prog} --help)", WRONG_USE)

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike argparse, fail where it cannot be written."""
        print(self.format_help(), end="", file=file)


def command_parser(name: str) -> tuple[Any, Parser]:
    """Return the module of a sub-command, which this imports, and the parser that it configured."""
    command = import_module(f".{name}", __package__)
    parser = _parser(prog=f"kproto {name}", description=command.__doc__)
    command.configure(parser)
    return command, parser


def top_parser(commands: Mapping[str, str]) -> Parser:
    """Return the parser of a line that does not begin with a sub-command."""
    parser = _parser(prog="kproto", description="The workbench for the bytes of Kafka consumers.")
    parser.add_argument("--version", action="store_true", help="print the version and the engine")
    parser.add_argument("command", nargs="?", help=SUPPRESS)
    width = max(map(len, commands))
    lines = [f"  {name:{width}}  {summary}" for name, summary in commands.items()]
    lines += ["", "kproto COMMAND --help says more about each."]
    parser.epilog = "\n".join(["commands:", *lines])
    parser.usage = "kproto [--help] [--version] COMMAND ..."
    return parser


def _parser(*, prog: str, description: str | None) -> Parser:
    return Parser(
        prog=prog,
        description=description,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
