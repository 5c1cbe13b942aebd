"""The straight-line writer of one layout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .emit_text import (
    CODE_BYTES,
    CODES,
    ENCODED,
    NUMBERS,
    Body,
    Names,
    identifier,
    tuple_of,
)
from .layout import HEAD, LATEST_FIELD, Layout, Slot, has_latest
from .spec import Field


class WriterBody(Body):
    """One writer. `before` and `after` hold fixed-size items not written yet, around a string
    (`content`) whose length is known: one pack writes them."""

    def __init__(self, names: Names, layout: Layout) -> None:
        super().__init__(names, layout)
        self.sink = "parts"  # where `add` adds to
        self.before: list[tuple[str, str]] = []  # code, expression
        self.content: str | None = None
        self.after: list[tuple[str, str]] = []

    def function(self, suffix: str, versions: list[int]) -> list[str]:
        name = self.names.spec.class_name
        head = f"def _write_{suffix}(message: {name}, parts: list[bytes]) -> None:"
        with self.block(head):
            if self.names.spec.framing.kind == "version32" and versions != [HEAD]:
                self.add(f"if message.version != {versions[0]}:", "    raise OddValue")
                if self.names.spec.framing.newer == "head" and has_latest(self.layout):
                    self.add(f"if message.{LATEST_FIELD} < {versions[0]}:", "    raise OddValue")
            self.add("add = parts.append")
            self.struct(self.layout, "message")
            self.flush()
        return self.out

    def fixed(self, code: str, expression: str) -> None:
        (self.before if self.content is None else self.after).append((code, expression))

    def string(self, raw: str) -> None:
        """A string with its int16 length in front, already encoded in the variable `raw`."""
        self.fixed("h", f"len({raw})")
        if self.content is not None:
            self.flush()
        self.content = raw

    def flush(self) -> None:
        before = "".join(code for code, _ in self.before)
        after = "".join(code for code, _ in self.after)
        values = [expression for _, expression in self.before]
        if self.content is not None:
            arguments = f"{before!r}, {after!r}" if after else repr(before)
            name = f"_pack_{identifier(before)}_string_{identifier(after)}".rstrip("_")
            table = self.names.constant(name, f"pack_strings({arguments})")
            values += [self.content, *(expression for _, expression in self.after)]
            self.add(f"add({table}[len({self.content})]({', '.join(values)}))")
        elif values:
            pack = self.names.constant(f"_pack_{identifier(before)}", f"packed({before!r})")
            self.add(f"add({pack}({', '.join(values)}))")
        self.before, self.content, self.after = [], None, []

    def length(self, name: str, compact: bool, code: str, size: str) -> None:
        """Write a length or count; `size` is an expression."""
        if not compact:
            self.fixed(code, size)
            return
        self.flush()
        variable = self.fresh(f"{name}_size")
        self.add(f"{variable} = {size} + 1")
        self.add(f"add(VARINT[{variable}] if {variable} < 128 else varint({variable}))")

    def null(self, compact: bool, code: str) -> str:
        raw = b"\0" if compact else b"\xff" * CODE_BYTES[code]
        return f"add({raw!r})"

    # values

    def struct(self, layout: Layout, item: str) -> None:
        for field in layout.absent:
            if not field.ignorable:
                self.refuse_loss(field, item)
        for slot in layout.slots:
            self.slot(slot, f"{item}.{slot.field.snake}")
        if layout.flexible:
            self.tags(layout, item)
        elif self.names.spec.flexible:
            with self.checking(f"if {item}.unknown_tagged_fields:"):
                self.add("raise OddValue")

    @contextmanager
    def checking(self, head: str) -> Iterator[None]:
        self.flush()
        with self.block(head):
            yield

    def refuse_loss(self, field: Field, item: str) -> None:
        default = self.names.default(field)
        test = f"is not {default}" if default in ("None", "True", "False") else f"!= {default}"
        with self.checking(f"if {item}.{field.snake} {test}:"):
            self.add("raise OddValue")

    def slot(self, slot: Slot, expression: str, *, tagged: bool = False) -> None:
        if slot.nullable and (slot.field.type.array or slot.base != "struct"):
            self.nullable(slot, expression)
        elif slot.nullable:
            self.nullable_struct(slot, expression, tagged)
        elif slot.field.nullable or slot.field.default_is_null:
            self.never_null(slot, expression)
        else:
            self.value(slot, expression)

    def never_null(self, slot: Slot, expression: str) -> None:
        """A field that may be null, but not in this version."""
        self.flush()
        variable = self.fresh(slot.field.snake)
        self.add(f"{variable} = {expression}")
        self.add(f"if {variable} is None:", "    raise OddValue")
        self.value(slot, variable)

    def value(self, slot: Slot, expression: str) -> None:
        if slot.field.type.array:
            self.array(slot, expression)
        elif slot.element is not None:
            self.checked_struct(slot.element, expression)
        else:
            self.primitive(slot, expression)

    def nullable(self, slot: Slot, expression: str) -> None:
        variable = self.fresh(slot.field.snake)
        self.flush()
        self.add(f"{variable} = {expression}")
        code = "h" if slot.base == "string" and not slot.field.type.array else "i"
        with self.block(f"if {variable} is None:"):
            self.add(self.null(slot.compact, code))
        with self.block("else:"):
            self.value(slot, variable)
            self.flush()

    def nullable_struct(self, slot: Slot, expression: str, tagged: bool) -> None:
        assert slot.element is not None
        self.flush()
        variable = self.fresh(slot.field.snake)
        self.add(f"{variable} = {expression}")
        with self.block(f"if {variable} is None:"):
            self.add("add(b'\\0')" if tagged else "add(b'\\xff')")
        with self.block("else:"):
            self.add("add(b'\\1')")
            self.checked_struct(slot.element, variable)
            self.flush()

    def checked_struct(self, element: Layout, expression: str) -> None:
        variable = expression
        if "." in expression:
            variable = self.fresh(expression.rpartition(".")[2])
            self.add(f"{variable} = {expression}")
        with self.block(f"if type({variable}) is not {self.names.class_of(element.struct)}:"):
            self.add("raise OddValue")
        self.struct(element, variable)

    def primitive(self, slot: Slot, expression: str) -> None:
        if slot.base == "string":
            raw = self.fresh("raw" if slot.field.type.array else f"{slot.field.snake}_raw")
            self.add(f"{raw} = {expression}.encode()")
            self.encoded(slot, raw)
        elif slot.base in ENCODED:
            self.other_encoding(slot, expression)
        elif slot.base in ("bytes", "records"):
            self.length(slot.field.snake, slot.compact, "i", f"len({expression})")
            self.flush()
            self.add(f"add({expression})")
        elif slot.base == "bool":
            self.fixed("b", f"truth({expression})")
        elif slot.base == "uuid":
            self.fixed("16s", f"{expression}.bytes")
        else:
            self.add(f"if type({expression}) is bool:", "    raise OddValue")
            self.fixed(CODES[slot.base], expression)

    def other_encoding(self, slot: Slot, expression: str) -> None:
        code, unit, _, encode = ENCODED[slot.base]
        raw = self.fresh(f"{slot.field.snake}_raw")
        self.add(f"{raw} = {encode}({expression})")
        self.fixed(code, f"len({raw})" if unit == 1 else f"len({raw}) // {unit}")
        self.flush()
        self.add(f"add({raw})")

    def encoded(self, slot: Slot, raw: str) -> None:
        if not slot.compact:
            self.string(raw)
            return
        self.flush()
        with self.block(f"if len({raw}) > MAX_STRING:"):
            self.add("raise OddValue")
        self.length(slot.field.snake, True, "h", f"len({raw})")
        self.add(f"add({raw})")

    def array(self, slot: Slot, expression: str) -> None:
        variable = expression
        if "." in expression:
            variable = self.fresh(slot.field.snake)
            self.add(f"{variable} = {expression}")
        with self.block(f"if type({variable}) is not tuple:"):
            self.add("raise OddValue")
        self.length(slot.field.snake, slot.compact, "i", f"len({variable})")
        self.flush()
        if slot.base in NUMBERS and slot.base != "bool":
            code = CODES[slot.base]
            table = self.names.constant(
                f"_pack_numbers_{identifier(code)}", f"pack_numbers({code!r})"
            )
            self.add(f"add({table}[len({variable})](*{variable}))")
            return
        item = self.fresh(f"{slot.field.snake}_item")
        with self.block(f"for {item} in {variable}:"):
            if slot.element is not None:
                self.checked_struct(slot.element, item)
            else:
                self.primitive(slot, item)
            self.flush()

    def tags(self, layout: Layout, item: str) -> None:
        self.flush()
        unknown = f"{item}.unknown_tagged_fields"
        if not layout.tagged and not layout.foreign_tags:
            self.add(f"add(write_tags([], {unknown}, ()) if {unknown} else b'\\0')")
            return
        fields = self.fresh("fields")
        self.add(f"{fields}: list[tuple[int, bytes]] = []")
        for slot in layout.tagged:
            self.tagged(slot, f"{item}.{slot.field.snake}", fields)
        defined = tuple_of([*(slot.field.tag for slot in layout.tagged), *layout.foreign_tags])
        self.add(f"add(write_tags({fields}, {unknown}, {defined}))")

    def tagged(self, slot: Slot, expression: str, fields: str) -> None:
        default = self.names.default(slot.field)
        test = "is not None" if default == "None" else f"!= {default}"
        variable = self.fresh(slot.field.snake)
        inner = self.fresh("tagged")
        self.add(f"{variable} = {expression}")
        with self.block(f"if {variable} {test}:"):
            outer, self.sink = self.sink, inner
            self.add(f"{inner}: list[bytes] = []", f"add = {inner}.append")
            self.slot(slot, variable, tagged=True)
            self.flush()
            self.sink = outer
            self.add(f"{fields}.append(({slot.field.tag}, b''.join({inner})))")
            self.add(f"add = {outer}.append")
