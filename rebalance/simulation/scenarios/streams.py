"""Kafka Streams in a group, as far as upgrades go: one assignor name, and its own user data.

All members list one assignor, "stream", whatever their version, so the name cannot tell old from
new; upgrade.from does. A task is a partition number of all topics here (one sub-topology), and is
assigned stickily. The real one also weighs standby tasks and how far state is restored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from ....codec import ConsumerProtocolAssignment
from ....codec.messages import SubscriptionInfoData
from ...assignments import partitions_of
from ...assignor import Assignments, Memory, RebalanceProtocol
from ...assignors.cooperative_sticky import CooperativeStickyAssignor
from ...group import Member, Racks, Topics

_WITH_OFFSET_SUMS = 7
_STICKY = CooperativeStickyAssignor()


@dataclass(frozen=True, slots=True)
class StreamsAssignor:
    """The assignor of Kafka Streams; `version` is that of the user data it writes: 4 with
    upgrade.from or in 2.3, 11 now.
    """

    version: int
    protocols: tuple[RebalanceProtocol, ...]
    latest_supported: int | None = None

    @property
    def name(self) -> str:
        """The assignor's name in JoinGroup."""
        return "stream"

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return a SubscriptionInfoData with the tasks that the member ran."""
        tasks: tuple[int, ...] = memory or ()
        latest = self.latest_supported or self.version
        info = SubscriptionInfoData
        if self.version < _WITH_OFFSET_SUMS:
            before = [info.TaskId(topic_group_id=0, partition=task) for task in tasks]
            made = info(
                version=self.version,
                latest_supported_version=latest,
                process_id=UUID(int=0),
                prev_tasks=before,
            )
        else:
            sums = [
                info.TaskOffsetSum(topic_group_id=0, partition=task, offset_sum=0) for task in tasks
            ]
            made = info(
                version=self.version,
                latest_supported_version=latest,
                process_id=UUID(int=0),
                task_offset_sums=sums,
            )
        return made.to_body(version=self.version)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the tasks divided by what members own; eager ones own nothing as they join."""
        bare = [
            Member(
                member.member_id,
                member.subscription.replace(user_data=None),
                member.group_instance_id,
            )
            for member in members
        ]
        return _STICKY.assign(bare, topics, racks)

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return the tasks of the assignment."""
        numbers = {number for _, number in partitions_of(assignment.assigned_partitions)}
        return tuple(sorted(numbers))
