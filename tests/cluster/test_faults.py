"""Peers that are away, slow, old, or no Kafka at all: one line, status 2, within the timeout."""

from __future__ import annotations

import random
import socket
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import ConsumerGroupDescribeResponse, Message
from kproto.tools.main import main
from kproto.tools.output.failures import NOT_DONE, WRONG_USE
from tests.cluster.brokers import Serve, listening, read_frame
from tests.cluster.groups import Groups, group, member

TIMEOUT = 2.0
SLACK = 45.0  # of a busy machine; a silent peer is silent for longer


def silent(line: socket.socket) -> None:
    line.recv(1)
    time.sleep(60)


def http(line: socket.socket) -> None:
    line.recv(100)
    line.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


def tls_alert(line: socket.socket) -> None:
    line.recv(100)
    line.sendall(bytes.fromhex("15030300020250"))


def random_bytes(line: socket.socket) -> None:
    line.recv(100)
    line.sendall(random.Random(20).randbytes(1000))  # noqa: S311  # the same in every run


def endless_size(line: socket.socket) -> None:
    line.recv(100)
    line.sendall(bytes.fromhex("7fffffff"))
    while True:
        line.sendall(bytes(1 << 16))


def negative_size(line: socket.socket) -> None:
    line.recv(100)
    line.sendall(bytes.fromhex("80000000"))


def another_correlation_id(line: socket.socket) -> None:
    read_frame(line)
    line.sendall(bytes.fromhex("0000000a 0000ffff 0000 00000000"))


def closes_at_once(line: socket.socket) -> None:
    line.recv(100)


def closes_in_the_middle(line: socket.socket) -> None:
    frame = read_frame(line)
    line.sendall(b"\0\0\1\0" + frame[8:12] + b"\0\0")


def drips(line: socket.socket) -> None:
    """A byte now and then, of an answer that never ends."""
    frame = read_frame(line)
    for byte in b"\0\0\1\0" + frame[8:12] + bytes(240):
        line.sendall(bytes([byte]))
        time.sleep(0.2)


def resets(line: socket.socket) -> None:
    line.recv(1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes.fromhex("0100000000000000"))


def no_versions(line: socket.socket) -> None:
    frame = read_frame(line)
    line.sendall(b"\0\0\0\x0c" + frame[8:12] + b"\0\0\x01\0\0\0\0\0")


PEERS: dict[str, tuple[Serve, str]] = {
    "silent": (silent, "does not answer within"),
    "http": (http, "it speaks HTTP"),
    "tls": (tls_alert, "it speaks TLS"),
    "random bytes": (random_bytes, "is no Kafka broker"),
    "endless size": (endless_size, "a size of 2,147,483,647 bytes"),
    "negative size": (negative_size, "is no Kafka broker"),
    "another correlation id": (another_correlation_id, "to another request"),
    "closes at once": (closes_at_once, "closed the connection without an answer"),
    "closes in the middle": (closes_in_the_middle, "in the middle of an answer"),
    "drips": (drips, "does not answer within"),
    "resets": (resets, "breaks off"),
    "no versions": (no_versions, "is no Kafka broker"),
}


def one_line(capsys: pytest.CaptureFixture[str], status: int, *, of: int = NOT_DONE) -> str:
    shown = capsys.readouterr()
    assert status == of
    assert shown.out == ""
    assert shown.err.startswith("kproto: ") and shown.err.count("\n") == 1
    return shown.err


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("name", [(), ("payments",)], ids=["list", "one"])
def test_a_peer_that_is_no_broker(
    peer: str, name: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    serve, said = PEERS[peer]
    with listening(serve) as address:
        began = time.monotonic()
        status = main(["group", *name, "--bootstrap-server", address, "--timeout", f"{TIMEOUT}s"])
        assert time.monotonic() - began < TIMEOUT + SLACK
    assert said in one_line(capsys, status)


@pytest.mark.parametrize(
    "more", [(), ("--watch", "1s"), ("--what-if", "join=1"), ("--plan", "consumer")]
)
def test_an_empty_name(more: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["group", "", "--bootstrap-server", "localhost:1", *more])
    assert "the name of a group is empty" in one_line(capsys, status, of=WRONG_USE)


def test_nobody_listens(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    status = main(["group", "--bootstrap-server", f"127.0.0.1:{port}"])
    assert "cannot be reached: " in one_line(capsys, status)


def test_a_host_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["group", "--bootstrap-server", "no-such-host.invalid:9092", "--timeout", "5s"])
    assert "no-such-host.invalid" in one_line(capsys, status)


def test_tls_to_a_plain_port(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "client.properties"
    config.write_text("security.protocol=SSL\n")
    with listening(http) as address:
        status = main(
            [
                "group",
                "--bootstrap-server",
                address,
                "--command-config",
                str(config),
                "--timeout",
                "2s",
            ]
        )
    assert "does not speak TLS" in one_line(capsys, status)


def test_a_certificate_that_is_not_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, chain, config = (tmp_path / name for name in ("key.pem", "cert.pem", "client.properties"))
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    subprocess.run(
        [*made, "-keyout", key, "-out", chain, "-subj", "/CN=localhost"],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)

    def serve(line: socket.socket) -> None:
        with context.wrap_socket(line, server_side=True) as secured:
            secured.recv(1)

    config.write_text("security.protocol=SSL\n")
    with listening(serve) as address:
        status = main(["group", "--bootstrap-server", address, "--command-config", str(config)])
    assert "certificate that is not trusted" in one_line(capsys, status)


def test_the_next_bootstrap_server_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """Of three, one is away and one is silent."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        away = f"127.0.0.1:{server.getsockname()[1]}"
    with listening(silent) as mute, listening(Groups(group("payments"))) as good:
        servers = f"{away},{mute},{good}"
        assert main(["group", "--bootstrap-server", servers, "--timeout", "12s", "--json"]) == 0
    assert '"group":"payments"' in capsys.readouterr().out


def test_a_coordinator_that_closes_in_the_middle_is_asked_once_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    broker = Groups(group("payments", member("a")))
    describe, times = broker.answers["DescribeGroups"], []

    def once_broken(request: object, version: int) -> object:
        times.append(1)
        if len(times) == 1:
            raise ConnectionError
        return describe(request, version)

    broker.answers["DescribeGroups"] = once_broken  # type: ignore[assignment]
    with listening(broker) as address:
        assert main(["group", "payments", "--bootstrap-server", address, "--json"]) == 0
    assert '"client":"a"' in capsys.readouterr().out
    assert len(times) == 2


def test_a_broker_that_knows_too_little(capsys: pytest.CaptureFixture[str]) -> None:
    broker = Groups(group("payments"))
    del broker.answers["ListGroups"]
    with listening(broker) as address:
        status = main(["group", "--bootstrap-server", address])
    assert "ListGroups 0-5 is needed" in one_line(capsys, status)


@pytest.mark.parametrize(
    ("code", "said"), [(30, "lacks DESCRIBE on GROUP 'payments'"), (35, "UNSUPPORTED_VERSION")]
)
def test_a_refusal_names_what_is_missing(
    code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(Groups(group("payments"), error=code)) as address:
        status = main(["group", "payments", "--bootstrap-server", address])
    assert said in one_line(capsys, status)


def test_a_group_that_does_not_exist_is_not_looked_for_where_there_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """FindCoordinator would create the offsets topic."""
    broker = Groups()
    del broker.topics["__consumer_offsets"]
    with listening(broker) as address:
        status = main(["group", "payments", "--bootstrap-server", address])
    assert "none that the principal may see" in one_line(capsys, status, of=WRONG_USE)
    assert "FindCoordinator" not in broker.asked


def test_an_old_broker_is_not_asked_for_its_offsets_topic_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Up to Apache Kafka 3 a Metadata request that names it creates it: seen on 0.11.0.3. Where it
    is out of sight, the groups tell that it is there."""
    broker = Groups(versions={"Metadata": 4})
    del broker.topics["__consumer_offsets"]
    metadata = broker.answers["Metadata"]
    named: list[str] = []

    def names(request: Any, version: int) -> Message:
        named.extend(topic.name for topic in request.topics or ())
        return metadata(request, version)

    broker.answers["Metadata"] = names
    with listening(broker) as address:
        status = main(["group", "payments", "--bootstrap-server", address])
        assert "none that the principal may see" in one_line(capsys, status, of=WRONG_USE)
        assert "FindCoordinator" not in broker.asked
        broker.groups["payments"] = group("payments", member("a"))
        assert main(["group", "payments", "--bootstrap-server", address, "--json"]) == 0
    assert "__consumer_offsets" not in named


def test_a_broker_whose_consumer_protocol_is_switched_off(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It names the request and answers UNSUPPORTED_VERSION: seen on 3.9.1."""
    broker = Groups()
    cls = ConsumerGroupDescribeResponse

    def off(request: Any, version: int) -> Message:
        groups = tuple(cls.DescribedGroup(group_id=e, error_code=35) for e in request.group_ids)
        return cls(groups=groups)

    broker.answers["ConsumerGroupDescribe"] = off
    with listening(broker) as address:
        status = main(["group", "payments", "--bootstrap-server", address])
    assert "the cluster has no group 'payments'" in one_line(capsys, status, of=WRONG_USE)
