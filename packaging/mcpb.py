"""Packs the bundle for Claude Desktop, the same bytes each time: `make mcpb`, into dist/.

python packaging/mcpb.py [FOLDER]      FOLDER: where to put it (default: dist)
"""

from __future__ import annotations

import sys
from pathlib import Path

from bridge.hosts import mcpb_bundle
from pictures.draw_icon import draw_icon
from release import DIST, ROOT

_ICON = 512  # pixels


def main(words: list[str]) -> int:
    folder = Path(words[0]) if words else DIST
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / mcpb_bundle.NAME
    mcpb_bundle.save(target, draw_icon(ROOT / "resources" / "icons" / "deskbell.svg", _ICON))
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
