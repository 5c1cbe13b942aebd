"""`kproto group` on a real broker with TLS, SASL and ACLs, with settings of two clients' names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.fuzz.building import JavaUnavailable
from kproto.tools.main import main
from tests.broker.members import members_of
from tests.broker.secured import PASSWORD, Secured, secured_broker
from tests.conftest import do_without

JAVA_PASSWORD = PASSWORD.replace("\\", "\\\\")
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
OAUTH = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"

RDKAFKA_SCRAM = f"""\
security.protocol=sasl_ssl
sasl.mechanisms=SCRAM-SHA-256
ssl.ca.location={{trust}}
sasl.username=admin
sasl.password={JAVA_PASSWORD}
"""
RDKAFKA_TLS = """\
security.protocol=ssl
ssl.ca.location={trust}
ssl.certificate.location={chain}
ssl.key.location={key}
"""


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """A broker with listeners of every kind, and the groups `allowed` and `denied`."""
    folder = tmp_path_factory.mktemp("secured")
    try:
        with secured_broker(folder) as secured, members_of(secured.broker, folder / "m.log") as m:
            m.step("topic orders 2", "topic hidden 1")
            m.step(
                "join a group=allowed topics=orders,hidden assignors=range",
                "join b group=denied topics=orders assignors=cooperative-sticky",
            )
            yield secured
    except JavaUnavailable as reason:
        do_without(reason)


def jaas(module: str, **options: str) -> str:
    """A line of sasl.jaas.config. In its quotations and in properties a backslash is an escape."""
    quoted = " ".join(
        '{}="{}"'.format(key, value.replace("\\", "\\\\\\\\")) for key, value in options.items()
    )
    return f"sasl.jaas.config={module} required {quoted};\n"


def logins(secured: Secured) -> dict[str, tuple[str, str]]:
    """The listener and the settings of each way to log in as `admin`."""
    trust = f"ssl.truststore.type=PEM\nssl.truststore.location={secured.certificate}\n"
    pem = secured.certificate.read_text().strip().replace("\n", " ")
    chain, key = secured.identity, secured.identity
    user = {"username": "admin", "password": PASSWORD}
    return {
        "PLAIN": (
            "sasl",
            "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n" + jaas(PLAIN, **user),
        ),
        "SCRAM-SHA-256 over TLS": (
            "sasl_tls",
            f"security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-256\n{trust}"
            + jaas(SCRAM, **user),
        ),
        "SCRAM-SHA-512, a certificate in the settings": (
            "sasl_tls",
            "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\nssl.truststore.type=PEM\n"
            f"ssl.truststore.certificates={pem}\n" + jaas(SCRAM, **user),
        ),
        "OAUTHBEARER": (
            "sasl_tls",
            f"security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n{trust}"
            + jaas(OAUTH, unsecuredLoginStringClaim_sub="admin"),
        ),
        "a client's certificate": (
            "tls",
            f"security.protocol=SSL\n{trust}ssl.keystore.type=PEM\nssl.keystore.location={chain}\n",
        ),
        "librdkafka, SCRAM": ("sasl_tls", RDKAFKA_SCRAM.format(trust=secured.certificate)),
        "librdkafka, a certificate": (
            "tls",
            RDKAFKA_TLS.format(trust=secured.certificate, chain=chain, key=key),
        ),
    }


WAYS = (
    "PLAIN",
    "SCRAM-SHA-256 over TLS",
    "SCRAM-SHA-512, a certificate in the settings",
    "OAUTHBEARER",
    "a client's certificate",
    "librdkafka, SCRAM",
    "librdkafka, a certificate",
)


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_log_in(
    way: str, secured: Secured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listener, text = logins(secured)[way]
    if way in ("a client's certificate", "librdkafka, a certificate"):
        expected = "lacks DESCRIBE on CLUSTER"  # its principal is User:CN=admin
    else:
        expected = ""
    status, out, err = _list(secured, listener, text, tmp_path, capsys)
    assert status == 0, err
    if expected:
        assert out == "" and expected in err
    else:
        assert {row["group"] for row in map(json.loads, out.splitlines())} == {
            "allowed",
            "denied",
        }
        assert err == ""


def _list(
    secured: Secured,
    listener: str,
    text: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    *more: str,
) -> tuple[int, str, str]:
    config, kept = folder / "client.properties", folder / "kept.jsonl"
    config.write_text(text)
    where = ("--bootstrap-server", secured.addresses[listener], "--command-config", str(config))
    status = main(["group", *more, *where, "--json", "--save", str(kept)])
    shown = capsys.readouterr()
    for said in (shown.out, shown.err, kept.read_text() if kept.exists() else ""):
        assert "hunter" not in said and PASSWORD.encode().hex() not in said
    return status, shown.out, shown.err


def little(name: str = "little", password: str = PASSWORD) -> str:
    user = {"username": name, "password": password}
    return "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n" + jaas(PLAIN, **user)


def test_a_principal_that_may_do_little(
    secured: Secured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it may not ask is named, and the rest is shown."""
    status, out, err = _list(secured, "sasl", little(), tmp_path, capsys)
    assert status == 0
    assert [json.loads(line)["group"] for line in out.splitlines()] == ["allowed"]
    assert "User:little lacks DESCRIBE on CLUSTER" in err
    status, out, err = _list(secured, "sasl", little(), tmp_path, capsys, "allowed")
    assert status == 0
    found = json.loads(out)
    assert found["members"][0]["topics"] == ["hidden", "orders"]
    assert found["problems"] == ["User:little lacks DESCRIBE on TOPIC 'hidden' (Metadata)"]
    assert found["topics"] == {"orders": 2}
    status, out, err = _list(secured, "sasl", little(), tmp_path, capsys, "denied")
    assert (status, out) == (3, "")
    assert err == "kproto: User:little lacks DESCRIBE on GROUP 'denied' (FindCoordinator)\n"


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256"])
def test_a_wrong_password(
    mechanism: str, secured: Secured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = little("admin", "hunter-3").replace("mechanism=PLAIN", f"mechanism={mechanism}")
    status, out, err = _list(secured, "sasl", text, tmp_path, capsys)
    assert (status, out) == (3, "")
    assert "refuses user 'admin': SASL_AUTHENTICATION_FAILED" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("listener", "text", "said"),
    [
        ("sasl", "", "closed the connection"),
        ("tls", "", "closed the connection"),
        ("sasl_tls", little(), "closed the connection"),
    ],
)
def test_the_wrong_security_protocol(
    listener: str,
    text: str,
    said: str,
    secured: Secured,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = _list(secured, listener, text, tmp_path, capsys)
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert said in err or "TLS" in err or "SASL" in err


def test_settings_that_a_principal_may_not_ask(
    secured: Secured, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Described without them, planned with defaults; the ACL that is missing is named."""
    words = ("allowed", "--plan", "consumer")
    status, out, err = _list(secured, "sasl", little(), tmp_path, capsys, *words)
    assert (status, err) == (0, "")
    missing = "User:little lacks DESCRIBE_CONFIGS on CLUSTER (DescribeConfigs)"
    assert any(missing in note for note in json.loads(out)["notes"])
    status, out, err = _list(secured, "sasl", little("admin"), tmp_path, capsys, *words)
    assert (status, err) == (0, "")
    notes = json.loads(out)["notes"]
    assert any("the coordinator has group.consumer.migration.policy" in note for note in notes)
    kept = main(["group", *words, "--json", "--from", str(tmp_path / "kept.jsonl")])
    assert (kept, json.loads(capsys.readouterr().out)["notes"]) == (0, notes)
