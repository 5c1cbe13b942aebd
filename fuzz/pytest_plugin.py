"""A pytest plugin for client authors: hand over your decoder, and every guarantee becomes a test.

    import pytest
    from my_client import DecodeError, decode_subscription

    @pytest.fixture
    def kproto_decoder():
        return lambda name, data: decode_subscription(data)

    @pytest.fixture
    def kproto_names():
        return ["ConsumerProtocolSubscription"]

    @pytest.fixture
    def kproto_errors():
        return DecodeError

    def test_guarantee(kproto_guarantee):
        kproto_guarantee.check()

That test is collected once for each guarantee: `test_guarantee[G03-reads-valid]`. `kproto_encoder`
is the fixture for `encode(name, version, value)`; see `kproto.fuzz.guarantees.subjects` for what
the functions are given and may give. A decoder of messages that have nothing in front, such as
JoinGroupRequest, takes their version as well: `decode(name, data, version)`. Guarantees that
nothing was there to judge by are skipped. `--kproto-scope required` leaves the recommended ones
out.

A client may end its interpreter, hang or take all memory; so its code runs in a forked process of
its own, where the platform can fork one. Threads that your fixtures have started are not in that
process: `--kproto-in-process`, or a fixture `kproto_isolated` that returns False, calls the client
in the process of the tests. What goes wrong in your own functions, in the file of the test or in a
conftest.py, is reported as such, and not as a fault of the client: "adapter: KeyError ...".

Everything heavy is imported when a test asks for it: other people's test runs pay nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from .. import fuzz
from .subject import CONSUMER_PROTOCOL, A, Failed, Failure, ReadAnswer, Subject, Wrapped

if TYPE_CHECKING:
    from .guarantees.cases import Case
    from .guarantees.subjects import Decode, Encode, Errors
    from .guarantees.table import Guarantee
_FIXTURE = "kproto_guarantee"
_CONFTEST = "conftest.py"
_SCOPES = ("required", "recommended")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the scope of the guarantees and the seed of the inputs."""
    group = parser.getgroup("kproto", "guarantees of the Kafka consumer protocol")
    group.addoption(
        "--kproto-scope", choices=_SCOPES, default="recommended",
        help="which guarantees become tests: the required ones, or the recommended too (default)",
    )  # fmt: skip
    group.addoption("--kproto-seed", type=int, default=0, help="seed of the inputs (default 0)")
    group.addoption(
        "--kproto-in-process", action="store_true",
        help="run the client's code in the process of the tests, which ends or hangs with it",
    )  # fmt: skip
    group.addoption(
        "--kproto-timeout", type=float, default=2.0, metavar="SECONDS",
        help="time for an answer of an isolated client (default 2)",
    )  # fmt: skip
    group.addoption(
        "--kproto-memory", type=int, default=2048, metavar="MIB",
        help="memory of an isolated client, of address space (default 2048)",
    )  # fmt: skip


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Collect a test that asks for `kproto_guarantee` once for each guarantee."""
    if _FIXTURE not in metafunc.fixturenames:
        return
    widest = metafunc.config.getoption("--kproto-scope")
    scopes = [fuzz.Scope(scope) for scope in _SCOPES[: _SCOPES.index(widest) + 1]]
    rows = fuzz.of_scope(*scopes)
    metafunc.parametrize(_FIXTURE, rows, ids=[row.title for row in rows], indirect=True)


class GuaranteeCheck:
    """A guarantee, a subject, and the inputs to check it with."""

    def __init__(self, guarantee: Guarantee, subject: Subject, cases: Collection[Case]) -> None:
        self.guarantee = guarantee
        self.subject = subject
        self._cases = cases

    def check(self) -> None:
        """Check the guarantee with all inputs. Fails with the shortest that breaks it."""
        answers = _Answers()
        watched = _Watched(self.subject)
        for case in self._cases:
            self._put(watched, case, answers)
        if not answers.count:
            answers.broken += answers.unrefused
        if answers.broken:
            pytest.fail(self._message(answers.broken), pytrace=False)
        if answers.mistakes and (not answers.count or self.guarantee.id == _ANSWERS):
            pytest.fail(_mistaken(answers.mistakes), pytrace=False)
        if answers.unasked:
            text = f"{answers.unasked} inputs were not asked: it hung too often on others like them"
            pytest.skip(text)
        if not answers.count:
            pytest.skip("nothing to judge it by: no API, or nothing shown")

    def _put(self, watched: _Watched, case: Case, answers: _Answers) -> None:
        watched.begin(case)
        try:
            answers.count += self.guarantee.check(watched, case)
        except fuzz.Broken as reason:
            if Failure.ADAPTER not in watched.failures:
                answers.broken.append((case, str(reason)))
        else:
            answers.broken += [(case, text) for text in watched.elsewhere]
            if self.guarantee.demands_refusal and not case.truth.accept:
                answers.unrefused += [(case, text) for text in watched.deaths]
        if Failure.ADAPTER in watched.failures:
            answers.mistakes.append((case, watched.failures[Failure.ADAPTER]))
        answers.unasked += Failure.SKIPPED in watched.failures

    def _message(self, broken: list[tuple[Case, str]]) -> str:
        case, reason = _shortest(broken)
        lines = [
            self.guarantee.statement,
            f"  {reason}",
            f"  {case}",
            f"  to keep it: {self.guarantee.fix}",
            f"  ({self.guarantee.source})",
        ]
        return _and_others(lines, broken)


@dataclass
class _Answers:
    """What the answers to all inputs showed of a guarantee."""

    broken: list[tuple[Case, str]] = field(default_factory=list)
    unrefused: list[tuple[Case, str]] = field(default_factory=list)
    """Those that were to be refused, and had no answer: they break it where nothing else judges."""
    mistakes: list[tuple[Case, str]] = field(default_factory=list)
    count: int = 0
    unasked: int = 0


_NO_DEATH = (Failure.ADAPTER, Failure.SKIPPED)
_ANSWERS = "G01"
"""The guarantee that any bytes get an answer: its test shows each mistake of an adapter."""


def _mistaken(mistakes: list[tuple[Case, str]]) -> str:
    case, reason = _shortest(mistakes)
    lines = [
        "Your adapter failed, not the client: the guarantee was not judged with these inputs.",
        f"  adapter: {reason}",
        f"  {case}",
    ]
    return _and_others(lines, mistakes)


def _shortest(pairs: list[tuple[Case, str]]) -> tuple[Case, str]:
    return min(pairs, key=lambda pair: (len(pair[0].data), pair[0].data))


def _and_others(lines: list[str], pairs: list[tuple[Case, str]]) -> str:
    count = len(pairs) - 1
    return "\n".join([*lines, f"  and {count} more inputs"] if count else lines)


class _Watched(Wrapped):
    """A subject, and the failures of the answers since `begin`.

    `elsewhere` has those to bytes that were made from the case's, which no other test asks.
    """

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self._data = b""
        self.failures: dict[Failure, str] = {}
        self.elsewhere: list[str] = []

    def begin(self, case: Case) -> None:
        """Forget the failures, and say which kind of input comes next."""
        self._data = case.data
        self.failures.clear()
        self.elsewhere.clear()
        if hasattr(self.subject, "kind"):
            self.subject.kind = case.kind

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        """Read bytes (see `Subject`)."""
        answer = super().decode(name, data, version)
        if data != self._data:
            for how, detail in self.failures.items():
                if how not in _NO_DEATH:
                    self.elsewhere.append(f"{how.value}: {detail}, for {data.hex():.200}")
        return answer

    @property
    def deaths(self) -> list[str]:
        """What is said of a case that has no answer and was to be refused."""
        return [
            f"neither read nor refused: {how.value}: {detail}"
            for how, detail in self.failures.items()
            if how not in _NO_DEATH
        ]

    def note(self, answer: A) -> A:
        """Note the failure that an answer is."""
        if isinstance(answer, Failed):
            self.failures[answer.how] = answer.detail
        return answer


@pytest.fixture
def kproto_decoder() -> Decode | None:
    """Return your decoder: `decode(name, data)`, or `decode(name, data, version)`."""
    return None


@pytest.fixture
def kproto_encoder() -> Encode | None:
    """Return your encoder: `encode(name, version, value)`."""
    return None


@pytest.fixture
def kproto_errors() -> Errors:
    """Return the errors that your decoder and encoder document; the default is ValueError."""
    return ValueError


@pytest.fixture
def kproto_names() -> Collection[str]:
    """Return the messages that your functions know; the default is subscription and assignment."""
    return CONSUMER_PROTOCOL


@pytest.fixture
def kproto_isolated(request: pytest.FixtureRequest) -> bool:
    """Return whether the client's code runs in a process of its own: where the platform can fork
    one, and without --kproto-in-process.
    """
    return hasattr(os, "fork") and not request.config.getoption("--kproto-in-process")


@pytest.fixture
def kproto_subject(
    request: pytest.FixtureRequest,
    kproto_decoder: Decode | None,
    kproto_encoder: Encode | None,
    kproto_errors: Errors,
    kproto_names: Collection[str],
) -> Subject:
    """Return a subject of your decoder and encoder; override it with a
    `kproto.fuzz.subject.Subject` of your own.
    """
    if kproto_decoder is None and kproto_encoder is None:
        text = "define a fixture kproto_decoder, kproto_encoder or kproto_subject"
        pytest.fail(text, pytrace=False)
    own = request.node.path
    decode, encode = (
        function
        if function is None
        else fuzz.separate_mistakes(function, kproto_errors, own, _CONFTEST)
        for function in (kproto_decoder, kproto_encoder)
    )
    try:
        return fuzz.subject_of(decode, encode, errors=kproto_errors, names=kproto_names)
    except (TypeError, ValueError) as mistake:
        pytest.fail(str(mistake), pytrace=False)


@pytest.fixture
def kproto_guarantee(
    request: pytest.FixtureRequest,
    kproto_subject: Subject,
    kproto_names: Collection[str],
    kproto_isolated: bool,
) -> Iterator[GuaranteeCheck]:
    """Yield one guarantee, to be checked."""
    seed: int = request.config.getoption("--kproto-seed")
    cases = _cases(request, tuple(kproto_names), seed)
    if not kproto_isolated:
        yield GuaranteeCheck(request.param, kproto_subject, cases)
        return
    seconds, mib = map(request.config.getoption, ("--kproto-timeout", "--kproto-memory"))
    try:
        apart = fuzz.OwnProcess(kproto_subject, fuzz.Limits(seconds, mib << 20), _past(request))
    except OSError as reason:
        pytest.fail(f"kproto_isolated: {reason}", pytrace=False)
    with closing(apart):
        yield GuaranteeCheck(request.param, apart, cases)


_PASTS: pytest.StashKey[dict[str, Any]] = pytest.StashKey()


def _past(request: pytest.FixtureRequest) -> fuzz.Past:
    """Return what is known of the subject from the tests of other guarantees."""
    subject = request.node.nodeid.replace(request.param.title, "")
    pasts = request.config.stash.setdefault(_PASTS, {})
    past: fuzz.Past = pasts.setdefault(subject, fuzz.Past())
    return past


_INPUTS: pytest.StashKey[dict[Any, Any]] = pytest.StashKey()


def _cases(request: pytest.FixtureRequest, names: tuple[str, ...], seed: int) -> Collection[Case]:
    """Return the inputs, made once a run."""
    inputs_by_key = request.config.stash.setdefault(_INPUTS, {})
    if (names, seed) not in inputs_by_key:
        inputs_by_key[names, seed] = fuzz.questions(names, seed=seed)
    inputs: Collection[Case] = inputs_by_key[names, seed]
    return inputs
