"""`kproto lint --readers`: what released clients would do with the messages, as it was measured."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..inspector.diagnose.lint import Judged
from ..inspector.views.escaping import cut, escaped
from .output.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from ..inspector.diagnose.readers import Foretold

_REMEMBERED = 100_000  # messages, so that each is told of once
_HEX_SHOWN = 64  # characters


class Readers:
    """The readers that were asked for; none by default."""

    def __init__(self, given: str | None) -> None:
        self._names: tuple[str, ...] = ()
        self._told: set[tuple[Foretold, ...]] = set()
        self.in_trouble = 0
        """Messages that one of them would refuse, misread, or not survive."""
        if given is not None:
            self._names = _named(given)

    def of(self, judged: Judged) -> tuple[Foretold, ...]:
        """Return what each would do with a message; empty for what is none of the consumer
        protocol's.
        """
        if not self._names:
            return ()
        from ..inspector.diagnose.readers import TROUBLE, foretell

        found = foretell(judged.decoded, self._names)
        self.in_trouble += any(one.does in TROUBLE for one in found)
        return found

    def new(self, found: tuple[Foretold, ...]) -> bool:
        """Return whether nothing like that was told yet."""
        if not found or found in self._told:
            return False
        if len(self._told) < _REMEMBERED:
            self._told.add(found)
        return True

    def __bool__(self) -> bool:
        return bool(self._names)

    def __str__(self) -> str:
        if not self._names:
            return ""
        return f"; {self.in_trouble:,} that a reader would have trouble with"


def _named(given: str) -> tuple[str, ...]:
    from ..inspector.diagnose.readers import measured, named

    names = [name.strip().lower() for name in given.split(",") if name.strip()]
    try:
        return named(names or [given])
    except KeyError as error:
        known = ", ".join(reader.name for reader in measured().readers)
        why = f"no reader {error.args[0]!r} was measured; there are: {known}"
        raise Failure(why, WRONG_USE) from None


def lines(found: tuple[Foretold, ...]) -> Iterator[str]:
    """Yield a paragraph: the evidence, and what each reader does by it."""
    for evidence, some in groupby(found, _evidence):
        yield f"  {evidence}"
        for one in some:
            said = f": {escaped(one.said)}" if one.said else ""
            yield f"    {one.reader:18} {escaped(one.client)} {one.does}{said}"


def _evidence(one: Foretold) -> str:
    if one.exact:
        return "readers, measured with these very bytes"
    data = cut(one.nearest.hex(), _HEX_SHOWN) or "no bytes"
    if not one.differs:
        return f"readers, measured with {data}, which is alike in all that tells them apart"
    return f"readers, by the nearest that was measured, {data}; only one of them has: " + "; ".join(
        map(escaped, one.differs)
    )


def as_json(one: Foretold) -> dict[str, Any]:
    """One reader, for programs."""
    return {
        "reader": one.reader,
        "client": one.client,
        "does": one.does,
        "said": one.said,
        "nearest": one.nearest.hex(),
        "exact": one.exact,
        "differs": list(one.differs),
    }
