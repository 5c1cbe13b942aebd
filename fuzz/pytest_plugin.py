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
is the fixture for `encode(name, version, value)`; see `kproto.fuzz.guarantees.functions` for what
the functions are given and may give. A decoder of messages that have nothing in front, such as
JoinGroupRequest, takes their version as well: `decode(name, data, version)`. Guarantees that
nothing was there to judge by are skipped. `--kproto-scope required` leaves the recommended ones
out.

Everything heavy is imported when a test asks for it: other people's test runs pay nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .guarantees.cases import Case
    from .guarantees.functions import Decode, Encode, Errors
    from .guarantees.table import Guarantee
    from .subject import Subject

_FIXTURE = "kproto_guarantee"
_NAMES = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
_SCOPES = ("required", "recommended")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the scope of the guarantees and the seed of the inputs."""
    group = parser.getgroup("kproto", "guarantees of the Kafka consumer protocol")
    group.addoption(
        "--kproto-scope", choices=_SCOPES, default="recommended",
        help="which guarantees become tests: the required ones, or the recommended too (default)",
    )  # fmt: skip
    group.addoption("--kproto-seed", type=int, default=0, help="seed of the inputs (default 0)")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Collect a test that asks for `kproto_guarantee` once for each guarantee."""
    if _FIXTURE not in metafunc.fixturenames:
        return
    from .guarantees.table import Scope, of_scope  # late: other test runs pay nothing

    wanted = metafunc.config.getoption("--kproto-scope")
    scopes = [Scope(scope) for scope in _SCOPES[: _SCOPES.index(wanted) + 1]]
    rows = of_scope(*scopes)
    metafunc.parametrize(_FIXTURE, rows, ids=[row.title for row in rows], indirect=True)


class GuaranteeCheck:
    """A guarantee, a subject, and the inputs to check it with."""

    def __init__(self, guarantee: Guarantee, subject: Subject, cases: Collection[Case]) -> None:
        self.guarantee = guarantee
        self.subject = subject
        self._cases = cases

    def check(self) -> None:
        """Check the guarantee with all inputs. Fails with the shortest that breaks it."""
        from .guarantees.properties import Broken  # late: as above

        broken: list[tuple[Case, str]] = []
        judged = 0
        for case in self._cases:
            try:
                judged += self.guarantee.check(self.subject, case)
            except Broken as reason:
                broken.append((case, str(reason)))
        if broken:
            pytest.fail(self._shown(broken), pytrace=False)
        if not judged:
            pytest.skip("nothing to judge it by: no API, or nothing shown")

    def _shown(self, broken: list[tuple[Case, str]]) -> str:
        case, reason = min(broken, key=lambda one: (len(one[0].data), one[0].data))
        lines = [
            self.guarantee.statement,
            f"  {reason}",
            f"  {case}",
            f"  ({self.guarantee.source})",
        ]
        others = len(broken) - 1
        return "\n".join([*lines, f"  and {others} more inputs"] if others else lines)


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
    return _NAMES


@pytest.fixture
def kproto_subject(
    kproto_decoder: Decode | None,
    kproto_encoder: Encode | None,
    kproto_errors: Errors,
    kproto_names: Collection[str],
) -> Subject:
    """Return a subject of your decoder and encoder; override it with a
    `kproto.fuzz.subject.Subject` of your own.
    """
    from .guarantees.functions import subject_of  # late: as above

    if kproto_decoder is None and kproto_encoder is None:
        pytest.fail("define a fixture kproto_decoder, kproto_encoder or kproto_subject")
    try:
        return subject_of(kproto_decoder, kproto_encoder, errors=kproto_errors, names=kproto_names)
    except (TypeError, ValueError) as mistake:
        pytest.fail(str(mistake), pytrace=False)


@pytest.fixture
def kproto_guarantee(
    request: pytest.FixtureRequest, kproto_subject: Subject, kproto_names: Collection[str]
) -> GuaranteeCheck:
    """Return one guarantee, to be checked."""
    seed: int = request.config.getoption("--kproto-seed")
    return GuaranteeCheck(request.param, kproto_subject, _cases(request, tuple(kproto_names), seed))


_INPUTS: pytest.StashKey[dict[Any, Any]] = pytest.StashKey()


def _cases(request: pytest.FixtureRequest, names: tuple[str, ...], seed: int) -> Collection[Case]:
    """Return the inputs, made once a run."""
    from .conformance.inputs import inputs  # late: as above

    made = request.config.stash.setdefault(_INPUTS, {})
    if (names, seed) not in made:
        made[names, seed] = inputs(names, seed=seed)
    found: Collection[Case] = made[names, seed]
    return found
