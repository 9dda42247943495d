"""One notification, replaced and closed over the session bus; where there is none, the tray's balloon.

The daemon here speaks D-Bus as the specification has it; tests/live meets real ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktop.alerts.notifications import DEFAULT, Notification, Notifier
from desktop.system.dbus import DBus, DBusObject, OnReply, OnSignal

HELLO = Notification("A question is waiting", "a & b <asks>", (("answer", "Answer"),))
LATER = Notification("2 questions are waiting", "From github")


class Daemon(DBus):
    """A notification daemon on a bus of its own."""

    def __init__(self, can: tuple[str, ...] = ("actions", "body-markup"), slow: bool = False) -> None:
        super().__init__()
        self.can, self.slow = can, slow
        self.there = True
        self.shown: dict[int, tuple[Any, ...]] = {}
        self.heard: dict[str, OnSignal] = {}
        self.later: list[Callable[[], None]] = []
        self._next = 0

    def call(
        self,
        place: DBusObject,
        method: str,
        signature: str,
        body: tuple[Any, ...],
        reply: OnReply,
        start: bool = True,
    ) -> None:
        answer = self._answer(method, body) if self.there else None
        if self.slow:
            self.later.append(lambda: reply(answer))
        else:
            reply(answer)

    def subscribe(self, place: DBusObject, member: str, callback: OnSignal) -> None:
        self.heard[member] = callback

    def _answer(self, method: str, body: tuple[Any, ...]) -> tuple[Any, ...]:
        if method == "GetCapabilities":
            return (list(self.can),)
        if method == "CloseNotification":
            self.shown.pop(body[0], None)
            return ()
        if not body[1]:
            self._next += 1
        number = body[1] or self._next
        self.shown[number] = body
        return (number,)

    def answers(self) -> None:
        while self.later:
            self.later.pop(0)()


class Desk:
    def __init__(self, daemon: DBus) -> None:
        self.balloons: list[tuple[str, str]] = []
        self.chosen: list[str] = []
        self.notifier = Notifier(daemon, lambda *words: self.balloons.append(words))
        self.notifier.chosen.connect(self.chosen.append)


def test_a_notification_is_shown_with_its_buttons_and_as_text_not_as_markup(qtbot: QtBot) -> None:
    daemon = Daemon()
    Desk(daemon).notifier.show(HELLO)
    ((app, replaces, picture, title, text, actions, hints, stays),) = daemon.shown.values()
    assert (app, replaces, title, stays) == ("Deskbell", 0, "A question is waiting", 0)
    assert text == "a &amp; b &lt;asks&gt;"
    assert actions == [DEFAULT, "", "answer", "Answer"]
    assert picture.startswith("file:///")
    assert hints["suppress-sound"] == ("b", True)
    assert hints["desktop-entry"] == ("s", "deskbell")


def test_a_plain_daemon_gets_plain_text_and_no_buttons(qtbot: QtBot) -> None:
    daemon = Daemon(can=())
    Desk(daemon).notifier.show(HELLO)
    assert daemon.shown[1][4] == "a & b <asks>"
    assert daemon.shown[1][5] == []


def test_the_next_one_replaces_it_and_the_same_again_changes_nothing(qtbot: QtBot) -> None:
    daemon = Daemon()
    desk = Desk(daemon)
    desk.notifier.show(HELLO)
    desk.notifier.show(LATER)
    desk.notifier.show(LATER)
    assert [body[3] for body in daemon.shown.values()] == ["2 questions are waiting"]
    desk.notifier.close()
    assert daemon.shown == {}


def test_only_the_last_comes_while_a_daemon_takes_its_time(qtbot: QtBot) -> None:
    daemon = Daemon(slow=True)
    desk = Desk(daemon)
    desk.notifier.show(HELLO)
    desk.notifier.show(LATER)
    daemon.answers()
    assert [body[3] for body in daemon.shown.values()] == ["2 questions are waiting"]


def test_a_notification_that_was_closed_before_it_came_does_not_stay(qtbot: QtBot) -> None:
    daemon = Daemon(slow=True)
    desk = Desk(daemon)
    desk.notifier.show(HELLO)
    daemon.later.pop(0)()
    desk.notifier.close()
    daemon.answers()
    assert daemon.shown == {}


def test_a_button_is_heard_and_those_of_others_are_not(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    daemon = Daemon()
    desk = Desk(daemon)
    desk.notifier.show(HELLO)
    daemon.heard["ActivationToken"]((1, "let me"))
    daemon.heard["ActionInvoked"]((7, "answer"))
    daemon.heard["ActionInvoked"]((1, "answer"))
    assert desk.chosen == ["answer"]
    assert os.environ.pop("XDG_ACTIVATION_TOKEN") == "let me"
    daemon.heard["NotificationClosed"]((1, 2))
    daemon.heard["ActionInvoked"]((1, "answer"))
    assert desk.chosen == ["answer"]


def test_a_loud_one_has_its_sound_where_the_daemon_plays_it(qtbot: QtBot) -> None:
    daemon = Daemon(can=("sound",))
    Desk(daemon).notifier.show(Notification("t", "x", loud=True))
    kind, path = daemon.shown[1][6]["sound-file"]
    assert kind == "s"
    assert os.path.getsize(path) > 1000


def test_where_there_is_no_daemon_the_balloon_tells(qtbot: QtBot) -> None:
    daemon = Daemon()
    daemon.there = False
    desk = Desk(daemon)
    desk.notifier.show(HELLO)
    assert desk.balloons == [("A question is waiting", "a & b <asks>")]
    daemon.there = True
    desk.notifier.show(LATER)
    assert len(daemon.shown) == 1


def test_without_a_bus_every_call_is_answered_with_nothing(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all")
    desk = Desk(DBus())
    desk.notifier.show(HELLO)
    assert len(desk.balloons) == 1
    desk.notifier.close()
