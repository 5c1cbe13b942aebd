"""A badge of a client: how many of the guarantees that were judged it keeps, as SVG."""

from __future__ import annotations

from ...guarantees.table import Scope
from ..results import Run
from .page_parts import kept_of

_LEFT = "kproto"
_HEIGHT, _PAD, _WIDTH_OF_CHARACTER = 20, 6, 6.6
_GOOD, _BAD = "#1f7a3d", "#a13a00"


def words(run: Run) -> str:
    """Return the words of a badge: "31 of 33 guarantees"."""
    return f"{kept_of(run, Scope.REQUIRED, Scope.RECOMMENDED)} guarantees"


def badge(run: Run) -> str:
    """Return the badge: green if everything that is required is kept."""
    required = kept_of(run, Scope.REQUIRED)
    colour = _GOOD if required.kept == required.judged else _BAD
    left, right = (_width(side) for side in (_LEFT, words(run)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" '
        f'role="img" aria-label="{_LEFT}: {words(run)}"><title>{_LEFT}: {words(run)}</title>'
        f'<rect width="{left}" height="{_HEIGHT}" fill="#555"/>'
        f'<rect x="{left}" width="{right}" height="{_HEIGHT}" fill="{colour}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" '
        f'font-size="11"><text x="{left / 2:g}" y="14">{_LEFT}</text>'
        f'<text x="{left + right / 2:g}" y="14">{words(run)}</text></g></svg>\n'
    )


def _width(text: str) -> int:
    return round(len(text) * _WIDTH_OF_CHARACTER) + 2 * _PAD
