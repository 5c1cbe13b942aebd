"""GSSAPI on a real broker, with tickets of a real key distribution centre."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.cluster import AuthenticationFailed, ClusterError, list_groups
from kproto.fuzz.building import JavaUnavailable
from kproto.tools.main import main
from tests.broker.kerberos import (
    USER,
    KerberosUnavailable,
    Realm,
    kerberos_broker,
    running_realm,
)
from tests.broker.test_no_trace import commit
from tests.conftest import do_without

JAAS = (
    "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true "
    'keyTab="{keytab}" principal="{principal}";'
)


@pytest.fixture(scope="module")
def realm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Realm]:
    """A key distribution centre; skips without one, unless KPROTO_REQUIRE_KERBEROS=1 forbids it."""
    try:
        with running_realm(tmp_path_factory.mktemp("realm")) as realm:
            yield realm
    except KerberosUnavailable as reason:
        do_without(reason)


@pytest.fixture(scope="module")
def address(realm: Realm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a broker that wants tickets, and that has a group."""
    try:
        with kerberos_broker(tmp_path_factory.mktemp("broker"), realm) as (broker, address):
            commit(broker, "first")
            yield address
    except JavaUnavailable as reason:
        do_without(reason)


@pytest.fixture(autouse=True)
def _library(realm: Realm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRB5_CONFIG", str(realm.config))


def java(keytab: Path, principal: str = USER) -> dict[str, str]:
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "GSSAPI",
        "sasl.jaas.config": JAAS.format(keytab=keytab, principal=principal),
    }


def test_by_settings_of_java(realm: Realm, address: str) -> None:
    listing = list_groups(address, java(realm.keytab))
    assert [group.group_id for group in listing.groups] == ["first"]


def test_by_settings_of_librdkafka(realm: Realm, address: str) -> None:
    settings = {
        "security.protocol": "sasl_plaintext",
        "sasl.mechanisms": "GSSAPI",
        "sasl.kerberos.service.name": "kafka",
        "sasl.kerberos.principal": USER,
        "sasl.kerberos.keytab": str(realm.keytab),
    }
    assert list_groups(address, settings).complete


def test_an_audit(realm: Realm, address: str, tmp_path: Path) -> None:
    config = tmp_path / "client.properties"
    config.write_text("".join(f"{name}={value}\n" for name, value in java(realm.keytab).items()))
    options = ["--command-config", str(config), "--out", str(tmp_path / "out")]
    assert main(["audit", f"kafka://{address}", *options]) == 0


def test_a_principal_that_the_key_table_lacks(realm: Realm, address: str) -> None:
    with pytest.raises(
        AuthenticationFailed, match=r"mallory@KPROTO\.TEST gets no ticket for kafka/"
    ):
        list_groups(address, java(realm.keytab, "mallory@KPROTO.TEST"))


def test_a_centre_that_is_silent(
    realm: Realm, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "krb5.conf"
    config.write_text(realm.config.read_text().replace(f":{realm.port}", ":1"))
    monkeypatch.setenv("KRB5_CONFIG", str(config))
    begin = time.monotonic()
    with pytest.raises(ClusterError) as raised:
        list_groups(address, java(realm.keytab), timeout=4)
    assert time.monotonic() - begin < 5
    assert "\n" not in str(raised.value)
