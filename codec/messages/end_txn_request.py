"""EndTxnRequest, generated from schemas/EndTxnRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT64,
    OddBytes,
    OddValue,
    read_bool,
    read_compact_string,
    read_string,
    write_bool,
    write_compact_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class EndTxnRequest(Message, frozen=True, kw_only=True, gc=False):
    """EndTxnRequest, versions 0-5.

    Commits or aborts a transaction.

    Version 1 (KIP-219): as version 0. Version 2 (KIP-588): as version 1. Version 3 (KIP-482):
    flexible. Version 4 (KIP-890): as version 3; the answer has one error more. Version 5 (KIP-890):
    the epoch grows with every transaction.

    Attributes:
        transactional_id (string): The name of the transaction. Versions 0-5; default ''.
        producer_id (int64): The producer's id. Versions 0-5; default 0.
        producer_epoch (int16): The producer's epoch. Versions 0-5; default 0.
        committed (bool): Whether the transaction is committed; aborted if not. Versions 0-5; default
            False.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-5; default ().
    """

    NAME = "EndTxnRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 26
    FRAMING = Framing("none", "refuse")

    transactional_id: str = ""
    producer_id: int = 0
    producer_epoch: int = 0
    committed: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            transactional_id: str = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            committed: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            transactional_id: str = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            committed: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[EndTxnRequest, int]:
    transactional_id, pos = read_string(data, pos)
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    committed, pos = read_bool(data, pos)
    if pos > len(data):
        raise OddBytes
    return EndTxnRequest(
        transactional_id=transactional_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        committed=committed,
    ), pos


def _write_v0_2(message: EndTxnRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.transactional_id, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_bool(message.committed, parts)


def _read_v3_5(data: bytes, pos: int) -> tuple[EndTxnRequest, int]:
    transactional_id, pos = read_compact_string(data, pos)
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    committed, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return EndTxnRequest(
        transactional_id=transactional_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        committed=committed,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v3_5(message: EndTxnRequest, parts: list[bytes]) -> None:
    write_compact_string(message.transactional_id, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_bool(message.committed, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


EndTxnRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3_5, _write_v3_5),
    4: Codec(_read_v3_5, _write_v3_5),
    5: Codec(_read_v3_5, _write_v3_5),
}
