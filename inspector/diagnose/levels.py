"""The level of a finding, by the class of its code.

| level   | classes            | what it says                                                  |
|---------|--------------------|---------------------------------------------------------------|
| error   | encoding           | readers refuse it, differ on it, or die of it                 |
| warning | content, evolution | well formed, and some members act on it wrongly, or refuse it |
| note    | style              | harmless in itself; it tells who wrote the bytes              |

Two codes of other classes say why Apache Kafka refuses the bytes, and are errors: KP040, KP081.
"""

from __future__ import annotations

LEVELS = ("error", "warning", "note")
"""The levels, the worst first."""

_OF_CLASS = {"encoding": "error", "content": "warning", "evolution": "warning", "style": "note"}
_REFUSED = {"KP040", "KP081"}


def level_of(code: str, class_: str) -> str:
    """Return the level of a code of that class.

    A class that is none of the four is a level already: findings of another kind come with one.
    """
    return "error" if code in _REFUSED else _OF_CLASS.get(class_, class_)
