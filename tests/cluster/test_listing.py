"""The list of groups: the worst remark of each; notes on style are for the level of notes."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kproto.cluster.listing import listed_of
from kproto.cluster.views.listing_view import ListingView
from kproto.inspector.shapes.group_shapes import Group, Listing, Remark

IDLE = Remark("note", "idle-members", "2 of 5 members have nothing: 3 partitions")
STYLE = Remark("note", "KP061", "topics are not in order")
BAD = Remark("error", "KP040", "the version promises fields that are missing")


@pytest.mark.parametrize(
    ("remarks", "shown"),
    [((STYLE,), ""), ((IDLE,), IDLE.text), ((STYLE, IDLE), IDLE.text), ((BAD, IDLE), BAD.text)],
)
def test_the_row_of_a_group_has_its_worst_remark(remarks: tuple[Remark, ...], shown: str) -> None:
    row = listed_of(Group("orders", "classic", "Stable", remarks=remarks))
    out = io.StringIO()
    Console(file=out, width=200).print(ListingView(Listing((row,))))
    text = out.getvalue()
    assert shown in text
    assert [remark.text for remark in (IDLE, STYLE, BAD) if remark.text in text] == [
        *filter(None, [shown])
    ]
