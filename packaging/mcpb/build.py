"""Packs the bundle for Claude Desktop, the same bytes each time: `make mcpb`, into dist/.

python packaging/mcpb/build.py [FOLDER]      FOLDER: where to put it (default: dist)
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bridge.hosts import mcpb_bundle

ROOT = Path(__file__).resolve().parents[2]
_ICON = 512  # pixels


def main(words: list[str]) -> int:
    folder = Path(words[0]) if words else ROOT / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / mcpb_bundle.NAME
    mcpb_bundle.save(target, picture())
    print(target)
    return 0


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
