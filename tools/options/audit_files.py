"""Files with options of `kproto audit`: a JSON object each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..output.failures import WRONG_USE, Failure


def json_object(path: str | None, kind: Any = Any, wanted: str = "") -> dict[str, Any]:
    """Return the values of a JSON object in a file by name, each converted to `kind`; nothing
    without a file. `wanted` is an example for error messages.
    """
    if path is None:
        return {}
    try:
        read = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}", WRONG_USE) from None
    except ValueError as error:
        raise Failure(f"{path} is no JSON: {error}", WRONG_USE) from None
    if not isinstance(read, dict):
        raise Failure(f"{path}: one JSON object is wanted", WRONG_USE)
    return {name: _as(kind, said, f"{path}: {name}", wanted) for name, said in read.items()}


def _as(kind: Any, said: Any, where: str, wanted: str) -> Any:
    import msgspec  # late: slow, and not for --help

    try:
        return msgspec.convert(said, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise Failure(f"{where}: {error}; such as {wanted}", WRONG_USE) from None


def teams(path: str | None) -> dict[str, str]:
    """Return the team of each group."""
    return json_object(path, str, '{"group": "team"}')


def topics(path: str | None) -> Any:
    """Return what is known of topics (`TopicFacts`); None without a file."""
    from ...pipeline.groups.options import Partitions, TopicFacts  # late: slow, and not for --help

    if path is None:
        return None
    wanted = '{"orders": 12} or {"orders": {"partitions": 12, "ends": {"0": 9}}}'
    read = json_object(path, Partitions | TopicFacts, wanted)
    made = {
        name: said if isinstance(said, TopicFacts) else TopicFacts(said)
        for name, said in read.items()
    }
    for name, facts in made.items():
        named = (*facts.ends, *facts.ends_before, *facts.starts)
        beyond = [partition for partition in named if not 0 <= partition < facts.partitions]
        if beyond:
            line = f"{path}: {name} has {facts.partitions} partitions, and an end of {beyond[0]}"
            raise Failure(f"{line}; they count from 0", WRONG_USE)
    return made
