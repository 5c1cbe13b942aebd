"""Exports can be read: the contrast of every colour in them, computed from the files."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolSubscription
from kproto.inspector import DiffView, Inspection, examine
from kproto.inspector.views.export import (
    DARK_PAGE,
    LIGHT_PAGE,
    MINIMUM,
    SCREEN,
    Recorder,
    contrast,
    readable,
)

from .samples import CAPTURES, CLIENTS

WHITE, BLACK = "#ffffff", "#000000"
EITHER = re.compile(r"(?<![\w-])color: light-dark\((#\w+), (#\w+)\)")
ON_COLOUR = re.compile(r"background-color: (#\w+); color: (#\w+)")


@pytest.fixture
def recorder() -> Recorder:
    """Everything that has a colour: captures, what is refused, many fields, a comparison."""
    made = Recorder()
    many = ConsumerProtocolSubscription(
        topics=["a", "b"],
        owned_partitions=[ConsumerProtocolSubscription.TopicPartition(topic="a", partitions=[1])],
        user_data=b"\1\2\3",
        rack_id="r",
    ).to_bytes(3)
    for data in (*CAPTURES.values(), *map(bytes.fromhex, CLIENTS.values()), many + b"tail"):
        made.print(Inspection(examine(data)))
    first, second = (examine(bytes.fromhex(CLIENTS[name])) for name in ("franz-go", "librdkafka"))
    made.print(DiffView(first, second))
    return made


def test_the_formula_is_that_of_wcag() -> None:
    """Values of the W3C's technique G18 and of its well known grey, #767676."""
    assert contrast(WHITE, BLACK) == pytest.approx(21)
    assert contrast("#767676", WHITE) == pytest.approx(4.54, abs=0.01)
    assert contrast("#777777", WHITE) == pytest.approx(4.48, abs=0.01)
    assert contrast("#ff0000", WHITE) == pytest.approx(4.00, abs=0.01)


@given(st.binary(min_size=3, max_size=3), st.sampled_from([WHITE, BLACK, DARK_PAGE]))
def test_every_colour_becomes_readable(colour: bytes, background: str) -> None:
    made = readable(f"#{colour.hex()}", background)
    assert contrast(made, background) >= MINIMUM
    assert readable(made, background) == made


def test_svg(recorder: Recorder) -> None:
    """For dark browsers, and for light ones by rules of their own."""
    head, _, body = recorder.svg().partition("</style>")
    dark_rules, _, light_rules = head.partition("@media (prefers-color-scheme: light)")
    behind = set(re.findall(r"<rect fill=.(#[0-9a-f]{6})", body)) - {DARK_PAGE}
    for rules, page, fields in ((dark_rules, DARK_PAGE, behind), (light_rules, LIGHT_PAGE, set())):
        fills = set(re.findall(r"fill: (#[0-9a-f]{6})", rules))
        assert len(fills) >= 8 and behind
        for colour in (fills | fields) - {page}:  # reversed text is the page's colour
            assert contrast(colour, page) >= MINIMUM, colour
    names = set(re.findall(r"\.[\w-]+-r\d+", dark_rules))
    assert names == set(re.findall(r"\.[\w-]+-r\d+", light_rules))
    assert all(f'rect[fill="{colour}"]' in light_rules for colour in behind)


def test_a_picture_is_one_screen(recorder: Recorder) -> None:
    rows = {
        float(y) for y in re.findall(r'<text class="[^"]*" x="[^"]*" y="([^"]*)"', recorder.svg())
    }
    assert len(rows) <= SCREEN + 1
    assert recorder.html().count("\n") > SCREEN  # and a page has everything


def test_html(recorder: Recorder) -> None:
    made = recorder.html()
    pairs = set(EITHER.findall(made))
    assert len(pairs) >= 8
    for light, dark in pairs:
        assert contrast(light, LIGHT_PAGE) >= MINIMUM, light
        assert contrast(dark, DARK_PAGE) >= MINIMUM, dark
    reversed_ = set(ON_COLOUR.findall(made))
    assert reversed_
    for background, text in reversed_:
        assert contrast(background, text) >= MINIMUM, (background, text)
    left = re.sub(r"light-dark\([^)]*\)", "", made)
    assert "color: #" not in ON_COLOUR.sub("", left)  # none that is not in a pair
