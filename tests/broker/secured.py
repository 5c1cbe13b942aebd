"""A real broker with TLS, SASL and ACLs: a listener for each, and principals that may do little."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from confluent_kafka import admin as confluent_admin

from tests.broker.broker import Broker, free_ports, running_broker

of: Any = confluent_admin
PASSWORD = "hunter-2;=,\\"  # noqa: S105  # of test users, awkward on purpose
STORE = "changeit"
_LISTENERS = ("SASLTLS", "TLS", "SASLPLAIN")
_SETTINGS = """\
listeners=PLAIN://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller},\
SASLTLS://127.0.0.1:{sasl_tls},TLS://127.0.0.1:{tls},SASLPLAIN://127.0.0.1:{sasl}
advertised.listeners=PLAIN://127.0.0.1:{plain},SASLTLS://127.0.0.1:{sasl_tls},\
TLS://127.0.0.1:{tls},SASLPLAIN://127.0.0.1:{sasl}
listener.security.protocol.map=PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT,SASLTLS:SASL_SSL,TLS:SSL,\
SASLPLAIN:SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER
ssl.keystore.type=PEM
ssl.keystore.location={folder}/server.pem
ssl.truststore.type=PEM
ssl.truststore.location={folder}/cert.pem
listener.name.tls.ssl.client.auth=required
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:admin
connections.max.reauth.ms=0
"""
_LOGINS = """\
listener.name.{listener}.plain.sasl.jaas.config=\
org.apache.kafka.common.security.plain.PlainLoginModule required \
user_admin="{password}" user_little="{password}" user_nobody="{password}";
listener.name.{listener}.scram-sha-256.sasl.jaas.config=\
org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.{listener}.scram-sha-512.sasl.jaas.config=\
org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.{listener}.oauthbearer.sasl.jaas.config=\
org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required \
unsecuredLoginStringClaim_sub="admin";
"""


@dataclass(frozen=True)
class Secured:
    """The broker, and the addresses of its listeners by name. `certificate` is the broker's own,
    with which it signed itself; `identity` is a client's certificate and key."""

    broker: Broker
    addresses: dict[str, str]
    certificate: Path
    identity: Path


@contextmanager
def secured_broker(folder: Path) -> Iterator[Secured]:
    """Start it. `little` may DESCRIBE the group `allowed` and the topic `orders`, `nobody` nothing;
    `admin` and everybody on the plain listener may do all."""
    _certificate(folder)
    ports = dict(zip(("sasl_tls", "tls", "sasl"), free_ports(3), strict=True))

    def settings(plain: int, controller: int) -> str:
        logins = "".join(
            _LOGINS.format(listener=name, password=PASSWORD.replace("\\", "\\\\\\\\"))
            for name in ("sasltls", "saslplain")
        )
        known = {"plain": plain, "controller": controller, **ports, "folder": folder}
        return _SETTINGS.format(**known) + logins

    with running_broker(folder, settings) as broker:
        _prepare(of.AdminClient({"bootstrap.servers": broker.bootstrap}))
        addresses = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
        yield Secured(broker, addresses, folder / "cert.pem", folder / "server.pem")


def _certificate(folder: Path) -> None:
    key, chain = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=admin", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        [*command, *names, "-keyout", key, "-out", chain], check=True, capture_output=True
    )
    (folder / "server.pem").write_bytes(key.read_bytes() + chain.read_bytes())


def _prepare(admin: Any) -> None:
    users = [
        of.UserScramCredentialUpsertion(
            "admin", of.ScramCredentialInfo(mechanism, 4096), PASSWORD.encode()
        )
        for mechanism in (of.ScramMechanism.SCRAM_SHA_256, of.ScramMechanism.SCRAM_SHA_512)
    ]
    acls = [
        of.AclBinding(
            kind, name, of.ResourcePatternType.LITERAL, "User:little", "*",
            of.AclOperation.DESCRIBE, of.AclPermissionType.ALLOW,
        )
        for kind, name in ((of.ResourceType.GROUP, "allowed"), (of.ResourceType.TOPIC, "orders"))
    ]  # fmt: skip
    asked = [admin.alter_user_scram_credentials([user]) for user in users]
    for futures in (*asked, admin.create_acls(acls)):
        for future in futures.values():
            future.result(timeout=20)
