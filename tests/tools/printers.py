"""Programs that print bytes: xxd, od, debuggers, languages. Each is given messages, and prints them
in its styles; what it prints is what people paste.

A `Printer` needs programs of the machine; nothing here imitates one, but for `IMITATED`, whose
programs cannot be had without a screen.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from kproto.codec import ConsumerProtocolAssignment as Assignment
from kproto.codec import ConsumerProtocolSubscription as Subscription
from kproto.codec import VersionedMessage

HERE = Path(__file__).parent / "printing"
SECONDS = 600


class Drawn(NamedTuple):
    """A message, and its bytes."""

    message: VersionedMessage
    version: int
    data: bytes


class Printed(NamedTuple):
    """What a program printed of a message, in one of its styles. `cut`: it leaves out bytes.
    `says`: it prints the same of other bytes, which has to be said in these words."""

    style: str
    drawn: Drawn
    text: bytes
    cut: bool = False
    says: str = ""


Print = Callable[[Sequence[Drawn], Path], Iterator[Printed]]


class Printer(NamedTuple):
    """`programs` are those that it starts; `print` is given messages and an empty folder."""

    programs: tuple[str, ...]
    print: Print


# -- messages

_ASCII = "abcdefghijklmnopqrstuvwxyz0123456789.-_"
_GENERATION = 4  # bytes of user data
_BEYOND = "äöüßéñçøλπжя測試日本語한국어🙂"


def draw(rng: Random) -> Drawn:
    """A subscription or an assignment of any version: tiny, small, or of many topics with long
    names, also ones beyond ASCII, and with user data of any bytes."""
    topics = sorted({_name(rng) for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 3, 12, 40)))})
    version = rng.randint(0, 3)
    user_data = rng.choice((None, None, b"", rng.randbytes(4), rng.randbytes(rng.randint(1, 300))))
    message: VersionedMessage
    if rng.random() < 0.5:
        message = Assignment(
            assigned_partitions=[
                Assignment.TopicPartition(topic=topic, partitions=_partitions(rng))
                for topic in topics
            ],
            user_data=user_data,
        )
    else:
        message = Subscription(
            topics=topics,
            user_data=user_data,
            owned_partitions=[
                Subscription.TopicPartition(topic=topic, partitions=_partitions(rng))
                for topic in topics
                if version and rng.random() < 0.5
            ],
            generation_id=rng.randint(-1, 300) if version > 1 else -1,
            rack_id=_name(rng) if version > 2 and rng.random() < 0.5 else None,
        )
    return Drawn(message, version, message.to_bytes(version))


def draw_named(rng: Random, name: str) -> Drawn:
    """A message of this name."""
    drawn = draw(rng)
    while name != drawn.message.NAME:
        drawn = draw(rng)
    return drawn


def _name(rng: Random) -> str:
    letters = _ASCII if rng.random() < 0.8 else _ASCII + _BEYOND
    return rng.choice(_ASCII[:26]) + "".join(rng.choices(letters, k=rng.choice((2, 5, 12, 40))))


def _partitions(rng: Random) -> list[int]:
    first = rng.randint(0, 300)
    return list(range(first, first + rng.choice((1, 2, 5, 20))))


# -- programs that print a file or a text

_FILTERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "xxd": {
        style: ("xxd", *style.split()[1:])
        for style in ("xxd", "xxd -u", "xxd -g1", "xxd -g4", "xxd -c8", "xxd -a", "xxd -d",
                      "xxd -b", "xxd -p", "xxd -i", "xxd -c 32 -g 8")
    },
    "od": {
        style: tuple(style.split())
        for style in ("od", "od -c", "od -b", "od -x", "od -d", "od -tx1", "od -tx1z",
                      "od -Ax -tx1z", "od -An -v -tx1", "od -An -v -tu1", "od -tx4", "od -tx8",
                      "od -td1", "od -Ad -tx1 -w8", "od -tx2 --endian=big", "od -An -x",
                      "od -An -tx4", "od -An -tx8")
    },
    "hexdump": {
        style: tuple(style.split())
        for style in ("hexdump -C", "hexdump", "hexdump -b", "hexdump -c", "hexdump -d",
                      "hexdump -x", "hexdump -o", "hd")
    },
    "cat": {"cat -v": ("cat", "-v"), "cat -A": ("cat", "-A")},
    "base64": {"base64": ("base64",), "base64 -w0": ("base64", "-w0")},
}  # fmt: skip


def _filter(styles: Mapping[str, tuple[str, ...]]) -> Print:
    def show(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
        for style, command in styles.items():
            for drawn in messages:
                says = (
                    "do not tell" if command[0] == "cat" and _AMBIGUOUS.search(drawn.data) else ""
                )
                yield Printed(style, drawn, _output(command, drawn.data), says=says)

    return show


_AMBIGUOUS = re.compile(rb"[\n\t$^<\xde]|M-|\xcd-")
"""What cat -v prints of other bytes, too: a tab as of a tab, `^@` of a caret and an at sign, `M-^`
of DE and of the beginning of others."""


def _openssl(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
    """What asn1parse prints of an octet string."""
    for drawn in messages:
        size = len(drawn.data)
        data = b"\x04\x83" + size.to_bytes(3, "big") + drawn.data
        command = ("openssl", "asn1parse", "-inform", "DER", "-dump")
        yield Printed("openssl asn1parse -dump", drawn, _output(command, data))


def _output(command: Sequence[str | Path], stdin: bytes = b"", cwd: Path | None = None) -> bytes:
    return subprocess.run(
        command, input=stdin, capture_output=True, check=True, timeout=SECONDS, cwd=cwd
    ).stdout


# -- languages: a program that prints each message in every style

_STYLE, _END = b"\x1f", b"\x1e"


def _language(*command: str | Path) -> Print:
    def show(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
        lines = "".join(f"{drawn.data.hex()}\n" for drawn in messages)
        texts = _output(command, lines.encode(), folder).split(_END)[:-1]
        for number, text in enumerate(texts):
            style, _, printed = text.partition(_STYLE)
            drawn = messages[number * len(messages) // len(texts)]
            yield Printed(style.decode(), drawn, printed, b" more " in printed[-40:])

    return show


def _java(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
    _output(("javac", "-d", folder, HERE / "Printed.java"))
    yield from _language("java", "-cp", folder, "Printed")(messages, folder)


# -- debuggers: a program whose variables are the messages

_GDB = {
    "x/xb": "x/{size}xb", "x/ub": "x/{size}ub", "x/db": "x/{size}db", "x/tb": "x/{size}tb",
    "x/ob": "x/{size}ob", "x/cb": "x/{size}cb", "x/xh": "x/{halves}xh", "x/xw": "x/{words}xw",
    "x/xg": "x/{giants}xg", "print": "print", "print/x": "print/x", "print/d": "print/d",
}  # fmt: skip
_LLDB = {
    "memory read": "memory read --force -c {size} &",
    "x/xb": "memory read --force -s1 -fx -c {size} &",
    "x/xh": "memory read --force -s2 -fx -c {halves} &",
    "x/xw": "memory read --force -s4 -fx -c {words} &",
    "x/xg": "memory read --force -s8 -fx -c {giants} &",
    "x/ub": "memory read --force -s1 -fu -c {size} &",
    "print": "expression --element-count 0 -- ",
}  # fmt: skip


def _numbers(drawn: Drawn) -> str:
    return ",".join(map(str, drawn.data))


def _debugged(messages: Sequence[Drawn], folder: Path) -> Path:
    """Compile a program whose variables m0, m1 and so on are the messages, in this order; what
    comes behind the last one lets words of eight bytes be printed to its end."""
    source, program = folder / "messages.c", folder / "messages"
    rows = [
        f"unsigned char m{number}[] __attribute__((aligned(16))) = {{{_numbers(drawn)}}};\n"
        for number, drawn in enumerate(messages)
    ]
    source.write_text(
        f"{''.join(rows)}unsigned char rest[4096] = {{1}};\nint main(void) {{ return 0; }}\n"
    )
    _output(("gcc", "-g", "-fno-toplevel-reorder", "-o", program, source))
    return program


def _commands(
    styles: Mapping[str, str], messages: Sequence[Drawn]
) -> Iterator[tuple[str, Drawn, str]]:
    for style, command in styles.items():
        for number, drawn in enumerate(messages):
            size = len(drawn.data)
            counts = {
                "size": size,
                "halves": -(-size // 2),
                "words": -(-size // 4),
                "giants": -(-size // 8),
            }
            yield style, drawn, f"{command.format_map(counts)} m{number}".replace("& ", "&")


def _gdb(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
    program = _debugged(messages, folder)
    commands = list(_commands(_GDB, messages))
    script = folder / "script"
    lines = "".join(f"{command}\necho \\036\n" for _, _, command in commands)
    script.write_text(f"set pagination off\nset print elements 0\n{lines}")
    text = _output(("gdb", "-nx", "-batch", "-x", script, program))
    for (style, drawn, _), printed in zip(commands, text.split(_END), strict=False):
        # gdb 13 leaves out the byte in front of what it calls an incomplete sequence.
        yield Printed(style, drawn, printed, b"<incomplete sequence " in printed)


def _lldb(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
    program = _debugged(messages, folder)
    commands = list(_commands(_LLDB, messages))
    script = folder / "script"
    script.write_text(
        "settings set target.max-string-summary-length 1000000\nbreak set -n main\nrun\n"
        + "".join(f"{line}\n" for *_, line in commands)
        + "kill\n"
    )
    text = _output(("lldb", "--no-lldbinit", "--batch", "--source", script, program))
    texts = text.split(b"\n(lldb) ")
    for style, drawn, command in commands:
        [printed] = (one for one in texts if one.partition(b"\n")[0] == command.encode())
        yield Printed(style, drawn, printed.partition(b"\n")[2])


# -- Delve: a program with a function for each message


def _delve(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
    """Delve's own limit of 64 items is raised for two styles, and left for the third."""
    names = range(len(messages))
    rows = "".join(
        f"func show{number}() {{ m := []byte{{{_numbers(drawn)}}}; stop(m) }}\n"
        for number, drawn in zip(names, messages, strict=True)
    )
    calls = "".join(f"show{number}(); " for number in names)
    source, program, script = folder / "main.go", folder / "messages", folder / "script"
    source.write_text(
        "package main\n//go:noinline\nfunc stop(m []byte) int { return len(m) }\n"
        f"{rows}func main() {{ {calls}}}\n"
    )
    _output(("go", "build", "-gcflags=all=-N -l", "-o", program, source))
    steps = [
        "break main.stop", *("continue", "print m") * len(messages), "restart",
        "config max-array-values 100000", *("continue", "print m", "print %#x m") * len(messages),
    ]  # fmt: skip
    script.write_text("\n".join([*steps, "exit", ""]))
    options = ("--init", script, "--allow-non-terminal-interactive=true")
    text = _output(("dlv", "exec", program, *options))
    prints = [line for line in text.splitlines() if line.startswith(b"[]uint8 len: ")]
    whole = prints[len(messages) :]
    for drawn, cut, decimal, prefixed in zip(
        messages, prints, whole[::2], whole[1::2], strict=False
    ):
        yield Printed("print", drawn, cut, b"...+" in cut)
        yield Printed("print, max-array-values", drawn, decimal)
        yield Printed("print %#x", drawn, prefixed)


# -- programs that need a screen


def _chrome(data: bytes, name: str) -> str:
    """Chrome's console, from V8's `ObjectPreview` (100 entries of an array at most) and DevTools'
    RemoteObjectPreviewFormatter (a type, its size, entries, and U+2026 for what is missing)."""
    items = [*map(str, data[:100]), *["\u2026"] * (len(data) > 100)]
    return f"{name}: Uint8Array({len(data)}) [{', '.join(items)}]"


def _firefox(data: bytes, name: str) -> str:
    """Firefox' console, from its reps/grip-array.js: 10 items, blanks inside the brackets."""
    items = [*map(str, data[:10]), *["\u2026"] * (len(data) > 10)]
    return f"{name}: Uint8Array({len(data)}) [ {', '.join(items)} ]"


def _intellij(data: bytes, name: str) -> str:
    """IntelliJ's debugger, from its ArrayRenderer.java (`createLabel`, 10 items where there is
    little room) and JavaDebuggerBundle (`message.node.array.elements.more`)."""
    signed = [str(byte - 256 if byte > 127 else byte) for byte in data[:10]]
    more = [f"+{len(data) - 10} more"] * (len(data) > 10)
    return f"{name} = {{byte[{len(data)}]@2105}} [{', '.join([*signed, *more])}]"


_IMITATED = {"Chrome": (_chrome, 100), "Firefox": (_firefox, 10), "IntelliJ": (_intellij, 10)}


def _imitated(messages: Sequence[Drawn], folder: Path) -> Iterator[Printed]:
    for style, (show, most) in _IMITATED.items():
        for drawn in messages:
            name = "assignment" if "Assignment" in drawn.message.NAME else "metadata"
            yield Printed(style, drawn, show(drawn.data, name).encode(), len(drawn.data) > most)


PRINTERS: Mapping[str, Printer] = {
    **{name: Printer((name,), _filter(styles)) for name, styles in _FILTERS.items()},
    "openssl": Printer(("openssl",), _openssl),
    "imitated": Printer((), _imitated),
    "delve": Printer(("dlv", "go"), _delve),
    "python": Printer(("python3",), _language("python3", HERE / "printed.py")),
    "node": Printer(("node",), _language("node", HERE / "printed.js")),
    "go": Printer(("go",), _language("go", "run", HERE / "printed.go")),
    "lua": Printer(("lua5.4",), _language("lua5.4", HERE / "printed.lua")),
    "php": Printer(("php",), _language("php", HERE / "printed.php")),
    "ruby": Printer(("ruby",), _language("ruby", HERE / "printed.rb")),
    "perl": Printer(("perl",), _language("perl", HERE / "printed.pl")),
    "java": Printer(("java", "javac"), _java),
    "gdb": Printer(("gdb", "gcc"), _gdb),
    "lldb": Printer(("lldb", "gcc"), _lldb),
}
