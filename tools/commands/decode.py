"""Show what bytes are: type, version, every field with its place, and what deviates.

On a terminal the inspector is shown, with the bytes in hex beside the fields; elsewhere the tree
of fields, 100 columns wide or as COLUMNS says. Without --as the type is found out, and rivals are
named.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ...codec.read.decoding import Policy
from ..input import inputs
from ..input.message_types import add_body_version, add_definitions
from ..output.terminal import add_export, add_output, add_view


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto decode`."""
    inputs.add_input(parser)
    parser.add_argument(
        "--as", dest="name", metavar="NAME", help="message type of the bytes (default: identify it)"
    )
    add_definitions(parser)
    parser.add_argument(
        "--api-key",
        metavar="KEY",
        help="API of the request that this response belongs to: 11 or JoinGroup",
    )
    parser.add_argument(
        "--api-version",
        metavar="N",
        type=int,
        help="version of the request that this response belongs to",
    )
    add_body_version(parser)
    parser.add_argument(
        "--reader-version",
        metavar="N",
        type=int,
        help="read as a client whose highest known version is N",
    )
    parser.add_argument(
        "--policy",
        choices=[policy.value for policy in Policy],
        default=Policy.KAFKA.value,
        help="kafka: reject what Kafka rejects (default); strict: also any encoding deviation; "
        "lenient: nothing",
    )
    add_output(parser, "one object a message")
    parser.add_argument(
        "--full",
        action="store_true",
        help="do not collapse long lists; with --json, print the fields of every frame and record",
    )
    parser.add_argument(
        "--bytes", action="store_true", help="with --json, print the bytes of each message in hex"
    )
    parser.add_argument(
        "--field", metavar="PATH", help="one field alone, with what is in it: owned_partitions[3]"
    )
    _add_filters(parser)
    add_view(parser)
    add_export(parser)


def _add_filters(parser: ArgumentParser) -> None:
    """Add the options for captures."""
    group = parser.add_argument_group("packets and frames; --group of the offsets topic, too")
    for name, noun in (("group", "group"), ("client", "client id"), ("topic", "topic")):
        group.add_argument(
            f"--{name}",
            metavar="NAME",
            action="append",
            help=f"only what is about this {noun} (may be given several times)",
        )
    inputs.add_since(
        group, text="only from then on: 2026-11-21T08:29:34.5, 08:29:34 (UTC), or 2h ago"
    )
    group.add_argument(
        "--until", metavar="TIME", type=inputs.moment, help="only until then, and read no further"
    )
    group.add_argument(
        "--hosts", action="store_true", help="name both ends of the connection in the story"
    )
