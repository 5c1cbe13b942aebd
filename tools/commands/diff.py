"""Show two captures beside each other, with the fields that differ marked.

A and B are what `kproto decode` takes: hex, a file, or - for standard input. Where they hold
several messages, the first is compared with the first, and so on; captures are compared record by
record, or frame by frame, with headers and bodies.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ..input import inputs
from ..input.message_types import add_body_version, add_definitions
from ..output.terminal import add_export, add_output, add_view


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto diff`."""
    parser.add_argument("a", metavar="A", help="hex, a file, or - for standard input")
    parser.add_argument("b", metavar="B", help="the same, for what it is compared with")
    inputs.add_form(parser)
    parser.add_argument(
        "--as", dest="name", metavar="NAME", help="message type of the bytes (default: identify it)"
    )
    add_definitions(parser)
    add_body_version(parser)
    add_output(parser, "one object a pair of messages")
    parser.add_argument("--full", action="store_true", help="fold nothing that is the same")
    add_view(parser)
    add_export(parser)
