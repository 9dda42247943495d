"""Find which module writes which field of the objects that the parts of the core share.

A write is an assignment to an attribute of anything but `self`, a deletion, or a call of a mutating method on
such an attribute: `request.deadline = …`, `conn.pending[x] = …`, `link.asked.pop(x)`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import bridge.core.routing

ROUTING = Path(bridge.core.routing.__file__).parent
MUTATORS = frozenset(
    {"add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "setdefault", "update"}
)


def writers() -> dict[str, set[str]]:
    """Return for each field the modules that write it on an object other than `self`."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(ROUTING.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for field in _written(node):
                found[field].add(path.stem)
    return dict(found)


def _written(node: ast.AST) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = [part for target in node.targets for part in _parts(target)]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATORS:
        targets = [node.func.value]
    for target in targets:
        field = target.value if isinstance(target, ast.Subscript) else target
        if isinstance(field, ast.Attribute) and not _is_own(field):
            yield field.attr


def _parts(target: ast.expr) -> list[ast.expr]:
    return [*target.elts] if isinstance(target, ast.Tuple) else [target]


def _is_own(field: ast.Attribute) -> bool:
    return isinstance(field.value, ast.Name) and field.value.id == "self"
