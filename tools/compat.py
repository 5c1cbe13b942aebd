"""Run `kproto compat`: compare two definitions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from ..codec.counterexample import Counterexample, find_counterexample
from ..codec.dialect.evolution import RULES, Change, compare
from ..codec.messages import message_class
from ..codec.runtime.message import Message
from ..codec.runtime.registry import built_in_names, spec_of
from ..inspector.shapes import checks as shapes
from .input.messages import load
from .output.failures import REFUSED
from .output.json_output import print_json

BUILT_IN = "built-in"


def run(arguments: Namespace) -> int:
    """Compare every message that both sides have; 1 if a change breaks somebody."""
    old, new = _load(arguments.old), _load(arguments.new)
    if len(old) == len(new) == 1 and old.keys() != new.keys():  # two files, one renamed
        new = dict(zip(old, new.values(), strict=True))
    broken = total = 0
    for name, change, shown in _changes(old, new):
        total += 1
        broken += change.breaks
        if arguments.json:
            print_json(_shape(name, change, shown))
        else:
            print(_as_text(name, change, shown))
    if not arguments.json:
        compared = len(old.keys() & new.keys())
        noun = "change" if total == 1 else "changes"
        print(f"{compared} compared, {total} {noun}, {broken} of them break somebody")
    return REFUSED if broken else 0


def _load(given: str) -> dict[str, type[Message]]:
    if given == BUILT_IN:
        return {name: message_class(name) for name in built_in_names()}
    return load(given, broken=REFUSED)


def _changes(
    old: dict[str, type[Message]], new: dict[str, type[Message]]
) -> Iterator[tuple[str, Change, Counterexample | None]]:
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield name, Change("message-removed", "", None, "only OLD has it"), None
        elif name not in old:
            yield name, Change("message-added", "", None, "only NEW has it"), None
        else:
            for change in compare(spec_of(old[name]), spec_of(new[name])):
                shown = find_counterexample(change, old[name], new[name]) if change.breaks else None
                yield name, change, shown


def _as_text(name: str, change: Change, shown: Counterexample | None) -> str:
    sign = "✗" if change.breaks else "·"
    at = "" if change.version is None else f" in version {change.version}"
    by = "" if change.reader is None else f", for readers of version {change.reader}"
    where = f"{name}.{change.path}" if change.path else name
    lines = [f"{sign} {where}{at}{by}: {change.detail}"]
    lines.append(f"    {change.rule}: {RULES[change.rule].text}")
    if shown is not None:
        lines += _counterexample_lines(change, shown)
    return "\n".join(lines)


def _counterexample_lines(change: Change, shown: Counterexample) -> list[str]:
    other = {"old": "new", "new": "old"}[shown.writer]
    reader = f"the {other} side" if change.reader is None else f"a reader of {change.reader}"
    whole = "" if shown.framed else ", the fields alone"
    lines = [f"    the {shown.writer} side writes{whole}: {shown.data.hex()}"]
    if shown.counterpart is not None:
        lines.append(f"    {reader} would write: {shown.counterpart.hex()}")
    return [*lines, f"    {reader} makes of the former: {shown.outcome}"]


def _shape(name: str, change: Change, shown: Counterexample | None) -> shapes.Change:
    witness = None
    if shown is not None:
        counterpart = None if shown.counterpart is None else shown.counterpart.hex()
        witness = shapes.Witness(
            writer=shown.writer,
            version=shown.version,
            framed=shown.framed,
            hex=shown.data.hex(),
            counterpart=counterpart,
            outcome=shown.outcome,
        )
    return shapes.Change(
        message=name,
        path=change.path,
        code=change.rule,
        breaks=change.breaks,
        version=change.version,
        reader_version=change.reader,
        detail=change.detail,
        explanation=RULES[change.rule].text,
        witness=witness,
    )
