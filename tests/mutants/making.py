"""Make mutants of a module: one changed expression or statement each. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ELSEWHERE = ("TYPE_CHECKING", "sys.platform", "log.", "noqa: S101")  # of no effect here


@dataclass(frozen=True, slots=True)
class Mutant:
    """`old` in `file`, at this offset, becomes `new`."""

    file: str
    line: int
    at: int
    old: str
    new: str

    def apply(self, source: str) -> str:
        return source[: self.at] + self.new + source[self.at + len(self.old) :]

    @property
    def name(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}:{self.line}: {old} → {new}"

    @property
    def key(self) -> str:
        """The name without the line, which other changes move."""
        return f"{self.file}: {self.name.partition(': ')[2]}"


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Return every mutant of this module, in the order of its lines."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = []
    for node, new in _changes(ast.parse(source)):
        if any(word in lines[node.lineno - 1] for word in _ELSEWHERE):
            continue
        old = ast.get_source_segment(source, node) or ""
        column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
        found.append(Mutant(file, node.lineno, starts[node.lineno - 1] + column, old, new))
    return sorted(found, key=lambda one: (one.at, one.new))


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPPOSITE:
                yield node, f"({ast.unparse(ast.Compare(left, [_OPPOSITE[type(op)]()], [right]))})"
            case ast.BoolOp(op=op, values=values):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                yield node, f"({ast.unparse(ast.BoolOp(other, values))})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield node, f"({ast.unparse(operand)})"
            case ast.If(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp | ast.BoolOp):
                yield test, "False"
            case ast.Return(value=ast.Constant(value=bool() as value) as constant):
                yield constant, str(not value)
            case ast.Raise() | ast.Expr(value=ast.Call() | ast.Await()):
                yield node, "pass"
