"""Bytes decoded for a person or a program to look at: what was read, and the policy's verdict.

Whatever the policy, everything that can be read is read; the policy only decides what is refused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...codec.errors import DecodeError
from ...codec.messages import message_class as built_in
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import Message
from .identification import identify, readings

FALLBACK = "ConsumerProtocolSubscription"
"""What bytes are taken for that begin like no built-in message."""


class Examined(NamedTuple):
    """`error` is why the policy refuses the bytes (`refused`); under LENIENT, which refuses
    nothing, it is still why reading stopped. `rivals`, where the type was found out, are the other
    messages that the bytes can be: all that are no worse, or can be read to an end."""

    decoded: Decoded[Any]
    error: DecodeError | None
    refused: bool
    rivals: tuple[str, ...]


def examine(
    data: bytes,
    message_class: type[Message] | None = None,
    *,
    policy: Policy = Policy.KAFKA,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> Examined:
    """Decode all of `data` that can be decoded, without `message_class` as what it seems to be.

    A message with nothing in front is read in the version that uses every byte, if `body_version`
    does not say otherwise. Raises ValueError as `decode` does for versions that there are not.
    """
    candidates = identify(data) if message_class is None else ()
    if message_class is None:
        message_class = built_in(candidates[0].name if candidates else FALLBACK)
    if message_class.FRAMING.kind == "none" and body_version is None:
        fitting = (version for version, _ in readings(data, message_class))
        body_version = next(fitting, message_class.LATEST)
    versions = {"reader_version": reader_version, "body_version": body_version}
    seen = decode(data, message_class, policy=Policy.LENIENT, **versions)
    error, refused = verdict(seen, policy, **versions)
    rivals = (one.name for one in candidates[1:] if seen.complete or one.rank == 1)
    return Examined(seen, error, refused, tuple(rivals))


def verdict(
    seen: Decoded[Any],
    policy: Policy,
    *,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> tuple[DecodeError | None, bool]:
    """Return why the policy refuses what was read leniently, or why reading stopped; and whether it
    is refused. The versions are those that it was read with.
    """
    error = seen.error
    if error is None and policy is Policy.STRICT:
        versions = {"reader_version": reader_version, "body_version": body_version}
        try:
            decode(seen.data, seen.message_class, policy=policy, **versions)
        except DecodeError as refusal:
            error = refusal
    return error, error is not None and policy is not Policy.LENIENT
