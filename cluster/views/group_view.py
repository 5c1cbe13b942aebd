"""The view of one group: its state, each member with what its bytes say, partitions, remarks."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...escaping import escaped
from ...inspector.diagnose.levels import LEVELS
from ...inspector.shapes.group_shapes import Committed, Group, Member, SettingJudgement
from ...inspector.shapes.shape import Shares
from ...inspector.views import theme
from ...inspector.views.page_parts import PartStart
from ...inspector.views.summary_line import Brief
from ...inspector.views.theme import Glyphs, HangingIndent, glyphs_for
from ...wording import counted
from .columns import Cell, Columns
from .diagnosis_view import diagnosis_lines, history_line
from .listing_view import LEVEL_STYLES, number, problem_lines
from .member_names import ClientNames

_LABEL = 11  # columns of a member's labels
_HEADS = ("topic", "partition", "committed", "end", "lag", "member")
_DETAILED_HEADS = (*_HEADS[:5], "epoch", "metadata", "member")
_STARTS = "starts at"  # in place of what is committed, in a share group
_RATES = ("arrive/s", "committed/s")
_NUMBERS = ("partition", "committed", _STARTS, "end", "lag", "epoch", *_RATES)
_OF_TASKS = ("streams", "connect")
_OF_THE_BROKER = ("consumer", "share", "streams")
_NO_WRITERS = (
    "which client each is does not show: where the broker assigns, members send no bytes of their "
    "own that would tell"
)
_ALWAYS = 60  # partitions that are shown one by one, unless all are asked for


class GroupView:
    """A `Group`. `full`: every partition has a line, and nothing is cut short. `level` is that of
    the mildest remarks that are shown."""

    def __init__(self, group: Group, *, full: bool = False, level: str = LEVELS[-1]) -> None:
        self._group = group
        self._full = full
        self._level = level

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        brief = Brief(glyphs, full=self._full)
        group = self._group
        yield _title(group, brief, glyphs)
        if origin := _origin(group, brief, glyphs):
            yield Text(origin, theme.QUIET)
        diagnosis = [*diagnosis_lines(group, self._level, brief, glyphs, full=self._full)]
        if diagnosis:
            yield Text()
            yield from diagnosis
        if group.client_settings:
            yield Text()
            for judgement in group.client_settings:
                yield setting_line(judgement, glyphs)
        yield from self._members(brief, glyphs)
        yield PartStart()
        if group.partitions:
            yield Text()
            yield from self._partitions(brief, glyphs)
        if group.problems:
            yield Text()
        yield from problem_lines(group.problems, glyphs)
        if group.history is not None:
            yield Text()
            yield history_line(group.history, glyphs)
        elif group.in_history:
            yield Text()
            text = _plain(group.in_history, glyphs)
            yield HangingIndent(Text(f"{glyphs.dot} ", theme.QUIET), Text(text, theme.QUIET))

    def _members(self, brief: Brief, glyphs: Glyphs) -> RenderResult:
        for member in self._group.members:
            yield PartStart(_labels(member, brief))
            yield Text()
            yield from _member(member, self._group, brief, glyphs)
        if self._group.kind in _OF_THE_BROKER and self._group.members:
            yield PartStart()
            yield Text()
            text = _plain(_NO_WRITERS, glyphs)
            yield HangingIndent(Text(f"{glyphs.dot} ", theme.QUIET), Text(text, theme.QUIET))

    def _partitions(self, brief: Brief, glyphs: Glyphs) -> Iterator[Columns | Text]:
        partitions = self._group.partitions
        if not self._full and len(partitions) > _ALWAYS:
            partitions = tuple(sorted(partitions, key=_by_interest)[:_ALWAYS])
        by_id = {member.member_id: member for member in self._group.members}
        names = {} if self._full else ClientNames(by_id.values()).of(by_id.values())
        full = self._full
        heads: tuple[str, ...] = _DETAILED_HEADS if full else _HEADS
        if self._group.kind == "share":
            heads = tuple(_STARTS if head == "committed" else head for head in heads)
        is_rated = any(partition.arrivals_a_second is not None for partition in partitions)
        if is_rated:
            heads = (*heads[:5], *_RATES, *heads[5:])
        rows = [
            _row(partition, names, brief, full=full, is_rated=is_rated) for partition in partitions
        ]
        labels = [_labels_of_partition(partition, by_id, brief) for partition in partitions]
        yield Columns(heads, rows, _NUMBERS, labels, names=True)
        rest = len(self._group.partitions) - len(partitions)
        if rest:
            text = f"{glyphs.ellipsis} {rest:,} partitions more, those with the most lag are above"
            yield Text(f"{text}: --full shows all", theme.QUIET)


def _by_interest(partition: Committed) -> tuple[bool, int, str, int]:
    return bool(partition.members), -(partition.lag or 0), partition.topic, partition.partition


def _title(group: Group, brief: Brief, glyphs: Glyphs) -> Text:
    kind = "group of unknown kind" if group.kind == "unknown" else f"{group.kind} group"
    parts = [kind, _plain(group.state, glyphs) or "unknown state"]
    if group.protocol:
        parts.append(brief.text(group.protocol, "protocol"))
    count = group.size
    parts.append(counted(count, "member"))
    if group.partitions:
        parts.append(f"lag {number(group.lag)}")
    name = brief.text(group.group_id, "group_id")
    return Text.assemble((name, theme.TITLE), f" {glyphs.dot} ".join(["", *parts]))


def _origin(group: Group, brief: Brief, glyphs: Glyphs) -> str:
    number_ = f" ({group.coordinator_id})" if group.coordinator_id is not None else ""
    place = f" {brief.text(group.coordinator, 'host')}" if group.coordinator else ""
    parts = [f"coordinator{place}{number_}"] if place or number_ else []
    if group.protocol_type not in ("", group.kind):
        parts.append(f"protocol type {brief.text(group.protocol_type, 'protocol_type')}")
    if group.epoch is not None:
        parts.append(f"epoch {group.epoch}")
    if group.assigned_epoch is not None:
        parts.append(f"target assignment of epoch {group.assigned_epoch}")
    return f" {glyphs.dot} ".join(parts)


def setting_line(judgement: SettingJudgement, glyphs: Glyphs) -> HangingIndent:
    """Return what a client's setting has to do with what happened, and what to change."""
    sign = {"error": glyphs.failed, "warning": glyphs.warn}.get(judgement.level, glyphs.dot)
    head = Text(f"{sign} {judgement.code}  ", LEVEL_STYLES[judgement.level])
    body = Text(_plain(f"{judgement.explanation}. ", glyphs))
    change = judgement.what_to_change
    body.append(_plain(f"{change[0].upper()}{change[1:]}.", glyphs), theme.TITLE)
    if judgement.evidence:
        body.append(_plain(f" ({'; '.join(judgement.evidence)})", glyphs), theme.QUIET)
    return HangingIndent(head, body)


def _plain(text: str, glyphs: Glyphs) -> str:
    return escaped(text, ascii_only=glyphs.ascii_only)


def _member(
    member: Member, group: Group, brief: Brief, glyphs: Glyphs
) -> Iterator[Text | HangingIndent]:
    name = _name(member, brief)
    parts = [brief.text(member.host, "host")] if member.host else []
    if group.kind == "consumer" and member.protocol == "classic":
        parts.append("uses the classic protocol")
    yield Text.assemble((name, theme.TITLE), f" {glyphs.dot} ".join(["", *parts]))
    for label, value in _facts(member, group.kind, brief, glyphs):
        head = Text(f"  {label:{_LABEL}}", theme.QUIET)
        yield HangingIndent(head, Text(value))


def _name(member: Member, brief: Brief) -> str:
    return brief.text(member.client_id or member.member_id, "client_id")


def _labels(member: Member, brief: Brief) -> dict[str, list[str]]:
    """Return what a member is chosen by on a page: its name, and its topics."""
    topics = dict.fromkeys((*member.topics, *member.assigned))
    return {
        "member": [_name(member, brief)],
        "topic": [brief.text(topic, "topic") for topic in topics],
        "has": ["partitions" if member.partitions else "nothing"],
    }


def _labels_of_partition(
    partition: Committed, by_id: dict[str, Member], brief: Brief
) -> dict[str, list[str]]:
    members = [by_id[member_id] for member_id in partition.members if member_id in by_id]
    return {
        "member": [_name(member, brief) for member in members],
        "topic": [brief.text(partition.topic, "topic")],
        "has": ["partitions"],
    }


def _facts(member: Member, kind: str, brief: Brief, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    """Yield what is known of a member, each with its label."""
    dot = f" {glyphs.dot} "
    yield "id", dot.join(_identity(member, brief))
    if member.could_be:
        yield "written by", f"could be {', '.join(member.could_be)}"
    wants = [brief.text(topic, "topic") for topic in member.topics]
    if member.regex:
        wants.append(f"all that match {brief.text(member.regex, 'topic')}")
    if wants:
        version = [f"subscription v{member.version}"] if member.version is not None else []
        yield "subscribes", dot.join([", ".join(wants), *version])
    if member.owned or member.generation is not None:
        of = [f"generation {member.generation}"] if member.generation is not None else []
        yield "owned", dot.join([_DIVIDES.get(kind, _shares)(member.owned, brief), *of])
    if member.user_data:
        yield "user data", brief.text(member.user_data, "user_data").strip('"')
    epoch = [f"epoch {member.epoch}"] if member.epoch is not None else []
    if member.topology_epoch is not None:
        epoch.append(f"topology epoch {member.topology_epoch}")
    divides = _DIVIDES.get(kind, _shares)
    count = member.partitions
    unit = "tasks" if kind in _OF_TASKS else "partitions"
    many = [f"{count:,} {unit}"] if count > 1 else []
    yield "has", dot.join([divides(member.assigned, brief), *many, *epoch])
    if member.target is not None and member.target != member.assigned:
        yield "is to have", divides(member.target, brief)
    for label, tasks, target in (
        ("standby", member.standby, member.target_standby),
        ("warm-up", member.warmup, member.target_warmup),
    ):
        if tasks or target:
            missing = [f"is to have {_tasks(target, brief)}"] if tasks != target else []
            yield label, dot.join([_tasks(tasks, brief), *missing])


def _identity(member: Member, brief: Brief) -> Iterator[str]:
    for label, value, field in (
        ("", member.member_id, "member_id"),
        ("instance ", member.instance_id, "group_instance_id"),
        ("rack ", member.rack or None, "rack_id"),  # librdkafka sends an empty one for none
        ("process ", member.process_id, "process_id"),
        ("at ", member.endpoint, "host"),
    ):
        if value is not None:
            yield f"{label}{brief.text(value, field)}"


def _tasks(tasks: Shares, brief: Brief) -> str:
    """Return tasks as Kafka Streams names them: "0_3" is partition 3 of subtopology 0."""
    names = [
        f"{brief.text(part, 'subtopology_id')}_{number}"
        for part, numbers in tasks.items()
        for number in numbers
    ]
    return brief.listed(names) or "nothing"


def _work(shares: Shares, brief: Brief) -> str:
    """Return what a Connect worker runs: connectors (task -1) and numbers of tasks."""
    parts = []
    for name, numbers in shares.items():
        tasks = tuple(number_ for number_ in numbers if number_ >= 0)
        if len(tasks) < len(numbers):
            parts.append(f"{brief.text(name, 'topic')} connector")
        if tasks:
            parts.append(brief.partitions(name, tasks))
    return ", ".join(parts) or "nothing"


def _shares(shares: Shares, brief: Brief) -> str:
    return brief.shares(shares)


_DIVIDES = {"streams": _tasks, "connect": _work}
"""How the work of members is named, where it is no partitions."""


def _row(
    partition: Committed, names: dict[str, str], brief: Brief, *, full: bool, is_rated: bool
) -> list[Cell]:
    members = [brief.text(names.get(id_, id_), "member_id") for id_ in partition.members]
    style = theme.WARN if partition.lag else theme.PLAIN
    cells: list[Cell] = [
        (brief.text(partition.topic, "topic"), theme.PLAIN),
        (str(partition.partition), theme.PLAIN),
        (number(partition.start if partition.offset is None else partition.offset), theme.PLAIN),
        (number(partition.end), theme.PLAIN),
        (number(partition.lag), style),
    ]
    if is_rated:
        rates = (partition.arrivals_a_second, partition.commits_a_second)
        cells += [("-" if rate is None else f"{rate:,.1f}", theme.PLAIN) for rate in rates]
    if full:
        cells.append((number(partition.leader_epoch), theme.PLAIN))
        cells.append(
            (brief.text(partition.metadata, "metadata") if partition.metadata else "-", theme.PLAIN)
        )
    cells.append((", ".join(members) or "-", theme.PLAIN))
    return cells
