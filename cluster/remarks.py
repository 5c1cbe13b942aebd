"""What is wrong with a group, or notable: in its members' bytes, and between its members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..history.causes import CAUSES
from ..inspector.shapes.group_shapes import LEVELS, Group, Remark
from ..rebalance.judgements import JUDGEMENTS, cannot_migrate
from .migration import judged


def remarks(
    group: Group, of_bytes: Iterable[Remark] = (), *, briefly: bool = False
) -> tuple[Remark, ...]:
    """Return the remarks on a group: those `of_bytes` of its members, and those between its
    members; `briefly`, for lists, nothing of what may come. The worst come first."""
    between = _between(group, briefly=briefly)
    in_order = sorted([*of_bytes, *between], key=lambda remark: LEVELS.index(remark.level))
    return tuple(dict.fromkeys(in_order))


def _between(group: Group, *, briefly: bool) -> Iterator[Remark]:
    for judgement in JUDGEMENTS:
        for fact in judgement.find(group):
            advice = CAUSES[fact.cause].advice if fact.cause else ""
            of_cause = (fact.cause or None, fact.certainty, advice)
            yield Remark(judgement.level, judgement.code, fact.text, fact.member_id, *of_cause)
    if not briefly and group.protocol_type == "consumer" and group.kind == "classic":
        for fact in cannot_migrate(judged(group).reasons):
            yield Remark("note", "cannot-migrate", fact.text, fact.member_id)
