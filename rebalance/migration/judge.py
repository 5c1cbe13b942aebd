"""Foretell a coordinator's answer to the first new-protocol member of a classic group.

The checks come in the order of Apache Kafka 4.3.1 (GroupCoordinatorService, GroupMetadataManager,
ConsumerGroup.fromClassicGroup, the server-side assignors): the broker answers with the error of the
first one that fails. All that would fail is listed, so that it can be mended at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .group import ClassicGroup
from .later import what_fails_later
from .members import member_reasons
from .reasons import NO_ERROR, Reason

Verdict: TypeAlias = Literal["ready", "blocked", "unknown"]

_CONSUMER = "consumer"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What happens when a member with `group.protocol=consumer` joins the group.

    `error` is the name of the error in the heartbeat's response, or "NONE"; None where the verdict
    is unknown. `reasons` begin with the one that the broker finds first, and end with what is not
    known. `later` is what fails after an upgrade that succeeded.
    """

    group_id: str
    verdict: Verdict
    error: str | None
    reasons: tuple[Reason, ...]
    later: tuple[Reason, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as `kproto migrate --json` prints it."""
        return {
            "group": self.group_id,
            "verdict": self.verdict,
            "error": self.error,
            "reasons": [reason.to_json() for reason in self.reasons],
            "later": [reason.to_json() for reason in self.later],
        }


def judge(group: ClassicGroup) -> Judgement:
    """Return what a 4.3 coordinator answers when the first new-protocol member joins the group."""
    reasons = reasons_of(group)
    errors = [reason.error for reason in reasons if reason.error is not None]
    verdict: Verdict = "blocked" if errors else "unknown" if reasons else "ready"
    error = errors[0] if errors else None if reasons else NO_ERROR
    return Judgement(group.group_id, verdict, error, reasons, tuple(what_fails_later(group)))


def reasons_of(group: ClassicGroup) -> tuple[Reason, ...]:
    """Return the reasons of the judgement, in its order."""
    return tuple(sorted(_reasons(group), key=lambda reason: reason.error is None))


def _reasons(group: ClassicGroup) -> Iterator[Reason]:
    yield from _request_refused(group)
    if group.is_empty:
        return
    if group.is_empty is None:
        told = "neither state nor members are known: an empty group converts under any policy"
        yield Reason("", "not-told", "", told)
        return
    yield from _upgrade_refused(group)
    if group.members is None:
        yield Reason("", "not-told", "", "the members are not known")
    elif group.protocol_type in {None, _CONSUMER}:
        yield from member_reasons(group)


def _request_refused(group: ClassicGroup) -> Iterator[Reason]:
    settings = group.settings
    if not settings.next_protocol:
        told = "the broker serves classic groups alone, and refuses ConsumerGroupHeartbeat"
        yield Reason("", "protocol-disabled", "", told)
    if settings.assignor not in settings.assignors:
        known = ", ".join(settings.assignors)
        told = f"ServerAssignor {settings.assignor} is not supported; the broker has {known}"
        yield Reason("", "assignor-not-known", "", told)


def _upgrade_refused(group: ClassicGroup) -> Iterator[Reason]:
    settings = group.settings
    if not settings.policy.upgrades:
        told = f"online upgrade is disabled: group.consumer.migration.policy is {settings.policy}"
        yield Reason("", "upgrade-disabled", "", told)
    if group.protocol_type is None:
        yield Reason("", "not-told", "", "the protocol type is not known")
    elif group.protocol_type != _CONSUMER:
        told = f"the protocol type is {group.protocol_type!r}, not the embedded consumer protocol"
        yield Reason("", "not-a-consumer-group", "", told)
    if group.members is not None and len(group.members) > settings.max_size:
        told = f"{len(group.members)} members; group.consumer.max.size is {settings.max_size}"
        yield Reason("", "group-too-large", "", told)
