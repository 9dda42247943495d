"""The files of an installed Deskbell on Linux, as a tree: common to .deb, .rpm, AppImage and tar.xz."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.cli.completion import SCRIPTS
from linux.desktop_entry import desktop_entry, metainfo
from linux.man_page import launcher_page, man_page
from linux.systemd_units import service_unit, socket_unit
from pictures.draw_icon import draw_icon
from release import ROOT, NotBuilt, Release, release, source_date

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_ICON = ROOT / "resources" / "icons" / "deskbell.svg"


@dataclass(frozen=True)
class Layout:
    """Where things go. Folders are relative to the root of the tree; `program` is what entries start."""

    prefix: str = "usr"
    program: str = "/usr/bin/deskbell"
    zsh: str = "share/zsh/site-functions"
    doc: str = "share/doc/deskbell"


def make_tree(bundle: Path, target: Path, layout: Layout) -> Path:
    """Copy the bundle and write all files around it; return the prefix folder."""
    if lacking := [one for one in release().programs if not (bundle / one).is_file()]:
        raise NotBuilt(f"the bundle lacks {', '.join(lacking)}; make it: python packaging/freeze.py")
    shutil.rmtree(target, ignore_errors=True)
    prefix = target / layout.prefix
    shutil.copytree(bundle, prefix / "lib" / "deskbell", symlinks=True)
    (prefix / "bin").mkdir(parents=True)
    for program in release().programs:
        (prefix / "bin" / program).symlink_to(f"../lib/deskbell/{program}")
    for name, content in texts(release(), layout, source_date()).items():
        _write(prefix / name, content)
    shutil.copy(_ICON, _made(prefix / "share/icons/hicolor/scalable/apps/deskbell.svg"))
    for size in SIZES:
        _write(prefix / f"share/icons/hicolor/{size}x{size}/apps/deskbell.png", draw_icon(_ICON, size))
    normalise(target)
    return prefix


def texts(one: Release, layout: Layout, moment: int) -> Mapping[str, bytes]:
    """Return the files that are written, by their paths under the prefix."""
    changes = (ROOT / "CHANGELOG.md").read_bytes()
    found = {
        "share/applications/deskbell.desktop": desktop_entry(one, layout.program),
        f"share/metainfo/{one.id}.metainfo.xml": metainfo(one, moment),
        "lib/systemd/user/deskbell.socket": socket_unit(one),
        "lib/systemd/user/deskbell.service": service_unit(one, layout.program),
        "share/bash-completion/completions/deskbell": SCRIPTS["bash"],
        f"{layout.zsh}/_deskbell": SCRIPTS["zsh"],
        "share/fish/vendor_completions.d/deskbell.fish": SCRIPTS["fish"],
        f"{layout.doc}/copyright": (ROOT / "LICENSE").read_text("utf-8"),
    }
    packed = {
        "share/man/man1/deskbell.1.gz": man_page(one, moment).encode(),
        "share/man/man1/deskbell-mcp.1.gz": launcher_page(one, moment).encode(),
        f"{layout.doc}/changelog.gz": changes,
    }
    zipped = {name: gzip.compress(content, 9, mtime=0) for name, content in packed.items()}
    return {name: content.encode() for name, content in found.items()} | zipped


def normalise(tree: Path) -> None:
    """Give everything the modes and the time of a release: the same sources make the same bytes."""
    moment, programs = source_date(), {*release().programs, "install.sh"}
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            runs = path.name in programs and path.parent.name not in ("completions", "overrides")
            path.chmod(0o755 if path.is_dir() or runs else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def _write(path: Path, content: bytes) -> None:
    _made(path).write_bytes(content)


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
