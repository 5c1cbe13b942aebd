"""Run `kproto group`: list the groups of a cluster, or show one."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from argparse import Namespace
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from shlex import quote
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec.structs import replace
from rich.live import Live

from ..cluster.api import InspectedGroup, inspect_group, inspect_groups, watch_group_async
from ..cluster.changes import WatchTally
from ..cluster.errors import ClusterError, ConfigError, NoSuchGroup
from ..cluster.migration import GroupAddress, plan
from ..cluster.recent_records import Bounds, RecentRecords
from ..cluster.redaction import redacted_change, redacted_group, redacted_listing
from ..cluster.saved import Saved, lines_of, read_groups_in
from ..cluster.saved_facts import SavedFacts, facts_lines
from ..cluster.saved_history import histories_in, history_in, history_lines
from ..cluster.tool_outputs import ToolSnapshots
from ..cluster.views.change_line import ChangeLine, LiveGroup
from ..cluster.views.diagnosis_view import closing_text
from ..cluster.views.future_view import FutureView
from ..cluster.views.group_view import GroupView
from ..cluster.views.listing_view import ListingView
from ..cluster.views.member_names import ClientNames
from ..cluster.views.plan_view import PlanView
from ..cluster.watching import Look
from ..cluster.what_if import Timeouts, futures, parse_wish
from ..files import replacing
from ..inspector.views.stand_ins import without_names
from ..pipeline.audit import RULES
from ..pipeline.group_diagnosis import (
    RecordedMembers,
    names_to_hide,
    recorded_members,
    redacted_history,
    with_histories,
    with_history,
)
from ..rebalance.client_settings import judge_settings
from ..rebalance.judgements import JUDGEMENTS
from ..rebalance.migration import names_of_away, note_of_away
from ..rebalance.observed import observed_in_look
from ..wording import counted, is_named, no_such
from .commands.group import _SORTED
from .input.client_settings import read_client_settings, settings_of_group
from .options.shared_options import client_settings, settings_of, stated_clients
from .output import interrupts
from .output.failures import NOT_DONE, WRONG_USE, Failure, say, unreadable
from .output.json_output import print_csv, print_json
from .output.terminal import check_export, console, redaction_of, screen
from .output.written import unwritten

if TYPE_CHECKING:
    from ..cluster.connection.wire import Exchange
    from ..cluster.transport import Recorder
    from ..inspector.shapes.group_shapes import Group, GroupChange, GroupHistory, Listing
    from ..inspector.views.redaction import Redaction


def run(arguments: Namespace) -> int:
    """Show the list or the group; raise Failure where the cluster does not answer."""
    check_export(arguments)
    _check(arguments)

    redaction = redaction_of(arguments)
    with _recorder(arguments) as recorder:
        try:
            arguments.answers = _saved(arguments) if arguments.saved else None
            if isinstance(arguments.answers, SavedFacts):
                redaction = None  # they have stand-ins already
                arguments.name = arguments.name or arguments.answers.only_group
            if not arguments.saved:
                arguments.settings = client_settings(
                    arguments.bootstrap_server, arguments.command_config
                )
            if arguments.watch:
                return watch(arguments, recorder, redaction)
            if arguments.name is None:
                return _list(arguments, recorder, redaction)
            inspected = _group(arguments, recorder)
            group = _visible_group(arguments, inspected, redaction)
            if arguments.save and redaction is not None:
                arguments.saving.write(facts_lines(group))
                say("the file has no names; kproto group --from FILE shows what is in it")
            if arguments.what_if:
                _show_futures(arguments, inspected, redaction)
            elif arguments.plan:
                _show_plan(arguments, inspected, redaction)
            else:
                _show(arguments, group)
        except (ConfigError, NoSuchGroup) as error:
            raise Failure(f"{error}{_hint_of_pattern(arguments, error)}", WRONG_USE) from None
        except ClusterError as error:
            raise Failure(str(error), NOT_DONE) from None
    return 0


def _hint_of_pattern(arguments: Namespace, error: ConfigError | NoSuchGroup) -> str:
    is_pattern = isinstance(error, NoSuchGroup) and {*"*?"} & {*(arguments.name or "")}
    return f" (--group {quote(arguments.name)} lists the groups of a pattern)" * bool(is_pattern)


def _check(arguments: Namespace) -> None:
    if arguments.name == "":
        raise Failure("the name of a group is empty: leave it out to list all groups", WRONG_USE)
    live = arguments.bootstrap_server or arguments.command_config or arguments.rate
    if arguments.saved and live:
        raise Failure("--from reads a file: it goes without a cluster", WRONG_USE)
    if arguments.saved and arguments.save and not arguments.redact:
        raise Failure(
            "--from FILE --save NEW would write the same again: with --redact it writes what FILE "
            "shows, without names",
            WRONG_USE,
        )
    if arguments.save and arguments.redact and arguments.watch:
        raise Failure(
            "--watch --save keeps the answers as they come, with all names: it goes without "
            "--redact, and --from FILE --redact shows them redacted",
            WRONG_USE,
        )
    if arguments.output == "csv" and (arguments.name is not None or arguments.watch):
        raise Failure("--output csv is for the list of groups: NAME has --json", WRONG_USE)
    if arguments.watch and (arguments.saved or arguments.svg or arguments.html):
        raise Failure(
            "--watch shows a live cluster as it changes, and makes no picture: kproto group NAME "
            "--html FILE shows it as it is now, --watch --save FILE keeps all answers",
            WRONG_USE,
        )
    options = [name for name in ("watch", "what_if", "plan") if getattr(arguments, name)]
    if len(options) > 1:
        first, second = (f"--{name.replace('_', '-')}" for name in options[:2])
        raise Failure(f"{first} and {second} are two views: ask for one of them", WRONG_USE)
    is_view = arguments.name is not None and not options and not arguments.redact
    if arguments.client_settings and not is_view:
        raise Failure("--settings goes with the view of one group, without --redact", WRONG_USE)
    _check_effects(arguments)
    _check_futures(arguments)


def _check_effects(arguments: Namespace) -> None:
    """Refuse options that would do nothing beside the others."""
    name = arguments.name
    if name is not None and _ADDRESS.match(name) and not arguments.bootstrap_server:
        raise Failure(
            f"{name!r} is no group: the broker is given as --bootstrap-server "
            f"{_ADDRESS.sub('', name)}",
            WRONG_USE,
        )
    for option, has_effect, reason in (
        ("rate", name is not None, "--rate is about one group: its NAME is missing"),
        *(
            (
                option,
                name is None and not arguments.watch,
                f"--{option} is for the list: NAME is one group, and --watch watches one or all",
            )
            for option in ("group", "state", "kind")
        ),
        ("history", not arguments.saved, "--history asks a broker; --from reads what --save kept"),
        ("seconds", arguments.watch, "--for is for --watch: nothing else goes on"),
        ("session_timeout", arguments.what_if, "--session-timeout is for --what-if"),
        ("max_poll_interval", arguments.what_if, "--max-poll-interval is for --what-if"),
    ):
        if getattr(arguments, option) and not has_effect:
            raise Failure(reason, WRONG_USE)


_ADDRESS = re.compile(r"kafka:/*")


def _check_futures(arguments: Namespace) -> None:
    if arguments.told and arguments.plan != "consumer":
        raise Failure("--set is for --plan consumer: nothing else depends on it", WRONG_USE)
    if arguments.clients and not arguments.plan:
        raise Failure("--member-client is for --plan: nothing else depends on it", WRONG_USE)
    for option in ("what_if", "plan"):
        if getattr(arguments, option) and arguments.name is None:
            name = option.replace("_", "-")
            raise Failure(f"--{name} is about one group: its NAME is missing", WRONG_USE)


# -- the list


def _list(arguments: Namespace, recorder: Recorder | None, redaction: Redaction | None) -> int:
    histories = _saved_histories(arguments)
    listing = _listing(arguments, recorder, histories)
    unread = "" if histories else _unread(arguments)
    if redaction is not None:
        listing = redacted_listing(listing, redaction, _titles())
        if arguments.save:
            arguments.saving.write(facts_lines(listing))
    if arguments.output != "table":
        if arguments.json:
            for row in listing.groups:
                print_json(row)
        else:
            print_csv(listing.groups)
        for problem in listing.problems:
            say(problem)
    else:
        with screen(arguments) as console:
            is_by_name = arguments.history and arguments.sort == "name"
            order = ", by name (--sort remark: the worst first)" if is_by_name else ""
            console.print(ListingView(listing, unread, order), crop=False)
    if not listing.complete:
        raise Failure("the list is not complete", NOT_DONE)
    return 0


def _titles() -> dict[str, str]:
    """Return what each code of a remark means in a line."""
    titles = {judgement.code: judgement.title for judgement in JUDGEMENTS if judgement.title}
    return titles | {rule.id: rule.title for rule in RULES.values()}


def _unread(arguments: Namespace) -> str:
    """Return what the list does not tell, and what would."""
    if arguments.history or not arguments.lag:
        return ""
    saved = "those that kproto group NAME --save FILE has saved are read from its file"
    how = saved if arguments.saved else "kproto group --history reads them"
    return (
        "the remarks are those of one look: the groups' records, which tell who rebalances again "
        f"and again, since when and why, were not read ({how})"
    )


def _listing(
    arguments: Namespace, recorder: Recorder | None, histories: Iterable[RecentRecords]
) -> Listing:
    patterns, names = arguments.group or (), set[str]()

    def matches(name: str) -> bool:
        names.add(name)
        return is_named(name, patterns)

    saved: Saved | SavedFacts | ToolSnapshots | None = arguments.answers
    if saved is not None:
        listing = saved.listing()
        states = {state.lower() for state in arguments.state}
        rows = [
            row
            for row in listing.groups
            if matches(row.group_id)
            and (not states or row.state.lower() in states)
            and (not arguments.kind or row.kind in arguments.kind)
        ]
        listing = replace(listing, groups=tuple(rows))
        for history in histories:
            listing = with_histories(listing, [history], history.until)
    else:
        listing, recent = inspect_groups(
            config=arguments.settings,
            states=arguments.state,
            kinds=arguments.kind,
            name=matches,
            lag=arguments.lag,
            settings=bool(arguments.save),
            records=_bounds(arguments) if arguments.history else None,
            timeout=arguments.timeout,
            recorder=recorder,
        )
        listing = with_histories(listing, recent, int(time.time() * 1000))
    if listing.complete and not (arguments.state or arguments.kind):
        _check_names(arguments, names)
    return replace(listing, groups=tuple(sorted(listing.groups, key=_SORTED[arguments.sort])))


def _saved_histories(arguments: Namespace) -> Collection[RecentRecords]:
    """Return the records that --from has of some groups."""
    if not arguments.saved or arguments.history is False:
        return ()
    with _opened(arguments.saved) as stream:
        return histories_in(stream).values()


def _check_names(arguments: Namespace, names: Collection[str]) -> None:
    """Fail where no group has a name that was asked for, one of these."""
    missing = [
        pattern
        for pattern in arguments.group or ()
        if not any(is_named(name, (pattern,)) for name in names)
    ]
    if missing:
        text = "no group has that name" if arguments.redact else no_such("group", missing, names)
        raise Failure(text, WRONG_USE)


# -- one group


def _group(arguments: Namespace, recorder: Recorder | None) -> InspectedGroup:
    if arguments.saved:
        saved = arguments.answers
        if not isinstance(saved, Saved) and (arguments.what_if or arguments.plan):
            option = "--what-if" if arguments.what_if else "--plan"
            is_redacted = isinstance(saved, SavedFacts)
            source = "a redacted file has" if is_redacted else "outputs of tools have"
            reason = f"{option} needs members' bytes, and {source} none"
            raise Failure(f"{reason}: kproto group NAME --save FILE keeps them", NOT_DONE)
        recent = None
        if arguments.history is not False and isinstance(saved, Saved):
            with _opened(arguments.saved) as stream:
                recent = history_in(stream, arguments.name)
        return InspectedGroup(saved.describe(arguments.name), recent)

    inspected = inspect_group(
        arguments.name,
        config=arguments.settings,
        settings=bool(
            arguments.what_if or arguments.plan or arguments.save or arguments.client_settings
        ),
        at_rest=bool(arguments.what_if or arguments.plan),
        apart=arguments.rate,
        records=_bounds(arguments) if arguments.history is not False else None,
        timeout=arguments.timeout,
        recorder=recorder,
    )
    if inspected.recent is None:
        return inspected
    recent = inspected.recent._replace(until=int(time.time() * 1000))
    if recorder is not None:
        arguments.saving.writelines(history_lines(recent, arguments.name))
    return inspected._replace(recent=recent)


def _bounds(arguments: Namespace) -> Bounds:
    return Bounds(int(arguments.since.at(time.time() * 1000)))


def _visible_group(
    arguments: Namespace, inspected: InspectedGroup, redaction: Redaction | None
) -> Group:
    """Return the group with what its records and the settings of its clients tell, with a redaction
    under stand-ins for names."""
    group = inspected.group
    if inspected.recent is not None:
        group = with_history(group, inspected.recent, inspected.recent.until)
    if arguments.client_settings:
        group = _with_client_settings(arguments, group)
    if redaction is None:
        return group
    saved = arguments.answers
    if isinstance(saved, ToolSnapshots):
        return saved.describe(arguments.name, redaction)
    hidden = redacted_group(group, redaction)
    if inspected.recent is None:
        return hidden
    return replace(hidden, history=redacted_history(group, inspected.recent, redaction))


def _show(arguments: Namespace, group: Group) -> None:
    if arguments.json:
        print_json(group)
        return

    with screen(arguments) as console:
        view = GroupView(group, full=arguments.full, level=arguments.level)
        console.print(view, crop=False)


def _with_client_settings(arguments: Namespace, group: Group) -> Group:
    clients = settings_of_group(read_client_settings(arguments.client_settings), group.group_id)
    judged = judge_settings(clients, observed_in_look(group))
    if not judged:
        number = sum(len(client.values) for client in clients)
        say(
            f"--settings: {counted(number, 'setting')} read, and what was seen of the group says "
            "nothing against them"
        )
    return replace(group, client_settings=judged)


def _recorded_members(inspected: InspectedGroup) -> RecordedMembers:
    if inspected.recent is None:
        return RecordedMembers("", None)
    return recorded_members(inspected.group, inspected.recent, inspected.recent.until)


def _show_futures(
    arguments: Namespace, inspected: InspectedGroup, redaction: Redaction | None
) -> None:
    recorded = _recorded_members(inspected)
    group, timeouts = inspected.group, _timeouts(arguments, recorded.timeouts)
    wishes = [parse_wish(text) for text in arguments.what_if]
    present, *changed = futures(group, wishes, timeouts, recorded.away)
    notes: tuple[str, ...] = (recorded.unrest,) if recorded.unrest else ()
    if recorded.away:
        notes += (f"{names_of_away(recorded.away)}: not counted, and none of those that join",)
    possible = [present, *(replace(future, notes=notes + future.notes) for future in changed)]
    if redaction is not None:
        names = names_to_hide(group, redaction, inspected.recent)
        for wish in wishes:
            names.add("client_id", wish.leave)
            names.add("topic", wish.topics)
        hide = names.hiding()
        possible = [without_names(future, hide) for future in possible]
        group = redacted_group(group, redaction)
    if arguments.json:
        for future in possible:
            print_json(future)
        return

    with screen(arguments) as console:
        console.print(FutureView(group, possible, full=arguments.full), crop=False)


_TIMEOUTS = {
    "session": "session.timeout.ms",
    "max_poll": "max.poll.interval.ms",
    "heartbeat": "heartbeat.interval.ms",
}


def _timeouts(arguments: Namespace, recorded: tuple[int, int] | None) -> Timeouts:
    """Return the members' settings: as the options have it, else the group's records, else the
    client's settings."""
    options = {"session": arguments.session_timeout, "max_poll": arguments.max_poll_interval}
    of_records = dict(zip(options, recorded or (), strict=False))
    timeouts: dict[str, float] = {}
    for field, key in _TIMEOUTS.items():
        seconds = options.get(field)
        if seconds is None and field in of_records:
            seconds = of_records[field] / 1000
        elif seconds is not None:
            of_records.pop(field, None)
        elif not arguments.saved:
            text = arguments.settings.get(key)
            seconds = int(text) / 1000 if text.isdecimal() and 0 < int(text) < 2**31 else None
        if seconds is not None:
            timeouts[field] = seconds
    labels = tuple(_TIMEOUTS[field] for field in timeouts if field not in of_records)
    if "session" in of_records and "heartbeat" not in timeouts:  # clients refuse a longer interval
        timeouts["heartbeat"] = min(Timeouts().heartbeat, timeouts["session"] / 3)
    return Timeouts(
        told=labels, recorded=tuple(_TIMEOUTS[field] for field in of_records), **timeouts
    )


def _show_plan(
    arguments: Namespace, inspected: InspectedGroup, redaction: Redaction | None
) -> None:
    place = GroupAddress(
        arguments.bootstrap_server or ("HOST:PORT" if arguments.saved else ""),
        arguments.command_config or "",
    )
    settings, clients = settings_of(arguments), stated_clients(arguments)
    way = plan(inspected.group, arguments.plan, place, settings, clients)
    recorded = _recorded_members(inspected)
    if unrest := recorded.unrest:
        way = replace(way, blockers=(unrest, *way.blockers))
    way = replace(way, notes=(*note_of_away(recorded.away), *way.notes))
    if redaction is not None:
        names = names_to_hide(inspected.group, redaction, inspected.recent)
        names.add("host", [place.bootstrap, *place.bootstrap.split(","), place.command_config])
        way = without_names(way, names.hiding())
    if arguments.json:
        print_json(way)
        return

    with screen(arguments) as console:
        console.print(PlanView(way))


# -- files


def _saved(arguments: Namespace) -> Saved | SavedFacts | ToolSnapshots:
    with _opened(arguments.saved) as stream:
        answers = read_groups_in(stream, arguments.saved)
    if arguments.save and isinstance(answers, SavedFacts):
        raise Failure("what --from reads has no names any more: copy the file", WRONG_USE)
    return answers


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    try:
        with open(file, "rb") as stream:  # noqa: PTH123  # importing pathlib costs more
            yield stream
    except (OSError, ValueError) as error:
        raise unreadable(repr(file), error) from None


@contextmanager
def _recorder(arguments: Namespace) -> Iterator[Recorder | None]:
    if not arguments.save:
        yield None
        return

    # What is watched is kept as it comes, whatever ends it; a look is kept whole.
    begin: Callable[[str], AbstractContextManager[BinaryIO]] = (
        partial(open, mode="wb", buffering=0) if arguments.watch else replacing  # type: ignore[assignment]
    )
    try:
        with begin(arguments.save) as stream:

            def record(exchange: Exchange, peer: str) -> None:
                stream.write(lines_of(exchange, peer))

            arguments.saving = stream
            yield None if arguments.redact else record
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = arguments.save
        if getattr(error, "filename", arguments.save) != arguments.save:
            raise
        raise unwritten(arguments.save, error) from None


_REMEMBERED = 100  # changes


def watch(arguments: Namespace, recorder: Recorder | None, redaction: Redaction | None) -> int:
    """Show the present state, then changes until Ctrl-C, or for --for, and what happened in
    numbers. Raises ClusterError."""
    name = arguments.name
    if redaction is not None and name is not None:
        name = redaction.name(name, "group_id").strip('"')
    tally = WatchTally(name)
    live = not arguments.json and arguments.name is not None and sys.stdout.isatty()
    is_first_shown = not (live or arguments.json or arguments.name is None)
    history = None
    if live or is_first_shown:
        present = _visible_group(arguments, _group(arguments, recorder), redaction)
        history = present.history
        if is_first_shown:
            _show(arguments, present)
            print(flush=True)
    status = 0
    try:
        with _live(arguments) if live else nullcontext() as screen:
            if screen is None:
                show = _lines(arguments, without_first=is_first_shown)
            else:
                show = _into_live(screen, history)
            asyncio.run(_watch(arguments, recorder, _taking(show, tally, redaction)))
    except KeyboardInterrupt:  # how a watch ends
        status = interrupts.TERMINATED if interrupts.handled() else 0
    at = time.time()
    records = "" if status or not tally.has_rebalances else _told_by_records(arguments, redaction)
    summary = tally.summary(at, asked=arguments.seconds, records=records)
    if summary is not None:
        _lines(arguments)(Look(None, (summary,)))
    return status


def _told_by_records(arguments: Namespace, redaction: Redaction | None) -> str:
    """Return why a watched group rebalanced, as its records have it now; "" where they are not to
    be read, or nobody answers."""
    if arguments.name is None or arguments.history is False:
        return ""
    try:
        return closing_text(_visible_group(arguments, _group(arguments, None), redaction))
    except ClusterError:
        return ""


async def _watch(
    arguments: Namespace,
    recorder: Recorder | None,
    take: Callable[[Look], None],
) -> None:
    looks = watch_group_async(
        arguments.name,
        config=arguments.settings,
        interval=arguments.watch,
        per_second=arguments.requests,
        timeout=arguments.timeout,
        recorder=recorder,
    )
    end = time.monotonic() + arguments.seconds if arguments.seconds else None
    await _until(looks, end, take)


def _taking(
    show: Callable[[Look], None], tally: WatchTally, redaction: Redaction | None
) -> Callable[[Look], None]:
    """Return what shows each look and counts it, without the names that are hidden."""
    redacted = None if redaction is None else _RedactedLooks(redaction)

    def take(look: Look) -> None:
        visible = look if redacted is None else redacted.look(look)
        tally.take(visible.group, visible.changes, time.time())
        show(visible)

    return take


async def _until(
    looks: AsyncIterator[Look], end: float | None, show: Callable[[Look], None]
) -> None:
    try:
        async with asyncio.timeout(None if end is None else end - time.monotonic()):
            async for look in looks:
                show(look)
    except TimeoutError:
        if end is None:
            raise


@contextmanager
def _live(arguments: Namespace) -> Iterator[Any]:
    """Yield a live view, which the first look starts: before, there may be an error to show."""
    screen = Live(console=console(arguments.color), auto_refresh=False, vertical_overflow="crop")
    try:
        yield screen
    finally:
        screen.stop()


class _RedactedLooks:
    """Looks with placeholders for the names of this one and the one before."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._hide_last: Callable[[str], str] = str
        self._titles = _titles()

    def look(self, look: Look) -> Look:
        """Return the next look without names."""
        hide, group = self._hide_last, look.group
        if group is not None:
            self._hide_last = names_to_hide(group, self._redaction, None).hiding()
            group = redacted_group(group, self._redaction)

        def hidden(text: str) -> str:
            return self._hide_last(hide(text))

        return Look(group, tuple(
            redacted_change(change, self._redaction, hidden, self._titles)
            for change in look.changes
        ))  # fmt: skip


_FRESH = 60.0  # seconds for which what records told at the start is shown


def _into_live(screen: Any, history: GroupHistory | None) -> Callable[[Look], None]:
    """Return what shows each look, in the first minute under what the group's records told."""
    latest: deque[GroupChange] = deque(maxlen=_REMEMBERED)
    names = ClientNames()
    last: list[Group | None] = [None]

    def show(look: Look) -> None:
        if look.group is not None:
            is_fresh = history is not None and time.time() - history.until < _FRESH
            last[0] = replace(look.group, history=history if is_fresh else None)
            names.note(look.group.members)
        latest.extend(look.changes)
        screen.start()
        screen.console.width, screen.console.height = get_terminal_size()  # it may have changed
        screen.update(LiveGroup(last[0], tuple(latest), names), refresh=True)

    return show


def _lines(arguments: Namespace, *, without_first: bool = False) -> Callable[[Look], None]:
    """Return what prints the changes, without the present state if that is shown already."""
    screen = console(arguments.color)
    left_out = {"state"} if without_first else set()
    names = ClientNames()

    def show(look: Look) -> None:
        names.note(look.group.members if look.group is not None else ())
        for change in look.changes:
            if change.what in left_out:
                continue
            if arguments.json:
                print_json(change)
            else:
                screen.print(ChangeLine(change, names), soft_wrap=not screen.is_terminal)
        left_out.clear()
        sys.stdout.flush()

    return show
