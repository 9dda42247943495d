"""Makes resources/icons/symbols.svg and logos.svg from the npm packages lucide-static and simple-icons.

    npm pack lucide-static simple-icons      # then unpack both, into one folder each
    python packaging/pictures/make_icons.py LUCIDE_FOLDER SIMPLE_ICONS_FOLDER

A symbol's name is its name in the package. Lucide is ISC licensed, Simple Icons CC0; both
licences stand beside the files.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "icons"
SYMBOLS = (
    "alarm-clock app-window arrow-left arrow-right at-sign ban bell bell-off bell-ring blocks book-open "
    "bot braces brain calendar check chevron-down chevron-left chevron-right chevron-up circle-alert "
    "circle-check circle-question-mark circle-user-round circle-x clock copy download ellipsis "
    "ellipsis-vertical external-link eye eye-off file-text filter folder-open globe hand history "
    "hourglass house image inbox info key-round keyboard languages life-buoy link list lock log-in "
    "log-out mail message-circle-question-mark messages-square monitor moon octagon-alert palette "
    "paperclip pause pencil pin play plug plus power refresh-cw rotate-cw search send server settings "
    "shield-alert shield-check sliders-horizontal sparkles square star sun terminal timer trash-2 "
    "triangle-alert undo-2 unplug upload users-round volume-2 volume-x wrench x zap"
)
LOGOS = {  # the id of an AI app → its name in Simple Icons
    "bluesky": "bluesky",
    "claude-code": "claudecode",
    "claude-desktop": "claude",
    "cline": "cline",
    "cursor": "cursor",
    "gemini": "googlegemini",
    "jetbrains": "jetbrains",
    "junie": "jetbrains",
    "kimi": "kimi",
    "lm-studio": "lmstudio",
    "opencode": "opencode",
    "qwen": "qwen",
    "trae": "trae",
    "warp": "warp",
    "windsurf": "windsurf",
    "zed": "zedindustries",
}


def _inside(svg: str) -> str:
    """The elements of an SVG file, without comments, title and the breaks between them."""
    inner = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    return re.sub(r"\s*\n\s*", "", re.sub(r"<title>.*?</title>", "", inner))


def _sprite(symbols: dict[str, str], about: str) -> str:
    lines = [
        f'<symbol id="{name}" viewBox="0 0 24 24"{attributes}</symbol>'
        for name, attributes in symbols.items()
    ]
    return "\n".join([f"<!-- {about} -->", '<svg xmlns="http://www.w3.org/2000/svg">', *lines, "</svg>", ""])


def main(lucide: Path, simple: Path) -> None:
    symbols = {
        name: ">" + _inside((lucide / "icons" / f"{name}.svg").read_text())
        for name in sorted(SYMBOLS.split())
    }
    about = "Lucide (https://lucide.dev), ISC licence: lucide-licence.txt"
    (FOLDER / "symbols.svg").write_text(_sprite(symbols, about))
    colours = {one["slug"]: one["hex"] for one in _entries(simple) if "slug" in one}
    logos = {}
    for name, slug in LOGOS.items():
        inner = _inside((simple / "icons" / f"{slug}.svg").read_text())
        logos[name] = f' fill="#{colours.get(slug, "000000").lower()}">{inner}'
    about = (
        "Simple Icons (https://simpleicons.org), CC0 1.0: simple-icons-licence.txt. Marks are their owners'."
    )
    (FOLDER / "logos.svg").write_text(_sprite(logos, about))
    shutil.copy(lucide / "LICENSE", FOLDER / "lucide-licence.txt")
    shutil.copy(simple / "LICENSE.md", FOLDER / "simple-icons-licence.txt")


def _entries(simple: Path) -> list[dict[str, str]]:
    found = json.loads(next(simple.glob("**/simple-icons.json")).read_text())
    return list(found["icons"] if isinstance(found, dict) else found)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
