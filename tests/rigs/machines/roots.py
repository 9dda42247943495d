"""Bare Debian roots, and machines made of them: layers of overlayfs, entered by chroot. Needs root.

A root is made once and never written to. What a machine changes goes into a layer of its own, so that every
trial begins with the same files. Package registries are reached as from this machine: its mirror, proxies,
certificates and pip settings are read when a machine is made, and none is named here.
"""

from __future__ import annotations

import configparser
import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUITES = {"debian-12": "bookworm", "debian-13": "trixie", "debian-sid": "sid"}
HERE = "here"
ROOT = 0
PERSON = 4321  # the plain user's number: nobody's on this machine
TOO_LONG = 124  # an exit code, as timeout(1) gives it
_HAS = "ca-certificates,git,make,python3"  # beyond debootstrap's minimum
_FOLDER = Path(__file__).parent
_CARRIED = re.compile(r"PIP_.*|SSL_.*|REQUESTS_CA_BUNDLE|(https?|all|no)_proxy", re.IGNORECASE)
_BARE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class NotMade(Exception):
    """What a trial needs is not there."""


@dataclass(frozen=True)
class Machine:
    """A file system in layers, the lowest last, and the folder for its changes."""

    layers: tuple[Path, ...]
    changes: Path
    shared: Path  # /mnt inside

    def start(
        self, log: Path, *command: str, uid: int, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a command inside; what it prints goes into the log."""
        layers = ":".join(map(str, self.layers))
        enter = ("unshare", "--mount", "--pid", "--fork", "--kill-child", str(_FOLDER / "enter.sh"))
        line = (*enter, layers, str(self.changes), str(self.shared), str(uid), *command)
        with log.open("ab") as out:
            return subprocess.Popen(
                line,
                env=_environment(self, uid) | dict(env or {}),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    def run(
        self,
        log: Path,
        *command: str,
        uid: int = PERSON,
        env: Mapping[str, str] | None = None,
        limit: float = 1200.0,
    ) -> int:
        """Run a command inside to its end; its exit code."""
        with self.start(log, *command, uid=uid, env=env) as process:
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                return TOO_LONG
            finally:
                process.kill()

    def copy(self, changes: Path, shared: Path) -> Machine:
        """Another machine that begins as this one is now."""
        # Not one more layer: one that is in a folder of another, of "/", is refused.
        subprocess.run(("cp", "-a", "--reflink=auto", str(self.changes / "upper"), str(changes)), check=True)
        return Machine(self.layers, changes, shared)

    def forget(self) -> None:
        shutil.rmtree(self.changes, ignore_errors=True)


@contextmanager
def alone(keep: Path, name: str) -> Iterator[None]:
    """Let no other run make the same thing meanwhile."""
    with (keep / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def root(system: str, keep: Path) -> Path:
    """The lowest layer of a system, made the first time; for "here" this machine itself."""
    if system == HERE:
        return Path("/")
    made = keep / system
    with alone(keep, system):
        if not made.exists():
            _bootstrap(system, keep, keep / f"{system}.part").rename(made)
    return made


def _bootstrap(system: str, keep: Path, part: Path) -> Path:
    shutil.rmtree(part, ignore_errors=True)
    options = ("--variant=minbase", f"--include={_HAS}")
    command = ("debootstrap", *options, SUITES[system], str(part), *_mirror())
    with (keep / f"{system}.log").open("wb") as log:
        if subprocess.run(command, stdout=log, stderr=log).returncode:
            raise NotMade(f"debootstrap failed: see {log.name}")
    return part


def machine(system: str, keep: Path, changes: Path, shared: Path, log: Path) -> Machine:
    """A bare machine with a plain user, that reaches the package registries."""
    made = Machine((root(system, keep),), changes, shared)
    shutil.rmtree(changes / "upper", ignore_errors=True)
    _carry_settings(changes / "upper", bare=system != HERE)
    create = f"useradd --no-create-home --uid {PERSON} --user-group --shell /bin/bash plain"
    if made.run(log, "sh", "-ec", f"{create}; update-ca-certificates; apt-get update", uid=ROOT):
        raise NotMade(f"{system} could not be made: see {log}")
    return made


def _environment(machine: Machine, uid: int) -> dict[str, str]:
    home, user = ("/home/plain", "plain") if uid else ("/root", "root")
    path = os.environ["PATH"] if machine.layers[-1] == Path("/") else _BARE_PATH
    fixed = {"HOME": home, "USER": user, "LOGNAME": user, "PATH": path, "SHELL": "/bin/bash"}
    fixed |= {"LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    return fixed | {name: value for name, value in os.environ.items() if _CARRIED.fullmatch(name)}


def _mirror() -> tuple[str, ...]:
    """The Debian mirror of this machine; nothing, if it is no Debian: debootstrap knows one."""
    if not Path("/etc/debian_version").exists() or Path("/etc/lsb-release").exists():
        return ()
    command = ("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages")
    return tuple(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[:1])


def _carry_settings(upper: Path, *, bare: bool) -> None:
    (upper / "etc/apt/apt.conf.d").mkdir(parents=True)
    assume = 'APT::Get::Assume-Yes "true";\n'
    if bare:
        dump = subprocess.run(("apt-config", "dump"), check=True, capture_output=True, text=True).stdout
        assume += "".join(re.findall(r"^Acquire::(?!IndexTargets).+\n", dump, re.MULTILINE))
        for file in (Path("/etc/resolv.conf"), Path("/etc/hosts"), *_certificates()):
            copy = upper / file.relative_to("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    (upper / "etc/apt/apt.conf.d/99machine").write_text(assume)
    pip = configparser.ConfigParser(interpolation=None)
    pip.read(_pip_files(os.environ), encoding="utf-8")
    with (upper / "etc/pip.conf").open("w", encoding="utf-8") as merged:
        pip.write(merged)


def _certificates() -> list[Path]:
    return [file for file in Path("/usr/local/share/ca-certificates").rglob("*.crt") if file.is_file()]


def _pip_files(env: Mapping[str, str]) -> list[Path]:
    home = Path.home()
    found = [Path("/etc/pip.conf"), home / ".pip/pip.conf", home / ".config/pip/pip.conf"]
    return [*found, Path(env["PIP_CONFIG_FILE"])] if "PIP_CONFIG_FILE" in env else found
