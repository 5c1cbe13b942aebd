"""Clients' settings, judged against what happened in their group: one table of rules, asked of a
group that is looked at, of its history, and of the story that logs tell.

What happened is the same for all of them: an `Observed`, made by who knows the group. A rule says
what is set, what happened, what follows, and what to change. Where the setting alone decides (a
constructor that refuses), the judgement is certain; where another cause leaves the same traces, it
is likely. Nothing is said of a setting that has nothing to do with what happened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..clients.catalog import ability_of
from ..clients.settings import ClientSettings, Setting, refusals
from ..inspector.diagnose.levels import LEVELS
from ..inspector.shapes.group_shapes import SettingJudgement
from .observed import Observed

__all__ = ["RULES", "SettingRule", "judge_settings"]


class _Words(NamedTuple):
    """What a rule says: the level, the setting, what happened, what follows, what to change."""

    level: str
    setting: Setting
    happened: str
    follows: str
    change: str
    is_certain: bool = True
    evidence: tuple[str, ...] = ()


Judge = Callable[[ClientSettings, Observed], Iterator[_Words]]

_CONSUMER = "consumer"


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:,.1f}".removesuffix(".0") + " s"


def _is_broker_divided(settings: ClientSettings) -> bool:
    return settings.value("group.protocol") == _CONSUMER


# -- polls and sessions


def _slow_polls(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    happening = observed.of(settings, "poll-timeout-exceeded")
    limit = settings.number("max.poll.interval.ms")
    setting = settings.setting("max.poll.interval.ms")
    if happening is None or setting is None or limit is None:
        return
    above = f" above {_seconds(happening.longest_ms)}" if happening.longest_ms > limit else ""
    records = settings.setting("max.poll.records")
    name = settings.spelled("max.poll.records")
    fewer = f", or lower {name} ({records.value})" if records is not None else ""
    yield _Words(
        "warning",
        setting,
        happening.text,
        "the client leaves the group when a batch takes longer than that, and what it had not "
        "committed is read again",
        f"raise {settings.spelled('max.poll.interval.ms')}{above}{fewer}; or process records "
        "outside of the polling thread",
        happening.is_certain,
        happening.evidence,
    )


def _heartbeats(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    interval, session = (
        settings.number(name) for name in ("heartbeat.interval.ms", "session.timeout.ms")
    )
    setting = settings.setting("heartbeat.interval.ms")
    timeout = settings.setting("session.timeout.ms")
    if interval is None or session is None or setting is None or timeout is None:
        return
    if _is_broker_divided(settings):
        return
    expiry = observed.of(settings, "session-expired")
    happened = f"{timeout.text}" + (f", and {expiry.text}" if expiry else "")
    change = (
        f"set {settings.spelled('heartbeat.interval.ms')} to a third of "
        f"{settings.spelled('session.timeout.ms')} or less"
    )
    evidence = expiry.evidence if expiry else ()
    if interval >= session:
        refusal = next(
            refusals(settings.client, "heartbeat.interval.ms", "session.timeout.ms"), None
        )
        follows = (
            f"{settings.client} refuses to start: {refusal.says}"
            if refusal
            else "the session can end before the next heartbeat is sent, so the member is removed"
        )
        yield _Words("error", setting, happened, follows, change, evidence=evidence)
    elif 3 * interval > session:
        yield _Words(
            "warning" if expiry else "note",
            setting,
            happened,
            "one or two lost heartbeats end the session",
            change,
            is_certain=False,
            evidence=evidence,
        )


def _short_session(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    expiry = observed.of(settings, "session-expired")
    session, setting = settings.number("session.timeout.ms"), settings.setting("session.timeout.ms")
    if expiry is None or session is None or setting is None or _is_broker_divided(settings):
        return
    spelled = settings.spelled("session.timeout.ms")
    yield _Words(
        "warning" if session < _SESSION_MS else "note",
        setting,
        expiry.text,
        "a pause of the process or of the network that is longer ends its membership",
        f"raise {spelled} to 45 s, the default of newer clients"
        if session < _SESSION_MS
        else f"look for what stops the process; {spelled} is not short",
        is_certain=False,
        evidence=expiry.evidence,
    )


_SESSION_MS = 45_000


def _session_limits(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    session, setting = settings.number("session.timeout.ms"), settings.setting("session.timeout.ms")
    if session is None or setting is None or _is_broker_divided(settings):
        return
    for name, direction in (
        ("group.min.session.timeout.ms", -1),
        ("group.max.session.timeout.ms", 1),
    ):
        limit = observed.broker.get(name, "")
        if limit.isdecimal() and direction * (session - int(limit)) > 0:
            yield _Words(
                "error",
                setting,
                f"the broker has {name}={limit}",
                "it refuses the member's JoinGroup with INVALID_SESSION_TIMEOUT",
                f"choose a {settings.spelled('session.timeout.ms')} within the broker's limits",
            )


def _poll_below_session(settings: ClientSettings, _: Observed) -> Iterator[_Words]:
    names = ("max.poll.interval.ms", "session.timeout.ms")
    limit, session = map(settings.number, names)
    setting, timeout = map(settings.setting, names)
    refusal = next(refusals(settings.client, *names), None)
    if limit is None or session is None or setting is None or timeout is None or refusal is None:
        return
    if limit < session:
        yield _Words(
            "error",
            setting,
            timeout.text,
            f"{settings.client} refuses to start: {refusal.says}",
            "set session.timeout.ms to max.poll.interval.ms or less",
        )


def _not_what_runs(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    """What members told the coordinator is what they run with."""
    if _is_broker_divided(settings):
        return
    members = observed.members_of(settings)
    for name, timeouts in (
        ("session.timeout.ms", {member.session_ms for member in members}),
        (_REBALANCE_TIMEOUT.get(settings.client, "max.poll.interval.ms"),
         {member.rebalance_ms for member in members}),
    ):  # fmt: skip
        values = sorted(timeouts - {-1})
        setting, value = settings.setting(name), settings.number(name)
        if not values or setting is None or value is None or value in values:
            continue
        if setting.origin == "default" and not settings.release:
            continue
        stated = " and ".join(_seconds(number) for number in values[:3])
        yield _Words(
            "warning",
            setting,
            f"members joined with {stated}",
            "no member runs with this value: the settings are of another deployment, or are "
            "overridden",
            "find out which settings the running process has: it prints them at its start",
            evidence=tuple(dict.fromkeys(member.client for member in members if member.client))[:5],
        )


_REBALANCE_TIMEOUT = dict.fromkeys(
    ("kafkajs", "sarama", "franz-go", "kafka-connect"), "rebalance.timeout.ms"
)
"""What clients send as the rebalance timeout, where it is not max.poll.interval.ms."""


# -- assignors and protocols


_COOPERATIVE = "cooperative-sticky"


def _to_agree(settings: ClientSettings, assignor: str, names: Sequence[str]) -> str:
    """Return what makes a client with these assignors take that of its group."""
    spelled = settings.spelled("partition.assignment.strategy")
    mixture = ability_of(settings.client, "both-at-once")
    mixes = mixture is not None and mixture.since and mixture.has(settings.release or mixture.since)
    if (_COOPERATIVE in names) == (assignor == _COOPERATIVE) or mixes:
        return f"add {assignor} to {spelled}"
    return f"set {spelled} to {assignor} alone"


def _assignors(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    setting = settings.setting("partition.assignment.strategy")
    if setting is None or _is_broker_divided(settings):
        return
    names = [name for name in setting.value.split(",") if name]
    spelled = settings.spelled("partition.assignment.strategy")
    mixture = ability_of(settings.client, "both-at-once")
    is_refused = mixture is not None and not mixture.since and mixture.refusal
    if _COOPERATIVE in names and len(names) > 1 and mixture is not None and is_refused:
        yield _Words(
            "error",
            setting,
            f"{settings.client} cannot list an eager and a cooperative assignor together",
            f"it refuses to start: {mixture.refusal}",
            f"list {_COOPERATIVE} alone in {spelled}, after all members were stopped",
        )
    if observed.kind != "classic" or not observed.assignor or observed.assignor in names:
        return
    if "." in setting.value or observed.assignor == "stream":
        return  # a class of the user's own, whose name nothing tells
    refusal = observed.of(settings, "no-common-assignor")
    plan = " (kproto group NAME --plan cooperative)" * (_COOPERATIVE in names)
    happened = f"the group uses {observed.assignor}"
    yield _Words(
        "error",
        setting,
        f"{happened}, and {refusal.text}" if refusal else happened,
        "a client with these settings is refused with INCONSISTENT_GROUP_PROTOCOL while the group "
        "has members",
        f"{_to_agree(settings, observed.assignor, names)}, or stop all members first{plan}",
        evidence=refusal.evidence if refusal else (),
    )


_OF_CLASSIC = ("partition.assignment.strategy", "session.timeout.ms", "heartbeat.interval.ms",
               "group.protocol.type")  # fmt: skip


def _protocol(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    setting = settings.setting("group.protocol")
    if setting is None:
        return
    if not _is_broker_divided(settings):
        yield from _of_classic(settings, setting, observed)
        return
    for name in filter(settings.is_set, _OF_CLASSIC):
        for refusal in refusals(settings.client, "group.protocol", name):
            yield _Words(
                "error",
                setting,
                f"{name} is set, too",
                f"{settings.client} refuses to start: {refusal.says}",
                f"remove {name}: the broker decides it ({_BY_BROKER.get(name, 'nothing else')})",
            )
    ability = ability_of(settings.client, "consumer-protocol")
    is_known = ability is not None and not (ability.since and not settings.release)
    if ability is not None and is_known and not ability.has(settings.release):
        no_release = f"no release of {settings.client} takes it"
        too_old = f"{settings.label} is too old: it needs {ability.since}"
        yield _Words(
            "error",
            setting,
            too_old if ability.since else no_release,
            "it stays with the classic protocol, or refuses to start",
            ("update the client, or " if ability.since else "") + "leave group.protocol out",
            is_certain=False,
            evidence=(ability.evidence,),
        )
    if observed.kind == "classic":
        yield _Words(
            "note",
            setting,
            "the group is a classic one",
            "the first member that joins with this setting converts it, if all its members' bytes "
            "can be read",
            "see kproto group NAME --plan consumer first",
        )


def _of_classic(settings: ClientSettings, setting: Setting, observed: Observed) -> Iterator[_Words]:
    for refusal in refusals(settings.client, "group.remote.assignor", "group.protocol"):
        if settings.is_set("group.remote.assignor"):
            yield _Words(
                "error",
                setting,
                "group.remote.assignor is set, too",
                f"{settings.client} refuses to start: {refusal.says}",
                "remove group.remote.assignor, or set group.protocol=consumer",
            )
    if observed.kind == _CONSUMER and (settings.is_set("group.protocol") or settings.is_whole):
        yield _Words(
            "note",
            setting,
            "the broker divides the group's partitions",
            "members of both protocols are in one group, which is meant for the time of a change",
            "set group.protocol=consumer when all members can take it",
        )


_BY_BROKER = {
    "partition.assignment.strategy": "group.remote.assignor chooses among the broker's assignors",
    "session.timeout.ms": "group.consumer.session.timeout.ms",
    "heartbeat.interval.ms": "group.consumer.heartbeat.interval.ms",
}


# -- static members


def _used_twice(setting: Setting, happened: str, evidence: tuple[str, ...]) -> _Words:
    return _Words(
        "error",
        setting,
        happened,
        "two processes with one id fence each other, so one of them stops",
        "give each process an id of its own: with the pod's or the host's name in it",
        evidence=evidence,
    )


def _instance_id(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    setting = settings.setting("group.instance.id")
    if setting is None:
        return
    session = settings.setting("session.timeout.ms")
    if settings.value("group.instance.id"):
        twice = observed.of(settings, "instance-id-used-twice")
        if twice is not None:
            yield _used_twice(setting, twice.text, twice.evidence)._replace(
                is_certain=twice.is_certain
            )
        late = observed.of(settings, "static-member-came-back-too-late")
        if late is not None and session is not None and not _is_broker_divided(settings):
            yield _Words(
                "warning",
                session,
                late.text,
                "a static member that needs longer for a restart loses its place, and the group "
                "rebalances twice",
                f"raise {settings.spelled('session.timeout.ms')} above the time of a restart",
                late.is_certain,
                late.evidence,
            )
        unreleased = observed.of(settings, "unreleased-instance")
        if unreleased is not None:
            yield _Words(
                "error",
                setting,
                unreleased.text,
                "with group.protocol=consumer a static member that was killed is let in again only "
                "after its session",
                "close the consumer in order, or start it anew after the session has ended",
                evidence=unreleased.evidence,
            )
        return
    restarts = observed.of(settings, "rolling-restart", "crash-loop")
    if restarts is not None:
        yield _Words(
            "note",
            setting,
            restarts.text,
            "each of these restarts made the group rebalance twice",
            f"give each process a {settings.spelled('group.instance.id')} of its own: then a "
            "restart within the session causes no rebalance",
            is_certain=False,
            evidence=restarts.evidence,
        )


# -- offsets

_RESETS = {
    "latest": ("warning", "it goes on with what comes next: all records before that are skipped"),
    "earliest": ("note", "it goes on with the oldest record that is there, and reads all again"),
    "none": ("error", "it fails with an exception (no offset to reset to)"),
}


def _offset_reset(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    happening = observed.of(settings, "out-of-range", "offsets-out-of-range", "offsets-expired")
    setting = settings.setting("auto.offset.reset")
    if happening is None or setting is None or setting.value not in _RESETS:
        return
    level, follows = _RESETS[setting.value]
    yield _Words(
        level,
        setting,
        happening.text,
        f"at its next fetch, {follows}" if observed.of(settings, "out-of-range") else follows,
        "set the offsets by hand before the client starts: kafka-consumer-groups --reset-offsets, "
        "first with --dry-run (kproto audit prints the line); or choose another "
        f"{settings.spelled('auto.offset.reset')}",
        happening.is_certain,
        happening.evidence,
    )


def _without_commit(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    happening = observed.of(settings, "no-commit")
    setting = settings.setting("enable.auto.commit")
    if happening is None or setting is None or setting.value not in ("true", "false"):
        return
    reset = settings.setting("auto.offset.reset")
    begins = f", where {reset.text} decides" if reset is not None else ""
    if setting.value == "false":
        yield _Words(
            "warning",
            setting,
            happening.text,
            f"only the application commits, and it has not: the next owner begins anew{begins}",
            "commit in the application after each batch, or set "
            f"{settings.spelled('enable.auto.commit')} to true",
            is_certain=False,
            evidence=happening.evidence,
        )
    else:
        yield _Words(
            "note",
            setting,
            happening.text,
            "a partition that was never read has no commit; else the member never came back to "
            f"its poll{begins}",
            "look whether the partition has records, and whether the member goes on",
            is_certain=False,
            evidence=happening.evidence,
        )


def _commit_interval(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    interval = settings.number("auto.commit.interval.ms")
    setting = settings.setting("auto.commit.interval.ms")
    if settings.value("enable.auto.commit") != "true" or interval is None or setting is None:
        return
    again = observed.of(settings, "rewound", "commit-failed")
    if again is not None:
        yield _Words(
            "note",
            setting,
            again.text,
            f"up to {_seconds(interval)} of work is read again whenever a partition goes to "
            "another member without a last commit",
            f"lower {settings.spelled('auto.commit.interval.ms')}, or commit when partitions are "
            "revoked",
            is_certain=False,
            evidence=again.evidence,
        )
    elif observed.commit_interval_ms >= _SLOW_COMMITS * max(interval, 1):
        yield _Words(
            "note",
            setting,
            f"commits come every {_seconds(observed.commit_interval_ms)}",
            "the client commits within poll(), so that a batch takes about as long",
            "lower max.poll.records where what is read again after a failure is too much",
            is_certain=False,
        )


_SLOW_COMMITS = 3


def _isolation(settings: ClientSettings, observed: Observed) -> Iterator[_Words]:
    stalled, setting = observed.of(settings, "stalled"), settings.setting("isolation.level")
    if stalled is None or setting is None or setting.value != "read_committed":
        return
    yield _Words(
        "warning",
        setting,
        stalled.text,
        "a transaction that was left open may hold it up: nothing behind its first record is read",
        "kafka-transactions find-hanging shows such transactions, and kafka-transactions abort "
        "ends one",
        is_certain=False,
        evidence=stalled.evidence,
    )


class SettingRule(NamedTuple):
    """A rule: its code, the settings that it is about, what it says in a line, and the rule.
    `is_tried`: a test of a real group has carried out what it says to change, or it changes nothing
    and says where to look."""

    code: str
    settings: tuple[str, ...]
    title: str
    judge: Judge
    is_tried: bool = False


RULES: tuple[SettingRule, ...] = (
    SettingRule(
        "slow-polls", ("max.poll.interval.ms", "max.poll.records"),
        "a member left because it did not poll in time", _slow_polls, is_tried=True,
    ),
    SettingRule(
        "heartbeats", ("heartbeat.interval.ms", "session.timeout.ms"),
        "a session has no room for three heartbeats", _heartbeats, is_tried=True,
    ),
    SettingRule(
        "short-session", ("session.timeout.ms",), "sessions expired", _short_session, is_tried=True,
    ),
    SettingRule(
        "session-limits", ("session.timeout.ms",),
        "the session is outside of the broker's limits", _session_limits, is_tried=True,
    ),
    SettingRule(
        "poll-below-session", ("max.poll.interval.ms", "session.timeout.ms"),
        "the poll limit is below the session", _poll_below_session, is_tried=True,
    ),
    SettingRule(
        "not-what-runs", ("session.timeout.ms", "max.poll.interval.ms", "rebalance.timeout.ms"),
        "members joined with other timeouts", _not_what_runs, is_tried=True,
    ),
    SettingRule(
        "assignors", ("partition.assignment.strategy",),
        "the assignors do not go together, or not with the group's", _assignors, is_tried=True,
    ),
    SettingRule(
        "protocol", ("group.protocol", *_OF_CLASSIC, "group.remote.assignor"),
        "settings that the protocol forbids, or a group of the other protocol", _protocol,
        is_tried=True,
    ),
    SettingRule(
        "instance-id", ("group.instance.id", "session.timeout.ms"),
        "static members that fence each other or come back too late; restarts without one",
        _instance_id, is_tried=True,
    ),
    SettingRule(
        "offset-reset", ("auto.offset.reset",),
        "offsets that expired or are out of range", _offset_reset, is_tried=True,
    ),
    SettingRule(
        "no-commit", ("enable.auto.commit",), "partitions without a commit", _without_commit,
        is_tried=True,
    ),
    SettingRule(
        "commit-interval", ("auto.commit.interval.ms", "enable.auto.commit"),
        "records that are read again, or commits that come seldom", _commit_interval,
        is_tried=True,
    ),
    SettingRule(
        "isolation", ("isolation.level",), "a partition that does not go on", _isolation,
        is_tried=True,
    ),
)  # fmt: skip
"""All rules."""


def judge_settings(
    clients: Iterable[ClientSettings], observed: Observed
) -> tuple[SettingJudgement, ...]:
    """Return what the settings of a group's clients have to do with what happened in it, the worst
    first; settings of other groups are passed over. Clients with the same settings share a
    judgement."""
    mine = [settings for settings in clients if settings.group in ("", observed.group)]
    judgements = [
        _judgement(rule, settings, words)
        for settings in mine
        for rule in RULES
        for words in rule.judge(settings, observed)
    ]
    judgements += _shared_instances(mine)
    distinct: dict[tuple[str, ...], SettingJudgement] = {}
    for judgement in judgements:
        key = (judgement.code, judgement.setting, judgement.value, judgement.what_follows)
        distinct.setdefault(key, judgement)
    return tuple(sorted(distinct.values(), key=lambda judgement: LEVELS.index(judgement.level)))


def _judgement(rule: SettingRule, settings: ClientSettings, words: _Words) -> SettingJudgement:
    of_client = words.setting.origin == "default" or settings.client in words.follows
    is_guess = settings.is_guess and of_client
    return SettingJudgement(
        level=words.level,
        code=rule.code,
        setting=words.setting.name,
        value=words.setting.value,
        source=settings.source,
        client=settings.label,
        what_is_set=words.setting.text,
        what_happened=words.happened,
        what_follows=words.follows,
        what_to_change=words.change
        if rule.is_tried
        else f"{words.change} (kproto's tests did not try it)",
        certainty="certain" if words.is_certain and not is_guess else "likely",
        evidence=words.evidence,
    )


def _shared_instances(clients: Sequence[ClientSettings]) -> Iterator[SettingJudgement]:
    """Yield that several clients have one group.instance.id; one that started anew has it, too."""
    rule = next(rule for rule in RULES if rule.code == "instance-id")
    holders: defaultdict[str, dict[str, ClientSettings]] = defaultdict(dict)
    for settings in clients:
        setting = settings.setting("group.instance.id")
        name = settings.client_id
        if setting is None or not name or not (instance := settings.value(setting.name)):
            continue
        others = holders[instance]
        other = next((holder for holder in others.values() if holder.client_id != name), None)
        others.setdefault(name, settings)
        if other is not None:
            happened = f"{other.client_id} and {name} have the same one"
            words = _used_twice(setting, happened, (other.source, settings.source))
            yield _judgement(rule, settings, words)
