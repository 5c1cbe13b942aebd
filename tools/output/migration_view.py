"""The fleet's migration on a terminal or a page: a table, what stops each group, and plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...inspector.views.escaping import cut, escaped
from ...rebalance.migration import ClassicGroup, Judgement, Plan, Reason, plan_of

_STYLES = {"ready": "green", "blocked": "red", "unknown": "yellow"}
_NAME = 60
_HEX = 64


class MigrationView:
    """A renderable of rich. `in_full` adds each group's plan."""

    def __init__(
        self, fleet: Sequence[tuple[ClassicGroup, Judgement]], *, in_full: bool = False
    ) -> None:
        self._fleet = fleet
        self._in_full = in_full

    def __rich__(self) -> RenderableType:
        return Group(*self._parts())

    def _parts(self) -> Iterator[RenderableType]:
        yield self._table()
        for group, judgement in self._fleet:
            if judgement.reasons or judgement.later or self._in_full:
                yield from _story(group, judgement, in_full=self._in_full)
        counts: Counter[str] = Counter(judgement.verdict for _, judgement in self._fleet)
        said = ", ".join(f"{counts[name]:,} {name}" for name in _STYLES if counts[name])
        yield Text(f"\n{len(self._fleet):,} groups: {said}")
        if not self._in_full and len(self._fleet) > 0:
            yield Text("--group ID shows a group's plan step by step, and the way back", "dim")

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
        table.add_column("group", overflow="fold", min_width=12)
        table.add_column("verdict")
        table.add_column("error", overflow="fold")
        table.add_column("members", justify="right")
        table.add_column("protocol", overflow="fold")
        table.add_column("by whom", overflow="fold", ratio=1)
        for group, judgement in self._fleet:
            blamed = [reason.member_id for reason in judgement.reasons if reason.member_id]
            table.add_row(
                Text(_name(judgement.group_id)),
                Text(judgement.verdict, _STYLES[judgement.verdict]),
                Text(judgement.error or "?"),
                Text("?" if group.members is None else f"{len(group.members):,}"),
                Text(_name(group.protocol_selected() or "")),
                Text(", ".join(_name(_who(group, member)) for member in dict.fromkeys(blamed))),
            )
        return table


def _story(group: ClassicGroup, judgement: Judgement, *, in_full: bool) -> Iterator[Text]:
    yield Text(f"\n{_name(judgement.group_id)}: {judgement.verdict}", "bold")
    for reason in judgement.reasons:
        yield from _reason(group, reason)
    for reason in judgement.later:
        yield from _reason(group, reason, "later: ")
    if in_full:
        yield from _plan(plan_of(group, judgement))


def _reason(group: ClassicGroup, reason: Reason, prefix: str = "") -> Iterator[Text]:
    who = f"{_name(_who(group, reason.member_id))}: " if reason.member_id else ""
    at = f" ({escaped(reason.path)})" if reason.path else ""
    yield Text(f"  {prefix}{who}{escaped(reason.explanation)}{at}")
    if reason.data:
        yield Text(f"    bytes   {cut(reason.data.hex(), _HEX)}", "dim")
    if reason.error is not None:
        yield Text(f"    answer  {reason.error}", "dim")
    yield Text(f"    do      {reason.remedy}", "dim")


def _plan(plan: Plan) -> Iterator[Text]:
    yield Text("  plan", "bold")
    for number, step in enumerate(plan.steps, 1):
        yield Text(f"    {number}. {step}")
    yield Text("  what changes", "bold")
    for change in plan.changes:
        yield Text(f"    - {change}")
    yield Text("  the way back", "bold")
    yield Text(f"    {plan.way_back}")
    yield Text("  from where on there is none", "bold")
    yield Text(f"    {plan.no_return}")


def _who(group: ClassicGroup, member_id: str) -> str:
    """Return a member's id, and its instance id where it has one."""
    for member in group.members or ():
        if member.member_id == member_id and member.instance_id is not None:
            return f"{member_id} ({member.instance_id})"
    return member_id


def _name(text: str) -> str:
    return cut(escaped(text), _NAME)
