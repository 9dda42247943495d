"""A newcomer at a real desktop: from the first start to the first answered question, counted in clicks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.app_under_test import ROOT, asking
from tests.journeys.hosts import StdioHost, result_of
from tests.live.test_desktop import PICTURES, House
from tests.rigs.atspi import Thing
from tests.rigs.desktop import MISSING, Desktop

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no private desktop without {MISSING}")
CLICKS, SECONDS = 5, 40.0
YES_OR_NO = {"type": "object", "properties": {"deploy": {"type": "boolean"}}, "required": ["deploy"]}


class Newcomer:
    """Uses the mouse only, where the things stand that assistive technology names, and counts."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.clicks = 0

    def click(self, thing: Thing) -> None:
        self._house.screen.until(lambda: thing.enabled, "press")  # a window that has just appeared takes none
        x, y = thing.middle
        self._house.desk.run("xdotool", "mousemove", str(x), str(y), "click", "1")
        self.clicks += 1


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """The home folder of somebody who uses Cursor with a server that asks."""
    home = tmp_path / "person"
    (home / ".cursor").mkdir(parents=True)
    (home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": {"deploy": asking_entry()}}))
    return home


@pytest.fixture
def house(person: Path, tmp_path: Path) -> Iterator[House]:
    desk = Desktop()
    desk.env["HOME"] = str(person)
    try:
        house = House(desk, tmp_path / "home", None)
        try:
            yield house
        finally:
            house.close()
    finally:
        desk.close()


def asking_entry() -> dict[str, Any]:
    command, *words = asking("legacy")
    return {"command": command, "args": words}


def cursor(house: House, person: Path) -> StdioHost:
    """Cursor, which starts its server as its settings file says now."""
    entry = json.loads((person / ".cursor" / "mcp.json").read_text())["mcpServers"]["deploy"]
    env = {**house.env, **entry.get("env", {})}
    host = StdioHost([entry["command"], *entry["args"]], env, cwd=str(ROOT), name="cursor-vscode")
    host.open()
    return host


def said(window: Thing, words: str) -> bool:
    return any(thing.name.startswith(words) for thing in window.walk())


def test_five_clicks_and_forty_seconds_lead_to_the_first_question_of_the_persons_own_app(
    house: House, person: Path
):
    newcomer, began = Newcomer(house), time.monotonic()
    welcome = house.screen.window("Welcome to Deskbell")
    house.desk.screenshot(PICTURES / "first-run-1.png")
    newcomer.click(welcome.find("push button", "Ring the bell"))
    practice = house.screen.window("Question from desk")
    house.desk.screenshot(PICTURES / "first-run-2.png")
    newcomer.click(practice.find("push button", "Just right"))
    newcomer.click(welcome.find("push button", "Continue"))
    newcomer.click(welcome.find("check box", "Use Deskbell in Cursor"))
    house.screen.until(lambda: "deskbell" in (person / ".cursor" / "mcp.json").read_text(), "the entry")
    host = cursor(house, person)
    host.request("tools/list")
    house.screen.until(lambda: said(welcome, "✓ Cursor is connected, "), "connection")
    house.desk.screenshot(PICTURES / "first-run-3.png")
    call = host.begin_call("ask", message="Deploy to production?", schema=YES_OR_NO)
    card = house.screen.window("Deskbell: new question")
    house.desk.screenshot(PICTURES / "first-run-4.png")
    newcomer.click(card.find("push button", "Yes"))
    assert "accept" in json.dumps(result_of(call))
    assert newcomer.clicks <= CLICKS
    assert time.monotonic() - began <= SECONDS
    host.close()
