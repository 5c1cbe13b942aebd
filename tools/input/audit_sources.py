"""The sources of an audit: their units, and what is known of each cluster.

Of several clusters one may not answer, or have nothing to audit: the others are audited, and a unit
in its place says why it is not.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from msgspec.structs import replace

from ... import pipeline
from ...cluster.config.settings import SCHEME
from ...cluster.errors import ClusterError, ConfigError
from ...codec import KprotoError
from ...pipeline.groups.options import TopicFacts
from ...pipeline.run import Options
from ...pipeline.run.broker_snapshot import snapshot
from ...pipeline.run.units import clusters_of, units_of
from ...pipeline.sources.broker import ClientSettings, broker_units, client_settings
from ...pipeline.sources.places import check_answers, cluster_of
from ...pipeline.sources.record_table import NotRecords
from ...pipeline.sources.refused_unit import refused
from ...pipeline.sources.tables.table_units import table_units
from ...pipeline.sources.units import ClusterLost, accounts, encodings, of_cluster
from ..options.shared_options import client_settings as broker_settings
from ..output.failures import WRONG_USE, Failure, say
from . import audit_inputs

__all__ = ["AuditSources", "check_topics", "open_source", "open_sources"]


class AuditSources(NamedTuple):
    """The units of all sources, the options with all that is known of each cluster, the place of
    each cluster, and the names of those that cannot be read."""

    units: Sequence[Any]
    options: Options
    places: Mapping[str, str]
    lost: Sequence[str]

    def without(self, error: ClusterLost) -> AuditSources:
        """Return the others, where a cluster was lost while it was read. Raises the error where it
        was the only one."""
        clusters = tuple(
            cluster for cluster in self.options.clusters if cluster.cluster_id != error.cluster
        )
        if not clusters:
            raise error
        units = [unit for unit in self.units if getattr(unit, "cluster", None) != error.cluster]
        unit = refused(self.places[error.cluster], error, error.cluster)
        return self._replace(
            units=[unit, *units],
            options=replace(self.options, clusters=clusters),
            lost=[*self.lost, error.cluster],
        )


class _Refusal(NamedTuple):
    """A source that is not audited, with the name of its cluster (None: none was given)."""

    name: str | None
    place: str
    error: Exception

    @property
    def cluster(self) -> str | None:
        """The name of a cluster that is lost; None of files that nobody says to be a cluster."""
        if isinstance(self.error, NotRecords):
            return self.name
        return self.name or self.place.removeprefix(SCHEME)


def open_sources(arguments: Namespace) -> AuditSources:
    """Return the sources and what is known of them. Where the only source cannot be read, its error
    is raised; of several, an error where none can be read."""
    of_sources: list[tuple[str, Any, Options]] = []
    refusals: list[_Refusal] = []
    places = [audit_inputs.cluster_and_place(source) for source in arguments.sources]
    tables = audit_inputs.tables_together(places)
    for cluster, place in places:
        if place in tables[1:]:  # read with the first of them
            continue
        try:
            _check_answers(arguments, place)
            units_of_place = (
                [_tables(arguments, tables)]
                if place in tables
                else _clusters(arguments, cluster, place)
            )
            of_sources += ((place, *of_cluster) for of_cluster in units_of_place)
        except (ConfigError, FileNotFoundError):  # the command line is wrong
            raise
        except (NotRecords, ClusterError, OSError) as error:
            refusals.append(_Refusal(cluster, place, error))
    if refusals and not of_sources:
        _raise(refusals)
    ids = [options.cluster_id for *_, options in of_sources]
    away = [refusal.cluster for refusal in refusals if refusal.cluster is not None]
    check_topics(arguments, {*ids, *away})
    _check_names([*ids, *away], arguments.cluster_id)
    units, options = _together(arguments, [source[1:] for source in of_sources])
    refused_units = [
        refused(refusal.place, refusal.error, refusal.cluster or _none_of(ids, refusal.place))
        for refusal in refusals
    ]
    by_cluster = {options.cluster_id: place for place, _, options in of_sources}
    return AuditSources([*refused_units, *units], options, by_cluster, away)


def _none_of(ids: Sequence[str], place: str) -> str | None:
    """Return the name of the cluster of what nobody says to be of one: None where there is one."""
    return None if len(ids) == 1 else place


def _check_answers(arguments: Namespace, place: str) -> None:
    """Raise OSError where the store of a place does not answer in time. Spark asks by itself."""
    is_in_store = "://" in place and not place.startswith(SCHEME)
    if is_in_store and audit_inputs.session_for(arguments.spark, place) is None:
        check_answers(place, arguments.timeout)


def _raise(refusals: Sequence[_Refusal]) -> NoReturn:
    if len(refusals) == 1:
        raise refusals[0].error
    raise KprotoError("; ".join(str(refusal.error) for refusal in refusals))


def _check_names(ids: Sequence[str], stated: str | None) -> None:
    """Refuse several clusters of one name, and one name for several."""
    twice = sorted({cluster for cluster in ids if ids.count(cluster) > 1})
    if len(ids) > 1 and (twice or stated):
        reason = f"{twice[0]!r} is there twice" if twice else "--cluster-id is of one source"
        if twice == ["unknown"]:
            reason = "several sources do not say of which cluster they are"
        raise Failure(f"{reason}: name each cluster, as in prod=/data dr=/copy", WRONG_USE)


def _together(
    arguments: Namespace, of_sources: Sequence[tuple[Any, Options]]
) -> tuple[Any, Options]:
    """Return the units of several clusters as one source, with options of each cluster."""
    if len(of_sources) == 1:
        return of_sources[0]
    if not of_sources:  # logs alone
        lacks = frozenset({"history", "commits", "targets"})
        cluster = arguments.cluster_id or "unknown"
        return [], Options(cluster_id=cluster, groups=tuple(arguments.group), lacks=lacks)

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
        yield open_source(arguments, source, cluster)

    for name, units in several.items():
        topics = _topics(arguments, name)
        yield units, Options(cluster_id=name, groups=tuple(arguments.group), topics=topics)


def _topics(arguments: Namespace, cluster: str) -> Mapping[str, TopicFacts] | None:
    """Return what --topics says of the topics of a cluster: its own, else those for all."""
    stated = [audit_inputs.cluster_and_topics(text) for text in arguments.topics]
    return next((topics for name, topics in reversed(stated) if name in {cluster, None}), None)


def check_topics(arguments: Namespace, clusters: set[str]) -> None:
    """Refuse --topics of a cluster that is not audited."""
    for text in arguments.topics:
        name, _ = audit_inputs.cluster_and_topics(text)
        if name is not None and name not in clusters:
            names = ", ".join(sorted(clusters))
            raise Failure(f"--topics {text}: no cluster is called {name}, but {names}", WRONG_USE)


def open_source(arguments: Namespace, source: str, cluster: str | None) -> tuple[Any, Options]:
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
