"""Predict what Kafka Connect and Kafka Streams of a release make of their groups' messages.

A release reads a message as `decode` does with the newest version that the release knows, which
was compared with the release's own classes (`docs/reference/conform.md`). Connect also reads what a
worker runs, and Streams 1.1 refuses what is newer.

>>> newer = bytes.fromhex("00020004746578740000000000000002ffffffff")
>>> foretold("connect-2.2", "ConnectProtocolMetadata", newer)
<Foretold.READ: 'read'>
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ...codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    SubscriptionInfoData,
    message_class,
)
from ...codec.errors import DecodeError, ErrorKind
from ...codec.read.decoding import decode


class Foretold(Enum):
    """What a release does with a message."""

    READ = "read"
    TAKEN = "taken"
    """Today's classes refuse it."""
    REFUSED = "refused"
    UNCERTAIN = "uncertain"
    """It may reserve more memory than there is, or refuse the bytes."""


class Release(NamedTuple):
    """A release, and the newest version that it knows of its messages."""

    client: str
    newest: int
    refuses_newer: bool = False
    trusts_counts: bool = False
    """Whether it reserves memory for the counts of an AssignmentInfo unchecked."""

    @property
    def messages(self) -> tuple[str, ...]:
        """The names of the messages that it reads."""
        return _CONNECT if "Connect" in self.client else _STREAMS


_CONNECT = ConnectProtocolMetadata.NAME, ConnectProtocolAssignment.NAME
_STREAMS = SubscriptionInfoData.NAME, AssignmentInfo.NAME

RELEASES = {
    "connect-2.2": Release("Kafka Connect 2.2.2", 0),
    "connect-2.3": Release("Kafka Connect 2.3.1", 2),
    "connect-4.3": Release("Kafka Connect 4.3.1", 2),
    "streams-1.1": Release("Kafka Streams 1.1.1", 2, refuses_newer=True, trusts_counts=True),
    "streams-2.8": Release("Kafka Streams 2.8.2", 9, trusts_counts=True),
    "streams-4.3": Release("Kafka Streams 4.3.1", 11),
}


def foretold(reader: str, name: str, data: bytes) -> Foretold:
    """Return what a release does with the bytes as the message of that name. Raises KeyError for a
    reader that is none of `RELEASES`.
    """
    release = RELEASES[reader]
    try:
        if not _reads(release, name, data):
            return Foretold.REFUSED
    except DecodeError as error:
        claims = error.kind is ErrorKind.COUNT_EXCEEDS_INPUT and name == AssignmentInfo.NAME
        return Foretold.UNCERTAIN if claims and release.trusts_counts else Foretold.REFUSED
    return Foretold.READ if _today_reads(name, data) else Foretold.TAKEN


def _reads(release: Release, name: str, data: bytes) -> bool:
    cls = message_class(name)
    seen = decode(data, cls, reader_version=min(release.newest, cls.LATEST))
    newer = seen.version is not None and seen.version > release.newest
    if newer and release.refuses_newer:
        return False
    message = seen.message
    if isinstance(message, ConnectProtocolMetadata) and message.allocation is not None:
        decode(message.allocation, ConnectProtocolAssignment)
    return True


def _today_reads(name: str, data: bytes) -> bool:
    try:
        return _reads(_TODAY, name, data)
    except DecodeError:
        return False


_TODAY = Release("Apache Kafka", max(release.newest for release in RELEASES.values()))
