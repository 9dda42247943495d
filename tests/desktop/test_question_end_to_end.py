"""One real question crosses the house: an AI app asks, a window opens, a person answers, the app hears it."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from bridge.api import Bridge, Home
from desktop import qt_loop
from desktop.bridge_signals import BridgeSignals
from desktop.questions.base_window import QuestionWindow
from desktop.questions.presenter import QuestionPresenter
from tests.fixtures.patience import WITHIN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets")


class Host:
    """An AI app that cannot ask by itself, over the same socket as a host's stdio process."""

    def __init__(self, home: Home, name: str) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(home.socket)
        self._line.setblocking(False)
        self._heard = b""
        hello = {"deskbell": 1, "verb": "stdio", "server": "desk"}
        who = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": name, "version": "1"},
        }
        self._send(hello)
        self._send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": who})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, number: int, tool: str, **arguments: object) -> None:
        params = {"name": tool, "arguments": arguments}
        self._send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})

    async def reply(self, number: int) -> str:
        """The text of this call's result."""
        while True:
            for line in self._heard.splitlines():
                message = json.loads(line) if line.endswith(b"}") else {}
                if message.get("id") == number:
                    return str(message["result"]["content"][0]["text"])
            await eventually(self._hear)

    def close(self) -> None:
        self._line.close()

    def _hear(self) -> bool:
        try:
            part = self._line.recv(65536)
        except BlockingIOError:
            return False
        assert part, "the bridge hung up"
        self._heard += part
        return True

    def _send(self, message: dict[str, Any]) -> None:
        self._line.sendall(json.dumps(message).encode() + b"\n")


async def eventually(happens: Callable[[], object]) -> None:
    end = time.monotonic() + WITHIN
    while not happens():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


def windows() -> list[QuestionWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QuestionWindow) and w.isVisible()]


def press(name: str) -> None:
    QTest.mouseClick(windows()[0].findChildren(QAbstractButton, name)[0], Qt.MouseButton.LeftButton)


def live(app: QApplication, root: Path, story: Callable[[Home], Coroutine[Any, Any, None]]) -> None:
    """Run a story while a real bridge and its question windows are up."""
    home = Home(root)
    signals = BridgeSignals(lambda report, busy: Bridge(home, on_status=report, on_busy=busy))
    presenter = QuestionPresenter()
    signals.status.connect(presenter.draw)
    presenter.answered.connect(signals.services.questions.answer)

    async def life() -> None:
        await signals.start()
        try:
            await story(home)
        finally:
            presenter.close()
            await signals.stop()

    qt_loop.run(app, life())


@pytest.fixture(autouse=True)
def _any_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKBELL_PORT", "0")


def test_a_question_is_asked_answered_and_heard(qapp: QApplication, tmp_path: Path) -> None:
    async def story(home: Home) -> None:
        host = Host(home, "My App")
        host.call(1, "elicit_input", message="Who are you?")
        await eventually(windows)
        assert windows()[0].message.toPlainText() == "Who are you?"
        assert windows()[0].question.host == "My App"
        QTest.keyClicks(windows()[0].findChildren(QWidget, "field:value")[0], "Ada")
        press("send")
        assert "Ada" in await host.reply(1)
        host.close()

    live(qapp, tmp_path, story)


def test_questions_of_parallel_apps_come_one_by_one_and_never_mix(qapp: QApplication, tmp_path: Path) -> None:
    async def story(home: Home) -> None:
        hosts = [Host(home, f"App {number}") for number in range(5)]
        for number, host in enumerate(hosts):
            host.call(number + 1, "elicit_input", message=f"Question {number}")
        for _ in hosts:
            await eventually(lambda: windows() and windows()[0].settled)
            (line,) = windows()[0].findChildren(QWidget, "field:value")
            QTest.keyClicks(line, f"for {windows()[0].question.message}")
            press("send")
        for number, host in enumerate(hosts):
            assert f"for Question {number}" in await host.reply(number + 1)
            host.close()

    live(qapp, tmp_path, story)


def test_an_app_that_leaves_takes_its_question_with_it(qapp: QApplication, tmp_path: Path) -> None:
    async def story(home: Home) -> None:
        host = Host(home, "My App")
        host.call(1, "elicit_input", message="Who are you?")
        await eventually(windows)
        host.close()
        await eventually(lambda: not windows())

    live(qapp, tmp_path, story)


def test_when_deskbell_ends_a_waiting_question_is_cancelled_and_the_app_is_told(
    qapp: QApplication, tmp_path: Path
) -> None:
    hosts: list[Host] = []

    async def story(home: Home) -> None:
        hosts.append(Host(home, "My App"))
        hosts[0].call(1, "elicit_input", message="Who are you?")
        await eventually(windows)

    live(qapp, tmp_path, story)
    hosts[0]._hear()
    assert b'"id":1' in hosts[0]._heard.replace(b": ", b":")
    hosts[0].close()
