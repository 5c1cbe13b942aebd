"""Logins of Amazon MSK by IAM: a request for `kafka-cluster:Connect` that is signed and not sent.

Its signature (AWS Signature Version 4, in the query) goes to the broker as a token of OAUTHBEARER,
or, by the mechanism AWS_MSK_IAM of MSK's library for Java, as JSON.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote, urlencode

from ..errors import AuthenticationFailed

_SERVICE = "kafka-cluster"
_ACTION = "kafka-cluster:Connect"
_EXPIRES_S = 900
_USER_AGENT = "kproto"


class Credentials(NamedTuple):
    """Credentials of AWS; `token` is "" for those that last."""

    access_key: str
    secret_key: str
    token: str = ""


def signed_query(
    host: str, region: str, credentials: Credentials, moment: datetime | None = None
) -> dict[str, str]:
    """Return the query of a signed GET request for the path / of a host, by name."""
    moment = datetime.now(UTC) if moment is None else moment
    time = moment.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{time[:8]}/{region}/{_SERVICE}/aws4_request"
    query = {
        "Action": _ACTION,
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{credentials.access_key}/{scope}",
        "X-Amz-Date": time,
        "X-Amz-Expires": str(_EXPIRES_S),
        "X-Amz-SignedHeaders": "host",
    }
    if credentials.token:
        query["X-Amz-Security-Token"] = credentials.token
    query = dict(sorted(query.items()))
    nothing = hashlib.sha256(b"").hexdigest()
    request = f"GET\n/\n{_encode(query)}\nhost:{host}\n\nhost\n{nothing}"
    digest = hashlib.sha256(request.encode()).hexdigest()
    key = f"AWS4{credentials.secret_key}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    text = f"AWS4-HMAC-SHA256\n{time}\n{scope}\n{digest}"
    return query | {"X-Amz-Signature": hmac.digest(key, text.encode(), "sha256").hex()}


def _encode(query: dict[str, str]) -> str:
    return urlencode(query, quote_via=quote, safe="-_.~")


def oauth_token(region: str, credentials: Credentials) -> str:
    """Return a token for OAUTHBEARER: the URL of the signed request, in base64."""
    host = f"kafka.{region}.amazonaws.com"
    query = signed_query(host, region, credentials) | {"User-Agent": _USER_AGENT}
    url = f"https://{host}/?{_encode(query)}"
    return urlsafe_b64encode(url.encode()).rstrip(b"=").decode()


class MskIam:
    """AWS_MSK_IAM: the signed request of the broker's own host, as JSON."""

    name = "AWS_MSK_IAM"

    def __init__(self, host: str, region: str, credentials: Credentials) -> None:
        self.who = f"access key {credentials.access_key!r}"
        query = signed_query(host, region, credentials)
        names = {name.lower(): value for name, value in query.items()}
        self._token = {"version": "2020_10_22", "host": host, "user-agent": _USER_AGENT} | names

    def first(self) -> bytes:
        """Return the only token."""
        return json.dumps(self._token).encode()

    def next(self, challenge: bytes, peer: str) -> None:
        """Return None. Raises AuthenticationFailed: a broker that accepts says so."""
        if not challenge:
            raise AuthenticationFailed(f"{peer} refuses {self.who}")
