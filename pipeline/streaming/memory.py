"""The state of a group between two batches, and its form in bytes.

Spark keeps the bytes in its checkpoint. Rules and partition counts are not in them: those are the
running process's own, so that a rule may be tuned between two runs. Reading allows classes of this
project alone, whatever a checkpoint holds.
"""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ...codec import KprotoError
from ...history.restarts import Occupancy, Restart, Restarts, Vacancy
from ...rebalance.frameworks import ConnectRound, StreamsRound, Worker
from ..audit import Context, Finding, GroupFold, MemberSeen, Place, Rule, Step
from ..audit.epochs import EpochFold
from ..audit.loading import Loading, Obstacle
from ..audit.modern import ModernFold, ModernState, Stamped, Tenure
from ..audit.rebalances import RebalanceHistory, Takeover
from ..audit.round_facts import Round, RoundFacts
from ..audit.rules import STEP_RULES
from ..audit.storm_causes import Stay, Stays
from ..audit.window import Arrival, Departure
from ..groups.states import GroupState
from .position import RebalancingGroup

__all__ = ["SHAPE", "Keeper", "Memory", "NotReadable"]

_OWN = ("rules", "context", "_evaluated", "_settles")
"""What a fold has from its process."""
_FAST = 1  # zlib's level: most of it is names that come again and again
_ALLOWED = {
    ("builtins", "frozenset"),
    ("builtins", "set"),
    ("collections", "Counter"),
    ("collections", "deque"),
    ("kproto.codec.definitions", "rebuild"),  # of a message and its fields
    ("msgspec._utils", "rebuild"),
    ("uuid", "UUID"),
}

_BROKEN = (
    AttributeError, EOFError, ImportError, TypeError, ValueError,
    pickle.UnpicklingError, zlib.error,
)  # fmt: skip


class NotReadable(KprotoError):
    """A checkpoint that is of another release, or damaged."""


class Memory(msgspec.Struct):
    """What is kept of a group; times in milliseconds since 1970.

    `folds` are the bytes of its folds, which are opened only where they are needed: never for a
    group that only commits. `commits` are packed sums, a few that have not been merged yet.
    """

    folds: bytes | None = None
    commits: list[bytes] = []
    look: RebalancingGroup | None = None
    standing: list[Finding] = []
    """The findings of the last judgement and before that are based on silence."""
    heard: int = -1
    """The time of its latest record."""
    due: int = 0
    """When it is judged next."""
    restless: bool = False
    """Whether there was something new since the last judgement."""


def _shape() -> bytes:
    """Return a checksum of the classes that are kept, their modules and fields: bytes of a release
    that keeps others would be misread.
    """
    structs = (Finding, GroupState, Loading, MemberSeen, ModernState, Step)
    tuples = (
        Arrival, ConnectRound, Departure, Obstacle, Occupancy, Place, Restart, Round, RoundFacts,
        Stamped, Stay, StreamsRound, Takeover, Tenure, Vacancy, Worker,
    )  # fmt: skip
    memories = [rule.memory(rule.thresholds) for rule in STEP_RULES if rule.memory is not None]
    first = GroupFold("", "")
    folds = (
        first, ModernFold("", "", ""), EpochFold(first), RebalanceHistory(), Restarts(), Stays(),
    )  # fmt: skip
    shapes: list[Any] = [(kind.__module__, kind.__struct_fields__) for kind in structs]
    shapes += [(kind.__module__, kind._fields) for kind in tuples]
    shapes += [(type(fields).__module__, sorted(vars(fields))) for fields in (*folds, *memories)]
    return zlib.crc32(repr(shapes).encode()).to_bytes(4, "big")


SHAPE = _shape()
"""What the bytes begin with."""


class Keeper:
    """Turns the folds of a group into bytes and back, with the rules of this process."""

    def __init__(self, rules: Iterable[Rule], context: Context) -> None:
        self._rules = tuple(rules)
        self._context = context

    def packed(self, state: GroupState) -> bytes:
        """Return the state of a group as bytes."""
        sink = io.BytesIO()
        _Pickler(sink, pickle.HIGHEST_PROTOCOL).dump(state)
        return SHAPE + zlib.compress(sink.getvalue(), _FAST)

    def opened(self, data: bytes) -> GroupState:
        """Return the state that `packed` made these bytes of. Raises `NotReadable`."""
        if not data.startswith(SHAPE):
            raise NotReadable("the checkpoint is of another release: follow into another folder")
        try:
            read = _Unpickler(io.BytesIO(zlib.decompress(data[len(SHAPE) :])), self._fold).load()
        except _BROKEN as error:
            raise NotReadable(f"the checkpoint cannot be read: {error}") from None
        assert isinstance(read, GroupState)
        return read

    def _fold(self, cluster_id: str, group_id: str) -> GroupFold:
        return GroupFold(cluster_id, group_id, rules=self._rules, context=self._context)


def _new_fold(cluster_id: str, group_id: str) -> GroupFold:
    """Stands for `Keeper._fold` in the bytes."""
    return GroupFold(cluster_id, group_id)


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is not GroupFold:
            return NotImplemented
        obj.settle()
        fields = {name: value for name, value in vars(obj).items() if name not in _OWN}
        return _new_fold, (obj.cluster_id, obj.group_id), fields

    def persistent_id(self, obj: Any) -> str | None:
        return "fold" if obj is _new_fold else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, fold: Callable[[str, str], GroupFold]) -> None:
        super().__init__(source)
        self._fold = fold

    def persistent_load(self, pid: Any) -> Any:
        if pid != "fold":
            raise pickle.UnpicklingError(f"{pid!r} is nothing of ours")
        return self._fold

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        found_class = super().find_class(module_name, global_name)
        # A module's own imports are reached by its name too: what counts is where a class is from.
        ours = isinstance(found_class, type) and found_class.__module__.startswith("kproto.")
        if not ours and (module_name, global_name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is nothing of ours")
        return found_class
