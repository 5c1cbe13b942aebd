"""The baseline of `kproto fuzz`: known findings, by the inputs that show them.

    {"findings": [{"id", "target", "title", "input"}, ...]}

An input is judged anew by each run, so that a finding stays known where the lines of the client
move; one that shows nothing any more passes again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from ..files import read_bounded
from ..fuzz.findings import FuzzFinding
from .options.baseline import write_lines
from .output.failures import say, unreadable


class KnownFault(msgspec.Struct, frozen=True):
    """A known finding; `input` is hex."""

    id: str
    target: str
    title: str
    input: str


class _Baseline(msgspec.Struct, frozen=True):
    findings: tuple[KnownFault, ...]


def read_faults(path: str) -> tuple[KnownFault, ...]:
    """Return the findings of a baseline."""
    try:
        faults = msgspec.json.decode(read_bounded(path), type=_Baseline).findings
        for fault in faults:
            bytes.fromhex(fault.input)
    except (OSError, ValueError) as error:
        raise unreadable(repr(path), error, "--baseline") from None
    return faults


def write_faults(path: str, findings: Iterable[FuzzFinding]) -> None:
    """Write findings as a baseline."""
    faults = [
        KnownFault(finding.key, finding.target, finding.title, finding.minimal.hex())
        for finding in findings
    ]
    write_lines(path, faults)


def known_keys(
    faults: Sequence[KnownFault],
    targets: Sequence[str],
    judge: Callable[[str, bytes], list[FuzzFinding]],
) -> tuple[frozenset[str], int]:
    """Return the keys of the findings that the inputs of the baseline show today, and how many
    inputs show nothing any more, each of which is told.
    """
    keys: set[str] = set()
    passes = 0
    for fault in faults:
        if fault.target not in targets:
            continue
        findings = judge(fault.target, bytes.fromhex(fault.input))
        keys |= {finding.key for finding in findings}
        if not findings:
            passes += 1
            say(f"passes again, remove it from the baseline: {fault.title}")
    return frozenset(keys), passes
