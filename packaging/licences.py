"""The licence texts of what a bundle holds beside Python packages, whose own metadata has theirs.

About Deskbell shows both (desktop/licences.py). Qt's are in resources/licences; Python's and those of the
build machine's libraries are found here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from bundle_contents import Entry, is_system_library
from bundled import python_licence, system_packages
from release import NotBuilt

_FOLDER = "desktop/resources/licences"  # in the bundle


def licence_files(binaries: Iterable[Entry]) -> list[Entry]:
    """Return rows for PyInstaller: the texts for Python and for the system's libraries among the binaries."""
    own = python_licence()
    if own is None:
        raise NotBuilt(f"{sys.base_prefix} has no LICENSE.txt of Python")
    texts = {"Python": own}
    if sys.platform.startswith("linux"):
        libraries = [
            Path(source) for target, source, _ in binaries if is_system_library(Path(target), source)
        ]
        texts |= {name: text for name, _, text in system_packages(libraries)}
    return [(f"{_FOLDER}/{name}.txt", str(text), "DATA") for name, text in texts.items()]
