"""Drawings of the site as HTML and SVG, which take their colours from the page (site.css)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

from kproto.codec import VersionedMessage, decode, message_class

_CHAR = 8.0
"""Width of a character of a drawing's text, in its units."""


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """A drawing that scrolls where the page is narrower than it."""
    return (
        f'<div class="drawing"><svg class="drawn" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" style="min-width: {min(width, 640):.0f}px" '
        f'role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg></div>"
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'
    )


def _box(x: float, y: float, width: float, height: float, kind: str = "box") -> str:
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="4" '
        f'class="{kind}"/>'
    )


_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
    'markerHeight="8" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>'
)


# Bytes of a message, version by version

_EXAMPLES: dict[str, dict[str, Any]] = {
    "ConsumerProtocolSubscription": {
        "topics": ["orders"],
        "ownedPartitions": [{"topic": "orders", "partitions": [0]}],
        "generationId": 7,
        "rackId": "r1",
    },
    "ConsumerProtocolAssignment": {
        "assignedPartitions": [{"topic": "orders", "partitions": [0, 1]}],
    },
}
"""What is drawn, in the message's JSON form; a version has those that it knows."""


def bytes_row(name: str, *versions: str) -> str:
    """Returns the example's bytes in these versions, a row each; new fields stand out."""
    kind = message_class(name)
    assert issubclass(kind, VersionedMessage)
    parts: list[str] = []
    widest, y = 0.0, 8.0
    before: set[str] = set()
    for version in map(int, versions):
        cells = _cells(kind, name, version)
        x = 92.0
        parts.append(_text(4, y + 28, f"version {version}", "", "start"))
        for field, data in cells:
            width = max(len(data) * 2 + 2, len(field) + 2) * _CHAR
            new = before and field not in before and field != "version"
            parts.append(_box(x, y, width, 46, "new" if new else "box"))
            parts.append(_text(x + width / 2, y + 18, field))
            parts.append(_text(x + width / 2, y + 37, data.hex(), "mono"))
            x += width + 3
        before = {field for field, _ in cells}
        widest, y = max(widest, x), y + 58
    return _svg(widest + 4, y, f"{name} in bytes, versions {', '.join(versions)}", parts)


def _cells(kind: type[VersionedMessage], name: str, version: int) -> list[tuple[str, bytes]]:
    """The top fields of the example in a version, each with its bytes."""
    given = _EXAMPLES[name]
    known = {_camel(field) for field in _fields(kind(), kind, version)}
    shown = {key: value for key, value in given.items() if key in known}
    message = kind.from_json(shown, version=version)
    data = message.to_bytes(version)
    starts = [*_fields(message, kind, version).items(), ("", len(data))]
    return [
        ("version", data[:2]),
        *((field, data[at:to]) for (field, at), (_, to) in pairwise(starts)),
    ]


def _fields(
    message: VersionedMessage, kind: type[VersionedMessage], version: int
) -> dict[str, int]:
    """Where each field of the message itself begins."""
    seen = decode(message.to_bytes(version), kind)
    return {node.path: node.start for node in seen.fields if "." not in node.path
            and "[" not in node.path and node.path != "version"}  # fmt: skip


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# Who says what to whom

_A, _B, _BROKER = "member a, the leader", "member b", "coordinator"
_SEQUENCES: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str, str], ...]]] = {
    "classic": (
        (_A, _B, _BROKER),
        (
            (_A, _BROKER, "JoinGroup: subscription"),
            (_B, _BROKER, "JoinGroup: subscription"),
            (_BROKER, _A, "you lead; both subscriptions"),
            (_BROKER, _B, "a leads"),
            (_A, _BROKER, "SyncGroup: both assignments"),
            (_B, _BROKER, "SyncGroup"),
            (_BROKER, _A, "assignment"),
            (_BROKER, _B, "assignment"),
        ),
    ),
    "cooperative": (
        (_A, _B, _BROKER),
        (
            (_B, _BROKER, "JoinGroup: owns nothing"),
            (_A, _BROKER, "JoinGroup: owns 0, 1"),
            (_BROKER, _A, "assignment 0: 1 is to be revoked"),
            (_BROKER, _B, "assignment: nothing yet"),
            (_A, _BROKER, "JoinGroup: owns 0"),
            (_B, _BROKER, "JoinGroup: owns nothing"),
            (_BROKER, _A, "assignment 0"),
            (_BROKER, _B, "assignment 1"),
        ),
    ),
    "consumer": (
        ("member a", _B, _BROKER),
        (
            ("member a", _BROKER, "ConsumerGroupHeartbeat: topics"),
            (_BROKER, "member a", "epoch 1: assignment 0, 1"),
            (_B, _BROKER, "ConsumerGroupHeartbeat: topics"),
            (_BROKER, _B, "epoch 2: nothing yet"),
            (_BROKER, "member a", "epoch 1: assignment 0"),
            ("member a", _BROKER, "ConsumerGroupHeartbeat: owns 0"),
            (_BROKER, "member a", "epoch 2: assignment 0"),
            (_BROKER, _B, "epoch 2: assignment 1"),
        ),
    ),
}
"""Those who speak, and what each says to whom, in order."""


def sequence(name: str) -> str:
    """Returns the messages of a rebalance, one below the other."""
    speakers, messages = _SEQUENCES[name]
    width, step = 740.0, 34.0
    at = {
        speaker: width * (2 * place + 1) / (2 * len(speakers))
        for place, speaker in enumerate(speakers)
    }
    height = 60 + step * len(messages)
    parts = [_HEAD]
    for speaker, x in at.items():
        parts += [_box(x - 100, 6, 200, 30), _text(x, 26, speaker)]
        parts.append(f'<path class="line" d="M{x:.0f} 36V{height - 6:.0f}"/>')
    for number, (sender, receiver, text) in enumerate(messages):
        y = 66 + step * number
        start, end = at[sender], at[receiver]
        parts.append(
            f'<path class="line" marker-end="url(#head)" d="M{start:.0f} {y:.0f}H{end:.0f}"/>'
        )
        beside = start + math.copysign(width / len(speakers) / 2, end - start)
        parts.append(_text(beside, y - 6, text, "dim haloed"))
    return _svg(width, height, f"A rebalance: {name}", parts)


# State machines


_AROUND = (
    "unjoined", "empty", "preparing_rebalance", "completing_rebalance", "stable", "leaving",
    "closed", "failed",
)  # fmt: skip
"""The phases of members and coordinators in the order in which they are drawn."""
_EDGE = re.compile(r"^    (\S+) --> (\S+?)(?:: (.*))?$", re.MULTILINE)


def states(name: str, mermaid: str) -> str:
    """Returns a drawing of a state machine and a table of what its numbered arrows are."""
    edges = [(edge[1], edge[2], edge[3] or "") for edge in _EDGE.finditer(mermaid)]
    first = next(after for before, after, _ in edges if before == "[*]")
    edges = [edge for edge in edges if edge[0] != "[*]"]
    order = sorted({state for edge in edges for state in edge[:2]}, key=_AROUND.index)
    width, height, wide, high = 800.0, 560.0, 160.0, 34.0
    middle = {
        state: (
            width / 2 - (width - wide - 20) / 2 * math.cos(2 * math.pi * place / len(order)),
            height / 2 - (height - high - 20) / 2 * math.sin(2 * math.pi * place / len(order)),
        )
        for place, state in enumerate(order)
    }
    parts = []
    marks = []
    for number, (before, after, _) in enumerate(edges, 1):
        line, at = _arrow(middle[before], middle[after], wide / 2 + 3, high / 2 + 3)
        parts.append(line)
        marks.append(f'<circle cx="{at[0]:.0f}" cy="{at[1]:.0f}" r="10" class="bare"/>')
        marks.append(_text(at[0], at[1] + 4, str(number), "dim"))
    parts += marks
    for state, (x, y) in middle.items():
        parts.append(
            _box(x - wide / 2, y - high / 2, wide, high, "new" if state == first else "box")
        )
        parts.append(_text(x, y + 5, _named(state)))
    rows = [
        f"| {number} | {_named(before)} → {_named(after)} | {label.replace('<br/>', '; ')} |"
        for number, (before, after, label) in enumerate(edges, 1)
    ]
    drawing = _svg(width, height, f"The phases of the {name}", [_HEAD, *parts])
    return "\n".join([drawing, "", "| | from → to | on |", "|---|---|---|", *rows])


def _named(state: str) -> str:
    return state.replace("_", " ")


_Point = tuple[float, float]


def _arrow(start: _Point, end: _Point, half_wide: float, half_high: float) -> tuple[str, _Point]:
    """A bent line from box to box, and the place of its number on it."""
    (x1, y1), (x2, y2) = start, end
    bend = 0.12  # so that there and back are two lines
    control = ((x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend)
    begin = _edge_of(start, control, half_wide, half_high)
    stop = _edge_of(end, control, half_wide, half_high)
    path = (
        f'<path class="line" marker-end="url(#head)" d="M{begin[0]:.0f} {begin[1]:.0f} '
        f'Q{control[0]:.0f} {control[1]:.0f} {stop[0]:.0f} {stop[1]:.0f}"/>'
    )
    share = 0.4
    weights = ((1 - share) ** 2, 2 * share * (1 - share), share**2)
    at = tuple(
        sum(
            weight * point[axis]
            for weight, point in zip(weights, (begin, control, stop), strict=True)
        )
        for axis in (0, 1)
    )
    return path, (at[0], at[1])


def _edge_of(box: _Point, towards: _Point, half_wide: float, half_high: float) -> _Point:
    """Where the line from the middle of a box to a point leaves the box."""
    dx, dy = towards[0] - box[0], towards[1] - box[1]
    scale = min(half_wide / abs(dx) if dx else math.inf, half_high / abs(dy) if dy else math.inf)
    return box[0] + dx * scale, box[1] + dy * scale
