"""`kproto audit --redact`: names are hidden, and what was found stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kproto.pipeline.tables.redaction import HIDING
from kproto.pipeline.tables.schemas import TABLES
from kproto.tools.main import main

TOPIC = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"
PLAIN = set(
    "record_kind outcome group_type field code class path cause basis rule severity status "
    "finding_id certainty rivals next_action state not_evaluated level rewound_how "
    "skipped_how clients client_faults cooperative consumer_protocol".split()
)
"""Columns with words of kproto's own."""


def has_text(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind):
        return has_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_struct(kind))


def test_every_column_of_text_is_hidden_or_has_words_of_our_own() -> None:
    texts = {field.name for schema in TABLES.values() for field in schema if has_text(field.type)}
    assert texts == HIDING - {"from_member", "to_member"} | PLAIN


def audited(out: Path, *options: str, status: int) -> dict[str, Any]:
    assert main(["audit", str(TOPIC), "--out", str(out), *options]) == status
    findings: dict[str, Any] = json.loads((out / "findings.json").read_text())
    return findings


def test_what_was_found_stays(tmp_path: Path) -> None:
    plain = audited(tmp_path / "plain", status=1)
    options = ["--redact", "--baseline", str(tmp_path / "plain")]
    hidden = audited(tmp_path / "hidden", *options, status=0)
    facts = ("id", "code", "severity", "firstSeen", "count", "status", "cause", "nextAction")
    assert [[finding[name] for name in facts] for finding in hidden["findings"]] == [
        [finding[name] for name in facts] for finding in plain["findings"]
    ]
    assert {finding["change"] for finding in hidden["findings"]} == {"persisting"}
    for table in TABLES:
        rows, names = (pq.read_table(tmp_path / run / table) for run in ("plain", "hidden"))
        assert names.num_rows == rows.num_rows
        for field in TABLES[table]:
            if pa.types.is_integer(field.type) or pa.types.is_timestamp(field.type):
                assert names.column(field.name) == rows.column(field.name), field.name
            if pa.types.is_binary(field.type):
                assert names.column(field.name).null_count == names.num_rows
    runs = [pq.read_table(tmp_path / run / "current") for run in ("plain", "hidden")]
    plain_groups, hidden_groups = (set(run.column("group_id").to_pylist()) for run in runs)
    assert len(plain_groups) == len(hidden_groups)
