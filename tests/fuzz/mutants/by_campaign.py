"""Every mutant in a campaign of its own, and the table of what caught it.

python -m tests.fuzz.mutants.by_campaign [--seed N]     from the top of the repository

The campaign begins with the corpus that ships, changes what is in it, and puts each guarantee to
the mutant with every input, until one breaks: 60 seconds of processor time at most.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import NamedTuple

from kproto.fuzz.defined import defined
from kproto.fuzz.mutators import Messages
from kproto.fuzz.mutators.messages import split
from kproto.fuzz.seeds import shipped
from kproto.fuzz.targets import Broken
from kproto.fuzz.targets.guarantees import put

from ..shaking import changed
from .codec import Fault
from .faults import FAULTS
from .hunt import JUDGED_BY, names

SECONDS = 60.0
CORPORA = ("decode-consumer", "decode-requests")


class Caught(NamedTuple):
    """The broken guarantee, what was seen, and after how many executions."""

    complaint: str
    executions: int


def hunt(fault: Fault, seed: int, seconds: float = SECONDS) -> Caught | None:
    """What a campaign finds."""
    of = names(fault)
    subject = fault.subject()
    end = time.process_time() + seconds
    begin = [data for name in CORPORA for data in shipped(name) if _is_of(data, of)]
    inputs = changed(Messages(of), [*begin, *defined(of)], seed)
    for number, data in enumerate(inputs, start=1):
        try:
            put(subject, data, JUDGED_BY)
        except Broken as broken:
            return Caught(str(broken), number)
        if time.process_time() > end:
            return None
    return None


def _is_of(data: bytes, of: tuple[str, ...]) -> bool:
    route, _ = split(data)
    return route is not None and route.cls.NAME in of


def main() -> int:
    """Print the table; 1 if a mutant got away."""
    parser = ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    missed = 0
    print(f"{'fault':48} {'caught by':28} {'executions':>10} {'seconds':>8}")
    tried = [fault for fault in FAULTS if not fault.is_large]
    for fault in tried:
        start = time.process_time()
        caught = hunt(fault, seed)
        seconds = time.process_time() - start
        missed += caught is None
        by = "NOT CAUGHT" if caught is None else caught.complaint.partition(":")[0]
        after = "" if caught is None else f"{caught.executions:,}"
        print(f"{fault.what:48} {by:28} {after:>10} {seconds:8.2f}", flush=True)
    print(f"{len(tried) - missed} of {len(tried)} caught, seed {seed}")
    for fault in FAULTS:
        if fault.is_large:
            print(f"{fault.what}: not tried, it takes larger inputs; conform has some")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
