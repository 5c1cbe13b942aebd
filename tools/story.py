"""Run `kproto story`: tell what happened in groups, from logs."""

from __future__ import annotations

import os
import re
import stat
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from itertools import islice
from typing import BinaryIO, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..capture.logs.reader import LogReader
from ..clients.faults import faults, kafka_release
from ..cluster.config.settings import SCHEME
from ..escaping import escaped
from ..history.captured_groups import CapturedGroups
from ..history.clocks import LogSource
from ..history.group_facts import GroupCause, GroupFacts
from ..history.group_story import JudgeSettings, Selection, event_of, tell
from ..history.group_story_page import story_page
from ..history.group_story_view import StoryView, event_line
from ..inspector.shapes.group_shapes import SettingJudgement
from ..inspector.shapes.story_shapes import StoryOfGroups
from ..inspector.views.redaction import Redaction
from ..rebalance.client_settings import judge_settings
from ..rebalance.observed import observed_in_story
from ..wording import no_such
from .input.client_settings import read_client_settings, settings_of_events
from .input.story_sources import StorySources, open_file, unread_lines
from .line_pages import line_sentences, line_shape
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json
from .output.story_redaction import redacted_story
from .output.terminal import check_export, console, lines_for_people, redaction_of, screen
from .output.written import write_output


def run(arguments: Namespace) -> int:
    """Tell the story of all sources together."""
    if not arguments.source:
        if sys.stdin is None or sys.stdin.isatty():
            raise Failure("nothing to read: give a SOURCE, or pipe a log in", WRONG_USE)
        arguments.source = ["-"]
    check_export(arguments)
    if arguments.follow:
        return _follow(arguments)
    zone_ms = None if arguments.zone is None else _zone(arguments.zone)
    redaction = redaction_of(arguments)
    read = StorySources(arguments, redaction)
    read.read()
    if not read.looks and not any(source.events for source in read.sources):
        return _say_nothing(read, arguments, redaction)
    selection = _selection(arguments, read.sources)
    story = tell(
        read.sources,
        read.unread,
        captured=read.rebalances,
        looks=read.looks,
        more_causes=read.causes,
        restarts=read.restarts,
        zone_ms=zone_ms,
        selection=selection,
        releases=_releases(arguments.release or ()),
        judge_settings=_judge_settings(read.sources, arguments.client_settings),
    )
    if (
        not story.groups and selection == Selection()
    ):  # signs alone, such as members that are loaded
        return _say_nothing(read, arguments, redaction)
    _check_choice(arguments, story, read)
    if any(map(selection.cuts, _chosen_causes(read, selection))):
        say(_JUDGED_AS_A_WHOLE)
    captured = [captured.chosen(selection, redaction) for captured in read.captured]
    if redaction is not None:
        story = redacted_story(story, read.events, redaction, arguments.client_settings)
    _show(story, arguments, captured)
    if read.are_records_alone and any(
        cause.rivals and not cause.certain for group in story.groups for cause in group.causes
    ):
        say(_A_LOG_DECIDES)
    return read.status


def _chosen_causes(read: StorySources, selection: Selection) -> Iterator[GroupCause]:
    for group, causes in read.causes.items():
        if selection.has_group(group):
            yield from filter(selection.has_cause, causes)


_JUDGED_AS_A_WHOLE = (
    "--since and --until choose what is shown: causes that records tell are judged by all of them, "
    "and began earlier or went on later"
)
_A_LOG_DECIDES = (
    "where several causes are possible, the log of a member or of the broker tells which it is: "
    "give it beside these records, as in kproto story SOURCE app.log"
)


def _say_nothing(read: StorySources, arguments: Namespace, redaction: Redaction | None) -> int:
    """Print why there is no story, and what the lines mean that are known; return the exit
    status."""
    if read.is_empty and not read.status:
        raise Failure("nothing to tell: every source is empty", WRONG_USE)
    if read.has_commits_alone:
        say("nothing to tell: no record shows a rebalance")
        return read.status or REFUSED
    if read.is_unopened:
        return read.status
    lines = "no line that is known" if read.unread else "no line"
    if read.is_quiet or any(source.events for source in read.sources):
        if arguments.output == "table":
            _print_meanings(read, redaction)
        say(f"{lines} tells what happened in a group; the log of the group's coordinator does")
        say(_ELSEWHERE)
    else:
        say(f"{lines} is about a consumer group, as brokers and clients print them")
        say(_ELSEWHERE)
    if read.unread:
        _show(StoryOfGroups((), (), tuple(read.unread)), arguments)
    return read.status or REFUSED


def _print_meanings(read: StorySources, redaction: Redaction | None) -> None:
    """Print what the first lines mean that are known, and tell no story."""
    places = ((source.name, event) for source in read.sources for event in source.events)
    with lines_for_people("never"):
        for name, event in islice(places, _LINES):
            source = name if redaction is None else redaction.name(name, "source").strip('"')
            sentences = ". ".join(line_sentences(line_shape(event, redaction)))
            print(f"{escaped(source)}:{event.line}  {sentences}")


_LINES = 8  # that tell no story, and are explained one by one
_ELSEWHERE = (
    "kproto explain FILE says what its lines and errors mean; kproto decode FILE opens the bytes "
    "of messages in it"
)
"""What to do with a source that tells no story."""


def _judge_settings(sources: Sequence[LogSource], files: Sequence[str]) -> JudgeSettings:
    """Return what judges the settings of a group's clients: those that logs and `files` have."""
    clients = [
        settings
        for source in sources
        for settings in settings_of_events(source.events, source.name)
        if settings.group
    ]
    clients += read_client_settings(files)

    def judge(
        view: GroupFacts, kind: str, causes: Sequence[GroupCause]
    ) -> tuple[SettingJudgement, ...]:
        return judge_settings(clients, observed_in_story(view, kind, causes))

    return judge


def _show(
    story: StoryOfGroups, arguments: Namespace, captured: Sequence[CapturedGroups] = ()
) -> None:
    if arguments.json:
        print_json(story)
    elif arguments.html:
        write_output(arguments.html, story_page(story))
    else:
        with screen(arguments) as terminal:
            terminal.print(StoryView(story, full=arguments.full, captured=captured))


def _follow(arguments: Namespace) -> int:
    """Print the events of a log that grows; at its end, or at Ctrl-C, its story."""
    if len(arguments.source) > 1:
        raise Failure("--follow takes one SOURCE", WRONG_USE)
    if arguments.html or arguments.svg or arguments.redact:
        raise Failure("--follow prints what comes: without --html, --svg and --redact", WRONG_USE)
    (path,) = arguments.source
    if path.startswith(SCHEME):
        raise Failure(
            "--follow reads a log that grows: a broker's topic is told as it is", WRONG_USE
        )
    source = LogSource("standard input" if path == "-" else path)
    reader = LogReader()
    chosen = _selection(arguments, [])
    output = console(arguments.color)
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        file = sys.stdin.buffer if path == "-" else stack.enter_context(open_file(path))
        is_file = path != "-" and stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        for event in reader.follow(cast("BinaryIO", file), is_pipe=not is_file):
            source.events.append(event)
            entry = event_of(event, source.name)
            if entry is None or not (
                chosen.has_group(event.group) and chosen.has_client(event.client)
            ):
                continue
            if arguments.json:
                print_json(entry)
            else:
                output.print(event_line(entry, entry.group))
            sys.stdout.flush()
    if not arguments.json and source.events:
        story = tell([source], unread_lines(source.name, reader), selection=chosen)
        output.print(StoryView(story, full=False))
    return 0


def _check_choice(arguments: Namespace, story: StoryOfGroups, read: StorySources) -> None:
    """Raise Failure where nothing is about the groups or clients that were asked for. It suggests
    names, but none where names are hidden."""
    chosen = (
        ("group", arguments.group, bool(story.groups), {event.group for event in read.events}),
        ("client", arguments.client, any(group.events for group in story.groups),
         {event.client for event in read.events}),
    )  # fmt: skip
    for noun, names, is_met, present in chosen:
        if names and not is_met:
            shown = set() if arguments.redact else present - {""}
            raise Failure(no_such(noun, names, shown), WRONG_USE)


# -- times


def _zone(text: str) -> float:
    """How far a zone is from UTC, in milliseconds; of a place, now."""
    match = re.fullmatch(r"([+-])(\d\d):?(\d\d)", text)
    if match is not None:
        minutes = int(match[2]) * 60 + int(match[3])
        return minutes * 60_000.0 * (-1 if match[1] == "-" else 1)
    try:
        offset = datetime.now(ZoneInfo(text)).utcoffset() or timedelta()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Failure(
            f"--zone: {text!a} is no zone such as Europe/Berlin or +02:00", WRONG_USE
        ) from None
    return offset.total_seconds() * 1000


def _selection(arguments: Namespace, sources: list[LogSource]) -> Selection:
    newest = max(
        (
            event.stamp.milliseconds
            for source in sources for event in source.events
            if event.stamp.milliseconds is not None and event.stamp.has_date
        ),
        default=0.0,
    )  # fmt: skip
    return Selection(
        arguments.group or (),
        arguments.client or (),
        None if arguments.since is None else arguments.since.at(newest),
        None if arguments.until is None else arguments.until.at(newest),
    )


def _releases(texts: Sequence[str]) -> dict[str, str]:
    """The releases that `--release` states, by program."""
    programs = sorted({fault.program for fault in faults()})
    releases = {}
    for text in texts:
        program, _, release = text.partition("=")
        if program not in programs or not release[:1].isdigit():
            line = f"PROGRAM is one of {', '.join(programs)}, RELEASE is 2.3.0"
            raise Failure(f"--release: {text!a}: {line}", WRONG_USE)
        releases[program] = kafka_release(release)
    return releases
