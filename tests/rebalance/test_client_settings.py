"""Clients' settings against what happened: drawn settings, drawn happenings, and the relations that
hold whatever they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.clients.catalog import ability_of
from kproto.clients.settings import ClientSettings
from kproto.history.clocks import LogSource
from kproto.history.group_facts import GroupCause, GroupFacts
from kproto.history.group_story import tell
from kproto.inspector.shapes.group_shapes import Committed, Group, Member, Remark, SettingJudgement
from kproto.rebalance.client_settings import RULES, judge_settings
from kproto.rebalance.observed import (
    Happening,
    MemberTimeouts,
    Observed,
    observed_in_look,
    observed_in_story,
)
from tests.capture.logs.recorded import logs, read

RELEASES = {"kafka-clients": ["2.8.2", "3.9.1", "4.3.1"], "librdkafka": ["2.16.1"],
            "kafka-python": ["3.0.12"], "aiokafka": ["0.14.0"], "franz-go": ["1.22.2"],
            "sarama": ["1.61.1"], "kafkajs": ["2.2.4"]}  # fmt: skip
milliseconds = st.integers(1000, 3_600_000)


@st.composite
def healthy(draw: st.DrawFn) -> tuple[ClientSettings, Observed]:
    """Settings that go together, and a group whose members have them."""
    client = draw(st.sampled_from(sorted(RELEASES)))
    session = draw(st.integers(3000, 120_000))
    limit = session + draw(st.integers(0, 3_600_000))
    values = {
        "group.id": "g",
        "session.timeout.ms": str(session),
        "heartbeat.interval.ms": str(draw(st.integers(1, session // 3))),
        "max.poll.interval.ms": str(limit),
        "rebalance.timeout.ms": str(limit),
        "partition.assignment.strategy": "range",
        "auto.offset.reset": draw(st.sampled_from(["earliest", "latest", "none"])),
        "enable.auto.commit": draw(st.sampled_from(["true", "false"])),
        "isolation.level": draw(st.sampled_from(["read_committed", "read_uncommitted"])),
    }
    release = draw(st.sampled_from(RELEASES[client]))
    settings = ClientSettings("client.properties", values, client, release, draw(st.booleans()))
    members = (MemberTimeouts("app", session, limit),)
    return settings, Observed("g", "classic", "range", members)


def with_values(settings: ClientSettings, **values: str) -> ClientSettings:
    named = {name.replace("_", "."): value for name, value in values.items()}
    return ClientSettings(
        settings.source, {**settings.values, **named}, settings.client, settings.release,
        settings.is_whole,
    )  # fmt: skip


def codes(*clients: ClientSettings, observed: Observed) -> set[str]:
    return {judgement.code for judgement in judge_settings(clients, observed)}


def complete(judgement: SettingJudgement) -> bool:
    return all(
        (judgement.what_is_set, judgement.what_happened, judgement.what_follows,
         judgement.what_to_change, judgement.source, judgement.client)
    )  # fmt: skip


@given(healthy())
def test_nothing_is_said_where_nothing_happened(case: tuple[ClientSettings, Observed]) -> None:
    settings, observed = case
    assert judge_settings([settings], observed) == ()


TROUBLES: list[tuple[str, str, dict[str, str]]] = [
    ("poll-timeout-exceeded", "slow-polls", {}),
    ("session-expired", "short-session", {}),
    ("instance-id-used-twice", "instance-id", {"group_instance_id": "i-1"}),
    ("static-member-came-back-too-late", "instance-id", {"group_instance_id": "i-1"}),
    ("unreleased-instance", "instance-id", {"group_instance_id": "i-1"}),
    ("crash-loop", "instance-id", {"group_instance_id": "unset"}),
    ("out-of-range", "offset-reset", {}),
    ("offsets-expired", "offset-reset", {}),
    ("no-commit", "no-commit", {}),
    ("rewound", "commit-interval", {"enable_auto_commit": "true", "auto_commit_interval_ms": "5"}),
    ("stalled", "isolation", {"isolation_level": "read_committed"}),
]


@pytest.mark.parametrize(("word", "code", "values"), TROUBLES)
@given(case=healthy(), longest=milliseconds, data=st.data())
def test_what_happened_is_judged(
    word: str,
    code: str,
    values: dict[str, str],
    case: tuple[ClientSettings, Observed],
    longest: int,
    data: st.DataObject,
) -> None:
    settings, observed = with_values(case[0], **values), case[1]
    happening = Happening("it happened", 3, longest, evidence=("line 7",))
    trouble = observed._replace(happenings={word: happening})
    (judgement,) = judge_settings([settings], trouble)
    assert judgement.code == code
    assert complete(judgement)
    assert judgement.evidence == ("line 7",)
    assert "it happened" in judgement.explanation
    if code == "slow-polls":
        is_longer = longest > int(settings.values["max.poll.interval.ms"])
        assert ("above" in judgement.what_to_change) == is_longer
    others = with_values(case[0], group_id="another")
    assert codes(settings, others, observed=trouble) == {code}
    assert codes(others, observed=trouble) == set()
    named = with_values(settings, client_id="app")
    of_other = trouble._replace(happenings={word: happening._replace(clients=frozenset({"other"}))})
    assert codes(named, observed=of_other) == set()


@given(healthy(), st.integers(1, 120_000))
def test_a_session_without_room_for_heartbeats(
    case: tuple[ClientSettings, Observed], interval: int
) -> None:
    settings, observed = with_values(case[0], heartbeat_interval_ms=str(interval)), case[1]
    session = int(settings.values["session.timeout.ms"])
    judgements = judge_settings([settings], observed)
    levels = [judgement.level for judgement in judgements if judgement.code == "heartbeats"]
    assert levels == (["error"] if interval >= session else ["note"] * (3 * interval > session))


@given(healthy(), milliseconds)
def test_members_that_run_with_something_else(
    case: tuple[ClientSettings, Observed], timeout: int
) -> None:
    settings, observed = case
    session = int(settings.values["session.timeout.ms"])
    limit = int(settings.values["max.poll.interval.ms"])
    members = (MemberTimeouts("app", timeout, limit),)
    expected = set() if timeout == session else {"not-what-runs"}
    assert codes(settings, observed=observed._replace(members=members)) == expected


@given(healthy(), st.lists(st.sampled_from(["range", "roundrobin", "sticky", "cooperative-sticky"]),
                           min_size=1, max_size=3, unique=True),
       st.sampled_from(["range", "roundrobin", "sticky", "cooperative-sticky"]))  # fmt: skip
def test_assignors_against_those_of_the_group(
    case: tuple[ClientSettings, Observed], names: list[str], chosen: str
) -> None:
    settings = with_values(case[0], partition_assignment_strategy=",".join(names))
    observed = case[1]._replace(assignor=chosen)
    judgements = judge_settings([settings], observed)
    is_refused = chosen not in names
    both = ability_of(settings.client, "both-at-once")
    takes_one = both is not None and bool(both.refusal) and not both.since
    is_mixed = takes_one and "cooperative-sticky" in names and len(names) > 1
    assert len(judgements) == is_refused + is_mixed
    assert all(judgement.level == "error" for judgement in judgements)
    texts = " ".join(judgement.what_follows for judgement in judgements)
    assert ("INCONSISTENT_GROUP_PROTOCOL" in texts) == is_refused
    changes = " ".join(judgement.what_to_change for judgement in judgements)
    differ = (chosen == "cooperative-sticky") != ("cooperative-sticky" in names)
    can_mix = both is not None and both.has(settings.release)
    assert (f"add {chosen} to" in changes) == (is_refused and (can_mix or not differ))


@pytest.mark.parametrize("client", ["kafka-clients", "librdkafka"])
@given(names=st.sets(st.sampled_from(["session.timeout.ms", "heartbeat.interval.ms",
                                      "partition.assignment.strategy"])),
       is_whole=st.booleans())  # fmt: skip
def test_settings_that_the_consumer_protocol_forbids(
    client: str, names: set[str], is_whole: bool
) -> None:
    """Of a client that printed them it is known that it did not refuse them."""
    values = dict.fromkeys(names, "1000") | {"group.id": "g", "group.protocol": "consumer"}
    settings = ClientSettings("f", values, client, RELEASES[client][-1], is_whole)
    judgements = judge_settings([settings], Observed("g", "consumer"))
    assert len(judgements) == (0 if is_whole else len(names))
    assert all("refuses to start" in judgement.what_follows for judgement in judgements)


def test_a_guess_is_called_one() -> None:
    settings = ClientSettings(
        "f", {"group.protocol": "consumer", "session.timeout.ms": "9"}, "kafka-clients",
        is_guess=True,
    )  # fmt: skip
    (judgement,) = judge_settings([settings], Observed("g", "consumer"))
    assert judgement.certainty == "likely"
    assert "probably" in judgement.explanation
    assert judgement.client == "probably kafka-clients"


def test_a_default_is_called_one_by_client_and_release() -> None:
    observed = Observed("g", "classic", happenings={"session-expired": Happening("gone")})
    for release, value, level in (("2.8.2", "10000", "warning"), ("3.9.1", "45000", "note")):
        settings = ClientSettings("f", {"group.id": "g"}, "kafka-clients", release)
        (judgement,) = judge_settings([settings], observed)
        assert (judgement.value, judgement.level) == (value, level)
        assert "the default of kafka-clients" in judgement.what_is_set
    unknown = ClientSettings("f", {"group.id": "g"}, "kafka-clients")
    assert judge_settings([unknown], observed) == ()  # it depends on the release


def test_one_instance_id_in_two_files() -> None:
    first, second = (
        ClientSettings(f, {"client.id": f, "group.instance.id": "i"}, "librdkafka", "2.16.1")
        for f in ("a", "b")
    )
    (judgement,) = judge_settings([first, second], Observed("g"))
    assert (judgement.code, judgement.level) == ("instance-id", "error")


def group(**fields: Any) -> Group:
    return Group(group_id="g", kind="classic", state="Stable", protocol="range", **fields)


def test_what_a_look_tells() -> None:
    found = Remark("warning", "beyond-the-end", "t-0 is beyond its end")
    observed = observed_in_look(group(remarks=(found,)))
    settings = ClientSettings("f", {"group.id": "g"}, "librdkafka", "2.16.1")
    (judgement,) = judge_settings([settings], observed)
    assert (judgement.code, judgement.value) == ("offset-reset", "latest")
    rows = (Committed("t", 0, None, 50, members=("m",)),)
    member = Member("m", "c", "h", assigned={"t": (0,)}, topics=("t",))
    observed = observed_in_look(group(partitions=rows, members=(member,)))
    assert codes(settings, observed=observed) == {"no-commit"}


def test_every_rule_has_a_title() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert all(rule.title and rule.settings for rule in RULES)


CLASSIC = Observed("g", "classic")
BROKERS = Observed("g", "consumer")
LATE = "static-member-came-back-too-late"


def happened(word: str) -> Observed:
    return CLASSIC._replace(happenings={word: Happening("it happened", evidence=("line 7",))})


def judged(client: str, observed: Observed, values: dict[str, str]) -> list[SettingJudgement]:
    release = RELEASES[client][-1]
    settings = ClientSettings("f", {"group.id": "g"} | values, client, release)
    return [*judge_settings([settings], observed)]


@pytest.mark.parametrize(
    ("client", "heartbeat", "session"),
    [
        ("kafka-clients", "heartbeat.interval.ms", "session.timeout.ms"),
        ("kafkajs", "heartbeatInterval", "sessionTimeout"),
        ("sarama", "Consumer.Group.Heartbeat.Interval", "Consumer.Group.Session.Timeout"),
        ("franz-go", "kgo.HeartbeatInterval", "kgo.SessionTimeout"),
        ("kafka-python", "heartbeat_interval_ms", "session_timeout_ms"),
    ],
)
def test_what_to_change_is_spelled_as_the_client_does(
    client: str, heartbeat: str, session: str
) -> None:
    equal = {"heartbeat.interval.ms": "9000", "session.timeout.ms": "9000",
             "max.poll.interval.ms": "9999", "rebalance.timeout.ms": "9999"}  # fmt: skip
    (judgement,) = judged(client, CLASSIC, equal)
    assert judgement.what_to_change == f"set {heartbeat} to a third of {session} or less"
    refuses = client != "franz-go"  # as its source does
    assert (f"{client} refuses to start: " in judgement.what_follows) is refuses
    assert ("before the next heartbeat" in judgement.what_follows) is not refuses
    (judgement,) = judged(client, happened(LATE), {"group.instance.id": "i"})
    assert judgement.what_to_change == f"raise {session} above the time of a restart"
    assert judgement.what_follows.startswith("a static member that needs longer for a restart")


@pytest.mark.parametrize(
    ("release", "needs"), [("2.8.2", True), ("3.9.1", True), ("4.3.1", False), (None, False)]
)
def test_a_client_that_is_too_old_for_the_consumer_protocol(
    release: str | None, needs: bool
) -> None:
    """KIP-848 is general since 4.0; of a client without a release nobody knows."""
    values = {"group.id": "g", "group.protocol": "consumer"}
    settings = ClientSettings("f", values, "kafka-clients", release or "")
    found = judge_settings([settings], BROKERS)
    assert [(one.level, one.certainty) for one in found] == [("error", "likely")] * needs
    for one in found:
        assert one.what_happened.endswith("is too old: it needs 4.0")
        assert one.what_to_change == "update the client, or leave group.protocol out"
        assert "early access" in one.evidence[0]


def test_a_client_of_which_no_release_has_the_consumer_protocol() -> None:
    (judgement,) = judged("kafkajs", BROKERS, {"group.protocol": "consumer"})
    assert judgement.what_happened == "no release of kafkajs takes it"
    assert judgement.what_to_change == "leave group.protocol out"


def test_a_classic_member_in_a_group_of_the_broker() -> None:
    (judgement,) = judged("kafka-clients", BROKERS, {"group.protocol": "classic"})
    assert judgement.what_to_change == "set group.protocol=consumer when all members can take it"
    assert not judged("kafka-clients", BROKERS, {})  # the file may not be all of it


def test_a_timeout_that_a_member_does_not_state_is_none() -> None:
    values = {"session.timeout.ms": "9000", "max.poll.interval.ms": "99000"}
    silent, other = MemberTimeouts("a", -1, -1), MemberTimeouts("b", 10_000, -1)
    assert not judged("kafka-clients", CLASSIC._replace(members=(silent,)), values)
    (judgement,) = judged("kafka-clients", CLASSIC._replace(members=(silent, other)), values)
    assert judgement.what_happened == "members joined with 10 s"


def test_a_batch_takes_longer_than_the_interval_of_commits() -> None:
    (judgement,) = judged(
        "kafka-python", happened("rewound"),
        {"enable.auto.commit": "true", "auto.commit.interval.ms": "5000"},
    )  # fmt: skip
    assert judgement.what_follows.startswith("up to 5 s of work is read again")
    assert "lower auto_commit_interval_ms" in judgement.what_to_change


LIMITED = CLASSIC._replace(
    broker={"group.min.session.timeout.ms": "6000", "group.max.session.timeout.ms": "9000"}
)
Said = tuple[str, str, str, str]  # level, certainty, what happened, what to change


@pytest.mark.parametrize(
    ("client", "observed", "values", "said"),
    [
        # short-session
        ("kafka-python", happened("session-expired"), {"session.timeout.ms": "44999"},
         ("warning", "likely", "it happened",
          "raise session_timeout_ms to 45 s, the default of newer clients")),
        ("kafka-python", happened("session-expired"), {"session.timeout.ms": "45000"},
         ("note", "likely", "it happened",
          "look for what stops the process; session_timeout_ms is not short")),
        ("kafka-python", CLASSIC, {"session.timeout.ms": "30000"}, None),
        # session-limits
        ("kafka-python", LIMITED, {"session.timeout.ms": "5999", "heartbeat.interval.ms": "10"},
         ("error", "certain", "the broker has group.min.session.timeout.ms=6000",
          "choose a session_timeout_ms within the broker's limits")),
        ("kafka-python", LIMITED, {"session.timeout.ms": "9001"},
         ("error", "certain", "the broker has group.max.session.timeout.ms=9000",
          "choose a session_timeout_ms within the broker's limits")),
        ("kafka-python", LIMITED, {"session.timeout.ms": "9000"}, None),
        ("kafka-python", LIMITED, {"session.timeout.ms": "6000", "heartbeat.interval.ms": "10"},
         None),
        # poll-below-session: librdkafka refuses it
        ("librdkafka", CLASSIC, {"max.poll.interval.ms": "9999", "session.timeout.ms": "10000"},
         ("error", "certain", "session.timeout.ms is 10000 (set in f)",
          "set session.timeout.ms to max.poll.interval.ms or less")),
        ("librdkafka", CLASSIC, {"max.poll.interval.ms": "10000", "session.timeout.ms": "10000"},
         None),
        # assignors
        ("librdkafka", CLASSIC, {"partition.assignment.strategy": "range,cooperative-sticky"},
         ("error", "certain",
          "librdkafka cannot list an eager and a cooperative assignor together",
          ("list cooperative-sticky alone in partition.assignment.strategy, after all members were "
           "stopped"))),
        # protocol
        ("kafka-clients", CLASSIC, {"group.protocol": "consumer"},
         ("note", "certain", "the group is a classic one",
          "see kproto group NAME --plan consumer first")),
        ("kafka-clients", CLASSIC, {"group.remote.assignor": "uniform"},
         ("error", "certain", "group.remote.assignor is set, too",
          "remove group.remote.assignor, or set group.protocol=consumer")),
        # instance-id
        ("kafka-python", happened("unreleased-instance"), {"group.instance.id": "i"},
         ("error", "certain", "it happened",
          "close the consumer in order, or start it anew after the session has ended")),
        ("kafka-python", happened("rolling-restart"), {"group.instance.id": "unset"},
         ("note", "likely", "it happened",
          ("give each process a group_instance_id of its own: then a restart within the session "
          "causes no rebalance"))),
        # no-commit
        ("kafka-python", happened("no-commit"), {"enable.auto.commit": "false"},
         ("warning", "likely", "it happened",
          "commit in the application after each batch, or set enable_auto_commit to true")),
        ("kafka-python", happened("no-commit"), {"enable.auto.commit": "true"},
         ("note", "likely", "it happened",
          "look whether the partition has records, and whether the member goes on")),
        ("kafka-python", happened("no-commit"), {"enable.auto.commit": "maybe"}, None),
        # commit-interval
        ("kafka-python", CLASSIC._replace(commit_interval_ms=15_000.0),
         {"enable.auto.commit": "true", "auto.commit.interval.ms": "5000"},
         ("note", "likely", "commits come every 15 s",
          "lower max.poll.records where what is read again after a failure is too much")),
        ("kafka-python", CLASSIC._replace(commit_interval_ms=14_999.0),
         {"enable.auto.commit": "true", "auto.commit.interval.ms": "5000"}, None),
        # isolation
        ("kafka-clients", happened("stalled"), {"isolation.level": "read_committed"},
         ("warning", "likely", "it happened",
          ("kafka-transactions find-hanging shows such transactions, and kafka-transactions abort "
          "ends one"))),
        ("kafka-clients", happened("stalled"), {"isolation.level": "read_uncommitted"}, None),
    ],
)  # fmt: skip
def test_what_is_said_of_a_setting(
    client: str, observed: Observed, values: dict[str, str], said: Said | None
) -> None:
    found = [
        (one.level, one.certainty, one.what_happened, one.what_to_change)
        for one in judged(client, observed, values)
    ]
    assert found == ([said] if said else [])


@pytest.mark.parametrize(
    ("word", "reset", "level", "follows"),
    [
        ("out-of-range", "latest", "warning", "at its next fetch, it goes on with what comes next"),
        ("offsets-expired", "latest", "warning", "it goes on with what comes next"),
        ("offsets-out-of-range", "earliest", "note", "it goes on with the oldest record"),
        ("offsets-expired", "none", "error", "it fails with an exception"),
        ("offsets-expired", "by_duration:PT1H", "", ""),
    ],
)
def test_where_a_client_goes_on(word: str, reset: str, level: str, follows: str) -> None:
    found = judged("kafka-python", happened(word), {"auto.offset.reset": reset})
    assert [one.level for one in found] == [level] * bool(level)
    for one in found:
        assert one.what_follows.startswith(follows)
        assert one.what_to_change.endswith("or choose another auto_offset_reset")
        assert one.evidence == ("line 7",)


# -- what logs tell of what happened


def told_by_logs(scene: str) -> Observed:
    """What the logs of a recorded group tell."""
    told: list[Observed] = []

    def keep(view: GroupFacts, kind: str, causes: Sequence[GroupCause]) -> tuple[()]:
        told.append(observed_in_story(view, kind, causes))
        return ()

    sources = [LogSource(name, read(text)) for name, text in logs(scene).items()]
    tell(sources, judge_settings=keep)
    (observed,) = told
    return observed


@pytest.mark.parametrize(
    ("scene", "kind", "expected"),
    [
        ("slow-poll", "classic", {
            "poll-timeout-exceeded": (3, 9382, {"c2"}, "c2 did not poll within"),
            "commit-failed": (1, 0, set(), "Commits of c2 were refused"),
        }),
        ("consumer-group-848", "consumer", {
            "poll-timeout-exceeded": (2, 5000 + 4110, {"c2"}, "c2 did not poll within"),
            "session-expired": (1, 0, {"c3"}, "The session of c3 ended"),
            "commit-failed": (1, 0, set(), "Commits of c2 were refused"),
        }),
        ("inconsistent-protocol", "classic", {
            "no-common-assignor": (1, 0, set(), "c3 was refused"),
        }),
        ("static-restart-beyond", "classic", {
            "session-expired": (4, 0, {"c1", "c2", "c3"}, "The session of c2"),
            "static-member-came-back-too-late": (1, 0, set(), "The static member orders-2"),
        }),
    ],
)  # fmt: skip
def test_what_logs_of_real_groups_tell(
    scene: str, kind: str, expected: dict[str, tuple[int, int, set[str], str]]
) -> None:
    """How often, how long at most, and of whom. In the first two scenes c2 polls too late; in the
    second one its log says by how much."""
    observed = told_by_logs(scene)
    assert (observed.kind, observed.assignor) == (kind, "range" if kind == "classic" else "")
    assert observed.happenings.keys() == expected.keys()
    for word, (times, longest_ms, clients, words) in expected.items():
        happening = observed.happenings[word]
        assert (happening.times, happening.longest_ms) == (times, longest_ms)
        assert happening.clients == clients
        assert happening.text.startswith(words) and not happening.text.endswith(".")
        assert happening.is_certain
        assert 0 < len(happening.evidence) <= 3
        assert all(re.fullmatch(r"\w+\.log, line \d+", line) for line in happening.evidence)
    if scene == "slow-poll":
        assert observed.happenings["poll-timeout-exceeded"].evidence == (
            "c2.log, line 143", "c2.log, line 168", "c2.log, line 193",
        )  # fmt: skip
