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


def test_other_texts_are_cut_with_a_sign() -> None:
    assert printed(20, names=False).splitlines()[1] == "orders  consumer-pa…"
