"""The renderer of pages: what every template has from it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from kproto.pages import anchor, render
from kproto.pages.filters import Filters

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"
VIEW: dict[str, Any] = {"style": "", "parts": {}, "filters": Filters([])}
TEMPLATES = Path(__file__).parents[2] / "pages" / "templates"


def test_text_is_shown_and_not_obeyed() -> None:
    page = render("terminal.html.jinja", title=HOSTILE, **VIEW)
    assert "<script" not in page
    assert "\x1b" not in page and "\u202e" not in page
    assert "&lt;script&gt;" in page and "\u241b" in page


def test_a_page_may_ask_for_nothing() -> None:
    page = render("terminal.html.jinja", title="", **VIEW)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'")


def test_a_value_that_is_missing_is_an_error_and_no_gap() -> None:
    with pytest.raises(UndefinedError, match="parts"):
        render("terminal.html.jinja", title="")


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.html.jinja")), ids=lambda p: p.name)
def test_every_page_stands_on_the_base(template: Path) -> None:
    text = template.read_text("utf-8")
    assert template.name == "base.html.jinja" or '{% extends "base.html.jinja" %}' in text


def test_anchors() -> None:
    assert anchor("a b/ü.1") == "a-b---1"
