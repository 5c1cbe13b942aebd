"""ConsumerGroupRegularExpressionKey, generated from schemas/ConsumerGroupRegularExpressionKey.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, VersionedMessage
from ..versions import VersionRange
from ..wire import OddBytes, pack_strings, short_strings, strings

if TYPE_CHECKING:
    from typing import Self

_pack__string = pack_strings("")
_pack_h_string_h = pack_strings("h", "h")
_short_string_u_h = short_strings("H")
_string = strings("")


class ConsumerGroupRegularExpressionKey(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupRegularExpressionKey, versions 0."""

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
    group_id_size = data[pos + 1]
    high, raw, regular_expression_size = _short_string_u_h[group_id_size](data, pos)
    if high:
        raise OddBytes
    pos += group_id_size + 4
    group_id = raw.decode()
    (raw,) = _string[regular_expression_size](data, pos)
    pos += regular_expression_size
    regular_expression = raw.decode()
    return ConsumerGroupRegularExpressionKey(
        group_id=group_id, regular_expression=regular_expression
    ), pos


def _write_v0(message: ConsumerGroupRegularExpressionKey, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    regular_expression_raw = message.regular_expression.encode()
    add(
        _pack_h_string_h[len(group_id_raw)](
            len(group_id_raw), group_id_raw, len(regular_expression_raw)
        )
    )
    add(_pack__string[len(regular_expression_raw)](regular_expression_raw))


ConsumerGroupRegularExpressionKey._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ConsumerGroupRegularExpressionKey._by_header = {
    16: _read_v0,
}
ConsumerGroupRegularExpressionKey._headers = {
    0: b"\x00\x10",
}
