"""A question is seen, heard and answered on a real desktop: by a press, a key, a file dropped on it."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bridge.api import Home, ask_running
from tests.journeys.app_under_test import until
from tests.live.test_attention import Open, answer, in_front, notifications, open_house, show_window
from tests.live.test_desktop import PICTURES, House
from tests.rigs.atspi import Thing
from tests.rigs.desktop import MISSING

__all__ = ["open_house"]  # a fixture
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}")
TITLE, CARD = "Question from desk", "Deskbell: new question"
NAME = {"type": "object", "properties": {"name": {"type": "string", "title": "Your name", "maxLength": 60}}}
_PLACES = {"type": "string", "title": "Where", "enum": ["Development", "Staging", "Production"]}
WHERE = {"type": "object", "properties": {"where": _PLACES}, "required": ["where"]}
GO = {"type": "object", "properties": {"go": {"type": "boolean", "title": "Go on?"}}, "required": ["go"]}
_PICTURE = {
    "type": "string",
    "title": "Screenshot",
    "contentEncoding": "base64",
    "contentMediaType": "image/png",
}
SHOT = {"type": "object", "properties": {"shot": _PICTURE}, "required": ["shot"]}
DOCK = """
import sys
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QImage
from PySide6.QtWidgets import QApplication, QLabel

class Source(QLabel):
    def mousePressEvent(self, event):
        drag, data = QDrag(self), QMimeData()
        data.setUrls([QUrl.fromLocalFile(sys.argv[1])])
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

app = QApplication(sys.argv)
app.clipboard().setImage(QImage(40, 30, QImage.Format.Format_RGB32))
source = Source("drag me")
source.setWindowTitle("source")
source.setGeometry(40, 60, 200, 80)
source.show()
app.exec()
"""


def click(house: House, thing: Thing) -> None:
    x, y = thing.middle
    house.desk.run("xdotool", "mousemove", str(x), str(y), "click", "1")


def press_until(house: House, key: str, look: Any) -> None:
    """A window that has just appeared takes no answer."""

    def pressed() -> bool:
        if not look():
            house.desk.keys(key)
        return bool(look())

    until(pressed)


def to_front(house: House) -> Thing:
    """The question's window, opened by the shortcut."""
    window = house.screen.window(TITLE)
    house.desk.keys("super+alt+a")
    until(lambda: in_front(house) == TITLE)
    return window


def deadline(house: House) -> float:
    said = ask_running(Home(Path(house.env["DESKBELL_HOME"])), "status")
    assert said is not None
    return float(said["waiting"][0]["deadline"])


def test_without_tray_and_task_bar_a_question_is_seen_and_answered_with_one_press(open_house: Open):
    house = open_house(tray="none")
    show_window(house)
    house.desk.keys("alt+F4")
    until(lambda: "Deskbell" not in house.screen.windows())
    call = house.asks(WHERE, "Which environment should I deploy to?")
    card = house.screen.window(CARD)
    house.desk.screenshot(PICTURES / "card-without-tray.png")
    assert in_front(house) == ""  # the card takes the keyboard from nobody
    state = house.desk.run("xprop", "-name", CARD, "_NET_WM_STATE")
    assert {"_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_ABOVE"} <= set(state.replace(",", "").split())
    staging = card.find("push button", "Staging")

    def is_answered() -> bool:
        if not call.done():
            click(house, staging)
        return call.done()

    until(is_answered)
    assert answer(call) == {"action": "accept", "content": {"where": "Staging"}}


@pytest.mark.parametrize(
    ("schema", "key", "sent"),
    [(WHERE, "2", {"where": "Staging"}), (GO, "n", {"go": False}), (GO, "y", {"go": True})],
)
def test_one_key_answers(open_house: Open, schema: Any, key: str, sent: dict[str, Any]):
    house = open_house()
    call = house.asks(schema)
    to_front(house)
    press_until(house, key, call.done)
    assert answer(call) == {"action": "accept", "content": sent}


def test_escape_is_undone_with_what_was_typed_and_a_reason_is_told(open_house: Open):
    house = open_house()
    call = house.asks(NAME)
    window = to_front(house)
    field = window.find("text", "Your name")
    until(lambda: field.focused)
    house.desk.type("Ada")
    press_until(house, "Escape", lambda: CARD in house.screen.windows())
    click(house, house.screen.window(CARD).find("push button", "Undo"))
    until(lambda: in_front(house) == TITLE)
    assert not call.done()
    house.desk.type(" Lovelace")
    until(lambda: house.screen.window(TITLE).find("text", "Your name").text == "Ada Lovelace")
    click(house, house.screen.window(TITLE).find("push button", "Other ways not to answer"))
    house.desk.keys("Up", "Return")
    until(lambda: house.screen.window(TITLE).find("text", "Reason").focused)
    house.desk.type("Ask Grace instead")
    house.desk.screenshot(PICTURES / "reason.png")
    press_until(house, "Return", call.done)
    assert answer(call) == {"action": "decline", "content": None, "reason": "Ask Grace instead"}


@contextmanager
def a_player(house_path: Path) -> Iterator[tuple[Path, Path]]:
    """A player of sounds that writes down what it is to play: its folder, and its file."""
    heard = house_path / "heard"
    (house_path / "bin").mkdir()
    for name in ("pw-play", "paplay", "aplay"):
        (house_path / "bin" / name).write_text(f'#!/bin/sh\nbasename "$1" >> {heard}\n')
        (house_path / "bin" / name).chmod(0o755)
    heard.touch()
    yield house_path / "bin", heard


def test_it_rings_again_quietly_and_what_was_missed_leaves_a_notice(
    open_house: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with a_player(tmp_path) as (folder, heard):
        monkeypatch.setenv("PATH", str(folder), prepend=":")
        house = open_house("question_timeout = 16\n")
        call = house.asks(NAME, "The launch code, please")
        until(lambda: heard.read_text().split() == ["bell.wav"])
        until(lambda: heard.read_text().split() == ["bell.wav", "bell-quiet.wav"])
        assert "Nobody answered in time" in str(answer(call))
        card = house.screen.window(CARD)
        show = card.find("push button", "Show")
        until(lambda: notifications(house) == 1)
        house.desk.screenshot(PICTURES / "missed.png")
        assert show.middle[1] < 800 - 32 - 16  # above the panel: all of the card is on the screen
        click(house, show)
        house.screen.window("Deskbell").find(name="Activity")


def test_the_time_stands_still_while_the_person_types_and_one_press_adds_some(open_house: Open):
    house = open_house("question_timeout = 58\n")
    house.asks(NAME)
    window = to_front(house)
    before = deadline(house)
    more = window.find("push button", "More time")

    def has_more() -> bool:
        click(house, more)
        return deadline(house) > before + 60

    until(has_more)
    house.desk.type("A")  # the field has kept the focus
    until(lambda: deadline(house) == 0)
    assert window.find("text", "Your name").text == "A"


def test_a_file_is_dropped_and_a_picture_is_pasted(open_house: Open, tmp_path: Path):
    picture = tmp_path / "picture.png"
    subprocess.run(["convert", "-size", "64x48", "gradient:red-blue", str(picture)], check=True)
    house = open_house()
    dock = subprocess.Popen([sys.executable, "-c", DOCK, str(picture)], env=house.desk.env)
    try:
        house.desk.mapped("source")
        call = house.asks(SHOT, "What do you see?")
        to_front(house)
        x, y = house.screen.window(TITLE).find("push button", "Screenshot").middle
        house.desk.run("xdotool", "mousemove", "100", "100", "mousedown", "1")
        for step in range(1, 12):
            place = (str(100 + (x - 100) * step // 11), str(100 + (y - 100) * step // 11))
            house.desk.run("xdotool", "mousemove", *place, "sleep", "0.1")
        house.desk.run("xdotool", "sleep", "0.3", "mouseup", "1")
        house.screen.window(TITLE).find("push button", "Remove")
        house.desk.screenshot(PICTURES / "dropped.png")
        click(house, house.screen.window(TITLE).find("push button", "Send"))
        assert base64.b64decode(answer(call)["content"]["shot"]) == picture.read_bytes()

        call = house.asks(SHOT, "And now?")
        to_front(house)
        house.desk.keys("ctrl+v")
        house.screen.window(TITLE).find("push button", "Remove")
        click(house, house.screen.window(TITLE).find("push button", "Send"))
        assert base64.b64decode(answer(call)["content"]["shot"]).startswith(b"\x89PNG")
    finally:
        dock.terminate()
        dock.wait()
