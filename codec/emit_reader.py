"""The straight-line reader of one layout."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from .emit_text import (
    ANNOTATIONS,
    CODE_BYTES,
    CODES,
    ENCODED,
    NUMBERS,
    Body,
    Names,
    identifier,
    tuple_of,
)
from .layout import Layout, Slot, width
from .wire import LISTED_SIZES


class _Content(NamedTuple):
    """A string to be read: the variable of its length, and the statement that takes it.

    `short`: the length is still in front of it, only its low byte is known (`wire.short_strings`).
    `counted`: where this variable is 0 there is no string, and `pos` is two bytes too far.
    """

    size: str
    store: str
    short: bool = False
    counted: str = ""


class ReaderBody(Body):
    """One reader. `run` holds fixed-size items not read yet, `content` a string before them: both
    are read by one unpack when something needs them."""

    def __init__(self, names: Names, layout: Layout) -> None:
        super().__init__(names, layout)
        self.run: list[tuple[str, str]] = []  # code, variable
        self.content: _Content | None = None
        self.after: list[str] = []  # conversions that follow the unpack
        self.ahead = ""  # the variable of the next count, if it has been read already
        self.bounded = False  # whether an unpack has shown that `pos` is not past the end

    def function(self, suffix: str) -> list[str]:
        name = self.names.spec.class_name
        with self.block(f"def _read_{suffix}(data: bytes, pos: int) -> tuple[{name}, int]:"):
            value = self.struct(self.layout)
            self.flush()
            if not self.bounded:
                self.add("if pos > len(data):", "    raise OddBytes")
            self.add(f"return {value}, pos")
        return self.out

    # reading items

    def fixed(self, code: str, variable: str) -> None:
        self.run.append((code, variable))

    def flush(self) -> None:
        if self.content is None:
            self.unpack_run()
        elif not self.content.counted:
            self.unpack_content(self.content)
        else:
            with self.block(f"if {self.content.counted}:"):
                self.unpack_content(self.content)
            with self.block("else:"):
                self.add("pos -= 2")
                self.unpack_run()
        if self.depth == 1 and (self.run or self.content):
            self.bounded = True
        self.add(*self.after)
        self.run, self.content, self.after = [], None, []

    def unpack_run(self) -> None:
        if self.run:
            codes, size, variables = self.items()
            unpack = self.names.constant(f"_unpack_{identifier(codes)}", f"fixed({codes!r})")
            self.add(f"{_targets(variables)} = {unpack}(data, pos)", f"pos += {size}")

    def unpack_content(self, content: _Content) -> None:
        codes, size, variables = self.items()
        kind = "short_string" if content.short else "string"
        name = f"_{kind}_{identifier(codes)}".rstrip("_")
        table = self.names.constant(name, f"{kind}s({codes!r})")
        variables = [*["high"][: content.short], "raw", *variables]
        self.add(f"{_targets(variables)} = {table}[{content.size}](data, pos)")
        if content.short:
            self.add("if high:", "    raise OddBytes")
            size += 2
        self.add(f"pos += {content.size} + {size}" if size else f"pos += {content.size}")
        self.add(content.store)

    def items(self) -> tuple[str, int, list[str]]:
        """The codes of the run, its size in bytes, its variables."""
        codes = [code for code, _ in self.run]
        variables = [variable for _, variable in self.run]
        return "".join(codes), sum(CODE_BYTES[code] for code in codes), variables

    def length(self, name: str, compact: bool, code: str) -> str:
        """The variable of a length or count (plus one where compact), read."""
        variable = self.fresh(name)
        self.fixed("B" if compact else code, variable)
        self.flush()
        if compact:
            with self.block(f"if {variable} > 127:"):
                self.add(f"{variable}, pos = read_varint(data, pos - 1)")
        return variable

    # values; each returns the expression of what was read, valid after the next flush

    def struct(self, layout: Layout) -> str:
        values: dict[str, str] = {}
        for slot, behind in zip_longest(layout.slots, layout.slots[1:]):
            if _chained(slot, behind):
                values[slot.field.snake] = self.chained_strings(slot)
            elif _reads_ahead(slot, behind):
                values[slot.field.snake] = self.rarely_there(slot, behind)
            else:
                values[slot.field.snake] = self.slot(slot)
        if layout.flexible:
            values |= self.tags(layout)
        arguments = ", ".join(f"{name}={value}" for name, value in values.items())
        return f"{self.names.class_of(layout.struct)}({arguments})"

    def slot(self, slot: Slot) -> str:
        target = self.fresh(slot.field.snake)
        if not slot.optional:
            return self.present(slot, target)
        self.flush()
        with self.block("if pos == len(data):"):
            self.add(f"{target}: {self.whole_type(slot)} = {self.names.default(slot.field)}")
        with self.block("else:"):
            self.present(slot, target)
            self.flush()
        return target

    def present(self, slot: Slot, target: str) -> str:
        if slot.field.type.array:
            self.array(slot, target)
        elif slot.base == "struct":
            self.struct_slot(slot, target)
        else:
            self.primitive(slot, target)
        return target

    def struct_slot(self, slot: Slot, target: str) -> None:
        assert slot.element is not None
        if not slot.nullable and not width(slot.element):  # nothing to read: one value for all
            self.add(f"{target} = {self.names.default(slot.field)}")
            return
        if not slot.nullable:
            value = self.struct(slot.element)
            self.flush()
            self.add(f"{target} = {value}")
            return
        marker = self.fresh(f"{target}_present")
        self.fixed("b", marker)
        self.flush()
        self.optional(f"if {marker} < 0:", slot.element, target)

    def optional(self, null_test: str, element: Layout, target: str) -> None:
        with self.block(null_test):
            self.add(f"{target} = None")
        with self.block("else:"):
            value = self.struct(element)
            self.flush()
            self.add(f"{target} = {value}")

    def primitive(self, slot: Slot, target: str, keep: str = "{}") -> None:
        """Read one value; `keep` is the statement that takes it, e.g. "names.append({})"."""
        base = slot.base
        store = f"{target} = {{}}" if keep == "{}" else keep
        if base == "uuid":
            raw = self.fresh(f"{target}_raw")
            self.fixed(CODES[base], raw)
            self.after.append(store.format(f"uuid_of({raw})"))
            return
        if base in CODES:
            self.fixed(CODES[base], target)
            return
        if base in ENCODED:
            self.encoded(base, target, store)
            return
        null = slot.nullable and not slot.field.type.array
        if base == "string" and not slot.compact and not null:
            self.plain_string(target, store)
            return
        code = "h" if base == "string" else "i"
        self.sized(slot, self.length(f"{target}_size", slot.compact, code), store, null)

    def rarely_there(self, slot: Slot, behind: Slot) -> str:
        """Bytes that are mostly null: what follows is read with their length, and once more where
        they are not."""
        target = self.fresh(slot.field.snake)
        size = self.fresh(f"{target}_size")
        count = self.fresh(f"{behind.field.snake}_count")
        code = "i" if behind.nullable else "I"
        again = self.names.constant(f"_unpack_{identifier(code)}", f"fixed({code!r})")
        self.fixed("i", size)
        self.fixed(code, count)
        self.flush()
        with self.block(f"if {size} < 0:"):
            self.add(f"{target} = None")
        with self.block("else:"):
            self.add("pos -= 4", f"end = pos + {size}", f"{target} = data[pos:end]")
            self.add(f"({count},) = {again}(data, end)", "pos = end + 4")
        self.ahead = count
        return target

    def plain_string(self, target: str, store: str) -> None:
        short = not self.run and not self.content
        if short:
            size = self.fresh(f"{target}_size")
            self.add(f"{size} = data[pos + 1]")
        else:
            size = self.length(f"{target}_size", False, "H")
        self.content = _Content(size, store.format("raw.decode()"), short)

    def encoded(self, base: str, target: str, store: str) -> None:
        """A string of one of Kafka Streams' encodings."""
        code, unit, decode, _ = ENCODED[base]
        size = self.length(f"{target}_size", False, code)
        self.bounded = False  # a slice does not mind the end
        if code == "i":
            with self.block(f"if {size} < 0:"):
                self.add("raise OddBytes")
        self.add(f"end = pos + {size}" if unit == 1 else f"end = pos + {unit} * {size}")
        self.add(store.format(f"{decode}(data[pos:end])"), "pos = end")

    def sized(self, slot: Slot, size: str, store: str, null: bool) -> None:
        """Bytes, or a string that may be null or is compact."""
        self.bounded = False  # a slice does not mind the end
        string = slot.base == "string"
        lowest = 1 if slot.compact else 0
        if null:
            with self.block(f"if {size} < {lowest}:"):
                self.add(store.format("None"))
            limit = f"elif {size} > MAX_STRING + 1:"
        else:
            limit = f"if {size} < 1 or {size} > MAX_STRING + 1:"
        if string and slot.compact:
            with self.block(limit):
                self.add("raise OddBytes")
        elif not null:
            with self.block(f"if {size} < {lowest}:"):
                self.add("raise OddBytes")
        body = [
            f"end = pos + {size} - 1" if slot.compact else f"end = pos + {size}",
            store.format("data[pos:end].decode()" if string else "data[pos:end]"),
            "pos = end",
        ]
        if null:
            with self.block("else:"):
                self.add(*body)
        else:
            self.add(*body)

    # arrays

    def array(self, slot: Slot, target: str) -> None:
        code = "i" if slot.nullable else "I"  # as unsigned, a negative one is one too many
        count = self.ahead or self.length(f"{target}_count", slot.compact, code)
        self.ahead = ""
        lowest = 1 if slot.compact else 0
        if slot.nullable:
            with self.block(f"if {count} < {lowest}:"):
                self.add(f"{target} = None")
            with self.block("else:"):
                self.elements(slot, target, count)
            return
        self.elements(slot, target, count)

    def elements(self, slot: Slot, target: str, count: str) -> None:
        if slot.compact:
            self.add(f"{count} -= 1")
        if slot.base in NUMBERS:  # the table refuses a count that no array has
            code = CODES[slot.base]
            size = CODE_BYTES[code]
            name = identifier(code)
            few = self.names.constant(f"_few_numbers_{name}", f"few_numbers({code!r})")
            table = self.names.constant(f"_numbers_{name}", f"numbers({code!r})")
            unpack = f"({few}[{count}] if {self.listed(slot, count)} else {table}[{count}])"
            self.add(f"{target} = {unpack}(data, pos)")
            self.add(f"pos += {count} * {size}" if size > 1 else f"pos += {count}")
            self.bounded = self.bounded or self.depth == 1
            return
        self.check_count(slot, count)
        items = self.fresh(f"{target}_list")
        self.add(f"{items}: list[{self.annotation(slot)}] = []")
        if slot.base == "string" and not slot.compact:
            self.strings(items, count)
        else:
            self.loop(slot, target, items, count)
        self.add(f"{target} = tuple({items})")

    def listed(self, slot: Slot, count: str) -> str:
        return f"0 <= {count} < {LISTED_SIZES}" if slot.compact else f"{count} < {LISTED_SIZES}"

    def check_count(self, slot: Slot, count: str) -> None:
        limit = f"not 0 <= {count} <= MAX_ELEMENTS" if slot.compact else f"{count} > MAX_ELEMENTS"
        self.add(f"if {limit}:", "    raise OddBytes")

    def annotation(self, slot: Slot) -> str:
        """The Python type of one element."""
        if slot.element is not None:
            return self.names.class_of(slot.element.struct)
        return ANNOTATIONS[slot.base]

    def whole_type(self, slot: Slot) -> str:
        """The Python type of the field."""
        one = self.annotation(slot)
        whole = f"tuple[{one}, ...]" if slot.field.type.array else one
        return f"{whole} | None" if slot.nullable or slot.field.default_is_null else whole

    def strings(self, items: str, count: str) -> None:
        self.bounded = False
        first = self.names.constant("_unpack_u_h", "fixed('H')")
        with self.block(f"if {count}:"):
            self.add(f"(size,) = {first}(data, pos)", "pos += 2")
            self.all_but_last(items, count)
            self.add("if size > MAX_STRING:", "    raise OddBytes")
            self.add("end = pos + size", f"{items}.append(data[pos:end].decode())", "pos = end")

    def chained_strings(self, slot: Slot) -> str:
        """The count brings the length of the first string, and the last string what follows."""
        target = self.fresh(slot.field.snake)
        count = self.fresh(f"{target}_count")
        self.fixed("I", count)
        self.fixed("H", "size")
        self.flush()
        self.check_count(slot, count)
        items = self.fresh(f"{target}_list")
        self.add(f"{items}: list[str] = []")
        self.all_but_last(items, count)
        self.content = _Content("size", f"{items}.append(raw.decode())", counted=count)
        self.after.append(f"{target} = tuple({items})")
        return target

    def all_but_last(self, items: str, count: str) -> None:
        """Each unpack gives a string and the length of the next."""
        between = self.names.constant("_string_u_h", "strings('H')")
        with self.block(f"for _ in range({count} - 1):"):
            self.add(f"raw, following = {between}[size](data, pos)", "pos += size + 2")
            self.add(f"{items}.append(raw.decode())", "size = following")

    def loop(self, slot: Slot, target: str, items: str, count: str) -> None:
        with self.block(f"for _ in range({count}):"):
            if slot.element is not None:
                value = self.struct(slot.element)
                self.flush()
                self.add(f"{items}.append({value})")
            else:
                self.primitive(slot, self.fresh(f"{target}_item"), f"{items}.append({{}})")
                self.flush()

    # tag sections

    def tags(self, layout: Layout) -> dict[str, str]:
        unknown = self.fresh("unknown_tagged_fields")
        count = self.fresh("count")
        self.fixed("B", count)
        self.flush()
        self.bounded = False
        if not layout.tagged and not layout.foreign_tags:
            self.add(f"{unknown}: tuple[RawTaggedField, ...] = ()")
            with self.block(f"if {count}:"):
                self.add(f"{unknown}, pos = read_tags(data, pos - 1)")
            return {"unknown_tagged_fields": unknown}
        values = {slot.field.snake: self.fresh(slot.field.snake) for slot in layout.tagged}
        for slot in layout.tagged:
            target = values[slot.field.snake]
            self.add(f"{target}: {self.whole_type(slot)} = {self.names.default(slot.field)}")
        items = self.fresh("unknown")
        self.add(f"{items}: list[RawTaggedField] = []")
        with self.block(f"if {count} > 127:"):
            self.add(f"{count}, pos = read_varint(data, pos - 1)")
            with self.block(f"if not 0 <= {count} <= MAX_TAGS:"):
                self.add("raise OddBytes")
        with self.block(f"for _ in range({count}):"):
            self.add("tag = data[pos]", "pos += 1")
            with self.block("if tag > 127:"):
                self.add("tag, pos = read_varint(data, pos - 1)")
            word = "if"
            for slot in layout.tagged:
                with self.block(f"{word} tag == {slot.field.tag}:"):
                    self.add("pos += 1")
                    with self.block("if data[pos - 1] > 127:"):
                        self.add("_, pos = read_varint(data, pos - 1)")
                    self.tagged_value(slot, values[slot.field.snake])
                word = "elif"
            if layout.foreign_tags:
                with self.block(f"{word} tag in {tuple_of(layout.foreign_tags)}:"):
                    self.add("raise OddBytes")
            with self.block("else:"):
                self.add("known, pos = read_raw_tag(data, pos, tag)", f"{items}.append(known)")
        return values | {"unknown_tagged_fields": f"tuple({items})"}

    def tagged_value(self, slot: Slot, target: str) -> None:
        if slot.field.type.array:
            self.array(slot, target)
        elif slot.element is None:
            self.primitive(slot, target)
        elif slot.nullable:
            marker = self.fresh(f"{target}_present")
            self.add(f"{marker}, pos = read_varint(data, pos)")
            self.optional(f"if not {marker}:", slot.element, target)
        else:
            value = self.struct(slot.element)
            self.flush()
            self.add(f"{target} = {value}")
        self.flush()


def _targets(variables: list[str]) -> str:
    return f"({variables[0]},)" if len(variables) == 1 else ", ".join(variables)


def _chained(slot: Slot, behind: Slot | None) -> bool:
    """Whether `slot` is an array of strings behind which at least two bytes stand for certain."""
    strings = slot.base == "string" and slot.field.type.array
    special = slot.compact or slot.nullable or slot.optional
    return strings and not special and behind is not None and _front(behind) >= 2


def _front(slot: Slot) -> int:
    """How many bytes of fixed size the slot begins with, at least."""
    if slot.compact or slot.optional or (slot.base == "struct" and not slot.field.type.array):
        return 0
    return 4 if slot.field.type.array else CODE_BYTES[CODES.get(slot.base, "h")]


def _reads_ahead(slot: Slot, behind: Slot | None) -> bool:
    """Whether `slot` is bytes that may be null, and `behind` an array."""
    plain = slot.base in ("bytes", "records") and not slot.field.type.array and not slot.compact
    if not plain or not slot.nullable or slot.optional or behind is None:
        return False
    chained = behind.base == "string"  # reads its count in another way
    return behind.field.type.array and not (behind.compact or behind.optional or chained)
