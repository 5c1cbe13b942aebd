"""The SASL mechanism that the settings ask for, with its credentials."""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import TypeAlias

from ...extras import install_command
from ..connection.msk_iam import Credentials, MskIam, oauth_token
from ..connection.sasl import (
    Gssapi,
    Mechanism,
    OAuthBearer,
    Plain,
    SaltedPasswords,
    Scram,
    unsecured_token,
)
from ..errors import AuthenticationFailed, ConfigError
from .settings import Settings

_MAX_TOKEN_ANSWER = 1 << 20
_UNSECURED_SECONDS = 3600


Login: TypeAlias = Callable[[str], Mechanism | None]
"""Returns a new exchange with a broker, by its host name."""


def mechanism_of(
    settings: Settings, timeout: float, salted: SaltedPasswords, host: str
) -> Mechanism | None:
    """Return a new exchange of the settings' mechanism; None where there is no SASL.

    A token is fetched from its endpoint, within `timeout` seconds; a ticket of Kerberos, and
    credentials of AWS, from where the system has them. Raises ConfigError or AuthenticationFailed.
    """
    if not settings.protocol.startswith("SASL_"):
        return None
    name = settings.mechanism
    options = settings.jaas.options if settings.jaas is not None else {}
    if name == "GSSAPI":
        return _kerberos(settings, options, host)
    if name == "AWS_MSK_IAM":
        return MskIam(host, _region(options, host), _aws_credentials(options))
    if name == "OAUTHBEARER":
        if _IAM_HANDLER in settings.get("sasl.login.callback.handler.class"):
            return OAuthBearer(oauth_token(_region(options, host), _aws_credentials(options)))
        return _oauth(settings, timeout)
    username, password = _credentials(settings)
    is_plain = name == "PLAIN"
    return Plain(username, password) if is_plain else Scram(name, username, password, salted)


def _kerberos(settings: Settings, options: Mapping[str, str], host: str) -> Gssapi:
    """Return the exchange by the options of Java's Krb5LoginModule, or librdkafka's settings."""
    service = options.get("serviceName") or settings.get("sasl.kerberos.service.name", "kafka")
    uses_keytab = options.get("useKeyTab", "true").lower() == "true"
    keytab = options.get("keyTab", "") if uses_keytab else ""
    return Gssapi(
        host,
        service,
        options.get("principal") or settings.get("sasl.kerberos.principal"),
        keytab or settings.get("sasl.kerberos.keytab"),
    )


_IAM_HANDLER = "IAMOAuthBearerLoginCallbackHandler"
_AWS_HOST = re.compile(r"\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com")


def _region(options: Mapping[str, str], host: str) -> str:
    match = _AWS_HOST.search(host)
    if match is not None:
        return match[1]
    region = options.get("awsRegion") or os.environ.get("AWS_REGION")
    region = region or os.environ.get("AWS_DEFAULT_REGION")
    if not region:
        raise ConfigError(f"{host} names no region of AWS: set AWS_REGION")
    return region


def _aws_credentials(options: Mapping[str, str]) -> Credentials:
    """Return credentials from the environment, else those that botocore finds: of a profile, a
    role, a machine."""
    key, secret = (os.environ.get(f"AWS_{name}") for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY"))
    profile = options.get("awsProfileName")
    if key and secret and not profile:
        return Credentials(key, secret, os.environ.get("AWS_SESSION_TOKEN", ""))
    try:
        from botocore.exceptions import BotoCoreError  # late: an optional package
        from botocore.session import Session
    except ModuleNotFoundError:
        raise ConfigError(
            "AWS needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or the "
            f"package botocore, which finds profiles and roles: {install_command('aws')}"
        ) from None
    try:
        session_credentials = Session(profile=profile).get_credentials()
        frozen = (
            session_credentials.get_frozen_credentials()
            if session_credentials is not None
            else None
        )
    except BotoCoreError as error:
        raise AuthenticationFailed(f"no credentials of AWS: {error}") from None
    if frozen is None:
        raise ConfigError("no credentials of AWS are in the environment, in a profile or a role")
    return Credentials(frozen.access_key, frozen.secret_key, frozen.token or "")


def _credentials(settings: Settings) -> tuple[str, str]:
    jaas = settings.jaas
    options: Mapping[str, str] = jaas.options if jaas is not None else {}
    username = options.get("username") or settings.get("sasl.username")
    password = options.get("password") or settings.get("sasl.password")
    if not username or not password:
        raise ConfigError(
            "SASL needs a user and a password: username and password in sasl.jaas.config, or "
            "sasl.username and sasl.password"
        )
    if "\0" in username + password:
        raise ConfigError("a user or password of SASL has no zero character")
    return username, password


def _oauth(settings: Settings, timeout: float) -> OAuthBearer:
    jaas = settings.jaas
    options: Mapping[str, str] = jaas.options if jaas is not None else {}
    url = settings.get("sasl.oauthbearer.token.endpoint.url")
    extensions = {
        key.removeprefix("extension_"): value
        for key, value in options.items()
        if key.startswith("extension_")
    } | _pairs(settings.get("sasl.oauthbearer.extensions"))
    if url:
        return OAuthBearer(_fetched(settings, options, url, timeout), extensions)
    principal = options.get("unsecuredLoginStringClaim_sub") or _pairs(
        settings.get("sasl.oauthbearer.config")
    ).get("principal")
    if not principal:
        raise ConfigError(
            "OAUTHBEARER needs sasl.oauthbearer.token.endpoint.url with clientId and clientSecret, "
            "or, in development, unsecuredLoginStringClaim_sub in sasl.jaas.config"
        )
    seconds = int(time.time())
    claims: dict[str, object] = {
        "sub": principal,
        "iat": seconds,
        "exp": seconds + _UNSECURED_SECONDS,
    }
    for key, value in options.items():
        if key.startswith("unsecuredLoginStringClaim_"):
            claims[key.partition("_")[2]] = value
    return OAuthBearer(unsecured_token(claims), extensions)


def _pairs(text: str) -> dict[str, str]:
    words = (word.partition("=") for word in text.replace(",", " ").split())
    return {key: value for key, equals, value in words if equals}


def _fetched(settings: Settings, options: Mapping[str, str], url: str, timeout: float) -> str:
    """Return the access token of an OAuth endpoint, by the grant client_credentials (RFC 6749)."""
    client = _first(
        options.get("clientId"),
        settings.get("sasl.oauthbearer.client.credentials.client.id"),
        settings.get("sasl.oauthbearer.client.id"),
    )
    secret = _first(
        options.get("clientSecret"),
        settings.get("sasl.oauthbearer.client.credentials.client.secret"),
        settings.get("sasl.oauthbearer.client.secret"),
    )
    if not client or not secret:
        raise ConfigError("the token endpoint needs clientId and clientSecret in sasl.jaas.config")
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise ConfigError("sasl.oauthbearer.token.endpoint.url is no http or https address")
    scope = options.get("scope") or settings.get("sasl.oauthbearer.scope")
    form = {"grant_type": "client_credentials"} | ({"scope": scope} if scope else {})
    basic = b64encode(f"{client}:{secret}".encode()).decode()
    request = urllib.request.Request(  # noqa: S310  # the scheme was looked at
        url,
        urllib.parse.urlencode(form).encode(),
        {"Authorization": f"Basic {basic}", "Accept": "application/json"},
    )
    where = urllib.parse.urlsplit(url).hostname or "the token endpoint"
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:  # noqa: S310
            token_answer = json.loads(answer.read(_MAX_TOKEN_ANSWER))
        token = token_answer["access_token"]
    except urllib.error.HTTPError as error:
        error.close()
        raise AuthenticationFailed(f"{where} gives no token: HTTP status {error.code}") from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise AuthenticationFailed(f"{where} gives no token: {reason}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise AuthenticationFailed(f"{where} answers with what is no token") from None
    if not isinstance(token, str) or not token.isascii() or "\1" in token:
        raise AuthenticationFailed(f"{where} answers with what is no token")
    return token


def _first(*values: str | None) -> str:
    return next((value for value in values if value), "")
