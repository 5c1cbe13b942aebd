"""Audit all consumer groups: which are in trouble, since when, why, and what to do first.

SOURCE is a folder with the log segments of the offsets topic (a broker's, or copies of several
brokers'), a file or folder of its records as parquet, JSON lines or CSV (columns key and value), a
packet capture, a URI of any of these (s3, gs, abfs, hdfs), or a live broker (kafka://host:9092). It
is never written to: no group is joined, nothing is committed. DIR gets the tables as parquet,
findings.json, findings.sarif, metrics.txt and report.html; a group's rank is by its score: for each
finding 1 (info), 10 (warning), 100 (error) or 1000 (critical), a quarter of it once it is over.
`kproto explain RULE` says what a rule means.
"""

from __future__ import annotations

import signal
import sys
import threading
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from . import audit_diff, audit_follow
from .options import audit_files, audit_places
from .output.failures import REFUSED, WRONG_USE, Failure, say

if TYPE_CHECKING:
    from ..pipeline.run import Options
    from ..pipeline.run.audit import Audit, Runner

N = TypeVar("N", int, float)

SEVERITIES = ("info", "warning", "error", "critical")
_FROM = 64 << 20  # bytes; below, starting processes takes longer than the work
_TERMINATED = 143  # 128 + SIGTERM
_NOT_DONE = WRONG_USE
_STATUSES = {REFUSED: _NOT_DONE}
"""What a failure's status becomes: 1 is that of a finding."""
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto audit`."""
    parser.epilog = (
        "exit status: 0 nothing at or above --fail-on; 1 a finding; 2 wrong use, or the audit "
        "could not be done"
    )
    parser.add_argument("source", metavar="SOURCE", help="a folder, file, URI or kafka://host")
    parser.add_argument("--out", metavar="DIR", required=True, help="where everything goes")
    parser.add_argument(
        "--replace", action="store_true", help="replace the audit that is in DIR already"
    )
    parser.add_argument(
        "--fail-on", choices=(*SEVERITIES, "never"), default="error", help="default: error"
    )
    parser.add_argument(
        "--group",
        metavar="NAME",
        action="append",
        default=[],
        help="only these groups; * and ? match; may be given again",
    )
    parser.add_argument(
        "--since", metavar="TIME", type=_since, help="only findings seen since: 2h, 7d, 2026-01-31"
    )
    parser.add_argument(
        "--topics", metavar="FILE", help='what topics have, as JSON: {"orders": 12}, or with ends'
    )
    parser.add_argument("--teams", metavar="FILE", help='whose a group is, as JSON: {"g": "team"}')
    parser.add_argument("--diff", metavar="DIR", help="say what is new since the audit in DIR")
    parser.add_argument("--cluster-id", metavar="ID", help="default: what meta.properties says")
    parser.add_argument("--json", action="store_true", help="print findings.json, not the summary")
    parser.add_argument(
        "--encoding",
        choices=("binary", "hex", "base64"),
        help="of key and value that are text in a table; default: as each file shows",
    )
    parser.add_argument(
        "--client", metavar="FILE", help="settings of librdkafka for a broker, as JSON"
    )
    parser.add_argument(
        "--watch",
        metavar="SECONDS",
        type=_at_least(0.0),
        default=0,
        help="look so long at the groups that a broker says are rebalancing; default: once",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_at_least(1),
        help="processes; default: 1, for much input one a core",
    )
    parser.add_argument(
        "--spark", metavar="MASTER", nargs="?", const="local[*]", help="run on Spark (local[*])"
    )
    audit_follow.configure(parser)


def run(arguments: Namespace) -> int:
    """Audit the source, publish the result, and print a summary of the worst groups."""
    try:
        import pyarrow  # noqa: F401  # only whether it is there
    except ImportError:
        from ..extras import install_command

        line = f"the audit needs more than the base: {install_command('spark')}"
        raise Failure(line, WRONG_USE) from None
    from concurrent.futures import BrokenExecutor  # late: slow, and not for --help

    from ..codec import KprotoError  # late: slow, and not for --help

    # Whatever goes wrong, the status is not that of a finding.
    try:
        return _run(arguments)
    except (KprotoError, FileNotFoundError) as error:
        raise Failure(str(error), _NOT_DONE) from None
    except BrokenExecutor:
        line = "a process of the audit was killed (out of memory?); nothing is published"
        raise Failure(line, _NOT_DONE) from None
    except Failure as failure:
        raise Failure(str(failure), _STATUSES.get(failure.status, failure.status)) from None
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        raise Failure(f"the audit cannot go on: {error}", _NOT_DONE) from None
    except MemoryError:
        line = "out of memory; --jobs 1, or fewer groups (--group), take less"
        raise Failure(line, _NOT_DONE) from None
    except Exception as error:
        line = f"the audit failed by a fault of kproto: {type(error).__name__}: {error}"
        raise Failure(line, _NOT_DONE) from error


def _run(arguments: Namespace) -> int:
    audit_places.check_given(arguments.source, arguments.out)
    if arguments.follow:
        audit_follow.check(arguments)
        _, options = _source(arguments)
        client = audit_files.json_object(arguments.client)
        teams = audit_files.teams(arguments.teams)
        return audit_follow.follow(arguments, options, client, teams)
    with _terminable():
        return _audit(arguments)


def _audit(arguments: Namespace) -> int:
    from ..pipeline.report.exports import as_json  # late: slow, and not for --help
    from ..pipeline.report.report_files import texts_of  # late: slow, and not for --help
    from ..pipeline.run import run_audit  # late: slow, and not for --help
    from ..pipeline.tables.publishing import Destination, NotEmpty  # late: slow, and not for --help

    teams = audit_files.teams(arguments.teams)
    units, options = _source(arguments)
    before = None if arguments.diff is None else audit_diff.findings_of(arguments.diff)
    audit_places.check_apart(arguments.source, arguments.out)
    try:
        destination = Destination.new(arguments.out, replace=arguments.replace)
    except NotEmpty as error:
        raise Failure(str(error), WRONG_USE) from None
    audit = run_audit(
        units,
        destination,
        options,
        _runner(arguments, units),
        lambda whole, tables: texts_of(_recent(whole, arguments.since), tables, teams),
    )
    if options.groups and not audit.current.num_rows:
        say(f"no group is named {' or '.join(options.groups)}")
    whole, audit = audit, _recent(audit, arguments.since)
    if arguments.json:
        print(as_json(audit, teams), end="")
    else:
        _print(audit, teams)
    if before is not None:
        audit_diff.say_difference(before, whole, options)
    return _status(audit, arguments.fail_on)


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM clean up as Ctrl-C does, and end the processes too, which a terminal would do. A
    second one ends the program at once.
    """
    asked = []

    def end(number: int, _: Any) -> None:
        from multiprocessing import active_children  # late: slow, and not for --help

        asked.append(number)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for child in active_children():
            child.terminate()
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # which alone has handlers
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        if not asked:
            raise
        raise Failure("terminated", _TERMINATED) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _source(arguments: Namespace) -> tuple[Any, Options]:
    """Return the units, and the options with all that is known of the source."""
    from ..pipeline.run import Options  # late: slow, and not for --help
    from ..pipeline.run.units import units_of  # late: slow, and not for --help
    from ..pipeline.sources.places import cluster_of  # late: slow, and not for --help

    groups, topics = tuple(arguments.group), audit_files.topics(arguments.topics)
    if not arguments.source.startswith("kafka://"):
        cluster = arguments.cluster_id or cluster_of(arguments.source) or "unknown"
        units = units_of(arguments.source, arguments.encoding)
        _say_how_read(units)
        return units, Options(cluster_id=cluster, groups=groups, topics=topics)
    from ..pipeline.run.broker_snapshot import snapshot  # late: slow, and not for --help
    from ..pipeline.sources.broker import broker_units, settings_of  # late: slow

    client = settings_of(arguments.source, audit_files.json_object(arguments.client))
    seen = snapshot(client, arguments.watch)
    return broker_units(client), Options(
        cluster_id=arguments.cluster_id or seen.cluster_id,
        groups=groups,
        topics=topics if topics is not None else seen.topics,
        states=seen.states,
        withheld=seen.withheld,
        now=seen.now,
    )


def _say_how_read(units: Any) -> None:
    from ..pipeline.sources.interface import accounts, encodings  # late: slow, and not for --help

    for account in accounts(units):
        say(account)
    for encoding, paths in encodings(units).items():
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        say(f"key and value are {encoding} in {paths[0]}{more}")


def _runner(arguments: Namespace, units: Any) -> Runner:
    """Return the runner that was asked for: on Spark, in processes, or in this process. It shows
    progress where somebody looks at a terminal.
    """
    from ..pipeline.run.audit import in_process  # late: slow, and not for --help

    runner: Runner = in_process
    jobs = arguments.jobs
    if jobs is None:
        jobs = 0 if sum(unit.size for unit in units) >= _FROM else 1
    if arguments.spark is not None:
        from ..pipeline.run.on_spark import on_spark  # late: slow, and not for --help

        # A task that is tried again is no news; one that fails for good is told in a line.
        runner = on_spark(arguments.spark, {"spark.log.level": "OFF"})
    elif jobs != 1 and len(units) > 1:
        from ..pipeline.run.in_processes import in_processes  # late: slow, and not for --help

        runner = in_processes(jobs)
    return _told(runner) if sys.stderr.isatty() else runner


def _told(runner: Runner) -> Runner:
    """Return the same runner, with a progress bar on the terminal while it runs."""

    def run_and_tell(units: Any, destination: Any, options: Any) -> Any:
        from rich.console import Console  # late: slow, and not for --help
        from rich.progress import track  # late: slow, and not for --help

        results = runner(units, destination, options)
        yield from track(
            results,
            "partitions",
            total=len(units),
            console=Console(stderr=True),
            transient=True,
        )

    return run_and_tell


def _print(audit: Audit, teams: Mapping[str, str]) -> None:
    from rich.console import Console  # late: slow, and not for --help

    from ..pipeline.report.terminal import Summary  # late: slow, and not for --help

    wide = None if sys.stdout.isatty() else 120
    Console(width=wide, highlight=False, markup=False, emoji=False).print(Summary(audit, teams))


def _status(audit: Audit, fail_on: str) -> int:
    if fail_on == "never":
        return 0
    loud = SEVERITIES[SEVERITIES.index(fail_on) :]
    found = audit.findings.column("severity").to_pylist()
    return REFUSED if any(severity in loud for severity in found) else 0


def _recent(audit: Audit, since: datetime | None) -> Audit:
    """Return the audit without older findings, which then count neither for scores nor for the
    order of groups.
    """
    if since is None:
        return audit
    import pyarrow as pa  # late: slow, and not for --help
    import pyarrow.compute as pc  # late: slow, and not for --help

    from ..pipeline.run.ranking import ranked  # late: slow, and not for --help

    seen = audit.findings.column("last_seen")
    kept = pc.greater_equal(seen, pa.scalar(since, seen.type))
    findings, current = ranked(audit.findings.filter(kept), audit.current)
    return audit._replace(findings=findings, current=current)


def _at_least(least: N) -> Callable[[str], N]:
    """Return a converter of arguments that refuses numbers below `least`; it has the type of
    `least`.
    """

    def read(text: str) -> N:
        try:
            found = type(least)(text)
        except ValueError:
            found = None
        if found is None or not least <= found < float("inf"):
            raise ArgumentTypeError(f"{text!r} is no number from {least:g} on")
        return found

    return read


def _since(text: str) -> datetime:
    unit = _UNITS.get(text[-1:])
    try:
        if unit is not None and text[:-1].isdecimal():
            return datetime.now(UTC) - timedelta(**{unit: int(text[:-1])})
        when = datetime.fromisoformat(text)
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArgumentTypeError(f"{text!r} is no time: 90m, 2h, 7d or 2026-01-31T12:00") from None
