"""Tell which consumer groups can move to the next protocol (KIP-848), what stops the others, and
how to go about it.

SOURCE is a running cluster (kafka://HOST:PORT, which is only asked), what `kproto group --save`
kept of one, the offsets topic (log segments or a folder of them), a packet capture, frames in JSON
lines, the hex of a member's subscription or assignment, or JSON lines with a group each: {"group",
"protocolType", "state", "protocol", "members": [{"member", "instance", "protocols": [{"name",
"metadata"}], "assignment"}], "topics": {"orders": 12}, "settings":
{"group.consumer.migration.policy": "bidirectional"}}, with bytes in hex. What is not known is left
out; settings that are left out have the defaults of a 4.3 broker.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ..options.shared_options import (
    add_client,
    add_settings,
    add_stated_clients,
    partition_counts,
)
from ..output.terminal import add_export, add_output, add_view


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto migrate`."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="files, folders, hex, kafka://HOST:PORT, or - for a pipe",
    )
    parser.add_argument(
        "--group", metavar="NAME", action="append",
        help="only these groups, with their plans; * stands for any text; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--with-members",
        action="store_true",
        help="judge each group of a capture that is empty now as it was before, with the "
        "members that left one after another; an empty group can always move",
    )
    add_stated_clients(parser)
    add_settings(parser, "where SOURCE does not have it")
    parser.add_argument(
        "--topics",
        metavar="TOPIC=N,... | @FILE",
        type=partition_counts,
        help="the topics that the broker has and their partitions, where SOURCE does not",
    )
    add_client(parser)
    add_output(parser, "one object a group", "csv", "sarif")
    add_export(parser)
    add_view(parser)
