"""The sentences of a story: what a frame says, and what it changes in its group."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..capture.frames.error_codes import ROUTINE, UNSUPPORTED_VERSION, error_name
from ..capture.frames.frame import Frame
from ..codec.read.decoding import Decoded
from ..inspector.open.opening import Opened
from .groups import Change, Group, Wait
from .ownership import Parts
from .peers import Peer
from .story_words import Words, from_to, seconds

STALL_MS = 1_000
"""How long members are kept waiting, or nobody owns anything, before the story explains it."""


class Paragraph(NamedTuple):
    """The text on a frame: a sentence, and details with their labels. `failed`: the frame is an
    error response, or cannot be read."""

    sentence: str
    details: tuple[tuple[str, str], ...] = ()
    failed: bool = False


class Scene(NamedTuple):
    """A frame, who sent it, what is inside of it and what it changes."""

    seen: Decoded[Any]
    frame: Frame
    peer: Peer
    opened: tuple[Opened, ...]
    change: Change
    group: Group | None
    words: Words

    @property
    def message(self) -> Any:
        return self.seen.message

    @property
    def about(self) -> str:
        """The API and its version, and the connection, where no member id says who it is."""
        said = f"{self.frame.api} {self.frame.api_version}"
        connection = self.frame.connection
        if not self.named_before and connection is not None and connection.number:
            said += f", connection {connection.number}"
        return said

    @property
    def named_before(self) -> bool:
        """Whether the request said which member it is from."""
        return bool(getattr(self.peer.request, "member_id", True))

    @property
    def who(self) -> str:
        """The name of the member that asks or is answered, of its client where it has no id yet."""
        if not self.peer.member_id:
            return self.words.client(self.peer.client)
        return self.words.member_id(self.peer.member_id, self.peer.client)

    def text(self, value: str, field: str) -> str:
        """Return a name as it is shown."""
        return self.words.brief.text(value, field)

    def parts(self, parts: Parts) -> str:
        """Return partitions or tasks in words."""
        return self.words.parts(parts, self.group.kind if self.group is not None else "")

    def member(self, member_id: str) -> str:
        """Return the name of a member of the group."""
        known = self.group.members.get(member_id) if self.group is not None else None
        return self.words.member_id(member_id, known.client if known is not None else "")

    def fields(self, left_out: set[str]) -> str:
        """Return the fields of the message but these."""
        return self.words.brief.message(self.message, self.seen.schema_version, left_out)

    def inside(self, array: str) -> Iterator[tuple[Any, str]]:
        """Yield the elements of an array, each with the line of what is inside of it."""
        found = {inner.path.partition(".")[0]: inner for inner in self.opened}
        for number, item in enumerate(getattr(self.message, array)):
            inner = found.get(f"{array}[{number}]")
            said = (
                self.words.brief.opened(inner) if inner is not None else "no bytes that are known"
            )
            yield item, said

    def refusal(self) -> Paragraph | None:
        """Return the paragraph of an error response; None for any other frame."""
        code = getattr(self.message, "error_code", 0)
        if not code:
            return None
        about = self.frame.api if self.named_before else self.about
        paragraph = f"{self.who} is told {error_name(code)} ({about})"
        lost = self.change.lost
        if lost:
            paragraph += f", and loses {self.parts(lost)}"
        elif "fenced" in self.change.what or code in _OUT:
            paragraph += ": the broker does not have it as a member"
        return Paragraph(paragraph, failed=code not in ROUTINE)


_OUT = {25}  # UNKNOWN_MEMBER_ID


def paragraph_of(scene: Scene) -> Paragraph:
    """Return what is told of a frame."""
    write = _WRITERS.get((scene.frame.api, scene.frame.direction), _of_any)
    return write(scene)


def says_something(frame: Frame, message: Any, change: Change, membership: bool) -> bool:
    """Return whether a frame is told; routine frames are only counted."""
    kind = frame.api, frame.direction
    if kind in _HEARTBEATS:
        return bool(change.what) or bool(getattr(message, "error_code", 0))
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
    if scene.change.gone:
        details.append(("no longer claims", scene.parts(scene.change.gone)))
    type_ = scene.text(message.protocol_type, "protocol_type")
    about = f"JoinGroup {scene.frame.api_version}, protocol type {type_}"
    about += scene.about.removeprefix(f"JoinGroup {scene.frame.api_version}")
    return Paragraph(f"{scene.who} joins{again}{named} ({about}){why}", tuple(details))


def _joined(scene: Scene) -> Paragraph:
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
    said = from_to(wait.time)
    if wait.last:
        said += " for " + "; ".join(map(scene.words.waited_for, wait.last))
    else:
        said += "; for no member that this capture shows: perhaps for more members of a new group"
    if wait.limit:
        said += f"; a coordinator waits {seconds(wait.limit)} at most (longest rebalance timeout)"
    yield "waited", said


def _assigns(scene: Scene) -> Paragraph:
    details = tuple(
        (scene.member(each.member_id), inside if each.assignment else "nothing at all")
        for each, inside in scene.inside("assignments")
    )
    return Paragraph(f"{scene.who} assigns in generation {scene.message.generation_id}", details)


def _gets(scene: Scene) -> Paragraph:
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    given = [scene.words.brief.opened(inner) for inner in scene.opened]
    nothing = "bytes that are not known" if scene.message.assignment else "nothing at all"
    return Paragraph(f"{scene.who} gets {given[0] if given else nothing}", tuple(_idle(scene)))


def _idle(scene: Scene) -> Iterator[tuple[str, str]]:
    idle = scene.change.idle
    if idle is not None and idle.length >= STALL_MS:
        yield "no member here owned anything", from_to(idle)


def _leaves(scene: Scene) -> Paragraph:
    message = scene.message
    who = [scene.member(member.member_id) for member in message.members]
    who = who or [scene.member(message.member_id)]
    reasons = {member.reason for member in message.members if getattr(member, "reason", None)}
    why = "".join(f" because {scene.text(reason, 'reason')}" for reason in sorted(reasons))
    gone = f", and gives up {scene.parts(scene.change.gone)}" if scene.change.gone else ""
    sender = scene.words.client(scene.peer.client)
    return Paragraph(f"{sender} leaves: {', '.join(who)}{why}{gone}")


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
    if change.what & {"leaves", "leaves for now"}:
        meant = " and means to come back" if "leaves for now" in change.what else ""
        gone = f", and gives up {scene.parts(change.gone)}" if change.gone else ""
        return Paragraph(f"{scene.who} leaves{named}{meant} {about}{gone}")
    for joins in change.what & {"joins", "joins again"}:
        left_out = _SAID_OF_STREAMS if scene.frame.api.startswith("Streams") else _SAID
        said = scene.fields(left_out | {"instance_id"})
        owns = f"; still has {scene.parts(change.parts)}" if change.parts else ""
        return Paragraph(f"{scene.who} {joins}{named} {about}{': ' if said else ''}{said}{owns}")
    does: list[str] = []
    if "subscribes" in change.what:
        topics = ", ".join(scene.text(topic, "topic") for topic in message.subscribed_topic_names)
        does.append(f"subscribes to {topics or 'nothing'} from now on")
    if change.gone:
        waited = "" if change.waited is None else f", {seconds(change.waited)} after it was told to"
        does.append(f"has given up {scene.parts(change.gone)}{waited}")
    if change.new or change.gone:
        done = ", as assigned: acknowledged" if "acknowledged" in change.what else ""
        does.append(f"owns {scene.parts(change.parts)}{done}")
    return Paragraph(f"{scene.who} {'; '.join(does)} {about}", tuple(_idle(scene)))


def _is_given(scene: Scene) -> Paragraph:
    """A heartbeat's response."""
    refusal = scene.refusal()
    if refusal is not None:
        return refusal
    change, epoch = scene.change, scene.message.member_epoch
    gets = "shares" if scene.group is not None and scene.group.kind == "share" else "gets"
    said = [f"{gets} {scene.parts(change.new)}"] if change.new else []
    if change.back:
        said.append(f"must give up {scene.parts(change.back)}")
    if not said and not change.parts:
        said.append(f"{gets} nothing so far")
    elif not change.new:
        said.append(f"keeps {scene.parts(change.parts)}")
    elif change.parts != change.new:
        said.append(f"has {scene.parts(change.parts)} in all")
    details = [
        (name, scene.parts(spares))
        for name, spares in zip(("standby", "warm-up"), change.spares, strict=True)
        if spares
    ]
    if "status" in change.what:
        details += [(_status(code), scene.text(detail, "reason")) for code, detail in change.status]
    for member in change.out:
        told = f"{scene.words.member(member)} ({scene.words.last_seen(member)})"
        details.append(("no longer in the group", told))
    details += _idle(scene)
    version = f"{scene.about}, member epoch {epoch}"
    return Paragraph(f"{scene.who} {', '.join(said)} ({version})", tuple(details))


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
    said = scene.fields(left_out)
    verb = "asks" if scene.frame.direction == "request" else "is answered"
    brief = scene.words.brief
    details = tuple((inner.path, brief.opened(inner)) for inner in scene.opened)
    return Paragraph(f"{scene.who} {verb} ({scene.about}){': ' if said else ''}{said}", details)


def _refused_in_part(scene: Scene, errors: list[tuple[int, str, object, int]]) -> Paragraph:
    """Errors that a response has for some of its parts: `{code: what it is about}`."""
    by_code: dict[int, list[str]] = {}
    for code, field, name, number in errors:
        where = scene.words.brief.topic(name) if field == "topic" else ""  # type: ignore[arg-type]
        where = where or scene.text(str(name), field)
        by_code.setdefault(code, []).append(f"{where} {number}" if number >= 0 else where)
    said = "; ".join(
        f"{error_name(code)} for {scene.words.brief.listed(names)}"
        for code, names in by_code.items()
    )
    return Paragraph(f"{scene.who} is told {said} ({scene.frame.api})", failed=True)


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
    for each in getattr(message, "coordinators", None) or ():
        if each.error_code:
            yield each.error_code, "group_id", each.key, -1
    for each in getattr(message, "members", None) or ():
        if getattr(each, "error_code", 0):
            yield each.error_code, "member_id", each.member_id, -1


def _is_well(message: Any) -> bool:
    return not getattr(message, "error_code", 0)


def _all_is_well(message: Any) -> bool:
    return _is_well(message) and next(_errors(message), None) is None


_Writer = Callable[[Scene], Paragraph]
_WRITERS: dict[tuple[str, str], _Writer] = {
    ("JoinGroup", "request"): _joins,
    ("JoinGroup", "response"): _joined,
    ("SyncGroup", "request"): _assigns,
    ("SyncGroup", "response"): _gets,
    ("LeaveGroup", "request"): _leaves,
    ("ConsumerGroupHeartbeat", "request"): _reports,
    ("ConsumerGroupHeartbeat", "response"): _is_given,
    ("ShareGroupHeartbeat", "request"): _reports,
    ("ShareGroupHeartbeat", "response"): _is_given,
    ("StreamsGroupHeartbeat", "request"): _reports,
    ("StreamsGroupHeartbeat", "response"): _is_given,
}
_HEARTBEATS = frozenset(kind for kind in _WRITERS if kind[0].endswith("GroupHeartbeat"))

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
