"""The README's table of AI apps, made from the matrix that docs/hosts.md keeps of real programs."""

from __future__ import annotations

import re

from bridge.hosts.recipes import RECIPES
from release import ROOT

_MATRIX = re.compile(r"<!-- matrix -->\n(.*?)<!-- end of matrix -->", re.DOTALL)
_COLUMNS = {  # heading of the matrix, of all kinds of questions together → heading here
    "2 s": "answered at once",
    "90 s": "after 90 seconds",
    "10 min": "after 10 minutes",
    "it refuses": "the app declines unseen",
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
    head, _, *rows = (_cells(line) for line in found[1].splitlines() if line.startswith("|"))
    if missing := [column for column in _COLUMNS if column not in head]:
        raise LookupError(f"the matrix of docs/hosts.md has no column {missing[0]}")
    places = [head.index(column) for column in _COLUMNS]
    lines = ["| AI app | " + " | ".join(_COLUMNS.values()) + " |", "|---" * (len(_COLUMNS) + 1) + "|"]
    lines += [f"| {_name(row[0])} | " + " | ".join(row[place] for place in places) + " |" for row in rows]
    return "\n".join((*lines, "", _others({row[0].split()[0] for row in rows})))


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
    return f"Also connected by one switch, each as its documentation says, not run here: {', '.join(names)}."
