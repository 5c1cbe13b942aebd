"""Hypothesis strategies for what Kafka consumers exchange, from single values to whole groups.

    from hypothesis import given
    from kproto.fuzz.strategies import subscriptions

    @given(subscriptions(versions=[1]))
    def test_my_reader(given):
        assert my_reader(given.data).topics == list(given.message.topics)

Arrays of a message are tuples, as those of every message of kproto. In its JSON form, which
`given.message.to_json(given.version)` returns, they are lists, and bytes are base64.

Names are plural nouns, arguments keyword-only. What fails shrinks to something that a person can
read: few short names, small numbers, null before empty before full.

Of the messages that a test sees, about one in six has a long list of topics, up to 300, or a name
of up to 32,767 bytes; about one in twenty has a list of up to 3,000 partitions, one in twenty up to
300 owned or assigned topics, and one in twenty of version 3 a rack of up to 32,767 bytes. Each
corner is in one of forty, about: names by length class, composed and decomposed, numeric, of other
scripts, twice, out of order; partitions at the ends of an int32; user data by length class up to
64 KiB.

| strategy             | gives                                                                    |
|----------------------|--------------------------------------------------------------------------|
| `messages`           | `Given`: a message of any class, one of its versions, its bytes          |
| `subscriptions`      | the same, of ConsumerProtocolSubscription                                |
| `assignments`        | the same, of ConsumerProtocolAssignment                                  |
| `user_data`          | bytes that the assignors put into user data                              |
| `groups`             | `DrawnGroup`: members with their subscriptions, consistent or not        |
| `frames`             | `Framed`: a request or response as it is on the wire                 |
| `definitions`        | parsed JSON definitions of the dialect                                   |
| `future_definitions` | `Future`: a successor of a definition, legal or with the rule it breaks  |
| `valid_bytes`        | `Case`: bytes that every reader takes                                    |
| `future_bytes`       | `Case`: bytes of a writer several versions ahead                         |
| `nearly_valid_bytes` | `Case`: valid bytes with a few bytes changed                             |
| `broken_bytes`       | `Case`: one length, count, version or tag made wrong, and nothing else   |
"""

from __future__ import annotations

from .definitions import Future, definitions, future_bytes, future_definitions
from .groups import DrawnGroup, groups
from .messages import (
    Framed,
    Given,
    assignments,
    broken_bytes,
    frames,
    messages,
    nearly_valid_bytes,
    subscriptions,
    valid_bytes,
)
from .values import user_data

__all__ = [
    "DrawnGroup",
    "Framed",
    "Future",
    "Given",
    "assignments",
    "broken_bytes",
    "definitions",
    "frames",
    "future_bytes",
    "future_definitions",
    "groups",
    "messages",
    "nearly_valid_bytes",
    "subscriptions",
    "user_data",
    "valid_bytes",
]
