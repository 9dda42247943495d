"""`make dist`: build everything that people download, run self-test inside each, print a table of it all.

python packaging/dist.py [NAME…] [--keep]      --keep: take the bundle that is there. NAME: only these, of
                                               deb rpm appimage tarball nsis msi python mcpb sbom
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import freeze
import update_list
from check_dependencies import plain
from release import BUILD, DIST, ROOT, NotBuilt, release, run

_LIMITS = {".deb": 45, ".AppImage": 50, ".exe": 50}  # MB


@dataclass(frozen=True)
class Artefact:
    """`build` returns the files; `prove` runs self-test inside one, in an empty folder."""

    name: str
    build: Callable[[], list[Path]]
    prove: Callable[[Path, Path], None]


def main(words: list[str]) -> int:
    began = time.monotonic()
    wanted = [word for word in words if not word.startswith("-")]
    rows: list[tuple[str, ...]] = []
    try:
        if sys.platform.startswith("linux"):
            subprocess.run((ROOT / "packaging/linux/build-tools.sh",), check=True)
        if "--keep" not in words:
            _tell("bundle", freeze.freeze)
        for artefact in ARTEFACTS:
            if not wanted or artefact.name in wanted:
                rows += [_row(file) for file in _made(artefact)]
    except (NotBuilt, subprocess.CalledProcessError) as error:
        print(f"deskbell: {error}", file=sys.stderr)
        return 1
    _print(rows)
    (DIST / "SHA256SUMS").write_text("".join(f"{row[3]}  {row[0]}\n" for row in rows))
    if not wanted:
        update_list.write(DIST, os.environ.get("DESKBELL_RELEASE_KEY", ""))
    (DIST / "RELEASE-NOTES.md").write_text(f"# {release().title} {release().version}\n\n{release().notes}\n")
    print(f"{len(rows)} files in {time.monotonic() - began:.0f} s, each proven by its own self-test.")
    return 0


def _made(artefact: Artefact) -> list[Path]:
    files = _tell(artefact.name, artefact.build)
    for file in files:
        with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
            _tell(f"self-test in {file.name}", lambda: artefact.prove(file, Path(scratch)))  # noqa: B023
    return files


def _tell(what: str, work: Callable[[], object]) -> list[Path]:
    began = time.monotonic()
    done = work()
    print(f"deskbell: {what}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return done if isinstance(done, list) else []


def _row(file: Path) -> tuple[str, ...]:
    size = file.stat().st_size
    limit = _LIMITS.get(file.suffix)
    if limit and size > limit * 1_000_000:
        raise NotBuilt(f"{file.name} has {size / 1e6:.1f} MB, more than {limit}")
    return file.name, f"{size / 1e6:.1f} MB", f"at most {limit} MB" if limit else "", sha256(file)


def sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _print(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[place]) for row in rows) for place in range(4)] if rows else []
    for row in rows:
        print("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())


# ---- what there is ---------------------------------------------------------------------------------------


def _one(module: str) -> Callable[[], list[Path]]:
    """Build by the function `build` of a recipe; it is imported when it is needed."""
    return lambda: [importlib.import_module(module).build()]


def _self_test(*command: str | Path) -> None:
    """It has to pass, in the version that is built."""
    log = BUILD / "self-test.log"
    run(*command, "self-test", log=log, env={"QT_QPA_PLATFORM": "offscreen"})
    if f" {release().version}, " not in log.read_text():
        raise NotBuilt(f"{command[0]} is of another version: see {log}")


def _prove_deb(file: Path, scratch: Path) -> None:
    run("dpkg-deb", "--extract", file, scratch)
    _self_test(scratch / "usr/bin/deskbell")
    run("lintian", "--fail-on", "error", "--tag-display-limit", "0", file, log=BUILD / "lintian.log")


def _prove_rpm(file: Path, scratch: Path) -> None:
    run("sh", "-c", 'rpm2cpio "$1" | cpio -id --quiet', "sh", file, cwd=scratch)
    _self_test(scratch / "usr/bin/deskbell")


def _prove_appimage(file: Path, scratch: Path) -> None:
    copy = scratch / "renamed.AppImage"
    shutil.copy(file, copy)
    _self_test(copy)
    run(copy, "--appimage-extract", "usr/share/applications", cwd=scratch)
    run("desktop-file-validate", scratch / "squashfs-root/usr/share/applications/deskbell.desktop")


def _prove_tarball(file: Path, scratch: Path) -> None:
    run("tar", "-xf", file, cwd=scratch)
    [unpacked] = scratch.iterdir()
    for _ in range(2):  # the second time over itself, as an upgrade
        run(unpacked / "install.sh", "--prefix", scratch / "prefix")
    _self_test(scratch / "prefix/bin/deskbell")
    home = {"HOME": str(scratch), "DESKBELL_HOME": str(scratch / "home")}
    run(scratch / "prefix/lib/deskbell/install.sh", "--uninstall", "--yes", env=home)
    if left := [path for path in (scratch / "prefix").rglob("*") if not path.is_dir()]:
        raise NotBuilt(f"install.sh --uninstall left {left}")


def _build_python() -> list[Path]:
    run(sys.executable, "-m", "build", log=BUILD / "build.log")
    [wheel] = DIST.glob("deskbell-*.whl")
    run(sys.executable, ROOT / "packaging/server_wheel.py", wheel)
    return sorted(DIST.glob("deskbell*.whl")) + sorted(DIST.glob("deskbell-*.tar.gz"))


def _prove_python(file: Path, scratch: Path) -> None:
    """Install into the release environment, which has everything it needs."""
    python = freeze.make_venv()
    install = (
        python,
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-deps",
        "--force-reinstall",
    )
    run(*install, file)
    try:
        _self_test(python.with_name("deskbell"))
    finally:
        name = "deskbell-server" if "server" in file.name else "deskbell"
        run(python, "-m", "pip", "uninstall", "--yes", name)


def _for_windows(recipe: str) -> Callable[[], list[Path]]:
    """Build from the bundle for Windows, which Wine makes once."""

    def build() -> list[Path]:
        wine = importlib.import_module("windows.wine")
        return [importlib.import_module(recipe).build(wine.bundle())]

    return build


def _prove_setup(file: Path, scratch: Path) -> None:
    importlib.import_module("windows.trial_install").prove_setup(file)


def _prove_msi(file: Path, scratch: Path) -> None:
    run("msiextract", "--directory", scratch, file, log=BUILD / "msiextract.log")
    [program] = scratch.rglob("deskbell-mcp.exe")
    importlib.import_module("windows.trial_install").self_test(program)


def _build_sbom() -> list[Path]:
    """By the Python of the release environment, whose packages the bundle holds."""
    run(freeze.make_venv(), ROOT / "packaging/sbom.py", freeze.BUNDLE)
    return sorted(DIST.glob("*.cdx.json"))


def _prove_sbom(file: Path, scratch: Path) -> None:
    """It names every package whose metadata is in the bundle."""
    text = file.read_text("utf-8")
    for info in (freeze.BUNDLE / freeze.INTERNAL).glob("*.dist-info"):
        name, version = info.name.removesuffix(".dist-info").rsplit("-", 1)
        if f"pkg:pypi/{plain(name)}@{version}" not in text:
            raise NotBuilt(f"{file.name} does not name {name}")


def _build_mcpb() -> list[Path]:
    run(sys.executable, ROOT / "packaging/mcpb.py")
    return sorted(DIST.glob("*.mcpb"))


def _prove_mcpb(file: Path, scratch: Path) -> None:
    """Skip self-test: an .mcpb holds no program, only a script that finds the installed one."""
    shutil.unpack_archive(file, scratch, "zip")
    if release().version not in (scratch / "manifest.json").read_text("utf-8"):
        raise NotBuilt(f"{file.name} is of another version")


ARTEFACTS = [
    Artefact("deb", _one("linux.deb"), _prove_deb),
    Artefact("rpm", _one("linux.rpm"), _prove_rpm),
    Artefact("appimage", _one("linux.appimage"), _prove_appimage),
    Artefact("tarball", _one("linux.tarball"), _prove_tarball),
    Artefact("python", _build_python, _prove_python),
    Artefact("mcpb", _build_mcpb, _prove_mcpb),
    Artefact("sbom", _build_sbom, _prove_sbom),
    Artefact("nsis", _for_windows("windows.nsis"), _prove_setup),
    Artefact("msi", _for_windows("windows.msi"), _prove_msi),
]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
