"""A fleet by somebody who knows Kafka and not kproto: whatever went wrong is found, nothing else,
in process, on executors that die, and from a DataFrame.
"""

from __future__ import annotations

import json
import pickle
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kproto.pipeline.audit import BrokerState
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import clusters_of
from kproto.pipeline.sources.units import of_cluster
from kproto.pipeline.spark.java import NoJava, find_java_home
from kproto.pipeline.tables.publishing import Destination
from tests.conftest import do_without

from .conftest import last_line_of
from .kafka_clusters import MINUTE, NOW, Cluster
from .kafka_fleet import LAYOUTS, write
from .kafka_log import Entry, as_consumed, cleaned, logged, partition_of

_SEED = 20
_SECONDS = 1200
_FLAPPING = {"flapping-member": "warning"}

FOUND: dict[str, dict[str, str]] = {
    "stopped": {"lag-stopped": "error"},
    "left behind": {"lag-stopped": "warning"},
    "one partition stopped": {"lag-stopped": "error", "stuck-partition": "error"},
    "stalled": {"lag-stalled": "error"},
    "falling behind": {"lag-falling-behind": "error"},
    "rewound": {"offset-rewound": "warning"},
    "two readers": {"offset-rewound": "warning"},
    "crash loop": {"rebalance-storm": "error"} | _FLAPPING,
    "crash loop that is over": {"rebalance-storm": "error"} | _FLAPPING,
    "crash loop alone": {"rebalance-storm": "error"} | _FLAPPING,
    "crash loop of pods": {"rebalance-storm": "error"},
    "restless": {"rebalance-storm": "error"},
    "steps that nobody recorded": {"rebalance-storm": "error"},
    "steps that were compacted away": {"rebalance-storm": "error"},
    "too slow to poll": {"slow-poll": "warning"} | _FLAPPING,
    "cut short": {"unreadable-record": "error"},
    "was cut short": {"unreadable-record": "warning"},
    "two of one name": {"static-ping-pong": "error"},
    "kafka-go beside Java": {"unreadable-member": "warning"},
    "does not finish": {"stuck-rebalance": "error"},
}
"""What is found of each trouble, besides remarks: the rules and their severities."""
OVER = {"crash loop that is over", "steps that were compacted away"}
BY_THE_CLOCK = {"_by_the_hour", "_every_ten_minutes", "_every_five_minutes", "_parallel_job"}
_NO_ENDS = ["ends: DESCRIBE on the topics salaries, unless they were deleted in north"]
NOT_EVALUATED = {
    "client-setting": ["settings"],
    "does-not-exist": [
        "topics: DESCRIBE on the topics salaries, unless they were deleted in north"
    ],
    "offset-out-of-range": _NO_ENDS,
    "lag-stopped": _NO_ENDS,
    "lag-stalled": _NO_ENDS,
    "lag-falling-behind": _NO_ENDS,
    "stuck-rebalance": [
        "states in west",
        "states: DESCRIBE on the cluster, or on the groups in north",
    ],
}
"""What the audit has to say of rights that are withheld, and of a source that has no states."""


class Fleet(NamedTuple):
    """The fleet on disk, its truth, and the audit of it in process."""

    folder: Path
    clusters: dict[str, Cluster]
    options: Options
    audit: Audit


def options_of(cluster: Cluster) -> Options:
    """What is known of a cluster besides its segments: of east by brokers that tell everything, of
    west by a file with the ends of topics, of north by brokers that tell a principal less.
    """
    topics = {
        name: TopicFacts(
            partitions=about.partitions,
            ends=about.ends(NOW),
            ends_before=about.ends(NOW - 5 * MINUTE),
        )
        for name, about in cluster.topics.items()
        if name not in cluster.hidden
    }
    states = {name: BrokerState(*state) for name, state in cluster.states.items()}
    withheld = {"states": "DESCRIBE on the cluster, or on the groups"}
    return Options(
        cluster_id=cluster.name,
        topics=topics,
        states=states if LAYOUTS[cluster.name].states else None,
        now=None if cluster.name == "west" else NOW,
        withheld=withheld if cluster.name == "north" else {},
    )


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Fleet:
    folder = tmp_path_factory.mktemp("fleet")
    clusters = write(folder, _SEED)
    options = Options(clusters=tuple(map(options_of, clusters.values())))
    units = [
        unit
        for name, found in clusters_of(str(folder / "fleet")).items()
        for unit in of_cluster(found, name)
    ]
    destination = Destination.new(str(folder / "undisturbed"), replace=False)
    return Fleet(folder, clusters, options, run_audit(units, destination, options))


def findings_by_group(audit: Audit) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in audit.findings.to_pylist():
        found[row["cluster_id"], row["group_id"]].append(row)
    return found


@pytest.mark.slow
def test_every_planted_trouble_is_found_and_nothing_else(fleet: Fleet) -> None:
    found = findings_by_group(fleet.audit)
    loud = {
        group: {row["rule"]: (row["severity"], row["status"]) for row in rows if _is_loud(row)}
        for group, rows in found.items()
    }
    planted = {(name, each.group): each.trouble for name, cluster in fleet.clusters.items()
               for each in cluster.planted}  # fmt: skip
    expected = {
        group: {
            rule: (severity, "over" if trouble in OVER else "open")
            for rule, severity in FOUND[trouble].items()
        }
        for group, trouble in planted.items()
    }
    different = {
        group: (loud.get(group, {}), expected.get(group, {}))
        for group in loud.keys() | expected.keys()
        if loud.get(group, {}) != expected.get(group, {})
    }
    assert different == {}
    assert set(planted.values()) == FOUND.keys()


def _is_loud(row: dict[str, Any]) -> bool:
    return bool(row["severity"] != "info")


@pytest.mark.slow
def test_the_partitions_are_those_that_have_the_trouble(fleet: Fleet) -> None:
    found = findings_by_group(fleet.audit)
    for name, cluster in fleet.clusters.items():
        for each in cluster.planted:
            if not each.partitions:
                continue
            (first, *_) = FOUND[each.trouble]
            (row,) = (row for row in found[name, each.group] if row["rule"] == first)
            named = {at["partition"] for at in json.loads(row["evidence"])["partitions"]}
            assert named == each.partitions, (name, each)


@pytest.mark.slow
def test_who_runs_by_the_clock_is_remarked_on_at_most(fleet: Fleet) -> None:
    found = findings_by_group(fleet.audit)
    for name, cluster in fleet.clusters.items():
        for group, kind in cluster.healthy.items():
            rules = {row["rule"] for row in found[name, group]}
            assert [row for row in found[name, group] if _is_loud(row)] == []
            if kind in BY_THE_CLOCK:
                assert rules & {"scheduled-consumer", "flapping-member"}, (name, group)


@pytest.mark.slow
def test_every_group_is_there_and_what_cannot_be_known_is_said(fleet: Fleet) -> None:
    current = {(row["cluster_id"], row["group_id"]) for row in fleet.audit.current.to_pylist()}
    for name, cluster in fleet.clusters.items():
        assert cluster.healthy.keys() | {each.group for each in cluster.planted} == {
            group for of, group in current if of == name
        }
    assert fleet.audit.not_evaluated == NOT_EVALUATED


@pytest.fixture(scope="module")
def disturbed(fleet: Fleet) -> Path:
    """The folder with the audits on Spark, of which five executors die."""
    pytest.importorskip("pyspark")
    try:
        find_java_home()
    except NoJava as reason:
        do_without(reason)
    (fleet.folder / "options").write_bytes(pickle.dumps(fleet.options))
    arguments = (fleet.folder, fleet.folder / "fleet", "fleet")
    struck = last_line_of("on_dying_executors.py", *arguments, seconds=_SECONDS)
    assert struck == [
        "before the commit 0.struck", "dataframe 0.struck", "dataframe 1.struck",
        "reading 0.struck", "reading 1.struck",
    ]  # fmt: skip
    return fleet.folder


@pytest.mark.long
def test_the_findings_of_executors_that_die_are_the_same(fleet: Fleet, disturbed: Path) -> None:
    out = disturbed / "cluster"
    manifest = json.loads((out / "manifest.json").read_text())
    (file,) = manifest["tables"]["findings"]
    assert pq.read_table(out / file["file"]).to_pylist() == fleet.audit.findings.to_pylist()
    assert manifest["not_evaluated"] == NOT_EVALUATED


@pytest.mark.long
def test_the_findings_from_a_dataframe_are_the_same(fleet: Fleet, disturbed: Path) -> None:
    """But for the places of records: a table has no files of segments."""
    out = disturbed / "dataframe"
    there = pq.read_table(out / "findings")
    assert _without_sources(there) == _without_sources(fleet.audit.findings)
    assert json.loads((out / "not-evaluated.json").read_text()) == NOT_EVALUATED


def _without_sources(findings: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = findings.to_pylist()
    for row in rows:
        row["evidence"] = {
            name: value for name, value in json.loads(row["evidence"]).items() if name != "source"
        }
    return rows


# -- the generator


@pytest.mark.parametrize(
    ("group", "java"),
    [("hello", 99_162_322), ("polygenelubricants", 0)],  # the smallest int32, without its sign
)
def test_a_group_has_the_partition_that_java_computes(group: str, java: int) -> None:
    assert partition_of(group, 50) == java % 50


def test_the_cleaner_leaves_the_last_record_of_a_key() -> None:
    log = logged(
        [
            Entry(1, b"a", b"1"), Entry(2, b"b", b"2"), Entry(3, b"a", b"3"),
            Entry(4, b"a", b"4", producer=7, committed=False), Entry(5, None, None, 7, False),
            Entry(6, b"a", b"5"), Entry(7, b"a", None),
        ]
    )  # fmt: skip
    kept = cleaned(log, 6)
    assert [row.entry.value for row in as_consumed(kept)] == [b"2", b"3", b"5", None]
    assert [row.offset for row in kept] == [1, 2, 4, 5, 6]
