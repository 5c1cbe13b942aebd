"""Check any bytes against the invariants of this project, until one breaks or the time is over.

run        run a campaign on all targets, or on those that are named
client     let the branches of a Python client lead the search: MODULE has decode(name, data)
export     write seeds and dictionaries for fuzzers of other languages: MESSAGE ...
list       list the targets and the invariant of each
replay     check the input of a finding again: its folder, finding.json, or any file with --target
minimise   make the input of a finding smaller; with --corpus DIR remove inputs that add nothing
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from ..options.shared_options import duration, size

ACTIONS = ("run", "client", "export", "list", "replay", "minimise")

EXTRA = "fuzz"
"""What the command needs beyond the base installation."""


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto fuzz`."""
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=" | ".join(ACTIONS))
    parser.add_argument("what", metavar="WHAT", nargs="*", help="see above")
    parser.add_argument(
        "--time", type=duration, metavar="DURATION", help="time of the whole campaign (default 1m)"
    )
    parser.add_argument(
        "--runs", type=int, metavar="N", help="executions of each target, instead of a time"
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="targets at once (default 1; on Spark its cores)"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="seed (default: a random one, printed)"
    )
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="kept inputs (default OUT/corpus)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="everything else (default kproto-fuzz)"
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        help="findings that are known and not counted; one that passes again is told, and counted",
    )
    parser.add_argument(
        "--write-baseline", metavar="FILE", help="write the findings of this campaign as known"
    )
    parser.add_argument("--resume", action="store_true", help="continue the campaign in OUT")
    parser.add_argument(
        "--engine", choices=["atheris", "hypothesis"], help="default: the best that is installed"
    )
    parser.add_argument(
        "--timeout",
        type=duration,
        default=10.0,
        metavar="DURATION",
        help="longest time of one input (default 10s)",
    )
    parser.add_argument(
        "--memory",
        type=size,
        default=2 << 30,
        metavar="SIZE",
        help="memory of one worker (default 2G)",
    )
    parser.add_argument(
        "--spark", metavar="MASTER", nargs="?", const="local[*]", help="run on Spark (local[*])"
    )
    parser.add_argument(
        "--target",
        metavar="NAME",
        help="the target that FILE is an input of; for run one target more",
    )
