"""Logs as a source of an audit: what they tell of each group, and of the settings of clients."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...capture import MAX_BYTES
from ...capture.compression import CannotDecompress
from ...capture.logs.event import LogEvent
from ...capture.logs.reader import LogReader
from ...clients.settings import ClientSettings
from ...history.clocks import LogSource
from ...history.group_story import tell
from ...pipeline.groups.options import ToldByLogs
from .. import input as inputs
from ..output.failures import say
from ..output.story_redaction import names_of_events
from .capture_files import find_capture
from .client_settings import settings_of_events

__all__ = ["LogFacts", "is_log", "logs_in", "read_logs"]


class LogFacts(NamedTuple):
    """What logs tell: the causes of each group, the settings that clients have printed, and the
    names that sentences about them may have, by what they name; and whether all of them were read
    to the end."""

    groups: dict[str, ToldByLogs]
    settings: tuple[ClientSettings, ...]
    names: dict[str, str]
    are_whole: bool


def logs_in(place: str) -> list[str]:
    """Return the logs of a source: itself, or those in a folder that has no segment or capture."""
    if "://" in place or not Path(place).is_dir():
        return [place] if is_log(place) else []
    files = [
        str(path) for path in sorted(Path(place).rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.parts)
    ]  # fmt: skip
    if any(find_capture(file, "file", None, MAX_BYTES, tells=False) for file in files[:_LOOKED_AT]):
        return []
    return [file for file in files if is_log(file)]


_LOOKED_AT = 1_000
"""Files of a folder of which one may be a segment or a capture."""


def is_log(place: str) -> bool:
    """Return whether a source is a log with a line that is known: no segment, capture or table."""
    if "://" in place or not Path(place).is_file():
        return False
    if find_capture(place, "file", None, MAX_BYTES, tells=False) is not None:
        return False
    is_known = False
    with suppress(CannotDecompress), inputs.open_source(place) as file:
        is_known = next(iter(LogReader().read(file)), None) is not None
    return is_known


def read_logs(places: Sequence[str]) -> LogFacts:
    """Read logs together, as the story does; one that cannot be unpacked up to the damage."""
    sources = []
    are_whole = True
    for place in places:
        events: list[LogEvent] = []
        sources.append(LogSource(place, events))
        try:
            with inputs.open_source(place) as file:
                events += LogReader().read(file)
        except CannotDecompress as problem:
            say(f"{place}: {problem}")
            are_whole = False
    groups = {
        group.group: ToldByLogs(
            group.causes,
            group.kind,
            len(group.rebalances),
            group.events[-1].time or "",
        )
        for group in tell(sources).groups
        if group.group and group.events
    }
    settings = tuple(
        setting
        for source in sources
        for setting in settings_of_events(source.events, source.name)
        if setting.group in groups
    )
    names = dict.fromkeys(places, "source")
    for source in sources:
        names |= names_of_events(source.events)
    return LogFacts(groups, settings, names, are_whole)
