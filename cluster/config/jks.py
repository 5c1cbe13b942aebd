"""Read a JKS store: Java's own form of certificates and keys, which nothing else reads.

    magic feedfeed, int32 version, int32 number of entries
    entry     int32 tag (1: key, 2: trusted certificate), utf alias, int64 time
        key          int32 size, EncryptedPrivateKeyInfo; int32 number of certificates; each of them
        certificate  utf type (version 2), int32 size, DER
    SHA-1 of the password in UTF-16, "Mighty Aphrodite", and all of the above

A key is protected with a stream of SHA-1 digests, each of the password and the one before it; the
first is of the password and a salt. utf is a uint16 length and as many bytes.
"""

from __future__ import annotations

import hmac
from base64 import encodebytes
from hashlib import sha1
from struct import Struct, error
from typing import NamedTuple

MAGIC = bytes.fromhex("feedfeed")
_KEY, _CERTIFICATE = 1, 2
_WHITENER = b"Mighty Aphrodite"
_DIGEST = 20
_INT, _SHORT, _LONG = Struct(">I"), Struct(">H"), Struct(">Q")


class WrongPassword(ValueError):
    """Raised where the store or a key in it was protected with another password."""


class Store(NamedTuple):
    """The certificates and keys of a store, as PEM."""

    certificates: str
    keys: str


def read_jks(data: bytes, password: str, key_password: str = "", *, keys: bool = True) -> Store:
    """Return what is in a store, its keys only where they are wanted. A key needs its password, by
    default the store's; certificates need none, and with one the store is verified.

    Raises ValueError for bytes that are no store, WrongPassword for another password.
    """
    body, digest = data[:-_DIGEST], data[-_DIGEST:]
    if password and not hmac.compare_digest(
        sha1(_secret(password) + _WHITENER + body).digest(),  # noqa: S324  # the form's own
        digest,
    ):
        raise WrongPassword
    try:
        return _Reader(body).store(key_password or password, keys=keys)
    except error:
        raise ValueError("the store ends too early") from None


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def store(self, password: str, *, keys: bool) -> Store:
        if self._bytes(4) != MAGIC:
            raise ValueError("no JKS store")
        version = self._int()
        certificates: list[bytes] = []
        private_keys: list[bytes] = []
        for _ in range(self._int()):
            tag = self._int()
            self._utf()
            self._unpack(_LONG)
            if tag == _KEY:
                protected = self._sized()
                private_keys += [_unprotected(protected, password)] if keys else []
                certificates += [self._certificate(version) for _ in range(self._int())]
            elif tag == _CERTIFICATE:
                certificates.append(self._certificate(version))
            else:
                raise ValueError("an entry of an unknown kind")
        return Store(
            "".join(_pem("CERTIFICATE", certificate) for certificate in certificates),
            "".join(_pem("PRIVATE KEY", key) for key in private_keys),
        )

    def _certificate(self, version: int) -> bytes:
        if version != 1:
            self._utf()
        return self._sized()

    def _sized(self) -> bytes:
        return self._bytes(self._int())

    def _utf(self) -> bytes:
        return self._bytes(self._unpack(_SHORT))

    def _int(self) -> int:
        return self._unpack(_INT)

    def _unpack(self, form: Struct) -> int:
        (value,) = form.unpack_from(self._data, self._at)
        self._at += form.size
        return int(value)

    def _bytes(self, count: int) -> bytes:
        part = self._data[self._at : self._at + count]
        if len(part) < count:
            raise ValueError("the store ends too early")
        self._at += count
        return part


def _unprotected(info: bytes, password: str) -> bytes:
    """Return the PKCS 8 key of an EncryptedPrivateKeyInfo: a sequence of the algorithm and of an
    octet string with salt, key and digest."""
    sequence = _der(info, 0x30)
    data = _der(sequence[_end(sequence, 0x30) :], 0x04)
    salt, protected, digest = data[:_DIGEST], data[_DIGEST:-_DIGEST], data[-_DIGEST:]
    secret, last = _secret(password), salt
    key = b""
    for start in range(0, len(protected), _DIGEST):
        last = sha1(secret + last).digest()  # noqa: S324  # the form's own
        part = protected[start : start + _DIGEST]
        key += bytes(a ^ b for a, b in zip(part, last, strict=False))
    if not hmac.compare_digest(sha1(secret + key).digest(), digest):  # noqa: S324
        raise WrongPassword
    return key


def _der(data: bytes, tag: int) -> bytes:
    """Return the content of the DER element at the beginning."""
    end = _end(data, tag)
    return data[_head(data) : end]


def _head(data: bytes) -> int:
    return 2 + (data[1] & 0x7F if data[1] & 0x80 else 0)


def _end(data: bytes, tag: int) -> int:
    if len(data) < 2 or data[0] != tag:
        raise ValueError("a key that is no PKCS 8")
    head = _head(data)
    size = int.from_bytes(data[2:head], "big") if head > 2 else data[1]
    if head + size > len(data):
        raise ValueError("a key that ends too early")
    return head + size


def _secret(password: str) -> bytes:
    return password.encode("utf-16-be", "surrogatepass")


def _pem(name: str, der: bytes) -> str:
    return f"-----BEGIN {name}-----\n{encodebytes(der).decode()}-----END {name}-----\n"
