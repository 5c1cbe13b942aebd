"""What a line of a log means, by the word of its event: for who pastes one line."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..capture.logs.event import LogEvent
from .reasons import LikelyCause, causes_of_reason

__all__ = ["COLUMNS", "MEANINGS", "STATES", "TERMS", "causes_of_line", "plain_meaning"]

MEANINGS: Mapping[str, str] = MappingProxyType({
    "adjusted": "The client changed one of its settings by itself.",
    "assigned": "The member has its assignment: for it the rebalance is over.",
    "assignment-computed": "The broker has divided the partitions for this epoch; members are told "
    "with their next heartbeats.",
    "closed": "The application closed the consumer.",
    "commit-refused": "A commit was refused: what was processed since the one before is "
    "read again.",
    "config-changed": "A connector's configuration changed, so Connect rebalances next.",
    "connect-assigned": "A Connect worker was told its connectors and tasks; a delay above 0 holds "
    "back those of a worker that is gone.",
    "connect-behind": "Connect's leader is behind in the config topic and gives nothing.",
    "connect-offsets-differ": "A Connect worker has read another config offset than the leader; "
    "again and again it means two clusters with one group.id.",
    "coordinator-changed": "The coordinator is another broker now.",
    "coordinator-elected": "This broker became coordinator for the groups of one partition of the "
    "offsets topic.",
    "coordinator-lost": "The client lost its coordinator and looks for it; the member stays in the "
    "group if it finds it within its session.",
    "coordinator-resigned": "This broker stopped being coordinator for one partition's groups; "
    "at the start of a broker it means nothing.",
    "crash-looping": "Kubernetes waits before it starts the container again.",
    "epoch": "A member has reached this epoch.",
    "epoch-bumped": "A rebalance of a group whose broker assigns: the line before says why.",
    "error": "The application was given an error of the group.",
    "autoscaled": "Kubernetes changed the number of processes.",
    "given": "What SyncGroup gave the member.",
    "group-empty": "The last member is gone.",
    "group-loaded": "The coordinator loaded the group: it was restarted, or took the group over.",
    "group-unloaded": "The coordinator gave the group up: it moves to another broker.",
    "heartbeat": "A heartbeat of a group whose broker assigns.",
    "heartbeat-refused": "A heartbeat was answered with an error.",
    "heartbeats-stopped": "The session of this generation ends: a rebalance, a loss, or a close.",
    "is-given": "What the broker wants the member to have.",
    "join-refused": "The member was not let in, or has to ask again.",
    "joined": "The member is in this generation; it has no assignment yet.",
    "joined-and-synced": "The member is in this generation and has its assignment.",
    "joins": "A member asks to join; at a first join twice, because it is given an id first.",
    "leader-assigns": "The leader's assignment is there: the rebalance of this generation is over.",
    "leader-elected": "This member divides the partitions of the generation.",
    "leave-refused": "A member that leaves was answered with an error.",
    "leaves": "A member leaves the group; the reason says why.",
    "left-out": "The leader gave these members nothing at all.",
    "member-fenced": "The coordinator has another member in this one's place, or took it out.",
    "member-id-given": "The normal first step of a join: the member is given its id.",
    "member-loaded": "A member as the coordinator found it in the offsets topic: an earlier time.",
    "member-removed": "The coordinator took the member out.",
    "member-state": "What the member's client is doing now.",
    "metadata-changed": "Topics or partitions changed, so the group rebalances.",
    "migration": "The group changes its protocol.",
    "owned": "Everything the member has now.",
    "partitions-assigned": "The member begins to read these partitions.",
    "partitions-lost": "The member was out of the group before, and learns it only now.",
    "partitions-revoked": "The member gives these partitions up.",
    "pause": "The process stood still for that long.",
    "plan": "What the leader gives each member.",
    "position": "The member begins to read a partition at this offset: the committed one, or where "
    "a reset put it.",
    "poll-timeout": "The application did not ask for records in time, so its client leaves.",
    "probe-failed": "Kubernetes' probe of the container failed.",
    "process-ended": "The process ended.",
    "process-started": "A consumer starts, or subscribes to other topics.",
    "rebalance-began": "A rebalance begins; the reason names its first cause alone.",
    "rebalance-seen": "The client notices a rebalance.",
    "record-too-large": "The group's record is too large for the offsets topic.",
    "release": "The release of the program.",
    "released": "The session of this generation has ended for this member.",
    "reports-it-owns": "The member tells the broker what it has.",
    "scaled": "Kubernetes changed the number of replicas.",
    "session-ended": "The session of this generation has ended for this member.",
    "session-timed-out": "The client heard nothing from its coordinator for a whole session.",
    "settings": "The settings of a client at its start.",
    "slow-callback": "A callback of the application took long.",
    "stabilized": "All members have joined; nobody has an assignment yet.",
    "subscription-changed": "A member subscribes to other topics.",
    "sync-refused": "The member did not get its assignment: it joins again.",
    "topics-missing": "A source topic of a Streams application is missing: nothing is assigned.",
    "unreadable-subscription": "The leader cannot read what a member subscribes to.",
    "wants-to-join": "The client asks for a rebalance, for this reason.",
})  # fmt: skip
"""By the words of `LogEvent.event`; those that the story does not print are signs."""

_PLAIN: Mapping[str, str] = MappingProxyType({
    "Giving away all assigned partitions as lost": "The member is in the group no more: it gives "
    "all its partitions up without a commit, for others may have them already.",
    "Resetting generation": "The client forgets its member id and generation, because it left or "
    "was refused: it joins next as a new member. The line says which it was.",
    "consumer pro-actively leaving the group": "The client has left the group by itself, and "
    "joins again at the next poll. The lines before it say why: a poll that took too long, or "
    "a close.",
    "Updated partition assignment": "What the member has from now on. An empty list means that "
    "it has nothing to read: there may be more members than partitions.",
    "Setting offset for partition": "The member begins to read there, at the committed offset.",
    "Resetting offset for partition": "The member has no offset that can be read, and begins "
    "where auto.offset.reset says.",
    "Found no committed offset": "Nobody has committed this partition in this group, or the "
    "offset has expired: auto.offset.reset says where the member begins.",
    "Attempt to heartbeat with stale": "The heartbeat was of a generation that is over; the "
    "answer to it is passed over.",
    "is rebalancing": "A rebalance is going on: members' bytes and lags are not known until it is "
    "over. Ask again; a group that never gets out of it is in a storm, or waits for a member.",
    "has no active members": "Nobody reads: the group's committed offsets are shown, and the lag "
    "grows until a member joins, or the offsets expire.",
    "Discovered coordinator": "The client knows which broker is its group's coordinator.",
    "Discovered group coordinator": "The client knows which broker is its group's coordinator.",
})  # fmt: skip
"""Lines that tell nothing that the story needs: a text of each, and what it means."""


def plain_meaning(text: str) -> str:
    """Return what a line means that the story does not need; "" for others."""
    return next((meaning for words, meaning in _PLAIN.items() if words in text), "")


COLUMNS: Mapping[str, str] = MappingProxyType({
    "CURRENT-OFFSET": "The offset that the group has committed for the partition; - for none.",
    "LOG-END-OFFSET": "Where the partition ends: the offset of the next record.",
    "LAG": "Records from the committed offset to the partition's end.",
    "CONSUMER-ID": "The id of the member that has the partition; - for none.",
    "CLIENT-ID": "The client.id of the member that has the partition.",
    "HOST": "The address that the member connects from, as the coordinator sees it.",
    "COORDINATOR (ID)": "The broker that coordinates the group, and its id.",
    "COORDINATOR": "The broker that coordinates the group.",
    "ASSIGNMENT-STRATEGY": "The assignor that the members agreed on, or the broker's.",
    "#MEMBERS": "How many members the group has.",
    "#PARTITIONS": "How many partitions the member has.",
    "GROUP-EPOCH": "The epoch of the group: it goes up where members or topics change.",
    "ASSIGNMENT-EPOCH": "The group's epoch for which the broker has computed who gets what.",
    "TARGET-ASSIGNMENT-EPOCH": "The group's epoch for which the broker has computed who gets what.",
    "MEMBER-EPOCH": "The epoch that the member has reached; below the group's it is behind.",
    "CURRENT-EPOCH": "The epoch that the member has reached; below the group's it is behind.",
    "CURRENT-ASSIGNMENT": "What the member has now.",
    "TARGET-ASSIGNMENT": "What the member is to have.",
})  # fmt: skip
"""The columns of kafka-consumer-groups."""

STATES: Mapping[str, str] = MappingProxyType({
    "PreparingRebalance": "A rebalance has begun: the coordinator waits for all members to join "
    "again, at most for the longest rebalance timeout. With the eager protocol nobody reads.",
    "CompletingRebalance": "All have joined, and the coordinator waits for the assignment that the "
    "leader makes. A leader that fails or stands still keeps the group in it.",
    "AwaitingSync": "What old brokers call CompletingRebalance.",
    "Assigning": "The coordinator computes who gets which partitions for a new epoch of the group.",
    "Reconciling": "The target is known, and some members have not yet given up, or taken, what it "
    "says.",
    "Stable": "All members have their assignment. A group in a storm is Stable in between.",
    "NotReady": "A Streams group that waits for a source topic, or for its topology.",
    "Empty": "The group has no member. Its offsets stay until they expire.",
    "Dead": "The group is not there: it never was, it was deleted, or all its offsets expired.",
})  # fmt: skip
"""The states of groups, as brokers print them."""

TERMS: Mapping[str, str] = MappingProxyType({
    "range": "An assignor, Kafka's default: of each topic the first member by id has the first run "
    "of partitions, and so on. With fewer partitions than members the last ones have nothing.",
    "roundrobin": "An assignor: all partitions are dealt in a circle, one to each member.",
    "sticky": "An assignor: members keep what they have where that is fair. Nobody reads during a "
    "rebalance.",
    "cooperative-sticky": "An assignor: members keep what they have where that is fair, and go on "
    "reading it in a rebalance. Where partitions move, a second rebalance gives them away.",
    "uniform": "The assignor that a broker begins with for a group of KIP-848: equal numbers of "
    "partitions, and members keep what they have.",
    "eager": "The rebalance protocol in which all members give up all partitions, and then join.",
    "cooperative": "The rebalance protocol of KIP-429: a member gives up those partitions alone "
    "that move, in one rebalance, and another has them after the next.",
    "generation": "The number that a classic group counts up with every rebalance that ends; a "
    "commit of an older one is refused.",
    "epoch": "The number that a group of KIP-848 counts up where its members or topics change.",
    "ready": "kproto migrate knows nothing that keeps the group from group.protocol=consumer; "
    "whether its clients can is in the column beside it.",
    "blocked": "kproto migrate: the broker would refuse the first member of KIP-848, or the group "
    "would lose something; the reasons say what to change.",
    "moved": "In kproto migrate a group that is one of KIP-848 already; in a forecast how many "
    "partitions get another owner.",
    "paused": "In a forecast: the seconds in which partitions have no reader, of all partitions "
    "together.",
    "score": "In an audit: how much trouble a group is in, by its findings and their severity; "
    "groups are in this order.",
    "COMMITFAIL": "librdkafka could not commit offsets. The end of the line has the error: give "
    "the whole line.",
})  # fmt: skip
"""Words of groups, forecasts and migrations, as kproto prints them."""


def causes_of_line(event: LogEvent) -> list[LikelyCause]:
    """Return the causes that one line shows: by its reason, or because it states one."""
    stated = event.fields.get("cause")
    if stated:
        return [LikelyCause(str(stated), True, event.member, event.client)]
    if event.event == "rebalance-began":
        return causes_of_reason(str(event.fields.get("reason", "")), ())
    if event.event == "poll-timeout":
        return [LikelyCause("poll-timeout-exceeded", True, event.member, event.client)]
    return []
