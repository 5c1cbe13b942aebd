"""Members of a classic group that send any bytes: requests over connections of their own."""

from __future__ import annotations

import time
from collections.abc import Mapping

from kproto.codec.messages import (
    DescribeGroupsRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    SyncGroupRequest,
)
from tests.broker.wire import Wire

SESSION_MS = 60_000
_SECONDS = 20
_PAUSE = 0.05


class RawGroup:
    """The members of a group by their client ids. The first of them leads it."""

    kind, protocol = "consumer", "range"
    rebalance_ms = SESSION_MS

    def __init__(self, bootstrap: str, group: str) -> None:
        self.generation = -1
        self.lists_first: dict[str, tuple[str, bytes]] = {}
        """A protocol and its bytes that a member lists before that of the group."""
        self._bootstrap, self._group = bootstrap, group
        self._observer = Wire(bootstrap, "observer")
        self._wires: dict[str, Wire] = {}
        self.ids: dict[str, str] = {}
        """The member ids that the coordinator gave."""

    def run(self, metadata: Mapping[str, bytes], shares: Mapping[str, bytes]) -> None:
        """Let the group rebalance once: members tell this, and are told that by their leader."""
        new = [name for name in metadata if name not in self._wires]
        for name in new:
            self._wires[name], self.ids[name] = Wire(self._bootstrap, name), ""
            self._join(metadata)
        if not new:
            self._join(metadata)
        self._sync(shares)

    def _join(self, metadata: Mapping[str, bytes]) -> None:
        """Let all that are there join: first a new one, or the leader, which makes the others join
        anew; who comes before the broker knows of that is answered at once."""
        names = [name for name in metadata if name in self._wires]
        protocol = JoinGroupRequest.JoinGroupRequestProtocol
        for place, name in enumerate(sorted(names, key=lambda name: bool(self.ids[name]))):
            listed = [(self.protocol, metadata[name])]
            if name in self.lists_first:
                listed.insert(0, self.lists_first[name])
            request = JoinGroupRequest(
                group_id=self._group,
                session_timeout_ms=SESSION_MS,
                rebalance_timeout_ms=self.rebalance_ms,
                member_id=self.ids[name],
                protocol_type=self.kind,
                protocols=[protocol(name=word, metadata=data) for word, data in listed],
            )
            self._wires[name].send(request, 3)
            if not place and len(names) > 1:
                self._await_rebalance()
        for name in names:
            answer = self._wires[name].receive(_SECONDS)
            assert answer.error_code == 0, answer
            self.ids[name], self.generation = answer.member_id, answer.generation_id

    def _await_rebalance(self) -> None:
        """Wait until the broker knows that the group rebalances."""
        end = time.monotonic() + _SECONDS
        while True:
            self._observer.send(DescribeGroupsRequest(groups=[self._group]), 4)
            (group,) = self._observer.receive(_SECONDS).groups
            if group.group_state == "PreparingRebalance":
                return
            assert time.monotonic() < end, group.group_state
            time.sleep(_PAUSE)

    def _sync(self, shares: Mapping[str, bytes]) -> None:
        share = SyncGroupRequest.SyncGroupRequestAssignment
        assignments = [
            share(member_id=self.ids[name], assignment=data) for name, data in shares.items()
        ]
        for name in shares:
            request = SyncGroupRequest(
                group_id=self._group,
                generation_id=self.generation,
                member_id=self.ids[name],
                assignments=assignments,
            )
            self._wires[name].send(request, 3)
        for name in shares:
            answer = self._wires[name].receive(_SECONDS)
            assert answer.error_code == 0, answer

    def leave(self, *names: str) -> None:
        """Let these members leave, or all of them."""
        for name in names or [*self._wires]:
            wire = self._wires.pop(name)
            request = LeaveGroupRequest(group_id=self._group, member_id=self.ids.pop(name))
            wire.send(request, 1)
            wire.receive(_SECONDS)
            wire.close()

    def close(self) -> None:
        """Close the connections."""
        for wire in (self._observer, *self._wires.values()):
            wire.close()
