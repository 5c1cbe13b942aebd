"""Faults as people write them in Go, Rust, Java, JavaScript, C and Python who do not know the
guarantees: each is a change to the correct client of tests/fuzz/adapters, in the idiom of its
language, and is built and run behind the adapter that `kproto conform --init` writes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kproto.fuzz.adapters import ADAPTERS, write_adapter
from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote

CLIENTS = Path(__file__).parents[1] / "adapters"
TOOLS = {
    "c": "cc",
    "go": "go",
    "java": "javac",
    "javascript": "node",
    "python": "python3",
    "rust": "cargo",
}
"""The program that each language needs."""
LIMITS = ProcessLimits(reply_seconds=10)


class Edit(NamedTuple):
    """A fault: what is wrong, and the pieces of the client's source that are other ones."""

    what: str
    pieces: dict[str, str]


EDITS: dict[str, tuple[Edit, ...]] = {
    "go": (
        Edit("lengths of texts are unsigned", {
            "int(int16(binary.BigEndian.Uint16(r.take(2))))":
                "int(binary.BigEndian.Uint16(r.take(2)))",
        }),
        Edit("a nil slice for empty user data", {
            "append([]byte{}, r.take(size)...)": "append([]byte(nil), r.take(size)...)",
        }),
        Edit("makes room for as many as the count says", {
            "\tfor ; count > 0": "\tlist = make([]T, 0, count)\n\tfor ; count > 0",
        }),
        Edit("keeps no error of what comes last", {
            "\tmessage.Remainder = r.data\n\treturn message, r.err":
                "\tmessage.Remainder = r.data\n\treturn message, nil",
        }),
        Edit("keeps topics in a map", {
            "\treturn items(r, func() Partitions {":
                "\tbyTopic := map[string][]int32{}\n\tfor _, one := range items(r, func() "
                "Partitions {",
            "items(r, number)} })": "items(r, number)} }) {\n\t\tbyTopic[one.Topic] = "
                "one.Partitions\n\t}\n\tvar entries []Partitions\n\tfor topic, partitions := range "
                "byTopic {\n\t\tentries = append(entries, Partitions{topic, partitions})\n\t}\n"
                "\treturn entries",
        }),
        Edit("uses the partitions' memory again", {
            "func (r *reader) entries() []Partitions {":
                "var scratch []int32\n\nfunc (r *reader) entries() []Partitions {",
            "items(r, number)} })": "func() []int32 {\n\t\tscratch = append(scratch[:0], "
                "items(r, number)...)\n\t\treturn scratch\n\t}()} })",
        }),
        Edit("reads a field of exactly its version", {
            "version >= 2 {\n\t\tmessage": "version == 2 {\n\t\tmessage",
        }),
        Edit("does not look whether a name is too long", {
            "\tif number > math.MaxInt16 {": "\tif number > math.MaxInt32 {",
        }),
    ),
    "rust": (
        Edit("unwraps what may be no UTF-8", {
            "Ok(String::from_utf8_lossy(self.take(size)?).into_owned())":
                "Ok(String::from_utf8(self.take(size)?.to_vec()).unwrap())",
        }),
        Edit("lengths of texts are u16", {"i16::from_be_bytes(self": "u16::from_be_bytes(self"}),
        Edit("a vector of the count's capacity", {
            "(0..count).map(|_| item(self)).collect()":
                "let mut items = Vec::with_capacity(count);\n        for _ in 0..count {\n"
                "            items.push(item(self)?);\n        }\n        Ok(items)",
        }),
        Edit("null user data is the default", {
            "if size < 0 { None } else { Some(self":
                "if size < 0 { Some(vec![]) } else { Some(self",
        }),
        Edit("casts the length of a text", {"i16::try_from(text.len())?": "(text.len() as i16)"}),
        Edit("the length of a text in characters", {"text.len()": "text.chars().count()"}),
        Edit("sorts and merges topics", {
            "Some(reader.list(Reader::entry)?);\n        message.user_data":
                "Some(\n            reader\n                .list(Reader::entry)?\n"
                "                .into_iter()\n"
                "                .map(|it| (it.topic, it.partitions))\n"
                "                .collect::<std::collections::BTreeMap<_, _>>()\n"
                "                .into_iter()\n"
                "                .map(|(topic, partitions)| Partitions { topic, partitions })\n"
                "                .collect(),\n        );\n        message.user_data",
        }),
        Edit("slices without a look at the length", {
            "        if size > self.0.len() {": "        if size > self.0.len() + 4 {",
        }),
    ),
    "java": (
        Edit("lengths of texts are chars", {
            "text(it, it.getShort())": "text(it, it.getChar())",
        }),
        Edit("the platform's characters", {
            "new String(take(data, size), StandardCharsets.UTF_8)":
                "new String(take(data, size), StandardCharsets.ISO_8859_1)",
        }),
        Edit("writes modified UTF-8", {
            "        out.writeShort(text.length);\n        out.write(text);":
                "        out.writeUTF((String) value);",
        }),
        Edit("keeps the values of the message before", {
            "        Map<String, Object> value = new LinkedHashMap<>();":
                "        Map<String, Object> value =\n"
                "                name.equals(NAMES.get(0)) ? LAST : new LinkedHashMap<>();",
            "    private Calls() {}":
                "    private static final Map<String, Object> LAST = new LinkedHashMap<>();\n\n"
                "    private Calls() {}",
        }),
        Edit("reads what is there, whatever the version", {
            "!assigned && version >= 1) {\n            value":
                "!assigned && data.hasRemaining()) {\n            value",
        }),
        Edit("a list of the count's capacity", {
            "new ArrayList<>();\n        for (int": "new ArrayList<>(count);\n        for (int",
        }),
        Edit("empty user data is null", {"size < 0 ? null : take": "size <= 0 ? null : take"}),
        Edit("a buffer of 512 bytes", {
            "        data.get(bytes);": "        data.get(bytes, 0, Math.min(size, 512));",
        }),
    ),
    "javascript": (
        Edit("numbers are unsigned", {"take(4).readInt32BE()": "take(4).readUInt32BE()"}),
        Edit("topics are keys of an object", {
            "const entry = () => ({ topic: text(), partitions: list(int32) })":
                "const entry = () => ({ topic: text(), partitions: list(int32) })\n"
                "  const entries = () => Object.entries(Object.fromEntries(list(entry)\n"
                "    .map(it => [it.topic, it.partitions])))\n"
                "    .map(([topic, partitions]) => ({ topic, partitions }))",
            "value.assignedPartitions = list(entry)": "value.assignedPartitions = entries()",
        }),
        Edit("user data that is cut short is read", {
            "const userData = () => nullable(int32(), data => data)":
                "const userData = () => {\n    const size = int32()\n"
                "    if (size < 0) return null\n    at = Math.min(at + size, bytes.length)\n"
                "    return bytes.subarray(at - size, at)\n  }",
        }),
        Edit("the length of a text in UTF-16", {"Buffer.byteLength(string)": "string.length"}),
        Edit("generation 0 by default", {
            "  const value = {}\n":
                "  const value = name.endsWith('Subscription') ? { generationId: 0 } : {}\n",
        }),
        Edit("makes an array of the count's length", {
            "    const items = []\n    const count = int32()\n":
                "    const count = int32()\n    const items = new Array(count).fill(0)\n",
            "items.push(item())": "items[count - left] = item()",
        }),
        Edit("trims names", {"take(int16()).toString()": "take(int16()).toString().trim()"}),
        Edit("falsy user data is null", {
            "data == null ? int32(-1)": "!data?.length ? int32(-1)",
        }),
    ),
    "python": (
        Edit("slices what may not be there", {
            "        if not 0 <= size <= len(self.data) - self.position:\n"
            "            raise ValueError(f\"{size} bytes at {self.position}\")\n":
                "        if size < 0:\n            raise ValueError(size)\n",
        }),
        Edit("a value that is the default of an argument", {
            "def decode(name, data):": "def decode(name, data, value={}):",
            "        value = {\"assignedPartitions\": entries, \"userData\": reader.user_data()}":
                "        value = {**value, \"assignedPartitions\": entries}\n"
                "        value[\"userData\"] = reader.user_data()\n"
                "        for key in set(value) - {\"assignedPartitions\", \"userData\"}:\n"
                "            del value[key]",
            "        value = {\"topics\":": "        value |= {\"topics\":",
        }),
        Edit("refuses by assert", {
            "    if version < 0:\n        raise ValueError(f\"version {version}\")":
                "    assert version >= 0",
        }),
        Edit("a dict of entries by topic", {
            "entries = reader.list(reader.entry)":
                "entries = list({it[\"topic\"]: it for it in reader.list(reader.entry)}.values())",
        }),
        Edit("remembers what it read by the first bytes", {
            "def decode(name, data):":
                "SEEN = {}\n\n\ndef decode(name, data):\n    key = name, data[:24]\n"
                "    if key not in SEEN:\n        SEEN[key] = read(name, data)\n"
                "    return SEEN[key]\n\n\ndef read(name, data):",
        }),
        Edit("an empty text is false", {
            "number(2, -1) if rack is None else text(rack)":
                "text(rack) if rack else number(2, -1)",
        }),
        Edit("writes any version as the newest", {
            "    if not 0 <= version <= 3:\n        raise ValueError(f\"version {version}\")\n":
                "    version = max(0, min(version, 3))\n",
        }),
        Edit("compares with the versions that it knows", {
            "if version >= 1:\n            value": "if version in (1, 2, 3):\n            value",
            "if version >= 2:\n            value": "if version in (2, 3):\n            value",
            "if version >= 3:\n            size": "if version == 3:\n            size",
        }),
    ),
    "c": (
        Edit("a text ends at its first NUL", {
            "    return (text){(const char *)cut(in, size), in->failed ? 0 : size};":
                "    const char *data = (const char *)cut(in, size);\n"
                "    return (text){data, in->failed ? 0 : (int)strnlen(data, (size_t)size)};",
        }),
        Edit("lengths of texts are unsigned", {"(int16_t)(data[0] << 8": "(data[0] << 8"}),
        Edit("no look whether a count fits", {
            "    if (count < 0 || (size_t)count > in->left / least)": "    if (count < 0)",
        }),
        Edit("an int for a count times a size", {
            "take(item->count * sizeof(int32_t))": "take((unsigned short)item->count * 4)",
        }),
        Edit("the length is compared as an int", {
            "    if (size < 0 || (size_t)size > in->left)": "    if ((long)in->left - size < -4)",
        }),
        Edit("a name of 32,768 bytes is written", {"number > INT16_MAX": "number > UINT16_MAX"}),
        Edit("bytes are signed chars", {
            "(uint32_t)data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3]":
                "(uint32_t)data[0] << 24 | data[1] << 16 | data[2] << 8 | (signed char)data[3]",
        }),
        Edit("the rack of the message before", {
            "        if (length >= 0)\n            result->rack_id = get_text(&in, length);":
                "        static text rack = {\"r\", 1};\n        if (length >= 0)\n"
                "            result->rack_id = get_text(&in, length);\n        else\n"
                "            result->rack_id = rack;",
        }),
    ),
}  # fmt: skip
"""The faults of each language."""


def build(language: str, folder: Path) -> None:
    """Build the adapter of a language that stands in a folder; one that is interpreted needs
    nothing.
    """
    adapter = ADAPTERS[language]
    if adapter.build:
        environment = {name: os.environ[name] for name in os.environ if name != "CARGO_TARGET_DIR"}
        subprocess.run(
            ["/bin/sh", "-c", adapter.build], cwd=folder, check=True, timeout=600, env=environment
        )


@cache
def _folder(language: str, root: Path) -> Path:
    folder = root / language
    write_adapter(language, folder)
    return folder


def stranger(language: str, number: int, root: Path) -> Remote:
    """Build the client of a language with one fault, in a folder below `root`, and start it; 0 is
    no fault.
    """
    folder, adapter = _folder(language, root), ADAPTERS[language]
    source = (CLIENTS / Path(adapter.calls).name).read_text("utf-8")
    for piece, other in EDITS[language][number - 1].pieces.items() if number else ():
        assert source.count(piece) == 1, (language, number, piece)
        source = source.replace(piece, other)
    (folder / adapter.calls).write_text(source, "utf-8")
    build(language, folder)
    words = adapter.start.split()
    command = [str(folder / word) if (folder / word).exists() else word for word in words]
    return Remote(command, LIMITS)


def languages() -> list[str]:
    """Return the languages whose tools are here."""
    return [language for language, tool in TOOLS.items() if shutil.which(tool)]
