"""The clients: what each release writes and can do, and which measured readers are its own.

`clients.json` has an object for each client: its `name`; `also`, other names, such as those of its
bindings; `readers`, the measured readers that are this client (`readers.json`); `abilities`; and
`writers`, releases that write alike, the oldest first.

An ability says from which release on (`since`) a client has it, or the newest release that was
looked at and has it not (`absentIn`), and how that is known (`evidence`).

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

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

COOPERATIVE_STICKY = "cooperative-sticky"

AbilityName: TypeAlias = Literal[
    "cooperative",
    "both-at-once",
    "consumer-protocol",
    "static-members",
    "regular-expressions",
    "share-groups",
    "streams-groups",
]
"""What a client can do: rebalance cooperatively; list an eager and a cooperative assignor together;
take part in groups that the broker divides (KIP-848); keep its id through restarts (KIP-345);
subscribe to a pattern that the broker matches; take part in share groups (KIP-932), and in groups
of Streams that the broker divides (KIP-1071)."""


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
    """From which release on a client can do something, or up to which it cannot."""

    ability: AbilityName
    evidence: str
    since: str = ""
    absent_in: str = ""
    """The newest release that was looked at, where none has the ability."""


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
    abilities: tuple[Ability, ...] = ()


class Writer(NamedTuple):
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
    table = Path(__file__).with_name("clients.json").read_bytes()
    return {client.name: client for client in msgspec.json.decode(table, type=list[Client])}


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


def release_order(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, by which releases are compared."""
    return tuple(int(number) for number in re.findall(r"\d+", release))


def ability_of(name: str, ability: AbilityName) -> Ability | None:
    """Return since when a client can do something, or that it cannot; None if that is not known.

    Who rebalances cooperatively is what clients were seen to write: a client without a habit of
    writing under cooperative-sticky cannot.
    """
    client = clients().get(name)
    if client is None:
        return None
    if ability != "cooperative":
        return next((cell for cell in client.abilities if cell.ability == ability), None)
    for part in client.writers:
        if any(COOPERATIVE_STICKY in habit.assignors for habit in part.habits):
            return Ability(ability, part.source, since=part.since)
    return Ability(ability, client.writers[-1].source, absent_in=client.writers[-1].since)
