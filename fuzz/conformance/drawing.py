"""Examples of a strategy, the same ones for the same number.

Hypothesis draws, now and then, constants that it has found in the modules of the project at hand,
so that what it draws depends on what was imported before. The inputs of a testee must not: here no
constants are drawn.
"""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

T = TypeVar("T")

_BACKEND = "kproto-without-constants"


class _WithoutConstants(HypothesisProvider):
    def _maybe_draw_constant(self, *arguments: Any, **options: Any) -> None:
        return None


AVAILABLE_PROVIDERS[_BACKEND] = f"{__name__}.{_WithoutConstants.__name__}"


def drawn(strategy: st.SearchStrategy[T], count: int, number: int) -> list[T]:
    """Return `count` examples of a strategy, the same for the same number."""
    found: list[T] = []

    @seed(number)
    @settings(
        backend=_BACKEND,
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(example: T) -> None:
        found.append(example)

    draw()
    return found
