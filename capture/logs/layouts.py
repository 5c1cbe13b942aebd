"""Read the lines of a log out of what collectors and layouts put around its messages.

    2026-11-25T23:33:01.181Z stdout F [2026-11-25 23:33:01,181] INFO [GroupCoordinator 1]: …
    {"@timestamp": "2026-11-25T23:33:01.181Z", "level": "INFO", "message": "[Consumer clientId=…"}

A line may have two times: a collector's, which has a zone, and that of the program, which is exact
and mostly has none. Together they tell the program's zone. Lines without a beginning of their own,
such as stack traces and messages over several lines, belong to the line before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from html import unescape
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import msgspec

from ..whole_numbers import whole_number

__all__ = [
    "FLUSH", "TIME_KEYS", "LogLine", "Stamp", "Unwrapped", "begins_message", "entry_of",
    "is_time_alone", "messages_of", "object_of", "read_time", "unwrap", "unwrapped_lines",
    "value_stamp",
]  # fmt: skip

MAX_CONTINUATION = 500
"""Lines of one message that are kept."""

_MONTHS = {name: number for number, name in enumerate(
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1
)}  # fmt: skip
_DAY_MS = 86_400_000
_QUARTER_MS = 900_000
_ZONES_MS = 14 * 3_600_000
_SLACK_MS = 120_000
"""How much later than the program a collector may put its own time."""


class Stamp(NamedTuple):
    """The time of a line. `milliseconds` are since the epoch; without a date, since midnight; None
    where the line has no time. A time without a zone counts as UTC. `year` is False where the
    source names none: then it is that of 1972."""

    text: str = ""
    milliseconds: float | None = None
    has_date: bool = False
    has_year: bool = False
    has_zone: bool = False


class LogLine(NamedTuple):
    """A message of a log: `number` is that of its first line in the file, from 1; `text` is the
    message with what the program's own layout puts around it, and with its continuation lines.
    `data` has the other keys of a line in JSON."""

    number: int
    text: str
    stamp: Stamp = Stamp()
    data: Mapping[str, Any] = MappingProxyType({})


# -- times


_TIME = re.compile(
    r"""
      (?P<date>\d{4}[-/]\d\d[-/]\d\d) [T ] (?P<clock>\d\d:\d\d:\d\d) (?:[.,](?P<fraction>\d{1,9}))?
      (?:\s?(?P<zone>Z\b|UTC\b|[+-]\d\d:?\d\d\b))?
    | (?P<name>[A-Z][a-z]{2,8})\s(?P<day>[\s\d]?\d)(?:,|(?:st|nd|rd|th),?)\s(?P<year>\d{4})
      (?:\s@|,)?\s
      (?P<hour>\d{1,2}:\d\d:\d\d)(?:\.(?P<part>\d{1,9}))?(?:\s(?P<half>[AP]M)\b)?
    | (?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s(?P<date_of>[\s\d]\d)\s
      (?P<time>\d\d:\d\d:\d\d)
    | (?P<european>\d\d[-.]\d\d[-.]\d{4})\s(?P<at>\d\d:\d\d:\d\d)(?:[.,](?P<rest>\d{1,9}))?
    | \b(?P<seconds>1\d{9})\.(?P<after>\d{1,9})\b
    | \b(?P<epoch>1\d{12})\b
    | (?<![\d:.-])(?P<only>\d\d:\d\d:\d\d|\d:\d\d:\d\d(?=\s[AP]M\b))
      (?:[.,](?P<tail>\d{1,9}))?(?![\d:])
      (?:\s(?P<noon>[AP]M)\b)?
    """,
    re.VERBOSE,
)


def _fraction(digits: str | None) -> float:
    return float(f"0.{digits}") * 1000 if digits else 0.0


def _milliseconds(year: int, month: int, day: int, clock: str, digits: str | None) -> float | None:
    hours, minutes, seconds = map(int, clock.split(":"))
    try:
        moment = datetime(year, month, day, hours, minutes, min(seconds, 59), tzinfo=UTC)
    except ValueError:
        return None
    return moment.timestamp() * 1000 + _fraction(digits)


def _zone_ms(zone: str | None) -> float:
    if zone is None or zone in ("Z", "UTC"):
        return 0.0
    digits = zone[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return minutes * 60_000.0 * (-1 if zone[0] == "-" else 1)


def read_time(text: str, start: int = 0, end: int | None = None) -> Stamp | None:
    """Return the first time in a text, None where there is none."""
    match = _TIME.search(text, start, len(text) if end is None else end)
    return None if match is None else _stamp(match)


def _stamp(match: re.Match[str]) -> Stamp | None:
    """The time of a match, by the first of the forms that it has."""
    form = next(form for form in _FORMS if match[form])
    return _FORMS[form](match)


def _iso(match: re.Match[str]) -> Stamp:
    year, month, day = map(int, re.split("[-/]", match["date"]))
    value = _milliseconds(year, month, day, match["clock"], match["fraction"])
    if value is not None:
        value -= _zone_ms(match["zone"])
    return Stamp(match[0], value, value is not None, True, match["zone"] is not None)


def _american(match: re.Match[str]) -> Stamp:
    clock = match["hour"]
    if match["half"]:
        hour, rest = clock.split(":", 1)
        clock = f"{int(hour) % 12 + 12 * (match['half'] == 'PM')}:{rest}"
    month = _MONTHS.get(match["name"][:3], 0)
    value = _milliseconds(int(match["year"]), month, int(match["day"]), clock, match["part"])
    return Stamp(match[0], value, value is not None, True)


def _syslog(match: re.Match[str]) -> Stamp:
    day, month = int(match["date_of"]), _MONTHS[match["month"]]
    value = _milliseconds(1972, month, day, match["time"], None)
    return Stamp(match[0], value, value is not None)


def _european(match: re.Match[str]) -> Stamp:
    day, month, year = map(int, re.split("[-.]", match["european"]))
    value = _milliseconds(year, month, day, match["at"], match["rest"])
    return Stamp(match[0], value, value is not None, True)


def _seconds(match: re.Match[str]) -> Stamp:
    value = int(match["seconds"]) * 1000 + _fraction(match["after"])
    return Stamp(match[0], value, True, True, True)


def _epoch(match: re.Match[str]) -> Stamp:
    return Stamp(match[0], float(match["epoch"]), True, True, True)


def _time_of_day(match: re.Match[str]) -> Stamp | None:
    hours, minutes, seconds = map(int, match["only"].split(":"))
    if match["noon"]:
        hours = hours % 12 + 12 * (match["noon"] == "PM")
    value = ((hours * 60 + minutes) * 60 + seconds) * 1000 + _fraction(match["tail"])
    return Stamp(match[0], value) if value < _DAY_MS else None


_FORMS: dict[str, Callable[[re.Match[str]], Stamp | None]] = {
    "date": _iso,
    "year": _american,
    "month": _syslog,
    "european": _european,
    "seconds": _seconds,
    "epoch": _epoch,
    "only": _time_of_day,
}


def _join(collector: Stamp | None, own: Stamp | None) -> Stamp:
    """Return the time of a line that a collector has stamped, too: the program's own, in the zone
    that both together tell."""
    if own is None or own.milliseconds is None:
        return collector or Stamp()
    if collector is None or collector.milliseconds is None or own.has_zone:
        return own
    if not own.has_date:
        return collector if collector.has_date else own
    if not (own.has_year and collector.has_zone):
        return own if own.has_year or not collector.has_year else collector
    offset = round((own.milliseconds - collector.milliseconds) / _QUARTER_MS) * _QUARTER_MS
    lag = collector.milliseconds - (own.milliseconds - offset)
    if abs(offset) > _ZONES_MS or abs(lag) > _SLACK_MS:
        return own
    return own._replace(milliseconds=own.milliseconds - offset, has_zone=True)


# -- collectors


_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_CRI = re.compile(r"(\d{4}-\d\d-\d\dT\S+) (?:stdout|stderr) ([FP]) ?")
_STAMPED = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}(?:Z|[+-]\d\d:\d\d)) ")
_COMPOSE = re.compile(r"(?:[\w.-]{1,80}|\d{4} [A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d)\s*\| ")
_SYSLOG = re.compile(
    r"(?:<\d{1,3}>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) \S+ [^\s:\[]+(?:\[\d+\])?: ?"
)
_SYSLOG5424 = re.compile(r"<\d{1,3}>1 (\S+) \S+ \S+ \S+ \S+ (?:-|\[.{0,2000}?\]) ?")
_CLOUDWATCH = r"[^\s\[{]{1,200}/[^\s\[{]{1,300}\s"  # a group of logs, and a stream
_DECORATIONS = tuple(map(re.compile, (
    r"\s{3,}|\t",  # a block of Markdown
    r"[-*+\u2022]\s",
    r"(?:[^\s:]{1,200}[:-])?\d{1,9}[:-]",  # grep -n
    r"[^\s:]{1,200}?[:-](?=\{|\[?\d{4}[-/])",  # grep in several files
    r"[^\s:]{1,200}\.(?:log|out|err|txt)(?:\.\d{1,9})?[:-](?=\s)",
    r"\s{0,8}\d{1,9}[\t :]",  # cat -n, less -N
    r"\d{1,3}\|[^|]{1,80}\|\s",  # pm2
    r"[a-z\d][a-z\d.-]{1,252}\s[a-z\d][a-z\d.-]{0,62}\s(?:[\u203a|]\s)?",  # stern
    r"[\w-]{1,80}\[[\w.-]{1,80}\]:\s",  # Heroku
    _CLOUDWATCH,
    r"\d\d[OE][+ ]",  # GitLab
)))  # fmt: skip
"""What people, and the tools that they look at logs with, put in front of lines: no more than that
if a message begins behind it."""
_IN_FRONT = re.compile(
    r"(?:\s{0,4}>)+\s?|\[(?:pod|container)/[^\]\s]{1,300}\]\s"
    rf"|{_CLOUDWATCH}(?=\d{{4}}-\d\d-\d\dT)|\s+(?=[{{\"])"
    r"|\s{0,8}(?:\*\*(?!\*)|`{2,3}|`(?=[^`].*`\s*$))"
)
"""Quotations of mails, `kubectl logs --prefix`, a stream of CloudWatch, the blanks of JSON and the
emphasis of Markdown: continuation lines have them, too."""
_TABLE_ROW = re.compile(r"\|\s*([^|\s][^|]{0,40}\d\d:\d\d:\d\d[^|]{0,12}?)\s*\|\s(.*)\|\s*$")
"""A row of a table in Markdown: the time, and the message."""
_MARKUP = re.compile(
    r"^(?:\s*</?(?:p|br|pre|code|div|li|span)\b[^<>]{0,200}>)+|"
    r"(?:</?(?:p|br|pre|code|div|li|span)\b[^<>]{0,200}>\s*)+$"
)
"""What the source of a page has around a line."""
_EMPHASIS = ("**", "`", "``", "```")
_KIBANA = re.compile(r"\s*([A-Z][a-z]{2} +\d{1,2}, \d{4} @ \d\d:\d\d:\d\d\.\d+)\s+(?=\S)")
_TIME_ALONE = re.compile(r"\s*[A-Z][a-z]{2} +\d{1,2}, \d{4} @ \d\d:\d\d:\d\d\.\d+\s*")

_MESSAGE_KEYS = ("message", "msg", "short_message", "log", "textPayload", "line", "_raw", "body")
TIME_KEYS = (
    "@timestamp", "timestamp", "time", "ts", "date", "eventTime", "lastTimestamp", "asctime",
    "Time",
)  # fmt: skip
_STAMPED_OBJECT = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)\s(?=\{\")"
)
_STAMPED_FORMS = (_SYSLOG5424, _SYSLOG, _STAMPED, _STAMPED_OBJECT, _KIBANA)
_LAYERS = 8  # of collectors around each other
_LAST_SECOND = 10**11


def _number_stamp(value: int | float) -> Stamp | None:
    """A time as a number: seconds, milliseconds, microseconds or nanoseconds since the epoch."""
    for digits, scale in ((11, 1000.0), (14, 1.0), (17, 1e-3), (20, 1e-6)):
        if 0 < abs(value) < 10.0**digits:
            return Stamp(str(float(value)), value * scale, True, True, True)
    return None


def value_stamp(value: object) -> Stamp | None:
    """Return the time that a value of JSON, or a cell of a table, is."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_stamp(value)
    if isinstance(value, str):
        stamp = read_time(value)
        if stamp is not None and stamp.text == value.strip() and stamp.has_date:
            return stamp
        return stamp if (number := whole_number(value)) is None else _number_stamp(number)
    return None


def _object_stamp(data: Mapping[str, Any]) -> Stamp | None:
    seconds = data.get("timestampSeconds")
    if isinstance(seconds, int) and abs(seconds) < _LAST_SECOND:
        nanos = data.get("timestampNanos")
        whole = float(seconds * 1000)
        if isinstance(nanos, int) and 0 <= nanos < 1_000_000_000:
            whole += nanos / 1e6
        return Stamp(str(seconds), whole, True, True, True)
    for key in TIME_KEYS:
        stamp = value_stamp(data.get(key))
        if stamp is not None:
            return stamp
    return None


class Unwrapped(NamedTuple):
    """A line without what collectors have added: `collector` is the time of theirs, `data` has the
    keys of its JSON."""

    text: str
    collector: Stamp | None = None
    data: Mapping[str, Any] = MappingProxyType({})
    is_partial: bool = False
    """Whether the line goes on in the next one (CRI)."""


def unwrap(text: str) -> Unwrapped:
    """Return a line without what collectors have added to it."""
    collector: Stamp | None = None
    data: Mapping[str, Any] = MappingProxyType({})
    is_whole = is_partial = False
    for _ in range(_LAYERS):
        if text.startswith(("{", '"')):
            entry = object_of(text)
            if entry is None:
                break
            text, stamp, data = entry
            text = _COLOUR.sub("", text)
            is_whole = True
            collector = stamp if stamp is not None else collector
            continue
        if match := _TABLE_ROW.match(text):
            collector, text = read_time(match[1]), match[2].rstrip()
            continue
        if match := _CRI.match(text):
            is_whole = True
            is_partial = match[2] == "P"
        elif not (match := next(filter(None, (form.match(text) for form in _STAMPED_FORMS)), None)):
            # What a collector has taken whole may begin with anything.
            plain = None if is_whole else _without_decoration(text)
            if plain is None:
                break
            text = plain
            continue
        collector = read_time(match[1])
        text = text[match.end() :]
    return Unwrapped(text, collector, data, is_partial)


def _without_decoration(text: str) -> str | None:
    """Return a line without the first decoration in front of its message; None where it has
    none."""
    match = _COMPOSE.match(text) or _IN_FRONT.match(text)
    if match is not None:
        mark = match[0].strip()
        rest = text[match.end() :]
        return rest.rstrip().removesuffix(mark) if mark in _EMPHASIS else rest
    if _BEGINS.match(text):
        return None
    for decoration in _DECORATIONS:
        match = decoration.match(text)
        if match is not None and _BEGINS_BEHIND.match(text, match.end()):
            return text[match.end() :]
    return None


_Entry: TypeAlias = tuple[str, Stamp | None, Mapping[str, Any]]
_AFTER_VALUE = ",;]"
"""Characters that follow a value of JSON in the array, or the source, that it was copied from."""


def object_of(text: str) -> _Entry | None:
    """Return message, time and keys of a line in JSON, or the message that a line is, in quotation
    marks."""
    text = text.rstrip().rstrip(_AFTER_VALUE)
    for end in (len(text), len(text) - 1):  # with a brace too many, of an object around it
        try:
            data = msgspec.json.decode(text[:end])
        except (msgspec.DecodeError, RecursionError):
            if not text.endswith("}"):
                break
        else:
            if isinstance(data, str):
                return data.rstrip("\n"), None, MappingProxyType({})
            return entry_of(data) if isinstance(data, dict) else None
    return None


def entry_of(data: dict[str, Any]) -> _Entry | None:
    """Return message, time and keys of an object, None where none of its keys is a message's."""
    inner = data.get("jsonPayload")
    if isinstance(inner, dict):
        data = {**data, **inner}
    for key in _MESSAGE_KEYS:
        message = data.get(key)
        if isinstance(message, str):
            return message.rstrip("\n"), _object_stamp(data), data
        if isinstance(message, dict):  # Huawei's rebalancing log: the message is an object
            return "", _object_stamp(data), {**data, **message}
    return None


# -- lines


_LEVELS = "TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|SEVERE|CRITICAL"
_BEGINS = re.compile(
    rf"""\s{{0,2}}(?:
      [\[(<]?(?:\d{{4}}[-/]\d\d[-/]\d\d|\d\d[-.]\d\d[-.]\d{{4}}|\d\d:\d\d:\d\d|1\d{{12}}\b)
    | [A-Z][a-z]{{2}}\s[\s\d]?\d[ ,] | [A-Z][a-z]{{2,8}}\s\d{{1,2}}(?:st|nd|rd|th),?\s\d{{4}},
    | \[\w[^\]]*\]\s+(?:{_LEVELS}|\d{{4}}/)
    | \[?(?:{_LEVELS})\]?[\s:]
    | %\d\| | [A-Z][a-z]{{3,9}}\|\d{{4}}-
    | \[Nest\] | [DIWEFA],\s\[\d{{4}}-
    | [^\s\d]\S{{0,40}}\s{{1,2}}\d{{4}}[-/]\d\d[-/]\d\d[T\ ]\d\d:\d\d:\d\d
    | \[(?:GroupCoordinator|GroupMetadataManager|Consumer\s|Worker\s|sarama\])
    | (?:time|level|ts)=
    )""",
    re.VERBOSE,
)
_BEGINS_LATE = re.compile(
    r"(?!at\s|Caused\s|Suppressed:)[^\s\d]\S{0,40}\s{1,2}(?:\S{1,40}\s{1,2}){0,2}"
    r"[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d"
)
"""With some words of the application in front of the time."""
_BEGINS_BEHIND = re.compile(rf"\{{|\"|(?:\t|\s{{2,}})[a-z]|(?:{_BEGINS.pattern})", re.VERBOSE)
_GOES_ON = re.compile(
    r"\s|at |Caused by:|Suppressed:|\.\.\. \d+ |\*{3}|Traceback \(|"
    r"(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error)\b"
)
_JAVA_UTIL = re.compile(r"(?:SEVERE|WARNING|INFO|CONFIG|FINE|FINER|FINEST): ")
_LISTED = re.compile(r"\s\s?\S+ \[\d+\](?: offset \S+)?\s*$|\s\s[a-z][\w.]+ = ")
_HEAD = 100  # characters at the beginning of a line, in which its time is


def _is_beginning(text: str) -> bool:
    return (_BEGINS.match(text) or _BEGINS_LATE.match(text)) is not None


def begins_message(line: str) -> bool:
    """Return whether a line, with what a collector puts around it, does not continue another. What
    librdkafka lists under a line does, whatever stands in front."""
    text = unwrap(line).text
    return _is_beginning(text) and not _JAVA_UTIL.match(text) and not _LISTED.search(text)


def is_time_alone(line: str) -> bool:
    """Return whether a line is the time of the next one, as Kibana copies it."""
    return _TIME_ALONE.fullmatch(line) is not None


FLUSH = (0, "")
"""In place of a line: none has come for a while, so the message before is complete."""


def unwrapped_lines(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Unwrapped]]:
    """Yield lines, which have a number each, without what collectors have added to them."""
    part = ""
    for number, line in lines:
        if "&" in line:
            line = unescape(line)  # noqa: PLW2901  # copied out of the source of a page
        if "</" in line or "/>" in line or "<p" in line or "<br>" in line:
            line = _MARKUP.sub("", line.rstrip("\r\n"))  # noqa: PLW2901
        unwrapped = unwrap(_COLOUR.sub("", line.rstrip("\r\n\0").lstrip("\ufeff")))
        if unwrapped.is_partial:
            part += unwrapped.text
            continue
        if part:
            whole = unwrap(part + unwrapped.text)
            unwrapped = whole._replace(collector=whole.collector or unwrapped.collector)
            part = ""
        yield number, unwrapped


def messages_of(lines: Iterable[tuple[int, Unwrapped]]) -> Iterator[LogLine]:
    """Put continuation lines behind those that they continue."""
    message: LogLine | None = None
    rest: list[str] = []
    has_times = False
    collected: Stamp | None = None  # a time that stands in a line of its own, as Kibana copies it
    for number, line in lines:
        text = line.text
        if number == FLUSH[0]:
            if message is not None:
                yield message._replace(text="\n".join((message.text, *rest))) if rest else message
            message, rest = None, []
            continue
        if _TIME_ALONE.fullmatch(text):
            collected = read_time(text)
            continue
        if message is not None and _continues(line, message, has_times):
            if len(rest) < MAX_CONTINUATION:
                rest.append(text)
            continue
        if message is not None:
            yield message._replace(text="\n".join((message.text, *rest))) if rest else message
        is_headed = _is_beginning(text)
        own = read_time(text, 0, _HEAD) if is_headed or not line.data else None
        has_times = has_times or own is not None
        stamp = _join(line.collector if line.collector is not None else collected, own)
        message, rest = LogLine(number, text, stamp, line.data), []
    if message is not None:
        yield message._replace(text="\n".join((message.text, *rest))) if rest else message


def _continues(line: Unwrapped, message: LogLine, has_times: bool) -> bool:
    text = line.text
    if not text:
        return not line.data
    if _JAVA_UTIL.match(text) and message.stamp.text[:1].isalpha():
        return True
    if _is_beginning(text):
        return False
    if _GOES_ON.match(text):
        return True
    return has_times and not line.data
