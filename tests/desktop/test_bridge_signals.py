"""Between the engine's thread and the windows: the latest Status crosses, and Answers go back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, Answer, NetworkError, Status
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

    def stop(self) -> None:
        self.threads.add(threading.get_ident())
        self.heard.append("stop")

    def answer(self, question_id: str, answer: Answer) -> None:
        self.heard.append((question_id, answer))

    def snooze(self, seconds: float | None = None) -> None:
        self.heard.append(("snooze", seconds))

    def resume(self) -> None:
        self.heard.append("resume")

    def mute(self, server: str, seconds: float) -> None:
        self.heard.append(("mute", server, seconds))

    def unmute(self, server: str) -> None:
        self.heard.append(("unmute", server))

    def spare(self, server: str) -> None:
        self.heard.append(("spare", server))

    def sign_in_to(self, server: str) -> None:
        self.heard.append(("sign in", server))

    def prefer(self, table: str, key: str, value: object) -> None:
        self.heard.append((table, key, value))

    def forget(self, rows: tuple[int, ...] | None) -> None:
        self.heard.append(("forget", rows))

    def sign_in(self, who: str = "", service: str = "", password: str = "") -> None:
        self.heard.append(("sign in", who))

    def cancel_sign_in(self) -> None:
        self.heard.append("cancel")

    def delete_account(self, did: str) -> None:
        self.heard.append(("delete", did))

    def make_default(self, did: str) -> None:
        self.heard.append(("default", did))

    def read_autoreply(self) -> None:
        self.heard.append("autoreply")

    def look_for_pictures(self) -> None:
        self.heard.append("pictures")

    def renew_token(self) -> None:
        self.heard.append("renew token")

    def woke(self) -> None:
        self.heard.append("woke")

    def ask_for_updates(self) -> None:
        self.heard.append("updates")

    def look_at_apps(self) -> None:
        self.heard.append("apps")

    def propose_change(self, app: str, what: str, move: bool = False, http: bool = False) -> None:
        self.heard.append((what, app, move, http))

    def agree_to_change(self, number: int) -> None:
        self.heard.append(("agree", number))

    def dismiss_change(self) -> None:
        self.heard.append("dismiss")

    def ask_by(self, host: str, asks: str) -> None:
        self.heard.append((host, asks))


class Line:
    def __init__(self, *, fails: bool = False) -> None:
        self.bridges: list[Recorder] = []
        self.seen: list[tuple[str, int]] = []
        self.signals = BridgeSignals(lambda report, _: self.made(report, fails))
        self.signals.status.connect(lambda s: self.seen.append((s.version, threading.get_ident())))

    def made(self, report: Callable[[Status], None], fails: bool) -> Any:
        """Not all that a Bridge can do passes through here."""
        self.bridges.append(Recorder(report, fails))
        return self.bridges[-1]


def test_start_and_stop_happen_off_the_gui_thread_and_status_arrives_in_it(
    qapp: QApplication, qtbot: QtBot
) -> None:
    line = Line()

    async def life() -> None:
        await line.signals.start()
        line.signals.answer("q1", CANCEL)
        line.signals.ask(lambda bridge: bridge.snooze(1800.0))
        await line.signals.stop()
        line.signals.answer("late", CANCEL)
        line.signals.ask(lambda bridge: bridge.resume())

    qt_loop.run(qapp, life())
    qtbot.waitUntil(lambda: bool(line.seen))
    bridge = line.bridges[0]
    assert bridge.heard == [("q1", CANCEL), ("snooze", 1800.0), "stop"]
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
