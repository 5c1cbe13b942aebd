"""Logs as a source of an audit: what they tell of each group, and of the settings of clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from ...capture import MAX_BYTES
from ...capture.compression import CannotDecompress
from ...capture.logs.event import LogEvent
from ...capture.logs.reader import LogReader
from ...clients.settings import ClientSettings
from ...history.clocks import LogSource
from ...history.group_story import tell
from ...history.polls import without_return
from ...history.timeline import ClientsOfGroups
from ...inspector.shapes.story_shapes import GroupStory, RootCause
from ...pipeline.groups.options import ToldByLogs
from ...wording import some_of
from .. import input as inputs
from ..output.failures import say
from ..output.story_redaction import names_of_events
from .capture_files import find_capture
from .client_settings import settings_of_events

__all__ = ["LogFacts", "Logs", "is_log", "logs_in", "read_logs", "told_by"]


class LogFiles(NamedTuple):
    """The logs of a source, and the files beside them that are none."""

    logs: Sequence[str] = ()
    others: Sequence[str] = ()


class Logs(NamedTuple):
    """Logs that were read, in sentences which of them could not be read to the end, and the files
    beside them that are none."""

    sources: Sequence[LogSource]
    damages: Sequence[str] = ()
    others: Sequence[str] = ()

    @property
    def clients_without_group(self) -> list[str]:
        """The clients of lines that name no group, of logs in which no line does."""
        return sorted(
            {
                event.client
                for source in self.sources
                if not any(event.group for event in source.events)
                for event in source.events
            }
            - {""}
        )

    @property
    def names(self) -> dict[str, str]:
        """The names that sentences about them may have, by what they name."""
        files = (*(source.name for source in self.sources), *self.others)
        names = dict.fromkeys(files, "source")
        for source in self.sources:
            names |= names_of_events(source.events)
        return names


class LogFacts(NamedTuple):
    """What logs tell: the causes of each group, the settings that clients have printed, and what
    was not used of them, in sentences."""

    groups: dict[str, ToldByLogs]
    settings: tuple[ClientSettings, ...]
    remarks: tuple[str, ...]


def logs_in(place: str) -> LogFiles:
    """Return the logs of a source: itself, or those in a folder that has no segment or capture."""
    if "://" in place or not Path(place).is_dir():
        return LogFiles([place] if is_log(place) else [])
    files = [
        str(path) for path in sorted(Path(place).rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.parts)
    ]  # fmt: skip
    if any(find_capture(file, "file", None, MAX_BYTES, tells=False) for file in files[:_LOOKED_AT]):
        return LogFiles()
    logs = [file for file in files if is_log(file)]
    return LogFiles(logs, sorted(set(files) - set(logs)) if logs else ())


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


def read_logs(places: Sequence[str], others: Sequence[str] = ()) -> Logs:
    """Read logs; one that cannot be unpacked up to the damage. `others` are files beside them."""
    sources = []
    damages = []
    for place in places:
        events: list[LogEvent] = []
        sources.append(LogSource(place, events))
        try:
            with inputs.open_source(place) as file:
                events += LogReader().read(file)
        except CannotDecompress as problem:
            damages.append(f"not read to its end: {place}: {problem}")
            say(damages[-1])
    return Logs(sources, damages, others)


def told_by(
    logs: Logs,
    clients: ClientsOfGroups,
    wants: Callable[[str], bool] = lambda _: True,
    *,
    has_records: bool = False,
) -> LogFacts:
    """Return what logs tell together, as the story does. `clients` are those that records show of
    groups; `wants` says which groups are audited, and `has_records` that records of them, too."""
    sources = logs.sources
    groups = {
        group.group: ToldByLogs(
            _beside_records(group.causes) if has_records else group.causes,
            group.kind,
            len(group.rebalances),
            _latest(group),
        )
        for group in tell(sources, clients=clients).groups
        if group.group
    }
    settings = tuple(
        setting
        for source in sources
        for setting in settings_of_events(source.events, source.name)
        if setting.group in groups
    )
    unused = [source.name for source in sources if not any(map(wants, source.groups))]
    remarks = [
        sentence.format(some_of(files, _NAMED))
        for sentence, files in ((_UNUSED, unused), (_SKIPPED, logs.others))
        if files
    ]
    remarks += logs.damages
    return LogFacts(groups, settings, (*remarks, *_of_several_groups(logs, clients)))


def _beside_records(causes: Sequence[RootCause]) -> tuple[RootCause, ...]:
    return tuple(replace(cause, summary=without_return(cause.summary)) for cause in causes)


_UNUSED = "no line of {} is of a group of this audit"
_SKIPPED = "skipped {}: no line is of a broker or client that is known, so it is no log"


def _latest(group: GroupStory) -> str:
    """Return the time of the last line about a group: of an event, or of a sign of a cause."""
    times = [event.time for event in group.events[-1:]]
    return max(filter(None, (*times, *(cause.last_seen for cause in group.causes))), default="")


def _of_several_groups(logs: Logs, clients: ClientsOfGroups) -> Iterator[str]:
    """Yield which clients have lines that are of no group, since several groups have them."""
    for client in logs.clients_without_group:
        groups = sorted(group for group, names in clients.items() if client in names)
        if len(groups) > 1:
            yield (
                f"lines of {client} that name no group are not used: the groups "
                f"{some_of(groups, _NAMED)} have a client of that name"
            )


_NAMED = 5  # groups, or files, in one sentence
