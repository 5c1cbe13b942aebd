"""Ask a cluster for its groups, or what is wrong with one group. Nothing is joined, committed or
created.

Without NAME all groups are listed: kind, state, protocol, members, lag, the worst remark. With NAME
the group's own records of the last hours are read: what is wrong, since when, why, and what to do.
Then each member is shown: what it subscribes to, owned and has, which client could have written its
bytes, what is wrong with them, and who could not read whom.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..input import inputs
from ..options.shared_options import (
    add_client_settings,
    add_settings,
    add_stated_clients,
    duration,
)
from ..output.terminal import add_export, add_output, add_view

if TYPE_CHECKING:
    from ...inspector.shapes.group_shapes import Listed

_SORTED: dict[str, Callable[[Listed], Any]] = {
    "name": lambda row: row.group_id,
    "lag": lambda row: -(row.lag if row.lag is not None else -1),
    "members": lambda row: -(row.members or 0),
    "state": lambda row: row.state,
    "remark": lambda row: ("error", "warning", "note", "").index(row.worst),
}
_KINDS = ("classic", "consumer", "share", "streams", "connect")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto group`."""
    parser.epilog = (
        "Needs the ACLs DESCRIBE on CLUSTER (or on each GROUP), on GROUP, and on TOPIC for lag; "
        "--what-if and --plan ask for settings, too: DESCRIBE_CONFIGS on CLUSTER and GROUP."
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the group; default: list all")
    source = parser.add_argument_group("the cluster")
    source.add_argument(
        "--bootstrap-server", metavar="HOST:PORT[,...]", help="brokers to ask first"
    )
    source.add_argument(
        "--command-config",
        metavar="FILE",
        help="client settings by the names of the Java client or librdkafka; also KAFKA_... in "
        "the environment: KAFKA_SASL_JAAS_CONFIG is sasl.jaas.config",
    )
    source.add_argument(
        "--timeout",
        metavar="DURATION",
        type=duration,
        default=15.0,
        help="for all answers, and for a group that is rebalancing to become Stable for --what-if "
        "and --plan; default: 15s",
    )
    source.add_argument(
        "--rate",
        metavar="DURATION",
        type=duration,
        help="look twice at the offsets, so long apart: what arrives and is read a second",
    )
    inputs.add_since(
        source,
        default=f"{inputs.RECENT_HOURS}h",
        text=f"since when the group's own records are read; default: {inputs.RECENT_HOURS}h",
    )
    source.add_argument(
        "--history",
        action=BooleanOptionalAction,
        help="read the records of the offsets topic, which tell since when and why a group "
        "rebalances; default: for NAME, not for the list",
    )
    source.add_argument(
        "--save",
        metavar="FILE",
        help="keep the brokers' answers in FILE, too, and the records of NAME; with --redact what "
        "was found, under stand-ins for names",
    )
    source.add_argument(
        "--from",
        dest="saved",
        metavar="FILE",
        help="read what --save kept instead, or the output of kafka-consumer-groups, rpk or kaf",
    )
    add_client_settings(source)
    chosen = parser.add_argument_group("the list")
    chosen.add_argument(
        "--group", metavar="NAME", action="append", help="only these: 'orders-*'; repeatable"
    )
    chosen.add_argument("--state", metavar="STATE", action="append", default=[], help="only these")
    chosen.add_argument("--kind", choices=_KINDS, action="append", default=[], help="only these")
    chosen.add_argument("--sort", choices=list(_SORTED), default="name", help="default: name")
    chosen.add_argument("--no-lag", dest="lag", action="store_false", help="do not ask for offsets")
    watched = parser.add_argument_group("watching")
    watched.add_argument(
        "--watch",
        metavar="DURATION",
        type=duration,
        nargs="?",
        const=1.0,
        help="ask again after so long, by default 1s, and show what changes: joins, rebalances",
    )
    watched.add_argument(
        "--requests", metavar="N", type=_rate, default=10.0,
        help="requests a second at most; default: 10",
    )  # fmt: skip
    watched.add_argument(
        "--for", dest="seconds", metavar="DURATION", type=duration, help="stop after so long"
    )
    future = parser.add_argument_group("what would happen")
    future.add_argument(
        "--what-if",
        metavar="CHANGE",
        action="append",
        default=[],
        help="who would own what, and what it costs; several are compared: assignor=NAME, join=N "
        "(N more members), members=N (N in all), leave=CLIENT, topic=NAME:PARTITIONS, "
        "protocol=consumer, or some with commas",
    )
    future.add_argument(
        "--plan",
        choices=["cooperative", "consumer"],
        help="the way of this group to another protocol: clients, restarts, checks, the way back",
    )
    add_stated_clients(future)
    add_settings(future, "for --plan consumer, which assumes a 4.3 broker's defaults otherwise")
    future.add_argument(
        "--session-timeout", metavar="DURATION", type=duration,
        help="members' session timeout; default: the longest in the group's records, else "
        "session.timeout.ms of --command-config",
    )  # fmt: skip
    future.add_argument(
        "--max-poll-interval", metavar="DURATION", type=duration,
        help="members' rebalance timeout; default: the longest in the group's records, else "
        "max.poll.interval.ms of --command-config",
    )  # fmt: skip
    add_output(parser, "one object a group", "csv")
    parser.add_argument("--full", action="store_true", help="every partition, nothing cut short")
    parser.add_argument(
        "--level",
        choices=["note", "warning", "error"],
        default="warning",
        help="which remarks the view of a group shows: all (note), all but those on style "
        "(warning), or errors alone; default: warning",
    )
    add_view(parser)
    add_export(parser)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0
    if not 0 < rate <= 3600:
        raise ArgumentTypeError(f"{text!r} is no number of requests a second up to 3600")
    return rate
