"""Walks by shape end where Kafka's own writer ended."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import Policy, decode, message_class
from kproto.codec.messages.shapes import SHAPES
from kproto.codec.shape import Shape
from kproto.inspector.skim import STEPS, Skimmed

from .samples import vectors

VALID = list(vectors("group-messages.jsonl"))


def shape_of(name: str, version: int) -> Shape:
    return next(shape for low, high, shape in SHAPES[name][1] if low <= version <= high)


def test_what_java_wrote_ends_at_its_end() -> None:
    for vector in VALID:
        body = bytes.fromhex(vector["hex"])
        for tail in (b"", b"\x01\x02\x03"):
            walk = Skimmed(body + tail, 0, shape_of(vector["name"], vector["version"]))
            assert walk.fits, vector
            assert walk.end == len(body), vector


def test_every_built_in_message_has_a_shape_for_every_version() -> None:
    for name, (front, shapes) in SHAPES.items():
        cls = message_class(name)
        assert front == (cls.FRAMING.kind, cls.FRAMING.newer, cls.API_KEY)
        covered = [version for low, high, _ in shapes for version in range(low, high + 1)]
        assert covered == list(cls.VERSIONS)


@pytest.mark.parametrize("name", ["ConsumerProtocolSubscription", "JoinGroupRequest"])
@given(data=st.binary(max_size=60))
def test_what_the_decoder_reads_to_its_end_fits(name: str, data: bytes) -> None:
    cls = message_class(name)
    for version in cls.VERSIONS:
        seen = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        walk = Skimmed(data, 0, shape_of(name, version))
        if seen.complete:
            assert walk.fits
            assert walk.end == len(data) - len(seen.remainder)


def test_a_walk_gives_up_in_time() -> None:
    walk = Skimmed(b"\0\x01\0\0" + b"\0\0" * (STEPS << 6), 0, (("int32", ("string",)),))
    assert walk.fits
    assert walk.end is None
