"""Client settings as the Java client and librdkafka have them; no secret is ever shown."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.cluster import ConfigError
from kproto.cluster.config.jks import MAGIC, WrongPassword, read_jks
from kproto.cluster.config.login import mechanism_of
from kproto.cluster.config.properties import read_properties
from kproto.cluster.config.settings import Settings, parse_jaas, servers_of, settings
from kproto.cluster.config.tls import tls_context
from kproto.cluster.connection.sasl import SaltedPasswords

JAAS = (
    'org.apache.kafka.common.security.scram.ScramLoginModule required username="ali\\"ce" '
    "password='hun ter=2;';"
)


def of(text: str) -> Settings:
    return settings(("f", read_properties(text, "f")), {})


def test_properties_are_read_as_java_does() -> None:
    """The examples of java.util.Properties' documentation, and escapes."""
    text = (
        "Truth = Beauty\n  Truth2:Beauty\nTruth3   :Beauty\n# no\n! no\n\n"
        "fruits   apple, banana, pear, \\\n         cantaloupe, watermelon\n"
        "cheeses=\na\\ b\\=c = \\u0041\\t\\\\x\n"
    )
    assert read_properties(text, "f") == {
        "Truth": "Beauty",
        "Truth2": "Beauty",
        "Truth3": "Beauty",
        "fruits": "apple, banana, pear, cantaloupe, watermelon",
        "cheeses": "",
        "a b=c": "A\t\\x",
    }


@pytest.mark.parametrize("text", ["a=1\nhunter2", "a=1\npassword=\\u00x"])
def test_a_line_that_is_none_is_named_and_not_shown(text: str) -> None:
    with pytest.raises(ConfigError, match="f, line 2") as failed:
        read_properties(text, "f")
    assert "hunter2" not in str(failed.value) and "u00x" not in str(failed.value)


def test_a_login_module() -> None:
    jaas = parse_jaas(JAAS)
    assert jaas.module.endswith("ScramLoginModule")
    assert jaas.options == {"username": 'ali"ce', "password": "hun ter=2;"}
    assert "hun" not in repr(jaas)


@pytest.mark.parametrize(
    "text",
    ["x", "x required a=", "x required a b", 'x required password="hunter2', "x y a=hunter2;"],
)
def test_a_login_module_that_is_none_is_not_shown(text: str) -> None:
    with pytest.raises(ConfigError) as failed:
        parse_jaas(text)
    assert "hunter2" not in str(failed.value)


@pytest.mark.parametrize(
    ("text", "servers"),
    [
        ("a:1", [("a", 1)]),
        ("a, SSL://b:2 ,", [("a", 9092), ("b", 2)]),
        ("[::1]:9093,[fe80::2],::1", [("::1", 9093), ("fe80::2", 9092), ("::1", 9092)]),
    ],
)
def test_servers(text: str, servers: list[tuple[str, int]]) -> None:
    assert servers_of(text) == tuple(servers)


@pytest.mark.parametrize("text", ["", "a:0", "a:65536", "a:x", ":9092", "a\x1b:1"])
def test_servers_that_are_none(text: str) -> None:
    with pytest.raises(ConfigError) as failed:
        servers_of(text)
    assert str(failed.value).isprintable()


JAVA = f"""
bootstrap.servers=b:9093
security.protocol=SASL_PLAINTEXT
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config={JAAS.replace(chr(92), chr(92) * 2)}
group.id=x
"""
RDKAFKA = """
metadata.broker.list=b:9093
security.protocol=sasl_plaintext
sasl.mechanisms=SCRAM-SHA-512
sasl.username=ali"ce
sasl.password=hun ter=2;
"""


@pytest.mark.parametrize("text", [JAVA, RDKAFKA], ids=["java", "librdkafka"])
def test_a_login_by_either_s_names(text: str) -> None:
    made = of(text)
    assert (made.servers, made.protocol) == ((("b", 9093),), "SASL_PLAINTEXT")
    mechanism = mechanism_of(made, 1, SaltedPasswords(), "b")
    assert mechanism is not None and mechanism.name == "SCRAM-SHA-512"
    assert mechanism.who == "user 'ali\"ce'"
    assert made.ignored == ()
    for shown in (repr(made), str(made), repr(mechanism)):
        assert "hun" not in shown


def test_the_environment_and_what_comes_before_it() -> None:
    environment = {
        "KAFKA_BOOTSTRAP_SERVERS": "env:1",
        "KAFKA_CLIENT_ID": "env",
        "KAFKA_OPTS": "-Dx",
        "KAFKA_HOME": "/x",
    }
    assert settings(None, environment).servers == (("env", 1),)
    file = ("f", {"bootstrap.servers": "file:1"})
    made = settings(file, environment)
    assert (made.servers, made.get("client.id")) == ((("file", 1),), "env")
    assert settings(file, environment, "line:1").servers == (("line", 1),)


def test_a_key_that_nobody_knows_is_named() -> None:
    made = of("bootstrap.servers=b\nfetch.min.bytes=1\nbotstrap.server=x\n")
    assert made.ignored == ("botstrap.server",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no broker is named"),
        ("bootstrap.servers=b\nsecurity.protocol=TLS", "PLAINTEXT, SSL"),
        ("bootstrap.servers=b\nsecurity.protocol=SASL_SSL\nsasl.mechanism=X", "there are: PLAIN"),
    ],
)
def test_settings_that_cannot_be_used(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        of(text)


def test_stores_that_cannot_be_read(tmp_path: Path) -> None:
    """The error of a PKCS12 store has the command that converts it."""
    store = tmp_path / "trust.store"
    text = (
        f"bootstrap.servers=b\nsecurity.protocol=SSL\nssl.truststore.location={store}\n"
        "ssl.truststore.password=hunter2\n"
    )
    for data, said in (
        (bytes.fromhex("feedfeed00000002") + b"hunter2", "another password"),
        (b"nothing", "PKCS12"),
    ):
        store.write_bytes(data)
        with pytest.raises(ConfigError, match=said) as failed:
            tls_context(of(text))
        assert "hunter2" not in str(failed.value)
    store.write_bytes(b"-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----")
    with pytest.raises(ConfigError, match="no certificate"):
        tls_context(of(text))
    store.unlink()
    with pytest.raises(ConfigError, match="cannot be read"):
        tls_context(of(text))


def keytool(*arguments: object) -> None:
    program = shutil.which("keytool")
    if program is None:
        pytest.skip("no Java")
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)


def test_stores_of_java(tmp_path: Path) -> None:
    """A JKS store of Java's own tool, with a key of another password than the store's."""
    store, trust, chain = tmp_path / "id.jks", tmp_path / "trust.jks", tmp_path / "cert.pem"
    jks = ("-storetype", "JKS", "-storepass", "changeit")
    name = ("-alias", "me", "-dname", "CN=me", "-keyalg", "RSA", "-keysize", 2048)
    keytool("-genkeypair", "-keystore", store, *jks, *name, "-keypass", "hunter2")
    keytool("-exportcert", "-rfc", "-alias", "me", "-keystore", store, *jks, "-file", chain)
    trusting = ("-importcert", "-noprompt", "-alias", "ca", "-file", chain)
    keytool(*trusting, "-keystore", trust, *jks)
    certificate = chain.read_text().replace("\r", "").strip()
    found = read_jks(trust.read_bytes(), "changeit")
    assert "".join(found.certificates.split()) == "".join(certificate.split()) and not found.keys
    assert read_jks(trust.read_bytes(), "") == found
    assert read_jks(store.read_bytes(), "", keys=False) == found
    assert read_jks(store.read_bytes(), "changeit", "hunter2").certificates == found.certificates
    for wrong in (("x", "hunter2"), ("changeit", "x"), ("changeit", "")):
        with pytest.raises(WrongPassword):
            read_jks(store.read_bytes(), *wrong)
    values = {
        "bootstrap.servers": "b",
        "security.protocol": "SSL",
        "ssl.truststore.location": str(trust),
        "ssl.truststore.password": "changeit",
        "ssl.keystore.location": str(store),
        "ssl.keystore.password": "changeit",
        "ssl.key.password": "hunter2",
    }
    context = tls_context(settings(("f", values), {}))
    assert context is not None and context.cert_store_stats()["x509"] == 1


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_a_store_or_none(data: bytes, key: bool) -> None:
    entry = MAGIC + bytes([0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1 if key else 2]) + bytes(10)
    with suppress(ValueError):
        read_jks(entry + data, "")


@pytest.mark.parametrize("key", ["sasl.mechanisn", "ssl.truststore.locatoin", "security.protocl"])
def test_a_misspelt_setting_is_named(key: str) -> None:
    made = of(f"bootstrap.servers=b\n{key}=PLAIN\n")
    assert made.ignored == (key,)


@pytest.mark.parametrize(
    "key", ["ssl.crl.location", "sasl.client.callback.handler.class", "ssl.engine.factory.class"]
)
def test_a_setting_that_is_not_needed_here_is_not_named(key: str) -> None:
    made = of(f"bootstrap.servers=b\n{key}=x\n")
    assert made.ignored == ()
