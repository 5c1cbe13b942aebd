"""The fold: a group's records go in, in the order of the log; findings come out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import TypeVar

from msgspec.structs import replace

from .classic_record import Step
from .findings import Finding, Sign, blame
from .members import Identity
from .rebalances import Moment, Rebalance, RebalanceHistory
from .round_facts import facts_of
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
        inputs_of_context = (
            {"history"} if self.context.partitions is None else {"history", "topics"}
        )
        available = frozenset(inputs_of_context) if inputs is None else inputs
        self._evaluated = [rule for rule in self.rules if available.issuperset(rule.inputs)]
        self._settles = all(rule.is_settled for rule in self._evaluated)
        self._paced = [rule for rule in self._evaluated if rule.pace is not None]
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
        self.history = RebalanceHistory()
        self.last: Step | None = None
        self._traces: deque[Trace] = deque()
        self._traced = 0
        self._findings: dict[tuple[str, str], Finding] = {}
        self._streaks: dict[tuple[str, str], int] = {}
        self._kept: Counter[str] = Counter()
        self._records = self._unrecorded = 0
        self._since = -1
        self._quiet = 0
        """How many of the traces, up to the last, have the same members and came slowly."""
        self._has_predecessor = False
        """Whether the last record follows one of the same incarnation, in a higher generation."""
        self._fewest = self._most
        """How many traces there was room for, where members were many."""
        self._least: dict[str, int] = {}

    def observe(self, step: Step) -> Rebalance:
        """Take the group's next record, and return what changed since the one before."""
        if self.last is not None and step.generation < self.last.generation:
            self.delete()  # it was deleted, and the tombstone is compacted away
        self._count(step)
        rebalance = self.history.observe(step)
        self._remember(step, rebalance.cause)
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
        is_new_generation = self.last is None or step.generation > self.last.generation
        self._has_predecessor = self.last is not None and is_new_generation
        self.last = step
        open_keys = {
            self._note(rule, sign, step)
            for rule in self._evaluated
            for sign in signs(rule, rule.find, about, window)
        }
        self._streaks = {key: self._streaks.get(key, 0) + is_new_generation for key in open_keys}
        self._close(open_keys)
        return rebalance

    @property
    def is_at_rest(self) -> bool:
        """Whether no rule has anything to say of a repetition of the last record, which repeats the
        one before: see `repetition`.
        """
        if not self._settles or self._streaks or not self._has_predecessor:
            return False
        if not self.history.is_at_rest:
            return False
        return self._quiet == len(self._traces)

    def is_slow(self, previous: Moment, moment: Moment) -> bool:
        """Return whether the generation rises, and more slowly than the pace of any rule."""
        rise = moment.generation - previous.generation
        milliseconds = moment.timestamp - previous.timestamp
        return rise > 0 and all(rule.is_slow(rise, milliseconds) for rule in self._paced)

    def repeat(self, last: Step, count: int, moments: Iterable[Moment]) -> None:
        """Take `count` records that repeat the one before, of a group at rest; only the last of
        them was read. `moments` are those of the last `looks_back` of them.
        """
        self._records += count
        self._unrecorded += last.generation - self._traces[-1].generation - count
        self.last = last
        self.history.repeat(last)
        for generation, timestamp in moments:
            self._keep(_repeated(self._traces[-1], generation, timestamp))

    def delete(self) -> None:
        """Take a tombstone: the group was deleted."""
        self.incarnation += 1
        self.last = None
        self.history = RebalanceHistory()
        self._traces.clear()
        self._traced = self._quiet = 0
        self._has_predecessor = False
        self._streaks = {}
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
        findings = [
            replace(finding, evidence={**finding.evidence, "history": history})
            for finding in self._findings.values()
        ]
        return sorted(
            findings, key=lambda finding: (-finding.severity.rank, finding.rule, finding.finding_id)
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

    def _note(self, rule: Rule, sign: Sign, step: Step) -> tuple[str, str]:
        """Add a sign to its finding, and return the key of that."""
        severity = sign.severity or rule.severity
        key = (rule.id, sign.key)
        if key not in self._findings and self._kept[rule.id] >= MAX_SIGNS:
            key = (rule.id, REST)
            sign = sign._replace(key=REST, explanation=f"and others: {sign.explanation}")
        finding = self._findings.get(key)
        if finding is None:
            self._kept[rule.id] += 1
            evidence = _evidence(sign, step)
            first_sign = sign._replace(evidence=evidence)
            self._findings[key] = new_finding(
                self.cluster_id, self.group_id, rule, first_sign, step.place.timestamp
            )
            return key
        finding.count += 1
        finding.last_seen = step.place.timestamp
        finding.status = "open"
        if severity.rank >= finding.severity.rank:  # the latest of the worst says it best
            finding.severity, finding.basis = severity, sign.basis or rule.basis
            finding.explanation, finding.evidence = sign.explanation, _evidence(sign, step)
            blame(finding, rule.next_action, sign.cause)
        return key

    def _close(self, open_keys: set[tuple[str, str]]) -> None:
        for key, finding in self._findings.items():
            if key not in open_keys:
                finding.status = "over"

    def _remember(self, step: Step, cause: str) -> None:
        if step.is_consumer:
            for topic, (_, number) in step.sizes.items():
                least = self._least.get(topic, 0)
                if number >= least and (least or len(self._least) < MAX_TOPICS):
                    self._least[topic] = number + 1
        self._keep(_trace(step, cause, self._traces[-1] if self._traces else None))

    def _keep(self, trace: Trace) -> None:
        """Keep the trace of a step, and as many of those before it as there is room for."""
        is_quiet = bool(self._traces) and self._follows_quietly(trace, self._traces[-1])
        self._traces.append(trace)
        self._traced += len(trace.members)
        while len(self._traces) > self._most:
            self._traced -= len(self._traces.popleft().members)
        while self._traced > MAX_TRACED_MEMBERS and len(self._traces) > 1:
            self._traced -= len(self._traces.popleft().members)
            self._fewest = min(self._fewest, len(self._traces))
        self._quiet = min(self._quiet + 1, len(self._traces)) if is_quiet else 1

    def _follows_quietly(self, trace: Trace, previous: Trace) -> bool:
        return (
            trace.members is previous.members
            and trace.statics is previous.statics
            and self.is_slow(
                Moment(previous.generation, previous.timestamp),
                Moment(trace.generation, trace.timestamp),
            )
        )


def _trace(step: Step, cause: str, previous: Trace | None) -> Trace:
    members: Mapping[str, Identity] = {member.member_id: member.identity for member in step.members}
    statics: Mapping[str, Static] = {
        member.instance_id: Static(member.member_id, (member.client_id, member.host))
        for member in step.members
        if member.instance_id is not None
    }
    timeouts = {member.identity: member.rebalance_timeout for member in step.members}
    moment = (step.generation, step.place.timestamp, step.protocol)
    crowds = _crowds(members)
    facts = facts_of(step, None if previous is None else previous.facts)
    if previous is not None:
        members, statics = _once(members, previous.members), _once(statics, previous.statics)
    trace = Trace(*moment, members, statics, timeouts, crowds=crowds, cause=cause, facts=facts)
    return trace if previous is None else trace.after(previous)


def _repeated(previous: Trace, generation: int, timestamp: int) -> Trace:
    """Return the trace of a step in which nobody came or went."""
    # Not _replace, which looks every field up: there are some of these for each healthy group.
    return Trace(
        generation,
        timestamp,
        previous.protocol,
        previous.members,
        previous.statics,
        previous.timeouts,
        crowds=previous.crowds,
        cause="leader-rejoined",
        facts=previous.facts,
    )


def _once(new: Mapping[K, V], old: Mapping[K, V]) -> Mapping[K, V]:
    """Return the old mapping where the new one is equal, in the same order."""
    return old if tuple(new.items()) == tuple(old.items()) else new


def _crowds(members: Mapping[str, Identity]) -> Mapping[Identity, int]:
    if len(set(members.values())) == len(members):  # nearly always
        return {}
    return {identity: count for identity, count in Counter(members.values()).items() if count > 1}


def _evidence(sign: Sign, step: Step) -> dict[str, object]:
    """Return the evidence with the place of the record, so that anybody can look there."""
    place = {
        "source": step.place.source,
        "source_partition": step.place.known_partition,
        "source_offset": step.place.offset,
        "generation": step.generation,
    }
    return {**place, **sign.evidence}
