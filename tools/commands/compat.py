"""Check that a changed message definition is backward compatible, and show what breaks.

OLD and NEW are definitions in Kafka's JSON dialect (a file, folder, jar or zip), or `built-in`.
A break comes with a pair of example bytes, as hex: what one side writes, what the other would write
for the same, and what that makes of the former.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ..output.terminal import add_output, add_pager


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto compat`."""
    parser.add_argument("old", metavar="OLD", help="definitions as they were")
    parser.add_argument("new", metavar="NEW", help="definitions as they shall be")
    add_output(parser, "one object a change")
    add_pager(parser)
