"""How long the windows are held up at a time, in normal use: every turn of Qt's loop, by the CPU it takes.

A person turns every page and is asked while an application makes calls. What Qt itself draws is counted too:
what Python does is at most this. `python -m tests.bench.pauses` is the process that has the windows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from tests.bench.hosts import Calls, StdioHost

GOAL = 8.0  # milliseconds
QUESTIONS = 20
SHOWN = 8
_NOTHING = 0.0001  # seconds: it only woke up
_STEP = 400  # milliseconds between what the person does
HERE = Path(__file__)
SERVER = [sys.executable, "-I", "-S", str(HERE.with_name("asking_server.py"))]
SHIM = [sys.executable, "-I", "-S", str(HERE.parents[2] / "bridge" / "__main__.py")]


def report(env: Mapping[str, str], where: str) -> None:
    said = _use(env)
    print(f"\n| pauses of the windows ({where}), CPU of one turn | ms |\n|---|---|")
    print(f"| turns in normal use: {said['turns']}; longer than {GOAL:g} ms (goal: none) | {said['long']} |")
    for what, ms in said["longest"]:
        print(f"| {what} | {ms:.1f} |")


def _use(env: Mapping[str, str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        Path(home, "config.toml").write_text(
            "port = 0\n[desktop]\nquestions_per_minute = 0\n"
            f'[servers.asking]\ncommand = "{SERVER[0]}"\nargs = {json.dumps(SERVER[1:])}\n'
        )
        mine = {**env, "DESKBELL_HOME": home}
        command = [sys.executable, "-m", "tests.bench.pauses"]
        with subprocess.Popen(command, env=mine, stdout=subprocess.PIPE, text=True) as app:
            assert app.stdout
            assert app.stdout.readline() == "ready\n"
            host = StdioHost([*SHIM, "stdio", "--server", "asking"], mine)
            host.open()
            host.sequential(Calls("ask", {}), QUESTIONS)
            assert app.stdout.readline() == "used\n"
            host.close()
            app.terminate()
            said: dict[str, Any] = json.loads(app.stdout.readline())
            return said


# ---- inside the process that has the windows ------------------------------------------------------------


class Turns:
    """Every turn of the loop of this thread; of a long one, what Python was at most of the time."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, str]] = []
        self._began = 0.0
        self._seen: Counter[str] = Counter()
        self._main = threading.get_ident()
        self._over = threading.Event()
        self._eye = threading.Thread(target=self._watch)

    def begin(self) -> None:
        from PySide6.QtCore import QAbstractEventDispatcher

        loop = QAbstractEventDispatcher.instance()
        loop.aboutToBlock.connect(self._rests)
        loop.awake.connect(self._rests)  # where more is to be done, it does not block, but looks for input
        self._eye.start()

    def end(self) -> dict[str, Any]:
        self._over.set()
        self._eye.join()
        self.taken.sort(reverse=True)
        long = sum(ms > GOAL for ms, _ in self.taken)
        longest = [(what, ms) for ms, what in self.taken[:SHOWN]]
        return {"turns": len(self.taken), "long": long, "longest": longest}

    def _rests(self) -> None:
        """From one rest to the next; resting takes no CPU."""
        now = time.thread_time()
        if self._began and now > self._began + _NOTHING:
            what = ", ".join(name for name, _ in self._seen.most_common(2))
            self.taken.append(((now - self._began) * 1000, what or "Qt"))
        self._seen, self._began = Counter(), now

    def _watch(self) -> None:
        while not self._over.wait(0.001):
            self._seen[_doing(sys._current_frames().get(self._main))] += 1


def _doing(frame: FrameType | None) -> str:
    """The innermost function of ours, and who called it."""
    names: list[str] = []
    while frame is not None and len(names) < 2:
        code = frame.f_code
        if f"{os.sep}desktop{os.sep}" in code.co_filename:
            names.append(f"{Path(code.co_filename).stem}.{code.co_name}")
        frame = frame.f_back
    return " < ".join(names) if names[:1] != ["loop.run"] else "Qt"


def app() -> None:
    from PySide6.QtCore import QObject, QTimer
    from PySide6.QtWidgets import QApplication

    from bridge.api import Home, accept
    from desktop import app as application
    from desktop.questions.base_window import QuestionWindow

    turns = Turns()

    class Person(QObject):
        """Turns every page, twice, and answers every question."""

        def __init__(self, desk: Any) -> None:
            super().__init__()
            self._desk = desk
            pages = desk._main_window().pages
            self._todo = [*pages, *pages, "home"]
            self._timer = QTimer(self, interval=_STEP)
            self._timer.timeout.connect(self._step)

        def begin(self) -> None:
            turns.begin()
            print("ready", flush=True)
            self._timer.start()

        def _step(self) -> None:
            for window in QApplication.topLevelWidgets():
                if isinstance(window, QuestionWindow) and window.isVisible() and not window.over:
                    answer = accept({"name": "Ada"})
                    QTimer.singleShot(0, window, partial(window.answer, answer))
                    return
            if self._todo:
                self._desk._show_page(self._todo.pop(0))
                self._desk._tray._menu.aboutToShow.emit()
            elif not self._desk._signals.latest.waiting:
                self._timer.stop()
                print("used", flush=True)

    class Used(application.Desktop):
        def _appear(self) -> None:
            super()._appear()
            self._person = Person(self)
            QTimer.singleShot(2500, self._person.begin)

    application.Desktop = Used  # type: ignore[misc]
    application.main(Home.find(os.environ), for_host=True)
    print(json.dumps(turns.end()))


if __name__ == "__main__":
    app()
