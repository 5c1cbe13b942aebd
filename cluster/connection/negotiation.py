"""The dialogue that opens a connection, without I/O: ApiVersions, then SASL.

A dialogue is a generator: it yields what to send and is sent the answer. KIP-511: a broker that
does not know the version of an ApiVersions request answers in version 0 with UNSUPPORTED_VERSION,
and since 2.4 with the versions that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from typing import Any, TypeAlias

from ...capture.frames.api_keys import api_name
from ...capture.frames.error_codes import UNSUPPORTED_VERSION, error_name
from ...codec import ApiVersionsRequest, Message, VersionRange, message_class
from ..errors import AuthenticationFailed, ClusterError, NotKafka, Unsupported
from .sasl import Mechanism
from .wire import API_VERSIONS, Ask, Raw

Dialogue: TypeAlias = Generator[Ask | Raw, Any, "Opened"]
_SOFTWARE = "kproto"
_ANSWERS_IN_ANY_CASE = 0
_ILLEGAL_SASL_STATE, _UNSUPPORTED_MECHANISM = 34, 33
_MECHANISM = re.compile("[A-Z0-9_-]{1,20}")
"""The name of a mechanism (RFC 4422, 3.1)."""
_MOST_SHOWN = 20
CAPS = {1: 12, 9: 9, 3: 10}
"""The highest version that is asked of an API, where a newer one wants what a reader does not have:
Fetch 13 and OffsetFetch 10 name topics by their ids alone, and since 11 Metadata does not tell what
the principal may do to the cluster."""


class Opened:
    """What a broker has told when a connection was opened: the versions of its requests, by API
    key, and for how many milliseconds the session lasts (0: for ever; KIP-368)."""

    def __init__(self, versions: Mapping[int, VersionRange], lifetime_ms: int = 0) -> None:
        self.versions = versions
        self.lifetime_ms = lifetime_ms

    def version(self, cls: type[Message], peer: str, at_least: int = 0) -> int:
        """Return the highest version of a request that both sides know. Raises Unsupported where
        there is none, or none from `at_least` on."""
        key = cls.API_KEY or 0
        theirs = self.versions.get(key, VersionRange.NONE)
        highest = min(theirs.highest, cls.VERSIONS.highest, CAPS.get(key, cls.LATEST))
        if highest < max(theirs.lowest, cls.VERSIONS.lowest, at_least) or not theirs:
            has = f"has {theirs}" if theirs else "does not have it"
            versions = VersionRange(max(cls.VERSIONS.lowest, at_least), cls.VERSIONS.highest)
            raise Unsupported(f"{api_name(key)} {versions} is needed, and {peer} {has}")
        return highest

    def has(self, cls: type[Message], at_least: int = 0) -> bool:
        """Return whether both sides know a version of a request, from `at_least` on."""
        try:
            self.version(cls, "", at_least)
        except Unsupported:
            return False
        return True


_METADATA = 3
_VOTE = 52
"""Requests that only listeners of brokers answer, and only controllers among themselves."""


def opening(peer: str, mechanism: Mechanism | None, release: str = "") -> Dialogue:
    """Return the dialogue that opens a connection: it returns what the broker knows.

    Raises AuthenticationFailed, NotKafka or ClusterError.
    """
    connection = yield from _negotiate(peer, release)
    if mechanism is not None:
        connection.lifetime_ms = yield from _authenticate(peer, mechanism, connection)
    return connection


def _negotiate(peer: str, release: str) -> Dialogue:
    request = ApiVersionsRequest(
        client_software_name=_SOFTWARE, client_software_version=release or "0"
    )
    answer = yield Ask(request, 3)
    response = answer.response
    if response.error_code == UNSUPPORTED_VERSION:
        own = next((api for api in response.api_keys if api.api_key == API_VERSIONS), None)
        version = min(2, own.max_version) if own is not None else _ANSWERS_IN_ANY_CASE
        response = (yield Ask(ApiVersionsRequest(), max(0, version))).response
    if response.error_code:
        raise ClusterError(f"{peer} refuses ApiVersions: {error_name(response.error_code)}")
    versions = {
        api.api_key: VersionRange(api.min_version, api.max_version)
        for api in response.api_keys
        if 0 <= api.min_version <= api.max_version
    }
    if not versions:
        raise NotKafka(f"{peer} names no request that it knows: it is no Kafka broker")
    if _METADATA not in versions and _VOTE in versions:
        raise NotKafka(
            f"{peer} is the port of a KRaft controller, which serves brokers alone: name a "
            "listener of a broker (advertised.listeners in its server.properties)"
        )
    return Opened(versions)


def _authenticate(
    peer: str, mechanism: Mechanism, opened: Opened
) -> Generator[Ask | Raw, Any, int]:
    handshake = message_class("SaslHandshakeRequest")
    version = opened.version(handshake, peer)
    answer = (yield Ask(handshake(mechanism=mechanism.name), version)).response
    if answer.error_code:
        raise AuthenticationFailed(_no_handshake(peer, mechanism, answer))
    token: bytes | None = mechanism.first()
    lifetime = 0
    while token is not None:
        if version == 0:
            challenge = yield Raw(token)
        else:
            challenge, lifetime = yield from _exchange(peer, mechanism, opened, token)
        token = mechanism.next(bytes(challenge), peer)
    return lifetime


def _exchange(
    peer: str, mechanism: Mechanism, opened: Opened, token: bytes
) -> Generator[Ask | Raw, Any, tuple[bytes, int]]:
    cls = message_class("SaslAuthenticateRequest")
    answer = (yield Ask(cls(auth_bytes=token), opened.version(cls, peer))).response
    if answer.error_code:
        raise AuthenticationFailed(
            f"{peer} refuses {mechanism.who}: {error_name(answer.error_code)}: "
            "is it the right name, the right password, the right mechanism?"
        )
    return answer.auth_bytes, answer.session_lifetime_ms


def _no_handshake(peer: str, mechanism: Mechanism, answer: Any) -> str:
    names = [name for name in answer.mechanisms if _MECHANISM.fullmatch(name)]
    takes = ", ".join(names[:_MOST_SHOWN]) or "none"
    if answer.error_code == _ILLEGAL_SASL_STATE:
        return f"{peer} does not want SASL on this port: security.protocol=PLAINTEXT or SSL"
    return f"{peer} does not take the mechanism {mechanism.name}; it takes: {takes}"
