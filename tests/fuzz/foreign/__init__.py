"""A decoder and encoder in Perl, a language of which the tree has no other adapter, and its faults.

`adapter.pl` was written from docs/reference/conform.md and docs/reference/adapters.md.
"""

from __future__ import annotations

from pathlib import Path

from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote

PROGRAM = Path(__file__).with_name("adapter.pl")
FAULTS = {
    1: "lengths and versions of two bytes are unsigned",
    2: "numbers of four bytes are unsigned",
    3: "null strings are empty",
    4: "a name ends at NUL",
    5: "null arrays are empty",
    6: "empty user data is null",
    7: "user data is cut where the bytes end",
    8: "entries are kept in a hash by topic",
    9: "a newer version is refused",
    10: "a newer version is read as version 1",
    11: "the generation is 0 where there is none",
    12: "bytes left over are refused",
    13: "numbers that do not fit wrap around",
    14: "a string's length is written in characters",
    15: "empty user data is written as null",
    16: "an unknown version is written as 3",
    17: "every message is written as version 3",
}


def perl(fault: int) -> Remote:
    """Start the program with one fault; 0 is none."""
    return Remote(("perl", str(PROGRAM), str(fault)), ProcessLimits())
