"""Ask a cluster for its groups, or for one group with its members' bytes opened. Nothing is joined,
committed or created.

Without NAME all groups are listed: kind, state, protocol, members, lag, the worst remark. With NAME
each member is shown: what it subscribes to, owned and has, which client could have written its
bytes, what is wrong with them, and who could not read whom.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from .options.broker_settings import add_settings, client_settings, settings_of
from .output.failures import WRONG_USE, Failure, say
from .output.json_output import print_json
from .output.terminal import add_export, add_view, check_export, redaction_of

if TYPE_CHECKING:
    from ..cluster.connection.wire import Exchange
    from ..cluster.future import Timeouts
    from ..cluster.model import Group, Listed, Listing
    from ..cluster.saved import Saved
    from ..cluster.transport import Recorder

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
        "--what-if and --plan ask for settings, too: DESCRIBE_CONFIGS on CLUSTER and GROUP. "
        "exit status: 0 as asked; 2 wrong use, or a broker that does not answer or refuses"
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the group; default: list all")
    source = parser.add_argument_group("the cluster")
    source.add_argument("--bootstrap", metavar="HOST:PORT", help="brokers, separated by commas")
    source.add_argument(
        "--command-config",
        metavar="FILE",
        help="client settings by the names of the Java client or librdkafka; also KAFKA_... in "
        "the environment: KAFKA_SASL_JAAS_CONFIG is sasl.jaas.config",
    )
    source.add_argument(
        "--timeout", metavar="S", type=_seconds, default=15.0, help="seconds in all; default: 15"
    )
    source.add_argument("--save", metavar="FILE", help="keep the brokers' answers in FILE, too")
    source.add_argument(
        "--from", dest="saved", metavar="FILE", help="read what --save kept instead"
    )
    chosen = parser.add_argument_group("the list")
    chosen.add_argument("--match", metavar="PATTERN", help="only names like this: 'orders-*'")
    chosen.add_argument("--state", metavar="STATE", action="append", default=[], help="only these")
    chosen.add_argument("--kind", choices=_KINDS, action="append", default=[], help="only these")
    chosen.add_argument("--sort", choices=list(_SORTED), default="name", help="default: name")
    chosen.add_argument("--no-lag", dest="lag", action="store_false", help="do not ask for offsets")
    watched = parser.add_argument_group("watching")
    watched.add_argument(
        "--watch", action="store_true", help="what changes, as it changes: joins, rebalances"
    )
    watched.add_argument(
        "--interval", metavar="S", type=_seconds, default=1.0, help="between looks; default: 1"
    )
    watched.add_argument(
        "--requests", metavar="N", type=_seconds, default=10.0,
        help="requests a second at most; default: 10",
    )  # fmt: skip
    watched.add_argument(
        "--for", dest="seconds", metavar="S", type=_seconds, help="stop after so long"
    )
    future = parser.add_argument_group("what would happen")
    future.add_argument(
        "--what-if",
        metavar="CHANGE",
        action="append",
        default=[],
        help="who would own what, and what it costs; several are compared: assignor=NAME, join=N, "
        "leave=CLIENT, topic=NAME:PARTITIONS, protocol=consumer, or some with commas",
    )
    future.add_argument(
        "--plan",
        choices=["cooperative", "consumer"],
        help="the way of this group to another protocol: clients, restarts, checks, the way back",
    )
    add_settings(future, "for --plan consumer, which assumes a 4.3 broker's defaults otherwise")
    future.add_argument(
        "--session-timeout", metavar="S", type=_seconds,
        help="of the members, which a broker does not tell; default: session.timeout.ms of "
        "--command-config, or 45",
    )  # fmt: skip
    future.add_argument(
        "--max-poll-interval", metavar="S", type=_seconds,
        help="of the members, which a broker does not tell; default: max.poll.interval.ms of "
        "--command-config, or 300",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object a group")
    parser.add_argument("--full", action="store_true", help="every partition, nothing cut short")
    add_view(parser)
    add_export(parser)


def run(arguments: Namespace) -> int:
    """Show the list or the group; raise Failure where the cluster does not answer."""
    check_export(arguments)
    _check(arguments)
    from ..cluster.errors import ClusterError  # late: not for --help

    with _recorder(arguments) as recorder:
        try:
            if not arguments.saved:
                arguments.settings = client_settings(arguments.bootstrap, arguments.command_config)
            if arguments.watch:
                from .group_watch import watch  # late: few calls watch

                return watch(arguments, recorder)
            if arguments.name is None:
                return _list(arguments, recorder)
            show = _show_futures if arguments.what_if else _show_plan if arguments.plan else _show
            show(arguments, _group(arguments, recorder))
        except ClusterError as error:
            raise Failure(str(error), WRONG_USE) from None
    return 0


def _check(arguments: Namespace) -> None:
    if arguments.name == "":
        raise Failure("the name of a group is empty: leave it out to list all groups", WRONG_USE)
    live = arguments.bootstrap or arguments.command_config
    if arguments.saved and (live or arguments.save):
        raise Failure("--from reads a file: it goes without a cluster and --save", WRONG_USE)
    if arguments.watch and (arguments.saved or arguments.svg or arguments.html):
        raise Failure("--watch shows a live cluster, and makes no picture", WRONG_USE)
    asked = [name for name in ("watch", "what_if", "plan") if getattr(arguments, name)]
    if len(asked) > 1:
        first, second = (f"--{name.replace('_', '-')}" for name in asked[:2])
        raise Failure(f"{first} and {second} are two views: ask for one of them", WRONG_USE)
    if arguments.told and arguments.plan != "consumer":
        raise Failure("--set is for --plan consumer: nothing else depends on it", WRONG_USE)
    for option in ("what_if", "plan"):
        if getattr(arguments, option) and arguments.name is None:
            name = option.replace("_", "-")
            raise Failure(f"--{name} is about one group: its NAME is missing", WRONG_USE)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 3600:
        raise ArgumentTypeError(f"{text!r} is not a number of seconds up to 3600")
    return seconds


# -- the list


def _list(arguments: Namespace, recorder: Recorder | None) -> int:
    listing = _listing(arguments, recorder)
    redaction = redaction_of(arguments)
    if redaction is not None:
        from ..cluster.redaction import redacted_listing

        listing = redacted_listing(listing, redaction)
    if arguments.json:
        for row in listing.groups:
            print_json(row)
        for problem in listing.problems:
            say(problem)
    else:
        from ..cluster.views.listing_view import ListingView
        from .output.terminal import screen

        with screen(arguments) as console:
            console.print(ListingView(listing), crop=False)
    if not listing.complete:
        raise Failure("not every broker has answered: the list is not complete", WRONG_USE)
    return 0


def _listing(arguments: Namespace, recorder: Recorder | None) -> Listing:
    from msgspec.structs import replace

    def named(group: str) -> bool:
        return arguments.match is None or fnmatchcase(group, arguments.match)

    if arguments.saved:
        listing = _saved(arguments.saved).listing()
        states = {state.lower() for state in arguments.state}
        rows = [
            row
            for row in listing.groups
            if named(row.group_id)
            and (not states or row.state.lower() in states)
            and (not arguments.kind or row.kind in arguments.kind)
        ]
        listing = replace(listing, groups=tuple(rows))
    else:
        from ..cluster.api import list_groups

        listing = list_groups(
            config=arguments.settings,
            states=arguments.state,
            kinds=arguments.kind,
            name=named,
            lag=arguments.lag,
            timeout=arguments.timeout,
            recorder=recorder,
        )
    return replace(listing, groups=tuple(sorted(listing.groups, key=_SORTED[arguments.sort])))


# -- one group


def _group(arguments: Namespace, recorder: Recorder | None) -> Group:
    if arguments.saved:
        return _saved(arguments.saved).describe(arguments.name)
    from ..cluster.api import describe_group

    return describe_group(
        arguments.name,
        config=arguments.settings,
        settings=bool(arguments.what_if or arguments.plan or arguments.save),
        timeout=arguments.timeout,
        recorder=recorder,
    )


def _show(arguments: Namespace, group: Group) -> None:
    redaction = redaction_of(arguments)
    if redaction is not None:
        from ..cluster.redaction import redacted_group

        group = redacted_group(group, redaction)
    if arguments.json:
        print_json(group)
        return
    from ..cluster.views.group_view import GroupView
    from .output.terminal import screen

    with screen(arguments) as console:
        console.print(GroupView(group, full=arguments.full), crop=False)


def _show_futures(arguments: Namespace, group: Group) -> None:
    from ..cluster.future import futures, parse_wish

    timeouts = _timeouts(arguments)
    wishes = [parse_wish(text) for text in arguments.what_if]
    if arguments.redact:
        raise Failure("--what-if names what it changes: it goes without --redact", WRONG_USE)
    found = futures(group, wishes, timeouts)
    if arguments.json:
        for future in found:
            print_json(future)
        return
    from ..cluster.views.future_view import FutureView
    from .output.terminal import screen

    with screen(arguments) as console:
        console.print(FutureView(group, found, full=arguments.full), crop=False)


_TIMEOUTS = {
    "session": "session.timeout.ms",
    "max_poll": "max.poll.interval.ms",
    "heartbeat": "heartbeat.interval.ms",
}


def _timeouts(arguments: Namespace) -> Timeouts:
    """Return the members' settings: as the options have it, else the client's settings."""
    from ..cluster.future import Timeouts

    given = {"session": arguments.session_timeout, "max_poll": arguments.max_poll_interval}
    found: dict[str, float] = {}
    for field, key in _TIMEOUTS.items():
        seconds = given.get(field)
        if seconds is None and not arguments.saved:
            text = arguments.settings.get(key)
            seconds = int(text) / 1000 if text.isdecimal() and 0 < int(text) < 2**31 else None
        if seconds is not None:
            found[field] = seconds
    return Timeouts(told=tuple(_TIMEOUTS[field] for field in found), **found)


def _show_plan(arguments: Namespace, group: Group) -> None:
    from ..cluster.migration import Place, plan

    if arguments.redact:
        raise Failure("--plan names members and commands: it goes without --redact", WRONG_USE)
    place = Place(
        arguments.bootstrap or ("HOST:PORT" if arguments.saved else ""),
        arguments.command_config or "",
    )
    made = plan(group, arguments.plan, place, settings_of(arguments))
    if arguments.json:
        print_json(made)
        return
    from ..cluster.views.plan_view import PlanView
    from .output.terminal import screen

    with screen(arguments) as console:
        console.print(PlanView(made))


# -- files


def _saved(file: str) -> Saved:
    from ..cluster.saved import read_saved

    try:
        with open(file, "rb") as stream:  # noqa: PTH123  # importing pathlib costs more
            return read_saved(stream, file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{file!r} cannot be read: {reason}", WRONG_USE) from None


@contextmanager
def _recorder(arguments: Namespace) -> Iterator[Recorder | None]:
    if not arguments.save:
        yield None
        return
    from ..cluster.saved import lines_of

    try:
        stream = open(arguments.save, "w", encoding="ascii")  # noqa: PTH123, SIM115
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{arguments.save!r} cannot be written: {reason}", WRONG_USE) from None
    with stream:

        def record(exchange: Exchange, peer: str) -> None:
            stream.write(lines_of(exchange, peer))

        yield record
