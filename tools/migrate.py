"""Tell which consumer groups can move to the next protocol (KIP-848), what stops the others, and
how to go about it.

SOURCE is what `kproto group --save` kept of a cluster, the offsets topic (log segments or a folder
of them), a packet capture, frames in JSON lines, the hex of a member's subscription or assignment,
or JSON lines with a group each: {"group", "protocolType", "state", "selected", "members":
[{"memberId", "instanceId", "protocols": [{"name", "hex"}], "assignmentHex"}], "topics":
{"orders": 12}, "settings": {"group.consumer.migration.policy": "bidirectional"}}. What is not known
is left out; settings that are left out have the defaults of a 4.3 broker.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..capture.summary import Summary
from .options.broker_settings import add_settings, pair, settings_of
from .output.failures import REFUSED, Failure, say
from .output.json_output import print_json, print_json_document
from .output.terminal import add_view

if TYPE_CHECKING:
    from ..rebalance.migration import ClassicGroup, Judgement


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto migrate`."""
    parser.epilog = (
        "exit status: 0 every group can move; 1 a group is blocked or not known, or was refused; "
        "2 wrong use"
    )
    parser.add_argument(
        "source", metavar="SOURCE", nargs="?", help="files, folders, hex, or - for a pipe"
    )
    parser.add_argument("--group", metavar="ID", help="only this group, with its plan")
    parser.add_argument(
        "--with-members",
        action="store_true",
        help="judge each group of a capture as it was when it last had members; an empty group "
        "can always move",
    )
    add_settings(parser, "where SOURCE does not have it")
    parser.add_argument(
        "--topics",
        metavar="TOPIC=N,...",
        type=_topics,
        help="the topics that the broker has and their partitions, where SOURCE does not",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one JSON object a group")
    how.add_argument("--sarif", action="store_true", help="one SARIF 2.1.0 log")
    how.add_argument("--html", metavar="FILE", help="write a page for people instead")
    how.add_argument("--svg", metavar="FILE", help="write a picture instead")
    add_view(parser)


def run(arguments: Namespace) -> int:
    """Judge every group of the source; return 1 unless all can move."""
    from ..rebalance.migration import judge  # late: not for --help

    summary = Summary()
    fleet: list[tuple[ClassicGroup, Judgement]] = []
    wrong = 0
    for group in _groups(arguments, summary):
        judgement = judge(group)
        wrong += judgement.verdict != "ready"
        if arguments.json:
            print_json(_with_writers(judgement).to_shape())
        else:
            fleet.append((group, _with_writers(judgement)))
    if arguments.sarif:
        from .output.migration_sarif import sarif_of

        print_json_document(sarif_of(judgement for _, judgement in fleet))
    elif not arguments.json:
        _show(arguments, fleet)
    if summary.read:
        say(str(summary))
    return REFUSED if wrong or summary.damaged else 0


def _topics(given: str) -> dict[str, int]:
    topics = {}
    for part in given.split(","):
        name, value = pair(part)
        if not value.isdecimal():
            raise ArgumentTypeError(f"{part!r} is not TOPIC=NUMBER")
        topics[name] = int(value)
    return topics


def _groups(arguments: Namespace, summary: Summary) -> Iterator[ClassicGroup]:
    from ..rebalance.migration import read_settings
    from .input.group_sources import Known, read_groups

    found = False
    told = settings_of(arguments)
    settings = read_settings(told)
    known = Known(settings, told, arguments.topics, arguments.with_members)
    for group in read_groups(arguments.source, known, summary):
        if arguments.group in {None, group.group_id}:
            found = True
            yield group
    if not found:
        what = "no classic group" + ("" if arguments.group is None else f" {arguments.group!r}")
        raise Failure(f"there is {what} in the source", REFUSED)


def _with_writers(judgement: Judgement) -> Judgement:
    """Return the judgement with the clients that could have written the bytes of its reasons."""
    if not (judgement.reasons or judgement.later):
        return judgement
    from .output.migration_writers import with_writers

    return with_writers(judgement)


def _show(arguments: Namespace, fleet: list[tuple[ClassicGroup, Judgement]]) -> None:
    from .output.migration_view import MigrationView
    from .output.terminal import screen

    with screen(arguments) as console:
        console.print(MigrationView(fleet, in_full=arguments.group is not None or arguments.html))
