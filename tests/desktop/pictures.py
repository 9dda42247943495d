"""Digests of every window in every look, so that no picture changes unnoticed.

A digest has two parts: of the layout (each visible widget with its place, words and state; names of classes
and objects do not count) and of the colours of the theme that are seen. A light window has a third part, a
sketch: its grey tones in cells of 16 pixels, for what is painted inside a widget. All are the same on every
Linux machine with the same Qt: the only font is blocks.ttf, whose every letter is a block of one width, the
clock stands still, and a tone may differ by one. pictures.txt has the digests and the version of Qt;
`python -m tests.desktop.pictures` writes it anew, and what has changed into build/pictures, as pictures and
as text: look at it before you commit. The gallery (gallery.py) takes the same windows with real fonts.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

ROOT = Path(__file__).resolve().parents[2]
FONT = Path(__file__).with_name("blocks.ttf")
KNOWN = Path(__file__).with_name("pictures.txt")
PICTURES = ROOT / "build" / "pictures"
NOW = 1_790_000_000.0  # Unix time at which everything is drawn
_STEP = 3  # of so many pixels one is counted
_SWAYS = ("QT_", "LC_", "LANG", "XDG_CURRENT_DESKTOP")  # variables by which a machine's windows differ
_NAMES = "  # "  # before what of a line does not count: names of our class and of the object
_FEW = 60  # counted pixels of a colour that are left out: edges of curves
_ROUND, _ROUNDS = 0.01, 2  # seconds; rounds without a change after which a window is taken as it is
_LEFT_OUT = ("export", "about", "huge")  # the system's own dialog; versions; 10,000 options, row by row
_MOVING = ("signing", "try-running")  # a bar moves in them: the layout alone counts
_SKETCHED = "light"  # the look whose windows have a sketch
_CELL, _TONES, _NEAR = 16, 32, 1  # pixels; grey tones; by so many may a tone differ


class Look(NamedTuple):
    width: int = 1280
    height: int = 800
    scale: int = 1
    dark: bool = False
    language: str = "en"
    rtl: bool = False


LOOKS = {
    "light": Look(),
    "dark": Look(dark=True),
    "200 %": Look(scale=2),
    "1024x600": Look(1024, 600),
    "German": Look(language="de"),
    "Japanese": Look(language="ja"),
    "right to left": Look(rtl=True),
}


def digests(look: str) -> dict[str, str]:
    """Draw every window in this look, in a process of its own; return scene → digest."""
    with tempfile.TemporaryDirectory() as made:
        config = Path(made)
        fonts = f"<fontconfig><dir>{FONT.parent}</dir><cachedir>{config}</cachedir></fontconfig>"
        (config / "fonts.conf").write_text(fonts)
        kind = LOOKS[look]
        size = {"width": kind.width * kind.scale, "height": kind.height * kind.scale}
        screen = {"name": "one", "x": 0, "y": 0, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1, **size}
        (config / "screen.json").write_text(json.dumps({"screens": [screen]}))
        env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(_SWAYS)},
            "FONTCONFIG_FILE": str(config / "fonts.conf"),
            "QT_QPA_PLATFORM": f"offscreen:configfile={config / 'screen.json'}",
            "QT_SCALE_FACTOR": str(kind.scale),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "PYTHONHASHSEED": "0",
        }
        command = [sys.executable, "-m", "tests.desktop.pictures", "--draw", look]
        drawn = subprocess.run(command, env=env, cwd=ROOT, check=True, capture_output=True, timeout=900)
    found: dict[str, str] = json.loads(drawn.stdout)
    return found


def known() -> dict[str, dict[str, str]]:
    """Return look → scene → digest, as they were when somebody last looked at the pictures."""
    read: dict[str, dict[str, str]] = {}
    for line in KNOWN.read_text().splitlines()[1:]:
        look, scene, digest = line.split("\t")
        read.setdefault(look, {})[scene] = digest
    return read


def differs(old: str, new: str) -> list[str]:
    """Return what differs between two digests of a window."""
    olds, news = [*old.split(), "-", "-", "-"][:3], [*new.split(), "-", "-", "-"][:3]
    found = [what for what, a, b in zip(("layout", "colours"), olds, news, strict=False) if a != b]
    return found or (["painting"] if not _near(olds[2], news[2]) else [])


def _near(old: str, new: str) -> bool:
    if "-" in (old, new):
        return old == new
    (size, tones), (other, others) = map(_read_sketch, (old, new))
    return size == other and all(abs(a - b) <= _NEAR for a, b in zip(tones, others, strict=True))


def _read_sketch(text: str) -> tuple[str, bytes]:
    size, _, packed = text.partition(":")
    return size, zlib.decompress(base64.b64decode(packed))


def folder(look: str) -> str:
    return look.replace(" ", "-")


def why_not_here() -> str:
    """Return why the known pictures cannot be compared on this machine; "" if they can."""
    from PySide6 import __version__ as qt

    drawn_by = KNOWN.read_text().partition("\n")[0]
    if sys.platform != "linux":
        return "the only font of the pictures is set by fontconfig, which Linux has"
    return "" if drawn_by == f"Qt {qt}" else f"the pictures were drawn by {drawn_by}, and this is Qt {qt}"


# --- in the process that draws -------------------------------------------------------------------------


def _draw(look: str) -> dict[str, str]:
    import time

    time.time = lambda: NOW  # before the samples are made
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QFont
    from PySide6.QtWidgets import QApplication

    from desktop.language import install_translators
    from desktop.lazy import time_slices
    from desktop.pages.servers import try_tool
    from desktop.questions import fields
    from desktop.theme import motion
    from desktop.theme.appearance import install, set_palette
    from tests.desktop import scenes

    app, kind = QApplication(["pictures"]), LOOKS[look]
    app.setQuitOnLastWindowClosed(False)
    app.setCursorFlashTime(0)
    install_translators(app, kind.language)
    if kind.rtl:
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    app.setFont(QFont("Deskbell Blocks", 10))
    install(app)
    set_palette(kind.dark)
    motion.set_reduced(True)
    time_slices.SLICE = float("inf")
    try_tool.MEASURING = 60_000  # a result stays in sight, however slowly the texts above it are laid out
    fields.LATER = 0  # all rows of a form: those out of sight come a moment later
    place = PICTURES / folder(look)
    place.mkdir(parents=True, exist_ok=True)
    before = known().get(look, {})
    found = {}
    for name in scenes.SCENES:
        if name not in _LEFT_OUT:
            window = scenes.SCENES[name]()
            found[name] = _digest(name, window, place, before, sketched=look == _SKETCHED)
            scenes.put_away()
    return found


def _digest(name: str, window: QWidget, place: Path, before: dict[str, str], *, sketched: bool) -> str:
    from desktop.pages.activity.last_entries import LastEntries
    from desktop.widgets.labels import Label
    from tests.desktop import scenes

    shown = [one for one in window.findChildren(LastEntries) if one.isVisible()]
    scenes.wait(lambda: all(one.findChildren(Label, "entry") for one in shown))
    layout = _settled(window)
    image = window.grab().toImage()
    colours = "" if name in _MOVING else " ".join(_colours(image))
    seen = "\n".join(line.rpartition(_NAMES)[0] for line in layout.splitlines())
    digest = f"{_short(seen)} {_short(colours)}"
    if sketched and name not in _MOVING:
        digest += f" {_sketch(image)}"
    if differs(before.get(name, ""), digest):
        image.save(str(place / f"{name}.png"))
        (place / f"{name}.txt").write_text(f"{layout}\n{colours}\n")
    return digest


def _settled(window: QWidget) -> str:
    """Return the layout once it stays as it is: rows are built a moment after the window is shown."""
    import time

    from PySide6.QtCore import QCoreApplication

    from tests.desktop import scenes

    before, layout, rounds = "", "", 0
    while rounds < _ROUNDS:
        end = time.monotonic() + _ROUND
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents()
            time.sleep(0.002)
        scenes.settle()
        before, layout = layout, "\n".join(_described(window, window))
        rounds = rounds + 1 if layout == before else 0
    return layout


def _described(window: QWidget, widget: QWidget) -> list[str]:
    """Return a line for each visible widget: what it is, where, what it says, and its state."""
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QAbstractButton, QWidget

    at, size = widget.mapTo(window, QPoint(0, 0)), widget.size()
    says = [getattr(widget, name, None) for name in ("text", "toPlainText", "currentText")]
    texts = [said() for said in says if callable(said)]
    states = [widget.isEnabled(), widget.hasFocus()]
    if isinstance(widget, QAbstractButton):
        states += [widget.isChecked(), widget.icon().isNull()]
    place = (at.x(), at.y(), size.width(), size.height())
    kind = next(one.__name__ for one in type(widget).__mro__ if one.__module__.startswith("PySide6"))
    ours = f"{_NAMES}{type(widget).__name__} {widget.objectName()}"
    lines = [f"{kind} {place} {texts} {states}".replace("\n", " ") + ours]
    for child in widget.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            lines += _described(window, child)
    return lines


def _colours(image: QImage) -> list[str]:
    """Return the roles of the theme's colours that fill more than a few pixels, sorted. Blended colours are
    left out: they may differ by one from processor to processor."""
    from dataclasses import fields

    from PySide6.QtGui import QColor, QImage

    from desktop.theme.colours import current

    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels: Any = memoryview(plain.constBits()).cast("I")
    counts = Counter(pixels[::_STEP].tolist())
    theme = current()
    roles = {one.name: getattr(theme, one.name) for one in fields(theme)}
    return sorted(
        name for name, colour in roles.items() if isinstance(colour, QColor) and counts[colour.rgb()] > _FEW
    )


def _sketch(image: QImage) -> str:
    """Return the size of the picture, and the grey tone of each of its cells."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    wide, high = image.width() // _CELL, image.height() // _CELL
    whole, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    plain = image.convertToFormat(QImage.Format.Format_RGB32).scaled(wide, high, whole, smooth)
    grey = plain.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels: Any = grey.constBits()
    step, whole_bytes = grey.bytesPerLine(), bytes(pixels)
    rows = (whole_bytes[row * step : row * step + wide] for row in range(high))
    tones = bytes(tone * _TONES // 256 for row in rows for tone in row)
    return f"{wide}x{high}:{base64.b64encode(zlib.compress(tones, 9)).decode()}"


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:10]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draw", choices=LOOKS)
    given = parser.parse_args()
    if given.draw:
        print(json.dumps(_draw(given.draw)))
        return 0
    lines = [f"{look}\t{scene}\t{digest}" for look in LOOKS for scene, digest in digests(look).items()]
    from PySide6 import __version__ as qt

    KNOWN.write_text("\n".join([f"Qt {qt}", *lines]) + "\n")
    print(f"{len(lines)} pictures are in {PICTURES}, their digests in {KNOWN.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
