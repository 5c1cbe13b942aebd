"""Everything that is wrong or telling about a message and about what is inside of it.

A finding is a deviation, or why the bytes are refused, with a level. Of a message that is too large
to be taken apart (`large`) no more is found than why it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from ...codec.read.decoding import Decoded
from ...codec.read.deviations import CODES, REFUSALS, Deviation
from ...codec.read.diagnostic_reader import FieldNode
from ..open.opening import NOTHING, Around, Opened, is_large, open_inside
from ..open.user_data_deviations import all_deviations
from .fingerprints import Fingerprint, fingerprint
from .levels import level_of

_EXPLAIN_THE_ERROR = {f"KP0{number}" for number in (10, 11, 12, 13, 14, 15, 16, 40)}


class Finding(msgspec.Struct, frozen=True):
    """One thing found. `offset` and `path` are those of a deviation, within the message."""

    code: str
    class_: str
    level: str
    offset: int
    path: str
    count: int
    explanation: str


class Judged(NamedTuple):
    """A message, or one that was inside of it: then `path` is the field's, through all that stands
    around it, and `start` is where it begins in the outermost message."""

    path: str
    start: int
    decoded: Decoded[Any]
    findings: tuple[Finding, ...]
    fingerprint: Fingerprint

    def identity(self, finding: Finding) -> str:
        """Return the same for the same finding in the same bytes, wherever they are found again."""
        facts = f"{finding.code}\0{finding.path}\0{self.decoded.message_class.NAME}\0"
        return sha256(facts.encode("utf-8", "surrogatepass") + self.decoded.data).hexdigest()[:32]


def judge(seen: Decoded[Any], around: Around = NOTHING) -> Iterator[Judged]:
    """Yield the message first, then what is inside, in the order of the bytes."""
    yield from _judge(seen, open_inside(seen, around), around, "", 0)


def _judge(
    seen: Decoded[Any], inside: tuple[Opened, ...], around: Around, path: str, start: int
) -> Iterator[Judged]:
    deviations = (*all_deviations(seen, inside, around), *_no_metadata(seen))
    findings = [*map(_finding, deviations), *_refusal(seen)]
    findings.sort(key=lambda finding: (finding.offset, finding.code))
    yield Judged(path, start, seen, tuple(findings), fingerprint(seen, around.protocol))
    for one in inside:
        if one.decoded is not None:
            below = f"{path}.{one.path}" if path else one.path
            yield from _judge(one.decoded, one.opened, one.around, below, start + one.start)


# -- the bytes themselves


def _finding(deviation: Deviation) -> Finding:
    level = level_of(deviation.code, deviation.class_)
    where = (deviation.offset, deviation.path, deviation.count)
    return Finding(deviation.code, deviation.class_, level, *where, deviation.explanation)


def _refusal(seen: Decoded[Any]) -> Iterator[Finding]:
    """Why the bytes are refused, where no deviation says so."""
    error = seen.error
    deviations = () if is_large(seen) else seen.deviations
    if error is not None and not any(one.code in _EXPLAIN_THE_ERROR for one in deviations):
        code = CODES[REFUSALS[error.kind]]
        explanation = f"{code.explanation}: {error.reason}"
        level = level_of(code.code, code.class_)
        yield Finding(code.code, code.class_, level, error.offset, error.path, 1, explanation)


# -- what members wrote

_OF_MEMBERS = {
    "JoinGroupRequest": "metadata",
    "JoinGroupResponse": "metadata",
    "GroupMetadataValue": "subscription",
}


def _no_metadata(seen: Decoded[Any]) -> Iterator[Deviation]:
    """Members' metadata of zero bytes, in which there is nothing to open."""
    wanted = _OF_MEMBERS.get(seen.message_class.NAME)
    if wanted is not None and not is_large(seen):
        code = CODES["KP015"]
        for node in _walk(seen.fields):
            if node.name == wanted and node.value == b"":
                yield Deviation(code.code, code.class_, node.start, node.path, 1, code.explanation)


def _walk(nodes: Any) -> Iterator[FieldNode]:
    for node in nodes:
        yield node
        yield from _walk(node.children)
