"""The errors of a connection to a cluster: each is one line, which names no secret.

Where an ACL is missing, `denied` names it:

| question | ACL |
|---|---|
| list groups | DESCRIBE on CLUSTER; else only groups with DESCRIBE on GROUP are listed |
| a group's coordinator, members, committed offsets | DESCRIBE on GROUP |
| partitions and end offsets of its topics | DESCRIBE on TOPIC |
| settings of a group, of its coordinator | DESCRIBE_CONFIGS on GROUP, on CLUSTER |
| records of a topic | READ on TOPIC |
"""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from typing import TYPE_CHECKING

from ..codec import KprotoError

if TYPE_CHECKING:
    from ..inspector.shapes.group_shapes import Group

TOPIC_REFUSED, GROUP_REFUSED, CLUSTER_REFUSED = 29, 30, 31
_OPERATIONS = {"DescribeConfigs": "DESCRIBE_CONFIGS", "Fetch": "READ"}
_RESOURCES = {TOPIC_REFUSED: "TOPIC", GROUP_REFUSED: "GROUP", CLUSTER_REFUSED: "CLUSTER"}


MOST_PROBLEMS = 20
"""How many problems of one answer are told: a cluster may refuse thousands of topics."""


def most_of(problems: Iterable[str]) -> tuple[str, ...]:
    """Return the problems, of many the first and how many more there are."""
    distinct = tuple(dict.fromkeys(problems))
    if len(distinct) <= MOST_PROBLEMS:
        return distinct
    more = len(distinct) - MOST_PROBLEMS
    return *distinct[:MOST_PROBLEMS], f"{more:,} more problems like these"


class ClusterError(KprotoError):
    """Raised where a cluster cannot be asked, or does not answer. The text is one line: what
    failed, where, and what to do."""


class ConfigError(ClusterError):
    """Raised for a client configuration that cannot be used."""


class Unreachable(ClusterError):
    """Raised where a broker cannot be connected to, closes the connection, or does not answer in
    time."""


class Silent(Unreachable):
    """Raised where a broker does not answer in time."""


class NotKafka(ClusterError):
    """Raised where the other side does not speak Kafka's protocol, or not on this port."""


class AuthenticationFailed(ClusterError):
    """Raised where the broker refuses the principal, or cannot prove that it knows the password."""


class Unsupported(ClusterError):
    """Raised where a broker does not know a request, in any version that kproto writes."""


class Denied(ClusterError):
    """Raised where an ACL is missing; the text names the operation and the resource."""

    def __init__(self, text: str, resource: str = "") -> None:
        super().__init__(text)
        self.resource = resource
        """The name of the topic or group, "" of the cluster."""


class Rebalancing(ClusterError):
    """Raised where something needs what members subscribe to, and the group is rebalancing."""


class NoSuchGroup(ClusterError):
    """Raised where the cluster has no group of that name."""


def denied(code: int, api: str, resource: str, principal: str) -> Denied | None:
    """Return the error of a missing ACL; None for the code of another error."""
    kind = _RESOURCES.get(code)
    if kind is None:
        return None
    name = "" if kind == "CLUSTER" else f" {_name_of(kind, api, resource)}"
    operation = _OPERATIONS.get(api, "DESCRIBE")
    return Denied(f"{principal} lacks {operation} on {kind}{name} ({api})", resource)


def _name_of(kind: str, api: str, resource: str) -> str:
    if kind == "TOPIC" and "GroupDescribe" in api:  # the answer does not say which topic
        return f"that group {resource!a} subscribes to"
    return ascii(resource)


def check_at_rest(group: Group) -> None:
    """Raise Rebalancing where a broker withholds the assignor and the members' subscriptions."""
    if group.rebalancing:
        again = f"save it again then: kproto group {quote(group.group_id)} --save FILE"
        raise Rebalancing(f"{group.group_id!a}: {group.rebalancing}; {again}")
