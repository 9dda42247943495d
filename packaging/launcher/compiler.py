"""Compile the programs in C: the one that AI applications start, and the runtime of the AppImage."""

from __future__ import annotations

from pathlib import Path

from release import ROOT, run

SOURCE = ROOT / "packaging" / "launcher" / "deskbell-mcp.c"
_STRICT = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-format-truncation")
_HARDENED = ("-fPIE", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2", "-Wl,-z,relro,-z,now")


def compile_launcher(target: Path) -> Path:
    return compile_c(SOURCE, target, "-pie", "-pthread")


def compile_c(source: Path, target: Path, *more: str | Path) -> Path:
    """Compile without traces of the folder it was compiled in."""
    target.parent.mkdir(parents=True, exist_ok=True)
    same = f"-ffile-prefix-map={ROOT}=."
    run("cc", *_STRICT, *_HARDENED, same, "-s", "-o", target, source, *more)
    return target
