"""Why a group does not move: what the coordinator checks, its error, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...inspector.shapes.group_shapes import MigrationReason
from ...wording import some_of

NO_ERROR = "NONE"
REFUSED = "GROUP_ID_NOT_FOUND"
FAILED = "UNKNOWN_SERVER_ERROR"


class Explanation(NamedTuple):
    """A kind of reason: a title, the broker's error (None where nothing fails yet), the remedy."""

    title: str
    error: str | None
    remedy: str


class Reason(NamedTuple):
    """A reason: the member it is about ("" for the group), its kind, and where in the member's
    bytes it is, as a path like "protocols[range].topics[0]" ("" where it is in no bytes). `data`
    is those bytes.
    """

    member_id: str
    what: str
    path: str
    explanation: str
    data: bytes = b""

    @property
    def error(self) -> str | None:
        """The broker's error; None for what fails later or is not known."""
        return EXPLANATIONS[self.what].error

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return EXPLANATIONS[self.what].remedy

    def to_shape(self) -> MigrationReason:
        """Return the reason as `kproto migrate --json` prints it."""
        return MigrationReason(
            member=self.member_id,
            code=self.what,
            path=self.path,
            explanation=self.explanation,
            remedy=self.remedy,
        )


STATIC_RESTART = "static-restart-refused"
_OTHER_CLIENT = (
    "Move this member to a client release that writes the right version (Java, librdkafka, "
    "franz-go, kafka-python 3, Sarama), or stop it while the others migrate."
)
_REBALANCE = "Rebalance the group once with a leader that divides every partition to one member. "

_STATIC_RESTART = """\
Static members ({names}): one that was killed (a crash, too little memory, a liveness probe) and \
is back before its session has ended is refused with UNRELEASED_INSTANCE_ID, where the classic \
protocol lets it in at once. The error is fatal to the client: its process may go on, and look \
ready, without reading. After an orderly close, and after the session \
(group.consumer.session.timeout.ms, 45 s by default), it is let in"""
_NAMED = 3


def static_restarts(instance_ids: Iterable[str | None]) -> tuple[Reason, ...]:
    """Return what the broker's protocol does to static members that are killed and come back, from
    the instance ids of a group's members; nothing where none has one."""
    names = [name for name in instance_ids if name is not None]
    if not names:
        return ()
    text = _STATIC_RESTART.format(names=some_of(names, _NAMED))
    return (Reason("", STATIC_RESTART, "", text),)


EXPLANATIONS: Mapping[str, Explanation] = {
    "protocol-disabled": Explanation(
        "the broker does not serve the next protocol",
        "UNSUPPORTED_VERSION",
        "Run brokers of Apache Kafka 4.0 or newer, with the feature group.version at 1 and with "
        "consumer among group.coordinator.rebalance.protocols.",
    ),
    "assignor-not-known": Explanation(
        "the new member asks for an assignor that the broker lacks",
        "UNSUPPORTED_ASSIGNOR",
        "Remove group.remote.assignor from the new member, or name one of "
        "group.consumer.assignors.",
    ),
    "upgrade-disabled": Explanation(
        "the broker converts no group with members",
        REFUSED,
        "Set group.consumer.migration.policy to bidirectional on every broker, or stop all members "
        "of the group: an empty group converts under any policy.",
    ),
    "not-a-consumer-group": Explanation(
        "the group is of another protocol type",
        REFUSED,
        "Leave the group as it is: only consumers have the next protocol in this form. Connect "
        "stays classic; Kafka Streams has group.protocol=streams.",
    ),
    "group-too-large": Explanation(
        "the group has more members than a consumer group may have",
        REFUSED,
        "Raise group.consumer.max.size above the number of members, the new one included.",
    ),
    "malformed-assignment": Explanation(
        "an assignment ends too early or has an unknown version",
        REFUSED,
        _REBALANCE + "The leader wrote these bytes: move the leader to another client first.",
    ),
    "unreadable-assignment": Explanation(
        "an assignment makes the coordinator fail",
        FAILED,
        _REBALANCE + "The leader wrote these bytes: move the leader to another client first.",
    ),
    "custom-assignor": Explanation(
        "an assignment has user data, which the next protocol would lose",
        REFUSED,
        "Stop all members, then start all of them with group.protocol=consumer: an empty group "
        "converts. Or switch the group to range first, and migrate after that.",
    ),
    "streams-assignor": Explanation(
        "Kafka Streams keeps its tasks in the user data of assignments",
        REFUSED,
        "Leave the application classic, or move it as a whole to the Streams protocol (KIP-1071): "
        "stop every instance, wait until their sessions have ended, then start all of them with "
        "group.protocol=streams. A group of Kafka Streams is never converted while it has members.",
    ),
    "malformed-subscription": Explanation(
        "a subscription ends too early or has an unknown version",
        REFUSED,
        _OTHER_CLIENT,
    ),
    "unreadable-subscription": Explanation(
        "a subscription makes the coordinator fail",
        FAILED,
        _OTHER_CLIENT + " Restart the other members then: the coordinator may never answer the "
        "rebalance that this member took part in.",
    ),
    "no-protocol-selected": Explanation(
        "the first rebalance of the group still waits",
        FAILED,
        "Wait until the group is stable: the new member tries again by itself.",
    ),
    "protocol-not-listed": Explanation(
        "a member does not list the selected protocol",
        FAILED,
        "Wait until the rebalance is over: then a protocol is selected that every member lists.",
    ),
    "partition-assigned-twice": Explanation(
        "two members are assigned one partition",
        FAILED,
        "Replace the assignor: one that gives a partition to several members (a broadcast) has no "
        "counterpart in the next protocol. Use one group for each member instead.",
    ),
    "group-full": Explanation(
        "the group has no place for the new member",
        "GROUP_MAX_SIZE_REACHED",
        "Raise group.consumer.max.size, or stop one of the members before the new one starts.",
    ),
    "partition-out-of-range": Explanation(
        "an assigned partition does not exist, and uniform cannot place it",
        FAILED,
        _REBALANCE + "Or let the new members ask for range (group.remote.assignor=range), which "
        "does not look at earlier assignments.",
    ),
    "rebalancing": Explanation(
        "the group is rebalancing",
        None,
        "Ask again once the group is Stable: brokers report what members subscribe to only then "
        "(kproto group NAME --save FILE).",
    ),
    "not-told": Explanation(
        "what decides is not known",
        None,
        "Read the group from a broker while it is Stable (kproto group NAME --save FILE): then "
        "DescribeGroups has every member's bytes and the selected protocol, Metadata the topics, "
        "and DescribeConfigs the broker's settings.",
    ),
    "rejoin-fails": Explanation(
        "the member cannot rejoin after the upgrade",
        None,
        "Move this member first: the coordinator reads the protocol that a classic "
        "member lists first, whichever is selected. " + _OTHER_CLIENT,
    ),
    "downgrade-fails": Explanation(
        "the group cannot go back",
        None,
        "Replace this member before the first new one joins (kproto's tests did not try it): later "
        "the last new member cannot leave. " + _OTHER_CLIENT,
    ),
    "classic-members-refused": Explanation(
        "no classic member can join beside a new one",
        None,
        "Start all members with group.protocol=consumer, or set group.consumer.migration.policy to "
        "bidirectional for the time of the migration.",
    ),
    STATIC_RESTART: Explanation(
        "a static member that was killed is refused until its session has ended",
        None,
        "Let the process exit when its consumer fails, to be started again until the session has "
        "ended: Java throws the error from poll; in librdkafka poll returns one message with the "
        "error _FATAL, and then nothing. Give the process time to close before it is killed, and "
        "let the readiness probe look at the consumer's assignment. Or do without "
        "group.instance.id: under this protocol a restart stops no other member.",
    ),
}
"""Each kind of reason, in the order in which a 4.3 coordinator comes to it."""
