"""Inputs that are a file or text without a layout that is known here: tokens at likely places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .splices import EDGES, Splice, ends_and_tails, thinned

_MOST = 2000
_NUMBER = 4


class Blobs:
    """The form of files and texts: edges over aligned numbers, tokens over and between the
    bytes.
    """

    raw_every = 2

    def __init__(self, tokens: Iterable[bytes] = ()) -> None:
        self._tokens = tuple(tokens)

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        size = len(data)
        places = range(0, size, max(1, size // 128))
        found = [
            Splice(at, min(size, at + len(new)) if over else at, new, f"{new!r} at {at}")
            for at in places
            for new in (*EDGES, *self._tokens)
            for over in (True, False)
        ]
        found += [Splice(at, min(size, at + _NUMBER), b"", f"without {at}") for at in places]
        found += [Splice(at, at, data[at : at + 16], f"{at} twice") for at in places]
        return thinned(found, _MOST) + ends_and_tails(size, places)

    def head(self, data: bytes) -> int:
        """Return 0: nothing in front says what the rest is."""
        return 0

    def tokens(self) -> Iterable[bytes]:
        """Return the edges and the tokens of the form."""
        return (*EDGES, *self._tokens)
