"""Logins of Amazon MSK: the signature is compared with botocore's own signer. Nothing here was
tried against MSK."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

import pytest
from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotoCredentials
from hypothesis import given
from hypothesis import strategies as st

from kproto.cluster import ConfigError
from kproto.cluster.api import settings_of
from kproto.cluster.config.login import mechanism_of
from kproto.cluster.connection.msk_iam import Credentials, MskIam, oauth_token, signed_query
from kproto.cluster.connection.sasl import SaltedPasswords

BROKER = "b-1.demo.c2.kafka.eu-west-1.amazonaws.com"
KEY = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "session/+=token")
NOW = datetime(2026, 11, 26, 4, 5, 6, tzinfo=UTC)


def by_botocore(host: str, region: str, credentials: Credentials, now: datetime) -> dict[str, str]:
    """The query that botocore signs, as MSK's own signer for Python calls it."""

    class Signer(auth.SigV4QueryAuth):  # type: ignore[misc]  # botocore has no types
        def add_auth(self, request: AWSRequest) -> None:
            request.context["timestamp"] = now.strftime("%Y%m%dT%H%M%SZ")
            self._modify_request_before_signing(request)
            canonical = self.canonical_request(request)
            text = self.string_to_sign(request, canonical)
            self._inject_signature_to_request(request, self.signature(text, request))

    access, secret, token = credentials
    signer = Signer(BotoCredentials(access, secret, token or None), "kafka-cluster", region, 900)
    request = AWSRequest("GET", f"https://{host}/", params={"Action": "kafka-cluster:Connect"})
    signer.add_auth(request)
    return dict(parse_qsl(urlsplit(request.url).query))


@given(
    region=st.sampled_from(["eu-west-1", "us-gov-east-1"]),
    secret=st.text("abcXYZ019/+", min_size=1, max_size=40),
    token=st.one_of(st.just(""), st.text("abcXYZ019/+=", min_size=1)),
    now=st.integers(0, 1 << 31).map(lambda when: datetime.fromtimestamp(when, UTC)),
)
def test_the_signature_is_botocore_s(region: str, secret: str, token: str, now: datetime) -> None:
    credentials = Credentials("AKIDEXAMPLE", secret, token)
    host = f"kafka.{region}.amazonaws.com"
    expected = by_botocore(host, region, credentials, now)
    assert signed_query(host, region, credentials, now) == expected


def test_a_token_of_oauthbearer_is_the_url() -> None:
    token = oauth_token("eu-west-1", KEY)
    url = urlsplit(urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())
    assert (url.scheme, url.netloc, url.path) == ("https", "kafka.eu-west-1.amazonaws.com", "/")
    query = dict(parse_qsl(url.query, strict_parsing=True))
    when = datetime.strptime(query["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert query.pop("User-Agent") == "kproto"
    assert query == by_botocore(url.netloc, "eu-west-1", KEY, when)


def test_the_mechanism_of_java_s_library_signs_for_the_broker() -> None:
    mechanism = MskIam(BROKER, "eu-west-1", KEY)
    said = json.loads(mechanism.first())
    when = datetime.strptime(said["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    expected = by_botocore(BROKER, "eu-west-1", KEY, when)
    assert said == {name.lower(): value for name, value in expected.items()} | {
        "version": "2020_10_22", "host": BROKER, "user-agent": "kproto",
    }  # fmt: skip
    assert KEY.secret_key not in mechanism.first().decode()


IAM = "software.amazon.msk.auth.iam"
JAVA = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "AWS_MSK_IAM",
    "sasl.jaas.config": f"{IAM}.IAMLoginModule required;",
    "sasl.client.callback.handler.class": f"{IAM}.IAMClientCallbackHandler",
}
OAUTH = {
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.login.callback.handler.class": f"{IAM}.IAMOAuthBearerLoginCallbackHandler",
}


@pytest.mark.parametrize("given", [JAVA, OAUTH], ids=["own", "oauthbearer"])
def test_settings_of_java_and_credentials_of_the_environment(
    given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKID")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    settings = settings_of(BROKER, given, environment={})
    mechanism = mechanism_of(settings, 1, SaltedPasswords(), BROKER)
    assert mechanism is not None
    assert mechanism.name == given["sasl.mechanism"]
    assert settings.ignored == ()
    with pytest.raises(ConfigError, match="set AWS_REGION"):
        mechanism_of(settings, 1, SaltedPasswords(), "broker.example")
