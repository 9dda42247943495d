"""How long the Activity page holds up the windows, with a hundred thousand lines of history.

`python -m tests.bench.activity` prints one JSON line: for each thing a person does there, the longest time
that the windows' thread worked without a pause, in milliseconds (goal: under 8). Painting is left out: it is
Qt's own, and takes as long as for any table of that size; "painting" tells how long that is here.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QStackedWidget,
    QWidget,
)

from bridge.api import History, Services
from bridge.core.status import RunningCall, Status
from bridge.journal import Journal, JournalEntry
from desktop.pages.activity.history_view import HistoryView
from desktop.pages.activity.page import ActivityPage
from desktop.questions.window_kinds import preload_question_windows

LINES = 100_000
SAID = 2_000  # of them, with what they said
SETTLING = 1.2  # seconds after each thing


def fill(path: Path) -> None:
    journal = Journal(path)
    now = time.time()
    for number in range(LINES):
        host, server = f"App {number % 5}", f"server{number % 12}"
        outcome = "error" if number % 17 == 0 else "ok"
        at = now - (LINES - number)
        if number % 20 == 0:
            detail = {"mode": "form", "message": f"Who is number {number}? " + "word " * 20}
            journal.record(JournalEntry("question", host, server, "ask", "accept", 4200.0, 0, detail, at))
        else:
            entry = JournalEntry(
                "call", host, server, f"tool{number % 40}", outcome, number % 900, 512, {}, at
            )
            journal.record(entry)
        if number % 5_000 == 0:
            journal.flush(60)
    for number in range(SAID):
        entry = JournalEntry("call", "App 1", "server1", "said", "ok", 3.0, 900, {}, now)
        journal.record_call(entry, b'{"query":"%d"}' % number, b'{"result":{"text":"%b"}}' % (b"word " * 150))
        if number % 10 == 0:
            journal.flush(60)
    journal.flush(60)
    journal.close()


class Pulse(QObject):
    """Beats as often as the loop lets it; the work of this thread between two beats is what held it up."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._last = time.thread_time()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(0)

    def _beat(self) -> None:
        now = time.thread_time()
        self.longest = max(self.longest, now - self._last)
        self._last = now
        time.sleep(0.0002)  # lets other threads have the interpreter, as an idle loop does

    def taken(self) -> float:
        longest, self.longest = self.longest * 1000, 0.0
        return longest


def main() -> int:
    sys.setswitchinterval(0.0005)
    app = QApplication([sys.argv[0]])
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as folder:
        path = Path(folder, "journal.db")
        fill(path)
        preload_question_windows(app)
        window, page = QStackedWidget(), ActivityPage(History(path), Services(lambda *_: None))
        window.addWidget(QWidget())
        window.addWidget(page)
        window.resize(1000, 700)
        window.show()
        page.setUpdatesEnabled(False)
        print(json.dumps(_measured(app, window, page, Path(folder))), flush=True)
        window.hide()
        page.close_history()
    return 0


def _measured(
    app: QApplication, window: QStackedWidget, page: ActivityPage, folder: Path
) -> dict[str, float]:
    """As in the application: in a window that is there, after what every window takes long for at first."""
    pulse = Pulse()
    words = page.findChildren(QLineEdit, "searchActivity")[0]
    view = page.findChildren(HistoryView, "activityList")[0]
    calls = tuple(RunningCall(n, "App", "server", "tool", time.time(), "server", 9) for n in range(200))

    def choose(name: str, row: int) -> Callable[[], None]:
        return lambda: page.findChildren(QComboBox, name)[0].setCurrentIndex(row)

    def scroll() -> None:
        for _ in range(30):
            view.scrollToBottom()
            _run(app, 0.05)

    steps: dict[str, Callable[[], object]] = {
        "first look": lambda: window.setCurrentWidget(page),
        "words of a question": lambda: words.setText("number 4"),
        "words of a call": lambda: words.setText("tool7 server3"),
        "words that calls said": lambda: words.setText("word query"),
        "two letters": lambda: words.setText("er"),
        "nothing like it": lambda: words.setText("zebra crossing"),
        "all again": words.clear,
        "scrolling through 3,000 lines": scroll,
        "one line": lambda: view.setCurrentIndex(view.model().index(50, 0)),
        "one kind": choose("activityKind", 2),
        "one outcome": choose("activityOutcome", 2),
        "one hour": choose("activityWhen", 1),
        "everything": page.findChildren(QAbstractButton, "clearFilter")[0].click,
        "200 calls under way": lambda: page.draw(Status(running=calls)),
        "their end": lambda: page.draw(Status()),
        "an export": lambda: page.export_to(str(folder / "all.csv")),
    }
    _run(app, 1.0)
    pulse.taken()
    found: dict[str, float] = {}
    for name, act in steps.items():
        act()
        _run(app, SETTLING)
        found[name] = round(pulse.taken(), 1)
    page.setUpdatesEnabled(True)
    _run(app, 0.5)
    began = time.thread_time()
    view.viewport().repaint()
    return found | {"painting": round((time.thread_time() - began) * 1000, 1)}


def _run(app: QApplication, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
