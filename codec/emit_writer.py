"""The writer of one layout: a line for each field, in the order of the bytes."""

from __future__ import annotations

from .emit_text import Function, Lines, Names, tuple_of
from .layout import HEAD, LATEST_FIELD, Slot, has_latest

_REFUSE = "    raise OddValue"


class Writer(Lines):
    """The writer of one layout: first what cannot be written, then the fields."""

    def __init__(self, names: Names, function: Function) -> None:
        super().__init__()
        self.names = names
        self.function = function
        self.layout = function.layout
        self.item = "message" if self.layout.struct is None else "item"

    def lines(self) -> list[str]:
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
        """A message that says its own version is written as no other."""
        (version,) = self.function.versions
        if version == HEAD:
            return
        self.add(f"if message.version != {version}:", _REFUSE)
        if self.names.spec.framing.newer == "head" and has_latest(self.layout):
            self.add(f"if message.{LATEST_FIELD} < {version}:", _REFUSE)

    def differs(self, name: str, default: str) -> str:
        """The test whether a field is not at its default."""
        word = "is not" if default in ("None", "True", "False") else "!="
        return f"{self.item}.{name} {word} {default}"

    def value(self, slot: Slot) -> str:
        """A field's value; where it may be null, but not in this version, it is required."""
        value = f"{self.item}.{slot.field.snake}"
        may_be_null = slot.field.nullable or slot.field.default_is_null
        return f"required({value})" if may_be_null and not slot.nullable else value

    def tag_section(self) -> None:
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
        every = tuple_of([*defined, *self.layout.foreign_tags])
        self.add(f"write_tags(tags, {unknown}, parts, {every})")

    def tagged_test(self, slot: Slot) -> str:
        default = self.names.default(slot.field)
        if default == "None":
            return self.differs(slot.field.snake, default)
        return f"{self.item}.{slot.field.snake} != {default}"
