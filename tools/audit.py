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

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import audit_follow
from .failures import REFUSED, WRONG_USE, Failure, say

if TYPE_CHECKING:
    from ..pipeline.driver import Options
    from ..pipeline.driver.run import Audit, Runner

SEVERITIES = ("info", "warning", "error", "critical")
_FROM = 64 << 20  # bytes; below, starting processes takes longer than the work
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def configure(parser: ArgumentParser) -> None:
    """The arguments of `kproto audit`."""
    parser.epilog = "exit status: 0 nothing at or above --fail-on; 1 a finding; 2 wrong use"
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
        type=float,
        default=0,
        help="look so long at the groups that a broker says are rebalancing; default: once",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=int, help="processes; default: 1, for much input one a core"
    )
    parser.add_argument(
        "--spark", metavar="MASTER", nargs="?", const="local[*]", help="run on Spark (local[*])"
    )
    audit_follow.configure(parser)


def run(arguments: Namespace) -> int:
    """Audit, publish, and say what is worst."""
    try:
        import pyarrow  # noqa: F401  # only whether it is there
    except ImportError:
        line = "the audit needs more than the base: pip install 'kproto[spark]'"
        raise Failure(line, WRONG_USE) from None
    from concurrent.futures import BrokenExecutor

    from ..codec import KprotoError
    from ..pipeline.record_table import NotRecords

    try:
        return _run(arguments)
    except (FileNotFoundError, NotRecords) as error:
        raise Failure(str(error), WRONG_USE) from None
    except KprotoError as error:
        raise Failure(str(error)) from None
    except BrokenExecutor:
        line = "a process of the audit was killed (out of memory?); nothing is published"
        raise Failure(line) from None


def _run(arguments: Namespace) -> int:
    if arguments.follow:
        audit_follow.check(arguments)
        _, options = _source(arguments)
        client, teams = _json_object(arguments.client), _json_object(arguments.teams)
        return audit_follow.follow(arguments, options, client, teams)
    from ..pipeline.driver import run_audit
    from ..pipeline.report.exports import as_json
    from ..pipeline.report.files import texts_of
    from ..pipeline.tables.publishing import Destination, NotEmpty

    teams = _json_object(arguments.teams)
    units, options = _source(arguments)
    before = _findings_of(arguments.diff) if arguments.diff else None
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
    whole, audit = audit, _recent(audit, arguments.since)
    if arguments.json:
        print(as_json(audit, teams), end="")
    else:
        _print(audit, teams)
    if before is not None:
        _say_difference(before, whole)
    return _status(audit, arguments.fail_on)


def _source(arguments: Namespace) -> tuple[Any, Options]:
    """The units, and the options with all that is known of the source."""
    from ..pipeline.driver import Options
    from ..pipeline.driver.units import cluster_of, units_of

    groups, topics = tuple(arguments.group), _topics(arguments.topics)
    if not arguments.source.startswith("kafka://"):
        cluster = arguments.cluster_id or cluster_of(arguments.source) or "unknown"
        units = units_of(arguments.source, arguments.encoding)
        _say_how_read(units)
        return units, Options(cluster_id=cluster, groups=groups, topics=topics)
    from ..pipeline.driver.broker import broker_units, settings_of, snapshot

    client = settings_of(arguments.source, _json_object(arguments.client))
    seen = snapshot(client, arguments.watch)
    return broker_units(client), Options(
        cluster_id=arguments.cluster_id or seen.cluster_id,
        groups=groups,
        topics=topics if topics is not None else seen.topics,
        states=seen.states,
    )


def _say_how_read(units: Any) -> None:
    from ..pipeline.driver.units import accounts, encodings

    for account in accounts(units):
        say(account)
    for encoding, paths in encodings(units).items():
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        say(f"key and value are {encoding} in {paths[0]}{more}")


def _runner(arguments: Namespace, units: Any) -> Runner:
    """On Spark, in processes, or here; said as it goes where there is somebody to look at it."""
    from ..pipeline.driver.run import in_process

    runner: Runner = in_process
    jobs = arguments.jobs
    if jobs is None:
        jobs = 0 if sum(unit.size for unit in units) >= _FROM else 1
    if arguments.spark is not None:
        from ..pipeline.driver.on_spark import on_spark

        runner = on_spark(arguments.spark)
    elif jobs != 1 and len(units) > 1:
        from ..pipeline.driver.in_processes import in_processes

        runner = in_processes(jobs)
    return _told(runner) if sys.stderr.isatty() else runner


def _told(runner: Runner) -> Runner:
    """The same, with a bar on the terminal while it runs."""

    def run_and_tell(units: Any, destination: Any, options: Any) -> Any:
        from rich.console import Console
        from rich.progress import track

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
    from rich.console import Console

    from ..pipeline.report.terminal import Summary

    wide = None if sys.stdout.isatty() else 120
    Console(width=wide, highlight=False, markup=False, emoji=False).print(Summary(audit, teams))


def _status(audit: Audit, fail_on: str) -> int:
    if fail_on == "never":
        return 0
    loud = SEVERITIES[SEVERITIES.index(fail_on) :]
    found = audit.findings.column("severity").to_pylist()
    return REFUSED if any(severity in loud for severity in found) else 0


def _recent(audit: Audit, since: datetime | None) -> Audit:
    if since is None:
        return audit
    import pyarrow as pa
    import pyarrow.compute as pc

    seen = audit.findings.column("last_seen")
    kept = pc.greater_equal(seen, pa.scalar(since, seen.type))
    return audit._replace(findings=audit.findings.filter(kept))


def _since(text: str) -> datetime:
    unit = _UNITS.get(text[-1:])
    if unit is not None and text[:-1].isdecimal():
        return datetime.now(UTC) - timedelta(**{unit: int(text[:-1])})
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no time: 90m, 2h, 7d or 2026-01-31T12:00") from None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _json_object(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    import json

    try:
        read = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}", WRONG_USE) from None
    except ValueError as error:
        raise Failure(f"{path} is no JSON: {error}", WRONG_USE) from None
    if not isinstance(read, dict):
        raise Failure(f"{path}: one JSON object is wanted", WRONG_USE)
    return read


def _topics(path: str | None) -> Any:
    from ..pipeline.driver.options import TopicFacts

    if path is None:
        return None
    made = {}
    for name, said in _json_object(path).items():
        facts: Any = {"partitions": said} if isinstance(said, int) else said
        try:
            ends = {int(one): int(end) for one, end in facts.get("ends", {}).items()}
            made[name] = TopicFacts(int(facts["partitions"]), ends, facts.get("topic_id"))
        except (AttributeError, KeyError, TypeError, ValueError):
            line = (
                f'{path}: {name} is neither a number nor {{"partitions": 12, "ends": {{"0": 9}}}}'
            )
            raise Failure(line, WRONG_USE) from None
    return made


def _findings_of(folder: str) -> dict[str, Any]:
    """The findings of an earlier audit, by id: all of them, whatever --since was then."""
    import pyarrow.parquet as pq

    from ..pipeline.segment_files import filesystem

    store, path = filesystem(folder)
    try:
        rows = pq.read_table(f"{path}/findings", filesystem=store).to_pylist()
    except FileNotFoundError:
        raise Failure(f"{folder}: there is no audit to compare with", WRONG_USE) from None
    return {row["finding_id"]: row for row in rows}


def _say_difference(before: Mapping[str, Any], audit: Audit) -> None:
    now = {row["finding_id"]: row for row in audit.findings.to_pylist()}
    for word, ids, of in (
        ("new", [one for one in now if one not in before], now),
        ("gone", [one for one in before if one not in now], before),
    ):
        for one in ids:
            row = of[one]
            group = row["group_id"] if row["group_id"] is not None else "(fleet)"
            say(f"{word}: {row['severity']} {row['rule']} {group}: {row['explanation']}")
    say(f"{len(now.keys() & before.keys()):,} findings were there before")
