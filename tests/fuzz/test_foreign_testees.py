"""The testees of other languages: where their tools are, each builds, answers, tells its release.

Without its tools, or the registry, a client is left out; nothing fails. The builds are kept outside
of the source tree, so that only the first run takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.fuzz.building import Unavailable, run
from kproto.fuzz.conformance.client.remote import Remote
from kproto.fuzz.subject import Failed, Failure, Read, Refused, Unsupported, Written
from kproto.fuzz.testees import NAMES, TESTEES

from .testee_remotes import parameters, remote_of

PLAIN = ("000000000001000161ffffffff", "000100000001000161ffffffff00000000")
"""One client reads version 1 alone, and one has never learned it."""
ASSIGNED = "0000000000010001610000000100000000ffffffff"
FOLDER = Path(__file__).parents[2] / "fuzz" / "testees"


CUT = {"franz-go-kgo-1.14": Read, "samsa": Unsupported}
"""What those say of a cut subscription that do not refuse it: to one leader, members whose bytes it
cannot read subscribe to nothing, and one reads no subscription at all."""
OTHERS = [name for name in NAMES if TESTEES[name].language not in ("Python", "Java")]


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


def test_no_manifest_holds_an_address_and_every_version_is_pinned() -> None:
    manifests = [*FOLDER.rglob("*.toml"), *FOLDER.rglob("*.json"), *FOLDER.rglob("*.mod"),
                 *FOLDER.rglob("requirements.txt")]  # fmt: skip
    assert len(manifests) == 7
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
