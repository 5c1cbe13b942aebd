"""Which program each client of a group is, and its release, as far as the sources tell; and which
causes it cannot have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from ..clients.catalog import AbilityName, ability_of, default_client, writers, writers_of
from ..clients.faults import Fault, kafka_release
from .timeline import Timeline

__all__ = ["BROKER", "NEEDS", "PROGRAMS", "WORKER", "Programs", "can_have"]

BROKER = "kafka-broker"
WORKER = re.compile(r"connect-.+:\d+|[\w.-]+->[\w.-]+")
"""The client ids of Connect's workers, and of MirrorMaker's."""
PROGRAMS: Mapping[str, str] = MappingProxyType({
    "java": "kafka-clients", "librdkafka": "librdkafka", "sarama": "sarama", "kafkajs": "kafkajs",
    "kafka-python": "kafka-python", "aiokafka": "aiokafka", "kafka-go": "kafka-go Reader",
    "franz-go": "franz-go", "brod": "brod", "ruby-kafka": "ruby-kafka",
})  # fmt: skip
"""The client of `abilities.json` that a family of log lines is of."""
NEEDS: Mapping[str, AbilityName] = MappingProxyType({
    "poll-timeout-exceeded": "poll-limit",
    "static-member-came-back": "static-members",
    "static-member-came-back-too-late": "static-members",
    "instance-id-used-twice": "static-members",
    "cooperative-second-round": "cooperative",
})  # fmt: skip
"""Causes that only clients with an ability can have."""


def can_have(program: str, cause: str, release: str = "") -> bool:
    """Return whether a program may have a cause, as far as its abilities are known."""
    cell = ability_of(program, NEEDS[cause]) if cause in NEEDS else None
    return cell is None or not cell.is_absent(release)


def _possible_writers(timeline: Timeline) -> dict[str, set[str]]:
    """Return the labels of the releases that could have written a client's records, by client."""
    found: dict[str, set[str]] = {}
    for fact in timeline.facts:
        if fact.client_id and fact.fields.get("writers"):
            found.setdefault(fact.client_id, set()).update(fact.fields["writers"])
    return found


class Programs:
    """The program of each client, and its release."""

    def __init__(self, timeline: Timeline) -> None:
        facts = timeline.facts
        brokers = {source for fact in facts if fact.side == "broker" for source in fact.sources}
        self.stated = dict(timeline.releases)
        """The releases that the user, or a broker's log, names, by program."""
        self._programs: dict[str, str] = {}
        self._releases: dict[str, str] = {}
        self._written = _possible_writers(timeline)
        self._workers = {
            fact.client for fact in facts if fact.fields.get("what") == "Worker" and fact.client
        }
        by_source: dict[str, tuple[str, str]] = {}
        for fact in facts:
            if fact.event != "release":
                continue
            program = str(fact.fields.get("program") or PROGRAMS.get(fact.family, fact.family))
            number = kafka_release(str(fact.fields["release"]))
            if fact.sources & brokers and program == "kafka-clients":
                self.stated.setdefault(BROKER, number)
            elif fact.client:
                self._note(fact.client, program, number)
            else:
                by_source |= dict.fromkeys(fact.sources, (program, number))
        for fact in facts:
            client = fact.client_id
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

    def is_worker(self, client: str) -> bool:
        """Return whether a client is a worker of Connect, by its log or by its default id."""
        return client in self._workers or WORKER.fullmatch(client) is not None

    def of(self, client: str) -> str:
        """Return the program that a client is, "" where that is not known."""
        return self._programs.get(client) or default_client(client)[0]

    def release(self, client: str, program: str) -> str:
        """Return the release of the program that a client is, or may be; "" where none is known."""
        own = self.of(client)
        if own not in ("", program):
            return ""
        stated = self._releases.get(client) or default_client(client)[1]
        if stated:
            return stated
        is_unsure = not own and len({*self.stated} - {BROKER}) != 1
        return "" if is_unsure else self.stated.get(program, "")

    def may_have(self, client: str, fault: Fault) -> bool:
        """Return whether a release with a fault of clients could have written a client's records;
        True where there are none, or they do not show it."""
        own = {
            writer.label: writer for writer in writers()
            if fault.program in (writer.name, *writer.also)
        }  # fmt: skip
        written = self._written.get(client, set())
        if not own or not written:
            return True
        oldest = writers_of(fault.program, fault.since)
        return any(
            own[label] in oldest or fault.is_in(own[label].since) for label in written & own.keys()
        )

    def can_have(self, client: str, cause: str) -> bool:
        """Return whether a client may have a cause, as far as its abilities are known."""
        if cause not in NEEDS:
            return True
        own = self.of(client)
        program = "kafka-connect" if self.is_worker(client) else own
        return can_have(program, cause, self.release(client, own))
