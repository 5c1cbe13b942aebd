"""The pages that kproto writes: a Jinja template each, all of them on `base.html.jinja`.

A page is one file that needs no network: styles and scripts are inside, and a policy in its head
forbids it to ask for anything else. It follows the reader's light or dark. Templates are given
plain values, and escape them; `shown` makes control characters and what hides in a line visible, so
that text out of a capture or a client is never obeyed.

>>> from kproto.pages.filters import Filters
>>> values = {"style": "", "parts": {}, "filters": Filters([])}
>>> "<title>&lt;b&gt;\\u241b</title>" in render("terminal.html.jinja", title="<b>\\x1b", **values)
True
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from ..escaping import cut, prose

__all__ = ["anchor", "render"]


def render(template: str, /, **values: Any) -> str:
    """Return the page that a template makes of these values."""
    return _environment().get_template(template).render(values)


def anchor(name: str) -> str:
    """Return a name as a part of an anchor or of a CSS class: letters and digits of ASCII, and "-"
    for everything else."""
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in name)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "anchor": anchor, "cut": cut, "ms": _ms, "number": _number, "shown": _shown, "time": _time,
    }  # fmt: skip
    return environment


def _source(template: str) -> str:
    return files(__package__).joinpath("templates", template).read_text("utf-8")


def _shown(text: object) -> str:
    return "" if text is None else prose(str(text))


def _number(value: int | float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _time(when: datetime | None) -> str:
    return "" if when is None else when.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _ms(milliseconds: int | None) -> str:
    """Return a duration in words."""
    if milliseconds is None:
        return ""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if milliseconds < 120_000:
        return f"{milliseconds / 1000:.1f} s"
    return str(timedelta(seconds=milliseconds // 1000))
