"""The client's half of SASL mechanisms, as state machines: PLAIN (RFC 4616), SCRAM (RFC 5802, 7677)
and OAUTHBEARER (RFC 7628).

`first` returns the first token; `next` takes the broker's answer and returns the next token, None
when the exchange is over. Nothing here prints a password, and no `repr` shows one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from typing import Protocol

from ..errors import AuthenticationFailed

MAX_ITERATIONS = 1_000_000
"""Iterations of SCRAM up to which a password is hashed: a hostile server could name any number."""
_MIN_ITERATIONS = 4096  # RFC 7677


class Mechanism(Protocol):
    """The client's half of an exchange. `who` names the principal in errors."""

    name: str
    who: str

    def first(self) -> bytes:
        """Return the first token."""
        ...

    def next(self, challenge: bytes, peer: str) -> bytes | None:
        """Return the next token, None at the end. Raises AuthenticationFailed."""
        ...


class Plain:
    """PLAIN: name and password in one token."""

    name = "PLAIN"

    def __init__(self, username: str, password: str) -> None:
        self.who = f"user {username!r}"
        self._token = f"\0{username}\0{password}".encode()

    def first(self) -> bytes:
        """Return the only token."""
        return self._token

    def next(self, challenge: bytes, peer: str) -> None:
        """Return None: the broker has accepted the token."""


class Scram:
    """SCRAM-SHA-256 and SCRAM-SHA-512: the password is proved, by both sides, and not sent."""

    def __init__(
        self, name: str, username: str, password: str, nonce: Callable[[], str] | None = None
    ) -> None:
        self.name = name
        self.who = f"user {username!r}"
        self._hash = name.removeprefix("SCRAM-").replace("-", "").lower()
        self._password = password.encode()
        self._nonce = (nonce or secrets.token_urlsafe)()
        escaped = username.replace("=", "=3D").replace(",", "=2C")
        self._bare = f"n={escaped},r={self._nonce}"
        self._signature: bytes | None = None
        self._over = False

    def first(self) -> bytes:
        """Return the client-first message, without channel binding."""
        return f"n,,{self._bare}".encode()

    def next(self, challenge: bytes, peer: str) -> bytes | None:
        """Return the client-final message; None once the server's signature is verified."""
        try:
            fields = dict(
                part.split("=", 1) for part in challenge.decode().split(",") if part[1:2] == "="
            )
        except UnicodeDecodeError:
            raise self._failed(peer, "an answer that is no text") from None
        if "e" in fields:
            raise AuthenticationFailed(f"{peer} refuses {self.who}: SCRAM error")
        if self._signature is None:
            return self._final(challenge.decode(), fields, peer)
        if not hmac.compare_digest(self._base64(fields.get("v", ""), peer), self._signature):
            raise self._failed(peer, "a signature of another password")
        return None

    def _final(self, server_first: str, fields: dict[str, str], peer: str) -> bytes:
        nonce = fields.get("r", "")
        if not nonce.startswith(self._nonce) or nonce == self._nonce:
            raise self._failed(peer, "a nonce that does not continue the client's")
        iterations = _iterations(fields.get("i", ""))
        if not _MIN_ITERATIONS <= iterations <= MAX_ITERATIONS:
            raise self._failed(peer, "a number of iterations that is out of range")
        salt = self._base64(fields.get("s", ""), peer)
        salted = hashlib.pbkdf2_hmac(self._hash, self._password, salt, iterations)
        client_key = self._hmac(salted, b"Client Key")
        final = f"c=biws,r={nonce}"
        message = f"{self._bare},{server_first},{final}".encode()
        signature = self._hmac(hashlib.new(self._hash, client_key).digest(), message)
        proof = bytes(a ^ b for a, b in zip(client_key, signature, strict=True))
        self._signature = self._hmac(self._hmac(salted, b"Server Key"), message)
        return f"{final},p={base64.b64encode(proof).decode()}".encode()

    def _hmac(self, key: bytes, message: bytes) -> bytes:
        return hmac.digest(key, message, self._hash)

    def _base64(self, text: str, peer: str) -> bytes:
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise self._failed(peer, "an answer that is no base64") from None

    def _failed(self, peer: str, what: str) -> AuthenticationFailed:
        return AuthenticationFailed(f"{peer} cannot authenticate itself by {self.name}: {what}")


def _iterations(text: str) -> int:
    """Return the number, 0 where the text is none or has more digits than MAX_ITERATIONS."""
    fits = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ITERATIONS))
    return int(text) if fits else 0


class OAuthBearer:
    """OAUTHBEARER: a token that an authorization server has issued."""

    name = "OAUTHBEARER"
    who = "the bearer of the token"

    def __init__(self, token: str, extensions: dict[str, str] | None = None) -> None:
        pairs = "".join(f"\1{key}={value}" for key, value in (extensions or {}).items())
        self._token = f"n,,\1auth=Bearer {token}{pairs}\1\1".encode()

    def first(self) -> bytes:
        """Return the only token that is needed."""
        return self._token

    def next(self, challenge: bytes, peer: str) -> None:
        """Return None. Raises AuthenticationFailed: an answer that is not empty is a refusal."""
        if challenge:
            raise AuthenticationFailed(f"{peer} refuses {self.who}: {_status(challenge)}")


def _status(challenge: bytes) -> str:
    """Return the status of a refusal (RFC 7628, 3.2.2): "invalid_token"."""
    try:
        status = json.loads(challenge)["status"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return "no reason given"
    text = str(status)[:40]
    return text if text.replace("_", "").isalnum() else "no reason given"


def unsecured_token(claims: dict[str, object]) -> str:
    """Return a JSON web token without a signature, which brokers take in development only."""

    def part(value: object) -> str:
        data = json.dumps(value, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    return f"{part({'alg': 'none'})}.{part(claims)}."
