"""Start the app and wait until it listens; explain why if it does not.

Imported only when the app does not run: its imports take 10 ms, the app itself half a second.
"""

import _thread
import os
import subprocess
import sys
import time

from bridge.shim import Finished, system
from bridge.shim.allowed_environment import for_app

START_LIMIT = 60.0  # seconds until an app that we started must answer; at log-in much else starts too


def start(folder: str, path: str, env: dict[str, str]) -> system.Connected:
    """Start the app and connect as soon as it listens. If several are started at once, all but one exit with
    0, and all shims wait for that one."""
    log = folder + "/deskbell.log"
    os.makedirs(folder, 0o700, exist_ok=True)
    logged = _size(log)  # before
    own = {"DESKBELL_HOME": folder} if "DESKBELL_HOME" in env else {}
    app = _spawn(folder, log, {**for_app(env), **own})
    limit = time.monotonic() + START_LIMIT
    pause = 0.005
    while time.monotonic() < limit:
        system.pause(pause)
        pause = min(pause * 2, 0.1)
        try:
            connected = system.connect(path)
        except system.ABSENT:
            if code := app.poll():
                what, code = "Deskbell did not start", 5 if code == 5 else 2
                raise start_failure(what, folder, _last_line(log, logged), code) from None
        else:
            _thread.start_new_thread(app.wait, ())  # its end leaves no zombie
            return connected
    what = f"Deskbell was started but did not answer within {START_LIMIT:g} seconds"
    raise start_failure(what, folder, _last_line(log, logged), 2)


def _spawn(folder: str, log: str, env: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start the app in a session, or on Windows outside the job, of its own. It inherits no other files of
    ours, and does not keep the host's folder in use."""
    command, place = own_command("--for-host")
    with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as output:

        def spawn(**options: object) -> subprocess.Popen[bytes]:
            return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=place or folder,
                env=env,
                **options,
            )

        if sys.platform != "win32":
            return spawn(start_new_session=True)
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        try:
            return spawn(creationflags=flags | subprocess.CREATE_BREAKAWAY_FROM_JOB)
        except PermissionError:  # the job forbids breaking away
            return spawn(creationflags=flags)


def own_command(*words: str) -> tuple[list[str], str]:
    """Return the command that runs `deskbell WORDS`, and the folder to start it in ("": any)."""
    slash, suffix = ("\\", ".exe") if sys.platform == "win32" else ("/", "")
    if hasattr(sys, "frozen"):
        return [sys.executable.rpartition(slash)[0] + slash + "deskbell" + suffix, *words], ""
    root = __file__.rsplit(slash, 3)[0]
    if _size(root + slash + "pyproject.toml"):  # the source tree: -m finds the package in its folder
        return [sys.executable, "-E", "-m", "bridge", *words], root
    return [sys.executable, "-E", "-P", "-m", "bridge", *words], ""


def start_failure(what: str, folder: str, last_line: str, code: int) -> Finished:
    last_line = f" Its last words: {last_line}{'' if last_line[-1] in '.?!' else '.'}" if last_line else ""
    words = (
        f"deskbell: {what}.{last_line} Run `deskbell serve` to see why; its log is {folder}/deskbell.log\n"
    )
    return Finished(words, code)


def _last_line(log: str, start: int) -> str:
    """Return the last line that the app wrote after the offset `start`."""
    try:
        with open(log, "rb") as file:
            file.seek(max(start, file.seek(0, 2) - 4096))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
