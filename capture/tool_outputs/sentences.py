"""Lines of tools that are no rows: what was called, when, and what a sentence says of a group.

The sentences are those of kafka.admin.ConsumerGroupCommand (2.0 to 3.7) and of
org.apache.kafka.tools (3.8 on: consumer, share and streams groups), of kaf and of kcat 1.7.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from ..logs.layouts import Stamp, read_time

__all__ = [
    "CommandLine",
    "Sentence",
    "read_command_line",
    "read_moment",
    "read_sentence",
    "split_glued",
]

_NO_VALUES: Mapping[str, Any] = MappingProxyType({})


class CommandLine(NamedTuple):
    """A command line: the tool, "" for another program, and the groups that it names. `lists`: the
    tool prints nothing but names of groups, one a line."""

    text: str
    tool: str = ""
    groups: tuple[str, ...] = ()
    lists: bool = False
    stamp: Stamp = Stamp()


_TOOL = re.compile(
    r"(?:\S*[/\\])?(?P<name>kafka-(?:consumer-|share-|streams-)?groups|kcat|kafkacat|rpk|kaf)"
    r"(?:\.sh|\.bat)?(?=\s|$)"
)
_SIGN = re.compile(r"\$|kafka-|kafkacat|kcat|rpk|kaf\s|Every")
_PROMPT = re.compile(r"(?P<before>[^$#%>]{0,200}?)(?P<sign>[$#%>])\s+(?=\S)")
_BARE = re.compile(
    r"(?:\S*[/\\])?(?:kafka-\S*groups\S* --?[a-z]|kcat -|kafkacat -|(?:rpk|kaf) groups? [a-z]+ \S)"
)
"""A command line without a prompt."""
_GLUED = re.compile(rf"(?P<row>.*?\S)(?P<sign>[$#]) (?P<command>{_TOOL.pattern}.*)")
_WATCH = re.compile(r"Every \d+(?:\.\d+)?s: (?P<command>.+?)(?:\s{2,}(?P<rest>\S.*))?$")


_LONGEST_COMMAND = 2_000


def read_command_line(line: str) -> CommandLine | None:
    """Return the command that a line shows, None for any other line."""
    if len(line) > _LONGEST_COMMAND or _SIGN.search(line) is None:
        return None
    text = line.strip()
    watch = _WATCH.match(text)
    if watch is not None:
        moment = read_moment((watch["rest"] or "").partition(": ")[2])
        return _call(watch["command"], moment or Stamp())
    prompt = _PROMPT.match(text)
    rest = text[prompt.end() :] if prompt is not None else text
    tool = _TOOL.match(rest)
    if tool is None and (prompt is None or prompt["sign"] != "$"):
        return None
    if prompt is None and _BARE.match(rest) is None:
        return None
    stamp = read_time(prompt["before"]) if prompt is not None else None
    return _call(rest, stamp or Stamp())


def split_glued(line: str) -> tuple[str, str] | None:
    """Return the row and the command line that share a line: 3.8 and 3.9 do not end their last
    row. None for any other line. The text between them cannot be told from the row's end."""
    match = _GLUED.match(line) if "kafka-" in line else None
    if match is None or match["row"].count("  ") < 2:
        return None
    return match["row"], f"$ {match['command']}"


def _call(command: str, stamp: Stamp) -> CommandLine:
    tool = _TOOL.match(command)
    if tool is None:
        return CommandLine(command, stamp=stamp)
    try:
        words = shlex.split(command.rstrip("\\"))
    except ValueError:
        words = command.split()
    name = {"kafkacat": "kcat"}.get(tool["name"], tool["name"])
    lists = "--list" in words and not {"--state", "--type"} & {*words} and name != "kafka-groups"
    return CommandLine(command, name, tuple(_groups(name, words)), lists, stamp)


def _groups(tool: str, words: list[str]) -> list[str]:
    if tool in ("rpk", "kaf"):
        arguments = words[words.index("describe") + 1 :] if "describe" in words else []
        return [word for word in arguments if not word.startswith("-")]
    option = "-G" if tool == "kcat" else "--group"
    groups = [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]
    return groups + [value for word, value in pairwise(words) if word == option]


_DATE = re.compile(
    r"(?:[A-Z][a-z]{2},? )?(?P<month>[A-Z][a-z]{2})\s+(?P<day>\d{1,2}) "
    r"(?P<clock>\d{1,2}:\d\d:\d\d)(?: (?P<half>[AP]M))?(?: (?P<zone>[A-Z]{2,5}))? (?P<year>\d{4})"
)
_DAY_FIRST = re.compile(
    r"(?:[A-Z][a-z]{2},? )?(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>\d{4}) "
    r"(?P<clock>\d{1,2}:\d\d:\d\d)(?: (?P<half>[AP]M))?(?: (?P<zone>[A-Z]{2,5}))?"
)
"""What `date` prints in some languages."""


def read_moment(line: str) -> Stamp | None:
    """Return the time that a line is, such as `date` prints it; None for any other line."""
    text = line.strip().strip("[]=#- ")
    if not 8 <= len(text) <= 60:
        return None
    date = _DATE.fullmatch(text) or _DAY_FIRST.fullmatch(text)
    if date is not None:
        half = f" {date['half']}" if date["half"] else ""
        plain = f"{date['month']} {date['day']}, {date['year']} {date['clock']}{half}"
        stamp = read_time(plain)
        has_zone = date["zone"] in ("UTC", "GMT")
        return None if stamp is None else stamp._replace(text=text, has_zone=has_zone)
    stamp = read_time(text)
    return stamp if stamp is not None and stamp.text == text else None


class Sentence(NamedTuple):
    """What a line says of a group, by the word `view`.

    empty        the group has no members
    rebalancing  it rebalances
    absent       there is no such group
    other        it is of another kind than the tool describes
    failed       the tool could not tell
    told         anything else that was said, such as a state
    ""           nothing of a group
    assigned, revoked   kcat as a member: what it got, or gave up
    """

    view: str
    group: str = ""
    values: Mapping[str, Any] = _NO_VALUES


def _kind(text: str) -> str:
    """Return the kind of a group by its name in a sentence; "consumer group" is of either kind."""
    kind = text.lower()
    return kind if kind in ("share", "streams", "connect", "classic") else ""


_PARTITION = re.compile(r"(\S+) \[(\d{1,20})\]")


def _kcat(match: re.Match[str]) -> Sentence:
    shares: dict[str, list[int]] = {}
    for topic, number in _PARTITION.findall(match["partitions"]):
        shares.setdefault(topic, []).append(int(number))
    partitions = {topic: tuple(sorted(numbers)) for topic, numbers in shares.items()}
    values = {"member": match["member"], "partitions": partitions}
    if "protocol" in match.groupdict():
        values["protocol"] = match["protocol"]
    view = "assigned" if match["word"] in ("assigned", "assignment") else "revoked"
    return Sentence(view, match["group"], MappingProxyType(values))


def _of_kind(view: str, **values: str) -> Any:
    def read(match: re.Match[str]) -> Sentence:
        kind = _kind(match["kind"])
        return Sentence(view, match["group"], {**values, **({"kind": kind} if kind else {})})

    return read


def _other_kind(match: re.Match[str]) -> Sentence:
    kind = _kind(match["other"] or "")
    return Sentence("other", match["group"], {"kind": kind} if kind else _NO_VALUES)


def _plain(view: str, **constants: str) -> Any:
    def read(match: re.Match[str]) -> Sentence:
        groups = match.groupdict()
        texts = {name: value for name, value in groups.items() if name != "group" and value}
        values = {**constants, **texts}
        return Sentence(view, groups.get("group") or "", values)

    return read


_FAILED = r"Error: Executing (?:\w+ )?group command failed due to "
_KIND = r"(?P<kind>[Cc]onsumer|Share|Streams) group"
_SENTENCES = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"(?:Error: )?{_KIND} '(?P<group>.+)' has no active members\.",
         _of_kind("empty", state="Empty")),
        (rf"Warning: {_KIND} '(?P<group>.+)' is rebalancing\.", _of_kind("rebalancing")),
        (rf"Error: (?:The )?{_KIND} '(?P<group>.+)' does not exist\.",
         _of_kind("absent", state="Dead")),
        (rf"{_KIND} '(?P<group>.+)' has no offset information\.", _of_kind("told")),
        ((r"Error: Assignments can only be reset if the group '(?P<group>.+)' is inactive, but the "
          r"current state is (?P<state>\w+)\."), _plain("told")),
        (_FAILED + r".*?GroupId (?P<group>.+) is not a \w+ group(?: \((?P<other>.*)\))?\.",
         _other_kind),
        (_FAILED + r".*?Group (?P<group>.+) is not a \w+ group(?P<other>)\.", _other_kind),
        (_FAILED + r".*?Group (?P<group>.+) not found\.", _plain("absent", state="Dead")),
        (_FAILED + r"(?P<error>.+)", _plain("failed")),
        (r"Error: (?P<error>.+)", _plain("failed")),
        (r"Group (?P<group>.+) not found\.", _plain("absent")),
        (r"(?P<error>unable to describe groups?: .+|Unable to describe consumer groups: .+)",
         _plain("failed")),
        (r"% (?:Waiting for group rebalance|Reached end of topic .+)", _plain("")),
        ((r"% Group (?P<group>.+) rebalanced \(memberid (?P<member>.*)\): "
          r"(?P<word>assigned|revoked): ?(?P<partitions>.*)"), _kcat),
        ((r"% Group (?P<group>.+) rebalanced: incremental (?P<word>assignment|revoke) of \d+ "
          r"partition\(s\) \(memberid (?P<member>.*?)(?P<loss>, assignment lost)?, "
          r"(?P<protocol>\w+) rebalance protocol\): ?(?P<partitions>.*)"), _kcat),
    )
)  # fmt: skip
_LONGEST = 1_000  # characters of a sentence
_BEGINS = re.compile(r"(?:Error|Warning|Consumer|Share|Streams|Group|% |[Uu]nable)")


def read_sentence(line: str) -> Sentence | None:
    """Return what a line says of a group, None for any other line."""
    text = line.strip()[:_LONGEST]
    if not _BEGINS.match(text):
        return None
    for pattern, read in _SENTENCES:
        match = pattern.fullmatch(text)
        if match is not None:
            with suppress(ValueError):  # a number beyond what Python reads
                sentence: Sentence = read(match)
                return sentence
    return None
