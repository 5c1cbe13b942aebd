"""Splices, the interface of the forms of input, and the choice of splices by number.

libFuzzer calls its mutator for every execution, so the splices of an input are computed once and
kept while it is in use; picking one of them takes a microsecond. One mutation in a few is
libFuzzer's own, which knows the dictionary but nothing of the layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol
from zlib import crc32


class Splice(NamedTuple):
    """A mutation: `data[start:end]` becomes `new`; `description` says what it does."""

    start: int
    end: int
    new: bytes
    description: str

    def moved(self, by: int) -> Splice:
        """Return the same splice for bytes that begin `by` later."""
        return Splice(self.start + by, self.end + by, self.new, self.description)


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
    places = sorted(cut for cut in set(cuts) if cut < size)
    ends = [Splice(cut, size, b"", f"ends at {cut}") for cut in places]
    tails = (b"\0", b"\xff", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\1a\0\0\0\0", bytes(9))
    return ends + [Splice(size, size, tail, f"{tail.hex()} behind") for tail in tails]


def thinned(splices: list[Splice], most: int) -> list[Splice]:
    """Return at most so many of the splices, evenly spread: a large input has thousands."""
    step = -(-len(splices) // max(1, most))
    return splices[::step] if step > 1 else splices


Raw = Callable[[bytes, int], bytes]
"""libFuzzer's own mutation: the bytes, and how long the result may be."""

MAX_SPLICED = 4096
"""Inputs longer than this get raw mutations only: most of their splices would do the same."""
_KEPT = 4096  # inputs whose splices are held
_HELD = 192  # splices of one input: others for each, so that all are tried on some
_TWICE = 0x40  # bit of the seed: two places are changed


def mutator(form: Form, raw: Raw) -> Callable[[bytes, int, int], bytes]:
    """Return a mutator for `atheris.Setup(custom_mutator=...)`: `(data, max_size, seed) ->
    bytes`.
    """
    raw_mask = form.raw_every - 1
    splices_by_input: dict[bytes, list[tuple[int, int, bytes]]] = {}

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        splices = splices_by_input.get(data)
        if splices is None:
            if len(splices_by_input) >= _KEPT:
                splices_by_input.clear()
            splices = splices_by_input[data] = _splices_to_try(form, data)
        if not splices or not seed & raw_mask:
            head = form.head(data)
            return data[:head] + raw(data[head:], max(1, max_size - head))
        start, end, new = splices[(seed >> 7) % len(splices)]
        if seed & _TWICE:
            at, until, second_new = splices[(seed >> 17) % len(splices)]
            if at >= end:
                new += data[end:at] + second_new
                end = until
            elif until <= start:
                new = second_new + data[until:start] + new
                start = at
        data = data[:start] + new + data[end:]
        return data if len(data) <= max_size else raw(data[:max_size], max_size)

    return mutate


def _splices_to_try(form: Form, data: bytes) -> list[tuple[int, int, bytes]]:
    if len(data) > MAX_SPLICED:
        return []
    splices = form.splices(data)
    step = 1 + len(splices) // _HELD
    sample = (splice[:3] for splice in splices[crc32(data) % step :: step])
    return [splice for splice in dict.fromkeys(sample) if splice[2] != data[splice[0] : splice[1]]]
