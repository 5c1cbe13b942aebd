"""The options of what shows views; `terminal` does what they say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..output.failures import WRONG_USE, Failure


def add_view(parser: ArgumentParser) -> None:
    """--color and --no-pager."""
    parser.add_argument(
        "--color",
        choices=["auto", "always", "never"],
        default="auto",
        help="always: as on a terminal, in colour, wherever it goes; never: without colour",
    )
    parser.add_argument(
        "--no-pager",
        dest="pager",
        action="store_false",
        help="on a terminal too, print it all at once; else $PAGER, or less, shows what is long",
    )


def add_export(parser: ArgumentParser) -> None:
    """--svg, --html and --redact: for a bug report."""
    export = parser.add_mutually_exclusive_group()
    export.add_argument("--svg", metavar="FILE", help="write the view into a picture instead")
    export.add_argument("--html", metavar="FILE", help="write the view into a page instead")
    parser.add_argument(
        "--redact",
        action="store_true",
        help="hide names, hosts and user data; lengths and structure stay",
    )


def check_export(arguments: Namespace) -> None:
    """A picture is of the view, and --json shows none. Raises Failure."""
    file = arguments.svg or arguments.html
    if arguments.json and file:
        raise Failure(f"--json is no view, so there is nothing to write to {file!r}", WRONG_USE)
