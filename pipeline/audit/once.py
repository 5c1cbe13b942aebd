"""A property that is computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["once", "take_over"]

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  # it stands where `property` would
    """As `functools.cached_property`, whose lock takes longer than most of what is kept here (there
    is none since Python 3.12)."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value = self._function(instance)
        instance.__dict__[self._name] = value  # is found before this is asked again
        return value


def take_over(to: Any, of: Any, *names: str) -> None:
    """Whatever was computed there is known here."""
    known = of.__dict__
    for name in names:
        if name in known:
            to.__dict__[name] = known[name]
