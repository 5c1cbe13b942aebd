"""The source of a layout's reader and writer: a line for each field, in the order of the bytes."""

from __future__ import annotations

from collections.abc import Iterable

from ..dialect.layout import HEAD, LATEST_FIELD, Slot, has_latest, width
from ..dialect.spec import FIXED_BYTES
from .source import NUMBERS, Function, Lines, Names, shared_default, tuple_of

_HERE = "data, pos"


class ReaderSource(Lines):
    """The source of one layout's reader, whose variables have none of the names `used_names`."""

    def __init__(self, names: Names, function: Function, used_names: Iterable[str]) -> None:
        super().__init__()
        self.names = names
        self.function = function
        self.layout = function.layout
        self.used = {"data", "pos", "len", *used_names}
        self.values: dict[str, str] = {}  # field -> the variable that holds it
        self.tagged = ""  # the variable that holds those of tagged fields, by name

    def lines(self) -> list[str]:
        """Return the lines of the reader, and of the table of its tagged fields."""
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
        """Add the rows of the table of tagged fields."""
        for slot in self.layout.tagged:
            call = self.function.call("read", slot, _HERE, tagged=True)
            plain = call.removesuffix(f"({_HERE})")
            read = f"lambda {_HERE}: {call}" if plain == call else plain
            self.add(f"{slot.field.tag}: ({slot.field.snake!r}, {read}),")

    def fields(self, cls: str) -> None:
        """Add the lines that read the fields and return the message or struct."""
        for slot in self.layout.slots:
            if slot.optional:
                self.add("if pos == len(data):", f"    return {self.result(cls)}, pos")
            variable = self.variable(slot.field.snake)
            self.add(self.read(slot, variable))
            self.values[slot.field.snake] = variable
        if self.layout.flexible:
            self.tag_section()
        if self.layout.struct is None:
            self.add("if pos > len(data):", "    raise OddBytes")
        if not self.layout.tagged:
            self.add(f"return {self.result(cls)}, pos")
            return
        read = self.variable("read")
        self.add(f"{read} = {self.result(cls)}")
        self.add(f"return (_replace({read}, **{self.tagged}) if {self.tagged} else {read}), pos")

    def read(self, slot: Slot, variable: str) -> str:
        """Return the line that reads a field; a number without a call of a Python function."""
        if slot.base in NUMBERS and not slot.field.type.array:
            number = NUMBERS[slot.base]
            return f"({variable},), pos = {number}.unpack({_HERE}), pos + {FIXED_BYTES[slot.base]}"
        return f"{variable}, pos = {self.function.call('read', slot, _HERE)}"

    def tag_section(self) -> None:
        """Add the line that reads the tag section."""
        unknown = self.variable("unknown")
        self.values["unknown_tagged_fields"] = unknown
        foreign = tuple_of(self.layout.foreign_tags)
        if self.layout.tagged:
            self.tagged, tags = self.variable("tagged"), f"_TAGS_{self.function.name}"
            self.add(f"{self.tagged}, {unknown}, pos = read_tags(data, pos, {tags}, {foreign})")
        elif self.layout.foreign_tags:
            self.add(f"_, {unknown}, pos = read_tags(data, pos, {{}}, {foreign})")
        else:
            self.add(f"{unknown}, pos = read_unknown_tags(data, pos)")

    def result(self, cls: str) -> str:
        """Return the expression for the message or struct of what was read so far."""
        fields = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{cls}({fields})"

    def variable(self, name: str) -> str:
        """Return an unused name for a variable: `name`, or `name_2` where that is used."""
        candidate, number = name, 2
        while candidate in self.used:
            candidate, number = f"{name}_{number}", number + 1
        self.used.add(candidate)
        return candidate


_REFUSE = "    raise OddValue"


class Writer(Lines):
    """The source of one layout's writer: first the checks, then the fields."""

    def __init__(self, names: Names, function: Function) -> None:
        super().__init__()
        self.names = names
        self.function = function
        self.layout = function.layout
        self.item = "message" if self.layout.struct is None else "item"

    def lines(self) -> list[str]:
        """Return the lines of the writer."""
        cls = self.names.class_of(self.layout.struct)
        head = f"def _write_{self.function.name}({self.item}: {cls}, parts: list[bytes]) -> None:"
        with self.block(head):
            self.checks(cls)
            for slot in self.layout.slots:
                self.add(self.function.call("write", slot, f"{self.value(slot)}, parts"))
            if self.layout.flexible:
                self.tag_section()
            if len(self.out) == 1:
                self.add("pass")
        return self.out

    def checks(self, cls: str) -> None:
        """Add the checks of what this layout cannot hold."""
        spec, item = self.names.spec, self.item
        if self.layout.struct is not None:
            self.add(f"if type({item}) is not {cls}:", _REFUSE)
        elif spec.framing.kind == "version32":
            self.own_version()
        for field in self.layout.absent:
            if not field.ignorable:
                self.add(f"if {self.differs(field.snake, self.names.default(field))}:", _REFUSE)
        if spec.flexible and not self.layout.flexible:
            self.add(f"if {item}.unknown_tagged_fields:", _REFUSE)

    def own_version(self) -> None:
        """Add the checks of a message whose first field is its version."""
        (version,) = self.function.versions
        if version == HEAD:
            return
        self.add(f"if message.version != {version}:", _REFUSE)
        if self.names.spec.framing.newer == "head" and has_latest(self.layout):
            self.add(f"if message.{LATEST_FIELD} < {version}:", _REFUSE)

    def differs(self, name: str, default: str) -> str:
        """Return the test whether a field is not at its default."""
        word = "is not" if default in ("None", "True", "False") else "!="
        return f"{self.item}.{name} {word} {default}"

    def value(self, slot: Slot) -> str:
        """Return the expression for a field's value, `required` where only others may be null."""
        value = f"{self.item}.{slot.field.snake}"
        may_be_null = slot.field.nullable or slot.field.default_is_null
        return f"required({value})" if may_be_null and not slot.nullable else value

    def tag_section(self) -> None:
        """Add the lines that write the tag section."""
        unknown = f"{self.item}.unknown_tagged_fields"
        if not self.layout.tagged and not self.layout.foreign_tags:
            self.add(f"write_unknown_tags({unknown}, parts)")
            return
        self.add("tags: dict[int, list[bytes]] = {}")
        for slot in self.layout.tagged:
            with self.block(f"if {self.tagged_test(slot)}:"):
                subject = f"{self.value(slot)}, tags.setdefault({slot.field.tag}, [])"
                self.add(self.function.call("write", slot, subject, tagged=True))
        defined = [slot.field.tag for slot in self.layout.tagged]
        tag_numbers = tuple_of([*defined, *self.layout.foreign_tags])
        self.add(f"write_tags(tags, {unknown}, parts, {tag_numbers})")

    def tagged_test(self, slot: Slot) -> str:
        """Return the test whether a tagged field is written."""
        default = self.names.default(slot.field)
        if default == "None":
            return self.differs(slot.field.snake, default)
        return f"{self.item}.{slot.field.snake} != {default}"
