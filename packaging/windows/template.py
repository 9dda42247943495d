"""What the two recipes for Windows (nsis.py, msi.py) have in common."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from release import DIST, ROOT, NotBuilt, Release
from windows.wine import BUNDLE


def filled(template: str, one: Release, **more: str) -> str:
    """Return a file of windows/ with every @WORD@ replaced by its value in release.toml."""
    values = {
        "NAME": one.name,
        "TITLE": one.title,
        "ID": one.id,
        "VERSION": one.version,
        "SUMMARY": one.summary,
        "AUTHORS": one.authors,
        "LICENCE": one.licence,
        "HOMEPAGE": one.homepage,
        "SCHEME": one.scheme,
        **more,
    }
    text = (ROOT / "packaging" / "windows" / template).read_text("utf-8")
    return re.sub(r"@([A-Z]+)@", lambda found: values[found[1]], text)


def need_bundle(bundle: Path, one: Release) -> None:
    """Raise NotBuilt if there is no bundle for Windows."""
    if not (bundle / f"{one.name}.exe").is_file():
        raise NotBuilt(
            f"{bundle} is not there: on Windows packaging/freeze.py makes it, "
            "on Linux `PYTHONPATH=packaging python -m windows.wine`"
        )
    DIST.mkdir(exist_ok=True)


def main(build: Callable[[Path], Path]) -> None:
    try:
        print(build(Path(sys.argv[1]).resolve() if sys.argv[1:] else BUNDLE))
    except NotBuilt as failed:
        sys.exit(f"deskbell: {failed}")
