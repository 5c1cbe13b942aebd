"""Messages that real clients sent, as other clients read them.

`pairs` has bytes that testees encode when asked. These were captured between running consumers and
a broker. The verdicts are those of the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Captured(NamedTuple):
    """A message that a real client sent, captured between it and a broker."""

    client: str
    """The client that wrote it."""
    release: str
    assignor: str
    """The assignor as it stands in JoinGroup, or that of the group."""
    message: str
    hex: str

    @property
    def data(self) -> bytes:
        """The bytes of the message, with the version in front."""
        return bytes.fromhex(self.hex)


class Verdict(NamedTuple):
    """What a reader makes of a message: one of `VERDICTS`, and the reason if it is not `WORKS`."""

    verdict: str
    why: str = ""


@dataclass
class Readings:
    """A captured message, and the verdict of each testee that was asked, by its name."""

    captured: Captured
    readers: dict[str, Verdict] = field(default_factory=dict)


def keep_older_readings(readings: Sequence[Readings], before: Sequence[Readings],
                        names: Iterable[str]) -> None:  # fmt: skip
    """Add the verdicts that an earlier matrix has of these testees, on the same messages."""
    known = {one.captured: one.readers for one in before}
    for one in readings:
        older = known.get(one.captured, {})
        one.readers.update({name: older[name] for name in names if name in older})
        one.readers = dict(sorted(one.readers.items()))
