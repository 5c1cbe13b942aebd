"""Options of the sub-commands that show views, and what follows from them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ..output.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from ...inspector.views.redaction import Redaction


def add_view(parser: ArgumentParser) -> None:
    """Add --color and --no-pager."""
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


def check_export(arguments: Namespace) -> None:
    """Raise Failure where --json and a picture are asked for at once: a picture is of the view."""
    file = arguments.svg or arguments.html
    if arguments.json and file:
        raise Failure(f"--json is no view, so there is nothing to write to {file!r}", WRONG_USE)


def redaction_of(arguments: Namespace) -> Redaction | None:
    """Return the placeholders for this call, none given yet; None without --redact."""
    if not arguments.redact:
        return None
    from ...inspector.views.redaction import Redaction  # late: few calls need it

    return Redaction()
