"""The guarantees as the invariant of a client, which an adapter hands over.

A client answers tens of thousands of inputs a second and the guarantees take a millisecond, so
there are two checks. `quick` calls the client once and sees errors that are not documented, hangs,
floods and mistakes of the adapter. `check` judges every guarantee; the engine has it judge the
inputs that reach something new, and a sample of all others.

A finding is told by the guarantee, the exception and the place in the client's own code. Where the
client raised nothing, the place is the field that is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from ...codec import Policy, decode
from ..adapter import AdapterSource, read_adapter, separate_mistakes
from ..calls import SECONDS, Calls, Flood, Hang
from ..guarantees.cases import Case, value_of
from ..guarantees.causes import cause_of
from ..guarantees.properties import SECONDS_ALLOWED
from ..guarantees.subjects import subject_of
from ..guarantees.table import BY_ID, Guarantee, Scope, of_scope
from ..mutators.messages import Messages, Route, split
from ..mutators.vocabulary import Vocabulary
from ..rehearsal import rehearse
from ..subject import Cost, Failed, Failure, Read, Subject, Wrapped
from . import Breaches, Broken, Check, Missing
from .guarantees import breaches

A = TypeVar("A")

_AGAIN = 2  # measurements more of an answer that was slow: the machine may have been busy
_ANSWERS = BY_ID["G01"]
_INDEX = re.compile(r"\[\d+\]")
_DIFFERENCE = re.compile(r"([A-Za-z][\w.\[\]]*) is ")


class _ClientForms(dict[str, Messages]):
    """Maps an adapter to the form of its inputs."""

    def __missing__(self, module: str) -> Messages:
        source = read_adapter(module)
        form = self[module] = _ClientMessages(source.names, Vocabulary.of_sources(source.files))
        return form


class _ClientMessages(Messages):
    """The form of a client's inputs: its comparisons are traced, which libFuzzer's own mutations
    make use of.
    """

    raw_every = 2


class Checks(NamedTuple):
    """The two checks of a client."""

    quick: Check
    check: Check


class Client:
    """Every guarantee holds for the decoder and encoder of a client, which an adapter hands over.

    The target of the adapter `my_adapter` is called `client-my_adapter`.
    """

    FORMS = _ClientForms()

    @staticmethod
    @cache
    def checks_of(module: str) -> Checks:
        """Return the checks of an adapter's functions. Raises `Missing` if it cannot be
        imported.
        """
        try:
            return _checks(read_adapter(module))
        except (ImportError, TypeError, ValueError) as error:
            raise Missing(f"{module}: {error}") from None
        except Exception as error:  # noqa: BLE001  # whatever a client raises as it is imported
            raise Missing(f"{module} cannot be imported: {type(error).__name__}: {error}") from None


def _checks(source: AdapterSource) -> Checks:
    adapter = import_module(source.module)
    errors: Any = getattr(adapter, "ERRORS", ValueError)
    calls = Calls(source.covered, source.module)
    decode_, encode = (
        _answering(getattr(adapter, name, None), calls, errors, source)
        for name in ("decode", "encode")
    )
    if decode_ is None and encode is None:
        raise ValueError(f"{source.file} has neither decode(name, data) nor encode")
    functions = subject_of(decode_, encode, errors=errors, names=source.names)
    subject = _Observed(functions, calls)
    scopes = [Scope.REQUIRED, *([Scope.RECOMMENDED] if source.recommended else [])]
    judge = partial(_judge, subject, calls, of_scope(*scopes))
    check = partial(_rehearse_or_judge, functions, source.names, judge)
    quick = _Quick(decode_, encode, errors, subject, calls)
    return Checks(quick.check, check)


def _answering(
    function: Callable[..., Any] | None, calls: Calls, errors: Any, source: AdapterSource
) -> Callable[..., Any] | None:
    """Return the function with hangs, floods and mistakes of the adapter as `Failed` answers."""
    if function is None:
        return None
    guarded = separate_mistakes(calls.guard(function), errors, source.file)

    def answer(*arguments: Any) -> Any:
        try:
            return guarded(*arguments)
        except Hang:
            return Failed(Failure.HANG, f"no answer within {SECONDS:g} seconds of processor time")
        except Flood as error:
            return Failed(Failure.FLOOD, str(error))

    answer.__wrapped__ = function  # type: ignore[attr-defined]  # for its signature
    return answer


def _rehearse_or_judge(subject: Subject, names: tuple[str, ...], judge: Check, data: bytes) -> None:
    """Check an input; the empty one, which is no message, stands for the ordinary messages by which
    an adapter that is wrong is told. Raises `Broken`, or `Breaches` of several.
    """
    if data:
        judge(data)
        return
    mistake = rehearse(_MistakesAlone(subject), names)
    if mistake is not None:
        raise Broken(mistake, guarantee=_ANSWERS.id, error="", place=Failure.ADAPTER.value)


class _MistakesAlone(Wrapped):
    """A subject whose crashes and hangs are left to the campaign."""

    def note(self, answer: A) -> A:
        """Return the answer, or that nothing is known where the client gave none."""
        if isinstance(answer, Failed) and answer.how is not Failure.ADAPTER:
            return Failed(Failure.SKIPPED, "")  # type: ignore[return-value]  # an answer, too
        return answer


def _judge(
    subject: _Observed, calls: Calls, guarantees: tuple[Guarantee, ...], data: bytes
) -> None:
    """Check all guarantees with an input, and the form of each answer. Raises `Broken`, or
    `Breaches` of several.
    """
    broken: list[Broken] = []
    calls.forget()
    subject.mistake = ""
    for case, breach in breaches(subject, data, guarantees):
        placed = _caused(_placed(breach, calls, data), subject, case)
        calls.forget()
        if any(_is_same_finding(placed, earlier) for earlier in broken):
            continue
        if broken and _is_same_failure(placed, broken[0]):
            title, first = BY_ID[placed.guarantee].title, broken[0]
            text = f"{first} (so {title} is broken, too)"
            broken[0] = Broken(
                text, guarantee=first.guarantee, error=first.error, place=first.place
            )
        else:
            broken.append(placed)
    if subject.mistake:  # no guarantee was judged with such an answer
        text = f"{_ANSWERS.title}: {Failure.ADAPTER.value}: {subject.mistake}"
        place = Failure.ADAPTER.value
        broken.append(Broken(text, guarantee=_ANSWERS.id, error="", place=place))
    if len(broken) > 1:
        raise Breaches(broken)
    if broken:
        raise broken[0]


def _placed(breach: Broken, calls: Calls, data: bytes) -> Broken:
    """Return the breach with the exception and the place by which it is told."""
    text = str(breach)
    if calls.error:
        error, place = calls.error, calls.place
    else:
        error, place = "", _field(text, data)
    return Broken(text, guarantee=breach.guarantee, error=error, place=place)


def _caused(breach: Broken, subject: Subject, case: Case) -> Broken:
    """Return the breach under the guarantee that is broken without what its own is about."""
    cause = cause_of(subject, breach.guarantee, case)
    if not cause:
        return breach
    title, _, complaint = str(breach).partition(": ")
    text = f"{BY_ID[cause].title}: {complaint} ({title} follows from it)"
    return Broken(text, guarantee=cause, error=breach.error, place=breach.place)


def _is_same_finding(breach: Broken, earlier: Broken) -> bool:
    """Return whether the client broke the same guarantee in the same place, as findings are told
    apart."""
    return _is_in_same_place(breach, earlier) and breach.guarantee == earlier.guarantee


def _is_same_failure(breach: Broken, first: Broken) -> bool:
    """Return whether the client failed to answer in the way that another breach tells of."""
    is_error = _is_in_same_place(breach, first) and bool(breach.error)
    return is_error and first.guarantee == _ANSWERS.id


def _is_in_same_place(breach: Broken, earlier: Broken) -> bool:
    return breach.error == earlier.error and breach.place == earlier.place


def _field(complaint: str, data: bytes) -> str:
    """Return the field that a complaint is about: the one that differs, or the one that kproto
    refuses.
    """
    difference = _DIFFERENCE.search(complaint)
    if difference is not None:
        return _INDEX.sub("", difference[1])
    route, payload = split(data)
    if route is None:
        return ""
    reading = decode(payload, route.cls, policy=Policy.LENIENT, body_version=route.body_version)
    return "" if reading.error is None else _INDEX.sub("", reading.error.path or "")


class _Quick:
    """The check that calls a client's functions once."""

    def __init__(
        self,
        decode: Callable[..., Any] | None,
        encode: Callable[..., Any] | None,
        errors: Any,
        subject: Subject,
        calls: Calls,
    ) -> None:
        self._decode = decode
        self._encode = encode
        self._subject = subject
        self._calls = calls
        self._expected = (
            NotImplementedError,
            *(errors if isinstance(errors, tuple) else (errors,)),
        )

    def check(self, data: bytes) -> Mapping[str, Any] | None:
        """Put an input with a head to the client; return the value that it reads, with the version
        if it says that, None if it reads none. Raises `Broken`.
        """
        route, payload = split(data)
        if route is None or (route.body_version is not None and route.cls.FRAMING.header_bytes):
            return None
        value = None
        if self._decode is not None:
            version = route.body_version
            more = () if version is None else (version,)
            value = self._call(self._decode, dict, route.cls.NAME, payload, *more)
        if self._encode is not None:
            self._write(self._encode, route, payload)
        return value

    def _write(self, encode: Callable[..., Any], route: Route, payload: bytes) -> None:
        """Have the client write what kproto reads, if a client could have written that."""
        reading = decode(payload, route.cls, policy=Policy.LENIENT, body_version=route.body_version)
        if reading.complete and reading.version == reading.schema_version:
            self._call(encode, bytes, route.cls.NAME, reading.version, value_of(reading))

    def _call(self, function: Callable[..., Any], plain: type, *arguments: Any) -> Any:
        try:
            answer = function(*arguments)
        except self._expected:
            return None
        except MemoryError as error:
            raise self._broken(f"memory: MemoryError: {error}") from None
        except (Exception, SystemExit) as error:  # noqa: BLE001  # it is the finding
            raise self._broken(f"crash: {type(error).__name__}: {error}") from None
        if type(answer) is Read:
            return {"version": answer.version, **answer.value}
        if type(answer) is plain:
            return answer
        if isinstance(answer, Failed):
            raise self._broken(f"{answer.how.value}: {answer.detail}")
        return None

    def _broken(self, text: str) -> Broken:
        error, place = self._calls.error, self._calls.place
        text = f"{_ANSWERS.title}: {text}"
        return Broken(text, guarantee=_ANSWERS.id, error=error, place=place)


class _Observed(Wrapped):
    """A subject that is measured again where it was slow, and tells whether an answer had a form
    that no adapter's answer may have.
    """

    def __init__(self, subject: Subject, calls: Calls) -> None:
        super().__init__(subject)
        self._calls = calls
        self.mistake = ""

    def note(self, answer: A) -> A:
        """Keep what is wrong with an answer's form; an exception is seen where it is raised."""
        match answer:
            case Failed(Failure.ADAPTER, detail) if not self._calls.error:
                self.mistake = detail
        return answer

    def cost(self, name: str, data: bytes, version: int | None = None) -> Cost | None:
        """Return the least cost of a few readings (see `Subject`)."""
        cost = self.subject.cost(name, data, version)
        for _ in range(_AGAIN):
            if cost is None or cost.seconds <= SECONDS_ALLOWED:
                break
            again = self.subject.cost(name, data, version)
            cost = cost if again is None else min(cost, again)
        return cost
