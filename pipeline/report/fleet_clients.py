"""The clients of a fleet with their known faults, the first to update first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from ...clients.catalog import release_order
from ...clients.faults import Fault, faults
from ...history.symptoms import SYMPTOMS
from ...inspector.shapes.checks import ClientFault, ClientGroup, FleetClient
from ...wording import counted, some_of
from ..audit.findings import LOUD
from ..run.audit import Audit
from .names import group_label

__all__ = ["client_sentences", "fleet_clients"]

_Key: TypeAlias = tuple[str | None, str | None]
_NAMED = 3  # groups, and faults that a client may have, in a sentence


def fleet_clients(audit: Audit, teams: Mapping[str, str]) -> list[FleetClient]:
    """Return each client, or guess, of members of classic groups with the faults that its releases
    have or may have, and the groups that it is in.

    Those with a fault that an update mends come before those that may have one; then those whose
    faults may explain the trouble of most groups, that are in most groups in trouble, that have
    most members.
    """
    causes = _causes(audit.findings.to_pylist())
    groups_by_client: dict[tuple[Any, ...], list[ClientGroup]] = {}
    for row in audit.current.select(["cluster_id", "group_id", "client_faults"]).to_pylist():
        of_group = causes.get((row["cluster_id"], row["group_id"]))
        for client in row["client_faults"] or ():
            certain, possible = client["faults"], client["possible_faults"]
            group = ClientGroup(
                cluster=row["cluster_id"],
                group=row["group_id"],
                team=teams.get(row["group_id"]),
                members=client["members"],
                in_trouble=of_group is not None,
                may_be_why=[
                    name for name in (*certain, *possible) if _may_explain(name, of_group or ())
                ],
            )
            key = client["client"], client["known_by"], tuple(certain), tuple(possible)
            groups_by_client.setdefault(key, []).append(group)
    clients = [
        FleetClient(
            client=name,
            known_by=known_by,
            members=sum(group.members for group in groups),
            groups=groups,
            faults=[*_shapes(certain, is_certain=True), *_shapes(possible, is_certain=False)],
            update_to=_updates((*certain, *possible)),
        )
        for (name, known_by, certain, possible), groups in groups_by_client.items()
    ]
    return sorted(clients, key=_order)


def _causes(rows: Iterable[Mapping[str, Any]]) -> dict[_Key, set[str]]:
    """Return the causes that each group in trouble has or may have."""
    causes: dict[_Key, set[str]] = {}
    for row in rows:
        if row["severity"] in LOUD and row["group_id"] is not None:
            of_group = causes.setdefault((row["cluster_id"], row["group_id"]), set())
            of_group.update({row["cause"]} if row["cause"] else (), row["rivals"] or ())
    return causes


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Fault]:
    return {fault.name: fault for fault in faults()}


def _may_explain(name: str, causes: Iterable[str]) -> bool:
    """Return whether a fault leaves the traces of one of these causes."""
    return not {*causes}.isdisjoint((*SYMPTOMS[_by_name()[name].symptom].rivals, "client-fault"))


def _shapes(names: Iterable[str], *, is_certain: bool) -> Iterator[ClientFault]:
    for fault in map(_by_name().__getitem__, names):
        yield ClientFault(
            name=fault.name,
            program=fault.program,
            is_certain=is_certain,
            what=fault.what,
            fixed=list(fault.fixed),
            report=fault.report,
            is_tried=fault.is_tried,
        )


def _updates(names: Iterable[str]) -> list[str]:
    """Return the releases to update to, one of each program, that mend all faults which any release
    mends."""
    newest: dict[str, str] = {}
    for fault in map(_by_name().__getitem__, names):
        for release in fault.fixed[-1:]:
            newest_so_far = newest.get(fault.program, release)
            newest[fault.program] = max(newest_so_far, release, key=release_order)
    return [f"{program} {release}" for program, release in newest.items()]


def _order(client: FleetClient) -> tuple[Any, ...]:
    mended = [fault for fault in client.faults if fault.fixed]
    is_one = " or " not in client.client
    return (
        not any(fault.is_certain for fault in mended),
        not (mended and is_one),
        not mended,
        not client.faults,
        -sum(bool(group.may_be_why) for group in client.groups),
        -sum(group.in_trouble for group in client.groups),
        -client.members,
        client.client,
    )


def client_sentences(clients: Iterable[FleetClient], most: int) -> Iterator[str]:
    """Yield a sentence for the first `most` clients that have a fault which an update mends, or
    whose faults may explain a trouble, and how many more there are."""
    loud = [
        client
        for client in clients
        if any(fault.is_certain and fault.fixed for fault in client.faults)
        or any(group.may_be_why for group in client.groups)
    ]
    has_several = len({group.cluster for client in loud for group in client.groups}) > 1
    yield from (_sentence(client, clusters=has_several) for client in loud[:most])
    if (left := len(loud) - most) > 0:
        yield f"{counted(left, 'more client')} with known faults, in the page"


def _sentence(client: FleetClient, *, clusters: bool) -> str:
    def names_of(groups: Iterable[ClientGroup]) -> list[str]:
        rows = ({"cluster_id": group.cluster, "group_id": group.group} for group in groups)
        return [group_label(row, clusters=clusters) for row in rows]

    guess = "probably " if client.known_by == "bytes" else ""
    names = names_of(client.groups)
    certain = [fault.name for fault in client.faults if fault.is_certain]
    possible = [fault.name for fault in client.faults if not fault.is_certain]
    parts = [f"has {', '.join(certain)}"] if certain else []
    parts += [f"may have {some_of(possible, _NAMED)}"] if possible else []
    why = names_of(group for group in client.groups if group.may_be_why)
    parts += [f"which may explain the trouble of {some_of(why, _NAMED)}"] if why else []
    parts += [f"update to {' or '.join(client.update_to)}, or later"] if client.update_to else []
    still = [fault.name for fault in client.faults if fault.is_certain and not fault.fixed]
    parts += [f"no release mends {some_of(still, _NAMED)}"] if still else []
    members = f"{counted(client.members, 'member')} of {some_of(names, _NAMED)}"
    return f"{guess}{client.client}, {members}: {'; '.join(parts)}"
