"""Lines around a client's process: the JVM's collector, systemd, the kernel, Kubernetes.

They name no group. What they say of a process (that it ended, started, stood still) becomes an
event of the groups in which a client of that name, or of that file, is a member.

Formats: JEP 158 and 271 (unified logging of the JVM), -XX:+PrintGCApplicationStoppedTime before
them; systemd's messages about units; the kernel's of the OOM killer; `kubectl get events -o json`
and `kubectl describe pod`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Any

from .event import LogEvent
from .family import Family
from .layouts import LogLine, Stamp

__all__ = ["Around"]

MIN_PAUSE_MS = 1_000.0
"""Pauses below tell nothing: no session is that short."""

# What varies has a limit: a line may have many places at which a match begins.
_SIZE = r"(?P<size>\d{1,20}(?:[.,]\d{1,20})?)"
_PAUSES = (
    (
        re.compile(
            r"GC\(\d{1,20}\) Pause (?P<what>.{0,200}?)(?: \d{1,20}[BKMG]->\S{1,40})? "
            rf"{_SIZE}ms\s*$"
        ),
        1.0,
    ),
    (re.compile(rf"Safepoint \"(?P<what>\w{{1,80}})\".{{0,400}} Total: {{1,40}}{_SIZE} ns"), 1e-6),
    (
        re.compile(
            rf"Total time for which application threads were (?P<what>stopped): {_SIZE} seconds"
        ),
        1e3,
    ),
    (re.compile(rf"\[(?P<what>Full GC|GC pause)\b.{{0,400}}?(?<!\d){_SIZE} secs\]"), 1e3),
)
_UNIT = re.compile(
    r"(?<![\w@.\\-])(?P<name>[\w@.\\-]++)(?<=\.service): (?P<what>Main process exited, .*|"
    r"A process of this unit has been killed by the OOM killer.*|Failed with result .*)"
)
_KERNEL = re.compile(r"Out of memory: Kill(?:ed)? process \d{1,20} \((?P<name>[^)]{0,400})\)")
_POD_STATE = re.compile(
    r"Last State:\s{1,80}Terminated\s{1,80}Reason:\s{1,80}(?P<reason>\S{1,80})"
    r"(?:\s{1,80}Message:.{0,2000})?\s{1,80}Exit Code:\s{1,80}"
    r"(?P<code>\d{1,20})\s{1,80}Started:\s{1,80}(?P<started>[^\n]{1,80}?)\s{1,80}"
    r"Finished:\s{1,80}(?P<finished>[^\n]+)"
)

_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "Killing": "process-ended", "OOMKilling": "process-ended", "Evicted": "process-ended",
        "Preempted": "process-ended", "NodeNotReady": "process-ended", "Started": "process-started",
        "BackOff": "crash-looping", "Unhealthy": "probe-failed", "ScalingReplicaSet": "scaled",
        "SuccessfulRescale": "autoscaled",
    }
)  # fmt: skip
"""Events of Kubernetes by their reason; the words that are no events are signs for causes."""


class Around(Family):
    """What the JVM, systemd, the kernel and Kubernetes say of clients."""

    name = "around"
    signs = (
        b"Pause ", b"Safepoint ", b"application threads were stopped", b"[Full GC", b"[GC pause",
        b".service: ", b"Out of memory: Kill", b"Last State:", b"involvedObject",
    )  # fmt: skip

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        for reader in _READERS:
            found = [
                LogEvent(
                    word, "client", self.name, line.number, stamp or line.stamp,
                    fields=MappingProxyType(fields), text=text[:2_000],
                )
                for word, stamp, fields in reader(line, text)
            ]  # fmt: skip
            if found:
                return found
        return None


_Found = tuple[str, Stamp | None, dict[str, Any]]


def _pause(line: LogLine, text: str) -> Iterator[_Found]:
    for expression, scale in _PAUSES:
        match = expression.search(text)
        if match is not None:
            length = float(match["size"].replace(",", ".")) * scale
            if length >= MIN_PAUSE_MS:
                yield "pause", None, {"pause_ms": length, "reason": match["what"].strip()}
            return


def _unit(line: LogLine, text: str) -> Iterator[_Found]:
    match = _UNIT.search(text) or _KERNEL.search(text)
    if match is not None:
        what = match.groupdict().get("what") or "out of memory"
        name = match["name"].removesuffix(".service")
        yield "process-ended", None, {"process": name, "reason": what}


def _pod_state(line: LogLine, text: str) -> Iterator[_Found]:
    for match in _POD_STATE.finditer(text):
        reason = f"{match['reason']}, exit code {match['code']}"
        for word, key in (("process-started", "started"), ("process-ended", "finished")):
            stamp = _rfc_time(match[key])
            fields = {"reason": reason} if word == "process-ended" else {}
            yield word, stamp, fields


def _rfc_time(text: str) -> Stamp | None:
    try:
        moment = parsedate_to_datetime(text.strip())
    except ValueError:
        return None
    return Stamp(text.strip(), moment.timestamp() * 1000, True, True, True)


def _kubernetes(line: LogLine, text: str) -> Iterator[_Found]:
    thing = line.data.get("involvedObject") or line.data.get("regarding")
    word = _REASONS.get(str(line.data.get("reason")))
    if isinstance(thing, dict) and word is not None:
        reason = f"{line.data['reason']}: {text}"
        yield word, None, {"process": str(thing.get("name", "")), "reason": reason}


_READERS: tuple[Callable[[LogLine, str], Iterator[_Found]], ...] = (
    _kubernetes, _pause, _unit, _pod_state,
)  # fmt: skip
