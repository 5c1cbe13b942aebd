"""Pictures and pages: what stands in them is text, and nothing in them acts or is fetched."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolSubscription, decode, message_class
from kproto.inspector import Inspection, examine
from kproto.inspector.views import export
from kproto.inspector.views.notebook import decoded_html, message_html

from .samples import CAPTURES
from .test_views import NASTY, inspection

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>", "</pre><img src=x onerror=alert(1)>", "]]>", "{code}", "{0}",
    "&lt;", "@font-face {", "</style>", "Fira Code, monospace", "\x1b]8;;http://x\x07", "\u202e",
    "\ufffe", "]]><!--",
]  # fmt: skip


class Page(HTMLParser):
    """The elements of a page, their attributes and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def recorded(view: object) -> export.Recorder:
    recorder = export.Recorder()
    recorder.print(view)
    return recorder


def subscription(*names: str) -> Inspection:
    message = ConsumerProtocolSubscription(topics=names, rack_id=names[0])
    return Inspection(examine(message.to_bytes(3), ConsumerProtocolSubscription), full=True)


@given(st.lists(st.sampled_from(HOSTILE) | st.text(max_size=30), min_size=1, max_size=5))
def test_whatever_a_name_is_it_is_text(names: list[str]) -> None:
    names = [name.encode(errors="replace").decode() for name in names]
    page = Page(recorded(subscription(*names)).html())
    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "main", "h1", "div", "pre", "span"
    }  # fmt: skip
    assert page.attributes <= {
        "lang",
        "charset",
        "name",
        "content",
        "http-equiv",
        "style",
        "class",
        "tabindex",
    }
    tree = ET.fromstring(recorded(subscription(*names)).svg())  # noqa: S314  # our own
    tags = {one.tag.removeprefix(SVG) for one in tree.iter()}
    assert tags <= {"svg", "style", "defs", "clipPath", "rect", "g", "text", "circle"}


@pytest.mark.parametrize("name", HOSTILE[:9])
def test_a_hostile_name_is_shown(name: str) -> None:
    html, svg = recorded(subscription(name)).html(), recorded(subscription(name)).svg()
    assert f'"{name}"' in "".join(Page(html).text.split("\n")) or len(name) > 40
    shown = "".join(ET.fromstring(svg).itertext()).replace("\xa0", " ")  # noqa: S314
    assert f'"{name}"' in shown


def test_nothing_is_fetched() -> None:
    for text in (recorded(inspection("nasty")).svg(), recorded(inspection("nasty")).html()):
        assert "url(http" not in text.replace('"', "")
        assert "@font-face" not in text
        assert "cdnjs" not in text


def test_a_picture_has_colours_and_every_line() -> None:
    tree = ET.fromstring(recorded(inspection("java-sticky")).svg())  # noqa: S314
    shown = "".join(tree.itertext()).replace("\xa0", " ")
    assert "StickyAssignorUserData v1" in shown
    assert "00 03" in shown
    assert "fill: #5f87d7" in shown  # 68 of xterm's colours, the first of the palette


def test_what_is_too_long() -> None:
    with pytest.raises(export.TooLong):
        recorded("\n" * (export.MAX_LINES + 5))


# -- notebooks


def test_what_decode_returns() -> None:
    seen = decode(CAPTURES["java-sticky"], ConsumerProtocolSubscription)
    page = Page(decoded_html(seen))
    assert page.tags == {"pre", "span"}
    assert "user_data" in page.text
    assert "00 03 00 00" in page.text


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "JoinGroupRequest"])
def test_a_message(name: str) -> None:
    cls = message_class(name)
    page = Page(message_html(cls()))
    assert f"{name} version {cls.LATEST}" in page.text


def test_a_message_that_has_its_version_inside() -> None:
    cls = message_class("SubscriptionInfoData")
    page = Page(message_html(cls(version=7, latest_supported_version=11)))
    assert "SubscriptionInfoData version 7" in page.text


def test_a_message_that_cannot_be_written() -> None:
    broken = ConsumerProtocolSubscription(topics=["<b>" + "x" * 40_000])
    assert Page(message_html(broken)).text.startswith("ConsumerProtocolSubscription(")
    assert Page(message_html(broken)).tags == {"pre"}


def test_hostile_bytes_in_a_notebook() -> None:
    page = Page(decoded_html(decode(NASTY, ConsumerProtocolSubscription)))
    assert page.tags == {"pre", "span"}
    assert page.text.isprintable() or all(line.isprintable() for line in page.text.split("\n"))


def test_ipython_shows_them() -> None:
    """`%load_ext kproto.inspector`, in IPython itself."""
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    seen = decode(CAPTURES["java-sticky"], ConsumerProtocolSubscription)
    formats = shell.display_formatter.format
    assert "text/html" not in formats(seen)[0]
    shell.run_line_magic("load_ext", "kproto.inspector")
    for shown in (seen, seen.message):
        assert "rack_id" in Page(formats(shown)[0]["text/html"]).text
    shell.run_line_magic("unload_ext", "kproto.inspector")
    assert "text/html" not in formats(seen)[0]
