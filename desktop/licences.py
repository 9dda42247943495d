"""The licences of everything that this Deskbell is made of, as one text: from the metadata of the installed
Python packages, and from resources/licences."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from desktop.theme.resources import resource

_LINE = "=" * 80


def all_licences() -> str:
    """Return a list of names and licences, then the texts. Reads many files: not for the GUI thread."""
    found = {one.name.lower(): one for one in distributions() if one.name}
    packages = [found[name] for name in sorted(found)]
    names = "\n".join(f"{one.name} {one.version}: {_named(one)}" for one in packages)
    texts = [*(part for one in packages for part in _texts(one)), *_others()]
    return "\n\n".join((names, *(f"{_LINE}\n{title}\n{_LINE}\n\n{text}" for title, text in texts)))


def _named(one: Distribution) -> str:
    about = one.metadata
    classes = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if "License ::" in line
    ]
    expression, text = (about.get_all(key) or [""] for key in ("License-Expression", "License"))
    return (expression[0] or ", ".join(classes) or text[0] or "?").strip().split("\n")[0][:100]


def _texts(one: Distribution) -> Iterator[tuple[str, str]]:
    for file in one.files or ():
        if ".dist-info" in str(file) and file.name.upper().startswith(
            ("LICEN", "COPYING", "NOTICE", "AUTHORS")
        ):
            path = Path(str(file.locate()))
            if path.is_file():
                yield f"{one.name}: {file.name}", path.read_text("utf-8", "replace").strip()


def _others() -> Iterator[tuple[str, str]]:
    for path in sorted(Path(resource("licences")).glob("*.txt")):
        yield path.stem, path.read_text("utf-8", "replace").strip()
