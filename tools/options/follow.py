"""Options of `kproto audit --follow`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from ...extras import install_command
from ..output.failures import WRONG_USE, Failure

SCHEME = "kafka://"
_LOSSES = ("fail", "earliest", "latest")
_NOT_WITH = ("diff", "since", "jobs", "watch", "replace")


def add_follow(parser: ArgumentParser) -> None:
    """Add the arguments of `--follow`."""
    group = parser.add_argument_group("following a broker")
    group.add_argument(
        "--follow",
        action="store_true",
        help="keep auditing until Ctrl-C, and go on from DIR when started again; a change is a "
        "line, with --json an object",
    )
    group.add_argument(
        "--every", metavar="SECONDS", type=_positive, default=1.0, help="between batches; default 1"
    )
    group.add_argument(
        "--max-records",
        metavar="N",
        type=int,
        default=200_000,
        help="of one batch, at most; default 200000",
    )
    group.add_argument(
        "--on-lost",
        choices=_LOSSES,
        default="fail",
        help="if the next offset is gone: fail (default), or resume at the earliest / latest",
    )
    group.add_argument(
        "--judge-every",
        metavar="SECONDS",
        type=_positive,
        default=60.0,
        help="how often to check for missing activity (default 60)",
    )
    group.add_argument(
        "--forget-after",
        metavar="DAYS",
        type=_positive,
        default=7.0,
        help="keep nothing of a group without members that is silent for so long; default 7",
    )


def check_follow(arguments: Namespace) -> None:
    """Refuse arguments that do not go with `--follow`."""
    if len(arguments.sources) > 1:
        raise Failure("one broker is followed at a time: start one for each cluster", WRONG_USE)
    if not arguments.sources[0].startswith(SCHEME):
        line = f"only a broker can be followed: {SCHEME}host:9092; a folder is audited as it is"
        raise Failure(line, WRONG_USE)
    for name in _NOT_WITH:
        if getattr(arguments, name):
            raise Failure(f"--{name} makes no sense with --follow", WRONG_USE)
    if arguments.max_records < 1:
        raise Failure("--max-records: at least 1", WRONG_USE)
    try:
        from ...pipeline.spark.session import require_data_sources  # late: slow

        require_data_sources("--follow")
    except ImportError:
        line = f"--follow runs on Spark: {install_command('spark')}"
        raise Failure(line, WRONG_USE) from None


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < 1e9:
        raise ArgumentTypeError(f"{text!r} is no number above 0")
    return number
