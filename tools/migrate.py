"""Run `kproto migrate`: judge whether groups can move to the next protocol."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..capture.summary import Summary
from ..rebalance.migration import judge, read_settings
from ..wording import is_named, no_such
from .input.group_sources import Known, read_groups
from .options.shared_options import settings_of, stated_clients
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_csv, print_json, print_json_document
from .output.migration import MigrationView, sarif_of, with_writers
from .output.terminal import screen

if TYPE_CHECKING:
    from ..rebalance.migration import ClassicGroup, Readiness


def run(arguments: Namespace) -> int:
    """Judge every group of the source; return 0 if all can move, 3 if the source is damaged or only
    the groups that are rebalancing could not be judged, else 1."""
    summary = Summary()
    fleet: list[tuple[ClassicGroup, Readiness]] = []
    wrong = withheld = 0
    for group in _groups(arguments, summary):
        readiness = judge(group)
        wrong += readiness.verdict != "ready"
        withheld += readiness.verdict == "unknown" and group.is_withheld
        if arguments.json:
            print_json(_with_writers(readiness).to_shape())
        else:
            fleet.append((group, _with_writers(readiness)))
    if arguments.output == "sarif":
        print_json_document(sarif_of(readiness for _, readiness in fleet))
    elif arguments.output == "csv":
        print_csv(readiness.to_shape() for _, readiness in fleet)
    elif not arguments.json:
        _show(arguments, fleet)
    if summary.read:
        say(str(summary))
    if summary.damaged or (withheld and wrong == withheld and not summary.refused):
        return NOT_DONE
    return REFUSED if wrong or summary.refused else 0


def _groups(arguments: Namespace, summary: Summary) -> Iterator[ClassicGroup]:
    names: set[str] = set()
    has_groups = False
    settings_given = settings_of(arguments)
    settings = read_settings(settings_given)
    facts = Known(settings, settings_given, arguments.topics, arguments.with_members)
    for group in read_groups(arguments.source, facts, summary):
        names.add(group.group_id)
        if is_named(group.group_id, arguments.group or ()):
            has_groups = True
            yield group
    if not has_groups:
        if arguments.group is None:
            raise Failure("there is no classic group in the source", REFUSED)
        raise Failure(no_such("classic group", arguments.group, names), WRONG_USE)


def _with_writers(readiness: Readiness) -> Readiness:
    """Return the readiness with the clients that could have written the bytes of its reasons."""
    if not (readiness.reasons or readiness.later):
        return readiness

    return with_writers(readiness)


def _show(arguments: Namespace, fleet: list[tuple[ClassicGroup, Readiness]]) -> None:
    in_full = bool(arguments.group is not None or arguments.html)
    view = MigrationView(fleet, in_full=in_full, clients=stated_clients(arguments))
    with screen(arguments) as console:
        console.print(view)
