"""Splices, how they are applied, and the interface of the forms of input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol


class Splice(NamedTuple):
    """A mutation: `data[start:end]` becomes `new`; `what` describes it."""

    start: int
    end: int
    new: bytes
    what: str

    def moved(self, by: int) -> Splice:
        """Return the same splice for bytes that begin `by` later."""
        return Splice(self.start + by, self.end + by, self.new, self.what)


def spliced(data: bytes, splice: Splice) -> bytes:
    """Return the data with the splice applied."""
    return data[: splice.start] + splice.new + data[splice.end :]


class Form(Protocol):
    """A kind of fuzz input."""

    raw_every: int
    """Of so many mutations one is libFuzzer's own, which knows nothing of the layout."""

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying on these bytes; the same for the same bytes."""
        ...

    def head(self, data: bytes) -> int:
        """Return how many bytes in front say what the rest is; raw mutations leave them alone."""
        ...

    def tokens(self) -> Iterable[bytes]:
        """Return words of the form, for libFuzzer's dictionary."""
        ...


# Lengths, counts, varints and texts at which readers differ.
EDGES = tuple(
    map(
        bytes.fromhex,
        "00 01 02 7f 80 ff 0000 0001 7fff 8000 8001 80ff ffff fffe 8080808000 8080808010 "
        "ffffffff0f ffffffff7f 8080808080 808080808001 ffffffff fffffffe 80000000 7fffffff "
        "00000000 00000001 00008000 000f4241 eda080 eda0 edbfbf c080 f4908080 e080 f0 ff7f".split(),
    )
)


def dictionary(tokens: Iterable[bytes]) -> str:
    """Return tokens as a dictionary of libFuzzer, which AFL++ reads, too."""
    lines = ("".join(f"\\x{byte:02x}" for byte in token[:_LONGEST]) for token in tokens if token)
    return "".join(f'"{line}"\n' for line in dict.fromkeys(lines))


_LONGEST = 60  # of a token, in bytes


def ends_and_tails(size: int, cuts: Iterable[int]) -> list[Splice]:
    """Return splices that cut the data at these places, and splices that append bytes."""
    found = [Splice(cut, size, b"", f"ends at {cut}") for cut in sorted(set(cuts)) if cut < size]
    tails = (b"\0", b"\xff", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\1a\0\0\0\0", bytes(9))
    return found + [Splice(size, size, tail, f"{tail.hex()} behind") for tail in tails]


def thinned(splices: list[Splice], most: int) -> list[Splice]:
    """Return at most so many of the splices, evenly spread: a large input has thousands."""
    step = -(-len(splices) // max(1, most))
    return splices[::step] if step > 1 else splices
