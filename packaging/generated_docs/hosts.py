"""The README's table of AI apps, made from the matrix that docs/hosts.md keeps of real programs."""

from __future__ import annotations

import re

from bridge.hosts.recipes import RECIPES
from release import ROOT

_MATRIX = re.compile(r"<!-- matrix -->\n(.*?)<!-- end of matrix -->", re.DOTALL)
_COLUMNS = {  # table and column of the matrix, of all kinds of questions together → heading here
    ("application", "2 s"): "answered at once",
    ("application", "90 s"): "after 90 seconds",
    ("application", "10 min"): "after 10 minutes",
    ("it refuses", "2 s"): "app refuses without showing it",
}
_NAMES = {
    "copilot": "Copilot CLI",
    "cline": "Cline CLI",
    "openai-agents": "OpenAI Agents SDK",
    "pydantic-ai": "Pydantic AI",
}


def table() -> str:
    """Return a row for each program that was run, and a sentence on those that were not."""
    page = (ROOT / "docs" / "hosts.md").read_text("utf-8")
    found = _MATRIX.search(page)
    if found is None:
        raise LookupError("docs/hosts.md has no matrix")
    fields = _fields(found[1])
    if missing := [column for column in _COLUMNS if column not in fields]:
        raise LookupError(f"the matrix of docs/hosts.md has no column {' '.join(missing[0])}")
    columns = [fields[column] for column in _COLUMNS]
    lines = ["| AI app | " + " | ".join(_COLUMNS.values()) + " |", "|---" * (len(_COLUMNS) + 1) + "|"]
    lines += [
        f"| {_name(app)} | " + " | ".join(column[app] for column in columns) + " |" for app in columns[0]
    ]
    return "\n".join((*lines, "", _others({app.split()[0] for app in columns[0]})))


def _fields(matrix: str) -> dict[tuple[str, str], dict[str, str]]:
    """Return the fields by table and column, and by application."""
    fields: dict[tuple[str, str], dict[str, str]] = {}
    for part in matrix.split("\n\n"):
        head, _, *rows = map(_cells, part.splitlines()) if part.startswith("|") else ([], [])
        for place, column in enumerate(head[1:], 1):
            fields[head[0], column] = {row[0]: row[place] for row in rows}
    return fields


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _name(cell: str) -> str:
    """Return the name that people know the program by, and its version."""
    name, _, version = cell.partition(" ")
    known = {recipe.id: recipe.name for recipe in RECIPES}
    return f"{_NAMES.get(name) or known.get(name, name)} {version}".strip()


def _others(seen: set[str]) -> str:
    ran = {_name(one).strip() for one in seen}
    names = [recipe.name for recipe in RECIPES if recipe.name not in ran]
    intro = "One switch also connects these apps, as their documentation describes; they were not run here:"
    return f"{intro} {', '.join(names)}."
