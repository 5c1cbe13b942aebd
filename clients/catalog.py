"""The clients: what each release writes and can do, and which measured readers are its own.

`clients.json` has an object for each client: its `name`; `also`, other names, such as those of its
bindings; `readers`, the measured readers that are this client (`readers.json`); and `writers`,
releases that write alike, the oldest first.

`abilities.json` is the table of what clients can do: a cell says from which release on (`since`) a
client has an ability, or the newest release that was looked at and has it not (`absentIn`), how
that is known (`evidence`), and which releases were tried on a broker (`tried`), with what they
print where they refuse (`refusal`).

Clients of the consumer protocol have habits of writing: the version they label a message with,
whether that is the version of its body, null or empty user data, its layout, null or empty rack,
what they sort. They were measured on a real broker, with the clients' own code, or read in it;
`source` says which. The keys of a habit:

| key         | what the client writes                                                             |
|-------------|------------------------------------------------------------------------------------|
| `message`   | the habit is one of writing this message                                           |
| `assignors` | under these assignors; absent: under every other one too, a user's own among them  |
| `layouts`   | "3": version 3; "1 on 0": labelled 1, laid out as 0                                |
| `userData`  | "null", "empty", a layout by its name, "own": of no known layout; "any": whatever  |
| `rack`      | "null", "empty", "text", in versions that have one                                 |
| `owns`      | false: never a partition, because it gives back all of them before it joins        |
| `sorted`    | "topics", "owned" (topics and partitions of it), "partitions" of an assignment     |
| `merged`    | true: no topic twice, and none without a partition                                 |

A habit with user data "own" alone is that of a custom assignor, which may write anything, under a
name that none of the client's assignors has.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

COOPERATIVE_STICKY = "cooperative-sticky"
"""The assignor of groups that rebalance cooperatively."""

AbilityName: TypeAlias = Literal[
    "cooperative",
    "both-at-once",
    "consumer-protocol",
    "static-members",
    "regular-expressions",
    "share-groups",
    "streams-groups",
    "poll-limit",
]
"""What a client can do: rebalance cooperatively; list an eager and a cooperative assignor together;
take part in groups that the broker divides (KIP-848); keep its id through restarts (KIP-345);
subscribe to a pattern that the broker matches; take part in share groups (KIP-932), and in groups
of Streams that the broker divides (KIP-1071); leave its group where the application does not ask
for records within `max.poll.interval.ms` (KIP-62)."""


class Habit(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A way in which a client writes a message; see the module."""

    message: str
    layouts: tuple[str, ...]
    user_data: tuple[str, ...] = ("any",)
    assignors: tuple[str, ...] = ()
    rack: tuple[str, ...] = ()
    owns: bool = True
    sorted: tuple[str, ...] = ()
    merged: bool = False


class Ability(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A cell of the table of abilities: from which release on a client can do something, or up to
    which it cannot."""

    client: str
    ability: AbilityName
    evidence: str
    since: str = ""
    absent_in: str = ""
    """The newest release that was looked at, where none has the ability."""
    tried: tuple[str, ...] = ()
    """The releases that a test started on a broker."""
    refusal: str = ""
    """What a release without the ability prints, where it refuses rather than ignores."""
    test: str = ""
    """The test that showed it, where that is not the one of every cell."""

    def has(self, release: str) -> bool:
        """Return whether a release has the ability."""
        return bool(self.since) and release_order(release) >= release_order(self.since)

    def is_absent(self, release: str) -> bool:
        """Return whether a release is known not to have the ability; where `release` is "", all
        releases that were looked at."""
        if self.since:
            return bool(release) and release_order(release) < release_order(self.since)
        return not release or release_order(release) <= release_order(self.absent_in)

    @property
    def shown_by(self) -> tuple[str, ...]:
        """The tests that showed it, as pytest names them."""
        tests = (f"{_TEST}[{self.client}-{release}-{self.ability}]" for release in self.tried)
        return (self.test,) if self.test else tuple(tests)


_TEST = "tests/broker/test_abilities.py::test_ability"


class Releases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Releases that write alike: `since` is the first, `releases` names them in words, "" for all;
    `source` says how the habits are known."""

    since: str
    source: str
    habits: tuple[Habit, ...]
    releases: str = ""


class Client(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A client; see the module."""

    name: str
    writers: tuple[Releases, ...]
    also: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    settings: Mapping[str, str] = {}
    """How a user writes `assignors` and `consumer`, the broker's protocol, in its configuration."""


class Writer(msgspec.Struct, frozen=True):
    """Releases of a client that write alike."""

    name: str
    also: tuple[str, ...]
    since: str
    releases: str
    source: str
    habits: tuple[Habit, ...]

    @property
    def label(self) -> str:
        """The client's name and the releases: "kafka-clients 2.4 to 2.8.0"."""
        return f"{self.name} {self.releases}".rstrip()


@lru_cache(maxsize=1)
def clients() -> Mapping[str, Client]:
    """Return all clients, by name."""
    table = msgspec.json.decode(table_bytes("clients.json"), type=list[Client])
    return {client.name: client for client in table}


@lru_cache(maxsize=1)
def writers() -> tuple[Writer, ...]:
    """Return the releases that write alike, of all clients, each client's oldest first."""
    return tuple(
        Writer(client.name, client.also, part.since, part.releases, part.source, part.habits)
        for client in clients().values()
        for part in client.writers
    )


def writers_of(name: str, release: str) -> tuple[Writer, ...]:
    """Return how a release writes: more than one where a name stands for several clients. A release
    belongs to the last `Writer` that it is not older than.

    Raises KeyError for a name that no client has.
    """
    by_client: dict[str, Writer] = {}
    for writer in writers():
        is_meant = name in (writer.name, *writer.also)
        if is_meant and (
            writer.name not in by_client or release_order(writer.since) <= release_order(release)
        ):
            by_client[writer.name] = writer
    if not by_client:
        raise KeyError(name)
    return tuple(by_client.values())


def release_ranges(name: str, releases: str) -> list[tuple[str, str]]:
    """Return the first release of each range of a client that is meant, all where none is named,
    and the first one after it ("" for the newest).

    >>> release_ranges("librdkafka", "1.6 to 2.1, 2.2 and newer")
    [('1.6', '2.2'), ('2.2', '')]
    """
    parts = [writer for writer in writers() if writer.name == name]
    ends = [*(writer.since for writer in parts[1:]), ""]
    ranges_named = {part.strip() for part in releases.split(",")}
    ranges = list(zip(parts, ends, strict=True))
    chosen = [(part.since, end) for part, end in ranges if part.releases in ranges_named]
    return chosen or [(part.since, end) for part, end in ranges]


def release_order(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, by which releases are compared."""
    return tuple(int(number) for number in re.findall(r"\d+", release))


# Patterns are compiled when they are first used: bytes alone have no client id.
_DEFAULT_IDS = (
    (r"consumer-.*\d", "kafka-clients"),
    (r"rdkafka", "librdkafka"),
    (r"sarama", "sarama"),
    (r"kafkajs", "kafkajs"),
    (r"kgo", "franz-go"),
    (r".*\(github\.com/segmentio/kafka-go\)", "kafka-go Reader"),
    (r"kafka-python-(?P<release>\d[\w.]*)", "kafka-python"),
    (r"aiokafka-(?P<release>\d[\w.]*)", "aiokafka"),
)


@lru_cache(maxsize=512)
def default_client(client_id: str) -> tuple[str, str]:
    """Return the client whose default a client id is, and its release where the id has it; empty
    where an application chose the id.

    >>> default_client("aiokafka-0.7.0"), default_client("rdkafka"), default_client("payments")
    (('aiokafka', '0.7.0'), ('librdkafka', ''), ('', ''))
    """
    for expression, name in _DEFAULT_IDS:
        match = re.fullmatch(expression, client_id)
        if match is not None:
            return name, match.groupdict().get("release") or ""
    return "", ""


@lru_cache(maxsize=1)
def abilities() -> Mapping[tuple[str, AbilityName], Ability]:
    """Return the table of abilities, by client and ability."""
    cells = msgspec.json.decode(table_bytes("abilities.json"), type=list[Ability])
    return {(cell.client, cell.ability): cell for cell in cells}


def ability_of(name: str, ability: AbilityName) -> Ability | None:
    """Return since when a client can do something, or that it cannot; None if that is not known."""
    return abilities().get((name, ability))


class Walk(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A plan that a test has carried out, and its way back: the route, the assignor that the group
    began with, the members' clients and releases, and whether they are static. `fails` is the error
    of a member where the plan cannot be carried out."""

    route: str
    assignor: str
    members: tuple[tuple[str, str], ...]
    static: bool = False
    fails: str = ""

    @property
    def clients(self) -> frozenset[str]:
        """The names of the clients."""
        return frozenset(name for name, _ in self.members)


@lru_cache(maxsize=1)
def walks() -> tuple[Walk, ...]:
    """Return the plans that tests have carried out, or could not: `make plans` tries each."""
    return tuple(msgspec.json.decode(table_bytes("plans.json"), type=list[Walk]))


def table_bytes(file: str) -> bytes:
    """Return the content of a table of this package."""
    folder = os.path.dirname(__file__)  # noqa: PTH120 - a call is short: pathlib takes 2 ms to import
    with open(f"{folder}/{file}", "rb") as table:  # noqa: PTH123
        return table.read()
