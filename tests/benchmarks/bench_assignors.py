"""The assignors beside Java's, from decoded subscriptions to the bytes of every assignment.

    python -m tests.benchmarks.bench_assignors [--quick] [--check]

Both sides take turns in one process, on the same subscriptions; decoding those is not in the time.
Java is warm, and its part runs in Java alone: JPype is crossed a few times a rebalance.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.building import JavaUnavailable
from kproto.fuzz.oracles.java import JavaOracle
from kproto.rebalance import ASSIGNORS, Assignor, Member

from .timing import Times

OURS, JAVA = "kproto", "Java"
NAMES = ("range", "roundrobin", "sticky", "cooperative-sticky")
STICKY = NAMES[2:]


class Group(NamedTuple):
    """What a leader has before it: the subscriptions' bytes by member id, and the topics."""

    name: str
    topics: Mapping[str, int]
    subscriptions: Mapping[str, bytes]


Side = Callable[[Group, str], float]
"""Runs a rebalance of a group with an assignor; seconds."""


def ours(group: Group, assignor: str) -> float:
    members = [
        Member(member_id, ConsumerProtocolSubscription.from_bytes(data))
        for member_id, data in group.subscriptions.items()
    ]
    start = perf_counter()
    assigned = ASSIGNORS[assignor].assign(members, group.topics)
    for assignment in assigned.values():
        assignment.to_bytes()
    return perf_counter() - start


class Java:
    """Kafka's assignors in the oracle's JVM."""

    CLASSES: Mapping[str, str] = {
        "range": "RangeAssignor",
        "roundrobin": "RoundRobinAssignor",
        "sticky": "StickyAssignor",
        "cooperative-sticky": "CooperativeStickyAssignor",
    }

    def __init__(self) -> None:
        JavaOracle()
        import jpype

        self._class: Callable[[str], Any] = jpype.JClass
        self._wrap = jpype.JClass("java.nio.ByteBuffer").wrap
        consumer = "org.apache.kafka.clients.consumer."
        self._package = consumer
        self._protocol = jpype.JClass(f"{consumer}internals.ConsumerProtocol")
        subscriptions = f"{consumer}ConsumerPartitionAssignor$GroupSubscription"
        self._group_subscription = jpype.JClass(subscriptions)
        self._clusters: dict[int, Any] = {}
        self._serialize = self._function(
            self._protocol.class_,
            "serializeAssignment",
            f"{consumer}ConsumerPartitionAssignor$Assignment",
        )

    def __call__(self, group: Group, assignor: str) -> float:
        # Anew for each run: the sticky assignor uses up the user data.
        subscriptions = self._class("java.util.HashMap")()
        for member_id, data in group.subscriptions.items():
            buffer = self._wrap(data)
            subscriptions.put(member_id, self._protocol.deserializeSubscription(buffer))
        cluster = self._cluster(group.topics)
        java = self._class(self._package + self.CLASSES[assignor])()
        start = perf_counter()
        assigned = java.assign(cluster, self._group_subscription(subscriptions))
        assigned.groupAssignment().values().stream().map(self._serialize).toArray()
        return perf_counter() - start

    def _cluster(self, topics: Mapping[str, int]) -> Any:
        if id(topics) not in self._clusters:
            counts = self._class("java.util.HashMap")()
            for name, count in topics.items():
                counts.put(name, self._class("java.lang.Integer")(count))
            # Kafka's own helper, not public: a million objects are not made from Python.
            helper = self._class(f"{self._package}internals.AbstractPartitionAssignor").class_
            make = helper.getDeclaredMethod(
                "partitionInfosWithoutRacks", self._class("java.util.Map").class_
            )
            make.setAccessible(True)
            partitions = self._class("java.util.ArrayList")()
            for infos in make.invoke(None, counts).values():
                partitions.addAll(infos)
            nothing = self._class("java.util.HashSet")()
            self._clusters.clear()
            self._clusters[id(topics)] = self._class("org.apache.kafka.common.Cluster")(
                "cluster", nothing, partitions, nothing, nothing
            )
        return self._clusters[id(topics)]

    def _function(self, owner: Any, name: str, argument: str) -> Any:
        """A static method as a java.util.function.Function, so that Java calls it by itself."""
        method = owner.getMethod(name, self._class(argument).class_)
        handle = self._class("java.lang.invoke.MethodHandles").publicLookup().unreflect(method)
        proxies = self._class("java.lang.invoke.MethodHandleProxies")
        return proxies.asInterfaceInstance(
            self._class("java.util.function.Function").class_, handle
        )


def groups(
    name: str, topics: Mapping[str, int], wanted: Mapping[str, Sequence[str]], assignor: str
) -> Iterator[Group]:
    """A group's first rebalance, the one after a member left, and the one after it came back."""
    assign = ASSIGNORS[assignor]
    first = {
        member_id: subscription(assign, names).to_bytes() for member_id, names in wanted.items()
    }
    yield Group(f"{name}, first", topics, first)
    after = dict(zip(wanted, after_one(assign, topics, wanted), strict=True))
    newcomer = next(iter(wanted))
    yield Group(f"{name}, one leaves", topics, {m: after[m] for m in wanted if m != newcomer})
    smaller = {m: wanted[m] for m in wanted if m != newcomer}
    after = dict(zip(smaller, after_one(assign, topics, smaller), strict=True))
    yield Group(f"{name}, one joins", topics, after | {newcomer: first[newcomer]})


def subscription(
    assignor: Assignor, names: Sequence[str], memory: Any = None, **owned: Any
) -> ConsumerProtocolSubscription:
    return ConsumerProtocolSubscription(
        topics=names, user_data=assignor.subscription_user_data(names, memory), **owned
    )


def after_one(
    assignor: Assignor, topics: Mapping[str, int], wanted: Mapping[str, Sequence[str]]
) -> Iterator[bytes]:
    """What the members send when they rejoin after their first assignment, of generation 1."""
    members = [Member(m, subscription(assignor, names)) for m, names in wanted.items()]
    for member_id, assignment in assignor.assign(members, topics).items():
        owned = [
            ConsumerProtocolSubscription.TopicPartition(topic=o.topic, partitions=o.partitions)
            for o in assignment.assigned_partitions
            if assignor.name == "cooperative-sticky"  # the others are eager and own nothing
        ]
        yield subscription(
            assignor,
            wanted[member_id],
            assignor.on_assignment(assignment, 1),
            owned_partitions=owned,
            generation_id=1,
        ).to_bytes()


def equal(
    topics: int, partitions: int, members: int
) -> tuple[dict[str, int], dict[str, list[str]]]:
    sizes = {f"topic-{number:04d}": partitions for number in range(topics)}
    names = list(sizes)
    return sizes, dict.fromkeys(_ids(members), names)


def unequal(
    topics: int, partitions: int, members: int
) -> tuple[dict[str, int], dict[str, list[str]]]:
    sizes = {f"topic-{number:04d}": partitions for number in range(topics)}
    rng = Random(7)  # noqa: S311
    return sizes, {one: rng.sample(list(sizes), topics // 2) for one in _ids(members)}


def _ids(members: int) -> list[str]:
    rng = Random(4)  # noqa: S311
    return [f"consumer-{n}-{rng.getrandbits(128):032x}" for n in range(members)]


def limit(group: Group, assignor: str) -> float:
    """At most so many times Java's time; Java's first sticky division is a special case."""
    return 6.0 if assignor in STICKY and group.name.endswith("first") else 3.0


def measure(sides: Mapping[str, Side], group: Group, assignor: str, turns: int) -> Times:
    times: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(turns + 1):
        for name, side in sides.items():
            seconds = side(group, assignor)
            if turn:  # the first one warms up
                times[name].append(seconds)
    return Times(times)


def growth(console: Console, turns: int) -> None:
    """Four sizes, each twice the one before: close to linear is close to twice the time."""
    table = Table(title="growth: ns a partition, one member leaves", title_style="bold")
    table.add_column("partitions", justify="right")
    for assignor in NAMES:
        table.add_column(assignor, justify="right")
    for topics in (50, 100, 200, 400):
        sizes, wanted = equal(topics, 1000, 1000)
        row = []
        for assignor in NAMES:
            _, leaves, _ = groups("", sizes, wanted, assignor)
            seconds = measure({OURS: ours}, leaves, assignor, turns).medians()[OURS]
            row.append(f"{seconds / (topics * 1000) * 1e9:.0f}")
        table.add_row(f"{topics * 1000:,}", *row)
    console.print(table)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a tenth of the partitions")
    parser.add_argument("--check", action="store_true", help="status 1 if a limit is missed")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args(arguments)
    console = Console()
    sides: dict[str, Side] = {OURS: ours}
    try:
        sides[JAVA] = Java()
    except JavaUnavailable as reason:
        console.print(f"Java is left out: {reason}")
    large = equal(50, 2000, 2000) if options.quick else equal(500, 2000, 2000)
    table = Table(title="assignors: median ms of a rebalance", title_style="bold")
    for column in ("", "", OURS, JAVA, "ratio", "limit", ""):
        table.add_column(column, justify="left" if column == "" else "right")
    met = True
    for name, shape in (("equal", large), ("unequal", unequal(200, 50, 500))):
        for assignor in NAMES:
            for group in groups(name, *shape, assignor):
                times = measure(sides, group, assignor, options.turns)
                median = times.medians()
                row = [assignor, group.name, f"{median[OURS] * 1e3:.0f}"]
                if JAVA in median:
                    ratio, most = times.ratio(OURS, JAVA), limit(group, assignor)
                    met &= ratio <= most
                    verdict = "met" if ratio <= most else "missed"
                    row += [f"{median[JAVA] * 1e3:.0f}", f"{ratio:.2f}", f"{most:g}", verdict]
                table.add_row(*row)
    console.print(table)
    growth(console, options.turns)
    return int(options.check and not (met and JAVA in sides))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
