"""What each client did with some of the inputs: the data of `kproto lint --readers`.

Of inputs on which all clients did the same the shortest is kept, and all inputs that are known to
break clients.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ....clients.outcomes import FAILS, READS, READS_OTHERWISE, REFUSES, TAKES, UNKNOWN
from ....clients.readers import Input, Measured, Reader, traits
from ....escaping import cut
from ...guarantees import comparison as comparing
from ...guarantees.cases import Case
from ...subject import Failed, Failure, Read, ReadAnswer, Refused, Subject, Unsupported
from ..results import Run
from .matrix import ADDRESS

_MOST_BYTES = 200
_LONGEST = 100  # characters of what it said

Outcome = tuple[str, str]
"""What the client does, and its answer."""


@dataclass
class Outcomes:
    """The table of outcomes while it grows."""

    inputs: list[Case]
    readers: list[Reader] = field(default_factory=list)

    @classmethod
    def of_inputs(cls, cases: Sequence[Case]) -> Outcomes:
        """Return a table of the inputs that are kept, without clients."""
        return cls(representatives(cases))

    def add(self, name: str, run: Run, outcomes: Sequence[Outcome]) -> None:
        """Add a client's outcomes."""
        does, said = zip(*outcomes, strict=True)
        self.readers.append(Reader(name, run.client, run.release, does, said))

    @property
    def measured(self) -> Measured:
        """The table as `kproto lint --readers` reads it, without the clients that have no API for
        most of the inputs.
        """
        inputs = tuple(Input(case.name, case.data) for case in self.inputs)
        readers = tuple(
            reader for reader in self.readers if 2 * reader.does.count(UNKNOWN) <= len(inputs)
        )
        return Measured(datetime.now(UTC).date().isoformat(), inputs, readers)


def representatives(cases: Iterable[Case]) -> list[Case]:
    """Return the inputs that represent all others, in the order of names and bytes."""
    cases_by_key: dict[tuple[str, bytes], Case] = {}
    sorts = set()
    for case in sorted(cases, key=lambda case: (len(case.data), case.data)):
        if case.value is not None or len(case.data) > _MOST_BYTES:
            continue
        sort = (case.name, traits(case.name, case.data))
        if case.kind == "trouble" or sort not in sorts:
            sorts.add(sort)
            cases_by_key[case.name, case.data] = case
    return [cases_by_key[key] for key in sorted(cases_by_key)]


def outcomes_of(subject: Subject, cases: Sequence[Case]) -> list[Outcome]:
    """Return what a subject does with each of the inputs."""
    return [outcome(case, subject.decode(case.name, case.data)) for case in cases]


def outcome(case: Case, answer: ReadAnswer) -> Outcome:
    """Return what an answer amounts to, compared with Kafka's."""
    match answer:
        case Read(value):
            if not case.truth.accept:
                return TAKES, _brief(f"as {comparing.brief(value)}")
            difference = comparing.difference(case.truth.value, value, exactly=False)
            if difference:
                return READS_OTHERWISE, _brief(difference)
            return READS, _without(case, value)
        case Refused(reason):
            return REFUSES, _brief(reason)
        case Failed(Failure.SKIPPED) | Unsupported():
            return UNKNOWN, ""
        case Failed(how, detail):
            return FAILS, _brief(f"{how.value}: {detail}")


_TELLING = ("ownedPartitions", "generationId", "rackId")


def _without(case: Case, answer: dict[str, object]) -> str:
    """Return the fields with a value that the client does not show."""
    value = comparing.meaning(case.truth.value)
    missing = [
        key for key in _TELLING if value.get(key) not in (None, [], -1) and key not in answer
    ]
    return f"without {', '.join(missing)}" if missing else ""


def _brief(text: str) -> str:
    return cut(ADDRESS.sub("0x...", " ".join(text.split())), _LONGEST)
