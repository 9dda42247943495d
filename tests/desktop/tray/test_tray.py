"""The bell in the tray shows what Status says, and its menu leads everywhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QColor, QIcon, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from bridge.api import AccountsStatus, Flood, HostStatus, ServerStatus, Status
from desktop.theme.colours import contrast
from desktop.tray.tray import Tray, tray_state
from desktop.widgets.icons import TrayState, app_icon, draw_tray_icon, tray_variant
from tests.desktop import samples

BROKEN = Status(address="http://127.0.0.1:1/mcp", problems=("The port is taken.",))
FAILED = Status(address="http://127.0.0.1:1/mcp", servers=(ServerStatus("files", "stdio", "failed"),))


def tray_icon(state: TrayState, count: int = 0, variant: str = "light") -> QIcon:
    drawing = draw_tray_icon(state, count, variant)
    while True:
        try:
            next(drawing)
        except StopIteration as done:
            icon: QIcon = done.value
            return icon


@pytest.fixture
def tray(qtbot: QtBot) -> Iterator[Tray]:
    made = Tray()
    yield made
    made.hide()


def icon(tray: Tray) -> QSystemTrayIcon:
    return tray.findChildren(QSystemTrayIcon)[0]


def actions(tray: Tray) -> list[QAction]:
    shown = [action for action in icon(tray).contextMenu().actions() if action.isVisible()]
    return [action for action in shown if not action.isSeparator()]


def painted(picture: QIcon, size: int = 32) -> bytes:
    return bytes(picture.pixmap(QSize(size, size), 1.0).toImage().constBits())


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (samples.QUIET, TrayState.IDLE),
        (samples.busy(), TrayState.WAITING),
        (BROKEN, TrayState.PROBLEM),
        (FAILED, TrayState.PROBLEM),
        (samples.BESET, TrayState.SNOOZED),
    ],
)
def test_the_state_follows_the_status(status: Status, state: TrayState) -> None:
    assert tray_state(status) is state


@pytest.mark.parametrize(
    ("desktop", "wanted", "variant"),
    [
        ("KDE", "colour", "light"),
        ("KDE", "mono", "mono-light"),
        ("ubuntu:GNOME", "colour", "dark"),
        ("ubuntu:GNOME", "mono", "mono-dark"),
        ("ubuntu:GNOME", "mono-light", "mono-light"),
        ("XFCE", "mono-dark", "mono-dark"),
    ],
)
def test_the_icon_is_for_the_panel_it_is_on(
    monkeypatch: pytest.MonkeyPatch, desktop: str, wanted: str, variant: str
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", desktop)
    assert tray_variant(wanted) == variant


@pytest.mark.parametrize("variant", ["light", "dark", "mono", "mono-light", "mono-dark"])
def test_every_state_has_its_own_picture_in_every_variant(qtbot: QtBot, variant: str) -> None:
    pictures = {painted(tray_icon(state, variant=variant)) for state in TrayState}
    assert len(pictures) == len(TrayState)
    assert any(any(picture) for picture in pictures)


def test_the_count_is_on_the_icon(qtbot: QtBot) -> None:
    counts = (0, 1, 2, 10, 12, 99, 100)
    assert len({painted(tray_icon(TrayState.WAITING, count)) for count in counts}) == len(counts)
    many = painted(tray_icon(TrayState.WAITING, 100)), painted(tray_icon(TrayState.WAITING, 500))
    assert many[0] == many[1]


def test_while_snoozed_the_count_does_not_call_in_red(qtbot: QtBot) -> None:
    def is_red(state: TrayState) -> bool:
        image = tray_icon(state, 3).pixmap(QSize(24, 24), 1.0).toImage()
        dots = (image.pixelColor(x, y) for x in range(24) for y in range(24))
        return any(dot.red() > 150 > 60 > dot.green() for dot in dots if dot.alpha() == 255)

    assert is_red(TrayState.WAITING)
    assert not is_red(TrayState.SNOOZED)


def test_of_one_colour_it_is_drawn_in_the_ink_of_its_panel(tray: Tray) -> None:
    tray.draw(replace(samples.busy(), icon="mono"))
    image = icon(tray).icon().pixmap(QSize(32, 32), 1.0).toImage()
    dots = [image.pixelColor(x, y) for x in range(32) for y in range(32)]
    ink = QColor("#2e3440")
    seen = Counter(dot.name() for dot in dots if dot.alpha() == 255)
    assert seen.most_common(1)[0][0] == ink.name()
    assert all(dot.hslSaturation() <= ink.hslSaturation() for dot in dots if dot.alpha() == 255)  # no colour


@pytest.mark.parametrize("variant", ["light", "dark", "mono-light", "mono-dark"])
@pytest.mark.parametrize("panel", ["#f6f5f4", "#2b2b2b"])
@pytest.mark.parametrize("state", TrayState)
def test_on_no_panel_is_it_unseen(qtbot: QtBot, state: TrayState, panel: str, variant: str) -> None:
    """How dark a panel is can only be guessed."""
    picture = QPixmap(24, 24)
    picture.fill(QColor(panel))
    painter = QPainter(picture)
    painter.drawPixmap(0, 0, tray_icon(state, variant=variant).pixmap(QSize(24, 24), 1.0))
    painter.end()
    image = picture.toImage()
    dots = [image.pixelColor(x, y) for x in range(24) for y in range(24)]
    assert sum(contrast(dot, QColor(panel)) >= 3 for dot in dots) > 40  # WCAG 2.2, 1.4.11


def test_the_app_has_a_picture(qtbot: QtBot) -> None:
    assert not app_icon().pixmap(64, 64).isNull()


def test_the_menu_is_there_before_anything_is_known(tray: Tray) -> None:
    words = [action.text().replace("&", "") for action in actions(tray)]
    assert words == [
        "Starting…",
        "Answer next question",
        "Open Deskbell",
        "AI apps…",
        "Servers…",
        "Activity…",
        "Snooze",
        "Settings…",
        "Quit",
    ]
    assert [action.isEnabled() for action in actions(tray)] == [False, False, *[True] * 7]


def test_the_menu_tells_how_apps_and_servers_are(tray: Tray) -> None:
    def texts() -> list[str]:
        return [action.text().replace("&", "") for action in actions(tray)][3:5]

    host = HostStatus("cursor-vscode", "1", "stdio", "", False, (), 0)
    tray.draw(Status(version="1", hosts=(host,), servers=(ServerStatus("a", "stdio", "ready"),)))
    assert texts() == ["AI apps: Cursor", "Servers: 1 running"]
    assert actions(tray)[0].text() == "Ready · Cursor"
    both = (host, replace(host, name="Zed"))
    broken = (ServerStatus("a", "stdio", "ready"), ServerStatus("b", "stdio", "failed"))
    tray.draw(Status(version="1", hosts=both, servers=broken))
    assert texts() == ["AI apps: 2 connected", "Servers: 1 failed"]


def test_bluesky_is_in_the_menu_once_it_is_used(tray: Tray) -> None:
    def is_there() -> bool:
        return any(action.text().replace("&", "") == "Bluesky…" for action in actions(tray))

    tray.draw(Status(version="1"))
    assert not is_there()
    tray.draw(Status(version="1", bluesky=AccountsStatus(chosen=True)))
    assert is_there()


def test_the_menu_and_the_tooltip_count_what_waits(tray: Tray) -> None:
    tray.draw(samples.busy())
    line, answer = actions(tray)[:2]
    assert (line.text(), line.isEnabled()) == ("Questions waiting: 3", False)
    assert (answer.text().replace("&", ""), answer.isEnabled()) == ("Answer next question (3)", True)
    assert "Questions waiting: 3" in icon(tray).toolTip()
    tray.draw(samples.QUIET)
    assert not actions(tray)[1].isEnabled()
    assert actions(tray)[0].text() == "Ready · no apps connected"


def test_a_problem_is_said_in_words(tray: Tray) -> None:
    tray.draw(BROKEN)
    assert actions(tray)[0].text() == "The port is taken."
    tray.draw(FAILED)
    assert actions(tray)[0].text() == "files has failed"


def test_each_entry_of_the_menu_does_what_it_says(tray: Tray, qtbot: QtBot) -> None:
    tray.draw(replace(samples.busy(), bluesky=AccountsStatus(chosen=True)))
    by_words = {action.text().replace("&", ""): action for action in actions(tray)}
    for words, wanted, said in (
        ("Answer next question (3)", tray.next_wanted, []),
        ("Open Deskbell", tray.window_wanted, []),
        ("Bluesky…", tray.page_wanted, ["accounts"]),
        ("Servers: 1 failed", tray.page_wanted, ["servers"]),
        ("AI apps: 2 connected", tray.page_wanted, ["hosts"]),
        ("Activity…", tray.page_wanted, ["activity"]),
        ("Settings…", tray.page_wanted, ["preferences"]),
        ("Quit", tray.quit_wanted, []),
    ):
        with qtbot.waitSignal(wanted) as heard:
            by_words[words].trigger()
        assert heard.args == said


def test_every_entry_of_the_menu_has_a_key_of_its_own(tray: Tray) -> None:
    keys = [QKeySequence.mnemonic(action.text()).toString() for action in actions(tray)]
    assert "" in keys  # what it says on top does nothing
    assert len(keys) == len(set(keys))


def test_a_snooze_is_chosen_shown_and_ended_in_the_menu(tray: Tray, qtbot: QtBot) -> None:
    menu = tray.findChildren(QSystemTrayIcon)[0].contextMenu().findChildren(QMenu, "snoozeMenu")[0]
    said: list[float] = []
    tray.snooze_wanted.connect(said.append)
    for entry in menu.actions():
        entry.trigger()
    assert said == [1800.0, 3600.0, 28800.0, 0.0]
    tray.draw(replace(samples.busy(), snoozed=True))
    assert actions(tray)[0].text() == "Snoozed. Questions waiting: 3"
    (resume,) = [action for action in actions(tray) if action.text().replace("&", "") == "Resume"]
    with qtbot.waitSignal(tray.resume_wanted):
        resume.trigger()
    tray.draw(replace(samples.QUIET, snoozed=True, snoozed_until=time.time() + 600))
    assert actions(tray)[0].text().startswith("Snoozed until ")


def test_a_server_that_asks_too_much_is_named(tray: Tray) -> None:
    tray.draw(replace(samples.busy(), floods=(Flood("github", 12),)))
    assert actions(tray)[0].text() == "github is asking a lot"


def test_a_click_leads_to_the_question_or_else_to_the_window(tray: Tray, qtbot: QtBot) -> None:
    with qtbot.waitSignal(tray.window_wanted):
        icon(tray).activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    tray.draw(samples.busy())
    with qtbot.waitSignal(tray.next_wanted):
        icon(tray).activated.emit(QSystemTrayIcon.ActivationReason.Trigger)


def test_a_double_click_is_one_wish_and_the_middle_button_brings_the_window(tray: Tray, qtbot: QtBot) -> None:
    why = QSystemTrayIcon.ActivationReason
    tray.draw(samples.busy())
    wishes: list[str] = []
    tray.next_wanted.connect(lambda: wishes.append("question"))
    tray.window_wanted.connect(lambda: wishes.append("window"))
    for reason in (why.Trigger, why.DoubleClick, why.MiddleClick, why.Context):
        icon(tray).activated.emit(reason)
    assert wishes == ["question", "window"]
    tray.hide()
    icon(tray).activated.emit(why.DoubleClick)  # where a click alone is not told of
    assert wishes == ["question", "window", "question"]


def test_without_a_tray_it_looks_again_until_there_is_one(
    tray: Tray, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.tray.tray.RETRY", 5)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    assert not tray.look()
    with qtbot.waitSignal(tray.found):
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
