"""The guarantees as invariants: of kproto's own decoder and encoder, and of a client's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

from ..adapter import AdapterSource, read_adapter, separate_mistakes
from ..guarantees import properties
from ..guarantees.cases import Case
from ..guarantees.properties import SECONDS_ALLOWED
from ..guarantees.subjects import GENERATED, subject_of
from ..guarantees.table import GUARANTEES, Guarantee, Scope, of_scope
from ..mutators.messages import MESSAGES, Messages, Route, split
from ..subject import Cost, JsonObject, Subject, Wrapped
from . import Broken, Check, Missing

_LONG = "x" * 32_768  # a string's length is an int16
_LARGE = 1 << 40
_MOST = 8


class Guarantees:
    """Every guarantee about bytes between members of a group holds for kproto's own decoder and
    encoder.
    """

    FORMS = {"": MESSAGES}

    @staticmethod
    def check(data: bytes) -> None:
        """Check an input with a head."""
        put(GENERATED, data)


def put(subject: Subject, data: bytes, guarantees: tuple[Guarantee, ...] = GUARANTEES) -> None:
    """Check every guarantee on a subject, with an input that has a head. Raises `Broken`."""
    route, payload = split(data)
    if route is None or (route.body_version is not None and route.cls.FRAMING.header_bytes):
        return  # nobody gets a body alone of what has something in front
    for case in _cases(route, payload):
        for guarantee in guarantees:
            try:
                guarantee.check(subject, case)
            except properties.Broken as broken:
                text = f"{guarantee.title}: {broken}"
                raise Broken(text, guarantee=guarantee.id) from broken


def _cases(route: Route, payload: bytes) -> Iterator[Case]:
    """Yield the case of the bytes, and cases of values made from theirs that do not fit."""
    case = Case(route.cls.NAME, payload, route.body_version)
    yield case
    if case.truth.accept and case.is_known_version and case.truth.clean and not case.truth.left:
        for value in _unfit(case.truth.value):
            yield Case(case.name, b"", case.truth.version, "unfit", value=value)


def _unfit(value: JsonObject) -> Iterator[JsonObject]:
    """Yield the value with one text too long, or one number too large."""
    yield from islice(_changed(value), _MOST)


def _changed(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            for key, item in value.items():
                yield from (value | {key: changed} for changed in _changed(item))
        case [first, *rest]:
            yield from ([changed, *rest] for changed in _changed(first))
        case bool():
            return
        case int():
            yield _LARGE
        case str():
            yield _LONG
        case _:
            return


_AGAIN = 2  # measurements more of an answer that was slow: the machine may have been busy


class _ClientForms(dict[str, Messages]):
    """Maps an adapter to the form of its inputs."""

    def __missing__(self, module: str) -> Messages:
        form = self[module] = Messages(read_adapter(module).names)
        return form


class Client:
    """Every guarantee holds for the decoder and encoder of a client, which an adapter hands over.

    The target of the adapter `my_adapter` is called `client-my_adapter`.
    """

    FORMS = _ClientForms()

    @staticmethod
    @cache
    def check_of(module: str) -> Check:
        """Return the check of an adapter's functions. Raises `Missing` if it cannot be imported."""
        try:
            source = read_adapter(module)
            subject = _Steady(_subject(source))
        except (ImportError, TypeError, ValueError) as error:
            raise Missing(f"{module}: {error}") from None
        except Exception as error:  # noqa: BLE001  # whatever a client raises as it is imported
            raise Missing(f"{module} cannot be imported: {type(error).__name__}: {error}") from None
        scopes = [Scope.REQUIRED, *([Scope.RECOMMENDED] if source.recommended else [])]
        guarantees = of_scope(*scopes)
        return lambda data: put(subject, data, guarantees)


def _subject(source: AdapterSource) -> Subject:
    adapter = import_module(source.module)
    errors: Any = getattr(adapter, "ERRORS", ValueError)
    functions = [getattr(adapter, name, None) for name in ("decode", "encode")]
    if not any(functions):
        raise ValueError(f"{source.file} has neither decode(name, data) nor encode")
    decode, encode = (
        None if function is None else separate_mistakes(function, errors, source.file)
        for function in functions
    )
    return subject_of(decode, encode, errors=errors, names=source.names)


class _Steady(Wrapped):
    """A subject that is measured again where it was slow."""

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the least cost of a few readings (see `Subject`)."""
        cost = self.subject.cost(name, data, version)
        for _ in range(_AGAIN):
            if cost is None or cost.seconds <= SECONDS_ALLOWED:
                break
            again = self.subject.cost(name, data, version)
            cost = cost if again is None else min(cost, again)
        return cost
