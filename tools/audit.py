"""Run `kproto audit`: judge the groups of a source and write what was found."""

from __future__ import annotations

import errno
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from .. import pipeline
from ..cluster.errors import ConfigError
from ..codec import KprotoError
from ..pipeline.audit.changes import changes_since
from ..pipeline.audit.rules import RULES_OF_LOGS
from ..pipeline.groups.ranking import ranked
from ..pipeline.groups.teams import Teams
from ..pipeline.report.exports import as_json
from ..pipeline.report.junit import as_junit
from ..pipeline.report.names import newest_record
from ..pipeline.report.page import texts_of
from ..pipeline.report.terminal import Summary
from ..pipeline.run import Options, run_audit
from ..pipeline.run.audit import NoSuchGroup
from ..pipeline.run.clients_of_groups import clients_of_groups
from ..pipeline.run.in_process import in_process
from ..pipeline.sources.places import check_answers
from ..pipeline.sources.units import ClusterLost, unjudged
from ..pipeline.spark import NotInstalled
from ..pipeline.tables.publishing import Destination, NotEmpty
from ..pipeline.tables.redaction import AuditRedaction
from ..wording import counted, some_of
from .commands.audit import SEVERITIES
from .input import audit_inputs
from .input.audit_baseline import read_audit_baseline, write_audit_baseline
from .input.audit_rules import not_asked, with_chosen_rules
from .input.audit_sources import AuditSources, check_topics, open_source, open_sources
from .input.client_settings import read_client_settings
from .input.log_sources import Logs, logs_in, read_logs, told_by
from .options.shared_options import stated_clients
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
        _, options = open_source(arguments, source, cluster)
        check_topics(arguments, {options.cluster_id})
        options = with_chosen_rules(_with_clients(options, arguments), arguments)
        teams = audit_inputs.teams_in(arguments)
        return audit_follow.follow(arguments, options, arguments.client, teams)
    return _audit(arguments)


def _audit(arguments: Namespace) -> int:
    teams = audit_inputs.teams_in(arguments)
    if "://" in arguments.out:
        check_answers(arguments.out, arguments.timeout)
    sources, logs = _open(arguments, teams)
    baseline = _baseline(arguments)
    destination = _destination(arguments)
    _check_catalog(arguments)
    redaction = _redaction(arguments, logs, sources)
    now = time.time() * 1000
    since = None if arguments.since is None else arguments.since.at(now)

    def shown(audit: Audit, options: Options) -> Audit:
        return _recent(_compared(audit, baseline, options, redaction), since)

    def run_on(sources: AuditSources) -> Audit:
        def texts(audit: Audit, tables: str) -> Mapping[str, str]:
            return texts_of(
                shown(audit, sources.options),
                tables,
                _visible(teams, redaction),
                by_partition=arguments.partition_lag,
                changes_by_group=arguments.baseline_groups,
            )

        units = sources.units
        runner = _runner(arguments, units)
        return run_audit(units, destination, sources.options, runner, texts, redaction)

    whole, sources = _of_those_that_answer(run_on, sources)
    options = sources.options
    _save_tables(arguments)
    audit = shown(whole, options)
    _say_what_is_not_compared(audit, baseline, options)
    _say_whose_teams_are_missing(teams, whole, options, redaction)
    if since is not None:
        _say_if_all_is_older(audit, since)
    counting = _counting(audit, arguments.fail_on)
    if arguments.write_baseline:
        findings = whole.findings.to_pylist()
        unasked = _not_asked_again(baseline, findings, sources, redaction)
        write_audit_baseline(arguments.write_baseline, [*findings, *unasked])
    if arguments.junit:
        write_output(arguments.junit, as_junit(audit, counting, _visible(teams, redaction)))
    _show(arguments, audit, _visible(teams, redaction))  # last: a pipe or a pager may close
    is_damaged = audit.counts.damages > audit.counts.torn or (logs and logs.damages)
    return max(REFUSED if counting else 0, NOT_DONE if is_damaged else 0)


def _open(arguments: Namespace, teams: Teams) -> tuple[AuditSources, Logs | None]:
    """Return the sources with the options of all that is known of them, and the logs."""
    logs = _take_logs(arguments)
    sources = open_sources(arguments)
    options = _with_team(sources.options, tuple(arguments.team), teams)
    options = _with_clients(options, arguments)
    if logs is not None and sources.lost:
        raise Failure(f"{_LOGS_OF_ONE}; {', '.join(sources.lost)} does not answer", NOT_DONE)
    options = _with_logs(options, logs, sources.units, by_spark=bool(_read_by_spark(arguments)))
    options = _with_unjudged(options, sources.units)
    return sources._replace(options=with_chosen_rules(options, arguments)), logs


def _read_by_spark(arguments: Namespace) -> set[str]:
    """Return the sources that Spark reads by a file system of its own."""
    places = [audit_inputs.cluster_and_place(text)[1] for text in arguments.sources]
    return {place for place in places if audit_inputs.session_for(arguments.spark, place)}


def _destination(arguments: Namespace) -> Destination:
    by_spark = _read_by_spark(arguments)
    for text in arguments.sources:
        source = audit_inputs.cluster_and_place(text)[1]
        audit_inputs.check_apart(source, arguments.out, by_spark=source in by_spark)
    try:
        return Destination.new(arguments.out, replace=arguments.replace)
    except NotEmpty as error:
        raise Failure(str(error), WRONG_USE) from None


def _of_those_that_answer(
    audit: Callable[[AuditSources], Audit], sources: AuditSources
) -> tuple[Audit, AuditSources]:
    """Return the audit of the sources, without those clusters that are lost while they are read."""
    while True:
        try:
            return audit(sources), sources
        except ClusterLost as lost:
            sources = sources.without(lost)
            say(f"{lost.cluster} cannot be read, and the others are read again: {lost}")


def _show(arguments: Namespace, audit: Audit, teams: Mapping[str, str]) -> None:
    """Print the audit as JSON, or its summary."""
    if arguments.json:
        print(as_json(audit, teams), end="")
        return
    page = f"{arguments.out.rstrip('/')}/report.html"
    if arguments.redact:
        page = "report.html in the folder of --out"
    with through_pager(arguments.pager):
        _print(audit, teams, page)


def _not_asked_again(
    baseline: _Baseline | None,
    findings: Sequence[Mapping[str, Any]],
    sources: AuditSources,
    redaction: AuditRedaction | None,
) -> list[Mapping[str, Any]]:
    """Return the known findings of groups and rules that were not asked for, and of clusters that
    were lost: they are not new when these are audited again."""
    if not baseline:
        return []
    options = sources.options
    clusters = _clusters_of(baseline, findings, options)
    present, left_out = {row["finding_id"] for row in findings}, not_asked(options)

    def is_known_alone(row: Mapping[str, Any]) -> bool:
        if row["cluster_id"] not in clusters:
            return bool(sources.lost)
        return row["rule"] in left_out or not _is_in_scope(options, row["group_id"])

    rows = [
        row for row in baseline.values() if row["finding_id"] not in present and is_known_alone(row)
    ]
    return rows if redaction is None else [redaction.redacted_gone(row) for row in rows]


_Baseline: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Known findings by their ids."""


def _baseline(arguments: Namespace) -> _Baseline | None:
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
    arguments: Namespace, logs: Logs | None, sources: AuditSources
) -> AuditRedaction | None:
    """Return the stand-ins of this call; None without --redact."""
    hidden = redaction_of(arguments)
    if hidden is None:
        return None
    groups = unjudged(sources.units)  # which no table has
    names = dict.fromkeys(groups, "group") | ({} if logs is None else logs.names)
    names |= dict.fromkeys(arguments.team, "team")
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
        raise Failure(_LOGS_OF_ONE, WRONG_USE)
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
        remarks=(*options.remarks, *facts.remarks, *((_BY_SPARK,) if names and by_spark else ())),
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


_LOGS_OF_ONE = "logs are of one cluster: audit each cluster with its own"
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


def _with_team(options: Options, names: tuple[str, ...], teams: Teams) -> Options:
    """Return the options with the teams whose groups alone are audited."""
    if not names:
        return options
    remark = f"only groups of the {'team' if len(names) == 1 else 'teams'} {', '.join(names)}"
    clusters = tuple(replace(cluster, team=names, teams=teams) for cluster in options.clusters)
    return replace(options, team=names, teams=teams, clusters=clusters, remarks=(remark,))


def _with_clients(options: Options, arguments: Namespace) -> Options:
    """Return the options with the settings of clients, and which client members are. Settings that
    name no group are of the only one that is audited."""
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
    facts = {"client_settings": of_groups, "member_clients": tuple(stated_clients(arguments))}
    clusters = tuple(replace(cluster, **facts) for cluster in options.clusters)
    return replace(options, **facts, clusters=clusters)


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
    baseline: _Baseline | None,
    options: Options,
    redaction: AuditRedaction | None,
) -> Audit:
    """Return the audit with what became of the findings of a baseline."""
    if baseline is None:
        return audit

    left_out, rows = not_asked(options), audit.findings.to_pylist()
    baseline = {key: row for key, row in baseline.items() if row["rule"] not in left_out}
    clusters = _clusters_of(baseline, rows, options)

    def wants(row: Mapping[str, Any]) -> bool:
        return row["cluster_id"] in clusters and _is_in_scope(options, row["group_id"])

    changes = changes_since(baseline, rows, wants)
    if redaction is not None:
        changes = changes._replace(gone=[redaction.redacted_gone(row) for row in changes.gone])
    return audit._replace(changes=changes)


def _clusters_of(
    baseline: _Baseline, rows: Iterable[Mapping[str, Any]], options: Options
) -> set[str]:
    """Return the names that a baseline has for the clusters of an audit, with --redact others."""
    ids = (row["finding_id"] for row in rows)
    names = {baseline[finding_id]["cluster_id"] for finding_id in ids if finding_id in baseline}
    return names | {cluster.cluster_id for cluster in options.each}


def _say_what_is_not_compared(audit: Audit, baseline: _Baseline | None, options: Options) -> None:
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
    teams: Teams, audit: Audit, options: Options, redaction: AuditRedaction | None
) -> None:
    """Say on standard error which names of --teams no group has: one may be misspelt."""
    if not options.wants_all:
        return
    if redaction is None:
        missing = teams.unused(audit.current.column("group_id").to_pylist())
    else:
        missing = redaction.redacted_groups(teams.unused(redaction.groups))
    if missing:
        number = counted(len(missing), "name is", "names are")
        say(f"--teams: {number} no group of the audit: {some_of(missing, _NAMED)}")


def _is_in_scope(options: Options, group: str | None) -> bool:
    """Return whether a group was asked for; the fleet counts only where all were."""
    return options.wants_all if group is None else options.wants(group)
