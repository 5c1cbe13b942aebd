"""What each deviation means, who writes it, and what becomes of readers that meet it.

`consequences.json` has an object for each code: `what` says how the deviation looks in bytes,
`group` what it means for a running group beside what consumers do (`group_runs`), `writers` who
writes it, `see` the proposals and bugs.
`consequences` are facts about single clients: an `input` with the deviation, as which `message` and
in which `role` it is read, and a cell for each client and range of releases with the outcome. The
evidence of a cell is its readers' answer to the input (`readers`), or what `evidence` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from .catalog import release_order, table_bytes
from .group_runs import sentences

Role: TypeAlias = Literal["leader", "member"]
"""Who reads: the leader reads the subscriptions of all members, a member its own assignment."""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome for a client's releases from `since` on and before `before`; "" is open."""

    client: str
    outcome: str
    since: str = ""
    before: str = ""
    how: str = ""
    """How it fails, as part of a sentence."""
    evidence: str = ""
    """How the outcome is known, where no reader of the client was asked."""

    def covers(self, release: str) -> bool:
        """Return whether a release is in the range."""
        number = release_order(release)
        return release_order(self.since) <= number and not (
            self.before and release_order(self.before) <= number
        )


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An input with the deviation, and what becomes of the clients that read it in that role."""

    message: str
    role: Role
    input: str
    cells: tuple[Cell, ...]


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a code; see the module."""

    what: str
    group: str
    writers: str
    see: tuple[str, ...] = ()
    consequences: tuple[Case, ...] = ()
    elsewhere: Mapping[str, str] = {}
    """What it means in messages that a group's consumers do not read, by the beginning of their
    names."""


class Consequence(NamedTuple):
    """What becomes of a client's releases that read a message with a deviation in a role."""

    code: str
    message: str
    role: Role
    input: bytes
    cell: Cell


@lru_cache(maxsize=1)
def facts() -> Mapping[str, Facts]:
    """Return what is known of each code, in their order."""
    table = table_bytes("consequences.json")
    return msgspec.json.decode(table, type=dict[str, Facts])


# Whose bytes the facts' `group` is about; what is said of other messages, by their beginnings.
_OF_CONSUMERS = ("ConsumerProtocol", "Sticky", "CooperativeSticky")
_READERS = {
    "Connect": (
        "Connect workers read these bytes: a worker that cannot does not get its connectors. "
        "Consumers and their clients never read them."
    ),
    "SubscriptionInfo": "Only Kafka Streams reads these bytes: other clients pass them on unread.",
    "AssignmentInfo": "Only Kafka Streams reads these bytes: other clients pass them on unread.",
    "StreamJoin": "Only the members that use this assignor read these bytes.",
}
_OF_BROKERS = (
    "Only brokers read these bytes, when they load a partition of the offsets topic: a record that "
    "they refuse is missing, or keeps the groups of its partition from loading. No client reads it."
)
_OF_REQUESTS = (
    "Only the client and the broker that exchange this message read these bytes: where one cannot, "
    "it closes the connection, and the other tries again."
)


def meaning_for_group(code: str, message: str = "") -> str:
    """Return what a deviation means for a running group, in the bytes of a message if it is named;
    "" for a code that is none of these."""
    if code not in facts():
        return ""
    fact = facts()[code]
    if not message or message.startswith(_OF_CONSUMERS):
        return " ".join(filter(None, (sentences(code, message), fact.group)))
    for text_by_beginning in (fact.elsewhere, _READERS):
        for beginning, text in text_by_beginning.items():
            if message.startswith(beginning):
                return text
    if message.endswith(("Key", "Value")):
        return _OF_BROKERS
    return _OF_REQUESTS


def consequences(code: str) -> Iterator[Consequence]:
    """Yield all consequences of a deviation."""
    for case in facts()[code].consequences:
        for cell in case.cells:
            yield Consequence(code, case.message, case.role, bytes.fromhex(case.input), cell)


READS = "reads it"
READS_OTHERWISE = "reads something else"
TAKES = "takes what Kafka refuses"
REFUSES = "refuses it"
FAILS = "does not survive it"
NOT_KNOWN = "not known"
"""It depends on more than the bytes, on memory or time; or nothing near enough was measured."""
UNKNOWN = "was not seen"
"""The measured client has no API for such bytes."""

TROUBLE = (READS_OTHERWISE, REFUSES, FAILS)
"""Outcomes that stop or harm a group whose leader, or the member that is meant, is the reader."""
