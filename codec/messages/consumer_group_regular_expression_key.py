"""ConsumerGroupRegularExpressionKey, generated from schemas/ConsumerGroupRegularExpressionKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, VersionedMessage
from ..wire.primitives import OddBytes, read_string, write_string

if TYPE_CHECKING:
    from typing import Self


class ConsumerGroupRegularExpressionKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupRegularExpressionKey, versions 0.

    The key of a pattern that members of a group subscribe by (KIP-848): record type 16.

    Attributes:
        group_id (string): The group's id. Version 0; default ''.
        regular_expression (string): The pattern, in RE2's syntax. Version 0; default ''.
    """

    NAME = "ConsumerGroupRegularExpressionKey"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 16
    FRAMING = Framing("record-type", "refuse")

    group_id: str = ""
    regular_expression: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            regular_expression: str = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            regular_expression: str = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    group_id, pos = read_string(data, pos)
    regular_expression, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupRegularExpressionKey(
        group_id=group_id, regular_expression=regular_expression
    ), pos


def _write_v0(message: ConsumerGroupRegularExpressionKey, parts: list[bytes]) -> None:
    write_string(message.group_id, parts)
    write_string(message.regular_expression, parts)


ConsumerGroupRegularExpressionKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupRegularExpressionKey._by_header = {
    16: _read_v0,
}
ConsumerGroupRegularExpressionKey._headers = {
    0: b"\x00\x10",
}
