"""Strategies for bytes: valid, nearly valid, and broken at a length, count, version or tag."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ...codec import message_class
from ..guarantees.cases import Case, known_names
from ..guarantees.corruptions import breakages
from .futures import CONSUMER_PROTOCOL
from .messages import Given, assignments, messages, subscriptions

_TAILS = (b"\0", b"\xff", b"\xff\xff\xff\xff", bytes(4), b"\0\0\0\1", b"more")

_EDGES = tuple(
    bytes.fromhex(edge)
    for edge in "00 01 7f 80 ff ffff fffe 7fff 8000 ffffffff fffffffe 7fffffff 80000000 eda080 "
    "ffffffff0f 808080808001".split()
)


def valid_bytes(*, names: Sequence[str] = CONSUMER_PROTOCOL) -> st.SearchStrategy[Case]:
    """Return a strategy for bytes of conforming writers of today; half of them with bytes behind,
    if readers ignore those.
    """
    return _givens(known_names(names)).flatmap(_with_tail)


def _givens(names: tuple[str, ...]) -> st.SearchStrategy[Given]:
    own = {"ConsumerProtocolSubscription": subscriptions, "ConsumerProtocolAssignment": assignments}
    return st.one_of(
        [
            own[name]() if name in own else messages(classes=st.just(message_class(name)))
            for name in names
        ]
    )


def _with_tail(given: Given) -> st.SearchStrategy[Case]:
    plain = case_of(given)
    if not plain.clamped:
        return st.just(plain)
    longer = st.sampled_from(_TAILS).map(
        lambda tail: Case(plain.name, plain.data + tail, None, "trailing", "valid, and a tail")
    )
    return st.just(plain) | longer


def case_of(given: Given) -> Case:
    """Return the case of a message's bytes."""
    return Case(given.cls.NAME, given.data, given.body_version, "valid", "a message")


def nearly_valid_bytes(*, names: Sequence[str] = CONSUMER_PROTOCOL) -> st.SearchStrategy[Case]:
    """Return a strategy for valid bytes of which a few are overwritten, inserted or removed
    anywhere.
    """
    return _nearly_valid(known_names(names))


@st.composite
def _nearly_valid(draw: st.DrawFn, names: tuple[str, ...]) -> Case:
    given = draw(_givens(names))
    data = given.data
    start = draw(st.integers(0, len(data)))
    gone = draw(st.integers(0, 4))
    put = draw(st.sampled_from([b"", *_EDGES]) | st.binary(max_size=4))
    changed = data[:start] + put + data[start + gone :]
    return Case(given.cls.NAME, changed, given.body_version, "nearly-valid", f"at byte {start}")


def broken_bytes(*, names: Sequence[str] = CONSUMER_PROTOCOL) -> st.SearchStrategy[Case]:
    """Return a strategy for valid bytes with one thing made wrong: a length, a count, a version, an
    end, a character.

    The case's `kind` says what, its `origin` where.
    """
    return _givens(known_names(names)).map(case_of).flatmap(_breakages)


def _breakages(case: Case) -> st.SearchStrategy[Case]:
    """Return a strategy for breakages, by kind first: a smaller message is then broken in the same
    way.
    """
    kinds: dict[str, list[Case]] = {}
    for breakage in breakages(case):
        kinds.setdefault(breakage.kind, []).append(breakage)
    return st.sampled_from(sorted(kinds)).flatmap(lambda kind: st.sampled_from(kinds[kind]))
