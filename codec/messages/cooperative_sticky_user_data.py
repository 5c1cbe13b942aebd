"""CooperativeStickyUserData, generated from schemas/CooperativeStickyUserData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message
from ..wire.primitives import INT32, OddBytes

if TYPE_CHECKING:
    from typing import Self


class CooperativeStickyUserData(Message, frozen=True, kw_only=True, gc=False):
    """CooperativeStickyUserData, versions 0.

    The user data of a subscription under Java's `cooperative-sticky` assignor. The partitions stand
    in the subscription itself (ownedPartitions); only their generation is here, and is read where
    the subscription's own is missing or negative: in versions 0 and 1 (KIP-792). Nothing in front.

    Attributes:
        generation (int32): The generation in which the member got what it owns; -1 if in none.
            Version 0; default -1.
    """

    NAME = "CooperativeStickyUserData"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = None
    FRAMING = Framing("none", "refuse")

    generation: int = -1

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            generation: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            generation: int = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[CooperativeStickyUserData, int]:
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return CooperativeStickyUserData(generation=generation), pos


def _write_v0(message: CooperativeStickyUserData, parts: list[bytes]) -> None:
    INT32.write(message.generation, parts)


CooperativeStickyUserData._codecs = {
    0: Codec(_read_v0, _write_v0),
}
