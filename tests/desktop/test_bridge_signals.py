"""Between the engine's thread and the windows: the latest Status crosses, and Answers go back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, Arguments, NetworkError, Status
from desktop import qt_loop
from desktop.bridge_signals import BridgeSignals


class Recorder:
    """As much of a Bridge as the signals use; writes down what it hears."""

    def __init__(self, report: Callable[[Status], None], fails: bool = False) -> None:
        self.report, self.fails = report, fails
        self.heard: list[object] = []
        self.threads: set[int] = set()

    def start(self) -> None:
        self.threads.add(threading.get_ident())
        if self.fails:
            raise NetworkError("The port is taken")
        self.report(Status(version="1"))

    def when_ended(self, act: Callable[[], None]) -> None:
        self.end = act

    def stop(self) -> None:
        self.threads.add(threading.get_ident())
        self.heard.append("stop")

    def call(self, service: str, method: str, arguments: Arguments) -> None:
        self.heard.append((service, method, *arguments[0]))


class Line:
    def __init__(self, *, fails: bool = False) -> None:
        self.bridges: list[Recorder] = []
        self.seen: list[tuple[str, int]] = []
        self.signals = BridgeSignals(lambda report, _: self.made(report, fails))
        self.signals.status.connect(lambda s: self.seen.append((s.version, threading.get_ident())))

    def made(self, report: Callable[[Status], None], fails: bool) -> Any:
        self.bridges.append(Recorder(report, fails))
        return self.bridges[-1]


def test_start_and_stop_happen_off_the_gui_thread_and_status_arrives_in_it(
    qapp: QApplication, qtbot: QtBot
) -> None:
    line = Line()

    async def life() -> None:
        await line.signals.start()
        line.signals.services.questions.answer("q1", CANCEL)
        line.signals.services.servers.restart("github")
        await line.signals.stop()
        line.signals.services.questions.answer("late", CANCEL)

    qt_loop.run(qapp, life())
    qtbot.waitUntil(lambda: bool(line.seen))
    bridge = line.bridges[0]
    assert bridge.heard == [("questions", "answer", "q1", CANCEL), ("servers", "restart", "github"), "stop"]
    assert threading.get_ident() not in bridge.threads
    assert line.seen == [("1", threading.get_ident())]


def test_a_failed_start_raises_what_the_bridge_raised_and_may_be_tried_again(qapp: QApplication) -> None:
    line = Line(fails=True)
    for _ in range(2):
        with pytest.raises(NetworkError, match="The port is taken"):
            qt_loop.run(qapp, line.signals.start())
    assert len(line.bridges) == 2


def test_a_burst_from_the_engine_is_one_visit_with_the_latest(qapp: QApplication, qtbot: QtBot) -> None:
    line = Line()
    qt_loop.run(qapp, line.signals.start())
    qtbot.waitUntil(lambda: len(line.seen) == 1)
    report = line.bridges[0].report
    burst = threading.Thread(target=lambda: [report(Status(version=str(n))) for n in range(1000)])
    burst.start()
    burst.join()
    qtbot.waitUntil(lambda: line.seen[-1][0] == "999")
    assert len(line.seen) == 2


def test_an_engine_that_ends_by_itself_is_told_in_the_gui_thread(qapp: QApplication, qtbot: QtBot) -> None:
    line = Line()
    ended: list[int] = []
    line.signals.ended.connect(lambda: ended.append(threading.get_ident()))
    qt_loop.run(qapp, line.signals.start())
    engine = threading.Thread(target=line.bridges[0].end)
    engine.start()
    engine.join()
    qtbot.waitUntil(lambda: ended == [threading.get_ident()])
