"""The history of groups: events make one model, from which a story and records are made.

>>> from kproto.history import History
>>> len(History().groups)
0

    events      what a source shows, in words that are the same for every source
    frames      events from captured requests and responses, which `calls` matches
    history     all groups, brought up to date with events by the rules of `classic` groups and of
                those whose broker assigns (`broker_assigned`)
    groups      the model of a group; `ownership` has who owns what, and who does not
    records     the records that coordinators write because of what frames show
    story       the view of frames, with `sentences`
    clocks      how far the clocks of logs are apart, by events that two of them show
    timeline    what several sources tell of a group, each fact once
    rebalances  when each rebalance of a timeline began and ended, and why
    roots       what is wrong with a group, by its timeline (`group_view`); `sessions` has why a
                member went silent; the words are those of `causes`
    telling     the story of logs, captures and groups that is printed; `telling_view` shows it

A name is imported when it is first used, so that the command starts fast.
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
