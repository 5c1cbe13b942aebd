"""Keys of groups of the consumer protocol: equal if only the size of their epochs differs.

Epochs grow for ever, and nothing in the machines depends on more than their order and on 0, -1 and
-2; a key has their ranks, so that a livelock is a cycle and not an endless line of new states.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, cast

from ....codec.runtime.message import MessagePart
from .consumer_model import ConsumerGroupWorld

_EPOCHS = frozenset({"epoch", "previous_epoch", "assignment_epoch", "member_epoch", "committed_in"})
_WITH_EPOCHS = frozenset({"assigned", "revoking"})


class _Part(NamedTuple):
    shape: Hashable
    epochs: tuple[int, ...]


class ConsumerKeys:
    """Computes the keys of groups; each distinct part of a group is taken apart once."""

    def __init__(self) -> None:
        self._parts: dict[Any, _Part] = {}

    def of(self, group: ConsumerGroupWorld) -> Hashable:
        """Return the key, which is equal for groups that can go on in the same ways."""
        parts = [self._part(machine) for machine in (*group.processes, group.coordinator)]
        found = [epoch for part in parts for epoch in part.epochs]
        ranks = {epoch: rank for rank, epoch in enumerate(sorted({e for e in found if e > 0}), 1)}
        return (
            tuple(part.shape for part in parts),
            tuple(ranks.get(epoch, epoch) for epoch in found),
            group[2:],
        )

    def _part(self, value: Any) -> _Part:
        known = self._parts.get(value)
        if known is None:
            epochs: list[int] = []
            known = self._parts[value] = _Part(_walk(value, epochs), tuple(epochs))
        return known


def _walk(value: Any, epochs: list[int]) -> Hashable:
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        if names is None:
            return tuple(_walk(part, epochs) for part in value)
        return tuple(_field(name, part, epochs) for name, part in zip(names, value, strict=True))
    if isinstance(value, MessagePart):
        fields = value.__struct_fields__
        return (type(value).__name__, *(_field(n, getattr(value, n), epochs) for n in fields))
    return cast(Hashable, value)


def _field(name: str, value: Any, epochs: list[int]) -> Hashable:
    if name in _EPOCHS and value is not None:
        epochs.append(value)
        return "E"
    if name in _WITH_EPOCHS:
        epochs.extend(epoch for _, epoch in value)
        return tuple(partition for partition, _ in value)
    return _walk(value, epochs)
