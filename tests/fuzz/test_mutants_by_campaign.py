"""Campaigns find the mutants, and nothing in the codecs that they were made from."""

from __future__ import annotations

import pytest

from .mutants import by_campaign
from .mutants.codec import Codec, Fault
from .mutants.faults import FAULTS
from .mutants.flexible import FlexibleCodec

TRIED = [fault for fault in FAULTS if not fault.is_large]


@pytest.mark.parametrize("fault", TRIED[::7], ids=lambda fault: fault.make.__name__)
def test_a_campaign_finds_it(fault: Fault) -> None:
    assert by_campaign.hunt(fault, seed=1) is not None


@pytest.mark.slow
@pytest.mark.parametrize("codec", [Codec, FlexibleCodec])
def test_a_campaign_finds_nothing_in_a_codec_without_a_fault(
    codec: type[Codec] | type[FlexibleCodec],
) -> None:
    assert by_campaign.hunt(Fault(codec, "nothing", "nobody"), seed=1, seconds=2.0) is None
