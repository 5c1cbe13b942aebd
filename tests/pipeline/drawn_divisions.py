"""Groups whose partitions are given to the wrong members, whose members are not of one application,
or whose frameworks say that something is wrong, drawn at random; and their healthy neighbours."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from kproto.pipeline.audit import MemberSeen, Severity
from tests.pipeline.audit_groups import assignment, subscription
from tests.pipeline.drawn_broker_groups import calm_broker_group
from tests.pipeline.drawn_groups import (
    COOPERATIVE,
    DAY,
    HOUR,
    MINUTE,
    MOST_STEPS,
    START,
    DrawnGroup,
    Process,
    Sizes,
    between,
    calm_group,
)
from tests.pipeline.test_storm_causes import streams_member, worker

_PARTITIONING = ("range", "roundrobin", "sticky", COOPERATIVE, "RoundRobinAssigner")
_STREAMS, _CONNECT = "stream", "sessioned"


def _moment(group: DrawnGroup) -> float:
    return START + group.sizes.duration * group.rng.random()


def _partitions(process: Process) -> list[str]:
    return [f"t-{number}" for number in process.partitions]


def _give(process: Process, partitions: Sequence[str], topics: Sequence[str] = ("t",)) -> None:
    """Give a process these partitions, whatever it has."""
    process.seen = None
    process.seen = replace(
        process.member(0), metadata=subscription(topics), assignment=assignment(partitions)
    )


def _go_on(group: DrawnGroup, at: float) -> None:
    """Write the record, and now and then some more of the same."""
    group.write(at)
    for _ in range(group.rng.randrange(3)):
        at += between(group.rng, 1000, HOUR)
        group.write(at)
    group.judged_at = round(at + between(group.rng, 1000, DAY))


# -- groups in which nothing is wrong


def healthy_division(rng: random.Random) -> DrawnGroup:
    """One of the neighbours of these troubles."""
    draws = (
        _broadcast, _idle_by_number, _by_turns, _rolled_out, _ordinals, _workers_that_catch_up,
        _asks_for_version, _connectors_one_by_one,
    )  # fmt: skip
    return rng.choice(draws)(rng)


def _broadcast(rng: random.Random) -> DrawnGroup:
    """Everybody has everything, by an assignor of one's own."""
    group = calm_group(rng)
    group.sizes = group.sizes._replace(partitions=min(group.sizes.partitions, 200))
    group.protocol = "broadcast"
    everything = [f"t-{number}" for number in range(group.sizes.partitions)]
    for process in group.processes:
        _give(process, everything)
    _go_on(group, _moment(group))
    group.steps = group.steps[1:]
    return group


def _idle_by_number(rng: random.Random) -> DrawnGroup:
    """More members than partitions: no assignor can give each of them one."""
    return _topic_by_topic(rng, topics=1)


def _by_turns(rng: random.Random) -> DrawnGroup:
    """Topics of one partition, divided in turns."""
    sizes = Sizes.drawn(rng)
    group = DrawnGroup(rng, sizes, "roundrobin")
    group.begin()
    topics = [f"u{number}" for number in range(round(between(rng, 2, 300)))]
    for number, process in enumerate(group.processes):
        _give(process, [f"{topic}-0" for topic in topics[number :: sizes.members]], topics)
    _go_on(group, _moment(group))
    group.steps = group.steps[1:]
    return group


def _rolled_out(rng: random.Random) -> DrawnGroup:
    """A topic more, or another one, member by member."""
    is_added = rng.random() < 0.5
    topics = ("t", "u") if is_added else ("u",)
    total = between(rng, 10_000, 20 * HOUR if is_added else 9 * MINUTE)
    if rng.random() < 0.4:
        consumers = calm_broker_group(rng)
        at, pause = _moment(consumers), total / len(consumers.consumers)
        for member in [*consumers.consumers]:
            if len(consumers.entries) > MOST_STEPS:
                break
            consumers.run(at)
            member.topics = topics
            consumers.describe(member, at)
            consumers.change(at)
            at += pause
        consumers.judged_at = round(at)
        return consumers
    group = calm_group(rng)
    at, pause = _moment(group), total / len(group.processes)
    for process in [*group.processes]:
        if len(group.steps) * group.sizes.members > MOST_STEPS:
            break
        partitions, others = process.partitions, [p for p in group.processes if p is not process]
        if is_added:
            _give(process, _partitions(process), topics)
        else:
            process.partitions, process.topics = [], topics
            _give(process, [], topics)
            readers = [other for other in others if other.topics != topics]
            if readers:
                group.take(rng.choice(readers), partitions)
        at += pause
        group.write(at)
    group.judged_at = round(at)
    return group


def _ordinals(rng: random.Random) -> DrawnGroup:
    """Static members with the names of a StatefulSet: fewer for some hours, then as many again."""
    sizes = Sizes.drawn(rng, least=8)
    group = DrawnGroup(rng, sizes._replace(members=min(sizes.members, 60)))
    group.begin(static=True)
    count = rng.randint(1, len(group.processes) // 2)
    last = group.processes[-count:]
    at = _moment(group)
    for process in reversed(last):
        group.leave(process)
        at += between(rng, 1000, 20_000)
        group.write(at)
    at += between(rng, 10 * MINUTE, DAY)
    for process in last:
        group.join(process)
        at += between(rng, 1000, 20_000)
        group.write(at)
    group.judged_at = round(at)
    return group


def _rounds(
    rng: random.Random,
    members: Callable[[int], Sequence[MemberSeen]],
    protocol: str,
    kind: str,
    most: int = 12,
) -> DrawnGroup:
    """A group of a framework, generation after generation."""
    sizes = Sizes.drawn(rng)
    group = DrawnGroup(rng, sizes, protocol)
    at, pause = float(START), between(rng, 1000, 10 * MINUTE)
    for number in range(rng.randint(4, most)):
        group.processes = []
        for seen in members(number):
            group.processes.append(Process(seen.client_id, seen.host, seen=seen))
        group.write(at)
        group.steps[-1] = replace(group.steps[-1], protocol_type=kind)
        at += pause
    group.judged_at = round(at + between(rng, 1000, DAY))
    return group


def _workers_that_catch_up(rng: random.Random) -> DrawnGroup:
    """A worker is behind for a round whenever somebody changes a connector."""
    count, begin = round(between(rng, 2, 40)), rng.randrange(1000)

    def workers(number: int) -> Sequence[MemberSeen]:
        high = begin + (number + 1) // 2
        late = high - number % 2
        offsets = [high] * (count - 1) + [late]
        return [worker(f"w{n}", offset, late) for n, offset in enumerate(offsets)]

    return _rounds(rng, workers, _CONNECT, "connect")


def _connectors_one_by_one(rng: random.Random) -> DrawnGroup:
    """A script creates connectors: each is a newer configuration, and up to four rebalances."""
    count, rebalances = round(between(rng, 1, 20)), rng.randint(1, 4)

    def workers(number: int) -> Sequence[MemberSeen]:
        offset = number // rebalances
        return [worker(f"w{n}", offset, offset) for n in range(count)]

    return _rounds(rng, workers, _CONNECT, "connect", most=200)


def _asks_for_version(rng: random.Random) -> DrawnGroup:
    """The leader of Streams asks for a version, which is no error; then it does not any more."""
    count = round(between(rng, 2, 100))
    return _rounds(
        rng,
        lambda number: [streams_member(f"s{n}", 0 if number else 2) for n in range(count)],
        _STREAMS,
        "consumer",
    )


# -- troubles


def twice_assigned(rng: random.Random) -> DrawnGroup:
    """The leader gives partitions to two members."""
    group = calm_group(rng)
    group.protocol = rng.choice(_PARTITIONING)
    owner = rng.choice([process for process in group.processes if process.partitions])
    other = rng.choice([process for process in group.processes if process is not owner])
    share = rng.sample(owner.partitions, rng.randint(1, min(len(owner.partitions), 20)))
    _give(other, [*_partitions(other), *(f"t-{number}" for number in share)])
    _go_on(group, _moment(group))
    return group


def astray(rng: random.Random) -> DrawnGroup:
    """A member is given partitions of a topic to which it does not subscribe."""
    group = calm_group(rng)
    group.protocol = rng.choice(_PARTITIONING)
    process = rng.choice([process for process in group.processes if process.partitions])
    _give(process, _partitions(process), ("u",))
    _go_on(group, _moment(group))
    return group


def beyond_the_topic(rng: random.Random) -> DrawnGroup:
    """The leader assigns partitions that the topic does not have any more."""
    group = calm_group(rng)
    process = rng.choice(group.processes)
    beyond = group.sizes.partitions + rng.randrange(10)
    _give(process, [*_partitions(process), f"t-{beyond}"])
    _go_on(group, _moment(group))
    group.ends = dict.fromkeys(range(group.sizes.partitions), 0)
    return group


def _topic_by_topic(rng: random.Random, topics: int) -> DrawnGroup:
    """Divide topics with fewer partitions than there are members by range."""
    sizes = Sizes.drawn(rng)
    partitions = rng.choice([1, max(round(between(rng, 1, sizes.members - 1)), 1)])
    group = DrawnGroup(rng, sizes, "range")
    group.begin()
    names = [f"u{number}" for number in range(topics)]
    for number, process in enumerate(group.processes):
        share = [f"{topic}-{number}" for topic in names] if number < partitions else []
        _give(process, share, names)
    group.promised = Severity.WARNING if partitions == 1 else Severity.INFO
    group.steps = []
    _go_on(group, START)
    return group


def idle_under_range(rng: random.Random) -> DrawnGroup:
    """The first members have all the topics, and the others nothing."""
    return _topic_by_topic(rng, topics=round(between(rng, 2, 300)))


def idle_by_number(rng: random.Random) -> DrawnGroup:
    """There are more members than the one topic has partitions."""
    group = _topic_by_topic(rng, topics=1)
    group.promised = Severity.INFO
    return group


def two_applications(rng: random.Random) -> DrawnGroup:
    """Members of two services, with different topics, or some in common."""
    topics = rng.choice([("u",), ("t", "u")])
    lasts = (DAY if "t" in topics else 10 * MINUTE) * rng.uniform(1.01, 10)
    if rng.random() < 0.4:
        consumers = calm_broker_group(rng)
        at = _moment(consumers)
        consumers.run(at)
        for member in rng.sample(consumers.consumers, rng.randint(1, len(consumers.consumers) - 1)):
            member.topics = topics
            consumers.describe(member, at)
        consumers.change(at)
        consumers.judged_at = round(at + lasts)
        return consumers
    group = calm_group(rng)
    at = _moment(group)
    for process in rng.sample(group.processes, rng.randint(1, len(group.processes) - 1)):
        _give(process, [], topics)
    group.write(at)
    group.judged_at = round(at + lasts)
    return group


def new_instances(rng: random.Random) -> DrawnGroup:
    """Static members whose names are made anew at each start, as those of pods are."""
    sizes = Sizes.drawn(rng, least=3)
    group = DrawnGroup(rng, sizes._replace(members=min(sizes.members, 100)))
    group.begin(static=True)
    at, pause = _moment(group), between(rng, 1000, 2 * HOUR)
    for process in [*group.processes][: rng.randint(3, 20)]:
        pod = f"pod-{rng.getrandbits(40):x}"
        group.leave(process)
        if rng.random() < 0.5:
            group.write(at)
        group.join(Process(pod, process.host, pod))
        group.write(at + pause / 2)
        at += pause
    group.judged_at = round(at)
    return group


def streams_error(rng: random.Random) -> DrawnGroup:
    """The leader of Streams tells all instances that a source topic is missing."""
    count, first = round(between(rng, 1, 200)), rng.randrange(3)
    return _rounds(
        rng,
        lambda number: [streams_member(f"s{n}", int(number >= first)) for n in range(count)],
        _STREAMS,
        "consumer",
    )


def two_clusters(rng: random.Random) -> DrawnGroup:
    """Workers of two Connect clusters, whose topics of configurations end elsewhere."""
    low, rise = rng.randrange(1000), rng.randrange(2)
    high = low + rng.randint(1, 5000)
    ours, theirs = round(between(rng, 1, 40)), round(between(rng, 1, 40))

    def workers(number: int) -> Sequence[MemberSeen]:
        offsets = [high + rise * number] * ours + [low] * theirs
        return [worker(f"w{n}", offset, high) for n, offset in enumerate(offsets)]

    return _rounds(rng, workers, _CONNECT, "connect")


def never_claims(rng: random.Random) -> DrawnGroup:
    """Under a cooperative assignor, a member claims nothing at every join."""
    group = calm_group(rng)
    group.protocol = COOPERATIVE
    owners = [process for process in group.processes if process.partitions]
    forgetful = rng.choice(owners)
    at = _moment(group)
    for generation in range(1, rng.randint(5, 8)):
        for process in owners:
            process.seen = process.seen or process.member(0)
            owned = [] if process is forgetful else _partitions(process)
            metadata = subscription(["t"], owned, generation)
            process.seen = replace(process.seen, metadata=metadata)
        group.write(at)
        at += between(rng, 1000, HOUR)
        if len(group.steps) * group.sizes.members > MOST_STEPS:
            break
    return group


def mixed_versions(rng: random.Random) -> DrawnGroup:
    """Clients of two releases, which is remarked, and no trouble."""
    group = calm_group(rng)
    process = rng.choice(group.processes)
    process.version, process.seen = rng.randrange(3), None
    group.write(_moment(group))
    return group


_V1_ON_V0 = bytes.fromhex("0001000000010001740000000000000000")[:13]


def mislabelled(rng: random.Random) -> DrawnGroup:
    """A member writes version 0 and calls it 1: the broker cannot convert the group."""
    group = calm_group(rng)
    process = rng.choice(group.processes)
    process.seen = replace(process.seen or process.member(0), metadata=_V1_ON_V0)
    group.write(_moment(group))
    return group


INFO, WARNING, ERROR, CRITICAL = (
    Severity.INFO, Severity.WARNING, Severity.ERROR, Severity.CRITICAL,
)  # fmt: skip
DIVISION_TROUBLES: Mapping[str, tuple[Callable[[random.Random], DrawnGroup], Severity]] = {
    "assigned-twice": (twice_assigned, CRITICAL),
    "not-subscribed": (astray, CRITICAL),
    "does-not-exist": (beyond_the_topic, WARNING),
    "idle-under-range": (idle_under_range, WARNING),
    "idle-members": (idle_by_number, INFO),
    "two-applications": (two_applications, WARNING),
    "static-never-returns": (new_instances, WARNING),
    "streams-error": (streams_error, ERROR),
    "connect-clusters": (two_clusters, ERROR),
    "never-claims": (never_claims, INFO),
    "mixed-versions": (mixed_versions, INFO),
    "cannot-migrate": (mislabelled, INFO),
}
"""These troubles, and how bad each finding has to be at least."""
