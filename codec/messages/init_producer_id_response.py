"""InitProducerIdResponse, generated from schemas/InitProducerIdResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import INT16, INT32, INT64, OddBytes, OddValue

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class InitProducerIdResponse(Message, frozen=True, kw_only=True, gc=False):
    """InitProducerIdResponse, versions 0-6.

    The id and epoch of a producer.

    Version 1 (KIP-219): throttled after the answer, not before it. Version 2 (KIP-482): flexible.
    Version 3 (KIP-360): as version 2. Version 4 (KIP-588): PRODUCER_FENCED. Version 5 (KIP-890):
    TRANSACTION_ABORTABLE. Version 6 (KIP-939): the transaction that is still open.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 0-6; default 0.
        error_code (int16): Why there is no id; 0 if there is. Versions 0-6; default 0.
        producer_id (int64): The producer's id; -1 with an error. Versions 0-6; default -1.
        producer_epoch (int16): The producer's epoch. Versions 0-6; default 0.
        ongoing_txn_producer_id (int64): The producer of the transaction that is still open (KIP-939);
            -1 if none is. Version 6; default -1; other versions cannot hold it.
        ongoing_txn_producer_epoch (int16): That producer's epoch (KIP-939); -1 if no transaction is
            open. Version 6; default -1; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 2-6; default ().
    """

    NAME = "InitProducerIdResponse"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 22
    FRAMING = Framing("none", "refuse")

    throttle_time_ms: int = 0
    error_code: int = 0
    producer_id: int = -1
    producer_epoch: int = 0
    ongoing_txn_producer_id: int = -1
    ongoing_txn_producer_epoch: int = -1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            ongoing_txn_producer_id: int = ...,
            ongoing_txn_producer_epoch: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            producer_id: int = ...,
            producer_epoch: int = ...,
            ongoing_txn_producer_id: int = ...,
            ongoing_txn_producer_epoch: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_1(data: bytes, pos: int) -> tuple[InitProducerIdResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return InitProducerIdResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
    ), pos


def _write_v0_1(message: InitProducerIdResponse, parts: list[bytes]) -> None:
    if message.ongoing_txn_producer_id != -1:
        raise OddValue
    if message.ongoing_txn_producer_epoch != -1:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)


def _read_v2_5(data: bytes, pos: int) -> tuple[InitProducerIdResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return InitProducerIdResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v2_5(message: InitProducerIdResponse, parts: list[bytes]) -> None:
    if message.ongoing_txn_producer_id != -1:
        raise OddValue
    if message.ongoing_txn_producer_epoch != -1:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[InitProducerIdResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    (ongoing_txn_producer_id,), pos = INT64.unpack(data, pos), pos + 8
    (ongoing_txn_producer_epoch,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return InitProducerIdResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        ongoing_txn_producer_id=ongoing_txn_producer_id,
        ongoing_txn_producer_epoch=ongoing_txn_producer_epoch,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v6(message: InitProducerIdResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    INT64.write(message.producer_id, parts)
    INT16.write(message.producer_epoch, parts)
    INT64.write(message.ongoing_txn_producer_id, parts)
    INT16.write(message.ongoing_txn_producer_epoch, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


InitProducerIdResponse._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
    2: Codec(_read_v2_5, _write_v2_5),
    3: Codec(_read_v2_5, _write_v2_5),
    4: Codec(_read_v2_5, _write_v2_5),
    5: Codec(_read_v2_5, _write_v2_5),
    6: Codec(_read_v6, _write_v6),
}
