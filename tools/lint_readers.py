"""`kproto lint --readers`: what released clients would do with messages, by measurement."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from ..clients.consequences import TROUBLE
from ..clients.readers import predict, reader_names, select_readers
from ..escaping import cut, escaped
from ..inspector.diagnose.lint import Judged
from ..inspector.shapes.decoded import Reader
from ..wording import did_you_mean
from .output.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from ..clients.readers import Prediction

_REMEMBERED = 100_000  # messages, so that the same bytes are reported once
_HEX_SHOWN = 64  # characters


class Readers:
    """The readers that --readers names; none by default. `redact` hides what quotes the bytes."""

    def __init__(self, text: str | None, *, redact: bool = False) -> None:
        self._redact = redact
        self._names: tuple[str, ...] = ()
        self._reported: set[tuple[Prediction, ...]] = set()
        self.in_trouble = 0
        """The number of messages that one of the readers would refuse, misread, or not survive."""
        if text is not None:
            self._names = _selected(text)

    def of(self, verdict: Judged) -> tuple[Prediction, ...]:
        """Return what each reader would do with a message; empty for messages other than those of
        the consumer protocol.
        """
        if not self._names:
            return ()

        predictions = predict(verdict.decoded, self._names)
        self.in_trouble += any(prediction.does in TROUBLE for prediction in predictions)
        return tuple(map(_redacted, predictions)) if self._redact else predictions

    def new(self, predictions: tuple[Prediction, ...]) -> bool:
        """Return whether these predictions were not reported yet, and remember them."""
        if not predictions or predictions in self._reported:
            return False
        if len(self._reported) < _REMEMBERED:
            self._reported.add(predictions)
        return True

    def __bool__(self) -> bool:
        return bool(self._names)

    def __str__(self) -> str:
        if not self._names:
            return ""
        return f"; {self.in_trouble:,} that a reader would have trouble with"


def _selected(text: str) -> tuple[str, ...]:
    patterns = [name.strip().lower() for name in text.split(",") if name.strip()]
    try:
        return select_readers(patterns or [text])
    except KeyError as error:
        name = str(error.args[0])
        why = f"no reader {name!r} was measured{did_you_mean(name, reader_names())}"
        raise Failure(why, WRONG_USE) from None


def _redacted(prediction: Prediction) -> Prediction:
    """The prediction without the bytes to ask about, and without traits that may quote a name."""
    differs = ("hidden",) if prediction.differs else ()
    question = "hidden" if prediction.question else ""
    return prediction._replace(differs=differs, question=question)


def lines(predictions: tuple[Prediction, ...]) -> Iterator[str]:
    """Yield the lines of a paragraph: the evidence, and what each reader does by it."""
    for evidence, group in groupby(predictions, _evidence):
        yield f"  {evidence}"
        for prediction in group:
            quote = f": {escaped(prediction.said)}" if prediction.said else ""
            client = escaped(prediction.client)
            yield f"    {prediction.reader:18} {client} {prediction.does}{quote}"
            if prediction.question:
                yield f"    {'':18} find out: {escaped(prediction.question)}"


def _evidence(prediction: Prediction) -> str:
    if prediction.exact:
        return "readers, measured with these very bytes"
    if prediction.nearest is None:
        return "readers, by the newest version that the release knows"
    data = cut(prediction.nearest.hex(), _HEX_SHOWN) or "no bytes"
    traits = "; ".join(map(escaped, prediction.differs)) or "none"
    return f"readers, {_basis(prediction)} {data}; traits of only one: {traits}"


def _basis(prediction: Prediction) -> str:
    if prediction.question:
        return "it depends on more than the bytes, on memory or time; the nearest input is"
    return "by the rules of their code; an input with the same outcome is"


def reader_shape(prediction: Prediction) -> Reader:
    """Return a prediction as it is printed."""
    nearest = None if prediction.nearest is None else prediction.nearest.hex()
    library, _, release = prediction.client.rpartition(" ")
    return Reader(
        reader=prediction.reader,
        library=library,
        release=release,
        outcome=prediction.does,
        answer=prediction.said,
        nearest=nearest,
        exact=prediction.exact,
        by_rules=prediction.by_rules,
        differs=prediction.differs,
        question=prediction.question,
    )
