"""Lines of Sarama, Go, which writes to `sarama.Logger` (nothing where the application sets none).

Sources: consumer_group.go (the session's lines since 1.34.1; in consumer_group_session.go at the
end of 2026), consumer.go, client.go and errors.go, 1.24 to 1.61. No line says that a member has
joined: `released` names the generation that ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .error_texts import name_error
from .event import LogEvent
from .family import TextFamily
from .layouts import LogLine
from .rows import Row, Table
from .values import go_partitions_of

__all__ = ["Sarama"]


def _subscription(values: dict[str, Any]) -> None:
    values["partitions"] = ((values.pop("topic"), int(values.pop("partition"))),)


def _claims(values: dict[str, Any]) -> None:
    values["partitions"] = go_partitions_of(values["partitions"])
    name_error(values)


_SERVER = "kafka server: "

_ROWS = (
    Row("session-ended", "consumergroup/session/<member>/<generation> released"),
    Row("heartbeats-stopped", "consumergroup/session/<member>/<generation> heartbeat loop stopped"),
    Row("metadata-changed", "consumergroup/<group> loop check partition number goroutine find "
        "partitions in topics <topic> changed from <earlier_count> to <count>"),
    Row("", "consumergroup/<group> loop check partition number goroutine will exit"),
    Row("", "loop check partition number coroutine will exit"),
    Row("partitions-lost", "consumergroup/<group>: lost ownership of <partitions> due to <detail>",
        _claims),
    Row("member-fenced", "JoinGroup failed: group instance id <instance> has been fenced",
        error="FENCED_INSTANCE_ID"),
    # One line for each partition: it is added to the others, or taken from them.
    Row("partitions-assigned", "consumer/broker/<broker> added subscription to "
        "<topic>/<partition>", _subscription, is_incremental=True),
    Row("partitions-revoked", "consumer/broker/<broker> closed dead subscription to "
        "<topic>/<partition>", _subscription, is_incremental=True),
    Row("coordinator-lost", "client/coordinator coordinator for [{consumergroup|consumergoup} ]"
        "<group> is not available"),
    Row("", "client/coordinator coordinator for [{consumergroup|consumergoup} ]<group> is #"),
    Row("", "client/coordinator "),
    Row("join-refused", _SERVER + "The provider group protocol type is incompatible with the other "
        "members", error="INCONSISTENT_GROUP_PROTOCOL"),
    Row("join-refused", _SERVER + "Consumer group The consumer group has reached its max size",
        error="GROUP_MAX_SIZE_REACHED"),
    Row("join-refused", _SERVER + "The provided session timeout is outside the allowed range",
        error="INVALID_SESSION_TIMEOUT"),
    Row("member-fenced", _SERVER + "The broker rejected this static consumer since another "
        "consumer",
        error="FENCED_INSTANCE_ID"),
    # Of a heartbeat, a commit or a join: which one is not said.
    Row("error", _SERVER + "The provided member is not known in the current generation",
        error="UNKNOWN_MEMBER_ID"),
    Row("error", _SERVER + "The provided generation id is not the current generation",
        error="ILLEGAL_GENERATION"),
    Row("error", _SERVER + "A rebalance for the group is in progress",
        error="REBALANCE_IN_PROGRESS"),
)  # fmt: skip


class Sarama(TextFamily):
    """Reads the lines of Sarama, and of its debug logger."""

    name = "sarama"
    own = ("consumergroup/",)
    table = Table(_ROWS)
    signs = (*table.signs, b"consumergroup/")

    def row_events(self, line: LogLine, row: Row, values: dict[str, Any]) -> Iterable[LogEvent]:
        """Return the events of a row; partitions of a log without a group are nobody's."""
        if row.event.startswith("partitions-") and not (self.memory.group or "group" in values):
            return ()
        return super().row_events(line, row, values)
