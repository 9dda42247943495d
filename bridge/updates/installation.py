"""How this Deskbell was installed, and so what updates it: a package manager's command or Deskbell itself."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bridge.system import appimage

_DPKG = Path("/var/lib/dpkg/info/deskbell.list")
_WINDOWS = Path(__file__).parents[2] / "desktop"  # which the package deskbell-server lacks


class InstallationKind(StrEnum):
    APPIMAGE = "appimage"
    TARBALL = "tarball"
    NSIS = "nsis"
    DEB = "deb"
    RPM = "rpm"
    MSI = "msi"
    DMG = "dmg"
    UV = "uv"
    PIPX = "pipx"
    PIP = "pip"
    CHECKOUT = "checkout"


OWN = frozenset(
    {InstallationKind.APPIMAGE, InstallationKind.TARBALL, InstallationKind.NSIS}
)  # which Deskbell updates itself
_COMMANDS = {
    InstallationKind.DEB: "sudo apt-get install ./deskbell_{version}_*.deb",
    InstallationKind.RPM: "sudo dnf install ./deskbell-{version}-*.rpm",
    InstallationKind.MSI: "msiexec /i Deskbell-{version}.msi",
    InstallationKind.UV: "uv tool upgrade {package}",
    InstallationKind.PIPX: "pipx upgrade {package}",
    InstallationKind.PIP: "{python} -m pip install --upgrade {package}",
    InstallationKind.CHECKOUT: "git pull",
}


@dataclass(frozen=True, slots=True)
class Installation:
    """`place`: the AppImage, the prefix of install.sh or the folder of the setup program."""

    kind: InstallationKind
    place: Path

    @property
    def updates_itself(self) -> bool:
        return self.kind in OWN

    @property
    def key(self) -> str:
        """The key of this installation's file in a manifest."""
        return f"{self.kind}-{platform.machine().lower().replace('amd64', 'x86_64')}"

    def command(self, version: str) -> str:
        """Return the command that updates it; "" if there is none."""
        package = "deskbell" if _WINDOWS.is_dir() else "deskbell-server"
        return _COMMANDS.get(self.kind, "").format(version=version, package=package, python=sys.executable)


def find(env: Mapping[str, str] = os.environ) -> Installation:
    if not getattr(sys, "frozen", False):
        return _of_python()
    program = Path(sys.executable)
    if image := appimage.own_image(env):
        return Installation(InstallationKind.APPIMAGE, Path(image))
    if sys.platform == "win32":
        own = (program.parent / "uninstall.exe").is_file()
        return Installation(InstallationKind.NSIS if own else InstallationKind.MSI, program.parent)
    if sys.platform == "darwin":
        return Installation(InstallationKind.DMG, program.parents[2])
    if (program.parent / "installed-files").is_file():  # of install.sh
        return Installation(InstallationKind.TARBALL, program.parents[2])
    return Installation(InstallationKind.DEB if _DPKG.is_file() else InstallationKind.RPM, program.parent)


def _of_python() -> Installation:
    prefix = Path(sys.prefix)
    if (prefix / "uv-receipt.toml").is_file():
        return Installation(InstallationKind.UV, prefix)
    if (prefix / "pipx_metadata.json").is_file():
        return Installation(InstallationKind.PIPX, prefix)
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        return Installation(InstallationKind.CHECKOUT, checkout)
    return Installation(InstallationKind.PIP, prefix)
