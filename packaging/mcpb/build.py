"""Packs the bundle for Claude Desktop, the same bytes each time: `make mcpb`, into dist/.

python packaging/mcpb/build.py [FOLDER]      FOLDER: where to put it (default: dist)
"""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILES = ("package.json", "server/index.js")
_THEN = (2026, 1, 1, 0, 0, 0)  # a date for everything: what is in it decides, not when it was made
_ICON = 512  # pixels


def main(words: list[str]) -> int:
    folder = Path(words[0]) if words else ROOT / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    print(build(folder))
    return 0


def build(folder: Path) -> Path:
    manifest = json.loads((HERE / "manifest.json").read_text("utf-8"))
    manifest["version"] = version()
    contents = {name: (HERE / name).read_bytes() for name in FILES}
    contents["LICENSE"] = (ROOT / "LICENSE").read_bytes()
    icon = picture()
    if icon:
        contents["icon.png"] = icon
    else:
        del manifest["icon"]
    contents["manifest.json"] = json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n"
    target = folder / f"deskbell-{manifest['version']}.mcpb"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, _THEN)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            bundle.writestr(entry, contents[name])
    return target


def version() -> str:
    (said,) = re.findall(
        r'^__version__ = "(.+)"', (ROOT / "bridge" / "__init__.py").read_text(), re.MULTILINE
    )
    return str(said)


def picture() -> bytes:
    """The bell as PNG; nothing where there is no Qt to draw it."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from PySide6.QtCore import QBuffer
        from PySide6.QtGui import QGuiApplication, QIcon
    except ImportError:
        return b""
    app = QGuiApplication.instance() or QGuiApplication([])
    image = QIcon(str(ROOT / "resources" / "icons" / "deskbell.svg")).pixmap(_ICON, _ICON).toImage()
    kept = QBuffer()
    kept.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(kept, "PNG")
    del app
    return bytes(kept.data().data())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
