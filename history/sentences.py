"""The sentences of a story: what a frame says, and what it changes in its group."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from ..capture.frames.error_codes import ROUTINE, UNSUPPORTED_VERSION, error_name
from ..capture.frames.frame import Frame
from ..codec.read.decoding import Decoded
from ..inspector.nested_bytes import Opened
from ..inspector.views.summary_line import Brief, moment
from .calls import Call
from .events import CAUSE_VERBS
from .groups import Cause, EventChange, Group, HistoryMember, Wait, WaitedFor
from .ownership import Interval, Parts
from .topic_names import TopicNames

STALL_MS = 1_000
"""How long members are kept waiting, or nobody owns anything, before the story explains it."""


# -- members, parts, times


MAX_NAMES = 100_000
"""Members whose names are remembered, the latest ones."""
_UUID = re.compile(r"-?([0-9a-f]{4})[0-9a-f]{4}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_LENGTHS = (4, 6, 8, 12, 16, 24, 36)  # of a random id, the first that no other member's has


class MemberNames:
    """Short names of members: the client id or what else their id begins with, and as much of its
    random part as tells them apart."""

    def __init__(self) -> None:
        self._names: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._taken: dict[str, tuple[str, str]] = {}

    def name(self, member_id: str, client: str = "") -> str:
        """Return a member's name, the same one for the same id."""
        random = _UUID.search(member_id)
        if random and random.start() > 0:
            front, tail = member_id[: random.start()], member_id[random.start() :].lstrip("-")
        else:
            front, tail = client, member_id
        place = (front, member_id)
        name = self._names.get(place)
        return self._new(front, tail, place) if name is None else name

    def _new(self, front: str, tail: str, place: tuple[str, str]) -> str:
        dash = "-" if front else ""
        name = front + dash + tail
        for length in _LENGTHS:
            short = front + dash + tail[:length]
            if self._taken.get(short, place) == place:
                name = short
                break
        self._names[place] = name
        self._taken[name] = place
        if len(self._names) > MAX_NAMES:
            self._taken.pop(self._names.popitem(last=False)[1], None)
        return name


class Words:
    """Writes the parts of sentences."""

    def __init__(self, brief: Brief, names: MemberNames, topics: TopicNames) -> None:
        self.brief = brief
        self._names = names
        self._topics = topics

    def client(self, client: str) -> str:
        """Return a client whose member id is not known."""
        return self.brief.text(client, "client_id") if client else "somebody"

    def member(self, member: HistoryMember) -> str:
        """Return a member's name."""
        if not member.member_id:
            return self.client(member.client)
        return self.member_id(member.member_id, member.client)

    def member_id(self, member_id: str, client: str = "") -> str:
        """Return the name of the member with an id; `client` is its client id, if known."""
        name = member_id if self.brief.hides_names else self._names.name(member_id, client)
        return self.brief.text(name, "member_id")

    def parts(self, parts: Parts, kind: str) -> str:
        """Return partitions by topic, or tasks as Kafka Streams writes them; "nothing" for none."""
        if not parts:
            return "nothing"
        if kind == "streams":
            tasks = sorted((str(subtopology), number) for subtopology, number in parts)
            return "tasks " + self.brief.listed([f"{name}_{number}" for name, number in tasks])
        topics: dict[str | UUID, list[int]] = {}
        for topic, number in parts:
            topics.setdefault(self._topics.name(topic), []).append(number)
        order = sorted(topics.items(), key=lambda topic: str(topic[0]))
        return self.brief.listed([self.brief.partitions(*topic) for topic in order])

    def waited_for(self, waited: WaitedFor) -> str:
        """Return who was waited for, and what was last seen of it."""
        member, name = waited.member, self.member(waited.member)
        if waited.joined is not None:
            return f"{name}, which joined at {clock(waited.joined)}"
        return f"{name}, which did not join ({self.last_seen(member)})"

    def last_seen(self, member: HistoryMember) -> str:
        """Return when a member was last heard of, how it went away, and its session timeout."""
        if member.heard is None:
            return "this capture has none of its requests"
        facts = [f"last heard of at {clock(member.heard)}"]
        if member.closed is not None:
            facts.append(f"its connection was closed at {clock(member.closed)}, without leaving")
        if member.session_ms:
            facts.append(f"session timeout {seconds(member.session_ms)}")
        return ", ".join(facts)

    def cause(self, cause: Cause) -> str:
        """Return why a rebalance began."""
        if cause.member is None:
            return f"{cause.evidence}; what caused it is not in the capture"
        text = f"{self.member(cause.member)} {CAUSE_VERBS[cause.word]}"
        if cause.reason and not cause.reason.startswith(_SAYS_NOTHING):
            text += f" ({self.brief.text(cause.reason, 'reason')})"
        if cause.certain:
            return text
        return f"probably {text}: {self.last_seen(cause.member)}"


_SAYS_NOTHING = "need to re-join with the given member-id"  # how Java joins, the second time


def clock(when: float) -> str:
    """Return the time of day of a timestamp, in UTC; dashes for 0, of a source without times.

    >>> clock(1_732_111_202_014), clock(0)
    ('14:00:02.014', '--:--:--.---')
    """
    text = moment(when)
    return (text[11:] or text) if when else "--:--:--.---"


def seconds(milliseconds: float) -> str:
    """Return a duration: `340 ms`, `3.2 s`, `2 min 5 s`, `1 h 3 min`."""
    if milliseconds < 1_000:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 60_000:
        return f"{milliseconds / 1_000:.1f}".removesuffix(".0") + " s"
    total = round(milliseconds / 1_000)
    if total < 3_600:
        return f"{total // 60} min {total % 60} s".removesuffix(" 0 s")
    return f"{total // 3_600} h {total % 3_600 // 60} min".removesuffix(" 0 min")


def from_to(time: Interval) -> str:
    """Return an interval with its length."""
    return f"from {clock(time.start)} to {clock(time.end)} ({seconds(time.length)})"


# -- a frame


class Paragraph(NamedTuple):
    """The text on a frame: a sentence, and details with their labels. `failed`: the frame is an
    error response, or cannot be read."""

    sentence: str
    details: tuple[tuple[str, str], ...] = ()
    failed: bool = False


class Scene(NamedTuple):
    """A frame, who sent it, what is inside of it and what it changes."""

    body: Decoded[Any]
    frame: Frame
    call: Call
    opened: tuple[Opened, ...]
    change: EventChange
    group: Group | None
    words: Words

    @property
    def message(self) -> Any:
        return self.body.message

    @property
    def about(self) -> str:
        """The API and its version, and the connection, where no member id says who it is."""
        text = f"{self.frame.api} {self.frame.api_version}"
        connection = self.frame.connection
        if not self.names_member and connection is not None and connection.number:
            text += f", connection {connection.number}"
        return text

    @property
    def names_member(self) -> bool:
        """Whether the request said which member it is from."""
        return bool(getattr(self.call.request, "member_id", True))

    @property
    def who(self) -> str:
        """The name of the member that asks or is answered, of its client where it has no id yet."""
        if not self.call.member_id:
            return self.words.client(self.call.client)
        return self.words.member_id(self.call.member_id, self.call.client)

    def text(self, value: str, field: str) -> str:
        """Return a name as it is shown."""
        return self.words.brief.text(value, field)

    def parts(self, parts: Parts) -> str:
        """Return partitions or tasks in words."""
        return self.words.parts(parts, self.group.kind if self.group is not None else "")

    def member(self, member_id: str) -> str:
        """Return the name of a member of the group."""
        member = self.group.members.get(member_id) if self.group is not None else None
        return self.words.member_id(member_id, "" if member is None else member.client)

    def fields(self, left_out: set[str]) -> str:
        """Return the fields of the message but these."""
        return self.words.brief.message(self.message, self.body.schema_version, left_out)

    def inside(self, array: str) -> Iterator[tuple[Any, str]]:
        """Yield the elements of an array, each with the line of what is inside of it."""
        by_path = {inner.path.partition(".")[0]: inner for inner in self.opened}
        for number, item in enumerate(getattr(self.message, array)):
            inner = by_path.get(f"{array}[{number}]")
            text = (
                self.words.brief.opened(inner) if inner is not None else "no bytes that are known"
            )
            yield item, text

    def refusal(self) -> Paragraph | None:
        """Return the paragraph of an error response; None for any other frame."""
        code = getattr(self.message, "error_code", 0)
        if not code:
            return None
        about = self.frame.api if self.names_member else self.about
        paragraph = f"{self.who} is told {error_name(code)} ({about})"
        losses = self.change.losses
        if losses:
            paragraph += f", and loses {self.parts(losses)}"
        elif "fenced" in self.change.news or code in _OUT:
            paragraph += ": the broker does not have it as a member"
        return Paragraph(paragraph, failed=code not in ROUTINE)


_OUT = {25}  # UNKNOWN_MEMBER_ID


def paragraph_of(scene: Scene) -> Paragraph:
    """Return what is told of a frame."""
    write = _WRITERS.get((scene.frame.api, scene.frame.direction), _of_any)
    return write(scene)


def says_something(frame: Frame, message: Any, change: EventChange, membership: bool) -> bool:
    """Return whether a frame is told; routine frames are only counted."""
    kind = frame.api, frame.direction
    if frame.api in _BEATS:
        return bool(change.news) or bool(getattr(message, "error_code", 0))
    if kind in _ROUTINE_FRAMES:
        return not _ROUTINE_FRAMES[kind](message)
    return membership or not _is_well(message)


# -- classic groups


def _joins(scene: Scene) -> Paragraph:
    message = scene.message
    again = " again" if message.member_id else ""
    static = message.group_instance_id
    named = f" as static member {scene.text(static, 'group_instance_id')}" if static else ""
    why = f" because {scene.text(message.reason, 'reason')}" if message.reason else ""
    details = [
        (scene.text(protocol.name, "protocol_name"), inside)
        for protocol, inside in scene.inside("protocols")
    ]
    if scene.change.releases:
        details.append(("no longer claims", scene.parts(scene.change.releases)))
    type_ = scene.text(message.protocol_type, "protocol_type")
    about = f"JoinGroup {scene.frame.api_version}, protocol type {type_}"
    about += scene.about.removeprefix(f"JoinGroup {scene.frame.api_version}")
    return Paragraph(f"{scene.who} joins{again}{named} ({about}){why}", tuple(details))


def _is_let_in(scene: Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    message = scene.message
    generation = f"generation {message.generation_id}: "
    waits = tuple(_waits(scene, scene.change.wait))
    if message.member_id != message.leader:
        return Paragraph(f"{generation}{scene.who} follows {scene.member(message.leader)}", waits)
    details = [
        (scene.member(member.member_id), inside) for member, inside in scene.inside("members")
    ]
    if scene.change.out:
        out = ", ".join(scene.words.member(member) for member in scene.change.out)
        details.append(("no longer in the group", out))
    protocol = scene.text(message.protocol_name or "", "protocol_name")
    kept = ", and leaves the assignment as it is" if message.skip_assignment else ""
    return Paragraph(f"{generation}{scene.who} leads, by {protocol}{kept}", (*details, *waits))


def _waits(scene: Scene, wait: Wait | None) -> Iterator[tuple[str, str]]:
    if wait is None or wait.time.length < STALL_MS:
        return
    text = from_to(wait.time)
    if wait.last:
        text += " for " + "; ".join(map(scene.words.waited_for, wait.last))
    else:
        text += "; for no member that this capture shows: perhaps for more members of a new group"
    if wait.limit:
        text += f"; a coordinator waits {seconds(wait.limit)} at most (longest rebalance timeout)"
    yield "waited", text


def _assigns(scene: Scene) -> Paragraph:
    details = tuple(
        (scene.member(share.member_id), inside if share.assignment else "nothing at all")
        for share, inside in scene.inside("assignments")
    )
    return Paragraph(f"{scene.who} assigns in generation {scene.message.generation_id}", details)


def _gets(scene: Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    lines = [scene.words.brief.opened(inner) for inner in scene.opened]
    nothing = "bytes that are not known" if scene.message.assignment else "nothing at all"
    return Paragraph(f"{scene.who} gets {lines[0] if lines else nothing}", tuple(_idle(scene)))


def _idle(scene: Scene) -> Iterator[tuple[str, str]]:
    idle = scene.change.idle
    if idle is not None and idle.length >= STALL_MS:
        yield "no member here owned anything", from_to(idle)


def _leaves(scene: Scene) -> Paragraph:
    message = scene.message
    members = [
        scene.member(member.member_id) if member.member_id
        else f"static member {scene.text(member.group_instance_id or '', 'group_instance_id')}"
        for member in message.members
    ]  # fmt: skip
    members = members or [scene.member(message.member_id)]
    reasons = {member.reason for member in message.members if getattr(member, "reason", None)}
    why = "".join(f" because {scene.text(reason, 'reason')}" for reason in sorted(reasons))
    parts = scene.change.releases
    releases = f", and gives up {scene.parts(parts)}" if parts else ""
    sender = scene.words.client(scene.call.client)
    return Paragraph(f"{sender} leaves: {', '.join(members)}{why}{releases}")


# -- groups whose broker assigns

_SAID = {"group_id", "member_id", "member_epoch", "topic_partitions"}
_SAID_OF_STREAMS = _SAID | {
    "active_tasks", "standby_tasks", "warmup_tasks", "endpoint_information_epoch",
    "shutdown_application", "task_offsets", "task_end_offsets",
}  # fmt: skip
STATUSES = (
    "STALE_TOPOLOGY", "MISSING_SOURCE_TOPICS", "INCORRECTLY_PARTITIONED_TOPICS",
    "MISSING_INTERNAL_TOPICS", "SHUTDOWN_APPLICATION", "ASSIGNMENT_DELAYED",
)  # fmt: skip
"""Kafka's names for what a broker says about a Streams group, by their number."""


def _reports(scene: Scene) -> Paragraph:
    """A heartbeat's request."""
    message, change = scene.message, scene.change
    about = f"({scene.about}, member epoch {message.member_epoch})"
    static = getattr(message, "instance_id", None)
    named = f" as static member {scene.text(static, 'instance_id')}" if static else ""
    if change.news & {"leaves", "leaves for now"}:
        plan = " and means to come back" if "leaves for now" in change.news else ""
        releases = f", and gives up {scene.parts(change.releases)}" if change.releases else ""
        return Paragraph(f"{scene.who} leaves{named}{plan} {about}{releases}")
    for joins in change.news & {"joins", "joins again"}:
        left_out = _SAID_OF_STREAMS if scene.frame.api.startswith("Streams") else _SAID
        text = scene.fields(left_out | {"instance_id"})
        owns = f"; still has {scene.parts(change.parts)}" if change.parts else ""
        return Paragraph(f"{scene.who} {joins}{named} {about}{': ' if text else ''}{text}{owns}")
    does: list[str] = []
    if "subscribes" in change.news:
        topics = ", ".join(scene.text(topic, "topic") for topic in message.subscribed_topic_names)
        does.append(f"subscribes to {topics or 'nothing'} from now on")
    if change.releases:
        waited = "" if change.waited is None else f", {seconds(change.waited)} after it was told to"
        does.append(f"has given up {scene.parts(change.releases)}{waited}")
    if change.new or change.releases:
        reached = ", as assigned: acknowledged" if "acknowledged" in change.news else ""
        does.append(f"owns {scene.parts(change.parts)}{reached}")
    return Paragraph(f"{scene.who} {'; '.join(does)} {about}", tuple(_idle(scene)))


def _is_given(scene: Scene) -> Paragraph:
    """A heartbeat's response."""
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    change, epoch = scene.change, scene.message.member_epoch
    gets = "shares" if scene.group is not None and scene.group.kind == "share" else "gets"
    clauses = [f"{gets} {scene.parts(change.new)}"] if change.new else []
    if change.back:
        clauses.append(f"must give up {scene.parts(change.back)}")
    if not clauses and not change.parts:
        clauses.append(f"{gets} nothing so far")
    elif not change.new:
        clauses.append(f"keeps {scene.parts(change.parts)}")
    elif change.parts != change.new:
        clauses.append(f"has {scene.parts(change.parts)} in all")
    details = [
        (name, scene.parts(spares))
        for name, spares in zip(("standby", "warm-up"), change.spares, strict=True)
        if spares
    ]
    if "status" in change.news:
        details += [(_status(code), scene.text(detail, "reason")) for code, detail in change.status]
    for member in change.out:
        silence = f"{scene.words.member(member)} ({scene.words.last_seen(member)})"
        details.append(("no longer in the group", silence))
    details += _idle(scene)
    version = f"{scene.about}, member epoch {epoch}"
    return Paragraph(f"{scene.who} {', '.join(clauses)} ({version})", tuple(details))


def _status(code: int) -> str:
    return STATUSES[code] if 0 <= code < len(STATUSES) else f"status {code}"


# -- any other frame


def _of_any(scene: Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    errors = list(_errors(scene.message)) if scene.frame.direction == "response" else []
    if errors:
        return _refused_in_part(scene, errors)
    left_out = {inner.path.partition("[")[0] for inner in scene.opened} | {"group_id"}
    text = scene.fields(left_out)
    verb = "asks" if scene.frame.direction == "request" else "is answered"
    brief = scene.words.brief
    details = tuple((inner.path, brief.opened(inner)) for inner in scene.opened)
    return Paragraph(f"{scene.who} {verb} ({scene.about}){': ' if text else ''}{text}", details)


def _refused_in_part(scene: Scene, errors: list[tuple[int, str, object, int]]) -> Paragraph:
    """Errors that a response has for some of its parts: `{code: what it is about}`."""
    by_code: dict[int, list[str]] = {}
    for code, field, name, number in errors:
        where = scene.words.brief.topic(name) if field == "topic" else ""  # type: ignore[arg-type]
        where = where or scene.text(str(name), field)
        by_code.setdefault(code, []).append(f"{where} {number}" if number >= 0 else where)
    text = "; ".join(
        f"{error_name(code)} for {scene.words.brief.listed(names)}"
        for code, names in by_code.items()
    )
    return Paragraph(f"{scene.who} is told {text} ({scene.frame.api})", failed=True)


def _errors(message: Any) -> Iterator[tuple[int, str, object, int]]:
    """Yield code, field, name and number of the parts of a response that have an error."""
    for topic in getattr(message, "topics", None) or ():
        name = getattr(topic, "name", None) or getattr(topic, "topic_id", "")
        for part in getattr(topic, "partitions", ()):
            if getattr(part, "error_code", 0):
                yield part.error_code, "topic", name, part.partition_index
    for group in getattr(message, "groups", None) or ():
        if getattr(group, "error_code", 0):
            yield group.error_code, "group_id", group.group_id, -1
        yield from _errors(group)
    for coordinator in getattr(message, "coordinators", None) or ():
        if coordinator.error_code:
            yield coordinator.error_code, "group_id", coordinator.key, -1
    for member in getattr(message, "members", None) or ():
        if getattr(member, "error_code", 0):
            yield member.error_code, "member_id", member.member_id, -1


def _is_well(message: Any) -> bool:
    return not getattr(message, "error_code", 0)


def _all_is_well(message: Any) -> bool:
    return _is_well(message) and next(_errors(message), None) is None


_BEATS = frozenset({"ConsumerGroupHeartbeat", "ShareGroupHeartbeat", "StreamsGroupHeartbeat"})
_Writer = Callable[[Scene], Paragraph]
_WRITERS: dict[tuple[str, str], _Writer] = {
    ("JoinGroup", "request"): _joins,
    ("JoinGroup", "response"): _is_let_in,
    ("SyncGroup", "request"): _assigns,
    ("SyncGroup", "response"): _gets,
    ("LeaveGroup", "request"): _leaves,
    **{(api, "request"): _reports for api in _BEATS},
    **{(api, "response"): _is_given for api in _BEATS},
}

_ROUTINE_FRAMES: dict[tuple[str, str], Callable[[Any], bool]] = {
    # How versions are negotiated (KIP-511).
    ("ApiVersions", "response"): lambda message: message.error_code in (0, UNSUPPORTED_VERSION),
    ("Heartbeat", "request"): lambda _: True,
    ("Heartbeat", "response"): _is_well,
    ("LeaveGroup", "response"): _all_is_well,
    ("SyncGroup", "request"): lambda message: not message.assignments,
    ("FindCoordinator", "response"): _all_is_well,
    ("OffsetCommit", "response"): _all_is_well,
    ("OffsetFetch", "response"): _all_is_well,
    ("TxnOffsetCommit", "response"): _all_is_well,
}
"""Frames that are only counted, where the function is true of their message."""
