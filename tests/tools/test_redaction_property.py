"""With --redact no name of any input is in any output: random names, every kind of input."""

from __future__ import annotations

import gzip
import json
import shutil
import string
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    JoinGroupRequest,
    OffsetCommitKey,
    OffsetCommitValue,
    RequestHeader,
    SaslAuthenticateRequest,
)
from kproto.tools.main import COMMANDS, command_parser

from ..capture.test_segments import batch
from ..capture.wires import ACK, BROKER, CLIENT, SYN, captured, ip_packet, sized
from ..cluster.brokers import listening
from ..cluster.groups import Groups, group, member
from .conftest import each_a_process, run

# One in `make test`, two in `make fuzz`: each takes dozens of calls.
fewest = settings(each_a_process, phases=[Phase.generate])


class Names(NamedTuple):
    """What must not be seen."""

    topic: str
    group: str
    member: str
    client: str
    rack: str
    host: str
    file: str
    folder: str
    label: str


# Long enough, and of letters that no word of the output has in this order.
words = st.text(string.ascii_lowercase, min_size=6, max_size=12)
FORMS = ["zq{}x", "zq-{}.x", "zq_{}_x", "zq.x-{}"]
names = st.lists(
    st.builds(str.format, st.sampled_from(FORMS), words),
    min_size=len(Names._fields), max_size=len(Names._fields), unique=True,
).map(lambda words: Names(*words))  # fmt: skip


def message(given: Names) -> bytes:
    return ConsumerProtocolSubscription(
        topics=[given.topic],
        user_data=given.host.encode(),
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic=given.topic, partitions=[0])
        ],
        rack_id=given.rack,
    ).to_bytes(3)


def join(given: Names) -> bytes:
    protocols = tuple(
        JoinGroupRequest.JoinGroupRequestProtocol(name=name, metadata=message(given))
        for name in ("range", given.label)  # an assignor of one's own
    )
    body = JoinGroupRequest(
        group_id=given.group, member_id=given.member, group_instance_id=given.host,
        protocol_type="consumer", protocols=protocols, session_timeout_ms=1,
        rebalance_timeout_ms=1,
    )  # fmt: skip
    header = RequestHeader(
        request_api_key=11, request_api_version=5, correlation_id=1, client_id=given.client
    )
    return header.to_body(1) + body.to_body(5)


def packets(given: Names) -> bytes:
    return packets_of(sized(join(given)))


def packets_of(frame: bytes) -> bytes:
    there, back = (CLIENT, BROKER), (BROKER, CLIENT)
    sent = [
        ip_packet(b"", 1000, ports=there, flags=SYN),
        ip_packet(b"", 5000, ports=back, flags=SYN | ACK, ack=1001),
        ip_packet(frame, 1001, ports=there, ack=5001),
        ip_packet(frame, 1001 + 2 * len(frame), ports=there, ack=5001),  # one is missing
    ]
    return captured(sent).getvalue()


def log(given: Names) -> bytes:
    data = message(given)
    lines = [
        f"12:00 INFO {given.host} started {given.label}",
        f"12:00 DEBUG {given.label} {given.host} metadata={data!r} of {given.group}",
        f"12:01 DEBUG {given.label}={data.hex()}7",
        f"12:01 WARN {given.label} {given.host} {bytes(range(200, 216)).hex()} {given.topic}",
    ]
    return ("\n".join(lines * 2) + "\n").encode()


def refused(given: Names) -> bytes:
    """A text that cannot be read, of words that may not be quoted either."""
    return f"{given.label} {given.host} [999, 1, {given.topic}]\n".encode()


def line_of_frame(given: Names) -> bytes:
    line = {"source": f"{given.host}:9092", "request": join(given).hex(), "client": given.client}
    return json.dumps(line).encode() + b"\n"


def segment(given: Names) -> bytes:
    """A segment of the offsets topic: a group with a member, and a commit, each with a tail."""
    member = GroupMetadataValue.MemberMetadata(
        member_id=given.member, client_id=given.client, client_host=f"/{given.host}",
        rebalance_timeout=1, session_timeout=1, subscription=message(given) + b"\1",
        assignment=b"",
    )  # fmt: skip
    value = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol="range", leader=given.member,
        current_state_timestamp=1, members=[member],
    )  # fmt: skip
    key = OffsetCommitKey(group=given.group, topic=given.topic, partition=0)
    commit = OffsetCommitValue(offset=1, metadata=given.label, commit_timestamp=1)
    values: list[bytes | None] = [value.to_bytes(3), commit.to_bytes(3) + given.host.encode()]
    return batch(0, values, keys=[GroupMetadataKey(group=given.group).to_bytes(), key.to_bytes()])


KINDS: dict[str, Callable[[Names], bytes]] = {
    "log": log,
    "hex": lambda given: message(given).hex().encode(),
    "cut hex": lambda given: message(given).hex()[:-9].encode(),
    "two": lambda given: f"{message(given).hex()},{message(given).hex()}".encode(),
    "numbered": lambda given: f"1. {message(given).hex()}\n2. {message(given).hex()}\n".encode(),
    "labelled": lambda given: f"{given.label}: {message(given).hex()}\n{given.host}: 00\n".encode(),
    "raw": message,
    "gzip": lambda given: gzip.compress(log(given)),
    "broken gzip": lambda given: gzip.compress(log(given))[:-9],
    "frame": lambda given: sized(join(given)),
    "frame in JSON lines": line_of_frame,
    "packets": packets,
    "cut packets": lambda given: packets(given)[:-7],
    "refused": refused,
    "segment": segment,
    "assignment": lambda given: ConsumerProtocolAssignment(
        assigned_partitions=[
            ConsumerProtocolAssignment.TopicPartition(topic=given.topic, partitions=[-1, -1])
        ],
        user_data=given.host.encode(),
    ).to_bytes(1),
}  # fmt: skip


FILE, FOLDER = "FILE", "FOLDER"
"""Where a file, or a folder, is written; what is in it is an output."""
VIEWS = [[], ["--json"], ["--html", FILE], ["--svg", FILE]]
DECODE = [*VIEWS, ["--full"], ["--field", "topics"], ["--as", "request"]]
LINT = [
    [], ["--json"], ["--output", "sarif"], ["--readers", "all"], ["--json", "--readers", "all"],
    ["--write-baseline", FILE],
]  # fmt: skip
GROUP = [
    *VIEWS, ["--full"], ["--output", "csv"], ["--save", FILE], ["--plan", "consumer"],
    ["--what-if", "members=3"], ["--watch", "1s", "--for", "1s", "--json"],
    ["--watch", "1s", "--for", "1s"], ["--history"], ["--no-history"], ["--no-lag"],
]  # fmt: skip
AUDIT = [
    ["--out", FOLDER], ["--out", FOLDER, "--json"], ["--out", FOLDER, "--write-baseline", FILE],
    ["--out", FOLDER, "--junit", FILE],
    ["--out", FOLDER, "--group", "zq*"], ["--out", FOLDER, "--partition-lag"],
    ["--out", FOLDER, "--write-baseline", FILE, "--baseline", FILE, "--baseline-groups"],
]  # fmt: skip
TRIED = {
    "decode": DECODE,
    "lint": LINT,
    "diff": [*VIEWS, ["--full"]],
    "story": [*VIEWS, ["--full"]],
    "group": GROUP,
    "migrate": [*VIEWS, ["--output", "csv"], ["--output", "sarif"], ["--group", "zq*"]],
    "audit": AUDIT,
    "explain": [[], ["--json"]],
    "simulate": [
        [], ["--json"], ["--steps"], ["--bytes"], ["--metrics"], ["--html", FILE],
        ["--capture", FILE],
    ],
    "conform": [
        [], ["--json"], ["--junit", FILE], ["--sarif", FILE], ["--html", FILE],
        ["--vectors", FILE], ["--write-baseline", FILE], ["--out", FOLDER, "--matrix"],
    ],
}  # fmt: skip
"""The outputs of each command that names something of its input."""
NAMELESS = {
    "encode": "its output is the message that was asked for",
    "compat": "its input is definitions, which name no topic or group",
    "codegen": "its input is definitions",
    "schemas": "its input is definitions",
    "completion": "it has no input",
    "page": "it has no input",
    "fuzz": "its inputs are kproto's own",
}
"""The commands without --redact, each with the reason."""
CHOOSING = {
    "--adapter", "--api-key", "--api-version", "--as", "--assignor", "--baseline", "--body",
    "--body-version", "--bootstrap-server", "--catalog", "--client", "--cluster-id", "--color",
    "--command-config", "--config", "--definitions", "--encoding", "--every", "--fail-on", "--file",
    "--follow", "--for", "--forget-after", "--format", "--from", "--give-up", "--group",
    "--guarantee", "--help", "--hex", "--hosts", "--ignore", "--init", "--input", "--jobs",
    "--judge-every", "--kind", "--level", "--list", "--max-bytes", "--max-poll-interval",
    "--max-records", "--member-client", "--members", "--memory", "--mode", "--on-lost", "--output",
    "--pager", "--partition-by", "--partitions", "--policy", "--provider", "--rate",
    "--reader-version", "--recommended", "--redact", "--redact-key", "--release", "--replace",
    "--requests", "--scenario", "--seed", "--select", "--session-timeout", "--set", "--settings",
    "--since", "--sort", "--spark", "--state", "--team", "--teams", "--threshold", "--time",
    "--timeout", "--topic", "--topics", "--until", "--with-members", "--zone", "-h",
}  # fmt: skip
"""Options that choose what is read and judged, or where; any other one adds to what comes out."""
REFUSED = {
    ("simulate", "--svg"), ("simulate", "--png"),  # pictures of numbers alone: they need matplotlib
    ("decode", "--bytes"), ("conform", "--ask"),
}  # fmt: skip
"""Ways out that have no name in them, or that do not go with --redact."""


def options_of(command: str) -> dict[str, tuple[str, ...]]:
    """Each option with its choices, by the command's own parser."""
    _, parser = command_parser(command)
    return {
        name: tuple(action.choices or ())
        for action in parser._actions for name in action.option_strings
    }  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_way_out_of_every_command_is_tried(command: str) -> None:
    options = options_of(command)
    if command in NAMELESS:
        assert "--redact" not in options
        return
    tried = {word for words in TRIED[command] for word in words}
    ways = options.keys() - CHOOSING
    assert ways - {option for name, option in REFUSED if name == command} <= tried
    assert set(options.get("--output", ())) - {"table", "json"} <= tried


def leaks(given: Names, command: str, words: list[str], folder: Path) -> None:
    """Run the command with each of its outputs; assert that no name is in any of them."""
    for options in TRIED[command]:
        output = output_of([command, "--redact", *words, *options], folder)
        names = [name for name in spellings(given) if name in output]
        assert not names, (command, options, names, output)


def output_of(words: list[str], folder: Path) -> str:
    """Everything that a call prints and writes."""
    file, out = folder / "written", folder / "results"
    places = {FILE: str(file), FOLDER: str(out)}
    return "\n".join([ran([places.get(word, word) for word in words]), *texts_in(file, out)])


def texts_in(*places: Path) -> Iterator[str]:
    """What is in these files, and in the files of these folders, which are removed then."""
    for place in places:
        for path in [place, *sorted(place.rglob("*"))]:
            if path.suffix == ".parquet":
                yield repr(pq.read_table(path, partitioning=None).to_pylist())
            elif path.is_file():
                yield path.read_text(encoding="utf-8")
        if place.is_dir():
            shutil.rmtree(place)
        place.unlink(missing_ok=True)


def java_log(given: Names) -> str:
    front = "[2026-11-25 23:33:{:02},000] INFO [GroupCoordinator id=1] "
    member = f"{given.member}-00000000-0000-0000-0000-000000000001"
    lines = [
        (
            f"Dynamic member with unknown member id joins group {given.group} in Empty state. "
            f"Created a new member id {member} and requesting the member to rejoin with this id."
        ),
        (
            f"Preparing to rebalance group {given.group} in state PreparingRebalance with old "
            f"generation 0 (reason: Adding new member {member} with group instance id "
            f"{given.host}; client reason: {given.label})."
        ),
        f"Stabilized group {given.group} generation 1 with 1 members.",
        f"Member {member} in group {given.group} has failed, removing it from the group.",
        f"Group {given.group} with generation 1 is now empty.",
    ]
    return "".join(front.format(number) + line + "\n" for number, line in enumerate(lines))


def write(place: Path, data: bytes | str) -> str:
    """Write a file, and return its path as an argument."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(place)


def sources_of(given: Names, folder: Path) -> dict[str, str]:
    """Files full of names, by what they are, in a folder with a name."""
    top = folder / given.folder
    return {
        "log": write(top / f"{given.file}.log", java_log(given)),
        "packets": write(top / f"{given.file}.pcap", packets(given)),
        "segment": write(top / given.label / f"{0:020}.log", segment(given)),
        "settings": write(top / f"{given.file}.properties", settings_of(given)),
        "adapter": write(top / f"{given.file}.py", adapter(given)),
    }


def settings_of(given: Names) -> str:
    return f"group.id={given.group}\nclient.id={given.client}\nsession.timeout.ms=1\n"


def adapter(given: Names) -> str:
    """A client that dies at its first question, and says where."""
    hello = {
        "protocol": 1, "client": given.client, "release": "1", "ops": ["decode"],
        "names": ["ConsumerProtocolSubscription"],
    }  # fmt: skip
    return (
        f"import sys\nsys.stdin.readline()\nprint('{json.dumps(hello)}', flush=True)\n"
        f"sys.stdin.readline()\nsys.exit('{given.host} has no {given.topic} in {given.folder}')\n"
    )


def group_line(given: Names) -> str:
    """A group as `kproto migrate` reads one, with members that stop it."""
    listed = [{"name": name, "metadata": message(given).hex()} for name in ("range", given.label)]
    members = [
        {"member": given.member, "client": given.client, "protocols": listed, "assignment": "00"},
        {"member": f"{given.member}-2", "instance": given.host, "protocols": listed[:1]},
    ]
    group = {
        "group": given.group, "protocolType": "consumer", "state": "Stable", "members": members,
        "protocol": given.label, "topics": {given.topic: 1},
    }  # fmt: skip
    return f"{json.dumps(group)}\n"


@fewest
@given(names)
def test_no_name_of_a_log_is_seen(given: Names) -> None:
    with TemporaryDirectory() as top:
        sources = sources_of(given, Path(top))
        for source in ("log", "packets"):
            leaks(given, "story", [sources[source]], Path(top))
        leaks(given, "story", [sources["log"], "--settings", sources["settings"]], Path(top))
        for line in (*java_log(given).splitlines(), f"UNKNOWN_MEMBER_ID {given.group}"):
            leaks(given, "explain", [line], Path(top))


@fewest
@given(names)
def test_no_name_of_a_fleet_is_seen(given: Names) -> None:
    with TemporaryDirectory() as top:
        folder = Path(top)
        sources = sources_of(given, folder)
        teams = write(folder / given.host, json.dumps({given.group: given.label}))
        baseline = str(folder / given.folder / "baseline.json")
        out = ["--out", str(folder / "earlier"), "--write-baseline", baseline]
        ran(["audit", sources["segment"], *out])
        for words in (
            [sources["segment"], sources["log"]],
            [sources["packets"], "--teams", teams],
            [sources["segment"], "--topics", f"{given.topic}=9", "--cluster-id", given.label],
            [f"{given.label}={sources['segment']}", "--settings", sources["settings"],
             "--group", given.group],
            [sources["segment"], "--group", f"{given.group}-none"],
            [sources["log"], "--baseline", baseline],
            [str(folder / given.label)],
        ):  # fmt: skip
            leaks(given, "audit", words, folder)
        lines = write(folder / given.folder / f"{given.file}.jsonl", group_line(given))
        odd = write(folder / given.folder / "odd.jsonl", group_line(given).replace("00", "zz"))
        for words in (
            [lines], [odd], [sources["segment"]], [sources["packets"], "--with-members"],
            [str(folder / given.label)],
        ):  # fmt: skip
            leaks(given, "migrate", words, folder)


@fewest
@given(names)
def test_no_name_of_a_client_is_seen(given: Names) -> None:
    with TemporaryDirectory() as top:
        sources = sources_of(given, Path(top))
        options = ["--time", "3s", "--give-up", "1", "--guarantee", "G07"]
        leaks(given, "conform", [*options, "--", sys.executable, sources["adapter"]], Path(top))


class Named(Groups):
    """A broker whose answers are full of names."""

    def __init__(self, given: Names) -> None:
        answer = member(given.member, topics=(given.topic,)).replace(client_id=given.client)
        super().__init__(group(given.group, answer, protocol=given.label))
        self.topics[given.topic] = 2


@fewest
@given(names)
def test_no_name_of_a_cluster_is_seen(given: Names) -> None:
    with TemporaryDirectory() as top, listening(Named(given)) as address:
        folder, server = Path(top), ["--bootstrap-server", address]
        leaks(given, "group", [given.group, *server], folder)
        leaks(given, "group", server, folder)
        saved = folder / given.file
        ran(["group", given.group, *server, "--save", str(saved)])
        assert saved.exists()
        leaks(given, "group", [given.group, "--from", str(saved)], folder)
        for words in (
            [f"{given.label}-none", *server],
            [f"{given.label}-none", "--from", str(saved)],
        ):
            leaks(given, "group", words, folder)
        redacted = folder / given.folder
        ran(["group", given.group, *server, "--save", str(redacted), "--redact"])
        leaks(given, "group", ["group-1", "--from", str(redacted)], folder)
        leaks(given, "simulate", [str(saved)], folder)
        leaks(given, "migrate", [str(saved)], folder)


def ran(arguments: list[str]) -> str:
    """Everything that a call prints."""
    answer = run(*arguments)
    return answer.text + answer.notes


def spellings(given: Names) -> Iterator[str]:
    """The names, and as they would be in hex or base64 of the bytes around them."""
    for name in given:
        yield name
        yield name.encode().hex()
        yield name.encode().hex(" ")
        yield b64encode(f"  {name}".encode()).decode()[4:-4]
    yield "10.0.0."


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=settings().max_examples // 15, phases=[Phase.generate])
@given(names)
def test_no_name_is_seen(kind: str, given: Names) -> None:
    with TemporaryDirectory() as top:
        folder = Path(top) / given.folder
        suffix = "log" if kind == "segment" else kind.partition(" ")[0]
        path = write(folder / f"{given.file}.{suffix}", KINDS[kind](given))
        leaks(given, "decode", [path], Path(top))
        leaks(given, "lint", [path], Path(top))
        leaks(given, "diff", [path, path], Path(top))
        write(folder / given.label / given.host / Path(path).name, KINDS[kind](given))
        leaks(given, "lint", [str(folder)], Path(top))
        leaks(given, "decode", [str(folder / given.group)], Path(top))


SECRET = "zqsecretzq"  # noqa: S105  # what is looked for
JAAS = (
    "org.apache.kafka.common.security.plain.PlainLoginModule required "
    f'username="u" password="{SECRET}";'
)
LOGIN = {
    "sasl.jaas.config": JAAS, "sasl.password": SECRET, "ssl.key.password": SECRET,
    "ssl.truststore.password": SECRET, "sasl.oauthbearer.client.secret": SECRET,
    "ssl.keystore.key": SECRET, "basic.auth.user.info": f"u:{SECRET}",
    "schema.registry.url": f"https://u:{SECRET}@registry",
}  # fmt: skip


@pytest.fixture(scope="module")
def with_credentials(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files with credentials, by what they are."""
    folder = tmp_path_factory.mktemp("login")
    given = Names(*(f"name{number}" for number in range(len(Names._fields))))
    front = "[2026-11-25 23:33:00,000] INFO "
    values = "\n".join(f"\t{name} = {value}" for name, value in LOGIN.items())
    settings_text = f"ConsumerConfig values: \n\tclient.id = c\n\tgroup.id = {given.group}\n"
    plain = SaslAuthenticateRequest(auth_bytes=f"\0u\0{SECRET}".encode())
    header = RequestHeader(
        request_api_key=36, request_api_version=2, correlation_id=1, client_id="c"
    )
    properties = "".join(f"{name}={value}\n" for name, value in LOGIN.items())
    return {
        "log": write(
            folder / "app.log",
            java_log(given)
            + f"{front}{settings_text}{values} (org.apache.kafka.clients.consumer.ConsumerConfig)\n"
            + f"{front}sasl.jaas.config={JAAS}\n{front}connecting to https://u:{SECRET}@host\n"
            + f"{front}metadata={message(given).hex()} password={SECRET}\n",
        ),
        "packets": write(
            folder / "app.pcap", packets_of(sized(header.to_body(2) + plain.to_body(2)))
        ),
        "properties": write(folder / "client.properties", properties),
        "odd": write(folder / "odd.properties", f"{properties}security.protocol=\\u00\n"),
        "lines": write(folder / "groups.jsonl", group_line(given)),
    }


@pytest.mark.parametrize("command", ["decode", "lint", "diff", "story", "explain", "audit"])
def test_no_credentials_are_seen(
    command: str, with_credentials: dict[str, str], tmp_path: Path
) -> None:
    log, packets_file = with_credentials["log"], with_credentials["packets"]
    cases = {
        "explain": [[line] for line in (f"sasl.jaas.config={JAAS}", f"password={SECRET}")],
        "audit": [[log], [packets_file], [log, "--settings", with_credentials["properties"]]],
        "diff": [[log, log], [packets_file, packets_file]],
    }
    for words in cases.get(command, [[log], [packets_file]]):
        for options in TRIED[command]:
            shows_no_secret([command, *words, *options], tmp_path)


def test_no_credentials_of_a_login_are_seen(
    with_credentials: dict[str, str], tmp_path: Path
) -> None:
    nobody = "127.0.0.1:1"
    for file in ("properties", "odd"):
        login = ["--command-config", with_credentials[file], "--timeout", "300ms"]
        shows_no_secret(["group", "--bootstrap-server", nobody, *login], tmp_path)
        shows_no_secret(["story", f"kafka://{nobody}", *login], tmp_path)
        shows_no_secret(["audit", f"kafka://{nobody}", "--out", FOLDER, *login], tmp_path)


def shows_no_secret(words: list[str], folder: Path) -> None:
    output = output_of(words, folder)
    secrets = [SECRET, SECRET.encode().hex(), b64encode(f"\0u\0{SECRET}".encode()).decode()]
    assert not [secret for secret in secrets if secret in output], (words, output)
