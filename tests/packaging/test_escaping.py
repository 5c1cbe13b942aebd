"""Text that would act on a terminal, or hide, is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.escaping import escaped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("orders", "orders"),
        ("", ""),
        ("\x1b[2J", "\N{SYMBOL FOR ESCAPE}[2J"),
        ("a\nb\tc\x00", "a\N{SYMBOL FOR LINE FEED}b\N{SYMBOL FOR HORIZONTAL TABULATION}c\u2400"),
        ("\x7f", "\N{SYMBOL FOR DELETE}"),
        ("\x9b31m", r"\x9b31m"),  # the one-character form of escape and bracket
        ("\u202etxt.exe", r"\u202etxt.exe"),
        ("or\u200bders", r"or\u200bders"),
        ("\ufeffx", r"\ufeffx"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("e\u0301", r"e\u0301"),
        ("a\xa0b\u2028c", r"a\xa0b\u2028c"),
        ("\u3164", r"\u3164"),
        ("\U000e0041", r"\U000e0041"),
        (r"a\x1b", r"a\\x1b"),
        ('say "x"', r"say \"x\""),
        ("日本語", "日本語"),
        ("caf\u00e9", "caf\u00e9"),
        ("[bold red]x[/]", "[bold red]x[/]"),
        ("\ufffd", "\ufffd"),
    ],
)
def test_shown(text: str, expected: str) -> None:
    assert escaped(text) == expected


@given(st.text(alphabet=st.characters()))
def test_nothing_acts_or_hides(text: str) -> None:
    result = escaped(text)
    assert result.isprintable()
    assert not {"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp"} & set(map(unicodedata.category, result))
    assert escaped(text, ascii_only=True).isascii()
    assert escaped(text, ascii_only=True).isprintable()


@given(st.text(), st.text())
def test_two_texts_look_different(one: str, other: str) -> None:
    """In ASCII, where no picture stands for two characters."""
    assert (one == other) == (escaped(one, ascii_only=True) == escaped(other, ascii_only=True))
