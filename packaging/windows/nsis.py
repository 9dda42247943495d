"""The installer for Windows, by makensis: for one person, without administrator's rights.

PYTHONPATH=packaging python -m windows.nsis [BUNDLE]    BUNDLE: made by freeze.py on Windows, else by wine.py
"""

from __future__ import annotations

from pathlib import Path

from pictures.icon_files import write_icon
from release import BUILD, DIST, release, run
from windows.template import filled, main, need_bundle


def build(bundle: Path) -> Path:
    one = release()
    need_bundle(bundle, one)
    target, written = DIST / f"{one.title}-{one.version}-setup.exe", BUILD / "installer.nsi"
    icon = write_icon(BUILD / f"{one.name}.ico")
    text = filled("installer.nsi", one, BUNDLE=str(bundle), ICON=str(icon), OUTPUT=str(target))
    written.write_text(text, "utf-8-sig")
    run("makensis", "-V2", "-WX", written, log=BUILD / "makensis.log")
    return target


if __name__ == "__main__":
    main(build)
