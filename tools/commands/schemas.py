"""List the message definitions, search them, or show the fields of one.

With --version the bytes of that version are drawn, with offsets and widths. With --json-output the
JSON Schema of what a command's --json prints is shown instead.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ...inspector.shapes import SHAPES
from ..input.message_types import add_definitions
from ..output.terminal import add_view


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto schemas`."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="the message to show; default: list all"
    )
    parser.add_argument(
        "--version", metavar="N", type=int, help="draw the bytes of this version of NAME"
    )
    parser.add_argument(
        "--search", metavar="WORD", help="where WORD occurs: in names, fields and comments"
    )
    parser.add_argument(
        "--json-output",
        metavar="OUTPUT",
        choices=list(SHAPES),
        help=f"the JSON Schema of a line of an output: {', '.join(SHAPES)}",
    )
    add_definitions(parser)
    add_view(parser)
