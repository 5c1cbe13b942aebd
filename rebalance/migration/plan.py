"""The way of a group to another protocol, restart by restart: the broker's own (KIP-848), or a
cooperative assignor. What stops it, each step with a command that checks it, what changes, the way
back, and from where on there is none.

A plan follows from what every member's client can do (`members`), and takes one of these routes.
Each was carried out with real members on a real broker (`clients/plans.json`, `make plans`); with
clients with which none was, its steps are named as not tried.

| route         | to          | how                                                                |
|---------------|-------------|--------------------------------------------------------------------|
| `two-rounds`  | cooperative | all members list both assignors; then the cooperative one alone    |
| `all-at-once` | cooperative | some client refuses to list both: all members stop, then all start |
| `one-by-one`  | consumer    | the first new member converts the group; the others follow         |
| `from-empty`  | consumer    | bytes or a client stop that: all members stop, then all start      |
| `streams`     | streams     | a group of Kafka Streams is never converted with members           |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace as with_fields

from ...clients.catalog import COOPERATIVE_STICKY, clients
from ...history.finding_sentences import clock_time
from ...inspector.shapes.group_shapes import Plan, Step
from ...wording import counted, some_of
from .described_group import ClassicGroup, Policy
from .judge import STREAMS_ASSIGNOR, Readiness, other_type, what_keeps
from .members import Running, candidates_of, failure_of, failures, lacking, supports, tried_with
from .moves import moves_of
from .reasons import Reason, static_restarts

Goal: TypeAlias = Literal["cooperative", "consumer"]
GOALS: tuple[Goal, ...] = ("cooperative", "consumer")

_NAMED = 8  # members in one sentence
_STRATEGY = "partition.assignment.strategy"
_PROTOCOL = "group.protocol"


class PlannedGroup(NamedTuple):
    """The group of a plan: its id, its assignor, its members, and the command that shows it."""

    group_id: str
    assignor: str
    members: Sequence[Running]
    command: str

    @property
    def size(self) -> int:
        """The number of members."""
        return len(self.members)

    def names(self) -> str:
        """Return the members' names, in a sentence."""
        return some_of([member.name for member in self.members], _NAMED)

    @property
    def is_static(self) -> bool:
        """Whether a member has an instance id, and so does not leave when it stops."""
        return any(member.instance_id is not None for member in self.members)


# -- steps


Shown: TypeAlias = Mapping[str, str | int]
"""What a command has to show, by the keys of its JSON."""


def _in_words(shows: Shown) -> str:
    """Return in words what a command has to show."""
    protocol = f" by {shows['protocol']}" if "protocol" in shows else ""
    parts = [f"a {shows['kind']} group{protocol}"] if "kind" in shows else []
    parts += [str(shows["state"])] if "state" in shows else []
    if "memberCount" in shows:
        count = int(shows["memberCount"])
        parts.append(counted(count, "member"))
    if "classicCount" in shows:
        count = int(shows["classicCount"])
        parts.append(f"{count:,} of them with the classic protocol" if count else "none classic")
    return ", ".join(parts)


def _step(
    group: PlannedGroup,
    action: str,
    text: str,
    shows: Shown,
    settings: Mapping[str, str] | None = None,
    more: str = "",
) -> Step:
    """Return a step for all members; `more` is what the check shows besides `shows`."""
    expectation = "; ".join(filter(None, [_in_words(shows), more])) if group.command else ""
    members = tuple(member.name for member in group.members)
    return Step(
        text, group.command, expectation, action, members, dict(settings or {}), dict(shows)
    )


def _pairs(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items())


def _stop(group: PlannedGroup, kind: str) -> Step:
    names = f" ({group.names()})" if group.members else ""
    text = f"Stop all members{names}, and wait until the group is empty."
    if group.is_static:
        text += " Static members do not leave when they stop: their session has to end first."
    return _step(group, "stop", text, {"kind": kind, "state": "Empty", "memberCount": 0})


def _start(group: PlannedGroup, settings: Mapping[str, str], shows: Shown) -> Step:
    text = f"Start all members with {_pairs(settings)}. Committed offsets stay where they are."
    shows = {"state": "Stable", "memberCount": group.size, **shows}
    return _step(group, "start", text, shows, settings)


def _restart(group: PlannedGroup, text: str, settings: Mapping[str, str], shows: Shown) -> Step:
    sentence = text.format(names=group.names(), settings=_pairs(settings))
    shows = {"kind": "classic", "state": "Stable", "memberCount": group.size, **shows}
    return _step(group, "restart", sentence, shows, settings)


def note_of_away(away: Mapping[str, int]) -> tuple[str, ...]:
    """Return that members which left are not in a plan; `away` has the time of each, in
    milliseconds since 1970."""
    text = "not in this plan, which is for the members that are there; the same is to be done for "
    return (f"{names_of_away(away)}: {text}who comes back",) if away else ()


def names_of_away(away: Mapping[str, int]) -> str:
    """Return who left, and when."""
    newest = max(away.values())
    names = [f"{name} left at {clock_time(time, newest)}" for name, time in away.items()]
    return some_of(names, _NAMED)


# -- to a cooperative assignor


def plan_to_cooperative(
    group_id: str, protocol: str, members: Sequence[Running], command: str
) -> Plan:
    """Return the way of a group from an eager assignor, `protocol`, to cooperative-sticky: in two
    rounds (KIP-429) where every client may list both assignors, else with all members stopped.
    `command` shows the group."""
    group = PlannedGroup(group_id, protocol, members, command)
    plan = Plan(group_id, "cooperative")
    if protocol == COOPERATIVE_STICKY:
        return with_fields(plan, steps=(_cooperative_already(group),))
    parts = supports(members, "cooperative")
    blockers = lacking(parts)
    plan = with_fields(plan, clients=parts, blockers=blockers)
    if blockers:
        return plan
    refusals = refusals_of_both(members)
    plan = with_fields(
        plan,
        route="all-at-once" if refusals else "two-rounds",
        reasons=refusals,
        steps=_all_at_once(group) if refusals else _two_rounds(group),
        back=_anew(group, protocol) if refusals else _two_rounds_back(group),
    )
    if refusals and _can_go_to_consumer(members):
        plan = with_fields(plan, notes=(_WITHOUT_A_STOP,))
    return _as_tried(plan, group, "assignors")


def refusals_of_both(members: Sequence[Running]) -> tuple[str, ...]:
    """Return a sentence for each client that cannot list eager and cooperative assignors at once,
    or of which it is not known: the members of such a group stop, all of them, before one starts
    with the other assignor."""
    return tuple(
        f"{', '.join(part.members)}: {part.says}"
        for part in supports(members, "both-at-once")
        if part.answer not in _CAN
    )


_CAN = frozenset({"yes", "upgrade"})
_WITHOUT_A_STOP = """\
Without a stop: --plan consumer. The broker's own protocol is cooperative as well, and takes a \
rolling restart (brokers of Apache Kafka 4.0 or newer)."""


def _can_go_to_consumer(members: Sequence[Running]) -> bool:
    parts = supports(members, "consumer-protocol")
    can = all(part.answer in _CAN for part in parts)
    return can and tried_with("one-by-one", members) is not None


def _cooperative_already(group: PlannedGroup) -> Step:
    return _step(
        group,
        "look",
        f"The group uses {COOPERATIVE_STICKY} already. If members still list another assignor, "
        f"restart each with {_STRATEGY}={COOPERATIVE_STICKY} alone.",
        {"kind": "classic", "state": "Stable", "protocol": COOPERATIVE_STICKY},
        more=_NO_CONTRADICTION,
    )


def _two_rounds(group: PlannedGroup) -> tuple[Step, ...]:
    both_assignors = {_STRATEGY: f"{COOPERATIVE_STICKY},{group.assignor}"}
    new = {_STRATEGY: COOPERATIVE_STICKY}
    return (
        _restart(group, _FIRST_ROUND, both_assignors, {}),
        _restart(group, _SECOND_ROUND, new, {"protocol": COOPERATIVE_STICKY}),
        _cooperative_look(group),
    )


def _two_rounds_back(group: PlannedGroup) -> tuple[Step, ...]:
    both_assignors = {_STRATEGY: f"{COOPERATIVE_STICKY},{group.assignor}"}
    old = {_STRATEGY: group.assignor}
    return (
        _restart(group, _FIRST_ROUND, both_assignors, {}),
        _restart(group, _LAST_ROUND, old, {"protocol": group.assignor}),
    )


def _all_at_once(group: PlannedGroup) -> tuple[Step, ...]:
    return (*_anew(group, COOPERATIVE_STICKY), _cooperative_look(group))


def _anew(group: PlannedGroup, assignor: str) -> tuple[Step, Step]:
    """Return the steps by which all members stop, and start with another assignor."""
    shows = {"kind": "classic", "protocol": assignor}
    return _stop(group, "classic"), _start(group, {_STRATEGY: assignor}, shows)


def _cooperative_look(group: PlannedGroup) -> Step:
    shows: Shown = {
        "kind": "classic",
        "state": "Stable",
        "protocol": COOPERATIVE_STICKY,
        "memberCount": group.size,
    }
    return _step(group, "look", "Look at the whole group.", shows, more=_NO_CONTRADICTION)


_NO_CONTRADICTION = "no remark claims-contradict"
_FIRST_ROUND = """\
Restart each member (one by one: {names}) with {settings}. All of them still revoke everything, \
because some list an eager assignor."""
_SECOND_ROUND = """\
Only when the last member has been restarted: restart each with {settings}. Until the last one \
lists it alone, members that list both go on revoking everything. A member that is refused with \
INCONSISTENT_GROUP_PROTOCOL means that another one was left out of the first round."""
_LAST_ROUND = """\
Only when the last member has been restarted: restart each with {settings}."""


# -- to the broker's protocol


def plan_to_consumer(
    group: ClassicGroup,
    readiness: Readiness,
    members: Sequence[Running] = (),
    command: str = "",
) -> Plan:
    """Return the way of a group that was judged to group.protocol=consumer. Without the `command`
    that shows the group, steps have no check."""
    names = {member.member_id: member.name for member in members}
    kinds = {reason.what for reason in readiness.reasons}
    subject = PlannedGroup(group.group_id, group.selected or "", members, command)
    reasons = _sentences(readiness.reasons, names)
    plan = Plan(
        group.group_id,
        "consumer",
        verdict=readiness.verdict,
        error=readiness.error or "",
        later=_sentences(readiness.later, names),
    )
    if STREAMS_ASSIGNOR in (group.protocol_selected(), group.last_selected):
        return _to_streams(with_fields(plan, reasons=reasons), subject, group)
    if "not-a-consumer-group" in kinds:  # whatever its clients are: such a group stays as it is
        return with_fields(plan, blockers=reasons)
    if what_keeps(group) == "not-a-consumer-group":
        return with_fields(plan, blockers=_sentences([other_type(group)], names))
    parts = supports(members, "consumer-protocol")
    missing = lacking(parts)
    plan = with_fields(plan, clients=parts, blockers=missing)
    obstacles = [reason for reason in readiness.reasons if reason.what not in _ONLY_WITH_MEMBERS]
    if not obstacles:
        plan = with_fields(plan, changes=tuple(_changes(group)))
    if obstacles or missing:
        return with_fields(plan, blockers=(*reasons, *missing))
    failure = failure_of("one-by-one", members)
    if kinds or failure:
        reasons = (*reasons, *filter(None, [failure]))
        plan = with_fields(plan, route="from-empty", reasons=reasons, steps=_from_empty(subject))
    else:
        plan = with_fields(plan, route="one-by-one", steps=tuple(_one_by_one(group, subject)))
    plan = with_fields(plan, back=_way_back(group, subject), no_return=_no_return(group))
    return plan if group.is_empty else _as_tried(plan, subject, "consumer")


def plan_for_the_rest(group_id: str, members: Sequence[Running], command: str) -> Plan:
    """Return what is left to do in a group that the broker divides already."""
    group = PlannedGroup(group_id, "", members, command)
    parts = supports(members, "consumer-protocol")
    plan = Plan(group_id, "consumer", clients=parts, blockers=lacking(parts), verdict="ready")
    rest = group._replace(members=[member for member in members if member.is_classic])
    if not rest.members:
        step = Step("Every member uses the consumer protocol: nothing is left to do.", command)
        return with_fields(plan, steps=(step,))
    if plan.blockers:
        return plan
    if failure := failure_of("one-by-one", rest.members):
        return with_fields(plan, blockers=(failure,))
    settings = {_PROTOCOL: "consumer"}
    text = f"Restart the members that use the classic protocol, one by one, with {_pairs(settings)}"
    shows: Shown = {"kind": "consumer", "state": "Stable", "memberCount": group.size}
    step = _step(rest, "restart", f"{text}: {rest.names()}.", shows, settings)
    later = static_restarts(member.instance_id for member in members)
    plan = with_fields(plan, route="one-by-one", steps=(step,), later=_sentences(later, {}))
    return _as_tried(plan, rest, "consumer")


def _sentences(reasons: Iterable[Reason], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return reasons and what to do about each; `names` has the members' names by id."""
    members = [(reason, names.get(reason.member_id, reason.member_id)) for reason in reasons]
    return tuple(
        f"{name}: " * bool(name) + f"{reason.explanation}. {reason.remedy}"
        for reason, name in members
    )


_ONLY_WITH_MEMBERS = frozenset({
    "upgrade-disabled", "group-too-large", "malformed-assignment", "unreadable-assignment",
    "custom-assignor", "malformed-subscription", "unreadable-subscription",
    "partition-assigned-twice", "group-full", "partition-out-of-range",
})  # fmt: skip
"""What stops a group as long as it has members: an empty one converts whatever they wrote."""

_START_EMPTY = """\
Start the members with group.protocol=consumer: the first one makes the empty group a consumer \
group, and its committed offsets stay."""
_CONFIGURATION = """\
Take out of the members' configuration what the next protocol refuses: \
partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms. The last two move to \
the broker (group.consumer.session.timeout.ms, group.consumer.heartbeat.interval.ms). \
max.poll.interval.ms stays, and is the time that a member has to give partitions back."""
_ONE_BY_ONE = """\
Restart the members with {settings}, one by one{names}. The first one's first heartbeat converts \
the group, and every other member rejoins once. Each stops in an orderly way, and the next one \
follows when the group is Stable."""
_DIVIDES = "The broker divides the partitions, not a member: by {assignor}, {habit}."
_HABITS: Mapping[str, str] = {
    "uniform": "which lets members keep what they have, up to an equal share",
    "range": "which divides anew at every change, whatever members have",
}
_MOVES = """\
When a new member joins beside the others, at most so many of {total} partitions leave their \
owner: {counts}."""
_CHANGES = (
    """\
Partitions move one by one, as in the cooperative protocol; a member that keeps its partitions \
does not pause.""",
    """\
Nobody sees the other members' subscriptions, and no user data is passed on: what an assignor of \
one's own did with them is gone.""",
    """\
A pattern that the client hands over is matched by the broker, as RE2; one in the client's own \
language is matched by the client, as before.""",
)
_BACK = """\
Restart the members with {settings}, one by one. When the last new one has left and a classic one \
remains, the group is a classic group again and rebalances once. """
_LOAD_RISK = """\
Every release up to 4.4.0 has KAFKA-21117: after this way back, compaction can leave records of \
the consumer group behind those of the classic one. A broker that loads them later (a restart, a \
new leader) fails (Group … is not a consumer group), and every group of that partition of \
__consumer_offsets is without a coordinator. Look before such a restart: kproto audit names the \
records."""
_BACK_STOPPED = """\
None while members run: the policy converts no consumer group back. Stop all members; an empty \
group takes classic ones."""
_BACK_TOO_LARGE = """\
None while as many members run: a classic group may have {limit} (group.max.size)."""
_NO_RETURN = """\
None under this policy: the last classic member may leave, and classic ones still join again."""
_NO_RETURN_DISABLED = "The first new member: from then on classic members are refused."
_NO_RETURN_UPGRADE = "The first new member: the group is classic again only after it was empty."


def _configure(group: PlannedGroup) -> Step:
    return Step(_CONFIGURATION, action="configure", members=_names(group))


def _names(group: PlannedGroup) -> tuple[str, ...]:
    return tuple(member.name for member in group.members)


def _one_by_one(group: ClassicGroup, subject: PlannedGroup) -> Iterator[Step]:
    settings = {_PROTOCOL: "consumer"}
    if group.is_empty:
        yield Step(
            _START_EMPTY,
            subject.command,
            "a consumer group, Stable" if subject.command else "",
            "start",
            settings=settings,
            shows={"kind": "consumer", "state": "Stable"},
        )
        return
    yield _configure(subject)
    size = len(group.members or ())
    names = f": {subject.names()}" if subject.members else f": {size:,} in all"
    text = _ONE_BY_ONE.format(settings=_pairs(settings), names=names)
    shows: Shown = {"kind": "consumer", "state": "Stable", "memberCount": size}
    yield _step(subject, "restart", text, shows, settings)
    if subject.members:
        yield _step(subject, "look", "Look at the whole group.", {**shows, "classicCount": 0})


def _from_empty(group: PlannedGroup) -> tuple[Step, ...]:
    settings = {_PROTOCOL: "consumer"}
    return (
        _configure(group),
        _stop(group, "classic"),
        _start(group, settings, {"kind": "consumer", "classicCount": 0}),
    )


def _changes(group: ClassicGroup) -> Iterator[str]:
    assignor = group.settings.assignor
    habit = _HABITS.get(assignor, "of which nothing is known here")
    yield _DIVIDES.format(assignor=assignor, habit=habit)
    moves = moves_of(group)
    if moves is not None:
        counts = ", ".join(f"{count} by {name}" for name, count in moves.counts.items())
        yield _MOVES.format(counts=counts, total=moves.total)
    yield from _CHANGES


def _way_back(group: ClassicGroup, subject: PlannedGroup) -> tuple[Step, ...]:
    settings = {_PROTOCOL: "classic"}
    shows: dict[str, str | int] = {"kind": "classic", "state": "Stable"}
    if subject.assignor:
        settings[_STRATEGY] = shows["protocol"] = subject.assignor
    size = len(group.members or ())
    obstacle = ""
    if not group.settings.policy.downgrades:
        obstacle = _BACK_STOPPED
    elif size > group.settings.classic_max_size:
        obstacle = _BACK_TOO_LARGE.format(limit=group.settings.classic_max_size)
    if obstacle:
        return Step(obstacle), _stop(subject, "consumer"), _start(subject, settings, shows)
    text = _BACK.format(settings=_pairs(settings)) + _LOAD_RISK
    shows |= {"memberCount": size} if size else {}
    return (_step(subject, "restart", text, shows, settings),)


def _no_return(group: ClassicGroup) -> str:
    if group.settings.policy is Policy.DISABLED:
        return _NO_RETURN_DISABLED
    return _NO_RETURN if group.settings.policy.downgrades else _NO_RETURN_UPGRADE


# -- a group of Kafka Streams


_STREAMS_SESSION = """\
 Kafka Streams does not leave its group when it closes: the group is empty when the sessions have \
ended (session.timeout.ms of the members, 45 s by default)."""
_START_EMPTY_STREAMS = """\
Leave the application classic, or start all members with group.protocol=streams while the group is \
empty: its last members were of Kafka Streams, which has classic and streams as group.protocol. \
Committed offsets stay where they are."""
_STREAMS_CHANGES = (
    """\
The broker divides the tasks, by its assignor sticky, and gets the topology from the instances. \
Committed offsets, internal topics and state directories stay.""",
    """\
Standby tasks are set for the group on the broker (streams.num.standby.replicas), not in the \
application; so are session and heartbeats (streams.session.timeout.ms, \
streams.heartbeat.interval.ms).""",
    """\
Up to Apache Kafka 4.3 the protocol has no static members (group.instance.id is refused with \
INVALID_REQUEST), no warm-up tasks, no task assignor of one's own, and no change of the topology \
under one application.id.""",
)
_STREAMS_NO_RETURN = """\
None: the empty group becomes a classic one again when the first classic instance joins."""


def _to_streams(plan: Plan, group: PlannedGroup, classic: ClassicGroup) -> Plan:
    """Return the way of a group of Kafka Streams to its new protocol (KIP-1071): while it is empty,
    and never with members."""
    forth, back = ({_PROTOCOL: name} for name in ("streams", "classic"))
    steps: tuple[Step, ...]
    if classic.is_empty:
        shows: Shown = {"kind": "streams", "state": "Stable"}
        steps = (_step(group, "start", _START_EMPTY_STREAMS, shows, forth),)
    else:
        stop = _stop(group, "classic")
        stop = with_fields(stop, do=stop.do + _STREAMS_SESSION)
        steps = (stop, _start(group, forth, {"kind": "streams"}))
    way_back = (
        _stop(group, "streams"),
        _start(group, back, {"kind": "classic", "protocol": STREAMS_ASSIGNOR}),
    )
    return with_fields(
        plan,
        goal="streams",
        route="streams",
        steps=steps,
        back=way_back,
        changes=_STREAMS_CHANGES,
        no_return=_STREAMS_NO_RETURN,
    )


# -- what was carried out


def _as_tried(plan: Plan, group: PlannedGroup, setting: str) -> Plan:
    """Return the plan as far as a test has carried out its route with such members: steps that none
    has are named as not tried."""
    if not group.members:
        return plan
    used = tried_with(plan.route, group.members)
    names = dict.fromkeys(name for member in group.members for name in candidates_of(member))
    if used is None:
        clients_named = ", ".join(names) or "this client"
        clients_named += " as static members" * group.is_static
        untried = tuple(
            f"kproto's tests did not try it with {clients_named}: {step.do}" for step in plan.steps
        )
        return with_fields(plan, steps=(), back=(), untried=untried)
    rest = [name for name in names if name not in used]
    note = (
        "kproto's tests have carried out these steps, and the way back, with "
        f"{', '.join(sorted(used))}"
    )
    failing = failures(plan.route)
    untried_names = [name for name in rest if name not in failing]
    if untried_names:
        note += (
            f"; they did not try it with {', '.join(untried_names)}, which members could be as well"
        )
    note += "".join(
        f"; {failing[name]}, which members could be as well" for name in rest if name in failing
    )
    spelled = ((name, clients()[name].settings.get(setting, "")) for name in names if name in used)
    notes = (note, *(f"{name}: {text}" for name, text in spelled if text))
    return with_fields(plan, notes=(*plan.notes, *notes))
