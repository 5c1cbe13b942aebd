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
from ..wording import counted
from .input.message_types import load
from .output.failures import REFUSED
from .output.json_output import print_json
from .output.terminal import through_pager

BUILT_IN = "built-in"


def run(arguments: Namespace) -> int:
    """Compare every message that both sides have; 1 if a change breaks somebody."""
    old, new = _load(arguments.old), _load(arguments.new)
    if len(old) == len(new) == 1 and old.keys() != new.keys():  # two files, one renamed
        new = dict(zip(old, new.values(), strict=True))
    others = _leave_out_others(arguments, old, new)
    changes = list(_changes(old, new))
    broken = sum(change.breaks for _, change, _ in changes)
    if arguments.json:
        for name, change, example in changes:
            print_json(_shape(name, change, example))
    else:
        with through_pager(arguments.pager):
            for name, change, example in changes:
                print(_as_text(name, change, example))
            compared = len(old.keys() & new.keys())
            total = counted(len(changes), "change")
            if others:
                print(f"· {counted(others, 'other message')} of kproto: not compared")
            print(f"{compared} compared, {total}, {broken} of them break somebody")
    return REFUSED if broken else 0


def _leave_out_others(
    arguments: Namespace, old: dict[str, type[Message]], new: dict[str, type[Message]]
) -> int:
    """Where one side is what is built in, remove from it what the other side does not have, and
    return how many messages those are: nobody has removed or added them.
    """
    if arguments.old == arguments.new:
        return 0
    side, rest = {arguments.old: (old, new), arguments.new: (new, old)}.get(BUILT_IN, ({}, {}))
    names = side.keys() - rest.keys()
    for name in names:
        del side[name]
    return len(names)


def _load(path: str) -> dict[str, type[Message]]:
    if path == BUILT_IN:
        return {name: message_class(name) for name in built_in_names()}
    return load(path, broken=REFUSED)


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
                example = (
                    find_counterexample(change, old[name], new[name]) if change.breaks else None
                )
                yield name, change, example


def _as_text(name: str, change: Change, example: Counterexample | None) -> str:
    sign = "✗" if change.breaks else "·"
    at = "" if change.version is None else f" in version {change.version}"
    by = "" if change.reader is None else f", for readers of version {change.reader}"
    where = f"{name}.{change.path}" if change.path else name
    lines = [f"{sign} {where}{at}{by}: {change.detail}"]
    lines.append(f"    {change.rule}: {RULES[change.rule].text}")
    if example is not None:
        lines += _counterexample_lines(change, example)
    return "\n".join(lines)


def _counterexample_lines(change: Change, example: Counterexample) -> list[str]:
    opposite = {"old": "new", "new": "old"}[example.writer]
    reader = f"the {opposite} side" if change.reader is None else f"a reader of {change.reader}"
    remark = "" if example.framed else ", the fields alone"
    lines = [f"    the {example.writer} side writes{remark}: {example.data.hex()}"]
    if example.counterpart is not None:
        lines.append(f"    {reader} would write: {example.counterpart.hex()}")
    return [*lines, f"    {reader} makes of the former: {example.outcome}"]


def _shape(name: str, change: Change, example: Counterexample | None) -> shapes.Change:
    witness = None
    if example is not None:
        counterpart = None if example.counterpart is None else example.counterpart.hex()
        witness = shapes.Witness(
            writer=example.writer,
            version=example.version,
            framed=example.framed,
            hex=example.data.hex(),
            counterpart=counterpart,
            outcome=example.outcome,
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
