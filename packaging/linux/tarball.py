"""The tar.xz with install.sh, for one person or for the whole system."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

from freeze import BUNDLE
from linux.tree import Layout, make_tree, normalise
from release import BUILD, DIST, ROOT, release, run, source_date

# install.sh writes where it was installed in place of the mark.
LAYOUT = Layout(prefix="", program="@PREFIX@/bin/deskbell")


def build(bundle: Path = BUNDLE) -> Path:
    one = release()
    name = f"{one.name}-{one.version}"
    tree = BUILD / "tarball" / name
    make_tree(bundle, tree, LAYOUT)
    shutil.copy(ROOT / "packaging" / "linux" / "install.sh", tree / "install.sh")
    missing = "".join(f"{soname} {package}\n" for soname, package in one.system_libraries.items())
    (tree / "lib/deskbell/system-libraries").write_text(missing)
    normalise(tree)
    target = DIST / f"{name}-linux-{platform.machine()}.tar.xz"
    DIST.mkdir(exist_ok=True)
    same = ("--sort=name", f"--mtime=@{source_date()}", "--owner=0", "--group=0", "--numeric-owner")
    run("tar", "--directory", tree.parent, *same, "-cJf", target, name, env={"XZ_OPT": "-6 -T2"})
    return target
