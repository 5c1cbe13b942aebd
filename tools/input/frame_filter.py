"""Choose frames of a capture: --group, --client, --topic, --since, --until."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from ..output.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from ...capture.frames.frame import Frame
    from ...history.calls import Call
    from ...history.topic_names import TopicNames

OPTIONS = {
    "group": "--group",
    "client": "--client",
    "topic": "--topic",
    "since": "--since",
    "until": "--until",
    "hosts": "--hosts",
}


def add_filters(parser: ArgumentParser) -> None:
    """Add the options for captures of packets and frames."""
    of = parser.add_argument_group("packets and frames")
    for name, what in (("group", "group"), ("client", "client id"), ("topic", "topic")):
        of.add_argument(
            f"--{name}",
            metavar="NAME",
            action="append",
            help=f"only what is about this {what} (may be given several times)",
        )
    of.add_argument(
        "--since",
        metavar="TIME",
        help="only from then on: 2026-11-21T08:29:34.5, or 08:29:34 (UTC)",
    )
    of.add_argument("--until", metavar="TIME", help="only until then, and read no further")
    of.add_argument(
        "--hosts", action="store_true", help="name both ends of the connection in the story"
    )


def given(arguments: Namespace) -> list[str]:
    """Return those of the options that a call gives."""
    return [option for name, option in OPTIONS.items() if getattr(arguments, name, None)]


class FrameFilter:
    """The choice that a call makes; `any` is False where it makes none."""

    def __init__(self, arguments: Namespace, topics: TopicNames) -> None:
        self.groups = frozenset(arguments.group or ())
        self._clients = frozenset(arguments.client or ())
        self._topics = tuple(arguments.topic or ())
        self._names = topics
        self._since = _Time("--since", arguments.since)
        self._until = _Time("--until", arguments.until)
        self.any = bool(given(arguments)) and given(arguments) != ["--hosts"]
        self.met: set[str] = set()
        """The groups of the frames that were chosen so far."""
        self._asked = ", ".join(option for option in given(arguments) if option != "--hosts")
        self._chosen = False

    def is_over(self, frame: Frame) -> bool:
        """Return whether a frame is later than all that are chosen."""
        return self._until.given and self._until.is_before(frame.timestamp)

    def chooses(self, frame: Frame, call: Call) -> bool:
        """Return whether a frame is chosen."""
        chosen = self.chooses_member(call.group, call.client, frame.timestamp) and (
            not self._topics or any(self._names_topic(frame, topic) for topic in self._topics)
        )
        self._chosen = self._chosen or chosen
        if chosen and call.group:
            self.met.add(call.group)
        return chosen

    @property
    def remark(self) -> str:
        """What to say where no frame was chosen; it quotes no name, which --redact would hide."""
        return "" if self._chosen or not self.any else f"no frame was chosen by {self._asked}"

    def chooses_member(self, group: str, client: str, timestamp: float | None) -> bool:
        """Return whether what happens to a group's member is chosen, whatever its topics are."""
        if self.groups and group not in self.groups:
            return False
        if self._clients and client not in self._clients:
            return False
        return not (
            (self._since.given and not self._since.is_at_most(timestamp))
            or (self._until.given and self._until.is_before(timestamp))
        )

    def _names_topic(self, frame: Frame, topic: str) -> bool:
        """Whether the body has the topic's name, as any message writes it, or its id."""
        name, body = topic.encode(), frame.body_data
        size = len(name)
        forms = [size.to_bytes(2, "big") + name, _varint(size + 1) + name]
        topic_id = self._names.id_of(topic)
        if topic_id is not None:
            forms.append(topic_id.bytes)
        return any(form in body for form in forms)


def _varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])


class _Time:
    """A time of an option; one without a day is of the day of the first frame that it is compared
    with."""

    def __init__(self, option: str, text: str | None) -> None:
        self.given = text is not None
        self._at: float | None = None
        self._time: time | None = None
        if text is None:
            return
        try:
            if len(text) > len("00:00:00.000000+00:00") or "T" in text or text.count("-") > 1:
                self._at = _utc(datetime.fromisoformat(text)).timestamp() * 1000
            else:
                self._time = time.fromisoformat(text)
        except ValueError:
            example = "2026-11-21T08:29:34.5 or 08:29:34"
            raise Failure(
                f"{option} {text!r}: no time; it is written {example}", WRONG_USE
            ) from None

    def is_at_most(self, timestamp: float | None) -> bool:
        """Return whether it is not later than a timestamp."""
        return timestamp is not None and self._on_the_day_of(timestamp) <= timestamp

    def is_before(self, timestamp: float | None) -> bool:
        """Return whether it is earlier than a timestamp."""
        return timestamp is not None and self._on_the_day_of(timestamp) < timestamp

    def _on_the_day_of(self, timestamp: float) -> float:
        if self._at is None:
            assert self._time is not None
            day = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=timestamp)
            self._at = _utc(datetime.combine(day.date(), self._time)).timestamp() * 1000
        return self._at


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
