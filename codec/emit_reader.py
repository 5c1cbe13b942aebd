"""The reader of one layout: a line for each field, in the order of the bytes."""

from __future__ import annotations

from collections.abc import Iterable

from .emit_text import Function, Lines, Names, shared_default, tuple_of
from .layout import width

_HERE = "data, pos"


class Reader(Lines):
    """The reader of one layout; no field's variable has one of the names `taken`."""

    def __init__(self, names: Names, function: Function, taken: Iterable[str]) -> None:
        super().__init__()
        self.names = names
        self.function = function
        self.layout = function.layout
        self.used = {"data", "pos", "len", *taken}
        self.values: dict[str, str] = {}  # field -> the variable that holds it

    def lines(self) -> list[str]:
        name, struct = self.function.name, self.layout.struct
        cls = self.names.class_of(struct)
        if self.layout.tagged:
            with self.block(f"_TAGS_{name}: Tags = {{"):
                self.tags()
            self.add("}", "", "")
        with self.block(f"def _read_{name}(data: bytes, pos: int) -> tuple[{cls}, int]:"):
            if struct is not None and not width(self.layout):
                self.add("# Nothing to read: one value for all.")
                self.add(f"return {shared_default(struct.class_name)}, pos")
            else:
                self.fields(cls)
        return self.out

    def tags(self) -> None:
        for slot in self.layout.tagged:
            call = self.function.call("read", slot, _HERE, tagged=True)
            plain = call.removesuffix(f"({_HERE})")
            read = f"lambda {_HERE}: {call}" if plain == call else plain
            self.add(f"{slot.field.tag}: ({slot.field.snake!r}, {read}),")

    def fields(self, cls: str) -> None:
        for slot in self.layout.slots:
            if slot.optional:
                self.add("if pos == len(data):", f"    return {self.result(cls)}")
            variable = self.variable(slot.field.snake)
            self.add(f"{variable}, pos = {self.function.call('read', slot, _HERE)}")
            self.values[slot.field.snake] = variable
        if self.layout.flexible:
            self.tag_section()
        self.add(f"return {self.result(cls)}")

    def tag_section(self) -> None:
        unknown = self.variable("unknown")
        self.values["unknown_tagged_fields"] = unknown
        foreign = tuple_of(self.layout.foreign_tags)
        if self.layout.tagged:
            tagged, tags = self.variable("tagged"), f"_TAGS_{self.function.name}"
            self.values["**"] = tagged
            self.add(f"{tagged}, {unknown}, pos = read_tags(data, pos, {tags}, {foreign})")
        elif self.layout.foreign_tags:
            self.add(f"_, {unknown}, pos = read_tags(data, pos, {{}}, {foreign})")
        else:
            self.add(f"{unknown}, pos = read_unknown_tags(data, pos)")

    def result(self, cls: str) -> str:
        """What was read so far, and where it ends."""
        fields = [
            f"**{value}" if name == "**" else f"{name}={value}"
            for name, value in self.values.items()
        ]
        return f"{cls}({', '.join(fields)}), pos"

    def variable(self, name: str) -> str:
        """`name`, or `name_2` where that is used for something else."""
        candidate, number = name, 2
        while candidate in self.used:
            candidate, number = f"{name}_{number}", number + 1
        self.used.add(candidate)
        return candidate
