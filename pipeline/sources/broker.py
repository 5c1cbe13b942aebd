"""The offsets topic of a live broker, read without changing anything there.

A client of librdkafka is assigned partitions by hand. It joins no group and commits nothing, so
the topic it reads does not grow by being read. It reads uncommitted, as the segments hold it, and
ends by position: the last offset of a partition may hold no record (compaction, the mark of a
transaction), so that waiting for it would be waiting for ever. Which records were part of a
transaction is not told to a client.

What there is to be read an AdminClient asks. A consumer looks for the coordinator of its group as
soon as it is made, and a broker that has no offsets topic yet makes it then, whatever its settings
say of making topics: so there is no consumer before there is a topic.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pyarrow as pa

from ...capture.segments.segment_files import OFFSETS_TOPIC
from ...codec import KprotoError
from .record_table import Place, key_says, microseconds, table_of

if TYPE_CHECKING:
    from confluent_kafka import Consumer, Message, TopicPartition
    from confluent_kafka.admin import AdminClient

__all__ = [
    "SCHEME",
    "WITHHELD",
    "BrokerError",
    "BrokerUnit",
    "ClientSettings",
    "PartitionRange",
    "administrator",
    "answering",
    "bounds",
    "broker_units",
    "ends",
    "read_range",
    "settings_of",
    "shared",
]

SCHEME = "kafka://"
"""What the address of a broker begins with, where a source is wanted."""

SECONDS = 30.0
"""How long an answer of a broker is waited for; nothing coming for that long is an error."""
_BETWEEN_TRIES = 0.2  # seconds
AT_ONCE = 5000
"""Partitions, topics or groups of one request."""
_MESSAGES = 10_000
_POLL = 0.2
_REFUSED = "the client's settings are refused"

# Whatever is asked for: these are what leaves no trace.
_FIXED = {
    "group.id": "kproto-reads-and-never-joins",  # librdkafka wants one to assign partitions
    "enable.auto.commit": "false",
    "enable.auto.offset.store": "false",
    "isolation.level": "read_uncommitted",
    "enable.partition.eof": "true",
    "auto.offset.reset": "error",
    "allow.auto.create.topics": "false",
}


ClientSettings: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of librdkafka's settings."""


class BrokerError(KprotoError):
    """A broker that does not answer, or gives an answer that cannot be used."""


class PartitionRange(NamedTuple):
    """Offsets of a partition, from `start` to below `end`."""

    partition: int
    start: int
    end: int


class BrokerUnit(NamedTuple):
    """A partition of the topic, from its begin to the end that it had when it was planned."""

    client: ClientSettings
    range: PartitionRange

    @property
    def size(self) -> int:
        """How many offsets there are. A broker does not say how many bytes."""
        return self.range.end - self.range.start

    def tables(self, cluster_id: str) -> Iterator[pa.Table]:
        """Yield the records of the partition, in order. Raises BrokerError."""
        yield from read_range(self.client, cluster_id, self.range)


def settings_of(source: str, more: Mapping[str, str]) -> ClientSettings:
    """Return librdkafka's settings for `kafka://host:port,host:port`, with `more` of them."""
    return (("bootstrap.servers", source.removeprefix(SCHEME)), *sorted(more.items()))


def broker_units(client: ClientSettings) -> list[BrokerUnit]:
    """Return a unit for each partition that is not empty, the longest first; none where no group
    has ever used the broker. Raises BrokerError.
    """
    there = bounds(administrator(client))
    units = [BrokerUnit(client, bound) for bound in there if bound.start < bound.end]
    return sorted(units, key=lambda unit: -unit.size)


def shared(waiting: Mapping[str, int], limit: int | None) -> dict[str, int]:
    """Return how much of what waits in each partition is admitted, about `limit` in all (None: all
    of it). Every partition that has anything gets a share.
    """
    total = sum(waiting.values())
    if limit is None or total <= limit:
        return dict(waiting)
    return {
        name: min(count, max(1, count * limit // total)) if count else 0
        for name, count in waiting.items()
    }


@contextmanager
def consumer(settings: ClientSettings) -> Iterator[Consumer]:
    """Return a context with a client that reads, with these settings of librdkafka. Raises
    BrokerError for settings that it refuses.
    """
    from confluent_kafka import Consumer  # late: an optional dependency

    with answering(_REFUSED):
        client = Consumer({**dict(settings), **_FIXED}, logger=quiet())
    try:
        yield client
    finally:
        client.close()


def administrator(settings: ClientSettings) -> AdminClient:
    """Return a client that asks, with these settings of librdkafka. Raises BrokerError for settings
    that it refuses.
    """
    from confluent_kafka.admin import AdminClient  # late: an optional dependency

    told: list[Any] = []
    with answering(_REFUSED):
        asked: dict[str, Any] = {**dict(settings), "error_cb": told.append}
        admin = AdminClient(asked, logger=quiet())
    admin.told = told  # type: ignore[attr-defined]  # for `answering`
    return admin


@contextmanager
def answering(otherwise: str = "the broker does not answer", admin: Any = None) -> Iterator[None]:
    """Raise BrokerError for any error of librdkafka in this context; `otherwise` is how its message
    begins. What `admin` was told of a wrong password is said as that, not as silence.
    """
    from confluent_kafka import KafkaException  # late: an optional dependency

    try:
        yield
    except KafkaException as error:
        refused = _refused_who(admin) if admin is not None else None
        if refused is not None:
            raise BrokerError(
                f"the broker refuses the user name or the password: {refused}"
            ) from None
        if error.args[0].code() in WITHHELD:
            raise BrokerError(f"{error.args[0].str()}; {_ACLS}") from None
        raise BrokerError(f"{otherwise}: {error}") from None


WITHHELD = frozenset((29, 30, 31))
"""Codes of errors that say that this principal may not ask: of a topic, a group, the cluster."""
_REFUSED_WHO = (-169, 58)  # authentication failed: librdkafka's own code, and Kafka's
_ACLS = "an audit needs READ and DESCRIBE on the topic __consumer_offsets at least"


def _refused_who(admin: Any) -> str | None:
    """Return what the broker said of the user name or password, if it refused them."""
    admin.poll(0.1)  # what was told in the background is handed over here
    return next(
        (str(told.str()) for told in getattr(admin, "told", ()) if told.code() in _REFUSED_WHO),
        None,
    )


def quiet() -> Any:
    """Return a logger for what a client logs of each attempt. Nobody has to see it: a failure
    becomes an error of ours.
    """
    return logging.getLogger("kproto.pipeline.broker")


def bounds(admin: AdminClient) -> list[PartitionRange]:
    """Return where each partition begins and ends now; none where no group has ever used the
    broker, which has no such topic then.
    """
    from confluent_kafka import TopicPartition  # late: an optional dependency
    from confluent_kafka.admin import OffsetSpec  # type: ignore[attr-defined]  # late: optional

    spec: Any = OffsetSpec
    with answering(admin=admin):
        # All topics: a request for one by its name may make it.
        found = admin.list_topics(timeout=SECONDS).topics.get(OFFSETS_TOPIC)
        if found is None:
            _check_absent(admin)
            return []
        if found.error is not None:
            more = f"; {_ACLS}" if found.error.code() in WITHHELD else ""
            raise BrokerError(f"{OFFSETS_TOPIC}: {found.error.str()}{more}")
        places = [TopicPartition(OFFSETS_TOPIC, number) for number in sorted(found.partitions)]
        low = ends(admin, places, spec.earliest())
        high = ends(admin, places, spec.latest())
    return [
        PartitionRange(number, low[OFFSETS_TOPIC, number], high[OFFSETS_TOPIC, number])
        for number in sorted(found.partitions)
    ]


def _check_absent(admin: AdminClient) -> None:
    """Raise BrokerError where the topic is not listed because this client may not see it. The
    request names the topic, and says that it is not to be made.
    """
    from confluent_kafka import KafkaError, KafkaException, TopicCollection  # late: optional

    asked = TopicCollection([OFFSETS_TOPIC])
    try:
        admin.describe_topics(asked, request_timeout=SECONDS)[OFFSETS_TOPIC].result()
    except KafkaException as error:
        reason = error.args[0]
        if reason.code() != KafkaError.UNKNOWN_TOPIC_OR_PART:
            more = f"; {_ACLS}" if reason.code() in WITHHELD else ""
            raise BrokerError(f"{OFFSETS_TOPIC}: {reason.str()}{more}") from None


def ends(
    admin: AdminClient,
    places: Sequence[TopicPartition],
    spec: Any,
    withheld: set[str] | None = None,
) -> dict[tuple[str, int], int]:
    """Return the offsets that a specification (an OffsetSpec) stands for, by topic and partition.
    Topics that may not be asked about are added to `withheld`, where one is given.

    A partition that has no leader yet is asked about again, for `SECONDS`: a topic that was just
    made has none for a moment. Raises KafkaException.
    """
    from confluent_kafka import KafkaError, KafkaException  # late: an optional dependency

    until = time.monotonic() + SECONDS
    passing = (KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE)
    while True:
        try:
            return _ends(admin, places, spec, withheld)
        except KafkaException as error:
            if error.args[0].code() not in passing or time.monotonic() > until:
                raise
        time.sleep(_BETWEEN_TRIES)


def _ends(
    admin: AdminClient,
    places: Sequence[TopicPartition],
    spec: Any,
    withheld: set[str] | None,
) -> dict[tuple[str, int], int]:
    from confluent_kafka import KafkaException  # late: an optional dependency

    found = {}
    for start in range(0, len(places), AT_ONCE):
        asked = dict.fromkeys(places[start : start + AT_ONCE], spec)
        for place, answer in admin.list_offsets(asked, request_timeout=SECONDS).items():
            try:
                found[place.topic, place.partition] = int(answer.result().offset)
            except KafkaException as error:
                if withheld is None or error.args[0].code() not in WITHHELD:
                    raise
                withheld.add(place.topic)
    return found


def read_range(
    settings: ClientSettings, cluster_id: str | None, wanted: PartitionRange
) -> Iterator[pa.Table]:
    """Yield the records of a range. Raises BrokerError where the range begins before what the
    broker still has, or nothing comes for `SECONDS`: a gap would pass for quiet.
    """
    from confluent_kafka import TopicPartition  # late: an optional dependency

    source = dict(settings)["bootstrap.servers"]
    place = Place(cluster_id, source, wanted.partition)
    with consumer(settings) as client:
        _check_start(client, wanted)
        client.assign([TopicPartition(OFFSETS_TOPIC, wanted.partition, wanted.start)])
        for messages in _consumed(client, wanted):
            rows = [_row(message) for message in messages]
            if rows:
                yield table_of(place, rows)


def _check_start(client: Consumer, wanted: PartitionRange) -> None:
    from confluent_kafka import TopicPartition  # late: an optional dependency

    place = TopicPartition(OFFSETS_TOPIC, wanted.partition)
    low, high = client.get_watermark_offsets(place, timeout=SECONDS)
    if not low <= wanted.start <= high or wanted.end > high:
        raise BrokerError(
            f"{OFFSETS_TOPIC}-{wanted.partition}: offsets {wanted.start:,} to {wanted.end:,} are "
            f"wanted, and the broker has {low:,} to {high:,}; was the topic made anew?"
        )


def _consumed(client: Consumer, wanted: PartitionRange) -> Iterator[list[Message]]:
    """Yield messages up to the end of the range, or of the partition, by position."""
    from confluent_kafka import KafkaError, KafkaException  # late: an optional dependency

    deadline = time.monotonic() + SECONDS
    at = wanted.start
    while at < wanted.end:
        kept = []
        for message in client.consume(_MESSAGES, timeout=_POLL):
            error = message.error()
            if error is None:
                at = _offset(message) + 1
                if at <= wanted.end:
                    kept.append(message)
            elif error.code() == KafkaError._PARTITION_EOF:  # its offset is the end itself
                at = max(at, _offset(message))
            else:
                raise BrokerError(f"{OFFSETS_TOPIC}-{wanted.partition}: {KafkaException(error)}")
            deadline = time.monotonic() + SECONDS
        yield kept
        if time.monotonic() > deadline:
            raise BrokerError(
                f"{OFFSETS_TOPIC}-{wanted.partition}: nothing came for {SECONDS:.0f} seconds at "
                f"offset {at:,} of {wanted.end:,}"
            )


def _offset(message: Message) -> int:
    offset = message.offset()
    assert offset is not None  # of what has been consumed
    return offset


def _row(message: Message) -> dict[str, Any]:
    from confluent_kafka import TIMESTAMP_NOT_AVAILABLE  # late: an optional dependency

    kind, milliseconds = message.timestamp()
    there = kind != TIMESTAMP_NOT_AVAILABLE
    return {
        "source_offset": message.offset(),
        "record_timestamp": microseconds(milliseconds) if there else None,
        "key": message.key(),
        "value": message.value(),
    } | key_says(message.key())
