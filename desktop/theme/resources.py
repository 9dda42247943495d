"""Where resource files are."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def _folder() -> Path:
    package = Path(__file__).resolve().parent.parent
    here = package / "resources"
    return here if here.is_dir() else package.parent / "resources"


def resource(name: str) -> str:
    """Return the path of a resource file: beside the package when installed, above it in a source tree."""
    return str(_folder() / name)
