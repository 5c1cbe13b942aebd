"""InitProducerIdRequest, generated from schemas/InitProducerIdRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    INT64,
    OddBytes,
    OddValue,
    read_bool,
    read_compact_nullable_string,
    read_nullable_string,
    write_bool,
    write_compact_nullable_string,
    write_nullable_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class InitProducerIdRequest(Message, frozen=True, kw_only=True, gc=False):
    """InitProducerIdRequest, versions 0-6.

    A producer asks for its id and epoch; with a transactional id this fences those before it.

    Version 1 (KIP-219): as version 0. Version 2 (KIP-482): flexible. Version 3 (KIP-360): the id and
    epoch so far. Version 4 (KIP-588): as version 3. Version 5 (KIP-890): as version 4; the answer
    has one error more. Version 6 (KIP-939): two-phase commit.

    Attributes:
        transactional_id (string): The name of the transactions, which survives restarts; null
            without. Versions 0-6; may be null; default ''.
        transaction_timeout_ms (int32): After how long the broker aborts a transaction, in
            milliseconds. Versions 0-6; default 0.
        producer_id (int64): The id so far (KIP-360); -1 if none. Versions 3-6; default -1; other
            versions cannot hold it.
        producer_epoch (int16): The epoch so far (KIP-360); -1 if none. Versions 3-6; default -1;
            other versions cannot hold it.
        enable2_pc (bool): Whether somebody else decides about commits (KIP-939). Version 6; default
            False; other versions cannot hold it.
        keep_prepared_txn (bool): Whether an open transaction is kept and not aborted (KIP-939).
            Version 6; default False; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 2-6; default ().
    """

    NAME = "InitProducerIdRequest"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 22
    FRAMING = Framing("none", "refuse")

    transactional_id: str | None = ""
    transaction_timeout_ms: int = 0
    producer_id: int = -1
    producer_epoch: int = -1
    enable2_pc: bool = False
    keep_prepared_txn: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            transactional_id: str | None = ...,
            transaction_timeout_ms: int = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            enable2_pc: bool = ...,
            keep_prepared_txn: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            transactional_id: str | None = ...,
            transaction_timeout_ms: int = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            enable2_pc: bool = ...,
            keep_prepared_txn: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_1(data: bytes, pos: int) -> tuple[InitProducerIdRequest, int]:
    transactional_id, pos = read_nullable_string(data, pos)
    (transaction_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return InitProducerIdRequest(
        transactional_id=transactional_id, transaction_timeout_ms=transaction_timeout_ms
    ), pos


def _write_v0_1(message: InitProducerIdRequest, parts: list[bytes]) -> None:
    if message.producer_id != -1:
        raise OddValue
    if message.producer_epoch != -1:
        raise OddValue
    if message.enable2_pc is not False:
        raise OddValue
    if message.keep_prepared_txn is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_nullable_string(message.transactional_id, parts)
    INT32.write(message.transaction_timeout_ms, parts)


def _read_v2(data: bytes, pos: int) -> tuple[InitProducerIdRequest, int]:
    transactional_id, pos = read_compact_nullable_string(data, pos)
    (transaction_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return InitProducerIdRequest(
        transactional_id=transactional_id,
        transaction_timeout_ms=transaction_timeout_ms,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v2(message: InitProducerIdRequest, parts: list[bytes]) -> None:
    if message.producer_id != -1:
        raise OddValue
    if message.producer_epoch != -1:
        raise OddValue
    if message.enable2_pc is not False:
        raise OddValue
    if message.keep_prepared_txn is not False:
        raise OddValue
    write_compact_nullable_string(message.transactional_id, parts)
    INT32.write(message.transaction_timeout_ms, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v3_5(data: bytes, pos: int) -> tuple[InitProducerIdRequest, int]:
    transactional_id, pos = read_compact_nullable_string(data, pos)
    (transaction_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return InitProducerIdRequest(
        transactional_id=transactional_id,
        transaction_timeout_ms=transaction_timeout_ms,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v3_5(message: InitProducerIdRequest, parts: list[bytes]) -> None:
    if message.enable2_pc is not False:
        raise OddValue
    if message.keep_prepared_txn is not False:
        raise OddValue
    write_compact_nullable_string(message.transactional_id, parts)
    INT32.write(message.transaction_timeout_ms, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[InitProducerIdRequest, int]:
    transactional_id, pos = read_compact_nullable_string(data, pos)
    (transaction_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    enable2_pc, pos = read_bool(data, pos)
    keep_prepared_txn, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return InitProducerIdRequest(
        transactional_id=transactional_id,
        transaction_timeout_ms=transaction_timeout_ms,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        enable2_pc=enable2_pc,
        keep_prepared_txn=keep_prepared_txn,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6(message: InitProducerIdRequest, parts: list[bytes]) -> None:
    write_compact_nullable_string(message.transactional_id, parts)
    INT32.write(message.transaction_timeout_ms, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_bool(message.enable2_pc, parts)
    write_bool(message.keep_prepared_txn, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


InitProducerIdRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3_5, _write_v3_5),
    4: Codec(_read_v3_5, _write_v3_5),
    5: Codec(_read_v3_5, _write_v3_5),
    6: Codec(_read_v6, _write_v6),
}
