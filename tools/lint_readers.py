"""`kproto lint --readers`: what released clients would do with messages, by measurement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ..clients.consequences import FAILS, READS_OTHERWISE, REFUSES, TROUBLE
from ..clients.readers import predict, reader_names, select_readers
from ..escaping import escaped, prose
from ..inspector.diagnose.lint import Judged
from ..inspector.recognition import Repeated
from ..inspector.shapes.decoded import Reader
from ..wording import counted, did_you_mean
from .input.inputs import names_in
from .output.failures import WRONG_USE, Failure

if TYPE_CHECKING:
    from ..clients.readers import Prediction

_REMEMBERED = 100_000  # messages, so that the same bytes are reported once


class Readers:
    """The readers that --readers names; none by default. `redact` hides what quotes the bytes;
    `has_input`: the command line has an INPUT, too."""

    def __init__(self, text: str | None, *, redact: bool = False, has_input: bool = True) -> None:
        self._redact = redact
        self._names: tuple[str, ...] = ()
        self._reported: set[tuple[Prediction, ...]] = set()
        self._predictions = Repeated[tuple["Prediction", ...]]()
        self._named: tuple[str, ...] = ()
        self._asked = self._in_trouble = 0
        self.refused = 0
        """The number of messages that one of the readers would refuse, misread, or not survive, of
        those readers that are asked for by name: `all` asks who could not read it."""
        if text is not None:
            patterns = names_in(text.lower()) or (text,)
            self._names = _selected(patterns, has_input=has_input)
            self._named = _selected([name for name in patterns if name != "all"])

    def of(self, verdict: Judged) -> tuple[Prediction, ...]:
        """Return what each reader would do with a message; empty for messages other than those of
        the consumer protocol.
        """
        if not self._names:
            return ()

        message = verdict.decoded
        predictions = self._predictions.of(message, lambda: predict(message, self._names))
        troubled = [prediction for prediction in predictions if prediction.does in TROUBLE]
        self._asked += bool(predictions)
        self._in_trouble += bool(troubled)
        self.refused += any(prediction.reader in self._named for prediction in troubled)
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
        if not self._asked:
            return "; none of these readers reads such a message"
        if not self._in_trouble:
            return "; no client refuses or misreads any"
        if self.refused:
            return f"; {counted(self.refused, 'message')} that a named client {_TROUBLE}"
        messages = counted(self._in_trouble, "message")
        return f"; {messages} that some client {_TROUBLE} ({_NAME_IT})"


def _selected(patterns: Sequence[str], *, has_input: bool = True) -> tuple[str, ...]:
    try:
        return select_readers(patterns)
    except KeyError as error:
        name = str(error.args[0])
        if not has_input:  # it was probably taken for the names
            why = f"--readers: {name!r} is no reader; an INPUT goes in front of --readers"
            raise Failure(why, WRONG_USE) from None
        why = f"no reader {name!r} was measured{did_you_mean(name, reader_names())}"
        raise Failure(why, WRONG_USE) from None


def _redacted(prediction: Prediction) -> Prediction:
    """The prediction without the bytes to ask about, and without traits that may quote a name."""
    differs = ("hidden",) if prediction.differs else ()
    question = "hidden" if prediction.question else ""
    return prediction._replace(differs=differs, question=question)


def summary_lines(predictions: tuple[Prediction, ...]) -> Iterator[str]:
    """Yield who cannot read the message; nothing for a single reader."""
    if len(predictions) > 1:
        yield f"  {_verdict(predictions)}"


def evidence_lines(predictions: tuple[Prediction, ...]) -> Iterator[str]:
    """Yield the evidence, and what each reader does with the message by it: trouble first."""
    for evidence, group in groupby(sorted(predictions, key=_order), _evidence):
        yield f"  readers, {evidence}"
        for prediction in group:
            quote = f": {prose(prediction.said)}" if prediction.said else ""
            client = escaped(prediction.client)
            yield f"    {prediction.reader:18} {client} {prediction.does}{quote}"
            if prediction.question:
                yield f"    {'':18} find out: {escaped(prediction.question)}"


def _verdict(predictions: tuple[Prediction, ...]) -> str:
    """Return how many releases of clients read a message, and which of the others do what."""
    names_by_outcome: dict[str, list[str]] = {}
    for prediction in predictions:
        if prediction.does in TROUBLE:
            names_by_outcome.setdefault(prediction.does, []).append(prediction.reader)
    in_trouble = sum(map(len, names_by_outcome.values()))
    number = f"{len(predictions) - in_trouble} of {counted(len(predictions), 'reader')} read it"
    partly = sum(prediction.said.startswith(_PARTLY) for prediction in predictions)
    number += f", {partly} of them without showing all fields" if partly else ""
    outcomes = [f"{_PLURALS[does]} {', '.join(names)}" for does, names in names_by_outcome.items()]
    return "; ".join([number, *outcomes])


_PARTLY = "shows no "
_TROUBLE = "refuses, misreads or does not survive"
_NAME_IT = "this counts for the exit status where clients are named: --readers sarama"
_PLURALS = {
    REFUSES: "these refuse it:",
    READS_OTHERWISE: "these read something else:",
    FAILS: "these do not survive it:",
}


_MEASURED = "measured with these very bytes"
_BY_RULES = "by the rules of their code (--json has the nearest bytes that were measured)"
_BY_VERSION = "by the newest version that the release knows"
_OPEN = "where it depends on more than the bytes, on memory or time"
_EVIDENCE = (_MEASURED, _BY_RULES, _BY_VERSION, _OPEN)


def _evidence(prediction: Prediction) -> str:
    if prediction.exact:
        return _MEASURED
    if prediction.nearest is None:
        return _BY_VERSION
    return _OPEN if prediction.question else _BY_RULES


def _order(prediction: Prediction) -> tuple[int, bool]:
    return _EVIDENCE.index(_evidence(prediction)), prediction.does not in TROUBLE


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
