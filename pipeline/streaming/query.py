"""The streaming query: source, state and output, and how it is started, watched and ended.

State is kept by group with `applyInPandasWithState`. Of Spark's two stateful operators it is the
one that needs nothing besides pandas, and one state and one timer a group are all that is wanted
(`transformWithState` needs protobuf too, and asks for each value over a socket). Its timers run by
the watermark, which one row of the source moves: the time up to which all records are read. So no
timer runs while the topic is still being caught up with, when absence would be no sign.
"""

from __future__ import annotations

import pickle
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
from pandas import DataFrame as PandasFrame  # type: ignore[import-untyped]  # it ships none
from pyarrow import fs

from ...codec import KprotoError
from ..groups.intake import Counts
from ..groups.options import Options
from ..report.exports import as_json, as_openmetrics
from ..sources.places import filesystem
from ..tables.manifest import replace_file
from ..tables.packing import packed, unpacked
from .group_follower import GroupFollower, Patience, Turn
from .memory import Memory
from .position import Position
from .published import FollowedBatch, FollowedChange, Published
from .signals import BATCH, COUNTS, Signal
from .stream_source import FollowingSource, SourceSettings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.state import GroupState

__all__ = ["CHECKPOINT", "Following", "Order", "Told", "opened"]

CHECKPOINT = "checkpoint"
"""Spark's own folder, beside the tables."""

_OUTPUT = "table string, rows binary"
_STATE = "folds binary, rest binary"
_REASON = re.compile(r"^kproto\.[\w.]+: (.*)$", re.MULTILINE)
_NO_WORKER = re.compile(
    r"failed to connect back|worker exited unexpectedly|SocketTimeoutException|Connection reset"
    r"|EOFException|No space left|Cannot allocate memory|unable to create native thread"
)
"""What Spark says of Python workers that do not start, or do not live, on a loaded machine."""
_ATTEMPTS = 5
_MOST_TIMES = 10_000
_BLINK, _MOST_SECONDS = 0.1, 5.0
_PAUSE = 2.0  # seconds, times the attempts so far


class _Ending(Exception):
    """Raised so that a batch is not published, because the query is being stopped."""


class Order(NamedTuple):
    """The settings of a follower: `out` is a folder or a URI, `every` the seconds between
    batches.
    """

    settings: SourceSettings
    options: Options
    out: str
    every: float = 1.0
    patience: Patience = Patience()
    teams: Mapping[str, str] = {}  # a NamedTuple's default; it is only read

    @property
    def source(self) -> str:
        """The broker, as rows name it."""
        return dict(self.settings.client)["bootstrap.servers"]


def opened(order: Order) -> Published:
    """Return what is published by now. Raises `KprotoError` where the place holds something
    else.
    """
    published = Published(order.out, order.source, order.options)
    store, path = filesystem(order.out)
    has_checkpoint = store.get_file_info(f"{path}/{CHECKPOINT}").type == fs.FileType.Directory
    if published.began and not has_checkpoint:
        raise KprotoError(
            f"{order.out} has lost its {CHECKPOINT}, and nobody knows what it has read: choose "
            "another place"
        )
    return published


class Told(NamedTuple):
    """The result of a batch. `milliseconds` are the latencies of its findings: from a record's
    time, or the moment that is judged, to publication. Findings are left out that have not changed,
    or are from before the follower began.
    """

    number: int
    changes: list[FollowedChange]
    counts: Counts
    end: Position
    milliseconds: list[int]


class Following:
    """A running query; `told` yields its results."""

    def __init__(self, spark: SparkSession, order: Order, published: Published) -> None:
        self._order = order
        self._spark = spark.newSession()  # its own settings, the same executors
        self._began = int(time.time() * 1000)
        self._queue: SimpleQueue[Told] = SimpleQueue()
        self._failure: Exception | None = None
        self._query: StreamingQuery | None = None
        self._attempts = 1
        self.latencies: deque[int] = deque(maxlen=_MOST_TIMES)
        """Milliseconds, of the last findings: see `Told`."""
        self.published = published
        self._publishing = Lock()
        self._ending = Event()

    def start(self) -> None:
        """Start the query, or resume it from its checkpoint."""
        order, spark = self._order, self._spark
        spark.dataSource.register(FollowingSource)
        spark.conf.set("spark.sql.shuffle.partitions", str(spark.sparkContext.defaultParallelism))
        start = self.published.position
        settings = msgspec.structs.replace(order.settings, start=start)
        signals = spark.readStream.format(FollowingSource.name()).option(
            "settings", msgspec.json.encode(settings).decode()
        )
        self._query = (
            signals.load()
            .withWatermark("known", "0 seconds")
            .where("known is null")
            .groupBy("group_id")
            .applyInPandasWithState(_function(order), _OUTPUT, _STATE, "append", "EventTimeTimeout")
            .writeStream.foreachBatch(self._publish)
            .option("checkpointLocation", f"{_for_spark(order.out)}/{CHECKPOINT}")
            .queryName("kproto-follow")
            .trigger(processingTime=f"{max(int(order.every * 1000), 1)} milliseconds")
            .start()
        )

    def told(self, seconds: float) -> Iterator[Told]:
        """Yield the batches that have been published, waiting at most so many seconds for the
        first. A query whose Python workers did not start is started again. Raises the `KprotoError`
        or OSError that ended the query.
        """
        alive = self._query is not None and self._query.isActive
        try:
            yield self._queue.get(timeout=seconds)
            self._attempts = 1
        except Empty:
            if not alive:
                self._start_again()
        yield from self.rest()

    def rest(self) -> Iterator[Told]:
        """Yield the batches that have been published and not yielded yet."""
        while not self._queue.empty():
            yield self._queue.get()

    def stop(self) -> None:
        """Stop the query between two batches. A batch that is not yet published is repeated at the
        next start.
        """
        self._ending.set()
        with self._publishing:
            if self._query is not None:
                self._rest(self._query)
                self._query.stop()

    def _rest(self, query: StreamingQuery) -> None:
        """Let running work end before the query stops: Spark logs at length what it
        interrupts."""
        end = time.monotonic() + _MOST_SECONDS
        while query.isActive and query.status["isTriggerActive"] and time.monotonic() < end:
            time.sleep(_BLINK)

    def _start_again(self) -> None:
        """Start the query again from its checkpoint, where only its workers are to blame; a longer
        pause each time lets the machine recover. Raises what ended it otherwise.
        """
        if self._failure is not None:
            raise self._failure
        reason = self._query.exception() if self._query is not None else None
        if reason is None:
            raise KprotoError("the query has ended")
        text = str(reason)
        if _REASON.search(text) is not None or _NO_WORKER.search(text) is None:
            raise KprotoError(_reason(text))
        if self._attempts == _ATTEMPTS:
            raise KprotoError(
                f"Spark's Python workers did not start, or were killed, {_ATTEMPTS} times "
                f"({_reason(text)}): give them more memory, or have fewer, as with "
                "--spark 'local[1]'"
            )
        self._ending.wait(_PAUSE * self._attempts)
        self._attempts += 1
        self.start()

    # -- a batch

    def _publish(self, frame: DataFrame, number: int) -> None:
        """Called by Spark, in a thread of its own, once a batch, or again."""
        while not self._publishing.acquire(timeout=_BLINK):  # `stop` has it, and waits for us
            self._go_on()
        try:
            self._go_on()
            self._queue.put(self._published(frame.toArrow(), number))
        except (KprotoError, OSError) as error:
            self._failure = error
            raise
        finally:
            self._publishing.release()

    def _go_on(self) -> None:
        if self._ending.is_set():
            raise _Ending

    def _published(self, rows: pa.Table, number: int) -> Told:
        batch = _batch(rows, number)
        moment = int(time.time() * 1000)
        changes = self.published.publish(batch, moment)
        if changes or "current" in batch.tables:
            self._export()
        late = int(time.time() * 1000) - moment
        times = [
            change.milliseconds + late
            for change in changes
            if moment - change.milliseconds >= self._began
            and change.finding["group_id"] is not None
        ]
        self.latencies.extend(times)
        return Told(number, changes, batch.counts, batch.end, times)

    def _export(self) -> None:
        store, path = filesystem(self._order.out)
        audit, teams = self.published.audit, self._order.teams
        for name, text in (
            ("findings.json", as_json(audit, teams)),
            ("metrics.txt", as_openmetrics(audit, teams)),
        ):
            replace_file(store, path, name, text.encode("utf-8", "backslashreplace"))


def _batch(rows: pa.Table, number: int) -> FollowedBatch:
    """Return the results of the groups, table by table."""
    parts: dict[str, list[bytes]] = {}
    for row in rows.to_pylist():
        parts.setdefault(row["table"], []).append(row["rows"])
    counts = Counts()
    for data in parts.pop(COUNTS, ()):
        counts.add(msgspec.msgpack.decode(data, type=Counts))
    end = Position(next={})
    for data in parts.pop(BATCH, ()):
        end = msgspec.msgpack.decode(data, type=Position)
    tables = {
        name: pa.concat_tables([unpacked(data) for data in packs]) for name, packs in parts.items()
    }
    tables = {name: rows for name, rows in tables.items() if rows.num_rows}
    if "rebalances" in tables:  # of one group in order, of all in any
        tables["rebalances"] = tables["rebalances"].sort_by(
            [("source_partition", "ascending"), ("source_offset", "ascending")]
        )
    return FollowedBatch(number, tables, counts, end)


def _reason(text: str) -> str:
    """Return our own message out of Spark's; else the last line of a traceback."""
    ours = _REASON.findall(text)
    if ours:
        return str(ours[-1])
    lines = text.partition("=== Streaming Query ===")[0].strip().splitlines()
    return lines[-1] if lines else text


def _for_spark(out: str) -> str:
    store, path = filesystem(out)
    return f"file://{path}" if isinstance(store, fs.LocalFileSystem) else out.rstrip("/")


# -- on the executors


def _function(order: Order) -> Callable[..., Iterator[PandasFrame]]:
    # Mappings that are read only cannot be pickled.
    topics, states = order.options.topics, order.options.states
    options = msgspec.structs.replace(
        order.options,
        topics=None if topics is None else dict(topics),
        states=None if states is None else {},
    )
    arguments = pickle.dumps((order.source, options, order.patience))

    def follow(
        key: tuple[Any, ...], frames: Iterator[PandasFrame], state: GroupState
    ) -> Iterator[PandasFrame]:
        rows = _rows(_follower(arguments), key[0], _signals(frames), state)
        if rows:  # most have committed, and no more
            yield PandasFrame(rows, columns=["table", "rows"])

    return follow


@lru_cache(maxsize=4)
def _follower(arguments: bytes) -> GroupFollower:
    return GroupFollower(*pickle.loads(arguments))  # noqa: S301  # from `_function`


def _signals(frames: Iterable[PandasFrame]) -> list[Signal]:
    return [
        Signal(*row)
        for frame in frames
        for row in zip(*(frame[name].tolist() for name in Signal._fields), strict=True)
    ]


def _rows(
    follower: GroupFollower, group_id: str | None, signals: list[Signal], state: GroupState
) -> list[tuple[str, bytes | None]]:
    """Return the results of a group for a batch. Signals without a group are passed on."""
    if group_id is None:
        return [(signal.kind, signal.value) for signal in signals]
    moment = state.getCurrentWatermarkMs()
    memory = _remembered(*state.get) if state.exists else None
    if state.hasTimedOut and memory is not None:
        turn = follower.judge(group_id, memory, moment)
    else:
        turn = follower.take(group_id, memory, signals, moment)
    _remember(turn, state, moment)
    return [(name, packed(table)) for name, table in turn.tables.items()]


def _remembered(folds: bytes | None, rest: bytes) -> Memory:
    memory = msgspec.msgpack.decode(rest, type=Memory)
    memory.folds = folds
    return memory


def _remember(turn: Turn, state: GroupState, moment: int) -> None:
    memory = turn.memory
    if memory is None:
        state.remove()
        return
    rest = msgspec.msgpack.encode(msgspec.structs.replace(memory, folds=None))
    state.update((memory.folds, rest))
    state.setTimeoutTimestamp(max(memory.due, moment + 1))
