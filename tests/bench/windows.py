"""How long a person waits for a window: the real application, and forms of extreme size.

`python -m tests.bench.windows PART` runs in a process of its own and prints one JSON line. The clock of a
question runs from the moment its server writes it until its card is on the screen.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.bench import busy, hitches, pauses, starts
from tests.bench.hosts import Calls, StdioHost
from tests.rigs.desktop import MISSING, desktop

QUESTIONS = 100
ROUNDS = 5
HERE = Path(__file__)
SERVER = [sys.executable, "-I", "-S", str(HERE.with_name("asking_server.py"))]
SHIM = [sys.executable, "-I", "-S", str(HERE.parents[2] / "bridge" / "__main__.py")]


def report() -> None:
    """On a private desktop where there is one, else offscreen."""
    if MISSING:
        _report({**os.environ, "QT_QPA_PLATFORM": "offscreen"}, "offscreen")
    else:
        with desktop() as desk:
            _report(desk.env, "X11")


def _report(env: Mapping[str, str], where: str) -> None:
    waits = _questions(env)
    p50, p95 = statistics.median(waits), statistics.quantiles(waits, n=20)[-1]
    print(f"\n| windows ({where}) | ms |\n|---|---|")
    print(f"| question asked → its card on the screen, p50 of {len(waits)} | {p50:.0f} |")
    print(f"| the same, p95 (goal: under 50) | {p95:.0f} |")
    for what, ms in _run(env, "sizes").items():
        print(f"| {what} (goal: under 200) | {ms:.0f} |")
    command = [sys.executable, "-m", "tests.bench.activity"]
    done = subprocess.run(command, env=dict(env), stdout=subprocess.PIPE, check=True, timeout=600)
    for what, ms in json.loads(done.stdout).items():
        print(f"| Activity with 100,000 lines: {what} (goal: under 8, without painting) | {ms} |")
    starts.report(env, where)
    hitches.report(env, where)
    pauses.report(env, where)
    busy.report(env, where)


def _questions(env: Mapping[str, str]) -> list[float]:
    """Milliseconds of each question after the first few."""
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        Path(home, "config.toml").write_text(
            "port = 0\n[desktop]\nquestions_per_minute = 0\n"
            f'[servers.asking]\ncommand = "{SERVER[0]}"\nargs = {json.dumps(SERVER[1:])}\n'
        )
        mine = {**env, "DESKBELL_HOME": home}
        command = [sys.executable, "-m", "tests.bench.windows", "app"]
        with subprocess.Popen(command, env=mine, stdout=subprocess.PIPE, text=True) as app:
            assert app.stdout
            assert app.stdout.readline() == "ready\n"
            host = StdioHost([*SHIM, "stdio", "--server", "asking"], mine)
            host.open()
            host.sequential(Calls("ask", {}), QUESTIONS)
            host.close()
            app.terminate()
            return [float(line) for line in app.stdout if line.strip()]


def _run(env: Mapping[str, str], part: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.windows", part]
    said = subprocess.run(command, env=dict(env), capture_output=True, text=True, check=True).stdout
    figures: dict[str, float] = json.loads(said)
    return figures


# ---- inside the process that has the windows ------------------------------------------------------------


def app() -> None:
    """The application, with somebody who answers every question as soon as its card is seen."""
    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtGui import QWindow
    from PySide6.QtWidgets import QApplication

    from bridge.api import Home, accept
    from desktop import app as application
    from desktop import qt_application
    from desktop.questions.popup_card import PopupCard

    seen: set[str] = set()

    class Eye(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Expose and isinstance(watched, QWindow) and watched.isExposed():
                for card in QApplication.topLevelWidgets():
                    if isinstance(card, PopupCard) and card.windowHandle() is watched:
                        self.note(card)
            return False

        def note(self, card: PopupCard) -> None:
            question = card.shown.question
            if question is not None and question.id not in seen:
                seen.add(question.id)
                asked = float(question.message.rsplit(" ", 1)[1])
                print((time.monotonic() - asked) * 1000, flush=True)
                answer = accept({"name": "Ada"})
                QTimer.singleShot(0, card, lambda: card.answered.emit(question.id, answer))

    made, eye = qt_application.make_application, Eye()

    def watched() -> Any:
        qt = made()
        qt.installEventFilter(eye)
        QTimer.singleShot(1500, lambda: print("ready", flush=True))
        return qt

    qt_application.make_application = watched
    application.main(Home.find(os.environ), for_host=True)


def sizes() -> None:
    from PySide6.QtWidgets import QApplication

    from desktop.questions.form import FormWindow
    from tests.desktop import samples

    qt = QApplication(["bench"])
    many = [f"option number {number}" for number in range(10_000)]
    kinds = list(samples.EVERY_KIND.values())
    cases: dict[str, dict[str, Any]] = {
        "a choice of 10,000": {"it": {"type": "string", "enum": many}},
        "10,000 options to tick": {"it": {"type": "array", "items": {"enum": many}}},
        "200 fields of every kind": {f"f{n}": kinds[n % len(kinds)] for n in range(200)},
    }
    figures = {}
    FormWindow(samples.every_kind())  # fonts, styles
    for name, fields in cases.items():
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            window = FormWindow(samples.form(fields))
            window.fit()
            window.show()
            qt.processEvents()
            times.append((time.perf_counter() - began) * 1000)
            window.over = True
            window.close()
            window.deleteLater()
        figures[name] = statistics.median(times)
    print(json.dumps(figures))


if __name__ == "__main__":
    {"app": app, "sizes": sizes}[sys.argv[1]]()
