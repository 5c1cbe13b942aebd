"""One change at a time in a codec's source: each comparison, constant, width, sign and order.

`changed(source)` yields each change with the module that it leads to, as a syntax tree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_CODE = re.compile(r"([<>]?)([bhiq])", re.IGNORECASE)
_OTHER_WIDTHS = {"b": "h", "h": "bi", "i": "hq", "q": "i"}
_WIDTHS = {
    "int16": ("int32",), "int32": ("int16",), "put_int16": ("put_int32",),
    "put_int32": ("put_int16",), "size16": ("int32",), "INT32": ("INT16", "UINT32", "INT64"),
    "_unpack_int16": ("_unpack_int32",), "_unpack_int32": ("_unpack_int16",),
    "_pack_int16": ("_pack_int32",), "_pack_int32": ("_pack_int16",),
}  # fmt: skip
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)


class Change(NamedTuple):
    """What is changed: the kind, the function that holds it, and the code as it was and is."""

    kind: str
    function: str
    old: str
    new: str


_Way = tuple[str, ast.AST]


def changed(source: str, is_wanted: Callable[[str], bool]) -> Iterator[tuple[Change, ast.Module]]:
    """Yield every change of the functions and assignments of a module whose names are wanted."""
    module = ast.parse(source)
    for function, top in _functions(module):
        if is_wanted(function):
            yield from _changes_in(module, function, top)


def _functions(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name, statement
        elif isinstance(statement, ast.ClassDef):
            for part in statement.body:
                if isinstance(part, ast.FunctionDef):
                    yield f"{statement.name}.{part.name}", part
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            yield ast.unparse(target), statement


def _changes_in(
    module: ast.Module, function: str, top: ast.AST
) -> Iterator[tuple[Change, ast.Module]]:
    left_out = _left_out(top)
    for node in ast.walk(top):
        if node in left_out:
            continue
        for kind, new in _ways(node):
            ast.fix_missing_locations(ast.copy_location(new, node))
            old, text = _differing(ast.unparse(node), ast.unparse(new))
            if old != text:
                copy = deepcopy(module, {id(node): new})
                yield Change(kind, function, old, text), ast.fix_missing_locations(copy)


def _differing(old: str, new: str) -> tuple[str, str]:
    """Return the lines of both texts without the first and last ones that are the same in both."""
    lines, others = old.split("\n"), new.split("\n")
    while lines and others and lines[0] == others[0]:
        del lines[0], others[0]
    while lines and others and lines[-1] == others[-1]:
        del lines[-1], others[-1]
    return _one_line(lines), _one_line(others)


def _one_line(lines: list[str]) -> str:
    return "; ".join(line.strip() for line in lines)


def _left_out(top: ast.AST) -> set[ast.AST]:
    """The nodes that have no part in reading and writing: docstrings, types, texts of errors."""
    roots: list[ast.AST] = []
    for node in ast.walk(top):
        if isinstance(node, ast.FunctionDef):
            roots += [*node.decorator_list, node.args, *filter(None, [node.returns])]
            roots += node.body[:1] if ast.get_docstring(node) is not None else []
        elif isinstance(node, ast.AnnAssign):
            roots.append(node.annotation)
        elif isinstance(node, ast.Raise):
            roots.append(node)
    return {part for root in roots for part in ast.walk(root)}


def _ways(node: ast.AST) -> Iterator[_Way]:
    ways = _WAYS.get(type(node))
    return iter(()) if ways is None else ways(node)


def _comparisons(node: ast.Compare) -> Iterator[_Way]:
    for at, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
            yield "comparison", ast.Compare(node.left, ops, node.comparators)


def _junctions(node: ast.BoolOp) -> Iterator[_Way]:
    operator = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "comparison", ast.BoolOp(operator, node.values)


def _branches(node: ast.IfExp) -> Iterator[_Way]:
    yield "comparison", ast.IfExp(node.test, node.orelse, node.body)


def _operations(node: ast.BinOp) -> Iterator[_Way]:
    if type(node.op) in _OPERATORS:
        yield "sign", ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
    if isinstance(node.op, ast.Add) and isinstance(node.left, ast.Call):
        yield "order", ast.BinOp(node.right, node.op, node.left)


def _negations(node: ast.UnaryOp) -> Iterator[_Way]:
    if isinstance(node.op, ast.USub):
        yield "sign", node.operand


def _names(node: ast.Name) -> Iterator[_Way]:
    for name in _WIDTHS.get(node.id, ()):
        yield "width", ast.Name(name, node.ctx)
    if node.id in ("min", "max"):
        yield "comparison", ast.Name({"min": "max", "max": "min"}[node.id], node.ctx)


def _attributes(node: ast.Attribute) -> Iterator[_Way]:
    for name in _WIDTHS.get(node.attr, ()):
        yield "width", ast.Attribute(node.value, name, node.ctx)


def _pairs(node: ast.Tuple | ast.List) -> Iterator[_Way]:
    if len(node.elts) == 2:
        yield "order", type(node)(node.elts[::-1], node.ctx)


def _constants(node: ast.Constant) -> Iterator[_Way]:
    value = node.value
    if type(value) is int:
        for number in (value + 1, value - 1):
            yield "constant", ast.Constant(number)
        if value:
            yield "sign", ast.Constant(-value)
    elif isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, bytes) and value:
        yield "constant", ast.Constant(bytes(byte ^ 0xFF for byte in value))
    elif isinstance(value, str) and (code := _CODE.fullmatch(value)):
        ends, letter = code.groups()
        for width in _OTHER_WIDTHS[letter.lower()]:
            yield "width", ast.Constant(ends + width)
        yield "sign", ast.Constant(ends + letter.swapcase())
        if ends:
            yield "order", ast.Constant({">": "<", "<": ">"}[ends] + letter)
    elif value == ">":
        yield "order", ast.Constant("<")


def _orders(node: ast.FunctionDef | ast.If) -> Iterator[_Way]:
    """Yield the block with two neighbours exchanged, and with one statement left out."""
    documented = isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None
    for at, statement in enumerate(node.body):
        if documented and at == 0:
            continue
        follower = node.body[at + 1] if at + 1 < len(node.body) else None
        if isinstance(statement, _SIMPLE) and isinstance(follower, _SIMPLE):
            yield "order", _with_body(node, [*node.body[:at], follower, statement], at + 2)
        if isinstance(statement, ast.AugAssign | ast.If) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        ):
            yield "order", _with_body(node, [*node.body[:at], ast.Pass()], at + 1)


def _with_body(
    node: ast.FunctionDef | ast.If, front: list[ast.stmt], end: int
) -> ast.FunctionDef | ast.If:
    copy = type(node)(**dict(ast.iter_fields(node)))
    copy.body = [*front, *node.body[end:]]
    return copy


_WAYS: dict[type[ast.AST], Callable[[Any], Iterator[_Way]]] = {
    ast.Compare: _comparisons, ast.BoolOp: _junctions, ast.IfExp: _branches,
    ast.BinOp: _operations, ast.UnaryOp: _negations, ast.Name: _names,
    ast.Attribute: _attributes, ast.Tuple: _pairs, ast.List: _pairs, ast.Constant: _constants,
    ast.FunctionDef: _orders, ast.If: _orders,
}  # fmt: skip
