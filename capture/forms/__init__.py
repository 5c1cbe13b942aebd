"""All text forms but `log`: each module of this package has one form, or a family of them.

A module lists its forms in `FORMS`, and no other place has to name it: `FORMS` here has those of
all modules, those that are preferred first.
"""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules

from ..form import Form

__all__ = ["FORMS"]

FORMS: tuple[Form, ...] = tuple(
    sorted(
        (
            form
            for module in iter_modules(__path__)
            for form in import_module(f".{module.name}", __name__).FORMS
        ),
        key=attrgetter("preference"),
    )
)
