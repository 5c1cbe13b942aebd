"""The offsets topic as a source of the story: what its records show of groups, and why they
rebalanced, by the table of the audit.

A record of a classic group is written when a rebalance is over, so it shows who is in a generation
and what each member has, not when the rebalance began. Records of groups whose broker assigns show
epochs and members. What records alone cannot decide is likely, with rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from ...capture.logs.event import LogEvent
from ...capture.logs.layouts import Stamp
from ...capture.segments.offsets_topic import decode_record
from ...capture.segments.records import Record
from ...codec import DecodeError, OffsetCommitKey, OffsetCommitValue
from ...history.causes import CAUSES, certainty_in_records
from ...history.clocks import LogSource
from ...history.data_effects import Part, effect_of_commits
from ...history.group_facts import GroupCause
from ...history.reasons import LikelyCause
from ...history.rebalances import LogRebalance
from ...history.restarts import Restart
from ...history.timeline import Line
from ...inspector.diagnose.fingerprints import fingerprint_of_subscription
from ...inspector.shapes.shape import iso_time
from ...wording import counted
from ..audit.classic_record import Place, Step, read_step
from ..audit.members import Identity
from ..audit.rebalances import Rebalance, RebalanceHistory
from .topic_causes import TopicCauses

__all__ = ["TopicStory"]

_CLASSIC = b"\x00\x02"  # what the key of a GroupMetadata record begins with
_EPOCHS = {
    "ConsumerGroupMetadataKey": "consumer", "ShareGroupMetadataKey": "share",
    "StreamsGroupMetadataKey": "streams",
}  # fmt: skip
_MEMBERS = {
    "ConsumerGroupMemberMetadataKey": "consumer", "ShareGroupMemberMetadataKey": "share",
    "StreamsGroupMemberMetadataKey": "streams",
}  # fmt: skip


class TopicStory:
    """Reads records of the offsets topic, of one partition after another, into sources; a group's
    records may be in several files. `rebalances` are those of each group so far."""

    def __init__(self) -> None:
        self.rebalances: dict[str, list[LogRebalance]] = {}
        self._causes = TopicCauses()
        self._identities: dict[str, set[Identity]] = {}
        self._histories: dict[str, RebalanceHistory] = {}
        self._clients: dict[tuple[str, str], str] = {}
        self._pending: dict[str, list[LikelyCause]] = {}
        self._commits: dict[str, dict[Part, int]] = {}
        """The newest commit of each partition, by group."""
        self._interrupted: dict[str, dict[Part, tuple[LogRebalance, int]]] = {}
        """The partitions that were not committed since a rebalance, with the commit before it."""

    def read(self, source: LogSource, records: Iterable[Record]) -> None:
        """Add the events that records show to a source."""
        for record in records:
            if record.control or record.key is None or record.outcome == "aborted":
                continue
            self._causes.take(record)
            if record.key[:2] == _CLASSIC:
                self._classic(source, record)
            elif record.key[:2] > _CLASSIC:
                self._broker_assigned(source, record)
            else:
                self._commit(record)

    def causes(self) -> dict[str, tuple[GroupCause, ...]]:
        """Return what the rules of the audit find in the records of each group, by cause."""
        return self._causes.of_groups(self.rebalances, self._identities)

    def restarts(self) -> dict[str, Sequence[Restart]]:
        """Return the members of each group that ended and came back."""
        return self._causes.restarts()

    def _commit(self, record: Record) -> None:
        """Note a commit; the first one after a rebalance tells what that did to the partition."""
        assert record.key is not None
        try:
            key = OffsetCommitKey.from_bytes(record.key)
            value = None if record.value is None else OffsetCommitValue.from_bytes(record.value)
        except DecodeError:
            return
        part = (key.topic, key.partition)
        commits = self._commits.setdefault(key.group, {})
        if value is None:
            commits.pop(part, None)
            return
        rebalance, earlier = self._interrupted.get(key.group, {}).pop(part, (None, 0))
        if rebalance is not None:
            effect = effect_of_commits(
                part, earlier, value.offset, is_vacant=rebalance.is_empty
            )  # fmt: skip
            rebalance.effects.append(effect)
        commits[part] = value.offset

    def _interrupt(self, group: str, rebalance: LogRebalance) -> None:
        """Remember what was committed before a rebalance, and before those that nobody committed
        after."""
        waiting = self._interrupted.setdefault(group, {})
        for part, (_, earlier) in waiting.items():
            waiting[part] = (rebalance, earlier)
        for part, offset in self._commits.get(group, {}).items():
            _, earlier = waiting.get(part, (None, offset))
            waiting[part] = (rebalance, earlier)

    def _classic(self, source: LogSource, record: Record) -> None:
        key = decode_record(replace(record, value=None)).key  # `read_step` decodes the value
        if key is None or key.message is None:
            return
        group = str(key.message.group)
        if record.value is None:
            self._histories.pop(group, None)  # deleted: the generations begin anew
            return
        time = -1 if record.timestamp is None else record.timestamp
        partition = -1 if record.partition is None else record.partition
        place = Place(source.name, partition, record.offset, time)
        try:
            step = read_step(place, record.value)
        except DecodeError:
            return
        rebalance = self._histories.setdefault(group, RebalanceHistory()).observe(step)
        self._add_step(source, record, group, step)
        is_new = rebalance.previous_generation != step.generation
        if is_new and step.generation > 0:
            entry = self._rebalance(source, record, group, step, rebalance)
            self.rebalances.setdefault(group, []).append(entry)
            if rebalance.previous_generation is not None or group in self._interrupted:
                self._interrupt(group, entry)
        for member in step.members:
            self._clients[group, member.member_id] = member.client_id

    def _rebalance(
        self, source: LogSource, record: Record, group: str, step: Step, rebalance: Rebalance
    ) -> LogRebalance:
        """Return a rebalance with its cause, as certain as records make it."""
        time = None if record.timestamp is None or record.timestamp < 0 else float(record.timestamp)
        entry = LogRebalance(step.generation, None, time, time, step.leader or "")
        entry.is_classic = True
        entry.is_empty = not step.members
        entry.members = set(step.ids)
        entry.is_whole = True
        line = Line(source.name, record.offset, _text(step))
        is_certain = not rebalance.unrecorded and certainty_in_records(rebalance.cause) == "certain"
        rivals = () if is_certain else CAUSES[rebalance.cause].rivals
        who = {"member-left": rebalance.left, "leader-rejoined": (step.leader or "",)}.get(
            rebalance.cause, rebalance.joined
        )
        names = {member.member_id: member.client_id for member in step.members}
        for member in who or ("",):
            client = names.get(member) or self._clients.get((group, member), "")
            entry.add(LikelyCause(rebalance.cause, is_certain, member, client, rivals, (line,)))
        return entry

    def _add_step(self, source: LogSource, record: Record, group: str, step: Step) -> None:
        text = _text(step)
        kind = "" if step.is_consumer else step.protocol_type
        if not step.members:
            if step.generation == 0:
                return  # a group that only commits, or before its first member
            empty = _event("group-empty", record, group, text)
            source.events.append(empty._replace(generation=step.generation))
            return
        shares = {
            member.member_id: tuple(sorted(member.assigned)) for member in step.members
        }  # fmt: skip
        fields: dict[str, Any] = {"protocol": step.protocol or ""}
        if step.is_consumer:
            fields["assignment"] = shares
        of_step = _event("leader-assigns", record, group, text)._replace(
            generation=step.generation, kind=kind
        )
        source.events.append(of_step._replace(member=step.leader or "", fields=fields))
        self._identities.setdefault(group, set()).update(
            member.identity for member in step.members if member.instance_id is None
        )
        for member in step.members:
            parts: dict[str, Any] = {"host": member.identity.host.removeprefix("/")}
            parts["session_ms"] = member.session_timeout
            if step.is_consumer:
                parts["partitions"] = shares[member.member_id]
                parts["writers"] = fingerprint_of_subscription(member.metadata, step.protocol).could
            assigned = of_step._replace(
                event="assigned", member=member.member_id, client=member.client_id,
                instance=member.instance_id or "", fields=parts,
            )  # fmt: skip
            source.events.append(assigned)

    def _broker_assigned(self, source: LogSource, record: Record) -> None:
        message = decode_record(record)
        key = None if message.key is None else message.key.message
        if key is None:
            return
        name = type(key).__name__
        value = None if message.value is None else message.value.message
        if name in _EPOCHS and value is not None:
            self._epoch(source, record, key.group_id, _EPOCHS[name], value.epoch)
        elif name in _MEMBERS:
            self._member(source, record, key, _MEMBERS[name], value)

    def _epoch(self, source: LogSource, record: Record, group: str, kind: str, epoch: int) -> None:
        text = f"record of the group: epoch {epoch}"
        event = _event("epoch-bumped", record, group, text)
        source.events.append(event._replace(generation=epoch, kind=kind))
        time = float(record.timestamp or 0)
        entry = LogRebalance(epoch, time, None, time)
        for cause in self._pending.pop(group, ()):
            entry.add(cause)
        self.rebalances.setdefault(group, []).append(entry)
        self._interrupt(group, entry)

    def _member(self, source: LogSource, record: Record, key: Any, kind: str, value: Any) -> None:
        group, member = key.group_id, key.member_id
        known = self._clients.get((group, member))
        if value is None:
            text, event, word = "record of a member: gone", "member-removed", "member-left"
            client, instance = known or "", ""
            self._clients.pop((group, member), None)
        else:
            text, event, word = "record of a member", "joins", "member-joined"
            client, instance = value.client_id, getattr(value, "instance_id", None) or ""
            self._clients[group, member] = client
            if known is not None:
                text, event, word = "record of a member: other subscription", "", ""
        if not event:
            return
        line = Line(source.name, record.offset, text)
        cause = LikelyCause(word, False, member, client, CAUSES[word].rivals, (line,))
        self._pending.setdefault(group, []).append(cause)
        if event == "joins":
            joins = _event(event, record, group, text)
            source.events.append(
                joins._replace(member=member, client=client, instance=instance, kind=kind)
            )


def _text(step: Step) -> str:
    """What is shown of a record as evidence."""
    leader = f", led by {step.leader}" if step.leader else ""
    members = counted(len(step.members), "member")
    return f"record of the group: generation {step.generation}, {members}{leader}"


def _event(word: str, record: Record, group: str, text: str) -> LogEvent:
    """Return the event of a record: of a group, until a member is put into it."""
    time = record.timestamp
    stamp = Stamp() if time is None or time < 0 else Stamp(iso_time(time), time, True, True, True)
    return LogEvent(word, "records", "records", record.offset, stamp, group, text=text)
