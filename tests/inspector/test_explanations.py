"""Every code has a page, and every page says all that a page has to say."""

from __future__ import annotations

from kproto.clients.consequences import meaning_for_group
from kproto.codec.read.deviations import CODES
from kproto.inspector.diagnose.explanations import pages


def test_every_code_has_a_page() -> None:
    assert list(pages()) == list(CODES)


def test_every_page_says_what_why_and_who() -> None:
    for code, page in pages().items():
        assert page.code == code and page.class_ == CODES[code].class_
        assert page.title[0].isupper()
        for text in (page.what, page.group, page.writers):
            assert text[0] not in " ." and text.endswith("."), code
            assert "  " not in text
        assert all(page.see)


def test_what_it_means_for_the_group() -> None:
    assert "librdkafka leaves the member out" in meaning_for_group("KP040")
    assert meaning_for_group("AU001") == ""  # of an audit rule, say


def test_pages_can_be_printed_anywhere() -> None:
    assert all(text.isascii() for page in pages().values() for text in (*page[:6], *page.see))
