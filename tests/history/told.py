"""What a story tells of each member, taken from its text, to compare with what clients logged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from kproto.capture import read_pcap
from kproto.capture.frames.frame import in_time
from kproto.history.capture_story import CaptureStory
from kproto.history.topic_names import TopicNames
from kproto.inspector.group_context import Surroundings
from tests.inspector.test_views import rendered

Parts = frozenset[str]
_LINE = re.compile(r"^\d\d:\d\d:\d\d\.\d{3} \[\d+\]  (?P<group>\S+)  (?P<member>\S+) (?P<said>.*)$")
_GETS = re.compile(r"gets assignment v\d: (?:assigned partitions )?(?P<parts>[^;]*)")
_OWNS = re.compile(r"owns (?P<parts>.*?)(?:, as assigned: acknowledged)? \(\w+GroupHeartbeat")
_WIDE = 2000


def story_of(*captures: Path) -> str:
    """The whole story of captures, a line a chapter, and its summary."""
    topics = TopicNames()
    story, surroundings = CaptureStory(topics=topics, full=True), Surroundings()
    frames = read_pcap([str(capture) for capture in captures], closed=story.close)
    parts: list[object] = []
    for frame in in_time(topics.learning(frames)):
        parts += story.closings(frame.timestamp)
        parts.append(story.tell(frame, surroundings.around(frame)))
    parts += story.closings()
    text = "".join(rendered(part, _WIDE) for part in parts if part is not None)
    return text + rendered(story.summary(), _WIDE)


def owned_in_turn(text: str, group: str) -> dict[str, list[Parts]]:
    """By member, in the order in which they joined: what it owned, one assignment after another. A
    member that leaves owns nothing in the end."""
    found: dict[str, list[Parts]] = defaultdict(list)
    for line in text.splitlines():
        seen = _LINE.match(line)
        if seen is None or seen["group"] != group:
            continue
        member, said = seen["member"], seen["said"]
        owns = _GETS.search(said) or _OWNS.search(said)
        if owns is not None:
            found[member].append(parts_of(owns["parts"]))
        elif said.startswith("joins"):
            found.setdefault(member, [])
    return dict(found)


def parts_of(text: str) -> Parts:
    """The partitions in a text such as `clicks 0-3, orders 1, 5`."""
    if text in ("nothing", "nothing at all"):
        return frozenset()
    found, topic = set(), ""
    for item in text.split(", "):
        *name, numbers = item.split(" ")
        topic = name[0] if name else topic
        first, _, last = numbers.partition("-")
        found |= {f"{topic}-{number}" for number in range(int(first), int(last or first) + 1)}
    return frozenset(found)


def changes(sets: Iterable[Parts]) -> list[Parts]:
    """The sets without repetitions, and without what is empty at first."""
    found: list[Parts] = [frozenset()]
    for each in sets:
        if each != found[-1]:
            found.append(each)
    return found[1:]
