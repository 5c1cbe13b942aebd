"""The offsets topic of a live broker, read without changing anything there.

No group is joined and nothing is committed, so the topic does not grow by being read. Record
batches come as log segments hold them, and are read by the same code: all records, those of
transactions too, with their outcome. Reading ends by offset: the last offset of a partition may
hold no record (compaction, the mark of a transaction), so that waiting for it would be waiting for
ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from ...capture.segments.batches import Batch, Taken, whole_batches
from ...capture.segments.transactions import read_transactions
from ...cluster.admin import OFFSETS_TOPIC, Cluster
from ...cluster.api import session_of, settings_of
from ...cluster.config.settings import Settings
from ...cluster.records import (
    BrokerError,
    Chunk,
    PartitionRange,
    PartitionReader,
    offsets_bounds,
    reader_of,
)
from ...cluster.session import Session
from .record_table import SourceColumns
from .segments.files import FileRange
from .segments.replica_dedup import chosen
from .segments.split_reader import Outcomes, read_range

__all__ = [
    "BrokerUnit",
    "ClientSettings",
    "bounds",
    "broker_units",
    "client_settings",
    "connected",
    "one_session",
    "shared",
]

SECONDS = 30.0
"""How long a broker may take for an answer, where the settings do not say."""
_ENOUGH = 1 << 20
_TIMEOUT = "default.api.timeout.ms"

ClientSettings: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of a client's settings, the Java client's or librdkafka's."""


class BrokerUnit(NamedTuple):
    """A partition of the topic, from its begin to the end that it had when it was planned."""

    client: ClientSettings
    range: PartitionRange

    @property
    def size(self) -> int:
        """How many offsets there are. A broker does not say how many bytes."""
        return self.range.end - self.range.start

    def tables(self, cluster_id: str | None) -> Iterator[pa.Table]:
        """Yield the records of the partition, in order. Raises ClusterError: BrokerError where the
        range begins before what the broker still has, as a gap would pass for quiet.
        """
        place = SourceColumns(
            cluster_id, dict(self.client)["bootstrap.servers"], self.range.partition
        )
        with _session(self.client) as broker:
            records = _Records(broker, self.range)
            outcomes = Outcomes(records.batches_from)
            for data in _joined(records.chunks(self.range.start)):
                part = FileRange(place.source, 0, len(data))
                for table in read_range(partial(_file_of, data), part, place, outcomes):
                    yield _within(table, self.range)


def client_settings(settings: Settings, timeout: float | None = None) -> ClientSettings:
    """Return the settings in a form that tasks can be given, and how many seconds the broker may
    take for an answer.
    """
    limit = {} if timeout is None else {_TIMEOUT: str(round(timeout * 1000))}
    return tuple(sorted((settings.values | limit).items()))


def connected(client: ClientSettings) -> Session:
    """Return a session with the cluster. Raises ConfigError for settings that cannot be used."""
    values = dict(client)
    settings = settings_of(config=values, environment={})
    if settings.ignored:
        raise BrokerError(
            f"the client's settings are refused: {', '.join(settings.ignored)}: no such setting"
        )
    limit = values.get(_TIMEOUT, "")
    return session_of(settings, timeout=int(limit) / 1000 if limit.isdecimal() else SECONDS)


@contextmanager
def one_session() -> Iterator[None]:
    """Within it, the units of a broker are read through one session, not each through its own: a
    broker may name thousands of partitions, and each session asks for all of them first."""
    try:
        _kept.append(None)
        yield
    finally:
        _, session = _kept.pop() or (None, None)
        if session is not None:
            session.close()


_kept: list[tuple[ClientSettings, Session] | None] = []
"""Of each `one_session` around what runs now: the session, once a unit has opened it."""


@contextmanager
def _session(client: ClientSettings) -> Iterator[Session]:
    if not _kept:
        with connected(client) as session:
            yield session
        return
    kept = _kept[-1]
    if kept is None or kept[0] != client:
        if kept is not None:
            kept[1].close()
        _kept[-1] = kept = client, connected(client)
    yield kept[1]


def broker_units(client: ClientSettings) -> list[BrokerUnit]:
    """Return a unit for each partition that is not empty, the longest first; none where no group
    has ever used the broker. Raises ClusterError.
    """
    units = [BrokerUnit(client, bound) for bound in bounds(client) if bound.start < bound.end]
    return sorted(units, key=lambda unit: -unit.size)


def bounds(client: ClientSettings) -> list[PartitionRange]:
    """Return where each partition begins and ends now; none where no group has ever used the
    broker, which has no such topic then. Raises ClusterError.
    """
    with connected(client) as broker:
        return broker.ask(offsets_bounds)


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


class _Records:
    """The record batches of a partition, fetched one chunk ahead of what is read."""

    def __init__(self, broker: Session, bounds: PartitionRange) -> None:
        self._broker = broker
        self._range = bounds
        self._reader: PartitionReader | None = None

    def _check(self) -> None:
        """Raise BrokerError where the broker does not have the whole range."""
        number, start, end = self._range
        own = self._broker.ask(partial(offsets_bounds, only=number))
        low, high = own[0][1:] if own else (0, 0)
        if not low <= start <= high or end > high:
            raise BrokerError(
                f"{OFFSETS_TOPIC}-{number}: offsets {start:,} to {end:,} are wanted, and the "
                f"broker has {low:,} to {high:,}; was the topic made anew?"
            )

    def chunks(self, offset: int, end: int | None = None) -> Iterator[bytes]:
        """Yield whole batches from an offset on, up to `end` (default: that of the range). Raises
        BrokerError where the broker does not have the whole range: an answer shows it, so that it
        costs no question of its own."""
        end = self._range.end if end is None else end
        answer = self._broker.submit(partial(self._chunk, offset))
        while offset < end:
            try:
                data, high = answer.result()
            except BrokerError:
                self._check()
                raise
            if high < self._range.end:
                self._check()
            if not data:  # what was there is compacted away, or a mark
                return
            size, next_offset = whole_batches(data)
            if next_offset <= offset:
                place = f"{OFFSETS_TOPIC}-{self._range.partition}"
                raise BrokerError(f"{place}: what the broker sent at offset {offset:,} is no batch")
            offset = next_offset
            if offset < end:
                answer = self._broker.submit(partial(self._chunk, offset))
            yield data[:size]

    def batches_from(self, _position: int, base_offset: int) -> Iterator[Batch | Taken]:
        """Yield the batch at an offset, and all that are behind it now."""
        _, end = self._broker.ask(partial(self._chunk, base_offset))
        for data in self.chunks(base_offset, end):
            yield from read_transactions(BytesIO(data), OFFSETS_TOPIC)

    async def _chunk(self, offset: int, cluster: Cluster) -> Chunk:
        if self._reader is None:
            self._reader = reader_of(cluster, self._range.partition)
        return await self._reader.chunk(offset)


def _joined(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same batches, not so few of them at once: a broker may answer with a record each
    time."""
    held = bytearray()
    for chunk in chunks:
        held += chunk
        if len(held) >= _ENOUGH:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def _file_of(data: bytes, part: FileRange) -> BytesIO:
    return BytesIO(data[part.start : part.end])


def _within(table: pa.Table, bounds: PartitionRange) -> pa.Table:
    """Return the records of the range: a batch may begin before it, and end behind it. There is no
    file that a batch has a position in.
    """
    offsets = table.column("source_offset").fill_null(bounds.start).to_numpy()
    place = table.schema.get_field_index("position")
    nowhere = pa.nulls(table.num_rows, pa.int64())
    table = table.set_column(place, table.schema.field(place), nowhere)
    return chosen(table, (offsets >= bounds.start) & (offsets < bounds.end))
