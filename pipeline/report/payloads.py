"""Payloads of members, as the inspector shows them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from io import StringIO
from typing import Any

from rich.console import Console

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Message,
    Policy,
    decode,
)
from ...inspector import Inspection, examine
from ...inspector.diagnose.fingerprints import fingerprint

__all__ = ["inspected", "writers"]

_WIDTH = 110
_CLASSES: dict[str, type[Message]] = {
    "subscription": ConsumerProtocolSubscription,
    "assignment": ConsumerProtocolAssignment,
}


def inspected(data: str, field: str) -> str:
    """Return the inspector's view of bytes (in hex) as plain text."""
    console = Console(
        width=_WIDTH, record=True, file=StringIO(), markup=False, emoji=False, highlight=False,
        color_system=None, legacy_windows=False,
    )  # fmt: skip
    console.print(Inspection(examine(bytes.fromhex(data), _CLASSES[field])))
    return console.export_text()


def writers(member: Mapping[str, Any]) -> tuple[str, ...]:
    """Return short names of the clients that could have written a member's metadata."""
    if member["protocol_type"] != "consumer" or not member["metadata"]:
        return ()
    return _writers(member["metadata"], member["protocol"])


@lru_cache(maxsize=4096)
def _writers(metadata: bytes, protocol: str | None) -> tuple[str, ...]:
    seen = decode(metadata, ConsumerProtocolSubscription, policy=Policy.LENIENT)
    return fingerprint(seen, protocol).in_short
