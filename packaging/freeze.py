"""Make the bundle: PyInstaller's one folder, without what is not needed, in build/bundle/deskbell.

    python packaging/freeze.py [--clean]      --clean: also make the virtual environment anew

It is built in an environment of its own, so that nothing of a developer's gets in: what lock_dependencies.py
has pinned, by version and SHA-256, and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from launcher.compiler import compile_launcher, compile_windows_launcher
from lock_dependencies import LOCK
from release import BUILD, ROOT, NotBuilt, release, run, source_date

VENV = BUILD / "release-venv"
BUNDLE = BUILD / "bundle" / "deskbell"
INTERNAL = "_internal"  # PyInstaller's folder beside the programs
_ELF = b"\x7fELF"
_MADE_WITH_RUNPATH = "$ORIGIN"


def main(words: list[str]) -> int:
    if "--clean" in words:
        shutil.rmtree(VENV, ignore_errors=True)
    try:
        print(freeze())
    except NotBuilt as error:
        print(f"deskbell: {error}", file=sys.stderr)
        return 1
    return 0


def freeze() -> Path:
    """Build the bundle; return its folder."""
    python = make_venv()
    reproducible = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(source_date())}
    places = ("--distpath", BUNDLE.parent, "--workpath", BUILD / "pyinstaller")
    spec = ROOT / "packaging" / "deskbell.spec"
    command = (python, "-m", "PyInstaller", "--noconfirm", *places, spec)
    run(*command, log=BUILD / "pyinstaller.log", env=reproducible)
    forget_commands(BUNDLE)
    if sys.platform.startswith("linux"):
        compile_launcher(BUNDLE / "deskbell-mcp")
        for file in binaries(BUNDLE):
            tidy(file)
        check_libraries(BUNDLE)
    elif sys.platform == "win32":
        compile_windows_launcher(BUNDLE / "deskbell-mcp.exe")
    return BUNDLE


def make_venv() -> Path:
    """Return the Python of the release environment, made anew when what decides its contents changed."""
    python = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    decides = LOCK.read_bytes() + sys.version.encode()
    stamp, state = VENV / ".made-of", hashlib.sha256(decides).hexdigest()
    if stamp.is_file() and stamp.read_text() == state:
        return python
    run(sys.executable, "-m", "venv", "--clear", VENV)
    install = (python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input")
    run(*install, "--require-hashes", "--requirement", LOCK, log=BUILD / "release-pip.log")
    stamp.write_text(state)
    return python


def forget_commands(bundle: Path) -> None:
    """Take the commands of packages, which a bundle lacks, out of their lists of files.

    Their digests depend on the folder of the release environment.
    """
    for record in bundle.rglob("*.dist-info/RECORD"):
        lines = record.read_text("utf-8").splitlines(keepends=True)
        record.write_text("".join(line for line in lines if not line.startswith("../")), "utf-8")


# ---- ELF files -----------------------------------------------------------------------------------------


def binaries(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == _ELF:
                    yield path


def tidy(file: Path) -> None:
    """Strip debug symbols, and library paths of the build machine, from the bundle's libraries."""
    mode = file.stat().st_mode
    if file.name != release().name:  # the program carries PyInstaller's archive, which strip would cut off
        run("strip", "--strip-unneeded", file)
    runpath = _patchelf("--print-rpath", file)
    inside = ":".join(part for part in runpath.split(":") if part.startswith(_MADE_WITH_RUNPATH))
    if runpath and not inside:
        _patchelf("--remove-rpath", file)
    elif inside != runpath:
        _patchelf("--set-rpath", inside, file)
    os.chmod(file, mode | 0o644)


def check_libraries(bundle: Path) -> None:
    """Raise NotBuilt if something in the bundle needs a library that is neither in it nor in release.toml."""
    inside = {file.name for file in bundle.rglob("*.so*")}
    lacking = {
        f"{one} (for {file.relative_to(bundle)})"
        for file in binaries(bundle)
        for one in _patchelf("--print-needed", file).split()
        if not _is_known(one, inside) and not _is_optional(file)
    }
    if lacking:
        raise NotBuilt(f"add to [linux.libraries] of release.toml: {', '.join(sorted(lacking))}")


def _is_known(soname: str, inside: set[str]) -> bool:
    of_libc = (
        "libm.so",
        "libdl.so",
        "libpthread.so",
        "librt.so",
        "libutil.so",
        "ld-linux",
        "libgcc_s.so",
        "libresolv",
    )
    return soname in inside or soname in release().system_libraries or soname.startswith(of_libc)


def _is_optional(file: Path) -> bool:
    """True for plugins that Qt tries and does without: a theme, a display server."""
    return file.parent.name in ("platformthemes", "platforms", "wayland-graphics-integration-client")


def _patchelf(*words: str | Path) -> str:
    try:
        done = subprocess.run(["patchelf", *map(str, words)], capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise NotBuilt(f"patchelf {' '.join(map(str, words))} failed: {error}") from error
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
