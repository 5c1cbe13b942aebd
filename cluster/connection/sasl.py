"""The client's half of SASL mechanisms, as state machines: PLAIN (RFC 4616), SCRAM (RFC 5802 and
7677), OAUTHBEARER (RFC 7628) and GSSAPI (RFC 4752). AWS_MSK_IAM is in `msk_iam`.

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
from typing import Any, Protocol

from ...extras import install_command
from ..errors import AuthenticationFailed, ConfigError

MAX_ITERATIONS = 1_000_000
"""Iterations of SCRAM up to which a password is hashed for a cluster: a hostile one could name any
number, and another salt at each of its addresses."""
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


class SaltedPasswords:
    """Passwords that were salted and hashed for the brokers of a cluster, each once: all brokers
    have the same salt of a user."""

    def __init__(self) -> None:
        self._left = MAX_ITERATIONS
        self._known: dict[tuple[str, bytes, bytes, int], bytes] = {}

    def of(self, algorithm: str, password: bytes, salt: bytes, iterations: int) -> bytes | None:
        """Return the salted password; None where that takes more iterations than are left."""
        key = algorithm, password, salt, iterations
        if key not in self._known:
            if not _MIN_ITERATIONS <= iterations <= self._left:
                return None
            self._left -= iterations
            self._known[key] = hashlib.pbkdf2_hmac(*key)
        return self._known[key]


class Scram:
    """SCRAM-SHA-256 and SCRAM-SHA-512: the password is proved, by both sides, and not sent."""

    def __init__(
        self,
        name: str,
        username: str,
        password: str,
        salted: SaltedPasswords,
        nonce: Callable[[], str] | None = None,
    ) -> None:
        self.name = name
        self.who = f"user {username!r}"
        self._hash = name.removeprefix("SCRAM-").replace("-", "").lower()
        self._password = password.encode()
        self._salted = salted
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
            raise self._failure(peer, "an answer that is no text") from None
        if "e" in fields:
            raise AuthenticationFailed(f"{peer} refuses {self.who}: SCRAM error")
        if self._signature is None:
            return self._final(challenge.decode(), fields, peer)
        if not hmac.compare_digest(self._base64(fields.get("v", ""), peer), self._signature):
            raise self._failure(peer, "a signature of another password")
        return None

    def _final(self, server_first: str, fields: dict[str, str], peer: str) -> bytes:
        nonce = fields.get("r", "")
        if not nonce.startswith(self._nonce) or nonce == self._nonce:
            raise self._failure(peer, "a nonce that does not continue the client's")
        salt = self._base64(fields.get("s", ""), peer)
        iterations = _iterations(fields.get("i", ""))
        salted = self._salted.of(self._hash, self._password, salt, iterations)
        if salted is None:
            raise self._failure(peer, "a number of iterations that is out of range")
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
            raise self._failure(peer, "an answer that is no base64") from None

    def _failure(self, peer: str, reason: str) -> AuthenticationFailed:
        return AuthenticationFailed(f"{peer} cannot authenticate itself by {self.name}: {reason}")


def _iterations(text: str) -> int:
    """Return the number, 0 where the text is none or has more digits than MAX_ITERATIONS."""
    fits = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ITERATIONS))
    return int(text) if fits else 0


class OAuthBearer:
    """OAUTHBEARER: a token that an authorization server has issued."""

    name = "OAUTHBEARER"
    who = "the client with this token (OAUTHBEARER)"

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


class Gssapi:
    """GSSAPI: a ticket of Kerberos for the broker, by the system's library.

    The key distribution centre is asked when the object is made, which may take time.
    """

    name = "GSSAPI"

    def __init__(self, host: str, service: str, principal: str = "", keytab: str = "") -> None:
        self._gssapi = _gssapi_library()
        self.who = principal or "the principal of the ticket cache"
        self._principal = principal
        try:
            self._context = self._begun(host, service, keytab)
            self._token: bytes | None = self._context.step()
        except self._gssapi.exceptions.GSSError as error:
            reason = _kerberos_reason(error)
            line = f"{self.who} gets no ticket for {service}/{host}: {reason}"
            raise AuthenticationFailed(line) from None

    def _begun(self, host: str, service: str, keytab: str) -> Any:
        library = self._gssapi
        form = library.NameType
        name = library.Name(self._principal, form.kerberos_principal) if self._principal else None
        store = {"client_keytab": keytab, "ccache": f"MEMORY:{id(self)}"} if keytab else None
        return library.SecurityContext(
            name=library.Name(f"{service}@{host}", form.hostbased_service),
            creds=library.Credentials(usage="initiate", name=name, store=store),
            mech=library.MechType.kerberos,
            usage="initiate",
            flags=(
                library.RequirementFlag.mutual_authentication,
                library.RequirementFlag.integrity,
            ),
        )

    def first(self) -> bytes:
        """Return the ticket."""
        return self._token or b""

    def next(self, challenge: bytes, peer: str) -> bytes | None:
        """Return the next token: at the end that no security layer is wanted, and for whom."""
        try:
            if not self._context.complete:
                return self._context.step(challenge) or b""
            if self._token is None:
                return None
            self._token = None
            layers, *_ = self._context.unwrap(challenge).message
            if not layers & _NO_LAYER:
                raise AuthenticationFailed(f"{peer} wants a security layer of GSSAPI: use TLS")
            answer = bytes([_NO_LAYER, 0, 0, 0]) + self._principal.encode()
            return bytes(self._context.wrap(answer, False).message)
        except (self._gssapi.exceptions.GSSError, ValueError) as error:
            reason = _kerberos_reason(error)
            raise AuthenticationFailed(f"{peer} cannot authenticate itself: {reason}") from None


_NO_LAYER = 1


def _gssapi_library() -> Any:
    try:
        import gssapi  # late: an optional package
    except ModuleNotFoundError:
        line = f"GSSAPI needs the package gssapi: {install_command('kerberos')}"
        raise ConfigError(line) from None
    except ImportError as error:
        raise ConfigError(f"GSSAPI needs the system's Kerberos library: {error}") from None
    return gssapi


def _kerberos_reason(error: Exception) -> str:
    """Return the mechanism's own words, in one line."""
    status = getattr(error, "get_all_statuses", None)
    words = list(status(error.min_code, False)) if status is not None else []  # type: ignore[attr-defined]
    return " ".join("; ".join(words or [str(error)]).split())


def unsecured_token(claims: dict[str, object]) -> str:
    """Return a JSON web token without a signature, which brokers take in development only."""

    def part(value: object) -> str:
        data = json.dumps(value, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    return f"{part({'alg': 'none'})}.{part(claims)}."
