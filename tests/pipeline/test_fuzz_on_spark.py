"""A campaign on executors: its pieces, and the target that compares the columnar decoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from kproto.fuzz.campaign import CampaignSettings, DistributedCampaign, State
from kproto.fuzz.seeds import seeds, shipped
from kproto.fuzz.targets import Broken, load
from kproto.pipeline import columnar
from kproto.pipeline.spark.tasks import scattered

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

AGREEMENT = "kproto.tools.columnar_agreement"


@pytest.mark.slow
def test_a_campaign_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    pytest.importorskip("atheris")

    def carry(function: Callable[[bytes], bytes], orders: Sequence[bytes]) -> list[bytes]:
        return scattered(spark, function, orders)

    asked = CampaignSettings(
        (AGREEMENT, "round-trip-consumer"), "atheris", seed=3, runs=100, jobs=2
    )
    made = DistributedCampaign(State.new(asked), tmp_path, carry)
    made.run(lambda: None)
    assert not list(made.store)
    for one in made.state.targets.values():
        assert (one.executions, one.done, one.left) == (100, True, "")
    assert list((made.corpus / "round-trip-consumer").iterdir())


def test_inputs_of_all_kinds_agree() -> None:
    target = load(AGREEMENT)
    for data in (*seeds(AGREEMENT), *shipped("decoder-agreement")):
        target.check(data)
        target.check(data[:-1])


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from kproto.codec import ConsumerProtocolAssignment

    real = columnar.decode_column
    monkeypatch.setattr(
        columnar, "decode_column", lambda _, *more: real(pa.nulls(len(_), pa.binary()), *more)
    )
    data = ConsumerProtocolAssignment(assigned_partitions=[]).to_bytes()
    with pytest.raises(Broken, match=r"codec: {'message'"):
        load(AGREEMENT).check(b"ConsumerProtocolAssignment\n" + data)
