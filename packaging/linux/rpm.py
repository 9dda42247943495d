"""The RPM package, by rpmbuild, from the same tree: for Fedora, openSUSE and their relatives."""

from __future__ import annotations

import platform
import shutil
import time
from pathlib import Path

from freeze import BUNDLE
from linux.tree import Layout, make_tree
from release import BUILD, DIST, ROOT, Release, release, run, source_date

LAYOUT = Layout()
_SETTINGS = {
    "__os_install_post": "%{nil}",  # nothing is stripped or compiled again
    "_build_id_links": "none",
    "_binary_payload": "w6T2.xzdio",
    "debug_package": "%{nil}",
    "use_source_date_epoch_as_buildtime": "1",
    "clamp_mtime_to_source_date_epoch": "1",
    "_buildhost": "localhost",
}


def build(bundle: Path = BUNDLE) -> Path:
    one, work = release(), BUILD / "rpm"
    shutil.rmtree(work, ignore_errors=True)
    tree = work / "tree"
    make_tree(bundle, tree, LAYOUT)
    spec = work / f"{one.name}.spec"
    spec.write_text(spec_file(one, tree, platform.machine(), source_date()))
    settings = {**_SETTINGS, "_topdir": str(work), "_rpmdir": str(work / "made"), "_dbpath": str(work / "db")}
    words = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
    run(
        "rpmbuild",
        "-bb",
        "--nodeps",
        *words,
        spec,
        env={"SOURCE_DATE_EPOCH": str(source_date())},
        log=BUILD / "rpm.log",
    )
    [made] = (work / "made").rglob("*.rpm")
    DIST.mkdir(exist_ok=True)
    return Path(shutil.copy(made, DIST / made.name))


def spec_file(one: Release, tree: Path, machine: str, moment: int) -> str:
    requires = "\n".join(f"Requires: {soname}()(64bit)" for soname in sorted(one.system_libraries))
    before_removal = (ROOT / "packaging" / "linux" / "before-removal.sh").read_text()
    day = time.strftime("%a %b %d %Y", time.gmtime(moment))
    text = "\n\n".join(one.description)
    return f"""Name: {one.name}
Version: {one.version}
Release: 1
Summary: {one.summary}
License: {one.licence}
URL: {one.homepage}
Vendor: {one.authors}
BuildArch: {machine}
AutoReqProv: no
Provides: application({one.name}.desktop)
{requires}
Recommends: ca-certificates

%description
{text}

%install
mkdir -p %{{buildroot}}
cp -a {tree}/usr %{{buildroot}}/

%preun
{before_removal}
%files
%defattr(-,root,root)
/usr/bin/deskbell
/usr/bin/deskbell-mcp
/usr/lib/deskbell
/usr/lib/systemd/user/deskbell.*
/usr/share/applications/deskbell.desktop
/usr/share/bash-completion/completions/deskbell
/usr/share/doc/deskbell
/usr/share/fish/vendor_completions.d/deskbell.fish
/usr/share/icons/hicolor/*/apps/deskbell.*
/usr/share/man/man1/deskbell*
/usr/share/metainfo/{one.id}.metainfo.xml
/usr/share/zsh/site-functions/_deskbell

%changelog
* {day} {one.authors} <{one.contact}> - {one.version}-1
- Release {one.version}
"""
