"""The Debian package, by dpkg-deb. lintian finds no errors in it."""

from __future__ import annotations

import shutil
import subprocess
import textwrap
import time
from email.utils import formatdate
from pathlib import Path

from freeze import BUNDLE
from linux.tree import Layout, make_tree, normalise
from release import BUILD, DIST, ROOT, Release, release, run, source_date

LAYOUT = Layout(zsh="share/zsh/vendor-completions")
_HOOKS = ROOT / "packaging" / "linux"
# A bundle is its own libraries: what lintian expects of a package that is built from Debian's does not apply.
_OVERRIDES = (
    "embedded-library",
    "library-not-linked-against-libc",
    "shared-library-lacks-prerequisites",
    "hardening-no-fortify-functions",
    "unstripped-binary-or-object",
    "package-contains-python-header-in-incorrect-directory",
    "executable-in-usr-lib",
    "initial-upload-closes-no-bugs",
    "package-installs-python-bytecode",
)


def architecture() -> str:
    return subprocess.run(
        ("dpkg", "--print-architecture"), check=True, capture_output=True, text=True
    ).stdout.strip()


def build(bundle: Path = BUNDLE) -> Path:
    one = release()
    tree = BUILD / "deb"
    prefix = make_tree(bundle, tree, LAYOUT)
    doc = prefix / LAYOUT.doc
    (doc / "changelog.gz").unlink()
    (doc / "copyright").write_text(copyright_file(one))
    _gzip(doc / "changelog.gz", debian_changelog(one, source_date()))
    overrides = prefix / "share/lintian/overrides" / one.name
    overrides.parent.mkdir(parents=True)
    overrides.write_text("".join(f"{one.name}: {tag}\n" for tag in _OVERRIDES))
    size = sum(path.lstat().st_size for path in tree.rglob("*") if path.is_file())
    normalise(tree)
    control = tree / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(control_file(one, architecture(), size))
    shutil.copy(_HOOKS / "before-removal.sh", control / "prerm")
    (control / "prerm").chmod(0o755)
    target = DIST / f"{one.name}_{one.version}_{architecture()}.deb"
    DIST.mkdir(exist_ok=True)
    packing = ("-Zxz", "-z6", "--root-owner-group", "--build")
    run("dpkg-deb", *packing, tree, target, env={"SOURCE_DATE_EPOCH": str(source_date())})
    return target


def control_file(one: Release, arch: str, size: int) -> str:
    needs = ", ".join(sorted(set(one.system_libraries.values())))
    text = "\n .\n".join(
        textwrap.fill(part, 78, initial_indent=" ", subsequent_indent=" ") for part in one.description
    )
    return f"""Package: {one.name}
Version: {one.version}
Architecture: {arch}
Maintainer: {one.authors} <{one.contact}>
Installed-Size: {size // 1024}
Depends: {needs}
Recommends: ca-certificates, fonts-dejavu-core | fonts-noto-core
Suggests: xdg-utils
Section: utils
Priority: optional
Homepage: {one.homepage}
Description: {one.summary[:1].lower()}{one.summary[1:]}
{text}
"""


def copyright_file(one: Release) -> str:
    licence = (ROOT / "LICENSE").read_text("utf-8").strip().splitlines()
    indented = "\n".join(f" {line}" if line.strip() else " ." for line in licence)
    return f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {one.title}
Source: {one.homepage}

Files: *
Copyright: {time.gmtime(source_date()).tm_year} {one.authors}
License: {one.licence}
Comment: The folder /usr/lib/{one.name}/_internal holds libraries under licences of their own: Qt and PySide6
 (LGPL-3), Python (PSF-2.0), Python packages, and some of Debian's. Their texts are there, in *.dist-info and
 in desktop/resources/licences, and in the program: Settings, About Deskbell, Licences.

License: {one.licence}
{indented}
"""


def debian_changelog(one: Release, moment: int) -> str:
    return f"""{one.name} ({one.version}) stable; urgency=medium

  * Release {one.version}. What changed for you: {one.homepage}

 -- {one.authors} <{one.contact}>  {formatdate(moment)}
"""


def _gzip(path: Path, text: str) -> None:
    import gzip

    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
