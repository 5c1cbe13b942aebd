"""The command of the package: build the testees, or become one of them."""

from __future__ import annotations

import os
import sys

from . import NAMES, TESTEES, Unavailable, command


def _say_all() -> None:
    for name in NAMES:
        try:
            command(name)
            said = "ready"
        except Unavailable as reason:
            said = f"left out: {reason}"
        print(f"{name:18} {TESTEES[name].language:10} {said}", flush=True)  # noqa: T201


def _become(name: str) -> None:
    if name not in NAMES:
        sys.exit(f"there is no testee {name!r}; there are: {', '.join(NAMES)}")
    try:
        program, *arguments = command(name)
    except Unavailable as reason:
        sys.exit(f"{name}: {reason}")
    os.execvp(program, [program, *arguments])  # noqa: S606


if __name__ == "__main__":
    if sys.argv[1:]:
        _become(sys.argv[1])
    else:
        _say_all()
