"""Take the pictures of all windows for the docs: `make pictures`. They go into docs/pictures/.

Windows with sample content (tests/desktop/scenes.py) are shown on a private desktop, cut out and made small.
README, documentation and AppStream metainfo use these files. The picture of the README, `answering`, is of a
real Deskbell and a terminal that waits for its answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pictures import answering
from release import ROOT

PICTURES = ROOT / "docs" / "pictures"
SCENES: Mapping[str, str] = {  # picture → window of tests/desktop/scenes.py
    "card": "calm-card",
    "question": "deploy",
    "form": "issue",
    "link": "link",
    "secret": "secret",
    "approval": "confirm",
    "model-request": "sampling",
    "welcome": "welcome",
    "welcome-apps": "calm-welcome-apps",
    "home": "calm-home",
    "questions": "calm-questions",
    "activity": "calm-activity",
    "apps": "calm-hosts",
    "servers": "calm-servers",
    "add-server": "add",
    "try-a-tool": "try-answered",
    "approvals": "approvals",
    "models": "models",
    "accounts": "accounts",
    "settings": "preferences",
}
ANSWERING = "answering"  # light and dark
ROUND = "card"  # its corners are black: the private desktop has no compositor
_COLOURS = "96"  # of a picture; enough for windows, a tenth of the size
_SCREEN = "1600x1200"
_SETTLE = "2"  # seconds until a page is complete
_GALLERY = """
import sys, time
time.time = lambda: 1_790_000_000.0  # so that pictures taken at another time of day are the same
from tests.desktop import gallery
sys.exit(gallery.main())
"""


def take(names: Sequence[str]) -> None:
    """Show each window and save its picture."""
    from tests.rigs.desktop import desktop

    with tempfile.TemporaryDirectory() as made, desktop(tray="none", notify=False, size=_SCREEN) as screen:
        command = (sys.executable, "-c", _GALLERY, *(SCENES[name] for name in names))
        subprocess.run(
            (*command, "--into", made, "--scheme", "Light", "--settle", _SETTLE),
            cwd=ROOT,
            env=screen.env,
            check=True,
            timeout=600,
        )
        places = json.loads(Path(made, "places.json").read_text())
        for name in names:
            _cut(Path(made, f"{SCENES[name]}.png"), places[SCENES[name]], PICTURES / f"{name}.png")


def _cut(shot: Path, place: Sequence[int], picture: Path) -> None:
    left, top, width, height = place
    changes = ["-crop", f"{width}x{height}+{max(left, 0)}+{max(top, 0)}", "+repage"]
    if picture.stem == ROUND:
        corners = [f"color {x},{y} floodfill" for x in (0, width - 1) for y in (0, height - 1)]
        changes += ["-fill", "white", *(word for corner in corners for word in ("-draw", corner))]
    save_small(shot, picture, *changes)


def save_small(shot: Path, picture: Path, *changes: str) -> None:
    """Save a picture with few colours and without a date, which would make each file new."""
    small = ("-dither", "None", "-colors", _COLOURS, "-strip", "-define", "png:exclude-chunks=date,time")
    command = ("convert", str(shot), *changes, *small, "-define", "png:compression-level=9")
    subprocess.run((*command, f"PNG8:{picture}"), check=True, timeout=60)


def main(names: list[str]) -> int:
    wanted = names or [*SCENES, ANSWERING]
    PICTURES.mkdir(parents=True, exist_ok=True)
    if windows := [name for name in wanted if name in SCENES]:
        take(windows)
    if ANSWERING in wanted:
        for scheme, suffix in (("Light", ""), ("Dark", "-dark")):
            with tempfile.TemporaryDirectory() as folder:
                shot, changes = answering.take(Path(folder), scheme)
                save_small(shot, PICTURES / f"{ANSWERING}{suffix}.png", *changes)
    files = list(PICTURES.glob("*.png"))
    print(f"{len(files)} pictures in docs/pictures, {sum(one.stat().st_size for one in files) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
