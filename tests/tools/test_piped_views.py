"""What views print into a pipe: no blanks at the ends of lines, and totals."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from kproto.cluster.views.listing_view import ListingView
from kproto.inspector.shapes.group_shapes import Listed, Listing
from kproto.tools.main import main
from kproto.tools.output.terminal import console
from tests.tools.conftest import CAPTURES

FRAMES = str(CAPTURES / "running-group.jsonl")
TOPIC = str(CAPTURES / "offsets-topic")


@pytest.mark.parametrize(
    "words",
    [
        ("migrate", TOPIC, "--with-members", "--group", "kp.*"),
        ("diff", FRAMES, FRAMES),
        ("diff", "00010000000100066f7264657273ffffffff00000000", "0001000000010001ffffffff"),
    ],
)
def test_no_line_ends_with_a_blank(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*words])
    lines = capsys.readouterr().out.splitlines()
    assert lines and [line for line in lines if line.endswith(" ")] == []


def test_a_comparison_of_many_messages_has_a_total(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["diff", FRAMES, FRAMES]) == 0
    assert capsys.readouterr().out.endswith("\n28 messages compared: 28 equal\n")
    two, other = tmp_path / "two.hex", tmp_path / "other.hex"
    two.write_text("0000000000010001610000000000\n0000000000010001620000000000\n")
    other.write_text("0000000000010001610000000000\n0000000000010001630000000000\n")
    assert main(["diff", str(two), str(other)]) == 1
    assert "2 messages compared: 1 equal, 1 different" in capsys.readouterr().out


def test_a_row_of_the_list_has_the_event_and_the_word_of_its_cause(
    capsys: pytest.CaptureFixture[str],
) -> None:
    proof = "31 stays of payments-3 ended, each after about 5 min, its rebalance timeout " * 5
    row = Listed("payments", "classic", "consumer", "Stable")
    row = replace(
        row, worst="error", code="rebalance-storm", since=1_700_000_000.0,
        cause="poll-timeout-exceeded",
        remark=f"33 generations in 480 s; probable cause poll-timeout-exceeded: {proof}; not "
        "excluded: crash-loop",
    )  # fmt: skip
    console("never").print(ListingView(Listing((row,))), crop=False)
    told = " ".join(capsys.readouterr().out.split())
    assert "33 generations in 480 s; probably poll-timeout-exceeded" in told
    assert "payments-3" not in told
