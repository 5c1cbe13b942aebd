"""Every guarantee holds for the decoder and encoder of a client, which an adapter hands over.

The target of the adapter `my_adapter` is called `client-my_adapter`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ..adapter import AdapterSource, read_adapter, told_apart
from ..guarantees.functions import subject_of
from ..guarantees.properties import SECONDS_ALLOWED
from ..guarantees.table import Scope, of_scope
from ..mutators.messages import Messages
from ..subject import Cost, JsonObject, ReadAnswer, Subject, WriteAnswer
from . import Check, Missing
from .guarantees import put

_AGAIN = 2  # measurements more of an answer that was slow: the machine may have been busy


class _Forms(dict[str, Messages]):
    """Maps an adapter to the form of its inputs."""

    def __missing__(self, module: str) -> Messages:
        form = self[module] = Messages(read_adapter(module).names)
        return form


FORMS = _Forms()


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
        None if function is None else told_apart(function, errors, source.file)
        for function in functions
    )
    return subject_of(decode, encode, errors=errors, names=source.names)


class _Steady:
    """A subject that is measured again where it was slow."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`)."""
        return self._subject.decode(name, data, version)

    def encode(self, name: str, version: int, value: JsonObject) -> WriteAnswer:
        """Write a value (see `Subject`)."""
        return self._subject.encode(name, version, value)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> WriteAnswer:
        """Read bytes and write them back (see `Subject`)."""
        return self._subject.rewrite(name, data, version)

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the least cost of a few readings (see `Subject`)."""
        cost = self._subject.cost(name, data, version)
        for _ in range(_AGAIN):
            if cost is None or cost.seconds <= SECONDS_ALLOWED:
                break
            again = self._subject.cost(name, data, version)
            cost = cost if again is None else min(cost, again)
        return cost
