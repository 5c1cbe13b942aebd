"""Known faults of the releases that a group's clients and its broker run, where a symptom of one is
there: likely causes, never certain ones.

Releases come from the lines that programs print at their start, from captured ApiVersions requests,
and from `--release`. Where a symptom is there and the release is not known, the fault is named as
what the release would decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ..clients.catalog import default_client
from ..clients.faults import Fault, faults, kafka_release
from .group_facts import WHY_SILENT, GroupCause, GroupFacts, cause_of, names_of
from .symptoms import SYMPTOMS
from .timeline import Fact

__all__ = ["BROKER", "PROGRAMS", "KnownFaults"]

BROKER = "kafka-broker"
PROGRAMS: Mapping[str, str] = MappingProxyType({
    "java": "kafka-clients", "librdkafka": "librdkafka", "sarama": "sarama", "kafkajs": "kafkajs",
    "kafka-python": "kafka-python", "aiokafka": "aiokafka", "kafka-go": "kafka-go Reader",
    "franz-go": "franz-go",
})  # fmt: skip
"""The client of `clients.json` that a family of log lines is of."""
_MAX_NAMED = 3


class KnownFaults:
    """The known faults of which a group shows a symptom."""

    def __init__(self, view: GroupFacts) -> None:
        self._releases = _Releases(view)
        found = {word: symptom.look(view) for word, symptom in SYMPTOMS.items()}
        self._symptoms = {word: signs for word, signs in found.items() if signs}

    def causes(self) -> Iterator[GroupCause]:
        """Yield the known faults whose release and symptom are both there."""
        for word, signs in self._symptoms.items():
            for fault in faults():
                if fault.symptom == word:
                    matching, release = self._releases.matching(fault, signs)
                    if matching:
                        yield _cause(fault, matching, release)

    def completed(self, causes: Sequence[GroupCause]) -> tuple[GroupCause, ...]:
        """Return the causes with what a release would decide, added to the first cause that leaves
        the traces of a known fault."""
        completed = list(causes)
        for word, signs in self._symptoms.items():
            candidates = [
                fault for fault in faults()
                if fault.symptom == word and self._releases.is_open(fault, signs)
            ]  # fmt: skip
            rivals = SYMPTOMS[word].rivals
            with_same_traces = (*rivals, "session-expired") if WHY_SILENT & {*rivals} else rivals
            places = [
                at for at, cause in enumerate(completed) if cause.cause in with_same_traces
            ]  # fmt: skip
            if candidates and places:
                cause = completed[places[0]]
                names = "; ".join(map(_named, candidates[:_MAX_NAMED]))
                text = f"The release would decide whether a known fault is behind it ({names})."
                completed[places[0]] = cause._replace(next_step=f"{cause.next_step} {text}")
        return tuple(completed)


def _named(fault: Fault) -> str:
    return f"{fault.name}: {fault.program} {fault.releases}"


def _cause(fault: Fault, signs: Sequence[Fact], release: str) -> GroupCause:
    symptom = SYMPTOMS[fault.symptom]
    is_of_broker = fault.program == BROKER
    text = symptom.text.format(who=names_of(signs))
    program = "the broker" if is_of_broker else fault.program
    summary = (
        f"{text[0].upper()}{text[1:]}: a known fault of {f'{program} {release}'.strip()} is "
        f"likely, {fault.name} ({fault.releases}): {fault.what}."
    )
    newest = f" to {' or '.join(fault.fixed)}, or later" if fault.fixed else ""
    change = f"Update {program}{newest}" if newest else "No release is known that has it no more"
    step = f"{change} ({fault.report}). If it goes on, it is {' or '.join(symptom.rivals)}."
    return cause_of(
        "broker-fault" if is_of_broker else "client-fault", summary, signs, certain=False,
        rivals=symptom.rivals, next_step=step,
    )  # fmt: skip


class _Releases:
    """Which program each client of a group is, and its release, as far as lines tell."""

    def __init__(self, view: GroupFacts) -> None:
        facts = view.timeline.facts
        brokers = {source for fact in facts if fact.side == "broker" for source in fact.sources}
        self._stated = dict(view.timeline.releases)
        self._programs: dict[str, str] = {}
        self._releases: dict[str, str] = {}
        by_source: dict[str, tuple[str, str]] = {}
        for fact in view.facts("release"):
            program = str(fact.fields.get("program") or PROGRAMS.get(fact.family, fact.family))
            number = kafka_release(str(fact.fields["release"]))
            if fact.sources & brokers and program == "kafka-clients":
                self._stated.setdefault(BROKER, number)
            elif fact.client:
                self._note(fact.client, program, number)
            else:
                by_source |= dict.fromkeys(fact.sources, (program, number))
        for fact in facts:
            client = fact.client_id
            if client and client not in self._programs:
                self._note(client, *default_client(client))
            if fact.side != "client" or not client or fact.family not in PROGRAMS:
                continue
            program = PROGRAMS[fact.family]
            self._programs[client] = program
            for source in fact.sources:
                if by_source.get(source, ("", ""))[0] == program:
                    self._note(client, program, by_source[source][1])

    def _note(self, client: str, program: str, number: str) -> None:
        self._programs[client] = program
        if number:
            self._releases[client] = number

    def _of(self, fault: Fault, fact: Fact) -> str:
        """The release of the program that a fact may show a fault of; "" where none is known."""
        if fault.program == BROKER:
            return self._stated.get(BROKER, "")
        client = fact.client_id
        program = self._programs.get(client, "")
        if program not in ("", fault.program):
            return ""
        if client in self._releases:
            return self._releases[client]
        is_unsure = not program and len({*self._stated} - {BROKER}) != 1
        return "" if is_unsure else self._stated.get(fault.program, "")

    def matching(self, fault: Fault, signs: Sequence[Fact]) -> tuple[list[Fact], str]:
        """Return the facts whose program has a fault by its release, and that release."""
        is_in_all = not fault.since and not fault.fixed
        found = [(fact, self._of(fault, fact)) for fact in signs]
        matches = [
            (fact, release) for fact, release in found
            if (release and fault.is_in(release)) or (is_in_all and self._is_of(fault, fact))
        ]  # fmt: skip
        releases = dict.fromkeys(release for _, release in matches if release)
        return [fact for fact, _ in matches], ", ".join(releases)

    def _is_of(self, fault: Fault, fact: Fact) -> bool:
        """Return whether a fact's program is known to be that of a fault."""
        client = fact.client_id
        return self._programs.get(client) == fault.program

    def is_open(self, fault: Fault, signs: Sequence[Fact]) -> bool:
        """Return whether the release alone is missing: the program is known to be the fault's."""
        if fault.program == BROKER:
            return BROKER not in self._stated
        return any(self._is_of(fault, fact) and not self._of(fault, fact) for fact in signs)
