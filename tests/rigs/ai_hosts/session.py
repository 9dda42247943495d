"""One run of one application: it calls a tool that asks, a person answers, the model reads the result."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fixtures.running_processes import PROC
from tests.rigs.ai_hosts.model import Preparation, ScriptedModel
from tests.rigs.ai_hosts.programs import PROGRAMS, ROOT, Room, node_path

DESKBELL = Path(sys.executable).with_name("deskbell")
TAP = Path(__file__).with_name("tap.py")
ASKING = [sys.executable, "-I", "-S", str(ROOT / "tests" / "fixtures" / "asking_server.py"), "legacy"]
HABITS = ("as it is", "accepts", "refuses", "hangs")
MOST_RUNS = 2
_END = 5.0  # seconds between SIGTERM and SIGKILL
_STARTING = threading.Semaphore(2)  # applications that start at once; some give up Deskbell after seconds
_STARTED = 30.0  # seconds after which another one may start, whatever became of this one
_SILENCE = 20.0  # seconds until the desk asks in place of a silent application
_ASKED = (
    120.0  # seconds until the question of an application that hangs is on the desk, on a busy machine too
)
_HANGING = 45.0  # seconds after the person's answer, in which such an application has not ended
_PERSON = """#!{python} -IS
import json, sys, time
question = json.load(sys.stdin)
open({log!r}, "a").write(json.dumps(question) + "\\n")
time.sleep({thinks})
open({answers!r}, "a").write("\\n")

def value(schema):
    if "default" in schema:
        return schema["default"]
    options = [one["const"] for one in schema.get("oneOf", ())] or schema.get("enum", ())
    if options:
        return next((one for one in options if one in ("yes", "allow", "accept", True)), options[0])
    return {{"boolean": True, "string": "Ada", "array": []}}.get(schema.get("type"), 7)

fields = question.get("requestedSchema", {{}}).get("properties", {{}})
given = json.loads({content!r})
content = {{name: given.get(name, value(schema)) for name, schema in fields.items()}}
print(json.dumps({{"action": "accept", **({{"content": content}} if question["mode"] == "form" else {{}})}}))
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A call that asks, and what its result says if the person was asked and agreed."""

    tool: str
    arguments: dict[str, Any]
    proof: str
    approvals: bool = False  # the application's own permissions are asked for here
    times: int = 1  # how often the model calls it
    first: Preparation | None = None  # what it calls before
    words: tuple[str, ...] = ()  # more of the application's command line
    answer: Mapping[str, Any] = field(default_factory=dict)  # of the person, in place of the usual one


KINDS = {
    "form": Kind("quiz_ask", {"message": "Who is there?"}, "Ada"),
    "link": Kind("quiz_ask_url", {}, "accept"),
    "confirmation": Kind("desk_elicit_confirm", {"message": "Shall I?"}, '"confirmed":true'),
    "approval": Kind("quiz_count", {}, "calls"),
}
_MAKES_FILE = {"command": "touch made && echo Ada", "description": "Makes a file"}
PERMISSIONS = {  # by application: what it needs permission for, or would do without
    "claude-code": Kind("Bash", _MAKES_FILE, "Ada", True),
    "codex": Kind(
        "exec_command",
        {"cmd": _MAKES_FILE["command"]},
        "Ada",
        True,
        words=("--dangerously-bypass-hook-trust",),
    ),
    "copilot": Kind("bash", _MAKES_FILE, "Ada", True),
    "gemini": Kind("run_shell_command", _MAKES_FILE, "Ada", True),
    "qwen": Kind("run_shell_command", {**_MAKES_FILE, "is_background": False}, "Ada", True),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`asked`: questions that came to the desk. `reached`: the model read the person's answer; `runs`: how
    often the person had to start the application for that."""

    asked: int
    reached: bool
    results: list[str]  # of each call of the last run, as the model read them
    exit_code: int | None  # None: it was ended
    seconds: float
    errors: str
    runs: int = 1
    before: list[str] = field(default_factory=list)  # what came of each run but the last

    def __str__(self) -> str:
        verdict = "reached" if self.reached else "LOST"
        last = self.results[-1][:300] if self.results else f"no result; {self.errors[-300:]}"
        counts = f"asked {self.asked}; calls {len(self.results)}; runs {self.runs}"
        return f"{verdict}; {counts}; {self.seconds:.0f} s; {' | '.join((*self.before, last))}"


def run_kind(name: str, kind: Kind, folder: Path) -> Outcome:
    """Run the application once, with its files in `folder`."""
    return _Session(name, kind, 0.5, HABITS[0], folder).run()


def run(
    name: str, kind: str, thinks: float = 2.0, habit: str = "as it is", keep: Path | None = None
) -> Outcome:
    """Run the application once. `thinks`: seconds until the person answers."""
    with contextlib.ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        folder.mkdir(parents=True, exist_ok=True)
        asked = PERMISSIONS[name] if kind == "permission" else KINDS[kind]
        return _Session(name, asked, thinks, habit, folder).run()


def _lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def _wait_for_lines(file: Path, wanted: int, longest: float) -> None:
    deadline = time.monotonic() + longest
    while _lines(file) < wanted and time.monotonic() < deadline:
        time.sleep(0.2)


class _Session:
    def __init__(self, name: str, kind: Kind, thinks: float, habit: str, folder: Path) -> None:
        self._program = PROGRAMS[name]
        self._kind = kind
        self._thinks = thinks
        self._habit = habit
        self._folder = folder
        self._home = folder / "home"
        self._desk = folder / "desk"
        self._questions = folder / "questions.jsonl"
        self._answers = folder / "answers"
        for each in (self._home, self._desk, folder / "work"):
            each.mkdir(exist_ok=True)
        self._env = {
            "PATH": f"{node_path()}:{DESKBELL.parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self._home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "CI": "1",
            "USER": os.environ.get("USER", "nobody"),
            "SHELL": "/bin/sh",
            "NO_PROXY": "127.0.0.1,localhost",
            "DESKBELL_HOME": str(self._desk),
        }

    def run(self) -> Outcome:
        kind = self._kind
        with ScriptedModel(kind.tool, kind.arguments, kind.times, kind.first) as model, self._deskbell():
            command = (str(DESKBELL), "stdio") if self._habit == "as it is" else self._tapped()
            inherits = ("/usr/bin/env", f"DESKBELL_HOME={self._desk}")  # frameworks pass on next to nothing
            words, env = self._program.launch(Room(self._home, model.url, (*inherits, *command)))
            self._connect()
            began, code, runs, reached, before = time.monotonic(), None, 0, False, list[str]()
            most = 1 if kind.words else MOST_RUNS
            while runs < most and not reached:
                before += [self._last(model.results)] if runs else []
                runs += 1
                model.forget()
                code = self._start([str(self._program.path), *words, *kind.words], {**self._env, **env})
                reached = self._has_reached(model.results)
                self._let_person_finish()
            seconds, asked = time.monotonic() - began, _lines(self._questions)
            return Outcome(asked, reached, model.results, code, seconds, self._errors(), runs, before)

    def _errors(self) -> str:
        return (self._folder / "stderr").read_text(errors="replace")

    def _last(self, results: Sequence[str]) -> str:
        """Return what came of a run: the last result, or what the application printed."""
        return f"{len(results)} calls: {(results[-1] if results else self._errors())[-300:]}"

    def _has_reached(self, results: Sequence[str]) -> bool:
        return bool(results) and self._kind.proof in results[-1].replace(" ", "").replace("\\", "")

    def _let_person_finish(self) -> None:
        """Wait for what comes to the desk, and for its answer: then the application is run again."""
        _wait_for_lines(self._questions, 1, _SILENCE + 5.0)
        _wait_for_lines(self._answers, _lines(self._questions), self._thinks + 5.0)

    # --- Deskbell ------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _deskbell(self) -> Iterator[None]:
        person = self._folder / "person"
        person.write_text(
            _PERSON.format(
                python=sys.executable,
                log=str(self._questions),
                answers=str(self._answers),
                content=json.dumps(self._kind.answer),
                thinks=self._thinks,
            )
        )
        person.chmod(0o700)
        table = f"command = {json.dumps(ASKING[0])}\nargs = {json.dumps(ASKING[1:])}\n"
        config = f'question_timeout = 3600\n[policy]\n"quiz_count" = "confirm"\n[servers.quiz]\n{table}'
        (self._desk / "config.toml").write_text(config)
        words = [str(DESKBELL), "serve", "--port", "0", "--presenter", f"command:{person}"]
        with subprocess.Popen(words, env=self._env, stderr=subprocess.PIPE, text=True) as app:
            assert app.stderr
            try:
                ready = app.stderr.readline()
                assert "listening on" in ready, ready
                self._learn_server()
                yield
            finally:
                app.terminate()
                app.communicate()

    def _learn_server(self) -> None:
        """Have Deskbell know its server, as on every day but the first."""
        subprocess.run([str(DESKBELL), "tools"], env=self._env, stdout=subprocess.DEVNULL, check=True)

    def _connect(self) -> None:
        if not self._program.recipe:
            return
        words = [str(DESKBELL), "hosts", "connect", self._program.recipe, "--create"]
        words += ["--approvals"] if self._kind.approvals else []
        done = subprocess.run(words, env=self._env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr or done.stdout
        if self._habit != "as it is":
            self._put_tap_before()

    def _put_tap_before(self) -> None:
        """Have the application start the tap in place of Deskbell."""
        tap = self._folder / "tap"
        command = " ".join(f'"{word}"' for word in self._tapped()[:-1])
        tap.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        tap.chmod(0o700)
        for file in self._home.rglob("*"):
            if file.is_file() and str(DESKBELL) in (text := file.read_text(errors="ignore")):
                file.write_text(text.replace(str(DESKBELL), str(tap)))

    def _tapped(self) -> tuple[str, ...]:
        return (sys.executable, str(TAP), self._habit, str(DESKBELL), "stdio")

    # --- the application -----------------------------------------------------------------------------

    def _start(self, words: Sequence[str], env: dict[str, str]) -> int | None:
        """Run the application to its end; return its exit code, None if it had to be ended."""
        work = self._folder / "work"
        hangs = self._habit == "hangs"  # then a person would end it some time after having answered
        longest = self._thinks + (_HANGING if hangs else 180.0)
        asked = _lines(self._questions)
        with open(self._folder / "stdout", "wb") as out, open(self._folder / "stderr", "wb") as err:
            with _STARTING:
                process = subprocess.Popen(
                    words,
                    env=env,
                    cwd=work,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
                self._let_start(process)
            if hangs:
                _wait_for_lines(self._questions, asked + 1, _ASKED)
            try:
                return process.wait(longest)
            except subprocess.TimeoutExpired:
                return None
            finally:
                self._end(process)

    def _let_start(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the application has called the tool, or has had time to."""
        deadline = time.monotonic() + _STARTED
        while process.poll() is None and not _lines(self._questions) and time.monotonic() < deadline:
            time.sleep(0.2)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End the application and all that it left behind, daemons too."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            left = [pid for pid in self._left() if pid != os.getpid()]
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            deadline = time.monotonic() + _END
            while left and self._left() and time.monotonic() < deadline:
                time.sleep(0.05)
        process.wait()

    def _left(self) -> list[int]:
        """Return the processes whose HOME is this run's, without Deskbell's own."""
        mark, own = f"HOME={self._home}".encode(), str(DESKBELL.parent).encode()
        found = []
        for entry in PROC.glob("[0-9]*"):
            with contextlib.suppress(OSError):
                environ, words = (entry / "environ").read_bytes(), (entry / "cmdline").read_bytes()
                if (
                    mark in environ.split(b"\0")
                    and not words.startswith(own)
                    and b"asking_server" not in words
                ):
                    found.append(int(entry.name))
        return found
