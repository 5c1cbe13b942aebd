"""Three clusters of many groups, most of them well, on disk: what a stranger would back up.

`write` makes a folder of brokers with their `meta.properties` and segments, and the same topics as
a table in a data lake; it gives the truth about every group, and what a broker would say besides.
Every kind of trouble is in every cluster in which it can be seen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from .kafka_clusters import (
    BEGIN,
    HOUR,
    JAVA,
    KAFKA_GO,
    KAFKA_PYTHON,
    LIBRDKAFKA,
    MINUTE,
    NOW,
    SARAMA,
    SECOND,
    Cluster,
    Group,
    Place,
    broker_assigned,
)
from .kafka_log import (
    Entry,
    Logged,
    as_consumed,
    cleaned,
    logged,
    partition_of,
    write_segments,
)

_HEALTHY = 60  # groups of a cluster that only read
_GZIP = 1


class Layout(NamedTuple):
    """How a cluster keeps its offsets topic, and whether its brokers tell the ends of topics, the
    states of groups."""

    partitions: int
    brokers: int
    codec: int
    ends: bool
    states: bool


LAYOUTS = {
    "east": Layout(6, 2, 0, ends=True, states=True),
    "west": Layout(4, 1, _GZIP, ends=True, states=False),
    "north": Layout(3, 1, 0, ends=True, states=False),  # and not of all topics
}
COPIED_WHILE_CLEANED = ("west", 0)
"""The cluster and the offsets partition whose files were copied one by one, while the cleaner
worked."""


def write(folder: Path, seed: int) -> dict[str, Cluster]:
    """Write `fleet`, folders of brokers, and `lake`, a table, into a folder. Gives the clusters by
    their names."""
    rng = random.Random(seed)  # noqa: S311  # no secret
    made = {name: _cluster(name, rng) for name in LAYOUTS}
    rows: list[pa.Table] = []
    for name, cluster in made.items():
        layout = LAYOUTS[name]
        homes = [folder / "fleet" / f"{name}-{number}" for number in range(layout.brokers)]
        for number, log in enumerate(_logs(cluster, layout)):
            whole = logged(log)
            for copy, home in enumerate(homes):
                # The cleaner of the second broker was there later.
                kept = cleaned(whole, *_passes(name, number, copy))
                write_segments(home, number, kept, layout.codec)
                rows.append(_table(name, number, as_consumed(kept)))
        for home in homes:
            (home / "meta.properties").write_text(f"version=1\nbroker.id=7\ncluster.id={name}\n")
    _write_lake(folder / "lake", pa.concat_tables(rows), rng)
    return made


def _logs(cluster: Cluster, layout: Layout) -> list[list[Entry]]:
    logs: list[list[Entry]] = [[] for _ in range(layout.partitions)]
    for group, entries in cluster.written.items():
        logs[partition_of(group, layout.partitions)] += entries
    return logs


def _passes(name: str, partition: int, copy: int) -> tuple[int, ...]:
    if _is_copied_while_cleaned(name, partition):
        return NOW - 4 * HOUR, NOW - 2 * HOUR
    if name == "north" and partition == 0:
        return ()  # never cleaned yet
    return (NOW - 3 * HOUR + copy * 30 * MINUTE,)


def _table(cluster: str, partition: int, log: Sequence[Logged]) -> pa.Table:
    """Rows as a stream job writes them into a lake, by names of its own."""
    size = len(log)
    return pa.table(
        {
            "cluster": pa.array([cluster] * size, pa.string()),
            "topic": pa.array(["__consumer_offsets"] * size, pa.string()),
            "partition": pa.array([partition] * size, pa.int32()),
            "log_offset": pa.array([row.offset for row in log], pa.int64()),
            "written_ms": pa.array([row.entry.time for row in log], pa.int64()),
            "k": pa.array([row.entry.key for row in log], pa.binary()),
            "v": pa.array([row.entry.value for row in log], pa.binary()),
        }
    )


def _write_lake(folder: Path, rows: pa.Table, rng: random.Random) -> None:
    """Files of rows in no order."""
    folder.mkdir()
    order = list(range(rows.num_rows))
    rng.shuffle(order)
    for number in range(4):
        pq.write_table(rows.take(order[number::4]), folder / f"part-{number}.parquet")


# -- what the clusters have


def _cluster(name: str, rng: random.Random) -> Cluster:
    cluster = Cluster(name, rng)
    for number in range(12):
        cluster.topic(f"orders.v{number}", rng.randint(2, 5), rng.choice((0.05, 0.5, 5, 40)))
    cluster.topic("clicks", 6, 200)
    cluster.topic("payments", 4, 20)
    cluster.topic("settlement", 2, 8, period=50 * MINUTE, busy=3 * MINUTE)
    cluster.topic("parameters", 1, 0)
    # A record in ten minutes and some; the last one came half a second ago.
    cluster.topic("alarms", 2, 1, period=623_990, busy=SECOND)
    if name == "north":
        cluster.topic("salaries", 2, 20)
        cluster.hidden.add("salaries")
    for healthy in HEALTHY:
        group = f"{healthy.__name__.strip('_').replace('_', '-')}.{name}"
        healthy(cluster, group)
        cluster.healthy[group] = healthy.__name__
    for number in range(_HEALTHY):
        group = f"team-{number % 7}.{rng.choice(('etl', 'mail', 'audit', 'search'))}-{number}"
        _reads(cluster, group)
        cluster.healthy[group] = "reads"
    for trouble in (*TROUBLES, *BY_CLUSTER.get(name, ())):
        wanted = trouble is _storm_that_was_compacted_away
        trouble(cluster, _named(trouble.__name__.strip("_").replace("_", "-"), name, wanted))
    return cluster


def _named(group: str, cluster: str, copied_while_cleaned: bool) -> str:
    """A name of a group by which it is in the partition that was copied while it was cleaned, or in
    another. What compaction took there looks like a pause in commits, which hides who stopped."""
    names = (f"{group}-{number}.{cluster}" for number in count())
    return next(
        name
        for name in names
        if _is_copied_while_cleaned(cluster, partition_of(name, LAYOUTS[cluster].partitions))
        == copied_while_cleaned
    )


def _is_copied_while_cleaned(cluster: str, partition: int) -> bool:
    return (cluster, partition) == COPIED_WHILE_CLEANED


def _running(
    cluster: Cluster, name: str, topics: Sequence[str], members: int, protocol: str = "range"
) -> Group:
    """A group whose members started one after another, some time ago."""
    group = Group(cluster, name, topics, protocol)
    time = BEGIN + cluster.rng.randrange(HOUR)
    for number in range(members):
        joining = cluster.process(f"{name}-{number}")
        time = group.change(time + 3 * SECOND, [joining])
    cluster.states[name] = ("stable", 0)
    return group


def _often(number: int, start: int, every: int) -> Iterator[int]:
    for step in range(number):
        yield start + step * every


def _each(period: int, first: int = 0) -> Iterator[int]:
    """Times of every run of a job, from the beginning on."""
    yield from range(BEGIN + first, NOW, period)


# -- groups that are well


def _reads(cluster: Cluster, name: str) -> None:
    rng = cluster.rng
    topics = rng.sample([f"orders.v{number}" for number in range(12)], rng.choice((1, 1, 2)))
    client, protocol = rng.choice(
        [
            (JAVA, "range"), (JAVA, "cooperative-sticky"), (JAVA, "cooperative-sticky"),
            (LIBRDKAFKA, "roundrobin"), (KAFKA_PYTHON, "range"), (SARAMA, "range"),
        ]
    )  # fmt: skip
    group = Group(cluster, name, topics, protocol)
    time = BEGIN + rng.randrange(HOUR)
    for number in range(rng.choice((1, 2, 3, 3, 5))):
        time = group.change(time + 4 * SECOND, [cluster.process(f"{name}-{number}", client)])
    for _ in range(rng.randrange(4)):  # a restart of one, now and then
        time += rng.randrange(2 * HOUR, 6 * HOUR)
        old = rng.choice(group.members)
        group.change(time, [], [old])
        group.change(time + 20 * SECOND, [cluster.process(old.client_id, client)])
    cluster.read(name, cluster.places(*topics), NOW - 5 * HOUR, every=2 * MINUTE)
    cluster.states[name] = ("stable", 0)


def _deployed(cluster: Cluster, name: str) -> None:
    """Each of eight pods is replaced by one with another name, twenty minutes ago."""
    group = _running(cluster, name, ["clicks"], 6, "cooperative-sticky")
    time = NOW - 20 * MINUTE
    for number, old in enumerate(list(group.members)):
        group.change(time, [], [old])
        group.change(time + 15 * SECOND, [cluster.process(f"{name}-new-{number}")])
        time += 40 * SECOND
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR)


def _scaled(cluster: Cluster, name: str) -> None:
    """An autoscaler adds four members when it is day, and takes them away again."""
    group = _running(cluster, name, ["clicks"], 2)
    more = [cluster.process(f"{name}-{number}") for number in range(2, 6)]
    for number, each in enumerate(more):
        group.change(NOW - 2 * HOUR + number * 90 * SECOND, [each])
    for number, each in enumerate(reversed(more)):
        group.change(NOW - HOUR + number * 2 * MINUTE, [], [each])
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR)


def _static_restart(cluster: Cluster, name: str) -> None:
    """Each static member comes back once, with the assignment that it had."""
    group = Group(cluster, name, ["payments"])
    names = [f"{name}-{number}" for number in range(3)]
    members = [cluster.process(each, instance=each) for each in names]
    group.change(BEGIN + HOUR, members)
    for number, old in enumerate(list(group.members)):
        fresh = cluster.process(old.client_id, instance=old.instance, owned=old.owned)
        fresh.host = old.host
        group.members[number] = fresh
        group.write(NOW - 90 * MINUTE + number * 5 * MINUTE, group.said())
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR)
    cluster.states[name] = ("stable", 0)


def _by_the_hour(cluster: Cluster, name: str) -> None:
    """A job that reads what an hour brought, in six minutes."""
    _runs(cluster, name, "payments", _each(HOUR, 17 * MINUTE), 6 * MINUTE)


def _every_ten_minutes(cluster: Cluster, name: str) -> None:
    _runs(cluster, name, "orders.v1", _each(10 * MINUTE, 7 * MINUTE), MINUTE)


def _every_five_minutes(cluster: Cluster, name: str) -> None:
    _runs(cluster, name, "orders.v2", _each(5 * MINUTE, 3 * MINUTE), MINUTE)


def _parallel_job(cluster: Cluster, name: str) -> None:
    """Three processes each half hour, with names of that run."""
    _runs(cluster, name, "clicks", _each(30 * MINUTE, 9 * MINUTE), 5 * MINUTE, 3)


def _once_a_day(cluster: Cluster, name: str) -> None:
    """A job that reads all there is at once, and waits ten minutes for more."""
    _runs(cluster, name, "orders.v3", [NOW - 25 * HOUR, NOW - HOUR], 10 * MINUTE)


def _runs(
    cluster: Cluster,
    name: str,
    topic: str,
    starts: Sequence[int] | Iterator[int],
    lasts: int,
    processes: int = 1,
) -> None:
    """A job that is started by the clock, reads up to the end, and leaves. One process is of the
    same machine each time, several are pods."""
    group, places = Group(cluster, name, [topic]), cluster.places(topic)
    machine = cluster.process(name).host
    for run, start in enumerate(starts):
        names = [f"{name}-{run}-{number}" if processes > 1 else name for number in range(processes)]
        members = [cluster.process(each) for each in names]
        if processes == 1:
            members[0].host = machine
        group.change(start, members)
        end = start + lasts
        position = _ends_at(cluster, start)
        cluster.read(name, places, start + 5 * SECOND, min(end, NOW), lasts // 5, position)
        if end >= NOW:
            cluster.states[name] = ("stable", 0)
            return
        for each in members:
            group.change(end, [], [each])
            end += SECOND
    cluster.states[name] = ("empty", 0)


def _bursts(cluster: Cluster, name: str) -> None:
    """Its topic is written for three minutes in fifty, and it commits while there is something."""
    _running(cluster, name, ["settlement"], 2)
    places, about = cluster.places("settlement"), cluster.topics["settlement"]
    for burst in _each(about.period):
        cluster.read(name, places, burst, min(burst + about.busy, NOW), 20 * SECOND)


def _bursts_while_it_commits(cluster: Cluster, name: str) -> None:
    """The same, by a client that commits by itself, whether there is something or not."""
    _running(cluster, name, ["settlement"], 2)
    cluster.read(name, cluster.places("settlement"), NOW - 5 * HOUR, every=30 * SECOND)


def _idle(cluster: Cluster, name: str) -> None:
    """Nothing is written to its topic; the client commits what it has all the same."""
    _running(cluster, name, ["parameters"], 1)
    cluster.read(name, cluster.places("parameters"), NOW - 5 * HOUR, every=30 * SECOND)


def _behind_for_a_moment(cluster: Cluster, name: str) -> None:
    """It has read all for hours, and commits that by itself; a record has just come."""
    _running(cluster, name, ["alarms"], 1)
    cluster.read(name, cluster.places("alarms"), NOW - 5 * HOUR, every=30 * SECOND)


def _commits_what_is_new(cluster: Cluster, name: str) -> None:
    """The same, by a client that commits where it has read something."""
    _running(cluster, name, ["alarms"], 1)
    for place in cluster.places("alarms"):
        for time in _each(cluster.topics["alarms"].period, 3 * SECOND):
            cluster.commit(name, place, time, cluster.topics["alarms"].end(place[1], time))


def _commits_only(cluster: Cluster, name: str) -> None:
    """A stream job that assigns its partitions itself, and commits at each of its checkpoints."""
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR, every=5 * MINUTE)
    cluster.states[name] = ("empty", 0)


def _deleted(cluster: Cluster, name: str) -> None:
    group = _running(cluster, name, ["payments"], 2)
    cluster.read(name, cluster.places("payments"), BEGIN + HOUR, NOW - 3 * HOUR)
    group.change(NOW - 3 * HOUR, [], list(group.members))
    group.delete(NOW - 2 * HOUR)
    del cluster.states[name]


def _created_again(cluster: Cluster, name: str) -> None:
    """It counts its generations from 1 again, and begins at the first offset of the topic."""
    group = _running(cluster, name, ["payments"], 2)
    cluster.read(name, cluster.places("payments"), BEGIN + HOUR, NOW - 2 * HOUR)
    group.change(NOW - 2 * HOUR, [], list(group.members))
    group.delete(NOW - 110 * MINUTE)
    group.change(NOW - 100 * MINUTE, [cluster.process(f"{name}-{number}") for number in range(2)])
    cluster.read(name, cluster.places("payments"), NOW - 99 * MINUTE)


def _next_protocol(cluster: Cluster, name: str) -> None:
    broker_assigned(cluster, name, "payments", 2, NOW - 5 * HOUR)
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR)


def _transactions(cluster: Cluster, name: str) -> None:
    """It commits inside transactions; one in ten is aborted, at an offset that never counted."""
    _running(cluster, name, ["payments"], 1)
    place, about = ("payments", 0), cluster.topics["payments"]
    producer = 4000 + len(cluster.written)
    for number, time in enumerate(_often(300, NOW - 5 * HOUR, MINUTE)):
        well = number % 10 != 7
        offset = about.end(0, time) if well else 5
        cluster.commit(name, place, time, offset, producer=producer, committed=well)
        cluster.written[name].append(Entry(time, None, None, producer, well))
    cluster.read(name, cluster.places("payments")[1:], NOW - 5 * HOUR)


HEALTHY: tuple[Callable[[Cluster, str], None], ...] = (
    _deployed, _scaled, _static_restart, _by_the_hour, _every_ten_minutes, _every_five_minutes,
    _parallel_job, _once_a_day, _bursts,
    _bursts_while_it_commits, _idle, _behind_for_a_moment,
    _commits_what_is_new, _commits_only, _deleted, _created_again,
    _next_protocol, _transactions,
)  # fmt: skip


# -- lag


def _stopped(cluster: Cluster, name: str) -> None:
    """Its threads hang: members are there, and nothing was committed for more than two hours."""
    _running(cluster, name, ["payments"], 2)
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR, NOW - 130 * MINUTE)
    cluster.plant(name, "stopped", cluster.places("payments"))


def _left_behind(cluster: Cluster, name: str) -> None:
    """It was shut down two hours ago."""
    group = _running(cluster, name, ["payments"], 2)
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR, NOW - 2 * HOUR)
    group.change(NOW - 2 * HOUR, [], list(group.members))
    cluster.states[name] = ("empty", 0)
    cluster.plant(name, "left behind", cluster.places("payments"))


def _left_behind_while_idle(cluster: Cluster, name: str) -> None:
    """It had read all, and committed that again and again; records came after it was shut down."""
    group = _running(cluster, name, ["settlement"], 2)
    idle = BEGIN + 28 * cluster.topics["settlement"].period - MINUTE
    cluster.read(name, cluster.places("settlement"), NOW - 5 * HOUR, idle, 30 * SECOND)
    group.change(idle, [], list(group.members))
    cluster.states[name] = ("empty", 0)
    cluster.plant(name, "left behind", cluster.places("settlement"))


def _one_partition_stopped(cluster: Cluster, name: str) -> None:
    _running(cluster, name, ["payments"], 4)
    first, *others = cluster.places("payments")
    cluster.read(name, others, NOW - 5 * HOUR)
    cluster.read(name, [first], NOW - 5 * HOUR, NOW - HOUR)
    cluster.plant(name, "one partition stopped", [first])


def _stalled(cluster: Cluster, name: str) -> None:
    """A record of each partition cannot be processed; the client commits by itself."""
    _running(cluster, name, ["payments"], 2)
    places = cluster.places("payments")
    cluster.read(name, places, NOW - 5 * HOUR, NOW - 40 * MINUTE)
    _stands(cluster, name, places, NOW - 40 * MINUTE)
    cluster.plant(name, "stalled", places)


def _one_partition_stalled(cluster: Cluster, name: str) -> None:
    """The record came before any that were compacted away."""
    _running(cluster, name, ["payments"], 2, "cooperative-sticky")
    *others, last = cluster.places("payments")
    cluster.read(name, others, NOW - 5 * HOUR)
    cluster.read(name, [last], NOW - 6 * HOUR, NOW - 5 * HOUR)
    _stands(cluster, name, [last], NOW - 5 * HOUR)
    cluster.plant(name, "stalled", [last])


def _stands(cluster: Cluster, name: str, places: Sequence[Place], since: int) -> None:
    cluster.read(name, places, since, every=30 * SECOND, position=_ends_at(cluster, since))


def _ends_at(cluster: Cluster, time: int) -> Callable[[Place, int], int]:
    """The position of who has read all that there was at that time, and nothing since."""
    return lambda place, _: cluster.topics[place[0]].end(place[1], time)


def _falls_behind(cluster: Cluster, name: str) -> None:
    """It reads six of ten records that come."""
    _slow(cluster, name, "clicks", 0.6)


def _falls_behind_slowly(cluster: Cluster, name: str) -> None:
    _slow(cluster, name, "payments", 0.9)


def _slow(cluster: Cluster, name: str, topic: str, share: float) -> None:
    _running(cluster, name, [topic], 2)
    begin = NOW - 12 * HOUR

    def position(place: Place, time: int) -> int:
        about = cluster.topics[place[0]]
        start = about.end(place[1], begin)
        return start + int((about.end(place[1], time) - start) * share)

    cluster.read(name, cluster.places(topic), begin, position=position)
    cluster.plant(name, "falling behind", cluster.places(topic))


# -- rewinds


def _reset(cluster: Cluster, name: str) -> None:
    """Somebody has set it back by some minutes; it has not caught up yet."""
    group = _running(cluster, name, ["payments"], 2)
    places = cluster.places("payments")
    cluster.read(name, places, NOW - 5 * HOUR, NOW - 5 * MINUTE)
    group.change(NOW - 5 * MINUTE, [], list(group.members))

    def position(place: Place, time: int) -> int:
        return cluster.topics[place[0]].end(place[1], time - 7 * MINUTE)

    group.change(NOW - 4 * MINUTE, [cluster.process(f"{name}-{number}") for number in range(2)])
    cluster.read(name, places, NOW - 4 * MINUTE, position=position)
    cluster.plant(name, "rewound", places)


def _two_readers(cluster: Cluster, name: str) -> None:
    """Another process assigns itself one of the partitions, and commits its own position under the
    same name; the first one commits last."""
    _running(cluster, name, ["payments"], 2)
    first, *others = cluster.places("payments")
    cluster.read(name, others, NOW - 5 * HOUR)
    about = cluster.topics["payments"]
    for time in _often(120, NOW - 2 * HOUR + MINUTE, MINUTE):
        cluster.commit(name, first, time - 20 * SECOND, about.end(0, time - 90 * MINUTE))
        cluster.commit(name, first, time - 5 * SECOND, about.end(0, time - 8 * SECOND))
    cluster.plant(name, "two readers", [first])


# -- storms


def _crash_loop(cluster: Cluster, name: str) -> None:
    """One of four processes starts again each half minute, under the same name."""
    _storm(cluster, name, lambda _: f"{name}-crashes", NOW - 30 * MINUTE, NOW)
    cluster.plant(name, "crash loop")


def _crash_loop_of_pods(cluster: Cluster, name: str) -> None:
    """Each restart is a pod with a new name."""
    _storm(cluster, name, lambda number: f"{name}-{number:05x}", NOW - 30 * MINUTE, NOW)
    cluster.plant(name, "crash loop of pods")


def _crash_loop_alone(cluster: Cluster, name: str) -> None:
    """The only member: the group is empty in between."""
    group = Group(cluster, name, ["clicks"])
    machine = cluster.process(name).host
    for time in _often(60, NOW - 30 * MINUTE, 30 * SECOND):
        fresh = cluster.process(name)
        fresh.host = machine
        group.change(time, [fresh])
        cluster.read(name, cluster.places("clicks"), time + SECOND, time + 12 * SECOND, 6 * SECOND)
        group.change(time + 14 * SECOND, [], [fresh])
    cluster.states[name] = ("empty", 0)
    cluster.plant(name, "crash loop alone")


def _crash_loop_while_cooperative(cluster: Cluster, name: str) -> None:
    _storm(cluster, name, lambda _: f"{name}-crashes", NOW - 30 * MINUTE, NOW, "cooperative-sticky")
    cluster.plant(name, "crash loop")


def _crash_loop_that_is_over(cluster: Cluster, name: str) -> None:
    _storm(cluster, name, lambda _: f"{name}-crashes", NOW - 100 * MINUTE, NOW - 80 * MINUTE)
    cluster.plant(name, "crash loop that is over")


def _storm(
    cluster: Cluster,
    name: str,
    client_id: Callable[[int], str],
    start: int,
    stop: int,
    protocol: str = "range",
) -> None:
    group = _running(cluster, name, ["clicks"], 3, protocol)
    host = cluster.process("a").host
    time, number = start, 0
    while time < stop:
        fresh = cluster.process(client_id(number))
        fresh.host = host
        group.change(time, [fresh])
        group.change(time + 14 * SECOND, [], [fresh])
        time += 30 * SECOND
        number += 1
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR)


def _restless(cluster: Cluster, name: str) -> None:
    """All members join again and again: nobody comes, nobody goes."""
    group = _running(cluster, name, ["clicks"], 2)
    for time in _often(150, NOW - 20 * MINUTE, 8 * SECOND):
        group.rebalance(time)
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR)
    cluster.plant(name, "restless")


def _hardly_ever_done(cluster: Cluster, name: str) -> None:
    """Most of its generations are aborted before the leader has assigned, and leave no record."""
    group = _running(cluster, name, ["clicks"], 3)
    group.rebalance(NOW - 50 * MINUTE)
    group.generation += 290
    group.rebalance(NOW - 5 * MINUTE)
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR)
    cluster.plant(name, "steps that nobody recorded")


def _storm_that_was_compacted_away(cluster: Cluster, name: str) -> None:
    """It began right after the first pass of the cleaner, and was over before the second."""
    group = _running(cluster, name, ["clicks"], 3)
    group.rebalance(NOW - 4 * HOUR - MINUTE)
    for time in _often(440, NOW - 4 * HOUR + MINUTE, 15 * SECOND):
        group.rebalance(time)
    cluster.read(name, cluster.places("clicks"), NOW - 5 * HOUR)
    cluster.plant(name, "steps that were compacted away")


def _too_slow_to_poll(cluster: Cluster, name: str) -> None:
    """One member takes longer than its five minutes for a batch, again and again."""
    group = _running(cluster, name, ["payments"], 3)
    slow, *others = cluster.places("payments")
    cluster.read(name, others, NOW - 5 * HOUR)
    cluster.read(name, [slow], NOW - 5 * HOUR, NOW - 80 * MINUTE)
    for time in _often(12, NOW - 80 * MINUTE, 400 * SECOND):
        fresh = cluster.process(f"{name}-slow")
        fresh.host = "/10.9.9.9"
        group.change(time, [fresh])
        group.change(time + 302 * SECOND, [], [fresh])
        cluster.read(name, [slow], time + 303 * SECOND, time + 399 * SECOND, 20 * SECOND)
    cluster.plant(name, "too slow to poll")


# -- bytes, names and states


def _cut_short(cluster: Cluster, name: str) -> None:
    """A disk was full: the last record of the group has lost its end."""
    group = _running(cluster, name, ["payments"], 2)
    group.generation += 1
    group.write(NOW - HOUR, group.said(), cut=20)
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR)
    cluster.plant(name, "cut short")


def _was_cut_short(cluster: Cluster, name: str) -> None:
    group = _running(cluster, name, ["payments"], 2)
    group.generation += 1
    group.write(NOW - HOUR, group.said(), cut=20)
    group.rebalance(NOW - 30 * MINUTE)
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR)
    cluster.plant(name, "was cut short")


def _two_of_one_name(cluster: Cluster, name: str) -> None:
    """Two processes have one group.instance.id, each fences the other."""
    group = Group(cluster, name, ["payments"])
    group.change(BEGIN + HOUR, [cluster.process(f"{name}-{n}", instance=str(n)) for n in range(2)])
    for time in _often(40, NOW - 40 * MINUTE, MINUTE):
        old = group.members[0]
        fresh = cluster.process(old.client_id, instance=old.instance, owned=old.owned)
        fresh.host = old.host
        group.members[0] = fresh
        group.write(time, group.said())
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR)
    cluster.states[name] = ("stable", 0)
    cluster.plant(name, "two of one name")


def _go_beside_java(cluster: Cluster, name: str) -> None:
    """A member of kafka-go writes what a Java member cannot read; Sarama leads."""
    group = Group(cluster, name, ["payments"])
    clients = (SARAMA, JAVA, KAFKA_GO)
    members = [cluster.process(f"{each.name}-{name}", each) for each in clients]
    group.change(BEGIN + HOUR, members)
    group.rebalance(NOW - 2 * HOUR)
    cluster.read(name, cluster.places("payments"), NOW - 5 * HOUR)
    cluster.states[name] = ("stable", 0)
    cluster.plant(name, "kafka-go beside Java")


def _does_not_finish(cluster: Cluster, name: str) -> None:
    """It rebalances for seven minutes by now, and writes nothing; nothing has waited long."""
    _running(cluster, name, ["parameters"], 1)
    cluster.read(name, cluster.places("parameters"), NOW - 5 * HOUR, NOW - 7 * MINUTE)
    cluster.states[name] = ("preparing rebalancing", 7 * MINUTE)
    cluster.plant(name, "does not finish")


def _hidden_and_stopped(cluster: Cluster, name: str) -> None:
    """Nobody can know: whoever audits may not describe its topic."""
    _running(cluster, name, ["salaries"], 1)
    cluster.read(name, cluster.places("salaries"), NOW - 5 * HOUR, NOW - 3 * HOUR)
    cluster.healthy[name] = "hidden"


def _hidden_and_rewound(cluster: Cluster, name: str) -> None:
    """Commits alone tell."""
    _running(cluster, name, ["salaries"], 1)
    places, about = cluster.places("salaries"), cluster.topics["salaries"]
    cluster.read(name, places, NOW - 5 * HOUR, NOW - 20 * MINUTE)
    cluster.read(
        name, places, NOW - 20 * MINUTE, position=lambda at, time: about.end(at[1], time - HOUR)
    )
    cluster.plant(name, "rewound", places)


TROUBLES: tuple[Callable[[Cluster, str], None], ...] = (
    _stopped, _left_behind, _left_behind_while_idle, _one_partition_stopped, _stalled,
    _one_partition_stalled,
    _falls_behind, _falls_behind_slowly, _reset, _two_readers,
    _crash_loop, _crash_loop_alone, _crash_loop_of_pods, _crash_loop_while_cooperative,
    _crash_loop_that_is_over,
    _restless, _hardly_ever_done, _too_slow_to_poll,
    _cut_short, _was_cut_short, _two_of_one_name, _go_beside_java,
)  # fmt: skip
BY_CLUSTER: dict[str, tuple[Callable[[Cluster, str], None], ...]] = {
    "east": (_does_not_finish,),
    "west": (_storm_that_was_compacted_away,),
    "north": (_hidden_and_stopped, _hidden_and_rewound),
}
