"""That both decoders say the same of rows."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from kproto.codec import Message
from kproto.tools.columnar_agreement import by_codec as expected
from kproto.tools.columnar_agreement import differing

__all__ = ["check", "expected"]


def check(
    rows: Sequence[bytes | None],
    message_class: type[Message],
    body_versions: tuple[int, ...] = (),
    *,
    type_: pa.DataType = pa.binary(),  # noqa: B008  # a value, as an int is
) -> pa.StructArray:
    """Assert that both say the same of each row; gives what the columnar one says."""
    return differing(pa.array(rows, type_), message_class, body_versions)
