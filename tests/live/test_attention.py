"""Being asked without being disturbed, on a real desktop with a real notification daemon."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from bridge.api import Home, ask_running
from tests.journeys.app_under_test import until
from tests.journeys.hosts import result_of, said_in
from tests.live.test_desktop import PICTURES, House
from tests.rigs.desktop import MISSING, Desktop

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}")
TITLE = "Question from desk"
NAME = {"type": "object", "properties": {"name": {"type": "string", "title": "Your name", "maxLength": 60}}}
Open = Callable[..., House]


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Open]:
    closing: list[Callable[[], object]] = []

    def open_house(config: str = "", **kind: Any) -> House:
        desk = Desktop(**kind)
        closing.append(desk.close)
        house = House(desk, tmp_path / f"home{len(closing)}", config)
        closing.append(house.close)
        return house

    yield open_house
    for close in reversed(closing):
        close()


def notifications(house: House) -> int:
    return int(house.desk.run("dunstctl", "count", "displayed"))


def history(house: House) -> str:
    said = json.loads(house.desk.run("dunstctl", "history"))
    return json.dumps(said["data"])


def in_front(house: House) -> str:
    try:
        return house.desk.run("xdotool", "getactivewindow", "getwindowname")
    except subprocess.CalledProcessError:  # no window has the keyboard
        return ""


def test_a_notification_tells_who_and_never_what_and_a_click_brings_the_question(open_house: Open):
    house = open_house("[desktop]\nwindows = false\n")
    call = house.asks(NAME, "The launch code, please")
    until(lambda: notifications(house) == 1)
    assert TITLE not in house.screen.windows()
    house.desk.screenshot(PICTURES / "notification.png")
    house.desk.run("dunstctl", "action")
    until(lambda: in_front(house) == TITLE)
    house.desk.type("Ada")
    house.desk.keys("ctrl+Return")
    assert answer(call) == {"action": "accept", "content": {"name": "Ada"}}
    until(lambda: notifications(house) == 0)
    told = history(house)
    assert "A question is waiting" in told
    assert "launch code" not in told


@pytest.mark.parametrize("tray", ["sni", "xembed"])
def test_a_question_takes_the_keyboard_from_nobody_unless_it_may(open_house: Open, tray: str):
    house = open_house(tray=tray)
    call = house.asks(NAME)
    window = house.screen.window(TITLE)
    until(lambda: notifications(house) == 1)
    assert not window.find("text", "Your name").focused
    house.desk.screenshot(PICTURES / f"question-{tray}.png")
    window.find("push button", "Decline").press()
    assert answer(call)["action"] == "decline"

    bold = open_house('[desktop]\nraise = "always"\n', tray=tray)
    bold.asks(NAME)
    until(lambda: in_front(bold) == TITLE)
    assert notifications(bold) == 0


def test_do_not_disturb_is_heeded_until_it_is_over(open_house: Open):
    house = open_house()
    house.desk.run("dunstctl", "set-paused", "true")
    house.asks(NAME)
    until(lambda: waiting(house))
    assert TITLE not in house.screen.windows()
    assert notifications(house) == 0
    house.desk.run("dunstctl", "set-paused", "false")
    house.screen.window(TITLE, within=40.0)


def test_what_was_typed_is_kept_when_the_app_leaves_and_quitting_asks_before_it_is_lost(open_house: Open):
    house = open_house('vault = "file"\n', tray="none")
    everywhere = house.screen.root
    host = house.host("stdio", "--server", "desk")
    host.begin_call("elicit_form", message="Who is it for?", schema=NAME)
    house.screen.window(TITLE).find("text", "Your name").enter("Ada")
    house.screen.window("Deskbell")
    show_window(house)
    house.desk.keys("ctrl+q")
    everywhere.find("push button", "Quit")
    house.desk.screenshot(PICTURES / "quit.png")
    house.desk.keys("Escape")  # the question has a button Cancel, too
    host.close()
    everywhere.find("push button", "Copy what I typed")
    house.desk.screenshot(PICTURES / "withdrawn.png")
    show_window(house)
    house.desk.keys("alt+2")
    everywhere.find("label", "Unsent drafts")
    house.desk.screenshot(PICTURES / "drafts.png")


def test_a_shortcut_opens_the_oldest_question_from_any_window(open_house: Open):
    house = open_house(tray="none")
    show_window(house)
    call = house.asks(NAME)
    house.screen.window("Deskbell: new question")
    assert in_front(house) == "Deskbell"
    house.desk.keys("super+alt+a")
    until(lambda: in_front(house) == TITLE)
    until(lambda: house.screen.window(TITLE).find("text", "Your name").focused)
    house.desk.type("Ada")

    def is_sent() -> bool:  # a window that has just appeared sends nothing
        house.desk.keys("ctrl+Return")
        return call.done()

    until(is_sent)
    assert answer(call) == {"action": "accept", "content": {"name": "Ada"}}


def show_window(house: House) -> None:
    house.screen.window("Deskbell")
    house.desk.run("xdotool", "search", "--onlyvisible", "--name", "^Deskbell$", "windowactivate", "--sync")


def answer(call: Future[Any]) -> Any:
    said = said_in(result_of(call))
    return said.get("result", said)


def waiting(house: House) -> int:
    said = ask_running(Home(Path(house.env["DESKBELL_HOME"])), "status")
    assert said is not None
    return len(said["waiting"])
