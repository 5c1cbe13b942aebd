"""Known faults of clients and brokers that make groups rebalance: `faults.toml`, each with its
public report, the releases that have it, and the symptom by which it shows."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec

from .catalog import release_ranges, writers

__all__ = ["Fault", "faults", "kafka_release"]


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A known fault; see `faults.toml`."""

    name: str
    program: str
    since: str
    fixed: tuple[str, ...]
    symptom: str
    what: str
    report: str
    is_tried: bool = False
    protocol_type: str = ""
    protocol: str = ""

    def is_in(self, release: str) -> bool:
        """Return whether a release has the fault: one of a branch that got a fix, before that fix,
        and one of another branch before the newest fix.

        >>> fault = next(fault for fault in faults() if fault.name == "KAFKA-10793")
        >>> [fault.is_in(release) for release in ("2.5.1", "2.6.2", "2.7.0", "2.9.0")]
        [True, False, True, False]
        """
        numbers = _numbers(release)
        if not numbers or (self.since and numbers < _numbers(self.since)):
            return False
        fixes = sorted(map(_numbers, self.fixed))
        if not fixes:
            return True
        of_branch = [fix for fix in fixes if fix[:2] == numbers[:2]]
        return numbers < (of_branch or fixes)[-1]

    def is_of(self, name: str, protocol_type: str, protocol: str | None) -> bool:
        """Return whether it is a fault of a client of this name, in a group of this protocol."""
        return (
            self.program == _SAME_PROGRAM.get(name, name)
            and self.protocol_type in ("", protocol_type)
            and self.protocol in ("", protocol)
        )

    def share(self, name: str, releases: str) -> Literal["all", "some", "none"]:
        """Return how many of a client's releases have the fault: one release, or those that a label
        of the catalog names.

        >>> fault = next(fault for fault in faults() if fault.name == "KAFKA-13406")
        >>> labels = ("2.4 to 2.8.0", "2.8.1 to 3.3", "3.4 and newer", "3.1.0")
        >>> [fault.share("kafka-clients", label) for label in labels]
        ['all', 'some', 'none', 'none']
        """
        number = kafka_release(releases)
        if _ONE_RELEASE.match(number) and not _is_label(name, releases):
            return "all" if self.is_in(number) else "none"
        shares = {self._share(*ends) for ends in release_ranges(name, releases)}
        return shares.pop() if len(shares) == 1 else "some"

    def _share(self, first: str, end: str) -> Literal["all", "some", "none"]:
        """Return the same of the releases from the first to before `end` ("": to the newest)."""
        low, high, since = _numbers(first), _numbers(end), _numbers(self.since)
        fixes = sorted(map(_numbers, self.fixed))
        if (high and since >= high) or (fixes and fixes[-1] <= low):
            return "none"
        if since <= low and (not fixes or (high and high <= fixes[0])):
            return "all"
        return "some"

    @property
    def newest(self) -> str:
        """The releases to update to, in words: "2.6.1 or 2.7.0, or later"; "" for an open one."""
        return f"{' or '.join(self.fixed)}, or later" if self.fixed else ""

    @property
    def releases(self) -> str:
        """The releases that have it, in words: "from 2.3.0 to before 2.3.1"."""
        fixed = " and ".join(self.fixed)
        if not self.since:
            return f"before {fixed}" if fixed else "all so far"
        return f"from {self.since} {f'to before {fixed}' if fixed else 'on, and open'}"


_SAME_PROGRAM = {"kafka-streams": "kafka-clients", "kafka-connect": "kafka-clients"}
"""Clients that are written with another one, whose faults they have."""
_ONE_RELEASE = re.compile(r"\d[\w.-]*$")


def _is_label(name: str, releases: str) -> bool:
    return any(writer.name == name and writer.releases == releases for writer in writers())


def _numbers(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, four of them: 2.4 is 2.4.0, and Kafka's first had four."""
    head = re.match(r"\d+(?:\.\d+)*", release)
    return (*map(int, head[0].split(".")), 0, 0, 0)[:4] if head else ()


@lru_cache(maxsize=1)
def faults() -> tuple[Fault, ...]:
    """Return all faults that are known."""
    table = tomllib.loads(files(__package__).joinpath("faults.toml").read_text("utf-8"))
    return tuple(msgspec.convert(table["fault"], list[Fault]))


_CONFLUENT = re.compile(r"(\d+)\.(\d+)\.\d+-c(?:cs|e)\b")
_CONFLUENT_MAJORS = {5: (2, 0), 6: (2, 6), 7: (3, 0), 8: (4, 0)}
"""By the number in front of Confluent's releases: which of Kafka's each began with."""


def kafka_release(release: str) -> str:
    """Return the release of Apache Kafka that a vendor's is; Confluent's say it by their branch.

    >>> kafka_release("3.7.2"), kafka_release("7.5.1-ccs"), kafka_release("2.8.1.redhat-00001")
    ('3.7.2', '3.5.1', '2.8.1.redhat-00001')
    """
    match = _CONFLUENT.match(release)
    base = _CONFLUENT_MAJORS.get(int(match[1])) if match else None
    if match is None or base is None:
        return release
    patch = release.partition("-")[0].rpartition(".")[2]
    return f"{base[0]}.{base[1] + int(match[2])}.{patch}"
