"""The fold: a group's records go in, in the order of the log; findings come out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

from msgspec.structs import replace

from ...history.restarts import ListedMember, MemberChange, Restarts
from .classic_record import Step
from .findings import Finding, Sign, blame
from .members import Identity, MemberSeen
from .rebalances import Rebalance, RebalanceHistory
from .rule import Rule, new_finding, signs, with_cause
from .rules import STEP_RULES
from .vacancies import Vacancies
from .window import DESERTED_MS, Arrival, Context, Departure, Memory, RecordChange, Window

MAX_TOPICS = 10_000
"""Of how many topics it is kept which partitions there are at least."""

MAX_SIGNS = 50
"""How many findings of one rule are kept apart in a group; the rest is one."""

REST = "\0the rest"


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
        self._findings: dict[tuple[str, str], Finding] = {}
        self._late: dict[tuple[str, str], tuple[Rule, Sign]] = {}
        """The signs that findings tell and whose causes have not been found yet."""
        self._streaks: dict[tuple[str, str], int] = {}
        self._kept: Counter[str] = Counter()
        self._records = self._unrecorded = 0
        self._since = -1
        self._has_predecessor = False
        """Whether the last record follows one of the same incarnation, in a higher generation."""
        self._least: dict[str, int] = {}
        self.differ_since: int | None = None
        """Since when members subscribe to different topics."""
        self.vacancies = Vacancies()
        """When nobody was in the group."""
        self.restarts = Restarts()
        """The members that ended and came back."""
        self._forget()

    def _forget(self) -> None:
        """Forget what is remembered of an incarnation."""
        self._memories: dict[str, tuple[Mapping[str, float], Memory]] = {}
        """What each rule remembers, and the thresholds for which it does."""
        self._paced: list[Any] = []
        self._arrivals: dict[str, Arrival] = {}
        self._number = 0
        self._given_since: dict[str, int] = {}
        self._lacking_since: dict[str, int] = {}
        self._empty_since: int | None = None
        self._run_began: int | None = None
        self.restarts.begin()

    def observe(self, step: Step) -> Rebalance:
        """Take the group's next record, and return what changed since the one before."""
        if self.last is not None and step.generation < self.last.generation:
            self.delete()  # it was deleted, and the tombstone is compacted away
        self._count(step)
        self._note_sizes(step)
        self._note_vacancy(step)
        self._note_lacks(step)
        rebalance = self.history.observe(step)
        change = self._changed(step)._replace(cause=rebalance.cause)
        self._note_restarts(change, waits=True)
        window = Window(
            self.group_id,
            step,
            self.last,
            self.context,
            self._arrivals,
            self._number,
            self._streaks,
            self._least,
            self._lacking_since,
        )
        about = f"the group {self.group_id!r} at generation {step.generation}"
        is_new_generation = self.last is None or step.generation > self.last.generation
        self._has_predecessor = self.last is not None and is_new_generation
        self.last = step
        open_keys = {
            self._note(rule, sign, step)
            for rule, sign in self._signs(self._evaluated, change, window, about)
        }
        self._streaks = {key: self._streaks.get(key, 0) + is_new_generation for key in open_keys}
        self._close(open_keys)
        return rebalance

    def observe_epoch(self, change: RecordChange) -> None:
        """Take an epoch of a group whose broker assigns: rules about epochs are asked."""
        step = change.step
        self._count(step)
        self._note_restarts(change, waits=False)
        self.last = step
        window = Window(self.group_id, step, change.previous, self.context, is_of_epochs=True)
        about = f"the group {self.group_id!r} at epoch {step.generation}"
        rules = [rule for rule in self._evaluated if rule.is_of_epochs]
        signs_of_step = self._signs(rules, change, window, about)
        self._close({self._note(rule, sign, step) for rule, sign in signs_of_step})

    def _signs(
        self, rules: Iterable[Rule], change: RecordChange, window: Window, about: str
    ) -> Iterator[tuple[Rule, Sign]]:
        for rule in rules:
            if rule.memory is not None:
                window.memory = memory = self._memory(rule, rule.memory)
                memory.take(change)
            for sign in signs(rule, rule.find, about, window, late=True):
                yield rule, sign

    def _memory(self, rule: Rule, make: Callable[[Mapping[str, float]], Memory]) -> Memory:
        """Return what a rule remembers of the group."""
        thresholds, memory = self._memories.get(rule.id, ({}, None))
        if memory is None or thresholds != rule.thresholds:  # tuned since the last run
            memory = make(rule.thresholds)
            self._memories[rule.id] = rule.thresholds, memory
            self._paced = [kept for _, kept in self._memories.values() if hasattr(kept, "rests")]
        return memory

    def _changed(self, step: Step) -> RecordChange:
        """Return what the record changed, and note who came and went."""
        previous, moment = self.last, step.place.timestamp
        self._number += 1
        if previous is None:
            self._arrivals = {name: Arrival(moment, 1, False) for name in step.ids}
            return RecordChange(step, None, 0, 0)
        rise = step.generation - previous.generation
        elapsed = moment - previous.place.timestamp
        if step.ids == previous.ids:
            return RecordChange(step, previous, rise, elapsed, run_began=self._run_began)
        arrivals, previous_members = self._arrivals, previous.by_id
        if self._empty_since is not None and moment - self._empty_since >= DESERTED_MS:
            self._run_began = moment
        self._empty_since = None if step.members else moment
        departures = [
            Departure(member, arrival.timestamp if arrival.is_seen else None)
            for name, member in previous_members.items()
            if name not in step.by_id and (arrival := arrivals.pop(name)) is not None
        ]
        came = [member for name, member in step.by_id.items() if name not in previous_members]
        for member in came:
            arrivals[member.member_id] = Arrival(moment, self._number, True)
        slots: Counter[Identity] = Counter()
        if came:
            identities = {member.identity for member in came}
            slots.update(
                [member.identity for member in step.members if member.identity in identities]
            )
        return RecordChange(step, previous, rise, elapsed, came, departures, self._run_began, slots)

    @property
    def is_at_rest(self) -> bool:
        """Whether no rule has anything to say of a repetition of the last record, which repeats the
        one before: see `repetition`.
        """
        is_silent = self._settles and not self._streaks
        return is_silent and self._has_predecessor and self.history.is_at_rest

    def rest(self, rise: int, elapsed: int, timestamp: int, generation: int) -> bool:
        """Take a record that repeats the one before, so much later and in a generation so much
        higher, of a group at rest; it is not read. Return False, and take nothing, where the
        generation does not rise, or a rule may have something to say of that.
        """
        if rise <= 0:
            return False
        for memory in self._paced:
            if not memory.rests(rise, elapsed):
                return False
        self._records += 1
        self._number += 1
        self._unrecorded += rise - 1
        for memory in self._paced:
            memory.rest(rise, elapsed, timestamp, generation)
        return True

    def repeat(self, last: Step) -> None:
        """Take the last of several records that were not read."""
        self.last = last
        self.history.repeat(last)

    def delete(self, at: int | None = None) -> None:
        """Take a tombstone of that time: the group was deleted, and has no members."""
        if at is not None:
            self.vacancies.note(at, has_members=False)
        self.incarnation += 1
        self.last = None
        self.history = RebalanceHistory()
        self._forget()
        self._has_predecessor = False
        self._streaks = {}
        self._close(set())

    def findings(self) -> Sequence[Finding]:
        """Return the findings so far, the worst first. The evidence of each says how much history
        it is based on.
        """
        self.settle()
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
    def given_since(self) -> Mapping[str, int]:
        """Since when partitions of each topic are assigned, record after record."""
        return self._given_since

    @property
    def lacking_since(self) -> Mapping[str, int]:
        """Since when some partition of each subscribed topic has no owner, record after record."""
        return self._lacking_since

    @property
    def arrivals(self) -> Mapping[str, Arrival]:
        """When each member of the last record came."""
        return self._arrivals

    def _count(self, step: Step) -> None:
        """Count the record, and the generations before it that have none: they were aborted, or
        compacted away.
        """
        self._records += 1
        if self._since < 0:
            self._since = step.place.timestamp
        self._unrecorded += self._missing_before(step)

    def _missing_before(self, step: Step) -> int:
        """Return how many generations are between the last record and this one."""
        return 0 if self.last is None else max(step.generation - self.last.generation - 1, 0)

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
            self._late[key] = rule, first_sign
            return key
        finding.count += 1
        finding.last_seen = step.place.timestamp
        finding.status = "open"
        if severity.rank >= finding.severity.rank:  # the latest of the worst says it best
            finding.severity, finding.basis = severity, sign.basis or rule.basis
            self._late[key] = rule, sign._replace(evidence=_evidence(sign, step))
        return key

    def settle(self) -> None:
        """Find the causes of what the findings tell. Of a rule that gives a sign at every record
        the last one is told: the causes of the others are not asked for."""
        for key, (rule, sign) in self._late.items():
            complete = with_cause(rule, sign, f"the group {self.group_id!r}")
            finding = self._findings[key]
            finding.explanation, finding.evidence = complete.explanation, dict(complete.evidence)
            blame(finding, rule.next_action, complete.known_cause)
        self._late.clear()

    def _close(self, open_keys: set[tuple[str, str]]) -> None:
        for key, finding in self._findings.items():
            if key not in open_keys:
                finding.status = "over"

    def _note_vacancy(self, step: Step) -> None:
        """Note since when nobody is in the group, and until when nobody was. Where generations are
        missing in between, somebody may have been in it.
        """
        if self._missing_before(step):
            self.vacancies.forget()
        self.vacancies.note(step.place.timestamp, has_members=bool(step.members))

    def _note_restarts(self, change: RecordChange, *, waits: bool) -> None:
        """Note who ended and who came; a group `waits` for its members where they assign."""
        came = change.came if change.previous is not None else change.step.members
        if came or change.departures:
            left = [member for member, _ in change.departures]
            is_next = change.rise <= 1
            self.note_members(change.timestamp, left, came, is_next=is_next, waits=waits)

    def note_members(
        self,
        time: int,
        left: Sequence[MemberSeen],
        came: Sequence[MemberSeen],
        *,
        is_next: bool = True,
        waits: bool = False,
    ) -> None:
        """Note who ended and who came, for who came back."""
        departures, arrivals = ([*map(_listed, members)] for members in (left, came))
        self.restarts.take(MemberChange(time, departures, arrivals, is_next, waits))

    def _note_lacks(self, step: Step) -> None:
        if not step.is_consumer or not step.members:
            self._lacking_since = {}
            return
        counts, since, moment = self.context.counts, self._lacking_since, step.place.timestamp
        self._lacking_since = {
            topic: since.get(topic, moment)
            for topic in step.topics
            if counts.get(topic, self._least.get(topic, 0)) > step.sizes.get(topic, (0, 0))[0]
        }

    def _note_sizes(self, step: Step) -> None:
        differ = step.is_consumer and len({m.topics for m in step.members if m.topics}) > 1
        if not differ:
            self.differ_since = None
        elif self.differ_since is None:
            self.differ_since = step.place.timestamp
        if step.is_consumer:
            since = self._given_since
            if since.keys() != step.sizes.keys() and step.members:
                moment = step.place.timestamp
                self._given_since = {topic: since.get(topic, moment) for topic in step.sizes}
            for topic, (_, number) in step.sizes.items():
                least = self._least.get(topic, 0)
                if number >= least and (least or len(self._least) < MAX_TOPICS):
                    self._least[topic] = number + 1


def _listed(member: MemberSeen) -> ListedMember:
    session, limit = member.session_timeout, member.rebalance_timeout
    timeout = min(session, limit if limit > 0 else session)
    return ListedMember(member.member_id, member.instance_id or member.client_id, max(timeout, 0))


def _evidence(sign: Sign, step: Step) -> dict[str, object]:
    """Return the evidence with the place of the record, so that anybody can look there."""
    place = {
        "source": step.place.source,
        "source_partition": step.place.known_partition,
        "source_offset": step.place.offset,
        "generation": step.generation,
    }
    return {**place, **sign.evidence}
