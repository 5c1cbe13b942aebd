"""Remarks on standard error, the exit statuses, and the exception that ends a sub-command early."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable

from ...escaping import escaped, without_secrets

REFUSED, WRONG_USE, NOT_DONE, CLOSED_PIPE = 1, 2, 3, 141

STATUSES = {
    0: "as asked",
    REFUSED: "a finding, or bytes or values that are refused",
    WRONG_USE: "the command line is wrong, or names a file, program or group that does not exist",
    NOT_DONE: "it exists and could not be read, reached or written, or not all of it: connection, "
    "rights, damage, no space left",
    130: "interrupted (Ctrl-C)",
    143: "terminated (SIGTERM)",
    CLOSED_PIPE: "the reader of the output has closed the pipe; nothing is printed about it",
}
"""What an exit status means in every command. Where two of them apply it is the higher one."""

_WRONG_USE = "wrong use, or a file, program or group that does not exist"
_NOT_DONE = "it could not be done, or not all of it"
OF_COMMANDS: dict[str, dict[int, str]] = {
    "decode": {0: "decoded under the policy, whatever deviates", 1: "bytes were refused"},
    "encode": {0: "written", 1: "the JSON or a value was refused"},
    "diff": {0: "the same bytes", 1: "a difference"},
    "lint": {
        0: "nothing at or above --fail-on",
        1: "a finding, or something could not be judged, or a reader that --readers names would "
        "refuse it, misread it, or not survive it",
    },
    "explain": {0: "printed"},
    "compat": {0: "nothing breaks", 1: "something does"},
    "fuzz": {0: "nothing was found", 1: "a finding"},
    "conform": {
        0: "everything required holds, and everything was asked",
        1: "something required does not hold (with --recommended: or recommended), or an expected "
        "failure holds",
        3: "incomplete: nothing is broken, and not everything was asked; or the program does not "
        "answer as an adapter, and nothing was judged",
    },
    "schemas": {0: "shown", 1: "--search found nothing"},
    "codegen": {0: "written", 1: "a definition breaks a rule, or --check found a difference"},
    "completion": {0: "printed"},
    "group": {
        0: "as asked",
        3: "a broker does not answer or refuses, the list is incomplete, or the group is "
        "rebalancing and --what-if or --plan needs its members",
    },
    "audit": {
        0: "nothing at or above --fail-on",
        1: "a finding",
        3: "the audit could not be done, or not of all: a cluster does not answer, a part of the "
        "source is damaged or skipped",
    },
    "migrate": {
        0: "the broker takes every group, if its clients have the protocol",
        1: "a group is blocked, not known or refused, or there is none",
        3: "the source is damaged, or groups that are rebalancing could not be judged and the "
        "broker takes all others",
    },
    "story": {
        0: "told",
        1: "no line is about a group",
        3: "a source could not be read, or not to its end",
    },
    "page": {0: "written"},
    "simulate": {
        0: "as the scenario expects",
        1: "a check found something else, or the file is refused",
    },
}
"""What the statuses of each command mean. A command whose 1 is left out has none."""

_NO_NAME = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EEXIST})


class Failure(Exception):
    """Raised to end the command: `main` prints the line and exits with the status."""

    def __init__(self, line: str, status: int = REFUSED) -> None:
        super().__init__(" ".join(line.split()))
        self.status = status


def statuses_of(command: str) -> dict[int, str]:
    """Return what the exit statuses of a command mean, from 0 to 3."""
    statuses = {WRONG_USE: _WRONG_USE, NOT_DONE: _NOT_DONE, **OF_COMMANDS[command]}
    return dict(sorted(statuses.items()))


def status_of(error: Exception) -> int:
    """Return the exit status for a file that cannot be opened, read or written: wrong use where the
    name is none of a file, as one with a NUL is (a ValueError)."""
    if isinstance(error, OSError):
        return WRONG_USE if error.errno in _NO_NAME else NOT_DONE
    return WRONG_USE if "null" in str(error) else NOT_DONE


def unreadable(name: str, error: Exception, option: str = "") -> Failure:
    """Return the failure to read a file, which `name` names as it is to be printed."""
    reason = getattr(error, "strerror", None) or error
    where = f"{option}: {name}" if option else name
    hint = broker_hint(name.strip("'")) if isinstance(error, FileNotFoundError) else ""
    return Failure(f"{where} cannot be read: {reason}{hint}", status_of(error))


def broker_hint(place: str) -> str:
    """Return the end of a sentence about a file that is not there: how a broker is written, if the
    name is the address of one; else ""."""
    scheme = re.match(r"kafka:/*", place)
    place = place[scheme.end() :] if scheme is not None else place
    host, _, port = place.rpartition(":")
    is_address = bool(host) and port.isdecimal() and not {"/", "="} & set(place)
    return f"; a broker is kafka://{place}" if is_address else ""


_hiding: list[Callable[[str], str]] = []


def hide_with(hide: Callable[[str], str] | None) -> None:
    """Pass each line that `say` prints through a function, for --redact; None ends that."""
    _hiding[:] = [] if hide is None else [hide]


def say(line: str) -> None:
    """Print a line on standard error, with what would act on a terminal escaped, and without
    credentials."""
    line = _without_secrets(line)
    for hide in _hiding:
        line = hide(line)
    if not line.isprintable():
        line = escaped(line)
    print(f"kproto: {line}", file=sys.stderr, flush=True)


def _without_secrets(line: str) -> str:
    """Return a line with its credentials hidden. A file may be called "passwd" or "token": what is
    said of it is none."""
    hidden = without_secrets(line)
    place, mark, rest = line.partition(": ")
    if hidden == line or not os.path.exists(place.split(",")[0]):  # noqa: PTH110  # pathlib is slow
        return hidden
    return f"{without_secrets(place)}{mark}{without_secrets(rest)}"
