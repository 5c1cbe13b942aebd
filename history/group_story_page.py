"""The story of groups as a page: members as lanes, rebalances as bands, causes with their lines."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from ..inspector.shapes.shape import Shares
from ..inspector.shapes.story_shapes import GroupEvent, GroupStory, StoryOfGroups
from ..pages import render
from .group_story_view import (
    QUIET_CAUSES,
    in_order_of_trouble,
    lag_text,
    missing_text,
    rebalance_texts,
    setting_text,
    uncounted_text,
)
from .verdict import beside_causes

__all__ = ["story_page"]

WIDTH = 1000
"""Units of the picture, across all of its time."""
MAX_LANES, MAX_EVENTS, MAX_PARTITIONS = 60, 5_000, 200
"""What a page shows of a group; beyond, it says how many there are."""


class Scale(NamedTuple):
    """The time of a picture, in seconds, and units a second."""

    start: float
    end: float
    units: float

    def at(self, time: str) -> float:
        """Return where a time is."""
        return (_seconds(time) - self.start) * self.units


class Bar(NamedTuple):
    """A part of a lane: from, length, what it is (`there` or `owns`), and a sentence."""

    x: float
    width: float
    kind: str
    text: str


class Lane(NamedTuple):
    """A member: its name, its bars, and its events as (position, event, sentence)."""

    name: str
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str, str], ...]


class Band(NamedTuple):
    """A rebalance: from, length, its number, a sentence."""

    x: float
    width: float
    generation: int
    text: str
    is_quiet: bool


def story_page(story: StoryOfGroups) -> str:
    """Return the page of a story, one HTML file that needs no network."""
    ordered = in_order_of_trouble(story.groups)
    groups = [_group(group) for group in ordered]
    names = ", ".join(group.group for group in ordered[:3])
    return render(
        "story.html.jinja",
        title=f"The story of {names}" if names else "No group",
        groups=groups,
        clocks=[clock for clock in story.clocks if clock.offset_ms],
        is_assumed=bool(story.clocks) and all(clock.zone == "assumed" for clock in story.clocks),
        unread=story.unread,
        width=WIDTH,
        quiet=QUIET_CAUSES,
    )


def _group(group: GroupStory) -> dict[str, object]:
    times = sorted(event.time for event in group.events if event.time)
    scale = _scale(times)
    lanes = [] if scale is None else _lanes(group.events, scale)
    return {
        "story": group,
        "verdict": beside_causes(group.verdict, (cause.summary for cause in group.causes[:2])),
        "settings": list(map(setting_text, group.client_settings)),
        "missing": missing_text(group),
        "lags": list(map(lag_text, group.lag_changes)),
        "downtimes": sorted(group.downtimes, key=lambda part: (part.since is None, -part.total_ms))[
            :MAX_PARTITIONS
        ],
        "uncounted": uncounted_text(group.uncounted),
        "more_downtimes": max(0, len(group.downtimes) - MAX_PARTITIONS),
        "effects": [
            (rebalance.generation, effect)
            for rebalance in group.rebalances
            for effect in rebalance.effects
            if effect.records_again or effect.records_skipped
        ][:MAX_PARTITIONS],
        "start": times[0] if times else "",
        "end": times[-1] if times else "",
        "ticks": [] if scale is None else _axis(scale),
        "lanes": lanes[:MAX_LANES],
        "more_lanes": max(0, len(lanes) - MAX_LANES),
        "bands": [] if scale is None else _bands(group, scale),
        "rebalances": [
            (rebalance.began or rebalance.ended, text)
            for rebalance, text in zip(group.rebalances, rebalance_texts(group), strict=True)
        ],
        "events": [_row(event) for event in group.events[:MAX_EVENTS]],
        "more_events": max(0, len(group.events) - MAX_EVENTS),
    }


def _scale(times: list[str]) -> Scale | None:
    """None where there is no time to draw."""
    if not times or times[0] == times[-1]:
        return None
    start, end = _seconds(times[0]), _seconds(times[-1])
    return Scale(start, end, WIDTH / (end - start))


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


_STEPS = (
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400,
)  # fmt: skip
"""Seconds between the moments that are named."""


def _axis(scale: Scale) -> list[tuple[float, str]]:
    """About eight moments, at round times."""
    length = scale.end - scale.start
    step = next((step for step in _STEPS if length / step <= 8), _STEPS[-1])
    first = (int(scale.start / step) + 1) * step
    return [
        ((moment - scale.start) * scale.units, f"{datetime.fromtimestamp(moment, UTC):%H:%M:%S}")
        for moment in range(first, int(scale.end) + 1, max(step, int(length / 8 // step) * step))
    ]


def _bands(group: GroupStory, scale: Scale) -> list[Band]:
    bands = []
    for rebalance, description in zip(group.rebalances, rebalance_texts(group), strict=True):
        if rebalance.began is None:
            continue
        began = scale.at(rebalance.began)
        width = max(scale.at(rebalance.ended or rebalance.began) - began, 1.5)
        words = {cause.cause for cause in rebalance.causes}
        text = f"{rebalance.began[11:23]} {description}"
        bands.append(Band(began, width, rebalance.generation, text, words <= QUIET_CAUSES))
    return bands


_GONE = frozenset({"leaves", "member-removed", "member-fenced"})
_HAS = frozenset({"partitions-assigned", "assigned"})
_LOSES = frozenset({"partitions-revoked", "partitions-lost", *_GONE})


def _lanes(events: Iterable[GroupEvent], scale: Scale) -> list[Lane]:
    """A lane for each member, in the order in which they come."""
    by_member: dict[str, list[GroupEvent]] = {}
    for event in events:
        if event.time and event.member:
            by_member.setdefault(event.member, []).append(event)
    return [
        Lane(
            _name(own),
            (*_bars(own, "there", scale), *_bars(own, "owns", scale)),
            tuple((scale.at(event.time or ""), event.event, _sentence(event)) for event in own),
        )
        for own in by_member.values()
    ]


_COMES = frozenset({"joins", "joined", "assigned", "partitions-assigned"})


def _name(events: list[GroupEvent]) -> str:
    client = next((event.client for event in events if event.client), "")
    member = events[0].member or ""
    tail = member[len(client) :].lstrip("-")[:4] if client and member.startswith(client) else ""
    return f"{client}-{tail}" if tail else client or member[:12]


_BARS = {"there": (_COMES, _GONE), "owns": (_HAS, _LOSES)}
"""The events that begin and end each kind of bar."""


def _bars(events: list[GroupEvent], kind: str, scale: Scale) -> Iterable[Bar]:
    begins, ends = _BARS[kind]
    began: float | None = None
    text = ""
    for event in events:
        moment = scale.at(event.time or "")
        if event.event in ends and began is not None:
            yield Bar(began, max(moment - began, 1), kind, text)
            began = None
        elif event.event in begins and not (kind == "owns" and event.partitions == {}):
            began = moment if began is None else began
            text = _sentence(event)
    if began is not None:
        yield Bar(began, max(WIDTH - began, 1), kind, text)


def _sentence(event: GroupEvent) -> str:
    parts = [(event.time or event.time_text)[11:23], event.event]
    if event.generation is not None:
        parts.append(f"({event.generation})")
    if event.partitions:
        parts.append(_shares(event.partitions))
    parts += [text for text in (event.error, event.reason) if text]
    return " ".join(parts)


def _shares(shares: Shares) -> str:
    return ", ".join(f"{topic} {', '.join(map(str, parts))}" for topic, parts in shares.items())


def _row(event: GroupEvent) -> dict[str, object]:
    detail = "; ".join(
        [text for text in (event.error, event.reason) if text]
        + ([_shares(event.partitions) or "nothing"] if event.partitions is not None else [])
        + [f"{member}: {_shares(shares)}" for member, shares in (event.assignment or {}).items()]
    )
    return {
        "time": (event.time or event.time_text)[11:23] if event.time else event.time_text,
        "event": event.event,
        "who": event.client or event.member or "",
        "generation": "" if event.generation is None else event.generation,
        "detail": detail,
        "places": ", ".join(f"{place.source}:{place.line}" for place in event.places),
    }
