"""Find what is wrong with messages, or odd about them, and tell who could have written them.

With --readers, tell what released clients would do with these bytes. INPUT is hex, a file in any
form that holds bytes, a packet capture, log segments of the offsets topic, or a folder of these.
What is inside a message, down to the user data, is judged too.
`kproto explain CODE` says what a code means for a running group.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from ...codec.read.deviations import CODES
from ...inspector.diagnose.levels import LEVELS
from ..input import inputs
from ..input.message_types import add_body_version, add_definitions
from ..output.terminal import add_output, add_pager, add_redact


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto lint`."""
    parser.add_argument(
        "input", metavar="INPUT", nargs="*", help="hex, files, folders, captures, or - for a pipe"
    )
    inputs.add_form(parser)
    parser.add_argument(
        "--as", dest="name", metavar="NAME", help="message type of the bytes (default: identify it)"
    )
    add_definitions(parser)
    add_body_version(parser)
    parser.add_argument(
        "--level",
        choices=LEVELS,
        default=LEVELS[-1],
        help="minimum level to report (default: note)",
    )
    parser.add_argument(
        "--fail-on",
        choices=(*LEVELS, "never"),
        default=LEVELS[-1],
        help="the lowest level of a finding that makes the status 1 (default: every finding that "
        "is reported)",
    )
    inputs.add_selection(parser, _codes, "KP040,KP06")
    parser.add_argument("--baseline", metavar="FILE", help="leave out the findings in FILE")
    parser.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="save current findings as the baseline and print nothing",
    )
    parser.add_argument(
        "--readers", metavar="NAMES", nargs="?", const="all",
        help="what these clients would do with it: sarama,librdkafka (status 1 if one of them "
        "cannot read it); or all, as without names: who could not",
    )  # fmt: skip
    add_redact(parser)
    add_pager(parser)
    add_output(parser, "one object a message, with its fingerprint", "sarif")


def _codes(text: str) -> tuple[str, ...]:
    codes = inputs.names_in(text.upper())
    for code in codes:
        if not any(code_known.startswith(code) for code_known in CODES):
            raise ArgumentTypeError(f"no code begins with {code!r}; kproto explain lists all")
    return codes
