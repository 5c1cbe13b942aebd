"""Whether the kit finds a mutant, by which guarantee, and after how many inputs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kproto.fuzz.conformance.inputs import questions
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.properties import Broken
from kproto.fuzz.guarantees.table import BY_ID, Guarantee, Scope, of_scope
from kproto.fuzz.subject import Subject

from .codec import ASSIGNMENT, SUBSCRIPTION, Fault
from .faults import FAULTS
from .flexible import HEARTBEAT, FlexibleCodec

JUDGED_BY = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
ROOT = Path(__file__).parents[3]


class Caught(NamedTuple):
    """The guarantee that caught it, the input's number, and what was seen."""

    guarantee: Guarantee
    after: int
    complaint: str


def names(fault: Fault) -> tuple[str, ...]:
    return (HEARTBEAT,) if issubclass(fault.make, FlexibleCodec) else (SUBSCRIPTION, ASSIGNMENT)


@cache
def cases(of: tuple[str, ...]) -> tuple[Case, ...]:
    """What `kproto conform` asks an adapter that knows these messages."""
    return tuple(questions(of, seed=0))


def first_catch(
    subject: Subject, given: Iterable[Case], guarantees: Sequence[Guarantee] = JUDGED_BY
) -> Caught | None:
    for number, case in enumerate(given, start=1):
        if isinstance(subject, Remote):
            subject.kind = case.kind
        for guarantee in guarantees:
            try:
                guarantee.check(subject, case)
            except Broken as broken:
                return Caught(guarantee, number, str(broken))
            if isinstance(subject, Remote) and subject.incidents:  # as `kproto conform` counts them
                incident = subject.incidents[0]
                return Caught(BY_ID[incident.guarantee], number, incident.complaint)
    return None


def in_this_process(fault: Fault) -> Caught | None:
    return first_catch(fault.subject(), cases(names(fault)))


def through_conform(fault: Fault) -> Caught | None:
    """The same behind the line protocol, with a process of its own."""
    command = (sys.executable, "-m", "tests.fuzz.mutants.adapter", str(FAULTS.index(fault)))
    with closing(Remote(command, ProcessLimits())) as remote:
        return first_catch(remote, cases(names(fault)))
