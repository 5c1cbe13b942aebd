"""`kproto decode`: one field, pictures, what is hidden, and the pager."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.segment import Segment, Segments

from kproto.codec import ConsumerProtocolSubscription
from kproto.inspector.views.export import MOST_NARROW, Recorder
from kproto.tools.main import main
from kproto.tools.output import terminal

from .conftest import CAPTURES, Run
from .test_main import one_line
from .test_terminal import on_terminal, plain
from .test_widths import Terminal

JAVA, BROKEN = CAPTURES / "java-sticky.hex", CAPTURES / "kafkajs.hex"


# -- many messages


def test_of_many_messages_the_first_are_shown_field_by_field(kproto: Run, tmp_path: Path) -> None:
    names = [f"orders{number:03}" for number in range(80)]
    text = tmp_path / "many.txt"
    messages = [ConsumerProtocolSubscription(topics=[name]).to_bytes() for name in names]
    text.write_text("".join(f"{message.hex()}\n" for message in messages))
    rows = re.compile("user_data +null")
    done = kproto("decode", text)
    assert len(rows.findall(done.stdout.decode())) == 50
    assert [name for name in names if not re.search(rf"\b{name}\b", done.stdout.decode())] == []
    assert b"a message a line behind the first 50; --full shows the fields of all" in done.stderr
    done = kproto("decode", text, "--full")
    assert len(rows.findall(done.stdout.decode())) == 80
    assert b"a line" not in done.stderr
    page = tmp_path / "page.html"
    for options, shown in ([], True), (["--redact"], False):
        kproto("decode", text, "--html", page, *options)
        made = page.read_text()
        assert ("orders079" in made) == shown


@pytest.mark.parametrize("command", ["decode", "diff"])
@pytest.mark.parametrize("width", [24, 40, 61, 100])
def test_a_heading_says_where_a_message_is_at_any_width(
    kproto: Run, tmp_path: Path, width: int, command: str
) -> None:
    log = tmp_path / "consumer.log"
    line = f"assignment={ConsumerProtocolSubscription(topics=['t']).to_bytes().hex()}\n"
    log.write_text("nothing\n" * 12_344 + line * 2)
    inputs = [log] * (1 + (command == "diff"))
    shown = kproto(command, *inputs, COLUMNS=str(width)).stdout.decode()
    text = " ".join(shown.split())
    for number in (1, 2):
        assert f"message {number} of 2, line {12_344 + number}, column 12" in text
    assert all(cell_len(line) <= width for line in shown.splitlines())


# -- one field


def test_a_field(kproto: Run) -> None:
    text = kproto("decode", JAVA, "--field", "userData.previousAssignment[0]").stdout.decode()
    assert "25:52" in text
    assert "00 01 74" in text
    assert "rack-a" not in text


def test_a_field_for_programs(kproto: Run) -> None:
    made = json.loads(kproto("decode", JAVA, "--field", "rack_id", "--json").stdout)
    assert (made["start"], made["end"], made["value"]) == (124, 132, "rack-a")
    assert bytes.fromhex(made["hex"]) == b"\0\6rack-a"
    made = json.loads(kproto("decode", JAVA, "--field", "rack_id", "--json", "--redact").stdout)
    assert (made["hex"], made["value"]) == ("<8 bytes, hidden>", "<rack-1>")


@pytest.mark.parametrize(
    ("path", "status", "about"),
    [
        ("topics[9]", 1, "no field topics[9] was read"),
        ("owned_partition", 1, "there are: owned_partitions"),
        ("a b", 2, "no path of a field"),
    ],
)
def test_a_field_that_is_not_there(kproto: Run, path: str, status: int, about: str) -> None:
    for more in ([], ["--json"]):
        done = kproto("decode", JAVA, "--field", path, *more, status=status)
        assert about in one_line(done.stderr)
        assert not done.stdout


# -- for a bug report


@pytest.mark.parametrize("form", ["svg", "html"])
def test_a_picture(kproto: Run, tmp_path: Path, form: str) -> None:
    file = tmp_path / "report"
    done = kproto("decode", BROKEN, f"--{form}", file, "--redact", status=1)
    assert not done.stdout
    text = file.read_text(encoding="utf-8").replace("&#160;", " ")
    assert "owned_partitions" in text
    assert "&lt;topic-1&gt;" in text
    assert "orders" not in text


@pytest.mark.parametrize(("lines", "widths"), [(MOST_NARROW, 2), (MOST_NARROW + 1, 1)])
def test_a_long_page_is_laid_out_once(lines: int, widths: int) -> None:
    recorder = Recorder(for_phones=True)
    for number in range(lines):
        recorder.print(Segments([Segment(f"line {number}\n")]), end="")
    page = recorder.html()
    assert page.count('<div class="wide">') + page.count('<div class="narrow">') == widths
    assert page.count(f"line {lines - 1}\n") == widths


def test_a_page_for_phones_shows_every_field(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    kproto("decode", "00000000000100066f7264657273ffffffff", "--html", file)
    wide, narrow = file.read_text(encoding="utf-8").split('<div class="narrow">')
    for shown in ("topics", "orders", "user_data", "platformatic-kafka"):
        assert shown in wide
        assert shown in narrow


def test_a_picture_that_cannot_be_written(kproto: Run, tmp_path: Path) -> None:
    done = kproto("decode", JAVA, "--svg", tmp_path / "none" / "a.svg", status=2)
    assert "cannot be written: No such file" in one_line(done.stderr)
    assert "not allowed" in one_line(
        kproto("decode", JAVA, "--svg", "a", "--html", "b", status=2).stderr
    )


def test_hidden_in_json(kproto: Run) -> None:
    text = kproto("decode", JAVA, "--json", "--redact").stdout.decode()
    assert "orders" not in text
    assert json.loads(text)["message"]["topics"] == ["<topic-1>", "<topic-2>"]


@pytest.mark.parametrize("name", ["loopback.pcap", "offsets-topic"])
def test_no_name_of_a_real_cluster_is_left(kproto: Run, name: str) -> None:
    """groups.json says who was there, and what it was called."""
    text = kproto("decode", CAPTURES / name, "--json", "--redact").stdout.decode()
    view = kproto("decode", CAPTURES / name, "--redact").stdout.decode()
    groups = json.loads((CAPTURES / "groups.json").read_text(encoding="utf-8"))
    known = {each for each in _names(groups) if len(each) > 4}
    whole = kproto("decode", CAPTURES / name, "--json").stdout.decode()
    assert sum(each in whole for each in known) >= 10
    assert [each for each in known if each in text + view] == []
    assert "127.0.0.1" not in text + view
    assert {"<topic-1>", "<member-1>", "<client-1>"} <= set(re.findall(r"<\w+-1>", view))
    assert len(text.splitlines()) == len(whole.splitlines())


def _names(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _names(one, inner)
    elif isinstance(value, list):
        for one in value:
            yield from _names(one, key)
    elif isinstance(value, str) and key in ("client_id", "topics", "instance", "rack"):
        yield value


# -- what a page shows


def labels(html: str) -> dict[str, set[str]]:
    """The texts of the parts that each choice of a page shows."""
    names = dict(re.findall(r'<option class="([^"]+)">([^<]+)</option>', html))
    wide = html.partition('<div class="narrow">')[0]
    part = r'<span class="part"[^>]* data-in="([^"]*)">(.*?)\n(?=<span class="part"|</)'
    parts = re.findall(part, wide, re.DOTALL)
    texts: dict[str, set[str]] = {name: set() for name in names.values()}
    for classes, code in parts:
        for class_ in classes.split():
            texts[names[class_]].add(re.sub(r"<[^>]+>", "", code).strip())
    return texts


def test_messages_of_a_page_are_listed_and_chosen(tmp_path: Path) -> None:
    page, log = tmp_path / "page.html", tmp_path / "app.log"
    lines = [
        "metadata=00010000000100066f7264657273ffffffff",
        "metadata=00000000000100066f7264657273ffffffff",
    ]
    log.write_text("\n".join(lines))
    assert main(["decode", str(log), "--html", str(page)]) == 1
    html = page.read_text()
    contents = re.findall(r'<a href="#(wide-\d)">[^<]*line (\d)[^<]*, (\w+)</a>', html)
    assert contents == [("wide-1", "1", "refused"), ("wide-2", "2", "complete")]
    assert all(f'id="{anchor}"' in html for anchor, _, _ in contents)
    [refused], [complete] = labels(html)["refused"], labels(html)["complete"]
    assert "KP040" in refused and "line 1" in refused
    assert "KP040" not in complete and "line 2" in complete


def test_frames_of_a_page_are_chosen_by_client(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["decode", str(CAPTURES / "three-clients.pcap"), "--html", str(page)]) == 0
    frames = labels(page.read_text())
    chosen = frames["franz-go-1.22.2-range-4"]
    assert chosen and all("franz-go-1.22.2-range-4" in text for text in chosen)
    assert frames["MEMBER_ID_REQUIRED"] < frames["JoinGroup response"]


def test_members_and_partitions_of_a_page_are_chosen(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    saved = str(CAPTURES.parent / "reports" / "mixed.save")
    assert main(["group", "--from", saved, "mixed", "--html", str(page)]) == 0
    parts = labels(page.read_text())
    assert parts["svc-1"] == parts["orders"]
    assert len(parts["svc-1"]) == len(parts["svc-2"]) == 7  # the member, and six partitions


# -- the pager


@pytest.fixture
def pager(tmp_path: Path) -> Path:
    """One that says that it was there."""
    script = tmp_path / "pager"
    script.write_text('#!/bin/sh\necho "[paged $1]"\ncat\n', encoding="ascii")
    script.chmod(0o755)
    return script


def test_what_goes_to_a_terminal_is_paged(pager: Path) -> None:
    text = on_terminal("decode", str(JAVA), PAGER=f"{pager} -x")
    assert "[paged -x]" in text
    assert "\x1b[" in text
    assert "rack-a" in plain(text)
    assert max(len(line) for line in plain(text).splitlines()) <= 140


@pytest.mark.parametrize(("topics", "is_paged"), [(1, False), (100, True)])
def test_hex_is_paged_where_its_view_is_longer_than_the_terminal(
    pager: Path, topics: int, is_paged: bool
) -> None:
    names = [f"orders-{number}" for number in range(topics)]
    data = ConsumerProtocolSubscription(topics=names).to_bytes(version=0)
    text = on_terminal("decode", data.hex(), "--full", PAGER=str(pager))
    assert ("[paged" in text) is is_paged
    assert all(name in plain(text) for name in names)


@pytest.mark.parametrize(
    ("words", "is_paged"),
    [
        (["--help"], False),
        (["decode", "--help"], True),
        (["help", "decode"], True),
        (["decode", "--pager", "never", "--help"], False),
        (["simulate", "compare", "protocols"], True),
        (["simulate", "rolling-bounce", "--steps"], True),
        (["simulate", "rolling-bounce", "--steps", "--pager=never"], False),
        (["simulate", "rolling-bounce", "--steps", "--json"], False),
        (["compat", "built-in", "built-in"], False),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_longer_than_the_terminal_is_paged(
    words: list[str],
    is_paged: bool,
    pager: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """In this process; the terminal's height is what is said here."""
    monkeypatch.setenv("PAGER", str(pager))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(terminal, "_terminal_size", lambda: os.terminal_size((100, 40)))
    monkeypatch.setattr(sys, "stdout", Terminal(io.FileIO(1, "w", closefd=False), "utf-8"))
    assert main(words) == 0
    sys.stdout.flush()
    output = capfdbinary.readouterr().out
    assert output.startswith(b"[paged ]\n") is is_paged
    assert len(output) > 40


@pytest.mark.parametrize(
    ("arguments", "command", "term"),
    [
        (["--pager=never"], None, "xterm"),
        (["--json"], None, "xterm"),
        ([], None, "dumb"),
        ([], "", "xterm"),
        ([], "cat", "xterm"),
        ([], "no-such-pager-anywhere", "xterm"),
        ([], "'", "xterm"),
    ],
)
def test_where_there_is_no_pager(
    pager: Path, arguments: list[str], command: str | None, term: str
) -> None:
    chosen = str(pager) if command is None else command
    text = on_terminal("decode", str(JAVA), *arguments, PAGER=chosen, TERM=term)
    assert "[paged" not in text
    assert "rack-a" in plain(text)


def test_a_pipe_is_not_paged(kproto: Run, pager: Path) -> None:
    assert b"[paged" not in kproto("decode", JAVA, "--color", "always", PAGER=str(pager)).stdout


def test_who_leaves_the_pager_early_has_seen_enough(tmp_path: Path) -> None:
    file = tmp_path / "many.hex"
    file.write_text(f"{JAVA.read_text(encoding='ascii').strip()}\n" * 500, encoding="ascii")
    text = on_terminal("decode", str(file), "--format", "hex-lines", PAGER="head -n 5")
    assert len(text.splitlines()) == 5


def test_a_refusal_is_told_in_the_pager(pager: Path) -> None:
    text = plain(on_terminal("decode", str(BROKEN), status=1, PAGER=str(pager)))
    assert text.count("truncated at byte 18") == 1
    assert text.startswith("[paged ]")


@pytest.mark.skipif(not os.path.exists("/usr/bin/less"), reason="no less here")  # noqa: PTH110
def test_less_shows_what_fits_and_is_done() -> None:
    text = on_terminal("decode", str(JAVA), PAGER="less")
    assert "rack-a" in plain(text)


@pytest.mark.parametrize("command", [["decode", JAVA], ["diff", JAVA, BROKEN]])
def test_json_is_no_picture(kproto: Run, tmp_path: Path, command: list[str | Path]) -> None:
    picture = tmp_path / "view.svg"
    done = kproto(*command, "--json", "--svg", picture, status=2)
    assert b"--json and --svg exclude each other" in done.stderr
    assert not picture.exists()
