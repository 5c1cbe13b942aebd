"""A group as kproto shows it: what the broker told, and what was found in its members' bytes."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["classic", "consumer", "share", "streams", "connect", "unknown"]
KINDS: tuple[Kind, ...] = ("classic", "consumer", "share", "streams", "connect")
LEVELS = ("error", "warning", "note")
"""The levels of a remark, the worst one first, as those of `kproto lint`."""

Shares: TypeAlias = dict[str, tuple[int, ...]]
"""Partition numbers by topic; of a Streams member, by subtopology."""


class Remark(msgspec.Struct, frozen=True, rename="camel"):
    """Something that is wrong or notable. `code` is that of `kproto explain` where it has one, else
    a word; `who` is a member id, "" for the group."""

    level: str
    code: str
    text: str
    who: str = ""


class Committed(msgspec.Struct, frozen=True, rename="camel"):
    """A partition of a group: what is committed, the end of the log, and the difference. Each is
    None where it is not there or may not be asked."""

    topic: str
    partition: int
    offset: int | None = None
    end: int | None = None
    lag: int | None = None
    leader_epoch: int | None = None
    metadata: str | None = None
    members: tuple[str, ...] = ()
    """The ids of the members that have it."""
    start: int | None = None
    """Of a share group, which commits nothing: the first offset that is not archived yet."""


class Member(msgspec.Struct, frozen=True, rename="camel"):
    """A member. What a kind of group does not have is None or empty.

    `metadata` and `assignment` are the bytes of a classic member; `subscription` and `assigned` are
    what they say. `could_be` names the clients that could have written the bytes: a broker does not
    tell which software a member is.
    """

    member_id: str
    client_id: str
    host: str
    instance_id: str | None = None
    rack: str | None = None
    protocol: str = "classic"
    could_be: tuple[str, ...] = ()
    metadata: bytes = b""
    assignment: bytes = b""
    version: int | None = None
    topics: tuple[str, ...] = ()
    regex: str | None = None
    owned: Shares = {}
    generation: int | None = None
    user_data: str = ""
    """What the user data of the subscription was read as: "CooperativeStickyUserData v0"."""
    assigned: Shares = {}
    target: Shares | None = None
    epoch: int | None = None
    process_id: str | None = None
    endpoint: str | None = None
    topology_epoch: int | None = None
    standby: Shares = {}
    warmup: Shares = {}
    target_standby: Shares = {}
    target_warmup: Shares = {}

    @property
    def partitions(self) -> int:
        """The number of partitions that are assigned."""
        return sum(map(len, self.assigned.values()))


class Group(msgspec.Struct, frozen=True, rename="camel"):
    """A group. `assigned_epoch` is that of the target assignment; `topics` has the number of
    partitions of each topic that is subscribed to, assigned or committed; `racks` the racks of
    their replicas, `topic_ids` their ids as far as the broker tells them."""

    group_id: str
    kind: Kind
    state: str
    protocol_type: str = ""
    protocol: str = ""
    coordinator: str = ""
    coordinator_id: int | None = None
    epoch: int | None = None
    assigned_epoch: int | None = None
    members: tuple[Member, ...] = ()
    partitions: tuple[Committed, ...] = ()
    topics: dict[str, int] = {}
    racks: dict[str, tuple[tuple[str | None, ...], ...]] = {}
    topic_ids: dict[str, str] = {}
    remarks: tuple[Remark, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be asked, and which ACL it needs."""
    broker_has_consumer_protocol: bool | None = None
    """Whether the coordinator takes members of KIP-848; None where that is not known."""
    settings: dict[str, str] = {}
    """Settings of the group, and of its coordinator those that concern groups, where asked for."""
    settings_problem: str = ""
    """Why settings that were asked for are not told."""

    @property
    def lag(self) -> int | None:
        """The sum of the lags that are known; None if none is."""
        return total_lag(each.lag for each in self.partitions)

    @property
    def worst(self) -> str:
        """The level of the worst remark, "" without any."""
        return worst(self.remarks)

    def to_json(self) -> dict[str, Any]:
        """Return the group as a JSON object; bytes are in hex."""
        made: dict[str, Any] = msgspec.to_builtins(self, builtin_types=(bytes,))
        for member in made["members"]:
            for name in ("metadata", "assignment"):
                member[name] = member[name].hex()
        return made | {"lag": self.lag}


class Listed(msgspec.Struct, frozen=True, rename="camel"):
    """A group in a list. `members` and `lag` are None where they may not be asked; `topics` are
    those that its members have partitions of."""

    group_id: str
    kind: Kind
    state: str
    protocol_type: str = ""
    protocol: str = ""
    coordinator: str = ""
    members: int | None = None
    lag: int | None = None
    worst: str = ""
    remark: str = ""
    """The text of the worst remark."""

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


class Listing(msgspec.Struct, frozen=True, rename="camel"):
    """The groups of a cluster, and what could not be asked."""

    groups: tuple[Listed, ...]
    problems: tuple[str, ...] = ()
    complete: bool = True
    """Whether every broker answered."""


def worst(remarks: tuple[Remark, ...]) -> str:
    """Return the level of the worst remark, "" without any."""
    levels = {remark.level for remark in remarks}
    return next((level for level in LEVELS if level in levels), "")


def total_lag(lags: Any) -> int | None:
    """Return the sum of the lags that are known; None if none is."""
    known = [lag for lag in lags if lag is not None]
    return sum(known) if known else None
