"""The fuzz targets: each is an invariant that any bytes are checked against.

A target is a class whose docstring states its invariant. `check(data)` returns, or raises: `Broken`
if the invariant does not hold, any other exception if called code raised an error that it does not
document. Both are findings. The same `check` runs under atheris, under Hypothesis, in `kproto fuzz
replay` and in the test that a finding becomes.

A target elsewhere is named by its module, with dots: that module has the docstring, `check`, and
`FORMS` with a form under ""; the branches of the codec lead the search. The target of somebody's
client is named by its adapter, `client-my_adapter`: see `kproto.fuzz.adapter`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..adapter import read_adapter

if TYPE_CHECKING:  # coverage is set up before the modules that it counts are imported
    from ..mutators.splices import Form

Check = Callable[[bytes], object]
Trace = Callable[[Callable[..., object]], Callable[..., object]]


class Broken(AssertionError):
    """An invariant does not hold; the message says what was seen.

    If many inputs are judged at once, `data` is the one that broke it; if a guarantee was checked,
    `guarantee` is its id. `error` and `place` are the exception that a client raised, and where in
    its code; without an exception `place` is the field that is wrong.
    """

    def __init__(
        self,
        text: str,
        *,
        data: bytes | None = None,
        guarantee: str = "",
        error: str = "",
        place: str | None = None,
    ) -> None:
        super().__init__(text)
        self.data = data
        self.guarantee = guarantee
        self.error = error
        self.place = place


class Breaches(AssertionError):
    """One input breaks several invariants."""

    def __init__(self, breaches: list[Broken]) -> None:
        super().__init__("; ".join(map(str, breaches)))
        self.breaches = breaches


class Missing(Exception):
    """What the target needs to judge is not on this machine; the message says what and why."""


class Batched(Protocol):
    """A check of many inputs at once, for targets where single checks are too slow."""

    def __call__(self, data: bytes) -> object:
        """Take an input; every so often, judge those that were taken."""
        ...

    def finish(self) -> None:
        """Judge the inputs that are left."""
        ...


class _Row(NamedTuple):
    """Where a target is, and the packages whose branches count as coverage while it runs."""

    place: str
    """Its module, with a colon its class in a module of this package."""
    covered: tuple[str, ...]
    family: str = ""
    slow: bool = False  # many milliseconds an input
    max_len: int = 1024


_CLIENT = "client:Client"
_CLIENT_PREFIX = "client-"
_JAVA = "agreement:JavaAgreement"
_CODEC = ("codec.read", "codec.messages", "codec.wire.utf8")
_DEFINING = ("codec.dialect", "codec.definitions", "codec.generate")

TABLE = {
    "decode-consumer": _Row("reading:Decode", _CODEC, "consumer"),
    "decode-user-data": _Row("reading:Decode", _CODEC, "user-data"),
    "decode-connect": _Row("reading:Decode", _CODEC, "connect"),
    "decode-streams": _Row("reading:Decode", _CODEC, "streams"),
    "decode-requests": _Row("reading:Decode", _CODEC, "requests"),
    "decode-offsets-topic": _Row("reading:Decode", _CODEC, "offsets-topic"),
    "round-trip-consumer": _Row("reading:RoundTrip", (), "consumer", max_len=600),
    "round-trip": _Row("reading:RoundTrip", ()),
    "guarantees": _Row("guarantees:Guarantees", _CODEC, max_len=400, slow=True),
    "decoder-agreement": _Row("agreement:DecoderAgreement", (*_CODEC, "codec.construct_schema")),
    "engine-agreement": _Row("agreement:EngineAgreement", (*_CODEC, "codec.construct_schema")),
    "java-agreement-consumer": _Row(_JAVA, (), "consumer", max_len=600),
    "java-agreement": _Row(_JAVA, ("codec.read.diagnostic_reader",)),
    "frames": _Row("capture:Frames", ("capture", "codec.read.diagnostic_reader")),
    "captures": _Row("capture:Captures", ("capture",), slow=True, max_len=8192),
    "text-forms": _Row("capture:TextForms", ("capture.forms", "capture.text"), max_len=2048),
    "inspector": _Row("inspector:Inspector", ("inspector",), slow=True, max_len=400),
    "user-data": _Row("inspector:UserData", ("inspector.nested_bytes", "rebalance.user_data")),
    "future-definitions": _Row(
        "definitions:FutureDefinitions", ("codec.read.diagnostic_reader", *_DEFINING), slow=True
    ),
    "hostile-definitions": _Row(
        "definitions:HostileDefinitions", _DEFINING, slow=True, max_len=2048
    ),
}

NAMES = tuple(TABLE)
"""Every target, in the order in which a campaign runs them."""


class Target(NamedTuple):
    """A target whose code is imported."""

    name: str
    invariant: str
    """The invariant: the first paragraph of the target's docstring."""
    check: Check
    form: Form
    batched: Callable[[], Batched] | None
    """Makes the check of many inputs at once; None if there is none."""
    quick: Check | None
    """Sees what can be seen at once, for targets whose check takes long; None if there is none."""
    slow: bool
    max_len: int
    """The length of the longest input, in bytes."""


def load(name: str, trace: Trace | None = None) -> Target:
    """Return the target of that name.

    `trace` is the engine's: it returns a copy of a function whose branches count; without it none
    do. Raises KeyError if there is no such target, `Missing` if its judge is not available.
    """
    row = _row(name)
    definition = _definition(row)
    if trace is not None and hasattr(definition, "prepare"):
        definition.prepare(trace)
    if hasattr(definition, "require"):
        definition.require()
    quick, check = None, None
    if row.place == _CLIENT:
        quick, check = definition.checks_of(row.family)
    return Target(
        name=name,
        invariant=invariant(name),
        check=check or definition.check,
        form=form_of(name),
        batched=getattr(definition, "Batch", None),
        quick=quick,
        slow=row.slow,
        max_len=row.max_len,
    )


def form_of(name: str) -> Form:
    """Return the form of the target's inputs. Its judge, which only workers need, may be missing
    here.
    """
    row = _row(name)
    form: Form = _definition(row).FORMS[row.family]
    return form


def invariant(name: str) -> str:
    """Return the target's invariant, in one sentence."""
    text = _definition(_row(name)).__doc__ or ""
    return " ".join(text.partition("\n\n")[0].split())


def covered(name: str) -> tuple[str, ...]:
    """Return the modules, and packages of modules, whose branches lead the search for new
    inputs.
    """
    row = _row(name)
    if row.place == _CLIENT:
        return read_adapter(row.family).covered
    return tuple(f"kproto.{room}" for room in row.covered)


def reserves(name: str) -> bool:
    """Return whether the target's judge reserves far more memory than it uses, as a JVM does:
    resident memory can be limited then, not the address space.
    """
    return _row(name).place == _JAVA


def client_target(adapter: str) -> str:
    """Return the name of the target of an adapter, which is named by its module."""
    return f"{_CLIENT_PREFIX}{adapter}"


def of_client(name: str) -> bool:
    """Return whether a target is that of an adapter."""
    return name.startswith(_CLIENT_PREFIX)


def _row(name: str) -> _Row:
    if of_client(name):
        family = name.removeprefix(_CLIENT_PREFIX)
        return _Row(_CLIENT, (), family, max_len=600)
    return _Row(name, _CODEC) if "." in name else TABLE[name]


def _definition(row: _Row) -> Any:
    """Return the class of a target, or the module of one elsewhere. Raises KeyError if there is
    none.
    """
    name, _, cls = row.place.partition(":")
    try:
        module = import_module(f".{name}" if cls else name, __package__)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise KeyError(name) from None
    return getattr(module, cls) if cls else module
