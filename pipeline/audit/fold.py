"""The fold: a group's records go in, in the order of the log; findings come out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, TypeVar

from msgspec.structs import replace

from .calm import is_calm, is_silent_when_calm, is_uniform
from .classic_record import Step
from .findings import Finding, Sign
from .members import Identity
from .rule import Rule, new_finding, signs
from .rules import STEP_RULES
from .window import Context, Static, Trace, Window

K = TypeVar("K")
V = TypeVar("V")

MIN_TRACES = 64
"""How many steps are looked back at, and more where a rule is tuned so that it needs them."""

MAX_TOPICS = 10_000
"""Of how many topics it is kept which partitions there are at least."""

MAX_SIGNS = 50
"""How many findings of one rule are kept apart in a group; the rest is one."""

REST = "\0the rest"

MAX_TRACED_MEMBERS = 100_000
"""How many members of all those steps are kept, at most: one step of a group of 50,000, and two."""


class Pace:
    """Tells whether the generations of a group rise by so many within so many seconds, or as fast
    between two records of which those in between were compacted away.
    """

    def __init__(self, generations: float, seconds: float) -> None:
        self._generations = generations
        self._milliseconds = seconds * 1000
        self._seen: deque[tuple[int, int]] = deque()
        self._slow = 0
        """How many records in a row, up to the last, are slow by themselves (`are_slow`)."""

    def are_slow(self, rises: Any, times: Any) -> Any:
        """Return which records are slower than the pace by themselves: by how much the generation
        of each is higher than that of the one before, and how many milliseconds later it was
        written. Both are numbers, or arrays of them.
        """
        return times * self._generations > rises * self._milliseconds

    @property
    def was_slow(self) -> bool:
        """Whether all records that count so far were slow: one that is slow by itself is then not
        fast.
        """
        return self._slow >= len(self._seen) - 1

    def take_slow(self, records: Sequence[tuple[int, int]]) -> None:
        """Take generation and time of records that are slow by themselves."""
        self._seen.extend(records)
        self._slow += len(records)
        self._forget_before(records[-1][0])

    def is_fast(self, generation: int, timestamp: int) -> bool:
        """Take the generation and the time of a record, and return whether it is fast. The same
        record may be given again.
        """
        seen = self._seen
        if not seen or generation > seen[-1][0]:
            if seen:
                is_slow = self.are_slow(generation - seen[-1][0], timestamp - seen[-1][1])
                self._slow = self._slow + 1 if is_slow else 0
            seen.append((generation, timestamp))
        self._forget_before(generation)
        rise, time = generation - seen[0][0], timestamp - seen[0][1]
        if rise < self._generations:
            return False
        return 0 <= time * self._generations <= rise * self._milliseconds

    def forget(self) -> None:
        """Begin anew: the group was deleted."""
        self._seen.clear()
        self._slow = 0

    def _forget_before(self, generation: int) -> None:
        """Keep as the first record the latest that is so many generations ago."""
        seen = self._seen
        while len(seen) > 1 and generation - seen[1][0] >= self._generations:
            seen.popleft()


def paces(rules: Iterable[Rule]) -> list[Pace]:
    """Return the pace of each rule that is asked where generations rise fast."""
    return [
        Pace(*(rule.thresholds[name] for name in rule.paced))
        for rule in rules
        if rule.paced is not None
    ]


class GroupFold:
    """The audit of one group, record by record. The size of what it keeps is bounded, whatever the
    records.

    A tombstone ends an incarnation: the group was deleted, and its generations start anew.
    """

    def __init__(
        self,
        cluster_id: str,
        group_id: str,
        *,
        rules: Iterable[Rule] = STEP_RULES,
        context: Context | None = None,
        inputs: frozenset[str] | None = None,
    ) -> None:
        """`inputs` are those that there are for rules; by default the history alone, and topics
        where the context has them."""
        self.cluster_id = cluster_id
        self.group_id = group_id
        self.rules = tuple(rules)
        self.context = context or Context()
        known = {"history"} if self.context.partitions is None else {"history", "topics"}
        there = frozenset(known) if inputs is None else inputs
        self._evaluated = [rule for rule in self.rules if there.issuperset(rule.inputs)]
        self._knows_calm = all(map(is_silent_when_calm, self._evaluated))
        self._most = max([MIN_TRACES, *(rule.looks_back for rule in self.rules)])
        self._begin()

    def of(self, group_id: str) -> GroupFold:
        """Return the fold of another group of the cluster, which is asked the same rules."""
        fold = copy(self)
        fold.group_id = group_id
        fold._begin()
        return fold

    def _begin(self) -> None:
        self.incarnation = 0
        self.last: Step | None = None
        self._traces: deque[Trace] = deque()
        self._repetitions: Sequence[tuple[int, int]] = ()
        """Generation and time of the last steps, where these repeat the last of the traces, and
        have no traces yet: most groups end with such steps, and nobody looks back at them."""
        self._traced = 0
        self._findings: dict[tuple[str, str], Finding] = {}
        self._streaks: dict[tuple[str, str], int] = {}
        self._kept: Counter[str] = Counter()
        self._records = self._unrecorded = 0
        self._since = -1
        self._unmoved = 0
        """How many of the traces, up to the last, have the same members."""
        self._fewest = self._most
        """How many traces there was room for, where members were many."""
        self._least: dict[str, int] = {}
        self._paces = paces(self.rules)

    def pass_slowly(self, records: Sequence[tuple[int, int]]) -> bool:
        """Take generation and time of records, each slower by itself than all paces, and return
        True: generations have not risen fast up to any of them. Take nothing and return False
        where that is not certain, because of what came before.
        """
        if not all(pace.was_slow for pace in self._paces):
            return False
        for pace in self._paces:
            pace.take_slow(records)
        return True

    def is_fast(self, generation: int, timestamp: int) -> bool:
        """Return whether generations have risen fast up to this record: a repetition then is no
        rest.
        """
        fast = False
        for pace in self._paces:
            fast |= pace.is_fast(generation, timestamp)  # each takes it
        return fast

    def observe(self, step: Step) -> None:
        """Take the group's next record."""
        if self.last is not None and step.generation < self.last.generation:
            self.delete()  # it was deleted, and the tombstone is compacted away
        self._trace_repetitions()
        self._count(step)
        calm = self._is_calm(step)
        self._remember(step, calm=calm)
        if calm:
            self.last = step
            return
        window = Window(
            self.group_id,
            step,
            self.last,
            tuple(self._traces),
            self.context,
            self._streaks,
            self._least,
        )
        about = f"the group {self.group_id!r} at generation {step.generation}"
        another = self.last is None or step.generation > self.last.generation
        self.last = step
        held = {
            self._note(rule, sign, step)
            for rule in self._asked(step)
            for sign in signs(rule, rule.find, about, window)
        }
        self._streaks = {key: self._streaks.get(key, 0) + another for key in held}
        self._close(held)

    def _is_calm(self, step: Step) -> bool:
        """Return whether no rule has anything to say of a record: all rules are built in, each of
        them was silent, and the record goes on with what the last one says, or is the first.
        """
        if not self._knows_calm or self._streaks or not self._still or not is_uniform(step):
            return False
        last = self.last
        goes_on = last is None or (
            step.continues(last) and is_calm(step, self.context, self._least)
        )
        return goes_on and not self.is_fast(step.generation, step.place.timestamp)

    @property
    def rests(self) -> bool:
        """Whether no rule has anything to say of a record that repeats the last one: one of which
        that is known, or one that repeats another one itself.
        """
        last = self.last
        return (
            last is not None
            and not self._streaks
            and self._still
            and (
                (self._knows_calm and is_calm(last, self.context, self._least))
                or (last.repeats > 0 and all(rule.knows_rest for rule in self.rules))
            )
        )

    @property
    def _still(self) -> bool:
        """Whether nobody came, went or moved within the steps that are looked back at."""
        return self._unmoved == len(self._traces)

    def repeat(self, count: int, latest: Iterable[tuple[int, int]]) -> None:
        """Take records that repeat the last one, without their content, while the group `rests`.

        `count` is how many there are; `latest` has generation and timestamp of the last of them, at
        most `looks_back`. `last` is out of date until `catch_up`.
        """
        self._trace_repetitions()
        self._repetitions = [*latest]
        self._records += count
        generation, _ = self._repetitions[-1]
        self._unrecorded += generation - self._traces[-1].generation - count

    def catch_up(self, last: Step) -> None:
        """Take the content of the last of the records that `repeat` was told of."""
        self.last = last

    def delete(self) -> None:
        """Take a tombstone: the group was deleted."""
        self.incarnation += 1
        self.last = None
        self._traces.clear()
        self._repetitions = ()
        self._traced = self._unmoved = 0
        self._streaks = {}
        for pace in self._paces:
            pace.forget()
        self._close(set())

    def findings(self) -> Sequence[Finding]:
        """Return the findings so far, the worst first. The evidence of each says how much history
        it is based on.
        """
        history = {
            "records": self._records,
            "since": self._since,
            "unrecorded_generations": self._unrecorded,
        }
        found = [
            replace(finding, evidence={**finding.evidence, "history": history})
            for finding in self._findings.values()
        ]
        return sorted(
            found, key=lambda finding: (-finding.severity.rank, finding.rule, finding.finding_id)
        )

    @property
    def told(self) -> frozenset[tuple[str, str]]:
        """The rule and the key of each open finding."""
        return frozenset(key for key, finding in self._findings.items() if finding.status == "open")

    @property
    def least(self) -> Mapping[str, int]:
        """How many partitions each topic has at least, by the assignments seen."""
        return self._least

    @property
    def looks_back(self) -> int:
        """How many records are remembered at most."""
        return self._most

    @property
    def cut_short(self) -> Sequence[str]:
        """The rules that count over more records than could be remembered, because there are so
        many members.
        """
        more = len(self._repetitions)
        if more and self._traced + more * len(self._traces[-1].members) > MAX_TRACED_MEMBERS:
            self._trace_repetitions()
        return [rule.id for rule in self.rules if rule.counted and rule.needs > self._fewest]

    def _count(self, step: Step) -> None:
        """Count the record, and the generations before it that have none: they were aborted, or
        compacted away.
        """
        self._records += 1
        if self._since < 0:
            self._since = step.place.timestamp
        if self.last is not None:
            self._unrecorded += max(step.generation - self.last.generation - 1, 0)

    def _asked(self, step: Step) -> Iterable[Rule]:
        """Return the rules to ask. From the second repetition on, a lasting rule that was silent
        has nothing new to say.
        """
        spoke = {rule for rule, _ in self._streaks}
        still = self._still
        fast = self.is_fast(step.generation, step.place.timestamp)
        return (
            rule
            for rule in self._evaluated
            if not (rule.lasting and step.repeats > 1 and rule.id not in spoke)
            and not (still and rule.moving and rule.knows_rest and not (fast and rule.paced))
        )

    def _note(self, rule: Rule, sign: Sign, step: Step) -> tuple[str, str]:
        """Add a sign to its finding, and return the key of that."""
        severity = sign.severity or rule.severity
        key = (rule.id, sign.key)
        if key not in self._findings and self._kept[rule.id] >= MAX_SIGNS:
            key = (rule.id, REST)
            sign = sign._replace(key=REST, explanation=f"and others: {sign.explanation}")
        known = self._findings.get(key)
        if known is None:
            self._kept[rule.id] += 1
            evidence = _evidence(sign, step)
            told = sign._replace(evidence=evidence)
            self._findings[key] = new_finding(
                self.cluster_id, self.group_id, rule, told, step.place.timestamp
            )
            return key
        known.count += 1
        known.last_seen = step.place.timestamp
        known.status = "open"
        if severity.rank >= known.severity.rank:  # the latest of the worst says it best
            known.severity = severity
            known.explanation, known.evidence = sign.explanation, _evidence(sign, step)
        return key

    def _close(self, held: set[tuple[str, str]]) -> None:
        for key, finding in self._findings.items():
            if key not in held:
                finding.status = "over"

    def _remember(self, step: Step, *, calm: bool) -> None:
        before = self._traces[-1] if self._traces else None
        if before is not None and (calm or step.repeats):
            self._keep(_repeated(before, step.generation, step.place.timestamp))
            return
        if step.is_consumer:
            for topic, (_, number) in step.sizes.items():
                known = self._least.get(topic, 0)
                if number >= known and (known or len(self._least) < MAX_TOPICS):
                    self._least[topic] = number + 1
        self._keep(_trace(step, before))

    def _trace_repetitions(self) -> None:
        """Make the traces of the last steps that have none."""
        if self._repetitions:
            before, last = self._traces[-1], self._repetitions
            self._repetitions = ()
            self._keep(*(_repeated(before, number, time) for number, time in last))

    def _keep(self, *traces: Trace) -> None:
        """Keep the traces of one step, or of several with the same members as the one before."""
        before = self._traces[-1] if self._traces else traces[0]
        last = traces[-1]
        same = last.members is before.members and last.statics is before.statics
        self._traces.extend(traces)
        self._traced += len(traces) * len(last.members)
        while len(self._traces) > self._most:
            self._traced -= len(self._traces.popleft().members)
        while self._traced > MAX_TRACED_MEMBERS and len(self._traces) > 1:
            self._traced -= len(self._traces.popleft().members)
            self._fewest = min(self._fewest, len(self._traces))
        self._unmoved = min(self._unmoved + len(traces), len(self._traces)) if same else 1


def _trace(step: Step, before: Trace | None) -> Trace:
    members: Mapping[str, Identity] = {each.member_id: each.identity for each in step.members}
    statics: Mapping[str, Static] = {
        member.instance_id: Static(member.member_id, (member.client_id, member.host))
        for member in step.members
        if member.instance_id is not None
    }
    timeouts = {member.identity: member.rebalance_timeout for member in step.members}
    moment = (step.generation, step.place.timestamp, step.protocol)
    crowds = _crowds(members)
    if before is None:
        return Trace(*moment, members, statics, timeouts, crowds=crowds)
    members, statics = _once(members, before.members), _once(statics, before.statics)
    return Trace(*moment, members, statics, timeouts, crowds=crowds).after(before)


def _repeated(before: Trace, generation: int, timestamp: int) -> Trace:
    """Return the trace of a step in which nobody came or went."""
    # Not _replace, which looks every field up: there are some of these for each healthy group.
    return Trace(
        generation,
        timestamp,
        before.protocol,
        before.members,
        before.statics,
        before.timeouts,
        crowds=before.crowds,
    )


def _once(new: Mapping[K, V], old: Mapping[K, V]) -> Mapping[K, V]:
    """Return the old mapping where the new one is equal, in the same order."""
    return old if tuple(new.items()) == tuple(old.items()) else new


def _crowds(members: Mapping[str, Identity]) -> Mapping[Identity, int]:
    if len(set(members.values())) == len(members):  # nearly always
        return {}
    return {who: count for who, count in Counter(members.values()).items() if count > 1}


def _evidence(sign: Sign, step: Step) -> dict[str, object]:
    """Return the evidence with the place of the record, so that anybody can look there."""
    place = {
        "source": step.place.source,
        "source_partition": step.place.known_partition,
        "source_offset": step.place.offset,
        "generation": step.generation,
    }
    return {**place, **sign.evidence}
