"""Prove the setup program for Windows under Wine: install, self-test, upgrade over itself, uninstall."""

from __future__ import annotations

import sys
from pathlib import Path

from release import BUILD, NotBuilt, release
from windows.wine import PREFIX, make_python, run_program, windows_path


def installed() -> Path:
    """Return the folder that the setup program installs into."""
    [local] = (PREFIX / "drive_c" / "users").glob("*/AppData/Local")
    return local / "Programs" / release().title


def self_test(program: Path) -> None:
    make_python()  # the prefix, with what Wine lacks
    printed = run_program(windows_path(program), "self-test", env={"QT_QPA_PLATFORM": "offscreen"})
    (BUILD / "self-test-windows.log").write_text(printed)
    if f" {release().version}, " not in printed:
        raise NotBuilt(f"{program} is of another version")


def prove_setup(file: Path) -> None:
    make_python()
    for _ in range(2):  # the second time over itself, as an upgrade, which runs the self-test
        run_program(windows_path(file), "/S")
    folder = installed()
    self_test(folder / f"{release().name}-mcp.exe")
    run_program(windows_path(folder / "uninstall.exe"), "/S", f"_?={windows_path(folder)}")
    if left := [path for path in folder.rglob("*") if path.name != "uninstall.exe" and path.is_file()]:
        raise NotBuilt(f"uninstall.exe left {left[:5]}")


if __name__ == "__main__":
    try:
        prove_setup(Path(sys.argv[1]).resolve())
    except NotBuilt as failed:
        sys.exit(f"deskbell: {failed}")
