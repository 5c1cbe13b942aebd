"""Columns on a terminal: what does not fit is cut with a sign, and names stay apart."""

from __future__ import annotations

import io

from rich.console import Console
from rich.style import Style

from kproto.cluster.views.columns import Columns

ROWS = [[("orders", Style()), (f"consumer-payments-{number}", Style())] for number in range(2)]


def printed(width: int, *, names: bool) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    console.print(Columns(("topic", "member"), ROWS, names=names))
    return out.getvalue()


def test_names_that_would_look_alike_become_paragraphs() -> None:
    assert printed(40, names=True).splitlines()[1].split() == ["orders", "consumer-payments-0"]
    assert "consumer-payments-1" in printed(26, names=True).split()


def test_a_sentence_that_does_not_fit_is_below_its_row() -> None:
    out = io.StringIO()
    console = Console(file=out, width=30, force_terminal=True, color_system=None)
    rows = [[("orders", Style()), (text, Style())] for text in ("", "short", "one two three " * 6)]
    console.print(Columns(("group", "remark"), rows, sentences=True))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert lines[1:4] == ["orders", "orders  short", "orders"]
    assert " ".join(" ".join(lines[4:]).split()) == ("one two three " * 6).strip()
    assert all(line.startswith("    ") and len(line) <= 30 for line in lines[4:])


def test_other_texts_are_cut_with_a_sign() -> None:
    assert printed(20, names=False).splitlines()[1] == "orders  consumer-pa…"
