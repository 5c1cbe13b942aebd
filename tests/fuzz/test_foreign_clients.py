"""The adapters of other languages: where their tools are, each builds, answers, tells its release.

Without its tools, or the registry, a client is left out; nothing fails. The builds are kept outside
of the source tree, so that only the first run takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.fuzz.building import Unavailable, run
from kproto.fuzz.clients import CLIENTS, NAMES
from kproto.fuzz.conformance.remote import Remote
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.subject import Failed, Failure, Read, Refused, Unsupported, Written

from .client_remotes import parameters, remote_of

PLAIN = ("000000000001000161ffffffff", "000100000001000161ffffffff00000000")
"""One client reads version 1 alone, and one has never learned it."""
ASSIGNED = "0000000000010001610000000100000000ffffffff"
FOLDER = Path(__file__).parents[2] / "fuzz" / "clients"


CUT = {"franz-go-kgo-1.14": Read, "samsa": Unsupported}
"""What those say of a cut subscription that do not refuse it: to one leader, members whose bytes it
cannot read subscribe to nothing, and one reads no subscription at all."""
OTHERS = [name for name in NAMES if CLIENTS[name].language not in ("Python", "Java")]


@pytest.fixture(params=parameters(OTHERS))
def remote(request: pytest.FixtureRequest) -> Iterator[Remote]:
    with remote_of(request.param) as found:
        yield found


def test_it_reads_what_everybody_reads(remote: Remote, request: pytest.FixtureRequest) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", remote.hello.release)
    found = [remote.decode("ConsumerProtocolSubscription", bytes.fromhex(one)) for one in PLAIN]
    read = [one for one in found if isinstance(one, Read)]
    answer = CUT.get(request.node.callspec.id, Refused)
    assert bool(read) == (answer is not Unsupported)
    assert all(one.value["topics"] == ["a"] for one in read)
    assignment = remote.decode("ConsumerProtocolAssignment", bytes.fromhex(ASSIGNED))
    assert isinstance(assignment, Read)
    assert assignment.value["assignedPartitions"] == [{"topic": "a", "partitions": [0]}]
    cut = remote.decode("ConsumerProtocolSubscription", bytes.fromhex(PLAIN[0][:12]))
    assert isinstance(cut, answer)


def test_a_real_consumer_leads_and_follows() -> None:
    with remote_of("librdkafka") as remote:
        sticky = {
            "topics": ["a", "b"], "ownedPartitions": [], "generationId": -1, "rackId": None,
            "userData": None,
        }  # fmt: skip
        written = remote.encode("ConsumerProtocolSubscription", 3, sticky)
        # As a broker saw it: empty user data and an empty rack.
        assert isinstance(written, Written)
        assert written.data.hex() == "0003000000020001610001620000000000000000ffffffff0000"
        led = remote.encode("ConsumerProtocolAssignment", 0, {
            "assignedPartitions": [{"topic": "a", "partitions": [0, 1]}], "userData": None,
        })  # fmt: skip
        assert isinstance(led, Written)
        assert led.data.hex() == "00000000000100016100000002000000000000000100000000"
        twice = remote.decode("ConsumerProtocolSubscription", bytes.fromhex("0001ffffffff"))
        assert isinstance(twice, Refused) and "out of its assignment" in twice.reason
        died = remote.decode("ConsumerProtocolSubscription", b"")
        assert isinstance(died, Failed) and died.how is Failure.CRASH
        assert "SIGABRT" in died.detail
        after = remote.decode("ConsumerProtocolSubscription", bytes.fromhex(PLAIN[0]))
        assert isinstance(after, Read)  # another process


@pytest.mark.parametrize("name", parameters(["kafka-javascript", "librdkafka", "rdkafka"]))
def test_what_a_log_says_late_belongs_to_its_own_question(name: str) -> None:
    """An assignment of many partitions fills the log behind which the next answer stands."""
    numbers = b"".join(number.to_bytes(4, "big") for number in range(5_000))
    many = bytes.fromhex("000000000001000162") + (5_000).to_bytes(4, "big") + numbers + b"\xff" * 4
    with remote_of(name) as remote:
        for topic in ("a", "c"):
            assigned = remote.again(Case("ConsumerProtocolAssignment", many, None, "many"))
            assert isinstance(assigned, Read)
            (entry,) = assigned.value["assignedPartitions"]
            assert len(entry["partitions"]) == 5_000
            data = bytes.fromhex(PLAIN[1]).replace(b"a", topic.encode())
            read = remote.decode("ConsumerProtocolSubscription", data)
            assert isinstance(read, Read) and read.value["topics"] == [topic]


def test_no_manifest_holds_an_address_and_every_version_is_pinned() -> None:
    manifests = [*FOLDER.rglob("*.toml"), *FOLDER.rglob("*.json"), *FOLDER.rglob("*.mod"),
                 *FOLDER.rglob("requirements.txt")]  # fmt: skip
    assert len(manifests) == 10
    for manifest in manifests:
        text = manifest.read_text("utf-8")
        assert "://" not in text and not re.search(r'"[\^~*]|latest', text), manifest
    assert not list(FOLDER.rglob("*lock*")) and not list(FOLDER.rglob("go.sum"))


def test_a_tool_that_fails_is_quoted(tmp_path: Path) -> None:
    words = "echo 'WARNING: Retrying after NewConnectionError'; echo 'ERROR: no such release'"
    with pytest.raises(Unavailable, match=r"^sh failed: ERROR: no such release$"):
        run("sh", "-c", f"{words}; exit 1", cwd=tmp_path, seconds=10)
    with pytest.raises(Unavailable, match=r"^sh failed: WARNING: nothing else$"):
        run("sh", "-c", "echo 'WARNING: nothing else'; exit 1", cwd=tmp_path, seconds=10)
