"""The history of groups: events from captured frames make one model, and the model tells a story.

>>> from kproto.history import History
>>> len(History().groups)
0

A reader turns a source into events, `History` brings its groups up to date with them, and `Story`
shows both, line by line. A name is imported when it is first used, so that the command starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .history import History as History
    from .story import Story as Story
    from .topic_names import TopicNames as TopicNames

_HOME = {"History": "history", "Story": "story", "TopicNames": "topic_names"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOME)
