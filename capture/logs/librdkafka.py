"""Lines of librdkafka, as it prints them and as its bindings do.

    %7|1795650120.456|JOINGROUP|m1#consumer-1| [thrd:main]: JoinGroup response: …     librdkafka
    JOINGROUP [m1#consumer-1] [thrd:main]: JoinGroup response: …                      Python
    [2026-11-25T23:42:00Z][m1#consumer-1][JOINGROUP][7][thrd:main]: JoinGroup …       Go
    Debug|2026-11-25 23:42:00.456|m1#consumer-1|JOINGROUP| [thrd:main]: JoinGroup …   .NET

or the message alone. Without `debug=cgrp` there are only the time-outs, failed commits and fatal
errors. A line that names no group or member is of the client that the lines before told of.

Sources: src/rdkafka_cgrp.c, rdkafka_assignor.c, rdkafka_request.c (KIP-848), rdkafka.c and
rdkafka_conf.c, 0.11.6 to 2.16; log_cb in confluent_kafka.c, kafka/log.go of confluent-kafka-go and
Loggers.cs of confluent-kafka-dotnet; rebalance_cb of kcat.c, 1.7; Karafka's
logger_listener.rb, 2.5 and 2.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .error_texts import name_error
from .event import LogEvent
from .family import Family, events_of_row, lines_of, logger_of
from .layouts import LogLine
from .rows import Row, Table
from .values import Parts

__all__ = ["TABLE", "Librdkafka"]

_GROUP = 'Group "<group>": '
_TO_APPLICATION = "of <count> partition(s) to application[ rebalance callback] on queue …: <reason>"
_COUNT = "{member metadata count <count>|<members_count> members in group}"
_PATTERN_848 = (
    'ConsumerGroupHeartbeat of member id "<member>", group id "<group>", generation id '
    '<generation>, group instance id "<instance>", current assignment '
    '{""|"<owned>"}, '
)


def _printed_by_kcat(values: dict[str, Any]) -> None:
    partitions = _BY_KCAT.findall(values["partitions"])
    values["partitions"] = tuple(sorted((topic, int(number)) for topic, number in partitions))


def _printed_by_karafka(values: dict[str, Any]) -> None:
    values["partitions"] = tuple(sorted(
        (topic, int(number))
        for topic, numbers in _BY_KARAFKA.findall(values["partitions"])
        for number in numbers.split(",")
    ))  # fmt: skip


def _name_of_broker(values: dict[str, Any]) -> None:
    """Name the error of a broker, whose text begins so in librdkafka."""
    values["detail"] = f"Broker: {values['detail']}"
    name_error(values)


_BY_KARAFKA = re.compile(r"(\S+)-\[(\d{1,20}(?:,\d{1,20})*)\]")
_BY_KCAT = re.compile(r"(\S+) \[(\d{1,20})\]")

_ROUND = "[assignment lost, ]{EAGER|COOPERATIVE|NONE} rebalance protocol"

_CLASSIC = (
    # What follows from other lines, and names them as its reason.
    Row("wants-to-join", _GROUP + "Rejoining group with <count> owned partition(s): rejoining "
        "group to redistribute previously owned partitions to other group members",
        cause="cooperative-second-round"),
    Row("", _GROUP + "{Rejoining|Joining|Not rejoining|Not joining} group"),
    Row("", 'Heartbeat for group "<group>" generation id <generation>'),
    Row("", 'Group "<group>" {initiating rebalance|is rebalancing} ('),
    Row("poll-timeout", "Application maximum poll interval (<limit_ms>ms) exceeded by <over_ms>ms"),
    # As its applications print the error that they are given.
    Row("poll-timeout", "Maximum application poll interval (max.poll.interval.ms) exceeded"),
    Row("session-timed-out", "Consumer group session timed out (in join-state <join_state>) after "
        "<silent_ms> ms without a successful response from the group coordinator (broker <broker>, "
        "last error was <detail>)", name_error),
    Row("joins", 'Joining group "<group>" with <count> subscribed topic(s) and member id '
        '"[<member>]"'),
    Row("joined", "JoinGroup response: GenerationId <generation>, Protocol <protocol>, LeaderId "
        f"<leader> (me), my MemberId <member>, {_COUNT}: {{(no error)|Success}}", is_leader=True),
    Row("joined", "JoinGroup response: GenerationId <generation>, Protocol <protocol>, LeaderId "
        f"<leader>, my MemberId <member>, {_COUNT}: {{(no error)|Success}}", is_leader=False),
    Row("member-id-given", "JoinGroup response: GenerationId -1, Protocol …, my MemberId <member>, "
        f"{_COUNT}: Broker: Group member needs a valid member ID", error="MEMBER_ID_REQUIRED"),
    Row("join-refused", f"JoinGroup response: GenerationId -1, Protocol …, my MemberId [<member>], "
        f"{_COUNT}: <detail>", name_error),
    # 0.9.
    Row("join-refused", "JoinGroup response: GenerationId 0, Protocol …, my MemberId [<member>], "
        f"{_COUNT}: <detail>", name_error),
    Row("join-refused", "JoinGroup failed: <detail>", name_error),
    Row("", 'I am elected leader for group "<group>"'),
    Row("plan", 'Group "<group>" <protocol> assignment for <count> member(s) finished in'),
    Row("", 'Group "<group>" running <protocol> assignor for'),
    Row("", "SyncGroup response: discarding outdated request"),
    # Of a cooperative assignor: the block before has the target, of which partitions that another
    # member still owns are left out.
    Row("adjusted", _GROUP + "<count> partitions assigned to consumers"),
    Row("assigned", "SyncGroup response: Success (", expects="given"),
    Row("", "SyncGroup response: "),
    Row("sync-refused", _GROUP + "synchronization failed: <detail>", name_error),
    Row("partitions-assigned", _GROUP + "delegating incremental assign " + _TO_APPLICATION,
        is_incremental=True),
    Row("partitions-assigned", _GROUP + "delegating assign " + _TO_APPLICATION),
    Row("partitions-revoked", _GROUP + "delegating incremental revoke " + _TO_APPLICATION,
        is_incremental=True),
    Row("partitions-revoked", _GROUP + "delegating revoke " + _TO_APPLICATION),
    Row("partitions-lost", _GROUP + "current assignment of <count> partition(s) lost: <reason>"),
    Row("", _GROUP + "setting group assignment to <count> partition(s)", expects="owned"),
    Row("", _GROUP + "<count> partition(s) being {added to|removed from} group assignment of",
        expects="owned"),
    Row("released", _GROUP + "clearing group assignment"),
    Row("heartbeat-refused", 'Group "<group>" heartbeat error response in state … '
        '({join-state|'
        "join state} <join_state>, <count> partition(s) assigned): Broker: <detail>",
        _name_of_broker),
    Row("coordinator-lost", 'Group "<group>" heartbeat error response in state … '
        '({join-state|'
        "join state} <join_state>, <count> partition(s) assigned): Local: <detail>"),
    # The first metadata of a subscription, and a change of them.
    Row("", 'Group "<group>" (re)joining in join-state {init|wait-metadata} '),
    Row("metadata-changed", 'Group "<group>" (re)joining in join-state <join_state> with <count> '
        'assigned '
        "partition(s): Metadata for subscribed topic(s) has changed"),
    Row("wants-to-join", 'Group "<group>" (re)joining in join-state <join_state> with <count> '
        "assigned partition(s): <reason>"),
    Row("leaves", _GROUP + "leave (in state up)"),
    Row("", _GROUP + "leave (in state"),
    Row("leave-refused", "LeaveGroup response error in state …: <detail>", name_error),
    Row("closed", "Consumer closed"),
    Row("process-started", _GROUP + "subscribe to new subscription of <count> topics (join-state "
        "init)"),
    Row("commit-refused", "Offset commit (<reason>) failed for <failed_count>/<count> partition(s)"
        "[ in join-state <join_state>]: <detail>", name_error),
    Row("", "OffsetCommit for … returned: {Success|Local: }"),
    Row("commit-refused", "OffsetCommit for <count> partition(s) in {join-state|join state} "
        "<join_state>: <reason>: returned: Broker: <detail>", _name_of_broker),
    Row("member-fenced", "Fatal error: Broker: Static consumer fenced by other consumer with same "
        "group.instance.id", error="FENCED_INSTANCE_ID"),
    Row("unreadable-subscription", 'Failed to parse MemberMetadata for "<member>"[: <detail>]'),
    Row("coordinator-lost", 'Group "<group>" changing coordinator <earlier> -> -1'),
    Row("", 'Group "<group>" changing coordinator -1 -> '),
    Row("coordinator-changed", 'Group "<group>" changing coordinator <earlier> -> <current>'),
    Row("coordinator-lost", _GROUP + "marking the coordinator (<broker>) dead: <detail>"),
    Row("release", "librdkafka v<release> (0x"),
    # Karafka: a line for each topic of what its callback is told.
    Row("partitions-assigned", "\\[<id>\\] Group <group> rebalance: <partitions> assigned",
        _printed_by_karafka, is_incremental=True),
    Row("partitions-revoked", "\\[<id>\\] Group <group> rebalance: <partitions> revoked",
        _printed_by_karafka, is_incremental=True),
    Row("process-started", "\\[<id>\\] Group <group>/<subscription> subscribing to topics: "),
    Row("closed", "\\[<id>\\] Stopped Karafka server"),
    # kcat.
    Row("partitions-assigned", "Group <group> rebalanced (memberid <member>): assigned: "
        "<partitions>", _printed_by_kcat),
    Row("partitions-revoked", "Group <group> rebalanced (memberid <member>): revoked: "
        "<partitions>", _printed_by_kcat),
    Row("partitions-assigned", "Group <group> rebalanced: incremental assignment of <count> "
        f"partition(s) (memberid <member>, {_ROUND}): <partitions>",
        _printed_by_kcat, is_incremental=True),
    Row("partitions-revoked", "Group <group> rebalanced: incremental revoke of <count> "
        f"partition(s) (memberid <member>, {_ROUND}): <partitions>",
        _printed_by_kcat, is_incremental=True),
)  # fmt: skip

_OWN_POLL_TIMEOUT = "(adjust max.poll.interval.ms"
"""In librdkafka's line, and not in the error that it gives to the application."""
_ASSIGNED_BY_BROKER = (
    Row("heartbeat", _PATTERN_848, kind="consumer"),
    Row("is-given", 'ConsumerGroupHeartbeat [response ]received target assignment ""',
        kind="consumer", targets=""),
    Row("epoch", 'ConsumerGroupHeartbeat response received for member id "<member>" with epoch '
        "<generation>", kind="consumer"),
    Row("is-given", 'Reconciliation starts with new target assignment "[<targets>]"',
        kind="consumer"),
    Row("heartbeat-refused", "ConsumerGroupHeartbeat failed due to: Broker: <detail>: will rejoin "
        "the group", _name_of_broker, kind="consumer"),
    Row("coordinator-lost", "{ConsumerGroupHeartbeat|Heartbeat} failed due to coordinator "
        "(<broker>) no longer available: <detail>"),
    Row("member-fenced", "{ConsumerGroupHeartbeat fatal error|Fatal error}: Broker: Static "
        "consumer fenced", error="FENCED_INSTANCE_ID", kind="consumer"),
    Row("join-refused", "Fatal error: Broker: <detail>: ConsumerGroupHeartbeat fatal error: ",
        _name_of_broker, kind="consumer"),
)  # fmt: skip

TABLE = Table((*_CLASSIC, *_ASSIGNED_BY_BROKER))

_HINTS = (
    "[thrd:", "#consumer-", 'Group "', 'Joining group "', "Client configuration:",
    "Application maximum poll interval (", "Maximum application poll interval (",
    "Consumer group session timed out",
    "JoinGroup failed: Broker:", "JoinGroup response: GenerationId", "SyncGroup response: ",
    "ConsumerGroupHeartbeat", 'Failed to parse MemberMetadata for "', "Fatal error: Broker: ",
    "Offset commit (", "OffsetCommit for ", "rebalanced (memberid ", " rebalanced: incremental ",
    " rebalance: ", " subscribing to topics: ", "Stopped Karafka",
)  # fmt: skip

_THREAD = re.compile(r"\[?thrd:[^\]]{0,400}+\]: ?")
_HANDLE = re.compile(
    r"[|\[](?P<bracketed>[^|\[\]]{0,400}#(?:consumer|producer)-\d+)[|\]]"
    r"|(?P<bare>(?<![^\s|\[\]\"])[^\s|\[\]\"]+#(?:consumer|producer)-\d+)"
)
_IS_OWN = re.compile(r"\[?thrd:[^\]]{0,400}+\]: |#consumer-\d")
_LIST = re.compile(r"List with (\d{1,20}) partition\(s\):\s*$")
_IN_LIST = re.compile(r"(?:^|\s)\s(\S+) \[(\d{1,20})\](?: offset \S.*)?$")
_SHARE = re.compile(r'(?:^|\s) ?Member "(.*)"(?: \(me\))? assigned (\d{1,20}) partition\(s\):\s*$')
_GROUP_NAME = re.compile(r'(?:^|[|:] )Group "(.{1,400}?)"(?::| changed | received | management )')
"""Of lines that tell nothing else: those of a join do not name the group."""
_SETTING = re.compile(r"^\s+([a-z][\w.]+) = (.*)$")
_TARGET = re.compile(r'(?<![^\s,"()])([^\s,"()]++)\([^()]*\)\[(\d{1,20})\]')

_MAX_PARTITIONS = 1_000_000
"""Partitions of one list or plan that are remembered."""

_ABSENT = frozenset({"NULL", "(null)", ""})
_OF_ROUND = frozenset({"leader-assigns", "assigned"})
_OF_NO_MEMBER = frozenset({"joins", "process-started", "release", "settings"})


class _List:
    """Partitions that follow in lines of their own: `name` is what they are, `count` how many."""

    def __init__(self, name: str, count: int) -> None:
        self.name = name
        self.count = min(count, _MAX_PARTITIONS)
        self.partitions: set[tuple[str, int]] = set()

    def is_complete(self) -> bool:
        return len(self.partitions) >= self.count


class _Plan:
    """What a leader gives to each member, in the lines that follow `line`."""

    def __init__(self, line: LogLine, values: dict[str, Any]) -> None:
        self.line = line
        self.values = values
        self.shares: dict[str, _List] = {}
        self.share = _List("", 0)

    def is_complete(self) -> bool:
        is_last = len(self.shares) >= self.values["count"]
        return is_last and self.share.is_complete()


class _Client:
    """One client of a log: what its lines have told so far."""

    def __init__(self, family: Librdkafka, handle: str) -> None:
        self._family = family
        self._names = {"client": handle.rpartition("#")[0], "handle": handle} if handle else {}
        self._group = ""
        self._kind = ""
        self._member = ""
        self._generation = -1
        self._awaited: frozenset[str] = frozenset()
        """What its generation still brings. Another plan is one of a generation whose line is
        missing."""
        self._expects = ""
        self._given: Parts | None = None
        self._owned: Parts | None = None
        self._list: _List | None = None
        self._plan: _Plan | None = None
        self._target: _Plan | None = None
        self._has_several_groups = False
        self._has_lost = False
        self._poll_timeout = (0, 0)
        """The limit, and by how much it was exceeded: applications print the error that they are
        given, too."""
        self._poll_timeout_at: float | None = None
        self._settings: tuple[LogLine, dict[str, str]] | None = None

    def continues(self, message: str) -> bool:
        """Whether a message goes on with what the lines before have begun."""
        return self._is_part(message) or bool(self._expects and _LIST.search(message))

    def _is_part(self, message: str) -> bool:
        if self._list is not None or self._plan is not None:
            return bool(_IN_LIST.search(message) or _SHARE.search(message))
        return self._settings is not None and bool(_SETTING.match(message))

    def events(self, line: LogLine, message: str) -> Iterator[LogEvent]:
        """Yield what a message proves."""
        if self._is_part(message):
            yield from self._events_of_part(line, message)
            return
        self._list = self._plan = None
        yield from self._events_of_settings()
        if match := _LIST.search(message):
            if self._expects:
                self._list = _List(self._expects, int(match[1]))
                self._expects = ""
                yield from self._events_of_list(line)
            return
        if message.rstrip().endswith("Client configuration:"):
            self._settings = (line, {})
            return
        entry = TABLE.match(message)
        if entry is not None:
            row, values = entry
            yield from self._events_of_row(line, message, row, values)
        elif match := _GROUP_NAME.search(message):
            self._note_group(match[1])

    def _note_group(self, group: str) -> None:
        """Learn the group of later lines that name none. Lines without a handle may be of several
        clients: those of a program with clients in several groups are of none of them for sure."""
        if not self._names and self._group not in ("", group) and group:
            self._has_several_groups = True
        self._group = group or self._group

    # -- what goes over several lines

    def _events_of_part(self, line: LogLine, message: str) -> Iterator[LogEvent]:
        if self._settings is not None and (match := _SETTING.match(message)):
            self._settings[1][match[1]] = match[2]
        elif match := _IN_LIST.search(message):
            partition = (match[1], int(match[2]))
            if self._list is not None:
                self._list.partitions.add(partition)
                yield from self._events_of_list(line)
            elif self._plan is not None:
                self._plan.share.partitions.add(partition)
                yield from self._events_of_plan()
        elif self._plan is not None and (match := _SHARE.search(message)):
            if match[1] in self._plan.shares:
                return  # the same line again
            if not self._plan.share.is_complete():
                self._plan = None  # lines are missing
                return
            self._plan.share = self._plan.shares[match[1]] = _List("", int(match[2]))
            yield from self._events_of_plan()

    def _events_of_list(self, line: LogLine) -> Iterator[LogEvent]:
        if self._list is None or not self._list.is_complete():
            return
        partitions = tuple(sorted(self._list.partitions))
        name, self._list = self._list.name, None
        if name == "given":
            self._given = partitions
        else:
            self._owned = partitions
        yield from self._finished(line, line.text, Row(name, ""), {"partitions": partitions})

    def _events_of_plan(self) -> Iterator[LogEvent]:
        if self._plan is None or not self._plan.is_complete():
            return
        plan, self._plan = self._plan, None
        if "cooperative" in plan.values["protocol"]:
            self._target = plan
        else:
            yield from self._events_of_assignment(plan, "assignment")

    def _events_of_target(self, count: int) -> Iterator[LogEvent]:
        """Yield what a cooperative leader assigns: its target, if that has so many partitions."""
        if self._target is not None:
            plan, self._target = self._target, None
            is_whole = sum(share.count for share in plan.shares.values()) == count
            yield from self._events_of_assignment(plan, "assignment" if is_whole else "target")

    def _events_of_assignment(self, plan: _Plan, name: str) -> Iterator[LogEvent]:
        shares = {member: tuple(sorted(share.partitions)) for member, share in plan.shares.items()}
        values = {**plan.values, name: shares}
        yield from self._finished(plan.line, plan.line.text, Row("leader-assigns", ""), values)

    def _events_of_settings(self) -> Iterator[LogEvent]:
        if self._settings is None:
            return
        (line, settings), self._settings = self._settings, None
        values = {"settings": settings, "of": "librdkafka"}
        for key, name in (("group.id", "group"), ("group.instance.id", "instance")):
            if settings.get(key):
                values[name] = settings[key]
        yield from self._finished(line, line.text, Row("settings", ""), values)

    # -- rows

    def _events_of_row(
        self, line: LogLine, message: str, row: Row, values: dict[str, Any]
    ) -> Iterator[LogEvent]:
        self._note_group(values.get("group", ""))
        self._kind = values.get("kind", self._kind)
        self._expects = values.pop("expects", "")
        if row.event == "plan":
            self._plan = _Plan(line, values)
        elif row.event == "adjusted":
            yield from self._events_of_target(values["count"])
        elif row.event == "released":
            self._owned = ()
        elif row.event == "heartbeat":
            yield from self._finished(line, message, self._row_of_heartbeat(values), values)
        elif self._is_news(line, row.event, values):
            self._add_partitions(row.event, values)
            yield from self._finished(line, message, row, values)
            self._note_member(row.event, values)

    def _is_news(self, line: LogLine, event: str, values: dict[str, Any]) -> bool:
        """Whether a line says more than the lines before: an epoch is in every heartbeat's answer,
        and a loss is told to the application as a revocation."""
        if event == "epoch":
            return values["generation"] not in (self._generation, -1, -2)
        if event == "poll-timeout":
            return self._is_other_poll_timeout(line, values)
        if event in ("joins", "joined", "partitions-assigned"):
            self._poll_timeout = (0, 0)
        has_lost, self._has_lost = self._has_lost, event == "partitions-lost"
        return not (has_lost and event == "partitions-revoked")

    def _is_other_poll_timeout(self, line: LogLine, values: dict[str, Any]) -> bool:
        """Whether it is not the one that the line before has told: a second line of librdkafka's
        own, a whole limit later, is of another one."""
        earlier, earlier_at = self._poll_timeout, self._poll_timeout_at
        if "limit_ms" not in values:
            return earlier == (0, 0)
        self._poll_timeout = (values["limit_ms"], values["over_ms"])
        at = line.stamp.milliseconds if _OWN_POLL_TIMEOUT in line.text else None
        self._poll_timeout_at = at or earlier_at
        if at is not None and earlier_at is not None and at - earlier_at >= values["limit_ms"]:
            return True
        return earlier != self._poll_timeout

    def _note_member(self, event: str, values: dict[str, Any]) -> None:
        if event in ("joined", "epoch"):
            self._generation = values["generation"]
            self._awaited = _OF_ROUND
        elif event in ("joins", "heartbeat-refused"):
            self._awaited = frozenset()
        if event in ("joined", "joins", "epoch", "member-id-given"):
            self._member = values.get("member", "")

    def _row_of_heartbeat(self, values: dict[str, Any]) -> Row:
        """Return what a heartbeat of KIP-848 says: with epoch 0 it is a join."""
        owned = values.pop("owned", "")
        if values.get("instance") in _ABSENT:
            values.pop("instance", None)
        if values["generation"] == 0:
            del values["generation"]
            return Row("joins", "")
        if values["generation"] < 0 or owned in _ABSENT:
            return Row("", "")
        values["partitions"] = _targets(owned)
        return Row("reports-it-owns", "")

    def _add_partitions(self, event: str, values: dict[str, Any]) -> None:
        """Name the partitions that a line only counts, where the lists before it agree."""
        if event == "is-given":
            self._given = values["partitions"] = _targets(values.pop("targets", ""))
        elif event == "unreadable-subscription":
            values["reader"] = self._member
        if not event.startswith("partitions-") or "partitions" in values:
            return
        owned, target = set(self._owned or ()), set(self._given or ())
        is_incremental = values.get("is_incremental", False)
        if event == "partitions-assigned":
            partitions = target - owned if is_incremental else target
        elif is_incremental and values["reason"] == "sync group revoke":
            partitions = owned - target
        else:
            partitions = owned
        if len(partitions) == values["count"]:
            values["partitions"] = tuple(sorted(partitions))

    def _finished(
        self, line: LogLine, message: str, row: Row, values: dict[str, Any]
    ) -> Iterator[LogEvent]:
        """Yield the events of a row, with the names of the client that the line leaves out."""
        names: dict[str, Any] = {**self._names}
        if self._group and not self._has_several_groups and row.event != "release":
            names |= {"group": self._group, "kind": self._kind}
        if row.event not in _OF_NO_MEMBER and self._member:
            is_old = row.event in _OF_ROUND - self._awaited and not self._kind
            generation = -1 if is_old else self._generation
            names |= {"member": self._member, "generation": generation}
            self._awaited -= {row.event}
        yield from events_of_row(self._family, line, message, row, names | values)


def _targets(text: str) -> Parts:
    return tuple(sorted((topic, int(number)) for topic, number in _TARGET.findall(text)))


class Librdkafka(Family):
    """Reads the lines of librdkafka and its bindings."""

    name = "librdkafka"
    signs = (
        b" partition(s):",
        *(hint.encode() for hint in _HINTS),
        *(hint.replace('"', "\\").encode() for hint in _HINTS if '"' in hint),  # in JSON
    )

    def __init__(self) -> None:
        super().__init__()
        self._clients: dict[str, _Client] = {}
        self._last: _Client | None = None

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        """Return what a message proves, which can have several lines."""
        has_hint = any(hint in text for hint in _HINTS)
        first = text.partition("\n")[0]
        if not has_hint and (self._last is None or not self._last.continues(first)):
            return None
        events: list[LogEvent] = []
        for part in lines_of(line, text):
            events += self._events_of_line(part)
        if not events and not _IS_OWN.search(text):
            return None
        return events

    def _events_of_line(self, line: LogLine) -> Iterable[LogEvent]:
        thread = _THREAD.search(line.text)
        head_end = len(line.text) if thread is None else thread.start()
        handle = _HANDLE.search(line.text, 0, head_end)
        start = 0
        if thread is not None:
            start = thread.end()
        elif handle is not None and handle["bracketed"]:
            start = handle.end()
        if handle is None:
            handle = _HANDLE.search(logger_of(line))
        if handle is not None and "#producer-" in handle[0]:
            return ()
        message = line.text[start:]
        self._last = self._client(handle, message)
        return self._last.events(line, message)

    def _client(self, handle: re.Match[str] | None, message: str) -> _Client:
        """Return the client that a message is of: where the line does not say, that of the lines
        before, if it is the only one or in the middle of a list."""
        name = ""
        if handle is not None:
            name = (handle["bracketed"] or handle["bare"]).strip()
        elif self._last is not None and (len(self._clients) == 1 or self._last.continues(message)):
            return self._last
        return self._clients.setdefault(name, _Client(self, name))
