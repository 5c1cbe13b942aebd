"""TLS as the settings have it: PEM files and texts, and key stores.

Python reads PEM, and `jks` the older stores of Java. A PKCS12 store is opened where the package
`cryptography` is installed; without it the error has the command that converts the store.
"""

from __future__ import annotations

import contextlib
import os
import re
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from ..errors import ConfigError
from . import jks
from .settings import Settings

_TO_PEM = "openssl pkcs12 -in {file} {what}-out {name}.pem"
_MAX_STORE = 16 << 20
_MARK = re.compile(r"-----(BEGIN|END) ([A-Z0-9 ]+)-----")


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """Return the TLS context of the settings, None where the protocol is without TLS.

    Raises ConfigError, which names a file and never a password.
    """
    if not settings.protocol.endswith("SSL"):
        return None
    pem, place = _trusted(settings)
    try:
        context = ssl.create_default_context(cadata=pem or None)
    except (ssl.SSLError, ValueError):
        raise ConfigError(f"{place}: there is no certificate in it") from None
    verify = settings.get("enable.ssl.certificate.verification", "true").lower() != "false"
    algorithm = settings.values.get("ssl.endpoint.identification.algorithm", "https").lower()
    context.check_hostname = verify and algorithm == "https"
    if not verify:
        context.verify_mode = ssl.CERT_NONE
    _identify(context, settings)
    return context


def _trusted(settings: Settings) -> tuple[str, str]:
    """Return the trusted certificates as PEM, "" for those of the system, and where they are."""
    file = settings.get("ssl.truststore.location") or settings.get("ssl.ca.location")
    if file:
        password = settings.get("ssl.truststore.password")
        pem = _pem_of(file, password)
        return _lines(pem) or " ", file
    pem = settings.get("ssl.truststore.certificates") or settings.get("ssl.ca.pem")
    return _lines(pem) or (pem and " "), "ssl.truststore.certificates"


def _identify(context: ssl.SSLContext, settings: Settings) -> None:
    """Load the client's certificate and key, where the settings name them."""
    password = settings.get("ssl.key.password") or settings.get("ssl.keystore.password")
    store = settings.get("ssl.keystore.location")
    chain = settings.get("ssl.keystore.certificate.chain") or settings.get("ssl.certificate.pem")
    key = settings.get("ssl.keystore.key") or settings.get("ssl.key.pem")
    where = store or "ssl.keystore.certificate.chain"
    if store:
        opened = settings.get("ssl.keystore.password")
        chain = _pem_of(store, opened, settings.get("ssl.key.password"), keys=True)
        key = ""
    elif settings.get("ssl.certificate.location"):
        where = settings.get("ssl.certificate.location")
        chain = _text(where)
        key = _text(settings.get("ssl.key.location")) if settings.get("ssl.key.location") else key
    if not chain:
        return
    with _file(f"{_lines(chain)}\n{_lines(key)}") as path:
        try:
            context.load_cert_chain(path, password=password or "")
        except (ssl.SSLError, OSError, ValueError):
            raise ConfigError(
                f"{where}: the certificate and its key cannot be loaded: are both there, do they "
                "match, is ssl.key.password right?"
            ) from None


def _lines(pem: str) -> str:
    """Return the blocks of PEM, with the line ends that a properties file may have as blanks."""
    return "".join(
        f"-----BEGIN {name}-----\n{body if ':' in body else _folded(body)}-----END {name}-----\n"
        for name, body in _blocks(pem)
    )


def _blocks(pem: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the body of each block that ends before another one begins."""
    for begin, end in pairwise(_MARK.finditer(pem)):
        if begin[1] == "BEGIN" and end.groups() == ("END", begin[2]):
            yield begin[2], pem[begin.end() : end.start()]


def _folded(body: str) -> str:
    return "".join(f"{word}\n" for word in body.split())


def _text(file: str) -> str:
    return _read(file).decode("latin-1")


def _read(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            return stream.read(_MAX_STORE)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such file"
        raise ConfigError(f"{file!r} cannot be read: {reason}") from None


def _pem_of(file: str, password: str, key_password: str = "", *, keys: bool = False) -> str:
    """Return what a store holds as PEM: certificates, and with `keys` the private key too."""
    data = _read(file)
    if b"-----BEGIN " in data:
        return data.decode("latin-1")
    if data.startswith(jks.MAGIC):
        return _from_jks(file, data, password, key_password, keys=keys)
    return _from_pkcs12(file, data, password, keys=keys)


def _from_jks(file: str, data: bytes, password: str, key_password: str, *, keys: bool) -> str:
    try:
        store = jks.read_jks(data, password, key_password, keys=keys)
    except jks.WrongPassword:
        raise ConfigError(f"{file!r} was protected with another password") from None
    except ValueError as error:
        raise ConfigError(f"{file!r} is a JKS store that cannot be read: {error}") from None
    return store.certificates + store.keys


def _from_pkcs12(file: str, data: bytes, password: str, *, keys: bool) -> str:
    try:  # late: an optional package
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            NoEncryption,
            PrivateFormat,
            pkcs12,
        )
    except ModuleNotFoundError:
        option = "-nodes " if keys else "-nokeys "
        command = _TO_PEM.format(file=file, name=Path(file).stem, what=option)
        raise ConfigError(
            f"{file!r} is a PKCS12 store: install the package cryptography, or convert it: "
            f"{command}"
        ) from None
    try:
        store = pkcs12.load_pkcs12(data, password.encode() or None)
    except ValueError:
        raise ConfigError(f"{file!r} is no PKCS12 store, or its password is another one") from None
    certificates = [certificate.certificate for certificate in store.additional_certs]
    if store.cert is not None:
        certificates.insert(0, store.cert.certificate)
    parts = [certificate.public_bytes(Encoding.PEM).decode() for certificate in certificates]
    if keys and store.key is not None:
        format_ = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        parts.append(store.key.private_bytes(*format_).decode())
    return "".join(parts)


@contextmanager
def _file(text: str) -> Iterator[str]:
    """Yield the path of a file that only its owner reads, and that is removed afterwards: Python
    loads a key from nothing else."""
    handle, path = tempfile.mkstemp(prefix="kproto-", suffix=".pem")
    try:
        with os.fdopen(handle, "w", encoding="latin-1") as stream:
            stream.write(text)
        yield path
    finally:
        with contextlib.suppress(OSError):
            Path(path).unlink()
