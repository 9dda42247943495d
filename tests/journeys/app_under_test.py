"""A real Deskbell in a process of its own, the person who answers it, and what of both is still running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bridge.api import Home, ask_running
from tests.fixtures.running_processes import PROC, living

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
DESKBELL = (sys.executable, "-m", "bridge")
ANSWERER = "deskbell-test-answers"  # name of the program that answers questions
WAIT = 120.0  # seconds; far more than anything here takes, even where everything else runs too
MARK = "XDG_DESKBELL_JOURNEY"  # a variable that servers inherit too
_OURS = ("DESKBELL_", "QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")

T = TypeVar("T")


def environment(home: Path) -> dict[str, str]:
    """Of every process of a journey. There is no display, and any port will do."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    own = {"DESKBELL_HOME": str(home), "DESKBELL_PORT": "0", "PYTHONPATH": str(ROOT)}
    return {**kept, **own, MARK: str(home)}


def fixture(name: str, *arguments: str) -> list[str]:
    """The command of a server of tests/fixtures/; without site-packages it starts in an instant."""
    return [sys.executable, "-I", "-S", str(FIXTURES / name), *arguments]


def asking(era: str) -> list[str]:
    return fixture("asking_server.py", era)


def server(name: str, command: Sequence[str], log: Path | None = None, **more: Any) -> str:
    """A table of config.toml; JSON's texts and lists are TOML's too. `log`: where an asking server writes."""
    table = {"command": command[0], "args": list(command[1:]), **more}
    if log is not None:
        table["env.ASKING_LOG"] = str(log)
    return f"[servers.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


def until(look: Callable[[], T], within: float = WAIT) -> T:
    """The first truthy thing that `look` returns."""
    deadline = time.monotonic() + within
    while not (found := look()):
        assert time.monotonic() < deadline, f"nothing within {within:g} s"
        time.sleep(0.01)
    return found


def of_home(home: Path) -> dict[int, str]:
    """The living processes of this journey, by a variable that all of them inherit; the app, whose variables
    only root can read, by its lock."""
    mark = f"{MARK}={home}".encode()
    found = {}
    for process in living().values():
        try:
            marked = mark in (PROC / str(process.pid) / "environ").read_bytes().split(b"\0")
        except OSError:  # it ended while we looked, or is another user's
            marked = process.pid == locked_by(home) and "bridge" in process.command
        if marked and process.pid != os.getpid():
            found[process.pid] = process.command
    return found


def locked_by(home: Path) -> int:
    """The pid of the app that serves this home; 0 if none ever did."""
    try:
        return int((home / "deskbell.lock").read_text().split()[1].rstrip(","))
    except (OSError, IndexError, ValueError):
        return 0


class App:
    """`deskbell serve`, ready when it says so."""

    def __init__(self, home: Path, env: Mapping[str, str], presenter: str) -> None:
        self.home = Home(home)
        self.env = env
        command = [*DESKBELL, "serve", "--port", "0", "--presenter", presenter]
        self.process = subprocess.Popen(command, env=env, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr
        ready = self.process.stderr.readline()
        assert ready.startswith("deskbell: listening on http://127.0.0.1:"), ready
        self.port = int(ready.rpartition(":")[2].partition("/")[0])
        self.token = self.home.read_token()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def status(self) -> dict[str, Any]:
        """As `deskbell status --json` says it, without the half second of starting that."""
        said = ask_running(self.home, "status")
        assert said is not None, "it does not run"
        return said

    def until(self, look: Callable[[dict[str, Any]], T], within: float = WAIT) -> T:
        return until(lambda: look(self.status), within)

    def question(self, within: float = WAIT) -> dict[str, Any]:
        """The first Question that waits."""
        found: dict[str, Any] = self.until(lambda status: status["waiting"], within)[0]
        return found

    def state_of(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in self.status["servers"] if one["name"] == name)
        return found

    def children(self, command: str) -> list[int]:
        return [pid for pid, said in of_home(self.home.root).items() if command in said and pid != self.pid]

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.process.kill()

    def ended(self, within: float = WAIT) -> int:
        code = self.process.wait(within)
        assert self.process.stderr
        self.process.stderr.close()
        return code

    def stop(self) -> None:
        if self.process.poll() is None:
            self.terminate()
        try:
            self.ended()
        except subprocess.TimeoutExpired:
            self.kill()
            raise


class Person:
    """Answers by `command:PROG`, always in the same way, and remembers what was asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "asked.jsonl"

    def says(self, action: str, content: object = None, after: float = 0.0, when: Path | None = None) -> str:
        """`after`: seconds; `when`: a file that must exist before."""
        said = {"action": action} if content is None else {"action": action, "content": content}
        wait = f"import os, time; time.sleep({after})\n"
        wait += f"while not os.path.exists({str(when)!r}): time.sleep(0.01)\n" if when else ""
        return self._program(f"{wait}print({json.dumps(said)!r})")

    def opens_links(self) -> str:
        """Goes where a link leads, and agrees to have gone, or to whatever else is asked."""
        visit = "import sys, urllib.request as web; web.urlopen(sys.argv[1], timeout=20).read()"
        go = "import json, subprocess; url = json.loads(asked).get('url')\n"
        go += f"to = [sys.executable, '-c', {visit!r}, url]\n"
        go += "if url: subprocess.Popen(to, stdout=-3, stderr=-3, start_new_session=True)\n"
        go += "print(json.dumps({'action': 'accept'}))"
        return self._program(go)

    def never_answers(self) -> str:
        return self._program("import signal; signal.pause()")

    def _program(self, then: str) -> str:
        program = self._folder / ANSWERER
        keep = f"asked = sys.stdin.read(); open({str(self._log)!r}, 'a').write(asked.strip() + chr(10))"
        program.write_text(f"#!{sys.executable} -IS\nimport sys\n{keep}\n{then}\n")
        program.chmod(0o700)
        return f"command:{program}"

    @property
    def asked(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._log.read_text().splitlines()] if self._log.exists() else []
