"""Start the app and wait until it listens; explain why if it does not.

Imported only when the app does not run. `unix_spawn` and `windows_spawn` start the process.
"""

import sys
import time

from bridge.shim import Finished, system

if sys.platform == "win32":
    from bridge.shim import windows_spawn as child
else:
    from bridge.shim import unix_spawn as child

START_LIMIT = 20.0  # seconds until an app that we started must answer


def started(folder: str, path: str, env: dict[str, str]) -> system.Connected:
    """Start the app and connect as soon as it listens. If several are started at once, all but one exit with
    0, and all shims wait for that one."""
    log = folder + "/deskbell.log"
    start = _size(log)
    env = {**env, "DESKBELL_HOME": folder} if "DESKBELL_HOME" in env else env
    app = child.spawn(*own_command("--for-host"), folder, log, env)
    limit = time.monotonic() + START_LIMIT
    pause = 0.005
    while time.monotonic() < limit:
        child.pause(pause)
        pause = min(pause * 2, 0.1)
        try:
            connected = system.connected(path)
        except system.ABSENT:
            if code := child.ended(app):
                what, code = "Deskbell did not start", 5 if code == 5 else 2
                raise gave_up(what, folder, _last_line(log, start), code) from None
        else:
            child.disown(app)
            return connected
    what = f"Deskbell was started but did not answer within {START_LIMIT:g} seconds"
    raise gave_up(what, folder, _last_line(log, start), 2)


def own_command(*words: str) -> tuple[list[str], str]:
    """What runs `deskbell WORDS`, and the folder to start it in ("": any)."""
    slash, suffix = ("\\", ".exe") if sys.platform == "win32" else ("/", "")
    if hasattr(sys, "frozen"):
        return [sys.executable.rpartition(slash)[0] + slash + "deskbell" + suffix, *words], ""
    root = __file__.rsplit(slash, 3)[0]
    if _size(root + slash + "pyproject.toml"):  # the source tree: -m finds the package in its folder
        return [sys.executable, "-E", "-m", "bridge", *words], root
    return [sys.executable, "-E", "-P", "-m", "bridge", *words], ""


def gave_up(what: str, folder: str, last_line: str, code: int) -> Finished:
    quote = f" Its last words: {last_line}{'' if last_line[-1] in '.?!' else '.'}" if last_line else ""
    words = f"deskbell: {what}.{quote} Run `deskbell serve` to see why; its log is {folder}/deskbell.log\n"
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
        with open(path, "rb") as file:
            return file.seek(0, 2)
    except OSError:
        return 0
