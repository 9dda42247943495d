"""What every desktop test leaves behind: no window, no running timer, no thread."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import desktop.questions.window_kinds  # noqa: F401 - as if an AI application had come: no Question waits for it
from desktop.lazy import time_slices
from desktop.theme.appearance import install
from tests.desktop.service_calls import ServiceCalls
from tests.fixtures.patience import WITHIN


@pytest.fixture(autouse=True, scope="session")
def _dressed(qapp: QApplication) -> None:
    """The style of the application: windows are measured and painted as people see them."""
    install(qapp)


@pytest.fixture(autouse=True, scope="module")
def _swept() -> Iterator[None]:
    """Here, in Qt's own thread: the next file's threads would sweep up windows that only this one may end,
    and what Qt still means to tell them would come when they are gone. Without a screen, Qt frees what is in
    the clipboard when the process exits; QMimeData made by Python would then crash it."""
    yield
    QApplication.clipboard().clear()
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes in slices comes in one: a test looks at what is there in the end."""
    monkeypatch.setattr(time_slices, "SLICE", float("inf"))


@pytest.fixture
def calls(qtbot: QtBot) -> ServiceCalls:
    """The services that windows under test call."""
    return ServiceCalls(qtbot)


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a slow computer: every step is a slice of its own."""
    monkeypatch.setattr(time_slices, "SLICE", 0.0)


@pytest.fixture(autouse=True)
def _nothing_is_left(qapp: QApplication) -> Iterator[None]:
    qapp.setQuitOnLastWindowClosed(False)  # as the application has it
    before = set(threading.enumerate())
    yield
    for widget in QApplication.topLevelWidgets():
        widget.hide()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    windows = QApplication.topLevelWidgets()
    running = [timer for window in windows for timer in window.findChildren(QTimer) if timer.isActive()]
    assert not running, f"still ticking: {running}"
    end = time.monotonic() + WITHIN
    while (
        left := set(threading.enumerate()) - before
    ):  # a thread that has done its work takes a moment to end
        assert time.monotonic() < end, f"left running: {left}"
        time.sleep(0.01)
