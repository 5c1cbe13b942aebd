"""The strategies give what they promise, and what fails shrinks to what a person can read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, Phase, example, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from kproto.capture import decode_request, decode_response
from kproto.codec import (
    ApiVersionsResponse,
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    ResponseHeader,
    StickyAssignorUserData,
    compile_definition,
    decode,
    message_class,
)
from kproto.codec.dialect import spec as specs
from kproto.codec.dialect.evolution import RULES, compare
from kproto.codec.runtime.registry import built_in_framing, built_in_names
from kproto.fuzz import strategies
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.comparison import canonical
from kproto.fuzz.strategies import (
    DrawnGroup,
    Framed,
    Future,
    Given,
    assignments,
    broken_bytes,
    definitions,
    frames,
    future_bytes,
    future_definitions,
    groups,
    messages,
    nearly_valid_bytes,
    subscriptions,
    user_data,
    valid_bytes,
)

few = settings(max_examples=min(60, settings().max_examples))


def simplest(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> Any:
    quiet = settings(max_examples=400, database=None, suppress_health_check=list(HealthCheck))
    return find(strategy, wanted, settings=quiet)


def seen_of(
    strategy: st.SearchStrategy[Any], kind: Callable[[Any], str | None], wanted: Collection[str]
) -> set[str | None]:
    """The kinds of what a strategy gives: of 300 examples, or of fewer, once all kinds that are
    wanted are among them."""
    seen: set[str | None] = set()

    def complete(one: Any) -> bool:
        seen.add(kind(one))
        return seen.issuperset(wanted)

    quiet = settings(
        max_examples=300, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    with suppress(NoSuchExample):
        find(strategy, complete, settings=quiet)
    return seen


def parsed(definition: dict[str, Any]) -> specs.Spec:
    return specs.parse(definition, framing_of=built_in_framing)


def test_what_is_public_is_documented() -> None:
    assert strategies.__doc__ is not None
    for name in strategies.__all__:
        assert f"`{name}`" in strategies.__doc__, name
        assert getattr(strategies, name).__doc__, name


@few
@given(messages())
def test_messages_come_back(given: Given) -> None:
    seen = decode(given.data, given.cls, body_version=given.body_version)
    assert seen.message == given.message
    assert not seen.remainder


@few
@given(subscriptions(canonical=True), assignments(canonical=True, versions=[2]))
def test_canonical_ones_are(one: Given, other: Given) -> None:
    assert canonical(one.message.to_json(one.version))
    assert canonical(other.message.to_json(other.version)) and other.version == 2


@few
@given(st.sampled_from(["sticky", "cooperative-sticky"]).flatmap(
    lambda name: st.tuples(st.just(name), user_data(assignors=(name,)))
))  # fmt: skip
def test_user_data_is_what_its_assignor_reads(given: tuple[str, bytes]) -> None:
    assignor, data = given
    if assignor == "cooperative-sticky":
        assert CooperativeStickyUserData.from_body(data, 0).to_body(0) == data
    else:
        bodies = set()
        for version in (0, 1):
            seen = decode(data, StickyAssignorUserData, body_version=version,
                          policy=strategies_lenient())  # fmt: skip
            if seen.message is not None and not seen.remainder:
                bodies.add(seen.message.to_body(version))
        assert data in bodies


def strategies_lenient() -> Any:
    from kproto.codec import Policy

    return Policy.LENIENT


def claims(group: DrawnGroup) -> dict[tuple[str, int], list[int]]:
    """The generations of whoever claims a partition."""
    found: dict[tuple[str, int], list[int]] = {}
    for member in group.members:
        for entry in member.subscription.owned_partitions:
            for partition in entry.partitions:
                generation = member.subscription.generation_id
                found.setdefault((entry.topic, partition), []).append(generation)
    return found


@few
@given(groups(claims=["consistent"]))
def test_consistent_groups_claim_nothing_twice(group: DrawnGroup) -> None:
    assert all(len(of) == 1 for of in claims(group).values())
    assert group.claims == "consistent"
    for member in group.members:
        assert ConsumerProtocolSubscription.from_bytes(member.data) == member.subscription


@few
@given(groups(claims=["stale"], versions=[3]), groups(claims=["double"], versions=[3]))
def test_groups_at_odds_claim_something_twice(stale: DrawnGroup, double: DrawnGroup) -> None:
    assert any(len(set(of)) == 2 for of in claims(stale).values())
    assert any(len(of) > 1 and len(set(of)) == 1 for of in claims(double).values())


# Its header has no tags in any version, which Kafka's ApiVersionsResponse.json says.
API_VERSIONS_3 = Framed(
    "response", 18, 3, ResponseHeader(correlation_id=0), ApiVersionsResponse(),
    bytes.fromhex("0000000c 00000000 0000 01 00000000 00"),
)  # fmt: skip


@few
@given(frames())
@example(API_VERSIONS_3)
def test_frames_are_read_as_what_they_are(framed: Framed) -> None:
    if framed.direction == "request":
        frame = decode_request(framed.data)
    else:
        frame = decode_response(framed.data, framed.api_key, framed.version)
    assert frame.reason == ""
    assert frame.body is not None and frame.body.message == framed.body
    assert frame.header is not None and frame.header.message == framed.header


@few
@given(definitions(), definitions(flexible=True), definitions(clamped=True))
def test_definitions_compile(any_: Any, flexible: Any, clamped: Any) -> None:
    compile_definition(any_)
    made = compile_definition(flexible)
    assert made.LATEST in parsed(flexible).flexible
    assert compile_definition(clamped).FRAMING.newer == "clamp"


ORIGINALS = definitions() | definitions(clamped=True)


@few
@given(ORIGINALS.flatmap(lambda one: st.tuples(st.just(one), future_definitions(of=one))))
def test_legal_successors_break_nobody(given: tuple[Any, Future]) -> None:
    old, future = given
    changes = compare(parsed(old), parsed(future.definition))
    assert [change for change in changes if change.breaks] == []
    ahead = future.cls.LATEST - compile_definition(old).LATEST
    assert ahead == future.ahead


@few
@given(future_definitions(legal=False))
def test_illegal_successors_break_the_rule_that_they_name(future: Future) -> None:
    old = message_class(future.cls.NAME)
    from kproto.codec.runtime.registry import spec_of

    changes = compare(spec_of(old), parsed(future.definition))
    assert future.rule in {change.rule for change in changes if RULES[change.rule].breaks}


def test_every_rule_can_be_broken() -> None:
    from kproto.fuzz.strategies.definitions import BREAKS

    # The consumer protocol has no tags and no API key.
    tagged = future_definitions(of="StreamsGroupMetadataValue", legal=False)
    found = seen_of(future_definitions(legal=False) | tagged, lambda one: one.rule, BREAKS)
    assert found == BREAKS.keys()
    backwards = {"newest-version-dropped"}  # what is ahead has more versions, not fewer
    assert {rule for rule in RULES if RULES[rule].breaks} == found | backwards


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "a version too new": (lambda: subscriptions(versions=[9]), r"\[9\].*Subscription has 0-3"),
    "a negative version": (lambda: assignments(versions=[-1]), r"\[-1\].*Assignment has 0-3"),
    "no version": (lambda: groups(versions=[]), r"\[\].*Subscription has 0-3"),
    "a name of nothing": (lambda: valid_bytes(names=["Nope"]), "no message 'Nope'"),
    "nearly a name": (lambda: nearly_valid_bytes(names=["Nope"]), "no message 'Nope'"),
    "a text": (lambda: broken_bytes(names="ConsumerProtocolSubscription"), "is not a list"),
    "no name": (lambda: broken_bytes(names=[]), "is not a list"),
    "no successor": (lambda: future_definitions(of="Nope"), "no message 'Nope'"),
    "no version ahead": (lambda: future_bytes(versions_ahead=[0]), r"\[0\].*at least 1"),
    "no clamping": (lambda: future_bytes(names=["GroupMetadataValue"]), "sent no newer version"),
    "no version in front": (lambda: future_bytes(names=["JoinGroupRequest"]), "no newer version"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_told_when_it_is_made(what: str) -> None:
    call, words = MISTAKES[what]
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("odd", ["\ufeffa", "e\u0301"])
def test_odd_texts_are_among_the_topics(odd: str) -> None:
    assert odd in simplest(subscriptions(), lambda one: odd in one.message.topics).message.topics


@few
@given(future_bytes())
def test_future_bytes_are_read_as_their_writer_meant(case: Case) -> None:
    """The writer's own values, and where what it has added begins, against the reader's."""
    seen = decode(case.data, message_class(case.name))
    assert seen.version is not None and seen.version > seen.message_class.LATEST
    assert case.recorded is not None and seen.message is not None
    assert seen.message.to_json() == case.recorded.value
    assert len(seen.remainder) == case.recorded.left


@few
@given(valid_bytes(names=built_in_names()))
def test_valid_bytes_are_valid(case: Case) -> None:
    assert case.truth.accept and case.truth.clean


def test_broken_bytes_are_broken_in_every_way() -> None:
    kinds = {"cut", "length", "negative-length", "huge-length", "version", "utf-8"}
    assert seen_of(broken_bytes(), lambda case: case.kind, kinds) >= kinds


def test_nearly_valid_bytes_are_changed_and_mostly_odd() -> None:
    odd = []

    @few
    @given(nearly_valid_bytes())
    def collect(case: Case) -> None:
        odd.append(not case.truth.accept or bool(case.reading.deviations))

    collect()
    assert sum(odd) > len(odd) / 3


def test_what_fails_shrinks_to_what_a_person_can_read() -> None:
    found = simplest(subscriptions(), lambda one: one.message.owned_partitions)
    assert found.message.topics == () and found.message.user_data is None
    assert len(found.message.owned_partitions) == 1 and found.version == 1
    group = simplest(groups(), lambda one: len(one.members) == 2)
    assert len(group.topics) == 1 and sum(group.topics.values()) == 1
    broken = simplest(broken_bytes(), lambda one: one.kind == "negative-length")
    assert len(broken.data) <= 24
    two = simplest(future_definitions(), lambda one: len(one.definition["fields"]) > 5)
    assert two.definition["fields"][-1]["type"] == "int32"


# -- what they shrink to, and reach

LONG: dict[str, tuple[st.SearchStrategy[Given], Callable[[Any], bool], float]] = {
    "many topics, or a long name": (
        subscriptions(),
        lambda m: len(m.topics) > 10 or any(len(topic) > 200 for topic in m.topics),
        0.15,
    ),
    "many partitions": (
        assignments(),
        lambda m: any(len(entry.partitions) > 6 for entry in m.assigned_partitions),
        0.05,
    ),
    "many entries": (assignments(), lambda m: len(m.assigned_partitions) > 3, 0.05),
    "a long rack": (
        subscriptions(versions=[3]), lambda m: m.rack_id is not None and len(m.rack_id) > 130, 0.05
    ),
}  # fmt: skip


def some(rows: Iterable[str], one_of: int) -> list[ParameterSet]:
    """One of so many rows, and in `make slow` the others."""
    return [
        pytest.param(row, marks=[pytest.mark.slow] * bool(number % one_of), id=row)
        for number, row in enumerate(rows)
    ]


@pytest.mark.parametrize("what", some(LONG, 2))
def test_long_ones_have_the_share_that_is_documented(what: str) -> None:
    strategy, is_long, documented = LONG[what]
    found = []

    @settings(
        max_examples=300, database=None, deadline=None, phases=[Phase.generate],
        derandomize=True, suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(given: Given) -> None:
        found.append(is_long(given.message))

    collect()
    assert documented / 2 < sum(found) / len(found) < 2 * documented


_Row = tuple[st.SearchStrategy[Given], Callable[[Any], bool], Callable[[Any], Any], Any]
SMALLEST: dict[str, _Row] = {
    "a generation": (
        subscriptions(), lambda m: m.generation_id > 5, lambda m: m.generation_id, 6
    ),
    "a high generation": (
        subscriptions(), lambda m: m.generation_id > 500, lambda m: m.generation_id, 501
    ),
    "a low generation": (
        subscriptions(), lambda m: m.generation_id < -5, lambda m: m.generation_id, -6
    ),
    "a rack": (subscriptions(), lambda m: bool(m.rack_id), lambda m: m.rack_id, "r"),
    "many topics": (
        subscriptions(), lambda m: len(m.topics) > 10, lambda m: len(m.topics), 11
    ),
    "a long name": (
        subscriptions(),
        lambda m: any(len(topic) > 200 for topic in m.topics),
        lambda m: m.topics,
        ("x" * 201,),
    ),
    "many partitions": (
        assignments(),
        lambda m: any(len(entry.partitions) > 500 for entry in m.assigned_partitions),
        lambda m: [len(entry.partitions) for entry in m.assigned_partitions],
        [501],
    ),
    "many entries": (
        assignments(),
        lambda m: len(m.assigned_partitions) > 20,
        lambda m: len(m.assigned_partitions),
        21,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", some(SMALLEST, 4))
def test_a_failure_shrinks_to_what_a_person_would_write(what: str) -> None:
    strategy, failing, shown, smallest = SMALLEST[what]
    found = find(
        strategy,
        lambda given: failing(given.message),
        settings=settings(
            max_examples=3000, database=None, deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
        random=Random(1),  # noqa: S311
    )  # fmt: skip
    assert shown(found.message) == smallest
