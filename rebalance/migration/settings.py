"""The settings of broker and new member that decide on a migration, with the broker's defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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

    @property
    def assignor(self) -> str:
        """The server-side assignor that divides the converted group."""
        return self.assignors[0] if self.remote_assignor is None else self.remote_assignor


def read_settings(told: Mapping[str, Any]) -> Settings:
    """Return the settings; those that are not told have the broker's defaults, others are ignored.
    Raises SettingError."""
    known = {name: value for name, value in told.items() if value is not None}
    read = Settings()
    return Settings(
        policy=_policy(known.get(POLICY, read.policy)),
        max_size=_size(known, MAX_SIZE, read.max_size),
        classic_max_size=_size(known, CLASSIC_MAX_SIZE, read.classic_max_size),
        assignors=_names(known, ASSIGNORS) or read.assignors,
        remote_assignor=str(known[REMOTE_ASSIGNOR]) if REMOTE_ASSIGNOR in known else None,
        next_protocol=_serves_next(known),
    )


def _policy(value: object) -> Policy:
    try:
        return Policy(str(value).lower())
    except ValueError:
        listed = ", ".join(Policy)
        raise SettingError(f"{POLICY} is {value!r}; a broker takes {listed}") from None


def _size(told: Mapping[str, Any], name: str, default: int) -> int:
    value = told.get(name, default)
    try:
        size = int(str(value))
    except ValueError:
        size = 0
    if not 1 <= size <= _LARGEST:
        raise SettingError(f"{name} is {value!r}; a broker takes numbers from 1 to {_LARGEST}")
    return size


def _names(told: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = told.get(name)
    if isinstance(value, list):
        return tuple(map(str, value))
    return tuple(part.strip() for part in str(value or "").split(",") if part.strip())


def _serves_next(told: Mapping[str, Any]) -> bool:
    protocols = _names(told, PROTOCOLS)
    return str(told.get(GROUP_VERSION, 1)) != "0" and (not protocols or "consumer" in protocols)
