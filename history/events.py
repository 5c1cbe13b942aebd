"""Events of groups: what a source shows, in words that are the same for every source.

A reader makes events of its source (`frames` of captured requests and responses), and `History`
brings its groups up to date with them. Times are in milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from ..capture.frames.frame import Connection

__all__ = ["CAUSE_VERBS", "EVENTS", "Event", "Kind", "Place"]

Kind: TypeAlias = Literal["classic", "consumer", "share", "streams"]

EVENTS: Mapping[str, str] = MappingProxyType(
    {
        "joins": "a member asks to join, or to join again",
        "join-refused": "its answer is an error",
        "joined": "a member is told the generation, and the leader who is in it",
        "leader-assigns": "the leader sends what each member is to have",
        "assigned": "a member is told what it has",
        "sync-refused": "the answer to SyncGroup is an error",
        "heartbeat-refused": "the answer to a heartbeat is an error",
        "leaves": "a member says that it leaves, or is said to leave",
        "left": "the broker confirms that members have left",
        "leave-refused": "the answer to LeaveGroup is an error",
        "commit-refused": "a commit is refused, in whole or for a partition",
        "committed": "a commit is accepted",
        "epoch": "the broker tells a member that it has reached another epoch",
        "is-given": "the broker tells a member what it should have",
        "reports-it-owns": "a member tells the broker what it has",
        "heard": "a request of a member that says none of this",
        "answered": "an answer to a member that says none of this",
        # From two looks at a group, one after the other.
        "member-joined": "a member is there that was not",
        "member-left": "a member is not there any more",
        "rebalance-began": "the group rebalances",
        "stabilized": "a rebalance has ended",
        "subscription-changed": "a member subscribes to other topics",
    }
)
"""The kinds of events that frames show, or two looks at a live group."""

CAUSE_VERBS: Mapping[str, str] = MappingProxyType(
    {
        "member-joined": "joined",
        "member-rejoined": "joined again",
        "member-left": "left",
        "member-fenced": "was fenced",
        "session-expired": "was no longer heard of",
        "sync-not-sent": "sent no SyncGroup",
        "subscription-changed": "changed its subscription",
        "unknown": "",
    }
)
"""Why a rebalance began, as frames and looks show it, each with the verb of a sentence about the
member. `kproto.history.captured_groups` gives most of them a word of `kproto.history.causes`."""


class Place(NamedTuple):
    """Where a source shows an event: the number of its frame, from 1 (0 where frames are not
    counted), and the frame's connection."""

    number: int = 0
    connection: Connection | None = None


class Event(NamedTuple):
    """One event. `generation` is a member's epoch in a group whose broker assigns, -1 where the
    event has none. `request` and `requested` are place and time of the request, where the event is
    its answer, else those of the event itself. A reader documents its `fields`."""

    kind: str
    protocol: Kind
    group: str
    time: float | None = None
    member: str = ""
    client: str = ""
    generation: int = -1
    fields: Mapping[str, Any] = MappingProxyType({})
    place: Place = Place()
    request: Place = Place()
    requested: float | None = None
    certain: bool = True
