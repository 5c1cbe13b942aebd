"""What a page shows of its parts, chosen by the reader without a script: a style for each choice.

Each part has labels of some kinds: a message's name, a client's. `filters.jinja` draws a list of
choices for each kind and writes the styles; a part says by `data-in` which choices show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

Labels = Mapping[str, Iterable[str]]
"""The labels of a part, by their kind. A part without labels is always shown."""
MOST_CHOICES = 100
"""Choices of a kind that a page offers: those of the most parts."""


class Filters:
    """The choices that parts with these labels give. A kind with one label is no choice.

    >>> filters = Filters([{"client": ["a"]}, {"client": ["b", "c"], "state": ["Stable"]}, {}])
    >>> filters.choices
    {'client': {'a': 'f0-0', 'b': 'f0-1', 'c': 'f0-2'}}
    >>> filters.classes({"client": ["c", "a"], "state": ["Stable"]}), filters.classes({})
    ('f0-2 f0-0', '')
    """

    def __init__(self, parts: Iterable[Labels], most: int = MOST_CHOICES) -> None:
        counts: dict[str, Counter[str]] = {}
        for labels in parts:
            for kind, names in labels.items():
                counts.setdefault(kind, Counter()).update(set(names))
        self.choices = {
            kind: {
                name: f"f{position}-{number}"
                for number, name in enumerate(sorted(dict(names.most_common(most))))
            }
            for position, (kind, names) in enumerate(counts.items())
            if len(names) > 1
        }

    def classes(self, labels: Labels) -> str:
        """Return the classes of the choices that show a part with these labels."""
        classes = (
            self.choices[kind].get(name)
            for kind, names in labels.items()
            if kind in self.choices
            for name in names
        )
        return " ".join(filter(None, classes))
