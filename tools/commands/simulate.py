"""Run a consumer group without a cluster: who owns what when, what it costs, on the real bytes.

SCENARIO is a built-in one (kproto simulate --list), a TOML file, or what `kproto group --save`
kept. `kproto simulate compare A B ...` puts runs side by side: each of them a scenario, or what is
tried on the scenario of --scenario: an assignor, settings (key=value,...), or a protocol (eager,
cooperative, mixed, consumer). `kproto simulate compare protocols` compares all of these.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from ..output.terminal import add_output, add_redact, add_view

USUAL = "rolling-bounce"
COMPARE = "compare"
ALL_PROTOCOLS = "protocols"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto simulate`."""
    parser.add_argument("names", metavar="SCENARIO", nargs="*", help=f"default: {USUAL}")
    parser.add_argument("--list", action="store_true", help="list the built-in scenarios")
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        default=USUAL,
        help="the scenario that compare tries settings on",
    )
    parser.add_argument(
        "--assignor", metavar="NAME", help="assignor of all members: a name, or module:Class"
    )
    parser.add_argument("--members", metavar="N", type=_count, help="number of members")
    parser.add_argument("--partitions", metavar="N", type=_count, help="partitions of each topic")
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the delays")
    parser.add_argument("--steps", action="store_true", help="print every event, in order")
    parser.add_argument(
        "--bytes", action="store_true", help="metadata and assignments, opened by the inspector"
    )
    parser.add_argument("--metrics", action="store_true", help="KIP-429's metrics of each member")
    add_output(parser, "one object an event")
    for option, form in (("--svg", "a picture"), ("--png", "the same")):
        parser.add_argument(
            option, metavar="FILE", help=f"write ownership, throughput and lag as {form}"
        )
    parser.add_argument("--html", metavar="FILE", help="write a self-contained HTML page")
    parser.add_argument(
        "--capture",
        metavar="FILE",
        help="every JoinGroup and SyncGroup as bytes: .pcap, else lines of hex",
    )
    add_redact(parser)
    add_view(parser)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to 1000")
    return int(text)
