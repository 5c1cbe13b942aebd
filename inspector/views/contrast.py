"""Colours that can be read: a contrast of at least 4.5 to 1, as WCAG 2 wants it of text (AA)."""

from __future__ import annotations

from functools import lru_cache

MINIMUM = 4.5
_STEPS = 32

Colour = tuple[int, int, int]


def parsed(text: str) -> Colour:
    """Return the colour that `#rrggbb` is."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2, "contrast ratio").

    >>> round(contrast("#ffffff", "#000000"), 1), contrast("#123456", "#123456")
    (21.0, 1.0)
    """
    low, high = sorted((_luminance(parsed(first)), _luminance(parsed(second))))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)  # a page has a dozen colours, each of them thousands of times
def readable(colour: str, background: str) -> str:
    """Return the colour, mixed with white or black as far as it takes to be read on `background`.

    >>> readable("#808080", "#ffffff") < "#808080", readable("#404040", "#000000") > "#404040"
    (True, True)
    """
    legible = colour
    goal = 255 if _luminance(parsed(background)) < 0.18 else 0
    for step in range(_STEPS + 1):
        mixed = [round(part + (goal - part) * step / _STEPS) for part in parsed(colour)]
        legible = f"#{bytes(mixed).hex()}"
        if contrast(legible, background) >= MINIMUM:
            break
    return legible


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
