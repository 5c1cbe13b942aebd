"""Definitions and archives of ill will: nothing of them runs, takes long or much, or crashes."""

from __future__ import annotations

import builtins
import json
import struct
import time
import tracemalloc
import zipfile
from collections import UserDict
from typing import TYPE_CHECKING, Any

import pytest

from kproto.codec import (
    Message,
    SchemaError,
    compile_definition,
    definitions,
    load_definitions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Object = dict[str, Any]
SENTINEL = "kproto_was_tricked"
CODE = f"__import__('builtins').{SENTINEL}()"
TRICKS = [
    CODE,
    f'"""\n{CODE}\n"""',
    f"'''\n{CODE}\n'''",
    f"x'; {CODE}; '",
    f'x"; {CODE}; "',
    f"\\'; {CODE} #",
    f"{{{CODE}}}",
    f"%({CODE})s",
    f"\\\n{CODE}",
    f"\r{CODE}\r",
    f"\u2028{CODE}",
    f"\x0c{CODE}",
    f"\\N{{DIGIT ONE}}{CODE}",
]


@pytest.fixture
def tricked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    calls: list[str] = []
    monkeypatch.setattr(builtins, SENTINEL, lambda: calls.append("ran"), raising=False)
    yield calls
    assert calls == []


def definition(**changes: Any) -> Object:
    whole: Object = {"type": "data", "name": "Made", "validVersions": "0-1", "fields": []}
    return whole | changes


def field(**changes: Any) -> Object:
    return {"name": "Given", "type": "string", "versions": "0+"} | changes


# Where text of a definition is free, it is compiled and used; where it is not, it is refused.
FREE: dict[str, Callable[[str], Object]] = {
    "about": lambda text: definition(about=text),
    "a field's about": lambda text: definition(fields=[field(about=text)]),
    "a struct's about": lambda text: definition(
        commonStructs=[{"name": "Inner", "versions": "0+", "fields": [], "about": text}]
    ),
    "entity type": lambda text: definition(fields=[field(entityType=text)]),
    "default": lambda text: definition(fields=[field(default=text)]),
}
CHECKED: dict[str, Callable[[str], Object]] = {
    "name": lambda text: definition(name=text),
    "type": lambda text: definition(type=text),
    "versions": lambda text: definition(validVersions=text),
    "flexible versions": lambda text: definition(flexibleVersions=text),
    "framing": lambda text: definition(framing=text),
    "key": lambda text: definition(**{text: 1}),
    "listener": lambda text: definition(listeners=[text]),
    "field name": lambda text: definition(fields=[field(name=text)]),
    "field type": lambda text: definition(fields=[field(type=text)]),
    "field key": lambda text: definition(fields=[field(**{text: 1})]),
    "field versions": lambda text: definition(fields=[field(versions=text)]),
    "number default": lambda text: definition(fields=[field(type="int32", default=text)]),
    "float default": lambda text: definition(fields=[field(type="float64", default=text)]),
    "bool default": lambda text: definition(fields=[field(type="bool", default=text)]),
    "uuid default": lambda text: definition(fields=[field(type="uuid", default=text)]),
    "bytes default": lambda text: definition(fields=[field(type="bytes", default=text)]),
    "array default": lambda text: definition(fields=[field(type="[]int8", default=text)]),
    "encoding": lambda text: definition(fields=[field(encoding=text)]),
    "struct name": lambda text: definition(
        commonStructs=[{"name": text, "versions": "0+", "fields": []}]
    ),
}


def use(cls: type[Message]) -> None:
    message = cls()
    for version in cls.VERSIONS:
        assert cls.from_body(message.to_body(version), version) == message
        assert cls.from_json(message.to_json(version), version) == message
    repr(message)


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("make", FREE.values(), ids=FREE)
def test_free_text_does_not_run(
    make: Callable[[str], Object], trick: str, tricked: list[str]
) -> None:
    cls = compile_definition(json.dumps(make(trick)))
    use(cls)
    assert tricked == []


@pytest.mark.parametrize("trick", TRICKS)
def test_a_default_is_the_text_itself(trick: str, tricked: list[str]) -> None:
    cls = compile_definition(definition(fields=[field(default=trick)]))
    assert cls().given == trick  # type: ignore[attr-defined]
    assert tricked == []


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("make", CHECKED.values(), ids=CHECKED)
def test_what_is_checked_is_refused(
    make: Callable[[str], Object], trick: str, tricked: list[str]
) -> None:
    with pytest.raises(SchemaError):
        compile_definition(json.dumps(make(trick)))
    assert tricked == []


def test_the_file_s_name_does_not_run(tmp_path: Path, tricked: list[str]) -> None:
    file = tmp_path / f'""" + {CODE} + """.json'
    file.write_text(json.dumps(definition()), encoding="utf-8")
    use(compile_definition(file))
    use(load_definitions(tmp_path)["Made"])
    assert tricked == []


# -- too much


def structs(depth: int, width: int) -> Object:
    """Each struct holds the next one `width` times."""
    chain = [
        {
            "name": f"S{level}",
            "versions": "0+",
            "fields": [
                {"name": f"F{n}", "type": f"S{level + 1}", "versions": "0+"} for n in range(width)
            ],
        }
        for level in range(depth)
    ]
    last = {"name": f"S{depth}", "versions": "0+", "fields": [field(type="int8")]}
    return definition(
        commonStructs=[*chain, last],
        fields=[{"name": "Top", "type": "S0", "versions": "0+"}],
    )


def nested(depth: int) -> Object:
    inner = field(type="int8")
    for level in range(depth):
        inner = {"name": f"F{level}", "type": f"S{level}", "versions": "0+", "fields": [inner]}
    return definition(fields=[inner])


def unused(count: int) -> Object:
    """Structs that nothing uses, each with an array of one large one."""
    large = {
        "name": "Large",
        "versions": "0+",
        "fields": [field(name=f"F{n}", type="int8") for n in range(4000)],
    }
    users = [
        {"name": f"S{n}", "versions": "0+", "fields": [field(type="[]Large")]} for n in range(count)
    ]
    return definition(commonStructs=[large, *users])


TOO_MUCH: dict[str, Callable[[], Object | str]] = {
    "structs doubled 40 times": lambda: structs(40, 2),
    "structs doubled 15 times": lambda: structs(15, 2),
    "structs times 70": lambda: structs(3, 70),
    "structs nested deeply": lambda: structs(60, 1),
    "structs nested in their fields": lambda: nested(90),
    "structs nobody uses": lambda: unused(4000),
    "30,000 fields": lambda: definition(fields=[field(name=f"F{n}") for n in range(20_000)]),
    "20,000 fields of one name": lambda: definition(fields=[field()] * 15_000),
    "32,768 versions": lambda: definition(
        validVersions="0+", fields=[field(name=f"F{n}") for n in range(2000)]
    ),
    "40,000 keys": lambda: "{" + ",".join(f'"k{n}": 1' for n in [*range(80_000), 79_999]) + "}",
    "a name of a megabyte": lambda: definition(name="N" * (1 << 20)),
    "a short name of a megabyte": lambda: definition(name="N" * 1_000_000),
    "a field's name of a megabyte": lambda: definition(fields=[field(name="N" * 1_000_000)]),
    "a type of a megabyte": lambda: definition(fields=[field(type="N" * 1_000_000)]),
    "versions of a megabyte": lambda: definition(validVersions="1" * 1_000_000),
    "a key of a megabyte": lambda: definition(**{"k" * 1_000_000: 1}),
    "a default of a megabyte": lambda: definition(fields=[field(default="x" * 1_000_000)]),
    "a number of a megabyte": lambda: '{"apiKey": ' + "1" * 1_000_000 + "}",
    "a number default of a megabyte": lambda: definition(
        fields=[field(type="int32", default="1" * 1_000_000)]
    ),
    "a float default of a megabyte": lambda: definition(
        fields=[field(type="float64", default="x" * 1_000_000)]
    ),
    "a framing of a megabyte": lambda: definition(framing="f" * 1_000_000),
    "two megabytes of spaces": lambda: " " * (2 << 20) + "{}",
    "a megabyte of slashes": lambda: "/" * 1_000_000,
    "a megabyte of open comments": lambda: "/*" * 500_000,
    "a megabyte of quotes": lambda: '"' * 1_000_000,
    "a megabyte of backslashes": lambda: '"' + "\\" * 1_000_000,
    "a megabyte of brackets": lambda: "[" * 1_000_000,
    "tags without end": lambda: definition(
        flexibleVersions="0+",
        fields=[
            field(name=f"F{n}", tag=2 * n, taggedVersions="0+", type="int8") for n in range(8000)
        ],
    ),
}


@pytest.mark.parametrize("make", TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much_is_refused(make: Callable[[], Object | str]) -> None:
    with pytest.raises(SchemaError) as refused:
        compile_definition(written(make()))
    assert len(str(refused.value)) < 600


@pytest.mark.timing
@pytest.mark.parametrize("make", TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much_is_refused_at_once(make: Callable[[], Object | str]) -> None:
    text = written(make())
    started = time.process_time()
    with pytest.raises(SchemaError):
        compile_definition(text)
    assert time.process_time() - started < 3


def written(made: Object | str) -> str:
    return made if isinstance(made, str) else json.dumps(made)


def test_the_largest_that_is_read_takes_its_time_but_ends() -> None:
    cls = compile_definition(definition(fields=[field(name=f"F{n}") for n in range(2000)]))
    assert len(cls.__struct_fields__) == 2000
    use(cls)


def test_a_mapping_that_is_no_dict() -> None:
    cls = compile_definition(UserDict(definition(fields=[field()])))
    use(cls)


@pytest.mark.parametrize(
    "wrong",
    [
        {1: 2},
        definition(fields=[{"name": "Given", 3: 4}]),
        definition(fields=[object()]),
        definition(about=b"bytes"),
        definition(fields=[field(default={"a"})]),
        definition(fields=[field(type="float64", default=10**400)]),
        definition(fields=[field(about=object())]),
    ],
)
def test_objects_that_json_does_not_know(wrong: Object) -> None:
    with pytest.raises(SchemaError):
        compile_definition(wrong)


# -- archives


def archive(path: Path, entries: dict[str, bytes | str], **options: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content, **options)
    return path


GOOD = json.dumps(definition())


def bomb(path: Path) -> Path:
    return archive(path, {f"B{n}.json": b" " * (64 << 20) for n in range(2)})


def lying(path: Path) -> Path:
    """The directory says ten bytes; the data says otherwise."""
    archive(path, {"B.json": b" " * (64 << 20)})
    data = bytearray(path.read_bytes())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = struct.pack("<I", 10)
    path.write_bytes(data)
    return path


def encrypted(path: Path) -> Path:
    archive(path, {"A.json": GOOD})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 8] |= 1
    path.write_bytes(data)
    return path


def _changed(offset: int, value: bytes) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        archive(path, {"A.json": GOOD})
        data = bytearray(path.read_bytes())
        directory = data.rindex(b"PK\x01\x02")
        data[directory + offset : directory + offset + len(value)] = value
        path.write_bytes(data)
        return path

    return make


def corrupt(path: Path) -> Path:
    archive(path, {"A.json": GOOD})
    data = bytearray(path.read_bytes())
    data[36:60] = b"\xff" * 24
    path.write_bytes(data)
    return path


def cut(path: Path) -> Path:
    archive(path, {"A.json": GOOD})
    data = path.read_bytes()
    path.write_bytes(data[:40] + data[60:])
    return path


def crowded(path: Path) -> Path:
    """A directory alone, of 100,001 entries without data."""
    entry = b"PK\x01\x02" + struct.pack("<4H4x3L5H2L", 20, 20, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    directory = (entry + b"a") * 100_001
    end = b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, 0, 0, len(directory), 0, 0)
    path.write_bytes(directory + end)
    return path


ARCHIVES: dict[str, Callable[[Path], Path]] = {
    "bomb": bomb,
    "lying about sizes": lying,
    "encrypted": encrypted,
    "corrupt": corrupt,
    "cut": cut,
    "unknown compression": _changed(10, b"\x63\x00"),
    "wrong checksum": _changed(16, b"\0\0\0\0"),
    "far offset": _changed(42, b"\xff\xff\xff\x7f"),
    "version from the future": _changed(6, b"\xff\x00"),
    "2,001 definitions": lambda path: archive(path, {f"{n}.json": GOOD for n in range(2001)}),
    "much code altogether": lambda path: archive(
        path,
        {
            f"{n}.json": json.dumps(definition(name=f"D{n}", validVersions="0-32000"))
            for n in range(5)
        },
    ),
    "no definition": lambda path: archive(path, {"readme.txt": "none"}),
    "not UTF-8": lambda path: archive(path, {"A.json": b"\xff\xfe"}),
    "not JSON": lambda path: archive(path, {"A.json": "{"}),
    "two of one name": lambda path: archive(path, {"A.json": GOOD, "B.json": GOOD}),
    "empty": lambda path: archive(path, {}),
}


@pytest.mark.parametrize("make", ARCHIVES.values(), ids=ARCHIVES)
def test_archives_that_are_refused(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path / "definitions.zip")
    tracemalloc.start()
    try:
        with pytest.raises(SchemaError) as refused:
            load_definitions(path)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()
    assert refused.value.source.startswith(str(path))
    assert len(str(refused.value)) < 600


def test_an_archive_of_100_001_entries(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="entries"):
        load_definitions(crowded(tmp_path / "definitions.zip"))


def test_names_in_an_archive_lead_nowhere(tmp_path: Path) -> None:
    """Nothing is unpacked, so a path that leaves the folder is a name like any other."""
    path = archive(
        tmp_path / "a.zip", {"../../out.json": GOOD, "/etc/B.json": GOOD.replace("Made", "B")}
    )
    assert sorted(load_definitions(path)) == ["B", "Made"]
    assert [file.name for file in tmp_path.iterdir()] == ["a.zip"]


def test_of_a_jar_only_kafka_s_folder_is_read(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.jar", {"common/message/Made.json": GOOD, "META-INF/x.json": "{}"})
    assert list(load_definitions(path)) == ["Made"]


@pytest.mark.parametrize("read", [compile_definition, load_definitions])
def test_a_device_without_an_end(read: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="/dev/zero: not a JSON definition: longer than"):
        read(tmp_path / "/dev/zero")


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "Made.json").write_text(GOOD, encoding="utf-8")
    (tmp_path / "B.json").write_text(GOOD.replace("Made", "B"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("{", encoding="utf-8")
    assert list(load_definitions(tmp_path)) == ["B", "Made"]
    assert list(load_definitions(str(tmp_path / "B.json"))) == ["B"]


def test_of_a_folder_the_broken_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "B.json"
    broken.write_text("{", encoding="utf-8")
    (tmp_path / "A.json").write_text(GOOD, encoding="utf-8")
    with pytest.raises(SchemaError) as refused:
        load_definitions(tmp_path)
    assert refused.value.source == str(broken)


def test_a_folder_has_so_many_definitions_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(definitions, "MAX_DEFINITIONS", 2)
    for name in ("Made", "B"):
        (tmp_path / f"{name}.json").write_text(GOOD.replace("Made", name), encoding="utf-8")
    assert list(load_definitions(tmp_path)) == ["B", "Made"]
    (tmp_path / "C.json").write_text(GOOD.replace("Made", "C"), encoding="utf-8")
    with pytest.raises(SchemaError, match="3 definitions; from 1 to 2 are read"):
        load_definitions(tmp_path)


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(SchemaError):
        load_definitions(tmp_path)


@pytest.mark.parametrize("read", [load_definitions, compile_definition])
def test_a_path_that_is_not_there(read: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        read(tmp_path / "missing.json")


def test_a_folder_s_loop_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "Made.json").write_text(GOOD, encoding="utf-8")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert list(load_definitions(tmp_path)) == ["Made"]
