"""Audit all consumer groups: which are in trouble, since when, why, and what to do first.

SOURCE is a folder with the log segments of the offsets topic (a broker's, or copies of several
brokers'), a file or folder of its records as parquet, JSON lines or CSV (columns key and value), a
packet capture, a URI of any of these (s3, gs, abfs, hdfs; with --spark all that Spark reads), or a
live broker (kafka://host:9092). It is never written to: no group is joined, nothing is committed.
DIR gets the tables as parquet, findings.json, findings.sarif, metrics.txt and report.html. A
group's rank is by its score: for each finding 1 (info), 10 (warning), 100 (error) or 1000
(critical), a quarter of it once it is over.
`kproto explain RULE` says what a rule means.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from . import audit_diff, audit_follow
from .options import audit_files, audit_places, broker_settings
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .spark import command_session

if TYPE_CHECKING:
    from ..pipeline.run import Options
    from ..pipeline.run.audit import Audit, Runner
    from ..pipeline.sources.broker import ClientSettings

N = TypeVar("N", int, float)

SEVERITIES = ("info", "warning", "error", "critical")
_MUCH = 2 << 30  # bytes: what one core takes a minute or two to read (make bench)
_TERMINATED = 143  # 128 + SIGTERM
_TOGETHER = 1.0  # seconds; signals that come in that time are one
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
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a folder, file, URI or kafka://host; of several clusters CLUSTER=SOURCE each",
    )
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
        "--topics",
        metavar="FILE",
        action="append",
        default=[],
        help='what topics have, as JSON: {"orders": 12}, or with ends; of one cluster CLUSTER=FILE',
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
        "--command-config", metavar="FILE",
        help="properties of the Java client or of librdkafka, for a broker: TLS, SASL",
    )  # fmt: skip
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
        help="cores; more than one are Spark's, on this machine; default: 1, for much input all",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_at_least(0.1),
        default=60.0,
        help="how long a broker or an object store may take to answer; default: 60",
    )
    parser.add_argument(
        "--spark", metavar="MASTER", nargs="?", const="local[*]", help="run on Spark (local[*])"
    )
    audit_follow.configure(parser)


def run(arguments: Namespace) -> int:
    """Audit the source, publish the result, and print a summary of the worst groups."""
    try:
        # Arrow reads this when it is loaded; its own allocator keeps what a partition has needed.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
        import pyarrow  # noqa: F401  # only whether it is there
    except ImportError:
        from ..extras import install_command

        line = f"the audit needs more than the base: {install_command('audit')}"
        raise Failure(line, WRONG_USE) from None
    from ..codec import KprotoError  # late: slow, and not for --help

    # Whatever goes wrong, the status is not that of a finding.
    try:
        return _run(arguments)
    except (KprotoError, FileNotFoundError) as error:
        raise Failure(str(error), _NOT_DONE) from None
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
    for source in arguments.sources:
        audit_places.check_given(audit_places.named(source)[1], arguments.out)
    if arguments.follow:
        audit_follow.check(arguments)
        arguments.source = arguments.sources[0]
        _, options = _source(arguments, arguments.source, None)
        teams = audit_files.teams(arguments.teams)
        return audit_follow.follow(arguments, options, arguments.client, teams)
    with _terminable():
        return _audit(arguments)


def _audit(arguments: Namespace) -> int:
    from ..pipeline.report.exports import as_json  # late: slow, and not for --help
    from ..pipeline.report.report_files import texts_of  # late: slow, and not for --help
    from ..pipeline.run import run_audit  # late: slow, and not for --help
    from ..pipeline.sources.places import check_answers  # late: slow, and not for --help
    from ..pipeline.tables.publishing import Destination, NotEmpty  # late: slow, and not for --help

    teams = audit_files.teams(arguments.teams)
    sources = [audit_places.named(text)[1] for text in arguments.sources]
    by_spark = {each for each in sources if audit_places.session_for(arguments.spark, each)}
    for place in (*sources, arguments.out):
        if "://" in place and not place.startswith("kafka://") and place not in by_spark:
            check_answers(place, arguments.timeout)
    units, options = _sources(arguments)
    before = None if arguments.diff is None else audit_diff.findings_of(arguments.diff)
    for source in sources:
        audit_places.check_apart(source, arguments.out, by_spark=source in by_spark)
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
    """Let SIGTERM clean up as Ctrl-C does. Another one that comes later ends the program at once;
    `timeout` sends two for one, to the program and to its group.
    """
    asked: list[float] = []

    def end(number: int, _: Any) -> None:
        asked.append(time.monotonic())
        if len(asked) == 1:
            raise KeyboardInterrupt
        if asked[-1] - asked[0] > _TOGETHER:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

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


def _sources(arguments: Namespace) -> tuple[Any, Options]:
    """Return the units of all sources, and the options with all that is known of each cluster."""
    found = [
        place
        for source in arguments.sources
        for place in _clusters(arguments, *audit_places.named(source))
    ]
    _check_topics(arguments, {options.cluster_id for _, options in found})
    if len(found) == 1:
        return found[0]
    from ..pipeline.run import Options  # late: slow, and not for --help
    from ..pipeline.sources.units import of_cluster  # late: slow, and not for --help

    ids = [options.cluster_id for _, options in found]
    twice = sorted({cluster for cluster in ids if ids.count(cluster) > 1})
    if twice or arguments.cluster_id:
        which = f"{twice[0]!r} is there twice" if twice else "--cluster-id is of one source"
        raise Failure(f"{which}: name each cluster, as in prod=/data dr=/copy", WRONG_USE)
    units = [unit for those, options in found for unit in of_cluster(those, options.cluster_id)]
    units.sort(key=lambda unit: -unit.size)
    clusters = tuple(options for _, options in found)
    return units, Options(groups=tuple(arguments.group), clusters=clusters)


def _clusters(
    arguments: Namespace, cluster: str | None, source: str
) -> Iterator[tuple[Any, Options]]:
    """Yield the source, or of a folder with segments of several clusters each of them."""
    from ..pipeline.run.units import clusters_of  # late: slow, and not for --help

    several: Mapping[str, Any] = {}
    spark = audit_places.session_for(arguments.spark, source)
    if not (cluster or arguments.cluster_id or spark or source.startswith("kafka://")):
        several = clusters_of(source)
    if not several:
        yield _source(arguments, source, cluster)
    from ..pipeline.run import Options  # late: slow, and not for --help

    for name, units in several.items():
        topics = audit_files.topics(_topics_file(arguments, name))
        yield units, Options(cluster_id=name, groups=tuple(arguments.group), topics=topics)


def _topics_file(arguments: Namespace, cluster: str) -> str | None:
    """Return the file of topics for a cluster: its own, else the one for all."""
    files = [audit_places.named(text) for text in arguments.topics]
    return next((path for name, path in reversed(files) if name in {cluster, None}), None)


def _check_topics(arguments: Namespace, clusters: set[str]) -> None:
    for text in arguments.topics:
        name, _ = audit_places.named(text)
        if name is not None and name not in clusters:
            there = ", ".join(sorted(clusters))
            raise Failure(f"--topics {text}: no cluster is called {name}, but {there}", WRONG_USE)


def _source(arguments: Namespace, source: str, cluster: str | None) -> tuple[Any, Options]:
    """Return the units, and the options with all that is known of the source."""
    from ..pipeline.run import Options  # late: slow, and not for --help
    from ..pipeline.sources.places import cluster_of  # late: slow, and not for --help

    groups = tuple(arguments.group)
    if not source.startswith("kafka://"):
        cluster = cluster or arguments.cluster_id or cluster_of(source) or "unknown"
        units = _units(arguments, source)
        _say_how_read(units)
        topics = audit_files.topics(_topics_file(arguments, cluster))
        return units, Options(cluster_id=cluster, groups=groups, topics=topics)
    from ..pipeline.run.broker_snapshot import snapshot  # late: slow, and not for --help
    from ..pipeline.sources.broker import broker_units  # late: slow

    client = arguments.client = _client(arguments, source)
    seen = snapshot(client, arguments.watch)
    cluster = cluster or arguments.cluster_id or seen.cluster_id
    topics = audit_files.topics(_topics_file(arguments, cluster))
    return broker_units(client), Options(
        cluster_id=cluster,
        groups=groups,
        topics=topics if topics is not None else seen.topics,
        states=seen.states,
        withheld=seen.withheld,
        now=seen.now,
    )


def _client(arguments: Namespace, source: str) -> ClientSettings:
    """Return the settings of the client for a broker."""
    from ..pipeline.sources.broker import client_settings  # late: slow, and not for --help

    servers = source.removeprefix(audit_follow.SCHEME)
    settings = broker_settings.client_settings(servers, arguments.command_config)
    return client_settings(settings, arguments.timeout)


def _units(arguments: Namespace, source: str) -> Any:
    from ..pipeline.run.hadoop import hadoop_units  # late: slow, and not for --help
    from ..pipeline.run.units import units_of  # late: slow, and not for --help

    spark = audit_places.session_for(arguments.spark, source)
    if spark is not None:
        return hadoop_units(spark, source, arguments.timeout)
    return units_of(source, arguments.encoding)


def _say_how_read(units: Any) -> None:
    from ..pipeline.sources.units import accounts, encodings  # late: slow, and not for --help

    for account in accounts(units):
        say(account)
    for encoding, paths in encodings(units).items():
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        say(f"key and value are {encoding} in {paths[0]}{more}")


def _runner(arguments: Namespace, units: Any) -> Runner:
    """Return the runner that was asked for: on Spark, or in this process. It shows progress where
    somebody looks at a terminal.
    """
    if arguments.spark is not None:
        runner = _on_spark(arguments.spark)
    else:
        runner = _here(arguments.jobs, units)
    return _told(runner) if sys.stderr.isatty() else runner


def _on_spark(master: str) -> Runner:
    from ..pipeline.run.on_spark import on_spark  # late: slow, and not for --help

    command_session(master)
    return on_spark(master)


def _here(jobs: int | None, units: Any) -> Runner:
    """Return a runner on this machine: in this process, and for much input Spark on all cores."""
    from ..codec import KprotoError  # late: slow, and not for --help
    from ..pipeline.run.in_process import in_process  # late: slow, and not for --help

    cores = str(jobs or "*")
    if cores == "*" and sum(unit.size for unit in units) < _MUCH:
        cores = "1"
    if cores == "1":
        return in_process
    try:
        return _on_spark(f"local[{cores}]")
    except (KprotoError, ImportError) as error:
        say(f"on one core, since more are Spark's: {error}")
        return in_process


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

    from ..pipeline.groups.ranking import ranked  # late: slow, and not for --help

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
