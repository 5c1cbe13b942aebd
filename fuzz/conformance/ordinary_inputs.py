"""What conforming writers put into a message, every combination once: the fields that are there,
null, empty and filled, in each version.

These are the bytes that groups work with; whatever else a testee is asked lies around them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

from ...codec import message_class
from ..guarantees.cases import Case, first_versions, write

_TOPICS_AND_DATA: tuple[tuple[list[str], str | None], ...] = (
    ([], None),
    (["a"], None),
    (["a"], ""),
    (["a", "b"], "AAAABQ=="),
)
_ENTRIES: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"topic": "a", "partitions": [0]}],
    [{"topic": "a", "partitions": [0, 1]}, {"topic": "b", "partitions": [2]}],
)
_DATA = (None, "", "AAAABQ==")
_CHOICES: dict[str, dict[str, tuple[Any, ...]]] = {
    "ConsumerProtocolSubscription": {
        "topics and user data": _TOPICS_AND_DATA,
        "ownedPartitions": _ENTRIES[:2],
        "generationId": (-1, 5),
        "rackId": (None, "", "r"),
    },
    "ConsumerProtocolAssignment": {"assignedPartitions": _ENTRIES, "userData": _DATA},
}


def ordinary_inputs(names: Collection[str]) -> Iterator[Case]:
    """Yield the cases of these messages, in every version that they have."""
    for cls in map(message_class, names):
        first, choices = first_versions(cls), _CHOICES[cls.NAME]
        for version in cls.VERSIONS:
            there = [key for key in choices if first.get(key, 0) <= version]
            for values in product(*(choices[key] for key in there)):
                fields = dict(zip(there, values, strict=True))
                if "topics and user data" in fields:
                    fields["topics"], fields["userData"] = fields.pop("topics and user data")
                data = write(cls.from_json(fields, version), version)
                yield Case(cls.NAME, data, None, "valid", "an ordinary message")
