"""Message classes made at run time, from definitions in text, files, folders and archives.

`compile_definition` and `load_definitions` generate the same source as for the built-in messages,
so a class made at run time is as fast and has the same methods. Equal definitions give the same
class as long as it is referenced, which makes its messages equal and picklable. The class itself
cannot be pickled, since no module has it: send its definition, or a message.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from .. import schemas
from .dialect import spec
from .dialect.framing import Framing
from .dialect.spec import Spec
from .errors import SchemaError
from .generate.docstrings import docstrings
from .generate.module import source as source_of
from .runtime.message import Message, MessagePart
from .runtime.registry import built_in_framing

MAX_DEFINITIONS = 2000  # in one folder or archive; Kafka has 250
MAX_ARCHIVE_ENTRIES = 100_000
MAX_TOTAL_BYTES = 16 << 20  # of definitions, unpacked; Kafka's are 1 MB
MAX_WRITTEN_OUT = 1 << 17  # fields of all definitions, in all versions; Kafka has 14,000
JAR_FOLDER = "common/message/"  # where Kafka's jars keep their definitions


def compile_definition(
    definition: str | os.PathLike[str] | Mapping[str, Any], *, framing: Framing | str | None = None
) -> type[Message]:
    """Return the message class of one definition.

    `definition` is its text (str), its file (a path), or the parsed JSON object. `framing`
    overrides what the definition says (see `Framing`; a str is its kind). Raises SchemaError for a
    definition that breaks a rule, ValueError for a framing that does not exist. A type checker
    learns the fields from a module that `generate_module` makes.

    >>> Ping = compile_definition({"type": "data", "name": "Ping", "validVersions": "0",
    ...     "fields": [{"name": "Sent", "type": "int32", "versions": "0+"}]})
    >>> Ping(sent=1).to_body(0).hex()
    '00000001'
    """
    return _class_of(spec_of_definition(definition, framing))


def spec_of_definition(
    definition: str | os.PathLike[str] | Mapping[str, Any], framing: Framing | str | None
) -> Spec:
    """Return one definition, read and checked; the arguments are those of `compile_definition`."""
    if isinstance(framing, str):
        framing = Framing(framing)
    if isinstance(definition, os.PathLike):
        return _spec_of_text(_text_of_file(Path(definition)), str(definition), framing)
    if isinstance(definition, str):
        return _spec_of_text(definition, Spec.UNKNOWN_SOURCE, framing)
    return spec.parse(definition, framing=framing, framing_of=built_in_framing)


def load_definitions(path: str | os.PathLike[str]) -> dict[str, type[Message]]:
    """Return the message classes of a folder, jar, zip or single file, by name.

    In a jar the files below `common/message/` are read; in a folder or a zip every `*.json`. Raises
    SchemaError for a definition that breaks a rule, for two of one name, and where there are none,
    too many, or too large ones; OSError where the path cannot be read.
    """
    specs: dict[str, Spec] = {}
    left = MAX_WRITTEN_OUT
    for source, text in _texts(Path(path)):
        read = _spec_of_text(text, source, None)
        if read.name in specs:
            raise SchemaError(source, "", f"a second definition of {read.name}")
        specs[read.name] = read
        left -= read.written_out
        if left < 0:
            rule = f"more than {MAX_WRITTEN_OUT} fields, those of every version counted, so far"
            raise SchemaError(source, "", rule)
    return {name: _class_of(specs[name]) for name in sorted(specs)}


# -- made at run time

_made: WeakValueDictionary[tuple[str, str], type[Message]] = WeakValueDictionary()


def _spec_of_text(text: str, source: str, framing: Framing | None) -> Spec:
    return spec.parse(text, source=source, framing=framing, framing_of=built_in_framing)


def _class_of(read: Spec) -> type[Message]:
    key = (read.text, str(read.framing))
    made = _made.get(key)
    if made is None:
        made = _made[key] = _compile(read)
    return made


def _compile(read: Spec) -> type[Message]:
    # The source calls the class `_message`, so that it hides no name that the code uses.
    private = msgspec.structs.replace(read, class_name="_message")
    code = source_of(private, "a definition given at run time")
    namespace = {
        "__name__": f"{__package__}.messages.made",
        "__package__": f"{__package__}.messages",
    }
    # The source consists of checked names and literals, not of the definition's own text.
    exec(compile(code, f"<{read.name}>", "exec"), namespace)  # noqa: S102
    message_class = namespace[private.class_name]
    assert isinstance(message_class, type) and issubclass(message_class, Message)
    message_class.__name__ = message_class.__qualname__ = read.class_name
    message_class._spec = read
    docs = docstrings(read)
    message_class.__doc__ = docs[""]
    for struct in read.structs.values():
        part = getattr(message_class, struct.class_name)
        part.__qualname__ = f"{read.class_name}.{struct.class_name}"
        part.__doc__ = docs[struct.class_name]
        part._owner = message_class
    return message_class


# -- pickling

Recipe = tuple[type[MessagePart]] | tuple[str, Framing, str]


def recipe(cls: type[MessagePart]) -> Recipe:
    """Return what `rebuild` needs to find or make `cls`, also in another process."""
    owner: type[MessagePart] = cls._owner or cls
    made: Spec | None = getattr(owner, "_spec", None)
    if made is None:
        return (cls,)
    return (made.text, made.framing, "" if owner is cls else cls.__name__)


def reduce_part(value: MessagePart) -> tuple[Any, ...]:
    """Return `rebuild` and its arguments for a message or struct, as `__reduce__` has to."""
    fields = {name: getattr(value, name) for name in value.__struct_fields__}
    return rebuild, (recipe(type(value)), fields)


def rebuild(recipe: Recipe, fields: dict[str, Any]) -> MessagePart:
    """Return a message or struct from its recipe and its fields; pickle and copy call this."""
    if len(recipe) == 1:
        return recipe[0](**fields)
    text, framing, struct = recipe
    cls = compile_definition(text, framing=framing)
    return (getattr(cls, struct) if struct else cls)(**fields)


# -- files


def _text_of_file(path: Path) -> str:
    with path.open("rb") as file:
        raw = file.read(schemas.MAX_CHARACTERS + 1)
    return _text_of(raw, str(path))


def _text_of(raw: bytes, source: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise SchemaError(source, "", f"not UTF-8 at byte {error.start}") from None


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*.json") if file.is_file())
        _check_count(str(path), len(files))
        yield from ((str(file), _text_of_file(file)) for file in files)
    elif path.is_file() and zipfile.is_zipfile(path):  # a device may have no end to seek to
        yield from _archived(path)
    else:
        yield str(path), _text_of_file(path)


def _check_count(source: str, count: int) -> None:
    if not 0 < count <= MAX_DEFINITIONS:
        rule = f"{count} definitions; from 1 to {MAX_DEFINITIONS} are read"
        raise SchemaError(source, "", rule)


# What zipfile raises for a broken, encrypted or unsupported archive: OSError for an offset outside
# the file, ValueError for a name that is no text.
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError,
    ValueError,
)  # fmt: skip
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others take memory before they fail


def _archived(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the definitions in a zip; the sizes that it states are not trusted."""
    left = MAX_TOTAL_BYTES
    try:
        with zipfile.ZipFile(path) as archive:
            for info in _members(path, archive):
                source = f"{path}!{info.filename}"
                if info.compress_type not in _COMPRESSIONS:
                    raise SchemaError(source, "", "neither stored nor deflated")
                with archive.open(info) as file:
                    raw = file.read(left + 1)
                left -= len(raw)
                if left < 0:
                    rule = f"more than {MAX_TOTAL_BYTES} bytes of definitions"
                    raise SchemaError(source, "", rule)
                yield source, _text_of(raw, source)
    except _UNREADABLE as error:
        raise SchemaError(str(path), "", f"not an archive that can be read: {error}") from None


def _members(path: Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > MAX_ARCHIVE_ENTRIES:
        raise SchemaError(str(path), "", f"more than {MAX_ARCHIVE_ENTRIES} entries")
    definitions = [info for info in infos if info.filename.endswith(".json") and not info.is_dir()]
    kafka = [info for info in definitions if info.filename.startswith(JAR_FOLDER)]
    _check_count(str(path), len(kafka or definitions))
    return kafka or definitions
