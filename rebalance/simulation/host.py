"""The host of the machines: members, the coordinator of their group, and the messages between them.

It has no clock and decides nothing. A scheduler does, and calls what is to happen next: `World` has
a queue of events in time, `exploration` tries whatever can happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ..assignments import Partition
from .machines import coordinator, member_state
from .machines import member as classic_member
from .machines.coordinator_state import (
    Asked,
    Commit,
    ErrorCode,
    GroupAction,
    GroupSettings,
    GroupState,
    Reply,
)
from .machines.member_state import Action, MemberState
from .machines.settings import GroupProtocol, MemberSettings
from .modern import broker
from .modern import member as consumer_member
from .modern import member_state as consumer_state
from .modern.broker import AnyGroup
from .modern.coordinator import commit_error
from .modern.group_state import ConsumerGroup
from .modern.member_state import ConsumerMemberState
from .modern.tasks import active

AnyMember: TypeAlias = MemberState | ConsumerMemberState


class Machine(NamedTuple):
    """The functions of a member's machine."""

    start: Callable[[MemberSettings, Iterable[tuple[str, int]], str], Any]
    step: Callable[[MemberSettings, Any, Any], tuple[Any, list[Action]]]
    wants_poll: Callable[[MemberSettings, Any], bool]


MACHINES: Mapping[GroupProtocol, Machine] = MappingProxyType(
    {
        GroupProtocol.CLASSIC: Machine(
            lambda settings, topics, _: member_state.start(settings, topics),
            classic_member.step,
            classic_member.wants_poll,
        )
    }
    | {
        protocol: Machine(consumer_state.start, consumer_member.step, consumer_member.wants_poll)
        for protocol in (GroupProtocol.CONSUMER, GroupProtocol.SHARE, GroupProtocol.STREAMS)
    }
)
"""The machine of each group.protocol."""


class Link(NamedTuple):
    """A member's connection to the coordinator, which answers in order."""

    number: int = 0
    requests: tuple[Any, ...] = ()
    """The requests that are not answered yet, each with a `message` and a `version`."""
    is_busy: bool = False
    """Whether the coordinator has taken the oldest request."""
    answers: tuple[Any, ...] = ()
    """The answers that the member has not received yet."""


@dataclass(slots=True)
class Process:
    """A running member, and its connection."""

    name: str
    settings: MemberSettings
    state: AnyMember
    link: Link

    @property
    def machine(self) -> Machine:
        """The machine of the member's protocol."""
        return MACHINES[self.settings.group_protocol]

    @property
    def connection(self) -> str:
        """The name of the connection: "a#1"."""
        return f"{self.name}#{self.link.number}"

    @property
    def wants_poll(self) -> bool:
        """Whether a poll would do more than read."""
        return self.machine.wants_poll(self.settings, self.state)


class Host:
    """A group: its processes by name, its coordinator, and the topics of the cluster."""

    def __init__(self, settings: GroupSettings, topics: dict[str, int], group: AnyGroup) -> None:
        self.broker_settings = settings
        self.topics = topics
        self.group = group
        self.processes: dict[str, Any] = {}

    def step_member(self, process: Process, event: Any) -> list[Action]:
        """Give a member an event; return its actions."""
        machine = process.machine
        process.state, actions = machine.step(process.settings, process.state, event)
        return actions

    def step_coordinator(self, event: Any) -> list[GroupAction]:
        """Give the coordinator an event; return its actions."""
        previous = self.group
        self.group, actions = broker.step(self.broker_settings, self.topics, previous, event)
        if isinstance(previous, GroupState) and isinstance(self.group, GroupState):
            self._mark_left_out(coordinator.left_out(previous, self.group, actions))
        return actions

    def _mark_left_out(self, member_ids: frozenset[str]) -> None:
        """Mark the static members of a classic group that a generation was made without."""
        for process in self.processes.values() if member_ids else ():
            state = process.state
            if state.member_id in member_ids and isinstance(state, MemberState):
                process.state = member_state.missed(state)

    def take_request(self, process: Process, client_id: str | None = None) -> Asked | None:
        """Return the next request of a connection for the coordinator, which from now on is busy
        with it; None if there is none, or the one before is not answered yet.
        """
        link = process.link
        if link.is_busy or not link.requests:
            return None
        process.link = link._replace(is_busy=True)
        request = link.requests[0]
        return Asked(
            process.connection, client_id or process.name, request.version, request.message
        )

    def end_request(self, reply: Reply) -> tuple[Any, Any] | None:
        """Return the process that a reply is for, and the request that it answers; None if the
        connection is closed.
        """
        process = self.processes.get(reply.connection.partition("#")[0])
        if process is None or process.connection != reply.connection or not process.link.is_busy:
            return None
        request, *requests = process.link.requests
        process.link = process.link._replace(requests=tuple(requests), is_busy=False)
        return process, request


def owned_truly(
    group: AnyGroup, states: Mapping[str, AnyMember]
) -> dict[str, frozenset[Partition]]:
    """Return what members own as their coordinator sees it, by the names of their states: a member
    that the group has gone on without believes to own more, and its commits are refused. In a share
    group nobody owns anything, and of the tasks in a streams group active ones alone are owned.
    """
    if not isinstance(group, GroupState):
        return {name: _owned_of_broker(group, state) for name, state in states.items()}
    members = {entry.member_id for entry in group.entries}  # once: to find one takes as long
    return {
        name: _owned_under_its_id(state)
        if state.generation == group.generation and state.member_id in members
        else frozenset()
        for name, state in states.items()
    }


def _owned_of_broker(group: ConsumerGroup, state: AnyMember) -> frozenset[Partition]:
    if group.kind is GroupProtocol.SHARE:
        return frozenset()
    owned = _owned_under_its_id(state)
    return frozenset(
        partition
        for partition in (active(owned) if group.kind is GroupProtocol.STREAMS else owned)
        if commit_error(group, Commit(state.member_id, state.generation, frozenset({partition})))
        is ErrorCode.NONE
    )


def _owned_under_its_id(state: AnyMember) -> frozenset[Partition]:
    return member_state.owned_truly(state) if isinstance(state, MemberState) else state.owned


def is_settled(state: AnyMember) -> bool:
    """Return whether a member is stable, with its callbacks over."""
    waits = isinstance(state, MemberState) and state.share is not None
    return state.phase == "stable" and not state.calling and not waits
