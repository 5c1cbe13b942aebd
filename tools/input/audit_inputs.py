"""What `kproto audit` is given beside its options: places, and files with a JSON object each."""

from __future__ import annotations

import json
import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec

from ... import pipeline
from ...cluster.config.settings import SCHEME
from ...extras import missing
from ...files import read_bounded
from ...pipeline.groups.options import Partitions, TopicFacts
from ...pipeline.groups.teams import Teams
from ...pipeline.run.units import is_table
from ...pipeline.sources.places import cluster_of, filesystem
from ...wording import is_named, no_such
from ..options.shared_options import partition_counts
from ..output.failures import WRONG_USE, Failure, unreadable
from ..spark import command_session, require_pandas

if TYPE_CHECKING:
    from pyarrow import fs
    from pyspark.sql import SparkSession

_NOT_WITH = (
    "redact",
    "partition_lag",
    "baseline",
    "baseline_groups",
    "write_baseline",
    "junit",
    "since",
    "jobs",
    "watch",
    "replace",
    "team",
)


def check_follow(arguments: Namespace) -> None:
    """Refuse arguments that do not go with `--follow`."""
    if len(arguments.sources) > 1:
        line = "one broker is followed at a time, and no log beside it: start one for each cluster"
        raise Failure(line, WRONG_USE)
    if not cluster_and_place(arguments.sources[0])[1].startswith(SCHEME):
        line = f"only a broker can be followed: {SCHEME}host:9092; a folder is audited as it is"
        raise Failure(line, WRONG_USE)
    for name in _NOT_WITH:
        if getattr(arguments, name):
            option = "for" if name == "watch" else name.replace("_", "-")
            raise Failure(f"--{option} makes no sense with --follow", WRONG_USE)
    if arguments.max_records < 1:
        raise Failure("--max-records: at least 1", WRONG_USE)
    try:
        pipeline.require_data_sources("--follow")
    except ImportError:
        raise Failure(missing("--follow", "pyspark", "spark"), WRONG_USE) from None
    require_pandas("--follow")


def json_object(path: str | None, kind: Any = Any, example: str = "") -> dict[str, Any]:
    """Return the values of a JSON object in a file by name, each converted to `kind`; nothing
    without a file. `example` is an example for error messages.
    """
    if path is None:
        return {}
    try:
        read = json.loads(read_bounded(path))
    except OSError as error:
        raise unreadable(path, error) from None
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path} is no JSON: {error}", WRONG_USE) from None
    if not isinstance(read, dict):
        raise Failure(f"{path}: one JSON object is expected", WRONG_USE)
    return {name: _as(kind, value, f"{path}: {name}", example) for name, value in read.items()}


def _as(kind: Any, value: Any, where: str, example: str) -> Any:
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise Failure(f"{where}: {error}; such as {example}", WRONG_USE) from None


def teams_in(arguments: Namespace) -> Teams:
    """Return the team of each group. Raises Failure for a --team that none is of."""
    teams = Teams(json_object(arguments.teams, str, '{"group": "team"}'))
    names = teams.names
    missing = [team for team in arguments.team if not any(is_named(name, [team]) for name in names)]
    if missing and not arguments.teams:
        raise Failure("--team needs --teams FILE, which says whose a group is", WRONG_USE)
    if missing:
        raise Failure(f"--team: {no_such('team', missing, names)}", WRONG_USE)
    return teams


def cluster_and_topics(text: str) -> tuple[str | None, dict[str, TopicFacts]]:
    """Return the cluster, None for all, and the topics of a text: `orders=12,users=6`, `@FILE` or
    `CLUSTER=@FILE`. Raises Failure.
    """
    cluster, at, path = text.partition("@")
    if at and (not cluster or cluster.endswith("=")):
        return cluster.removesuffix("=") or None, _topics_in(path)
    try:
        counts = partition_counts(text)
    except ArgumentTypeError as error:
        raise Failure(f"--topics: {error}; a file is @{text}", WRONG_USE) from None
    return None, {name: TopicFacts(partitions=partitions) for name, partitions in counts.items()}


def _topics_in(path: str) -> dict[str, TopicFacts]:
    example = '{"orders": 12} or {"orders": {"partitions": 12, "ends": {"0": 9}}}'
    read = json_object(path, Partitions | TopicFacts, example)
    facts_by_topic = {
        name: value if isinstance(value, TopicFacts) else TopicFacts(partitions=value)
        for name, value in read.items()
    }
    for name, facts in facts_by_topic.items():
        partitions = (*facts.ends, *facts.ends_before, *facts.starts)
        beyond = [partition for partition in partitions if not 0 <= partition < facts.partitions]
        if beyond:
            line = f"{path}: {name} has {facts.partitions} partitions, and an end of {beyond[0]}"
            raise Failure(f"{line}; they count from 0", WRONG_USE)
    return facts_by_topic


_WITHIN = "--out {out} is SOURCE, or inside of it: an audit never writes there"
_NAMED = re.compile(r"([A-Za-z0-9][\w.-]*)=(.*)", re.DOTALL)


def cluster_and_place(text: str) -> tuple[str | None, str]:
    """Return the cluster and the place in `CLUSTER=PLACE`; no cluster where the text is a place."""
    match = _NAMED.fullmatch(text)
    if match is None or Path(text).exists():
        return None, text
    return match[1], match[2]


def tables_together(places: Sequence[tuple[str | None, str]]) -> list[str]:
    """Return the files that are read as one table, of one cluster: those with records whose cluster
    nobody names, where there are several."""
    tables = [
        place
        for cluster, place in places
        if cluster is None and "://" not in place and cluster_of(place) is None and is_table(place)
    ]
    return tables if len(tables) > 1 else []


_NO_STDIN = (
    "SOURCE is -: an audit does not read standard input; save it under a name that says what it is"
    " (records.jsonl, .csv, .parquet, .pcap, server.log), and give that"
)


def check_named(source: str, out: str) -> None:
    """Refuse an empty name, which is a variable that was not set and not the current folder, and
    standard input."""
    for name, place in (("SOURCE", source), ("--out", out)):
        if not place.strip():
            raise Failure(f"{name} is empty: a place is wanted", WRONG_USE)
    if source == "-":
        raise Failure(_NO_STDIN, WRONG_USE)


def session_for(master: str | None, place: str) -> SparkSession | None:
    """Return the session of Spark that reads a place by a file system of its own: with --spark, and
    where it has one. None where pyarrow, or this machine, reads it.
    """
    if master is None or "://" not in place:
        return None
    spark = command_session(master)
    return spark if pipeline.has_file_system(spark, place) else None


def check_apart(source: str, out: str, *, by_spark: bool = False) -> None:
    """Raise `Failure` where the audit would be written into its source, or around it."""
    if source.startswith(SCHEME):
        return
    if by_spark:
        if f"{out}/".startswith(f"{source.rstrip('/')}/"):
            raise Failure(_WITHIN.format(out=out), WRONG_USE)
        return
    store, read = _place(source)
    out_store, out_path = _place(out)
    if store != out_store:
        return
    if out_path.is_relative_to(read):
        raise Failure(_WITHIN.format(out=out), WRONG_USE)
    if read.is_relative_to(out_path) and not store.get_file_info(str(read)).is_file:
        line = f"SOURCE {source} is inside of --out {out}: an audit has a folder of its own"
        raise Failure(line, WRONG_USE)


def _place(uri: str) -> tuple[fs.FileSystem, PurePath]:
    store, path = filesystem(uri)
    local = store.type_name == "local"
    return store, Path(path).resolve() if local else PurePosixPath(path)
