"""The targets: one invariant a file, which any bytes are put through.

`check(data)` returns, or raises: `Broken` where the invariant does not hold, anything else where
what it calls let an error out that it does not document. Both are findings. The same `check` runs
under atheris, under Hypothesis, in `kproto fuzz replay` and in the test that a finding becomes.

A target that is somewhere else has its module's name, with dots: that module has `check`, and
`FORMS` with a form under ""; the branches of the codec lead the search.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:  # whoever measures coverage has to come before what is measured
    from ..mutators.splices import Form

Check = Callable[[bytes], object]
Trace = Callable[[Callable[..., object]], Callable[..., object]]


class Broken(AssertionError):
    """An invariant does not hold; the text says what was seen.

    Where many inputs are judged at once, `data` is the one that it was; where a guarantee was put
    to the input, `guarantee` is its id.
    """

    def __init__(self, text: str, *, data: bytes | None = None, guarantee: str = "") -> None:
        super().__init__(text)
        self.data = data
        self.guarantee = guarantee


class Missing(Exception):
    """What the target needs to judge is not on this machine; the text says what and why."""


class Batched(Protocol):
    """A check of many inputs at once, where one by one is too dear."""

    def __call__(self, data: bytes) -> object:
        """Take an input up; every so often, judge those that were taken up."""
        ...

    def finish(self) -> None:
        """Judge what is left."""
        ...


class _Row(NamedTuple):
    """Where a target is; the packages whose branches count as coverage while it runs."""

    module: str
    covered: tuple[str, ...]
    family: str = ""
    slow: bool = False  # many milliseconds an input
    max_len: int = 1024


_CODEC = ("codec.read", "codec.messages", "codec.wire.utf8")
_DEFINING = ("codec.dialect", "codec.definitions", "codec.generate")

_TABLE = {
    "decode-consumer": _Row("decode", _CODEC, "consumer"),
    "decode-user-data": _Row("decode", _CODEC, "user-data"),
    "decode-connect": _Row("decode", _CODEC, "connect"),
    "decode-streams": _Row("decode", _CODEC, "streams"),
    "decode-requests": _Row("decode", _CODEC, "requests"),
    "decode-offsets-topic": _Row("decode", _CODEC, "offsets-topic"),
    "round-trip-consumer": _Row("round_trip", (), "consumer", max_len=600),
    "round-trip": _Row("round_trip", ()),
    "guarantees": _Row("guarantees", _CODEC, max_len=400, slow=True),
    "decoder-agreement": _Row("decoder_agreement", (*_CODEC, "codec.construct_schema")),
    "engine-agreement": _Row("engine_agreement", (*_CODEC, "codec.construct_schema")),
    "java-agreement-consumer": _Row("java_agreement", (), "consumer", max_len=600),
    "java-agreement": _Row("java_agreement", ("codec.read.diagnostic_reader",)),
    "frames": _Row("frames", ("capture", "codec.read.diagnostic_reader")),
    "captures": _Row("captures", ("capture",), slow=True, max_len=8192),
    "text-forms": _Row("text_forms", ("capture.text",), max_len=2048),
    "inspector": _Row("inspector", ("inspector",), slow=True, max_len=400),
    "user-data": _Row("user_data", ("inspector.open.opening", "rebalance.user_data")),
    "future-definitions": _Row(
        "future_definitions", ("codec.read.diagnostic_reader", *_DEFINING), slow=True
    ),
    "hostile-definitions": _Row("hostile_definitions", _DEFINING, slow=True, max_len=2048),
}

NAMES = tuple(_TABLE)
"""Every target, in the order in which a campaign runs them."""


class Target(NamedTuple):
    """A target, loaded."""

    name: str
    invariant: str
    """One sentence: the first line of its file."""
    check: Check
    form: Form
    batched: Callable[[], Batched] | None
    """Makes the check of many inputs at once, where there is one."""
    slow: bool
    max_len: int
    """Bytes of the longest input."""


def load(name: str, trace: Trace | None = None) -> Target:
    """Return the target of that name.

    `trace` gives a function that counts as covered to the engine; without it nothing is. Raises
    KeyError for a name that there is not, `Missing` where its judge cannot be had.
    """
    row = _row(name)
    module = _module(row)
    if trace is not None and hasattr(module, "prepare"):
        module.prepare(trace)
    if hasattr(module, "require"):
        module.require()
    return Target(
        name=name,
        invariant=invariant(name),
        check=module.check,
        form=form_of(name),
        batched=getattr(module, "Batch", None),
        slow=row.slow,
        max_len=row.max_len,
    )


def form_of(name: str) -> Form:
    """Return what its inputs look like. Its judge, which only workers need, may be missing here."""
    row = _row(name)
    form: Form = _module(row).FORMS[row.family]
    return form


def invariant(name: str) -> str:
    """Return what the target holds, in one sentence."""
    text = _module(_row(name)).__doc__ or ""
    return " ".join(text.partition("\n\n")[0].split())


def covered(name: str) -> tuple[str, ...]:
    """Return the modules, and packages of modules, whose branches lead the search for new
    inputs.
    """
    return tuple(f"kproto.{room}" for room in _row(name).covered)


def reserves(name: str) -> bool:
    """Return whether the target's judge reserves far more memory than it uses, as a JVM does: what
    is resident can be limited then, not the address space.
    """
    return _row(name).module == "java_agreement"


def _row(name: str) -> _Row:
    return _Row(name, _CODEC) if "." in name else _TABLE[name]


def _module(row: _Row) -> ModuleType:
    name = row.module if "." in row.module else f".{row.module}"
    try:
        return import_module(name, __package__)
    except ModuleNotFoundError as error:
        if error.name != row.module:
            raise
        raise KeyError(row.module) from None


def replay(name: str, data: bytes) -> None:
    """Put one input through one target: what the test calls that a finding becomes."""
    load(name).check(data)
