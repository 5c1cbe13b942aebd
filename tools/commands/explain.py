"""Print the page of any word that kproto prints: what it is, and what it means for a running group.

That is a code, a rule, a guarantee, a remark, a cause. An error, or a line of a log, is taken as
well: what it means, what can be behind it, how to tell the causes apart, and the first command.
Without a code, and with nothing piped in, codes and rules are listed.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ..output.terminal import add_output, add_pager, add_redact


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto explain`."""
    parser.add_argument(
        "code",
        metavar="CODE",
        nargs="*",
        help="KP007, rebalance-storm, UNKNOWN_MEMBER_ID, 'a line of a log', a file of text, or - "
        "for standard input; default: what is piped in, else the list of codes and rules",
    )
    add_output(parser, "one object a code")
    add_redact(parser)
    add_pager(parser)
