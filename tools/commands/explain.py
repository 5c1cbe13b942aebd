"""Print the page of a code or an audit rule: what it is, and what it means for a running group.

Without a code all of them are listed.
"""

from __future__ import annotations

from argparse import ArgumentParser


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto explain`."""
    parser.epilog = "exit status: 0 printed; 2 wrong use: a code that there is not"
    parser.add_argument(
        "code", metavar="CODE", nargs="*", help="KP007, rebalance-storm; default: list all"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a code")
