"""The real application on a real desktop, used as a person would: by assistive technology, by keyboard alone.

Everything here looks from outside the process. Pictures are kept in build/screenshots, to be looked at.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import DESKBELL, ROOT, asking, until
from tests.journeys.hosts import StdioHost, result_of, said_in
from tests.rigs.atspi import Screen, Thing
from tests.rigs.desktop import MISSING, Desktop, desktop, with_home

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}")
PICTURES = ROOT / "build" / "screenshots"
TRAYS = ("sni", "xembed")
FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "maxLength": 60},
        "count": {"type": "integer", "title": "How many", "minimum": 1, "default": 3},
        "urgent": {"type": "boolean", "title": "Urgent?"},
        "colour": {"type": "string", "title": "Colour", "enum": ["red", "green", "blue"]},
        "labels": {"type": "array", "title": "Labels", "items": {"enum": ["bug", "feature"]}},
    },
    "required": ["name"],
}


class House:
    """The tray application on its desktop, one AI host, and the eyes of assistive technology."""

    def __init__(self, desk: Desktop, folder: Path, config: str | None = "", *, language: str = "") -> None:
        self.desk = desk
        self.env = with_home(
            desk.env, folder, **({"LANGUAGE": language, "LC_ALL": language} if language else {})
        )
        folder.mkdir()
        if config is not None:  # else it is new here
            (folder / "config.toml").write_text(config)
        self._app = subprocess.Popen(DESKBELL, env=self.env, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        assert self._app.stderr
        said = next((line for line in self._app.stderr if not line.startswith("qt.")), "")
        assert said.startswith("deskbell: running"), said
        self.screen = Screen(self.env)
        self._hosts: list[StdioHost] = []

    def host(self, *words: str, **more: Any) -> StdioHost:
        host = StdioHost([*DESKBELL, *words], self.env, cwd=str(ROOT), **more)
        self._hosts.append(host)
        host.open()
        return host

    def asks(self, schema: Any = FORM, message: str = "Who is it for?") -> Future[Any]:
        """A host that cannot ask calls a tool that does."""
        return self.host("stdio", "--server", "desk").begin_call(
            "elicit_form", message=message, schema=schema
        )

    def focus(self, window: Thing) -> None:
        """As Alt+Tab does."""
        self.desk.run("xdotool", "search", "--name", f"^{window.name}$", "windowactivate", "--sync")

    def ended(self) -> int:
        return self._app.wait(10)

    def close(self) -> None:
        for host in self._hosts:
            host.close()
        self.screen.close()
        self._app.terminate()
        try:
            self._app.communicate(timeout=10)
        finally:
            self._app.kill()


Open = Callable[..., House]


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Open]:
    closing: list[Callable[[], object]] = []

    def open_house(config: str | None = "", language: str = "", **kind: Any) -> House:
        desk = Desktop(**kind)
        closing.append(desk.close)
        house = House(desk, tmp_path / f"home{len(closing)}", config, language=language)
        closing.append(house.close)
        return house

    yield open_house
    for close in reversed(closing):
        close()


def content(call: Future[Any]) -> Any:
    return said_in(result_of(call))["result"]


def test_a_form_is_filled_in_and_sent_by_assistive_technology_alone(open_house: Open):
    house = open_house()
    call = house.asks()
    window = house.screen.window("Question from desk")

    assert window.description == "Who is it for?"
    window.find("text", "Your name").enter("Ada Lovelace, née Byron")
    assert window.find("text", "How many").text == "3"
    window.find("panel", "Urgent?").find("radio button", "Yes").press()
    window.find("panel", "Colour").find("radio button", "green").press()
    window.find("panel", "Labels").find("check box", "feature").press()
    house.desk.screenshot(PICTURES / "form-filled.png")
    window.find("push button", "Send").press()

    assert content(call) == {
        "action": "accept",
        "content": {
            "name": "Ada Lovelace, née Byron",
            "count": 3,
            "urgent": True,
            "colour": "green",
            "labels": ["feature"],
        },
    }
    until(lambda: "Question from desk" not in house.screen.windows())


def test_a_form_is_filled_in_and_sent_by_keyboard_alone(open_house: Open):
    house = open_house()
    call = house.asks()
    window = house.screen.window("Question from desk")
    house.focus(window)
    until(lambda: window.find("text", "Your name").focused)

    house.desk.type("Grace Hopper")
    house.desk.keys("Tab")
    until(lambda: window.find("text", "How many").focused)
    house.desk.keys("ctrl+a")
    house.desk.type("12")
    house.desk.keys("ctrl+Return")

    assert content(call) == {"action": "accept", "content": {"name": "Grace Hopper", "count": 12}}


def test_what_is_wrong_is_told_beside_its_field_which_gets_the_focus(open_house: Open):
    house = open_house()
    call = house.asks()
    window = house.screen.window("Question from desk")
    house.focus(window)
    window.find("text", "How many").enter("0")
    window.find("push button", "Send").press()

    name, count = window.find("text", "Your name"), window.find("text", "How many")
    until(lambda: "Please fill this in." in name.description)
    assert "Please enter 1 or more." in count.description
    until(lambda: name.focused)
    house.desk.screenshot(PICTURES / "form-errors.png")
    window.find("push button", "Decline").press()

    assert content(call)["action"] == "decline"


def test_escape_is_cancel(open_house: Open):
    house = open_house()
    call = house.asks()
    house.focus(house.screen.window("Question from desk"))
    house.desk.keys("Escape")

    assert content(call)["action"] == "cancel"


def test_an_approval_can_be_denied_and_allowed(open_house: Open):
    house = open_house('[policy]\n"asking_count" = "confirm"\n')
    host = house.host("wrap", "--name", "asking", "--", *asking("legacy"))
    for button, allowed in (("Deny", False), ("Allow", True)):
        call = host.begin_call("count")
        window = house.screen.window("Question from asking")
        house.desk.screenshot(PICTURES / "approval.png")
        window.find("push button", button).press()

        assert bool(result_of(call).get("isError")) is not allowed
        until(lambda: "Question from asking" not in house.screen.windows())


def test_what_was_always_allowed_is_undone_and_settings_are_kept_by_a_click(open_house: Open):
    before = '# mine\n[policy]\n"asking_count" = "confirm"\n'
    house = open_house(before)
    config = Path(house.env["DESKBELL_HOME"], "config.toml")
    host = house.host("wrap", "--name", "asking", "--", *asking("legacy"))
    call = host.begin_call("count")
    house.screen.window("Question from asking").find("push button", "Allow always").press()
    assert not result_of(call).get("isError")
    until(lambda: '"allow"' in config.read_text())

    subprocess.run(DESKBELL, env=house.env, cwd=ROOT, check=True, capture_output=True, timeout=15)
    home = house.screen.window("Deskbell")
    home.find("list", None).find("list item", "Approvals").press()
    home.find("push button", "Undo").press()
    until(lambda: config.read_text() == before)
    house.desk.screenshot(PICTURES / "undone.png")

    home.find("list", None).find("list item", "Settings").press()
    home.find("check box", "Play a sound").press()
    until(lambda: "sound = false" in config.read_text())
    assert config.read_text().startswith(before)


def test_a_link_is_opened_only_by_consent_and_shown_in_full(open_house: Open, tmp_path: Path):
    house = open_house()
    url = "https://accounts.example.co.uk/authorize?client_id=deskbell&state=" + "x" * 80
    host = house.host("wrap", "--name", "asking", "--", *asking("legacy"))
    call = host.begin_call("ask_url", url=url)
    window = house.screen.window("Question from asking")

    until(lambda: any(url in thing.text for thing in window.walk() if thing.role == "text"))
    house.desk.screenshot(PICTURES / "link.png")
    assert window.find("push button", "Open in browser").showing
    window.find("push button", "Decline").press()

    assert json.loads(result_of(call)["content"][0]["text"])["action"] == "decline"


@pytest.mark.parametrize("tray", TRAYS)
def test_the_bell_is_in_the_tray_and_no_window_is_in_the_way(open_house: Open, tray: str):
    house = open_house(tray=tray)
    house.desk.screenshot(PICTURES / f"tray-{tray}.png")

    assert "Deskbell" not in house.screen.windows()


@pytest.mark.parametrize("tray", TRAYS)
def test_a_click_on_the_bell_opens_the_window_and_its_menu_ends_deskbell(open_house: Open, tray: str):
    house = open_house(tray=tray)
    house.desk.await_bell()
    house.desk.screenshot(PICTURES / f"bell-{tray}.png")  # once nothing moves any more: it is drawn
    for button, times in ((1, 1), (2, 1), (1, 2)):
        house.desk.click_bell(button, times)
        house.screen.window("Deskbell")
        house.desk.activate("Deskbell")
        house.desk.keys("ctrl+w")
        until(lambda: "Deskbell" not in house.screen.windows())
    house.desk.click_bell(3)
    house.desk.screenshot(PICTURES / f"menu-{tray}.png")
    house.desk.keys("Up", "Return")  # the last one

    assert house.ended() == 0


@pytest.mark.parametrize("tray", TRAYS)
def test_a_click_on_the_bell_brings_the_question_that_waits(open_house: Open, tray: str):
    house = open_house("[desktop]\nwindows = false\n", tray=tray)
    call = house.asks()
    click_until(house, "Question from desk")
    house.desk.screenshot(PICTURES / f"waiting-{tray}.png")
    house.screen.window("Question from desk").find("push button", "Decline").press()

    assert content(call)["action"] == "decline"


@pytest.mark.parametrize("tray", TRAYS)
def test_without_a_tray_there_is_a_window_and_the_bell_comes_with_the_tray(open_house: Open, tray: str):
    house = open_house(tray="none")
    window = house.screen.window("Deskbell")
    assert any("No system tray" in thing.name for thing in window.walk())
    house.desk.screenshot(PICTURES / "no-tray.png")
    house.desk.bring_tray(tray)
    until(lambda: not any("No system tray" in thing.name for thing in window.walk() if thing.showing))
    house.desk.activate("Deskbell")
    house.desk.keys("ctrl+w")
    until(lambda: "Deskbell" not in house.screen.windows())
    click_until(house, "Deskbell")


def test_the_first_steps_stand_before_the_window_where_there_is_no_tray(open_house: Open):
    house = open_house(None, tray="none")
    house.screen.window("Deskbell")
    ring = house.screen.window("Welcome to Deskbell").find("push button", "Ring the bell")
    until(lambda: ring.focused)
    house.desk.screenshot(PICTURES / "first-steps-no-tray.png")


def click_until(house: House, title: str) -> None:
    """The icon may not be drawn yet; more clicks than one lead to the same window."""

    def opened() -> bool:
        house.desk.click_bell()
        return title in house.screen.windows()

    house.desk.await_bell()
    until(opened)


@pytest.mark.parametrize(
    ("language", "question", "send", "pages"),
    [
        (
            "de",
            "Frage von desk",
            "Senden",
            [
                "Start",
                "Fragen (1)",
                "Verlauf",
                "KI-Apps",
                "Server",
                "Freigaben",
                "Modelle",
                "Einstellungen",
            ],
        ),
        (
            "ja",
            "desk からの質問",
            "送信(S)",
            ["ホーム", "質問 (1)", "アクティビティ", "AI アプリ", "サーバー", "承認", "モデル", "設定"],
        ),
    ],
)
def test_deskbell_speaks_the_persons_language_and_its_pages_open_by_assistive_technology(
    open_house: Open, language: str, question: str, send: str, pages: list[str]
):
    house = open_house(f'[desktop]\nlanguage = "{language}"\n')
    call = house.asks()
    window = house.screen.window(question)
    window.find("push button", send).press()
    until(lambda: window.find("text", "Your name").description)
    house.desk.screenshot(PICTURES / f"question-{language}.png")
    subprocess.run(DESKBELL, env=house.env, cwd=ROOT, check=True, capture_output=True, timeout=15)
    home = house.screen.window("Deskbell")
    listed = home.find("list", None)
    assert [row.name for row in listed.children if row.role == "list item" and row.showing] == pages
    for place, name in enumerate(pages):
        listed.find("list item", name).press()
        house.desk.screenshot(PICTURES / f"page{place}-{language}.png")
    window.find("text", "Your name").enter("Ada")
    window.find("push button", send).press()

    assert content(call)["action"] == "accept"


LOOKS: dict[str, tuple[dict[str, Any], dict[str, str], tuple[str, ...]]] = {
    "light": ({}, {}, ()),
    "dark": ({"dark": True}, {}, ()),
    "200": ({"size": "2560x1600"}, {"QT_SCALE_FACTOR": "2"}, ()),
    "crowded": ({"size": "1920x1080"}, {"QT_SCALE_FACTOR": "2"}, ()),
    "rtl": ({}, {}, ("--rtl",)),
    "small": ({"size": "1024x600"}, {}, ()),
    "long words": ({"size": "1024x600"}, {}, ("--language", "de")),
}
PANEL = 32


@pytest.mark.timeout(1600)
@pytest.mark.parametrize("look", LOOKS)
def test_every_window_fits_on_the_screen_in_every_look(look: str):
    kind, env, words = LOOKS[look]
    width, height = map(int, kind.get("size", "1280x800").split("x"))
    folder = PICTURES / look
    with desktop(**kind) as desk:
        command = [DESKBELL[0], "-m", "tests.desktop.gallery", "all", "--into", str(folder), *words]
        subprocess.run(command, env={**desk.env, **env}, cwd=ROOT, check=True, timeout=1500)
    assert json.loads((folder / "cut.json").read_text()) == {}
    for what, (_, _, wide, tall) in json.loads((folder / "places.json").read_text()).items():
        assert wide <= width, what
        assert tall <= height - PANEL, what
