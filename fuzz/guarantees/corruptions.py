"""Every way to break a valid message at one place, by what readers get wrong.

The places come from the tree of fields that was read, so that each result is wrong in one respect
and right in all others. Mutators that wander freely find more; these find it at once, and a person
can say what each one is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...codec import FieldNode
from ...codec.runtime.registry import layout_of
from .cases import Case

_INVALID_UTF8 = (b"\xed\xa0\x80", b"\xff", b"\xc0\x80", b"\xf4\x90\x80\x80")
_COUNT = 10_000_000
"""A count for which a reader can allocate memory, and that no input here can hold."""


def breakages(case: Case) -> list[Case]:
    """Return all breakages of a valid case, in the order of the bytes."""
    found = [*_versions(case), *_cuts(case)]
    for node in _leaves_and_arrays(case.decoded.fields):
        found += _lengths(case, node)
        found += _characters(case, node)
        found += _entries(case, node)
    return found


def _made(case: Case, kind: str, data: bytes, where: str) -> Case:
    return Case(case.name, data, case.version, kind, where)


def _versions(case: Case) -> Iterator[Case]:
    if not case.labelled:
        return
    latest = case.message.LATEST
    for label in (-1, -2, -32768, latest + 1, 100, 32767, *case.message.VERSIONS):
        kind = "version" if label < 0 or label > latest else "label"
        changed = label.to_bytes(2, "big", signed=True) + case.data[2:]
        yield _made(case, kind, changed, f"the label {label}")


def _cuts(case: Case) -> Iterator[Case]:
    for end in range(len(case.data)):
        yield _made(case, "cut", case.data[:end], f"cut at byte {end}")


def _leaves_and_arrays(nodes: tuple[FieldNode, ...] | list[FieldNode]) -> Iterator[FieldNode]:
    for node in nodes:
        yield node
        yield from _leaves_and_arrays(node.children)


def _lengths(case: Case, node: FieldNode) -> Iterator[Case]:
    """Yield the case with other lengths or counts in front of a field."""
    size = _prefix(node)
    if size is None:
        return
    old = case.data[node.start : node.start + size]
    for kind, new in _varints(old) if _compact(case) else _fixed(old):
        if new != old:
            changed = case.data[: node.start] + new + case.data[node.start + size :]
            yield _made(case, kind, changed, f"{node.path}: {old.hex()} became {new.hex()}")


def _prefix(node: FieldNode) -> int | None:
    """Return how many bytes the length or count in front takes; None if there is none."""
    if node.type.startswith("[]"):
        return (node.children[0].start if node.children else node.end) - node.start
    if node.type in ("string", "bytes", "records"):
        data = node.value.encode() if isinstance(node.value, str) else node.value or b""
        return node.end - node.start - len(data)
    return None


def _compact(case: Case) -> bool:
    version = case.truth.schema_version
    return version is not None and layout_of(case.message, version).flexible


_WRONG, _NEGATIVE, _HUGE = "length", "negative-length", "huge-length"


def _fixed(old: bytes) -> Iterator[tuple[str, bytes]]:
    highest = (1 << 8 * len(old) - 1) - 1
    length = int.from_bytes(old, "big", signed=True)
    for kind, lengths in (
        (_WRONG, (length + 1, length - 1, 0)),
        (_NEGATIVE, (-1, -2, -highest - 1)),
        (_HUGE, (highest, _COUNT)),
    ):
        for new in lengths:
            if -highest - 1 <= new <= highest:
                yield kind, new.to_bytes(len(old), "big", signed=True)


def _varints(old: bytes) -> Iterator[tuple[str, bytes]]:
    yield _WRONG, b"\0"  # null
    yield _WRONG, b"\1"  # empty
    yield _WRONG, bytes([old[0] ^ 1])
    yield _WRONG, bytes([*old[:-1], old[-1] | 0x80, 0])  # the same, longer than needed
    yield _NEGATIVE, bytes.fromhex("ffffffff0f")
    yield _NEGATIVE, bytes.fromhex("808080808001")
    yield _HUGE, bytes.fromhex("81ade204")  # `_COUNT`, and one for the compact form


def _characters(case: Case, node: FieldNode) -> Iterator[Case]:
    if node.type != "string" or not node.value:
        return
    at = node.end - len(node.value.encode())
    for bad in _INVALID_UTF8:
        if len(bad) <= node.end - at:
            changed = case.data[:at] + bad + case.data[at + len(bad) :]
            yield _made(case, "utf-8", changed, f"{node.path}: {bad.hex()} in it")


def _entries(case: Case, node: FieldNode) -> Iterator[Case]:
    """Yield the case with an array's first entry twice, which is valid and which readers treat
    differently.
    """
    size = _prefix(node)
    if not (node.type.startswith("[]") and node.children and size == 4):
        return
    first = node.children[0]
    count = int.from_bytes(case.data[node.start : node.start + 4], "big") + 1
    entry = case.data[first.start : first.end]
    front = case.data[: node.start] + count.to_bytes(4, "big")
    changed = front + entry + case.data[node.start + 4 :]
    yield _made(case, "valid", changed, f"{node.path}: its first entry twice")
