"""Hide file names and addresses in what is said on standard error, for --redact."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from ...cluster.config.settings import SCHEME
from ...escaping import escaped

_ADDRESS = re.compile(
    r"\[[0-9a-fA-F:]*:[0-9a-fA-F:.]+\](?::\d+)?"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.])"
    r"|(?<![\w:.])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:.])"
)
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_PLACE = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*)(:\d+)\b")
_MOST_FOLDERS = 1000  # of a folder, whose names are searched for
_SHORTEST = 3  # characters of a name that is searched for in all texts
_WELL_KNOWN = frozenset({"-", ".", "..", "/", "tmp", "home", "var", "logs", "data"})


def hiding(arguments: Namespace) -> Callable[[str], str]:
    """Return a function that puts placeholders for the names of the inputs and for addresses."""
    placeholders: dict[str, str] = {}
    written = getattr(arguments, "out", None)
    for number, path in enumerate(_paths(arguments), start=1):
        for name in _names(path, has_names_inside=path != written):
            placeholders.setdefault(name, f"<source-{number}>")
    longest_first = sorted(placeholders, key=len, reverse=True)
    names = re.compile("|".join(map(_pattern, longest_first))) if longest_first else None
    is_of_cluster = bool({"bootstrap_server", "sources", "with_members"} & vars(arguments).keys())
    hosts: dict[str, str] = {}

    def host(match: re.Match[str]) -> str:
        return hosts.setdefault(match[0], f"<host-{len(hosts) + 1}>")

    def hide(line: str) -> str:
        if names is not None:
            line = names.sub(lambda match: placeholders[match[0]], line)
        if is_of_cluster:  # its groups, topics and hosts
            line = _PLACE.sub(r"<hidden>\2", QUOTED.sub("<hidden>", line))
        return _ADDRESS.sub(host, line)

    return hide


def _pattern(name: str) -> str:
    """Return the expression of a name; one of few characters is searched for as a word alone."""
    pattern = re.escape(name)
    return pattern if len(name) > _SHORTEST else rf"(?<!\w){pattern}(?!\w)"


def _paths(arguments: Namespace) -> list[str]:
    """Return the arguments that name files, folders or brokers: behind a CLUSTER= or @ too. The key
    of the stand-ins is no input: a name such as `key` would hide words of sentences."""
    words = [
        word
        for option, value in vars(arguments).items()
        if option != "redact_key"
        for word in (value if isinstance(value, list | tuple) else [value])
        if isinstance(word, str)
    ]
    parts = [part for word in words for part in (word, *word.split("=", 1)[1:])]
    paths = [part.lstrip("@").removeprefix(SCHEME) for part in parts]
    return [path for path in dict.fromkeys(paths) if os.sep in path or os.path.exists(path)]  # noqa: PTH110


def _names(path: str, *, has_names_inside: bool) -> Iterator[str]:
    """The spellings of a path in messages, and the names of its folders and of files in it, where
    it is not kproto that gave them."""
    if path == "-":
        return
    yield path
    yield from {repr(path), repr(path)[1:-1], escaped(path), os.path.abspath(path)}  # noqa: PTH100
    parts = [part for part in Path(path).parts if part != os.sep]
    if has_names_inside and os.path.isdir(path):  # noqa: PTH112
        for _, folders, files in islice(os.walk(path), _MOST_FOLDERS):
            parts += folders + files
    yield from (
        part for part in parts if len(part) >= _SHORTEST and part.lower() not in _WELL_KNOWN
    )
