"""The members of a group as a plan sees them: what each could be, and what it can do.

Which client a member is follows from its bytes, and often several clients write the same; a user
can say it (`StatedClient`). What a client can do is the table of abilities in the room `clients`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple, TypeAlias

from ...clients.catalog import (
    AbilityName,
    ability_of,
    clients,
    release_order,
    release_ranges,
    walks,
)
from ...inspector.diagnose.fingerprints import fingerprint_of_subscription
from ...inspector.shapes.group_shapes import ClientSupport
from ...wording import did_you_mean
from .described_group import ClassicGroup, ClassicMember

Answer: TypeAlias = Literal["yes", "upgrade", "no", "unknown"]
_BARE = frozenset({"kafka-go Client"})
"""Clients without a consumer: a program writes the bytes itself, and what it can do is its own."""
_WHAT: dict[AbilityName, str] = {
    "cooperative": "cooperative-sticky",
    "both-at-once": "lists of eager and cooperative assignors",
    "consumer-protocol": "group.protocol=consumer",
    "streams-groups": "group.protocol=streams",
}


class StatedClient(NamedTuple):
    """What a user says of members: those whose client id matches `pattern` are this client, of this
    release ("" if that is left open)."""

    pattern: str
    client: str
    release: str = ""

    def is_of(self, member: Running) -> bool:
        """Return whether it says something of a member, which may be named by its id, too."""
        names = (member.name, member.member_id)
        return any(fnmatchcase(name, self.pattern) for name in names)


class ClientNameError(ValueError):
    """A client that nothing is known of."""


def read_stated_client(text: str) -> StatedClient:
    """Return what a text like "payments-*=librdkafka 2.16" says. Raises ClientNameError."""
    pattern, _, client_text = text.rpartition("=")
    name, _, release = client_text.strip().partition(":")
    name = name.strip()
    names = {alias: client.name for client in clients().values() for alias in client.also}
    names["java"] = "kafka-clients"
    client = name if name in clients() else names.get(name, "")
    if not pattern or not name or (release and not release_order(release)):
        raise ClientNameError(f"{text!a} is not MEMBER=CLIENT or MEMBER=CLIENT:RELEASE")
    if not client:
        near = did_you_mean(name, sorted({*clients(), *names}))
        raise ClientNameError(f"nothing is known of a client {name!a}{near}")
    return StatedClient(pattern, client, release.strip())


class Running(NamedTuple):
    """A member as a plan names it: its client id, the clients that it could be ("sarama (1.60.1 and
    newer)"), whether it uses the classic protocol, and its instance id if it is static."""

    member_id: str
    name: str
    could_be: tuple[str, ...] = ()
    is_classic: bool = True
    instance_id: str | None = None


def running(group: ClassicGroup) -> list[Running]:
    """Return the members of a group with the clients that could have written their bytes."""
    selected = group.protocol_selected()
    return [
        Running(
            member.member_id,
            member.client_id or member.member_id,
            _could_be(member, selected),
            instance_id=member.instance_id,
        )
        for member in group.members or ()
    ]


def _could_be(member: ClassicMember, selected: str | None) -> tuple[str, ...]:
    listed = member.listed(selected or "")
    return () if listed is None or not listed.metadata else could_be(listed.metadata, selected)


def could_be(metadata: bytes, assignor: str | None) -> tuple[str, ...]:
    """Return the clients that could have written a subscription, in short."""
    return fingerprint_of_subscription(metadata, assignor).in_short


def told_apart(members: Iterable[Running], statements: Sequence[StatedClient]) -> list[Running]:
    """Return the members with the clients that a user names in place of those that they could
    be; of several patterns the last one that matches counts."""
    return [
        next(
            (
                member._replace(
                    could_be=(f"{statement.client} ({statement.release or 'release not said'})",)
                )
                for statement in reversed(statements)
                if statement.is_of(member)
            ),
            member,
        )
        for member in members
    ]


def candidates_of(member: Running) -> tuple[str, ...]:
    """Return the names of the clients that a member could be."""
    names = (client.partition(" (")[0] for client in member.could_be)
    return tuple(dict.fromkeys(name for name in names if name not in _BARE))


# -- what they can do


def supports(members: Sequence[Running], ability: AbilityName) -> tuple[ClientSupport, ...]:
    """Return what the members can do, those that could be the same clients together."""
    members_by_clients: dict[tuple[str, ...], list[str]] = {}
    for member in members:
        if member.is_classic:
            members_by_clients.setdefault(member.could_be, []).append(member.name)
    return tuple(
        _support(names, could_be, ability) for could_be, names in members_by_clients.items()
    )


def _support(names: list[str], could_be: tuple[str, ...], ability: AbilityName) -> ClientSupport:
    plausible = [client for client in could_be if client.partition(" (")[0] not in _BARE]
    cells = [_cell(client, ability) for client in plausible]
    says = "; ".join(dict.fromkeys(text for _, text in cells))
    answer = _together([answer for answer, _ in cells])
    if not cells:
        says = "client library unknown"
    elif answer == "unknown" and len(plausible) > 1:
        says = f"it could be several clients: {says}"
    return ClientSupport(tuple(dict.fromkeys(names)), could_be, answer, says)


def _together(answers: list[Answer]) -> Answer:
    """Return the answer for a member that could be any of some clients."""
    kinds = set(answers)
    if len(kinds) == 1:
        return kinds.pop()
    return "upgrade" if kinds and kinds <= {"yes", "upgrade"} else "unknown"


def _cell(client: str, ability: AbilityName) -> tuple[Answer, str]:
    name, _, releases = client.partition(" (")
    cell, label = ability_of(name, ability), _WHAT.get(ability, ability)
    if cell is None:
        return "unknown", f"whether {name} has {label} is not known here"
    if not cell.since:
        return "no", f"{name} has no {label} up to {cell.absent_in}"
    text = f"{name} has {label} since {cell.since}"
    release = releases.rstrip(")")
    if release.replace(".", "").isdecimal():
        return ("yes", text) if cell.has(release) else ("upgrade", f"{text}: upgrade it first")
    have = {cell.has(first) for first, _ in release_ranges(name, release)}
    end_before = {
        bool(last) and release_order(last) <= release_order(cell.since)
        for _, last in release_ranges(name, release)
    }
    if have == {True}:
        return "yes", text
    return "upgrade", f"{text}: " + ("upgrade it first" if all(end_before) else "check its release")


_WORST_FIRST: tuple[Answer, ...] = ("no", "unknown", "upgrade", "yes")


def answer_of_all(parts: Iterable[ClientSupport]) -> Answer | None:
    """Return the worst answer of the clients of a group; None without a member."""
    answers = {part.answer for part in parts}
    return next((answer for answer in _WORST_FIRST if answer in answers), None)


def lacking(parts: Iterable[ClientSupport]) -> tuple[str, ...]:
    """Return a sentence for each client that cannot do it, or of which it is not known."""
    return tuple(
        f"{', '.join(part.members)}: {part.says if part.answer == 'no' else _LOOK_UP}"
        for part in parts
        if part.answer in {"no", "unknown"}
    )


_LOOK_UP = (
    "client library unknown, and it decides. Look up the client and its release in the "
    "application's dependencies, or in a broker's request log (softwareName and softwareVersion of "
    "ApiVersions), and say it: --member-client MEMBER=CLIENT:RELEASE"
)


# -- which plans were carried out


def tried_with(route: str, members: Sequence[Running]) -> frozenset[str] | None:
    """Return the clients of a plan that a test has carried out with members like these: each of
    them could be one of those clients, and the members were static where some of these are. None
    where no test has."""
    is_static = any(member.instance_id is not None for member in members)
    sets = [set(candidates_of(member)) for member in members if member.is_classic]
    fitting = [
        walk.clients
        for walk in walks()
        if (walk.route, walk.static, walk.fails) == (route, is_static, "")
        and all(names & walk.clients for names in sets)
    ]
    if not fitting:
        return None
    return frozenset().union(*(names & tried for names in sets for tried in fitting))


def failures(route: str) -> Mapping[str, str]:
    """Return by client why a test could not carry out a plan with it."""
    return {
        client: f"a rolling restart fails with {client} {release}: {walk.fails}"
        for walk in walks()
        for client, release in walk.members
        if walk.route == route and walk.fails
    }


def failure_of(route: str, members: Iterable[Running]) -> str | None:
    """Return why a plan fails with a client that one of the members is; None where none is known
    to."""
    reasons = failures(route)
    sets = [candidates_of(member) for member in members if member.is_classic]
    return next(
        (reasons[names[0]] for names in sets if len(names) == 1 and names[0] in reasons), None
    )
