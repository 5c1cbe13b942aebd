"""Audit all consumer groups: which are in trouble, since when, why, and what to do first.

SOURCE is a folder with the log segments of the offsets topic (a broker's, or copies of several
brokers'), a file or folder of its records as parquet, JSON lines or CSV (columns key and value), a
packet capture, a URI of any of these (s3, gs, abfs, hdfs; with --spark all that Spark reads), or a
live broker (kafka://host:9092). It is never written to: no group is joined, nothing is committed.
Logs of brokers and clients, or a folder of them, are sources, too, beside one of these or alone:
what `kproto story` tells of them are findings.
DIR gets the tables as parquet, findings.json, findings.sarif, metrics.txt and report.html. A
group's rank is by its score: for each finding 1 (info), 10 (warning), 100 (error) or 1000
(critical), a quarter of it once it is over.
`kproto explain RULE` says what a rule means.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError

from ..input import inputs
from ..options.shared_options import (
    add_client,
    add_client_settings,
    add_stated_clients,
    duration,
)
from ..output.terminal import add_output, add_pager, add_redact

_LOSSES = ("fail", "earliest", "latest")
SEVERITIES = ("info", "warning", "error", "critical")

# Arrow reads this when it is loaded; its own allocator keeps what a partition has needed.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

EXTRA = "audit"
"""What the command needs beyond the base installation."""


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto audit`."""
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
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="error",
        help="the lowest severity of a finding that makes the status 1, whether it still holds or "
        "is over; default: error",
    )
    inputs.add_selection(parser, inputs.names_in, "rebalance-storm,slow-poll")
    parser.add_argument(
        "--threshold",
        metavar="RULE.NAME=N",
        action="append",
        default=[],
        help="of a rule, as `kproto explain RULE` lists them: rebalance-storm.generations=20; may "
        "be given again",
    )
    parser.add_argument(
        "--group",
        metavar="NAME",
        action="append",
        default=[],
        help="only these groups; * and ? match; may be given again",
    )
    inputs.add_since(parser, text="only findings seen since: 2h, 7d, 2026-01-31")
    parser.add_argument(
        "--topics",
        metavar="TOPIC=N,... | @FILE",
        action="append",
        default=[],
        help='what topics have: orders=12,users=6, or a file of JSON: {"orders": 12}, with ends '
        "too; of one cluster CLUSTER=@FILE",
    )
    add_client_settings(parser)
    add_stated_clients(parser)
    parser.add_argument(
        "--teams",
        metavar="FILE",
        help='whose a group is, as JSON: {"orders-*": "team"}; a name counts before a pattern, and '
        "a longer pattern before a shorter one",
    )
    parser.add_argument(
        "--team",
        metavar="NAME",
        action="append",
        default=[],
        help="only the groups of this team, by --teams; * and ? match; may be given again",
    )
    parser.add_argument(
        "--baseline",
        metavar="FILE|DIR",
        help="what is known: a file of --write-baseline, or the folder of an earlier audit. The "
        "report marks findings as new, persisting or gone, and --fail-on counts the new ones",
    )
    parser.add_argument(
        "--baseline-groups",
        action="store_true",
        help="metrics.txt has the group of each finding that is new, persisting or gone, too: "
        "kproto_findings_since_baseline",
    )
    parser.add_argument(
        "--write-baseline", metavar="FILE", help="keep all findings of this audit as a baseline"
    )
    parser.add_argument(
        "--junit",
        metavar="FILE",
        help="write JUnit XML: a test case for each rule and group with a finding, which fails by "
        "what --fail-on counts",
    )
    parser.add_argument(
        "--partition-lag",
        action="store_true",
        help="metrics.txt has the lag of each partition, too: kproto_partition_lag",
    )
    parser.add_argument("--cluster-id", metavar="ID", help="default: what meta.properties says")
    add_output(parser, "findings.json")
    add_redact(parser)
    add_pager(parser)
    parser.add_argument(
        "--encoding",
        choices=("binary", "hex", "base64"),
        help="of key and value that are text in a table; default: as each file shows",
    )
    add_client(parser)
    parser.add_argument(
        "--for",
        dest="watch",
        metavar="DURATION",
        type=duration,
        default=0.0,
        help="ask a broker again for groups that are rebalancing, for so long; default: ask once",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_cores,
        help="cores; more than one are Spark's, on this machine; default: 1, for much input all",
    )
    parser.add_argument(
        "--spark", metavar="MASTER", nargs="?", const="local[*]", help="run on Spark (local[*])"
    )
    _add_catalog(parser)
    _add_follow(parser)


def _add_catalog(parser: ArgumentParser) -> None:
    """Add the arguments that write tables of a catalog."""
    group = parser.add_argument_group("tables of a catalog, on Spark")
    group.add_argument(
        "--catalog",
        metavar="NAMESPACE",
        help="write NAMESPACE.TABLE of Spark's catalogs, too: Delta, Iceberg, parquet",
    )
    group.add_argument(
        "--provider", metavar="FORMAT", help="delta, iceberg, parquet; default: the catalog's own"
    )
    group.add_argument(
        "--mode",
        choices=("error", "append", "overwrite"),
        default="error",
        help="what becomes of tables that exist; default: error, before anything is read",
    )
    group.add_argument(
        "--partition-by",
        metavar="COLUMN",
        action="append",
        default=[],
        help="partition the tables that have this column by it; may be given again",
    )


def _add_follow(parser: ArgumentParser) -> None:
    """Add the arguments of `--follow`."""
    group = parser.add_argument_group("following a broker")
    group.add_argument(
        "--follow",
        action="store_true",
        help="keep auditing until Ctrl-C, and go on from DIR when started again; a change is a "
        "line, with --json an object",
    )
    group.add_argument(
        "--every",
        metavar="DURATION",
        type=duration,
        default=1.0,
        help="between batches; default: 1s",
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
        metavar="DURATION",
        type=duration,
        default=60.0,
        help="how often to check for missing activity; default: 1m",
    )
    group.add_argument(
        "--forget-after",
        metavar="DURATION",
        type=duration,
        default=604_800.0,
        help="keep nothing of a group without members that is silent for so long; default: 7d",
    )


def _cores(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)
