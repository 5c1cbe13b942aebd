"""A classic group as its coordinator holds it, the settings that decide on its migration, and how
both are read: from a line of JSON, as `kproto migrate` takes it, and from the group's record in the
offsets topic. What is not known is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from ...codec import GroupMetadataValue

POLICY = "group.consumer.migration.policy"
MAX_SIZE = "group.consumer.max.size"
ASSIGNORS = "group.consumer.assignors"
PROTOCOLS = "group.coordinator.rebalance.protocols"
GROUP_VERSION = "group.version"
REMOTE_ASSIGNOR = "group.remote.assignor"
CLASSIC_MAX_SIZE = "group.max.size"

NAMES = (POLICY, MAX_SIZE, ASSIGNORS, PROTOCOLS, GROUP_VERSION, REMOTE_ASSIGNOR, CLASSIC_MAX_SIZE)
"""Every setting that decides on a migration."""

_LARGEST = 2**31 - 1


class SettingError(ValueError):
    """A setting with a value that a broker refuses to start with."""


class Policy(StrEnum):
    """`group.consumer.migration.policy`: in which directions a group with members converts."""

    BIDIRECTIONAL = "bidirectional"
    UPGRADE = "upgrade"
    DOWNGRADE = "downgrade"
    DISABLED = "disabled"

    @property
    def upgrades(self) -> bool:
        """Whether a classic group becomes a consumer group."""
        return self in {Policy.BIDIRECTIONAL, Policy.UPGRADE}

    @property
    def downgrades(self) -> bool:
        """Whether a consumer group becomes a classic group again."""
        return self in {Policy.BIDIRECTIONAL, Policy.DOWNGRADE}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings by what they decide. `remote_assignor` is the new member's own setting, None where
    it leaves the choice to the broker; everything else is the broker's.
    """

    policy: Policy = Policy.BIDIRECTIONAL
    max_size: int = _LARGEST
    classic_max_size: int = _LARGEST
    assignors: tuple[str, ...] = ("uniform", "range")
    remote_assignor: str | None = None
    next_protocol: bool = True
    """Whether the broker serves ConsumerGroupHeartbeat at all."""
    are_told: bool = field(default=False, compare=False)
    """Whether a broker or a user told one of them; else all are a 4.3 broker's defaults."""

    @property
    def assignor(self) -> str:
        """The server-side assignor that divides the converted group."""
        return self.assignors[0] if self.remote_assignor is None else self.remote_assignor


def read_settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings by their names; those that are missing have the broker's defaults, others
    are ignored. Raises SettingError."""
    values = {name: value for name, value in values.items() if value is not None}
    default = Settings()
    return Settings(
        policy=_policy(values.get(POLICY, default.policy)),
        max_size=_size(values, MAX_SIZE, default.max_size),
        classic_max_size=_size(values, CLASSIC_MAX_SIZE, default.classic_max_size),
        assignors=_names(values, ASSIGNORS) or default.assignors,
        remote_assignor=str(values[REMOTE_ASSIGNOR]) if REMOTE_ASSIGNOR in values else None,
        next_protocol=_serves_next(values),
        are_told=not values.keys().isdisjoint(NAMES),
    )


def _policy(value: object) -> Policy:
    try:
        return Policy(str(value).lower())
    except ValueError:
        listed = ", ".join(Policy)
        raise SettingError(f"{POLICY} is {value!r}; a broker takes {listed}") from None


def _size(values: Mapping[str, Any], name: str, default: int) -> int:
    value = values.get(name, default)
    try:
        size = int(str(value))
    except ValueError:
        size = 0
    if not 1 <= size <= _LARGEST:
        raise SettingError(f"{name} is {value!r}; a broker takes numbers from 1 to {_LARGEST}")
    return size


def _names(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = values.get(name)
    if isinstance(value, list):
        return tuple(map(str, value))
    return tuple(part.strip() for part in str(value or "").split(",") if part.strip())


def _serves_next(values: Mapping[str, Any]) -> bool:
    protocols = _names(values, PROTOCOLS)
    return str(values.get(GROUP_VERSION, 1)) != "0" and (not protocols or "consumer" in protocols)


# -- the group


EMPTY_STATES = frozenset({"Empty", "Dead"})
"""The states in which a group has no members; a described group that does not exist is Dead."""
WAITING_STATE = "PreparingRebalance"
"""The state in which the first rebalance of a group has not selected a protocol yet."""


COMPLETING_STATE = "CompletingRebalance"
"""The state in which members wait for the leader's assignment."""


class GroupError(ValueError):
    """A group that cannot be judged because what was told about it contradicts itself."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol that a member lists in JoinGroup: an assignor's name and a subscription."""

    name: str
    metadata: bytes | None


@dataclass(frozen=True, slots=True)
class ClassicMember:
    """A member; `protocols` in the order of its JoinGroup."""

    member_id: str
    protocols: tuple[Protocol, ...] | None
    assignment: bytes | None
    """The bytes of its last SyncGroup response, empty where it has none."""
    instance_id: str | None = None
    client_id: str = ""

    def listed(self, name: str) -> Protocol | None:
        """Return the protocol of that name, or None where the member lists no such protocol."""
        return next((protocol for protocol in self.protocols or () if protocol.name == name), None)


class Emptied(NamedTuple):
    """What became of a group that is judged as of a moment before its members left: its state now,
    since when, and the moment; in milliseconds since 1970, None where that is not known."""

    state: str
    since: int | None
    as_of: int | None


@dataclass(frozen=True, slots=True)
class ClassicGroup:
    """A group of the classic protocol.

    `selected` is "" while no protocol is selected. `topics` has the number of partitions of every
    topic that the broker knows. `unrest` says that its members come and go, and what to do first,
    "" where its records do not tell of that. `away` are members that left within the last hour and
    have not come back, each with the time, in milliseconds since 1970. `last_selected` is the
    protocol that the last members of an empty group had, "" where that is not known. `emptied` is
    None for a group that is judged as it is.
    """

    group_id: str
    protocol_type: str | None = None
    state: str | None = None
    selected: str | None = None
    members: tuple[ClassicMember, ...] | None = None
    topics: Mapping[str, int] | None = None
    settings: Settings = field(default_factory=Settings)
    unrest: str = ""
    away: Mapping[str, int] = field(default_factory=dict)
    last_selected: str = ""
    emptied: Emptied | None = None

    def __post_init__(self) -> None:
        ids: set[str] = set()
        for member in self.members or ():
            if member.member_id in ids:
                raise GroupError(f"two members have the id {member.member_id!r}")
            ids.add(member.member_id)

    @property
    def is_empty(self) -> bool | None:
        """Whether the broker takes the group for empty; None where that is not known."""
        if self.state is not None:
            return self.state in EMPTY_STATES
        return None if self.members is None else not self.members

    @property
    def state_now(self) -> str | None:
        """The state that the group has now, whichever it is judged in."""
        return self.state if self.emptied is None else self.emptied.state

    @property
    def is_withheld(self) -> bool:
        """Whether the group is rebalancing, and no member's protocols are known: brokers report
        them only while it is Stable."""
        is_rebalancing = self.state in {WAITING_STATE, COMPLETING_STATE}
        return is_rebalancing and all(member.protocols is None for member in self.members or ())

    def protocol_selected(self) -> str | None:
        """Return the selected protocol, "" where none is, and None where that is not known.

        Where nobody said, the only protocol that all members list is the selected one.
        """
        if self.selected:
            return self.selected
        if self.state == WAITING_STATE and (self.selected is not None or self._never_assigned()):
            return ""
        common = self._common_protocols()
        return common.pop() if len(common) == 1 else None

    def _never_assigned(self) -> bool:
        return all(member.assignment == b"" for member in self.members or ())

    def _common_protocols(self) -> set[str]:
        listed = [
            None if member.protocols is None else {protocol.name for protocol in member.protocols}
            for member in self.members or ()
        ]
        lists = [names for names in listed if names is not None]
        return set.intersection(*lists) if lists and len(lists) == len(listed) else set()


# -- a line of JSON


# The keys are those that `kproto group NAME --json` prints; older names of a key come after it.


class _ProtocolLine(msgspec.Struct):
    name: str
    metadata: str | UnsetType | None = UNSET
    hex: str | UnsetType | None = UNSET


class _MemberLine(msgspec.Struct, rename="camel"):
    member: str | None = None
    member_id: str | None = None
    instance: str | None = None
    instance_id: str | None = None
    protocols: list[_ProtocolLine] | None = None
    assignment: str | UnsetType | None = UNSET
    assignment_hex: str | UnsetType | None = UNSET


class _GroupLine(msgspec.Struct, rename="camel"):
    group: str
    protocol_type: str | None = None
    state: str | None = None
    protocol: str | UnsetType | None = UNSET
    selected: str | UnsetType | None = UNSET
    members: list[_MemberLine] | None = None
    topics: dict[str, int] | None = None
    settings: dict[str, Any] | None = None


_DECODER = msgspec.json.Decoder(_GroupLine)


def read_group(
    line: str | bytes,
    settings: Mapping[str, Any] = MappingProxyType({}),
    topics: Mapping[str, int] | None = None,
) -> ClassicGroup:
    """Return the group that a JSON object describes; keys that are not known are ignored.

    A key that is left out is not known; `settings` and `topics` count where the object has none.
    An `assignment`, `metadata` or `protocol` of null or "" says that there is none. Raises
    GroupError with what is wrong and where.
    """
    try:
        fields = _DECODER.decode(line)
        return ClassicGroup(
            fields.group,
            fields.protocol_type,
            fields.state,
            _text(fields.selected if fields.protocol is UNSET else fields.protocol),
            None if fields.members is None else tuple(map(_member, enumerate(fields.members))),
            topics if fields.topics is None else fields.topics,
            read_settings({**settings, **(fields.settings or {})}),
        )
    except (msgspec.DecodeError, SettingError) as error:
        raise GroupError(str(error)) from None
    except UnicodeDecodeError as error:
        raise GroupError(f"not UTF-8: {error.reason} at byte {error.start}") from None


def _member(numbered: tuple[int, _MemberLine]) -> ClassicMember:
    index, fields = numbered
    where = f"$.members[{index}]"
    protocols = None
    if fields.protocols is not None:
        protocols = tuple(
            Protocol(
                protocol.name,
                _bytes(protocol, ("metadata", "hex"), f"{where}.protocols[{place}]"),
            )
            for place, protocol in enumerate(fields.protocols)
        )
    names = (fields.member, fields.member_id, f"member {index + 1}")
    return ClassicMember(
        next(name for name in names if name is not None),
        protocols,
        _bytes(fields, ("assignment", "assignment_hex"), where),
        fields.instance_id if fields.instance is None else fields.instance,
    )


def _text(value: str | UnsetType | None) -> str | None:
    return None if value is UNSET else value or ""


def _bytes(fields: _ProtocolLine | _MemberLine, keys: tuple[str, str], where: str) -> bytes | None:
    """Return the bytes of the first key that is there, None without any."""
    key = next((key for key in keys if getattr(fields, key) is not UNSET), None)
    if key is None:
        return None
    try:
        return bytes.fromhex(getattr(fields, key) or "")
    except ValueError:
        raise GroupError(f"no hexadecimal bytes - at `{where}.{keys[0]}`") from None


# -- a record


def members_of_distinct_ids(members: Iterable[ClassicMember]) -> tuple[ClassicMember, ...] | None:
    """Return the members; None where two have one id, which no coordinator would say."""
    listed = tuple(members)
    return listed if len({member.member_id for member in listed}) == len(listed) else None


def from_record(
    group_id: str,
    value: GroupMetadataValue,
    settings: Settings,
    topics: Mapping[str, int] | None = None,
) -> ClassicGroup:
    """Return the group of a GroupMetadata record.

    A record has the subscription of the selected protocol alone, and is written when the group is
    stable or empty. A simple group, which only commits offsets, has no protocol type.
    """
    selected = value.protocol or ""
    members = members_of_distinct_ids(
        ClassicMember(
            member.member_id,
            (Protocol(selected, member.subscription),),
            member.assignment,
            member.group_instance_id,
            member.client_id,
        )
        for member in value.members
    )
    state = "Stable" if value.members else "Empty"
    return ClassicGroup(group_id, value.protocol_type, state, selected, members, topics, settings)
