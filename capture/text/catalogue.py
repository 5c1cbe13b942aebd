"""The table of all text forms, in the order in which they are preferred, and their names.

Dumps come first, since their rows are hex digits too; raw bytes come last.
"""

from __future__ import annotations

from operator import attrgetter

from ..errors import CaptureError
from ..form import Form
from ..forms import FORMS as NOTATIONS
from .log import LOG

__all__ = ["FORMS", "form_named"]

FORMS: tuple[Form, ...] = tuple(sorted((*NOTATIONS, LOG), key=attrgetter("preference")))


def form_named(name: str) -> Form:
    """Return the form with this name or alias, in any case and with blanks for dashes. Raises
    CaptureError for any other name."""
    key = name.strip().lower().replace(" -", "-").replace(" ", "-")
    for form in FORMS:
        if key in (alias.lower() for alias in (form.name, *form.aliases)):
            return form
    names = ", ".join(form.name for form in FORMS)
    raise CaptureError(f"no text form is called {name!r}; there are: {names}")
