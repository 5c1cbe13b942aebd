"""The `repr` of a value for an error message: short, and never an error of its own."""

from __future__ import annotations

from typing import Any

WIDTH = 60  # characters


def short_repr(value: Any) -> str:
    """Return the `repr` of `value`, cut to `WIDTH` characters.

    Python prints no integer of more than 4,300 digits, and no value that is nested too deeply: of
    these the type is named. Long text and bytes are cut before they are printed.

    >>> short_repr([1, "a"]), short_repr(10 ** 5000), len(short_repr("a" * 1000))
    ("[1, 'a']", 'a huge int', 60)
    """
    if isinstance(value, str | bytes | bytearray):
        value = value[:WIDTH]
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"a huge {type(value).__name__}"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
