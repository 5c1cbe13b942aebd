"""Causes that a group and its clients can have: what a client's program, or the kind of the group,
makes impossible is no rival of what happened."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from .data_effects import EAGER_ASSIGNORS
from .group_facts import GroupCause, GroupFacts
from .reasons import LikelyCause, second_round_last
from .timeline import Line

__all__ = ["PossibleCauses"]

_OF_LEADERS = frozenset({
    "cooperative-second-round", "leader-fails", "leader-rejoined", "no-common-assignor",
    "probing-rebalance", "protocol-changed", "rebalance-timeout", "rebalance-timeout-unset",
    "sync-not-sent", "unreadable-subscription",
})  # fmt: skip
_OF_TOPICS = frozenset({"metadata-changed", "metadata-flapping"})
_IMPOSSIBLE: Mapping[str, frozenset[str]] = MappingProxyType({
    "consumer": _OF_LEADERS,
    "share": _OF_LEADERS | {
        "instance-id-used-twice", "removed-by-admin", "slow-revoke-callback",
        "static-member-came-back", "static-member-came-back-too-late"},
    "streams": _OF_LEADERS,
    "connect": _OF_TOPICS | {"probing-rebalance", "subscription-changed"},
})  # fmt: skip
"""Causes that groups of a kind cannot have: where the broker assigns, there is no leader, no round
of joins and no SyncGroup; Connect's workers subscribe to no topics."""
_REJOINS = frozenset({"leader-rejoined", "subscription-changed"})
_WORKER_REJOINS = ("connect-config-changed", "connect-delayed-rebalance")
"""Why a worker of Connect may join again with other bytes, as a coordinator sees it."""
_OF_ROUNDS = ("joined", "leader-assigns", "assigned")
_Cause = TypeVar("_Cause", LikelyCause, GroupCause)


class PossibleCauses:
    """The causes that a group and its clients can have."""

    def __init__(self, view: GroupFacts, kind: str) -> None:
        self._programs = view.programs
        self._impossible = _IMPOSSIBLE.get(kind, frozenset())
        protocols = {str(fact.fields.get("protocol") or "") for fact in view.facts(*_OF_ROUNDS)}
        protocols.discard("")
        if kind == "classic" and protocols and protocols <= EAGER_ASSIGNORS:
            self._impossible |= {"cooperative-second-round"}
        self._is_connect = kind == "connect"
        self._clients: dict[Line, str] = {
            line: fact.client_id
            for fact in view.timeline.facts
            for line in fact.lines
            if fact.client_id
        }

    def of(self, cause: _Cause) -> _Cause:
        """Return a cause without the rivals that are impossible; where it is likely, and impossible
        itself, the first of its rivals takes its place."""
        if cause.is_certain or cause.cause == "unknown":
            return cause
        if self._is_connect and isinstance(cause, LikelyCause):
            cause = second_round_last(cause)
        own = getattr(cause, "client", "")
        of_lines = {self._clients.get(line, "") for line in cause.evidence}
        clients = ({own} if own else of_lines) - {""}
        is_rejoin = self._is_connect and cause.cause in _REJOINS
        also: tuple[str, ...] = _WORKER_REJOINS if is_rejoin else ()
        words = [
            word for word in (cause.cause, *also, *cause.rivals)
            if self._is_possible(word, clients)
        ]  # fmt: skip
        word = words[0] if words else "unknown"
        rivals = tuple(rival for rival in words if rival != word)
        return cause._replace(cause=word, rivals=rivals or ("unknown",))

    def _is_possible(self, word: str, clients: set[str]) -> bool:
        if word in self._impossible:
            return False
        return not clients or any(self._programs.can_have(client, word) for client in clients)
