"""A real Secret Service of one's own: a private D-Bus and a private gnome-keyring, without a display.

Needs gnome-keyring and dbus-daemon (Debian: apt-get install gnome-keyring dbus-daemon).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path

import secretstorage

MISSING = " and ".join(each for each in ("gnome-keyring-daemon", "dbus-daemon") if not shutil.which(each))
_WAIT = 15.0
# Without service files: what is stopped stays so, and nobody is asked in a window.
_BUS = """<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
<allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""


class SecretService:
    """Its collection is made and unlocked with a password; kept in `folder`, from one start to the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bus: subprocess.Popen[str] | None = None
        self._daemon: subprocess.Popen[str] | None = None
        self.env: dict[str, str] = {}

    def start(self) -> None:
        config = self._folder / "bus.conf"
        config.write_text(_BUS)
        command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"]
        self._bus = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self._places())
        assert self._bus.stdout
        self.env = {**self._places(), "DBUS_SESSION_BUS_ADDRESS": self._bus.stdout.readline().strip()}
        self.start_daemon()

    def start_daemon(self, *, unlock: bool = True) -> None:
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        command += ["--unlock"] if unlock else []
        quiet = subprocess.DEVNULL
        self._daemon = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, text=True, env=self.env
        )
        assert self._daemon.stdin
        self._daemon.stdin.write("rig")  # all of it is the password, a line's end too
        self._daemon.stdin.close()
        deadline = time.monotonic() + _WAIT
        while not self._answers():
            assert time.monotonic() < deadline, "gnome-keyring does not answer"
            time.sleep(0.02)

    def _answers(self) -> bool:
        command = ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/"]
        asked = ["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]
        said = subprocess.run([*command, *asked], env=self.env, capture_output=True, text=True, check=False)
        return "true" in said.stdout

    def lock(self) -> None:
        with closing(secretstorage.dbus_init()) as connection:
            secretstorage.get_default_collection(connection).lock()

    def stop_daemon(self) -> None:
        _end(self._daemon)

    def stop(self) -> None:
        _end(self._daemon)
        _end(self._bus)

    def _places(self) -> dict[str, str]:
        places = {"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run"}
        for name in places.values():
            (self._folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        return {**os.environ, **{key: str(self._folder / name) for key, name in places.items()}}


def _end(process: subprocess.Popen[str] | None) -> None:
    if process is not None and process.poll() is None:
        process.kill()
        process.wait()
