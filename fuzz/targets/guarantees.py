"""The guarantees as an invariant of kproto's own decoder and encoder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from ..guarantees import properties
from ..guarantees.cases import Case
from ..guarantees.subjects import GENERATED
from ..guarantees.table import GUARANTEES, Guarantee
from ..mutators.messages import MESSAGES, Route, split
from ..subject import JsonObject, Subject
from . import Broken

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
    for _, breach in breaches(subject, data, guarantees):
        raise breach


def breaches(
    subject: Subject, data: bytes, guarantees: tuple[Guarantee, ...] = GUARANTEES
) -> Iterator[tuple[Case, Broken]]:
    """Yield the case and the breach for each guarantee that an input with a head breaks."""
    route, payload = split(data)
    if route is None or (route.body_version is not None and route.cls.FRAMING.header_bytes):
        return  # nobody gets a body alone of what has something in front
    broken_ids = set()
    for case in _cases(route, payload):
        for guarantee in guarantees:
            if guarantee.id in broken_ids:
                continue
            try:
                guarantee.check(subject, case)
            except properties.Broken as broken:
                broken_ids.add(guarantee.id)
                yield case, Broken(f"{guarantee.title}: {broken}", guarantee=guarantee.id)


def _cases(route: Route, payload: bytes) -> Iterator[Case]:
    """Yield the case of the bytes, and cases of values made from theirs that do not fit."""
    case = Case(route.cls.NAME, payload, route.body_version)
    yield case
    if case.truth.accept and case.is_known_version and case.truth.clean and not case.truth.left:
        for value in _unfit(case.truth.value):
            yield Case(case.name, b"", case.truth.version, "unfit", value=value)
        if case.clamped:
            for version in (case.message.LATEST + 1, -1):
                yield Case(case.name, b"", version, "unknown-version", value=case.truth.value)


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
