"""Groups whose broker assigns, drawn at random, that do nothing but change."""

from __future__ import annotations

import random

from kproto.pipeline.audit import Severity
from tests.pipeline.drawn_broker_groups import BrokerGroup, Consumer, StreamsGroup
from tests.pipeline.drawn_groups import HOUR, MINUTE, MOST_STEPS, START, Sizes, between

_MOST_CHANGES = 400


def _small_group(rng: random.Random, *, most: int = 500) -> BrokerGroup:
    """A group that has begun, of which each change takes little to draw."""
    sizes = Sizes.drawn(rng)
    sizes = sizes._replace(members=min(sizes.members, most), partitions=min(sizes.partitions, 1000))
    group: BrokerGroup = rng.choice([BrokerGroup, BrokerGroup, StreamsGroup])(rng, sizes)
    group.places = "host each"
    group.begin(static=rng.random() < 0.2)
    group.promised = Severity.WARNING
    return group


def again(group: BrokerGroup, member: Consumer, at: float, away: float) -> Consumer:
    """Let a member go for good, and its process come back."""
    group.change(at, go=[member])
    fresh = group.consumer(member.instance, like=member)
    group.change(at + away, come=[fresh])
    return fresh


def crash_loop(rng: random.Random) -> BrokerGroup:
    """Some processes come back again and again, so often that the group does nothing else."""
    group = _small_group(rng)
    budget = min(MOST_STEPS * 2 // group.sizes.members, _MOST_CHANGES)
    rounds = rng.randint(6, 12)
    most = max(min(group.sizes.members, budget // 2 // rounds), 1)
    looping = rng.sample(group.consumers, max(round(between(rng, 1, most)), 1))
    pause = between(rng, 300, 50_000)
    at = START + group.sizes.duration * rng.random()
    for _ in range(rounds):
        for number, member in enumerate(looping):
            looping[number] = again(group, member, at, pause)
            at += 2 * pause
    group.judged_at = round(at)
    group.read(range(min(group.sizes.partitions, 20)), START, at)
    return group


def crash_loop_of_pods(rng: random.Random) -> BrokerGroup:
    """Each restart has a new name."""
    group = _small_group(rng)
    at = START + group.sizes.duration * rng.random()
    for number in range(rng.randint(8, 20)):
        pod = group.consumer()
        pod.client, pod.host = f"pod-{number}", "/10.7.0.1"
        stay, away = between(rng, 500, 50_000), between(rng, 100, 50_000)
        group.change(at, come=[pod])
        group.change(at + stay, go=[pod])
        at += stay + away
    group.judged_at = round(at)
    return group


def flapping_metadata(rng: random.Random) -> BrokerGroup:
    """Nobody comes or goes, and what the broker sees of the topics changes to and fro."""
    group = _small_group(rng)
    at, pause = START + group.sizes.duration * rng.random(), between(rng, 4000, 20_000)
    hashes = [rng.getrandbits(60), rng.getrandbits(60)]
    for number in range(round(25 * MINUTE / pause)):
        group.metadata_hash = hashes[number % 2]
        group.change(at)
        at += pause
    group.judged_at = round(at)
    return group


def storm(rng: random.Random) -> BrokerGroup:
    """One of the kinds of storms."""
    return rng.choice([crash_loop, crash_loop_of_pods, flapping_metadata])(rng)


def flapping(rng: random.Random) -> BrokerGroup:
    """A process joins six times in an hour."""
    group = _small_group(rng)
    member = rng.choice(group.consumers)
    at, pause = START + group.sizes.duration * rng.random(), between(rng, 1000, 9 * MINUTE)
    for _ in range(6):
        member = again(group, member, at, pause / 3)
        at += pause
    group.judged_at = round(at)
    return group


def slow_poll(rng: random.Random) -> BrokerGroup:
    """A process leaves whenever its limit has passed."""
    group = _small_group(rng)
    at = START + group.sizes.duration * rng.random()
    timeout = round(between(rng, 10_000, 2 * HOUR))
    for _ in range(rng.randint(4, 10)):
        member = group.consumer()
        member.client, member.host, member.timeout = "slow", "/10.6.0.1", timeout
        group.change(at, come=[member])
        at += timeout * rng.uniform(1, 1.3)
        group.change(at, go=[member])
        at += timeout * rng.uniform(0.01, 0.9)
    group.judged_at = round(at)
    return group
