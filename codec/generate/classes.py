"""The source of a definition's typed classes: the message class with its structs inside."""

from __future__ import annotations

from collections.abc import Mapping

from ..dialect.spec import Field, Spec
from .docstrings import heading, literal
from .source import (
    ANNOTATIONS,
    Lines,
    default_literal,
    has_struct_default,
    shared_default,
    tuple_of,
)


class Classes(Lines):
    """The source of a message class with its structs inside; `docs` are their docstrings."""

    def __init__(self, spec: Spec, docs: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.spec = spec
        self.docs = docs
        self.flexible = bool(spec.flexible)

    def lines(self) -> list[str]:
        """Return the lines of the message class."""
        spec = self.spec
        base = "Message" if spec.framing.kind == "none" else "VersionedMessage"
        options = "frozen=True, kw_only=True, gc=False"
        with self.block(f"class {spec.class_name}({base}, {options}):"):
            self.docstring("", heading(spec))
            latest = spec.versions.highest
            self.add(f"NAME = {spec.name!r}")
            self.add(f"VERSIONS = {_versions(spec)}")
            self.add(f"LATEST = {latest}")
            self.add(f"API_KEY = {spec.api_key}")
            framing = f"Framing({spec.framing.kind!r}, {spec.framing.newer!r})"
            self.add(f"FRAMING = {framing}", "")
            for struct in spec.structs.values():
                with self.block(f"class {struct.class_name}(MessagePart, {options}):"):
                    self.docstring(struct.class_name, heading(spec, struct))
                    self.fields(struct.fields)
                self.add("")
            self.fields(spec.fields)
        return self.out

    def docstring(self, class_name: str, heading: str) -> None:
        """Add the docstring of a class; without docstrings, its heading."""
        text = heading if self.docs is None else self.docs[class_name]
        self.add(*literal(text).split("\n"), "")

    def fields(self, fields: tuple[Field, ...]) -> None:
        """Add the fields of a class, and what follows from them."""
        for field in fields:
            self.add(f"{field.snake}: {self.annotation(field)} = {self.default(field)}")
        if self.flexible:
            self.add("unknown_tagged_fields: tuple[RawTaggedField, ...] = ()")
        self.freezing(fields)
        self.signatures(fields)

    def freezing(self, fields: tuple[Field, ...]) -> None:
        """Add the method that makes tuples of lists: a built message equals one that was read."""
        sequences = [field.snake for field in fields if field.type.array]
        sequences += ["unknown_tagged_fields"] if self.flexible else []
        blobs = [
            f.snake for f in fields if not f.type.array and f.type.name in ("bytes", "records")
        ]
        if not sequences and not blobs:
            return
        self.add("")
        self.add(f"_sequences = {tuple_of(sequences)}") if sequences else None
        self.add(f"_blobs = {tuple_of(blobs)}") if blobs else None
        nullable = {field.snake for field in fields if field.nullable or field.default_is_null}
        tests = [self.frozen_test(name, "tuple", name in nullable) for name in sequences]
        tests += [self.frozen_test(name, "bytes", name in nullable) for name in blobs]
        self.add("")
        with self.block("def __post_init__(self) -> None:"):
            self.if_any(tests, "self._freeze()")

    def frozen_test(self, name: str, type_: str, nullable: bool) -> str:
        """Return the test whether a field has to be converted to a tuple or bytes."""
        test = f"type(self.{name}) is not {type_}"
        return f"(self.{name} is not None and {test})" if nullable else test

    def if_any(self, tests: list[str], statement: str) -> None:
        """Add an `if` statement: where one of the tests is true, `statement`."""
        if len(tests) == 1:
            self.add(f"if {tests[0]}:", f"    {statement}")
            return
        self.add("if (", f"    {tests[0]}", *(f"    or {test}" for test in tests[1:]), "):")
        self.add(f"    {statement}")

    def signatures(self, fields: tuple[Field, ...]) -> None:
        """Add the signatures for type checkers: an array may be given as any iterable."""
        init_fields = [(f.snake, self.annotation(f, given=True)) for f in fields]
        if self.flexible:
            init_fields.append(("unknown_tagged_fields", "Iterable[RawTaggedField]"))
        if not init_fields:
            return
        self_name = "_self" if any(name == "self" for name, _ in init_fields) else "self"
        self.add("")
        with self.block("if TYPE_CHECKING:"):
            for name, result in (("__init__", "None"), ("replace", "Self")):
                self.add("")
                with self.block(f"def {name}("):
                    self.add(
                        f"{self_name},",
                        "*,",
                        *(f"{n}: {annotation} = ...," for n, annotation in init_fields),
                    )
                self.add(f") -> {result}: ...")

    def annotation(self, field: Field, *, given: bool = False) -> str:
        """Return the type of a field; with `given`, the type of the argument for it."""
        name = field.type.name
        if field.type.is_struct:
            inner = f"{self.spec.class_name}.{self.spec.structs[name].class_name}"
        else:
            inner = ANNOTATIONS[name]
        if field.type.array:
            inner = f"Iterable[{inner}]" if given else f"tuple[{inner}, ...]"
        return f"{inner} | None" if field.nullable or field.default_is_null else inner

    def default(self, field: Field) -> str:
        """Return the default of a field as an expression inside its class."""
        if has_struct_default(field):
            shared = shared_default(self.spec.structs[field.type.name].class_name)
            return f"_field(default_factory=lambda: {shared})"
        literal = default_literal(field)
        if literal.startswith("UUID("):  # inside a lambda no struct of that name is in the way
            return f"_field(default_factory=lambda: {literal})"
        return literal


def _versions(spec: Spec) -> str:
    return f"VersionRange({spec.versions.lowest}, {spec.versions.highest})"
