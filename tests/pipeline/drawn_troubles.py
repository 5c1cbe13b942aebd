"""A healthy group at random, and for each rule a group that has its trouble: see `drawn_groups`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from kproto.pipeline.audit import BrokerState, Severity
from tests.pipeline import drawn_broker_storms
from tests.pipeline.audit_groups import assignment, subscription
from tests.pipeline.drawn_broker_groups import (
    BROKER_TROUBLES,
    BrokerGroup,
    StreamsGroup,
    healthy_broker_group,
)
from tests.pipeline.drawn_divisions import DIVISION_TROUBLES, healthy_division
from tests.pipeline.drawn_groups import (
    COOPERATIVE,
    DAY,
    HOUR,
    MINUTE,
    MOST_STEPS,
    START,
    TOPIC,
    DrawnGroup,
    Process,
    Sizes,
    between,
    calm_group,
)

Draw = Callable[[random.Random], DrawnGroup]


def _rates(rng: random.Random) -> float:
    return between(rng, 0.01, 100_000)


def healthy(rng: random.Random) -> DrawnGroup:
    """A group in which nothing is wrong, whatever was done to it."""
    if rng.random() < 0.25:
        return healthy_broker_group(rng)
    special = ((0.1, healthy_division), (0.05, _idle_after_transactions), (0.05, _deleted_by_hand))
    for share, draw in special:
        if rng.random() < share:
            return draw(rng)
    group = calm_group(rng)
    sizes, rate = group.sizes, _rates(rng)
    is_job = rng.random() < 0.1
    if is_job:
        return _job(group, rate)
    events = rng.choices([_deploy, _scale, _rejoin, _restart_all, _upgrade], k=rng.randrange(4))
    pauses = []
    at = START + sizes.duration * rng.uniform(0.02, 0.2)
    for event in events:
        if at > sizes.end - 10 * MINUTE or len(group.steps) * sizes.members > MOST_STEPS:
            break
        begin = at
        at = event(group, at)
        if event is _restart_all:
            pauses.append((begin, at))
        at += sizes.duration * rng.uniform(0.05, 0.4) + HOUR
    _read_healthily(group, rate, pauses)
    if rng.random() < 0.3:
        group.compact(START + sizes.duration * rng.random())
    if rng.random() < 0.5:
        group.keep_up(rate)
    return group


def _idle_after_transactions(rng: random.Random) -> DrawnGroup:
    """All is read but the mark at the end of the last transaction, and nothing more comes."""
    group = _reading(rng)
    group.read(range(group.sizes.partitions), START, group.sizes.end)
    for partition in group.commits:
        group.ends[partition] = group.earlier[partition] = group.position(partition) + 1
    group.judged_at = round(group.sizes.end + between(rng, MINUTE, 10 * DAY))
    return group


def _deleted_by_hand(rng: random.Random) -> DrawnGroup:
    """Offsets are deleted: with their topic, by a tool, or with a group that is gone."""
    group = _reading(rng, kinds=_ALL_KINDS)
    rate, end = between(rng, 0.1, 1000), float(group.sizes.end)
    group.read(range(group.sizes.partitions), START, end, rate=rate)
    kind = rng.choice(["topic", "topic anew", "tool", "group"])
    at = end + between(rng, 1000, 5 * MINUTE if kind == "tool" else 20 * DAY)
    later = at + between(rng, 1000, 4 * MINUTE)
    highest = {partition: group.position(partition) for partition in group.commits}
    chosen = [*highest]
    if kind == "tool":
        group.empty(end + 500)
        chosen = chosen[: rng.randint(1, len(chosen))]
    elif kind == "group":
        group.empty(end + 500)
    for partition in chosen:
        group.commit(partition, at, -1)
    if kind == "topic":
        group.subscribe(("u",), later)
    elif kind == "topic anew":
        group.ends = {partition: rng.randrange(highest[partition]) for partition in highest}
    elif kind == "group":
        group.delete(at)
    else:
        group.fill(later)
        stop = later + 1000 + 5 * group.sizes.interval
        for partition in highest if rng.random() < 0.5 else ():
            group.read([partition], later + 1000, stop, rate=rate, first=highest[partition])
    group.judged_at = round(max(later + 10 * MINUTE, at + between(rng, MINUTE, 10 * DAY)))
    return group


def _read_healthily(group: DrawnGroup, rate: float, pauses: list[tuple[float, float]]) -> None:
    """Commit all partitions, but those without records; during a restart nobody does."""
    rng, sizes = group.rng, group.sizes
    busy = [n for n in range(sizes.partitions) if rng.random() < 0.9] or [0]
    edges = [START, *(edge for pause in pauses for edge in pause), sizes.end]
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        group.read(busy, begin, min(end, sizes.end), rate=rate)


def _deploy(group: DrawnGroup, at: float) -> float:
    """Each process is replaced once: on the same host, or by one with a new name. Up to three
    generations follow from that."""
    rng = group.rng
    follow_ups = rng.choice([0, 0, 1, 2, 3])
    pause, anew = between(rng, 1000, 60_000), rng.random() < 0.3
    for number, process in enumerate([*group.processes]):
        if len(group.steps) * group.sizes.members > MOST_STEPS:
            break
        fresh = process
        if anew and process.instance is None:
            fresh = Process(f"app-{rng.getrandbits(40):x}", f"/10.9.{number >> 8}.{number & 255}")
        if process.instance is not None and rng.random() < 0.9:
            process.seen = None  # within its session: the generation stays
            group.write(at, rise=0)
        else:
            group.leave(process)
            group.write(at)
            group.join(fresh)
            group.write(at + pause / 2)
            for follow_up in range(follow_ups):
                group.write(at + pause * (0.6 + follow_up / 10))
        at += pause
    return at


def _scale(group: DrawnGroup, at: float) -> float:
    """More processes for a while."""
    rng = group.rng
    fresh = [
        Process(f"more-{rng.getrandbits(40):x}", f"/10.8.0.{n}") for n in range(rng.randint(1, 20))
    ]
    for process in fresh:
        group.join(process)
        group.write(at)
        at += between(rng, 1000, 20_000)
    at += between(rng, 10 * MINUTE, HOUR)
    for process in fresh:
        group.leave(process)
        group.write(at)
        at += between(rng, 1000, 20_000)
    return at


def _rejoin(group: DrawnGroup, at: float) -> float:
    """The leader joins again, because a topic was added."""
    for _ in range(group.rng.randint(1, 5)):
        group.write(at, rise=group.rng.choice([1, 1, 2]))
        at += between(group.rng, MINUTE, 6 * HOUR)
    return at


def _restart_all(group: DrawnGroup, at: float) -> float:
    """All processes stop, and start again after some minutes."""
    processes = [*group.processes]
    for process in processes:
        group.leave(process)
    group.write(at)
    at += between(group.rng, 10_000, 5 * MINUTE)
    for process in processes:
        process.seen = None
        process.partitions = []
        group.processes.append(process)
    for partition in range(group.sizes.partitions):
        processes[partition % len(processes)].partitions.append(partition)
    group.write(at)
    return at


def _upgrade(group: DrawnGroup, at: float) -> float:
    """Another assignor, once."""
    group.protocol = "roundrobin"
    group.write(at)
    return at


def _job(group: DrawnGroup, rate: float, shortest: int = 15 * MINUTE) -> DrawnGroup:
    """Started by the clock: the group is empty in between."""
    rng, sizes = group.rng, group.sizes
    every = between(rng, shortest, DAY)
    lasts = every * rng.uniform(0.1, 0.6)
    runs = max(min(int(sizes.duration / every), 200 // max(sizes.members // 10, 1)), 3)
    processes = [*group.processes]
    partitions = range(min(sizes.partitions, 50))
    at = float(START)
    for run in range(runs):
        if run:
            for process in processes:
                process.seen = None
            group.processes = [*processes]
            group.write(at)
        group.read(partitions, at, at + lasts, rate=rate, interval=max(lasts / 20, 100))
        group.processes = []
        group.write(at + lasts)
        at += every
    group.judged_at = round(at - every + lasts + (every - lasts) * rng.random())
    return group


# -- troubles of members


def _crash_loop(rng: random.Random) -> DrawnGroup:
    """Some processes come back again and again, so often that the group does nothing else."""
    group = calm_group(rng)
    count = max(round(between(rng, 1, group.sizes.members)), 1)
    looping = rng.sample(group.processes, count)
    pause = between(rng, 300, 50_000)  # between two generations
    rounds = rng.randint(6, 12)
    budget = MOST_STEPS * 2 // group.sizes.members
    at = START + group.sizes.duration * rng.random()
    turns = [process for _ in range(rounds) for process in looping]
    if len(turns) * 2 > budget:  # a few of them often, then
        turns = [process for _ in range(rounds) for process in looping[: max(budget // 24, 1)]]
    for process in turns:
        group.restart(process, at, pause)
        at += 2 * pause
    group.judged_at = round(at)
    group.read(range(min(group.sizes.partitions, 20)), START, at)
    if rng.random() < 0.3:
        group.compact(START + (at - START) * rng.random() * 0.1)
    return group


def _crash_loop_of_pods(rng: random.Random) -> DrawnGroup:
    """Each restart has a new name."""
    group = calm_group(rng)
    at = START + group.sizes.duration * rng.random()
    for _ in range(rng.randint(8, 20)):
        pod = Process(f"pod-{rng.getrandbits(40):x}", "/10.7.0.1")
        stay, away = between(rng, 500, 50_000), between(rng, 100, 50_000)
        group.join(pod)
        group.write(at)
        group.leave(pod)
        group.write(at + stay)
        at += stay + away
    group.judged_at = round(at)
    return group


def _restless(rng: random.Random) -> DrawnGroup:
    """Nobody comes or goes, and generations rise; some have no record, or all but two."""
    group = calm_group(rng)
    at, pause = START + group.sizes.duration * rng.random(), between(rng, 200, 45_000)
    steps = max(MOST_STEPS // group.sizes.members, 2)
    if steps < 25 * MINUTE / pause:  # what has no record may have been caused by members
        pause = min(pause, 20_000)
    generations = round(max(25 * MINUTE / pause, 25 / (1 - pause / MINUTE)))
    steps = min(generations, steps)
    group.write(at)
    for _ in range(steps):
        at += pause * generations / steps
        group.write(at, rise=max(generations // steps, 1))
    group.judged_at = round(at)
    return group


def storm(rng: random.Random) -> DrawnGroup:
    """One of the kinds of storms."""
    kinds = [_crash_loop, _crash_loop_of_pods, _restless, drawn_broker_storms.storm]
    return rng.choice(kinds)(rng)


def restarted(rng: random.Random) -> DrawnGroup:
    """Some processes, or all, are restarted once: one after the other, or all at once."""
    group = calm_group(rng)
    processes = rng.sample(group.processes, rng.randint(1, min(len(group.processes), 20)))
    at, pause = START + group.sizes.duration * rng.random(), between(rng, 1000, 5 * MINUTE)
    if rng.random() < 0.3:
        at = _restart_all(group, at)
    else:
        for process in processes:
            group.restart(process, at, pause / 3)
            at += pause
    group.judged_at = round(at + between(rng, 1000, DAY / 2))
    return group


def flapping(rng: random.Random) -> DrawnGroup:
    """A process joins six times in an hour."""
    if rng.random() < 0.3:
        return drawn_broker_storms.flapping(rng)
    group = calm_group(rng)
    process = rng.choice(group.processes)
    at, pause = START + group.sizes.duration * rng.random(), between(rng, 1000, 9 * MINUTE)
    for _ in range(6):
        group.restart(process, at, pause / 3)
        at += pause
    group.judged_at = round(at)
    return group


def slow_poll(rng: random.Random) -> DrawnGroup:
    """A process leaves whenever its limit has passed."""
    if rng.random() < 0.3:
        return drawn_broker_storms.slow_poll(rng)
    group = calm_group(rng)
    process = Process("slow", "/10.6.0.1", timeout=round(between(rng, 10_000, 2 * HOUR)))
    at = START + group.sizes.duration * rng.random()
    for _ in range(rng.randint(4, 10)):
        group.join(process)
        group.write(at)
        at += process.timeout * rng.uniform(1, 1.3)
        group.leave(process)
        group.write(at)
        at += process.timeout * rng.uniform(0.01, 0.9)
    group.judged_at = round(at)
    return group


def ping_pong(rng: random.Random) -> DrawnGroup:
    """Two processes with one instance id, on one host or on two."""
    group = calm_group(rng)
    holder = rng.choice(group.processes)
    holder.instance, holder.seen = "i-twice", None
    at = START + group.sizes.duration * rng.random()
    group.write(at)
    pause = between(rng, 500, 120_000)
    hosts = ["/10.5.0.1", "/10.5.0.2"] if rng.random() < 0.5 else ["/10.5.0.1"]
    rises = rng.choice([0, 0, 1]) if len(hosts) > 1 else 0
    for number in range(rng.randint(8, 14)):
        at += pause
        holder.host, holder.seen = hosts[number % len(hosts)], None
        group.write(at, rise=rises)
    group.judged_at = round(at)
    return group


def unseen_subscription(rng: random.Random) -> DrawnGroup:
    """A static member comes back with one more topic."""
    group = calm_group(rng)
    member = rng.choice(group.processes)
    member.instance, member.seen = "i-static", None
    at = START + group.sizes.duration * rng.random()
    group.write(at)
    member.topics, member.seen = ("t", "u"), None
    group.write(at + 1000, rise=0)
    return group


def protocol_changes(rng: random.Random) -> DrawnGroup:
    """The assignor changes to and fro."""
    group = calm_group(rng)
    at = START + group.sizes.duration * rng.random()
    for number in range(rng.randint(4, 9)):
        group.protocol = ("roundrobin", "range")[number % 2]
        group.write(at)
        at += between(rng, 1000, 2 * HOUR)
    return group


# -- troubles of bytes


def _claimed(group: DrawnGroup, process: Process, owned: list[int], generation: int) -> None:
    process.seen = None
    seen = process.member(group._joins)
    names = [f"t-{partition}" for partition in owned]
    process.seen = replace(seen, metadata=subscription(["t"], names, generation))


def _two_claims(rng: random.Random, *, newer: int) -> DrawnGroup:
    sizes = Sizes.drawn(rng)
    sizes = sizes._replace(partitions=max(sizes.partitions, 2 * min(sizes.members, 50)))
    sizes = sizes._replace(members=min(sizes.members, 50))
    group = DrawnGroup(rng, sizes, COOPERATIVE)
    group.begin()
    for process in group.processes:
        _claimed(group, process, process.partitions, 1)
    one, two = rng.sample(group.processes, 2)
    _claimed(group, two, [*two.partitions, one.partitions[0]], 1 + newer)
    group.write(START + sizes.duration * rng.random())
    return group


def double_claim(rng: random.Random) -> DrawnGroup:
    """Two members claim a partition at one generation."""
    return _two_claims(rng, newer=0)


def stale_claim(rng: random.Random) -> DrawnGroup:
    """The owner's claim is overridden by one that is newer."""
    return _two_claims(rng, newer=3)


def given_away(rng: random.Random) -> DrawnGroup:
    """A partition is given to another member while its owner claims it."""
    group = _two_claims(rng, newer=0)
    one, two = group.processes[0], group.processes[1]
    for process in group.processes:
        _claimed(group, process, process.partitions, 2)
    moved = one.partitions.pop()
    two.partitions.append(moved)
    for process in (one, two):
        metadata = process.seen.metadata if process.seen is not None else b""
        process.seen = None
        seen = process.member(group._joins)
        process.seen = replace(seen, metadata=metadata)
    group.write(group.now + 1000)
    return group


def unreadable(rng: random.Random) -> DrawnGroup:
    """A member writes what Java cannot read."""
    group = calm_group(rng)
    process = rng.choice(group.processes[1:])
    seen = process.member(group._joins)
    process.seen = replace(seen, metadata=bytes.fromhex("000100000001000174ffffffff"))
    group.write(START + group.sizes.duration * rng.random())
    return group


def misplaced(rng: random.Random) -> DrawnGroup:
    """An assignment is recorded as a member's metadata, or metadata as its assignment."""
    group = calm_group(rng)
    process = rng.choice(group.processes[1:])
    member = process.member(group._joins)
    given = assignment([f"{TOPIC}-{number}" for number in range(3, rng.randint(4, 20))])
    process.seen = rng.choice(
        (replace(member, metadata=given), replace(member, assignment=member.metadata))
    )
    group.write(START + group.sizes.duration * rng.random())
    return group


def unassigned(rng: random.Random) -> DrawnGroup:
    """A partition has no owner, in two generations and then for good."""
    group = calm_group(rng, shortest=3 * HOUR)
    owner = max(group.processes, key=lambda process: len(process.partitions))
    group.ends = dict.fromkeys(range(group.sizes.partitions), 0)
    owner.partitions = owner.partitions[1:]
    owner.seen = None
    at = START + group.sizes.duration * rng.uniform(0.1, 0.5)
    group.write(at)
    if rng.random() < 0.5:
        group.write(at + between(rng, 1000, HOUR))
    return group


# -- troubles of commits

_ALL_KINDS = (DrawnGroup, BrokerGroup, StreamsGroup)


def _reading(
    rng: random.Random,
    *,
    partitions: int = 1,
    interval: tuple[float, float] = (100, HOUR),
    kinds: Sequence[type[DrawnGroup]] = (DrawnGroup, DrawnGroup, BrokerGroup),
) -> DrawnGroup:
    """A group that has read for some time, and so many partitions at least."""
    sizes = Sizes.drawn(rng)
    every = round(between(rng, *interval))
    count = max(min(sizes.partitions, 200), partitions)
    commits = between(rng, 20, max(1e6 / count, 40))
    duration = min(max(commits * every, 30 * MINUTE), 21 * DAY)
    sizes = Sizes(sizes.members, count, every, round(duration))
    group = rng.choice(kinds)(rng, sizes)
    group.begin()
    return group


def _outage(group: DrawnGroup, stop: float, rate: float) -> None:
    """Read until then; with a pause of some hours long ago, now and then."""
    rng, every = group.rng, range(group.sizes.partitions)
    duration = stop - START
    if rng.random() < 0.3 and duration > HOUR:
        begin = START + duration * 0.2
        end = begin + duration * rng.uniform(0.05, 0.3)
        group.read(every, START, begin, rate=rate)
        group.read(every, end, stop, rate=rate)
    else:
        group.read(every, START, stop, rate=rate)


def stopped(rng: random.Random) -> DrawnGroup:
    """Nobody commits any more, for longer than is usual; records wait."""
    group = _reading(rng)
    rate = _rates(rng)
    _outage(group, group.sizes.end, rate)
    silence = max(15 * MINUTE, 25 * group.sizes.interval)
    group.judged_at = round(group.sizes.end + silence * rng.uniform(1, 4))
    for partition in group.commits:
        group.ends[partition] = group.position(partition) + rng.randint(2, 10_000)
    return group


def stalled(rng: random.Random) -> DrawnGroup:
    """The same offset again and again; more than one record waits."""
    group = _reading(rng)
    _outage(group, group.sizes.end, _rates(rng))
    count = rng.randint(8, 200)
    times = max(group.sizes.interval, 400_000 / count)
    for partition in group.commits:
        at = group.position(partition)
        group.read(
            [partition],
            group.sizes.end,
            group.sizes.end + count * times,
            rate=0,
            interval=times,
            first=at - 1,
        )
        group.ends[partition] = at + rng.randint(2, 1_000_000)
    group.judged_at = round(group.sizes.end + (count + rng.random()) * times)
    return group


def falling_behind(rng: random.Random) -> DrawnGroup:
    """It read fast for long, reads slowly now, and more than an hour's worth of that waits."""
    group = _reading(rng, interval=(100, 10 * MINUTE))
    fast, slow = between(rng, 100, 100_000), between(rng, 0.5, 90)
    group.read(range(group.sizes.partitions), START, group.sizes.end, rate=fast)
    lasts = max(HOUR, 12 * group.sizes.interval) * rng.uniform(1, 3)
    group.read(range(group.sizes.partitions), group.sizes.end, group.sizes.end + lasts, rate=slow)
    group.judged_at = round(group.sizes.end + lasts)
    lag = max(slow * 3600 * rng.uniform(4, 100) * max(group.sizes.interval / HOUR, 1), 2000)
    for partition in group.commits:
        group.ends[partition] = group.position(partition) + round(lag)
        group.earlier[partition] = group.ends[partition] - round(slow * 200)
    return group


def rewound(rng: random.Random) -> DrawnGroup:
    """Offsets went back, and the group reads again: set by hand, expired, or by two readers."""
    group = _reading(rng, interval=(100, 10 * MINUTE))
    rate = between(rng, 1, 10_000)
    _outage(group, group.sizes.end, rate)
    kind = rng.choice(["reset", "expired", "deleted", "two readers"])
    end = float(group.sizes.end)
    if kind == "two readers":
        before = min(2 * DAY, group.sizes.duration) / group.sizes.interval
        for _ in range(120 + round(before / 15)):
            end += group.sizes.interval
            position = group.position(0)
            group.commit(0, end, max(position - round(rate * 100) - 500, 0))
            group.commit(0, end + group.sizes.interval / 3, position + 600)
        group.judged_at = round(end)
        return group
    away = HOUR if kind == "reset" else between(rng, 2 * DAY, 20 * DAY)
    group.empty(end + 1000)
    if kind == "deleted":
        for partition in group.commits:
            group.commit(partition, end + DAY, -1)
        if rng.random() < 0.5:
            group.delete(end + DAY)
    group.fill(end + away)
    for partition in [*group.commits]:
        at = group.position(partition)
        high = at if at >= 0 else int(group.commits[partition][-2][1][-1])
        low = max(high - rng.randint(20, 10_000_000), 0)
        group.read(
            [partition],
            end + away + 1000,
            end + away + 5 * group.sizes.interval,
            rate=0.001,
            first=low,
        )
    group.judged_at = round(end + away + 6 * group.sizes.interval)
    return group


def deleted(rng: random.Random) -> DrawnGroup:
    """Offsets expired while nobody was in the group, and some are not committed since."""
    group = _reading(rng, kinds=_ALL_KINDS)
    rate, end = between(rng, 0.1, 1000), float(group.sizes.end)
    _outage(group, end, rate)
    group.empty(end + 1000)
    away = between(rng, 1.1 * DAY, 20 * DAY)
    at = end + rng.uniform(1.05 * DAY, away)
    highest = {partition: group.position(partition) for partition in group.commits}
    for partition in highest:
        group.commit(partition, at, -1)
    if rng.random() < 0.5:
        group.delete(at)
    begin = end + away + 1000
    group.fill(begin)
    busy = [*highest][1:][: rng.randrange(len(highest))]
    stop = begin + max(5 * group.sizes.interval, HOUR) * rng.uniform(1, 5)
    for partition in busy:
        first = highest[partition] + rng.randrange(1000)
        group.read([partition], begin + 1000, stop, rate=rate, first=first)
    group.judged_at = round(stop)
    if rng.random() < 0.5:
        group.keep_up(rate)
        for partition in highest.keys() - busy:
            group.ends[partition] = highest[partition] + rng.randrange(1_000_000)
    return group


def skipped(rng: random.Random) -> DrawnGroup:
    """Offsets are set forward while nobody is there, or are deleted then, and the group goes on
    with what comes."""
    group = _reading(rng, interval=(100, 10 * MINUTE))
    rate = between(rng, 0.1, 1000)
    group.read(range(group.sizes.partitions), START, group.sizes.end, rate=rate)
    end = group.sizes.end
    group.empty(end + 1000)
    jump = max(rate * group.sizes.interval / 1000 * rng.uniform(3, 100), 100) + rate * 100
    if rng.random() < 0.4:
        return _gone_on_at_the_end(group, rate, round(jump))
    for partition in [*group.commits][: rng.randint(1, group.sizes.partitions)]:
        group.commit(partition, end + 60_000, group.position(partition) + round(jump))
    group.fill(end + 120_000)
    group.read(range(group.sizes.partitions), end + 125_000, end + 125_000 + HOUR, rate=rate)
    group.judged_at = round(end + 125_000 + HOUR)
    return group


def _gone_on_at_the_end(group: DrawnGroup, rate: float, jump: int) -> DrawnGroup:
    rng, end = group.rng, group.sizes.end
    back = end + between(rng, 2 * DAY, 20 * DAY)
    partitions = range(group.sizes.partitions)
    positions = [group.position(partition) for partition in partitions]
    for partition in partitions:
        group.commit(partition, end + DAY, -1)
    if rng.random() < 0.5:
        group.delete(end + DAY)
    group.fill(back)
    for partition, position in zip(partitions, positions, strict=True):
        first = position + jump
        group.read([partition], back + 1000, back + HOUR, rate=rate, first=first)
    group.judged_at = round(back + HOUR)
    return group


def out_of_range(rng: random.Random) -> DrawnGroup:
    """Retention has deleted what comes next; or the topic was made anew, and is shorter."""
    group = _reading(rng)
    _outage(group, group.sizes.end, between(rng, 1, 1000))
    group.judged_at = round(group.sizes.end + between(rng, 2 * MINUTE, 30 * DAY))
    for partition in group.commits:
        position = group.position(partition)
        if rng.random() < 0.5:
            group.starts[partition] = position + rng.randint(1, 1_000_000)
            group.ends[partition] = group.starts[partition] + rng.randint(0, 1000)
        else:
            group.ends[partition] = rng.randrange(position)
    return group


def left_over(rng: random.Random) -> DrawnGroup:
    """Its members subscribe to another topic by now; the old one is written on."""
    group = _reading(rng)
    group.read(range(group.sizes.partitions), START, group.sizes.end)
    group.subscribe(("u",), group.sizes.end)
    for partition in group.commits:
        group.ends[partition] = group.position(partition) + 100_000
    group.judged_at = round(group.sizes.end + DAY)
    return group


def never_committed(rng: random.Random) -> DrawnGroup:
    """Some partitions are committed, and others with an owner are not."""
    group = _reading(rng, partitions=2, kinds=_ALL_KINDS)
    group.sizes = group.sizes._replace(
        duration=max(group.sizes.duration, 30 * group.sizes.interval)
    )
    count = rng.randint(1, group.sizes.partitions - 1)
    group.read(range(count), START, group.sizes.end)
    group.judged_at = group.sizes.end
    return group


def stuck(rng: random.Random) -> DrawnGroup:
    """One partition is not committed any more, and all others are."""
    group = _reading(rng, partitions=2, interval=(100, 20 * MINUTE), kinds=_ALL_KINDS)
    rate = between(rng, 0.1, 1000)
    _outage(group, group.sizes.end, rate)
    silence = max(10 * MINUTE, 45 * group.sizes.interval) * rng.uniform(1, 5)
    stuck_one = rng.randrange(group.sizes.partitions)
    others = [n for n in range(group.sizes.partitions) if n != stuck_one]
    group.read(others, group.sizes.end, group.sizes.end + silence, rate=rate)
    group.judged_at = round(group.sizes.end + silence)
    if rng.random() < 0.5:
        group.keep_up(rate)
        group.ends[stuck_one] = group.position(stuck_one) + rng.randint(2, 1_000_000)
        group.earlier[stuck_one] = group.ends[stuck_one] - 1
    return group


def in_bursts(rng: random.Random) -> DrawnGroup:
    """A job by the clock."""
    return _job(calm_group(rng, shortest=5 * HOUR), _rates(rng), HOUR)


def stuck_rebalance(rng: random.Random) -> DrawnGroup:
    """The broker has said for long that it rebalances."""
    return calm_group(rng)


INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR
TROUBLES: Mapping[str, tuple[Draw, Severity]] = {
    "rebalance-storm": (storm, ERROR),
    "flapping-member": (flapping, WARNING),
    "slow-poll": (slow_poll, WARNING),
    "members-restarted": (restarted, INFO),
    "static-ping-pong": (ping_pong, ERROR),
    "static-unseen-subscription": (unseen_subscription, WARNING),
    "protocol-changed": (protocol_changes, INFO),
    "double-claim": (double_claim, ERROR),
    "stale-claim": (stale_claim, INFO),
    "cooperative-violation": (given_away, Severity.CRITICAL),
    "unreadable-member": (unreadable, WARNING),
    "wrong-place": (misplaced, ERROR),
    "unassigned": (unassigned, ERROR),
    "lag-stopped": (stopped, ERROR),
    "lag-stalled": (stalled, ERROR),
    "lag-falling-behind": (falling_behind, WARNING),
    "offset-deleted": (deleted, WARNING),
    "offset-rewound": (rewound, WARNING),
    "offset-skipped": (skipped, WARNING),
    "offset-out-of-range": (out_of_range, ERROR),
    "leftover-commits": (left_over, INFO),
    "never-committed": (never_committed, INFO),
    "stuck-partition": (stuck, WARNING),
    "scheduled-consumer": (in_bursts, INFO),
    "stuck-rebalance": (stuck_rebalance, ERROR),
    **DIVISION_TROUBLES,
    **BROKER_TROUBLES,
}
"""The trouble of each rule, and how bad the finding has to be at least."""


NOT_DRAWN = frozenset({"unreadable-record", "client-setting"})
"""A record that nobody can read has no size, and settings are not in the records:
tests/rebalance/test_client_settings.py draws them."""
_BY_TIME = frozenset({
    "unassigned", "slow-poll", "stuck-rebalance", "two-applications", "member-behind",
    "revocation-pending", "target-not-reached", "assignment-behind", "mixed-group-types",
    "partition-not-loadable", "static-unseen-subscription",
})  # fmt: skip
"""Rules with a limit in seconds: half of the time is half of what it is compared with."""
_OF_COMMITS = frozenset({
    "lag-stopped", "lag-stalled", "lag-falling-behind", "offset-deleted", "offset-rewound",
    "offset-skipped", "offset-out-of-range", "leftover-commits", "never-committed",
    "stuck-partition", "scheduled-consumer",
})  # fmt: skip
RELATIONS: Mapping[str, frozenset[str]] = {
    "with_bystanders": frozenset({"leftover-commits"}),  # they would subscribe to it
    "after_more_history": frozenset(),
    "beside_others": frozenset(),
    "twice_as_fast": _BY_TIME | _OF_COMMITS,
    "twice_the_records": frozenset(TROUBLES.keys() - _OF_COMMITS),
}
"""What must not turn a finding into silence, by the methods of a group, and the rules to which it
does not apply."""


def is_silenced(rule: str, relation: str, group: DrawnGroup) -> bool:
    """Return whether a trouble that is found is not, once there is more."""
    severity = TROUBLES[rule][1]
    if not is_found(rule, group, severity):
        return False
    getattr(group, relation)()
    return not is_found(rule, group, severity)


def is_found(rule: str, group: DrawnGroup, severity: Severity) -> bool:
    """Return whether the rule finds the trouble of this group."""
    known: dict[str, Any] = {}
    if rule == "stuck-rebalance":
        limit = max(process.timeout for process in group.processes)
        known["states"] = {"g": BrokerState("preparing rebalancing", limit * 2)}
    findings = group.findings(**known)
    severity = group.promised or severity
    names = ("unassigned-partition", "unassigned-for-long") if rule == "unassigned" else (rule,)
    return any(name in findings and findings[name].severity.rank >= severity.rank for name in names)
