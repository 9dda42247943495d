"""The AppImage (type 2): our own runtime, compiled here, with the tree as a squashfs image behind it."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from freeze import BUNDLE
from launcher.compiler import compile_c
from linux.tree import Layout, make_tree, normalise
from release import BUILD, DIST, ROOT, release, run, source_date

RUNTIME = ROOT / "packaging" / "launcher" / "appimage-runtime.c"
LAYOUT = Layout(program="deskbell")
_MAGIC = b"AI\x02"
_MAGIC_AT = 8  # in the ELF header, where padding is
_LIBRARIES = ("squashfuse_ll", "squashfuse", "fuse3", "z", "lzma", "lzo2", "lz4", "zstd", "pthread", "dl")


def build(bundle: Path = BUNDLE) -> Path:
    one = release()
    target = DIST / f"{one.title}-{one.version}-{platform.machine()}.AppImage"
    image = BUILD / "appimage.squashfs"
    image.unlink(missing_ok=True)
    # Small blocks: each read unpacks a whole one. With 1 MB the start takes three times as long.
    packing = (*("-comp", "xz", "-Xbcj", "x86", "-b", "128K"), "-all-root", "-no-xattrs", "-no-progress")
    tree = app_dir(bundle, BUILD / "appimage")
    run("mksquashfs", tree, image, *packing, env={"SOURCE_DATE_EPOCH": str(source_date())})
    DIST.mkdir(exist_ok=True)
    with target.open("wb") as file:
        file.write(with_magic(compile_runtime(BUILD / "appimage-runtime").read_bytes()))
        with image.open("rb") as content:
            shutil.copyfileobj(content, file)
    target.chmod(0o755)
    return target


def app_dir(bundle: Path, tree: Path) -> Path:
    """Make the AppDir: the tree, and at its top what file managers and the runtime look for."""
    prefix = make_tree(bundle, tree, LAYOUT)
    # The launcher: for AI applications it is the fast way, for all else it becomes the program.
    (tree / "AppRun").symlink_to("usr/lib/deskbell/deskbell-mcp")
    shutil.copy(prefix / "share/applications/deskbell.desktop", tree)
    shutil.copy(prefix / "share/icons/hicolor/256x256/apps/deskbell.png", tree)
    (tree / ".DirIcon").symlink_to("deskbell.png")
    normalise(tree)
    return tree


def compile_runtime(target: Path) -> Path:
    libraries = [f"-l{name}" for name in _LIBRARIES]
    return compile_c(RUNTIME, target, "-D_FILE_OFFSET_BITS=64", "-static", *libraries)


def with_magic(runtime: bytes) -> bytes:
    """Mark an ELF file as the runtime of an AppImage."""
    return runtime[:_MAGIC_AT] + _MAGIC + runtime[_MAGIC_AT + len(_MAGIC) :]
