"""How often a group rebalances, and which members cause it.

A generation that nobody recorded (aborted, or compacted away) still counts: the rate is the change
of the generation over the time between the records that there are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..findings import Basis, Severity, Sign
from ..members import Identity
from ..rule import Rule
from ..storm_causes import cause_of_stays, poll_limit_cause, stays_of, storm_cause, who
from ..window import Trace, Window

_MS = 1000.0
_DESERTED_MS = 60_000


def _storm(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    traces = _stormy(window.traces, thresholds)
    generations = traces[-1].generation - traces[0].generation
    seconds = (traces[-1].timestamp - traces[0].timestamp) / _MS
    if generations < thresholds["generations"] or seconds < 0:  # or the clock was set back
        return
    joins = rejoined(traces)
    worst, times = max(joins.items(), key=lambda item: item[1], default=(None, 0))
    passing = _passing(traces)
    slots = max(len(trace.members) for trace in traces)
    rounds = generations / max(slots, 1)
    if times >= thresholds["rejoins"]:
        why = f"{who(worst)} joined {times} times"
    elif passing >= thresholds["rejoins"]:
        why = f"{passing} members came and went again, one after another, each with a new client id"
    elif rounds > thresholds["rounds"]:
        why = f"{rounds:.0f} for each of its {slots} members"
    else:
        return  # each joined once: a deploy, or scaling
    yield Sign(
        "",
        f"{generations} generations in {seconds:.0f} s; {why}",
        {
            "generations": generations,
            "seconds": round(seconds, 1),
            "rejoined": [
                {"who": who(identity), "times": n} for identity, n in joins.most_common(10)
            ],
            "came_and_went": passing,
            "members": slots,
            "since": traces[0].timestamp,
        },
        cause=storm_cause(traces),
    )


def _stormy(traces: Sequence[Trace], thresholds: Mapping[str, float]) -> Sequence[Trace]:
    """Return the steps within the time that counts; where that is the last one alone, since others
    were compacted away, the one before too, if generations rose as fast in between.
    """
    within = _within(traces, thresholds["seconds"])
    if len(within) > 1 or len(traces) < 2:
        return within
    previous, last = traces[-2:]
    rise, seconds = (
        last.generation - previous.generation,
        (last.timestamp - previous.timestamp) / _MS,
    )
    fast = rise * thresholds["seconds"] >= thresholds["rounds"] * max(seconds, 0)
    return traces[-2:] if fast else within


def _passing(traces: Sequence[Trace]) -> int:
    """Return how often a member came and went, and then one with another client id did. Those that
    are there at the same time, as in scaling up and down, count once.
    """
    since: dict[str, int] = {}
    stays: list[tuple[int, int, str]] = []
    for number, trace in enumerate(traces[1:], 1):
        since |= dict.fromkeys(trace.came, number)
        stays += [
            (number, since.pop(member), identity.client_id)
            for member, identity in trace.went.items()
            if member in since and identity.instance_id is None
        ]
    clients: set[str] = set()
    free = 0
    for end, begin, client in stays:  # by their ends
        if begin >= free and client not in clients:
            clients.add(client)
            free = end
    return len(clients)


def _flapping(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    traces = _within(window.traces, thresholds["seconds"])
    if sum(len(trace.came) for trace in traces[1:]) < thresholds["joins"]:
        return
    flapping = {
        identity: times
        for identity, times in rejoined(traces).items()
        if times >= thresholds["joins"]
    }
    if not flapping:
        return
    seconds = (traces[-1].timestamp - traces[0].timestamp) / _MS
    runs = [*_runs(traces)]
    all_stays = list(stays_of(traces))
    in_runs = sum(map(_joined_again, runs), Counter[Identity]())
    for identity, times in flapping.items():
        by_runs = len(runs) > 1 and in_runs[identity] < thresholds["joins"]
        yield Sign(
            str(identity),
            f"{who(identity)} joined {times} times in {seconds:.0f} s"
            + (", mostly a group that nobody was left in: perhaps it is a job" if by_runs else ""),
            {"who": who(identity), "times": times, "seconds": round(seconds, 1)},
            Severity.INFO if by_runs else None,
            cause=None
            if by_runs
            else cause_of_stays([stay for stay in all_stays if stay.identity == identity], traces),
        )


def _runs(traces: Sequence[Trace]) -> Iterator[Sequence[Trace]]:
    """Yield the traces from one after which nobody is there to before the next one. A job that is
    started by the clock, with the same processes each time, leaves none.
    """
    starts = [at for at, pair in enumerate(_with_the_next(traces)) if at and _is_deserted(*pair)]
    for start, end in pairwise([0, *starts, len(traces)]):
        yield traces[start:end]


def _with_the_next(traces: Sequence[Trace]) -> Iterator[tuple[Trace, Trace]]:
    """Yield each trace with the one after it, the last with itself."""
    return zip(traces, [*traces[1:], *traces[-1:]], strict=True)


def _is_deserted(trace: Trace, following: Trace) -> bool:
    """Return whether the group had no members for a minute then. Who has crashed, or was put out,
    is most often back sooner.
    """
    return not trace.members and following.timestamp - trace.timestamp >= _DESERTED_MS


def _joined_again(run: Sequence[Trace]) -> Counter[Identity]:
    """Return how often each identity joined in a run; the first time does not count where nobody
    was there.
    """
    first = 0 if run[0].members else 1
    return Counter({identity: times - first for identity, times in rejoined(run).items()})


def _slow_poll(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """It stays about as long as its rebalance timeout, which in Java is max.poll.interval.ms."""
    if sum(len(trace.went) for trace in window.traces) < thresholds["times"]:
        return
    for identity, stays in _stays(window.traces).items():
        limit = next(
            t.timeouts[identity] for t in reversed(window.traces) if identity in t.timeouts
        )
        most = max(limit * thresholds["above"], 1000)
        at_limit = [stay for stay in stays if 0 <= stay.milliseconds - limit <= most]
        if limit > 0 and len(at_limit) >= thresholds["times"]:
            alone = sum(not stay.emptied for stay in at_limit) < thresholds["times"]
            yield Sign(
                str(identity),
                f"{who(identity)} left {len(at_limit)} times after about {limit / _MS:.0f} s, "
                "its limit between two polls"
                + (", and left nobody in the group: perhaps it is a job" if alone else ""),
                {
                    "who": who(identity),
                    "rebalance_timeout_ms": limit,
                    "stays_ms": [stay.milliseconds for stay in at_limit[-10:]],
                },
                Severity.INFO if alone else None,
                cause=None if alone else poll_limit_cause(who(identity), limit, len(at_limit)),
            )


def rejoined(traces: Sequence[Trace]) -> Counter[Identity]:
    """Return how often each identity came back with a new member id.

    Where ten members look alike, ten of their joins are one round.
    """
    joins: Counter[Identity] = Counter()
    for trace in traces[1:]:
        if trace.came:
            joins.update(trace.came.values())
    crowds = [trace.crowds for trace in traces if trace.crowds]
    slots = {
        identity: max([1, *(crowd.get(identity, 1) for crowd in crowds)]) for identity in joins
    }
    return Counter({identity: -(-times // slots[identity]) for identity, times in joins.items()})


class _Stay(NamedTuple):
    """How long a member id stayed, and whether nobody was there for a minute once it had left."""

    milliseconds: int
    emptied: bool


def _stays(traces: Sequence[Trace]) -> dict[Identity, list[_Stay]]:
    """Return the stays of an identity's member ids, of those that came and went."""
    since: dict[str, int] = {}
    stays: dict[Identity, list[_Stay]] = defaultdict(list)
    for trace, following in _with_the_next(traces[1:]):
        for member_id in trace.came:
            since[member_id] = trace.timestamp
        for member_id, identity in trace.went.items():
            if member_id in since:
                stay = trace.timestamp - since.pop(member_id)
                stays[identity].append(_Stay(stay, _is_deserted(trace, following)))
    return stays


def _within(traces: Sequence[Trace], seconds: float) -> Sequence[Trace]:
    start = traces[-1].timestamp - seconds * _MS
    within = [trace for trace in traces if trace.timestamp >= start]
    if within == [*traces[-len(within) :]]:
        return within
    # A clock was set back: the step before may be another one now.
    return [within[0], *(trace.after(previous) for previous, trace in pairwise(within))]


RULES = (
    Rule(
        id="rebalance-storm",
        title="The group rebalances without end",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning="Every rebalance stops members (all of them, if eager), so lag grows while all "
        "processes are up.",
        source="KIP-429 (its motivation); KIP-62",
        predicate=(
            "The generation rises by `generations` or more within `seconds`, or as fast between "
            "two records if compaction removed those in between. In addition a member came back "
            "`rejoins` times, or as many members with new client ids came and left one after "
            "another, or there are more than `rounds` generations for each member. A restart of "
            "each host once is a deploy and not a storm."
        ),
        next_action=(
            "Find out which member comes back most often: does a batch take longer than "
            "max.poll.interval.ms, does the process crash, does its session expire?"
        ),
        find=_storm,
        settles=True,
        counted=("generations", "rejoins"),
        pace=("rounds", "seconds"),
        fades="seconds",
        thresholds={"generations": 10, "seconds": 600, "rejoins": 5, "rounds": 20},
    ),
    Rule(
        id="flapping-member",
        title="A member keeps coming and going",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning="The group rebalances each time, and the member starts without its local state.",
        source="KIP-345 (its motivation)",
        predicate=(
            "One identity (instance id, else client id and host) joined `joins` times or more "
            "within `seconds`; members with the same identity are counted separately. Info if "
            "there would be fewer without those that joined a group that had no members for a "
            "minute: a process that is started by the clock does that."
        ),
        next_action=(
            "Look for restarts, lack of memory or long garbage collections in this process. With a "
            "group.instance.id a member that comes back quickly causes no rebalance."
        ),
        find=_flapping,
        settles=True,
        counted=("joins",),
        fades="seconds",
        thresholds={"joins": 5, "seconds": 3600},
    ),
    Rule(
        id="slow-poll",
        title="A member is slower than its poll limit",
        severity=Severity.WARNING,
        basis=Basis.INFERRED,
        meaning=(
            "The client leaves the group when a batch takes longer than max.poll.interval.ms, "
            "rejoins, gets the same batch, and leaves again."
        ),
        source="KIP-62",
        predicate=(
            "An identity left at least `times` times when its rebalance timeout had passed, or up "
            "to `above` of it later. Info if nobody was in the group for a minute then, as after a "
            "job that is started by the clock."
        ),
        next_action=(
            "Raise max.poll.interval.ms or lower max.poll.records; or process records outside the "
            "polling thread."
        ),
        find=_slow_poll,
        settles=True,
        counted=("times",),
        fades=3600.0,
        thresholds={"times": 3, "above": 0.5},
    ),
)
