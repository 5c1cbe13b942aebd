"""Vocabulary: the texts and numbers that the source of a decoder mentions, and splices with them.

A decoder that treats a name, a prefix, a count or a number in a way of its own has it in its
source. Constants that are compared come first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...codec import Decoded, FieldNode
from ...codec.wire.primitives import varint
from .splices import Splice

_MOST = 128  # texts, and as many numbers, those next to them included
_LONGEST = 300  # characters of a text
_MOST_ENTRIES = 20  # that a count of the source adds to an array
_NODES = 64  # of an input that are changed
_INTEGERS = {"int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8}


class Vocabulary(NamedTuple):
    """The words of one or more sources."""

    texts: tuple[bytes, ...] = ()
    numbers: tuple[int, ...] = ()

    @classmethod
    def of_sources(cls, files: Iterable[Path]) -> Vocabulary:
        """Return the constants of Python sources; of a file that cannot be parsed, none."""
        compared: dict[object, None] = {}
        mentioned: dict[object, None] = {}
        for file in files:
            try:
                tree = ast.parse(file.read_bytes())
            except (OSError, SyntaxError, ValueError):
                continue
            for node in ast.walk(tree):
                words = mentioned if not isinstance(node, _COMPARING) else compared
                constants = (word for word in _constants(node) if isinstance(word, _WORDS))
                words.update(dict.fromkeys(constants))
        words = dict.fromkeys([*compared, *mentioned])
        texts = [text for text in map(_text, words) if text]
        numbers = [word + step for word in words if type(word) is int for step in (0, 1, -1)]
        return cls(tuple(dict.fromkeys(texts))[:_MOST], tuple(dict.fromkeys(numbers))[:_MOST])

    def tokens(self) -> Iterator[bytes]:
        """Yield the words as a dictionary of libFuzzer has them."""
        yield from self.texts
        for number in self.numbers:
            for width in (2, 4):
                if _fits(number, width):
                    yield number.to_bytes(width, "big", signed=number < 0)


_WORDS = (str, bytes, int)
_COMPARING = (ast.Compare, ast.Call, ast.MatchValue, ast.Match)


def _constants(node: ast.AST) -> Iterator[object]:
    """Yield the constants directly below a node, those of a tuple, list, set or sign too."""
    if isinstance(node, ast.Expr):
        return  # a docstring
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant):
            yield child.value
        elif isinstance(child, ast.UnaryOp | ast.BinOp | ast.Tuple | ast.List | ast.Set):
            try:
                value = ast.literal_eval(child)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
            yield from value if isinstance(value, list | tuple | set) else (value,)


def _text(constant: object) -> bytes:
    if isinstance(constant, str):
        constant = constant.encode("utf-8", "surrogatepass")
    return constant if isinstance(constant, bytes) and len(constant) <= _LONGEST else b""


def _fits(number: int, width: int) -> bool:
    return -(1 << 8 * width - 1) <= number < 1 << 8 * width


def vocabulary_splices(reading: Decoded[Any], vocabulary: Vocabulary) -> Iterator[Splice]:
    """Yield the splices that put a word in the place of a field, in front of it or behind it, and
    those that bring an array to a number of entries.
    """
    for node in list(_nodes(reading.fields))[:_NODES]:
        if node.type == "string":
            yield from _of_text(reading.data, node, node.value, vocabulary.texts)
        elif node.type == "bytes":
            yield from _of_text(reading.data, node, node.value, tuple(vocabulary.tokens()))
        elif node.type.startswith("[]"):
            yield from _of_array(reading.data, node, vocabulary.numbers)
        elif node.type in _INTEGERS:
            yield from _of_number(node, vocabulary.numbers)
    size = len(reading.data)
    for word in vocabulary.tokens():
        yield Splice(size, size, word, f"{word[:8]!r} behind")


def _nodes(nodes: Iterable[FieldNode]) -> Iterator[FieldNode]:
    for node in nodes:
        if node.complete:
            yield node
            yield from _nodes(node.children)


def _of_text(
    data: bytes, node: FieldNode, value: str | bytes | None, words: tuple[bytes, ...]
) -> Iterator[Splice]:
    old = value.encode("utf-8", "replace") if isinstance(value, str) else value or b""
    width = node.end - node.start - len(old)
    if width not in (1, 2, 4) or data[node.start + width : node.end] != old:
        return  # a text whose bytes are no UTF-8
    is_fixed = width == (2 if node.type == "string" else 4)
    for word in words:
        for content in dict.fromkeys((word, word + old, old + word)):
            size = len(content)
            length = size.to_bytes(width, "big") if is_fixed else varint(size + 1)
            yield Splice(node.start, node.end, length + content, f"{node.path} with {word[:8]!r}")


def _of_number(node: FieldNode, numbers: tuple[int, ...]) -> Iterator[Splice]:
    width = _INTEGERS[node.type]
    for number in numbers:
        if _fits(number, width):
            new = number.to_bytes(width, "big", signed=number < 0)
            yield Splice(node.start, node.end, new, f"{node.path} is {number}")


def _of_array(data: bytes, node: FieldNode, numbers: tuple[int, ...]) -> Iterator[Splice]:
    if not node.children:
        return
    entries = [data[child.start : child.end] for child in node.children]
    begins, end, count = node.children[0].start, node.children[-1].end, len(entries)
    for number in numbers:
        if begins - node.start == 4 and number != count and 0 <= number <= count + _MOST_ENTRIES:
            copies = entries[-1:] * (number - count)
            for more in (copies, list(map(_numbered, copies, range(1, 128)))):
                new = number.to_bytes(4, "big") + b"".join(entries[:number] + more)
                yield Splice(node.start, end, new, f"{number} of {node.path}")


def _numbered(entry: bytes, number: int) -> bytes:
    """Return an entry that differs in its last byte: of a text or a number it is part of the
    value.
    """
    return entry[:-1] + bytes([(entry[-1] + number) & 0x7F])
