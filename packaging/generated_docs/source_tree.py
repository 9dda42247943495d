"""The folders of the source with what each is for, made from the docstrings of their packages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from release import ROOT


def tree() -> str:
    """Return one line for each package of bridge/ and desktop/."""
    lines = [_line(folder) for top in ("bridge", "desktop") for folder in _packages(ROOT / top)]
    return "\n".join(("| folder | what it is |", "|---|---|", *lines))


def _packages(top: Path) -> Iterator[Path]:
    for file in sorted(top.rglob("__init__.py")):
        yield file.parent


def _line(folder: Path) -> str:
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    first = " ".join(said.split("\n\n")[0].split()).replace("|", "\\|")
    return f"| `{folder.relative_to(ROOT)}/` | {first} |"
