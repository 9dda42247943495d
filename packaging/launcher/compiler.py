"""Compile the programs in C: those that AI applications start, and the runtime of the AppImage."""

from __future__ import annotations

import sys
from pathlib import Path

from release import ROOT, run

FOLDER = ROOT / "packaging" / "launcher"
SOURCE = FOLDER / "deskbell-mcp.c"
WINDOWS_SOURCE = FOLDER / "deskbell-mcp-windows.c"
_STRICT = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-format-truncation")
_WINDOWS = ("-municode", "-static", "-Wl,--no-insert-timestamp")  # by itself, and the same bytes each time
_HARDENED = ("-fPIE", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2", "-Wl,-z,relro,-z,now")


def compile_launcher(target: Path) -> Path:
    return compile_c(SOURCE, target, "-pie", "-pthread")


def compile_windows_launcher(target: Path) -> Path:
    """Compile by MinGW, on Windows or elsewhere."""
    compiler = "gcc" if sys.platform == "win32" else "x86_64-w64-mingw32-gcc"
    run(compiler, *_STRICT, *_WINDOWS, "-s", "-o", target, WINDOWS_SOURCE)
    return target


def compile_c(source: Path, target: Path, *more: str | Path) -> Path:
    """Compile without traces of the folder it was compiled in."""
    target.parent.mkdir(parents=True, exist_ok=True)
    same = f"-ffile-prefix-map={ROOT}=."
    run("cc", *_STRICT, *_HARDENED, same, "-s", "-o", target, source, *more)
    return target
