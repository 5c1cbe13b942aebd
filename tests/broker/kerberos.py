"""A key distribution centre of MIT Kerberos (Debian's krb5-kdc) on 127.0.0.1, and a real broker
with a listener that takes its tickets."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.broker.broker import Broker, free_ports, running_broker

REALM = "KPROTO.TEST"
BROKER, USER = f"kafka/localhost@{REALM}", f"alice@{REALM}"
_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
_KRB5 = """\
[libdefaults]
default_realm = {realm}
dns_lookup_kdc = false
dns_lookup_realm = false
rdns = false
dns_canonicalize_hostname = false
[realms]
{realm} = {{
  kdc = 127.0.0.1:{port}
}}
"""
_KDC = """\
[kdcdefaults]
kdc_listen = 127.0.0.1:{port}
kdc_tcp_listen = 127.0.0.1:{port}
[realms]
{realm} = {{
  database_name = {folder}/principal
  key_stash_file = {folder}/stash
  acl_file = {folder}/acl
  max_life = 1h
}}
"""
_SETTINGS = """\
listeners=PLAIN://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller},KRB://localhost:{port}
advertised.listeners=PLAIN://127.0.0.1:{plain},KRB://localhost:{port}
listener.security.protocol.map=PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT,KRB:SASL_PLAINTEXT
sasl.enabled.mechanisms=GSSAPI
sasl.kerberos.service.name=kafka
listener.name.krb.gssapi.sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required \
useKeyTab=true storeKey=true keyTab="{keytab}" principal="{principal}";
"""


class KerberosUnavailable(Exception):
    """Raised where there is no key distribution centre, or no library that asks it."""


@dataclass(frozen=True)
class Realm:
    """A running centre: the libraries' configuration, and the key tables of its principals."""

    config: Path
    keytab: Path
    broker_keytab: Path
    port: int


@contextmanager
def running_realm(folder: Path) -> Iterator[Realm]:
    """Start a centre whose files are in `folder`. Raises KerberosUnavailable."""
    server = shutil.which("krb5kdc", path=_PATH)
    if server is None or shutil.which("kadmin.local", path=_PATH) is None:
        raise KerberosUnavailable("krb5-kdc and krb5-admin-server are not installed")
    try:
        import gssapi  # noqa: F401
    except ImportError:
        raise KerberosUnavailable("the package gssapi is not installed") from None
    (port,) = free_ports(1)
    config, kdc = folder / "krb5.conf", folder / "kdc.conf"
    config.write_text(_KRB5.format(realm=REALM, port=port))
    kdc.write_text(_KDC.format(realm=REALM, port=port, folder=folder))
    variables = {"KRB5_CONFIG": str(config), "KRB5_KDC_PROFILE": str(kdc), "PATH": _PATH}

    def run(*command: str) -> None:
        subprocess.run(command, env=variables, check=True, capture_output=True)

    run("kdb5_util", "create", "-s", "-r", REALM, "-P", "master")
    realm = Realm(config, folder / "alice.keytab", folder / "broker.keytab", port)
    for principal, keytab in ((USER, realm.keytab), (BROKER, realm.broker_keytab)):
        run("kadmin.local", "-r", REALM, "addprinc", "-randkey", principal)
        run("kadmin.local", "-r", REALM, "ktadd", "-k", str(keytab), principal)
    with (folder / "kdc.log").open("wb") as log:
        process = subprocess.Popen(
            [server, "-n", "-r", REALM], env=variables, stdout=log, stderr=log
        )
        try:
            _await_port(port, process)
            yield realm
        finally:
            process.terminate()
            process.wait(10)


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise KerberosUnavailable("krb5kdc does not start")


@contextmanager
def kerberos_broker(folder: Path, realm: Realm) -> Iterator[tuple[Broker, str]]:
    """Start a broker; yield it, and the address of its listener that wants tickets."""
    (port,) = free_ports(1)

    def settings(plain: int, controller: int) -> str:
        return _SETTINGS.format(
            plain=plain, controller=controller, port=port,
            keytab=realm.broker_keytab, principal=BROKER,
        )  # fmt: skip

    option = f"-Djava.security.krb5.conf={realm.config}"
    with running_broker(folder, settings, jvm=(option,)) as broker:
        yield broker, f"localhost:{port}"
