"""Run `kproto audit`: judge the groups of a source and write what was found."""

from __future__ import annotations

import errno
import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from .. import pipeline
from ..cluster.config.settings import SCHEME
from ..cluster.errors import ConfigError
from ..codec import KprotoError
from ..pipeline.audit.changes import changes_since
from ..pipeline.audit.rules import RULES_OF_LOGS
from ..pipeline.groups.options import TopicFacts
from ..pipeline.groups.ranking import ranked
from ..pipeline.report.exports import as_json
from ..pipeline.report.junit import as_junit
from ..pipeline.report.names import newest_record
from ..pipeline.report.page import texts_of
from ..pipeline.report.terminal import Summary
from ..pipeline.run import Options, run_audit
from ..pipeline.run.audit import NoSuchGroup
from ..pipeline.run.broker_snapshot import snapshot
from ..pipeline.run.clients_of_groups import clients_of_groups
from ..pipeline.run.in_process import in_process
from ..pipeline.run.units import clusters_of, units_of
from ..pipeline.sources.broker import broker_units, client_settings
from ..pipeline.sources.places import check_answers, cluster_of
from ..pipeline.sources.record_table import NotRecords
from ..pipeline.sources.refused_unit import refused
from ..pipeline.sources.tables.table_units import table_units
from ..pipeline.sources.units import accounts, encodings, of_cluster, unjudged
from ..pipeline.spark import NotInstalled
from ..pipeline.tables.publishing import Destination, NotEmpty
from ..pipeline.tables.redaction import AuditRedaction
from ..wording import counted, some_of
from .commands.audit import SEVERITIES
from .input import audit_inputs
from .input.audit_baseline import read_audit_baseline, write_audit_baseline
from .input.audit_rules import not_asked, with_chosen_rules
from .input.client_settings import read_client_settings
from .input.log_sources import Logs, logs_in, read_logs, told_by
from .options.shared_options import client_settings as broker_settings
from .output.failures import (
    NOT_DONE,
    REFUSED,
    WRONG_USE,
    Failure,
    broker_hint,
    say,
    status_of,
)
from .output.terminal import console, redaction_of, through_pager
from .output.written import write_output
from .spark import command_session

if TYPE_CHECKING:
    from ..pipeline.run.audit import Audit, Runner
    from ..pipeline.sources.broker import ClientSettings
    from ..pipeline.sources.units import Unit


_MUCH = 2 << 30  # bytes: what one core takes a minute or two to read (make bench)
_NAMED = 5  # groups, or files, in one sentence
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_STATUSES = {REFUSED: NOT_DONE}
"""What a failure's status becomes: 1 is that of a finding."""


def run(arguments: Namespace) -> int:
    """Audit the source, publish the result, and print a summary of the worst groups."""
    # Whatever goes wrong, the status is not that of a finding.
    try:
        return _run(arguments)
    except NoSuchGroup as error:
        line = "no group has that name" if arguments.redact else str(error)
        raise Failure(line, WRONG_USE) from None
    except FileNotFoundError as error:
        places = [audit_inputs.cluster_and_place(source)[1] for source in arguments.sources]
        hints = map(broker_hint, places)
        raise Failure(f"{error}{next(filter(None, hints), '')}", WRONG_USE) from None
    except (ConfigError, NotInstalled) as error:
        raise Failure(str(error), WRONG_USE) from None
    except KprotoError as error:
        raise Failure(str(error), NOT_DONE) from None
    except Failure as failure:
        raise Failure(str(failure), _STATUSES.get(failure.status, failure.status)) from None
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        raise _disk_failure(error, arguments.out) from None
    except MemoryError:
        line = "out of memory; --jobs 1, or fewer groups (--group), take less"
        raise Failure(line, NOT_DONE) from None
    except Exception as error:
        line = f"the audit failed by a fault of kproto: {type(error).__name__}: {error}"
        raise Failure(line, NOT_DONE) from error


def _disk_failure(error: OSError, out: str) -> Exception:
    """Return the failure of an audit that cannot go on. A full disk is that of the tables, unless
    nothing but its reason is said: Arrow, which writes them, says more."""
    if error.errno not in _FULL or error.filename is not None:
        return Failure(f"the audit cannot go on: {error}", status_of(error))
    reason = os.strerror(error.errno)
    if error.strerror == reason:
        return error
    return Failure(f"{out} cannot be written: {reason}", NOT_DONE)


def _run(arguments: Namespace) -> int:
    for source in arguments.sources:
        audit_inputs.check_named(audit_inputs.cluster_and_place(source)[1], arguments.out)
    if arguments.follow:
        audit_inputs.check_follow(arguments)
        from . import audit_follow  # which needs Spark

        cluster, source = audit_inputs.cluster_and_place(arguments.sources[0])
        _, options = _source(arguments, source, cluster)
        _check_topics(arguments, {options.cluster_id})
        options = with_chosen_rules(_with_client_settings(options, arguments), arguments)
        teams = audit_inputs.teams_in(arguments.teams)
        return audit_follow.follow(arguments, options, arguments.client, teams)
    return _audit(arguments)


def _audit(arguments: Namespace) -> int:
    teams = audit_inputs.teams_in(arguments.teams)
    logs = _take_logs(arguments)
    sources = [audit_inputs.cluster_and_place(text)[1] for text in arguments.sources]
    by_spark = {source for source in sources if audit_inputs.session_for(arguments.spark, source)}
    for place in (*sources, arguments.out):
        if "://" in place and not place.startswith(SCHEME) and place not in by_spark:
            check_answers(place, arguments.timeout)
    units, options = _sources(arguments)
    options = _with_client_settings(options, arguments)
    options = _with_logs(options, logs, units, by_spark=bool(by_spark))
    options = _with_unjudged(options, units)
    options = with_chosen_rules(options, arguments)
    baseline = _baseline(arguments)
    for source in sources:
        audit_inputs.check_apart(source, arguments.out, by_spark=source in by_spark)
    try:
        destination = Destination.new(arguments.out, replace=arguments.replace)
    except NotEmpty as error:
        raise Failure(str(error), WRONG_USE) from None

    _check_catalog(arguments)
    redaction = _redaction(arguments, logs, unjudged(units))
    now = time.time() * 1000
    since = None if arguments.since is None else arguments.since.at(now)

    def shown(audit: Audit) -> Audit:
        return _recent(_compared(audit, baseline, options, redaction), since)

    def texts(audit: Audit, tables: str) -> Mapping[str, str]:
        return texts_of(
            shown(audit),
            tables,
            _visible(teams, redaction),
            by_partition=arguments.partition_lag,
            changes_by_group=arguments.baseline_groups,
        )

    whole = run_audit(
        units,
        destination,
        options,
        _runner(arguments, units),
        texts,
        redaction,
    )
    visible_teams = _visible(teams, redaction)
    _save_tables(arguments)
    audit = shown(whole)
    _say_what_is_not_compared(audit, baseline, options)
    _say_whose_teams_are_missing(teams, whole, options, redaction)
    if since is not None:
        _say_if_all_is_older(audit, since)
    if arguments.json:
        print(as_json(audit, visible_teams), end="")
    else:
        page = f"{arguments.out.rstrip('/')}/report.html"
        if arguments.redact:
            page = "report.html in the folder of --out"
        with through_pager(arguments.pager):
            _print(audit, visible_teams, page)
    counting = _counting(audit, arguments.fail_on)
    _write_files(arguments, whole, audit, counting)
    is_damaged = audit.counts.damages > audit.counts.torn or not (logs is None or logs.are_whole)
    return max(REFUSED if counting else 0, NOT_DONE if is_damaged else 0)


def _write_files(arguments: Namespace, whole: Audit, shown: Audit, counting: set[str]) -> None:
    """Write the files that are asked for beside those of --out: the baseline has all findings,
    whatever is shown."""
    if arguments.write_baseline:
        write_audit_baseline(arguments.write_baseline, whole.findings.to_pylist())
    if arguments.junit:
        write_output(arguments.junit, as_junit(shown, counting))


def _baseline(arguments: Namespace) -> dict[str, dict[str, Any]] | None:
    """Return the findings that are known; None where no baseline is given, and none in the first
    of many nights, which writes what the next one reads."""
    place = arguments.baseline
    if place is None:
        if arguments.baseline_groups:
            raise Failure("--baseline-groups needs --baseline", WRONG_USE)
        return None
    if place == arguments.write_baseline and not Path(place).exists():
        say(f"there is no {place} yet: all that is found is new, and known from now on")
        return {}
    return read_audit_baseline(place)


def _redaction(
    arguments: Namespace, logs: Logs | None, groups: Iterable[str]
) -> AuditRedaction | None:
    """Return the stand-ins of this call; None without --redact. No table has the `groups`."""
    hidden = redaction_of(arguments)
    if hidden is None:
        return None
    names = dict.fromkeys(groups, "group") | ({} if logs is None else logs.names)
    for source in arguments.sources:
        cluster, place = audit_inputs.cluster_and_place(source)
        names |= {place: "source"} | ({cluster: "cluster"} if cluster else {})
    return AuditRedaction(hidden, names)


def _visible(teams: Mapping[str, str], redaction: AuditRedaction | None) -> Mapping[str, str]:
    return teams if redaction is None else redaction.redacted_teams(teams)


def _take_logs(arguments: Namespace) -> Logs | None:
    """Take the logs out of the sources and read them; return None where there is none."""
    files = {source: logs_in(source) for source in arguments.sources}
    arguments.sources = [source for source, of_source in files.items() if not of_source.logs]
    places = [file for of_source in files.values() for file in of_source.logs]
    others = [file for of_source in files.values() for file in of_source.others]
    return read_logs(places, others) if places else None


def _with_logs(
    options: Options, logs: Logs | None, units: Sequence[Unit], *, by_spark: bool
) -> Options:
    """Return the options with what logs tell, which are of the only cluster. Lines that name a
    client and no group are of the group in whose records it is, unless Spark alone reads those."""
    if logs is None:
        return options
    if options.clusters:
        raise Failure("logs are of one cluster: audit each cluster with its own", WRONG_USE)
    names = logs.clients_without_group
    is_read = bool(names) and not by_spark
    clients = clients_of_groups(units, options.cluster_id, names) if is_read else {}
    facts = told_by(logs, clients, options.wants, has_records=bool(units))
    if not (facts.groups or units):
        files = [source.name for source in logs.sources]
        raise Failure(_NO_GROUP.format(some_of(files, _NAMED), file=files[0]), NOT_DONE)
    return replace(
        options,
        logs=facts.groups,
        remarks=(*facts.remarks, _BY_SPARK) if names and by_spark else facts.remarks,
        rules=(*options.rules, *RULES_OF_LOGS),
        client_settings=(*options.client_settings, *facts.settings),
    )


def _with_unjudged(options: Options, units: Sequence[Unit]) -> Options:
    """Return the options with a remark that names the groups of which a source has no record."""
    names = [
        f"{name} ({what})" for name, what in unjudged(units).items() if options.wants(name)
    ]  # fmt: skip
    if not names:
        return options
    number = counted(len(names), "group is", "groups are")
    remark = _UNJUDGED.format(number, some_of(names, _NAMED))
    return replace(options, remarks=(*options.remarks, remark))


_UNJUDGED = (
    "{} not judged: {}: a broker describes members with what they were given only of classic "
    "groups that are Stable; audit the offsets topic (log segments, or kafka://HOST:PORT)"
)
_BY_SPARK = (
    "lines that name a client and no group are not used with records that Spark alone can read"
)
_NO_GROUP = (
    "{}: no line names a group and tells what happened in it. Give the records that "
    "tell which group each client is in: kproto audit kafka://HOST:PORT {file} --out DIR; or see "
    "what the lines tell without: kproto story {file}"
)


def _with_client_settings(options: Options, arguments: Namespace) -> Options:
    """Return the options with the settings of clients. Those that name no group are of the only one
    that is audited."""
    clients = read_client_settings(arguments.client_settings)
    nameless = [settings for settings in clients if not settings.group]
    names = [name for name in arguments.group if not set(name) & set("*?[")]
    if nameless and (len(names) != 1 or len(arguments.group) != 1):
        raise Failure(
            f"--settings: {nameless[0].source} names no group.id: give --group NAME", WRONG_USE
        )
    of_groups = tuple(
        settings
        if settings.group
        else replace(settings, values={**settings.values, "group.id": names[0]})
        for settings in clients
    )
    clusters = tuple(replace(cluster, client_settings=of_groups) for cluster in options.clusters)
    return replace(options, client_settings=of_groups, clusters=clusters)


def _sources(arguments: Namespace) -> tuple[Any, Options]:
    """Return the units of all sources, and the options with all that is known of each cluster."""
    of_sources: list[tuple[Any, Options]] = []
    refusals: dict[str, NotRecords] = {}
    places = [audit_inputs.cluster_and_place(source) for source in arguments.sources]
    tables = audit_inputs.tables_together(places)
    for cluster, place in places:
        if place in tables[1:]:  # read with the first of them
            continue
        try:
            of_sources += (
                [_tables(arguments, tables)]
                if place in tables
                else _clusters(arguments, cluster, place)
            )
        except NotRecords as refusal:
            refusals[place] = refusal
    if refusals and not of_sources:
        raise next(iter(refusals.values()))
    _check_topics(arguments, {options.cluster_id for _, options in of_sources})
    units, options = _together(arguments, of_sources)
    refused_units = [refused(place, refusal) for place, refusal in refusals.items()]
    return [*units, *of_cluster(refused_units, options.each[0].cluster_id)], options


def _together(arguments: Namespace, of_sources: list[tuple[Any, Options]]) -> tuple[Any, Options]:
    """Return the units of several clusters as one source, with options of each cluster."""
    if len(of_sources) == 1:
        return of_sources[0]
    if not of_sources:  # logs alone
        lacks = frozenset({"history", "commits", "targets"})
        cluster = arguments.cluster_id or "unknown"
        return [], Options(cluster_id=cluster, groups=tuple(arguments.group), lacks=lacks)

    ids = [options.cluster_id for _, options in of_sources]
    twice = sorted({cluster for cluster in ids if ids.count(cluster) > 1})
    if twice or arguments.cluster_id:
        reason = f"{twice[0]!r} is there twice" if twice else "--cluster-id is of one source"
        if twice == ["unknown"]:
            reason = "several sources do not say of which cluster they are"
        raise Failure(f"{reason}: name each cluster, as in prod=/data dr=/copy", WRONG_USE)
    units = [
        unit
        for source_units, options in of_sources
        for unit in of_cluster(source_units, options.cluster_id)
    ]
    units.sort(key=lambda unit: -unit.size)
    clusters = tuple(options for _, options in of_sources)
    return units, Options(groups=tuple(arguments.group), clusters=clusters)


def _tables(arguments: Namespace, places: list[str]) -> tuple[Any, Options]:
    """Return the units of several tables of one cluster, and the options."""
    cluster = arguments.cluster_id or "unknown"
    units = table_units(places, arguments.encoding)
    _say_how_read(units)
    topics = _topics(arguments, cluster)
    return units, Options(cluster_id=cluster, groups=tuple(arguments.group), topics=topics)


def _clusters(
    arguments: Namespace, cluster: str | None, source: str
) -> Iterator[tuple[Any, Options]]:
    """Yield the source, or of a folder with segments of several clusters each of them."""
    several: Mapping[str, Any] = {}
    spark = audit_inputs.session_for(arguments.spark, source)
    if not (cluster or arguments.cluster_id or spark or source.startswith(SCHEME)):
        several = clusters_of(source)
    if not several:
        yield _source(arguments, source, cluster)

    for name, units in several.items():
        topics = _topics(arguments, name)
        yield units, Options(cluster_id=name, groups=tuple(arguments.group), topics=topics)


def _topics(arguments: Namespace, cluster: str) -> Mapping[str, TopicFacts] | None:
    """Return what --topics says of the topics of a cluster: its own, else those for all."""
    stated = [audit_inputs.cluster_and_topics(text) for text in arguments.topics]
    return next((topics for name, topics in reversed(stated) if name in {cluster, None}), None)


def _check_topics(arguments: Namespace, clusters: set[str]) -> None:
    for text in arguments.topics:
        name, _ = audit_inputs.cluster_and_topics(text)
        if name is not None and name not in clusters:
            names = ", ".join(sorted(clusters))
            raise Failure(f"--topics {text}: no cluster is called {name}, but {names}", WRONG_USE)


def _source(arguments: Namespace, source: str, cluster: str | None) -> tuple[Any, Options]:
    """Return the units, and the options with all that is known of the source."""
    groups = tuple(arguments.group)
    if not source.startswith(SCHEME):
        cluster = cluster or arguments.cluster_id or cluster_of(source) or "unknown"
        units = _units(arguments, source)
        _say_how_read(units)
        topics = _topics(arguments, cluster)
        return units, Options(cluster_id=cluster, groups=groups, topics=topics)

    client = arguments.client = _client(arguments, source)
    state = snapshot(client, arguments.watch)
    cluster = cluster or arguments.cluster_id or state.cluster_id
    topics = _topics(arguments, cluster)
    return broker_units(client), Options(
        cluster_id=cluster,
        groups=groups,
        topics=topics if topics is not None else state.topics,
        states=state.states,
        withheld=state.withheld,
        now=state.now,
        lists_all=state.lists_all,
    )


def _client(arguments: Namespace, source: str) -> ClientSettings:
    """Return the settings of the client for a broker."""
    servers = source.removeprefix(SCHEME)
    settings = broker_settings(servers, arguments.command_config)
    return client_settings(settings, arguments.timeout)


def _units(arguments: Namespace, source: str) -> Any:
    spark = audit_inputs.session_for(arguments.spark, source)
    if spark is not None:
        return pipeline.hadoop_units(spark, source, arguments.timeout)
    return units_of(source, arguments.encoding)


def _say_how_read(units: Any) -> None:
    for account in accounts(units):
        say(account)
    for encoding, paths in encodings(units).items():
        more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        say(f"keys and values that are text are read as {encoding}: {paths[0]}{more}")


def _runner(arguments: Namespace, units: Any) -> Runner:
    """Return the runner that was asked for: on Spark, or in this process. It shows progress where
    somebody looks at a terminal.
    """
    if arguments.spark is not None:
        runner = _on_spark(arguments.spark)
    else:
        runner = _runner_here(arguments.jobs, units)
    return _with_progress(runner) if sys.stderr.isatty() else runner


def _on_spark(master: str) -> Runner:
    command_session(master)
    return pipeline.on_spark(master)


def _runner_here(jobs: int | None, units: Any) -> Runner:
    """Return a runner on this machine: in this process, and for much input Spark on all cores."""
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


def _check_catalog(arguments: Namespace) -> None:
    """Raise what is wrong with the options of a catalog, before anything is read."""
    if arguments.catalog is None:
        if arguments.provider or arguments.partition_by or arguments.mode != "error":
            line = "--provider, --mode and --partition-by say how --catalog NAMESPACE is written"
            raise Failure(line, WRONG_USE)
        return
    if arguments.spark is None:
        raise Failure("--catalog is one of Spark's: add --spark", WRONG_USE)
    session = command_session(arguments.spark)
    try:
        pipeline.check_catalog(
            session, arguments.catalog, mode=arguments.mode, partition_by=arguments.partition_by
        )
    except KprotoError as error:
        raise Failure(str(error), WRONG_USE) from None


def _save_tables(arguments: Namespace) -> None:
    if arguments.catalog is None:
        return
    frames = pipeline.published_frames(command_session(arguments.spark), arguments.out)
    pipeline.save_tables(
        frames,
        arguments.catalog,
        provider=arguments.provider,
        mode=arguments.mode,
        partition_by=arguments.partition_by,
    )
    say(f"{len(frames)} tables are in {arguments.catalog}")


def _with_progress(runner: Runner) -> Runner:
    """Return the same runner, with a progress bar on the terminal while it runs."""

    def run_and_tell(units: Any, destination: Any, options: Any) -> Any:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("reading", total=len(units))
            records = 0
            for result in runner(units, destination, options):
                records += result.counts.read
                bar.update(task, description=f"{counted(records, 'record')} read", advance=1)
                yield result
            bar.update(task, completed=len(units))

    return run_and_tell


def _print(audit: Audit, teams: Mapping[str, str], page: str) -> None:
    view = Summary(audit, teams, page, int(time.time() * 1000))
    console("auto").print(view)


def _counting(audit: Audit, fail_on: str) -> set[str]:
    """Return the ids of the findings that make the status 1: with a baseline, of new ones."""
    if fail_on == "never":
        return set()
    loud = SEVERITIES[SEVERITIES.index(fail_on) :]
    rows = audit.findings.select(["finding_id", "severity"]).to_pylist()
    if audit.changes is not None:
        rows = [row for row in rows if audit.changes.words[row["finding_id"]] == "new"]
    return {row["finding_id"] for row in rows if row["severity"] in loud}


def _recent(audit: Audit, since: float | None) -> Audit:
    """Return the audit without findings that were not seen since then, in milliseconds since 1970:
    they count neither for scores nor for the order of groups.
    """
    if since is None:
        return audit

    moment = pa.scalar(int(since * 1000), pa.timestamp("us", tz="UTC"))
    last_seen = audit.findings.column("last_seen")
    is_recent = pc.greater_equal(last_seen, moment)
    findings, current = ranked(audit.findings.filter(is_recent), audit.current)
    return audit._replace(findings=findings, current=current)


def _compared(
    audit: Audit,
    baseline: Mapping[str, Mapping[str, Any]] | None,
    options: Options,
    redaction: AuditRedaction | None,
) -> Audit:
    """Return the audit with what became of the findings of a baseline."""
    if baseline is None:
        return audit

    left_out, rows = not_asked(options), audit.findings.to_pylist()
    baseline = {key: row for key, row in baseline.items() if row["rule"] not in left_out}
    clusters = {cluster.cluster_id for cluster in options.each}
    clusters |= {
        baseline[row["finding_id"]]["cluster_id"] for row in rows if row["finding_id"] in baseline
    }

    def wants(row: Mapping[str, Any]) -> bool:
        return row["cluster_id"] in clusters and _is_in_scope(options, row["group_id"])

    changes = changes_since(baseline, rows, wants)
    if redaction is not None:
        changes = changes._replace(gone=[redaction.redacted_gone(row) for row in changes.gone])
    return audit._replace(changes=changes)


def _say_what_is_not_compared(
    audit: Audit, baseline: Mapping[str, Mapping[str, Any]] | None, options: Options
) -> None:
    """Say on standard error where a baseline is of clusters that are not audited now."""
    earlier = {str(row["cluster_id"]) for row in (baseline or {}).values()}
    audited = {cluster.cluster_id for cluster in options.each}
    is_of_others = earlier and audited.isdisjoint(earlier)
    if is_of_others and audit.changes and not audit.changes.counts["persisting"]:
        names, now = ("'" + "', '".join(sorted(ids)) + "'" for ids in (earlier, audited))
        line = f"the baseline is of {names}, the audit of {now}: no finding of it can be gone"
        say(f"{line}, and all that is found is new")


def _say_if_all_is_older(audit: Audit, since: float) -> None:
    newest = newest_record(audit.current)
    if newest is not None and newest.timestamp() * 1000 < since:
        say("the newest record is older than --since says: no finding can be as new")


def _say_whose_teams_are_missing(
    teams: Mapping[str, str], audit: Audit, options: Options, redaction: AuditRedaction | None
) -> None:
    """Say on standard error which names of --teams no group has: one may be misspelt."""
    visible = _visible(dict.fromkeys(teams, ""), redaction)
    missing = sorted(visible.keys() - set(audit.current.column("group_id").to_pylist()))
    if missing and not options.groups:
        number = counted(len(missing), "name is", "names are")
        say(f"--teams: {number} no group of the audit: {some_of(missing, _NAMED)}")


def _is_in_scope(options: Options, group: str | None) -> bool:
    """Return whether a group was asked for; the fleet counts only where all were."""
    return not options.groups if group is None else options.wants(group)
