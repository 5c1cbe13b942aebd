"""The clients of a group, how each is known, and the known faults that its release has.

A release is known where the user says it, a client printed it beside its settings, or the client
id has it, as the defaults of some clients do. Else a client is a guess by its bytes: which
releases could have written them. A fault that all of those have is one that the client has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ...clients.catalog import default_client
from ...clients.faults import faults
from ...codec.read.decoding import Policy, decode
from ...inspector.diagnose.fingerprints import fingerprint
from ...inspector.shapes.checks import KnownBy
from ...rebalance.migration.members import Running, could_be
from ..audit import Step
from .options import Options

__all__ = ["client_fault_rows", "running_members"]

_CONNECT = "connect"


class _Named(NamedTuple):
    """The client that somebody says a member is, its release ("": not said), and who says it."""

    client: str
    release: str
    by: KnownBy


def running_members(step: Step, options: Options, group_id: str) -> list[tuple[Running, KnownBy]]:
    """Return the members of a classic group with the clients that they are or could be, and how
    that is known."""
    members: list[tuple[Running, KnownBy]] = []
    for member in step.members:
        bare = Running(member.member_id, member.client_id)
        statement = _client_of(bare, options, group_id)
        if statement is not None and statement.release:
            of_release = bare._replace(could_be=(f"{statement.client} ({statement.release})",))
            members.append((of_release, statement.by))
            continue
        clients, by = _by_bytes(statement, _writers(step, member.metadata))
        members.append((bare._replace(could_be=clients), by))
    return members


def client_fault_rows(
    members: Iterable[tuple[Running, KnownBy]], protocol_type: str, protocol: str | None
) -> list[dict[str, Any]]:
    """Return the clients of a group with how many members each has and the known faults of its
    releases: values of the column `client_faults`."""
    counts = Counter((member.could_be, by) for member, by in members)
    rows = []
    for (clients, by), count in counts.items():
        certain, possible = _faults_of(clients, protocol_type, protocol)
        rows.append(
            {
                "client": " or ".join(clients) or "not known",
                "known_by": by,
                "members": count,
                "faults": certain,
                "possible_faults": possible,
            }
        )
    return sorted(rows, key=lambda row: (row["client"], row["known_by"]))


def _client_of(member: Running, options: Options, group_id: str) -> _Named | None:
    """Return what a member is by the user, by the settings that it printed, or by its client id."""
    for statement in reversed(options.member_clients):
        if statement.is_of(member):
            return _Named(statement.client, statement.release, "statement")
    for settings in options.client_settings:
        is_of = settings.group == group_id and settings.client_id == member.name
        if is_of and settings.client and not settings.is_guess:
            return _Named(settings.client, settings.release, "settings")
    client, release = default_client(member.name)
    return _Named(client, release, "client id") if client else None


def _by_bytes(
    statement: _Named | None, writers: tuple[str, ...]
) -> tuple[tuple[str, ...], KnownBy]:
    """Return what a member could be of those that could have written its bytes: of several clients
    the one that is named. Where the bytes rule that one out, a client id may be somebody's own."""
    client = "" if statement is None else statement.client
    own = tuple(label for label in writers if label.partition(" (")[0] == client)
    if statement is not None and statement.by != "client id" and not own:
        return (client,), statement.by
    return own or writers, "bytes" if writers else "nothing"


def _writers(step: Step, metadata: bytes) -> tuple[str, ...]:
    """Return the clients that could have written a member's bytes."""
    if not metadata:
        return ()
    if step.is_consumer:
        return could_be(metadata, step.protocol)
    return _workers(metadata) if step.protocol_type == _CONNECT else ()


@lru_cache(maxsize=1024)
def _workers(metadata: bytes) -> tuple[str, ...]:
    message = decode(metadata, "ConnectProtocolMetadata", policy=Policy.LENIENT)
    return fingerprint(message).in_short


@lru_cache(maxsize=1024)
def _faults_of(
    clients: tuple[str, ...], protocol_type: str, protocol: str | None
) -> tuple[list[str], list[str]]:
    """Return the known faults that each of the clients has in all of its releases, and those that
    one of them may have."""
    certain: list[str] = []
    possible: list[str] = []
    for fault in faults():
        shares = [
            fault.share(name, releases.rstrip(")"))
            if fault.is_of(name, protocol_type, protocol)
            else "none"
            for name, _, releases in (client.partition(" (") for client in clients)
        ]
        if set(shares) == {"all"}:
            certain.append(fault.name)
        elif set(shares) - {"none"}:
            possible.append(fault.name)
    return certain, possible
