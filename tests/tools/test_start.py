"""Nothing is imported that a call does not need: that is why the command starts fast.

How fast is measured by `make bench`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import CAPTURES, ENVIRONMENT

LOADED = """
import sys
before = set(sys.modules)
from kproto.tools.main import main
main(sys.argv[1:])
import json
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""
JAVA = (CAPTURES / "java-sticky.hex").read_text(encoding="ascii").strip()
HEAVY = {
    "ast", "asyncio", "bz2", "construct", "csv", "dataclasses", "inspect", "locale", "pathlib",
    "pickle", "platform", "rich", "shutil", "subprocess", "tokenize",
    "typing_extensions", "unittest", "zipfile",
}  # fmt: skip


def loaded(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=ENVIRONMENT)
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_json_needs_no_views_and_no_message_that_the_bytes_cannot_be() -> None:
    modules = loaded("decode", JAVA, "--json")
    assert not HEAVY & {name.partition(".")[0] for name in modules}
    assert not {"importlib.metadata", "textwrap"} & modules
    # The package itself is a table of names.
    assert not any(name.startswith("kproto.capture.") for name in modules)
    messages = {name for name in modules if name.startswith("kproto.codec.messages.")}
    user_data = {name for name in messages if name.endswith(("_user_data", "_info_data"))}
    assert messages - user_data == {
        "kproto.codec.messages.programs",
        "kproto.codec.messages.consumer_protocol_subscription",
    }


def test_help_needs_no_codec_and_no_typing() -> None:
    modules = loaded("--help")
    assert not HEAVY & {name.partition(".")[0] for name in modules}
    assert not {"msgspec", "typing", "kproto.codec"} & modules


@pytest.mark.parametrize(
    ("data", "most"),
    [
        ("00000000000100066f7264657273ffffffff", 55),
        ("00010000000100066f7264657273ffffffff", 62),  # KP040, and what else it could be
    ],
)
def test_the_inspector_loads_few_modules(data: str, most: int) -> None:
    modules = loaded("decode", data, "--policy", "lenient", "--color", "always")
    assert "rich.console" in modules
    assert not {"ast", "inspect", "pickle", "tokenize"} & modules
    assert not {"kproto.tools.encode", "kproto.tools.schemas", "construct"} & modules
    assert sum(name.split(".")[0] == "kproto" for name in modules) <= most


LATE = """
from kproto.tools.main import main
assert main(["decode", "00000000000100066f7264657273ffffffff"]) == 0
import sys
assert not {"ast", "inspect", "msgspec.inspect", "pickle", "platform"} & sys.modules.keys()
import inspect, msgspec, platform, rich.markup, rich.style
assert msgspec.inspect.type_info(int) == sys.modules["msgspec.inspect"].IntType()
assert msgspec.json.schema(int) == {"type": "integer"}
assert msgspec.msgpack.decode(msgspec.msgpack.encode([1])) == [1]
assert rich.style.loads(rich.style.dumps({"a": 1})) == {"a": 1}
assert rich.markup.literal_eval("[1]") == [1]
assert inspect.signature(main).parameters and platform.python_version()
"""


def test_what_is_imported_late_is_all_there() -> None:
    subprocess.run([sys.executable, "-c", LATE], check=True, capture_output=True, env=ENVIRONMENT)


def test_an_audit_of_log_segments_needs_no_reader_of_packets(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    topic = str(CAPTURES / "offsets-topic")
    modules = loaded("audit", topic, "--out", str(tmp_path), "--group", "ck.range")
    assert "kproto.pipeline.sources.segments.segment_units" in modules
    assert not {"dpkt", "kproto.pipeline.sources.captures"} & modules
