"""The history of groups: events make one model, from which a story and records are made.

>>> from kproto.history import History
>>> len(History().groups)
0

    events         what a source shows, in words that are the same for every source
    frame_events   events from captured requests and responses, which `calls` matches
    history        all groups, brought up to date with events by the rules of `classic` groups and
                   of those whose broker assigns (`broker_assigned`)
    groups         the model of a group; `ownership` has who owns what, and who does not
    records        the records that coordinators write because of what frames show
    capture_story  the view of a capture, frame by frame, with `sentences`
    clocks         how far the clocks of logs are apart, by events that two of them show
    timeline       what several sources show of a group, each fact once
    rebalances     when each rebalance of a timeline began and ended, and why
    roots          what is wrong with a group, by its timeline (`group_facts`): `sessions` has why a
                   member went silent, `polls` whose poll took too long, `connect_causes` what
                   Connect's workers show, `known_faults` the faults of releases whose `symptoms`
                   are there; the words are those of `causes`, and `possible_causes` drops those
                   that a client (`programs`) or a kind of group cannot have
    verdict        the first sentence: the cause of most rebalances, or that nothing is wrong
    group_story    what `kproto story` prints of groups, out of all of its sources, as structs;
                   `group_story_view` and `group_story_page` show them

A name is imported when it is first used, so that the command starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from .capture_story import CaptureStory as CaptureStory
    from .history import History as History
    from .topic_names import TopicNames as TopicNames

_HOME = {"CaptureStory": "capture_story", "History": "history", "TopicNames": "topic_names"}

__getattr__, __dir__ = late_names(__name__, _HOME)
