"""The words of a story: members by names that differ, parts, durations, times of day."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from uuid import UUID

from ..inspector.views.summary_line import Brief, moment
from .groups import Cause, Member, WaitedFor
from .ownership import Interval, Parts
from .topic_names import TopicNames

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
        known = self._names.get(place)
        if known is None:
            known = self._new(front, tail, place)
        return known

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

    def member(self, member: Member) -> str:
        """Return a member's name."""
        if not member.member_id:
            return self.client(member.client)
        return self.member_id(member.member_id, member.client)

    def member_id(self, member_id: str, client: str = "") -> str:
        """Return the name of the member with an id; `client` is its client id, if known."""
        return self.brief.text(self._names.name(member_id, client), "member_id")

    def parts(self, parts: Parts, kind: str) -> str:
        """Return partitions by topic, or tasks as Kafka Streams writes them; "nothing" for none."""
        if not parts:
            return "nothing"
        if kind == "streams":
            return "tasks " + self.brief.listed(
                [f"{sub}_{number}" for sub, number in _sorted(parts)]
            )
        topics: dict[str | UUID, list[int]] = {}
        for topic, number in parts:
            topics.setdefault(self._topics.name(topic), []).append(number)
        order = sorted(topics.items(), key=lambda each: str(each[0]))
        return self.brief.listed([self.brief.partitions(*each) for each in order])

    def waited_for(self, waited: WaitedFor) -> str:
        """Return who was waited for, and what was last seen of it."""
        member, name = waited.member, self.member(waited.member)
        if waited.joined is not None:
            return f"{name}, which joined at {clock(waited.joined)}"
        return f"{name}, which did not join ({self.last_seen(member)})"

    def last_seen(self, member: Member) -> str:
        """Return when a member was last heard of, how it went away, and its session timeout."""
        if member.heard is None:
            return "this capture has none of its requests"
        said = [f"last heard of at {clock(member.heard)}"]
        if member.closed is not None:
            said.append(f"its connection was closed at {clock(member.closed)}, without leaving")
        if member.session_ms:
            said.append(f"session timeout {seconds(member.session_ms)}")
        return ", ".join(said)

    def cause(self, cause: Cause) -> str:
        """Return why a rebalance began."""
        if cause.member is None:
            return f"{_UNSEEN[cause.what]}; what caused it is not in the capture"
        said = f"{self.member(cause.member)} {_CAUSES[cause.what]}"
        if cause.reason and not cause.reason.startswith(_SAYS_NOTHING):
            said += f" ({self.brief.text(cause.reason, 'reason')})"
        if cause.certain:
            return said
        return f"probably {said}: {self.last_seen(cause.member)}"


_SAYS_NOTHING = "need to re-join with the given member-id"  # how Java joins, the second time
_UNSEEN = {"unseen": "members were told to rejoin", "raised": "the epoch rose"}
_CAUSES = {
    "joined": "joined",
    "rejoined": "joined again",
    "left": "left",
    "subscribed": "changed its subscription",
    "fenced": "was fenced",
    "expired": "was no longer heard of",
}


def _sorted(parts: Parts) -> Iterable[tuple[str, int]]:
    return sorted((str(part[0]), part[1]) for part in parts)


def clock(when: float) -> str:
    """Return the time of day of a timestamp, in UTC."""
    text = moment(when)
    return text[11:] or text


def seconds(milliseconds: float) -> str:
    """Return a duration: `340 ms`, `3.2 s`, `2 min 5 s`, `1 h 3 min`."""
    if milliseconds < 1_000:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 60_000:
        return f"{milliseconds / 1_000:.1f}".removesuffix(".0") + " s"
    whole = round(milliseconds / 1_000)
    if whole < 3_600:
        return f"{whole // 60} min {whole % 60} s".removesuffix(" 0 s")
    return f"{whole // 3_600} h {whole % 3_600 // 60} min".removesuffix(" 0 min")


def from_to(time: Interval) -> str:
    """Return an interval with its length."""
    return f"from {clock(time.start)} to {clock(time.end)} ({seconds(time.length)})"
