"""Known faults of the releases that a group's clients and its broker run, where a symptom of one is
there: likely causes, never certain ones.

Releases come from the lines that programs print at their start, from captured ApiVersions requests,
and from `--release`. Where a symptom is there and the release is not known, the fault is named as
what the release would decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..clients.faults import Fault, faults
from .group_facts import WHY_SILENT, GroupCause, GroupFacts, cause_of, names_of
from .programs import BROKER, can_have
from .symptoms import SYMPTOMS
from .timeline import Fact

__all__ = ["KnownFaults"]

_MAX_NAMED = 3
_COUNTS_SINCE = "2.8.0"
"""The first release of brokers that print how many members a rebalance ended with."""


class KnownFaults:
    """The known faults of which a group shows a symptom."""

    def __init__(self, view: GroupFacts) -> None:
        self._programs = view.programs
        self._has_counts = any(rebalance.count is not None for rebalance in view.rebalances)
        found = {word: symptom.look(view) for word, symptom in SYMPTOMS.items()}
        self._symptoms = {word: signs for word, signs in found.items() if signs}

    def causes(self) -> Iterator[GroupCause]:
        """Yield the known faults whose release and symptom are both there."""
        for word, signs in self._symptoms.items():
            for fault in faults():
                if fault.symptom == word:
                    matching, release = self._matching(fault, signs)
                    if matching:
                        yield _cause(fault, matching, release)

    def completed(self, causes: Sequence[GroupCause]) -> tuple[GroupCause, ...]:
        """Return the causes with what a release would decide, added to the first cause that leaves
        the traces of a known fault."""
        completed = list(causes)
        for word, signs in self._symptoms.items():
            candidates = [
                fault for fault in faults()
                if fault.symptom == word and self._is_open(fault, signs)
            ]  # fmt: skip
            rivals = SYMPTOMS[word].rivals
            with_same_traces = (*rivals, "session-expired") if WHY_SILENT & {*rivals} else rivals
            places = [
                at for at, cause in enumerate(completed) if cause.cause in with_same_traces
            ]  # fmt: skip
            if candidates and places:
                cause = completed[places[0]]
                names = ", or ".join(map(_named, candidates[:_MAX_NAMED]))
                text = f"A known fault may be behind it if the release is {names}."
                completed[places[0]] = cause._replace(next_step=f"{cause.next_step} {text}")
        return tuple(completed)

    def _release(self, fault: Fault, fact: Fact) -> str:
        """Return the release of the program that a fact may show a fault of; "" where none is
        known."""
        if fault.program == BROKER:
            return self._programs.stated.get(BROKER, "")
        return self._programs.release(fact.client_id, fault.program)

    def _matching(self, fault: Fault, signs: Sequence[Fact]) -> tuple[list[Fact], str]:
        """Return the facts whose program has a fault by its release, and that release."""
        is_in_all = not fault.since and not fault.fixed
        releases = [(fact, self._release(fault, fact)) for fact in signs]
        matches = [
            (fact, release) for fact, release in releases
            if (release and fault.is_in(release))
            or (is_in_all and self._programs.of(fact.client_id) == fault.program)
        ]  # fmt: skip
        named = dict.fromkeys(release for _, release in matches if release)
        return [fact for fact, _ in matches], ", ".join(named)

    def _is_open(self, fault: Fault, signs: Sequence[Fact]) -> bool:
        """Return whether the release alone is missing: the program is known to be the fault's."""
        if fault.program == BROKER:
            is_over = self._has_counts and not fault.since and not fault.is_in(_COUNTS_SINCE)
            return BROKER not in self._programs.stated and not is_over
        return any(
            self._programs.of(fact.client_id) == fault.program
            and not self._release(fault, fact)
            and self._programs.may_have(fact.client_id, fault)
            for fact in signs
        )


def _named(fault: Fault) -> str:
    return f"{fault.program} {fault.releases} ({fault.name})"


def _cause(fault: Fault, signs: Sequence[Fact], release: str) -> GroupCause:
    symptom = SYMPTOMS[fault.symptom]
    is_of_broker = fault.program == BROKER
    text = symptom.text.format(who=names_of(signs))
    program = "the broker" if is_of_broker else fault.program
    summary = (
        f"{text[0].upper()}{text[1:]}: a known fault of {f'{program} {release}'.strip()} is "
        f"likely, {fault.name} ({fault.releases}): {fault.what}."
    )
    newest = fault.newest
    change = (
        f"Update {program} to {newest}" if newest else "No release is known that has it no more"
    )
    rivals = _possible(symptom.rivals, fault)
    untried = "kproto's tests did not try it; " if newest and not fault.is_tried else ""
    step = f"{change} ({untried}{fault.report}). If it goes on, it is {' or '.join(rivals)}."
    return cause_of(
        "broker-fault" if is_of_broker else "client-fault", summary, signs, certain=False,
        rivals=rivals, next_step=step,
    )  # fmt: skip


def _possible(rivals: Sequence[str], fault: Fault) -> tuple[str, ...]:
    """Return the rivals that the program of a fault can have."""
    return tuple(word for word in rivals if can_have(fault.program, word))
