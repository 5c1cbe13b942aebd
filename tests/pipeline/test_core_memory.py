"""Memory that does not fit is refused by the compiled core, and nothing is written beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kproto.codec import ConsumerProtocolSubscription
from kproto.codec.runtime import engine
from kproto.pipeline.columnar.columns import Buffers
from kproto.pipeline.columnar.program import program_for
from kproto.pipeline.sources.record_batches import BatchArrays, RecordArrays

pytestmark = pytest.mark.skipif(engine.CORE is None, reason=f"no compiled core: {engine.WHY_NOT}")

DATA = ConsumerProtocolSubscription(topics=["orders"] * 9, user_data=b"u" * 40).to_bytes()
ROWS = 4
STATUS = (np.uint8, np.int32, np.int32, np.int32, np.uint8, np.int32)


def read(buffers: list[Any], status: list[Any] | None = None, chosen: Any = None) -> Any:
    column = pa.array([DATA] * ROWS, pa.binary())
    _, offsets, data = column.buffers()
    made = [np.empty(ROWS, each) for each in STATUS] if status is None else status
    program = program_for(ConsumerProtocolSubscription)
    source = (None, offsets, False, data)
    return program.compiled.read(source, 0, ROWS, ROWS * len(DATA), buffers, made, chosen)


def memory(size: int = ROWS * len(DATA)) -> list[Buffers]:
    columns = program_for(ConsumerProtocolSubscription).columns
    return [column.buffers(ROWS, size) for column in columns]


def test_memory_that_fits() -> None:
    assert read(memory()) is None


@pytest.mark.parametrize(("chosen", "bad"), [([3, 0, 0, 1], None), ([0, 4], 1), ([-1], 0)])
def test_chosen_rows_lie_inside(chosen: list[int], bad: int | None) -> None:
    """Rows that nobody has chosen, though so many are to be read, are outside, too."""
    assert read(memory(), chosen=np.array(chosen, np.int32)) == bad
    if bad is not None:
        assert read(memory(), chosen=np.array([0] * bad, np.int32)) == bad


@pytest.mark.parametrize("size", [0, 40, len(DATA)])
def test_too_little_memory_is_refused_and_not_overrun(size: int) -> None:
    """Each buffer lies between two walls of a known pattern."""
    walled = [
        [None if each is None else between_walls(each) for each in buffers]
        for buffers in memory(size)
    ]
    with pytest.raises(RuntimeError, match="more than there is memory for"):
        read([Buffers(*(each and each[1] for each in buffers)) for buffers in walled])
    for buffers in walled:
        for each in buffers:
            assert each is None or stands(*each)


def between_walls(array: Any) -> tuple[Any, Any]:
    """An array of the same size and content inside of a larger one."""
    whole = np.full(len(array) + 16, 0x5A, array.dtype)
    inside = whole[8 : 8 + len(array)]
    inside[:1] = 0
    return whole, inside


def stands(whole: Any, inside: Any) -> bool:
    return bool((whole[:8] == 0x5A).all() and (whole[8 + len(inside) :] == 0x5A).all())


def test_missing_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="not of the columns"):
        read(memory()[:-1])
    with pytest.raises(ValueError, match="not of the columns"):
        read([Buffers() for _ in memory()])
    with pytest.raises(RuntimeError, match="more than there is memory for"):
        read(memory(), [np.empty(1, each) for each in STATUS])


def test_memory_that_is_lent_twice_is_refused() -> None:
    first, *others = memory()
    shared = np.empty(400, np.uint8)
    status = [
        shared,
        *(np.empty(ROWS, each) for each in STATUS[1:4]),
        shared,
        np.empty(4, np.int32),
    ]
    with pytest.raises(ValueError, match="overlaps with another"):
        read([first, *others], status)
    arrays = RecordArrays.of(100)
    with pytest.raises(ValueError, match="overlaps with another"):
        engine.CORE.read_plain_batches(arrays.keys_data, BatchArrays.of(600), arrays)


def test_memory_that_may_not_be_written_is_refused() -> None:
    fixed = np.empty(9, np.int64)
    fixed.flags.writeable = False
    batches = BatchArrays.of(600)
    for positions in (fixed, bytes(72)):
        with pytest.raises(ValueError, match="may be written to"):
            engine.CORE.read_plain_batches(
                b"", batches._replace(position=positions), RecordArrays.of(100)
            )
    gaps = batches._replace(position=np.empty(18, np.int64)[::2])
    with pytest.raises(ValueError, match="contiguous"):
        engine.CORE.read_plain_batches(b"", gaps, RecordArrays.of(100))
    with pytest.raises(TypeError):
        engine.CORE.next_batch("text", 0)


def test_values_outside_of_their_bytes_are_refused() -> None:
    offsets, made = np.array([0, 9], np.int32), np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="outside of the column's bytes"):
        engine.CORE.checksums(offsets, b"short", 0, made)
    with pytest.raises(ValueError, match="outside of the column's bytes"):
        engine.CORE.join_columns([(offsets, b"short", None, 0)], 1, np.zeros(2, np.int32), made)
    row = (offsets, b"nine byte", None, 0)
    with pytest.raises(ValueError, match="outside of the column's bytes"):
        engine.CORE.member_fingerprints(
            row, row, np.zeros(2, np.int32), np.zeros(4, np.uint8), np.zeros(1, np.uint8)
        )
