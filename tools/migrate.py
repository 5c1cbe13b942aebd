"""Run `kproto migrate`: judge whether groups can move to the next protocol."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from ..capture.summary import Summary
from ..cluster.api import inspect_groups
from ..cluster.config.settings import SCHEME
from ..cluster.errors import ClusterError, ConfigError
from ..cluster.recent_records import Bounds
from ..cluster.saved import lines_of, read_saved
from ..pipeline.group_diagnosis import recorded_groups
from ..rebalance.migration import judge, read_settings
from ..wording import counted, is_named, no_such, some_of
from .input.group_sources import Known, groups_of_answers, read_groups, with_recorded
from .input.inputs import RECENT_HOURS
from .options.shared_options import client_settings, settings_of, stated_clients
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_csv, print_json, print_json_document
from .output.migration import (
    JudgedGroup,
    MigrationView,
    empty_of,
    in_order,
    migration_page,
    moved_shape,
    plan_of,
    sarif_of,
    with_writers,
)
from .output.migration_redaction import MigrationRedaction
from .output.terminal import check_export, redaction_of, screen
from .output.written import write_output

if TYPE_CHECKING:
    from ..cluster.connection.wire import Exchange
    from ..rebalance.migration import ClassicGroup


_NAMED = 5  # groups in one sentence


def run(arguments: Namespace) -> int:
    """Judge every group of the source; return 0 if the broker takes all, 3 if the source is damaged
    or only the groups that are rebalancing could not be judged, else 1."""
    check_export(arguments)
    summary = Summary()
    moved: dict[str, str] = {}
    fleet = in_order(_judged(arguments, summary, moved))
    wrong = sum(entry.readiness.verdict != "ready" for entry in fleet)
    withheld = sum(
        entry.readiness.verdict == "unknown" and entry.group.is_withheld for entry in fleet
    )
    can_look_back = "records" in summary.read and not arguments.with_members
    empty = empty_of(fleet, can_look_back=can_look_back)
    _print(arguments, fleet, moved, empty)
    if summary.read and ("records" in summary.read or not summary.complete):
        say(str(summary))
    if empty and can_look_back and arguments.output != "table":
        say(empty)
    if summary.damaged or (withheld and wrong == withheld and not summary.refused):
        return NOT_DONE
    return REFUSED if wrong or summary.refused else 0


def _print(
    arguments: Namespace, fleet: Sequence[JudgedGroup], moved: Mapping[str, str], empty: str
) -> None:
    """Print the groups; those that have moved come last. `empty` says how many have no members."""
    shapes = [entry.to_shape(rank) for rank, entry in enumerate(fleet, 1)]
    shapes += [moved_shape(name, kind) for name, kind in _visible(moved, arguments).items()]
    if arguments.json:
        for shape in shapes:
            print_json(shape)
    elif arguments.output == "sarif":
        print_json_document(sarif_of(entry.readiness for entry in fleet))
    elif arguments.output == "csv":
        print_csv(shapes)
    else:
        divided = _divided(moved, is_redacted=bool(arguments.redact))
        _show(arguments, fleet, [*filter(None, [divided and f"besides, {divided}", empty])])


def _judged(arguments: Namespace, summary: Summary, moved: dict[str, str]) -> Iterator[JudgedGroup]:
    """Yield each group that was asked for, with --redact under stand-ins for names."""
    clients = stated_clients(arguments)
    is_shown = arguments.output == "table" and bool(arguments.group or arguments.html)
    redaction = redaction_of(arguments)
    for group in _groups(arguments, summary, moved):
        readiness = with_writers(judge(group))
        plan = plan_of(group, readiness, clients, counts_moves=is_shown)
        if redaction is None:
            yield JudgedGroup(group, readiness, plan)
        else:
            hidden = MigrationRedaction(group, redaction)
            yield JudgedGroup(hidden.group(group), hidden.readiness(readiness), hidden.plan(plan))


def _groups(
    arguments: Namespace, summary: Summary, moved: dict[str, str]
) -> Iterator[ClassicGroup]:
    """Yield the groups that were asked for; `moved` gets those of them that have moved already."""
    names: set[str] = set()
    has_groups = False
    settings_given = settings_of(arguments)
    settings = read_settings(settings_given)
    facts = Known(settings, settings_given, arguments.topics, arguments.with_members, moved)
    is_live = (arguments.source or "").startswith(SCHEME)
    for group in (
        _of_cluster(arguments, facts, summary)
        if is_live
        else read_groups(arguments.source, facts, summary)
    ):
        names.add(group.group_id)
        if is_named(group.group_id, arguments.group or ()):
            has_groups = True
            yield group
    for name in [name for name in moved if not is_named(name, arguments.group or ())]:
        del moved[name]
    divided = _divided(moved, is_redacted=bool(arguments.redact))
    if not has_groups:
        if arguments.group is None:
            more = f": {divided}" if divided else ""
            raise Failure(f"there is no classic group in the source{more}", REFUSED)
        present = () if arguments.redact else names
        nothing = no_such("classic group", arguments.group, present)
        raise Failure(divided or nothing, WRONG_USE)
    if divided and arguments.output == "sarif":
        say(f"besides, {divided}")


def _visible(moved: Mapping[str, str], arguments: Namespace) -> Mapping[str, str]:
    """Return the groups that have moved, with --redact under stand-ins for their names."""
    redaction = redaction_of(arguments)
    if redaction is None:
        return moved
    return {redaction.name(name, "group").strip('"'): kind for name, kind in moved.items()}


def _divided(moved: Mapping[str, str], *, is_redacted: bool) -> str:
    """Return which groups have left the classic protocol already; "" for none."""
    if not moved:
        return ""
    number = counted(len(moved), "group is no classic one", "groups are no classic ones")
    text = f"{number}: the broker divides {'it' if len(moved) == 1 else 'them'} already"
    if is_redacted:
        return text
    names = [f"{name!a} ({kind})" for name, kind in sorted(moved.items())]
    return f"{text}: {some_of(names, _NAMED)}"


def _of_cluster(arguments: Namespace, facts: Known, summary: Summary) -> Iterator[ClassicGroup]:
    """Yield the groups of a cluster as its brokers answer, with what their newest records tell."""
    source = str(arguments.source)
    answers = BytesIO()
    now = int(time.time() * 1000)

    def record(exchange: Exchange, peer: str) -> None:
        answers.write(lines_of(exchange, peer))

    try:
        settings = client_settings(source.removeprefix(SCHEME), arguments.command_config)
        listing, recent = inspect_groups(
            config=settings,
            settings=True,
            records=Bounds(now - RECENT_HOURS * 3_600_000),
            timeout=arguments.timeout,
            recorder=record,
        )
        answers.seek(0)
        saved = read_saved(answers, source)
    except ConfigError as error:
        raise Failure(str(error), WRONG_USE) from None
    except ClusterError as error:
        raise Failure(str(error), NOT_DONE) from None
    for problem in listing.problems:
        if listing.complete:
            say(problem)
        else:
            summary.skip(problem, source)
    for problem in dict.fromkeys(records.problem for records in recent if records.problem):
        say(f"whether members come and go is not known: {problem}")
    recorded = recorded_groups(recent, [row.group_id for row in listing.groups], now)
    for group in groups_of_answers(saved, facts):
        yield with_recorded(group, recorded)


def _show(arguments: Namespace, fleet: Sequence[JudgedGroup], notes: Sequence[str]) -> None:
    if arguments.html:
        write_output(arguments.html, migration_page(fleet, notes))
        return
    with screen(arguments) as console:
        console.print(MigrationView(fleet, notes, has_plans=bool(arguments.group)))
