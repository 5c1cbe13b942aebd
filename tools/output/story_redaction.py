"""Hide the names in a story: the same name has the same stand-in, in all of its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from ...capture.logs.event import LogEvent
from ...history.timeline import client_of
from ...inspector.shapes.story_shapes import StoryOfGroups
from ...inspector.views.redaction import Redaction
from ...inspector.views.stand_ins import NamesToHide

__all__ = ["names_of_events", "redacted_story"]


def redacted_story(
    story: StoryOfGroups, events: Iterable[LogEvent], redaction: Redaction, files: Iterable[str]
) -> StoryOfGroups:
    """Return the story with a stand-in for each name that it or an event has, and for those of
    `files`, and without the texts of lines."""
    names = NamesToHide(redaction)
    names.add("source", files)
    for name, kind in (names_of_events(events) | _names(story)).items():
        names.add(kind, [name])
    replaced = names.hiding()

    def hide(value: Any, key: str = "") -> Any:
        match value:
            case dict() if key in ("partitions", "assignment"):  # by topic, or by member
                return {hide(name): hide(item, "partitions") for name, item in value.items()}
            case dict():
                return {name: hide(item, name) for name, item in value.items()}
            case list() | tuple():
                return [hide(item, key) for item in value]
            case str() if key in _HIDDEN:
                return _HIDDEN[key]
            case str() if key not in ("cause", "event", "kind", "time"):
                return replaced(value)
        return value

    return msgspec.convert(hide(msgspec.to_builtins(story)), StoryOfGroups)


_HIDDEN = {"text": None, "reason": None, "explanation": "hidden"}
"""What stands for texts that name members and topics: of lines, of clients' reasons, of remarks."""


def _names(story: StoryOfGroups) -> dict[str, str]:
    names: dict[str, str] = {unread.source: "source" for unread in story.unread}
    for clock in story.clocks:
        names[clock.source] = "source"
    for group in story.groups:
        names[group.group] = "group"
        for event in group.events:
            names |= {name: "client" for name in (event.client,) if name}
            names |= {name: "instance" for name in (event.instance,) if name}
            names |= {name: "member" for name in (event.member, *(event.assignment or ())) if name}
            shares = [event.partitions or {}, *(event.assignment or {}).values()]
            names |= {topic: "topic" for part in shares for topic in part}
        names |= {
            remark.who: "member" for look in group.looks for remark in look.remarks if remark.who
        }
        names |= {part.topic: "topic" for part in group.downtimes}
        for rebalance in group.rebalances:
            names |= {effect.topic: "topic" for effect in rebalance.effects}
            for cause in rebalance.causes:
                names |= {cause.client: "client"} if cause.client else {}
                names |= {cause.member: "member"} if cause.member else {}
    return names


_FIELDS = {
    "process": "process", "host": "host", "url": "host", "leader": "member", "current": "member",
    "earlier": "member", "topic": "topic", "connector": "connector",
}  # fmt: skip
"""Fields of events that name something, each with what it names."""
_LISTS = re.compile(r"\b(?:connectorIds|taskIds|revokedConnectorIds|revokedTaskIds)=\[([^\]]*)\]")


def names_of_events(events: Iterable[LogEvent]) -> dict[str, str]:
    """Return the names that sentences may have and that no field of the story is."""
    names: dict[str, str] = {}
    for event in events:
        names |= {event.group: "group", event.client: "client", event.member: "member"}
        names |= {client_of(event.member, event.instance): "client", event.instance: "instance"}
        fields = event.fields
        names |= {
            value: kind for key, kind in _FIELDS.items()
            if isinstance(value := fields.get(key), str)
        }  # fmt: skip
        for listed in _LISTS.findall(str(fields.get("detail", ""))):
            names |= dict.fromkeys(listed.split(", "), "task")
        if event.family == "around":
            names[str(fields.get("reason", ""))] = "reason"
    names.pop("", None)
    return names
