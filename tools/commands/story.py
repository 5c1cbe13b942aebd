"""Tell what happened in which consumer group, when, why, and what to do, from logs.

SOURCE is a log of a broker, a client or a Connect worker, in any layout and as any collector wraps
it; a packet capture, or frames; the offsets topic: segments, records that Kafka's tools have
printed or lines of JSON have, or kafka://HOST:PORT, which is only read; what kafka-consumer-groups,
rpk, kcat or kaf print; what was logged around it (kubectl, the journal, a JVM's collector); a
folder of these; or - for standard input. Files may be gzipped. Several sources are put together: a
fact that three of them tell is one, and clocks that differ are set by what both saw.
"""

from __future__ import annotations

from argparse import ArgumentParser

from ..input import inputs
from ..options.shared_options import add_client, add_client_settings
from ..output.terminal import add_export, add_output, add_view


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto story`."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="*",
        help="logs, captures, folders, kafka://HOST:PORT, or -; default: what is piped in",
    )
    parser.add_argument(
        "--group", metavar="NAME", action="append", help="only this group; * stands for any text"
    )
    parser.add_argument(
        "--client", metavar="NAME", action="append", help="only events of this client id"
    )
    inputs.add_since(
        parser, text="2026-11-21T08:29, 08:29:34, or 2h, counted back from the newest line"
    )
    parser.add_argument("--until", metavar="TIME", type=inputs.moment, help="the same")
    parser.add_argument(
        "--zone",
        metavar="ZONE",
        help="of sources that name none: Europe/Berlin, +02:00 (default: UTC, or what others show)",
    )
    parser.add_argument(
        "--release",
        metavar="PROGRAM=RELEASE",
        action="append",
        help="of a program that no source names, for its known faults: kafka-broker=2.3.0",
    )
    add_client_settings(parser)
    parser.add_argument(
        "--follow",
        action="store_true",
        help="SOURCE grows, a file or -: print each event as it comes, and the story at the end",
    )
    add_output(parser, "one object")
    parser.add_argument(
        "--full", action="store_true", help="every rebalance, event, line, and frame of a capture"
    )
    parser.add_argument(
        "--hosts", action="store_true", help="with --full: both ends of each frame's connection"
    )
    add_client(parser)
    add_view(parser)
    add_export(parser)
